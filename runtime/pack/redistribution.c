#include "pack/redistribution.h"

#include "base/memory.h"
#include "base/status.h"
#include "grid/overlap.h"

#include <string.h>

static const char purpose[] = "a redistribution";

typedef struct finder {
    const hxi_redistribution_task *task;
    hxi_redistribution *r;
    hxi_pieces pieces;
    int item;   /* of the fields that move: the one that is looked at */
    size_t fed; /* points of a block that have a source so far, or stay as only land has them */
} finder;

/* ---- which points come from where ---------------------------------------------------------------------- */

/* Where a piece goes: a block of the target, and its first cell. */
typedef struct destination {
    int tile;
    int block;
    int mine; /* its number among mine, -1: another rank's */
    const int *first;
} destination;

static size_t bytes_of_point(const hx_field *field)
{
    return (size_t)field->size * (field->place > 0 ? (size_t)field->components : 1);
}

/* At a fold a component of a vector may come from another one. */
hx_status hxi_redistribution_refuse_source(const hx_spec *spec, int field, int source)
{
    const hx_field *f = &spec->field[field];
    return hxi_fail(HX_ERR_ARGUMENT,
                    "%s:%d: some points of field %s come from field %s, where the grid is folded; move both, "
                    "or none of them.",
                    spec->file, f->line, f->name, spec->field[source].name);
}

/* Of this piece the points that lie in `to`, which is counted in the tile. */
static hx_status add_segment(finder *f, const destination *d, const hxi_piece *piece, const hxi_box *to)
{
    const hxi_redistribution_task *w = f->task;
    const int from = hxi_blocks_find(w->from.mine, piece->source_tile, piece->source_block);
    const int owner = hxi_redistribution_owner(&w->from, piece->source_tile, piece->source_block);
    if (f->r->slot_of[piece->source_field] < 0) {
        return hxi_redistribution_refuse_source(w->spec, w->field[f->item], piece->source_field);
    }
    hxi_segment *s = owner < 0 ? NULL : hxi_segments_add(&f->r->segments);
    if (!s) {
        return owner < 0 ? HX_OK : HX_ERR_MEMORY;
    }
    const hx_field *field = &w->spec->field[w->field[f->item]];
    s->kind = d->mine >= 0 && from >= 0 ? HX_WITHIN : from >= 0 ? HX_SENT : HX_RECEIVED;
    s->item = f->item;
    s->to = d->mine;
    s->from = from < 0 ? -1 : w->to.mine->blocks + from;
    s->link = (hx_link){
        .field = w->field[f->item],
        .incoming = s->kind != HX_SENT,
        .peer = s->kind == HX_SENT ? hxi_redistribution_owner(&w->to, d->tile, d->block) : owner,
        .tile = d->tile,
        .block = d->block,
        .source_tile = piece->source_tile,
        .source_block = piece->source_block,
        .source_field = piece->source_field,
        .sign = piece->sign,
        .components = field->components > 0 ? field->components : 1,
    };
    for (int a = 0; a < HX_MAX_AXES; ++a) {
        const int axis = piece->axis[a];
        s->link.lo[a] = to->lo[a] - d->first[a];
        s->link.hi[a] = to->hi[a] - d->first[a];
        s->link.axis[a] = axis;
        s->link.turn[a] = piece->turn[a];
        s->link.source_first[a] =
            piece->source_first[a] + piece->turn[a] * (to->lo[axis] - piece->to.lo[axis]);
    }
    s->bytes = hxi_box_volume(to) * bytes_of_point(field);
    return HX_OK;
}

/*
 * What blocks of the source feed at the same place of the same tile; all of them, or the one of this number.
 * Both ends cut just these points, so that both find the same pieces.
 */
enum { ALL_BLOCKS = -1 };
static hx_status add_kept(finder *f, const destination *d, const hxi_box *points, int block)
{
    const hxi_redistribution_task *w = f->task;
    if (hxi_box_empty(points)) {
        return HX_OK;
    }
    hx_status status = hxi_cut_owned(w->spec, w->from.layout, d->tile, w->field[f->item], points, &f->pieces);
    for (int i = 0; i < f->pieces.count && status == HX_OK; ++i) {
        const hxi_piece *piece = &f->pieces.piece[i];
        const bool other = block != ALL_BLOCKS && piece->source_block != block;
        status = piece->crossed || other ? HX_OK : add_segment(f, d, piece, &piece->to);
        f->fed += piece->crossed ? 0 : hxi_box_volume(&piece->to);
    }
    f->fed += f->pieces.left;
    return status;
}

