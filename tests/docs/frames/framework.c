#include <hx/hx.h>

#include <dlfcn.h>
#include <stdlib.h>

#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wunused-variable"

/* What the listings of the documents find around them. */
struct surroundings {
    MPI_Comm comm;
    void *library;
    const int *cells;
    hx_spec_facts about;
    hx_partition grid;
    hx_part mine;
    hx_handle *handle;
};

void part_of_a_framework(const struct surroundings *around);

void part_of_a_framework(const struct surroundings *around)
{
    MPI_Comm comm = around->comm;
    void *library = around->library;
    const int *cells = around->cells;
    hx_spec_facts about = around->about;
    hx_partition grid = around->grid;
    hx_part mine = around->mine;
    hx_handle *handle = around->handle;
    /* LISTING */
}
