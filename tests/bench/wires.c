/*
 * The ocean of specs/ocean, whose numbers travel in the format of the spec that it is compiled with.
 *
 * usage: wires NX NY STEPS write|compare FILE [PX PY]
 *
 * Writes all owned points to FILE.RANK, or compares them with what is there: the same division, another format.
 */
#define main ocean_main
#include "../../specs/ocean/main.c"
#undef main

#include <stdbool.h>
#include <string.h>

enum { FIELDS = 5, NUMBERS = 4 * LAYERS + 1 };

static const char *const names[FIELDS] = {"eta", "u", "v", "t", "s"};

/* All owned numbers of this rank, column by column: eta, then four fields layer by layer. */
static double *numbers_of(const solver *s, size_t *count)
{
    const int *n = s->shape.part.n;
    *count = (size_t)n[0] * (size_t)n[1] * NUMBERS;
    double *all = allocate(*count, sizeof *all), *next = all;
    for (int j = 0; j < n[1]; ++j) {
        for (int i = 0; i < n[0]; ++i) {
            *next++ = s->now.eta[ocean_eta_at(&s->shape, i, j)];
            for (int k = 0; k < LAYERS; ++k, next += 4) {
                next[0] = s->now.u[ocean_u_at(&s->shape, i, j, k)];
                next[1] = s->now.v[ocean_v_at(&s->shape, i, j, k)];
                next[2] = s->now.t[ocean_t_at(&s->shape, i, j, k)];
                next[3] = s->now.s[ocean_s_at(&s->shape, i, j, k)];
            }
        }
    }
    return all;
}

/* The largest difference of each field, and the largest number. */
static void compare(const double *is, const double *was, size_t count, double apart[], double most[])
{
    for (size_t i = 0; i < count; ++i) {
        const size_t place = i % NUMBERS;
        const size_t field = place == 0 ? 0 : 1 + (place - 1) % 4;
        apart[field] = fmax(apart[field], fabs(is[i] - was[i]));
        most[field] = fmax(most[field], fabs(was[i]));
    }
}

static void keep(const solver *s, const char *how, const char *file, int rank)
{
    char name[1024];
    size_t count;
    double *is = numbers_of(s, &count);
    double *was = allocate(count, sizeof *was);
    double apart[FIELDS] = {0}, most[FIELDS] = {0};
    const bool writes = strcmp(how, "write") == 0;
    snprintf(name, sizeof name, "%s.%d", file, rank);
    FILE *stream = fopen(name, writes ? "wb" : "rb");
    if (!stream ||
        (writes ? fwrite(is, sizeof *is, count, stream) : fread(was, sizeof *was, count, stream)) != count ||
        fclose(stream) != 0) {
        fail("cannot %s %s", writes ? "write" : "read", name);
    }
    compare(is, writes ? is : was, count, apart, most);
    MPI_Allreduce(MPI_IN_PLACE, apart, FIELDS, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, most, FIELDS, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    for (int f = 0; f < FIELDS && rank == 0; ++f) {
        printf(" %s %.1e", names[f], apart[f] / most[f]);
    }
    free(is);
    free(was);
}

/* Bytes that all ranks send in a step, of which each exchange is a part. */
static double bytes_of(const solver *s)
{
    double bytes = 0.0;
    const int exchanges[] = {OCEAN_FLOW, OCEAN_TRACERS, OCEAN_SURFACE};
    for (size_t e = 0; e < sizeof exchanges / sizeof exchanges[0]; ++e) {
        hx_traffic traffic;
        check(ocean_traffic(s->halo, exchanges[e], &traffic));
        bytes += (double)traffic.bytes_sent;
    }
    MPI_Allreduce(MPI_IN_PLACE, &bytes, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return bytes;
}

/* Seconds that the exchanges of a step take where nothing is computed beside them, of the slowest rank. */
static double exchanges_alone(const solver *s, int steps)
{
    MPI_Barrier(MPI_COMM_WORLD);
    const double began = MPI_Wtime();
    for (int step = 0; step < steps; ++step) {
        check(ocean_flow_start(s->halo, &s->now));
        check(ocean_tracers_start(s->halo, &s->now));
        check(ocean_flow_finish(s->halo));
        check(ocean_tracers_finish(s->halo));
        check(ocean_surface_start(s->halo, &s->now));
        check(ocean_surface_finish(s->halo));
    }
    double spent = (MPI_Wtime() - began) / steps;
    MPI_Allreduce(MPI_IN_PLACE, &spent, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return spent;
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (argc != 6 && argc != 8) {
        fail("usage: wires NX NY STEPS write|compare FILE [PX PY]");
    }
    hx_partition grid =
        ocean_partition(whole_number(argv[1], 1, 100000, usage), whole_number(argv[2], 1, 100000, usage));
    const int steps = whole_number(argv[3], 1, 100000, usage);
    for (int a = 0; a < argc - 6; ++a) {
        grid.ranks[a] = whole_number(argv[6 + a], 1, 100000, usage);
    }
    hx_part mine;
    check(hx_decompose(MPI_COMM_WORLD, &grid, &mine));
    double *depth = read_depth(grid.cells, rank);
    solver s;
    solver_create(&s, MPI_COMM_WORLD, &mine, depth);
    free(depth);
    start(&s);
    const totals before = total_of(&s);
    const double began = MPI_Wtime();
    for (int step = 0; step < steps; ++step) {
        solver_step(&s);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    const double spent = MPI_Wtime() - began, bytes = bytes_of(&s);
    const totals after = total_of(&s);
    const double alone = exchanges_alone(&s, steps);
    if (rank == 0) {
        printf(
            "%.0f bytes and %.1f us a step, %.1f us its exchanges alone; water changed by %.1e, heat by %.1e, salinity by %.1e; apart:",
            bytes, spent / steps * 1e6, alone * 1e6, fabs(after.water / before.water - 1.0),
            fabs(after.heat / before.heat - 1.0), after.salt_error);
    }
    keep(&s, argv[4], argv[5], rank);
    if (rank == 0) {
        printf("\n");
    }
    solver_destroy(&s);
    MPI_Finalize();
    return EXIT_SUCCESS;
}
