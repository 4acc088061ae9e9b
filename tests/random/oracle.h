/*
 * What arrays hold before and after an exchange, by brute force: a walk over all points of all blocks of the
 * grid that asks of each where it comes from.  There are no links here, no boxes to cut, no messages.
 */
#ifndef ORACLE_H
#define ORACLE_H

#include "world.h"

enum { GUARD = 8 }; /* elements before and behind each array */

/* The arrays of this rank's blocks, and beside them what they should hold. */
typedef struct arrays {
    const world *world;
    unsigned salt; /* of their values */
    bool small;
    place place[WORLD_BLOCKS][WORLD_FIELDS]; /* of all blocks */
    uint64_t base[WORLD_BLOCKS][WORLD_FIELDS];
    int local[WORLD_BLOCKS]; /* this rank's blocks, in the order that the library sees */
    int locals;
    unsigned char *actual[WORLD_BLOCKS][WORLD_FIELDS];
    unsigned char *expected[WORLD_BLOCKS][WORLD_FIELDS];
} arrays;

/* padding: points that strides have to spare, at most.  0: the grid is too large for the test's values. */
int arrays_make(arrays *s, const world *w, int padding, unsigned variant);
void arrays_free(arrays *s);

/* A value of its own for every element that there is, in actual and expected arrays. */
void arrays_fill(arrays *s, unsigned salt, bool small);

/* The value that arrays_fill gave an element, of any rank's block. */
void arrays_initial(const arrays *s, int block, int field, ptrdiff_t element, void *value);

unsigned char *arrays_element(unsigned char *array, const random_field *f, ptrdiff_t element);

/* What the hook of the test writes, in this and in all runs. */
typedef struct oracle_wall {
    int block, field, axis, side;
} oracle_wall;
void oracle_hook_value(const arrays *s, const oracle_wall *wall, const int at[], int component, void *value);

/* Changes the expectation by what an exchange does to arrays that were just filled. */
void oracle_expect(arrays *s, int exchange);

/* Whether the library may make the exchanges of this partition; text: why it must refuse. */
int oracle_accepts(const world *w, char *text, size_t room);

#endif
