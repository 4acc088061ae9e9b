#define _GNU_SOURCE /* mkdtemp, usleep */

#include "fake_nccl.h"

#include <fake.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* ---- what NCCL declares -------------------------------------------------------------------------------- */

typedef struct {
    char internal[128];
} ncclUniqueId;

typedef enum {
    ncclSuccess,
    ncclUnhandledCudaError,
    ncclSystemError,
    ncclInternalError,
    ncclInvalidArgument,
    ncclInvalidUsage,
    ncclRemoteError,
    ncclInProgress
} ncclResult_t;

typedef enum { ncclInt8, ncclUint8 } ncclDataType_t;

typedef struct ncclComm *ncclComm_t;

ncclResult_t ncclGetVersion(int *version);
ncclResult_t ncclGetUniqueId(ncclUniqueId *id);
ncclResult_t ncclCommInitRank(ncclComm_t *comm, int ranks, ncclUniqueId id, int rank);
ncclResult_t ncclCommDestroy(ncclComm_t comm);
ncclResult_t ncclCommAbort(ncclComm_t comm);
ncclResult_t ncclCommGetAsyncError(ncclComm_t comm, ncclResult_t *result);
ncclResult_t ncclGroupStart(void);
ncclResult_t ncclGroupEnd(void);
ncclResult_t ncclSend(const void *memory, size_t count, ncclDataType_t type, int peer, ncclComm_t comm,
                      cudaStream_t stream);
ncclResult_t ncclRecv(void *memory, size_t count, ncclDataType_t type, int peer, ncclComm_t comm,
                      cudaStream_t stream);
const char *ncclGetErrorString(ncclResult_t result);
const char *ncclGetLastError(ncclComm_t comm);

/* ---- faults -------------------------------------------------------------------------------------------- */

static long calls;
static long failing;
static int broken;
static int spoiled;
static int version_told;
static int open_comms;
static int aborted_comms;
static char last_error[200];

void fake_nccl_fail(long n)
{
    failing = n;
}

long fake_nccl_calls(void)
{
    return calls;
}

void fake_nccl_break(int result)
{
    broken = result;
}

void fake_nccl_spoil(int yes)
{
    spoiled = yes;
}

void fake_nccl_be(int version)
{
    version_told = version;
}

int fake_nccl_left(void)
{
    return open_comms;
}

int fake_nccl_aborted(void)
{
    return aborted_comms;
}

static bool fails(void)
{
    ++calls;
    if (failing > 0 && --failing == 0) {
        snprintf(last_error, sizeof last_error, "it fails by design");
        return true;
    }
    return false;
}

static _Noreturn void die(const char *why)
{
    fprintf(stderr, "fake NCCL: %s\n", why);
    abort();
}

static void *allocate(size_t count, size_t size)
{
    void *memory = calloc(count, size);
    if (!memory) {
        die("no memory for the fake itself");
    }
    return memory;
}

const char *ncclGetErrorString(ncclResult_t result)
{
    static const char *const texts[] = {"no error",
                                        "unhandled cuda error (run with NCCL_DEBUG=INFO for details)",
                                        "unhandled system error (run with NCCL_DEBUG=INFO for details)",
                                        "internal error - please report this issue to the NCCL developers",
                                        "invalid argument (run with NCCL_DEBUG=WARN for details)",
                                        "invalid usage (run with NCCL_DEBUG=WARN for details)",
                                        "remote process exited or there was a network error",
                                        "NCCL operation in progress"};
    return (unsigned)result < sizeof texts / sizeof *texts ? texts[result] : "unknown result code";
}

const char *ncclGetLastError(ncclComm_t comm)
{
    (void)comm;
    return last_error;
}

ncclResult_t ncclGetVersion(int *version)
{
    if (fails()) {
        return ncclSystemError;
    }
    *version = version_told > 0 ? version_told : 22809;
    return ncclSuccess;
}

/* ---- files --------------------------------------------------------------------------------------------- */

enum { PATH = 256 };

/* Communicators stay, since work of streams may look at them. */
struct ncclComm {
    struct ncclComm *next;
    char folder[128];
    int rank;
    int ranks;
    bool closed;
    bool aborted;
    long *sent; /* messages, by peer */
    long *received;
    cudaEvent_t last; /* behind its last group */
    bool begun;
};

