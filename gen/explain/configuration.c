#include "explain/configuration.h"

#include "explain/spec.h"

#include "base/memory.h"
#include "base/status.h"
#include "grid/partition.h"

#include <string.h>

static const char kind[] = "halogen.configuration";

/* ---- who owns what ------------------------------------------------------------------------------------ */

static int owner_of(void *context, int tile, int block)
{
    const hxi_layout *layout = context;
    const int64_t number = layout->tile[tile].first_block + block;
    return (int)(number * layout->ranks / layout->blocks);
}

int configuration_first_block(const configuration *c, int rank)
{
    const int64_t blocks = c->layout.blocks;
    return (int)((rank * blocks + c->layout.ranks - 1) / c->layout.ranks);
}

static int tile_of(const hxi_layout *layout, int number)
{
    int tile = layout->tiles - 1;
    while (layout->tile[tile].first_block > number) {
        --tile;
    }
    return tile;
}

static hx_status make_shape(const configuration *c, int number, char *shape)
{
    const int tile = tile_of(&c->layout, number);
    hx_part part;
    const hx_status status =
        hx_part_of(&c->partition[tile], tile, number - c->layout.tile[tile].first_block, &part);
    memcpy(shape, &part, sizeof part);
    hx_dense_strides(c->spec, &part, (ptrdiff_t *)(void *)(shape + c->spec->shape_stride),
                     (ptrdiff_t *)(void *)(shape + c->spec->shape_apart));
    return status;
}

hx_status configuration_blocks(const configuration *c, int rank, hxi_block_list *list)
{
    const int first = configuration_first_block(c, rank);
    const int count = configuration_first_block(c, rank + 1) - first;
    char *shapes = hxi_memory_get((size_t)count, c->spec->shape_size, "shapes");
    hx_status status = shapes ? HX_OK : HX_ERR_MEMORY;
    for (int b = 0; b < count && status == HX_OK; ++b) {
        status = make_shape(c, first + b, shapes + (size_t)b * c->spec->shape_size);
    }
    *list = (hxi_block_list){0};
    if (status == HX_OK) {
        status = hxi_blocks_make(c->spec, &c->layout, rank, count, shapes, list);
    }
    hxi_memory_free(shapes);
    return status;
}

/* ---- making one --------------------------------------------------------------------------------------- */

int configuration_refuse(lua_State *L)
{
    lua_pushnil(L);
    lua_pushstring(L, hx_last_error());
    return 2;
}

static int release(lua_State *L)
{
    configuration *c = luaL_checkudata(L, 1, kind);
    hxi_layout_free(&c->layout);
    return 0;
}

void configuration_add_methods(lua_State *L, const luaL_Reg *methods)
{
    luaL_newmetatable(L, kind);
    lua_pushcfunction(L, release);
    lua_setfield(L, -2, "__gc");
    lua_newtable(L);
    luaL_setfuncs(L, methods, 0);
    lua_setfield(L, -2, "__index");
    lua_pop(L, 1);
}

configuration *configuration_at(lua_State *L)
{
    return luaL_checkudata(L, 1, kind);
}

/* Numbers of one tile, of a list of such lists. */
static void read_tile(const reader *r, const char *key, int tile, int axes, int values[])
{
    read_list(r, key);
    read_entry(r, tile);
    for (int a = 0; a < axes; ++a) {
        lua_rawgeti(r->L, -1, a + 1);
        values[a] = (int)luaL_checkinteger(r->L, -1);
        lua_pop(r->L, 1);
    }
    read_done(r);
    read_done(r);
}

/* As NAME_partition of emitted headers makes it, with the parts chosen. */
static hx_partition *read_partitions(const reader *r, const hx_spec *spec)
{
    hx_partition *partition = read_memory(r, (size_t)spec->tiles, sizeof *partition);
    for (int t = 0; t < spec->tiles; ++t) {
        partition[t] = (hx_partition){.axes = spec->axes, .first_fastest = spec->first_fastest};
        read_tile(r, "cells", t, spec->axes, partition[t].cells);
        read_tile(r, "parts", t, spec->axes, partition[t].ranks);
        memcpy(partition[t].periodic, spec->periodic, sizeof spec->periodic);
        memcpy(partition[t].face_bytes, spec->face_bytes, sizeof spec->face_bytes);
    }
    return partition;
}

int configuration_push(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_settop(L, 1);
    configuration *c = lua_newuserdatauv(L, sizeof *c, 1);
    *c = (configuration){0};
    lua_newtable(L);
    const reader r = {L, 3};
    lua_pushvalue(L, 2);
    luaL_setmetatable(L, kind);
    lua_pop(L, 1);
    lua_getfield(L, 1, "spec");
    c->spec = spec_read(&r);
    lua_settop(L, 3);
    lua_pushvalue(L, 1);
    c->partition = read_partitions(&r, c->spec);
    const int ranks = read_int(&r, "ranks");
    const hx_blocks blocks = {
        .tiles = c->spec->tiles, .partition = c->partition, .owner = owner_of, .context = &c->layout};
    lua_settop(L, 3);
    lua_setiuservalue(L, 2, 1);
    return hxi_layout_make(c->spec, &blocks, ranks, &c->layout) == HX_OK ? 1 : configuration_refuse(L);
}

/* ---- asking ------------------------------------------------------------------------------------------- */

int configuration_reach(const configuration *c)
{
    int reach = 0;
    for (int e = 0; e < c->spec->exchanges; ++e) {
        for (int i = 0; i < c->spec->exchange[e].fields; ++i) {
            for (int a = 0; a < c->spec->axes; ++a) {
                const hx_exchange_field *item = &c->spec->exchange[e].field[i];
                const int wide =
                    item->width_lo[a] > item->width_hi[a] ? item->width_lo[a] : item->width_hi[a];
                reach = wide > reach ? wide : reach;
            }
        }
    }
    return reach;
}

question question_at(lua_State *L, int argument)
{
    question q = {.c = configuration_at(L), .exchange = (int)luaL_checkinteger(L, argument)};
    luaL_argcheck(L, q.exchange >= 0 && q.exchange < q.c->spec->exchanges, argument, "no such exchange");
    hxi_schedule_request requested = {.one_machine = lua_toboolean(L, argument + 2),
                                      .by = "it was asked for"};
    luaL_argcheck(L, hxi_schedule_named(luaL_checkstring(L, argument + 1), &requested.schedule), argument + 1,
                  "no such schedule");
    q.schedule = hxi_schedule_choose(q.c->spec, &q.c->spec->exchange[q.exchange], &q.c->layout, &requested);
    return q;
}

hx_status surroundings_find(const configuration *c, int rank, bool with_neighbors, surroundings *found)
{
    *found = (surroundings){.rank = rank};
    const hx_status status = configuration_blocks(c, rank, &found->mine);
    return status == HX_OK && with_neighbors ? hxi_neighbors_find(c->spec, &c->layout, &found->mine,
                                                                  configuration_reach(c), &found->neighbors)
                                             : status;
}

void surroundings_free(surroundings *s)
{
    hxi_memory_free(s->neighbors.neighbor);
    hxi_blocks_free(&s->mine);
}

hx_status question_segments(const question *q, const surroundings *around, int phase,
                            const hxi_segment_filter *filter, hxi_segments *found)
{
    const hxi_neighborhood all = {q->c->spec,         &q->c->layout, &around->mine,
                                  &around->neighbors, around->rank,  filter};
    return hxi_segments_find_along(&all, q->exchange, q->schedule.by_dimension ? &q->schedule : NULL, phase,
                                   found);
}
