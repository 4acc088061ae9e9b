/*
 * The file is kept up to date by an observer: at any time it says where the process is, also if that is stopped, was
 * killed, or is outside of libhx.  A signal only has it written to where other machines see it.
 */
#include "observe/waits.h"

#include "base/clock.h"
#include "base/status.h"
#include "comm/final_gather.h"
#include "exchange/asked.h"
#include "exchange/observe.h"
#include "observe/mapped_file.h"
#include "observe/request.h"
#include "observe/waits_format.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* That note() looks at. */
#define KINDS                                                                                                \
    (HX_EVENT_BIT(HX_EVENT_START) | HX_EVENT_BIT(HX_EVENT_STARTED) | HX_EVENT_BIT(HX_EVENT_SENT) |           \
     HX_EVENT_BIT(HX_EVENT_UNPACKED) | HX_EVENT_BIT(HX_EVENT_FINISH) | HX_OBSERVE_WAITS |                    \
     HX_EVENT_BIT(HX_EVENT_FINISHED) | HX_EVENT_BIT(HX_EVENT_FAILED) | HX_EVENT_BIT(HX_EVENT_DESTROYED))

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static hxi_mapped_file made = {.ending = HX_WAITS_ENDING, .bytes = sizeof(hxi_waits_head)};

/* ---- where an exchange is ------------------------------------------------------------------------------ */

static void enter(hxi_waits_exchange *exchange, int state, double since)
{
    exchange->state = state;
    exchange->since = since;
}

static void forget_messages(hxi_waits_handle *handle, const hxi_waits_exchange *exchange)
{
    for (int i = 0; i < exchange->messages; ++i) {
        handle->message[exchange->first + i].done = 0;
    }
}

static void check_off(hxi_waits_handle *handle, const hxi_waits_exchange *exchange, const hx_event *event)
{
    const int comes = event->kind == HX_EVENT_UNPACKED;
    for (int i = 0; i < exchange->messages; ++i) {
        hxi_waits_message *m = &handle->message[exchange->first + i];
        m->done |= m->peer == event->peer && m->phase == event->phase && m->comes == comes &&
                   m->number == event->message;
    }
}

/* What is started while it is under way is refused, and changes nothing. */
static void note_start(hxi_waits_handle *handle, hxi_waits_exchange *exchange, const hx_event *event)
{
    if (event->kind == HX_EVENT_START && exchange->state == HX_WAITS_IDLE) {
        forget_messages(handle, exchange);
        exchange->start = event->start;
        enter(exchange, HX_WAITS_STARTING, event->seconds);
    } else if (event->kind == HX_EVENT_STARTED && exchange->state == HX_WAITS_STARTING) {
        enter(exchange, event->status == HX_OK ? HX_WAITS_STARTED : HX_WAITS_IDLE, event->seconds);
    }
}

static void note_finish(hxi_waits_exchange *exchange, const hx_event *event)
{
    if (event->kind == HX_EVENT_FINISHED && event->status == HX_OK) {
        exchange->start = event->start + 1;
        enter(exchange, HX_WAITS_IDLE, event->seconds);
    } else if (event->kind == HX_EVENT_WAIT) {
        exchange->phase = event->phase;
        enter(exchange, HX_WAITS_WAITING, event->seconds);
    } else if (event->kind == HX_EVENT_FINISHED && exchange->state == HX_WAITS_FINISHING) {
        enter(exchange, HX_WAITS_STARTED, event->seconds); /* it was refused */
    } else if (exchange->state != HX_WAITS_IDLE && exchange->state != HX_WAITS_FAILED) {
        enter(exchange, HX_WAITS_FINISHING, event->seconds);
    }
}

static void note_failure(hxi_waits_handle *handle, hxi_waits_exchange *exchange, const hx_event *event)
{
    hxi_mapped_file_name(handle->sentence, sizeof handle->sentence, hx_last_error());
    enter(exchange, HX_WAITS_FAILED, event->since);
    msync(made.at, made.bytes, MS_ASYNC);
}

