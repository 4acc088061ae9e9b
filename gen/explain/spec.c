#include "explain/spec.h"

#include "explain/kernels.h"

#include <lauxlib.h>

static const char *const operations[] = {"copy", "add", "mean", "sum", "min", "max", NULL};
static const char *const sharings[] = {"not", "greater", "owner", NULL};

/* ---- positions ---------------------------------------------------------------------------------------- */

static void read_direction(const reader *r, signed char direction[])
{
    int side[HX_MAX_AXES] = {0};
    read_ints(r, "direction", HX_MAX_AXES, side);
    for (int a = 0; a < HX_MAX_AXES; ++a) {
        direction[a] = (signed char)side[a];
    }
}

static hx_tile_link read_link(const reader *r)
{
    hx_tile_link link = {.tile = read_int(r, "tile"),
                         .source = read_int(r, "source"),
                         .component = read_int(r, "component"),
                         .sign = read_int(r, "sign")};
    read_direction(r, link.direction);
    const int axes = read_list(r, "map");
    for (int a = 0; a < axes && a < HX_MAX_AXES; ++a) {
        read_entry(r, a);
        link.map[a] = (hx_axis_map){.axis = (signed char)read_int(r, "axis"),
                                    .sign = (signed char)read_int(r, "sign"),
                                    .destination_cells = (signed char)read_int(r, "destination_cells"),
                                    .source_cells = (signed char)read_int(r, "source_cells"),
                                    .offset = read_int(r, "offset")};
        read_done(r);
    }
    read_done(r);
    return link;
}

static const hx_tile_link *read_links(const reader *r, int *count)
{
    *count = read_list(r, "link");
    hx_tile_link *link = read_memory(r, (size_t)*count, sizeof *link);
    for (int i = 0; i < *count; ++i) {
        read_entry(r, i);
        link[i] = read_link(r);
        read_done(r);
    }
    read_done(r);
    return link;
}

static void read_bounds(const reader *r, const char *key, hx_bound bound[])
{
    const int axes = read_list(r, key);
    for (int a = 0; a < axes && a < HX_MAX_AXES; ++a) {
        read_entry(r, a);
        bound[a] = (hx_bound){(signed char)read_int(r, "halves"), read_int(r, "offset")};
        read_done(r);
    }
    read_done(r);
}

static const hx_rewrite *read_rewrites(const reader *r, int *count)
{
    *count = read_list(r, "rewrite");
    hx_rewrite *rewrite = read_memory(r, (size_t)*count, sizeof *rewrite);
    for (int i = 0; i < *count; ++i) {
        read_entry(r, i);
        lua_getfield(r->L, -1, "link");
        rewrite[i].link = read_link(r);
        read_done(r);
        read_bounds(r, "lo", rewrite[i].lo);
        read_bounds(r, "hi", rewrite[i].hi);
        read_done(r);
    }
    read_done(r);
    return rewrite;
}

static const hx_positions *read_positions(const reader *r, int *count)
{
    *count = read_list(r, "positions");
    hx_positions *positions = read_memory(r, (size_t)*count, sizeof *positions);
    for (int i = 0; i < *count; ++i) {
        read_entry(r, i);
        read_ints(r, "extra", HX_MAX_AXES, positions[i].extra);
        read_ints(r, "mirror", HX_MAX_AXES, positions[i].mirror);
        positions[i].link = read_links(r, &positions[i].links);
        positions[i].rewrite = read_rewrites(r, &positions[i].rewrites);
        read_done(r);
    }
    read_done(r);
    return positions;
}

/* ---- fields ------------------------------------------------------------------------------------------- */

static void read_strides(const reader *r, ptrdiff_t stride[])
{
    int fixed[HX_MAX_AXES] = {0};
    read_ints(r, "fixed_stride", HX_MAX_AXES, fixed);
    for (int a = 0; a < HX_MAX_AXES; ++a) {
        stride[a] = fixed[a];
    }
}

static void read_field(const reader *r, hx_field *field)
{
    *field = (hx_field){.name = read_string(r, "name"),
                        .type = read_string(r, "type"),
                        .line = read_int(r, "line"),
                        .size = read_int(r, "size"),
                        .alignment = read_int(r, "alignment"),
                        .positions = read_int(r, "positions"),
                        .components = read_int(r, "components"),
                        .components_after = read_int(r, "components_after"),
                        .on_device = read_int(r, "on_device"),
                        .behind = read_int(r, "behind")};
    read_ints(r, "order", HX_MAX_AXES, field->order);
    read_ints(r, "halo_lo", HX_MAX_AXES, field->halo_lo);
    read_ints(r, "halo_hi", HX_MAX_AXES, field->halo_hi);
    read_ints(r, "padding", HX_MAX_AXES, field->padding);
    read_ints(r, "reverses", HX_MAX_AXES, field->reverses);
    read_strides(r, field->fixed_stride);
    int *vector = read_memory(r, HX_MAX_AXES, sizeof *vector);
    field->vector = read_ints(r, "vector", HX_MAX_AXES, vector) > 0 ? vector : NULL;
}

static const hx_field *read_fields(const reader *r, int *count)
{
    *count = read_list(r, "field");
    hx_field *field = read_memory(r, (size_t)*count, sizeof *field);
    for (int i = 0; i < *count; ++i) {
        read_entry(r, i);
        read_field(r, &field[i]);
        read_done(r);
    }
    read_done(r);
    return field;
}

/* ---- exchanges ---------------------------------------------------------------------------------------- */

