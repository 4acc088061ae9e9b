/*
 * Ranks: the communicator of a handle, and what its ranks agree on.
 */
#ifndef HX_TOPOLOGY_H
#define HX_TOPOLOGY_H

#include "comm/sparse_announce.h"

#include <hx/hx.h>

#include <stdbool.h>
#include <stdint.h>

/* Is MPI initialised and not finalised? */
bool hxi_topology_alive(void);

/* HX_ERR_STATE, in words, unless it is. */
hx_status hxi_topology_running(const char *caller);

/*
 * This rank's place in any intracommunicator.  Errors also for communicators that are null or join two
 * groups.
 */
hx_status hxi_topology_place(MPI_Comm comm, const char *caller, int *rank, int *ranks);

/*
 * Collective.  Returns the status and the sentence of the lowest rank whose status is not HX_OK; HX_OK if
 * there is none.  What was staged before is thereby kept on all ranks or on none.
 */
hx_status hxi_topology_agree(MPI_Comm comm, hx_status status);

/* What a rank says of itself where all agree. */
typedef struct hxi_likeness {
    uint64_t hash; /* of what must be equal on all ranks */
    int told;      /* of rank 0; afterwards all ranks have it */
    int64_t count; /* of something; afterwards of all ranks together */
    bool alike;    /* afterwards: hashes were equal */
} hxi_likeness;

/* Collective: hxi_topology_agree, and, where no rank failed, what else they say. */
hx_status hxi_topology_agree_alike(MPI_Comm comm, hx_status status, hxi_likeness *likeness);

/* Collective.  Of each of so many numbers the sum over all ranks, modulo 2^64. */
hx_status hxi_topology_add_up(MPI_Comm comm, const uint64_t mine[], uint64_t sum[], int count);

/* Puts who it is before the sentence of what this rank ran into, unless one stands there.  Returns the
 * status. */
hx_status hxi_topology_sign(int rank, int ranks, hx_status status);

/* What may help where MPI makes no window, for the end of its name in a sentence; nothing inside a node. */
const char *hxi_topology_window_advice(bool several_nodes);

/* Collective.  The sum over all ranks; purpose: of counting, for the sentence. */
hx_status hxi_topology_sum(MPI_Comm comm, int mine, const char *purpose, int64_t *sum);

/* What must be equal on all ranks, in words that an error can show. */
enum { HX_TRAITS = 9, HX_TRAIT = 192 };
typedef struct hxi_identity {
    char trait[HX_TRAITS][HX_TRAIT]; /* each starts with its name: "spec channel, model 1f2e..." */
} hxi_identity;

uint64_t hxi_identity_hash(const hxi_identity *identity);

/* Collective.  HX_ERR_MISMATCH on ranks that differ from rank 0. */
hx_status hxi_topology_compare(MPI_Comm comm, const hxi_identity *mine);

/* The communicator that a handle uses. */
typedef struct hxi_topology {
    MPI_Comm comm; /* duplicated; MPI_COMM_NULL if that failed */
    int rank;
    int ranks;
    int last_tag;
    MPI_Comm node; /* the ranks that share memory with this one; MPI_COMM_NULL if not known yet */
    int node_rank; /* in it */
    int node_ranks;
    int *member;      /* their ranks in comm, rising */
    MPI_Comm leaders; /* rank 0 of each node, once they have joined; MPI_COMM_NULL on other ranks */
    int leader;       /* number of this node's among them */
    bool one_machine; /* all ranks share their memory; the same on all ranks */
    int processors;   /* that the ranks of the node may use; 0: not known */
    /* Ranks outnumber the processors that they share: whoever waits had better let others run. */
    bool crowded;
    bool single;     /* this process is to have one thread */
    bool one_thread; /* of this process is to call MPI */
    bool serial;     /* threads of this process do not call MPI, and so libhx, at the same time */
} hxi_topology;

/* The last tags of MPI, which no exchange has: numbers count back from last_tag. */
typedef enum hxi_reserved_tag {
    HX_TAG_NOBODY, /* no message has it: whoever probes for it lets MPI go on */
    HX_TAG_MEETING,
    HX_TAG_CLOCKS,
    HX_TAG_MOVING, /* redistribution, gather and scatter */
    HX_TAGS_RESERVED
} hxi_reserved_tag;

static inline int hxi_topology_tag(const hxi_topology *topology, hxi_reserved_tag tag)
{
    return topology->last_tag - (int)tag;
}

/*
 * MPI may move what the application has under way only while somebody calls it: whoever waits for other ranks
 * by looking at memory calls this now and then.  They may be held up in MPI by this one.
 */
hx_status hxi_topology_progress(const hxi_topology *topology);

/* The same ranks, in the same order? */
bool hxi_topology_alike(const hxi_topology *one, const hxi_topology *other);

/* What there is before open. */
hxi_topology hxi_topology_none(void);

/* Collective. */
hx_status hxi_topology_open(MPI_Comm comm, hxi_topology *topology);

/* Collective over the ranks of `from`: the same ranks and nodes, with communicators of its own. */
hx_status hxi_topology_copy(const hxi_topology *from, hxi_topology *topology);

