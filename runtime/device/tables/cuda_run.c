/*
 * Launching what a list of moves or sums says.
 */
#include "device/tables/cuda_list.h"

static void set_bases(const hxi_cuda_list *list, const hxi_cuda_launch *launch, void *const *base, void **set)
{
    for (int b = 0; b < launch->bases; ++b) {
        set[b] = base[list->base[launch->first_base + b]];
    }
}

int hxi_cuda_run(const hxi_cuda_list *list, hx_cuda_fn *kernel, const hxi_cuda_tables *tables,
                 void *const *base, void *stream)
{
    int error = 0;
    for (int i = 0; i < list->launches && error == 0; ++i) {
        const hxi_cuda_launch *launch = &list->launch[i];
        hx_cuda_arguments arguments = {.turn = tables->turn + launch->first_block,
                                       .move = tables->move,
                                       .sum = tables->sum,
                                       .term = tables->term,
                                       .unfit = tables->unfit};
        set_bases(list, launch, base, arguments.base);
        error = kernel(&arguments, launch->blocks, stream);
    }
    return error;
}

int hxi_cuda_run_listed(const hxi_cuda_list *list, hx_cuda_listed_fn *kernel, const hxi_cuda_tables *tables,
                        void *const *base, void *stream)
{
    int error = 0;
    for (int i = 0; i < list->launches && error == 0; ++i) {
        const hxi_cuda_launch *launch = &list->launch[i];
        hx_cuda_listed_arguments arguments = {.turn = tables->turn + launch->first_block,
                                              .listed = tables->listed[HX_LISTED_ENTRY],
                                              .group = tables->listed[HX_LISTED_GROUP],
                                              .shift = tables->listed[HX_LISTED_SHIFT],
                                              .first_addend = tables->listed[HX_LISTED_FIRST_ADDEND],
                                              .addend = tables->listed[HX_LISTED_ADDEND],
                                              .source = tables->listed[HX_LISTED_SOURCE],
                                              .unfit = tables->unfit};
        set_bases(list, launch, base, arguments.base);
        error = kernel(&arguments, launch->blocks, stream);
    }
    return error;
}
