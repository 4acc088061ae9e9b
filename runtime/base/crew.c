#include "base/crew.h"

#include "base/clock.h"

#include <stdbool.h>

/* How often whoever waits for others to come out looks before it lets them have its processor. */
enum { LOOKS_BEFORE_YIELD = 4000 };

void hxi_crew_open(hxi_crew *crew, int threads, int patience)
{
    atomic_init(&crew->open, 0u);
    atomic_init(&crew->over, 0u);
    atomic_init(&crew->inside, 0);
    atomic_init(&crew->asleep, 0);
    atomic_init(&crew->leaving, 0);
    crew->threads = threads;
    crew->patience = patience;
    crew->last = 0;
    pthread_mutex_init(&crew->lock, NULL);
    pthread_cond_init(&crew->called, NULL);
}

void hxi_crew_close(hxi_crew *crew)
{
    pthread_cond_destroy(&crew->called);
    pthread_mutex_destroy(&crew->lock);
}

/* Is there work that this thread has not seen, or is it to leave? */
static bool is_called(hxi_crew *crew, unsigned seen, unsigned over)
{
    const unsigned open = atomic_load(&crew->open);
    return (open != 0 && open != seen) || atomic_load(&crew->over) != over;
}

static void wait_for_call(hxi_crew *crew, unsigned seen, unsigned over)
{
    for (int looks = 0; looks < crew->patience; ++looks) {
        if (is_called(crew, seen, over)) {
            return;
        }
        hxi_pause();
    }
    pthread_mutex_lock(&crew->lock);
    atomic_fetch_add(&crew->asleep, 1);
    while (!is_called(crew, seen, over)) {
        pthread_cond_wait(&crew->called, &crew->lock);
    }
    atomic_fetch_sub(&crew->asleep, 1);
    pthread_mutex_unlock(&crew->lock);
}

/* A thread that is about to sleep sees what was stored before this, or this sees it. */
static void call(hxi_crew *crew)
{
    if (atomic_load(&crew->asleep) > 0) {
        pthread_mutex_lock(&crew->lock);
        pthread_cond_broadcast(&crew->called);
        pthread_mutex_unlock(&crew->lock);
    }
}

static void wait_for_none(hxi_crew *crew, atomic_int *count)
{
    const int patience = crew->patience > 0 ? LOOKS_BEFORE_YIELD : 0;
    for (int looks = 0; atomic_load(count) > 0; ++looks) {
        if (looks < patience) {
            hxi_pause();
        } else {
            hxi_clock_yield();
        }
    }
}

void hxi_crew_serve(hxi_crew *crew, int thread, unsigned over)
{
    unsigned seen = 0;
    for (;;) {
        wait_for_call(crew, seen, over);
        if (atomic_load(&crew->over) != over) {
            crew->work(crew->data, thread, crew->threads);
            atomic_fetch_sub(&crew->leaving, 1); /* from here on the crew may be gone */
            return;
        }
        atomic_fetch_add(&crew->inside, 1); /* before the next look: who closes waits for those inside */
        const unsigned open = atomic_load(&crew->open);
        if (open != 0) {
            seen = open;
            crew->work(crew->data, thread, crew->threads);
        }
        atomic_fetch_sub(&crew->inside, 1);
    }
}

void hxi_crew_run(hxi_crew *crew, hxi_crew_work *work, void *data)
{
    crew->work = work;
    crew->data = data;
    crew->last += crew->last + 1 == 0 ? 2 : 1; /* 0 is none */
    atomic_store(&crew->open, crew->last);
    call(crew);
    work(data, 0, crew->threads);
    atomic_store(&crew->open, 0u);
    wait_for_none(crew, &crew->inside);
}

void hxi_crew_end(hxi_crew *crew, hxi_crew_work *work, void *data)
{
    crew->work = work;
    crew->data = data;
    atomic_store(&crew->leaving, crew->threads - 1);
    atomic_fetch_add(&crew->over, 1u);
    call(crew);
    wait_for_none(crew, &crew->leaving);
}
