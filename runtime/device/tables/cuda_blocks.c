/*
 * Which entry of a list each block of threads works on, when all entries are there.
 */
#include "device/tables/cuda_list.h"

#include "base/memory.h"

#include <stdlib.h>

static const char purpose[] = "the tables of device kernels";

static unsigned first_block(const hxi_cuda_list *list, int entry)
{
    const hx_cuda_listed *listed = list->listed.table[HX_LISTED_ENTRY].entry;
    return listed           ? listed[entry].first_block
           : list->sums > 0 ? list->sum[entry].first_block
                            : list->move[entry].first_block;
}

static void set_turns(const hxi_cuda_list *list, const hx_cuda_launch *launch)
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

typedef struct placed {
    uint64_t part; /* of the blocks of its entry that go before, in units of 2^-32 */
    hx_cuda_turn turn;
} placed;

static int compare_placed(const void *left, const void *right)
{
    const placed *a = left;
    const placed *b = right;
    return a->part != b->part ? (a->part > b->part) - (a->part < b->part)
           : a->turn.entry != b->turn.entry
               ? (a->turn.entry > b->turn.entry) - (a->turn.entry < b->turn.entry)
               : (a->turn.block > b->turn.block) - (a->turn.block < b->turn.block);
}

static unsigned blocks_of(const hxi_cuda_list *list, const hx_cuda_launch *launch, int entry)
{
    const bool last = entry + 1 == launch->first + launch->entries;
    return (last ? launch->blocks : first_block(list, entry + 1)) - first_block(list, entry);
}

/* Entries advance alike: short rows, which memory is slow with, are read beside long ones, which it is fast with. */
static hx_status mix(const hxi_cuda_list *list, const hx_cuda_launch *launch)
{
    hx_cuda_turn *turn = list->turn + launch->first_block;
    placed *all = hxi_memory_get(launch->blocks, sizeof *all, purpose);
    if (!all) {
        return HX_ERR_MEMORY;
    }
    for (unsigned b = 0; b < launch->blocks; ++b) {
        const uint64_t before = turn[b].block / TOGETHER * TOGETHER;
        all[b] = (placed){(before << 32) / blocks_of(list, launch, (int)turn[b].entry), turn[b]};
    }
    qsort(all, launch->blocks, sizeof *all, compare_placed);
    for (unsigned b = 0; b < launch->blocks; ++b) {
        turn[b] = all[b].turn;
    }
    hxi_memory_free(all);
    return HX_OK;
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
    list->turn = hxi_memory_get(list->blocks, sizeof *list->turn, purpose);
    hx_status status = list->turn ? HX_OK : HX_ERR_MEMORY;
    for (int i = 0; i < list->launches && status == HX_OK; ++i) {
        set_turns(list, &list->launch[i]);
        status = order == HX_CUDA_MIXED ? mix(list, &list->launch[i]) : HX_OK;
    }
    return status;
}
