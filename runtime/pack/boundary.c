#include "pack/boundary.h"

#include "base/memory.h"
#include "base/status.h"
#include "base/text.h"
#include "grid/cut.h"
#include "pack/loop_order.h"

#include <string.h>

typedef struct maker {
    const hx_spec *spec;
    int number;
    const hx_exchange *exchange;
    const hxi_layout *layout;
    const hxi_block_list *mine;
    const int *slot_of;
    int fields;
    hxi_boundary *made; /* without memory for operations: they are counted */
} maker;

/* One field of one block at one wall.  Indices are counted in the block. */
typedef struct place {
    const hx_exchange_field *item;
    const hx_field *field;
    int block; /* number among mine */
    int axis;
    int side;
    hx_fill fill;
    int points[HX_MAX_AXES]; /* that the block owns */
    int start[HX_MAX_AXES];  /* the first and the last of the grid, as far as the exchange goes */
    int end[HX_MAX_AXES];
    hxi_box box; /* the ghost points to be filled */
} place;

/* ---- neighbors ----------------------------------------------------------------------------------------- */

/* Does a tile have a neighbor there? */
static bool is_joined(const maker *m, const place *p, const signed char direction[])
{
    return hxi_cut_link(m->spec, p->item->field, m->mine->block[p->block].tile, direction) != NULL;
}

/* Is there no wall at this end (0 low, 1 high) of the block's tile? */
static bool is_open(const maker *m, const place *p, int axis, int end)
{
    signed char direction[HX_MAX_AXES] = {0};
    direction[axis] = end == 0 ? -1 : 1;
    return m->spec->periodic[axis] || is_joined(m, p, direction);
}

/*
 * Are there points to copy from?  In a corner of tiles where no neighbor is there are none, also beyond a
 * wall beside it.  direction: in which the points lie, seen from the tile.
 */
static bool is_fed(const maker *m, const place *p, const signed char direction[])
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
static void extend(const maker *m, place *p, int axis)
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
static bool find_box(const maker *m, place *p)
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

static void find_points(const maker *m, place *p)
{
    const hxi_block *block = &m->mine->block[p->block];
    const hxi_tile *tile = &m->layout->tile[block->tile];
    int index[HX_MAX_AXES];
    int tile_points[HX_MAX_AXES];
    hxi_layout_index(m->layout, block->tile, block->number, index);
    hxi_cut_points(m->spec, p->item->field, block->cells, p->points);
    hxi_cut_points(m->spec, p->item->field, tile->cells, tile_points);
    for (int a = 0; a < HX_MAX_AXES; ++a) {
        p->start[a] = -tile->cuts[a][index[a]];
        p->end[a] = p->start[a] + tile_points[a];
    }
}

/* ---- images -------------------------------------------------------------------------------------------- */

static int cells_along(const maker *m, const place *p)
{
    return m->layout->tile[m->mine->block[p->block].tile].cells[p->axis];
}

/* The sum of the indices of a point and of its mirror image. */
static int mirror_sum(const maker *m, const place *p)
{
    const int at_low_end = m->spec->positions[p->field->positions].mirror[p->axis] + 2 * p->start[p->axis];
    return at_low_end + (p->side == 0 ? 0 : 2 * cells_along(m, p));
}

static bool is_mirrored(const place *p)
{
    return p->fill == HX_FILL_MIRROR || p->fill == HX_FILL_ANTIMIRROR;
}

/* Of images; of a vector a mirror turns the component across the wall. */
static int sign_of(const place *p)
{
    const bool turned = p->field->reverses[p->axis] != 0;
    return is_mirrored(p) && (p->fill == HX_FILL_ANTIMIRROR) != turned ? -1 : 1;
}

static int image_of(const maker *m, const place *p, int index)
{
    if (is_mirrored(p)) {
        return mirror_sum(m, p) - index;
    }
    return p->side == 0 ? p->start[p->axis] : p->end[p->axis] - 1;
}

static bool is_in_stencil(const maker *m, int axis, int side)
{
    signed char direction[HX_MAX_AXES] = {0};
    direction[axis] = (signed char)side;
    bool found = m->exchange->box != 0;
    for (int d = 0; d < m->exchange->directions; ++d) {
        found = found || memcmp(m->exchange->direction[d], direction, sizeof direction) == 0;
    }
    return found;
}

/* "at the low end of axis x" */
static const char *end_name(const place *p)
{
    return p->side == 0 ? "low" : "high";
}

