/*
 * What a rank does with exchanges that add when all of their messages are in: contributions are added to the
 * owned points in an order that depends on the partition only, then the ghost points they came from are
 * zeroed, unless the exchange keeps them.
 */
#ifndef HX_ACCUMULATE_H
#define HX_ACCUMULATE_H

#include "pack/ops.h"

/* The contribution of one segment, or of one of its components where they lie apart. */
typedef struct hxi_sum_op {
    bool within; /* this rank: it is copied from array to array; else unpacked from a message */
    union {
        hxi_copy_op copy;
        hxi_unpack_op unpack;
    } run;
} hxi_sum_op;

typedef struct hxi_accumulation {
    hxi_sum_op *sum;
    int sums;
    hxi_zero_op *zero;
    int zeros;
    hx_region *region; /* of all of them */
    int regions;
} hxi_accumulation;

/* For the segments of an exchange that adds. */
hx_status hxi_accumulation_make(const hxi_work *work, hxi_accumulation *additions);
void hxi_accumulation_free(hxi_accumulation *additions);

/* base, buffer: as for hxi_ops_unpack. */
void hxi_accumulation_run(const hxi_accumulation *additions, void *const *base, unsigned char *const *buffer);

#endif
