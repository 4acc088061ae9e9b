#include "device/nccl.h"

#include "base/clock.h"

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char purpose[] = "what is known of NCCL";

/* ---- the library --------------------------------------------------------------------------------------- */

/* As NCCL 2 declares them; results are enumerations, of which these numbers matter here. */
typedef struct unique_id {
    char bytes[128];
} unique_id;

enum { RESULT_INVALID_USAGE = 5, RESULT_IN_PROGRESS = 7, TYPE_BYTES = 1 /* ncclUint8 */ };

typedef struct nccl_calls {
    int (*version)(int *version);
    int (*unique_id)(unique_id *id);
    int (*init)(void **comm, int ranks, unique_id id, int rank);
    int (*destroy)(void *comm);
    int (*abort)(void *comm);
    int (*async_error)(void *comm, int *result);
    int (*group_start)(void);
    int (*group_end)(void);
    int (*send)(const void *memory, size_t count, int type, int peer, void *comm, hx_stream stream);
    int (*receive)(void *memory, size_t count, int type, int peer, void *comm, hx_stream stream);
    const char *(*text)(int result);
    const char *(*last_error)(void *comm); /* NULL: older than 2.13 */
} nccl_calls;

enum { VERSION = 32, OLDEST = 2700 /* 2.7: the first with send and receive */ };

/*
 * Destroying and aborting wait for graphs that have groups, for streams that come to such late, and maybe for other
 * ranks.  So a thread does it, for which nobody waits long.
 */
typedef struct ending {
    hxi_kept kept; /* while the thread goes on */
    int (*call)(void *comm);
    void *comm;
    const hx_device *calls;
    int number;
    atomic_bool done;
} ending;

struct hxi_nccl {
    nccl_calls calls;
    void *comm; /* NULL: there is none, or it was given up */
    ending *ending;
    int handles;
    bool usable;
    char version[VERSION];
    char why[HX_SENTENCE]; /* it is not usable */
};

static const char *library_name(void)
{
    const char *name = getenv("HX_NCCL_LIBRARY");
    return name && name[0] != '\0' ? name : "libnccl.so.2";
}

/* A pointer to data becomes one to a function, which C has no cast for. */
static void find(void *library, const char *name, void *function, const char **missing)
{
    void *found = dlsym(library, name);
    memcpy(function, &found, sizeof found);
    *missing = found ? *missing : name;
}

static const char *find_calls(void *library, nccl_calls *calls)
{
    const char *missing = NULL;
    const char *optional = NULL;
    find(library, "ncclGetLastError", &calls->last_error, &optional);
    find(library, "ncclGetVersion", &calls->version, &missing);
    find(library, "ncclGetUniqueId", &calls->unique_id, &missing);
    find(library, "ncclCommInitRank", &calls->init, &missing);
    find(library, "ncclCommDestroy", &calls->destroy, &missing);
    find(library, "ncclCommAbort", &calls->abort, &missing);
    find(library, "ncclCommGetAsyncError", &calls->async_error, &missing);
    find(library, "ncclGroupStart", &calls->group_start, &missing);
    find(library, "ncclGroupEnd", &calls->group_end, &missing);
    find(library, "ncclSend", &calls->send, &missing);
    find(library, "ncclRecv", &calls->receive, &missing);
    find(library, "ncclGetErrorString", &calls->text, &missing);
    return missing;
}

/* Its threads may outlive a handle, so it is never closed. */
static hx_status load(nccl_calls *calls)
{
    const char *name = library_name();
    void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (!library) {
        return hxi_fail(HX_ERR_DEVICE,
                        "NCCL cannot be opened: \"%s\".  Name its libnccl.so.2 in HX_NCCL_LIBRARY, or take "
                        "another transport than \"nccl\".",
                        dlerror());
    }
    const char *missing = find_calls(library, calls);
    if (missing) {
        return hxi_fail(HX_ERR_DEVICE,
                        "\"%s\" has no %s, so it is not NCCL 2.7 or newer; name another one in "
                        "HX_NCCL_LIBRARY, or take another transport than \"nccl\".",
                        name, missing);
    }
    return HX_OK;
}

/* What failed, as NCCL says it. */
static hx_status refuse(const hxi_nccl *n, int result, const char *what)
{
    const char *detail = n->calls.last_error ? n->calls.last_error(NULL) : "";
    return hxi_fail(HX_ERR_DEVICE, "%s failed: \"%s\" (result %d of NCCL)%s%.400s%s.", what,
                    n->calls.text(result), result, detail && detail[0] != '\0' ? ", which says \"" : "",
                    detail ? detail : "", detail && detail[0] != '\0' ? "\"" : "");
}