/* The grid is too small: images lie beyond its other end. */
static hx_status refuse_grid(const maker *m, const place *p, int farthest)
{
    const int depth = p->side == 0 ? farthest - p->start[p->axis] + 1 : p->end[p->axis] - farthest;
    const int layers = p->box.hi[p->axis] - p->box.lo[p->axis];
    const int points = p->end[p->axis] - p->start[p->axis];
    return hxi_fail(
        HX_ERR_PARTITION,
        "%s:%d: exchange \"%s\" mirrors %d layer%s of field %s (line %d) at the %s end of axis %s, "
        "which takes %d points along it; the grid has %d.  It needs more cells, or the exchange "
        "a smaller width there.",
        m->spec->file, m->exchange->line, m->exchange->name, layers, hxi_s(layers), p->field->name,
        p->field->line, end_name(p), m->spec->axis[p->axis], depth, points);
}

/* The block is too thin: images lie beyond what it has of the grid. */
static hx_status refuse_block(const maker *m, const place *p, int farthest, int least, int most)
{
    const hxi_block *block = &m->mine->block[p->block];
    return hxi_fail(
        HX_ERR_PARTITION,
        "%s:%d: exchange \"%s\" fills field %s (line %d) beyond the %s end of axis %s from points as far "
        "away as "
        "index %d of block %d, which has %d cell%s there; with the ghost points that the exchange fills it "
        "knows "
        "indices %d to %d.  Make blocks thicker along the axis, or the width the same on both sides.",
        m->spec->file, m->exchange->line, m->exchange->name, p->field->name, p->field->line, end_name(p),
        m->spec->axis[p->axis], farthest, block->number, block->cells[p->axis], hxi_s(block->cells[p->axis]),
        least, most - 1);
}

/* Are the images points that the block owns, or ghost points with neighbors? */
static hx_status check_images(const maker *m, const place *p)
{
    const int a = p->axis;
    const int first = image_of(m, p, p->box.lo[a]);
    const int last = image_of(m, p, p->box.hi[a] - 1);
    const int lo = first < last ? first : last;
    const int hi = first < last ? last : first;
    if (lo < p->start[a] || hi >= p->end[a]) {
        return refuse_grid(m, p, lo < p->start[a] ? lo : hi);
    }
    int least = is_in_stencil(m, a, -1) ? -p->item->width_lo[a] : 0;
    int most = p->points[a] + (is_in_stencil(m, a, 1) ? p->item->width_hi[a] : 0);
    least = least < p->start[a] ? p->start[a] : least;
    most = most > p->end[a] ? p->end[a] : most;
    return lo >= least && hi < most ? HX_OK : refuse_block(m, p, lo < least ? lo : hi, least, most);
}

/* ---- operations ---------------------------------------------------------------------------------------- */

/* Kernels are emitted where the generator sees a wall that needs them. */
static hx_status refuse_kernel(const maker *m, const place *p)
{
    return hxi_fail(
        HX_ERR_INTERNAL,
        "%s:%d: exchange \"%s\" fills field %s (line %d) beyond a wall, and has no kernel for it.",
        m->spec->file, m->exchange->line, m->exchange->name, p->field->name, p->field->line);
}

static int slot(const maker *m, const place *p)
{
    return p->block * m->fields + m->slot_of[p->item->field];
}

/* NULL while operations are counted. */
static hxi_boundary_op *new_op(maker *m, const place *p)
{
    hxi_boundary_op *op = m->made->op ? &m->made->op[m->made->ops] : NULL;
    m->made->ops++;
    if (op) {
        *op = (hxi_boundary_op){
            .field = p->item->field, .axis = p->axis, .on_device = p->field->on_device != 0};
    }
    return op;
}

static hx_region region_of(const maker *m, const place *p, int component, const int first[], const int turn[])
{
    int n[HX_MAX_AXES];
    for (int a = 0; a < HX_MAX_AXES; ++a) {
        n[a] = p->box.hi[a] - p->box.lo[a];
    }
    return hxi_block_region(m->spec, &m->mine->block[p->block], p->item->field, component,
                            &(hxi_subbox){first, n, NULL, turn});
}