static struct ncclComm *comms;

static void path_of(const struct ncclComm *comm, const char *kind, int rank, char path[PATH])
{
    snprintf(path, PATH, "%.127s/%s-%d", comm->folder, kind, rank);
}

static void message_path(const struct ncclComm *comm, int from, int to, long number, char path[PATH])
{
    snprintf(path, PATH, "%.127s/%d-%d-%ld", comm->folder, from, to, number);
}

/* Who finds it finds all of it. */
static void write_file(const char *path, const void *data, size_t bytes)
{
    char draft[PATH + 8];
    snprintf(draft, sizeof draft, "%s.part", path);
    FILE *file = fopen(draft, "wb");
    if (!file || fwrite(data, 1, bytes, file) != bytes || fclose(file) != 0 || rename(draft, path) != 0) {
        die("a file cannot be written");
    }
}

static bool is_there(const char *path)
{
    return access(path, F_OK) == 0;
}

/* All ranks write one, and wait for those of the others. */
static void meet(const struct ncclComm *comm, const char *kind, const void *data, size_t bytes)
{
    char path[PATH];
    path_of(comm, kind, comm->rank, path);
    write_file(path, data, bytes);
    for (int r = 0, tries = 0; r < comm->ranks; ++tries) {
        path_of(comm, kind, r, path);
        if (is_there(path)) {
            ++r;
        } else if (tries > 60000) {
            die("a rank does not join");
        } else {
            nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
        }
    }
}

static void remove_folder(const char *folder)
{
    DIR *found = opendir(folder);
    for (struct dirent *entry = found ? readdir(found) : NULL; entry; entry = readdir(found)) {
        char path[2 * PATH];
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        unlink(path);
    }
    if (found) {
        closedir(found);
    }
    rmdir(folder);
}

/* The last one takes the folder along. */
static void leave(const struct ncclComm *comm)
{
    char path[PATH];
    bool last = true;
    path_of(comm, "left", comm->rank, path);
    write_file(path, "", 0);
    for (int r = 0; r < comm->ranks; ++r) {
        path_of(comm, "left", r, path);
        last = last && is_there(path);
    }
    if (last) {
        remove_folder(comm->folder);
    }
}

/* ---- communicators ------------------------------------------------------------------------------------- */

ncclResult_t ncclGetUniqueId(ncclUniqueId *id)
{
    if (fails()) {
        return ncclSystemError;
    }
    memset(id, 0, sizeof *id);
    const char *place = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
    snprintf(id->internal, sizeof id->internal, "%s/fake-nccl-XXXXXX", place);
    if (!mkdtemp(id->internal)) {
        die("no folder can be made");
    }
    return ncclSuccess;
}

/* What a rank tells when it joins. */
typedef struct greeting {
    int device;
    bool failed;
} greeting;

static greeting greeting_of(const struct ncclComm *comm, int rank)
{
    greeting found = {0};
    char path[PATH];
    path_of(comm, "rank", rank, path);
    FILE *file = fopen(path, "rb");
    if (!file || fread(&found, sizeof found, 1, file) != 1) {
        die("a rank cannot be read");
    }
    fclose(file);
    return found;
}

static ncclResult_t compare(const struct ncclComm *comm)
{
    for (int r = 0; r < comm->ranks; ++r) {
        const greeting one = greeting_of(comm, r);
        if (one.failed) {
            snprintf(last_error, sizeof last_error, "rank %d has left", r);
            return r == comm->rank ? ncclSystemError : ncclRemoteError;
        }
        for (int s = 0; s < r; ++s) {
            if (greeting_of(comm, s).device == one.device) {
                snprintf(last_error, sizeof last_error,
                         "Duplicate GPU detected : rank %d and rank %d both on CUDA device %d", s, r,
                         one.device);
                return ncclInvalidUsage;
            }
        }
    }
    return ncclSuccess;
}

