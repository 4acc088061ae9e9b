/* Who waits for whom, in words. */
#include "trace/waits.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Seconds since a moment of another process's clock. */
static double ago(const hxi_waits_head *head, double seconds)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    const double passed =
        (double)now.tv_sec + 1e-9 * (double)now.tv_nsec - (head->day_time + seconds - head->seconds);
    return passed > 0.0 ? passed : 0.0;
}

/* A name from a file, which anybody may have written. */
static void put_name(const char *name, hg_text *text)
{
    text_add_visible(text, name, strlen(name));
}

static void put_exchange(const hxi_waits_handle *handle, const hxi_waits_exchange *exchange, hg_text *text)
{
    text_puts(text, "exchange \"");
    put_name(exchange->name, text);
    text_puts(text, "\" (");
    put_name(handle->file, text);
    text_format(text, ":%d)", exchange->line);
}

static void put_ranks(const hg_waits *waits, const hg_waits_rank *rank, hg_text *text)
{
    for (size_t i = 0; i < rank->to_count; ++i) {
        text_format(text, "%s rank %d",
                    i == 0                   ? ""
                    : i + 1 < rank->to_count ? ","
                                             : " and",
                    waits->rank[rank->to[i]].rank);
    }
    text_puts(text, rank->to_count == 0 ? " something else than messages" : "");
}

static void put_wait(const hg_waits *waits, const hg_waits_rank *rank, hg_text *text)
{
    const hxi_waits_exchange *exchange = rank->exchange;
    text_puts(text, exchange->state == HX_WAITS_FAILED ? "gave up waiting for" : "waits for");
    put_ranks(waits, rank, text);
    text_puts(text, " in ");
    put_exchange(rank->handle, exchange, text);
    text_format(text, ", start %llu", (unsigned long long)exchange->start);
    if (exchange->phases > 1) {
        text_format(text, ", phase %d of %d", exchange->phase + 1, exchange->phases);
    }
    text_format(text, exchange->state == HX_WAITS_FAILED ? "; it came there %.1f s ago" : ", for %.1f s",
                ago(rank->head, exchange->since));
}

/* Is it in a call that all ranks make together? */
static bool put_call(const hg_waits_rank *rank, hg_text *text)
{
    for (int i = 0; rank->head && i < HX_WAITS_HANDLES; ++i) {
        const hxi_waits_handle *handle = &rank->head->handle[i];
        if (handle->id != 0 && handle->calling_since > 0.0) {
            text_puts(text, "is in ");
            put_name(handle->calling, text);
            text_format(text, ", for %.1f s", ago(rank->head, handle->calling_since));
            return true;
        }
    }
    return false;
}

/* Where a rank is that does not wait: the last that is known. */
static void put_place(const hg_waits_rank *rank, hg_text *text)
{
    const hxi_waits_handle *handle = NULL;
    const hxi_waits_exchange *last = NULL;
    for (int i = 0; rank->head && i < HX_WAITS_HANDLES; ++i) {
        const hxi_waits_handle *h = &rank->head->handle[i];
        for (int e = 0; h->id != 0 && e < h->exchanges; ++e) {
            const hxi_waits_exchange *x = &h->exchange[e];
            if (x->since > 0.0 && (!last || x->since > last->since)) {
                handle = h;
                last = x;
            }
        }
    }
    if (!rank->head) {
        text_puts(text, "left no file: did it come to create, and can it write?");
    } else if (rank->head->creating_since > 0.0) {
        text_puts(text, "is in ");
        put_name(rank->head->creating, text);
        text_format(text, ", for %.1f s", ago(rank->head, rank->head->creating_since));
    } else if (put_call(rank, text)) {
        return;
    } else if (!last) {
        text_puts(text, "has started no exchange");
    } else {
        static const char *const places[] = {[HX_WAITS_IDLE] = "is outside of exchanges; it last finished ",
                                             [HX_WAITS_STARTING] = "is in start of ",
                                             [HX_WAITS_STARTED] = "is outside of libhx; it has started ",
                                             [HX_WAITS_FINISHING] = "is in finish of ",
                                             [HX_WAITS_WAITING] = "waited in finish of ",
                                             [HX_WAITS_FAILED] = "gave up waiting in "};
        const bool is_known = last->state >= HX_WAITS_IDLE && last->state <= HX_WAITS_FAILED;
        text_puts(text, is_known ? places[last->state] : "was last in ");
        put_exchange(handle, last, text);
        text_format(text, ", start %llu, %.1f s ago",
                    (unsigned long long)last->start - (last->state == HX_WAITS_IDLE && last->start > 0),
                    ago(rank->head, last->since));
    }
}

