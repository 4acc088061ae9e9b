/*
 * Ranks of the node between whose arrays and this rank's points are copied: their blocks, and where their
 * arrays are, which they tell in each start.
 */
#ifndef HX_PARTNERS_H
#define HX_PARTNERS_H

#include "pack/work.h"
#include "transport/board.h"
#include "transport/sets.h"

/* A rank of the node whose arrays are reached. */
typedef struct hxi_partner {
    int peer;
    int node_rank;
    const hxi_posted_arrays *posted;
    uint64_t version; /* of what is posted, as it was read last */
    bool reached;     /* then all arrays were in sets */
    uint64_t runs;    /* so far */
} hxi_partner;

/* Where an array of a partner is posted. */
typedef struct hxi_published {
    int partner; /* -1: nowhere, for nobody needs it */
    int at;      /* in what it posted */
} hxi_published;

typedef struct hxi_partners {
    const hxi_sets *sets;
    bool on_device;       /* the arrays lie in memory of devices */
    hxi_partner *partner; /* by the order of their messages */
    int count;
    void **base; /* arrays by slot: those of this rank, then those of the partners' blocks */
    int own;
    int slots;
    hxi_published *published; /* by slot */
} hxi_partners;

/* Segments, as if they stayed within this rank, which has the partners' blocks, too. */
typedef struct hxi_joined {
    hxi_work work;
    hxi_block_list blocks;
    hxi_segments segments;
} hxi_joined;

/*
 * Local.  work: its segments are pushed to partners, or stay within the rank.  joined:
 * to be freed whatever comes of it.
 */
hx_status hxi_partners_join(const hxi_work *work, const hxi_board *board, const hxi_sets *sets,
                            bool on_device, hxi_partners *partners, hxi_joined *joined);
void hxi_joined_free(hxi_joined *joined);
void hxi_partners_free(hxi_partners *partners);

#endif
