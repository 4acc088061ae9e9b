/*
 * Processors: counting sets, and following what this process is bound to.
 */
#define _GNU_SOURCE /* sched_setaffinity */
#include "base/processors.h"

#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* As where there are more processors than the set has room for. */
static int refused;

int __real_sched_getaffinity(pid_t process, size_t size, cpu_set_t *set);
int __wrap_sched_getaffinity(pid_t process, size_t size, cpu_set_t *set);

int __wrap_sched_getaffinity(pid_t process, size_t size, cpu_set_t *set)
{
    const int result = __real_sched_getaffinity(process, size, set);
    return refused ? -1 : result;
}

static void none_are_known_where_the_system_does_not_tell(void **state)
{
    (void)state;
    refused = 1;
    const hxi_processors set = hxi_processors_mine();
    refused = 0;
    assert_int_equal(hxi_processors_count(&set), 0);
}

static void sets_are_counted(void **state)
{
    (void)state;
    hxi_processors set = {{0}};
    assert_int_equal(hxi_processors_count(&set), 0);
    set.bits[0] = 0x81;
    set.bits[HX_PROCESSOR_BYTES - 1] = 0xff;
    assert_int_equal(hxi_processors_count(&set), 10);
}

static void binding_is_followed(void **state)
{
    (void)state;
    const hxi_processors before = hxi_processors_mine();
    assert_true(hxi_processors_count(&before) >= 1);
    int first = 0;
    while ((before.bits[first / 8] >> first % 8 & 1) == 0) {
        ++first;
    }
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET((size_t)first, &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    const hxi_processors bound = hxi_processors_mine();
    assert_int_equal(hxi_processors_count(&bound), 1);
    assert_int_equal(bound.bits[first / 8], 1 << first % 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sets_are_counted),
        cmocka_unit_test(binding_is_followed),
        cmocka_unit_test(none_are_known_where_the_system_does_not_tell),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
