#include "pack/divide.h"

#include "pack/unfit.h"

#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

/*
 * Bytes from which on a team is called.  To call one that sleeps takes up to 40 us, as long as one thread takes for
 * about so many (docs/performance.md).  Tests set fewer.
 */
#ifndef HX_DIVIDE_LEAST
#define HX_DIVIDE_LEAST (512 << 10)
#endif

enum { MOST_PULLS = 81 }; /* 3 to the power of HX_MAX_AXES */

bool hxi_divide_pays(const hxi_team *team, size_t bytes)
{
    return team->parts > 1 && bytes >= HX_DIVIDE_LEAST;
}

/* ---- a part of a box ----------------------------------------------------------------------------------- */

/* From where to where along each axis. */
typedef struct slab {
    ptrdiff_t first[HX_MAX_AXES];
    ptrdiff_t n[HX_MAX_AXES];
} slab;

/*
 * The slowest axis with as many points as there are parts is cut.  Of a slower one, which has fewer, each point is
 * shared by some of the parts.  What no axis divides goes to one of them, for each operation to another.  false: this
 * part has nothing.
 */
static bool find_slab(const hx_region *region, const hxi_cutting *cut, int number, int part, int parts,
                      slab *s)
{
    for (int a = 0; a < HX_MAX_AXES; ++a) {
        s->first[a] = 0;
        s->n[a] = region->n[a];
    }
    for (int i = cut->axes - 1; i >= cut->whole && parts > 1; --i) {
        const int axis = cut->order[i];
        const ptrdiff_t n = region->n[axis];
        if (n >= parts) {
            s->first[axis] = n * part / parts;
            s->n[axis] = n * (part + 1) / parts - s->first[axis];
            return true;
        }
        if (n > 0) {
            const ptrdiff_t at = n * part / parts;
            const int low = (int)((at * parts + n - 1) / n);
            const int high = (int)(((at + 1) * parts + n - 1) / n);
            s->first[axis] = at;
            s->n[axis] = 1;
            part -= low;
            parts = high - low;
        }
    }
    return part == number % parts;
}

/* Axes that are not cut keep their length, which two regions of a pair have of their own. */
static hx_region narrow(const hx_region *region, const hxi_cutting *cut, const slab *s)
{
    hx_region out = *region;
    for (int i = cut->whole; i < cut->axes; ++i) {
        const int axis = cut->order[i];
        out.at += s->first[axis] * region->stride[axis];
        out.n[axis] = s->n[axis];
    }
    return out;
}

/* Points of a message before the first one of a slab. */
static size_t skipped(const hx_region *region, const hxi_cutting *cut, const slab *s)
{
    ptrdiff_t points = 1;
    ptrdiff_t before = 0;
    for (int i = 0; i < cut->axes; ++i) {
        const int axis = cut->order[i];
        before += s->first[axis] * points;
        points *= region->n[axis];
    }
    return (size_t)before * cut->point;
}

/* ---- operations ---------------------------------------------------------------------------------------- */

typedef struct work {
    const void *op;
    int count;
    const hxi_sweeps *sweeps;
    void *const *base;
    unsigned char *const *buffer;
    hxi_part_fn *run;
    atomic_uintptr_t unfit;            /* the lowest address of a number that does not fit; 0: all do */
    const hxi_pack_listener *listener; /* NULL: nobody is told */
} work;

/* Of a box that is cut a part lies in the message as one run, unless it turns. */
static void tell(const hxi_pack_listener *listener, const hxi_pack_op *part)
{
    const int runs = part->kind == HX_OP_TURNED ? 0 : part->kind == HX_OP_PAIR ? 2 : 1;
    for (int run = 0; run < runs; ++run) {
        size_t bytes = part->cut.point;
        for (int i = 0; i < part->cut.axes; ++i) {
            bytes *= (size_t)part->from[run].n[part->cut.order[i]];
        }
        listener->tell(listener->data, part->offset[run], bytes);
    }
}

static void pack_part(void *data, int part, int parts)
{
    const work *w = data;
    const hxi_pack_op *op = w->op;
    for (int i = 0; i < w->count; ++i) {
        hxi_pack_op mine = op[i];
        hx_region from[2];
        hx_region to;
        slab s;
        if (op[i].kind == HX_OP_LISTED) {
            hxi_ops_pack(&mine, i % parts == part ? 1 : 0, w->base, w->buffer);
            continue;
        }
        if (!find_slab(op[i].from, &op[i].cut, i, part, parts, &s)) {
            continue;
        }
        from[0] = narrow(op[i].from, &op[i].cut, &s);
        mine.from = from;
        if (op[i].kind == HX_OP_TURNED) {
            to = narrow(op[i].to, &op[i].cut, &s);
            mine.to = &to;
        } else {
            mine.offset[0] += skipped(op[i].from, &op[i].cut, &s);
        }
        if (op[i].kind == HX_OP_PAIR) {
            from[1] = narrow(&op[i].from[1], &op[i].cut, &s);
            mine.offset[1] += skipped(&op[i].from[1], &op[i].cut, &s);
        }
        hxi_ops_pack(&mine, 1, w->base, w->buffer);
        if (w->listener) {
            tell(w->listener, &mine);
        }
    }
}

