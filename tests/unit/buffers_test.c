/*
 * Where message buffers are: in a pool of the user's, which they go back to, or in a window; in buffers that
 * all exchanges share.
 */
#include "exchange/handle.h"
#include "harness.h"

#include <hx/pool.h>
#include <hx/window.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
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
    expect_text(hx_describe(handle), " bytes of the pool of the options are in use\n");
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
                                             : "the same for all exchanges of all handles that share there");
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
    expect_text(hx_last_error(), "while \"both\" (example.lua:7) is under way: the exchanges of this handle");
    expect_status(HX_ERR_STATE, hx_start(handle, EXAMPLE_BOTH, &s.fields));
    expect_text(hx_last_error(), "was started again");
    expect_ok(hx_finish(handle, EXAMPLE_BOTH));
    expect_ok(hx_start(handle, EXAMPLE_STAR, &s.fields));
    expect_status(HX_ERR_STATE, hx_start(handle, EXAMPLE_BOTH, &s.fields));
    expect_text(hx_last_error(), "while \"star\" (example.lua:8) is under way");
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
    hx_pool *pool = NULL;
    expect_ok(hx_pool_create(0, &pool));
    if (harness_ranks > 1) {
        expect_status(HX_ERR_MISMATCH, hx_create(&s.e.spec, &s.blocks, &s.shape, &s.options, &handle));
        expect_text(hx_last_error(), "option share_buffers 1, within a handle");
        s.options.share_buffers = 1;
        s.options.pool = harness_rank == harness_ranks - 1 ? pool : NULL;
        expect_status(HX_ERR_MISMATCH, hx_create(&s.e.spec, &s.blocks, &s.shape, &s.options, &handle));
        expect_text(hx_last_error(), "option share_buffers 1, among the handles of a pool");
    }
    expect_ok(hx_pool_destroy(pool));
    harness_unset(&s);
}

/* ---- several handles that share ------------------------------------------------------------------------ */

/* Handles exist together, and do their exchanges in turn: the same buffers, and the same points as apart. */
static void handles_share_buffers(void)
{
    harness_setting s;
    harness_setting alone;
    harness_set(&alone, "persistent");
    harness_set(&s, "persistent");
    hx_pool *pool = NULL;
    expect_ok(hx_pool_create(0, &pool));
    s.options.pool = pool;
    s.options.share_buffers = 1;
    hx_handle *reference = create(&alone);
    hx_handle *first = create(&s);
    const hx_pool_counters one = count(pool);
    hx_handle *second = create(&s);
    expect(count(pool).in_use == one.in_use && count(pool).held == one.held);
    exchange(&alone, reference);
    for (int i = 0; i < 3; ++i) {
        exchange(&s, i == 1 ? second : first);
        expect(memcmp(s.fields.a, alone.fields.a,
                      hx_points(&s.e.spec, &s.shape, EXAMPLE_A) * sizeof(double)) == 0);
    }
    expect_ok(hx_destroy(first));
    expect(count(pool).in_use == one.in_use);
    exchange(&s, second);
    expect(memcmp(s.fields.b, alone.fields.b, hx_points(&s.e.spec, &s.shape, EXAMPLE_B) * sizeof(int32_t)) ==
           0);
    expect_ok(hx_destroy(second));
    expect(count(pool).held == 0);
    expect_ok(hx_destroy(reference));
    expect_ok(hx_pool_destroy(pool));
    harness_unset(&alone);
    harness_unset(&s);
}

/* Who needs more than there is gets a room of its own, which others share. */
static void rooms_do_not_grow(void)
{
    harness_setting s;
    harness_set(&s, "p2p");
    harness_setting large;
    harness_set(&large, "p2p");
    hx_pool *pool = NULL;
    expect_ok(hx_pool_create(0, &pool));
    s.options.pool = pool;
    s.options.share_buffers = 1;
    large.options = s.options;
    large.options.check = 1; /* a header in each message */
    const int rooms = harness_ranks > 1;
    hx_handle *a = create(&s);
    expect(count(pool).held == (uint64_t)rooms);
    hx_handle *b = create(&large);
    expect(count(pool).held == 2 * (uint64_t)rooms);
    hx_handle *c = create(&large);
    hx_handle *d = create(&s);
    expect(count(pool).held == 2 * (uint64_t)rooms);
    expect_ok(hx_destroy(a));
    expect_ok(hx_destroy(d));
    expect(count(pool).held == (uint64_t)rooms);
    a = create(&s); /* in the larger one */
    expect(count(pool).held == (uint64_t)rooms);
    exchange(&s, a);
    exchange(&large, c);
    expect_ok(hx_destroy(b));
    expect_ok(hx_destroy(c));
    exchange(&s, a);
    expect_ok(hx_destroy(a));
    expect(count(pool).held == 0);
    expect_ok(hx_pool_destroy(pool));
    harness_unset(&large);
    harness_unset(&s);
}

