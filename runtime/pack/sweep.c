#include "pack/sweep.h"

#include "base/memory.h"
#include "grid/cut.h"

#include <stdbool.h>
#include <string.h>

enum { NONE = -1, SEVERAL = -2 };

/*
 * Bytes that one exchange copies within the rank.  Where less is copied, rows stay in a cache near enough to
 * come back to them (docs/history/exchanges.md).  Tests set a smaller one.
 */
#ifndef HX_SWEEP_LEAST
#define HX_SWEEP_LEAST (2 << 20)
#endif

static const char purpose[] = "the sweeps of an exchange";

typedef struct sweeper {
    const hxi_work *work;
    int directions;
    /* For each block, field of the exchange and direction: the segment that feeds it, NONE or SEVERAL. */
    int *feeding;
    hxi_sweeps *made;
} sweeper;

static int *feeding_of(const sweeper *w, int block, int item)
{
    return w->feeding +
           ((size_t)block * (size_t)w->work->exchange->fields + (size_t)item) * (size_t)w->directions;
}

/* Its digits are the sides, that of the fastest axis the least significant. */
static int number_of(const sweeper *w, const hx_field *field, const int direction[])
{
    int number = 0;
    for (int i = w->work->spec->axes - 1; i >= 0; --i) {
        number = 3 * number + direction[field->order[i]] + 1;
    }
    return number;
}

static void find_points(const sweeper *w, int block, int item, int points[])
{
    hxi_cut_points(w->work->spec, w->work->exchange->field[item].field, w->work->mine->block[block].cells,
                   points);
}

/* Is it all that the exchange fills in its direction? */
static bool is_whole(const sweeper *w, const hxi_segment *s)
{
    const hx_exchange_field *item = &w->work->exchange->field[s->item];
    const hx_link *l = &s->link;
    int points[HX_MAX_AXES];
    find_points(w, s->to, s->item, points);
    bool whole = true;
    for (int a = 0; a < w->work->spec->axes; ++a) {
        const int side = l->direction[a];
        const int lo = side < 0 ? -item->width_lo[a] : side > 0 ? points[a] : 0;
        const int hi = side < 0 ? 0 : side > 0 ? points[a] + item->width_hi[a] : points[a];
        whole = whole && l->lo[a] == lo && l->hi[a] == hi;
    }
    return whole;
}

static void find_feeding(const sweeper *w)
{
    for (int i = 0; i < w->work->segments->count; ++i) {
        const hxi_segment *s = &w->work->segments->segment[i];
        if (s->to < 0) {
            continue;
        }
        const hx_field *field = &w->work->spec->field[s->link.field];
        int *feeding = feeding_of(w, s->to, s->item) + number_of(w, field, s->link.direction);
        const bool first = *feeding == NONE;
        *feeding = first && s->kind == HX_WITHIN && is_whole(w, s) ? i : SEVERAL;
    }
}

/* Does the exchange copy enough for sweeps to pay? */
static bool is_large(const hxi_segments *segments)
{
    size_t bytes = 0;
    for (int i = 0; i < segments->count; ++i) {
        bytes += segments->segment[i].kind == HX_WITHIN ? segments->segment[i].bytes : 0;
    }
    return bytes >= HX_SWEEP_LEAST;
}

/*
 * Do all halos across the fastest axis come from arrays at hand?  One of two alone shares no line of memory.
 */
static bool has_both_sides(const sweeper *w, const hx_exchange_field *item, const int feeding[])
{
    const int fastest = w->work->spec->field[item->field].order[0];
    const int middle = w->directions / 2;
    const bool lo = item->width_lo[fastest] > 0;
    const bool hi = item->width_hi[fastest] > 0;
    return (lo || hi) && (!lo || feeding[middle - 1] >= 0) && (!hi || feeding[middle + 1] >= 0);
}

/*
 * What may be swept: see the header.  Fields in the memory of a device have no kernels here, and nothing feeds
 * them.  Where no other block of the tile feeds a halo, sweeps gain nothing.
 */
static bool is_worth_it(const sweeper *w, int number, const int feeding[])
{
    const hx_exchange_field *item = &w->work->exchange->field[number];
    int swept = 0, beside = 0;
    const int middle = w->directions / 2;
    for (int d = 0; d < w->directions; ++d) {
        const hx_link *l = feeding[d] >= 0 ? &w->work->segments->segment[feeding[d]].link : NULL;
        swept += l && d != middle - 1 && d != middle + 1;
        beside += l && l->source_tile == l->tile && l->source_block != l->block;
    }
    return swept > 0 && beside > 0 && has_both_sides(w, item, feeding) && !item->picks &&
           item->kernels->sweep && !w->work->spec->field[item->field].behind;
}

static void set_shell(const sweeper *w, int block, int item, int component, hx_shell *shell)
{
    const hx_exchange_field *i = &w->work->exchange->field[item];
    const int first[HX_MAX_AXES] = {0};
    int points[HX_MAX_AXES];
    find_points(w, block, item, points);
    const hx_region owned = hxi_block_region(w->work->spec, &w->work->mine->block[block], i->field, component,
                                             &(hxi_subbox){first, points, NULL, NULL});
    shell->at = owned.at;
    for (int a = 0; a < HX_MAX_AXES; ++a) {
        shell->stride[a] = owned.stride[a];
        shell->n[a] = owned.n[a];
        shell->lo[a] = a < w->work->spec->axes ? i->width_lo[a] : 0;
        shell->hi[a] = a < w->work->spec->axes ? i->width_hi[a] : 0;
    }
}