ncclResult_t ncclCommInitRank(ncclComm_t *made, int ranks, ncclUniqueId id, int rank)
{
    struct ncclComm *comm = allocate(1, sizeof *comm);
    greeting own = {.failed = fails()};
    memcpy(comm->folder, id.internal, sizeof comm->folder);
    comm->rank = rank;
    comm->ranks = ranks;
    comm->sent = allocate((size_t)ranks, sizeof *comm->sent);
    comm->received = allocate((size_t)ranks, sizeof *comm->received);
    comm->next = comms;
    comms = comm;
    own.failed = own.failed || cudaGetDevice(&own.device) != cudaSuccess;
    meet(comm, "rank", &own, sizeof own);
    ncclResult_t result = compare(comm);
    meet(comm, "read", "", 0);
    if (result == ncclSuccess &&
        cudaEventCreateWithFlags(&comm->last, cudaEventDisableTiming) != cudaSuccess) {
        result = ncclUnhandledCudaError;
    }
    if (result != ncclSuccess) {
        comm->closed = true;
        leave(comm);
        return result;
    }
    ++open_comms;
    *made = comm;
    return ncclSuccess;
}

static ncclResult_t close_comm(ncclComm_t comm, bool aborts)
{
    if (!comm || comm->closed) {
        return ncclInvalidArgument;
    }
    comm->closed = true;
    comm->aborted = aborts;
    --open_comms;
    aborted_comms += aborts;
    const cudaError_t error = cudaEventDestroy(comm->last);
    leave(comm);
    return error == cudaSuccess ? ncclSuccess : ncclUnhandledCudaError;
}

ncclResult_t ncclCommDestroy(ncclComm_t comm)
{
    const ncclResult_t result = close_comm(comm, false);
    return fails() ? ncclSystemError : result;
}

ncclResult_t ncclCommAbort(ncclComm_t comm)
{
    return close_comm(comm, true);
}

ncclResult_t ncclCommGetAsyncError(ncclComm_t comm, ncclResult_t *result)
{
    if (fails() || comm->closed) {
        return ncclSystemError;
    }
    *result = (ncclResult_t)broken;
    return ncclSuccess;
}

/* ---- groups -------------------------------------------------------------------------------------------- */

typedef struct operation {
    bool sends;
    int peer;
    size_t bytes;
    void *memory;
} operation;

enum { MOST_OPERATIONS = 256 };

typedef struct group {
    struct ncclComm *comm;
    cudaStream_t stream;
    int operations;
    operation operation[MOST_OPERATIONS];
} group;

static _Thread_local int depth;
static _Thread_local ncclResult_t refused; /* a call of the group, which then does nothing */
static _Thread_local group collected;

/* Messages of a group from a peer, up to and without operation `end`. */
static long count_received(const group *g, int end, int peer)
{
    long count = 0;
    for (int i = 0; i < end; ++i) {
        count += !g->operation[i].sends && g->operation[i].peer == peer;
    }
    return count;
}

static void check_open(const group *g)
{
    if (g->comm->closed && !g->comm->aborted) {
        die("a group runs whose communicator was destroyed");
    }
}

static void send_all(const void *arguments)
{
    const group *g = arguments;
    struct ncclComm *comm = g->comm;
    check_open(g);
    for (int i = 0; i < g->operations && !comm->aborted; ++i) {
        const operation *o = &g->operation[i];
        char path[PATH];
        if (o->sends) {
            message_path(comm, comm->rank, o->peer, comm->sent[o->peer]++, path);
            write_file(path, o->memory, o->bytes);
        }
    }
}

/* Has all come?  Who gives up waits for nothing. */
static bool has_come(const void *arguments)
{
    const group *g = arguments;
    const struct ncclComm *comm = g->comm;
    bool come = !broken;
    for (int i = 0; i < g->operations && come && !comm->aborted; ++i) {
        const operation *o = &g->operation[i];
        char path[PATH];
        if (!o->sends) {
            message_path(comm, o->peer, comm->rank, comm->received[o->peer] + count_received(g, i, o->peer),
                         path);
            come = is_there(path);
        }
    }
    return come || comm->aborted;
}

static void receive(struct ncclComm *comm, const operation *o)
{
    char path[PATH];
    message_path(comm, o->peer, comm->rank, comm->received[o->peer]++, path);
    FILE *file = fopen(path, "rb");
    if (!file || fread(o->memory, 1, o->bytes, file) != o->bytes || fgetc(file) != EOF) {
        die("two ranks differ in the bytes of a message: their groups come in different orders");
    }
    fclose(file);
    unlink(path);
    if (spoiled && o->bytes > 0) {
        *(unsigned char *)o->memory ^= 1;
    }
}

