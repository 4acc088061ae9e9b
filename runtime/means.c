#include "means.h"

#include "memory.h"
#include "status.h"
#include "walk.h"

#include <stdlib.h>

typedef struct maker {
    const hx_work *work;
    hx_means *made;
    size_t packed; /* bytes so far */
} maker;

static const char purpose[] = "the means of an exchange";

static const hx_kernels *kernels_of(const maker *m, const hx_segment *s)
{
    return m->work->exchange->field[s->item].kernels;
}

static hx_region *keep_region(maker *m, const hx_segment *s, hx_end end, int part)
{
    hx_region *kept = &m->made->region[m->made->regions++];
    *kept = hx_work_end(m->work, s, end, hx_segment_component(m->work->spec, s, part));
    return kept;
}

/* Packs what another block of this rank holds; returns where it will be. */
static size_t add_pack(maker *m, const hx_segment *s, int part)
{
    hx_pack_op *op = &m->made->pack[m->made->packs++];
    const int axes = m->work->spec->axes;
    op->slot = hx_work_end_slot(m->work, s, HX_FROM);
    hx_region *from = keep_region(m, s, HX_FROM, part);
    op->from = from;
    op->offset[0] = m->packed;
    op->sign = s->link.sign;
    if (hx_link_turns(&s->link)) {
        hx_region *to = &m->made->region[m->made->regions++];
        *to = hx_walk_message(m->work->spec->field[s->link.field].order, axes, from);
        op->kind = HX_OP_TURNED;
        op->run.turned = hx_walk_choose(kernels_of(m, s), axes, to, from);
        op->to = to;
    } else {
        op->kind = HX_OP_PLAIN;
        op->run.plain = kernels_of(m, s)->pack;
    }
    const size_t bytes = hx_segment_part_bytes(m->work->spec, s);
    m->packed += (bytes + HX_SEGMENT_ALIGNMENT - 1) / HX_SEGMENT_ALIGNMENT * HX_SEGMENT_ALIGNMENT;
    return op->offset[0];
}

/* One more number, and one more copy in its group. */
static hx_mean_term *add_term(maker *m, hx_mean_op *op, hx_term term)
{
    if (term.group == op->groups) {
        op->groups++;
        m->made->groups++;
    }
    m->made->copies[op->copies + term.group]++;
    return &m->made->term[op->term + op->terms++];
}

static void add_own(maker *m, hx_mean_op *op, hx_term term)
{
    *add_term(m, op, term) = (hx_mean_term){.message = HX_TERM_OWN};
}

/* The segments lead from all other holders to the same points, in their order. */
static void add_op(maker *m, const hx_segment *const *sorted, int count, int part)
{
    const hx_segment *first = sorted[0];
    hx_mean_op *op = &m->made->op[m->made->ops++];
    *op = (hx_mean_op){.slot = hx_work_end_slot(m->work, first, HX_TO),
                       .to = keep_region(m, first, HX_TO, part),
                       .run = kernels_of(m, first)->mean,
                       .term = m->made->terms,
                       .copies = m->made->groups};
    for (int i = 0; i < count; ++i) {
        const hx_segment *s = sorted[i];
        if (op->terms == s->own_term.number) {
            add_own(m, op, s->own_term);
        }
        hx_mean_term *term = add_term(m, op, s->term);
        if (s->kind == HX_WITHIN) {
            *term = (hx_mean_term){HX_TERM_PACKED, add_pack(m, s, part)};
        } else {
            *term = (hx_mean_term){m->work->message_of[s - m->work->segments->segment],
                                   hx_segment_part_offset(m->work->spec, s, part)};
        }
    }
    if (op->terms == first->own_term.number) {
        add_own(m, op, first->own_term);
    }
    m->made->terms += op->terms;
}

/* By block, field and points; then in the order of what their holders are worth. */
static int compare_points(const hx_segment *a, const hx_segment *b)
{
    int order = a->to != b->to ? a->to - b->to : a->item - b->item;
    for (int axis = 0; axis < HX_MAX_AXES && order == 0; ++axis) {
        order = a->link.lo[axis] - b->link.lo[axis];
    }
    return order;
}

static int compare_segments(const void *left, const void *right)
{
    const hx_segment *a = *(const hx_segment *const *)left;
    const hx_segment *b = *(const hx_segment *const *)right;
    const int order = compare_points(a, b);
    return order != 0 ? order : a->term.number - b->term.number;
}

bool hx_means_meet(const hx_segment *a, const hx_segment *b)
{
    return compare_points(a, b) == 0;
}

