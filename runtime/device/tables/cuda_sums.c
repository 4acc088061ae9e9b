/*
 * Exchanges that add, as sums of device kernels.
 *
 * Points of an array to which the same segments contribute make a sum: a box of them, and what is added to
 * each point, in the order of the layout.  So every point has one thread, which adds in the same order as on
 * the host, and no two threads meet.
 */
#include "device/tables/cuda_list.h"

#include "base/memory.h"
#include "base/status.h"

#include <stdlib.h>

/* What a segment, or one of its components that lie apart, adds to an array of this rank. */
typedef struct contribution {
    const hxi_segment *segment;
    int part;
    int slot;
    int component; /* of those that lie apart */
    hxi_box box;   /* of the points that are added to, counted in their block */
} contribution;

typedef struct cutter {
    hxi_cuda_maker *maker;
    const contribution *all; /* what is added to one array */
    int number;              /* of the numbers of a point */
    int *which;              /* contributions, those of a box of each axis behind those of the axes before */
    int *cut;                /* where some begin or end */
    int *base;
    int room; /* contributions; of cuts twice as many */
} cutter;

static const char purpose[] = "the sums of an exchange";

/* ---- contributions ------------------------------------------------------------------------------------- */

static hxi_box owned_box(const hxi_segment *s)
{
    hxi_box box;
    for (int a = 0; a < HX_MAX_AXES; ++a) {
        const int axis = s->link.axis[a];
        const int last =
            s->link.source_first[a] + s->link.turn[a] * (s->link.hi[axis] - s->link.lo[axis] - 1);
        box.lo[a] = s->link.turn[a] > 0 ? s->link.source_first[a] : last;
        box.hi[a] = (s->link.turn[a] > 0 ? last : s->link.source_first[a]) + 1;
    }
    return box;
}

/* By array, then in the order of the layout, whoever sends. */
static int compare_contributions(const void *left, const void *right)
{
    const contribution *a = left;
    const contribution *b = right;
    if (a->slot != b->slot) {
        return a->slot < b->slot ? -1 : 1;
    }
    if (a->component != b->component) {
        return a->component < b->component ? -1 : 1;
    }
    return hxi_segments_compare(a->segment, b->segment);
}

static int list_contributions(const hxi_work *work, contribution *list)
{
    int count = 0;
    for (int i = 0; i < work->segments->count; ++i) {
        const hxi_segment *s = &work->segments->segment[i];
        const int parts = s->kind == HX_SENT ? 0 : hxi_segment_parts(work->spec, s);
        for (int part = 0; part < parts; ++part) {
            if (list) {
                list[count] = (contribution){s, part, hxi_work_end_slot(work, s, HX_FROM),
                                             hxi_segment_component(work->spec, s, part), owned_box(s)};
            }
            ++count;
        }
    }
    return count;
}

/* ---- one sum ------------------------------------------------------------------------------------------- */

/* Bytes of a component that travels by itself, or of a point. */
static int element_bytes(const hx_field *field, const hxi_segment *s)
{
    return s->picks && field->components_after == 0 ? field->size / field->components : field->size;
}

/* Where the number of a point lies in what travels of it; -1: it does not. */
static int64_t number_at(const cutter *c, const contribution *from)
{
    const hx_field *field = &c->maker->work->spec->field[from->segment->link.field];
    const int bytes = c->maker->kernels->field[from->segment->link.field].number;
    const int element = element_bytes(field, from->segment);
    if (element == field->size) {
        return (int64_t)c->number * bytes;
    }
    for (int p = 0; p < from->segment->picks->count; ++p) {
        if (from->segment->picks->component[p] == c->number * bytes / element) {
            return (int64_t)p * element + c->number * bytes % element;
        }
    }
    return -1;
}

