#include "grid/layout.h"

#include "base/hash.h"
#include "base/memory.h"
#include "base/status.h"
#include "base/text.h"
#include "grid/partition.h"

#include <limits.h>
#include <string.h>

/* Do numbers of blocks mean the same to the application and to the spec? */
static hx_status check_numbers(const hx_spec *spec, const hx_partition *p, int tile)
{
    if (spec->axes == 1 || !p->first_fastest == !spec->first_fastest) {
        return HX_OK;
    }
    return hxi_fail(
        HX_ERR_PARTITION,
        "The partition of tile %d numbers its blocks along axis %s first, the grid of %s along axis %s; "
        "hx_partition.first_fastest is %d and must be %d.  %s_partition sets it; ranks of a Cartesian "
        "communicator have numbers that rise along the last axis first.",
        tile, spec->axis[p->first_fastest ? 0 : spec->axes - 1], spec->file,
        spec->axis[spec->first_fastest ? 0 : spec->axes - 1], p->first_fastest, !p->first_fastest,
        spec->name);
}

/* Does a partition fit the spec? */
static hx_status check_partition(const hx_spec *spec, const hx_partition *p, int tile)
{
    if (p->axes == 0) {
        return hxi_fail(
            HX_ERR_PARTITION,
            "The partition of tile %d is empty; where it comes from shape.part, fill that with hx_decompose "
            "and %s_shape_dense.",
            tile, spec->name);
    }
    const hx_status status = hxi_partition_check(p, true);
    if (status != HX_OK) {
        return status;
    }
    if (p->axes != spec->axes) {
        return hxi_fail(
            HX_ERR_PARTITION,
            "The partition of tile %d has %d axes; the grid of %s has %d.  %s_partition makes one that fits.",
            tile, p->axes, spec->file, spec->axes, spec->name);
    }
    for (int a = 0; a < spec->axes; ++a) {
        if (spec->cells[a] != 0 && spec->cells[a] != p->cells[a]) {
            return hxi_fail(HX_ERR_PARTITION,
                            "%s fixes %d cell%s along axis %s; the partition has %d.  Change one of them.",
                            spec->file, spec->cells[a], hxi_s(spec->cells[a]), spec->axis[a], p->cells[a]);
        }
        if (!spec->decomposed[a] && p->ranks[a] != 1) {
            return hxi_fail(
                HX_ERR_PARTITION,
                "The partition has %d parts along axis %s, which %s does not decompose; set ranks[%d] to 1, "
                "or list the axis as decomposed.",
                p->ranks[a], spec->axis[a], spec->file, a);
        }
    }
    return check_numbers(spec, p, tile);
}

static hx_status check_count(const hxi_layout *layout, const hx_blocks *blocks)
{
    if (blocks->owner || blocks->owners || layout->blocks == layout->ranks) {
        return HX_OK;
    }
    char parts[HX_PRODUCT];
    return hxi_fail(
        HX_ERR_PARTITION,
        "The partition has %d block%s (%s%s) for a communicator of %d rank%s; one block a rank needs as many "
        "blocks as ranks.  Let hx_decompose choose, or say who owns what with hx_blocks.owner or owners.",
        layout->blocks, hxi_s(layout->blocks), hxi_product(layout->axes, blocks->partition[0].ranks, parts),
        layout->tiles > 1 ? " on the first tile" : "", layout->ranks, hxi_s(layout->ranks));
}

/* Are the cuts along an axis the ones that partitions without cuts have? */
static bool is_even(const hx_partition *p, int axis)
{
    bool even = true;
    for (int i = 0; p->cuts[axis] && i <= p->ranks[axis] && even; ++i) {
        even = p->cuts[axis][i] == hxi_even_cut(p->cells[axis], p->ranks[axis], i);
    }
    return even;
}

