/*
 * Many exchanges, and many handles, one after the other: what they send is right each time, and memory,
 * mappings, descriptors and communicators are in the end what they were in the beginning.
 *
 *   soak [STEPS [HANDLES]]    20000 and 24 unless said otherwise; a million steps are half a minute on two idle
 *                             processors, as are 20000 handles.  Suite long has ten million and 100000
 *
 * In the end rank 0 waits for the others for a second, which must not keep its processor busy; and for rank
 * 1, which first waits for a long message of the application's, that moves on only while rank 0 calls MPI.
 *
 * Arrays come in turn from malloc and from two sets of cube_xz_alloc, so that messages go into mailboxes and
 * straight into arrays, and receivers change their minds from start to start.
 */
#include "check.h"
#include "cube_xz.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { SETS = 3, HANDLES = 24, WARM = 8, SLICES = 20 };

/* Bytes that may be more in the end.  AddressSanitizer keeps for a while what was freed. */
#if defined(__SANITIZE_ADDRESS__)
enum { MORE = 256 * 1024 * 1024 };
#else
enum { MORE = 1024 * 1024 };
#endif

/* What a process holds of the system. */
typedef struct holdings {
    long pages;    /* in memory */
    long mappings; /* lines of /proc/self/maps */
    long files;
    long shared; /* names of libhx's shared memory */
    long comm;   /* number of the next communicator: MPI gives numbers again that are free */
} holdings;

static long count_lines(const char *name)
{
    FILE *file = fopen(name, "r");
    long lines = 0;
    for (int c = 0; file && (c = getc(file)) != EOF;) {
        lines += c == '\n';
    }
    if (file) {
        fclose(file);
    }
    return lines;
}

/* Names in a directory that begin so. */
static long count_names(const char *directory, const char *begin)
{
    DIR *names = opendir(directory);
    long count = 0;
    for (const struct dirent *e = names ? readdir(names) : NULL; e; e = readdir(names)) {
        count += strncmp(e->d_name, begin, strlen(begin)) == 0;
    }
    if (names) {
        closedir(names);
    }
    return count;
}

static long number_of_next_comm(void)
{
    MPI_Comm next;
    MPI_Comm_dup(MPI_COMM_WORLD, &next);
    const long number = (long)MPI_Comm_c2f(next);
    MPI_Comm_free(&next);
    return number;
}

static holdings look(void)
{
    char mine[64];
    snprintf(mine, sizeof mine, "libhx-%ld-", (long)getpid());
    holdings h = {.mappings = count_lines("/proc/self/maps"),
                  .shared = count_names("/dev/shm", mine),
                  .comm = number_of_next_comm()};
    FILE *file = fopen("/proc/self/statm", "r");
    CHECK(file && fscanf(file, "%*s %ld", &h.pages) == 1, "/proc/self/statm cannot be read");
    if (file) {
        fclose(file);
    }
    h.files = count_names("/proc/self/fd", "");
    return h;
}

static double value(const hx_part *part, int x, int y, int z, int step)
{
    const hx_partition *p = &part->partition;
    const int gx = (part->first[0] + x + p->cells[0]) % p->cells[0];
    const int gz = (part->first[2] + z + p->cells[2]) % p->cells[2];
    return gx + 100.0 * (part->first[1] + y) + 10000.0 * gz + 1e6 * step;
}

/* Owned points get their values of this step; ghost points hold those of an earlier one. */
static void fill(const cube_xz_shape *shape, double *u, int step)
{
    const int *n = shape->part.n;
    for (int z = 0; z < n[2]; ++z) {
        for (int y = 0; y < n[1]; ++y) {
            for (int x = 0; x < n[0]; ++x) {
                u[cube_xz_u_at(shape, x, y, z)] = value(&shape->part, x, y, z, step);
            }
        }
    }
}

/* Of owned points and of one layer around, but beyond the walls along y. */
static int wrong_points(const cube_xz_shape *shape, const double *u, int step)
{
    const hx_part *part = &shape->part;
    int wrong = 0;
    for (int z = -1; z <= part->n[2]; ++z) {
        for (int y = -1; y <= part->n[1]; ++y) {
            const bool inside = part->first[1] + y >= 0 && part->first[1] + y < part->partition.cells[1];
            for (int x = -1; x <= part->n[0] && inside; ++x) {
                const double got = u[cube_xz_u_at(shape, x, y, z)];
                const double wanted = value(part, x, y, z, step);
                wrong += !(got >= wanted && got <= wanted);
            }
        }
    }
    return wrong;
}

static void run(const char *transport, long steps)
{
    hx_options options = HX_OPTIONS_INIT;
    options.transport = transport;
    options.deadline = 60.0;
    check_about("%s, %ld steps", transport, steps);
    hx_partition request = cube_xz_partition(12, 9, 10);
    request.ranks[0] = 1; /* so that runs are long enough to go straight into arrays */
    hx_part mine;
    CHECK_STATUS(hx_decompose(MPI_COMM_WORLD, &request, &mine), HX_OK);
    const cube_xz_shape shape = cube_xz_shape_best(&mine);
    cube_xz *halo = NULL;
    CHECK_STATUS(cube_xz_create(MPI_COMM_WORLD, &shape, &options, &halo), HX_OK);
    cube_xz_fields set[SETS] = {{0}};
    for (int i = 1; i < SETS; ++i) {
        CHECK_STATUS(cube_xz_alloc(halo, &set[i]), HX_OK);
    }
    set[0].u = calloc(cube_xz_points(&shape, CUBE_XZ_U), sizeof *set[0].u);
    set[0].v = calloc(cube_xz_points(&shape, CUBE_XZ_V), sizeof *set[0].v);
    set[0].w = calloc(cube_xz_points(&shape, CUBE_XZ_W), sizeof *set[0].w);

    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    long wrong = 0;
    for (long step = 0; step < steps; ++step) {
        const cube_xz_fields *f = &set[(1 + step / 3 + step * rank) % SETS]; /* others on other ranks */
        fill(&shape, f->u, (int)step);
        CHECK_STATUS(cube_xz_narrow(halo, f), HX_OK);
        wrong += wrong_points(&shape, f->u, (int)step);
    }
    CHECK(wrong == 0, "%ld points were wrong", wrong);
    CHECK_STATUS(cube_xz_free(halo, &set[1]), HX_OK); /* destroy frees the other one */
    CHECK_STATUS(cube_xz_destroy(halo), HX_OK);
    free(set[0].u);
    free(set[0].v);
    free(set[0].w);
}

