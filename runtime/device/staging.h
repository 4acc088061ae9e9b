/*
 * Messages that kernels write and read in memory of their device, and the copies between that and the memory
 * from which messages are sent and into which they are received.
 */
#ifndef HX_STAGING_H
#define HX_STAGING_H

#include "device/device.h"

/* A message, without its header. */
typedef struct hx_device_message {
    unsigned char *buffer; /* where it is sent from, or received; NULL: in no buffer */
    size_t bytes;
    void *place; /* where kernels write it, or read it */
} hx_device_message;

/* Messages that lie one behind the other on both sides. */
typedef struct hx_staged {
    unsigned char *host;
    unsigned char *device;
    size_t bytes;
} hx_staged;

typedef struct hx_staging {
    void *memory;      /* of the device; NULL: there are no copies */
    hx_staged *staged; /* those that are sent, then those received */
    int outs;
    int ins;
} hx_staging;

/* Local.  Finds a place on the device for messages in pinned memory: those sent, then those received. */
hx_status hx_staging_make(const hx_device_home *home, hx_device_message *message, int sends, int receives,
                          hx_staging *staging);

/* Not while anything is under way. */
void hx_staging_free(const hx_device_home *home, hx_staging *staging);

/* When a stream comes to here: of all messages sent, to where they are sent from; and of those received. */
hx_status hx_staging_out(const hx_device_home *home, const hx_staging *staging, hx_stream stream);
hx_status hx_staging_in(const hx_device_home *home, const hx_staging *staging, hx_stream stream);

#endif
