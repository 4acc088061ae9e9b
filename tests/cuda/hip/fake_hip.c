/*
 * HIP's calls on the fake device: each is CUDA's of the same meaning, but for what is said of it.
 */
#include "fake/cuda_runtime_api.h"

#include <hip/hip_runtime_api.h>

#include <string.h>

static cudaStream_t stream_of(hipStream_t stream)
{
    return (cudaStream_t)(void *)stream;
}

static cudaEvent_t event_of(hipEvent_t event)
{
    return (cudaEvent_t)(void *)event;
}

const char *hipGetErrorString(hipError_t error)
{
    return cudaGetErrorString((cudaError_t)error);
}

hipError_t hipGetLastError(void)
{
    return (hipError_t)cudaGetLastError();
}

hipError_t hipPeekAtLastError(void)
{
    return (hipError_t)cudaPeekAtLastError();
}

hipError_t hipGetDeviceCount(int *count)
{
    return (hipError_t)cudaGetDeviceCount(count);
}

hipError_t hipGetDevice(int *device)
{
    return (hipError_t)cudaGetDevice(device);
}

hipError_t hipSetDevice(int device)
{
    return (hipError_t)cudaSetDevice(device);
}

hipError_t hipDeviceGetName(char *name, int bytes, hipDevice_t device)
{
    struct cudaDeviceProp properties;
    const cudaError_t error = cudaGetDeviceProperties(&properties, device);
    if (error == cudaSuccess) {
        memset(name, 0, (size_t)bytes);
        memcpy(name, properties.name, strnlen(properties.name, (size_t)bytes - 1));
    }
    return (hipError_t)error;
}

hipError_t hipDeviceGetUuid(hipUUID *uuid, hipDevice_t device)
{
    struct cudaDeviceProp properties;
    const cudaError_t error = cudaGetDeviceProperties(&properties, device);
    if (error == cudaSuccess) {
        memcpy(uuid->bytes, properties.uuid.bytes, sizeof uuid->bytes);
    }
    return (hipError_t)error;
}

hipError_t hipMalloc(void **memory, size_t bytes)
{
    return (hipError_t)cudaMalloc(memory, bytes);
}

hipError_t hipFree(void *memory)
{
    return (hipError_t)cudaFree(memory);
}

hipError_t hipHostMalloc(void **memory, size_t bytes, unsigned flags)
{
    return (hipError_t)cudaHostAlloc(memory, bytes, flags);
}

hipError_t hipHostFree(void *memory)
{
    return (hipError_t)cudaFreeHost(memory);
}

hipError_t hipHostGetDevicePointer(void **address, void *pinned, unsigned flags)
{
    return (hipError_t)cudaHostGetDevicePointer(address, pinned, flags);
}

/* Of memory that it does not know HIP says that the pointer is wrong. */
hipError_t hipPointerGetAttributes(hipPointerAttribute_t *about, const void *pointer)
{
    struct cudaPointerAttributes found;
    const cudaError_t error = cudaPointerGetAttributes(&found, pointer);
    if (error != cudaSuccess) {
        return (hipError_t)error;
    }
    about->isManaged = found.type == cudaMemoryTypeManaged;
    about->memoryType = found.type == cudaMemoryTypeHost ? hipMemoryTypeHost : hipMemoryTypeDevice;
    about->device = found.device;
    about->devicePointer = found.devicePointer;
    about->hostPointer = found.hostPointer;
    about->allocationFlags = 0;
    return found.type == cudaMemoryTypeUnregistered ? hipErrorInvalidValue : hipSuccess;
}

hipError_t hipIpcGetMemHandle(hipIpcMemHandle_t *handle, void *memory)
{
    cudaIpcMemHandle_t made;
    const cudaError_t error = cudaIpcGetMemHandle(&made, memory);
    _Static_assert(sizeof made == sizeof *handle, "handles are as large as CUDA's");
    memcpy(handle, &made, sizeof made);
    return (hipError_t)error;
}

hipError_t hipIpcOpenMemHandle(void **memory, hipIpcMemHandle_t handle, unsigned flags)
{
    cudaIpcMemHandle_t made;
    memcpy(&made, &handle, sizeof made);
    return (hipError_t)cudaIpcOpenMemHandle(memory, made, flags);
}

hipError_t hipIpcCloseMemHandle(void *memory)
{
    return (hipError_t)cudaIpcCloseMemHandle(memory);
}

hipError_t hipMemcpyAsync(void *to, const void *from, size_t bytes, hipMemcpyKind kind, hipStream_t stream)
{
    return (hipError_t)cudaMemcpyAsync(to, from, bytes, (enum cudaMemcpyKind)kind, stream_of(stream));
}

hipError_t hipMemsetAsync(void *memory, int value, size_t bytes, hipStream_t stream)
{
    return (hipError_t)cudaMemsetAsync(memory, value, bytes, stream_of(stream));
}

hipError_t hipDeviceGetStreamPriorityRange(int *least, int *greatest)
{
    return (hipError_t)cudaDeviceGetStreamPriorityRange(least, greatest);
}

hipError_t hipStreamCreateWithPriority(hipStream_t *stream, unsigned flags, int priority)
{
    return (hipError_t)cudaStreamCreateWithPriority((cudaStream_t *)(void *)stream, flags, priority);
}

hipError_t hipStreamDestroy(hipStream_t stream)
{
    return (hipError_t)cudaStreamDestroy(stream_of(stream));
}

hipError_t hipStreamIsCapturing(hipStream_t stream, hipStreamCaptureStatus *status)
{
    enum cudaStreamCaptureStatus found = cudaStreamCaptureStatusNone;
    const cudaError_t error = cudaStreamIsCapturing(stream_of(stream), &found);
    *status = (hipStreamCaptureStatus)found;
    return (hipError_t)error;
}

/* Older HIP refuses the default stream. */
hipError_t hipStreamGetCaptureInfo(hipStream_t stream, hipStreamCaptureStatus *status,
                                   unsigned long long *number)
{
    enum cudaStreamCaptureStatus found = cudaStreamCaptureStatusNone;
    if (!stream) {
        return hipErrorInvalidValue;
    }
    const cudaError_t error =
        cudaStreamGetCaptureInfo(stream_of(stream), &found, number, NULL, NULL, NULL, NULL);
    *status = (hipStreamCaptureStatus)found;
    return (hipError_t)error;
}

hipError_t hipThreadExchangeStreamCaptureMode(hipStreamCaptureMode *mode)
{
    enum cudaStreamCaptureMode exchanged = (enum cudaStreamCaptureMode) * mode;
    const cudaError_t error = cudaThreadExchangeStreamCaptureMode(&exchanged);
    *mode = (hipStreamCaptureMode)exchanged;
    return (hipError_t)error;
}

hipError_t hipStreamWaitEvent(hipStream_t stream, hipEvent_t event, unsigned flags)
{
    return (hipError_t)cudaStreamWaitEvent(stream_of(stream), event_of(event), flags);
}

hipError_t hipEventCreateWithFlags(hipEvent_t *event, unsigned flags)
{
    return (hipError_t)cudaEventCreateWithFlags((cudaEvent_t *)(void *)event, flags);
}

hipError_t hipEventDestroy(hipEvent_t event)
{
    return (hipError_t)cudaEventDestroy(event_of(event));
}

hipError_t hipEventRecord(hipEvent_t event, hipStream_t stream)
{
    return (hipError_t)cudaEventRecord(event_of(event), stream_of(stream));
}

hipError_t hipEventQuery(hipEvent_t event)
{
    return (hipError_t)cudaEventQuery(event_of(event));
}
