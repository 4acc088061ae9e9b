/*
 * What the files of the stand-in share: ranks, threads, turns, and objects that live until the run ends.
 */
#ifndef STANDIN_ENGINE_H
#define STANDIN_ENGINE_H

#include "standin.h"

enum { STANDIN_NEVER = 0x7fffffff };

typedef struct standin_rank {
    int number;
    enum { STANDIN_BEFORE, STANDIN_INSIDE, STANDIN_AFTER } stage;
    int fail_in;
    const char *failed;
    bool exempt;
    bool abandons;
    standin_holdings holds;
} standin_rank;

/* The thread that calls. */
extern _Thread_local standin_lane *standin_me;
standin_rank *standin_here(void);
const standin_setting *standin_settings(void);

/* Calls of MPI so far, of all ranks: the stand-in's time. */
long standin_now(void);

/* Less than n, by the seed. */
int standin_random(int n);

/* When something between two ranks that starts now will be done. */
long standin_due(int from, int to);

/* Something has moved on: ranks do not all wait. */
void standin_moved(void);

/* Zeroed, until the run ends. */
void *standin_get(size_t bytes);

/* What every call of MPI starts and ends with: others may run in between, and none in the middle. */
void standin_begin(const char *call);
int standin_end(MPI_Comm comm);
int standin_end_poll(MPI_Comm comm, int found);

/* The same for what is no call of MPI: nobody else runs in between. */
void standin_lock(void);
void standin_unlock(void);

/* Lets others run, in the middle of a call that waits. */
void standin_wait(void);

/* Ends the process with a sentence about the call that this thread is in. */
_Noreturn void standin_broken(const char *format, ...) __attribute__((format(printf, 1, 2)));

#define STANDIN_RULE(condition, ...)                                                                         \
    do {                                                                                                     \
        if (!(condition)) {                                                                                  \
            standin_broken(__VA_ARGS__);                                                                     \
        }                                                                                                    \
    } while (0)

/* ThreadSanitizer: what a thread did before it published something was done when another has observed it. */
void standin_publish(void *object);
void standin_observe(void *object);

/* ---- communicators (comm.c) ------------------------------------------------------------------ */

/* Of one rank in a graph. */
typedef struct standin_edges {
    int ins, outs;
    const int *from, *to;
    const int *in_weight, *out_weight;
} standin_edges;

struct standin_comm {
    int number; /* 0: MPI_COMM_WORLD */
    bool graph;
    bool node; /* made by MPI_Comm_split_type, or a copy of such a one */
    bool freed[STANDIN_RANKS];
    MPI_Errhandler handler[STANDIN_RANKS];
    int collectives[STANDIN_RANKS]; /* calls so far */
    struct standin_collective *collective;
    standin_edges edges[STANDIN_RANKS];
};

/* All communicators have all ranks, in the same order. */
void standin_world_reset(void);
MPI_Comm standin_comm_make(MPI_Comm parent);
void standin_comm_check(MPI_Comm comm);
size_t standin_bytes(int count, MPI_Datatype type);
void standin_types_reset(void);

/* ---- requests (message.c, collective.c) ------------------------------------------------------ */

struct standin_request {
    enum { STANDIN_SEND, STANDIN_RECEIVE, STANDIN_COLLECTIVE } kind;
    bool persistent, active, synchronous, abandoned;
    standin_rank *rank;
    standin_lane *lane; /* the thread that started it */
    MPI_Comm comm;
    int peer;
    int tag;
    unsigned char *buffer;
    size_t bytes;
    long due; /* complete from then on */
    struct standin_message *message;
    struct standin_request *next; /* among receives that wait for a message */
    struct standin_collective *collective;
    struct standin_share *share; /* of this rank in it */
};

MPI_Request standin_request_make(MPI_Comm comm);

/* Junk stands where a message is to come: nobody may have read it, nor written over it. */
void standin_junk(unsigned char *buffer, size_t bytes);
void standin_junk_check(const unsigned char *buffer, size_t bytes, const char *what);

void standin_messages_reset(void);
void standin_messages_deliver(void);
void standin_messages_check_over(void);

/* No message is under way in memory that is freed now. */
void standin_check_freed(const void *memory, size_t bytes);

bool standin_collective_done(MPI_Request r);
void standin_collective_take(MPI_Request r);

/* All ranks, blocking; what the first of them has made for all. */
MPI_Comm standin_collective_comm(MPI_Comm comm, const char *kind, const standin_edges *mine);
void standin_collective_barrier(MPI_Comm comm);
/* All ranks make this call in the same order, but do not wait. */
void standin_collective_note(MPI_Comm comm, const char *kind);

#endif
