/*
 * The order of bytes in a message: which points it holds, segment by segment (docs/internals/messages.md).
 */
#include "pack/segment.h"

#include "base/hash.h"
#include "base/memory.h"
#include "base/status.h"
#include "grid/shared_points.h"

#include <stdlib.h>
#include <string.h>

enum { FEW = 4 }; /* less than one in so many is put among the others, which stay as they are */

typedef struct collector {
    const hx_spec *spec;
    int exchange;
    const hxi_layout *layout;
    const hxi_block_list *mine;
    int rank;
    const hxi_schedule_choice *schedule; /* of a schedule by dimension; NULL: all at once */
    int phase;
    const hxi_segment_filter *filter;
    hxi_segments *found;
    hxi_pieces pieces;
} collector;

hxi_segment *hxi_segments_add(hxi_segments *found)
{
    if (found->count == found->room) {
        const int room = found->room ? 2 * found->room : 64;
        hxi_segment *more = hxi_memory_grow(found->segment, (size_t)found->count, (size_t)room, sizeof *more,
                                            "the links of an exchange");
        if (!more) {
            return NULL;
        }
        found->segment = more;
        found->room = room;
    }
    hxi_segment *fresh = &found->segment[found->count++];
    memset(fresh, 0, sizeof *fresh);
    return fresh;
}

/* The pieces of a ghost box are disjoint and fill what it claims. */
static hx_status check_pieces(const collector *c, const hxi_ghost *ghost)
{
    size_t points = 0;
    bool disjoint = true;
    for (int i = 0; i < c->pieces.count; ++i) {
        points += hxi_box_volume(&c->pieces.piece[i].to);
        for (int k = 0; k < i; ++k) {
            const hxi_box common = hxi_box_intersect(&c->pieces.piece[i].to, &c->pieces.piece[k].to);
            disjoint = disjoint && hxi_box_empty(&common);
        }
    }
    if (disjoint && points + c->pieces.left == c->pieces.claimed) {
        return HX_OK;
    }
    const hx_field *field = &c->spec->field[ghost->field];
    return hxi_fail(
        HX_ERR_INTERNAL,
        "%s:%d: the halo of field %s of block %d would be fed %zu points where it has %zu, or some twice.",
        c->spec->file, field->line, field->name, ghost->block, points, c->pieces.claimed - c->pieces.left);
}

/* Components of a field that travel in a direction of the exchange; NULL: all. */
static const hx_picks *picks_of(const collector *c, int item, int direction)
{
    const hx_picks *picks = c->spec->exchange[c->exchange].field[item].picks;
    return picks ? &picks[direction] : NULL;
}

static int components_of(const hx_field *field)
{
    return field->components > 0 ? field->components : 1;
}

/* Bytes of a point of a field in a message. */
static size_t bytes_on_wire(const hx_field *field, hx_wire wire)
{
    static const size_t number[] = {
        [HX_WIRE_FLOAT] = 4, [HX_WIRE_HALF] = 2,  [HX_WIRE_BFLOAT16] = 2,
        [HX_WIRE_INT8] = 1,  [HX_WIRE_INT16] = 2, [HX_WIRE_INT32] = 4,
    };
    const bool pairs = strncmp(field->type, "hx_complex", 10) == 0;
    const size_t elements =
        field->components_after == 0 && field->components > 0 ? (size_t)field->components : 1;
    return wire == HX_WIRE_NOT ? (size_t)field->size : elements * (pairs ? 2 : 1) * number[wire];
}

/* Bytes that travel of each point. */
static size_t bytes_of_point(const hx_spec *spec, const hxi_segment *segment)
{
    const hx_field *field = &spec->field[segment->link.field];
    const hx_wire wire = spec->exchange[segment->link.exchange].field[segment->item].wire;
    const size_t whole = bytes_on_wire(field, wire);
    if (field->components_after > 0) {
        return (size_t)segment->link.components * whole;
    }
    return segment->picks ? (size_t)segment->link.components * (whole / (size_t)field->components) : whole;
}

/* Which way it goes: both ends are known, as numbers among my blocks. */
static void set_kind(hxi_segment *s, bool returns)
{
    s->kind = s->to >= 0 && s->from >= 0 ? HX_WITHIN : (s->to >= 0) == returns ? HX_SENT : HX_RECEIVED;
    s->link.incoming = s->kind != HX_SENT;
}

