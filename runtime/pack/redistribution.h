/*
 * A redistribution: fields that lie in blocks of one layout go to blocks of another one of the same grid.  Each
 * owned point of the target is fed once.  Both ends of a message compute what is in it from the two layouts.
 */
#ifndef HX_REDISTRIBUTION_H
#define HX_REDISTRIBUTION_H

#include "pack/ops.h"
#include "pack/selection.h"

/* One of the two layouts, and this rank's blocks in it. */
typedef struct hxi_redistribution_side {
    const hxi_layout *layout;
    const hxi_block_list *mine;
    const hxi_owners *owner; /* of all blocks; NULL: the rank of its number */
} hxi_redistribution_side;

typedef struct hxi_redistribution_task {
    const hx_spec *spec;
    hxi_redistribution_side from;
    hxi_redistribution_side to;
    /* Of grids without boxes: points that go to each rank, and come; they outlive the plan. */
    const hxi_lists *lists;
    const int *field; /* that move, rising */
    int fields;
    int rank;
    bool halos; /* ghost points move, too */
    /* Arrays of any memory order in place of the blocks of one side; NULL: both have blocks. */
    const hxi_selected *selected;
} hxi_redistribution_task;

typedef struct hxi_redistribution_message {
    int peer;
    size_t bytes;
    uint64_t hash; /* of its layout */
    int op;        /* the first of those that pack or unpack it */
    int ops;
} hxi_redistribution_message;

typedef struct hxi_redistribution {
    hx_exchange exchange; /* that the operations are made for */
    hx_exchange_field *item;
    int *slot_of;
    /* Those of the target, then those of the source, or the views: slots are block * fields + field. */
    hxi_block_list blocks;
    hxi_view *view; /* arrays that take part, where some are selected */
    int views;
    hxi_segments segments;
    int *message_of; /* each segment's */
    hxi_redistribution_message *send;
    int sends;
    hxi_redistribution_message *receive;
    int receives;
    hxi_ops ops;
} hxi_redistribution;

/* The rank of a block; HX_NO_OWNER: it has none. */
static inline int hxi_redistribution_owner(const hxi_redistribution_side *side, int tile, int block)
{
    const int number = side->layout->tile[tile].first_block + block;
    return side->owner ? hxi_owners_of(side->owner, number) : number;
}

/* A sentence: points of a field come from another one, which does not move. */
hx_status hxi_redistribution_refuse_source(const hx_spec *spec, int field, int source);

/*
 * Local.  Whatever comes of it: free it.  Operations are those of fields of the host; what moves the others is made from
 * the share of them.
 */
hx_status hxi_redistribution_make(const hxi_redistribution_task *task, hxi_redistribution *made);
hx_status hxi_redistribution_share(const hxi_redistribution_task *task, const hxi_redistribution *made,
                                   bool on_device, hxi_share *share);
void hxi_redistribution_free(hxi_redistribution *r);

#endif
