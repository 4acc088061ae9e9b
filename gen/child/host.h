/* The global table `host` of our own Lua modules: all that they can ask of the program.  No spec sees it. */
#ifndef HALOGEN_HOST_H
#define HALOGEN_HOST_H

#include <lua.h>

void host_open(lua_State *L);

#endif
