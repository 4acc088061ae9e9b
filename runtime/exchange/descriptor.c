#include "exchange/descriptor.h"

#include "audit/value.h"
#include "base/devices.h"
#include "base/hash.h"
#include "base/status.h"
#include "exchange/table_ends.h"
#include "exchange/table_sums.h"
#include "exchange/types.h"

#include <limits.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

typedef struct checker {
    const hx_spec *spec;
    bool sound;
    char flaw[HX_SENTENCE / 4]; /* the first, in words */
} checker;

/* A number between two others. */
static bool expect(checker *c, long value, long first, long last, const char *format, ...) HX_PRINTF(5, 6);

static bool expect(checker *c, long value, long first, long last, const char *format, ...)
{
    if (c->sound && (value < first || value > last)) {
        char place[HX_SENTENCE / 8];
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(place, sizeof place, format, arguments);
        va_end(arguments);
        snprintf(c->flaw, sizeof c->flaw, "%s is %ld", place, value);
        c->sound = false;
    }
    return c->sound;
}

/* Anything else; the words say what is wrong if it does not hold. */
static void require(checker *c, bool holds, const char *format, ...) HX_PRINTF(3, 4);

static void require(checker *c, bool holds, const char *format, ...)
{
    if (c->sound && !holds) {
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(c->flaw, sizeof c->flaw, format, arguments);
        va_end(arguments);
        c->sound = false;
    }
}

static bool is_permutation(const int order[], int count)
{
    int seen = 0;
    for (int i = 0; i < count; ++i) {
        seen |= order[i] >= 0 && order[i] < count ? 1 << order[i] : 0;
    }
    return seen == (1 << count) - 1;
}

static bool is_power_of_two(int number)
{
    return number > 0 && (number & (number - 1)) == 0;
}

enum { HX_PLACE = 96 };

/* where: of the table that the link is in. */
static void check_link(checker *c, const hx_tile_link *l, const char *where, int number)
{
    const hx_spec *spec = c->spec;
    expect(c, l->tile, 0, spec->tiles - 1, "%s[%d].tile", where, number);
    expect(c, l->source, 0, spec->tiles - 1, "%s[%d].source", where, number);
    expect(c, l->component, -1, spec->axes - 1, "%s[%d].component", where, number);
    require(c, l->sign == 1 || l->sign == -1, "%s[%d].sign is %d", where, number, l->sign);
    for (int a = 0; a < spec->axes; ++a) {
        const hx_axis_map *map = &l->map[a];
        expect(c, l->direction[a], -1, 1, "%s[%d].direction[%d]", where, number, a);
        expect(c, map->axis, 0, spec->axes - 1, "%s[%d].map[%d].axis", where, number, a);
        require(c, map->sign == 1 || map->sign == -1, "%s[%d].map[%d].sign is %d", where, number, a,
                map->sign);
    }
}

static void check_positions(checker *c, int number)
{
    const hx_positions *p = &c->spec->positions[number];
    char links[HX_PLACE];
    char rewrites[HX_PLACE];
    snprintf(links, sizeof links, "positions[%d].link", number);
    snprintf(rewrites, sizeof rewrites, "positions[%d].rewrite", number);
    for (int a = 0; a < c->spec->axes; ++a) {
        expect(c, p->extra[a], 0, 1, "positions[%d].extra[%d]", number, a);
    }
    expect(c, p->links, 0, INT_MAX, "positions[%d].links", number);
    require(c, p->links == 0 || p->link, "positions[%d].link is null", number);
    for (int i = 0; i < p->links && c->sound; ++i) {
        check_link(c, &p->link[i], links, i);
    }
    expect(c, p->rewrites, 0, INT_MAX, "positions[%d].rewrites", number);
    require(c, p->rewrites == 0 || p->rewrite, "positions[%d].rewrite is null", number);
    for (int i = 0; i < p->rewrites && c->sound; ++i) {
        check_link(c, &p->rewrite[i].link, rewrites, i);
    }
}

/* The fields that links name as components of the field's vector. */
static void check_vector(checker *c, int number, const hx_tile_link *l)
{
    const int *vector = c->spec->field[number].vector;
    require(c, l->component < 0 || (vector && vector[l->component] >= 0),
            "field[%d].vector has no component %d, which a link of its positions names", number,
            l->component);
}