/* Lists of components, one for each direction; NULL: all travel. */
static const hx_picks *read_picks(const reader *r)
{
    const int count = read_list(r, "picks");
    hx_picks *picks = count > 0 ? read_memory(r, (size_t)count, sizeof *picks) : NULL;
    for (int i = 0; i < count; ++i) {
        read_entry(r, i);
        const int picked = (int)lua_rawlen(r->L, -1);
        int *component = read_memory(r, (size_t)picked, sizeof *component);
        for (int c = 0; c < picked; ++c) {
            lua_rawgeti(r->L, -1, c + 1);
            component[c] = (int)lua_tointeger(r->L, -1);
            lua_pop(r->L, 1);
        }
        picks[i] = (hx_picks){picked, component};
        read_done(r);
    }
    read_done(r);
    return picks;
}

static const hx_exchange_field *read_items(const reader *r, int *count)
{
    *count = read_list(r, "field");
    hx_exchange_field *item = read_memory(r, (size_t)*count, sizeof *item);
    for (int i = 0; i < *count; ++i) {
        read_entry(r, i);
        item[i].field = read_int(r, "field");
        read_ints(r, "width_lo", HX_MAX_AXES, item[i].width_lo);
        read_ints(r, "width_hi", HX_MAX_AXES, item[i].width_hi);
        item[i].picks = read_picks(r);
        item[i].wire = (hx_wire)read_int(r, "wire");
        item[i].kernels = lua_getfield(r->L, -1, "kernels") == LUA_TNIL ? NULL : kernels_read(r);
        read_done(r);
        read_done(r);
    }
    read_done(r);
    return item;
}

static void read_directions(const reader *r, hx_exchange *exchange)
{
    exchange->directions = read_list(r, "direction");
    signed char(*direction)[HX_MAX_AXES] = read_memory(r, (size_t)exchange->directions, sizeof direction[0]);
    for (int d = 0; d < exchange->directions; ++d) {
        read_entry(r, d);
        for (int a = 0; a < (int)lua_rawlen(r->L, -1) && a < HX_MAX_AXES; ++a) {
            lua_rawgeti(r->L, -1, a + 1);
            direction[d][a] = (signed char)lua_tointeger(r->L, -1);
            lua_pop(r->L, 1);
        }
        read_done(r);
    }
    read_done(r);
    exchange->direction = (const signed char(*)[HX_MAX_AXES])direction;
}

/* Walls and corners are filled behind the messages, within a block: they are not asked for here. */
static const hx_exchange *read_exchanges(const reader *r, int *count)
{
    *count = read_list(r, "exchange");
    hx_exchange *exchange = read_memory(r, (size_t)*count, sizeof *exchange);
    for (int i = 0; i < *count; ++i) {
        read_entry(r, i);
        exchange[i].name = read_string(r, "name");
        exchange[i].line = read_int(r, "line");
        exchange[i].field = read_items(r, &exchange[i].fields);
        read_directions(r, &exchange[i]);
        exchange[i].operation = (hx_operation)read_word(r, "operation", operations);
        exchange[i].by_dimension = read_int(r, "by_dimension");
        exchange[i].box = read_int(r, "box");
        exchange[i].shared = (hx_shared)read_word(r, "shared", sharings);
        exchange[i].keeps = read_int(r, "keeps");
        read_done(r);
    }
    read_done(r);
    return exchange;
}

/* ---- the whole ---------------------------------------------------------------------------------------- */

static void read_axis_names(const reader *r, hx_spec *spec)
{
    const int axes = read_list(r, "axis");
    for (int a = 0; a < axes && a < HX_MAX_AXES; ++a) {
        lua_rawgeti(r->L, -1, a + 1);
        spec->axis[a] = luaL_checkstring(r->L, -1);
        lua_rawseti(r->L, r->anchor, (lua_Integer)lua_rawlen(r->L, r->anchor) + 1);
    }
    read_done(r);
}

static void read_face_bytes(const reader *r, double face_bytes[])
{
    const int axes = read_list(r, "face_bytes");
    for (int a = 0; a < axes && a < HX_MAX_AXES; ++a) {
        lua_rawgeti(r->L, -1, a + 1);
        face_bytes[a] = luaL_checknumber(r->L, -1);
        lua_pop(r->L, 1);
    }
    read_done(r);
}

/* Behind an hx_part a shape has the strides of all fields, then those of components that lie apart. */
static void set_shape(hx_spec *spec)
{
    const size_t fields = (size_t)spec->fields;
    spec->shape_stride = sizeof(hx_part);
    spec->shape_apart = spec->shape_stride + fields * (size_t)spec->axes * sizeof(ptrdiff_t);
    spec->shape_size = spec->shape_apart + fields * sizeof(ptrdiff_t);
}

const hx_spec *spec_read(const reader *r)
{
    luaL_checktype(r->L, -1, LUA_TTABLE);
    hx_spec *spec = read_memory(r, 1, sizeof *spec);
    spec->abi = HX_ABI;
    spec->name = read_string(r, "name");
    spec->file = read_string(r, "file");
    spec->axes = read_int(r, "axes");
    spec->tiles = read_int(r, "tiles");
    spec->list = read_int(r, "list");
    spec->first_fastest = read_int(r, "first_fastest");
    read_ints(r, "periodic", HX_MAX_AXES, spec->periodic);
    read_ints(r, "decomposed", HX_MAX_AXES, spec->decomposed);
    read_ints(r, "cells", HX_MAX_AXES, spec->cells);
    read_axis_names(r, spec);
    read_face_bytes(r, spec->face_bytes);
    spec->positions = read_positions(r, &spec->position_classes);
    spec->field = read_fields(r, &spec->fields);
    spec->exchange = read_exchanges(r, &spec->exchanges);
    set_shape(spec);
    return spec;
}
