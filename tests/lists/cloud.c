#include "cloud.h"

#include <stdlib.h>
#include <string.h>

uint64_t cloud_mix(uint64_t value)
{
    value += UINT64_C(0x9e3779b97f4a7c15);
    value = (value ^ value >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    value = (value ^ value >> 27) * UINT64_C(0x94d049bb133111eb);
    return value ^ value >> 31;
}

static int draw(uint64_t *seed, int below)
{
    *seed = cloud_mix(*seed);
    return (int)(*seed % (uint64_t)below);
}

static void *get(size_t count, size_t size)
{
    void *memory = calloc(count > 0 ? count : 1, size);
    if (memory == NULL) {
        abort();
    }
    return memory;
}

static void add_point(cloud_rank *r, int64_t id, unsigned char owned)
{
    r->id[r->points] = id;
    r->owned[r->points++] = owned;
}

static void swap_points(cloud_rank *r, int i, int j)
{
    const cloud_rank before = {0, (int64_t[]){r->id[i]}, (unsigned char[]){r->owned[i]}};
    r->id[i] = r->id[j];
    r->owned[i] = r->owned[j];
    r->id[j] = before.id[0];
    r->owned[j] = before.owned[0];
}

/* Owned points, then those of the halo; of its own points a rank may have copies; and some take no part. */
static void make_rank(cloud *c, int rank, uint64_t *seed, int halo, int copies, int shuffled)
{
    cloud_rank *r = &c->rank[rank];
    r->id = get((size_t)(3 * c->ids), sizeof *r->id);
    r->owned = get((size_t)(3 * c->ids), 1);
    for (int id = 0; id < c->ids; ++id) {
        if (c->owner[id] == rank) {
            add_point(r, id, 1);
        }
    }
    for (int id = 0; id < c->ids && (r->points > 0 || draw(seed, 4) > 0); ++id) {
        const int own = c->owner[id] == rank;
        if (c->owner[id] >= 0 && draw(seed, 100) < (own ? copies : halo)) {
            add_point(r, id, 0);
        }
        if (draw(seed, 20) == 0) {
            add_point(r, -1, 0);
        }
    }
    for (int i = r->points - 1; i > 0 && shuffled; --i) {
        swap_points(r, i, draw(seed, i + 1));
    }
}

void cloud_make(cloud *c, uint64_t seed, int ranks)
{
    cloud_make_large(c, seed, ranks, 60);
}

void cloud_make_large(cloud *c, uint64_t seed, int ranks, int most)
{
    seed = cloud_mix(seed);
    *c = (cloud){.ranks = ranks, .ids = 1 + draw(&seed, most)};
    c->owner = get((size_t)c->ids, sizeof *c->owner);
    c->rank = get((size_t)ranks, sizeof *c->rank);
    const int scattered = draw(&seed, 3) == 0;
    const int gaps = draw(&seed, 3) == 0;
    const int last = draw(&seed, 4) == 0 ? 1 + draw(&seed, ranks) : ranks; /* ranks that own any */
    for (int id = 0; id < c->ids; ++id) {
        c->owner[id] = scattered ? draw(&seed, last) : (int)((int64_t)id * last / c->ids);
        if (gaps && draw(&seed, 5) == 0) {
            c->owner[id] = -1;
        }
    }
    const int halo = (int[]){0, 10, 40, 100}[draw(&seed, 4)];
    const int copies = draw(&seed, 2) * 20;
    const int shuffled = draw(&seed, 2);
    for (int rank = 0; rank < ranks; ++rank) {
        make_rank(c, rank, &seed, halo, copies, shuffled);
    }
}

/* Whether ranks are so near each other, in a ring of all, that one has points of the other. */
static int are_near(int a, int b, int ranks)
{
    enum { REACH = 4 };
    const int apart = abs(a - b);
    return apart <= REACH || ranks - apart <= REACH;
}

void cloud_make_comb(cloud *c, int teeth, int ranks)
{
    const int own = 2 * teeth;
    *c = (cloud){.ranks = ranks, .ids = own * ranks};
    c->owner = get((size_t)c->ids, sizeof *c->owner);
    c->rank = get((size_t)ranks, sizeof *c->rank);
    for (int rank = 0; rank < ranks; ++rank) {
        cloud_rank *r = &c->rank[rank];
        int near = 0;
        for (int other = 0; other < ranks; ++other) {
            near += are_near(other, rank, ranks);
        }
        r->id = get((size_t)(own * near), sizeof *r->id);
        r->owned = get((size_t)(own * near), 1);
        for (int i = 0; i < own; ++i) {
            c->owner[own * rank + i] = rank;
            add_point(r, own * rank + i, 1);
        }
        for (int id = 0; id < c->ids; id += 2) {
            if (id / own != rank && are_near(id / own, rank, ranks)) {
                add_point(r, id, 0);
            }
        }
    }
}

void cloud_free(cloud *c)
{
    for (int rank = 0; rank < c->ranks; ++rank) {
        free(c->rank[rank].id);
        free(c->rank[rank].owned);
    }
    free(c->rank);
    free(c->owner);
}

/* The point of a rank that it owns and has the id. */
static int owned_point(const cloud_rank *r, int64_t id)
{
    int point = 0;
    while (r->id[point] != id || !r->owned[point]) {
        ++point;
    }
    return point;
}

/* Points of one rank that another one owns, and what they are there; returns how many. */
static int copies_of(const cloud *c, int rank, int owner, int *point, int *source)
{
    const cloud_rank *r = &c->rank[rank];
    int found = 0;
    for (int i = 0; i < r->points; ++i) {
        if (r->id[i] >= 0 && !r->owned[i] && c->owner[r->id[i]] == owner) {
            point[found] = i;
            source[found++] = owned_point(&c->rank[owner], r->id[i]);
        }
    }
    return found;
}

/* The ranks in falling order: create sorts them. */
void cloud_list(const cloud *c, int rank, hx_index_list *list)
{
    hx_peer *peers = get((size_t)c->ranks, sizeof *peers);
    int most = 0;
    for (int other = 0; other < c->ranks; ++other) {
        most = c->rank[other].points > most ? c->rank[other].points : most;
    }
    int *unused = get((size_t)most, sizeof *unused);
    *list = (hx_index_list){.peer = peers};
    for (int other = c->ranks - 1; other >= 0; --other) {
        int *receive = get((size_t)c->rank[rank].points, sizeof *receive);
        int *send = get((size_t)c->rank[other].points, sizeof *send);
        const hx_peer peer = {.rank = other,
                              .sends = copies_of(c, other, rank, unused, send),
                              .send = send,
                              .receives = copies_of(c, rank, other, receive, unused),
                              .receive = receive};
        if (peer.sends + peer.receives > 0 || other % 2 == 0) {
            peers[list->peers++] = peer;
        } else {
            free(receive);
            free(send);
        }
    }
    free(unused);
}

/* Lists of a test are its own to change. */
static void drop(const void *memory)
{
    void *own;
    memcpy(&own, &memory, sizeof own);
    free(own);
}

void cloud_drop(hx_index_list *list)
{
    for (int p = 0; p < list->peers; ++p) {
        drop(list->peer[p].send);
        drop(list->peer[p].receive);
    }
    drop(list->peer);
    *list = (hx_index_list){0};
}
