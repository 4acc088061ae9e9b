#include "cli/options.h"

#include "cli/option_table.h"
#include "cli/spelling.h"

#include <string.h>
#include <sys/stat.h>

const char *const options_emits[EMITS] = {[EMIT_C] = "c",
                                          [EMIT_CHECK] = "check",
                                          [EMIT_CXX] = "cxx",
                                          [EMIT_FORTRAN] = "fortran",
                                          [EMIT_PYTHON] = "python"};

/* While the arguments are read. */
typedef struct hg_reader {
    int count, at;
    char **arguments;
    uint64_t given; /* bits of the rows of option_table */
    bool only_operands;
    hg_options *options;
    hg_text *problem;
} hg_reader;

static void unknown_option(const char *given, hg_text *problem)
{
    char word[32] = "";
    size_t length = strcspn(given, "=");
    memcpy(word, given, length < sizeof word ? length : sizeof word - 1);
    const hg_option *near = option_table;
    for (const hg_option *option = option_table; option->name; ++option) {
        if (spelling_distance(word, option->name) < spelling_distance(word, near->name)) {
            near = option;
        }
    }
    text_format(problem, "there is no option '%s'", given);
    if (spelling_distance(word, near->name) <= 3) {
        text_format(problem, "; did you mean '%s'?", near->name);
    }
}

/* The option that an argument names; `value` is what follows in it ("--dump=plan", "-oDIR"), or NULL. */
static const hg_option *find_option(const char *argument, const char **value)
{
    size_t length = strcspn(argument, "=");
    for (const hg_option *option = option_table; option->name; ++option) {
        if (strlen(option->name) == length && strncmp(argument, option->name, length) == 0) {
            *value = argument[length] ? argument + length + 1 : NULL;
            return option;
        }
        if (argument[1] != '-' && argument[1] == option->letter) {
            *value = argument[2] ? argument + 2 : NULL;
            return option;
        }
    }
    return NULL;
}

/* Whether the word is among those of a list such as "text|json". */
static bool is_one_of(const char *word, size_t length, const char *list, const char *separator)
{
    for (;;) {
        size_t size = strcspn(list, separator);
        if (size == length && strncmp(word, list, length) == 0) {
            return true;
        }
        if (!list[size]) {
            return false;
        }
        list += size + 1;
    }
}

static void add_param(hg_options *options, const char *given, hg_text *problem)
{
    if (!strchr(given, '=') || *given == '=') {
        text_format(problem, "-D %s gives no value; write -D NAME=VALUE", given);
    } else if (options->param_count == PARAMS_MAX) {
        text_format(problem, "-D is given more than %d times", PARAMS_MAX);
    } else {
        options->params[options->param_count++] = given;
    }
}

static void apply_value(const hg_option *option, const char *value, hg_options *options, hg_text *problem)
{
    if (!*value || (strchr(option->value, '|') && !is_one_of(value, strlen(value), option->value, "|"))) {
        text_format(problem, "%s cannot be '%s'; it takes %s", option->name, value, option->value);
    }
    if (option->letter == 'D') {
        add_param(options, value, problem);
    } else {
        *(const char **)((char *)options + option->member) = value;
    }
}

/* Applies the option at arguments[at], moving on when its value is the next argument. */
static bool apply(hg_reader *reader)
{
    const char *argument = reader->arguments[reader->at], *value = NULL;
    const hg_option *option = find_option(argument, &value);
    hg_text *problem = reader->problem;
    if (!option) {
        unknown_option(argument, problem);
    } else if (!option->value && value) {
        text_format(problem, "%s takes no value", option->name);
    } else if (!option->value) {
        *(bool *)((char *)reader->options + option->member) = true;
    } else if (!value && ++reader->at == reader->count) {
        text_format(problem, "%s needs a value: %s %s", argument, argument, option->value);
    } else {
        apply_value(option, value ? value : reader->arguments[reader->at], reader->options, problem);
    }
    reader->given |= option ? UINT64_C(1) << (option - option_table) : 0;
    return problem->length == 0;
}

/* An operand takes the place of an argument that was read before it.  The first may be the command. */
static void take_operand(hg_reader *reader, char *operand)
{
    hg_options *options = reader->options;
    hg_command command = command_find(operand);
    if (!reader->only_operands && !options->has_command && options->operand_count == 0 &&
        command < COMMANDS) {
        options->command = command;
        options->has_command = true;
    } else {
        reader->arguments[options->operand_count++] = operand;
    }
}

static bool read_arguments(hg_reader *reader)
{
    for (reader->at = 1; reader->at < reader->count; ++reader->at) {
        char *argument = reader->arguments[reader->at];
        if (!reader->only_operands && strcmp(argument, "--") == 0) {
            reader->only_operands = true;
        } else if (reader->only_operands || argument[0] != '-' || !argument[1]) {
            take_operand(reader, argument);
        } else if (!apply(reader)) {
            return false;
        }
    }
    return true;
}

