/*
 * The arrays that exchanges are measured with: those of their fields, as large as the real ones, unless that
 * is too much for the host or for a device.
 */
#ifndef HX_TUNE_ARRAYS_H
#define HX_TUNE_ARRAYS_H

#include "tune.h"

#include <stdint.h>

struct hx_handle;

/*
 * Collective; the same on all ranks.  open: by exchange, not 0: it is to be measured; set to 0 where it takes
 * too much beside those before it, and `tuned` says so.  needed: by field, has one of the others it.  mine
 * and most: room for a number per field.  HX_ERR_LIMIT: it is too much for each of them, and nothing is known
 * of others from before.
 */
hx_status hx_tune_choose_arrays(const struct hx_handle *handle, unsigned open[], hx_tuned tuned[],
                                bool needed[], int64_t mine[], int64_t most[]);

#endif
