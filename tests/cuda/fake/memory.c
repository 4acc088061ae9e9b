/*
 * Memory of the fake device.  What a device has are files of the system without a name, which other processes
 * can open, mapped between two pages that nobody can touch; nobody can touch it, either, while no kernel or
 * copy runs.  The rest is memory of the process, for the address sanitizer to look after.
 */
#define _GNU_SOURCE /* memfd_create; */

#include "parts.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(memory, bytes)   ((void)(memory), (void)(bytes))
#define ASAN_UNPOISON_MEMORY_REGION(memory, bytes) ((void)(memory), (void)(bytes))
#endif

/* What new memory has in it, so that nothing relies on zeros. */
enum { FAKE_GARBAGE = 0xf7 };

/* The first page of the file of a device's memory, which kernels do not see. */
struct shared_page {
    atomic_int opened; /* by other processes */
};

/* What cudaIpcMemHandle_t has in it. */
struct token {
    pid_t process;
    int file;
    int device;
    int slice;
    size_t bytes;
};

/* Of devices, which all have it or none. */
static bool strangers; /* they cannot reach each other's memory */
static bool apart;     /* they see registered memory at other addresses than the host does */
static int slice;      /* this process sees this slice of the one device that there is */
static const size_t ASIDE = (size_t)1 << 46; /* between these addresses */

void fake_set_peers(bool reach)
{
    strangers = !reach;
}

bool fake_set_registered_apart(bool wanted)
{
    apart = wanted;
    return wanted;
}

void fake_set_slice(int number)
{
    slice = number;
}

void fake_name_slice(struct cudaDeviceProp *properties)
{
    if (slice > 0) {
        snprintf(properties->name, sizeof properties->name, "fake device MIG 1g");
        properties->uuid.bytes[1] = (char)slice;
    }
}

_Static_assert(sizeof(struct token) <= sizeof(cudaIpcMemHandle_t), "a handle has room for it");

static size_t page_size(void)
{
    return (size_t)sysconf(_SC_PAGESIZE);
}

fake_memory *fake_memory_at(const void *pointer)
{
    for (fake_object *at = fake_first(); at; at = at->next) {
        fake_memory *memory = (fake_memory *)at;
        if (at->kind == FAKE_MEMORY && (const char *)pointer >= memory->base &&
            (const char *)pointer < memory->base + memory->bytes) {
            return memory;
        }
    }
    return NULL;
}

static fake_memory *remember(enum cudaMemoryType type, void *base, size_t bytes)
{
    fake_memory *made = fake_allocate(sizeof *made);
    made->type = type;
    made->device = fake_current_device();
    made->base = base;
    made->bytes = bytes;
    made->file = -1;
    fake_add(&made->object, FAKE_MEMORY);
    return made;
}

/* ---- who may touch it ------------------------------------------------------------------------ */

static bool open_to_host;

static void protect(const fake_memory *memory, int protection)
{
    if (mprotect(memory->base, memory->mapped, open_to_host ? PROT_READ | PROT_WRITE : protection) != 0) {
        fake_die("memory cannot be protected");
    }
}

void fake_uncover(int device)
{
    for (fake_object *at = fake_first(); at; at = at->next) {
        const fake_memory *memory = (const fake_memory *)at;
        if (at->kind == FAKE_MEMORY && memory->type == cudaMemoryTypeDevice && !memory->closed &&
            (device < 0 || memory->opened || memory->device == device)) {
            protect(memory, PROT_READ | PROT_WRITE);
        }
    }
}

void fake_cover(void)
{
    for (fake_object *at = fake_first(); at; at = at->next) {
        const fake_memory *memory = (const fake_memory *)at;
        if (at->kind == FAKE_MEMORY && memory->type == cudaMemoryTypeDevice) {
            protect(memory, PROT_NONE);
        }
    }
}

bool fake_set_host_access(bool open)
{
    open_to_host = open;
    fake_cover();
    return open;
}

bool fake_pageable(const void *pointer)
{
    return fake_memory_at(pointer) == NULL;
}

/* ---- memory of devices ----------------------------------------------------------------------- */