static void check_vectors(checker *c, int number)
{
    const hx_positions *p = &c->spec->positions[c->spec->field[number].positions];
    for (int i = 0; i < p->links && c->sound; ++i) {
        check_vector(c, number, &p->link[i]);
    }
    for (int i = 0; i < p->rewrites && c->sound; ++i) {
        check_vector(c, number, &p->rewrite[i].link);
    }
}

static void check_components(checker *c, int number)
{
    const hx_field *f = &c->spec->field[number];
    expect(c, f->components, f->components_after > 0 ? 1 : 0, INT_MAX, "field[%d].components", number);
    expect(c, f->components_after, 0, c->spec->axes, "field[%d].components_after", number);
    require(c, f->components == 0 || f->components_after > 0 || f->size % f->components == 0,
            "field[%d].size is %d, for %d components", number, f->size, f->components);
    require(c, f->components_after == 0 || c->spec->shape_apart > 0,
            "shape_apart is 0, and field[%d].components_after is not", number);
}

/* What the language refuses where ghost points lie behind the owned ones. */
static void check_behind(checker *c, int number)
{
    const hx_field *f = &c->spec->field[number];
    expect(c, f->behind, 0, 1, "field[%d].behind", number);
    require(
        c, !f->behind || (c->spec->tiles == 1 && !c->spec->list && !f->on_device && f->components_after == 0),
        "field[%d].behind is 1, of a list, of tiles, on a device or with components apart", number);
}

/* ... in an exchange. */
static void check_behind_item(checker *c, int exchange, int number)
{
    const hx_exchange *e = &c->spec->exchange[exchange];
    const hx_exchange_field *item = &e->field[number];
    for (int d = 0; d < e->directions && c->spec->field[item->field].behind; ++d) {
        int sides = 0;
        int reached = !item->picks || item->picks[d].count > 0;
        for (int a = 0; a < c->spec->axes; ++a) {
            const int side = e->direction[d][a];
            const int width = side < 0 ? item->width_lo[a] : side > 0 ? item->width_hi[a] : 1;
            sides += side != 0;
            reached = reached && width > 0;
        }
        require(c, sides < 2 || !reached,
                "exchange[%d].direction[%d] has edges of field[%d], which has planes only", exchange, d,
                item->field);
    }
    for (int a = 0; a < c->spec->axes && c->spec->field[item->field].behind; ++a) {
        require(c,
                (e->wall[a][0] == HX_FILL_NONE || item->width_lo[a] == 0) &&
                    (e->wall[a][1] == HX_FILL_NONE || item->width_hi[a] == 0),
                "exchange[%d].wall[%d] is of field[%d], which has no planes there", exchange, a, item->field);
    }
}

static void check_field(checker *c, int number)
{
    const hx_spec *spec = c->spec;
    const hx_field *f = &spec->field[number];
    require(c, f->name && f->type, "the name or the type of field[%d] is null", number);
    expect(c, f->size, 1, INT_MAX, "field[%d].size", number);
    require(c, is_power_of_two(f->alignment), "field[%d].alignment is %d", number, f->alignment);
    expect(c, f->positions, 0, spec->position_classes - 1, "field[%d].positions", number);
    require(c, is_permutation(f->order, spec->axes), "field[%d].order does not name each axis once", number);
    require(c, spec->fields_size >= sizeof(void *) && f->pointer <= spec->fields_size - sizeof(void *),
            "field[%d].pointer is %zu, in a struct of %zu bytes", number, f->pointer, spec->fields_size);
    check_components(c, number);
    check_behind(c, number);
    for (int a = 0; a < spec->axes; ++a) {
        expect(c, f->halo_lo[a], 0, INT_MAX, "field[%d].halo_lo[%d]", number, a);
        expect(c, f->halo_hi[a], 0, INT_MAX, "field[%d].halo_hi[%d]", number, a);
        expect(c, f->padding[a], 0, INT_MAX, "field[%d].padding[%d]", number, a);
        expect(c, f->vector ? f->vector[a] : -1, -1, spec->fields - 1, "field[%d].vector[%d]", number, a);
    }
    if (c->sound) {
        check_vectors(c, number);
    }
}

