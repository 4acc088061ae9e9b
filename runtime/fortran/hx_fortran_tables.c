/*
 * Arrays that the ranks of a node share, and broadcasts: from arrays of Fortran, to pointers and allocatables.
 */
#include "hx_fortran_glue.h"

#include <hx/shared_array.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* type(hx_shared_arrays) */
typedef struct hx_f_shared_arrays {
    hx_shared_arrays *group; /* NULL: not created, or destroyed */
} hx_f_shared_arrays;

void hx_f_shared_arrays_create(const CFI_cdesc_t *given, hx_f_shared_arrays *group, const double *deadline,
                               int *ierr);
void hx_f_shared_arrays_sync(const hx_f_shared_arrays *group, int *ierr);
void hx_f_shared_arrays_release(const hx_f_shared_arrays *group, int *ierr);
void hx_f_shared_arrays_destroy(hx_f_shared_arrays *group, int *ierr);
void hx_f_shared_array_any(const hx_f_shared_arrays *group, int root, const CFI_cdesc_t *given, void **shared,
                           const int *access, int *ierr);

/* ---- groups ---- */

void hx_f_shared_arrays_create(const CFI_cdesc_t *given, hx_f_shared_arrays *group, const double *deadline,
                               int *ierr)
{
    static const char call[] = "hx_shared_arrays_create";
    MPI_Comm comm = MPI_COMM_NULL;
    hx_status status = hx_f_find_comm(call, "hx", given, &comm);
    const bool in_use = group->group != NULL;
    if (status == HX_OK) {
        /* Without a place for the group this fails on all ranks. */
        status =
            hx_shared_arrays_create_within(comm, deadline ? *deadline : 0, in_use ? NULL : &group->group);
    }
    if (in_use) {
        status = hx_f_refuse(HX_ERR_STATE, "%s: group is in use; destroy it first", call);
    }
    hx_f_answer(status, ierr);
}

void hx_f_shared_arrays_sync(const hx_f_shared_arrays *group, int *ierr)
{
    hx_f_answer(hx_shared_arrays_sync(group->group), ierr);
}

void hx_f_shared_arrays_release(const hx_f_shared_arrays *group, int *ierr)
{
    hx_f_answer(hx_shared_arrays_release(group->group), ierr);
}

void hx_f_shared_arrays_destroy(hx_f_shared_arrays *group, int *ierr)
{
    const hx_status status = hx_shared_arrays_destroy(group->group);
    if (status != HX_ERR_MISMATCH) {
        group->group = NULL;
    }
    hx_f_answer(status, ierr);
}

/* ---- arrays ---- */

static const char call_of_shared[] = "hx_shared_array";
static const char call_of_broadcast[] = "hx_broadcast";

/* Where a shared array becomes known; access: NULL or 0 to read, 1 to write. */
typedef struct shared_pointer {
    CFI_cdesc_t *pointer;
    const CFI_cdesc_t *lower;
    const int *access;
} shared_pointer;

/* An array for C; what is not allocated is none.  copy: to be freed, of one that has gaps; NULL otherwise.  Where
 * there is no memory for it, and of more axes than C has, libhx refuses the array, on all ranks. */
static hx_array array_in_c(const CFI_cdesc_t *given, void **copy)
{
    *copy = NULL;
    if (!given || !given->base_addr) {
        return (hx_array){.data = NULL};
    }
    hx_array array = {.data = given->base_addr, .size = given->elem_len, .axes = given->rank};
    for (int a = 0; a < given->rank && a < HX_ARRAY_AXES; ++a) {
        array.extent[a] = (size_t)given->dim[a].extent;
    }
    if (given->rank > 0 && given->rank <= HX_ARRAY_AXES && !CFI_is_contiguous(given)) {
        *copy = hx_f_dense(given);
        array.size = *copy ? array.size : 0;
        array.data = *copy ? *copy : array.data;
    }
    return array;
}

/* What Fortran has to know of an array that came from another rank. */
static hx_status check_pointer(const char *call, const hx_array *array, const CFI_cdesc_t *pointer)
{
    if (pointer->rank != array->axes) {
        return hx_f_refuse(HX_ERR_ARGUMENT,
                           "%s: the array of the root has rank %d, the one given here has %d", call,
                           array->axes, pointer->rank);
    }
    if (pointer->elem_len != array->size) {
        return hx_f_refuse(
            HX_ERR_ARGUMENT,
            "%s: elements of the root's array have %zu bytes, those of the one given here have %zu", call,
            array->size, pointer->elem_len);
    }
    return HX_OK;
}

static hx_status share(const hx_f_shared_arrays *group, int root, const CFI_cdesc_t *given, bool writable,
                       hx_array *shared)
{
    void *copy = NULL, *memory = NULL;
    const hx_array array = array_in_c(given, &copy);
    const hx_status status =
        hx_shared_array(group->group, root, array.data ? &array : NULL, shared, writable ? &memory : NULL);
    free(copy);
    return array.data && array.size == 0 ? hx_f_no_memory(call_of_shared) : status;
}

