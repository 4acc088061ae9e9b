#include "cli/options.h"

#include <string.h>
#include <sys/stat.h>

const char *const options_emits[EMITS] = {[EMIT_C] = "c",
                                          [EMIT_CHECK] = "check",
                                          [EMIT_CXX] = "cxx",
                                          [EMIT_FORTRAN] = "fortran",
                                          [EMIT_PYTHON] = "python"};

static const struct option {
    const char *name;
    char letter;       /* or 0 */
    const char *value; /* what it takes, NULL for a flag; in brackets if it may be left out, before
                          another option or at the end; with "|" between them: just these words */
    size_t member;     /* a bool for a flag, else a string */
    const char *help;
} table[] = {
    {"--output", 'o', "DIR", offsetof(struct options, output),
     "write the generated files into DIR, made if missing"},
    {"--emit", 0, "c,check,cxx,fortran,python", offsetof(struct options, emit),
     "what to write: the library files (c, the default), a test program (check), classes for C++ (cxx), a "
     "Fortran module (fortran), classes for Python (python)"},
    {"--param", 'D', "NAME=VALUE", offsetof(struct options, params),
     "give a parameter of the spec a value; halogen params SPEC lists them"},
    {"--depfile", 0, "FILE", offsetof(struct options, depfile), "also write a Make rule of all files read"},
    {"--list-outputs", 0, NULL, offsetof(struct options, list_outputs),
     "print the names of the files that would be written, write none"},
    {"--check", 0, NULL, offsetof(struct options, check),
     "write nothing; fail unless the files in DIR are those that would be written"},
    {"--templates", 0, "DIR", offsetof(struct options, templates),
     "take templates, and Lua modules in DIR/lua, from there where they exist"},
    {"--dump", 0, "model|links|plan|tables", offsetof(struct options, dump),
     "print a stage of the way, write no files"},
    {"--keep-unchanged", 0, NULL, offsetof(struct options, keep_unchanged),
     "leave files alone whose content would stay the same"},
    {"--stamp", 0, "FILE", offsetof(struct options, stamp),
     "the same, and give FILE the date of this run instead, for Make"},
    {"--diag", 0, "text|json", offsetof(struct options, diag),
     "how diagnostics look on standard error; json: an object a line, with fixes"},
    {"--explain", 0, "[CODE]", offsetof(struct options, explain),
     "print what a diagnostic means and what to do about it, or list them all"},
    {"--version", 0, NULL, offsetof(struct options, version), "print the version"},
    {"--help", 'h', NULL, offsetof(struct options, help), "print this, and the parameters of SPEC, if given"},
};
enum { OPTIONS = sizeof table / sizeof table[0], WORD_MAX = 31 };

/* The number of letters to insert, delete or change between two words of at most WORD_MAX letters. */
static size_t distance(const char *a, const char *b)
{
    size_t row[WORD_MAX + 1], width = strlen(b);
    for (size_t j = 0; j <= width; ++j) {
        row[j] = j;
    }
    for (size_t i = 1; a[i - 1]; ++i) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= width; ++j) {
            size_t best = diagonal + (a[i - 1] != b[j - 1]);
            diagonal = row[j];
            best = best < row[j] + 1 ? best : row[j] + 1;
            row[j] = best < row[j - 1] + 1 ? best : row[j - 1] + 1;
        }
    }
    return row[width];
}

static void unknown_option(const char *given, struct text *problem)
{
    char word[WORD_MAX + 1] = "";
    size_t length = strcspn(given, "="), near = 0;
    memcpy(word, given, length < WORD_MAX ? length : WORD_MAX);
    for (size_t i = 1; i < OPTIONS; ++i) {
        if (distance(word, table[i].name) < distance(word, table[near].name)) {
            near = i;
        }
    }
    text_format(problem, "there is no option '%s'", given);
    if (distance(word, table[near].name) <= 3) {
        text_format(problem, "; did you mean '%s'?", table[near].name);
    }
}

