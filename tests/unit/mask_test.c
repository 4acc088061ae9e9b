/*
 * Oceans: every rank gets water, as much as the others where blocks allow it, and blocks that lie near; land has
 * no owner; 10^4 ranks take less than a second.  Files say the same again, and what is no map is refused with place and numbers.
 */
#define _POSIX_C_SOURCE 200809L
#include <hx/mask.h>

#include "grid/hilbert.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

enum { WIDE = 96, HIGH = 64, CELLS = WIDE * HIGH };

/* Round islands, and a continent on the left. */
static int is_wet(int x, int y)
{
    const int dx = x % 32 - 16, dy = y % 32 - 16;
    return x > 20 + y / 4 && dx * dx + dy * dy > 60;
}

static void fill(unsigned char wet[CELLS], int levels)
{
    for (int i = 0; i < CELLS; ++i) {
        wet[i] = (unsigned char)(is_wet(i / HIGH, i % HIGH) ? 1 + (levels > 1 ? i % levels : 0) : 0);
    }
}

static hx_partition request(void)
{
    return (hx_partition){.axes = 3, .cells = {WIDE, HIGH, 10}, .ranks = {0, 0, 1}, .periodic = {1, 0, 0}};
}

/* The curve goes through every point of a cube, from each to one beside it. */
static void the_curve_goes_from_neighbor_to_neighbor(void **state)
{
    (void)state;
    enum { BITS = 3, SIDE = 1 << BITS };
    for (int axes = 1; axes <= 4; ++axes) {
        static int at[SIDE * SIDE * SIDE * SIDE][4];
        size_t points = 1;
        for (int a = 0; a < axes; ++a) {
            points *= SIDE;
        }
        memset(at, -1, sizeof at);
        for (size_t i = 0; i < points; ++i) {
            int point[4] = {0};
            for (size_t a = 0, rest = i; a < (size_t)axes; ++a, rest /= SIDE) {
                point[a] = (int)(rest % SIDE);
            }
            const uint64_t place = hxi_hilbert(point, axes, BITS);
            assert_true(place < points);
            assert_int_equal(at[place][0], -1);
            memcpy(at[place], point, sizeof point);
        }
        for (size_t i = 1; i < points; ++i) {
            int steps = 0;
            for (int a = 0; a < axes; ++a) {
                steps += abs(at[i][a] - at[i - 1][a]);
            }
            assert_int_equal(steps, 1);
        }
    }
}

/* What ranks have, counted cell by cell. */
static void check_map(const hx_map *map, const unsigned char *wet, int ranks)
{
    int64_t *work = calloc((size_t)ranks, sizeof *work);
    int64_t all = 0, most = 0;
    int land = 0;
    assert_non_null(work);
    for (int b = 0; b < map->blocks; ++b) {
        hx_part part;
        int64_t here = 0;
        assert_int_equal(hx_part_of(&map->partition, 0, b, &part), HX_OK);
        for (int x = 0; x < part.n[0]; ++x) {
            for (int y = 0; y < part.n[1]; ++y) {
                here += wet[(part.first[0] + x) * HIGH + part.first[1] + y];
            }
        }
        assert_true(map->owner[b] >= HX_NO_OWNER && map->owner[b] < ranks);
        assert_int_equal(map->owner[b] == HX_NO_OWNER, here == 0);
        land += here == 0;
        if (here > 0) {
            work[map->owner[b]] += here;
        }
        all += here;
    }
    for (int rank = 0; rank < ranks; ++rank) {
        assert_true(work[rank] > 0);
        most = work[rank] > most ? work[rank] : most;
    }
    assert_int_equal(map->ranks, ranks);
    assert_int_equal(map->land, land);
    assert_int_equal(map->wet, all);
    assert_int_equal(map->most, most);
    free(work);
}

