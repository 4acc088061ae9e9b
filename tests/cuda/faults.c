/*
 * Calls of the device that fail in exchanges, and memory that is refused, one after the other: statuses,
 * sentences, and that nothing is lost.
 *
 * usage: cuda_faults, on 2 ranks
 */
#include "check.h"
#include "exchange/handle.h"
#include "mirror.h"
#include "pair.h"

#include <fake.h>

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

extern const hx_spec cube_xz_spec, mixed_spec;

static int rank;

/* libhx gets all its memory by these. */
void *__real_hxi_memory_get(size_t count, size_t size, const char *purpose);
void *__wrap_hxi_memory_get(size_t count, size_t size, const char *purpose);
void *__real_hxi_memory_grow(void *old, size_t used, size_t count, size_t size, const char *purpose);
void *__wrap_hxi_memory_grow(void *old, size_t used, size_t count, size_t size, const char *purpose);

static long requests;
static long refused; /* which request is not met; 0: all are */

void *__wrap_hxi_memory_get(size_t count, size_t size, const char *purpose)
{
    return ++requests == refused ? __real_hxi_memory_get(SIZE_MAX, 2, purpose)
                                 : __real_hxi_memory_get(count, size, purpose);
}

void *__wrap_hxi_memory_grow(void *old, size_t used, size_t count, size_t size, const char *purpose)
{
    return ++requests == refused ? __real_hxi_memory_grow(old, used, SIZE_MAX, 2, purpose)
                                 : __real_hxi_memory_grow(old, used, count, size, purpose);
}

/* A system without memory that processes share. */
int __real_shm_open(const char *name, int flags, mode_t mode);
int __wrap_shm_open(const char *name, int flags, mode_t mode);

static bool unshared;

int __wrap_shm_open(const char *name, int flags, mode_t mode)
{
    if (unshared) {
        errno = ENOSYS;
        return -1;
    }
    return __real_shm_open(name, flags, mode);
}

/* ---- calls that fail ----------------------------------------------------------------------------------- */

/*
 * Create without its n-th call.  Whether it got so far.  A thing whose closing failed is left over, and
 * nothing else.  Ranks that lack memory for each other, or cannot reach it, do without.
 */
