/*
 * The arrays of one rank for a cloud of points: what they hold by the ids, what an exchange makes of them.
 */
#ifndef POINTS_H
#define POINTS_H

#include "cloud.h"

#include <hx/abi.h>

#include <stdbool.h>

typedef struct points {
    const hx_spec *spec;
    const cloud *c;
    int rank;
    unsigned char *shape;  /* as emitted code has it */
    unsigned char **array; /* by field */
    unsigned char *pointers;
    /* Before and behind each array there are bytes that nobody touches, so many; with is_skewed as many more
       as an element asks for, so that arrays begin where wider words do not. */
    size_t guard;
    bool is_skewed;
} points;

/* padding: 0 dense, 1 as caches like it, 2 wider than that. */
void points_make(points *p, const hx_spec *spec, const cloud *c, int rank, int padding);
void points_free(points *p);

/* Of the array of a field. */
size_t points_bytes(const points *p, int field);

/* Before an exchange that copies, or adds; points are the only bytes with a meaning. */
void points_fill(const points *p, bool adds);

/* The same, and what one does to it then. */
void points_expect(const points *p, int exchange);

/* Fails the test where a byte differs. */
void points_compare(const points *got, const points *wanted);

#endif
