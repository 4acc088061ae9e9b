/*
 * Lists of moves, made by hand and at random, before and after they are shortened: each block of threads
 * finds the same move, moves in constant steps have become one, and what is short travels in arguments.
 */
#include "base/memory.h"
#include "check.h"
#include "device/tables/cuda_list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RUNS = 40, MOST = 12, LAUNCHES = 3, NUMBERS = 300 };

/* No MPI runs here. */
int MPI_Comm_rank(MPI_Comm comm, int *number)
{
    (void)comm;
    *number = 0;
    return MPI_SUCCESS;
}

int MPI_Finalized(int *flag)
{
    *flag = 1;
    return MPI_SUCCESS;
}

static unsigned seed;

/* 0 ... below - 1 */
static int draw(int below)
{
    seed = seed * 1664525u + 1013904223u;
    return (int)((seed >> 8) % (unsigned)below);
}

/* What a block of threads is to do: bases by their numbers among all.  No bytes between its members. */
typedef struct piece {
    int from, to;
    int64_t from_at, to_at;
    int rows;       /* what kind of, below */
    unsigned block; /* of the move */
} piece;

/* A list, and what its blocks do, launch by launch. */
typedef struct trial {
    hxi_cuda_list list;
    piece *piece;
    size_t pieces;
    int runs;
    hxi_cuda_order order;
} trial;

static void *allocate(size_t count, size_t size)
{
    void *memory = hxi_memory_get(count, size, "a test");
    if (!memory) {
        abort();
    }
    return memory;
}

enum { THINGS = 10 };

/* Kinds of rows that differ in one thing from those of number 0, number 1 + i in the i-th. */
static hx_cuda_move rows_of(int number)
{
    hx_cuda_move move = {.sign = 1, .moves = 1};
    switch (number % (THINGS + 1)) {
    case 1:
        move.kind = (uint16_t)number;
        break;
    case 2:
        move.words = (uint32_t)number;
        break;
    case 3:
        move.across = (uint32_t)number;
        break;
    case 4:
        move.at.rows = (uint32_t)number;
        break;
    case 5:
        move.at.item.factor = (uint32_t)number;
        break;
    case 6:
        move.at.by[1].shift = (uint32_t)number;
        break;
    case 7:
        move.sign = (int16_t)-number;
        break;
    case 8:
        move.from.step[0] = number;
        break;
    case 9:
        move.from.step[3] = number;
        break;
    case 10:
        move.to.step[0] = number;
        break;
    default:
        move.at.n[1] = (uint32_t)number;
    }
    return move;
}

static bool has_rows_of(const hx_cuda_move *move, int number)
{
    const hx_cuda_move other = rows_of(number);
    return move->kind == other.kind && move->words == other.words && move->across == other.across &&
           move->sign == other.sign && memcmp(&move->at, &other.at, sizeof other.at) == 0 &&
           memcmp(move->from.step, other.from.step, sizeof other.from.step) == 0 &&
           memcmp(move->to.step, other.to.step, sizeof other.to.step) == 0;
}

/* -1: of no kind that there is. */
static int number_of_rows(const hx_cuda_move *move)
{
    int number = 0;
    while (number < RUNS && !has_rows_of(move, number)) {
        ++number;
    }
    return number < RUNS ? number : -1;
}

/* ---- making -------------------------------------------------------------------------------------------- */

/* The number of a base in the launch, which numbers those it meets. */
static uint16_t base_in(trial *t, hxi_cuda_launch *launch, int number)
{
    int *base = t->list.base + launch->first_base;
    int b = 0;
    while (b < launch->bases && base[b] != number) {
        ++b;
    }
    if (b == launch->bases) {
        base[launch->bases++] = number;
        ++t->list.bases;
    }
    return (uint16_t)b;
}

