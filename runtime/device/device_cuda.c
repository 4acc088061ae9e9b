/*
 * libhx_cuda: the calls of CUDA that libhx makes.  It is a library of its own, so that libhx and programs
 * without device code need no CUDA; nothing else of libhx includes a header of it.  CUDA 11.8 or newer.
 */
#include <hx/cuda.h>

#ifdef HX_HIP
#include "device/hip_calls.h"
#else
#include <cuda_runtime_api.h>
#endif

#include <string.h>

_Static_assert(sizeof((hx_device_identity *)0)->name == sizeof((struct cudaDeviceProp *)0)->name &&
                   sizeof((hx_device_identity *)0)->uuid == sizeof((struct cudaDeviceProp *)0)->uuid,
               "an identity has room for CUDA's");
_Static_assert(sizeof(cudaIpcMemHandle_t) <= sizeof(hx_device_token), "a token has room for CUDA's");

/*
 * CUDA keeps the last error until somebody asks for it.  What libhx is told here is told on by libhx; the
 * application, which asks after launches of its own, is not to take it for theirs.
 */
static int told(cudaError_t error)
{
    if (error != cudaSuccess && cudaPeekAtLastError() == error) {
        (void)cudaGetLastError();
    }
    return (int)error;
}

static const char *error_text(int error)
{
    return cudaGetErrorString((cudaError_t)error);
}

static int device_count(int *devices)
{
    int count = 0;
    const int error = told(cudaGetDeviceCount(&count));
    if (error == 0) {
        *devices = count;
    }
    return error;
}

static int current_device(int *device)
{
    return told(cudaGetDevice(device));
}

static int use_device(int device)
{
    return told(cudaSetDevice(device));
}

static int about(hx_device_identity *identity)
{
    struct cudaDeviceProp found;
    int device = 0;
    int error = current_device(&device);
    error = error == 0 ? told(cudaGetDeviceProperties(&found, device)) : error;
    if (error == 0) {
        memcpy(identity->name, found.name, sizeof identity->name);
        memcpy(identity->uuid, &found.uuid, sizeof identity->uuid);
    }
    return error;
}

/* ---- memory ---------------------------------------------------------------------------------- */

/*
 * The device of an address: that of its memory, or, of the host's, the current one.  -1 where kernels of the
 * current one do not find the memory there: it was registered and has another address for them, or they have
 * no access to it.
 */
static int device_of(const struct cudaPointerAttributes *found, const void *pointer, int *device)
{
    const bool there = found->type == cudaMemoryTypeDevice;
    const bool seen = found->devicePointer == pointer;
    *device = found->device;
    if (found->type == cudaMemoryTypeManaged || (there && seen)) {
        return 0;
    }
    int current = 0;
    const int error = told(cudaGetDevice(&current));
    *device = there && found->device != current ? found->device : !there && seen ? current : -1;
    return error;
}

static int place_of(const void *pointer, hx_memory_place *place)
{
    struct cudaPointerAttributes found;
    const int error = told(cudaPointerGetAttributes(&found, pointer));
    if (error != 0) {
        return error;
    }
    switch (found.type) {
    case cudaMemoryTypeDevice:
        place->kind = HX_MEMORY_DEVICE;
        break;
    case cudaMemoryTypeManaged:
        place->kind = HX_MEMORY_MANAGED;
        break;
    case cudaMemoryTypeHost:
        place->kind = HX_MEMORY_PINNED;
        break;
    case cudaMemoryTypeUnregistered:
    default:
        *place = (hx_memory_place){.kind = HX_MEMORY_HOST, .device = -1};
        return 0;
    }
    return device_of(&found, pointer, &place->device);
}

static int get_memory(hx_memory_kind kind, size_t bytes, void **memory)
{
    switch (kind) {
    case HX_MEMORY_DEVICE:
        return told(cudaMalloc(memory, bytes));
    case HX_MEMORY_PINNED:
        return told(cudaHostAlloc(memory, bytes, cudaHostAllocPortable | cudaHostAllocMapped));
    case HX_MEMORY_HOST:
    case HX_MEMORY_MANAGED:
    default:
        return (int)cudaErrorInvalidValue;
    }
}

static int free_memory(hx_memory_kind kind, void *memory)
{
    return told(kind == HX_MEMORY_PINNED ? cudaFreeHost(memory) : cudaFree(memory));
}

static int mapped(void *pinned, void **address)
{
    return told(cudaHostGetDevicePointer(address, pinned, 0));
}

static int copy(void *to, const void *from, size_t bytes, hx_stream stream)
{
    return told(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream));
}

static int zero(void *memory, size_t bytes, hx_stream stream)
{
    return told(cudaMemsetAsync(memory, 0, bytes, stream));
}

static int export_memory(void *memory, hx_device_token *token)
{
    cudaIpcMemHandle_t handle;
    const int error = told(cudaIpcGetMemHandle(&handle, memory));
    if (error == 0) {
        memset(token, 0, sizeof *token);
        memcpy(token->bytes, &handle, sizeof handle);
    }
    return error;
}

