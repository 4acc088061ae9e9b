/*
 * Windows are made in stages: on each rank what it can do alone, then what all ranks do together, each
 * followed by an agreement, so that making one fails on all ranks or on none.
 */
#include "window/window.h"

#include "base/log.h"
#include "base/memory.h"
#include "base/status.h"
#include "base/text.h"
#include "comm/arrival.h"
#include "comm/node_space.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static bool is_shared(hx_window_memory memory)
{
    return memory == HX_WINDOW_SHARED || memory == HX_WINDOW_PARTS;
}

/* ---- what all ranks do together ------------------------------------------------------------------------ */

static hx_status compare_requests(const hx_window *w)
{
    const hx_window_request *r = &w->request;
    hxi_identity id = {0};
    snprintf(id.trait[0], HX_TRAIT, "window \"%s\"", w->name);
    snprintf(id.trait[1], HX_TRAIT, "%s memory", hxi_window_memory_name(r->memory));
    snprintf(id.trait[2], HX_TRAIT, "ways %u", r->ways);
    snprintf(id.trait[3], HX_TRAIT, "elements of %zu bytes", r->element);
    snprintf(id.trait[4], HX_TRAIT, "check %d", r->check);
    snprintf(id.trait[5], HX_TRAIT, "log %d", r->log);
    const hx_status status = hxi_topology_compare(w->topology.comm, &id);
    return status == HX_ERR_MISMATCH
               ? hxi_fail(status, "hx_window_create of window \"%s\": %s", w->name, hx_last_error())
               : status;
}

/* This rank's place among those of one way; MPI_COMM_NULL is for ranks that have none. */
static void take_place(hxi_way *way, MPI_Comm comm)
{
    way->comm = comm;
    if (comm != MPI_COMM_NULL) {
        MPI_Comm_rank(comm, &way->rank);
        MPI_Comm_size(comm, &way->ranks);
    }
}

static hx_status find_nodes(hx_window *w)
{
    hxi_topology *t = &w->topology;
    hx_status status = hxi_topology_agree(t->comm, hxi_topology_survey(t));
    status = status == HX_OK ? hxi_topology_agree(t->comm, hxi_topology_join_leaders(t)) : status;
    if (status != HX_OK) {
        return status;
    }
    take_place(&w->way[HX_NODE_WAY], t->node);
    take_place(&w->way[HX_PEERS_WAY], t->comm);
    take_place(&w->way[HX_LEADERS_WAY], t->leaders);
    w->leads = t->node_rank == 0;
    w->id = (hxi_window_id){(int64_t)getpid(), (uint64_t)(uintptr_t)w};
    return hxi_topology_agree(t->comm, hxi_topology_node_tell(t, &w->id, sizeof w->id));
}

/* Where a node has one buffer its ranks must mean the same. */
static hx_status compare_elements(const hx_window *w)
{
    int64_t range[2] = {w->elements, -w->elements};
    const int code = MPI_Allreduce(MPI_IN_PLACE, range, 2, MPI_INT64_T, MPI_MAX, w->way[HX_NODE_WAY].comm);
    if (code != MPI_SUCCESS) {
        return hxi_fail_mpi(code, "Comparing the extents of window \"%s\" (MPI_Allreduce)", w->name);
    }
    if (w->memory == HX_WINDOW_SHARED && range[0] != -range[1]) {
        return hxi_fail(
            HX_ERR_MISMATCH,
            "The ranks of a node ask for %lld to %lld elements of window \"%s\", which has one buffer per "
            "node; ask for as many on all of them, or for HX_WINDOW_PARTS.",
            (long long)-range[1], (long long)range[0], w->name);
    }
    return HX_OK;
}

/* Has a node several ranks? */
static hx_status choose_memory(hx_window *w)
{
    int most = 0;
    const int code = MPI_Allreduce(&w->way[HX_NODE_WAY].ranks, &most, 1, MPI_INT, MPI_MAX, w->topology.comm);
    if (code != MPI_SUCCESS) {
        return hxi_fail_mpi(code, "Comparing the nodes (MPI_Allreduce)");
    }
    if (w->memory == HX_WINDOW_AUTO) {
        w->memory = most > 1 ? HX_WINDOW_SHARED : HX_WINDOW_PRIVATE;
        snprintf(w->why, sizeof w->why, "the largest node has %d rank%s", most, hxi_s(most));
    }
    return HX_OK;
}

