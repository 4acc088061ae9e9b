/*
 * A vortex in a gas, on GPUs: a spec whose fields lie there, a solver that never brings them back, and a
 * check against the exact solution.
 */
#include "../common/check.h"
#include "../common/checksum.h"
#include "solver.h"
#include "spans.h"
#include "vortex.h"

#include <cuda_runtime_api.h>

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const char usage[] = "usage: flow NX NY STEPS [PX PY]";

/* What rounding may do to a sum: a stage rounds the value of a cell four times, by half of DBL_EPSILON at most,
 * and a step has two stages. */
static double tolerance(int steps)
{
    return DBL_EPSILON * (4.0 * steps + 2.0);
}

static void check_cuda(cudaError_t error, const char *purpose)
{
    if (error != cudaSuccess) {
        fail("%s: %s", purpose, cudaGetErrorString(error));
    }
}

/* Ranks of a machine take its devices in turn. */
static hx_stream choose_device(void)
{
    MPI_Comm node;
    int rank, devices;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    MPI_Comm_rank(node, &rank);
    MPI_Comm_free(&node);
    check_cuda(cudaGetDeviceCount(&devices), "this example needs a GPU");
    check_cuda(cudaSetDevice(rank % devices), "choosing a device");
    cudaStream_t stream;
    check_cuda(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "making a stream");
    return stream;
}

/* ---- states on the host ---- */

typedef struct state {
    double *field[GAS_FIELDS]; /* with their halos, as on the device */
    size_t points;
} state;

static state state_make(const solver *s)
{
    state made = {.points = flow_points(&s->shape, FLOW_DENSITY)};
    for (int f = 0; f < GAS_FIELDS; ++f) {
        made.field[f] = allocate(made.points, sizeof(double));
    }
    return made;
}

static void state_free(state *host)
{
    for (int f = 0; f < GAS_FIELDS; ++f) {
        free(host->field[f]);
    }
}

static ptrdiff_t place(const solver *s, int i, int j)
{
    return flow_density_at(&s->shape, i, j);
}

static void vortex_in(const solver *s, int i, int j, double gas[GAS_FIELDS])
{
    const hx_part *part = &s->shape.part;
    const int *cells = part->partition.cells;
    const double x = VORTEX_SIDE * (part->first[0] + i + 0.5) / cells[0];
    const double y = VORTEX_SIDE * (part->first[1] + j + 0.5) / cells[1];
    vortex_at(x, y, s->time, gas);
}

static void upload_vortex(const solver *s)
{
    state host = state_make(s);
    double *device[GAS_FIELDS], gas[GAS_FIELDS];
    solver_arrays(&s->now, device);
    for (int j = 0; j < s->shape.part.n[1]; ++j) {
        for (int i = 0; i < s->shape.part.n[0]; ++i) {
            vortex_in(s, i, j, gas);
            for (int f = 0; f < GAS_FIELDS; ++f) {
                host.field[f][place(s, i, j)] = gas[f];
            }
        }
    }
    for (int f = 0; f < GAS_FIELDS; ++f) {
        check_cuda(cudaMemcpyAsync(device[f], host.field[f], host.points * sizeof(double),
                                   cudaMemcpyHostToDevice, s->stream),
                   "copying the first state to the device");
    }
    check_cuda(cudaStreamSynchronize(s->stream), "copying the first state to the device");
    state_free(&host);
}

static state download(const solver *s)
{
    state host = state_make(s);
    double *device[GAS_FIELDS];
    solver_arrays(&s->now, device);
    for (int f = 0; f < GAS_FIELDS; ++f) {
        check_cuda(cudaMemcpyAsync(host.field[f], device[f], host.points * sizeof(double),
                                   cudaMemcpyDeviceToHost, s->stream),
                   "copying the last state from the device");
    }
    check_cuda(cudaStreamSynchronize(s->stream), "the device at work");
    return host;
}

/* ---- what came out ---- */

/* A sum over cells, however many, rounded about once. */
typedef struct exact_sum {
    double sum, lost;
} exact_sum;

