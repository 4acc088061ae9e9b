#include "grid/block.h"

#include "base/memory.h"
#include "base/status.h"
#include "base/text.h"

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

int hxi_block_elements(const hx_field *field)
{
    return field->components > 0 && field->components_after == 0 ? field->components : 1;
}

/* Points of a field along an axis, those of a halo around it included. */
static int64_t extent(const hx_spec *spec, const hx_field *field, const hxi_block *block, int axis)
{
    const int64_t around = field->behind ? 0 : (int64_t)field->halo_lo[axis] + field->halo_hi[axis];
    return around + block->cells[axis] + spec->positions[field->positions].extra[axis];
}

static hxi_planes planes_of(const hx_spec *spec, const hxi_block *block, int field)
{
    return (hxi_planes){spec, &spec->field[field], block->cells, block->sides};
}

/* Of a rank without points of a list: its arrays are empty, and strides as if it had one. */
static bool is_empty(const hx_spec *spec, const hxi_block *block)
{
    return spec->list && block->cells[0] == 0;
}

/*
 * What one steps along to reach all of a field's elements, from the fastest to the slowest in memory: the
 * axes of the grid, and between them the components where they lie apart.
 */
typedef struct step {
    int axis; /* -1: the components */
    int64_t points;
    int64_t allocated; /* those of the spec's padding, too */
    ptrdiff_t stride;
} step;

enum { STEPS = HX_MAX_AXES + 1 };

static int list_steps(const hx_spec *spec, const hx_field *field, const hxi_block *block,
                      const ptrdiff_t stride[], ptrdiff_t apart, step steps[STEPS])
{
    int count = 0;
    for (int i = 0; i < spec->axes; ++i) {
        const int axis = field->order[i];
        const int64_t points = axis == 0 && is_empty(spec, block) ? 1 : extent(spec, field, block, axis);
        steps[count++] = (step){axis, points, points + field->padding[axis], stride[axis]};
        if (field->components_after == i + 1) {
            steps[count++] = (step){-1, field->components, field->components, apart};
        }
    }
    return count;
}

/* For sentences: "axis x" or "its components", and "points along axis x" or "components". */
static const char *step_kind(const step *s)
{
    return s->axis < 0 ? "its components" : "axis ";
}

static const char *step_points(const step *s)
{
    return s->axis < 0 ? "components" : "points along axis ";
}

static const char *step_axis(const hx_spec *spec, const step *s)
{
    return s->axis < 0 ? "" : spec->axis[s->axis];
}

/* The stride along the fastest axis is that of dense rows. */
static hx_status refuse_fastest(const hx_spec *spec, const hx_field *field, const hxi_block *block,
                                const step *s)
{
    const int elements = hxi_block_elements(field);
    char components[HX_SENTENCE / 4] = "";
    hxi_text text = {components, sizeof components, 0};
    if (elements > 1) {
        hxi_text_add(&text, ", whose %d components lie side by side", elements);
    }
    return hxi_fail(
        HX_ERR_ARGUMENT,
        "%s is the fastest axis of field %s (%s:%d)%s, so its stride in block %d must be %d, not %td%s; "
        "%s_shape_dense sets the strides, and order = ... in the spec changes the memory order.",
        step_axis(spec, s), field->name, spec->file, field->line, components, block->number, elements,
        s->stride, elements > 1 ? ": strides count elements, not points" : "", spec->name);
}

/* The components of a point stay together. */
static hx_status refuse_part(const hx_spec *spec, const hx_field *field, const hxi_block *block,
                             const step *s)
{
    return hxi_fail(
        HX_ERR_ARGUMENT,
        "Field %s (%s:%d) of block %d has a stride of %td along %s%s; strides count elements, and "
        "it must be a multiple of %d, since so many components lie side by side.  "
        "%s_shape_dense sets the strides.",
        field->name, spec->file, field->line, block->number, s->stride, step_kind(s), step_axis(spec, s),
        hxi_block_elements(field), spec->name);
}

