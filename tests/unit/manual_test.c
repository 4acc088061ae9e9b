/*
 * Messages that the application moves, here by MPI_Sendrecv: the same bits as by messages that libhx moves.
 */
#include "../exchange/carry.h"
#include "harness.h"

#include <hx/pool.h>

#include <stdlib.h>
#include <string.h>

static hx_handle *create(harness_setting *s)
{
    hx_handle *handle = NULL;
    expect_ok(hx_create(&s->e.spec, &s->blocks, &s->shape, &s->options, &handle));
    return handle;
}

static size_t bytes_of(const harness_setting *s, int field)
{
    return hx_points(&s->e.spec, &s->shape, field) * (size_t)s->e.field[field].size;
}

/* Different on every rank and for every salt. */
static void fill(harness_setting *s, int salt)
{
    for (size_t i = 0; i < bytes_of(s, EXAMPLE_A) / sizeof *s->fields.a; ++i) {
        s->fields.a[i] = (double)i + 1e6 * (harness_rank + 10 * salt);
    }
    for (size_t i = 0; i < bytes_of(s, EXAMPLE_B) / sizeof *s->fields.b; ++i) {
        s->fields.b[i] = (int32_t)i + 1000000 * (harness_rank + 10 * salt);
    }
}

static void expect_equal_arrays(const harness_setting *s, const harness_setting *t)
{
    expect(memcmp(s->fields.a, t->fields.a, bytes_of(s, EXAMPLE_A)) == 0);
    expect(memcmp(s->fields.b, t->fields.b, bytes_of(s, EXAMPLE_B)) == 0);
}

static void start_and_carry(hx_handle *handle, int exchange, harness_setting *s)
{
    expect_ok(hx_start(handle, exchange, &s->fields));
    expect(carry(handle, exchange, MPI_COMM_WORLD) >= 0);
}

/* One after the other, and in the end both at once, on arrays of their own. */
static void bits_are_those_of_p2p(int check)
{
    harness_setting s;
    harness_setting reference;
    harness_set(&s, "manual");
    harness_set(&reference, "p2p");
    s.options.check = reference.options.check = check;
    hx_handle *handle = create(&s);
    hx_handle *known = create(&reference);
    for (int i = 0; i < 3 * EXAMPLE_EXCHANGES; ++i) {
        const int exchange = i % EXAMPLE_EXCHANGES;
        fill(&s, i);
        fill(&reference, i);
        start_and_carry(handle, exchange, &s);
        expect_ok(hx_finish(handle, exchange));
        expect_ok(hx_start(known, exchange, &reference.fields));
        expect_ok(hx_finish(known, exchange));
        expect_equal_arrays(&s, &reference);
    }
    harness_setting other;
    harness_set(&other, "manual");
    fill(&s, 77);
    fill(&other, 77);
    fill(&reference, 77);
    start_and_carry(handle, EXAMPLE_BOTH, &s);
    start_and_carry(handle, EXAMPLE_STAR, &other);
    expect_ok(hx_finish(handle, EXAMPLE_STAR));
    expect_ok(hx_finish(handle, EXAMPLE_BOTH));
    expect_ok(hx_start(known, EXAMPLE_BOTH, &reference.fields));
    expect_ok(hx_finish(known, EXAMPLE_BOTH));
    expect_equal_arrays(&s, &reference);
    expect_ok(hx_destroy(handle));
    expect_ok(hx_destroy(known));
    harness_unset(&s);
    harness_unset(&other);
    harness_unset(&reference);
}

