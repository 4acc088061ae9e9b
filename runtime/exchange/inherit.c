#include "exchange/inherit.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/status.h"
#include "base/text.h"
#include "comm/peer_round.h"
#include "exchange/alloc.h"
#include "exchange/exchange.h"
#include "exchange/handle.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static const char purpose[] = "what a handle takes over from another one";

/* A segment on its way to the new owner of one of its two blocks. */
typedef struct bequest {
    int peer;
    int exchange;
    int phase;
    hxi_segment segment;
} bequest;

/* What a rank gets at first: how many segments there are, and some of them, which are all as a rule. */
enum { AT_ONCE = 64 };
typedef struct opening {
    uint64_t count;
    bequest some[AT_ONCE];
} opening;

struct hxi_inheritance {
    hxi_kept kept;  /* where MPI may still read or write all this, ... */
    bool unsettled; /* ... after messages that did not get through */
    const hx_handle *from;
    unsigned char *moved; /* by block of the grid */
    int *renumber;        /* by block of this rank there: its number here, -1: it is another rank's now */
    int *same;            /* likewise, but -1 also where its arrays lie otherwise */
    bool *alike;          /* by block of this rank here: it is one of those, ... */
    bool rising;          /* ... which come in the same order here and there */
    bequest *sent;        /* by peer */
    int sents;
    bequest *received;
    int receiveds;
    int *giver; /* ranks that send some, ... */
    int givers;
    int *heir; /* ... and those that get some, rising, each once */
    int heirs;
    opening *opening; /* to the heirs, then from the givers */
    hxi_peer_round round;
};

/* ---- what has moved ------------------------------------------------------------------------------------- */

static int owner_there(const hxi_inheritance *t, int number)
{
    const hxi_owners *owners = &t->from->layout.owners;
    return owners->blocks > 0 ? hxi_owners_of(owners, number) : number;
}

static int compare_ranks(const void *left, const void *right)
{
    const int a = *(const int *)left;
    const int b = *(const int *)right;
    return (a > b) - (a < b);
}

/* Rising, each once; returns how many there are. */
static int keep_each_once(int *rank, int count)
{
    int kept = 0;
    if (count > 0) {
        qsort(rank, (size_t)count, sizeof *rank, compare_ranks);
    }
    for (int i = 0; i < count; ++i) {
        if (kept == 0 || rank[kept - 1] != rank[i]) {
            rank[kept++] = rank[i];
        }
    }
    return kept;
}

/* Of a block: it has another owner, and this rank may be one of the two. */
static void note_move(hxi_inheritance *t, int rank, int number, int here)
{
    const int there = owner_there(t, number);
    t->moved[number] = here != there;
    if (here != there && there == rank) {
        t->heir[t->heirs++] = here;
    } else if (here != there && here == rank) {
        t->giver[t->givers++] = there;
    }
}

/* Do arrays of two blocks, which are the same part of the grid, lie alike in memory? */
static bool lie_alike(const hx_spec *spec, const hxi_block *a, const hxi_block *b)
{
    const size_t fields = (size_t)spec->fields;
    return a->on_host == b->on_host &&
           memcmp(a->stride, b->stride, fields * HX_MAX_AXES * sizeof *a->stride) == 0 &&
           memcmp(a->apart, b->apart, fields * sizeof *a->apart) == 0;
}

/* Which blocks are here as they were there? */
static void find_same(const hx_handle *h, hxi_inheritance *t)
{
    const hxi_block_list *there = &t->from->mine;
    bool rising = true;
    int last = -1;
    for (int b = 0; b < there->blocks; ++b) {
        const int here = t->renumber[b];
        const bool same = here >= 0 && lie_alike(h->spec, &there->block[b], &h->mine.block[here]);
        t->same[b] = same ? here : -1;
        rising = rising && (!same || here > last);
        last = same ? here : last;
    }
    for (int b = 0; b < there->blocks; ++b) {
        if (rising && t->same[b] >= 0) {
            t->alike[t->same[b]] = true;
        }
    }
    t->rising = rising;
}

