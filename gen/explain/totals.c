/*
 * What feeds the blocks of a rank is looked at, and goes to both ends: to the rank, and to those from which it comes.
 *
 * On a Cartesian grid with a block a rank, ranks with the same places along all axes do the same: the first, the last and
 * those between, longer blocks and shorter ones.  One rank of each kind is looked at, and counted as often as there
 * are such.  On other grids every rank is looked at.
 */
#include "explain/totals.h"

#include "explain/configuration.h"
#include "explain/crossing.h"
#include "explain/write.h"

#include "base/memory.h"
#include "base/status.h"

#include <lauxlib.h>
#include <stdlib.h>

typedef struct load {
    int rank;
    int sends, receives;
    lua_Integer bytes_sent, bytes_received, bytes_copied;
} load;

/* A message between the rank that is looked at and another one. */
typedef struct delivery {
    int peer;
    hxi_segment_kind kind; /* received; sent where ghost points are added to owned ones */
    int phase;
    lua_Integer bytes;
} delivery;

typedef struct totals {
    const question *q;
    crossing *crossing;
    lua_Integer looked_at, messages, bytes_sent, bytes_copied;
    load busiest, idlest;
    bool any;
} totals;

/* ---- one rank ----------------------------------------------------------------------------------------- */

/* Who is told of the messages between a rank and its peers. */
typedef struct listener {
    void (*deliver)(void *context, const delivery *d);
    void *context;
} listener;

static void add_end(load *l, bool sends, lua_Integer bytes)
{
    if (sends) {
        l->sends++;
        l->bytes_sent += bytes;
    } else {
        l->receives++;
        l->bytes_received += bytes;
    }
}

/* A filter of segments: of those within the rank, bytes are all that counts. */
static bool keeps(void *context, const hxi_segment *s)
{
    load *mine = context;
    mine->bytes_copied += s->kind == HX_WITHIN ? (lua_Integer)s->bytes : 0;
    return s->kind != HX_WITHIN;
}

static void add_segments(const question *q, const hxi_segments *segments, int phase, load *mine,
                         const listener *told)
{
    for (int i = 0, end = 0; i < segments->count; i = end) {
        hxi_segment *first = &segments->segment[i];
        for (end = i; end < segments->count && segments->segment[end].kind == first->kind &&
                      segments->segment[end].link.peer == first->link.peer;
             ++end) {
        }
        const delivery d = {.peer = first->link.peer,
                            .kind = first->kind,
                            .phase = phase,
                            .bytes = (lua_Integer)hxi_segments_place(q->c->spec, first, end - i)};
        add_end(mine, d.kind == HX_SENT, d.bytes);
        told->deliver(told->context, &d);
    }
}

/* What feeds the blocks of a rank: this end goes to its load, the other one to who is told. */
static hx_status look_at(const question *q, load *mine, const listener *told)
{
    surroundings around;
    const hxi_segment_filter filter = {keeps, mine};
    hx_status status = surroundings_find(q->c, mine->rank, false, &around);
    for (int p = 0; p < q->schedule.phases && status == HX_OK; ++p) {
        hxi_segments found = {0};
        status = question_segments(q, &around, p, &filter, &found);
        if (status == HX_OK) {
            add_segments(q, &found, p, mine, told);
        }
        hxi_segments_free(&found);
    }
    surroundings_free(&around);
    return status;
}

static lua_Integer traffic_of(const load *l)
{
    return l->bytes_sent + l->bytes_received;
}

/* count: of the ranks that do the same, l->rank being the first. */
static void add_load(totals *t, const load *l, lua_Integer count)
{
    t->messages += l->sends * count;
    t->bytes_sent += l->bytes_sent * count;
    t->bytes_copied += l->bytes_copied * count;
    const bool busier = traffic_of(l) > traffic_of(&t->busiest) ||
                        (traffic_of(l) == traffic_of(&t->busiest) && l->rank < t->busiest.rank);
    const bool idler = traffic_of(l) < traffic_of(&t->idlest) ||
                       (traffic_of(l) == traffic_of(&t->idlest) && l->rank < t->idlest.rank);
    t->busiest = !t->any || busier ? *l : t->busiest;
    t->idlest = !t->any || idler ? *l : t->idlest;
    t->any = true;
}

/* How many boxes of ghost points a block has in all exchanges. */
static lua_Integer boxes_of(const hx_spec *spec)
{
    lua_Integer boxes = 0;
    for (int e = 0; e < spec->exchanges; ++e) {
        boxes += (lua_Integer)spec->exchange[e].fields * spec->exchange[e].directions;
    }
    return boxes;
}

