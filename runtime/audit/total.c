/*
 * A number of a point has a target, and each number that goes into it is a share.  Shares lie in the order of the patches
 * that they come by.  Which of them meet is found once, by where they go.
 *
 * A mean is that of places: a point of a tile that several blocks hold counts once, as the mean of these blocks.
 */
#include "audit/total.h"

#include "audit/number.h"
#include "audit/sums.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static const char purpose[] = "what an audit adds up";

/* A number of a point of this rank. */
typedef struct target {
    unsigned char *at; /* of this run */
    ptrdiff_t place;   /* bytes from the array's pointer */
    int share;         /* one of those that go in */
    int parts;         /* of a mean: what the number that was there is divided by */
    hxi_number_type type;
    hxi_number was; /* at start */
    hxi_number is;
    hxi_total total;
    bool known; /* all shares are */
    bool among; /* it is one of them */
} target;

typedef struct share {
    int target;
    int patch;
    int number; /* in the patch */
    int parts;  /* as above */
} share;

struct hxi_totals {
    target *target;
    int targets;
    share *share;
    int shares;
    unsigned char *again; /* room for a patch */
    unsigned char *wanted;
    hxi_sums *sums;               /* the same numbers and shares; NULL: each has to be looked at */
    const unsigned char **bundle; /* room for pointers to the first share of each */
    char said[HX_SENTENCE];       /* what was found before finish; empty: nothing */
};

bool hxi_totals_needed(const hx_exchange *exchange)
{
    return HX_RETURNS(exchange->operation) || exchange->shared;
}

bool hxi_totals_return(const hx_exchange *exchange)
{
    return HX_RETURNS(exchange->operation) && !exchange->shared;
}

static const hxi_rows *rows_of(const hxi_audit *a, const target *t)
{
    return &a->filled_rows[a->totals->share[t->share].patch];
}

/* ---- making -------------------------------------------------------------------------------------------- */

/* A share on its way to its target. */
typedef struct line {
    uint64_t to;   /* array and place in it */
    uint64_t from; /* of a mean: the place in the grid */
    uint64_t own;  /* likewise, of the target */
    int share;
} line;

typedef struct maker {
    const hxi_audited *whose;
    const hxi_audit *a;
    hxi_totals *made;
    line *line;
    int patch;
    int number;
} maker;

static size_t numbers_of(const hxi_rows *rows)
{
    const size_t bytes = (size_t)hxi_rows_slabs(rows) * hxi_rows_slab_bytes(rows);
    return bytes / (size_t)hxi_number_type_of(rows->field).size;
}

/* A number for a point of a tile. */
static uint64_t place_of(const hxi_audited *w, const hxi_origin *point)
{
    int index[HX_MAX_AXES];
    uint64_t place = (uint64_t)point->tile * 64 + (uint64_t)w->spec->field[point->field].positions;
    hxi_layout_index(w->layout, point->tile, point->block, index);
    for (int a = 0; a < w->spec->axes; ++a) {
        const int at = hxi_tile_cut(&w->layout->tile[point->tile], a, index[a]) + point->point[a];
        place = (place ^ (uint64_t)(int64_t)at) * UINT64_C(0x9e3779b97f4a7c15);
        place ^= place >> 29;
    }
    return place;
}

/* Both ends of a share. */
static void note_places(const maker *m, const hxi_patch *patch, const int at[], line *noted)
{
    hxi_origin from = patch->from;
    hxi_origin own = {.tile = patch->tile, .block = patch->number, .field = patch->field};
    for (int a = 0; a < HX_MAX_AXES; ++a) {
        from.point[patch->axis[a]] += patch->turn[a] * at[a];
        own.point[a] = patch->lo[a] + at[a];
    }
    noted->from = place_of(m->whose, &from);
    noted->own = place_of(m->whose, &own);
}

