#include "pack/boundary.h"

#include "base/memory.h"
#include "grid/cut.h"
#include "pack/boundary_land.h"

#include <string.h>

typedef hxi_boundary_maker maker;
typedef hxi_wall_box wall_box;

static const char purpose[] = "the walls of an exchange";

/* ---- neighbors ----------------------------------------------------------------------------------------- */

/* Does a tile have a neighbor there? */
static bool is_joined(const maker *m, const wall_box *p, const signed char direction[])
{
    return hxi_cut_link(m->spec, p->item->field, m->mine->block[p->block].tile, direction) != NULL;
}

/* Is there no wall at this end (0 low, 1 high) of the block's tile? */
static bool is_open(const maker *m, const wall_box *p, int axis, int end)
{
    signed char direction[HX_MAX_AXES] = {0};
    direction[axis] = end == 0 ? -1 : 1;
    return m->spec->periodic[axis] || is_joined(m, p, direction);
}

/*
 * Are there points to copy from?  In a corner of tiles where no neighbor is there are none, also beyond a
 * wall beside it.  direction: in which the points lie, seen from the tile.
 */
static bool is_fed(const maker *m, const wall_box *p, const signed char direction[])
{
    signed char open[HX_MAX_AXES] = {0};
    int across = 0;
    for (int a = 0; a < m->spec->axes; ++a) {
        if (direction[a] != 0 && !m->spec->periodic[a] && is_open(m, p, a, direction[a] > 0)) {
            open[a] = direction[a];
            ++across;
        }
    }
    return across < 2 || is_joined(m, p, open);
}

/* ---- boxes --------------------------------------------------------------------------------------------- */

/* Along another axis than that of the wall. */
static void extend(const maker *m, wall_box *p, int axis)
{
    p->box.lo[axis] = 0;
    p->box.hi[axis] = p->points[axis];
    /* Ghost points that only some components reach are no source for all of them, but need no source. */
    const bool lacks_source = p->item->picks && p->fill != HX_FILL_ZERO && p->fill != HX_FILL_HOOK;
    if (!m->exchange->box || lacks_source || axis >= m->spec->axes) {
        return;
    }
    const hx_fill *fill = m->exchange->wall[axis];
    const int lo = -p->item->width_lo[axis];
    const int hi = p->points[axis] + p->item->width_hi[axis];
    /* Ghost points beyond walls across later axes are not filled yet, others never. */
    const bool beyond_lo = is_open(m, p, axis, 0) || (axis < p->axis && fill[0] != HX_FILL_NONE);
    const bool beyond_hi = is_open(m, p, axis, 1) || (axis < p->axis && fill[1] != HX_FILL_NONE);
    p->box.lo[axis] = beyond_lo || lo > p->start[axis] ? lo : p->start[axis];
    p->box.hi[axis] = beyond_hi || hi < p->end[axis] ? hi : p->end[axis];
}

/* Beyond the wall itself: a block need not touch it to have ghost points there. */
static bool find_box(const maker *m, wall_box *p)
{
    for (int a = 0; a < HX_MAX_AXES; ++a) {
        if (a != p->axis) {
            extend(m, p, a);
        }
    }
    p->box.lo[p->axis] = p->side == 0 ? -p->item->width_lo[p->axis] : p->end[p->axis];
    p->box.hi[p->axis] = p->side == 0 ? p->start[p->axis] : p->points[p->axis] + p->item->width_hi[p->axis];
    return !hxi_box_empty(&p->box);
}

static void find_points(const maker *m, wall_box *p)
{
    const hxi_block *block = &m->mine->block[p->block];
    const hxi_tile *tile = &m->layout->tile[block->tile];
    int index[HX_MAX_AXES];
    int tile_points[HX_MAX_AXES];
    hxi_layout_index(m->layout, block->tile, block->number, index);
    hxi_cut_points(m->spec, p->item->field, block->cells, p->points);
    hxi_cut_points(m->spec, p->item->field, tile->cells, tile_points);
    for (int a = 0; a < HX_MAX_AXES; ++a) {
        p->start[a] = -hxi_tile_cut(tile, a, index[a]);
        p->end[a] = p->start[a] + tile_points[a];
    }
}

