/*
 * A file of HX_TRACE, as libhx writes it and `halogen trace` reads it: a head, then records in a ring.  It is
 * mapped into memory, so what was recorded is in the file even if the process is killed.
 */
#ifndef HX_TRACE_FORMAT_H
#define HX_TRACE_FORMAT_H

#include <stdatomic.h>
#include <stdint.h>

#define HX_TRACE_MAGIC  "halogen-trace 1"
#define HX_TRACE_ENDING ".hxtrace"

enum {
    HX_TRACE_ORDER = 0x01020304, /* as the writer's machine stores it */
    HX_TRACE_NAME = 56,
    HX_TRACE_HANDLES = 64,
    HX_TRACE_EXCHANGES = 512, /* of all handles together */
    HX_TRACE_TRANSPORTS = 16
};

/* An hx_event_kind; the generator does not include hx/observe.h. */
enum {
    HX_TRACE_CREATED = 1,
    HX_TRACE_START,
    HX_TRACE_PACKED,
    HX_TRACE_SENT,
    HX_TRACE_COPIED,
    HX_TRACE_STARTED,
    HX_TRACE_FINISH,
    HX_TRACE_WAIT,
    HX_TRACE_WAITED,
    HX_TRACE_UNPACKED,
    HX_TRACE_FILLED,
    HX_TRACE_FINISHED,
    HX_TRACE_FAILED,
    HX_TRACE_DESTROYED,
    HX_TRACE_KINDS
};

/* One that was created.  Names that are longer are cut; each ends in a zero. */
typedef struct hxi_trace_handle {
    uint64_t id; /* the same on all its ranks, and no other handle's */
    char spec[HX_TRACE_NAME];
    char file[4 * HX_TRACE_NAME];
    int32_t rank;
    int32_t ranks;
    int32_t first; /* of its exchanges, among those of the file */
    int32_t exchanges;
    double ahead;     /* add it to this rank's seconds, and they are those of the handle's rank 0, ... */
    double uncertain; /* ... give or take this */
} hxi_trace_handle;

typedef struct hxi_trace_exchange {
    char name[HX_TRACE_NAME];
    int32_t line; /* of the spec */
    int32_t unused;
} hxi_trace_exchange;

typedef struct hxi_trace_head {
    char magic[16];
    uint32_t order;
    uint32_t record_bytes;
    uint64_t head_bytes;
    uint64_t room;          /* records that fit the ring */
    _Atomic uint64_t count; /* that were begun: where that is more, the oldest are gone */
    int64_t pid;
    int32_t process; /* rank in MPI_COMM_WORLD */
    int32_t handles;
    int32_t exchanges;
    _Atomic int32_t transports; /* whose names are whole */
    uint64_t unlisted;          /* handles for which the head has no room; their events are not here */
    double seconds;             /* CLOCK_MONOTONIC when the file was made ... */
    double day_time;            /* ... and CLOCK_REALTIME */
    char host[64];
    char transport[HX_TRACE_TRANSPORTS][16];
    hxi_trace_handle handle[HX_TRACE_HANDLES];
    hxi_trace_exchange exchange[HX_TRACE_EXCHANGES];
} hxi_trace_head;

/* An hx_event.  The one with number n, from 0, lies at place n modulo room. */
typedef struct hxi_trace_record {
    _Atomic uint64_t number; /* n + 1, written last: 0, or that of another one, while it is not whole */
    uint64_t start;
    uint64_t bytes;
    double since;
    double seconds;
    int32_t peer;
    int32_t message;
    int16_t exchange; /* among those of its handle; -1: none */
    uint8_t handle;
    uint8_t kind;
    uint8_t phase;
    uint8_t status;
    uint8_t transport; /* number in the head, from 1; 0: none */
    uint8_t flags;
    int32_t thread; /* of the process, from 0 */
    int32_t unused;
} hxi_trace_record;

enum { HX_TRACE_DIRECT = 1, HX_TRACE_ON_DEVICE = 2 };

#endif
