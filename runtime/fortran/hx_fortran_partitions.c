/*
 * Partitions, and the parts of ranks and blocks.
 */
#include "hx_fortran_glue.h"

void hx_f_decompose(const CFI_cdesc_t *given, const hx_partition *request, hx_part *mine, int *ierr)
{
    MPI_Comm comm = MPI_COMM_NULL;
    hx_status status = hx_f_find_comm("hx_decompose", "hx", given, &comm);
    if (status == HX_OK) {
        status = hx_decompose(comm, request, mine);
    }
    hx_f_answer(status, ierr);
}

void hx_f_decompose_as(int rank, int ranks, const hx_partition *request, hx_part *mine, int *ierr)
{
    hx_f_answer(hx_decompose_as(rank, ranks, request, mine), ierr);
}

/* tile, block: from 1. */
void hx_f_part_of(const hx_partition *partition, int tile, int block, hx_part *part, int *ierr)
{
    hx_f_answer(hx_part_of(partition, tile - 1, block - 1, part), ierr);
}
