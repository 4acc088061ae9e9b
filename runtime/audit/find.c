#include "audit/find.h"

#include "audit/bundle.h"
#include "audit/given.h"
#include "audit/own.h"
#include "audit/value.h"

#include <string.h>

hxi_finding hxi_audit_finding(const hxi_audits *audits, const hxi_audit *a, uint64_t runs)
{
    const hxi_audited *w = &audits->whose;
    return (hxi_finding){.spec = w->spec,
                         .exchange = a->exchange,
                         .layout = w->layout,
                         .mine = w->mine,
                         .rank = w->topology->rank,
                         .occasion = a->occasion,
                         .runs = runs,
                         .first = {.component = -1}};
}

hx_status hxi_find_owned(const hxi_audits *audits, const hxi_audit *a, uint64_t runs)
{
    hxi_finding found = hxi_audit_finding(audits, a, runs);
    for (int m = 0; m < a->mail.outs; ++m) {
        const hxi_bundle *b = &a->mail.out[m];
        const unsigned char *wanted = b->differs ? b->keep[hxi_keep_of(a->run)] + sizeof(hxi_stamp) : NULL;
        for (int i = b->patch; b->differs && i < b->patch + b->patches; ++i) {
            const hxi_rows *rows = &a->fed_rows[i];
            const bool none = found.first.points == 0;
            hxi_rows_compare(rows, hxi_audit_array(audits, a, rows), wanted, &found.first);
            if (none && found.first.points > 0) {
                found.rows = rows;
                found.patch = &a->fed.patch[i];
            }
            wanted += (size_t)hxi_rows_slabs(rows) * hxi_rows_slab_bytes(rows);
        }
    }
    return found.first.points > 0 ? hxi_report_owned(&found) : HX_OK;
}

/* What comes from where values have the other sign, or travels in a shorter format. */
static void turn_signs(const hxi_audit *a, const hxi_bundle *b, hxi_keep keep)
{
    unsigned char *value = b->keep[keep] + sizeof(hxi_stamp);
    for (int i = b->patch; i < b->patch + b->patches; ++i) {
        const hxi_rows *rows = &a->filled_rows[i];
        const size_t bytes = (size_t)hxi_rows_slabs(rows) * hxi_rows_slab_bytes(rows);
        if (a->filled.patch[i].wire != HX_WIRE_NOT) {
            hxi_value_round(rows->field, a->filled.patch[i].wire, value,
                            bytes / (size_t)hxi_value_size(rows->field));
        }
        if (a->filled.patch[i].from.sign < 0) {
            hxi_value_negate(rows->field, value, bytes / (size_t)hxi_value_size(rows->field));
        }
        value += bytes;
    }
}

/* Has the owner's rank been given another array for the field than in the last run?  No where that is not
 * known, as of fields that the header has no bit for. */
static bool is_other_there(const hxi_audits *audits, const hxi_audit *a, const hxi_bundle *b, int field)
{
    const uint64_t others = b->own ? hxi_given_others(audits, a) : b->digest[0];
    return field < HX_FIELDS_IN_HEADER && (others >> field & 1) != 0;
}

/* What is known of the first point that differs.  before: slabs of the bundle before those of its patch. */
static hxi_clue clue_of(const hxi_audits *audits, const hxi_audit *a, const hxi_bundle *b, int before,
                        const hxi_finding *f)
{
    const int field = f->patch->from.field;
    hxi_clue clue = {.recorded = a->recorded && (!b->own || a->noted == a->run),
                     .unnoted = a->recorded && b->own && a->noted != a->run,
                     .other_array = hxi_given_is_other(audits, a, f->rows->block, f->rows->number),
                     .other_array_there = is_other_there(audits, a, b, field)};
    const int slab = before + f->first.slab;
    if (f->occasion == HX_AUDIT_FINISH || !clue.recorded) {
        return clue;
    }
    if (b->own) {
        clue.owner_kept = b->digest[b->header + slab] == b->last[slab];
        clue.ghost_kept = hxi_rows_digest_one(f->rows, hxi_audit_array(audits, a, f->rows), f->first.slab,
                                              a->scratch.slab[1]) == b->last[slab];
        return clue;
    }
    const size_t value = (size_t)hxi_value_significant(f->rows->field);
    clue.last = b->keep[HX_KEEP_LAST] + (f->first.wanted - b->keep[HX_KEEP_NOW]);
    clue.recorded = hxi_run_of(b, HX_KEEP_LAST) == a->run;
    clue.ghost_kept = memcmp(f->first.is, clue.last, value) == 0;
    clue.owner_kept = memcmp(f->first.wanted, clue.last, value) == 0;
    return clue;
}

