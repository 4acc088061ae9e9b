/*
 * A plan: one exchange, bound to blocks, ranks and sizes.
 */
#ifndef HX_PLAN_H
#define HX_PLAN_H

#include "device/device_fills.h"
#include "exchange/phase.h"
#include "memory/buffers.h"
#include "pack/boundary.h"
#include "pack/corners.h"
#include "transport/push.h"

typedef enum hxi_plan_state { HX_PLAN_IDLE, HX_PLAN_UNDER_WAY } hxi_plan_state;

/* A number that did not fit the format in which it travels. */
typedef struct hxi_unfit {
    bool found;
    int slot;
    size_t offset; /* in its array */
    unsigned char value[8];
} hxi_unfit;

typedef struct hxi_plan {
    const hx_spec *spec;
    const hx_exchange *exchange;
    int number;
    hxi_schedule_choice schedule;
    hxi_routes routes;
    hxi_phase phase[HX_MAX_AXES];  /* one after the other */
    int phases;                    /* made so far */
    int current;                   /* of the exchange under way; those before it are unpacked */
    hxi_confirmation confirmation; /* until it was made */

    hxi_boundary boundary; /* when all messages are in */
    hxi_corners corners;

    int *slot_of; /* number of each field of the spec among those of the exchange, ... */
    int fields;   /* ... which has so many */
    hxi_slot *slot;
    int slots;
    void **base;   /* arrays of the exchange under way, by slot */
    bool distinct; /* they are; no: they have not been compared */
    int *seen;     /* to compare them: room for 2 to the power of seen_bits slots */
    int seen_bits;
    hxi_posting posting; /* tells others of the node where they are */

    const hxi_device_context *device; /* of its fields that lie there; NULL: none does */
    hxi_message_placing placing;      /* of its messages there */
    hxi_buffers buffers;              /* for these, one behind the other */
    hx_stream stream;                 /* the last one that is known to be of that device */
    bool taken;                       /* arrays were given for what is sent */
    bool packing;                     /* messages are sent when the device has packed them */
    double packing_since;             /* where that is observed */
    bool offers; /* devices of others write into the arrays of this start, as this rank's into theirs */
    hxi_device_fills *fills; /* what that fills beyond walls and in corners; NULL: nothing */
    bool capturing;          /* a start was captured, and its finish was not yet */
    bool in_graphs;          /* both were, once or more */
    bool *on_device;         /* which arrays lie there, by slot */
    void **placed;           /* arrays that are known to lie where they are to, by slot */

    bool ordered;     /* has a transport of HX_TRANSPORT_ORDERED */
    bool steps;       /* whoever waits moves it on, for its phases or its transports */
    uint64_t started; /* which start of its handle the last one was */

    bool fits; /* whatever its numbers are, they do */
    hxi_unfit unfit;

    hxi_sharer sharer; /* for others that share its buffers */
    hxi_plan_state state;
    uint64_t sequence;
    hx_traffic traffic;
} hxi_plan;

/*
 * Local: segments, messages and operations of exchange `number`, and all memory but the transports'. placing:
 * of its messages on a device, as asked for.
 */
hx_status hxi_plan_make(const hxi_setting *setting, int number, const hxi_schedule_choice *schedule,
                        const hxi_message_placing *placing, hxi_plan *plan);

/* Local: how many of its messages need a box on the board, and these. */
int hxi_plan_boxes(const hxi_plan *plan);
void hxi_plan_add_boxes(const hxi_plan *plan, hxi_board *board);

/* Puts the place in the spec in front of the sentence of a failure that knows only ranks and messages. */
hx_status hxi_plan_prefix(const hxi_plan *plan, hx_status status);

/* Collective: compares the layout of every message with the peer's. */
hx_status hxi_plan_confirm(hxi_plan *plan, const hxi_topology *topology);

/* Bytes of its messages, in buffers; boxes: as in hxi_phase. */
size_t hxi_plan_buffer_bytes(const hxi_plan *plan, bool boxes);

/* Is it to be moved in a stream, by a transport of HX_TRANSPORT_STREAM?  The same on all ranks. */
bool hxi_plan_wants_stream(const hxi_plan *plan);

/* What transports of all exchanges of a handle use. */
typedef struct hxi_resources {
    const hxi_block_list *mine;
    const hxi_topology *topology;
    hxi_team *team;
    hxi_buffers *buffers;
    const hxi_board *board;
    const hxi_device_boxes *boxes;
    const hxi_nccl *nccl;
    const hxi_sets *sets;
    const hx_options *options;
} hxi_resources;

/* Collective: binds the plan to its transports. */
hx_status hxi_plan_bind(hxi_plan *plan, const hxi_resources *resources);

/* Local.  abandon: as in hxi_transport. */
void hxi_plan_free(hxi_plan *plan, int abandon);

#endif
