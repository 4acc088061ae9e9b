/*
 * Moving data through windows.
 */
#include "base/status.h"
#include "window/window.h"

#include <string.h>

/* The largest count that MPI takes; tests set a smaller one, to see what becomes of long parts. */
#ifndef HX_WINDOW_MOST
#define HX_WINDOW_MOST 2147483647
#endif

hx_status hxi_window_find(hx_window *w, hx_window_way way, const char *caller, hxi_way **found)
{
    const hx_status status = hxi_topology_running(caller);
    if (status != HX_OK) {
        return status;
    }
    if (!w) {
        return hxi_fail(HX_ERR_ARGUMENT, "The window given to %s is a null pointer; was it freed?", caller);
    }
    int number = 0;
    while (number < HX_WINDOW_WAYS && w->way[number].bit != (unsigned)way) {
        ++number;
    }
    if (number == HX_WINDOW_WAYS) {
        return hxi_fail(
            HX_ERR_ARGUMENT,
            "%s of window \"%s\" was given way %d; one is HX_WINDOW_NODE (1), HX_WINDOW_PEERS (2) or "
            "HX_WINDOW_LEADERS (4).",
            caller, w->name, (int)way);
    }
    *found = &w->way[number];
    if ((*found)->win != MPI_WIN_NULL) {
        return HX_OK;
    }
    return hxi_fail(HX_ERR_STATE, "%s: window \"%s\" is not open to %s on rank %d of %d%s.", caller, w->name,
                    (*found)->name, w->topology.rank, w->topology.ranks,
                    way == HX_WINDOW_LEADERS && !w->leads ? ", which leads no node"
                                                          : "; ask for that way in the request");
}

hx_status hxi_window_target(const hx_window *w, const hxi_way *way, const char *caller, int target)
{
    if (target >= 0 && target < way->ranks) {
        return HX_OK;
    }
    return hxi_fail(HX_ERR_ARGUMENT, "%s of window \"%s\" was given target %d; its %s are 0 to %d.", caller,
                    w->name, target, way->name, way->ranks - 1);
}

hx_status hxi_window_tell(const hx_window *w, const hxi_way *way, const char *caller, hx_status status)
{
    if (status == HX_OK || status == HX_ERR_MEMORY) {
        return status;
    }
    return hxi_fail(status, "%s of window \"%s\" to %s: rank %d %s", caller, w->name, way->name,
                    w->topology.rank, hx_last_error());
}

/* One access, as MPI is told about it. */
typedef struct operation {
    const char *caller;
    hxi_access_kind kind;
    const void *from;
    void *into;
    MPI_Datatype type; /* of an element, or MPI_BYTE */
    MPI_Op op;
    bool fetches; /* what was there before */
    bool single;  /* fetch_and_op */
    MPI_Request *request;
} operation;

/* Is there a part, and memory for its elements? */
static hx_status check_pointers(const operation *o, const hx_window_part *part)
{
    if (!part) {
        return hxi_fail(HX_ERR_ARGUMENT,
                        "The part given to %s is a null pointer; give the address of an hx_window_part.",
                        o->caller);
    }
    const bool gets = o->kind == HX_ACCESS_GET || o->fetches;
    const bool gives = o->kind == HX_ACCESS_PUT || (o->kind == HX_ACCESS_ACCUMULATE && o->op != MPI_NO_OP);
    if (part->count > 0 && ((gives && !o->from) || (gets && !o->into))) {
        return hxi_fail(HX_ERR_ARGUMENT,
                        "The memory to %s given to %s is a null pointer; give room for %lld element%s.",
                        gives && !o->from ? "read from" : "write into", o->caller, (long long)part->count,
                        part->count == 1 ? "" : "s");
    }
    return HX_OK;
}

/* Is the part one that the target exposes? */
static hx_status check_part(const hx_window *w, const hxi_way *way, const char *caller,
                            const hx_window_part *part)
{
    const hx_status status = hxi_window_target(w, way, caller, part->target);
    if (status != HX_OK) {
        return status;
    }
    const bool dynamic = w->memory == HX_WINDOW_DYNAMIC;
    const int64_t element = (int64_t)w->request.element;
    const int64_t most = dynamic ? PTRDIFF_MAX / element : way->exposed[part->target].bytes / element;
    const int64_t at = dynamic ? 0 : part->at;
    if (at < 0 || part->count < 0 || at > most || part->count > most - at) {
        return hxi_fail(
            HX_ERR_ARGUMENT,
            "%s of window \"%s\" to %s: %lld elements from element %lld of target %d; it exposes %lld%s.",
            caller, w->name, way->name, (long long)part->count, (long long)part->at, part->target,
            (long long)most,
            w->memory == HX_WINDOW_SHARED && most == 0 && w->bytes > 0
                ? ", since the leader of its node holds the memory; give that as the target"
                : "");
    }
    return HX_OK;
}

