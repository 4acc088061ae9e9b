/*
 * Memory of the fake device whose addresses are reserved by themselves, and to which pieces are mapped: one
 * piece at one address, for the current device.
 */
#include "parts.h"

#include <cuda.h>

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { GRANULARITY = 64 << 10 };

/* Whoever maps a piece keeps it, also when it is released. */
typedef struct fake_piece {
    fake_object object;
    size_t bytes;
    bool mapped;
    bool released;
} fake_piece;

static CUresult leave(bool good)
{
    (void)fake_leave(good ? cudaSuccess : cudaErrorInvalidValue);
    return good ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

static bool is_here(const CUmemLocation *location)
{
    return location->type == CU_MEM_LOCATION_TYPE_DEVICE && location->id == fake_current_device();
}

static bool is_whole(size_t bytes)
{
    return bytes > 0 && bytes % GRANULARITY == 0;
}

/* What was reserved there, if it is so large. */
static fake_memory *reserved(CUdeviceptr address, size_t bytes)
{
    fake_memory *memory = fake_memory_at((const void *)(uintptr_t)address);
    return memory && memory->reserved && (uintptr_t)memory->base == address && memory->bytes == bytes ? memory
                                                                                                      : NULL;
}

CUresult cuMemGetAllocationGranularity(size_t *granularity, const CUmemAllocationProp *properties,
                                       CUmemAllocationGranularity_flags flags)
{
    (void)flags;
    const bool good = fake_enter() == cudaSuccess && is_here(&properties->location);
    *granularity = GRANULARITY;
    return leave(good);
}

/* ---- addresses ------------------------------------------------------------------------------- */

CUresult cuMemAddressReserve(CUdeviceptr *address, size_t bytes, size_t alignment, CUdeviceptr wanted,
                             unsigned long long flags)
{
    fake_memory *memory = NULL;
    bool good = fake_enter() == cudaSuccess && is_whole(bytes) && alignment == 0 && wanted == 0 && flags == 0;
    good = good && fake_get_device_memory(bytes, &memory) == cudaSuccess;
    if (good) {
        memory->reserved = true;
        memory->closed = true;
        *address = (CUdeviceptr)(uintptr_t)memory->base;
    }
    return leave(good);
}

CUresult cuMemAddressFree(CUdeviceptr address, size_t bytes)
{
    const bool known = fake_enter() == cudaSuccess && reserved(address, bytes) != NULL;
    const bool good = known && !reserved(address, bytes)->piece;
    if (good) {
        fake_unmap(reserved(address, bytes));
    }
    return leave(good);
}

/* ---- pieces ---------------------------------------------------------------------------------- */

CUresult cuMemCreate(CUmemGenericAllocationHandle *piece, size_t bytes, const CUmemAllocationProp *properties,
                     unsigned long long flags)
{
    const bool good = fake_enter() == cudaSuccess && is_whole(bytes) && flags == 0 &&
                      properties->type == CU_MEM_ALLOCATION_TYPE_PINNED && is_here(&properties->location);
    if (good) {
        fake_piece *made = fake_allocate(sizeof *made);
        made->bytes = bytes;
        fake_add(&made->object, FAKE_PIECE);
        *piece = (CUmemGenericAllocationHandle)(uintptr_t)made;
    }
    return leave(good);
}

static void drop(fake_piece *piece)
{
    if (piece->released && !piece->mapped) {
        fake_remove(&piece->object);
        free(piece);
    }
}

static fake_piece *piece_of(CUmemGenericAllocationHandle handle)
{
    fake_piece *piece = (fake_piece *)(uintptr_t)handle;
    return fake_is(piece, FAKE_PIECE) && !piece->released ? piece : NULL;
}

CUresult cuMemRelease(CUmemGenericAllocationHandle handle)
{
    fake_piece *piece = fake_enter() == cudaSuccess ? piece_of(handle) : NULL;
    if (piece) {
        piece->released = true;
        drop(piece);
    }
    return leave(piece != NULL);
}

CUresult cuMemMap(CUdeviceptr address, size_t bytes, size_t offset, CUmemGenericAllocationHandle handle,
                  unsigned long long flags)
{
    const bool entered = fake_enter() == cudaSuccess;
    fake_memory *memory = entered ? reserved(address, bytes) : NULL;
    fake_piece *piece = entered ? piece_of(handle) : NULL;
    const bool good = memory && !memory->piece && piece && !piece->mapped && piece->bytes == bytes &&
                      offset == 0 && flags == 0;
    if (good) {
        memory->piece = piece;
        piece->mapped = true;
    }
    return leave(good);
}

CUresult cuMemUnmap(CUdeviceptr address, size_t bytes)
{
    fake_memory *memory = fake_enter() == cudaSuccess ? reserved(address, bytes) : NULL;
    const bool good = memory && memory->piece;
    if (good) {
        fake_finish_all();
        memory->piece->mapped = false;
        drop(memory->piece);
        memory->piece = NULL;
        memory->closed = true;
    }
    return leave(good);
}

/* Until then nobody may touch it. */
CUresult cuMemSetAccess(CUdeviceptr address, size_t bytes, const CUmemAccessDesc *access, size_t count)
{
    fake_memory *memory = fake_enter() == cudaSuccess ? reserved(address, bytes) : NULL;
    const bool good = memory && memory->piece && count == 1 && is_here(&access->location);
    if (good) {
        memory->closed = access->flags != CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    }
    return leave(good);
}

/* ---- the runtime finds them ------------------------------------------------------------------ */

typedef struct entry {
    const char *name;
    void (*function)(void);
} entry;

static const entry entries[] = {
    {"cuMemGetAllocationGranularity", (void (*)(void))cuMemGetAllocationGranularity},
    {"cuMemAddressReserve", (void (*)(void))cuMemAddressReserve},
    {"cuMemAddressFree", (void (*)(void))cuMemAddressFree},
    {"cuMemCreate", (void (*)(void))cuMemCreate},
    {"cuMemRelease", (void (*)(void))cuMemRelease},
    {"cuMemMap", (void (*)(void))cuMemMap},
    {"cuMemUnmap", (void (*)(void))cuMemUnmap},
    {"cuMemSetAccess", (void (*)(void))cuMemSetAccess},
};

cudaError_t cudaGetDriverEntryPointByVersion(const char *symbol, void **function, unsigned version,
                                             unsigned long long flags,
                                             enum cudaDriverEntryPointQueryResult *found)
{
    (void)version;
    cudaError_t error = fake_enter_to_look();
    if (error == cudaSuccess && flags != cudaEnableDefault) {
        error = cudaErrorInvalidValue;
    }
    *function = NULL;
    *found = cudaDriverEntryPointSymbolNotFound;
    for (size_t i = 0; i < sizeof entries / sizeof entries[0] && error == cudaSuccess; ++i) {
        if (strcmp(entries[i].name, symbol) == 0) {
            memcpy(function, &entries[i].function, sizeof *function);
            *found = cudaDriverEntryPointSuccess;
        }
    }
    return fake_leave(error);
}
