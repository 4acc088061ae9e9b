/*
 * What the fake device can do: launches, copies, also of boxes, and setting bytes.
 */
#include "parts.h"

#include <stdint.h>
#include <string.h>

/* ---- launches and copies ------------------------------------------------------------------------ */

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
    return fake_launch_when(NULL, run, arguments, bytes, handle);
}

cudaError_t fake_launch_when(fake_ready *ready, fake_kernel *run, const void *arguments, size_t bytes,
                             cudaStream_t handle)
{
    cudaError_t error = fake_enter();
    struct CUstream_st *stream;
    if (error == cudaSuccess) {
        error = stream_for_work(handle, &stream);
    }
    if (error == cudaSuccess) {
        fake_operation *operation = fake_operation_new(FAKE_RUN, arguments, bytes);
        operation->kernel = run;
        operation->ready = ready;
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
    fake_operation *operation = fake_operation_new(FAKE_COPY, from, kept ? bytes : 0);
    operation->to = to;
    operation->from = kept ? NULL : from;
    operation->bytes = bytes;
    fake_put(stream, operation);
    if (awaited) {
        fake_finish(stream);
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
        fake_finish(stream);
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
    fake_operation *operation = fake_operation_new(FAKE_RUN, b, sizeof *b);
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
        fake_operation *operation = fake_operation_new(FAKE_SET, NULL, 0);
        operation->to = memory;
        operation->value = value;
        operation->bytes = bytes;
        fake_put(stream, operation);
    }
    return fake_leave(error);
}
