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

/* Collective, also where n is wrong on this rank: then it fails on all. */
void hx_f_partition_from_cart(const CFI_cdesc_t *cart, const CFI_cdesc_t *n, hx_part *mine, int *ierr)
{
    static const char call[] = "hx_partition_from_cart";
    MPI_Comm comm = MPI_COMM_NULL;
    hx_status status = hx_f_find_comm(call, "hx", cart, &comm);
    int axes = 0, cells[HX_MAX_AXES] = {0};
    if (status != HX_OK) {
        hx_f_answer(status, ierr);
        return;
    }
    int kind = MPI_UNDEFINED;
    if (comm != MPI_COMM_NULL && MPI_Topo_test(comm, &kind) == MPI_SUCCESS && kind == MPI_CART) {
        MPI_Cartdim_get(comm, &axes);
    }
    const CFI_index_t given = n->dim[0].extent;
    const bool fits = kind != MPI_CART || given == axes;
    for (int a = 0; a < HX_MAX_AXES && a < given; ++a) {
        cells[a] = *(const int *)((const char *)n->base_addr + a * n->dim[0].sm);
    }
    status = hx_partition_from_cart(comm, fits ? cells : NULL, mine);
    if (!fits) {
        status = hx_f_refuse(HX_ERR_ARGUMENT, "%s: n has %td element%s, cart has %d dimension%s", call, given,
                             given == 1 ? "" : "s", axes, axes == 1 ? "" : "s");
    }
    hx_f_answer(status, ierr);
}