/* Rows stay rows where the images are not turned along the fastest axis, nor changed. */
static void set_copy(const maker *m, const place *p, int component, hxi_boundary_op *op)
{
    int first[HX_MAX_AXES];
    int turn[HX_MAX_AXES];
    for (int a = 0; a < HX_MAX_AXES; ++a) {
        first[a] = a == p->axis ? image_of(m, p, p->box.lo[a]) : p->box.lo[a];
        turn[a] = a != p->axis ? 1 : is_mirrored(p) ? -1 : 0;
    }
    op->kind = HX_WALL_COPY;
    op->to = region_of(m, p, component, p->box.lo, NULL);
    op->from = region_of(m, p, component, first, turn);
    hxi_copy_op *copy = &op->run.copy;
    copy->to_slot = copy->from_slot = slot(m, p);
    copy->to = &op->to;
    copy->from = &op->from;
    copy->sign = sign_of(p);
    if (p->axis == p->field->order[0] || copy->sign < 0) {
        copy->kind = HX_OP_TURNED;
    } else {
        copy->kind = HX_OP_PLAIN;
    }
}

/* Fields on a device have none. */
static void choose_kernel(const maker *m, const place *p, hxi_boundary_op *op)
{
    const hx_kernels *kernels = p->item->kernels;
    if (op->kind == HX_WALL_ZERO) {
        op->run.zero.run.plain = kernels->zero;
    } else if (op->run.copy.kind == HX_OP_TURNED) {
        op->run.copy.run.turned = hxi_loop_order_choose(kernels, m->spec->axes, &op->to, &op->from);
    } else {
        op->run.copy.run.plain = kernels->copy;
    }
}

static void set_zero(const maker *m, const place *p, int component, hxi_boundary_op *op)
{
    op->kind = HX_WALL_ZERO;
    op->to = region_of(m, p, component, p->box.lo, NULL);
    op->run.zero.slot = slot(m, p);
    op->run.zero.to = &op->to;
}

static bool has_kernel(const hxi_boundary_op *op)
{
    if (op->kind == HX_WALL_ZERO) {
        return op->run.zero.run.plain != NULL;
    }
    const hxi_copy_op *copy = &op->run.copy;
    return copy->kind == HX_OP_TURNED ? copy->run.turned != NULL : copy->run.plain != NULL;
}

/* Fills a box of all components, one after the other where they lie apart. */
static hx_status add_box(maker *m, const place *p,
                         void (*set)(const maker *m, const place *p, int component, hxi_boundary_op *op))
{
    const int components = p->field->place > 0 ? p->field->components : 1;
    for (int component = 0; component < components; ++component) {
        hxi_boundary_op *op = new_op(m, p);
        m->made->on_device += p->field->on_device != 0;
        if (op) {
            set(m, p, component, op);
        }
        if (op && !op->on_device) {
            choose_kernel(m, p, op);
            if (!has_kernel(op)) {
                return refuse_kernel(m, p);
            }
        }
    }
    return HX_OK;
}

static hx_status add_images(maker *m, const place *p)
{
    const hx_status status = check_images(m, p);
    return status == HX_OK ? add_box(m, p, set_copy) : status;
}

/*
 * The layer on the wall itself is its own image: what a mirror keeps there it leaves alone, what it turns
 * becomes 0.
 */
static hx_status add_mirror(maker *m, const place *p)
{
    place on_wall = *p;
    place beyond = *p;
    const int a = p->axis;
    const int sum = mirror_sum(m, p);
    const int layer = p->side == 0 ? p->box.hi[a] - 1 : p->box.lo[a]; /* next to the grid */
    if (2 * layer == sum) {
        on_wall.box.lo[a] = layer;
        on_wall.box.hi[a] = layer + 1;
        beyond.box.lo[a] += p->side == 0 ? 0 : 1;
        beyond.box.hi[a] -= p->side == 0 ? 1 : 0;
    }
    hx_status status = HX_OK;
    if (2 * layer == sum && sign_of(p) < 0) {
        status = add_box(m, &on_wall, set_zero);
    }
    return status == HX_OK && !hxi_box_empty(&beyond.box) ? add_images(m, &beyond) : status;
}

static void add_hook(maker *m, const place *p)
{
    hxi_boundary_op *op = new_op(m, p);
    m->made->hooks++;
    if (op) {
        op->kind = HX_WALL_HOOK;
        op->run.hook.slot = slot(m, p);
        hx_wall *box = &op->run.hook.box;
        *box = (hx_wall){.exchange = m->number,
                         .field = p->item->field,
                         .block = p->block,
                         .axis = p->axis,
                         .side = p->side};
        memcpy(box->lo, p->box.lo, sizeof box->lo);
        memcpy(box->hi, p->box.hi, sizeof box->hi);
    }
}

