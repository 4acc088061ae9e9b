#include "redistribution/selected.h"

#include "base/memory.h"
#include "base/saturate.h"
#include "base/status.h"
#include "base/text.h"
#include "device/array_memory.h"
#include "exchange/exchange.h"
#include "grid/cut.h"
#include "grid/points.h"
#include "redistribution/moving_arrays.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char purpose[] = "a gather or a scatter";

/* How sentences name an array. */
enum { NAME = 48 };
static const char *name_of(const hxi_selected_call *call, int number, char name[NAME])
{
    hxi_text text = {.at = name, .size = NAME};
    hxi_text_add(&text, "the array of %s %d", call->whole ? "tile" : "selection", number);
    return name;
}

/* Of a spec with fields on a device: is an array where it is to be?  what, cure: for the sentence. */
static hx_status check_place(const hxi_selected_call *call, const void *array, bool on_device,
                             const char *what, const char *cure)
{
    const hx_handle *h = call->handle;
    char fault[HX_SENTENCE / 4] = "";
    hxi_text text = {fault, sizeof fault, 0};
    const int error = h->device ? hxi_array_memory_fault(h->device, array, on_device, &text) : 0;
    if (error != 0) {
        return hxi_device_fail(h->device->calls, error, "%s: asking where %s, %p, lies", call->caller, what,
                               array);
    }
    return text.length == 0 ? HX_OK
                            : hxi_fail(HX_ERR_ARGUMENT, "%s on rank %d: %s is %s; give %s.", call->caller,
                                       h->topology.rank, what, fault, cure);
}

/* ---- a selection --------------------------------------------------------------------------------------- */

hx_status hxi_selected_check_field(const hxi_selected_call *call, int field)
{
    const hx_spec *spec = call->handle->spec;
    return field >= 0 && field < spec->fields
               ? HX_OK
               : hxi_fail(HX_ERR_ARGUMENT, "%s: field %d is none of the %d of %s, numbered from 0.",
                          call->caller, field, spec->fields, spec->file);
}

static hx_status refuse_step(const hxi_selected_call *call, int number, int axis, int step)
{
    return hxi_fail(
        HX_ERR_ARGUMENT,
        "%s on rank %d: along axis %s selection %d has points %d apart; a step is 1 or more, or 0, which "
        "means 1.",
        call->caller, call->handle->topology.rank, call->handle->spec->axis[axis], number, step);
}

static hx_status refuse_points(const hxi_selected_call *call, int number, const hxi_selection *s, int axis,
                               int points)
{
    char count[24] = "all"; /* from there on */
    if (s->n[axis] != HX_REST) {
        snprintf(count, sizeof count, "%d", s->n[axis]);
    }
    return hxi_fail(
        HX_ERR_ARGUMENT,
        "%s on rank %d: along axis %s selection %d has %s point%s from %d on, %d apart; field %s has %d, "
        "counted from 0.  HX_REST as their number takes all up to the last one.",
        call->caller, call->handle->topology.rank, call->handle->spec->axis[axis], number, count,
        hxi_s(s->n[axis]), s->first[axis], s->step[axis], call->handle->spec->field[s->field].name, points);
}

/* Along one axis, where the tile has so many points. */
static hx_status take_points(const hxi_selected_call *call, const hx_selection *given, int number, int axis,
                             hxi_selection *s)
{
    int points[HX_MAX_AXES];
    hxi_cut_points(call->handle->spec, s->field, call->handle->layout.tile[s->tile].cells, points);
    const int first = given->first[axis];
    const int step = given->step[axis] == 0 ? 1 : given->step[axis];
    const bool begins = first >= 0 && first < points[axis];
    const bool rest = given->n[axis] == HX_REST;
    if (step < 0 && given->n[axis] != 0) {
        return refuse_step(call, number, axis, step);
    }
    s->first[axis] = first;
    s->n[axis] = rest && begins ? (points[axis] - 1 - first) / step + 1 : given->n[axis];
    const bool ends =
        s->n[axis] == 0 || (begins && s->n[axis] > 0 && s->n[axis] - 1 <= (points[axis] - 1 - first) / step);
    s->step[axis] = ends && s->n[axis] < 2 ? 1 : step;
    return ends ? HX_OK : refuse_points(call, number, s, axis, points[axis]);
}

