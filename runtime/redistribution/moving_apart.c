/*
 * Do arrays of a redistribution share memory?  Blocks may be boxes of one large array, and arrays may lie within each
 * other, so pairs are not compared one by one: arrays are sorted along one direction of memory after the other, until few
 * are left that overlap along all.
 */
#include "base/memory.h"
#include "base/status.h"
#include "grid/cut.h"
#include "grid/points.h"
#include "redistribution/moving_arrays.h"

#include <stdlib.h>

/*
 * Directions: strides that arrays have together, the longest first, then bytes.  Along each of them the points of an array
 * have places from low to high.
 */
enum { BYTES = HX_POINTS_STEPS, DIRECTIONS };

/* An array, where it is for sentences, and where those of its points lie that move. */
typedef struct placed_array {
    const hxi_moving_end *end;
    int block;
    int field;
    void *array;
    hxi_points points;
    uintptr_t key; /* by which it is sorted at the moment */
    ptrdiff_t low[DIRECTIONS];
    ptrdiff_t high[DIRECTIONS];
} placed_array;

typedef struct comparison {
    const hxi_moving_end *target;
    const char *caller;
} comparison;

/* ---- arrays ---------------------------------------------------------------------------------------------- */

/* The points that move; false: there are none. */
static bool find_points(placed_array *g)
{
    const hx_spec *spec = g->end->handle->spec;
    const hxi_block *block = &g->end->handle->mine.block[g->block];
    const hx_field *field = &spec->field[g->field];
    int first[HX_MAX_AXES] = {0};
    int n[HX_MAX_AXES];
    hxi_cut_points(spec, g->field, block->cells, n);
    for (int a = 0; a < spec->axes && g->end->halos; ++a) {
        first[a] = -field->halo_lo[a];
        n[a] += field->halo_lo[a] + field->halo_hi[a];
    }
    const hxi_subbox all = {first, n, NULL, NULL};
    const hx_region region = hxi_block_region(spec, block, g->field, 0, &all);
    hxi_points *p = &g->points;
    p->first = (uintptr_t)g->array + (uintptr_t)(region.at * field->size);
    p->bytes = field->size;
    bool any = true;
    for (int a = 0; a < HX_MAX_AXES; ++a) {
        p->n[a] = n[a];
        p->stride[a] = region.stride[a] * field->size;
        any = any && n[a] > 0;
    }
    p->n[HX_MAX_AXES] = block->apart[g->field] > 0 ? field->components : 1;
    p->stride[HX_MAX_AXES] = block->apart[g->field] * field->size;
    return any;
}

static int list_given(const hxi_moving_end *end, placed_array *given)
{
    const hx_handle *h = end->handle;
    int count = 0;
    for (int i = 0; i < h->mine.blocks * h->spec->fields; ++i) {
        placed_array *g = &given[count];
        *g = (placed_array){.end = end, .block = i / h->spec->fields, .field = i % h->spec->fields};
        g->array = hxi_moving_array(h->spec, end->fields, g->block, g->field);
        count += g->array && find_points(g);
    }
    return count;
}

static int compare_keys(const void *left, const void *right)
{
    const placed_array *a = *(placed_array *const *)left;
    const placed_array *b = *(placed_array *const *)right;
    return (a->key > b->key) - (a->key < b->key);
}

static void sort(placed_array **list, int count)
{
    qsort(list, (size_t)count, sizeof *list, compare_keys);
}

/* ---- pairs ----------------------------------------------------------------------------------------------- */

/* One array given twice, also where both are of the source. */
static hx_status check_twins(placed_array **list, int count, const comparison *c)
{
    for (int i = 0; i < count; ++i) {
        list[i]->key = (uintptr_t)list[i]->array;
    }
    sort(list, count);
    for (int i = 1; i < count; ++i) {
        const placed_array *a = list[i - 1];
        const placed_array *b = list[i];
        if (a->array == b->array) {
            const hx_handle *h = c->target->handle;
            return hxi_fail(HX_ERR_ARGUMENT,
                            "%s on rank %d: one array, %p, is that of field %s in the %s and of field %s in "
                            "the %s; give each its own.",
                            c->caller, h->topology.rank, a->array, h->spec->field[a->field].name,
                            a->end->name, h->spec->field[b->field].name, b->end->name);
        }
    }
    return HX_OK;
}

static hx_status check_pair(const placed_array *a, const placed_array *b, const comparison *c)
{
    if ((a->end != c->target && b->end != c->target) || !hxi_points_meet(&a->points, &b->points)) {
        return HX_OK;
    }
    const hx_handle *h = c->target->handle;
    return hxi_fail(HX_ERR_ARGUMENT,
                    "%s on rank %d: the array of field %s of block %d of the %s, %p, and that of field %s of "
                    "block %d of the %s, %p, have points in common; give each memory of its own.",
                    c->caller, h->topology.rank, h->spec->field[a->field].name, a->block, a->end->name,
                    a->array, h->spec->field[b->field].name, b->block, b->end->name, b->array);
}

static hx_status check_pairs(placed_array **list, int count, const comparison *c)
{
    hx_status status = HX_OK;
    for (int i = 0; i < count && status == HX_OK; ++i) {
        for (int k = i + 1; k < count && status == HX_OK; ++k) {
            status = check_pair(list[i], list[k], c);
        }
    }
    return status;
}

