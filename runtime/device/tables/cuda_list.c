#include "device/tables/cuda_list.h"

#include "base/memory.h"
#include "base/status.h"
#include "grid/shared_points.h"

#include <limits.h>

static const char purpose[] = "the tables of device kernels";

enum { MOVES, SUMS, TERMS, LAUNCHES, BASES };

/* ---- tables that grow ---------------------------------------------------------------------------------- */

/* Room for `more` entries behind `used` ones of a table.  NULL: there is no memory. */
static void *grow(void *table, int *room, int used, int more, size_t size)
{
    if (table && used + more <= *room) {
        return table;
    }
    const int wanted = 2 * used + more + 8;
    void *grown = hxi_memory_grow(table, (size_t)used, (size_t)wanted, size, purpose);
    *room = grown ? wanted : *room;
    return grown;
}

static hxi_cuda_launch *begin_launch(hxi_cuda_maker *m)
{
    hxi_cuda_list *list = m->list;
    hxi_cuda_launch *launch = grow(list->launch, &list->room[LAUNCHES], list->launches, 1, sizeof *launch);
    if (!launch) {
        return NULL;
    }
    list->launch = launch;
    if (list->launches > 0) {
        const hxi_cuda_launch *last = &launch[list->launches - 1];
        for (int b = 0; b < last->bases; ++b) {
            m->number_of[list->base[last->first_base + b]] = -1;
        }
    }
    launch += list->launches++;
    *launch = (hxi_cuda_launch){.first = list->moves + list->sums + hxi_cuda_listed_entries(list),
                                .first_base = list->bases};
    return launch;
}

static int count_new(const hxi_cuda_maker *m, const int base[], int bases)
{
    int count = 0;
    for (int b = 0; b < bases; ++b) {
        count += m->number_of[base[b]] < 0;
    }
    return count;
}

hx_status hxi_cuda_take(hxi_cuda_maker *m, uint64_t blocks, int base[], int bases)
{
    hxi_cuda_list *list = m->list;
    hxi_cuda_launch *launch = list->launches > 0 ? &list->launch[list->launches - 1] : NULL;
    if (bases > HX_CUDA_BASES) {
        return hxi_fail(
            HX_ERR_LIMIT,
            "%s:%d: exchange \"%s\" %s to points of one array what comes from more than %d arrays and "
            "messages, which is as many as device kernels know.  Let fewer ranks share points with this one.",
            m->work->spec->file, m->work->exchange->line, m->work->exchange->name,
            m->work->exchange->operation == HX_ADD ? "adds" : "brings", HX_CUDA_BASES);
    }
    if (!launch || launch->bases + count_new(m, base, bases) > HX_CUDA_BASES ||
        launch->blocks + blocks > INT_MAX) {
        launch = begin_launch(m);
    }
    int *known = launch ? grow(list->base, &list->room[BASES], list->bases, bases, sizeof *known) : NULL;
    if (!known) {
        return HX_ERR_MEMORY;
    }
    list->base = known;
    for (int b = 0; b < bases; ++b) {
        if (m->number_of[base[b]] < 0) {
            m->number_of[base[b]] = launch->bases++;
            known[list->bases++] = base[b];
        }
        base[b] = m->number_of[base[b]];
    }
    launch->entries++;
    return HX_OK;
}

hx_cuda_move *hxi_cuda_new_move(hxi_cuda_maker *m, uint64_t blocks, int base[2], hx_status *status)
{
    hxi_cuda_list *list = m->list;
    hx_cuda_move *move = grow(list->move, &list->room[MOVES], list->moves, 1, sizeof *move);
    if (!move) {
        *status = HX_ERR_MEMORY;
        return NULL;
    }
    list->move = move;
    *status = hxi_cuda_take(m, blocks, base, 2);
    if (*status != HX_OK) {
        return NULL;
    }
    hxi_cuda_launch *launch = &list->launch[list->launches - 1];
    move += list->moves++;
    *move = (hx_cuda_move){.first_block = launch->blocks,
                           .blocks = (uint32_t)blocks,
                           .block = hxi_cuda_divisor((uint32_t)blocks),
                           .sign = 1,
                           .moves = 1,
                           .from = {.base = (uint16_t)base[0]},
                           .to = {.base = (uint16_t)base[1]}};
    launch->blocks += (unsigned)blocks;
    return move;
}

