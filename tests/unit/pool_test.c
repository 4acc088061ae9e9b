/*
 * The pool: alignment, size classes, reuse, counters, misuse in words, huge pages, and threads.
 */
#include "memory/pool.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static hx_pool *make_pool(int check)
{
    hx_pool *pool = NULL;
    assert_int_equal(hx_pool_create(check, &pool), HX_OK);
    return pool;
}

static unsigned char *take(hx_pool *pool, size_t bytes)
{
    void *buffer = NULL;
    assert_int_equal(hx_pool_acquire(pool, bytes, &buffer), HX_OK);
    assert_non_null(buffer);
    return buffer;
}

static void give(hx_pool *pool, void *buffer)
{
    assert_int_equal(hx_pool_release(pool, buffer), HX_OK);
}

static hx_pool_counters count(hx_pool *pool)
{
    hx_pool_counters counters;
    assert_int_equal(hx_pool_count(pool, &counters), HX_OK);
    return counters;
}

static void end_pool(hx_pool *pool)
{
    assert_int_equal(hx_pool_destroy(pool), HX_OK);
}

static void buffers_are_aligned_and_large_enough(void **state)
{
    (void)state;
    hx_pool *pool = make_pool(0);
    for (size_t bytes = 0; bytes < 5000; bytes += 37) {
        const size_t before = count(pool).in_use;
        unsigned char *buffer = take(pool, bytes);
        assert_int_equal((uintptr_t)buffer % 64, 0);
        memset(buffer, 0xff, bytes);
        const size_t taken = count(pool).in_use - before;
        assert_true(taken >= bytes && (bytes < 256 || taken <= bytes + bytes / 4));
        give(pool, buffer);
        assert_int_equal(count(pool).in_use, before);
    }
    end_pool(pool);
}

static void released_buffers_are_used_again(void **state)
{
    (void)state;
    hx_pool *pool = make_pool(0);
    void *first = take(pool, 1000);
    void *second = take(pool, 1000);
    assert_ptr_not_equal(first, second);
    const size_t most = count(pool).in_use;
    assert_int_equal(count(pool).held, 2);
    give(pool, first);
    assert_ptr_equal(take(pool, 1001), first);
    assert_int_equal(count(pool).reused, 1);
    assert_int_equal(count(pool).acquired, 3);
    give(pool, first);
    give(pool, second);
    give(pool, NULL);
    assert_int_equal(count(pool).held, 0);
    assert_int_equal(count(pool).idle, most);
    assert_int_equal(count(pool).high_water, most);
    assert_int_equal(hx_pool_trim(pool), HX_OK);
    assert_int_equal(count(pool).idle, 0);
    end_pool(pool);
}

static void what_cannot_be_had_is_refused(void **state)
{
    (void)state;
    static const size_t much[] = {SIZE_MAX, SIZE_MAX - 100, SIZE_MAX / 2 + 1};
    hx_pool *pool = make_pool(0);
    for (size_t i = 0; i < sizeof much / sizeof much[0]; ++i) {
        void *buffer = pool;
        assert_int_equal(hx_pool_acquire(pool, much[i], &buffer), HX_ERR_MEMORY);
        assert_null(buffer);
    }
    assert_int_equal(count(pool).in_use, 0);
    end_pool(pool);
}

static void abandoned_buffers_stay_writable(void **state)
{
    (void)state;
    hx_pool *pool = make_pool(0);
    unsigned char *buffer = take(pool, 500);
    hxi_pool_abandon(pool, buffer);
    hxi_pool_abandon(pool, NULL);
    assert_int_equal(count(pool).in_use, 0);
    void *other = take(pool, 500);
    assert_ptr_not_equal(other, buffer);
    give(pool, other);
    end_pool(pool);
    memset(buffer, 1, 500);
}

static void refused(hx_status got, hx_status expected, const char *words)
{
    assert_int_equal(got, expected);
    assert_non_null(strstr(hx_last_error(), words));
}

