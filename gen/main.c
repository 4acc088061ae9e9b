/* halogen: from a spec to the C code of its halo exchanges. */
#include "child/filter.h"
#include "cli/depfile.h"
#include "cli/options.h"
#include "cli/output.h"
#include "run.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool put(const struct text *text, FILE *file)
{
    return text->length == 0 ||
           (fwrite(text->bytes, 1, text->length, file) == text->length && fflush(file) == 0);
}

static void print_diags(const struct diag *diags, size_t count, const struct run *run, bool json)
{
    const char *no_color = getenv("NO_COLOR"), *terminal = getenv("TERM");
    bool color =
        isatty(STDERR_FILENO) && !(no_color && *no_color) && terminal && strcmp(terminal, "dumb") != 0;
    struct text out = {0};
    for (size_t i = 0; i < count; ++i) {
        if (json) {
            diag_json(&out, &diags[i]);
        } else {
            diag_text(&out, &diags[i], run->sources, run->source_count, color);
        }
    }
    put(&out, stderr);
    text_free(&out);
}

/* A failure that is not about a place in the spec. */
static enum exit_code fail(enum exit_code code, const struct options *options, const char *number,
                           const char *sentence, const char *help)
{
    static const struct run no_sources;
    struct diag diag = {.head.severity = SEVERITY_ERROR};
    text_puts(&diag.head.code, number);
    text_puts(&diag.head.message, sentence);
    text_puts(&diag.head.help, help);
    print_diags(&diag, 1, &no_sources, options->json);
    diag_free(&diag);
    return code;
}

static enum exit_code print(const struct text *text, const struct options *options)
{
    if (put(text, stdout)) {
        return EXIT_OK;
    }
    struct text problem = {0};
    text_format(&problem, "cannot write to standard output: %s", strerror(errno));
    fail(EXIT_USAGE, options, "HG0008", problem.bytes, "");
    text_free(&problem);
    return EXIT_USAGE;
}

/* The names that the generator printed, one a line, as paths in the directory of the outputs. */
static enum exit_code print_paths(const struct run *run, const struct options *options)
{
    struct text paths = {0};
    char *line = run->printed.bytes;
    for (char *end; line && (end = strchr(line, '\n')); line = end + 1) {
        *end = '\0';
        char *path = path_join(options->output, line);
        text_format(&paths, "%s\n", path);
        free(path);
    }
    enum exit_code code = print(&paths, options);
    text_free(&paths);
    return code;
}

/* The files that were read, the spec first; their paths remain the run's. */
static size_t list_inputs(const struct run *run, char **inputs)
{
    size_t count = 0;
    for (size_t i = 0; i < run->source_count; ++i) {
        if (strcmp(run->sources[i].path, "-") != 0) {
            inputs[count++] = run->sources[i].path;
        }
    }
    return count;
}

/* Of the stamp alone, if there is one: the outputs keep their dates. */
static struct text dependency_rule(const struct output_list *outputs, const struct options *options)
{
    struct text rule = {0};
    char *targets[OUTPUTS_MAX + 1];
    size_t first = options->stamp ? outputs->count - 1 : 0;
    for (size_t i = first; i < outputs->count; ++i) {
        targets[i - first] = outputs->files[i].path;
    }
    size_t specs = strcmp(options->spec, "-") != 0;
    depfile_add_rule(&rule, targets, outputs->count - first, outputs->inputs, outputs->input_count, specs);
    return rule;
}

static const char mark[] = "Emitted by halogen";

/* The outputs with their paths, which are to be freed; their texts remain the run's. */
static void place_outputs(const struct run *run, const struct options *options, struct output *files)
{
    for (size_t i = 0; i < run->output_count; ++i) {
        files[i] = (struct output){.path = path_join(options->output, run->outputs[i].path),
                                   .text = run->outputs[i].text,
                                   .mark = mark,
                                   .instead = "use another directory with -o, rename the spec",
                                   .keep_unchanged = options->keep_unchanged || options->stamp};
    }
}

static void report_difference(const char *path, struct difference difference, const struct options *options)
{
    struct text sentence = {0};
    if (difference.error == ENOENT) {
        text_format(&sentence, "'%s' is missing", path);
    } else if (difference.error) {
        text_format(&sentence, "cannot read '%s': %s", path, strerror(difference.error));
    } else {
        text_format(&sentence, "'%s' is not what '%s' gives: they differ from line %zu on", path,
                    options->spec, difference.lines + 1);
    }
    fail(EXIT_SPEC, options, "HG0011", sentence.bytes,
         "to write it, run the same command without --check; if it is written, this is another halogen, or "
         "other options");
    text_free(&sentence);
}

