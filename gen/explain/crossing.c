#include "explain/crossing.h"

#include "base/memory.h"

#include <lauxlib.h>
#include <stdbool.h>

static int read_size(lua_State *L, int argument, int number)
{
    lua_rawgeti(L, argument, number + 1);
    const lua_Integer size = luaL_checkinteger(L, -1);
    lua_pop(L, 1);
    luaL_argcheck(L, size > 0, argument, "a group has ranks");
    return (int)size;
}

hx_status crossing_read(lua_State *L, int argument, int ranks, int phases, crossing *made)
{
    *made = (crossing){.phases = phases};
    if (lua_isnoneornil(L, argument)) {
        return HX_OK;
    }
    const lua_Unsigned sizes = lua_rawlen(L, argument);
    luaL_argcheck(L, sizes <= CROSSING_MOST_SIZES, argument, "too many sizes");
    made->sizes = (int)sizes;
    bool some = true;
    for (int i = 0; i < made->sizes; ++i) {
        made->size[i] = read_size(L, argument, i);
        made->groups[i] = (ranks - 1) / made->size[i] + 1;
        const size_t counts = (size_t)made->groups[i] * (size_t)phases;
        made->out[i] = hxi_memory_get(counts, sizeof *made->out[i], "bytes that leave nodes");
        made->in[i] = hxi_memory_get(counts, sizeof *made->in[i], "bytes that come to nodes");
        some = some && made->out[i] && made->in[i];
    }
    return some ? HX_OK : HX_ERR_MEMORY;
}

void crossing_free(crossing *c)
{
    for (int i = 0; i < c->sizes; ++i) {
        hxi_memory_free(c->out[i]);
        hxi_memory_free(c->in[i]);
    }
    *c = (crossing){0};
}

void crossing_add(crossing *c, int phase, int from, int to, lua_Integer bytes)
{
    for (int i = 0; i < c->sizes; ++i) {
        const int left = from / c->size[i];
        const int entered = to / c->size[i];
        if (left == entered) {
            continue;
        }
        c->out[i][left * c->phases + phase] += bytes;
        c->in[i][entered * c->phases + phase] += bytes;
    }
}

static lua_Integer most_of(const crossing *c, int i, int phase)
{
    lua_Integer most = 0;
    for (int g = 0; g < c->groups[i]; ++g) {
        const lua_Integer out = c->out[i][g * c->phases + phase];
        const lua_Integer in = c->in[i][g * c->phases + phase];
        most = out > most ? out : most;
        most = in > most ? in : most;
    }
    return most;
}

void crossing_push(lua_State *L, const crossing *c)
{
    lua_createtable(L, c->sizes, 0);
    for (int i = 0; i < c->sizes; ++i) {
        lua_createtable(L, c->phases, 0);
        for (int p = 0; p < c->phases; ++p) {
            lua_pushinteger(L, most_of(c, i, p));
            lua_rawseti(L, -2, p + 1);
        }
        lua_rawseti(L, -2, i + 1);
    }
}