static hx_status take_all_points(const hxi_selected_call *call, const hx_selection *given, int number,
                                 hxi_selection *s)
{
    const hx_handle *h = call->handle;
    bool any = false;
    hx_status status = HX_OK;
    for (int a = 0; a < HX_MAX_AXES && status == HX_OK; ++a) {
        s->n[a] = s->step[a] = 1;
        if (a < h->spec->axes) {
            status = take_points(call, given, number, a, s);
            any = any || given->n[a] != 0;
        }
    }
    if (status == HX_OK && !any) {
        status =
            hxi_fail(HX_ERR_ARGUMENT,
                     "%s on rank %d: selection %d has 0 points along all axes; give HX_REST for all points, "
                     "or leave the selection out.",
                     call->caller, h->topology.rank, number);
    }
    return status;
}

/* ---- its array ----------------------------------------------------------------------------------------- */

/* Points side by side, in the memory order of the field. */
static void lay_densely(const hx_spec *spec, const hxi_selection *s, hx_strided_array *array)
{
    const hx_field *f = &spec->field[s->field];
    ptrdiff_t step = (ptrdiff_t)(f->size / hxi_block_elements(f));
    array->bytes = (size_t)step;
    array->components = f->components > 0 ? f->components : 1;
    for (int position = 0; position <= spec->axes; ++position) {
        if (f->components > 0 && f->components_after == position) {
            array->component_stride = step;
            step = hxi_times(step, f->components);
        }
        if (position < spec->axes) {
            const int axis = f->order[position];
            array->extent[axis] = s->n[axis];
            array->stride[axis] = step;
            step = hxi_times(step, s->n[axis]);
        }
    }
}

static hx_status check_elements(const hxi_selected_call *call, int number, const hxi_selection *s)
{
    const hx_field *f = &call->handle->spec->field[s->field];
    const hx_strided_array *a = s->array;
    const size_t bytes = (size_t)(f->size / hxi_block_elements(f));
    const int components = f->components > 0 ? f->components : 1;
    char name[NAME];
    if (!a->base) {
        return hxi_fail(HX_ERR_ARGUMENT,
                        "%s: %s on rank %d is a null pointer; give the address of its first point.",
                        call->caller, name_of(call, number, name), call->handle->topology.rank);
    }
    if (a->bytes != bytes || (uintptr_t)a->base % (uintptr_t)f->alignment != 0) {
        return hxi_fail(
            HX_ERR_ARGUMENT,
            "%s: %s on rank %d begins at %p and has elements of %zu bytes; field %s needs an address "
            "that is a multiple of %d, and elements of %zu bytes.",
            call->caller, name_of(call, number, name), call->handle->topology.rank, a->base, a->bytes,
            f->name, f->alignment, bytes);
    }
    if (a->components != components ||
        (components > 1 && (f->components_after > 0 ? a->component_stride % (ptrdiff_t)bytes != 0
                                                    : a->component_stride != (ptrdiff_t)bytes))) {
        return hxi_fail(HX_ERR_ARGUMENT, "%s: %s has %td component%s, %td bytes apart; field %s has %d%s.",
                        call->caller, name_of(call, number, name), a->components, hxi_s(a->components),
                        a->component_stride, f->name, components,
                        f->components_after > 0 ? "" : ", side by side");
    }
    return HX_OK;
}

static hx_status check_strides(const hxi_selected_call *call, int number, const hxi_selection *s)
{
    const hx_spec *spec = call->handle->spec;
    const hx_field *f = &spec->field[s->field];
    char name[NAME];
    for (int a = 0; a < spec->axes; ++a) {
        const ptrdiff_t stride = s->n[a] > 1 ? s->array->stride[a] : f->size;
        if (s->array->extent[a] < s->n[a] || stride % f->size != 0 || stride == 0) {
            return hxi_fail(
                HX_ERR_ARGUMENT,
                "%s: along axis %s %s has %td point%s, %td bytes apart; %s%s %s %d there, of %d bytes, and steps are "
                "a multiple of that.",
                call->caller, spec->axis[a], name_of(call, number, name), s->array->extent[a],
                hxi_s(s->array->extent[a]), s->array->stride[a], call->whole ? "field " : "",
                call->whole ? f->name : "it", call->whole ? "has" : "selects", s->n[a], f->size);
        }
    }
    return HX_OK;
}

