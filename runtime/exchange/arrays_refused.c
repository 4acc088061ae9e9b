/*
 * The sentences of arrays that do not fit: what the array has, what the field needs, and the way out.
 */
#include "exchange/arrays.h"

#include "base/status.h"
#include "base/text.h"

#include <stdbool.h>

enum { PIECE = HX_SENTENCE / 4 };

/* " in block 2 (counted from 0)", where there are others. */
static const char *in_block(const hxi_asked *q, char buffer[PIECE])
{
    hxi_text text = {buffer, PIECE, 0};
    buffer[0] = '\0';
    if (q->block >= 0) {
        hxi_text_add(&text, " in block %d (counted from 0)", q->block);
    }
    return buffer;
}

/* "12 x 12 x 10" and "x, y, z", in the order of the spec's axes. */
static void add_extents(const hxi_asked *q, bool needed, hxi_text *text)
{
    for (int a = 0; a < q->spec->axes; ++a) {
        hxi_text_add(text, a == 0 ? "%td" : " x %td", needed ? hxi_asked_points(q, a) : q->array->extent[a]);
    }
}

static void add_axes(const hxi_asked *q, hxi_text *text)
{
    for (int a = 0; a < q->spec->axes; ++a) {
        hxi_text_add(text, a == 0 ? "%s" : ", %s", q->spec->axis[a]);
    }
}

/* "8 x 8 x 6 cells and 2 of halo on each side", or the layers of each axis where they differ. */
static void add_halo(const hxi_asked *q, hxi_text *text)
{
    const hx_field *f = q->field;
    const int *extra = q->spec->positions[f->positions].extra;
    bool same = true;
    bool cells = !q->spec->list;
    for (int a = 0; a < q->spec->axes; ++a) {
        same = same && f->halo_lo[a] == f->halo_lo[0] && f->halo_hi[a] == f->halo_lo[0];
        cells = cells && extra[a] == 0;
        hxi_text_add(text, a == 0 ? "%d" : " x %d", q->cells[a] + extra[a]);
    }
    hxi_text_add(text, cells ? " cells" : " points");
    if (same) {
        if (f->halo_lo[0] > 0) {
            hxi_text_add(text, " and %d of halo on each side", f->halo_lo[0]);
        }
        return;
    }
    for (int a = 0; a < q->spec->axes; ++a) {
        hxi_text_add(text, "%s%d below and %d above along %s", a == 0 ? ", and a halo of " : ", ",
                     f->halo_lo[a], f->halo_hi[a], q->spec->axis[a]);
    }
}

/* "axis x" and "its components", for steps. */
static const char *step_name(const hxi_asked *q, const hxi_array_step *s)
{
    return s->axis < 0 ? "from component to component" : q->spec->axis[s->axis];
}

static const char *along(const hxi_array_step *s)
{
    return s->axis < 0 ? "" : "along ";
}

hx_status hxi_array_refuse_null(const hxi_asked *q)
{
    char sizes[PIECE] = "";
    char block[PIECE];
    hxi_text text = {sizes, sizeof sizes, 0};
    if (!q->field->behind) {
        hxi_text_add(&text, " with ");
        add_extents(q, true, &text);
        hxi_text_add(&text, " elements along ");
        add_axes(q, &text);
        hxi_text_add(&text, ": ");
        add_halo(q, &text);
    }
    return hxi_fail(HX_ERR_ARGUMENT, "%s: %s is null or not allocated%s; give it an array%s (%s:%d).",
                    q->call, q->field->name, in_block(q, block), sizes, q->spec->file, q->field->line);
}

hx_status hxi_array_refuse_bytes(const hxi_asked *q)
{
    const hx_field *f = q->field;
    return hxi_fail(HX_ERR_ARGUMENT,
                    "%s: elements of %s have %zu bytes, the spec has %s (%s:%d), which has %d; give an array "
                    "of that type.",
                    q->call, f->name, q->array->bytes, f->type, q->spec->file, f->line,
                    f->size / hxi_block_elements(f));
}

/* "8 x 6 elements along x and y": what the array has. */
static void add_given(const hxi_asked *q, hxi_text *text)
{
    add_extents(q, false, text);
    hxi_text_add(text, " elements along ");
    add_axes(q, text);
}