static hx_status add_segment(collector *c, const hxi_ghost *ghost, int direction, int item,
                             const hxi_piece *piece)
{
    hxi_segment *s = hxi_segments_add(c->found);
    if (!s) {
        return HX_ERR_MEMORY;
    }
    const int to = hxi_blocks_find(c->mine, ghost->tile, ghost->block);
    const int owner = hxi_layout_owner(c->layout, piece->source_tile, piece->source_block);
    s->direction = direction;
    s->item = item;
    s->to = to;
    s->from = hxi_blocks_find(c->mine, piece->source_tile, piece->source_block);
    s->picks = picks_of(c, item, direction);
    s->term = piece->term;
    s->own_term = piece->own_term;
    s->link = (hx_link){
        .exchange = c->exchange,
        .field = ghost->field,
        .peer = to >= 0 ? owner : hxi_layout_owner(c->layout, ghost->tile, ghost->block),
        .tile = ghost->tile,
        .block = ghost->block,
        .source_tile = piece->source_tile,
        .source_block = piece->source_block,
        .source_field = piece->source_field,
        .sign = piece->sign,
        .components = s->picks ? s->picks->count : components_of(&c->spec->field[ghost->field]),
        .phase = c->phase,
    };
    for (int a = 0; a < HX_MAX_AXES; ++a) {
        s->link.direction[a] = a < c->spec->axes ? ghost->direction[a] : 0;
        s->link.lo[a] = piece->to.lo[a];
        s->link.hi[a] = piece->to.hi[a];
        s->link.source_first[a] = piece->source_first[a];
        s->link.axis[a] = piece->axis[a];
        s->link.turn[a] = piece->turn[a];
    }
    set_kind(s, HX_RETURNS(c->spec->exchange[c->exchange].operation));
    s->bytes = hxi_box_volume(&piece->to) * bytes_of_point(c->spec, s);
    if (c->filter && !c->filter->keeps(c->filter->context, s)) {
        c->found->count--;
    }
    return HX_OK;
}

/* A block whose shape this rank has not given belongs to another rank. */
static hx_status check_other(const collector *c, int tile, int block)
{
    if (hxi_layout_owner(c->layout, tile, block) == c->rank) {
        return hxi_fail(
            HX_ERR_PARTITION,
            "Block %d of tile %d belongs to rank %d, which gave no shape of it.  Each rank gives the "
            "shapes of all blocks it owns.",
            block, tile, c->rank);
    }
    return hxi_layout_check_owner(c->layout, tile, block);
}

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

/*
 * Corners by dimension: a piece takes along what its source has got in earlier phases, as far as the grid
 * goes.  Blocks that are neighbors along one axis lie alike along the others, so the source has just that.
 */
static void extend(const collector *c, const hxi_ghost *ghost, hxi_piece *piece)
{
    int index[HX_MAX_AXES];
    hxi_layout_index(c->layout, ghost->tile, ghost->block, index);
    const hxi_tile *tile = &c->layout->tile[ghost->tile];
    for (int p = 0; p < c->phase; ++p) {
        const int axis = c->schedule->axis[p];
        const bool endless = c->spec->periodic[axis];
        const int below = hxi_tile_cut(tile, axis, index[axis]);
        const int above = tile->cells[axis] - hxi_tile_cut(tile, axis, index[axis] + 1);
        const int lo = endless ? ghost->width_lo[axis] : smaller(ghost->width_lo[axis], below);
        const int hi = endless ? ghost->width_hi[axis] : smaller(ghost->width_hi[axis], above);
        piece->to.lo[axis] -= lo;
        piece->to.hi[axis] += hi;
        piece->source_first[axis] -= lo;
    }
}

/*
 * The segments that feed one field of a block in one direction; of another rank's block, only those from this
 * rank.
 */
