/*
 * The cubed sphere, in the words of those who use it: formulas in the indices of six tiles of N by N cells.
 *
 * Fields are named after where their points lie: p at the centers of cells, q on both faces along both
 * horizontal axes, w on both faces along z; and components of vectors, 1 to the east and 2 to the north: a at
 * the centers, b on both faces along both axes, c on both faces along the axis of the component, d along the
 * other one.
 */
#ifndef SPHERE_H
#define SPHERE_H

#include "oracle.h"

int sphere_partitions(const hx_spec *spec, int number, hx_partition partition[]);
int deep_sphere_partitions(const hx_spec *spec, int number, hx_partition partition[]); /* wide tiles */
layout_faces sphere_faces;
oracle_topology sphere_topology;

#endif
