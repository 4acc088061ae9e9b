/*
 * Fields of devices in memory of each kind: exchanged where kernels can use it, refused where they cannot.
 *
 * usage: cuda_kinds, on 1 or 2 ranks
 */
#include "check.h"
#include "memory_kinds.h"
#include "pair.h"

#include <fake.h>

#include <stdlib.h>
#include <string.h>

extern const hx_spec cube_xz_spec;

static int rank;
static int ranks;

static int in_turn(void *context, int tile, int block)
{
    (void)context;
    (void)tile;
    return block % ranks;
}

static void make_layout(layout *l)
{
    const hx_partition partition = {.axes = 3, .cells = {5, 4, 6}, .ranks = {1, 1, 2}};
    layout_make(l, &(layout_request){&cube_xz_spec, MPI_COMM_WORLD, &partition, in_turn, NULL, NULL, 1});
}

/* ---- taken ------------------------------------------------------------------------------------ */

static void exchange_whole(hx_handle *handle, const mirror *m, cudaStream_t stream)
{
    CHECK_STATUS(hx_start_on(handle, 0, m->pointers, stream), HX_OK);
    CHECK_STATUS(hx_finish_on(handle, 0, stream), HX_OK);
}

static void exchange_halves(hx_handle *handle, const mirror *m, cudaStream_t stream)
{
    CHECK_STATUS(hx_pack_on(handle, 0, m->pointers, stream), HX_OK);
    CHECK_STATUS(hx_send_on(handle, 0, stream), HX_OK);
    CHECK_STATUS(hx_receive(handle, 0), HX_OK);
    CHECK_STATUS(hx_unpack_on(handle, 0, m->pointers, stream), HX_OK);
}

static void exchange_graph(hx_handle *handle, const mirror *m, cudaStream_t stream)
{
    if (!stream || !mirror_run_graph(handle, 0, m->pointers, stream)) {
        exchange_whole(handle, m, stream);
    }
}

/* Ranks have memory of other kinds: `kind`, and the next ones. */
static void exchange(const layout *l, hx_handle *handle, int kind, cudaStream_t stream)
{
    arrays s;
    mirror m;
    arrays_make(&s, l, oracle_cartesian);
    mirror_make_in(&m, &s, memory_kinds[(kind + rank) % MEMORY_KINDS]);
    static void (*const ways[])(hx_handle *, const mirror *, cudaStream_t) = {exchange_whole, exchange_halves,
                                                                              exchange_graph};
    for (int i = 0; i < 6; ++i) {
        arrays_fill(&s, i);
        mirror_up(&m, stream);
        ways[i % 3](handle, &m, stream);
        mirror_down(&m, stream);
        arrays_expect(&s, 0);
        arrays_check(&s, i % 3 == 0 ? "whole" : i % 3 == 1 ? "halves" : "graph");
    }
    mirror_free(&m);
    arrays_free(&s);
}

static void take_all(const layout *l)
{
    cudaStream_t stream = NULL;
    hx_handle *handle = NULL;
    CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) == 0, "no stream");
    if (CHECK_STATUS(pair_create(l, 60.0, &handle), HX_OK)) {
        for (int kind = 0; kind < MEMORY_KINDS; ++kind) {
            check_about("%s, %s, memory of %s and the next", pair_taken->transport, pair_taken->messages,
                        memory_kinds[kind]->name);
            exchange(l, handle, kind, stream);
        }
        CHECK_STATUS(hx_destroy(handle), HX_OK);
    }
    CHECK(cudaStreamDestroy(stream) == 0, "a stream failed");
}

/* ---- refused ---------------------------------------------------------------------------------- */

static void *get_plain(size_t bytes)
{
    return malloc(bytes);
}

static void free_plain(void *memory, size_t bytes)
{
    (void)bytes;
    free(memory);
}

/* Where there is another device. */
static void *get_elsewhere(size_t bytes)
{
    void *memory = NULL;
    CHECK(cudaSetDevice(1) == 0 && cudaMalloc(&memory, bytes) == 0 && cudaSetDevice(0) == 0,
          "no memory of another device");
    return memory;
}

static void free_elsewhere(void *memory, size_t bytes)
{
    (void)bytes;
    CHECK(cudaSetDevice(1) == 0 && cudaFree(memory) == 0 && cudaSetDevice(0) == 0,
          "memory of another device is not freed");
}

static bool is_elsewhere(const memory_kind *kind)
{
    return kind->get == get_elsewhere;
}

/* Nothing is started, and the handle can be used with other arrays. */
static void refuse(const layout *l, const memory_kind *kind, const char *words)
{
    arrays s;
    mirror m;
    hx_memory_place place = {HX_MEMORY_DEVICE, 0};
    hx_handle *handle = NULL; /* which knows no array, so none that was at such an address before */
    check_about("refused: %s", kind->name);
    if (!CHECK_STATUS(pair_create(l, 60.0, &handle), HX_OK)) {
        return;
    }
    arrays_make(&s, l, oracle_cartesian);
    mirror_make_in(&m, &s, kind);
    CHECK(hx_cuda_device.place(m.memory, &place) == 0 && place.device == (is_elsewhere(kind) ? 1 : -1),
          "kind %d of device %d", (int)place.kind, place.device);
    if (place.device != 0) { /* or a kernel would end the device */
        CHECK_REFUSED(MPI_COMM_WORLD, hx_start_on(handle, 0, m.pointers, NULL), HX_ERR_ARGUMENT, words);
        CHECK_REFUSED(MPI_COMM_WORLD, hx_pack_on(handle, 0, m.pointers, NULL), HX_ERR_ARGUMENT, words);
    }
    mirror_free(&m);
    arrays_free(&s);
    exchange(l, handle, 0, NULL);
    CHECK_STATUS(hx_destroy(handle), HX_OK);
}

static void refuse_all(const layout *l)
{
    refuse(l, &(memory_kind){"malloc", get_plain, free_plain}, ", which is memory of the host.  Give");
    refuse(l, &memory_closed,
           ", which is memory of a device, which kernels of device 0 cannot reach at that address.  Give");
    int devices = 0;
    fake_set_devices(2);
    if (cudaGetDeviceCount(&devices) == 0 && devices > 1) {
        refuse(l, &(memory_kind){"cudaMalloc on another device", get_elsewhere, free_elsewhere},
               ", which is memory of a device, number 1; the handle was made on device 0.  Give");
    }
    if (fake_set_registered_apart(true)) {
        refuse(l, &memory_registered,
               ", which is pinned memory of the host, which kernels of device 0 cannot reach");
        fake_set_registered_apart(false);
    }
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv, MPI_THREAD_SINGLE);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    mirror_need_device();
    layout l;
    make_layout(&l);
    for (int i = 0; i < PAIR_WAYS; ++i) {
        pair_taken = &pair_ways[i];
        take_all(&l);
    }
    refuse_all(&l);
    layout_free(&l);
    return check_verdict("kinds of memory");
}
