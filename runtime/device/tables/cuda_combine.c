/*
 * Exchanges that combine shared points, as means or sums of device kernels: for each box of points that the
 * same blocks hold, the terms that hx_holdings has in hx/abi.h, in the same order.  What blocks of this rank
 * hold for each other was copied before, so nobody reads what another thread writes.
 */
#include "device/tables/cuda_list.h"

#include "base/memory.h"
#include "pack/combine.h"

static const char purpose[] = "what combines shared points";

/* One number of the points of a box, and one of the components that lie apart. */
typedef struct box {
    hxi_cuda_maker *maker;
    const hxi_segment *const *segment; /* to the same points, in order */
    int segments;
    int part;
    int number;   /* of those of a point */
    hx_region to; /* the points of this rank's own block */
    int64_t n[HX_CUDA_STEPS];
    int *base; /* room: that of the points, then those of terms */
    hx_cuda_term *term;
    int terms;
} box;

static int field_of(const box *b)
{
    return b->segment[0]->link.field;
}

static int bytes_of(const box *b)
{
    return b->maker->kernels->field[field_of(b)].number;
}

/* Steps by axis, in bytes, in the memory order of the field. */
static void put_in_order(const box *b, const int64_t step[HX_MAX_AXES], int64_t ordered[HX_CUDA_STEPS])
{
    const hx_spec *spec = b->maker->work->spec;
    for (int i = 0; i < HX_CUDA_STEPS; ++i) {
        ordered[i] = i < spec->axes ? step[spec->field[field_of(b)].order[i]] : 0;
    }
}

/* The steps of the points themselves. */
static void find_own_steps(const box *b, int64_t step[HX_MAX_AXES])
{
    for (int a = 0; a < HX_MAX_AXES; ++a) {
        step[a] = (int64_t)b->to.stride[a] * b->maker->work->spec->field[field_of(b)].size;
    }
}

/* One more number; begins: it is the first of its group. */
static hx_status add_term(box *b, bool begins, int base, int64_t at, const int64_t step[HX_MAX_AXES])
{
    int64_t ordered[HX_CUDA_STEPS];
    hx_cuda_term *term = &b->term[b->terms++];
    *term = (hx_cuda_term){.from_at = at / bytes_of(b) + b->number, .sign = 1};
    b->base[b->terms] = base;
    hx_cuda_term *first = begins ? term : term - 1;
    while (!begins && first->copies == 0) {
        --first;
    }
    first->copies++;
    put_in_order(b, step, ordered);
    return hxi_cuda_set_steps(ordered, b->n, bytes_of(b), term->from_step)
               ? HX_OK
               : hxi_cuda_refuse(b->maker, field_of(b));
}

static hx_status add_own(box *b, bool begins)
{
    int64_t step[HX_MAX_AXES];
    find_own_steps(b, step);
    return add_term(b, begins, hxi_cuda_array(b->maker, b->segment[0], HX_TO),
                    (int64_t)b->to.at * b->maker->work->spec->field[field_of(b)].size, step);
}

static hx_status add_other(box *b, const hxi_segment *s, bool begins)
{
    int64_t step[HX_MAX_AXES];
    hxi_cuda_dense_steps(b->maker, s, step);
    return add_term(b, begins, hxi_cuda_message(b->maker, s),
                    (int64_t)hxi_cuda_message_offset(b->maker, s, b->part), step);
}

/* In the order of what their holders are worth, the own block among them. */
static hx_status add_terms(box *b)
{
    const hxi_term own = b->segment[0]->own_term;
    int group = -1;
    int next = 0;
    hx_status status = HX_OK;
    for (int t = 0; t <= b->segments && status == HX_OK; ++t) {
        const hxi_term *term = t == own.number ? &own : &b->segment[next]->term;
        const bool begins = term->group != group;
        group = term->group;
        status = t == own.number ? add_own(b, begins) : add_other(b, b->segment[next++], begins);
    }
    return status;
}

