/*
 * Grids that are tried, by every transport.
 */
#ifndef HX_CHECK_TRIES_H
#define HX_CHECK_TRIES_H

#include "check/run.h"

typedef struct check_tally {
    int passed; /* those too thin aside */
    int failed;
    int thin; /* that create refused, as it may */
} check_tally;

/* Numbers that say how large a grid is: one for each axis, or for tiles one for each group of sides. */
int hxi_check_extents(const check_run *r);

/* Tries a grid of these extents; odd and even numbers of a turn differ in whose arrays a transport meets. */
void hxi_check_try_extents(check_run *r, const int extents[], int turn, check_tally *tally);

/* Tries the grid with long rows, if there is one. */
void hxi_check_try_rows(check_run *r, check_tally *tally);

#endif
