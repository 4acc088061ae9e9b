/*
 * The grid of tests/canary: two tiles joined by a quarter turn.
 */
#ifndef CANARY_H
#define CANARY_H

#include "oracle.h"

/* Partitions number 0, 1, ... of the two tiles: 1 if they can be, 0 if they have more parts than cells, -1:
 * no more. */
int canary_partitions(const hx_spec *spec, int number, hx_partition partition[]);
int deep_canary_partitions(const hx_spec *spec, int number, hx_partition partition[]);

/* The fields of one canary are stored on both faces. */
layout_faces canary_faces;

oracle_topology canary_topology;

#endif
