/*
 * Audits of a handle's exchanges: HX_AUDIT=1, HX_POISON=1 and hx_audit.
 */
#ifndef HX_AUDITS_H
#define HX_AUDITS_H

#include "exchange/handle.h"

/* Collective over a handle that is ready: from here on its exchanges are audited, if that is asked for: asked.h. */
void hxi_audits_begin(hx_handle *handle);

/* In start, before anything moves, and in finish, before it waits and when all is there.  Only where handle->audits is
 * set. */
hx_status hxi_audits_start(hx_handle *handle, int exchange, const void *fields);
void hxi_audits_before_finish(hx_handle *handle, int exchange);
hx_status hxi_audits_finish(hx_handle *handle, int exchange);

/* While this rank waits: another one may want to know what this one had. */
hx_status hxi_audits_answer(hx_handle *handle);

#endif
