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

struct memory {
    fake_object object;
    enum cudaMemoryType type;
    int device;
    char *base;
    size_t bytes;
    /* Of a device's. */
    bool opened; /* another process has it */
    int file;
    size_t mapped; /* bytes, whole pages */
    struct shared_page *shared;
};

/* What cudaIpcMemHandle_t has in it. */
struct token {
    pid_t process;
    int file;
    int device;
    size_t bytes;
};

_Static_assert(sizeof(struct token) <= sizeof(cudaIpcMemHandle_t), "a handle has room for it");

static size_t page_size(void)
{
    return (size_t)sysconf(_SC_PAGESIZE);
}

static struct memory *find(const void *pointer)
{
    for (fake_object *at = fake_first(); at; at = at->next) {
        struct memory *memory = (struct memory *)at;
        if (at->kind == FAKE_MEMORY && (const char *)pointer >= memory->base &&
            (const char *)pointer < memory->base + memory->bytes) {
            return memory;
        }
    }
    return NULL;
}

static struct memory *remember(enum cudaMemoryType type, void *base, size_t bytes)
{
    struct memory *made = fake_allocate(sizeof *made);
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

static void protect(const struct memory *memory, int protection)
{
    if (mprotect(memory->base, memory->mapped, open_to_host ? PROT_READ | PROT_WRITE : protection) != 0) {
        fake_die("memory cannot be protected");
    }
}

void fake_uncover(int device)
{
    for (fake_object *at = fake_first(); at; at = at->next) {
        const struct memory *memory = (const struct memory *)at;
        if (at->kind == FAKE_MEMORY && memory->type == cudaMemoryTypeDevice &&
            (device < 0 || memory->opened || memory->device == device)) {
            protect(memory, PROT_READ | PROT_WRITE);
        }
    }
}

void fake_cover(void)
{
    for (fake_object *at = fake_first(); at; at = at->next) {
        const struct memory *memory = (const struct memory *)at;
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
    return find(pointer) == NULL;
}

/* ---- memory of devices ----------------------------------------------------------------------- */

/* A file, of a page and the memory, where it is to be seen; NULL if the system has not so much. */
static struct memory *map_file(int file, size_t bytes)
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
    struct memory *made = remember(cudaMemoryTypeDevice, space + page, bytes);
    made->file = file;
    made->mapped = mapped;
    made->shared = shared;
    ASAN_POISON_MEMORY_REGION(made->base + bytes, mapped - bytes);
    return made;
}

static void unmap(struct memory *memory)
{
    const size_t page = page_size();
    ASAN_UNPOISON_MEMORY_REGION(memory->base, memory->mapped);
    munmap(memory->base - page, memory->mapped + 2 * page);
    munmap(memory->shared, page);
    close(memory->file);
    fake_remove(&memory->object);
    free(memory);
}

static cudaError_t get_device_memory(void **memory, size_t bytes)
{
    const size_t page = page_size();
    const int file = memfd_create("fake device", MFD_CLOEXEC);
    if (file < 0 || ftruncate(file, (off_t)(bytes + 2 * page)) != 0) {
        close(file);
        return cudaErrorMemoryAllocation;
    }
    struct memory *made = map_file(file, bytes);
    if (!made) {
        close(file);
        return cudaErrorMemoryAllocation;
    }
    protect(made, PROT_READ | PROT_WRITE);
    memset(made->base, FAKE_GARBAGE, bytes);
    protect(made, PROT_NONE);
    *memory = made->base;
    return cudaSuccess;
}

cudaError_t cudaMalloc(void **memory, size_t bytes)
{
    cudaError_t error = fake_enter();
    if (error == cudaSuccess) {
        error = fake_forbidden();
    }
    if (error == cudaSuccess) {
        *memory = NULL;
        error = bytes == 0 ? cudaSuccess : get_device_memory(memory, bytes);
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

cudaError_t cudaHostGetDevicePointer(void **address, void *pinned, unsigned flags)
{
    cudaError_t error = fake_enter();
    if (error == cudaSuccess) {
        const struct memory *memory = find(pinned);
        error =
            memory && memory->type == cudaMemoryTypeHost && flags == 0 ? cudaSuccess : cudaErrorInvalidValue;
    }
    if (error == cudaSuccess) {
        *address = pinned;
    }
    return fake_leave(error);
}

/* ---- giving it back -------------------------------------------------------------------------- */

/* Who frees memory waits for all that streams have to do. */
static cudaError_t give_back(void *pointer, bool pinned)
{
    struct memory *memory = find(pointer);
    if (!memory || memory->base != pointer || memory->opened ||
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
    unmap(memory);
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
    const cudaError_t error = fake_enter();
    if (error == cudaSuccess) {
        const struct memory *memory = find(pointer);
        const bool host = !memory || memory->type != cudaMemoryTypeDevice;
        *attributes = (struct cudaPointerAttributes){
            .type = memory ? memory->type : cudaMemoryTypeUnregistered,
            .device = memory ? memory->device : -2,
            .devicePointer = memory ? (void *)(size_t)pointer : NULL,
            .hostPointer = host ? (void *)(size_t)pointer : NULL,
        };
    }
    return fake_leave(error);
}

/* ---- memory of other processes --------------------------------------------------------------- */

cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t *handle, void *pointer)
{
    cudaError_t error = fake_enter();
    if (error == cudaSuccess) {
        const struct memory *memory = find(pointer);
        if (memory && memory->base == pointer && memory->type == cudaMemoryTypeDevice && !memory->opened) {
            const struct token token = {
                .process = getpid(), .file = memory->file, .device = memory->device, .bytes = memory->bytes};
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
    snprintf(name, sizeof name, "/proc/%ld/fd/%d", (long)token->process, token->file);
    const int file = token->process == getpid() ? -1 : open(name, O_RDWR | O_CLOEXEC);
    if (file < 0) {
        return cudaErrorInvalidResourceHandle;
    }
    struct memory *made = map_file(file, token->bytes);
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
        struct memory *memory = find(pointer);
        if (memory && memory->base == pointer && memory->opened) {
            fake_finish_all();
            atomic_fetch_sub(&memory->shared->opened, 1);
            unmap(memory);
        } else {
            error = cudaErrorInvalidValue;
        }
    }
    return fake_leave(error);
}
