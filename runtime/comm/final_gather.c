#include "comm/final_gather.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/status.h"

#include <limits.h>
#include <pthread.h>
#include <string.h>

/* Tags in communicators of their own; observe/telling.c has 2.  Beside texts with tag t travel the words "ready" with
 * t + TAGS_MORE and "ask" with t + 2 * TAGS_MORE. */
enum { TAG = 1, TAG_NOW = 3, TAGS_MORE = 8 };

static const char purpose[] = "what ranks tell in MPI_Finalize";

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static hxi_final_gather *first;

int hxi_final_gather_process(void)
{
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
}

static int run_all(MPI_Comm comm, int key, void *value, void *unused);

/* MPI_Finalize takes away what the communicator of this process alone has, before anything else. */
static hx_status wait_for_finalize(void)
{
    static int key = MPI_KEYVAL_INVALID;
    static bool is_set;
    int code = MPI_SUCCESS;
    pthread_mutex_lock(&lock);
    if (key == MPI_KEYVAL_INVALID) {
        code = MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, run_all, &key, NULL);
    }
    if (code == MPI_SUCCESS && !is_set) {
        code = MPI_Comm_set_attr(MPI_COMM_SELF, key, NULL);
        is_set = code == MPI_SUCCESS;
    }
    pthread_mutex_unlock(&lock);
    return code == MPI_SUCCESS ? HX_OK : hxi_fail_mpi(code, "Asking to be called by MPI_Finalize");
}

static hx_status make(const hxi_topology *topology, hxi_final_gather *g)
{
    g->comm = MPI_COMM_NULL;
    g->request = MPI_REQUEST_NULL;
    g->rank = topology->rank;
    g->ranks = topology->ranks;
    g->tag = TAG;
    g->missing = g->rank == 0 ? g->ranks - 1 : 0;
    if (g->rank == 0) {
        g->told = hxi_memory_get((size_t)g->ranks, sizeof *g->told, purpose);
        g->told_bytes = hxi_memory_get((size_t)g->ranks, sizeof *g->told_bytes, purpose);
    }
    return g->rank > 0 || (g->told && g->told_bytes) ? wait_for_finalize() : HX_ERR_MEMORY;
}

static void unmake(hxi_final_gather *g)
{
    for (int r = 0; g->told && r < g->ranks; ++r) {
        hxi_memory_free(g->told[r]);
    }
    hxi_memory_free(g->told);
    hxi_memory_free(g->told_bytes);
    hxi_memory_free(g->own);
    if (g->comm != MPI_COMM_NULL) {
        MPI_Comm_free(&g->comm);
    }
    g->told = NULL;
    g->told_bytes = NULL;
    g->own = NULL;
}

hx_status hxi_final_gather_open(const hxi_topology *topology, hxi_final_gather *gather)
{
    hx_status status = hxi_topology_agree(topology->comm, gather ? make(topology, gather) : HX_ERR_MEMORY);
    if (status == HX_OK) {
        const int code = MPI_Comm_dup(topology->comm, &gather->comm);
        status = hxi_topology_agree(
            topology->comm,
            code == MPI_SUCCESS ? HX_OK : hxi_fail_mpi(code, "Duplicating a communicator (MPI_Comm_dup)"));
    }
    if (status == HX_OK) {
        pthread_mutex_lock(&lock);
        gather->next = first;
        first = gather;
        pthread_mutex_unlock(&lock);
    } else if (gather) {
        gather->comm = MPI_COMM_NULL; /* where not all ranks have it, none can free it */
        unmake(gather);
    }
    return status;
}

/* ---- in MPI_Finalize ----------------------------------------------------------------------------------- */

/*
 * A rank tells when the first one asks for it, and the first one asks whom it heard of in time.  So nobody has a long message
 * under way to a rank that has given it up: MPICH would wait for that in MPI_Finalize for ever.
 */
static int tag_is_ready(const hxi_final_gather *g)
{
    return g->tag + TAGS_MORE;
}

static int tag_ask(const hxi_final_gather *g)
{
    return g->tag + 2 * TAGS_MORE;
}

static void send_word(const hxi_final_gather *g, int to, int tag)
{
    MPI_Request request;
    if (MPI_Isend(NULL, 0, MPI_BYTE, to, tag, g->comm, &request) == MPI_SUCCESS) {
        MPI_Request_free(&request);
    }
}

/* Has such a message come, and from whom?  It is taken in as a text of this many bytes. */
static bool receive(const hxi_final_gather *g, int tag, char **text, MPI_Status *status, int *length)
{
    int there = 0;
    MPI_Message message;
    if (MPI_Improbe(MPI_ANY_SOURCE, tag, g->comm, &there, &message, status) != MPI_SUCCESS || !there) {
        return false;
    }
    MPI_Get_count(status, MPI_BYTE, length);
    *text = hxi_memory_get((size_t)*length + 1, 1, purpose);
    MPI_Mrecv(*text, *text ? *length : 0, MPI_BYTE, &message, MPI_STATUS_IGNORE);
    return true;
}