int hx_means_sort(const hx_work *work, const hx_segment **sorted)
{
    int count = 0;
    for (int i = 0; i < work->segments->count; ++i) {
        const hx_segment *s = &work->segments->segment[i];
        if (s->kind != HX_SENT) {
            sorted[count++] = s;
        }
    }
    if (count > 0) {
        qsort(sorted, (size_t)count, sizeof(const hx_segment *), compare_segments);
    }
    return count;
}

static void add_ops(maker *m, const hx_segment **sorted, int count)
{
    int end = 0;
    for (int first = 0; first < count; first = end) {
        end = first + 1;
        while (end < count && hx_means_meet(sorted[first], sorted[end])) {
            ++end;
        }
        const int parts = hx_segment_parts(m->work->spec, sorted[first]);
        for (int part = 0; part < parts; ++part) {
            add_op(m, sorted + first, end - first, part);
        }
    }
}

/* Is there what takes the means of a segment? */
static hx_status check_kernels(const maker *m)
{
    for (int i = 0; i < m->work->segments->count; ++i) {
        const hx_segment *s = &m->work->segments->segment[i];
        if (!kernels_of(m, s)->mean || (hx_link_turns(&s->link) && !kernels_of(m, s)->copy_turned)) {
            return hx_fail(HX_ERR_INTERNAL, "%s:%d: exchange \"%s\" takes means, and has no kernel for it.",
                           m->work->spec->file, m->work->exchange->line, m->work->exchange->name);
        }
    }
    return HX_OK;
}

/* A segment, or one of its components where they lie apart, is a term, and needs at most one of all others.
 */
static hx_status make_room(const maker *m)
{
    hx_means *means = m->made;
    size_t terms = 0;
    for (int i = 0; i < m->work->segments->count; ++i) {
        const hx_segment *s = &m->work->segments->segment[i];
        terms += s->kind == HX_SENT ? 0 : (size_t)hx_segment_parts(m->work->spec, s);
    }
    means->pack = hx_memory_get(terms, sizeof *means->pack, purpose);
    means->op = hx_memory_get(terms, sizeof *means->op, purpose);
    means->term = hx_memory_get(2 * terms, sizeof *means->term, purpose);
    means->place = hx_memory_get(2 * terms, sizeof *means->place, purpose);
    means->copies = hx_memory_get(2 * terms, sizeof *means->copies, purpose);
    means->region = hx_memory_get(3 * terms, sizeof *means->region, purpose);
    const bool enough =
        means->pack && means->op && means->term && means->place && means->copies && means->region;
    return enough ? HX_OK : HX_ERR_MEMORY;
}

hx_status hx_means_make(const hx_work *work, hx_means *means)
{
    *means = (hx_means){0};
    maker m = {work, means, 0};
    hx_status status = check_kernels(&m);
    if (status == HX_OK) {
        status = make_room(&m);
    }
    const hx_segment **sorted =
        hx_memory_get((size_t)work->segments->count, sizeof(const hx_segment *), purpose);
    if (status == HX_OK && sorted) {
        add_ops(&m, sorted, hx_means_sort(work, sorted));
        means->packed = hx_memory_get(m.packed, 1, purpose);
    }
    hx_memory_free(sorted);
    return status == HX_OK && !means->packed ? HX_ERR_MEMORY : status;
}

void hx_means_free(hx_means *means)
{
    hx_memory_free(means->pack);
    hx_memory_free(means->packed);
    hx_memory_free(means->op);
    hx_memory_free(means->term);
    hx_memory_free(means->place);
    hx_memory_free(means->copies);
    hx_memory_free(means->region);
    *means = (hx_means){0};
}

static const void *place_of(const hx_means *means, const hx_mean_term *term, unsigned char *const *buffer)
{
    if (term->message == HX_TERM_OWN) {
        return NULL;
    }
    return (term->message == HX_TERM_PACKED ? means->packed : buffer[term->message]) + term->offset;
}

void hx_means_run(const hx_means *means, void *const *base, unsigned char *const *buffer)
{
    hx_ops_pack(means->pack, means->packs, base, &(unsigned char *){means->packed});
    for (int i = 0; i < means->terms; ++i) {
        means->place[i] = place_of(means, &means->term[i], buffer);
    }
    for (int i = 0; i < means->ops; ++i) {
        const hx_mean_op *op = &means->op[i];
        const hx_mean mean = {op->groups, means->copies + op->copies, means->place + op->term};
        op->run(base[op->slot], op->to, &mean);
    }
}
