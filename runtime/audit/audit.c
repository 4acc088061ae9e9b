#include "audit/audit.h"

#include "audit/halo.h"
#include "audit/mail.h"
#include "audit/value.h"
#include "base/memory.h"
#include "base/status.h"

#include <limits.h>
#include <string.h>

static const char purpose[] = "an audit";

/* Stands in front of the values of a message. */
typedef struct header {
    uint64_t changed; /* a bit for each field of the spec, the first 64: an array of it is another one than in
                         the last run */
    unsigned char fill[8];
} header;

enum { FIELDS_IN_HEADER = 64 };

/* Of one exchange. */
typedef struct audit {
    const hx_exchange *exchange;
    hxi_patches filled; /* by this rank's owners, or others; by rising peer */
    hxi_patches fed;    /* that this rank feeds */
    hxi_rows *filled_rows;
    hxi_rows *fed_rows;
    hxi_mail mail;
    hxi_occasion occasion;
    void **given;  /* arrays, by block and field of the spec */
    void **before; /* likewise, those of the last run; NULL: not known */
    bool recorded; /* the messages of HX_AUDIT_FINISH have what the last run was to fill in */
} audit;

struct hxi_audits {
    hxi_kept kept; /* after it was abandoned */
    hxi_audited whose;
    unsigned asked;
    MPI_Comm comm;
    int *owner;   /* rank of each block */
    audit *audit; /* by exchange; those without mail are not looked at */
};

/* ---- making -------------------------------------------------------------------------------------------- */

bool hxi_audit_can(const hx_spec *spec, const hx_exchange *exchange)
{
    bool host = false;
    for (int i = 0; i < exchange->fields; ++i) {
        host = host || !spec->field[exchange->field[i].field].on_device;
    }
    return host && exchange->operation == HX_COPY && exchange->shared == HX_SHARED_NOT;
}

bool hxi_audit_can_follow(const hx_spec *spec, const hx_exchange *exchange)
{
    bool streams = false;
    for (int i = 0; i < exchange->fields; ++i) {
        streams = streams || spec->field[exchange->field[i].field].on_device;
    }
    return !streams && hxi_audit_can(spec, exchange);
}

static hx_status tell_owners(hxi_audits *audits)
{
    const hxi_audited *w = &audits->whose;
    int *mine = hxi_memory_get((size_t)w->mine->blocks + 1, sizeof *mine, purpose);
    const hx_status status =
        hxi_topology_agree(w->topology->comm, mine && audits->owner ? HX_OK : HX_ERR_MEMORY);
    for (int b = 0; b < w->mine->blocks && status == HX_OK; ++b) {
        const hxi_block *block = &w->mine->block[b];
        mine[b] = w->layout->tile[block->tile].first_block + block->number;
    }
    const hx_status told = status == HX_OK ? hxi_mail_tell_owners(audits->comm, mine, w->mine->blocks,
                                                                  audits->owner, w->layout->blocks)
                                           : status;
    hxi_memory_free(mine);
    return told;
}

/* The messages for patches that are sorted by peer. */
static hx_status make_bundles(const hxi_patches *patches, const hxi_rows *rows, hxi_bundle **made, int *count)
{
    hxi_bundle *bundle = hxi_memory_get((size_t)patches->count + 1, sizeof *bundle, purpose);
    *made = bundle;
    if (!bundle) {
        return HX_ERR_MEMORY;
    }
    for (int i = 0; i < patches->count; ++i) {
        if (i == 0 || patches->patch[i].peer != bundle->peer) {
            bundle += i > 0;
            *bundle = (hxi_bundle){.peer = patches->patch[i].peer, .patch = i, .bytes = sizeof(header)};
            ++*count;
        }
        bundle->patches++;
        bundle->bytes += hxi_rows_bytes(&rows[i]);
    }
    for (int i = 0; i < *count; ++i) {
        bundle = &(*made)[i];
        if (bundle->bytes > INT_MAX) {
            return hxi_fail(HX_ERR_LIMIT, "An audit would need a message of %zu bytes; MPI counts to %d.",
                            bundle->bytes, INT_MAX);
        }
    }
    return HX_OK;
}