/*
 * After a call of all ranks that makes the window of one way: if it failed anywhere, what was made is given
 * back, which takes all ranks; so it is left where not all have it.
 */
static hx_status settle(hx_window *w, hxi_way *way, hx_status status)
{
    const hx_status agreed = hxi_topology_agree(w->topology.comm, status);
    if (agreed == HX_OK) {
        return HX_OK;
    }
    int have = way->comm == MPI_COMM_NULL || way->win != MPI_WIN_NULL;
    if (MPI_Allreduce(MPI_IN_PLACE, &have, 1, MPI_INT, MPI_MIN, w->topology.comm) == MPI_SUCCESS && have &&
        way->win != MPI_WIN_NULL) {
        MPI_Win_free(&way->win);
    }
    way->win = MPI_WIN_NULL;
    return agreed;
}

/* Bytes of the node's memory that this rank holds. */
static size_t held_bytes(const hx_window *w)
{
    return w->memory == HX_WINDOW_PARTS || w->leads ? w->bytes : 0;
}

/* What this rank has of the memory in its share: of one buffer, each rank of the node as much. */
static hx_status touch(const hx_window *w, const char *what)
{
    if (w->memory == HX_WINDOW_PARTS) {
        return hxi_node_space_touch(w->base, w->bytes, what);
    }
    const size_t ranks = (size_t)w->way[HX_NODE_WAY].ranks;
    const size_t rank = (size_t)w->way[HX_NODE_WAY].rank;
    const size_t first = w->bytes / ranks * rank;
    const size_t end = rank + 1 == ranks ? w->bytes : w->bytes / ranks * (rank + 1);
    return hxi_node_space_touch((unsigned char *)w->whole + first, end - first, what);
}

/* The node's communicator has one rank or many: MPI_Win_allocate_shared is for both. */
static hx_status allocate_shared(hx_window *w)
{
    hxi_way *node = &w->way[HX_NODE_WAY];
    char what[HX_WINDOW_NAME + 16];
    snprintf(what, sizeof what, "window \"%s\"", w->name);
    const hx_status fits =
        hxi_topology_agree(w->topology.comm, hxi_node_space_check(&w->topology, held_bytes(w), what,
                                                                  "ask for HX_WINDOW_PRIVATE"));
    if (fits != HX_OK) {
        return fits;
    }
    int code =
        MPI_Win_allocate_shared((MPI_Aint)held_bytes(w), 1, MPI_INFO_NULL, node->comm, &w->base, &node->win);
    hx_status status =
        code == MPI_SUCCESS ? HX_OK : hxi_fail_mpi(code, "MPI_Win_allocate_shared of %zu bytes", w->bytes);
    if (code == MPI_SUCCESS) {
        MPI_Aint bytes = 0;
        int unit = 0;
        MPI_Win_set_errhandler(node->win, MPI_ERRORS_RETURN);
        /* Where the first part begins that has bytes. */
        code = MPI_Win_shared_query(node->win, MPI_PROC_NULL, &bytes, &unit, &w->whole);
        status = code == MPI_SUCCESS ? HX_OK : hxi_fail_mpi(code, "MPI_Win_shared_query");
    }
    status = status == HX_OK ? touch(w, what) : status;
    return settle(w, node, status);
}

static hx_status allocate_private(hx_window *w)
{
    const int code = MPI_Alloc_mem((MPI_Aint)w->bytes, MPI_INFO_NULL, &w->allocated);
    if (code != MPI_SUCCESS) {
        w->allocated = NULL;
        return hxi_fail_mpi(code, "MPI_Alloc_mem of %zu bytes", w->bytes);
    }
    w->base = w->whole = w->allocated;
    return HX_OK;
}

