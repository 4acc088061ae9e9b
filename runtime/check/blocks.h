/*
 * The blocks of this rank, their arrays, and all exchanges on them.
 */
#ifndef HX_CHECK_BLOCKS_H
#define HX_CHECK_BLOCKS_H

#include "check/run.h"

/* Blocks for so many parts of this rank, whose shapes follow each other in memory. */
void hxi_check_make_blocks(check_run *r, const hx_part *part, int count);
void hxi_check_free_blocks(check_run *r);

/*
 * Does all exchanges of a handle that was made with the shapes of the blocks, with arrays of this program
 * (own) or with those of NAME_alloc.  Collective.
 */
void hxi_check_try_exchanges(check_run *r, bool own);

#endif