/* The points of a rewrite, as far as the tile has them. */
static hxi_box rewritten(const finder *f, const hx_rewrite *rewrite)
{
    const hxi_redistribution_task *w = f->task;
    const int *cells = w->from.layout->tile[rewrite->link.tile].cells;
    const hxi_box box = hxi_box_of_rewrite(rewrite, w->spec->axes, cells);
    hxi_box all = {{0}, {0}};
    hxi_cut_points(w->spec, w->field[f->item], cells, all.hi);
    return hxi_box_intersect(&box, &all);
}

/* At a fold: those points of a block of mine that come from others of the grid. */
static hx_status receive_rewritten(finder *f, const destination *d, const hxi_box *held)
{
    const hxi_redistribution_task *w = f->task;
    const int field = w->field[f->item];
    const hx_positions *positions = &w->spec->positions[w->spec->field[field].positions];
    hx_status status = HX_OK;
    for (int k = 0; k < positions->rewrites && status == HX_OK; ++k) {
        const hxi_box all = rewritten(f, &positions->rewrite[k]);
        const hxi_box points = hxi_box_intersect(&all, held);
        if (positions->rewrite[k].link.tile != d->tile || hxi_box_empty(&points)) {
            continue;
        }
        status = hxi_cut_owned(w->spec, w->from.layout, d->tile, field, &points, &f->pieces);
        for (int i = 0; i < f->pieces.count && status == HX_OK; ++i) {
            const hxi_piece *piece = &f->pieces.piece[i];
            status = piece->crossed ? add_segment(f, d, piece, &piece->to) : HX_OK;
            f->fed += piece->crossed ? hxi_box_volume(&piece->to) : 0;
        }
    }
    return status;
}

/* Each point of a block of mine has one source, or stays as it is: only blocks without an owner have it. */
static hx_status check_fed(const finder *f, const destination *d, const hxi_box *held)
{
    if (f->fed == hxi_box_volume(held)) {
        return HX_OK;
    }
    const hx_field *field = &f->task->spec->field[f->task->field[f->item]];
    return hxi_fail(
        HX_ERR_INTERNAL,
        "%s:%d: of field %s of block %d of tile %d a redistribution would feed %zu points of %zu.",
        f->task->spec->file, field->line, field->name, d->block, d->tile, f->fed, hxi_box_volume(held));
}

/* All that comes into a block of mine. */
static hx_status find_received(finder *f, int number)
{
    const hxi_redistribution_task *w = f->task;
    const hxi_block *block = &w->to.mine->block[number];
    const int field = w->field[f->item];
    int index[HX_MAX_AXES];
    hxi_layout_index(w->to.layout, block->tile, block->number, index);
    const hxi_box held = hxi_overlap_held(w->spec, w->to.layout, block->tile, field, index);
    const destination d = {block->tile, block->number, number, held.lo};
    hxi_parts parts = hxi_overlap_parts(w->spec, w->from.layout, block->tile, field, &held);
    hx_status status = HX_OK;
    f->fed = 0;
    do {
        const hxi_box feeding = hxi_overlap_feeding(w->spec, w->from.layout, block->tile, field, parts.index);
        const hxi_box points = hxi_box_intersect(&feeding, &held);
        status = add_kept(f, &d, &points, ALL_BLOCKS);
    } while (status == HX_OK && hxi_overlap_next(&parts));
    status = status == HX_OK ? receive_rewritten(f, &d, &held) : status;
    return status == HX_OK ? check_fed(f, &d, &held) : status;
}

/* Does a block of the target belong to another rank, and to which place of the tile? */
static bool is_sent(const finder *f, int tile, const int index[], destination *d, hxi_box *held)
{
    const hxi_redistribution_task *w = f->task;
    *held = hxi_overlap_held(w->spec, w->to.layout, tile, w->field[f->item], index);
    *d = (destination){tile, hxi_layout_block(w->to.layout, tile, index), -1, held->lo};
    const int owner = hxi_redistribution_owner(&w->to, tile, d->block);
    return owner >= 0 && owner != w->rank;
}

/*
 * What a block of mine feeds at the same place of the same tile, of the points that another layout gets from the
 * block at `index`: the same one, or one without an owner that shares faces with it.
 */
