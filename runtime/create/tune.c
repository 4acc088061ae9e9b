#include "create/tune.h"

#include "base/clock.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/status.h"
#include "base/text.h"
#include "create/tune_arrays.h"
#include "create/tune_file.h"
#include "create/tune_key.h"
#include "create/tune_rounds.h"
#include "exchange/exchange.h"
#include "exchange/handle.h"

#include <stdlib.h>
#include <string.h>

/* How long a round may take; where ranks are threads, time is something else. */
#ifndef HX_TUNE_SECONDS
#define HX_TUNE_SECONDS 10
#endif

enum { BETTER_PERCENT = 5 };

/* For all that is measured; what has begun when they are over is brought to its end. */
enum { MILLISECONDS = 50 };
static const int64_t nanoseconds = MILLISECONDS * INT64_C(1000000);

static const char purpose[] = "measuring";

typedef struct tuner {
    hx_handle *handle; /* as it is without measuring */
    const hx_blocks *blocks;
    const void *shapes;
    hxi_candidate candidate[HX_CANDIDATES];
    int candidates;
    int exchanges;
    double begun; /* by this rank's clock */
    int to_do;    /* pairs of an exchange and a candidate that are still to be measured */
    hxi_tuned *tuned;
    unsigned *open;                   /* by exchange: candidates to choose from, by bit */
    int64_t (*figure)[HX_CANDIDATES]; /* by exchange: nanoseconds */
    hxi_tune_entry *entry;            /* by exchange: what is in the file, or to be written */
    int64_t *mine;                    /* what this rank tells, ... */
    int64_t *most;                    /* ... and the most of all ranks */
    bool *needed;                     /* by field: of those of exchanges that are measured, ... */
    void *fields;                     /* ... these are pointers to arrays, */
    hxi_sets scratch;                 /* which are these */
} tuner;

/* What ranks tell of each exchange before anything is measured, and once. */
enum { HAS_MESSAGES, HAS_NEIGHBORS_IN_NODE, MAY_COPY, MAY_STREAM, FACTS };

/* ---- candidates ---------------------------------------------------------------------------------------- */

static bool may_tune(const hx_handle *h)
{
    const hxi_transport *transport = hxi_transport_named(h->options.transport);
    return h->options.tune && transport && (transport->flags & HX_TRANSPORT_AUTO) != 0;
}

/* The default comes first, and all transports with the default schedule before any with the other one. */
static void list_candidates(tuner *t)
{
    const hx_handle *h = t->handle;
    hxi_schedule schedule[] = {HX_SCHEDULE_AUTO, HX_SCHEDULE_ONE_PHASE};
    hxi_schedule_named(h->options.schedule, &schedule[0]);
    if (schedule[0] == HX_SCHEDULE_AUTO) {
        schedule[0] = hxi_schedule_default(h->topology.one_machine);
    }
    for (int s = 0; s < (hxi_tuned_has_schedules(&h->options, &h->topology) ? 2 : 1); ++s) {
        for (int i = 0; hxi_transport_at(i) && t->candidates < HX_CANDIDATES - 1; ++i) {
            const hxi_transport *transport = hxi_transport_at(i);
            const bool meant = h->why.any_transport ? (transport->flags & HX_TRANSPORT_AUTO) != 0
                                                    : transport == hxi_transport_named(h->options.transport);
            if (meant) {
                t->candidate[t->candidates++] = (hxi_candidate){transport, schedule[s], HX_MESSAGES_AUTO};
            }
        }
    }
    hxi_messages asked = HX_MESSAGES_AUTO;
    if (h->device && hxi_messages_named(h->options.device_messages, &asked) && asked == HX_MESSAGES_AUTO) {
        t->candidate[t->candidates] = t->candidate[0];
        t->candidate[t->candidates++].messages = HX_MESSAGES_COPIED;
    }
    if (h->device && h->why.any_transport) {
        t->candidate[t->candidates] = t->candidate[0];
        t->candidate[t->candidates++].transport = &hxi_transport_nccl;
    }
}

