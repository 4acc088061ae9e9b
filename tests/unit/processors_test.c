/*
 * Processors: counting sets, and following what this process is bound to.
 */
#define _GNU_SOURCE /* sched_setaffinity */
#include "processors.h"

#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void sets_are_counted(void **state)
{
    (void)state;
    hx_processors set = {{0}};
    assert_int_equal(hx_processors_count(&set), 0);
    set.bits[0] = 0x81;
    set.bits[HX_PROCESSOR_BYTES - 1] = 0xff;
    assert_int_equal(hx_processors_count(&set), 10);
}

static void binding_is_followed(void **state)
{
    (void)state;
    const hx_processors before = hx_processors_mine();
    assert_true(hx_processors_count(&before) >= 1);
    int first = 0;
    while ((before.bits[first / 8] >> first % 8 & 1) == 0) {
        ++first;
    }
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET((size_t)first, &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    const hx_processors bound = hx_processors_mine();
    assert_int_equal(hx_processors_count(&bound), 1);
    assert_int_equal(bound.bits[first / 8], 1 << first % 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sets_are_counted),
        cmocka_unit_test(binding_is_followed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
