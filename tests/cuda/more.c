/*
 * Exchanges in the memory of a device that do more than copy: walls, shared points, corners and sums, on
 * streams that run as late as they may, as graphs, and with each call of the device failing.  The host says
 * what is right.
 *
 * usage: cuda_more, on 2 ranks
 */
#include "check.h"
#include "mirror.h"
#include "pair.h"
#include "twin.h"

#include <fake.h>

#include <stdbool.h>
#include <string.h>

extern const hx_spec walled_spec, walled_host_spec, mixed_spec, mixed_host_spec;
extern const hx_spec shared_rings_spec, shared_rings_host_spec;
extern const hx_spec shared_sphere_xyz_spec, shared_sphere_xyz_host_spec;
extern const hx_spec corners_sphere_xyz_spec, corners_sphere_xyz_host_spec;

enum { ALL = -1, NONE = -2 };

static const struct {
    const hx_spec *there;
    const hx_spec *host;
    int failing; /* the exchange whose calls fail one after the other */
} specs[] = {{&walled_spec, &walled_host_spec, ALL},
             {&mixed_spec, &mixed_host_spec, ALL}, /* sums */
             {&shared_rings_spec, &shared_rings_host_spec, 2},
             {&shared_sphere_xyz_spec, &shared_sphere_xyz_host_spec, NONE},
             {&corners_sphere_xyz_spec, &corners_sphere_xyz_host_spec, 0}};
enum { SPECS = sizeof specs / sizeof *specs };

static int rank;

/* ---- one spec ------------------------------------------------------------------------------------------ */

typedef struct trial {
    const hx_spec *spec;
    layout layout;
    arrays arrays;
    mirror mirror;
    hx_handle *handle;
    hx_handle *twin;
    cudaStream_t stream;
} trial;

static int in_turn(void *context, int tile, int block)
{
    return (tile + block) % *(const int *)context;
}

/* Two blocks, or one a tile. */
static void lay_out(trial *t, int number, MPI_Comm comm)
{
    static int ranks;
    const hx_spec *spec = t->spec = specs[number].there;
    hx_partition partition[LAYOUT_TILES];
    for (int tile = 0; tile < spec->tiles; ++tile) {
        partition[tile] = spec->tiles > 1 ? (hx_partition){.axes = 3, .cells = {4, 4, 2}, .ranks = {1, 1, 1}}
                                          : (hx_partition){.axes = 3, .cells = {5, 4, 6}, .ranks = {1, 1, 2}};
    }
    MPI_Comm_size(comm, &ranks);
    layout_make(&t->layout, &(layout_request){spec, comm, partition, in_turn, &ranks, twin_faces, 1});
}

/* False: there is no handle, which was told. */
static bool begin(trial *t, int number, MPI_Comm comm)
{
    lay_out(t, number, comm);
    arrays_make(&t->arrays, &t->layout, oracle_cartesian);
    mirror_make(&t->mirror, &t->arrays);
    t->twin = twin_make(specs[number].host, &t->layout, "p2p");
    CHECK(cudaStreamCreateWithFlags(&t->stream, cudaStreamNonBlocking) == 0, "no stream");
    t->handle = NULL;
    if (!CHECK_STATUS(pair_create(&t->layout, 60.0, &t->handle), HX_OK)) {
        return false;
    }
    twin_set_hooks(t->handle, t->twin, &t->layout);
    return true;
}

static void end(trial *t)
{
    CHECK_STATUS(hx_destroy(t->handle), HX_OK);
    CHECK_STATUS(hx_destroy(t->twin), HX_OK);
    mirror_free(&t->mirror);
    CHECK(cudaStreamDestroy(t->stream) == 0, "a stream failed");
    arrays_free(&t->arrays);
    layout_free(&t->layout);
}

static void tell(const trial *t, const char *what, int number)
{
    check_about("%s, %s, %s, %s, %d", what, t->spec->name, pair_taken->transport, pair_taken->messages,
                number);
}

/* Functions for walls make calls of their own, and copies that no graph can have. */
static bool has_hook(const hx_exchange *e)
{
    bool has = false;
    for (int a = 0; a < HX_MAX_AXES; ++a) {
        has = has || e->wall[a][0] == HX_FILL_HOOK || e->wall[a][1] == HX_FILL_HOOK;
    }
    return has;
}

