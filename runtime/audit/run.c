/*
 * One audit: digests of what owners have go out at start; behind finish they are held against digests of what
 * was filled.  Only where some differ does anybody look at points, and at the values of owners.
 */
#include "audit/bundle.h"
#include "audit/find.h"
#include "audit/given.h"
#include "audit/own.h"
#include "audit/total.h"

#include <string.h>

/* ---- start --------------------------------------------------------------------------------------------- */

void hxi_audit_poison(hxi_audits *audits, int exchange, const void *fields)
{
    hxi_audit *a = &audits->audit[exchange];
    if ((audits->asked & HX_AUDIT_POISON) == 0 || a->totals) {
        return; /* what points are made of stays */
    }
    hxi_given_take(audits, a, &(hxi_given){fields, fields, NULL});
    for (int i = 0; i < a->filled.count; ++i) {
        if (!a->filled.patch[i].owned) {
            hxi_rows_poison(&a->filled_rows[i], hxi_audit_array(audits, a, &a->filled_rows[i]));
        }
    }
}

/* Digests for other ranks; behind start their values may be asked for. */
static hx_status prepare(const hxi_audits *audits, const hxi_audit *a)
{
    const uint64_t others = hxi_given_others(audits, a);
    hx_status status = HX_OK;
    for (int m = 0; m < a->mail.outs && status == HX_OK; ++m) {
        hxi_bundle *b = &a->mail.out[m];
        b->digest[0] = others;
        memcpy(b->digest + HX_MARKS, a->mark, (size_t)a->exchange->fields * sizeof *a->mark);
        if (b->own) {
            continue;
        }
        if (a->occasion == HX_AUDIT_CALL) {
            hxi_bundle_digest(audits, a, b, hxi_fed_of(a), b->digest + b->header);
            continue;
        }
        status = hxi_mail_answer_gone(b);
        if (status == HX_OK) {
            hxi_bundle_keep(audits, a, b, hxi_keep_of(a->run), b->digest + b->header);
        }
    }
    return status;
}

/* Behind finish; where the application asks, copies of shared points are compared. */
static bool adds_up(const hxi_audit *a)
{
    return a->totals && a->occasion == HX_AUDIT_FINISH;
}

void hxi_audit_blur(hxi_audits *audits, int exchange, bool blurred)
{
    audits->audit[exchange].blurred = blurred;
}

hx_status hxi_audit_start(hxi_audits *audits, int exchange, const hxi_given *given, hxi_occasion occasion)
{
    hxi_audit *a = &audits->audit[exchange];
    a->occasion = occasion;
    hxi_given_take(audits, a, given);
    if (occasion == HX_AUDIT_FINISH) {
        if (!hxi_audits_look_at_runs(audits)) {
            return HX_OK;
        }
        a->run++;
        a->recorded = false;
    }
    if (adds_up(a)) {
        hxi_totals_start(audits, a);
        return hxi_mail_start_now(&a->mail);
    }
    const hx_status status = prepare(audits, a);
    return status == HX_OK ? hxi_mail_start(&a->mail) : status;
}

void hxi_audit_before_finish(hxi_audits *audits, int exchange, uint64_t runs)
{
    const hxi_audit *a = &audits->audit[exchange];
    if (a->totals && hxi_audits_look_at_runs(audits)) {
        hxi_totals_before_finish(audits, a, runs);
    }
}

hx_status hxi_audit_test(hxi_audits *audits, int exchange, bool *done)
{
    hxi_audit *a = &audits->audit[exchange];
    *done = true;
    return a->occasion == HX_AUDIT_CALL || hxi_audits_look_at_runs(audits) ? hxi_mail_test(&a->mail, done)
                                                                           : HX_OK;
}

/* ---- what differs -------------------------------------------------------------------------------------- */

/* Are the digests of rows those that the bundle has? */
static bool digests_differ(const hxi_audits *audits, const hxi_audit *a, const hxi_bundle *b,
                           hxi_audit_side s)
{
    hxi_bundle_digest(audits, a, b, s, a->digest);
    return memcmp(a->digest, b->digest + b->header, (size_t)b->digests * sizeof *a->digest) != 0;
}

static bool owned_differ(const hxi_audits *audits, const hxi_audit *a, const hxi_bundle *b)
{
    const uint64_t *digest = b->digest + b->header;
    bool same = true;
    if (audits->whose.spec->list) {
        return digests_differ(audits, a, b, hxi_fed_of(a));
    }
    for (int i = b->patch; i < b->patch + b->patches && same; ++i) {
        const hxi_rows *rows = &a->fed_rows[i];
        const unsigned char *array = hxi_audit_array(audits, a, rows);
        same = hxi_rows_have(rows, array, a->scratch.slab[0], digest, (hxi_turn){a->run, i});
        digest += hxi_rows_slabs(rows);
    }
    return !same;
}

bool hxi_audit_look(hxi_audits *audits, int exchange)
{
    hxi_audit *a = &audits->audit[exchange];
    bool unsure = false;
    if (adds_up(a) || (a->occasion == HX_AUDIT_FINISH && !hxi_audits_look_at_runs(audits))) {
        return false;
    }
    for (int m = 0; m < a->mail.outs; ++m) {
        hxi_bundle *b = &a->mail.out[m];
        b->differs = a->occasion == HX_AUDIT_FINISH && !b->own && owned_differ(audits, a, b);
    }
    for (int m = 0; m < a->mail.ins; ++m) {
        hxi_bundle *b = &a->mail.in[m];
        const bool own = b->own;
        b->differs = own ? hxi_own_differs(audits, a, b) : digests_differ(audits, a, b, hxi_filled_of(a));
        b->known = own;
        unsure = unsure || (b->differs && !own);
    }
    return unsure;
}

/* ---- finish -------------------------------------------------------------------------------------------- */

/* From now on this run is the last one. */
static void record(const hxi_audits *audits, hxi_audit *a)
{
    memcpy(a->before, a->given,
           (size_t)audits->whose.mine->blocks * (size_t)audits->whose.spec->fields * sizeof *a->before);
    a->recorded = true;
}

hx_status hxi_audit_finish(hxi_audits *audits, int exchange, uint64_t runs)
{
    hxi_audit *a = &audits->audit[exchange];
    if (a->occasion == HX_AUDIT_CALL) {
        return hxi_find_filled(audits, a, runs);
    }
    if (!hxi_audits_look_at_runs(audits)) {
        return HX_OK;
    }
    if (adds_up(a)) {
        return hxi_totals_finish(audits, a, runs);
    }
    hx_status status = hxi_find_owned(audits, a, runs);
    status = status == HX_OK ? hxi_find_filled(audits, a, runs) : status;
    record(audits, a);
    return status;
}
