/*
 * Windows: no flag tells of memory before MPI knows what this rank did there.  And windows that do not work
 * on one rank: every rank goes by persistent requests, and says so.
 *
 *   rma_test [FAULT]    only that one, by its number; with MPICH, calls wait for ever once many windows were
 * abandoned
 */
#define _POSIX_C_SOURCE 200809L
#include "base/clock.h"
#include "example.h"
#include "harness.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

typedef enum fault {
    NO_FAULT,
    NO_WINDOW,
    NO_FLUSH,
    NO_EPOCH,
    OTHER_BYTES,
    NO_FLAG,
    OTHER_MODEL,
    NO_PLACES,
    NO_SPACE,
    NO_PAGES,
    FAULTS
} fault;

static fault present; /* on the last rank */
static int windows;   /* that are there */

/* Time stands still unless ranks wait for what never comes: else a busy machine could end a probe. */
double __real_hxi_clock(void);
double __wrap_hxi_clock(void);

double __wrap_hxi_clock(void)
{
    return present == NO_FLUSH || present == NO_FLAG || present == NO_PLACES ? __real_hxi_clock() : 0.0;
}

static int has(fault f)
{
    return present == f && harness_rank == harness_ranks - 1;
}

/* ---- memory that a node shares ------------------------------------------------------------------------- */

int __real_statvfs64(const char *place, struct statvfs *found);
int __wrap_statvfs64(const char *place, struct statvfs *found);
int __wrap_access(const char *place, int rights);
ssize_t __real_read(int file, void *into, size_t bytes);
ssize_t __wrap_read(int file, void *into, size_t bytes);

int __wrap_statvfs64(const char *place, struct statvfs *found)
{
    const int result = __real_statvfs64(place, found);
    found->f_bavail = has(NO_SPACE) ? 0 : found->f_bavail;
    return result;
}

/* Nobody may write to /dev/shm. */
int __wrap_access(const char *place, int rights)
{
    expect(strcmp(place, "/dev/shm") == 0 && rights == W_OK);
    return -1;
}

/* Pages of memory are not there; and a signal comes in between. */
ssize_t __wrap_read(int file, void *into, size_t bytes)
{
    static int calls;
    const int refuses = has(NO_PAGES) && ++calls % 2 == 0;
    if (refuses || has(NO_PAGES)) {
        errno = refuses ? EFAULT : EINTR;
        return -1;
    }
    return __real_read(file, into, bytes);
}

/* ---- MPI ----------------------------------------------------------------------------------------------- */

int MPI_Win_allocate_shared(MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void *base, MPI_Win *win)
{
    const int code = PMPI_Win_allocate_shared(size, unit, info, comm, base, win);
    windows += code == MPI_SUCCESS;
    return has(NO_WINDOW) ? MPI_ERR_OTHER : code;
}

int MPI_Win_free(MPI_Win *win)
{
    windows--;
    return PMPI_Win_free(win);
}

int MPI_Win_get_attr(MPI_Win win, int key, void *value, int *known)
{
    static int separate = MPI_WIN_SEPARATE;
    const int code = PMPI_Win_get_attr(win, key, value, known);
    if (has(OTHER_MODEL)) {
        *(int **)value = &separate;
    }
    return code;
}

/* Once there are windows, peers tell each other where what is. */
int MPI_Testall(int count, MPI_Request request[], int *done, MPI_Status status[])
{
    const int code = PMPI_Testall(count, request, done, status);
    *done = *done && !(windows > 0 && has(NO_PLACES));
    return code;
}

/* ---- the order of packing, unpacking and flags --------------------------------------------------------- */

static int settled = 1; /* nothing was packed or unpacked since MPI was last told */
static int kernels;     /* that were seen to run */
static hx_kernels plain[EXAMPLE_FIELDS];

static void note_kernel(void)
{
    settled = 0;
    ++kernels;
}

static void pack_a(const void *array, const hx_region *from, void *buffer)
{
    note_kernel();
    plain[EXAMPLE_A].pack(array, from, buffer);
}

