/*
 * Where fields lie in files: datatypes for lists of points, whose ids are their places there.
 */
#include "base/memory.h"
#include "base/saturate.h"
#include "files/files.h"

#include <stdlib.h>

/* A point of this rank, and its id, which says where it lies in the file. */
typedef struct filed_point {
    int64_t id;
    int point;
} filed_point;

typedef struct filed_points {
    filed_point *at; /* by rising id */
    int count;
} filed_points;

static int compare_ids(const void *left, const void *right)
{
    const filed_point *a = left;
    const filed_point *b = right;
    return (a->id > b->id) - (a->id < b->id);
}

static hx_status check_ids(const hx_handle *h, const hx_ids *ids, const char *what)
{
    if (!h->spec->list) {
        return hxi_fail(HX_ERR_ARGUMENT,
                        "Rank %d asked for %s by ids; the grid of %s has boxes: call the function without "
                        "\"_of_ids\".",
                        h->topology.rank, what, h->spec->file);
    }
    if (!ids || (ids->points > 0 && !ids->id)) {
        return hxi_fail(HX_ERR_ARGUMENT, "Rank %d asked for %s: the ids are a null pointer.",
                        h->topology.rank, what);
    }
    const int points = h->mine.block[0].cells[0];
    return ids->points == points
               ? HX_OK
               : hxi_fail(HX_ERR_ARGUMENT,
                          "Rank %d asked for %s with ids of %d points; its shape has %d.  Give as many.",
                          h->topology.rank, what, ids->points, points);
}

static bool takes_part(const hx_ids *ids, int point)
{
    const bool owned = ids->owns ? ids->owns[point] != 0 : point < ids->owned;
    return owned && ids->id[point] >= 0;
}

static hx_status check_order(const hx_handle *h, const filed_points *all, int64_t points)
{
    for (int i = 1; i < all->count; ++i) {
        if (all->at[i].id == all->at[i - 1].id) {
            return hxi_fail(HX_ERR_ARGUMENT,
                            "On rank %d points %d and %d both have id %lld, one place in the file; leave one "
                            "out with id -1.",
                            h->topology.rank, all->at[i - 1].point, all->at[i].point,
                            (long long)all->at[i].id);
        }
    }
    const filed_point *last = all->count > 0 ? &all->at[all->count - 1] : NULL;
    return !last || last->id < points
               ? HX_OK
               : hxi_fail(HX_ERR_ARGUMENT,
                          "On rank %d point %d has id %lld; the file has %lld points, numbered from 0.",
                          h->topology.rank, last->point, (long long)last->id, (long long)points);
}

/* points: in the file. */
static hx_status sort(const hx_handle *h, const hx_ids *ids, int64_t points, filed_points *all)
{
    all->count = 0;
    all->at = hxi_memory_get((size_t)ids->points, sizeof *all->at, "the places of points in a file");
    if (!all->at) {
        return HX_ERR_MEMORY;
    }
    for (int i = 0; i < ids->points; ++i) {
        if (takes_part(ids, i)) {
            all->at[all->count++] = (filed_point){ids->id[i], i};
        }
    }
    if (all->count > 0) {
        qsort(all->at, (size_t)all->count, sizeof *all->at, compare_ids);
    }
    return check_order(h, all, points);
}

/* Which axis of a box counts the points of the list? */
static int axis_of_points(const hxi_file_array *array)
{
    int axis = 0;
    while (array->axis[axis] != 0) {
        ++axis;
    }
    return axis;
}

/* The points of a list, each with what lies behind it, and that as often as axes before say; takes inner. */
static hx_status join(const hxi_type_maker *maker, const filed_points *all, const MPI_Aint at[],
                      MPI_Datatype inner, MPI_Datatype *type)
{
    const int code = MPI_Type_create_hindexed_block(all->count, 1, at, inner, type);
    if (inner != maker->element) {
        MPI_Type_free(&inner);
    }
    return hxi_type_made(maker, code, type);
}

