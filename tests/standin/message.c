/*
 * Messages from rank to rank.
 *
 * Of two ranks, one communicator and one tag, the n-th message belongs to the n-th receive.  All else is
 * chance: when the bytes move, after both are there; whether a send completes before that (eager) or not
 * (rendezvous); and which of the requests that are complete a test reports, in which order.
 */
#include "engine.h"

#include <string.h>

enum { LAST_TAG = 32767, JUNK = 0xa5 };

/* A message that is sent but has not arrived, or has but is not complete for its sender. */
typedef struct standin_message {
    struct standin_message *next;
    MPI_Comm comm;
    int from, to, tag;
    long visible; /* to probes, from then on */
    unsigned char *bytes;
    size_t count;
    MPI_Request sender;   /* NULL: complete */
    MPI_Request receiver; /* NULL: none yet */
    bool arrived;
} message;

static message *messages;    /* not arrived, in the order in which they were sent */
static MPI_Request receives; /* without bytes so far, in the order in which they were posted */
/* Active sends and receives, for what they may not share. */
static MPI_Request under_way[STANDIN_RANKS * 1024];
static int under_ways;

void standin_messages_reset(void)
{
    messages = NULL;
    receives = NULL;
    under_ways = 0;
}

void standin_junk(unsigned char *buffer, size_t bytes)
{
    memset(buffer, JUNK, bytes);
}

void standin_junk_check(const unsigned char *buffer, size_t bytes, const char *what)
{
    for (size_t i = 0; i < bytes; ++i) {
        STANDIN_RULE(buffer[i] == JUNK, "byte %zu of %s was written before the message came.", i, what);
    }
}

/* ---- what requests may share ------------------------------------------------------------------- */

static bool overlap(MPI_Request a, MPI_Request b)
{
    const uintptr_t a_first = (uintptr_t)a->buffer;
    const uintptr_t b_first = (uintptr_t)b->buffer;
    return a_first < b_first + b->bytes && b_first < a_first + a->bytes;
}

static void enlist(MPI_Request r)
{
    for (int i = 0; i < under_ways; ++i) {
        const MPI_Request other = under_way[i];
        const bool reads = r->kind == STANDIN_SEND && other->kind == STANDIN_SEND;
        STANDIN_RULE(
            reads || other->abandoned || !overlap(r, other),
            "a message of %zu bytes with rank %d and one of %zu bytes of rank %d with rank %d share memory.",
            r->bytes, r->peer, other->bytes, other->rank->number, other->peer);
    }
    STANDIN_RULE(under_ways < (int)(sizeof under_way / sizeof *under_way), "too many requests.");
    under_way[under_ways++] = r;
}

void standin_check_freed(const void *memory, size_t bytes)
{
    standin_lock();
    const uintptr_t first = (uintptr_t)memory;
    for (int i = 0; i < under_ways; ++i) {
        const MPI_Request r = under_way[i];
        const uintptr_t its = (uintptr_t)r->buffer;
        STANDIN_RULE(r->abandoned || its >= first + bytes || first >= its + r->bytes,
                     "%zu bytes were freed while a message between ranks %d and %d is under way there.",
                     bytes, r->rank->number, r->peer);
    }
    standin_unlock();
}

static void delist(MPI_Request r)
{
    int i = 0;
    while (under_way[i] != r) {
        ++i;
    }
    under_way[i] = under_way[--under_ways];
}

static void check_untouched(const message *m)
{
    if (m->sender && !m->sender->abandoned) {
        STANDIN_RULE(memcmp(m->sender->buffer, m->bytes, m->count) == 0,
                     "the buffer of %zu bytes from rank %d to rank %d was written while they were under way.",
                     m->count, m->from, m->to);
    }
}

/* ---- who gets what ------------------------------------------------------------------------------ */

