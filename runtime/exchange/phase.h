/*
 * A phase of an exchange: what travels at once, in one message a peer, and what is copied within the rank.
 */
#ifndef HX_PHASE_H
#define HX_PHASE_H

#include "exchange/inherit.h"
#include "pack/accumulate.h"
#include "pack/combine.h"
#include "pack/ops.h"
#include "transport/device_direct.h"
#include "transport/routes.h"

/* What stands in front of each message if the option check is set. */
typedef struct hxi_header {
    uint64_t magic;
    uint64_t spec;     /* its hash */
    uint64_t sequence; /* which start of this exchange it is, from 0 */
    uint64_t bytes;    /* that follow the header */
    int32_t exchange;
    int32_t rank; /* sender */
    int32_t phase;
    unsigned char fill[20];
} hxi_header;

_Static_assert(sizeof(hxi_header) % 64 == 0,
               "points behind a header are aligned as those of messages without");

/* What one message holds: its segments, and the operations that pack or unpack them. */
typedef struct hxi_contents {
    int peer;
    int transport; /* number of the binding that moves it */
    size_t bytes;  /* of the segments, padding between them included */
    uint64_t hash;
    int segment; /* first of its segments */
    int segments;
    hxi_delivery delivery;
    bool late; /* sent: it waits for its receiver, who is not ready for it, or has not read it */
    int slot;  /* of the array where the message is, if it needs no buffer; -1: it needs one */
    size_t at; /* bytes from there */
    int op;    /* first of the operations that need no other message */
    int ops;
    int shared; /* received: where phase->shared lists operations that need another message, too */
    int shareds;
} hxi_contents;

typedef struct hxi_phase {
    hxi_segments segments;
    hxi_ops ops;
    hxi_accumulation additions; /* when all messages are in, like what combines */
    hxi_combining combining;

    hxi_contents *send; /* by transport, then by peer */
    int sends;
    hxi_contents *receive;
    int receives;
    int *shared; /* numbers of operations */
    size_t bytes_sent;
    size_t bytes_copied;

    hxi_direct *push;                   /* by message sent; NULL: none goes straight into arrays */
    int late;                           /* messages sent */
    hxi_binding binding[HX_TRANSPORTS]; /* by transport */
    int bindings;
    /* Of the bindings: those sent, then those received, numbered as send and receive are. */
    hxi_message *message;
    unsigned char **buffer;  /* of the same, after the header if there is one */
    unsigned char *arrived;  /* per message received: is it there? */
    int taken;               /* messages received that are unpacked or noted in arrived */
    size_t header;           /* bytes in front of each message */
    bool mixed;              /* fields lie here and there */
    hxi_device_work *device; /* for fields in the memory of a device, which the above leave out; NULL: none */
    hxi_device_direct *straight; /* for messages between devices; NULL: none goes from array to array */
} hxi_phase;

/* What all exchanges of a handle have in common when they are made. */
typedef struct hxi_setting {
    hxi_neighborhood around;
    const hxi_topology *topology;
    const hx_options *options;        /* as they are for this exchange */
    const hxi_device_context *device; /* where fields of the spec lie; NULL: none does */
    const hxi_inheritance *inherits;  /* has its segments; NULL: they are cut */
} hxi_setting;

/* Do the numbers of an exchange fit the formats in which they travel, whatever they are? */
bool hxi_phase_fits(const hx_exchange *exchange);

/*
 * Local: messages and operations for the segments that the phase has, and all memory but the transports'.
 * common: the work of the exchange, without segments; device: NULL where no field of the exchange lies on
 * one.
 */
hx_status hxi_phase_make(const hxi_setting *setting, const hxi_work *common, const hxi_routes *routes,
                         const hxi_device_context *device, hxi_phase *phase);

/* Local: how many of its messages need a box on the board, and these. */
int hxi_phase_boxes(const hxi_phase *phase, const hxi_routes *routes);
void hxi_phase_add_boxes(const hxi_phase *phase, const hxi_routes *routes, int tag, hxi_board *board);

/* Bytes of its messages, in buffers.  boxes: those that have boxes in the memory of devices need none. */
size_t hxi_phase_buffer_bytes(const hxi_phase *phase, const hxi_routes *routes, bool boxes);

/*
 * Local, when the board is shown: what messages need that go from array to array.  common: the work of the
 * exchange, without segments; tag: that of its boxes.
 */
hx_status hxi_phase_direct(const hxi_work *common, const hxi_board *board, const hxi_device_boxes *boxes,
                           const hxi_sets *sets, int tag, hxi_phase *phase);

/*
 * Collective: binds the phase to its transports.  common: what bindings of all transports share; messages: how they
 * lie for a device, if it has one.
 */
hx_status hxi_phase_bind(hxi_phase *phase, const hxi_routes *routes, const hxi_binding *common,
                         hxi_messages messages);

/* Does any message go straight from an array into one of another rank? */
bool hxi_phase_goes_straight(const hxi_phase *phase);

/* Local.  abandon: as in hxi_transport. */
void hxi_phase_free(hxi_phase *phase, int abandon);

#endif
