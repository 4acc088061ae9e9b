/*
 * Where fields lie in files: datatypes for MPI-IO.
 */
#include "base/memory.h"
#include "base/saturate.h"
#include "files/file_types.h"
#include "files/files.h"

#include <stdlib.h>
#include <string.h>

const char hxi_files_to_memory[] = "a datatype of points in memory";
const char hxi_files_to_file[] = "a datatype of points in a file";

static const hx_field *field_of(const hx_handle *h, int field)
{
    return &h->spec->field[field];
}

static size_t element_bytes(const hx_field *field)
{
    return (size_t)(field->size / hxi_block_elements(field));
}

/* Strides of an array without gaps, in bytes. */
static void dense(const hxi_file_array *array, size_t bytes, MPI_Aint stride[])
{
    MPI_Aint step = (MPI_Aint)bytes;
    for (int a = array->axes - 1; a >= 0; --a) {
        stride[a] = step;
        step *= array->size[a];
    }
}

/* Bytes of the arrays of all tiles before this one; of all tiles, if it is behind the last. */
static ptrdiff_t bytes_before(const hx_handle *h, int field, int tile)
{
    ptrdiff_t bytes = 0;
    for (int t = 0; t < tile; ++t) {
        const hxi_file_array array = hxi_file_array_of(h->spec, field, h->layout.tile[t].cells);
        const ptrdiff_t elements = hxi_file_array_elements(&array);
        bytes = hxi_plus(bytes, hxi_times(elements, (ptrdiff_t)element_bytes(field_of(h, field))));
    }
    return bytes;
}

/* ---- the arrays of an application ----------------------------------------------------------------------- */

/* The address of a field's array. */
hx_status hxi_files_address(const hx_handle *h, const void *fields, int block, int field, MPI_Aint *address)
{
    const void *array;
    const size_t place = (size_t)block * h->spec->fields_size + field_of(h, field)->pointer;
    memcpy(&array, (const char *)fields + place, sizeof array);
    if (!array) {
        return hxi_fail(HX_ERR_ARGUMENT,
                        "Rank %d asked for %s: the array of field %s of block %d is a null pointer.",
                        h->topology.rank, hxi_files_to_memory, field_of(h, field)->name, block);
    }
    const int code = MPI_Get_address(array, address);
    return code == MPI_SUCCESS ? HX_OK
                               : hxi_fail_mpi(code, "MPI_Get_address of field %s", field_of(h, field)->name);
}

hx_status hxi_files_check_fields(const hx_handle *h, const void *fields)
{
    return fields || h->mine.blocks == 0
               ? HX_OK
               : hxi_fail(HX_ERR_ARGUMENT,
                          "Rank %d asked for %s: the fields are a null pointer; give one %s_fields a block.",
                          h->topology.rank, hxi_files_to_memory, h->spec->name);
}

/* ---- boxes ---------------------------------------------------------------------------------------------- */

/* Of a block: axis 0 counts tiles.  Its places are left to the caller. */
static hxi_typed_box typed_box(const hx_handle *h, int block, const hxi_file_box *box, int axes)
{
    hxi_typed_box typed = {.first = {h->mine.block[block].tile}, .n = {1}};
    for (int a = 0; a < axes; ++a) {
        typed.first[a + 1] = box->first[a];
        typed.n[a + 1] = box->n[a];
    }
    return typed;
}

static void place_in_file(const hx_handle *h, int field, const hxi_file_box *box, hxi_typed_box *typed)
{
    const int tile = (int)typed->first[0];
    const hxi_file_array array = hxi_file_array_of(h->spec, field, h->layout.tile[tile].cells);
    dense(&array, element_bytes(field_of(h, field)), typed->stride + 1);
    typed->at = bytes_before(h, field, tile);
    for (int a = 0; a < array.axes; ++a) {
        typed->at += box->first[a] * typed->stride[a + 1];
    }
}

static void place_in_memory(const hx_handle *h, int field, const hxi_file_box *box, MPI_Aint array,
                            hxi_typed_box *typed)
{
    const MPI_Aint bytes = (MPI_Aint)element_bytes(field_of(h, field));
    typed->at = array + box->at * bytes;
    for (int a = 0; a + 1 < HX_FILE_AXES; ++a) {
        typed->stride[a + 1] = box->stride[a] * bytes;
    }
}

/* A pass of a field of all blocks; fields: NULL for its place in the file. */
typedef struct request {
    const hx_handle *handle;
    int field;
    int pass;
    const void *fields;
} request;

/* Boxes of all blocks. */
typedef struct typed_boxes {
    hxi_typed_box *box;
    int count;
    int room;
} typed_boxes;

static hx_status make_room(typed_boxes *all, int more)
{
    if (all->count + more <= all->room) {
        return HX_OK;
    }
    const int room = 2 * all->count + more;
    hxi_typed_box *box =
        hxi_memory_grow(all->box, (size_t)all->count, (size_t)room, sizeof *box, "a datatype for files");
    if (!box) {
        return HX_ERR_MEMORY;
    }
    all->box = box;
    all->room = room;
    return HX_OK;
}

