/*
 * The operations of walls: which points fill a box of ghost points, and by which kernel.
 */
#include "pack/boundary_ops.h"

#include "base/status.h"
#include "base/text.h"
#include "pack/loop_order.h"

#include <string.h>

typedef hxi_boundary_maker maker;
typedef hxi_wall_box wall_box;

/* ---- images -------------------------------------------------------------------------------------------- */

/* The sum of the indices of a point and of its mirror image. */
static int mirror_sum(const maker *m, const wall_box *p)
{
    const hx_positions *positions = &m->spec->positions[p->field->positions];
    const int wall = p->side == 0 ? p->start[p->axis] : p->end[p->axis] - positions->extra[p->axis];
    return positions->mirror[p->axis] + 2 * wall;
}

static bool is_mirrored(const wall_box *p)
{
    return p->fill == HX_FILL_MIRROR || p->fill == HX_FILL_ANTIMIRROR;
}

/* Of images; of a vector a mirror turns the component across the wall. */
static int sign_of(const wall_box *p)
{
    const bool turned = p->field->reverses[p->axis] != 0;
    return is_mirrored(p) && (p->fill == HX_FILL_ANTIMIRROR) != turned ? -1 : 1;
}

static int image_of(const maker *m, const wall_box *p, int index)
{
    if (is_mirrored(p)) {
        return mirror_sum(m, p) - index;
    }
    return p->side == 0 ? p->start[p->axis] : p->end[p->axis] - 1;
}

/* The layer of the box that lies on the wall itself, counted from its low end; -1: none does. */
static int layer_on_wall(const maker *m, const wall_box *p)
{
    const int a = p->axis;
    const int nearest = p->side == 0 ? p->box.hi[a] - 1 : p->box.lo[a];
    return 2 * nearest == mirror_sum(m, p) ? nearest - p->box.lo[a] : -1;
}

