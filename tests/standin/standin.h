/*
 * Running a test on the stand-in for MPI.
 *
 * Ranks are threads.  In order, only one of them runs at a time, and a seed decides at every call of MPI
 * which goes on, when a message arrives, when a send completes and what a test sees: the same seed, the same
 * run, to the last bit.  In parallel, all run, as ThreadSanitizer wants it; it is told of exactly those
 * orders between threads that MPI promises.
 *
 * Whoever breaks a rule of MPI is told in words, and the process aborts: a buffer touched while under way, a
 * request started twice or left behind, a message too long for its receive, collectives out of order, a
 * communicator not freed, a call before MPI_Init_thread or after MPI_Finalize, ranks that all wait.
 */
#ifndef STANDIN_H
#define STANDIN_H

#include <mpi.h>

#include <pthread.h>
#include <stdbool.h>

enum { STANDIN_RANKS = 8, STANDIN_LANES = 2 * STANDIN_RANKS };

typedef struct standin_setting {
    int ranks;
    uint64_t seed;
    bool parallel;
    const char *about; /* what runs, for whoever has to read of a broken rule */
} standin_setting;

/* Runs body once on each rank.  Returns a fingerprint of what was drawn by chance. */
uint64_t standin_run(const standin_setting *setting, void (*body)(void *context, int rank), void *context);

/* A second thread of a rank. */
typedef struct standin_lane standin_lane;
standin_lane *standin_fork(void (*body)(void *argument), void *argument);
void standin_join(standin_lane *lane);

/* Seconds: of the stand-in, which pass from call to call, or of the machine where ranks run in parallel. */
double standin_clock(void);
void standin_yield(void);

/* In libhx for pthread_mutex_lock: who has the mutex may have to wait for its turn. */
int standin_mutex_lock(pthread_mutex_t *mutex);

/* ---- faults ---------------------------------------------------------------------------------- */

/*
 * The n-th call of this rank from now on, counted from 1, returns an error although it was made; 0: none. Not
 * counted are polls that find nothing, calls on communicators whose errors are fatal, and whatever is exempt.
 */
void standin_fail_at(int n);

/* The call that failed; NULL if none has, which forgets what standin_fail_at said. */
const char *standin_failed(void);

void standin_exempt(bool exempt);

/* What this rank holds of MPI. */
typedef struct standin_holdings {
    int requests;
    int comms;
    int types;
} standin_holdings;
standin_holdings standin_holds(void);

/*
 * From here on nothing that this rank has under way reads or writes its buffers, and MPI_Finalize does not
 * mind what is left.
 */
void standin_abandon(void);

/* ---- memory of libhx (memory.c) -------------------------------------------------------------- */

void *standin_aligned_alloc(size_t alignment, size_t bytes);
void standin_free(void *memory);

/* The n-th request of this thread for memory from now on, counted from 1, gets none; 0: all get some. */
void standin_refuse_at(int n);

/* Whether it has come to that; forgets it. */
bool standin_refused(void);

/* Requests of this thread so far, and pieces that it has and has not freed. */
long standin_memory_calls(void);
long standin_memory_live(void);

#endif
