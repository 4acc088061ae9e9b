#include "nodes.h"

#include "base/memory.h"
#include "base/status.h"
#include "comm/topology.h"

#include <stdbool.h>
#include <sys/mman.h>

static int (*division)(int rank);
static int calls_until_fault;
static hx_status failed;
static bool agreeing;
static int live;
static int longest;

void nodes_divide(int (*node_of)(int rank))
{
    division = node_of;
}

void nodes_fail_at(int n)
{
    calls_until_fault = n;
    failed = HX_OK;
}

hx_status nodes_failed(void)
{
    return failed;
}

int nodes_live(void)
{
    return live;
}

int nodes_longest(void)
{
    return longest;
}

static bool fails(hx_status status)
{
    if (agreeing || calls_until_fault == 0 || --calls_until_fault > 0) {
        return false;
    }
    failed = status;
    return true;
}

static int faulty(int code)
{
    return fails(HX_ERR_MPI) ? MPI_ERR_OTHER : code;
}

void *__real_hxi_memory_get(size_t count, size_t size, const char *purpose);
void *__wrap_hxi_memory_get(size_t count, size_t size, const char *purpose);

void *__wrap_hxi_memory_get(size_t count, size_t size, const char *purpose)
{
    if (fails(HX_ERR_MEMORY)) {
        hxi_fail(HX_ERR_MEMORY, "refused");
        return NULL;
    }
    return __real_hxi_memory_get(count, size, purpose);
}

void *__real_hxi_memory_grow(void *old, size_t used, size_t count, size_t size, const char *purpose);
void *__wrap_hxi_memory_grow(void *old, size_t used, size_t count, size_t size, const char *purpose);

void *__wrap_hxi_memory_grow(void *old, size_t used, size_t count, size_t size, const char *purpose)
{
    if (fails(HX_ERR_MEMORY)) {
        hxi_fail(HX_ERR_MEMORY, "refused");
        return NULL;
    }
    return __real_hxi_memory_grow(old, used, count, size, purpose);
}

hx_status __real_hxi_topology_agree(MPI_Comm comm, hx_status status);
hx_status __wrap_hxi_topology_agree(MPI_Comm comm, hx_status status);

hx_status __wrap_hxi_topology_agree(MPI_Comm comm, hx_status status)
{
    agreeing = true;
    const hx_status agreed = __real_hxi_topology_agree(comm, status);
    agreeing = false;
    return agreed;
}

int MPI_Comm_dup(MPI_Comm comm, MPI_Comm *copy)
{
    ++live;
    return faulty(PMPI_Comm_dup(comm, copy));
}

int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm *part)
{
    const int code = PMPI_Comm_split(comm, color, key, part);
    live += *part != MPI_COMM_NULL;
    return faulty(code);
}

int MPI_Comm_split_type(MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm *part)
{
    int code = PMPI_Comm_split_type(comm, type, key, info, part);
    if (code == MPI_SUCCESS && division) {
        MPI_Comm machine = *part;
        int rank = 0;
        MPI_Comm_rank(comm, &rank);
        code = PMPI_Comm_split(machine, division(rank), key, part);
        PMPI_Comm_free(&machine);
    }
    ++live;
    return faulty(code);
}

int MPI_Comm_free(MPI_Comm *comm)
{
    --live;
    return PMPI_Comm_free(comm);
}

int MPI_Bcast(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm)
{
    int size = 0;
    MPI_Type_size(type, &size);
    if (!agreeing && count * size > longest) {
        longest = count * size;
    }
    return faulty(PMPI_Bcast(buffer, count, type, root, comm));
}

int MPI_Allreduce(const void *mine, void *all, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    return faulty(PMPI_Allreduce(mine, all, count, type, op, comm));
}

int MPI_Barrier(MPI_Comm comm)
{
    return faulty(PMPI_Barrier(comm));
}

int __real_mprotect(void *memory, size_t bytes, int rights);
int __wrap_mprotect(void *memory, size_t bytes, int rights);

int __wrap_mprotect(void *memory, size_t bytes, int rights)
{
    /* Only protecting: pages that stayed protected would go back to MPI, which writes there. */
    return rights == PROT_READ && fails(HX_ERR_MEMORY) ? -1 : __real_mprotect(memory, bytes, rights);
}

static MPI_Win last = MPI_WIN_NULL;
static bool losing;

void nodes_lose_window(int loses)
{
    losing = loses != 0;
}

void nodes_free_last(void)
{
    --live;
    PMPI_Win_free(&last);
}

int MPI_Win_allocate_shared(MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void *base, MPI_Win *win)
{
    ++live;
    const int code = PMPI_Win_allocate_shared(size, unit, info, comm, base, &last);
    if (losing) {
        return MPI_ERR_OTHER;
    }
    *win = last;
    return faulty(code);
}

int MPI_Win_shared_query(MPI_Win win, int rank, MPI_Aint *size, int *unit, void *base)
{
    return faulty(PMPI_Win_shared_query(win, rank, size, unit, base));
}

int MPI_Win_set_errhandler(MPI_Win win, MPI_Errhandler handler)
{
    return faulty(PMPI_Win_set_errhandler(win, handler));
}

int MPI_Win_lock_all(int assertion, MPI_Win win)
{
    const int code = faulty(MPI_SUCCESS);
    return code == MPI_SUCCESS ? PMPI_Win_lock_all(assertion, win) : code;
}

int MPI_Win_unlock_all(MPI_Win win)
{
    return faulty(PMPI_Win_unlock_all(win));
}

int MPI_Win_sync(MPI_Win win)
{
    return faulty(PMPI_Win_sync(win));
}

int MPI_Win_free(MPI_Win *win)
{
    --live;
    return faulty(PMPI_Win_free(win));
}