static void what_is_no_buffer_is_refused(void **state)
{
    (void)state;
    hx_pool *pool = make_pool(0);
    hx_pool *other = make_pool(0);
    void *foreign = take(other, 1000);
    unsigned char *buffer = take(pool, 1000);
    /* Nothing at these addresses may be looked at. */
    void *const strangers[] = {foreign,    buffer + 1, buffer + 64,        &pool,
                               (void *)64, (void *)1,  (void *)UINTPTR_MAX};
    for (size_t i = 0; i < sizeof strangers / sizeof strangers[0]; ++i) {
        refused(hx_pool_release(pool, strangers[i]), HX_ERR_ARGUMENT, "is no buffer of this pool");
    }
    assert_int_equal(count(pool).held, 1);
    refused(hx_pool_destroy(pool), HX_ERR_STATE, "1 buffer of the pool, ");
    refused(
        hx_pool_destroy(pool), HX_ERR_STATE,
        " bytes, is in use; release what was acquired, and destroy the handles that use it, before the pool.");
    give(other, foreign);
    give(pool, buffer);
    refused(hx_pool_release(pool, buffer), HX_ERR_STATE, "for the second time");
    assert_int_equal(hx_pool_trim(pool), HX_OK);
    refused(hx_pool_release(pool, buffer), HX_ERR_ARGUMENT, "is no buffer of this pool");
    end_pool(pool);
    end_pool(other);
}

static void null_pointers_are_refused(void **state)
{
    (void)state;
    hx_pool *pool = make_pool(0);
    void *buffer = NULL;
    hx_pool_counters counters;
    refused(hx_pool_create(0, NULL), HX_ERR_ARGUMENT, "hx_pool_create");
    refused(hx_pool_acquire(NULL, 1, &buffer), HX_ERR_ARGUMENT, "pool given to hx_pool_acquire");
    refused(hx_pool_acquire(pool, 1, NULL), HX_ERR_ARGUMENT, "place for the answer given to hx_pool_acquire");
    refused(hx_pool_release(NULL, pool), HX_ERR_ARGUMENT, "hx_pool_release");
    refused(hx_pool_trim(NULL), HX_ERR_ARGUMENT, "hx_pool_trim");
    refused(hx_pool_count(NULL, &counters), HX_ERR_ARGUMENT, "hx_pool_count");
    refused(hx_pool_count(pool, NULL), HX_ERR_ARGUMENT, "hx_pool_count");
    assert_int_equal(hx_pool_destroy(NULL), HX_OK);
    end_pool(pool);
}

static void a_pool_in_use_is_not_destroyed(void **state)
{
    (void)state;
    hx_pool *pool = make_pool(0);
    unsigned char *one = take(pool, 300);
    void *two = take(pool, 300);
    refused(hx_pool_destroy(pool), HX_ERR_STATE, "2 buffers of the pool, 640 bytes, are in use");
    give(pool, two);
    refused(hx_pool_destroy(pool), HX_ERR_STATE, "1 buffer of the pool, 320 bytes, is in use");
    memset(one, 1, 300);
    give(pool, one);
    end_pool(pool);
}

/* Writes to a buffer after its release: the first byte, the last of its size class, or one between. */
static hx_pool *spoil(size_t at)
{
    hx_pool *pool = make_pool(1);
    unsigned char *buffer = take(pool, 1000);
    memset(buffer, 1, 1000);
    give(pool, buffer);
    buffer[at] ^= 4;
    return pool;
}

static void use_after_release_is_found_out(void **state)
{
    (void)state;
    static const size_t places[] = {0, 1, 500, 1023};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; ++i) {
        char words[64];
        snprintf(words, sizeof words, "its byte %zu is", places[i]);
        void *buffer = NULL;
        hx_pool *pool = spoil(places[i]);
        refused(hx_pool_acquire(pool, 1000, &buffer), HX_ERR_STATE, words);
        assert_null(buffer);
        give(pool, take(pool, 1000));
        assert_int_equal(count(pool).reused, 0);
        end_pool(pool);

        pool = spoil(places[i]);
        refused(hx_pool_trim(pool), HX_ERR_STATE, words);
        assert_int_equal(count(pool).idle, 0);
        end_pool(pool);

        refused(hx_pool_destroy(spoil(places[i])), HX_ERR_STATE, words);
    }
}

