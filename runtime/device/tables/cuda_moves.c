/*
 * Segments, and what fills ghost points within an array, as moves of device kernels: rows of words, as wide
 * and as long as both ends allow.
 */
#include "device/tables/cuda_list.h"

#include "base/status.h"
#include "grid/shared_points.h"

/*
 * A row of more bytes is cut into chunks, one for each warp; in others threads take single words.  At least
 * 15; tests set less.
 */
#ifndef HX_CUDA_LONGEST_SHORT
#define HX_CUDA_LONGEST_SHORT 256
#endif

/* A box of points that goes from one place to another, in bytes; axes from the fastest in memory to the
 * slowest.
 */
typedef struct box {
    int field;     /* of the destination */
    int sign;      /* +1, or -1: values become their opposites */
    int64_t point; /* bytes that lie together */
    int64_t n[HX_CUDA_STEPS];
    int base[2]; /* from, to; likewise below */
    int64_t at[2];
    int64_t step[2][HX_CUDA_STEPS];
    bool message[2]; /* an end is in a message; else it is in an array */
    bool loose;      /* kinds for whole rows are of no use */
    /* Of numbers that travel shorter than they are; NULL: they are moved as they are.  Steps of a message, unlike places, are
       counted as if its numbers were as long as those of an array. */
    const hx_cuda_wired *wired;
} box;

/* Where a move is to begin, and of what kind it is. */
typedef struct choice {
    int kind;
    int bytes; /* of its words */
    int64_t words;
    int64_t across;     /* of tiles */
    int64_t items;      /* of a row */
    int64_t of_a_block; /* items that a block of threads takes */
} choice;

static const int64_t of_threads = (int64_t)HX_CUDA_THREADS * HX_CUDA_LOADS;

/* rows_of: rows of items along each axis but the first. */
static hx_status add_move(hxi_cuda_maker *m, const box *b, const int64_t rows_of[3], const choice *c)
{
    hx_cuda_rows rows;
    if (c->kind < 0) {
        return hxi_cuda_lacks(m, b->field);
    }
    if (!hxi_cuda_set_rows(rows_of, c->items, &rows)) {
        return hxi_cuda_refuse(m, b->field);
    }
    const int64_t items = (int64_t)rows.rows * c->items;
    hx_status status = HX_OK;
    int base[2] = {b->base[0], b->base[1]};
    hx_cuda_move *move =
        hxi_cuda_new_move(m, (uint64_t)((items + c->of_a_block - 1) / c->of_a_block), base, &status);
    if (!move) {
        return status;
    }
    move->kind = (uint16_t)c->kind;
    move->sign = (int16_t)b->sign;
    move->words = (uint32_t)c->words;
    move->across = (uint32_t)c->across;
    move->at = rows;
    move->from.at = b->at[0];
    move->to.at = b->at[1];
    const bool fits = c->words <= INT32_MAX && c->across <= INT32_MAX &&
                      hxi_cuda_set_steps(b->step[0], b->n, c->bytes, move->from.step) &&
                      hxi_cuda_set_steps(b->step[1], b->n, c->bytes, move->to.step);
    return fits ? HX_OK : hxi_cuda_refuse(m, b->field);
}

/* ---- whole rows ---------------------------------------------------------------------------------------- */

/* Are points of a row neighbors in memory, at both ends? */
static bool lies_together(const box *b)
{
    return b->n[0] == 1 || (b->step[0][0] == b->point && b->step[1][0] == b->point);
}

/* Makes a row of all that lies together: row is the bytes of one, and the first axis goes. */
static int64_t join_rows(box *b)
{
    int64_t row = b->point * b->n[0];
    b->n[0] = 1;
    while (b->n[1] == 1 || (b->step[0][1] == row && b->step[1][1] == row)) {
        row *= b->n[1];
        for (int i = 1; i + 1 < HX_CUDA_STEPS; ++i) {
            b->n[i] = b->n[i + 1];
            b->step[0][i] = b->step[0][i + 1];
            b->step[1][i] = b->step[1][i + 1];
        }
        b->n[HX_CUDA_STEPS - 1] = 1;
        if (b->n[1] == 1 && b->n[2] == 1 && b->n[3] == 1) {
            break;
        }
    }
    return row;
}

/* Do all rows begin at multiples of so many bytes, if their arrays do? */
static bool begins_at(const box *b, int bytes)
{
    bool at = b->at[0] % bytes == 0 && b->at[1] % bytes == 0;
    for (int i = 1; i < HX_CUDA_STEPS; ++i) {
        at = at && (b->n[i] == 1 || (b->step[0][i] % bytes == 0 && b->step[1][i] % bytes == 0));
    }
    return at;
}

