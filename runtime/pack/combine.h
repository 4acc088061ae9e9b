/*
 * What a rank does with exchanges that combine shared points, when all messages are in: what its own blocks
 * hold is packed, so that it is still known when they change; then every block takes the mean, or the sum, of
 * the same numbers in the same order.
 */
#ifndef HX_COMBINE_H
#define HX_COMBINE_H

#include "pack/ops.h"

/* Where one of the numbers is: in a message received, or among what this rank has packed. */
typedef struct hx_combine_term {
    int message; /* HX_TERM_OWN, HX_TERM_PACKED */
    size_t offset;
} hx_combine_term;

enum { HX_TERM_OWN = -2, HX_TERM_PACKED = -1 };

/* The points of one block that the same blocks hold. */
typedef struct hx_combine_op {
    int slot;
    const hx_region *to;
    hx_combine_fn *run;
    int terms;
    int term;   /* the first */
    int groups; /* and the copies of each ... */
    int copies; /* ... from this place on */
} hx_combine_op;

typedef struct hx_combining {
    hx_pack_op *pack;
    int packs;
    unsigned char *packed;
    hx_combine_op *op;
    int ops;
    hx_combine_term *term;
    const void **place; /* of the terms, when they are needed */
    int terms;
    int *copies;
    int groups;        /* of all operations */
    hx_region *region; /* of all of them */
    int regions;
} hx_combining;

/*
 * Segments that end at this rank, by block, field and points; those of the same points in the order of what
 * their holders are worth.  Returns how many; sorted: room for all segments.
 */
int hx_combine_sort(const hx_work *work, const hx_segment **sorted);

/* Do two of them lead to the same points? */
bool hx_combine_meet(const hx_segment *a, const hx_segment *b);

/* For the segments of an exchange that combines, see hx_holders_combine. */
hx_status hx_combine_make(const hx_work *work, hx_combining *combining);
void hx_combine_free(hx_combining *combining);

/* base, buffer: as for hx_ops_unpack. */
void hx_combine_run(const hx_combining *combining, void *const *base, unsigned char *const *buffer);

#endif
