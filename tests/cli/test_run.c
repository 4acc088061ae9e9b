/* A child that the system refuses to start. */
#include "check.h"

#include "cli/options.h"
#include "run.h"

#include <errno.h>
#include <sys/types.h>

pid_t __wrap_fork(void);

pid_t __wrap_fork(void)
{
    errno = EAGAIN;
    return -1;
}

static void no_child_is_an_internal_error(void **state)
{
    (void)state;
    static const hg_options options;
    hg_run *run = run_generator(&options);
    assert_int_equal(run->code, EXIT_INTERNAL);
    assert_string_equal(run->internal.bytes, "fork: Resource temporarily unavailable");
    assert_int_equal(run->diag_count, 0);
    run_free(run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(no_child_is_an_internal_error)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
