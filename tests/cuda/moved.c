/*
 * Redistribution of fields in the memory of a device: from blocks to whole tiles on other ranks, and back, of all specs of
 * grids.c, and between random pairs of ways to divide their grids, ghost points included.  What a device makes of arrays is compared, bit for bit, with what the host makes of the same; so are gathers to
 * arrays of the host, and scatters.  Lists of points are compared with values by ids.  Then each call of the device fails, a
 * device is lost, and mistakes are refused.
 *
 * usage: cuda_moved [SPEC...], on 2 ranks or more
 */
#include "cases.h"
#include "check.h"
#include "connected.h"
#include "mirror.h"
#include "shared_grid.h"
#include "shim.h"
#include "twin.h"

#include <fake.h>
#include <polygons.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const hx_spec *const device_specs[];
extern const hx_spec *const host_specs[];
extern const int device_count;
extern const hx_spec cube_xz_spec;

static int rank, ranks;
static long runs;
static cudaStream_t streams[2];

static int in_turn(void *context, int tile, int block)
{
    (void)context;
    return (tile + block) % ranks;
}

static int backwards(void *context, int tile, int block)
{
    (void)context;
    return (ranks - 1 + 2 * tile + block) % ranks;
}

static uint64_t dice; /* the same on all ranks */

static int draw(int first, int last)
{
    dice = dice * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return first + (int)((dice >> 33) % (uint64_t)(last - first + 1));
}

static int by_chance(void *context, int tile, int block)
{
    const uint64_t number =
        (*(const uint64_t *)context + (uint64_t)(64 * tile + block)) * 11400714819323198485u;
    return (int)((number >> 33) % (uint64_t)ranks);
}

/* ---- one end, and one move ----------------------------------------------------------------------------- */

/* Blocks, their arrays here and there, and a handle for each. */
typedef struct end {
    layout layout;
    arrays arrays;
    mirror mirror;
    hx_handle *handle;
    hx_handle *twin; /* whose fields are all of the host */
} end;

typedef struct plan {
    const hx_spec *spec;
    layout_faces *faces;
    oracle_topology *topology;
    const char *messages; /* option device_messages */
    int number;
    bool alone; /* without a twin */
} plan;

typedef struct division {
    const hx_partition *partition;
    int (*owner)(void *context, int tile, int block);
    void *context;
    int padding;
} division;

static const hx_spec *host_of(const hx_spec *spec)
{
    int i = 0;
    while (device_specs[i] != spec) {
        ++i;
    }
    return host_specs[i];
}

static bool open_end(const plan *p, const division *d, end *e)
{
    hx_options options = HX_OPTIONS_INIT;
    options.deadline = 60.0;
    options.device_messages = p->messages;
    *e = (end){.handle = NULL};
    layout_make(&e->layout, &(layout_request){p->spec, MPI_COMM_WORLD, d->partition, d->owner, d->context,
                                              p->faces, d->padding});
    if (hx_create(p->spec, &e->layout.blocks, e->layout.shapes, &options, &e->handle) != HX_OK) {
        layout_free(&e->layout);
        return false;
    }
    e->twin = p->alone ? NULL : twin_make(host_of(p->spec), &e->layout, "neighbor");
    arrays_make(&e->arrays, &e->layout, p->topology);
    if (p->number % 2 == 0) {
        mirror_make(&e->mirror, &e->arrays);
    } else {
        mirror_alloc(&e->mirror, &e->arrays, e->handle);
    }
    return true;
}

static void close_end(end *e)
{
    mirror_free(&e->mirror);
    arrays_free(&e->arrays);
    CHECK_STATUS(hx_destroy(e->twin), HX_OK);
    CHECK_STATUS(hx_destroy(e->handle), HX_OK);
    layout_free(&e->layout);
}

