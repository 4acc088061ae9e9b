/*
 * A cloud of points with ids, drawn from a seed: who owns each, which points each rank has, in which order.
 * All ranks draw the same, so each knows what every other one has.
 */
#ifndef CLOUD_H
#define CLOUD_H

#include <hx/hx.h>

#include <stdint.h>

typedef struct cloud_rank {
    int points;
    int64_t *id;          /* of each point; -1: it takes no part */
    unsigned char *owned; /* 1: this rank owns it */
} cloud_rank;

typedef struct cloud {
    int ranks;
    int ids;
    int *owner; /* by id; -1: there is no such point */
    cloud_rank *rank;
} cloud;

uint64_t cloud_mix(uint64_t value);

/* seed decides about everything: also whether points lie in order, and whether ranks are left without any. */
void cloud_make(cloud *c, uint64_t seed, int ranks);
/* With up to so many ids. */
void cloud_make_large(cloud *c, uint64_t seed, int ranks, int most);
/*
 * Each rank has `teeth` ids of every other one that is at most four ranks away, in a ring of all: each second one of those,
 * which are thereby all on their own.
 */
void cloud_make_comb(cloud *c, int teeth, int ranks);
void cloud_free(cloud *c);

/* The lists of a rank, drawn up by looking at all ranks; cloud_drop frees them. */
void cloud_list(const cloud *c, int rank, hx_index_list *list);
void cloud_drop(hx_index_list *list);

#endif
