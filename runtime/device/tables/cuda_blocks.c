/*
 * How a list comes to the device when all its entries are there: in the arguments of a kernel, or, if it is
 * too long for them, as a table there, with another that has the entry of each block of threads.
 */
#include "device/tables/cuda_list.h"

#include "base/memory.h"

static bool travels(const hxi_cuda_list *list)
{
    bool fits = list->sums + hxi_cuda_listed_entries(list) == 0;
    for (int i = 0; i < list->launches; ++i) {
        const hx_cuda_launch *launch = &list->launch[i];
        fits = fits && launch->entries <= HX_CUDA_NEAR_MOVES && launch->bases <= HX_CUDA_NEAR_BASES;
    }
    return fits;
}

static unsigned first_block(const hxi_cuda_list *list, int entry)
{
    const hx_cuda_listed *listed = list->listed.table[HX_LISTED_ENTRY].entry;
    return listed           ? listed[entry].first_block
           : list->sums > 0 ? list->sum[entry].first_block
                            : list->move[entry].first_block;
}

static hx_status number_blocks(hxi_cuda_list *list)
{
    for (int i = 0; i < list->launches; ++i) {
        list->launch[i].first_block = list->blocks;
        list->blocks += list->launch[i].blocks;
    }
    list->entry = hxi_memory_get(list->blocks, sizeof *list->entry, "the tables of device kernels");
    if (!list->entry) {
        return HX_ERR_MEMORY;
    }
    for (int i = 0; i < list->launches; ++i) {
        const hx_cuda_launch *launch = &list->launch[i];
        int entry = launch->first;
        for (unsigned block = 0; block < launch->blocks; ++block) {
            while (entry + 1 < launch->first + launch->entries && first_block(list, entry + 1) <= block) {
                ++entry;
            }
            list->entry[launch->first_block + block] = (uint32_t)entry;
        }
    }
    return HX_OK;
}

hx_status hxi_cuda_list_end(hxi_cuda_list *list)
{
    if (list->moves > 0) {
        hxi_cuda_list_merge(list);
    }
    return travels(list) ? HX_OK : number_blocks(list);
}
