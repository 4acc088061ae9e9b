/*
 * Redistribution of random specs between random pairs of ways to divide a grid.
 */
#ifndef REDISTRIBUTE_H
#define REDISTRIBUTE_H

#include "session.h"

/* All specs of this program; returns how often fields were moved. */
long redistribute_all(int rank, int ranks);

#endif