static void copy_cuts(hxi_layout *layout, const hx_partition *partition)
{
    int *cut = layout->cut;
    for (int t = 0; t < layout->tiles; ++t) {
        hxi_tile *tile = &layout->tile[t];
        for (int a = 0; a < HX_MAX_AXES; ++a) {
            const int given = a < layout->axes;
            tile->parts[a] = given ? partition[t].ranks[a] : 1;
            tile->cells[a] = given ? partition[t].cells[a] : 1;
            if (given && !is_even(&partition[t], a)) {
                const size_t ends = (size_t)tile->parts[a] + 1;
                memcpy(cut, partition[t].cuts[a], ends * sizeof *cut);
                tile->cuts[a] = cut;
                cut += ends;
            }
        }
    }
}

/* Where a link joins two sides, both have as many cells: the axes that lie along the side. */
static hx_status check_link(const hx_spec *spec, const hxi_layout *layout, const hx_tile_link *link)
{
    for (int s = 0; s < spec->axes; ++s) {
        const int axis = link->map[s].axis;
        const int cells = layout->tile[link->tile].cells[axis];
        const int source_cells = layout->tile[link->source].cells[s];
        if (link->direction[axis] == 0 && cells != source_cells) {
            return hxi_fail(
                HX_ERR_PARTITION,
                "%s joins tiles %d and %d along axis %s of the one and %s of the other; the first "
                "has %d cell%s there and the second %d.  Give both the same number.",
                spec->file, link->tile, link->source, spec->axis[axis], spec->axis[s], cells, hxi_s(cells),
                source_cells);
        }
    }
    return HX_OK;
}

static hx_status check_links(const hx_spec *spec, const hxi_layout *layout)
{
    for (int p = 0; p < spec->position_classes; ++p) {
        for (int i = 0; i < spec->positions[p].links; ++i) {
            const hx_status status = check_link(spec, layout, &spec->positions[p].link[i]);
            if (status != HX_OK) {
                return status;
            }
        }
    }
    return HX_OK;
}

static int blocks_of(const hxi_layout *layout, int tile)
{
    const int end = tile + 1 < layout->tiles ? layout->tile[tile + 1].first_block : layout->blocks;
    return end - layout->tile[tile].first_block;
}

static hx_status refuse_owner(const hxi_layout *layout, const char *word, const int at[2], int owner)
{
    return hxi_fail(HX_ERR_PARTITION,
                    "hx_blocks.%s gives block %d of tile %d to rank %d; the communicator has %d rank%s, "
                    "numbered from 0, and %d stands for no owner.",
                    word, at[1], at[0], owner, layout->ranks, hxi_s(layout->ranks), HX_NO_OWNER);
}

/* Of a table of all blocks.  Most are right, so the first one that is not is looked for later. */
static hx_status check_table(const hxi_layout *layout, const char *word, const int *table)
{
    bool sound = true;
    for (int b = 0; b < layout->blocks; ++b) {
        sound = sound & (table[b] >= HX_NO_OWNER) & (table[b] < layout->ranks);
    }
    for (int t = 0; t < layout->tiles && !sound; ++t) {
        const int *of_tile = &table[layout->tile[t].first_block];
        for (int b = 0; b < blocks_of(layout, t); ++b) {
            if (of_tile[b] < HX_NO_OWNER || of_tile[b] >= layout->ranks) {
                return refuse_owner(layout, word, (int[2]){t, b}, of_tile[b]);
            }
        }
    }
    return HX_OK;
}

/* Keeps who owns each block, and counts those that nobody does. */
static hx_status keep_owners(hxi_layout *layout, const char *word, const int *table)
{
    hx_status status = check_table(layout, word, table);
    status = status == HX_OK ? hxi_owners_make(table, layout->blocks, &layout->owners) : status;
    if (status != HX_OK) {
        return status;
    }
    layout->land = hxi_owners_count(&layout->owners, HX_NO_OWNER, 0, layout->blocks);
    return layout->land < layout->blocks
               ? HX_OK
               : hxi_fail(
                     HX_ERR_PARTITION,
                     "hx_blocks.%s gives all %d block%s of the partition no owner (%d); some block needs a "
                     "rank, 0 to %d.",
                     word, layout->blocks, hxi_s(layout->blocks), HX_NO_OWNER, layout->ranks - 1);
}

