/*
 * Ranks as threads, and whose turn it is.
 */
#include "engine.h"

#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef STANDIN_TSAN
#include <sanitizer/tsan_interface.h>
#endif

enum {
    LONG_IDLE = 40,       /* calls in which nothing moved: whoever polls only waits for time to pass */
    IDLE_CALLS = 1000000, /* the same: ranks wait for ever */
    SECOND = 10000        /* calls, on the stand-in's clock */
};

struct standin_lane {
    standin_rank *rank;
    const char *call;
    int weight; /* how often it gets its turn */
    bool over;
    pthread_t thread;
    sem_t turn;
    void (*fork)(void *argument);
    void *argument;
};

_Thread_local standin_lane *standin_me;

static struct engine {
    standin_setting setting;
    void (*body)(void *context, int rank);
    void *context;
    uint64_t random;
    long calls;
    long idle;
    int patience;                               /* of messages, in calls */
    int distance[STANDIN_RANKS][STANDIN_RANKS]; /* times that */
    standin_rank rank[STANDIN_RANKS];
    standin_lane lane[STANDIN_LANES];
    int lanes;
    struct block *blocks;
} engine;

/*
 * In parallel.  Not a mutex, because ThreadSanitizer would take it for an order between whatever threads do
 * before and after their calls.
 */
static atomic_flag busy = ATOMIC_FLAG_INIT;

standin_rank *standin_here(void)
{
    return standin_me->rank;
}

const standin_setting *standin_settings(void)
{
    return &engine.setting;
}

long standin_now(void)
{
    return engine.calls;
}

void standin_moved(void)
{
    engine.idle = 0;
}

/* ---- chance ------------------------------------------------------------------------------------ */

int standin_random(int n)
{
    uint64_t x = engine.random += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (int)((x ^ (x >> 31)) % (uint64_t)n);
}

long standin_due(int from, int to)
{
    return engine.calls + standin_random(engine.patience * engine.distance[from][to] + 1);
}

/* Some runs are hasty and some slow; in some, two ranks are far apart, or a rank seldom has its turn. */
static void draw_temper(void)
{
    static const int patience[] = {0, 3, 12, 60};
    engine.patience = patience[standin_random(4)];
    for (int i = 0; i < STANDIN_RANKS; ++i) {
        for (int j = 0; j < STANDIN_RANKS; ++j) {
            engine.distance[i][j] = standin_random(5) == 0 ? 6 : 1;
        }
    }
}

/* ---- broken rules ------------------------------------------------------------------------------ */

_Noreturn void standin_broken(const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fprintf(stderr, "stand-in for MPI, seed %llu", (unsigned long long)engine.setting.seed);
    if (standin_me) {
        fprintf(stderr, ", rank %d in or after %s", standin_me->rank->number,
                standin_me->call ? standin_me->call : "no call");
    }
    fprintf(stderr, ": %s  [%s]\n", text, engine.setting.about ? engine.setting.about : "");
    abort();
}

static _Noreturn void all_wait(void)
{
    char text[400];
    int length = 0;
    for (int i = 0; i < engine.lanes && length < (int)sizeof text; ++i) {
        const standin_lane *lane = &engine.lane[i];
        length += snprintf(text + length, sizeof text - (size_t)length, "%s rank %d %s %s", i > 0 ? "," : "",
                           lane->rank->number, lane->over ? "is over, after" : "calls",
                           lane->call ? lane->call : "nothing");
    }
    standin_broken("nothing has moved for %d calls:%s.", (int)IDLE_CALLS, text);
}

/* ---- turns ------------------------------------------------------------------------------------- */

void standin_lock(void)
{
    while (engine.setting.parallel && atomic_flag_test_and_set_explicit(&busy, memory_order_acquire)) {
        sched_yield();
    }
}

void standin_unlock(void)
{
    if (engine.setting.parallel) {
        atomic_flag_clear_explicit(&busy, memory_order_release);
    }
}

/* One of those that are not over; NULL if all are. */
static standin_lane *choose(void)
{
    int weights = 0;
    for (int i = 0; i < engine.lanes; ++i) {
        weights += engine.lane[i].over ? 0 : engine.lane[i].weight;
    }
    int left = weights > 0 ? standin_random(weights) : 0;
    for (int i = 0; i < engine.lanes; ++i) {
        left -= engine.lane[i].over ? 0 : engine.lane[i].weight;
        if (left < 0) {
            return &engine.lane[i];
        }
    }
    return NULL;
}

static void await_turn(standin_lane *me)
{
    while (sem_wait(&me->turn) != 0) {
    }
}

/* In order: perhaps somebody else's turn; seldom where all have long been waiting for time to pass. */
static void take_turns(void)
{
    standin_lane *me = standin_me;
    if (engine.idle > LONG_IDLE && standin_random(20) > 0) {
        return;
    }
    standin_lane *next = choose();
    if (next != me) {
        sem_post(&next->turn);
        await_turn(me);
    }
}

static void step(void)
{
    engine.calls++;
    if (!engine.setting.parallel && ++engine.idle > IDLE_CALLS) {
        all_wait();
    }
}

void standin_begin(const char *call)
{
    standin_lane *me = standin_me;
    STANDIN_RULE(me, "%s was called by a thread that belongs to no rank.", call);
    me->call = call;
    if (!engine.setting.parallel) {
        take_turns();
    }
    standin_lock();
    step();
    STANDIN_RULE(me->rank->stage != STANDIN_BEFORE, "a call before MPI_Init_thread.");
    STANDIN_RULE(me->rank->stage != STANDIN_AFTER, "a call after MPI_Finalize.");
    standin_messages_deliver();
}

