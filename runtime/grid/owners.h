/*
 * The owners of all blocks of a grid, as hx_blocks.owners has them, in little memory: stretches of blocks whose owners
 * rise by one after each so many.  Blocks in the order of their ranks are one stretch for each tile, however many ranks
 * there are.
 */
#ifndef HX_OWNERS_H
#define HX_OWNERS_H

#include "base/status.h"

#include <stdint.h>

/* Block b belongs to rank + (b - first) / each; without an owner all do. */
typedef struct hxi_owner_stretch {
    int first;
    int rank;
    int each;
} hxi_owner_stretch;

typedef struct hxi_owners {
    int blocks; /* 0: nothing is known of owners */
    hxi_owner_stretch *stretch;
    int stretches;
    int *table;    /* in place of stretches, where these would take more */
    uint64_t hash; /* of all owners */
} hxi_owners;

/* Copies a table of at least one block; ranks below -1 and above INT_MAX - 1 are not in it. */
hx_status hxi_owners_make(const int *table, int blocks, hxi_owners *owners);
void hxi_owners_free(hxi_owners *owners);

/* The rank of a block; HX_NO_OWNER: it has none. */
int hxi_owners_of(const hxi_owners *owners, int block);

/* Of the blocks from first to before end, those of a rank; HX_NO_OWNER: of nobody. */
int hxi_owners_count(const hxi_owners *owners, int rank, int first, int end);

#endif