static hx_status allocate(hx_window *w)
{
    const bool may_choose = w->request.memory == HX_WINDOW_AUTO;
    if (is_shared(w->memory)) {
        const hx_status status = allocate_shared(w);
        if (status == HX_OK || !may_choose) {
            return status;
        }
        w->memory = HX_WINDOW_PRIVATE;
        snprintf(w->why, sizeof w->why, "%s", hx_last_error());
    }
    w->base = w->whole = w->request.base;
    return hxi_topology_agree(w->topology.comm, w->memory == HX_WINDOW_PRIVATE ? allocate_private(w) : HX_OK);
}

/* All parts of a node, which lie one after the other. */
static int64_t bytes_of_node(const hx_window *w)
{
    int64_t sum = 0;
    for (int r = 0; r < w->way[HX_NODE_WAY].ranks; ++r) {
        sum += w->way[HX_NODE_WAY].exposed[r].bytes;
    }
    return sum;
}

/* Bytes that one way exposes on this rank. */
static int64_t exposed_bytes(const hx_window *w, int way)
{
    if (way == HX_LEADERS_WAY && w->memory == HX_WINDOW_PARTS) {
        return bytes_of_node(w);
    }
    return w->memory != HX_WINDOW_SHARED || w->leads ? (int64_t)w->bytes : 0;
}

static hx_status prepare_way(hxi_way *way)
{
    if (way->comm == MPI_COMM_NULL) {
        return HX_OK;
    }
    way->exposed =
        hxi_memory_get((size_t)way->ranks, sizeof *way->exposed, "what the ranks of a window expose");
    return way->exposed ? hxi_epoch_make(way->ranks, &way->epoch) : HX_ERR_MEMORY;
}

/*
 * MPICH with UCX gets places wrong by what a window's memory is off 16 bytes: windows begin there or before.
 */
enum { GRAIN = 16 };

static hx_status compare_exposed(hx_window *w, int number)
{
    hxi_way *way = &w->way[number];
    const int64_t bytes = exposed_bytes(w, number);
    way->base = number == HX_LEADERS_WAY ? w->whole : w->base;
    const hxi_exposed mine = {
        bytes, bytes > 0 && number != HX_NODE_WAY ? (int64_t)((uintptr_t)way->base % GRAIN) : 0};
    int code = MPI_SUCCESS;
    if (way->comm != MPI_COMM_NULL) {
        code = MPI_Allgather(&mine, (int)sizeof mine, MPI_BYTE, way->exposed, (int)sizeof mine, MPI_BYTE,
                             way->comm);
    }
    return code == MPI_SUCCESS ? HX_OK : hxi_fail_mpi(code, "Telling what ranks expose (MPI_Allgather)");
}

static hx_status make_mpi_window(hx_window *w, hxi_way *way)
{
    int code = MPI_SUCCESS;
    const char *call = "MPI_Win_create";
    if (way->ranks == 1) { /* Open MPI refuses windows of one rank, but for this */
        void *nothing = NULL;
        way->alone = true;
        call = "MPI_Win_allocate_shared";
        code = MPI_Win_allocate_shared(0, 1, MPI_INFO_NULL, way->comm, &nothing, &way->win);
    } else if (w->memory == HX_WINDOW_DYNAMIC) {
        call = "MPI_Win_create_dynamic";
        code = MPI_Win_create_dynamic(MPI_INFO_NULL, way->comm, &way->win);
    } else if (way->comm != MPI_COMM_NULL) {
        const hxi_exposed *mine = &way->exposed[way->rank];
        void *base = mine->bytes > 0 ? (unsigned char *)way->base - mine->at : NULL;
        code =
            MPI_Win_create(base, (MPI_Aint)(mine->bytes + mine->at), 1, MPI_INFO_NULL, way->comm, &way->win);
    }
    if (code == MPI_SUCCESS && way->win != MPI_WIN_NULL) {
        MPI_Win_set_errhandler(way->win, MPI_ERRORS_RETURN);
    }
    const bool several_nodes = w->way[HX_NODE_WAY].ranks < w->topology.ranks && !way->alone;
    return code == MPI_SUCCESS ? HX_OK
                               : hxi_fail_mpi(code, "%s for window \"%s\"%s", call, w->name,
                                              hxi_topology_window_advice(several_nodes));
}