static void unpack_part(void *data, int part, int parts)
{
    const work *w = data;
    const hxi_unpack_op *op = w->op;
    for (int i = 0; i < w->count; ++i) {
        hxi_unpack_op mine = op[i];
        hx_region to[2];
        hx_region from;
        slab s;
        if (op[i].kind == HX_OP_LISTED) {
            hxi_ops_unpack(&mine, i % parts == part ? 1 : 0, w->base, w->buffer);
            continue;
        }
        if (!find_slab(op[i].to, &op[i].cut, i, part, parts, &s)) {
            continue;
        }
        to[0] = narrow(op[i].to, &op[i].cut, &s);
        mine.to = to;
        if (op[i].kind == HX_OP_TURNED) {
            from = narrow(op[i].from, &op[i].cut, &s);
            mine.from = &from;
        } else {
            mine.offset[0] += skipped(op[i].to, &op[i].cut, &s);
        }
        if (op[i].kind == HX_OP_PAIR) {
            to[1] = narrow(&op[i].to[1], &op[i].cut, &s);
            mine.offset[1] += skipped(&op[i].to[1], &op[i].cut, &s);
        }
        hxi_ops_unpack(&mine, 1, w->base, w->buffer);
    }
}

static void copy_part(void *data, int part, int parts)
{
    const work *w = data;
    const hxi_copy_op *op = w->op;
    for (int i = 0; i < w->count; ++i) {
        hxi_copy_op mine = op[i];
        hx_region to[2];
        hx_region from[2];
        slab s;
        if (op[i].kind == HX_OP_LISTED) {
            hxi_ops_copy(&mine, i % parts == part ? 1 : 0, w->base);
            continue;
        }
        if (!find_slab(op[i].to, &op[i].cut, i, part, parts, &s)) {
            continue;
        }
        for (int side = 0; side < (op[i].kind == HX_OP_PAIR ? 2 : 1); ++side) {
            to[side] = narrow(&op[i].to[side], &op[i].cut, &s);
            from[side] = narrow(&op[i].from[side], &op[i].cut, &s);
        }
        mine.to = to;
        mine.from = from;
        hxi_ops_copy(&mine, 1, w->base);
    }
}

/* ---- sweeps -------------------------------------------------------------------------------------------- */

/* Directions differ by so much in their numbers if they are on the next side across the axis. */
static int side_step(const hxi_sweep *sweep, int axis)
{
    int step = 1;
    for (int i = 0; sweep->order[i] != axis; ++i) {
        step *= 3;
    }
    return step;
}

/* Of the owned points those from `first` on, n along the axis; and the halos below and above them, or not. */
static void narrow_shell(hxi_sweep *mine, int axis, ptrdiff_t first, ptrdiff_t n, bool low, bool high)
{
    const int step = side_step(mine, axis);
    for (int d = 0; d < mine->directions; ++d) {
        hx_pull *pull = &mine->pull[d];
        if (d / step % 3 == 1 && pull->from) {
            pull->from = (const char *)pull->from + first * pull->stride[axis] * (ptrdiff_t)mine->size;
        }
    }
    mine->shell.at += first * mine->shell.stride[axis];
    mine->shell.n[axis] = n;
    mine->shell.lo[axis] = low ? mine->shell.lo[axis] : 0;
    mine->shell.hi[axis] = high ? mine->shell.hi[axis] : 0;
}

/* A slab of the rest of the shell, with the halos across the axis if it is at an end. */
static void narrow_to_part(hxi_sweep *mine, int axis, int part, int parts)
{
    const ptrdiff_t n = mine->shell.n[axis];
    const ptrdiff_t first = n * part / parts;
    narrow_shell(mine, axis, first, n * (part + 1) / parts - first, part == 0, part == parts - 1);
}

typedef struct sweeping {
    const hxi_sweep *sweep;
    void *field;
    hx_pull pull[MOST_PULLS]; /* of the whole */
} sweeping;

