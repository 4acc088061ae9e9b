/*
 * Grids whose tiles meet themselves or each other backwards: a fold, a twist and a cut behind a wing.  The
 * specs and pictures are in specs/fold.lua, twist.lua and wing.lua.  Fields are named as in sphere.h.
 */
#ifndef BENT_H
#define BENT_H

#include "oracle.h"

int bent_partitions(const hx_spec *spec, int number, hx_partition partition[]);
oracle_topology bent_fold;
oracle_topology bent_twist;
oracle_topology bent_wing;

#endif
