/*
 * Lists of points, which Fortran counts from 1.
 */
#include "hx_fortran_glue.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

struct hx_f_list {
    hx_index_list *made;  /* by libhx; NULL: ... */
    hx_index_list listed; /* ... this, in memory of its own */
    hx_peer *peer;
};

const hx_index_list *hx_f_list_in_c(const hx_f_index_list *list)
{
    static const hx_index_list none = {0, NULL};
    return !list->list ? &none : list->list->made ? list->list->made : &list->list->listed;
}

void hx_f_index_list_free(hx_f_index_list *list)
{
    struct hx_f_list *old = list->list;
    list->list = NULL;
    if (!old) {
        return;
    }
    for (int p = 0; p < old->listed.peers; ++p) {
        free((void *)old->peer[p].send);
    }
    free(old->peer);
    hx_index_list_free(old->made);
    free(old);
}

static hx_status make_list(const char *call, hx_f_index_list *list)
{
    if (list->list) {
        return hx_f_refuse(HX_ERR_STATE, "%s: list is in use; free it first", call);
    }
    list->list = calloc(1, sizeof *list->list);
    return list->list ? HX_OK : hx_f_no_memory(call);
}

hx_status hx_f_list_begin(int peers, hx_f_index_list *list)
{
    static const char call[] = "hx_index_list_of_peers";
    const hx_status status = make_list(call, list);
    if (status == HX_OK) {
        list->list->peer = calloc(peers > 0 ? (size_t)peers : 1, sizeof *list->list->peer);
        list->list->listed.peer = list->list->peer;
    }
    return status != HX_OK || list->list->peer ? status : hx_f_no_memory(call);
}

/* send, receive: from 1. */
hx_status hx_f_list_add(hx_f_index_list *list, int rank, int sends, const int *send, int receives,
                        const int *receive)
{
    struct hx_f_list *to = list->list;
    int *points = calloc((size_t)sends + (size_t)receives + 1, sizeof *points);
    if (!points) {
        return hx_f_no_memory("hx_index_list_of_peers");
    }
    for (int i = 0; i < sends; ++i) {
        points[i] = send[i] - 1;
    }
    for (int i = 0; i < receives; ++i) {
        points[sends + i] = receive[i] - 1;
    }
    to->peer[to->listed.peers++] = (hx_peer){rank, sends, points, receives, points + sends};
    return HX_OK;
}

static hx_status list_ids(MPI_Comm comm, const CFI_cdesc_t *id, const CFI_cdesc_t *owns, hx_index_list **made)
{
    const size_t points = (size_t)id->dim[0].extent;
    int64_t *ids = calloc(points + 1, sizeof *ids);
    unsigned char *owned = calloc(points + 1, sizeof *owned);
    hx_ids all = {.points = (int)points, .id = ids, .owns = owned};
    if (ids && owned) {
        hx_f_gather(id, ids);
        hx_f_gather(owns, owned);
    } else {
        all.points = -1; /* fails on all ranks */
    }
    const hx_status status = hx_index_list_of_ids(comm, &all, made);
    const bool room = ids && owned;
    free(ids);
    free(owned);
    return room ? status : hx_f_no_memory("hx_index_list_of_ids");
}

static hx_status check_ids(const char *call, const CFI_cdesc_t *id, const CFI_cdesc_t *owns,
                           hx_f_index_list *list)
{
    return id->dim[0].extent == owns->dim[0].extent
               ? make_list(call, list)
               : hx_f_refuse(HX_ERR_ARGUMENT,
                             "%s: id has %td elements, owns has %td; give one of each for every point", call,
                             id->dim[0].extent, owns->dim[0].extent);
}

void hx_f_index_list_of_ids(const CFI_cdesc_t *given, const CFI_cdesc_t *id, const CFI_cdesc_t *owns,
                            hx_f_index_list *list, int *ierr)
{
    static const char call[] = "hx_index_list_of_ids";
    MPI_Comm comm = MPI_COMM_NULL;
    hx_status status = hx_f_find_comm(call, "hx", given, &comm);
    if (status == HX_OK && (status = check_ids(call, id, owns, list)) == HX_OK) {
        status = list_ids(comm, id, owns, &list->list->made);
        if (status != HX_OK) {
            hx_f_index_list_free(list);
        }
    } else if (comm != MPI_COMM_NULL) {
        /* The other ranks wait for this one: it fails on all. */
        hx_index_list *none = NULL;
        hx_index_list_of_ids(comm, &(hx_ids){.points = -1}, &none);
        status = check_ids(call, id, owns, list);
    }
    hx_f_answer(status, ierr);
}