/* side: below, within or above the slowest axis. */
static void sweep_side(const sweeping *s, int side, int part, int parts)
{
    hxi_sweep mine = *s->sweep;
    hx_pull pull[MOST_PULLS];
    const int slow = mine.order[mine.axes - 1];
    const ptrdiff_t n = mine.shell.n[slow];
    memcpy(pull, s->pull, (size_t)mine.directions * sizeof *pull);
    mine.pull = pull;
    if (side == 1) {
        const ptrdiff_t first = n * part / parts;
        narrow_shell(&mine, slow, first, n * (part + 1) / parts - first, false, false);
    } else {
        narrow_shell(&mine, slow, side == 0 ? 0 : n, 0, side == 0, side == 2);
        narrow_to_part(&mine, mine.order[mine.axes - 2], part, parts);
    }
    mine.run(s->field, &mine.shell, pull);
}

/*
 * The halos across the slowest axis are whole planes: they are cut across the next one.  On a grid of two axes that is
 * the fastest, which sweeps do not cut: whoever has an end has its halo, too.
 */
static void sweep_part(void *data, int part, int parts)
{
    const work *w = data;
    for (int i = 0; i < w->sweeps->count; ++i) {
        const hxi_sweep *sweep = &w->sweeps->sweep[i];
        sweeping s = {.sweep = sweep, .field = w->base[sweep->slot]};
        hxi_ops_find_pulls(sweep, w->base, s.pull);
        if (sweep->axes > 2) {
            for (int side = 0; side < 3; ++side) {
                sweep_side(&s, side, part, parts);
            }
        } else {
            hxi_sweep mine = *sweep;
            mine.pull = s.pull;
            narrow_to_part(&mine, sweep->order[sweep->axes - 1], part, parts);
            mine.run(s.field, &mine.shell, s.pull);
        }
    }
}

/* ---- calls --------------------------------------------------------------------------------------------- */

static void run_part(void *data, int part, int parts)
{
    work *w = data;
    w->run(data, part, parts);
    const uintptr_t unfit = (uintptr_t)hxi_unfit_take();
    uintptr_t lowest = atomic_load(&w->unfit);
    while (unfit && (!lowest || unfit < lowest) && !atomic_compare_exchange_weak(&w->unfit, &lowest, unfit)) {
    }
}

/* What threads of the team find is passed on to this one. */
static void run(hxi_team *team, work *w, hxi_part_fn *part)
{
    w->run = part;
    hxi_team_run(team, run_part, w);
    const uintptr_t unfit = atomic_load(&w->unfit);
    if (unfit) {
        hx_does_not_fit((const void *)unfit);
    }
}

void hxi_divide_pack_by(hxi_team *team, size_t bytes, const hxi_pack_op *op, int count, void *const *base,
                        unsigned char *const *buffer)
{
    work w = {.op = op, .count = count, .base = base, .buffer = buffer};
    if (count > 0 && hxi_divide_pays(team, bytes)) {
        run(team, &w, pack_part);
    } else {
        hxi_ops_pack(op, count, base, buffer);
    }
}

void hxi_divide_pack_and_tell(hxi_team *team, size_t bytes, const hxi_packing *p)
{
    work w = {.op = p->op, .count = p->count, .base = p->base, .buffer = p->buffer, .listener = &p->listener};
    if (p->count > 0 && hxi_divide_pays(team, bytes)) {
        run(team, &w, pack_part);
    } else {
        hxi_ops_pack(p->op, p->count, p->base, p->buffer);
    }
}

void hxi_divide_unpack_by(hxi_team *team, size_t bytes, const hxi_unpack_op *op, int count, void *const *base,
                          unsigned char *const *buffer)
{
    work w = {.op = op, .count = count, .base = base, .buffer = buffer};
    if (count > 0 && hxi_divide_pays(team, bytes)) {
        run(team, &w, unpack_part);
    } else {
        hxi_ops_unpack(op, count, base, buffer);
    }
}

void hxi_divide_copy_by(hxi_team *team, size_t bytes, const hxi_copy_op *op, int count, void *const *base)
{
    work w = {.op = op, .count = count, .base = base};
    if (count > 0 && hxi_divide_pays(team, bytes)) {
        run(team, &w, copy_part);
    } else {
        hxi_ops_copy(op, count, base);
    }
}

/* One call of the team for both. */
static void sweep_and_copy_part(void *data, int part, int parts)
{
    sweep_part(data, part, parts);
    copy_part(data, part, parts);
}

void hxi_divide_copy_within_by(hxi_team *team, size_t bytes, const hxi_ops *ops, void *const *base)
{
    work w = {.op = ops->copy, .count = ops->copies, .sweeps = &ops->sweeps, .base = base};
    if (ops->copies + ops->sweeps.count > 0 && hxi_divide_pays(team, bytes)) {
        run(team, &w, sweep_and_copy_part);
    } else {
        hxi_ops_copy_within(ops, base);
    }
}
