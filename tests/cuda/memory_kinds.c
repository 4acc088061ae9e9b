#include "memory_kinds.h"

#include "check.h"

#include <cuda.h>
#include <cuda_runtime_api.h>

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ---- what one call gets ---------------------------------------------------------------------- */

static void *get_pinned(size_t bytes)
{
    void *memory = NULL;
    CHECK(cudaMallocHost(&memory, bytes) == 0, "no pinned memory");
    return memory;
}

static void free_pinned(void *memory, size_t bytes)
{
    (void)bytes;
    CHECK(cudaFreeHost(memory) == 0, "pinned memory is not freed");
}

static void *get_registered(size_t bytes)
{
    void *memory = NULL;
    CHECK(posix_memalign(&memory, 4096, bytes) == 0 &&
              cudaHostRegister(memory, bytes, cudaHostRegisterPortable | cudaHostRegisterMapped) == 0,
          "memory is not registered");
    return memory;
}

static void free_registered(void *memory, size_t bytes)
{
    (void)bytes;
    CHECK(cudaHostUnregister(memory) == 0, "memory stays registered");
    free(memory);
}

static void *get_managed(size_t bytes)
{
    void *memory = NULL;
    CHECK(cudaMallocManaged(&memory, bytes, cudaMemAttachGlobal) == 0, "no managed memory");
    return memory;
}

static void free_managed(void *memory, size_t bytes)
{
    (void)bytes;
    CHECK(cudaFree(memory) == 0, "managed memory is not freed");
}

/* Also for streams that do not wait for the default one. */
static void *get_pooled(size_t bytes)
{
    void *memory = NULL;
    CHECK(cudaMallocAsync(&memory, bytes, NULL) == 0 && cudaStreamSynchronize(NULL) == 0,
          "no memory of a pool");
    return memory;
}

static void free_pooled(void *memory, size_t bytes)
{
    (void)bytes;
    CHECK(cudaFreeAsync(memory, NULL) == 0 && cudaStreamSynchronize(NULL) == 0,
          "memory of a pool is not freed");
}

/* ---- addresses and pieces -------------------------------------------------------------------- */

/* A function of the driver, with which nobody links. */
static void find(const char *name, void *function, size_t size)
{
    void *found = NULL;
    enum cudaDriverEntryPointQueryResult result = cudaDriverEntryPointSymbolNotFound;
#if CUDART_VERSION >= 12050
    const cudaError_t error =
        cudaGetDriverEntryPointByVersion(name, &found, 11020, cudaEnableDefault, &result);
#elif CUDART_VERSION >= 12000
    const cudaError_t error = cudaGetDriverEntryPoint(name, &found, cudaEnableDefault, &result);
#else
    const cudaError_t error = cudaGetDriverEntryPoint(name, &found, cudaEnableDefault);
    result = found ? cudaDriverEntryPointSuccess : result;
#endif
    CHECK(error == 0 && result == cudaDriverEntryPointSuccess, "there is no %s", name);
    memcpy(function, &found, size);
}

#define FIND(name)                                                                                           \
    __typeof__(name) *name##_found = NULL;                                                                   \
    find(#name, &name##_found, sizeof name##_found)

/* On the current device. */
static CUmemAllocationProp properties(void)
{
    CUmemAllocationProp p;
    memset(&p, 0, sizeof p);
    p.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    p.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    CHECK(cudaGetDevice(&p.location.id) == 0, "no device");
    return p;
}

static size_t whole(size_t bytes, const CUmemAllocationProp *p)
{
    size_t granularity = 1;
    FIND(cuMemGetAllocationGranularity);
    CHECK(cuMemGetAllocationGranularity_found &&
              cuMemGetAllocationGranularity_found(&granularity, p, CU_MEM_ALLOC_GRANULARITY_MINIMUM) == 0,
          "no granularity");
    return (bytes + granularity - 1) / granularity * granularity;
}

static void *map(size_t bytes)
{
    const CUmemAllocationProp p = properties();
    const size_t all = whole(bytes, &p);
    CUdeviceptr address = 0;
    CUmemGenericAllocationHandle piece = 0;
    FIND(cuMemAddressReserve);
    FIND(cuMemCreate);
    FIND(cuMemMap);
    FIND(cuMemRelease);
    if (!cuMemAddressReserve_found || !cuMemCreate_found || !cuMemMap_found || !cuMemRelease_found) {
        return NULL;
    }
    CHECK(cuMemAddressReserve_found(&address, all, 0, 0, 0) == 0 &&
              cuMemCreate_found(&piece, all, &p, 0) == 0 && cuMemMap_found(address, all, 0, piece, 0) == 0 &&
              cuMemRelease_found(piece) == 0,
          "no memory is mapped");
    return (void *)(uintptr_t)address;
}

static void *get_mapped(size_t bytes)
{
    void *memory = map(bytes);
    const CUmemAllocationProp p = properties();
    CUmemAccessDesc access;
    memset(&access, 0, sizeof access);
    access.location = p.location;
    access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    FIND(cuMemSetAccess);
    CHECK(memory && cuMemSetAccess_found &&
              cuMemSetAccess_found((CUdeviceptr)(uintptr_t)memory, whole(bytes, &p), &access, 1) == 0,
          "no access to memory that is mapped");
    return memory;
}

static void free_mapped(void *memory, size_t bytes)
{
    const CUmemAllocationProp p = properties();
    const CUdeviceptr address = (CUdeviceptr)(uintptr_t)memory;
    FIND(cuMemUnmap);
    FIND(cuMemAddressFree);
    CHECK(cuMemUnmap_found && cuMemAddressFree_found && cuMemUnmap_found(address, whole(bytes, &p)) == 0 &&
              cuMemAddressFree_found(address, whole(bytes, &p)) == 0,
          "memory stays mapped");
}

static const memory_kind pinned = {"cudaMallocHost", get_pinned, free_pinned};
static const memory_kind managed = {"cudaMallocManaged", get_managed, free_managed};
static const memory_kind pooled = {"cudaMallocAsync", get_pooled, free_pooled};
static const memory_kind mapped = {"cuMemMap", get_mapped, free_mapped};
const memory_kind memory_registered = {"cudaHostRegister", get_registered, free_registered};
const memory_kind *const memory_kinds[MEMORY_KINDS] = {&memory_usual, &pinned, &memory_registered,
                                                       &managed,      &pooled, &mapped};

const memory_kind memory_closed = {"cuMemMap without access", map, free_mapped};
