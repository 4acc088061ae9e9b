/*
 * Any thread may record: it takes the next number, writes the record at its place, and the number last.  A
 * thread that is a whole ring behind may spoil a record; its number then tells.
 */
#include "observe/trace.h"

#include "base/status.h"
#include "comm/final_gather.h"
#include "exchange/asked.h"
#include "exchange/observe.h"
#include "observe/clocks.h"
#include "observe/mapped_file.h"
#include "observe/request.h"
#include "observe/trace_file.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

_Static_assert((int)HX_TRACE_WAITED == (int)HX_EVENT_WAITED &&
                   (int)HX_TRACE_DESTROYED == (int)HX_EVENT_DESTROYED,
               "the file has the kinds of hx/observe.h");

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static hxi_trace_file file; /* of this process; without a head: none */

/* ---- recording ----------------------------------------------------------------------------------------- */

static int this_thread(void)
{
    static atomic_int threads;
    static _Thread_local int number;
    if (number == 0) {
        number = atomic_fetch_add(&threads, 1) + 1;
    }
    return number - 1;
}

/* Its number among those that are there; *known, how many those are: none of them. */
static int find_transport(const char *name, int *known)
{
    *known = atomic_load_explicit(&file.head->transports, memory_order_acquire);
    int i = 0;
    while (i < *known && strcmp(file.head->transport[i], name) != 0) {
        ++i;
    }
    return i;
}

/* Transports are few, and their names are constants. */
static unsigned number_transport(const char *name)
{
    hxi_trace_head *head = file.head;
    int known = 0;
    int i = find_transport(name, &known);
    if (i == known) {
        pthread_mutex_lock(&lock);
        i = find_transport(name, &known);
        if (i == known && i < HX_TRACE_TRANSPORTS) {
            hxi_mapped_file_name(head->transport[i], sizeof head->transport[i], name);
            atomic_store_explicit(&head->transports, known + 1, memory_order_release);
        }
        pthread_mutex_unlock(&lock);
    }
    return i < HX_TRACE_TRANSPORTS ? (unsigned)i + 1 : 0; /* there was no room: it has no name */
}

static void record(void *context, const hx_event *event)
{
    const hxi_trace_handle *handle = context;
    const uint64_t number = atomic_fetch_add_explicit(&file.head->count, 1, memory_order_relaxed);
    hxi_trace_record *r = &file.record[number % file.head->room];
    atomic_store_explicit(&r->number, 0, memory_order_relaxed);
    atomic_thread_fence(memory_order_release); /* also for the compiler: the process may be killed here */
    *r = (hxi_trace_record){
        .start = event->start,
        .bytes = event->bytes,
        .since = event->since,
        .seconds = event->seconds,
        .peer = event->peer,
        .message = event->message,
        .exchange = (int16_t)event->exchange,
        .handle = (uint8_t)(handle - file.head->handle),
        .kind = (uint8_t)event->kind,
        .phase = (uint8_t)event->phase,
        .status = (uint8_t)event->status,
        .transport = (uint8_t)(event->transport ? number_transport(event->transport) : 0),
        .flags =
            (uint8_t)((event->direct ? HX_TRACE_DIRECT : 0) | (event->on_device ? HX_TRACE_ON_DEVICE : 0)),
        .thread = this_thread(),
    };
    atomic_store_explicit(&r->number, number + 1, memory_order_release);
}

/* ---- create -------------------------------------------------------------------------------------------- */

/* NULL: there is no room for its names. */
static hxi_trace_handle *add_handle(const hx_handle *h, uint64_t id)
{
    hxi_trace_head *head = file.head;
    if (head->handles == HX_TRACE_HANDLES || head->exchanges + h->plans > HX_TRACE_EXCHANGES) {
        head->unlisted++;
        hxi_fail(HX_ERR_LIMIT, "the file has room for %d handles and %d exchanges; this one is left out.",
                 HX_TRACE_HANDLES, HX_TRACE_EXCHANGES);
        return NULL;
    }
    hxi_trace_handle *handle = &head->handle[head->handles];
    *handle = (hxi_trace_handle){.id = id,
                                 .rank = h->topology.rank,
                                 .ranks = h->topology.ranks,
                                 .first = head->exchanges,
                                 .exchanges = h->plans,
                                 .ahead = h->clock.ahead,
                                 .uncertain = h->clock.uncertain};
    hxi_mapped_file_name(handle->spec, sizeof handle->spec, h->spec->name);
    hxi_mapped_file_name(handle->file, sizeof handle->file, h->spec->file);
    for (int e = 0; e < h->plans; ++e) {
        hxi_trace_exchange *exchange = &head->exchange[head->exchanges++];
        hxi_mapped_file_name(exchange->name, sizeof exchange->name, h->spec->exchange[e].name);
        exchange->line = h->spec->exchange[e].line;
    }
    head->handles++; /* the last thing, for who reads meanwhile */
    return handle;
}

/* Local. */
static hx_status join(hx_handle *handle, const char *directory, uint64_t id)
{
    pthread_mutex_lock(&lock);
    hx_status status = file.head ? HX_OK : hxi_trace_file_make(directory, hxi_final_gather_process(), &file);
    hxi_trace_handle *added = status == HX_OK ? add_handle(handle, id) : NULL;
    pthread_mutex_unlock(&lock);
    if (status == HX_OK && !added) {
        status = HX_ERR_LIMIT;
    }
    return status == HX_OK ? hxi_observe_add(handle, &(hxi_observer){record, added, HX_OBSERVE_ALL}) : status;
}

void hxi_trace_open(hx_handle *handle)
{
    static const char variable[] = "HX_TRACE";
    hxi_request request;
    if ((handle->asked & HX_ASKED_TRACE) == 0) {
        return;
    }
    hx_status status = hxi_request_tell(handle, variable, &request);
    status = status == HX_OK ? hxi_clocks_compare(handle) : status;
    status = status == HX_OK ? join(handle, request.directory, request.id) : status;
    if (status != HX_OK) {
        hxi_request_warn(handle, variable);
    }
}