/* By Neumaier. */
static void add(exact_sum *s, double value)
{
    const double sum = s->sum + value;
    s->lost += fabs(s->sum) >= fabs(value) ? (s->sum - sum) + value : (value - sum) + s->sum;
    s->sum = sum;
}

typedef struct outcome {
    double error;           /* mean of the density's */
    double sum[GAS_FIELDS]; /* over all cells */
    uint64_t checksum;
} outcome;

static outcome reckon(const solver *s)
{
    const hx_part *part = &s->shape.part;
    const int *cells = part->partition.cells;
    state host = download(s);
    outcome mine = {0}, all = {0};
    exact_sum sum[GAS_FIELDS] = {{0.0, 0.0}};
    for (int j = 0; j < part->n[1]; ++j) {
        for (int i = 0; i < part->n[0]; ++i) {
            double exact[GAS_FIELDS];
            vortex_in(s, i, j, exact);
            const uint64_t cell =
                (uint64_t)(part->first[1] + j) * (uint64_t)cells[0] + (uint64_t)(part->first[0] + i);
            for (int f = 0; f < GAS_FIELDS; ++f) {
                const double value = host.field[f][place(s, i, j)];
                add(&sum[f], value);
                mine.checksum += checksum_of(value, GAS_FIELDS * cell + (uint64_t)f);
            }
            mine.error += fabs(host.field[GAS_DENSITY][place(s, i, j)] - exact[GAS_DENSITY]);
        }
    }
    state_free(&host);
    for (int f = 0; f < GAS_FIELDS; ++f) {
        mine.sum[f] = sum[f].sum + sum[f].lost;
    }
    MPI_Allreduce(&mine.error, &all.error, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(mine.sum, all.sum, GAS_FIELDS, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(&mine.checksum, &all.checksum, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    all.error /= (double)cells[0] * cells[1];
    return all;
}

/* Prints it.  Returns whether nothing was lost or made. */
static int report(const outcome *before, const outcome *after, int steps, int rank)
{
    double change = 0.0;
    for (int f = 0; f < GAS_FIELDS; ++f) {
        change = fmax(change, fabs(after->sum[f] / before->sum[f] - 1.0));
    }
    if (rank == 0) {
        printf("change     %.1e of mass, momentum and energy, at most %.1e by rounding: %s\n", change,
               tolerance(steps), change <= tolerance(steps) ? "good" : "TOO LARGE");
        printf("error      %.3e of the density in the mean\n", after->error);
        printf("checksum   %016" PRIx64 "\n", after->checksum);
    }
    return change <= tolerance(steps);
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (argc != 4 && argc != 6) {
        fail("%s", usage);
    }
    hx_partition grid =
        flow_partition(whole_number(argv[1], 1, 100000, usage), whole_number(argv[2], 1, 100000, usage));
    const int steps = whole_number(argv[3], 0, 1000000, usage);
    for (int a = 0; a < argc - 4; ++a) {
        grid.ranks[a] = whole_number(argv[4 + a], 1, 100000, usage);
    }
    hx_part mine;
    check(hx_decompose(MPI_COMM_WORLD, &grid, &mine));
    const hx_stream stream = choose_device();
    solver s;
    solver_create(&s, MPI_COMM_WORLD, &mine, stream);
    upload_vortex(&s);
    const outcome before = reckon(&s);
    spans_open(stream);
    for (int step = 0; step < steps; ++step) {
        solver_step(&s);
    }
    spans_write(stream);
    const outcome after = reckon(&s);
    if (rank == 0) {
        printf("flow: %d x %d cells in %d x %d blocks, %d steps to time %.4f\n", grid.cells[0], grid.cells[1],
               mine.partition.ranks[0], mine.partition.ranks[1], steps, s.time);
    }
    const int good = report(&before, &after, steps, rank);
    if (rank == 0) {
        printf("\n%s", flow_describe(s.halo));
    }
    solver_destroy(&s);
    check_cuda(cudaStreamDestroy(stream), "giving back the stream");
    MPI_Finalize();
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
