/*
 * The fields of this rank's blocks, and beside them what they should contain.
 */
#ifndef ARRAYS_H
#define ARRAYS_H

#include "layout.h"
#include "oracle.h"
#include "values.h"

typedef struct arrays {
    const layout *layout;
    oracle_topology *topology;
    value_kind *kind; /* of each field */
    int salt;
    size_t guard;           /* elements before and behind each array */
    unsigned char **actual; /* per block and field, guards on both sides */
    unsigned char **expected;
    int placed;              /* the actual ones are in memory of the caller's */
    hx_handle *handle;       /* that allocated them; NULL: the test did */
    unsigned char *pointers; /* the spec's structs of fields, for hx_start */
    unsigned char *sparse;   /* the same for one exchange: null for what it does not name */
} arrays;

void arrays_make(arrays *s, const layout *l, oracle_topology *topology);

/* The same in memory of the caller's, and how much it takes; NULL where that is 0. */
void arrays_place(arrays *s, const layout *l, oracle_topology *topology, unsigned char *memory);
size_t arrays_bytes(const layout *l);

/* Collective.  The same with arrays from hx_alloc, without guards. */
void arrays_alloc(arrays *s, const layout *l, oracle_topology *topology, hx_handle *handle);

/* Collective where hx_alloc made them. */
void arrays_free(arrays *s);

/* Values into all owned points and poison into everything else, as contents and as expectation. */
void arrays_fill(arrays *s, int salt);

/* Adds to the expectation what an exchange does. */
void arrays_expect(arrays *s, int exchange);

/* Compares every allocated element, guards and padding included, with the expectation. */
void arrays_check(const arrays *s, const char *when);

/* Pointers of only those fields that an exchange names. */
const void *arrays_of_exchange(arrays *s, int exchange);

#endif