static int clamped(int value, int least, int most)
{
    return value < least ? least : value > most ? most : value;
}

/* Fills the parts of a box that have sources: apart by where they lie beside the tile, from `axis` on. */
static hx_status add_parts(maker *m, const wall_box *p, int axis, signed char direction[])
{
    if (axis == HX_MAX_AXES) {
        return is_fed(m, p, direction) ? hxi_boundary_add(m, p) : HX_OK;
    }
    const int lo = p->box.lo[axis];
    const int hi = p->box.hi[axis];
    const int edge[] = {lo, clamped(p->start[axis], lo, hi), clamped(p->end[axis], lo, hi), hi};
    hx_status status = HX_OK;
    for (int side = 0; side < 3 && status == HX_OK; ++side) {
        wall_box part = *p;
        part.box.lo[axis] = edge[side];
        part.box.hi[axis] = edge[side + 1];
        direction[axis] = (signed char)(side - 1);
        status = hxi_box_empty(&part.box) ? HX_OK : add_parts(m, &part, axis + 1, direction);
    }
    return status;
}

/* Along how many axes does the box reach beyond an end of the tile where another tile is? */
static int count_crossed(const maker *m, const wall_box *p)
{
    int crossed = 0;
    for (int a = 0; a < m->spec->axes; ++a) {
        const bool low = p->box.lo[a] < p->start[a] && is_open(m, p, a, 0);
        const bool high = p->box.hi[a] > p->end[a] && is_open(m, p, a, 1);
        crossed += !m->spec->periodic[a] && (low || high);
    }
    return crossed;
}

/* Only corners between two tiles' sides may lack a source. */
static hx_status add_fed(maker *m, const wall_box *p)
{
    signed char direction[HX_MAX_AXES] = {0};
    return count_crossed(m, p) < 2 ? hxi_boundary_add(m, p) : add_parts(m, p, 0, direction);
}

/* All blocks at one wall. */
static hx_status add_wall(maker *m, int axis, int side)
{
    hx_status status = HX_OK;
    for (int b = 0; b < m->mine->blocks; ++b) {
        for (int i = 0; i < m->exchange->fields && status == HX_OK; ++i) {
            const hx_exchange_field *item = &m->exchange->field[i];
            wall_box p = {.item = item,
                          .field = &m->spec->field[item->field],
                          .block = b,
                          .axis = axis,
                          .side = side,
                          .fill = m->exchange->wall[axis][side]};
            const bool at_land = m->at_land && m->at_land[b * m->exchange->fields + i];
            find_points(m, &p);
            if (!at_land && !is_open(m, &p, axis, side) && find_box(m, &p)) {
                status = add_fed(m, &p);
            }
        }
    }
    return status;
}

/* All walls of the fields of a block that have blocks without an owner beside them. */
static hx_status add_at_land(maker *m, int block)
{
    hx_status status = HX_OK;
    for (int i = 0; i < m->exchange->fields && status == HX_OK; ++i) {
        const hx_exchange_field *item = &m->exchange->field[i];
        bool is_wall[HX_MAX_AXES][2] = {{false}};
        wall_box p = {.item = item, .field = &m->spec->field[item->field], .block = block};
        find_points(m, &p);
        for (int a = 0; a < m->spec->axes; ++a) {
            is_wall[a][0] = !is_open(m, &p, a, 0);
            is_wall[a][1] = !is_open(m, &p, a, 1);
        }
        status = hxi_boundary_at_land(m, &p, is_wall, &m->at_land[block * m->exchange->fields + i]);
    }
    return status;
}

