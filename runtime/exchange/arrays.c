/*
 * Arrays of any language: may one serve a field of a block, and which shape do those of a block have?
 */
#include "exchange/arrays.h"

#include "base/saturate.h"
#include "base/status.h"
#include "exchange/handle.h"
#include "exchange/owner.h"

#include <string.h>

/* A rank may have no points of a list; its arrays are whatever they are. */
static inline bool is_empty(const hxi_asked *q)
{
    return q->spec->list && q->cells[0] == 0;
}

/* All but the strides. */
static hx_status check_size(const hxi_asked *q)
{
    const hx_field *f = q->field;
    const hx_strided_array *a = q->array;
    if (!a->base) {
        return hxi_array_refuse_null(q);
    }
    if (a->bytes != (size_t)(f->size / hxi_block_elements(f))) {
        return hxi_array_refuse_bytes(q);
    }
    if ((uintptr_t)a->base % (uintptr_t)f->alignment != 0) {
        return hxi_array_refuse_address(q);
    }
    if (f->behind) {
        return HX_OK;
    }
    if (a->components != hxi_asked_components(f)) {
        return hxi_array_refuse_components(q);
    }
    for (int axis = 0; axis < q->spec->axes; ++axis) {
        if (a->extent[axis] < hxi_asked_points(q, axis)) {
            return hxi_array_refuse_extents(q);
        }
    }
    return HX_OK;
}

/* Ghost points behind the owned ones: the array is one run of so many elements. */
static hx_status check_run(const hxi_asked *q, ptrdiff_t elements)
{
    const hx_strided_array *a = q->array;
    return a->extent[0] >= elements && a->stride[0] == (ptrdiff_t)a->bytes
               ? HX_OK
               : hxi_array_refuse_run(q, elements);
}

/* ---- against a handle ---------------------------------------------------------------------------------- */

/* The step of the first axis that differs from the shape, or of the components. */
static hx_status refuse_stride(const hxi_asked *q, int axis, ptrdiff_t bytes)
{
    const hxi_array_step wrong = {axis, 0, axis < 0 ? q->array->component_stride : q->array->stride[axis]};
    const hx_status status = hxi_array_check_order(q);
    return status == HX_OK ? hxi_array_refuse_step(q, &wrong, bytes) : status;
}

/* stride, apart: of the shape, in points. */
static hx_status check_strides(const hxi_asked *q, const ptrdiff_t stride[], ptrdiff_t apart)
{
    const hx_field *f = q->field;
    const hx_strided_array *a = q->array;
    const ptrdiff_t between = f->components_after > 0 ? apart * f->size : (ptrdiff_t)a->bytes;
    if (a->components > 1 && a->component_stride != between) {
        return refuse_stride(q, -1, between);
    }
    for (int axis = 0; axis < q->spec->axes; ++axis) {
        const ptrdiff_t bytes = stride[axis] * f->size;
        if (a->stride[axis] != bytes && hxi_asked_points(q, axis) > 1) {
            return refuse_stride(q, axis, bytes);
        }
    }
    return HX_OK;
}

/* What is asked about is there. */
static hx_status check_numbers(const hx_handle *handle, const char *call, int block, int field,
                               const hx_strided_array *array)
{
    if (!handle || !array || !call) {
        return hxi_fail(HX_ERR_ARGUMENT, "%s: the %s is a null pointer; give one%s.",
                        call ? call : "hx_check_array",
                        !handle  ? "handle"
                        : !array ? "array"
                                 : "name of the call",
                        handle ? "" : " that create made");
    }
    const bool is_field = field >= 0 && field < handle->spec->fields;
    return hxi_fail(HX_ERR_ARGUMENT, "%s: there is no %s %d; the handle has %d on rank %d, counted from 0.",
                    call, is_field ? "block" : "field", is_field ? block : field,
                    is_field ? handle->mine.blocks : handle->spec->fields, handle->topology.rank);
}

hx_status hx_check_array(const hx_handle *handle, const char *call, int block, int field,
                         const hx_strided_array *array)
{
    const hx_status owned = hxi_owner_check(handle, "check an array");
    if (owned != HX_OK) {
        return owned;
    }
    if (!handle || !call || !array || block < 0 || block >= handle->mine.blocks || field < 0 ||
        field >= handle->spec->fields) {
        return check_numbers(handle, call, block, field, array);
    }
    const hx_spec *spec = handle->spec;
    const hxi_block *b = &handle->mine.block[block];
    const hxi_asked q = {
        spec, &spec->field[field], array, b->cells, call, handle->mine.blocks > 1 ? block : -1};
    if (is_empty(&q)) {
        return HX_OK;
    }
    const hx_status status = check_size(&q);
    if (status != HX_OK) {
        return status;
    }
    return q.field->behind ? check_run(&q, (ptrdiff_t)(hxi_block_allocated(spec, b, field) / array->bytes))
                           : check_strides(&q, b->stride + (size_t)field * HX_MAX_AXES, b->apart[field]);
}

/* ---- for a shape --------------------------------------------------------------------------------------- */

