/*
 * Operations: calls of emitted kernels, fixed when a plan is made (kernel_select.c); arrays and buffers are
 * given when they run (ops.c).
 */
#ifndef HX_OPS_H
#define HX_OPS_H

#include "pack/sweep.h"
#include "pack/work.h"

/* How the points of an operation are divided among threads; zeros: not at all. */
typedef struct hxi_cutting {
    const int *order; /* axes of its regions from the fastest to the slowest, ... */
    int axes;         /* ... so many */
    int whole;        /* the first so many are never cut: kernels have their length as a literal */
    size_t point;     /* bytes of a point of a region in a message */
} hxi_cutting;

typedef enum hxi_op_kind { HX_OP_PLAIN, HX_OP_PAIR, HX_OP_TURNED, HX_OP_PICKED, HX_OP_LISTED } hxi_op_kind;

/*
 * Slots are as in work.h.  Messages number those sent, or those received.  Plain operations have one region,
 * message and offset; pairs have two, low side first.
 */
typedef struct hxi_pack_op {
    hxi_op_kind kind;
    int slot;
    int sign; /* of turned ones */
    int message[2];
    size_t offset[2];
    const hx_region *from;
    const hx_region *to;   /* of turned ones: in the message */
    const hx_picks *picks; /* of picked ones */
    const hx_runs *runs;   /* of listed ones */
    hxi_cutting cut;
    union {
        hx_pack_fn *plain;
        hx_pack_pair_fn *pair;
        hx_copy_turned_fn *turned;
        hx_pack_picked_fn *picked;
        hx_pack_listed_fn *listed;
    } run;
} hxi_pack_op;

typedef struct hxi_unpack_op {
    hxi_op_kind kind;
    int slot;
    int sign; /* of turned ones, which add */
    int message[2];
    size_t offset[2];
    const hx_region *to;
    const hx_region *from; /* of turned ones: in the message */
    const hx_picks *picks;
    const hx_runs *runs;
    hxi_cutting cut;
    union {
        hx_unpack_fn *plain;
        hx_unpack_pair_fn *pair;
        hx_copy_turned_fn *turned;
        hx_unpack_picked_fn *picked;
        hx_unpack_listed_fn *listed;
    } run;
} hxi_unpack_op;

typedef struct hxi_copy_op {
    hxi_op_kind kind;
    int to_slot;
    int from_slot;
    int sign;
    const hx_region *to; /* of pairs: to_lo, to_hi */
    const hx_region *from;
    const hx_picks *picks;
    const hx_runs *to_runs; /* of listed ones; NULL: they become one run, ... */
    size_t at;              /* ... so many bytes behind the array's pointer */
    const hx_runs *from_runs;
    hxi_cutting cut;
    union {
        hx_copy_fn *plain;
        hx_copy_pair_fn *pair;
        hx_copy_turned_fn *turned;
        hx_copy_picked_fn *picked;
        hx_copy_listed_fn *listed;
        hx_pack_listed_fn *gathered;
    } run;
} hxi_copy_op;

typedef struct hxi_zero_op {
    int slot;
    const hx_region *to;
    const hx_picks *picks; /* NULL: all */
    const hx_runs *runs;   /* NULL: a box */
    union {
        hx_zero_fn *plain;
        hx_zero_picked_fn *picked;
        hx_zero_listed_fn *listed;
    } run;
} hxi_zero_op;

void hxi_ops_pack(const hxi_pack_op *op, int count, void *const *base, unsigned char *const *buffer);
void hxi_ops_unpack(const hxi_unpack_op *op, int count, void *const *base, unsigned char *const *buffer);
void hxi_ops_copy(const hxi_copy_op *op, int count, void *const *base);
void hxi_ops_zero(const hxi_zero_op *op, int count, void *const *base);

/* How the operations of one list were chosen, for hx_describe. */
typedef struct hxi_op_counts {
    int pairs;
    int strips;
    int general;
    int turned;
    int picked;
    int listed;
} hxi_op_counts;

/* All operations of an exchange on this rank. */
typedef struct hxi_ops {
    hxi_pack_op *pack; /* those that feed two messages, then those of message 0, of message 1, ... */
    int packs;
    int packs_shared;
    hxi_unpack_op *unpack; /* those fed by two messages, then those of message 0, of message 1, ... */
    int unpacks;
    int unpacks_shared;
    hxi_sweeps sweeps;
    hxi_copy_op *copy; /* what no sweep serves */
    int copies;
    hx_region *region;
    int regions;
    hxi_op_counts packing;
    hxi_op_counts unpacking;
    hxi_op_counts copying;
} hxi_ops;

/*
 * Chooses the most special kernels for the segments of an exchange: sweeps, pairs, strips, then general ones;
 * turned ones where the source lies turned, picked ones where some of the components that lie side by side
 * travel, listed ones for lists of points.  Where components lie apart each has operations of its own.  An
 * exchange that adds has those that pack only: see accumulate.h.
 */
hx_status hxi_ops_make(const hxi_work *work, hxi_ops *ops);
void hxi_ops_free(hxi_ops *ops);

/* Where the points of a sweep come from now.  pull: one for each direction, may be the sweep's own. */
void hxi_ops_find_pulls(const hxi_sweep *sweep, void *const *base, hx_pull *pull);

/* What comes from arrays that are null pointers is left alone. */
void hxi_ops_sweep(const hxi_sweeps *sweeps, void *const *base);

/* All that goes from array to array: sweeps, then copies. */
void hxi_ops_copy_within(const hxi_ops *ops, void *const *base);

#endif
