/*
 * Exchanges that add are the transposes of those that copy: <Hx, y> = <x, Hᵀy>, in whole numbers.
 */
#ifndef ADJOINT_H
#define ADJOINT_H

#include "layout.h"

/*
 * Collective.  Each exchange whose name is "back_" and the name of another one adds the fields and widths
 * that the other copies.  Those that sum shared points are their own transposes.
 */
void adjoint_run(const layout *l, const char *transport);

#endif