static void note(void *context, const hx_event *event)
{
    hxi_waits_handle *handle = context;
    if (event->kind == HX_EVENT_DESTROYED) {
        pthread_mutex_lock(&lock);
        handle->destroyed = 1; /* from here on another one may have its place */
        pthread_mutex_unlock(&lock);
    }
    if (event->exchange < 0) {
        return;
    }
    hxi_waits_exchange *exchange = &handle->exchange[event->exchange];
    switch (event->kind) {
    case HX_EVENT_START:
    case HX_EVENT_STARTED:
        note_start(handle, exchange, event);
        break;
    case HX_EVENT_SENT:
    case HX_EVENT_UNPACKED:
        check_off(handle, exchange, event);
        break;
    case HX_EVENT_FINISH:
    case HX_EVENT_WAIT:
    case HX_EVENT_WAITED:
    case HX_EVENT_FINISHED:
        note_finish(exchange, event);
        break;
    case HX_EVENT_FAILED:
        note_failure(handle, exchange, event);
        break;
    default:
        break;
    }
}

/* Several threads use several handles, and one thread each at a time. */
static void note_call(void *context, const char *caller)
{
    hxi_waits_handle *handle = context;
    hxi_mapped_file_name(handle->calling, sizeof handle->calling, caller ? caller : "");
    handle->calling_since = caller ? hxi_clock() : 0.0;
}

/* ---- the file ------------------------------------------------------------------------------------------ */

/* Who answered SIGUSR1 before: the application, or MPICH, which sets a handler in MPI_Init. */
static struct sigaction earlier;

static bool had_handler(void)
{
    return (earlier.sa_flags & SA_SIGINFO) != 0 ||
           (earlier.sa_handler != SIG_DFL && earlier.sa_handler != SIG_IGN);
}

static void pass_on(int number, siginfo_t *info, void *context)
{
    if ((earlier.sa_flags & SA_SIGINFO) != 0) {
        earlier.sa_sigaction(number, info, context);
    } else if (had_handler()) {
        earlier.sa_handler(number);
    }
}

static void answer(int number, siginfo_t *info, void *context)
{
    const int error = errno;
    hxi_waits_head *head = made.at;
    head->answers++;
    head->answered = hxi_clock();
    msync(head, made.bytes, MS_SYNC); /* a call of the system, which waits for no lock of this process */
    errno = error;
    pass_on(number, info, context);
}

/* Under the conditions of an earlier handler, such as its own stack. */
static void listen_to_signal(void)
{
    if (sigaction(SIGUSR1, NULL, &earlier) == 0) {
        struct sigaction wanted = earlier;
        wanted.sa_flags = (had_handler() ? earlier.sa_flags : SA_RESTART) | SA_SIGINFO;
        wanted.sa_sigaction = answer;
        sigaction(SIGUSR1, &wanted, NULL);
    }
}

static hx_status make_file(const char *directory)
{
    const int process = hxi_final_gather_process();
    const hx_status status = hxi_mapped_file_make(directory, process, &made);
    hxi_waits_head *head = made.at;
    if (status != HX_OK) {
        return status;
    }
    head->order = HX_WAITS_ORDER;
    head->process = process;
    head->pid = getpid();
    struct stat space;
    head->space = stat(HX_WAITS_SPACE, &space) == 0 ? (uint64_t)space.st_ino : 0;
    head->bytes = sizeof *head;
    head->seconds = hxi_clock();
    head->day_time = hxi_mapped_file_day_time();
    if (gethostname(head->host, sizeof head->host - 1) != 0) {
        head->host[0] = '\0';
    }
    memcpy(head->magic, HX_WAITS_MAGIC, sizeof HX_WAITS_MAGIC); /* the last thing */
    listen_to_signal();
    return HX_OK;
}

/* Where libhx is unloaded, its handler goes. */
__attribute__((destructor)) static void end(void)
{
    struct sigaction found;
    if (made.at && sigaction(SIGUSR1, NULL, &found) == 0 && (found.sa_flags & SA_SIGINFO) != 0 &&
        found.sa_sigaction == answer) {
        sigaction(SIGUSR1, &earlier, NULL);
    }
}

/* ---- create -------------------------------------------------------------------------------------------- */

/* Messages of one direction of a phase.  Returns how many there are then; more than fit: no room. */
static int add_messages(const hxi_contents *contents, int count, const hxi_waits_message *of, int messages,
                        hxi_waits_handle *handle)
{
    for (int m = 0; m < count; ++m, ++messages) {
        int before = 0;
        for (int i = 0; i < m; ++i) {
            before += contents[i].peer == contents[m].peer;
        }
        if (messages < HX_WAITS_MESSAGES) {
            handle->message[messages] = *of;
            handle->message[messages].peer = contents[m].peer;
            handle->message[messages].bytes = contents[m].bytes;
            handle->message[messages].number = (uint8_t)before;
        }
    }
    return messages;
}

