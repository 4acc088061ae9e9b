#include "pack/corners.h"

#include "base/memory.h"
#include "base/status.h"
#include "base/text.h"
#include "grid/cut.h"
#include "pack/loop_order.h"

typedef struct maker {
    const hx_spec *spec;
    const hx_exchange *exchange;
    const hxi_layout *layout;
    const hxi_block_list *mine;
    const int *slot_of;
    int fields;
    hxi_corners *made; /* without memory for operations: they are counted */
} maker;

/* One field of one block at one corner of its tile.  Boxes are counted in the block. */
typedef struct corner {
    int item;
    int block; /* number among mine */
    const hx_tile_link *link;
    int source_field;
    hxi_map map; /* of indices in the block */
    hxi_box to;
} corner;

static const char purpose[] = "the corners of an exchange";

/* Does a block lie in the corner of its tile that a link is for?  first: its first cell. */
static bool touches(const maker *m, const hxi_block *block, const hx_tile_link *link, int first[])
{
    const hxi_tile *tile = &m->layout->tile[block->tile];
    int index[HX_MAX_AXES];
    hxi_layout_index(m->layout, block->tile, block->number, index);
    bool found = link->tile == block->tile;
    for (int a = 0; a < HX_MAX_AXES; ++a) {
        const int side = a < m->spec->axes ? link->direction[a] : 0;
        first[a] = hxi_tile_cut(tile, a, index[a]);
        found = found && (side >= 0 || index[a] == 0) && (side <= 0 || index[a] == tile->parts[a] - 1);
    }
    return found;
}

static void find_boxes(const maker *m, const hxi_block *block, const int first[], corner *p)
{
    const hx_exchange_field *item = &m->exchange->field[p->item];
    const int *cells = m->layout->tile[block->tile].cells;
    int points[HX_MAX_AXES];
    hxi_cut_points(m->spec, item->field, block->cells, points);
    for (int a = 0; a < HX_MAX_AXES; ++a) {
        const int side = a < m->spec->axes ? p->link->direction[a] : 0;
        p->to.lo[a] = side < 0 ? -item->width_lo[a] : side > 0 ? points[a] : 0;
        p->to.hi[a] = side < 0 ? 0 : side > 0 ? points[a] + item->width_hi[a] : points[a];
    }
    p->map = hxi_map_of_link(p->link, m->spec->axes, cells, cells);
    for (int s = 0; s < HX_MAX_AXES; ++s) {
        p->map.offset[s] += p->map.turn[s] * first[p->map.axis[s]] - first[s];
    }
}

/*
 * What fills the corner lies beside it, as far from it as the halo is deep.  Where the block there is
 * thinner, part of that is not in its array, and other blocks reach into the corner, too.
 */
static hx_status check_thickness(const maker *m, const hx_exchange_field *item, const hx_tile_link *link)
{
    const hxi_tile *tile = &m->layout->tile[link->tile];
    for (int a = 0; a < m->spec->axes; ++a) {
        const int part = link->direction[a] < 0 ? 0 : tile->parts[a] - 1;
        const int cells = hxi_tile_cut(tile, a, part + 1) - hxi_tile_cut(tile, a, part);
        const int width = link->direction[a] < 0 ? item->width_lo[a] : item->width_hi[a];
        if (link->direction[a] != 0 && cells < width) {
            return hxi_fail(
                HX_ERR_PARTITION,
                "%s:%d: exchange \"%s\" fills corners of tiles %d layers deep, and part %d of tile %d "
                "along axis %s has %d cell%s; give the first and the last part as many as that.",
                m->spec->file, m->exchange->line, m->exchange->name, width, part, link->tile,
                m->spec->axis[a], cells, hxi_s(cells));
        }
    }
    return HX_OK;
}

static hx_region region_of(const maker *m, const corner *p, int field, int component, const int first[],
                           const hxi_map *map)
{
    int n[HX_MAX_AXES];
    for (int a = 0; a < HX_MAX_AXES; ++a) {
        n[a] = p->to.hi[a] - p->to.lo[a];
    }
    const hxi_subbox points = {first, n, map ? map->axis : NULL, map ? map->turn : NULL};
    return hxi_block_region(m->spec, &m->mine->block[p->block], field, component, &points);
}

static void add_op(maker *m, const corner *p, int component)
{
    hxi_corners *made = m->made;
    if (made->op) {
        const hx_exchange_field *item = &m->exchange->field[p->item];
        hxi_corner_op *kept = &made->op[made->ops];
        hxi_copy_op *op = &kept->copy;
        hx_region *to = &made->region[2 * made->ops];
        hx_region *from = to + 1;
        int first[HX_MAX_AXES];
        for (int s = 0; s < HX_MAX_AXES; ++s) {
            first[s] = hxi_map_index(&p->map, s, p->to.lo);
        }
        *to = region_of(m, p, item->field, component, p->to.lo, NULL);
        *from = region_of(m, p, p->source_field, component, first, &p->map);
        op->kind = HX_OP_TURNED;
        op->sign = p->link->sign;
        op->to_slot = p->block * m->fields + m->slot_of[item->field];
        op->from_slot = p->block * m->fields + m->slot_of[p->source_field];
        op->to = to;
        op->from = from;
        kept->field = item->field;
        kept->on_device = m->spec->field[item->field].on_device != 0;
        if (!kept->on_device) {
            const hx_kernels *kernels = item->kernels->exact ? item->kernels->exact : item->kernels;
            op->run.turned = hxi_loop_order_choose(kernels, m->spec->axes, to, from);
        }
    }
    made->ops++;
}

