/*
 * What a rank asks of a gather, or gives to a scatter: may it?
 */
#ifndef HX_SELECTED_H
#define HX_SELECTED_H

#include "exchange/handle.h"
#include "pack/selection.h"

/* What the application called, for all that follows. */
typedef struct hxi_selected_call {
    const hx_handle *handle;
    const char *caller;
    bool scatters;
    bool whole; /* hx_gather: selections are tiles */
} hxi_selected_call;

/*
 * The selection of this number of what was given, with all that was left out: along each axis a number of points, a
 * step, and a stride of the array.
 */
hx_status hxi_selected_take(const hxi_selected_call *call, const hx_selection *given, int number,
                            hxi_selection *taken, hx_strided_array *array);

/* May a field be moved, and is it one of the spec's? */
hx_status hxi_selected_check_field(const hxi_selected_call *call, int field);

/* Has each block an array of this field, which no exchange under way uses? */
hx_status hxi_selected_check_blocks(const hxi_selected_call *call, const void *fields, int field);

/* What is written shares no memory with other arrays.  own: of this rank; moves: by field. */
hx_status hxi_selected_check_memory(const hxi_selected_call *call, const void *fields,
                                    const hxi_selection *own, int count, const unsigned char *moves);

/* No point of the grid is in two of all selections, which are sorted. */
hx_status hxi_selected_check_apart(const hxi_selected_call *call, hxi_selection *all, int count);

#endif
