/*
 * A cycle is a number of steps, which emitted tables describe: how far into the halo each computes, so that the
 * steps behind it, and the cycles behind that, find what they read.  An exchange goes before the first cycle, and
 * then once in so many as are served.  How many, the option says, or the first cycles are measured.
 */
#include "exchange/cycle.h"

#include "audit/audit.h"
#include "audit/layers.h"
#include "base/clock.h"
#include "base/memory.h"
#include "base/status.h"
#include "exchange/alloc.h"
#include "exchange/device_graph.h"
#include "exchange/exchange.h"
#include "exchange/owner.h"
#include "exchange/progress.h"

#include <string.h>

enum {
    MOST_TRIED = 12, /* numbers of cycles that are measured: 1, 2, 3, 4, 6, 9, ... */
    ROUNDS = 5       /* of each; the fastest counts, so that the first, with its page faults, does not */
};

typedef struct hxi_cycle {
    int served;   /* cycles of the exchange that was last; 0: there was none */
    int follow;   /* cycles that follow the one that goes on, before the next exchange */
    void *fields; /* of that one, for audits: a copy of the pointers */
    bool begun;
    uint64_t capture; /* that the last start was in; 0: none */
    bool started;     /* and not finished */
    bool under_way;   /* its exchange */
    /* While it is measured. */
    bool measuring;
    int tries;
    int tried[MOST_TRIED];    /* cycles for an exchange */
    int64_t best[MOST_TRIED]; /* nanoseconds of a cycle; at last of the slowest rank */
    int at;                   /* tries so far, of all rounds */
    double since;             /* when the exchange that is measured began */
    int chosen;               /* once that is known; else 0 */
} hxi_cycle;

/* ---- making -------------------------------------------------------------------------------------------- */

static bool computes_ghosts(const hx_spec *spec, const hx_cycle *cycle)
{
    bool some = false;
    for (int s = 0; s < cycle->steps; ++s) {
        for (int a = 0; a < spec->axes; ++a) {
            some = some || cycle->step[s].layers[0].lo[a] > 0 || cycle->step[s].layers[0].hi[a] > 0;
        }
    }
    return some;
}

static void plan_tries(hxi_cycle *c, int most)
{
    for (int k = 1; k <= most && c->tries < MOST_TRIED; k += k < 4 ? 1 : k / 2) {
        c->tried[c->tries] = k;
        c->best[c->tries++] = INT64_MAX;
    }
    c->measuring = true;
}

hx_status hxi_cycles_make(hx_handle *h)
{
    const hx_spec *spec = h->spec;
    if (spec->cycles == 0) {
        return HX_OK;
    }
    h->cycle = hxi_memory_get((size_t)spec->cycles, sizeof *h->cycle, "the cycles of a spec");
    for (int i = 0; h->cycle && i < spec->cycles; ++i) {
        h->cycle[i].fields =
            hxi_memory_get((size_t)h->mine.blocks, spec->fields_size, "the cycles of a spec");
        if (!h->cycle[i].fields) {
            return HX_ERR_MEMORY;
        }
        /* What a block without an owner would compute, nobody does: no point may be read that it feeds. */
        const int most = h->layout.land > 0 ? 1 : spec->cycle[i].most;
        const int asked = h->options.cycles;
        if (asked == 0 && most > 1) {
            plan_tries(&h->cycle[i], most);
        } else {
            h->cycle[i].chosen = asked > 0 && asked < most ? asked : most;
        }
    }
    return h->cycle ? HX_OK : HX_ERR_MEMORY;
}

void hxi_cycles_free(hx_handle *h)
{
    for (int i = 0; h->cycle && i < h->spec->cycles; ++i) {
        hxi_memory_free(h->cycle[i].fields);
    }
    hxi_memory_free(h->cycle);
    h->cycle = NULL;
}

static const char *chosen_by(const hx_handle *h, const hxi_cycle *c)
{
    return c->tries > 0 ? "what was measured" : h->options.cycles > 0 ? "option cycles" : "the spec";
}

void hxi_cycles_describe(const hx_handle *h, hxi_text *text)
{
    for (int i = 0; i < h->spec->cycles; ++i) {
        const hx_cycle *cycle = &h->spec->cycle[i];
        const hxi_cycle *c = &h->cycle[i];
        hxi_text_add(text, "  cycle %s (line %d): exchange %s serves ", cycle->name, cycle->line,
                     h->spec->exchange[cycle->exchange].name);
        if (c->chosen == 0) {
            hxi_text_add(text, "1 to %d cycles, which are being measured\n", cycle->most);
            continue;
        }
        hxi_text_add(text, "%d of at most %d cycle%s, by %s\n", c->chosen, cycle->most, hxi_s(cycle->most),
                     chosen_by(h, c));
        for (int t = 0; t < c->tries && c->best[t] < INT64_MAX; ++t) {
            hxi_text_add(text, "    %d: %.1f us for a cycle, on the slowest rank\n", c->tried[t],
                         1e-3 * (double)c->best[t]);
        }
    }
}