/* Looks at the points of a bundle whose values are known. */
static void look_at_points(const hxi_audits *audits, const hxi_audit *a, const hxi_bundle *b,
                           hxi_finding *found)
{
    const hxi_keep keep = a->occasion == HX_AUDIT_CALL ? HX_KEEP_NOW : HX_KEEP_ANSWER;
    const unsigned char *wanted = b->own ? NULL : b->keep[keep] + sizeof(hxi_stamp);
    int slabs = 0;
    for (int i = b->patch; i < b->patch + b->patches; ++i) {
        const hxi_rows *rows = &a->filled_rows[i];
        const bool none = found->first.points == 0;
        if (wanted) {
            hxi_rows_compare(rows, hxi_audit_array(audits, a, rows), wanted, &found->first);
            wanted += (size_t)hxi_rows_slabs(rows) * hxi_rows_slab_bytes(rows);
        } else {
            hxi_own_compare(audits, a, b, i, a->digest, &found->first);
        }
        if (none && found->first.points > 0) {
            found->rows = rows;
            found->patch = &a->filled.patch[i];
            found->clue = clue_of(audits, a, b, slabs, found);
        }
        slabs += hxi_rows_slabs(rows);
    }
}

/* A bundle whose owner did not answer: the first patch that differs; of lists the group of them. */
static void look_at_slabs(const hxi_audits *audits, const hxi_audit *a, const hxi_bundle *b,
                          hxi_finding *found)
{
    const bool list = audits->whose.spec->list;
    const uint64_t *wanted = b->digest + b->header;
    hxi_bundle_digest(audits, a, b, hxi_filled_of(a), a->digest);
    for (int i = b->patch, d = 0, end; i < b->patch + b->patches && !found->patch; i = end) {
        const int count = list ? 1 : hxi_rows_slabs(&a->filled_rows[i]);
        end = list ? hxi_audit_group(&a->filled, b, i) : i + 1;
        if (memcmp(a->digest + d, wanted + d, (size_t)count * sizeof *wanted) != 0) {
            found->patch = &a->filled.patch[i];
            found->rows = &a->filled_rows[i];
            for (int k = i; k < end; ++k) {
                const hxi_patch *patch = &a->filled.patch[k];
                found->first.points += (int64_t)patch->n[0] * patch->n[1] * patch->n[2] * patch->n[3];
            }
        }
        d += count;
    }
}

/* Where the point that was found lies behind the first one of rows that are walked the same way; -1: outside. */
static ptrdiff_t place_in(const hxi_finding *f, const hxi_patch *patch, const hxi_rows *rows, bool packed)
{
    ptrdiff_t place = 0;
    ptrdiff_t step = (ptrdiff_t)rows->bytes;
    bool inside = patch->block == f->patch->block && patch->field == f->patch->field &&
                  patch->component == f->patch->component;
    for (int d = 0; d < HX_MAX_AXES; ++d) {
        const int axis = rows->axis[d];
        const int at = f->patch->lo[axis] + f->first.at[axis] - patch->lo[axis];
        inside = inside && at >= 0 && at < rows->n[d];
        place += at * (packed ? step : rows->stride[d]);
        step *= rows->n[d];
    }
    const int component = f->first.component > 0 ? f->first.component : 0;
    return inside ? place + component * hxi_value_size(rows->field) : -1;
}

