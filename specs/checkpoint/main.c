/*
 * heat GRID HALO CELLS BLOCKS SEED STEPS [--netcdf] [--from FILE] [--to FILE]
 *
 * Heat on a box, a sphere or a fold.  It begins with a first state, or with that of the file --from; --to keeps the last one.
 */
#include "../common/check.h"
#include "solver.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "usage: heat box|sphere|fold HALO CELLS BLOCKS SEED STEPS [--netcdf] [--from FILE] [--to FILE]";

/* heat.lua, with each of its parameters. */
extern const struct hx_spec heat_box_1_spec, heat_box_2_spec, heat_sphere_1_spec, heat_sphere_2_spec,
    heat_fold_1_spec, heat_fold_2_spec;

static const struct hx_spec *spec_of(const char *grid, const char *halo)
{
    const struct hx_spec *const all[] = {&heat_box_1_spec,    &heat_box_2_spec,  &heat_sphere_1_spec,
                                         &heat_sphere_2_spec, &heat_fold_1_spec, &heat_fold_2_spec};
    char name[32];
    snprintf(name, sizeof name, "heat_%s_%s", grid, halo);
    for (size_t i = 0; i < sizeof all / sizeof *all; ++i) {
        hx_spec_facts facts;
        check(hx_spec_query(all[i], &facts));
        if (strcmp(facts.name, name) == 0) {
            return all[i];
        }
    }
    fail("there is no spec %s\n%s", name, usage);
}

typedef struct files {
    const char *from, *to; /* NULL: none */
    store_move *read, *write;
} files;

static files files_of(int count, char **words)
{
    files f = {NULL, NULL, mpi_io_read, mpi_io_write};
    for (int i = 0; i < count; ++i) {
        if (strcmp(words[i], "--netcdf") == 0) {
#ifdef WITH_NETCDF
            f.read = netcdf_read;
            f.write = netcdf_write;
#else
            fail("this program was built without parallel netCDF; install libpnetcdf-dev and build it again");
#endif
        } else if (i + 1 < count && strcmp(words[i], "--from") == 0) {
            f.from = words[++i];
        } else if (i + 1 < count && strcmp(words[i], "--to") == 0) {
            f.to = words[++i];
        } else {
            fail("'%s' is not understood\n%s", words[i], usage);
        }
    }
    return f;
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (argc < 7) {
        fail("%s", usage);
    }
    const cut how = {whole_number(argv[3], 2, 10000, usage), whole_number(argv[4], 1, 100, usage),
                     whole_number(argv[5], 0, 1000, usage)};
    const int steps = whole_number(argv[6], 0, 1000000, usage);
    const files f = files_of(argc - 7, argv + 7);
    solver s;
    solver_create(&s, spec_of(argv[1], argv[2]), &how);
    if (f.from) {
        f.read(&s.store, f.from);
    } else {
        solver_begin(&s);
    }
    for (int step = 0; step < steps; ++step) {
        solver_step(&s);
    }
    if (f.to) {
        f.write(&s.store, f.to);
    }
    const uint64_t sum = solver_checksum(&s);
    if (rank == 0) {
        printf("checksum %016" PRIx64 "\n", sum);
    }
    solver_destroy(&s);
    MPI_Finalize();
    return EXIT_SUCCESS;
}
