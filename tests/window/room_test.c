/*
 * Windows and shared arrays where /dev/shm is too small for them (room.sh makes it so): all ranks have
 * private memory in words, or all are refused in words; nobody waits for ever or is killed, and what fits
 * goes on working.  Also where another program takes the room after libhx has asked for it.
 */
#define _GNU_SOURCE /* O_TMPFILE */
#include "check.h"

#include <hx/shared_array.h>
#include <hx/window.h>

#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

/* More than there is, half of the rest of it, and little. */
enum { LARGE = 64 << 20, MEDIUM = 4 << 20, SMALL = 1 << 16 };

static int rank;
static int ranks;

/* ---- another program ----------------------------------------------------------------------------------- */

static bool room_is_taken; /* as soon as MPI has given memory */
static int taken = -1;

static void take_room(void)
{
    struct statvfs found;
    statvfs("/dev/shm", &found);
    taken = open("/dev/shm", O_TMPFILE | O_RDWR, 0600);
    CHECK(taken >= 0 && posix_fallocate(taken, 0, (off_t)(found.f_bavail * found.f_frsize)) == 0,
          "there was nothing to take");
}

static void give_back(void)
{
    if (taken >= 0) {
        close(taken);
    }
    taken = -1;
    MPI_Barrier(MPI_COMM_WORLD);
}

int MPI_Win_allocate_shared(MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void *base, MPI_Win *win)
{
    const int code = PMPI_Win_allocate_shared(size, unit, info, comm, base, win);
    PMPI_Barrier(comm);
    if (room_is_taken && rank == 0) {
        take_room();
    }
    PMPI_Barrier(comm);
    return code;
}

/* ---- windows ------------------------------------------------------------------------------------------- */

static hx_status make(hx_window_memory memory, size_t bytes, hx_window **window)
{
    hx_window_request request = HX_WINDOW_REQUEST_INIT;
    request.name = "w";
    request.memory = memory;
    request.ways = HX_WINDOW_PEERS;
    request.axes = 1;
    request.extent[0] = (int64_t)(memory == HX_WINDOW_PARTS ? bytes / (size_t)ranks : bytes);
    return hx_window_create(MPI_COMM_WORLD, &request, window);
}

/* All of what this rank may write to is there. */
static void use(hx_window **window, hx_window_memory memory)
{
    hx_window_facts facts;
    hx_window_query(*window, &facts);
    CHECK(facts.memory == memory, "memory %d, not %d", (int)facts.memory, (int)memory);
    void *own = NULL;
    int64_t elements = 0;
    CHECK_STATUS(hx_window_pointer(*window, facts.node_rank, &own, &elements), HX_OK);
    if (elements > 0) {
        memset(own, 1, (size_t)elements);
    }
    CHECK_STATUS(hx_window_free(window), HX_OK);
}

static void test_refused(hx_window_memory memory, size_t bytes, const char *words)
{
    hx_window *window = NULL;
    CHECK_REFUSED(MPI_COMM_WORLD, make(memory, bytes, &window), HX_ERR_MEMORY, words);
    CHECK(!window, "there is a window");
    give_back();
}

static void test_fallback(size_t bytes, const char *words)
{
    hx_window *window = NULL;
    CHECK_STATUS(make(HX_WINDOW_AUTO, bytes, &window), HX_OK);
    hx_window_facts facts;
    hx_window_query(window, &facts);
    CHECK(facts.why && strstr(facts.why, words), "no \"%s\" in \"%s\"", words, facts.why);
    use(&window, HX_WINDOW_PRIVATE);
    give_back();
}

/* There is room for the bytes, and not for what MPI adds to them: it would not come back, or kill us. */
static void test_nearly_all(void)
{
    struct statvfs found;
    MPI_Barrier(MPI_COMM_WORLD);
    statvfs("/dev/shm", &found);
    uint64_t left = (uint64_t)found.f_bavail * (uint64_t)found.f_frsize;
    MPI_Bcast(&left, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
    char words[64];
    const uint64_t bytes = left - left / 64;
    snprintf(words, sizeof words, "need %llu bytes of shared memory", (unsigned long long)bytes);
    check_about("a window of nearly all that is left");
    test_refused(HX_WINDOW_SHARED, (size_t)bytes, words);
}

static void test_windows(void)
{
    static const char little[] = " beside them; /dev/shm has ";
    static const char gone[] = "the system has not all of their pages (";
    check_about("windows too large");
    test_refused(HX_WINDOW_SHARED, LARGE, "need 67108864 bytes of shared memory for window \"w\", and MPI ");
    test_refused(HX_WINDOW_PARTS, LARGE, little);
    test_fallback(LARGE, little);
    test_nearly_all();
    check_about("windows, room taken meanwhile");
    room_is_taken = true;
    test_refused(HX_WINDOW_SHARED, MEDIUM, gone);
    test_refused(HX_WINDOW_PARTS, MEDIUM, gone);
    test_fallback(MEDIUM, gone);
    room_is_taken = false;
    check_about("windows that fit");
    for (hx_window_memory memory = HX_WINDOW_SHARED; memory <= HX_WINDOW_PARTS; ++memory) {
        hx_window *window = NULL;
        CHECK_STATUS(make(memory, SMALL, &window), HX_OK);
        use(&window, memory);
    }
}

/* ---- shared arrays ------------------------------------------------------------------------------------- */

static void test_arrays(void)
{
    hx_shared_arrays *group = NULL;
    unsigned char *data = calloc(1, LARGE);
    CHECK_STATUS(hx_shared_arrays_create(MPI_COMM_WORLD, &group), HX_OK);
    hx_array given = {.data = data, .size = 1, .axes = 1, .extent = {LARGE}};
    hx_array shared;
    check_about("an array too large");
    CHECK_REFUSED(MPI_COMM_WORLD, hx_shared_array(group, 0, &given, &shared, NULL), HX_ERR_MEMORY,
                  "or give each rank a copy by hx_broadcast.");
    check_about("an array, room taken meanwhile");
    given.extent[0] = MEDIUM;
    room_is_taken = true;
    CHECK_REFUSED(MPI_COMM_WORLD, hx_shared_array(group, 0, &given, &shared, NULL), HX_ERR_MEMORY,
                  "of shared memory for a shared array, and the system has not all of their pages (");
    room_is_taken = false;
    give_back();
    check_about("an array that fits");
    data[SMALL - 1] = 7;
    given.extent[0] = SMALL;
    CHECK_STATUS(hx_shared_array(group, 0, &given, &shared, NULL), HX_OK);
    CHECK(shared.data && ((const unsigned char *)shared.data)[SMALL - 1] == 7, "another array");
    CHECK_STATUS(hx_shared_arrays_destroy(group), HX_OK);
    free(data);
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv, MPI_THREAD_FUNNELED);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    test_windows();
    test_arrays();
    return check_verdict("little room");
}