/* What the host makes of the same arrays. */
static void expect(const end *from, end *to, int salt, bool halos)
{
    const hx_redistribution how = {.halos = halos};
    arrays source, target;
    arrays_make(&source, &from->layout, from->arrays.topology);
    arrays_make(&target, &to->layout, to->arrays.topology);
    arrays_fill(&source, salt);
    arrays_fill(&target, salt + 1);
    CHECK_STATUS(hx_redistribute_with(from->twin, source.pointers, to->twin, target.pointers, &how), HX_OK);
    for (int i = 0; i < to->layout.blocks.count * to->layout.spec->fields; ++i) {
        unsigned char *old = to->arrays.expected[i];
        to->arrays.expected[i] = target.actual[i];
        target.actual[i] = old;
    }
    arrays_free(&source);
    arrays_free(&target);
}

static void move(end *from, end *to, bool halos)
{
    const int salt = (int)(runs++ % 7);
    const cudaStream_t stream = streams[runs % 2];
    const hx_redistribution how = {.halos = halos, .stream = stream};
    arrays_fill(&from->arrays, salt);
    arrays_fill(&to->arrays, salt + 1);
    expect(from, to, salt, halos);
    mirror_up(&from->mirror, stream);
    mirror_up(&to->mirror, stream);
    if (CHECK_STATUS(
            hx_redistribute_with(from->handle, from->mirror.pointers, to->handle, to->mirror.pointers, &how),
            HX_OK)) {
        mirror_down(&from->mirror, streams[0]);
        mirror_down(&to->mirror, streams[0]);
        arrays_check(&to->arrays, "the target");
        arrays_check(&from->arrays, "the source");
    }
}

/* ---- to arrays of the host ----------------------------------------------------------------------------- */

/* What a rank selects: of each tile every field, or every second point along one axis, dealt out to ranks. */
typedef struct wishes {
    hx_selection *selection;
    int count;
    size_t bytes; /* of each array: room for all points */
    unsigned char *memory;
} wishes;

static size_t bytes_of_tile(const end *e, int tile, int field)
{
    const hx_spec *spec = e->layout.spec;
    size_t bytes = (size_t)spec->field[field].size *
                   (size_t)(spec->field[field].components > 0 ? spec->field[field].components : 1);
    for (int a = 0; a < spec->axes; ++a) {
        bytes *= (size_t)e->layout.blocks.partition[tile].cells[a] + 2;
    }
    return (bytes + 63) / 64 * 64;
}

static void want(const end *e, int number, wishes *w)
{
    const hx_spec *spec = e->layout.spec;
    const int most = spec->tiles * spec->fields;
    *w = (wishes){.selection = calloc((size_t)most, sizeof *w->selection)};
    for (int i = 0; i < most; ++i) {
        const size_t bytes = bytes_of_tile(e, i / spec->fields, i % spec->fields);
        w->bytes = bytes > w->bytes ? bytes : w->bytes;
    }
    w->memory = malloc((size_t)most * w->bytes + 1);
    memset(w->memory, 0xab, (size_t)most * w->bytes);
    for (int i = 0; i < most; ++i) {
        if ((i + number) % ranks == rank) {
            hx_selection *s = &w->selection[w->count];
            *s = (hx_selection){.field = i % spec->fields, .tile = i / spec->fields};
            for (int a = 0; a < spec->axes; ++a) {
                s->n[a] = HX_REST;
            }
            s->step[number % spec->axes] = 1 + number % 2;
            s->array.base = w->memory + (size_t)w->count++ * w->bytes;
        }
    }
}

static void drop(wishes *w)
{
    free(w->selection);
    free(w->memory);
}

/* What is scattered to both: the host's becomes what is expected. */
static void scatter(end *e, const wishes *w, int salt)
{
    arrays twin;
    arrays_make(&twin, &e->layout, e->arrays.topology);
    arrays_fill(&twin, salt);
    arrays_fill(&e->arrays, salt);
    mirror_up(&e->mirror, streams[0]);
    CHECK(cudaStreamSynchronize(streams[0]) == 0, "a stream failed");
    CHECK_STATUS(hx_scatter_selected(e->twin, twin.pointers, w->selection, w->count), HX_OK);
    for (int i = 0; i < e->layout.blocks.count * e->layout.spec->fields; ++i) {
        unsigned char *old = e->arrays.expected[i];
        e->arrays.expected[i] = twin.actual[i];
        twin.actual[i] = old;
    }
    if (CHECK_STATUS(hx_scatter_selected(e->handle, e->mirror.pointers, w->selection, w->count), HX_OK)) {
        mirror_down(&e->mirror, streams[0]);
        arrays_check(&e->arrays, "what was scattered");
    }
    arrays_free(&twin);
}