/* Messages between devices that are in no boxes, as between nodes, by NCCL, where that is to be had. */
static bool is_streamed(const hxi_candidate *c)
{
    return (c->transport->flags & HX_TRANSPORT_STREAM) != 0;
}

static bool can_go_by_dimension(const hx_handle *h, int exchange)
{
    const hxi_schedule_request requested = {.schedule = HX_SCHEDULE_BY_DIMENSION, .by = ""};
    return hxi_schedule_choose(h->spec, &h->spec->exchange[exchange], &h->layout, &requested).by_dimension;
}

/* Of an exchange that has fields on a device. */
static bool may_lie(const hx_handle *h, const hxi_plan *plan, hxi_messages messages)
{
    const hxi_message_placing asked = {.messages = messages};
    const char *transport = plan->routes.transport[plan->routes.transports - 1]->name;
    return hxi_messages_choose(h->spec, plan->exchange, &h->options, hxi_transport_by_hand(transport), &asked)
               .messages == messages;
}

static void note_facts(const hx_handle *h, int exchange, int64_t fact[FACTS])
{
    const hxi_plan *plan = &h->plan[exchange];
    const hxi_routes *routes = &plan->routes;
    fact[HAS_MESSAGES] = routes->routes > 0;
    for (int i = 0; i < routes->routes; ++i) {
        const unsigned flags = routes->transport[routes->route[i].transport]->flags;
        const bool in_boxes = (flags & HX_TRANSPORT_BOXES) != 0 && h->boxes->shared.usable;
        if ((flags & (HX_TRANSPORT_NODE | HX_TRANSPORT_BOXES)) == HX_TRANSPORT_NODE &&
            h->board.memory.shared) {
            fact[HAS_NEIGHBORS_IN_NODE] = 1;
        }
        if (plan->device && !in_boxes) {
            fact[MAY_COPY] = may_lie(h, plan, HX_MESSAGES_COPIED);
            fact[MAY_STREAM] = !h->options.check && !hxi_device_mixes(h->spec, plan->exchange);
        }
    }
}

/* Does a candidate make a difference to an exchange? */
static bool differs(const tuner *t, int exchange, int candidate, const int64_t fact[FACTS])
{
    const hxi_candidate *usual = &t->candidate[0];
    const hxi_candidate *c = &t->candidate[candidate];
    const bool within_node = (usual->transport->flags & HX_TRANSPORT_NODE) != 0;
    const bool same =
        c->transport == usual->transport || !fact[HAS_MESSAGES] ||
        (within_node && !fact[HAS_NEIGHBORS_IN_NODE] && c->transport == &hxi_transport_persistent);
    if (c->messages == HX_MESSAGES_COPIED) {
        return fact[MAY_COPY] != 0;
    }
    if (is_streamed(c)) {
        return fact[MAY_STREAM] != 0;
    }
    if (c->transport != usual->transport && same) {
        return false;
    }
    return c->schedule == usual->schedule || can_go_by_dimension(t->handle, exchange);
}

/* Collective.  From which candidates each exchange can choose. */
static hx_status open_candidates(tuner *t)
{
    const hx_handle *h = t->handle;
    for (int e = 0; e < t->exchanges; ++e) {
        note_facts(h, e, t->mine + e * FACTS);
    }
    const hx_status status = hxi_topology_most(&h->topology, t->mine, t->most, t->exchanges * FACTS);
    for (int e = 0; e < t->exchanges && status == HX_OK; ++e) {
        int open = 0;
        for (int c = 0; c < t->candidates; ++c) {
            if (differs(t, e, c, t->most + e * FACTS)) {
                t->open[e] |= 1u << c;
                ++open;
            }
        }
        t->open[e] = open > 1 ? t->open[e] : 0;
    }
    return hxi_topology_agree(h->topology.comm, status);
}

/* ---- measuring ----------------------------------------------------------------------------------------- */

