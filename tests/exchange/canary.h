/*
 * The grid of tests/canary: two tiles joined by a quarter turn.
 */
#ifndef CANARY_H
#define CANARY_H

#include "oracle.h"

/* Partitions number 0, 1, ... of the two tiles: 1 if they can be, 0 if they have more parts than cells, -1:
 * no more. */
int canary_partitions(int number, hx_partition partition[2]);

/* Whether the fields of a canary are stored on both faces. */
int canary_both_faces(const hx_spec *spec);

oracle_topology canary_topology;

#endif
