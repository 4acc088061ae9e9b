/*
 * Streams and events of the fake device: who puts work into a stream, and when it runs.
 */
#include "parts.h"

#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { FAKE_URGENT = -5 }; /* the greatest priority, which is of no matter here */

struct CUevent_st {
    fake_object object;
    int device;
    bool timed;
    fake_moment *moment; /* NULL: never recorded */
    int asked;
};

static fake_order order;
static uint64_t chance;
static long put;      /* operations, ever */
static long breaking; /* operations until the device ends; 0: it will not */
static struct CUstream_st default_stream[FAKE_MOST_DEVICES];
static struct CUstream_st *streams;

void fake_set_order(fake_order wanted, unsigned seed)
{
    order = wanted;
    chance = seed;
}

void fake_break(long n)
{
    breaking = n;
}

static unsigned draw(unsigned below)
{
    chance = chance * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(chance >> 33) % below;
}

/* ---- what streams have to do ----------------------------------------------------------------- */

static void let_go(fake_moment *moment)
{
    if (moment && --moment->users == 0) {
        free(moment);
    }
}

static fake_operation *operation_new(fake_work work, const void *payload, size_t bytes)
{
    fake_operation *made = fake_allocate(sizeof *made + bytes);
    made->work = work;
    made->payload_bytes = bytes;
    if (bytes > 0) {
        memcpy(made->payload, payload, bytes);
    }
    return made;
}

fake_operation *fake_copy_of(const fake_operation *operation)
{
    fake_operation *copy = fake_allocate(sizeof *copy + operation->payload_bytes);
    memcpy(copy, operation, sizeof *copy + operation->payload_bytes);
    copy->next = NULL;
    return copy;
}

void fake_append(fake_queue *queue, fake_operation *operation)
{
    if (queue->last) {
        queue->last->next = operation;
    } else {
        queue->first = operation;
    }
    queue->last = operation;
}

static double clock_milliseconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

/* A device that has ended passes by what was to be done. */
static void perform(const struct CUstream_st *stream, fake_operation *operation)
{
    if (operation->work == FAKE_RECORD) {
        operation->moment->passed = true;
        operation->moment->at = clock_milliseconds();
    }
    if (fake_ended()) {
        return;
    }
    switch (operation->work) {
    case FAKE_RUN:
        fake_uncover(stream->device);
        operation->kernel(operation->payload);
        break;
    case FAKE_COPY:
        fake_uncover(-1);
        memcpy(operation->to, operation->from ? operation->from : operation->payload, operation->bytes);
        break;
    case FAKE_SET:
        fake_uncover(-1);
        memset(operation->to, operation->value, operation->bytes);
        break;
    case FAKE_RECORD:
    case FAKE_WAIT:
        return;
    }
    fake_cover();
}

/* ---- their order ----------------------------------------------------------------------------- */

/* Whether work of one waits for earlier work of the other. */
static bool in_order(const struct CUstream_st *one, const struct CUstream_st *other)
{
    return one->device == other->device &&
           ((one->is_default && other->blocking) || (one->blocking && other->is_default));
}

/* A stream that has to do something before this one can go on; NULL: none. */
static struct CUstream_st *blocker(const struct CUstream_st *stream)
{
    const fake_operation *first = stream->queue.first;
    if (first->work == FAKE_WAIT && !first->moment->passed) {
        return first->moment->stream;
    }
    for (struct CUstream_st *other = streams; other; other = other->next) {
        if (in_order(stream, other) && other->queue.first && other->queue.first->number < first->number) {
            return other;
        }
    }
    return NULL;
}

/* Does the next of what a stream has to do, and before it what that waits for, which was put earlier. */
static void advance(struct CUstream_st *stream)
{
    for (struct CUstream_st *other = blocker(stream); other; other = blocker(stream)) {
        advance(other);
    }
    fake_operation *operation = stream->queue.first;
    stream->queue.first = operation->next;
    if (!stream->queue.first) {
        stream->queue.last = NULL;
    }
    if (breaking > 0 && --breaking == 0) {
        fake_end_device();
    }
    perform(stream, operation);
    let_go(operation->moment);
    free(operation);
}

