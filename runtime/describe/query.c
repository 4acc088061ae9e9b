/*
 * What frameworks ask about a spec by number.
 */
#include "base/status.h"
#include "exchange/handle.h"
#include "exchange/owner.h"

#include <string.h>

/* ---- is there such a thing? ---------------------------------------------------------------------------- */

static hx_status check_spec(const hx_spec *spec, const void *out)
{
    if (!spec || !out) {
        return hxi_fail(HX_ERR_ARGUMENT, "The %s given to a question about a spec is a null pointer.",
                        spec ? "place for the answer" : "spec");
    }
    if (spec->abi != HX_ABI) {
        return hxi_fail(
            HX_ERR_ARGUMENT,
            "The spec was emitted for libhx as of ABI %d, and this libhx is as of %d; generate it again with "
            "the halogen that came with this libhx.",
            spec->abi, HX_ABI);
    }
    return HX_OK;
}

/* One of so many; what: "field" or "exchange". */
static hx_status check_number(const hx_spec *spec, const char *what, int number, int count)
{
    return number >= 0 && number < count
               ? HX_OK
               : hxi_fail(HX_ERR_ARGUMENT, "%s has no %s %d; they are counted from 0 to %d.", spec->file,
                          what, number, count - 1);
}

static hx_status check_exchange(const hx_spec *spec, int exchange, const void *out)
{
    const hx_status status = check_spec(spec, out);
    return status == HX_OK ? check_number(spec, "exchange", exchange, spec->exchanges) : status;
}

/* ---- answers ------------------------------------------------------------------------------------------- */

hx_status hx_spec_query(const hx_spec *spec, hx_spec_facts *facts)
{
    const hx_status status = check_spec(spec, facts);
    if (facts) {
        memset(facts, 0, sizeof *facts);
    }
    if (status != HX_OK) {
        return status;
    }
    facts->name = spec->name;
    facts->file = spec->file;
    facts->hash = spec->hash;
    facts->axes = spec->axes;
    facts->tiles = spec->tiles;
    facts->list = spec->list;
    facts->fields = spec->fields;
    facts->exchanges = spec->exchanges;
    facts->shape_size = spec->shape_size;
    for (int a = 0; a < spec->axes; ++a) {
        facts->axis[a] = spec->axis[a];
        facts->periodic[a] = spec->periodic[a];
        facts->decomposed[a] = spec->decomposed[a];
        facts->cells[a] = spec->cells[a];
    }
    return HX_OK;
}

/* The image of a point at a wall tells where in its cell it lies. */
static hx_position position_of(const hx_positions *p, int axis)
{
    if (p->extra[axis] == 1) {
        return HX_AT_BOTH;
    }
    return p->mirror[axis] == 0 ? HX_AT_LOW : p->mirror[axis] == -1 ? HX_AT_CENTER : HX_AT_HIGH;
}

hx_status hx_field_query(const hx_spec *spec, int field, hx_field_facts *facts)
{
    hx_status status = check_spec(spec, facts);
    if (facts) {
        memset(facts, 0, sizeof *facts);
    }
    status = status == HX_OK ? check_number(spec, "field", field, spec->fields) : status;
    if (status != HX_OK) {
        return status;
    }
    const hx_field *f = &spec->field[field];
    facts->name = f->name;
    facts->type = f->type;
    facts->line = f->line;
    facts->components = f->components > 0 ? f->components : 1;
    facts->bytes = (size_t)(f->components_after > 0 ? f->size : f->size / facts->components);
    facts->components_after = f->components_after;
    facts->on_device = f->on_device;
    facts->behind = f->behind;
    for (int a = 0; a < spec->axes; ++a) {
        facts->order[a] = f->order[a];
        facts->halo_lo[a] = f->halo_lo[a];
        facts->halo_hi[a] = f->halo_hi[a];
        facts->at[a] = position_of(&spec->positions[f->positions], a);
        facts->vector[a] = f->vector ? f->vector[a] : -1;
    }
    return HX_OK;
}

int hx_field_named(const hx_spec *spec, const char *name)
{
    for (int f = 0; spec && name && spec->abi == HX_ABI && f < spec->fields; ++f) {
        if (strcmp(spec->field[f].name, name) == 0) {
            return f;
        }
    }
    return -1;
}

