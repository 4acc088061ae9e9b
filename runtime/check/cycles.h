/*
 * Cycles: does every step find what it reads?
 */
#ifndef HX_CHECK_CYCLES_H
#define HX_CHECK_CYCLES_H

#include "check/run.h"

/*
 * Runs all cycles on the arrays of the blocks, of which structs has pointers.  move: brings fields of a device there,
 * or back.  Collective.
 */
void hxi_check_try_cycles(check_run *r, unsigned char *structs,
                          void move(const check_run *r, unsigned char *structs, bool back));

#endif
