/*
 * Arrays that libhx allocates.  One call of hx_alloc makes a set: one array for each field of each block of
 * this rank, all of them in its part of memory that the ranks of its node share.  Sets are numbered, so ranks
 * can speak about them.
 */
#ifndef HX_ALLOC_H
#define HX_ALLOC_H

#include "node_memory.h"

typedef struct hx_set {
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
    int made; /* so far, freed or not */
} hx_sets;

/* Local.  abandon: messages may still come, so this rank's part stays until the process ends. */
void hx_sets_free(hx_sets *sets, int abandon);

#endif
