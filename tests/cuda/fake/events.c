/*
 * Events of the fake device.
 */
#include "parts.h"

#include <stdlib.h>

struct CUevent_st {
    fake_object object;
    int device;
    bool timed;
    fake_moment *moment; /* NULL: never recorded */
    int asked;
};

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
        fake_let_go(event->moment);
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
    fake_operation *operation = fake_operation_new(work, NULL, 0);
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
        fake_let_go(event->moment);
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
    fake_urge(event->moment, ++event->asked);
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
        fake_pass(event->moment);
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
