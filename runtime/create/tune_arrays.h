/*
 * The arrays that exchanges are measured with: those of their fields, as long as the real ones.  Of the host
 * they take HX_TUNE_REAL bytes of memory at most, whatever their length: what is measured is where points lie
 * and how far from each other, not what they are.
 */
#ifndef HX_TUNE_ARRAYS_H
#define HX_TUNE_ARRAYS_H

#include "create/tune.h"

#include <stdint.h>

struct hx_handle;

enum { HX_TUNE_REAL = 8 << 20 };

/*
 * Collective; the same on all ranks.  open: by exchange, not 0: it is to be measured; set to 0 where it takes
 * too much beside those before it, and `tuned` says so.  needed: by field, has one of the others it.  mine
 * and most: room for a number per field, and one more.  HX_ERR_LIMIT: arrays are too much for each of them,
 * and nothing is known of others from before; or messages are.
 */
hx_status hxi_tune_choose_arrays(const struct hx_handle *handle, unsigned open[], hxi_tuned tuned[],
                                 bool needed[], int64_t mine[], int64_t most[]);

#endif