static void join(message *m, MPI_Request receive)
{
    STANDIN_RULE(m->count <= receive->bytes, "%zu bytes from rank %d to rank %d, which receives %zu at most.",
                 m->count, m->from, m->to, receive->bytes);
    m->receiver = receive;
    receive->message = m;
    receive->due = standin_due(m->from, m->to);
    standin_moved();
}

static void find_receive(message *m)
{
    for (MPI_Request r = receives; r; r = r->next) {
        if (!r->message && r->comm == m->comm && r->rank->number == m->to && r->peer == m->from &&
            r->tag == m->tag) {
            join(m, r);
            return;
        }
    }
}

static void find_message(MPI_Request r)
{
    for (message *m = messages; m; m = m->next) {
        if (!m->receiver && r->comm == m->comm && r->rank->number == m->to && r->peer == m->from &&
            r->tag == m->tag) {
            join(m, r);
            return;
        }
    }
}

static void send_now(MPI_Request r)
{
    message *m = standin_get(sizeof *m);
    *m = (message){.comm = r->comm, .from = r->rank->number, .to = r->peer, .tag = r->tag, .count = r->bytes};
    m->bytes = standin_get(r->bytes);
    memcpy(m->bytes, r->buffer, r->bytes);
    m->sender = r;
    m->visible = standin_due(m->from, m->to);
    const bool eager = !r->synchronous && standin_random(2) == 0;
    r->due = eager ? standin_due(m->from, m->to) : STANDIN_NEVER;
    r->message = m;
    standin_publish(m);
    message **last = &messages;
    while (*last) {
        last = &(*last)->next;
    }
    *last = m;
    find_receive(m);
}

static void receive_now(MPI_Request r)
{
    standin_junk(r->buffer, r->bytes);
    r->message = NULL;
    r->due = STANDIN_NEVER;
    r->next = NULL;
    MPI_Request *last = &receives;
    while (*last) {
        last = &(*last)->next;
    }
    *last = r;
    find_message(r);
}

static void begin(MPI_Request r)
{
    r->active = true;
    r->lane = standin_me;
    enlist(r);
    if (r->kind == STANDIN_SEND) {
        send_now(r);
    } else {
        receive_now(r);
    }
    standin_moved();
}

/* ---- arrival ------------------------------------------------------------------------------------ */

static void unlink_message(const message *m)
{
    message **link = &messages;
    while (*link != m) {
        link = &(*link)->next;
    }
    *link = m->next;
}

static void deliver(MPI_Request r)
{
    message *m = r->message;
    standin_observe(m);
    check_untouched(m);
    if (!r->abandoned) {
        standin_junk_check(r->buffer, r->bytes, "a receive's buffer");
        memcpy(r->buffer, m->bytes, m->count);
    }
    m->arrived = true;
    unlink_message(m);
    if (m->sender) {
        m->sender->due = m->sender->due == STANDIN_NEVER ? standin_due(m->to, m->from) : m->sender->due;
        standin_publish(m->sender);
    }
    standin_moved();
}

/*
 * Messages arrive in any call of the thread that posted their receive, or when another one asks for them:
 * that some thread calls MPI is no reason for others to see anything.
 */
static void deliver_due(MPI_Request asked)
{
    MPI_Request *link = &receives;
    while (*link) {
        MPI_Request r = *link;
        if ((r == asked || r->lane == standin_me) && r->message && standin_now() >= r->due) {
            deliver(r);
            *link = r->next;
        } else {
            link = &r->next;
        }
    }
}

void standin_messages_deliver(void)
{
    deliver_due(NULL);
}

static bool is_done(MPI_Request r)
{
    switch (r->kind) {
    case STANDIN_SEND:
        return standin_now() >= r->due;
    case STANDIN_RECEIVE:
        deliver_due(r);
        return r->message && r->message->arrived;
    default:
        return standin_collective_done(r);
    }
}

