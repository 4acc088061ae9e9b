#include "actions.h"
#include "base/limits.h"
#include "base/source.h"
#include "report.h"

#include <stdlib.h>
#include <string.h>

/* Numbers that do not go together are wrong usage, what is wrong with the spec is not. */
static bool is_wrong_usage(const hg_run *run)
{
    return run->diag_count > 0 && strcmp(run->diags[0].head.code.bytes, "HG0010") == 0;
}

/* The page, under the name that --html gives it; "-": standard output. */
static hg_exit_code write_page(const hg_run *run, const hg_options *options)
{
    if (strcmp(options->html, "-") == 0) {
        return report_text(&run->outputs[0].text, options);
    }
    hg_output page = {.path = text_copy(options->html),
                      .text = run->outputs[0].text,
                      .mark = output_mark,
                      .instead = "name another file with --html"};
    char *inputs[SOURCES_MAX + 1];
    const hg_output_list pages = {
        .files = &page, .inputs = inputs, .count = 1, .input_count = run_inputs(run, inputs)};
    hg_text problem = {0};
    hg_exit_code code = EXIT_OK;
    if (!output_write(&pages, &problem)) {
        code = report_failure(EXIT_USAGE, options, "HG0008", problem.bytes, "");
    }
    text_free(&problem);
    free(page.path);
    return code;
}

static hg_exit_code explain(const hg_options *options)
{
    hg_run *run = run_generator(options);
    report_run(run, options);
    hg_exit_code code = run->code == EXIT_SPEC && is_wrong_usage(run) ? EXIT_USAGE : run->code;
    if (code == EXIT_OK) {
        code = report_text(&run->printed, options);
    }
    if (code == EXIT_OK && run->output_count > 0) {
        code = write_page(run, options);
    }
    run_free(run);
    return code;
}

/* What a file of an option has; nothing where the option was not given. */
static bool read_file(const char *path, hg_text *text, hg_text *problem)
{
    return !path || source_read(path, SOURCE_BYTES_MAX, text, problem);
}

/* These files lie anywhere, so they are read before the generator is confined to where the spec is. */
hg_exit_code action_explain(const hg_options *options)
{
    hg_options all = *options;
    hg_text problem = {0};
    const bool readable = read_file(options->run, &all.run_text, &problem) &&
                          read_file(options->stats, &all.stats_text, &problem) &&
                          read_file(options->machine, &all.machine_text, &problem);
    const hg_exit_code code =
        readable ? explain(&all) : report_failure(EXIT_USAGE, options, "HG0010", problem.bytes, "");
    text_free(&all.run_text);
    text_free(&all.stats_text);
    text_free(&all.machine_text);
    text_free(&problem);
    return code;
}
