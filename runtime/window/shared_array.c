/*
 * Arrays that the ranks of a node share, and the plain broadcast.
 *
 * Every step is staged like create: a rank that fails remembers it, takes part in what the others do, and all
 * agree before they go on.
 */
#include <hx/shared_array.h>

#include "base/memory.h"
#include "base/status.h"
#include "comm/arrival.h"
#include "comm/meeting.h"
#include "comm/node_space.h"
#include "comm/topology.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/*
 * Bytes of one MPI_Bcast, at most: an int counts them.  Tests set fewer, to see what becomes of long arrays.
 */
#ifndef HX_BROADCAST_PIECE
#define HX_BROADCAST_PIECE (1 << 30)
#endif

/*
 * An array of a group: a window of the ranks of the node.  MPI may keep a state of its own in front of the
 * memory that it gives, on the same page; so the array begins on the next one.
 */
typedef struct table {
    MPI_Win window;
    unsigned char *data;
    size_t bytes; /* whole pages */
    bool locked;  /* for MPI_Win_sync, all the time */
    bool read_only;
} table;

struct hx_shared_arrays {
    hxi_topology topology;
    table *table;
    int tables;
    int room;
    hxi_meeting meeting;
    double deadline;
    bool lost; /* a deadline has passed */
};

/* ---- what the root has --------------------------------------------------------------------------------- */

/* What ranks ask for. */
typedef struct request {
    const char *caller;
    MPI_Comm comm;
    int root;
    const hx_array *given; /* of the root */
    bool writable;
} request;

/* What the root tells the others. */
typedef struct published_array {
    hx_array array; /* pointers are for the root alone */
    int leader;     /* of its node */
    bool present;
} published_array;

static size_t bytes_of(const hx_array *array)
{
    size_t bytes = array->size;
    for (int a = 0; a < array->axes; ++a) {
        bytes *= array->extent[a];
    }
    return bytes;
}

/* Whole pages around an array are counted by a size_t, too. */
enum { MARGIN = 1 << 24 };

static hx_status check_array(const char *caller, const hx_array *array)
{
    if (array->size == 0) {
        return hxi_fail(HX_ERR_ARGUMENT, "The elements of the array given to %s have 0 bytes; set its size.",
                        caller);
    }
    if (array->axes < 0 || array->axes > HX_ARRAY_AXES) {
        return hxi_fail(HX_ERR_ARGUMENT, "The array given to %s has %d axes; it may have 0 to %d.", caller,
                        array->axes, (int)HX_ARRAY_AXES);
    }
    size_t bytes = array->size;
    for (int a = 0; a < array->axes; ++a) {
        if (array->extent[a] == 0) {
            return HX_OK; /* no element, however long the other axes are */
        }
    }
    for (int a = 0; a < array->axes; ++a) {
        if (bytes > (PTRDIFF_MAX - MARGIN) / array->extent[a]) {
            return hxi_fail(HX_ERR_LIMIT,
                            "The array given to %s has %zu elements along axis %d, and %zu bytes for each of "
                            "them; that is more than a pointer can reach.",
                            caller, array->extent[a], a, bytes);
        }
        bytes *= array->extent[a];
    }
    return bytes <= PTRDIFF_MAX - MARGIN
               ? HX_OK
               : hxi_fail(HX_ERR_LIMIT, "An element of the array given to %s has %zu bytes.", caller, bytes);
}

static hx_status check_request(const request *r, const void *out)
{
    int rank = 0;
    int ranks = 0;
    MPI_Comm_rank(r->comm, &rank);
    MPI_Comm_size(r->comm, &ranks);
    if (!out) {
        return hxi_fail(HX_ERR_ARGUMENT, "The place for the array that %s gives is a null pointer.",
                        r->caller);
    }
    if (r->root < 0 || r->root >= ranks) {
        return hxi_fail(HX_ERR_ARGUMENT, "The root given to %s is %d; the ranks are 0 to %d.", r->caller,
                        r->root, ranks - 1);
    }
    return rank == r->root && r->given && r->given->data ? check_array(r->caller, r->given) : HX_OK;
}

static hx_status compare_requests(const request *r)
{
    hxi_identity id = {0};
    snprintf(id.trait[0], HX_TRAIT, "%s with root %d", r->caller, r->root);
    snprintf(id.trait[1], HX_TRAIT, "an array for %s", r->writable ? "reading and writing" : "reading");
    const hx_status status = hxi_topology_compare(r->comm, &id);
    return status == HX_ERR_MISMATCH ? hxi_fail(status, "%s: %s", r->caller, hx_last_error()) : status;
}