static void add_point(void *context, const int at[], ptrdiff_t place)
{
    maker *m = context;
    const hxi_rows *rows = &m->a->filled_rows[m->patch];
    const int size = hxi_number_type_of(rows->field).size;
    const uint64_t array = (uint64_t)(rows->block * m->whose->spec->fields + rows->number);
    line fresh = {0};
    if (m->a->exchange->operation == HX_MEAN) {
        note_places(m, &m->a->filled.patch[m->patch], at, &fresh);
    }
    for (int byte = 0; byte < (int)rows->bytes; byte += size) {
        fresh.to = array << 40 | (uint64_t)(place + byte);
        fresh.share = m->made->shares;
        m->line[m->made->shares] = fresh;
        m->made->share[m->made->shares++] = (share){.patch = m->patch, .number = m->number++, .parts = 1};
    }
}

static int compare_lines(const void *left, const void *right)
{
    const line *a = left;
    const line *b = right;
    int order = (a->to > b->to) - (a->to < b->to);
    order = order != 0 ? order : (a->from > b->from) - (a->from < b->from);
    return order != 0 ? order : a->share - b->share;
}

/* Of a mean, from the shares of one target: what each of them is divided by. */
static void set_parts(const maker *m, const line *first, int count, target *t)
{
    int places = 0;
    int own = 1; /* copies at the target's own place */
    for (int i = 0; i < count; ++i) {
        places += first[i].from != first->own && (i == 0 || first[i].from != first[i - 1].from);
        own += first[i].from == first->own;
    }
    t->parts = (places + 1) * own;
    for (int i = 0; i < count; ++i) {
        int copies = 0;
        for (int j = 0; j < count; ++j) {
            copies += first[j].from == first[i].from;
        }
        m->made->share[first[i].share].parts = first[i].from == first->own ? t->parts : (places + 1) * copies;
    }
}

static void find_targets(const maker *m)
{
    hxi_totals *made = m->made;
    for (int i = 0, end; i < made->shares; i = end) {
        target *t = &made->target[made->targets];
        *t = (target){.place = (ptrdiff_t)(m->line[i].to & ((UINT64_C(1) << 40) - 1)),
                      .share = m->line[i].share,
                      .parts = 1};
        t->type = hxi_number_type_of(rows_of(m->a, t)->field);
        for (end = i; end < made->shares && m->line[end].to == m->line[i].to; ++end) {
            made->share[m->line[end].share].target = made->targets;
        }
        if (m->a->exchange->operation == HX_MEAN) {
            set_parts(m, &m->line[i], end - i, t);
        }
        made->targets++;
    }
}

/* Are all numbers of one type, and added as they are? */
static bool has_sums(const hxi_audit *a)
{
    bool sums = a->exchange->operation == HX_ADD && a->filled.count > 0;
    for (int i = 0; i < a->exchange->fields; ++i) {
        sums = sums && a->exchange->field[i].wire == HX_WIRE_NOT;
    }
    for (int i = 0; i < a->filled.count && sums; ++i) {
        const hxi_number_type first = hxi_number_type_of(a->filled_rows[0].field);
        const hxi_number_type type = hxi_number_type_of(a->filled_rows[i].field);
        sums = hxi_sums_can(type) && type.kind == first.kind && type.size == first.size;
    }
    return sums;
}

static hxi_sums_source source_of(const maker *m, const int *begins, int number)
{
    const hxi_audit *a = m->a;
    const hxi_rows *rows = &a->filled_rows[m->made->share[number].patch];
    int in = 0;
    while (in + 1 < a->mail.ins && begins[in + 1] <= number) {
        ++in;
    }
    return (hxi_sums_source){.bundle = in,
                             .negative = hxi_totals_return(a->exchange) && rows->sign < 0,
                             .at = (ptrdiff_t)(number - begins[in]) * hxi_number_type_of(rows->field).size};
}

/* begins: the first share of each bundle. */
static void list_sums(const maker *m, int *begins)
{
    const hxi_audit *a = m->a;
    hxi_totals *made = m->made;
    for (int in = 0, before = 0; in < a->mail.ins; ++in) {
        const hxi_bundle *b = &a->mail.in[in];
        begins[in] = before;
        for (int i = b->patch; i < b->patch + b->patches; ++i) {
            before += (int)numbers_of(&a->filled_rows[i]);
        }
    }
    for (int i = 0; i < made->shares; ++i) {
        const hxi_sums_source source = source_of(m, begins, m->line[i].share);
        if (i == 0 || m->line[i].to != m->line[i - 1].to) {
            hxi_sums_number(made->sums, (int)(m->line[i].to >> 40),
                            (ptrdiff_t)(m->line[i].to & ((UINT64_C(1) << 40) - 1)));
        }
        hxi_sums_share(made->sums, &source);
        if (i + 1 == made->shares || m->line[i].to != m->line[i + 1].to) {
            hxi_sums_end(made->sums);
        }
    }
}

