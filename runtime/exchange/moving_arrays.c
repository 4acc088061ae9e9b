#include "exchange/moving_arrays.h"

#include "base/memory.h"
#include "base/status.h"
#include "exchange/exchange.h"
#include "grid/cut.h"
#include "grid/points.h"

#include <stdlib.h>
#include <string.h>

void *hxi_moving_array(const hx_spec *spec, const void *fields, int block, int field)
{
    void *array;
    memcpy(&array, (const char *)fields + (size_t)block * spec->fields_size + spec->field[field].pointer,
           sizeof array);
    return array;
}

/* An array, where it is for sentences, and where its owned points lie. */
typedef struct given_array {
    const hxi_moving_end *end;
    int block;
    int field;
    void *array;
    hxi_points points;
} given_array;

static hx_status check_array(const given_array *g, const char *caller)
{
    const hx_handle *h = g->end->handle;
    const hx_field *field = &h->spec->field[g->field];
    const int rank = h->topology.rank;
    if (field->on_device) {
        return hxi_fail(HX_ERR_ARGUMENT,
                        "%s on rank %d: field %s lies in the memory of a device, and redistribution moves "
                        "fields of the host; give a null pointer for it, in source and target.",
                        caller, rank, field->name);
    }
    if ((uintptr_t)g->array % (uintptr_t)field->alignment != 0) {
        return hxi_fail(HX_ERR_ARGUMENT,
                        "%s on rank %d: the array of field %s of block %d of the %s, %p, is not aligned for "
                        "%s; give an address that is a multiple of %d.",
                        caller, rank, field->name, g->block, g->end->name, g->array, field->type,
                        field->alignment);
    }
    const hx_exchange *user =
        hxi_exchange_using(h, g->array, hxi_block_bytes(h->spec, &h->mine.block[g->block], g->field));
    if (user) {
        return hxi_fail(HX_ERR_STATE,
                        "%s:%d: exchange \"%s\" is under way on rank %d and uses field %s of block %d of the "
                        "%s; finish it before %s.",
                        h->spec->file, user->line, user->name, rank, field->name, g->block, g->end->name,
                        caller);
    }
    return HX_OK;
}

hx_status hxi_moving_arrays_check(const hxi_moving_end *end, int64_t *told, const char *caller)
{
    const hx_handle *h = end->handle;
    const hx_spec *spec = h->spec;
    if (!end->fields && h->mine.blocks > 0) {
        return hxi_fail(HX_ERR_ARGUMENT,
                        "%s on rank %d: the fields of the %s are a null pointer; give one %s_fields a block.",
                        caller, h->topology.rank, end->name, spec->name);
    }
    for (int b = 0; b < h->mine.blocks; ++b) {
        for (int f = 0; f < spec->fields; ++f) {
            const given_array given = {end, b, f, hxi_moving_array(spec, end->fields, b, f), {0}};
            if (!given.array && hxi_block_bytes(spec, &h->mine.block[b], f) == 0) {
                continue; /* of a list a rank may have no points */
            }
            told[given.array ? f : spec->fields + f] = 1;
            const hx_status status = given.array ? check_array(&given, caller) : HX_OK;
            if (status != HX_OK) {
                return status;
            }
        }
    }
    return HX_OK;
}

/* ---- do they share memory? ------------------------------------------------------------------------------ */

/* The owned points; false: there are none. */
static bool find_points(given_array *g)
{
    const hx_spec *spec = g->end->handle->spec;
    const hxi_block *block = &g->end->handle->mine.block[g->block];
    const hx_field *field = &spec->field[g->field];
    const int first[HX_MAX_AXES] = {0};
    int n[HX_MAX_AXES];
    hxi_cut_points(spec, g->field, block->cells, n);
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

static size_t list_given(const hxi_moving_end *end, given_array *given)
{
    const hx_handle *h = end->handle;
    size_t count = 0;
    for (int i = 0; i < h->mine.blocks * h->spec->fields; ++i) {
        given_array *g = &given[count];
        *g = (given_array){.end = end, .block = i / h->spec->fields, .field = i % h->spec->fields};
        g->array = hxi_moving_array(h->spec, end->fields, g->block, g->field);
        count += g->array && find_points(g);
    }
    return count;
}

static int compare_given(const void *left, const void *right)
{
    const given_array *a = left;
    const given_array *b = right;
    return (a->points.first > b->points.first) - (a->points.first < b->points.first);
}

static hx_status check_pair(const given_array *a, const given_array *b, const hxi_moving_end *target,
                            const char *caller)
{
    const hx_handle *h = target->handle;
    const char *first = h->spec->field[a->field].name;
    const char *second = h->spec->field[b->field].name;
    if (a->array == b->array) {
        return hxi_fail(HX_ERR_ARGUMENT,
                        "%s on rank %d: one array, %p, is that of field %s in the %s and of field %s in "
                        "the %s; give each its own.",
                        caller, h->topology.rank, a->array, first, a->end->name, second, b->end->name);
    }
    if ((a->end == target || b->end == target) && hxi_points_meet(&a->points, &b->points)) {
        return hxi_fail(
            HX_ERR_ARGUMENT,
            "%s on rank %d: the array of field %s of block %d of the %s, %p, and that of field %s of "
            "block %d of the %s, %p, have points in common; give each memory of its own.",
            caller, h->topology.rank, first, a->block, a->end->name, a->array, second, b->block, b->end->name,
            b->array);
    }
    return HX_OK;
}

hx_status hxi_moving_arrays_apart(const hxi_moving_end *source, const hxi_moving_end *target,
                                  const char *caller)
{
    const size_t blocks = (size_t)source->handle->mine.blocks + (size_t)target->handle->mine.blocks;
    const size_t most = blocks * (size_t)target->handle->spec->fields;
    given_array *given = hxi_memory_get(most, sizeof *given, "the arrays of a redistribution");
    if (!given) {
        return HX_ERR_MEMORY;
    }
    size_t count = list_given(target, given);
    count += list_given(source, given + count);
    qsort(given, count, sizeof *given, compare_given);
    hx_status status = HX_OK;
    for (size_t i = 0; i < count && status == HX_OK; ++i) {
        const uintptr_t end = hxi_points_end(&given[i].points);
        for (size_t k = i + 1; k < count && given[k].points.first < end && status == HX_OK; ++k) {
            status = check_pair(&given[i], &given[k], target, caller);
        }
    }
    hxi_memory_free(given);
    return status;
}
