/* Numbers all cells on the GPU, exchanges, and has the GPU look at the whole halo; says why where there is
 * none. */
#include "numbers.h"

#include <cuda_runtime_api.h>

#include <stdio.h>
#include <stdlib.h>

enum { HALO = 2 };

static void check(hx_status status)
{
    if (status != HX_OK) {
        fprintf(stderr, "warm: %s: %s\n", hx_status_name(status), hx_last_error());
        MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
    }
}

/* The points that are wrong after an exchange. */
static int exchange_numbers(warm *halo, const warm_shape *shape)
{
    warm_fields fields;
    cudaStream_t stream;
    int *wrong;
    check(warm_alloc(halo, &fields));
    if (cudaStreamCreate(&stream) != cudaSuccess ||
        cudaMallocHost((void **)&wrong, sizeof *wrong) != cudaSuccess) {
        MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
    }
    *wrong = 0;
    numbers_put(fields.t, shape, stream);
    check(warm_temperature(halo, &fields, stream));
    numbers_check(fields.t, shape, HALO, wrong, stream);
    const cudaError_t error = cudaStreamSynchronize(stream);
    const int found = error == cudaSuccess ? *wrong : -1;
    cudaFreeHost(wrong);
    cudaStreamDestroy(stream);
    return found;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    const hx_partition grid = warm_partition(NX, NY);
    hx_part mine;
    check(hx_decompose(MPI_COMM_WORLD, &grid, &mine));
    const warm_shape shape = warm_shape_best(&mine);

    warm *halo;
    const hx_status status = warm_create(MPI_COMM_WORLD, &shape, NULL, &halo);
    if (status == HX_ERR_DEVICE) {
        printf("no GPU: %s\n", hx_last_error());
        MPI_Finalize();
        return 0;
    }
    check(status);
    const int wrong = exchange_numbers(halo, &shape);
    printf("%d points wrong\n", wrong);
    check(warm_destroy(halo));
    MPI_Finalize();
    return wrong != 0;
}
