#include "observe/stats.h"

#include "base/atomic_file.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/status.h"
#include "comm/final_gather.h"
#include "comm/vote.h"
#include "exchange/alloc.h"
#include "exchange/asked.h"
#include "exchange/observe.h"
#include "exchange/run_name.h"
#include "observe/clocks.h"
#include "observe/copy_rate.h"
#include "observe/stats_account.h"
#include "observe/stats_json.h"
#include "observe/stats_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char purpose[] = "what HX_STATS asks for";

static atomic_int handles; /* whose first rank is this process */

/* Of one handle. */
typedef struct hxi_stats {
    hxi_kept kept; /* where MPI still reads what was told when the deadline passed */
    hxi_final_gather gather;
    hx_handle *handle; /* NULL: it was destroyed */
    hxi_collection collection;
    hxi_telling telling;
    hxi_clock_line clock;
    hxi_clock_trips trips;
    hxi_vote vote;
    bool begun; /* telling has */
    bool abandoned;
    hx_status written; /* how the last report went */
    /* Rank 0's. */
    const char *path; /* where it is to go now; NULL: standard error */
    char *last;       /* in MPI_Finalize, likewise */
    char *words;      /* of the report, one behind the other */
    hxi_report_name *name;
    hxi_report report;
} hxi_stats;

/* Always to standard error: somebody asked for statistics, and functions for the log may be gone. */
static void warn(const char *spec)
{
    const hx_options loud = {.log_level = HX_LOG_WARNING};
    hxi_log(&loud, HX_LOG_WARNING, "%s: HX_STATS: %s", spec, hx_last_error());
}

/* ---- create -------------------------------------------------------------------------------------------- */

/* The handle, and the code with its tables, may be gone when the report is written. */
static const char *keep_word(hxi_text *text, const char *word)
{
    const char *kept = text->at ? text->at + text->length : NULL;
    hxi_text_add(text, "%s", word);
    text->length++; /* the zero behind it */
    return kept;
}

static void keep_words(const hx_spec *spec, hxi_stats *stats, hxi_text *text)
{
    stats->report.spec = keep_word(text, spec->name);
    stats->report.file = keep_word(text, spec->file);
    for (int e = 0; e < spec->exchanges; ++e) {
        const char *name = keep_word(text, spec->exchange[e].name);
        if (stats->name) {
            stats->name[e] = (hxi_report_name){name, spec->exchange[e].line};
        }
    }
}

static hx_status make_report(const hx_handle *handle, hxi_stats *stats)
{
    const hx_spec *spec = handle->spec;
    hxi_text measure = {0};
    keep_words(spec, stats, &measure);
    stats->words = hxi_memory_get(measure.length, 1, purpose);
    stats->name = hxi_memory_get((size_t)spec->exchanges, sizeof *stats->name, purpose);
    stats->report.rank = hxi_memory_get((size_t)handle->topology.ranks, sizeof *stats->report.rank, purpose);
    const char *asked = getenv("HX_STATS");
    const bool to_file = asked && strcmp(asked, "1") != 0;
    const int number = hxi_run_name_number(&handles);
    if (number == 0) {
        return HX_ERR_LIMIT;
    }
    stats->last = to_file ? hxi_run_name_make(asked, number) : NULL;
    if (!stats->words || !stats->name || !stats->report.rank || (to_file && !stats->last)) {
        return HX_ERR_MEMORY;
    }
    hxi_text text = {stats->words, measure.length, 0};
    keep_words(spec, stats, &text);
    stats->report.hash = spec->hash;
    stats->report.exchange = stats->name;
    stats->report.exchanges = spec->exchanges;
    stats->report.ranks = handle->topology.ranks;
    return HX_OK;
}

static void free_stats(hxi_stats *stats)
{
    hxi_telling_free(&stats->telling);
    hxi_collection_free(&stats->collection);
    hxi_memory_free(stats->last);
    hxi_memory_free(stats->words);
    hxi_memory_free(stats->name);
    hxi_memory_free(stats->report.rank);
    hxi_memory_free(stats);
}

static void note(void *context, const hx_event *event);

/* What it wants now. */
static hxi_observer observer_of(hxi_stats *stats)
{
    return (hxi_observer){note, stats,
                          hxi_collection_kinds(&stats->collection) | HX_EVENT_BIT(HX_EVENT_DESTROYED)};
}

static void note(void *context, const hx_event *event)
{
    hxi_stats *stats = context;
    if (event->kind == HX_EVENT_DESTROYED) {
        stats->handle->stats = NULL;
        stats->handle = NULL;
        return;
    }
    const int timing = stats->collection.timing;
    hxi_collection_note(&stats->collection, event);
    if ((timing > 0) != (stats->collection.timing > 0)) {
        const hxi_observer observer = observer_of(stats);
        hxi_observe_change(stats->handle, &observer);
    }
}

