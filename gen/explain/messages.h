/*
 * What one rank sends, receives and copies in an exchange.
 */
#ifndef HALOGEN_EXPLAIN_MESSAGES_H
#define HALOGEN_EXPLAIN_MESSAGES_H

#include <lua.h>

/*
 * configuration, exchange, schedule, one_machine, rank -> { by_dimension =, why =, axes = of the phases, links = {…} },
 * or nil and a sentence.  A link has the members of hx_link, and: kind = "sent", "received" or "within"; bytes; runs =
 * stretches of memory at the end that is here, of "within" at the destination; kernel, where libhx chooses one.
 */
int messages_push(lua_State *L);

#endif