/* What all other blocks have of a shared point. */
static void list_holders(const hxi_audits *audits, const hxi_audit *a, hxi_finding *f)
{
    for (int m = 0; m < a->mail.ins; ++m) {
        const hxi_bundle *b = &a->mail.in[m];
        const unsigned char *packed = b->own ? NULL : b->keep[HX_KEEP_NOW] + sizeof(hxi_stamp);
        for (int i = b->patch; i < b->patch + b->patches; ++i) {
            const hxi_patch *patch = &a->filled.patch[i];
            const hxi_rows *filled = &a->filled_rows[i];
            const bool inside = place_in(f, patch, filled, true) >= 0;
            unsigned char value[HX_VALUE_TEXT];
            if (inside && b->own) {
                const hxi_rows *fed = &a->fed_rows[hxi_audit_own_out(a)->patch + (i - b->patch)];
                memcpy(value, hxi_audit_array(audits, a, fed) + fed->at + place_in(f, patch, fed, false),
                       (size_t)hxi_value_size(fed->field));
            } else if (inside) {
                memcpy(value, packed + place_in(f, patch, filled, true),
                       (size_t)hxi_value_size(filled->field));
            }
            if (inside && patch->from.sign < 0 && b->differs && !b->own) {
                hxi_value_negate(filled->field, value, 1); /* back to what the owner has: see turn_signs */
            }
            if (inside) {
                hxi_report_holder(f, patch, value);
            }
            packed = packed ? packed + (size_t)hxi_rows_slabs(filled) * hxi_rows_slab_bytes(filled) : NULL;
        }
    }
}

/* Is some point of a patch not as the last run left it?  last: its values; NULL: this rank's own, of which there are
 * digests. */
static bool is_written(const hxi_audits *audits, const hxi_audit *a, int patch, const unsigned char *last,
                       const uint64_t *digest)
{
    const hxi_rows *rows = &a->filled_rows[patch];
    const unsigned char *array = hxi_audit_array(audits, a, rows);
    hxi_difference difference = {.component = -1};
    bool written = false;
    if (last) {
        hxi_rows_compare(rows, array, last, &difference);
    }
    for (int s = 0; s < hxi_rows_slabs(rows) && !last && !written; ++s) {
        written = hxi_rows_digest_one(rows, array, s, a->scratch.slab[1]) != digest[s];
    }
    return written || difference.points > 0;
}

/* How many of the ghost boxes beside the point that was found the program has written to. */
static void count_written(const hxi_audits *audits, const hxi_audit *a, hxi_finding *f)
{
    for (int m = 0; m < a->mail.ins && a->recorded; ++m) {
        const hxi_bundle *b = &a->mail.in[m];
        const bool known = b->own ? a->noted == a->run : hxi_run_of(b, HX_KEEP_LAST) == a->run;
        const unsigned char *last = b->own ? NULL : b->keep[HX_KEEP_LAST] + sizeof(hxi_stamp);
        const uint64_t *digest = b->last;
        for (int i = b->patch; i < b->patch + b->patches; ++i) {
            const hxi_patch *patch = &a->filled.patch[i];
            const hxi_rows *rows = &a->filled_rows[i];
            const bool turned = patch->from.sign < 0 && !b->differs; /* as the owner has it: see turn_signs */
            if (known && !turned && !patch->owned && patch->block == f->patch->block &&
                patch->field == f->patch->field) {
                f->boxes++;
                f->written += is_written(audits, a, i, last, digest);
            }
            last = last ? last + (size_t)hxi_rows_slabs(rows) * hxi_rows_slab_bytes(rows) : NULL;
            digest = digest ? digest + hxi_rows_slabs(rows) : NULL;
        }
    }
}

hx_status hxi_find_filled(const hxi_audits *audits, const hxi_audit *a, uint64_t runs)
{
    hxi_finding found = hxi_audit_finding(audits, a, runs);
    const hxi_bundle *silent = NULL;
    for (int m = 0; m < a->mail.ins; ++m) {
        const hxi_bundle *b = &a->mail.in[m];
        if (b->differs && b->known) {
            if (!b->own) {
                turn_signs(a, b, a->occasion == HX_AUDIT_CALL ? HX_KEEP_NOW : HX_KEEP_ANSWER);
            }
            if (!b->own && a->occasion == HX_AUDIT_CALL) {
                turn_signs(a, b, HX_KEEP_LAST);
            }
            look_at_points(audits, a, b, &found);
        } else if (b->differs) {
            silent = silent ? silent : b;
        }
    }
    if (found.first.points > 0 && found.patch->shared) {
        list_holders(audits, a, &found);
        return hxi_report_shared(&found);
    }
    if (found.first.points > 0) {
        if (a->occasion == HX_AUDIT_CALL) {
            count_written(audits, a, &found);
        }
        return hxi_report_filled(&found);
    }
    if (silent) {
        look_at_slabs(audits, a, silent, &found);
        return hxi_report_unanswered(&found);
    }
    return HX_OK;
}