static void handles_that_share_are_not_under_way_together(void)
{
    harness_setting s;
    harness_set(&s, "p2p");
    hx_pool *pool = NULL;
    expect_ok(hx_pool_create(0, &pool));
    s.options.pool = pool;
    hx_handle *free_one = create(&s);
    s.options.share_buffers = 1;
    hx_handle *first = create(&s);
    hx_handle *second = create(&s);
    expect_ok(hx_start(first, EXAMPLE_STAR, &s.fields));
    expect_status(HX_ERR_STATE, hx_start(second, EXAMPLE_BOTH, &s.fields));
    expect_text(hx_last_error(), "example.lua:7: exchange \"both\" cannot start on rank");
    expect_text(hx_last_error(),
                "while \"star\" (example.lua:8) is under way: the exchanges of all handles with this pool");
    expect_status(HX_ERR_STATE, hx_start(first, EXAMPLE_BOTH, &s.fields));
    expect_ok(hx_start(free_one, EXAMPLE_BOTH, &s.fields)); /* which has buffers of its own */
    expect_ok(hx_finish(free_one, EXAMPLE_BOTH));
    expect_ok(hx_finish(first, EXAMPLE_STAR));
    expect_ok(hx_start(second, EXAMPLE_BOTH, &s.fields));
    expect_ok(hx_destroy(first));
    expect_ok(hx_finish(second, EXAMPLE_BOTH));
    expect_status(HX_ERR_ARGUMENT, hx_start(second, EXAMPLE_BOTH, NULL)); /* claims nothing */
    expect_ok(hx_start(second, EXAMPLE_BOTH, &s.fields));
    expect_ok(hx_finish(second, EXAMPLE_BOTH));
    expect_ok(hx_destroy(second));
    expect_ok(hx_destroy(free_one));
    expect_ok(hx_pool_destroy(pool));
    harness_unset(&s);
}

/* Messages of a handle that was given up may still come into what others share. */
static void nobody_shares_what_was_abandoned(void)
{
    harness_setting s;
    harness_set(&s, "persistent");
    hx_pool *pool = NULL;
    expect_ok(hx_pool_create(0, &pool));
    s.options.pool = pool;
    s.options.share_buffers = 1;
    hx_handle *whole = create(&s);
    hx_handle *late = create(&s);
    late->options.deadline = 0.2; /* of what comes after create */
    const bool fails = harness_ranks > 1 && harness_rank == 0;
    if (fails) {
        expect_ok(hx_start(late, EXAMPLE_BOTH, &s.fields));
        expect_status(HX_ERR_DEADLINE, hx_finish(late, EXAMPLE_BOTH));
        expect_status(HX_ERR_STATE, hx_start(whole, EXAMPLE_BOTH, &s.fields));
        expect_text(hx_last_error(), "is under way");
    }
    MPI_Barrier(MPI_COMM_WORLD);
    expect_ok(hx_destroy(late));
    if (fails) {
        expect_status(HX_ERR_STATE, hx_start(whole, EXAMPLE_BOTH, &s.fields));
        expect_text(hx_last_error(), "with a handle that was destroyed while messages travelled");
    }
    expect_ok(hx_destroy(whole));
    const uint64_t idle = count(pool).idle;
    expect((idle > 0) == (harness_ranks > 1 && !fails));
    expect_ok(hx_pool_destroy(pool));
    harness_unset(&s);
}

/* A handle of a thread of its own, on this rank alone. */
typedef struct worker {
    pthread_t thread;
    harness_setting s;
    hx_handle *handle;
    long refused;
    long wrong;
} worker;

enum { TURNS = 5000 };
static atomic_int busy;
static pthread_mutex_t leaving = PTHREAD_MUTEX_INITIALIZER;

