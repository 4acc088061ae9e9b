/*
 * What a device does of an exchange on this rank: launches, the tables and pointers that they need, and the
 * events that put them in order.  Nothing here waits but making it.
 */
#ifndef HX_DEVICE_WORK_H
#define HX_DEVICE_WORK_H

#include "device/device_messages.h"
#include "device/device_tables.h"
#include "device/staging.h"

/* What is done in a launch or more. */
typedef enum hxi_device_task {
    HX_DEVICE_PACK,
    HX_DEVICE_COPY, /* within the rank */
    HX_DEVICE_UNPACK,
    HX_DEVICE_SUM,
    HX_DEVICE_ZERO,
    HX_DEVICE_COMBINE,
    HX_DEVICE_LEAVE, /* pack and copy as one, where that can be */
    HX_DEVICE_TASKS
} hxi_device_task;

/* Its tables, for arrays that begin at multiples of 16 bytes, or for any. */
typedef struct hxi_device_lists {
    hxi_cuda_lists lists;
    hxi_cuda_tables tables[HX_DEVICE_TASKS]; /* of the device, by task */
} hxi_device_lists;

typedef struct hxi_device_work {
    hxi_kept kept; /* after it was abandoned */
    const hxi_device_context *device;
    hxi_device_lists lists[2]; /* arrays anywhere; all at multiples of 16 bytes */
    void *memory;              /* of the device: all tables */
    void *copies; /* of the device: what blocks of this rank hold for each other, where it combines */
    int slots;
    int sends;
    int receives;
    void **out;  /* bases: arrays by slot, messages that are sent, as the device sees them, and copies */
    void **in;   /* the same with messages that are received */
    int aligned; /* which lists these arrays need */
    hxi_device_message *message; /* those sent, then those received */
    hxi_staging staging;         /* of them */
    hx_cuda_unfit *unfit;        /* of the device: what kernels note there; NULL: all numbers fit */
    hx_cuda_unfit *seen;         /* of the host, pinned: as it was at the last look */
    hx_device_event *turn;       /* between two streams */
    hx_device_event *marked;     /* for the host */
} hxi_device_work;

/* Local.  work: of the fields that lie on the device. */
hx_status hxi_device_work_make(const hxi_device_context *device, const hxi_work *work, int sends,
                               int receives, hxi_device_work **made);

/* NULL is allowed.  abandon: as for hxi_device_close. */
void hxi_device_work_free(hxi_device_work *work, int abandon);

/* Local, when buffers and bytes of its messages are known; without a buffer: its place will be told. */
hx_status hxi_device_work_bind(hxi_device_work *work, hxi_messages messages);

/* Where kernels find message `number` from here on: those sent come first, then those received. */
void hxi_device_work_lay(hxi_device_work *work, int number, void *place);

/* The arrays of a call, by slot; on_device: which of them lie there. */
void hxi_device_work_take(hxi_device_work *work, void *const *array, const bool on_device[]);

/* Packs all messages, or copies within the rank, when a stream comes to here. */
hx_status hxi_device_work_pack(const hxi_device_work *work, hx_stream stream);
hx_status hxi_device_work_copy_within(const hxi_device_work *work, hx_stream stream);

/* Both, in one launch if that can be. */
hx_status hxi_device_work_leave(const hxi_device_work *work, hx_stream stream);

/* The same for what is done when all messages are there. */
hx_status hxi_device_work_unpack(const hxi_device_work *work, hx_stream stream);

/* Copies a message when a stream comes to here. */
hx_status hxi_device_work_copy(const hxi_device_work *work, void *to, const void *from, size_t bytes,
                               hx_stream stream);

/* Brings what kernels before it have noted of numbers that do not fit to `seen`, and forgets it, when a stream comes to here. */
hx_status hxi_device_work_look(const hxi_device_work *work, hx_stream stream);

/* A stream waits for what another one has been given so far. */
hx_status hxi_device_work_follow(const hxi_device_work *work, hx_stream stream, hx_stream before);

/* From then on the host can ask whether a stream has come to here. */
hx_status hxi_device_work_mark(const hxi_device_work *work, hx_stream stream);
hx_status hxi_device_work_marked(const hxi_device_work *work, bool *done);

/* Launches of a task, for hx_describe. */
int hxi_device_work_launches(const hxi_device_work *work, hxi_device_task task);

#endif