static void add(trial *t, hxi_cuda_launch *launch, const piece *p, unsigned blocks)
{
    hx_cuda_move *move = &t->list.move[t->list.moves++];
    *move = rows_of(p->rows);
    move->first_block = launch->blocks;
    move->blocks = blocks;
    move->block = hxi_cuda_divisor(blocks);
    move->from.at = p->from_at;
    move->to.at = p->to_at;
    move->from.base = base_in(t, launch, p->from);
    move->to.base = base_in(t, launch, p->to);
    for (unsigned block = 0; block < blocks; ++block) {
        t->piece[t->pieces] = *p;
        t->piece[t->pieces++].block = block;
    }
    launch->blocks += blocks;
    ++launch->entries;
}

/* So many moves in constant steps, and before the one of a number, 2 or more, another step besides. */
typedef struct run {
    piece first, step, jump;
    unsigned blocks;
    int moves;
    int jumps; /* the number, or no less than moves */
    int far;   /* 1 or -1: steps forth or back that no entry has room for */
} run;

static void add_run(trial *t, hxi_cuda_launch *launch, const run *r)
{
    piece p = r->first;
    for (int i = 0; i < r->moves; ++i) {
        const piece *jump = i == r->jumps ? &r->jump : &(piece){0};
        p.from += jump->from;
        p.to += jump->to;
        p.from_at += jump->from_at;
        p.to_at += jump->to_at;
        add(t, launch, &p, r->blocks);
        p.from += r->step.from;
        p.to += r->step.to;
        p.from_at += r->step.from_at + r->far * (INT64_C(1) << 32);
        p.to_at += r->step.to_at;
    }
    t->runs += r->far ? r->moves : 1 + (r->jumps < r->moves);
}

/* Numbers of bases that are far apart, so that it is their order that counts. */
static int number_of(int base)
{
    return 7 * base + 1000;
}

/* The step back to a base that is known, or one in bytes, at one of the ends. */
static piece random_jump(void)
{
    switch (draw(4)) {
    case 0:
        return (piece){.from = -1};
    case 1:
        return (piece){.to = -1};
    case 2:
        return (piece){.from_at = 8};
    default:
        return (piece){.to_at = -8};
    }
}

static void add_random_run(trial *t, hxi_cuda_launch *launch, int number)
{
    const run r = {
        .first = {.from = draw(NUMBERS - MOST) + 1,
                  .to = draw(NUMBERS - MOST) + 1,
                  .from_at = (int64_t)draw(1 << 20) << draw(20),
                  .to_at = (int64_t)draw(1 << 20) << draw(20),
                  .rows = draw(2) * number},
        .step = {.from = draw(2),
                 .to = draw(2),
                 .from_at = draw(2001) - 1000,
                 .to_at = draw(2) * (draw(2001) - 1000)},
        .jump = random_jump(),
        .blocks = (unsigned)draw(5) + 1,
        .moves = draw(MOST) + 1,
        .jumps = draw(2) * MOST + draw(MOST) + 2,
        .far = draw(8) == 0 ? 1 - 2 * draw(2) : 0,
    };
    add_run(t, launch, &r);
}

static hxi_cuda_launch *begin(trial *t)
{
    hxi_cuda_launch *launch = &t->list.launch[t->list.launches++];
    *launch = (hxi_cuda_launch){.first = t->list.moves, .first_base = t->list.bases};
    return launch;
}

static void make(trial *t)
{
    *t = (trial){0};
    t->list.move = allocate((size_t)LAUNCHES * RUNS * MOST, sizeof *t->list.move);
    t->list.launch = allocate(LAUNCHES, sizeof *t->list.launch);
    t->list.base = allocate((size_t)LAUNCHES * HX_CUDA_BASES, sizeof *t->list.base);
    t->piece = allocate((size_t)LAUNCHES * RUNS * MOST * 5, sizeof *t->piece);
}

/* ---- looking at it ------------------------------------------------------------------------------------- */