/* What adds to a box of owned points: ghost points of this rank, or of a message. */
static hx_status set_term(const cutter *c, const contribution *from, const hxi_box *box, const int order[],
                          int base, hx_cuda_term *term)
{
    const hxi_work *work = c->maker->work;
    const hxi_segment *s = from->segment;
    const hx_link *l = &s->link;
    const hx_field *field = &work->spec->field[l->field];
    const int bytes = c->maker->kernels->field[l->field].number;
    const bool within = s->kind == HX_WITHIN;
    const int size = within ? bytes : hxi_cuda_bytes_in_message(hxi_cuda_wired_of(c->maker, s), bytes);
    const hx_region ghost = within ? hxi_work_end(work, s, HX_TO, from->component) : (hx_region){0};
    int64_t dense[HX_MAX_AXES];
    hxi_cuda_dense_steps(c->maker, s, dense);
    int64_t at = within ? (int64_t)ghost.at * field->size + (int64_t)c->number * bytes
                        : (int64_t)hxi_segment_part_offset(work->spec, s, from->part) +
                              number_at(c, from) / bytes * size;
    int64_t step[HX_CUDA_STEPS] = {0};
    int64_t n[HX_CUDA_STEPS] = {1, 1, 1, 1};
    for (int i = 0; i < work->spec->axes; ++i) {
        const int a = order[i];
        const int axis = l->axis[a];
        const int64_t along = within ? (int64_t)ghost.stride[axis] * field->size : dense[axis];
        const int first = l->turn[a] * (box->lo[a] - l->source_first[a]); /* ghost points before it */
        at += first * along;
        step[i] = l->turn[a] * along;
        n[i] = box->hi[a] - box->lo[a];
    }
    *term = (hx_cuda_term){
        .from_at = at / size, .sign = (int16_t)l->sign, .narrowed = !within, .from = (uint16_t)base};
    return hxi_cuda_set_steps(step, n, size, term->from_step) ? HX_OK
                                                              : hxi_cuda_refuse(c->maker, s->link.field);
}

static hx_status set_sum(const cutter *c, const contribution *first, const hxi_box *box, const int order[],
                         hx_cuda_sum *sum)
{
    const hxi_work *work = c->maker->work;
    const hxi_segment *s = first->segment;
    const hx_field *field = &work->spec->field[s->link.source_field];
    const hx_cuda_field *numbers = &c->maker->kernels->field[s->link.source_field];
    int points[HX_MAX_AXES];
    int64_t step[HX_CUDA_STEPS] = {0};
    int64_t n[HX_CUDA_STEPS] = {1, 1, 1, 1};
    for (int a = 0; a < HX_MAX_AXES; ++a) {
        points[a] = box->hi[a] - box->lo[a];
    }
    const hx_region to = hxi_block_region(work->spec, &work->mine->block[s->from], s->link.source_field,
                                          first->component, &(hxi_subbox){box->lo, points, NULL, NULL});
    for (int i = 0; i < work->spec->axes; ++i) {
        step[i] = (int64_t)to.stride[order[i]] * field->size;
        n[i] = points[order[i]];
    }
    const hx_cuda_wired *wired = hxi_cuda_wired_of(c->maker, s);
    const int kind = wired ? wired->sum : hxi_cuda_kind_of_sum(c->maker, s->link.source_field);
    if (kind < 0) {
        return hxi_cuda_lacks(c->maker, s->link.source_field);
    }
    sum->kind = (uint32_t)kind;
    sum->to_at = (int64_t)to.at * field->size / numbers->number + c->number;
    return hxi_cuda_set_rows(&n[1], n[0], &sum->at) &&
                   hxi_cuda_set_steps(step, n, numbers->number, sum->to_step)
               ? HX_OK
               : hxi_cuda_refuse(c->maker, s->link.field);
}

/* The contributions to a box of points, all of it. */
static hx_status add_sum(cutter *c, const hxi_box *box, const int *which, int count)
{
    hxi_cuda_maker *m = c->maker;
    const contribution *first = &c->all[which[0]];
    const int *order = m->work->spec->field[first->segment->link.source_field].order;
    const uint64_t block = (uint64_t)HX_CUDA_THREADS * HX_CUDA_LOADS;
    c->base[0] = hxi_cuda_array(m, first->segment, HX_FROM);
    for (int t = 0; t < count; ++t) {
        const hxi_segment *s = c->all[which[t]].segment;
        c->base[t + 1] = s->kind == HX_WITHIN ? hxi_cuda_array(m, s, HX_TO) : hxi_cuda_message(m, s);
    }
    hx_status status = HX_OK;
    hx_cuda_term *term = hxi_cuda_new_terms(m, count, &status);
    hx_cuda_sum *sum =
        term ? hxi_cuda_new_sum(m, (hxi_box_volume(box) + block - 1) / block, c->base, count + 1, &status)
             : NULL;
    if (!sum) {
        return status;
    }
    sum->terms = (uint32_t)count;
    sum->first_term = (uint32_t)(m->list->terms - count);
    status = set_sum(c, first, box, order, sum);
    for (int t = 0; t < count && status == HX_OK; ++t) {
        status = set_term(c, &c->all[which[t]], box, order, c->base[t + 1], &term[t]);
    }
    return status;
}