hx_cuda_sum *hxi_cuda_new_sum(hxi_cuda_maker *m, uint64_t blocks, int base[], int bases, hx_status *status)
{
    hxi_cuda_list *list = m->list;
    hx_cuda_sum *sum = grow(list->sum, &list->room[SUMS], list->sums, 1, sizeof *sum);
    if (!sum) {
        *status = HX_ERR_MEMORY;
        return NULL;
    }
    list->sum = sum;
    *status = hxi_cuda_take(m, blocks, base, bases);
    if (*status != HX_OK) {
        return NULL;
    }
    hxi_cuda_launch *launch = &list->launch[list->launches - 1];
    sum += list->sums++;
    *sum = (hx_cuda_sum){.first_block = launch->blocks, .to = (uint32_t)base[0]};
    launch->blocks += (unsigned)blocks;
    return sum;
}

hx_cuda_term *hxi_cuda_new_terms(hxi_cuda_maker *m, int count, hx_status *status)
{
    hxi_cuda_list *list = m->list;
    hx_cuda_term *term = grow(list->term, &list->room[TERMS], list->terms, count, sizeof *term);
    if (!term) {
        *status = HX_ERR_MEMORY;
        return NULL;
    }
    list->term = term;
    list->terms += count;
    return &term[list->terms - count];
}

/* ---- numbers of kernels -------------------------------------------------------------------------------- */

int hxi_cuda_kind_of(const hx_cuda_kernels *kernels, hx_cuda_shape shape, int bytes, int words)
{
    for (int k = 0; k < kernels->kinds; ++k) {
        const hx_cuda_kind *kind = &kernels->kind[k];
        if (kind->shape == shape && kind->bytes == bytes && kind->words == words) {
            return k;
        }
    }
    return -1;
}

const hx_cuda_wired *hxi_cuda_wired_of(const hxi_cuda_maker *m, const hxi_segment *segment)
{
    static const hx_cuda_wired unknown = {
        .field = -1, .bytes = 1, .narrow = -1, .widen = -1, .round = -1, .sum = -1};
    const int wire = (int)m->work->exchange->field[segment->item].wire;
    if (wire == HX_WIRE_NOT) {
        return NULL;
    }
    for (int i = 0; i < m->kernels->wireds; ++i) {
        const hx_cuda_wired *wired = &m->kernels->wired[i];
        if (wired->field == segment->link.field && wired->wire == wire) {
            return wired;
        }
    }
    return &unknown; /* who looks for its kinds finds none */
}

int hxi_cuda_bytes_in_message(const hx_cuda_wired *wired, int bytes)
{
    return wired ? wired->bytes : bytes;
}

hx_status hxi_cuda_refuse(const hxi_cuda_maker *m, int number)
{
    const hx_spec *spec = m->work->spec;
    const hx_field *field = &spec->field[number];
    return hxi_fail(HX_ERR_LIMIT,
                    "%s:%d: the %s of field %s has more %s than device kernels count: 2147483647.  %s",
                    spec->file, field->line, spec->list ? "list" : "halo", field->name,
                    spec->list ? "points, or words of points," : "points in one piece, or larger strides,",
                    spec->list ? "Give each rank fewer points." : "Use smaller blocks.");
}

hx_status hxi_cuda_lacks(const hxi_cuda_maker *m, int number)
{
    return hxi_fail(HX_ERR_INTERNAL, "%s:%d: exchange \"%s\" has no kernel for what it does with field %s.",
                    m->work->spec->file, m->work->exchange->line, m->work->exchange->name,
                    m->work->spec->field[number].name);
}

int hxi_cuda_kind_of_sum(const hxi_cuda_maker *m, int number)
{
    const hx_cuda_field *field = &m->kernels->field[number];
    const hx_operation operation = m->work->exchange->operation;
    return operation == HX_MIN ? field->minimum : operation == HX_MAX ? field->maximum : field->sum;
}

hx_divisor hxi_cuda_divisor(uint32_t by)
{
    uint32_t shift = 0;
    while ((UINT64_C(1) << shift) < by) {
        ++shift;
    }
    const uint64_t excess = (UINT64_C(1) << shift) - by;
    return (hx_divisor){(uint32_t)((excess << 32) / by + 1), shift};
}

/* Threads beyond the last item have numbers, too. */
enum { SPARE = HX_CUDA_LOADS * HX_CUDA_THREADS };

bool hxi_cuda_set_rows(const int64_t n[3], int64_t items, hx_cuda_rows *rows)
{
    int64_t all = items;
    for (int i = 0; i < 3; ++i) {
        if (n[i] > INT_MAX || all > (INT_MAX - SPARE) / n[i]) {
            return false;
        }
        all *= n[i];
    }
    *rows = (hx_cuda_rows){.rows = (uint32_t)(all / items),
                           .items = (uint32_t)items,
                           .n = {(uint32_t)n[0], (uint32_t)n[1]},
                           .item = hxi_cuda_divisor((uint32_t)items),
                           .by = {hxi_cuda_divisor((uint32_t)n[0]), hxi_cuda_divisor((uint32_t)n[1])}};
    return true;
}

