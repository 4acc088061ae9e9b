/*
 * The critical path: what the run took its time with.  It leads from the last moment back: along a rank as long as
 * that works, and where it waited for a message, to the rank that sent it so late.
 */
#include "trace/trace.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { OUTSIDE, LIBRARY, PACK, SEND, COPY, UNPACK, FILL, TRAVEL, WAIT, PARTS };

static const char *const part_names[PARTS] = {
    [OUTSIDE] = "the program itself",
    [LIBRARY] = "start and finish, else",
    [PACK] = "packing",
    [SEND] = "giving messages to a transport",
    [COPY] = "copying within a rank",
    [UNPACK] = "unpacking",
    [FILL] = "sums and walls",
    [TRAVEL] = "messages on their way",
    [WAIT] = "waiting for no message in sight",
};

typedef struct hg_path {
    const hg_trace *trace;
    size_t *next;    /* of each file, how many records are not behind the path */
    double *of_file; /* seconds */
    double part[PARTS];
    size_t jumps;
} hg_path;

static double at(const hg_path *p, size_t file, double seconds)
{
    return trace_seconds(p->trace, file, seconds) - p->trace->origin;
}

/* A message that goes straight into arrays is packed and sent at once; what a device does, no rank does. */
static int part_of(const hxi_trace_record *r)
{
    const bool direct = r->flags & HX_TRACE_DIRECT;
    switch (r->kind) {
    case HX_TRACE_PACKED:
        return r->flags & HX_TRACE_ON_DEVICE ? PARTS : PACK;
    case HX_TRACE_SENT:
        return direct ? PARTS : SEND;
    case HX_TRACE_COPIED:
        return COPY;
    case HX_TRACE_UNPACKED:
        return UNPACK;
    case HX_TRACE_FILLED:
        return FILL;
    case HX_TRACE_WAITED:
        return WAIT;
    default:
        return PARTS;
    }
}

static bool is_call(const hxi_trace_record *r)
{
    return r->kind == HX_TRACE_STARTED || r->kind == HX_TRACE_FINISHED;
}

static double overlap(double from, double to, double low, double high)
{
    return fmax(0.0, fmin(to, high) - fmax(from, low));
}

/* The path goes along a file from `low` to `high`. */
static void go_along(hg_path *p, size_t f, double low, double high)
{
    const hg_trace_file *file = &p->trace->file[f];
    double inside = 0.0, told = 0.0;
    size_t i = p->next[f];
    while (i < file->count && (at(p, f, file->record[i].seconds) < high || !is_call(&file->record[i]))) {
        ++i; /* the call in which the path leaves the rank ends later */
    }
    for (i = i < file->count ? i + 1 : i; i > 0; --i) {
        const hxi_trace_record *r = &file->record[i - 1];
        if (at(p, f, r->seconds) < low) {
            break;
        }
        const double seconds = overlap(at(p, f, r->since), at(p, f, r->seconds), low, high);
        if (is_call(r)) {
            inside += seconds;
        } else if (part_of(r) < PARTS) {
            p->part[part_of(r)] += seconds;
            told += seconds;
        }
    }
    inside = fmax(inside, told);
    p->part[LIBRARY] += inside - told;
    p->part[OUTSIDE] += high - low - inside;
    p->of_file[f] += high - low;
}

/* What ended a wait: a moment of another rank. */
typedef struct hg_cause {
    bool is_known;
    size_t file;
    double moment;
} hg_cause;

/* The sender gave that message to its transport. */
static hg_cause cause_in_message(const hg_path *p, size_t f, size_t came)
{
    const hg_trace *trace = p->trace;
    size_t low = 0, high = trace->messages;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const hg_trace_message *m = &trace->message[middle];
        const bool is_before = m->to < f || (m->to == f && m->came < came);
        low = is_before ? middle + 1 : low;
        high = is_before ? high : middle;
    }
    const hg_trace_message *m = &trace->message[low];
    if (low == trace->messages || m->to != f || m->came != came) {
        return (hg_cause){.is_known = false}; /* the trace has but one end */
    }
    return (hg_cause){true, m->from, at(p, m->from, trace->file[m->from].record[m->sent].since)};
}