hx_status hxi_selected_take(const hxi_selected_call *call, const hx_selection *given, int number,
                            hxi_selection *taken, hx_strided_array *array)
{
    const hx_handle *h = call->handle;
    *taken =
        (hxi_selection){.rank = h->topology.rank, .field = given->field, .tile = given->tile, .array = array};
    *array = given->array;
    hx_status status = hxi_selected_check_field(call, given->field);
    if (status == HX_OK && (given->tile < 0 || given->tile >= h->spec->tiles)) {
        status = hxi_fail(HX_ERR_ARGUMENT,
                          "%s on rank %d: selection %d is of tile %d; %s has %d tile%s, numbered from 0.",
                          call->caller, h->topology.rank, number, given->tile, h->spec->file, h->spec->tiles,
                          hxi_s(h->spec->tiles));
    }
    status = status == HX_OK ? take_all_points(call, given, number, taken) : status;
    if (status != HX_OK || hxi_selection_is_empty(taken)) {
        return status;
    }
    if (array->bytes == 0) {
        lay_densely(h->spec, taken, array);
    }
    status = check_elements(call, number, taken);
    status = status == HX_OK ? check_strides(call, number, taken) : status;
    char name[NAME];
    return status == HX_OK
               ? check_place(call, array->base, false, name_of(call, number, name), "memory of the host")
               : status;
}

/* ---- the arrays of blocks ------------------------------------------------------------------------------ */

static hx_status check_place_of_block(const hxi_selected_call *call, const void *array, int block, int field)
{
    const hx_spec *spec = call->handle->spec;
    char what[HX_CALL];
    hxi_text text = {.at = what, .size = sizeof what};
    hxi_text_add(&text, "the array of field %s of block %d", spec->field[field].name, block);
    return check_place(call, array, true, what, "one of cudaMalloc, or of alloc");
}

hx_status hxi_selected_check_blocks(const hxi_selected_call *call, const void *fields, int field)
{
    const hx_handle *h = call->handle;
    const hx_field *f = &h->spec->field[field];
    for (int b = 0; b < h->mine.blocks; ++b) {
        const void *array = fields ? hxi_moving_array(h->spec, fields, b, field) : NULL;
        if (!array || (uintptr_t)array % (uintptr_t)f->alignment != 0) {
            return hxi_fail(
                HX_ERR_ARGUMENT,
                "%s on rank %d: the array of field %s of block %d is %p; give an address that is a "
                "multiple of %d.",
                call->caller, h->topology.rank, f->name, b, array, f->alignment);
        }
        const hx_exchange *user =
            hxi_exchange_using(h, array, hxi_block_bytes(h->spec, &h->mine.block[b], field));
        if (user) {
            return hxi_fail(
                HX_ERR_STATE,
                "%s:%d: exchange \"%s\" is under way on rank %d and uses field %s; finish it before "
                "%s.",
                h->spec->file, user->line, user->name, h->topology.rank, f->name, call->caller);
        }
        const hx_status status = f->on_device ? check_place_of_block(call, array, b, field) : HX_OK;
        if (status != HX_OK) {
            return status;
        }
    }
    return HX_OK;
}

/* ---- memory -------------------------------------------------------------------------------------------- */

/* An array of a selection, or with block >= 0 of a block. */
typedef struct used_array {
    int block;
    int number; /* of the selection, or of the field */
    bool written;
    hxi_points points;
} used_array;

static hxi_points selected_points(const hx_spec *spec, const hxi_selection *s)
{
    const hx_field *f = &spec->field[s->field];
    hxi_points p = {.first = (uintptr_t)s->array->base, .bytes = f->size};
    for (int a = 0; a <= HX_MAX_AXES; ++a) {
        const bool components = a == HX_MAX_AXES;
        p.n[a] = !components ? s->n[a] : f->components_after > 0 && f->components > 1 ? f->components : 1;
        const ptrdiff_t stride = components ? s->array->component_stride : s->array->stride[a];
        p.stride[a] = p.n[a] == 1 ? 0 : stride < 0 ? -stride : stride;
        p.first += p.n[a] > 1 && stride < 0 ? (uintptr_t)((p.n[a] - 1) * stride) : 0;
    }
    return p;
}