static hx_status make_sums(const maker *m)
{
    hxi_totals *made = m->made;
    if (!has_sums(m->a)) {
        return HX_OK;
    }
    const size_t ins = (size_t)m->a->mail.ins;
    int *begins = hxi_memory_get(ins + 1, sizeof *begins, purpose);
    made->bundle = hxi_memory_get(ins + 1, sizeof *made->bundle, purpose);
    made->sums = hxi_sums_make(hxi_number_type_of(m->a->filled_rows[0].field), made->targets, made->shares);
    bool enough = begins && made->bundle && made->sums;
    if (enough) {
        list_sums(m, begins);
        enough = hxi_sums_close(made->sums);
    }
    hxi_memory_free(begins);
    return enough ? HX_OK : HX_ERR_MEMORY;
}

/* Room for shares, and for what goes out of the largest patch. */
static hx_status get_room(const hxi_audit *a, maker *m)
{
    size_t shares = 0;
    size_t most = 1;
    for (int i = 0; i < a->filled.count; ++i) {
        shares += numbers_of(&a->filled_rows[i]);
    }
    for (int i = 0; i < a->fed.count; ++i) {
        const size_t bytes = (size_t)hxi_rows_slabs(&a->fed_rows[i]) * hxi_rows_slab_bytes(&a->fed_rows[i]);
        most = bytes > most ? bytes : most;
    }
    if (shares > INT_MAX) {
        return hxi_fail(HX_ERR_LIMIT, "An audit would add up %zu numbers; it can count to %d.", shares,
                        INT_MAX);
    }
    m->made->share = hxi_memory_get(shares + 1, sizeof *m->made->share, purpose);
    m->made->target = hxi_memory_get(shares + 1, sizeof *m->made->target, purpose);
    m->made->again = hxi_memory_get(most, 1, purpose);
    m->made->wanted = hxi_memory_get(most, 1, purpose);
    m->line = hxi_memory_get(shares + 1, sizeof *m->line, purpose);
    const bool enough = m->made->share && m->made->target && m->made->again && m->made->wanted && m->line;
    return enough ? HX_OK : HX_ERR_MEMORY;
}

hx_status hxi_totals_make(const hxi_audits *audits, hxi_audit *a)
{
    hxi_totals *made = hxi_memory_get(1, sizeof *made, purpose);
    a->totals = made;
    if (!made) {
        return HX_ERR_MEMORY;
    }
    maker m = {.whose = &audits->whose, .a = a, .made = made};
    hx_status status = get_room(a, &m);
    for (m.patch = 0; m.patch < a->filled.count && status == HX_OK; ++m.patch) {
        m.number = 0;
        hxi_rows_each(&a->filled_rows[m.patch], add_point, &m);
    }
    if (status == HX_OK && made->shares > 0) {
        qsort(m.line, (size_t)made->shares, sizeof *m.line, compare_lines);
        find_targets(&m);
        status = make_sums(&m);
    }
    hxi_memory_free(m.line);
    return status;
}

void hxi_totals_free(hxi_totals *totals)
{
    if (totals) {
        hxi_memory_free(totals->share);
        hxi_memory_free(totals->target);
        hxi_memory_free(totals->again);
        hxi_memory_free(totals->wanted);
        hxi_sums_free(totals->sums);
        hxi_memory_free(totals->bundle);
        hxi_memory_free(totals);
    }
}

/* ---- start --------------------------------------------------------------------------------------------- */