/* One message a peer and direction, on lines of their own, at the same addresses for ever, from the pool. */
static void buffers_are_where_they_were(void)
{
    enum { MOST = 64 };
    harness_setting s;
    harness_set(&s, "manual");
    hx_pool *pool = NULL;
    expect_ok(hx_pool_create(1, &pool));
    s.options.pool = pool;
    s.options.schedule = "by-dimension";
    hx_handle *handle = create(&s);
    expect_text(hx_describe(handle), "one phase: the application moves all messages at once");
    hx_message_buffer first[MOST];
    hx_message_buffer then[MOST];
    int count = 0;
    memset(first, 0, sizeof first);
    memset(then, 0, sizeof then);
    expect_ok(hx_message_buffers(handle, EXAMPLE_BOTH, first, &count));
    int sent = 0;
    for (int m = 0; m < count; ++m) {
        expect(first[m].bytes > 0 && (uintptr_t)first[m].data % 64 == 0 && first[m].peer != harness_rank);
        sent += !first[m].incoming;
        for (int k = 0; k < m; ++k) {
            expect(first[m].peer != first[k].peer || first[m].incoming != first[k].incoming);
        }
    }
    hx_traffic traffic = {0};
    expect_ok(hx_traffic_of(handle, EXAMPLE_BOTH, &traffic));
    expect(sent == traffic.messages && (sent > 0) == (harness_ranks > 1) && count - sent <= traffic.peers);
    start_and_carry(handle, EXAMPLE_BOTH, &s);
    expect_ok(hx_finish(handle, EXAMPLE_BOTH));
    expect_ok(hx_message_buffers(handle, EXAMPLE_BOTH, then, &count));
    expect(memcmp(first, then, sizeof first) == 0);
    expect_ok(hx_destroy(handle));
    hx_pool_counters counters;
    expect_ok(hx_pool_count(pool, &counters));
    expect(counters.held == 0 && (counters.acquired > 0) == (harness_ranks > 1));
    expect_ok(hx_pool_destroy(pool));
    harness_unset(&s);
}

/* The messages of the exchange before, or another rank's: check mode finds out, and the handle ends. */
static void messages_not_moved_are_found_out(void)
{
    harness_setting s;
    harness_set(&s, "manual");
    s.options.check = 1;
    hx_handle *handle = create(&s);
    expect_ok(hx_start(handle, EXAMPLE_BOTH, &s.fields));
    expect_status(harness_ranks > 1 ? HX_ERR_MISMATCH : HX_OK, hx_finish(handle, EXAMPLE_BOTH));
    expect_ok(hx_destroy(handle));
    handle = create(&s);
    start_and_carry(handle, EXAMPLE_BOTH, &s);
    expect_ok(hx_finish(handle, EXAMPLE_BOTH));
    expect_ok(hx_start(handle, EXAMPLE_BOTH, &s.fields));
    if (harness_ranks > 1) {
        expect_status(HX_ERR_MISMATCH, hx_finish(handle, EXAMPLE_BOTH));
        expect_text(hx_last_error(), "says exchange 0, phase 0, start 0");
    } else {
        expect_ok(hx_finish(handle, EXAMPLE_BOTH));
    }
    expect_ok(hx_destroy(handle));
    harness_unset(&s);
}

static void what_libhx_moves_is_not_shown(void)
{
    harness_setting s;
    harness_set(&s, "persistent");
    hx_handle *handle = create(&s);
    int count = 0;
    expect_status(HX_ERR_STATE, hx_message_buffers(handle, EXAMPLE_STAR, NULL, &count));
    expect_text(hx_last_error(), "travel by persistent; to move them yourself, create with the option "
                                 "transport \"manual\"");
    expect_status(HX_ERR_ARGUMENT, hx_message_buffers(handle, EXAMPLE_EXCHANGES, NULL, &count));
    expect_status(HX_ERR_ARGUMENT, hx_message_buffers(handle, EXAMPLE_STAR, NULL, NULL));
    expect_status(HX_ERR_ARGUMENT, hx_message_buffers(NULL, EXAMPLE_STAR, NULL, &count));
    expect_ok(hx_destroy(handle));
    harness_unset(&s);
}

int main(int argc, char **argv)
{
    harness_begin(&argc, &argv);
    bits_are_those_of_p2p(0);
    bits_are_those_of_p2p(1);
    buffers_are_where_they_were();
    messages_not_moved_are_found_out();
    what_libhx_moves_is_not_shown();
    return harness_end();
}
