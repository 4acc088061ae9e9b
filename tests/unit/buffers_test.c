/*
 * Where message buffers are: in a pool of the user's, which they go back to, or in a window; in buffers that
 * all exchanges share.
 */
#include "harness.h"

#include <hx/pool.h>
#include <hx/window.h>

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

/* ---- in windows ---------------------------------------------------------------------------------------- */

static hx_window *make_window(hx_pool **pool)
{
    hx_window_request request = HX_WINDOW_REQUEST_INIT;
    request.memory = HX_WINDOW_PARTS;
    request.extent[0] = 1 << 20;
    hx_window *window = NULL;
    expect_ok(hx_window_create(MPI_COMM_WORLD, &request, &window));
    expect_ok(hx_pool_create_in(window, 0, pool));
    return window;
}

/* What a rank tells about one message to send. */
typedef struct note {
    int to;
    size_t offset;
} note;

enum { MESSAGES = 64 };

/* All ranks take what comes for them where it was packed: in the parts of others. */
static void take_from_peers(hx_handle *handle, hx_window *window, hx_pool *pool)
{
    hx_message_buffer message[MESSAGES];
    int count = MESSAGES;
    expect_ok(hx_message_buffers(handle, EXAMPLE_BOTH, NULL, &count));
    expect(count <= MESSAGES);
    expect_ok(hx_message_buffers(handle, EXAMPLE_BOTH, message, &count));
    static note mine[MESSAGES];
    static note all[4 * MESSAGES];
    memset(mine, -1, sizeof mine);
    for (int m = 0; m < count; ++m) {
        expect_ok(hx_pool_offset(pool, message[m].data, &mine[m].offset));
        mine[m].to = message[m].incoming ? -1 : message[m].peer;
    }
    MPI_Allgather(mine, sizeof mine, MPI_BYTE, all, sizeof mine, MPI_BYTE, MPI_COMM_WORLD);
    for (int m = 0; m < count; ++m) {
        const note *told = all + (size_t)message[m].peer * MESSAGES;
        void *part = NULL;
        int64_t bytes = 0;
        for (int i = 0; i < MESSAGES && message[m].incoming; ++i) {
            if (told[i].to == harness_rank) {
                expect_ok(hx_window_pointer(window, message[m].peer, &part, &bytes));
                memcpy(message[m].data, (unsigned char *)part + told[i].offset, message[m].bytes);
            }
        }
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

/* Messages that the application moves are read by their receivers where they lie. */
static void peers_reach_messages_in_a_window(void)
{
    harness_setting plain;
    harness_setting s;
    harness_set(&plain, "p2p");
    harness_set(&s, "manual");
    hx_pool *pool = NULL;
    hx_window *window = make_window(&pool);
    s.options.pool = pool;
    hx_handle *reference = create(&plain);
    hx_handle *handle = create(&s);
    exchange(&plain, reference);
    exchange(&s, NULL); /* fills */
    expect_ok(hx_start(handle, EXAMPLE_BOTH, &s.fields));
    take_from_peers(handle, window, pool);
    expect_ok(hx_finish(handle, EXAMPLE_BOTH));
    exchange(&plain, NULL);
    expect_ok(hx_start(reference, EXAMPLE_BOTH, &plain.fields));
    expect_ok(hx_finish(reference, EXAMPLE_BOTH));
    expect(memcmp(s.fields.a, plain.fields.a, hx_points(&s.e.spec, &s.shape, EXAMPLE_A) * sizeof(double)) ==
           0);
    expect(memcmp(s.fields.b, plain.fields.b, hx_points(&s.e.spec, &s.shape, EXAMPLE_B) * sizeof(int32_t)) ==
           0);
    expect_ok(hx_destroy(reference));
    expect_ok(hx_destroy(handle));
    expect(count(pool).held == 0);
    expect_ok(hx_pool_destroy(pool));
    expect_ok(hx_window_free(&window));
    harness_unset(&plain);
    harness_unset(&s);
}

/* Where messages may still come the memory stays, and so does its window. */
static void messages_keep_their_window(void)
{
    static hx_window *window; /* found by tools that look for leaks */
    harness_setting s;
    harness_set(&s, "persistent");
    hx_pool *pool = NULL;
    window = make_window(&pool);
    s.options.pool = pool;
    s.options.deadline = 0.2;
    hx_handle *handle = create(&s);
    if (harness_ranks > 1 && harness_rank == 0) {
        expect_ok(hx_start(handle, EXAMPLE_BOTH, &s.fields));
        expect_status(HX_ERR_DEADLINE, hx_finish(handle, EXAMPLE_BOTH));
    }
    MPI_Barrier(MPI_COMM_WORLD);
    expect_ok(hx_destroy(handle));
    expect_ok(hx_pool_trim(pool));
    void *buffer = NULL;
    size_t offset = 0;
    expect_ok(hx_pool_acquire(pool, 64, &buffer));
    expect_ok(hx_pool_offset(pool, buffer, &offset));
    expect((offset > 128) ==
           (harness_ranks > 1 && harness_rank == 0)); /* what is in front may be written to */
    expect_ok(hx_pool_release(pool, buffer));
    expect_ok(hx_pool_destroy(pool));
    expect_status(harness_ranks > 1 ? HX_ERR_STATE : HX_OK, hx_window_free(&window));
    if (harness_ranks > 1) {
        expect_text(hx_last_error(), "is in use on rank 0: buffers of a pool lie in it");
    }
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
    peers_reach_messages_in_a_window();
    messages_keep_their_window();
    return harness_end();
}
