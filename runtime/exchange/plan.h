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

/* An array that an exchange uses. */
typedef struct hx_slot {
    size_t pointer; /* offset of the array's pointer among the structs of pointers that start is given */
    int block;
    int field;
    size_t bytes; /* of the array */
} hx_slot;

typedef enum hx_plan_state { HX_PLAN_IDLE, HX_PLAN_UNDER_WAY } hx_plan_state;

typedef struct hx_plan {
    const hx_spec *spec;
    const hx_exchange *exchange;
    int number;
    hx_course course;
    hx_routes routes;
    hx_phase phase[HX_MAX_AXES];  /* one after the other */
    int phases;                   /* made so far */
    int current;                  /* of the exchange under way; those before it are unpacked */
    hx_confirmation confirmation; /* until it was made */

    hx_walls walls; /* when all messages are in */
    hx_corners corners;

    int *slot_of; /* number of each field of the spec among those of the exchange, ... */
    int fields;   /* ... which has so many */
    hx_slot *slot;
    int slots;
    void **base;   /* arrays of the exchange under way, by slot */
    bool distinct; /* they are; no: they have not been compared */
    int *seen;     /* to compare them: room for 2 to the power of seen_bits slots */
    int seen_bits;
    hx_notice *notice; /* where others of the node look for them; NULL: nobody does */
    void **told;       /* those of which it tells */
    int changes;       /* of the sets, when it was told */

    const hx_device_home *device; /* of its fields that lie there; NULL: none does */
    hx_placing placing;           /* of its messages there */
    hx_buffers buffers;           /* for these, one behind the other */
    hx_stream stream;             /* the last one that is known to be of that device */
    bool taken;                   /* arrays were given for what is sent */
    bool packing;                 /* messages are sent when the device has packed them */
    bool offers; /* devices of others write into the arrays of this start, as this rank's into theirs */
    hx_device_fills *fills; /* what that fills beyond walls and in corners; NULL: nothing */
    bool *on_device;        /* which arrays lie there, by slot */
    void **placed;          /* arrays that are known to lie where they are to, by slot */

    bool ordered;     /* has a transport of HX_TRANSPORT_ORDERED */
    bool steps;       /* whoever waits moves it on, for its phases or its transports */
    uint64_t started; /* which start of its handle the last one was */

    hx_sharer sharer; /* for others that share its buffers */
    hx_plan_state state;
    uint64_t sequence;
    hx_traffic traffic;
} hx_plan;

/*
 * Local: segments, messages and operations of exchange `number`, and all memory but the transports'. placing:
 * of its messages on a device, as asked for.
 */
hx_status hx_plan_make(const hx_setting *setting, int number, const hx_course *course,
                       const hx_placing *placing, hx_plan *plan);

/* Local: how many of its messages need a box on the board, and these. */
int hx_plan_boxes(const hx_plan *plan);
void hx_plan_add_boxes(const hx_plan *plan, hx_board *board);

/* Puts the place in the spec in front of the sentence of a failure that knows only ranks and messages. */
hx_status hx_plan_place(const hx_plan *plan, hx_status status);

/* Collective: compares the layout of every message with the peer's. */
hx_status hx_plan_confirm(hx_plan *plan, const hx_topology *topology);

/* Bytes of its messages, in buffers; boxes: as in hx_phase. */
size_t hx_plan_buffer_bytes(const hx_plan *plan, bool boxes);

/* What transports of all exchanges of a handle use. */
typedef struct hx_means {
    const hx_block_list *mine;
    const hx_topology *topology;
    hx_buffers *buffers;
    const hx_board *board;
    const hx_device_boxes *boxes;
    const hx_sets *sets;
    const hx_options *options;
} hx_means;

/* Collective: binds the plan to its transports. */
hx_status hx_plan_bind(hx_plan *plan, const hx_means *means);

/* Tells the ranks of the node that the arrays of this start may be written, and where they are. */
void hx_plan_tell(hx_plan *plan, const hx_sets *sets);

/*
 * The same in two steps, for arrays in memory of a device: notes where they are, and sets plan->offers if
 * they may be written when the device has come to it; raise then says so, or that they lie elsewhere.
 */
void hx_plan_offer(hx_plan *plan, const hx_sets *sets);
void hx_plan_raise(hx_plan *plan);

/* Local.  abandon: as in hx_transport. */
void hx_plan_free(hx_plan *plan, int abandon);

#endif
