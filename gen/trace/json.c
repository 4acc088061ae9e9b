/* The JSON of trace events, as Perfetto and Chrome read it: a process for each rank, a track for each thread. */
#include "cli/output.h"
#include "trace/trace.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Numbers of threads from here on are streams of devices, by exchange. */
enum { DEVICE_TRACKS = 1 << 16, ALL_TRACKS = DEVICE_TRACKS + HX_TRACE_EXCHANGES, OWN_TRACK = ALL_TRACKS };

/* What is written of each kind that lasts.  Colors are some of those that Chrome has names for. */
static const struct {
    const char *name;
    const char *color;
    bool has_exchange; /* the name goes on with that of the exchange */
} spans[HX_TRACE_KINDS] = {
    [HX_TRACE_CREATED] = {"create", "grey", false},
    [HX_TRACE_PACKED] = {"pack", "thread_state_runnable", false},
    [HX_TRACE_SENT] = {"send", "rail_load", false},
    [HX_TRACE_COPIED] = {"copy", "rail_animation", false},
    [HX_TRACE_STARTED] = {"start", "rail_response", true},
    [HX_TRACE_WAITED] = {"wait", "terrible", false},
    [HX_TRACE_UNPACKED] = {"unpack", "thread_state_running", false},
    [HX_TRACE_FILLED] = {"sums and walls", "olive", false},
    [HX_TRACE_FINISHED] = {"finish", "rail_idle", true},
};

/* Of each phase another one, for what belongs to one. */
static const char *const phase_colors[] = {"thread_state_running", "thread_state_runnable", "rail_animation",
                                           "rail_load"};

typedef struct hg_writer {
    const hg_trace *trace;
    hg_text *json;
    size_t written;
} hg_writer;

static void put_time(hg_text *json, const char *key, int64_t nanoseconds)
{
    text_format(json, ",\"%s\":%s%" PRId64 ".%03d", key, nanoseconds < 0 ? "-" : "",
                nanoseconds < 0 ? -(nanoseconds / 1000) : nanoseconds / 1000, abs((int)(nanoseconds % 1000)));
}

static void begin(hg_writer *w, const char *phase, size_t file, int thread)
{
    text_format(w->json, "%s\n{\"ph\":\"%s\",\"pid\":%d,\"tid\":%d", w->written++ > 0 ? "," : "", phase,
                w->trace->file[file].head->process, thread);
}

static void put_string(hg_text *json, const char *key, const char *value)
{
    text_format(json, "\"%s\":\"", key);
    text_add_json(json, value, strlen(value));
    text_puts(json, "\"");
}

static void put_arguments(hg_writer *w, const hg_trace_file *file, const hxi_trace_record *r)
{
    const hxi_trace_handle *handle = trace_handle(file, r);
    hg_text *json = w->json;
    text_puts(json, ",\"args\":{");
    put_string(json, "spec", handle->spec);
    if (r->exchange >= 0) {
        text_puts(json, ",");
        put_string(json, "exchange", trace_exchange(file, r));
        text_format(json, ",\"line\":%d,\"start\":%" PRIu64 ",\"phase\":%d",
                    file->head->exchange[handle->first + r->exchange].line, r->start, r->phase + 1);
    }
    if (r->peer >= 0) {
        text_format(json, ",\"peer\":%d", r->peer);
    }
    if (r->bytes > 0) {
        text_format(json, ",\"bytes\":%" PRIu64, r->bytes);
    }
    if (r->transport > 0) {
        text_puts(json, ",");
        put_string(json, "transport", file->head->transport[r->transport - 1]);
        text_format(json, ",\"straight into arrays\":%s", r->flags & HX_TRACE_DIRECT ? "true" : "false");
    }
    text_puts(json, "}}");
}

static int track_of(const hxi_trace_record *r)
{
    return r->flags & HX_TRACE_ON_DEVICE ? DEVICE_TRACKS + r->exchange : r->thread;
}

static const char *color_of(const hxi_trace_record *r)
{
    const bool has_phase =
        r->kind != HX_TRACE_CREATED && !spans[r->kind].has_exchange && r->kind != HX_TRACE_WAITED;
    return has_phase ? phase_colors[r->phase % (sizeof phase_colors / sizeof phase_colors[0])]
                     : spans[r->kind].color;
}

static void put_span(hg_writer *w, size_t f, const hxi_trace_record *r, int64_t from, int64_t to)
{
    const hg_trace_file *file = &w->trace->file[f];
    begin(w, "X", f, track_of(r));
    text_puts(w->json, ",\"name\":\"");
    text_puts(w->json, spans[r->kind].name);
    if (spans[r->kind].has_exchange) {
        const char *exchange = trace_exchange(file, r);
        text_puts(w->json, " ");
        text_add_json(w->json, exchange, strlen(exchange));
    }
    text_format(w->json, "\",\"cat\":\"phase %d\",\"cname\":\"%s\"", r->phase + 1, color_of(r));
    put_time(w->json, "ts", from);
    put_time(w->json, "dur", to - from);
    put_arguments(w, file, r);
}

/* What the program tells of itself has a track of its own. */
static void put_own_spans(hg_writer *w, size_t f)
{
    const hg_trace_file *file = &w->trace->file[f];
    for (size_t i = 0; i < file->spans; ++i) {
        const int64_t from = trace_time(w->trace, f, file->span[i].since);
        begin(w, "X", f, OWN_TRACK);
        text_puts(w->json, ",");
        put_string(w->json, "name", file->span[i].name);
        text_puts(w->json, ",\"cat\":\"program\"");
        put_time(w->json, "ts", from);
        put_time(w->json, "dur", trace_time(w->trace, f, file->span[i].seconds) - from);
        text_puts(w->json, "}");
    }
}