/* The same for messages that are followed through the network, each in less time. */
static hx_status check_crossing(const totals *t)
{
    enum { TIMES = 10 };
    const lua_Integer boxes = boxes_of(t->q->c->spec);
    const int ranks = t->q->c->layout.ranks;
    if (t->crossing->sizes == 0 || ranks * boxes <= TIMES * (lua_Integer)TOTALS_MOST_BOXES) {
        return HX_OK;
    }
    return hxi_fail(
        HX_ERR_LIMIT,
        "to follow the messages of %d ranks with %lld boxes of ghost points each through lines 'uplink', explain "
        "would look at more than %d boxes.  Take fewer ranks, or leave these lines out.",
        ranks, (long long)boxes, TIMES * (int)TOTALS_MOST_BOXES);
}

/* The child has some seconds; what takes longer is refused in words. */
static hx_status check_work(const configuration *c, lua_Integer blocks)
{
    const lua_Integer boxes = boxes_of(c->spec);
    if (blocks * boxes <= TOTALS_MOST_BOXES) {
        return HX_OK;
    }
    return hxi_fail(
        HX_ERR_LIMIT,
        "to add up what %d ranks do, explain would have to cut %lld boxes of ghost points for each of %lld blocks; "
        "it cuts %d at most in all.  Take fewer ranks, or thicker blocks.",
        c->layout.ranks, (long long)boxes, (long long)blocks, (int)TOTALS_MOST_BOXES);
}

/* ---- ranks that are alike ------------------------------------------------------------------------------ */

/* The kinds of places along one axis: the first part of each, and how many there are. */
typedef struct places {
    int axis;
    bool has_ends;
    int *first;
    int *count;
    int kinds;
} places;

static int shortest_part(const hxi_tile *tile, int axis)
{
    int shortest = tile->cells[axis];
    for (int i = 0; i < tile->parts[axis]; ++i) {
        const int n = hxi_tile_cut(tile, axis, i + 1) - hxi_tile_cut(tile, axis, i);
        shortest = n < shortest ? n : shortest;
    }
    return shortest;
}

static int length_of(const hxi_tile *tile, int axis, int part)
{
    const int parts = tile->parts[axis];
    const int i = (part % parts + parts) % parts;
    return hxi_tile_cut(tile, axis, i + 1) - hxi_tile_cut(tile, axis, i);
}

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

/* Does it matter how near the ends of an axis are?  Not where it is a ring; but shared points have an order, which ends. */
static bool has_ends(const hx_spec *spec, int axis)
{
    bool is_ring = spec->periodic[axis];
    for (int e = 0; e < spec->exchanges; ++e) {
        is_ring = is_ring && spec->exchange[e].shared == HX_SHARED_NOT;
    }
    for (int p = 0; p < spec->position_classes; ++p) {
        is_ring = is_ring && spec->positions[p].extra[axis] == 0;
    }
    return !is_ring;
}

/* Do two parts have the same neighborhood, so many parts far, and the ends of the axis, if it has some, as near?  Of the
 * next part it does not matter how long it is where that alone is reached. */
static bool are_alike(const hxi_tile *tile, const places *along, int far, int a, int b)
{
    const int axis = along->axis;
    const int last = tile->parts[axis] - 1;
    if (along->has_ends &&
        (smaller(a, far) != smaller(b, far) || smaller(last - a, far) != smaller(last - b, far))) {
        return false;
    }
    const int seen = far > 1 ? far : 0;
    for (int d = -seen; d <= seen; ++d) {
        if (length_of(tile, axis, a + d) != length_of(tile, axis, b + d)) {
            return false;
        }
    }
    return true;
}

/*
 * A part is compared with the one before it: along an axis kinds follow each other, longer parts coming first, so each kind
 * is one stretch.
 */
static hx_status find_places(const configuration *c, int axis, places *found)
{
    const hxi_tile *tile = &c->layout.tile[0];
    const int parts = tile->parts[axis];
    const int far = 1 + configuration_reach(c) / shortest_part(tile, axis);
    *found = (places){.axis = axis, .has_ends = has_ends(c->spec, axis)};
    found->first = hxi_memory_get((size_t)parts, sizeof *found->first, "places");
    found->count = hxi_memory_get((size_t)parts, sizeof *found->count, "places");
    if (!found->first || !found->count) {
        return HX_ERR_MEMORY;
    }
    for (int i = 0; i < parts; ++i) {
        if (i == 0 || !are_alike(tile, found, far, i - 1, i)) {
            found->first[found->kinds++] = i;
        }
        found->count[found->kinds - 1]++;
    }
    return HX_OK;
}

/* Of each combination of places one rank. */
typedef struct kinds {
    const question *q;
    crossing *crossing;
    places along[HX_MAX_AXES];
    int all;
    load *loads;            /* numbered like blocks, the last axis fastest */
    int index[HX_MAX_AXES]; /* of the rank that is looked at */
    int kind[HX_MAX_AXES];
} kinds;

