/*
 * Arrays of ../exchange, and their like in the memory of a device, which only copies and kernels touch.
 */
#ifndef MIRROR_H
#define MIRROR_H

#include "arrays.h"

#include <hx/cuda.h>

#include <cuda_runtime_api.h>

/* How memory is had, and given back; what fails is counted as a failed check. */
typedef struct memory_kind {
    const char *name;
    void *(*get)(size_t bytes);
    void (*give_back)(void *memory, size_t bytes);
} memory_kind;

extern const memory_kind memory_usual; /* of cudaMalloc */

typedef struct mirror {
    arrays *here;
    size_t count;            /* arrays */
    size_t guard;            /* elements before and behind those of the device */
    unsigned char **there;   /* with these guards; NULL: the field is one of the host's */
    void *memory;            /* where they lie; NULL: in that of hx_alloc */
    size_t bytes;            /* of that */
    const memory_kind *kind; /* of that */
    unsigned char *pointers; /* for hx_start_on */
    hx_handle *handle;       /* that allocated them; NULL: the test did */
} mirror;

/* Ends the program, with status 77 and a reason, where there is no device.  Collective. */
void mirror_need_device(void);

/* With arrays of the test's, of cudaMalloc or of any kind, or of hx_alloc. */
void mirror_make(mirror *m, arrays *here);
void mirror_make_in(mirror *m, arrays *here, const memory_kind *kind);
void mirror_alloc(mirror *m, arrays *here, hx_handle *handle);
void mirror_free(mirror *m);

/* The same where hx_alloc may fail: there is none then.  Drop: arrays of hx_alloc go with the handle. */
hx_status mirror_try_alloc(mirror *m, arrays *here, hx_handle *handle);
void mirror_drop(mirror *m);

/* All arrays of a field change places with those of another one's, which are of the same kind. */
void mirror_swap(mirror *a, mirror *b, int field);

/*
 * Runs an exchange as a graph, and waits for it.  Collective over MPI_COMM_WORLD; false, on all ranks: on one of
 * them it cannot be part of a graph.
 */
bool mirror_run_graph(hx_handle *handle, int exchange, const void *fields, cudaStream_t stream);

/* Puts copies into a stream: all that is here to the device, and back. */
void mirror_up(const mirror *m, hx_stream stream);
void mirror_down(const mirror *m, hx_stream stream);

/* Puts a copy of all arrays of another one into a stream, from device to device. */
void mirror_copy(const mirror *to, const mirror *from, hx_stream stream);

#endif
