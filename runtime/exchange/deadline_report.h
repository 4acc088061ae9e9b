/*
 * What an exchange waits for, in words.
 */
#ifndef HX_DEADLINE_REPORT_H
#define HX_DEADLINE_REPORT_H

#include "exchange/handle.h"

/*
 * HX_ERR_DEADLINE, with the messages of the current phase that are missing, and those that nobody has taken.
 */
hx_status hxi_deadline_report(const hx_handle *handle, const hxi_plan *plan);

#endif