static void every_rank_gets_water(void **state)
{
    (void)state;
    static unsigned char wet[CELLS];
    static const int ranks[] = {1, 2, 3, 7, 16, 61, 250, 1000};
    for (int levels = 1; levels <= 200; levels += 199) {
        fill(wet, levels);
        for (int i = 0; i < 16; ++i) {
            hx_partition wanted = request();
            const hx_mask mask = {.wet = wet};
            hx_map *map;
            wanted.first_fastest = i % 2;
            assert_int_equal(hx_choose_mask(ranks[i / 2], &wanted, &mask, &map), HX_OK);
            check_map(map, wet, ranks[i / 2]);
            if (ranks[i / 2] <= 61) { /* blocks of more than a few cells can be shared out well */
                assert_true(map->most * ranks[i / 2] < 2 * map->wet);
            }
            hx_map_free(map);
        }
    }
}

/* Blocks from one side to the other of what a rank has, along both axes; the sum over all ranks. */
static int add_spans(const hx_map *map, const int owner[])
{
    int sum = 0;
    for (int rank = 0; rank < map->ranks; ++rank) {
        int lo[2] = {map->blocks, map->blocks};
        int hi[2] = {0, 0};
        for (int b = 0; b < map->blocks; ++b) {
            const int at[2] = {b / map->partition.ranks[1], b % map->partition.ranks[1]};
            for (int a = 0; a < 2 && owner[b] == rank; ++a) {
                lo[a] = at[a] < lo[a] ? at[a] : lo[a];
                hi[a] = at[a] + 1 > hi[a] ? at[a] + 1 : hi[a];
            }
        }
        sum += hi[0] - lo[0] + hi[1] - lo[1];
    }
    return sum;
}

/* The same numbers of blocks, dealt out row by row. */
static void deal_in_rows(const hx_map *map, int owner[])
{
    int *left = calloc((size_t)map->ranks, sizeof *left);
    assert_non_null(left);
    for (int b = 0; b < map->blocks; ++b) {
        if (map->owner[b] != HX_NO_OWNER) {
            left[map->owner[b]]++;
        }
    }
    for (int b = 0, rank = 0; b < map->blocks; ++b) {
        while (rank < map->ranks - 1 && left[rank] == 0) {
            ++rank;
        }
        owner[b] = map->owner[b] != HX_NO_OWNER ? rank : HX_NO_OWNER;
        left[rank] -= owner[b] != HX_NO_OWNER;
    }
    free(left);
}

/* The same islands on a finer grid. */
enum { TIMES = 8, COLUMNS = TIMES * WIDE, ROWS = TIMES * HIGH };

static void fill_ocean(unsigned char wet[COLUMNS * ROWS])
{
    for (int i = 0; i < COLUMNS * ROWS; ++i) {
        wet[i] = (unsigned char)is_wet(i / ROWS / TIMES, i % ROWS / TIMES);
    }
}

static void neighbors_stay_near(void **state)
{
    (void)state;
    static unsigned char wet[COLUMNS * ROWS];
    fill_ocean(wet);
    for (int ranks = 16; ranks <= 64; ranks *= 2) {
        const hx_partition wanted = {.axes = 2, .cells = {COLUMNS, ROWS}};
        hx_map *map;
        assert_int_equal(hx_choose_mask(ranks, &wanted, &(hx_mask){.wet = wet}, &map), HX_OK);
        int *rows = calloc((size_t)map->blocks, sizeof *rows);
        assert_non_null(rows);
        deal_in_rows(map, rows);
        const int near = add_spans(map, map->owner);
        const int far = add_spans(map, rows);
        if (5 * near > 4 * far) {
            fail_msg("%d ranks span %d blocks, and %d in rows", ranks, near, far);
        }
        free(rows);
        hx_map_free(map);
    }
}

/* Time of the processor, which other programs do not use up; sanitizers and Valgrind do. */
static double cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int is_slowed(void)
{
    const char *loaded = getenv("LD_PRELOAD");
#if defined(__SANITIZE_ADDRESS__) || !defined(__OPTIMIZE__)
    return 1;
#endif
    return loaded && strstr(loaded, "valgrind");
}