/* ---- late streams -------------------------------------------------------------------------------------- */

enum { STEPS = 5 };

/* What is seen of a step, and what the host makes of it. */
typedef struct sight {
    arrays expected;
    mirror seen;
} sight;

/*
 * Fields of the host are what they are now, those of the device what they are when the stream comes to here.
 */
static void look(const trial *t, sight *v, int exchange, int fill)
{
    const layout *l = &t->layout;
    arrays_make(&v->expected, l, oracle_cartesian);
    mirror_make(&v->seen, &v->expected);
    arrays_fill(&v->expected, t->arrays.salt);
    twin_expect(t->twin, &v->expected, exchange, fill);
    for (size_t i = 0; i < t->mirror.count; ++i) {
        if (!t->mirror.there[i]) {
            const int block = (int)(i / (size_t)t->spec->fields);
            const int field = (int)(i % (size_t)t->spec->fields);
            const size_t elements = layout_elements(l, block, field) + 2 * t->arrays.guard;
            memcpy(v->expected.actual[i], t->arrays.actual[i], elements * (size_t)t->spec->field[field].size);
        }
    }
    mirror_copy(&v->seen, &t->mirror, t->stream);
}

static void compare(const trial *t, sight *v)
{
    mirror_down(&v->seen, t->stream);
    arrays_check(&v->expected, "late");
    mirror_free(&v->seen);
    arrays_free(&v->expected);
}

/* The corners are those of new values, too: nothing was exchanged before. */
static int fill_all_corners(trial *t, int exchange, int salt, sight view[])
{
    const int fills = t->spec->exchange[exchange].corner_fills;
    for (int fill = 0; fill < fills; ++fill) {
        arrays_fill(&t->arrays, salt + fill);
        mirror_up(&t->mirror, t->stream);
        CHECK_STATUS(hx_fill_corners_on(t->handle, exchange, fill, t->mirror.pointers, t->stream), HX_OK);
        look(t, &view[fill], exchange, fill);
    }
    return fills;
}

/* Step after step, each on new values, without ever waiting for a stream. */
static void run_steps(trial *t, int exchange)
{
    sight view[3 * STEPS];
    int views = 0;
    for (int i = 0; i < STEPS; ++i) {
        arrays_fill(&t->arrays, i);
        mirror_up(&t->mirror, t->stream);
        CHECK_STATUS(hx_start_on(t->handle, exchange, t->mirror.pointers, t->stream), HX_OK);
        CHECK_STATUS(hx_finish_on(t->handle, exchange, t->stream), HX_OK);
        look(t, &view[views++], exchange, -1);
        views += fill_all_corners(t, exchange, i + 1, view + views);
    }
    for (int i = 0; i < views; ++i) {
        compare(t, &view[i]);
    }
}

/* One array for two fields is refused by start, and again when corners were filled in arrays that differ. */
static void refuse_twins(trial *t, int exchange)
{
    const hx_exchange *e = &t->spec->exchange[exchange];
    void *own;
    unsigned char *const one = t->mirror.pointers + t->spec->field[e->field[0].field].pointer;
    unsigned char *const other = t->mirror.pointers + t->spec->field[e->field[e->fields - 1].field].pointer;
    memcpy(&own, other, sizeof own);
    for (int i = 0; i < 2 && t->mirror.count > 0 && e->corner_fills > 0 && e->fields > 1; ++i) {
        memcpy(other, one, sizeof own);
        CHECK_STATUS(hx_start_on(t->handle, exchange, t->mirror.pointers, t->stream), HX_ERR_ARGUMENT);
        memcpy(other, &own, sizeof own);
        CHECK_STATUS(hx_fill_corners_on(t->handle, exchange, 0, t->mirror.pointers, t->stream), HX_OK);
    }
}

