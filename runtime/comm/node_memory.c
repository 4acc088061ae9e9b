#define _DEFAULT_SOURCE /* madvise */
#include "comm/node_memory.h"

#include "base/clock.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/status.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NAME = 64, TRIES = 16, HUGE_PAGE = HX_NODE_MEMORY_PIECE, PIECE = 4 * HUGE_PAGE };

/* Parts from here on begin and end with a huge page. */
static const size_t large = 8 * (size_t)HUGE_PAGE;

static size_t round_up(size_t bytes, size_t unit)
{
    return (bytes + unit - 1) / unit * unit;
}

/* ---- the object ---------------------------------------------------------------------------------------- */

/* A name that no other process has, in this directory of names or in any that it may be confused with. */
static void make_name(char name[NAME], int try)
{
    static atomic_uint made;
    uint64_t random = hxi_hash(HX_HASH_SEED, (int64_t)(1e9 * hxi_clock()));
    random = hxi_hash(random, (int64_t)(uintptr_t)name);
    random = hxi_hash(random, try);
    snprintf(name, NAME, "/libhx-%ld-%u-%016llx", (long)getpid(), atomic_fetch_add(&made, 1u),
             (unsigned long long)random);
}

/* name: "" of what has none. */
static hx_status refuse(const char *what, const char *name, int error)
{
    return hxi_fail(HX_ERR_LIMIT, "%s of shared memory%s%s failed: %s", what, name[0] == '\0' ? "" : " ",
                    name, strerror(error));
}

/* The first rank of a node makes the object. */
static hx_status make_object(size_t bytes, char name[NAME], int *file)
{
    for (int try = 0; try < TRIES && *file < 0; ++try) {
        make_name(name, try);
        *file = shm_open(name, O_RDWR | O_CREAT | O_EXCL, S_IRUSR | S_IWUSR);
        if (*file < 0 && errno != EEXIST) {
            break;
        }
    }
    if (*file < 0) {
        const int error = errno;
        name[0] = '\0';
        return refuse("Opening a piece", name, error);
    }
    return ftruncate(*file, (off_t)bytes) == 0 ? HX_OK : refuse("Sizing the piece", name, errno);
}

/* The others find it by its name. */
static hx_status find_object(size_t bytes, const char *name, int *file)
{
    struct stat found;
    *file = shm_open(name, O_RDWR, 0);
    if (*file < 0 || fstat(*file, &found) != 0) {
        return refuse("Finding the piece", name, errno);
    }
    return found.st_size == (off_t)bytes ? HX_OK : refuse("Finding the piece", name, ENOENT);
}

/*
 * Returns an error of errno.  A signal that comes in between makes the system give up, and take back what it
 * had done: then in pieces, each short enough to be through before a profiler's clock ticks again.
 */
static int get_pages(int file, size_t first, size_t part)
{
    int error = part > 0 ? posix_fallocate(file, (off_t)first, (off_t)part) : 0;
    for (size_t done = 0; error == EINTR && done < part;) {
        const size_t piece = part - done < PIECE ? part - done : PIECE;
        const int failed = posix_fallocate(file, (off_t)(first + done), (off_t)piece);
        done += failed == 0 ? piece : 0;
        error = failed != 0 && failed != EINTR ? failed : done < part ? EINTR : 0;
    }
    return error;
}

/* Bytes of the object that a rank's part has. */
static size_t real_part(const hxi_node_memory *m, int rank)
{
    const size_t part = m->first[rank + 1] - m->first[rank];
    return part < m->real ? part : m->real;
}

/* Those of all parts before a rank's. */
static size_t place_in_object(const hxi_node_memory *m, int rank)
{
    size_t place = 0;
    for (int i = 0; i < rank; ++i) {
        place += real_part(m, i);
    }
    return place;
}