/* The option that an argument names; `value` is what follows in it ("--dump=plan", "-oDIR"), or NULL. */
static const struct option *find_option(const char *argument, const char **value)
{
    size_t length = strcspn(argument, "=");
    for (size_t i = 0; i < OPTIONS; ++i) {
        if (strlen(table[i].name) == length && strncmp(argument, table[i].name, length) == 0) {
            *value = argument[length] ? argument + length + 1 : NULL;
            return &table[i];
        }
        if (argument[1] != '-' && argument[1] == table[i].letter) {
            *value = argument[2] ? argument + 2 : NULL;
            return &table[i];
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

static void add_param(struct options *options, const char *given, struct text *problem)
{
    if (!strchr(given, '=') || *given == '=') {
        text_format(problem, "-D %s gives no value; write -D NAME=VALUE", given);
    } else if (options->param_count == PARAMS_MAX) {
        text_format(problem, "-D is given more than %d times", PARAMS_MAX);
    } else {
        options->params[options->param_count++] = given;
    }
}

/* Applies the option at arguments[*at], moving on when its value is the next argument. */
static bool apply(int count, char **arguments, int *at, struct options *options, struct text *problem)
{
    const char *argument = arguments[*at], *value = NULL;
    const struct option *option = find_option(argument, &value);
    if (!option) {
        unknown_option(argument, problem);
    } else if (!option->value && value) {
        text_format(problem, "%s takes no value", option->name);
    } else if (!option->value) {
        *(bool *)((char *)options + option->member) = true;
    } else if (!value && option->value[0] == '[' && (*at + 1 == count || arguments[*at + 1][0] == '-')) {
        *(const char **)((char *)options + option->member) = "";
    } else if (!value && ++*at == count) {
        text_format(problem, "%s needs a value: %s %s", argument, argument, option->value);
    } else {
        value = value ? value : arguments[*at];
        if (!*value || (strchr(option->value, '|') && !is_one_of(value, strlen(value), option->value, "|"))) {
            text_format(problem, "%s cannot be '%s'; it takes %s", option->name, value, option->value);
        }
        if (option->letter == 'D') {
            add_param(options, value, problem);
        } else {
            *(const char **)((char *)options + option->member) = value;
        }
    }
    return problem->length == 0;
}

static void refuse_emit(const char *word, size_t length, struct text *problem)
{
    text_format(problem, "--emit cannot have '%.*s'; it takes ", (int)length, word);
    for (int i = 0; i < EMITS; ++i) {
        text_format(problem, "%s%s", options_emits[i], i < EMITS - 2 ? ", " : i == EMITS - 2 ? " and " : "");
    }
    text_puts(problem, ", with commas between them");
}

static void parse_emit(struct options *options, struct text *problem)
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

static bool is_consistent(const struct options *options, struct text *problem)
{
    struct stat status;
    if (options->explain && options->spec) {
        text_puts(problem, "--explain is about diagnostics, not about a spec; give it alone");
    } else if (options->explain) {
        return true;
    } else if (!options->spec || !*options->spec) {
        text_puts(problem, "no spec given; say halogen SPEC -o DIR");
    } else if (strchr(options->spec, '\n') || (options->output && strchr(options->output, '\n'))) {
        text_puts(problem, "a path with a line break cannot be used");
    } else if (options->list_params && (options->dump || options->list_outputs || options->check)) {
        text_puts(problem, "params prints what the spec has for parameters, and nothing else");
    } else if (options->dump && options->list_outputs) {
        text_puts(problem, "--dump and --list-outputs both print; choose one");
    } else if (options->check && (options->dump || options->list_outputs)) {
        text_format(problem, "--check compares files, %s prints; choose one",
                    options->dump ? "--dump" : "--list-outputs");
    } else if ((options->depfile || options->stamp) && !options_write_files(options)) {
        text_format(problem,
                    "%s goes with files that are written, not with --check, --dump or --list-outputs",
                    options->depfile ? "--depfile" : "--stamp");
    } else if (options->check && !options->output) {
        text_puts(problem, "where are the files to check? add -o DIR");
    } else if (options_write_files(options) && !options->output) {
        text_puts(problem, "where should the files go? add -o DIR");
    } else if (options->templates && (stat(options->templates, &status) != 0 || !S_ISDIR(status.st_mode))) {
        text_format(problem, "--templates: there is no directory '%s'", options->templates);
    }
    return problem->length == 0;
}

/* Of a spec, too, help is asked for and nothing else. */
static void ask_for_help(struct options *options)
{
    options->list_params = true;
    options->list_outputs = options->check = false;
    options->dump = options->explain = NULL;
}

bool options_parse(int count, char **arguments, struct options *options, struct text *problem)
{
    *options = (struct options){0};
    const char *first = count > 1 ? arguments[1] : "";
    bool only_specs = false;
    options->help = strcmp(first, "help") == 0;
    options->list_params = strcmp(first, "params") == 0;
    bool has_verb = options->help || options->list_params || strcmp(first, "generate") == 0;
    for (int at = has_verb ? 2 : 1; at < count; ++at) {
        const char *argument = arguments[at];
        if (!only_specs && strcmp(argument, "--") == 0) {
            only_specs = true;
        } else if (!only_specs && argument[0] == '-' && argument[1]) {
            if (!apply(count, arguments, &at, options, problem)) {
                return false;
            }
        } else if (options->spec) {
            text_format(problem, "more than one spec, '%s' and '%s'; call halogen once for each",
                        options->spec, argument);
            return false;
        } else {
            options->spec = argument;
        }
    }
    options->json = options->diag && strcmp(options->diag, "json") == 0;
    options->emits[EMIT_C] = !options->emit;
    parse_emit(options, problem);
    if (options->help && options->spec) {
        ask_for_help(options);
    }
    return options->help || options->version || (problem->length == 0 && is_consistent(options, problem));
}

bool options_write_files(const struct options *options)
{
    return !options->check && !options->dump && !options->list_outputs && !options->explain &&
           !options->list_params;
}

void options_help(struct text *text)
{
    text_puts(text, "usage: halogen [generate] SPEC -o DIR [OPTION...]\n"
                    "       halogen params SPEC\n"
                    "       halogen --explain [CODE]\n\n"
                    "Generates the C code of the halo exchanges that SPEC describes ('-': standard input);\n"
                    "params lists the parameters of SPEC, which -D gives values.\n\n");
    for (size_t i = 0; i < OPTIONS; ++i) {
        struct text left = {0};
        if (table[i].letter) {
            text_format(&left, "-%c, ", table[i].letter);
        }
        text_format(&left, "%s %s", table[i].name, table[i].value ? table[i].value : "");
        text_format(text, "  %-34s %s\n", left.bytes, table[i].help);
        text_free(&left);
    }
    text_puts(text,
              "\nexit codes: 0 done; 1 the spec is wrong, or --check found a difference;\n"
              "            2 wrong usage, or files that cannot be written; 3 an error in halogen itself\n");
}