static void prepare(hxi_final_gather *gather);
static bool advance(hxi_final_gather *gather, double waited);
static void take(hxi_final_gather *gather);
static void end(hxi_final_gather *gather);

/* Local; NULL, in words: it failed. */
static hxi_stats *make_stats(hx_handle *handle)
{
    hxi_stats *stats = hxi_memory_get(1, sizeof *stats, purpose);
    if (!stats) {
        return NULL;
    }
    stats->handle = handle;
    stats->gather = (hxi_final_gather){.deadline = handle->options.deadline,
                                       .context = stats,
                                       .prepare = prepare,
                                       .advance = advance,
                                       .take = take,
                                       .end = end};
    hx_status status = hxi_collection_make(handle, &stats->collection);
    status = status == HX_OK ? hxi_telling_make(handle, &stats->collection, &stats->telling) : status;
    if (status == HX_OK && handle->topology.rank == 0) {
        status = make_report(handle, stats);
    }
    if (status == HX_OK) {
        const hxi_observer observer = observer_of(stats);
        status = hxi_observe_add(handle, &observer);
    }
    if (status != HX_OK) {
        free_stats(stats);
    }
    return status == HX_OK ? stats : NULL;
}

/* As long as the messages of an exchange. */
static size_t typical_bytes(const hxi_collection *collection)
{
    const size_t least = 64 << 10;
    const size_t most = 8 << 20;
    size_t bytes = least;
    for (int e = 0; e < collection->exchanges; ++e) {
        const hxi_exchange_counts *c = &collection->exchange[e].counts;
        const size_t moved = (size_t)c->bytes_sent + (size_t)c->bytes_copied;
        bytes = moved > bytes ? moved : bytes;
    }
    return bytes < most ? bytes : most;
}

void hxi_stats_open(hx_handle *handle)
{
    if ((handle->asked & HX_ASKED_STATS) == 0) {
        return;
    }
    hxi_stats *stats = make_stats(handle);
    hx_status status = hxi_final_gather_open(&handle->topology, stats ? &stats->gather : NULL);
    if (status != HX_OK) {
        if (handle->topology.rank == 0) {
            warn(handle->spec->name);
        }
        if (stats) {
            hxi_observe_remove(handle, note, stats);
            free_stats(stats);
        }
        return;
    }
    if (hxi_clocks_compare(handle) != HX_OK && handle->topology.rank == 0) {
        warn(handle->spec->name);
    }
    handle->stats = stats;
    stats->clock = (hxi_clock_line){.ahead = handle->clock.ahead, .since = hxi_clock()};
    stats->collection.counts.uncertain = handle->clock.uncertain;
    stats->collection.counts.copy_rate = hxi_copy_rate(typical_bytes(&stats->collection));
}

/* ---- MPI_Finalize -------------------------------------------------------------------------------------- */

/* From here on nothing is counted: what exchanges a handle would have after MPI_Finalize fail. */
static void prepare(hxi_final_gather *gather)
{
    hxi_stats *stats = gather->context;
    if (stats->handle) {
        hxi_observe_remove(stats->handle, note, stats);
        stats->handle->stats = NULL;
        stats->handle = NULL;
    }
    stats->path = stats->last;
}

/* Half of the deadline is for peers, so that the first rank hears of this one in the other half. */
static bool advance(hxi_final_gather *gather, double waited)
{
    hxi_stats *stats = gather->context;
    hxi_telling *telling = &stats->telling;
    bool through = false;
    hx_status status = HX_OK;
    if (!stats->begun) {
        stats->begun = true;
        status = hxi_telling_begin(gather->comm, &stats->clock, telling);
    }
    status = status == HX_OK ? hxi_telling_advance(telling, &through) : status;
    const bool is_late = gather->deadline > 0.0 && waited > gather->deadline / 2.0;
    if (status == HX_OK && !through && !is_late) {
        return false;
    }
    if (!through) {
        hxi_telling_abandon(telling);
        stats->abandoned = true;
    }
    gather->own = hxi_account_make(telling, &gather->bytes);
    return true;
}

/* Measured first, then written.  NULL: there is no memory. */
static char *write_text(const hxi_report *report, void (*write)(const hxi_report *, hxi_text *))
{
    hxi_text measure = {0};
    write(report, &measure);
    char *text = hxi_memory_get(measure.length + 1, 1, purpose);
    hxi_text written = {text, measure.length + 1, 0};
    if (text) {
        write(report, &written);
    }
    return text;
}

static void write_file(FILE *file, void *context)
{
    fprintf(file, "%s\n", (const char *)context);
}

