#include "pack/combine.h"

#include "base/memory.h"
#include "base/status.h"
#include "pack/loop_order.h"

#include <stdlib.h>

typedef struct maker {
    const hxi_work *work;
    hxi_combining *made;
    size_t packed; /* bytes so far */
} maker;

static const char purpose[] = "what combines shared points";

static const hx_kernels *kernels_of(const maker *m, const hxi_segment *s)
{
    return m->work->exchange->field[s->item].kernels;
}

static hx_region *keep_region(maker *m, const hxi_segment *s, hxi_end end, int part)
{
    hx_region *kept = &m->made->region[m->made->regions++];
    *kept = hxi_work_end(m->work, s, end, hxi_segment_component(m->work->spec, s, part));
    return kept;
}

/* Packs what another block of this rank holds; returns where it will be. */
static size_t add_pack(maker *m, const hxi_segment *s, int part)
{
    hxi_pack_op *op = &m->made->pack[m->made->packs++];
    const int axes = m->work->spec->axes;
    op->slot = hxi_work_end_slot(m->work, s, HX_FROM);
    hx_region *from = keep_region(m, s, HX_FROM, part);
    op->from = from;
    op->offset[0] = m->packed;
    op->sign = s->link.sign;
    if (hxi_link_turns(&s->link)) {
        hx_region *to = &m->made->region[m->made->regions++];
        *to = hxi_loop_order_message(m->work->spec->field[s->link.field].order, axes, from);
        op->kind = HX_OP_TURNED;
        op->run.turned = hxi_loop_order_choose(kernels_of(m, s), axes, to, from);
        op->to = to;
    } else {
        op->kind = HX_OP_PLAIN;
        op->run.plain = kernels_of(m, s)->pack;
    }
    const size_t bytes = hxi_segment_part_bytes(m->work->spec, s);
    m->packed += (bytes + HX_SEGMENT_ALIGNMENT - 1) / HX_SEGMENT_ALIGNMENT * HX_SEGMENT_ALIGNMENT;
    return op->offset[0];
}

/* One more number, and one more copy in its group. */
static hxi_combine_term *add_term(maker *m, hxi_combine_op *op, hxi_term term)
{
    if (term.group == op->groups) {
        op->groups++;
        m->made->groups++;
    }
    m->made->copies[op->copies + term.group]++;
    return &m->made->term[op->term + op->terms++];
}

static void add_own(maker *m, hxi_combine_op *op, hxi_term term)
{
    *add_term(m, op, term) = (hxi_combine_term){.message = HX_TERM_OWN};
}

/* The segments lead from all other holders to the same points, in their order. */
static void add_op(maker *m, const hxi_segment *const *sorted, int count, int part)
{
    const hxi_segment *first = sorted[0];
    hxi_combine_op *op = &m->made->op[m->made->ops++];
    *op = (hxi_combine_op){.slot = hxi_work_end_slot(m->work, first, HX_TO),
                           .to = keep_region(m, first, HX_TO, part),
                           .run = kernels_of(m, first)->combine,
                           .term = m->made->terms,
                           .copies = m->made->groups};
    for (int i = 0; i < count; ++i) {
        const hxi_segment *s = sorted[i];
        if (op->terms == s->own_term.number) {
            add_own(m, op, s->own_term);
        }
        hxi_combine_term *term = add_term(m, op, s->term);
        if (s->kind == HX_WITHIN) {
            *term = (hxi_combine_term){HX_TERM_PACKED, add_pack(m, s, part)};
        } else {
            *term = (hxi_combine_term){m->work->message_of[s - m->work->segments->segment],
                                       hxi_segment_part_offset(m->work->spec, s, part)};
        }
    }
    if (op->terms == first->own_term.number) {
        add_own(m, op, first->own_term);
    }
    m->made->terms += op->terms;
}

/* By block, field and points; then in the order of what their holders are worth. */
static int compare_points(const hxi_segment *a, const hxi_segment *b)
{
    int order = a->to != b->to ? a->to - b->to : a->item - b->item;
    for (int axis = 0; axis < HX_MAX_AXES && order == 0; ++axis) {
        order = a->link.lo[axis] - b->link.lo[axis];
    }
    return order;
}

static int compare_segments(const void *left, const void *right)
{
    const hxi_segment *a = *(const hxi_segment *const *)left;
    const hxi_segment *b = *(const hxi_segment *const *)right;
    const int order = compare_points(a, b);
    return order != 0 ? order : a->term.number - b->term.number;
}

bool hxi_combine_meet(const hxi_segment *a, const hxi_segment *b)
{
    return compare_points(a, b) == 0;
}

