#include "mirror.h"

#include "check.h"
#include "shim.h"

#include <cuda_runtime_api.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void mirror_need_device(void)
{
    int devices = 0;
    int rank = 0;
    const cudaError_t error = cudaGetDeviceCount(&devices);
    if (error == cudaSuccess && devices > 0) {
        return;
    }
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        printf("there is no GPU: %s\n", cudaGetErrorString(error != cudaSuccess ? error : cudaErrorNoDevice));
    }
    MPI_Finalize();
    exit(77);
}

static const hx_spec *spec_of(const mirror *m)
{
    return m->here->layout->spec;
}

static int field_of(const mirror *m, size_t array)
{
    return (int)(array % (size_t)spec_of(m)->fields);
}

static size_t bytes_of(const mirror *m, size_t array)
{
    const int block = (int)(array / (size_t)spec_of(m)->fields);
    const size_t elements = layout_elements(m->here->layout, block, field_of(m, array)) + 2 * m->guard;
    return elements * (size_t)spec_of(m)->field[field_of(m, array)].size;
}

static unsigned char *pointer_at(const mirror *m, size_t array)
{
    const size_t block = array / (size_t)spec_of(m)->fields;
    return m->pointers + block * spec_of(m)->fields_size + spec_of(m)->field[field_of(m, array)].pointer;
}

/* Of what is copied: the array here, or its points without guards. */
static unsigned char *source_of(const mirror *m, size_t array)
{
    const size_t size = (size_t)spec_of(m)->field[field_of(m, array)].size;
    return m->here->actual[array] + (m->here->guard - m->guard) * size;
}

static void set_pointer(const mirror *m, size_t array, unsigned char *memory, size_t guard)
{
    memory += guard * (size_t)spec_of(m)->field[field_of(m, array)].size;
    memcpy(pointer_at(m, array), &memory, sizeof memory);
}

static void make(mirror *m, arrays *here)
{
    const size_t blocks = (size_t)here->layout->blocks.count;
    *m = (mirror){.here = here, .count = blocks * (size_t)here->layout->spec->fields};
    m->there = calloc(m->count + 1, sizeof *m->there);
    m->pointers = calloc(blocks + 1, here->layout->spec->fields_size);
    if (!m->there || !m->pointers) {
        abort();
    }
}

static void *get_memory(size_t bytes)
{
    void *memory = NULL;
    CHECK(cudaMalloc(&memory, bytes) == 0, "no memory of the device");
    return memory;
}

static void give_back(void *memory, size_t bytes)
{
    (void)bytes;
    CHECK(cudaFree(memory) == 0, "memory of the device is not freed");
}

const memory_kind memory_usual = {"cudaMalloc", get_memory, give_back};

/* All in one allocation, each at a multiple of 64 bytes. */
void mirror_make_in(mirror *m, arrays *here, const memory_kind *kind)
{
    make(m, here);
    m->guard = here->guard;
    m->kind = kind;
    m->bytes = 64;
    for (size_t i = 0; i < m->count; ++i) {
        m->bytes += (bytes_of(m, i) + 63) / 64 * 64;
    }
    m->memory = kind->get(m->bytes);
    unsigned char *next = m->memory;
    for (size_t i = 0; i < m->count; ++i) {
        const bool there = spec_of(m)->field[field_of(m, i)].on_device;
        m->there[i] = there ? next : NULL;
        set_pointer(m, i, there ? next : here->actual[i], here->guard);
        next += (bytes_of(m, i) + 63) / 64 * 64;
    }
}

void mirror_make(mirror *m, arrays *here)
{
    mirror_make_in(m, here, &memory_usual);
}

hx_status mirror_try_alloc(mirror *m, arrays *here, hx_handle *handle)
{
    make(m, here);
    m->handle = handle;
    const hx_status status = hx_alloc(handle, m->pointers);
    if (status != HX_OK) {
        mirror_drop(m);
        return status;
    }
    for (size_t i = 0; i < m->count; ++i) {
        void *memory = NULL;
        memcpy(&memory, pointer_at(m, i), sizeof memory);
        if (spec_of(m)->field[field_of(m, i)].on_device) {
            m->there[i] = memory;
        } else {
            set_pointer(m, i, here->actual[i], here->guard);
        }
    }
    return HX_OK;
}

/* Memory of hx_alloc is zero for a stream that waits for nobody. */
static void check_zeroed(const mirror *m)
{
    cudaStream_t stream = NULL;
    CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) == 0, "no stream");
    for (size_t i = 0; i < m->count; ++i) {
        const size_t bytes = m->there[i] ? bytes_of(m, i) : 0;
        unsigned char *seen = malloc(bytes + 1);
        if (!seen) {
            abort();
        }
        memset(seen, 0xA5, bytes + 1);
        CHECK(bytes == 0 || (cudaMemcpyAsync(seen, m->there[i], bytes, cudaMemcpyDefault, stream) == 0 &&
                             cudaStreamSynchronize(stream) == 0),
              "a copy from the device failed");
        size_t zeros = 0;
        while (zeros < bytes && seen[zeros] == 0) {
            ++zeros;
        }
        CHECK(zeros == bytes, "byte %zu of an array of hx_alloc is %d", zeros, seen[zeros]);
        free(seen);
    }
    CHECK(cudaStreamDestroy(stream) == 0, "a stream failed");
}

