#include "run.h"

#include "child/child.h"
#include "child/records.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Takes the text out of a record, so that freeing the record leaves it. */
static hg_text take(hg_text *text)
{
    hg_text taken = *text;
    *text = (hg_text){0};
    return taken;
}

static bool add_source(hg_run *run, hg_record *record)
{
    if (run->source_count > SOURCES_MAX) {
        return false;
    }
    hg_source *source = &run->sources[run->source_count++];
    source->path = take(&record->texts[0]).bytes;
    source->text = take(&record->texts[1]);
    return true;
}

static bool add_remark(hg_remark *remark, hg_record *record)
{
    if (record->numbers[0] >= SEVERITIES) {
        return false;
    }
    *remark = (hg_remark){
        .severity = (hg_severity)record->numbers[0],
        .line = record->numbers[1],
        .column = record->numbers[2],
        .length = record->numbers[3],
        .code = take(&record->texts[0]),
        .file = take(&record->texts[1]),
        .message = take(&record->texts[2]),
        .help = take(&record->texts[3]),
    };
    return true;
}

static bool add_diag(hg_run *run, hg_record *record)
{
    bool valid = run->diag_count < DIAGS_MAX && add_remark(&run->diags[run->diag_count].head, record);
    run->diag_count += valid;
    return valid;
}

static bool add_note(hg_run *run, hg_record *record)
{
    hg_diag *diag = run->diag_count > 0 ? &run->diags[run->diag_count - 1] : NULL;
    bool valid = diag && diag->note_count < NOTES_MAX && add_remark(&diag->notes[diag->note_count], record);
    if (valid) {
        ++diag->note_count;
    }
    return valid;
}

static bool add_fix(hg_run *run, hg_record *record)
{
    hg_fix *fix = run->diag_count > 0 ? &run->diags[run->diag_count - 1].fix : NULL;
    if (!fix || fix->line > 0 || record->numbers[0] == 0 || record->numbers[1] == 0) {
        return false;
    }
    *fix = (hg_fix){
        .line = record->numbers[0],
        .column = record->numbers[1],
        .length = record->numbers[2],
        .file = take(&record->texts[0]),
        .text = take(&record->texts[1]),
    };
    return true;
}

static bool add_output(hg_run *run, hg_record *record)
{
    const hg_text *name = &record->texts[0];
    run->output_bytes += record->texts[1].length;
    if (run->output_count == OUTPUTS_MAX || run->output_bytes > OUTPUT_BYTES_MAX) {
        return false;
    }
    for (size_t i = 0; i < run->output_count; ++i) {
        if (strcmp(run->outputs[i].path, name->bytes) == 0) {
            return false;
        }
    }
    if (!output_name_is_plain(name->bytes, name->length)) {
        return false;
    }
    hg_output *output = &run->outputs[run->output_count++];
    output->path = take(&record->texts[0]).bytes;
    output->text = take(&record->texts[1]);
    return true;
}

static bool add_printed(hg_run *run, hg_record *record)
{
    text_add(&run->printed, record->texts[0].bytes, record->texts[0].length);
    return run->printed.length <= PRINT_BYTES_MAX;
}

static hg_remark *host_remark(hg_run *run, hg_severity severity, const char *code)
{
    hg_remark *remark = &run->diags[run->diag_count++].head;
    remark->severity = severity;
    text_puts(&remark->code, code);
    return remark;
}

static void report_limit(hg_run *run, hg_limit limit, const char *file, uint32_t line, bool proving)
{
    hg_remark *remark = host_remark(run, SEVERITY_ERROR, limit_code(limit));
    text_puts(&remark->file, *file ? file : run->sources[0].path);
    remark->line = line;
    limit_message(limit, proving, &remark->message);
    text_puts(&remark->help, limit_help(limit, proving));
    run->code = EXIT_SPEC;
}

static bool end_at_limit(hg_run *run, hg_record *record)
{
    if (record->numbers[0] >= LIMITS) {
        return false;
    }
    report_limit(run, (hg_limit)record->numbers[0], record->texts[0].bytes, record->numbers[1],
                 record->numbers[2] != 0);
    return true;
}

static bool end_internal(hg_run *run, hg_record *record)
{
    run->internal = take(&record->texts[0]);
    run->code = EXIT_INTERNAL;
    return true;
}

static bool end_in_order(hg_run *run, hg_record *record)
{
    run->code = record->numbers[0] ? EXIT_SPEC : EXIT_OK;
    if (record->numbers[1] > 0) {
        hg_remark *remark = host_remark(run, SEVERITY_NOTE, "HG0007");
        text_format(&remark->message, "%u more diagnostics are not shown", (unsigned)record->numbers[1]);
    }
    return true;
}

