/*
 * What exchanges make of ghost points that they send back to their owners, told by the one that adds and that
 * adjoint.h proves: behind "keep_" an exchange has the name of one that begins with "back_", and leaves ghost
 * points as they are; behind "least_" and "most_" it takes minima and maxima.
 */
#ifndef EXCHANGE_RETURNED_H
#define EXCHANGE_RETURNED_H

#include "layout.h"

/* All that the spec has. */
void returned_run(const layout *l, hx_handle *handle);

#endif