static void unpack_a(void *array, const hx_region *to, const void *buffer)
{
    note_kernel();
    plain[EXAMPLE_A].unpack(array, to, buffer);
}

static void pack_b(const void *array, const hx_region *from, void *buffer)
{
    note_kernel();
    plain[EXAMPLE_B].pack(array, from, buffer);
}

static void unpack_b(void *array, const hx_region *to, const void *buffer)
{
    note_kernel();
    plain[EXAMPLE_B].unpack(array, to, buffer);
}

/* The kernels of an exchange, which note that they ran. */
static void watch_kernels(example *e)
{
    static hx_kernels watched[EXAMPLE_FIELDS] = {{.pack = pack_a, .unpack = unpack_a},
                                                 {.pack = pack_b, .unpack = unpack_b}};
    for (int field = 0; field < EXAMPLE_FIELDS; ++field) {
        hx_exchange_field *item = &e->item[EXAMPLE_BOTH][field];
        plain[field] = *item->kernels;
        watched[field].copy = item->kernels->copy;
        item->kernels = &watched[field];
    }
}

int MPI_Win_sync(MPI_Win win)
{
    settled = 1;
    return PMPI_Win_sync(win);
}

int MPI_Win_flush(int target, MPI_Win win)
{
    settled = 1;
    const int code = PMPI_Win_flush(target, win);
    return has(NO_FLUSH) ? MPI_ERR_OTHER : code;
}

int MPI_Win_fence(int assertions, MPI_Win win)
{
    const int code = PMPI_Win_fence(assertions, win);
    return has(NO_EPOCH) ? MPI_ERR_OTHER : code;
}

int MPI_Win_wait(MPI_Win win)
{
    const int code = PMPI_Win_wait(win);
    return has(NO_EPOCH) ? MPI_ERR_OTHER : code;
}

/* Flags have 8 bytes. */
int MPI_Put(const void *from, int count, MPI_Datatype type, int target, MPI_Aint at, int there,
            MPI_Datatype type_there, MPI_Win win)
{
    static const unsigned char zeros[1 << 16];
    expect(count <= (int)sizeof zeros);
    expect(count > 8 || settled);
    if (count == 8 && has(NO_FLAG)) {
        return MPI_SUCCESS;
    }
    return PMPI_Put(count > 8 && has(OTHER_BYTES) ? zeros : from, count, type, target, at, there, type_there,
                    win);
}

int MPI_Get(void *into, int count, MPI_Datatype type, int target, MPI_Aint at, int there,
            MPI_Datatype type_there, MPI_Win win)
{
    const int code = PMPI_Get(into, count, type, target, at, there, type_there, win);
    if (has(OTHER_BYTES)) {
        PMPI_Win_flush(target, win);
        memset(into, 0, (size_t)count);
    }
    return code;
}

static int warnings;
static char warning[1024]; /* the last */

static void take_warning(void *context, int level, const char *line)
{
    (void)context;
    warnings += level == HX_LOG_WARNING;
    strncpy(warning, line, sizeof warning - 1);
}