/* Collective.  What rank 0 has. */
hx_status hxi_topology_tell(const hxi_topology *topology, void *data, size_t bytes);

/* Collective.  Of each of so many numbers the largest of all ranks. */
hx_status hxi_topology_most(const hxi_topology *topology, const int64_t mine[], int64_t most[], int count);

/* What is slow or fast here: machine, processors and MPI, in one line.  At most size bytes, as snprintf. */
void hxi_topology_name(const hxi_topology *topology, char *text, size_t size);

/* Collective, after all ranks have opened.  Sets what there is to know about nodes and processors. */
hx_status hxi_topology_survey(hxi_topology *topology);

/* The survey in two steps.  Collective over comm, which has the ranks of the topology's: which ranks share memory. */
hx_status hxi_topology_find_node(MPI_Comm comm, hxi_topology *topology);

/* Collective over the node, after all of its ranks have found it: who they are, and what processors they have. */
hx_status hxi_topology_meet_node(hxi_topology *topology);

/* Collective, after the survey, for those that speak from node to node: leaders are ordered as in comm. */
hx_status hxi_topology_join_leaders(hxi_topology *topology);

/* A rank's number in this node; -1: it is on another one. */
int hxi_topology_node_rank(const hxi_topology *topology, int rank);

/* Collective over the node: one number of each rank, in the order of the node's ranks. */
hx_status hxi_topology_node_gather(const hxi_topology *topology, uint64_t mine, uint64_t *all);

/* *alike, on all ranks of the node: they gave the same number, which is not 0. */
hx_status hxi_topology_node_alike(const hxi_topology *topology, uint64_t mine, bool *alike);

/* Collective over the node: the sum of what its ranks have, or, where that is beyond what memory can hold, a
 * number that is, too. */
hx_status hxi_topology_node_sum(const hxi_topology *topology, uint64_t mine, uint64_t *sum);

/* Collective over the node: as hxi_topology_agree; sentences name ranks by their numbers in comm. */
hx_status hxi_topology_node_agree(const hxi_topology *topology, hx_status status);

/* Collective over the node: what its first rank has. */
hx_status hxi_topology_node_tell(const hxi_topology *topology, void *data, size_t bytes);

/* abandon: messages may still travel; leaves the communicators where they are. */
void hxi_topology_close(hxi_topology *topology, int abandon);

/*
 * Until restore, an error of MPI on the user's communicator is returned, whatever the user wants done with
 * theirs.  keep: but for those who want to keep their handler, by this option or HX_KEEP_ERRHANDLER.
 */
MPI_Errhandler hxi_topology_quiet(MPI_Comm comm, int keep);
void hxi_topology_restore(MPI_Comm comm, MPI_Errhandler handler);

/* One message as sender and receiver see it before anything is sent. */
typedef struct hxi_promise {
    int peer;
    uint64_t bytes;
    uint64_t hash; /* of its layout */
} hxi_promise;

/*
 * What a rank promises and expects for one exchange, by rising peer, and room to compare it with the others.
 */
typedef struct hxi_confirmation {
    hxi_promise *send;
    int sends;
    hxi_promise *expect;
    int expects;
    hxi_sparse_message *message; /* one per send: bytes and hash */
    MPI_Request *request;        /* likewise */
    MPI_Status *status;          /* likewise */
    unsigned char *heard;        /* one per expected message */
    bool of_points;              /* numbers of points of lists, in place of bytes */
    const char *advice;          /* what to look at where ranks disagree; NULL: the owners of blocks */
} hxi_confirmation;

/* Local: all memory is had before the ranks talk, so that none drops out in between. */
hx_status hxi_confirmation_make(int sends, int expects, hxi_confirmation *confirmation);
void hxi_confirmation_free(hxi_confirmation *confirmation);

/*
 * A number that adds up to 0 over all ranks, modulo 2^64, where every rank expects what the others promise to send it;
 * else to any number.  So one sum says of all exchanges whether their ranks agree.
 */
uint64_t hxi_confirmation_balance(const hxi_confirmation *confirmation, int rank, int tag);

/*
 * Collective.  Tells every receiver what its senders will send, and compares with what it expects.  Ends even
 * where the ranks disagree about who talks to whom.  The sentences leave it to the caller to name the
 * exchange.
 */
hx_status hxi_topology_confirm(const hxi_topology *topology, int tag, hxi_confirmation *confirmation);

/* A Cartesian communicator of the user's, and how many cells its ranks own. */
typedef struct hxi_cart {
    int axes;
    int parts[HX_MAX_AXES];
    int *lengths; /* cells of part 0, 1, ... along axis 0, then of axis 1, ...; hxi_memory_free */
} hxi_cart;

/*
 * Collective; the communicator is quiet, and rank and ready are what hxi_topology_place told of it.  Fails on
 * all ranks or on none, and then cart->lengths needs no release.
 */
hx_status hxi_topology_cart(MPI_Comm comm, int rank, hx_status ready, const int n[], hxi_cart *cart);

#endif