static hxi_points block_points(const hx_handle *h, const void *fields, int block, int field)
{
    const hx_field *f = &h->spec->field[field];
    const hxi_block *b = &h->mine.block[block];
    const int first[HX_MAX_AXES] = {0};
    int n[HX_MAX_AXES];
    hxi_cut_points(h->spec, field, b->cells, n);
    const hxi_subbox all = {first, n, NULL, NULL};
    const hx_region region = hxi_block_region(h->spec, b, field, 0, &all);
    hxi_points p = {.first = (uintptr_t)hxi_moving_array(h->spec, fields, block, field), .bytes = f->size};
    p.first += (uintptr_t)(region.at * f->size);
    for (int a = 0; a < HX_MAX_AXES; ++a) {
        p.n[a] = n[a];
        p.stride[a] = region.stride[a] * f->size;
    }
    p.n[HX_MAX_AXES] = b->apart[field] > 0 ? f->components : 1;
    p.stride[HX_MAX_AXES] = b->apart[field] * f->size;
    return p;
}

static int compare_used(const void *left, const void *right)
{
    const used_array *a = left;
    const used_array *b = right;
    return (a->points.first > b->points.first) - (a->points.first < b->points.first);
}

static void name_used(const hxi_selected_call *call, const used_array *used, hxi_text *text)
{
    if (used->block >= 0) {
        hxi_text_add(text, "the array of field %s of block %d", call->handle->spec->field[used->number].name,
                     used->block);
    } else {
        char name[NAME];
        hxi_text_add(text, "%s", name_of(call, used->number, name));
    }
}

static hx_status check_pair(const hxi_selected_call *call, const used_array *a, const used_array *b)
{
    if ((!a->written && !b->written) || !hxi_points_meet(&a->points, &b->points)) {
        return HX_OK;
    }
    char first[HX_CALL];
    char second[HX_CALL];
    name_used(call, a, &(hxi_text){.at = first, .size = sizeof first});
    name_used(call, b, &(hxi_text){.at = second, .size = sizeof second});
    return hxi_fail(
        HX_ERR_ARGUMENT,
        "%s on rank %d: %s, from %p on, and %s, from %p on, have points in common; give each memory of "
        "its own.",
        call->caller, call->handle->topology.rank, first, (void *)a->points.first, second,
        (void *)b->points.first);
}

/* Do points of one array lie apart?  Each step is longer than all that shorter ones reach. */
static hx_status check_steps(const hxi_selected_call *call, int number, const hxi_points *points)
{
    ptrdiff_t reached = points->bytes;
    bool taken[HX_POINTS_STEPS] = {false};
    for (int i = 0; i < HX_POINTS_STEPS; ++i) {
        int next = -1;
        for (int a = 0; a < HX_POINTS_STEPS; ++a) {
            if (!taken[a] && points->n[a] > 1 && (next < 0 || points->stride[a] < points->stride[next])) {
                next = a;
            }
        }
        if (next >= 0 && points->stride[next] < reached) {
            char name[NAME];
            return hxi_fail(
                HX_ERR_ARGUMENT,
                "%s on rank %d: in %s points lie %td bytes apart %s%s, and shorter steps reach %td "
                "bytes; give strides at which no two points share memory.",
                call->caller, call->handle->topology.rank, name_of(call, number, name), points->stride[next],
                next == HX_MAX_AXES ? "from component to component" : "along axis ",
                next == HX_MAX_AXES ? "" : call->handle->spec->axis[next], reached);
        }
        if (next >= 0) {
            taken[next] = true;
            reached = hxi_plus(reached, hxi_times(points->n[next] - 1, points->stride[next]));
        }
    }
    return HX_OK;
}

hx_status hxi_selected_check_memory(const hxi_selected_call *call, const void *fields,
                                    const hxi_selection *own, int count, const unsigned char *moves)
{
    const hx_handle *h = call->handle;
    const size_t most = (size_t)count + (size_t)h->mine.blocks * (size_t)h->spec->fields;
    used_array *used = hxi_memory_get(most, sizeof *used, purpose);
    hx_status status = used ? HX_OK : HX_ERR_MEMORY;
    size_t all = 0;
    for (int i = 0; i < count && status == HX_OK; ++i) {
        if (hxi_selection_is_empty(&own[i])) {
            continue;
        }
        const hxi_points points = selected_points(h->spec, &own[i]);
        status = call->scatters ? HX_OK : check_steps(call, i, &points);
        used[all++] = (used_array){-1, i, !call->scatters, points};
    }
    for (int i = 0; i < h->mine.blocks * h->spec->fields && status == HX_OK; ++i) {
        const int block = i / h->spec->fields;
        const int field = i % h->spec->fields;
        if (moves[field]) {
            used[all++] = (used_array){block, field, call->scatters, block_points(h, fields, block, field)};
        }
    }
    if (status == HX_OK) {
        qsort(used, all, sizeof *used, compare_used);
    }
    for (size_t i = 0; i < all && status == HX_OK; ++i) {
        const uintptr_t end = hxi_points_end(&used[i].points);
        for (size_t k = i + 1; k < all && used[k].points.first < end && status == HX_OK; ++k) {
            status = check_pair(call, &used[i], &used[k]);
        }
    }
    hxi_memory_free(used);
    return status;
}

