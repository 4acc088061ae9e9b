/* The command line: what is understood, and what is said about the rest. */
#include "check.h"

#include "cli/help.h"
#include "cli/option_table.h"
#include "cli/options.h"

#include <string.h>

/* Splits a command line at spaces, parses it, and returns the problem, to be freed. */
static hg_text parse(const char *line, char *copy, hg_options *options)
{
    char *arguments[16];
    int count = 0;
    hg_text problem = {0};
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
        hg_options options;
        hg_text problem = parse(lines[i], copy, &options);
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
    hg_options options;
    hg_text problem = parse("halogen - --dump plan --diag json", copy, &options);
    assert_text(&problem, "");
    assert_string_equal(options.spec, "-");
    assert_true(options.emits[EMIT_C] && options.json);
    assert_false(options.emits[EMIT_CHECK] || options_write_files(&options));
}

struct bad_line {
    const char *line, *problem;
};

static void expect_problems(const struct bad_line *lines, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        char copy[200];
        hg_options options;
        hg_text problem = parse(lines[i].line, copy, &options);
        assert_text(&problem, lines[i].problem);
    }
}

static void bad_commands_and_operands(void **state)
{
    (void)state;
    static const struct bad_line lines[] = {
        {"halogen", "no SPEC given; say halogen SPEC -o DIR"},
        {"halogen generate", "no SPEC given; say halogen generate SPEC -o DIR"},
        {"halogen a.lua", "where should the files go? add -o DIR"},
        {"halogen a.lua b -o c", "'a.lua' and 'b' are too many for 'generate'; it takes one SPEC"},
        {"halogen chekc", "there is no command 'chekc'; did you mean 'check'?"},
        {"halogen wrong-word b.lua", "there is no command 'wrong-word'"},
        {"halogen check", "no SPEC given; say halogen check SPEC..."},
        {"halogen check a.lua --stamp d", "--stamp is no option of 'check'; it belongs to 'generate'"},
        {"halogen params --emit c a.lua",
         "--emit is no option of 'params'; it belongs to 'generate', 'check'"},
        {"halogen a.lua -o b --grid fold", "--grid is no option of 'generate'; it belongs to 'init'"},
        {"halogen init", "no NAME given; say halogen init NAME"},
        {"halogen diagnostic A B", "'A' and 'B' are too many for 'diagnostic'; it takes one CODE"},
    };
    expect_problems(lines, sizeof lines / sizeof lines[0]);
}

static void bad_options(void **state)
{
    (void)state;
    static const struct bad_line lines[] = {
        {"halogen --version=1", "--version takes no value"},
        {"halogen a.lua -o", "-o needs a value: -o DIR"},
        {"halogen a.lua --output=", "--output cannot be ''; it takes DIR"},
        {"halogen a.lua --ouptut=b", "there is no option '--ouptut=b'; did you mean '--output'?"},
        {"halogen a.lua --depfil d", "there is no option '--depfil'; did you mean '--depfile'?"},
        {"halogen a.lua --nothing-of-the-kind-at-all-here",
         "there is no option '--nothing-of-the-kind-at-all-here'"},
        {"halogen a.lua -x", "there is no option '-x'"},
        {"halogen a.lua -o b --emit c,chek",
         "--emit cannot have 'chek'; it takes c, check, cxx, fortran and python, with commas between them"},
        {"halogen a.lua -o b --emit c,",
         "--emit cannot have ''; it takes c, check, cxx, fortran and python, with commas between them"},
        {"halogen a.lua --dump all", "--dump cannot be 'all'; it takes model|links|plan|tables"},
        {"halogen a.lua --dump", "--dump needs a value: --dump model|links|plan|tables"},
        {"halogen a.lua -o b --diag xml", "--diag cannot be 'xml'; it takes text|json"},
        {"halogen a.lua --list-outputs=3", "--list-outputs takes no value"},
        {"halogen a.lua -o b --templates no/such/place",
         "--templates: there is no directory 'no/such/place'"},
    };
    expect_problems(lines, sizeof lines / sizeof lines[0]);
}

