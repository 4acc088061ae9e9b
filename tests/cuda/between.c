/*
 * Redistribution of fields in the memory of a device between two groups of ranks, apart or with ranks in common, whose
 * handles are made wide: there, back, and with plans that are kept.  What a device makes of arrays is compared, bit for bit,
 * with what the host makes of the same.  Mistakes are refused in words, on all ranks alike, and nothing is written.
 *
 * usage: cuda_between, on 2 ranks or more
 */
#include "check.h"
#include "connected.h"
#include "mirror.h"
#include "shim.h"
#include "twin.h"

#include <fake.h>

#include <string.h>

extern const hx_spec *const device_specs[];
extern const hx_spec *const host_specs[];
extern const int device_count;

enum { DEVICE, HOST, PLACES };

static int rank, ranks;
static long runs;
static cudaStream_t stream;

/* What a group of ranks has; the others have no narrow handle, and no block. */
typedef struct group {
    MPI_Comm comm; /* MPI_COMM_NULL: this rank is not in it */
    const hx_spec *spec[PLACES];
    layout layout;
    arrays arrays;
    mirror mirror;
    hx_handle *narrow[PLACES];
    hx_handle *wide[PLACES];
} group;

typedef struct shape {
    const hx_spec *spec[PLACES];
    hx_partition partition[LAYOUT_TILES];
    layout_faces *faces;
    oracle_topology *topology;
    const char *messages; /* option device_messages */
} shape;

static bool has(const group *g)
{
    return g->comm != MPI_COMM_NULL;
}

static int in_turn(void *context, int tile, int block)
{
    return (tile + block) % *(const int *)context;
}

static void open_group(const shape *s, int first, int last, int padding, group *g)
{
    *g = (group){.comm = MPI_COMM_NULL, .spec = {s->spec[DEVICE], s->spec[HOST]}};
    MPI_Comm_split(MPI_COMM_WORLD, rank >= first && rank <= last ? 0 : MPI_UNDEFINED, -rank, &g->comm);
    hx_options options = HX_OPTIONS_INIT;
    options.deadline = 60.0;
    options.device_messages = s->messages;
    if (has(g)) {
        int members = last - first + 1;
        layout_make(&g->layout, &(layout_request){s->spec[DEVICE], g->comm, s->partition, in_turn, &members,
                                                  s->faces, padding});
        CHECK_STATUS(
            hx_create(s->spec[DEVICE], &g->layout.blocks, g->layout.shapes, &options, &g->narrow[DEVICE]),
            HX_OK);
        g->narrow[HOST] = twin_make(s->spec[HOST], &g->layout, "neighbor");
        arrays_make(&g->arrays, &g->layout, s->topology);
        if (padding > 0) {
            mirror_make(&g->mirror, &g->arrays);
        } else {
            mirror_alloc(&g->mirror, &g->arrays, g->narrow[DEVICE]);
        }
    }
    for (int i = 0; i < PLACES; ++i) {
        CHECK_STATUS(hx_create_wide(s->spec[i], g->narrow[i], MPI_COMM_WORLD, i == DEVICE ? &options : NULL,
                                    &g->wide[i]),
                     HX_OK);
    }
}

static void close_group(group *g)
{
    if (has(g)) {
        mirror_free(&g->mirror);
        arrays_free(&g->arrays);
    }
    for (int i = 0; i < PLACES; ++i) {
        CHECK_STATUS(hx_destroy(g->wide[i]), HX_OK);
        CHECK_STATUS(hx_destroy(g->narrow[i]), HX_OK);
    }
    if (has(g)) {
        layout_free(&g->layout);
        MPI_Comm_free(&g->comm);
    }
}

static void fill(group *g, int salt)
{
    if (has(g)) {
        arrays_fill(&g->arrays, salt);
        mirror_up(&g->mirror, stream);
    }
}

static void check_group(group *g, const char *what)
{
    if (has(g)) {
        mirror_down(&g->mirror, stream);
        arrays_check(&g->arrays, what);
    }
}

/* Arrays of the host, of the same values. */
static const void *make_values(const group *g, arrays *values, int salt)
{
    if (!has(g)) {
        return NULL;
    }
    arrays_make(values, &g->layout, g->arrays.topology);
    arrays_fill(values, salt);
    return values->pointers;
}

/* The target is to hold what the host makes of it. */
static void expect(group *from, group *to, int salt, bool halos)
{
    const hx_redistribution how = {.halos = halos};
    arrays source, target;
    const void *here = make_values(from, &source, salt);
    const void *there = make_values(to, &target, salt + 1);
    CHECK_STATUS(hx_redistribute_with(from->wide[HOST], here, to->wide[HOST], there, &how), HX_OK);
    for (int i = 0; has(to) && i < to->layout.blocks.count * to->layout.spec->fields; ++i) {
        unsigned char *old = to->arrays.expected[i];
        to->arrays.expected[i] = target.actual[i];
        target.actual[i] = old;
    }
    if (has(from)) {
        arrays_free(&source);
    }
    if (has(to)) {
        arrays_free(&target);
    }
}

