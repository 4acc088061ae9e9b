/*
 * Arrays before and after exchanges on grids of tiles: what is put into them, and what is found there.
 */
#ifndef HX_CHECK_COMPARE_H
#define HX_CHECK_COMPARE_H

#include "check/grid.h"

/* Puts into all arrays of a block what they hold before exchanges. */
void hxi_check_begin(const check_run *r, const check_block *b);

/* Changes that where an exchange starts from something else. */
void hxi_check_prepare(const check_run *r, const check_block *b, int exchange);

/* Looks at every point of every array after it.  Collective. */
void hxi_check_compare(check_run *r, int exchange);

/* Looks at the components of one point, as after an exchange that copies ghost points. */
void hxi_check_compare_spot(check_run *r, const check_block *b, const check_step *step,
                            const check_spot *spot);

#endif
