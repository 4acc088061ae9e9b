/*
 * Tables that all ranks read: one copy for all ranks of a node (that is, ranks that share memory), or one a
 * rank.
 *
 *     hx_shared_arrays *tables;
 *     hx_shared_arrays_create(comm, &tables);
 *     hx_array bathymetry = {.data = depth, .size = sizeof *depth, .axes = 2, .extent = {ny, nx}};
 *     hx_array shared;
 *     hx_shared_array(tables, 0, rank == 0 ? &bathymetry : NULL, &shared, NULL);
 *     const double *d = shared.data;        ... on every rank; may not be written: the pages are protected
 *     hx_shared_arrays_destroy(tables);     ... before MPI_Finalize
 *
 * Functions marked collective take part in what all ranks of the communicator do, whatever they are given,
 * and return the same status on all of them.  A group that is a null pointer, or a communicator that is null
 * or joins two groups, cannot: only the rank that gives it is told.  A group is used by one thread at a time.
 *
 * Where ranks call different functions for a group all get HX_ERR_MISMATCH, with both calls, and nothing was
 * done.  HX_ERR_DEADLINE: a rank did not come before another one's deadline; whoever comes later is told.
 * Then the group can only be destroyed, which waits for nobody, and its memory stays where it is.  The
 * deadline is the number of seconds in HX_DEADLINE, in the environment; without it ranks wait for ever.
 */
#ifndef HX_SHARED_ARRAY_H
#define HX_SHARED_ARRAY_H

#include <hx/hx.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { HX_ARRAY_AXES = 8 };

/* Elements that lie densely. */
typedef struct hx_array {
    const void *data;
    size_t size;                  /* bytes of an element */
    int axes;                     /* 0: a single element */
    size_t extent[HX_ARRAY_AXES]; /* elements along each axis; 0: there are none */
    void *memory; /* of hx_broadcast, on ranks that it gave memory: data, to write to; NULL: all else */
} hx_array;

typedef struct hx_shared_arrays hx_shared_arrays;

/* Collective.  A group of arrays, empty as yet, for the ranks of a communicator, which is duplicated. */
hx_status hx_shared_arrays_create(MPI_Comm comm, hx_shared_arrays **out);

/* The same.  deadline: seconds, for this call and those for the group, unless HX_DEADLINE is set; 0: none. */
hx_status hx_shared_arrays_create_within(MPI_Comm comm, double deadline, hx_shared_arrays **out);

/*
 * Collective.  Adds an array to the group: what `root` has is broadcast to one rank of each node, into memory
 * that all of its ranks share.
 *
 * given:    on the root, the array; it is copied.  NULL, or an array whose data is NULL: there is nothing to
 *           share, and every rank gets an hx_array of zeros and HX_OK.  An array without elements needs an
 *           address, too; any.  On other ranks it is not looked at.
 * shared:   the same elements, size, axes and extents on every rank; data on a page of its own, never NULL
 *           where there is an array.  Valid until the group is released.
 * writable: NULL on all ranks: the array is for reading, and whoever writes to it gets a SIGSEGV.  On all
 *           ranks the address of a pointer: that is the same memory, for writing; see hx_shared_arrays_sync.
 *
 * Needs memory of the size of the array once a node, where MPI keeps memory that processes share; where one
 * node has too little of that, as /dev/shm of many containers, all ranks get HX_ERR_MEMORY.
 */
hx_status hx_shared_array(hx_shared_arrays *group, int root, const hx_array *given, hx_array *shared,
                          void **writable);

/*
 * Collective.  What a rank wrote to writable arrays before is what the ranks of its node read after.  Nodes
 * keep copies of their own: what one writes another does not see.
 */
hx_status hx_shared_arrays_sync(hx_shared_arrays *group);

/* Collective.  Releases all arrays of the group, which can then be used again; none is no error. */
hx_status hx_shared_arrays_release(hx_shared_arrays *group);

/* Collective.  Releases the arrays and the group, whatever it returns but HX_ERR_MISMATCH.  NULL is allowed
 * on all ranks.  After MPI_Finalize it releases what is not MPI's. */
hx_status hx_shared_arrays_destroy(hx_shared_arrays *group);

/*
 * Collective.  The plain broadcast: each rank gets a copy of its own, of any length.
 *
 * given:    on the root, the array; on other ranks it is not looked at.  NULL, or data that is NULL, is an
 *           error on all ranks.
 * received: on the root, the array given.  On the others memory of libhx, on a cache line of its own, which
 *           hx_array_free releases.
 */
hx_status hx_broadcast(MPI_Comm comm, int root, const hx_array *given, hx_array *received);

/*
 * Releases array->memory, if any, and sets all to zeros: to be called on all ranks alike.  NULL is allowed.
 */
void hx_array_free(hx_array *array);

#ifdef __cplusplus
}
#endif
#endif
