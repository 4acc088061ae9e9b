/*
 * One audit: digests of what owners have go out at start; behind finish they are held against digests of what
 * was filled.  Only where some differ does anybody look at points, and at the values of owners.
 */
#include "audit/digest.h"
#include "audit/state.h"
#include "audit/total.h"
#include "audit/value.h"

#include <stdio.h>
#include <string.h>

/* ---- start --------------------------------------------------------------------------------------------- */

unsigned char *hxi_audit_array(const hxi_audits *audits, const hxi_audit *a, const hxi_rows *rows)
{
    return a->values[rows->block * audits->whose.spec->fields + rows->number];
}

static bool looks_at_runs(const hxi_audits *audits)
{
    return (audits->asked & HX_AUDIT_RUNS) != 0;
}

static hxi_keep keep_of(uint64_t run)
{
    return run % 2 == 0 ? HX_KEEP_EVEN : HX_KEEP_ODD;
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

/* Notes the arrays of a call. */
static void take(const hxi_audits *audits, hxi_audit *a, const hxi_given *given)
{
    const size_t arrays = (size_t)audits->whose.mine->blocks * (size_t)audits->whose.spec->fields;
    if (given->last_given && !a->recorded) {
        memcpy(a->before, given->last_given, arrays * sizeof *a->before);
    }
    read_pointers(audits, given->fields, a->given);
    read_pointers(audits, given->values, a->values);
    set_marks(audits, a);
}

void hxi_audit_poison(hxi_audits *audits, int exchange, const void *fields)
{
    hxi_audit *a = &audits->audit[exchange];
    if ((audits->asked & HX_AUDIT_POISON) == 0 || a->totals) {
        return; /* what points are made of stays */
    }
    take(audits, a, &(hxi_given){fields, fields, NULL});
    for (int i = 0; i < a->filled.count; ++i) {
        if (!a->filled.patch[i].owned) {
            hxi_rows_poison(&a->filled_rows[i], hxi_audit_array(audits, a, &a->filled_rows[i]));
        }
    }
}

/* Is an array another one than in the last run?  No where that is not known. */
static bool is_other(const hxi_audits *audits, const hxi_audit *a, int block, int field)
{
    const int at = block * audits->whose.spec->fields + field;
    return a->before[at] && a->before[at] != a->given[at];
}

static uint64_t other_fields(const hxi_audits *audits, const hxi_audit *a)
{
    uint64_t others = 0;
    for (int b = 0; b < audits->whose.mine->blocks; ++b) {
        for (int f = 0; f < audits->whose.spec->fields && f < HX_FIELDS_IN_HEADER; ++f) {
            others |= is_other(audits, a, b, f) ? UINT64_C(1) << f : 0;
        }
    }
    return others;
}

/* Which side of an audit. */
typedef struct side {
    const hxi_patches *patches;
    const hxi_rows *rows;
} side;

static side filled_of(const hxi_audit *a)
{
    return (side){&a->filled, a->filled_rows};
}

static side fed_of(const hxi_audit *a)
{
    return (side){&a->fed, a->fed_rows};
}

/* Of lists: writes the values of a bundle, and a digest of each group of patches. */
static void gather(const hxi_audits *audits, const hxi_audit *a, const hxi_bundle *b, side s, hxi_packed to)
{
    for (int i = b->patch, end; i < b->patch + b->patches; i = end) {
        const unsigned char *first = to.to;
        end = hxi_audit_group(s.patches, b, i);
        for (int k = i; k < end; ++k) {
            to.to = hxi_rows_append(&s.rows[k], hxi_audit_array(audits, a, &s.rows[k]), to.to);
        }
        const hxi_lines all = {first, 0, 1, (size_t)(to.to - first)};
        *to.digest++ = hxi_digest(&all);
    }
}

/* What a bundle of owned points holds, and its digests. */
static void keep(const hxi_audits *audits, const hxi_audit *a, const hxi_bundle *b, hxi_keep where,
                 uint64_t *digest)
{
    const hxi_stamp stamp = {.run = a->run};
    hxi_packed packed = {b->keep[where] + sizeof stamp, a->scratch.slab[0], digest};
    memcpy(b->keep[where], &stamp, sizeof stamp);
    if (audits->whose.spec->list) {
        gather(audits, a, b, fed_of(a), packed);
        return;
    }
    for (int i = b->patch; i < b->patch + b->patches; ++i) {
        const hxi_rows *rows = &a->fed_rows[i];
        hxi_rows_pack(rows, hxi_audit_array(audits, a, rows), &packed);
        packed.to += (size_t)hxi_rows_slabs(rows) * hxi_rows_slab_bytes(rows);
        packed.digest += hxi_rows_slabs(rows);
    }
}

static void digest(const hxi_audits *audits, const hxi_audit *a, const hxi_bundle *b, side s, uint64_t *to)
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

/* Digests for other ranks; behind start their values may be asked for. */
static hx_status prepare(const hxi_audits *audits, const hxi_audit *a)
{
    const uint64_t others = other_fields(audits, a);
    hx_status status = HX_OK;
    for (int m = 0; m < a->mail.outs && status == HX_OK; ++m) {
        hxi_bundle *b = &a->mail.out[m];
        b->digest[0] = others;
        memcpy(b->digest + HX_MARKS, a->mark, (size_t)a->exchange->fields * sizeof *a->mark);
        if (b->own) {
            continue;
        }
        if (a->occasion == HX_AUDIT_CALL) {
            digest(audits, a, b, fed_of(a), b->digest + b->header);
            continue;
        }
        status = hxi_mail_answer_gone(b);
        if (status == HX_OK) {
            keep(audits, a, b, keep_of(a->run), b->digest + b->header);
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
    take(audits, a, given);
    if (occasion == HX_AUDIT_FINISH) {
        if (!looks_at_runs(audits)) {
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
    if (a->totals && looks_at_runs(audits)) {
        hxi_totals_before_finish(audits, a, runs);
    }
}

hx_status hxi_audit_test(hxi_audits *audits, int exchange, bool *done)
{
    hxi_audit *a = &audits->audit[exchange];
    *done = true;
    return a->occasion == HX_AUDIT_CALL || looks_at_runs(audits) ? hxi_mail_test(&a->mail, done) : HX_OK;
}

/* ---- arrays -------------------------------------------------------------------------------------------- */

bool hxi_audit_swapped(hxi_audits *audits, int exchange)
{
    hxi_audit *a = &audits->audit[exchange];
    const bool told = a->swapped;
    hxi_swap swap = {
        .exchange = a->exchange, .spec = audits->whose.spec, .rank = audits->whose.topology->rank};
    a->swapped = false;
    for (int m = 0; m < a->mail.ins && looks_at_runs(audits) && !a->totals; ++m) {
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

/* ---- what differs -------------------------------------------------------------------------------------- */

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

/* Of what this rank feeds itself.  to: digests of what feeds each slab. */
static void compare_own(const hxi_audits *audits, const hxi_audit *a, const hxi_bundle *in, int i,
                        uint64_t *to, hxi_difference *difference)
{
    const hxi_rows_pair pair = pair_of(audits, a, i, hxi_audit_own_out(a)->patch + (i - in->patch));
    hxi_rows_compare_pair(&pair, &a->scratch, to, difference);
}

static bool own_differs(const hxi_audits *audits, const hxi_audit *a, const hxi_bundle *b)
{
    hxi_difference difference = {.component = -1};
    uint64_t *to = a->occasion == HX_AUDIT_FINISH ? b->last : b->digest + b->header;
    for (int i = b->patch; i < b->patch + b->patches; ++i) {
        compare_own(audits, a, b, i, to, &difference);
        to += hxi_rows_slabs(&a->filled_rows[i]);
    }
    return difference.points > 0;
}

/* Are the digests of rows those that the bundle has? */
static bool digests_differ(const hxi_audits *audits, const hxi_audit *a, const hxi_bundle *b, side s)
{
    digest(audits, a, b, s, a->digest);
    return memcmp(a->digest, b->digest + b->header, (size_t)b->digests * sizeof *a->digest) != 0;
}

bool hxi_audit_look(hxi_audits *audits, int exchange)
{
    hxi_audit *a = &audits->audit[exchange];
    bool unsure = false;
    if (adds_up(a) || (a->occasion == HX_AUDIT_FINISH && !looks_at_runs(audits))) {
        return false;
    }
    for (int m = 0; m < a->mail.outs; ++m) {
        hxi_bundle *b = &a->mail.out[m];
        b->differs = a->occasion == HX_AUDIT_FINISH && !b->own && digests_differ(audits, a, b, fed_of(a));
    }
    for (int m = 0; m < a->mail.ins; ++m) {
        hxi_bundle *b = &a->mail.in[m];
        const bool own = b->own;
        b->differs = own ? own_differs(audits, a, b) : digests_differ(audits, a, b, filled_of(a));
        b->known = own;
        unsure = unsure || (b->differs && !own);
    }
    return unsure;
}

/* ---- values of owners ---------------------------------------------------------------------------------- */

hx_status hxi_audit_send_values(hxi_audits *audits, int exchange)
{
    hxi_audit *a = &audits->audit[exchange];
    for (int m = 0; m < a->mail.outs; ++m) {
        if (!a->mail.out[m].own) {
            keep(audits, a, &a->mail.out[m], HX_KEEP_NOW, a->digest);
        }
    }
    for (int m = 0; m < a->mail.ins; ++m) {
        a->mail.in[m].known = true;
    }
    return hxi_mail_start_values(&a->mail, keep_of(a->run));
}

hx_status hxi_audits_vote(hxi_audits *audits, int64_t first, int64_t second)
{
    audits->vote.mine[0] = first;
    audits->vote.mine[1] = second;
    return hxi_vote_start(&audits->vote, audits->comm);
}

hx_status hxi_audits_tell(hxi_audits *audits, hx_status met, int rank)
{
    const hxi_topology *t = audits->whose.topology;
    audits->vote.told.status = (int)hxi_topology_sign(t->rank, t->ranks, met);
    snprintf(audits->vote.told.sentence, sizeof audits->vote.told.sentence, "%s", hx_last_error());
    return hxi_vote_tell(&audits->vote, audits->comm, rank);
}

hx_status hxi_audits_voted(hxi_audits *audits, bool *done)
{
    return hxi_vote_test(&audits->vote, done);
}

const int64_t *hxi_audits_most(const hxi_audits *audits)
{
    return audits->vote.most;
}

hx_status hxi_audits_told(const hxi_audits *audits)
{
    return hxi_fail((hx_status)audits->vote.told.status, "%s", audits->vote.told.sentence);
}

/* There may be no memory for what differs: then an audit says less. */
hx_status hxi_audit_ask(hxi_audits *audits, int exchange)
{
    hxi_audit *a = &audits->audit[exchange];
    hx_status status = HX_OK;
    for (int m = 0; m < a->mail.ins && status == HX_OK; ++m) {
        hxi_bundle *b = &a->mail.in[m];
        if (!b->differs || b->known) {
            continue;
        }
        if (!b->keep[HX_KEEP_ANSWER]) {
            b->keep[HX_KEEP_ANSWER] = hxi_memory_get(b->bytes, 1, "values of owners in an audit");
        }
        status = b->keep[HX_KEEP_ANSWER] ? hxi_mail_question(&a->mail, b, a->run) : HX_OK;
    }
    return status;
}

static uint64_t run_of(const hxi_bundle *b, hxi_keep keep)
{
    hxi_stamp stamp;
    memcpy(&stamp, b->keep[keep], sizeof stamp);
    return stamp.run;
}

hx_status hxi_audit_answered(hxi_audits *audits, int exchange, bool *done)
{
    hxi_audit *a = &audits->audit[exchange];
    hx_status status = HX_OK;
    *done = true;
    for (int m = 0; m < a->mail.ins && status == HX_OK; ++m) {
        hxi_bundle *b = &a->mail.in[m];
        bool come = true;
        if (b->differs && !b->known && b->keep[HX_KEEP_ANSWER]) {
            status = hxi_mail_answered(b, &come);
            b->known = status == HX_OK && come && run_of(b, HX_KEEP_ANSWER) == a->run;
        }
        *done = *done && come;
    }
    return status;
}

hx_status hxi_audits_serve(hxi_audits *audits)
{
    hxi_question question;
    bool heard = false;
    hx_status status = hxi_desk_hear(&audits->desk, &question, &heard);
    const hxi_audit *a = heard ? &audits->audit[question.exchange] : NULL;
    for (int m = 0; a && m < a->mail.outs && status == HX_OK; ++m) {
        if (a->mail.out[m].peer == question.from) {
            status = hxi_mail_answer(&a->mail, &a->mail.out[m], keep_of(question.run));
        }
    }
    return status;
}

/* ---- finish -------------------------------------------------------------------------------------------- */

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

/* Owned points hold what they held at start. */
static hx_status report_owned(const hxi_audits *audits, const hxi_audit *a, uint64_t runs)
{
    hxi_finding found = hxi_audit_finding(audits, a, runs);
    for (int m = 0; m < a->mail.outs; ++m) {
        const hxi_bundle *b = &a->mail.out[m];
        const unsigned char *wanted = b->differs ? b->keep[keep_of(a->run)] + sizeof(hxi_stamp) : NULL;
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
    const uint64_t others = b->own ? other_fields(audits, a) : b->digest[0];
    return field < HX_FIELDS_IN_HEADER && (others >> field & 1) != 0;
}

/* What is known of the first point that differs.  before: slabs of the bundle before those of its patch. */
static hxi_clue clue_of(const hxi_audits *audits, const hxi_audit *a, const hxi_bundle *b, int before,
                        const hxi_finding *f)
{
    const int field = f->patch->from.field;
    hxi_clue clue = {.recorded = a->recorded,
                     .other_array = is_other(audits, a, f->rows->block, f->rows->number),
                     .other_array_there = is_other_there(audits, a, b, field)};
    const int slab = before + f->first.slab;
    if (f->occasion == HX_AUDIT_FINISH || !a->recorded) {
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
    clue.recorded = run_of(b, HX_KEEP_LAST) == a->run;
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
            compare_own(audits, a, b, i, a->digest, &found->first);
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
    digest(audits, a, b, filled_of(a), a->digest);
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
        const bool known = b->own || run_of(b, HX_KEEP_LAST) == a->run;
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

static hx_status report_filled(const hxi_audits *audits, const hxi_audit *a, uint64_t runs)
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
        return report_filled(audits, a, runs);
    }
    if (!looks_at_runs(audits)) {
        return HX_OK;
    }
    if (adds_up(a)) {
        return hxi_totals_finish(audits, a, runs);
    }
    hx_status status = report_owned(audits, a, runs);
    status = status == HX_OK ? report_filled(audits, a, runs) : status;
    record(audits, a);
    return status;
}
