/*
 * Tables of Lua as structs of C.  What they become lives as long as the anchor, a table of Lua; what is missing or
 * of another kind is an error of Lua, since only our own modules make these tables.
 */
#ifndef HALOGEN_EXPLAIN_READ_H
#define HALOGEN_EXPLAIN_READ_H

#include <lua.h>

#include <stddef.h>

/* Where memory and strings are kept, and which table is read: indices in the stack of Lua. */
typedef struct reader {
    lua_State *L;
    int anchor;
} reader;

/* Zeroed. */
void *read_memory(const reader *r, size_t count, size_t size);

/* Of the table on top of the stack. */
int read_int(const reader *r, const char *key);
const char *read_string(const reader *r, const char *key);

/* One of some words; its number. */
int read_word(const reader *r, const char *key, const char *const words[]);

/* A list of numbers; how many there are.  A list that is longer than `most` is an error, one that is missing empty. */
int read_ints(const reader *r, const char *key, int most, int values[]);

/* Pushes a list that the table has, or nothing, and returns 0 entries, if it has none. */
int read_list(const reader *r, const char *key);

/* Pushes an entry of the list on top of the stack, from 0. */
void read_entry(const reader *r, int number);

/* Pops what the last two pushed. */
void read_done(const reader *r);

#endif