/* Of the components of a point, those that travel in each direction. */
static void check_picks(checker *c, int exchange, int number)
{
    const hx_exchange *e = &c->spec->exchange[exchange];
    const hx_picks *picks = e->field[number].picks;
    const hx_field *f = &c->spec->field[e->field[number].field];
    for (int d = 0; picks && d < e->directions && c->sound; ++d) {
        expect(c, picks[d].count, 0, f->components, "exchange[%d].field[%d].picks[%d].count", exchange,
               number, d);
        require(c, picks[d].count == 0 || picks[d].component,
                "exchange[%d].field[%d].picks[%d].component is null", exchange, number, d);
        for (int i = 0; c->sound && i < picks[d].count; ++i) {
            expect(c, picks[d].component[i], i > 0 ? picks[d].component[i - 1] + 1 : 0, f->components - 1,
                   "exchange[%d].field[%d].picks[%d].component[%d]", exchange, number, d, i);
        }
    }
}

/* Is the type made of numbers that are longer than those of a format? */
static bool is_shorter(const hx_field *field, hx_wire wire)
{
    const char *type = field->type;
    const hxi_value_kind kind = hxi_value_kind_of(field);
    const bool wide = kind == HX_VALUE_DOUBLE || strcmp(type, "hx_complex128") == 0;
    const bool real = wide || kind == HX_VALUE_FLOAT || strcmp(type, "hx_complex64") == 0;
    const bool whole = kind == HX_VALUE_SIGNED || kind == HX_VALUE_UNSIGNED;
    if (wire >= HX_WIRE_INT8) {
        return whole && hxi_value_size(field) > 1 << (wire - HX_WIRE_INT8);
    }
    return wide || (real && wire != HX_WIRE_FLOAT);
}

/* How its numbers travel. */
static void check_wire(checker *c, int exchange, int number)
{
    const hx_exchange *e = &c->spec->exchange[exchange];
    const hx_exchange_field *item = &e->field[number];
    const hx_field *f = &c->spec->field[item->field];
    if (!c->sound || !expect(c, (int)item->wire, HX_WIRE_NOT, HX_WIRE_INT32, "exchange[%d].field[%d].wire",
                             exchange, number)) {
        return;
    }
    const bool rounds = item->wire != HX_WIRE_NOT;
    require(c, !rounds || is_shorter(f, item->wire), "exchange[%d].field[%d].wire is %d, of %s", exchange,
            number, (int)item->wire, f->type);
    const bool adds = e->operation == HX_ADD && item->wire < HX_WIRE_INT8;
    require(c, !rounds || ((e->operation == HX_COPY || adds) && e->shared == HX_SHARED_NOT),
            "exchange[%d].field[%d].wire is %d, and the exchange neither copies nor adds what is rounded",
            exchange, number, (int)item->wire);
    require(c, !item->kernels || rounds == (item->kernels->exact != NULL),
            "exchange[%d].field[%d].kernels->exact does not go with wire %d", exchange, number,
            (int)item->wire);
}

static void check_item(checker *c, int exchange, int number)
{
    const hx_exchange_field *item = &c->spec->exchange[exchange].field[number];
    const hx_listing *listing = item->kernels ? item->kernels->listing : NULL;
    if (!expect(c, item->field, 0, c->spec->fields - 1, "exchange[%d].field[%d].field", exchange, number)) {
        return;
    }
    const hx_field *f = &c->spec->field[item->field];
    require(c, item->kernels || f->on_device, "exchange[%d].field[%d].kernels is null", exchange, number);
    require(c,
            !c->spec->list || f->on_device || (listing && listing->pack && listing->unpack && listing->copy),
            "exchange[%d].field[%d].kernels has no kernels for lists of points", exchange, number);
    for (int a = 0; a < c->spec->axes; ++a) {
        expect(c, item->width_lo[a], 0, f->halo_lo[a], "exchange[%d].field[%d].width_lo[%d]", exchange,
               number, a);
        expect(c, item->width_hi[a], 0, f->halo_hi[a], "exchange[%d].field[%d].width_hi[%d]", exchange,
               number, a);
    }
    check_picks(c, exchange, number);
    check_behind_item(c, exchange, number);
    check_wire(c, exchange, number);
}

static void check_corners(checker *c, int exchange, int fill, int item)
{
    const hx_corner_links *list = &c->spec->exchange[exchange].corner_fill[fill].field[item];
    char links[HX_PLACE];
    snprintf(links, sizeof links, "exchange[%d].corner_fill[%d].field[%d].link", exchange, fill, item);
    require(c, list->links == 0 || list->link, "%s is null", links);
    for (int i = 0; i < list->links && c->sound; ++i) {
        check_link(c, &list->link[i], links, i);
        check_vector(c, c->spec->exchange[exchange].field[item].field, &list->link[i]);
    }
}

