/*
 * Launching what a list of moves or sums says.
 */
#include "device/tables/cuda_list.h"

#include <string.h>

static void set_bases(const hxi_cuda_list *list, const hx_cuda_launch *launch, void *const *base, void **set)
{
    for (int b = 0; b < launch->bases; ++b) {
        set[b] = base[list->base[launch->first_base + b]];
    }
}

static int run_near(const hxi_cuda_list *list, const hx_cuda_launch *launch, hx_cuda_near_fn *near,
                    void *const *base, void *stream)
{
    hx_cuda_near arguments = {.moves = (uint32_t)launch->entries};
    set_bases(list, launch, base, arguments.base);
    memcpy(arguments.move, list->move + launch->first, (size_t)launch->entries * sizeof *list->move);
    return near(&arguments, launch->blocks, stream);
}

static int run_far(const hxi_cuda_list *list, const hx_cuda_launch *launch, hx_cuda_far_fn *far,
                   const hxi_cuda_tables *tables, void *const *base, void *stream)
{
    hx_cuda_far arguments = {.entry = tables->entry + launch->first_block,
                             .move = tables->move,
                             .sum = tables->sum,
                             .term = tables->term};
    set_bases(list, launch, base, arguments.base);
    return far(&arguments, launch->blocks, stream);
}

bool hxi_cuda_needs_tables(const hxi_cuda_list *list)
{
    return list->entry != NULL;
}

int hxi_cuda_run(const hxi_cuda_list *list, hx_cuda_near_fn *near, hx_cuda_far_fn *far,
                 const hxi_cuda_tables *tables, void *const *base, void *stream)
{
    int error = 0;
    for (int i = 0; i < list->launches && error == 0; ++i) {
        const hx_cuda_launch *launch = &list->launch[i];
        error = hxi_cuda_needs_tables(list) ? run_far(list, launch, far, tables, base, stream)
                                            : run_near(list, launch, near, base, stream);
    }
    return error;
}

int hxi_cuda_run_listed(const hxi_cuda_list *list, hx_cuda_listed_fn *kernel, const hxi_cuda_tables *tables,
                        void *const *base, void *stream)
{
    int error = 0;
    for (int i = 0; i < list->launches && error == 0; ++i) {
        const hx_cuda_launch *launch = &list->launch[i];
        hx_cuda_far_listed arguments = {.entry = tables->entry + launch->first_block,
                                        .listed = tables->listed[HX_LISTED_ENTRY],
                                        .group = tables->listed[HX_LISTED_GROUP],
                                        .shift = tables->listed[HX_LISTED_SHIFT],
                                        .first_addend = tables->listed[HX_LISTED_FIRST_ADDEND],
                                        .addend = tables->listed[HX_LISTED_ADDEND],
                                        .source = tables->listed[HX_LISTED_SOURCE]};
        set_bases(list, launch, base, arguments.base);
        error = kernel(&arguments, launch->blocks, stream);
    }
    return error;
}