/* A kernel for rows of just this length, with the widest words that fit. */
static bool find_short(const hxi_cuda_maker *m, const box *b, int64_t row, int word, choice *c)
{
    for (int bytes = m->aligned ? 16 : word; bytes >= word; bytes /= 2) {
        const int kind = row % bytes == 0 && begins_at(b, bytes)
                             ? hxi_cuda_kind_of(m->kernels, HX_CUDA_SHORT, bytes, (int)(row / bytes))
                             : -1;
        if (kind >= 0) {
            *c = (choice){kind, bytes, row / bytes, 0, row / bytes, of_threads};
            return true;
        }
    }
    return false;
}

static hx_status add_rows(hxi_cuda_maker *m, box *b, int word)
{
    const int64_t row = join_rows(b);
    choice c;
    if (!b->loose && row > HX_CUDA_LONGEST_SHORT) {
        c = (choice){hxi_cuda_kind_of(m->kernels, HX_CUDA_LONG, word, 0),
                     word,
                     row / word,
                     0,
                     (row + HX_CUDA_CHUNK - 1) / HX_CUDA_CHUNK,
                     HX_CUDA_THREADS / HX_CUDA_WARP};
    } else if (b->loose || !find_short(m, b, row, word, &c)) {
        c = (choice){hxi_cuda_kind_of(m->kernels, HX_CUDA_LOOSE, word, 0),
                     word,
                     row / word,
                     0,
                     row / word,
                     of_threads};
        b->n[0] = row / word;
        b->step[0][0] = b->step[1][0] = word;
    }
    return add_move(m, b, &b->n[1], &c);
}

/* ---- points one by one --------------------------------------------------------------------------------- */

/* Bytes at one end, where in an array they would be so many. */
static int64_t bytes_at(const hxi_cuda_maker *m, const box *b, int side, int64_t bytes)
{
    const int number = m->kernels->field[b->field].number;
    return b->wired && b->message[side] ? bytes / number * b->wired->bytes : bytes;
}

/* By any steps, each word or number of a point on its own. */
static hx_status add_points(hxi_cuda_maker *m, const box *b, int kind, int bytes)
{
    hx_status status = HX_OK;
    for (int64_t part = 0; part < b->point && status == HX_OK; part += bytes) {
        box one = *b;
        one.at[0] += bytes_at(m, b, 0, part);
        one.at[1] += bytes_at(m, b, 1, part);
        const choice c = {kind, bytes, b->n[0], 0, b->n[0], of_threads};
        status = add_move(m, &one, &one.n[1], &c);
    }
    return status;
}

/* ---- turned rows --------------------------------------------------------------------------------------- */

/* The axis along which points are neighbors in memory at one end; -1: none with more than one point. */
static int axis_together(const box *b, int side)
{
    for (int i = 0; i < HX_CUDA_STEPS; ++i) {
        if (b->n[i] > 1 && (b->step[side][i] == b->point || b->step[side][i] == -b->point)) {
            return i;
        }
    }
    return -1;
}

static void swap_axes(box *b, int i, int j)
{
    const box old = *b;
    b->n[i] = old.n[j];
    b->n[j] = old.n[i];
    for (int side = 0; side < 2; ++side) {
        b->step[side][i] = old.step[side][j];
        b->step[side][j] = old.step[side][i];
    }
}

/*
 * Where points that are neighbors at one end are not at the other, a warp that follows the shorter of the two
 * axes, then the longer one, meets pieces that lie together at both ends.  False: it is one axis, or none.
 */
static bool put_short_first(box *b)
{
    const int from = axis_together(b, 0);
    const int to = axis_together(b, 1);
    if (from < 0 || to < 0 || from == to) {
        return false;
    }
    const int first = b->n[from] < b->n[to] ? from : to;
    const int second = first == from ? to : from;
    swap_axes(b, 0, first);
    swap_axes(b, 1, second == 0 ? first : second);
    return true;
}

/* Tiles that are as long along the first axis as it allows: 8, 16 or 32. */
static hx_status add_tiles(hxi_cuda_maker *m, const box *b, int kind)
{
    const int64_t shorter = b->n[0] >= 32 ? 32 : b->n[0] >= 16 ? 16 : HX_CUDA_TILE_LEAST;
    const int64_t longer = of_threads / shorter;
    const int64_t rows_of[3] = {(b->n[1] + longer - 1) / longer, b->n[2], b->n[3]};
    const choice c = {kind, (int)b->point, b->n[0], b->n[1], (b->n[0] + shorter - 1) / shorter, 1};
    return add_move(m, b, rows_of, &c);
}

