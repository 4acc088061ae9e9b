/*
 * Memory of devices that ranks of a node write into: a piece of this rank's, and those of others, which it
 * has opened.
 */
#ifndef HX_DEVICE_SHARED_H
#define HX_DEVICE_SHARED_H

#include "comm/topology.h"
#include "device/device.h"

#include <stdatomic.h>

/* What a rank shows of its piece, and of what it has opened, in memory that the node shares. */
typedef struct hxi_shown_memory {
    hx_device_token token;
    _Atomic uint64_t left; /* 0: it may still write into the memory of others; else see device_shared.c */
} hxi_shown_memory;

/* What another rank of the node has to do with it. */
typedef struct hxi_device_partner {
    bool is_written;         /* by this rank, in that one's piece */
    bool writes;             /* into this rank's piece */
    hxi_shown_memory *shown; /* NULL: neither */
    unsigned char *memory;   /* its piece, as this rank's device sees it; NULL: it is not opened */
} hxi_device_partner;

enum { HX_DEVICE_SHARED_WHY = 512 };

typedef struct hxi_device_shared {
    const hxi_device_context *device;
    const hxi_topology *topology;
    hxi_device_partner *partner; /* by rank of the node; NULL: nothing is shared */
    hx_device_token token;       /* of this rank's piece */
    bool has_token;
    bool shown;                     /* others may have this rank's piece open */
    bool usable;                    /* all ranks of the node have opened what they write into */
    bool stuck;                     /* not all could close again what they had opened */
    char why[HX_DEVICE_SHARED_WHY]; /* it is not usable; "" if nothing failed */
} hxi_device_shared;

/*
 * CUDA cuts small allocations out of larger ones, and shows other processes the whole of these.  So a piece
 * is as large as this says, which is an allocation by itself.
 */
size_t hxi_device_shared_bytes(size_t bytes);

/* Local: room for partners, of whom nothing is known. */
hx_status hxi_device_shared_make(const hxi_device_context *device, const hxi_topology *topology,
                                 hxi_device_shared *shared);

/* Local: this rank's piece, from hxi_device_get, which remains the caller's.  A device that cannot show it is
 * no failure. */
void hxi_device_shared_export(hxi_device_shared *shared, void *piece);

/* Local: this rank has no piece, though it should, as hx_last_error says. */
void hxi_device_shared_lacks(hxi_device_shared *shared);

/*
 * Collective over the node, when partners are known and all of them can be seen in `shown`: opens what this
 * rank writes into.  Where one cannot do that, or has nothing to show, none of them uses any.
 */
void hxi_device_shared_open(hxi_device_shared *shared);

/* In its place on a rank that has nothing of the kind: the others do without, too. */
void hxi_device_shared_refuse(const hxi_topology *topology);

/*
 * In three steps, since nobody may free what another one has opened.  leave: this rank writes nothing any
 * more, which others see, and closes what it can; abandon: something may be under way.  awaits: has a rank of
 * the node, which writes into this rank's piece, not left yet?  may_free: have all closed it, so that the
 * caller may free the piece?
 */
hx_status hxi_device_shared_leave(hxi_device_shared *shared, int abandon);
bool hxi_device_shared_awaits(const hxi_device_shared *shared, int node_rank);
bool hxi_device_shared_may_free(const hxi_device_shared *shared);

/* Forgets partners. */
void hxi_device_shared_free(hxi_device_shared *shared);

#endif
