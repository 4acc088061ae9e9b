/*
 * What the transports through windows have in common: each binding has a window, addresses of its messages in
 * it, and a probe, since no library is trusted with windows before they have delivered known bytes.
 */
#ifndef HX_TRANSPORT_RMA_H
#define HX_TRANSPORT_RMA_H

#include "transport/transport.h"

#include "base/hardware.h"
#include "base/memory.h"
#include "base/status.h"
#include "transport/watchdog.h"

#include <stdatomic.h>

/* A line of its own in a window, which the other end of a message writes. */
typedef struct hxi_rma_flag {
    _Alignas(HX_LINE) _Atomic(uint64_t) start; /* the last one that it was set for; they count from 1 */
} hxi_rma_flag;

/* Where the other end of a message has its flag and, if its buffer is in a window, that; from its base. */
typedef struct hxi_rma_address {
    int64_t flag;
    int64_t buffer;
} hxi_rma_address;

typedef enum hxi_rma_step {
    HX_RMA_WAITING, /* for the buffer to be packed, or for the other end */
    HX_RMA_PACKED,
    HX_RMA_MOVING, /* not flushed */
    HX_RMA_OVER,
} hxi_rma_step;

/* One end of a message. */
typedef struct hxi_rma_end {
    int peer;
    hxi_message *message;
    hxi_rma_flag *flag; /* set by the other end, if the transport has flags */
    hxi_rma_address there;
    hxi_rma_address here;
    MPI_Request request[2]; /* while addresses are told */
    hxi_rma_step step;
} hxi_rma_end;

typedef struct hxi_rma {
    hxi_kept kept; /* after it was abandoned */
    const struct hxi_rma_manner *manner;
    MPI_Win win;
    unsigned char *base; /* of the window */
    hxi_rma_end *end;    /* of messages received, then of those sent */
    int ends;
    int receives;
    uint64_t start;    /* which one it is; read by MPI until flushed */
    int abandoned[2];  /* by this rank; by any */
    bool unflushed;    /* what start told */
    bool locked;       /* the window, for all targets */
    MPI_Group origins; /* of messages received; MPI_GROUP_NULL unless the transport names its peers */
    MPI_Group targets; /* of those sent */
    hxi_watchdog deadline;
    char sentence[HX_SENTENCE / 2]; /* what this rank waits for, while it is armed */
} hxi_rma;

/* How a transport uses its windows.  A function that has nothing to do is NULL. */
typedef struct hxi_rma_manner {
    bool pulls; /* buffers of those who send are in the window, not of those who receive */
    bool flags; /* ends of messages have them; else nobody stores into a window */
    hx_status (*prepare)(hxi_binding *binding); /* local, before there is a window */
    hx_status (*open)(hxi_binding *binding);    /* what this rank does with the new window */
} hxi_rma_manner;

/* Collective.  Binds persistent in its place where the window does not work. */
hx_status hxi_rma_bind(hxi_binding *binding, const hxi_rma_manner *manner);
void hxi_rma_unbind(hxi_binding *binding, int abandon);

int hxi_rma_put(const hxi_rma *r, const void *from, size_t bytes, int peer, int64_t at);

/*
 * Around a call of MPI that may wait for the peers of the ends from `first` on, before `last`, or, if there
 * are none, for all ranks.
 */
void hxi_rma_arm(const hxi_binding *binding, const char *call, int first, int last);
void hxi_rma_disarm(const hxi_binding *binding);

/* What MPI returned, in words. */
hx_status hxi_rma_checked(const hxi_binding *binding, int code, const char *what);

#endif