static void check_corner_fill(checker *c, int exchange, int number)
{
    const hx_exchange *e = &c->spec->exchange[exchange];
    const hx_corner_fill *fill = &e->corner_fill[number];
    require(c, fill->axis && fill->field, "exchange[%d].corner_fill[%d] has a null pointer", exchange,
            number);
    require(c, fill->fields == e->fields, "exchange[%d].corner_fill[%d] has %d fields, the exchange %d",
            exchange, number, fill->fields, e->fields);
    for (int i = 0; i < e->fields && c->sound; ++i) {
        check_corners(c, exchange, number, i);
    }
}

/* Directions that a grid of so many axes has. */
static int most_directions(int axes)
{
    int count = 1;
    for (int a = 0; a < axes; ++a) {
        count *= 3;
    }
    return count - 1;
}

static void check_exchange(checker *c, int number)
{
    const hx_exchange *e = &c->spec->exchange[number];
    require(c, e->name, "exchange[%d].name is null", number);
    expect(c, e->fields, 1, c->spec->fields, "exchange[%d].fields", number);
    expect(c, e->directions, 0, most_directions(c->spec->axes), "exchange[%d].directions", number);
    require(c, e->field && (e->directions == 0 || e->direction),
            "the fields or the directions of exchange[%d] are null", number);
    expect(c, (long)e->operation, HX_COPY, HX_MAX, "exchange[%d].operation", number);
    expect(c, e->keeps, 0, 1, "exchange[%d].keeps", number);
    for (int a = 0; a < c->spec->axes; ++a) {
        for (int side = 0; side < 2; ++side) {
            expect(c, (long)e->wall[a][side], HX_FILL_NONE, HX_FILL_HOOK, "exchange[%d].wall[%d][%d]", number,
                   a, side);
        }
    }
    for (int d = 0; d < e->directions && c->sound; ++d) {
        for (int a = 0; a < c->spec->axes; ++a) {
            expect(c, e->direction[d][a], -1, 1, "exchange[%d].direction[%d][%d]", number, d, a);
        }
    }
    for (int i = 0; i < e->fields && c->sound; ++i) {
        check_item(c, number, i);
    }
    require(c, e->corner_fills <= 0 || e->corner_fill, "exchange[%d].corner_fill is null", number);
    for (int i = 0; i < e->corner_fills && c->sound; ++i) {
        check_corner_fill(c, number, i);
    }
}

/* What kernels of devices cannot do is refused when a spec is generated. */
static void check_devices(checker *c)
{
    const hx_spec *spec = c->spec;
    require(c, !hxi_device_has(spec, NULL) || spec->cuda,
            "fields lie in the memory of a device, and there are no kernels");
    for (int f = 0; f < spec->fields && c->sound; ++f) {
        const int *vector = spec->field[f].vector;
        for (int a = 0; a < spec->axes && vector; ++a) {
            const int other = vector[a] < 0 ? f : vector[a];
            require(c, !spec->field[other].on_device == !spec->field[f].on_device,
                    "the components field[%d] and field[%d] of a vector lie in different memories", f, other);
        }
    }
}

/* What the language allows of fields, and of exchanges. */
enum { HX_MOST_NAMES = 1000 };

/* Strides lie in the struct of a shape, behind its part. */
static void check_sizes(checker *c)
{
    const hx_spec *spec = c->spec;
    const size_t apart = c->sound ? (size_t)spec->fields * sizeof(ptrdiff_t) : 0;
    const size_t stride = c->sound ? apart * (size_t)spec->axes : 0;
    require(c,
            stride <= spec->shape_size && spec->shape_stride >= sizeof(hx_part) &&
                spec->shape_stride <= spec->shape_size - stride,
            "shape_stride is %zu, in a struct of %zu bytes", spec->shape_stride, spec->shape_size);
    require(c,
            spec->shape_apart == 0 ||
                (spec->shape_apart >= sizeof(hx_part) && spec->shape_apart <= spec->shape_size - apart),
            "shape_apart is %zu, in a struct of %zu bytes", spec->shape_apart, spec->shape_size);
}

