/*
 * Lists of points from ids: who owns what others have in their halos.
 *
 * Each id has a home, a rank that is told who owns it and who asks for it; homes divide the range of ids
 * evenly. Ranks tell homes what they have, homes answer where each point of a halo is owned, and ranks tell
 * the owners what they want.  No rank hears from others than those with ids that lie near in the range.
 */
#include "base/memory.h"
#include "base/status.h"
#include "base/text.h"
#include "comm/arrival.h"
#include "comm/sparse_exchange.h"

#include <stdbool.h>
#include <stdlib.h>

static const char caller[] = "hx_index_list_of_ids";
static const char purpose[] = "lists of points by ids";

/* Notes that go to, or came from, other ranks. */
typedef struct notes {
    hxi_note *note;
    size_t count;
} notes;

/* What is given out: the list comes first, so that its address is that of the whole. */
typedef struct made_list {
    hx_index_list list;
    hx_peer *peer;
    int *number;
} made_list;

/* ---- what is given ------------------------------------------------------------------------------------- */

static bool is_owned(const hx_ids *ids, int point)
{
    return ids->owns ? ids->owns[point] != 0 : point < ids->owned;
}

static hx_status check_ids(const hx_ids *ids, int rank)
{
    if (!ids || (ids->points > 0 && !ids->id)) {
        return hxi_fail(
            HX_ERR_ARGUMENT,
            "%s that rank %d gave to %s are a null pointer; give the address of an hx_ids, and in "
            "it that of the id of each point.",
            ids ? "The numbers in the ids" : "The ids", rank, caller);
    }
    if (ids->points < 0) {
        return hxi_fail(HX_ERR_ARGUMENT, "Rank %d gave %s %d points; give 0 or more.", rank, caller,
                        ids->points);
    }
    if (!ids->owns && (ids->owned < 0 || ids->owned > ids->points)) {
        return hxi_fail(
            HX_ERR_ARGUMENT,
            "Rank %d gave %s %d point%s, and says that it owns the first %d of them; give 0 to %d.", rank,
            caller, ids->points, hxi_s(ids->points), ids->owned, ids->points);
    }
    for (int p = 0; p < ids->points; ++p) {
        if (ids->id[p] < -1) {
            return hxi_fail(
                HX_ERR_ARGUMENT,
                "Point %d of rank %d has the id %lld; ids are 0 or more, or -1 for points that take "
                "no part.",
                p, rank, (long long)ids->id[p]);
        }
    }
    return HX_OK;
}

/* By rank, and then by value. */
static int compare_notes(const void *left, const void *right)
{
    const hxi_note *a = left;
    const hxi_note *b = right;
    int order = (a->peer > b->peer) - (a->peer < b->peer);
    for (int i = 0; i < 3 && order == 0; ++i) {
        order = (a->value[i] > b->value[i]) - (a->value[i] < b->value[i]);
    }
    return order;
}

static void sort(notes *n, int (*compare)(const void *, const void *))
{
    if (n->count > 0) {
        qsort(n->note, n->count, sizeof *n->note, compare);
    }
}

static hx_status make_notes(size_t most, notes *n)
{
    *n = (notes){hxi_memory_get(most, sizeof *n->note, purpose), 0};
    return n->note ? HX_OK : HX_ERR_MEMORY;
}

/*
 * For the homes: id, 0 if it is owned and 1 if it is asked for, point.  Ids up to `highest` over all ranks.
 */
static hx_status tell_homes(const hx_ids *ids, int ranks, int64_t highest, notes *told)
{
    const uint64_t share = (uint64_t)highest / (uint64_t)ranks + 1; /* unsigned: 2^63 where one has all ids */
    const hx_status status = make_notes((size_t)ids->points, told);
    for (int p = 0; status == HX_OK && p < ids->points; ++p) {
        if (ids->id[p] >= 0) {
            const int64_t home = (int64_t)((uint64_t)ids->id[p] / share);
            told->note[told->count++] = (hxi_note){home, {ids->id[p], !is_owned(ids, p), p}};
        }
    }
    sort(told, compare_notes);
    return status;
}

