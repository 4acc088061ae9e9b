/*
 * A spec on so many cells, blocks and ranks.
 */
#ifndef HALOGEN_EXPLAIN_CONFIGURATION_H
#define HALOGEN_EXPLAIN_CONFIGURATION_H

#include "explain/read.h"

#include "pack/segment.h"

#include <lauxlib.h>

typedef struct configuration {
    const hx_spec *spec;
    hx_partition *partition; /* one per tile */
    hxi_layout layout;
} configuration;

/*
 * Of a table { spec = tables.lua's, cells = { { 96, 96 }, … one per tile }, parts = likewise, ranks = }: pushes a
 * configuration, or nil and a sentence.
 */
int configuration_push(lua_State *L);

/* What a function of Lua was given as its first argument. */
configuration *configuration_at(lua_State *L);

/* The blocks of a rank: block b of all, counted through the tiles, goes to rank b * ranks / blocks. */
int configuration_first_block(const configuration *c, int rank);

/* Their list, with dense strides; hxi_blocks_free. */
hx_status configuration_blocks(const configuration *c, int rank, hxi_block_list *list);

/* Pushes nil and the sentence of the last failure; how many that are. */
int configuration_refuse(lua_State *L);

/* How an exchange goes, and the segments of a rank in one of its phases. */
typedef struct question {
    const configuration *c;
    int exchange;
    hxi_schedule_choice schedule;
} question;

/* Of the arguments `exchange`, from 0, and a word for the schedule; one_machine: all ranks share one. */
question question_at(lua_State *L, int argument);

/* Of a rank: its blocks, and those of others that it may feed; none: nobody asks what it sends. */
typedef struct surroundings {
    int rank;
    hxi_block_list mine;
    hxi_neighbors neighbors;
} surroundings;

/* with_neighbors: look for these, too.  surroundings_free, even where it fails. */
hx_status surroundings_find(const configuration *c, int rank, bool with_neighbors, surroundings *found);
void surroundings_free(surroundings *s);

/* Those that feed blocks of the rank and, if there are neighbors, those that go out; hxi_segments_free. */
hx_status question_segments(const question *q, const surroundings *around, int phase,
                            const hxi_segment_filter *filter, hxi_segments *found);

/* The widest that any exchange of the spec reaches. */
int configuration_reach(const configuration *c);

/* What configurations can be asked. */
void configuration_add_methods(lua_State *L, const luaL_Reg *methods);

#endif
