/*
 * NCCL: messages between devices, moved in the order of streams.  Its library is opened when a handle wants it, so libhx
 * is neither compiled nor linked with it.
 *
 * Like all of NCCL it has one rule: the ranks put their groups into streams in the same order.
 */
#ifndef HX_NCCL_H
#define HX_NCCL_H

#include "comm/topology.h"
#include "device/device.h"

/* Its communicator, of all ranks of a handle. */
typedef struct hxi_nccl hxi_nccl;

/* What a rank has to do with another one: for each rank some of these, or none. */
enum { HX_NCCL_SENDS = 1, HX_NCCL_RECEIVES = 2 };

/*
 * Collective.  talks: of this rank with each one; these send each other known bytes, so that they have met before the
 * first exchange, which waits for nobody.  Where that fails, or a rank has no library, NCCL is not usable, on all
 * ranks alike.  ready: what has failed on this rank before; that, and lack of memory, fail on all.
 */
hx_status hxi_nccl_open(const hxi_device_context *device, const hxi_topology *topology,
                        const unsigned char talks[], hx_status ready, hxi_nccl **made);

/* NULL is allowed, here and below; it is not usable. */
bool hxi_nccl_usable(const hxi_nccl *nccl);

/* Why it is not. */
const char *hxi_nccl_why(const hxi_nccl *nccl);

/* "2.28.9" of the library, for hx_describe. */
const char *hxi_nccl_version(const hxi_nccl *nccl);

/* One more handle of the same ranks has it. */
hxi_nccl *hxi_nccl_share(hxi_nccl *nccl);

/* abandon: peers may still wait for something, or be waited for, so that is ended. */
void hxi_nccl_close(hxi_nccl *nccl, int abandon);

/* Ends what is under way in any stream, as it is; then it is not usable any more. */
void hxi_nccl_give_up(hxi_nccl *nccl);

/* A message of a group; each has its counterpart in a group of the peer's, and those of a pair come in one order. */
typedef struct hxi_nccl_message {
    int peer;
    size_t bytes;
    void *memory; /* of the device */
} hxi_nccl_message;

/* Puts a group into a stream: those sent, then those received. */
hx_status hxi_nccl_put(const hxi_nccl *nccl, const hxi_nccl_message *message, int sends, int receives,
                       hx_stream stream);

/* Has anything failed in a stream meanwhile? */
hx_status hxi_nccl_check(const hxi_nccl *nccl);

#endif