/* Walls are none of a transport's business. */
static void fill_nothing(void *context, const hx_wall *wall)
{
    (void)context;
    (void)wall;
}

static void fill_nothing_on(void *context, const hx_wall *wall, hx_stream stream)
{
    (void)stream;
    fill_nothing(context, wall);
}

/* Collective.  How many nanoseconds there are, as the slowest rank sees it. */
static hx_status look_at_time(const tuner *t, int64_t *left)
{
    const hxi_topology *topology = &t->handle->topology;
    t->mine[0] = (int64_t)(1e9 * (hxi_clock() - t->begun));
    const hx_status status =
        hxi_topology_agree(topology->comm, hxi_topology_most(topology, t->mine, t->most, 1));
    *left = status == HX_OK ? nanoseconds - t->most[0] : 0;
    return status;
}

/* Collective.  Half of the time is for rounds, the other half for making handles and arrays. */
static hx_status measure_exchange(tuner *t, hx_handle *trial, int exchange, int candidate)
{
    const hxi_tune_rounds rounds = {
        .topology = &t->handle->topology, .fields = t->fields, .mine = t->mine, .most = t->most};
    int64_t left = 0;
    hx_status status = look_at_time(t, &left);
    if (status == HX_OK && left > 0) {
        status =
            hxi_tune_measure(&rounds, trial, exchange, left / 2 / t->to_do, &t->figure[exchange][candidate]);
    }
    t->to_do--;
    return status;
}

/* Collective.  All exchanges that may take the candidate. */
static hx_status measure_exchanges(tuner *t, hx_handle *trial, int candidate)
{
    hx_status status = HX_OK;
    for (int e = 0; e < t->exchanges && status == HX_OK; ++e) {
        if ((t->open[e] >> candidate & 1u) != 0) {
            status = measure_exchange(t, trial, e, candidate);
        }
    }
    trial->broken = status; /* on all ranks: messages of some may still be under way */
    return status;
}

/* Collective.  The arrays are those of the trial before, so that they are made once. */
static hx_status try_candidate(tuner *t, int candidate)
{
    const hxi_candidate *c = &t->candidate[candidate];
    hx_handle model = {.spec = t->handle->spec,
                       .options = t->handle->options,
                       .why = t->handle->why,
                       .given = t->handle->given,
                       .nccl = is_streamed(c) ? t->handle->nccl : NULL};
    model.options.transport = c->transport->name;
    model.options.schedule = hxi_schedule_name(c->schedule);
    model.options.device_messages = hxi_messages_name(c->messages);
    model.options.deadline = HX_TUNE_SECONDS;
    model.options.deadline_exit = 0;
    model.options.timing = 0;
    model.options.pool = NULL;
    model.options.log_level = HX_LOG_NONE;
    hx_handle *trial = NULL;
    hx_status status = hxi_handle_make_like(&model, t->blocks, t->shapes, &trial);
    if (status != HX_OK) {
        return status;
    }
    hx_set_boundary(trial, fill_nothing, NULL);
    hx_set_boundary_on(trial, fill_nothing_on, NULL);
    trial->sets = t->scratch;
    t->scratch = (hxi_sets){0};
    if (!trial->sets.first) {
        trial->sets.lent = true;
        trial->sets.needed = t->needed;
        trial->sets.real = HX_TUNE_REAL;
        status = hx_alloc(trial, t->fields);
    }
    status = status == HX_OK ? measure_exchanges(t, trial, candidate) : status;
    if (status == HX_OK) {
        t->scratch = trial->sets;
        trial->sets = (hxi_sets){0};
    }
    hxi_first first = {0};
    hxi_first_note(&first, status);
    hx_destroy(trial);
    return hxi_first_tell(&first);
}

/* ---- choosing ------------------------------------------------------------------------------------------ */