static bool fail_call(const layout *l, int on, long n, int *fallbacks)
{
    const long before = fake_left();
    const long calls = fake_calls();
    hx_handle *handle = NULL;
    fake_fail(rank == on ? n : 0);
    const hx_status status = pair_create(l, 60.0, &handle);
    fake_fail(0);
    int reached = rank == on && fake_calls() - calls >= n;
    int worst = (int)status;
    MPI_Allreduce(MPI_IN_PLACE, &reached, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, &worst, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    CHECK(worst == (int)status, "the ranks differ");
    if (status != HX_OK) {
        CHECK_REFUSED(MPI_COMM_WORLD, status, HX_ERR_DEVICE, "unknown");
        CHECK(!handle, "there is a handle");
    } else {
        const char *about = hx_describe(handle);
        const char *why = strstr(about, "by persistent, not as chosen: Rank ");
        CHECK(reached == (why && strstr(why, "unknown")), "%s", about);
        *fallbacks += reached;
        pair_exchange_once(l, handle, 0);
    }
    CHECK_STATUS(hx_destroy(handle), HX_OK);
    CHECK(fake_left() - before <= (status != HX_OK), "%ld things are left", fake_left() - before);
    fake_forget();
    return reached;
}

/* On one rank after the other. */
static void fail_create(const layout *l)
{
    for (int on = 0; on < 2; ++on) {
        int fallbacks = 0;
        long n = 1;
        while (fail_call(l, on, n, &fallbacks)) {
            check_about("create on rank %d, call %ld", on, ++n);
        }
        /* Getting memory for others, zeroing it, showing it, and reaching theirs. */
        const int expected = strcmp(pair_taken->transport, "ipc") == 0 ? 4 : 0;
        CHECK(n > 10 && fallbacks == expected, "create made %ld calls, and did without %d of them", n,
              fallbacks);
    }
}

/* Where flags cannot be. */
static void share_nothing(const layout *l)
{
    const long before = fake_left();
    hx_handle *handle = NULL;
    check_about("no shared memory");
    unshared = true;
    if (CHECK_STATUS(pair_create(l, 60.0, &handle), HX_OK)) {
        CHECK(strstr(hx_describe(handle), "by persistent, not as chosen: ") &&
                  strstr(hx_describe(handle), "shared memory"),
              "%s", hx_describe(handle));
        pair_exchange_once(l, handle, 0);
    }
    unshared = false;
    CHECK_STATUS(hx_destroy(handle), HX_OK);
    CHECK(fake_left() == before, "%ld things are left", fake_left() - before);
}

/*
 * On one rank after the other, each piece of memory that create asks for.  With PROPERTY_TRIES below 1 in the environment
 * each way for messages refuses others of them.
 */
static void refuse_memory(const layout *l)
{
    const char *tries = getenv("PROPERTY_TRIES");
    const bool sampled = tries && strtod(tries, NULL) < 1.0;
    for (int on = 0; on < 2; ++on) {
        hx_status status = HX_ERR_MEMORY;
        long n = sampled ? 1 + (pair_taken - pair_ways) : 1;
        for (; status != HX_OK; n += sampled ? PAIR_WAYS : 1) {
            const long before = fake_left();
            hx_handle *handle = NULL;
            check_about("create on rank %d, memory %ld", on, n);
            requests = 0;
            refused = rank == on ? n : 0;
            status = pair_create(l, 60.0, &handle);
            refused = 0;
            if (status != HX_OK) {
                CHECK_REFUSED(MPI_COMM_WORLD, status, HX_ERR_MEMORY,
                              on == 0 ? "Rank 0 of 2: " : "Rank 1 of 2: ");
            }
            CHECK_STATUS(hx_destroy(handle), HX_OK);
            CHECK(fake_left() == before, "%ld things are left", fake_left() - before);
        }
        CHECK(n > 50, "create asked %ld times", n);
    }
}

/*
 * On both ranks, so that none waits for the other.  Which call failed, start or finish; 0: neither, but maybe
 * destroy, which leaves what it could not close, and what the other rank could not.
 */
static int fail_exchange(const layout *l, const mirror *m, long n)
{
    hx_handle *handle = NULL;
    const long before = fake_left();
    if (!CHECK_STATUS(pair_create(l, 60.0, &handle), HX_OK)) {
        return 0;
    }
    fake_fail(n);
    hx_status status = hx_start_on(handle, 0, m->pointers, NULL);
    int failed = status != HX_OK ? 1 : 0;
    status = status == HX_OK ? hx_finish_on(handle, 0, NULL) : status;
    failed = status != HX_OK && failed == 0 ? 2 : failed;
    if (status != HX_OK) {
        CHECK_STATUS(status, HX_ERR_DEVICE);
        CHECK(strstr(hx_last_error(), "unknown"), "%s", hx_last_error());
    }
    if (failed == 2) { /* what finish asks before it does anything can be asked again */
        hx_finish_on(handle, 0, NULL);
    }
    CHECK_STATUS(hx_destroy(handle), HX_OK);
    fake_fail(0);
    const long left = fake_left() - before;
    CHECK(failed > 0 || left <= 2, "%ld things are left", left);
    fake_forget(); /* also what a failure leaves where it is */
    return failed;
}

static void fail_exchanges(const layout *l)
{
    arrays s;
    mirror m;
    arrays_make(&s, l, oracle_cartesian);
    arrays_fill(&s, 0);
    mirror_make(&m, &s);
    mirror_up(&m, NULL);
    int seen[3] = {0};
    for (long n = 1; n < 60; ++n) {
        check_about("call %ld of an exchange", n);
        seen[fail_exchange(l, &m, n)]++;
    }
    CHECK(seen[1] >= 6 && seen[2] >= 6, "%d calls of start failed, %d of finish", seen[1], seen[2]);
    mirror_free(&m);
    arrays_free(&s);
}

/* ---- words --------------------------------------------------------------------------------------------- */

static void refuse_devices(const layout *l)
{
    hx_handle *handle = NULL;
    check_about("machines without a device");
    fake_set_devices(rank == 1 ? 0 : 1);
    CHECK_REFUSED(MPI_COMM_WORLD, pair_create(l, 60.0, &handle), HX_ERR_DEVICE, "memory = \"host\"");
    fake_set_devices(FAKE_NO_DRIVER);
    CHECK_REFUSED(MPI_COMM_WORLD, pair_create(l, 60.0, &handle), HX_ERR_DEVICE, "driver");
    fake_set_devices(2);
}

/* A pointer among the fields of the first block; returns what it was. */
static void *swap(const mirror *m, int field, void *pointer)
{
    void *old;
    unsigned char *place = m->pointers + m->here->layout->spec->field[field].pointer;
    memcpy(&old, place, sizeof old);
    memcpy(place, &pointer, sizeof pointer);
    return old;
}

static int field_named(const hx_spec *spec, const char *name)
{
    int f = 0;
    while (strcmp(spec->field[f].name, name) != 0) {
        ++f;
    }
    return f;
}

static void refuse_arrays(hx_handle *handle, const mirror *m)
{
    const hx_spec *spec = m->here->layout->spec;
    static double host[4096];
    const int u = field_named(spec, "u");
    const int p = field_named(spec, "p");
    void *const there = swap(m, u, host);
    CHECK_REFUSED(MPI_COMM_WORLD, hx_start_on(handle, 0, m->pointers, NULL), HX_ERR_ARGUMENT,
                  "needs field u (line");
    swap(m, u, there);
    void *const here = swap(m, p, (unsigned char *)there + 64); /* not that of u itself, which is u's alone */
    CHECK_REFUSED(MPI_COMM_WORLD, hx_start_on(handle, 0, m->pointers, NULL), HX_ERR_ARGUMENT,
                  "in memory of the host; the pointer");
    swap(m, p, here);
}

static void refuse_calls(hx_handle *handle, const mirror *m, int on_host)
{
    CHECK_REFUSED(MPI_COMM_WORLD, hx_start(handle, 0, m->pointers), HX_ERR_ARGUMENT, "without a stream");
    CHECK_REFUSED(MPI_COMM_WORLD, hx_start_on(handle, on_host, m->pointers, NULL), HX_ERR_ARGUMENT,
                  "no field in the memory of a device");
    CHECK_REFUSED(MPI_COMM_WORLD, hx_send_on(handle, 0, NULL), HX_ERR_STATE, "pack it first");
    CHECK_REFUSED(MPI_COMM_WORLD, hx_receive(handle, 0), HX_ERR_STATE,
                  "was neither sent nor started; send it first");
    CHECK_STATUS(hx_unpack_on(handle, 0, m->pointers, NULL), HX_OK); /* which is not packing */
    CHECK_REFUSED(MPI_COMM_WORLD, hx_send_on(handle, 0, NULL), HX_ERR_STATE, "pack it first");
    CHECK(cudaSetDevice(1) == 0, "no second device");
    CHECK_REFUSED(MPI_COMM_WORLD, hx_start_on(handle, 0, m->pointers, NULL), HX_ERR_STATE,
                  "make that one current");
    CHECK(cudaSetDevice(0) == 0, "no first device");
    cudaStream_t stream = NULL;
    cudaGraph_t graph = NULL;
    CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) == 0, "no stream");
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal) == 0, "no capture");
    CHECK_REFUSED(MPI_COMM_WORLD, hx_start_on(handle, 0, m->pointers, stream), HX_ERR_STATE,
                  "mixed_all_pack");
    CHECK(cudaStreamEndCapture(stream, &graph) == 0 && cudaGraphDestroy(graph) == 0, "no capture");
    CHECK(cudaStreamDestroy(stream) == 0, "a stream failed");
}