static hx_status look_at_version(hxi_nccl *n)
{
    int version = 0;
    const int result = n->calls.version(&version);
    if (result != 0) {
        return refuse(n, result, "Asking for its version");
    }
    /* 2.8.4 is 2804, 2.28.9 is 22809. */
    const int major = version < 10000 ? version / 1000 : version / 10000;
    const int minor = version < 10000 ? version % 1000 / 100 : version % 10000 / 100;
    snprintf(n->version, sizeof n->version, "%d.%d.%d", major, minor, version % 100);
    return version >= OLDEST
               ? HX_OK
               : hxi_fail(HX_ERR_DEVICE,
                          "This is NCCL %s, and libhx needs 2.7 or newer; take another transport than "
                          "\"nccl\".",
                          n->version);
}

/* ---- the communicator ---------------------------------------------------------------------------------- */

static void *run_ending(void *argument)
{
    ending *e = argument;
    e->calls->use(e->number);
    e->call(e->comm);
    atomic_store(&e->done, true);
    return NULL;
}

/* No signal of the application's ends up there. */
static bool begin_ending(ending *e)
{
    pthread_t thread;
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const bool begun = pthread_create(&thread, NULL, run_ending, e) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return begun && pthread_detach(thread) == 0;
}

enum { PATIENCE = 5 }; /* seconds */

/* A communicator without a thread to end it stays. */
static void end(hxi_nccl *n, bool abandon)
{
    ending *e = n->ending;
    n->usable = false;
    if (!n->comm) {
        return;
    }
    e->comm = n->comm;
    e->call = abandon ? n->calls.abort : n->calls.destroy;
    n->comm = NULL;
    n->ending = NULL;
    const double until = hxi_clock() + PATIENCE;
    bool waits = begin_ending(e);
    while (waits && !atomic_load(&e->done)) {
        hxi_clock_sleep(20);
        waits = hxi_clock() < until;
    }
    if (waits) {
        hxi_memory_free(e);
    } else {
        hxi_memory_keep(&e->kept);
    }
}

static hx_status open_library(hxi_nccl *n)
{
    const hx_status status = load(&n->calls);
    return status == HX_OK ? look_at_version(n) : status;
}

static hx_status join(hxi_nccl *n, const hxi_topology *topology, const unique_id *id)
{
    const int result = n->calls.init(&n->comm, topology->ranks, *id, topology->rank);
    if (result == 0) {
        return HX_OK;
    }
    n->comm = NULL;
    char what[160];
    snprintf(what, sizeof what, "Joining the communicator of NCCL%s",
             result == RESULT_INVALID_USAGE ? ", which takes one rank a device (do two share one?)," : "");
    return refuse(n, result, what);
}

/* Collective. */
static hx_status connect(hxi_nccl *n, const hxi_topology *topology)
{
    unique_id id = {{0}};
    hx_status status = hxi_topology_agree(topology->comm, open_library(n));
    if (status != HX_OK) {
        return status;
    }
    const int result = topology->rank == 0 ? n->calls.unique_id(&id) : 0;
    status = result == 0 ? HX_OK : refuse(n, result, "Getting an id of NCCL");
    status = hxi_topology_agree(topology->comm, status);
    if (status == HX_OK) {
        status = hxi_topology_agree(topology->comm, hxi_topology_tell(topology, &id, sizeof id));
    }
    return status == HX_OK ? hxi_topology_agree(topology->comm, join(n, topology, &id)) : status;
}

/* ---- groups -------------------------------------------------------------------------------------------- */

/* A group that was begun has to be ended, whatever came of it. */
hx_status hxi_nccl_put(const hxi_nccl *n, const hxi_nccl_message *message, int sends, int receives,
                       hx_stream stream)
{
    if (!n->comm) {
        return hxi_fail(HX_ERR_STATE, "NCCL was given up after a failure; the handle can only be destroyed.");
    }
    int result = n->calls.group_start();
    if (result != 0) {
        return refuse(n, result, "Beginning a group of NCCL");
    }
    for (int i = 0; i < sends + receives && result == 0; ++i) {
        const hxi_nccl_message *m = &message[i];
        if (m->bytes > 0) {
            result = i < sends ? n->calls.send(m->memory, m->bytes, TYPE_BYTES, m->peer, n->comm, stream)
                               : n->calls.receive(m->memory, m->bytes, TYPE_BYTES, m->peer, n->comm, stream);
        }
    }
    const int ended = n->calls.group_end();
    result = result == 0 ? ended : result;
    return result == 0 ? HX_OK : refuse(n, result, "Moving messages by NCCL");
}

