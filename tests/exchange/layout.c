#include "layout.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *allocate(size_t size)
{
    void *memory = calloc(1, size > 0 ? size : 1);
    if (memory == NULL) {
        fprintf(stderr, "the test is out of memory\n");
        abort();
    }
    return memory;
}

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
    return f->place == 0 && f->components > 0 ? f->components : 1;
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
        if (apart && f->place == k + 1) {
            apart[field] = step;
            step *= f->components;
        }
    }
}

static void set_shapes(layout *l)
{
    l->shapes = allocate((size_t)l->blocks.count * l->spec->shape_size);
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

static int parts_of(const hx_partition *p)
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

static hx_part part_of(const hx_partition *p, int tile, int block)
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
        all += parts_of(&l->partition[t]);
    }
    l->part = allocate((size_t)all * sizeof *l->part);
    int number = 0;
    int count = 0;
    for (int t = 0; t < spec->tiles; ++t) {
        for (int b = 0; b < parts_of(&l->partition[t]); ++b, ++number) {
            if ((request->owner != NULL ? request->owner(request->context, t, b) : number) == rank) {
                l->part[count++] = part_of(&l->partition[t], t, b);
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
    l->part = allocate(sizeof *l->part);
    l->part[0] = *mine;
    l->blocks = (hx_blocks){comm, 1, l->partition, NULL, NULL, 1, NULL};
    set_shapes(l);
}

void layout_free(layout *l)
{
    free(l->part);
    free(l->shapes);
}

int layout_points(const layout *l, int block, int field, int axis)
{
    return l->part[block].n[axis] + (l->faces != NULL ? l->faces(l->spec, field, axis) : 0);
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

/* Is there a block on a side of this one, maybe itself? */
static int has_neighbor(const layout *l, int block, int axis, int above)
{
    const hx_part *part = &l->part[block];
    const int end = above ? l->partition[part->tile].cells[axis] : 0;
    return l->spec->periodic[axis] || (above ? part->first[axis] + part->n[axis] : part->first[axis]) != end;
}

/*
 * Ghost points behind the owned ones: sides are gone through as they lie in memory, slowest axis first, until
 * the one across which the point lies.  point: NULL for the end of them all.  -1: the point has no place.
 */
static ptrdiff_t find_behind(const layout *l, int block, int field, const int point[])
{
    const hx_field *f = &l->spec->field[field];
    const box own = layout_owned(l, block, field);
    ptrdiff_t at = 1;
    for (int a = 0; a < l->spec->axes; ++a) {
        at += (own.hi[a] - 1) * stride_of(l, block, field)[a] / side_by_side(f);
    }
    for (int side = 2 * l->spec->axes - 1; side >= 0; --side) {
        const int axis = f->order[side / 2];
        const int above = side % 2 == 0;
        box plane = own;
        plane.lo[axis] = above ? own.hi[axis] : -f->halo_lo[axis];
        plane.hi[axis] = above ? own.hi[axis] + f->halo_hi[axis] : 0;
        ptrdiff_t step = 1;
        ptrdiff_t within = 0;
        int inside = point != NULL;
        for (int k = 0; k < l->spec->axes; ++k) {
            const int a = f->order[k];
            inside = inside && point[a] >= plane.lo[a] && point[a] < plane.hi[a];
            within += inside ? (point[a] - plane.lo[a]) * step : 0;
            step *= plane.hi[a] - plane.lo[a];
        }
        const int there = has_neighbor(l, block, axis, above);
        if (inside) {
            return there ? at + within : -1;
        }
        at += there ? step : 0;
    }
    return point == NULL ? at : -1;
}

static int is_owned(const layout *l, int block, int field, const int point[])
{
    const box own = layout_owned(l, block, field);
    int inside = 1;
    for (int a = 0; a < l->spec->axes; ++a) {
        inside = inside && point[a] >= 0 && point[a] < own.hi[a];
    }
    return inside;
}

ptrdiff_t layout_at(const layout *l, int block, int field, const int point[])
{
    const ptrdiff_t *stride = stride_of(l, block, field);
    const int behind = l->spec->field[field].behind;
    if (behind && !is_owned(l, block, field, point)) {
        return find_behind(l, block, field, point);
    }
    ptrdiff_t at = 0;
    for (int a = 0; a < l->spec->axes; ++a) {
        at += (point[a] + (behind ? 0 : l->spec->field[field].halo_lo[a])) * stride[a];
    }
    return at / side_by_side(&l->spec->field[field]);
}

size_t layout_elements(const layout *l, int block, int field)
{
    const hx_field *f = &l->spec->field[field];
    const box all = layout_allocated(l, block, field);
    int last[HX_MAX_AXES];
    if (f->behind) {
        return (size_t)find_behind(l, block, field, NULL);
    }
    for (int a = 0; a < HX_MAX_AXES; ++a) {
        last[a] = all.hi[a] - 1;
    }
    const size_t behind =
        f->place > 0 ? (size_t)(f->components - 1) * (size_t)strides_apart(l, block)[field] : 0;
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