/* A stride is too small for what comes before it in memory. */
static hx_status refuse_stride(const hx_spec *spec, const hx_field *field, const hxi_block *block,
                               const step *steps, int wrong)
{
    const step *s = &steps[wrong];
    if (wrong == 0) {
        return refuse_fastest(spec, field, block, s);
    }
    const step *faster = &steps[wrong - 1];
    return hxi_fail(HX_ERR_ARGUMENT,
                    "Field %s (%s:%d) of block %d has a stride of %td along %s%s; it must be at least "
                    "%lld, since %lld "
                    "%s%s, a stride of %td apart, come first in memory.  %s_shape_dense sets "
                    "the strides.",
                    field->name, spec->file, field->line, block->number, s->stride, step_kind(s),
                    step_axis(spec, s), (long long)(faster->points * faster->stride),
                    (long long)faster->points, step_points(faster), step_axis(spec, faster), faster->stride,
                    spec->name);
}

/* Emitted code has some strides as literals, and does not look at those of the shape. */
static hx_status check_fixed(const hx_spec *spec, const hx_field *field, const hxi_block *block,
                             const ptrdiff_t stride[])
{
    for (int a = 0; a < spec->axes; ++a) {
        if (field->fixed_stride[a] != 0 && stride[a] != field->fixed_stride[a]) {
            return hxi_fail(
                HX_ERR_ARGUMENT,
                "Field %s (%s:%d) of block %d has a stride of %td along axis %s; the emitted code "
                "counts on %td, since the spec fixes the cells of all faster axes.  "
                "%s_shape_dense sets the strides, and padding = ... in the spec changes this one.",
                field->name, spec->file, field->line, block->number, stride[a], spec->axis[a],
                field->fixed_stride[a], spec->name);
        }
    }
    return HX_OK;
}

/* What lies behind the last owned point fits in memory, too. */
static hx_status check_planes(const hx_spec *spec, const hx_field *field, const hxi_block *block,
                              ptrdiff_t last)
{
    const hxi_planes planes = planes_of(spec, block, (int)(field - spec->field));
    const ptrdiff_t points = field->behind ? hxi_planes_points(&planes) : 0;
    const int elements = hxi_block_elements(field);
    if (points > (PTRDIFF_MAX / (field->size / elements) - last - 1) / elements) {
        return hxi_fail(HX_ERR_LIMIT,
                        "Field %s (%s:%d) of block %d has %td ghost points behind %td elements; that is "
                        "more memory than a pointer can reach.",
                        field->name, spec->file, field->line, block->number, points, last + 1);
    }
    return HX_OK;
}

/* Do the strides of a field, in elements, reach all of them, each at a place of its own? */
static hx_status check_strides(const hx_spec *spec, const hx_field *field, const hxi_block *block,
                               const ptrdiff_t stride[], ptrdiff_t apart)
{
    step steps[STEPS];
    const int count = list_steps(spec, field, block, stride, apart, steps);
    const int elements = hxi_block_elements(field);
    const ptrdiff_t most = PTRDIFF_MAX / (field->size / elements);
    ptrdiff_t least = elements;
    ptrdiff_t last = elements - 1;
    for (int i = 0; i < count; ++i) {
        const step *s = &steps[i];
        if (i == 0 ? s->stride != elements : s->stride < least) {
            return refuse_stride(spec, field, block, steps, i);
        }
        if (s->stride % elements != 0) {
            return refuse_part(spec, field, block, s);
        }
        if (s->points > INT_MAX || s->stride > (most - last - 1) / s->allocated) {
            return hxi_fail(
                HX_ERR_LIMIT,
                "Field %s (%s:%d) of block %d has %lld %s%s, a stride of %td apart; that is more memory "
                "than a pointer can reach.",
                field->name, spec->file, field->line, block->number, (long long)s->points, step_points(s),
                step_axis(spec, s), s->stride);
        }
        last += (ptrdiff_t)(s->allocated - 1) * s->stride;
        least = s->stride * (ptrdiff_t)s->points;
    }
    return check_planes(spec, field, block, last);
}