/* The steps of the box along its axes are those of memory, or those of the file. */
static hx_status make_type(const hxi_type_maker *maker, const hxi_typed_box *box, int axis,
                           const filed_points *all, bool in_file, MPI_Datatype *type)
{
    MPI_Aint *at = hxi_memory_get((size_t)all->count, sizeof *at, "the places of points in a file");
    if (!at) {
        return HX_ERR_MEMORY;
    }
    for (int i = 0; i < all->count; ++i) {
        const MPI_Aint number = in_file ? (MPI_Aint)all->at[i].id : all->at[i].point;
        at[i] = box->at + number * box->stride[axis];
    }
    MPI_Datatype inner = MPI_DATATYPE_NULL;
    hx_status status = hxi_type_of_box(maker, box, axis + 1, &inner);
    status = status == HX_OK ? join(maker, all, at, inner, type) : status;
    hxi_memory_free(at);
    for (int a = axis - 1; a >= 0 && status == HX_OK; --a) {
        status = hxi_type_repeat(maker, box->n[a], box->stride[a], type);
    }
    return status;
}

/* Steps of an array without gaps that has so many points, in bytes; its bytes are returned. */
static ptrdiff_t dense(const hxi_file_array *array, int axis, int64_t points, size_t bytes, MPI_Aint stride[])
{
    ptrdiff_t step = (ptrdiff_t)bytes;
    for (int a = array->axes - 1; a >= 0; --a) {
        stride[a] = step;
        step = hxi_times(step, a == axis ? (ptrdiff_t)points : array->size[a]);
    }
    return step;
}

/* Of the only block. */
static hxi_typed_box box_of(const hx_handle *h, int field, MPI_Aint bytes)
{
    const hxi_file_box box = hxi_file_box_of(h->spec, &h->layout, &h->mine.block[0], field);
    hxi_typed_box typed = {.at = box.at * bytes};
    for (int a = 0; a < HX_FILE_AXES; ++a) {
        typed.n[a] = box.n[a];
        typed.stride[a] = box.stride[a] * bytes;
    }
    return typed;
}

static MPI_Aint element_bytes(const hx_field *field)
{
    return field->size / hxi_block_elements(field);
}

hx_status hx_memory_type_of_ids(const hx_handle *handle, int field, const hx_ids *ids, const void *fields,
                                MPI_Datatype *type)
{
    hx_status status = hxi_files_request(handle, field, type, hxi_files_to_memory);
    status = status == HX_OK ? check_ids(handle, ids, hxi_files_to_memory) : status;
    status = status == HX_OK ? hxi_files_check_fields(handle, fields) : status;
    MPI_Aint address = 0;
    status = status == HX_OK ? hxi_files_address(handle, fields, 0, field, &address) : status;
    if (status != HX_OK) {
        return status;
    }
    const hx_spec *spec = handle->spec;
    const hxi_file_array array = hxi_file_array_of(spec, field, handle->mine.block[0].cells);
    hxi_typed_box box = box_of(handle, field, element_bytes(&spec->field[field]));
    box.at += address;
    hxi_type_maker maker = {0};
    filed_points all = {0};
    status = sort(handle, ids, INT64_MAX, &all);
    status = status == HX_OK ? hxi_files_maker(handle, field, &maker) : status;
    if (status == HX_OK) {
        status = make_type(&maker, &box, axis_of_points(&array), &all, false, type);
        hxi_type_maker_close(&maker);
    }
    hxi_memory_free(all.at);
    return status == HX_OK ? hxi_files_finish(handle, field, -1, type) : status;
}

hx_status hx_file_type_of_ids(const hx_handle *handle, int field, const hx_ids *ids, int64_t points,
                              MPI_Datatype *type)
{
    hx_status status = hxi_files_request(handle, field, type, hxi_files_to_file);
    status = status == HX_OK ? check_ids(handle, ids, hxi_files_to_file) : status;
    if (status != HX_OK) {
        return status;
    }
    const hx_spec *spec = handle->spec;
    const hxi_file_array array = hxi_file_array_of(spec, field, handle->mine.block[0].cells);
    const MPI_Aint bytes = element_bytes(&spec->field[field]);
    const int axis = axis_of_points(&array);
    hxi_typed_box box = box_of(handle, field, bytes);
    box.at = 0;
    const ptrdiff_t all_bytes = dense(&array, axis, points, (size_t)bytes, box.stride);
    filed_points all = {0};
    hxi_type_maker maker = {0};
    status = hxi_files_check_bytes(handle, field, all_bytes);
    status = status == HX_OK ? sort(handle, ids, points, &all) : status;
    status = status == HX_OK ? hxi_files_maker(handle, field, &maker) : status;
    if (status == HX_OK) {
        status = make_type(&maker, &box, axis, &all, true, type);
        hxi_type_maker_close(&maker);
    }
    hxi_memory_free(all.at);
    return status == HX_OK ? hxi_files_finish(handle, field, all_bytes, type) : status;
}
