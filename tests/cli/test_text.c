/* UTF-8: what is valid, what may be shown, what JSON gets. */
#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* AddressSanitizer refuses as the system does. */
const char *__asan_default_options(void);

const char *__asan_default_options(void)
{
    return "allocator_may_return_null=1";
}

static void no_memory_ends_the_program_in_words(void **state)
{
    (void)state;
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        volatile size_t size = PTRDIFF_MAX;
        dup2(ends[1], STDERR_FILENO);
        memory_resize(NULL, size);
        exit(0);
    }
    close(ends[1]);
    char said[1000] = "";
    for (size_t length = 0; length < sizeof said - 1;) {
        ssize_t count = read(ends[0], said + length, sizeof said - 1 - length);
        if (count <= 0) {
            break;
        }
        length += (size_t)count;
    }
    close(ends[0]);
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 3);
    assert_non_null(strstr(said, "halogen: out of memory\n"));
}

static void only_valid_characters_count(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        size_t length;
        uint32_t code;
    } cases[] = {
        {"a", 1, 'a'},
        {"\xC3\xA9", 2, 0xE9},
        {"\xE2\x82\xAC", 3, 0x20AC},
        {"\xF0\x9F\x98\x80", 4, 0x1F600},
        {"\xC0\x80", 0, 0},         /* longer than needed */
        {"\xE0\x80\x80", 0, 0},     /* the same */
        {"\xED\xA0\x80", 0, 0},     /* half of a surrogate pair */
        {"\xF4\x90\x80\x80", 0, 0}, /* beyond the last character */
        {"\xE2\x82", 0, 0},         /* cut short */
        {"\xC3(", 0, 0},
        {"\x80", 0, 0},
        {"\xFF", 0, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        uint32_t code = 0;
        assert_int_equal(utf8_character(cases[i].bytes, strlen(cases[i].bytes), &code), cases[i].length);
        assert_int_equal(code, cases[i].code);
    }
}

static void a_clip_leaves_whole_characters(void **state)
{
    (void)state;
    static const char text[] = "a\xE2\x82\xAC"
                               "b";
    static const size_t expected[] = {0, 1, 1, 1, 4, 5, 5};
    for (size_t limit = 0; limit < sizeof expected / sizeof expected[0]; ++limit) {
        assert_int_equal(utf8_clip(text, 5, limit), expected[limit]);
    }
}

static void what_does_not_show_is_escaped(void **state)
{
    (void)state;
    static const struct {
        const char *bytes, *visible, *json;
    } cases[] = {
        {"plain \xC3\xA9", "plain \xC3\xA9", "plain \xC3\xA9"},
        {"\33[31m", "\\x1b[31m", "\\u001b[31m"},
        {"a\tb\nc", "a    b\\nc", "a\\u0009b\\u000ac"},
        {"\xE2\x80\xAE", "\\u{202e}", "\\u202e"}, /* turns the text around */
        {"\xFF\xFE", "\\xff\\xfe", "\\ufffd\\ufffd"},
        {"\"\\", "\"\\", "\\\"\\\\"},
        {"\x7F", "\\x7f", "\\u007f"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        hg_text visible = {0}, json = {0};
        text_add_visible(&visible, cases[i].bytes, strlen(cases[i].bytes));
        text_add_json(&json, cases[i].bytes, strlen(cases[i].bytes));
        assert_text(&visible, cases[i].visible);
        assert_text(&json, cases[i].json);
    }
}

static void paths_join_with_one_slash(void **state)
{
    (void)state;
    static const char *const directories[] = {"out", "out/"};
    for (size_t i = 0; i < 2; ++i) {
        hg_text path = {.bytes = path_join(directories[i], "a.h")};
        assert_text(&path, "out/a.h");
    }
    assert_int_equal(path_directory("a.lua"), 0);
    assert_int_equal(path_directory("x/y/a.lua"), 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_memory_ends_the_program_in_words),
        cmocka_unit_test(only_valid_characters_count),
        cmocka_unit_test(a_clip_leaves_whole_characters),
        cmocka_unit_test(what_does_not_show_is_escaped),
        cmocka_unit_test(paths_join_with_one_slash),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
