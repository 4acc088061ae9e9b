#include "check/spec.h"

/* ---- fields -------------------------------------------------------------------------------------------- */

static size_t size_of(const hx_field *f)
{
    return (size_t)(f->components_after == 0 && f->components > 0 ? f->size / f->components : f->size);
}

/* Bits in which all integers of a field travel, if one exchange makes them shorter; 0: none does. */
static int bits_of(const hx_spec *spec, int field)
{
    int bits = 0;
    for (int e = 0; e < spec->exchanges; ++e) {
        for (int i = 0; i < spec->exchange[e].fields; ++i) {
            const hx_exchange_field *item = &spec->exchange[e].field[i];
            const int these = item->wire >= HX_WIRE_INT8 ? 8 << (item->wire - HX_WIRE_INT8) : 0;
            if (item->field == field && these > 0 && (bits == 0 || these < bits)) {
                bits = these;
            }
        }
    }
    return bits;
}

check_type *hxi_check_make_types(const hx_check_program *program)
{
    const hx_spec *spec = program->spec;
    check_type *type = hxi_check_allocate((size_t)spec->fields, sizeof *type);
    for (int f = 0; f < spec->fields; ++f) {
        type[f] = (check_type){
            .kind = program->field[f].kind, .size = size_of(&spec->field[f]), .bits = bits_of(spec, f)};
    }
    return type;
}

/* ---- exchanges ----------------------------------------------------------------------------------------- */

static int greater(int a, int b)
{
    return a > b ? a : b;
}

int hxi_check_deepest(const check_run *r, int axis)
{
    int deepest = 0;
    for (int e = 0; e < r->spec->exchanges; ++e) {
        for (int i = 0; i < r->spec->exchange[e].fields; ++i) {
            const hx_exchange_field *item = &r->spec->exchange[e].field[i];
            deepest = greater(deepest, greater(item->width_lo[axis], item->width_hi[axis]));
        }
    }
    return deepest;
}

/* Does an exchange fill walls, and so?  HX_FILL_NONE: in any way. */
static bool fills_walls(const check_run *r, hx_fill how)
{
    bool found = false;
    for (int e = 0; e < r->spec->exchanges; ++e) {
        for (int a = 0; a < r->spec->axes; ++a) {
            for (int end = 0; end < 2; ++end) {
                const hx_fill fill = r->program->exchange[e].fill[a][end];
                found = found || (how == HX_FILL_NONE ? fill != HX_FILL_NONE : fill == how);
            }
        }
    }
    return found;
}

bool hxi_check_may_refuse(const check_run *r)
{
    return r->program->tiles || r->program->fold || fills_walls(r, HX_FILL_NONE);
}

bool hxi_check_has_hook(const check_run *r)
{
    return fills_walls(r, HX_FILL_HOOK);
}

/* ---- long rows ----------------------------------------------------------------------------------------- */

/*
 * Device code has kernels for rows of more than 256 bytes, and moves those of more than 2048 in pieces: points
 * of which all fields have the one, and those with the widest type the other; an odd number, so that rows
 * begin at all places between two multiples of 16 bytes.
 */
static int points_of_row(const check_run *r)
{
    int narrow = 0, wide = 0;
    for (int f = 0; f < r->spec->fields; ++f) {
        const int size = (int)r->type[f].size;
        if (r->spec->field[f].on_device) {
            narrow = narrow == 0 || size < narrow ? size : narrow;
            wide = greater(wide, size);
        }
    }
    return greater(256 / narrow, 2048 / wide) / 8 * 8 + 21;
}

/* The fastest axis of the first field on a device; -1: there is none. */
static int row_axis(const check_run *r)
{
    int f = 0;
    while (f < r->spec->fields && !r->spec->field[f].on_device) {
        ++f;
    }
    return f < r->spec->fields ? r->spec->field[f].order[0] : -1;
}

/* Rows travel across an axis that is cut, has a halo, and can be of any length: the last that does. */
static int cut_across(const check_run *r, int along)
{
    int cut = -1;
    for (int a = 0; a < r->spec->axes; ++a) {
        const bool will_do = r->spec->decomposed[a] && r->spec->cells[a] == 0 && hxi_check_deepest(r, a) > 0;
        cut = a != along && will_do ? a : cut;
    }
    return cut;
}

/*
 * Not of tiles, of whose axes one is as long as another, nor of lists, whose points travel one by one.  Walls
 * and folds need as many points as a halo is deep, and some placements one more.
 */
int hxi_check_long_rows(const check_run *r, int cells[])
{
    const int along = r->program->tiles || r->spec->list ? -1 : row_axis(r);
    const int cut = along >= 0 && r->spec->cells[along] == 0 ? cut_across(r, along) : -1;
    for (int a = 0; a < r->spec->axes && cut >= 0; ++a) {
        const int depth = hxi_check_may_refuse(r) ? hxi_check_deepest(r, a) : 0;
        const int thin = r->spec->cells[a] > 0 ? r->spec->cells[a] : depth + 1;
        const int ranks = depth > 0 ? depth * (r->ranks + 1) + 1 : r->ranks;
        cells[a] = a == along ? points_of_row(r) : a == cut ? ranks : thin;
    }
    return cut;
}