/* ---- homes --------------------------------------------------------------------------------------------- */

/* By id, owners first. */
static int compare_ids(const void *left, const void *right)
{
    const hxi_note *a = left;
    const hxi_note *b = right;
    for (int i = 0; i < 2; ++i) {
        if (a->value[i] != b->value[i]) {
            return a->value[i] < b->value[i] ? -1 : 1;
        }
    }
    return compare_notes(left, right);
}

/* Of one id, `first` being what is known about it first. */
static hx_status check_owner(const hxi_note *first, const hxi_note *other)
{
    if (first->value[1] != 0) {
        return hxi_fail(
            HX_ERR_ARGUMENT,
            "Rank %d has id %lld in its halo, as point %lld, and no rank owns it; give points that "
            "nobody owns, such as land, the id -1.",
            (int)first->peer, (long long)first->value[0], (long long)first->value[2]);
    }
    if (first != other && other->value[1] == 0) {
        return hxi_fail(
            HX_ERR_ARGUMENT,
            "Rank %d owns id %lld, as point %lld, and so does rank %d, as point %lld; each id has one "
            "owner.",
            (int)first->peer, (long long)first->value[0], (long long)first->value[2], (int)other->peer,
            (long long)other->value[2]);
    }
    return HX_OK;
}

/* For who asks: the point that asks, then the rank and the point that own its id. */
static hx_status answer(notes *known, notes *answers)
{
    hx_status status = make_notes(known->count, answers);
    sort(known, compare_ids);
    const hxi_note *first = known->note;
    for (size_t i = 0; i < known->count && status == HX_OK; ++i) {
        const hxi_note *n = &known->note[i];
        first = n->value[0] == first->value[0] ? first : n;
        status = check_owner(first, n);
        if (n->value[1] != 0) {
            answers->note[answers->count++] =
                (hxi_note){n->peer, {n->value[2], first->peer, first->value[2]}};
        }
    }
    sort(answers, compare_notes);
    return status;
}

/* For the owners: the point here, and theirs.  By point here, and so in the order in which both list them. */
static void ask_owners(notes *answers)
{
    for (size_t i = 0; i < answers->count; ++i) {
        hxi_note *n = &answers->note[i];
        *n = (hxi_note){n->value[1], {n->value[0], n->value[2], 0}};
    }
    sort(answers, compare_notes);
}

/* ---- lists --------------------------------------------------------------------------------------------- */

/* Takes the next notes of a peer as entries of a list; which: their value that counts. */
static int take(const notes *n, size_t *at, int64_t peer, int which, int *number)
{
    int taken = 0;
    while (*at < n->count && n->note[*at].peer == peer) {
        number[taken++] = (int)n->note[(*at)++].value[which];
    }
    return taken;
}

static int64_t next_peer(const notes *n, size_t at)
{
    return at < n->count ? n->note[at].peer : INT64_MAX;
}

/* Asked: what this rank asks others for; wanted: what others want of it.  Both by peer. */
static hx_status make_list(const notes *asked, const notes *wanted, int ranks, made_list **made)
{
    const size_t points = asked->count + wanted->count;
    const size_t most = points < (size_t)ranks ? points : (size_t)ranks;
    made_list *m = hxi_memory_get(1, sizeof *m, purpose);
    *made = m;
    if (!m) {
        return HX_ERR_MEMORY;
    }
    m->peer = hxi_memory_get(most, sizeof *m->peer, purpose);
    m->number = hxi_memory_get(points, sizeof *m->number, purpose);
    if (!m->peer || !m->number) {
        return HX_ERR_MEMORY;
    }
    int *number = m->number;
    size_t in = 0;
    size_t out = 0;
    while (in < asked->count || out < wanted->count) {
        const int64_t first = next_peer(asked, in);
        const int64_t second = next_peer(wanted, out);
        hx_peer *peer = &m->peer[m->list.peers++];
        *peer = (hx_peer){.rank = (int)(first < second ? first : second), .receive = number};
        peer->receives = take(asked, &in, peer->rank, 0, number);
        number += peer->receives;
        peer->send = number;
        peer->sends = take(wanted, &out, peer->rank, 1, number);
        number += peer->sends;
    }
    m->list.peer = m->peer;
    return HX_OK;
}