int hxi_tune_choose(const int64_t figure[], int count)
{
    int best = 0;
    for (int c = 1; c < count; ++c) {
        if (figure[c] > 0 && figure[c] < figure[best]) {
            best = c;
        }
    }
    return 100 * figure[best] <= (100 - BETTER_PERCENT) * figure[0] ? best : 0;
}

/* What tells a candidate from others; of exchanges on devices, how messages lie. */
static const char *name_of(const tuner *t, int exchange, int candidate)
{
    const hxi_candidate *c = &t->candidate[candidate];
    if (!t->handle->plan[exchange].device || is_streamed(c)) {
        return c->transport->name;
    }
    return hxi_messages_name(c->messages == HX_MESSAGES_AUTO ? HX_MESSAGES_MAPPED : c->messages);
}

static void add_figure(const tuner *t, int exchange, int candidate, hxi_text *text)
{
    const hxi_candidate *c = &t->candidate[candidate];
    const bool schedules = hxi_tuned_has_schedules(&t->handle->options, &t->handle->topology) &&
                           can_go_by_dimension(t->handle, exchange);
    hxi_text_add(text, "%s%s%s%s %.1f us", text->length == 0 ? "" : ", ", name_of(t, exchange, candidate),
                 schedules ? " " : "", schedules ? hxi_schedule_name(c->schedule) : "",
                 1e-3 * (double)t->figure[exchange][candidate]);
}

/* What was taken, then the others. */
static void tell_figures(const tuner *t, int exchange, int taken, char *figures, size_t size)
{
    hxi_text text = {figures, size, 0};
    add_figure(t, exchange, taken, &text);
    for (int c = 0; c < t->candidates; ++c) {
        if (c != taken && (t->open[exchange] >> c & 1u) != 0) {
            add_figure(t, exchange, c, &text);
        }
    }
}

static void take(const tuner *t, int exchange, int candidate)
{
    hxi_candidate *taken = &t->tuned[exchange].taken;
    *taken = t->candidate[candidate];
    if (t->handle->plan[exchange].device) {
        hxi_messages_named(name_of(t, exchange, candidate), &taken->messages);
    }
}

/* Drops candidates for which there was no time; false: too few are left to choose. */
static bool drop_unmeasured(tuner *t, int exchange)
{
    int measured = 0;
    for (int c = 0; c < t->candidates; ++c) {
        const bool known = t->figure[exchange][c] > 0;
        t->open[exchange] &= known ? ~0u : ~(1u << c);
        measured += known;
    }
    return measured > 1 && t->figure[exchange][0] > 0;
}

/* What was measured in part is not kept for later. */
static void choose(tuner *t, int exchange)
{
    const unsigned open = t->open[exchange];
    hxi_tuned *tuned = &t->tuned[exchange];
    hxi_tune_entry *entry = &t->entry[exchange];
    hxi_text text = {tuned->about, sizeof tuned->about, 0};
    if (!drop_unmeasured(t, exchange)) {
        hxi_text_add(&text, "not measured: it takes longer than the %d ms that there are", (int)MILLISECONDS);
        entry->key[0] = '\0';
        return;
    }
    const int taken = hxi_tune_choose(t->figure[exchange], t->candidates);
    take(t, exchange, taken);
    tell_figures(t, exchange, taken, entry->figures, sizeof entry->figures);
    hxi_text_add(&text, "measured: %s%s", entry->figures,
                 open == t->open[exchange] ? "" : "; there was no time for more");
    if (open != t->open[exchange]) {
        entry->key[0] = '\0';
    }
    hxi_text transport = {entry->transport, sizeof entry->transport, 0};
    hxi_text_add(&transport, "%s", name_of(t, exchange, taken));
    hxi_text schedule = {entry->schedule, sizeof entry->schedule, 0};
    hxi_text_add(&schedule, "%s", hxi_schedule_name(tuned->taken.schedule));
}

/* ---- the file ------------------------------------------------------------------------------------------ */

static bool has_file(const hx_handle *h)
{
    return h->topology.rank == 0 && h->options.tune_file && h->options.tune_file[0] != '\0';
}