hx_status hxi_array_refuse_address(const hxi_asked *q)
{
    const hx_field *f = q->field;
    char block[PIECE];
    return hxi_fail(HX_ERR_ARGUMENT,
                    "%s: %s starts at %p%s, which is no multiple of %d; %s (%s:%d) has to be aligned so.",
                    q->call, f->name, q->array->base, in_block(q, block), f->alignment, f->type,
                    q->spec->file, f->line);
}

hx_status hxi_array_refuse_components(const hxi_asked *q)
{
    const hx_field *f = q->field;
    const ptrdiff_t given = q->array->components;
    const int needed = hxi_asked_components(f);
    return hxi_fail(HX_ERR_ARGUMENT, "%s: %s has %td component%s, the spec has %d (%s:%d).", q->call, f->name,
                    given, hxi_s(given), needed, q->spec->file, f->line);
}

hx_status hxi_array_refuse_extents(const hxi_asked *q)
{
    char has[PIECE];
    char needs[PIECE];
    char block[PIECE];
    hxi_text have = {has, sizeof has, 0};
    hxi_text need = {needs, sizeof needs, 0};
    add_given(q, &have);
    add_extents(q, true, &need);
    hxi_text_add(&need, ": ");
    add_halo(q, &need);
    return hxi_fail(HX_ERR_ARGUMENT, "%s: %s has %s%s, it needs %s (%s:%d).", q->call, q->field->name, has,
                    in_block(q, block), needs, q->spec->file, q->field->line);
}

hx_status hxi_array_refuse_run(const hxi_asked *q, ptrdiff_t elements)
{
    const hx_field *f = q->field;
    const hx_strided_array *a = q->array;
    char block[PIECE];
    if (a->stride[0] != (ptrdiff_t)a->bytes) {
        return hxi_fail(
            HX_ERR_ARGUMENT,
            "%s: elements of %s are %td bytes apart%s; its ghost points lie behind the owned ones "
            "(%s:%d), so they have to lie side by side, %zu bytes apart.",
            q->call, f->name, a->stride[0], in_block(q, block), q->spec->file, f->line, a->bytes);
    }
    return hxi_fail(
        HX_ERR_ARGUMENT,
        "%s: %s has %td elements%s, it needs %td: those of %s_points, with the ghost points behind "
        "the owned ones (%s:%d).",
        q->call, f->name, a->extent[0], in_block(q, block), elements, q->spec->name, q->spec->file, f->line);
}

/* Has it more elements than the field needs? */
static bool is_larger(const hxi_asked *q)
{
    bool larger = false;
    for (int a = 0; a < q->spec->axes; ++a) {
        larger = larger || q->array->extent[a] > hxi_asked_points(q, a);
    }
    return larger;
}

/* A larger array is no mistake, where the shape knows of it. */
static hx_status refuse_larger(const hxi_asked *q, const hxi_array_step *wrong, ptrdiff_t bytes)
{
    const hx_field *f = q->field;
    char has[PIECE];
    char needs[PIECE];
    char block[PIECE];
    hxi_text have = {has, sizeof has, 0};
    hxi_text need = {needs, sizeof needs, 0};
    add_given(q, &have);
    add_extents(q, true, &need);
    return hxi_fail(HX_ERR_ARGUMENT,
                    "%s: %s has %s%s, more than the %s that it needs, so they are %td bytes apart %s%s, but "
                    "the shape has %td; give an array of that size, or make the shape of your arrays with "
                    "%s_shape_of (%s:%d).",
                    q->call, f->name, has, in_block(q, block), needs, wrong->bytes, along(wrong),
                    step_name(q, wrong), bytes, q->spec->name, q->spec->file, f->line);
}

hx_status hxi_array_refuse_step(const hxi_asked *q, const hxi_array_step *wrong, ptrdiff_t bytes)
{
    const hx_field *f = q->field;
    if (is_larger(q)) {
        return refuse_larger(q, wrong, bytes);
    }
    const bool fastest = wrong->axis == f->order[0] || (wrong->axis < 0 && f->components_after == 0);
    char block[PIECE];
    return hxi_fail(HX_ERR_ARGUMENT,
                    "%s: elements of %s are %td bytes apart %s%s%s, but the shape has %td; give the whole "
                    "array, %s (%s:%d).",
                    q->call, f->name, wrong->bytes, along(wrong), step_name(q, wrong), in_block(q, block),
                    bytes, fastest ? "in which they lie side by side" : "or put the strides into the shape",
                    q->spec->file, f->line);
}

