/*
 * One box, closed along one axis and folded at a side across the other, with a third axis or without:
 * specs/folded.lua.in.
 *
 * The name of the spec ends with the side, "n", "s", "e" or "w" (+y, -y, +x, -x), and with where the fold
 * pivots, first along the side, then across it: "f" on faces, "c" on centers.  The name of a field ends with
 * where its points lie along x and y, "c", "l", "h" or "b" as in center, low, high and both, and begins with
 * "u" and "v" for components along x and y.
 */
#ifndef FOLDED_H
#define FOLDED_H

#include "oracle.h"

int folded_partitions(const hx_spec *spec, int number, hx_partition partition[]);
layout_faces folded_faces;
oracle_topology folded_topology;

/* Owned points that lie where others do: an exchange that reaches across the fold writes to them, too. */
bool folded_rewrites(const layout *l, const hx_exchange_field *item, int block, const int point[]);

#endif
