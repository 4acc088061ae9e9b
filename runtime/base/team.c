#define _POSIX_C_SOURCE 200809L /* sigset_t */
#include "base/team.h"

#include "base/memory.h"
#include "base/processors.h"

#include <signal.h>

/* ---- parts --------------------------------------------------------------------------------------------- */

enum { BITS = 32 };

typedef struct parts {
    hxi_part_fn *run;
    void *data;
    int parts;
    atomic_int helped;                                      /* of them thread 0 did, and others were to */
    atomic_uint taken[(HX_MOST_THREADS + BITS - 1) / BITS]; /* a bit for each */
} parts;

static bool take(parts *p, int part)
{
    const unsigned bit = 1u << part % BITS;
    return (atomic_fetch_or(&p->taken[part / BITS], bit) & bit) == 0;
}

/* Those that nobody has begun; returns how many these were. */
static int run_from(parts *p, int first, int step)
{
    int ran = 0;
    for (int part = first; part < p->parts; part += step) {
        if (take(p, part)) {
            p->run(p->data, part, p->parts);
            ++ran;
        }
    }
    return ran;
}

/*
 * Threads share the parts in the same way each time: who has touched memory first works on it again.  Only what
 * others have not begun when thread 0 is through with its own is done by that.  Numbers that no thread can have
 * are not believed.
 */
static void run_parts(void *data, int thread, int threads)
{
    parts *p = data;
    if (thread < 0 || threads < 1) {
        return;
    }
    run_from(p, thread, threads < p->parts ? threads : p->parts);
    if (thread == 0) {
        atomic_fetch_add(&p->helped, run_from(p, 0, 1));
    }
    hxi_order_stores();
}

/* ---- the library's own threads ------------------------------------------------------------------------- */

static struct own {
    pthread_mutex_t lock; /* for all of it, while it changes or works */
    hxi_crew crew;
    pthread_t *thread;
    int threads; /* that there are, this one not counted */
    int users;
} own = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void *serve(void *number)
{
    hxi_crew_serve(&own.crew, (int)(intptr_t)number, 0);
    return NULL;
}

static void nothing(void *data, int thread, int threads)
{
    (void)data;
    (void)thread;
    (void)threads;
}

static void stop(void)
{
    if (!own.thread) {
        return;
    }
    own.crew.threads = own.threads + 1;
    hxi_crew_end(&own.crew, nothing, NULL);
    for (int i = 0; i < own.threads; ++i) {
        pthread_join(own.thread[i], NULL);
    }
    hxi_crew_close(&own.crew);
    hxi_memory_free(own.thread);
    own.thread = NULL;
    own.threads = 0;
}

/* Signals are for the threads of the application. */
static void begin(int threads, int patience)
{
    sigset_t all;
    sigset_t before;
    own.thread = hxi_memory_get((size_t)threads - 1, sizeof *own.thread, "the threads of the library");
    if (!own.thread) {
        return;
    }
    hxi_crew_open(&own.crew, threads, patience);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    while (own.threads < threads - 1 &&
           pthread_create(&own.thread[own.threads], NULL, serve, (void *)(intptr_t)(own.threads + 1)) == 0) {
        own.threads++;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

/* So many threads, the caller among them, or as many as can be had. */
static int hold(int threads, int patience)
{
    pthread_mutex_lock(&own.lock);
    own.users++;
    if (own.threads < threads - 1) {
        stop();
        begin(threads, patience);
    }
    const int found = own.threads + 1;
    pthread_mutex_unlock(&own.lock);
    return found < threads ? found : threads;
}

static void let_go(void)
{
    pthread_mutex_lock(&own.lock);
    if (--own.users == 0) {
        stop();
    }
    pthread_mutex_unlock(&own.lock);
}

/* Another thread of the application may have them work for another handle: then this one works alone. */
static void run_own(parts *p)
{
    if (pthread_mutex_trylock(&own.lock) == 0) {
        hxi_crew_run(&own.crew, run_parts, p);
        pthread_mutex_unlock(&own.lock);
    }
}

/* ---- teams --------------------------------------------------------------------------------------------- */

void hxi_team_open(const hxi_team_request *request, hxi_team *team)
{
    const hxi_processors mine = hxi_processors_mine();
    const int processors = hxi_processors_count(&mine);
    *team = (hxi_team){.parts = request->threads, .given = request->given, .why = ""};
    if (team->parts > 1 && request->single) {
        team->parts = 1;
        team->why =
            "MPI was initialised for a process of one thread (MPI_THREAD_SINGLE); ask MPI_Init_thread for "
            "MPI_THREAD_FUNNELED";
    }
    if (team->parts > processors && processors > 0 && !team->given) {
        team->parts = processors;
        team->why = "this rank may use no more processors; see the options of mpirun that bind ranks";
    }
    if (team->parts > 1 && !team->given) {
        const int threads = hold(team->parts, request->crowded ? 0 : HX_CREW_PATIENCE);
        team->why = threads < team->parts ? "the system has no more threads" : team->why;
        team->parts = threads;
        team->holds = true;
    }
}

void hxi_team_close(hxi_team *team)
{
    if (team->holds) {
        let_go();
    }
    team->holds = false;
    team->parts = 1;
}

void hxi_team_run(hxi_team *team, hxi_part_fn *run, void *data)
{
    parts p = {.run = run, .data = data, .parts = team->parts};
    if (team->region) {
        hxi_crew_run(team->region, run_parts, &p);
    } else if (team->given) {
        team->given->run(team->given->state, team->parts, run_parts, &p);
    } else if (team->holds) {
        run_own(&p);
    }
    const int left = run_from(&p, 0, 1) + atomic_load(&p.helped);
    team->alone += left > 0;
}
