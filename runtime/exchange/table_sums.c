/*
 * What goes into a sum, and in which order, gen/lua/emit/sums.lua says, too.  Left out is what does not
 * decide about points, lines and the file of the spec, and what the compiler reckons: offsets, and sizes of
 * what is no struct.
 */
#include "exchange/table_sums.h"

#include "base/status.h"
#include "exchange/types.h"

#include <hx/cuda.h>

#include <stdarg.h>
#include <stdio.h>

static uint64_t add(uint64_t sum, uint64_t value)
{
    sum = (sum ^ value) * UINT64_C(0x9e3779b97f4a7c15);
    return sum ^ sum >> 32;
}

/* Two numbers at a time. */
static uint64_t add_two(uint64_t sum, int first, int second)
{
    return add(sum, (uint64_t)(uint32_t)first | (uint64_t)(uint32_t)second << 32);
}

static int four_bytes(int a, int b, int c, int d)
{
    return (int)((unsigned)(a & 255) | (unsigned)(b & 255) << 8 | (unsigned)(c & 255) << 16 |
                 (unsigned)(d & 255) << 24);
}

/* Eight characters at a time; the last word has 0 to 7. */
static uint64_t add_text(uint64_t sum, const char *text)
{
    uint64_t word = 0;
    int filled = 0;
    for (; *text != '\0'; ++text) {
        word |= (uint64_t)(unsigned char)*text << 8 * filled;
        if (++filled == 8) {
            sum = add(sum, word);
            word = 0;
            filled = 0;
        }
    }
    return add(sum, word);
}

enum { A_SPEC, SOME_POSITIONS, A_FIELD, AN_EXCHANGE, A_DEVICE, A_CYCLE };

static uint64_t begin(const hx_spec *spec, int what, int number)
{
    return add_two(add(0, spec->hash), what, number);
}

/* 0 is no sum. */
static uint64_t end(uint64_t sum)
{
    return sum | 1;
}

static uint64_t add_direction(uint64_t sum, const signed char d[HX_MAX_AXES], int other)
{
    return add_two(sum, four_bytes(d[0], d[1], d[2], d[3]), other);
}

static uint64_t add_link(uint64_t sum, const hx_spec *spec, const hx_tile_link *l)
{
    sum = add_two(sum, l->tile, l->source);
    sum = add_direction(sum, l->direction, four_bytes(l->component, l->sign, 0, 0));
    for (int a = 0; a < spec->axes; ++a) {
        const hx_axis_map *m = &l->map[a];
        sum = add_two(sum, four_bytes(m->axis, m->sign, m->destination_cells, m->source_cells), m->offset);
    }
    return sum;
}

static uint64_t of_positions(const hx_spec *spec, int number)
{
    const hx_positions *p = &spec->positions[number];
    uint64_t sum = add_two(begin(spec, SOME_POSITIONS, number), p->links, p->rewrites);
    for (int a = 0; a < spec->axes; ++a) {
        sum = add_two(sum, p->extra[a], p->mirror[a]);
    }
    for (int i = 0; i < p->links; ++i) {
        sum = add_link(sum, spec, &p->link[i]);
    }
    for (int i = 0; i < p->rewrites; ++i) {
        const hx_rewrite *r = &p->rewrite[i];
        sum = add_link(sum, spec, &r->link);
        for (int a = 0; a < spec->axes; ++a) {
            sum = add_two(sum, r->lo[a].halves, r->lo[a].offset);
            sum = add_two(sum, r->hi[a].halves, r->hi[a].offset);
        }
    }
    return end(sum);
}

static uint64_t of_field(const hx_spec *spec, int number)
{
    const hx_field *f = &spec->field[number];
    uint64_t sum = add_text(add_text(begin(spec, A_FIELD, number), f->name), f->type);
    sum = add_two(sum, f->positions, f->components);
    sum = add_two(sum, f->components_after, f->on_device ^ (f->behind ? 2 : 0));
    const bool is_struct = !hxi_type_named(f->type);
    sum = add_two(sum, is_struct ? f->size : 0, is_struct ? f->alignment : 0);
    for (int a = 0; a < spec->axes; ++a) {
        sum = add_two(sum, f->order[a], f->reverses[a]);
        sum = add_two(sum, f->halo_lo[a], f->halo_hi[a]);
        sum = add_two(sum, f->padding[a], f->vector ? f->vector[a] : -2);
        sum = add(sum, (uint64_t)f->fixed_stride[a]);
    }
    return end(sum);
}