/* ---- boxes to which the same contributions go ---------------------------------------------------------- */

static int compare_ints(const void *left, const void *right)
{
    const int a = *(const int *)left;
    const int b = *(const int *)right;
    return (a > b) - (a < b);
}

/* Where contributions begin and end along an axis, each place once. */
static int find_cuts(const cutter *c, int axis, const int *which, int count, int *cut)
{
    for (int i = 0; i < count; ++i) {
        cut[2 * i] = c->all[which[i]].box.lo[axis];
        cut[2 * i + 1] = c->all[which[i]].box.hi[axis];
    }
    qsort(cut, 2 * (size_t)count, sizeof *cut, compare_ints);
    int cuts = 1;
    for (int i = 1; i < 2 * count; ++i) {
        if (cut[i] != cut[cuts - 1]) {
            cut[cuts++] = cut[i];
        }
    }
    return cuts;
}

/* Cuts a box, whose extent along axes before this one is known, where contributions begin and end. */
static hx_status cut_axis(cutter *c, int axis, hxi_box *box, const int *which, int count)
{
    if (axis == HX_MAX_AXES) {
        return add_sum(c, box, which, count);
    }
    int *cut = c->cut + (size_t)axis * 2 * (size_t)c->room;
    int *inside = c->which + (size_t)(axis + 1) * (size_t)c->room;
    const int cuts = find_cuts(c, axis, which, count, cut);
    hx_status status = HX_OK;
    for (int i = 0; i + 1 < cuts && status == HX_OK; ++i) {
        box->lo[axis] = cut[i];
        box->hi[axis] = cut[i + 1];
        int found = 0;
        for (int k = 0; k < count; ++k) {
            const hxi_box *other = &c->all[which[k]].box;
            if (other->lo[axis] <= cut[i] && cut[i + 1] <= other->hi[axis]) {
                inside[found++] = which[k];
            }
        }
        status = found > 0 ? cut_axis(c, axis + 1, box, inside, found) : HX_OK;
    }
    return status;
}

/* All that is added to one array, number by number of its points. */
static hx_status add_array(cutter *c, int count)
{
    const hxi_segment *s = c->all[0].segment;
    const int numbers =
        c->maker->work->spec->field[s->link.field].size / c->maker->kernels->field[s->link.field].number;
    hx_status status = HX_OK;
    for (c->number = 0; c->number < numbers && status == HX_OK; ++c->number) {
        int found = 0;
        for (int i = 0; i < count; ++i) {
            if (number_at(c, &c->all[i]) >= 0) {
                c->which[found++] = i;
            }
        }
        hxi_box box;
        status = found > 0 ? cut_axis(c, 0, &box, c->which, found) : HX_OK;
    }
    return status;
}

static hx_status add_arrays(cutter *c, contribution *list, int count)
{
    hx_status status = HX_OK;
    for (int i = 0; i < count && status == HX_OK;) {
        int end = i + 1;
        while (end < count && list[end].slot == list[i].slot && list[end].component == list[i].component) {
            ++end;
        }
        c->all = &list[i];
        status = add_array(c, end - i);
        i = end;
    }
    return status;
}

hx_status hxi_cuda_add_sums(hxi_cuda_maker *maker)
{
    const int count = list_contributions(maker->work, NULL);
    const size_t room = (size_t)count;
    contribution *list = hxi_memory_get(room, sizeof *list, purpose);
    cutter c = {.maker = maker, .room = count};
    c.which = hxi_memory_get(room * (HX_MAX_AXES + 1), sizeof *c.which, purpose);
    c.cut = hxi_memory_get(2 * room * HX_MAX_AXES, sizeof *c.cut, purpose);
    c.base = hxi_memory_get(room + 1, sizeof *c.base, purpose);
    hx_status status = list && c.which && c.cut && c.base ? HX_OK : HX_ERR_MEMORY;
    if (status == HX_OK && count > 0) {
        list_contributions(maker->work, list);
        qsort(list, room, sizeof *list, compare_contributions);
        status = add_arrays(&c, list, count);
    }
    hxi_memory_free(list);
    hxi_memory_free(c.which);
    hxi_memory_free(c.cut);
    hxi_memory_free(c.base);
    return status;
}