static void gather_and_scatter(end *e, int number)
{
    wishes here, there;
    want(e, number, &here);
    want(e, number, &there);
    arrays_fill(&e->arrays, number % 7);
    mirror_up(&e->mirror, streams[0]);
    CHECK(cudaStreamSynchronize(streams[0]) == 0, "a stream failed");
    CHECK_STATUS(hx_gather_selected(e->twin, e->arrays.pointers, here.selection, here.count), HX_OK);
    if (CHECK_STATUS(hx_gather_selected(e->handle, e->mirror.pointers, there.selection, there.count),
                     HX_OK)) {
        CHECK(memcmp(here.memory, there.memory, (size_t)here.count * here.bytes) == 0,
              "what was gathered differs");
    }
    scatter(e, &here, number % 7 + 1);
    drop(&here);
    drop(&there);
    ++runs;
}

static void whole_of(const hx_spec *spec, const hx_partition *partition, hx_partition whole[])
{
    for (int t = 0; t < spec->tiles; ++t) {
        whole[t] = partition[t];
        for (int a = 0; a < spec->axes; ++a) {
            whole[t].ranks[a] = 1;
            whole[t].cuts[a] = NULL;
        }
    }
}

/* Other cuts of the same cells. */
typedef struct drawn {
    hx_partition partition[LAYOUT_TILES];
    int cuts[LAYOUT_TILES][HX_MAX_AXES][4];
    uint64_t seed; /* of the owners */
} drawn;

static void divide_by_chance(const hx_spec *spec, const hx_partition *given, drawn *d)
{
    enum { THICK = 3, MOST = 3 };
    for (int t = 0; t < spec->tiles; ++t) {
        d->partition[t] = given[t];
        for (int a = 0; a < spec->axes; ++a) {
            int *cut = d->cuts[t][a];
            const int cells = given[t].cells[a];
            const int most = !spec->decomposed[a] || cells < 2 * THICK ? 1 : cells < 3 * THICK ? 2 : MOST;
            const int parts = draw(1, most);
            cut[0] = 0;
            for (int i = 1; i <= parts; ++i) {
                cut[i] = i == parts ? cells : draw(cut[i - 1] + THICK, cells - (parts - i) * THICK);
            }
            d->partition[t].ranks[a] = parts;
            d->partition[t].cuts[a] = cut;
        }
    }
    d->seed = (uint64_t)draw(0, 1 << 20);
}

static long pairs; /* of random ways that create takes: some are too thin for the walls of a grid */

static bool any_behind(const hx_spec *spec)
{
    bool any = false;
    for (int f = 0; f < spec->fields; ++f) {
        any = any || spec->field[f].behind;
    }
    return any;
}

/* There and back, with ghost points and without. */
static void try_pair(const plan *p, const hx_partition *partition)
{
    static drawn d[2];
    end e[2];
    bool made[2] = {false, false};
    for (int i = 0; i < 2; ++i) {
        divide_by_chance(p->spec, partition, &d[i]);
        const division by = {d[i].partition, by_chance, &d[i].seed, draw(0, 2)};
        made[i] = open_end(p, &by, &e[i]);
    }
    if (made[0] && made[1]) {
        check_about("%s, a random pair, number %d", p->spec->name, p->number);
        move(&e[0], &e[1], !any_behind(p->spec));
        move(&e[1], &e[0], false);
        ++pairs;
    }
    for (int i = 0; i < 2; ++i) {
        if (made[i]) {
            close_end(&e[i]);
        }
    }
}