void hxi_cycles_describe_json(const hx_handle *h, hxi_json *json)
{
    hxi_json_open(json, "cycles", '[');
    for (int i = 0; i < h->spec->cycles; ++i) {
        const hx_cycle *cycle = &h->spec->cycle[i];
        const hxi_cycle *c = &h->cycle[i];
        hxi_json_open(json, NULL, '{');
        hxi_json_string(json, "name", cycle->name);
        hxi_json_number(json, "line", cycle->line);
        hxi_json_number(json, "exchange", cycle->exchange);
        hxi_json_number(json, "most", cycle->most);
        hxi_json_number(json, "serves", c->chosen);
        hxi_json_string(json, "by", c->chosen > 0 ? chosen_by(h, c) : NULL);
        hxi_json_open(json, "measured", '[');
        for (int t = 0; t < c->tries && c->chosen > 0; ++t) {
            hxi_json_open(json, NULL, '{');
            hxi_json_number(json, "cycles", c->tried[t]);
            hxi_json_seconds(json, "seconds", 1e-9 * (double)c->best[t]);
            hxi_json_close(json, '}');
        }
        hxi_json_close(json, ']');
        hxi_json_close(json, '}');
    }
    hxi_json_close(json, ']');
}

/* ---- what is called ------------------------------------------------------------------------------------ */

static hx_status find(const hx_handle *h, int cycle, const char *verb, hxi_cycle **found)
{
    if (!h) {
        return hxi_fail(HX_ERR_ARGUMENT,
                        "The handle that is to %s a cycle is a null pointer; give one that create made.",
                        verb);
    }
    const hx_status status = hxi_owner_check(h, "use a cycle");
    if (status != HX_OK) {
        return status;
    }
    if (cycle < 0 || cycle >= h->spec->cycles) {
        return hxi_fail(HX_ERR_ARGUMENT, "Rank %d was to %s cycle %d; %s has %d, numbered from 0.",
                        h->topology.rank, verb, cycle, h->spec->file, h->spec->cycles);
    }
    if (h->layout.land > 0 && computes_ghosts(h->spec, &h->spec->cycle[cycle])) {
        return hxi_fail(
            HX_ERR_ARGUMENT,
            "%s:%d: cycle \"%s\" computes ghost points, and %d block%s no owner: nobody says what "
            "lies there.  Divide the cycle, and exchange between its steps.",
            h->spec->file, h->spec->cycle[cycle].line, h->spec->cycle[cycle].name, h->layout.land,
            h->layout.land == 1 ? " has" : "s have");
    }
    *found = &h->cycle[cycle];
    return HX_OK;
}

static hx_status start(hx_handle *h, const hx_cycle *cycle, const void *fields, hx_stream stream)
{
    return h->plan[cycle->exchange].device ? hx_start_on(h, cycle->exchange, fields, stream)
                                           : hx_start(h, cycle->exchange, fields);
}

static hx_status finish(hx_handle *h, const hx_cycle *cycle, hx_stream stream)
{
    return h->plan[cycle->exchange].device ? hx_finish_on(h, cycle->exchange, stream)
                                           : hx_finish(h, cycle->exchange);
}

/* A capture runs no cycle, so that there is nothing to measure. */
static hx_status check_chosen(const hx_handle *h, const hx_cycle *cycle, const hxi_cycle *c, uint64_t capture)
{
    return capture == 0 || !c->measuring
               ? HX_OK
               : hxi_fail(
                     HX_ERR_STATE,
                     "%s:%d: the stream is being captured, and how many cycles an exchange serves is still "
                     "being measured on rank %d, by cycles \"%s\" outside of captures.  Say how many, with "
                     "the option cycles or HX_CYCLES: 1 to %d.",
                     h->spec->file, cycle->line, h->topology.rank, cycle->name, cycle->most);
}

/* Of an exchange that has more cycles to serve: no more, and what it took says nothing of so many. */
static void stop(hxi_cycle *c)
{
    c->served = c->follow > 0 ? 0 : c->served;
    c->follow = 0;
}

/* Steps of this cycle write what these took for valid. */
static void stop_others(hx_handle *h, const hx_cycle *cycle)
{
    for (int i = 0; i < cycle->ended; ++i) {
        stop(&h->cycle[cycle->ends[i]]);
    }
}

