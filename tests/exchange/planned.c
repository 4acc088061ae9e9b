/*
 * What a rank does before fields move to other blocks: as much for 10^6 ranks as for 10^3, if the partitions are regular.
 * Blocks of 8^3 cells become pencils along the last axis, and back; some ranks of each number make their plans, one after
 * the other, without any other rank.  Counted are the memory that each asks for, whatever becomes of it, and time of the
 * processor, by what the rank has: its two blocks and its peers.  A table of all blocks or ranks would take a thousand times
 * as much.
 */
#include "base/memory.h"
#include "check.h"
#include "pack/redistribution.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

extern const hx_spec cube_xyz_spec;

enum { AXES = 3, EDGE = 8, SAMPLES = 5, TRIES = 9, MOST_BYTES = 64 << 10 };

static size_t bytes; /* asked for */

void *__real_hxi_memory_get(size_t count, size_t size, const char *purpose);
void *__real_hxi_memory_grow(void *old, size_t used, size_t count, size_t size, const char *purpose);
void *__wrap_hxi_memory_get(size_t count, size_t size, const char *purpose);
void *__wrap_hxi_memory_grow(void *old, size_t used, size_t count, size_t size, const char *purpose);

void *__wrap_hxi_memory_get(size_t count, size_t size, const char *purpose)
{
    bytes += count * size;
    return __real_hxi_memory_get(count, size, purpose);
}

void *__wrap_hxi_memory_grow(void *old, size_t used, size_t count, size_t size, const char *purpose)
{
    bytes += count * size;
    return __real_hxi_memory_grow(old, used, count, size, purpose);
}

static double cpu_us(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return 1e6 * (double)t.tv_sec + 1e-3 * (double)t.tv_nsec;
}

/* One block a rank. */
typedef struct side {
    hx_partition partition;
    hx_blocks blocks;
    hxi_layout layout;
    hxi_block_list mine;
} side;

static void make_side(const hx_spec *spec, const hx_partition *partition, int ranks, int rank, side *s)
{
    *s = (side){.partition = *partition};
    s->blocks = (hx_blocks){.tiles = 1, .count = 1, .partition = &s->partition};
    hx_part part;
    unsigned char *shape = calloc(1, spec->shape_size);
    CHECK_STATUS(hxi_layout_make(spec, &s->blocks, ranks, &s->layout), HX_OK);
    CHECK_STATUS(hx_part_of(&s->partition, 0, rank, &part), HX_OK);
    CHECK_STATUS(hx_spec_shape(spec, &part, shape), HX_OK);
    CHECK_STATUS(hxi_blocks_make(spec, &s->layout, rank, 1, shape, &s->mine), HX_OK);
    free(shape);
}

static void free_side(side *s)
{
    hxi_blocks_free(&s->mine);
    hxi_layout_free(&s->layout);
}

/* By what a rank has: its two blocks, and its peers. */
typedef struct figures {
    double bytes;
    double us;
} figures;

static double greater(double a, double b)
{
    return a > b ? a : b;
}

/* One message to each rank: peers rise. */
static void check_messages(const hxi_redistribution_message *message, int count)
{
    for (int i = 1; i < count; ++i) {
        CHECK(message[i - 1].peer < message[i].peer, "messages %d and %d of %d are for ranks %d and %d",
              i - 1, i, count, message[i - 1].peer, message[i].peer);
    }
}

/* What one rank does. */
static figures measure(const hx_spec *spec, const hx_partition cut[2], int ranks, int rank)
{
    figures best = {0.0, 1e30};
    int *field = calloc((size_t)spec->fields, sizeof *field);
    for (int f = 0; f < spec->fields; ++f) {
        field[f] = f;
    }
    for (int i = 0; i < TRIES; ++i) {
        side from, to;
        hxi_redistribution plan;
        bytes = 0;
        const double start = cpu_us();
        make_side(spec, &cut[0], ranks, rank, &from);
        make_side(spec, &cut[1], ranks, rank, &to);
        const hxi_redistribution_task task = {.spec = spec,
                                              .from = {&from.layout, &from.mine, NULL},
                                              .to = {&to.layout, &to.mine, NULL},
                                              .field = field,
                                              .fields = spec->fields,
                                              .rank = rank};
        CHECK_STATUS(hxi_redistribution_make(&task, &plan), HX_OK);
        const double us = cpu_us() - start;
        const double has = 2.0 + plan.sends + plan.receives;
        CHECK(plan.sends + plan.receives > 2, "rank %d of %d has %d peers", rank, ranks, plan.sends);
        check_messages(plan.send, plan.sends);
        check_messages(plan.receive, plan.receives);
        best.bytes = (double)bytes / has;
        best.us = us / has < best.us ? us / has : best.us;
        hxi_redistribution_free(&plan);
        free_side(&from);
        free_side(&to);
    }
    free(field);
    return best;
}

/* Of `each` blocks along each axis; the pencils of them are as many, and the first and the last rank are among the samples. */
static figures of_ranks(const hx_spec *spec, int each, int pencils_x, int pencils_z)
{
    const int ranks = each * each * each;
    const hx_partition cut[2] = {
        {.axes = AXES, .cells = {EDGE * each, EDGE * each, EDGE * each}, .ranks = {each, each, each}},
        {.axes = AXES,
         .cells = {EDGE * each, EDGE * each, EDGE * each},
         .ranks = {pencils_x, ranks / pencils_x / pencils_z, pencils_z}},
    };
    figures most = {0.0, 0.0};
    for (int i = 0; i < SAMPLES; ++i) {
        const figures f = measure(spec, cut, ranks, (int)((int64_t)(ranks - 1) * i / (SAMPLES - 1)));
        most = (figures){greater(most.bytes, f.bytes), greater(most.us, f.us)};
    }
    printf("%d ranks: %.0f bytes and %.2f us for each block and peer\n", ranks, most.bytes, most.us);
    return most;
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv, MPI_THREAD_SINGLE);
    check_about("plans of many ranks");
    const figures few = of_ranks(&cube_xyz_spec, 10, 40, 1);
    const figures many = of_ranks(&cube_xyz_spec, 100, 400, 10);
    CHECK(many.bytes < 1.5 * few.bytes && many.bytes < MOST_BYTES, "%.0f bytes in place of %.0f", many.bytes,
          few.bytes);
    CHECK(many.us < 20.0 * few.us, "%.2f us in place of %.2f", many.us, few.us);
    return check_verdict("plans of redistributions");
}
