#include "explain/messages.h"

#include "explain/configuration.h"
#include "explain/kernels.h"
#include "explain/write.h"

#include "base/memory.h"
#include "base/status.h"
#include "pack/ops.h"

#include <stdlib.h>

/* What is known of all phases. */
enum { KERNELS = 32 };
typedef struct summary {
    lua_Integer runs, bytes, shortest, longest;
    struct {
        hxi_segment_kind kind;
        const char *name;
        lua_Integer links, bytes;
    } kernel[KERNELS];
    int kernels;
} summary;

/* Of links; near: of each run the bytes that lie in a line of memory, 64 at most. */
typedef struct sums {
    lua_Integer links, bytes, runs, near;
} sums;

/* One phase of an exchange on one rank. */
typedef struct phase {
    const question *q;
    int number;
    const surroundings *around;
    hxi_segments segments;
    int within;    /* of the segments, those within the rank */
    sums left_out; /* of those within the rank that are no segments here: a rank may have a million */
    summary *all;
    int *message_of;     /* number of each segment's message, by kind; as in exchange/phase.c */
    const char **kernel; /* by segment; NULL: none is known */
} phase;

static const char *const kinds[] = {[HX_SENT] = "sent", [HX_RECEIVED] = "received", [HX_WITHIN] = "within"};

/* ---- kernels ------------------------------------------------------------------------------------------ */

/* The segment of a kind in whose part of a message an operation begins. */
static int segment_at(const phase *p, hxi_segment_kind kind, int message, size_t offset)
{
    for (int i = 0; i < p->segments.count; ++i) {
        const hxi_segment *s = &p->segments.segment[i];
        if (s->kind == kind && p->message_of[i] == message && offset >= s->link.offset &&
            offset < s->link.offset + s->bytes) {
            return i;
        }
    }
    return -1;
}

static void note(const phase *p, int segment, const char *kernel)
{
    if (segment >= 0) {
        p->kernel[segment] = kernel;
    }
}

static void note_messages(const phase *p, hxi_segment_kind kind, hxi_op_kind op, const int message[],
                          const size_t offset[], const char *kernel)
{
    for (int side = 0; side < (op == HX_OP_PAIR ? 2 : 1); ++side) {
        note(p, segment_at(p, kind, message[side], offset[side]), kernel);
    }
}

static const char *name_of(hxi_op_kind kind, bool deep)
{
    switch (kind) {
    case HX_OP_PAIR:
        return "pair";
    case HX_OP_TURNED:
        return "turned";
    case HX_OP_PICKED:
        return "picked";
    case HX_OP_LISTED:
        return "listed";
    default:
        return deep ? "strip" : "general";
    }
}

static void note_packs(const phase *p, const hxi_ops *ops)
{
    for (int i = 0; i < ops->packs; ++i) {
        const hxi_pack_op *op = &ops->pack[i];
        const bool deep = op->kind == HX_OP_PLAIN && kernels_have_depth_pack(op->run.plain);
        note_messages(p, HX_SENT, op->kind, op->message, op->offset, name_of(op->kind, deep));
    }
}

static void note_unpacks(const phase *p, const hxi_ops *ops)
{
    for (int i = 0; i < ops->unpacks; ++i) {
        const hxi_unpack_op *op = &ops->unpack[i];
        const bool deep = op->kind == HX_OP_PLAIN && kernels_have_depth_unpack(op->run.plain);
        note_messages(p, HX_RECEIVED, op->kind, op->message, op->offset, name_of(op->kind, deep));
    }
}

/* Of copies an operation knows the array and where in it they begin. */
static void note_copy(const phase *p, const hxi_work *work, const hxi_copy_op *op, const hx_region *to,
                      const char *kernel)
{
    for (int i = 0; i < p->segments.count; ++i) {
        const hxi_segment *s = &p->segments.segment[i];
        if (s->kind == HX_WITHIN && !p->kernel[i] && hxi_work_end_slot(work, s, HX_TO) == op->to_slot &&
            hxi_work_end(work, s, HX_TO, 0).at == to->at) {
            note(p, i, kernel);
            return;
        }
    }
}