void hx_index_list_free(hx_index_list *list)
{
    made_list *made = (made_list *)(void *)list;
    if (made) {
        hxi_memory_free(made->peer);
        hxi_memory_free(made->number);
        hxi_memory_free(made);
    }
}

/* ---- the whole ----------------------------------------------------------------------------------------- */

/* The highest id of all ranks. */
static hx_status find_highest(const hxi_topology *topology, const hx_ids *ids, int64_t *highest)
{
    int64_t mine = 0;
    for (int p = 0; p < ids->points; ++p) {
        mine = ids->id[p] > mine ? ids->id[p] : mine;
    }
    return hxi_topology_most(topology, &mine, highest, 1);
}

typedef struct steps {
    notes told;
    notes known;
    notes answers;
    notes asked;
    notes wanted;
} steps;

static hx_status run(const hxi_topology *topology, const hx_ids *ids, steps *s, made_list **made)
{
    int64_t highest = 0;
    hx_status status = find_highest(topology, ids, &highest);
    status = status == HX_OK ? tell_homes(ids, topology->ranks, highest, &s->told) : status;
    status =
        hxi_sparse_exchange(topology, status, s->told.note, s->told.count, &s->known.note, &s->known.count);
    if (status != HX_OK) {
        return status;
    }
    status = answer(&s->known, &s->answers);
    status = hxi_sparse_exchange(topology, status, s->answers.note, s->answers.count, &s->asked.note,
                                 &s->asked.count);
    if (status != HX_OK) {
        return status;
    }
    ask_owners(&s->asked);
    status = hxi_sparse_exchange(topology, HX_OK, s->asked.note, s->asked.count, &s->wanted.note,
                                 &s->wanted.count);
    if (status != HX_OK) {
        return status;
    }
    return hxi_topology_agree(topology->comm, make_list(&s->asked, &s->wanted, topology->ranks, made));
}

/* ready: the status of this rank, which takes part in any case. */
static hx_status open_and_run(MPI_Comm comm, hx_status ready, const hx_ids *ids, made_list **made)
{
    hxi_topology topology = hxi_topology_none();
    steps s = {0};
    hxi_first first = {0};
    double deadline = 0.0;
    hxi_first_note(&first, ready);
    const hx_status here = hxi_arrival_meet(comm, caller, &deadline);
    if (hxi_arrival_failed(here)) {
        return here;
    }
    hxi_first_note(&first, here);
    hxi_first_note(&first, hxi_topology_open(comm, &topology));
    hx_status status = hxi_topology_agree(comm, hxi_first_tell(&first));
    status = status == HX_OK ? run(&topology, ids, &s, made) : status;
    hxi_memory_free(s.told.note);
    hxi_memory_free(s.known.note);
    hxi_memory_free(s.answers.note);
    hxi_memory_free(s.asked.note);
    hxi_memory_free(s.wanted.note);
    hxi_topology_close(&topology, 0);
    return status;
}

hx_status hx_index_list_of_ids(MPI_Comm comm, const hx_ids *ids, hx_index_list **list)
{
    if (list) {
        *list = NULL;
    }
    int rank = 0;
    int ranks = 0;
    hx_status status = hxi_topology_place(comm, caller, &rank, &ranks);
    if (status != HX_OK && status != HX_ERR_MPI) { /* an error of MPI may be this rank's alone */
        return status;
    }
    if (status == HX_OK && !list) {
        status = hxi_fail(HX_ERR_ARGUMENT,
                          "The place for the list given to %s is a null pointer; give the address of one.",
                          caller);
    }
    made_list *made = NULL;
    const MPI_Errhandler handler = hxi_topology_quiet(comm, 0);
    status = open_and_run(comm, status == HX_OK ? check_ids(ids, rank) : status, ids, &made);
    hxi_topology_restore(comm, handler);
    if (status != HX_OK) {
        hx_index_list_free(made ? &made->list : NULL);
        return status;
    }
    *list = &made->list;
    return HX_OK;
}