static hx_status find_moves(const hx_handle *h, hxi_inheritance *t)
{
    const hxi_block_list *there = &t->from->mine;
    t->moved = hxi_memory_get((size_t)h->layout.blocks, 1, purpose);
    t->renumber = hxi_memory_get((size_t)there->blocks, sizeof *t->renumber, purpose);
    t->heir = hxi_memory_get((size_t)there->blocks, sizeof *t->heir, purpose);
    t->giver = hxi_memory_get((size_t)h->mine.blocks, sizeof *t->giver, purpose);
    t->same = hxi_memory_get((size_t)there->blocks, sizeof *t->same, purpose);
    t->alike = hxi_memory_get((size_t)h->mine.blocks, sizeof *t->alike, purpose);
    if (!t->moved || !t->renumber || !t->heir || !t->giver || !t->same || !t->alike) {
        return HX_ERR_MEMORY;
    }
    for (int tile = 0; tile < h->layout.tiles; ++tile) {
        const int first = h->layout.tile[tile].first_block;
        const int end = tile + 1 < h->layout.tiles ? h->layout.tile[tile + 1].first_block : h->layout.blocks;
        for (int b = first; b < end; ++b) {
            note_move(t, h->topology.rank, b, hxi_layout_owner(&h->layout, tile, b - first));
        }
    }
    for (int b = 0; b < there->blocks; ++b) {
        t->renumber[b] = hxi_blocks_find(&h->mine, there->block[b].tile, there->block[b].number);
    }
    find_same(h, t);
    t->heirs = keep_each_once(t->heir, t->heirs);
    t->givers = keep_each_once(t->giver, t->givers);
    return HX_OK;
}

/* Are cuts the same, and land? */
static bool divide_alike(const hx_handle *h, const hx_handle *from)
{
    const hxi_layout *a = &h->layout;
    const hxi_layout *b = &from->layout;
    bool alike = hxi_layout_hash(a) == hxi_layout_hash(b) && a->blocks == b->blocks && a->land == b->land;
    for (int i = 0; i < a->blocks && a->land > 0 && alike; ++i) {
        alike =
            (hxi_owners_of(&a->owners, i) == HX_NO_OWNER) == (hxi_owners_of(&b->owners, i) == HX_NO_OWNER);
    }
    return alike;
}

/* ---- what is sent --------------------------------------------------------------------------------------- */

/* The new owner of a block that this rank gave away; -1: it did not, or who has it now knows the segment. */
static int heir_of(const hx_handle *h, const hxi_inheritance *t, const hxi_segment *s, bool source)
{
    const hx_link *l = &s->link;
    const int number = source ? s->from : s->to;
    if (number < 0 || t->renumber[number] >= 0) {
        return -1;
    }
    const int heir = source ? hxi_layout_owner(&h->layout, l->source_tile, l->source_block)
                            : hxi_layout_owner(&h->layout, l->tile, l->block);
    return s->kind != HX_WITHIN && l->peer == heir ? -1 : heir;
}

/* For one segment: to whom it goes; returns how many these are. */
static int find_heirs(const hx_handle *h, const hxi_inheritance *t, const hxi_segment *s, int heir[2])
{
    const int to = heir_of(h, t, s, false);
    const int from = heir_of(h, t, s, true);
    int count = 0;
    if (to >= 0) {
        heir[count++] = to;
    }
    if (from >= 0 && from != to) {
        heir[count++] = from;
    }
    return count;
}

