/*
 * What the points of a bundle hold, and digests of it.
 */
#ifndef HX_AUDIT_BUNDLE_H
#define HX_AUDIT_BUNDLE_H

#include "audit/state.h"

/* Where an owner keeps what it had in a run, and of which run it is. */
hxi_keep hxi_keep_of(uint64_t run);
uint64_t hxi_run_of(const hxi_bundle *b, hxi_keep keep);

/* Which side of an audit. */
typedef struct hxi_audit_side {
    const hxi_patches *patches;
    const hxi_rows *rows;
} hxi_audit_side;

hxi_audit_side hxi_filled_of(const hxi_audit *a);
hxi_audit_side hxi_fed_of(const hxi_audit *a);

/* Digests, and with them what owned points hold. */
void hxi_bundle_digest(const hxi_audits *audits, const hxi_audit *a, const hxi_bundle *b, hxi_audit_side s,
                       uint64_t *to);
void hxi_bundle_keep(const hxi_audits *audits, const hxi_audit *a, const hxi_bundle *b, hxi_keep where,
                     uint64_t *digest);

#endif
