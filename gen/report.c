#include "report.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool put(const hg_text *text, FILE *file)
{
    return text->length == 0 ||
           (fwrite(text->bytes, 1, text->length, file) == text->length && fflush(file) == 0);
}

/* On a terminal that can show colors, unless its user wants none: https://no-color.org. */
static bool is_colored(FILE *file)
{
    const char *no_color = getenv("NO_COLOR"), *terminal = getenv("TERM");
    return isatty(fileno(file)) && !(no_color && *no_color) && terminal && strcmp(terminal, "dumb") != 0;
}

static void show(const hg_diag *diags, size_t count, const hg_run *run, bool json)
{
    bool color = is_colored(stderr);
    hg_text out = {0};
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

hg_exit_code report_failure(hg_exit_code code, const hg_options *options, const char *number,
                            const char *sentence, const char *help)
{
    static const hg_run no_sources;
    hg_diag diag = {.head.severity = SEVERITY_ERROR};
    text_puts(&diag.head.code, number);
    text_puts(&diag.head.message, sentence);
    text_puts(&diag.head.help, help);
    show(&diag, 1, &no_sources, options->json);
    diag_free(&diag);
    return code;
}

hg_exit_code report_text(const hg_text *text, const hg_options *options)
{
    if (put(text, stdout)) {
        return EXIT_OK;
    }
    hg_text problem = {0};
    text_format(&problem, "cannot write to standard output: %s", strerror(errno));
    report_failure(EXIT_USAGE, options, "HG0008", problem.bytes, "");
    text_free(&problem);
    return EXIT_USAGE;
}

static void report_internal_error(const hg_run *run, const hg_options *options)
{
    hg_text sentence = {0}, help = {0};
    size_t line = strcspn(run->internal.bytes, "\n");
    text_puts(&sentence, "internal error: ");
    text_add(&sentence, run->internal.bytes, line);
    text_format(&help, "please report it, with what made it and with this text%s",
                run->internal.bytes + line);
    report_failure(EXIT_INTERNAL, options, "HG0009", sentence.bytes, help.bytes);
    text_free(&sentence);
    text_free(&help);
}

void report_run(const hg_run *run, const hg_options *options)
{
    show(run->diags, run->diag_count, run, options->json);
    if (run->code == EXIT_INTERNAL) {
        report_internal_error(run, options);
    }
}