/* The candidate that an entry names; -1: none that the exchange can choose. */
static int find_candidate(const tuner *t, int exchange, const hxi_tune_entry *entry)
{
    for (int c = 0; c < t->candidates; ++c) {
        if ((t->open[exchange] >> c & 1u) != 0 && strcmp(entry->transport, name_of(t, exchange, c)) == 0 &&
            strcmp(entry->schedule, hxi_schedule_name(t->candidate[c].schedule)) == 0) {
            return c;
        }
    }
    return -1;
}

/* Collective.  What rank 0 finds in its file counts for all.  *writes: this rank has a file to write to. */
static hx_status read_file(tuner *t, bool *writes)
{
    const hx_handle *h = t->handle;
    *writes = false;
    if (has_file(h)) {
        for (int e = 0; e < t->exchanges; ++e) {
            if (t->open[e] != 0) {
                hxi_tune_key(h, e, t->entry[e].key, sizeof t->entry[e].key);
            }
        }
        *writes = hxi_tune_file_read(&h->options, t->entry, t->exchanges);
    }
    const size_t bytes = (size_t)t->exchanges * sizeof *t->entry;
    return hxi_topology_agree(h->topology.comm, hxi_topology_tell(&h->topology, t->entry, bytes));
}

static void take_entry(tuner *t, int exchange)
{
    const hx_handle *h = t->handle;
    hxi_tune_entry *entry = &t->entry[exchange];
    hxi_tuned *tuned = &t->tuned[exchange];
    hxi_text text = {tuned->about, sizeof tuned->about, 0};
    take(t, exchange, find_candidate(t, exchange, entry));
    tuned->stored = true;
    hxi_text_add(&text, "measured before: %s (%s)", entry->figures,
                 h->topology.rank == 0 ? h->options.tune_file : "tune_file of rank 0");
    entry->key[0] = '\0'; /* not to be written again */
    t->open[exchange] = 0;
}

static void take_stored(tuner *t)
{
    const hx_handle *h = t->handle;
    for (int e = 0; e < t->exchanges; ++e) {
        hxi_tune_entry *entry = &t->entry[e];
        if (entry->found && find_candidate(t, e, entry) >= 0) {
            take_entry(t, e);
        } else if (entry->found) {
            entry->found = false;
            if (h->topology.rank == 0) {
                hxi_log(
                    &h->options, HX_LOG_WARNING,
                    "%s: what it has for exchange \"%s\" of %s, \"%s\" with schedule \"%s\", cannot be chosen "
                    "here; it is measured again",
                    h->options.tune_file, h->spec->exchange[e].name, h->spec->file, entry->transport,
                    entry->schedule);
            }
        }
    }
}

/* ---- the whole ----------------------------------------------------------------------------------------- */

static hx_status make_room(tuner *t)
{
    const hx_handle *h = t->handle;
    const size_t count = (size_t)t->exchanges;
    const size_t numbers = count * FACTS + HX_TUNE_ROUNDS + (size_t)h->spec->fields;
    t->tuned = hxi_memory_get(count, sizeof *t->tuned, purpose);
    t->open = hxi_memory_get(count, sizeof *t->open, purpose);
    t->figure = hxi_memory_get(count, sizeof *t->figure, purpose);
    t->entry = hxi_memory_get(count, sizeof *t->entry, purpose);
    t->mine = hxi_memory_get(numbers, sizeof *t->mine, purpose);
    t->most = hxi_memory_get(numbers, sizeof *t->most, purpose);
    t->needed = hxi_memory_get((size_t)h->spec->fields, sizeof *t->needed, purpose);
    t->fields = hxi_memory_get((size_t)h->mine.blocks, h->spec->fields_size, purpose);
    return t->tuned && t->open && t->figure && t->entry && t->mine && t->most && t->needed && t->fields
               ? HX_OK
               : HX_ERR_MEMORY;
}

