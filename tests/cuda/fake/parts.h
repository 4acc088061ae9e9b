/*
 * What the files of the fake know of each other.
 */
#ifndef FAKE_PARTS_H
#define FAKE_PARTS_H

#include "fake.h"

#include <pthread.h>

enum { FAKE_MOST_DEVICES = 8 };

/* Between enter and leave a call has the fake for itself.  If enter has an error the call does nothing, and
 * leaves with it. */
cudaError_t fake_enter(void);
cudaError_t fake_leave(cudaError_t error);
/* From now on all calls fail like this, or, of a device that is mild, those that do not only look. */
void fake_end_device(cudaError_t error);
bool fake_ended(void);
/* As fake_enter, for calls that only look. */
cudaError_t fake_enter_to_look(void);
int fake_current_device(void);
/* Ends the program, in words. */
_Noreturn void fake_die(const char *why);
void *fake_allocate(size_t bytes);

/* Of a process that sees a slice. */
void fake_name_slice(struct cudaDeviceProp *properties);

/* ---- what has to be given back --------------------------------------------------------------- */

typedef enum fake_kind { FAKE_MEMORY, FAKE_PIECE, FAKE_STREAM, FAKE_EVENT, FAKE_GRAPH, FAKE_KINDS } fake_kind;

typedef struct fake_object {
    fake_kind kind;
    bool forgotten;
    struct fake_object *next;
} fake_object;

void fake_add(fake_object *object, fake_kind kind);
void fake_remove(fake_object *object);
/* Whether a handle is one; it may be anything. */
bool fake_is(const void *handle, fake_kind kind);
fake_object *fake_first(void);

/* ---- memory ---------------------------------------------------------------------------------- */

typedef struct fake_memory {
    fake_object object;
    enum cudaMemoryType type;
    int device;
    char *base;
    size_t bytes;
    bool registered; /* of the host: it belongs to the program */
    /* Of a device's. */
    bool opened;   /* another process has it */
    bool pooled;   /* it is of a pool */
    bool closed;   /* nobody may touch it, kernels neither */
    bool reserved; /* for a piece to be mapped there; see mapped.c */
    struct fake_piece *piece;
    int file;
    size_t mapped; /* bytes, whole pages */
    struct shared_page *shared;
} fake_memory;

/* What has a pointer; NULL: nothing. */
fake_memory *fake_memory_at(const void *pointer);
cudaError_t fake_get_device_memory(size_t bytes, fake_memory **memory);
void fake_unmap(fake_memory *memory);

/* Lets this process touch the memory of a device, and of others that it has opened; -1: of all. */
void fake_uncover(int device);
void fake_cover(void);
/* Memory that neither is a device's nor pinned. */
bool fake_pageable(const void *pointer);

/* ---- streams --------------------------------------------------------------------------------- */

/* What an event stands for once it is recorded; streams that wait for it keep it when the event goes on. */
typedef struct fake_moment {
    int users;
    bool passed;
    double at;                  /* in milliseconds, when it passed */
    struct CUstream_st *stream; /* which will pass it */
} fake_moment;

typedef enum fake_work { FAKE_RUN, FAKE_COPY, FAKE_SET, FAKE_RECORD, FAKE_WAIT, FAKE_HOLD } fake_work;

typedef struct fake_operation {
    struct fake_operation *next;
    long number; /* in the order of the calls that put them */
    fake_work work;
    fake_kernel *kernel;
    fake_ready *ready; /* NULL: nothing elsewhere is waited for */
    fake_moment *moment;
    void *to;
    const void *from; /* NULL: what is copied is the payload */
    int value;
    size_t bytes; /* of what is copied, or set */
    size_t payload_bytes;
    _Alignas(16) unsigned char payload[];
} fake_operation;

typedef struct fake_queue {
    fake_operation *first;
    fake_operation *last;
} fake_queue;

/* With a copy of so many bytes of what is given. */
fake_operation *fake_operation_new(fake_work work, const void *payload, size_t bytes);
void fake_append(fake_queue *queue, fake_operation *operation);
fake_operation *fake_copy_of(const fake_operation *operation);

struct CUstream_st {
    fake_object object;
    struct CUstream_st *next; /* of all, also those that are closed and have work left */
    int device;
    bool is_default;
    bool blocking; /* waits for the default stream, which waits for it */
    bool closed;
    fake_queue queue;
    /* Capture. */
    struct CUgraph_st *graph;
    unsigned long long capture; /* its number */
    bool invalid;
    enum cudaStreamCaptureMode mode;
    pthread_t owner;
};

/* NULL if it is none. */
struct CUstream_st *fake_stream(cudaStream_t handle);
struct CUstream_st *fake_first_stream(void);
void fake_put(struct CUstream_st *stream, fake_operation *operation);
/* Before each call: in some orders, streams move on. */
void fake_move_on(void);
void fake_finish(struct CUstream_st *stream);
void fake_finish_all(void);
/* Until it has passed. */
void fake_pass(const fake_moment *moment);
/* Somebody asks whether it has passed, and did so before: how often, in all. */
void fake_urge(const fake_moment *moment, int asked);
/* Whoever kept it keeps it no longer.  NULL is allowed. */
void fake_let_go(fake_moment *moment);
/* After each call: frees streams that are closed and have nothing left to do. */
void fake_reap(void);

/* ---- capture --------------------------------------------------------------------------------- */

/* Of calls that may wait, or must not be captured: an error if a capture forbids them, which it then ends. */
cudaError_t fake_forbidden(void);
void fake_capture(struct CUgraph_st *graph, fake_operation *operation);

#endif
