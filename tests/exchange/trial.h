/*
 * One partition of one spec, tried with every transport and schedule: each exchange fills what the topology
 * says and nothing else. Every transport is compared with the same expectation, bit by bit; so all of them
 * agree with p2p.
 */
#ifndef TRIAL_H
#define TRIAL_H

#include "oracle.h"

void trial_run(const layout *l, oracle_topology *topology);

/* Handles made so far; those of them where an exchange went by dimension. */
long trial_count(void);
long trial_count_by_dimension(void);

/* Handles of all ranks that fill whole halos in one walk.  Collective. */
long trial_count_sweeps(void);

#endif
