/*
 * What the options leave to "auto", chosen by measuring.
 *
 * A candidate is a transport and a schedule, and for exchanges on devices how messages lie.  For each of them
 * create makes a handle, runs its exchanges on arrays of their own, and lets it go.  The figure of a round is
 * that of the slowest rank, so all ranks see the same figures and choose alike.
 */
#ifndef HX_TUNE_H
#define HX_TUNE_H

#include "exchange/handle.h"

/*
 * Collective, for a handle that create has just made.  Where something else than the default is taken, the
 * handle is made again; where measuring fails, it stays as it is, and says why.
 */
void hxi_tune(hx_handle **handle, const hx_blocks *blocks, const void *shapes);

/*
 * The fastest of candidates by their nanoseconds, 0 for one that was not measured; candidate 0 always is.
 * That one stays unless another is 5 % faster, and of those that are as fast it is the first.
 */
int hxi_tune_choose(const int64_t figure[], int count);

#endif