static void refuse_emit(const char *word, size_t length, hg_text *problem)
{
    text_format(problem, "--emit cannot have '%.*s'; it takes ", (int)length, word);
    for (int i = 0; i < EMITS; ++i) {
        text_format(problem, "%s%s", options_emits[i], i < EMITS - 2 ? ", " : i == EMITS - 2 ? " and " : "");
    }
    text_puts(problem, ", with commas between them");
}

static void parse_emit(hg_options *options, hg_text *problem)
{
    for (const char *word = options->emit; word;) {
        size_t length = strcspn(word, ",");
        int found = 0;
        while (found < EMITS && !is_one_of(word, length, options_emits[found], ",")) {
            ++found;
        }
        if (found < EMITS) {
            options->emits[found] = true;
        } else {
            refuse_emit(word, length, problem);
        }
        word = word[length] && problem->length == 0 ? word + length + 1 : NULL;
    }
}

/* "--stamp is no option of 'check'; it belongs to 'generate'". */
static void refuse_foreign(const hg_option *option, const hg_options *options, hg_text *problem)
{
    text_format(problem, "%s is no option of '%s'; it belongs to ", option->name,
                commands[options->command].name);
    const char *between = "";
    for (hg_command i = COMMAND_GENERATE; i < COMMANDS; ++i) {
        if (option->commands & 1u << i) {
            text_format(problem, "%s'%s'", between, commands[i].name);
            between = ", ";
        }
    }
    if (option->commands & OF_HALOGEN && !*between) {
        text_puts(problem, "halogen without a command");
    }
}

/* Whether one of the rows of that name is of these commands. */
static bool is_allowed(const hg_option *option, unsigned of)
{
    bool is = false;
    for (const hg_option *row = option_table; row->name; ++row) {
        is = is || (strcmp(row->name, option->name) == 0 && (row->commands & of));
    }
    return is;
}

static void check_options(const hg_reader *reader)
{
    const hg_options *options = reader->options;
    unsigned allowed = 1u << options->command | (options->has_command ? 0u : (unsigned)OF_HALOGEN);
    for (const hg_option *option = option_table; option->name; ++option) {
        bool is_given = reader->given >> (option - option_table) & 1;
        if (is_given && !is_allowed(option, allowed) && reader->problem->length == 0) {
            refuse_foreign(option, options, reader->problem);
        }
    }
}

/* Whether what was taken for a spec was meant to be a command: one letter or two away from one and no file,
 * or with a spec behind it. */
static bool is_command_misspelt(const hg_reader *reader)
{
    const hg_options *options = reader->options;
    struct stat status;
    const char *first = options->operand_count > 0 ? options->operands[0] : ".";
    bool is_word = strspn(first, "abcdefghijklmnopqrstuvwxyz-") == strlen(first) && first[0] != '-';
    return !options->has_command && !reader->only_operands && is_word && stat(first, &status) != 0 &&
           (command_is_near(first) || options->operand_count > 1);
}

/* Of a command that takes one of some words, and something else. */
static void check_two_operands(const hg_options *options, hg_text *problem)
{
    const hg_command_row *row = &commands[options->command];
    const char *first = options->operand_count > 0 ? options->operands[0] : "";
    hg_text words = {0};
    text_add(&words, row->operand, strcspn(row->operand, " "));
    const char *other = row->operand + words.length + 1;
    if (options->operand_count > 0 && !is_one_of(first, strlen(first), words.bytes, "|")) {
        text_format(problem, "'%s' cannot '%s'; it takes %s", row->name, first, row->operand);
    } else if (options->operand_count < 2) {
        text_format(problem, "no %s given; say halogen %s %s",
                    options->operand_count > 0 ? other : row->operand, row->name, row->operand);
    } else if (options->operand_count > 2) {
        text_format(problem, "'%s' is too much for '%s'; it takes one %s", options->operands[2], row->name,
                    other);
    }
    text_free(&words);
}

static void check_operands(const hg_options *options, hg_text *problem)
{
    const hg_command_row *row = &commands[options->command];
    bool is_optional = row->operand[0] == '[';
    const char *name = row->operand + is_optional;
    int length = (int)strcspn(name, ".]");
    if (strchr(name, ' ')) {
        check_two_operands(options, problem);
    } else if (options->operand_count == 0 && !is_optional) {
        text_format(problem, "no %.*s given; say halogen %s%s%s%s%s", length, name,
                    options->has_command ? row->name : "", options->has_command ? " " : "", row->operand,
                    row->needed ? " " : "", row->needed ? row->needed : "");
    } else if (options->operand_count > 1 && name[length] != '.') {
        text_format(problem, "'%s' and '%s' are too many for '%s'; it takes one %.*s", options->operands[0],
                    options->operands[1], row->name, length, name);
    }
    for (int i = 0; i < options->operand_count && problem->length == 0; ++i) {
        if (!*options->operands[i]) {
            text_format(problem, "an empty word is no %.*s", length, name);
        }
    }
}

