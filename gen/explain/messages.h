/*
 * What one rank sends, receives and copies in an exchange.
 */
#ifndef HALOGEN_EXPLAIN_MESSAGES_H
#define HALOGEN_EXPLAIN_MESSAGES_H

#include <lua.h>

/* For more links of a rank than these nobody asks which kernels serve them: that takes a look at all for each. */
enum { MESSAGES_MOST_SERVED = 4096 };

/*
 * configuration, exchange, schedule, one_machine, rank, with_links -> a table, or nil and a sentence:
 *
 *   by_dimension, why, phases, axes   how the exchange goes
 *   messages   a list of { kind = "sent", "received" or "within", peer =, phase =, bytes =, links =, runs = stretches of memory
 *              at the end that is here, of "within" at the destination, near = bytes of these, of each 64 at most }, by phase
 *              and kind, then peer
 *   run        { count =, bytes =, shortest =, longest = } over all links, in bytes
 *   kernels    a list of { work = "pack", "unpack" or "copy", kernel =, links =, bytes = }; empty where libhx has none on the host
 *   links      with_links: a list of hx_link as tables, with kind, bytes, runs, and kernel, if there is one
 */
int messages_push(lua_State *L);

#endif