void standin_wait(void)
{
    if (engine.setting.parallel) {
        standin_unlock();
        sched_yield();
        standin_lock();
    } else {
        take_turns();
    }
    step();
    standin_messages_deliver();
}

/* ---- faults ------------------------------------------------------------------------------------ */

int standin_end(MPI_Comm comm)
{
    standin_rank *rank = standin_me->rank;
    int code = MPI_SUCCESS;
    if (rank->fail_in > 0 && !rank->exempt && comm->handler[rank->number] == MPI_ERRORS_RETURN &&
        --rank->fail_in == 0) {
        rank->failed = standin_me->call;
        code = MPI_ERR_OTHER;
    }
    standin_unlock();
    return code;
}

int standin_end_poll(MPI_Comm comm, int found)
{
    if (found) {
        return standin_end(comm);
    }
    standin_unlock();
    return MPI_SUCCESS;
}

void standin_fail_at(int n)
{
    standin_me->rank->fail_in = n;
    standin_me->rank->failed = NULL;
}

const char *standin_failed(void)
{
    standin_me->rank->fail_in = 0;
    return standin_me->rank->failed;
}

void standin_exempt(bool exempt)
{
    standin_me->rank->exempt = exempt;
}

standin_holdings standin_holds(void)
{
    return standin_me->rank->holds;
}

/* ---- time -------------------------------------------------------------------------------------- */

double standin_clock(void)
{
    if (!engine.setting.parallel) {
        return (double)engine.calls / SECOND;
    }
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void standin_yield(void)
{
    if (engine.setting.parallel) {
        sched_yield();
    } else {
        take_turns();
        step();
    }
}

int standin_mutex_lock(pthread_mutex_t *mutex)
{
    while (pthread_mutex_trylock(mutex) != 0) {
        standin_yield();
    }
    return 0;
}

/* ---- what ThreadSanitizer is told -------------------------------------------------------------- */

void standin_publish(void *object)
{
#ifdef STANDIN_TSAN
    __tsan_release(object);
#else
    (void)object;
#endif
}

void standin_observe(void *object)
{
#ifdef STANDIN_TSAN
    __tsan_acquire(object);
#else
    (void)object;
#endif
}

/* ---- memory ------------------------------------------------------------------------------------ */

struct block {
    struct block *next;
    max_align_t bytes[];
};

void *standin_get(size_t bytes)
{
    struct block *b = calloc(1, sizeof *b + bytes);
    if (!b) {
        fprintf(stderr, "the stand-in for MPI is out of memory\n");
        abort();
    }
    b->next = engine.blocks;
    engine.blocks = b;
    return b->bytes;
}

static void forget_all(void)
{
    struct block *next = NULL;
    for (struct block *b = engine.blocks; b; b = next) {
        next = b->next;
        free(b);
    }
    engine.blocks = NULL;
}

/* ---- threads ----------------------------------------------------------------------------------- */

static void end_lane(standin_lane *me)
{
    standin_lock();
    me->over = true;
    standin_lane *next = engine.setting.parallel ? NULL : choose();
    if (next) {
        sem_post(&next->turn);
    }
    standin_unlock();
}

static void *live(void *argument)
{
    standin_lane *me = argument;
    standin_me = me;
    if (!engine.setting.parallel) {
        await_turn(me);
    }
    if (me->fork) {
        me->fork(me->argument);
    } else {
        engine.body(engine.context, me->rank->number);
    }
    end_lane(me);
    return NULL;
}

static standin_lane *add_lane(standin_rank *rank)
{
    STANDIN_RULE(engine.lanes < STANDIN_LANES, "there are more threads than %d.", (int)STANDIN_LANES);
    standin_lane *lane = &engine.lane[engine.lanes++];
    *lane = (standin_lane){.rank = rank, .weight = standin_random(4) == 0 ? 1 : 6};
    sem_init(&lane->turn, 0, 0);
    return lane;
}

static void set_out(standin_lane *lane)
{
    STANDIN_RULE(pthread_create(&lane->thread, NULL, live, lane) == 0, "no thread could be made.");
}

uint64_t standin_run(const standin_setting *setting, void (*body)(void *context, int rank), void *context)
{
    engine = (struct engine){.setting = *setting, .body = body, .context = context, .random = setting->seed};
    draw_temper();
    standin_world_reset();
    standin_types_reset();
    standin_messages_reset();
    for (int r = 0; r < setting->ranks; ++r) {
        engine.rank[r].number = r;
        add_lane(&engine.rank[r]);
    }
    for (int r = 0; r < setting->ranks; ++r) {
        set_out(&engine.lane[r]);
    }
    if (!setting->parallel) {
        sem_post(&choose()->turn);
    }
    for (int r = 0; r < setting->ranks; ++r) {
        pthread_join(engine.lane[r].thread, NULL);
    }
    for (int i = 0; i < engine.lanes; ++i) {
        sem_destroy(&engine.lane[i].turn);
    }
    forget_all();
    return engine.random ^ (uint64_t)engine.calls;
}

standin_lane *standin_fork(void (*body)(void *argument), void *argument)
{
    standin_lock();
    standin_lane *lane = add_lane(standin_me->rank);
    lane->fork = body;
    lane->argument = argument;
    standin_unlock();
    set_out(lane);
    return lane;
}

void standin_join(standin_lane *lane)
{
    while (!engine.setting.parallel && !lane->over) {
        standin_yield();
    }
    pthread_join(lane->thread, NULL);
}