static bool is_tiled(const hxi_cuda_maker *m, const box *b, int kind)
{
    return kind >= 0 && b->n[0] >= HX_CUDA_TILE_LEAST && m->kernels->kind[kind].bytes == b->point;
}

/* ---- numbers that travel shorter than they are --------------------------------------------------------- */

/* A row of points that lie together is one of numbers; others are moved number by number of a point. */
static hx_status add_wired(hxi_cuda_maker *m, box *b)
{
    const int number = m->kernels->field[b->field].number;
    if (lies_together(b)) {
        b->n[0] *= b->point / number;
        b->step[0][0] = b->step[1][0] = b->point = number;
    }
    return add_points(m, b,
                      b->message[0]   ? b->wired->widen
                      : b->message[1] ? b->wired->narrow
                                      : b->wired->round,
                      number);
}

/* ---- boxes --------------------------------------------------------------------------------------------- */

static hx_status add_box(hxi_cuda_maker *m, box *b)
{
    const int word = m->work->spec->field[b->field].alignment;
    const hx_cuda_field *field = &m->kernels->field[b->field];
    const bool crosses = !b->loose && put_short_first(b);
    if (b->wired) {
        return add_wired(m, b);
    }
    if (crosses && is_tiled(m, b, field->tile)) {
        return add_tiles(m, b, field->tile);
    }
    if (b->sign < 0) {
        return add_points(m, b, field->turned, field->number);
    }
    if (lies_together(b)) {
        return add_rows(m, b, word);
    }
    return add_points(m, b, hxi_cuda_kind_of(m->kernels, HX_CUDA_LOOSE, word, 0), word);
}

/* ---- segments ------------------------------------------------------------------------------------------ */

/* One end of a box that is in an array, with the axes of the destination in its memory order. */
static void set_array(const hxi_cuda_maker *m, const hxi_segment *s, hxi_end end, int part, int side, box *b)
{
    const hx_spec *spec = m->work->spec;
    const hx_region region = hxi_work_end(m->work, s, end, hxi_segment_component(spec, s, part));
    const hx_field *field = &spec->field[end == HX_TO ? s->link.field : s->link.source_field];
    b->base[side] = hxi_cuda_array(m, s, end);
    b->at[side] = (int64_t)region.at * field->size;
    for (int i = 0; i < spec->axes; ++i) {
        b->step[side][i] = (int64_t)region.stride[spec->field[s->link.field].order[i]] * field->size;
    }
}

static void set_message(const hxi_cuda_maker *m, const hxi_segment *s, int part, int side, box *b)
{
    int64_t step[HX_MAX_AXES];
    hxi_cuda_dense_steps(m, s, step);
    b->base[side] = hxi_cuda_message(m, s);
    b->at[side] = (int64_t)hxi_cuda_message_offset(m, s, part);
    const int number = m->kernels->field[b->field].number;
    for (int i = 0; i < m->work->spec->axes; ++i) {
        const int64_t along = step[m->work->spec->field[s->link.field].order[i]];
        b->step[side][i] = b->wired ? along / b->wired->bytes * number : along;
    }
}

/* Of components that lie side by side some travel: each by itself. */
static hx_status add_picked(hxi_cuda_maker *m, const hxi_segment *s, const box *whole)
{
    const hx_field *field = &m->work->spec->field[s->link.field];
    hx_status status = HX_OK;
    for (int p = 0; p < s->picks->count && status == HX_OK; ++p) {
        box b = *whole;
        b.point = field->size / field->components;
        for (int side = 0; side < 2; ++side) {
            b.at[side] += bytes_at(m, &b, side, b.point * (b.message[side] ? p : s->picks->component[p]));
        }
        status = add_box(m, &b);
    }
    return status;
}

/* Whoever has the source of a segment turns values into their opposites; sums do that by themselves. */
static int sign_of(const hxi_cuda_maker *m, const hxi_segment *s)
{
    return !HX_RETURNS(m->work->exchange->operation) && s->from >= 0 ? s->link.sign : 1;
}

