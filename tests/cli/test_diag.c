/* How diagnostics look. */
#include "check.h"

#include "cli/diag.h"

#include <string.h>

static hg_text words(const char *string)
{
    hg_text text = {0};
    text_puts(&text, string);
    return text;
}

struct place {
    uint32_t line, column, length;
};

static hg_remark remark(hg_severity severity, const char *code, struct place place, const char *message,
                        const char *help)
{
    return (hg_remark){severity,    place.line,     place.column,   place.length,
                       words(code), words("a.lua"), words(message), words(help)};
}

/* Renders a diagnostic about the one source a.lua, and frees it. */
static void assert_rendered(hg_diag *diag, const char *source, const char *expected)
{
    hg_source sources[] = {{.path = "a.lua", .text = words(source)}};
    hg_text out = {0};
    diag_text(&out, diag, sources, 1, false);
    assert_text(&out, expected);
    text_free(&sources[0].text);
    diag_free(diag);
}

static void the_place_is_marked(void **state)
{
    (void)state;
    hg_diag diag = {.head = remark(SEVERITY_ERROR, "HG1", (struct place){2, 8, 5}, "no such axis", "use x")};
    assert_rendered(&diag, "first\nlocal  halos = 1\n",
                    "a.lua:2:8: error: no such axis [HG1]\n"
                    "    2 | local  halos = 1\n"
                    "      |        ^~~~~\n"
                    "  help: use x\n");
}

static void notes_have_places_of_their_own(void **state)
{
    (void)state;
    hg_diag diag = {.head = remark(SEVERITY_WARNING, "HG2", (struct place){1, 1, 1}, "twice", ""),
                    .note_count = 1};
    diag.notes[0] = remark(SEVERITY_NOTE, "", (struct place){2, 0, 0}, "first here", "");
    assert_rendered(&diag, "a\nb",
                    "a.lua:1:1: warning: twice [HG2]\n"
                    "    1 | a\n"
                    "      | ^\n"
                    "a.lua:2: note: first here\n"
                    "    2 | b\n");
}

/* Columns count bytes; the mark must stand under what is shown. */
static void marks_follow_what_is_shown(void **state)
{
    (void)state;
    hg_diag diag = {.head = remark(SEVERITY_ERROR, "HG3", (struct place){1, 6, 4}, "m", "")};
    assert_rendered(&diag, "\t\xC3\xA9\33 \xE2\x82\xAC!x",
                    "a.lua:1:6: error: m [HG3]\n"
                    "    1 |     \xC3\xA9\\x1b \xE2\x82\xAC!x\n"
                    "      |           ^~\n");
}

static void places_beyond_the_text_do_no_harm(void **state)
{
    (void)state;
    hg_diag beyond_line = {.head = remark(SEVERITY_ERROR, "HG4", (struct place){9, 1, 1}, "m", "")};
    assert_rendered(&beyond_line, "a\n", "a.lua:9:1: error: m [HG4]\n");
    hg_diag beyond_column = {.head = remark(SEVERITY_ERROR, "HG4", (struct place){1, 9, 3}, "m", "")};
    assert_rendered(&beyond_column, "abc\n",
                    "a.lua:1:9: error: m [HG4]\n"
                    "    1 | abc\n"
                    "      |    ^\n");
    hg_diag huge = {
        .head = remark(SEVERITY_ERROR, "HG4", (struct place){UINT32_MAX, UINT32_MAX, UINT32_MAX}, "m", "")};
    assert_rendered(&huge, "", "a.lua:4294967295:4294967295: error: m [HG4]\n");
}

static void long_lines_are_cut(void **state)
{
    (void)state;
    hg_text line = {0}, out = {0};
    text_fill(&line, 'a', 100000);
    hg_source sources[] = {{.path = "a.lua", .text = line}};
    hg_diag diag = {.head = remark(SEVERITY_ERROR, "HG5", (struct place){1, 50000, 50000}, "m", "")};
    diag_text(&out, &diag, sources, 1, false);
    assert_true(out.length < 600);
    text_free(&out);
    text_free(&line);
    diag_free(&diag);
}

