/*
 * A phase of an exchange: what travels at once, in one message a peer, and what is copied within the rank.
 */
#ifndef HX_PHASE_H
#define HX_PHASE_H

#include "pack/accumulate.h"
#include "pack/combine.h"
#include "pack/ops.h"
#include "transport/device_direct.h"
#include "transport/routes.h"

/* What stands in front of each message if the option check is set. */
typedef struct hx_header {
    uint64_t magic;
    uint64_t spec;     /* its hash */
    uint64_t sequence; /* which start of this exchange it is, from 0 */
    uint64_t bytes;    /* that follow the header */
    int32_t exchange;
    int32_t rank; /* sender */
    int32_t phase;
    unsigned char fill[20];
} hx_header;

_Static_assert(sizeof(hx_header) % 64 == 0,
               "points behind a header are aligned as those of messages without");

/* One message: its segments and operations. */
typedef struct hx_parcel {
    int peer;
    int way;      /* number of the binding that moves it */
    size_t bytes; /* of the segments, padding between them included */
    uint64_t hash;
    int segment; /* first of its segments */
    int segments;
    hx_passage passage;
    bool late;    /* sent: it waits for its receiver, who is not ready for it, or has not read it */
    int slot;     /* of the array where the message is, if it needs no buffer; -1: it needs one */
    size_t place; /* bytes from there */
    int op;       /* first of the operations that need no other message */
    int ops;
    int shared; /* received: where phase->shared lists operations that need another message, too */
    int shareds;
} hx_parcel;

typedef struct hx_phase {
    hx_segments segments;
    hx_ops ops;
    hx_additions additions; /* when all messages are in, like what combines */
    hx_combining combining;

    hx_parcel *send; /* by way, then by peer */
    int sends;
    hx_parcel *receive;
    int receives;
    int *shared; /* numbers of operations */
    size_t bytes_sent;
    size_t bytes_copied;

    hx_direct *push;             /* by message sent; NULL: none goes straight into arrays */
    int late;                    /* messages sent */
    hx_binding binding[HX_WAYS]; /* by way */
    int bindings;
    hx_message *message; /* of the bindings: those sent, then those received, numbered as the parcels are */
    unsigned char **buffer; /* of the same, after the header if there is one */
    unsigned char *arrived; /* per message received: is it there? */
    int taken;              /* messages received that are unpacked or noted in arrived */
    size_t header;          /* bytes in front of each message */
    bool mixed;             /* fields lie here and there */
    hx_device_work *device; /* for fields in the memory of a device, which the above leave out; NULL: none */
    hx_device_direct *straight; /* for messages between devices; NULL: none goes from array to array */
} hx_phase;

/* What all exchanges of a handle have in common when they are made. */
typedef struct hx_setting {
    hx_neighborhood around;
    const hx_topology *topology;
    const hx_options *options;    /* as they are for this exchange */
    const hx_device_home *device; /* where fields of the spec lie; NULL: none does */
} hx_setting;

/*
 * Local: messages and operations for the segments that the phase has, and all memory but the transports'.
 * common: the work of the exchange, without segments; device: NULL where no field of the exchange lies on
 * one.
 */
hx_status hx_phase_make(const hx_setting *setting, const hx_work *common, const hx_routes *routes,
                        const hx_device_home *device, hx_phase *phase);

/* Local: how many of its messages need a box on the board, and these. */
int hx_phase_boxes(const hx_phase *phase, const hx_routes *routes);
void hx_phase_add_boxes(const hx_phase *phase, const hx_routes *routes, int tag, hx_board *board);

/* Bytes of its messages, in buffers.  boxes: those that have boxes in the memory of devices need none. */
size_t hx_phase_buffer_bytes(const hx_phase *phase, const hx_routes *routes, bool boxes);

/*
 * Local, when the board is shown: what messages need that go from array to array.  common: the work of the
 * exchange, without segments; tag: that of its boxes.
 */
hx_status hx_phase_direct(const hx_work *common, const hx_board *board, const hx_device_boxes *boxes,
                          const hx_sets *sets, int tag, hx_phase *phase);

/*
 * Collective: binds the phase to its transports.  common: what bindings of all ways share; messages: how they
 * lie for a device, if it has one.
 */
hx_status hx_phase_bind(hx_phase *phase, const hx_routes *routes, const hx_binding *common,
                        hx_messages messages);

/* Where kernels of a device pack what is to be sent after the next open: chooses that. */
void hx_phase_turn(hx_phase *phase);

/* From here on messages can come in, and buffers may be written.  base: the arrays of a call. */
hx_status hx_phase_open(hx_phase *phase, void *const *base);

/* Need message `number` be packed?  If it is to be offered later, it is marked so. */
hx_answer hx_phase_offer(hx_phase *phase, int number, void *const *base);

/* Does any message go straight from an array into one of another rank? */
bool hx_phase_goes_straight(const hx_phase *phase);

/* Sends message `number`, which is packed. */
hx_status hx_phase_send(hx_phase *phase, int number);

/* The number of the next message that has come and was not taken; -1: there is none. */
int hx_phase_next(hx_phase *phase);

/* All that came is unpacked and added: where it was may be written again. */
void hx_phase_settle(hx_phase *phase);

/* Requests, or messages, that are not complete. */
int hx_phase_under_way(const hx_phase *phase);

/* Local.  abandon: as in hx_transport. */
void hx_phase_free(hx_phase *phase, int abandon);

#endif
