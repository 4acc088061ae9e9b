/*
 * Transports: how the bytes of an exchange travel.  A plan gives each peer to one transport; list.c has them
 * all.
 *
 * The life of a binding, that is, of one exchange's messages by one transport:
 *
 *     bind      collective over the communicator, on every rank even if it has no messages; a transport that
 *               finds that it does not work binds another in its place, on all ranks alike, and says why
 *       turn    where kernels of a device pack what start will send: chooses where that is
 *       start   receives can come in from here on; send buffers may be written
 *       offer   message by message where `push` has one: need it be packed?
 *       packed  of threads, several at once: so many bytes of a message are packed; of none twice, and not of all
 *       send    message by message, as soon as each is packed
 *       progress  until `arrivals` has reached `receives` and `under_way` is 0
 *       settle  when all that came is unpacked and added: peers may write the next messages there
 *       put     of HX_TRANSPORT_STREAM, behind what packs and before start: moves all messages when a stream
 *               comes to here, which may be captured; mark lets progress see when it has
 *     unbind    local, or collective where MPI frees what was made for the binding
 *
 * start is called on every rank, send once per message in any order: a transport that moves all messages at
 * once does so with the last of them, or in start where there is none.  start, send, progress and settle
 * never wait for a peer, but for progress of HX_TRANSPORT_ORDERED, allocate nothing and take no lock.
 * A function that has nothing to do is NULL.
 */
#ifndef HX_TRANSPORT_H
#define HX_TRANSPORT_H

#include "base/team.h"
#include "comm/topology.h"
#include "device/device_signals.h"
#include "device/nccl.h"
#include "memory/buffers.h"
#include "pack/ops.h"
#include "transport/device_boxes.h"
#include "transport/direct.h"

/* One message, in one direction.  The plan sets peer and bytes; bind sets the rest. */
typedef struct hxi_message {
    int peer;
    size_t bytes;
    unsigned char *buffer; /* on a cache line of its own */
    bool direct;           /* its points are in the receiver's arrays already */
    bool in_place;         /* yes: the plan sets where it is before each start, as it likes */
    /*
     * Where kernels find the points, if not in the buffer: in this start, in pack and unpack as halves, and in
     * starts and finishes that are captured.
     */
    void *there;
    void *halfway;
    void *in_graph;
} hxi_message;

typedef struct hxi_transport hxi_transport;

/* What becomes of a message that is offered to a transport before it is packed. */
typedef enum hxi_answer {
    HX_PACK_IT,  /* pack and send it */
    HX_MOVED_IT, /* it is with the receiver already */
    HX_LATER     /* the receiver is not ready, or has not read it yet: offer it again */
} hxi_answer;

enum { HX_TRANSPORT_WHY = 512 };

typedef struct hxi_binding {
    const hxi_transport *transport;
    const hxi_topology *topology;
    hxi_team *team; /* that moves points */
    hxi_buffers *buffers;
    const hxi_board *board;
    const hxi_device_boxes *boxes; /* NULL: no field of the spec lies on a device */
    const hxi_nccl *nccl;          /* NULL: no exchange of the handle wants it */
    const hx_options *options;
    const char *exchange; /* its name */
    int tag;              /* of exchange and phase */
    hxi_message *send;
    int sends;
    hxi_message *receive;
    int receives;
    bool at_once;     /* start sends everything, in one phase: who is not ready has it packed */
    hxi_direct *push; /* by message sent; NULL: none goes straight into arrays */
    int *arrived;     /* numbers of the messages received, in the order in which they came */
    int arrivals;
    int taken;                   /* of them, by the exchange */
    int under_way;               /* requests, or messages, that are not complete */
    hxi_device_signals *signals; /* by which devices move all its messages, in graphs; NULL: they cannot */
    void *state;                 /* the transport's own */
    char why[HX_TRANSPORT_WHY];  /* this transport, not the one that was asked for; "" if it is */
} hxi_binding;

