/*
 * What a rank does with exchanges that add when all of their messages are in: contributions are added to the
 * owned points in an order that depends on the partition only, then the ghost points they came from are
 * zeroed, unless the exchange keeps them.
 */
#ifndef HX_ADDING_H
#define HX_ADDING_H

#include "pack/ops.h"

/* The contribution of one segment, or of one of its components where they lie apart. */
typedef struct hx_sum_op {
    bool within; /* this rank: it is copied from array to array; else unpacked from a message */
    union {
        hx_copy_op copy;
        hx_unpack_op unpack;
    } run;
} hx_sum_op;

typedef struct hx_additions {
    hx_sum_op *sum;
    int sums;
    hx_zero_op *zero;
    int zeros;
    hx_region *region; /* of all of them */
    int regions;
} hx_additions;

/* For the segments of an exchange that adds. */
hx_status hx_additions_make(const hx_work *work, hx_additions *additions);
void hx_additions_free(hx_additions *additions);

/* base, buffer: as for hx_ops_unpack. */
void hx_additions_run(const hx_additions *additions, void *const *base, unsigned char *const *buffer);

#endif
