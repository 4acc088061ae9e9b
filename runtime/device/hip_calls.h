/*
 * CUDA's names for HIP's calls, for device_cuda.c with -DHX_HIP: what is alike is renamed, and what is not has
 * a function here.  Tests compile it, and run it on the fake device; it has run on no GPU of AMD.
 */
#ifndef HX_HIP_CALLS_H
#define HX_HIP_CALLS_H

#include <hip/hip_runtime_api.h>

#include <hx/cuda.h>

enum cudaMemoryType {
    cudaMemoryTypeUnregistered,
    cudaMemoryTypeHost,
    cudaMemoryTypeDevice,
    cudaMemoryTypeManaged
};

struct cudaPointerAttributes {
    enum cudaMemoryType type;
    int device;
    void *devicePointer;
};

#if HIP_VERSION_MAJOR >= 6
#define HX_HIP_TYPE(found) ((found)->type)
#else
#define HX_HIP_TYPE(found) ((found)->memoryType)
#endif

/* Of memory that HIP does not know it says that the pointer is wrong. */
static inline hipError_t cudaPointerGetAttributes(struct cudaPointerAttributes *about, const void *pointer)
{
    hipPointerAttribute_t found;
    const hipError_t error = hipPointerGetAttributes(&found, pointer);
    *about = (struct cudaPointerAttributes){.type = cudaMemoryTypeUnregistered, .device = -1};
    if (error == hipErrorInvalidValue) {
        (void)hipGetLastError();
        return hipSuccess;
    }
    if (error == hipSuccess) {
        about->type = found.isManaged                              ? cudaMemoryTypeManaged
                      : HX_HIP_TYPE(&found) == hipMemoryTypeDevice ? cudaMemoryTypeDevice
                      : HX_HIP_TYPE(&found) == hipMemoryTypeHost   ? cudaMemoryTypeHost
                                                                   : cudaMemoryTypeUnregistered;
        about->device = found.device;
        about->devicePointer = found.devicePointer;
    }
    return error;
}

/* Of its properties those that libhx looks at. */
struct cudaDeviceProp {
    char name[256];
    hipUUID uuid;
};

static inline hipError_t cudaGetDeviceProperties(struct cudaDeviceProp *properties, int device)
{
    const hipError_t error = hipDeviceGetName(properties->name, (int)sizeof properties->name, device);
    return error == hipSuccess ? hipDeviceGetUuid(&properties->uuid, device) : error;
}

/* Both are pointers to what nobody looks into; libhx has CUDA's name for it. */
static inline hipStream_t hxi_hip_stream(hx_stream stream)
{
    return (hipStream_t)(void *)stream;
}

#define CUDART_VERSION                      0 /* what CUDA has since 12.8 HIP may lack */
#define cudaError_t                         hipError_t
#define cudaSuccess                         hipSuccess
#define cudaErrorInvalidValue               hipErrorInvalidValue
#define cudaErrorNotReady                   hipErrorNotReady
#define cudaErrorInvalidResourceHandle      hipErrorInvalidHandle
#define cudaGetErrorString                  hipGetErrorString
#define cudaGetLastError                    hipGetLastError
#define cudaPeekAtLastError                 hipPeekAtLastError
#define cudaGetDeviceCount                  hipGetDeviceCount
#define cudaGetDevice                       hipGetDevice
#define cudaSetDevice                       hipSetDevice
#define cudaMalloc                          hipMalloc
#define cudaFree                            hipFree
#define cudaHostAlloc                       hipHostMalloc
#define cudaHostAllocPortable               hipHostMallocPortable
#define cudaHostAllocMapped                 hipHostMallocMapped
#define cudaFreeHost                        hipHostFree
#define cudaHostGetDevicePointer            hipHostGetDevicePointer
#define cudaMemcpyDefault                   hipMemcpyDefault
#define cudaIpcMemHandle_t                  hipIpcMemHandle_t
#define cudaIpcGetMemHandle                 hipIpcGetMemHandle
#define cudaIpcOpenMemHandle                hipIpcOpenMemHandle
#define cudaIpcCloseMemHandle               hipIpcCloseMemHandle
#define cudaIpcMemLazyEnablePeerAccess      hipIpcMemLazyEnablePeerAccess
#define cudaEvent_t                         hipEvent_t
#define cudaEventDisableTiming              hipEventDisableTiming
#define cudaEventCreateWithFlags            hipEventCreateWithFlags
#define cudaEventDestroy                    hipEventDestroy
#define cudaEventQuery                      hipEventQuery
#define cudaStreamNonBlocking               hipStreamNonBlocking
#define cudaStreamCaptureStatus             hipStreamCaptureStatus
#define cudaStreamCaptureStatusNone         hipStreamCaptureStatusNone
#define cudaStreamCaptureStatusActive       hipStreamCaptureStatusActive
#define cudaStreamCaptureMode               hipStreamCaptureMode
#define cudaStreamCaptureModeRelaxed        hipStreamCaptureModeRelaxed
#define cudaDeviceGetStreamPriorityRange    hipDeviceGetStreamPriorityRange
#define cudaThreadExchangeStreamCaptureMode hipThreadExchangeStreamCaptureMode

#define cudaMemcpyAsync(to, from, bytes, kind, stream)                                                       \
    hipMemcpyAsync(to, from, bytes, kind, hxi_hip_stream(stream))
#define cudaMemsetAsync(memory, value, bytes, stream)                                                        \
    hipMemsetAsync(memory, value, bytes, hxi_hip_stream(stream))
#define cudaStreamCreateWithPriority(stream, flags, priority)                                                \
    hipStreamCreateWithPriority((hipStream_t *)(void *)(stream), flags, priority)
#define cudaStreamDestroy(stream)             hipStreamDestroy(hxi_hip_stream(stream))
#define cudaStreamIsCapturing(stream, status) hipStreamIsCapturing(hxi_hip_stream(stream), status)
#define cudaStreamGetCaptureInfo_v2(stream, status, number, graph, nodes, count)                             \
    hipStreamGetCaptureInfo(hxi_hip_stream(stream), status, number)
#define cudaStreamWaitEvent(stream, event, flags) hipStreamWaitEvent(hxi_hip_stream(stream), event, flags)
#define cudaEventRecord(event, stream)            hipEventRecord(event, hxi_hip_stream(stream))

#endif