/* Text of a spec can neither obey a terminal nor pose as a diagnostic. */
static void further_lines_are_indented(void **state)
{
    (void)state;
    hg_diag diag = {
        .head = remark(SEVERITY_ERROR, "HG6", (struct place){0, 0, 0}, "one\nb.lua:1: error: \33two", "")};
    assert_rendered(&diag, "", "a.lua: error: one\n    b.lua:1: error: \\x1btwo [HG6]\n");
}

static void colors_only_when_asked(void **state)
{
    (void)state;
    hg_diag diag = {.head = remark(SEVERITY_ERROR, "", (struct place){0, 0, 0}, "m", "")};
    hg_text out = {0};
    diag_text(&out, &diag, NULL, 0, true);
    assert_text(&out, "\33[1ma.lua: \33[0m\33[1;31merror: \33[0mm\n");
    diag_free(&diag);
}

static void standard_input_has_a_name(void **state)
{
    (void)state;
    hg_diag diag = {.head = remark(SEVERITY_ERROR, "", (struct place){3, 0, 0}, "m", "")};
    text_free(&diag.head.file);
    diag.head.file = words("-");
    assert_rendered(&diag, "", "<stdin>:3: error: m\n");
}

static void json_is_one_object_a_line(void **state)
{
    (void)state;
    hg_diag diag = {.head = remark(SEVERITY_ERROR, "HG7", (struct place){2, 8, 5}, "say \"x\"", "h"),
                    .note_count = 2};
    diag.notes[0] = remark(SEVERITY_NOTE, "", (struct place){1, 0, 0}, "n", "");
    diag.notes[1] = remark(SEVERITY_NOTE, "", (struct place){0, 0, 0}, "o", "");
    hg_text out = {0};
    diag_json(&out, &diag);
    assert_text(
        &out,
        "{\"severity\":\"error\",\"code\":\"HG7\",\"file\":\"a.lua\",\"line\":2,\"column\":8,\"length\":5,"
        "\"end_column\":13,"
        "\"message\":\"say \\\"x\\\"\",\"help\":\"h\",\"notes\":["
        "{\"severity\":\"note\",\"file\":\"a.lua\",\"line\":1,\"message\":\"n\"},"
        "{\"severity\":\"note\",\"file\":\"a.lua\",\"message\":\"o\"}]}\n");
    diag_free(&diag);
}

/* A fix has all its keys, also those that are 0 or empty. */
static void json_has_the_fix(void **state)
{
    (void)state;
    hg_diag diag = {.head = remark(SEVERITY_ERROR, "HG8", (struct place){2, 3, UINT32_MAX}, "m", "")};
    diag.fix = (hg_fix){.line = 2, .column = 3, .file = words("a\"b"), .text = words("\n\\ ")};
    hg_text out = {0};
    diag_json(&out, &diag);
    assert_text(
        &out,
        "{\"severity\":\"error\",\"code\":\"HG8\",\"file\":\"a.lua\",\"line\":2,\"column\":3,"
        "\"length\":4294967295,\"end_column\":4294967298,\"message\":\"m\","
        "\"fix\":{\"file\":\"a\\\"b\",\"line\":2,\"column\":3,\"length\":0,\"text\":\"\\u000a\\\\ \"}}\n");
    diag_free(&diag);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_place_is_marked),        cmocka_unit_test(notes_have_places_of_their_own),
        cmocka_unit_test(marks_follow_what_is_shown), cmocka_unit_test(places_beyond_the_text_do_no_harm),
        cmocka_unit_test(long_lines_are_cut),         cmocka_unit_test(further_lines_are_indented),
        cmocka_unit_test(colors_only_when_asked),     cmocka_unit_test(standard_input_has_a_name),
        cmocka_unit_test(json_is_one_object_a_line),  cmocka_unit_test(json_has_the_fix),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
