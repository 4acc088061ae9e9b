#include <hx/hx.h>

#include <dlfcn.h>
#include <stdlib.h>

#pragma GCC diagnostic ignored "-Wunused-parameter"

/* What the listings of the documents find around them. */
void part_of_a_framework(MPI_Comm comm, void *library, const int cells[], hx_spec_facts about,
                         hx_partition grid, hx_part mine, hx_handle *handle);

void part_of_a_framework(MPI_Comm comm, void *library, const int cells[], hx_spec_facts about,
                         hx_partition grid, hx_part mine, hx_handle *handle)
{
    /* LISTING */
}
