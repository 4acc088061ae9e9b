#include "files/file_types.h"

#include "base/memory.h"
#include "base/status.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static const char purpose[] = "a datatype for files";

hx_status hxi_type_made(const hxi_type_maker *maker, int code, MPI_Datatype *type)
{
    if (code == MPI_SUCCESS) {
        return HX_OK;
    }
    if (*type != MPI_DATATYPE_NULL) {
        MPI_Type_free(type);
    }
    *type = MPI_DATATYPE_NULL;
    return hxi_fail_mpi(code, "Making a datatype for field %s", maker->field);
}

/* ---- elements ------------------------------------------------------------------------------------------ */

typedef struct element {
    const char *name; /* in C */
    MPI_Datatype type;
} element;

/* MPI's own type; MPI_DATATYPE_NULL: it has none. */
static MPI_Datatype predefined(const char *name)
{
    const element elements[] = {
        {"char", MPI_CHAR},
        {"signed char", MPI_SIGNED_CHAR},
        {"unsigned char", MPI_UNSIGNED_CHAR},
        {"short", MPI_SHORT},
        {"unsigned short", MPI_UNSIGNED_SHORT},
        {"int", MPI_INT},
        {"unsigned int", MPI_UNSIGNED},
        {"long", MPI_LONG},
        {"unsigned long", MPI_UNSIGNED_LONG},
        {"long long", MPI_LONG_LONG},
        {"unsigned long long", MPI_UNSIGNED_LONG_LONG},
        {"int8_t", MPI_INT8_T},
        {"uint8_t", MPI_UINT8_T},
        {"int16_t", MPI_INT16_T},
        {"uint16_t", MPI_UINT16_T},
        {"int32_t", MPI_INT32_T},
        {"uint32_t", MPI_UINT32_T},
        {"int64_t", MPI_INT64_T},
        {"uint64_t", MPI_UINT64_T},
        {"float", MPI_FLOAT},
        {"double", MPI_DOUBLE},
        {"long double", MPI_LONG_DOUBLE},
        {"bool", MPI_C_BOOL},
        {"hx_complex64", MPI_C_FLOAT_COMPLEX},
        {"hx_complex128", MPI_C_DOUBLE_COMPLEX},
    };
    for (size_t i = 0; i < sizeof elements / sizeof *elements; ++i) {
        if (strcmp(elements[i].name, name) == 0) {
            return elements[i].type;
        }
    }
    return MPI_DATATYPE_NULL;
}

hx_status hxi_type_maker_open(const char *field, const char *type, size_t bytes, hxi_type_maker *maker)
{
    *maker = (hxi_type_maker){.field = field, .element = predefined(type)};
    if (maker->element != MPI_DATATYPE_NULL) {
        return HX_OK;
    }
    maker->made = true;
    const int code = MPI_Type_contiguous((int)bytes, MPI_BYTE, &maker->element);
    return hxi_type_made(maker, code, &maker->element);
}

void hxi_type_maker_close(hxi_type_maker *maker)
{
    if (maker->made) {
        MPI_Type_free(&maker->element);
    }
}

/* ---- members of a type ---------------------------------------------------------------------------------- */

/* Types and where they lie, in order. */
typedef struct members {
    MPI_Aint *at;
    MPI_Datatype *type;
    int count;
    int room;
} members;

static void free_type(const hxi_type_maker *m, MPI_Datatype *type)
{
    if (*type != m->element && *type != MPI_DATATYPE_NULL) {
        MPI_Type_free(type);
    }
}

static void drop_members(const hxi_type_maker *m, members *p)
{
    for (int i = 0; i < p->count; ++i) {
        free_type(m, &p->type[i]);
    }
    hxi_memory_free(p->at);
    hxi_memory_free(p->type);
    *p = (members){0};
}

static hx_status make_room(members *p)
{
    if (p->count < p->room) {
        return HX_OK;
    }
    if (p->room > INT_MAX / 2) {
        return hxi_fail(HX_ERR_LIMIT, "A datatype for files has more than %d members; MPI counts no more.",
                        p->room);
    }
    const int room = p->room > 0 ? 2 * p->room : 8;
    MPI_Aint *at = hxi_memory_grow(p->at, (size_t)p->count, (size_t)room, sizeof *at, purpose);
    if (!at) {
        return HX_ERR_MEMORY;
    }
    p->at = at;
    MPI_Datatype *type = hxi_memory_grow(p->type, (size_t)p->count, (size_t)room, sizeof *type, purpose);
    if (!type) {
        return HX_ERR_MEMORY;
    }
    p->type = type;
    p->room = room;
    return HX_OK;
}

/* Takes the type, also where it fails. */
static hx_status put(const hxi_type_maker *m, MPI_Aint at, MPI_Datatype type, members *out)
{
    const hx_status status = make_room(out);
    if (status != HX_OK) {
        free_type(m, &type);
        return status;
    }
    out->at[out->count] = at;
    out->type[out->count++] = type;
    return HX_OK;
}

/* All of them as one type, which takes what they are made of. */
static hx_status join(const hxi_type_maker *m, members *p, MPI_Datatype *type)
{
    *type = MPI_DATATYPE_NULL;
    int *lengths = hxi_memory_get((size_t)p->count, sizeof *lengths, purpose);
    hx_status status = lengths ? HX_OK : HX_ERR_MEMORY;
    for (int i = 0; lengths && i < p->count; ++i) {
        lengths[i] = 1;
    }
    if (lengths) {
        const int code = p->count > 0 ? MPI_Type_create_struct(p->count, lengths, p->at, p->type, type)
                                      : MPI_Type_contiguous(0, m->element, type);
        status = hxi_type_made(m, code, type);
    }
    hxi_memory_free(lengths);
    drop_members(m, p);
    return status;
}

