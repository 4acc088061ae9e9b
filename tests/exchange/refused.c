/*
 * Memory that is refused to what makes shared points, their means and corners of tiles: of the pieces that
 * one of them asks for the n-th, on one rank after the other.  Create fails on all ranks or on none, and
 * leaves nothing behind.  Linked with --wrap, so that every piece of libhx passes through here.
 */
#include "check.h"
#include "layout.h"
#include "specs.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Who asks, by what it says that memory is for, and for how many pieces at least, in any of the specs. */
typedef struct asker {
    const char *purpose;
    long pieces;
} asker;

static const asker askers[] = {
    {"the shared points of a block", 200},
    {"the pieces of a ghost box", 5},
    {"what combines shared points", 8},
    {"the corners of an exchange", 6},
};
enum { ASKERS = sizeof askers / sizeof *askers };

/* Pieces are asked for again and again alike: all of the first are refused, and then some. */
enum { ALL = 40, STEP = 97 };

static int rank;
static int ranks;

/* ---- what is refused ----------------------------------------------------------------------------------- */

static long live; /* pieces of memory, of all askers */
static const asker *tried = &askers[0];
static long pieces;          /* that it asked for */
static long refused_at = -1; /* none */

void *__real_hxi_memory_get(size_t count, size_t size, const char *purpose);
void *__real_hxi_memory_grow(void *old, size_t used, size_t count, size_t size, const char *purpose);
void __real_hxi_memory_free(void *memory);
void *__wrap_hxi_memory_get(size_t count, size_t size, const char *purpose);
void *__wrap_hxi_memory_grow(void *old, size_t used, size_t count, size_t size, const char *purpose);
void __wrap_hxi_memory_free(void *memory);

/* What is asked for instead where it is to be refused is more than there can be. */
static size_t count_for(size_t count, const char *purpose)
{
    const bool refused = strcmp(purpose, tried->purpose) == 0 && pieces++ == refused_at;
    return refused ? SIZE_MAX : count;
}

void *__wrap_hxi_memory_get(size_t count, size_t size, const char *purpose)
{
    void *memory = __real_hxi_memory_get(count_for(count, purpose), size, purpose);
    live += memory != NULL;
    return memory;
}

void *__wrap_hxi_memory_grow(void *old, size_t used, size_t count, size_t size, const char *purpose)
{
    void *memory = __real_hxi_memory_grow(old, used, count_for(count, purpose), size, purpose);
    live += memory != NULL && old == NULL;
    return memory;
}

void __wrap_hxi_memory_free(void *memory)
{
    live -= memory != NULL;
    __real_hxi_memory_free(memory);
}

/* ---- what is tried ------------------------------------------------------------------------------------- */

static int owner(void *context, int tile, int block)
{
    (void)context;
    return (tile + block) % ranks;
}

/* Tiles of two blocks, each as thick as the deepest halo. */
static void divide(layout *l, const hx_spec *spec)
{
    hx_partition partition[LAYOUT_TILES];
    for (int t = 0; t < spec->tiles; ++t) {
        partition[t] = (hx_partition){.axes = spec->axes, .cells = {6, 6, 2}, .ranks = {2, 1, 1}};
    }
    layout_make(l, &(layout_request){spec, MPI_COMM_WORLD, partition, owner, NULL, NULL, LAYOUT_BEST});
}

/* True if the piece was asked for. */
static bool try_refusal(const layout *l, const hx_options *options, int on, long n)
{
    const long before = live;
    hx_handle *handle = NULL;
    check_about("%s, rank %d, piece %ld for %s", l->spec->name, on, n, tried->purpose);
    pieces = 0;
    refused_at = rank == on ? n : -1;
    const hx_status status = hx_create(l->spec, &l->blocks, l->shapes, options, &handle);
    refused_at = -1;
    int reached = pieces > n;
    MPI_Bcast(&reached, 1, MPI_INT, on, MPI_COMM_WORLD);
    if (reached) {
        CHECK_REFUSED(MPI_COMM_WORLD, status, HX_ERR_MEMORY, tried->purpose);
    } else {
        CHECK_STATUS(status, HX_OK);
    }
    CHECK((handle != NULL) == (status == HX_OK), "a handle with %s", hx_status_name(status));
    CHECK_STATUS(hx_destroy(handle), HX_OK);
    CHECK(live == before, "%ld pieces of memory are left", live - before);
    return reached;
}

/* Returns for how many pieces it asked. */
static long refuse(const hx_spec *spec, int on)
{
    layout l;
    hx_options options = HX_OPTIONS_INIT;
    options.transport = "persistent";
    divide(&l, spec);
    for (long n = 0; try_refusal(&l, &options, on, n); n += n < ALL ? 1 : STEP) {
    }
    layout_free(&l);
    return pieces;
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv, MPI_THREAD_SINGLE);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int a = 0; a < ASKERS; ++a) {
        tried = &askers[a];
        long most = 0;
        for (int s = 0; s < specs_count; ++s) {
            for (int on = 0; on < ranks; ++on) {
                const long asked = refuse(specs[s], on);
                most = asked > most ? asked : most;
            }
        }
        check_about("%s", tried->purpose);
        CHECK(most >= tried->pieces, "%ld pieces of memory", most);
    }
    return check_verdict("memory refused to what makes shared points and corners, and combines them");
}
