#include "actions.h"
#include "cli/depfile.h"
#include "report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The names that the generator printed, one a line, as paths in the directory of the outputs. */
static hg_exit_code print_paths(const hg_run *run, const hg_options *options)
{
    hg_text paths = {0};
    char *line = run->printed.bytes;
    for (char *end; line && (end = strchr(line, '\n')); line = end + 1) {
        *end = '\0';
        char *path = path_join(options->output, line);
        text_format(&paths, "%s\n", path);
        free(path);
    }
    hg_exit_code code = report_text(&paths, options);
    text_free(&paths);
    return code;
}

/* Of the stamp alone, if there is one: the outputs keep their dates. */
static hg_text dependency_rule(const hg_output_list *outputs, const hg_options *options)
{
    hg_text rule = {0};
    char *targets[OUTPUTS_MAX + 1];
    size_t first = options->stamp ? outputs->count - 1 : 0;
    for (size_t i = first; i < outputs->count; ++i) {
        targets[i - first] = outputs->files[i].path;
    }
    size_t specs = strcmp(options->spec, "-") != 0;
    depfile_add_rule(&rule, targets, outputs->count - first, outputs->inputs, outputs->input_count, specs);
    return rule;
}

/* The outputs with their paths, which are to be freed; their texts remain the run's. */
static void place_outputs(const hg_run *run, const hg_options *options, hg_output *files)
{
    for (size_t i = 0; i < run->output_count; ++i) {
        files[i] = (hg_output){.path = path_join(options->output, run->outputs[i].path),
                               .text = run->outputs[i].text,
                               .mark = output_mark,
                               .instead = "use another directory with -o, rename the spec",
                               .keep_unchanged = options->keep_unchanged || options->stamp};
    }
}

static void report_difference(const char *path, hg_difference difference, const hg_options *options)
{
    hg_text sentence = {0};
    if (difference.error == ENOENT) {
        text_format(&sentence, "'%s' is missing", path);
    } else if (difference.error) {
        text_format(&sentence, "cannot read '%s': %s", path, strerror(difference.error));
    } else {
        text_format(&sentence, "'%s' is not what '%s' gives: they differ from line %zu on", path,
                    options->spec, difference.lines + 1);
    }
    report_failure(
        EXIT_SPEC, options, "HG0011", sentence.bytes,
        "to write it, run the same command without --compare; if it is written, this is another halogen, or "
        "other options");
    text_free(&sentence);
}

static hg_exit_code compare_files(const hg_run *run, const hg_options *options)
{
    hg_output files[OUTPUTS_MAX] = {0};
    hg_exit_code code = EXIT_OK;
    place_outputs(run, options, files);
    for (size_t i = 0; i < run->output_count; ++i) {
        hg_difference difference = output_compare(&files[i]);
        if (difference.found) {
            report_difference(files[i].path, difference, options);
            code = EXIT_SPEC;
        }
        free(files[i].path);
    }
    return code;
}

/* The stamp is never left alone. */
static void add_stamp(hg_output_list *outputs, const hg_options *options)
{
    hg_output *stamp = &outputs->files[outputs->count++];
    *stamp = (hg_output){
        .path = text_copy(options->stamp), .mark = output_mark, .instead = "name another file with --stamp"};
    text_format(&stamp->text, "%s: the files of '%s' are as new as this one.\n", output_mark, options->spec);
}

static void add_depfile(hg_output_list *outputs, const hg_options *options)
{
    hg_output depfile = {.path = text_copy(options->depfile),
                         .text = dependency_rule(outputs, options),
                         .instead = "name another file with --depfile",
                         .keep_unchanged = options->keep_unchanged};
    outputs->files[outputs->count++] = depfile;
}

static hg_exit_code write_files(const hg_run *run, const hg_options *options)
{
    hg_output files[OUTPUTS_MAX + 2] = {0};
    char *inputs[SOURCES_MAX + 1];
    hg_output_list outputs = {.files = files, .count = run->output_count, .inputs = inputs};
    hg_text problem = {0};
    outputs.input_count = run_inputs(run, inputs);
    place_outputs(run, options, files);
    if (options->stamp) {
        add_stamp(&outputs, options);
    }
    if (options->depfile) {
        add_depfile(&outputs, options);
    }
    hg_exit_code code = EXIT_OK;
    if (!output_write(&outputs, &problem)) {
        code = report_failure(EXIT_USAGE, options, "HG0008", problem.bytes, "");
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

hg_exit_code action_generate(const hg_options *options)
{
    hg_run *run = run_generator(options);
    report_run(run, options);
    hg_exit_code code = run->code;
    if (code == EXIT_OK) {
        code = options->list_outputs && options->output ? print_paths(run, options)
                                                        : report_text(&run->printed, options);
    }
    if (code == EXIT_OK && options->compare) {
        code = compare_files(run, options);
    }
    if (code == EXIT_OK && options_write_files(options)) {
        code = write_files(run, options);
    }
    run_free(run);
    return code;
}