/* A part is mapped as often as its addresses go through its memory. */
static bool map_part(const hxi_node_memory *m, unsigned char *map, int rank, int file)
{
    const size_t real = real_part(m, rank);
    const size_t part = m->first[rank + 1] - m->first[rank];
    bool mapped = true;
    for (size_t at = 0; at < part && mapped; at += real) {
        const size_t piece = part - at < real ? part - at : real;
        mapped = mmap(map + m->first[rank] + at, piece, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file,
                      (off_t)place_in_object(m, rank)) != MAP_FAILED;
    }
    return mapped;
}

/* All parts, one behind the other; MAP_FAILED if the system refuses. */
static void *map_parts(const hxi_node_memory *m, int ranks, int file)
{
    if (place_in_object(m, ranks) == m->mapped) {
        return mmap(NULL, m->mapped, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    }
    void *map = mmap(NULL, m->mapped, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    bool mapped = map != MAP_FAILED;
    for (int i = 0; i < ranks && mapped; ++i) {
        mapped = map_part(m, map, i, file);
    }
    if (!mapped && map != MAP_FAILED) {
        const int error = errno;
        munmap(map, m->mapped);
        errno = error;
    }
    return mapped ? map : MAP_FAILED;
}

/* This rank's part is really there, where this rank runs; and all parts are mapped. */
static hx_status map_object(hxi_node_memory *m, const hxi_topology *t, int file, const char *name)
{
    const int error = get_pages(file, place_in_object(m, t->node_rank), real_part(m, t->node_rank));
    if (error != 0 && error != EOPNOTSUPP) {
        return refuse("Getting the pages", name, error);
    }
    void *map = map_parts(m, t->node_ranks, file);
    if (map == MAP_FAILED) {
        return refuse("Mapping the piece", name, errno);
    }
    m->map = map;
    madvise(map, m->mapped, MADV_HUGEPAGE); /* where the system has them for shared memory */
    return HX_OK;
}

/* What a rank writes at the beginning of its part, for the others to find; never 0. */
static uint64_t token_of(int rank)
{
    return hxi_hash(HX_HASH_SEED, rank) | 1u;
}

static void leave_token(const hxi_node_memory *m, int rank, uint64_t token)
{
    if (m->first[rank] < m->first[rank + 1]) {
        memcpy(m->map + m->first[rank], &token, sizeof token);
    }
}

/* Do all ranks see the same object? */
static hx_status check_tokens(const hxi_node_memory *m, int ranks)
{
    for (int i = 0; i < ranks; ++i) {
        uint64_t found = token_of(i);
        if (m->first[i] < m->first[i + 1]) {
            memcpy(&found, m->map + m->first[i], sizeof found);
        }
        if (found != token_of(i)) {
            return hxi_fail(HX_ERR_LIMIT,
                            "What rank %d of the node wrote into shared memory is not seen by another rank",
                            i);
        }
    }
    return HX_OK;
}

/* Of a name that no two objects have. */
static uint64_t number_of(const char name[])
{
    uint64_t number = HX_HASH_SEED;
    for (const char *c = name; *c != '\0'; ++c) {
        number = hxi_hash(number, *c);
    }
    return number | 1u;
}

/* ---- together ------------------------------------------------------------------------------------------ */

/* Makes, finds and tries the object.  The same status on all ranks of the node. */
static hx_status try_sharing(const hxi_topology *t, hxi_node_memory *m)
{
    struct {
        char name[NAME];
    } told = {""};
    int file = -1;
    hxi_first first = {0};
    const size_t bytes = place_in_object(m, t->node_ranks);
    if (t->node_rank == 0) {
        hxi_first_note(&first, make_object(bytes, told.name, &file));
    }
    hxi_first_note(&first, hxi_topology_node_tell(t, &told, sizeof told));
    if (t->node_rank != 0 && told.name[0] != '\0') {
        hxi_first_note(&first, find_object(bytes, told.name, &file));
    }
    if (first.status == HX_OK && file >= 0) {
        hxi_first_note(&first, map_object(m, t, file, told.name));
    }
    if (m->map) {
        leave_token(m, t->node_rank, token_of(t->node_rank));
    }
    hx_status status = hxi_topology_node_agree(t, hxi_first_tell(&first));
    if (t->node_rank == 0 && told.name[0] != '\0') {
        shm_unlink(told.name);
    }
    if (file >= 0) {
        close(file);
    }
    if (status == HX_OK) {
        status = hxi_topology_node_agree(t, check_tokens(m, t->node_ranks));
    }
    if (status == HX_OK) {
        leave_token(m, t->node_rank, 0);
        m->number = number_of(told.name);
    }
    return status;
}

static void unmap(hxi_node_memory *m)
{
    if (m->map) {
        munmap(m->map, m->mapped);
    }
    m->map = NULL;
}

/* Where every part begins, and whether any rank wants to share.  The same status on all ranks of the node. */
static hx_status divide(const hxi_topology *t, size_t bytes, bool *wanted, hxi_node_memory *m)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    m->bytes = bytes;
    m->first = hxi_memory_get((size_t)t->node_ranks + 1, sizeof *m->first, "the parts of shared memory");
    uint64_t *asked = hxi_memory_get((size_t)t->node_ranks, sizeof *asked, "the parts of shared memory");
    hx_status status = hxi_topology_node_agree(t, m->first && asked ? HX_OK : HX_ERR_MEMORY);
    if (status == HX_OK) {
        status =
            hxi_topology_node_agree(t, hxi_topology_node_gather(t, 2 * (uint64_t)bytes + *wanted, asked));
    }
    for (int i = 0; i < t->node_ranks && status == HX_OK; ++i) {
        const size_t part = (size_t)(asked[i] / 2);
        *wanted = *wanted || asked[i] % 2 == 1;
        const size_t whole = round_up(part, part < large ? page : HUGE_PAGE);
        /* More than can be mapped will be refused, but the sum must not begin again at 0. */
        m->first[i + 1] = whole < PTRDIFF_MAX - m->first[i] ? m->first[i] + whole : PTRDIFF_MAX;
    }
    m->mapped = status == HX_OK ? m->first[t->node_ranks] : 0;
    hxi_memory_free(asked);
    return status;
}

/* What the system does not share is this rank's alone, and does not repeat. */
static hx_status get_alone(hxi_node_memory *m, size_t bytes)
{
    if (bytes > m->real) {
        return hxi_fail(HX_ERR_LIMIT, "The system does not share memory, so %zu bytes would take as many: %s",
                        bytes, m->why);
    }
    m->own = bytes > 0 ? hxi_memory_get(bytes, 1, "what a node cannot share") : NULL;
    return m->own || bytes == 0 ? HX_OK : HX_ERR_MEMORY;
}

static hx_status open_memory(const hxi_topology *topology, size_t bytes, size_t real, bool share,
                             hxi_node_memory *memory)
{
    *memory = (hxi_node_memory){.real = real};
    hx_status status = divide(topology, bytes, &share, memory);
    if (status != HX_OK || memory->mapped == 0) {
        return status;
    }
    if (share && try_sharing(topology, memory) == HX_OK) {
        memory->shared = true;
        memory->own = bytes > 0 ? memory->map + memory->first[topology->node_rank] : NULL;
        return HX_OK;
    }
    if (share) {
        snprintf(memory->why, sizeof memory->why, "%s", hx_last_error());
    }
    unmap(memory);
    return hxi_topology_node_agree(topology, get_alone(memory, bytes));
}

hx_status hxi_node_memory_open(const hxi_topology *topology, size_t bytes, bool share,
                               hxi_node_memory *memory)
{
    return open_memory(topology, bytes, SIZE_MAX, share, memory);
}

hx_status hxi_node_memory_open_over(const hxi_topology *topology, size_t bytes, size_t real,
                                    hxi_node_memory *memory)
{
    return open_memory(topology, bytes, real, true, memory);
}

unsigned char *hxi_node_memory_of(const hxi_node_memory *memory, int node_rank)
{
    return memory->shared ? memory->map + memory->first[node_rank] : NULL;
}

void hxi_node_memory_close(hxi_node_memory *memory)
{
    if (!memory->shared) {
        hxi_memory_free(memory->own);
    }
    unmap(memory);
    hxi_memory_free(memory->first);
    *memory = (hxi_node_memory){0};
}
