#include "observe/blame.h"

enum { MOST_STEPS = 1000 }; /* from rank to rank; blame that goes in a circle stays where it then is */

static const double least = 1e-3; /* of all waits: what is left to hand on is not worth another step */

static double all_of(const hxi_waits *waits)
{
    double all = 0.0;
    for (int i = 0; i < waits->count; ++i) {
        all += waits->awaited[i].own + waits->awaited[i].inherited;
    }
    return all;
}

/*
 * A rank hands on so much, as it waited itself: what was others' own work is theirs, and what they have
 * inherited they hand on in the next step.  Who waited for nobody keeps it.
 */
static void hand_on(const hxi_waits *waits, double amount, double *own, double blame[], double next[])
{
    const double all = all_of(waits);
    if (!(all > 0.0)) {
        *own += amount;
        return;
    }
    for (int i = 0; i < waits->count; ++i) {
        const hxi_awaited *a = &waits->awaited[i];
        blame[a->rank] += amount * (a->own / all);
        next[a->rank] += amount * (a->inherited / all);
    }
}

static double sum_of(const double value[], int count)
{
    double sum = 0.0;
    for (int i = 0; i < count; ++i) {
        sum += value[i];
    }
    return sum;
}

void hxi_blame_find(const hxi_waits waits[], int ranks, double blame[], double spare[])
{
    double *now = spare;
    double *next = spare + ranks;
    for (int r = 0; r < ranks; ++r) {
        blame[r] = 0.0;
        now[r] = 0.0;
    }
    for (int r = 0; r < ranks; ++r) {
        for (int i = 0; i < waits[r].count; ++i) {
            blame[waits[r].awaited[i].rank] += waits[r].awaited[i].own;
            now[waits[r].awaited[i].rank] += waits[r].awaited[i].inherited;
        }
    }
    const double enough = least * (sum_of(blame, ranks) + sum_of(now, ranks));
    for (int step = 0; step < MOST_STEPS && sum_of(now, ranks) > enough; ++step) {
        for (int r = 0; r < ranks; ++r) {
            next[r] = 0.0;
        }
        for (int r = 0; r < ranks; ++r) {
            if (now[r] > 0.0) {
                hand_on(&waits[r], now[r], &blame[r], blame, next);
            }
        }
        double *last = now;
        now = next;
        next = last;
    }
    for (int r = 0; r < ranks; ++r) {
        blame[r] += now[r];
    }
}
