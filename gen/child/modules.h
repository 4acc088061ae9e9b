/* Our own Lua modules and templates: baked into the program, or taken from the directory of --templates. */
#ifndef HALOGEN_MODULES_H
#define HALOGEN_MODULES_H

#include <lua.h>
#include <stdbool.h>

/* Makes `require "room.name"` find "lua/room/name.lua" here, and nothing anywhere else. */
void modules_open(lua_State *L);

/* Pushes the text of a file such as "header.h.tmpl" and the name of its chunk; or nil and a message.
 * Returns whether it was found. */
bool modules_push_text(lua_State *L, const char *name);

/*
 * Pushes the function that is a module's text, and the name of its chunk; raises an error if there is none.
 */
void modules_load(lua_State *L, const char *name);

/* Pushes a list of {name=, hash=}: the files that were taken from the directory of --templates so far. */
void modules_push_overrides(lua_State *L);

#endif
