/*
 * Communicators, datatypes, and the beginning and end of MPI.
 */
#include "engine.h"

#include <stdio.h>
#include <string.h>

enum { LAST_TAG = 32767, TYPES = 64 };

static struct standin_comm world;
struct standin_comm *const standin_world = &world;
const char standin_in_place = 0;

static int comms;

static struct {
    size_t bytes;
    int rank; /* whose it is */
    bool committed, freed;
} type_made[TYPES];
static int types;

/* ---- communicators ------------------------------------------------------------------------------ */

void standin_world_reset(void)
{
    world = (struct standin_comm){.number = 0};
    for (int r = 0; r < STANDIN_RANKS; ++r) {
        world.handler[r] = MPI_ERRORS_ARE_FATAL;
    }
    comms = 0;
}

MPI_Comm standin_comm_make(MPI_Comm parent)
{
    MPI_Comm comm = standin_get(sizeof *comm);
    comm->number = ++comms;
    comm->node = parent->node;
    memcpy(comm->handler, parent->handler, sizeof comm->handler);
    return comm;
}

void standin_comm_check(MPI_Comm comm)
{
    STANDIN_RULE(comm, "MPI_COMM_NULL is no communicator.");
    STANDIN_RULE(!comm->freed[standin_here()->number], "communicator %d was freed before.", comm->number);
}

static int rank_in(MPI_Comm comm)
{
    standin_comm_check(comm);
    return standin_here()->number;
}

int MPI_Comm_rank(MPI_Comm comm, int *rank)
{
    standin_begin("MPI_Comm_rank");
    *rank = rank_in(comm);
    return standin_end(comm);
}

int MPI_Comm_size(MPI_Comm comm, int *size)
{
    standin_begin("MPI_Comm_size");
    standin_comm_check(comm);
    *size = standin_settings()->ranks;
    return standin_end(comm);
}

/* All communicators have all ranks. */
int MPI_Comm_compare(MPI_Comm a, MPI_Comm b, int *result)
{
    standin_begin("MPI_Comm_compare");
    standin_comm_check(b);
    *result = MPI_CONGRUENT;
    return standin_end(a);
}

int MPI_Comm_test_inter(MPI_Comm comm, int *flag)
{
    standin_begin("MPI_Comm_test_inter");
    standin_comm_check(comm);
    *flag = 0;
    return standin_end(comm);
}

int MPI_Comm_dup(MPI_Comm comm, MPI_Comm *copy)
{
    standin_begin("MPI_Comm_dup");
    standin_comm_check(comm);
    *copy = standin_collective_comm(comm, "MPI_Comm_dup", NULL);
    return standin_end(comm);
}

/* All ranks share memory. */
int MPI_Comm_split_type(MPI_Comm comm, int kind, int key, MPI_Info info, MPI_Comm *part)
{
    (void)info;
    standin_begin("MPI_Comm_split_type");
    standin_comm_check(comm);
    STANDIN_RULE(kind == MPI_COMM_TYPE_SHARED && key == 0,
                 "the stand-in splits by memory only, without keys.");
    *part = standin_collective_comm(comm, "MPI_Comm_split_type", NULL);
    (*part)->node = true;
    return standin_end(comm);
}

int MPI_Comm_free(MPI_Comm *comm)
{
    standin_begin("MPI_Comm_free");
    standin_comm_check(*comm);
    STANDIN_RULE(*comm != &world, "MPI_COMM_WORLD cannot be freed.");
    standin_collective_note(*comm, "MPI_Comm_free");
    (*comm)->freed[standin_here()->number] = true;
    standin_here()->holds.comms--;
    const MPI_Comm freed = *comm;
    *comm = MPI_COMM_NULL;
    return standin_end(freed);
}

int MPI_Comm_get_attr(MPI_Comm comm, int key, void *value, int *flag)
{
    static int last_tag = LAST_TAG;
    standin_begin("MPI_Comm_get_attr");
    standin_comm_check(comm);
    int *last = &last_tag;
    *flag = key == MPI_TAG_UB;
    if (*flag) {
        memcpy(value, &last, sizeof last);
    }
    return standin_end(comm);
}

int MPI_Comm_set_errhandler(MPI_Comm comm, MPI_Errhandler handler)
{
    standin_begin("MPI_Comm_set_errhandler");
    STANDIN_RULE(handler == MPI_ERRORS_ARE_FATAL || handler == MPI_ERRORS_RETURN, "no handler of errors.");
    comm->handler[rank_in(comm)] = handler;
    return standin_end(comm);
}

int MPI_Comm_get_errhandler(MPI_Comm comm, MPI_Errhandler *handler)
{
    standin_begin("MPI_Comm_get_errhandler");
    *handler = comm->handler[rank_in(comm)];
    return standin_end(comm);
}

int MPI_Errhandler_free(MPI_Errhandler *handler)
{
    standin_begin("MPI_Errhandler_free");
    *handler = MPI_ERRHANDLER_NULL;
    return standin_end(&world);
}

int MPI_Topo_test(MPI_Comm comm, int *kind)
{
    standin_begin("MPI_Topo_test");
    standin_comm_check(comm);
    *kind = comm->graph ? MPI_DIST_GRAPH : MPI_UNDEFINED;
    return standin_end(comm);
}