static void try_late(int number, int seed)
{
    trial t;
    if (begin(&t, number, MPI_COMM_WORLD)) {
        for (int x = 0; x < t.spec->exchanges; ++x) {
            if (twin_is_there(t.spec, x)) {
                tell(&t, "late", x);
                fake_set_order(seed == 0 ? FAKE_LAZY : FAKE_SHUFFLED, (unsigned)(2 * seed + rank));
                run_steps(&t, x);
                fake_set_order(FAKE_EAGER, 0);
                refuse_twins(&t, x);
            }
        }
    }
    end(&t);
}

/* ---- graphs -------------------------------------------------------------------------------------------- */

enum { PACK, UNPACK, CORNERS };

static hx_status put(const trial *t, int exchange, int what, int fill)
{
    const void *fields = t->mirror.pointers;
    return what == PACK     ? hx_pack_on(t->handle, exchange, fields, t->stream)
           : what == UNPACK ? hx_unpack_on(t->handle, exchange, fields, t->stream)
                            : hx_fill_corners_on(t->handle, exchange, fill, fields, t->stream);
}

static cudaGraphExec_t capture(const trial *t, int exchange, int what, int fill)
{
    cudaGraph_t graph = NULL;
    cudaGraphExec_t made = NULL;
    CHECK(cudaStreamBeginCapture(t->stream, cudaStreamCaptureModeThreadLocal) == 0, "no capture");
    CHECK_STATUS(put(t, exchange, what, fill), HX_OK);
    CHECK(cudaStreamEndCapture(t->stream, &graph) == 0, "a capture failed");
    CHECK(cudaGraphInstantiateWithFlags(&made, graph, 0) == 0, "no graph");
    CHECK(cudaGraphDestroy(graph) == 0, "a graph stays");
    return made;
}

static void launch(const trial *t, cudaGraphExec_t graph)
{
    CHECK(cudaGraphLaunch(graph, t->stream) == 0, "a graph failed");
}

static void run_halves(trial *t, int exchange)
{
    const cudaGraphExec_t pack = capture(t, exchange, PACK, 0);
    const cudaGraphExec_t unpack = capture(t, exchange, UNPACK, 0);
    for (int i = 0; i < STEPS; ++i) {
        arrays_fill(&t->arrays, i);
        twin_expect(t->twin, &t->arrays, exchange, -1);
        mirror_up(&t->mirror, t->stream);
        launch(t, pack);
        CHECK_STATUS(hx_send_on(t->handle, exchange, t->stream), HX_OK);
        CHECK_STATUS(hx_receive(t->handle, exchange), HX_OK);
        launch(t, unpack);
        mirror_down(&t->mirror, t->stream);
        arrays_check(&t->arrays, "halves");
    }
    CHECK(cudaGraphExecDestroy(pack) == 0 && cudaGraphExecDestroy(unpack) == 0, "a graph stays");
}

static void run_corners(trial *t, int exchange, int fill)
{
    const cudaGraphExec_t corners = capture(t, exchange, CORNERS, fill);
    for (int i = 0; i < STEPS; ++i) {
        arrays_fill(&t->arrays, i);
        twin_expect(t->twin, &t->arrays, exchange, fill);
        mirror_up(&t->mirror, t->stream);
        launch(t, corners);
        mirror_down(&t->mirror, t->stream);
        arrays_check(&t->arrays, "corners");
    }
    CHECK(cudaGraphExecDestroy(corners) == 0, "a graph stays");
}

static void try_graphs(int number)
{
    trial t;
    if (begin(&t, number, MPI_COMM_WORLD)) {
        fake_set_order(FAKE_LAZY, 0);
        for (int x = 0; x < t.spec->exchanges; ++x) {
            tell(&t, "graphs", x);
            if (twin_is_there(t.spec, x) && !has_hook(&t.spec->exchange[x])) {
                run_halves(&t, x);
            }
            for (int fill = 0; fill < t.spec->exchange[x].corner_fills; ++fill) {
                run_corners(&t, x, fill);
            }
        }
        fake_set_order(FAKE_EAGER, 0);
    }
    end(&t);
}

/* ---- calls that fail ----------------------------------------------------------------------------------- */

/* A call that failed says so; before it did anything, it can be made again. */
static hx_status again(hx_status status, bool *failed)
{
    if (status != HX_OK) {
        CHECK_STATUS(status, HX_ERR_DEVICE);
        CHECK(strstr(hx_last_error(), "unknown error"), "%s", hx_last_error());
        *failed = true;
    }
    return status;
}

