/*
 * Samples of starts, whose fault waits are, and who gets the blame in the end, for ranks whose every step is known:
 * here a rank works, comes to an exchange, and goes on when all that it depends on have come.
 */
#include "observe/blame.h"
#include "observe/lateness.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void assert_near(double found, double expected)
{
    if (!(fabs(found - expected) <= 1e-9)) {
        fail_msg("%.12g, not %.12g", found, expected);
    }
}

/* ---- samples ------------------------------------------------------------------------------------------- */

static void add_numbers(hxi_sample *sample, uint64_t from, uint64_t to)
{
    for (uint64_t n = from; n < to; ++n) {
        hxi_sample_add(sample, &(hxi_occurrence){.number = n, .waited = 1.0});
    }
}

static void few_are_all_kept(void **state)
{
    (void)state;
    hxi_sample sample;
    assert_int_equal(hxi_sample_make(&sample), HX_OK);
    add_numbers(&sample, 0, HX_SAMPLE);
    assert_int_equal(sample.count, HX_SAMPLE);
    for (int i = 0; i < HX_SAMPLE; ++i) {
        assert_int_equal(sample.kept[i].number, i);
    }
    hxi_sample_free(&sample);
}

/* Of a hundred thousand some hundreds are left, from all times, of even and odd numbers alike; two ranks keep the
 * same ones. */
static void many_are_thinned_alike(void **state)
{
    (void)state;
    enum { MANY = 100000, PARTS = 8 };
    hxi_sample sample;
    hxi_sample other;
    int part[PARTS] = {0};
    int odd = 0;
    assert_int_equal(hxi_sample_make(&sample), HX_OK);
    assert_int_equal(hxi_sample_make(&other), HX_OK);
    add_numbers(&sample, 0, MANY);
    add_numbers(&other, 0, MANY);
    assert_in_range(sample.count, HX_SAMPLE / 4, HX_SAMPLE);
    assert_near(sample.waited, sample.count);
    assert_memory_equal(sample.kept, other.kept, (size_t)sample.count * sizeof *sample.kept);
    for (int i = 0; i < sample.count; ++i) {
        part[sample.kept[i].number * PARTS / MANY]++;
        odd += sample.kept[i].number % 2 == 1;
    }
    for (int p = 0; p < PARTS; ++p) {
        assert_in_range(part[p], sample.count / PARTS / 2, sample.count / PARTS * 2);
    }
    assert_in_range(odd, sample.count / 3, sample.count * 2 / 3);
    hxi_sample_free(&sample);
    hxi_sample_free(&other);
}

/* ---- a line of ranks ----------------------------------------------------------------------------------- */

enum { RANKS = 7, STEPS = 50 };

typedef struct line {
    hxi_sample sample[RANKS];
    hxi_due due[RANKS][STEPS]; /* what the ends of its waits depended on */
    hxi_lateness late[RANKS];
    hxi_waits waits[RANKS];
    double waited[RANKS];
    double blame[RANKS];
} line;

/* Of the clock of rank 1, per second; others drift as many times as much as their number. */
static double drift;

/* Clocks differ. */
static hxi_clock_line clock_of(int rank)
{
    return (hxi_clock_line){.ahead = rank * 1000.0, .drift = rank * drift, .since = 17.0};
}

/* What the clock of a rank shows when the shared one shows `seconds`. */
static double shown(int rank, double seconds)
{
    const hxi_clock_line clock = clock_of(rank);
    return (seconds - clock.ahead + clock.drift * clock.since) / (1.0 + clock.drift);
}

