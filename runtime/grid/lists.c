#include "grid/lists.h"

#include "base/hash.h"
#include "base/memory.h"
#include "base/status.h"
#include "base/text.h"

#include <stdbool.h>
#include <stdlib.h>

static const char purpose[] = "the lists of points";

/* ---- what was given ------------------------------------------------------------------------------------ */

/* Lists that are looked at: whose points, and what is known of each of them. */
typedef struct reader {
    const hx_spec *spec;
    const hx_index_list *given;
    int points;
    int rank;
    int ranks;
    int *filled; /* by point: 0, or 1 + number of the peer whose list fills it */
} reader;

static hx_status check_peer(const reader *r, int number)
{
    const hx_peer *p = &r->given->peer[number];
    if (p->rank < 0 || p->rank >= r->ranks) {
        return hxi_fail(
            HX_ERR_ARGUMENT,
            "Rank %d gave %s_create a list of points for rank %d; the communicator has %d rank%s, "
            "numbered from 0.",
            r->rank, r->spec->name, p->rank, r->ranks, hxi_s(r->ranks));
    }
    if (p->sends < 0 || p->receives < 0 || (p->sends > 0 && !p->send) || (p->receives > 0 && !p->receive)) {
        return hxi_fail(
            HX_ERR_ARGUMENT,
            "Rank %d gave %s_create lists for rank %d of %d points to send at %p and %d to receive "
            "at %p; give 0 or more, and the addresses of that many.",
            r->rank, r->spec->name, p->rank, p->sends, (const void *)p->send, p->receives,
            (const void *)p->receive);
    }
    if (p->rank == r->rank && p->sends != p->receives) {
        return hxi_fail(HX_ERR_ARGUMENT,
                        "Rank %d is to send %d point%s to itself, and to receive %d; give as many of both.",
                        r->rank, p->sends, hxi_s(p->sends), p->receives);
    }
    return HX_OK;
}

/* Is an entry of a list one of the rank's points? */
static hx_status check_index(const reader *r, int number, const char *verb, const int *list, int entry)
{
    if (list[entry] >= 0 && list[entry] < r->points) {
        return HX_OK;
    }
    return hxi_fail(HX_ERR_ARGUMENT,
                    "Rank %d is to %s rank %d point %d (entry %d of the list); it has %d point%s, numbered "
                    "from 0.",
                    r->rank, verb, r->given->peer[number].rank, list[entry], entry, r->points,
                    hxi_s(r->points));
}

/* Each point is filled once. */
static hx_status note_filled(const reader *r, int number)
{
    const hx_peer *p = &r->given->peer[number];
    for (int i = 0; i < p->receives; ++i) {
        const hx_status status = check_index(r, number, "receive from", p->receive, i);
        if (status != HX_OK) {
            return status;
        }
        int *filled = &r->filled[p->receive[i]];
        if (*filled != 0) {
            return hxi_fail(HX_ERR_ARGUMENT,
                            "Rank %d is to receive point %d from rank %d and from rank %d; list each point "
                            "that is received once.",
                            r->rank, p->receive[i], r->given->peer[*filled - 1].rank, p->rank);
        }
        *filled = number + 1;
    }
    return HX_OK;
}

/* What is filled feeds nobody: which of its values that would be is not known. */
static hx_status check_sent(const reader *r, int number)
{
    const hx_peer *p = &r->given->peer[number];
    for (int i = 0; i < p->sends; ++i) {
        const hx_status status = check_index(r, number, "send", p->send, i);
        if (status != HX_OK) {
            return status;
        }
        const int filled = r->filled[p->send[i]];
        if (filled != 0) {
            return hxi_fail(
                HX_ERR_ARGUMENT,
                "Rank %d is to send rank %d point %d, which it receives from rank %d; send points "
                "from the rank that owns them.",
                r->rank, p->rank, p->send[i], r->given->peer[filled - 1].rank);
        }
    }
    return HX_OK;
}

static hx_status check_given(const reader *r)
{
    hx_status status = HX_OK;
    for (int p = 0; p < r->given->peers && status == HX_OK; ++p) {
        status = check_peer(r, p);
        status = status == HX_OK ? note_filled(r, p) : status;
    }
    for (int p = 0; p < r->given->peers && status == HX_OK; ++p) {
        status = check_sent(r, p);
    }
    return status;
}

/* ---- runs ---------------------------------------------------------------------------------------------- */

/* Does entry i of a list go on where the one before it ends? */
static bool goes_on(const int *list, int i)
{
    return list[i] == list[i - 1] + 1;
}