static void set_source(const sweeper *w, const hxi_segment *s, int component, hxi_sweep_source *source,
                       hx_pull *pull)
{
    const hx_region region = hxi_work_end(w->work, s, HX_FROM, component);
    source->slot = hxi_work_end_slot(w->work, s, HX_FROM);
    source->offset = (size_t)region.at * (size_t)w->work->spec->field[s->link.source_field].size;
    memcpy(pull->stride, region.stride, sizeof pull->stride);
    pull->sign = s->link.sign;
}

static void add_sweep(const sweeper *w, int block, int item, int component, const int feeding[])
{
    const hx_exchange_field *i = &w->work->exchange->field[item];
    hxi_sweeps *made = w->made;
    const size_t first = (size_t)made->count * (size_t)w->directions;
    hxi_sweep_source *source = made->source + first;
    hxi_sweep *sweep = &made->sweep[made->count++];
    sweep->run = i->kernels->sweep;
    sweep->slot = hxi_work_slot(w->work, block, i->field);
    sweep->source = source;
    sweep->pull = made->pull + first;
    sweep->directions = w->directions;
    sweep->order = w->work->spec->field[i->field].order;
    sweep->axes = w->work->spec->axes;
    sweep->size = (size_t)w->work->spec->field[i->field].size;
    set_shell(w, block, item, component, &sweep->shell);
    for (int d = 0; d < w->directions; ++d) {
        source[d].slot = NONE;
        if (feeding[d] >= 0) {
            set_source(w, &w->work->segments->segment[feeding[d]], component, &source[d], &sweep->pull[d]);
            made->swept[feeding[d]] = 1;
        }
    }
}

/* Components that lie apart are swept one after the other. */
static int parts_of(const sweeper *w, int item)
{
    const hx_field *field = &w->work->spec->field[w->work->exchange->field[item].field];
    return field->components_after > 0 ? field->components : 1;
}

static int count_sweeps(const sweeper *w)
{
    int count = 0;
    for (int b = 0; b < w->work->mine->blocks; ++b) {
        for (int i = 0; i < w->work->exchange->fields; ++i) {
            count += is_worth_it(w, i, feeding_of(w, b, i)) ? parts_of(w, i) : 0;
        }
    }
    return count;
}

static void add_sweeps(const sweeper *w)
{
    for (int b = 0; b < w->work->mine->blocks; ++b) {
        for (int i = 0; i < w->work->exchange->fields; ++i) {
            const int *feeding = feeding_of(w, b, i);
            const int parts = is_worth_it(w, i, feeding) ? parts_of(w, i) : 0;
            for (int part = 0; part < parts; ++part) {
                add_sweep(w, b, i, part, feeding);
            }
        }
    }
}

/* Room for the sweeps, and the sweeps. */
static hx_status make(sweeper *w)
{
    const size_t count = (size_t)count_sweeps(w);
    const size_t sources = count * (size_t)w->directions;
    hxi_sweeps *made = w->made;
    made->sweep = hxi_memory_get(count, sizeof *made->sweep, purpose);
    made->source = hxi_memory_get(sources, sizeof *made->source, purpose);
    made->pull = hxi_memory_get(sources, sizeof *made->pull, purpose);
    if (!made->sweep || !made->source || !made->pull) {
        return HX_ERR_MEMORY;
    }
    add_sweeps(w);
    return HX_OK;
}

hx_status hxi_sweeps_make(const hxi_work *work, hxi_sweeps *sweeps)
{
    sweeper w = {work, 1, NULL, sweeps};
    *sweeps = (hxi_sweeps){0};
    sweeps->swept = hxi_memory_get((size_t)work->segments->count, 1, purpose);
    if (!sweeps->swept) {
        return HX_ERR_MEMORY;
    }
    if (work->scope == HX_ONE_MESSAGE || work->exchange->operation != HX_COPY || !is_large(work->segments)) {
        return HX_OK;
    }
    for (int a = 0; a < work->spec->axes; ++a) {
        w.directions *= 3;
    }
    const size_t rows = (size_t)work->mine->blocks * (size_t)work->exchange->fields;
    w.feeding = hxi_memory_get(rows * (size_t)w.directions, sizeof *w.feeding, purpose);
    if (!w.feeding) {
        return HX_ERR_MEMORY;
    }
    for (size_t i = 0; i < rows * (size_t)w.directions; ++i) {
        w.feeding[i] = NONE;
    }
    find_feeding(&w);
    const hx_status status = make(&w);
    hxi_memory_free(w.feeding);
    return status;
}

void hxi_sweeps_free(hxi_sweeps *sweeps)
{
    hxi_memory_free(sweeps->sweep);
    hxi_memory_free(sweeps->source);
    hxi_memory_free(sweeps->pull);
    hxi_memory_free(sweeps->swept);
    *sweeps = (hxi_sweeps){0};
}