/* Collective: what the root has; leader: of this rank; ready: of what it did before. */
static hx_status learn(const request *r, const void *out, int leader, hx_status ready,
                       published_array *published)
{
    hx_status status = hxi_topology_agree(r->comm, ready == HX_OK ? check_request(r, out) : ready);
    status = status == HX_OK ? hxi_topology_agree(r->comm, compare_requests(r)) : status;
    if (status != HX_OK) {
        return status;
    }
    int rank = 0;
    MPI_Comm_rank(r->comm, &rank);
    memset(published, 0, sizeof *published); /* its padding travels, too */
    if (rank == r->root && r->given && r->given->data) {
        published->array = *r->given;
        published->leader = leader;
        published->present = true;
    }
    const int code = MPI_Bcast(published, (int)sizeof *published, MPI_BYTE, r->root, r->comm);
    published->array.data = rank == r->root && published->present ? r->given->data : NULL;
    published->array.memory = NULL;
    return hxi_topology_agree(
        r->comm, code == MPI_SUCCESS ? HX_OK : hxi_fail_mpi(code, "%s: telling what there is", r->caller));
}

/* Collective.  On the root data is only read. */
static hx_status broadcast(MPI_Comm comm, int root, void *data, size_t bytes)
{
    hxi_first first = {0};
    for (size_t at = 0; at < bytes; at += HX_BROADCAST_PIECE) {
        const size_t piece = bytes - at < HX_BROADCAST_PIECE ? bytes - at : HX_BROADCAST_PIECE;
        const int code = MPI_Bcast((unsigned char *)data + at, (int)piece, MPI_BYTE, root, comm);
        if (code != MPI_SUCCESS) {
            hxi_first_note(&first, hxi_fail_mpi(code, "MPI_Bcast of bytes %zu to %zu of an array of %zu", at,
                                                at + piece, bytes));
        }
    }
    return hxi_first_tell(&first);
}

/* ---- the plain broadcast ------------------------------------------------------------------------------- */

static hx_status broadcast_given(const request *r, hx_array *received)
{
    published_array published;
    double deadline = 0.0;
    hx_status status = hxi_arrival_meet(r->comm, r->caller, &deadline);
    if (hxi_arrival_failed(status)) {
        return status;
    }
    status = learn(r, received, 0, status, &published);
    if (status != HX_OK) {
        return status;
    }
    if (!published.present) {
        return hxi_fail(
            HX_ERR_ARGUMENT,
            "Rank %d, the root, gives %s no array, or one whose data is a null pointer; give what "
            "the others are to receive.",
            r->root, r->caller);
    }
    hx_array array = published.array;
    if (!array.data) {
        array.memory = hxi_memory_get(bytes_of(&array), 1, "an array that is broadcast");
        array.data = array.memory;
    }
    status = hxi_topology_agree(r->comm, array.data ? HX_OK : HX_ERR_MEMORY);
    if (status == HX_OK) {
        status =
            hxi_topology_agree(r->comm, broadcast(r->comm, r->root, (void *)array.data, bytes_of(&array)));
    }
    if (status != HX_OK) {
        hx_array_free(&array);
        return status;
    }
    *received = array;
    return HX_OK;
}

hx_status hx_broadcast(MPI_Comm comm, int root, const hx_array *given, hx_array *received)
{
    if (received) {
        *received = (hx_array){0};
    }
    const request r = {"hx_broadcast", comm, root, given, false};
    int rank = 0;
    int ranks = 0;
    hx_status status = hxi_topology_place(comm, r.caller, &rank, &ranks);
    if (status != HX_OK) {
        return status;
    }
    const MPI_Errhandler handler = hxi_topology_quiet(comm, 0);
    status = broadcast_given(&r, received);
    hxi_topology_restore(comm, handler);
    return status;
}

void hx_array_free(hx_array *array)
{
    if (array) {
        hxi_memory_free(array->memory);
        *array = (hx_array){0};
    }
}

/* ---- groups -------------------------------------------------------------------------------------------- */

