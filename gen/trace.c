#include "trace/trace.h"
#include "actions.h"
#include "report.h"
#include "trace/waits.h"

#include <stdlib.h>
#include <string.h>

static hg_exit_code write_json(const hg_trace *trace, const hg_options *options)
{
    hg_output file = {
        .path = text_copy(options->output), .mark = output_mark, .instead = "name another file with -o"};
    const hg_output_list files = {.files = &file, .count = 1};
    hg_text problem = {0};
    hg_exit_code code = EXIT_OK;
    trace_write_json(trace, &file.text);
    if (!output_write(&files, &problem)) {
        code = report_failure(EXIT_USAGE, options, "HG0008", problem.bytes, "");
    }
    text_free(&problem);
    text_free(&file.text);
    free(file.path);
    return code;
}

static hg_exit_code refuse(const hg_options *options, hg_text *problem)
{
    report_failure(EXIT_USAGE, options, "HG0010", problem->bytes, "");
    text_free(problem);
    return EXIT_USAGE;
}

static hg_exit_code merge(const hg_options *options)
{
    hg_trace trace;
    hg_text problem = {0};
    if (!trace_read(options->operands[1], &trace, &problem)) {
        return refuse(options, &problem);
    }
    trace_match(&trace);
    trace_align(&trace);
    hg_exit_code code = options->output ? write_json(&trace, options) : EXIT_OK;
    if (code == EXIT_OK) {
        hg_text summary = {0};
        trace_summarize(&trace, &summary);
        code = report_text(&summary, options);
        text_free(&summary);
    }
    trace_free(&trace);
    return code;
}

static hg_exit_code why(const hg_options *options)
{
    hg_waits waits;
    hg_text problem = {0}, text = {0};
    if (options->output) {
        text_puts(&problem, "-o is for trace merge; trace why prints");
        return refuse(options, &problem);
    }
    if (!waits_read(options->operands[1], &waits, &problem)) {
        return refuse(options, &problem);
    }
    waits_tell(&waits, &text);
    const hg_exit_code code = report_text(&text, options);
    text_free(&text);
    waits_free(&waits);
    return code;
}

hg_exit_code action_trace(const hg_options *options)
{
    return strcmp(options->operands[0], "why") == 0 ? why(options) : merge(options);
}
