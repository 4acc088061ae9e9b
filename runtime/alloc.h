/*
 * Arrays that libhx allocates.  One call of hx_alloc makes a set: one array for each field of each block of
 * this rank, all of them in its part of memory that the ranks of its node share.  Sets are numbered, so ranks
 * can speak about them.
 */
#ifndef HX_ALLOC_H
#define HX_ALLOC_H

#include "board.h"
#include "memory.h"

typedef struct hx_set {
    hx_kept kept;        /* after it was abandoned */
    struct hx_set *next; /* of the handle, on all ranks in the same order */
    int number;          /* 1 and up, the same on all ranks */
    hx_node_memory memory;
    int slots;            /* arrays: slot block * fields + field, blocks in the order of the shapes */
    size_t *offset;       /* where they start in this rank's part; rising */
    unsigned char *state; /* what has become of them */
    bool ends;            /* while arrays are freed: no rank keeps any */
} hx_set;

typedef struct hx_sets {
    hx_set *first;
    int made;    /* so far, freed or not */
    int changes; /* how often there were more, or fewer */
} hx_sets;

/* Where an array is; its set is 0 if others of the node cannot reach it. */
hx_where hx_sets_find(const hx_sets *sets, const void *array);

/* Where this rank sees an array of another rank of the node; NULL: nowhere. */
void *hx_sets_reach(const hx_sets *sets, int node_rank, const hx_where *where);

/* Local.  abandon: messages may still come, so this rank's part stays until the process ends. */
void hx_sets_free(hx_sets *sets, int abandon);

#endif