void hxi_totals_start(const hxi_audits *audits, const hxi_audit *a)
{
    for (int m = 0; m < a->mail.outs; ++m) {
        const hxi_bundle *b = &a->mail.out[m];
        const hxi_stamp stamp = {.run = a->blurred ? 0 : a->run};
        unsigned char *to = b->keep[HX_KEEP_NOW] + sizeof stamp;
        memcpy(b->keep[HX_KEEP_NOW], &stamp, sizeof stamp);
        for (int i = b->patch; i < b->patch + b->patches; ++i) {
            to = hxi_rows_append(&a->fed_rows[i], hxi_audit_array(audits, a, &a->fed_rows[i]), to);
        }
    }
    a->totals->said[0] = '\0';
    if (a->totals->sums) {
        hxi_sums_start(a->totals->sums, a->values);
        return;
    }
    for (int i = 0; i < a->totals->targets; ++i) {
        target *t = &a->totals->target[i];
        t->at = hxi_audit_array(audits, a, rows_of(a, t)) + t->place;
        t->was = hxi_number_read(t->type, t->at);
    }
}

/* ---- finish -------------------------------------------------------------------------------------------- */

/* How numbers of a field travel. */
static hx_wire wire_of(const hxi_audit *a, int field)
{
    hx_wire wire = HX_WIRE_NOT;
    for (int i = 0; i < a->exchange->fields; ++i) {
        wire = a->exchange->field[i].field == field ? a->exchange->field[i].wire : wire;
    }
    return wire;
}

static hxi_number number_in(const hxi_audit *a, const hxi_rows *rows, hxi_number_type type,
                            const unsigned char *at)
{
    const bool returned = hxi_totals_return(a->exchange);
    const hx_wire wire = wire_of(a, rows->number);
    unsigned char near[sizeof(double)];
    if (wire != HX_WIRE_NOT) {
        memcpy(near, at, (size_t)type.size);
        hxi_value_round_real(wire, near, (size_t)type.size);
        at = near;
    }
    const hxi_number number = hxi_number_read(type, at);
    return returned && rows->sign < 0 ? hxi_number_opposite(type, number) : number;
}

static const unsigned char *packed_of(const hxi_audit *a, const hxi_bundle *in)
{
    return (in->own ? hxi_audit_own_out(a) : in)->keep[HX_KEEP_NOW];
}

/* All that a patch brings. */
static const unsigned char *take_patch(const hxi_audit *a, int patch, bool known, const unsigned char *packed,
                                       share *next)
{
    const hxi_rows *rows = &a->filled_rows[patch];
    const hxi_number_type type = hxi_number_type_of(rows->field);
    const size_t numbers = numbers_of(rows);
    const bool one = a->exchange->operation == HX_COPY;
    for (size_t i = 0; i < numbers; ++i, packed += type.size) {
        target *t = &a->totals->target[next[i].target];
        const hxi_number number = number_in(a, rows, type, packed);
        hxi_total_take(&t->total, type, a->exchange->operation, number, next[i].parts);
        t->known = t->known && known;
        t->among = t->among || (one && hxi_number_same(type, number, t->is));
    }
    return packed;
}

/* Whether nobody has to look at each sum. */
static bool holds(const hxi_audit *a)
{
    hxi_totals *totals = a->totals;
    bool known = totals->sums != NULL;
    for (int m = 0; m < a->mail.ins && known; ++m) {
        const unsigned char *packed = packed_of(a, &a->mail.in[m]);
        hxi_stamp stamp;
        memcpy(&stamp, packed, sizeof stamp);
        totals->bundle[m] = packed + sizeof stamp;
        known = stamp.run != 0;
    }
    return known && hxi_sums_hold(totals->sums, a->values, totals->bundle);
}

/* What sums have kept. */
static void restore(const hxi_audits *audits, const hxi_audit *a)
{
    for (int i = 0; i < a->totals->targets && a->totals->sums; ++i) {
        target *t = &a->totals->target[i];
        t->at = hxi_audit_array(audits, a, rows_of(a, t)) + t->place;
        t->was = hxi_sums_was(a->totals->sums, i);
    }
}

