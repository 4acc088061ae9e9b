/*
 * Shapes of blocks: where the points of a field lie in its array.  These functions have no status, so what
 * does not fit ends at PTRDIFF_MAX, which create refuses in words.
 */
#include <hx/abi.h>

static ptrdiff_t allocated(const hx_spec *spec, const hx_field *field, const hx_part *part, int axis)
{
    return (ptrdiff_t)field->halo_lo[axis] + part->n[axis] + spec->positions[field->positions].extra[axis] +
           field->halo_hi[axis];
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

/* Negative strides fit no array either. */
static ptrdiff_t times(ptrdiff_t a, ptrdiff_t b)
{
    return a < 0 || b < 0 || (a > 0 && b > PTRDIFF_MAX / a) ? PTRDIFF_MAX : a * b;
}

static ptrdiff_t plus(ptrdiff_t a, ptrdiff_t b)
{
    return b > PTRDIFF_MAX - a ? PTRDIFF_MAX : a + b;
}

void hx_dense_strides(const hx_spec *spec, const hx_part *part, ptrdiff_t *stride, ptrdiff_t *apart)
{
    const int empty = is_empty(spec, part);
    for (int f = 0; f < spec->fields; ++f) {
        const hx_field *field = &spec->field[f];
        ptrdiff_t step = empty ? 0 : 1;
        ptrdiff_t between = 0; /* from one component to the next */
        for (int position = 0; position < spec->axes; ++position) {
            const int axis = field->order[position];
            stride[f * spec->axes + axis] = step;
            step = times(step, empty ? 0 : plus(allocated(spec, field, part, axis), field->padding[axis]));
            if (field->place == position + 1) {
                between = step;
                step = times(step, field->components);
            }
        }
        if (apart) {
            apart[f] = between;
        }
    }
}

size_t hx_points(const hx_spec *spec, const void *shape, int field)
{
    const hx_part *part = shape;
    if (!part || field < 0 || field >= spec->fields || is_empty(spec, part)) {
        return 0;
    }
    const hx_field *f = &spec->field[field];
    const ptrdiff_t *stride =
        (const ptrdiff_t *)((const char *)shape + spec->shape_stride) + (ptrdiff_t)field * spec->axes;
    ptrdiff_t last = 0;
    for (int axis = 0; axis < spec->axes; ++axis) {
        last = plus(last, times(allocated(spec, f, part, axis) - 1, stride[axis]));
    }
    if (f->place > 0) {
        const ptrdiff_t *apart = (const ptrdiff_t *)((const char *)shape + spec->shape_apart);
        last = plus(last, times(f->components - 1, apart[field]));
    }
    const int elements = f->components > 0 && f->place == 0 ? f->components : 1; /* of a point */
    return (size_t)times(plus(last, 1), elements);
}
