/*
 * Numbers into the table of Lua on top of the stack.
 */
#ifndef HALOGEN_EXPLAIN_WRITE_H
#define HALOGEN_EXPLAIN_WRITE_H

#include <lua.h>

static inline void write_int(lua_State *L, const char *key, lua_Integer value)
{
    lua_pushinteger(L, value);
    lua_setfield(L, -2, key);
}

static inline void write_string(lua_State *L, const char *key, const char *value)
{
    lua_pushstring(L, value);
    lua_setfield(L, -2, key);
}

static inline void write_ints(lua_State *L, const char *key, int count, const int values[])
{
    lua_createtable(L, count, 0);
    for (int i = 0; i < count; ++i) {
        lua_pushinteger(L, values[i]);
        lua_rawseti(L, -2, i + 1);
    }
    lua_setfield(L, -2, key);
}

#endif
