/*
 * Pools, and their buffers as pointers of Fortran.
 */
#include "hx_fortran_glue.h"

#include <hx/pool.h>

#include <stdint.h>

void hx_f_pool_create(hx_f_pool *pool, const int *check, const hx_f_window *window, int *ierr);
void hx_f_pool_destroy(hx_f_pool *pool, int *ierr);
void hx_f_pool_offset(const hx_f_pool *pool, const CFI_cdesc_t *buffer, size_t *offset, int *ierr);
void hx_f_pool_trim(const hx_f_pool *pool, int *ierr);
void hx_f_pool_count(const hx_f_pool *pool, hx_pool_counters *counters, int *ierr);
void hx_f_pool_acquire_any(const hx_f_pool *pool, size_t bytes, void **buffer, int *ierr);
void hx_f_pool_release_any(const hx_f_pool *pool, void **buffer, int *ierr);

/* ---- the pool ---- */

void hx_f_pool_create(hx_f_pool *pool, const int *check, const hx_f_window *window, int *ierr)
{
    const int checked = check ? *check : 0;
    hx_status status = HX_OK;
    if (pool->pool) {
        status = hx_f_refuse(HX_ERR_STATE, "hx_pool_create: pool is in use; destroy it first");
    } else if (window) {
        status = hx_pool_create_in(window->window, checked, &pool->pool);
    } else {
        status = hx_pool_create(checked, &pool->pool);
    }
    hx_f_answer(status, ierr);
}

/* One with buffers in use stays; else it is gone, also where a buffer was written to after its release. */
void hx_f_pool_destroy(hx_f_pool *pool, int *ierr)
{
    hx_pool_counters counters = {0};
    if (pool->pool) {
        hx_pool_count(pool->pool, &counters);
    }
    const hx_status status = hx_pool_destroy(pool->pool);
    if (counters.held == 0) {
        pool->pool = NULL;
    }
    hx_f_answer(status, ierr);
}

void hx_f_pool_offset(const hx_f_pool *pool, const CFI_cdesc_t *buffer, size_t *offset, int *ierr)
{
    hx_f_answer(hx_pool_offset(pool->pool, buffer->base_addr, offset), ierr);
}

void hx_f_pool_trim(const hx_f_pool *pool, int *ierr)
{
    hx_f_answer(hx_pool_trim(pool->pool), ierr);
}

void hx_f_pool_count(const hx_f_pool *pool, hx_pool_counters *counters, int *ierr)
{
    hx_f_answer(hx_pool_count(pool->pool, counters), ierr);
}

/* ---- buffers ---- */

static const char acquire[] = "hx_pool_acquire";

/* The extents that a pointer is to have, and the bytes that these take. */
static hx_status find_extents(const CFI_cdesc_t *given, const CFI_cdesc_t *pointer, CFI_index_t extent[],
                              size_t *bytes)
{
    if (given->dim[0].extent != pointer->rank) {
        return hx_f_refuse(HX_ERR_ARGUMENT, "%s: extent has %td element%s, the pointer has rank %d", acquire,
                           given->dim[0].extent, given->dim[0].extent == 1 ? "" : "s", (int)pointer->rank);
    }
    *bytes = pointer->elem_len;
    for (int d = 0; d < pointer->rank; ++d) {
        const int points = *(const int *)((const char *)given->base_addr + d * given->dim[0].sm);
        if (points < 0 || (points > 0 && *bytes > PTRDIFF_MAX / (size_t)points)) {
            return hx_f_refuse(HX_ERR_ARGUMENT, "%s: extent %d of the pointer cannot be %d", acquire, d + 1,
                               points);
        }
        extent[d] = points;
        *bytes *= (size_t)points;
    }
    return HX_OK;
}

static hx_status acquire_array(const hx_f_pool *pool, const CFI_cdesc_t *given, CFI_cdesc_t *pointer,
                               const CFI_cdesc_t *lower)
{
    size_t bytes = 0;
    void *buffer = NULL;
    CFI_index_t extent[CFI_MAX_RANK];
    CFI_setpointer(pointer, NULL, NULL);
    hx_status status = find_extents(given, pointer, extent, &bytes);
    status = status == HX_OK ? hx_pool_acquire(pool->pool, bytes, &buffer) : status;
    if (status == HX_OK) {
        status = hx_f_aim(acquire, buffer, extent, pointer, lower);
        if (status != HX_OK) {
            hx_pool_release(pool->pool, buffer);
        }
    }
    return status;
}

static hx_status release_array(const hx_f_pool *pool, CFI_cdesc_t *pointer)
{
    const hx_status status = hx_pool_release(pool->pool, pointer->base_addr);
    if (status == HX_OK) {
        CFI_setpointer(pointer, NULL, NULL);
    }
    return status;
}

#define BUFFERS_OF(kind)                                                                                     \
    void hx_f_pool_acquire_##kind(const hx_f_pool *pool, const CFI_cdesc_t *extent, CFI_cdesc_t *buffer,     \
                                  const CFI_cdesc_t *lower, int *ierr);                                      \
    void hx_f_pool_acquire_##kind(const hx_f_pool *pool, const CFI_cdesc_t *extent, CFI_cdesc_t *buffer,     \
                                  const CFI_cdesc_t *lower, int *ierr)                                       \
    {                                                                                                        \
        hx_f_answer(acquire_array(pool, extent, buffer, lower), ierr);                                       \
    }                                                                                                        \
    void hx_f_pool_release_##kind(const hx_f_pool *pool, CFI_cdesc_t *buffer, int *ierr);                    \
    void hx_f_pool_release_##kind(const hx_f_pool *pool, CFI_cdesc_t *buffer, int *ierr)                     \
    {                                                                                                        \
        hx_f_answer(release_array(pool, buffer), ierr);                                                      \
    }

BUFFERS_OF(float)
BUFFERS_OF(double)
BUFFERS_OF(int8)
BUFFERS_OF(int16)
BUFFERS_OF(int32)
BUFFERS_OF(int64)
BUFFERS_OF(bool)
BUFFERS_OF(float_complex)
BUFFERS_OF(double_complex)

void hx_f_pool_acquire_any(const hx_f_pool *pool, size_t bytes, void **buffer, int *ierr)
{
    *buffer = NULL;
    hx_f_answer(hx_pool_acquire(pool->pool, bytes, buffer), ierr);
}

void hx_f_pool_release_any(const hx_f_pool *pool, void **buffer, int *ierr)
{
    const hx_status status = hx_pool_release(pool->pool, *buffer);
    if (status == HX_OK) {
        *buffer = NULL;
    }
    hx_f_answer(status, ierr);
}
