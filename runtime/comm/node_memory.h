/*
 * Memory that the ranks of a node share: one object, of which each rank gives and owns a part.
 */
#ifndef HX_NODE_MEMORY_H
#define HX_NODE_MEMORY_H

#include "comm/topology.h"

#include <stddef.h>

enum { HX_NODE_MEMORY_WHY = 512, HX_NODE_MEMORY_PIECE = 2 * 1024 * 1024 };

typedef struct hxi_node_memory {
    unsigned char *own; /* this rank's part, zeroed, on a page of its own; NULL if it asked for none */
    size_t bytes;       /* of it, as asked for */
    size_t real;        /* bytes of memory behind it; where it has more, they repeat */
    bool shared;        /* the same on all ranks of a node; no: the part is this rank's alone */
    char why[HX_NODE_MEMORY_WHY]; /* the system does not share it; "" if it does, or nobody asked it to */
    unsigned char *map;           /* all parts, in the order of the node's ranks */
    size_t mapped;
    size_t *first;   /* where each rank's part begins */
    uint64_t number; /* of the object, the same on all ranks of the node; 0: there is none */
    bool again;      /* another one had it before: what it holds is old (node_spare.h) */
} hxi_node_memory;

/*
 * Collective over the ranks of a node; fails on all of them or on none.  Where no rank wants to share, or the
 * system refuses, each rank gets memory of its own.  The object has no name any more when this returns:
 * nothing of it outlives the processes that use it, however they end.  Pages are the owner's: it is the first
 * to touch them.
 */
hx_status hxi_node_memory_open(const hxi_topology *topology, size_t bytes, bool share,
                               hxi_node_memory *memory);

/*
 * The same for parts that need not keep what is written there: where one has more bytes than `real`, the same
 * on all ranks and a multiple of HX_NODE_MEMORY_PIECE, its addresses go through so much memory again and
 * again.  HX_ERR_LIMIT: that wants memory that ranks share, and the system refuses it.
 */
hx_status hxi_node_memory_open_over(const hxi_topology *topology, size_t bytes, size_t real,
                                    hxi_node_memory *memory);

/* The part of a rank of the node, as this rank sees it; NULL where it is not shared. */
unsigned char *hxi_node_memory_of(const hxi_node_memory *memory, int node_rank);

/* Local: what others have mapped stays until they close it, too. */
void hxi_node_memory_close(hxi_node_memory *memory);

#endif