static hx_status check_type(const hx_window *w, const operation *o)
{
    int bytes = 0;
    const int code = MPI_Type_size(o->type, &bytes);
    if (code != MPI_SUCCESS) {
        return hxi_fail_mpi(code, "MPI_Type_size of the type given to %s", o->caller);
    }
    return (size_t)bytes == w->request.element
               ? HX_OK
               : hxi_fail(
                     HX_ERR_ARGUMENT,
                     "The type given to %s has %d bytes; an element of window \"%s\" has %zu; give a type "
                     "of that size.",
                     o->caller, bytes, w->name, w->request.element);
}

/* So many of a type: more than an int counts become one of a type made for them. */
static hx_status make_type(int64_t *count, MPI_Datatype *type, MPI_Datatype *made)
{
    *made = MPI_DATATYPE_NULL;
    if (*count <= HX_WINDOW_MOST) {
        return HX_OK;
    }
    const int64_t chunks = *count / HX_WINDOW_MOST;
    if (chunks > HX_WINDOW_MOST) {
        return hxi_fail(HX_ERR_LIMIT, "%lld elements at once; MPI can be told of %lld.", (long long)*count,
                        (long long)HX_WINDOW_MOST * HX_WINDOW_MOST);
    }
    int bytes = 0;
    MPI_Datatype chunk = MPI_DATATYPE_NULL;
    int code = MPI_Type_size(*type, &bytes);
    code = code == MPI_SUCCESS ? MPI_Type_contiguous(HX_WINDOW_MOST, *type, &chunk) : code;
    if (code == MPI_SUCCESS) {
        const int counts[2] = {(int)chunks, (int)(*count % HX_WINDOW_MOST)};
        const MPI_Aint places[2] = {0, (MPI_Aint)(chunks * HX_WINDOW_MOST * bytes)};
        const MPI_Datatype types[2] = {chunk, *type};
        code = MPI_Type_create_struct(2, counts, places, types, made);
        MPI_Type_free(&chunk);
    }
    code = code == MPI_SUCCESS ? MPI_Type_commit(made) : code;
    *count = 1;
    *type = *made;
    return code == MPI_SUCCESS ? HX_OK
                               : hxi_fail_mpi(code, "Making a type for more elements than an int counts");
}

static int call_mpi(const operation *o, int n, MPI_Datatype t, int target, MPI_Aint at, MPI_Win win)
{
    if (o->single) {
        return MPI_Fetch_and_op(o->from, o->into, o->type, target, at, o->op, win);
    }
    switch (o->kind) {
    case HX_ACCESS_PUT:
        return o->request ? MPI_Rput(o->from, n, t, target, at, n, t, win, o->request)
                          : MPI_Put(o->from, n, t, target, at, n, t, win);
    case HX_ACCESS_GET:
        return o->request ? MPI_Rget(o->into, n, t, target, at, n, t, win, o->request)
                          : MPI_Get(o->into, n, t, target, at, n, t, win);
    case HX_ACCESS_ACCUMULATE:
        break;
    }
    if (!o->into) {
        return o->request ? MPI_Raccumulate(o->from, n, t, target, at, n, t, o->op, win, o->request)
                          : MPI_Accumulate(o->from, n, t, target, at, n, t, o->op, win);
    }
    return o->request
               ? MPI_Rget_accumulate(o->from, n, t, o->into, n, t, target, at, n, t, o->op, win, o->request)
               : MPI_Get_accumulate(o->from, n, t, o->into, n, t, target, at, n, t, o->op, win);
}

/*
 * Where a way has one rank, the window that MPI made has epochs, but no memory (see make_mpi_window): what
 * would travel is moved at once.
 */
static int move(const operation *o, const hx_window_part *part, unsigned char *there, size_t bytes)
{
    if (o->request) {
        *o->request = MPI_REQUEST_NULL;
    }
    if (bytes > 0 && o->into) {
        memmove(o->into, there, bytes);
    }
    if (bytes > 0 &&
        (o->kind == HX_ACCESS_PUT || (o->kind == HX_ACCESS_ACCUMULATE && o->op == MPI_REPLACE))) {
        memmove(there, o->from, bytes);
        return MPI_SUCCESS;
    }
    int code = MPI_SUCCESS;
    const bool combines = o->kind == HX_ACCESS_ACCUMULATE && o->op != MPI_NO_OP;
    const size_t element = part->count > 0 ? bytes / (size_t)part->count : 0;
    for (int64_t done = 0; combines && done < part->count && code == MPI_SUCCESS; done += HX_WINDOW_MOST) {
        const int64_t rest = part->count - done;
        const size_t at = (size_t)done * element;
        code = MPI_Reduce_local((const unsigned char *)o->from + at, there + at,
                                rest < HX_WINDOW_MOST ? (int)rest : HX_WINDOW_MOST, o->type, o->op);
    }
    return code;
}

static hxi_range range_of(const void *memory, size_t bytes)
{
    const uint64_t lo = (uint64_t)(uintptr_t)memory;
    return memory ? (hxi_range){lo, lo + bytes} : (hxi_range){0, 0};
}