static hx_status send_kept(finder *f, const hxi_block *block, const int index[])
{
    const hxi_redistribution_task *w = f->task;
    const int field = w->field[f->item];
    int own[HX_MAX_AXES];
    hxi_layout_index(w->from.layout, block->tile, block->number, own);
    const hxi_box feeding = hxi_overlap_feeding(w->spec, w->from.layout, block->tile, field, index);
    const hxi_box has = hxi_overlap_held(w->spec, w->from.layout, block->tile, field, own);
    const hxi_box both = hxi_box_intersect(&feeding, &has);
    hxi_parts parts = hxi_overlap_parts(w->spec, w->to.layout, block->tile, field, &both);
    hx_status status = HX_OK;
    do {
        destination d;
        hxi_box held;
        if (is_sent(f, block->tile, parts.index, &d, &held)) {
            const hxi_box points = hxi_box_intersect(&feeding, &held);
            status = add_kept(f, &d, &points, block->number);
        }
    } while (status == HX_OK && hxi_overlap_next(&parts));
    return status;
}

static hx_status find_sent(finder *f, int number)
{
    const hxi_redistribution_task *w = f->task;
    const hxi_block *block = &w->from.mine->block[number];
    int index[HX_MAX_AXES];
    int above[HX_MAX_AXES];
    hxi_layout_index(w->from.layout, block->tile, block->number, index);
    const hxi_overlap_place at = {w->spec, w->from.layout, block->tile, w->field[f->item], index};
    hx_status status = send_kept(f, block, index);
    for (unsigned axes = 1; axes < 1U << HX_MAX_AXES && status == HX_OK && w->from.layout->land > 0; ++axes) {
        if (hxi_overlap_land_above(&at, axes, above)) {
            status = send_kept(f, block, above);
        }
    }
    return status;
}

/* Of a piece of rewritten points that a block of mine feeds: what goes to blocks of other ranks. */
static hx_status send_piece(finder *f, int tile, const hxi_piece *piece)
{
    const hxi_redistribution_task *w = f->task;
    hxi_parts parts = hxi_overlap_parts(w->spec, w->to.layout, tile, w->field[f->item], &piece->to);
    hx_status status = HX_OK;
    do {
        destination d;
        hxi_box held;
        if (is_sent(f, tile, parts.index, &d, &held)) {
            const hxi_box to = hxi_box_intersect(&held, &piece->to);
            status = hxi_box_empty(&to) ? HX_OK : add_segment(f, &d, piece, &to);
        }
    } while (status == HX_OK && hxi_overlap_next(&parts));
    return status;
}

/* At a fold: what blocks of mine feed of the points that are rewritten.  These are a row of the grid at most. */
static hx_status find_rewritten(finder *f)
{
    const hxi_redistribution_task *w = f->task;
    const int field = w->field[f->item];
    const hx_positions *positions = &w->spec->positions[w->spec->field[field].positions];
    hx_status status = HX_OK;
    for (int k = 0; k < positions->rewrites && status == HX_OK; ++k) {
        const int tile = positions->rewrite[k].link.tile;
        const hxi_box all = rewritten(f, &positions->rewrite[k]);
        status = hxi_cut_owned(w->spec, w->from.layout, tile, field, &all, &f->pieces);
        for (int i = 0; i < f->pieces.count && status == HX_OK; ++i) {
            const hxi_piece *piece = &f->pieces.piece[i];
            if (piece->crossed &&
                hxi_blocks_find(w->from.mine, piece->source_tile, piece->source_block) >= 0) {
                status = send_piece(f, tile, piece);
            }
        }
    }
    return status;
}

/* ---- the same of lists ---------------------------------------------------------------------------------- */

/* Of what this rank shares with another one, or itself: what comes, or what goes. */
static hx_status add_listed(finder *f, const hxi_partner_list *partner, bool fills)
{
    const hxi_redistribution_task *w = f->task;
    const hx_field *field = &w->spec->field[w->field[f->item]];
    const bool within = partner->peer == w->rank;
    const hx_runs *runs = fills ? &partner->received : &partner->sent;
    hxi_segment *s = runs->points > 0 ? hxi_segments_add(&f->r->segments) : NULL;
    if (!s) {
        return runs->points > 0 ? HX_ERR_MEMORY : HX_OK;
    }
    s->kind = within ? HX_WITHIN : fills ? HX_RECEIVED : HX_SENT;
    s->item = f->item;
    s->to = fills ? 0 : -1;
    s->from = !fills || within ? w->to.mine->blocks : -1;
    s->to_runs = fills ? &partner->received : NULL;
    s->from_runs = !fills || within ? &partner->sent : NULL;
    s->link = (hx_link){
        .field = w->field[f->item],
        .incoming = s->kind != HX_SENT,
        .peer = partner->peer,
        .block = fills ? w->rank : partner->peer,
        .source_block = fills ? partner->peer : w->rank,
        .source_field = w->field[f->item],
        .sign = 1,
        .components = field->components > 0 ? field->components : 1,
    };
    int points[HX_MAX_AXES];
    hxi_cut_points(w->spec, w->field[f->item], w->to.mine->block[0].cells, points);
    points[0] = runs->points;
    s->bytes = bytes_of_point(field);
    for (int a = 0; a < HX_MAX_AXES; ++a) {
        s->link.hi[a] = points[a];
        s->link.axis[a] = a;
        s->link.turn[a] = 1;
        s->bytes *= (size_t)points[a];
    }
    return HX_OK;
}

