/*
 * Integers that do not fit the format in which they travel: noted while an exchange packs and unpacks, told when it has
 * finished.  So its messages come all the same, and the handle goes on.
 */
#ifndef HX_EXCHANGE_UNFIT_H
#define HX_EXCHANGE_UNFIT_H

#include "exchange/handle.h"

/* What kernels of this thread have found since; the first one of an exchange counts. */
void hxi_unfit_note(hxi_plan *plan);

/* The same of a device, if it has found any: where, and the bytes of the number. */
void hxi_unfit_note_device(hxi_plan *plan, uint64_t number, uint64_t value);

/* Of an exchange that has finished: fails if there was one, and forgets it. */
hx_status hxi_unfit_report(const hx_handle *handle, int exchange);

#endif
