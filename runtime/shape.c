/*
 * Shapes of blocks: where the points of a field lie in its array.
 */
#include <hx/abi.h>

static ptrdiff_t allocated(const hx_spec *spec, const hx_field *field, const hx_part *part, int axis)
{
    return (ptrdiff_t)field->halo_lo[axis] + part->n[axis] + spec->positions[field->positions].extra[axis] +
           field->halo_hi[axis];
}

void hx_dense_strides(const hx_spec *spec, const hx_part *part, ptrdiff_t *stride)
{
    for (int f = 0; f < spec->fields; ++f) {
        const hx_field *field = &spec->field[f];
        ptrdiff_t step = 1;
        for (int position = 0; position < spec->axes; ++position) {
            const int axis = field->order[position];
            stride[f * spec->axes + axis] = step;
            step *= allocated(spec, field, part, axis);
        }
    }
}

size_t hx_points(const hx_spec *spec, const void *shape, int field)
{
    if (field < 0 || field >= spec->fields) {
        return 0;
    }
    const hx_part *part = shape;
    const ptrdiff_t *stride =
        (const ptrdiff_t *)((const char *)shape + spec->shape_stride) + (ptrdiff_t)field * spec->axes;
    ptrdiff_t last = 0;
    for (int axis = 0; axis < spec->axes; ++axis) {
        last += (allocated(spec, &spec->field[field], part, axis) - 1) * stride[axis];
    }
    return (size_t)last + 1;
}