int hxi_combine_sort(const hxi_work *work, const hxi_segment **sorted)
{
    int count = 0;
    for (int i = 0; i < work->segments->count; ++i) {
        const hxi_segment *s = &work->segments->segment[i];
        if (s->kind != HX_SENT) {
            sorted[count++] = s;
        }
    }
    if (count > 0) {
        qsort(sorted, (size_t)count, sizeof(const hxi_segment *), compare_segments);
    }
    return count;
}

static void add_ops(maker *m, const hxi_segment **sorted, int count)
{
    int end = 0;
    for (int first = 0; first < count; first = end) {
        end = first + 1;
        while (end < count && hxi_combine_meet(sorted[first], sorted[end])) {
            ++end;
        }
        const int parts = hxi_segment_parts(m->work->spec, sorted[first]);
        for (int part = 0; part < parts; ++part) {
            add_op(m, sorted + first, end - first, part);
        }
    }
}

/* Is there what combines the points of a segment? */
static hx_status check_kernels(const maker *m)
{
    for (int i = 0; i < m->work->segments->count; ++i) {
        const hxi_segment *s = &m->work->segments->segment[i];
        if (!kernels_of(m, s)->combine || (hxi_link_turns(&s->link) && !kernels_of(m, s)->copy_turned)) {
            return hxi_fail(HX_ERR_INTERNAL,
                            "%s:%d: exchange \"%s\" combines shared points, and has no kernel for it.",
                            m->work->spec->file, m->work->exchange->line, m->work->exchange->name);
        }
    }
    return HX_OK;
}

/*
 * A segment, or one of its components where they lie apart, is a term, and needs at most one of all others.
 */
static hx_status make_room(const maker *m)
{
    hxi_combining *combining = m->made;
    size_t terms = 0;
    for (int i = 0; i < m->work->segments->count; ++i) {
        const hxi_segment *s = &m->work->segments->segment[i];
        terms += s->kind == HX_SENT ? 0 : (size_t)hxi_segment_parts(m->work->spec, s);
    }
    combining->pack = hxi_memory_get(terms, sizeof *combining->pack, purpose);
    combining->op = hxi_memory_get(terms, sizeof *combining->op, purpose);
    combining->term = hxi_memory_get(2 * terms, sizeof *combining->term, purpose);
    combining->place = hxi_memory_get(2 * terms, sizeof *combining->place, purpose);
    combining->copies = hxi_memory_get(2 * terms, sizeof *combining->copies, purpose);
    combining->region = hxi_memory_get(3 * terms, sizeof *combining->region, purpose);
    const bool enough = combining->pack && combining->op && combining->term && combining->place &&
                        combining->copies && combining->region;
    return enough ? HX_OK : HX_ERR_MEMORY;
}

hx_status hxi_combine_make(const hxi_work *work, hxi_combining *combining)
{
    *combining = (hxi_combining){0};
    maker m = {work, combining, 0};
    hx_status status = check_kernels(&m);
    if (status == HX_OK) {
        status = make_room(&m);
    }
    const hxi_segment **sorted =
        hxi_memory_get((size_t)work->segments->count, sizeof(const hxi_segment *), purpose);
    if (status == HX_OK && sorted) {
        add_ops(&m, sorted, hxi_combine_sort(work, sorted));
        combining->packed = hxi_memory_get(m.packed, 1, purpose);
    }
    hxi_memory_free(sorted);
    return status == HX_OK && !combining->packed ? HX_ERR_MEMORY : status;
}

void hxi_combine_free(hxi_combining *combining)
{
    hxi_memory_free(combining->pack);
    hxi_memory_free(combining->packed);
    hxi_memory_free(combining->op);
    hxi_memory_free(combining->term);
    hxi_memory_free(combining->place);
    hxi_memory_free(combining->copies);
    hxi_memory_free(combining->region);
    *combining = (hxi_combining){0};
}

static const void *place_of(const hxi_combining *combining, const hxi_combine_term *term,
                            unsigned char *const *buffer)
{
    if (term->message == HX_TERM_OWN) {
        return NULL;
    }
    return (term->message == HX_TERM_PACKED ? combining->packed : buffer[term->message]) + term->offset;
}

void hxi_combine_run(const hxi_combining *combining, void *const *base, unsigned char *const *buffer)
{
    hxi_ops_pack(combining->pack, combining->packs, base, &(unsigned char *){combining->packed});
    for (int i = 0; i < combining->terms; ++i) {
        combining->place[i] = place_of(combining, &combining->term[i], buffer);
    }
    for (int i = 0; i < combining->ops; ++i) {
        const hxi_combine_op *op = &combining->op[i];
        const hx_holdings all = {op->groups, op->terms, combining->copies + op->copies,
                                 combining->place + op->term};
        op->run(base[op->slot], op->to, &all);
    }
}