/* How many records of a file end before a moment, or at it. */
static size_t records_before(const hg_path *p, size_t f, double moment)
{
    size_t low = 0, high = p->next[f];
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const bool is_before = at(p, f, p->trace->file[f].record[middle].seconds) <= moment;
        low = is_before ? middle + 1 : low;
        high = is_before ? high : middle;
    }
    return low;
}

static bool has_rank(const hxi_trace_head *head, uint64_t handle, int rank)
{
    int i = 0;
    while (i < head->handles && (head->handle[i].id != handle || head->handle[i].rank != rank)) {
        ++i;
    }
    return i < head->handles;
}

/* The other rank started the same exchange, so that this one could write into its arrays. */
static hg_cause cause_in_start(const hg_path *p, size_t f, const hxi_trace_record *wait)
{
    const uint64_t handle = trace_handle(&p->trace->file[f], wait)->id;
    for (size_t g = 0; g < p->trace->count; ++g) {
        const hg_trace_file *other = &p->trace->file[g];
        if (g == f || !has_rank(other->head, handle, wait->peer)) {
            continue;
        }
        const double apart = other->clock == p->trace->file[f].clock ? 0.0 : 1e-3; /* clocks that drift */
        for (size_t i = records_before(p, g, at(p, f, wait->seconds) + apart); i > 0; --i) {
            const hxi_trace_record *r = &other->record[i - 1];
            if (r->kind == HX_TRACE_START && trace_handle(other, r)->id == handle &&
                r->exchange == wait->exchange && r->start <= wait->start) {
                return (hg_cause){r->start == wait->start, g, at(p, g, r->seconds)};
            }
        }
    }
    return (hg_cause){.is_known = false};
}

/* What comes next with that peer tells. */
static hg_cause cause_of(const hg_path *p, size_t f, size_t wait)
{
    const hg_trace_file *file = &p->trace->file[f];
    const hxi_trace_record *w = &file->record[wait];
    for (size_t i = wait + 1; i < file->count; ++i) {
        const hxi_trace_record *r = &file->record[i];
        const bool is_of_peer = r->handle == w->handle && r->exchange == w->exchange && r->peer == w->peer;
        if (is_of_peer && r->kind == HX_TRACE_UNPACKED) {
            return cause_in_message(p, f, i);
        }
        if (is_of_peer && r->kind == HX_TRACE_SENT) {
            return cause_in_start(p, f, w);
        }
    }
    return (hg_cause){.is_known = false};
}

/* The last wait of a file before this moment that a message ended; file->count: there is none. */
static size_t last_wait(hg_path *p, size_t f, double before)
{
    const hg_trace_file *file = &p->trace->file[f];
    while (p->next[f] > 0) {
        const hxi_trace_record *r = &file->record[--p->next[f]];
        if (r->kind == HX_TRACE_WAITED && r->peer >= 0 && at(p, f, r->seconds) <= before) {
            return p->next[f];
        }
    }
    return file->count;
}

/* One step back from a moment of a file; false: that was the first one. */
static bool step_back(hg_path *p, size_t *f, double *moment)
{
    const hg_trace *trace = p->trace;
    const size_t wait = last_wait(p, *f, *moment);
    const hxi_trace_record *first = trace->file[*f].record;
    if (wait == trace->file[*f].count) {
        go_along(p, *f, fmin(at(p, *f, first->since > 0.0 ? first->since : first->seconds), *moment),
                 *moment);
        return false;
    }
    const hxi_trace_record *w = &trace->file[*f].record[wait];
    const hg_cause cause = cause_of(p, *f, wait);
    const double ends = at(p, *f, w->seconds), begins = at(p, *f, w->since);
    go_along(p, *f, ends, *moment);
    const double left = cause.is_known ? fmin(fmax(cause.moment, begins), ends) : begins;
    p->part[cause.is_known ? TRAVEL : WAIT] += ends - left;
    p->of_file[*f] += ends - left;
    if (cause.is_known && cause.moment > begins) {
        *f = cause.file;
        ++p->jumps;
    }
    *moment = left;
    return true;
}

