#include "grid/neighbors.h"

#include "base/memory.h"
#include "base/status.h"
#include "grid/shared_points.h"

#include <stdbool.h>
#include <stdlib.h>

/*
 * The links are followed against their sense.  Where a box lies that feeds others is known in its tile; what
 * lies near it there may be fed by it, and so may what a link maps onto it from beyond another tile, and so
 * on.
 */
typedef struct search {
    const hx_spec *spec;
    const hxi_layout *layout;
    const hxi_block_list *mine;
    int reach;
    int hops_left;
    hxi_neighbors *found;
} search;

static hx_status add(search *s, int tile, int block)
{
    if (hxi_blocks_find(s->mine, tile, block) >= 0 || hxi_layout_is_land(s->layout, tile, block)) {
        return HX_OK;
    }
    hxi_neighbors *found = s->found;
    if (found->count == found->room) {
        const int room = found->room ? 2 * found->room : 64;
        hxi_neighbor *more = hxi_memory_grow(found->neighbor, (size_t)found->count, (size_t)room,
                                             sizeof *more, "the neighbors of this rank");
        if (!more) {
            return HX_ERR_MEMORY;
        }
        found->neighbor = more;
        found->room = room;
    }
    found->neighbor[found->count++] = (hxi_neighbor){tile, block};
    return HX_OK;
}

/* All blocks of a tile that lie within reach of a box. */
static hx_status add_near(search *s, int tile, const hxi_box *box)
{
    const hxi_tile *t = &s->layout->tile[tile];
    int low[HX_MAX_AXES];
    int high[HX_MAX_AXES];
    for (int a = 0; a < HX_MAX_AXES; ++a) {
        const int last = t->cells[a] - 1;
        const int from = box->lo[a] - s->reach;
        const int to = box->hi[a] - 1 + s->reach;
        if (to < 0 || from > last) {
            return HX_OK;
        }
        low[a] = hxi_layout_part(s->layout, tile, a, from < 0 ? 0 : from);
        high[a] = hxi_layout_part(s->layout, tile, a, to > last ? last : to);
    }
    int index[HX_MAX_AXES] = {low[0], low[1], low[2], low[3]};
    for (;;) {
        const hx_status status = add(s, tile, hxi_layout_block(s->layout, tile, index));
        int a = HX_MAX_AXES - 1;
        while (a >= 0 && index[a] == high[a]) {
            index[a] = low[a];
            --a;
        }
        if (status != HX_OK || a < 0) {
            return status;
        }
        ++index[a];
    }
}

/* The part of a box that lies beyond a tile in the direction of a link, within reach. */
static hxi_box beyond(const search *s, const hx_tile_link *link, const hxi_box *box)
{
    const hxi_tile *tile = &s->layout->tile[link->tile];
    hxi_box near;
    for (int a = 0; a < HX_MAX_AXES; ++a) {
        near.lo[a] = a < s->spec->axes ? -s->reach : 0;
        near.hi[a] = a < s->spec->axes ? tile->cells[a] + 1 + s->reach : 1;
    }
    const hxi_box part = hxi_box_part(box, tile->cells, link->direction);
    return hxi_box_intersect(&part, &near);
}

/* Does a link of some positions lead to sources at others?  Only components of vectors do. */
static bool leads_to(const hx_spec *spec, int positions, const hx_tile_link *link, int source_positions)
{
    if (link->component < 0) {
        return positions == source_positions;
    }
    for (int f = 0; f < spec->fields; ++f) {
        const hx_field *field = &spec->field[f];
        const int source =
            field->positions == positions && field->vector ? field->vector[link->component] : -1;
        if (source >= 0 && spec->field[source].positions == source_positions) {
            return true;
        }
    }
    return false;
}

static hx_status against(search *s, int positions, int tile, const hxi_box *box);

/* What a link of another tile maps onto the box. */
static hxi_box image_of(const search *s, const hx_tile_link *link, const hxi_box *box)
{
    const hxi_tile *t = s->layout->tile;
    const hxi_map map = hxi_map_of_link(link, s->spec->axes, t[link->tile].cells, t[link->source].cells);
    return hxi_map_box_back(&map, box);
}

static hx_status follow(search *s, int positions, const hx_tile_link *link, const hxi_box *box)
{
    const hxi_box image = image_of(s, link, box);
    const hxi_box outside = beyond(s, link, &image);
    return hxi_box_empty(&outside) ? HX_OK : against(s, positions, link->tile, &outside);
}

/* The same for points that are rewritten. */
static hx_status follow_rewritten(search *s, int positions, const hx_rewrite *rewrite, const hxi_box *box)
{
    const int *cells = s->layout->tile[rewrite->link.tile].cells;
    const hxi_box all = hxi_box_of_rewrite(rewrite, s->spec->axes, cells);
    const hxi_box image = image_of(s, &rewrite->link, box);
    const hxi_box rewritten = hxi_box_intersect(&image, &all);
    return hxi_box_empty(&rewritten) ? HX_OK : against(s, positions, rewrite->link.tile, &rewritten);
}