/* The application hears of it. */
static void take(MPI_Request *request, MPI_Status *status)
{
    MPI_Request r = *request;
    if (status) {
        *status = (MPI_Status){.MPI_SOURCE = r->peer, .MPI_TAG = r->tag, .MPI_ERROR = MPI_SUCCESS};
    }
    if (r->kind == STANDIN_COLLECTIVE) {
        standin_collective_take(r);
    } else {
        delist(r);
    }
    if (r->kind == STANDIN_SEND) {
        standin_observe(r);
        check_untouched(r->message);
        r->message->sender = NULL;
    }
    r->active = false;
    standin_moved();
    if (!r->persistent) {
        r->rank->holds.requests--;
        *request = MPI_REQUEST_NULL;
    }
}

void standin_messages_check_over(void)
{
    for (const message *m = messages; m; m = m->next) {
        STANDIN_RULE(m->to != standin_here()->number,
                     "%zu bytes from rank %d with tag %d were never received.", m->count, m->from, m->tag);
    }
}

void standin_abandon(void)
{
    standin_begin("standin_abandon");
    standin_here()->abandons = true;
    for (int i = 0; i < under_ways; ++i) {
        under_way[i]->abandoned = under_way[i]->abandoned || under_way[i]->rank == standin_here();
    }
    standin_end(MPI_COMM_WORLD);
}

/* ---- making requests ---------------------------------------------------------------------------- */

MPI_Request standin_request_make(MPI_Comm comm)
{
    MPI_Request r = standin_get(sizeof *r);
    r->rank = standin_here();
    r->comm = comm;
    r->rank->holds.requests++;
    return r;
}

/* The call's arguments, checked. */
static MPI_Request make(const void *buffer, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm)
{
    standin_comm_check(comm);
    STANDIN_RULE(peer >= 0 && peer < standin_settings()->ranks, "there is no rank %d.", peer);
    STANDIN_RULE(tag >= 0 && tag <= LAST_TAG, "a tag of %d.", tag);
    MPI_Request r = standin_request_make(comm);
    r->peer = peer;
    r->tag = tag;
    r->bytes = standin_bytes(count, type);
    r->buffer = (unsigned char *)(uintptr_t)buffer;
    STANDIN_RULE(buffer || r->bytes == 0, "%zu bytes at a null pointer.", r->bytes);
    return r;
}

int MPI_Isend(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request *request)
{
    standin_begin("MPI_Isend");
    *request = make(buffer, count, type, to, tag, comm);
    begin(*request);
    return standin_end(comm);
}

int MPI_Issend(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
               MPI_Request *request)
{
    standin_begin("MPI_Issend");
    *request = make(buffer, count, type, to, tag, comm);
    (*request)->synchronous = true;
    begin(*request);
    return standin_end(comm);
}

int MPI_Irecv(void *buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
              MPI_Request *request)
{
    standin_begin("MPI_Irecv");
    *request = make(buffer, count, type, from, tag, comm);
    (*request)->kind = STANDIN_RECEIVE;
    begin(*request);
    return standin_end(comm);
}

int MPI_Recv(void *buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status *status)
{
    standin_begin("MPI_Recv");
    MPI_Request r = make(buffer, count, type, from, tag, comm);
    r->kind = STANDIN_RECEIVE;
    begin(r);
    while (!is_done(r)) {
        standin_wait();
    }
    take(&r, status);
    return standin_end(comm);
}

int MPI_Send_init(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
                  MPI_Request *request)
{
    standin_begin("MPI_Send_init");
    *request = make(buffer, count, type, to, tag, comm);
    (*request)->persistent = true;
    return standin_end(comm);
}

int MPI_Recv_init(void *buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
                  MPI_Request *request)
{
    standin_begin("MPI_Recv_init");
    *request = make(buffer, count, type, from, tag, comm);
    (*request)->kind = STANDIN_RECEIVE;
    (*request)->persistent = true;
    return standin_end(comm);
}

