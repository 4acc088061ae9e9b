/*
 * Epochs of windows: when memory may be accessed, and when an access is complete.
 */
#include "hx_fortran_glue.h"

#include <hx/window.h>

#include <stdlib.h>

void hx_f_window_fence(const hx_f_window *window, int way, const int *assertion, int *ierr);
void hx_f_window_post(const hx_f_window *window, int way, const CFI_cdesc_t *origin, const int *assertion,
                      int *ierr);
void hx_f_window_start(const hx_f_window *window, int way, const CFI_cdesc_t *target, const int *assertion,
                       int *ierr);
void hx_f_window_complete(const hx_f_window *window, int way, int *ierr);
void hx_f_window_wait(const hx_f_window *window, int way, int *ierr);
hx_status hx_f_window_test(const hx_f_window *window, int way, int *done);
hx_status hx_f_window_lock(const hx_f_window *window, int way, int target, int exclusive, int assertion);
void hx_f_window_unlock(const hx_f_window *window, int way, int target, int *ierr);
void hx_f_window_lock_all(const hx_f_window *window, int way, const int *assertion, int *ierr);
void hx_f_window_unlock_all(const hx_f_window *window, int way, int *ierr);
void hx_f_window_flush(const hx_f_window *window, int way, int target, int *ierr);
void hx_f_window_flush_local(const hx_f_window *window, int way, int target, int *ierr);
void hx_f_window_sync(const hx_f_window *window, int way, int *ierr);

void hx_f_window_fence(const hx_f_window *window, int way, const int *assertion, int *ierr)
{
    hx_f_answer(hx_window_fence(window->window, (hx_window_way)way, assertion ? *assertion : 0), ierr);
}

/* post and start take lists of ranks. */
static hx_status with_ranks(const hx_f_window *window, int way, const CFI_cdesc_t *given, int assertion,
                            hx_status (*open)(hx_window *window, hx_window_way way, int ranks,
                                              const int rank[], int assertion))
{
    int *rank = hx_f_dense(given);
    if (!rank) {
        return hx_f_no_memory("hx_window_post or hx_window_start");
    }
    const hx_status status =
        open(window->window, (hx_window_way)way, (int)given->dim[0].extent, rank, assertion);
    free(rank);
    return status;
}

void hx_f_window_post(const hx_f_window *window, int way, const CFI_cdesc_t *origin, const int *assertion,
                      int *ierr)
{
    hx_f_answer(with_ranks(window, way, origin, assertion ? *assertion : 0, hx_window_post), ierr);
}

void hx_f_window_start(const hx_f_window *window, int way, const CFI_cdesc_t *target, const int *assertion,
                       int *ierr)
{
    hx_f_answer(with_ranks(window, way, target, assertion ? *assertion : 0, hx_window_start), ierr);
}

void hx_f_window_complete(const hx_f_window *window, int way, int *ierr)
{
    hx_f_answer(hx_window_complete(window->window, (hx_window_way)way), ierr);
}

void hx_f_window_wait(const hx_f_window *window, int way, int *ierr)
{
    hx_f_answer(hx_window_wait(window->window, (hx_window_way)way), ierr);
}

hx_status hx_f_window_test(const hx_f_window *window, int way, int *done)
{
    *done = 0;
    return hx_window_test(window->window, (hx_window_way)way, done);
}

hx_status hx_f_window_lock(const hx_f_window *window, int way, int target, int exclusive, int assertion)
{
    return hx_window_lock(window->window, (hx_window_way)way, target, exclusive, assertion);
}

void hx_f_window_unlock(const hx_f_window *window, int way, int target, int *ierr)
{
    hx_f_answer(hx_window_unlock(window->window, (hx_window_way)way, target), ierr);
}

void hx_f_window_lock_all(const hx_f_window *window, int way, const int *assertion, int *ierr)
{
    hx_f_answer(hx_window_lock_all(window->window, (hx_window_way)way, assertion ? *assertion : 0), ierr);
}

void hx_f_window_unlock_all(const hx_f_window *window, int way, int *ierr)
{
    hx_f_answer(hx_window_unlock_all(window->window, (hx_window_way)way), ierr);
}

void hx_f_window_flush(const hx_f_window *window, int way, int target, int *ierr)
{
    hx_f_answer(hx_window_flush(window->window, (hx_window_way)way, target), ierr);
}

void hx_f_window_flush_local(const hx_f_window *window, int way, int target, int *ierr)
{
    hx_f_answer(hx_window_flush_local(window->window, (hx_window_way)way, target), ierr);
}

void hx_f_window_sync(const hx_f_window *window, int way, int *ierr)
{
    hx_f_answer(hx_window_sync(window->window, (hx_window_way)way), ierr);
}
