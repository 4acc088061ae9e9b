#include "layout.h"

#include "check/behind.h"

#include <stdlib.h>
#include <string.h>

/* What libhx_check is told; it has no spec's check program here. */
typedef struct judge {
    check_run run;
    hx_check_program program;
    hx_check_field *field;
    hx_part *land;
} judge;

static ptrdiff_t *stride_of(const layout *l, int block, int field)
{
    unsigned char *shape = l->shapes + (size_t)block * l->spec->shape_size;
    return (ptrdiff_t *)(void *)(shape + l->spec->shape_stride) + field * l->spec->axes;
}

/* From one component to the next, of the fields whose components lie apart; NULL: there are none. */
static ptrdiff_t *strides_apart(const layout *l, int block)
{
    unsigned char *shape = l->shapes + (size_t)block * l->spec->shape_size;
    return l->spec->shape_apart ? (ptrdiff_t *)(void *)(shape + l->spec->shape_apart) : NULL;
}

/* Elements of a point. */
static ptrdiff_t side_by_side(const hx_field *f)
{
    return f->components_after == 0 && f->components > 0 ? f->components : 1;
}

/* Fastest axis first, and behind each row, plane and so on as much padding as asked for. */
static void set_strides(layout *l, int block, int field)
{
    const hx_field *f = &l->spec->field[field];
    const box all = f->behind ? layout_owned(l, block, field) : layout_allocated(l, block, field);
    ptrdiff_t *stride = stride_of(l, block, field);
    ptrdiff_t *apart = strides_apart(l, block);
    ptrdiff_t step = side_by_side(f);
    for (int k = 0; k < l->spec->axes; ++k) {
        const int axis = f->order[k];
        stride[axis] = f->fixed_stride[axis] > 0 ? f->fixed_stride[axis] : step;
        step = stride[axis] * (all.hi[axis] - all.lo[axis]) + l->padding * side_by_side(f);
        if (apart && f->components_after == k + 1) {
            apart[field] = step;
            step *= f->components;
        }
    }
}

static void set_shapes(layout *l)
{
    l->shapes = hxi_check_allocate((size_t)l->blocks.count, l->spec->shape_size);
    for (int b = 0; b < l->blocks.count; ++b) {
        memcpy(l->shapes + (size_t)b * l->spec->shape_size, &l->part[b], sizeof l->part[b]);
        for (int f = 0; f < l->spec->fields && l->padding != LAYOUT_BEST; ++f) {
            set_strides(l, b, f);
        }
        if (l->padding == LAYOUT_BEST) {
            hx_best_strides(l->spec, &l->part[b], stride_of(l, b, 0), strides_apart(l, b));
        }
    }
}

int layout_parts(const hx_partition *p)
{
    int parts = 1;
    for (int a = 0; a < p->axes; ++a) {
        parts *= p->ranks[a];
    }
    return parts;
}

int layout_cut(const hx_partition *p, int axis, int i)
{
    if (p->cuts[axis] != NULL) {
        return p->cuts[axis][i];
    }
    const int size = p->cells[axis] / p->ranks[axis];
    const int larger = p->cells[axis] % p->ranks[axis];
    return i * size + (i < larger ? i : larger);
}

hx_part layout_part(const hx_partition *p, int tile, int block)
{
    hx_part part = {.partition = *p, .tile = tile};
    for (int k = 0; k < p->axes; ++k) {
        const int a = p->first_fastest ? k : p->axes - 1 - k;
        part.index[a] = block % p->ranks[a];
        block /= p->ranks[a];
        part.first[a] = layout_cut(p, a, part.index[a]);
        part.n[a] = layout_cut(p, a, part.index[a] + 1) - part.first[a];
    }
    return part;
}

/* land: room for blocks without an owner. */
static judge *make_judge(layout *l, int land)
{
    judge *j = hxi_check_allocate(1, sizeof *j);
    j->field = hxi_check_allocate((size_t)l->spec->fields, sizeof *j->field);
    j->land = hxi_check_allocate((size_t)land, sizeof *j->land);
    for (int f = 0; f < l->spec->fields && l->faces; ++f) {
        for (int a = 0; a < l->spec->axes; ++a) {
            j->field[f].at[a] = l->faces(l->spec, f, a) ? HX_CHECK_BOTH : HX_CHECK_CENTER;
        }
    }
    j->program = (hx_check_program){.spec = l->spec, .field = j->field};
    j->run = (check_run){.program = &j->program, .spec = l->spec, .grid = l->partition, .land = j->land};
    l->run = &j->run;
    return j;
}