static void ten_thousand_ranks_take_less_than_a_second(void **state)
{
    (void)state;
    enum { MANY = 10000 };
    static unsigned char wet[COLUMNS * ROWS];
    fill_ocean(wet);
    const hx_partition wanted = {.axes = 2, .cells = {COLUMNS, ROWS}};
    hx_map *map;
    const double start = cpu_seconds();
    assert_int_equal(hx_choose_mask(MANY, &wanted, &(hx_mask){.wet = wet}, &map), HX_OK);
    const double seconds = cpu_seconds() - start;
    int *blocks = calloc(MANY, sizeof *blocks);
    assert_non_null(blocks);
    for (int b = 0; b < map->blocks; ++b) {
        if (map->owner[b] != HX_NO_OWNER) {
            blocks[map->owner[b]]++;
        }
    }
    for (int rank = 0; rank < MANY; ++rank) {
        assert_true(blocks[rank] > 0);
    }
    assert_true(map->most * MANY < 2 * map->wet);
    if (seconds >= 1.0 && !is_slowed()) {
        fail_msg("%.2f seconds", seconds);
    }
    free(blocks);
    hx_map_free(map);
}

static int asked;

static int wet_at(void *context, const int cell[])
{
    ++asked;
    return ((const unsigned char *)context)[cell[0] * HIGH + cell[1]];
}

static void a_function_says_the_same_as_numbers(void **state)
{
    (void)state;
    static unsigned char wet[CELLS];
    fill(wet, 1);
    const hx_partition wanted = request();
    hx_map *one, *other;
    assert_int_equal(hx_choose_mask(12, &wanted, &(hx_mask){.wet = wet}, &one), HX_OK);
    assert_int_equal(hx_choose_mask(12, &wanted, &(hx_mask){.wet_at = wet_at, .context = wet}, &other),
                     HX_OK);
    assert_int_equal(asked, CELLS);
    assert_int_equal(one->blocks, other->blocks);
    assert_memory_equal(one->owner, other->owner, (size_t)one->blocks * sizeof *one->owner);
    hx_map_free(one);
    hx_map_free(other);
}

static void parts_that_are_given_stay(void **state)
{
    (void)state;
    static unsigned char wet[CELLS];
    fill(wet, 1);
    hx_partition wanted = request();
    wanted.ranks[0] = 9;
    hx_map *map;
    assert_int_equal(hx_choose_mask(5, &wanted, &(hx_mask){.wet = wet}, &map), HX_OK);
    assert_int_equal(map->partition.ranks[0], 9);
    assert_int_equal(map->partition.ranks[2], 1);
    check_map(map, wet, 5);
    hx_map_free(map);
}

static void refuse(int ranks, const hx_partition *wanted, const hx_mask *mask, const char *words)
{
    hx_map *map = NULL;
    assert_int_not_equal(hx_choose_mask(ranks, wanted, mask, &map), HX_OK);
    assert_null(map);
    if (!strstr(hx_last_error(), words)) {
        fail_msg("%s", hx_last_error());
    }
}

/* No mistake: all blocks have an owner. */
static void a_mask_may_have_no_land(void **state)
{
    (void)state;
    static unsigned char wet[CELLS];
    memset(wet, 1, sizeof wet);
    const hx_partition wanted = request();
    hx_map *map;
    assert_int_equal(hx_choose_mask(12, &wanted, &(hx_mask){.wet = wet}, &map), HX_OK);
    assert_int_equal(map->land, 0);
    check_map(map, wet, 12);
    hx_map_free(map);
}

static int says_300(void *context, const int cell[])
{
    (void)context;
    return cell[1] == 3 ? 300 : 1;
}