static void note_copies(const phase *p, const hxi_work *work, const hxi_ops *ops)
{
    for (int i = 0; i < p->segments.count; ++i) {
        note(p, ops->sweeps.swept[i] ? i : -1, "sweep");
    }
    for (int i = 0; i < ops->copies; ++i) {
        const hxi_copy_op *op = &ops->copy[i];
        const bool deep = op->kind == HX_OP_PLAIN && kernels_have_depth_copy(op->run.plain);
        for (int side = 0; side < (op->kind == HX_OP_PAIR ? 2 : 1); ++side) {
            note_copy(p, work, op, &op->to[side], name_of(op->kind, deep));
        }
    }
}

/* Those of the host: what lies on a device has its own. */
static hx_status choose_kernels(const phase *p, const int *slot_of)
{
    const hx_exchange *exchange = &p->q->c->spec->exchange[p->q->exchange];
    for (int i = 0; i < exchange->fields; ++i) {
        if (!exchange->field[i].kernels) {
            return HX_OK;
        }
    }
    const hxi_work work = {.spec = p->q->c->spec,
                           .exchange = exchange,
                           .mine = &p->around->mine,
                           .segments = &p->segments,
                           .slot_of = slot_of,
                           .fields = exchange->fields,
                           .message_of = p->message_of};
    hxi_ops ops;
    const hx_status status = hxi_ops_make(&work, &ops);
    if (status == HX_OK) {
        note_packs(p, &ops);
        note_unpacks(p, &ops);
        note_copies(p, &work, &ops);
    }
    hxi_ops_free(&ops);
    return status;
}

/* ---- messages ----------------------------------------------------------------------------------------- */

/* One behind the last segment of the message that begins with this one; segments are sorted by kind and peer. */
static int end_of_message(const phase *p, int first)
{
    const hxi_segment *s = p->segments.segment;
    int end = first;
    while (end < p->segments.count && s[end].kind == s[first].kind &&
           s[end].link.peer == s[first].link.peer) {
        ++end;
    }
    return end;
}

/* Numbers the messages, and sets the offsets of their segments. */
static void place_messages(const phase *p)
{
    int number = 0;
    for (int i = 0, end = 0; i < p->segments.count; i = end) {
        hxi_segment *first = &p->segments.segment[i];
        number = i > 0 && first->kind == first[-1].kind ? number + 1 : 0;
        end = end_of_message(p, i);
        for (int k = i; k < end; ++k) {
            p->message_of[k] = number;
        }
        if (first->kind != HX_WITHIN) {
            hxi_segments_place(p->q->c->spec, first, end - i);
        }
    }
}

static int compare_strides(const void *left, const void *right)
{
    const ptrdiff_t *a = left;
    const ptrdiff_t *b = right;
    return (a[0] > b[0]) - (a[0] < b[0]);
}

/* Of the components of a point that travel: stretches that lie side by side. */
static lua_Integer runs_of_point(const hxi_segment *s)
{
    lua_Integer runs = 1;
    for (int c = 1; s->picks && c < s->picks->count; ++c) {
        runs += s->picks->component[c] != s->picks->component[c - 1] + 1;
    }
    return runs;
}