/* Counts what goes to others, or writes it. */
static int list_sent(const hx_handle *h, hxi_inheritance *t, bequest *sent)
{
    int count = 0;
    for (int e = 0; e < t->from->plans; ++e) {
        for (int p = 0; p < t->from->plan[e].phases; ++p) {
            const hxi_segments *segments = &t->from->plan[e].phase[p].segments;
            for (int i = 0; i < segments->count; ++i) {
                int heir[2];
                const int heirs = find_heirs(h, t, &segments->segment[i], heir);
                for (int k = 0; k < heirs && sent; ++k) {
                    sent[count + k] = (bequest){heir[k], e, p, segments->segment[i]};
                }
                count += heirs;
            }
        }
    }
    return count;
}

static int compare_bequests(const void *left, const void *right)
{
    const bequest *a = left;
    const bequest *b = right;
    return (a->peer > b->peer) - (a->peer < b->peer);
}

static int at_first(uint64_t count)
{
    return count < AT_ONCE ? (int)count : AT_ONCE;
}

static hx_status make_sent(const hx_handle *h, hxi_inheritance *t)
{
    t->sents = t->heirs > 0 ? list_sent(h, t, NULL) : 0;
    t->sent = hxi_memory_get((size_t)t->sents, sizeof *t->sent, purpose);
    t->opening = hxi_memory_get((size_t)t->heirs + (size_t)t->givers, sizeof *t->opening, purpose);
    if (!t->sent || !t->opening) {
        return HX_ERR_MEMORY;
    }
    if (t->sents > 0) {
        list_sent(h, t, t->sent);
        qsort(t->sent, (size_t)t->sents, sizeof *t->sent, compare_bequests);
    }
    for (int i = 0, at = 0; i < t->heirs; ++i) {
        const bequest *first = t->sent + at;
        for (; at < t->sents && t->sent[at].peer == t->heir[i]; ++at) {
            t->opening[i].count++;
        }
        if (t->opening[i].count > 0) {
            memcpy(t->opening[i].some, first, (size_t)at_first(t->opening[i].count) * sizeof *first);
        }
    }
    return HX_OK;
}

/* ---- the way there -------------------------------------------------------------------------------------- */

/* What is there at first: all of it is sent that is used, and there is room for all. */
static void set_openings(hxi_inheritance *t)
{
    for (int i = 0; i < t->heirs + t->givers; ++i) {
        const bool sends = i < t->heirs;
        const size_t unused = sends ? AT_ONCE - (size_t)at_first(t->opening[i].count) : 0;
        hxi_peer_note *note = sends ? &t->round.send[i] : &t->round.receive[i - t->heirs];
        *note = (hxi_peer_note){.peer = sends ? t->heir[i] : t->giver[i - t->heirs],
                                .data = &t->opening[i],
                                .bytes = sizeof t->opening[i] - unused * sizeof t->opening[i].some[0]};
    }
}

/* Segments that did not fit there. */
static void set_rest(hxi_inheritance *t)
{
    bequest *out = t->sent;
    bequest *in = t->received;
    for (int i = 0; i < t->heirs + t->givers; ++i) {
        const bool sends = i < t->heirs;
        bequest **at = sends ? &out : &in;
        hxi_peer_note *note = sends ? &t->round.send[i] : &t->round.receive[i - t->heirs];
        note->data = *at + at_first(t->opening[i].count);
        note->bytes = ((size_t)t->opening[i].count - (size_t)at_first(t->opening[i].count)) * sizeof *out;
        *at += t->opening[i].count;
    }
}

/* Meanwhile exchanges of the old handle go on, which others may wait for. */
static hx_status wait_for_notes(hx_handle *like, hxi_peer_round *round, const char *caller)
{
    const double seconds = like->options.deadline;
    const double deadline = seconds > 0.0 ? hxi_clock() + seconds : 0.0;
    bool through = false;
    hx_status status = hxi_peer_round_test(round, &through);
    while (status == HX_OK && !through) {
        hxi_exchange_advance(like);
        hxi_clock_yield();
        status = hxi_peer_round_test(round, &through);
        if (status == HX_OK && !through && deadline > 0.0 && hxi_clock() > deadline) {
            status = hxi_fail(HX_ERR_DEADLINE,
                              "%s: after %g seconds rank %d still waits for ranks that give or get blocks.  "
                              "The handle can only be destroyed now.",
                              caller, seconds, like->topology.rank);
        }
    }
    return status;
}

