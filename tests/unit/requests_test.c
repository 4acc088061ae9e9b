/*
 * How MPI is told about messages that an int cannot count.
 */
#include "base/status.h"
#include "transport/requests.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void short_messages_are_counted_in_bytes(void **state)
{
    (void)state;
    static const size_t sizes[] = {0, 1, 4096, HX_REQUESTS_MOST};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; ++i) {
        hxi_mpi_count count;
        assert_int_equal(hxi_requests_count(sizes[i], HX_REQUESTS_MOST, &count), HX_OK);
        assert_int_equal(count.unit, 1);
        assert_int_equal(count.count, sizes[i]);
    }
}

static void long_messages_have_larger_units(void **state)
{
    (void)state;
    static const size_t more[] = {1, 2, 1 << 20, (1 << 20) + 1, SIZE_MAX / 65536};
    for (size_t i = 0; i < sizeof more / sizeof more[0]; ++i) {
        const size_t bytes = HX_REQUESTS_MOST + more[i];
        hxi_mpi_count count;
        assert_int_equal(hxi_requests_count(bytes, HX_REQUESTS_MOST, &count), HX_OK);
        assert_true(count.unit > 1 && count.count > 0);
        const size_t sent = (size_t)count.count * (size_t)count.unit;
        assert_true(sent >= bytes && sent - bytes < (size_t)count.unit);
    }
}

static void endless_messages_are_refused(void **state)
{
    (void)state;
    hxi_mpi_count count;
    assert_int_equal(hxi_requests_count(SIZE_MAX, HX_REQUESTS_MOST, &count), HX_ERR_LIMIT);
    assert_non_null(strstr(hx_last_error(), "longer than what MPI can count"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(short_messages_are_counted_in_bytes),
        cmocka_unit_test(long_messages_have_larger_units),
        cmocka_unit_test(endless_messages_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
