/*
 * Owners of blocks in little memory, against the tables that they were made from: the owner of each block, how many
 * a rank has in any stretch of blocks, and that the usual tables are few stretches.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "grid/owners.h"

#include <hx/hx.h>

#include <stdlib.h>

enum { MOST = 600, TABLES = 400 };

static uint64_t dice = 1;

static int roll(int below)
{
    dice = dice * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int)((dice >> 33) % (uint64_t)below);
}

static int count_of(const int *table, int rank, int first, int end)
{
    int count = 0;
    for (int b = first; b < end; ++b) {
        count += table[b] == rank;
    }
    return count;
}

static void compare(const int *table, int blocks)
{
    hxi_owners owners;
    assert_int_equal(hxi_owners_make(table, blocks, &owners), HX_OK);
    assert_int_equal(owners.blocks, blocks);
    for (int b = 0; b < blocks; ++b) {
        assert_int_equal(hxi_owners_of(&owners, b), table[b]);
    }
    for (int i = 0; i < 8; ++i) {
        const int first = roll(blocks);
        const int end = first + roll(blocks - first + 1);
        const int rank = i % 2 ? table[roll(blocks)] : roll(MOST) - 1;
        assert_int_equal(hxi_owners_count(&owners, rank, first, end), count_of(table, rank, first, end));
    }
    const size_t held = sizeof *owners.stretch * (size_t)owners.stretches;
    assert_true(owners.table ? owners.stretches == 0 : held <= sizeof *table * (size_t)blocks);
    hxi_owners_free(&owners);
    assert_int_equal(owners.blocks, 0);
}

/* Stretches of any kind, behind each other. */
static void put_stretches(int *table, int blocks)
{
    for (int b = 0; b < blocks;) {
        const int rank = roll(4) ? roll(MOST) : HX_NO_OWNER;
        const int each = 1 + roll(6);
        const int end = b + 1 + roll(60);
        for (int first = b; b < end && b < blocks; ++b) {
            table[b] = rank == HX_NO_OWNER ? rank : rank + (b - first) / each;
        }
    }
}

/* Ranks in order, which have nearly as many blocks each. */
static void put_in_order(int *table, int blocks)
{
    for (int b = 0, rank = roll(3) - 1; b < blocks; ++rank) {
        for (int end = b + 6 + roll(3); b < end && b < blocks; ++b) {
            table[b] = rank;
        }
    }
}

static void any_table(void **state)
{
    int table[MOST];
    (void)state;
    for (int t = 0; t < TABLES; ++t) {
        const int blocks = 1 + roll(MOST);
        const int below = 1 + roll(t % 3 ? 5 : MOST);
        put_stretches(table, blocks);
        compare(table, blocks);
        put_in_order(table, blocks);
        compare(table, blocks);
        for (int b = 0; b < blocks && t % 2; ++b) {
            table[b] = roll(below) - 1;
        }
        compare(table, blocks);
    }
}

static int stretches_of(const int *table, int blocks)
{
    hxi_owners owners;
    assert_int_equal(hxi_owners_make(table, blocks, &owners), HX_OK);
    const int stretches = owners.table ? -1 : owners.stretches;
    hxi_owners_free(&owners);
    return stretches;
}

/* As many as say it, whatever the number of ranks. */
static void few_stretches(void **state)
{
    enum { RANKS = 100000, EACH = 8, ROW = 50 };
    int *table = malloc(sizeof *table * RANKS * EACH);
    (void)state;
    assert_non_null(table);
    for (int b = 0; b < RANKS * EACH; ++b) {
        table[b] = b / EACH;
    }
    assert_int_equal(stretches_of(table, RANKS * EACH), 1);
    for (int b = 0; b < RANKS * EACH; ++b) { /* the first ranks have one more */
        table[b] = b / (EACH + 1) < ROW ? b / (EACH + 1) : (b - ROW) / EACH;
    }
    assert_int_equal(stretches_of(table, RANKS * EACH), 2);
    for (int b = 0; b < RANKS * EACH;
         ++b) { /* each rank has two by two in a plane: every other row goes on */
        table[b] = b / ROW / 2 * (ROW / 2) + b % ROW / 2;
    }
    assert_int_equal(stretches_of(table, RANKS * EACH), RANKS * EACH / ROW / 2 + 1);
    for (int b = 0; b < RANKS * EACH; ++b) {
        table[b] = b < RANKS ? HX_NO_OWNER : b - RANKS;
    }
    assert_int_equal(stretches_of(table, RANKS * EACH), 2);
    for (int b = 0; b < RANKS * EACH; ++b) { /* nothing to say it by */
        table[b] = b % 2 ? b : RANKS - b;
    }
    assert_int_equal(stretches_of(table, RANKS), -1);
    free(table);
}

/* Ranks compare tables by it. */
static void hash_tells_tables_apart(void **state)
{
    int table[MOST];
    (void)state;
    for (int t = 0; t < TABLES; ++t) {
        hxi_owners a;
        hxi_owners b;
        put_stretches(table, MOST);
        assert_int_equal(hxi_owners_make(table, MOST, &a), HX_OK);
        table[roll(MOST)] += 1 + roll(3);
        assert_int_equal(hxi_owners_make(table, MOST, &b), HX_OK);
        assert_true(a.hash != b.hash);
        hxi_owners_free(&a);
        hxi_owners_free(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_table),
        cmocka_unit_test(few_stretches),
        cmocka_unit_test(hash_tells_tables_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
