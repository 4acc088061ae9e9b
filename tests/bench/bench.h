/*
 * Measures halo exchanges in several ways at the same work, in one process.
 *
 *   main.c       arguments and cases
 *   rounds.c     in which all ways are measured, for all benchmarks here
 *   report.c     the table, and numbers for programs
 *   problem.c    the work: fields of a periodic box of blocks, their values, and a sweep that uses them
 *   datatypes.c  exchanges by MPI subarray datatypes, nonblocking and persistent
 *   packing.c    exchanges by generic packing loops
 *   emitted.c    exchanges by emitted code and libhx
 *   shared.c     exchanges by hand through shared memory: what a loop can reach
 *   measure.c    the gate that ranks start from, and what is timed
 *   times.c      clocks and medians
 */
#ifndef BENCH_H
#define BENCH_H

#ifndef OMPI_SKIP_MPICXX
#define OMPI_SKIP_MPICXX 1
#endif
#ifndef MPICH_SKIP_MPICXX
#define MPICH_SKIP_MPICXX 1
#endif
#include "times.h"

#include <hx/hx.h>
#include <mpi.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { MAX_FIELDS = 8, MAX_BLOCKS = 4, NEIGHBORS = 26, LARGEST = 4096 };

/* ---- problem.c ---- */

typedef enum type { DOUBLE, FLOAT, INT32, COMPLEX128 } type;

/* The fields of a case; there is a spec with the same ones for each. */
typedef struct kind {
    const char *name; /* behind n in the table and in -c */
    int fields;
    struct {
        type type;
        int halo;
    } field[MAX_FIELDS];
    int width;     /* layers that are exchanged; 0: the whole halos */
    int blocks;    /* of each rank: 1 or 4 */
    bool together; /* emitted code has all fields in one array, side by side at each point */
} kind;

/* One rank's blocks: n^3 cells each with a halo around, in C order (the last axis is the fastest). */
typedef struct problem {
    const kind *kind;
    int n;
    int ranks[3], index[3];    /* of this rank */
    bool alone;                /* each rank has the whole grid for itself */
    int split[3];              /* blocks of each rank along each axis; numbered like ranks */
    int arrays;                /* of each block */
    size_t shift;              /* bytes by which they lie behind where malloc put them */
    int components;            /* of each point of an array, side by side */
    ptrdiff_t row[MAX_FIELDS]; /* elements from one to the next; dense, but where code of ours chose */
    ptrdiff_t plane[MAX_FIELDS];
    void *array[MAX_BLOCKS][MAX_FIELDS]; /* from malloc, as users have them, but where libhx allocated */
} problem;

/* What one exchange with one neighbor moves: boxes of points, counted from the first allocated one. */
typedef struct neighbor {
    int rank;
    int tag;         /* of what this block sends to it, below TAGS */
    int reply_tag;   /* of what it sends to this block */
    int extent[3];   /* of both boxes */
    int interior[3]; /* first point of what the neighbor needs */
    int halo[3];     /* first point of what the neighbor fills */
} neighbor;

enum { TAGS = (NEIGHBORS + 1) * MAX_BLOCKS };

/* together: in one array, if the kind says so.  shift: see problem. */
void problem_create(problem *p, const kind *k, int n, const int ranks[3], bool together, size_t shift);
void problem_destroy(problem *p);
int problem_width(const problem *p, int f);   /* n and both halos */
size_t problem_size(const problem *p, int f); /* bytes of an element of an array */
void problem_neighbors(const problem *p, int block, int f, neighbor list[NEIGHBORS]);
/* Where a block of this rank is in the grid of all blocks. */
void problem_block(const problem *p, int block, int at[3]);
/* The rank that owns a block, whose place may be beyond the ends of the grid. */
int problem_owner(const problem *p, const int at[3]);

/* Gives each owned point of each field a value of its own, different in each run, and spoils the halo. */
void problem_fill(problem *p, int run);
/* Points anywhere in the arrays, halo and corners included, without the value that they should have after
 * problem_fill and an exchange; of all ranks. */
long problem_wrong_points(const problem *p, int run);
/* A 7-point average over the owned points of all fields; leaves the caches as a simulation does. */
void problem_sweep(void *problem);

/* ---- variants: datatypes.c, packing.c, emitted.c, shared.c ---- */