static hx_status open_way(hx_window *w, int number)
{
    hxi_way *way = &w->way[number];
    hx_status status = hxi_topology_agree(w->topology.comm, prepare_way(way));
    status = status == HX_OK ? hxi_topology_agree(w->topology.comm, compare_exposed(w, number)) : status;
    return status == HX_OK && number != HX_NODE_WAY ? settle(w, way, make_mpi_window(w, way)) : status;
}

static hx_status open_ways(hx_window *w)
{
    hx_status status = HX_OK;
    for (int i = 0; i < HX_WINDOW_WAYS && status == HX_OK; ++i) {
        const bool wanted = i == HX_NODE_WAY ? is_shared(w->memory) : (w->request.ways & w->way[i].bit) != 0;
        status = wanted ? open_way(w, i) : HX_OK;
    }
    return status;
}

/* ---- release ------------------------------------------------------------------------------------------- */

static void note_mpi(hxi_first *first, int code, const char *call)
{
    hxi_first_note(first, code == MPI_SUCCESS ? HX_OK : hxi_fail_mpi(code, "%s", call));
}

/* Leaders first, memory last.  Of a window that is lost MPI keeps all: other ranks may still reach it. */
static hx_status release(hx_window *w)
{
    const bool alive = hxi_topology_alive() && !w->lost;
    hxi_first first = {0};
    for (int i = HX_WINDOW_WAYS - 1; i >= 0; --i) {
        hxi_way *way = &w->way[i];
        for (hxi_attached *a = i == HX_PEERS_WAY ? w->attached : NULL; a && alive; a = a->next) {
            note_mpi(&first,
                     way->alone ? MPI_SUCCESS
                                : MPI_Win_detach(way->win, (const void *)(uintptr_t)a->range.lo),
                     "MPI_Win_detach");
        }
        if (way->win != MPI_WIN_NULL && alive) {
            note_mpi(&first, MPI_Win_free(&way->win), "MPI_Win_free");
        }
        hxi_memory_free(way->exposed);
        hxi_epoch_free(&way->epoch);
    }
    while (w->attached) {
        hxi_attached *next = w->attached->next;
        hxi_memory_free(w->attached);
        w->attached = next;
    }
    if (w->allocated && alive) {
        note_mpi(&first, MPI_Free_mem(w->allocated), "MPI_Free_mem");
    }
    hxi_topology_close(&w->topology, w->lost || w->meeting.spoiled);
    return hxi_first_tell(&first);
}

/* ---- the interface ------------------------------------------------------------------------------------- */

static hx_status create(hx_window *w, MPI_Comm comm, const hx_window_request *request, hx_status ready)
{
    hxi_first first = {0};
    hxi_first_note(&first, ready);
    w->deadline = hxi_window_deadline(request);
    const hx_status here = hxi_arrival_meet(comm, "hx_window_create", &w->deadline);
    if (hxi_arrival_failed(here)) {
        return here;
    }
    hxi_first_note(&first, here);
    hxi_first_note(&first, hxi_topology_open(comm, &w->topology));
    hxi_first_note(&first, hxi_window_take(w, request));
    hx_status status = hxi_topology_agree(comm, hxi_first_tell(&first));
    status = status == HX_OK ? hxi_topology_agree(comm, compare_requests(w)) : status;
    status = status == HX_OK ? find_nodes(w) : status;
    status = status == HX_OK ? hxi_topology_agree(comm, choose_memory(w)) : status;
    status = status == HX_OK ? hxi_topology_agree(comm, compare_elements(w)) : status;
    status = status == HX_OK ? allocate(w) : status;
    return status == HX_OK ? open_ways(w) : status;
}

