/*
 * Launching what a list of moves or sums says.
 */
#include "cuda_list.h"

#include <string.h>

static int run_near(const hx_cuda_list *list, const hx_cuda_launch *launch, hx_cuda_near_fn *near,
                    void *const *base, void *stream)
{
    hx_cuda_near arguments = {.moves = (uint32_t)launch->entries};
    for (int b = 0; b < launch->bases; ++b) {
        arguments.base[b] = base[list->base[launch->first_base + b]];
    }
    memcpy(arguments.move, list->move + launch->first, (size_t)launch->entries * sizeof *list->move);
    return near(&arguments, launch->blocks, stream);
}

static int run_far(const hx_cuda_list *list, const hx_cuda_launch *launch, hx_cuda_far_fn *far,
                   const hx_cuda_tables *tables, void *const *base, void *stream)
{
    hx_cuda_far arguments = {.entries = (uint32_t)launch->entries, .term = tables->term};
    for (int b = 0; b < launch->bases; ++b) {
        arguments.base[b] = base[list->base[launch->first_base + b]];
    }
    arguments.move = list->moves > 0 ? tables->move + launch->first : NULL;
    arguments.sum = list->sums > 0 ? tables->sum + launch->first : NULL;
    return far(&arguments, launch->blocks, stream);
}

static bool fits(const hx_cuda_launch *launch, hx_cuda_near_fn *near)
{
    return near && launch->entries <= HX_CUDA_NEAR_MOVES && launch->bases <= HX_CUDA_NEAR_BASES;
}

bool hx_cuda_needs_tables(const hx_cuda_list *list, hx_cuda_near_fn *near)
{
    bool needs = false;
    for (int i = 0; i < list->launches; ++i) {
        needs = needs || !fits(&list->launch[i], near);
    }
    return needs;
}

int hx_cuda_run(const hx_cuda_list *list, hx_cuda_near_fn *near, hx_cuda_far_fn *far,
                const hx_cuda_tables *tables, void *const *base, void *stream)
{
    int error = 0;
    for (int i = 0; i < list->launches && error == 0; ++i) {
        const hx_cuda_launch *launch = &list->launch[i];
        error = fits(launch, near) ? run_near(list, launch, near, base, stream)
                                   : run_far(list, launch, far, tables, base, stream);
    }
    return error;
}