/* There are no Cartesian communicators here; libhx asks, and asks no more then. */
int MPI_Cartdim_get(MPI_Comm comm, int *axes)
{
    (void)comm;
    (void)axes;
    standin_broken("no communicator of the stand-in is Cartesian.");
}

int MPI_Cart_get(MPI_Comm comm, int most, int parts[], int periodic[], int coordinates[])
{
    (void)comm;
    (void)most;
    (void)parts;
    (void)periodic;
    (void)coordinates;
    standin_broken("no communicator of the stand-in is Cartesian.");
}

int MPI_Dist_graph_create_adjacent(MPI_Comm comm, int ins, const int from[], const int in_weight[], int outs,
                                   const int to[], const int out_weight[], MPI_Info info, int reorder,
                                   MPI_Comm *graph)
{
    (void)info;
    standin_begin("MPI_Dist_graph_create_adjacent");
    standin_comm_check(comm);
    STANDIN_RULE(!reorder, "the stand-in does not reorder ranks.");
    const standin_edges mine = {ins, outs, from, to, in_weight, out_weight};
    *graph = standin_collective_comm(comm, "MPI_Dist_graph_create_adjacent", &mine);
    return standin_end(comm);
}

/* ---- datatypes ---------------------------------------------------------------------------------- */

void standin_types_reset(void)
{
    types = 0;
}

static int made_at(MPI_Datatype type)
{
    const int at = type - STANDIN_FIRST_TYPE;
    STANDIN_RULE(at >= 0 && at < types && !type_made[at].freed &&
                     type_made[at].rank == standin_here()->number,
                 "%d is no datatype.", type);
    return at;
}

size_t standin_bytes(int count, MPI_Datatype type)
{
    static const size_t size[] = {
        [MPI_BYTE] = 1, [MPI_INT] = 4, [MPI_LONG] = 8, [MPI_INT64_T] = 8, [MPI_UINT64_T] = 8};
    STANDIN_RULE(count >= 0, "a count of %d.", count);
    if (type > MPI_DATATYPE_NULL && type < STANDIN_FIRST_TYPE) {
        return (size_t)count * size[type];
    }
    const int at = made_at(type);
    STANDIN_RULE(type_made[at].committed, "a datatype that was not committed.");
    return (size_t)count * type_made[at].bytes;
}

int MPI_Type_contiguous(int count, MPI_Datatype of, MPI_Datatype *type)
{
    standin_begin("MPI_Type_contiguous");
    STANDIN_RULE(types < TYPES, "more datatypes than %d.", (int)TYPES);
    type_made[types].bytes = standin_bytes(count, of);
    type_made[types].rank = standin_here()->number;
    type_made[types].committed = type_made[types].freed = false;
    *type = STANDIN_FIRST_TYPE + types++;
    standin_here()->holds.types++;
    return standin_end(&world);
}

int MPI_Type_commit(MPI_Datatype *type)
{
    standin_begin("MPI_Type_commit");
    type_made[made_at(*type)].committed = true;
    return standin_end(&world);
}

int MPI_Type_free(MPI_Datatype *type)
{
    standin_begin("MPI_Type_free");
    type_made[made_at(*type)].freed = true;
    standin_here()->holds.types--;
    *type = MPI_DATATYPE_NULL;
    return standin_end(&world);
}

/* ---- the beginning and the end ------------------------------------------------------------------ */

int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    (void)argc;
    (void)argv;
    (void)required;
    standin_rank *rank = standin_here();
    STANDIN_RULE(rank->stage == STANDIN_BEFORE, "MPI_Init_thread was called before.");
    rank->stage = STANDIN_INSIDE;
    *provided = MPI_THREAD_MULTIPLE;
    return MPI_SUCCESS;
}

int MPI_Finalize(void)
{
    standin_begin("MPI_Finalize");
    standin_rank *rank = standin_here();
    standin_collective_barrier(&world);
    if (!rank->abandons) {
        STANDIN_RULE(rank->holds.requests == 0, "%d requests are left.", rank->holds.requests);
        STANDIN_RULE(rank->holds.comms == 0, "%d communicators are left.", rank->holds.comms);
        STANDIN_RULE(rank->holds.types == 0, "%d datatypes are left.", rank->holds.types);
        standin_messages_check_over();
    }
    rank->stage = STANDIN_AFTER;
    standin_end(&world);
    return MPI_SUCCESS;
}

/* Outside of ranks MPI is over, so that checks there ask it no more. */
int MPI_Initialized(int *flag)
{
    *flag = !standin_me || standin_here()->stage != STANDIN_BEFORE;
    return MPI_SUCCESS;
}

int MPI_Finalized(int *flag)
{
    *flag = !standin_me || standin_here()->stage == STANDIN_AFTER;
    return MPI_SUCCESS;
}

int MPI_Query_thread(int *provided)
{
    standin_begin("MPI_Query_thread");
    *provided = MPI_THREAD_MULTIPLE;
    return standin_end(&world);
}

int MPI_Get_library_version(char *text, int *length)
{
    *length = snprintf(text, MPI_MAX_LIBRARY_VERSION_STRING, "a stand-in");
    return MPI_SUCCESS;
}

int MPI_Error_string(int code, char *text, int *length)
{
    *length = snprintf(text, MPI_MAX_ERROR_STRING, code == MPI_SUCCESS ? "no error" : "a fault by design, %d",
                       code);
    return MPI_SUCCESS;
}