static int kind_of(const places *along, int part)
{
    int kind = along->kinds - 1;
    while (along->first[kind] > part) {
        --kind;
    }
    return kind;
}

/* Of parts that lie so far behind another one: is it of that kind?  Where an axis ends, parts near its ends are kinds of their own. */
static bool feeds(const kinds *k, int axis, int kind, int distance)
{
    const places *along = &k->along[axis];
    const int parts = k->q->c->layout.tile[0].parts[axis];
    const int fed = ((along->first[kind] - distance) % parts + parts) % parts;
    return kind_of(along, fed) == k->kind[axis];
}

/* The next combination of those from which a distance leads to a rank of this kind; false: it was the last.  kind -1: the first. */
static bool next_feeding(const kinds *k, const int distance[], int kind[])
{
    const int axes = k->q->c->layout.axes;
    int a = kind[axes - 1] < 0 ? 0 : axes - 1;
    while (a >= 0 && a < axes) {
        do {
            ++kind[a];
        } while (kind[a] < k->along[a].kinds && !feeds(k, a, kind[a], distance[a]));
        const bool found = kind[a] < k->along[a].kinds;
        kind[a] = found ? kind[a] : -1;
        a += found ? 1 : -1;
    }
    return a == axes;
}

static int number_of(const kinds *k, const int kind[])
{
    int number = 0;
    for (int a = 0; a < k->q->c->layout.axes; ++a) {
        number = number * k->along[a].kinds + kind[a];
    }
    return number;
}

/* From or to rank `here`, as the delivery says. */
static void cross(crossing *c, const delivery *d, int here, int there)
{
    const bool sends = d->kind == HX_SENT;
    crossing_add(c, d->phase, sends ? here : there, sends ? there : here, d->bytes);
}

/* Of each rank of the kind that is looked at. */
static void cross_of_kind(const kinds *k, const delivery *d, const int distance[])
{
    const hxi_layout *layout = &k->q->c->layout;
    lua_Integer count = k->crossing->sizes > 0;
    for (int a = 0; a < layout->axes; ++a) {
        count *= k->along[a].count[k->kind[a]];
    }
    for (lua_Integer i = 0; i < count; ++i) {
        int here[HX_MAX_AXES] = {0};
        int there[HX_MAX_AXES] = {0};
        lua_Integer rest = i;
        for (int a = 0; a < layout->axes; ++a) {
            const places *along = &k->along[a];
            const int parts = layout->tile[0].parts[a];
            here[a] = along->first[k->kind[a]] + (int)(rest % along->count[k->kind[a]]);
            there[a] = ((here[a] + distance[a]) % parts + parts) % parts;
            rest /= along->count[k->kind[a]];
        }
        cross(k->crossing, d, hxi_layout_block(layout, 0, here), hxi_layout_block(layout, 0, there));
    }
}

/* A message of the rank that is looked at: all ranks of this kind have such a one, each from as far away. */
static void deliver_to_kinds(void *context, const delivery *d)
{
    const kinds *k = context;
    int peer[HX_MAX_AXES];
    int distance[HX_MAX_AXES];
    int kind[HX_MAX_AXES] = {-1, -1, -1, -1};
    hxi_layout_index(&k->q->c->layout, 0, d->peer, peer);
    for (int a = 0; a < k->q->c->layout.axes; ++a) {
        distance[a] = peer[a] - k->index[a];
    }
    while (next_feeding(k, distance, kind)) {
        add_end(&k->loads[number_of(k, kind)], d->kind != HX_SENT, d->bytes);
    }
    cross_of_kind(k, d, distance);
}

/* Calls what is to be done with each combination, and the number of ranks that are like it. */
static hx_status each_kind(kinds *k, hx_status (*act)(void *context, load *l, lua_Integer count),
                           void *context)
{
    hx_status status = HX_OK;
    for (int number = 0; number < k->all && status == HX_OK; ++number) {
        lua_Integer count = 1;
        int rest = number;
        for (int a = k->q->c->layout.axes - 1; a >= 0; --a) {
            k->kind[a] = rest % k->along[a].kinds;
            rest /= k->along[a].kinds;
            k->index[a] = k->along[a].first[k->kind[a]];
            count *= k->along[a].count[k->kind[a]];
        }
        status = act(context, &k->loads[number], count);
    }
    return status;
}

static hx_status look_at_kind(void *context, load *l, lua_Integer count)
{
    kinds *k = context;
    (void)count;
    l->rank = hxi_layout_block(&k->q->c->layout, 0, k->index);
    return look_at(k->q, l, &(listener){deliver_to_kinds, k});
}

static hx_status add_kind(void *context, load *l, lua_Integer count)
{
    totals *t = context;
    add_load(t, l, count);
    t->looked_at++;
    return HX_OK;
}

