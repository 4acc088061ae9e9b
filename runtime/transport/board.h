/*
 * The board: what the ranks of a node show each other in memory that they share: boxes, where messages to
 * them are put; how their blocks lie in memory; and where the arrays are that an exchange may write into.
 *
 * A handle has one.  Each rank lays out its own part, and is the only one that writes there, but into its
 * boxes.
 */
#ifndef HX_BOARD_H
#define HX_BOARD_H

#include "base/hardware.h"
#include "comm/node_spare.h"
#include "device/device_shared.h"
#include "grid/block.h"

/*
 * What the sender says about the two slots of a box, and the receiver to a sender that gets no message back:
 * up to which start it has read the slots.  On a cache line of its own, which goes to and fro anyway.
 */
typedef struct hxi_flag {
    _Atomic uint64_t slot[2];
    _Atomic uint64_t read;
    unsigned char fill[HX_LINE - 3 * sizeof(uint64_t)];
} hxi_flag;

/* Where an array is: in which set of sets.h, so many bytes behind the beginning of what the node shares. */
typedef struct hxi_where {
    uint64_t set; /* its number; 0: in none, and nobody else can write there */
    uint64_t offset;
} hxi_where;

/*
 * The arrays that a rank gave to the starts of one exchange.  It changes them only when it starts.  Who reads
 * this to push sends to it before it can come to the next start.
 */
typedef struct hxi_posted_arrays {
    _Atomic uint64_t start; /* how many there were: the ghost points of this one may be written */
    uint64_t version;       /* of `where`; 0: no array was posted yet */
    uint64_t known;         /* 1: all arrays of this start are in sets */
    unsigned char fill[HX_LINE - 3 * sizeof(uint64_t)];
    hxi_where where[]; /* by block, in the order of its shapes, and field of the spec */
} hxi_posted_arrays;

_Static_assert(sizeof(hxi_flag) == HX_LINE, "a flag has a cache line of its own");
_Static_assert(offsetof(hxi_posted_arrays, where) == HX_LINE, "so have posted arrays, before their table");
_Static_assert(ATOMIC_LLONG_LOCK_FREE == 2, "processes share flags, so these must need no lock");

/*
 * In the memory of a device there are two slots, likewise, and one for streams that no host follows, with the
 * flags of whoever writes into it.
 */
enum { HX_SLOT_OF_GRAPHS = 2, HX_SLOTS_THERE };

/* Where a message from one rank to another is put: two slots, used in turn. */
typedef struct hxi_entry {
    int tag;     /* of exchange and phase */
    int peer;    /* the sender */
    int first;   /* of points of a list that are one run at the receiver, the first one there; else -1 */
    size_t flag; /* both are bytes from the beginning of the receiver's part */
    size_t slot[2];
    bool on_device; /* the points of fields there are in slots of their own, ... */
    /* ... bytes from the beginning of what the receiver has of it for that, ... */
    size_t there[HX_SLOTS_THERE];
    size_t flags; /* ... and so is this: hx_cuda_flags */
} hxi_entry;

typedef struct hxi_board {
    const hxi_topology *topology;
    const hx_spec *spec;
    const hxi_block_list *mine;
    hxi_node_memory memory;
    hxi_entry *box; /* of this rank */
    int boxes;
    bool needed;   /* it has a box, or sends to one, whose rank may look for its blocks and arrays */
    size_t block;  /* where the blocks, ... */
    size_t posted; /* ... and the posted arrays begin in this rank's part */
    size_t bytes;  /* of it, as laid out so far */
    size_t there;  /* bytes of the memory of the device, likewise */
} hxi_board;

/* Local: room for the boxes of so many messages, and then for each of them one.  there: bytes of a slot in
 * the memory of the device; 0: there is none.  first: as in hxi_entry. */
hx_status hxi_board_make(const hx_spec *spec, const hxi_block_list *mine, int boxes, hxi_board *board);
void hxi_board_add(hxi_board *board, int tag, int peer, int first, size_t bytes, size_t there);

/* Local: this rank sends to a box, so it shows its blocks and arrays even if it has none itself. */
void hxi_board_need(hxi_board *board);

/* Collective over the node, fails on all of its ranks or on none: the boxes can be found from here on.  spare: NULL if the
 * handle is made like no other one. */
hx_status hxi_board_show(const hxi_topology *topology, hxi_node_spare *spare, hxi_board *board);

/* A box as this rank sees it. */
typedef struct hxi_mailbox {
    hxi_flag *flag;
    unsigned char *slot[2];
    size_t there[HX_SLOTS_THERE]; /* as in hxi_entry, and so are these: */
    size_t flags;
    int first;
} hxi_mailbox;

/* The box in which this rank gets the messages of a peer, or that in which a peer gets this rank's. */
hx_status hxi_board_inbox(const hxi_board *board, int tag, int peer, hxi_mailbox *box);
hx_status hxi_board_outbox(const hxi_board *board, int tag, int peer, hxi_mailbox *box);

/* Does any rank of the node have a slot in the memory of a device? */
bool hxi_board_on_devices(const hxi_board *board);

/* Does this rank put messages into slots there of another one? */
bool hxi_board_writes_there(const hxi_board *board, int node_rank);

/* Of a rank that has such slots. */
hxi_shown_memory *hxi_board_memory(const hxi_board *board, int node_rank);

/* What a rank of the node shows of an exchange. */
hxi_posted_arrays *hxi_board_posted(const hxi_board *board, int node_rank, int exchange);

/* A block of a rank of the node, as hxi_block_region takes it; -1: it has no such block, else its number
 * there. */
int hxi_board_block(const hxi_board *board, int node_rank, int tile, int number, hxi_block *block);

/* Local. */
void hxi_board_free(hxi_board *board);

#endif