static hx_status find_listed(finder *f)
{
    const hxi_redistribution_task *w = f->task;
    hx_status status = HX_OK;
    for (int i = 0; i < w->lists->partners && status == HX_OK; ++i) {
        const hxi_partner_list *partner = &w->lists->partner[i];
        status = add_listed(f, partner, true);
        if (status == HX_OK && partner->peer != w->rank) {
            status = add_listed(f, partner, false);
        }
    }
    return status;
}

static hx_status find_segments(finder *f)
{
    const hxi_redistribution_task *w = f->task;
    hx_status status = HX_OK;
    for (f->item = 0; w->lists && f->item < w->fields && status == HX_OK; ++f->item) {
        status = find_listed(f);
    }
    for (f->item = 0; !w->lists && f->item < w->fields && status == HX_OK; ++f->item) {
        for (int b = 0; b < w->to.mine->blocks && status == HX_OK; ++b) {
            status = find_received(f, b);
        }
        for (int b = 0; b < w->from.mine->blocks && status == HX_OK; ++b) {
            status = find_sent(f, b);
        }
        status = status == HX_OK ? find_rewritten(f) : status;
    }
    hxi_memory_free(f->pieces.piece);
    hxi_segments_sort(&f->r->segments);
    return status;
}

/* ---- messages ------------------------------------------------------------------------------------------ */

static bool begins_message(const hxi_segment *s, int number)
{
    return number == 0 || s->kind != s[-1].kind || s->link.peer != s[-1].link.peer;
}

static int count_messages(const hxi_segments *segments, hxi_segment_kind kind)
{
    int count = 0;
    for (int i = 0; i < segments->count; ++i) {
        count += segments->segment[i].kind == kind && begins_message(&segments->segment[i], i);
    }
    return count;
}

/* Segments that follow each other, up to the next message. */
static void group(const hx_spec *spec, hxi_redistribution *r, hxi_segment_kind kind,
                  hxi_redistribution_message *message)
{
    hxi_segments *all = &r->segments;
    int number = -1;
    for (int i = 0; i < all->count; ++i) {
        hxi_segment *s = &all->segment[i];
        if (s->kind != kind) {
            continue;
        }
        if (begins_message(s, i)) {
            int end = i + 1;
            while (end < all->count && !begins_message(&all->segment[end], end)) {
                ++end;
            }
            const size_t bytes = hxi_segments_place(spec, s, end - i);
            message[++number] = (hxi_redistribution_message){
                .peer = s->link.peer, .bytes = bytes, .hash = hxi_segments_hash(s, end - i)};
        }
        r->message_of[i] = number;
    }
}

static hx_status make_messages(const hx_spec *spec, hxi_redistribution *r)
{
    r->sends = count_messages(&r->segments, HX_SENT);
    r->receives = count_messages(&r->segments, HX_RECEIVED);
    r->send = hxi_memory_get((size_t)r->sends, sizeof *r->send, purpose);
    r->receive = hxi_memory_get((size_t)r->receives, sizeof *r->receive, purpose);
    r->message_of = hxi_memory_get((size_t)r->segments.count, sizeof *r->message_of, purpose);
    if (!r->send || !r->receive || !r->message_of) {
        return HX_ERR_MEMORY;
    }
    group(spec, r, HX_SENT, r->send);
    group(spec, r, HX_RECEIVED, r->receive);
    return HX_OK;
}

/* ---- operations ---------------------------------------------------------------------------------------- */

/* Those of an exchange that copies the points of a list; NULL: there is none. */
static const hx_kernels *listed_kernels(const hx_spec *spec, int field)
{
    const hx_kernels *found = NULL;
    for (int e = 0; e < spec->exchanges && !found; ++e) {
        const hx_exchange *exchange = &spec->exchange[e];
        for (int i = 0; i < exchange->fields && exchange->operation == HX_COPY && !found; ++i) {
            const hx_kernels *kernels = exchange->field[i].field == field ? exchange->field[i].kernels : NULL;
            found = kernels && kernels->exact ? kernels->exact : kernels;
        }
    }
    return found;
}