enum {
    HX_TRANSPORT_CHOICE = 2, /* may be named in the options */
    /* The application moves all messages of an exchange between start and finish, so there is one phase. */
    HX_TRANSPORT_BY_HAND = 4,
    HX_TRANSPORT_STEPS = 32, /* messages travel while this rank calls progress, not by themselves */
    HX_TRANSPORT_NODE = 64,  /* reaches ranks that share memory; its messages have boxes on the board */
    HX_TRANSPORT_PAIRED = 8, /* reaches ranks that this one sends to and receives from in the same exchange */
    /*
     * progress waits for peers, so all ranks finish in the order of their starts; nothing moves it on before.
     */
    HX_TRANSPORT_ORDERED = 128,
    HX_TRANSPORT_TURNS = 16,    /* start may choose other buffers than the last one did */
    HX_TRANSPORT_DEVICE = 1024, /* its messages may lie in pinned memory, and be packed after start */
    /* Of HX_TRANSPORT_NODE, for fields in the memory of devices: messages have boxes there, too. */
    HX_TRANSPORT_BOXES = 2048,
    /* All messages of an exchange lie in memory of the device, where a stream moves them, or none does. */
    HX_TRANSPORT_STREAM = 4096,
    HX_TRANSPORT_ABSENT = 512,    /* this MPI lacks it: bind always binds another one */
    HX_TRANSPORT_TOGETHER = 8192, /* all ranks bind together, in calls of MPI that end when all have come */
    /* "auto" takes it where it is the fastest; not p2p, which differs from persistent by chance only. */
    HX_TRANSPORT_AUTO = 256,
};

/* In place of a name: each pair of ranks by another one, for tests. */
#define HX_TRANSPORT_MIXED "mixed"

struct hxi_transport {
    const char *name;
    unsigned flags;
    const char *about; /* for hx_describe */
    size_t in_place;   /* bytes of a message that may be in place, at most */
    hx_status (*bind)(hxi_binding *binding);
    void (*turn)(hxi_binding *binding);
    hx_status (*put)(hxi_binding *binding, hx_stream stream);
    hx_status (*mark)(hxi_binding *binding, hx_stream stream);
    hx_status (*start)(hxi_binding *binding);
    hxi_answer (*offer)(hxi_binding *binding, int message, void *const *base);
    void (*packed)(hxi_binding *binding, int message, size_t from, size_t bytes);
    hx_status (*send)(hxi_binding *binding, int message);
    hx_status (*progress)(hxi_binding *binding);
    void (*settle)(hxi_binding *binding);
    /*
     * abandon: a peer may still write into the buffers or wait; leave them, and whatever MPI holds, where
     * they are.
     */
    void (*unbind)(hxi_binding *binding, int abandon);
};

extern const hxi_transport hxi_transport_self;
extern const hxi_transport hxi_transport_persistent;
extern const hxi_transport hxi_transport_p2p;
extern const hxi_transport hxi_transport_neighbor;
extern const hxi_transport hxi_transport_partitioned;
extern const hxi_transport hxi_transport_manual;
extern const hxi_transport hxi_transport_rma;
extern const hxi_transport hxi_transport_rma_get;
extern const hxi_transport hxi_transport_rma_fence;
extern const hxi_transport hxi_transport_rma_pscw;
extern const hxi_transport hxi_transport_shared;
extern const hxi_transport hxi_transport_ipc;
extern const hxi_transport hxi_transport_nccl;

/* By its name in the options ("auto" for the default); NULL if there is none. */
const hxi_transport *hxi_transport_named(const char *name);

/* Does the application move the messages of the one of this name? */
bool hxi_transport_by_hand(const char *name);

/* Those that may be named, by number; NULL: there are no more. */
const hxi_transport *hxi_transport_at(int number);

/* The names that the options take, for a sentence. */
const char *hxi_transport_names(char *text, size_t size);

#endif