/* A file, of a page and the memory, where it is to be seen; NULL if the system has not so much. */
static fake_memory *map_file(int file, size_t bytes)
{
    const size_t page = page_size();
    const size_t mapped = (bytes + page - 1) / page * page;
    void *shared = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    char *space =
        mmap(NULL, mapped + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (shared == MAP_FAILED || space == MAP_FAILED ||
        mmap(space + page, mapped, PROT_NONE, MAP_SHARED | MAP_FIXED, file, (off_t)page) == MAP_FAILED) {
        return NULL;
    }
    fake_memory *made = remember(cudaMemoryTypeDevice, space + page, bytes);
    made->file = file;
    made->mapped = mapped;
    made->shared = shared;
    ASAN_POISON_MEMORY_REGION(made->base + bytes, mapped - bytes);
    return made;
}

void fake_unmap(fake_memory *memory)
{
    const size_t page = page_size();
    ASAN_UNPOISON_MEMORY_REGION(memory->base, memory->mapped);
    munmap(memory->base - page, memory->mapped + 2 * page);
    munmap(memory->shared, page);
    close(memory->file);
    fake_remove(&memory->object);
    free(memory);
}

cudaError_t fake_get_device_memory(size_t bytes, fake_memory **memory)
{
    const size_t page = page_size();
    const int file = memfd_create("fake device", MFD_CLOEXEC);
    if (file < 0 || ftruncate(file, (off_t)(bytes + 2 * page)) != 0) {
        close(file);
        return cudaErrorMemoryAllocation;
    }
    fake_memory *made = map_file(file, bytes);
    if (!made) {
        close(file);
        return cudaErrorMemoryAllocation;
    }
    protect(made, PROT_READ | PROT_WRITE);
    memset(made->base, FAKE_GARBAGE, bytes);
    protect(made, PROT_NONE);
    *memory = made;
    return cudaSuccess;
}

static cudaError_t get_device_memory(void **memory, size_t bytes, bool pooled)
{
    fake_memory *made = NULL;
    const cudaError_t error = fake_get_device_memory(bytes, &made);
    if (error == cudaSuccess) {
        made->pooled = pooled;
        *memory = made->base;
    }
    return error;
}

cudaError_t cudaMalloc(void **memory, size_t bytes)
{
    cudaError_t error = fake_enter();
    if (error == cudaSuccess) {
        error = fake_forbidden();
    }
    if (error == cudaSuccess) {
        *memory = NULL;
        error = bytes == 0 ? cudaSuccess : get_device_memory(memory, bytes, false);
    }
    return fake_leave(error);
}

/* It is there at once, which streams cannot tell. */
cudaError_t cudaMallocAsync(void **memory, size_t bytes, cudaStream_t handle)
{
    cudaError_t error = fake_enter();
    if (error == cudaSuccess && !fake_stream(handle)) {
        error = cudaErrorInvalidResourceHandle;
    }
    if (error == cudaSuccess) {
        *memory = NULL;
        error = bytes == 0 ? cudaSuccess : get_device_memory(memory, bytes, true);
    }
    return fake_leave(error);
}

static void free_pooled(const void *payload)
{
    void *pointer;
    memcpy(&pointer, payload, sizeof pointer);
    fake_unmap(fake_memory_at(pointer));
}

cudaError_t cudaFreeAsync(void *pointer, cudaStream_t handle)
{
    cudaError_t error = fake_enter();
    if (error == cudaSuccess) {
        const fake_memory *memory = fake_memory_at(pointer);
        struct CUstream_st *stream = fake_stream(handle);
        if (memory && memory->base == pointer && memory->pooled && stream) {
            fake_operation *operation = fake_operation_new(FAKE_RUN, &pointer, sizeof pointer);
            operation->kernel = free_pooled;
            fake_put(stream, operation);
        } else {
            error = cudaErrorInvalidValue;
        }
    }
    return fake_leave(error);
}

/* ---- memory of the host ---------------------------------------------------------------------- */

static cudaError_t get_host_memory(enum cudaMemoryType type, void **memory, size_t bytes)
{
    cudaError_t error = fake_enter();
    if (error == cudaSuccess) {
        error = fake_forbidden();
    }
    if (error == cudaSuccess && posix_memalign(memory, 256, bytes) != 0) {
        error = cudaErrorMemoryAllocation;
    }
    if (error == cudaSuccess) {
        memset(*memory, FAKE_GARBAGE, bytes);
        remember(type, *memory, bytes);
    }
    return fake_leave(error);
}

cudaError_t cudaMallocManaged(void **memory, size_t bytes, unsigned flags)
{
    return flags == cudaMemAttachGlobal ? get_host_memory(cudaMemoryTypeManaged, memory, bytes)
                                        : cudaErrorInvalidValue;
}

cudaError_t cudaHostAlloc(void **memory, size_t bytes, unsigned flags)
{
    (void)flags; /* memory is mapped, and for all devices, whatever they say */
    return get_host_memory(cudaMemoryTypeHost, memory, bytes);
}

cudaError_t cudaMallocHost(void **memory, size_t bytes)
{
    return get_host_memory(cudaMemoryTypeHost, memory, bytes);
}

/* Where the current device finds it; NULL: it does not. */
static void *device_address(const fake_memory *memory, const void *pointer)
{
    char *same = (char *)(size_t)pointer;
    if (!memory || memory->closed) {
        return NULL;
    }
    if (memory->type == cudaMemoryTypeDevice) {
        return memory->opened || memory->device == fake_current_device() ? same : NULL;
    }
    return memory->registered && apart ? same + ASIDE : same;
}

cudaError_t cudaHostGetDevicePointer(void **address, void *pinned, unsigned flags)
{
    cudaError_t error = fake_enter();
    if (error == cudaSuccess) {
        const fake_memory *memory = fake_memory_at(pinned);
        if (memory && memory->type == cudaMemoryTypeHost && flags == 0) {
            *address = device_address(memory, pinned);
        } else {
            error = cudaErrorInvalidValue;
        }
    }
    return fake_leave(error);
}

/* Flags say nothing where all pointers are in one space. */
cudaError_t cudaHostRegister(void *pointer, size_t bytes, unsigned flags)
{
    (void)flags;
    cudaError_t error = fake_enter();
    if (error == cudaSuccess && (!pointer || bytes == 0)) {
        error = cudaErrorInvalidValue;
    }
    if (error == cudaSuccess && fake_memory_at(pointer)) {
        error = cudaErrorHostMemoryAlreadyRegistered;
    }
    if (error == cudaSuccess) {
        remember(cudaMemoryTypeHost, pointer, bytes)->registered = true;
    }
    return fake_leave(error);
}

cudaError_t cudaHostUnregister(void *pointer)
{
    cudaError_t error = fake_enter();
    if (error == cudaSuccess) {
        error = fake_forbidden();
    }
    if (error == cudaSuccess) {
        fake_memory *memory = fake_memory_at(pointer);
        if (memory && memory->base == pointer && memory->registered) {
            fake_finish_all();
            fake_remove(&memory->object);
            free(memory);
        } else {
            error = cudaErrorHostMemoryNotRegistered;
        }
    }
    return fake_leave(error);
}

/* ---- giving it back -------------------------------------------------------------------------- */

/* Who frees memory waits for all that streams have to do. */
static cudaError_t give_back(void *pointer, bool pinned)
{
    fake_memory *memory = fake_memory_at(pointer);
    if (!memory || memory->base != pointer || memory->opened || memory->reserved || memory->registered ||
        (memory->type == cudaMemoryTypeHost) != pinned) {
        return cudaErrorInvalidValue;
    }
    fake_finish_all();
    if (memory->type != cudaMemoryTypeDevice) {
        fake_remove(&memory->object);
        free(memory->base);
        free(memory);
        return cudaSuccess;
    }
    if (atomic_load(&memory->shared->opened) > 0) {
        fake_die("memory is freed that another process has opened");
    }
    fake_unmap(memory);
    return cudaSuccess;
}

static cudaError_t free_memory(void *pointer, bool pinned)
{
    cudaError_t error = fake_enter();
    if (error == cudaSuccess) {
        error = fake_forbidden();
    }
    if (error == cudaSuccess && pointer) {
        error = give_back(pointer, pinned);
    }
    return fake_leave(error);
}

cudaError_t cudaFree(void *memory)
{
    return free_memory(memory, false);
}

cudaError_t cudaFreeHost(void *memory)
{
    return free_memory(memory, true);
}

/* It has as much as the system gives. */
cudaError_t cudaMemGetInfo(size_t *vacant, size_t *total)
{
    const cudaError_t error = fake_enter();
    if (error == cudaSuccess) {
        *total = (size_t)1 << 30;
        *vacant = *total;
    }
    return fake_leave(error);
}

/* ---- what a pointer is ----------------------------------------------------------------------- */

cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes, const void *pointer)
{
    const cudaError_t error = fake_enter_to_look();
    if (error == cudaSuccess) {
        const fake_memory *memory = fake_memory_at(pointer);
        const bool host = !memory || memory->type != cudaMemoryTypeDevice;
        *attributes = (struct cudaPointerAttributes){
            .type = memory ? memory->type : cudaMemoryTypeUnregistered,
            .device = memory ? memory->device : -2,
            .devicePointer = device_address(memory, pointer),
            .hostPointer = host ? (void *)(size_t)pointer : NULL,
        };
    }
    return fake_leave(error);
}