hx_status hxi_array_refuse_side(const hxi_asked *q, const hxi_array_step *wrong, ptrdiff_t bytes)
{
    const hx_field *f = q->field;
    return hxi_fail(HX_ERR_ARGUMENT,
                    "%s: elements of %s are %td bytes apart %s%s; they have to lie side by side there, %td "
                    "bytes apart (%s:%d).  Give a whole array, or change order or components in the spec.",
                    q->call, f->name, wrong->bytes, along(wrong), step_name(q, wrong), bytes, q->spec->file,
                    f->line);
}

hx_status hxi_array_refuse_multiple(const hxi_asked *q, const hxi_array_step *wrong, ptrdiff_t bytes)
{
    const hx_field *f = q->field;
    return hxi_fail(
        HX_ERR_ARGUMENT,
        "%s: elements of %s are %td bytes apart %s%s, which is no multiple of %td, the bytes of a "
        "point (%s:%d).",
        q->call, f->name, wrong->bytes, along(wrong), step_name(q, wrong), bytes, q->spec->file, f->line);
}

hx_status hxi_array_refuse_overlap(const hxi_asked *q, const hxi_array_step *wrong, ptrdiff_t bytes)
{
    const hx_field *f = q->field;
    return hxi_fail(HX_ERR_ARGUMENT,
                    "%s: elements of %s are %td bytes apart %s%s; they have to be %td apart at least, since "
                    "so many hold what comes before in memory (%s:%d).  Give an array whose elements do not "
                    "overlap, and have higher addresses at higher indices.",
                    q->call, f->name, wrong->bytes, along(wrong), step_name(q, wrong), bytes, q->spec->file,
                    f->line);
}

hx_status hxi_array_refuse_fixed(const hxi_asked *q, const hxi_array_step *wrong, ptrdiff_t bytes)
{
    const hx_field *f = q->field;
    return hxi_fail(HX_ERR_ARGUMENT,
                    "%s: elements of %s are %td bytes apart along %s; the emitted code counts on %td, since "
                    "the spec fixes the cells of all faster axes (%s:%d).  padding = ... in the spec changes "
                    "it.",
                    q->call, f->name, wrong->bytes, q->spec->axis[wrong->axis], bytes, q->spec->file,
                    f->line);
}

/* ---- order --------------------------------------------------------------------------------------------- */

static void add_names(const hxi_asked *q, const hxi_array_step step[], int count, hxi_text *text)
{
    for (int i = 0; i < count; ++i) {
        hxi_text_add(text, "%s%s", i == 0 ? "" : ", ",
                     step[i].axis < 0 ? "components" : q->spec->axis[step[i].axis]);
    }
}

/* By rising strides. */
static void sort(hxi_array_step step[], int count)
{
    for (int i = 1; i < count; ++i) {
        const hxi_array_step moved = step[i];
        int to = i;
        for (; to > 0 && step[to - 1].bytes > moved.bytes; --to) {
            step[to] = step[to - 1];
        }
        step[to] = moved;
    }
}

hx_status hxi_array_check_order(const hxi_asked *q)
{
    hxi_array_step step[HX_ARRAY_STEPS];
    const int all = hxi_array_steps(q, step);
    int count = 0; /* of those that matter */
    bool rises = true;
    bool forward = true;
    for (int i = 0; i < all; ++i) {
        if (step[i].points > 1) {
            forward = forward && step[i].bytes > 0;
            rises = rises && (count == 0 || step[count - 1].bytes <= step[i].bytes);
            step[count++] = step[i];
        }
    }
    if (rises || !forward) {
        return HX_OK;
    }
    char has[PIECE];
    char needs[PIECE];
    hxi_text have = {has, sizeof has, 0};
    hxi_text need = {needs, sizeof needs, 0};
    add_names(q, step, count, &need);
    sort(step, count);
    add_names(q, step, count, &have);
    return hxi_fail(HX_ERR_ARGUMENT,
                    "%s: %s has another order in memory, the fastest first: %s; the spec has %s (%s:%d).  "
                    "Transpose the array, or say order = ... in the spec.",
                    q->call, q->field->name, has, needs, q->spec->file, q->field->line);
}