static void finish(struct CUstream_st *stream)
{
    while (stream->queue.first) {
        advance(stream);
    }
}

static void pass(const fake_moment *moment)
{
    while (!moment->passed) {
        advance(moment->stream);
    }
}

/* Of the streams that could go on one does; false: there is none. */
static bool advance_any(void)
{
    unsigned able = 0;
    struct CUstream_st *chosen = NULL;
    for (struct CUstream_st *stream = streams; stream; stream = stream->next) {
        if (stream->queue.first && !blocker(stream) && draw(++able) == 0) {
            chosen = stream;
        }
    }
    if (chosen) {
        advance(chosen);
    }
    return chosen != NULL;
}

void fake_move_on(void)
{
    if (order == FAKE_SHUFFLED && draw(4) == 0) {
        for (unsigned steps = draw(8); steps > 0 && advance_any();) {
            --steps;
        }
    }
}

void fake_finish_all(void)
{
    if (order == FAKE_STUCK && fake_waiting() > 0) {
        fake_die("who frees memory waits for streams that are stuck");
    }
    while (advance_any()) {
    }
}

long fake_waiting(void)
{
    long waiting = 0;
    for (const struct CUstream_st *stream = streams; stream; stream = stream->next) {
        for (const fake_operation *at = stream->queue.first; at; at = at->next) {
            ++waiting;
        }
    }
    return waiting;
}

void fake_put(struct CUstream_st *stream, fake_operation *operation)
{
    if (stream->graph) {
        fake_capture(stream->graph, operation);
        return;
    }
    operation->number = ++put;
    fake_append(&stream->queue, operation);
    if (order == FAKE_EAGER) {
        finish(stream);
    }
}

/* ---- work ------------------------------------------------------------------------------------ */

/* A stream that takes work of the current device; else an error. */
static cudaError_t stream_for_work(cudaStream_t handle, struct CUstream_st **stream)
{
    *stream = fake_stream(handle);
    if (!*stream || (*stream)->device != fake_current_device()) {
        return cudaErrorInvalidResourceHandle;
    }
    return (*stream)->invalid ? cudaErrorStreamCaptureInvalidated : cudaSuccess;
}

cudaError_t fake_launch(fake_kernel *run, const void *arguments, size_t bytes, cudaStream_t handle)
{
    cudaError_t error = fake_enter();
    struct CUstream_st *stream;
    if (error == cudaSuccess) {
        error = stream_for_work(handle, &stream);
    }
    if (error == cudaSuccess) {
        fake_operation *operation = operation_new(FAKE_RUN, arguments, bytes);
        operation->kernel = run;
        fake_put(stream, operation);
    }
    return fake_leave(error);
}

/*
 * Memory that is not pinned is read before the call returns, and has been written when it returns; a capture
 * has none of it.
 */
static cudaError_t copy(void *to, const void *from, size_t bytes, struct CUstream_st *stream)
{
    const bool kept = fake_pageable(from);
    const bool awaited = fake_pageable(to);
    if ((kept || awaited) && stream->graph) {
        stream->invalid = true;
        return cudaErrorStreamCaptureUnsupported;
    }
    fake_operation *operation = operation_new(FAKE_COPY, from, kept ? bytes : 0);
    operation->to = to;
    operation->from = kept ? NULL : from;
    operation->bytes = bytes;
    fake_put(stream, operation);
    if (awaited) {
        finish(stream);
    }
    return cudaSuccess;
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                            cudaStream_t handle)
{
    (void)kind; /* pointers tell */
    cudaError_t error = fake_enter();
    struct CUstream_st *stream;
    if (error == cudaSuccess) {
        error = stream_for_work(handle, &stream);
    }
    if (error == cudaSuccess && bytes > 0) {
        error = copy(to, from, bytes, stream);
    }
    return fake_leave(error);
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind)
{
    (void)kind;
    cudaError_t error = fake_enter();
    struct CUstream_st *stream = fake_stream(NULL);
    if (error == cudaSuccess) {
        error = fake_forbidden();
    }
    if (error == cudaSuccess && bytes > 0) {
        error = copy(to, from, bytes, stream);
        finish(stream);
    }
    return fake_leave(error);
}

