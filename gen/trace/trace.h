/* The files of a run with HX_TRACE, read whole: one for each process. */
#ifndef HALOGEN_TRACE_H
#define HALOGEN_TRACE_H

#include "base/text.h"
#include "observe/trace_format.h"

/* What the program tells of itself. */
typedef struct hg_trace_span {
    double since;
    double seconds;
    const char *name;
} hg_trace_span;

/* From a moment of a clock on. */
typedef struct hg_trace_step {
    double since;
    double ahead;
} hg_trace_step;

typedef struct hg_trace_file {
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
    hg_trace_span *span; /* of the program, names in span_bytes */
    size_t spans;
    size_t clock; /* number of the first file that has the same clock */
    /* Of such a file: how far its clock is moved on, where clocks run at different speeds. */
    hg_trace_step *step;
    size_t steps;
} hg_trace_file;

/* A message with both ends: records of two files. */
typedef struct hg_trace_message {
    size_t from, sent, to, came;
} hg_trace_message;

typedef struct hg_trace {
    hg_trace_file *file; /* by process */
    size_t count;
    hg_trace_message *message; /* in the order in which they came */
    size_t messages;
    size_t backwards; /* messages that come before they were sent, whatever is added to each clock */
    double moved;     /* so a clock is moved on by so many seconds in the end, the most of all */
    double origin;    /* the first moment of all, in seconds of the first file */
} hg_trace;

/* All files of the directory.  On failure, or where there are none, says in `problem` what is wrong. */
bool trace_read(const char *directory, hg_trace *trace, hg_text *problem);
void trace_free(hg_trace *trace);

/* Those that the program wrote beside the file, if any. */
bool trace_read_spans(hg_trace_file *file, hg_text *problem);

/* After reading: finds the messages, then what to add to each clock, so that no message comes before it was sent. */
void trace_match(hg_trace *trace);
void trace_align(hg_trace *trace);

/* Where that is not to be had: moves clocks on, message by message. */
void trace_follow_drift(hg_trace *trace);

/* Seconds of the first file. */
double trace_seconds(const hg_trace *trace, size_t file, double seconds);

/* Nanoseconds since the first moment of all. */
int64_t trace_time(const hg_trace *trace, size_t file, double seconds);

/* Names of a record's handle and exchange; "" for those that it does not have. */
const hxi_trace_handle *trace_handle(const hg_trace_file *file, const hxi_trace_record *record);
const char *trace_exchange(const hg_trace_file *file, const hxi_trace_record *record);

/* What Perfetto and Chrome read: the JSON of trace events. */
void trace_write_json(const hg_trace *trace, hg_text *json);

/* Clocks, what is missing, and the critical path, in words. */
void trace_summarize(const hg_trace *trace, hg_text *text);

#endif
