#include "grid/owners.h"

#include <hx/hx.h>

#include "base/hash.h"
#include "base/memory.h"

#include <limits.h>
#include <stdbool.h>
#include <string.h>

/* ---- making -------------------------------------------------------------------------------------------- */

/* The first block from `block` on whose owner is not that of `block`. */
static int end_of_run(const int *table, int blocks, int block)
{
    int end = block + 1;
    while (end < blocks && table[end] == table[block]) {
        ++end;
    }
    return end;
}

/* The longest stretch that begins at a block; returns the block behind it. */
static int find_stretch(const int *table, int blocks, int block, hxi_owner_stretch *found)
{
    int end = end_of_run(table, blocks, block);
    *found = (hxi_owner_stretch){block, table[block], end - block};
    bool whole = true;
    while (whole && end < blocks && table[block] != HX_NO_OWNER && table[end] == table[end - 1] + 1) {
        const int next = end_of_run(table, blocks, end);
        if (next - end > found->each) {
            return end;
        }
        whole = next - end == found->each;
        end = next;
    }
    if (table[block] == HX_NO_OWNER) {
        found->each = INT_MAX;
    }
    return end;
}

hx_status hxi_owners_make(const int *table, int blocks, hxi_owners *owners)
{
    hxi_owner_stretch s;
    *owners = (hxi_owners){.blocks = blocks, .hash = HX_HASH_SEED};
    for (int b = 0; b < blocks; ++owners->stretches) {
        b = find_stretch(table, blocks, b, &s);
        owners->hash = hxi_hash(hxi_hash(hxi_hash(owners->hash, s.first), s.rank), s.each);
    }
    if (sizeof *owners->stretch * (size_t)owners->stretches > sizeof *table * (size_t)blocks) {
        owners->table = hxi_memory_get((size_t)blocks, sizeof *owners->table, "the owners of blocks");
        owners->stretches = 0;
        if (owners->table) {
            memcpy(owners->table, table, sizeof *table * (size_t)blocks);
        }
        return owners->table ? HX_OK : HX_ERR_MEMORY;
    }
    owners->stretch =
        hxi_memory_get((size_t)owners->stretches, sizeof *owners->stretch, "the owners of blocks");
    for (int i = 0, b = 0; owners->stretch && i < owners->stretches; ++i) {
        b = find_stretch(table, blocks, b, &owners->stretch[i]);
    }
    return owners->stretch ? HX_OK : HX_ERR_MEMORY;
}

void hxi_owners_free(hxi_owners *owners)
{
    hxi_memory_free(owners->stretch);
    hxi_memory_free(owners->table);
    *owners = (hxi_owners){0};
}

/* ---- asking -------------------------------------------------------------------------------------------- */

static int owner_in(const hxi_owner_stretch *s, int block)
{
    return s->rank + (block - s->first) / s->each;
}

int hxi_owners_of(const hxi_owners *owners, int block)
{
    if (owners->table) {
        return owners->table[block];
    }
    int low = 0;
    int high = owners->stretches;
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        if (owners->stretch[middle].first <= block) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return owner_in(&owners->stretch[low], block);
}

/* Of a stretch that ends before `behind`, and within first to end. */
static int count_in(const hxi_owner_stretch *s, int behind, int rank, const int within[2])
{
    const int64_t from = s->first + ((int64_t)rank - s->rank) * s->each;
    int64_t lo = from;
    int64_t hi = from + s->each;
    lo = lo > s->first ? lo : s->first;
    lo = lo > within[0] ? lo : within[0];
    hi = hi < behind ? hi : behind;
    hi = hi < within[1] ? hi : within[1];
    return hi > lo ? (int)(hi - lo) : 0;
}

int hxi_owners_count(const hxi_owners *owners, int rank, int first, int end)
{
    const int within[2] = {first, end};
    int count = 0;
    for (int b = first; owners->table && b < end; ++b) {
        count += owners->table[b] == rank;
    }
    for (int i = 0; i < owners->stretches; ++i) {
        const int behind = i + 1 < owners->stretches ? owners->stretch[i + 1].first : owners->blocks;
        count += count_in(&owners->stretch[i], behind, rank, within);
    }
    return count;
}