static hx_status collect_ghost(collector *c, const hxi_ghost *ghost, int direction, int item)
{
    const hx_exchange *exchange = &c->spec->exchange[c->exchange];
    const bool all = hxi_shared_points_combine(exchange);
    hx_status status = exchange->shared ? hxi_shared_points_find(c->spec, c->layout, ghost, exchange->shared,
                                                                 all, &c->pieces)
                                        : hxi_cut(c->spec, c->layout, ghost, &c->pieces);
    if (status == HX_OK && !all) {
        status = check_pieces(c, ghost);
    }
    const bool mine = hxi_blocks_find(c->mine, ghost->tile, ghost->block) >= 0;
    for (int i = 0; i < c->pieces.count && status == HX_OK; ++i) {
        hxi_piece *piece = &c->pieces.piece[i];
        if (c->schedule) {
            extend(c, ghost, piece);
        }
        const bool from_me = hxi_blocks_find(c->mine, piece->source_tile, piece->source_block) >= 0;
        if (mine && !from_me) {
            status = check_other(c, piece->source_tile, piece->source_block);
        } else if (from_me && !mine) {
            status = check_other(c, ghost->tile, ghost->block);
        }
        if (status == HX_OK && (mine || from_me)) {
            status = add_segment(c, ghost, direction, item, piece);
        }
    }
    return status;
}

/* By dimension, a phase goes along its axis only. */
static bool belongs_to_phase(const collector *c, const signed char direction[])
{
    for (int a = 0; c->schedule && a < c->spec->axes; ++a) {
        if ((direction[a] != 0) != (a == c->schedule->axis[c->phase])) {
            return false;
        }
    }
    return true;
}

static hx_status collect_block(collector *c, int tile, int block)
{
    const hx_exchange *exchange = &c->spec->exchange[c->exchange];
    hx_status status = HX_OK;
    for (int d = 0; d < exchange->directions; ++d) {
        if (!belongs_to_phase(c, exchange->direction[d])) {
            continue;
        }
        for (int i = 0; i < exchange->fields && status == HX_OK; ++i) {
            const hx_exchange_field *item = &exchange->field[i];
            const hx_picks *picks = picks_of(c, i, d);
            if (picks && picks->count == 0) {
                continue;
            }
            const hxi_ghost ghost = {tile,           block,          item->field,
                                     item->width_lo, item->width_hi, exchange->direction[d]};
            status = collect_ghost(c, &ghost, d, i);
        }
    }
    return status;
}

static int compare_numbers(int a, int b)
{
    return (a > b) - (a < b);
}

static int compare_points(const int *a, const int *b)
{
    int order = 0;
    for (int i = 0; i < HX_MAX_AXES && order == 0; ++i) {
        order = compare_numbers(a[i], b[i]);
    }
    return order;
}

/* The order of the contract with every peer: see docs/internals/messages.md. */
int hxi_segments_compare(const hxi_segment *x, const hxi_segment *y)
{
    const hx_link *a = &x->link;
    const hx_link *b = &y->link;
    int order = compare_numbers(a->tile, b->tile);
    order = order != 0 ? order : compare_numbers(a->block, b->block);
    order = order != 0 ? order : compare_numbers(x->direction, y->direction);
    order = order != 0 ? order : compare_numbers(a->source_tile, b->source_tile);
    order = order != 0 ? order : compare_numbers(a->source_block, b->source_block);
    order = order != 0 ? order : compare_numbers(x->item, y->item);
    order = order != 0 ? order : compare_points(a->lo, b->lo);
    /* Of shared points a block may hold some twice, and as those of another component of a vector. */
    order = order != 0 ? order : compare_points(a->source_first, b->source_first);
    return order != 0 ? order : compare_numbers(a->source_field, b->source_field);
}

/* Messages first. */
static int compare_segments(const void *left, const void *right)
{
    const hxi_segment *x = left;
    const hxi_segment *y = right;
    int order = compare_numbers((int)x->kind, (int)y->kind);
    order = order != 0 ? order : compare_numbers(x->transport, y->transport);
    order = order != 0 ? order : compare_numbers(x->link.peer, y->link.peer);
    order = order != 0 ? order : compare_numbers(!x->alone, !y->alone);
    return order != 0 ? order : hxi_segments_compare(x, y);
}

/* Puts a few, which are in order, among many before them, which are; false: there is no memory for that. */
static bool merge(hxi_segments *segments, int many)
{
    const int few = segments->count - many;
    hxi_segment *at = segments->segment;
    hxi_segment *apart = hxi_memory_get((size_t)few, sizeof *apart, "the links of an exchange");
    if (!apart) {
        return false;
    }
    memcpy(apart, at + many, (size_t)few * sizeof *apart);
    for (int last = few - 1, end = many; last >= 0; --last) {
        int begin = end; /* what lies behind the last one makes room for all that are left */
        while (begin > 0 && compare_segments(&at[begin - 1], &apart[last]) > 0) {
            --begin;
        }
        memmove(&at[begin + last + 1], &at[begin], (size_t)(end - begin) * sizeof *at);
        at[begin + last] = apart[last];
        end = begin;
    }
    hxi_memory_free(apart);
    return true;
}

