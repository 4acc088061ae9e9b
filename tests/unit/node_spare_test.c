/*
 * Memory that handles of a line hand on, where threads end two of them at once: the last one to leave closes the piece that
 * the other one has left.  Linked with --wrap, so that locks and closed pieces pass through here.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "comm/node_spare.h"

#include <pthread.h>

enum { FIRST = 3, PIECE = 5, NEXT = 7, NUMBERS };

static hxi_node_spare *spare;
static int locks; /* so many from now on another thread comes in between, and its handle ends; 0: never */
static int closed[NUMBERS]; /* pieces, by their numbers; 0: none */
static bool shares;         /* the system does */
static size_t asked;        /* bytes, the last time */

int __real_pthread_mutex_lock(pthread_mutex_t *mutex);
int __wrap_pthread_mutex_lock(pthread_mutex_t *mutex);
void __wrap_hxi_node_memory_close(hxi_node_memory *memory);
hx_status __wrap_hxi_node_memory_open(const hxi_topology *topology, size_t bytes, bool share,
                                      hxi_node_memory *memory);

int __wrap_pthread_mutex_lock(pthread_mutex_t *mutex)
{
    if (locks > 0 && --locks == 0) {
        hxi_node_spare_leave(spare, NULL);
    }
    return __real_pthread_mutex_lock(mutex);
}

void __wrap_hxi_node_memory_close(hxi_node_memory *memory)
{
    closed[memory->number]++;
    *memory = (hxi_node_memory){0};
}

/* Of two ranks, this one and another that asks for as much. */
hx_status __wrap_hxi_node_memory_open(const hxi_topology *topology, size_t bytes, bool share,
                                      hxi_node_memory *memory)
{
    (void)topology;
    asked = bytes;
    *memory = (hxi_node_memory){.shared = share && shares, .number = share && shares ? FIRST : 0};
    return HX_OK;
}

static void end(uint64_t number)
{
    hxi_node_memory memory = {.shared = true, .number = number};
    hxi_node_spare_leave(spare, &memory);
    assert_int_equal(memory.number, 0);
}

/* The second lock is none where a handle takes one only. */
static void test_two_at_once(void **state)
{
    (void)state;
    closed[PIECE] = 0;
    hxi_node_spare_join(&spare);
    assert_non_null(spare);
    locks = 2;
    end(PIECE);
    if (locks > 0) {
        locks = 0;
        hxi_node_spare_leave(spare, NULL);
    }
    assert_int_equal(closed[PIECE], 1);
    spare = NULL;
}

static void test_one_by_one(void **state)
{
    (void)state;
    closed[PIECE] = closed[NEXT] = 0;
    hxi_node_spare_join(&spare);
    hxi_node_spare_join(&spare);
    end(PIECE);
    assert_int_equal(closed[PIECE], 0);
    end(NEXT);
    assert_int_equal(closed[PIECE], 1);
    assert_int_equal(closed[NEXT], 0);
    hxi_node_spare_leave(spare, NULL);
    assert_int_equal(closed[NEXT], 1);
    spare = NULL;
}

/* A handle makes the first piece: more than it has itself.  The next one leaves another, and the first one goes. */
static void test_first_piece(void **state)
{
    (void)state;
    shares = true;
    closed[FIRST] = closed[PIECE] = 0;
    assert_int_equal(hxi_node_spare_make(NULL, 1000, &spare), HX_OK);
    assert_int_equal(asked, 1250);
    hxi_node_spare_join(&spare);
    assert_int_equal(closed[FIRST], 0);
    end(PIECE);
    assert_int_equal(closed[FIRST], 1);
    assert_int_equal(closed[PIECE], 0);
    hxi_node_spare_leave(spare, NULL);
    assert_int_equal(closed[PIECE], 1);
    spare = NULL;
}

/* A lot of memory is not kept for who may never come, nor what a rank would have alone. */
static void test_no_first_piece(void **state)
{
    (void)state;
    for (int large = 0; large < 2; ++large) {
        shares = large == 1;
        closed[0] = closed[FIRST] = 0;
        assert_int_equal(hxi_node_spare_make(NULL, large ? (size_t)4 << 20 : 1000, &spare), HX_OK);
        assert_int_equal(asked, large ? 0 : 1250);
        assert_int_equal(closed[0], 1);
        hxi_node_spare_leave(spare, NULL);
        assert_int_equal(closed[FIRST], 0);
        spare = NULL;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_first_piece),
        cmocka_unit_test(test_no_first_piece),
        cmocka_unit_test(test_two_at_once),
        cmocka_unit_test(test_one_by_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
