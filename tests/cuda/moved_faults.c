/*
 * Redistributions and gathers of fields in the memory of a device that fail: each call of the device, on one rank after the
 * other; a device that is lost; and mistakes.  All ranks hear of each.
 *
 * usage: cuda_moved_faults, on 2 ranks or more
 */
#include "check.h"
#include "divided.h"

#include <fake.h>

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

extern const hx_spec cube_xz_spec;

static int rank;
static cudaStream_t stream;

/* ---- what fails ---------------------------------------------------------------------------------------- */

static const hx_partition two_parts = {.axes = 3, .cells = {5, 4, 12}, .ranks = {1, 1, 4}};

/* Calls of a gather whose failure harms nothing: those that free memory in the end. */
static int spared;

/* In four blocks, or as a whole; alone: without a twin. */
static bool open_blocks(bool alone, divided *e)
{
    const plan p = {&cube_xz_spec, NULL, oracle_cartesian, "mapped", 0, alone};
    return divided_open(&p, &(division){&two_parts, divided_in_turn, NULL, 0}, e);
}

static bool open_whole(bool alone, divided *e)
{
    hx_partition whole;
    const plan p = {&cube_xz_spec, NULL, oracle_cartesian, "mapped", 0, alone};
    divided_whole(&cube_xz_spec, &two_parts, &whole);
    return divided_open(&p, &(division){&whole, divided_backwards, NULL, 2}, e);
}

static hx_status run(const divided e[2], bool gathers, const wishes *w)
{
    const hx_redistribution how = {.stream = stream};
    return gathers ? hx_gather_selected(e[0].handle, e[0].mirror.pointers, w->selection, w->count)
                   : hx_redistribute_with(e[0].handle, e[0].mirror.pointers, e[1].handle,
                                          e[1].mirror.pointers, &how);
}

/*
 * The n-th call of the device fails on one rank, or from its n-th piece of work on it is lost; all ranks hear of it.
 * Whether it got so far.
 */
static bool fail(int on, long n, bool lost, bool gathers)
{
    divided e[2];
    if (!open_blocks(true, &e[0]) || !open_whole(true, &e[1])) {
        CHECK(false, "%s", hx_last_error());
        return false;
    }
    wishes right, w;
    wishes_make(&e[0], 0, &right);
    wishes_make(&e[0], 0, &w);
    if (gathers) {
        CHECK_STATUS(run(e, true, &right), HX_OK);
    }
    const long calls = fake_calls();
    if (rank == on) {
        (lost ? fake_break : fake_fail)(n);
    }
    const hx_status status = run(e, gathers, &w);
    int reached = lost ? status != HX_OK : rank == on && fake_calls() - calls >= n;
    fake_fail(0);
    fake_break(0);
    MPI_Allreduce(MPI_IN_PLACE, &reached, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (reached && gathers && status == HX_OK) {
        CHECK(memcmp(w.memory, right.memory, (size_t)w.count * w.bytes) == 0, "what was gathered is wrong");
        ++spared;
    } else if (reached) {
        CHECK_REFUSED(MPI_COMM_WORLD, status, HX_ERR_DEVICE, " failed: \"");
    } else {
        CHECK_STATUS(status, HX_OK);
    }
    wishes_free(&w);
    wishes_free(&right);
    if (!lost) {
        divided_close(&e[1]);
        divided_close(&e[0]);
    } else {
        for (int i = 1; i >= 0; --i) {
            CHECK_STATUS(hx_destroy(e[i].handle), HX_OK);
            CHECK_STATUS(hx_destroy(e[i].twin), HX_OK);
            mirror_drop(&e[i].mirror);
            arrays_free(&e[i].arrays);
            layout_free(&e[i].layout);
        }
        CHECK(fake_revive(), "the device does not work again");
    }
    fake_forget();
    return reached != 0;
}

static void try_failures(void)
{
    fake_set_host_access(false);
    fake_set_order(FAKE_LAZY, 0);
    for (int on = 0; on < 2; ++on) {
        long n = 1;
        do {
            check_about("on rank %d call %ld fails", on, n);
        } while (fail(on, n++, false, false));
        CHECK(n > 15, "a redistribution made %ld calls of the device", n - 2);
    }
    bool more = true;
    for (long n = 1; more; n += 3) {
        check_about("of a gather call %ld fails", n);
        more = fail(0, n, false, true);
        CHECK(more || n > 15, "a gather made %ld calls of the device", n);
    }
    CHECK(spared <= 2, "a gather ended well though %d calls of its device failed", spared);
}

/* ---- mistakes ------------------------------------------------------------------------------------------ */

#define REFUSED(call, status, words) CHECK_REFUSED(MPI_COMM_WORLD, call, status, words)

static void try_mistakes(void)
{
    divided e[2];
    check_about("mistakes");
    if (!open_blocks(false, &e[0]) || !open_whole(false, &e[1])) {
        CHECK(false, "%s", hx_last_error());
        return;
    }
    const void *here = e[0].arrays.pointers;
    const void *there = e[0].mirror.pointers;
    REFUSED(hx_redistribute(e[0].handle, here, e[1].handle, e[1].mirror.pointers), HX_ERR_ARGUMENT,
            "which is memory of the host; give one of cudaMalloc");
    cudaGraph_t graph = NULL;
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal) == 0, "no capture");
    const hx_redistribution how = {.stream = stream};
    REFUSED(hx_redistribute_with(e[0].handle, there, e[1].handle, e[1].mirror.pointers, &how), HX_ERR_STATE,
            "the stream is being captured");
    CHECK(cudaStreamEndCapture(stream, &graph) == 0 && cudaGraphDestroy(graph) == 0, "no graph");
    wishes w;
    wishes_make(&e[0], 0, &w);
    REFUSED(hx_gather_selected(e[0].handle, here, w.selection, w.count), HX_ERR_ARGUMENT,
            "which is memory of the host; give one of cudaMalloc");
    void *device = NULL;
    CHECK(cudaMalloc(&device, w.bytes) == 0, "no memory of the device");
    for (int i = 0; i < w.count; ++i) {
        w.selection[i].array.base = device;
    }
    REFUSED(hx_gather_selected(e[0].handle, there, w.selection, w.count), HX_ERR_ARGUMENT,
            "which is memory of a device; give memory of the host");
    CHECK(cudaFree(device) == 0, "memory of the device is not given back");
    wishes_free(&w);
    divided_move(&e[0], &e[1], false, 1, stream, stream);
    fake_set_devices(2);
    CHECK(cudaSetDevice(1) == 0, "no device 1");
    REFUSED(hx_redistribute(e[0].handle, there, e[1].handle, e[1].mirror.pointers), HX_ERR_STATE,
            "the current device of this thread is 1");
    divided other;
    if (open_whole(false, &other)) {
        REFUSED(hx_redistribute(e[0].handle, there, other.handle, other.mirror.pointers), HX_ERR_ARGUMENT,
                "the source was made on device 0 and the target on device 1");
        divided_close(&other);
    }
    CHECK(cudaSetDevice(0) == 0, "no device 0");
    divided_close(&e[1]);
    divided_close(&e[0]);
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv, MPI_THREAD_SINGLE);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    mirror_need_device();
    CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) == 0, "no stream");
    try_mistakes();
    try_failures();
    check_about("a device that is lost");
    for (long n = 1; fail(0, n, true, false); ++n) {
    }
    check_about("a device that is lost in a gather");
    for (long n = 1; fail(0, n, true, true); n += 3) {
    }
    return check_verdict("redistribution on devices that fail");
}