hx_status hxi_layout_find_land(hxi_layout *layout)
{
    int *table = hxi_memory_get((size_t)layout->blocks, sizeof *table, "the owners of blocks");
    if (!table) {
        return HX_ERR_MEMORY;
    }
    for (int t = 0, number = 0; t < layout->tiles; ++t) {
        const int blocks = blocks_of(layout, t);
        for (int b = 0; b < blocks; ++b) {
            table[number++] = layout->owner(layout->context, t, b);
        }
    }
    const hx_status status = keep_owners(layout, "owner", table);
    hxi_memory_free(table);
    return status;
}

/* Checks all partitions, and counts their cuts and blocks. */
static hx_status count_blocks(const hx_spec *spec, const hx_blocks *blocks, hxi_layout *layout, size_t *cuts)
{
    int64_t total = 0;
    *cuts = 0;
    for (int t = 0; t < spec->tiles; ++t) {
        const hx_partition *p = &blocks->partition[t];
        const hx_status status = check_partition(spec, p, t);
        if (status != HX_OK) {
            return status;
        }
        total += hxi_partition_parts(p);
        for (int a = 0; a < HX_MAX_AXES; ++a) {
            *cuts += a < p->axes && !is_even(p, a) ? (size_t)p->ranks[a] + 1 : 0;
        }
    }
    if (total > INT_MAX) {
        return hxi_fail(HX_ERR_LIMIT, "The partitions have %lld blocks; libhx counts up to %d.",
                        (long long)total, INT_MAX);
    }
    layout->blocks = (int)total;
    return check_count(layout, blocks);
}

/* Keeps the tiles, and where they are cut. */
static hx_status keep_tiles(const hx_blocks *blocks, size_t cuts, hxi_layout *layout)
{
    layout->tile = hxi_memory_get((size_t)layout->tiles, sizeof *layout->tile, "the tiles");
    layout->cut = hxi_memory_get(cuts, sizeof *layout->cut, "the cuts of the partition");
    if (!layout->tile || !layout->cut) {
        return HX_ERR_MEMORY;
    }
    copy_cuts(layout, blocks->partition);
    for (int t = 1; t < layout->tiles; ++t) {
        layout->tile[t].first_block =
            layout->tile[t - 1].first_block + hxi_partition_parts(&blocks->partition[t - 1]);
    }
    return HX_OK;
}

hx_status hxi_layout_make(const hx_spec *spec, const hx_blocks *blocks, int ranks, hxi_layout *layout)
{
    size_t cuts = 0;
    *layout = (hxi_layout){.axes = spec->axes,
                           .first_fastest = spec->first_fastest,
                           .tiles = spec->tiles,
                           .ranks = ranks,
                           .owner = blocks->owner,
                           .context = blocks->context,
                           .asks = blocks->owner != NULL};
    if (blocks->tiles != spec->tiles || !blocks->partition) {
        const int tiles = blocks->partition ? blocks->tiles : 0;
        return hxi_fail(HX_ERR_PARTITION,
                        "There are partitions for %d tile%s; %s has %d.  Give one for each.", tiles,
                        hxi_s(tiles), spec->file, spec->tiles);
    }
    hx_status status = count_blocks(spec, blocks, layout, &cuts);
    if (status == HX_OK && blocks->owner && blocks->owners) {
        status = hxi_fail(HX_ERR_ARGUMENT,
                          "hx_blocks.owner and hx_blocks.owners both say who owns what; give one of them.");
    }
    status = status == HX_OK ? keep_tiles(blocks, cuts, layout) : status;
    status = status == HX_OK && blocks->owners ? keep_owners(layout, "owners", blocks->owners) : status;
    return status == HX_OK ? check_links(spec, layout) : status;
}

