/*
 * Capture of a stream of the fake device, and graphs.
 */
#include "parts.h"

#include <stdlib.h>

struct CUgraph_st {
    fake_object object;
    fake_queue queue;
};

/* Graphs that can be launched have what they are made of for themselves. */
struct CUgraphExec_st {
    struct CUgraph_st graph;
};

static _Thread_local enum cudaStreamCaptureMode mode_of_thread;
static unsigned long long captures; /* so far */

static struct CUgraph_st *graph_start(size_t bytes)
{
    struct CUgraph_st *made = fake_allocate(bytes);
    fake_add(&made->object, FAKE_GRAPH);
    return made;
}

static void graph_free(struct CUgraph_st *graph)
{
    for (fake_operation *at = graph->queue.first; at;) {
        fake_operation *next = at->next;
        free(at);
        at = next;
    }
    fake_remove(&graph->object);
    free(graph);
}

/* ---- capture --------------------------------------------------------------------------------- */

void fake_capture(struct CUgraph_st *graph, fake_operation *operation)
{
    fake_append(&graph->queue, operation);
}

/* What a thread may not do is what endangers its own capture, and others' as far as these and it say so. */
static bool forbids(const struct CUstream_st *stream)
{
    const bool own = stream->graph && pthread_equal(stream->owner, pthread_self());
    return stream->graph && mode_of_thread != cudaStreamCaptureModeRelaxed &&
           ((own && stream->mode != cudaStreamCaptureModeRelaxed) ||
            (mode_of_thread == cudaStreamCaptureModeGlobal && stream->mode == cudaStreamCaptureModeGlobal));
}

cudaError_t fake_forbidden(void)
{
    cudaError_t error = cudaSuccess;
    for (struct CUstream_st *stream = fake_first_stream(); stream; stream = stream->next) {
        if (forbids(stream)) {
            stream->invalid = true;
            error = cudaErrorStreamCaptureUnsupported;
        }
    }
    return error;
}

cudaError_t cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode *mode)
{
    const cudaError_t error = fake_enter_to_look();
    if (error == cudaSuccess) {
        const enum cudaStreamCaptureMode before = mode_of_thread;
        mode_of_thread = *mode;
        *mode = before;
    }
    return fake_leave(error);
}

/* The capture that a stream is in, if any; its number as long as it is valid. */
static cudaError_t look_at(cudaStream_t handle, enum cudaStreamCaptureStatus *status,
                           unsigned long long *number)
{
    cudaError_t error = fake_enter_to_look();
    const struct CUstream_st *stream = fake_stream(handle);
    if (error == cudaSuccess && !stream) {
        error = cudaErrorInvalidResourceHandle;
    }
    if (error == cudaSuccess) {
        *status = !stream->graph    ? cudaStreamCaptureStatusNone
                  : stream->invalid ? cudaStreamCaptureStatusInvalidated
                                    : cudaStreamCaptureStatusActive;
        if (*status == cudaStreamCaptureStatusActive) {
            *number = stream->capture;
        }
    }
    return fake_leave(error);
}

cudaError_t cudaStreamIsCapturing(cudaStream_t handle, enum cudaStreamCaptureStatus *status)
{
    unsigned long long number = 0;
    return look_at(handle, status, &number);
}

cudaError_t cudaStreamGetCaptureInfo_v2(cudaStream_t handle, enum cudaStreamCaptureStatus *status,
                                        unsigned long long *number, cudaGraph_t *graph,
                                        const cudaGraphNode_t **nodes, size_t *count)
{
    (void)graph, (void)nodes, (void)count;
    return look_at(handle, status, number);
}

cudaError_t cudaStreamGetCaptureInfo(cudaStream_t handle, enum cudaStreamCaptureStatus *status,
                                     unsigned long long *number, cudaGraph_t *graph,
                                     const cudaGraphNode_t **nodes, const cudaGraphEdgeData **edges,
                                     size_t *count)
{
    (void)edges;
    return cudaStreamGetCaptureInfo_v2(handle, status, number, graph, nodes, count);
}

cudaError_t cudaStreamBeginCapture(cudaStream_t handle, enum cudaStreamCaptureMode mode)
{
    cudaError_t error = fake_enter();
    struct CUstream_st *stream = fake_stream(handle);
    if (error == cudaSuccess && !stream) {
        error = cudaErrorInvalidResourceHandle;
    }
    if (error == cudaSuccess && (stream->is_default || stream->graph)) {
        error = cudaErrorStreamCaptureUnsupported;
    }
    if (error == cudaSuccess) {
        stream->graph = graph_start(sizeof *stream->graph);
        stream->capture = ++captures;
        stream->invalid = false;
        stream->mode = mode;
        stream->owner = pthread_self();
    }
    return fake_leave(error);
}

cudaError_t cudaStreamEndCapture(cudaStream_t handle, cudaGraph_t *graph)
{
    cudaError_t error = fake_enter();
    struct CUstream_st *stream = fake_stream(handle);
    if (error == cudaSuccess && (!stream || !stream->graph)) {
        error = cudaErrorInvalidValue;
    }
    if (error == cudaSuccess) {
        *graph = stream->graph;
        stream->graph = NULL;
        if (stream->invalid) {
            stream->invalid = false;
            graph_free(*graph);
            *graph = NULL;
            error = cudaErrorStreamCaptureInvalidated;
        }
    }
    return fake_leave(error);
}

/* ---- graphs ---------------------------------------------------------------------------------- */

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *made, cudaGraph_t graph, unsigned long long flags)
{
    (void)flags;
    cudaError_t error = fake_enter();
    if (error == cudaSuccess && !fake_is(graph, FAKE_GRAPH)) {
        error = cudaErrorInvalidValue;
    }
    if (error == cudaSuccess) {
        *made = (cudaGraphExec_t)graph_start(sizeof **made);
        for (const fake_operation *at = graph->queue.first; at; at = at->next) {
            fake_append(&(*made)->graph.queue, fake_copy_of(at));
        }
    }
    return fake_leave(error);
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t handle)
{
    cudaError_t error = fake_enter();
    struct CUstream_st *stream = fake_stream(handle);
    if (error == cudaSuccess && (!stream || !fake_is(exec, FAKE_GRAPH))) {
        error = cudaErrorInvalidResourceHandle;
    }
    if (error == cudaSuccess && stream->graph) {
        stream->invalid = true;
        error = cudaErrorStreamCaptureUnsupported;
    }
    if (error == cudaSuccess) {
        for (const fake_operation *at = exec->graph.queue.first; at; at = at->next) {
            fake_put(stream, fake_copy_of(at));
        }
    }
    return fake_leave(error);
}

static cudaError_t destroy(struct CUgraph_st *graph)
{
    cudaError_t error = fake_enter();
    if (error == cudaSuccess && !fake_is(graph, FAKE_GRAPH)) {
        error = cudaErrorInvalidValue;
    }
    if (error == cudaSuccess) {
        graph_free(graph);
    }
    return fake_leave(error);
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph)
{
    return destroy(graph);
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t graph)
{
    return destroy(&graph->graph);
}
