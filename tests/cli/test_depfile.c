/* Make-escaping. */
#include "check.h"

#include "depfile.h"

static void paths_are_escaped(void **state)
{
    (void)state;
    static const struct {
        const char *path, *escaped;
    } cases[] = {
        {"out/a.h", "out/a.h"}, {"my dir/a.h", "my\\ dir/a.h"}, {"a#b$c", "a\\#b$$c"},
        {"a\\b", "a\\b"},       {"a\\ b", "a\\\\\\ b"},         {"tab\there", "tab\\\there"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        struct text rule = {0};
        depfile_add_path(&rule, cases[i].path);
        assert_text(&rule, cases[i].escaped);
    }
}

static void a_rule_is_one_line(void **state)
{
    (void)state;
    char *targets[] = {"o/a.h", "o/a.c"}, *prerequisites[] = {"a.lua", "b c.lua"};
    struct text rule = {0};
    depfile_add_rule(&rule, targets, 2, prerequisites, 2);
    assert_text(&rule, "o/a.h o/a.c: a.lua b\\ c.lua\n");
    depfile_add_rule(&rule, targets, 1, NULL, 0);
    assert_text(&rule, "o/a.h:\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(paths_are_escaped),
        cmocka_unit_test(a_rule_is_one_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
