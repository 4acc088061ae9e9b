/*
 * On a Cartesian grid with a block a rank, ranks with the same places along all axes do the same: the first, the last and
 * those between, longer blocks and shorter ones.  One rank of each kind is looked at, and counted as often as there
 * are such.  On other grids every rank is looked at, what it receives only: others send just that.
 */
#include "explain/totals.h"

#include "explain/configuration.h"
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

typedef struct totals {
    const question *q;
    lua_Integer looked_at, messages, bytes_sent, bytes_copied;
    load busiest, idlest;
    bool any;
} totals;

/* ---- one rank ----------------------------------------------------------------------------------------- */

/* A message of segments that were sorted: who, how many bytes.  loads: of all ranks; NULL: of this one alone. */
static void add_message(const question *q, hxi_segment *first, int count, load *mine, load *loads)
{
    if (first->kind == HX_WITHIN) {
        for (int i = 0; i < count; ++i) {
            mine->bytes_copied += (lua_Integer)first[i].bytes;
        }
        return;
    }
    const lua_Integer bytes = (lua_Integer)hxi_segments_place(q->c->spec, first, count);
    load *sender = first->kind == HX_SENT ? mine : loads ? &loads[first->link.peer] : NULL;
    load *receiver = first->kind == HX_RECEIVED ? mine : loads ? &loads[first->link.peer] : NULL;
    if (sender) {
        sender->sends++;
        sender->bytes_sent += bytes;
    }
    if (receiver) {
        receiver->receives++;
        receiver->bytes_received += bytes;
    }
}

static void add_segments(const question *q, const hxi_segments *segments, load *mine, load *loads)
{
    for (int i = 0, end = 0; i < segments->count; i = end) {
        hxi_segment *first = &segments->segment[i];
        for (end = i; end < segments->count && segments->segment[end].kind == first->kind &&
                      segments->segment[end].link.peer == first->link.peer;
             ++end) {
        }
        add_message(q, first, end - i, mine, loads);
    }
}

/* loads: what blocks of this rank are fed goes to both ends; NULL: all that this rank sends and receives, to it. */
static hx_status look_at(const question *q, int rank, load *mine, load *loads)
{
    hxi_block_list blocks;
    hxi_neighbors neighbors = {0};
    hx_status status = configuration_blocks(q->c, rank, &blocks);
    if (status == HX_OK && !loads) {
        status =
            hxi_neighbors_find(q->c->spec, &q->c->layout, &blocks, configuration_reach(q->c), &neighbors);
    }
    for (int p = 0; p < q->schedule.phases && status == HX_OK; ++p) {
        hxi_segments found = {0};
        status = question_segments(q, &blocks, &neighbors, rank, p, &found);
        if (status == HX_OK) {
            add_segments(q, &found, mine, loads);
        }
        hxi_segments_free(&found);
    }
    hxi_memory_free(neighbors.place);
    hxi_blocks_free(&blocks);
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
        const int n = tile->cuts[axis][i + 1] - tile->cuts[axis][i];
        shortest = n < shortest ? n : shortest;
    }
    return shortest;
}

static int length_of(const hxi_tile *tile, int axis, int part)
{
    const int parts = tile->parts[axis];
    const int i = (part % parts + parts) % parts;
    return tile->cuts[axis][i + 1] - tile->cuts[axis][i];
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

/* One rank of each combination of places. */
static hx_status look_at_kinds(totals *t, const places along[])
{
    const hxi_layout *layout = &t->q->c->layout;
    int kind[HX_MAX_AXES] = {0};
    for (;;) {
        int index[HX_MAX_AXES] = {0};
        lua_Integer count = 1;
        for (int a = 0; a < layout->axes; ++a) {
            index[a] = along[a].first[kind[a]];
            count *= along[a].count[kind[a]];
        }
        load l = {.rank = hxi_layout_block(layout, 0, index)};
        const hx_status status = look_at(t->q, l.rank, &l, NULL);
        if (status != HX_OK) {
            return status;
        }
        add_load(t, &l, count);
        t->looked_at++;
        int a = layout->axes - 1;
        while (a >= 0 && ++kind[a] == along[a].kinds) {
            kind[a--] = 0;
        }
        if (a < 0) {
            return HX_OK;
        }
    }
}

static hx_status add_kinds(totals *t)
{
    places along[HX_MAX_AXES] = {0};
    lua_Integer kinds = 1;
    hx_status status = HX_OK;
    for (int a = 0; a < t->q->c->layout.axes && status == HX_OK; ++a) {
        status = find_places(t->q->c, a, &along[a]);
        kinds *= along[a].kinds;
    }
    int around = 1; /* blocks, each of which may feed the rank or be fed */
    for (int a = 0; a < t->q->c->layout.axes; ++a) {
        around *= 3;
    }
    status = status == HX_OK ? check_work(t->q->c, kinds * around) : status;
    status = status == HX_OK ? look_at_kinds(t, along) : status;
    for (int a = 0; a < HX_MAX_AXES; ++a) {
        hxi_memory_free(along[a].first);
        hxi_memory_free(along[a].count);
    }
    return status;
}

/* ---- all ranks ----------------------------------------------------------------------------------------- */

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
        status = look_at(t->q, r, &loads[r], loads);
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
    const question q = question_at(L, 2);
    totals t = {.q = &q};
    const hx_status status = has_kinds(q.c) ? add_kinds(&t) : add_all(&t);
    if (status != HX_OK) {
        return configuration_refuse(L);
    }
    lua_createtable(L, 0, 7);
    write_int(L, "looked_at", t.looked_at);
    write_int(L, "messages", t.messages);
    write_int(L, "bytes_sent", t.bytes_sent);
    write_int(L, "bytes_copied", t.bytes_copied);
    write_load(L, "busiest", &t.busiest);
    write_load(L, "idlest", &t.idlest);
    return 1;
}
