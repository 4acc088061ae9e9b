/*
 * As much of HIP's interface as libhx calls, where there are no headers of HIP.  Names, values and meanings are HIP's,
 * those of version 5; fake_hip.c does it on the fake device.
 */
#ifndef HIP_RUNTIME_API_H
#define HIP_RUNTIME_API_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define HIP_VERSION_MAJOR 5

typedef enum hipError_t {
    hipSuccess = 0,
    hipErrorInvalidValue = 1,
    hipErrorInvalidHandle = 400,
    hipErrorNotReady = 600
} hipError_t;

typedef struct ihipStream_t *hipStream_t;
typedef struct ihipEvent_t *hipEvent_t;

typedef struct hipIpcMemHandle_st {
    char reserved[64];
} hipIpcMemHandle_t;

typedef int hipDevice_t;
typedef struct hipUUID_t {
    char bytes[16];
} hipUUID;

enum hipMemoryType { hipMemoryTypeHost, hipMemoryTypeDevice };
typedef enum hipMemcpyKind { hipMemcpyDefault = 4 } hipMemcpyKind;

typedef struct hipPointerAttribute_t {
    enum hipMemoryType memoryType;
    int device;
    void *devicePointer;
    void *hostPointer;
    int isManaged;
    unsigned allocationFlags;
} hipPointerAttribute_t;

typedef enum hipStreamCaptureStatus {
    hipStreamCaptureStatusNone,
    hipStreamCaptureStatusActive
} hipStreamCaptureStatus;
typedef enum hipStreamCaptureMode { hipStreamCaptureModeRelaxed = 2 } hipStreamCaptureMode;

#define hipHostMallocPortable         1
#define hipHostMallocMapped           2
#define hipIpcMemLazyEnablePeerAccess 1
#define hipEventDisableTiming         2
#define hipStreamNonBlocking          1

const char *hipGetErrorString(hipError_t error);
hipError_t hipGetLastError(void);
hipError_t hipPeekAtLastError(void);
hipError_t hipGetDeviceCount(int *count);
hipError_t hipGetDevice(int *device);
hipError_t hipSetDevice(int device);
hipError_t hipDeviceGetName(char *name, int bytes, hipDevice_t device);
hipError_t hipDeviceGetUuid(hipUUID *uuid, hipDevice_t device);
hipError_t hipMalloc(void **memory, size_t bytes);
hipError_t hipFree(void *memory);
hipError_t hipHostMalloc(void **memory, size_t bytes, unsigned flags);
hipError_t hipHostFree(void *memory);
hipError_t hipHostGetDevicePointer(void **address, void *pinned, unsigned flags);
hipError_t hipPointerGetAttributes(hipPointerAttribute_t *about, const void *pointer);
hipError_t hipIpcGetMemHandle(hipIpcMemHandle_t *handle, void *memory);
hipError_t hipIpcOpenMemHandle(void **memory, hipIpcMemHandle_t handle, unsigned flags);
hipError_t hipIpcCloseMemHandle(void *memory);
hipError_t hipMemcpyAsync(void *to, const void *from, size_t bytes, hipMemcpyKind kind, hipStream_t stream);
hipError_t hipMemsetAsync(void *memory, int value, size_t bytes, hipStream_t stream);
hipError_t hipDeviceGetStreamPriorityRange(int *least, int *greatest);
hipError_t hipStreamCreateWithPriority(hipStream_t *stream, unsigned flags, int priority);
hipError_t hipStreamDestroy(hipStream_t stream);
hipError_t hipStreamIsCapturing(hipStream_t stream, hipStreamCaptureStatus *status);
hipError_t hipStreamGetCaptureInfo(hipStream_t stream, hipStreamCaptureStatus *status,
                                   unsigned long long *number);
hipError_t hipThreadExchangeStreamCaptureMode(hipStreamCaptureMode *mode);
hipError_t hipStreamWaitEvent(hipStream_t stream, hipEvent_t event, unsigned flags);
hipError_t hipEventCreateWithFlags(hipEvent_t *event, unsigned flags);
hipError_t hipEventDestroy(hipEvent_t event);
hipError_t hipEventRecord(hipEvent_t event, hipStream_t stream);
hipError_t hipEventQuery(hipEvent_t event);

#ifdef __cplusplus
}
#endif
#endif
