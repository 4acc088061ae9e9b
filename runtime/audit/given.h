/*
 * The arrays that a call was given, and those that the last run was given.
 */
#ifndef HX_AUDIT_GIVEN_H
#define HX_AUDIT_GIVEN_H

#include "audit/state.h"

/* Notes the arrays of a call. */
void hxi_given_take(const hxi_audits *audits, hxi_audit *a, const hxi_given *given);

/* Is an array another one than in the last run?  No where that is not known.  Of which fields, by bits? */
bool hxi_given_is_other(const hxi_audits *audits, const hxi_audit *a, int block, int field);
uint64_t hxi_given_others(const hxi_audits *audits, const hxi_audit *a);

#endif