static hx_status add_block(const request *r, int block, typed_boxes *all)
{
    const hx_handle *h = r->handle;
    const hxi_file_request asked = {h->spec, &h->layout, &h->mine.block[block], r->field};
    hxi_file_box boxes[HX_FILE_BOXES];
    const int count = hxi_file_boxes_in_pass(&asked, r->pass, boxes);
    MPI_Aint address = 0;
    hx_status status = r->fields ? hxi_files_address(h, r->fields, block, r->field, &address) : HX_OK;
    status = status == HX_OK ? make_room(all, count) : status;
    for (int i = 0; i < count && status == HX_OK; ++i) {
        hxi_typed_box *next = &all->box[all->count++];
        *next = typed_box(h, block, &boxes[i], h->spec->axes + (field_of(h, r->field)->components > 0));
        if (r->fields) {
            place_in_memory(h, r->field, &boxes[i], address, next);
        } else {
            place_in_file(h, r->field, &boxes[i], next);
        }
    }
    return status;
}

hx_status hxi_files_maker(const hx_handle *h, int field, hxi_type_maker *maker)
{
    const hx_field *f = field_of(h, field);
    const hx_status status = hxi_type_maker_open(f->name, f->type, element_bytes(f), maker);
    maker->axes = h->spec->axes + (f->components > 0);
    return status;
}

static hx_status make_type(const request *r, MPI_Datatype *type)
{
    const int blocks = r->handle->mine.blocks;
    hxi_type_maker maker;
    hx_status status = hxi_files_maker(r->handle, r->field, &maker);
    if (status != HX_OK) {
        return status;
    }
    maker.axes++; /* tiles */
    typed_boxes all = {NULL, 0, 0};
    for (int b = 0; b < blocks && status == HX_OK; ++b) {
        status = add_block(r, b, &all);
    }
    status = status == HX_OK ? hxi_type_of_boxes(&maker, all.box, all.count, type) : status;
    hxi_memory_free(all.box);
    hxi_type_maker_close(&maker);
    return status;
}

/* ---- what is given -------------------------------------------------------------------------------------- */

/* Takes the type; bytes: its extent, -1: its own. */
hx_status hxi_files_finish(const hx_handle *h, int field, ptrdiff_t bytes, MPI_Datatype *type)
{
    const hxi_type_maker maker = {.field = field_of(h, field)->name};
    if (bytes >= 0) {
        MPI_Datatype resized = MPI_DATATYPE_NULL;
        const int code = MPI_Type_create_resized(*type, 0, bytes, &resized);
        MPI_Type_free(type);
        *type = resized;
        const hx_status status = hxi_type_made(&maker, code, type);
        if (status != HX_OK) {
            return status;
        }
    }
    return hxi_type_made(&maker, MPI_Type_commit(type), type);
}

hx_status hxi_files_request(const hx_handle *h, int field, MPI_Datatype *type, const char *what)
{
    if (type) {
        *type = MPI_DATATYPE_NULL;
    }
    return hxi_files_check(h, field, type, what);
}

hx_status hx_memory_type(const hx_handle *handle, int field, int pass, const void *fields, MPI_Datatype *type)
{
    hx_status status = hxi_files_request(handle, field, type, hxi_files_to_memory);
    status = status == HX_OK ? hxi_files_check_boxes(handle, hxi_files_to_memory, "hx_memory_type_of_ids")
                             : status;
    status = status == HX_OK ? hxi_files_check_pass(handle, field, pass, hxi_files_to_memory) : status;
    status = status == HX_OK ? hxi_files_check_fields(handle, fields) : status;
    const request r = {handle, field, pass, fields};
    status = status == HX_OK ? make_type(&r, type) : status;
    return status == HX_OK ? hxi_files_finish(handle, field, -1, type) : status;
}

hx_status hxi_files_check_bytes(const hx_handle *h, int field, ptrdiff_t bytes)
{
    return bytes < PTRDIFF_MAX
               ? HX_OK
               : hxi_fail(HX_ERR_LIMIT,
                          "Field %s (%s:%d) has more bytes on the whole grid than MPI counts in a file, %td.",
                          field_of(h, field)->name, h->spec->file, field_of(h, field)->line, PTRDIFF_MAX);
}

hx_status hx_file_type(const hx_handle *handle, int field, int pass, MPI_Datatype *type)
{
    hx_status status = hxi_files_request(handle, field, type, hxi_files_to_file);
    status =
        status == HX_OK ? hxi_files_check_boxes(handle, hxi_files_to_file, "hx_file_type_of_ids") : status;
    status = status == HX_OK ? hxi_files_check_pass(handle, field, pass, hxi_files_to_file) : status;
    const ptrdiff_t bytes = status == HX_OK ? bytes_before(handle, field, handle->layout.tiles) : 0;
    status = status == HX_OK ? hxi_files_check_bytes(handle, field, bytes) : status;
    const request r = {handle, field, pass, NULL};
    status = status == HX_OK ? make_type(&r, type) : status;
    return status == HX_OK ? hxi_files_finish(handle, field, bytes, type) : status;
}