void layout_make(layout *l, const layout_request *request)
{
    const hx_spec *spec = request->spec;
    *l = (layout){.spec = spec, .padding = request->padding, .faces = request->faces};
    int rank = 0;
    int all = 0;
    MPI_Comm_rank(request->comm, &rank);
    for (int t = 0; t < spec->tiles; ++t) {
        l->partition[t] = request->partition[t];
        l->partition[t].first_fastest = spec->first_fastest;
        all += layout_parts(&l->partition[t]);
    }
    l->part = hxi_check_allocate((size_t)all, sizeof *l->part);
    judge *j = make_judge(l, all);
    int number = 0;
    int count = 0;
    for (int t = 0; t < spec->tiles; ++t) {
        for (int b = 0; b < layout_parts(&l->partition[t]); ++b, ++number) {
            const int owner = request->owner != NULL ? request->owner(request->context, t, b) : number;
            if (owner == rank) {
                l->part[count++] = layout_part(&l->partition[t], t, b);
            } else if (owner < 0) {
                j->land[j->run.lands++] = layout_part(&l->partition[t], t, b);
            }
        }
    }
    l->blocks =
        (hx_blocks){request->comm, spec->tiles, l->partition, request->owner, request->context, count, NULL};
    set_shapes(l);
}

void layout_make_single(layout *l, const hx_spec *spec, MPI_Comm comm, const hx_part *mine, int padding)
{
    *l = (layout){.spec = spec, .padding = padding};
    l->partition[0] = mine->partition;
    l->part = hxi_check_allocate(1, sizeof *l->part);
    l->part[0] = *mine;
    make_judge(l, 0);
    l->blocks = (hx_blocks){comm, 1, l->partition, NULL, NULL, 1, NULL};
    set_shapes(l);
}

void layout_free(layout *l)
{
    judge *j = (judge *)(void *)l->run; /* its first member */
    free(j->field);
    free(j->land);
    free(j);
    free(l->part);
    free(l->shapes);
}

int layout_points(const layout *l, int block, int field, int axis)
{
    return hxi_check_owned(l->run, &l->part[block], field, axis);
}

box layout_allocated(const layout *l, int block, int field)
{
    box b = {{0}, {0}};
    for (int a = 0; a < l->spec->axes; ++a) {
        b.lo[a] = -l->spec->field[field].halo_lo[a];
        b.hi[a] = layout_points(l, block, field, a) + l->spec->field[field].halo_hi[a];
    }
    return b;
}

box layout_owned(const layout *l, int block, int field)
{
    box b = {{0}, {0}};
    for (int a = 0; a < l->spec->axes; ++a) {
        b.hi[a] = layout_points(l, block, field, a);
    }
    return b;
}

/* -1: the array has no place for the point. */
static ptrdiff_t find_behind(const layout *l, int block, const check_spot *spot)
{
    const check_block b = {.shape = l->shapes + (size_t)block * l->spec->shape_size};
    return hxi_check_has_place(l->run, spot)
               ? hxi_check_index_behind(l->run, &b, spot) / side_by_side(&l->spec->field[spot->field])
               : -1;
}

ptrdiff_t layout_at(const layout *l, int block, int field, const int point[])
{
    const hx_field *f = &l->spec->field[field];
    if (f->behind) {
        const check_spot spot = hxi_check_spot_at(l->run, &l->part[block], field, point);
        if (spot.sides > 0) {
            return find_behind(l, block, &spot);
        }
    }
    const ptrdiff_t *stride = stride_of(l, block, field);
    ptrdiff_t at = 0;
    for (int a = 0; a < l->spec->axes; ++a) {
        at += (point[a] + (f->behind ? 0 : f->halo_lo[a])) * stride[a];
    }
    return at / side_by_side(f);
}

size_t layout_elements(const layout *l, int block, int field)
{
    const hx_field *f = &l->spec->field[field];
    const box all = layout_allocated(l, block, field);
    int last[HX_MAX_AXES];
    if (f->behind) {
        const void *shape = l->shapes + (size_t)block * l->spec->shape_size;
        return hx_points(l->spec, shape, field) / (size_t)side_by_side(f);
    }
    for (int a = 0; a < HX_MAX_AXES; ++a) {
        last[a] = all.hi[a] - 1;
    }
    const size_t behind =
        f->components_after > 0 ? (size_t)(f->components - 1) * (size_t)strides_apart(l, block)[field] : 0;
    return (size_t)layout_at(l, block, field, last) + 1 + behind;
}

int box_next(const box *b, int axes, int point[])
{
    for (int a = 0; a < axes; ++a) {
        if (++point[a] < b->hi[a]) {
            return 1;
        }
        point[a] = b->lo[a];
    }
    return 0;
}
