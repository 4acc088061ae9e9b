/*
 * Baselines without kernels: a copy of three dimensions for each box of each field, one by one, or all in
 * one call where the toolkit has that.
 */
#include "gpu.h"

#include <stdlib.h>

enum { MOST_COPIES = DIRECTIONS * MOST_FIELDS };

/* A box of an array, and its part of a message. */
typedef struct end {
    double *array; /* its first cell */
    double *message;
    size_t extent[3];   /* bytes, rows, planes */
    size_t pitch, rows; /* of the array: bytes of a row, rows of a plane */
} end;

/* One of all: number = direction * fields + field. */
static end end_of(const problem *p, int number, int set, bool packs)
{
    const extents *s = &p->shape;
    const int d = number / s->fields;
    const int f = number % s->fields;
    const size_t wide = (size_t)(s->n + 2 * s->h);
    const box b = packs ? box_sent(s, d) : box_filled(s, d);
    size_t before = 0;
    for (int i = 0; i < (packs ? d : DIRECTIONS - 1 - d); ++i) {
        const box other = box_sent(s, i);
        before += box_cells(&other);
    }
    return (end){.array = p->set[set].field[f] + box_at(s, &b),
                 .message = p->set[set].message + before * (size_t)s->fields + (size_t)f * box_cells(&b),
                 .extent = {(size_t)b.extent[2] * sizeof(double), (size_t)b.extent[1], (size_t)b.extent[0]},
                 .pitch = wide * sizeof(double),
                 .rows = wide};
}

static struct cudaPitchedPtr in_array(const end *e)
{
    return (struct cudaPitchedPtr){.ptr = e->array, .pitch = e->pitch, .xsize = e->pitch, .ysize = e->rows};
}

static struct cudaPitchedPtr in_message(const end *e)
{
    return (struct cudaPitchedPtr){
        .ptr = e->message, .pitch = e->extent[0], .xsize = e->extent[0], .ysize = e->extent[1]};
}

static void *make(problem *p)
{
    return p;
}

static void leave(void *state)
{
    (void)state;
}

/* ---- one by one ------------------------------------------------------------------------------ */

static void copy_each(const problem *p, int set, bool packs)
{
    for (int i = 0; i < DIRECTIONS * p->shape.fields; ++i) {
        const end e = end_of(p, i, set, packs);
        const struct cudaMemcpy3DParms copy = {
            .srcPtr = packs ? in_array(&e) : in_message(&e),
            .dstPtr = packs ? in_message(&e) : in_array(&e),
            .extent = {.width = e.extent[0], .height = e.extent[1], .depth = e.extent[2]},
            .kind = cudaMemcpyDeviceToDevice,
        };
        must(cudaMemcpy3DAsync(&copy, p->stream), "copying a box");
    }
}

static void pack_each(void *state, int set)
{
    copy_each(state, set, true);
}

static void unpack_each(void *state, int set)
{
    copy_each(state, set, false);
}

const variant copies_3d = {
    "cudaMemcpy3DAsync", "a copy for each field and direction", make, pack_each, unpack_each, NULL, leave};

/* ---- in batches ------------------------------------------------------------------------------ */

#if CUDART_VERSION >= 13000

static struct cudaMemcpy3DOperand operand(double *memory, size_t row, size_t rows)
{
    struct cudaMemcpy3DOperand made = {.type = cudaMemcpyOperandTypePointer};
    made.op.ptr.ptr = memory;
    made.op.ptr.rowLength = row;
    made.op.ptr.layerHeight = rows;
    return made;
}

static void copy_all(const problem *p, int set, bool packs)
{
    struct cudaMemcpy3DBatchOp copy[MOST_COPIES];
    const int copies = DIRECTIONS * p->shape.fields;
    for (int i = 0; i < copies; ++i) {
        const end e = end_of(p, i, set, packs);
        const struct cudaMemcpy3DOperand array = operand(e.array, e.pitch, e.rows);
        const struct cudaMemcpy3DOperand message = operand(e.message, e.extent[0], e.extent[1]);
        copy[i] = (struct cudaMemcpy3DBatchOp){
            .src = packs ? array : message,
            .dst = packs ? message : array,
            .extent = {.width = e.extent[0], .height = e.extent[1], .depth = e.extent[2]},
            .srcAccessOrder = cudaMemcpySrcAccessOrderStream,
        };
    }
    must(cudaMemcpy3DBatchAsync((size_t)copies, copy, 0, p->stream), "copying boxes");
}

static void pack_all(void *state, int set)
{
    copy_all(state, set, true);
}

static void unpack_all(void *state, int set)
{
    copy_all(state, set, false);
}

static void *make_batch(problem *p)
{
    return p;
}

#else

/* Calls of toolkits before 13 are others, and before 12.8 there are none. */
static void *make_batch(problem *p)
{
    (void)p;
    return NULL;
}

#define pack_all   pack_each
#define unpack_all unpack_each

#endif

const variant copies_batch = {
    "cudaMemcpy3DBatchAsync", "all copies in one call", make_batch, pack_all, unpack_all, NULL, leave};
