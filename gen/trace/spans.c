/* Spans that the program wrote itself, beside its trace: lines of BEGIN END NAME, in seconds of the trace. */
#include "trace/files.h"
#include "trace/trace.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char ending[] = ".spans";

/* "traces/rank-00001.hxtrace" -> "traces/rank-00001.spans" */
static char *path_of(const hg_trace_file *file)
{
    hg_text path = {0};
    text_add(&path, file->path, strlen(file->path) - strlen(HX_TRACE_ENDING));
    text_puts(&path, ending);
    return path.bytes;
}

static bool read_line(char *line, hg_trace_span *span)
{
    char *end = NULL, *name = NULL;
    span->since = strtod(line, &end);
    span->seconds = strtod(end, &name);
    span->name = name + strspn(name, " ");
    return end > line && name > end && span->name > name && span->name[0] != '\0' && isfinite(span->since) &&
           isfinite(span->seconds) && span->since <= span->seconds;
}

/* Ends each line with a zero, since names stay where they are. */
static bool read_lines(hg_trace_file *file, const char *path, size_t size, hg_text *problem)
{
    file->span_bytes[size] = '\0';
    char *line = file->span_bytes;
    for (size_t number = 1; *line != '\0'; ++number) {
        const size_t length = strcspn(line, "\n");
        char *next = line + length + (line[length] == '\n');
        line[length] = '\0';
        file->span = memory_resize(file->span, (file->spans + 1) * sizeof *file->span);
        if (!read_line(line, &file->span[file->spans])) {
            text_format(problem, "%s:%zu: a span is BEGIN END NAME, in seconds of CLOCK_MONOTONIC", path,
                        number);
            return false;
        }
        file->spans++;
        line = next;
    }
    return true;
}

bool trace_read_spans(hg_trace_file *file, hg_text *problem)
{
    char *path = path_of(file);
    size_t size = 0;
    bool fine = true;
    if (access(path, F_OK) == 0) {
        fine = files_load(path, &file->span_bytes, &size, problem) && read_lines(file, path, size, problem);
    }
    free(path);
    return fine;
}