static void put_rank(const hg_waits *waits, const hg_waits_rank *rank, hg_text *text)
{
    text_format(text, "rank %d ", rank->rank);
    if (waits_is_out(rank)) {
        text_puts(text, rank->process == PROCESS_GONE      ? "is gone"
                        : rank->process == PROCESS_STOPPED ? "is stopped"
                                                           : "does not answer");
        text_format(text, " (process %lld on ", (long long)rank->head->pid);
        put_name(rank->head->host, text);
        text_puts(text, "); it ");
    }
    if (rank->exchange) {
        put_wait(waits, rank, text);
    } else {
        put_place(rank, text);
    }
}

/* ---- the first one ---------------------------------------------------------------------------- */

static const hg_waits_rank *someone_who_waits_for(const hg_waits *waits, size_t to)
{
    for (size_t i = 0; i < waits->count; ++i) {
        for (size_t k = 0; k < waits->rank[i].to_count; ++k) {
            if (waits->rank[i].to[k] == to) {
                return &waits->rank[i];
            }
        }
    }
    return NULL;
}

/* How many starts a rank has made of what another one waits for; false: it has no file, or no such handle. */
static bool count_starts(const hg_waits_rank *first, const hg_waits_rank *other, uint64_t *starts)
{
    const ptrdiff_t exchange = other->exchange - other->handle->exchange;
    for (int h = 0; first->head && h < HX_WAITS_HANDLES; ++h) {
        const hxi_waits_handle *handle = &first->head->handle[h];
        if (handle->id == other->handle->id && exchange < handle->exchanges) {
            const hxi_waits_exchange *x = &handle->exchange[exchange];
            *starts = x->start + (x->state != HX_WAITS_IDLE);
            return true;
        }
    }
    return false;
}

static bool has_come(const hg_waits_rank *first, const hg_waits_rank *other)
{
    uint64_t starts = 0;
    return count_starts(first, other, &starts) && starts > other->exchange->start;
}

/* What another one waits for, and how far this one is with that. */
static void put_debt(const hg_waits *waits, size_t number, hg_text *text)
{
    const hg_waits_rank *first = &waits->rank[number], *other = someone_who_waits_for(waits, number);
    uint64_t starts = 0;
    text_format(text, "Rank %d waits for its start %llu of ", other->rank,
                (unsigned long long)other->exchange->start);
    put_exchange(other->handle, other->exchange, text);
    if (count_starts(first, other, &starts)) {
        text_puts(text, has_come(first, other) ? "; it has come to that" : "");
        text_puts(text, starts == 0 ? "; it has made none" : "; its last one was start ");
        if (starts > 0) {
            text_format(text, "%llu", (unsigned long long)starts - 1);
        }
    }
    text_puts(text, ".\n");
}

/* Of a rank that cannot go on, as far as is known; false: it can. */
static bool put_state_advice(const hg_waits *waits, const hg_waits_rank *first, hg_text *text)
{
    size_t gave_up = 0;
    if (first->process == PROCESS_STOPPED) {
        text_format(text, "A signal or a debugger stopped it: kill -CONT %lld has it go on.\n",
                    (long long)first->head->pid);
    } else if (first->process == PROCESS_GONE) {
        text_puts(text, "Its process has ended: look for what it printed, and for a core file.\n");
    } else if (waits_is_out(first)) {
        text_puts(text, "It is stopped or gone, or its machine is: call this command on ");
        put_name(first->head->host, text);
        text_puts(text, ", where it says which.\n");
    } else if (waits_outlasts(waits, first)) {
        waits_company(waits, first, &gave_up);
        text_format(text, "It has not given up, as %zu others did: is it stopped, or gone?\n", gave_up);
    } else {
        return false;
    }
    return true;
}