int hxi_array_steps(const hxi_asked *q, hxi_array_step step[HX_ARRAY_STEPS])
{
    const hx_field *f = q->field;
    const hxi_array_step components = {-1, hxi_asked_components(f), q->array->component_stride};
    int count = 0;
    for (int i = 0; i <= q->spec->axes; ++i) {
        if (f->components_after == i && components.points > 1) {
            step[count++] = components;
        }
        if (i < q->spec->axes) {
            const int axis = f->order[i];
            step[count++] = (hxi_array_step){axis, hxi_asked_points(q, axis), q->array->stride[axis]};
        }
    }
    return count;
}

/* May a shape have this step, where what comes before takes so many bytes? */
static hx_status check_step(const hxi_asked *q, const hxi_array_step *s, ptrdiff_t least)
{
    const hx_field *f = q->field;
    const bool within = s->axis < 0 && f->components_after == 0; /* a point */
    const ptrdiff_t unit = within ? (ptrdiff_t)q->array->bytes : f->size;
    const ptrdiff_t fixed = s->axis < 0 ? 0 : f->fixed_stride[s->axis] * (ptrdiff_t)q->array->bytes;
    if ((within || s->axis == f->order[0]) && s->bytes != unit) {
        return hxi_array_refuse_side(q, s, unit);
    }
    if (s->bytes < least) {
        return hxi_array_refuse_overlap(q, s, least);
    }
    if (s->bytes % unit != 0) {
        return hxi_array_refuse_multiple(q, s, unit);
    }
    return fixed == 0 || fixed == s->bytes ? HX_OK : hxi_array_refuse_fixed(q, s, fixed);
}

/* The strides of one field, in elements, from its array; dense ones where an axis has one point. */
static hx_status take_strides(const hxi_asked *q, ptrdiff_t stride[], ptrdiff_t *apart)
{
    hx_status status = hxi_array_check_order(q);
    hxi_array_step step[HX_ARRAY_STEPS];
    const int count = hxi_array_steps(q, step);
    const ptrdiff_t bytes = (ptrdiff_t)q->array->bytes;
    ptrdiff_t least = bytes;
    for (int i = 0; i < count && status == HX_OK; ++i) {
        hxi_array_step *s = &step[i];
        if (s->points > 1) {
            status = check_step(q, s, least);
        } else {
            const ptrdiff_t fixed = q->field->fixed_stride[s->axis] * bytes;
            s->bytes = fixed > 0 ? fixed : least;
        }
        if (s->axis >= 0) {
            stride[s->axis] = s->bytes / bytes;
        } else if (apart && q->field->components_after > 0) {
            *apart = s->bytes / bytes;
        }
        least = hxi_times(s->bytes, s->points);
    }
    return status;
}

static hx_status shape_field(const hxi_asked *q, int field, void *shape)
{
    const hx_spec *spec = q->spec;
    char *at = shape;
    ptrdiff_t *stride = (ptrdiff_t *)(void *)(at + spec->shape_stride) + (ptrdiff_t)field * spec->axes;
    ptrdiff_t *apart = spec->shape_apart > 0 ? (ptrdiff_t *)(void *)(at + spec->shape_apart) + field : NULL;
    if (!q->array->base || is_empty(q)) {
        return HX_OK;
    }
    const hx_status status = check_size(q);
    if (status != HX_OK) {
        return status;
    }
    return q->field->behind ? check_run(q, (ptrdiff_t)hx_points(spec, shape, field))
                            : take_strides(q, stride, apart);
}

static hx_status check_part(const hx_spec *spec, const char *call, const hx_part *part)
{
    for (int a = 0; a < spec->axes; ++a) {
        if (part->n[a] < (spec->list && a == 0 ? 0 : 1)) {
            return hxi_fail(HX_ERR_PARTITION,
                            "%s: the part has %d cell%s along %s; fill it with %s, and look at what that "
                            "returns.",
                            call, part->n[a], hxi_s(part->n[a]), spec->axis[a],
                            spec->list ? "its points" : "hx_decompose or hx_part_of");
        }
    }
    return HX_OK;
}

static hx_status shape_fields(const hx_spec *spec, const hx_strided_array *arrays, void *shape)
{
    char call[HX_CALL];
    const hx_part *part = shape;
    hx_status status = check_part(spec, hxi_call(spec, NULL, "shape_of", call), part);
    for (int f = 0; f < spec->fields && status == HX_OK; ++f) {
        const hxi_asked q = {spec, &spec->field[f], &arrays[f], part->n, call, -1};
        status = shape_field(&q, f, shape);
    }
    return status;
}

hx_status hx_shape_of_arrays(const hx_spec *spec, const hx_part *part, const hx_strided_array *arrays,
                             void *shape)
{
    const hx_status status = hx_spec_shape(spec, arrays ? part : NULL, shape);
    if (status != HX_OK) {
        return status;
    }
    const hx_status fits = shape_fields(spec, arrays, shape);
    if (fits != HX_OK) {
        memset(shape, 0, spec->shape_size);
    }
    return fits;
}
