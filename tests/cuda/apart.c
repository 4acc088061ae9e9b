/*
 * What an exchange in the memory of a device does not wait for.
 *
 * usage: cuda_apart, on 2 ranks
 */
#include "check.h"
#include "mirror.h"
#include "pair.h"

#include <fake.h>

#include <stdbool.h>

extern const hx_spec mixed_spec;

enum { BOTH = 1, STAR = 3 }; /* exchanges of mixed_spec, which have no field in common */

/* ---- streams that never end ---------------------------------------------------------------------------- */

static void finish_alone(hx_handle *handle, const mirror *m, cudaStream_t stream, bool by_halves)
{
    if (by_halves) {
        CHECK_STATUS(hx_pack_on(handle, BOTH, m->pointers, stream), HX_OK);
        CHECK_STATUS(hx_send_on(handle, BOTH, stream), HX_OK);
        CHECK_STATUS(hx_receive(handle, BOTH), HX_OK);
        CHECK_STATUS(hx_unpack_on(handle, BOTH, m->pointers, stream), HX_OK);
    } else {
        CHECK_STATUS(hx_start_on(handle, BOTH, m->pointers, stream), HX_OK);
        CHECK_STATUS(hx_finish_on(handle, BOTH, stream), HX_OK);
    }
}

/* One exchange is started behind work that does not end; meanwhile another one runs in another stream.  Who
 * waits for that work dies, or comes to the deadline. */
static void try_streams(hx_handle *handle, const mirror *m, bool by_halves)
{
    cudaStream_t stream[2];
    for (int i = 0; i < 2; ++i) {
        CHECK(cudaStreamCreateWithFlags(&stream[i], cudaStreamNonBlocking) == 0, "no stream");
    }
    check_about("streams apart, %s, %s, %s", pair_taken->transport, pair_taken->messages,
                by_halves ? "halves" : "whole");
    arrays_fill(m->here, by_halves);
    mirror_up(m, stream[0]);
    CHECK(cudaStreamSynchronize(stream[0]) == 0, "a stream failed");
    CHECK(fake_hold(stream[1]) == 0, "no work");
    CHECK_STATUS(hx_start_on(handle, STAR, m->pointers, stream[1]), HX_OK);
    finish_alone(handle, m, stream[0], by_halves);
    CHECK(cudaStreamSynchronize(stream[0]) == 0, "a stream failed");
    fake_release();
    CHECK_STATUS(hx_finish_on(handle, STAR, stream[1]), HX_OK);
    mirror_down(m, stream[1]);
    arrays_expect(m->here, BOTH);
    arrays_expect(m->here, STAR);
    arrays_check(m->here, "streams apart");
    for (int i = 0; i < 2; ++i) {
        CHECK(cudaStreamDestroy(stream[i]) == 0, "a stream failed");
    }
}

static void try_all_streams(void)
{
    layout l;
    arrays s;
    mirror m;
    hx_handle *handle = NULL;
    pair_layout(&l, &mixed_spec);
    arrays_make(&s, &l, oracle_cartesian);
    mirror_make(&m, &s);
    if (CHECK_STATUS(pair_create(&l, 5.0, &handle), HX_OK)) {
        fake_set_order(FAKE_LAZY, 0);
        try_streams(handle, &m, false);
        try_streams(handle, &m, true);
        fake_set_order(FAKE_EAGER, 0);
        CHECK_STATUS(hx_destroy(handle), HX_OK);
    }
    mirror_free(&m);
    arrays_free(&s);
    layout_free(&l);
}

/* Destroy frees nothing that such work may still use; whoever frees memory would wait for it, too. */
static void leave_behind(void)
{
    layout l;
    arrays s;
    mirror m;
    hx_handle *handle = NULL;
    cudaStream_t stream = NULL;
    check_about("destroy, %s, %s", pair_taken->transport, pair_taken->messages);
    pair_layout(&l, &mixed_spec);
    arrays_make(&s, &l, oracle_cartesian);
    mirror_make(&m, &s);
    CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) == 0, "no stream");
    const long before = fake_left();
    if (CHECK_STATUS(pair_create(&l, 0.2, &handle), HX_OK)) {
        CHECK_STATUS(hx_start_on(handle, STAR, m.pointers, stream), HX_OK);
        CHECK(fake_hold(stream) == 0, "no work");
        CHECK_STATUS(hx_finish_on(handle, STAR, stream), HX_OK);
        CHECK_STATUS(hx_destroy(handle), HX_OK);
        CHECK(fake_left() > before, "what is in use was given back");
        fake_release();
    }
    fake_forget();
    CHECK(cudaStreamDestroy(stream) == 0, "a stream failed");
    mirror_free(&m);
    arrays_free(&s);
    layout_free(&l);
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv, MPI_THREAD_SINGLE);
    mirror_need_device();
    for (int i = 0; i < PAIR_WAYS; ++i) {
        pair_taken = &pair_ways[i];
        try_all_streams();
    }
    CHECK(fake_left() == 0, "%ld things of the device were not given back", fake_left());
    for (int i = 0; i < PAIR_WAYS; ++i) {
        pair_taken = &pair_ways[i];
        leave_behind();
    }
    return check_verdict("exchanges apart");
}