/* Is the part that a shape starts with a block of the partition, and this rank's? */
static hx_status check_part(const hx_spec *spec, const hxi_layout *layout, int rank, const hx_part *part)
{
    if (part->partition.axes == 0) {
        return hxi_fail(HX_ERR_PARTITION,
                        "Rank %d gave a shape whose part is empty; fill shape.part with hx_decompose and "
                        "%s_shape_dense.",
                        rank, spec->name);
    }
    if (part->tile < 0 || part->tile >= layout->tiles) {
        return hxi_fail(HX_ERR_PARTITION, "A shape is of tile %d; %s has %d tile%s, numbered from 0.",
                        part->tile, spec->file, layout->tiles, hxi_s(layout->tiles));
    }
    const hxi_tile *tile = &layout->tile[part->tile];
    for (int a = 0; a < spec->axes; ++a) {
        if (part->index[a] < 0 || part->index[a] >= tile->parts[a]) {
            return hxi_fail(
                HX_ERR_PARTITION,
                "A shape is of part %d along axis %s; the partition has %d part%s there, numbered "
                "from 0.",
                part->index[a], spec->axis[a], tile->parts[a], hxi_s(tile->parts[a]));
        }
        const int first = hxi_tile_cut(tile, a, part->index[a]);
        const int n = hxi_tile_cut(tile, a, part->index[a] + 1) - first;
        if (part->first[a] != first || part->n[a] != n) {
            return hxi_fail(
                HX_ERR_PARTITION,
                "A shape has %d cell%s from cell %d along axis %s; part %d of the partition has %d from cell "
                "%d.  Make shapes from the parts of the partition given.",
                part->n[a], hxi_s(part->n[a]), part->first[a], spec->axis[a], part->index[a], n, first);
        }
    }
    const int block = hxi_layout_block(layout, part->tile, part->index);
    const int owner = hxi_layout_owner(layout, part->tile, block);
    if (owner == HX_NO_OWNER) {
        return hxi_fail(
            HX_ERR_PARTITION,
            "Rank %d gave the shape of block %d of tile %d, which has no owner (%d).  Each rank gives the "
            "shapes of the blocks it owns.",
            rank, block, part->tile, owner);
    }
    if (owner != rank) {
        return hxi_fail(
            HX_ERR_PARTITION,
            "Rank %d gave the shape of block %d of tile %d, which belongs to rank %d.  Each rank gives the "
            "shapes of the blocks it owns.",
            rank, block, part->tile, owner);
    }
    return HX_OK;
}

hx_status hxi_block_check_listed(const hx_spec *spec, int rank, const hx_part *part)
{
    if (part->tile != 0) {
        return hxi_fail(
            HX_ERR_PARTITION,
            "Rank %d gave a shape of tile %d; a list of points has none but tile 0.  Make its part "
            "with %s_part.",
            rank, part->tile, spec->name);
    }
    for (int a = 0; a < spec->axes; ++a) {
        const int least = a == 0 ? 0 : 1;
        if (part->n[a] < least) {
            return hxi_fail(
                HX_ERR_PARTITION,
                "Rank %d gave a shape of %d points along axis %s; there are %d or more.  Give that "
                "many to %s_part.",
                rank, part->n[a], spec->axis[a], least, spec->name);
        }
        if (spec->cells[a] != 0 && spec->cells[a] != part->n[a]) {
            return hxi_fail(HX_ERR_PARTITION,
                            "%s fixes %d point%s along axis %s; rank %d gave a shape of %d.  Make its part "
                            "with %s_part.",
                            spec->file, spec->cells[a], hxi_s(spec->cells[a]), spec->axis[a], rank,
                            part->n[a], spec->name);
        }
    }
    return HX_OK;
}

/* NAME_points and NAME_plane know no more than the part that a shape starts with. */
static hx_status check_sides(const hx_spec *spec, const hx_part *part, const hxi_block *block)
{
    bool any = false;
    for (int f = 0; f < spec->fields; ++f) {
        any = any || spec->field[f].behind;
    }
    if (any && hxi_behind_sides(spec, part->index, part->partition.ranks) != block->sides) {
        return hxi_fail(HX_ERR_PARTITION,
                        "The part in the shape of block %d has other neighbors than the block has in the "
                        "partition given to create.  Make shapes from the parts of that partition: room for "
                        "ghost points behind owned ones depends on the neighbors.",
                        block->number);
    }
    return HX_OK;
}