hx_status hxi_nccl_check(const hxi_nccl *n)
{
    int found = 0;
    if (!n->comm) {
        return hxi_fail(HX_ERR_STATE, "NCCL was given up after a failure; the handle can only be destroyed.");
    }
    const int result = n->calls.async_error(n->comm, &found);
    if (result != 0) {
        return refuse(n, result, "Asking NCCL for errors");
    }
    return found == 0 || found == RESULT_IN_PROGRESS
               ? HX_OK
               : refuse(n, found, "Moving messages by NCCL in a stream");
}

/* ---- the probe ----------------------------------------------------------------------------------------- */

/* NCCL connects two ranks when the first message is put into a stream, and waits for both. */
enum { PROBE_BYTES = 256 };

/* How long the probe may take; tests are less patient. */
#ifndef HX_PROBE_SECONDS
#define HX_PROBE_SECONDS 30
#endif

typedef struct probe {
    const hxi_device_context *device;
    int rank;
    hxi_nccl_message *message; /* those sent, then those received */
    int sends;
    int receives;
    unsigned char *on_host; /* pinned; as long as what is on the device */
    unsigned char *on_device;
    hx_device_event *done;
} probe;

static unsigned char known_byte(int from, int to, int at)
{
    return (unsigned char)(1 + ((uint64_t)from * 31 + (uint64_t)to * 7 + (uint64_t)at) % 251);
}

static size_t bytes_of(const probe *p)
{
    return (size_t)(p->sends + p->receives) * PROBE_BYTES;
}

static void write_known(const probe *p)
{
    memset(p->on_host, 0, bytes_of(p));
    for (int m = 0; m < p->sends; ++m) {
        for (int i = 0; i < PROBE_BYTES; ++i) {
            p->on_host[m * PROBE_BYTES + i] = known_byte(p->rank, p->message[m].peer, i);
        }
    }
}

static hx_status check_known(const probe *p)
{
    for (int m = p->sends; m < p->sends + p->receives; ++m) {
        const int peer = p->message[m].peer;
        for (int i = 0; i < PROBE_BYTES; ++i) {
            const unsigned char found = p->on_host[m * PROBE_BYTES + i];
            if (found != known_byte(peer, p->rank, i)) {
                return hxi_fail(HX_ERR_DEVICE,
                                "The probe of NCCL got %d for byte %d of the %d from rank %d, which sent %d.",
                                found, i, (int)PROBE_BYTES, peer, known_byte(peer, p->rank, i));
            }
        }
    }
    return HX_OK;
}

static hx_status make_probe(probe *p, const unsigned char talks[], int ranks)
{
    const hx_device *calls = p->device->calls;
    p->message = hxi_memory_get(2 * (size_t)ranks, sizeof *p->message, purpose);
    if (!p->message) {
        return HX_ERR_MEMORY;
    }
    for (int side = 0; side < 2; ++side) {
        for (int r = 0; r < ranks; ++r) {
            if ((talks[r] & (side == 0 ? HX_NCCL_SENDS : HX_NCCL_RECEIVES)) != 0) {
                p->message[p->sends + p->receives] = (hxi_nccl_message){.peer = r, .bytes = PROBE_BYTES};
                *(side == 0 ? &p->sends : &p->receives) += 1;
            }
        }
    }
    const size_t bytes = bytes_of(p) + PROBE_BYTES; /* not 0 */
    void *pinned = NULL;
    void *memory = NULL;
    int error = calls->get(HX_MEMORY_PINNED, bytes, &pinned);
    p->on_host = error == 0 ? pinned : NULL;
    error = error == 0 ? calls->get(HX_MEMORY_DEVICE, bytes, &memory) : error;
    p->on_device = error == 0 ? memory : NULL;
    error = error == 0 ? calls->event_open(&p->done) : error;
    for (int m = 0; m < p->sends + p->receives && error == 0; ++m) {
        p->message[m].memory = p->on_device + m * PROBE_BYTES;
    }
    return error == 0 ? HX_OK : hxi_device_fail(calls, error, "Making room for the probe of NCCL");
}

/* abandon: the device may still write there. */
static void free_probe(const probe *p, bool abandon)
{
    const hx_device *calls = p->device->calls;
    if (p->done) {
        calls->event_close(p->done);
    }
    if (p->on_host && !abandon) {
        calls->free(HX_MEMORY_PINNED, p->on_host);
    }
    if (p->on_device && !abandon) {
        calls->free(HX_MEMORY_DEVICE, p->on_device);
    }
    hxi_memory_free(p->message);
}

static hx_status ran(const probe *p, int error)
{
    return error == 0 ? HX_OK : hxi_device_fail(p->device->calls, error, "Running the probe of NCCL");
}

