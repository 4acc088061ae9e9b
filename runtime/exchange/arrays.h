/*
 * An array of any language, held against a field of a spec; and the sentences where it does not fit.
 */
#ifndef HX_ARRAYS_H
#define HX_ARRAYS_H

#include "grid/block.h"

typedef struct hxi_asked {
    const hx_spec *spec;
    const hx_field *field;
    const hx_strided_array *array;
    const int *cells; /* of the block */
    const char *call; /* what the user called; begins the sentence */
    int block;        /* -1: there is no other one */
} hxi_asked;

/* Points of a field along an axis, those of a halo around it included. */
static inline ptrdiff_t hxi_asked_points(const hxi_asked *q, int axis)
{
    const hx_field *f = q->field;
    const ptrdiff_t around = f->behind ? 0 : (ptrdiff_t)f->halo_lo[axis] + f->halo_hi[axis];
    return around + q->cells[axis] + q->spec->positions[f->positions].extra[axis];
}

static inline int hxi_asked_components(const hx_field *field)
{
    return field->components > 0 ? field->components : 1;
}

/* What one steps along to reach all elements: an axis, or the components. */
typedef struct hxi_array_step {
    int axis; /* -1: the components */
    ptrdiff_t points;
    ptrdiff_t bytes; /* from one to the next; of no meaning where there is one at most */
} hxi_array_step;

enum { HX_ARRAY_STEPS = HX_MAX_AXES + 1 };

/* The steps of an array, in the order in which the spec has them in memory, the fastest first; their number.
 * Components that lie side by side come first, single ones nowhere. */
int hxi_array_steps(const hxi_asked *q, hxi_array_step step[HX_ARRAY_STEPS]);

/* Each fails with a sentence. */
hx_status hxi_array_refuse_null(const hxi_asked *q);
hx_status hxi_array_refuse_bytes(const hxi_asked *q);
hx_status hxi_array_refuse_address(const hxi_asked *q);
hx_status hxi_array_refuse_components(const hxi_asked *q);
hx_status hxi_array_refuse_extents(const hxi_asked *q);
hx_status hxi_array_refuse_run(const hxi_asked *q, ptrdiff_t elements);

/* Of a step that is not as far as it has to be: the shape, or the spec has it otherwise. */
hx_status hxi_array_refuse_step(const hxi_asked *q, const hxi_array_step *wrong, ptrdiff_t bytes);

/* Of a shape that is to be made: steps that no shape can have. */
hx_status hxi_array_refuse_side(const hxi_asked *q, const hxi_array_step *wrong, ptrdiff_t bytes);
hx_status hxi_array_refuse_multiple(const hxi_asked *q, const hxi_array_step *wrong, ptrdiff_t bytes);
hx_status hxi_array_refuse_overlap(const hxi_asked *q, const hxi_array_step *wrong, ptrdiff_t bytes);
hx_status hxi_array_refuse_fixed(const hxi_asked *q, const hxi_array_step *wrong, ptrdiff_t bytes);

/* HX_OK where the steps rise as the spec says, and where one of them is no step forward, which is another mistake. */
hx_status hxi_array_check_order(const hxi_asked *q);

#endif