hx_status hxi_type_repeat(const hxi_type_maker *m, ptrdiff_t n, MPI_Aint step, MPI_Datatype *type)
{
    MPI_Datatype more = MPI_DATATYPE_NULL;
    const int code = MPI_Type_create_hvector((int)n, 1, step, *type, &more);
    free_type(m, type);
    *type = more;
    return hxi_type_made(m, code, type);
}

hx_status hxi_type_of_box(const hxi_type_maker *maker, const hxi_typed_box *box, int axis, MPI_Datatype *type)
{
    *type = maker->element;
    hx_status status = HX_OK;
    for (int a = maker->axes - 1; a >= axis && status == HX_OK; --a) {
        status = box->n[a] != 1 ? hxi_type_repeat(maker, box->n[a], box->stride[a], type) : HX_OK;
    }
    return status;
}

/* ---- boxes in the order of the file -------------------------------------------------------------------- */

static hx_status add(const hxi_type_maker *m, const hxi_typed_box *box, int count, int axis, members *out);

static bool same_step(const hxi_typed_box *box, int count, int axis)
{
    bool same = true;
    for (int i = 1; i < count; ++i) {
        same = same && box[i].stride[axis] == box[0].stride[axis];
    }
    return same;
}

/* Boxes that reach equally far along an axis: the first of each, then the second, and so on. */
static hx_status add_in_turn(const hxi_type_maker *m, hxi_typed_box *box, int count, int axis, members *out)
{
    const ptrdiff_t n = box[0].n[axis];
    if (n > 1 && same_step(box, count, axis)) {
        members first = {0};
        MPI_Datatype type = MPI_DATATYPE_NULL;
        hx_status status = add(m, box, count, axis + 1, &first);
        if (status != HX_OK) {
            drop_members(m, &first);
            return status;
        }
        status = join(m, &first, &type);
        status = status == HX_OK ? hxi_type_repeat(m, n, box[0].stride[axis], &type) : status;
        return status == HX_OK ? put(m, 0, type, out) : status;
    }
    hx_status status = HX_OK;
    for (ptrdiff_t i = 0; i < n && status == HX_OK; ++i) {
        status = add(m, box, count, axis + 1, out);
        for (int b = 0; b < count; ++b) {
            box[b].at += box[b].stride[axis];
        }
    }
    return status;
}

static int compare_places(const void *left, const void *right)
{
    const ptrdiff_t *a = left;
    const ptrdiff_t *b = right;
    return (*a > *b) - (*a < *b);
}

/* Parts of boxes that lie from `from` to before `to` along an axis, where no box begins or ends. */
static int slab(const hxi_typed_box *box, int count, int axis, const ptrdiff_t range[2],
                hxi_typed_box *within)
{
    int found = 0;
    for (int b = 0; b < count; ++b) {
        if (box[b].first[axis] <= range[0] && box[b].first[axis] + box[b].n[axis] >= range[1]) {
            within[found] = box[b];
            within[found].at += (range[0] - box[b].first[axis]) * box[b].stride[axis];
            within[found].first[axis] = range[0];
            within[found++].n[axis] = range[1] - range[0];
        }
    }
    return found;
}

static hx_status add_slabs(const hxi_type_maker *m, const hxi_typed_box *box, int count, int axis,
                           members *out)
{
    ptrdiff_t *place = hxi_memory_get(2 * (size_t)count, sizeof *place, purpose);
    hxi_typed_box *within = hxi_memory_get((size_t)count, sizeof *within, purpose);
    hx_status status = place && within ? HX_OK : HX_ERR_MEMORY;
    for (int b = 0; status == HX_OK && b < count; ++b) {
        place[2 * b] = box[b].first[axis];
        place[2 * b + 1] = box[b].first[axis] + box[b].n[axis];
    }
    if (status == HX_OK) {
        qsort(place, 2 * (size_t)count, sizeof *place, compare_places);
    }
    for (int i = 0; status == HX_OK && i + 1 < 2 * count; ++i) {
        if (place[i] < place[i + 1]) {
            const int found = slab(box, count, axis, &place[i], within);
            status = found == 1  ? add(m, within, 1, axis, out)
                     : found > 1 ? add_in_turn(m, within, found, axis, out)
                                 : HX_OK;
        }
    }
    hxi_memory_free(place);
    hxi_memory_free(within);
    return status;
}

/*
 * What boxes have along an axis and those behind it; they have the same one place along those before.  The axis
 * is divided where boxes begin and end: one box becomes one member, and several take turns.
 */
static hx_status add(const hxi_type_maker *m, const hxi_typed_box *box, int count, int axis, members *out)
{
    if (count > 1 && axis < m->axes) {
        return add_slabs(m, box, count, axis, out);
    }
    hx_status status = HX_OK;
    for (int b = 0; b < count && status == HX_OK; ++b) {
        MPI_Datatype type = MPI_DATATYPE_NULL;
        status = hxi_type_of_box(m, &box[b], axis, &type);
        status = status == HX_OK ? put(m, box[b].at, type, out) : status;
    }
    return status;
}

hx_status hxi_type_of_boxes(const hxi_type_maker *maker, const hxi_typed_box *box, int count,
                            MPI_Datatype *type)
{
    members all = {0};
    const hx_status status = add(maker, box, count, 0, &all);
    if (status != HX_OK) {
        drop_members(maker, &all);
        return status;
    }
    return join(maker, &all, type);
}
