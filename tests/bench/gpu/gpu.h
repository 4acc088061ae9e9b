/*
 * Measures exchanges in the memory of a device, in several ways at the same work.
 *
 *   main.c      arguments and cases
 *   problem.c   the work: sets of arrays of a periodic box, their values, what is wrong with them
 *   emitted.c   emitted kernels and the tables of libhx, messages on the device or mapped; copies within a
 *               rank by the halves of the public interface; a graph
 *   indexed.c   index arrays, a launch for each field and direction, or one for all
 *   copies.c    cudaMemcpy3DAsync for each box, and batches of such copies
 *   sectors.c   what must be read and written at least
 *   measure.c   CUDA events, medians
 *   report.c    the table, and the same as Markdown
 *   kernels.cu  values and index arrays, on the device
 */
#ifndef GPU_BENCH_H
#define GPU_BENCH_H

#include "kernels.h"

#include <hx/abi.h>

#include <cuda_runtime_api.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

_Noreturn void give_up(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Gives up, in words, if a call of CUDA did not return 0. */
void must(int error, const char *purpose);
void *allocate(size_t count, size_t size);

/* ---- problem.c ---- */

/* n^3 cells, h layers around them, so many fields of double. */
typedef struct extents {
    int n, h, fields;
} extents;

/* Arrays of all fields, a message with what goes in all directions, and as many bytes as it has elsewhere. */
typedef struct array_set {
    double *field[MOST_FIELDS];
    double *message;
    double *spare;
} array_set;

/* Sets take turns, so that caches have nothing of the next one, where there are enough. */
typedef struct problem {
    extents shape;
    const hx_spec *spec;
    int sets;
    array_set *set;
    size_t cells;         /* of an array, ghost cells included */
    size_t packed;        /* bytes that an exchange has to move, of all directions and fields */
    size_t message_bytes; /* of a message: packed, and room between its parts */
    uint32_t *wrong;      /* of the device; by thread */
    int run;
    cudaStream_t stream;
} problem;

/* cache: bytes that sets together are to exceed twice; 0: two sets. */
void problem_make(problem *p, const extents *s, const hx_spec *spec, size_t cache);
void problem_free(problem *p);

/* Values for another run in one set; its message, and what is spare, are spoiled. */
void problem_fill(problem *p, int set);
/* Cells, ghost cells included, that are not as they should be after an exchange. */
long problem_wrong(const problem *p, int set);

/* A box of cells: the first, counted from the first ghost cell, and how many. */
typedef struct box {
    int first[3], extent[3];
} box;

/* Directions by number; that of the opposite one is DIRECTIONS - 1 - d. */
void direction_of(int d, int direction[3]);
/* What is sent in a direction, and where what comes from there goes to. */
box box_sent(const extents *s, int d);
box box_filled(const extents *s, int d);
size_t box_cells(const box *b);
/* Of its first cell; elements. */
size_t box_at(const extents *s, const box *b);

/* ---- variants ---- */

/* One way of doing it.  What it does it puts into the stream of the problem. */
typedef struct variant {
    const char *name;
    const char *what;
    void *(*make)(problem *p); /* NULL: not here */
    void (*pack)(void *state, int set);
    void (*unpack)(void *state, int set);
    void (*both)(void *state, int set); /* NULL: pack, then unpack */
    void (*free)(void *state);
} variant;

enum {
    EMITTED,
    GRAPH,
    MAPPED,
    DIRECT,
    INDEXED_EACH,
    INDEXED_TOGETHER,
    INDEXED_GRAPH,
    COPIES_3D,
    COPIES_BATCH,
    WAYS
};
extern const variant *const variants[WAYS];

extern const variant emitted, emitted_graph, emitted_mapped, emitted_direct;
/* Of a state of `emitted`: its tables, in words. */
void emitted_tables(const void *state, char *text, size_t size);
extern const variant indexed_each, indexed_together, indexed_graph;
extern const variant copies_3d, copies_batch;

/* ---- graphs.c ---- */

/* Both steps of a way, captured once for each set, in an array that free_graphs takes back. */
cudaGraphExec_t *make_graphs_of(const problem *p, const variant *v, void *state);
void free_graphs(const problem *p, cudaGraphExec_t *graph);

/* ---- sectors.c ---- */

/* Bytes between the device and its memory that cannot be done without. */
typedef struct floors {
    double pack, unpack, direct;
} floors;

floors floors_of(const extents *s);

/* ---- measure.c ---- */

enum { MOST_ROUNDS = 101 };

/* Times of a call in microseconds, a figure a round. */
typedef struct times {
    int rounds;
    double round[MOST_ROUNDS];
} times;

typedef struct summary {
    double middle, low, high; /* median, quartiles */
} summary;

typedef void step(void *state, int set);

typedef struct timed {
    step *first, *second; /* second: NULL if there is one step only */
    void *state;
    times cold, hot; /* sets take turns; the same one each time */
} timed;

/*
 * Each of them in each round, for so many microseconds or at least once with each set; those that take longer
 * than that in three rounds only.
 */
void measure(const problem *p, timed *list, int count, int rounds, double microseconds);
summary summary_of(const times *t);
/* Of the first to the second, round by round, times a factor. */
summary ratio_of(const times *t, const times *to, double factor);

/* ---- report.c ---- */

enum { PACK, UNPACK, BOTH, PHASES };

/* What was measured of a case. */
typedef struct result {
    const problem *problem;
    floors floors;
    timed copy, launch; /* of as many bytes within the device; of a kernel that does nothing */
    timed ends;         /* of a loop that writes the ghost cells at the ends of rows, and nothing else */
    char tables[200];   /* of emitted kernels, in words */
    struct {
        const variant *variant; /* NULL: it cannot be done here */
        timed phase[PHASES];
        bool has[PHASES];
    } way[WAYS];
} result;

void report_heading(FILE *markdown);
/* Both the table on standard output and, unless NULL, Markdown.  Whether all targets are met. */
bool report_case(const result *r, FILE *markdown);

#endif
