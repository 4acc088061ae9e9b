#include "gpu.h"

#include <math.h>
#include <stdlib.h>

/* ---- figures --------------------------------------------------------------------------------- */

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a;
    const double y = *(const double *)b;
    return (x > y) - (x < y);
}

static double quantile(const double *sorted, int count, double part)
{
    const double position = part * (count - 1);
    const int below = (int)floor(position);
    const int above = below + 1 < count ? below + 1 : below;
    return sorted[below] + (position - below) * (sorted[above] - sorted[below]);
}

summary summary_of(const times *t)
{
    double sorted[MOST_ROUNDS];
    for (int i = 0; i < t->rounds; ++i) {
        sorted[i] = t->round[i];
    }
    qsort(sorted, (size_t)t->rounds, sizeof *sorted, compare);
    return (summary){quantile(sorted, t->rounds, 0.5), quantile(sorted, t->rounds, 0.25),
                     quantile(sorted, t->rounds, 0.75)};
}

summary ratio_of(const times *t, const times *to, double factor)
{
    times ratios = {.rounds = t->rounds < to->rounds ? t->rounds : to->rounds};
    for (int i = 0; i < ratios.rounds; ++i) {
        ratios.round[i] = factor * t->round[i] / to->round[i];
    }
    return summary_of(&ratios);
}

/* ---- times ----------------------------------------------------------------------------------- */

typedef struct watch {
    cudaEvent_t begin, end;
    cudaStream_t stream;
} watch;

static void call(const timed *t, int set)
{
    t->first(t->state, set);
    if (t->second) {
        t->second(t->state, set);
    }
}

/* Microseconds of a call, among so many that the host puts into the stream without waiting. */
static double time_of(const watch *w, const timed *t, int sets, int calls)
{
    float milliseconds = 0;
    must(cudaEventRecord(w->begin, w->stream), "recording an event");
    for (int i = 0; i < calls; ++i) {
        call(t, i % sets);
    }
    must(cudaEventRecord(w->end, w->stream), "recording an event");
    must(cudaEventSynchronize(w->end), "the device at work");
    must(cudaEventElapsedTime(&milliseconds, w->begin, w->end), "reading a time");
    return 1e3 * milliseconds / calls;
}

enum { MOST_CALLS = 2000, SLOW_ROUNDS = 3 };

/* Calls that take about as long as asked for: whole turns of the sets. */
static int calls_for(const watch *w, const timed *t, int sets, double microseconds)
{
    call(t, 0);
    const double each = time_of(w, t, sets, sets) + 0.1;
    const double fit = microseconds / each < MOST_CALLS ? microseconds / each : MOST_CALLS;
    const int turns = (int)fit / sets;
    return turns > 1 ? turns * sets : sets;
}

void measure(const problem *p, timed *list, int count, int rounds, double microseconds)
{
    watch w = {.stream = p->stream};
    must(cudaEventCreate(&w.begin), "making an event");
    must(cudaEventCreate(&w.end), "making an event");
    int *calls = allocate(2 * (size_t)count, sizeof *calls);
    for (int i = 0; i < count; ++i) {
        calls[2 * i] = calls_for(&w, &list[i], p->sets, microseconds);
        calls[2 * i + 1] = calls_for(&w, &list[i], 1, microseconds / 2);
        const bool slow = calls[2 * i] == p->sets && rounds > SLOW_ROUNDS;
        list[i].cold.rounds = list[i].hot.rounds = slow ? SLOW_ROUNDS : rounds;
    }
    for (int round = 0; round < rounds; ++round) {
        for (int k = 0; k < count; ++k) {
            const int i = round % 2 == 0 ? k : count - 1 - k;
            if (round < list[i].cold.rounds) {
                list[i].cold.round[round] = time_of(&w, &list[i], p->sets, calls[2 * i]);
                list[i].hot.round[round] = time_of(&w, &list[i], 1, calls[2 * i + 1]);
            }
        }
    }
    free(calls);
    must(cudaEventDestroy(w.begin), "giving back an event");
    must(cudaEventDestroy(w.end), "giving back an event");
}