static void put_seconds(hg_text *text, int width, double seconds)
{
    const bool whole = seconds >= 1.0, thousandth = seconds >= 1e-3;
    text_format(text, "%*.3f %s", width,
                seconds * (whole        ? 1.0
                           : thousandth ? 1e3
                                        : 1e6),
                whole        ? "s"
                : thousandth ? "ms"
                             : "us");
}

static void put_row(hg_text *text, const char *name, double seconds, double whole)
{
    text_format(text, "  %-32s%5.1f %%  ", name, whole > 0.0 ? 100.0 * seconds / whole : 0.0);
    put_seconds(text, 8, seconds);
    text_puts(text, "\n");
}

static void put_path(const hg_path *p, double whole, hg_text *text)
{
    text_puts(text, "\ncritical path: ");
    put_seconds(text, 0, whole);
    text_format(text, ", %zu times from a rank to another\n", p->jumps);
    for (int i = 0; i < PARTS; ++i) {
        if (p->part[i] > 0.0) {
            put_row(text, part_names[i], p->part[i], whole);
        }
    }
    text_puts(text, "\nwhere it goes along:\n");
    for (size_t f = 0; f < p->trace->count; ++f) {
        hg_text name = {0};
        text_format(&name, "rank %d", p->trace->file[f].head->process);
        if (p->of_file[f] > 0.005 * whole) {
            put_row(text, name.bytes, p->of_file[f], whole);
        }
        text_free(&name);
    }
}

static void follow(const hg_trace *trace, hg_text *text)
{
    hg_path p = {.trace = trace,
                 .next = memory_resize(NULL, trace->count * sizeof *p.next),
                 .of_file = memory_resize(NULL, trace->count * sizeof *p.of_file)};
    size_t file = 0;
    double moment = -1.0;
    for (size_t f = 0; f < trace->count; ++f) {
        const hg_trace_file *of = &trace->file[f];
        const double end = of->count > 0 ? at(&p, f, of->record[of->count - 1].seconds) : -1.0;
        p.next[f] = of->count;
        p.of_file[f] = 0.0;
        file = end > moment ? f : file;
        moment = end > moment ? end : moment;
    }
    const double whole = moment;
    while (moment >= 0.0 && step_back(&p, &file, &moment)) {
    }
    if (whole >= 0.0) {
        put_path(&p, whole, text);
    }
    free(p.next);
    free(p.of_file);
}

/* ---- what there is ------------------------------------------------------------------------------ */

static void put_clock(const hg_trace_file *file, hg_text *text)
{
    hg_text host = {0};
    text_puts(&host, "");
    text_add_visible(&host, file->head->host, strlen(file->head->host));
    text_format(text, "  rank %-5d %-24s %10zu event%s", file->head->process, host.bytes, file->count,
                file->count == 1 ? "" : "s");
    text_free(&host);
    if (isfinite(file->uncertain)) {
        text_format(text, ", clock %+.6f s, give or take %.1f us", file->ahead, file->uncertain * 1e6);
    } else {
        text_puts(text, ", clock by the time of day: it shares no handle with the others");
    }
    if (file->dropped > 0) {
        text_format(text, file->dropped == 1 ? ", the first %llu is gone" : ", the first %llu are gone",
                    (unsigned long long)file->dropped);
    }
    if (file->head->unlisted > 0) {
        text_format(text,
                    file->head->unlisted == 1 ? ", %llu handle is left out" : ", %llu handles are left out",
                    (unsigned long long)file->head->unlisted);
    }
    text_puts(text, "\n");
}

void trace_summarize(const hg_trace *trace, hg_text *text)
{
    text_format(text, "%zu rank%s, %zu message%s with both ends\n", trace->count,
                trace->count == 1 ? "" : "s", trace->messages, trace->messages == 1 ? "" : "s");
    for (size_t f = 0; f < trace->count; ++f) {
        put_clock(&trace->file[f], text);
    }
    if (trace->backwards > 0) {
        text_format(
            text,
            "%zu message%s before being sent by clocks as create compared them: they run at different speeds, "
            "and are moved on by up to %.1f us on the way.\n",
            trace->backwards, trace->backwards == 1 ? " comes" : "s come", trace->moved * 1e6);
    }
    follow(trace, text);
}
