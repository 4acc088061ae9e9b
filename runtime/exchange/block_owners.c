#include "exchange/block_owners.h"

#include "base/memory.h"
#include "base/status.h"
#include "comm/tell.h"

static const char purpose[] = "which rank has which block";

hx_status hxi_block_owners(hx_handle *handle, const hx_handle *with, const hxi_owners **owner)
{
    hxi_layout *layout = &handle->layout;
    *owner = layout->owners.blocks > 0 ? &layout->owners : NULL;
    if (*owner || !layout->owner) {
        return HX_OK;
    }
    int *made = hxi_memory_get((size_t)layout->blocks, sizeof *made, purpose);
    int *mine = hxi_memory_get((size_t)handle->mine.blocks, sizeof *mine, purpose);
    hx_status status = hxi_topology_agree(with->topology.comm, made && mine ? HX_OK : HX_ERR_MEMORY);
    if (status == HX_OK) {
        for (int b = 0; b < handle->mine.blocks; ++b) {
            const hxi_block *block = &handle->mine.block[b];
            mine[b] = layout->tile[block->tile].first_block + block->number;
        }
        for (int b = 0; b < layout->blocks; ++b) {
            made[b] = -1;
        }
        status = hxi_tell_owners(with->topology.comm, mine, handle->mine.blocks, made, layout->blocks);
    }
    if (status == HX_OK) {
        hxi_owners told = {0};
        status = hxi_topology_agree(with->topology.comm, hxi_owners_make(made, layout->blocks, &told));
        if (status == HX_OK) {
            layout->owners = told;
            *owner = &layout->owners;
        } else {
            hxi_owners_free(&told);
        }
    }
    hxi_memory_free(mine);
    hxi_memory_free(made);
    return status;
}