void hxi_segments_sort(hxi_segments *segments)
{
    int sorted = 1;
    while (sorted < segments->count &&
           compare_segments(&segments->segment[sorted - 1], &segments->segment[sorted]) <= 0) {
        ++sorted;
    }
    const int rest = segments->count - sorted;
    if (rest <= 0) {
        return;
    }
    const bool few = rest < segments->count / FEW;
    if (few) {
        qsort(segments->segment + sorted, (size_t)rest, sizeof *segments->segment, compare_segments);
    }
    if (!few || !merge(segments, sorted)) {
        qsort(segments->segment, (size_t)segments->count, sizeof *segments->segment, compare_segments);
    }
}

hx_status hxi_segments_find_along(const hxi_neighborhood *n, int exchange,
                                  const hxi_schedule_choice *schedule, int phase, hxi_segments *found)
{
    *found = (hxi_segments){0};
    const hxi_block_list *mine = n->mine;
    const hxi_neighbors *neighbors = n->neighbors;
    collector c = {n->spec, exchange, n->layout, mine, n->rank, schedule, phase, n->filter, found, {0}};
    hx_status status = HX_OK;
    for (int b = 0; b < mine->blocks && status == HX_OK; ++b) {
        status = collect_block(&c, mine->block[b].tile, mine->block[b].number);
    }
    for (int i = 0; i < neighbors->count && status == HX_OK; ++i) {
        status = collect_block(&c, neighbors->neighbor[i].tile, neighbors->neighbor[i].block);
    }
    hxi_memory_free(c.pieces.piece);
    if (status == HX_OK) {
        hxi_segments_sort(found);
    }
    return status;
}

/* ---- from other plans ---------------------------------------------------------------------------------- */

/* Room for so many more, and at least twice as much as before: they may come one by one. */
hx_status hxi_segments_reserve(hxi_segments *found, int more)
{
    if (found->room - found->count < more) {
        const size_t room = (size_t)found->count + (size_t)(more > found->count ? more : found->count);
        hxi_segment *grown = hxi_memory_grow(found->segment, (size_t)found->count, room, sizeof *grown,
                                             "the links of an exchange");
        if (!grown) {
            return HX_ERR_MEMORY;
        }
        found->segment = grown;
        found->room = (int)room;
    }
    return HX_OK;
}

/* Which of my blocks it is.  number: the one that it had. */
static int find_again(const hxi_neighborhood *n, const hxi_known_segments *known, int number, int tile,
                      int block)
{
    if (known->renumber && number >= 0) {
        return known->renumber[number];
    }
    const int all = n->layout->tile[tile].first_block + block;
    return known->moved[all] || !known->renumber ? hxi_blocks_find(n->mine, tile, block) : -1;
}

/* Drops what that plan has made of it beyond what cutting found. */
static void forget_plan(const hx_exchange *exchange, hxi_segment *s)
{
    const hx_picks *picks = exchange->field[s->item].picks;
    s->picks = picks ? &picks[s->direction] : NULL;
    s->to_runs = s->from_runs = NULL;
    s->delivery = HX_BUFFERED;
    s->first = 0;
    s->in_place = false;
    s->at = s->link.offset = 0;
}

/* Has one of its two blocks another owner? */
static bool has_moved(const hxi_neighborhood *n, const hxi_known_segments *known, const hx_link *l)
{
    const hxi_tile *tile = n->layout->tile;
    return known->moved[tile[l->tile].first_block + l->block] ||
           known->moved[tile[l->source_tile].first_block + l->source_block];
}

/* Which transport has it, and whether it travels alone, stays for now: so they are in order, and seldom change. */
hx_status hxi_segments_keep(const hxi_neighborhood *n, int exchange, const hxi_known_segments *known,
                            hxi_segments *found)
{
    const hx_exchange *e = &n->spec->exchange[exchange];
    const hx_status status = hxi_segments_reserve(found, known->count);
    for (int i = 0; i < known->count && status == HX_OK; ++i) {
        const hxi_segment *k = &known->segment[i];
        if (!has_moved(n, known, &k->link)) {
            hxi_segment *s = &found->segment[found->count++];
            *s = *k;
            forget_plan(e, s);
            s->to = k->to >= 0 ? known->renumber[k->to] : -1;
            s->from = k->from >= 0 ? known->renumber[k->from] : -1;
            s->kept = true;
        }
    }
    return status;
}

