/*
 * Walls that an object of Fortran fills.
 */
#include "hx_fortran_glue.h"

/* A wall as Fortran sees it, whose array is that of the handle from now on. */
static hx_f_wall in_fortran(struct hx_f_halo *halo, const hx_wall *wall)
{
    hx_f_wall out = {.exchange = wall->exchange + 1,
                     .field = wall->field + 1,
                     .block = wall->block + 1,
                     .axis = wall->axis + 1,
                     .side = wall->side + 1,
                     .halo = halo};
    for (int a = 0; a < HX_MAX_AXES; ++a) {
        out.lo[a] = wall->lo[a] + 1;
        out.hi[a] = wall->hi[a];
    }
    halo->walled = wall->array;
    return out;
}

static void fill_wall(void *context, const hx_wall *wall)
{
    struct hx_f_halo *halo = context;
    const hx_f_wall out = in_fortran(halo, wall);
    hx_f_fill(halo->holder, &out);
}

static void fill_wall_on(void *context, const hx_wall *wall, hx_stream stream)
{
    struct hx_f_halo *halo = context;
    const hx_f_wall out = in_fortran(halo, wall);
    hx_f_fill_on(halo->holder_on, &out, stream);
}

/* holder: NULL takes the object away. */
hx_status hx_f_set_boundary(struct hx_f_halo *halo, const char *call, void *holder)
{
    const hx_status status =
        halo ? hx_set_boundary(halo->handle, holder ? fill_wall : NULL, halo) : hx_f_not_created(call);
    if (status == HX_OK) {
        hx_f_drop_holder(halo->holder);
        halo->holder = holder;
    } else {
        hx_f_drop_holder(holder);
    }
    return status;
}

hx_status hx_f_set_boundary_on(struct hx_f_halo *halo, const char *call, void *holder)
{
    const hx_status status =
        halo ? hx_set_boundary_on(halo->handle, holder ? fill_wall_on : NULL, halo) : hx_f_not_created(call);
    if (status == HX_OK) {
        hx_f_drop_holder_on(halo->holder_on);
        halo->holder_on = holder;
    } else {
        hx_f_drop_holder_on(holder);
    }
    return status;
}

void *hx_f_wall_address(const hx_f_wall *wall)
{
    return wall->halo->walled;
}

hx_status hx_f_wall_array(const hx_f_wall *wall, const char *call, int field, CFI_cdesc_t *pointer)
{
    if (wall->field != field + 1) {
        hx_field_facts asked_for = {.name = "?"}, is = {.name = "?"};
        hx_field_query(wall->halo->spec->tables, field, &asked_for);
        hx_field_query(wall->halo->spec->tables, wall->field - 1, &is);
        return hx_f_refuse(HX_ERR_ARGUMENT, "%s: this wall is one of %s, not of %s; look at wall%%field",
                           call, is.name, asked_for.name);
    }
    hx_f_set_pointer(&wall->halo->dimensions[(wall->block - 1) * wall->halo->fields + field],
                     wall->halo->walled, pointer);
    return HX_OK;
}