/* ---- how many cycles an exchange serves ---------------------------------------------------------------- */

/* Collective: what is fastest where the slowest rank counts; of equals the least. */
static hx_status choose(hx_handle *h, void *what, const char *caller, hx_status met)
{
    hxi_cycle *c = what;
    int64_t mine[MOST_TRIED];
    (void)caller;
    memcpy(mine, c->best, sizeof mine);
    hx_status status = hxi_topology_agree(h->topology.comm, met);
    status = status == HX_OK ? hxi_topology_most(&h->topology, mine, c->best, c->tries) : status;
    if (status == HX_OK) {
        int best = 0;
        for (int t = 1; t < c->tries; ++t) {
            best = c->best[t] < c->best[best] ? t : best;
        }
        c->chosen = c->tried[best];
        c->measuring = false;
    }
    return status;
}

/* An exchange is due: what the one before took, with its cycles, is known. */
static hx_status measure(hx_handle *h, hxi_cycle *c)
{
    const double now = hxi_clock();
    if (c->served > 0) {
        const int64_t took = (int64_t)(1e9 * (now - c->since) / c->served);
        int64_t *best = &c->best[(c->at - 1) % c->tries];
        *best = took < *best ? took : *best;
    }
    if (c->at == ROUNDS * c->tries) {
        return hxi_sets_call(h, c, "cycle", choose);
    }
    c->since = now;
    return HX_OK;
}

/* ---- audits -------------------------------------------------------------------------------------------- */

static hxi_layers layers_of(const hx_handle *h, const hx_cycle *cycle, int follow, const void *fields)
{
    const int items = h->spec->exchange[cycle->exchange].fields;
    return (hxi_layers){cycle, &cycle->needs[follow * items], fields};
}

/* A cycle without an exchange takes what one with an exchange does: who makes a mistake hears of it each time. */
static hx_status admit(const hx_handle *h, const hx_cycle *cycle, const void *fields)
{
    hxi_plan *plan = NULL;
    const bool on_device = h->plan[cycle->exchange].device != NULL;
    const hx_status status = hxi_exchange_find(h, cycle->exchange, "start", on_device, &plan);
    return status == HX_OK ? hxi_exchange_take(h, plan, fields, "start") : status;
}

/*
 * Before a cycle without an exchange: do its layers hold what owners have?  One goes all the same, to see.
 * Nobody may compute from what it brings farther out.
 */
static hx_status audit(hx_handle *h, const hx_cycle *cycle, const hxi_layers *layers)
{
    const bool looks = h->audits && hxi_layers_keep(h->audits, layers);
    hx_status status = looks ? start(h, cycle, layers->fields, NULL) : HX_OK;
    status = looks && status == HX_OK ? finish(h, cycle, NULL) : status;
    return looks && status == HX_OK ? hxi_layers_compare(h->audits, layers) : status;
}

/* ---- the calls ----------------------------------------------------------------------------------------- */

/* A cycle that needs no exchange: the one before it brought what it reads. */
static hx_status go_without(hx_handle *h, const hx_cycle *cycle, hxi_cycle *c, const void *fields)
{
    hx_status status = admit(h, cycle, fields);
    if (status != HX_OK) {
        return status; /* none of those that follow, or ranks would serve different numbers */
    }
    c->follow--;
    const hxi_layers layers = layers_of(h, cycle, c->follow, fields);
    status = audit(h, cycle, &layers);
    c->started = status == HX_OK;
    return status;
}

static hx_status go_with_exchange(hx_handle *h, const hx_cycle *cycle, hxi_cycle *c, const void *fields,
                                  hx_stream stream)
{
    hx_status status = c->measuring ? measure(h, c) : HX_OK;
    status = status == HX_OK ? start(h, cycle, fields, stream) : status;
    if (status == HX_OK) {
        /* Only now: a start that this rank alone has to repeat is one try, as on all others. */
        c->served = c->measuring ? c->tried[c->at++ % c->tries] : c->chosen;
        c->follow = c->served - 1;
        c->begun = true;
        c->started = true;
        c->under_way = true;
    }
    return status;
}

