/*
 * What a rank feeds itself: ghost points are compared with owned ones in place.
 */
#ifndef HX_AUDIT_OWN_H
#define HX_AUDIT_OWN_H

#include "audit/state.h"

/* Does some point differ? */
bool hxi_own_differs(const hxi_audits *audits, hxi_audit *a, const hxi_bundle *b);

/* Patch i of what is filled.  to: digests of what feeds each slab. */
void hxi_own_compare(const hxi_audits *audits, const hxi_audit *a, const hxi_bundle *in, int i, uint64_t *to,
                     hxi_difference *difference);

#endif