/* Stretches of memory that a segment touches at one end. */
static lua_Integer runs_of(const phase *p, const hxi_segment *s, hxi_end end)
{
    const hxi_work work = {.spec = p->q->c->spec, .mine = &p->around->mine};
    const hx_region region = hxi_work_end(&work, s, end, 0);
    const hx_field *field = &work.spec->field[s->link.field];
    ptrdiff_t axis[HX_MAX_AXES][2]; /* stride and points, from the fastest axis to the slowest */
    lua_Integer runs = field->components_after > 0 ? s->link.components : 1;
    for (int a = 0; a < work.spec->axes; ++a) {
        axis[a][0] = region.stride[a] < 0 ? -region.stride[a] : region.stride[a];
        axis[a][1] = region.n[a];
    }
    qsort(axis, (size_t)work.spec->axes, sizeof axis[0], compare_strides);
    const lua_Integer pieces = field->components_after > 0 ? 1 : runs_of_point(s);
    const bool whole = !s->picks || field->components_after > 0 || s->link.components == field->components;
    ptrdiff_t next = 1;
    for (int a = 0; a < work.spec->axes; ++a) {
        if (axis[a][1] > 1 && (axis[a][0] != next || !whole)) {
            runs *= axis[a][1];
            next = -1; /* nothing slower goes on where this ends */
        } else if (axis[a][1] > 1) {
            next *= axis[a][1];
        }
    }
    return runs * pieces;
}

/* The lengths of these stretches in bytes: of picked components, which differ, and of all others, which do not. */
static void lengths_of(const phase *p, const hxi_segment *s, lua_Integer runs, lua_Integer length[2])
{
    const hx_field *field = &p->q->c->spec->field[s->link.field];
    length[0] = length[1] = (lua_Integer)s->bytes / runs;
    if (!s->picks || field->components_after > 0 || s->link.components == field->components) {
        return;
    }
    const lua_Integer element = field->size / field->components;
    length[0] = length[1] = 0;
    for (int c = 0, end = 0; c < s->picks->count; c = end) {
        for (end = c + 1;
             end < s->picks->count && s->picks->component[end] == s->picks->component[end - 1] + 1;) {
            ++end;
        }
        const lua_Integer bytes = element * (end - c);
        length[0] = c == 0 || bytes < length[0] ? bytes : length[0];
        length[1] = bytes > length[1] ? bytes : length[1];
    }
}

/* At the end that is here; of two, where points are written. */
static lua_Integer runs_of_end(const phase *p, const hxi_segment *s)
{
    return runs_of(p, s, s->to >= 0 ? HX_TO : HX_FROM);
}

/* ---- sums --------------------------------------------------------------------------------------------- */

static void add_kernel(summary *all, const hxi_segment *s, const char *kernel)
{
    int k = 0;
    while (k < all->kernels && (all->kernel[k].kind != s->kind || all->kernel[k].name != kernel)) {
        ++k;
    }
    if (k < KERNELS) {
        all->kernels += k == all->kernels;
        all->kernel[k].kind = s->kind;
        all->kernel[k].name = kernel;
        all->kernel[k].links++;
        all->kernel[k].bytes += (lua_Integer)s->bytes;
    }
}

/* Returns its runs. */
static lua_Integer add_to_summary(const phase *p, const hxi_segment *s)
{
    summary *all = p->all;
    const lua_Integer runs = runs_of_end(p, s);
    lua_Integer length[2];
    lengths_of(p, s, runs, length);
    all->shortest = all->runs == 0 || length[0] < all->shortest ? length[0] : all->shortest;
    all->longest = length[1] > all->longest ? length[1] : all->longest;
    all->runs += runs;
    all->bytes += (lua_Integer)s->bytes;
    return runs;
}

static void add_to_sums(sums *all, const hxi_segment *s, lua_Integer runs)
{
    enum { LINE = 64 };
    const lua_Integer bytes = (lua_Integer)s->bytes;
    all->links++;
    all->bytes += bytes;
    all->runs += runs;
    all->near += bytes < LINE * runs ? bytes : LINE * runs;
}

/* A filter of segments: those within the rank for which nobody asks one by one are added up, and forgotten. */
static bool keeps(void *context, const hxi_segment *s)
{
    phase *p = context;
    if (s->kind != HX_WITHIN || p->within < MESSAGES_MOST_SERVED) {
        p->within += s->kind == HX_WITHIN;
        return true;
    }
    add_to_sums(&p->left_out, s, add_to_summary(p, s));
    return false;
}