/* work: seconds of a rank in a step.  Each exchanges with the rank on either side; transfer takes a second. */
static void run_line(double (*work)(int rank, int step), line *l)
{
    double now[RANKS] = {0};
    double waited_before[RANKS] = {0};
    memset(l, 0, sizeof *l);
    for (int r = 0; r < RANKS; ++r) {
        assert_int_equal(hxi_sample_make(&l->sample[r]), HX_OK);
        assert_int_equal(hxi_lateness_make(&l->late[r]), HX_OK);
    }
    for (int step = 0; step < STEPS; ++step) {
        double came[RANKS];
        for (int r = 0; r < RANKS; ++r) {
            came[r] = now[r] + work(r, step);
        }
        for (int r = 0; r < RANKS; ++r) {
            double last = came[r];
            for (int p = r - 1; p <= r + 1; p += 2) {
                last = p >= 0 && p < RANKS && came[p] > last ? came[p] : last;
            }
            const double end = last + 1.0;
            hxi_sample_add(&l->sample[r], &(hxi_occurrence){.number = (uint64_t)step,
                                                            .started = shown(r, came[r]),
                                                            .finishing = shown(r, came[r]),
                                                            .waited = end - came[r],
                                                            .before = shown(r, now[r]),
                                                            .waited_before = waited_before[r]});
            waited_before[r] = end - came[r];
            l->waited[r] += end - came[r];
        }
        for (int r = 0; r < RANKS; ++r) {
            now[r] = came[r] + waited_before[r];
        }
    }
}

/* Ranks tell each other, in one round. */
static void tell_line(line *l)
{
    hxi_due own[RANKS][STEPS];
    for (int r = 0; r < RANKS; ++r) {
        const hxi_clock_line clock = clock_of(r);
        hxi_due_own(&l->sample[r], true, &clock, r, own[r]);
    }
    for (int r = 0; r < RANKS; ++r) {
        hxi_due_none(&l->sample[r], l->due[r]);
        for (int p = r - 1; p <= r + 1; p += 2) {
            if (p >= 0 && p < RANKS) {
                hxi_due_take(l->due[r], STEPS, own[p], STEPS);
            }
        }
        const hxi_clock_line clock = clock_of(r);
        hxi_lateness_find(&l->sample[r], &clock, l->due[r], &l->late[r]);
        l->waits[r] = (hxi_waits){l->late[r].awaited, l->late[r].count};
    }
    double spare[2 * RANKS];
    hxi_blame_find(l->waits, RANKS, l->blame, spare);
}

static void free_line(line *l)
{
    for (int r = 0; r < RANKS; ++r) {
        hxi_sample_free(&l->sample[r]);
        hxi_lateness_free(&l->late[r]);
    }
}

/* A second of transfer in each step, and the rest of each wait is somebody's lateness. */
static void check_sums(const line *l)
{
    double late = 0.0;
    double blame = 0.0;
    for (int r = 0; r < RANKS; ++r) {
        assert_near(l->late[r].late, l->waited[r] - STEPS * 1.0);
        late += l->late[r].late;
        blame += l->blame[r];
    }
    assert_near(blame, late);
}

static double all_alike(int rank, int step)
{
    (void)rank;
    (void)step;
    return 5.0;
}

static void nobody_is_late(void **state)
{
    (void)state;
    static line l;
    run_line(all_alike, &l);
    tell_line(&l);
    check_sums(&l);
    for (int r = 0; r < RANKS; ++r) {
        assert_near(l.late[r].late, 0.0);
        assert_int_equal(l.late[r].count, 0);
    }
    free_line(&l);
}

static double rank_4_is_slow(int rank, int step)
{
    (void)step;
    return rank == 4 ? 5.5 : 5.0;
}

/* Ranks 1 and 6 do not even talk to rank 4; they wait for ranks that have waited for it. */
static void all_blame_goes_to_the_slow_one(void **state)
{
    (void)state;
    static line l;
    run_line(rank_4_is_slow, &l);
    tell_line(&l);
    check_sums(&l);
    double all = 0.0;
    for (int r = 0; r < RANKS; ++r) {
        all += l.blame[r];
    }
    assert_near(l.late[3].late, STEPS * 0.5);
    assert_near(l.late[4].late, 0.0);
    assert_true(all > 0.9 * STEPS * 0.5 * (RANKS - 1) - 10.0);
    if (!(l.blame[4] > 0.99 * all)) {
        fail_msg("rank 4 has %g of %g", l.blame[4], all);
    }
    free_line(&l);
}

static void clocks_that_drift_make_no_difference(void **state)
{
    drift = 0.01;
    all_blame_goes_to_the_slow_one(state);
    drift = 0.0;
}