static void release(tuner *t)
{
    hxi_sets_free(&t->scratch, false);
    hxi_memory_free(t->tuned);
    hxi_memory_free(t->open);
    hxi_memory_free(t->figure);
    hxi_memory_free(t->entry);
    hxi_memory_free(t->mine);
    hxi_memory_free(t->most);
    hxi_memory_free(t->needed);
    hxi_memory_free(t->fields);
}

/* Candidates that some exchange can choose, by bit. */
static unsigned find_open(const tuner *t)
{
    unsigned open = 0;
    for (int e = 0; e < t->exchanges; ++e) {
        open |= t->open[e];
    }
    return open;
}

static int count_open(const tuner *t)
{
    int open = 0;
    for (int e = 0; e < t->exchanges; ++e) {
        for (int c = 0; c < t->candidates; ++c) {
            open += (int)(t->open[e] >> c & 1u);
        }
    }
    return open;
}

/* Collective. */
static hx_status measure_open(tuner *t)
{
    const unsigned open = find_open(t);
    if (open == 0) {
        return HX_OK;
    }
    t->to_do = count_open(t);
    int64_t left = nanoseconds;
    hx_status status = HX_OK;
    for (int c = 0; c < t->candidates && status == HX_OK && left > 0; ++c) {
        if ((open >> c & 1u) != 0) {
            status = try_candidate(t, c);
            status = status == HX_OK ? look_at_time(t, &left) : status;
        }
    }
    int known = 0; /* from before, too */
    for (int e = 0; e < t->exchanges && status == HX_OK; ++e) {
        if (t->open[e] != 0) {
            choose(t, e);
        }
        known += t->tuned[e].taken.transport != NULL;
    }
    return status != HX_OK || known > 0
               ? status
               : hxi_fail(HX_ERR_LIMIT, "It takes longer than the %d ms that there are.", (int)MILLISECONDS);
}

/* Is it measured, or does the file say that it is best? */
static bool is_needed(const tuner *t, int candidate)
{
    for (int e = 0; e < t->exchanges; ++e) {
        const int stored = t->entry[e].found ? find_candidate(t, e, &t->entry[e]) : -1;
        if ((t->open[e] >> candidate & 1u) != 0 && (stored < 0 || stored == candidate)) {
            return true;
        }
    }
    return false;
}

/*
 * Collective.  Joining NCCL takes longer than there is time for, and is none of what is measured.  Where it
 * cannot be had nothing is said: nobody has asked for it.
 */
static hx_status open_streams(tuner *t)
{
    int streamed = -1;
    for (int c = 0; c < t->candidates; ++c) {
        streamed = is_streamed(&t->candidate[c]) ? c : streamed;
    }
    if (streamed < 0 || !is_needed(t, streamed)) {
        return HX_OK;
    }
    const double before = hxi_clock();
    const hx_status status = hxi_handle_open_nccl(t->handle);
    t->begun += hxi_clock() - before;
    for (int e = 0; e < t->exchanges && !hxi_nccl_usable(t->handle->nccl); ++e) {
        t->open[e] &= ~(1u << streamed);
        t->open[e] = (t->open[e] & (t->open[e] - 1)) != 0 ? t->open[e] : 0;
    }
    return status;
}

/* Collective. */
static hx_status tune(tuner *t)
{
    const hx_handle *h = t->handle;
    hx_status status = hxi_topology_agree(h->topology.comm, make_room(t));
    if (status == HX_OK) {
        list_candidates(t);
        status = open_candidates(t);
    }
    if (status != HX_OK || find_open(t) == 0) {
        return status;
    }
    bool writes;
    status = read_file(t, &writes);
    status = status == HX_OK ? open_streams(t) : status;
    if (status == HX_OK) {
        take_stored(t);
        status = hxi_tune_choose_arrays(h, t->open, t->tuned, t->needed, t->mine, t->most);
    }
    status = status == HX_OK ? measure_open(t) : status;
    if (status == HX_OK && writes && find_open(t) != 0) {
        hxi_tune_file_write(&h->options, t->entry, t->exchanges);
    }
    return status;
}

