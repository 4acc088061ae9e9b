/*
 * The fake device: errors, how many devices there are, and what has been given back at the end.
 */
#include "parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local cudaError_t last_error;
static _Thread_local int current;
static int devices = 1;
static long calls[FAKE_MOST_DEVICES]; /* by the device that was current */
static long failing;                  /* calls until one fails; 0: none will */
static cudaError_t ended;             /* what all calls say since the device has ended */
static bool mild;
static bool looking; /* the call that has the fake only looks */
static fake_object *objects;

_Noreturn void fake_die(const char *why)
{
    fprintf(stderr, "fake device: %s\n", why);
    abort();
}

void *fake_allocate(size_t bytes)
{
    void *memory = calloc(1, bytes);
    if (!memory) {
        fake_die("no memory for the fake itself");
    }
    return memory;
}

/* ---- calls ----------------------------------------------------------------------------------- */

static cudaError_t enter(bool to_look)
{
    pthread_mutex_lock(&lock);
    looking = to_look && mild;
    if (devices == FAKE_NO_DRIVER) {
        return cudaErrorInsufficientDriver;
    }
    if (devices == 0) {
        return cudaErrorNoDevice;
    }
    ++calls[current];
    if (failing > 0 && --failing == 0) {
        return cudaErrorUnknown;
    }
    fake_move_on();
    return looking ? cudaSuccess : ended;
}

cudaError_t fake_enter(void)
{
    return enter(false);
}

cudaError_t fake_enter_to_look(void)
{
    return enter(true);
}

cudaError_t fake_leave(cudaError_t error)
{
    if (error == cudaSuccess && !looking) {
        error = ended;
    }
    if (error != cudaSuccess) {
        last_error = error;
    }
    fake_reap();
    pthread_mutex_unlock(&lock);
    return error;
}

static cudaError_t fault = cudaErrorIllegalAddress;

void fake_set_fault(cudaError_t error, bool wanted)
{
    fault = error;
    mild = wanted;
}

void fake_end_device(cudaError_t error)
{
    ended = error;
}

bool fake_ended(void)
{
    return ended != cudaSuccess;
}

bool fake_revive(void)
{
    fake_forget();
    ended = cudaSuccess;
    last_error = cudaSuccess;
    return true;
}

static void end(const void *payload)
{
    (void)payload;
    fake_end_device(fault);
}

cudaError_t fake_fault(cudaStream_t stream)
{
    return fake_launch(end, NULL, 0, stream);
}

void fake_fail(long n)
{
    failing = n;
}

long fake_calls(void)
{
    long sum = 0;
    for (int d = 0; d < FAKE_MOST_DEVICES; ++d) {
        sum += calls[d];
    }
    return sum;
}

long fake_calls_on(int device)
{
    return calls[device];
}

cudaError_t cudaGetLastError(void)
{
    const cudaError_t error = last_error;
    last_error = cudaSuccess;
    return error;
}

cudaError_t cudaPeekAtLastError(void)
{
    return last_error;
}

const char *cudaGetErrorString(cudaError_t error)
{
    switch (error) {
    case cudaSuccess:
        return "no error";
    case cudaErrorInvalidValue:
        return "invalid argument";
    case cudaErrorMemoryAllocation:
        return "out of memory";
    case cudaErrorInsufficientDriver:
        return "CUDA driver version is insufficient for CUDA runtime version";
    case cudaErrorCallRequiresNewerDriver:
        return "API call is not supported in the installed CUDA driver";
    case cudaErrorNoDevice:
        return "no CUDA-capable device is detected";
    case cudaErrorInvalidDevice:
        return "invalid device ordinal";
    case cudaErrorECCUncorrectable:
        return "uncorrectable ECC error encountered";
    case cudaErrorPeerAccessUnsupported:
        return "peer access is not supported between these two devices";
    case cudaErrorInvalidResourceHandle:
        return "invalid resource handle";
    case cudaErrorSymbolNotFound:
        return "named symbol not found";
    case cudaErrorNotReady:
        return "device not ready";
    case cudaErrorIllegalAddress:
        return "an illegal memory access was encountered";
    case cudaErrorHostMemoryAlreadyRegistered:
        return "part or all of the requested memory range is already mapped";
    case cudaErrorHostMemoryNotRegistered:
        return "pointer does not correspond to a registered memory region";
    case cudaErrorLaunchFailure:
        return "unspecified launch failure";
    case cudaErrorStreamCaptureUnsupported:
        return "operation not permitted when stream is capturing";
    case cudaErrorStreamCaptureInvalidated:
        return "operation failed due to a previous error during capture";
    case cudaErrorStreamCaptureIsolation:
        return "dependency created on uncaptured work in another stream";
    case cudaErrorUnknown:
        return "unknown error";
    }
    return "unrecognized error code";
}