static void take_all(const hxi_audit *a)
{
    hxi_totals *totals = a->totals;
    share *next = totals->share;
    for (int i = 0; i < totals->targets; ++i) {
        target *t = &totals->target[i];
        t->is = hxi_number_read(t->type, t->at);
        t->among = a->exchange->operation == HX_COPY && hxi_number_same(t->type, t->is, t->was);
        t->known = true;
        hxi_total_begin(&t->total, t->type, t->was, t->parts);
    }
    for (int m = 0; m < a->mail.ins; ++m) {
        const hxi_bundle *b = &a->mail.in[m];
        const unsigned char *packed = packed_of(a, b);
        hxi_stamp stamp;
        memcpy(&stamp, packed, sizeof stamp);
        packed += sizeof stamp;
        for (int i = b->patch; i < b->patch + b->patches; ++i) {
            packed = take_patch(a, i, stamp.run != 0, packed, next);
            next += numbers_of(&a->filled_rows[i]);
        }
    }
}

/* Where blocks share points, one of them decides; which, the audit does not know. */
static bool is_right(const hxi_audit *a, const target *t)
{
    const hx_exchange *x = a->exchange;
    if (!t->known) {
        return true;
    }
    if (x->operation == HX_COPY) {
        return t->among;
    }
    const bool total = hxi_total_is(&t->total, t->type, x->operation, t->is);
    if (total || !x->shared || !HX_RETURNS(x->operation)) {
        return total;
    }
    return x->keeps ? hxi_number_same(t->type, t->is, t->was) : hxi_number_is_zero(t->type, t->is);
}

/* The point of a patch that a number belongs to. */
static void locate(const hxi_rows *rows, int number, hxi_difference *at)
{
    const int size = hxi_number_type_of(rows->field).size;
    const int in_point = (int)rows->bytes / size;
    int point = number / in_point;
    for (int d = 0; d < HX_MAX_AXES; ++d) {
        at->at[rows->axis[d]] = point % rows->n[d];
        point /= rows->n[d];
    }
    at->component = (int)rows->bytes > hxi_value_size(rows->field)
                        ? number % in_point * size / hxi_value_size(rows->field)
                        : -1;
}

/* Says who gave what. */
static void list_shares(const hxi_audit *a, const target *t, hxi_finding *found)
{
    const hxi_totals *totals = a->totals;
    const share *s = totals->share;
    for (int m = 0; m < a->mail.ins; ++m) {
        const hxi_bundle *b = &a->mail.in[m];
        const unsigned char *packed = packed_of(a, b) + sizeof(hxi_stamp);
        for (int i = b->patch; i < b->patch + b->patches; ++i) {
            const hxi_rows *rows = &a->filled_rows[i];
            const hxi_number_type type = hxi_number_type_of(rows->field);
            for (; s < totals->share + totals->shares && s->patch == i; ++s, packed += type.size) {
                char words[HX_VALUE_TEXT];
                hxi_difference at;
                if (&totals->target[s->target] == t) {
                    const hxi_number number = number_in(a, rows, type, packed);
                    locate(rows, s->number, &at);
                    hxi_report_share(found, &a->filled.patch[i], at.at, hxi_number_text(type, number, words));
                }
            }
        }
    }
}

static hx_status report_target(const hxi_audit *a, const target *t, hxi_finding *found)
{
    const share *s = &a->totals->share[t->share];
    const hxi_number_type type = t->type;
    char is[HX_VALUE_TEXT];
    char was[HX_VALUE_TEXT];
    char must[HX_VALUE_TEXT];
    const hxi_sum sum = {hxi_number_text(type, t->is, is), hxi_number_text(type, t->was, was),
                         hxi_number_text(type, t->total.number, must)};
    found->patch = &a->filled.patch[s->patch];
    found->rows = rows_of(a, t);
    locate(found->rows, s->number, &found->first);
    list_shares(a, t, found);
    return hxi_report_total(found, &sum);
}

/* What a patch of ghost points is to hold, from what it held at start; now: what it holds, packed. */
typedef void expect_fn(const hxi_rows *rows, const unsigned char *now, unsigned char *wanted, size_t bytes);

static void expect_zeros(const hxi_rows *rows, const unsigned char *now, unsigned char *wanted, size_t bytes)
{
    (void)rows;
    (void)now;
    memset(wanted, 0, bytes);
}