int MPI_Start(MPI_Request *request)
{
    standin_begin("MPI_Start");
    STANDIN_RULE(*request && (*request)->persistent, "the request is not a persistent one.");
    STANDIN_RULE(!(*request)->active, "the message with rank %d is under way already.", (*request)->peer);
    standin_comm_check((*request)->comm);
    begin(*request);
    return standin_end((*request)->comm);
}

int MPI_Request_free(MPI_Request *request)
{
    standin_begin("MPI_Request_free");
    MPI_Request r = *request;
    STANDIN_RULE(r, "MPI_REQUEST_NULL cannot be freed.");
    STANDIN_RULE(!r->active, "the message with rank %d is under way.", r->peer);
    r->rank->holds.requests--;
    *request = MPI_REQUEST_NULL;
    return standin_end(r->comm);
}

/* ---- asking ------------------------------------------------------------------------------------- */

/* The first message of a sender that is not received; of any sender, one of those that can be seen. */
int MPI_Iprobe(int from, int tag, MPI_Comm comm, int *flag, MPI_Status *status)
{
    standin_begin("MPI_Iprobe");
    standin_comm_check(comm);
    const int first = from == MPI_ANY_SOURCE ? standin_random(standin_settings()->ranks) : from;
    const int senders = from == MPI_ANY_SOURCE ? standin_settings()->ranks : 1;
    *flag = 0;
    for (int i = 0; i < senders && !*flag; ++i) {
        const int sender = (first + i) % standin_settings()->ranks;
        const message *m = messages;
        while (m && (m->receiver || m->comm != comm || m->from != sender || m->to != standin_here()->number ||
                     m->tag != tag)) {
            m = m->next;
        }
        if (m && standin_now() >= m->visible) {
            *flag = 1;
            *status = (MPI_Status){.MPI_SOURCE = sender, .MPI_TAG = tag, .MPI_ERROR = MPI_SUCCESS};
        }
    }
    return standin_end_poll(comm, *flag);
}

static bool is_waited_for(MPI_Request r)
{
    return r && r->active;
}

int MPI_Test(MPI_Request *request, int *flag, MPI_Status *status)
{
    standin_begin("MPI_Test");
    const MPI_Comm comm = *request ? (*request)->comm : MPI_COMM_WORLD;
    *flag = !is_waited_for(*request) || is_done(*request);
    if (*flag && is_waited_for(*request)) {
        take(request, status);
    }
    return standin_end_poll(comm, *flag);
}

int MPI_Testall(int count, MPI_Request request[], int *flag, MPI_Status status[])
{
    standin_begin("MPI_Testall");
    MPI_Comm comm = MPI_COMM_WORLD;
    *flag = 1;
    for (int i = 0; i < count; ++i) {
        comm = request[i] ? request[i]->comm : comm;
        *flag = *flag && (!is_waited_for(request[i]) || is_done(request[i]));
    }
    for (int i = 0; i < count && *flag; ++i) {
        if (is_waited_for(request[i])) {
            take(&request[i], &status[i]);
        }
    }
    return standin_end_poll(comm, *flag);
}

/* Some of those that are complete, in any order; one at least, if there is one. */
int MPI_Testsome(int count, MPI_Request request[], int *finished, int done[], MPI_Status status[])
{
    standin_begin("MPI_Testsome");
    MPI_Comm comm = MPI_COMM_WORLD;
    const int first = count > 0 ? standin_random(count) : 0;
    const int backward = standin_random(2);
    bool waits = false;
    *finished = 0;
    for (int k = 0; k < count; ++k) {
        const int i = (first + (backward ? count - k : k)) % count;
        if (!is_waited_for(request[i])) {
            continue;
        }
        waits = true;
        comm = request[i]->comm;
        if (is_done(request[i]) && (*finished == 0 || standin_random(3) > 0)) {
            take(&request[i], &status[*finished]);
            done[(*finished)++] = i;
        }
    }
    if (!waits) {
        *finished = MPI_UNDEFINED;
    }
    return standin_end_poll(comm, *finished > 0);
}