/* ---- devices --------------------------------------------------------------------------------- */

void fake_set_devices(int n)
{
    if (n > FAKE_MOST_DEVICES) {
        fake_die("so many devices it cannot be");
    }
    devices = n;
}

int fake_current_device(void)
{
    return current;
}

cudaError_t cudaGetDeviceCount(int *count)
{
    const cudaError_t error = fake_enter_to_look();
    if (error == cudaSuccess) {
        *count = devices;
    }
    return fake_leave(error);
}

cudaError_t cudaGetDevice(int *device)
{
    const cudaError_t error = fake_enter_to_look();
    if (error == cudaSuccess) {
        *device = current;
    }
    return fake_leave(error);
}

cudaError_t cudaSetDevice(int device)
{
    cudaError_t error = fake_enter();
    if (error == cudaSuccess && (device < 0 || device >= devices)) {
        error = cudaErrorInvalidDevice;
    }
    if (error == cudaSuccess) {
        current = device;
    }
    return fake_leave(error);
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *properties, int device)
{
    cudaError_t error = fake_enter();
    if (error == cudaSuccess && (device < 0 || device >= devices)) {
        error = cudaErrorInvalidDevice;
    }
    if (error == cudaSuccess) {
        *properties = (struct cudaDeviceProp){
            .name = "fake device", .totalGlobalMem = (size_t)1 << 30, .multiProcessorCount = 1};
        properties->uuid.bytes[0] = (char)(1 + device);
        fake_name_slice(properties);
    }
    return fake_leave(error);
}

/* Versions are known without a driver, too; that of none is 0. */
cudaError_t cudaDriverGetVersion(int *version)
{
    *version = devices == FAKE_NO_DRIVER ? 0 : CUDART_VERSION;
    return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion(int *version)
{
    *version = CUDART_VERSION;
    return cudaSuccess;
}

cudaError_t cudaDeviceSynchronize(void)
{
    fake_die("cudaDeviceSynchronize waits for streams that are others' concern");
}

/* ---- what has to be given back --------------------------------------------------------------- */

void fake_add(fake_object *object, fake_kind kind)
{
    *object = (fake_object){.kind = kind, .next = objects};
    objects = object;
}

void fake_remove(fake_object *object)
{
    fake_object **at = &objects;
    while (*at != object) {
        at = &(*at)->next;
    }
    *at = object->next;
}

bool fake_is(const void *handle, fake_kind kind)
{
    const fake_object *at = objects;
    while (at && ((const void *)at != handle || at->kind != kind)) {
        at = at->next;
    }
    return at != NULL;
}

fake_object *fake_first(void)
{
    return objects;
}

void fake_forget(void)
{
    for (fake_object *at = objects; at; at = at->next) {
        at->forgotten = true;
    }
}

long fake_left(void)
{
    long left = 0;
    for (const fake_object *at = objects; at; at = at->next) {
        left += !at->forgotten;
    }
    return left;
}

/* Nothing can be given back to a device that has ended. */
__attribute__((destructor)) static void report(void)
{
    static const char *const names[FAKE_KINDS] = {[FAKE_MEMORY] = "memory",
                                                  [FAKE_PIECE] = "piece",
                                                  [FAKE_STREAM] = "stream",
                                                  [FAKE_EVENT] = "event",
                                                  [FAKE_GRAPH] = "graph"};
    if (fake_ended() || fake_left() == 0) {
        return;
    }
    fprintf(stderr, "fake device: not given back:");
    for (const fake_object *at = objects; at; at = at->next) {
        if (!at->forgotten) {
            fprintf(stderr, " %s", names[at->kind]);
        }
    }
    fprintf(stderr, "\n");
    _exit(EXIT_FAILURE);
}

__attribute__((constructor)) static void read_environment(void)
{
    const char *text = getenv("FAKE_CUDA_DEVICES");
    if (text) {
        fake_set_devices(strcmp(text, "none") == 0 ? FAKE_NO_DRIVER : atoi(text));
    }
    text = getenv("FAKE_CUDA_PEERS");
    fake_set_peers(!text || strcmp(text, "0") != 0);
    text = getenv("FAKE_CUDA_HOST_ACCESS");
    fake_set_host_access(text && strcmp(text, "1") == 0);
    text = getenv("FAKE_CUDA_ORDER");
    if (text && strcmp(text, "eager") != 0) {
        const bool lazy = strcmp(text, "lazy") == 0;
        fake_set_order(lazy ? FAKE_LAZY : FAKE_SHUFFLED, lazy ? 0 : (unsigned)strtoul(text, NULL, 10));
    }
}
