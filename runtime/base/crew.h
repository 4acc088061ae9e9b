/*
 * A crew: threads that wait for work and do it together with the thread that has it.
 *
 * Whoever has work opens the crew, works too, and closes it.  A thread that comes in time takes part; one that
 * still sleeps then finds the crew closed, and nobody has waited for it.  tests/models/crew.pml searches this.
 */
#ifndef HX_CREW_H
#define HX_CREW_H

#include "base/hardware.h"

#include <pthread.h>
#include <stdatomic.h>

/*
 * How often a thread looks for work before it sleeps, where it has a processor of its own: for about 20 us, as long as
 * it takes from one message to the next.  To wake it takes twice as long.
 */
enum { HX_CREW_PATIENCE = 500 };

/* What each thread does: thread 0 is the one that has the work. */
typedef void hxi_crew_work(void *data, int thread, int threads);

typedef struct hxi_crew {
    _Alignas(HX_LINE) atomic_uint open; /* number of the work; 0: there is none */
    atomic_uint over;                   /* rises when the others are to leave */
    hxi_crew_work *work;                /* while it is open, or they leave */
    void *data;
    int threads;
    unsigned last;                       /* number of the last work */
    _Alignas(HX_LINE) atomic_int inside; /* threads that may look at the work */
    _Alignas(HX_LINE) atomic_int asleep;
    atomic_int leaving; /* threads that are to leave and have not yet */
    int patience;       /* how often a thread looks for work before it sleeps */
    pthread_mutex_t lock;
    pthread_cond_t called;
} hxi_crew;

void hxi_crew_open(hxi_crew *crew, int threads, int patience);
void hxi_crew_close(hxi_crew *crew);

/* Does work as thread number `thread` until the others are to leave.  over: crew->over before that. */
void hxi_crew_serve(hxi_crew *crew, int thread, unsigned over);

/* Has the work done, and does it too.  Whatever is left over when this thread is through is left undone. */
void hxi_crew_run(hxi_crew *crew, hxi_crew_work *work, void *data);

/* All others do this, and leave.  Returns when they have. */
void hxi_crew_end(hxi_crew *crew, hxi_crew_work *work, void *data);

#endif
