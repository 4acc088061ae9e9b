/*
 * Accesses to windows: put, get, accumulate and their like, with arrays of Fortran as buffers.
 */
#include "hx_fortran_glue.h"

#include <hx/window.h>

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>

/* type(hx_window_part): hx_window_part, with elements that count from 1. */
typedef struct hx_f_window_part {
    int way, target;
    int64_t at;
    int64_t count; /* -1: as many as the buffer has */
} hx_f_window_part;

void hx_f_window_put(const hx_f_window *window, const CFI_cdesc_t *from, const hx_f_window_part *part,
                     const CFI_cdesc_t *request, int *ierr);
void hx_f_window_get(const hx_f_window *window, const CFI_cdesc_t *into, const hx_f_window_part *part,
                     const CFI_cdesc_t *request, int *ierr);
void hx_f_window_accumulate(const hx_f_window *window, const CFI_cdesc_t *from, const hx_f_window_part *part,
                            const CFI_cdesc_t *type, const CFI_cdesc_t *op, const CFI_cdesc_t *request,
                            int *ierr);
void hx_f_window_get_accumulate(const hx_f_window *window, const CFI_cdesc_t *from, const CFI_cdesc_t *into,
                                const hx_f_window_part *part, const CFI_cdesc_t *type, const CFI_cdesc_t *op,
                                const CFI_cdesc_t *request, int *ierr);
void hx_f_window_fetch_and_op(const hx_f_window *window, const CFI_cdesc_t *from, const CFI_cdesc_t *into,
                              const hx_f_window_part *part, const CFI_cdesc_t *type, const CFI_cdesc_t *op,
                              int *ierr);

/* What an access was given; NULL: it has no such argument. */
typedef struct access {
    const char *call;
    hx_window *window;
    const CFI_cdesc_t *from, *into;
    const hx_f_window_part *part;
    const CFI_cdesc_t *type, *op, *request;
} access;

/* And what C takes. */
typedef struct access_in_c {
    hx_window_part part;
    hx_window_operation operation;
    MPI_Request made, *request;
} access_in_c;

/* A part with count -1 is as long as the buffer, and none is longer. */
static hx_status fit_buffer(const access *q, const char *name, const CFI_cdesc_t *buffer, int64_t *count)
{
    hx_window_facts facts;
    hx_window_query(q->window, &facts);
    size_t bytes = 0;
    const hx_status status = hx_f_bytes_of(q->call, name, buffer, &bytes);
    if (status != HX_OK || facts.element == 0) { /* libhx has a sentence for a window that was freed */
        return status;
    }
    if (*count < 0) {
        *count = (int64_t)(bytes / facts.element);
    }
    const uint64_t needed =
        (uint64_t)*count > UINT64_MAX / facts.element ? UINT64_MAX : (uint64_t)*count * facts.element;
    if (needed > bytes) {
        return hx_f_refuse(HX_ERR_ARGUMENT,
                           "%s: %s has %zu bytes; a part of %" PRId64
                           " element%s of %zu bytes needs %" PRIu64,
                           q->call, name, bytes, *count, *count == 1 ? "" : "s", facts.element, needed);
    }
    return HX_OK;
}

static hx_status find_part(const access *q, hx_window_part *part)
{
    hx_window_facts facts;
    hx_window_query(q->window, &facts);
    const bool by_address = facts.memory == HX_WINDOW_DYNAMIC;
    *part = (hx_window_part){.way = (hx_window_way)q->part->way,
                             .target = q->part->target,
                             .at = by_address ? q->part->at : q->part->at - 1,
                             .count = q->part->count};
    hx_status status = q->from ? fit_buffer(q, "from", q->from, &part->count) : HX_OK;
    return status == HX_OK && q->into ? fit_buffer(q, "into", q->into, &part->count) : status;
}

static hx_status in_c(const access *q, access_in_c *out)
{
    MPI_Fint type = 0, op = 0;
    *out = (access_in_c){.made = MPI_REQUEST_NULL, .request = q->request ? &out->made : NULL};
    hx_status status = find_part(q, &out->part);
    if (status == HX_OK && q->type) {
        status = hx_f_find_number(q->call, "type", "MPI_Datatype", q->type, &type);
        out->operation.type = status == HX_OK ? MPI_Type_f2c(type) : MPI_DATATYPE_NULL;
    }
    if (status == HX_OK && q->op) {
        status = hx_f_find_number(q->call, "op", "MPI_Op", q->op, &op);
        out->operation.op = status == HX_OK ? MPI_Op_f2c(op) : MPI_OP_NULL;
    }
    if (status == HX_OK && q->request) {
        status = hx_f_find_number(q->call, "request", "MPI_Request", q->request, &type);
    }
    return status;
}