static int add_exchange(const hxi_plan *plan, hxi_waits_handle *handle, int messages)
{
    hxi_waits_exchange *exchange = &handle->exchange[plan->number];
    *exchange = (hxi_waits_exchange){.line = plan->exchange->line, .phases = plan->phases, .first = messages};
    hxi_mapped_file_name(exchange->name, sizeof exchange->name, plan->exchange->name);
    for (int p = 0; p < plan->phases; ++p) {
        const hxi_phase *phase = &plan->phase[p];
        const hxi_waits_message out = {.phase = (uint8_t)p};
        const hxi_waits_message in = {.phase = (uint8_t)p, .comes = 1};
        messages = add_messages(phase->send, phase->sends, &out, messages, handle);
        messages = add_messages(phase->receive, phase->receives, &in, messages, handle);
    }
    exchange->messages = messages - exchange->first;
    return messages;
}

static hx_status fill_handle(const hx_handle *h, hxi_waits_handle *handle)
{
    int messages = 0;
    for (int e = 0; e < h->plans && e < HX_WAITS_EXCHANGES; ++e) {
        messages = add_exchange(&h->plan[e], handle, messages);
    }
    if (h->plans > HX_WAITS_EXCHANGES || messages > HX_WAITS_MESSAGES) {
        *handle = (hxi_waits_handle){0};
        return hxi_fail(
            HX_ERR_LIMIT,
            "it has %d exchanges with %d messages; there is room for %d and %d.  This handle is left out.",
            h->plans, messages, HX_WAITS_EXCHANGES, HX_WAITS_MESSAGES);
    }
    handle->rank = h->topology.rank;
    handle->ranks = h->topology.ranks;
    handle->exchanges = h->plans;
    handle->messages = messages;
    hxi_mapped_file_name(handle->spec, sizeof handle->spec, h->spec->name);
    hxi_mapped_file_name(handle->file, sizeof handle->file, h->spec->file);
    return HX_OK;
}

/* One that never was used, else one that was destroyed and did not fail; NULL: there is none. */
static hxi_waits_handle *find_room(hxi_waits_head *head)
{
    hxi_waits_handle *old = NULL;
    for (int i = 0; i < HX_WAITS_HANDLES; ++i) {
        hxi_waits_handle *handle = &head->handle[i];
        if (handle->id == 0) {
            return handle;
        }
        old = !old && handle->destroyed && handle->sentence[0] == '\0' ? handle : old;
    }
    if (old) {
        *old = (hxi_waits_handle){0};
    }
    return old;
}

/* While the lock is held. */
static hx_status add_handle(hx_handle *h, uint64_t id)
{
    hxi_waits_head *head = made.at;
    hxi_waits_handle *handle = find_room(head);
    if (!handle) {
        head->left_out++;
        return hxi_fail(HX_ERR_LIMIT, "there is room for %d handles at a time.  This one is left out.",
                        HX_WAITS_HANDLES);
    }
    hx_status status = fill_handle(h, handle);
    status = status == HX_OK ? hxi_observe_add(h, &(hxi_observer){note, handle, KINDS}) : status;
    handle->id = status == HX_OK ? id : 0;
    h->tell_call = status == HX_OK ? note_call : NULL;
    h->tell_call_context = handle;
    return status;
}

void hxi_waits_open(hx_handle *handle)
{
    static const char variable[] = "HX_DEADLINE_REPORT";
    hxi_request request;
    if ((handle->asked & HX_ASKED_WAITS) == 0) {
        return;
    }
    hx_status status = hxi_request_tell(handle, variable, &request);
    if (status == HX_OK) {
        pthread_mutex_lock(&lock);
        status = made.at ? HX_OK : make_file(request.directory);
        status = status == HX_OK ? add_handle(handle, request.id) : status;
        pthread_mutex_unlock(&lock);
    }
    if (status != HX_OK) {
        hxi_request_warn(handle, variable);
    }
}

/* Several threads may create, each with a communicator of its own: the last that began is told. */
void hxi_waits_create(const char *spec)
{
    static int creating;
    pthread_mutex_lock(&lock);
    hxi_waits_head *head = made.at;
    creating += spec ? 1 : -1;
    if (head && (spec || creating == 0)) {
        hxi_mapped_file_name(head->creating, sizeof head->creating, spec ? spec : "");
        head->creating_since = spec ? hxi_clock() : 0.0;
    }
    pthread_mutex_unlock(&lock);
}
