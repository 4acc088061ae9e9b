/*
 * May these arrays be moved, or moved to?
 */
#ifndef HX_MOVING_ARRAYS_H
#define HX_MOVING_ARRAYS_H

#include "exchange/handle.h"

/* A handle, and what the application gave for it. */
typedef struct hxi_moving_end {
    const hx_handle *handle;
    const void *fields;
    const char *name; /* "source" */
    bool halos;       /* ghost points move, too */
} hxi_moving_end;

/* The pointer of a field of a block, among those that the application gave. */
void *hxi_moving_array(const hx_spec *spec, const void *fields, int block, int field);

/* All arrays of one end; told[f]: 1: field f has some here, told[fields + f]: it has not all. */
hx_status hxi_moving_arrays_check(const hxi_moving_end *end, int64_t *told, const char *caller);

/*
 * Points of the target share no memory with others: one would be read after it was written, or written twice.
 * Arrays may lie within each other, as those of an array of structs.
 */
hx_status hxi_moving_arrays_apart(const hxi_moving_end *source, const hxi_moving_end *target,
                                  const char *caller);

#endif