/* Nothing happens then, and the handle can be used. */
static void refuse_streams(hx_handle *handle, const mirror *m)
{
    cudaStream_t known = NULL; /* what the handle saw last, so that the other one is new to it */
    cudaStream_t stream = NULL;
    CHECK(cudaStreamCreateWithFlags(&known, cudaStreamNonBlocking) == 0, "no stream");
    CHECK_STATUS(hx_start_on(handle, 0, m->pointers, known), HX_OK);
    CHECK_STATUS(hx_finish_on(handle, 0, known), HX_OK);
    CHECK(cudaSetDevice(1) == 0, "no second device");
    CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) == 0, "no stream");
    CHECK(cudaSetDevice(0) == 0, "no first device");
    const long waiting = fake_waiting();
    CHECK_REFUSED(MPI_COMM_WORLD, hx_start_on(handle, 0, m->pointers, stream), HX_ERR_ARGUMENT,
                  "is of another device than the handle, which was made on device 0");
    CHECK_REFUSED(MPI_COMM_WORLD, hx_pack_on(handle, 0, m->pointers, stream), HX_ERR_ARGUMENT,
                  "mixed_all_pack: the stream ");
    CHECK_REFUSED(MPI_COMM_WORLD, hx_unpack_on(handle, 0, m->pointers, stream), HX_ERR_ARGUMENT,
                  "mixed_all_unpack: the stream ");
    CHECK(fake_waiting() == waiting, "something was put into a stream");
    CHECK_STATUS(hx_start_on(handle, 0, m->pointers, NULL), HX_OK);
    CHECK_REFUSED(MPI_COMM_WORLD, hx_finish_on(handle, 0, stream), HX_ERR_ARGUMENT,
                  "give a stream of that one");
    CHECK_STATUS(hx_finish_on(handle, 0, NULL), HX_OK);
    CHECK(cudaStreamDestroy(stream) == 0, "a stream failed");
}

