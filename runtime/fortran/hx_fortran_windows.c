/*
 * Windows: create and free them, ask for their memory as pointers, attach memory, register.
 */
#include "hx_fortran_glue.h"

#include <hx/window.h>

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* type(hx_window_request): hx_window_request without what the glue knows. */
typedef struct hx_f_window_request {
    int memory, ways;
    size_t element;
    int axes;
    int64_t extent[HX_MAX_AXES];
    void *base;
    int check, log;
    hx_log_fn *log_line;
    void *log_context;
    double deadline;
} hx_f_window_request;

void hx_f_window_create(const CFI_cdesc_t *given, const hx_f_window_request *request, hx_f_window *window,
                        const CFI_cdesc_t *name, int *ierr);
void hx_f_window_free(hx_f_window *window, int *ierr);
void hx_f_window_query(const hx_f_window *window, hx_window_facts *facts);
void hx_f_window_pointer_any(const hx_f_window *window, int node_rank, void **memory, int64_t *elements,
                             int *ierr);
void hx_f_window_attach(const hx_f_window *window, const CFI_cdesc_t *array, int *ierr);
void hx_f_window_detach(const hx_f_window *window, const CFI_cdesc_t *array, int *ierr);
int64_t hx_f_window_address(const CFI_cdesc_t *array);

static hx_window_request request_in_c(const hx_f_window_request *given, const char *name)
{
    hx_window_request request = HX_WINDOW_REQUEST_INIT;
    request.name = name ? name : request.name;
    request.memory = (hx_window_memory)given->memory;
    request.ways = (unsigned)given->ways;
    request.element = given->element;
    request.axes = given->axes;
    memcpy(request.extent, given->extent, sizeof request.extent);
    request.base = given->base;
    request.check = given->check;
    request.log = given->log;
    request.log_line = given->log_line;
    request.log_context = given->log_context;
    request.deadline = given->deadline;
    return request;
}

/* A text of Fortran as one of C, without the blanks at its end; NULL: there is none, or no memory for it. */
static char *text_in_c(const CFI_cdesc_t *given)
{
    size_t length = given ? given->elem_len : 0;
    const char *bytes = given ? given->base_addr : NULL;
    while (length > 0 && bytes[length - 1] == ' ') {
        --length;
    }
    char *text = length > 0 ? calloc(length + 1, 1) : NULL;
    if (text) {
        memcpy(text, bytes, length);
    }
    return text;
}

void hx_f_window_create(const CFI_cdesc_t *given, const hx_f_window_request *request, hx_f_window *window,
                        const CFI_cdesc_t *name, int *ierr)
{
    static const char call[] = "hx_window_create";
    MPI_Comm comm = MPI_COMM_NULL;
    hx_status status = hx_f_find_comm(call, "hx", given, &comm);
    const bool in_use = window->window != NULL;
    if (status == HX_OK) {
        char *text = text_in_c(name);
        const hx_window_request in_c = request_in_c(request, text);
        /* Without a place for the window this fails on all ranks. */
        status = hx_window_create(comm, &in_c, in_use ? NULL : &window->window);
        free(text);
    }
    if (in_use) {
        status = hx_f_refuse(HX_ERR_STATE, "%s: window is in use; free it first", call);
    }
    hx_f_answer(status, ierr);
}

void hx_f_window_free(hx_f_window *window, int *ierr)
{
    hx_f_answer(hx_window_free(&window->window), ierr);
}

void hx_f_window_query(const hx_f_window *window, hx_window_facts *facts)
{
    hx_window_query(window->window, facts);
}

/* ---- memory ---- */