/* The access as epochs see it.  own: where the part is if it is this rank's. */
static hxi_access describe(const hxi_way *way, const operation *o, const hx_window_part *part, MPI_Aint at,
                           uintptr_t own, size_t bytes)
{
    return (hxi_access){
        .kind = o->kind,
        .target = part->target,
        .op = o->op,
        .request = o->request != NULL,
        .part = {(uint64_t)at, (uint64_t)at + bytes},
        .own = part->target == way->rank ? (hxi_range){own, own + bytes} : (hxi_range){0, 0},
        .from = range_of(o->from, bytes),
        .into = range_of(o->into, bytes),
    };
}

static hx_status check_epoch(const hx_window *w, hxi_way *way, const char *caller, const hxi_access *access)
{
    if (!w->request.check) {
        return HX_OK;
    }
    hx_status status = hxi_epoch_may_access(&way->epoch, access);
    status = status == HX_OK ? hxi_epoch_reserve(&way->epoch) : status;
    return hxi_window_tell(w, way, caller, status);
}

static hx_status perform(hx_window *w, const operation *o, const hx_window_part *part)
{
    hxi_way *way = NULL;
    hx_status status = check_pointers(o, part);
    status = status == HX_OK ? hxi_window_find(w, part->way, o->caller, &way) : status;
    status = status == HX_OK ? check_part(w, way, o->caller, part) : status;
    status = status == HX_OK && o->kind == HX_ACCESS_ACCUMULATE ? check_type(w, o) : status;
    if (status != HX_OK) {
        return status;
    }
    const size_t bytes = (size_t)part->count * w->request.element;
    const bool dynamic = w->memory == HX_WINDOW_DYNAMIC;
    const MPI_Aint at = (MPI_Aint)(dynamic ? part->at : part->at * (int64_t)w->request.element);
    const uintptr_t own = (dynamic ? 0 : (uintptr_t)way->base) + (uintptr_t)at;
    const hxi_access access = describe(way, o, part, at, own, bytes);
    status = check_epoch(w, way, o->caller, &access);
    int64_t count = o->kind == HX_ACCESS_ACCUMULATE ? part->count : (int64_t)bytes;
    MPI_Datatype type = o->type;
    MPI_Datatype made = MPI_DATATYPE_NULL;
    status = status == HX_OK ? make_type(&count, &type, &made) : status;
    if (status == HX_OK) {
        const int code = way->alone ? move(o, part, (unsigned char *)own, bytes)
                                    : call_mpi(o, (int)count, type, part->target,
                                               at + (MPI_Aint)way->exposed[part->target].at, way->win);
        if (code != MPI_SUCCESS) {
            status = hxi_fail_mpi(code, "%s of window \"%s\" to %s: %lld elements, target %d", o->caller,
                                  w->name, way->name, (long long)part->count, part->target);
        }
    }
    if (made != MPI_DATATYPE_NULL) {
        MPI_Type_free(&made);
    }
    if (status == HX_OK) {
        way->epoch.accesses++;
        if (w->request.check) {
            hxi_epoch_remember(&way->epoch, &access);
        }
    }
    return status;
}

hx_status hx_window_put(hx_window *w, const void *from, const hx_window_part *part, MPI_Request *request)
{
    const operation o = {
        .caller = "hx_window_put", .kind = HX_ACCESS_PUT, .from = from, .type = MPI_BYTE, .request = request};
    return perform(w, &o, part);
}

hx_status hx_window_get(hx_window *w, void *into, const hx_window_part *part, MPI_Request *request)
{
    const operation o = {
        .caller = "hx_window_get", .kind = HX_ACCESS_GET, .into = into, .type = MPI_BYTE, .request = request};
    return perform(w, &o, part);
}

/* An access that combines elements with those of the target. */
static hx_status combine(hx_window *w, operation *o, const hx_window_part *part,
                         const hx_window_operation *how)
{
    if (!how) {
        return hxi_fail(HX_ERR_ARGUMENT,
                        "The operation given to %s is a null pointer; give the address of an "
                        "hx_window_operation.",
                        o->caller);
    }
    o->kind = HX_ACCESS_ACCUMULATE;
    o->type = how->type;
    o->op = how->op;
    return perform(w, o, part);
}

hx_status hx_window_accumulate(hx_window *w, const void *from, const hx_window_part *part,
                               const hx_window_operation *how, MPI_Request *request)
{
    operation o = {.caller = "hx_window_accumulate", .from = from, .request = request};
    return combine(w, &o, part, how);
}

hx_status hx_window_get_accumulate(hx_window *w, const void *from, void *into, const hx_window_part *part,
                                   const hx_window_operation *how, MPI_Request *request)
{
    operation o = {.caller = "hx_window_get_accumulate",
                   .from = from,
                   .into = into,
                   .fetches = true,
                   .request = request};
    return combine(w, &o, part, how);
}

hx_status hx_window_fetch_and_op(hx_window *w, const void *from, void *into, const hx_window_part *part,
                                 const hx_window_operation *how)
{
    static const char caller[] = "hx_window_fetch_and_op";
    if (part && part->count != 1) {
        return hxi_fail(HX_ERR_ARGUMENT,
                        "%s was given %lld elements; it takes 1.  hx_window_get_accumulate takes any number.",
                        caller, (long long)part->count);
    }
    operation o = {.caller = caller, .from = from, .into = into, .fetches = true, .single = true};
    return combine(w, &o, part, how);
}