/* ---- boxes ----------------------------------------------------------------------------------- */

/* One end of a box: where its rows begin. */
typedef struct box_end {
    char *first;
    size_t row, rows; /* bytes from one to the next, rows of a plane */
} box_end;

typedef struct box {
    box_end to, from;
    struct cudaExtent extent;
} box;

static void copy_rows(const void *payload)
{
    const box *b = payload;
    for (size_t i = 0; i < b->extent.height * b->extent.depth; ++i) {
        const size_t plane = i / b->extent.height;
        const size_t row = i % b->extent.height;
        memcpy(b->to.first + (plane * b->to.rows + row) * b->to.row,
               b->from.first + (plane * b->from.rows + row) * b->from.row, b->extent.width);
    }
}

static bool has_room(const box_end *end, const struct cudaExtent *extent)
{
    return end->first && !fake_pageable(end->first) && end->row >= extent->width &&
           end->rows >= extent->height;
}

static cudaError_t copy_box(const box *b, struct CUstream_st *stream)
{
    if (!has_room(&b->to, &b->extent) || !has_room(&b->from, &b->extent)) {
        return cudaErrorInvalidValue;
    }
    fake_operation *operation = operation_new(FAKE_RUN, b, sizeof *b);
    operation->kernel = copy_rows;
    fake_put(stream, operation);
    return cudaSuccess;
}

static box_end end_of(const struct cudaPitchedPtr *p)
{
    return (box_end){p->ptr, p->pitch, p->ysize};
}

static bool at_begin(const struct cudaPos *at)
{
    return at->x == 0 && at->y == 0 && at->z == 0;
}

cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *parameters, cudaStream_t handle)
{
    cudaError_t error = fake_enter();
    struct CUstream_st *stream;
    if (error == cudaSuccess) {
        error = stream_for_work(handle, &stream);
    }
    if (error == cudaSuccess && (parameters->srcArray || parameters->dstArray ||
                                 !at_begin(&parameters->srcPos) || !at_begin(&parameters->dstPos))) {
        error = cudaErrorInvalidValue;
    }
    if (error == cudaSuccess) {
        const box b = {end_of(&parameters->dstPtr), end_of(&parameters->srcPtr), parameters->extent};
        error = copy_box(&b, stream);
    }
    return fake_leave(error);
}

static cudaError_t copy_operands(const struct cudaMemcpy3DBatchOp *each, struct CUstream_st *stream)
{
    if (each->src.type != cudaMemcpyOperandTypePointer || each->dst.type != cudaMemcpyOperandTypePointer ||
        each->srcAccessOrder != cudaMemcpySrcAccessOrderStream || each->flags != 0) {
        return cudaErrorInvalidValue;
    }
    const box b = {
        .to = {each->dst.op.ptr.ptr, each->dst.op.ptr.rowLength, each->dst.op.ptr.layerHeight},
        .from = {each->src.op.ptr.ptr, each->src.op.ptr.rowLength, each->src.op.ptr.layerHeight},
        .extent = each->extent,
    };
    return copy_box(&b, stream);
}

/* Neither captures nor the default stream have batches. */
cudaError_t cudaMemcpy3DBatchAsync(size_t count, struct cudaMemcpy3DBatchOp *list, unsigned long long flags,
                                   cudaStream_t handle)
{
    cudaError_t error = fake_enter();
    struct CUstream_st *stream;
    if (error == cudaSuccess) {
        error = stream_for_work(handle, &stream);
    }
    if (error == cudaSuccess && (stream->is_default || flags != 0)) {
        error = cudaErrorInvalidValue;
    }
    if (error == cudaSuccess && stream->graph) {
        stream->invalid = true;
        error = cudaErrorStreamCaptureUnsupported;
    }
    for (size_t i = 0; i < count && error == cudaSuccess; ++i) {
        error = copy_operands(&list[i], stream);
    }
    return fake_leave(error);
}