hx_status hxi_layout_make_listed(const hxi_lists *lists, int ranks, hxi_layout *layout)
{
    *layout = (hxi_layout){.axes = 1, .tiles = 1, .ranks = ranks, .blocks = ranks, .lists = lists};
    layout->tile = hxi_memory_get(1, sizeof *layout->tile, "the tiles");
    if (!layout->tile) {
        return HX_ERR_MEMORY;
    }
    for (int a = 0; a < HX_MAX_AXES; ++a) {
        layout->tile->parts[a] = a == 0 ? ranks : 1;
    }
    return HX_OK;
}

void hxi_layout_free(hxi_layout *layout)
{
    hxi_memory_free(layout->tile);
    hxi_memory_free(layout->cut);
    hxi_owners_free(&layout->owners);
    *layout = (hxi_layout){0};
}

int hxi_layout_block(const hxi_layout *layout, int tile, const int index[])
{
    int block = 0;
    for (int i = layout->axes - 1; i >= 0; --i) {
        const int a = hxi_partition_nth_axis(layout->axes, layout->first_fastest, i);
        block = block * layout->tile[tile].parts[a] + index[a];
    }
    return block;
}

void hxi_layout_index(const hxi_layout *layout, int tile, int block, int index[])
{
    for (int i = 0; i < HX_MAX_AXES; ++i) {
        const int a = i < layout->axes ? hxi_partition_nth_axis(layout->axes, layout->first_fastest, i) : i;
        index[a] = block % layout->tile[tile].parts[a];
        block /= layout->tile[tile].parts[a];
    }
}

int hxi_layout_part(const hxi_layout *layout, int tile, int axis, int cell)
{
    const hxi_tile *t = &layout->tile[tile];
    const int even = t->cells[axis] / t->parts[axis];
    const int longer = t->cells[axis] % t->parts[axis];
    if (!t->cuts[axis]) {
        return cell < longer * (even + 1) ? cell / (even + 1) : longer + (cell - longer * (even + 1)) / even;
    }
    int low = 0;
    int high = t->parts[axis];
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        if (t->cuts[axis][middle] <= cell) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

int hxi_layout_owner(const hxi_layout *layout, int tile, int block)
{
    const int number = layout->tile[tile].first_block + block;
    if (layout->owners.blocks > 0) {
        return hxi_owners_of(&layout->owners, number);
    }
    return layout->owner ? layout->owner(layout->context, tile, block) : number;
}

bool hxi_layout_is_land(const hxi_layout *layout, int tile, int block)
{
    return (layout->land > 0 || layout->asks) && hxi_layout_owner(layout, tile, block) == HX_NO_OWNER;
}

int hxi_layout_land_of(const hxi_layout *layout, int tile)
{
    const int first = layout->tile[tile].first_block;
    return layout->land > 0
               ? hxi_owners_count(&layout->owners, HX_NO_OWNER, first, first + blocks_of(layout, tile))
               : 0;
}

int hxi_layout_owned(const hxi_layout *layout, int rank)
{
    if (layout->owners.blocks == 0) {
        return layout->owner ? -1 : 1;
    }
    return hxi_owners_count(&layout->owners, rank, 0, layout->blocks);
}

hx_status hxi_layout_check_owner(const hxi_layout *layout, int tile, int block)
{
    const int owner = hxi_layout_owner(layout, tile, block);
    if (owner == HX_NO_OWNER || (owner >= 0 && owner < layout->ranks)) {
        return HX_OK;
    }
    return refuse_owner(layout, "owner", (int[2]){tile, block}, owner);
}

uint64_t hxi_layout_hash(const hxi_layout *layout)
{
    uint64_t hash = layout->lists ? hxi_lists_hash(layout->lists) : HX_HASH_SEED;
    for (int t = 0; !layout->lists && t < layout->tiles; ++t) {
        const hxi_tile *tile = &layout->tile[t];
        for (int a = 0; a < layout->axes; ++a) {
            hash = hxi_hash(hxi_hash(hash, tile->parts[a]), tile->cells[a]);
            for (int i = 0; tile->cuts[a] && i <= tile->parts[a]; ++i) {
                hash = hxi_hash(hash, tile->cuts[a][i]);
            }
        }
    }
    return hash;
}