/*
 * The runs of a list, appended to those that there are.  other: a list that is walked together with it, whose
 * runs end where its own do; or NULL.
 */
static hx_runs add_runs(hx_run *run, size_t *used, const int *list, int points, const int *other)
{
    hx_runs made = {.run = run + *used, .points = points};
    for (int i = 0; i < points; ++i) {
        if (i > 0 && goes_on(list, i) && (!other || goes_on(other, i))) {
            run[*used - 1].points++;
        } else {
            run[(*used)++] = (hx_run){list[i], 1};
            made.runs++;
        }
    }
    return made;
}

/* At most as many runs as points. */
static size_t count_points(const hx_index_list *given)
{
    size_t points = 0;
    for (int p = 0; p < given->peers; ++p) {
        points += (size_t)given->peer[p].sends + (size_t)given->peer[p].receives;
    }
    return points;
}

static int compare_partners(const void *left, const void *right)
{
    const hxi_partner_list *a = left;
    const hxi_partner_list *b = right;
    return (a->peer > b->peer) - (a->peer < b->peer);
}

static hx_status sort_partners(const reader *r, hxi_lists *lists)
{
    if (lists->partners > 0) {
        qsort(lists->partner, (size_t)lists->partners, sizeof *lists->partner, compare_partners);
    }
    for (int i = 1; i < lists->partners; ++i) {
        if (lists->partner[i].peer == lists->partner[i - 1].peer) {
            return hxi_fail(HX_ERR_ARGUMENT,
                            "Rank %d gave %s_create two lists for rank %d; give one for each rank.", r->rank,
                            r->spec->name, lists->partner[i].peer);
        }
    }
    return HX_OK;
}

static hx_status find_runs(const reader *r, hxi_lists *lists)
{
    const hx_index_list *given = r->given;
    const size_t points = count_points(given);
    hx_run *run = hxi_memory_get(points, sizeof *run, purpose);
    lists->run = run;
    lists->partner = hxi_memory_get((size_t)given->peers, sizeof *lists->partner, purpose);
    if (!run || !lists->partner) {
        return HX_ERR_MEMORY;
    }
    size_t used = 0;
    for (int i = 0; i < given->peers; ++i) {
        const hx_peer *p = &given->peer[i];
        const bool own = p->rank == r->rank;
        hxi_partner_list *partner = &lists->partner[lists->partners++];
        partner->peer = p->rank;
        partner->sent = add_runs(run, &used, p->send, p->sends, own ? p->receive : NULL);
        partner->received = add_runs(run, &used, p->receive, p->receives, own ? p->send : NULL);
    }
    return sort_partners(r, lists);
}

/* ---- the whole ----------------------------------------------------------------------------------------- */

hx_status hxi_lists_make(const hx_spec *spec, const hx_index_list *given, int points, int rank, int ranks,
                         hxi_lists *lists)
{
    *lists = (hxi_lists){0};
    if (given->peers < 0 || (given->peers > 0 && !given->peer)) {
        return hxi_fail(HX_ERR_ARGUMENT,
                        "Rank %d gave %s_create an index list of %d peers at %p; give 0 or more, and the "
                        "address of that many.",
                        rank, spec->name, given->peers, (const void *)given->peer);
    }
    int *filled = hxi_memory_get((size_t)points, sizeof *filled, purpose);
    const reader r = {spec, given, points, rank, ranks, filled};
    hx_status status = filled ? check_given(&r) : HX_ERR_MEMORY;
    hxi_memory_free(filled);
    return status == HX_OK ? find_runs(&r, lists) : status;
}

void hxi_lists_free(hxi_lists *lists)
{
    hxi_memory_free(lists->partner);
    hxi_memory_free(lists->run);
    *lists = (hxi_lists){0};
}

static uint64_t hash_runs(uint64_t hash, const hx_runs *runs)
{
    hash = hxi_hash(hash, runs->runs);
    for (int i = 0; i < runs->runs; ++i) {
        hash = hxi_hash(hxi_hash(hash, runs->run[i].first), runs->run[i].points);
    }
    return hash;
}

uint64_t hxi_lists_hash(const hxi_lists *lists)
{
    uint64_t hash = HX_HASH_SEED;
    for (int i = 0; i < lists->partners; ++i) {
        hash = hxi_hash(hash, lists->partner[i].peer);
        hash = hash_runs(hash_runs(hash, &lists->partner[i].sent), &lists->partner[i].received);
    }
    return hash;
}
