#include "audit/own.h"

static hxi_rows_pair pair_of(const hxi_audits *audits, const hxi_audit *a, int filled, int fed)
{
    const hxi_rows *to = &a->filled_rows[filled];
    const hxi_rows *from = &a->fed_rows[fed];
    return (hxi_rows_pair){to, from, hxi_audit_array(audits, a, to), hxi_audit_array(audits, a, from)};
}

const hxi_bundle *hxi_audit_own_out(const hxi_audit *a)
{
    const hxi_bundle *found = NULL;
    for (int m = 0; m < a->mail.outs; ++m) {
        found = a->mail.out[m].own ? &a->mail.out[m] : found;
    }
    return found;
}

void hxi_own_compare(const hxi_audits *audits, const hxi_audit *a, const hxi_bundle *in, int i, uint64_t *to,
                     hxi_difference *difference)
{
    const hxi_rows_pair pair = pair_of(audits, a, i, hxi_audit_own_out(a)->patch + (i - in->patch));
    hxi_rows_compare_pair(&pair, &a->scratch, to, difference);
}

/* Are digests needed of what this rank feeds itself?  They tell NAME_audit what was written since. */
static bool takes_notes(const hxi_audit *a)
{
    return a->run <= HX_TURNS || a->has_room[HX_AUDIT_CALL];
}

/* Compares pairs without digests, the pairs of an array together. */
static bool own_is_right(const hxi_audits *audits, const hxi_audit *a, const hxi_bundle *b)
{
    hxi_rows_pair pair[HX_PAIRS];
    hxi_difference difference = {.component = -1};
    int count = 0;
    bool right = true;
    for (int i = b->patch; i < b->patch + b->patches && right; ++i) {
        const hxi_rows_pair next = pair_of(audits, a, i, hxi_audit_own_out(a)->patch + (i - b->patch));
        if (count == HX_PAIRS || (count > 0 && next.filled_array != pair[0].filled_array)) {
            right = hxi_rows_same(pair, count);
            count = 0;
        }
        if (hxi_rows_pair_is_plain(&next)) {
            pair[count++] = next;
        } else {
            hxi_rows_compare_pair(&next, &a->scratch, a->digest, &difference);
        }
    }
    return right && hxi_rows_same(pair, count) && difference.points == 0;
}

bool hxi_own_differs(const hxi_audits *audits, hxi_audit *a, const hxi_bundle *b)
{
    if (a->occasion == HX_AUDIT_FINISH && !takes_notes(a)) {
        return !own_is_right(audits, a, b);
    }
    a->noted = a->occasion == HX_AUDIT_FINISH ? a->run : a->noted;
    hxi_difference difference = {.component = -1};
    uint64_t *to = a->occasion == HX_AUDIT_FINISH ? b->last : b->digest + b->header;
    for (int i = b->patch; i < b->patch + b->patches; ++i) {
        hxi_own_compare(audits, a, b, i, to, &difference);
        to += hxi_rows_slabs(&a->filled_rows[i]);
    }
    return difference.points > 0;
}