/* What is sent goes to the device. */
static hx_status copy_known(const probe *p)
{
    const size_t bytes = bytes_of(p);
    return ran(p, bytes > 0 ? p->device->calls->copy(p->on_device, p->on_host, bytes, p->device->stream) : 0);
}

/* The end of a group waits for the peers' groups, and there no time passes: all ranks come here or none. */
static hx_status put_probe(const hxi_nccl *n, const probe *p)
{
    const hx_device *calls = p->device->calls;
    const hx_stream stream = p->device->stream;
    const size_t bytes = bytes_of(p);
    const hx_status status = hxi_nccl_put(n, p->message, p->sends, p->receives, stream);
    if (status != HX_OK) {
        return status;
    }
    const int error = bytes > 0 ? calls->copy(p->on_host, p->on_device, bytes, stream) : 0;
    return ran(p, error == 0 ? calls->event_record(p->done, stream) : error);
}

static hx_status wait_for_probe(const hxi_nccl *n, const probe *p)
{
    const hx_device *calls = p->device->calls;
    const double until = hxi_clock() + HX_PROBE_SECONDS;
    bool done = false;
    while (!done) {
        const int error = calls->event_done(p->done, &done);
        const hx_status status =
            error == 0 ? hxi_nccl_check(n) : hxi_device_fail(calls, error, "Waiting for the probe of NCCL");
        if (status != HX_OK) {
            return status;
        }
        if (!done && hxi_clock() > until) {
            return hxi_fail(HX_ERR_DEVICE, "The probe of NCCL took more than %d seconds.", HX_PROBE_SECONDS);
        }
        hxi_clock_yield();
    }
    return check_known(p);
}

/* Collective. */
static hx_status run_probe(hxi_nccl *n, const hxi_device_context *device, const hxi_topology *topology,
                           const unsigned char talks[])
{
    probe p = {.device = device, .rank = topology->rank};
    hx_status status = hxi_topology_agree(topology->comm, make_probe(&p, talks, topology->ranks));
    const bool begun = status == HX_OK;
    if (begun) {
        write_known(&p);
        status = hxi_topology_agree(topology->comm, copy_known(&p));
        status = status == HX_OK ? hxi_topology_agree(topology->comm, put_probe(n, &p)) : status;
        status = status == HX_OK ? hxi_topology_agree(topology->comm, wait_for_probe(n, &p)) : status;
    }
    if (status != HX_OK) {
        end(n, true);
    }
    free_probe(&p, begun && status != HX_OK);
    return status;
}

/* ---- the whole ----------------------------------------------------------------------------------------- */

hx_status hxi_nccl_open(const hxi_device_context *device, const hxi_topology *topology,
                        const unsigned char talks[], hx_status ready, hxi_nccl **made)
{
    hxi_nccl *n = ready == HX_OK ? hxi_memory_get(1, sizeof *n, purpose) : NULL;
    ending *e = n ? hxi_memory_get(1, sizeof *e, purpose) : NULL;
    hx_status status = ready == HX_OK && !e ? HX_ERR_MEMORY : ready;
    status = hxi_topology_agree(topology->comm, status);
    if (status != HX_OK) {
        hxi_memory_free(n);
        hxi_memory_free(e);
        return status;
    }
    *made = n;
    e->calls = device->calls;
    e->number = device->number;
    n->ending = e;
    n->handles = 1;
    status = connect(n, topology);
    if (status != HX_OK) {
        end(n, true);
    }
    status = status == HX_OK ? run_probe(n, device, topology, talks) : status;
    n->usable = status == HX_OK;
    if (!n->usable) {
        snprintf(n->why, sizeof n->why, "%s", hx_last_error());
    }
    return status == HX_ERR_MEMORY ? status : HX_OK;
}

bool hxi_nccl_usable(const hxi_nccl *n)
{
    return n && n->usable;
}

const char *hxi_nccl_why(const hxi_nccl *n)
{
    return n ? n->why : "";
}

const char *hxi_nccl_version(const hxi_nccl *n)
{
    return n ? n->version : "";
}

hxi_nccl *hxi_nccl_share(hxi_nccl *n)
{
    if (n) {
        n->handles++;
    }
    return n;
}

void hxi_nccl_close(hxi_nccl *n, int abandon)
{
    if (!n) {
        return;
    }
    if (abandon) {
        end(n, true);
    }
    if (--n->handles == 0) {
        end(n, false);
        hxi_memory_free(n->ending);
        hxi_memory_free(n);
    }
}

void hxi_nccl_give_up(hxi_nccl *n)
{
    if (n && n->comm) {
        end(n, true);
        snprintf(n->why, sizeof n->why, "it was given up after a failure");
    }
}
