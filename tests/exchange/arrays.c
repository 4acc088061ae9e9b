#include "arrays.h"

#include "check.h"
#include "check/points.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GUARD = 8 };

static size_t index_of(const arrays *s, int block, int field)
{
    return (size_t)(block * s->layout->spec->fields + field);
}

static size_t elements_of(const arrays *s, int block, int field)
{
    return layout_elements(s->layout, block, field) + 2 * s->guard;
}

static unsigned char *expected_at(const arrays *s, int block, int field, const int point[])
{
    const size_t size = (size_t)s->layout->spec->field[field].size;
    const size_t at = s->guard + (size_t)layout_at(s->layout, block, field, point);
    return s->expected[index_of(s, block, field)] + at * size;
}

static void set_pointer(unsigned char *structs, const hx_spec *spec, int block, int field, void *pointer)
{
    memcpy(structs + (size_t)block * spec->fields_size + spec->field[field].pointer, &pointer,
           sizeof pointer);
}

static void *get_pointer(const unsigned char *structs, const hx_spec *spec, int block, int field)
{
    void *pointer;
    memcpy(&pointer, structs + (size_t)block * spec->fields_size + spec->field[field].pointer,
           sizeof pointer);
    return pointer;
}

/* All but the actual arrays. */
static void make(arrays *s, const layout *l, oracle_topology *topology, size_t guard)
{
    const hx_spec *spec = l->spec;
    const size_t blocks = (size_t)l->blocks.count;
    *s = (arrays){.layout = l, .topology = topology, .guard = guard};
    s->actual = hxi_check_allocate(blocks * (size_t)spec->fields, sizeof *s->actual);
    s->expected = hxi_check_allocate(blocks * (size_t)spec->fields, sizeof *s->expected);
    s->pointers = hxi_check_allocate(blocks, spec->fields_size);
    s->sparse = hxi_check_allocate(blocks, spec->fields_size);
    s->kind = hxi_check_allocate((size_t)spec->fields, sizeof *s->kind);
    for (int f = 0; f < spec->fields; ++f) {
        s->kind[f] = value_kind_of(&spec->field[f]);
    }
    for (int b = 0; b < l->blocks.count; ++b) {
        for (int f = 0; f < spec->fields; ++f) {
            s->expected[index_of(s, b, f)] =
                hxi_check_allocate(elements_of(s, b, f), (size_t)spec->field[f].size);
        }
    }
}

void arrays_make(arrays *s, const layout *l, oracle_topology *topology)
{
    make(s, l, topology, GUARD);
    for (int b = 0; b < l->blocks.count; ++b) {
        for (int f = 0; f < l->spec->fields; ++f) {
            const size_t size = (size_t)l->spec->field[f].size;
            const size_t i = index_of(s, b, f);
            s->actual[i] = hxi_check_allocate(elements_of(s, b, f), size);
            set_pointer(s->pointers, l->spec, b, f, s->actual[i] + GUARD * size);
        }
    }
}

/* Those of one field of a block, guards included, in whole cache lines. */
static size_t bytes_of(const layout *l, int block, int field)
{
    const size_t elements = layout_elements(l, block, field) + 2 * GUARD;
    return (elements * (size_t)l->spec->field[field].size + 63) / 64 * 64;
}

size_t arrays_bytes(const layout *l)
{
    size_t bytes = 0;
    for (int b = 0; b < l->blocks.count; ++b) {
        for (int f = 0; f < l->spec->fields; ++f) {
            bytes += bytes_of(l, b, f);
        }
    }
    return bytes;
}

void arrays_place(arrays *s, const layout *l, oracle_topology *topology, unsigned char *memory)
{
    make(s, l, topology, GUARD);
    s->placed = 1;
    for (int b = 0; b < l->blocks.count; ++b) {
        for (int f = 0; f < l->spec->fields; ++f) {
            s->actual[index_of(s, b, f)] = memory;
            set_pointer(s->pointers, l->spec, b, f, memory + GUARD * (size_t)l->spec->field[f].size);
            memory += bytes_of(l, b, f);
        }
    }
}

void arrays_alloc(arrays *s, const layout *l, oracle_topology *topology, hx_handle *handle)
{
    make(s, l, topology, 0);
    s->handle = handle;
    CHECK_STATUS(hx_alloc(handle, s->pointers), HX_OK);
    for (int b = 0; b < l->blocks.count; ++b) {
        for (int f = 0; f < l->spec->fields; ++f) {
            s->actual[index_of(s, b, f)] = get_pointer(s->pointers, l->spec, b, f);
        }
    }
}

void arrays_free(arrays *s)
{
    const size_t all = (size_t)(s->layout->blocks.count * s->layout->spec->fields);
    for (size_t i = 0; i < all; ++i) {
        if (!s->handle && !s->placed) {
            free(s->actual[i]);
        }
        free(s->expected[i]);
    }
    if (s->handle) {
        CHECK_STATUS(hx_free(s->handle, s->pointers), HX_OK);
    }
    free(s->kind);
    free(s->actual);
    free(s->expected);
    free(s->pointers);
    free(s->sparse);
}

/* The number of a position of a field in the whole grid; two for faces that two blocks store. */
static size_t position_of(const layout *l, const origin *o)
{
    const size_t copies = l->faces != NULL ? 2 : 1;
    size_t number = (size_t)(o->field * l->spec->tiles + o->tile);
    for (int a = 0; a < l->spec->axes; ++a) {
        const size_t points = (size_t)l->partition[o->tile].cells[a] + 1;
        number = (number * points + (size_t)o->at[a]) * copies + (size_t)o->high[a];
    }
    return number;
}

