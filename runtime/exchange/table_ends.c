#include "exchange/table_ends.h"

#include "base/status.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef struct reader {
    char *flaw;
    size_t size;
    bool sound;
} reader;

/* Rows of a table, and where in a row its mark is: an int, or one byte. */
typedef struct rows {
    const void *table;
    int count;
    size_t size;
    size_t at;
    size_t width;
} rows;

#define ROWS(rows_of, many, type, member)                                                                    \
    ((rows){.table = (rows_of),                                                                              \
            .count = (many),                                                                                 \
            .size = sizeof(type),                                                                            \
            .at = offsetof(type, member),                                                                    \
            .width = sizeof((rows_of)->member)})

#define NUMBERS(list, many)                                                                                  \
    ((rows){.table = (list), .count = (many), .size = sizeof(int), .width = sizeof(int)})

static bool is_end(const rows *r, int row)
{
    const char *at = (const char *)r->table + (size_t)row * r->size + r->at;
    int number;
    if (r->width == 1) {
        return *(const signed char *)at == HX_END;
    }
    memcpy(&number, at, sizeof number);
    return number == HX_END;
}

/* Rows up to the mark, at most as many as are counted and one more. */
static int rows_of(const rows *r)
{
    int row = 0;
    while (row <= r->count && !is_end(r, row)) {
        ++row;
    }
    return row;
}

/* Has the table as many rows as are counted? */
static bool has_end(reader *t, rows r, const char *format, ...) HX_PRINTF(3, 4);

static bool has_end(reader *t, rows r, const char *format, ...)
{
    if (!t->sound || (!r.table && r.count == 0)) {
        return t->sound;
    }
    const int found = r.table && r.count >= 0 ? rows_of(&r) : 0;
    if (!r.table || found != r.count) {
        char name[HX_SENTENCE / 8];
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(name, sizeof name, format, arguments);
        va_end(arguments);
        snprintf(t->flaw, t->size, "%s has %d rows%s, and %d are counted", name, found,
                 found > r.count ? " or more" : "", r.count);
        t->sound = false;
    }
    return t->sound;
}

static void read_positions(reader *t, const hx_spec *spec)
{
    if (!has_end(t, ROWS(spec->positions, spec->position_classes, hx_positions, links), "position_table")) {
        return;
    }
    for (int c = 0; spec->positions && c < spec->position_classes; ++c) {
        const hx_positions *p = &spec->positions[c];
        has_end(t, ROWS(p->link, p->links, hx_tile_link, tile), "position_table[%d].link", c);
        has_end(t, ROWS(p->rewrite, p->rewrites, hx_rewrite, link.tile), "position_table[%d].rewrite", c);
    }
}

static void read_fields(reader *t, const hx_spec *spec)
{
    if (!has_end(t, ROWS(spec->field, spec->fields, hx_field, line), "field_table")) {
        return;
    }
    for (int f = 0; spec->field && f < spec->fields; ++f) {
        if (spec->field[f].vector) {
            has_end(t, NUMBERS(spec->field[f].vector, spec->axes), "field_table[%d].vector", f);
        }
    }
}

static void read_kernels(reader *t, const hx_kernels *k, int exchange, int item)
{
    has_end(t, ROWS(k->strip, k->strips, hx_strip, points), "exchange_table[%d].field[%d].kernels->strip",
            exchange, item);
    has_end(t, ROWS(k->turned, k->turneds, hx_turned, points), "exchange_table[%d].field[%d].kernels->turned",
            exchange, item);
}

static void read_picks(reader *t, const hx_picks *picks, int directions, int exchange, int item)
{
    if (!picks || !has_end(t, ROWS(picks, directions, hx_picks, count), "exchange_table[%d].field[%d].picks",
                           exchange, item)) {
        return;
    }
    for (int d = 0; d < directions; ++d) {
        has_end(t, NUMBERS(picks[d].component, picks[d].count),
                "exchange_table[%d].field[%d].picks[%d].component", exchange, item, d);
    }
}

static void read_corners(reader *t, const hx_exchange *e, int exchange)
{
    for (int i = 0; t->sound && e->corner_fill && i < e->corner_fills; ++i) {
        const hx_corner_links *list = e->corner_fill[i].field;
        has_end(t, ROWS(list, e->corner_fill[i].fields, hx_corner_links, links),
                "exchange_table[%d].corner_fill[%d].field", exchange, i);
        for (int f = 0; t->sound && list && f < e->corner_fill[i].fields; ++f) {
            has_end(t, ROWS(list[f].link, list[f].links, hx_tile_link, tile),
                    "exchange_table[%d].corner_fill[%d].field[%d].link", exchange, i, f);
        }
    }
}

static void read_exchange(reader *t, const hx_exchange *e, int number)
{
    const rows directions = {e->direction, e->directions, sizeof *e->direction, 0, 1};
    has_end(t, directions, "exchange_table[%d].direction", number);
    has_end(t, ROWS(e->corner_fill, e->corner_fills, hx_corner_fill, fields),
            "exchange_table[%d].corner_fill", number);
    if (!has_end(t, ROWS(e->field, e->fields, hx_exchange_field, field), "exchange_table[%d].field",
                 number)) {
        return;
    }
    for (int i = 0; t->sound && e->field && i < e->fields; ++i) {
        read_picks(t, e->field[i].picks, e->directions, number, i);
        if (e->field[i].kernels) {
            read_kernels(t, e->field[i].kernels, number, i);
        }
    }
    read_corners(t, e, number);
}

static void read_cycle(reader *t, const hx_spec *spec, int number)
{
    const hx_cycle *c = &spec->cycle[number];
    const bool known = c->exchange >= 0 && c->exchange < spec->exchanges && c->most > 0;
    has_end(t, ROWS(c->step, c->steps, hx_step, line), "cycle_table[%d].step", number);
    has_end(t, NUMBERS(c->ends, c->ended), "cycle_table[%d].ends", number);
    for (int s = 0; t->sound && known && s < c->steps; ++s) {
        has_end(t, ROWS(c->step[s].layers, c->most, hx_layers, lo[0]), "cycle_table[%d].step[%d].layers",
                number, s);
    }
    if (known) {
        has_end(t, ROWS(c->needs, c->most * spec->exchange[c->exchange].fields, hx_layers, lo[0]),
                "cycle_table[%d].needs", number);
    }
}

static void read_cycles(reader *t, const hx_spec *spec)
{
    has_end(t, ROWS(spec->cycle, spec->cycles, hx_cycle, line), "cycle_table");
    for (int c = 0; t->sound && spec->cycle && c < spec->cycles; ++c) {
        read_cycle(t, spec, c);
    }
}

bool hxi_table_ends_check(const hx_spec *spec, char *flaw, size_t size)
{
    reader t = {flaw, size, true};
    read_positions(&t, spec);
    read_fields(&t, spec);
    has_end(&t, ROWS(spec->exchange, spec->exchanges, hx_exchange, line), "exchange_table");
    for (int e = 0; t.sound && spec->exchange && e < spec->exchanges; ++e) {
        read_exchange(&t, &spec->exchange[e], e);
    }
    read_cycles(&t, spec);
    return t.sound;
}
