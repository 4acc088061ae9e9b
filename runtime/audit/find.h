/*
 * The points that are wrong, where digests differ, and what is known of the first of them.
 */
#ifndef HX_AUDIT_FIND_H
#define HX_AUDIT_FIND_H

#include "audit/state.h"

/* HX_ERR_MISMATCH, in words: an owned point is not what it was at start; a point that is filled is wrong. */
hx_status hxi_find_owned(const hxi_audits *audits, const hxi_audit *a, uint64_t runs);
hx_status hxi_find_filled(const hxi_audits *audits, const hxi_audit *a, uint64_t runs);

#endif
