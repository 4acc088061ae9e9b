#include "grid/balance.h"

#include "base/memory.h"

static const char purpose[] = "balancing the work of ranks";

/* A move is worth it if it helps by more than one part in so many of the mean work of a rank. */
enum { WORTH = 100 };

/* What a rank that owns a neighbor gains by that: its boundary grows by less. */
static const double near = 2.0;

enum { NONE = -1 };

typedef struct balancer {
    const hx_spec *spec;
    const hxi_layout *layout;
    const double *work;
    int *owner;
    int *next;  /* of each block, another one of the same owner; NONE: it is the last */
    int *first; /* of each rank; NONE: it owns none */
    double *load;
    int leaves; /* a power of 2, at least as many as ranks */
    int *most;  /* a tree: the rank with the most work below each place, NONE: there is none; ... */
    int *least; /* ... and with the least */
    double worth;
} balancer;

/* ---- the ranks with the most and the least work -------------------------------------------------------------- */

static int busier(const balancer *b, int one, int other)
{
    return other == NONE || (one != NONE && b->load[one] >= b->load[other]) ? one : other;
}

static int idler(const balancer *b, int one, int other)
{
    return other == NONE || (one != NONE && b->load[one] <= b->load[other]) ? one : other;
}

static void compare_below(balancer *b, int place)
{
    b->most[place] = busier(b, b->most[2 * place], b->most[2 * place + 1]);
    b->least[place] = idler(b, b->least[2 * place], b->least[2 * place + 1]);
}

static void update(balancer *b, int rank)
{
    for (int place = (b->leaves + rank) / 2; place > 0; place /= 2) {
        compare_below(b, place);
    }
}

static void make_tree(balancer *b)
{
    for (int i = 0; i < b->leaves; ++i) {
        b->most[b->leaves + i] = b->least[b->leaves + i] = i < b->layout->ranks ? i : NONE;
    }
    for (int place = b->leaves - 1; place > 0; --place) {
        compare_below(b, place);
    }
}

/* ---- moves --------------------------------------------------------------------------------------------------- */

typedef struct move {
    int block;
    int to;
    double score;
} move;

/* By how much less work the busier of two ranks has after a move. */
static double gain(const balancer *b, int from, int to, double work)
{
    const double apart = b->load[from] - b->load[to] - work;
    return work < apart ? work : apart;
}

static void try_move(const balancer *b, int block, int to, double weight, move *best)
{
    const int from = b->owner[block];
    const double gained = to < 0 || to == from ? 0.0 : gain(b, from, to, b->work[block]);
    if (gained > b->worth && gained * weight > best->score) {
        *best = (move){block, to, gained * weight};
    }
}

static int tile_of(const balancer *b, int block)
{
    int tile = b->layout->tiles - 1;
    while (b->layout->tile[tile].first_block > block) {
        --tile;
    }
    return tile;
}

/* To the owners of blocks that share a side with it, in its tile. */
static void try_neighbors(const balancer *b, int block, move *best)
{
    const int number = tile_of(b, block);
    const hxi_tile *tile = &b->layout->tile[number];
    int index[HX_MAX_AXES];
    hxi_layout_index(b->layout, number, block - tile->first_block, index);
    for (int side = 0; side < 2 * b->layout->axes; ++side) {
        const int axis = side / 2;
        const int parts = tile->parts[axis];
        const int here = index[axis];
        const int there = here + (side % 2 == 0 ? -1 : 1);
        if (b->spec->periodic[axis] || (there >= 0 && there < parts)) {
            index[axis] = (there + parts) % parts;
            try_move(b, block, b->owner[tile->first_block + hxi_layout_block(b->layout, number, index)], near,
                     best);
            index[axis] = here;
        }
    }
}

static void add_block(balancer *b, int block, int rank)
{
    b->next[block] = b->first[rank];
    b->first[rank] = block;
    b->owner[block] = rank;
    b->load[rank] += b->work[block];
}

static void take_block(balancer *b, int block)
{
    const int rank = b->owner[block];
    int *link = &b->first[rank];
    while (*link != block) {
        link = &b->next[*link];
    }
    *link = b->next[block];
    b->load[rank] -= b->work[block];
}

/* The best move away from the busiest rank; false: none is worth it. */
static bool improve(balancer *b)
{
    const int from = b->most[1];
    const int to = b->least[1];
    move best = {NONE, NONE, 0.0};
    for (int block = b->first[from]; block != NONE; block = b->next[block]) {
        try_move(b, block, to, 1.0, &best);
        try_neighbors(b, block, &best);
    }
    if (best.block == NONE) {
        return false;
    }
    take_block(b, best.block);
    add_block(b, best.block, best.to);
    update(b, from);
    update(b, best.to);
    return true;
}

/* ---- the whole ----------------------------------------------------------------------------------------------- */

static void fill(balancer *b)
{
    double all = 0.0;
    for (int r = 0; r < b->layout->ranks; ++r) {
        b->first[r] = NONE;
    }
    for (int block = b->layout->blocks - 1; block >= 0; --block) {
        if (b->owner[block] >= 0) {
            add_block(b, block, b->owner[block]);
            all += b->work[block];
        }
    }
    b->worth = all / b->layout->ranks / WORTH;
    make_tree(b);
}

hx_status hxi_balance(const hx_spec *spec, const hxi_layout *layout, const double work[], int owner[])
{
    balancer b = {.spec = spec, .layout = layout, .work = work, .owner = owner, .leaves = 2};
    while (b.leaves < layout->ranks) {
        b.leaves *= 2;
    }
    const size_t ranks = (size_t)layout->ranks;
    const size_t places = 2 * (size_t)b.leaves;
    b.next = hxi_memory_get((size_t)layout->blocks, sizeof *b.next, purpose);
    b.first = hxi_memory_get(ranks, sizeof *b.first, purpose);
    b.load = hxi_memory_get(ranks, sizeof *b.load, purpose);
    b.most = hxi_memory_get(places, sizeof *b.most, purpose);
    b.least = hxi_memory_get(places, sizeof *b.least, purpose);
    const bool enough = b.next && b.first && b.load && b.most && b.least;
    if (enough) {
        fill(&b);
        while (improve(&b)) {
        }
    }
    hxi_memory_free(b.next);
    hxi_memory_free(b.first);
    hxi_memory_free(b.load);
    hxi_memory_free(b.most);
    hxi_memory_free(b.least);
    return enough ? HX_OK : HX_ERR_MEMORY;
}