bool hxi_cuda_set_steps(const int64_t step[HX_CUDA_STEPS], const int64_t n[HX_CUDA_STEPS], int bytes,
                        int32_t set[HX_CUDA_STEPS])
{
    for (int i = 0; i < HX_CUDA_STEPS; ++i) {
        const int64_t words = n[i] > 1 ? step[i] / bytes : 0;
        if (words > INT_MAX || words < -INT_MAX) {
            return false;
        }
        set[i] = (int32_t)words;
    }
    return true;
}

/* ---- bases --------------------------------------------------------------------------------------------- */

static int slots(const hxi_work *work)
{
    return work->mine->blocks * work->fields;
}

int hxi_cuda_array(const hxi_cuda_maker *m, const hxi_segment *segment, hxi_end end)
{
    return hxi_work_end_slot(m->work, segment, end);
}

int hxi_cuda_message(const hxi_cuda_maker *m, const hxi_segment *segment)
{
    const int number =
        segment->kind == HX_WITHIN ? m->messages : m->work->message_of[segment - m->work->segments->segment];
    return slots(m->work) + number;
}

size_t hxi_cuda_message_offset(const hxi_cuda_maker *m, const hxi_segment *segment, int part)
{
    const size_t offset = hxi_segment_part_offset(m->work->spec, segment, part);
    return segment->kind == HX_WITHIN ? offset + m->kept_at[segment - m->work->segments->segment] : offset;
}

void hxi_cuda_dense_steps(const hxi_cuda_maker *m, const hxi_segment *segment, int64_t step[HX_MAX_AXES])
{
    const hx_link *l = &segment->link;
    const hx_spec *spec = m->work->spec;
    int64_t points = 1;
    for (int a = 0; a < HX_MAX_AXES; ++a) {
        points *= l->hi[a] - l->lo[a];
        step[a] = 0;
    }
    int64_t bytes = (int64_t)hxi_segment_part_bytes(spec, segment) / points;
    for (int i = 0; i < spec->axes; ++i) {
        const int axis = spec->field[l->field].order[i];
        step[axis] = bytes;
        bytes *= l->hi[axis] - l->lo[axis];
    }
}

/* ---- the whole ----------------------------------------------------------------------------------------- */

typedef hx_status add_fn(hxi_cuda_maker *m);

static hx_status add(hxi_cuda_maker *m, hxi_segment_kind kind)
{
    return m->work->spec->list ? hxi_cuda_add_listed(m, kind) : hxi_cuda_add_moves(m, kind);
}

static hx_status add_packs(hxi_cuda_maker *m)
{
    return add(m, HX_SENT);
}

static hx_status add_unpacks(hxi_cuda_maker *m)
{
    return add(m, HX_RECEIVED);
}

static hx_status add_copies(hxi_cuda_maker *m)
{
    return add(m, HX_WITHIN);
}

/* Kernels for lists of points either pack or copy. */
static hx_status add_what_leaves(hxi_cuda_maker *m)
{
    const hx_status status = m->work->spec->list ? HX_OK : hxi_cuda_add_moves(m, HX_SENT);
    return status == HX_OK && !m->work->spec->list ? hxi_cuda_add_moves(m, HX_WITHIN) : status;
}

static hx_status add_nothing(hxi_cuda_maker *m)
{
    (void)m;
    return HX_OK;
}

static hx_status add_sums(hxi_cuda_maker *m)
{
    return m->work->spec->list ? hxi_cuda_add_listed_sums(m) : hxi_cuda_add_sums(m);
}

static hx_status add_zeros(hxi_cuda_maker *m)
{
    if (m->work->exchange->keeps) {
        return HX_OK;
    }
    return m->work->spec->list ? hxi_cuda_add_listed_zeros(m) : hxi_cuda_add_zeros(m);
}

/* Of what combines: where copies are kept, one behind the other. */
static hx_status place_kept(hxi_cuda_maker *m, hxi_cuda_lists *lists)
{
    const hxi_segments *segments = m->work->segments;
    m->kept_at = hxi_memory_get((size_t)segments->count, sizeof *m->kept_at, purpose);
    for (int i = 0; m->kept_at && i < segments->count; ++i) {
        const hxi_segment *s = &segments->segment[i];
        if (s->kind == HX_WITHIN) {
            m->kept_at[i] = lists->kept;
            lists->kept +=
                (s->bytes + HX_SEGMENT_ALIGNMENT - 1) / HX_SEGMENT_ALIGNMENT * HX_SEGMENT_ALIGNMENT;
        }
    }
    return m->kept_at ? HX_OK : HX_ERR_MEMORY;
}