/* Blocks that a box of points at some positions may feed. */
static hx_status against(search *s, int positions, int tile, const hxi_box *box)
{
    hx_status status = add_near(s, tile, box);
    if (s->hops_left == 0) {
        return status;
    }
    s->hops_left--;
    for (int p = 0; p < s->spec->position_classes; ++p) {
        const hx_positions *at = &s->spec->positions[p];
        for (int i = 0; i < at->links && status == HX_OK; ++i) {
            const hx_tile_link *link = &at->link[i];
            if (link->source == tile && leads_to(s->spec, p, link, positions)) {
                status = follow(s, p, link, box);
            }
        }
        for (int i = 0; i < at->rewrites && status == HX_OK; ++i) {
            const hx_rewrite *rewrite = &at->rewrite[i];
            if (rewrite->link.source == tile && leads_to(s->spec, p, &rewrite->link, positions)) {
                status = follow_rewritten(s, p, rewrite, box);
            }
        }
    }
    s->hops_left++;
    return status;
}

static int compare_neighbors(const void *left, const void *right)
{
    const hxi_neighbor *a = left;
    const hxi_neighbor *b = right;
    if (a->tile != b->tile) {
        return a->tile < b->tile ? -1 : 1;
    }
    return (a->block > b->block) - (a->block < b->block);
}

static void keep_each_once(hxi_neighbors *found)
{
    if (found->count == 0) {
        return;
    }
    qsort(found->neighbor, (size_t)found->count, sizeof found->neighbor[0], compare_neighbors);
    int kept = 1;
    for (int i = 1; i < found->count; ++i) {
        if (compare_neighbors(&found->neighbor[i], &found->neighbor[kept - 1]) != 0) {
            found->neighbor[kept++] = found->neighbor[i];
        }
    }
    found->count = kept;
}

/* Other blocks that hold what this one does, for one exchange of shared points. */
static hx_status add_holders(search *s, const hx_exchange *exchange, const hxi_block *block,
                             hxi_pieces *pieces)
{
    hx_status status = HX_OK;
    for (int i = 0; i < exchange->fields; ++i) {
        for (int d = 0; d < exchange->directions && status == HX_OK; ++d) {
            const hxi_ghost side = {.tile = block->tile,
                                    .block = block->number,
                                    .field = exchange->field[i].field,
                                    .direction = exchange->direction[d]};
            status = hxi_shared_points_find(s->spec, s->layout, &side, exchange->shared, true, pieces);
            for (int p = 0; p < pieces->count && status == HX_OK; ++p) {
                status = add(s, pieces->piece[p].source_tile, pieces->piece[p].source_block);
            }
        }
    }
    return status;
}

/* Around the corner of many tiles they may be further away than any halo reaches. */
static hx_status add_all_holders(search *s)
{
    hxi_pieces pieces = {0};
    hx_status status = HX_OK;
    for (int e = 0; e < s->spec->exchanges; ++e) {
        const hx_exchange *exchange = &s->spec->exchange[e];
        for (int b = 0; exchange->shared && b < s->mine->blocks && status == HX_OK; ++b) {
            status = add_holders(s, exchange, &s->mine->block[b], &pieces);
        }
    }
    hxi_memory_free(pieces.piece);
    return status;
}

hx_status hxi_neighbors_find(const hx_spec *spec, const hxi_layout *layout, const hxi_block_list *mine,
                             int reach, hxi_neighbors *found)
{
    *found = (hxi_neighbors){0};
    /* One layer more: the last of both faces may be fed by the block behind the joint. */
    search s = {spec, layout, mine, reach + 1, (reach + 1) * spec->axes + 1, found};
    hx_status status = HX_OK;
    for (int b = 0; b < mine->blocks && status == HX_OK; ++b) {
        const hxi_block *block = &mine->block[b];
        int index[HX_MAX_AXES];
        hxi_layout_index(layout, block->tile, block->number, index);
        hxi_box box;
        for (int a = 0; a < HX_MAX_AXES; ++a) {
            box.lo[a] = hxi_tile_cut(&layout->tile[block->tile], a, index[a]);
            box.hi[a] = box.lo[a] + block->cells[a] + (a < spec->axes ? 1 : 0);
        }
        for (int p = 0; p < spec->position_classes && status == HX_OK; ++p) {
            status = against(&s, p, block->tile, &box);
        }
    }
    if (status == HX_OK) {
        status = add_all_holders(&s);
    }
    keep_each_once(found);
    return status;
}
