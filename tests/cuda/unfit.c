/*
 * Integers on a device that do not fit what they travel as: finish fails on the rank that owns one and on the one that it is
 * sent to, with place and number; messages come all the same, and the handle goes on.  Also in halves, and in graphs, of which the
 * next finish tells.
 *
 * usage: cuda_unfit, on 2 ranks
 */
#include "check.h"
#include "counts.h"
#include "mirror.h"

#include <fake.h>

#include <stdlib.h>
#include <string.h>

enum { NX = 6, NY = 4, FITS = 11 };

typedef struct world {
    hx_part mine;
    counts_shape shape;
    counts *halo;
    counts_fields there;
    counts_fields here; /* the same on the host */
    size_t bytes[3];    /* of n, m, k */
    cudaStream_t stream;
    const char *way;
} world;

/* One number of one field of rank 1, and what the sentence says of it; NULL: it fits. */
typedef struct number {
    int field; /* 0: n, 1: m, 2: k */
    int64_t value;
    const char *said;
} number;

static const number numbers[] = {
    {0, -32767, NULL},
    {0, 32768,
     "field n (line 3) is 32768 at point (0, 0) of block 1, and travels as int16, from -32767 to 32767."},
    {0, -32768, "field n (line 3) is -32768 at point (0, 0) of block 1,"},
    {1, INT32_MAX, NULL},
    {1, INT64_C(1) << 31, "component 1 of field m (line 4) is 2147483648 at point (0, 0) of block 1,"},
    {1, -1, "component 1 of field m (line 4) is 18446744073709551615 at point (0, 0) of block 1,"},
    {2, -128, "component 2 of field k (line 5) is -128 at point (0, 0) of block 1, and travels as int8,"},
};

static int rank;

/* ---- arrays -------------------------------------------------------------------------------------------- */

static void copy(const world *w, bool up)
{
    void *const here[] = {w->here.n, w->here.m, w->here.k};
    void *const there[] = {w->there.n, w->there.m, w->there.k};
    for (int f = 0; f < 3; ++f) {
        CHECK(cudaMemcpyAsync(up ? there[f] : here[f], up ? here[f] : there[f], w->bytes[f],
                              cudaMemcpyDefault, w->stream) == 0,
              "a copy failed");
    }
    CHECK(up || cudaStreamSynchronize(w->stream) == 0, "a stream failed");
}

/* Everywhere numbers that fit; on rank 1 another one at its first point. */
static void fill(const world *w, const number *what)
{
    for (int x = -1; x <= w->mine.n[0]; ++x) {
        for (int y = -1; y <= w->mine.n[1]; ++y) {
            w->here.n[counts_n_at(&w->shape, x, y)] = FITS;
            for (int c = 0; c < 3; ++c) {
                if (c < 2) {
                    w->here.m[counts_m_at(&w->shape, x, y, c)] = FITS;
                }
                w->here.k[counts_k_at(&w->shape, x, y, c)] = FITS;
            }
        }
    }
    if (rank == 1 && what->field == 0) {
        w->here.n[counts_n_at(&w->shape, 0, 0)] = (int)what->value;
    } else if (rank == 1 && what->field == 1) {
        w->here.m[counts_m_at(&w->shape, 0, 0, 1)] = (uint64_t)what->value;
    } else if (rank == 1) {
        w->here.k[counts_k_at(&w->shape, 0, 0, 2)] = (short)what->value;
    }
    copy(w, true);
}

/* Rank 0 has that point beyond the end of its own ones, and beyond both corners there. */
static void look_at_ghosts(const world *w, const number *what)
{
    copy(w, false);
    const int end = w->mine.n[0];
    const int64_t found[] = {w->here.n[counts_n_at(&w->shape, end, 0)],
                             (int64_t)w->here.m[counts_m_at(&w->shape, end, 0, 1)],
                             w->here.k[counts_k_at(&w->shape, end, 0, 2)]};
    CHECK(rank == 1 || found[what->field] == what->value, "%s: %lld came, not %lld", w->way,
          (long long)found[what->field], (long long)what->value);
}

/* ---- exchanges ----------------------------------------------------------------------------------------- */

static void check(const world *w, const number *what, hx_status status)
{
    static const char *const ghost[] = {"field n (line 3) has no number at ghost point (3, ",
                                        "component 1 of field m (line 4) has no number at ghost point (3, ",
                                        "component 2 of field k (line 5) has no number at ghost point (3, "};
    CHECK_STATUS(status, what->said ? HX_ERR_ARGUMENT : HX_OK);
    if (what->said) {
        const char *said = rank == 1 ? what->said : ghost[what->field];
        CHECK(strstr(hx_last_error(), said), "%s: no \"%s\" in \"%s\"", w->way, said, hx_last_error());
    } else {
        look_at_ghosts(w, what);
    }
}

static void try_number(const world *w, const number *what)
{
    fill(w, what);
    CHECK_STATUS(counts_all_start(w->halo, &w->there, w->stream), HX_OK);
    check(w, what, counts_all_finish(w->halo, w->stream));
}