/* To whole tiles and back, with plans that are new and kept. */
static void try_partition(const hx_spec *spec, const hx_partition *partition, layout_faces *faces,
                          oracle_topology *topology)
{
    static const char *const ways[] = {"mapped", "copied", "aware"};
    static int number;
    end e[2];
    hx_partition whole[LAYOUT_TILES];
    const char *messages = ways[number % 3];
    const bool aware = strcmp(messages, "aware") == 0;
    messages = fake_set_host_access(aware) == aware ? messages : "copied";
    const plan p = {spec, faces, topology, messages, number++, false};
    const division blocks = {partition, in_turn, NULL, p.number % 3};
    const division tiles = {whole, backwards, NULL, 2};
    fake_set_order((fake_order)(number % 3), (unsigned)number);
    shim_order_of_threads = (shim_order)(number / 3 % SHIM_ORDERS);
    whole_of(spec, partition, whole);
    check_about("%s, messages %s, number %d", spec->name, messages, number);
    if (!open_end(&p, &blocks, &e[0])) {
        CHECK(false, "%s", hx_last_error());
        return;
    }
    if (open_end(&p, &tiles, &e[1])) { /* a grid whose walls need thicker blocks has none */
        move(&e[0], &e[1], false);
        move(&e[1], &e[0], false);
        move(&e[0], &e[1], false);
        if (number % 4 < 2) {
            gather_and_scatter(&e[0], number);
        }
        close_end(&e[1]);
    } else {
        CHECK(false, "%s", hx_last_error());
    }
    close_end(&e[0]);
    if (p.number % 3 == 0) {
        try_pair(&p, partition);
    }
}

/* ---- grids --------------------------------------------------------------------------------------------- */

static void try_connected(const hx_spec *spec, const connected *found)
{
    hx_partition partition[LAYOUT_TILES];
    int fits = 0;
    for (int i = ranks; (fits = found->partitions(spec, i, partition)) >= 0; i += 83) {
        if (fits) {
            try_partition(spec, partition, found->faces, found->topology);
            return;
        }
    }
}

static void try_cartesian(const hx_spec *spec)
{
    cases c;
    hx_partition partition;
    cases_make(&c, spec, 2 * ranks);
    for (size_t i = 0; cases_get(&c, i, 2, &partition); ++i) {
        try_partition(spec, &partition, NULL, oracle_cartesian);
    }
}

static void try_walls(const hx_spec *spec)
{
    hx_partition partition = {.axes = spec->axes, .cells = {4, 5, 6}, .ranks = {1, 1, 1}};
    partition.ranks[2] = ranks;
    partition.cells[2] *= ranks;
    try_partition(spec, &partition, twin_faces, oracle_cartesian);
}

static void try_spec(const hx_spec *spec)
{
    const connected *found = connected_find(spec);
    if (strcmp(spec->name, "walled") == 0) {
        try_walls(spec);
    } else if (strncmp(spec->name, "corners_", 8) == 0 || strncmp(spec->name, "shared_", 7) == 0) {
        for (uint64_t seed = 1; seed <= 2; ++seed) {
            grid g;
            grid_make(&g, spec, seed);
            try_partition(spec, g.partition, twin_faces, oracle_cartesian);
        }
    } else if (found) {
        try_connected(spec, found);
    } else {
        try_cartesian(spec);
    }
}

/* ---- points of lists ----------------------------------------------------------------------------------- */

enum { IDS = 57, LEVELS = 6, PARTS = 4 };

/* The points of a rank, and a field of each type: a part of it for each that polygons has. */
typedef struct cells {
    polygons *handle;
    polygons_shape shape;
    hx_ids ids;
    int64_t id[IDS];
    size_t bytes[PARTS];
    unsigned char *here[PARTS];
    polygons_fields there;
} cells;

static void *array_of(const cells *c, int part)
{
    void *const all[PARTS] = {c->there.t, c->there.qv, c->there.w, c->there.land};
    return all[part];
}

/* A number for each element, by the id of its point and its place there. */
static void set_values(const cells *c, int part, unsigned char *array, bool owned)
{
    const size_t size = part == 0 || part == 1 ? sizeof(double) : sizeof(float);
    const size_t of_a_point = c->ids.points > 0 ? c->bytes[part] / (size_t)c->ids.points / size : 0;
    for (int i = 0; i < c->ids.points; ++i) {
        for (size_t k = 0; k < of_a_point; ++k) {
            unsigned char *element = array + ((size_t)i * of_a_point + k) * size;
            const double value = owned ? (double)(c->id[i] * 100) + (double)k + 10000.0 * part : -1.0;
            const float single = (float)value;
            const int whole = (int)value;
            memcpy(element,
                   part < 2    ? (const void *)&value
                   : part == 2 ? (const void *)&single
                               : (const void *)&whole,
                   size);
        }
    }
}