static int open_memory(const hx_device_token *token, void **memory)
{
    cudaIpcMemHandle_t handle;
    memcpy(&handle, token->bytes, sizeof handle);
    return told(cudaIpcOpenMemHandle(memory, handle, cudaIpcMemLazyEnablePeerAccess));
}

static int close_memory(void *memory)
{
    return told(cudaIpcCloseMemHandle(memory));
}

/* ---- streams and events ---------------------------------------------------------------------- */

static int stream_open(bool urgent, hx_stream *stream)
{
    int least;
    int greatest;
    const int error = told(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    return error != 0
               ? error
               : told(cudaStreamCreateWithPriority(stream, cudaStreamNonBlocking, urgent ? greatest : least));
}

static int stream_close(hx_stream stream)
{
    return told(cudaStreamDestroy(stream));
}

static cudaError_t capture_of(hx_stream stream, enum cudaStreamCaptureStatus *status,
                              unsigned long long *number)
{
#if CUDART_VERSION >= 13000
    return cudaStreamGetCaptureInfo(stream, status, number, NULL, NULL, NULL, NULL);
#else
    return cudaStreamGetCaptureInfo_v2(stream, status, number, NULL, NULL, NULL);
#endif
}

static int capture(hx_stream stream, uint64_t *number)
{
    enum cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    unsigned long long found = UINT64_MAX; /* of a capture that was invalidated no number is told */
    int error = told(cudaStreamIsCapturing(stream, &status));
    if (error == 0 && status == cudaStreamCaptureStatusActive) {
        error = told(capture_of(stream, &status, &found));
    }
    if (error == 0) {
        *number = status == cudaStreamCaptureStatusNone ? 0 : found;
    }
    return error;
}

/* Which device a stream is of.  Before 12.8 only an event can tell. */
static int stream_device_is_current(hx_stream stream, bool *yes)
{
#if CUDART_VERSION >= 12080
    int current = 0;
    int device = 0;
    int error = told(cudaGetDevice(&current));
    error = error == 0 ? told(cudaStreamGetDevice(stream, &device)) : error;
    const bool older = error == cudaErrorCallRequiresNewerDriver; /* which cannot tell */
    *yes = device == current || older;
    return older ? 0 : error;
#else
    cudaEvent_t event;
    int error = told(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    if (error != 0) {
        return error;
    }
    const int recorded = told(cudaEventRecord(event, stream));
    *yes = recorded != cudaErrorInvalidResourceHandle;
    error = told(cudaEventDestroy(event));
    return recorded != 0 && *yes ? recorded : error;
#endif
}

/* A stream that is being captured cannot be asked: drivers refuse it, and an event would be in its graph. */
static int stream_here(hx_stream stream, bool *yes)
{
    uint64_t number = 0;
    const int error = capture(stream, &number);
    *yes = true;
    return error != 0 || number != 0 ? error : stream_device_is_current(stream, yes);
}

static cudaEvent_t of_cuda(hx_device_event *event)
{
    return (cudaEvent_t)event;
}

static int event_open(hx_device_event **event)
{
    cudaEvent_t made;
    const int error = told(cudaEventCreateWithFlags(&made, cudaEventDisableTiming));
    if (error == 0) {
        *event = (hx_device_event *)made;
    }
    return error;
}

static int event_close(hx_device_event *event)
{
    return told(cudaEventDestroy(of_cuda(event)));
}

static int event_record(hx_device_event *event, hx_stream stream)
{
    return told(cudaEventRecord(of_cuda(event), stream));
}

static int event_wait(hx_device_event *event, hx_stream stream)
{
    return told(cudaStreamWaitEvent(stream, of_cuda(event), 0));
}

/*
 * A question ends a capture that is under way, be it another thread's, unless whoever asks is relaxed about
 * it; libhx asks in any of its calls, about events that no capture has.
 */
static int event_done(hx_device_event *event, bool *done)
{
    enum cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
    int error = told(cudaThreadExchangeStreamCaptureMode(&mode));
    if (error != 0) {
        return error;
    }
    const int answer = told(cudaEventQuery(of_cuda(event)));
    error = told(cudaThreadExchangeStreamCaptureMode(&mode));
    if (answer != cudaSuccess && answer != cudaErrorNotReady) {
        return answer;
    }
    *done = answer == cudaSuccess;
    return error;
}

const hx_device hx_cuda_device = {
    .abi = HX_CUDA_ABI,
    .text = error_text,
    .count = device_count,
    .current = current_device,
    .use = use_device,
    .place = place_of,
    .get = get_memory,
    .free = free_memory,
    .mapped = mapped,
    .copy = copy,
    .zero = zero,
    .stream_open = stream_open,
    .stream_close = stream_close,
    .stream_here = stream_here,
    .event_open = event_open,
    .event_close = event_close,
    .event_record = event_record,
    .event_wait = event_wait,
    .event_done = event_done,
    .capture = capture,
    .export_memory = export_memory,
    .open_memory = open_memory,
    .close_memory = close_memory,
    .about = about,
};
