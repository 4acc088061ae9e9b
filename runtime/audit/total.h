/*
 * What points become that several have a share in: sums, means, minima and maxima, or the value of one of them.  Each rank
 * tells at start what its points hold, and whoever gets it works out behind finish what must have come of it.
 */
#ifndef HX_TOTAL_H
#define HX_TOTAL_H

#include "audit/state.h"

/* Does an exchange make one value of several? */
bool hxi_totals_needed(const hx_exchange *exchange);

/* Do they come from ghost points, which go back to their owners? */
bool hxi_totals_return(const hx_exchange *exchange);

/* Patches and messages of the audit are known. */
hx_status hxi_totals_make(const hxi_audits *audits, hxi_audit *a);
void hxi_totals_free(hxi_totals *totals);

/* At start, before anything moves: what goes to others, and what there is. */
void hxi_totals_start(const hxi_audits *audits, const hxi_audit *a);

/* Before finish waits: were ghost points written that have been sent?  Finish tells. */
void hxi_totals_before_finish(const hxi_audits *audits, const hxi_audit *a, uint64_t runs);

/* Behind finish, when all has come.  HX_ERR_MISMATCH, in words, where a point is wrong. */
hx_status hxi_totals_finish(const hxi_audits *audits, const hxi_audit *a, uint64_t runs);

#endif
