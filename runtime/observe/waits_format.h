/*
 * A file of HX_DEADLINE_REPORT, as libhx keeps it and `halogen trace why` reads it: where a process is at the moment.
 * It is mapped into memory, so it is there whatever becomes of the process.
 */
#ifndef HX_WAITS_FORMAT_H
#define HX_WAITS_FORMAT_H

#include <stdint.h>

#define HX_WAITS_MAGIC  "halogen-waits 1"
#define HX_WAITS_ENDING ".hxwaits"

/* Containers of one host may count processes each for themselves. */
#define HX_WAITS_SPACE "/proc/self/ns/pid"

enum {
    HX_WAITS_ORDER = 0x01020304, /* as the writer's machine stores it */
    HX_WAITS_NAME = 56,
    HX_WAITS_HANDLES = 16,
    HX_WAITS_EXCHANGES = 32,  /* of a handle */
    HX_WAITS_MESSAGES = 1024, /* of a handle */
    HX_WAITS_SENTENCE = 512
};

/* Of each start. */
typedef struct hxi_waits_message {
    uint64_t bytes;
    int32_t peer; /* rank in the handle's communicator */
    uint8_t phase;
    uint8_t comes;  /* 1: from the peer; 0: to it */
    uint8_t done;   /* 1: it was sent, or unpacked */
    uint8_t number; /* of those between the same ranks, one way, in the phase */
} hxi_waits_message;

enum {
    HX_WAITS_IDLE,
    HX_WAITS_STARTING,
    HX_WAITS_STARTED,
    HX_WAITS_FINISHING,
    HX_WAITS_WAITING,
    HX_WAITS_FAILED
};

typedef struct hxi_waits_exchange {
    char name[HX_WAITS_NAME];
    int32_t line;  /* of the spec */
    int32_t state; /* since: when it got to it */
    int32_t phase; /* in which it waits, from 0 */
    int32_t phases;
    int32_t first; /* of its messages, among those of the handle */
    int32_t messages;
    uint64_t start; /* which one is under way; of an idle one: how many were */
    double since;
} hxi_waits_exchange;

typedef struct hxi_waits_handle {
    uint64_t id; /* the same on all its ranks, and no other handle's; 0: there is none here */
    int32_t rank;
    int32_t ranks;
    int32_t exchanges;
    int32_t messages;
    int32_t destroyed; /* 1: another one may take its place */
    char spec[HX_WAITS_NAME];
    char file[4 * HX_WAITS_NAME];
    char sentence[HX_WAITS_SENTENCE]; /* of its failure; "": it did not fail */
    double calling_since;             /* a call that all ranks make, such as alloc; 0: none */
    char calling[HX_WAITS_NAME];
    hxi_waits_exchange exchange[HX_WAITS_EXCHANGES];
    hxi_waits_message message[HX_WAITS_MESSAGES];
} hxi_waits_handle;

typedef struct hxi_waits_head {
    char magic[16];
    uint32_t order;
    int32_t process; /* rank in MPI_COMM_WORLD */
    int64_t pid;
    uint64_t space; /* in which pid counts: inode of HX_WAITS_SPACE; 0: not known */
    uint64_t bytes; /* of this struct */
    char host[64];
    double seconds;        /* CLOCK_MONOTONIC when the file was made ... */
    double day_time;       /* ... and CLOCK_REALTIME */
    uint64_t answers;      /* how often it answered SIGUSR1 ... */
    double answered;       /* ... and CLOCK_MONOTONIC: the last time; 0: never */
    double creating_since; /* a handle of a spec; 0: none */
    char creating[HX_WAITS_NAME];
    uint64_t left_out; /* handles for which there was no room */
    hxi_waits_handle handle[HX_WAITS_HANDLES];
} hxi_waits_head;

#endif