static void options_that_do_not_go_together(void **state)
{
    (void)state;
    static const struct bad_line lines[] = {
        {"halogen a.lua --list-outputs --dump plan", "--dump and --list-outputs both print; choose one"},
        {"halogen a.lua --dump plan --depfile d",
         "--depfile goes with files that are written, not with --compare, --dump or --list-outputs"},
        {"halogen a.lua --dump plan --stamp d",
         "--stamp goes with files that are written, not with --compare, --dump or --list-outputs"},
        {"halogen a.lua -o b --compare --depfile d",
         "--depfile goes with files that are written, not with --compare, --dump or --list-outputs"},
        {"halogen a.lua --compare", "where are the files to compare? add -o DIR"},
        {"halogen a.lua -o b --compare --dump plan", "--compare compares files, --dump prints; choose one"},
        {"halogen a.lua -o b --compare --list-outputs",
         "--compare compares files, --list-outputs prints; choose one"},
    };
    expect_problems(lines, sizeof lines / sizeof lines[0]);
}

static void commands_and_their_operands(void **state)
{
    (void)state;
    static const struct {
        const char *line;
        hg_command command;
        const char *spec, *diagnostic;
        int operands;
    } cases[] = {
        {"halogen a.lua -o out", COMMAND_GENERATE, "a.lua", NULL, 1},
        {"halogen -o check generate a.lua", COMMAND_GENERATE, "a.lua", NULL, 1},
        {"halogen -o out -- check", COMMAND_GENERATE, "check", NULL, 1},
        {"halogen --diag json check a.lua b.lua -D n=1 c.lua", COMMAND_CHECK, "a.lua", NULL, 3},
        {"halogen check check", COMMAND_CHECK, "check", NULL, 1},
        {"halogen params a.lua", COMMAND_PARAMS, "a.lua", NULL, 1},
        {"halogen init wave --grid fold", COMMAND_INIT, NULL, NULL, 1},
        {"halogen diagnostic HG1504", COMMAND_DIAGNOSTIC, NULL, "HG1504", 1},
        {"halogen diagnostic", COMMAND_DIAGNOSTIC, NULL, "", 0},
        {"halogen help check", COMMAND_HELP, NULL, NULL, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        char copy[200];
        hg_options options;
        hg_text problem = parse(cases[i].line, copy, &options);
        assert_text(&problem, "");
        assert_int_equal(options.command, cases[i].command);
        assert_int_equal(options.operand_count, cases[i].operands);
        assert_true(cases[i].spec ? strcmp(options.spec, cases[i].spec) == 0 : !options.spec);
        assert_true(cases[i].diagnostic ? strcmp(options.diagnostic, cases[i].diagnostic) == 0
                                        : !options.diagnostic);
        assert_int_equal(options_write_files(&options), cases[i].command == COMMAND_GENERATE);
    }
}

/* Help of a command has its options and examples, and no others'; all lines fit 100 columns. */
static void help_has_what_the_tables_have(void **state)
{
    (void)state;
    for (hg_command i = COMMAND_GENERATE; i < COMMANDS; ++i) {
        hg_text help = {0};
        help_command(i, &help);
        for (const hg_option *option = option_table; option->name; ++option) {
            hg_text line = {0};
            text_format(&line, option->letter ? "\n  -%c, " : "\n  ", option->letter);
            text_format(&line, "%s %s", option->name, option->value ? option->value : "");
            assert_int_equal(strstr(help.bytes, line.bytes) != NULL, option->commands >> i & 1);
            text_free(&line);
        }
        assert_non_null(commands[i].examples[0].line);
        for (int e = 0; e < EXAMPLES_MAX && commands[i].examples[e].line; ++e) {
            assert_non_null(strstr(help.bytes, commands[i].examples[e].line));
        }
        for (const char *line = help.bytes; *line; line += strcspn(line, "\n") + 1) {
            assert_in_range(strcspn(line, "\n"), 0, 100);
        }
        text_free(&help);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(good_command_lines),
        cmocka_unit_test(defaults),
        cmocka_unit_test(bad_commands_and_operands),
        cmocka_unit_test(bad_options),
        cmocka_unit_test(options_that_do_not_go_together),
        cmocka_unit_test(commands_and_their_operands),
        cmocka_unit_test(help_has_what_the_tables_have),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
