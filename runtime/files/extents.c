/*
 * Where fields lie in files: boxes for libraries that take start and count.
 */
#include "base/saturate.h"
#include "exchange/owner.h"
#include "files/files.h"
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

hx_status hxi_files_check_pass(const hx_handle *handle, int field, int pass, const char *what)
{
    const int passes = hxi_file_passes(handle->spec, field);
    return pass >= 0 && pass < passes
               ? HX_OK
               : hxi_fail(HX_ERR_ARGUMENT,
                          "Rank %d asked for %s of pass %d of field %s; it has %d, numbered from 0: see "
                          "%s_file_passes.",
                          handle->topology.rank, what, pass, handle->spec->field[field].name, passes,
                          handle->spec->name);
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
 * An array whose strides divide each other is a box of elements, from the fastest axis to the slowest.  Along
 * that it has what lies before the last point of the extent: nothing beyond is asked for.
 */
static void find_memory(hx_extent *extent)
{
    const int tiles = extent->axis[0] == HX_FILE_TILES;
    bool box = extent->memory_stride[extent->axes - 1] == 1;
    ptrdiff_t rest = extent->first;
    extent->memory_size[0] = 1; /* of tiles */
    for (int a = tiles; a < extent->axes; ++a) {
        const ptrdiff_t step = extent->memory_stride[a];
        const ptrdiff_t start = rest / step;
        const ptrdiff_t needed = start + (ptrdiff_t)extent->count[a];
        const ptrdiff_t size = a == tiles ? needed : extent->memory_stride[a - 1] / step;
        rest %= step;
        extent->memory_start[a] = (size_t)start;
        extent->memory_size[a] = (size_t)size;
        box = box && size >= needed && (a == tiles || extent->memory_stride[a - 1] % step == 0);
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
    find_memory(extent);
}

hx_status hx_extents(const hx_handle *handle, int field, int block, int pass, hx_extent *extent, int *count)
{
    static const char what[] = "the extents in a file";
    hx_status status = hxi_files_check(handle, field, count, what);
    status = status == HX_OK ? hxi_files_check_boxes(handle, what, "hx_file_type_of_ids") : status;
    if (status == HX_OK && pass != HX_ALL_PASSES) {
        status = hxi_files_check_pass(handle, field, pass, what);
    }
    if (status != HX_OK) {
        return status;
    }
    if (block < 0 || block >= handle->mine.blocks) {
        return hxi_fail(HX_ERR_ARGUMENT,
                        "Rank %d asked for %s of block %d; it has %d, numbered from 0 in the order of the "
                        "shapes.",
                        handle->topology.rank, what, block, handle->mine.blocks);
    }
    const hxi_file_request request = {handle->spec, &handle->layout, &handle->mine.block[block], field};
    hxi_file_box boxes[HX_FILE_BOXES] = {
        hxi_file_box_of(handle->spec, &handle->layout, request.block, field)};
    const int found = pass == HX_ALL_PASSES ? 1 : hxi_file_boxes_in_pass(&request, pass, boxes);
    if (extent && *count < found) {
        return hxi_fail(
            HX_ERR_ARGUMENT,
            "Rank %d asked for %s with room for %d; block %d has %d.  Ask for the count first, with NULL "
            "in place of the extents.",
            handle->topology.rank, what, *count, block, found);
    }
    *count = found;
    for (int i = 0; extent && i < found; ++i) {
        fill_in(handle, field, block, &boxes[i], &extent[i]);
    }
    return HX_OK;
}