hx_status hx_window_create(MPI_Comm comm, const hx_window_request *request, hx_window **window)
{
    if (window) {
        *window = NULL;
    }
    int rank = 0;
    int ranks = 0;
    hx_status status = hxi_topology_place(comm, "hx_window_create", &rank, &ranks);
    if (status != HX_OK && status != HX_ERR_MPI) { /* an error of MPI may be this rank's alone */
        return status;
    }
    if (status == HX_OK && !window) {
        status = hxi_fail(HX_ERR_ARGUMENT,
                          "The place for the window given to hx_window_create is a null pointer.");
    }
    hx_window made = {.topology = hxi_topology_none()};
    for (int i = 0; i < HX_WINDOW_WAYS; ++i) {
        static const char *const names[HX_WINDOW_WAYS] = {"ranks of the node", "peers", "leaders"};
        made.way[i] = (hxi_way){.bit = 1u << i, .name = names[i], .comm = MPI_COMM_NULL, .win = MPI_WIN_NULL};
    }
    hx_window *w = status == HX_OK ? hxi_memory_get(1, sizeof *w, "a window") : NULL;
    if (status == HX_OK && !w) {
        status = HX_ERR_MEMORY;
    }
    hx_window *working = w ? w : &made;
    *working = made;
    const MPI_Errhandler handler = hxi_topology_quiet(comm, 0);
    status = create(working, comm, request, status);
    hxi_topology_restore(comm, handler);
    if (status != HX_OK) {
        hxi_first why = {0};
        hxi_first_note(&why, status);
        release(working);
        hxi_memory_free(w);
        return hxi_first_tell(&why);
    }
    static const hxi_meeting_of of = {"window", "The window is given up, and its memory stays where it is."};
    hxi_meeting_open(&w->meeting, &w->topology, &of);
    *window = w;
    hxi_log(&w->log, HX_LOG_INFO,
            "window \"%s\": rank %d of %d made it, %s memory%s%s, %lld element%s of %zu bytes", w->name, rank,
            ranks, hxi_window_memory_name(w->memory), w->why[0] ? " because " : "", w->why,
            (long long)w->elements, hxi_s(w->elements), w->request.element);
    return HX_OK;
}

/* Does nobody rely on it, and is it in no epoch, whichever way?  Whoever gives it up does not mind epochs. */
static hx_status check_free(const hx_window *w)
{
    char why[HX_USE];
    hxi_lease_why(&w->users, why);
    hx_status status = why[0] == '\0' ? HX_OK
                                      : hxi_fail(HX_ERR_STATE, "Window \"%s\" is in use on rank %d: %s.",
                                                 w->name, w->topology.rank, why);
    for (int i = 0; i < HX_WINDOW_WAYS && status == HX_OK && w->request.check && !w->lost; ++i) {
        const hxi_way *way = &w->way[i];
        status = hxi_window_tell(w, way, "hx_window_free", hxi_epoch_may(&way->epoch, HX_STEP_FREE, -1));
    }
    return status;
}

static void wait_only(void *unused)
{
    (void)unused;
}

/* Collective: may all ranks free it?  Of a window that is lost this rank decides alone. */
static hx_status agree_to_free(hx_window *w)
{
    char call[HX_MEETING_CALL];
    hxi_first first = {0};
    if (w->lost || !hxi_topology_alive()) {
        return check_free(w);
    }
    snprintf(call, sizeof call, "hx_window_free of \"%.24s\"", w->name);
    const hx_status met = hxi_meeting_wait(&w->meeting, call, w->deadline, wait_only, NULL);
    w->lost = met == HX_ERR_DEADLINE;
    if (hxi_arrival_failed(met)) {
        return met;
    }
    hxi_first_note(&first, met);
    hxi_first_note(&first, check_free(w));
    return hxi_topology_agree(w->topology.comm, hxi_first_tell(&first));
}

