/*
 * What all ranks do in an exchange.
 */
#ifndef HALOGEN_EXPLAIN_TOTALS_H
#define HALOGEN_EXPLAIN_TOTALS_H

#include <lua.h>

/* Boxes of ghost points that are cut for all exchanges of a spec; it takes a few seconds. */
enum { TOTALS_MOST_BOXES = 4500000 };

/*
 * configuration, exchange, schedule, one_machine, sizes -> { looked_at =, messages =, bytes_sent =, bytes_copied =,
 * busiest = {…}, idlest = {…}, crossing = … }, or nil and a sentence.  sizes: of groups of ranks, or nil; crossing is what
 * crossing.h pushes of them.  Messages and bytes are those of all ranks.  A rank has rank =, peers =,
 * messages =, bytes_sent =, bytes_received =, bytes_copied =; the busiest sends and receives the most bytes, and of
 * several such it is the first.
 */
int totals_push(lua_State *L);

#endif