/* What an entry says to a block. */
static piece piece_of(const trial *t, const hxi_cuda_launch *launch, const hx_cuda_move *move, unsigned block)
{
    const int *base = t->list.base + launch->first_base;
    const unsigned behind = block - move->first_block;
    const int other = move->twice ? (int)(behind % 2) : 0;
    const unsigned own = move->twice ? behind / 2 : behind;
    const int i = (int)(own / move->blocks);
    CHECK(i < move->moves, "block %u belongs to move %d of an entry for %d", block, i, move->moves);
    return (piece){.from = base[move->from.base + i * move->from.next_base + other * move->from.other_base],
                   .to = base[move->to.base + i * move->to.next_base + other * move->to.other_base],
                   .from_at =
                       move->from.at + i * (int64_t)move->from.next_at + other * (int64_t)move->from.other_at,
                   .to_at = move->to.at + i * (int64_t)move->to.next_at + other * (int64_t)move->to.other_at,
                   .rows = number_of_rows(move),
                   .block = own % move->blocks};
}

static int compare(const void *left, const void *right)
{
    return memcmp(left, right, sizeof(piece));
}

/* Are these what they should be, in any order? */
static bool are_same(piece *got, piece *expected, size_t count)
{
    qsort(got, count, sizeof *got, compare);
    qsort(expected, count, sizeof *expected, compare);
    return memcmp(got, expected, count * sizeof *got) == 0;
}

/* Each block of threads is told of once; where entries are not mixed, one behind the other. */
static void check_turn(const trial *t, const hxi_cuda_launch *launch, unsigned place, bool *seen)
{
    const hx_cuda_turn turn = t->list.turn[launch->first_block + place];
    const int entry = (int)turn.entry;
    CHECK(entry >= launch->first && entry < launch->first + launch->entries, "block %u has entry %d", place,
          entry);
    const unsigned block = t->list.move[entry].first_block + turn.block;
    CHECK(block < launch->blocks && !seen[block], "block %u of a launch comes twice, or is none of %u", block,
          launch->blocks);
    CHECK(t->order == HX_CUDA_MIXED || block == place, "block %u comes at place %u", block, place);
    seen[block] = true;
}

static unsigned blocks_of(const trial *t, const hxi_cuda_launch *launch, int entry)
{
    const bool last = entry + 1 == launch->first + launch->entries;
    return (last ? launch->blocks : t->list.move[entry + 1].first_block) - t->list.move[entry].first_block;
}

/* Half way through a launch no entry is further than another, by its share, but for two pieces of 8 blocks that stay together. */
static void check_mixture(const trial *t, const hxi_cuda_launch *launch)
{
    unsigned *had = allocate((size_t)launch->entries, sizeof *had);
    for (unsigned place = 0; place < launch->blocks / 2; ++place) {
        ++had[t->list.turn[launch->first_block + place].entry - (unsigned)launch->first];
    }
    for (int a = 0; a < launch->entries; ++a) {
        for (int b = 0; b < launch->entries; ++b) {
            const unsigned of_a = blocks_of(t, launch, launch->first + a);
            const unsigned of_b = blocks_of(t, launch, launch->first + b);
            CHECK(had[a] * of_b <= had[b] * of_a + 8 * of_a + 16 * of_b,
                  "entries have had %u of %u blocks and %u of %u", had[a], of_a, had[b], of_b);
        }
    }
    hxi_memory_free(had);
}

static void check_launch(const trial *t, int number, size_t before)
{
    const hxi_cuda_launch *launch = &t->list.launch[number];
    piece *got = allocate(launch->blocks, sizeof *got);
    bool *seen = allocate(launch->blocks, sizeof *seen);
    CHECK(launch->first_block == before, "launch %d begins at block %zu", number, launch->first_block);
    for (unsigned place = 0; place < launch->blocks; ++place) {
        check_turn(t, launch, place, seen);
        const hx_cuda_turn turn = t->list.turn[before + place];
        const hx_cuda_move *move = &t->list.move[turn.entry];
        got[place] = piece_of(t, launch, move, move->first_block + turn.block);
    }
    CHECK(are_same(got, t->piece + before, launch->blocks), "blocks of launch %d have other moves", number);
    if (t->order == HX_CUDA_MIXED) {
        check_mixture(t, launch);
    }
    hxi_memory_free(seen);
    hxi_memory_free(got);
}

