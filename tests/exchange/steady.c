/*
 * The emitted functions as an application calls them, and that a hundred exchanges allocate nothing.
 *
 * Linked with -Wl,--wrap for the functions below, which count what libhx and the emitted code ask for; what
 * MPI allocates in its own library is not seen.
 */
#include "check.h"
#include "cube_xz.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Volatile: compilers know malloc, and that it does not change this. */
static volatile long allocations;

/* The linker leads calls of NAME to __wrap_NAME, and __real_NAME to the C library. */
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void __real_free(void *memory);
void *__real_aligned_alloc(size_t alignment, size_t size);
int __real_posix_memalign(void **memory, size_t alignment, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);
void __wrap_free(void *memory);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
int __wrap_posix_memalign(void **memory, size_t alignment, size_t size);

void *__wrap_malloc(size_t size)
{
    ++allocations;
    return __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    ++allocations;
    return __real_calloc(count, size);
}

void *__wrap_realloc(void *memory, size_t size)
{
    ++allocations;
    return __real_realloc(memory, size);
}

void __wrap_free(void *memory)
{
    allocations += memory != NULL;
    __real_free(memory);
}

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    ++allocations;
    return __real_aligned_alloc(alignment, size);
}

int __wrap_posix_memalign(void **memory, size_t alignment, size_t size)
{
    ++allocations;
    return __real_posix_memalign(memory, alignment, size);
}

static double value(const hx_part *part, int x, int y, int z)
{
    const hx_partition *p = &part->partition;
    const int gx = (part->first[0] + x + p->cells[0]) % p->cells[0];
    const int gy = part->first[1] + y;
    const int gz = (part->first[2] + z + p->cells[2]) % p->cells[2];
    return gx + 100.0 * gy + 10000.0 * gz;
}

static void fill(const cube_xz_shape *shape, double *u)
{
    const int *n = shape->part.n;
    for (int z = 0; z < n[2]; ++z) {
        for (int y = 0; y < n[1]; ++y) {
            for (int x = 0; x < n[0]; ++x) {
                u[cube_xz_u_at(shape, x, y, z)] = value(&shape->part, x, y, z);
            }
        }
    }
}

/* All points of u that are not beyond a wall. */
static void compare(const cube_xz_shape *shape, const double *u)
{
    const int *n = shape->part.n;
    for (int z = -2; z < n[2] + 2; ++z) {
        for (int y = -2; y < n[1] + 2; ++y) {
            const int gy = shape->part.first[1] + y;
            if (gy < 0 || gy >= shape->part.partition.cells[1]) {
                continue;
            }
            for (int x = -2; x < n[0] + 2; ++x) {
                const double got = u[cube_xz_u_at(shape, x, y, z)];
                const double wanted = value(&shape->part, x, y, z);
                CHECK(got >= wanted && got <= wanted, "u at (%d, %d, %d) is %g, expected %g", x, y, z, got,
                      wanted);
            }
        }
    }
}

/* One while the two others are under way, unless exchanges finish in the order of their starts only. */
static void exchange_three(cube_xz *halo, const cube_xz_fields *f, bool ordered)
{
    if (ordered) {
        CHECK_STATUS(cube_xz_star(halo, f), HX_OK);
    }
    CHECK_STATUS(cube_xz_all_start(halo, f), HX_OK);
    CHECK_STATUS(cube_xz_narrow_start(halo, f), HX_OK);
    if (!ordered) {
        CHECK_STATUS(cube_xz_star(halo, f), HX_OK);
    }
    CHECK_STATUS(cube_xz_all_finish(halo), HX_OK);
    CHECK_STATUS(cube_xz_narrow_finish(halo), HX_OK);
}

static void count_in_steady_state(const char *transport, int check, bool ordered)
{
    hx_options options = HX_OPTIONS_INIT;
    options.transport = transport;
    options.check = check;
    options.timing = 1;
    options.deadline = 60.0;
    check_about("%s, check %d", transport, check);

    const hx_partition request = cube_xz_partition(12, 9, 10);
    hx_part mine;
    CHECK_STATUS(hx_decompose(MPI_COMM_WORLD, &request, &mine), HX_OK);
    const cube_xz_shape shape = cube_xz_shape_dense(&mine);
    cube_xz_fields f = {0};
    f.u = calloc(cube_xz_points(&shape, CUBE_XZ_U), sizeof *f.u);
    f.v = calloc(cube_xz_points(&shape, CUBE_XZ_V), sizeof *f.v);
    f.w = calloc(cube_xz_points(&shape, CUBE_XZ_W), sizeof *f.w);
    cube_xz *halo = NULL;
    CHECK_STATUS(cube_xz_create(MPI_COMM_WORLD, &shape, &options, &halo), HX_OK);

    fill(&shape, f.u);
    const long before = allocations;
    for (int step = 0; step < 100; ++step) {
        exchange_three(halo, &f, ordered);
    }
    CHECK(allocations == before, "%ld calls of the allocator in 100 exchanges", allocations - before);
    compare(&shape, f.u);

    hx_traffic traffic;
    CHECK_STATUS(cube_xz_traffic(halo, CUBE_XZ_ALL, &traffic), HX_OK);
    CHECK(traffic.exchanges == 100, "%d exchanges counted", (int)traffic.exchanges);
    CHECK(traffic.pack_seconds >= 0.0 && traffic.unpack_seconds >= 0.0, "negative times");
    CHECK(strstr(cube_xz_describe(halo), transport) != NULL, "no word of %s in: %s", transport,
          cube_xz_describe(halo));
    int messages = 0; /* are shown with the transport "manual" only */
    CHECK_STATUS(cube_xz_message_buffers(halo, CUBE_XZ_ALL, NULL, &messages), HX_ERR_STATE);
    CHECK_STATUS(cube_xz_destroy(halo), HX_OK);
    free(f.u);
    free(f.v);
    free(f.w);
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv, MPI_THREAD_SINGLE);
    CHECK(allocations == 0, "the counter ran ahead");
    void *volatile probe = malloc(1);
    free(probe);
    CHECK(allocations == 2, "the counter counts %ld of 2 calls", allocations);
    for (int check = 0; check < 2; ++check) {
        count_in_steady_state("p2p", check, false);
        count_in_steady_state("persistent", check, false);
        count_in_steady_state("neighbor", check, false);
        count_in_steady_state("shared", check, false);
        count_in_steady_state("rma", check, false);
        count_in_steady_state("rma-get", check, false);
        count_in_steady_state("rma-fence", check, true);
        count_in_steady_state("rma-pscw", check, true);
    }
    return check_verdict("steady state");
}
