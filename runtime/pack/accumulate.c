#include "pack/accumulate.h"

#include "base/memory.h"
#include "base/status.h"
#include "pack/loop_order.h"

#include <stdlib.h>

typedef struct adder {
    const hxi_work *work;
    hxi_accumulation *made;
} adder;

static const char purpose[] = "the additions of an exchange";

static hx_region *keep_region(adder *a, const hxi_segment *s, hxi_end end, int part)
{
    hx_region *kept = &a->made->region[a->made->regions++];
    *kept = hxi_work_end(a->work, s, end, hxi_segment_component(a->work->spec, s, part));
    return kept;
}

/* The points of a region where a message has them. */
static hx_region *keep_message(adder *a, const hxi_segment *s, const hx_region *region)
{
    hx_region *kept = &a->made->region[a->made->regions++];
    *kept = hxi_loop_order_message(a->work->spec->field[s->link.field].order, a->work->spec->axes, region);
    return kept;
}

/* Some of the components that lie side by side, or NULL. */
static const hx_picks *picks_of(const adder *a, const hxi_segment *s)
{
    return a->work->spec->field[s->link.field].components_after == 0 ? s->picks : NULL;
}

static void add_copy(adder *a, const hxi_segment *s, int part)
{
    const hx_kernels *kernels = a->work->exchange->field[s->item].kernels;
    hxi_copy_op *op = &a->made->sum[a->made->sums].run.copy;
    a->made->sum[a->made->sums++].within = true;
    op->to_slot = hxi_work_end_slot(a->work, s, HX_FROM);
    op->from_slot = hxi_work_end_slot(a->work, s, HX_TO);
    hx_region *to = keep_region(a, s, HX_FROM, part);
    hx_region *from = keep_region(a, s, HX_TO, part);
    op->to = to;
    op->from = from;
    op->picks = picks_of(a, s);
    op->to_runs = s->from_runs;
    op->from_runs = s->to_runs;
    if (op->to_runs) {
        op->kind = HX_OP_LISTED;
        op->run.listed = kernels->listing->copy;
    } else if (op->picks) {
        op->kind = HX_OP_PICKED;
        op->run.picked = kernels->picking->copy;
    } else if (hxi_link_turns(&s->link)) {
        op->kind = HX_OP_TURNED;
        op->sign = s->link.sign;
        op->run.turned = kernels->accumulating->copy_turned;
        hxi_loop_order_order(a->work->spec->axes, to, from);
    } else {
        op->kind = HX_OP_PLAIN;
        op->run.plain = kernels->accumulating->copy;
    }
}

static void add_unpack(adder *a, const hxi_segment *s, int part)
{
    const hx_kernels *kernels = a->work->exchange->field[s->item].kernels;
    hxi_unpack_op *op = &a->made->sum[a->made->sums++].run.unpack;
    op->slot = hxi_work_end_slot(a->work, s, HX_FROM);
    op->message[0] = a->work->message_of[s - a->work->segments->segment];
    op->offset[0] = hxi_segment_part_offset(a->work->spec, s, part);
    hx_region *to = keep_region(a, s, HX_FROM, part);
    op->to = to;
    op->picks = picks_of(a, s);
    op->runs = s->from_runs;
    if (op->runs) {
        op->kind = HX_OP_LISTED;
        op->run.listed = kernels->listing->unpack;
    } else if (op->picks) {
        op->kind = HX_OP_PICKED;
        op->run.picked = kernels->picking->unpack;
    } else if (hxi_link_turns(&s->link)) {
        op->kind = HX_OP_TURNED;
        op->sign = s->link.sign;
        op->run.turned = kernels->unpack_turned ? kernels->unpack_turned : kernels->accumulating->copy_turned;
        hx_region *from = keep_message(a, s, to);
        op->from = from;
        hxi_loop_order_order(a->work->spec->axes, to, from);
    } else {
        op->kind = HX_OP_PLAIN;
        op->run.plain = kernels->accumulating->unpack;
    }
}

static void add_zero(adder *a, const hxi_segment *s, int part)
{
    const hx_kernels *kernels = a->work->exchange->field[s->item].kernels;
    hxi_zero_op *op = &a->made->zero[a->made->zeros++];
    op->slot = hxi_work_end_slot(a->work, s, HX_TO);
    op->to = keep_region(a, s, HX_TO, part);
    op->picks = picks_of(a, s);
    op->runs = s->to_runs;
    if (op->runs) {
        op->run.listed = kernels->listing->zero;
    } else if (op->picks) {
        op->run.picked = kernels->picking->zero;
    } else {
        op->run.plain = kernels->zero;
    }
}