/* What others want of this rank is known. */
static hx_status make_rows(const hxi_audited *w, audit *a)
{
    a->filled_rows = hxi_memory_get((size_t)a->filled.count + 1, sizeof *a->filled_rows, purpose);
    a->fed_rows = hxi_memory_get((size_t)a->fed.count + 1, sizeof *a->fed_rows, purpose);
    if (!a->filled_rows || !a->fed_rows) {
        return HX_ERR_MEMORY;
    }
    for (int i = 0; i < a->filled.count; ++i) {
        a->filled_rows[i] = hxi_rows_filled(w->spec, w->mine, &a->filled.patch[i]);
    }
    for (int i = 0; i < a->fed.count; ++i) {
        const hxi_patch *patch = &a->fed.patch[i];
        const int block = w->spec->list ? 0 : hxi_blocks_find(w->mine, patch->from.tile, patch->from.block);
        a->fed_rows[i] = w->spec->list ? hxi_rows_filled(w->spec, w->mine, patch)
                                       : hxi_rows_feeding(w->spec, w->mine, patch, block);
    }
    return HX_OK;
}

static hx_status make_messages(const hxi_audits *audits, audit *a)
{
    hxi_mail *mail = &a->mail;
    const hxi_audited *w = &audits->whose;
    mail->rank = w->topology->rank;
    mail->tag = (int)(a->exchange - w->spec->exchange);
    hx_status status = make_rows(w, a);
    status = status == HX_OK ? make_bundles(&a->filled, a->filled_rows, &mail->in, &mail->ins) : status;
    status = status == HX_OK ? make_bundles(&a->fed, a->fed_rows, &mail->out, &mail->outs) : status;
    mail->request = hxi_memory_get((size_t)(mail->ins + mail->outs) + 1, sizeof *mail->request, purpose);
    mail->state = hxi_memory_get((size_t)(mail->ins + mail->outs) + 1, sizeof *mail->state, purpose);
    const size_t arrays = (size_t)w->mine->blocks * (size_t)w->spec->fields + 1;
    a->given = hxi_memory_get(arrays, sizeof *a->given, purpose);
    a->before = hxi_memory_get(arrays, sizeof *a->before, purpose);
    if (status == HX_OK && (!mail->request || !mail->state || !a->given || !a->before)) {
        return HX_ERR_MEMORY;
    }
    return status;
}

static hx_status make(const hxi_audits *audits, audit *a)
{
    const hxi_audited *w = &audits->whose;
    const hxi_patch_source source = {w->spec, a->exchange,   w->layout,
                                     w->mine, audits->owner, w->topology->rank};
    hx_status status =
        w->spec->list ? hxi_patches_received(&source, &a->filled) : hxi_patches_find(&source, &a->filled);
    status = status == HX_OK && w->spec->list ? hxi_patches_sent(&source, &a->fed) : status;
    status = hxi_topology_agree(audits->comm, status);
    if (status == HX_OK && !w->spec->list) {
        status = hxi_topology_agree(audits->comm, hxi_mail_ask(audits->comm, &a->filled, &a->fed));
    }
    a->mail.comm = audits->comm;
    return status == HX_OK ? hxi_topology_agree(audits->comm, make_messages(audits, a)) : status;
}

/* What this rank sends itself lies in one place. */
static void free_audit(audit *a)
{
    for (int i = 0; i < a->mail.ins + a->mail.outs; ++i) {
        const bool in = i < a->mail.ins;
        const hxi_bundle *b = in ? &a->mail.in[i] : &a->mail.out[i - a->mail.ins];
        for (int k = 0; k < HX_OCCASIONS && !(in && b->peer == a->mail.rank); ++k) {
            hxi_memory_free(b->kept[k]);
        }
    }
    hxi_memory_free(a->mail.in);
    hxi_memory_free(a->mail.out);
    hxi_memory_free(a->mail.request);
    hxi_memory_free(a->mail.state);
    hxi_memory_free(a->given);
    hxi_memory_free(a->before);
    hxi_memory_free(a->filled_rows);
    hxi_memory_free(a->fed_rows);
    hxi_patches_free(&a->filled);
    hxi_patches_free(&a->fed);
    *a = (audit){0};
}