/* Of each kind the same, since a pointer of Fortran has one. */
static hx_status point_at_shared(const hx_f_shared_arrays *group, int root, const CFI_cdesc_t *given,
                                 const shared_pointer *to)
{
    hx_array shared = {.data = NULL};
    hx_status status = share(group, root, given, to->access && *to->access, &shared);
    if (status != HX_OK) {
        return status;
    }
    if (!shared.data) {
        CFI_setpointer(to->pointer, NULL, NULL);
        return HX_OK;
    }
    if ((status = check_pointer(call_of_shared, &shared, to->pointer)) != HX_OK) {
        return status;
    }
    CFI_index_t extent[HX_ARRAY_AXES];
    for (int a = 0; a < shared.axes; ++a) {
        extent[a] = (CFI_index_t)shared.extent[a];
    }
    return hx_f_aim(call_of_shared, (void *)(uintptr_t)shared.data, extent, to->pointer, to->lower);
}

#define SHARED_ARRAY(kind)                                                                                   \
    void hx_f_shared_array_##kind(const hx_f_shared_arrays *group, int root, const CFI_cdesc_t *given,       \
                                  CFI_cdesc_t *shared, const CFI_cdesc_t *lower, const int *access,          \
                                  int *ierr);                                                                \
    void hx_f_shared_array_##kind(const hx_f_shared_arrays *group, int root, const CFI_cdesc_t *given,       \
                                  CFI_cdesc_t *shared, const CFI_cdesc_t *lower, const int *access,          \
                                  int *ierr)                                                                 \
    {                                                                                                        \
        const shared_pointer to = {shared, lower, access};                                                   \
        hx_f_answer(point_at_shared(group, root, given, &to), ierr);                                         \
    }

SHARED_ARRAY(float)
SHARED_ARRAY(double)
SHARED_ARRAY(int8)
SHARED_ARRAY(int16)
SHARED_ARRAY(int32)
SHARED_ARRAY(int64)
SHARED_ARRAY(bool)
SHARED_ARRAY(float_complex)
SHARED_ARRAY(double_complex)

void hx_f_shared_array_any(const hx_f_shared_arrays *group, int root, const CFI_cdesc_t *given, void **shared,
                           const int *access, int *ierr)
{
    hx_array out = {.data = NULL};
    const hx_status status = share(group, root, given, access && *access, &out);
    if (status == HX_OK) {
        *shared = (void *)(uintptr_t)out.data;
    }
    hx_f_answer(status, ierr);
}

/* ---- broadcasts ---- */

/* What is there stays where libhx has put it; a copy goes into memory of Fortran, with the bounds of the root. */
static hx_status receive(const hx_array *received, const int64_t bound[], CFI_cdesc_t *array)
{
    hx_status status = check_pointer(call_of_broadcast, received, array);
    if (status != HX_OK) {
        return status;
    }
    CFI_index_t lower[HX_ARRAY_AXES], upper[HX_ARRAY_AXES];
    size_t bytes = received->size;
    for (int a = 0; a < received->axes; ++a) {
        lower[a] = (CFI_index_t)bound[a];
        upper[a] = lower[a] + (CFI_index_t)received->extent[a] - 1;
        bytes *= received->extent[a];
    }
    if (array->base_addr) {
        CFI_deallocate(array);
    }
    if (CFI_allocate(array, lower, upper, array->elem_len) != CFI_SUCCESS) {
        return hx_f_no_memory(call_of_broadcast);
    }
    memcpy(array->base_addr, received->data, bytes);
    return HX_OK;
}

/* Bounds travel behind the array, as an array of their own. */
static hx_status broadcast(MPI_Comm comm, int root, CFI_cdesc_t *array)
{
    void *copy = NULL;
    const hx_array given = array_in_c(array, &copy);
    hx_array received = {.data = NULL}, bounds = {.data = NULL};
    hx_status status = hx_broadcast(comm, root, &given, &received);
    if (status != HX_OK) {
        return status;
    }
    int64_t lower[HX_ARRAY_AXES] = {0};
    for (int a = 0; a < array->rank && a < HX_ARRAY_AXES; ++a) {
        lower[a] = array->dim[a].lower_bound;
    }
    const hx_array mine = {.data = lower, .size = sizeof *lower, .axes = 1, .extent = {HX_ARRAY_AXES}};
    status = hx_broadcast(comm, root, &mine, &bounds);
    if (status == HX_OK && received.memory) {
        status = receive(&received, bounds.data, array);
    }
    hx_array_free(&received);
    hx_array_free(&bounds);
    return status;
}

#define BROADCAST(kind)                                                                                      \
    void hx_f_broadcast_##kind(const CFI_cdesc_t *given, int root, CFI_cdesc_t *array, int *ierr);           \
    void hx_f_broadcast_##kind(const CFI_cdesc_t *given, int root, CFI_cdesc_t *array, int *ierr)            \
    {                                                                                                        \
        MPI_Comm comm = MPI_COMM_NULL;                                                                       \
        const hx_status status = hx_f_find_comm(call_of_broadcast, "hx", given, &comm);                      \
        hx_f_answer(status == HX_OK ? broadcast(comm, root, array) : status, ierr);                          \
    }

BROADCAST(float)
BROADCAST(double)
BROADCAST(int8)
BROADCAST(int16)
BROADCAST(int32)
BROADCAST(int64)
BROADCAST(bool)
BROADCAST(float_complex)
BROADCAST(double_complex)
