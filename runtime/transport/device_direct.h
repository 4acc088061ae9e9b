/*
 * Messages between devices of a node that need no box: kernels write points from this rank's arrays straight
 * into the receiver's ghost points, where these are in arrays of alloc.
 *
 * Whose arrays of a start are of alloc says where they are when the device has come to it, and writes nothing
 * before the receivers have said so, too; what has to be packed after all is packed then.  Nothing here waits
 * but making it.
 */
#ifndef HX_DEVICE_DIRECT_H
#define HX_DEVICE_DIRECT_H

#include "device/device_work.h"
#include "transport/partners.h"
#include "transport/transport.h"

/*
 * Moves of one kind between the ends of some messages: for arrays anywhere, and all at multiples of 16 bytes.
 */
typedef struct hxi_device_moves {
    hxi_cuda_list list[2];
    hxi_cuda_tables tables[2];
} hxi_device_moves;

/* Of a partner in this start. */
typedef enum hxi_device_push {
    HX_PUSH_AWAITED,
    HX_PUSH_READY, /* it has started */
    HX_PUSH_UNDER_WAY,
    HX_PUSH_DONE
} hxi_device_push;

typedef struct hxi_device_direct {
    hxi_kept kept; /* after it was abandoned */
    const hxi_device_context *device;
    hxi_device_work *work;
    hxi_message *message; /* of the phase: those sent, then those received */
    int sends;
    int receives;
    hxi_partners partners;   /* those who may be sent to like this */
    int *number;             /* of the message to each of them */
    hxi_device_push *push;   /* by partner */
    int looks;               /* for partners who have not started, while others have */
    bool under_way;          /* the device has been given something that is to be seen done */
    bool *pushed;            /* may a message go like this?  By message, as above */
    hxi_device_moves *moves; /* see device_direct.c */
    int lists;
    void *memory; /* of the device: all tables */
} hxi_device_direct;

/*
 * Marks the segments of a copying exchange whose messages may go this way, at both ends alike.  transport: by
 * number; mixed: it needs buffers, since it has fields of the host, too, or numbers that may not fit, which who is
 * sent them is to see.
 */
void hxi_device_direct_mark(const hx_spec *spec, const hxi_transport *const transport[], bool mixed,
                            hxi_segments *segments);

/* The messages of an exchange of a device. */
typedef struct hxi_device_traffic {
    hxi_device_work *work;
    hxi_message *message; /* those sent, then those received */
    int sends;
    int receives;
} hxi_device_traffic;

/*
 * Local, when the board is shown.  common: the work of the exchange, with the message of each of its
 * segments; traffic: that of the phase.
 */
hx_status hxi_device_direct_make(const hxi_work *common, const hxi_board *board, const hxi_sets *sets,
                                 const hxi_device_traffic *traffic, hxi_device_direct **made);

/* NULL is allowed.  abandon: as for hxi_device_close. */
void hxi_device_direct_free(hxi_device_direct *direct, int abandon);

/* For a start whose arrays are of alloc, when the stream comes to here: packs messages that cannot go like
 * this. */
hx_status hxi_device_direct_begin(hxi_device_direct *direct, hx_stream stream);

/* Sends a message, which is in its box, or, as it says, in the receiver's arrays. */
typedef hx_status hxi_device_sent(void *context, int number);

/*
 * Launches what goes to partners that have started so often: to all of them
 * together, but if one lets the others wait.  When the device is seen to have done that, messages are sent.
 */
hx_status hxi_device_direct_advance(hxi_device_direct *direct, uint64_t start, hx_stream stream,
                                    hxi_device_sent *sent, void *context);

/* Is all that was received in arrays already? */
bool hxi_device_direct_all_there(const hxi_device_direct *direct);

/* Unpacks what was not written into arrays, when the stream comes to here. */
hx_status hxi_device_direct_unpack(const hxi_device_direct *direct, hx_stream stream);

/* Makes messages, where the device finds them now, of ghost points that were written, if any were. */
hx_status hxi_device_direct_return(const hxi_device_direct *direct, bool *any, hx_stream stream);

/* How often messages to a peer went like this. */
uint64_t hxi_device_direct_runs(const hxi_device_direct *direct, int peer);

#endif
