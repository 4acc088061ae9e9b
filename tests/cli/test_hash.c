/* The published vectors of FNV-1a, 64 bits. */
#include "check.h"

#include "base/hash.h"

#include <string.h>

static void published_vectors(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint64_t hash;
    } vectors[] = {
        {"", UINT64_C(0xcbf29ce484222325)},       {"a", UINT64_C(0xaf63dc4c8601ec8c)},
        {"foobar", UINT64_C(0x85944171f73967e8)}, {"chongo was here!\n", UINT64_C(0x46810940eff5f915)},
        {"\xff", UINT64_C(0xaf64724c8602eb6e)},
    };
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; ++i) {
        assert_int_equal(hash_bytes(vectors[i].text, strlen(vectors[i].text)), vectors[i].hash);
    }
}

static void digits_keep_leading_zeros(void **state)
{
    (void)state;
    char digits[HASH_DIGITS + 1];
    hash_text("a", 1, digits);
    assert_string_equal(digits, "af63dc4c8601ec8c");
    hash_text("\xd5\x6b\xb9\x53\x42\x87\x08\x36", 8, digits); /* the published input of hash 0 */
    assert_string_equal(digits, "0000000000000000");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(published_vectors),
        cmocka_unit_test(digits_keep_leading_zeros),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