static hx_status take_shape(const hx_spec *spec, const hxi_layout *layout, int rank, const void *shape,
                            hxi_block *block)
{
    hx_part part;
    memcpy(&part, shape, sizeof part);
    hx_status status = spec->list ? HX_OK : check_part(spec, layout, rank, &part);
    if (status != HX_OK) {
        return status;
    }
    block->tile = spec->list ? 0 : part.tile;
    block->number = spec->list ? rank : hxi_layout_block(layout, part.tile, part.index);
    for (int a = 0; a < HX_MAX_AXES; ++a) {
        block->cells[a] = a < spec->axes ? part.n[a] : 1;
    }
    if (!spec->list) {
        block->sides = hxi_behind_sides(spec, part.index, layout->tile[block->tile].parts);
        status = check_sides(spec, &part, block);
    }
    const char *strides = (const char *)shape + spec->shape_stride;
    const char *apart = (const char *)shape + spec->shape_apart;
    const size_t row = (size_t)spec->axes * sizeof(ptrdiff_t);
    for (int f = 0; f < spec->fields && status == HX_OK; ++f) {
        const hx_field *field = &spec->field[f];
        ptrdiff_t *stride = block->stride + (size_t)f * HX_MAX_AXES;
        memcpy(stride, strides + (size_t)f * row, row);
        if (field->components_after > 0) {
            memcpy(&block->apart[f], apart + (size_t)f * sizeof *block->apart, sizeof *block->apart);
        }
        status = check_fixed(spec, field, block, stride);
        if (status == HX_OK) {
            status = check_strides(spec, field, block, stride, block->apart[f]);
        }
        for (int a = 0; a < spec->axes; ++a) {
            stride[a] /= hxi_block_elements(field);
        }
    }
    return status;
}

static int compare_keys(const hxi_block *block, int tile, int number)
{
    if (block->tile != tile) {
        return block->tile < tile ? -1 : 1;
    }
    return (block->number > number) - (block->number < number);
}

