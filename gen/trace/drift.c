/*
 * Clocks that run at different speeds: no number that is added to each of them serves all messages.  So each is moved on
 * where a message would come before it was sent, and stays so until the next one.
 */
#include "trace/trace.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One end of a message between two clocks. */
typedef struct hg_end {
    size_t clock, message;
    double seconds;
    bool has_come;
} hg_end;

typedef struct hg_mover {
    hg_end *end; /* by clock, then by time */
    size_t count;
    size_t *next; /* of each clock, ... */
    size_t *last; /* ... up to here */
    double *sent; /* of each message, in seconds of the first file; NAN: not known yet */
} hg_mover;

/* What comes at the moment at which another one is sent moves that, too. */
static int compare_ends(const void *left, const void *right)
{
    const hg_end *a = left, *b = right;
    int order = (a->clock > b->clock) - (a->clock < b->clock);
    order = order != 0 ? order : (a->seconds > b->seconds) - (a->seconds < b->seconds);
    order = order != 0 ? order : (int)b->has_come - (int)a->has_come;
    return order != 0 ? order : (a->message > b->message) - (a->message < b->message);
}

static void list_ends(const hg_trace *trace, hg_mover *m)
{
    for (size_t i = 0; i < trace->messages; ++i) {
        const hg_trace_message *message = &trace->message[i];
        const hg_trace_file *from = &trace->file[message->from], *to = &trace->file[message->to];
        m->sent[i] = (double)NAN;
        if (from->clock != to->clock) {
            m->end[m->count++] = (hg_end){from->clock, i, from->record[message->sent].since, false};
            m->end[m->count++] = (hg_end){to->clock, i, to->record[message->came].since, true};
        }
    }
    qsort(m->end, m->count, sizeof *m->end, compare_ends);
    for (size_t i = 0; i < m->count; ++i) {
        m->last[m->end[i].clock] = i + 1;
    }
    for (size_t i = m->count; i > 0; --i) {
        m->next[m->end[i - 1].clock] = i - 1;
    }
}

static double moved_by(const hg_trace_file *clock)
{
    return clock->steps > 0 ? clock->step[clock->steps - 1].ahead : 0.0;
}

static void move_on(hg_trace_file *clock, double since, double ahead)
{
    if ((clock->steps & (clock->steps + 1)) == 0) { /* room for twice as many */
        clock->step = memory_resize(clock->step, (2 * clock->steps + 1) * sizeof *clock->step);
    }
    clock->step[clock->steps++] = (hg_trace_step){since, ahead};
}

/* Goes on along a clock until a message comes that is not sent yet.  Whether it went.  beyond: also over one such. */
static bool advance(hg_trace *trace, hg_mover *m, size_t clock, bool beyond)
{
    hg_trace_file *file = &trace->file[clock];
    const size_t first = m->next[clock];
    for (; m->next[clock] < m->last[clock]; ++m->next[clock]) {
        const hg_end *e = &m->end[m->next[clock]];
        const double here = e->seconds + file->ahead + moved_by(file);
        if (!e->has_come) {
            m->sent[e->message] = here;
        } else if (isnan(m->sent[e->message])) {
            if (!beyond) {
                break;
            }
            beyond = false;
        } else if (here < m->sent[e->message]) {
            const double late = m->sent[e->message] - here;
            move_on(file, e->seconds, moved_by(file) + late + 1e-9); /* and beyond what is lost in rounding */
        }
    }
    return m->next[clock] > first;
}

/* Messages of damaged files may wait for each other: then one goes unheeded. */
static bool advance_any(hg_trace *trace, hg_mover *m)
{
    bool went = false;
    for (size_t c = 0; c < trace->count; ++c) {
        went = advance(trace, m, c, false) || went;
    }
    for (size_t c = 0; c < trace->count && !went; ++c) {
        went = advance(trace, m, c, true);
    }
    return went;
}

void trace_follow_drift(hg_trace *trace)
{
    hg_mover m = {0};
    m.end = memory_resize(NULL, (2 * trace->messages + 1) * sizeof *m.end);
    m.sent = memory_resize(NULL, (trace->messages + 1) * sizeof *m.sent);
    m.next = memory_resize(NULL, trace->count * sizeof *m.next);
    m.last = memory_resize(NULL, trace->count * sizeof *m.last);
    memset(m.next, 0, trace->count * sizeof *m.next);
    memset(m.last, 0, trace->count * sizeof *m.last);
    list_ends(trace, &m);
    while (advance_any(trace, &m)) {
    }
    for (size_t c = 0; c < trace->count; ++c) {
        trace->moved = fmax(trace->moved, moved_by(&trace->file[c]));
    }
    free(m.end);
    free(m.sent);
    free(m.next);
    free(m.last);
}

double trace_seconds(const hg_trace *trace, size_t file, double seconds)
{
    const hg_trace_file *clock = &trace->file[trace->file[file].clock];
    size_t low = 0, high = clock->steps;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const bool is_before = clock->step[middle].since <= seconds;
        low = is_before ? middle + 1 : low;
        high = is_before ? high : middle;
    }
    return seconds + clock->ahead + (low > 0 ? clock->step[low - 1].ahead : 0.0);
}