static void *take_turns(void *context)
{
    worker *w = context;
    for (int done = 0; done < TURNS;) {
        if (hx_start(w->handle, EXAMPLE_STAR, &w->s.fields) == HX_OK) {
            w->wrong += atomic_fetch_add(&busy, 1) != 0;
            for (int i = 0; i < 500; ++i) { /* while the other one tries */
                w->wrong += atomic_load(&busy) != 1;
            }
            atomic_fetch_sub(&busy, 1);
            w->wrong += hx_finish(w->handle, EXAMPLE_STAR) != HX_OK;
            ++done;
        } else {
            w->wrong += strstr(hx_last_error(), "while \"star\" (example.lua:8) is under way") == NULL;
            w->refused++;
        }
    }
    /* And the handle goes while the other thread may be reading about it, but MPI has one at a time. */
    pthread_mutex_lock(&leaving);
    w->wrong += hx_destroy(w->handle) != HX_OK;
    pthread_mutex_unlock(&leaving);
    return NULL;
}

static void threads_take_turns(void)
{
    static worker both[2];
    hx_pool *pool = NULL;
    expect_ok(hx_pool_create(0, &pool));
    for (int i = 0; i < 2; ++i) {
        worker *w = &both[i];
        harness_set(&w->s, "p2p");
        const int cells[] = {8, 9, 10};
        const hx_partition request = example_partition(&w->s.e, cells);
        expect_ok(hx_decompose(MPI_COMM_SELF, &request, &w->s.part));
        harness_unset(&w->s);
        w->s.shape = example_shape_of(&w->s.e, &w->s.part, 0);
        w->s.fields = example_alloc(&w->s.e, &w->s.shape);
        w->s.blocks.comm = MPI_COMM_SELF;
        w->s.options.pool = pool;
        w->s.options.share_buffers = 1;
        w->handle = create(&w->s);
    }
    for (int i = 0; i < 2; ++i) {
        pthread_create(&both[i].thread, NULL, take_turns, &both[i]);
    }
    for (int i = 0; i < 2; ++i) {
        pthread_join(both[i].thread, NULL);
        expect(both[i].wrong == 0);
        harness_unset(&both[i].s);
    }
    expect_ok(hx_pool_destroy(pool));
}

/* A peer may still write into the buffer of a handle that is broken: it goes to nobody. */
static void a_broken_handle_keeps_its_buffer(void)
{
    harness_setting s;
    harness_set(&s, "p2p");
    s.options.share_buffers = 1;
    hx_pool *pool = NULL;
    expect_ok(hx_pool_create(0, &pool));
    s.options.pool = pool;
    hx_handle *handle = create(&s);
    handle->options.deadline = 0.2; /* of what comes after create */
    const int breaks = harness_rank == 0 && harness_ranks > 1;
    if (breaks) {
        expect_ok(hx_start(handle, EXAMPLE_BOTH, &s.fields));
        expect_status(HX_ERR_DEADLINE, hx_finish(handle, EXAMPLE_BOTH));
    }
    MPI_Barrier(MPI_COMM_WORLD);
    expect_ok(hx_destroy(handle));
    expect(count(pool).held == 0);
    expect((count(pool).idle > 0) == (harness_ranks > 1 && !breaks));
    expect_ok(hx_pool_destroy(pool));
    MPI_Barrier(MPI_COMM_WORLD);
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
    request.ways = HX_WINDOW_NODE; /* MPICH with UCX cannot end with a window to peers that is left */
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
    hx_handle *handle = create(&s);
    handle->options.deadline = 0.2; /* of what comes after create */
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
    int provided = MPI_THREAD_SINGLE;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided); /* threads take turns */
    harness_begin(&argc, &argv);
    for (int i = 0; i < 3; ++i) {
        buffers_go_back_to_the_pool(transports[i]);
        exchanges_share_buffers(transports[i]);
    }
    sharers_are_not_under_way_together();
    ranks_agree_on_sharing();
    handles_share_buffers();
    rooms_do_not_grow();
    handles_that_share_are_not_under_way_together();
    nobody_shares_what_was_abandoned();
    threads_take_turns();
    spoiled_buffers_are_refused_by_all();
    peers_reach_messages_in_a_window();
    messages_keep_their_window();
    a_broken_handle_keeps_its_buffer();
    return harness_end();
}
