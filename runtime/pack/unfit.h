/*
 * Numbers that do not fit the format in which they travel (hx_wire), as emitted kernels find them: of those that
 * one thread finds the one at the lowest address.
 */
#ifndef HX_UNFIT_H
#define HX_UNFIT_H

#include <hx/abi.h>

/* Where it is: in an array of this rank.  NULL: none was found.  Forgets it. */
const void *hxi_unfit_take(void);

#endif