static void put_advice(const hg_waits *waits, size_t number, hg_text *text)
{
    const hg_waits_rank *first = &waits->rank[number], *other = someone_who_waits_for(waits, number);
    if (put_state_advice(waits, first, text)) {
        return;
    }
    if (first->exchange && first->handle->id != other->handle->id) {
        text_puts(text, "It is in an exchange of spec ");
        put_name(first->handle->spec, text);
        text_puts(text, ", the other one in one of spec ");
        put_name(other->handle->spec, text);
        text_puts(text, ". Do all ranks take the same way?\n");
    } else if (first->exchange) {
        text_puts(text,
                  "Do all ranks call the same exchanges, as often, and in an order that lets each go on?\n");
    } else if (has_come(first, other)) {
        text_format(text, "It has made that call: gdb -p %lld on ", (long long)first->head->pid);
        put_name(first->head->host, text);
        text_puts(text, " shows where it is.\n");
    } else {
        text_puts(text, "Does it come to that call?\n");
    }
}

/* Who was asked by SIGUSR1 and did not answer, while others did. */
static void put_silence(const hg_waits *waits, const hg_waits_rank *first, hg_text *text)
{
    if (first->silent) {
        text_format(text, "It did not answer SIGUSR1, as %zu other%s did.\n", waits->answers,
                    waits->answers == 1 ? "" : "s");
    }
}

/* The longest of the shortest ways to the first one. */
static void put_chain(const hg_waits *waits, hg_text *text)
{
    size_t *next = memory_resize(NULL, waits->count * sizeof *next);
    size_t *queue = memory_resize(NULL, waits->count * sizeof *queue);
    size_t head = 0, tail = 0;
    for (size_t i = 0; i < waits->count; ++i) {
        next[i] = waits->count;
    }
    next[waits->first] = waits->first;
    queue[tail++] = waits->first;
    for (; head < tail; ++head) {
        for (size_t i = 0; i < waits->count; ++i) {
            bool leads = false;
            for (size_t k = 0; k < waits->rank[i].to_count && next[i] == waits->count; ++k) {
                leads = leads || waits->rank[i].to[k] == queue[head];
            }
            if (leads) {
                next[i] = queue[head];
                queue[tail++] = i;
            }
        }
    }
    text_puts(text, "chain:");
    for (size_t at = queue[tail - 1]; at != waits->first; at = next[at]) {
        text_format(text, " rank %d waits for", waits->rank[at].rank);
    }
    text_format(text, " rank %d\n", waits->rank[waits->first].rank);
    free(next);
    free(queue);
}

static void put_first(const hg_waits *waits, hg_text *text)
{
    const hg_waits_rank *first = &waits->rank[waits->first];
    text_format(text, "Look at rank %d first: %zu other%s wait%s for it.\n", first->rank, first->waiting,
                first->waiting == 1 ? "" : "s", first->waiting == 1 ? "s" : "");
    put_rank(waits, first, text);
    text_puts(text, ".\n");
    put_debt(waits, waits->first, text);
    put_silence(waits, first, text);
    put_advice(waits, waits->first, text);
    put_chain(waits, text);
}

void waits_tell(const hg_waits *waits, hg_text *text)
{
    text_puts(text, waits->is_over ? "The run has ended. This is where its ranks were.\n" : "");
    if (waits->first < waits->count) {
        put_first(waits, text);
    } else {
        text_puts(text, "No rank waits for another one.\n");
    }
    text_puts(text, "\n");
    for (size_t i = 0; i < waits->count; ++i) {
        text_puts(text, "  ");
        put_rank(waits, &waits->rank[i], text);
        text_puts(text, "\n");
    }
}