/* ---- directions of memory ---------------------------------------------------------------------------------- */

/* Those of an array, the longest first; then zeros. */
static void find_strides(const hxi_points *p, ptrdiff_t stride[HX_POINTS_STEPS])
{
    int count = 0;
    for (int i = 0; i < HX_POINTS_STEPS; ++i) {
        int at = p->n[i] > 1 ? count++ : -1;
        for (; at > 0 && stride[at - 1] < p->stride[i]; --at) {
            stride[at] = stride[at - 1];
        }
        if (at >= 0) {
            stride[at] = p->stride[i];
        }
    }
    for (; count < HX_POINTS_STEPS; ++count) {
        stride[count] = 0;
    }
}

/* Steps of this length that an array takes. */
static int steps_along(const hxi_points *p, ptrdiff_t stride)
{
    int steps = 0;
    for (int i = 0; i < HX_POINTS_STEPS; ++i) {
        steps += p->n[i] > 1 && p->stride[i] == stride ? p->n[i] - 1 : 0;
    }
    return steps;
}

/*
 * The places of an array, counted from an address.  False: it has other strides, or reaches from one row of a stride into
 * the next; then places say nothing.
 */
static bool place(placed_array *g, uintptr_t from, const ptrdiff_t stride[HX_POINTS_STEPS])
{
    const hxi_points *p = &g->points;
    ptrdiff_t rest = (ptrdiff_t)(p->first - from);
    ptrdiff_t inner = (ptrdiff_t)(hxi_points_end(p) - p->first);
    bool fits = true;
    for (int i = 0; i < HX_POINTS_STEPS; ++i) {
        const bool used = stride[i] > 0 && (i == 0 || stride[i] != stride[i - 1]);
        const int steps = used ? steps_along(p, stride[i]) : 0;
        g->low[i] = used ? rest / stride[i] : 0;
        g->high[i] = g->low[i] + steps + 1;
        rest -= g->low[i] * stride[i];
        inner -= steps * stride[i];
        fits = fits && (!used || rest + inner <= stride[i]);
    }
    g->low[BYTES] = rest;
    g->high[BYTES] = rest + p->bytes;
    return fits && inner == p->bytes;
}

/*
 * Those that overlap along a direction follow each other when they are sorted along it; each such group is divided along
 * the next one.  tried: directions along which these were one group.
 */
static hx_status divide(placed_array **list, int count, int direction, int tried, const comparison *c)
{
    if (count < 3 || tried == DIRECTIONS) {
        return check_pairs(list, count, c);
    }
    for (int i = 0; i < count; ++i) {
        list[i]->key = (uintptr_t)list[i]->low[direction];
    }
    sort(list, count);
    hx_status status = HX_OK;
    for (int first = 0, end = 0; first < count && status == HX_OK; first = end) {
        ptrdiff_t high = list[first]->high[direction];
        for (end = first + 1; end < count && list[end]->low[direction] < high; ++end) {
            high = list[end]->high[direction] > high ? list[end]->high[direction] : high;
        }
        const bool all = end - first == count;
        status = divide(list + first, end - first, (direction + 1) % DIRECTIONS, all ? tried + 1 : 1, c);
    }
    return status;
}

/* Arrays each of which begins before those before it have ended. */
static hx_status check_group(placed_array **list, int count, const comparison *c)
{
    ptrdiff_t stride[HX_POINTS_STEPS];
    const uintptr_t from = list[0]->points.first;
    bool placed = count > 2;
    find_strides(&list[0]->points, stride);
    for (int i = 0; i < count && placed; ++i) {
        placed = place(list[i], from, stride);
    }
    return placed ? divide(list, count, 0, 0, c) : check_pairs(list, count, c);
}

static hx_status check_all(placed_array **list, int count, const comparison *c)
{
    hx_status status = check_twins(list, count, c);
    for (int i = 0; i < count; ++i) {
        list[i]->key = list[i]->points.first;
    }
    sort(list, count);
    for (int first = 0, end = 0; first < count && status == HX_OK; first = end) {
        uintptr_t behind = hxi_points_end(&list[first]->points);
        for (end = first + 1; end < count && list[end]->points.first < behind; ++end) {
            const uintptr_t other = hxi_points_end(&list[end]->points);
            behind = other > behind ? other : behind;
        }
        status = check_group(list + first, end - first, c);
    }
    return status;
}

hx_status hxi_moving_arrays_apart(const hxi_moving_end *source, const hxi_moving_end *target,
                                  const char *caller)
{
    static const char purpose[] = "the arrays of a redistribution";
    const size_t blocks = (size_t)source->handle->mine.blocks + (size_t)target->handle->mine.blocks;
    const size_t most = blocks * (size_t)target->handle->spec->fields;
    placed_array *given = hxi_memory_get(most, sizeof *given, purpose);
    placed_array **list = hxi_memory_get(most, sizeof *list, purpose);
    hx_status status = given && list ? HX_OK : HX_ERR_MEMORY;
    if (status == HX_OK) {
        int count = list_given(target, given);
        count += list_given(source, given + count);
        for (int i = 0; i < count; ++i) {
            list[i] = &given[i];
        }
        status = check_all(list, count, &(comparison){target, caller});
    }
    hxi_memory_free(list);
    hxi_memory_free(given);
    return status;
}
