/*
 * Where message buffers are: in a pool of the user's, which they go back to; in buffers that all exchanges
 * share.
 */
#include "harness.h"

#include <hx/pool.h>

#include <stdlib.h>
#include <string.h>

static hx_pool_counters count(hx_pool *pool)
{
    hx_pool_counters counters = {0};
    expect_ok(hx_pool_count(pool, &counters));
    return counters;
}

static hx_handle *create(harness_setting *s)
{
    hx_handle *handle = NULL;
    expect_ok(hx_create(&s->e.spec, &s->blocks, &s->shape, &s->options, &handle));
    return handle;
}

/* Fills the arrays, the same each time, and does both exchanges of the spec, twice. */
static void exchange(harness_setting *s, hx_handle *handle)
{
    const size_t elements[] = {hx_points(&s->e.spec, &s->shape, EXAMPLE_A),
                               hx_points(&s->e.spec, &s->shape, EXAMPLE_B)};
    for (size_t i = 0; i < elements[EXAMPLE_A]; ++i) {
        s->fields.a[i] = (double)i + 1e6 * harness_rank;
    }
    for (size_t i = 0; i < elements[EXAMPLE_B]; ++i) {
        s->fields.b[i] = (int32_t)i - 1000000 * harness_rank;
    }
    for (int i = 0; handle && i < 2 * EXAMPLE_EXCHANGES; ++i) {
        expect_ok(hx_start(handle, i % EXAMPLE_EXCHANGES, &s->fields));
        expect_ok(hx_finish(handle, i % EXAMPLE_EXCHANGES));
    }
}

static void buffers_go_back_to_the_pool(const char *transport)
{
    harness_setting s;
    harness_set(&s, transport);
    hx_pool *pool = NULL;
    expect_ok(hx_pool_create(1, &pool));
    s.options.pool = pool;
    hx_handle *handle = create(&s);
    exchange(&s, handle);
    expect_text(hx_describe(handle), "message buffers are from the pool of the options\n");
    const hx_pool_counters first = count(pool);
    expect((first.held > 0) == (harness_ranks > 1 || strcmp(transport, "neighbor") == 0));
    expect_status(first.held > 0 ? HX_ERR_STATE : HX_OK, first.held > 0 ? hx_pool_destroy(pool) : HX_OK);
    expect_ok(hx_destroy(handle));
    expect(count(pool).held == 0 && count(pool).idle == first.in_use);

    handle = create(&s);
    exchange(&s, handle);
    expect(count(pool).reused == first.acquired && count(pool).acquired == 2 * first.acquired);
    expect(count(pool).high_water == first.high_water);
    expect_ok(hx_destroy(handle));
    expect_ok(hx_pool_destroy(pool));
    harness_unset(&s);
}

/* What the buffers of a handle take, with and without sharing; the arrays in the end. */
static size_t room_for(int share, const char *transport, double *a, int32_t *b)
{
    harness_setting s;
    harness_set(&s, transport);
    hx_pool *pool = NULL;
    expect_ok(hx_pool_create(0, &pool));
    s.options.pool = pool;
    s.options.share_buffers = share;
    hx_handle *handle = create(&s);
    exchange(&s, handle);
    memcpy(a, s.fields.a, hx_points(&s.e.spec, &s.shape, EXAMPLE_A) * sizeof *a);
    memcpy(b, s.fields.b, hx_points(&s.e.spec, &s.shape, EXAMPLE_B) * sizeof *b);
    const size_t room = count(pool).in_use;
    if (share && harness_ranks > 1) {
        expect_text(hx_describe(handle), strcmp(transport, "neighbor") == 0
                                             ? "own in spite of the option share_buffers"
                                             : "the same for all exchanges (option share_buffers)");
    }
    expect_ok(hx_destroy(handle));
    expect(count(pool).held == 0);
    expect_ok(hx_pool_destroy(pool));
    harness_unset(&s);
    return room;
}