static void add_box(maker *m, const corner *p)
{
    const hx_field *field = &m->spec->field[m->exchange->field[p->item].field];
    const int parts = field->components_after > 0 ? field->components : 1;
    for (int part = 0; part < parts; ++part) {
        add_op(m, p, part);
    }
}

/* The side of the block on which a box lies. */
static void direction_of(const maker *m, const corner *p, const hxi_box *box, signed char direction[])
{
    int points[HX_MAX_AXES];
    hxi_cut_points(m->spec, p->source_field, m->mine->block[p->block].cells, points);
    for (int a = 0; a < HX_MAX_AXES; ++a) {
        direction[a] = (signed char)((box->lo[a] >= points[a]) - (box->hi[a] <= 0));
    }
}

/* Where blocks without an owner would feed what fills a corner, nothing fills it: only the rest is copied. */
static hx_status add_fed(maker *m, const corner *p)
{
    const hxi_block *block = &m->mine->block[p->block];
    const hx_exchange_field *item = m->exchange->field;
    while (item->field != p->source_field) {
        ++item;
    }
    const hxi_box from = hxi_map_box(&p->map, &p->to);
    signed char direction[HX_MAX_AXES];
    direction_of(m, p, &from, direction);
    const hxi_ghost ghost = {block->tile,    block->number,  p->source_field,
                             item->width_lo, item->width_hi, direction};
    hxi_pieces fed = {0};
    const hx_status status = hxi_cut(m->spec, m->layout, &ghost, &fed);
    for (int i = 0; i < fed.count && status == HX_OK; ++i) {
        const hxi_box common = hxi_box_intersect(&from, &fed.piece[i].to);
        corner part = *p;
        part.to = hxi_map_box_back(&p->map, &common);
        if (!hxi_box_empty(&common)) {
            add_box(m, &part);
        }
    }
    hxi_memory_free(fed.piece);
    return status;
}

static hx_status add_corner(maker *m, corner *p)
{
    const hx_exchange_field *item = &m->exchange->field[p->item];
    const hxi_block *block = &m->mine->block[p->block];
    int first[HX_MAX_AXES];
    if (!touches(m, block, p->link, first)) {
        return HX_OK;
    }
    p->source_field =
        p->link->component < 0 ? item->field : m->spec->field[item->field].vector[p->link->component];
    find_boxes(m, block, first, p);
    if (m->layout->land > 0) {
        return add_fed(m, p);
    }
    add_box(m, p);
    return HX_OK;
}

static hx_status check_links(const maker *m, int item, const hx_corner_links *links)
{
    const hx_exchange_field *field = &m->exchange->field[item];
    if (links->links > 0 && !m->spec->field[field->field].on_device && !field->kernels->copy_turned) {
        return hxi_fail(HX_ERR_INTERNAL, "%s:%d: exchange \"%s\" fills corners, and has no kernel for it.",
                        m->spec->file, m->exchange->line, m->exchange->name);
    }
    hx_status status = HX_OK;
    for (int l = 0; l < links->links && status == HX_OK; ++l) {
        status = check_thickness(m, field, &links->link[l]);
    }
    return status;
}

static hx_status add_fill(maker *m, const hx_corner_fill *fill)
{
    hx_status status = HX_OK;
    for (int i = 0; i < m->exchange->fields && status == HX_OK; ++i) {
        status = check_links(m, i, &fill->field[i]);
        for (int b = 0; b < m->mine->blocks; ++b) {
            for (int l = 0; l < fill->field[i].links && status == HX_OK; ++l) {
                status = add_corner(m, &(corner){.item = i, .block = b, .link = &fill->field[i].link[l]});
            }
        }
    }
    return status;
}

static hx_status add_fills(maker *m)
{
    m->made->ops = 0;
    hx_status status = HX_OK;
    for (int f = 0; f < m->exchange->corner_fills && status == HX_OK; ++f) {
        status = add_fill(m, &m->exchange->corner_fill[f]);
        m->made->first[f + 1] = m->made->ops;
    }
    return status;
}

hx_status hxi_corners_make(const hxi_work *work, const hxi_layout *layout, hxi_corners *corners)
{
    *corners = (hxi_corners){0};
    maker m = {work->spec, work->exchange, layout, work->mine, work->slot_of, work->fields, corners};
    corners->first = hxi_memory_get((size_t)m.exchange->corner_fills + 1, sizeof *corners->first, purpose);
    const hx_status status = corners->first ? add_fills(&m) : HX_ERR_MEMORY;
    if (status != HX_OK || corners->ops == 0) {
        return status;
    }
    corners->region = hxi_memory_get(2 * (size_t)corners->ops, sizeof *corners->region, purpose);
    corners->op = hxi_memory_get((size_t)corners->ops, sizeof *corners->op, purpose);
    return corners->region && corners->op ? add_fills(&m) : HX_ERR_MEMORY;
}

void hxi_corners_free(hxi_corners *corners)
{
    hxi_memory_free(corners->op);
    hxi_memory_free(corners->first);
    hxi_memory_free(corners->region);
    *corners = (hxi_corners){0};
}

void hxi_corners_run(const hxi_corners *corners, int fill, void *const *base)
{
    for (int i = corners->first[fill]; i < corners->first[fill + 1]; ++i) {
        if (!corners->op[i].on_device) {
            hxi_ops_copy(&corners->op[i].copy, 1, base);
        }
    }
}