/* ---- to Lua ------------------------------------------------------------------------------------------- */

static void push_link(lua_State *L, const phase *p, int number)
{
    const hxi_segment *s = &p->segments.segment[number];
    const hx_link *l = &s->link;
    const int axes = p->q->c->spec->axes;
    lua_createtable(L, 0, 22);
    write_string(L, "kind", kinds[s->kind]);
    write_int(L, "peer", l->peer);
    write_int(L, "field", l->field);
    write_int(L, "tile", l->tile);
    write_int(L, "block", l->block);
    write_int(L, "source_tile", l->source_tile);
    write_int(L, "source_block", l->source_block);
    write_int(L, "source_field", l->source_field);
    write_ints(L, "direction", axes, l->direction);
    write_ints(L, "lo", axes, l->lo);
    write_ints(L, "hi", axes, l->hi);
    write_ints(L, "source_first", axes, l->source_first);
    write_ints(L, "axis", axes, l->axis);
    write_ints(L, "turn", axes, l->turn);
    write_int(L, "sign", l->sign);
    write_int(L, "offset", (lua_Integer)l->offset);
    write_int(L, "components", l->components);
    write_int(L, "phase", p->number);
    write_int(L, "bytes", (lua_Integer)s->bytes);
    write_int(L, "runs", runs_of_end(p, s));
    if (p->kernel[number]) {
        write_string(L, "kernel", p->kernel[number]);
    }
}

/* Fills the list on top of the stack. */
static void push_links(lua_State *L, const phase *p)
{
    for (int i = 0; i < p->segments.count; ++i) {
        push_link(L, p, i);
        lua_rawseti(L, -2, (lua_Integer)lua_rawlen(L, -2) + 1);
    }
}

static void push_message(lua_State *L, const phase *p, const hxi_segment *first, int count)
{
    const hxi_segment *last = &first[count - 1];
    sums all = first->kind == HX_WITHIN ? p->left_out : (sums){0};
    for (int i = 0; i < count; ++i) {
        add_to_sums(&all, &first[i], runs_of_end(p, &first[i]));
    }
    lua_createtable(L, 0, 7);
    write_string(L, "kind", kinds[first->kind]);
    write_int(L, "peer", first->link.peer);
    write_int(L, "phase", p->number);
    write_int(L, "bytes",
              first->kind == HX_WITHIN ? all.bytes : (lua_Integer)(last->link.offset + last->bytes));
    write_int(L, "links", all.links);
    write_int(L, "runs", all.runs);
    write_int(L, "near", all.near);
}

/* Fills the list on top of the stack. */
static void push_messages(lua_State *L, const phase *p)
{
    for (int i = 0, end = 0; i < p->segments.count; i = end) {
        end = end_of_message(p, i);
        push_message(L, p, &p->segments.segment[i], end - i);
        lua_rawseti(L, -2, (lua_Integer)lua_rawlen(L, -2) + 1);
    }
}

static void write_summary(lua_State *L, const summary *all)
{
    static const char *const works[] = {[HX_SENT] = "pack", [HX_RECEIVED] = "unpack", [HX_WITHIN] = "copy"};
    lua_createtable(L, 0, 4);
    write_int(L, "count", all->runs);
    write_int(L, "bytes", all->bytes);
    write_int(L, "shortest", all->shortest);
    write_int(L, "longest", all->longest);
    lua_setfield(L, -2, "run");
    lua_createtable(L, all->kernels, 0);
    for (int k = 0; k < all->kernels; ++k) {
        lua_createtable(L, 0, 4);
        write_string(L, "work", works[all->kernel[k].kind]);
        write_string(L, "kernel", all->kernel[k].name);
        write_int(L, "links", all->kernel[k].links);
        write_int(L, "bytes", all->kernel[k].bytes);
        lua_rawseti(L, -2, k + 1);
    }
    lua_setfield(L, -2, "kernels");
}