static void wait_long(const char *transport)
{
    hx_options options = HX_OPTIONS_INIT;
    options.transport = transport;
    check_about("a long wait, %s", transport);
    const hx_partition request = cube_xz_partition(12, 9, 10);
    hx_part mine;
    CHECK_STATUS(hx_decompose(MPI_COMM_WORLD, &request, &mine), HX_OK);
    const cube_xz_shape shape = cube_xz_shape_dense(&mine);
    cube_xz *halo = NULL;
    cube_xz_fields f = {0};
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    CHECK_STATUS(cube_xz_create(MPI_COMM_WORLD, &shape, &options, &halo), HX_OK);
    CHECK_STATUS(cube_xz_alloc(halo, &f), HX_OK);
    if (rank > 0) {
        sleep(1);
    }
    const clock_t before = clock();
    CHECK_STATUS(cube_xz_all(halo, &f), HX_OK);
    const double busy = (double)(clock() - before) / CLOCKS_PER_SEC;
    CHECK(busy < 0.5, "busy for %g of 1 second", busy);
    CHECK_STATUS(cube_xz_destroy(halo), HX_OK);
}

static void wait_behind_message(const char *transport)
{
    enum { LONG = 16 * 1024 * 1024 };
    hx_options options = HX_OPTIONS_INIT;
    options.transport = transport;
    options.deadline = 20.0;
    check_about("behind a long message, %s", transport);
    int rank = 0;
    int ranks = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (ranks == 1) {
        return;
    }
    const hx_partition request = cube_xz_partition(12, 9, 10);
    hx_part mine;
    CHECK_STATUS(hx_decompose(MPI_COMM_WORLD, &request, &mine), HX_OK);
    const cube_xz_shape shape = cube_xz_shape_dense(&mine);
    cube_xz *halo = NULL;
    cube_xz_fields f = {0};
    CHECK_STATUS(cube_xz_create(MPI_COMM_WORLD, &shape, &options, &halo), HX_OK);
    CHECK_STATUS(cube_xz_alloc(halo, &f), HX_OK);
    char *message = calloc(LONG, 1);
    MPI_Request sent = MPI_REQUEST_NULL;
    if (rank == 0) {
        MPI_Isend(message, LONG, MPI_BYTE, 1, 7, MPI_COMM_WORLD, &sent);
    } else if (rank == 1) {
        sleep(1);
        MPI_Recv(message, LONG, MPI_BYTE, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    CHECK_STATUS(cube_xz_all(halo, &f), HX_OK);
    MPI_Wait(&sent, MPI_STATUS_IGNORE);
    CHECK_STATUS(cube_xz_destroy(halo), HX_OK);
    free(message);
}

/* Nothing is more than it was, but for some memory. */
static void compare(const holdings *before, const holdings *after)
{
    CHECK(after->mappings <= before->mappings, "%ld mappings became %ld", before->mappings, after->mappings);
    CHECK(after->files <= before->files, "%ld descriptors became %ld", before->files, after->files);
    CHECK(after->shared <= before->shared, "%ld pieces of shared memory became %ld", before->shared,
          after->shared);
    CHECK(after->comm <= before->comm, "communicator %ld was free, and now %ld is", before->comm,
          after->comm);
    const long more = (after->pages - before->pages) * sysconf(_SC_PAGESIZE);
    CHECK(more < MORE, "%ld bytes more are in memory", more);
}

/* For whoever watches a long run. */
static void tell(long handles, long steps, const holdings *h)
{
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        printf(
            "%ld handles, %ld exchanges: %ld pages, %ld mappings, %ld descriptors, %ld pieces of shared memory, "
            "communicator %ld\n",
            handles, steps, h->pages, h->mappings, h->files, h->shared, h->comm);
        fflush(stdout);
    }
}

int main(int argc, char **argv)
{
    /* Open MPI then copies long messages in pieces, as it must in many containers. */
    setenv("OMPI_MCA_btl_vader_single_copy_mechanism", "none", 1);
    static const char *const transports[] = {"auto", "persistent"};
    check_init(&argc, &argv, MPI_THREAD_SINGLE);
    const long steps = argc > 1 ? atol(argv[1]) : 20000;
    const long handles = argc > 2 ? atol(argv[2]) : HANDLES;
    holdings before = {0};
    for (long i = 0; i < handles; ++i) {
        if (i == WARM) {
            before = look();
        }
        run(transports[i % 2], 1 + steps / handles);
        if (handles > HANDLES && (i + 1) % (handles / SLICES) == 0) {
            const holdings now = look();
            tell(i + 1, (i + 1) * (1 + steps / handles), &now);
        }
    }
    const holdings after = look();
    check_about("%ld steps, %ld handles", steps, handles);
    compare(&before, &after);
    for (int i = 0; i < 2; ++i) {
        wait_long(transports[i]);
        wait_behind_message(transports[i]);
    }
    return check_verdict("soak");
}
