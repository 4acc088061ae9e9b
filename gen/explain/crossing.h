/*
 * Bytes of an exchange that go in and out of groups of ranks, as all ranks of a node are, or of a switch: group g has the
 * ranks from g * size to before (g + 1) * size.
 */
#ifndef HALOGEN_EXPLAIN_CROSSING_H
#define HALOGEN_EXPLAIN_CROSSING_H

#include <lua.h>

#include "base/status.h"

enum { CROSSING_MOST_SIZES = 16 };

typedef struct crossing {
    int sizes; /* of groups, that are told apart; 0: nothing is counted */
    int size[CROSSING_MOST_SIZES];
    int groups[CROSSING_MOST_SIZES];
    int phases;
    lua_Integer *out[CROSSING_MOST_SIZES]; /* of each size by group, then phase */
    lua_Integer *in[CROSSING_MOST_SIZES];
} crossing;

/* The sizes are a list at the argument, or there is none.  Whatever comes of it: free it. */
hx_status crossing_read(lua_State *L, int argument, int ranks, int phases, crossing *made);
void crossing_free(crossing *c);

/* A message. */
void crossing_add(crossing *c, int phase, int from, int to, lua_Integer bytes);

/* Pushes for each size a list: by phase the most bytes that a group sends, or receives. */
void crossing_push(lua_State *L, const crossing *c);

#endif