/* Axis by axis: later ones read what earlier ones have filled. */
static hx_status add_walls(maker *m)
{
    m->made->ops = 0;
    m->made->hooks = 0;
    m->made->on_device = 0;
    hx_status status = HX_OK;
    for (int b = 0; m->at_land && b < m->mine->blocks && status == HX_OK; ++b) {
        status = add_at_land(m, b);
    }
    for (int axis = 0; axis < m->spec->axes; ++axis) {
        for (int side = 0; side < 2 && status == HX_OK; ++side) {
            status = m->exchange->wall[axis][side] == HX_FILL_NONE ? HX_OK : add_wall(m, axis, side);
        }
    }
    return status;
}

static bool needs_hook(const hx_spec *spec, int number, bool on_device)
{
    const hx_exchange *exchange = &spec->exchange[number];
    bool needs = false;
    for (int i = 0; i < exchange->fields; ++i) {
        const hx_exchange_field *item = &exchange->field[i];
        const bool meant = (spec->field[item->field].on_device != 0) == on_device;
        for (int a = 0; a < spec->axes && meant; ++a) {
            needs = needs || (exchange->wall[a][0] == HX_FILL_HOOK && item->width_lo[a] > 0) ||
                    (exchange->wall[a][1] == HX_FILL_HOOK && item->width_hi[a] > 0);
        }
    }
    return needs;
}

static bool fills_any(const hx_spec *spec, const hx_exchange *exchange)
{
    bool any = false;
    for (int a = 0; a < spec->axes; ++a) {
        any = any || exchange->wall[a][0] != HX_FILL_NONE || exchange->wall[a][1] != HX_FILL_NONE;
    }
    return any;
}

hx_status hxi_boundary_make(const hxi_work *work, const hxi_layout *layout, hxi_boundary *boundary)
{
    const hx_spec *spec = work->spec;
    const int number = (int)(work->exchange - spec->exchange);
    *boundary = (hxi_boundary){.needs_hook = needs_hook(spec, number, false),
                               .needs_hook_on = needs_hook(spec, number, true)};
    maker m = {spec, number, work->exchange, layout, work->mine, work->slot_of, work->fields, boundary, NULL};
    if (layout->land > 0 && fills_any(spec, work->exchange)) {
        const size_t places = (size_t)work->mine->blocks * (size_t)work->exchange->fields;
        m.at_land = hxi_memory_get(places, sizeof *m.at_land, purpose);
        if (!m.at_land) {
            return HX_ERR_MEMORY;
        }
    }
    hx_status status = spec->list ? HX_OK : add_walls(&m); /* points of a list have no sides */
    if (status == HX_OK && boundary->ops > 0) {
        boundary->op = hxi_memory_get((size_t)boundary->ops, sizeof *boundary->op, purpose);
        status = boundary->op ? add_walls(&m) : HX_ERR_MEMORY;
    }
    hxi_memory_free(m.at_land);
    return status;
}

void hxi_boundary_free(hxi_boundary *boundary)
{
    hxi_memory_free(boundary->op);
    *boundary = (hxi_boundary){0};
}

/* ---- finish -------------------------------------------------------------------------------------------- */

void hxi_boundary_run(const hxi_boundary *boundary, void *const *base, hx_wall_fn *fill, void *context)
{
    for (int i = 0; i < boundary->ops; ++i) {
        const hxi_boundary_op *op = &boundary->op[i];
        if (op->on_device) {
            continue;
        }
        switch (op->kind) {
        case HX_BOUNDARY_COPY:
            hxi_ops_copy(&op->run.copy, 1, base);
            break;
        case HX_BOUNDARY_ZERO:
            hxi_ops_zero(&op->run.zero, 1, base);
            break;
        case HX_BOUNDARY_HOOK: {
            hx_wall wall = op->run.hook.box;
            wall.array = base[op->run.hook.slot];
            fill(context, &wall);
            break;
        }
        }
    }
}
