/*
 * Which entry of a list each block of threads works on, when all entries are there.
 */
#include "device/tables/cuda_list.h"

#include "base/memory.h"

static unsigned first_block(const hxi_cuda_list *list, int entry)
{
    const hx_cuda_listed *listed = list->listed.table[HX_LISTED_ENTRY].entry;
    return listed           ? listed[entry].first_block
           : list->sums > 0 ? list->sum[entry].first_block
                            : list->move[entry].first_block;
}

/* Entry by entry. */
static void follow(const hxi_cuda_list *list, const hxi_cuda_launch *launch)
{
    int entry = launch->first;
    for (unsigned block = 0; block < launch->blocks; ++block) {
        while (entry + 1 < launch->first + launch->entries && first_block(list, entry + 1) <= block) {
            ++entry;
        }
        list->turn[launch->first_block + block] =
            (hx_cuda_turn){(uint32_t)entry, block - first_block(list, entry)};
    }
}

/* ---- all entries at once ------------------------------------------------------------------------------- */

/* Blocks of an entry that stay together: they read what is neighbors in memory. */
enum { TOGETHER = 8 };

static unsigned blocks_of(const hxi_cuda_list *list, const hxi_cuda_launch *launch, int entry)
{
    const bool last = entry + 1 == launch->first + launch->entries;
    return (last ? launch->blocks : first_block(list, entry + 1)) - first_block(list, entry);
}

/* Pieces of blocks that stay together. */
static uint64_t pieces_of(unsigned blocks)
{
    return ((uint64_t)blocks + TOGETHER - 1) / TOGETHER;
}

static uint64_t most_pieces(const hxi_cuda_list *list, const hxi_cuda_launch *launch)
{
    unsigned most = 0;
    for (int i = launch->first; i < launch->first + launch->entries; ++i) {
        const unsigned blocks = blocks_of(list, launch, i);
        most = blocks > most ? blocks : most;
    }
    return pieces_of(most);
}

/* Entries advance alike: short rows, which memory is slow with, are read beside long ones, which it is fast with. */
static void mix(const hxi_cuda_list *list, const hxi_cuda_launch *launch)
{
    hx_cuda_turn *turn = list->turn + launch->first_block;
    const uint64_t steps = most_pieces(list, launch);
    for (uint64_t step = 0; step < steps; ++step) {
        for (int i = launch->first; i < launch->first + launch->entries; ++i) {
            const unsigned blocks = blocks_of(list, launch, i);
            const uint64_t end = (step + 1) * pieces_of(blocks) / steps * TOGETHER;
            for (uint64_t b = step * pieces_of(blocks) / steps * TOGETHER; b < end && b < blocks; ++b) {
                *turn++ = (hx_cuda_turn){(uint32_t)i, (uint32_t)b};
            }
        }
    }
}

/* ---- the end of a list --------------------------------------------------------------------------------- */

static size_t number_blocks(hxi_cuda_list *list)
{
    size_t blocks = 0;
    for (int i = 0; i < list->launches; ++i) {
        list->launch[i].first_block = blocks;
        blocks += list->launch[i].blocks;
    }
    return blocks;
}

hx_status hxi_cuda_list_end(hxi_cuda_list *list, hxi_cuda_order order)
{
    if (list->moves > 0) {
        hxi_cuda_list_merge(list);
    }
    list->blocks = number_blocks(list);
    if (list->blocks == 0) {
        return HX_OK;
    }
    list->turn = hxi_memory_get(list->blocks, sizeof *list->turn, "the tables of device kernels");
    if (!list->turn) {
        return HX_ERR_MEMORY;
    }
    for (int i = 0; i < list->launches; ++i) {
        (order == HX_CUDA_MIXED ? mix : follow)(list, &list->launch[i]);
    }
    return HX_OK;
}