static hx_status tell_all(hxi_stats *stats)
{
    hxi_report *report = &stats->report;
    hx_status status = hxi_report_finish(report);
    char *text =
        status == HX_OK ? write_text(report, stats->path ? hxi_table_json_write : hxi_table_write) : NULL;
    if (text && stats->path) {
        status = hxi_atomic_file_replace(stats->path, write_file, text);
    } else if (text) {
        fputs(text, stderr);
    }
    hxi_memory_free(text);
    return text ? status : HX_ERR_MEMORY;
}

static void take(hxi_final_gather *gather)
{
    hxi_stats *stats = gather->context;
    hxi_report_take(&stats->report, 0, gather->own, gather->bytes);
    for (int r = 1; r < gather->ranks; ++r) {
        hxi_report_take(&stats->report, r, gather->told[r], gather->told_bytes[r]);
    }
    stats->written = tell_all(stats);
    if (stats->written != HX_OK) {
        warn(stats->report.spec);
    }
}

static void end(hxi_final_gather *gather)
{
    hxi_stats *stats = gather->context;
    if (stats->abandoned) {
        hxi_memory_keep(&stats->kept);
    } else {
        free_stats(stats);
    }
}

/* ---- when the program likes ---------------------------------------------------------------------------- */

typedef struct request {
    const char *file;
} request;

static hx_status wait_for_vote(const hx_handle *handle, hxi_vote *vote)
{
    const double deadline = handle->options.deadline;
    const double end = hxi_clock() + deadline;
    bool done = false;
    hx_status status = hxi_vote_test(vote, &done);
    while (status == HX_OK && !done) {
        hxi_clock_yield();
        status = hxi_vote_test(vote, &done);
        if (status == HX_OK && !done && deadline > 0.0 && hxi_clock() > end) {
            status = hxi_fail(HX_ERR_DEADLINE,
                              "after %g seconds rank %d still waits in stats for what others have met",
                              deadline, handle->topology.rank);
        }
    }
    return status;
}

/* Collective: what the lowest rank met that met something.  Who gave up waiting takes part in nothing any more. */
static hx_status agree(hx_handle *handle, hxi_vote *vote, hx_status met)
{
    const hxi_topology *t = &handle->topology;
    hx_status status = met;
    if (met != HX_ERR_DEADLINE) {
        vote->mine[0] = met == HX_OK ? -t->ranks : -t->rank;
        status = hxi_vote_start(vote, t->comm);
        status = status == HX_OK ? wait_for_vote(handle, vote) : status;
    }
    if (status == HX_OK && vote->most[0] != -t->ranks) {
        vote->told.status = (int)hxi_topology_sign(t->rank, t->ranks, met);
        snprintf(vote->told.sentence, sizeof vote->told.sentence, "%s", hx_last_error());
        status = hxi_vote_tell(vote, t->comm, -(int)vote->most[0]);
        status = status == HX_OK ? wait_for_vote(handle, vote) : status;
        status = status == HX_OK ? hxi_fail((hx_status)vote->told.status, "%s", vote->told.sentence) : status;
    }
    return status;
}

/* Collective, all ranks are here: rank 0 writes what all have told. */
static hx_status gather(hx_handle *handle, hxi_stats *stats)
{
    stats->begun = false;
    stats->written = HX_OK;
    const bool through = hxi_final_gather_now(&stats->gather);
    stats->begun = false;
    return through ? stats->written
                   : hxi_fail(HX_ERR_DEADLINE,
                              "after %g seconds rank %d still waits in stats for what others tell",
                              handle->options.deadline, handle->topology.rank);
}

/* All ranks are here, and nobody goes on before all are through. */
static hx_status tell_now(hx_handle *handle, void *what, const char *caller, hx_status met)
{
    hxi_stats *stats = handle->stats;
    hx_status status = met;
    if (status == HX_OK && !stats) {
        status = hxi_fail(HX_ERR_STATE,
                          "%s: this handle has no statistics; set HX_STATS=1 in the environment of rank 0 "
                          "before create.",
                          caller);
    }
    status = hxi_topology_agree(handle->topology.comm, status);
    if (status != HX_OK) {
        return status;
    }
    stats->path = ((const request *)what)->file;
    status =
        hxi_clock_compare_again(&handle->topology, &stats->trips, handle->options.deadline, &stats->clock);
    status = agree(handle, &stats->vote, status);
    const bool tells = status == HX_OK;
    status = tells ? agree(handle, &stats->vote, gather(handle, stats)) : status;
    if (status == HX_ERR_DEADLINE) {
        stats->abandoned = true; /* messages may still go */
        handle->broken = status;
    }
    if (status == HX_ERR_DEADLINE && tells) {
        hxi_final_gather_give_up(&stats->gather);
    }
    return status;
}

hx_status hx_stats(hx_handle *handle, const char *file)
{
    request asked = {file && file[0] != '\0' ? file : NULL};
    return hxi_sets_call(handle, &asked, "stats", tell_now);
}