/* Is there what adds a segment?  What travels component by component does not turn. */
static bool has_kernels(const hx_kernels *kernels, bool picked, bool turned, bool keeps)
{
    if (picked) {
        return !turned && kernels->picking && (keeps || kernels->picking->zero);
    }
    const hx_accumulating *accumulating = kernels->accumulating;
    return accumulating && (keeps || kernels->zero) && (!turned || accumulating->copy_turned);
}

static hx_status check_kernels(const adder *a)
{
    for (int i = 0; i < a->work->segments->count; ++i) {
        const hxi_segment *s = &a->work->segments->segment[i];
        const hx_kernels *kernels = a->work->exchange->field[s->item].kernels;
        const bool keeps = a->work->exchange->keeps != 0;
        const bool found = a->work->spec->list ? kernels->listing && (keeps || kernels->listing->zero)
                                               : has_kernels(kernels, picks_of(a, s) != NULL,
                                                             hxi_link_turns(&s->link), keeps);
        if (!found) {
            return hxi_fail(HX_ERR_INTERNAL,
                            "%s:%d: exchange \"%s\" sends ghost points back, and has no kernel for it.",
                            a->work->spec->file, a->work->exchange->line, a->work->exchange->name);
        }
    }
    return HX_OK;
}

static int compare_segments(const void *left, const void *right)
{
    const hxi_segment *const *a = left;
    const hxi_segment *const *b = right;
    return hxi_segments_compare(*a, *b);
}

/* The contributions to this rank's points, in the order of the layout, whoever sends them. */
static void add_sums(adder *a, const hxi_segment **sorted)
{
    size_t count = 0;
    for (int i = 0; i < a->work->segments->count; ++i) {
        const hxi_segment *s = &a->work->segments->segment[i];
        if (s->kind != HX_SENT) {
            sorted[count++] = s;
        }
    }
    if (count > 0) {
        qsort(sorted, count, sizeof(const hxi_segment *), compare_segments);
    }
    for (size_t i = 0; i < count; ++i) {
        const int parts = hxi_segment_parts(a->work->spec, sorted[i]);
        for (int part = 0; part < parts; ++part) {
            if (sorted[i]->kind == HX_WITHIN) {
                add_copy(a, sorted[i], part);
            } else {
                add_unpack(a, sorted[i], part);
            }
        }
    }
}

static void add_zeros(adder *a)
{
    for (int i = 0; i < a->work->segments->count && !a->work->exchange->keeps; ++i) {
        const hxi_segment *s = &a->work->segments->segment[i];
        const int parts = s->kind == HX_RECEIVED ? 0 : hxi_segment_parts(a->work->spec, s);
        for (int part = 0; part < parts; ++part) {
            add_zero(a, s, part);
        }
    }
}

hx_status hxi_accumulation_make(const hxi_work *work, hxi_accumulation *additions)
{
    *additions = (hxi_accumulation){0};
    adder a = {work, additions};
    const hxi_segments *segments = work->segments;
    size_t sums = 0;
    size_t zeros = 0;
    for (int i = 0; i < segments->count; ++i) {
        const hxi_segment *s = &segments->segment[i];
        const size_t parts = (size_t)hxi_segment_parts(work->spec, s);
        sums += s->kind == HX_SENT ? 0 : parts;
        zeros += s->kind == HX_RECEIVED ? 0 : parts;
    }
    additions->sum = hxi_memory_get(sums, sizeof *additions->sum, purpose);
    additions->zero = hxi_memory_get(zeros, sizeof *additions->zero, purpose);
    additions->region = hxi_memory_get(2 * sums + zeros, sizeof *additions->region, purpose);
    const hxi_segment **sorted =
        hxi_memory_get((size_t)segments->count, sizeof(const hxi_segment *), purpose);
    const bool enough = additions->sum && additions->zero && additions->region && sorted;
    const hx_status status = enough ? check_kernels(&a) : HX_ERR_MEMORY;
    if (status == HX_OK) {
        add_sums(&a, sorted);
        add_zeros(&a);
    }
    hxi_memory_free(sorted);
    return status;
}

void hxi_accumulation_free(hxi_accumulation *additions)
{
    hxi_memory_free(additions->sum);
    hxi_memory_free(additions->zero);
    hxi_memory_free(additions->region);
    *additions = (hxi_accumulation){0};
}

void hxi_accumulation_run(const hxi_accumulation *additions, void *const *base, unsigned char *const *buffer)
{
    for (int i = 0; i < additions->sums; ++i) {
        const hxi_sum_op *op = &additions->sum[i];
        if (op->within) {
            hxi_ops_copy(&op->run.copy, 1, base);
        } else {
            hxi_ops_unpack(&op->run.unpack, 1, base, buffer);
        }
    }
    hxi_ops_zero(additions->zero, additions->zeros, base);
}
