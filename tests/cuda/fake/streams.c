/*
 * Streams of the fake device: when what they have to do is done.
 */
#include "parts.h"

#include <limits.h>
#include <sched.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { FAKE_URGENT = -5 }; /* the greatest priority, which is of no matter here */

static fake_order order;
static uint64_t chance;
static long put;      /* operations, ever */
static long breaking; /* operations until the device ends; 0: it will not */
static bool held;     /* work of FAKE_HOLD goes on */
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

void fake_let_go(fake_moment *moment)
{
    if (moment && --moment->users == 0) {
        free(moment);
    }
}

fake_operation *fake_operation_new(fake_work work, const void *payload, size_t bytes)
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
    case FAKE_HOLD:
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

/* Does it wait for another process? */
static bool is_awaiting(const struct CUstream_st *stream)
{
    const fake_operation *first = stream->queue.first;
    return first && first->ready && !fake_ended() && !first->ready(first->payload);
}

static bool is_held(const struct CUstream_st *stream)
{
    return (held && stream->queue.first->work == FAKE_HOLD) || is_awaiting(stream);
}

/* Does the next of what a stream has to do, and before it what that waits for, which was put earlier.  False:
 * something of it is held. */
static bool advance(struct CUstream_st *stream)
{
    for (struct CUstream_st *other = blocker(stream); other; other = blocker(stream)) {
        if (!advance(other)) {
            return false;
        }
    }
    if (is_held(stream)) {
        return false;
    }
    fake_operation *operation = stream->queue.first;
    stream->queue.first = operation->next;
    if (!stream->queue.first) {
        stream->queue.last = NULL;
    }
    if (breaking > 0 && --breaking == 0) {
        fake_end_device(cudaErrorIllegalAddress);
    }
    perform(stream, operation);
    fake_let_go(operation->moment);
    free(operation);
    return true;
}

/* As far as nothing is held. */
static void advance_all(struct CUstream_st *stream)
{
    while (stream->queue.first && advance(stream)) {
    }
}

static void advance_to(const fake_moment *moment)
{
    while (!moment->passed && advance(moment->stream)) {
    }
}

/* Of the streams that could go on one does; false: there is none. */
static bool advance_any(void)
{
    unsigned able = 0;
    struct CUstream_st *chosen = NULL;
    for (struct CUstream_st *stream = streams; stream; stream = stream->next) {
        if (stream->queue.first && !blocker(stream) && !is_held(stream) && draw(++able) == 0) {
            chosen = stream;
        }
    }
    if (chosen) {
        advance(chosen);
    }
    return chosen != NULL;
}

/* Who waits in vain, since `until`, dies, unless a stream waits for another process, which may come. */
static void wait_in_vain(double until)
{
    bool awaiting = false;
    for (const struct CUstream_st *stream = streams; stream; stream = stream->next) {
        awaiting = awaiting || is_awaiting(stream);
    }
    if (!awaiting && !advance_any()) {
        fake_die("who waits for a stream waits for one that is held");
    }
    if (clock_milliseconds() > until) {
        fake_die("who waits for a stream waits for another process, which does not come");
    }
    sched_yield();
}

static double latest(void)
{
    return clock_milliseconds() + 1e3 * FAKE_MOST_SECONDS;
}

void fake_finish(struct CUstream_st *stream)
{
    const double until = latest();
    for (advance_all(stream); stream->queue.first; advance_all(stream)) {
        wait_in_vain(until);
    }
}

void fake_pass(const fake_moment *moment)
{
    const double until = latest();
    for (advance_to(moment); !moment->passed; advance_to(moment)) {
        wait_in_vain(until);
    }
}

/* Streams whose order waits for that move on. */
void fake_urge(const fake_moment *moment, int asked)
{
    if (order == FAKE_SHUFFLED && !moment->passed) {
        (void)advance_any();
    }
    if (order == FAKE_LAZY && asked >= FAKE_PATIENCE) {
        advance_to(moment);
    }
}

void fake_move_on(void)
{
    while (order == FAKE_EAGER && advance_any()) { /* what another process held */
    }
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
    const double until = latest();
    while (fake_waiting() > 0) {
        if (!advance_any()) {
            wait_in_vain(until);
        }
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
        advance_all(stream);
    }
}

cudaError_t fake_hold(cudaStream_t handle)
{
    cudaError_t error = fake_enter();
    struct CUstream_st *stream = fake_stream(handle);
    if (error == cudaSuccess) {
        error = stream ? cudaSuccess : cudaErrorInvalidResourceHandle;
    }
    if (error == cudaSuccess) {
        held = true;
        fake_put(stream, fake_operation_new(FAKE_HOLD, NULL, 0));
    }
    return fake_leave(error);
}

void fake_release(void)
{
    const cudaError_t error = fake_enter();
    held = false;
    while (error == cudaSuccess && order == FAKE_EAGER && advance_any()) {
    }
    (void)fake_leave(error);
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
    if (error == cudaSuccess && stream->graph) { /* seen of driver 580, though its documents do not say so */
        error = cudaErrorStreamCaptureUnsupported;
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
        fake_finish(stream);
    }
    return fake_leave(error);
}
