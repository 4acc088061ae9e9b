/*
 * Kernels of the benchmark itself: values, what is wrong with them, and packing by index arrays.
 */
#ifndef GPU_BENCH_KERNELS_H
#define GPU_BENCH_KERNELS_H

#include <hx/cuda.h>

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { DIRECTIONS = 26, MOST_FIELDS = 8 };

/* Blocks of threads that look at an array, at most, and threads, each of which counts for itself. */
enum { MOST_BLOCKS = 512, MOST_THREADS = 256 * MOST_BLOCKS };

/* One array of n^3 cells and h layers around them; z is the fastest axis. */
typedef struct values {
    double *field;
    uint32_t *wrong; /* by thread */
    int n, h;
    uint32_t blocks; /* of threads */
    double first;    /* value of cell (0, 0, 0); the others count on from there */
} values;

/* Owned cells get values of their own, ghost cells others. */
int values_fill(const values *v, void *stream);
/* Counts cells, ghost cells included, that are not what they are to be after an exchange. */
int values_check(const values *v, void *stream);

/* One box of one field: message[i] and field[index[i]]. */
typedef struct indexed {
    double *field;
    double *message;
    const int32_t *index;
    uint32_t count;
} indexed;

int index_pack(const indexed *x, void *stream);
int index_unpack(const indexed *x, void *stream);

/* All boxes of all fields in one launch: a block of threads has a piece of so many cells at most. */
enum { PIECE = HX_CUDA_LOADS * HX_CUDA_THREADS };

typedef struct indexed_all {
    double *field[MOST_FIELDS];
    double *message;
    const int32_t *index;            /* of all directions, one behind the other */
    uint32_t fields;                 /* which take turns within a direction's part of the message */
    uint32_t first[DIRECTIONS + 1];  /* of each direction among all indices */
    uint32_t message_at[DIRECTIONS]; /* where its part of the message begins; numbers, not bytes */
    uint32_t first_block[DIRECTIONS + 1];
} indexed_all;

int index_pack_all(const indexed_all *x, void *stream);
int index_unpack_all(const indexed_all *x, void *stream);

/* Does nothing. */
int nothing(void *stream);

/* Rows of arrays, z along them, and numbers for the ghost cells at both ends of each. */
typedef struct ends {
    double *field[MOST_FIELDS];
    const double *message;
    uint32_t fields;
    uint32_t rows; /* of each field */
    uint32_t wide; /* numbers of a row, with 2 * h ghost cells */
    uint32_t h;
} ends;

/*
 * Writes them, and nothing else: those behind a row and those before the next lie side by side.
 */
int ends_write(const ends *e, void *stream);

#ifdef __cplusplus
}
#endif
#endif
