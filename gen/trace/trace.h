/* The files of a run with HX_TRACE, read whole: one for each process. */
#ifndef HALOGEN_TRACE_H
#define HALOGEN_TRACE_H

#include "base/text.h"
#include "observe/trace_format.h"

/* What the program tells of itself. */
struct trace_span {
    double since;
    double seconds;
    const char *name;
};

/* From a moment of a clock on. */
struct trace_step {
    double since;
    double ahead;
};

struct trace_file {
    char *path;
    char *bytes;                /* all of it */
    const hxi_trace_head *head; /* in it */
    hxi_trace_record *record;   /* whole ones, in the order in which they were written */
    size_t count;
    uint64_t dropped; /* older ones, for which the ring had no room */
    double ahead;     /* add it to its seconds, and they are those of the first file, ... */
    double uncertain; /* ... give or take this */
    bool is_compared; /* no: it has no handle in common with the others, and the time of day serves */
    char *span_bytes;
    struct trace_span *span; /* of the program, names in span_bytes */
    size_t spans;
    size_t clock; /* number of the first file that has the same clock */
    /* Of such a file: how far its clock is moved on, where clocks run at different speeds. */
    struct trace_step *step;
    size_t steps;
};

/* A message with both ends: records of two files. */
struct trace_message {
    size_t from, sent, to, came;
};

struct trace {
    struct trace_file *file; /* by process */
    size_t count;
    struct trace_message *message; /* in the order in which they came */
    size_t messages;
    size_t backwards; /* messages that come before they were sent, whatever is added to each clock */
    double moved;     /* so a clock is moved on by so many seconds in the end, the most of all */
    double origin;    /* the first moment of all, in seconds of the first file */
};

/* All files of the directory.  On failure, or where there are none, says in `problem` what is wrong. */
bool trace_read(const char *directory, struct trace *trace, struct text *problem);
void trace_free(struct trace *trace);

/* Those that the program wrote beside the file, if any. */
bool trace_read_spans(struct trace_file *file, struct text *problem);

/* After reading: finds the messages, then what to add to each clock, so that no message comes before it was sent. */
void trace_match(struct trace *trace);
void trace_align(struct trace *trace);

/* Where that is not to be had: moves clocks on, message by message. */
void trace_follow_drift(struct trace *trace);

/* Seconds of the first file. */
double trace_seconds(const struct trace *trace, size_t file, double seconds);

/* Nanoseconds since the first moment of all. */
int64_t trace_time(const struct trace *trace, size_t file, double seconds);

/* Names of a record's handle and exchange; "" for those that it does not have. */
const hxi_trace_handle *trace_handle(const struct trace_file *file, const hxi_trace_record *record);
const char *trace_exchange(const struct trace_file *file, const hxi_trace_record *record);

/* What Perfetto and Chrome read: the JSON of trace events. */
void trace_write_json(const struct trace *trace, struct text *json);

/* Clocks, what is missing, and the critical path, in words. */
void trace_summarize(const struct trace *trace, struct text *text);

#endif