/* Sentences of libhx count elements from 0, but for addresses. */
static hx_status count_elements_from_one(const access_in_c *c, const access *q, hx_status status)
{
    if (status == HX_OK || c->part.at == q->part->at) {
        return status;
    }
    char was[HX_F_TEXT], now[HX_F_TEXT];
    snprintf(was, sizeof was, " from element %" PRId64 " of", c->part.at);
    snprintf(now, sizeof now, " from element %" PRId64 " of", q->part->at);
    return hx_f_say_instead(status, was, now);
}

static void answer(const access *q, const access_in_c *c, hx_status status, int *ierr)
{
    if (status == HX_OK && q->request) {
        *(MPI_Fint *)q->request->base_addr = MPI_Request_c2f(c->made);
    }
    hx_f_answer(count_elements_from_one(c, q, status), ierr);
}

void hx_f_window_put(const hx_f_window *window, const CFI_cdesc_t *from, const hx_f_window_part *part,
                     const CFI_cdesc_t *request, int *ierr)
{
    const access q = {
        .call = "hx_window_put", .window = window->window, .from = from, .part = part, .request = request};
    access_in_c c;
    hx_status status = in_c(&q, &c);
    status = status == HX_OK ? hx_window_put(q.window, from->base_addr, &c.part, c.request) : status;
    answer(&q, &c, status, ierr);
}

void hx_f_window_get(const hx_f_window *window, const CFI_cdesc_t *into, const hx_f_window_part *part,
                     const CFI_cdesc_t *request, int *ierr)
{
    const access q = {
        .call = "hx_window_get", .window = window->window, .into = into, .part = part, .request = request};
    access_in_c c;
    hx_status status = in_c(&q, &c);
    status = status == HX_OK ? hx_window_get(q.window, into->base_addr, &c.part, c.request) : status;
    answer(&q, &c, status, ierr);
}

void hx_f_window_accumulate(const hx_f_window *window, const CFI_cdesc_t *from, const hx_f_window_part *part,
                            const CFI_cdesc_t *type, const CFI_cdesc_t *op, const CFI_cdesc_t *request,
                            int *ierr)
{
    const access q = {.call = "hx_window_accumulate",
                      .window = window->window,
                      .from = from,
                      .part = part,
                      .type = type,
                      .op = op,
                      .request = request};
    access_in_c c;
    hx_status status = in_c(&q, &c);
    if (status == HX_OK) {
        status = hx_window_accumulate(q.window, from->base_addr, &c.part, &c.operation, c.request);
    }
    answer(&q, &c, status, ierr);
}

void hx_f_window_get_accumulate(const hx_f_window *window, const CFI_cdesc_t *from, const CFI_cdesc_t *into,
                                const hx_f_window_part *part, const CFI_cdesc_t *type, const CFI_cdesc_t *op,
                                const CFI_cdesc_t *request, int *ierr)
{
    const access q = {"hx_window_get_accumulate", window->window, from, into, part, type, op, request};
    access_in_c c;
    hx_status status = in_c(&q, &c);
    if (status == HX_OK) {
        status = hx_window_get_accumulate(q.window, from->base_addr, into->base_addr, &c.part, &c.operation,
                                          c.request);
    }
    answer(&q, &c, status, ierr);
}

void hx_f_window_fetch_and_op(const hx_f_window *window, const CFI_cdesc_t *from, const CFI_cdesc_t *into,
                              const hx_f_window_part *part, const CFI_cdesc_t *type, const CFI_cdesc_t *op,
                              int *ierr)
{
    const access q = {"hx_window_fetch_and_op", window->window, from, into, part, type, op, NULL};
    access_in_c c;
    hx_status status = in_c(&q, &c);
    if (status == HX_OK) {
        status = hx_window_fetch_and_op(q.window, from->base_addr, into->base_addr, &c.part, &c.operation);
    }
    answer(&q, &c, status, ierr);
}
