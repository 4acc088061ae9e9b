/*
 * Arrays that libhx allocates.  One call of hx_alloc makes a set: one array for each field of each block of
 * this rank, all of them in one piece of memory.  Sets are numbered, so ranks can speak about them.
 */
#ifndef HX_ALLOC_H
#define HX_ALLOC_H

#include <hx/hx.h>

#include <stdbool.h>
#include <stddef.h>

typedef struct hx_set {
    struct hx_set *next;  /* of the handle, on all ranks in the same order */
    int number;           /* 1 and up, the same on all ranks */
    unsigned char *base;  /* of this rank's memory */
    size_t bytes;         /* of it */
    int slots;            /* arrays: slot block * fields + field, blocks in the order of the shapes */
    size_t *offset;       /* where they start, from the base; rising */
    unsigned char *state; /* what has become of them */
    bool ends;            /* while arrays are freed: no rank keeps any */
} hx_set;

typedef struct hx_sets {
    hx_set *first;
    int made; /* so far, freed or not */
} hx_sets;

/* Collective, unless messages may still come: abandon keeps the memory until the process ends. */
void hx_sets_free(hx_sets *sets, int abandon);

#endif
