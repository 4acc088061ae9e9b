#include "explain/functions.h"

#include "explain/configuration.h"
#include "explain/messages.h"
#include "explain/totals.h"
#include "explain/write.h"

#include "base/saturate.h"
#include "base/status.h"
#include "grid/partition.h"

#include <lauxlib.h>

/* ---- process grids ------------------------------------------------------------------------------------- */

static void push_process_grid(lua_State *L, int axes, const hxi_process_grid *grid)
{
    lua_createtable(L, 0, 3);
    write_ints(L, "parts", axes, grid->parts);
    write_int(L, "neighbors", grid->neighbors);
    write_int(L, "bytes", (lua_Integer)grid->bytes);
}

/* A list of doubles that are whole numbers. */
static void read_face_bytes(lua_State *L, int axes, double face_bytes[])
{
    lua_getfield(L, 1, "face_bytes");
    for (int a = 0; a < axes; ++a) {
        lua_rawgeti(L, -1, a + 1);
        face_bytes[a] = luaL_checknumber(L, -1);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
}

/*
 * process_grids { cells =, parts = 0: to choose, periodic =, face_bytes =, ranks = } -> { tried =, { parts =, bytes =,
 * neighbors = }, … }, the best first; or nil and a sentence
 */
static int process_grids(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_settop(L, 1);
    const reader r = {L, 0};
    hx_partition request = {0};
    request.axes = read_ints(&r, "cells", HX_MAX_AXES, request.cells);
    read_ints(&r, "parts", HX_MAX_AXES, request.ranks);
    read_ints(&r, "periodic", HX_MAX_AXES, request.periodic);
    read_face_bytes(L, request.axes, request.face_bytes);
    const int ranks = read_int(&r, "ranks");
    hxi_process_grids found;
    if (hxi_partition_check(&request, false) != HX_OK ||
        hxi_process_grids_find(ranks, &request, &found) != HX_OK) {
        return configuration_refuse(L);
    }
    lua_createtable(L, found.kept, 1);
    write_int(L, "tried", found.tried);
    for (int i = 0; i < found.kept; ++i) {
        push_process_grid(L, request.axes, &found.best[i]);
        lua_rawseti(L, -2, i + 1);
    }
    return 1;
}

/* ---- blocks -------------------------------------------------------------------------------------------- */

static ptrdiff_t owned_bytes(const configuration *c, const hxi_block *block, int number)
{
    const hx_field *field = &c->spec->field[number];
    int points[HX_MAX_AXES];
    ptrdiff_t owned = field->components_after > 0 ? field->components : 1;
    hxi_cut_points(c->spec, number, block->cells, points);
    for (int a = 0; a < c->spec->axes; ++a) {
        owned = hxi_times(owned, points[a]);
    }
    return hxi_times(owned, field->size);
}

/* What a field of all blocks takes: owned points, and all that is allocated for it. */
static void push_field(lua_State *L, const configuration *c, const hxi_block_list *list, int number)
{
    ptrdiff_t owned = 0;
    ptrdiff_t bytes = 0;
    for (int b = 0; b < list->blocks; ++b) {
        owned = hxi_plus(owned, owned_bytes(c, &list->block[b], number));
        bytes = hxi_plus(bytes, (ptrdiff_t)hxi_block_allocated(c->spec, &list->block[b], number));
    }
    lua_createtable(L, 0, 2);
    write_int(L, "owned_bytes", owned);
    write_int(L, "bytes", bytes);
}

static void push_block(lua_State *L, const configuration *c, const hxi_block *block)
{
    const hxi_tile *tile = &c->layout.tile[block->tile];
    int index[HX_MAX_AXES];
    int first[HX_MAX_AXES];
    hxi_layout_index(&c->layout, block->tile, block->number, index);
    for (int a = 0; a < HX_MAX_AXES; ++a) {
        first[a] = hxi_tile_cut(tile, a, index[a]);
    }
    lua_createtable(L, 0, 5);
    write_int(L, "tile", block->tile);
    write_int(L, "block", block->number);
    write_ints(L, "index", c->spec->axes, index);
    write_ints(L, "first", c->spec->axes, first);
    write_ints(L, "n", c->spec->axes, block->cells);
}

/*
 * configuration:blocks(rank, most) -> { count = of all, field = { { owned_bytes =, bytes = }, … of all blocks }, and the first of
 * them, so many at most: { tile =, block =, index =, first =, n = }, … }, or nil and a sentence
 */
static int blocks(lua_State *L)
{
    const configuration *c = configuration_at(L);
    const int rank = (int)luaL_checkinteger(L, 2);
    luaL_argcheck(L, rank >= 0 && rank < c->layout.ranks, 2, "no such rank");
    const lua_Integer most = luaL_checkinteger(L, 3);
    hxi_block_list list;
    if (configuration_blocks(c, rank, &list) != HX_OK) {
        hxi_blocks_free(&list);
        return configuration_refuse(L);
    }
    lua_newtable(L);
    write_int(L, "count", list.blocks);
    for (int b = 0; b < list.blocks && b < most; ++b) {
        push_block(L, c, &list.block[b]);
        lua_rawseti(L, -2, b + 1);
    }
    lua_createtable(L, c->spec->fields, 0);
    for (int f = 0; f < c->spec->fields; ++f) {
        push_field(L, c, &list, f);
        lua_rawseti(L, -2, f + 1);
    }
    lua_setfield(L, -2, "field");
    hxi_blocks_free(&list);
    return 1;
}

/* ---- all ----------------------------------------------------------------------------------------------- */

static const luaL_Reg methods[] = {
    {"blocks", blocks},
    {"messages", messages_push},
    {"totals", totals_push},
    {NULL, NULL},
};

static const luaL_Reg functions[] = {
    {"process_grids", process_grids},
    {"configuration", configuration_push},
    {NULL, NULL},
};

void explain_add_functions(lua_State *L)
{
    luaL_setfuncs(L, functions, 0);
    configuration_add_methods(L, methods);
}
