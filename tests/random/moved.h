/*
 * What must arrive where fields move, and gather and scatter in place of a redistribution.
 */
#ifndef MOVED_H
#define MOVED_H

#include "origin.h"
#include "session.h"

enum { MOST = 64 };

/* Points of a field on one rank, and their array in some memory order, with room to spare along each axis. */
typedef struct taken {
    int rank;
    hx_selection s;
    size_t bytes;
} taken;

/* Of several ranks. */
typedef struct takens {
    const world *tiles; /* a block for each tile */
    int count;
    taken taken[MOST];
} takens;

/* Where a point of the target comes from, in the source, or from there by way of whole tiles, which lack no block;
 * false: nowhere. */
bool moved_source(const world *w, const world *to, bool whole, origin *point);

/* The value that a component of a point has in the source; zero where it came from nowhere to whole tiles. */
void moved_value(const arrays *from, const origin *point, bool comes, int component, void *value);

/*
 * Changes what the target is to hold: nothing but owned points of a field, and with halos ghost points.  tiles: they come by
 * way of these; NULL: from the blocks of the source.
 */
void moved_expect(arrays *to, const arrays *from, int field, const takens *tiles, bool halos);

/* From blocks to one rank, and from there to others.  tiles: a block for each tile.  Both return how often fields were moved. */
long moved_by_one(session s[2], const world *tiles, unsigned number);
/* From blocks to any ranks, and from some to other blocks. */
long moved_by_several(session s[2], const world *tiles, unsigned number);

#endif