static hx_status open_group(hx_shared_arrays *g, MPI_Comm comm, const char *caller, hx_status ready)
{
    hxi_first first = {0};
    hxi_first_note(&first, ready);
    const hx_status here = hxi_arrival_meet(comm, caller, &g->deadline);
    if (hxi_arrival_failed(here)) {
        return here;
    }
    hxi_first_note(&first, here);
    hxi_first_note(&first, hxi_topology_open(comm, &g->topology));
    hx_status status = hxi_topology_agree(comm, hxi_first_tell(&first));
    status = status == HX_OK ? hxi_topology_agree(comm, hxi_topology_survey(&g->topology)) : status;
    return status == HX_OK ? hxi_topology_agree(comm, hxi_topology_join_leaders(&g->topology)) : status;
}

static hx_status create(MPI_Comm comm, const char *caller, double deadline, hx_shared_arrays **out)
{
    if (out) {
        *out = NULL;
    }
    int rank = 0;
    int ranks = 0;
    hx_status status = hxi_topology_place(comm, caller, &rank, &ranks);
    if (status != HX_OK && status != HX_ERR_MPI) { /* an error of MPI may be this rank's alone */
        return status;
    }
    if (status == HX_OK && !out) {
        status =
            hxi_fail(HX_ERR_ARGUMENT, "The place for the group that %s makes is a null pointer.", caller);
    }
    hx_shared_arrays made = {.topology = hxi_topology_none(), .deadline = deadline};
    hx_shared_arrays *group =
        status == HX_OK ? hxi_memory_get(1, sizeof *group, "a group of shared arrays") : NULL;
    if (status == HX_OK && !group) {
        status = HX_ERR_MEMORY;
    }
    const MPI_Errhandler handler = hxi_topology_quiet(comm, 0);
    status = open_group(&made, comm, caller, status);
    hxi_topology_restore(comm, handler);
    if (status != HX_OK) {
        hxi_topology_close(&made.topology, 0);
        hxi_memory_free(group);
        return status;
    }
    static const hxi_meeting_of of = {"group of shared arrays", "The group can only be destroyed now."};
    *group = made;
    hxi_meeting_open(&group->meeting, &group->topology, &of);
    *out = group;
    return HX_OK;
}

hx_status hx_shared_arrays_create(MPI_Comm comm, hx_shared_arrays **out)
{
    return create(comm, "hx_shared_arrays_create", 0.0, out);
}

hx_status hx_shared_arrays_create_within(MPI_Comm comm, double deadline, hx_shared_arrays **out)
{
    return create(comm, "hx_shared_arrays_create_within", deadline, out);
}

static void wait_only(void *unused)
{
    (void)unused;
}

/* Collective: is there a group that can take part, and have all ranks come for the same? */
static hx_status meet(hx_shared_arrays *g, const char *caller)
{
    if (!g) {
        return hxi_fail(
            HX_ERR_ARGUMENT,
            "The group given to %s is a null pointer; give one that hx_shared_arrays_create made.", caller);
    }
    hx_status status = hxi_topology_running(caller);
    if (status == HX_OK && g->lost) {
        status = hxi_fail(HX_ERR_DEADLINE,
                          "%s on rank %d: an earlier call ended at a deadline; this group can only be "
                          "destroyed.",
                          caller, g->topology.rank);
    }
    if (status != HX_OK) {
        return status;
    }
    status = hxi_meeting_wait(&g->meeting, caller, g->deadline, wait_only, NULL);
    g->lost = status == HX_ERR_DEADLINE;
    return status;
}

/* An error of MPI is this rank's alone: it takes part all the same. */
static bool goes_on(hx_status met)
{
    return met == HX_OK || met == HX_ERR_MPI;
}

/* ---- one array ----------------------------------------------------------------------------------------- */

static hx_status allow(table *t, bool writing)
{
    if (mprotect(t->data, t->bytes, writing ? PROT_READ | PROT_WRITE : PROT_READ) != 0) {
        return hxi_fail(
            HX_ERR_MEMORY,
            "The system does not protect the %zu bytes of a shared array (errno %d); share it for "
            "reading and writing.",
            t->bytes, errno);
    }
    t->read_only = !writing;
    return HX_OK;
}

/* Between two such calls with a barrier of the node between them what one rank wrote is there for all. */
static hx_status sync(const table *t)
{
    const int code = MPI_Win_sync(t->window);
    return code == MPI_SUCCESS ? HX_OK : hxi_fail_mpi(code, "Synchronising a shared array (MPI_Win_sync)");
}

