#include "numbers.h"

/* What belongs at (i, j), counted in the block, inside it or not. */
static __device__ double number_at(const hx_part *part, int i, int j)
{
    return (part->first[0] + i + NX) % NX + NX * ((part->first[1] + j + NY) % NY);
}

static __global__ void put(double *t, const warm_shape shape)
{
    const int i = threadIdx.x;
    const int j = blockIdx.x;
    t[warm_t_at(&shape, i, j)] = number_at(&shape.part, i, j);
}

static __global__ void check(const double *t, const warm_shape shape, int halo, int *wrong)
{
    const int i = (int)threadIdx.x - halo;
    const int j = (int)blockIdx.x - halo;
    if (t[warm_t_at(&shape, i, j)] != number_at(&shape.part, i, j)) {
        atomicAdd(wrong, 1);
    }
}

void numbers_put(double *t, const warm_shape *shape, hx_stream stream)
{
    put<<<shape->part.n[1], shape->part.n[0], 0, stream>>>(t, *shape);
}

void numbers_check(const double *t, const warm_shape *shape, int halo, int *wrong, hx_stream stream)
{
    check<<<shape->part.n[1] + 2 * halo, shape->part.n[0] + 2 * halo, 0, stream>>>(t, *shape, halo, wrong);
}
