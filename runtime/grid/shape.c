/*
 * Shapes of blocks: where the points of a field lie in its array.  These functions have no status, so what
 * does not fit ends at PTRDIFF_MAX, which create refuses in words.
 */
#include "base/saturate.h"
#include "grid/block.h"

#include <string.h>

/* Points along an axis that rows, planes and so on are made of. */
static ptrdiff_t allocated(const hx_spec *spec, const hx_field *field, const hx_part *part, int axis)
{
    const int n =
        spec->list && axis == 0 && part->n[0] == 0 ? 1 : part->n[axis]; /* strides for an empty array */
    const ptrdiff_t around = field->behind ? 0 : (ptrdiff_t)field->halo_lo[axis] + field->halo_hi[axis];
    return around + n + spec->positions[field->positions].extra[axis];
}

/* No cells along some axis: a part that hx_decompose did not fill. */
static int is_empty(const hx_spec *spec, const hx_part *part)
{
    int empty = 0;
    for (int axis = 0; axis < spec->axes; ++axis) {
        empty = empty || part->n[axis] < 1;
    }
    return empty;
}

/* Bytes that a pitch is no multiple of, where rows are to spread over a cache, and how far they are moved. */
enum { SAME_SETS = 512, CACHE_LINE = 64 };

static ptrdiff_t common_divisor(ptrdiff_t a, ptrdiff_t b)
{
    return b == 0 ? a : common_divisor(b, a % b);
}

/*
 * A step of at least so many points whose bytes are no multiple of SAME_SETS: lines that lie a multiple apart
 * fall into few sets of a cache, and a walk across rows or planes pushes out what it read.  What starts on a
 * line goes on to do so, if a line is a whole number of points.
 */
static ptrdiff_t spread(ptrdiff_t step, int size)
{
    const ptrdiff_t period = SAME_SETS / common_divisor(SAME_SETS, size); /* in points; 1: nothing helps */
    return period > 1 && step % period == 0 ? hxi_plus(step, (CACHE_LINE + size - 1) / size) : step;
}

/* Strides of one field, none of them smaller than dense; best: spread. */
static void lay_out(const hx_spec *spec, const hx_field *field, const hx_part *part, int best,
                    ptrdiff_t stride[], ptrdiff_t *apart)
{
    const int elements = hxi_block_elements(field);
    ptrdiff_t step = 1; /* in points */
    *apart = 0;
    for (int position = 0; position < spec->axes; ++position) {
        const int axis = field->order[position];
        stride[axis] = hxi_times(step, elements);
        step = hxi_times(step, hxi_plus(allocated(spec, field, part, axis), field->padding[axis]));
        /* What emitted code has as a literal is dense. */
        const int next = position + 1 < spec->axes ? field->order[position + 1] : -1;
        const int spreads = best && (next < 0 || field->fixed_stride[next] == 0);
        step = spreads ? spread(step, field->size) : step;
        if (field->components_after == position + 1) {
            *apart = step;
            step = hxi_times(step, field->components);
            step = spreads ? spread(step, field->size) : step;
        }
    }
}

static void lay_out_all(const hx_spec *spec, const hx_part *part, int best, ptrdiff_t *stride,
                        ptrdiff_t *apart)
{
    const size_t axes = (size_t)spec->axes;
    const int empty = is_empty(spec, part) && !(spec->list && part->n[0] == 0);
    for (int f = 0; f < spec->fields; ++f) {
        ptrdiff_t between = 0; /* from one component to the next */
        memset(stride + (size_t)f * axes, 0, axes * sizeof *stride);
        if (!empty) {
            lay_out(spec, &spec->field[f], part, best, stride + (size_t)f * axes, &between);
        }
        if (apart) {
            apart[f] = between;
        }
    }
}

void hx_dense_strides(const hx_spec *spec, const hx_part *part, ptrdiff_t *stride, ptrdiff_t *apart)
{
    lay_out_all(spec, part, 0, stride, apart);
}

void hx_best_strides(const hx_spec *spec, const hx_part *part, ptrdiff_t *stride, ptrdiff_t *apart)
{
    lay_out_all(spec, part, 1, stride, apart);
}

/* Of the owned points, and a halo around them: elements to the last one, and the spec's padding behind it. */
static ptrdiff_t end_of_box(const hx_spec *spec, const void *shape, int field)
{
    const hx_part *part = shape;
    const hx_field *f = &spec->field[field];
    const ptrdiff_t *stride =
        (const ptrdiff_t *)((const char *)shape + spec->shape_stride) + (ptrdiff_t)field * spec->axes;
    ptrdiff_t last = 0;
    for (int axis = 0; axis < spec->axes; ++axis) {
        last = hxi_plus(last, hxi_times(allocated(spec, f, part, axis) + f->padding[axis] - 1, stride[axis]));
    }
    if (f->components_after > 0) {
        const ptrdiff_t *apart = (const ptrdiff_t *)((const char *)shape + spec->shape_apart);
        last = hxi_plus(last, hxi_times(f->components - 1, apart[field]));
    }
    return hxi_plus(last, hxi_block_elements(f));
}

/* Is there such a field, in a part that has cells? */
static bool has_field(const hx_spec *spec, const hx_part *part, int field)
{
    return spec && spec->abi == HX_ABI && part && field >= 0 && field < spec->fields && !is_empty(spec, part);
}

static hxi_planes planes_of(const hx_spec *spec, const hx_part *part, int field)
{
    const hxi_sides sides = hxi_behind_sides(spec, part->index, part->partition.ranks);
    return (hxi_planes){spec, &spec->field[field], part->n, sides};
}

size_t hx_points(const hx_spec *spec, const void *shape, int field)
{
    if (!has_field(spec, shape, field)) {
        return 0;
    }
    const hx_field *f = &spec->field[field];
    const hxi_planes planes = planes_of(spec, shape, field);
    const ptrdiff_t behind = f->behind ? hxi_planes_points(&planes) : 0;
    return (size_t)hxi_plus(end_of_box(spec, shape, field), hxi_times(behind, hxi_block_elements(f)));
}

ptrdiff_t hx_plane(const hx_spec *spec, const void *shape, int field, int axis, int side)
{
    const bool there = has_field(spec, shape, field) && axis >= 0 && axis < spec->axes;
    if (!there || (side != HX_LOW && side != HX_HIGH) || !spec->field[field].behind) {
        return -1;
    }
    const hxi_planes planes = planes_of(spec, shape, field);
    const ptrdiff_t before = hxi_planes_before(&planes, axis, side);
    const int elements = hxi_block_elements(&spec->field[field]);
    return before < 0 ? -1 : hxi_plus(end_of_box(spec, shape, field), hxi_times(before, elements));
}
