/*
 * Regions of <hx/nvtx.h> as a profiler sees them: nvtx_tool.c, which NVTX itself loads.
 *
 * usage: nvtx TOOL       TOOL: the library; without it no profiler looks
 */
#include "check.h"
#include "numbers.h"
#include "nvtx_tool.h"
#include "specs.h"

#include <hx/nvtx.h>

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

enum { CALLS = 3 };

static hx_handle *create(layout *l, numbers *n, double deadline)
{
    int ranks = 0;
    hx_partition partition[LAYOUT_TILES];
    hx_options options = HX_OPTIONS_INIT;
    hx_handle *handle = NULL;
    options.deadline = deadline;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    partition[0] = (hx_partition){.axes = 3, .cells = {8, 8 * ranks, 8}, .ranks = {1, ranks, 1}};
    layout_make(l, &(layout_request){.spec = specs[0], .comm = MPI_COMM_WORLD, .partition = partition});
    numbers_make(n, l);
    CHECK_STATUS(hx_create(l->spec, &l->blocks, l->shapes, &options, &handle), HX_OK);
    return handle;
}

/* The regions in which finish waits come as they come. */
static int find_call(const nvtx_tool_seen *seen, int from)
{
    while (from < seen->regions && strstr(seen->region[from].text, " wait")) {
        CHECK(seen->region[from].depth == 1, "a wait at depth %d", seen->region[from].depth);
        ++from;
    }
    return from;
}

static int expect_call(const nvtx_tool_seen *seen, int from, int exchange, const char *half, int start)
{
    char text[NVTX_TOOL_TEXT];
    const int i = find_call(seen, from);
    const nvtx_tool_region *region = &seen->region[i];
    snprintf(text, sizeof text, "%s %s", specs[0]->exchange[exchange].name, half);
    CHECK(i < seen->regions && strcmp(region->text, text) == 0, "region %d is '%s', not '%s'", i,
          region->text, text);
    CHECK(region->depth == 0 && region->payload == (unsigned long long)start, "'%s' at depth %d, start %llu",
          text, region->depth, region->payload);
    return i + 1;
}

static void run(hx_handle *handle, const numbers *n, const nvtx_tool_seen *seen)
{
    check_about("exchanges");
    for (int i = 0; i < CALLS; ++i) {
        for (int e = 0; e < specs[0]->exchanges; ++e) {
            CHECK_STATUS(hx_start(handle, e, n->pointers), HX_OK);
            CHECK_STATUS(hx_finish(handle, e), HX_OK);
        }
    }
    CHECK_STATUS(hx_finish(handle, 0), HX_ERR_STATE); /* a region, too */
    int at = 0;
    for (int i = 0; seen && i < CALLS; ++i) {
        for (int e = 0; e < specs[0]->exchanges; ++e) {
            at = expect_call(seen, at, e, "start", i);
            at = expect_call(seen, at, e, "finish", i);
        }
    }
    if (seen) {
        at = expect_call(seen, at, 0, "finish", CALLS);
        CHECK(at == seen->regions, "%d regions more", seen->regions - at);
    }
}

/* A wait that fails ends. */
static void fail(hx_handle *handle, const numbers *n, const nvtx_tool_seen *seen)
{
    int rank = 0;
    check_about("a deadline");
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        const int before = seen ? seen->regions : 0;
        CHECK_STATUS(hx_start(handle, 0, n->pointers), HX_OK);
        CHECK_STATUS(hx_finish(handle, 0), HX_ERR_DEADLINE);
        CHECK(!seen || strstr(seen->region[before + 2].text, " wait"), "no region of the wait");
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    static layout l;
    static numbers n;
    const nvtx_tool_seen *seen = NULL;
    check_init(&argc, &argv, MPI_THREAD_SINGLE);
    if (argc > 1) {
        nvtx_tool_seen *(*find)(void) = NULL;
        void *tool = dlopen(argv[1], RTLD_NOW);
        void *found = tool ? dlsym(tool, "nvtx_tool") : NULL;
        memcpy(&find, &found, sizeof find);
        seen = find ? find() : NULL;
        CHECK(seen, "no tool: %s", dlerror());
        setenv("NVTX_INJECTION64_PATH", argv[1], 1);
    }
    CHECK_STATUS(hx_nvtx_observe(), HX_OK);
    hx_handle *handle = create(&l, &n, 2.0); /* for create, too, in which a busy machine may keep a rank */
    run(handle, &n, seen);
    fail(handle, &n, seen);
    CHECK_STATUS(hx_destroy(handle), HX_OK);
    CHECK(!seen || (seen->open == 0 && seen->faults == 0), "%d regions are open, %d faults", seen->open,
          seen->faults);
    CHECK(!seen || strcmp(seen->domain, "libhx") == 0, "domain '%s'", seen->domain);
    numbers_free(&n);
    layout_free(&l);
    return check_verdict("nvtx");
}
