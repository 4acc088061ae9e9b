/* Clocks of processes: each file says how far its handles are from the clock of the handle's rank 0. */
#include "trace/trace.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A handle as one file has it. */
typedef struct hg_part {
    uint64_t handle;
    size_t file;
    double ahead, uncertain;
} hg_part;

static int compare_parts(const void *left, const void *right)
{
    const hg_part *a = left, *b = right;
    return (a->handle > b->handle) - (a->handle < b->handle);
}

static size_t list_parts(const hg_trace *trace, hg_part *parts)
{
    size_t count = 0;
    for (size_t f = 0; f < trace->count; ++f) {
        for (int i = 0; i < trace->file[f].head->handles; ++i) {
            const hxi_trace_handle *h = &trace->file[f].head->handle[i];
            if (parts) {
                parts[count] = (hg_part){h->id, f, h->ahead, h->uncertain};
            }
            ++count;
        }
    }
    return count;
}

/* What is known of one file of a handle tells of the others of that handle.  Whether that was new of any. */
static bool spread(hg_trace *trace, const hg_part *part, size_t count)
{
    size_t known = 0;
    bool is_new = false;
    while (known < count && !trace->file[part[known].file].is_compared) {
        ++known;
    }
    for (size_t i = 0; i < count && known < count; ++i) {
        const hg_trace_file *from = &trace->file[part[known].file];
        hg_trace_file *to = &trace->file[part[i].file];
        if (!to->is_compared) {
            to->ahead = from->ahead - part[known].ahead + part[i].ahead;
            to->uncertain = from->uncertain + part[known].uncertain + part[i].uncertain;
            to->is_compared = true;
            is_new = true;
        }
    }
    return is_new;
}

static void compare_clocks(hg_trace *trace)
{
    const size_t most = list_parts(trace, NULL);
    hg_part *parts = memory_resize(NULL, (most + 1) * sizeof *parts);
    const size_t count = list_parts(trace, parts);
    qsort(parts, count, sizeof *parts, compare_parts);
    trace->file[0].is_compared = true;
    for (bool is_new = true; is_new;) {
        is_new = false;
        for (size_t i = 0, end = 0; i < count; i = end) {
            for (end = i; end < count && parts[end].handle == parts[i].handle;) {
                ++end;
            }
            is_new = spread(trace, parts + i, end - i) || is_new;
        }
    }
    free(parts);
}

/* Where nobody has compared, the time of day serves. */
static void take_time_of_day(hg_trace *trace)
{
    const hxi_trace_head *first = trace->file[0].head;
    for (size_t f = 1; f < trace->count; ++f) {
        hg_trace_file *file = &trace->file[f];
        if (!file->is_compared) {
            file->ahead = (file->head->day_time - file->head->seconds) - (first->day_time - first->seconds);
            file->uncertain = INFINITY;
        }
    }
}

/* Processes of one machine share its clock, but where somebody gave a container another one. */
static bool share_clock(const hg_trace_file *a, const hg_trace_file *b)
{
    const double apart = fabs(a->ahead - b->ahead);
    return strcmp(a->head->host, b->head->host) == 0 && apart <= a->uncertain + b->uncertain && apart < 0.01;
}

static void find_clocks(hg_trace *trace)
{
    for (size_t f = 0; f < trace->count; ++f) {
        hg_trace_file *file = &trace->file[f];
        for (file->clock = 0; file->clock < f; ++file->clock) {
            hg_trace_file *first = &trace->file[file->clock];
            if (first->clock == file->clock && share_clock(first, file)) {
                first->ahead = file->uncertain < first->uncertain ? file->ahead : first->ahead;
                first->uncertain = fmin(first->uncertain, file->uncertain);
                break;
            }
        }
    }
}

static void take_clocks(hg_trace *trace)
{
    for (size_t f = 0; f < trace->count; ++f) {
        trace->file[f].ahead = trace->file[trace->file[f].clock].ahead;
        trace->file[f].uncertain = trace->file[trace->file[f].clock].uncertain;
    }
}

/* Seconds that a message takes; it cannot be less than nothing. */
static double flight(const hg_trace *trace, const hg_trace_message *m)
{
    const hg_trace_file *from = &trace->file[m->from], *to = &trace->file[m->to];
    return (to->record[m->came].since + trace->file[to->clock].ahead) -
           (from->record[m->sent].since + trace->file[from->clock].ahead);
}