/* What arrays hold once all is unpacked is of no account: rank 0 hears of the mark that it got by the next call. */
static void try_halves(const world *w, const number *what)
{
    fill(w, what);
    CHECK_STATUS(counts_all_pack(w->halo, &w->there, w->stream), HX_OK);
    CHECK_STATUS(counts_all_send(w->halo, w->stream), HX_OK);
    const hx_status status = counts_all_receive(w->halo);
    CHECK_STATUS(status, what->said && rank == 1 ? HX_ERR_ARGUMENT : HX_OK);
    CHECK(status == HX_OK || strstr(hx_last_error(), what->said), "%s: %s", w->way, hx_last_error());
    CHECK_STATUS(counts_all_unpack(w->halo, &w->there, w->stream), HX_OK);
    if (!what->said) {
        look_at_ghosts(w, what);
    }
    CHECK(cudaStreamSynchronize(w->stream) == 0, "a stream failed");
    fill(w, &numbers[0]);
    CHECK_STATUS(counts_all_start(w->halo, &w->there, w->stream), HX_OK);
    CHECK_STATUS(counts_all_finish(w->halo, w->stream), what->said && rank == 0 ? HX_ERR_ARGUMENT : HX_OK);
}

/* The next finish tells what a graph has found, with the numbers of then. */
static void try_graph(const world *w, const number *what)
{
    fill(w, what);
    if (!mirror_run_graph((hx_handle *)(void *)w->halo, COUNTS_ALL, &w->there, w->stream)) {
        return;
    }
    fill(w, &numbers[0]);
    CHECK_STATUS(counts_all_start(w->halo, &w->there, w->stream), HX_OK);
    const hx_status status = counts_all_finish(w->halo, w->stream);
    CHECK_STATUS(status, what->said ? HX_ERR_ARGUMENT : HX_OK);
    CHECK(!what->said || rank == 0 || strstr(hx_last_error(), what->said), "%s: %s", w->way, hx_last_error());
}

/* ---- ways ---------------------------------------------------------------------------------------------- */

typedef void try_fn(const world *w, const number *what);

static void try_all(const world *w, const number *what)
{
    try_number(w, what);
    try_halves(w, what);
    try_graph(w, what);
}

/* A receive that waits for no message tells all the same what a pack before it has found, however late that runs. */
static void try_alone(const world *w, const number *what)
{
    fill(w, what);
    fake_set_order(FAKE_LAZY, 0);
    CHECK_STATUS(counts_all_pack(w->halo, &w->there, w->stream), HX_OK);
    CHECK_STATUS(counts_all_send(w->halo, w->stream), HX_OK);
    CHECK_STATUS(counts_all_receive(w->halo), what->said && rank == 1 ? HX_ERR_ARGUMENT : HX_OK);
    CHECK_STATUS(counts_all_unpack(w->halo, &w->there, w->stream), HX_OK);
    CHECK(cudaStreamSynchronize(w->stream) == 0, "a stream failed");
    fake_set_order(FAKE_EAGER, 0);
}

static void run(MPI_Comm comm, const char *transport, const char *messages, try_fn *try)
{
    hx_options options = HX_OPTIONS_INIT;
    const hx_partition grid = {.axes = 2, .cells = {NX, NY}, .ranks = {comm == MPI_COMM_SELF ? 1 : 2, 1}};
    world w = {.way = transport};
    options.transport = transport;
    options.device_messages = messages;
    options.deadline = 60.0;
    CHECK_STATUS(hx_decompose(comm, &grid, &w.mine), HX_OK);
    w.shape = counts_shape_dense(&w.mine);
    CHECK(cudaStreamCreateWithFlags(&w.stream, cudaStreamNonBlocking) == 0, "no stream");
    if (CHECK_STATUS(counts_create(comm, &w.shape, &options, &w.halo), HX_OK) &&
        CHECK_STATUS(counts_alloc(w.halo, &w.there), HX_OK)) {
        const size_t points = (size_t)(w.mine.n[0] + 2) * (size_t)(w.mine.n[1] + 2);
        w.bytes[0] = points * sizeof *w.here.n;
        w.bytes[1] = 2 * points * sizeof *w.here.m;
        w.bytes[2] = 3 * points * sizeof *w.here.k;
        w.here = (counts_fields){calloc(1, w.bytes[0]), calloc(1, w.bytes[1]), calloc(1, w.bytes[2])};
        for (int i = 0; i < (int)(sizeof numbers / sizeof numbers[0]); ++i) {
            try(&w, &numbers[i]);
        }
        CHECK_STATUS(counts_free(w.halo, &w.there), HX_OK);
        CHECK_STATUS(counts_destroy(w.halo), HX_OK);
        free(w.here.n);
        free(w.here.m);
        free(w.here.k);
    }
    CHECK(cudaStreamDestroy(w.stream) == 0, "a stream failed");
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv, MPI_THREAD_SINGLE);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    mirror_need_device();
    run(MPI_COMM_WORLD, "ipc", "mapped", try_all);
    run(MPI_COMM_WORLD, "persistent", "mapped", try_all);
    run(MPI_COMM_WORLD, "p2p", "copied", try_all);
    run(MPI_COMM_SELF, "persistent", "mapped", try_alone);
    CHECK(fake_left() == 0, "%ld things of the device were not given back", fake_left());
    return check_verdict("integers of a device that do not fit are told");
}