static hx_status add_place(maker *m, const place *p)
{
    switch (p->fill) {
    case HX_FILL_ZERO:
        return add_box(m, p, set_zero);
    case HX_FILL_COPY:
        return add_images(m, p);
    case HX_FILL_MIRROR:
    case HX_FILL_ANTIMIRROR:
        return add_mirror(m, p);
    case HX_FILL_HOOK:
        add_hook(m, p);
        return HX_OK;
    case HX_FILL_NONE:
        break;
    }
    return HX_OK;
}

static int clamped(int value, int least, int most)
{
    return value < least ? least : value > most ? most : value;
}

/* Fills the parts of a box that have sources: apart by where they lie beside the tile, from `axis` on. */
static hx_status add_parts(maker *m, const place *p, int axis, signed char direction[])
{
    if (axis == HX_MAX_AXES) {
        return is_fed(m, p, direction) ? add_place(m, p) : HX_OK;
    }
    const int lo = p->box.lo[axis];
    const int hi = p->box.hi[axis];
    const int edge[] = {lo, clamped(p->start[axis], lo, hi), clamped(p->end[axis], lo, hi), hi};
    hx_status status = HX_OK;
    for (int side = 0; side < 3 && status == HX_OK; ++side) {
        place part = *p;
        part.box.lo[axis] = edge[side];
        part.box.hi[axis] = edge[side + 1];
        direction[axis] = (signed char)(side - 1);
        status = hxi_box_empty(&part.box) ? HX_OK : add_parts(m, &part, axis + 1, direction);
    }
    return status;
}

/* Along how many axes does the box reach beyond an end of the tile where another tile is? */
static int count_crossed(const maker *m, const place *p)
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
static hx_status add_fed(maker *m, const place *p)
{
    signed char direction[HX_MAX_AXES] = {0};
    return count_crossed(m, p) < 2 ? add_place(m, p) : add_parts(m, p, 0, direction);
}

/* All blocks at one wall. */
static hx_status add_wall(maker *m, int axis, int side)
{
    hx_status status = HX_OK;
    for (int b = 0; b < m->mine->blocks; ++b) {
        for (int i = 0; i < m->exchange->fields && status == HX_OK; ++i) {
            const hx_exchange_field *item = &m->exchange->field[i];
            place p = {.item = item,
                       .field = &m->spec->field[item->field],
                       .block = b,
                       .axis = axis,
                       .side = side,
                       .fill = m->exchange->wall[axis][side]};
            find_points(m, &p);
            if (!is_open(m, &p, axis, side) && find_box(m, &p)) {
                status = add_fed(m, &p);
            }
        }
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
    for (int axis = 0; axis < m->spec->axes; ++axis) {
        for (int side = 0; side < 2 && status == HX_OK; ++side) {
            status = add_wall(m, axis, side);
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

hx_status hxi_boundary_make(const hxi_work *work, const hxi_layout *layout, hxi_boundary *walls)
{
    const hx_spec *spec = work->spec;
    const int number = (int)(work->exchange - spec->exchange);
    *walls = (hxi_boundary){.needs_hook = needs_hook(spec, number, false),
                            .needs_hook_on = needs_hook(spec, number, true)};
    maker m = {spec, number, work->exchange, layout, work->mine, work->slot_of, work->fields, walls};
    const hx_status status = spec->list ? HX_OK : add_walls(&m); /* points of a list have no sides */
    if (status != HX_OK || walls->ops == 0) {
        return status;
    }
    walls->op = hxi_memory_get((size_t)walls->ops, sizeof *walls->op, "the walls of an exchange");
    return walls->op ? add_walls(&m) : HX_ERR_MEMORY;
}

void hxi_boundary_free(hxi_boundary *walls)
{
    hxi_memory_free(walls->op);
    *walls = (hxi_boundary){0};
}

/* ---- finish -------------------------------------------------------------------------------------------- */

void hxi_boundary_run(const hxi_boundary *walls, void *const *base, hx_wall_fn *fill, void *context)
{
    for (int i = 0; i < walls->ops; ++i) {
        const hxi_boundary_op *op = &walls->op[i];
        if (op->on_device) {
            continue;
        }
        switch (op->kind) {
        case HX_WALL_COPY:
            hxi_ops_copy(&op->run.copy, 1, base);
            break;
        case HX_WALL_ZERO:
            hxi_ops_zero(&op->run.zero, 1, base);
            break;
        case HX_WALL_HOOK: {
            hx_wall wall = op->run.hook.box;
            wall.array = base[op->run.hook.slot];
            fill(context, &wall);
            break;
        }
        }
    }
}