static enum exit_code check_files(const struct run *run, const struct options *options)
{
    struct output files[OUTPUTS_MAX] = {0};
    enum exit_code code = EXIT_OK;
    place_outputs(run, options, files);
    for (size_t i = 0; i < run->output_count; ++i) {
        struct difference difference = output_compare(&files[i]);
        if (difference.found) {
            report_difference(files[i].path, difference, options);
            code = EXIT_SPEC;
        }
        free(files[i].path);
    }
    return code;
}

/* The stamp is never left alone. */
static void add_stamp(struct output_list *outputs, const struct options *options)
{
    struct output *stamp = &outputs->files[outputs->count++];
    *stamp = (struct output){
        .path = text_copy(options->stamp), .mark = mark, .instead = "name another file with --stamp"};
    text_format(&stamp->text, "%s: the files of '%s' are as new as this one.\n", mark, options->spec);
}

static void add_depfile(struct output_list *outputs, const struct options *options)
{
    struct output depfile = {.path = text_copy(options->depfile),
                             .text = dependency_rule(outputs, options),
                             .instead = "name another file with --depfile",
                             .keep_unchanged = options->keep_unchanged};
    outputs->files[outputs->count++] = depfile;
}

static enum exit_code write_files(const struct run *run, const struct options *options)
{
    struct output files[OUTPUTS_MAX + 2] = {0};
    char *inputs[SOURCES_MAX + 1];
    struct output_list outputs = {.files = files, .count = run->output_count, .inputs = inputs};
    struct text problem = {0};
    outputs.input_count = list_inputs(run, inputs);
    place_outputs(run, options, files);
    if (options->stamp) {
        add_stamp(&outputs, options);
    }
    if (options->depfile) {
        add_depfile(&outputs, options);
    }
    enum exit_code code = EXIT_OK;
    if (!output_write(&outputs, &problem)) {
        code = fail(EXIT_USAGE, options, "HG0008", problem.bytes, "");
    }
    for (size_t i = 0; i < outputs.count; ++i) {
        free(files[i].path);
        if (i >= run->output_count) {
            text_free(&files[i].text);
        }
    }
    text_free(&problem);
    return code;
}

static void fail_internally(const struct run *run, const struct options *options)
{
    struct text sentence = {0}, help = {0};
    size_t line = strcspn(run->internal.bytes, "\n");
    text_puts(&sentence, "internal error: ");
    text_add(&sentence, run->internal.bytes, line);
    text_format(&help, "please report it, with what made it and with this text%s",
                run->internal.bytes + line);
    fail(EXIT_INTERNAL, options, "HG0009", sentence.bytes, help.bytes);
    text_free(&sentence);
    text_free(&help);
}

static enum exit_code generate(const struct options *options)
{
    struct run *run = memory_resize(NULL, sizeof *run);
    *run = (struct run){0};
    run_generator(options, run);
    print_diags(run->diags, run->diag_count, run, options->json);
    enum exit_code code = run->code;
    if (code == EXIT_INTERNAL) {
        fail_internally(run, options);
    }
    if (code == EXIT_SPEC && options->explain) {
        code = EXIT_USAGE;
    }
    if (code == EXIT_OK) {
        code = options->list_outputs && options->output ? print_paths(run, options)
                                                        : print(&run->printed, options);
    }
    if (code == EXIT_OK && options->check) {
        code = check_files(run, options);
    }
    if (code == EXIT_OK && options_write_files(options)) {
        code = write_files(run, options);
    }
    run_free(run);
    free(run);
    return code;
}

/* Of a spec its parameters, too. */
static enum exit_code help(const struct options *options)
{
    struct text text = {0};
    options_help(&text);
    if (options->spec) {
        text_format(&text, "\nparameters of %s:\n", options->spec);
    }
    enum exit_code code = print(&text, options);
    text_free(&text);
    return code == EXIT_OK && options->spec ? generate(options) : code;
}

int main(int count, char **arguments)
{
    /* Whatever was inherited: children can be waited for, and a full disk is an error, not a death. */
    signal(SIGCHLD, SIG_DFL);
    signal(SIGXFSZ, SIG_IGN);

    struct options options;
    struct text text = {0};
    enum exit_code code;
    if (!options_parse(count, arguments, &options, &text)) {
        code = fail(EXIT_USAGE, &options, "HG0010", text.bytes, "halogen --help lists the options");
    } else if (options.help) {
        code = help(&options);
    } else if (options.version) {
        text_format(&text, "halogen " HALOGEN_VERSION "\n%s\n", filter_description());
        code = print(&text, &options);
    } else {
        code = generate(&options);
    }
    text_free(&text);
    return (int)code;
}
