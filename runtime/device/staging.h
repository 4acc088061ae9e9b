/*
 * Messages that kernels write and read in memory of their device, and the copies between that and the memory
 * from which messages are sent and into which they are received.
 */
#ifndef HX_STAGING_H
#define HX_STAGING_H

#include "device/device.h"

/* A message, without its header. */
typedef struct hxi_device_message {
    unsigned char *buffer; /* where it is sent from, or received; NULL: in no buffer */
    size_t bytes;
    void *place; /* where kernels write it, or read it */
} hxi_device_message;

/* Messages that lie one behind the other on both sides. */
typedef struct hxi_staged {
    unsigned char *host;
    unsigned char *device;
    size_t bytes;
} hxi_staged;

typedef struct hxi_staging {
    void *memory;       /* of the device; NULL: there are no copies */
    hxi_staged *staged; /* those that are sent, then those received */
    int outs;
    int ins;
} hxi_staging;

/* Local.  Finds a place on the device for messages in pinned memory: those sent, then those received. */
hx_status hxi_staging_make(const hxi_device_context *device, hxi_device_message *message, int sends,
                           int receives, hxi_staging *staging);

/* Not while anything is under way. */
void hxi_staging_free(const hxi_device_context *device, hxi_staging *staging);

/*
 * Put copies into a stream.  Out: all messages that are sent, from the device to where they are sent from.  In: all that were
 * received, to the device.
 */
hx_status hxi_staging_out(const hxi_device_context *device, const hxi_staging *staging, hx_stream stream);
hx_status hxi_staging_in(const hxi_device_context *device, const hxi_staging *staging, hx_stream stream);

#endif
