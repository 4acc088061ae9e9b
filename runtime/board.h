/*
 * The board: what the ranks of a node show each other in memory that they share.  Now the boxes where their
 * messages are put.
 *
 * A handle has one.  Each rank lays out its own part, so a message has its place in the receiver's.
 */
#ifndef HX_BOARD_H
#define HX_BOARD_H

#include "node_memory.h"

#include <stdatomic.h>

enum { HX_LINE = 64 }; /* bytes of a cache line */

/* A number on a cache line of its own, that one rank writes and others read. */
typedef struct hx_flag {
    _Atomic uint64_t value;
    unsigned char fill[HX_LINE - sizeof(uint64_t)];
} hx_flag;

_Static_assert(sizeof(hx_flag) == HX_LINE, "a flag has a cache line of its own");
_Static_assert(ATOMIC_LLONG_LOCK_FREE == 2, "processes share flags, so these must need no lock");

/* Where a message from one rank to another is put: two slots, used in turn. */
typedef struct hx_entry {
    int tag;  /* of exchange and phase */
    int peer; /* the sender */
    size_t bytes;
    size_t flag; /* both are bytes from the beginning of the receiver's part */
    size_t slot[2];
} hx_entry;

typedef struct hx_board {
    const hx_topology *topology;
    hx_node_memory memory;
    hx_entry *box; /* of this rank */
    int boxes;
    int room;
    size_t bytes; /* of this rank's part, as laid out so far */
} hx_board;

/* Local: room for the boxes of so many messages, and then for each of them one. */
hx_status hx_board_make(int boxes, hx_board *board);
void hx_board_add(hx_board *board, int tag, int peer, size_t bytes);

/* Collective over the node, fails on all of its ranks or on none: the boxes can be found from here on. */
hx_status hx_board_show(const hx_topology *topology, hx_board *board);

/* A box as this rank sees it. */
typedef struct hx_mailbox {
    hx_flag *flag;
    unsigned char *slot[2];
} hx_mailbox;

/* The box in which this rank gets the messages of a peer, or that in which a peer gets this rank's. */
hx_status hx_board_inbox(const hx_board *board, int tag, int peer, hx_mailbox *box);
hx_status hx_board_outbox(const hx_board *board, int tag, int peer, hx_mailbox *box);

/* Local. */
void hx_board_free(hx_board *board);

#endif
