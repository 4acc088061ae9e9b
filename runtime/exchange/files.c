/*
 * Where fields lie in files: boxes for libraries that take start and count.
 */
#include "exchange/files.h"
#include "base/saturate.h"
#include "exchange/owner.h"
#include "grid/file_box.h"

#include <string.h>

hx_status hxi_files_check(const hx_handle *handle, int field, const void *out, const char *what)
{
    if (!handle || !out) {
        return hxi_fail(HX_ERR_ARGUMENT, "Asked for %s, %s is a null pointer.", what,
                        handle ? "the place for the answer" : "the handle");
    }
    const hx_status status = hxi_owner_check(handle, what);
    if (status != HX_OK) {
        return status;
    }
    if (field < 0 || field >= handle->spec->fields) {
        return hxi_fail(HX_ERR_ARGUMENT, "Rank %d asked for %s of field %d; %s has %d, numbered from 0.",
                        handle->topology.rank, what, field, handle->spec->file, handle->spec->fields);
    }
    return HX_OK;
}

static hx_status check_access(const hx_handle *handle, hx_file_access access, const char *what)
{
    return access == HX_TO_FILE || access == HX_FROM_FILE
               ? HX_OK
               : hxi_fail(HX_ERR_ARGUMENT,
                          "Rank %d asked for %s with access %d; give HX_TO_FILE (%d) or HX_FROM_FILE (%d).",
                          handle->topology.rank, what, (int)access, (int)HX_TO_FILE, (int)HX_FROM_FILE);
}

hx_status hxi_files_check_boxes(const hx_handle *handle, const char *what, const char *instead)
{
    return handle->spec->list
               ? hxi_fail(HX_ERR_ARGUMENT,
                          "Rank %d asked for %s; the grid of %s is a list of points, whose places in a file "
                          "are their ids: call %s.",
                          handle->topology.rank, what, handle->spec->file, instead)
               : HX_OK;
}

int hx_file_passes(const hx_spec *spec, int field)
{
    const bool there = spec && spec->abi == HX_ABI && field >= 0 && field < spec->fields;
    return there ? hxi_file_passes(spec, field) : 0;
}

/*
 * An array whose strides divide each other is a box of elements, from the fastest axis to the slowest.  Its
 * slowest axis has what lies below the owned points and those themselves: nothing beyond is asked for.
 */
static void find_memory(const hx_spec *spec, int field, hx_extent *extent)
{
    const hx_field *f = &spec->field[field];
    bool box = extent->memory_stride[extent->axes - 1] == 1;
    for (int a = extent->axes - 1; a >= 0; --a) {
        const int axis = extent->axis[a];
        const ptrdiff_t below = axis >= 0 && !f->behind ? f->halo_lo[axis] : 0;
        const ptrdiff_t needed = below + (ptrdiff_t)extent->count[a];
        const bool outermost = a == 0 || extent->axis[a - 1] == HX_FILE_TILES;
        const ptrdiff_t size = axis == HX_FILE_TILES ? 1
                               : outermost           ? needed
                                           : extent->memory_stride[a - 1] / extent->memory_stride[a];
        extent->memory_start[a] = (size_t)below;
        extent->memory_size[a] = (size_t)size;
        box = box && size >= needed &&
              (outermost || axis == HX_FILE_TILES ||
               extent->memory_stride[a - 1] % extent->memory_stride[a] == 0);
    }
    if (!box) {
        memset(extent->memory_size, 0, sizeof extent->memory_size);
        memset(extent->memory_start, 0, sizeof extent->memory_start);
    }
}

static void fill_in(const hx_handle *h, int field, int block, const hxi_file_box *box, hx_extent *extent)
{
    const int tile = h->mine.block[block].tile;
    const hxi_file_array array = hxi_file_array_of(h->spec, field, h->layout.tile[tile].cells);
    const int tiles = h->layout.tiles > 1 && hxi_file_tiles_alike(&h->layout);
    memset(extent, 0, sizeof *extent);
    extent->tile = tile;
    extent->axes = array.axes + tiles;
    extent->first = box->at;
    if (tiles) {
        extent->axis[0] = HX_FILE_TILES;
        extent->size[0] = (size_t)h->layout.tiles;
        extent->start[0] = (size_t)tile;
        extent->count[0] = 1;
        extent->stride[0] = 1;
        extent->memory_stride[0] = hxi_times(box->stride[0], box->n[0]); /* no point lies there */
    }
    for (int a = 0; a < array.axes; ++a) {
        const int to = a + tiles;
        extent->axis[to] = array.axis[a];
        extent->size[to] = (size_t)array.size[a];
        extent->start[to] = (size_t)box->first[a];
        extent->count[to] = (size_t)box->n[a];
        extent->stride[to] = 1;
        extent->memory_stride[to] = box->stride[a];
    }
    find_memory(h->spec, field, extent);
}

hx_status hx_extents(const hx_handle *handle, int field, int block, hx_file_access access, hx_extent *extent,
                     int *count)
{
    static const char what[] = "the extents in a file";
    hx_status status = hxi_files_check(handle, field, count, what);
    status = status == HX_OK ? check_access(handle, access, what) : status;
    status = status == HX_OK ? hxi_files_check_boxes(handle, what, "hx_file_type_of_ids") : status;
    if (status != HX_OK) {
        return status;
    }
    if (block < 0 || block >= handle->mine.blocks) {
        return hxi_fail(HX_ERR_ARGUMENT,
                        "Rank %d asked for %s of block %d; it has %d, numbered from 0 in the order of the "
                        "shapes.",
                        handle->topology.rank, what, block, handle->mine.blocks);
    }
    if (extent && *count < 1) {
        return hxi_fail(HX_ERR_ARGUMENT, "Rank %d asked for %s with room for %d; there is 1 of block %d.",
                        handle->topology.rank, what, *count, block);
    }
    const hxi_block *mine = &handle->mine.block[block];
    const hxi_file_box box = access == HX_TO_FILE
                                 ? hxi_file_box_in_pass(handle->spec, &handle->layout, mine, field, 0)
                                 : hxi_file_box_of(handle->spec, &handle->layout, mine, field);
    *count = 1;
    if (extent) {
        fill_in(handle, field, block, &box, extent);
    }
    return HX_OK;
}