hx_status hxi_segments_take(const hxi_neighborhood *n, int exchange, const hxi_known_segments *known,
                            hxi_segments *found)
{
    const hx_exchange *e = &n->spec->exchange[exchange];
    hx_status status = HX_OK;
    for (int i = 0; i < known->count && status == HX_OK; ++i) {
        const hxi_segment *k = &known->segment[i];
        const bool kept = known->renumber && !has_moved(n, known, &k->link);
        const int to = kept ? -1 : find_again(n, known, k->to, k->link.tile, k->link.block);
        const int from = kept ? -1 : find_again(n, known, k->from, k->link.source_tile, k->link.source_block);
        hxi_segment *s = to >= 0 || from >= 0 ? hxi_segments_add(found) : NULL;
        if (s) {
            *s = *k;
            forget_plan(e, s);
            s->transport = 0;
            s->alone = s->kept = false;
            s->to = to;
            s->from = from;
            s->link.peer = to >= 0 ? hxi_layout_owner(n->layout, k->link.source_tile, k->link.source_block)
                                   : hxi_layout_owner(n->layout, k->link.tile, k->link.block);
            set_kind(s, HX_RETURNS(e->operation));
        }
        status = (to >= 0 || from >= 0) && !s ? HX_ERR_MEMORY : HX_OK;
    }
    return status;
}

void hxi_segments_settle(hxi_segments *found, int first)
{
    hxi_segments rest = {found->segment + first, found->count - first, 0};
    hxi_segments_sort(&rest);
    int kept = 0;
    for (int i = 0; i < rest.count; ++i) {
        if (kept == 0 || hxi_segments_compare(&rest.segment[kept - 1], &rest.segment[i]) != 0) {
            rest.segment[kept++] = rest.segment[i];
        }
    }
    found->count = first + kept;
}

/* ---- lists of points ----------------------------------------------------------------------------------- */

/*
 * One field of what this rank shares with another one, or itself: in a box of as many points as the list has,
 * in its order.  The end that a peer fills is that peer's block.
 */
static hx_status add_listed(collector *c, const hxi_partner_list *partner, int item, bool fills, bool feeds)
{
    hxi_segment *s = hxi_segments_add(c->found);
    if (!s) {
        return HX_ERR_MEMORY;
    }
    const hx_exchange *exchange = &c->spec->exchange[c->exchange];
    const hx_field *field = &c->spec->field[exchange->field[item].field];
    const bool returns = HX_RETURNS(exchange->operation);
    s->kind = fills && feeds ? HX_WITHIN : fills == returns ? HX_SENT : HX_RECEIVED;
    s->item = item;
    s->to = fills ? 0 : -1;
    s->from = feeds ? 0 : -1;
    s->to_runs = fills ? &partner->received : NULL;
    s->from_runs = feeds ? &partner->sent : NULL;
    s->link = (hx_link){
        .exchange = c->exchange,
        .field = exchange->field[item].field,
        .incoming = s->kind != HX_SENT,
        .peer = partner->peer,
        .block = fills ? c->rank : partner->peer,
        .source_block = feeds ? c->rank : partner->peer,
        .source_field = exchange->field[item].field,
        .sign = 1,
        .components = components_of(field),
    };
    size_t points = 1;
    for (int a = 0; a < HX_MAX_AXES; ++a) {
        const int extra = c->spec->positions[field->positions].extra[a];
        const int listed = fills ? partner->received.points : partner->sent.points;
        s->link.hi[a] = a == 0 ? listed : c->mine->block[0].cells[a] + extra;
        s->link.axis[a] = a;
        s->link.turn[a] = 1;
        points *= (size_t)s->link.hi[a];
    }
    s->bytes = points * bytes_of_point(c->spec, s);
    return HX_OK;
}

static hx_status collect_listed(collector *c, const hxi_partner_list *partner)
{
    const bool within = partner->peer == c->rank;
    const int fields = c->spec->exchange[c->exchange].fields;
    hx_status status = HX_OK;
    for (int i = 0; i < fields && status == HX_OK; ++i) {
        if (partner->received.points > 0) {
            status = add_listed(c, partner, i, true, within);
        }
        if (partner->sent.points > 0 && !within && status == HX_OK) {
            status = add_listed(c, partner, i, false, true);
        }
    }
    return status;
}