static void receive_all(const void *arguments)
{
    const group *g = arguments;
    check_open(g);
    for (int i = 0; i < g->operations && !g->comm->aborted; ++i) {
        if (!g->operation[i].sends) {
            receive(g->comm, &g->operation[i]);
        }
    }
}

ncclResult_t ncclGroupStart(void)
{
    if (fails()) {
        return ncclSystemError;
    }
    if (depth++ == 0) {
        collected = (group){0};
        refused = ncclSuccess;
    }
    return ncclSuccess;
}

static ncclResult_t admit(const operation *o, ncclDataType_t type, ncclComm_t comm, cudaStream_t stream)
{
    if (fails()) {
        return ncclSystemError;
    }
    if (depth == 0 || !comm || comm->closed || o->peer < 0 || o->peer >= comm->ranks || type != ncclUint8) {
        return ncclInvalidArgument;
    }
    const bool other = collected.operations > 0 && (collected.comm != comm || collected.stream != stream);
    if (other || collected.operations == MOST_OPERATIONS) {
        return ncclInvalidUsage;
    }
    struct cudaPointerAttributes found;
    if (cudaPointerGetAttributes(&found, o->memory) != cudaSuccess || found.type != cudaMemoryTypeDevice) {
        snprintf(last_error, sizeof last_error, "pointer %p is not memory of a device", o->memory);
        return ncclInvalidArgument;
    }
    collected.comm = comm;
    collected.stream = stream;
    collected.operation[collected.operations++] = *o;
    return ncclSuccess;
}

static ncclResult_t collect(const operation *o, ncclDataType_t type, ncclComm_t comm, cudaStream_t stream)
{
    const ncclResult_t result = admit(o, type, comm, stream);
    refused = refused == ncclSuccess ? result : refused;
    return result;
}

ncclResult_t ncclSend(const void *memory, size_t count, ncclDataType_t type, int peer, ncclComm_t comm,
                      cudaStream_t stream)
{
    const operation o = {.sends = true, .peer = peer, .bytes = count, .memory = (void *)(size_t)memory};
    return collect(&o, type, comm, stream);
}

ncclResult_t ncclRecv(void *memory, size_t count, ncclDataType_t type, int peer, ncclComm_t comm,
                      cudaStream_t stream)
{
    const operation o = {.peer = peer, .bytes = count, .memory = memory};
    return collect(&o, type, comm, stream);
}

/* Groups of a communicator are in order, whatever streams they are in; graphs of the fake have one branch. */
static cudaError_t order(struct ncclComm *comm, cudaStream_t stream, bool before, bool captured)
{
    if (captured) {
        return cudaSuccess;
    }
    if (before) {
        return comm->begun ? cudaStreamWaitEvent(stream, comm->last, 0) : cudaSuccess;
    }
    comm->begun = true;
    return cudaEventRecord(comm->last, stream);
}

static cudaError_t put(const group *g)
{
    const size_t bytes = offsetof(group, operation) + (size_t)g->operations * sizeof(operation);
    enum cudaStreamCaptureStatus status;
    cudaError_t error = cudaStreamIsCapturing(g->stream, &status);
    const bool captured = error == cudaSuccess && status != cudaStreamCaptureStatusNone;
    error = error == cudaSuccess ? order(g->comm, g->stream, true, captured) : error;
    error = error == cudaSuccess ? fake_launch(send_all, g, bytes, g->stream) : error;
    error = error == cudaSuccess ? fake_launch_when(has_come, receive_all, g, bytes, g->stream) : error;
    return error == cudaSuccess ? order(g->comm, g->stream, false, captured) : error;
}

ncclResult_t ncclGroupEnd(void)
{
    refused = fails() && refused == ncclSuccess ? ncclSystemError : refused;
    if (depth == 0) {
        return ncclInvalidUsage;
    }
    if (--depth > 0 || collected.operations == 0 || refused != ncclSuccess) {
        return refused;
    }
    return put(&collected) == cudaSuccess ? ncclSuccess : ncclUnhandledCudaError;
}