static void bad_masks_are_refused(void **state)
{
    (void)state;
    static unsigned char wet[CELLS];
    hx_partition wanted = request();
    const hx_mask mask = {.wet = wet};
    refuse(4, &wanted, &mask, "All 6144 cells (96 x 64) of the mask are land");
    wet[0] = wet[HIGH + 1] = wet[3 * HIGH] = 1;
    refuse(3, &wanted, &mask, "No two of the 3 wet cells of the mask of 96 x 64 cells are neighbors");
    refuse(4, &wanted, &mask, "The mask of 96 x 64 cells has 3 wet cells for 4 ranks; use 3 ranks or fewer.");
    wet[(WIDE - 1) * HIGH] = 1; /* beside the first, around the periodic axis */
    hx_map *map;
    assert_int_equal(hx_choose_mask(4, &wanted, &mask, &map), HX_OK);
    check_map(map, wet, 4);
    hx_map_free(map);
    refuse(0, &wanted, &mask, "There is no map for 0 ranks");
    refuse(4, NULL, &mask, "The partition is a null pointer");
    refuse(4, &wanted, NULL,
           "The mask has neither numbers nor a function; give one of hx_mask.wet and hx_mask.wet_at.");
    refuse(4, &wanted, &(hx_mask){.wet = wet, .wet_at = wet_at}, "numbers and a function");
    refuse(1, &wanted, &(hx_mask){.wet_at = says_300}, "The mask's function gives 300 at cell 0 x 3");
    wanted.ranks[0] = wanted.ranks[1] = 1;
    refuse(1, &wanted, &mask, "so nothing is cut");
    wanted.ranks[0] = wanted.ranks[1] = 2;
    refuse(4, &wanted, &mask, "With the parts asked for, 2 x 2 x 1 (0: chosen), fewer blocks have water");
    const int cuts[] = {0, 5, WIDE};
    wanted.cuts[0] = cuts;
    refuse(2, &wanted, &mask, "Cuts are given along axis 0; hx_choose_mask chooses them");
    assert_int_equal(hx_choose_mask(1, &wanted, &mask, NULL), HX_ERR_ARGUMENT);
}

/* ---- files --------------------------------------------------------------------------------------------- */

static char path[64];

static void files_say_the_same_again(void **state)
{
    (void)state;
    static unsigned char wet[CELLS];
    fill(wet, 1);
    hx_partition wanted = request();
    wanted.first_fastest = 1;
    hx_map *map, *again;
    assert_int_equal(hx_choose_mask(30, &wanted, &(hx_mask){.wet = wet}, &map), HX_OK);
    assert_int_equal(hx_map_write(map, path), HX_OK);
    assert_int_equal(hx_map_read(path, &again), HX_OK);
    assert_memory_equal(again->partition.cells, map->partition.cells, sizeof map->partition.cells);
    assert_memory_equal(again->partition.ranks, map->partition.ranks, sizeof map->partition.ranks);
    assert_int_equal(again->partition.first_fastest, 1);
    assert_int_equal(again->ranks, 30);
    assert_int_equal(again->wet, map->wet);
    assert_int_equal(again->most, map->most);
    assert_int_equal(again->land, map->land);
    assert_int_equal(again->blocks, map->blocks);
    assert_memory_equal(again->owner, map->owner, (size_t)map->blocks * sizeof *map->owner);
    hx_map_free(again);
    hx_map_free(map);
    hx_map_free(NULL);
}

static void refuse_text(const char *text, const char *words)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    hx_map *map;
    assert_int_not_equal(hx_map_read(path, &map), HX_OK);
    assert_null(map);
    if (!strstr(hx_last_error(), words)) {
        fail_msg("%s", hx_last_error());
    }
}

#define BEGIN "halogen-map 1\ncells 6 4\nparts 3 2\nfirst-fastest 0\n"