static void check_layers(checker *c, const hx_layers *layers, int rows, const char *where, int number)
{
    require(c, layers != NULL, "cycle[%d].%s is null", number, where);
    for (int r = 0; c->sound && r < rows; ++r) {
        for (int a = 0; a < c->spec->axes; ++a) {
            expect(c, layers[r].lo[a], 0, HX_MAX_CELLS, "cycle[%d].%s[%d].lo[%d]", number, where, r, a);
            expect(c, layers[r].hi[a], 0, HX_MAX_CELLS, "cycle[%d].%s[%d].hi[%d]", number, where, r, a);
        }
    }
}

static void check_cycle(checker *c, int number)
{
    const hx_cycle *cycle = &c->spec->cycle[number];
    expect(c, cycle->exchange, 0, c->spec->exchanges - 1, "cycle[%d].exchange", number);
    expect(c, cycle->most, 1, HX_MOST_NAMES, "cycle[%d].most", number);
    expect(c, cycle->steps, 1, HX_MOST_NAMES, "cycle[%d].steps", number);
    require(c, cycle->name && cycle->step, "cycle[%d].name or its step is null", number);
    expect(c, cycle->ended, 0, c->spec->cycles - 1, "cycle[%d].ended", number);
    require(c, cycle->ends || cycle->ended == 0, "cycle[%d].ends is null", number);
    for (int i = 0; c->sound && i < cycle->ended; ++i) {
        expect(c, cycle->ends[i], 0, c->spec->cycles - 1, "cycle[%d].ends[%d]", number, i);
    }
    for (int s = 0; c->sound && s < cycle->steps; ++s) {
        require(c, cycle->step[s].name != NULL, "cycle[%d].step[%d].name is null", number, s);
        check_layers(c, cycle->step[s].layers, cycle->most, "step->layers", number);
    }
    if (c->sound) {
        check_layers(c, cycle->needs, cycle->most * c->spec->exchange[cycle->exchange].fields, "needs",
                     number);
    }
}

/* Each field can be moved to other blocks, and to arrays of the host. */
static void check_any(checker *c)
{
    const hx_spec *spec = c->spec;
    require(c, spec->any || spec->list || spec->sum == 0, "any is null");
    for (int f = 0; f < spec->fields && spec->any && c->sound; ++f) {
        const hx_kernels *k = spec->any[f];
        require(c, k && k->pack && k->unpack && k->copy && k->copy_turned, "any[%d] lacks a kernel", f);
    }
}

static void check_spec(checker *c)
{
    const hx_spec *spec = c->spec;
    expect(c, spec->list, 0, 1, "list");
    expect(c, spec->axes, 1, spec->list ? 2 : HX_MAX_AXES, "axes");
    expect(c, spec->tiles, 1, spec->list ? 1 : INT_MAX, "tiles");
    expect(c, spec->fields, 1, HX_MOST_NAMES, "fields");
    expect(c, spec->position_classes, 1, spec->fields, "position_classes");
    expect(c, spec->exchanges, 1, HX_MOST_NAMES, "exchanges");
    check_sizes(c);
    require(c, spec->positions && spec->field && spec->exchange, "positions, field or exchange is null");
    for (int a = 0; a < spec->axes && c->sound; ++a) {
        require(c, spec->axis[a], "axis[%d] is null", a);
        expect(c, spec->cells[a], 0, HX_MAX_CELLS, "cells[%d]", a);
    }
    for (int i = 0; c->sound && i < spec->position_classes; ++i) {
        check_positions(c, i);
    }
    for (int i = 0; c->sound && i < spec->fields; ++i) {
        check_field(c, i);
    }
    for (int i = 0; c->sound && i < spec->exchanges; ++i) {
        check_exchange(c, i);
    }
    expect(c, spec->cycles, 0, HX_MOST_NAMES, "cycles");
    require(c, spec->cycles == 0 || (spec->cycle && !spec->list), "cycle is null, or of a list");
    for (int i = 0; c->sound && i < spec->cycles; ++i) {
        check_cycle(c, i);
    }
    if (c->sound) {
        check_devices(c);
    }
    check_any(c);
}

/* ---- what only emitted tables have --------------------------------------------------------------------- */

static void check_type(checker *c, int number)
{
    const hx_field *f = &c->spec->field[number];
    const hxi_type *type = hxi_type_named(f->type);
    const int together = f->components_after == 0 && f->components > 0 ? f->components : 1;
    if (type) {
        require(c, f->size == together * type->size, "field[%d].size is %d, of %d %s", number, f->size,
                together, f->type);
        require(c, f->alignment == type->alignment, "field[%d].alignment is %d, of %s", number, f->alignment,
                f->type);
    }
}

