/*
 * Grids of connected tiles, by the names of their specs: partitions to try, and who feeds whom.
 */
#ifndef CONNECTED_H
#define CONNECTED_H

#include "oracle.h"

typedef struct connected {
    const char *name; /* of the spec, or its beginning */
    /* Partitions number 0, 1, ... of the tiles: 1 if they can be, 0 if they cannot, -1: no more. */
    int (*partitions)(const hx_spec *spec, int number, hx_partition partition[]);
    layout_faces *faces;
    oracle_topology *topology;
} connected;

/* NULL: the name is not one of these. */
const connected *connected_find(const hx_spec *spec);

#endif