/* All is as it was measured to be best. */
static void keep(tuner *t, hx_handle *h)
{
    for (int e = 0; e < t->exchanges; ++e) {
        if (t->tuned[e].taken.transport && hxi_tuned_has_schedules(&h->options, &h->topology) &&
            can_go_by_dimension(h, e)) {
            h->plan[e].schedule.why = hxi_tuned_by(&t->tuned[e]);
        }
        if (t->tuned[e].taken.messages != HX_MESSAGES_AUTO) {
            h->plan[e].placing.why = hxi_tuned_by(&t->tuned[e]);
        }
    }
    h->tuned = t->tuned;
    t->tuned = NULL;
}

/* Collective.  Something else than the default is better. */
static hx_status replace(tuner *t, hx_handle **handle)
{
    const hx_handle *h = *handle;
    const hx_handle model = {.spec = h->spec,
                             .options = h->options,
                             .why = h->why,
                             .tuned = t->tuned,
                             .given = h->given,
                             .nccl = h->nccl};
    hx_handle *made = NULL;
    const hx_status status = hxi_handle_make_like(&model, t->blocks, t->shapes, &made);
    if (status == HX_OK) {
        t->tuned = NULL;
        hx_destroy(*handle);
        *handle = made;
    }
    return status;
}

/* Collective. */
static hx_status apply(tuner *t, hx_handle **handle)
{
    int tuned = 0;
    int others = 0;
    for (int e = 0; e < t->exchanges; ++e) {
        const hxi_candidate *taken = &t->tuned[e].taken;
        tuned += taken->transport != NULL;
        others += taken->transport &&
                  (taken->transport != t->candidate[0].transport ||
                   taken->schedule != t->candidate[0].schedule || taken->messages > HX_MESSAGES_MAPPED);
    }
    if (others > 0) {
        return replace(t, handle);
    }
    if (tuned > 0) {
        keep(t, *handle);
    }
    return HX_OK;
}

/* What was opened to be measured, and not taken. */
static void drop_nccl(hx_handle *h)
{
    bool wanted = false;
    for (int e = 0; e < h->plans; ++e) {
        wanted = wanted || hxi_plan_wants_stream(&h->plan[e]);
    }
    if (!wanted) {
        hxi_nccl_close(h->nccl, 0);
        h->nccl = NULL;
    }
}

/* The first rank tells what came of it. */
static void tell(const hx_handle *h)
{
    if (h->topology.rank != 0) {
        return;
    }
    if (h->untuned[0] != '\0') {
        hxi_log(&h->options, HX_LOG_WARNING, "%s: nothing was measured (option tune): %s", h->spec->file,
                h->untuned);
    }
    for (int e = 0; e < h->plans; ++e) {
        if (h->tuned && h->tuned[e].about[0] != '\0') {
            hxi_log(&h->options, h->tuned[e].taken.transport ? HX_LOG_INFO : HX_LOG_WARNING,
                    "%s:%d: exchange \"%s\", %s", h->spec->file, h->plan[e].exchange->line,
                    h->plan[e].exchange->name, h->tuned[e].about);
        }
    }
}

void hxi_tune(hx_handle **handle, const hx_blocks *blocks, const void *shapes)
{
    if (!may_tune(*handle)) {
        return;
    }
    tuner t = {.handle = *handle,
               .blocks = blocks,
               .shapes = shapes,
               .exchanges = (*handle)->plans,
               .begun = hxi_clock()};
    hx_status status = tune(&t);
    status = status == HX_OK ? apply(&t, handle) : status;
    if (status != HX_OK) {
        hxi_text text = {(*handle)->untuned, sizeof(*handle)->untuned, 0};
        hxi_text_add(&text, "%s", hx_last_error());
    }
    drop_nccl(*handle);
    release(&t);
    tell(*handle);
}
