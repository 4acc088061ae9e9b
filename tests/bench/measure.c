#include "bench.h"

#include <sched.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void give_up(const char *format, ...)
{
    char text[512]; /* in one piece, since all ranks may write */
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fprintf(stderr, "bench: %s\n", text);
    MPI_Abort(MPI_COMM_WORLD, 2);
    abort();
}

void must(hx_status status)
{
    if (status != HX_OK) {
        give_up("%s: %s", hx_status_name(status), hx_last_error());
    }
}

void *allocate(size_t bytes)
{
    void *memory = malloc(bytes);
    if (!memory) {
        give_up("no memory for %zu bytes", bytes);
    }
    return memory;
}

/* ---- the gate: a barrier that all ranks leave within a fraction of a microsecond, which MPI_Barrier does
 * not ---- */

enum { CACHE_LINE = 64, SPINS_BEFORE_YIELD = 100000 };

typedef struct gate {
    _Alignas(CACHE_LINE) atomic_uint arrived;
    _Alignas(CACHE_LINE) atomic_uint opened; /* how many times */
    _Alignas(CACHE_LINE) atomic_uint ball;   /* how many times it went to and fro */
} gate;

static MPI_Win window;
static gate *shared;
static unsigned passed;
static int rank, ranks;

void measure_open(void)
{
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm node;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    int together;
    MPI_Comm_size(node, &together);
    MPI_Comm_free(&node);
    if (together != ranks) {
        give_up("all ranks must run on one machine, whose clock they share");
    }
    void *mine;
    MPI_Win_allocate_shared(rank == 0 ? 2 * (MPI_Aint)sizeof(gate) : 0, 1, MPI_INFO_NULL, MPI_COMM_WORLD,
                            &mine, &window);
    MPI_Aint size;
    int unit;
    char *base;
    MPI_Win_shared_query(window, 0, &size, &unit, &base);
    const size_t beyond = (size_t)base % CACHE_LINE; /* pages are shared: alike on all ranks */
    shared = (gate *)(void *)(base + (beyond ? CACHE_LINE - beyond : 0));
    if (rank == 0) {
        memset(shared, 0, sizeof *shared);
    }
    passed = 0;
    MPI_Barrier(MPI_COMM_WORLD);
}

void measure_close(void)
{
    MPI_Win_free(&window);
}

static void pass_gate(void)
{
    ++passed;
    if (atomic_fetch_add(&shared->arrived, 1) + 1 == passed * (unsigned)ranks) {
        atomic_store(&shared->opened, passed);
        return;
    }
    for (int spins = 0; atomic_load(&shared->opened) != passed; ++spins) {
        if (spins >= SPINS_BEFORE_YIELD) {
            sched_yield();
        }
    }
}

/* ---- how far away the other processor is ---- */

double measure_flag(void)
{
    enum { TRIES = 9, PASSES = 200 };
    double each[TRIES];
    pass_gate();
    unsigned ball = atomic_load(&shared->ball);
    pass_gate();
    for (int i = 0; i < TRIES; ++i) {
        const double start = now();
        for (int k = 0; k < PASSES; ++k, ++ball) {
            if (ball % 2 == (unsigned)rank) {
                atomic_store(&shared->ball, ball + 1);
            }
            for (int spins = 0; atomic_load(&shared->ball) <= ball; ++spins) {
                if (spins >= SPINS_BEFORE_YIELD) {
                    sched_yield();
                }
            }
        }
        each[i] = (now() - start) * 1e3 / PASSES;
    }
    return median(each, TRIES);
}

/* ---- dirty caches ---- */

enum { WARM_UP = 2, FEWEST = 5, MOST = 4000 };

static int iterations_within(double seconds, double each)
{
    MPI_Allreduce(MPI_IN_PLACE, &each, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    const double fit = seconds * 1e6 / (each + 0.1);
    return fit < FEWEST ? FEWEST : fit > MOST ? MOST : (int)fit;
}

double measure_dirty(void (*sweep)(void *work), void *work, void (*exchange)(void *state), void *state,
                     double seconds)
{
    static double start[MOST], end[MOST];
    double each = 0;
    for (int i = 0; i < WARM_UP; ++i) {
        each = now();
        sweep(work);
        exchange(state);
        each = now() - each;
    }
    const int iterations = iterations_within(seconds, each);
    for (int i = 0; i < iterations; ++i) {
        sweep(work);
        pass_gate();
        start[i] = now();
        exchange(state);
        end[i] = now();
    }
    MPI_Allreduce(MPI_IN_PLACE, start, iterations, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, end, iterations, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    for (int i = 0; i < iterations; ++i) {
        end[i] -= start[i];
    }
    return median(end, iterations);
}

/* ---- one after the other ---- */

double measure_back_to_back(void (*exchange)(void *state), void *state, double seconds)
{
    enum { TRIED = 100 };
    double each = 0;
    int iterations = TRIED;
    for (int pass = 0; pass < 2; ++pass) {
        pass_gate();
        const double start = now();
        for (int i = 0; i < iterations; ++i) {
            exchange(state);
        }
        each = (now() - start) / iterations;
        MPI_Allreduce(MPI_IN_PLACE, &each, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        const double fit = seconds * 1e6 / each;
        iterations = fit < TRIED ? TRIED : (int)fit;
    }
    return each;
}