/* Of all messages from a clock to a file the one that seems quickest: it alone decides how far a clock has to move. */
typedef struct hg_pair {
    size_t from, to; /* clocks */
    size_t file;
    double quickest; /* by the clocks as they are, not as they were compared */
} hg_pair;

typedef struct hg_pairs {
    hg_pair *pair;
    size_t count;
} hg_pairs;

static hg_pairs find_pairs(const hg_trace *trace)
{
    hg_pairs pairs = {0};
    size_t *last = memory_resize(NULL, trace->count * sizeof *last); /* pair of each sender, from 1 */
    memset(last, 0, trace->count * sizeof *last);
    for (size_t i = 0; i < trace->messages; ++i) {
        const hg_trace_message *m = &trace->message[i];
        const size_t from = trace->file[m->from].clock, to = trace->file[m->to].clock;
        const double seconds =
            trace->file[m->to].record[m->came].since - trace->file[m->from].record[m->sent].since;
        if (last[from] == 0 || pairs.pair[last[from] - 1].file != m->to) {
            pairs.pair = memory_resize(pairs.pair, (pairs.count + 1) * sizeof *pairs.pair);
            pairs.pair[pairs.count++] = (hg_pair){from, to, m->to, seconds};
            last[from] = pairs.count; /* messages are in order of the files to which they come */
        }
        hg_pair *pair = &pairs.pair[last[from] - 1];
        pair->quickest = fmin(pair->quickest, seconds);
    }
    free(last);
    return pairs;
}

/* Moves clocks on where a message comes before it was sent.  Whether one did. */
static bool move_clocks(hg_trace *trace, const hg_pairs *pairs)
{
    bool moved = false;
    for (size_t i = 0; i < pairs->count; ++i) {
        const hg_pair *pair = &pairs->pair[i];
        const double seconds = (pair->quickest + trace->file[pair->to].ahead) - trace->file[pair->from].ahead;
        if (seconds < 0.0 && pair->from != pair->to) {
            trace->file[pair->to].ahead += 1e-9 - seconds; /* and beyond what is lost in rounding */
            moved = true;
        }
    }
    return moved;
}

/*
 * If all clocks run alike moving them ends after as many rounds as there are files.  If not the messages are counted that
 * come too early by the clocks as they were compared, and these are moved on from message to message.
 */
static void respect_messages(hg_trace *trace)
{
    const hg_pairs pairs = find_pairs(trace);
    double *compared = memory_resize(NULL, trace->count * sizeof *compared);
    for (size_t f = 0; f < trace->count; ++f) {
        compared[f] = trace->file[f].ahead;
    }
    size_t round = 0;
    while (round <= trace->count && move_clocks(trace, &pairs)) {
        ++round;
    }
    for (size_t f = 0; f < trace->count && round > trace->count; ++f) {
        trace->file[f].ahead = compared[f];
    }
    for (size_t i = 0; i < trace->messages; ++i) {
        trace->backwards += flight(trace, &trace->message[i]) < 0.0;
    }
    if (round > trace->count) {
        trace_follow_drift(trace);
    }
    free(compared);
    free(pairs.pair);
}

/* What a record has of the first moment: when it began, or happened. */
static double begin_of(const hxi_trace_record *r)
{
    return r->since > 0.0 && r->since < r->seconds ? r->since : r->seconds;
}

void trace_align(hg_trace *trace)
{
    compare_clocks(trace);
    take_time_of_day(trace);
    find_clocks(trace);
    respect_messages(trace);
    take_clocks(trace);
    trace->origin = INFINITY;
    for (size_t f = 0; f < trace->count; ++f) {
        const hg_trace_file *file = &trace->file[f];
        for (size_t i = 0; i < file->count; ++i) {
            trace->origin = fmin(trace->origin, trace_seconds(trace, f, begin_of(&file->record[i])));
        }
    }
}

int64_t trace_time(const hg_trace *trace, size_t file, double seconds)
{
    const double most = 4e18; /* what a damaged file has fits, too */
    const double time = (trace_seconds(trace, file, seconds) - trace->origin) * 1e9;
    return isnan(time) ? 0 : llround(fmin(fmax(time, -most), most));
}