/* Of the field's kernel that does it; -1: there is none. */
static int kind_of(const box *b)
{
    const hx_cuda_field *field = &b->maker->kernels->field[field_of(b)];
    return b->maker->work->exchange->operation == HX_MEAN ? field->mean : field->total;
}

/* The entry of the table whose terms are the last of all. */
static hx_status add_entry(box *b)
{
    hxi_cuda_maker *m = b->maker;
    const uint64_t block = (uint64_t)HX_CUDA_THREADS * HX_CUDA_LOADS;
    const uint64_t points = (uint64_t)(b->n[0] * b->n[1] * b->n[2] * b->n[3]);
    hx_status status = HX_OK;
    b->base[0] = hxi_cuda_array(m, b->segment[0], HX_TO);
    hx_cuda_sum *sum = hxi_cuda_new_sum(m, (points + block - 1) / block, b->base, b->terms + 1, &status);
    if (!sum) {
        return status;
    }
    for (int t = 0; t < b->terms; ++t) {
        b->term[t].from = (uint16_t)b->base[t + 1];
    }
    int64_t step[HX_MAX_AXES];
    int64_t ordered[HX_CUDA_STEPS];
    find_own_steps(b, step);
    put_in_order(b, step, ordered);
    sum->kind = (uint32_t)kind_of(b);
    sum->first_term = (uint32_t)(m->list->terms - b->terms);
    sum->terms = (uint32_t)b->terms;
    sum->to_at = (int64_t)b->to.at * m->work->spec->field[field_of(b)].size / bytes_of(b) + b->number;
    return hxi_cuda_set_rows(&b->n[1], b->n[0], &sum->at) &&
                   hxi_cuda_set_steps(ordered, b->n, bytes_of(b), sum->to_step)
               ? HX_OK
               : hxi_cuda_refuse(m, field_of(b));
}

/* All numbers of the points to which some segments lead. */
static hx_status add_box(box *b)
{
    const hxi_segment *first = b->segment[0];
    const hxi_work *work = b->maker->work;
    const hx_field *field = &work->spec->field[field_of(b)];
    if (kind_of(b) < 0) {
        return hxi_cuda_lacks(b->maker, field_of(b));
    }
    b->to = hxi_work_end(work, first, HX_TO, hxi_segment_component(work->spec, first, b->part));
    for (int i = 0; i < HX_CUDA_STEPS; ++i) {
        b->n[i] = i < work->spec->axes ? b->to.n[field->order[i]] : 1;
    }
    hx_status status = HX_OK;
    for (b->number = 0; b->number < field->size / bytes_of(b) && status == HX_OK; ++b->number) {
        b->terms = 0;
        b->term = hxi_cuda_new_terms(b->maker, b->segments + 1, &status);
        status = b->term ? add_terms(b) : status;
        status = status == HX_OK ? add_entry(b) : status;
    }
    return status;
}

static hx_status add_boxes(hxi_cuda_maker *m, const hxi_segment **sorted, int *base)
{
    const int count = hxi_combine_sort(m->work, sorted);
    hx_status status = HX_OK;
    int end = 0;
    for (int first = 0; first < count && status == HX_OK; first = end) {
        end = first + 1;
        while (end < count && hxi_combine_meet(sorted[first], sorted[end])) {
            ++end;
        }
        box b = {.maker = m, .segment = sorted + first, .segments = end - first, .base = base};
        const int parts = hxi_segment_parts(m->work->spec, sorted[first]);
        for (b.part = 0; b.part < parts && status == HX_OK; ++b.part) {
            status = add_box(&b);
        }
    }
    return status;
}

hx_status hxi_cuda_add_combined(hxi_cuda_maker *maker)
{
    const size_t room = (size_t)maker->work->segments->count + 2;
    const hxi_segment **sorted = hxi_memory_get(room, sizeof(const hxi_segment *), purpose);
    int *base = hxi_memory_get(room, sizeof *base, purpose);
    const hx_status status = sorted && base ? add_boxes(maker, sorted, base) : HX_ERR_MEMORY;
    hxi_memory_free(sorted);
    hxi_memory_free(base);
    return status;
}