static void bad_files_are_refused(void **state)
{
    (void)state;
    refuse_text("", ":1: expected \"halogen-map\", found \"\"");
    refuse_text("halogen-map 2\n", ":1: expected a number from 1 to 1, found \"2\"");
    refuse_text("{\"map\": 1}", ":1: expected \"halogen-map\", found \"{\"map\":\"");
    refuse_text("halogen-map 1\ncells 6 4 1 1 1\n", ":2: expected no more than 4 axes");
    refuse_text("halogen-map 1\ncells 6 4\nparts 3\nfirst", ":4: expected a number from 1 to");
    refuse_text("halogen-map 1\ncells 6 4\nparts 7 1\nfirst-fastest 0\nranks 1\nwet 0\nmost 0\n",
                "There are 7 parts for the 6");
    refuse_text(BEGIN "ranks 2\nwet 0\nmost 0\nowners 5\n", ":8: expected a number from 6 to 6, found \"5\"");
    refuse_text(BEGIN "ranks 2\nwet 0\nmost 0\nowners 6\n0 1 2 0 0 0\n",
                ":9: expected a number from -1 to 1, found \"2\"");
    refuse_text(BEGIN "ranks 2\nwet 0\nmost 0\nowners 6\n0 1 -2 0 0 0\n",
                ":9: expected a number from -1 to 1, found \"-2\"");
    refuse_text(BEGIN "ranks 2\nwet 0\nmost 0\nowners 6\n0 1 x 0 0 0\n", "found \"x\"");
    refuse_text(BEGIN "ranks 2\nwet 0\nmost 0\nowners 6\n0 1 1 0 0\n",
                ":10: expected a number from -1 to 1, found \"\"");
    refuse_text(BEGIN "ranks 2\nwet 0\nmost 0\nowners 6\n0 1 1 0 0 0 0\n",
                ":9: expected the end of the file, found \"0\"");
    refuse_text(BEGIN "ranks 2\nwet 0\nmost 0\nowners 6\n-1 -1 -1 -1 -1 -1\n",
                "gives none of its 6 blocks an owner");
    hx_map *map;
    remove(path);
    assert_int_equal(hx_map_read(path, &map), HX_ERR_ARGUMENT);
    assert_non_null(strstr(hx_last_error(), " is not there; hx_map_write makes one."));
    assert_int_equal(hx_map_read(NULL, &map), HX_ERR_ARGUMENT);
    assert_string_equal(hx_last_error(), "Asked to read a map, the path is a null pointer.");
    assert_int_equal(hx_map_read(path, NULL), HX_ERR_ARGUMENT);
    assert_string_equal(hx_last_error(), "Asked to read a map, the place for it is a null pointer.");
    assert_int_equal(hx_map_write(NULL, path), HX_ERR_ARGUMENT);
    assert_string_equal(hx_last_error(), "Asked to write a map, the map is a null pointer.");
    const hx_map large = {.blocks = 2000001};
    assert_int_equal(hx_map_write(&large, NULL), HX_ERR_ARGUMENT);
    assert_string_equal(hx_last_error(), "Asked to write a map, the path is a null pointer.");
    assert_int_equal(hx_map_write(&large, path), HX_ERR_LIMIT);
    assert_string_equal(hx_last_error(), "The map has 2000001 blocks; a file holds up to 2000000.");
    const hx_map small = {
        .partition = {.axes = 1, .cells = {1}, .ranks = {1}}, .ranks = 1, .owner = (int[]){0}, .blocks = 1};
    assert_int_equal(hx_map_write(&small, "/no/such/folder/map"), HX_ERR_ARGUMENT);
}

int main(void)
{
    const char *folder = getenv("TMPDIR");
    snprintf(path, sizeof path, "%.30s/mask-%ld.map", folder ? folder : "/tmp", (long)getpid());
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_curve_goes_from_neighbor_to_neighbor),
        cmocka_unit_test(every_rank_gets_water),
        cmocka_unit_test(neighbors_stay_near),
        cmocka_unit_test(ten_thousand_ranks_take_less_than_a_second),
        cmocka_unit_test(a_function_says_the_same_as_numbers),
        cmocka_unit_test(parts_that_are_given_stay),
        cmocka_unit_test(a_mask_may_have_no_land),
        cmocka_unit_test(bad_masks_are_refused),
        cmocka_unit_test(files_say_the_same_again),
        cmocka_unit_test(bad_files_are_refused),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    remove(path);
    return failed;
}