hx_status hx_window_free(hx_window **window)
{
    if (!window || !*window) {
        return HX_OK;
    }
    hx_window *w = *window;
    hxi_first first = {0};
    hxi_first_note(&first, agree_to_free(w));
    if (first.status == HX_ERR_DEADLINE ? check_free(w) != HX_OK : first.status != HX_OK) {
        return hxi_first_tell(&first);
    }
    hxi_log(&w->log, HX_LOG_INFO, "window \"%s\": rank %d of %d %s it", w->name, w->topology.rank,
            w->topology.ranks, w->lost ? "gives up" : "frees");
    const bool quiet = hxi_meeting_close(&w->meeting);
    hxi_first_note(&first, release(w));
    if (quiet) {
        hxi_memory_free(w);
    }
    *window = NULL;
    return hxi_first_tell(&first);
}

void hx_window_query(const hx_window *w, hx_window_facts *facts)
{
    *facts = (hx_window_facts){.why = ""};
    if (!w) {
        return;
    }
    const hx_window_request *r = &w->request;
    for (int i = 0; i < HX_WINDOW_WAYS; ++i) {
        facts->ways |= w->way[i].win != MPI_WIN_NULL ? w->way[i].bit : 0;
    }
    facts->memory = w->memory;
    facts->why = w->why;
    facts->element = r->element;
    facts->axes = r->axes;
    memcpy(facts->extent, r->extent, sizeof facts->extent);
    facts->elements = w->elements;
    facts->bytes = w->bytes;
    facts->node_rank = w->way[HX_NODE_WAY].rank;
    facts->node_ranks = w->way[HX_NODE_WAY].ranks;
    facts->node = w->leads ? w->way[HX_LEADERS_WAY].rank : -1;
    facts->nodes = w->leads ? w->way[HX_LEADERS_WAY].ranks : -1;
}

hx_status hxi_window_check(const hx_window *w, const char *caller)
{
    const hx_status status = hxi_topology_running(caller);
    return status != HX_OK ? status
           : w             ? HX_OK
               : hxi_fail(HX_ERR_ARGUMENT, "The window given to %s is a null pointer; was it freed?", caller);
}

hx_status hx_window_pointer(const hx_window *w, int node_rank, void **memory, int64_t *elements)
{
    *memory = NULL;
    *elements = 0;
    hx_status status = hxi_window_check(w, "hx_window_pointer");
    if (status != HX_OK) {
        return status;
    }
    const hxi_way *node = &w->way[HX_NODE_WAY];
    const bool shared = node->win != MPI_WIN_NULL;
    if (node_rank < 0 || node_rank >= node->ranks || (!shared && node_rank != node->rank)) {
        return hxi_fail(
            HX_ERR_ARGUMENT,
            "hx_window_pointer was asked for node rank %d; window \"%s\", of %s memory, has pointers for "
            "%d to %d here.",
            node_rank, w->name, hxi_window_memory_name(w->memory), shared ? 0 : node->rank,
            shared ? node->ranks - 1 : node->rank);
    }
    MPI_Aint bytes = (MPI_Aint)w->bytes;
    void *base = w->base;
    if (shared) {
        int unit = 0;
        const int code = MPI_Win_shared_query(node->win, node_rank, &bytes, &unit, &base);
        if (code != MPI_SUCCESS) {
            return hxi_fail_mpi(code, "MPI_Win_shared_query for node rank %d", node_rank);
        }
        bytes = (MPI_Aint)node->exposed[node_rank].bytes;
    }
    *memory = base;
    *elements = (int64_t)bytes / (int64_t)w->request.element;
    return HX_OK;
}

hx_status hxi_window_whole(const hx_window *w, const char *caller, unsigned char **memory, size_t *bytes)
{
    const hx_status status = hxi_window_check(w, caller);
    if (status != HX_OK) {
        return status;
    }
    if (w->way[HX_NODE_WAY].win == MPI_WIN_NULL) {
        return hxi_fail(
            HX_ERR_ARGUMENT,
            "Window \"%s\", given to %s, has %s memory%s%s, which ranks of a node do not share; ask for "
            "HX_WINDOW_SHARED or HX_WINDOW_PARTS when it is made, or leave this call out: then its arrays "
            "are as "
            "others.",
            w->name, caller, hxi_window_memory_name(w->memory), w->why[0] ? ", because " : "", w->why);
    }
    *memory = w->whole;
    *bytes = (size_t)bytes_of_node(w);
    return HX_OK;
}
