#include "audit/given.h"

#include <string.h>

unsigned char *hxi_audit_array(const hxi_audits *audits, const hxi_audit *a, const hxi_rows *rows)
{
    return a->values[rows->block * audits->whose.spec->fields + rows->number];
}

static void read_pointers(const hxi_audits *audits, const void *fields, void **arrays)
{
    const hx_spec *spec = audits->whose.spec;
    for (int b = 0; b < audits->whose.mine->blocks; ++b) {
        for (int f = 0; f < spec->fields; ++f) {
            memcpy(&arrays[b * spec->fields + f],
                   (const char *)fields + (size_t)b * spec->fields_size + spec->field[f].pointer,
                   sizeof *arrays);
        }
    }
}

/* Where the arrays of each field come from, if all do from one place. */
static void set_marks(const hxi_audits *audits, hxi_audit *a)
{
    const hxi_audited *w = &audits->whose;
    for (int i = 0; i < a->exchange->fields; ++i) {
        for (int b = 0; b < w->mine->blocks; ++b) {
            const uint64_t mark =
                w->mark(w->context, b, a->given[b * w->spec->fields + a->exchange->field[i].field]);
            a->mark[i] = b == 0 || mark == a->mark[i] ? mark : 0;
        }
    }
}

void hxi_given_take(const hxi_audits *audits, hxi_audit *a, const hxi_given *given)
{
    const size_t arrays = (size_t)audits->whose.mine->blocks * (size_t)audits->whose.spec->fields;
    if (given->last_given && !a->recorded) {
        memcpy(a->before, given->last_given, arrays * sizeof *a->before);
    }
    read_pointers(audits, given->fields, a->given);
    read_pointers(audits, given->values, a->values);
    set_marks(audits, a);
}

bool hxi_given_is_other(const hxi_audits *audits, const hxi_audit *a, int block, int field)
{
    const int at = block * audits->whose.spec->fields + field;
    return a->before[at] && a->before[at] != a->given[at];
}

uint64_t hxi_given_others(const hxi_audits *audits, const hxi_audit *a)
{
    uint64_t others = 0;
    for (int b = 0; b < audits->whose.mine->blocks; ++b) {
        for (int f = 0; f < audits->whose.spec->fields && f < HX_FIELDS_IN_HEADER; ++f) {
            others |= hxi_given_is_other(audits, a, b, f) ? UINT64_C(1) << f : 0;
        }
    }
    return others;
}

bool hxi_audit_swapped(hxi_audits *audits, int exchange)
{
    hxi_audit *a = &audits->audit[exchange];
    const bool told = a->swapped;
    hxi_swap swap = {
        .exchange = a->exchange, .spec = audits->whose.spec, .rank = audits->whose.topology->rank};
    a->swapped = false;
    for (int m = 0; m < a->mail.ins && hxi_audits_look_at_runs(audits) && !a->totals; ++m) {
        const hxi_bundle *b = &a->mail.in[m];
        for (int i = 0; i < a->exchange->fields && !b->own && !a->swapped; ++i) {
            swap.field = a->exchange->field[i].field;
            swap.peer = b->peer;
            swap.here = a->mark[i];
            swap.there = b->digest[HX_MARKS + i];
            a->swapped = swap.here != 0 && swap.there != 0 && swap.here != swap.there;
        }
    }
    if (a->swapped && !told) {
        hxi_report_swap(&swap);
    }
    return a->swapped && !told;
}