/* ---- memory of other processes --------------------------------------------------------------- */

/* Pools and pieces that are mapped have handles of other kinds. */
static bool is_shown(const fake_memory *memory)
{
    return memory->type == cudaMemoryTypeDevice && !memory->opened && !memory->pooled && !memory->reserved;
}

cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t *handle, void *pointer)
{
    cudaError_t error = fake_enter();
    if (error == cudaSuccess) {
        const fake_memory *memory = fake_memory_at(pointer);
        if (memory && memory->base == pointer && is_shown(memory)) {
            const struct token token = {.process = getpid(),
                                        .file = memory->file,
                                        .device = memory->device,
                                        .slice = slice,
                                        .bytes = memory->bytes};
            memset(handle, 0, sizeof *handle);
            memcpy(handle, &token, sizeof token);
        } else {
            error = cudaErrorInvalidValue;
        }
    }
    return fake_leave(error);
}

static cudaError_t open_memory(void **pointer, const struct token *token)
{
    char name[64];
    if (token->slice != slice) {
        return cudaErrorInvalidValue; /* slices of a device have nothing to do with each other */
    }
    if (strangers && token->device != fake_current_device()) {
        return cudaErrorPeerAccessUnsupported;
    }
    snprintf(name, sizeof name, "/proc/%ld/fd/%d", (long)token->process, token->file);
    const int file = token->process == getpid() ? -1 : open(name, O_RDWR | O_CLOEXEC);
    if (file < 0) {
        return cudaErrorInvalidResourceHandle;
    }
    fake_memory *made = map_file(file, token->bytes);
    if (!made) {
        close(file);
        return cudaErrorMemoryAllocation;
    }
    made->device = token->device;
    made->opened = true;
    atomic_fetch_add(&made->shared->opened, 1);
    *pointer = made->base;
    return cudaSuccess;
}

cudaError_t cudaIpcOpenMemHandle(void **memory, cudaIpcMemHandle_t handle, unsigned flags)
{
    cudaError_t error = fake_enter();
    if (error == cudaSuccess) {
        struct token token;
        memcpy(&token, &handle, sizeof token);
        error = flags == cudaIpcMemLazyEnablePeerAccess ? open_memory(memory, &token) : cudaErrorInvalidValue;
    }
    return fake_leave(error);
}

cudaError_t cudaIpcCloseMemHandle(void *pointer)
{
    cudaError_t error = fake_enter();
    if (error == cudaSuccess) {
        fake_memory *memory = fake_memory_at(pointer);
        if (memory && memory->base == pointer && memory->opened) {
            fake_finish_all();
            atomic_fetch_sub(&memory->shared->opened, 1);
            fake_unmap(memory);
        } else {
            error = cudaErrorInvalidValue;
        }
    }
    return fake_leave(error);
}