cudaError_t cudaMemsetAsync(void *memory, int value, size_t bytes, cudaStream_t handle)
{
    cudaError_t error = fake_enter();
    struct CUstream_st *stream;
    if (error == cudaSuccess) {
        error = stream_for_work(handle, &stream);
    }
    if (error == cudaSuccess && bytes > 0) {
        fake_operation *operation = operation_new(FAKE_SET, NULL, 0);
        operation->to = memory;
        operation->value = value;
        operation->bytes = bytes;
        fake_put(stream, operation);
    }
    return fake_leave(error);
}

/* ---- streams --------------------------------------------------------------------------------- */

struct CUstream_st *fake_first_stream(void)
{
    return streams;
}

static void stream_add(struct CUstream_st *stream)
{
    stream->next = streams;
    streams = stream;
}

static struct CUstream_st *default_of(int device)
{
    struct CUstream_st *stream = &default_stream[device];
    if (!stream->is_default) {
        stream->is_default = true;
        stream->device = device;
        stream_add(stream);
    }
    return stream;
}

struct CUstream_st *fake_stream(cudaStream_t handle)
{
    if (!handle) {
        return default_of(fake_current_device());
    }
    return fake_is(handle, FAKE_STREAM) ? handle : NULL;
}

void fake_reap(void)
{
    struct CUstream_st **at = &streams;
    while (*at) {
        struct CUstream_st *stream = *at;
        if (stream->closed && !stream->queue.first) {
            *at = stream->next;
            free(stream);
        } else {
            at = &stream->next;
        }
    }
}

cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest)
{
    const cudaError_t error = fake_enter();
    if (error == cudaSuccess) {
        *least = 0;
        *greatest = FAKE_URGENT;
    }
    return fake_leave(error);
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags, int priority)
{
    cudaError_t error = fake_enter();
    if (error == cudaSuccess && (priority > 0 || priority < FAKE_URGENT || flags > cudaStreamNonBlocking)) {
        error = cudaErrorInvalidValue;
    }
    if (error == cudaSuccess) {
        struct CUstream_st *made = fake_allocate(sizeof *made);
        made->device = fake_current_device();
        made->blocking = flags != cudaStreamNonBlocking;
        fake_add(&made->object, FAKE_STREAM);
        stream_add(made);
        *stream = made;
    }
    return fake_leave(error);
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags)
{
    return cudaStreamCreateWithPriority(stream, flags, 0);
}

cudaError_t cudaStreamGetDevice(cudaStream_t handle, int *device)
{
    cudaError_t error = fake_enter();
    const struct CUstream_st *stream = fake_stream(handle);
    if (error == cudaSuccess && !stream) {
        error = cudaErrorInvalidResourceHandle;
    }
    if (error == cudaSuccess) {
        *device = stream->device;
    }
    return fake_leave(error);
}

/* What a stream has to do it does all the same. */
cudaError_t cudaStreamDestroy(cudaStream_t handle)
{
    cudaError_t error = fake_enter();
    if (error == cudaSuccess && (!handle || !fake_is(handle, FAKE_STREAM))) {
        error = cudaErrorInvalidResourceHandle;
    }
    if (error == cudaSuccess && handle->graph) {
        handle->invalid = true;
        error = cudaErrorStreamCaptureUnsupported;
    }
    if (error == cudaSuccess) {
        fake_remove(&handle->object);
        handle->closed = true;
    }
    return fake_leave(error);
}

cudaError_t cudaStreamSynchronize(cudaStream_t handle)
{
    cudaError_t error = fake_enter();
    struct CUstream_st *stream = fake_stream(handle);
    if (error == cudaSuccess) {
        error = stream ? fake_forbidden() : cudaErrorInvalidResourceHandle;
    }
    if (error == cudaSuccess) {
        finish(stream);
    }
    return fake_leave(error);
}

/* ---- events ---------------------------------------------------------------------------------- */

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags)
{
    const cudaError_t error = fake_enter();
    if (error == cudaSuccess) {
        struct CUevent_st *made = fake_allocate(sizeof *made);
        made->device = fake_current_device();
        made->timed = (flags & cudaEventDisableTiming) == 0;
        fake_add(&made->object, FAKE_EVENT);
        *event = made;
    }
    return fake_leave(error);
}

