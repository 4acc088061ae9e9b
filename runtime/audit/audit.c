#include "audit/audit.h"

#include "audit/halo.h"
#include "audit/state.h"
#include "audit/total.h"
#include "base/devices.h"
#include "base/status.h"
#include "comm/tell.h"

#include <limits.h>
#include <string.h>

static const char purpose[] = "an audit";

/* ---- making -------------------------------------------------------------------------------------------- */

bool hxi_audit_can(const hx_exchange *exchange)
{
    return !HX_RETURNS(exchange->operation);
}

bool hxi_audit_can_follow(const hx_spec *spec, const hx_exchange *exchange)
{
    return !hxi_device_has(spec, exchange);
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
    const hx_status told = status == HX_OK ? hxi_tell_owners(audits->comm, mine, w->mine->blocks,
                                                             audits->owner, w->layout->blocks)
                                           : status;
    hxi_memory_free(mine);
    return told;
}

static bool are_grouped(const hxi_patch *a, const hxi_patch *b)
{
    return a->field == b->field && a->component == b->component;
}

int hxi_audit_group(const hxi_patches *patches, const hxi_bundle *bundle, int i)
{
    int end = i + 1;
    while (end < bundle->patch + bundle->patches && are_grouped(&patches->patch[i], &patches->patch[end])) {
        ++end;
    }
    return end;
}

static bool begins_group(const hxi_patches *patches, const hxi_bundle *bundle, int i)
{
    return i == bundle->patch || !are_grouped(&patches->patch[i - 1], &patches->patch[i]);
}

/* The messages for patches that are sorted by peer. */
static hx_status make_bundles(const hxi_audited *w, const hxi_patches *patches, const hxi_rows *rows,
                              hxi_bundle **made, int *count)
{
    hxi_bundle *bundle = hxi_memory_get((size_t)patches->count + 1, sizeof *bundle, purpose);
    *made = bundle;
    if (!bundle) {
        return HX_ERR_MEMORY;
    }
    for (int i = 0; i < patches->count; ++i) {
        if (i == 0 || patches->patch[i].peer != bundle->peer) {
            bundle += i > 0;
            *bundle = (hxi_bundle){.peer = patches->patch[i].peer,
                                   .own = patches->patch[i].peer == w->topology->rank && !w->spec->list,
                                   .patch = i,
                                   .bytes = sizeof(hxi_stamp),
                                   .asking = MPI_REQUEST_NULL,
                                   .answer = MPI_REQUEST_NULL};
            ++*count;
        }
        bundle->patches++;
        bundle->digests += w->spec->list ? begins_group(patches, bundle, i) : hxi_rows_slabs(&rows[i]);
        bundle->bytes += (size_t)hxi_rows_slabs(&rows[i]) * hxi_rows_slab_bytes(&rows[i]);
    }
    for (int i = 0; i < *count; ++i) {
        bundle = &(*made)[i];
        const size_t digests =
            (size_t)(HX_MARKS + w->spec->fields + bundle->digests) * sizeof *bundle->digest;
        const size_t most = bundle->bytes > digests ? bundle->bytes : digests;
        if (most > INT_MAX) {
            return hxi_fail(HX_ERR_LIMIT, "An audit would need a message of %zu bytes; MPI counts to %d.",
                            most, INT_MAX);
        }
    }
    return HX_OK;
}

/* For digests of each bundle; twice of what this rank feeds itself. */
static hx_status get_digests(hxi_audit *a)
{
    hxi_mail *mail = &a->mail;
    size_t most = 0;
    for (int i = 0; i < mail->ins + mail->outs; ++i) {
        hxi_bundle *b = i < mail->ins ? &mail->in[i] : &mail->out[i - mail->ins];
        b->header = HX_MARKS + a->exchange->fields;
        const size_t words = (size_t)(b->header + b->digests);
        most = words > most ? words : most;
        b->digest = hxi_memory_get(words, sizeof *b->digest, purpose);
        b->last = b->digest && b->own ? hxi_memory_get(words, sizeof *b->last, purpose) : NULL;
        if (!b->digest || (b->own && !b->last)) {
            return HX_ERR_MEMORY;
        }
    }
    a->digest = hxi_memory_get(most + 1, sizeof *a->digest, purpose);
    return a->digest ? HX_OK : HX_ERR_MEMORY;
}

/* Two slabs, the largest; of lists, which have no slabs, all values of a bundle. */
static hx_status get_scratch(const hxi_audited *w, hxi_audit *a)
{
    size_t most = 1;
    for (int i = 0; i < a->filled.count + a->fed.count; ++i) {
        const hxi_rows *rows = i < a->filled.count ? &a->filled_rows[i] : &a->fed_rows[i - a->filled.count];
        const size_t bytes = hxi_rows_slab_bytes(rows);
        most = bytes > most ? bytes : most;
    }
    for (int i = 0; i < a->mail.ins + a->mail.outs && w->spec->list; ++i) {
        const hxi_bundle *b = i < a->mail.ins ? &a->mail.in[i] : &a->mail.out[i - a->mail.ins];
        most = b->bytes > most ? b->bytes : most;
    }
    a->scratch.slab[0] = hxi_memory_get(2 * most, 1, purpose);
    a->scratch.slab[1] = a->scratch.slab[0] ? a->scratch.slab[0] + most : NULL;
    return a->scratch.slab[0] ? HX_OK : HX_ERR_MEMORY;
}