/* Where in the sorted list a block is, or belongs. */
static int position(const hxi_block_list *list, int count, int tile, int number)
{
    int low = 0;
    int high = count;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (compare_keys(&list->block[list->sorted[middle]], tile, number) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static hx_status sort_in(hxi_block_list *list, int number, int rank)
{
    const hxi_block *block = &list->block[number];
    const int at = position(list, number, block->tile, block->number);
    if (at < number && compare_keys(&list->block[list->sorted[at]], block->tile, block->number) == 0) {
        return hxi_fail(HX_ERR_PARTITION,
                        "Rank %d gave two shapes, numbers %d and %d, of block %d of tile %d; give one.", rank,
                        list->sorted[at], number, block->number, block->tile);
    }
    memmove(&list->sorted[at + 1], &list->sorted[at], (size_t)(number - at) * sizeof list->sorted[0]);
    list->sorted[at] = number;
    return HX_OK;
}

/* As many shapes as blocks, as far as that is known: no shape is read that the rank did not give. */
static hx_status check_count(const hxi_layout *layout, int rank, int count)
{
    if (count < 0) {
        return hxi_fail(HX_ERR_ARGUMENT,
                        "Rank %d gave shapes for %d blocks; give one for each block, 0 or more.", rank,
                        count);
    }
    const int owned = hxi_layout_owned(layout, rank);
    if (owned >= 0 && count != owned) {
        return hxi_fail(
            HX_ERR_PARTITION,
            "Rank %d gave shapes for %d block%s and owns %d%s.  Each rank gives the shapes of all "
            "blocks it owns.",
            rank, count, hxi_s(count), owned,
            layout->owners.blocks > 0 ? " by hx_blocks.owners" : ": without owners, one block a rank");
    }
    if (count > layout->blocks) {
        return hxi_fail(
            HX_ERR_PARTITION,
            "Rank %d gave shapes for %d blocks; the partition has %d block%s.  Each rank gives the "
            "shapes of the blocks it owns.",
            rank, count, layout->blocks, hxi_s(layout->blocks));
    }
    return HX_OK;
}

hx_status hxi_blocks_make(const hx_spec *spec, const hxi_layout *layout, int rank, int count,
                          const void *shapes, hxi_block_list *list)
{
    *list = (hxi_block_list){0};
    const hx_status counted = check_count(layout, rank, count);
    if (counted != HX_OK) {
        return counted;
    }
    const size_t strides = (size_t)spec->fields * HX_MAX_AXES;
    list->block = hxi_memory_get((size_t)count, sizeof *list->block, "the blocks of this rank");
    list->sorted = hxi_memory_get((size_t)count, sizeof *list->sorted, "the blocks of this rank");
    list->stride =
        hxi_memory_get((size_t)count * strides, sizeof *list->stride, "the strides of this rank's fields");
    list->apart = hxi_memory_get((size_t)count * (size_t)spec->fields, sizeof *list->apart,
                                 "the strides of this rank's fields");
    if (!list->block || !list->sorted || !list->stride || !list->apart) {
        return HX_ERR_MEMORY;
    }
    for (int b = 0; b < count; ++b) {
        list->block[b].stride = list->stride + (size_t)b * strides;
        list->block[b].apart = list->apart + (size_t)b * (size_t)spec->fields;
        hx_status status = take_shape(spec, layout, rank, (const char *)shapes + (size_t)b * spec->shape_size,
                                      &list->block[b]);
        if (status == HX_OK) {
            status = sort_in(list, b, rank);
        }
        if (status != HX_OK) {
            return status;
        }
    }
    list->blocks = count;
    return HX_OK;
}

void hxi_blocks_free(hxi_block_list *list)
{
    hxi_memory_free(list->block);
    hxi_memory_free(list->sorted);
    hxi_memory_free(list->stride);
    hxi_memory_free(list->apart);
    *list = (hxi_block_list){0};
}

/* Points from the first to the last of the owned ones, and of a halo around them; padded: with the spec's
 * padding behind the last one. */
static size_t points_of_box(const hx_spec *spec, const hxi_block *block, int field, bool padded)
{
    step steps[STEPS];
    const ptrdiff_t *stride = block->stride + (size_t)field * HX_MAX_AXES;
    const int count = list_steps(spec, &spec->field[field], block, stride, block->apart[field], steps);
    size_t last = 0; /* check_strides knows that the array has an end */
    for (int i = 0; i < count; ++i) {
        last += (size_t)((padded ? steps[i].allocated : steps[i].points) - 1) * (size_t)steps[i].stride;
    }
    return last + 1;
}

static size_t bytes_of(const hx_spec *spec, const hxi_block *block, int field, bool padded)
{
    const hx_field *f = &spec->field[field];
    const hxi_planes planes = planes_of(spec, block, field);
    const size_t behind = f->behind ? (size_t)hxi_planes_points(&planes) : 0;
    if (is_empty(spec, block)) {
        return 0;
    }
    return (points_of_box(spec, block, field, padded || behind > 0) + behind) * (size_t)f->size;
}

size_t hxi_block_bytes(const hx_spec *spec, const hxi_block *block, int field)
{
    return bytes_of(spec, block, field, false);
}

size_t hxi_block_allocated(const hx_spec *spec, const hxi_block *block, int field)
{
    return bytes_of(spec, block, field, true);
}

int hxi_blocks_find(const hxi_block_list *list, int tile, int number)
{
    const int at = position(list, list->blocks, tile, number);
    const bool found = at < list->blocks && compare_keys(&list->block[list->sorted[at]], tile, number) == 0;
    return found ? list->sorted[at] : -1;
}

/* Where a point of a field lies in its array, and the strides of those that lie with it: owned points and
 * a halo around them, or a plane of ghost points behind. */
static ptrdiff_t find_point(const hx_spec *spec, const hxi_block *block, int field, const int point[],
                            ptrdiff_t stride[])
{
    const hx_field *f = &spec->field[field];
    const hxi_planes planes = planes_of(spec, block, field);
    int axis = 0;
    int side = 0;
    if (f->behind && hxi_planes_side(&planes, point, &axis, &side)) {
        return (ptrdiff_t)points_of_box(spec, block, field, true) + hxi_planes_before(&planes, axis, side) +
               hxi_planes_within(&planes, axis, side, point, stride);
    }
    ptrdiff_t at = 0;
    for (int a = 0; a < spec->axes; ++a) {
        stride[a] = block->stride[(size_t)field * HX_MAX_AXES + (size_t)a];
        at += (point[a] + (f->behind ? 0 : f->halo_lo[a])) * stride[a];
    }
    return at;
}

hx_region hxi_block_region(const hx_spec *spec, const hxi_block *block, int field, int component,
                           const hxi_subbox *points)
{
    ptrdiff_t stride[HX_MAX_AXES];
    hx_region region = {.at = find_point(spec, block, field, points->first, stride)};
    region.at += component > 0 ? component * block->apart[field] : 0;
    for (int a = 0; a < HX_MAX_AXES; ++a) {
        region.n[a] = points->n[a];
        if (a < spec->axes) {
            const int axis = points->axis ? points->axis[a] : a;
            region.stride[axis] = (points->turn ? points->turn[a] : 1) * stride[a];
        }
    }
    return region;
}

bool hxi_block_is_run(const hx_spec *spec, int field, const hx_region *region)
{
    ptrdiff_t points = 1;
    for (int i = 0; i < spec->axes; ++i) {
        const int axis = spec->field[field].order[i];
        if (region->n[axis] > 1 && region->stride[axis] != points) {
            return false;
        }
        points *= region->n[axis];
    }
    return true;
}
