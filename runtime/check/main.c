#include "check/device.h"
#include "check/spec.h"
#include "check/tries.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- what all of it uses ------------------------------------------------------------------------------- */

void hxi_check_must(hx_status status)
{
    if (status != HX_OK) {
        fprintf(stderr, "%s: %s\n", hx_status_name(status), hx_last_error());
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

void *hxi_check_allocate(size_t count, size_t size)
{
    void *memory = calloc(count > 0 ? count : 1, size > 0 ? size : 1);
    if (memory == NULL) {
        fprintf(stderr, "out of memory\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    return memory;
}

size_t hxi_check_bytes(const check_run *r, const check_block *b, int field)
{
    return hx_points(r->spec, b->shape, field) * r->type[field].size;
}

void hxi_check_report(check_run *r, const hx_exchange *exchange, int field, const int point[], int component)
{
    const hx_field *f = &r->spec->field[field];
    if (r->failures++ > 0) {
        return;
    }
    fprintf(stderr, "exchange %s: field %s holds a wrong value %s", exchange->name, f->name,
            point ? "at" : "between its points");
    for (int a = 0; a < r->spec->axes && point; ++a) {
        fprintf(stderr, " %s=%d", r->spec->axis[a], point[a]);
    }
    fprintf(stderr, " of its block");
    if (f->components > 0 && point) {
        fprintf(stderr, ", component %d", component);
    }
    fprintf(stderr, "\n");
}

/* ---- arguments ----------------------------------------------------------------------------------------- */

/* False if they are not one extent each. */
static bool read_extents(const check_run *r, int arguments, char **argument, int extents[])
{
    bool fine = arguments == hxi_check_extents(r);
    for (int i = 0; i < arguments && fine; ++i) {
        char *end = NULL;
        const long value = strtol(argument[i], &end, 10);
        fine = *end == '\0' && value >= 1 && value <= INT_MAX;
        extents[i] = fine ? (int)value : 0;
    }
    return fine;
}

static void print_usage(const check_run *r)
{
    const int extents = hxi_check_extents(r);
    fprintf(stderr, "usage: %s_check [", r->spec->name);
    if (extents > 1) {
        fprintf(stderr, "%d ", extents);
    }
    fprintf(stderr, "CELLS");
    for (int a = 0; a < r->spec->axes && !r->program->tiles; ++a) {
        fprintf(stderr, a == 0 ? " along %s" : ", %s", r->spec->axis[a]);
    }
    fprintf(stderr, "]\n");
}

/* ---- grids that are tried ------------------------------------------------------------------------------ */

/* Extents by default, for a number from 0 on. */
static int extent_of(const check_run *r, int i, int number)
{
    if (r->program->tiles) {
        return 1 + number + i % 3;
    }
    return r->spec->list ? 1 + number * (i == 0 ? 10 : 1) : r->ranks + number * (i + 1);
}

/*
 * Blocks of one cell and a few, thinner and thicker than halos, and extents that do not divide evenly; the
 * largest grid is no thinner than the deepest halo, which some refuse.
 */
static void try_defaults(check_run *r, int extents[], check_tally *tally)
{
    int largest = 9;
    for (int a = 0; a < r->spec->axes; ++a) {
        const int deepest = hxi_check_deepest(r, a);
        largest = deepest > largest ? deepest : largest;
    }
    const int numbers[] = {0, 1, 2, 5, largest};
    for (int n = 0; n < (int)(sizeof numbers / sizeof *numbers); ++n) {
        for (int i = 0; i < hxi_check_extents(r); ++i) {
            extents[i] = extent_of(r, i, numbers[n]);
        }
        hxi_check_try_extents(r, extents, n, tally);
    }
    hxi_check_try_rows(r, tally);
}

/* Returns what main does. */
static int sum_up(const check_run *r, const check_tally *tally)
{
    const bool turns = r->program->tiles || r->program->fold;
    if (r->rank == 0) {
        printf("%d passed, %d failed", tally->passed, tally->failed);
        if (hxi_check_may_refuse(r)) {
            printf(", %d too thin%s", tally->thin, turns ? "" : " for the walls");
        }
        printf("\n");
    }
    return tally->failed > 0 || tally->passed == 0; /* nothing is shown where all grids are refused */
}

static int try_all(check_run *r, int arguments, char **argument)
{
    check_tally tally = {0};
    int *extents = hxi_check_allocate((size_t)hxi_check_extents(r), sizeof *extents);
    int result = 0;
    if (arguments > 0 && !read_extents(r, arguments, argument, extents)) {
        if (r->rank == 0) {
            print_usage(r);
        }
        result = 2;
    } else if (!hxi_check_open_device(r)) {
        result = 77;
    } else {
        if (arguments > 0) {
            hxi_check_try_extents(r, extents, 0, &tally);
            hxi_check_try_extents(r, extents, 1, &tally);
        } else {
            try_defaults(r, extents, &tally);
        }
        hxi_check_close_device(&r->device);
        result = sum_up(r, &tally);
    }
    free(extents);
    return result;
}

int hx_check_main(int argc, char **argv, const hx_check_program *program)
{
    check_run r = {.program = program, .spec = program->spec};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &r.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &r.ranks);
    r.type = hxi_check_make_types(program);
    r.grid = hxi_check_allocate((size_t)r.spec->tiles, sizeof *r.grid);
    const int result = try_all(&r, argc - 1, argv + 1);
    free(r.grid);
    free(r.type);
    MPI_Finalize();
    return result;
}
