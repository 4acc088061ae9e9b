/*
 * Sound waves in a room: a spec, a solver that uses what halogen makes of it, and a check against the exact
 * solution.
 */
#include "../common/check.h"
#include "exact.h"
#include "gather.h"
#include "picture.h"
#include "report.h"
#include "solver.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "usage: wave [OPTION...]\n"
    "  --cells NX NY NZ    of the whole grid (96 96 48)\n"
    "  --blocks PX PY PZ   along each axis, as many as there are ranks; 0 leaves it to libhx (0 0 0)\n"
    "  --steps N           of time (448)\n"
    "  --courant C         time step over the smallest spacing, below 0.49 (0.2)\n"
    "  --together N        one exchange serves N steps, at most 2; 0: as many as are fastest (one before each)\n"
    "  --save FILE         write all fields in global order, whatever the ranks\n"
    "  --picture FILE      write a PNG of the pressure on the floor and of the blocks\n"
    "  --explain           say which blocks libhx prefers, and how rank 0 exchanges";

typedef struct arguments {
    int cells[3], blocks[3];
    int steps;
    int together;
    double courant;
    const char *save, *picture;
    int explain;
} arguments;

static double courant_number(const char *text)
{
    char *end;
    const double value = strtod(text, &end);
    if (*text == '\0' || *end != '\0' || !(value > 0.0) || !(value < 0.49)) {
        fail("'%s' is not a number between 0 and 0.49\n%s", text, usage);
    }
    return value;
}

static arguments read_arguments(int argc, char **argv)
{
    arguments a = {.cells = {96, 96, 48}, .steps = 448, .together = EACH_STEP, .courant = 0.2};
    for (int i = 1; i < argc; ++i) {
        const char *option = argv[i];
        const int left = argc - 1 - i;
        if (strcmp(option, "--cells") == 0 && left >= 3) {
            for (int axis = 0; axis < 3; ++axis) {
                a.cells[axis] = whole_number(argv[++i], 1, 1000000, usage);
            }
        } else if (strcmp(option, "--blocks") == 0 && left >= 3) {
            for (int axis = 0; axis < 3; ++axis) {
                a.blocks[axis] = whole_number(argv[++i], 0, 1000000, usage);
            }
        } else if (strcmp(option, "--steps") == 0 && left >= 1) {
            a.steps = whole_number(argv[++i], 0, 1000000, usage);
        } else if (strcmp(option, "--together") == 0 && left >= 1) {
            a.together = whole_number(argv[++i], 0, 64, usage);
        } else if (strcmp(option, "--courant") == 0 && left >= 1) {
            a.courant = courant_number(argv[++i]);
        } else if (strcmp(option, "--save") == 0 && left >= 1) {
            a.save = argv[++i];
        } else if (strcmp(option, "--picture") == 0 && left >= 1) {
            a.picture = argv[++i];
        } else if (strcmp(option, "--explain") == 0) {
            a.explain = 1;
        } else {
            fail("'%s' is not an option, or lacks its value\n%s", option, usage);
        }
    }
    return a;
}

static void print_preference(const hx_partition *request, int ranks)
{
    const size_t size = hx_explain_partition(ranks, request, NULL, 0) + 1;
    char *text = allocate(size, 1);
    hx_explain_partition(ranks, request, text, size);
    printf("\nwhat libhx prefers if it is left to choose:\n%s", text);
    free(text);
}

static void save_picture(const solver *s, const char *path)
{
    double *pressure = gather_floor(s, MPI_COMM_WORLD);
    if (pressure != NULL) {
        const char *problem = picture_write(path, &s->shape.part.partition, pressure, s->time);
        if (problem != NULL) {
            fail("%s could not be written: %s", path, problem);
        }
        free(pressure);
    }
}

/* Prints the error and the checksum.  Returns whether the error is as small as it has to be, on all ranks. */
static int verify(const solver *s, int rank)
{
    const double mine = exact_error(s), bound = exact_bound(s);
    double error;
    MPI_Allreduce(&mine, &error, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    const uint64_t checksum = gather_checksum(s, MPI_COMM_WORLD);
    if (rank == 0) {
        printf(
            "\nerror      %.3e of the amplitudes at t = %.4f; at most %.3e by the order of the scheme: %s\n",
            error, s->time, bound, error <= bound ? "good" : "TOO LARGE");
        printf("checksum   %016" PRIx64 "\n", checksum);
    }
    return error <= bound;
}

int main(int argc, char **argv)
{
    int rank, ranks, level;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const arguments a = read_arguments(argc, argv);

    const hx_partition grid = wave_partition(a.cells[0], a.cells[1], a.cells[2]);
    hx_partition request = grid;
    memcpy(request.ranks, a.blocks, sizeof a.blocks);
    hx_part mine;
    check(hx_decompose(MPI_COMM_WORLD, &request, &mine));
    solver s;
    solver_create(&s, MPI_COMM_WORLD, &mine, a.courant, a.together);
    exact_start(&s);
    if (rank == 0) {
        const int *parts = mine.partition.ranks;
        printf("wave: %d x %d x %d cells in %d x %d x %d blocks, %d steps of time %.5f\n", a.cells[0],
               a.cells[1], a.cells[2], parts[0], parts[1], parts[2], a.steps, s.time_step);
    }
    if (rank == 0 && a.explain) {
        print_preference(&grid, ranks);
    }

    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    for (int step = 0; step < a.steps; ++step) {
        solver_step(&s);
    }
    report_traffic(&s, MPI_COMM_WORLD, a.steps, MPI_Wtime() - start);
    if (rank == 0 && a.explain) {
        printf("\n%s", wave_describe(s.halo));
    }

    const int good = verify(&s, rank);
    if (a.save != NULL) {
        gather_write(&s, MPI_COMM_WORLD, a.save);
    }
    if (a.picture != NULL) {
        save_picture(&s, a.picture);
    }
    solver_destroy(&s);
    MPI_Finalize();
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