/* Streams that never come to what create, alloc or destroy wait for: what would wait for ever is left. */
static void pass_deadline_of_device(const layout *l)
{
    hx_handle *handle = NULL;
    unsigned char fields[1024];
    check_about("streams that are stuck");
    fake_set_order(FAKE_STUCK, 0);
    CHECK_REFUSED(MPI_COMM_WORLD, pair_create(l, 0.2, &handle), HX_ERR_DEADLINE,
                  "After 0.2 seconds device 0 still has to do what its streams were given before, for ");
    fake_set_order(FAKE_EAGER, 0);
    if (CHECK_STATUS(pair_create(l, 0.2, &handle), HX_OK)) {
        fake_set_order(FAKE_STUCK, 0);
        CHECK_REFUSED(MPI_COMM_WORLD, hx_alloc(handle, fields), HX_ERR_DEADLINE, "for the fields of alloc");
        CHECK_STATUS(hx_destroy(handle), HX_OK);
    }
    fake_set_order(FAKE_EAGER, 0);
    fake_forget();
}

/* A stream that does not come to what packs. */
static void wait_for_device(const layout *l, const mirror *m)
{
    hx_handle *handle = NULL;
    if (CHECK_STATUS(pair_create(l, 60.0, &handle), HX_OK)) {
        handle->options.deadline = 1e-9; /* of what comes after create */
        fake_set_order(FAKE_LAZY, 0);
        CHECK_STATUS(hx_start_on(handle, 0, m->pointers, NULL), HX_OK);
        CHECK_REFUSED(MPI_COMM_WORLD, hx_finish_on(handle, 0, NULL), HX_ERR_DEADLINE,
                      "still waits for device 0 to pack its messages");
        CHECK_STATUS(hx_destroy(handle), HX_OK);
    }
    fake_set_order(FAKE_EAGER, 0);
}

/* A rank that never comes; what it is waited for with stays. */
static void pass_deadline(hx_handle *handle, const mirror *m)
{
    if (rank == 0) {
        CHECK_STATUS(hx_start_on(handle, 0, m->pointers, NULL), HX_OK);
        CHECK_STATUS(hx_finish_on(handle, 0, NULL), HX_ERR_DEADLINE);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

static void try_words(void)
{
    layout l;
    arrays s;
    mirror m;
    hx_handle *handle = NULL;
    pair_layout(&l, &mixed_spec);
    refuse_devices(&l);
    check_about("words");
    arrays_make(&s, &l, oracle_cartesian);
    arrays_fill(&s, 0);
    mirror_make(&m, &s);
    mirror_up(&m, NULL);
    if (CHECK_STATUS(pair_create(&l, 1.0, &handle), HX_OK)) {
        CHECK(strstr(hx_describe(handle), "launches for packing 1, copying 1, unpacking 1"), "%s",
              hx_describe(handle));
        refuse_arrays(handle, &m);
        refuse_calls(handle, &m, 2);
        refuse_streams(handle, &m);
        pass_deadline(handle, &m);
        CHECK_STATUS(hx_destroy(handle), HX_OK);
    }
    wait_for_device(&l, &m);
    mirror_free(&m);
    fake_forget();
    pass_deadline_of_device(&l);
    arrays_free(&s);
    layout_free(&l);
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv, MPI_THREAD_SINGLE);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    layout l;
    pair_layout(&l, &cube_xz_spec);
    for (int i = 0; i < PAIR_WAYS; ++i) {
        pair_taken = &pair_ways[i];
        fail_create(&l);
        refuse_memory(&l);
        fail_exchanges(&l);
    }
    share_nothing(&l);
    layout_free(&l);
    try_words();
    return check_verdict("failures and words");
}