static hx_status find_listed(collector *c)
{
    hx_status status = HX_OK;
    for (int p = 0; p < c->layout->lists->partners && status == HX_OK; ++p) {
        status = collect_listed(c, &c->layout->lists->partner[p]);
    }
    return status;
}

/* ---- all of an exchange -------------------------------------------------------------------------------- */

hx_status hxi_segments_find(const hxi_neighborhood *n, int exchange, hxi_segments *found)
{
    if (!n->spec->list) {
        return hxi_segments_find_along(n, exchange, NULL, 0, found);
    }
    *found = (hxi_segments){0};
    collector c = {n->spec, exchange, n->layout, n->mine, n->rank, NULL, 0, n->filter, found, {0}};
    const hx_status status = find_listed(&c);
    if (status == HX_OK) {
        hxi_segments_sort(found);
    }
    return status;
}

void hxi_segments_free(hxi_segments *segments)
{
    hxi_memory_free(segments->segment);
    *segments = (hxi_segments){0};
}

/*
 * Bytes behind a multiple of the alignment at which a segment begins.  On devices those of its first row in
 * the array that gets it, mostly also in the one that it comes from: so both ends of long rows can be moved
 * by 16 bytes at once.
 */
static size_t phase_of(const hx_spec *spec, const hxi_segment *s)
{
    const hx_field *field = &spec->field[s->link.field];
    if (!field->on_device) {
        return 0;
    }
    const int fastest = field->order[0];
    const size_t point = (size_t)(field->halo_lo[fastest] + s->link.lo[fastest]);
    return point * (size_t)field->size % HX_SEGMENT_ALIGNMENT;
}

size_t hxi_segments_place(const hx_spec *spec, hxi_segment *segment, int count)
{
    size_t end = 0;
    for (int i = 0; i < count; ++i) {
        const size_t alignment = HX_SEGMENT_ALIGNMENT;
        const size_t gap = (alignment + phase_of(spec, &segment[i]) - end % alignment) % alignment;
        segment[i].link.offset = end + gap;
        end = segment[i].link.offset + segment[i].bytes;
    }
    return end;
}

int hxi_segment_parts(const hx_spec *spec, const hxi_segment *segment)
{
    return spec->field[segment->link.field].components_after > 0 ? segment->link.components : 1;
}

size_t hxi_segment_part_bytes(const hx_spec *spec, const hxi_segment *segment)
{
    return segment->bytes / (size_t)hxi_segment_parts(spec, segment);
}

size_t hxi_segment_part_offset(const hx_spec *spec, const hxi_segment *segment, int part)
{
    return segment->link.offset + (size_t)part * hxi_segment_part_bytes(spec, segment);
}

int hxi_segment_component(const hx_spec *spec, const hxi_segment *segment, int part)
{
    const bool apart = spec->field[segment->link.field].components_after > 0;
    return apart && segment->picks ? segment->picks->component[part] : part;
}

bool hxi_link_turns(const hx_link *link)
{
    bool turned = link->sign != 1;
    for (int a = 0; a < HX_MAX_AXES; ++a) {
        turned = turned || link->axis[a] != a || link->turn[a] != 1;
    }
    return turned;
}

uint64_t hxi_segments_hash(const hxi_segment *segment, int count)
{
    uint64_t hash = HX_HASH_SEED;
    for (int i = 0; i < count; ++i) {
        const hx_link *l = &segment[i].link;
        const int fields[] = {l->exchange,     l->field,        l->tile, l->block,      l->source_tile,
                              l->source_block, l->source_field, l->sign, l->components, l->phase};
        for (size_t k = 0; k < sizeof fields / sizeof fields[0]; ++k) {
            hash = hxi_hash(hash, fields[k]);
        }
        for (int a = 0; a < HX_MAX_AXES; ++a) {
            hash = hxi_hash(hash, l->lo[a]);
            hash = hxi_hash(hash, l->hi[a]);
            hash = hxi_hash(hash, l->source_first[a]);
            hash = hxi_hash(hash, l->axis[a] * 2 + (l->turn[a] > 0));
        }
        for (int p = 0; segment[i].picks && p < l->components; ++p) {
            hash = hxi_hash(hash, segment[i].picks->component[p]);
        }
        hash = hxi_hash(hash, (int64_t)l->offset);
    }
    return hash;
}