/* Dealt out one by one, or three by three and backwards; the last rank has none then. */
static void deal(cells *c, bool again)
{
    const int of = again && ranks > 1 ? ranks - 1 : ranks;
    *c = (cells){.ids = {.id = c->id}};
    for (int64_t i = 0; i < IDS; ++i) {
        const int64_t id = again ? IDS - 1 - i : i;
        if ((again ? id / 3 : id) % of == rank) {
            c->id[c->ids.points++] = id;
        }
    }
    c->ids.id = c->id;
    c->ids.owned = c->ids.points;
    hx_index_list *list = NULL;
    const hx_part part = polygons_part(c->ids.points);
    c->shape = polygons_shape_dense(&part);
    CHECK_STATUS(hx_index_list_of_ids(MPI_COMM_WORLD, &c->ids, &list), HX_OK);
    CHECK_STATUS(polygons_create(MPI_COMM_WORLD, &c->shape, list, NULL, &c->handle), HX_OK);
    hx_index_list_free(list);
    CHECK_STATUS(polygons_alloc(c->handle, &c->there), HX_OK);
    static const int fields[PARTS] = {POLYGONS_T, POLYGONS_QV, POLYGONS_W, POLYGONS_LAND};
    for (int f = 0; f < PARTS; ++f) {
        const size_t size = f < 2 ? sizeof(double) : f == 2 ? sizeof(float) : sizeof(int);
        const size_t elements = polygons_points(&c->shape, fields[f]);
        const size_t of_a_point = f == PARTS - 1 ? 2 * LEVELS : f == 2 ? LEVELS + 1 : LEVELS;
        c->bytes[f] = (size_t)c->ids.points * of_a_point * size;
        CHECK(c->bytes[f] / size == elements, "field %d has %zu elements", f, elements);
        c->here[f] = malloc(c->bytes[f] + 1);
    }
}

static void copy(const cells *c, bool up)
{
    for (int f = 0; f < PARTS; ++f) {
        void *array = array_of(c, f);
        if (c->bytes[f] > 0 && f == PARTS - 1) {
            memcpy(up ? array : c->here[f], up ? c->here[f] : array, c->bytes[f]);
        } else if (c->bytes[f] > 0) {
            CHECK(cudaMemcpyAsync(up ? array : c->here[f], up ? c->here[f] : array, c->bytes[f],
                                  cudaMemcpyDefault, streams[0]) == 0,
                  "a copy failed");
        }
    }
    CHECK(up || cudaStreamSynchronize(streams[0]) == 0, "a stream failed");
}

static void move_cells(const cells *from, const cells *to)
{
    for (int f = 0; f < PARTS; ++f) {
        set_values(from, f, from->here[f], true);
        set_values(to, f, to->here[f], false);
    }
    copy(from, true);
    copy(to, true);
    const hx_redistribution how = {.stream = streams[0], .source_ids = &from->ids, .target_ids = &to->ids};
    CHECK_STATUS(polygons_redistribute_with(from->handle, &from->there, to->handle, &to->there, &how), HX_OK);
    copy(to, false);
    for (int f = 0; f < PARTS; ++f) {
        unsigned char *wanted = malloc(to->bytes[f] + 1);
        set_values(to, f, wanted, true);
        CHECK(memcmp(wanted, to->here[f], to->bytes[f]) == 0, "field %d of the list is wrong", f);
        free(wanted);
    }
    ++runs;
}

static void try_lists(void)
{
    static cells c[2];
    check_about("polygons");
    deal(&c[0], false);
    deal(&c[1], true);
    move_cells(&c[0], &c[1]);
    move_cells(&c[1], &c[0]);
    move_cells(&c[0], &c[1]);
    for (int i = 0; i < 2; ++i) {
        CHECK_STATUS(polygons_destroy(c[i].handle), HX_OK);
        for (int f = 0; f < PARTS; ++f) {
            free(c[i].here[f]);
        }
    }
}