/* most: entries that may be left. */
static void end(trial *t, int most)
{
    size_t before = 0;
    t->order = draw(2) ? HX_CUDA_MIXED : HX_CUDA_IN_TURN;
    CHECK_STATUS(hxi_cuda_list_end(&t->list, t->order), HX_OK);
    for (int i = 0; i < t->list.launches; ++i) {
        check_launch(t, i, before);
        before += t->list.launch[i].blocks;
    }
    CHECK(t->list.moves <= most, "%d entries are left, expected %d", t->list.moves, most);
    hxi_cuda_list_free(&t->list);
    hxi_memory_free(t->piece);
}

/* ---- trials -------------------------------------------------------------------------------------------- */

static void try_random(void)
{
    trial t;
    make(&t);
    const int launches = draw(LAUNCHES) + 1;
    for (int i = 0; i < launches; ++i) {
        hxi_cuda_launch *launch = begin(&t);
        const int runs = draw(RUNS) + 1;
        for (int r = 0; r < runs; ++r) {
            add_random_run(&t, launch, r);
        }
    }
    /* Bases get their numbers at last: those of launches are not in a row. */
    for (int b = 0; b < t.list.bases; ++b) {
        t.list.base[b] = number_of(t.list.base[b]);
    }
    for (size_t p = 0; p < t.pieces; ++p) {
        t.piece[p].from = number_of(t.piece[p].from);
        t.piece[p].to = number_of(t.piece[p].to);
    }
    end(&t, 2 * t.runs);
}

/*
 * Fields of a shape, from arrays to a message for each direction, or from array to array.  Opposite
 * directions have the same rows; one that has none in the middle.
 */
static void try_fields(int fields, int directions, bool messages, int entries)
{
    trial t;
    check_about("%d fields in %d directions", fields, directions);
    make(&t);
    hxi_cuda_launch *launch = begin(&t);
    for (int d = 0; d < directions; ++d) {
        const run r = {
            .first = {.from_at = 100 + d,
                      .to = messages ? fields + d : 0,
                      .to_at = messages ? 0 : 50 + d,
                      .rows = d < directions - 1 - d ? d : directions - 1 - d},
            .step = {.from = 1, .to = !messages, .to_at = messages ? 640 : 0},
            .blocks = 3,
            .moves = fields,
            .jumps = fields,
        };
        add_run(&t, launch, &r);
    }
    end(&t, entries);
}

/*
 * Two runs that differ in one thing, and one with a jump at one of the ends, become two entries and no less.
 */
static void try_different(void)
{
    for (int i = 0; i < THINGS + 2; ++i) {
        trial t;
        check_about("runs that differ in thing %d", i);
        make(&t);
        hxi_cuda_launch *launch = begin(&t);
        run r = {.step = {.from = 1, .to_at = 8}, .blocks = 1, .moves = 4, .jumps = 4};
        add_run(&t, launch, &r);
        r.first.rows = i <= THINGS ? i + 1 : 0;
        r.step.to_at = i <= THINGS ? 8 : 16;
        add_run(&t, launch, &r);
        end(&t, 2);
    }
}

int main(void)
{
    try_fields(8, 26, true, 13);
    try_fields(8, 26, false, 13);
    try_fields(1, 26, true, 13);
    try_fields(5, 27, true, 14);
    try_different();
    for (seed = 0; seed < 2000; ++seed) {
        const unsigned number = seed;
        check_about("list %u", number);
        try_random();
        seed = number;
    }
    printf("%ld failures\n", check_failures());
    return check_failures() > 0;
}
