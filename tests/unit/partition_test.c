/*
 * Partitions: every cell has one owner, the choice is the best there is, and errors give both numbers.
 */
#include "base/status.h"
#include "grid/layout.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static hx_partition grid(int x, int y, int z)
{
    return (hx_partition){
        .axes = 3, .cells = {x, y, z}, .periodic = {1, 0, 1}, .face_bytes = {8.0, 8.0, 8.0}};
}

static void parts_cover_the_grid_once(void **state)
{
    (void)state;
    const hx_partition request = grid(7, 5, 3);
    for (int ranks = 1; ranks <= 12; ++ranks) {
        unsigned char owners[7][5][3] = {0};
        hx_part part;
        if (hx_decompose_as(0, ranks, &request, &part) != HX_OK) {
            continue;
        }
        for (int rank = 0; rank < ranks; ++rank) {
            assert_int_equal(hx_decompose_as(rank, ranks, &request, &part), HX_OK);
            for (int i = 0; i < part.n[0] * part.n[1] * part.n[2]; ++i) {
                owners[part.first[0] + i / (part.n[1] * part.n[2])][part.first[1] + i / part.n[2] % part.n[1]]
                      [part.first[2] + i % part.n[2]]++;
            }
        }
        for (size_t i = 0; i < sizeof owners; ++i) {
            assert_int_equal(((unsigned char *)owners)[i], 1);
        }
    }
}

static void ranks_count_as_mpi_counts_them(void **state)
{
    (void)state;
    hx_partition request = grid(8, 8, 8);
    request.ranks[0] = request.ranks[1] = request.ranks[2] = 2;
    hx_part part;
    assert_int_equal(hx_decompose_as(1, 8, &request, &part), HX_OK);
    assert_int_equal(part.index[0] * 100 + part.index[1] * 10 + part.index[2], 1);
    assert_int_equal(hx_decompose_as(6, 8, &request, &part), HX_OK);
    assert_int_equal(part.index[0] * 100 + part.index[1] * 10 + part.index[2], 110);
}

/* As codes count that have x the fastest: rank = x + 4 (y + 3 z). */
static void ranks_count_along_the_first_axis_first(void **state)
{
    (void)state;
    hx_partition request = grid(8, 8, 8);
    static const int ranks[] = {4, 3, 2};
    memcpy(request.ranks, ranks, sizeof ranks);
    request.first_fastest = 1;
    for (int rank = 0; rank < 24; ++rank) {
        hx_part part, same;
        assert_int_equal(hx_decompose_as(rank, 24, &request, &part), HX_OK);
        assert_int_equal(part.index[0] + 4 * (part.index[1] + 3 * part.index[2]), rank);
        assert_int_equal(hx_part_of(&request, 0, rank, &same), HX_OK);
        assert_memory_equal(part.index, same.index, sizeof part.index);
        assert_memory_equal(part.first, same.first, sizeof part.first);
    }
}

static hx_status lay_out(const hx_partition *p, int first_fastest)
{
    const hx_spec spec = {.name = "t",
                          .file = "t.lua",
                          .axes = 3,
                          .axis = {"x", "y", "z"},
                          .tiles = 1,
                          .decomposed = {1, 1, 1},
                          .first_fastest = first_fastest};
    const hx_blocks blocks = {.tiles = 1, .partition = p};
    hxi_layout layout;
    const hx_status status = hxi_layout_make(&spec, &blocks, 12, &layout);
    for (int block = 0; status == HX_OK && block < 12; ++block) {
        hx_part part;
        int index[HX_MAX_AXES];
        assert_int_equal(hx_part_of(p, 0, block, &part), HX_OK);
        hxi_layout_index(&layout, 0, block, index);
        assert_memory_equal(index, part.index, sizeof index);
        assert_int_equal(hxi_layout_block(&layout, 0, part.index), block);
    }
    hxi_layout_free(&layout);
    return status;
}

