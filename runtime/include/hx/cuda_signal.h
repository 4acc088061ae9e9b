/*
 * The kernel by which ranks of a node tell each other, without their hosts, that boxes may be written and that
 * messages are there.  NAME.cu includes it, behind hx/cuda.h.  Applications need nothing from this file.
 *
 * It is one block of threads: a rank that waits leaves the device to those for whom it waits, which may be the
 * same one.  The first thread raises the flags of all peers, then each thread waits for peers of its own.  This
 * order also works where threads run one after the other, as on the fake device of the tests.
 */
#ifndef HX_CUDA_SIGNAL_H
#define HX_CUDA_SIGNAL_H

#include <hx/cuda.h>

/* Returns when the flag has come to the epoch, or when this wait is given up.  name: what then goes into `late`. */
HX_DEVICE void hx_await(const hx_cuda_signal *a, const uint64_t *flag, uint64_t epoch, uint64_t name)
{
    const uint64_t since = hx_nanoseconds();
    while (hx_look(flag) < epoch) {
        if (a->patience > 0 && hx_nanoseconds() - since > a->patience) {
            hx_raise(a->late, name);
            hx_raise(&a->epoch->late, name);
            return;
        }
    }
}

/* All that the stream was given before comes before any of them. */
HX_DEVICE void hx_raise_all(const hx_cuda_signal *a, uint64_t epoch)
{
    for (uint32_t i = 0; i < a->links; ++i) {
        hx_cuda_flags *there = a->link[i].there;
        hx_raise(a->step == HX_CUDA_BEGIN ? &there->vacant : &there->sent, epoch);
    }
}

HX_KERNEL(hx_signal, hx_cuda_signal)
{
    const bool begins = a->step == HX_CUDA_BEGIN;
    const uint64_t epoch = begins ? a->epoch->ended + 1 : a->epoch->begun;
    const bool late = hx_look(&a->epoch->late) != 0;
    if (threadIdx.x == 0 && a->step != HX_CUDA_AWAIT && !late) {
        hx_raise_all(a, epoch);
    }
    for (uint32_t i = threadIdx.x; i < a->links && a->step != HX_CUDA_SEND && !late; i += HX_CUDA_THREADS) {
        const hx_cuda_flags *here = a->link[i].here;
        hx_await(a, begins ? &here->vacant : &here->sent, epoch, 2 * (uint64_t)i + (begins ? 1 : 2));
    }
    if (threadIdx.x == 0 && begins) {
        a->epoch->begun = epoch;
    }
    if (threadIdx.x == 0 && a->step == HX_CUDA_AWAIT) {
        a->epoch->ended = epoch;
    }
}

static inline int hx_launch_signal(const hx_cuda_signal *arguments, void *stream)
{
    return HX_LAUNCH(hx_signal, arguments, 1, stream);
}

#endif
