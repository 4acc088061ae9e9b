/*
 * The functions of host that `halogen explain` computes with.
 */
#ifndef HALOGEN_EXPLAIN_FUNCTIONS_H
#define HALOGEN_EXPLAIN_FUNCTIONS_H

#include <lua.h>

/* Adds them to the table on top of the stack. */
void explain_add_functions(lua_State *L);

#endif