/* Which kernels there are. */
static int flags_of(const hx_kernels *k)
{
    const bool has[] = {k->pack,         k->unpack,  k->copy, k->pair,    k->copy_turned, k->sweep,
                        k->accumulating, k->picking, k->zero, k->combine, k->listing};
    int flags = 0;
    for (int i = 0; i < HX_COUNT(has); ++i) {
        flags |= (int)has[i] << i;
    }
    return flags;
}

/* For which depths. */
static uint64_t add_kernels(uint64_t sum, const hx_kernels *k)
{
    if (!k) {
        return add(sum, 0);
    }
    sum = add_two(sum, flags_of(k), four_bytes(k->strips, k->turneds, 0, 0));
    sum = add_two(sum, k->pair ? k->pair->lo : 0, k->pair ? k->pair->hi : 0);
    for (int i = 0; i < k->strips; ++i) {
        sum = add_two(sum, k->strip[i].points, 0);
    }
    for (int i = 0; i < k->turneds; ++i) {
        sum = add_two(sum, k->turned[i].points, 0);
    }
    return sum;
}

static uint64_t add_picks(uint64_t sum, const hx_picks *picks, int directions)
{
    sum = add_two(sum, picks != NULL, 0);
    for (int d = 0; picks && d < directions; ++d) {
        sum = add_two(sum, picks[d].count, 0);
        for (int i = 0; i < picks[d].count; ++i) {
            sum = add_two(sum, picks[d].component[i], 0);
        }
    }
    return sum;
}

static uint64_t add_item(uint64_t sum, const hx_spec *spec, const hx_exchange *e,
                         const hx_exchange_field *item)
{
    sum = add_two(sum, item->field, (int)item->wire);
    for (int a = 0; a < spec->axes; ++a) {
        sum = add_two(sum, item->width_lo[a], item->width_hi[a]);
    }
    return add_picks(add_kernels(sum, item->kernels), item->picks, e->directions);
}

static uint64_t add_corner_fill(uint64_t sum, const hx_spec *spec, const hx_corner_fill *fill)
{
    sum = add_two(add_text(sum, fill->axis), fill->fields, 0);
    for (int i = 0; i < fill->fields; ++i) {
        sum = add_two(sum, fill->field[i].links, 0);
        for (int l = 0; l < fill->field[i].links; ++l) {
            sum = add_link(sum, spec, &fill->field[i].link[l]);
        }
    }
    return sum;
}

static uint64_t of_exchange(const hx_spec *spec, int number)
{
    const hx_exchange *e = &spec->exchange[number];
    uint64_t sum = add_text(begin(spec, AN_EXCHANGE, number), e->name);
    sum = add_two(sum, e->fields, e->directions);
    sum = add_two(sum, (int)e->operation, e->by_dimension);
    sum = add_two(sum, e->box, (int)e->shared);
    sum = add_two(sum, e->corner_fills, e->keeps);
    for (int a = 0; a < spec->axes; ++a) {
        sum = add_two(sum, (int)e->wall[a][0], (int)e->wall[a][1]);
    }
    for (int d = 0; d < e->directions; ++d) {
        sum = add_direction(sum, e->direction[d], 0);
    }
    for (int i = 0; i < e->fields; ++i) {
        sum = add_item(sum, spec, e, &e->field[i]);
    }
    for (int i = 0; i < e->corner_fills; ++i) {
        sum = add_corner_fill(sum, spec, &e->corner_fill[i]);
    }
    return end(sum);
}

static uint64_t add_layers(uint64_t sum, const hx_spec *spec, const hx_layers *layers, int rows)
{
    for (int r = 0; r < rows; ++r) {
        for (int a = 0; a < spec->axes; ++a) {
            sum = add_two(sum, layers[r].lo[a], layers[r].hi[a]);
        }
    }
    return sum;
}

static uint64_t of_cycle(const hx_spec *spec, int number)
{
    const hx_cycle *c = &spec->cycle[number];
    uint64_t sum = add_text(begin(spec, A_CYCLE, number), c->name);
    sum = add_two(add_two(sum, c->exchange, c->most), c->steps, spec->cycles);
    for (int s = 0; s < c->steps; ++s) {
        sum = add_layers(add_text(sum, c->step[s].name), spec, c->step[s].layers, c->most);
    }
    for (int i = 0; i < c->ended; ++i) {
        sum = add_two(sum, c->ends[i], c->ended);
    }
    return end(add_layers(sum, spec, c->needs, c->most * spec->exchange[c->exchange].fields));
}