/* False: the handle can only be destroyed. */
static bool exchange_failing(const trial *t, int x, bool *failed)
{
    const void *fields = t->mirror.pointers;
    hx_status status = again(hx_start_on(t->handle, x, fields, t->stream), failed);
    status = status == HX_OK ? status : hx_start_on(t->handle, x, fields, t->stream);
    if (status == HX_OK) {
        status = again(hx_finish_on(t->handle, x, t->stream), failed);
        status = status == HX_OK ? status : hx_finish_on(t->handle, x, t->stream);
    }
    return status == HX_OK;
}

static bool corners_failing(const trial *t, int x, int fill, bool *failed)
{
    const void *fields = t->mirror.pointers;
    hx_status status = again(hx_fill_corners_on(t->handle, x, fill, fields, t->stream), failed);
    status = status == HX_OK ? status : hx_fill_corners_on(t->handle, x, fill, fields, t->stream);
    return status == HX_OK;
}

/* On this rank alone; *failed: a call said so. */
static bool run_failing(const trial *t, int exchange, bool *failed)
{
    bool usable = true;
    for (int x = 0; x < t->spec->exchanges && usable; ++x) {
        const bool chosen = exchange == ALL || exchange == x;
        if (chosen && twin_is_there(t->spec, x) && !has_hook(&t->spec->exchange[x])) {
            usable = exchange_failing(t, x, failed);
            for (int fill = 0; fill < t->spec->exchange[x].corner_fills && usable; ++fill) {
                usable = corners_failing(t, x, fill, failed);
            }
        }
    }
    return usable;
}

/* What is right in spite of a failure is right: the last exchange once more. */
static void check_usable(trial *t)
{
    int x = t->spec->exchanges - 1;
    arrays_fill(&t->arrays, 5);
    twin_expect(t->twin, &t->arrays, x, -1);
    mirror_up(&t->mirror, t->stream);
    CHECK_STATUS(hx_start_on(t->handle, x, t->mirror.pointers, t->stream), HX_OK);
    CHECK_STATUS(hx_finish_on(t->handle, x, t->stream), HX_OK);
    mirror_down(&t->mirror, t->stream);
    arrays_check(&t->arrays, "in spite of a failure");
}

/* Whether there was an n-th call. */
static bool fail_call(int number, long n, long *refusals)
{
    trial t;
    bool failed = false;
    bool reached = false;
    if (begin(&t, number, MPI_COMM_SELF)) {
        tell(&t, "call that fails", (int)n);
        const long calls = fake_calls();
        fake_fail(n);
        const bool usable = run_failing(&t, specs[number].failing, &failed);
        fake_fail(0);
        reached = fake_calls() - calls >= n;
        CHECK(failed == reached, "%s call failed, and %s told", reached ? "a" : "no",
              failed ? "was" : "was not");
        *refusals += failed && !usable;
        if (usable) {
            check_usable(&t);
        } else {
            CHECK_STATUS(hx_start_on(t.handle, t.spec->exchanges - 1, t.mirror.pointers, t.stream),
                         HX_ERR_DEVICE);
            CHECK(strstr(hx_last_error(), "can only be destroyed"), "%s", hx_last_error());
        }
    }
    end(&t);
    fake_forget(); /* what a failure leaves where it is */
    return reached;
}

static void try_failures(int number)
{
    long refusals = 0;
    long n = 1;
    while (fail_call(number, n, &refusals)) {
        ++n;
    }
    CHECK(n > 20 && refusals > 5, "%ld calls, %ld of which end a handle", n, refusals);
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv, MPI_THREAD_SINGLE);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int number = 0; number < SPECS; ++number) {
        for (int way = 0; way < PAIR_WAYS; ++way) {
            pair_taken = &pair_ways[way];
            try_late(number, (number + way) % 3);
            try_graphs(number);
        }
    }
    CHECK(fake_left() == 0, "%ld things of the device were not given back", fake_left());
    for (int number = 0; number < SPECS; ++number) {
        if (specs[number].failing != NONE) {
            try_failures(number);
        }
    }
    return check_verdict("exchanges that do more than copy");
}