static void a_spec_and_its_partitions_count_blocks_alike(void **state)
{
    (void)state;
    hx_partition p = grid(6, 2, 4);
    static const int parts[] = {3, 1, 4};
    memcpy(p.ranks, parts, sizeof parts);
    assert_int_equal(lay_out(&p, 0), HX_OK);
    assert_int_equal(lay_out(&p, 1), HX_ERR_PARTITION);
    assert_string_equal(
        hx_last_error(),
        "The partition of tile 0 numbers its blocks along axis z first, the grid of t.lua along axis x; "
        "hx_partition.first_fastest is 0 and must be 1.  t_partition sets it; ranks of a Cartesian "
        "communicator have numbers that rise along the last axis first.");
    p.first_fastest = 1;
    assert_int_equal(lay_out(&p, 1), HX_OK);
    assert_int_equal(lay_out(&p, 0), HX_ERR_PARTITION);
    assert_non_null(strstr(hx_last_error(), "along axis x first, the grid of t.lua along axis z; "
                                            "hx_partition.first_fastest is 1 and must be 0."));
}

/* Bytes that leave the busiest rank, by asking every rank. */
static double busiest(const hx_partition *p, int ranks)
{
    double most = 0.0;
    for (int rank = 0; rank < ranks; ++rank) {
        hx_part part;
        assert_int_equal(hx_part_of(p, 0, rank, &part), HX_OK);
        double bytes = 0.0;
        for (int a = 0; a < 3; ++a) {
            const int low = part.index[a] > 0 || p->periodic[a];
            const int high = part.index[a] < p->ranks[a] - 1 || p->periodic[a];
            const int cut = p->ranks[a] > 1 ? low + high : 0;
            bytes += cut * p->face_bytes[a] * part.n[(a + 1) % 3] * part.n[(a + 2) % 3];
        }
        most = bytes > most ? bytes : most;
    }
    return most;
}

static void the_choice_sends_the_fewest_bytes(void **state)
{
    (void)state;
    static const int sizes[][3] = {{12, 12, 12}, {30, 7, 11}, {64, 2, 9}, {5, 5, 50}};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; ++i) {
        for (int ranks = 1; ranks <= 24; ++ranks) {
            hx_partition p = grid(sizes[i][0], sizes[i][1], sizes[i][2]);
            p.face_bytes[2] = 20.0;
            hx_part part;
            if (hx_decompose_as(0, ranks, &p, &part) != HX_OK) {
                continue;
            }
            const double chosen = busiest(&part.partition, ranks);
            for (p.ranks[0] = 1; p.ranks[0] <= ranks; ++p.ranks[0]) {
                for (p.ranks[1] = 1; p.ranks[1] * p.ranks[0] <= ranks; ++p.ranks[1]) {
                    p.ranks[2] = ranks / p.ranks[0] / p.ranks[1];
                    const int possible = p.ranks[0] * p.ranks[1] * p.ranks[2] == ranks &&
                                         p.ranks[0] <= p.cells[0] && p.ranks[1] <= p.cells[1] &&
                                         p.ranks[2] <= p.cells[2];
                    assert_true(!possible || chosen <= busiest(&p, ranks));
                }
            }
        }
    }
}

static void among_equals_the_first_axes_are_cut_least(void **state)
{
    (void)state;
    hx_partition request = grid(8, 8, 8);
    request.periodic[1] = 1;
    hx_part part;
    assert_int_equal(hx_decompose_as(0, 2, &request, &part), HX_OK);
    static const int last[] = {1, 1, 2};
    assert_memory_equal(part.partition.ranks, last, sizeof last);
    assert_int_equal(hx_decompose_as(0, 6, &request, &part), HX_OK);
    static const int rising[] = {1, 2, 3};
    assert_memory_equal(part.partition.ranks, rising, sizeof rising);
}

