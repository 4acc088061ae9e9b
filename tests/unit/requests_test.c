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
        hxi_extent extent;
        assert_int_equal(hxi_requests_extent(sizes[i], HX_REQUESTS_MOST, &extent), HX_OK);
        assert_int_equal(extent.unit, 1);
        assert_int_equal(extent.count, sizes[i]);
    }
}

static void long_messages_have_larger_units(void **state)
{
    (void)state;
    static const size_t more[] = {1, 2, 1 << 20, (1 << 20) + 1, SIZE_MAX / 65536};
    for (size_t i = 0; i < sizeof more / sizeof more[0]; ++i) {
        const size_t bytes = HX_REQUESTS_MOST + more[i];
        hxi_extent extent;
        assert_int_equal(hxi_requests_extent(bytes, HX_REQUESTS_MOST, &extent), HX_OK);
        assert_true(extent.unit > 1 && extent.count > 0);
        const size_t sent = (size_t)extent.count * (size_t)extent.unit;
        assert_true(sent >= bytes && sent - bytes < (size_t)extent.unit);
    }
}

static void endless_messages_are_refused(void **state)
{
    (void)state;
    hxi_extent extent;
    assert_int_equal(hxi_requests_extent(SIZE_MAX, HX_REQUESTS_MOST, &extent), HX_ERR_LIMIT);
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