static uint64_t of_spec(const hx_spec *spec)
{
    uint64_t sum = add_text(begin(spec, A_SPEC, 0), spec->name);
    sum = add_two(sum, spec->axes, spec->tiles);
    sum = add_two(sum, spec->fields, spec->exchanges);
    sum = add_two(sum, spec->position_classes, spec->list);
    for (int a = 0; a < spec->axes; ++a) {
        sum = add_text(sum, spec->axis[a]);
        sum = add_two(sum, spec->periodic[a], spec->decomposed[a]);
        sum = add_two(sum, spec->cells[a], spec->first_fastest);
    }
    return end(sum);
}

static uint64_t of_device(const hx_spec *spec)
{
    const hx_cuda_kernels *k = spec->cuda;
    uint64_t sum = add_two(begin(spec, A_DEVICE, 0), k->kinds, spec->fields);
    for (int i = 0; i < k->kinds; ++i) {
        sum = add_two(sum, (int)k->kind[i].shape, k->kind[i].bytes);
        sum = add_two(sum, k->kind[i].words, 0);
    }
    for (int f = 0; f < spec->fields; ++f) {
        const hx_cuda_field *field = &k->field[f];
        sum = add_two(sum, field->number, field->turned);
        sum = add_two(sum, field->tile, field->sum);
        sum = add_two(sum, field->mean, field->total);
        sum = add_two(sum, field->minimum, field->maximum);
    }
    sum = add_two(sum, k->wireds, 0);
    for (int i = 0; i < k->wireds; ++i) {
        const hx_cuda_wired *wired = &k->wired[i];
        sum = add_two(sum, wired->field, wired->wire);
        sum = add_two(sum, wired->bytes, wired->narrow);
        sum = add_two(sum, wired->widen, wired->round);
        sum = add_two(sum, wired->sum, 0);
    }
    return end(sum);
}

/* More than any spec has: these tables have no marks at their ends. */
enum { MOST_KINDS = 10000 };

/* Device code of another version is refused elsewhere. */
static bool is_device_whole(const hx_spec *spec)
{
    const hx_cuda_kernels *k = spec->cuda;
    if (!k || k->abi != HX_CUDA_ABI) {
        return true;
    }
    const bool readable = k->kinds >= 0 && k->kinds <= MOST_KINDS && (k->kind || k->kinds == 0) && k->field &&
                          k->wireds >= 0 && k->wireds <= MOST_KINDS && (k->wired || k->wireds == 0);
    return readable && of_device(spec) == spec->cuda_sum;
}

static bool is_other(hxi_table_flaw *flaw, const char *ending, const char *format, ...) HX_PRINTF(3, 4);

static bool is_other(hxi_table_flaw *flaw, const char *ending, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(flaw->table, sizeof flaw->table, format, arguments);
    va_end(arguments);
    flaw->ending = ending;
    return false;
}

bool hxi_table_sums_check(const hx_spec *spec, hxi_table_flaw *flaw)
{
    if (of_spec(spec) != spec->sum) {
        return is_other(flaw, ".c", "%s_spec", spec->name);
    }
    if (!is_device_whole(spec)) {
        return is_other(flaw, ".cu", "%s_cuda, or what it points to", spec->name);
    }
    for (int c = 0; c < spec->position_classes; ++c) {
        if (of_positions(spec, c) != spec->positions[c].sum) {
            return is_other(flaw, ".c", "position_table[%d], or what it points to", c);
        }
    }
    for (int f = 0; f < spec->fields; ++f) {
        if (of_field(spec, f) != spec->field[f].sum) {
            return is_other(flaw, ".c", "field_table[%d], \"%s\", or what it points to", f,
                            spec->field[f].name);
        }
    }
    for (int e = 0; e < spec->exchanges; ++e) {
        if (of_exchange(spec, e) != spec->exchange[e].sum) {
            return is_other(flaw, ".c", "exchange_table[%d], \"%s\", or what it points to", e,
                            spec->exchange[e].name);
        }
    }
    for (int c = 0; c < spec->cycles; ++c) {
        if (of_cycle(spec, c) != spec->cycle[c].sum) {
            return is_other(flaw, ".c", "cycle_table[%d], \"%s\", or what it points to", c,
                            spec->cycle[c].name);
        }
    }
    return true;
}