hx_status hxi_cuda_lists_make(const hxi_work *work, const hx_cuda_kernels *kernels, bool aligned,
                              int messages, hxi_cuda_lists *lists)
{
    *lists = (hxi_cuda_lists){0};
    const bool returns = HX_RETURNS(work->exchange->operation);
    const bool combines = hxi_shared_points_combine(work->exchange);
    const struct {
        hxi_cuda_list *list;
        add_fn *add;
        hxi_cuda_order order;
    } copying[] = {{&lists->pack, add_packs, HX_CUDA_MIXED},
                   {&lists->unpack, add_unpacks, HX_CUDA_IN_TURN},
                   {&lists->copy, add_copies, HX_CUDA_MIXED},
                   {&lists->leave, add_what_leaves, HX_CUDA_MIXED}},
      adding[] = {{&lists->pack, add_packs, HX_CUDA_MIXED},
                  {&lists->sum, add_sums, HX_CUDA_IN_TURN},
                  {&lists->zero, add_zeros, HX_CUDA_IN_TURN},
                  {&lists->leave, add_nothing, HX_CUDA_IN_TURN}},
      combining[] = {{&lists->pack, add_packs, HX_CUDA_MIXED},
                     {&lists->combine, hxi_cuda_add_combined, HX_CUDA_IN_TURN},
                     {&lists->copy, add_copies, HX_CUDA_MIXED},
                     {&lists->leave, add_nothing, HX_CUDA_IN_TURN}},
      *all = returns    ? adding
             : combines ? combining
                        : copying;
    const int bases = slots(work) + messages + 1;
    hxi_cuda_maker m = {.work = work, .kernels = kernels, .aligned = aligned, .messages = messages};
    m.number_of = hxi_memory_get((size_t)bases, sizeof *m.number_of, purpose);
    hx_status status = m.number_of ? HX_OK : HX_ERR_MEMORY;
    status = status == HX_OK && combines ? place_kept(&m, lists) : status;
    for (size_t i = 0; i < sizeof copying / sizeof copying[0] && status == HX_OK; ++i) {
        for (int b = 0; b < bases; ++b) {
            m.number_of[b] = -1;
        }
        m.list = all[i].list;
        status = all[i].add(&m);
        status = status == HX_OK ? hxi_cuda_list_end(m.list, all[i].order) : status;
    }
    hxi_memory_free(m.number_of);
    hxi_memory_free(m.kept_at);
    return status;
}

hx_status hxi_cuda_list_make(const hxi_work *work, const hx_cuda_kernels *kernels, bool aligned, int messages,
                             hxi_cuda_motion motion, hxi_cuda_list *list)
{
    static add_fn *const adds[] = {[HX_CUDA_PACKS] = add_packs,
                                   [HX_CUDA_UNPACKS] = add_unpacks,
                                   [HX_CUDA_RETURNS] = hxi_cuda_add_returns,
                                   [HX_CUDA_COPIES] = add_copies};
    const int bases = slots(work) + messages + 1;
    hxi_cuda_maker m = {
        .work = work, .kernels = kernels, .aligned = aligned, .list = list, .messages = messages};
    m.number_of = hxi_memory_get((size_t)bases, sizeof *m.number_of, purpose);
    if (!m.number_of) {
        return HX_ERR_MEMORY;
    }
    for (int b = 0; b < bases; ++b) {
        m.number_of[b] = -1;
    }
    const hx_status status = adds[motion](&m);
    hxi_memory_free(m.number_of);
    return status == HX_OK
               ? hxi_cuda_list_end(list, motion == HX_CUDA_UNPACKS ? HX_CUDA_IN_TURN : HX_CUDA_MIXED)
               : status;
}

void hxi_cuda_list_free(hxi_cuda_list *list)
{
    hxi_memory_free(list->move);
    hxi_memory_free(list->sum);
    hxi_memory_free(list->term);
    hxi_memory_free(list->launch);
    hxi_memory_free(list->base);
    hxi_memory_free(list->turn);
    hxi_cuda_listed_free(&list->listed);
    *list = (hxi_cuda_list){0};
}

void hxi_cuda_lists_free(hxi_cuda_lists *lists)
{
    hxi_cuda_list_free(&lists->pack);
    hxi_cuda_list_free(&lists->unpack);
    hxi_cuda_list_free(&lists->copy);
    hxi_cuda_list_free(&lists->sum);
    hxi_cuda_list_free(&lists->zero);
    hxi_cuda_list_free(&lists->combine);
    hxi_cuda_list_free(&lists->leave);
}