/* Room for messages of this occasion; that for what this rank sends itself is found where it looks for it. */
static hx_status get_room(audit *a, hxi_occasion occasion)
{
    hxi_mail *mail = &a->mail;
    for (int i = 0; i < mail->outs + mail->ins; ++i) {
        hxi_bundle *b = i < mail->outs ? &mail->out[i] : &mail->in[i - mail->outs];
        unsigned char **kept = &b->kept[occasion];
        for (int own = 0; i >= mail->outs && b->peer == mail->rank && own < mail->outs; ++own) {
            *kept = mail->out[own].peer == mail->rank ? mail->out[own].kept[occasion] : *kept;
        }
        *kept = *kept ? *kept : hxi_memory_get(b->bytes, 1, purpose);
        if (!*kept) {
            return HX_ERR_MEMORY;
        }
    }
    return HX_OK;
}

hx_status hxi_audits_add(hxi_audits *audits, int exchange, hxi_occasion occasion)
{
    audit *a = &audits->audit[exchange];
    if (!a->exchange) {
        a->exchange = &audits->whose.spec->exchange[exchange];
        const hx_status made = make(audits, a);
        if (made != HX_OK) {
            free_audit(a); /* all ranks try again, or none */
            return made;
        }
    }
    const bool sends = occasion == HX_AUDIT_CALL || (audits->asked & HX_AUDIT_RUNS) != 0;
    return sends ? hxi_topology_agree(audits->comm, get_room(a, occasion)) : HX_OK;
}

hx_status hxi_audits_open(const hxi_audited *whose, unsigned asked, hxi_audits **made)
{
    hxi_audits *audits = hxi_memory_get(1, sizeof *audits, purpose);
    if (audits) {
        audits->comm = MPI_COMM_NULL; /* which close looks at, also where another rank got no memory */
    }
    hx_status status = hxi_topology_agree(whose->topology->comm, audits ? HX_OK : HX_ERR_MEMORY);
    *made = audits;
    if (status != HX_OK) {
        return status;
    }
    audits->whose = *whose;
    audits->asked = asked;
    audits->owner = hxi_memory_get((size_t)whose->layout->blocks + 1, sizeof *audits->owner, purpose);
    audits->audit = hxi_memory_get((size_t)whose->spec->exchanges, sizeof *audits->audit, purpose);
    status = hxi_mail_open(whose->topology, &audits->comm);
    status = status == HX_OK && !audits->audit ? HX_ERR_MEMORY : status;
    status = hxi_topology_agree(whose->topology->comm, status);
    status = status == HX_OK ? tell_owners(audits) : status;
    for (int e = 0; e < whose->spec->exchanges && status == HX_OK && asked != 0; ++e) {
        if (hxi_audit_can_follow(whose->spec, &whose->spec->exchange[e])) {
            status = hxi_audits_add(audits, e, HX_AUDIT_FINISH);
        }
    }
    return status;
}

void hxi_audits_close(hxi_audits *audits, bool abandon)
{
    if (!audits) {
        return;
    }
    if (abandon) {
        hxi_memory_keep(&audits->kept);
        return;
    }
    for (int e = 0; audits->audit && e < audits->whose.spec->exchanges; ++e) {
        free_audit(&audits->audit[e]);
    }
    hxi_mail_close(&audits->comm);
    hxi_memory_free(audits->audit);
    hxi_memory_free(audits->owner);
    hxi_memory_free(audits);
}

bool hxi_audits_watch(const hxi_audits *audits, int exchange)
{
    return audits->asked != 0 && audits->audit[exchange].exchange;
}

/* ---- start --------------------------------------------------------------------------------------------- */

static void *array_of(const hxi_audits *audits, const audit *a, const hxi_rows *rows)
{
    return a->given[rows->block * audits->whose.spec->fields + rows->number];
}

/* Notes the arrays of a call.  last_given: those of the last run, where this audit has not seen it. */
static void take(const hxi_audits *audits, audit *a, const void *fields, void *const *last_given)
{
    const hx_spec *spec = audits->whose.spec;
    const size_t arrays = (size_t)audits->whose.mine->blocks * (size_t)spec->fields;
    if (last_given && !a->recorded) {
        memcpy(a->before, last_given, arrays * sizeof *a->before);
    }
    for (int b = 0; b < audits->whose.mine->blocks; ++b) {
        for (int f = 0; f < spec->fields; ++f) {
            memcpy(&a->given[b * spec->fields + f],
                   (const char *)fields + (size_t)b * spec->fields_size + spec->field[f].pointer,
                   sizeof *a->given);
        }
    }
}

