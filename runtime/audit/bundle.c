#include "audit/bundle.h"

#include "audit/digest.h"

#include <string.h>

hxi_keep hxi_keep_of(uint64_t run)
{
    return run % 2 == 0 ? HX_KEEP_EVEN : HX_KEEP_ODD;
}

uint64_t hxi_run_of(const hxi_bundle *b, hxi_keep keep)
{
    hxi_stamp stamp;
    memcpy(&stamp, b->keep[keep], sizeof stamp);
    return stamp.run;
}

hxi_audit_side hxi_filled_of(const hxi_audit *a)
{
    return (hxi_audit_side){&a->filled, a->filled_rows};
}

hxi_audit_side hxi_fed_of(const hxi_audit *a)
{
    return (hxi_audit_side){&a->fed, a->fed_rows};
}

/* Of lists: writes the values of a bundle, and a digest of each group of patches. */
static void gather(const hxi_audits *audits, const hxi_audit *a, const hxi_bundle *b, hxi_audit_side s,
                   hxi_packed to)
{
    for (int i = b->patch, end; i < b->patch + b->patches; i = end) {
        const unsigned char *first = to.to;
        end = hxi_audit_group(s.patches, b, i);
        for (int k = i; k < end; ++k) {
            to.to = hxi_rows_append(&s.rows[k], hxi_audit_array(audits, a, &s.rows[k]), to.to);
        }
        const hxi_strided all = {first, 0, 1, (size_t)(to.to - first)};
        *to.digest++ = hxi_digest(&all);
    }
}

void hxi_bundle_keep(const hxi_audits *audits, const hxi_audit *a, const hxi_bundle *b, hxi_keep where,
                     uint64_t *digest)
{
    const hxi_stamp stamp = {.run = a->run};
    hxi_packed packed = {b->keep[where] + sizeof stamp, a->scratch.slab[0], digest};
    memcpy(b->keep[where], &stamp, sizeof stamp);
    if (audits->whose.spec->list) {
        gather(audits, a, b, hxi_fed_of(a), packed);
        return;
    }
    for (int i = b->patch; i < b->patch + b->patches; ++i) {
        const hxi_rows *rows = &a->fed_rows[i];
        hxi_rows_pack(rows, hxi_audit_array(audits, a, rows), &packed);
        packed.to += (size_t)hxi_rows_slabs(rows) * hxi_rows_slab_bytes(rows);
        packed.digest += hxi_rows_slabs(rows);
    }
}

void hxi_bundle_digest(const hxi_audits *audits, const hxi_audit *a, const hxi_bundle *b, hxi_audit_side s,
                       uint64_t *to)
{
    if (audits->whose.spec->list) {
        gather(audits, a, b, s, (hxi_packed){a->scratch.slab[0], NULL, to});
        return;
    }
    for (int i = b->patch; i < b->patch + b->patches; ++i) {
        hxi_rows_digest(&s.rows[i], hxi_audit_array(audits, a, &s.rows[i]), a->scratch.slab[0], to);
        to += hxi_rows_slabs(&s.rows[i]);
    }
}
