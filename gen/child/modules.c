#include "child/modules.h"

#include "base/hash.h"
#include "child/baked.h"
#include "child/child.h"

#include <lauxlib.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char overrides_key[] = "halogen.overrides";

void modules_push_overrides(lua_State *L)
{
    luaL_getsubtable(L, LUA_REGISTRYINDEX, overrides_key);
}

static void remember_override(lua_State *L, const char *name, const hg_text *text)
{
    modules_push_overrides(L);
    lua_Integer count = luaL_len(L, -1);
    for (lua_Integer i = 1; i <= count; ++i) {
        lua_geti(L, -1, i);
        lua_getfield(L, -1, "name");
        bool same = strcmp(lua_tostring(L, -1), name) == 0;
        lua_pop(L, 2);
        if (same) {
            lua_pop(L, 1);
            return;
        }
    }
    char digits[HASH_DIGITS + 1];
    hash_text(text->bytes, text->length, digits);
    lua_createtable(L, 0, 2);
    lua_pushstring(L, name);
    lua_setfield(L, -2, "name");
    lua_pushstring(L, digits);
    lua_setfield(L, -2, "hash");
    lua_seti(L, -2, count + 1);
    lua_pop(L, 1);
}

/* Pushes the text and chunk name of an override, or nil and a message if it cannot be used. */
static bool push_override(lua_State *L, const char *name, const char *path)
{
    hg_text text = {0}, problem = {0};
    bool found = child_read(child_of(L), path, &text, &problem);
    if (found) {
        remember_override(L, name, &text);
        lua_pushlstring(L, text.bytes, text.length);
        lua_pushfstring(L, "@%s", path);
    } else {
        lua_pushnil(L);
        lua_pushlstring(L, problem.bytes, problem.length);
    }
    text_free(&text);
    text_free(&problem);
    return found;
}

static int compare(const void *name, const void *file)
{
    return strcmp(name, ((const hg_baked *)file)->name);
}

static bool push_baked(lua_State *L, const char *name)
{
    const hg_baked *file = bsearch(name, baked_files, baked_count, sizeof *file, compare);
    if (file) {
        lua_pushlstring(L, file->text, file->length);
        lua_pushfstring(L, "@%s/%s", strncmp(name, "lua/", 4) == 0 ? "gen" : "templates", name);
    } else {
        lua_pushnil(L);
        lua_pushfstring(L, "there is no '%s' in this halogen", name);
    }
    return file != NULL;
}

bool modules_push_text(lua_State *L, const char *name)
{
    const char *directory = child_of(L)->options->templates;
    if (!directory) {
        return push_baked(L, name);
    }
    char *path = path_join(directory, name);
    bool found = access(path, F_OK) == 0 ? push_override(L, name, path) : push_baked(L, name);
    free(path);
    return found;
}

void modules_load(lua_State *L, const char *name)
{
    if (!modules_push_text(L, name)) {
        luaL_error(L, "%s", lua_tostring(L, -1));
    }
    size_t length;
    const char *text = lua_tolstring(L, -2, &length);
    if (luaL_loadbufferx(L, text, length, lua_tostring(L, -1), "t") != LUA_OK) {
        lua_error(L);
    }
    lua_replace(L, -3);
}

/* A searcher of package.searchers: the loader and what it is called with.  Module "grids.fold" is
 * "lua/grids/fold.lua". */
static int search(lua_State *L)
{
    const char *module = luaL_checkstring(L, 1);
    modules_load(L, lua_pushfstring(L, "lua/%s.lua", luaL_gsub(L, module, ".", "/")));
    return 2;
}

void modules_open(lua_State *L)
{
    lua_getglobal(L, "package");
    lua_createtable(L, 1, 0);
    lua_pushcfunction(L, search);
    lua_seti(L, -2, 1);
    lua_setfield(L, -2, "searchers");
    lua_pop(L, 1);
}