static const void *there(const group *g)
{
    return has(g) ? g->mirror.pointers : NULL;
}

static void move(group *from, group *to, bool halos)
{
    const int salt = (int)(runs++ % 7);
    const hx_redistribution how = {.halos = halos, .stream = stream};
    fill(from, salt);
    fill(to, salt + 1);
    expect(from, to, salt, halos);
    CHECK_STATUS(hx_redistribute_with(from->wide[DEVICE], there(from), to->wide[DEVICE], there(to), &how),
                 HX_OK);
    check_group(to, "the target");
    check_group(from, "the source");
}

/* Arrays of the host in place of the device's, on one rank. */
static void mistake(group *from, group *to)
{
    const hx_redistribution how = {.stream = stream};
    fill(from, 1);
    fill(to, 2);
    const void *wrong = has(from) ? from->arrays.pointers : NULL;
    CHECK_REFUSED(MPI_COMM_WORLD,
                  hx_redistribute_with(from->wide[DEVICE], wrong, to->wide[DEVICE], there(to), &how),
                  HX_ERR_ARGUMENT, "which is memory of the host; give one of cudaMalloc");
    check_group(to, "a target that was refused");
}

/* Ranks 0 to last, and those from first on; the second group divides the grid otherwise. */
static void try_groups(shape *s, int last, int first)
{
    group a, b;
    check_about("%s, messages %s, ranks 0 to %d and %d to %d", s->spec[DEVICE]->name, s->messages, last,
                first, ranks - 1);
    open_group(s, 0, last, 0, &a);
    shape whole = *s;
    for (int t = 0; t < s->spec[DEVICE]->tiles; ++t) {
        for (int axis = 0; axis < whole.partition[t].axes; ++axis) {
            whole.partition[t].ranks[axis] = 1;
            whole.partition[t].cuts[axis] = NULL;
        }
    }
    open_group(&whole, first, ranks - 1, 2, &b);
    move(&a, &b, false);
    move(&b, &a, true);
    move(&a, &b, false);
    mistake(&a, &b);
    close_group(&b);
    close_group(&a);
}

static void try_shape(shape *s, int number, int tries)
{
    static const char *const ways[] = {"mapped", "copied", "aware"};
    for (int i = 0; i < tries; ++i) {
        const bool aware = strcmp(ways[i], "aware") == 0;
        s->messages = fake_set_host_access(aware) == aware ? ways[i] : "copied";
        fake_set_order((fake_order)((number + i) % 3), (unsigned)number);
        shim_order_of_threads = (shim_order)((number + i) % SHIM_ORDERS);
        if (i == 0) { /* with a rank in common, where there are three */
            try_groups(s, ranks > 2 ? ranks - 2 : 0, 1);
        } else if (i == 1) {
            try_groups(s, ranks - 1, ranks - 1);
        } else {
            try_groups(s, (ranks - 1) / 2, (ranks - 1) / 2 + 1);
        }
    }
}

/* A box, a fold and tiles: the first partition of each into two blocks or more. */
static void try_spec(int number, bool boxes)
{
    shape s = {.spec = {device_specs[number], host_specs[number]}, .topology = oracle_cartesian};
    const connected *found = connected_find(s.spec[DEVICE]);
    if (boxes) {
        s.partition[0] = (hx_partition){.axes = 3, .cells = {5, 4, 12}, .ranks = {1, 1, 4}};
        try_shape(&s, number, 3);
        return;
    }
    s.faces = found->faces;
    s.topology = found->topology;
    int fits = 0;
    for (int i = 1; (fits = found->partitions(s.spec[DEVICE], i, s.partition)) >= 0; ++i) {
        if (fits) {
            try_shape(&s, number, 1);
            return;
        }
    }
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv, MPI_THREAD_SINGLE);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    mirror_need_device();
    CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) == 0, "no stream");
    for (int i = 0; i < device_count; ++i) {
        const char *name = device_specs[i]->name;
        const bool boxes = strcmp(name, "cube_xz") == 0;
        if (boxes || strcmp(name, "folded_ncc") == 0 || strcmp(name, "patch_plane") == 0) {
            try_spec(i, boxes);
        }
    }
    CHECK(cudaStreamDestroy(stream) == 0, "a stream failed");
    CHECK(runs >= 9, "only %ld moves", runs);
    return check_verdict("redistribution on devices between two groups of ranks");
}