/* An exchange of the fields that move, with the kernels that move any box of them. */
static hx_status make_exchange(const hxi_redistribution_task *w, hxi_redistribution *r)
{
    r->item = hxi_memory_get((size_t)w->fields, sizeof *r->item, purpose);
    r->slot_of = hxi_memory_get((size_t)w->spec->fields, sizeof *r->slot_of, purpose);
    if (!r->item || !r->slot_of) {
        return HX_ERR_MEMORY;
    }
    for (int i = 0; i < w->spec->fields; ++i) {
        r->slot_of[i] = -1;
    }
    for (int i = 0; i < w->fields; ++i) {
        const hx_kernels *kernels =
            w->lists ? listed_kernels(w->spec, w->field[i]) : w->spec->any[w->field[i]];
        const hx_field *field = &w->spec->field[w->field[i]];
        if (!kernels) {
            return hxi_fail(
                HX_ERR_ARGUMENT,
                "%s:%d: field %s is in no exchange that copies its points, so there is no code that moves "
                "them; give null pointers for it, or add such an exchange to the spec.",
                w->spec->file, field->line, field->name);
        }
        r->item[i] = (hx_exchange_field){.field = w->field[i], .kernels = kernels};
        r->slot_of[w->field[i]] = i;
    }
    r->exchange =
        (hx_exchange){.name = "redistribute", .field = r->item, .fields = w->fields, .operation = HX_COPY};
    return HX_OK;
}

/* Both lists in one, which has what they point to. */
static hx_status join_blocks(const hxi_redistribution_task *w, hxi_redistribution *r)
{
    const size_t to = (size_t)w->to.mine->blocks;
    const size_t from = (size_t)w->from.mine->blocks;
    r->blocks.block = hxi_memory_get(to + from, sizeof *r->blocks.block, purpose);
    if (!r->blocks.block) {
        return HX_ERR_MEMORY;
    }
    if (to > 0) {
        memcpy(r->blocks.block, w->to.mine->block, to * sizeof *r->blocks.block);
    }
    if (from > 0) {
        memcpy(r->blocks.block + to, w->from.mine->block, from * sizeof *r->blocks.block);
    }
    r->blocks.blocks = (int)(to + from);
    return HX_OK;
}

static void note_op(hxi_redistribution_message *message, int op)
{
    message->op = message->ops++ == 0 ? op : message->op;
}

static hx_status make_ops(const hxi_redistribution_task *w, hxi_redistribution *r)
{
    const hxi_work work = {.spec = w->spec,
                           .exchange = &r->exchange,
                           .mine = &r->blocks,
                           .segments = &r->segments,
                           .slot_of = r->slot_of,
                           .fields = w->fields,
                           .message_of = r->message_of,
                           .scope = HX_PHASE,
                           .any_strides = w->selected != NULL};
    const hx_status status = hxi_ops_make(&work, &r->ops);
    for (int i = 0; i < r->ops.packs && status == HX_OK; ++i) {
        note_op(&r->send[r->ops.pack[i].message[0]], i);
    }
    for (int i = 0; i < r->ops.unpacks && status == HX_OK; ++i) {
        note_op(&r->receive[r->ops.unpack[i].message[0]], i);
    }
    return status;
}

hx_status hxi_redistribution_make(const hxi_redistribution_task *task, hxi_redistribution *made)
{
    *made = (hxi_redistribution){0};
    finder f = {.task = task, .r = made};
    hx_status status = make_exchange(task, made);
    if (status == HX_OK && task->selected) {
        status = hxi_selections_find(task, made);
    } else if (status == HX_OK) {
        status = join_blocks(task, made);
        status = status == HX_OK ? find_segments(&f) : status;
    }
    status = status == HX_OK ? make_messages(task->spec, made) : status;
    return status == HX_OK ? make_ops(task, made) : status;
}

void hxi_redistribution_free(hxi_redistribution *r)
{
    hxi_memory_free(r->item);
    hxi_memory_free(r->slot_of);
    hxi_blocks_free(&r->blocks);
    hxi_memory_free(r->view);
    hxi_segments_free(&r->segments);
    hxi_memory_free(r->message_of);
    hxi_memory_free(r->send);
    hxi_memory_free(r->receive);
    hxi_ops_free(&r->ops);
    *r = (hxi_redistribution){0};
}