static void given_parts_and_cuts_are_kept(void **state)
{
    (void)state;
    static const int cuts[] = {0, 1, 6, 8};
    hx_partition request = grid(8, 4, 4);
    request.ranks[0] = 3;
    request.cuts[0] = cuts;
    hx_part part;
    assert_int_equal(hx_decompose_as(5, 6, &request, &part), HX_OK);
    assert_int_equal(part.partition.ranks[0], 3);
    assert_int_equal(part.first[0], 6);
    assert_int_equal(part.n[0], 2);
    assert_int_equal(part.partition.ranks[1] * part.partition.ranks[2], 2);
}

static void expect_refused(const hx_partition *request, int ranks, hx_status status, const char *text)
{
    hx_part part;
    memset(&part, 0x55, sizeof part);
    assert_int_equal(hx_decompose_as(0, ranks, request, &part), status);
    const hx_part none = {0};
    assert_memory_equal(&part.partition.axes, &none.partition.axes, sizeof part.partition.axes);
    assert_memory_equal(part.n, none.n, sizeof part.n);
    if (!strstr(hx_last_error(), text)) {
        fail_msg("no \"%s\" in \"%s\"", text, hx_last_error());
    }
}

static void impossible_partitions_are_refused(void **state)
{
    (void)state;
    hx_partition p = grid(4, 2, 1);
    expect_refused(&p, 7, HX_ERR_PARTITION, "7 ranks cannot share a grid of 4 x 2 x 1 cells; the largest");
    expect_refused(&p, 7, HX_ERR_PARTITION, "below that fits is 6");
    expect_refused(&p, 100, HX_ERR_PARTITION, "below that fits is 8");
    p.ranks[0] = 3;
    expect_refused(&p, 2, HX_ERR_PARTITION, "with the parts asked for, 3 x 0 x 0 (0: chosen); the fewest");
    expect_refused(&p, 2, HX_ERR_PARTITION, "the fewest ranks that fit are 3");
    expect_refused(&p, 1, HX_ERR_PARTITION, "1 rank cannot");
    p.ranks[0] = 5;
    expect_refused(&p, 5, HX_ERR_PARTITION, "5 parts for the 4 cells along axis 0");
    p.ranks[0] = -1;
    expect_refused(&p, 5, HX_ERR_PARTITION, "ranks[0] = -1");
    p = grid(0, 2, 1);
    expect_refused(&p, 1, HX_ERR_PARTITION, "0 cells along axis 0");
    p = grid(HX_MAX_CELLS + 1, 2, 1);
    expect_refused(&p, 1, HX_ERR_LIMIT, "1000000001 cells along axis 0; libhx counts up to 1000000000");
    p.axes = 5;
    expect_refused(&p, 1, HX_ERR_PARTITION, "5 axes");
    p = grid(1 << 20, 1 << 20, 1);
    p.ranks[0] = p.ranks[1] = 1 << 20;
    expect_refused(&p, 1, HX_ERR_LIMIT, "1048576 x 1048576");
}

static void bad_cuts_are_refused(void **state)
{
    (void)state;
    hx_partition p = grid(8, 4, 4);
    static const int short_of[] = {0, 4, 7};
    static const int falling[] = {0, 0, 8};
    p.cuts[0] = short_of;
    expect_refused(&p, 2, HX_ERR_PARTITION, "ranks[0] is 0");
    p.ranks[0] = 2;
    expect_refused(&p, 2, HX_ERR_PARTITION, "run from 0 to 7; they must run from 0 to its 8 cells");
    p.cuts[0] = falling;
    expect_refused(&p, 2, HX_ERR_PARTITION, "Cut 0 along axis 0 is at cell 0 and cut 1 at cell 0");
}

