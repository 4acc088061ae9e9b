#include "observe/telling.h"

#include "base/memory.h"
#include "exchange/plan.h"

enum { TAG = 2 }; /* final_gather.c has 1 */

static const char purpose[] = "what ranks tell each other for statistics";

/* ---- who talks to whom --------------------------------------------------------------------------------- */

/* Each peer of these messages once. */
static hx_status list_peers(const hxi_contents *contents, int count, int **peers, int *found)
{
    *found = 0;
    *peers = hxi_memory_get((size_t)count, sizeof **peers, purpose);
    for (int m = 0; *peers && m < count; ++m) {
        int i = 0;
        while (i < *found && (*peers)[i] != contents[m].peer) {
            ++i;
        }
        (*peers)[i] = contents[m].peer;
        *found += i == *found;
    }
    return *peers ? HX_OK : HX_ERR_MEMORY;
}

static hx_status list_phase(const hxi_phase *phase, hxi_phase_peers *peers)
{
    const hx_status status = list_peers(phase->send, phase->sends, &peers->to, &peers->tos);
    return status == HX_OK ? list_peers(phase->receive, phase->receives, &peers->from, &peers->froms)
                           : status;
}

/* Start goes on from phase to phase until one has to wait for a message. */
static hx_status list_plan(const hxi_plan *plan, hxi_telling *t)
{
    hx_status status = HX_OK;
    bool in_start = true;
    for (int p = 0; p < plan->phases && status == HX_OK; ++p) {
        hxi_phase_peers *peers = &t->phase[plan->number * HX_MAX_AXES + p];
        status = list_phase(&plan->phase[p], peers);
        peers->in_start = in_start;
        in_start = in_start && peers->froms == 0;
    }
    return status;
}

static hx_status list_all(const hx_handle *handle, hxi_telling *t)
{
    hx_status status = HX_OK;
    for (int e = 0; e < handle->plans && status == HX_OK; ++e) {
        status = list_plan(&handle->plan[e], t);
    }
    return status;
}

/* ---- memory -------------------------------------------------------------------------------------------- */

static hx_status make_late(hxi_telling *t)
{
    t->late = hxi_memory_get((size_t)t->collection->exchanges, sizeof *t->late, purpose);
    hx_status status = t->late ? HX_OK : HX_ERR_MEMORY;
    for (int e = 0; e < t->collection->exchanges && status == HX_OK; ++e) {
        status = hxi_lateness_make(&t->late[e]);
    }
    return status;
}

static hx_status make_rounds(hxi_telling *t)
{
    int tos = 0;
    for (int i = 0; i < t->collection->exchanges * HX_MAX_AXES; ++i) {
        tos = t->phase[i].tos > tos ? t->phase[i].tos : tos;
        t->most = t->phase[i].froms > t->most ? t->phase[i].froms : t->most;
    }
    t->own = hxi_memory_get(HX_SAMPLE, sizeof *t->own, purpose);
    t->done = hxi_memory_get(HX_SAMPLE, sizeof *t->done, purpose);
    t->heard = hxi_memory_get((size_t)t->most * HX_SAMPLE, sizeof *t->heard, purpose);
    hx_status status = t->own && t->done && t->heard ? make_late(t) : HX_ERR_MEMORY;
    return status == HX_OK ? hxi_peer_round_make(tos, t->most, &t->notes) : status;
}

hx_status hxi_telling_make(const hx_handle *handle, const hxi_collection *collection, hxi_telling *telling)
{
    *telling = (hxi_telling){.collection = collection, .rank = handle->topology.rank, .round = -1};
    telling->phase =
        hxi_memory_get((size_t)collection->exchanges * HX_MAX_AXES, sizeof *telling->phase, purpose);
    hx_status status = telling->phase ? list_all(handle, telling) : HX_ERR_MEMORY;
    status = status == HX_OK ? make_rounds(telling) : status;
    if (status != HX_OK) {
        hxi_telling_free(telling);
    }
    return status;
}

void hxi_telling_free(hxi_telling *t)
{
    for (int i = 0; t->phase && i < t->collection->exchanges * HX_MAX_AXES; ++i) {
        hxi_memory_free(t->phase[i].to);
        hxi_memory_free(t->phase[i].from);
    }
    for (int e = 0; t->late && e < t->collection->exchanges; ++e) {
        hxi_lateness_free(&t->late[e]);
    }
    hxi_memory_free(t->phase);
    hxi_memory_free(t->own);
    hxi_memory_free(t->done);
    hxi_memory_free(t->heard);
    hxi_memory_free(t->late);
    hxi_peer_round_free(&t->notes);
    *t = (hxi_telling){.round = -1};
}

/* ---- rounds -------------------------------------------------------------------------------------------- */

static const hxi_sample *sample_of(const hxi_telling *t, int round)
{
    return &t->collection->exchange[round / HX_MAX_AXES].sample;
}

static hx_status begin_round(hxi_telling *t)
{
    const hxi_phase_peers *peers = &t->phase[t->round];
    const hxi_sample *sample = sample_of(t, t->round);
    if (t->round % HX_MAX_AXES == 0) {
        hxi_due_none(sample, t->done);
    }
    hxi_due_own(sample, peers->in_start, &t->clock, t->rank, t->own);
    hxi_due_take(t->own, sample->count, t->done, sample->count);
    t->notes.sends = peers->tos;
    t->notes.receives = peers->froms;
    for (int i = 0; i < peers->tos; ++i) {
        t->notes.send[i] = (hxi_peer_note){peers->to[i], TAG, t->own, (size_t)sample->count * sizeof *t->own};
    }
    for (int i = 0; i < peers->froms; ++i) {
        t->notes.receive[i] = (hxi_peer_note){peers->from[i], TAG, t->heard + (size_t)i * HX_SAMPLE,
                                              HX_SAMPLE * sizeof *t->heard};
    }
    return hxi_peer_round_begin(&t->notes);
}

static void end_round(hxi_telling *t)
{
    const int exchange = t->round / HX_MAX_AXES;
    const hxi_sample *sample = sample_of(t, t->round);
    for (int i = 0; i < t->notes.receives; ++i) {
        const hxi_peer_note *note = &t->notes.receive[i];
        hxi_due_take(t->done, sample->count, note->data, (int)(note->bytes / sizeof *t->heard));
    }
    if ((t->round + 1) % HX_MAX_AXES == 0) {
        hxi_lateness_find(sample, &t->clock, t->done, &t->late[exchange]);
    }
}

hx_status hxi_telling_begin(MPI_Comm comm, const hxi_clock_line *clock, hxi_telling *telling)
{
    telling->notes.comm = comm;
    telling->clock = *clock;
    telling->round = 0;
    return begin_round(telling);
}

hx_status hxi_telling_advance(hxi_telling *telling, bool *through)
{
    const int rounds = telling->collection->exchanges * HX_MAX_AXES;
    hx_status status = HX_OK;
    bool there = true;
    while (status == HX_OK && there && telling->round < rounds) {
        status = hxi_peer_round_test(&telling->notes, &there);
        if (status == HX_OK && there) {
            end_round(telling);
            telling->round++;
            status = telling->round < rounds ? begin_round(telling) : HX_OK;
        }
    }
    *through = telling->round == rounds;
    return status;
}

void hxi_telling_abandon(hxi_telling *telling)
{
    hxi_peer_round_abandon(&telling->notes);
}