/* ---- points that two selections have ------------------------------------------------------------------- */

static int last_of(const hxi_selection *s, int axis)
{
    return s->first[axis] + (s->n[axis] - 1) * s->step[axis];
}

/* Have both a point along an axis? */
static bool meet_along(const hxi_selection *a, const hxi_selection *b, int axis)
{
    const int least = a->first[axis] > b->first[axis] ? a->first[axis] : b->first[axis];
    const int most = last_of(a, axis) < last_of(b, axis) ? last_of(a, axis) : last_of(b, axis);
    const int64_t step = a->step[axis];
    int64_t at = a->first[axis] + (least - a->first[axis] + step - 1) / step * step;
    /* After as many steps as the other one's is long all is as before. */
    for (int i = 0; i < b->step[axis] && at <= most; ++i, at += step) {
        if ((at - b->first[axis]) % b->step[axis] == 0) {
            return true;
        }
    }
    return false;
}

static bool meet(const hxi_selection *a, const hxi_selection *b)
{
    bool both = a->field == b->field && a->tile == b->tile;
    for (int axis = 0; axis < HX_MAX_AXES && both; ++axis) {
        both = meet_along(a, b, axis);
    }
    return both;
}

/* By field and tile, then by where they begin along one axis. */
static int compare_along(const hxi_selection *a, const hxi_selection *b, int axis)
{
    const int x[] = {a->field, a->tile, a->first[axis]};
    const int y[] = {b->field, b->tile, b->first[axis]};
    for (int i = 0; i < 3; ++i) {
        if (x[i] != y[i]) {
            return x[i] < y[i] ? -1 : 1;
        }
    }
    return 0;
}

static int compare_0(const void *a, const void *b)
{
    return compare_along(a, b, 0);
}

static int compare_1(const void *a, const void *b)
{
    return compare_along(a, b, 1);
}

static int compare_2(const void *a, const void *b)
{
    return compare_along(a, b, 2);
}

static int compare_3(const void *a, const void *b)
{
    return compare_along(a, b, 3);
}

/* Sorts them along the axis that keeps most of them apart, so that few have to be compared. */
static int sort_along_best(hxi_selection *all, int count, int axes)
{
    static int (*const compare[HX_MAX_AXES])(const void *, const void *) = {compare_0, compare_1, compare_2,
                                                                            compare_3};
    int best = 0;
    int most = -1;
    for (int a = 0; a < axes; ++a) {
        int steps = 0;
        qsort(all, (size_t)count, sizeof *all, compare[a]);
        for (int i = 1; i < count; ++i) {
            steps += compare[a](&all[i - 1], &all[i]) != 0;
        }
        best = steps > most ? a : best;
        most = steps > most ? steps : most;
    }
    qsort(all, (size_t)count, sizeof *all, compare[best]);
    return best;
}

hx_status hxi_selected_check_apart(const hxi_selected_call *call, hxi_selection *all, int count)
{
    if (count < 2) {
        return HX_OK;
    }
    const int axis = sort_along_best(all, count, call->handle->spec->axes);
    for (int i = 0; i < count; ++i) {
        for (int k = i + 1; k < count && all[k].field == all[i].field && all[k].tile == all[i].tile &&
                            all[k].first[axis] <= last_of(&all[i], axis);
             ++k) {
            if (meet(&all[i], &all[k])) {
                return hxi_fail(
                    HX_ERR_ARGUMENT,
                    "%s: ranks %d and %d give selections of field %s that have a point in common; give "
                    "each point once.",
                    call->caller, all[i].rank < all[k].rank ? all[i].rank : all[k].rank,
                    all[i].rank < all[k].rank ? all[k].rank : all[i].rank,
                    call->handle->spec->field[all[i].field].name);
            }
        }
    }
    return HX_OK;
}
