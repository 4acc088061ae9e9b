#include "trace/trace.h"

#include <stdlib.h>
#include <string.h>

/* One end of a message.  Both ends have the same name: handle, ranks, exchange, start, phase, number. */
typedef struct hg_end {
    uint64_t handle, start;
    int32_t from, to, message;
    int16_t exchange;
    uint8_t phase;
    bool has_come;
    size_t file, record;
} hg_end;

#define COMPARE(member)                                                                                      \
    if (a->member != b->member) {                                                                            \
        return a->member < b->member ? -1 : 1;                                                               \
    }

/* Of one name, what was sent comes first. */
static int compare_ends(const void *left, const void *right)
{
    const hg_end *a = left, *b = right;
    COMPARE(handle)
    COMPARE(start)
    COMPARE(from)
    COMPARE(to)
    COMPARE(exchange)
    COMPARE(phase)
    COMPARE(message)
    COMPARE(has_come)
    return 0;
}

static bool are_one(const hg_end *sent, const hg_end *came)
{
    return !sent->has_come && came->has_come && sent->handle == came->handle && sent->start == came->start &&
           sent->from == came->from && sent->to == came->to && sent->exchange == came->exchange &&
           sent->phase == came->phase && sent->message == came->message;
}

/* Messages that the application moves may be there before libhx sees that they are packed. */
static bool is_end(const hg_trace_file *file, const hxi_trace_record *r)
{
    const bool by_hand = r->transport > 0 && strcmp(file->head->transport[r->transport - 1], "manual") == 0;
    return !by_hand && (r->kind == HX_TRACE_SENT || r->kind == HX_TRACE_UNPACKED);
}

static size_t list_ends(const hg_trace *trace, hg_end *ends)
{
    size_t count = 0;
    for (size_t f = 0; f < trace->count; ++f) {
        const hg_trace_file *file = &trace->file[f];
        for (size_t i = 0; i < file->count; ++i) {
            const hxi_trace_record *r = &file->record[i];
            if (!is_end(file, r)) {
                continue;
            }
            const hxi_trace_handle *handle = trace_handle(file, r);
            const bool has_come = r->kind == HX_TRACE_UNPACKED;
            if (ends) {
                ends[count] = (hg_end){.handle = handle->id,
                                       .start = r->start,
                                       .from = has_come ? r->peer : handle->rank,
                                       .to = has_come ? handle->rank : r->peer,
                                       .message = r->message,
                                       .exchange = r->exchange,
                                       .phase = r->phase,
                                       .has_come = has_come,
                                       .file = f,
                                       .record = i};
            }
            ++count;
        }
    }
    return count;
}

/* By where they came, then when. */
static int compare_messages(const void *left, const void *right)
{
    const hg_trace_message *a = left, *b = right;
    COMPARE(to)
    COMPARE(came)
    return 0;
}

void trace_match(hg_trace *trace)
{
    const size_t most = list_ends(trace, NULL);
    hg_end *ends = memory_resize(NULL, (most + 1) * sizeof *ends);
    const size_t count = list_ends(trace, ends);
    qsort(ends, count, sizeof *ends, compare_ends);
    trace->message = memory_resize(NULL, (count / 2 + 1) * sizeof *trace->message);
    for (size_t i = 1; i < count; ++i) {
        if (are_one(&ends[i - 1], &ends[i])) {
            trace->message[trace->messages++] =
                (hg_trace_message){ends[i - 1].file, ends[i - 1].record, ends[i].file, ends[i].record};
        }
    }
    qsort(trace->message, trace->messages, sizeof *trace->message, compare_messages);
    free(ends);
}