static void check_generate(const hg_options *options, hg_text *problem)
{
    if (options->dump && options->list_outputs) {
        text_puts(problem, "--dump and --list-outputs both print; choose one");
    } else if (options->compare && (options->dump || options->list_outputs)) {
        text_format(problem, "--compare compares files, %s prints; choose one",
                    options->dump ? "--dump" : "--list-outputs");
    } else if ((options->depfile || options->stamp) && !options_write_files(options)) {
        text_format(problem,
                    "%s goes with files that are written, not with --compare, --dump or --list-outputs",
                    options->depfile ? "--depfile" : "--stamp");
    } else if (options->compare && !options->output) {
        text_puts(problem, "where are the files to compare? add -o DIR");
    } else if (options_write_files(options) && !options->output) {
        text_puts(problem, "where should the files go? add -o DIR");
    }
}

static void check_explain(const hg_options *options, hg_text *problem)
{
    if (options->links && (!options->format || strcmp(options->format, "json") != 0)) {
        text_puts(problem, "--links is for programs; add --format json");
    } else if (options->run && options->machine) {
        text_puts(problem, "--run shows what a run measured, --machine predicts; choose one");
    } else if (options->stats && options->machine) {
        text_puts(problem, "--stats shows what a run measured, --machine predicts; choose one");
    } else if (options->stats && options->format && strcmp(options->format, "json") == 0) {
        text_puts(problem, "the file of --stats is JSON; leave --format json out");
    } else if (options->stats && options->html && !options->run) {
        text_puts(problem, "a page with --stats is one of a run; add --run FILE, or leave --html out");
    } else if (options->stats && options->run && !options->html) {
        text_puts(problem, "--run is shown as a page; add --html FILE, or leave --run out");
    } else if (options->format && options->html && strcmp(options->html, "-") == 0) {
        text_puts(problem, "--format and --html - both print; choose one, or name a file with --html");
    }
}

static void check_paths(const hg_options *options, hg_text *problem)
{
    struct stat status;
    bool is_broken = options->output && strchr(options->output, '\n');
    for (int i = 0; i < options->operand_count; ++i) {
        is_broken = is_broken || strchr(options->operands[i], '\n');
    }
    if (is_broken) {
        text_puts(problem, "a path with a line break cannot be used");
    } else if (options->templates && (stat(options->templates, &status) != 0 || !S_ISDIR(status.st_mode))) {
        text_format(problem, "--templates: there is no directory '%s'", options->templates);
    }
}

/* What the operands are to the command. */
static void name_operands(hg_options *options)
{
    const char *first = options->operand_count > 0 ? options->operands[0] : NULL;
    if (options->command == COMMAND_DIAGNOSTIC) {
        options->diagnostic = first ? first : "";
    } else if (options->command == COMMAND_INIT) {
        options->name = first;
    } else if (options->command != COMMAND_TRACE && options->command != COMMAND_HELP) {
        options->spec = first;
    }
}

static void check_all(const hg_reader *reader)
{
    const hg_options *options = reader->options;
    hg_text *problem = reader->problem;
    check_options(reader);
    if (problem->length == 0) {
        check_operands(options, problem);
    }
    if (problem->length == 0) {
        check_paths(options, problem);
    }
    if (problem->length == 0 && options->command == COMMAND_GENERATE) {
        check_generate(options, problem);
    }
    if (problem->length == 0 && options->command == COMMAND_EXPLAIN) {
        check_explain(options, problem);
    }
}

bool options_parse(int count, char **arguments, hg_options *options, hg_text *problem)
{
    *options = (hg_options){.operands = arguments};
    hg_reader reader = {.count = count, .arguments = arguments, .options = options, .problem = problem};
    bool are_read = read_arguments(&reader);
    options->json = options->diag && strcmp(options->diag, "json") == 0;
    if (!are_read) {
        return false;
    }
    options->emits[EMIT_C] = !options->emit;
    parse_emit(options, problem);
    options->grid = options->grid ? options->grid : "cartesian";
    options->build = options->build ? options->build : "make";
    options->language = options->language ? options->language : "c";
    name_operands(options);
    if (problem->length == 0 && is_command_misspelt(&reader)) {
        command_unknown(options->operands[0], problem);
        return false;
    }
    if (problem->length == 0 && !options->help && !options->version) {
        check_all(&reader);
    }
    return problem->length == 0;
}

bool options_write_files(const hg_options *options)
{
    return options->command == COMMAND_GENERATE && !options->compare && !options->dump &&
           !options->list_outputs;
}