static void exchanges_share_buffers(const char *transport)
{
    enum { MOST = 1 << 16 };
    double *a = calloc(2 * (size_t)MOST, sizeof *a);
    int32_t *b = calloc(2 * (size_t)MOST, sizeof *b);
    const size_t apart = room_for(0, transport, a, b);
    const size_t shared = room_for(1, transport, a + MOST, b + MOST);
    expect(memcmp(a, a + MOST, MOST * sizeof *a) == 0);
    expect(memcmp(b, b + MOST, MOST * sizeof *b) == 0);
    expect(harness_ranks == 1 || strcmp(transport, "neighbor") == 0 ? shared == apart : shared < apart);
    free(a);
    free(b);
}

static void sharers_are_not_under_way_together(void)
{
    harness_setting s;
    harness_set(&s, "persistent");
    s.options.share_buffers = 1;
    hx_handle *handle = create(&s);
    expect_ok(hx_start(handle, EXAMPLE_BOTH, &s.fields));
    expect_status(HX_ERR_STATE, hx_start(handle, EXAMPLE_STAR, &s.fields));
    expect_text(hx_last_error(), "\"star\" cannot start on rank");
    expect_text(hx_last_error(), "while \"both\" (line 7) is under way");
    expect_status(HX_ERR_STATE, hx_start(handle, EXAMPLE_BOTH, &s.fields));
    expect_text(hx_last_error(), "was started again");
    expect_ok(hx_finish(handle, EXAMPLE_BOTH));
    expect_ok(hx_start(handle, EXAMPLE_STAR, &s.fields));
    expect_status(HX_ERR_STATE, hx_start(handle, EXAMPLE_BOTH, &s.fields));
    expect_text(hx_last_error(), "while \"star\" (line 8) is under way");
    expect_ok(hx_finish(handle, EXAMPLE_STAR));
    expect_ok(hx_destroy(handle));
    harness_unset(&s);
}

static void ranks_agree_on_sharing(void)
{
    harness_setting s;
    harness_set(&s, "p2p");
    s.options.share_buffers = harness_rank == harness_ranks - 1;
    hx_handle *handle = NULL;
    if (harness_ranks > 1) {
        expect_status(HX_ERR_MISMATCH, hx_create(&s.e.spec, &s.blocks, &s.shape, &s.options, &handle));
        expect_text(hx_last_error(), "option share_buffers 1");
    }
    harness_unset(&s);
}

/* The only buffer of a handle is given back, and on one rank somebody writes to it after that. */
static void spoiled_buffers_are_refused_by_all(void)
{
    harness_setting s;
    harness_set(&s, "p2p");
    hx_pool *pool = NULL;
    expect_ok(hx_pool_create(1, &pool));
    s.options.pool = pool;
    s.options.share_buffers = 1;
    hx_handle *handle = create(&s);
    const size_t bytes = count(pool).in_use;
    expect(count(pool).held == (harness_ranks > 1));
    expect_ok(hx_destroy(handle));
    if (harness_ranks > 1) {
        void *buffer = NULL;
        expect_ok(hx_pool_acquire(pool, bytes, &buffer));
        expect(count(pool).reused == 1);
        expect_ok(hx_pool_release(pool, buffer));
        if (buffer && harness_rank == 0) {
            memset(buffer, 1, 1);
        }
        expect_status(HX_ERR_STATE, hx_create(&s.e.spec, &s.blocks, &s.shape, &s.options, &handle));
        expect_text(hx_last_error(), "was written to after it had been released");
    }
    expect_ok(hx_destroy(create(&s)));
    expect_ok(hx_pool_destroy(pool));
    harness_unset(&s);
}

int main(int argc, char **argv)
{
    static const char *const transports[] = {"persistent", "p2p", "neighbor"};
    harness_begin(&argc, &argv);
    for (int i = 0; i < 3; ++i) {
        buffers_go_back_to_the_pool(transports[i]);
        exchanges_share_buffers(transports[i]);
    }
    sharers_are_not_under_way_together();
    ranks_agree_on_sharing();
    spoiled_buffers_are_refused_by_all();
    return harness_end();
}