static void checked_buffers_are_used_again(void **state)
{
    (void)state;
    hx_pool *pool = make_pool(1);
    for (int i = 0; i < 5; ++i) {
        unsigned char *buffer = take(pool, 3000);
        memset(buffer, i, 3000);
        give(pool, buffer);
    }
    assert_int_equal(count(pool).reused, 4);
    end_pool(pool);
}

/* Are huge pages asked for where an address is?  -1: the system does not tell. */
static int asks_for_huge_pages(const void *address)
{
    FILE *maps = fopen("/proc/self/smaps", "r");
    char line[512];
    int inside = 0;
    int asked = -1;
    while (maps && fgets(line, sizeof line, maps)) {
        char *end = NULL;
        const uintptr_t from = (uintptr_t)strtoull(line, &end, 16);
        if (end > line && *end == '-') {
            const uintptr_t to = (uintptr_t)strtoull(end + 1, NULL, 16);
            inside = from <= (uintptr_t)address && (uintptr_t)address < to;
        } else if (inside && strncmp(line, "VmFlags:", 8) == 0) {
            asked = strstr(line, " hg") != NULL;
        }
    }
    if (maps) {
        fclose(maps);
    }
    return asked;
}

static void large_buffers_get_huge_pages(void **state)
{
    (void)state;
    hx_pool *pool = make_pool(0);
    unsigned char *small = take(pool, 100000);
    unsigned char *large = take(pool, 10000000);
    const int asked = asks_for_huge_pages(large + 5000000);
    FILE *known = fopen("/sys/kernel/mm/transparent_hugepage/enabled", "r");
    if (known && asked >= 0) {
        assert_int_equal(asked, 1);
        assert_int_equal(asks_for_huge_pages(small), 0);
    } else {
        print_message("this system has no huge pages, or does not tell\n");
    }
    if (known) {
        fclose(known);
    }
    memset(large, 1, 10000000);
    give(pool, large);
    give(pool, small);
    end_pool(pool);
}

static void *churn(void *pool)
{
    for (size_t i = 0; i < 2000; ++i) {
        void *buffer = NULL;
        if (hx_pool_acquire(pool, 100 + i % 700, &buffer) != HX_OK) {
            return pool;
        }
        memset(buffer, (int)i, 100);
        if (hx_pool_release(pool, buffer) != HX_OK) {
            return pool;
        }
    }
    return NULL;
}

/* One acquires what another releases. */
static void *release_one(void *pool_and_buffer)
{
    void **both = pool_and_buffer;
    return hx_pool_release(both[0], both[1]) == HX_OK ? NULL : both;
}

static void threads_share_a_pool(void **state)
{
    (void)state;
    hx_pool *pool = make_pool(1);
    pthread_t thread[3];
    for (int i = 0; i < 3; ++i) {
        assert_int_equal(pthread_create(&thread[i], NULL, churn, pool), 0);
    }
    for (int i = 0; i < 3; ++i) {
        void *failed = NULL;
        pthread_join(thread[i], &failed);
        assert_null(failed);
    }
    assert_int_equal(count(pool).in_use, 0);
    assert_int_equal(count(pool).acquired, 6000);
    void *both[] = {pool, take(pool, 100)};
    void *failed = NULL;
    assert_int_equal(pthread_create(&thread[0], NULL, release_one, both), 0);
    pthread_join(thread[0], &failed);
    assert_null(failed);
    end_pool(pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(buffers_are_aligned_and_large_enough),
        cmocka_unit_test(released_buffers_are_used_again),
        cmocka_unit_test(what_cannot_be_had_is_refused),
        cmocka_unit_test(abandoned_buffers_stay_writable),
        cmocka_unit_test(what_is_no_buffer_is_refused),
        cmocka_unit_test(null_pointers_are_refused),
        cmocka_unit_test(a_pool_in_use_is_not_destroyed),
        cmocka_unit_test(use_after_release_is_found_out),
        cmocka_unit_test(checked_buffers_are_used_again),
        cmocka_unit_test(large_buffers_get_huge_pages),
        cmocka_unit_test(threads_share_a_pool),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