cudaError_t cudaEventCreate(cudaEvent_t *event)
{
    return cudaEventCreateWithFlags(event, cudaEventDefault);
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    cudaError_t error = fake_enter();
    if (error == cudaSuccess && !fake_is(event, FAKE_EVENT)) {
        error = cudaErrorInvalidResourceHandle;
    }
    if (error == cudaSuccess) {
        fake_remove(&event->object);
        let_go(event->moment);
        free(event);
    }
    return fake_leave(error);
}

/* A graph with more than one branch, which events make, is none that the fake has. */
static cudaError_t stream_and_event(cudaStream_t handle, cudaEvent_t event, struct CUstream_st **stream)
{
    *stream = fake_stream(handle);
    if (!*stream || !fake_is(event, FAKE_EVENT)) {
        return cudaErrorInvalidResourceHandle;
    }
    if ((*stream)->graph) {
        (*stream)->invalid = true;
        return cudaErrorStreamCaptureIsolation;
    }
    return cudaSuccess;
}

static void put_moment(struct CUstream_st *stream, fake_work work, fake_moment *moment)
{
    fake_operation *operation = operation_new(work, NULL, 0);
    operation->moment = moment;
    ++moment->users;
    fake_put(stream, operation);
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t handle)
{
    cudaError_t error = fake_enter();
    struct CUstream_st *stream;
    if (error == cudaSuccess) {
        error = stream_and_event(handle, event, &stream);
    }
    if (error == cudaSuccess && stream->device != event->device) {
        error = cudaErrorInvalidResourceHandle;
    }
    if (error == cudaSuccess) {
        let_go(event->moment);
        event->moment = fake_allocate(sizeof *event->moment);
        event->moment->users = 1;
        event->moment->stream = stream;
        event->asked = 0;
        put_moment(stream, FAKE_RECORD, event->moment);
    }
    return fake_leave(error);
}

cudaError_t cudaStreamWaitEvent(cudaStream_t handle, cudaEvent_t event, unsigned flags)
{
    (void)flags;
    cudaError_t error = fake_enter();
    struct CUstream_st *stream;
    if (error == cudaSuccess) {
        error = stream_and_event(handle, event, &stream);
    }
    if (error == cudaSuccess && event->moment) {
        put_moment(stream, FAKE_WAIT, event->moment);
    }
    return fake_leave(error);
}

/* Whether an event has passed; who asks often gets what was asked for. */
static bool has_passed(struct CUevent_st *event)
{
    if (!event->moment) {
        return true;
    }
    if (order == FAKE_SHUFFLED && !event->moment->passed) {
        (void)advance_any();
    }
    if (order == FAKE_LAZY && ++event->asked >= FAKE_PATIENCE) {
        pass(event->moment);
    }
    return event->moment->passed;
}

cudaError_t cudaEventQuery(cudaEvent_t event)
{
    cudaError_t error = fake_enter();
    if (error == cudaSuccess) {
        error = fake_is(event, FAKE_EVENT) ? fake_forbidden() : cudaErrorInvalidResourceHandle;
    }
    if (error == cudaSuccess && !has_passed(event)) {
        error = cudaErrorNotReady;
    }
    return fake_leave(error);
}

cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
    cudaError_t error = fake_enter();
    if (error == cudaSuccess) {
        error = fake_is(event, FAKE_EVENT) ? fake_forbidden() : cudaErrorInvalidResourceHandle;
    }
    if (error == cudaSuccess && event->moment) {
        pass(event->moment);
    }
    return fake_leave(error);
}

static bool has_time(const struct CUevent_st *event)
{
    return fake_is(event, FAKE_EVENT) && event->timed && event->moment;
}

cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t begin, cudaEvent_t end)
{
    cudaError_t error = fake_enter();
    if (error == cudaSuccess && (!has_time(begin) || !has_time(end))) {
        error = cudaErrorInvalidResourceHandle;
    }
    if (error == cudaSuccess && (!begin->moment->passed || !end->moment->passed)) {
        error = cudaErrorNotReady;
    }
    if (error == cudaSuccess) {
        *milliseconds = (float)(end->moment->at - begin->moment->at);
    }
    return fake_leave(error);
}
