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
typedef struct hx_partner {
    int peer;
    int node_rank;
    const hx_notice *notice;
    uint64_t version; /* of the notice, as it was read last */
    bool reached;     /* then all arrays were in sets */
    uint64_t runs;    /* so far */
} hx_partner;

/* Where an array of a partner is told. */
typedef struct hx_told {
    int partner; /* -1: nowhere, for nobody needs it */
    int at;      /* in its notice */
} hx_told;

typedef struct hx_partners {
    const hx_sets *sets;
    bool on_device;      /* the arrays lie in memory of devices */
    hx_partner *partner; /* by the order of their messages */
    int count;
    void **base; /* arrays by slot: those of this rank, then those of the partners' blocks */
    int own;
    int slots;
    hx_told *told; /* by slot */
} hx_partners;

/* Segments, as if they stayed within this rank, which has the partners' blocks, too. */
typedef struct hx_joined {
    hx_work work;
    hx_block_list blocks;
    hx_segments segments;
} hx_joined;

/*
 * Local.  work: its segments are pushed to partners, or stay within the rank.  joined:
 * to be freed whatever comes of it.
 */
hx_status hx_partners_join(const hx_work *work, const hx_board *board, const hx_sets *sets, bool on_device,
                           hx_partners *partners, hx_joined *joined);
void hx_joined_free(hx_joined *joined);
void hx_partners_free(hx_partners *partners);

/* Has a partner started so often?  Then it has told where its arrays are. */
bool hx_partners_have_started(const hx_partners *partners, int number, uint64_t start);

/* Finds the arrays that a partner has told of where this rank sees them; false: not all are to be seen. */
bool hx_partners_reach(hx_partners *partners, int number);

#endif