static void poison(const hxi_audits *audits, const audit *a)
{
    for (int i = 0; i < a->filled.count; ++i) {
        if (!a->filled.patch[i].owned) {
            hxi_rows_poison(&a->filled_rows[i], array_of(audits, a, &a->filled_rows[i]));
        }
    }
}

/* Is an array another one than in the last run?  No where that is not known. */
static bool is_other(const hxi_audits *audits, const audit *a, int block, int field)
{
    const int at = block * audits->whose.spec->fields + field;
    return a->before[at] && a->before[at] != a->given[at];
}

static header make_header(const hxi_audits *audits, const audit *a)
{
    header made = {0};
    for (int b = 0; b < audits->whose.mine->blocks; ++b) {
        for (int f = 0; f < audits->whose.spec->fields && f < FIELDS_IN_HEADER; ++f) {
            made.changed |= is_other(audits, a, b, f) ? UINT64_C(1) << f : 0;
        }
    }
    return made;
}

void hxi_audits_poison(const hxi_audits *audits, const void *fields)
{
    const hxi_audited *w = &audits->whose;
    if ((audits->asked & HX_AUDIT_POISON) == 0) {
        return;
    }
    for (int b = 0; b < w->mine->blocks; ++b) {
        for (int f = 0; f < w->spec->fields; ++f) {
            void *array;
            memcpy(&array,
                   (const char *)fields + (size_t)b * w->spec->fields_size + w->spec->field[f].pointer,
                   sizeof array);
            hxi_halo_poison(w->spec, w->mine, b, f, array);
        }
    }
}

/* What this rank's owned points hold; for itself where it will look for it. */
static void pack(const hxi_audits *audits, audit *a)
{
    const header own_header = make_header(audits, a);
    for (int m = 0; m < a->mail.outs; ++m) {
        const hxi_bundle *b = &a->mail.out[m];
        memcpy(b->data, &own_header, sizeof own_header);
        unsigned char *to = b->data + sizeof(header);
        for (int i = b->patch; i < b->patch + b->patches; ++i) {
            to = hxi_rows_pack(&a->fed_rows[i], array_of(audits, a, &a->fed_rows[i]), to);
        }
    }
}

static void take_room(const hxi_mail *mail, hxi_occasion occasion)
{
    for (int i = 0; i < mail->outs; ++i) {
        mail->out[i].data = mail->out[i].kept[occasion];
    }
    for (int i = 0; i < mail->ins; ++i) {
        mail->in[i].data = mail->in[i].kept[occasion];
    }
}

hx_status hxi_audit_start(hxi_audits *audits, int exchange, const void *fields, hxi_occasion occasion,
                          void *const *last_given)
{
    audit *a = &audits->audit[exchange];
    const bool runs = occasion == HX_AUDIT_CALL || (audits->asked & HX_AUDIT_RUNS) != 0;
    a->occasion = occasion;
    take(audits, a, fields, last_given);
    if (occasion == HX_AUDIT_FINISH && (audits->asked & HX_AUDIT_POISON) != 0) {
        poison(audits, a);
    }
    if (!runs) {
        return HX_OK;
    }
    take_room(&a->mail, occasion);
    pack(audits, a);
    return hxi_mail_start(&a->mail);
}

hx_status hxi_audit_test(hxi_audits *audits, int exchange, bool *done)
{
    audit *a = &audits->audit[exchange];
    *done = true;
    return a->occasion == HX_AUDIT_CALL || (audits->asked & HX_AUDIT_RUNS) != 0
               ? hxi_mail_test(&a->mail, done)
               : HX_OK;
}

/* ---- finish -------------------------------------------------------------------------------------------- */

static hxi_finding finding_of(const hxi_audits *audits, const audit *a, uint64_t runs)
{
    const hxi_audited *w = &audits->whose;
    return (hxi_finding){.spec = w->spec,
                         .exchange = a->exchange,
                         .layout = w->layout,
                         .mine = w->mine,
                         .rank = w->topology->rank,
                         .occasion = a->occasion,
                         .runs = runs};
}