typedef struct variant {
    const char *name;
    const char *what;
    bool emitted;                      /* its arrays are those of emitted code */
    void *(*create)(const problem *p); /* NULL: this case cannot be done in this way, on any rank */
    void (*exchange)(void *state);
    void (*destroy)(void *state);
    problem *(*own)(void *state); /* the problem with arrays of its own; NULL: it has none */
} variant;

extern const variant datatypes_nonblocking, datatypes_persistent;
extern const variant packing;
extern const variant emitted_persistent, emitted_one_phase, emitted_p2p, emitted_neighbor;
extern const variant emitted_shared, emitted_alloc, emitted_best;
extern const variant by_hand_shared;

/* ---- measure.c ---- */

void measure_open(void);
void measure_close(void);

/* Nanoseconds until the other of two ranks sees a flag.  It tells when a host has moved the processors of a virtual machine: two that
 * share a core are several times as near as others. */
double measure_flag(void);

/*
 * Median over iterations of the time of an exchange from the first rank's start to the last rank's end, in
 * microseconds, each iteration after a sweep; as many iterations as fit into the given time, at least 5.
 * Collective; same on all ranks.
 */
double measure_dirty(void (*sweep)(void *work), void *work, void (*exchange)(void *state), void *state,
                     double seconds);

/*
 * Time of one of many exchanges that follow each other at once, in microseconds, over all that fit into the
 * given time: nothing lies between them, as on the coarse levels of a multigrid.  Collective; same on all
 * ranks.
 */
double measure_back_to_back(void (*exchange)(void *state), void *state, double seconds);

_Noreturn void give_up(const char *format, ...) __attribute__((format(printf, 1, 2)));
void must(hx_status status); /* or gives up, in libhx's words */
void *allocate(size_t bytes);

/* ---- rounds.c ---- */

enum { MAX_ROUNDS = 101 };

/* What one may choose for any benchmark: -r COUNT, -t SECONDS, -o FILE. */
typedef struct rounds {
    int count;
    double seconds; /* for each way, in each round */
    FILE *numbers;  /* of rank 0, or NULL */
} rounds;

/* Takes an option; false: it is none of these. */
bool rounds_option(rounds *r, int option, const char *argument);
void rounds_check(const rounds *r); /* gives up if there are too few or too many */
void rounds_close(const rounds *r);

/* A benchmark of fields that move: what it runs on, and its options. */
typedef struct session {
    const char *program;
    int rank, ranks;
    rounds rounds;    /* -r, -t, -o */
    const char *only; /* -c, the only case to run; NULL: all */
    bool smoke;       /* -s: one short round */
} session;

/* Starts MPI.  usual: program and rounds.  Gives up where there is another option, or one rank, or more than most. */
session session_begin(int argc, char **argv, const session *usual, int most);
/* Ends MPI, and says how the program ends: missed bars of rank 0 count where it is no smoke. */
int session_end(const session *s, int missed);

/* Measures all ways in turn, in reversed order every other round. */
void rounds_run(const rounds *r, int ways, void (*measure)(void *work, int way, int round), void *work);

/* Of times by round: their median; and ratios to others of the same round, the median and the middle half. */
typedef struct ratio {
    double middle, low, high;
} ratio;
double rounds_median(const rounds *r, const double time[]);
ratio rounds_ratio(const rounds *r, const double time[], const double base[]);

/* ---- report.c ---- */

/* The first is (a), the baseline. */
enum { VARIANTS = 11, JUDGED = 3 };
extern const variant *const variants[VARIANTS];

/* Which of them are judged. */
extern const int judged[JUDGED];

/* One row: medians in microseconds by variant and round. */
typedef struct result {
    int n;
    const kind *kind;
    const char *split;
    const double *aim; /* of each judged variant, relative to (a); 0: only not slower */
    const rounds *rounds;
    bool done[VARIANTS];
    double time[VARIANTS][MAX_ROUNDS];
    double flag; /* nanoseconds, with a single way: those of measure_flag before and after, the larger */
} result;

/* alone: of a single way. */
void report_heading(const rounds *r, bool alone);
/* Prints the time of the only way that was measured; true. */
bool report_time(const result *r);
/* Prints a row of the table, with verdicts unless `smoke`; whether all bars are met. */
bool report_row(const result *r, bool smoke);
/* Writes the same as name=value pairs, a line per variant. */
void report_numbers(const result *r);

#endif