/* Of what a patch fills, or of the points of this rank that feed it. */
static hxi_rows rows_of(const hxi_audited *w, const hxi_patch *patch, bool feeding)
{
    return feeding && !w->spec->list
               ? hxi_rows_feeding(w->spec, w->mine, patch,
                                  hxi_blocks_find(w->mine, patch->from.tile, patch->from.block))
               : hxi_rows_filled(w->spec, w->mine, patch);
}

/* What others want of this rank is known. */
static hx_status make_rows(const hxi_audited *w, hxi_audit *a)
{
    a->filled_rows = hxi_memory_get((size_t)a->filled.count + 1, sizeof *a->filled_rows, purpose);
    a->fed_rows = hxi_memory_get((size_t)a->fed.count + 1, sizeof *a->fed_rows, purpose);
    if (!a->filled_rows || !a->fed_rows) {
        return HX_ERR_MEMORY;
    }
    const bool return_them = hxi_totals_return(a->exchange);
    for (int i = 0; i < a->filled.count; ++i) {
        a->filled_rows[i] = rows_of(w, &a->filled.patch[i], return_them);
    }
    for (int i = 0; i < a->fed.count; ++i) {
        a->fed_rows[i] = rows_of(w, &a->fed.patch[i], !return_them);
    }
    return HX_OK;
}

static hx_status make_messages(const hxi_audits *audits, hxi_audit *a)
{
    hxi_mail *mail = &a->mail;
    const hxi_audited *w = &audits->whose;
    mail->rank = w->topology->rank;
    mail->exchange = (int)(a->exchange - w->spec->exchange);
    mail->exchanges = w->spec->exchanges;
    hx_status status = make_rows(w, a);
    status = status == HX_OK ? make_bundles(w, &a->filled, a->filled_rows, &mail->in, &mail->ins) : status;
    status = status == HX_OK ? make_bundles(w, &a->fed, a->fed_rows, &mail->out, &mail->outs) : status;
    status = status == HX_OK ? get_digests(a) : status;
    status = status == HX_OK ? get_scratch(w, a) : status;
    const size_t messages = 2 * (size_t)(mail->ins + mail->outs) + 1;
    mail->request = hxi_memory_get(messages, sizeof *mail->request, purpose);
    mail->state = hxi_memory_get(messages, sizeof *mail->state, purpose);
    const size_t arrays = (size_t)w->mine->blocks * (size_t)w->spec->fields + 1;
    a->given = hxi_memory_get(arrays, sizeof *a->given, purpose);
    a->values = hxi_memory_get(arrays, sizeof *a->values, purpose);
    a->before = hxi_memory_get(arrays, sizeof *a->before, purpose);
    a->mark = hxi_memory_get((size_t)a->exchange->fields, sizeof *a->mark, purpose);
    const bool enough = mail->request && mail->state && a->given && a->values && a->before && a->mark;
    if (status == HX_OK && !enough) {
        return HX_ERR_MEMORY;
    }
    return status == HX_OK && hxi_totals_needed(a->exchange) ? hxi_totals_make(audits, a) : status;
}

/* Where ghost points go back, they are what feeds, and owned points are what is filled. */
static void turn_around(hxi_audit *a)
{
    const hxi_patches ghosts = a->filled;
    if (hxi_totals_return(a->exchange)) {
        a->filled = a->fed;
        a->fed = ghosts;
    }
}

static hx_status make(const hxi_audits *audits, hxi_audit *a)
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
    turn_around(a);
    return status == HX_OK ? hxi_topology_agree(audits->comm, make_messages(audits, a)) : status;
}

/* What a peer may still read or write stays. */
static void free_bundle(hxi_bundle *b, bool in)
{
    const bool ended = hxi_mail_end_questions(b, in);
    for (int k = 0; k < HX_KEEPS && ended; ++k) {
        hxi_memory_free(b->keep[k]);
    }
    hxi_memory_free(b->digest);
    hxi_memory_free(b->last);
}