/* Collective over the node.  All of its ranks have read what any of them wrote to these tables before. */
static hx_status settle(const hx_shared_arrays *g, const table *t, int tables)
{
    hxi_first first = {0};
    for (int i = 0; i < tables; ++i) {
        hxi_first_note(&first, sync(&t[i]));
    }
    const int met = MPI_Barrier(g->topology.node);
    if (met != MPI_SUCCESS) {
        hxi_first_note(&first, hxi_fail_mpi(met, "Synchronising shared arrays (MPI_Barrier)"));
    }
    for (int i = 0; i < tables; ++i) {
        hxi_first_note(&first, sync(&t[i]));
    }
    return hxi_first_tell(&first);
}

/* Only the leader of a node holds memory. */
static hx_status check_space(const hx_shared_arrays *g, size_t bytes)
{
    return hxi_node_space_check(&g->topology, g->topology.node_rank == 0 ? bytes : 0, "a shared array",
                                "give each rank a copy by hx_broadcast");
}

static hx_status touch(const hx_shared_arrays *g, const table *t)
{
    return g->topology.node_rank == 0 ? hxi_node_space_touch(t->data, t->bytes, "a shared array") : HX_OK;
}

/*
 * Collective over the node.  Releasing a window is, too: where only some ranks have got one it stays where it
 * is.
 */
static hx_status make_window(const hx_shared_arrays *g, size_t bytes, table *t)
{
    void *unused = NULL;
    t->window = MPI_WIN_NULL;
    const int code = MPI_Win_allocate_shared(g->topology.node_rank == 0 ? (MPI_Aint)bytes : 0, 1,
                                             MPI_INFO_NULL, g->topology.node, &unused, &t->window);
    const int mine = t->window != MPI_WIN_NULL;
    int all = 0;
    const int met = MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, g->topology.node);
    if (!all) {
        t->window = MPI_WIN_NULL;
    }
    if (code != MPI_SUCCESS) {
        return hxi_fail_mpi(code, "Allocating %zu bytes for the ranks of a node (MPI_Win_allocate_shared)",
                            bytes);
    }
    return met == MPI_SUCCESS ? HX_OK
                              : hxi_fail_mpi(met, "Asking who has got a shared array (MPI_Allreduce)");
}

/* Where the window's memory is on this rank: whole pages of it. */
static hx_status find_memory(table *t, size_t page)
{
    int code = MPI_Win_set_errhandler(t->window, MPI_ERRORS_RETURN);
    MPI_Aint size = 0;
    int unit = 0;
    unsigned char *base = NULL;
    code = code == MPI_SUCCESS ? MPI_Win_shared_query(t->window, 0, &size, &unit, &base) : code;
    code = code == MPI_SUCCESS ? MPI_Win_lock_all(MPI_MODE_NOCHECK, t->window) : code;
    if (code != MPI_SUCCESS) {
        return hxi_fail_mpi(code, "Asking for the memory of a shared array (MPI_Win_shared_query)");
    }
    t->locked = true;
    t->data = base + (page - (uintptr_t)base % page) % page;
    return HX_OK;
}

/* Collective over the node. */
static hx_status drop(table *t)
{
    hxi_first first = {0};
    if (t->read_only) {
        hxi_first_note(&first, allow(t, true)); /* whoever gets these pages next may write */
    }
    int code = t->locked ? MPI_Win_unlock_all(t->window) : MPI_SUCCESS;
    if (t->window != MPI_WIN_NULL) {
        const int freed = MPI_Win_free(&t->window);
        code = code == MPI_SUCCESS ? freed : code;
    }
    if (code != MPI_SUCCESS) {
        hxi_first_note(&first, hxi_fail_mpi(code, "Releasing a shared array (MPI_Win_free)"));
    }
    return hxi_first_tell(&first);
}

/* Into the root's node first, from there to the leaders of the others. */
static hx_status seed(const hx_shared_arrays *g, const published_array *published, table *t)
{
    const size_t bytes = bytes_of(&published->array);
    hxi_first first = {0};
    if (published->array.data && bytes > 0) {
        memcpy(t->data, published->array.data, bytes);
    }
    hxi_first_note(&first, settle(g, t, 1));
    if (g->topology.leaders != MPI_COMM_NULL) {
        hxi_first_note(&first, broadcast(g->topology.leaders, published->leader, t->data, bytes));
    }
    hxi_first_note(&first, settle(g, t, 1));
    return hxi_first_tell(&first);
}