/* As in the language. */
static const char *op_of(const hx_exchange *e)
{
    switch (e->operation) {
    case HX_COPY:
        break;
    case HX_ADD:
        return "add";
    case HX_MEAN:
        return "mean";
    case HX_SUM:
        return "sum";
    case HX_MIN:
        return "min";
    case HX_MAX:
        return "max";
    }
    return "copy";
}

hx_status hx_exchange_query(const hx_spec *spec, int exchange, hx_exchange_facts *facts)
{
    const hx_status status = check_exchange(spec, exchange, facts);
    if (facts) {
        memset(facts, 0, sizeof *facts);
    }
    if (status != HX_OK) {
        return status;
    }
    const hx_exchange *e = &spec->exchange[exchange];
    facts->name = e->name;
    facts->line = e->line;
    facts->op = op_of(e);
    facts->keeps = e->keeps;
    facts->shared = e->shared != HX_SHARED_NOT;
    facts->fields = e->fields;
    facts->directions = e->directions;
    facts->direction = e->direction;
    for (int i = 0; i < e->fields; ++i) {
        facts->on_device |= spec->field[e->field[i].field].on_device;
    }
    return HX_OK;
}

int hx_exchange_named(const hx_spec *spec, const char *name)
{
    for (int e = 0; spec && name && spec->abi == HX_ABI && e < spec->exchanges; ++e) {
        if (strcmp(spec->exchange[e].name, name) == 0) {
            return e;
        }
    }
    return -1;
}

hx_status hx_carried_query(const hx_spec *spec, int exchange, int number, hx_carried_facts *facts)
{
    hx_status status = check_exchange(spec, exchange, facts);
    if (facts) {
        memset(facts, 0, sizeof *facts);
    }
    status = status == HX_OK
                 ? check_number(spec, "field of this exchange", number, spec->exchange[exchange].fields)
                 : status;
    if (status != HX_OK) {
        return status;
    }
    const hx_exchange_field *item = &spec->exchange[exchange].field[number];
    facts->field = item->field;
    memcpy(facts->width_lo, item->width_lo, sizeof facts->width_lo);
    memcpy(facts->width_hi, item->width_hi, sizeof facts->width_hi);
    return HX_OK;
}

/* ---- what emitted headers have ------------------------------------------------------------------------- */

hx_status hx_spec_partition(const hx_spec *spec, const int cells[], hx_partition *partition)
{
    const hx_status status = check_spec(spec, cells ? partition : NULL);
    if (partition) {
        memset(partition, 0, sizeof *partition);
    }
    if (status != HX_OK) {
        return status;
    }
    if (spec->list) {
        return hxi_fail(HX_ERR_ARGUMENT,
                        "The grid of %s is a list of points, which has no partition; see hx_create_listed.",
                        spec->file);
    }
    partition->axes = spec->axes;
    partition->first_fastest = spec->first_fastest;
    for (int a = 0; a < spec->axes; ++a) {
        partition->cells[a] = cells[a];
        partition->ranks[a] = spec->decomposed[a] ? 0 : 1;
        partition->periodic[a] = spec->periodic[a];
        partition->face_bytes[a] = spec->face_bytes[a];
    }
    return HX_OK;
}

hx_status hx_spec_shape(const hx_spec *spec, const hx_part *part, void *shape)
{
    const hx_status status = check_spec(spec, part ? shape : NULL);
    if (status != HX_OK) {
        return status;
    }
    char *at = shape;
    const hx_part copy = *part; /* which may lie in the shape */
    memset(at, 0, spec->shape_size);
    memcpy(at, &copy, sizeof copy);
    hx_dense_strides(spec, &copy, (ptrdiff_t *)(void *)(at + spec->shape_stride),
                     spec->shape_apart > 0 ? (ptrdiff_t *)(void *)(at + spec->shape_apart) : NULL);
    return HX_OK;
}

const hx_spec *hx_spec_of(const hx_handle *handle)
{
    return handle && hxi_owner_check(handle, "tell its spec") == HX_OK ? handle->spec : NULL;
}
