/*
 * The partitions that a spec is tried on: every way to divide so many parts among the axes, times every
 * extent from one cell a part to 2 * width + 2 more than that and a large one, times four ways to cut.
 */
#ifndef CASES_H
#define CASES_H

#include <hx/abi.h>

#include <stdbool.h>

enum { CASES_PARTS = 32, CASES_FACTORS = 128 };

typedef struct cases {
    const hx_spec *spec;
    int parts;
    int factors; /* ways to divide the parts among the axes */
    int ranks[CASES_FACTORS][HX_MAX_AXES];
    size_t total[CASES_FACTORS];            /* cases of each */
    size_t count;                           /* of all */
    int cuts[HX_MAX_AXES][CASES_PARTS + 1]; /* of the case last made */
} cases;

void cases_make(cases *c, const hx_spec *spec, int parts);

/*
 * Number i of `tries` cases, spread evenly over all of them if there are more.  The partition points into c
 * until the next call.  False: there are fewer.
 */
bool cases_get(cases *c, size_t i, size_t tries, hx_partition *partition);

/* "ranks 2 x 1, cells 5 x 3, cuts 0 4 5 | even" */
void cases_print(const hx_partition *partition, char *text, size_t room);

#endif