hx_status hx_cycle_start(hx_handle *h, int cycle, const void *fields, hx_stream stream)
{
    hxi_cycle *c = NULL;
    hx_status status = find(h, cycle, "start", &c);
    if (status != HX_OK) {
        return status;
    }
    const hx_cycle *described = &h->spec->cycle[cycle];
    if (c->started) {
        return hxi_fail(HX_ERR_STATE,
                        "%s:%d: cycle \"%s\" was started twice on rank %d; finish it in between.",
                        h->spec->file, described->line, described->name, h->topology.rank);
    }
    uint64_t capture = 0;
    status = hxi_device_graph_asked(h, described->exchange, stream, "start", &capture);
    status = status == HX_OK ? check_chosen(h, described, c, capture) : status;
    if (status != HX_OK) {
        return status;
    }
    stop_others(h, described);
    if (h->audits && fields) {
        memcpy(c->fields, fields, (size_t)h->mine.blocks * h->spec->fields_size);
    }
    /* What is captured runs when its graph does: it is served by exchanges of the same capture, and serves no others. */
    if (c->capture != capture) {
        stop(c);
        c->capture = capture;
    }
    return c->begun && c->follow > 0 ? go_without(h, described, c, fields)
                                     : go_with_exchange(h, described, c, fields, stream);
}

hx_status hx_cycle_finish(hx_handle *h, int cycle, hx_stream stream)
{
    hxi_cycle *c = NULL;
    hx_status status = find(h, cycle, "finish", &c);
    if (status != HX_OK) {
        return status;
    }
    const hx_cycle *described = &h->spec->cycle[cycle];
    if (!c->started) {
        return hxi_fail(
            HX_ERR_STATE,
            "%s:%d: cycle \"%s\" was finished on rank %d without having been started; start it first.",
            h->spec->file, described->line, described->name, h->topology.rank);
    }
    if (c->under_way) {
        status = finish(h, described, stream);
        /* It may have to wait for another exchange, that was started earlier. */
        c->under_way = h->plan[described->exchange].state != HX_PLAN_IDLE;
    }
    c->started = c->under_way;
    if (status == HX_OK && h->audits) {
        const hxi_layers layers = layers_of(h, described, c->follow, c->fields);
        hxi_layers_poison(h->audits, &layers);
    }
    return status;
}

hx_status hx_cycle_restart(hx_handle *h, int cycle)
{
    hxi_cycle *c = NULL;
    const hx_status status = find(h, cycle, "restart", &c);
    if (status == HX_OK) {
        stop(c);
    }
    return status;
}

/* ---- where steps compute ------------------------------------------------------------------------------- */

/* Is the side of a tile joined to another one, or to itself? */
static bool is_joined(const hx_spec *spec, int tile, int axis, int side)
{
    bool joined = false;
    for (int p = 0; p < spec->position_classes; ++p) {
        for (int l = 0; l < spec->positions[p].links; ++l) {
            const hx_tile_link *link = &spec->positions[p].link[l];
            int across = 0;
            for (int a = 0; a < spec->axes; ++a) {
                across += link->direction[a] != 0;
            }
            joined = joined || (link->tile == tile && across == 1 && link->direction[axis] == side);
        }
    }
    return joined;
}

/* Of so many layers beyond a side of a block those that end at no wall. */
static int layers_before_wall(const hx_handle *h, const hxi_block *block, int axis, int side, int layers)
{
    const hxi_tile *tile = &h->layout.tile[block->tile];
    int index[HX_MAX_AXES];
    if (layers == 0 || is_joined(h->spec, block->tile, axis, side)) {
        return layers;
    }
    hxi_layout_index(&h->layout, block->tile, block->number, index);
    const int cut = hxi_tile_cut(tile, axis, index[axis] + (side < 0 ? 0 : 1));
    const int cells = side < 0 ? cut : tile->cells[axis] - cut;
    return layers < cells ? layers : cells;
}

hx_boxes hx_cycle_points(const hx_handle *h, int cycle, int step, int block, int field)
{
    hx_boxes boxes = {.points = 0};
    if (!h || cycle < 0 || cycle >= h->spec->cycles || step < 0 || step >= h->spec->cycle[cycle].steps ||
        block < 0 || block >= h->mine.blocks || field < 0 || field >= h->spec->fields ||
        !h->cycle[cycle].begun) {
        return boxes;
    }
    const hx_spec *spec = h->spec;
    const hx_layers *layers = &spec->cycle[cycle].step[step].layers[h->cycle[cycle].follow];
    const hxi_block *mine = &h->mine.block[block];
    hx_box *box = &boxes.box[0];
    box->points = 1;
    for (int a = 0; a < HX_MAX_AXES; ++a) {
        const bool there = a < spec->axes;
        const int extra = there ? spec->positions[spec->field[field].positions].extra[a] : 0;
        box->lo[a] = there ? -layers_before_wall(h, mine, a, -1, layers->lo[a]) : 0;
        box->hi[a] = there ? mine->cells[a] + extra + layers_before_wall(h, mine, a, 1, layers->hi[a]) : 1;
        box->points *= (size_t)(box->hi[a] - box->lo[a]);
    }
    boxes.count = box->points > 0;
    boxes.points = box->points;
    return boxes;
}