/* Looks at one patch; the first point that differs is kept. */
static bool look(const hxi_audits *audits, const audit *a, const hxi_rows *rows, const unsigned char *wanted,
                 hxi_finding *found)
{
    hxi_difference difference;
    hxi_rows_compare(rows, array_of(audits, a, rows), wanted, &difference);
    const bool first = difference.points > 0 && found->points == 0;
    found->points += difference.points;
    if (first) {
        found->first = difference;
        found->rows = rows;
    }
    return first;
}

/* Owned points hold what they held at start. */
static hx_status check_owned(const hxi_audits *audits, const audit *a, uint64_t runs)
{
    hxi_finding found = finding_of(audits, a, runs);
    for (int m = 0; m < a->mail.outs; ++m) {
        const hxi_bundle *b = &a->mail.out[m];
        const unsigned char *wanted = b->data + sizeof(header);
        for (int i = b->patch; i < b->patch + b->patches; ++i) {
            if (look(audits, a, &a->fed_rows[i], wanted, &found)) {
                found.patch = &a->fed.patch[i];
            }
            wanted += hxi_rows_bytes(&a->fed_rows[i]);
        }
    }
    return found.points > 0 ? hxi_report_owned(&found) : HX_OK;
}

/* What comes from where values have the other sign.  It may be what this rank sends itself. */
static void turn_signs(const audit *a, const hxi_bundle *b)
{
    unsigned char *value = b->data + sizeof(header);
    for (int i = b->patch; i < b->patch + b->patches; ++i) {
        const hxi_rows *rows = &a->filled_rows[i];
        const size_t bytes = hxi_rows_bytes(rows);
        if (a->filled.patch[i].from.sign < 0) {
            hxi_value_negate(rows->field, value, bytes / (size_t)hxi_value_size(rows->field));
        }
        value += bytes;
    }
}

static void turn_all_signs(const audit *a)
{
    for (int m = 0; m < a->mail.ins; ++m) {
        turn_signs(a, &a->mail.in[m]);
    }
}

/* Has the owner's rank been given another array for the field than in the last run? */
static bool is_other_there(const hxi_bundle *b, int field)
{
    header theirs;
    memcpy(&theirs, b->data, sizeof theirs);
    return field < FIELDS_IN_HEADER && (theirs.changed >> field & 1) != 0;
}

static hx_status check_filled(const hxi_audits *audits, const audit *a, uint64_t runs)
{
    hxi_finding found = finding_of(audits, a, runs);
    for (int m = 0; m < a->mail.ins; ++m) {
        const hxi_bundle *b = &a->mail.in[m];
        const unsigned char *wanted = b->data + sizeof(header);
        for (int i = b->patch; i < b->patch + b->patches; ++i) {
            if (look(audits, a, &a->filled_rows[i], wanted, &found)) {
                found.patch = &a->filled.patch[i];
                found.clue.recorded = a->recorded;
                found.clue.last =
                    a->recorded ? b->kept[HX_AUDIT_FINISH] + (found.first.wanted - b->data) : NULL;
                found.clue.other_array = is_other(audits, a, found.rows->block, found.rows->number);
                found.clue.other_array_there = is_other_there(b, found.patch->from.field);
            }
            wanted += hxi_rows_bytes(&a->filled_rows[i]);
        }
    }
    return found.points > 0 ? hxi_report_filled(&found) : HX_OK;
}

/* From now on this run is the last one. */
static void record(const hxi_audits *audits, audit *a)
{
    memcpy(a->before, a->given,
           (size_t)audits->whose.mine->blocks * (size_t)audits->whose.spec->fields * sizeof *a->before);
    a->recorded = true;
}

hx_status hxi_audit_finish(hxi_audits *audits, int exchange, uint64_t runs)
{
    audit *a = &audits->audit[exchange];
    if (a->occasion == HX_AUDIT_CALL) {
        turn_all_signs(a);
        return check_filled(audits, a, runs);
    }
    if ((audits->asked & HX_AUDIT_RUNS) == 0) {
        return HX_OK;
    }
    hx_status status = check_owned(audits, a, runs);
    turn_all_signs(a); /* also where nobody looks now: a later audit may */
    status = status == HX_OK ? check_filled(audits, a, runs) : status;
    record(audits, a);
    return status;
}