/* The ends of a segment: arrays, or its message where there is none. */
static hx_status add_segment(hxi_cuda_maker *m, const hxi_segment *s, const hxi_end end[2],
                             const bool message[2], bool loose)
{
    const hx_spec *spec = m->work->spec;
    const hx_field *field = &spec->field[s->link.field];
    hx_status status = HX_OK;
    for (int part = 0; part < hxi_segment_parts(spec, s) && status == HX_OK; ++part) {
        box b = {.field = s->link.field,
                 .sign = sign_of(m, s),
                 .point = field->size,
                 .n = {1, 1, 1, 1},
                 .message = {message[0], message[1]},
                 .loose = loose,
                 .wired = loose ? NULL : hxi_cuda_wired_of(m, s)};
        for (int i = 0; i < spec->axes; ++i) {
            const int axis = field->order[i];
            b.n[i] = s->link.hi[axis] - s->link.lo[axis];
        }
        for (int side = 0; side < 2; ++side) {
            if (message[side]) {
                set_message(m, s, part, side, &b);
            } else {
                set_array(m, s, end[side], part, side, &b);
            }
        }
        status = s->picks && field->components_after == 0 ? add_picked(m, s, &b) : add_box(m, &b);
    }
    return status;
}

hx_status hxi_cuda_add_moves(hxi_cuda_maker *m, hxi_segment_kind kind)
{
    const bool returns = HX_RETURNS(m->work->exchange->operation);
    const hxi_end end[2] = {returns ? HX_TO : HX_FROM, HX_TO}; /* who sends ghost points back */
    const bool keeps = hxi_shared_points_combine(m->work->exchange) && kind == HX_WITHIN;
    const bool message[2] = {kind == HX_RECEIVED, kind == HX_SENT || keeps};
    hx_status status = HX_OK;
    for (int i = 0; i < m->work->segments->count && status == HX_OK; ++i) {
        const hxi_segment *s = &m->work->segments->segment[i];
        if (s->kind == kind) {
            status = add_segment(m, s, end, message, false);
        }
    }
    return status;
}

/* Ghost points that were received, back into the messages that they would have come in. */
hx_status hxi_cuda_add_returns(hxi_cuda_maker *m)
{
    static const hxi_end end[2] = {HX_TO, HX_TO};
    static const bool message[2] = {false, true};
    hx_status status = HX_OK;
    for (int i = 0; i < m->work->segments->count && status == HX_OK; ++i) {
        const hxi_segment *s = &m->work->segments->segment[i];
        if (s->kind == HX_RECEIVED) {
            status = add_segment(m, s, end, message, false);
        }
    }
    return status;
}

/* The ghost points that were sent or added; a move of theirs to themselves says where they are. */
hx_status hxi_cuda_add_zeros(hxi_cuda_maker *m)
{
    static const hxi_end end[2] = {HX_TO, HX_TO};
    static const bool message[2] = {false, false};
    hx_status status = HX_OK;
    for (int i = 0; i < m->work->segments->count && status == HX_OK; ++i) {
        const hxi_segment *s = &m->work->segments->segment[i];
        if (s->kind != HX_RECEIVED) {
            status = add_segment(m, s, end, message, true);
        }
    }
    return status;
}

/* ---- within an array ----------------------------------------------------------------------------------- */

static void set_region(const hx_spec *spec, int field, int slot, const hx_region *region, int side, box *b)
{
    const hx_field *of = &spec->field[field];
    b->base[side] = slot;
    b->at[side] = (int64_t)region->at * of->size;
    for (int i = 0; i < spec->axes; ++i) {
        b->step[side][i] = (int64_t)region->stride[of->order[i]] * of->size;
    }
}

hx_status hxi_cuda_add_fill(hxi_cuda_maker *m, int field, const hxi_copy_op *op)
{
    const hx_spec *spec = m->work->spec;
    box b = {.field = field, .sign = op->sign, .point = spec->field[field].size, .n = {1, 1, 1, 1}};
    for (int i = 0; i < spec->axes; ++i) {
        b.n[i] = op->to->n[spec->field[field].order[i]];
    }
    set_region(spec, field, op->from_slot, op->from, 0, &b);
    set_region(spec, field, op->to_slot, op->to, 1, &b);
    return add_box(m, &b);
}

hx_status hxi_cuda_add_fill_of_zeros(hxi_cuda_maker *m, int field, const hxi_zero_op *op)
{
    const hx_spec *spec = m->work->spec;
    box b = {.field = field, .sign = 1, .point = spec->field[field].size, .n = {1, 1, 1, 1}, .loose = true};
    for (int i = 0; i < spec->axes; ++i) {
        b.n[i] = op->to->n[spec->field[field].order[i]];
    }
    set_region(spec, field, op->slot, op->to, 0, &b);
    set_region(spec, field, op->slot, op->to, 1, &b);
    return add_box(m, &b);
}
