/*
 * A handle of the same spec, for the same blocks, with all fields on the host: what it makes of arrays is
 * what a device is to make of the same.
 */
#ifndef TWIN_H
#define TWIN_H

#include "arrays.h"

#include <stdbool.h>

/* Does an exchange have fields in the memory of a device? */
bool twin_is_there(const hx_spec *spec, int exchange);

/* Both faces, for layout_make, as the tables have it: who compares with the host needs no other word on where
 * fields lie. */
int twin_faces(const hx_spec *spec, int field, int axis);

/* Collective. */
hx_handle *twin_make(const hx_spec *host, const layout *l, const char *transport);

/* Functions for walls that write the same at both.  They read the layout as long as they are called. */
void twin_set_hooks(hx_handle *handle, hx_handle *twin, const layout *l);

/* Collective.  The expectation is what the twin makes of these arrays as they were filled: by the exchange,
 * or, fill >= 0, by filling corners. */
void twin_expect(hx_handle *twin, arrays *s, int exchange, int fill);

#endif