void mirror_alloc(mirror *m, arrays *here, hx_handle *handle)
{
    if (CHECK_STATUS(mirror_try_alloc(m, here, handle), HX_OK)) {
        check_zeroed(m);
    }
}

void mirror_drop(mirror *m)
{
    free(m->there);
    free(m->pointers);
}

void mirror_swap(mirror *a, mirror *b, int field)
{
    for (size_t i = 0; i < a->count; ++i) {
        if (field_of(a, i) == field && a->there[i]) {
            unsigned char *there = a->there[i];
            a->there[i] = b->there[i];
            b->there[i] = there;
            set_pointer(a, i, a->there[i], a->guard);
            set_pointer(b, i, b->there[i], b->guard);
        }
    }
}

void mirror_free(mirror *m)
{
    if (m->handle) {
        for (size_t i = 0; i < m->count; ++i) {
            memcpy(pointer_at(m, i), &m->there[i],
                   sizeof m->there[i]); /* those of the host go with the handle */
        }
        CHECK_STATUS(hx_free(m->handle, m->pointers), HX_OK);
    }
    if (m->memory) {
        m->kind->give_back(m->memory, m->bytes);
    }
    mirror_drop(m);
}

void mirror_up(const mirror *m, hx_stream stream)
{
    for (size_t i = 0; i < m->count; ++i) {
        if (m->there[i]) {
            CHECK(cudaMemcpyAsync(m->there[i], source_of(m, i), bytes_of(m, i), cudaMemcpyDefault,
                                  (cudaStream_t)stream) == 0,
                  "a copy to the device failed");
        }
    }
}

void mirror_down(const mirror *m, hx_stream stream)
{
    for (size_t i = 0; i < m->count; ++i) {
        if (m->there[i]) {
            CHECK(cudaMemcpyAsync(source_of(m, i), m->there[i], bytes_of(m, i), cudaMemcpyDefault,
                                  (cudaStream_t)stream) == 0,
                  "a copy from the device failed");
        }
    }
    CHECK(cudaStreamSynchronize((cudaStream_t)stream) == 0, "a stream failed");
}

void mirror_copy(const mirror *to, const mirror *from, hx_stream stream)
{
    for (size_t i = 0; i < from->count; ++i) {
        if (from->there[i]) {
            const size_t size = (size_t)spec_of(to)->field[field_of(to, i)].size;
            CHECK(cudaMemcpyAsync(to->there[i] + (to->guard - from->guard) * size, from->there[i],
                                  bytes_of(from, i), cudaMemcpyDefault, (cudaStream_t)stream) == 0,
                  "a copy within the device failed");
        }
    }
}

/* ---- graphs -------------------------------------------------------------------------------------------- */

static bool is_captured(hx_handle *handle, int exchange, const void *fields, cudaStream_t stream)
{
    const hx_status status = hx_start_on(handle, exchange, fields, stream);
    if (status != HX_OK) {
        CHECK(status == HX_ERR_STATE && strstr(hx_last_error(), "cannot be part of a graph"), "%s",
              hx_last_error());
        return false;
    }
    CHECK_STATUS(hx_finish_on(handle, exchange, stream), HX_OK);
    return true;
}

/* However threads are to run: those that wait for others run from the first one on. */
static void run_graph(cudaGraphExec_t graph, cudaStream_t stream)
{
    const shim_order order = shim_order_of_threads;
    CHECK(cudaStreamSynchronize(stream) == 0, "a stream failed");
    shim_order_of_threads = SHIM_FORWARD;
    CHECK(cudaGraphLaunch(graph, stream) == 0 && cudaStreamSynchronize(stream) == 0, "a graph failed");
    shim_order_of_threads = order;
}

bool mirror_run_graph(hx_handle *handle, int exchange, const void *fields, cudaStream_t stream)
{
    cudaGraph_t graph = NULL;
    cudaGraphExec_t made = NULL;
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal) == 0, "no capture");
    int all = is_captured(handle, exchange, fields, stream);
    CHECK(cudaStreamEndCapture(stream, &graph) == 0, "a capture failed");
    MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (all) {
        CHECK(cudaGraphInstantiateWithFlags(&made, graph, 0) == 0, "no graph");
        run_graph(made, stream);
        CHECK(cudaGraphExecDestroy(made) == 0, "a graph stays");
    }
    CHECK(cudaGraphDestroy(graph) == 0, "a graph stays");
    return all != 0;
}