/* Each step another one is slow: nobody is to blame for more than its part. */
static double one_after_the_other(int rank, int step)
{
    return step % RANKS == rank ? 6.0 : 5.0;
}

static void blame_is_shared(void **state)
{
    (void)state;
    static line l;
    run_line(one_after_the_other, &l);
    tell_line(&l);
    check_sums(&l);
    double all = 0.0;
    for (int r = 0; r < RANKS; ++r) {
        all += l.blame[r];
    }
    for (int r = 0; r < RANKS; ++r) {
        assert_true(l.blame[r] < 0.4 * all);
    }
    free_line(&l);
}

/* ---- phases -------------------------------------------------------------------------------------------- */

static hxi_sample one_start(hxi_occurrence *occurrence)
{
    return (hxi_sample){.kept = occurrence, .count = 1, .waited = occurrence->waited};
}

/*
 * Along x rank 1 waits for rank 2, which starts late; along y rank 0 waits for rank 1.  So it waits for rank 2,
 * with which it exchanges nothing.
 */
static void a_later_phase_tells_of_the_earlier(void **state)
{
    (void)state;
    hxi_occurrence of[] = {{.number = 3, .started = 1.0, .finishing = 2.0, .waited = 8.0},
                           {.number = 3, .started = 1.0, .finishing = 2.0, .waited = 7.0},
                           {.number = 3, .started = 8.0, .finishing = 8.5, .waited = 1.0}};
    hxi_sample sample[] = {one_start(&of[0]), one_start(&of[1]), one_start(&of[2])};
    hxi_due from_2;
    hxi_due done;
    hxi_due from_1;
    hxi_due_own(&sample[2], true, &(hxi_clock_line){0}, 2, &from_2);
    hxi_due_none(&sample[1], &done);
    hxi_due_take(&done, 1, &from_2, 1);
    hxi_due_own(&sample[1], false, &(hxi_clock_line){0}, 1, &from_1);
    hxi_due_take(&from_1, 1, &done, 1);
    hxi_due_none(&sample[0], &done);
    hxi_due_take(&done, 1, &from_1, 1);
    hxi_lateness late;
    assert_int_equal(hxi_lateness_make(&late), HX_OK);
    hxi_lateness_find(&sample[0], &(hxi_clock_line){0}, &done, &late);
    assert_int_equal(late.count, 1);
    assert_int_equal(late.awaited[0].rank, 2);
    assert_near(late.awaited[0].own, 6.0);
    assert_near(late.late, 6.0);
    hxi_lateness_free(&late);
}

/* Who heard nothing about an occurrence waits for nobody; and not for longer than it did wait. */
static void what_is_not_told_is_transfer(void **state)
{
    (void)state;
    hxi_occurrence of[] = {{.number = 7, .finishing = 2.0, .waited = 1.0},
                           {.number = 9, .finishing = 4.0, .waited = 1.0}};
    const hxi_sample sample = {.kept = of, .count = 2, .waited = 2.0};
    const hxi_due heard[] = {{.number = 8, .due = 100.0, .rank = 1}, {.number = 9, .due = 6.0, .rank = 1}};
    hxi_due done[2];
    hxi_lateness late;
    hxi_due_none(&sample, done);
    hxi_due_take(done, 2, heard, 2);
    assert_int_equal(hxi_lateness_make(&late), HX_OK);
    for (int i = 0; i < 2; ++i) { /* what was found before is forgotten */
        hxi_lateness_find(&sample, &(hxi_clock_line){0}, done, &late);
        assert_near(late.late, 1.0);
        assert_int_equal(late.count, 1);
    }
    hxi_lateness_free(&late);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(few_are_all_kept),
        cmocka_unit_test(many_are_thinned_alike),
        cmocka_unit_test(nobody_is_late),
        cmocka_unit_test(all_blame_goes_to_the_slow_one),
        cmocka_unit_test(clocks_that_drift_make_no_difference),
        cmocka_unit_test(blame_is_shared),
        cmocka_unit_test(a_later_phase_tells_of_the_earlier),
        cmocka_unit_test(what_is_not_told_is_transfer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