static hx_status find_kinds(kinds *k)
{
    lua_Integer all = 1;
    hx_status status = HX_OK;
    for (int a = 0; a < k->q->c->layout.axes && status == HX_OK; ++a) {
        status = find_places(k->q->c, a, &k->along[a]);
        all *= k->along[a].kinds;
    }
    status = status == HX_OK ? check_work(k->q->c, all) : status;
    if (status == HX_OK) {
        k->all = (int)all;
        k->loads = hxi_memory_get((size_t)all, sizeof *k->loads, "ranks");
    }
    return status == HX_OK && !k->loads ? HX_ERR_MEMORY : status;
}

static hx_status add_kinds(totals *t)
{
    kinds k = {.q = t->q, .crossing = t->crossing};
    hx_status status = find_kinds(&k);
    status = status == HX_OK ? each_kind(&k, look_at_kind, &k) : status;
    status = status == HX_OK ? each_kind(&k, add_kind, t) : status;
    for (int a = 0; a < HX_MAX_AXES; ++a) {
        hxi_memory_free(k.along[a].first);
        hxi_memory_free(k.along[a].count);
    }
    hxi_memory_free(k.loads);
    return status;
}

/* ---- all ranks ----------------------------------------------------------------------------------------- */

/* Who is looked at, among all. */
typedef struct looked {
    load *loads;
    crossing *crossing;
    int rank;
} looked;

static void deliver_to_rank(void *context, const delivery *d)
{
    const looked *l = context;
    add_end(&l->loads[d->peer], d->kind != HX_SENT, d->bytes);
    cross(l->crossing, d, l->rank, d->peer);
}

static hx_status add_all(totals *t)
{
    const int ranks = t->q->c->layout.ranks;
    const hx_status light =
        check_work(t->q->c, t->q->c->layout.blocks > ranks ? t->q->c->layout.blocks : ranks);
    if (light != HX_OK) {
        return light;
    }
    load *loads = hxi_memory_get((size_t)ranks, sizeof *loads, "ranks");
    hx_status status = loads ? HX_OK : HX_ERR_MEMORY;
    for (int r = 0; r < ranks && status == HX_OK; ++r) {
        loads[r].rank = r;
        looked l = {loads, t->crossing, r};
        status = look_at(t->q, &loads[r], &(listener){deliver_to_rank, &l});
    }
    for (int r = 0; r < ranks && status == HX_OK; ++r) {
        add_load(t, &loads[r], 1);
        t->looked_at++;
    }
    hxi_memory_free(loads);
    return status;
}

/* ---- to Lua -------------------------------------------------------------------------------------------- */

static void write_load(lua_State *L, const char *key, const load *l)
{
    lua_createtable(L, 0, 6);
    write_int(L, "rank", l->rank);
    write_int(L, "sends", l->sends);
    write_int(L, "receives", l->receives);
    write_int(L, "bytes_sent", l->bytes_sent);
    write_int(L, "bytes_received", l->bytes_received);
    write_int(L, "bytes_copied", l->bytes_copied);
    lua_setfield(L, -2, key);
}

/* Are ranks alike by their places?  A fold joins places that lie far from each other. */
static bool has_kinds(const configuration *c)
{
    bool wraps = c->layout.tiles == 1 && c->layout.blocks == c->layout.ranks;
    for (int p = 0; p < c->spec->position_classes; ++p) {
        const hx_positions *positions = &c->spec->positions[p];
        wraps = wraps && positions->rewrites == 0;
        for (int i = 0; i < positions->links; ++i) {
            wraps = wraps && hxi_cut_wraps(c->spec, &positions->link[i]);
        }
    }
    return wraps;
}

int totals_push(lua_State *L)
{
    enum { GROUPS = 5 };
    const question q = question_at(L, 2);
    crossing crossed;
    totals t = {.q = &q, .crossing = &crossed};
    hx_status status = crossing_read(L, GROUPS, q.c->layout.ranks, q.schedule.phases, &crossed);
    status = status == HX_OK ? check_crossing(&t) : status;
    status = status != HX_OK ? status : has_kinds(q.c) ? add_kinds(&t) : add_all(&t);
    if (status != HX_OK) {
        crossing_free(&crossed);
        return configuration_refuse(L);
    }
    lua_createtable(L, 0, 7);
    write_int(L, "looked_at", t.looked_at);
    write_int(L, "messages", t.messages);
    write_int(L, "bytes_sent", t.bytes_sent);
    write_int(L, "bytes_copied", t.bytes_copied);
    write_load(L, "busiest", &t.busiest);
    write_load(L, "idlest", &t.idlest);
    crossing_push(L, &crossed);
    crossing_free(&crossed);
    lua_setfield(L, -2, "crossing");
    return 1;
}