static void expect_value(arrays *s, int block, int field, const int point[], const origin *from)
{
    const hx_field *f = &s->layout->spec->field[field];
    const size_t position = position_of(s->layout, from);
    CHECK(position < VALUE_POSITIONS, "the grid of this case is too large for the test's values");
    value_store(s->kind[field], (size_t)f->size, expected_at(s, block, field, point), position, s->salt,
                from->sign);
}

static void fill_field(arrays *s, int block, int field)
{
    const layout *l = s->layout;
    const hx_field *f = &l->spec->field[field];
    const hx_part *part = &l->part[block];
    const size_t size = (size_t)f->size;
    const size_t elements = elements_of(s, block, field);
    unsigned char *expected = s->expected[index_of(s, block, field)];
    for (size_t i = 0; i < elements; ++i) {
        value_store_poison(s->kind[field], size, expected + i * size, i, s->salt);
    }
    box owned = {{0}, {0}};
    for (int a = 0; a < l->spec->axes; ++a) {
        owned.hi[a] = layout_points(l, block, field, a);
    }
    int point[HX_MAX_AXES] = {0};
    do {
        origin self = {.field = field, .tile = part->tile, .sign = 1};
        for (int a = 0; a < l->spec->axes; ++a) {
            self.at[a] = part->first[a] + point[a];
            self.high[a] = point[a] == part->n[a];
        }
        expect_value(s, block, field, point, &self);
    } while (box_next(&owned, l->spec->axes, point));
    memcpy(s->actual[index_of(s, block, field)], expected, elements * size);
}

void arrays_fill(arrays *s, int salt)
{
    s->salt = salt;
    for (int b = 0; b < s->layout->blocks.count; ++b) {
        for (int f = 0; f < s->layout->spec->fields; ++f) {
            fill_field(s, b, f);
        }
    }
}

void arrays_expect(arrays *s, int exchange)
{
    const hx_exchange *x = &s->layout->spec->exchange[exchange];
    for (int b = 0; b < s->layout->blocks.count; ++b) {
        for (int i = 0; i < x->fields; ++i) {
            const int field = x->field[i].field;
            const check_step step = {.exchange = x, .says = oracle_says(x), .item = &x->field[i]};
            check_spot spot = hxi_check_first_spot(s->layout->run, &s->layout->part[b], field);
            do {
                origin from;
                if (oracle_fills(s->layout, &step, &spot, b, s->topology) &&
                    s->topology(s->layout, field, b, spot.point, &from)) {
                    expect_value(s, b, field, spot.point, &from);
                }
            } while (hxi_check_next_spot(s->layout->run, &spot));
        }
    }
}

/* The point at an element of an array, by search: only for messages. */
static void describe_place(const arrays *s, int block, int field, size_t element, char *text, size_t room)
{
    const int axes = s->layout->spec->axes;
    const box all = layout_allocated(s->layout, block, field);
    int point[HX_MAX_AXES];
    memcpy(point, all.lo, sizeof point);
    do {
        const ptrdiff_t at = layout_at(s->layout, block, field, point);
        if (at >= 0 && (size_t)at + s->guard == element) {
            int length = snprintf(text, room, "at (");
            for (int a = 0; a < axes; ++a) {
                length += snprintf(text + length, room - (size_t)length, a > 0 ? ", %d" : "%d", point[a]);
            }
            snprintf(text + length, room - (size_t)length, ")");
            return;
        }
    } while (box_next(&all, axes, point));
    snprintf(text, room, "in the padding (element %td)", (ptrdiff_t)(element - s->guard));
}

static void check_field(const arrays *s, int block, int field, const char *when)
{
    const hx_field *f = &s->layout->spec->field[field];
    const value_kind kind = s->kind[field];
    const size_t size = (size_t)f->size;
    const size_t elements = elements_of(s, block, field);
    const unsigned char *actual = s->actual[index_of(s, block, field)];
    const unsigned char *expected = s->expected[index_of(s, block, field)];
    if (kind != VALUE_LONG_DOUBLE && memcmp(actual, expected, elements * size) == 0) {
        return;
    }
    for (size_t i = 0; i < elements; ++i) {
        if (!value_equal(kind, size, actual + i * size, expected + i * size)) {
            char place[80];
            char got[40];
            char wanted[40];
            describe_place(s, block, field, i, place, sizeof place);
            value_print(kind, size, actual + i * size, got, sizeof got);
            value_print(kind, size, expected + i * size, wanted, sizeof wanted);
            check_failed(__FILE__, __LINE__, "%s: %s %s of block %d holds %s, expected %s", when, f->name,
                         place, block, got, wanted);
            return;
        }
    }
}

void arrays_check(const arrays *s, const char *when)
{
    for (int b = 0; b < s->layout->blocks.count; ++b) {
        for (int f = 0; f < s->layout->spec->fields; ++f) {
            check_field(s, b, f, when);
        }
    }
}

const void *arrays_of_exchange(arrays *s, int exchange)
{
    const hx_spec *spec = s->layout->spec;
    const hx_exchange *x = &spec->exchange[exchange];
    for (int b = 0; b < s->layout->blocks.count; ++b) {
        for (int f = 0; f < spec->fields; ++f) {
            set_pointer(s->sparse, spec, b, f, NULL);
        }
        for (int i = 0; i < x->fields; ++i) {
            const int f = x->field[i].field;
            unsigned char *first = s->actual[index_of(s, b, f)] + s->guard * (size_t)spec->field[f].size;
            set_pointer(s->sparse, spec, b, f, first);
        }
    }
    return s->sparse;
}