/* The failure of a handle is a moment. */
static void put_failure(hg_writer *w, size_t f, const hxi_trace_record *r)
{
    begin(w, "i", f, r->thread);
    text_puts(w->json, ",\"s\":\"p\",\"name\":\"failed\",\"cat\":\"failure\"");
    put_time(w->json, "ts", trace_time(w->trace, f, r->seconds));
    put_arguments(w, &w->trace->file[f], r);
}

/* ---- calls that did not return ---------------------------------------------------------------- */

static int ending_of(int kind)
{
    return kind == HX_TRACE_START    ? HX_TRACE_STARTED
           : kind == HX_TRACE_FINISH ? HX_TRACE_FINISHED
           : kind == HX_TRACE_WAIT   ? HX_TRACE_WAITED
                                     : 0;
}

/* The last begin of its kind, if nothing ends it: the process was ended, or still runs. */
static bool is_open(const hg_trace_file *file, size_t i)
{
    const hxi_trace_record *r = &file->record[i];
    const int ending = ending_of(r->kind);
    bool open = ending != 0;
    for (size_t j = i + 1; j < file->count && open; ++j) {
        const hxi_trace_record *later = &file->record[j];
        open = later->handle != r->handle || (later->kind != ending && later->kind != r->kind);
    }
    return open;
}

static int64_t end_of_all(const hg_trace *trace)
{
    int64_t end = 0;
    for (size_t f = 0; f < trace->count; ++f) {
        const hg_trace_file *file = &trace->file[f];
        const int64_t last =
            file->count > 0 ? trace_time(trace, f, file->record[file->count - 1].seconds) : 0;
        end = last > end ? last : end;
    }
    return end;
}

/* ---- the whole -------------------------------------------------------------------------------- */

static void put_record(hg_writer *w, size_t f, size_t i)
{
    const hg_trace_file *file = &w->trace->file[f];
    const hxi_trace_record *r = &file->record[i];
    if (r->kind < HX_TRACE_KINDS && spans[r->kind].name) {
        put_span(w, f, r, trace_time(w->trace, f, r->since), trace_time(w->trace, f, r->seconds));
    } else if (r->kind == HX_TRACE_FAILED) {
        put_failure(w, f, r);
    } else if (is_open(file, i)) {
        hxi_trace_record shown = *r;
        shown.kind = (uint8_t)ending_of(r->kind);
        put_span(w, f, &shown, trace_time(w->trace, f, r->seconds), end_of_all(w->trace));
    }
}

static void put_name(hg_writer *w, const char *what, size_t file, int thread, const char *name)
{
    begin(w, "M", file, thread);
    text_format(w->json, ",\"name\":\"%s\",\"args\":{", what);
    put_string(w->json, "name", name);
    text_puts(w->json, "}}");
}

/* Names of the process, of its threads, and of the streams that worked. */
static void put_names(hg_writer *w, size_t f)
{
    const hg_trace_file *file = &w->trace->file[f];
    hg_text name = {0};
    bool *is_named = memory_resize(NULL, ALL_TRACKS * sizeof *is_named);
    memset(is_named, 0, ALL_TRACKS * sizeof *is_named);
    text_format(&name, "rank %d on %s", file->head->process, file->head->host);
    put_name(w, "process_name", f, 0, name.bytes);
    text_free(&name);
    begin(w, "M", f, 0);
    text_format(w->json, ",\"name\":\"process_sort_index\",\"args\":{\"sort_index\":%d}}",
                file->head->process);
    for (size_t i = 0; i < file->count; ++i) {
        const hxi_trace_record *r = &file->record[i];
        const int track = track_of(r);
        if (track < 0 || track >= ALL_TRACKS || is_named[track]) {
            continue;
        }
        is_named[track] = true;
        if (track < DEVICE_TRACKS) {
            text_format(&name, "thread %d", track);
        } else {
            text_format(&name, "device, stream of %s", trace_exchange(file, r));
        }
        put_name(w, "thread_name", f, track, name.bytes);
        text_free(&name);
    }
    free(is_named);
    if (file->spans > 0) {
        put_name(w, "thread_name", f, OWN_TRACK, "the program");
    }
}

/* An arrow: from the moment before others can see the message to that at which its coming is seen. */
static void put_arrow(hg_writer *w, size_t number)
{
    const hg_trace_message *m = &w->trace->message[number];
    const struct {
        const char *phase, *binding;
        size_t file, record;
    } end[2] = {{"s", "", m->from, m->sent}, {"f", ",\"bp\":\"e\"", m->to, m->came}};
    for (int i = 0; i < 2; ++i) {
        const hxi_trace_record *r = &w->trace->file[end[i].file].record[end[i].record];
        begin(w, end[i].phase, end[i].file, r->thread);
        text_format(w->json, "%s,\"id\":%zu,\"name\":\"message\",\"cat\":\"message\"", end[i].binding,
                    number + 1);
        put_time(w->json, "ts", trace_time(w->trace, end[i].file, r->since));
        text_puts(w->json, "}");
    }
}

void trace_write_json(const hg_trace *trace, hg_text *json)
{
    hg_writer w = {trace, json, 0};
    text_puts(json, "{\"otherData\":{");
    put_string(json, "made", output_mark);
    text_puts(json, "},\"displayTimeUnit\":\"ns\",\"traceEvents\":[");
    for (size_t f = 0; f < trace->count; ++f) {
        put_names(&w, f);
        for (size_t i = 0; i < trace->file[f].count; ++i) {
            put_record(&w, f, i);
        }
        put_own_spans(&w, f);
    }
    for (size_t i = 0; i < trace->messages; ++i) {
        put_arrow(&w, i);
    }
    text_puts(json, "\n]}\n");
}
