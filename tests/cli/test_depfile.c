/* Make-escaping. */
#include "check.h"

#include "cli/depfile.h"

#include <stdlib.h>

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
        hg_text rule = {0};
        depfile_add_path(&rule, cases[i].path);
        assert_text(&rule, cases[i].escaped);
    }
}

static void what_was_read_besides_the_spec_may_go(void **state)
{
    (void)state;
    char *targets[] = {"o/a.h", "o/a.c"}, *prerequisites[] = {"a.lua", "b c.lua", "d.tmpl"};
    hg_text rule = {0};
    depfile_add_rule(&rule, targets, 2, prerequisites, 3, 1);
    assert_text(&rule, "o/a.h o/a.c: a.lua b\\ c.lua d.tmpl\nb\\ c.lua:\nd.tmpl:\n");
    depfile_add_rule(&rule, targets, 1, prerequisites, 1, 0);
    assert_text(&rule, "o/a.h: a.lua\na.lua:\n");
    depfile_add_rule(&rule, targets, 1, NULL, 0, 0);
    assert_text(&rule, "o/a.h:\n");
}

static void assert_target(const char *text, const char *expected)
{
    hg_text rule = {0};
    text_puts(&rule, text);
    char *target = depfile_target(&rule);
    if (expected) {
        assert_non_null(target);
        assert_string_equal(target, expected);
    } else {
        assert_null(target);
    }
    free(target);
    text_free(&rule);
}

static void rules_are_recognised(void **state)
{
    (void)state;
    static const char *const paths[] = {"a.h", "my dir/a#b$c.h", "a\\b\\ c", "tab\there"};
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; ++i) {
        char *targets[] = {text_copy(paths[i]), "b.h"}, *prerequisites[] = {"a.lua", "b.lua"};
        hg_text rule = {0};
        depfile_add_rule(&rule, targets, 2, prerequisites, 2, 1);
        assert_target(rule.bytes, paths[i]);
        text_free(&rule);
        free(targets[0]);
    }
    assert_target("a.h: a.lua\n", "a.h");
    assert_target("a.h: a.lua\n\thalogen a.lua\n", NULL);
    assert_target("a.h: a.lua\n\tall:\n", NULL);
    assert_target("a.h: a.lua\nb.h: b.lua\n", NULL);
    assert_target("a.h: a.lua\n\n", NULL);
    assert_target("a.h: a.lua", NULL);
    assert_target("CC = gcc\n", NULL);
    assert_target(": a.lua\n", NULL);
    assert_target("\n", NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(paths_are_escaped),
        cmocka_unit_test(what_was_read_besides_the_spec_may_go),
        cmocka_unit_test(rules_are_recognised),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