/* Collective.  On failure there is nothing to drop. */
static hx_status make_table(const hx_shared_arrays *g, const published_array *published, bool writable,
                            table *t)
{
    MPI_Comm comm = g->topology.comm;
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    *t = (table){.window = MPI_WIN_NULL, .bytes = (bytes_of(&published->array) + page - 1) / page * page};
    hx_status status = hxi_topology_agree(comm, check_space(g, t->bytes + page));
    status = status == HX_OK ? hxi_topology_agree(comm, make_window(g, t->bytes + page, t)) : status;
    status = status == HX_OK ? hxi_topology_agree(comm, find_memory(t, page)) : status;
    status = status == HX_OK ? hxi_topology_agree(comm, touch(g, t)) : status;
    status = status == HX_OK ? hxi_topology_agree(comm, seed(g, published, t)) : status;
    if (status == HX_OK && !writable) {
        status = hxi_topology_agree(comm, allow(t, false));
    }
    if (status != HX_OK) {
        hxi_first first = {0};
        hxi_first_note(&first, status);
        drop(t);
        hxi_first_tell(&first);
    }
    return status;
}

/* Room for one more, had before anything is made. */
static hx_status make_room(hx_shared_arrays *g)
{
    if (g->tables < g->room) {
        return HX_OK;
    }
    const int room = 2 * g->room + 4;
    table *more =
        hxi_memory_grow(g->table, (size_t)g->tables, (size_t)room, sizeof *more, "the list of shared arrays");
    if (!more) {
        return HX_ERR_MEMORY;
    }
    g->table = more;
    g->room = room;
    return HX_OK;
}

hx_status hx_shared_array(hx_shared_arrays *group, int root, const hx_array *given, hx_array *shared,
                          void **writable)
{
    static const char caller[] = "hx_shared_array";
    if (shared) {
        *shared = (hx_array){0};
    }
    if (writable) {
        *writable = NULL;
    }
    hx_status status = meet(group, caller);
    if (!goes_on(status)) {
        return status;
    }
    const request r = {caller, group->topology.comm, root, given, writable != NULL};
    published_array published;
    status = learn(&r, shared, group->topology.leader, status, &published);
    if (status != HX_OK || !published.present) {
        return status;
    }
    status = hxi_topology_agree(r.comm, make_room(group));
    table t;
    status = status == HX_OK ? make_table(group, &published, r.writable, &t) : status;
    if (status != HX_OK) {
        return status;
    }
    group->table[group->tables++] = t;
    *shared = published.array;
    shared->data = t.data;
    if (writable) {
        *writable = t.data;
    }
    return HX_OK;
}

/* ---- all arrays of a group ----------------------------------------------------------------------------- */

hx_status hx_shared_arrays_sync(hx_shared_arrays *group)
{
    hxi_first first = {0};
    hxi_first_note(&first, meet(group, "hx_shared_arrays_sync"));
    if (!goes_on(first.status)) {
        return hxi_first_tell(&first);
    }
    /* The nodes do this apart; what they agree on is how it went. */
    hxi_first_note(&first, settle(group, group->table, group->tables));
    return hxi_topology_agree(group->topology.comm, hxi_first_tell(&first));
}

/* Collective; met: how meeting the other ranks went. */
static hx_status drop_all(hx_shared_arrays *g, hx_status met)
{
    hxi_first first = {0};
    hxi_first_note(&first, met);
    while (g->tables > 0) {
        hxi_first_note(&first, drop(&g->table[--g->tables]));
    }
    return hxi_topology_agree(g->topology.comm, hxi_first_tell(&first));
}

hx_status hx_shared_arrays_release(hx_shared_arrays *group)
{
    const hx_status status = meet(group, "hx_shared_arrays_release");
    return goes_on(status) ? drop_all(group, status) : status;
}

hx_status hx_shared_arrays_destroy(hx_shared_arrays *group)
{
    if (!group) {
        return HX_OK;
    }
    hxi_first first = {0};
    if (hxi_topology_alive() && !group->lost) {
        const hx_status met = meet(group, "hx_shared_arrays_destroy");
        if (met == HX_ERR_MISMATCH) {
            return met;
        }
        hxi_first_note(&first, goes_on(met) ? drop_all(group, met) : met);
    }
    const bool quiet = hxi_meeting_close(&group->meeting);
    hxi_topology_close(&group->topology, group->lost || group->meeting.spoiled);
    hxi_memory_free(group->table);
    if (quiet) {
        hxi_memory_free(group);
    }
    return hxi_first_tell(&first);
}