static void free_audit(hxi_audit *a)
{
    for (int i = 0; i < a->mail.ins; ++i) {
        free_bundle(&a->mail.in[i], true);
    }
    for (int i = 0; i < a->mail.outs; ++i) {
        free_bundle(&a->mail.out[i], false);
    }
    hxi_memory_free(a->mail.in);
    hxi_memory_free(a->mail.out);
    hxi_memory_free(a->mail.request);
    hxi_memory_free(a->mail.state);
    hxi_memory_free(a->given);
    hxi_memory_free(a->values);
    hxi_memory_free(a->before);
    hxi_memory_free(a->mark);
    hxi_memory_free(a->digest);
    hxi_memory_free(a->scratch.slab[0]);
    hxi_memory_free(a->layers);
    hxi_memory_free(a->filled_rows);
    hxi_memory_free(a->fed_rows);
    hxi_totals_free(a->totals);
    hxi_patches_free(&a->filled);
    hxi_patches_free(&a->fed);
    *a = (hxi_audit){0};
}

static hx_status get_keep(hxi_bundle *b, hxi_keep first, hxi_keep last)
{
    for (int k = (int)first; k <= (int)last; ++k) {
        b->keep[k] = b->keep[k] ? b->keep[k] : hxi_memory_get(b->bytes, 1, purpose);
        if (!b->keep[k]) {
            return HX_ERR_MEMORY;
        }
    }
    return HX_OK;
}

/* For what a cycle reads without an exchange: a rank that got none at its start would leave the others waiting. */
static hx_status get_layers(const hxi_audited *w, hxi_audit *a)
{
    size_t bytes = 1;
    bool cycles = false;
    for (int c = 0; c < w->spec->cycles; ++c) {
        cycles = cycles || &w->spec->exchange[w->spec->cycle[c].exchange] == a->exchange;
    }
    for (int i = 0; i < a->filled.count; ++i) {
        bytes += (size_t)hxi_rows_slabs(&a->filled_rows[i]) * hxi_rows_slab_bytes(&a->filled_rows[i]);
    }
    a->layers = cycles && !a->layers ? hxi_memory_get(bytes, 1, purpose) : a->layers;
    return cycles && !a->layers ? HX_ERR_MEMORY : HX_OK;
}

/* Owners keep what they had at two starts; when the application asks, what they have then, and their peers get
 * it, and what there was in the last run.  Shares are needed once, also those of this rank. */
static hx_status get_room(hxi_audit *a, hxi_occasion occasion)
{
    const bool call = occasion == HX_AUDIT_CALL;
    const bool shares = a->totals && !call;
    hx_status status = HX_OK;
    for (int i = 0; i < a->mail.outs && status == HX_OK; ++i) {
        hxi_bundle *b = &a->mail.out[i];
        if (!b->own || shares) {
            status =
                get_keep(b, shares ? HX_KEEP_NOW : HX_KEEP_EVEN, shares || call ? HX_KEEP_NOW : HX_KEEP_ODD);
        }
    }
    for (int i = 0; i < a->mail.ins && status == HX_OK && (call || shares); ++i) {
        if (!a->mail.in[i].own) {
            status = get_keep(&a->mail.in[i], shares ? HX_KEEP_NOW : HX_KEEP_LAST, HX_KEEP_NOW);
        }
    }
    return status;
}

hx_status hxi_audits_add(hxi_audits *audits, int exchange, hxi_occasion occasion)
{
    hxi_audit *a = &audits->audit[exchange];
    if (!a->exchange) {
        a->exchange = &audits->whose.spec->exchange[exchange];
        const hx_status made = make(audits, a);
        if (made != HX_OK) {
            free_audit(a); /* all ranks try again, or none */
            return made;
        }
    }
    const bool sends = occasion == HX_AUDIT_CALL || (audits->asked & HX_AUDIT_RUNS) != 0;
    if (!sends || a->has_room[occasion]) {
        return HX_OK;
    }
    hx_status status = get_room(a, occasion);
    status = status == HX_OK && occasion == HX_AUDIT_FINISH ? get_layers(&audits->whose, a) : status;
    status = hxi_topology_agree(audits->comm, status);
    a->has_room[occasion] = status == HX_OK;
    return status;
}

hx_status hxi_audits_open(const hxi_audited *whose, unsigned asked, hxi_audits **made)
{
    hxi_audits *audits = hxi_memory_get(1, sizeof *audits, purpose);
    if (audits) {
        audits->comm = MPI_COMM_NULL; /* which close looks at, also where another rank got no memory */
        audits->desk.listening = MPI_REQUEST_NULL;
        audits->vote.request = MPI_REQUEST_NULL;
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
    status = status == HX_OK ? hxi_desk_open(&audits->desk, audits->comm, whose->spec->exchanges) : status;
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
    hxi_desk_close(&audits->desk);
    hxi_mail_close(&audits->comm);
    hxi_memory_free(audits->audit);
    hxi_memory_free(audits->owner);
    hxi_memory_free(audits);
}

bool hxi_audits_watch(const hxi_audits *audits, int exchange)
{
    const hxi_audit *a = &audits->audit[exchange];
    return audits->asked != 0 && a->exchange && hxi_audit_can_follow(audits->whose.spec, a->exchange);
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
