/*
 * What a rank does with exchanges that combine shared points, when all messages are in: what its own blocks
 * hold is packed, so that it is still known when they change; then every block takes the mean, or the sum, of
 * the same numbers in the same order.
 */
#ifndef HX_COMBINE_H
#define HX_COMBINE_H

#include "pack/ops.h"

/* Where one of the numbers is: in a message received, or among what this rank has packed. */
typedef struct hxi_combine_term {
    int message; /* HX_TERM_OWN, HX_TERM_PACKED */
    size_t offset;
} hxi_combine_term;

enum { HX_TERM_OWN = -2, HX_TERM_PACKED = -1 };

/* The points of one block that the same blocks hold. */
typedef struct hxi_combine_op {
    int slot;
    const hx_region *to;
    hx_combine_fn *run;
    int terms;
    int term;   /* the first */
    int groups; /* and the copies of each ... */
    int copies; /* ... from this place on */
} hxi_combine_op;

typedef struct hxi_combining {
    hxi_pack_op *pack;
    int packs;
    unsigned char *packed;
    hxi_combine_op *op;
    int ops;
    hxi_combine_term *term;
    const void **place; /* of the terms, when they are needed */
    int terms;
    int *copies;
    int groups;        /* of all operations */
    hx_region *region; /* of all of them */
    int regions;
} hxi_combining;

/*
 * Segments that end at this rank, by block, field and points; those of the same points in the order of what
 * their holders are worth.  Returns how many; sorted: room for all segments.
 */
int hxi_combine_sort(const hxi_work *work, const hxi_segment **sorted);

/* Do two of them lead to the same points? */
bool hxi_combine_meet(const hxi_segment *a, const hxi_segment *b);

/* For the segments of an exchange that combines, see hxi_shared_points_combine. */
hx_status hxi_combine_make(const hxi_work *work, hxi_combining *combining);
void hxi_combine_free(hxi_combining *combining);

/* base, buffer: as for hxi_ops_unpack. */
void hxi_combine_run(const hxi_combining *combining, void *const *base, unsigned char *const *buffer);

#endif
