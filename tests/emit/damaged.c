/*
 * Creates a handle with the tables of each library, and tells what create says: damaged LIBRARY...  The
 * tables are those of a spec "damaged" on a periodic plane.
 */
#include <hx/abi.h>

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

static void try_tables(const char *name, const hx_spec *spec)
{
    hx_partition plane = {.axes = 2, .cells = {8, 8}, .ranks = {1, 1}, .periodic = {1, 1}};
    char *shape = calloc(1, 4096);
    hx_part mine;
    hx_handle *handle = NULL;
    if (!shape || hx_decompose(MPI_COMM_SELF, &plane, &mine) != HX_OK) {
        exit(1);
    }
    *(hx_part *)(void *)shape = mine;
    hx_dense_strides(spec, &mine, (ptrdiff_t *)(void *)(shape + sizeof mine), NULL);
    const hx_blocks blocks = {.comm = MPI_COMM_SELF, .tiles = 1, .partition = &plane, .count = 1};
    const hx_status status = hx_create(spec, &blocks, shape, NULL, &handle);
    printf("%s %s: %s\n", name, hx_status_name(status), status == HX_OK ? "" : hx_last_error());
    hx_destroy(handle);
    free(shape);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    for (int i = 1; i < argc; ++i) {
        void *library = dlopen(argv[i], RTLD_NOW | RTLD_LOCAL);
        const hx_spec *spec = library ? dlsym(library, "damaged_spec") : NULL;
        if (!spec) {
            printf("%s\n", dlerror());
            return 1;
        }
        try_tables(argv[i], spec);
        try_tables(argv[i], spec); /* what is known is whole */
    }
    MPI_Finalize();
    return 0;
}