static bool receive_word(const hxi_final_gather *g, int tag, int *from)
{
    char *text = NULL;
    int length = 0;
    MPI_Status status;
    const bool has_come = receive(g, tag, &text, &status, &length);
    hxi_memory_free(text);
    if (has_come) {
        *from = status.MPI_SOURCE;
    }
    return has_come;
}

static void send_own(hxi_final_gather *g)
{
    const size_t length = !g->own ? 0 : g->bytes > 0 ? g->bytes : strlen(g->own);
    MPI_Isend(g->own, length <= INT_MAX ? (int)length : 0, MPI_BYTE, 0, g->tag, g->comm, &g->request);
}

static bool is_late(const hxi_final_gather *g, double waited)
{
    return g->deadline > 0.0 && waited > g->deadline;
}

/* On the first rank.  For a rank that it has asked it waits up to twice the deadline. */
static bool has_all(hxi_final_gather *g, double waited)
{
    int rank = 0;
    int length = 0;
    char *text = NULL;
    MPI_Status status;
    while (!is_late(g, waited) && g->missing > g->asked && receive_word(g, tag_is_ready(g), &rank)) {
        send_word(g, rank, tag_ask(g));
        g->asked++;
    }
    while (g->asked > 0 && receive(g, g->tag, &text, &status, &length)) {
        g->told[status.MPI_SOURCE] = text;
        g->told_bytes[status.MPI_SOURCE] = text ? (size_t)length : 0;
        g->missing--;
        g->asked--;
    }
    return (g->ready && g->missing == 0) || is_late(g, g->asked > 0 ? waited / 2.0 : waited);
}

/* On the others. */
static bool has_told(hxi_final_gather *g, double waited)
{
    int first_rank = 0;
    int sent = 0;
    if (g->ready && g->asked == 0 && receive_word(g, tag_ask(g), &first_rank)) {
        g->asked = 1;
        send_own(g);
    }
    MPI_Test(&g->request, &sent, MPI_STATUS_IGNORE);
    return (g->asked > 0 && sent) || is_late(g, g->asked > 0 ? waited / 2.0 : waited);
}

/* Moves it on; is this rank through with it?  A text that has been asked for is waited for even where all has been given
 * up: MPICH would wait for it in MPI_Finalize for ever. */
static bool is_through(hxi_final_gather *g, double waited)
{
    if (g->given_up && g->asked == 0 && g->request == MPI_REQUEST_NULL) {
        return true;
    }
    if (!g->ready && (!g->advance || g->advance(g, waited))) {
        g->ready = true;
        if (g->rank > 0) {
            send_word(g, 0, tag_is_ready(g));
        }
    }
    return g->rank == 0 ? has_all(g, waited) : has_told(g, waited);
}

/* As it was before it was told anything. */
static void forget(hxi_final_gather *g)
{
    for (int r = 0; g->told && r < g->ranks; ++r) {
        hxi_memory_free(g->told[r]);
        g->told[r] = NULL;
    }
    hxi_memory_free(g->own);
    g->own = NULL;
    g->missing = g->rank == 0 ? g->ranks - 1 : 0;
    g->asked = 0;
    g->ready = false;
}

/* With a tag of its own: whoever is through may be in MPI_Finalize before others are. */
bool hxi_final_gather_now(hxi_final_gather *g)
{
    const double before = hxi_clock();
    g->tag = TAG_NOW;
    while (!is_through(g, hxi_clock() - before)) {
        hxi_clock_yield();
    }
    if (g->rank == 0) {
        g->take(g);
    }
    if (!g->ready || g->missing > 0 || g->request != MPI_REQUEST_NULL) {
        return false; /* MPI may still read what was sent */
    }
    forget(g);
    g->tag = TAG;
    return true;
}

void hxi_final_gather_give_up(hxi_final_gather *g)
{
    g->given_up = true;
}

/* All of them at once: ranks may have opened them in different orders. */
static void exchange_all(void)
{
    const double before = hxi_clock();
    for (hxi_final_gather *g = first; g; g = g->next) {
        g->prepare(g);
    }
    for (bool through = false; !through;) {
        through = true;
        for (hxi_final_gather *g = first; g; g = g->next) {
            through = is_through(g, hxi_clock() - before) && through;
        }
        hxi_clock_yield();
    }
}

/* What could not be sent in time stays where it is. */
static int run_all(MPI_Comm comm, int key, void *value, void *unused)
{
    (void)comm;
    (void)key;
    (void)value;
    (void)unused;
    pthread_mutex_lock(&lock);
    exchange_all();
    while (first) {
        hxi_final_gather *g = first;
        first = g->next;
        if (g->rank == 0 && !g->given_up) {
            g->take(g);
        }
        if (g->request == MPI_REQUEST_NULL) {
            unmake(g);
            g->end(g);
        }
    }
    pthread_mutex_unlock(&lock);
    return MPI_SUCCESS;
}
