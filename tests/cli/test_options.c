/* The command line: what is understood, and what is said about the rest. */
#include "check.h"

#include "cli/options.h"

#include <string.h>

/* Splits a command line at spaces, parses it, and returns the problem, to be freed. */
static struct text parse(const char *line, char *copy, struct options *options)
{
    char *arguments[16];
    int count = 0;
    struct text problem = {0};
    text_puts(&problem, "");
    strcpy(copy, line);
    for (char *word = strtok(copy, " "); word; word = strtok(NULL, " ")) {
        arguments[count++] = word;
    }
    bool good = options_parse(count, arguments, options, &problem);
    assert_int_equal(good, problem.length == 0);
    return problem;
}

static void good_command_lines(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "halogen a.lua -o out --emit c,check --depfile d --keep-unchanged",
        "halogen generate --output=out --emit=check,c --depfile=d --keep-unchanged -- a.lua",
        "halogen -oout --keep-unchanged --depfile d --emit check --emit c,check a.lua",
    };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; ++i) {
        char copy[200];
        struct options options;
        struct text problem = parse(lines[i], copy, &options);
        assert_text(&problem, "");
        assert_string_equal(options.spec, "a.lua");
        assert_string_equal(options.output, "out");
        assert_string_equal(options.depfile, "d");
        assert_true(options.emits[EMIT_C] && options.emits[EMIT_CHECK] && options.keep_unchanged);
        assert_false(options.json || options.list_outputs || options.help);
        assert_true(options_write_files(&options));
    }
}

static void defaults(void **state)
{
    (void)state;
    char copy[200];
    struct options options;
    struct text problem = parse("halogen - --dump plan --diag json", copy, &options);
    assert_text(&problem, "");
    assert_string_equal(options.spec, "-");
    assert_true(options.emits[EMIT_C] && options.json);
    assert_false(options.emits[EMIT_CHECK] || options_write_files(&options));
}

static void bad_command_lines(void **state)
{
    (void)state;
    static const struct {
        const char *line, *problem;
    } cases[] = {
        {"halogen", "no spec given; say halogen SPEC -o DIR"},
        {"halogen generate", "no spec given; say halogen SPEC -o DIR"},
        {"halogen a.lua", "where should the files go? add -o DIR"},
        {"halogen a b -o c", "more than one spec, 'a' and 'b'; call halogen once for each"},
        {"halogen a -o", "-o needs a value: -o DIR"},
        {"halogen a --output=", "--output cannot be ''; it takes DIR"},
        {"halogen a --ouptut=b", "there is no option '--ouptut=b'; did you mean '--output'?"},
        {"halogen a --depfil d", "there is no option '--depfil'; did you mean '--depfile'?"},
        {"halogen a --nothing-of-the-kind-at-all-here",
         "there is no option '--nothing-of-the-kind-at-all-here'"},
        {"halogen a -x", "there is no option '-x'"},
        {"halogen a -o b --emit c,chek",
         "--emit cannot have 'chek'; it takes c, check, cxx, fortran and python, with commas between them"},
        {"halogen a -o b --emit c,",
         "--emit cannot have ''; it takes c, check, cxx, fortran and python, with commas between them"},
        {"halogen a --dump all", "--dump cannot be 'all'; it takes model|links|plan|tables"},
        {"halogen a --dump", "--dump needs a value: --dump model|links|plan|tables"},
        {"halogen a -o b --diag xml", "--diag cannot be 'xml'; it takes text|json"},
        {"halogen a --list-outputs=3", "--list-outputs takes no value"},
        {"halogen a --list-outputs --dump plan", "--dump and --list-outputs both print; choose one"},
        {"halogen a --dump plan --depfile d",
         "--depfile goes with files that are written, not with --check, --dump or --list-outputs"},
        {"halogen a --dump plan --stamp d",
         "--stamp goes with files that are written, not with --check, --dump or --list-outputs"},
        {"halogen a -o b --check --depfile d",
         "--depfile goes with files that are written, not with --check, --dump or --list-outputs"},
        {"halogen a --check", "where are the files to check? add -o DIR"},
        {"halogen a -o b --check --dump plan", "--check compares files, --dump prints; choose one"},
        {"halogen a -o b --check --list-outputs",
         "--check compares files, --list-outputs prints; choose one"},
        {"halogen a --explain", "--explain is about diagnostics, not about a spec; give it alone"},
        {"halogen --explain=", "--explain cannot be ''; it takes [CODE]"},
        {"halogen a -o b --templates no/such/place", "--templates: there is no directory 'no/such/place'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        char copy[200];
        struct options options;
        struct text problem = parse(cases[i].line, copy, &options);
        assert_text(&problem, cases[i].problem);
    }
}

static void help_names_every_option(void **state)
{
    (void)state;
    static const char *const names[] = {
        "--output", "--emit", "--depfile",        "--stamp",   "--list-outputs", "--check", "--templates",
        "--dump",   "--diag", "--keep-unchanged", "--explain", "--version",      "--help"};
    struct text help = {0};
    options_help(&help);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
        assert_non_null(strstr(help.bytes, names[i]));
    }
    text_free(&help);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(good_command_lines),
        cmocka_unit_test(defaults),
        cmocka_unit_test(bad_command_lines),
        cmocka_unit_test(help_names_every_option),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