/* ---- what fails ---------------------------------------------------------------------------------------- */

static const hx_partition two_parts = {.axes = 3, .cells = {5, 4, 12}, .ranks = {1, 1, 4}};

/* Calls of a gather whose failure harms nothing: those that free memory in the end. */
static int spared;

static hx_status run(const end e[2], bool gathers, const wishes *w)
{
    const hx_redistribution how = {.stream = streams[0]};
    return gathers ? hx_gather_selected(e[0].handle, e[0].mirror.pointers, w->selection, w->count)
                   : hx_redistribute_with(e[0].handle, e[0].mirror.pointers, e[1].handle,
                                          e[1].mirror.pointers, &how);
}

/*
 * The n-th call of the device fails on one rank, or from its n-th piece of work on it is lost; all ranks hear of it.
 * Whether it got so far.
 */
static bool fail(int on, long n, bool lost, bool gathers)
{
    hx_partition whole;
    end e[2];
    const plan p = {&cube_xz_spec, NULL, oracle_cartesian, "mapped", 0, true};
    whole_of(&cube_xz_spec, &two_parts, &whole);
    const division blocks = {&two_parts, in_turn, NULL, 0};
    const division tile = {&whole, backwards, NULL, 2};
    if (!open_end(&p, &blocks, &e[0]) || !open_end(&p, &tile, &e[1])) {
        CHECK(false, "%s", hx_last_error());
        return false;
    }
    wishes right, w;
    want(&e[0], 0, &right);
    want(&e[0], 0, &w);
    if (gathers) {
        CHECK_STATUS(run(e, true, &right), HX_OK);
    }
    const long calls = fake_calls();
    if (rank == on) {
        (lost ? fake_break : fake_fail)(n);
    }
    const hx_status status = run(e, gathers, &w);
    int reached = lost ? status != HX_OK : rank == on && fake_calls() - calls >= n;
    fake_fail(0);
    fake_break(0);
    MPI_Allreduce(MPI_IN_PLACE, &reached, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (reached && gathers && status == HX_OK) {
        CHECK(memcmp(w.memory, right.memory, (size_t)w.count * w.bytes) == 0, "what was gathered is wrong");
        ++spared;
    } else if (reached) {
        CHECK_REFUSED(MPI_COMM_WORLD, status, HX_ERR_DEVICE, " failed: \"");
    } else {
        CHECK_STATUS(status, HX_OK);
    }
    drop(&w);
    drop(&right);
    if (!lost) {
        close_end(&e[1]);
        close_end(&e[0]);
    } else {
        for (int i = 1; i >= 0; --i) {
            CHECK_STATUS(hx_destroy(e[i].handle), HX_OK);
            CHECK_STATUS(hx_destroy(e[i].twin), HX_OK);
            mirror_drop(&e[i].mirror);
            arrays_free(&e[i].arrays);
            layout_free(&e[i].layout);
        }
        CHECK(fake_revive(), "the device does not work again");
    }
    fake_forget();
    return reached != 0;
}

static void try_failures(void)
{
    fake_set_host_access(false);
    fake_set_order(FAKE_LAZY, 0);
    for (int on = 0; on < 2; ++on) {
        long n = 1;
        do {
            check_about("on rank %d call %ld fails", on, n);
        } while (fail(on, n++, false, false));
        CHECK(n > 15, "a redistribution made %ld calls of the device", n - 2);
    }
    bool more = true;
    for (long n = 1; more; n += 3) {
        check_about("of a gather call %ld fails", n);
        more = fail(0, n, false, true);
        CHECK(more || n > 15, "a gather made %ld calls of the device", n);
    }
    CHECK(spared <= 2, "a gather ended well though %d calls of its device failed", spared);
}

/* ---- mistakes ------------------------------------------------------------------------------------------ */

#define REFUSED(call, status, words) CHECK_REFUSED(MPI_COMM_WORLD, call, status, words)

static void try_mistakes(void)
{
    hx_partition whole;
    end e[2];
    const plan p = {&cube_xz_spec, NULL, oracle_cartesian, "mapped", 0, false};
    whole_of(&cube_xz_spec, &two_parts, &whole);
    const division blocks = {&two_parts, in_turn, NULL, 0};
    const division tile = {&whole, backwards, NULL, 2};
    check_about("mistakes");
    if (!open_end(&p, &blocks, &e[0]) || !open_end(&p, &tile, &e[1])) {
        CHECK(false, "%s", hx_last_error());
        return;
    }
    const void *here = e[0].arrays.pointers;
    const void *there = e[0].mirror.pointers;
    REFUSED(hx_redistribute(e[0].handle, here, e[1].handle, e[1].mirror.pointers), HX_ERR_ARGUMENT,
            "which is memory of the host; give one of cudaMalloc");
    cudaGraph_t graph = NULL;
    CHECK(cudaStreamBeginCapture(streams[0], cudaStreamCaptureModeThreadLocal) == 0, "no capture");
    const hx_redistribution how = {.stream = streams[0]};
    REFUSED(hx_redistribute_with(e[0].handle, there, e[1].handle, e[1].mirror.pointers, &how), HX_ERR_STATE,
            "the stream is being captured");
    CHECK(cudaStreamEndCapture(streams[0], &graph) == 0 && cudaGraphDestroy(graph) == 0, "no graph");
    wishes w;
    want(&e[0], 0, &w);
    REFUSED(hx_gather_selected(e[0].handle, here, w.selection, w.count), HX_ERR_ARGUMENT,
            "which is memory of the host; give one of cudaMalloc");
    void *device = NULL;
    CHECK(cudaMalloc(&device, w.bytes) == 0, "no memory of the device");
    for (int i = 0; i < w.count; ++i) {
        w.selection[i].array.base = device;
    }
    REFUSED(hx_gather_selected(e[0].handle, there, w.selection, w.count), HX_ERR_ARGUMENT,
            "which is memory of a device; give memory of the host");
    CHECK(cudaFree(device) == 0, "memory of the device is not given back");
    drop(&w);
    move(&e[0], &e[1], false);
    fake_set_devices(2);
    CHECK(cudaSetDevice(1) == 0, "no device 1");
    REFUSED(hx_redistribute(e[0].handle, there, e[1].handle, e[1].mirror.pointers), HX_ERR_STATE,
            "the current device of this thread is 1");
    end other;
    if (open_end(&p, &tile, &other)) {
        REFUSED(hx_redistribute(e[0].handle, there, other.handle, other.mirror.pointers), HX_ERR_ARGUMENT,
                "the source was made on device 0 and the target on device 1");
        close_end(&other);
    }
    CHECK(cudaSetDevice(0) == 0, "no device 0");
    close_end(&e[1]);
    close_end(&e[0]);
}

static bool is_wanted(const hx_spec *spec, char *const *name)
{
    bool wanted = !*name;
    for (; *name; ++name) {
        wanted = wanted || strcmp(*name, spec->name) == 0;
    }
    return wanted;
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv, MPI_THREAD_SINGLE);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    mirror_need_device();
    for (int i = 0; i < 2; ++i) {
        CHECK(cudaStreamCreateWithFlags(&streams[i], cudaStreamNonBlocking) == 0, "no stream");
    }
    for (int i = 0; i < device_count; ++i) {
        if (is_wanted(device_specs[i], argv + 1)) {
            try_spec(device_specs[i]);
        }
    }
    if (argc == 1) {
        try_lists();
        try_mistakes();
        try_failures();
        check_about("a device that is lost");
        for (long n = 1; fail(0, n, true, false); ++n) {
        }
        check_about("a device that is lost in a gather");
        for (long n = 1; fail(0, n, true, true); n += 3) {
        }
    } else {
        for (int i = 0; i < 2; ++i) {
            CHECK(cudaStreamDestroy(streams[i]) == 0, "a stream failed");
        }
    }
    /* 20 of all grids; builds with sanitizers have half of them. */
    CHECK(argc > 1 || pairs > 5, "only %ld random pairs were tried", pairs);
    char summary[120];
    snprintf(summary, sizeof summary, "redistribution on devices, moved %ld times, %ld random pairs", runs,
             pairs);
    return check_verdict(summary);
}