static void expect_the_same(const hxi_rows *rows, const unsigned char *now, unsigned char *wanted,
                            size_t bytes)
{
    (void)rows;
    (void)now;
    (void)wanted;
    (void)bytes;
}

/* Some may have been added and set to zero, since whoever waits moves all exchanges on. */
static void expect_either(const hxi_rows *rows, const unsigned char *now, unsigned char *wanted, size_t bytes)
{
    static const unsigned char zero[sizeof(long double)];
    const size_t size = (size_t)hxi_number_type_of(rows->field).size;
    for (size_t i = 0; i < bytes; i += size) {
        if (memcmp(now + i, zero, size) == 0) {
            memset(wanted + i, 0, size);
        }
    }
}

/* Compares all ghost points that are sent back. */
static void look_at_ghosts(const hxi_audits *audits, const hxi_audit *a, expect_fn expect, hxi_finding *found)
{
    hxi_totals *totals = a->totals;
    for (int m = 0; m < a->mail.outs; ++m) {
        const hxi_bundle *b = &a->mail.out[m];
        const unsigned char *was = b->keep[HX_KEEP_NOW] + sizeof(hxi_stamp);
        for (int i = b->patch; i < b->patch + b->patches && found->first.points == 0; ++i) {
            const hxi_rows *rows = &a->fed_rows[i];
            const unsigned char *array = hxi_audit_array(audits, a, rows);
            const size_t bytes = (size_t)hxi_rows_slabs(rows) * hxi_rows_slab_bytes(rows);
            const hxi_turn turn = {a->run, i};
            if (hxi_rows_hold(rows, array, expect == expect_zeros ? NULL : was, turn)) {
                was += bytes;
                continue;
            }
            hxi_rows_append(rows, array, totals->again);
            memcpy(totals->wanted, was, bytes);
            expect(rows, totals->again, totals->wanted, bytes);
            if (memcmp(totals->again, totals->wanted, bytes) != 0) {
                hxi_rows_compare(rows, array, totals->wanted, &found->first);
            }
            found->patch = &a->fed.patch[i];
            found->rows = rows;
            was += bytes;
        }
    }
}

void hxi_totals_before_finish(const hxi_audits *audits, const hxi_audit *a, uint64_t runs)
{
    hxi_finding found = hxi_audit_finding(audits, a, runs);
    if (a->blurred || !hxi_totals_return(a->exchange) || a->exchange->keeps) {
        return;
    }
    look_at_ghosts(audits, a, expect_either, &found);
    if (found.first.points > 0) {
        hxi_report_returned(&found, "as it was at start: what is written there until finish is lost.");
        memcpy(a->totals->said, hx_last_error(), strlen(hx_last_error()) + 1);
    }
}

static hx_status finish_ghosts(const hxi_audits *audits, const hxi_audit *a, hxi_finding *found)
{
    look_at_ghosts(audits, a, a->exchange->keeps ? expect_the_same : expect_zeros, found);
    return found->first.points == 0
               ? HX_OK
               : hxi_report_returned(found, a->exchange->keeps ? "as it was at start."
                                                               : "since its owner has got what was there.");
}

hx_status hxi_totals_finish(const hxi_audits *audits, const hxi_audit *a, uint64_t runs)
{
    hxi_finding found = hxi_audit_finding(audits, a, runs);
    const target *first = NULL;
    if (a->blurred) {
        return HX_OK;
    }
    if (a->totals->said[0] != '\0') {
        return hxi_fail(HX_ERR_MISMATCH, "%s", a->totals->said);
    }
    const bool plain = holds(a);
    if (!plain) {
        restore(audits, a);
        take_all(a);
    }
    for (int i = 0; i < a->totals->targets && !plain; ++i) {
        if (!is_right(a, &a->totals->target[i])) {
            first = first ? first : &a->totals->target[i];
            found.first.points++;
        }
    }
    if (first) {
        return report_target(a, first, &found);
    }
    return hxi_totals_return(a->exchange) ? finish_ghosts(audits, a, &found) : HX_OK;
}