static void test_fault(const char *transport, fault f)
{
    static const char *const reason[] = {
        [NO_FAULT] = "",
        [NO_WINDOW] = "MPI_Win_allocate",
        [NO_EPOCH] = "Putting messages into windows",
        [NO_FLUSH] = "took more than 1 seconds", /* says a rank that waits for the last */
        [OTHER_BYTES] = "which sent",
        [NO_FLAG] = "took more than 1 seconds",
        [OTHER_MODEL] = "(MPI_WIN_SEPARATE)",
        [NO_PLACES] = "did not tell within 1 seconds where its window has what",
        [NO_SPACE] = " beside them; / has 0 left.  Enlarge it (containers: --shm-size), or choose "
                     "another transport.",
        [NO_PAGES] = " of shared memory for a window of messages, and the system has not all of their pages "
                     "(Bad address): /tmp is full.",
    };
    harness_setting s;
    harness_set(&s, transport);
    s.options.log_level = HX_LOG_WARNING;
    s.options.log = take_warning;
    s.options.deadline = 60.0;
    s.options.deadline_exit = 1;
    warnings = 0;
    present = f;
    setenv("TMPDIR", "", 1);
    setenv("OMPI_MCA_osc_sm_backing_directory", f == NO_SPACE ? "/" : "", 1);
    hx_handle *handle = NULL;
    expect_ok(hx_create(&s.e.spec, &s.blocks, &s.shape, &s.options, &handle));
    present = NO_FAULT;
    const int works = f == NO_FAULT || harness_ranks == 1; /* who is alone has no messages */
    expect((warnings == 0) == works);
    expect((strstr(hx_describe(handle), "by persistent, not as chosen: Rank ") == NULL) == works);
    if (!works) {
        expect_text(warning, reason[f]);
        expect_text(hx_describe(handle), reason[f]);
    }
    example_fields fields = example_alloc(&s.e, &s.shape);
    expect_ok(hx_start(handle, EXAMPLE_BOTH, &fields));
    expect_ok(hx_finish(handle, EXAMPLE_BOTH));
    example_free(&fields);
    expect_ok(hx_destroy(handle));
    expect(f != NO_FAULT || windows == 0);
    windows = 0; /* those that failed are left where they are */
}

/* Exchange after exchange by flags: the first packs before anything was unpacked. */
static void test_order(const char *transport)
{
    harness_setting s;
    harness_set(&s, transport);
    watch_kernels(&s.e);
    hx_handle *handle = NULL;
    expect_ok(hx_create(&s.e.spec, &s.blocks, &s.shape, &s.options, &handle));
    for (int round = 0; round < 3; ++round) {
        expect_ok(hx_start(handle, EXAMPLE_BOTH, &s.fields));
        expect_ok(hx_finish(handle, EXAMPLE_BOTH));
        expect(kernels > 0 || harness_ranks == 1);
        kernels = 0;
    }
    expect_ok(hx_destroy(handle));
    harness_unset(&s);
}

static int no_timers;

int __real_timer_create(clockid_t clock, struct sigevent *event, timer_t *timer);
int __wrap_timer_create(clockid_t clock, struct sigevent *event, timer_t *timer);

int __wrap_timer_create(clockid_t clock, struct sigevent *event, timer_t *timer)
{
    return no_timers ? -1 : __real_timer_create(clock, event, timer);
}

/* A deadline that could not be kept is refused by all. */
static void test_timers(void)
{
    harness_setting s;
    harness_set(&s, "rma");
    s.options.deadline = 1.0;
    s.options.deadline_exit = 1;
    hx_handle *handle = NULL;
    no_timers = harness_rank == harness_ranks - 1;
    expect_status(HX_ERR_LIMIT, hx_create(&s.e.spec, &s.blocks, &s.shape, &s.options, &handle));
    no_timers = 0;
    expect_text(hx_last_error(), "The system has no timer for the option deadline_exit");
    expect(handle == NULL);
    harness_unset(&s);
}

int main(int argc, char **argv)
{
    harness_begin(&argc, &argv);
    const int only = argc > 1 ? atoi(argv[1]) : -1;
    for (fault f = NO_FAULT; f < FAULTS; ++f) {
        if (only >= 0 && f != (fault)only) {
            continue;
        }
        if (f == NO_FAULT) {
            test_timers();
            test_order("rma");
            test_order("rma-get");
        }
        if (f == OTHER_MODEL || f >= NO_PLACES) { /* the same for all */
            test_fault("rma", f);
            continue;
        }
        if (f != NO_EPOCH) {
            test_fault("rma", f);
            test_fault("rma-get", f);
        }
        if (f != NO_FLUSH && f != NO_FLAG) { /* of which these two have none */
            test_fault("rma-fence", f);
            test_fault("rma-pscw", f);
        }
    }
    return harness_end();
}