/* What compilers reckon is in no sum. */
static void check_reckoned(checker *c)
{
    const hx_spec *spec = c->spec;
    const size_t round = _Alignof(hx_part);
    const size_t stride =
        (sizeof(hx_part) + _Alignof(ptrdiff_t) - 1) / _Alignof(ptrdiff_t) * _Alignof(ptrdiff_t);
    const size_t row = (size_t)spec->fields * sizeof(ptrdiff_t);
    const size_t apart = stride + row * (size_t)spec->axes;
    const size_t size = (apart + (spec->shape_apart == 0 ? 0 : row) + round - 1) / round * round;
    bool any = false;
    for (int f = 0; f < spec->fields; ++f) {
        const hx_field *field = &spec->field[f];
        any = any || field->components_after > 0;
        require(c, field->pointer == (size_t)f * sizeof(void *), "field[%d].pointer is %zu", f,
                field->pointer);
        check_type(c, f);
    }
    require(c, spec->fields_size == (size_t)spec->fields * sizeof(void *),
            "fields_size is %zu, for %d pointers", spec->fields_size, spec->fields);
    require(c, spec->shape_stride == stride, "shape_stride is %zu, behind a part of %zu bytes",
            spec->shape_stride, stride);
    require(c, spec->shape_apart == (any ? apart : 0), "shape_apart is %zu, behind strides that end at %zu",
            spec->shape_apart, apart);
    require(c, spec->shape_size == size, "shape_size is %zu, of which %zu are taken", spec->shape_size, size);
}

/* Numbers that nobody emits where they are, each of them possible elsewhere. */
static hx_status check_sums(const hx_spec *spec)
{
    hxi_table_flaw flaw;
    if (hxi_table_sums_check(spec, &flaw)) {
        return HX_OK;
    }
    return hxi_fail(
        HX_ERR_ARGUMENT,
        "The tables of %s (%s) are not those that halogen emitted: a number of %s, is another than its sum "
        "says.  %s%s was changed by hand or by a tool, or is of another model than the files beside it: emit "
        "them again with halogen %s, and change the spec instead.",
        spec->name, spec->file, flaw.table, spec->name, flaw.ending, spec->file);
}

/* ---- the whole ----------------------------------------------------------------------------------------- */

hx_status hxi_descriptor_check(const hx_spec *spec)
{
    checker c = {.spec = spec, .sound = true};
    if (!spec->name || !spec->file) {
        return hxi_fail(
            HX_ERR_ARGUMENT,
            "The spec given to hx_create has no name or no file; link with the code that halogen emitted.");
    }
    if (spec->sum != 0) {
        c.sound = hxi_table_ends_check(spec, c.flaw, sizeof c.flaw);
    }
    check_spec(&c);
    if (c.sound && spec->sum != 0) {
        check_reckoned(&c);
    }
    if (!c.sound) {
        return hxi_fail(
            HX_ERR_ARGUMENT,
            "The tables of %s (%s) are damaged: %s.  Link with the code that halogen emitted, emit it again "
            "if it was changed, and look for what writes beyond an array's end.",
            spec->name, spec->file, c.flaw);
    }
    return spec->sum != 0 ? check_sums(spec) : HX_OK;
}

/*
 * Specs that were found whole in this process: an address with the sum of what lies there, in one word, so
 * that threads need no lock.  One that drives out another costs another look.
 */
enum { HX_KNOWN = 64 };
static _Atomic uint64_t known[HX_KNOWN];

hx_status hxi_descriptor_admit(const hx_spec *spec)
{
    const uint64_t word = hxi_hash(hxi_hash(HX_HASH_SEED, (int64_t)(intptr_t)spec), (int64_t)spec->sum) | 1;
    _Atomic uint64_t *place = &known[word / 2 % HX_KNOWN];
    if (spec->sum != 0 && atomic_load_explicit(place, memory_order_relaxed) == word) {
        return HX_OK;
    }
    const hx_status status = hxi_descriptor_check(spec);
    if (status == HX_OK && spec->sum != 0) {
        atomic_store_explicit(place, word, memory_order_relaxed);
    }
    return status;
}