/*
 * Collective.  A rank whose deadline passes leaves alone, so no other one may wait for it in a call of MPI: all meet
 * when they have what they wait for.  *together: as hxi_sets_meet says.
 */
static hx_status travel(const hx_handle *h, hxi_inheritance *t, bool *together)
{
    hx_handle *like = h->like;
    char buffer[HX_CALL];
    const char *caller = hxi_call(like->spec, NULL, "create_like", buffer);
    t->round.comm = h->topology.comm;
    t->round.sends = t->heirs;
    t->round.receives = t->givers;
    hx_status status = hxi_peer_round_begin(&t->round);
    status = status == HX_OK ? wait_for_notes(like, &t->round, caller) : status;
    t->unsettled = status != HX_OK;
    if (status == HX_ERR_DEADLINE) {
        *together = false;
        like->broken = like->broken == HX_OK ? status : like->broken;
        return status;
    }
    hxi_first first = {0};
    hxi_first_note(&first, status);
    hxi_first_note(&first, hxi_sets_meet(like, caller, together));
    return hxi_first_tell(&first);
}

/* Local, when the first ones have come: room for all. */
static hx_status make_received(hxi_inheritance *t)
{
    uint64_t most = 0;
    uint64_t all = 0;
    for (int i = 0; i < t->heirs + t->givers; ++i) {
        most = t->opening[i].count > most ? t->opening[i].count : most;
        all += i < t->heirs ? 0 : t->opening[i].count;
    }
    if (most > INT_MAX / sizeof *t->sent || all > INT_MAX) {
        return hxi_fail(
            HX_ERR_LIMIT,
            "The blocks that moved have %llu links, more than one message can have; create a handle from "
            "nothing.",
            (unsigned long long)(most > all ? most : all));
    }
    t->receiveds = (int)all;
    t->received = hxi_memory_get((size_t)all, sizeof *t->received, purpose);
    bequest *at = t->received;
    for (int i = t->heirs; i < t->heirs + t->givers && at; ++i) {
        memcpy(at, t->opening[i].some, (size_t)at_first(t->opening[i].count) * sizeof *at);
        at += t->opening[i].count;
    }
    return t->received ? HX_OK : HX_ERR_MEMORY;
}

/* Collective.  *rest: some rank has more to send. */
static hx_status agree_on_rest(const hx_handle *h, const hxi_inheritance *t, hx_status status, bool *rest)
{
    int64_t mine = 0;
    int64_t most = 0;
    for (int i = 0; i < t->heirs; ++i) {
        mine = mine || t->opening[i].count > AT_ONCE;
    }
    hxi_first first = {0};
    hxi_first_note(&first, status);
    hxi_first_note(&first, hxi_topology_most(&h->topology, &mine, &most, 1));
    *rest = most != 0;
    return hxi_topology_agree(h->topology.comm, hxi_first_tell(&first));
}

/* The last step may fail on this rank alone: the caller agrees on that. */
static hx_status exchange(const hx_handle *h, hxi_inheritance *t, bool *together)
{
    set_openings(t);
    hx_status status = travel(h, t, together);
    if (!*together) {
        return status;
    }
    bool rest = false;
    status = agree_on_rest(h, t, status == HX_OK ? make_received(t) : status, &rest);
    if (status == HX_OK && rest) {
        set_rest(t);
        status = travel(h, t, together);
    }
    return status;
}

/* ---- the whole ------------------------------------------------------------------------------------------ */

static hx_status make_local(const hx_handle *h, hxi_inheritance *t)
{
    t->from = h->like;
    hx_status status = find_moves(h, t);
    status = status == HX_OK ? make_sent(h, t) : status;
    return status == HX_OK ? hxi_peer_round_make(t->heirs, t->givers, &t->round) : status;
}

