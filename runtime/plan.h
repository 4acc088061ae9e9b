/*
 * A plan: one exchange, bound to blocks, ranks and sizes.
 */
#ifndef HX_PLAN_H
#define HX_PLAN_H

#include "ops.h"
#include "segment.h"
#include "transport/transport.h"

/* What stands in front of each message if the option check is set. */
typedef struct hx_header {
    uint64_t magic;
    uint64_t spec;     /* its hash */
    uint64_t sequence; /* which start of this exchange it is, from 0 */
    uint64_t bytes;    /* that follow the header */
    int32_t exchange;
    int32_t rank; /* sender */
    unsigned char fill[24];
} hx_header;

/* One message of a plan: its segments and operations. */
typedef struct hx_parcel {
    int peer;
    size_t bytes; /* of the segments, padding between them included */
    uint64_t hash;
    int segment; /* first of its segments */
    int segments;
    int op; /* first of the operations that need no other message */
    int ops;
    int shared; /* received: where plan->shared lists operations that need another message, too */
    int shareds;
} hx_parcel;

/* An array that an exchange uses. */
typedef struct hx_slot {
    size_t pointer; /* offset of the array's pointer among the structs of pointers that start is given */
    int block;
    int field;
} hx_slot;

typedef enum hx_plan_state { HX_PLAN_IDLE, HX_PLAN_UNDER_WAY } hx_plan_state;

/* A plan's bindings: to this rank itself, and to the others. */
enum { HX_TO_SELF, HX_TO_OTHERS, HX_BINDINGS };

typedef struct hx_plan {
    const hx_spec *spec;
    const hx_exchange *exchange;
    int number;
    hx_segments segments;
    hx_ops ops;

    hx_parcel *send; /* by peer */
    int sends;
    hx_parcel *receive;
    int receives;
    int *shared;                  /* numbers of operations */
    hx_confirmation confirmation; /* until it was made */
    size_t bytes_sent;
    size_t bytes_copied;

    hx_slot *slot;
    int slots;
    void **base; /* arrays of the exchange under way, by slot */

    hx_binding binding[HX_BINDINGS];
    hx_message *message;    /* of the bindings: those sent, then those received */
    unsigned char **buffer; /* of the same, after the header if there is one */
    unsigned char *arrived; /* per message received: is it there? */
    int taken;              /* messages received that are unpacked or noted in arrived */

    hx_plan_state state;
    uint64_t sequence;
    hx_traffic traffic;
} hx_plan;

/* Local: segments, messages and operations of exchange `number`, and all memory but the transports'. */
hx_status hx_plan_make(const hx_spec *spec, int number, const hx_layout *layout, const hx_block_list *mine,
                       const hx_places *neighbors, int rank, hx_plan *plan);

/* Puts the place in the spec in front of the sentence of a failure that knows only ranks and messages. */
hx_status hx_plan_place(const hx_plan *plan, hx_status status);

/* Collective: compares the layout of every message with the peer's. */
hx_status hx_plan_confirm(hx_plan *plan, const hx_topology *topology);

/* Collective: binds the plan to its transports. */
hx_status hx_plan_bind(hx_plan *plan, const hx_topology *topology, hx_pool *pool, const hx_options *options);

/* Local.  abandon: as in hx_transport. */
void hx_plan_free(hx_plan *plan, int abandon);

#endif
