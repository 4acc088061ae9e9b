/*
 * Space, cut into tiles of which each has turned its axes as it likes: the grids of specs/patch_plane.lua and
 * patch_cube.lua.
 *
 * Along each axis of space stand SLICES[axis] slices of tiles, and space closes on itself along its first
 * axis. Fields are named after where their points lie: p at the centers of cells, q on both faces along all
 * axes, and components of vectors, by their axes from 1: a at the centers, c on both faces along the axis of
 * the component, d on both faces along all others.
 * Like a are s, which spin about their axes, and h, which have no sense along them.
 */
#ifndef PATCH_H
#define PATCH_H

#include "oracle.h"

int patch_partitions(const hx_spec *spec, int number, hx_partition partition[]);
layout_faces patch_faces;
oracle_topology patch_topology;

#endif