/* What to do with each kind; false from it means that the child broke its own limits. */
static const struct {
    bool (*take)(hg_run *run, hg_record *record);
    bool is_last;
} kinds[RECORD_KINDS] = {
    [RECORD_SOURCE] = {add_source, false}, [RECORD_DIAG] = {add_diag, false},
    [RECORD_NOTE] = {add_note, false},     [RECORD_FIX] = {add_fix, false},
    [RECORD_OUTPUT] = {add_output, false}, [RECORD_PRINT] = {add_printed, false},
    [RECORD_LIMIT] = {end_at_limit, true}, [RECORD_INTERNAL] = {end_internal, true},
    [RECORD_END] = {end_in_order, true},
};

hg_record_result run_collect(int pipe, pid_t child, hg_run *run)
{
    for (;;) {
        hg_record record;
        hg_record_result result = record_receive(pipe, child, &record);
        if (result != RECORD_RECEIVED) {
            return result;
        }
        bool valid = kinds[record.kind].take(run, &record), is_last = kinds[record.kind].is_last;
        record_free(&record);
        if (!valid) {
            return RECORD_CORRUPT;
        }
        if (is_last) {
            return RECORD_RECEIVED;
        }
    }
}

/* The child fell silent: what ended it? */
static void explain(hg_run *run, hg_record_result result, int status)
{
    int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    if (result == RECORD_STOPPED || signal == SIGXCPU) {
        report_limit(run, LIMIT_TIME, "", 0, false);
    } else if (result == RECORD_NONE && signal == SIGKILL) {
        report_limit(run, LIMIT_MEMORY, "", 0, false);
    } else {
        run->code = EXIT_INTERNAL;
        if (signal == SIGSYS) {
            text_puts(&run->internal, "the confined process asked the system for something that a spec never "
                                      "needs, and was ended");
        } else if (result == RECORD_CORRUPT) {
            text_puts(&run->internal, "the confined process sent something that makes no sense");
        } else if (signal) {
            text_format(&run->internal, "the confined process was ended by signal %d", signal);
        } else {
            text_format(&run->internal, "the confined process ended with status %d", WEXITSTATUS(status));
        }
    }
}

static void fail_to_start(hg_run *run, const char *what)
{
    run->code = EXIT_INTERNAL;
    text_format(&run->internal, "%s: %s", what, strerror(errno));
}

static void supervise(pid_t child, int pipe, hg_run *run)
{
    hg_record_result result = run_collect(pipe, child, run);
    if (result == RECORD_STOPPED || result == RECORD_CORRUPT) {
        kill(child, SIGKILL);
    }
    int status = 0;
    waitpid(child, &status, 0); /* no signal has a handler here that could interrupt it */
    if (result != RECORD_RECEIVED || (run->code == EXIT_OK && status != 0)) {
        explain(run, result, status);
    }
}

static void start(const hg_options *options, const hg_text *spec_problem, hg_run *run)
{
    int ends[2];
    if (pipe(ends) != 0) {
        fail_to_start(run, "pipe");
        return;
    }
    pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        child_main(&(hg_child){
            .pipe = ends[1], .options = options, .spec = &run->sources[0], .spec_problem = spec_problem});
    }
    close(ends[1]);
    if (child < 0) {
        fail_to_start(run, "fork");
    } else {
        supervise(child, ends[0], run);
    }
    close(ends[0]);
}

static hg_run *new_run(const hg_options *options)
{
    hg_run *run = memory_resize(NULL, sizeof *run);
    *run = (hg_run){0};
    run->sources[0].path = text_copy(options->spec ? options->spec : "");
    run->source_count = 1;
    return run;
}

hg_run *run_generator(const hg_options *options)
{
    hg_run *run = new_run(options);
    hg_text problem = {0};
    if (options->spec) {
        source_read(options->spec, SOURCE_BYTES_MAX, &run->sources[0].text, &problem);
    }
    start(options, &problem, run);
    text_free(&problem);
    return run;
}

hg_run *run_on_text(const hg_options *options, const hg_text *text)
{
    hg_run *run = new_run(options);
    hg_text problem = {0};
    text_add(&run->sources[0].text, text->bytes, text->length);
    start(options, &problem, run);
    return run;
}

void run_free(hg_run *run)
{
    for (size_t i = 0; i < run->source_count; ++i) {
        free(run->sources[i].path);
        text_free(&run->sources[i].text);
    }
    for (size_t i = 0; i < run->diag_count; ++i) {
        diag_free(&run->diags[i]);
    }
    for (size_t i = 0; i < run->output_count; ++i) {
        free(run->outputs[i].path);
        text_free(&run->outputs[i].text);
    }
    text_free(&run->printed);
    text_free(&run->internal);
    free(run);
}

size_t run_inputs(const hg_run *run, char **inputs)
{
    size_t count = 0;
    for (size_t i = 0; i < run->source_count; ++i) {
        if (strcmp(run->sources[i].path, "-") != 0) {
            inputs[count++] = run->sources[i].path;
        }
    }
    return count;
}
