/*
 * Epochs without MPI: which step may follow which, against a list of what may; and what conflicts.
 */
#include "window/window_epoch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/* From each kind of epoch, by letter: F fence, P post, W wait, S start, C complete, L lock, U unlock, A
 * lock_all, N unlock_all, H flush, I flush_local, Y sync, R free. */
static const char letters[] = "FPWSCLUANHIYR";

static void expect(const hxi_epoch *epoch, const char *may)
{
    for (int step = HX_STEP_FENCE; step <= HX_STEP_FREE; ++step) {
        const bool targeted = step == HX_STEP_LOCK || step == HX_STEP_UNLOCK || step == HX_STEP_FLUSH;
        bool listed = false;
        for (const char *m = may; *m; ++m) {
            listed = listed || *m == letters[step];
        }
        const hx_status status = hxi_epoch_may(epoch, (hxi_step)step, targeted ? 1 : -1);
        if ((status == HX_OK) != listed) {
            fail_msg("step %c: %s, but expected are '%s'", letters[step], hx_last_error(), may);
        }
    }
}

static void test_steps(void **state)
{
    (void)state;
    hxi_epoch e;
    assert_int_equal(hxi_epoch_make(3, &e), HX_OK);
    expect(&e, "FPSLAR");
    hxi_epoch_note(&e, HX_STEP_FENCE, -1, true);
    expect(&e, "FPSLAR");
    e.accesses = 1;
    expect(&e, "F");
    hxi_epoch_note(&e, HX_STEP_FENCE, -1, false);
    expect(&e, "FPSLAR");
    hxi_epoch_note(&e, HX_STEP_POST, -1, true);
    expect(&e, "WS");
    hxi_epoch_note(&e, HX_STEP_START, -1, true);
    e.open[1] = 1;
    expect(&e, "WC");
    hxi_epoch_note(&e, HX_STEP_WAIT, -1, true);
    expect(&e, "PC");
    hxi_epoch_note(&e, HX_STEP_COMPLETE, -1, true);
    expect(&e, "FPSLAR");
    hxi_epoch_note(&e, HX_STEP_LOCK, 1, true);
    expect(&e, "UHIY");
    hxi_epoch_note(&e, HX_STEP_LOCK, 2, true);
    hxi_epoch_note(&e, HX_STEP_UNLOCK, 1, true);
    expect(&e, "LIY"); /* of target 2 still */
    hxi_epoch_note(&e, HX_STEP_UNLOCK, 2, true);
    expect(&e, "FPSLAR");
    hxi_epoch_note(&e, HX_STEP_LOCK_ALL, -1, true);
    expect(&e, "NHIY");
    hxi_epoch_note(&e, HX_STEP_UNLOCK_ALL, -1, true);
    expect(&e, "FPSLAR");
    hxi_epoch_free(&e);
}

/* An access of bytes lo to hi - 1 of target 1, with a buffer at 1000 + lo. */
static hxi_access access_of(hxi_access_kind kind, uint64_t lo, uint64_t hi)
{
    const hxi_range buffer = {1000 + lo, 1000 + hi};
    return (hxi_access){.kind = kind,
                        .target = 1,
                        .op = MPI_SUM,
                        .part = {lo, hi},
                        .from = kind == HX_ACCESS_GET ? (hxi_range){0, 0} : buffer,
                        .into = kind == HX_ACCESS_GET ? buffer : (hxi_range){0, 0}};
}

static void remember(hxi_epoch *e, const hxi_access *access)
{
    assert_int_equal(hxi_epoch_may_access(e, access), HX_OK);
    assert_int_equal(hxi_epoch_reserve(e), HX_OK);
    hxi_epoch_remember(e, access);
}

static void test_conflicts(void **state)
{
    (void)state;
    static const bool clash[3][3] = {{true, true, true}, {true, false, true}, {true, true, false}};
    for (int first = 0; first < 3; ++first) {
        for (int second = 0; second < 3; ++second) {
            hxi_epoch e;
            assert_int_equal(hxi_epoch_make(3, &e), HX_OK);
            hxi_epoch_note(&e, HX_STEP_LOCK_ALL, -1, true);
            hxi_access a = access_of((hxi_access_kind)first, 10, 20);
            remember(&e, &a);
            for (uint64_t lo = 0; lo < 30; ++lo) {
                hxi_access b = access_of((hxi_access_kind)second, lo, lo + 5);
                b.from = b.into = (hxi_range){0, 0};
                const bool meets = lo + 5 > 10 && lo < 20;
                assert_int_equal(hxi_epoch_may_access(&e, &b) != HX_OK, meets && clash[first][second]);
                b.target = 2;
                assert_int_equal(hxi_epoch_may_access(&e, &b), HX_OK);
            }
            hxi_epoch_free(&e);
        }
    }
}

/* What is not over after the user's MPI_Wait still conflicts; what is does not. */
static void test_requests(void **state)
{
    (void)state;
    hxi_epoch e;
    assert_int_equal(hxi_epoch_make(3, &e), HX_OK);
    hxi_epoch_note(&e, HX_STEP_LOCK_ALL, -1, true);
    hxi_access get = access_of(HX_ACCESS_GET, 0, 8);
    get.request = true;
    remember(&e, &get);
    hxi_access put = access_of(HX_ACCESS_PUT, 0, 8);
    put.request = true;
    remember(&e, &put);
    assert_int_equal(hxi_epoch_may_access(&e, &get), HX_ERR_STATE);
    hxi_access elsewhere = access_of(HX_ACCESS_GET, 0, 8); /* into the buffer of the put */
    elsewhere.part = (hxi_range){100, 108};
    remember(&e, &elsewhere);
    assert_int_equal(hxi_epoch_may_access(&e, &elsewhere), HX_ERR_STATE);
    hxi_epoch_note(&e, HX_STEP_FLUSH_LOCAL, -1, true);
    assert_int_equal(hxi_epoch_may_access(&e, &elsewhere), HX_OK);
    for (uint64_t i = 0; i < 100; ++i) {
        hxi_access many = access_of(HX_ACCESS_PUT, 1000 + 8 * i, 1008 + 8 * i);
        remember(&e, &many);
    }
    hxi_epoch_note(&e, HX_STEP_FLUSH, 2, true);
    assert_int_equal(hxi_epoch_may_access(&e, &put), HX_ERR_STATE);
    hxi_epoch_note(&e, HX_STEP_FLUSH, 1, true);
    assert_int_equal(hxi_epoch_may_access(&e, &put), HX_OK);
    hxi_epoch_free(&e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_steps),
        cmocka_unit_test(test_conflicts),
        cmocka_unit_test(test_requests),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