static void parts_that_are_not_there_are_refused(void **state)
{
    (void)state;
    hx_partition p = grid(8, 8, 8);
    p.ranks[0] = 2;
    p.ranks[1] = p.ranks[2] = 1;
    hx_part part = {.n = {5}};
    assert_int_equal(hx_part_of(&p, 0, 2, &part), HX_ERR_ARGUMENT);
    assert_string_equal(
        hx_last_error(),
        "There is no tile 0, block 2; tiles and blocks count from 0, and the partition has 2 blocks.");
    assert_int_equal(part.n[0], 0);
    assert_int_equal(hx_part_of(&p, -1, 0, &part), HX_ERR_ARGUMENT);
    assert_int_equal(hx_part_of(&p, 0, 0, NULL), HX_ERR_ARGUMENT);
    p.ranks[0] = 9;
    assert_int_equal(hx_part_of(&p, 0, 0, &part), HX_ERR_PARTITION);
}

/* Each tile has fewer blocks than an int counts, and both together have more. */
static void blocks_of_all_tiles_are_counted(void **state)
{
    (void)state;
    hx_partition p = {.axes = 2, .cells = {32768, 65535}, .ranks = {32768, 65535}};
    const hx_partition tiles[] = {p, p};
    const hx_spec spec = {.name = "t", .axes = 2, .tiles = 2, .decomposed = {1, 1}};
    const hx_blocks blocks = {.tiles = 2, .partition = tiles};
    hxi_layout layout;
    assert_int_equal(hxi_layout_make(&spec, &blocks, 2, &layout), HX_ERR_LIMIT);
    assert_string_equal(hx_last_error(),
                        "The partitions have 4294901760 blocks; libhx counts up to 2147483647.");
    hxi_layout_free(&layout);
}

static void an_explanation_says_what_was_chosen(void **state)
{
    (void)state;
    const hx_partition request = grid(64, 64, 64);
    hx_part part;
    assert_int_equal(hx_decompose_as(0, 12, &request, &part), HX_OK);
    char text[2048];
    const size_t length = hx_explain_partition(12, &request, text, sizeof text);
    assert_int_equal(length, strlen(text));
    assert_non_null(
        strstr(text, "bytes sent and received when every exchange is done once, without corners"));
    assert_non_null(strstr(text, "neighbors\n"));
    const char *line = strstr(text, "chosen");
    assert_non_null(line);
    while (line[-1] != '\n') {
        --line;
    }
    assert_int_equal(line[2] - '0', part.partition.ranks[0]);
    assert_int_equal(line[6] - '0', part.partition.ranks[1]);
    char small[10];
    assert_int_equal(hx_explain_partition(12, &request, small, sizeof small), length);
    assert_memory_equal(small, text, 9);
    assert_int_equal(hx_explain_partition(12, &request, NULL, 0), length);
    hx_explain_partition(13 * 67, &request, text, sizeof text);
    assert_non_null(strstr(text, "871 ranks cannot share"));
}

static void large_numbers_of_ranks_are_chosen_at_once(void **state)
{
    (void)state;
    const hx_partition request = grid(4096, 4096, 4096);
    hx_part part;
    assert_int_equal(hx_decompose_as(999999, 1000000, &request, &part), HX_OK);
    assert_int_equal(part.partition.ranks[0], 100);
    assert_int_equal(hx_decompose_as(0, 2000003, &request, &part), HX_ERR_PARTITION); /* a prime */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_cover_the_grid_once),
        cmocka_unit_test(ranks_count_as_mpi_counts_them),
        cmocka_unit_test(ranks_count_along_the_first_axis_first),
        cmocka_unit_test(a_spec_and_its_partitions_count_blocks_alike),
        cmocka_unit_test(the_choice_sends_the_fewest_bytes),
        cmocka_unit_test(among_equals_the_first_axes_are_cut_least),
        cmocka_unit_test(given_parts_and_cuts_are_kept),
        cmocka_unit_test(impossible_partitions_are_refused),
        cmocka_unit_test(bad_cuts_are_refused),
        cmocka_unit_test(parts_that_are_not_there_are_refused),
        cmocka_unit_test(blocks_of_all_tiles_are_counted),
        cmocka_unit_test(an_explanation_says_what_was_chosen),
        cmocka_unit_test(large_numbers_of_ranks_are_chosen_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
