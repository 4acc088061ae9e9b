/*
 * The pool: alignment, size classes, reuse, counters, and threads.
 */
#include "pool.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void buffers_are_aligned_and_large_enough(void **state)
{
    (void)state;
    hx_pool *pool = hx_pool_make();
    for (size_t bytes = 0; bytes < 5000; bytes += 37) {
        const size_t before = hx_pool_count(pool).in_use;
        unsigned char *buffer = hx_pool_acquire(pool, bytes);
        assert_non_null(buffer);
        assert_int_equal((uintptr_t)buffer % 64, 0);
        memset(buffer, 0xff, bytes);
        const size_t taken = hx_pool_count(pool).in_use - before;
        assert_true(taken >= bytes && (bytes < 256 || taken <= bytes + bytes / 4));
        hx_pool_release(pool, buffer);
        assert_int_equal(hx_pool_count(pool).in_use, before);
    }
    hx_pool_free(pool);
}

static void released_buffers_are_used_again(void **state)
{
    (void)state;
    hx_pool *pool = hx_pool_make();
    void *first = hx_pool_acquire(pool, 1000);
    void *second = hx_pool_acquire(pool, 1000);
    assert_ptr_not_equal(first, second);
    const size_t most = hx_pool_count(pool).in_use;
    hx_pool_release(pool, first);
    assert_ptr_equal(hx_pool_acquire(pool, 1001), first);
    assert_int_equal(hx_pool_count(pool).reused, 1);
    assert_int_equal(hx_pool_count(pool).acquired, 3);
    hx_pool_release(pool, first);
    hx_pool_release(pool, second);
    hx_pool_release(pool, NULL);
    assert_int_equal(hx_pool_count(pool).idle, most);
    assert_int_equal(hx_pool_count(pool).high_water, most);
    hx_pool_trim(pool);
    assert_int_equal(hx_pool_count(pool).idle, 0);
    hx_pool_free(pool);
}

static void what_cannot_be_had_is_refused(void **state)
{
    (void)state;
    hx_pool *pool = hx_pool_make();
    assert_null(hx_pool_acquire(pool, SIZE_MAX));
    assert_null(hx_pool_acquire(pool, SIZE_MAX - 100));
    assert_null(hx_pool_acquire(pool, SIZE_MAX / 2 + 1));
    assert_int_equal(hx_pool_count(pool).in_use, 0);
    hx_pool_free(pool);
}

static void abandoned_buffers_stay_writable(void **state)
{
    (void)state;
    hx_pool *pool = hx_pool_make();
    unsigned char *buffer = hx_pool_acquire(pool, 500);
    hx_pool_abandon(pool, buffer);
    hx_pool_abandon(pool, NULL);
    assert_int_equal(hx_pool_count(pool).in_use, 0);
    void *other = hx_pool_acquire(pool, 500);
    assert_ptr_not_equal(other, buffer);
    hx_pool_release(pool, other);
    hx_pool_free(pool);
    memset(buffer, 1, 500);
}

static void *churn(void *pool)
{
    for (size_t i = 0; i < 2000; ++i) {
        unsigned char *buffer = hx_pool_acquire(pool, 100 + i % 700);
        if (!buffer) {
            return pool;
        }
        buffer[99] = (unsigned char)i;
        hx_pool_release(pool, buffer);
    }
    return NULL;
}

static void threads_share_a_pool(void **state)
{
    (void)state;
    hx_pool *pool = hx_pool_make();
    pthread_t thread[3];
    for (int i = 0; i < 3; ++i) {
        assert_int_equal(pthread_create(&thread[i], NULL, churn, pool), 0);
    }
    for (int i = 0; i < 3; ++i) {
        void *failed = NULL;
        pthread_join(thread[i], &failed);
        assert_null(failed);
    }
    assert_int_equal(hx_pool_count(pool).in_use, 0);
    assert_int_equal(hx_pool_count(pool).acquired, 6000);
    hx_pool_free(pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(buffers_are_aligned_and_large_enough),
        cmocka_unit_test(released_buffers_are_used_again),
        cmocka_unit_test(what_cannot_be_had_is_refused),
        cmocka_unit_test(abandoned_buffers_stay_writable),
        cmocka_unit_test(threads_share_a_pool),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