void hxi_boundary_images(const hxi_boundary_maker *m, const hxi_wall_box *p, int *lo, int *hi)
{
    const int on_wall = is_mirrored(p) && layer_on_wall(m, p) >= 0;
    const int first = image_of(m, p, p->box.lo[p->axis] + (p->side == 0 ? 0 : on_wall));
    const int last = image_of(m, p, p->box.hi[p->axis] - 1 - (p->side == 0 ? on_wall : 0));
    *lo = first < last ? first : last;
    *hi = (first < last ? last : first) + 1;
    if (p->box.hi[p->axis] - p->box.lo[p->axis] == on_wall) {
        *hi = *lo; /* there is nothing but the layer on the wall */
    }
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
static const char *end_name(const wall_box *p)
{
    return p->side == 0 ? "low" : "high";
}

/* The grid is too small: images lie beyond its other end. */
static hx_status refuse_grid(const maker *m, const wall_box *p, int farthest)
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
static hx_status refuse_block(const maker *m, const wall_box *p, int farthest, int least, int most)
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
static hx_status check_images(const maker *m, const wall_box *p)
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
static hx_status refuse_kernel(const maker *m, const wall_box *p)
{
    return hxi_fail(
        HX_ERR_INTERNAL,
        "%s:%d: exchange \"%s\" fills field %s (line %d) beyond a wall, and has no kernel for it.",
        m->spec->file, m->exchange->line, m->exchange->name, p->field->name, p->field->line);
}

static int slot(const maker *m, const wall_box *p)
{
    return p->block * m->fields + m->slot_of[p->item->field];
}

/* NULL while operations are counted. */
static hxi_boundary_op *new_op(maker *m, const wall_box *p)
{
    hxi_boundary_op *op = m->made->op ? &m->made->op[m->made->ops] : NULL;
    m->made->ops++;
    if (op) {
        *op = (hxi_boundary_op){
            .field = p->item->field, .axis = p->axis, .on_device = p->field->on_device != 0};
    }
    return op;
}

static hx_region region_of(const maker *m, const wall_box *p, int component, const int first[],
                           const int turn[])
{
    int n[HX_MAX_AXES];
    for (int a = 0; a < HX_MAX_AXES; ++a) {
        n[a] = p->box.hi[a] - p->box.lo[a];
    }
    return hxi_block_region(m->spec, &m->mine->block[p->block], p->item->field, component,
                            &(hxi_subbox){first, n, NULL, turn});
}

/* Rows stay rows where the images are not turned along the fastest axis, nor changed. */
static void set_copy(const maker *m, const wall_box *p, int component, hxi_boundary_op *op)
{
    int first[HX_MAX_AXES];
    int turn[HX_MAX_AXES];
    for (int a = 0; a < HX_MAX_AXES; ++a) {
        first[a] = a == p->axis ? image_of(m, p, p->box.lo[a]) : p->box.lo[a];
        turn[a] = a != p->axis ? 1 : is_mirrored(p) ? -1 : 0;
    }
    op->kind = HX_BOUNDARY_COPY;
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
static void choose_kernel(const maker *m, const wall_box *p, hxi_boundary_op *op)
{
    const hx_kernels *zeroes = p->item->kernels;
    const hx_kernels *kernels = zeroes && zeroes->exact ? zeroes->exact : zeroes;
    if (op->kind == HX_BOUNDARY_ZERO) {
        op->run.zero.run.plain = zeroes->zero;
    } else if (op->run.copy.kind == HX_OP_TURNED) {
        op->run.copy.run.turned = hxi_loop_order_choose(kernels, m->spec->axes, &op->to, &op->from);
    } else {
        op->run.copy.run.plain = kernels->copy;
    }
}

static void set_zero(const maker *m, const wall_box *p, int component, hxi_boundary_op *op)
{
    op->kind = HX_BOUNDARY_ZERO;
    op->to = region_of(m, p, component, p->box.lo, NULL);
    op->run.zero.slot = slot(m, p);
    op->run.zero.to = &op->to;
}

static bool has_kernel(const hxi_boundary_op *op)
{
    if (op->kind == HX_BOUNDARY_ZERO) {
        return op->run.zero.run.plain != NULL;
    }
    const hxi_copy_op *copy = &op->run.copy;
    return copy->kind == HX_OP_TURNED ? copy->run.turned != NULL : copy->run.plain != NULL;
}

/* Fills a box of all components, one after the other where they lie apart. */
static hx_status add_box(maker *m, const wall_box *p,
                         void (*set)(const maker *m, const wall_box *p, int component, hxi_boundary_op *op))
{
    const int components = p->field->components_after > 0 ? p->field->components : 1;
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

static hx_status add_images(maker *m, const wall_box *p)
{
    const hx_status status = p->checked ? HX_OK : check_images(m, p);
    return status == HX_OK ? add_box(m, p, set_copy) : status;
}

/*
 * The layer on the wall itself is its own image: what a mirror keeps there it leaves alone, what it turns
 * becomes 0.
 */
static hx_status add_mirror(maker *m, const wall_box *p)
{
    wall_box on_wall = *p;
    wall_box beyond = *p;
    const int a = p->axis;
    const int layer = layer_on_wall(m, p);
    if (layer >= 0) {
        on_wall.box.lo[a] += layer;
        on_wall.box.hi[a] = on_wall.box.lo[a] + 1;
        beyond.box.lo[a] += p->side == 0 ? 0 : 1;
        beyond.box.hi[a] -= p->side == 0 ? 1 : 0;
    }
    hx_status status = HX_OK;
    if (layer >= 0 && sign_of(p) < 0) {
        status = add_box(m, &on_wall, set_zero);
    }
    return status == HX_OK && !hxi_box_empty(&beyond.box) ? add_images(m, &beyond) : status;
}

static void add_hook(maker *m, const wall_box *p)
{
    hxi_boundary_op *op = new_op(m, p);
    m->made->hooks++;
    if (op) {
        op->kind = HX_BOUNDARY_HOOK;
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

hx_status hxi_boundary_add(maker *m, const wall_box *p)
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
