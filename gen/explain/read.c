#include "explain/read.h"

#include <lauxlib.h>
#include <limits.h>
#include <string.h>

void *read_memory(const reader *r, size_t count, size_t size)
{
    const size_t bytes = count * size + 1; /* never none */
    void *memory = lua_newuserdatauv(r->L, bytes, 0);
    memset(memory, 0, bytes);
    lua_rawseti(r->L, r->anchor, (lua_Integer)lua_rawlen(r->L, r->anchor) + 1);
    return memory;
}

static int to_int(const reader *r, const char *key)
{
    int is_number = 0;
    const lua_Integer value = lua_tointegerx(r->L, -1, &is_number);
    if (!is_number || value < INT_MIN || value > INT_MAX) {
        luaL_error(r->L, "'%s' is no int", key);
    }
    return (int)value;
}

int read_int(const reader *r, const char *key)
{
    lua_getfield(r->L, -1, key);
    const int value = to_int(r, key);
    lua_pop(r->L, 1);
    return value;
}

const char *read_string(const reader *r, const char *key)
{
    lua_getfield(r->L, -1, key);
    const char *text = luaL_checkstring(r->L, -1);
    lua_rawseti(r->L, r->anchor, (lua_Integer)lua_rawlen(r->L, r->anchor) + 1);
    return text;
}

int read_word(const reader *r, const char *key, const char *const words[])
{
    lua_getfield(r->L, -1, key);
    const int number = luaL_checkoption(r->L, -1, NULL, words);
    lua_pop(r->L, 1);
    return number;
}

int read_ints(const reader *r, const char *key, int most, int values[])
{
    const int count = read_list(r, key);
    if (count > most) {
        luaL_error(r->L, "'%s' has %d numbers, and %d at most", key, count, most);
    }
    for (int i = 0; i < count; ++i) {
        lua_rawgeti(r->L, -1, i + 1);
        values[i] = to_int(r, key);
        lua_pop(r->L, 1);
    }
    read_done(r);
    return count;
}

int read_list(const reader *r, const char *key)
{
    if (lua_getfield(r->L, -1, key) == LUA_TNIL) {
        return 0;
    }
    luaL_checktype(r->L, -1, LUA_TTABLE);
    return (int)lua_rawlen(r->L, -1);
}

void read_entry(const reader *r, int number)
{
    lua_rawgeti(r->L, -1, number + 1);
}

void read_done(const reader *r)
{
    lua_pop(r->L, 1);
}