static void push_schedule(lua_State *L, const hxi_schedule_choice *schedule)
{
    lua_pushboolean(L, schedule->by_dimension);
    lua_setfield(L, -2, "by_dimension");
    write_string(L, "why", schedule->why);
    write_int(L, "phases", schedule->phases);
    write_ints(L, "axes", schedule->by_dimension ? schedule->phases : 0, schedule->axis);
}

/* What is asked of a rank. */
typedef struct request {
    const question *q;
    int rank;
    bool with_links;
    const int *slot_of;
    summary all;
} request;

static hx_status find_phase(const request *r, phase *p)
{
    const hxi_segment_filter filter = {keeps, p};
    hx_status status =
        question_segments(r->q, p->around, p->number, r->with_links ? NULL : &filter, &p->segments);
    const size_t count = (size_t)p->segments.count;
    p->message_of = hxi_memory_get(count, sizeof *p->message_of, "messages");
    p->kernel = hxi_memory_get(count, sizeof *p->kernel, "messages");
    if (status == HX_OK && (!p->message_of || !p->kernel)) {
        status = HX_ERR_MEMORY;
    }
    if (status == HX_OK) {
        place_messages(p);
    }
    const bool few = count <= MESSAGES_MOST_SERVED && p->left_out.links == 0;
    return status == HX_OK && few ? choose_kernels(p, r->slot_of) : status;
}

/* On the stack: the list of messages, and on top that of links. */
static hx_status add_phase(lua_State *L, const request *r, phase *p)
{
    const hx_status status = find_phase(r, p);
    if (status == HX_OK) {
        lua_pushvalue(L, -2);
        push_messages(L, p);
        lua_pop(L, 1);
    }
    for (int i = 0; i < p->segments.count && status == HX_OK; ++i) {
        add_to_summary(p, &p->segments.segment[i]);
        if (p->kernel[i]) {
            add_kernel(p->all, &p->segments.segment[i], p->kernel[i]);
        }
    }
    if (status == HX_OK && r->with_links) {
        push_links(L, p);
    }
    hxi_memory_free(p->message_of);
    hxi_memory_free(p->kernel);
    hxi_segments_free(&p->segments);
    return status;
}

static hx_status add_phases(lua_State *L, request *r)
{
    surroundings around;
    hx_status status = surroundings_find(r->q->c, r->rank, true, &around);
    for (int p = 0; p < r->q->schedule.phases && status == HX_OK; ++p) {
        phase now = {.q = r->q, .number = p, .around = &around, .all = &r->all};
        status = add_phase(L, r, &now);
    }
    surroundings_free(&around);
    return status;
}

/* By field of the spec, its number in the exchange. */
static const int *slots_of(lua_State *L, const question *q)
{
    const hx_exchange *exchange = &q->c->spec->exchange[q->exchange];
    lua_newtable(L);
    const reader r = {L, lua_gettop(L)};
    int *slot_of = read_memory(&r, (size_t)q->c->spec->fields, sizeof *slot_of);
    for (int i = 0; i < exchange->fields; ++i) {
        slot_of[exchange->field[i].field] = i;
    }
    return slot_of;
}

int messages_push(lua_State *L)
{
    const question q = question_at(L, 2);
    request r = {.q = &q, .rank = (int)luaL_checkinteger(L, 5), .with_links = lua_toboolean(L, 6)};
    luaL_argcheck(L, r.rank >= 0 && r.rank < q.c->layout.ranks, 5, "no such rank");
    r.slot_of = slots_of(L, &q);
    lua_createtable(L, 0, 8);
    push_schedule(L, &q.schedule);
    lua_newtable(L);
    lua_newtable(L);
    if (add_phases(L, &r) != HX_OK) {
        return configuration_refuse(L);
    }
    lua_setfield(L, -3, "links");
    lua_setfield(L, -2, "messages");
    write_summary(L, &r.all);
    return 1;
}