/* The extents of a pointer to so many elements: one dimension, or those of the request. */
static hx_status extents_of(const hx_window_facts *facts, int node_rank, int64_t elements,
                            const CFI_cdesc_t *pointer, CFI_index_t extent[])
{
    extent[0] = (CFI_index_t)elements;
    if (pointer->rank == 1) {
        return HX_OK;
    }
    const bool known = node_rank == facts->node_rank || facts->memory == HX_WINDOW_SHARED;
    if (!known || pointer->rank != facts->axes || pointer->rank > HX_MAX_AXES) {
        return hx_f_refuse(
            HX_ERR_ARGUMENT,
            "hx_window_pointer: the array has rank %d, and the window's extents %s; take one of "
            "rank 1, and write array(1:n, 1:m) => it",
            (int)pointer->rank, known ? "are of another one" : "on that rank are not known here");
    }
    for (int a = 0; a < pointer->rank; ++a) {
        extent[a] = (CFI_index_t)facts->extent[a];
    }
    return HX_OK;
}

static hx_status point_at_memory(const hx_f_window *window, int node_rank, CFI_cdesc_t *pointer,
                                 const CFI_cdesc_t *lower)
{
    void *memory = NULL;
    int64_t elements = 0;
    hx_status status = hx_window_pointer(window->window, node_rank, &memory, &elements);
    if (status != HX_OK) {
        return status;
    }
    if (!memory || elements == 0) {
        CFI_setpointer(pointer, NULL, NULL);
        return HX_OK;
    }
    hx_window_facts facts;
    hx_window_query(window->window, &facts);
    if (facts.element != pointer->elem_len) {
        return hx_f_refuse(
            HX_ERR_ARGUMENT,
            "hx_window_pointer: elements of the window have %zu bytes, those of the array have "
            "%zu; set element in the request",
            facts.element, pointer->elem_len);
    }
    CFI_index_t extent[HX_MAX_AXES];
    status = extents_of(&facts, node_rank, elements, pointer, extent);
    return status == HX_OK ? hx_f_aim("hx_window_pointer", memory, extent, pointer, lower) : status;
}

#define WINDOW_POINTER(kind)                                                                                 \
    void hx_f_window_pointer_##kind(const hx_f_window *window, int node_rank, CFI_cdesc_t *array,            \
                                    const CFI_cdesc_t *lower, int *ierr);                                    \
    void hx_f_window_pointer_##kind(const hx_f_window *window, int node_rank, CFI_cdesc_t *array,            \
                                    const CFI_cdesc_t *lower, int *ierr)                                     \
    {                                                                                                        \
        hx_f_answer(point_at_memory(window, node_rank, array, lower), ierr);                                 \
    }

WINDOW_POINTER(float)
WINDOW_POINTER(double)
WINDOW_POINTER(int8)
WINDOW_POINTER(int16)
WINDOW_POINTER(int32)
WINDOW_POINTER(int64)
WINDOW_POINTER(bool)
WINDOW_POINTER(float_complex)
WINDOW_POINTER(double_complex)

void hx_f_window_pointer_any(const hx_f_window *window, int node_rank, void **memory, int64_t *elements,
                             int *ierr)
{
    hx_f_answer(hx_window_pointer(window->window, node_rank, memory, elements), ierr);
}

/* ---- attached memory ---- */

void hx_f_window_attach(const hx_f_window *window, const CFI_cdesc_t *array, int *ierr)
{
    size_t bytes = 0;
    hx_status status = hx_f_bytes_of("hx_window_attach", "array", array, &bytes);
    status = status == HX_OK ? hx_window_attach(window->window, array->base_addr, bytes) : status;
    hx_f_answer(status, ierr);
}

void hx_f_window_detach(const hx_f_window *window, const CFI_cdesc_t *array, int *ierr)
{
    hx_f_answer(hx_window_detach(window->window, array->base_addr), ierr);
}

int64_t hx_f_window_address(const CFI_cdesc_t *array)
{
    return hx_window_address(array->base_addr);
}

/* ---- register ---- */

hx_status hx_f_register(const hx_f_handle *handle, const char *call, const hx_f_window *window)
{
    return handle->halo ? hx_register(handle->halo->handle, window->window) : hx_f_not_created(call);
}

hx_status hx_f_unregister(const hx_f_handle *handle, const char *call, const hx_f_window *window)
{
    return handle->halo ? hx_unregister(handle->halo->handle, window->window) : hx_f_not_created(call);
}