hx_status hxi_inherit_make(const hx_handle *h, hx_status ready, hxi_inheritance **made, bool *together)
{
    const bool alike = divide_alike(h, h->like);
    hxi_inheritance *t = hxi_memory_get(1, sizeof *t, purpose);
    hxi_first first = {0};
    *together = true;
    hxi_first_note(&first, ready);
    hxi_first_note(&first, t ? HX_OK : HX_ERR_MEMORY);
    if (t && alike) {
        hxi_first_note(&first, make_local(h, t));
    }
    hx_status status = hxi_topology_agree(h->topology.comm, hxi_first_tell(&first));
    status = status == HX_OK && alike ? exchange(h, t, together) : status;
    *made = status == HX_OK && alike ? t : NULL;
    if (!*made) {
        hxi_inherit_free(t);
    }
    return status;
}

/* Of what has come, is this of one phase of an exchange? */
static bool is_of(const bequest *b, int exchange, int phase)
{
    return b->exchange == exchange && b->phase == phase;
}

static int count_received(const hxi_inheritance *t, int exchange, int phase)
{
    int count = 0;
    for (int i = 0; i < t->receiveds; ++i) {
        count += is_of(&t->received[i], exchange, phase);
    }
    return count;
}

static hx_status take_received(const hxi_inheritance *t, const hxi_neighborhood *n, int exchange, int phase,
                               hxi_segments *found)
{
    hx_status status = HX_OK;
    for (int i = 0; i < t->receiveds && status == HX_OK; ++i) {
        const hxi_known_segments one = {&t->received[i].segment, 1, NULL, t->moved};
        if (is_of(&t->received[i], exchange, phase)) {
            status = hxi_segments_take(n, exchange, &one, found);
        }
    }
    return status;
}

hx_status hxi_inherit_segments(const hxi_inheritance *inherits, const hxi_neighborhood *n, int exchange,
                               int phase, hxi_segments *found)
{
    const hxi_segments *own = &inherits->from->plan[exchange].phase[phase].segments;
    const hxi_known_segments known = {own->segment, own->count, inherits->renumber, inherits->moved};
    *found = (hxi_segments){0};
    hx_status status = hxi_segments_reserve(found, own->count + count_received(inherits, exchange, phase));
    status = status == HX_OK ? hxi_segments_keep(n, exchange, &known, found) : status;
    const int kept = found->count;
    status = status == HX_OK ? hxi_segments_take(n, exchange, &known, found) : status;
    status = status == HX_OK ? take_received(inherits, n, exchange, phase, found) : status;
    if (status == HX_OK) {
        hxi_segments_settle(found, kept);
    }
    return status;
}

bool hxi_inherit_ops(const hxi_inheritance *inherits, int exchange, int phase, const int slot_of[],
                     hxi_kept_ops *kept)
{
    const hxi_plan *plan = &inherits->from->plan[exchange];
    const hxi_ops *ops = &plan->phase[phase].ops;
    *kept = (hxi_kept_ops){ops, inherits->same, inherits->alike};
    return inherits->rising && !plan->device && ops->sweeps.count == 0 &&
           memcmp(slot_of, plan->slot_of, (size_t)plan->spec->fields * sizeof *slot_of) == 0;
}

void hxi_inherit_free(hxi_inheritance *inherits)
{
    if (inherits && inherits->unsettled) {
        hxi_memory_keep(&inherits->kept);
    } else if (inherits) {
        hxi_peer_round_free(&inherits->round);
        hxi_memory_free(inherits->moved);
        hxi_memory_free(inherits->renumber);
        hxi_memory_free(inherits->same);
        hxi_memory_free(inherits->alike);
        hxi_memory_free(inherits->sent);
        hxi_memory_free(inherits->received);
        hxi_memory_free(inherits->giver);
        hxi_memory_free(inherits->heir);
        hxi_memory_free(inherits->opening);
        hxi_memory_free(inherits);
    }
}
