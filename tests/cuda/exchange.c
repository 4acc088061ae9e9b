/*
 * Exchanges in the memory of a device between ranks of MPI: what tests/exchange asks of those of the host.
 * The device is a fake one, which runs what is put into its streams as late as it may, or in any order.  What
 * is more than filling halos (sums, walls, corners, shared points) is compared with what the host makes of
 * it. Messages lie in all the ways of option device_messages.
 *
 * usage: cuda_exchange [straight | nccl] [SPEC...]
 *
 * nccl: by that only, with a device for each rank.
 *
 * straight: by ipc only, with arrays of NAME_alloc, which it writes into without a buffer: on all ranks, on
 * some of them, in turns with the test's own, or such as change places.
 */
#include "carry.h"
#include "cases.h"
#include "check.h"
#include "connected.h"
#include "mirror.h"
#include "odd.h"
#include "shared_grid.h"
#include "shim.h"
#include "twin.h"

#include <fake.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

extern const hx_spec *const device_specs[];
extern const hx_spec *const host_specs[];
extern const int device_count;

static int rank, ranks;
static long runs;
static long between_devices; /* handles with messages that no MPI moves */
static long in_streams;      /* exchanges of handles whose messages NCCL moves */
static long written;         /* messages that were written straight into arrays */
static long in_graphs;       /* exchanges with messages that were part of a graph */
static bool straight;        /* as the arguments say */
static bool by_nccl;         /* likewise */
static int device;           /* of this rank */
static cudaStream_t streams[2];

static int in_turn(void *context, int tile, int block)
{
    (void)context;
    return (tile + block) % ranks;
}

/* ---- one exchange -------------------------------------------------------------------------------------- */

/* Which arrays are given. */
typedef enum array_choice {
    OWN,       /* the test's */
    ALLOCATED, /* of alloc */
    DIVIDED,   /* of alloc on every other rank */
    IN_TURNS,  /* now these, now those, each rank as it likes */
    SWAPPED,   /* of two sets of alloc, whose arrays change places */
    CHOICES
} array_choice;

typedef struct trial {
    hx_handle *handle;
    hx_handle *twin; /* whose fields are all of the host */
    arrays *arrays;
    mirror *mirror; /* two of them */
    array_choice choice;
    bool by_hand;
    bool in_order; /* its links are those of the host, one by one, which go by one transport */
} trial;

/* Do all messages lie on devices of others?  Those of which the next line tells do not. */
static bool is_in_boxes(const char **at)
{
    char expected[100];
    snprintf(expected, sizeof expected, "    messages by ipc: device %d writes them into ", device);
    if (strncmp(*at, expected, strlen(expected)) != 0) {
        return false;
    }
    *at = strchr(*at, '\n') + 1;
    return strncmp(*at, "    messages ", strlen("    messages ")) != 0;
}

/*
 * Messages lie as asked, but for those that carry fields of the host, too, and those that MPI is not to see
 * in memory of the device; one copy moves all of them.
 */
static void check_messages(hx_handle *handle, const hx_spec *spec, const hx_options *options)
{
    const char *at = hx_describe(handle);
    for (int x = 0; x < spec->exchanges; ++x) {
        if (!twin_is_there(spec, x)) {
            continue;
        }
        bool mixed = false;
        for (int i = 0; i < spec->exchange[x].fields; ++i) {
            mixed = mixed || !spec->field[spec->exchange[x].field[i].field].on_device;
        }
        const bool in_stream = strcmp(options->transport, "nccl") == 0 && !mixed && !options->check;
        const bool unseen = strcmp(options->device_messages, "aware") == 0 &&
                            (options->check || strcmp(options->transport, "manual") == 0);
        char expected[100];
        snprintf(expected, sizeof expected, "    messages %s: device %d writes and reads them in ",
                 in_stream         ? "by nccl"
                 : mixed || unseen ? "mapped"
                                   : options->device_messages,
                 device);
        at = strstr(at, "    messages ");
        if (at && is_in_boxes(&at)) {
            continue;
        }
        const bool found = at && strncmp(at, expected, strlen(expected)) == 0;
        CHECK(found, "not \"%s\" in %s", expected, hx_describe(handle));
        if (!found) {
            return;
        }
        in_streams += in_stream;
        int out = 0;
        int in = 0;
        sscanf(at,
               "    messages copied: device %*d writes and reads them in %*d bytes of its memory, %d cop%*s "
               "to pinned "
               "memory of the host, which MPI sends, and %d back",
               &out, &in);
        const bool several = options->check || strcmp(options->transport, "mixed") == 0;
        CHECK(several || (out <= 1 && in <= 1), "%d copies out, %d in", out, in);
        ++at;
    }
}

static void exchange_on_host(const trial *t, int x)
{
    CHECK_STATUS(hx_start(t->handle, x, t->mirror->pointers), HX_OK);
    CHECK(!t->by_hand || carry(t->handle, x, t->arrays->layout->blocks.comm) >= 0, "%s", hx_last_error());
    CHECK_STATUS(hx_finish(t->handle, x), HX_OK);
    ++runs;
}

/* The arrays of the next exchange. */
static mirror *choose(const trial *t)
{
    if (t->choice == SWAPPED) {
        const hx_spec *spec = t->arrays->layout->spec;
        mirror_swap(&t->mirror[0], &t->mirror[1], (int)(runs + rank) % spec->fields);
    }
    const bool turn = (runs + rank * runs / 2) % 2 != 0;
    return &t->mirror[(t->choice == DIVIDED && rank % 2 == 1) || (t->choice == IN_TURNS && turn)];
}

/* Which half is one: that which begins, that which ends, both or none; straight: each rank as it likes. */
static int halves_of(const trial *t)
{
    return t->choice == OWN ? (runs % 3 == 0) * 3 : runs % 2 == 0 ? 0 : (int)(runs / 2 + rank) % 4;
}

/* How often messages were written straight into arrays, by what the handle says. */
static long count_written(const char *about)
{
    static const char words[] = ", straight into arrays of its device ";
    long count = 0;
    for (const char *at = strstr(about, words); at; at = strstr(at + 1, words)) {
        count += strtol(at + strlen(words), NULL, 10);
    }
    return count;
}

/* Do all messages of an exchange in one go have to be written straight into arrays, on all ranks? */
static bool goes_straight(const trial *t, int x)
{
    const hx_spec *spec = t->arrays->layout->spec;
    bool goes = straight && t->in_order && (t->choice == ALLOCATED || t->choice == SWAPPED) &&
                spec->exchange[x].operation == HX_COPY;
    for (int i = 0; i < spec->exchange[x].fields; ++i) {
        const hx_exchange_field *item = &spec->exchange[x].field[i];
        goes = goes && spec->field[item->field].on_device && item->wire < HX_WIRE_INT8;
    }
    return goes;
}

static void check_written(const trial *t, int x, long before)
{
    hx_traffic traffic = {0};
    CHECK_STATUS(hx_traffic_of(t->handle, x, &traffic), HX_OK);
    const long count = count_written(hx_describe(t->handle)) - before;
    CHECK(count == traffic.messages, "%ld of %ld messages were written into arrays", count,
          (long)traffic.messages);
}

/* In one go, or in its halves; begun in one stream and ended in the other one. */
static void exchange(const trial *t, int x)
{
    if (!twin_is_there(t->arrays->layout->spec, x)) {
        exchange_on_host(t, x);
        return;
    }
    const int halves = halves_of(t);
    const bool in_one_go = t->choice != OWN && runs % 2 == 0;
    const mirror *m = choose(t);
    const cudaStream_t first = streams[runs % 2];
    const cudaStream_t second = halves % 2 == 1 ? first : streams[runs / 2 % 2]; /* pack keeps no order */
    const void *fields = m->pointers;
    const long before = in_one_go ? count_written(hx_describe(t->handle)) : 0;
    mirror_up(m, first);
    if (halves % 2 == 1) {
        CHECK_STATUS(hx_pack_on(t->handle, x, fields, first), HX_OK);
        CHECK_STATUS(hx_send_on(t->handle, x, first), HX_OK);
    } else {
        CHECK_STATUS(hx_start_on(t->handle, x, fields, first), HX_OK);
    }
    if (t->by_hand) {
        CHECK(cudaStreamSynchronize(first) == 0, "a stream failed");
        CHECK(carry(t->handle, x, t->arrays->layout->blocks.comm) >= 0, "%s", hx_last_error());
    }
    if (halves / 2 == 1) {
        CHECK_STATUS(hx_receive(t->handle, x), HX_OK);
        CHECK_STATUS(hx_unpack_on(t->handle, x, fields, first), HX_OK);
        mirror_down(m, first);
    } else {
        CHECK_STATUS(hx_finish_on(t->handle, x, second), HX_OK);
        mirror_down(m, second);
    }
    if (in_one_go && goes_straight(t, x)) {
        check_written(t, x, before);
    }
    ++runs;
}

static hx_handle *make_twin(const layout *l, const char *transport)
{
    int i = 0;
    while (device_specs[i] != l->spec) {
        ++i;
    }
    return twin_make(host_specs[i], l, transport);
}

/* Does an exchange more than the oracle knows of, or is the grid none of the oracle's? */
static bool does_more(const layout *l, const hx_exchange *e)
{
    bool more = l->faces == twin_faces || e->operation != HX_COPY || odd_exchange(e);
    for (int a = 0; a < HX_MAX_AXES; ++a) {
        more = more || e->wall[a][0] != HX_FILL_NONE || e->wall[a][1] != HX_FILL_NONE;
    }
    return more;
}

static void fill_corners(const trial *t, int x)
{
    const hx_exchange *e = &t->arrays->layout->spec->exchange[x];
    for (int fill = 0; fill < e->corner_fills; ++fill) {
        const cudaStream_t stream = streams[runs++ % 2];
        arrays_fill(t->arrays, (int)(runs % 8));
        twin_expect(t->twin, t->arrays, x, fill);
        mirror_up(t->mirror, stream);
        CHECK_STATUS(hx_fill_corners_on(t->handle, x, fill, t->mirror->pointers, stream), HX_OK);
        mirror_down(t->mirror, stream);
        arrays_check(t->arrays, e->name);
    }
}

/* By messages, and in the order in which segments lie there. */
static int compare_places(const void *left, const void *right)
{
    const hx_link *a = left;
    const hx_link *b = right;
    if (a->incoming != b->incoming) {
        return a->incoming - b->incoming;
    }
    if (a->peer != b->peer) {
        return a->peer - b->peer;
    }
    if (a->offset != b->offset) {
        return a->offset < b->offset ? -1 : 1;
    }
    return memcmp(a, b, sizeof *a);
}

/*
 * The rows of a segment begin between multiples of 16 bytes where those of the array that gets it do; of
 * fields of the host segments begin at one.
 */
static void check_place(const hx_spec *spec, const hx_link *link)
{
    const hx_field *field = &spec->field[link->field];
    const int x = field->order[0];
    const int place = field->on_device ? (field->halo_lo[x] + link->lo[x]) * field->size % 16 : 0;
    CHECK(link->peer == rank || link->offset % 16 == (size_t)place,
          "field %s begins at byte %zu, not %d behind a multiple of 16", field->name, link->offset, place);
}

/*
 * The same segments, in the same order in the same messages; who goes first depends on what they travel by.
 */
static void compare_links(const trial *t, int x)
{
    enum { MOST_LINKS = 20000 };
    static hx_link ours[MOST_LINKS];
    static hx_link theirs[MOST_LINKS];
    int count = 0;
    int expected = 0;
    hx_traffic traffic = {0};
    hx_traffic usual = {0};
    CHECK_STATUS(hx_links(t->handle, x, NULL, &count), HX_OK);
    CHECK_STATUS(hx_links(t->twin, x, NULL, &expected), HX_OK);
    CHECK(count == expected && count <= MOST_LINKS, "%d links, expected %d", count, expected);
    if (t->in_order && count == expected && count <= MOST_LINKS) {
        CHECK_STATUS(hx_links(t->handle, x, ours, &count), HX_OK);
        CHECK_STATUS(hx_links(t->twin, x, theirs, &count), HX_OK);
        qsort(ours, (size_t)count, sizeof *ours, compare_places);
        qsort(theirs, (size_t)count, sizeof *theirs, compare_places);
        for (int i = 0; i < count; ++i) {
            check_place(t->arrays->layout->spec, &ours[i]);
            ours[i].offset = theirs[i].offset = 0;
        }
        CHECK(memcmp(ours, theirs, (size_t)count * sizeof *ours) == 0, "links differ from those of the host");
    }
    CHECK_STATUS(hx_traffic_of(t->handle, x, &traffic), HX_OK);
    CHECK_STATUS(hx_traffic_of(t->twin, x, &usual), HX_OK);
    const size_t gaps = 16 * (size_t)count; /* that segments have more here, or there */
    CHECK(traffic.bytes_sent <= usual.bytes_sent + gaps && usual.bytes_sent <= traffic.bytes_sent + gaps &&
              traffic.bytes_copied == usual.bytes_copied && traffic.messages == usual.messages &&
              traffic.peers == usual.peers && traffic.exchanges > 0,
          "the traffic differs from that of the host");
}

/* With other values, so that what came before is not what is to come. */
static void exchange_again(const trial *t, int x)
{
    arrays_fill(t->arrays, (int)(runs % 8));
    arrays_expect(t->arrays, x);
    nanosleep(&(struct timespec){.tv_nsec = runs % (2 * ranks) == rank ? 2000000 : 0}, NULL);
    exchange(t, x);
    arrays_check(t->arrays, "again");
}

/* New values, and what is to come of them. */
static void expect(const trial *t, int x, bool more)
{
    arrays_fill(t->arrays, (int)(runs % 8));
    odd_fill(t->arrays, x);
    if (more) {
        twin_expect(t->twin, t->arrays, x, -1);
    } else {
        arrays_expect(t->arrays, x);
    }
}

/* The whole exchange as a graph, if it can be one. */
static void exchange_in_graph(const trial *t, int x, bool more)
{
    const mirror *m = choose(t);
    expect(t, x, more);
    mirror_up(m, streams[0]);
    if (mirror_run_graph(t->handle, x, m->pointers, streams[0])) {
        mirror_down(m, streams[0]);
        arrays_check(t->arrays, "in a graph");
        const char *about = hx_describe(t->handle);
        in_graphs += strstr(about, ", by ipc:") || strstr(about, ", by nccl:");
    }
    CHECK(cudaStreamSynchronize(streams[0]) == 0, "a stream failed");
}

static void exchange_all(const trial *t)
{
    const hx_spec *spec = t->arrays->layout->spec;
    for (int x = 0; x < spec->exchanges; ++x) {
        const bool more = does_more(t->arrays->layout, &spec->exchange[x]);
        if (twin_is_there(spec, x) && runs % 3 != 0) {
            exchange_in_graph(t, x, more);
        }
        expect(t, x, more);
        exchange(t, x);
        arrays_check(t->arrays, spec->exchange[x].name);
        if (!more) {
            exchange(t, x);
            arrays_check(t->arrays, "twice");
        }
        for (int i = 0; straight && !more && i < 4; ++i) {
            exchange_again(t, x);
        }
        if (twin_is_there(spec, x)) {
            compare_links(t, x);
            fill_corners(t, x);
        }
    }
}

/* ---- handles ------------------------------------------------------------------------------------------- */

static void make_mirrors(mirror m[2], arrays *s, hx_handle *handle, array_choice choice)
{
    for (int i = 0; i < 2; ++i) {
        if (choice == SWAPPED || (i == 0 && choice != OWN)) {
            mirror_alloc(&m[i], s, handle);
        } else {
            mirror_make(&m[i], s);
        }
    }
}

static void try_transport(arrays *s, const char *transport, const char *messages, bool check,
                          array_choice choice)
{
    const layout *l = s->layout;
    hx_options options = HX_OPTIONS_INIT;
    options.transport = transport;
    options.deadline = 60.0;
    options.check = check;
    options.device_messages = messages;
    hx_handle *handle = NULL;
    char about[300];
    cases_print(&l->partition[0], about, sizeof about);
    check_about("%s, %s, padding %d, %s, %s, arrays %d, run %ld", l->spec->name, about, l->padding, transport,
                messages, choice, runs);
    if (!CHECK_STATUS(hx_create(l->spec, &l->blocks, l->shapes, &options, &handle), HX_OK)) {
        return;
    }
    CHECK(!strstr(hx_describe(handle), "not as chosen"), "%s", hx_describe(handle));
    check_messages(handle, l->spec, &options);
    between_devices += strstr(hx_describe(handle), ", by ipc:") != NULL;
    mirror m[2];
    make_mirrors(m, s, handle, choice);
    const bool by_one = strcmp(transport, "mixed") != 0 && !strstr(hx_describe(handle), " by persistent: ");
    /* Short messages of the host are never in place, nor those of neighbor. */
    const trial t = {handle, make_twin(l, "neighbor"),         s,     m,
                     choice, strcmp(transport, "manual") == 0, by_one};
    if (t.twin) {
        twin_set_hooks(handle, t.twin, l);
        exchange_all(&t);
    }
    written += count_written(hx_describe(handle));
    mirror_free(&m[0]);
    mirror_free(&m[1]);
    CHECK_STATUS(hx_destroy(t.twin), HX_OK);
    CHECK_STATUS(hx_destroy(handle), HX_OK);
}

static void try_partition(const hx_spec *spec, const hx_partition *partition, layout_faces *faces,
                          oracle_topology *topology, int padding)
{
    static const char *const transports[] = {"p2p",    "ipc",    "persistent", "auto",  "neighbor", "ipc",
                                             "manual", "shared", "ipc",        "mixed", "auto"};
    static const char *const ways[] = {"mapped", "copied", "aware"};
    static long number;
    const char *transport = straight ? (number % 7 == 3 ? "mixed" : "ipc")
                                     : transports[number % (long)(sizeof transports / sizeof *transports)];
    array_choice choice = number % 5 == 4 ? ALLOCATED : OWN;
    if (by_nccl) {
        transport = "nccl";
    }
    if (straight) {
        choice = (array_choice)(ALLOCATED + number % (CHOICES - ALLOCATED));
    }
    layout l;
    layout_make(&l, &(layout_request){spec, MPI_COMM_WORLD, partition, in_turn, NULL, faces, padding});
    fake_set_order((fake_order)(number % 3), (unsigned)number);
    shim_order_of_threads = (shim_order)(number / 3 % SHIM_ORDERS);
    arrays s;
    arrays_make(&s, &l, topology);
    const char *messages = ways[number / 3 % 3];
    const bool aware = fake_set_host_access(strcmp(messages, "aware") == 0);
    if (strcmp(messages, "aware") == 0 && !aware) {
        messages = "copied";
    }
    try_transport(&s, transport, messages, !straight && number % 4 == 1, choice);
    arrays_free(&s);
    layout_free(&l);
    ++number;
}

/* ---- grids --------------------------------------------------------------------------------------------- */

/* Blocks thick enough for all walls, cut along one axis or along several. */
static void try_walls(const hx_spec *spec)
{
    for (int i = 0; i < 4; ++i) {
        hx_partition partition = {.axes = spec->axes, .cells = {4, 5, 6}, .ranks = {1, 1, 1}};
        for (int a = 0; a < spec->axes; ++a) {
            partition.ranks[a] = a == i ? ranks : i == 3 && a != 1 ? 2 : 1;
            partition.cells[a] *= partition.ranks[a];
        }
        try_partition(spec, &partition, twin_faces, oracle_cartesian, i);
    }
}

/* Grids of the tests of shared points and of corners. */
static void try_drawn(const hx_spec *spec)
{
    for (uint64_t seed = 1; seed <= 6; ++seed) {
        grid g;
        grid_make(&g, spec, seed);
        try_partition(spec, g.partition, twin_faces, oracle_cartesian, (int)(seed % 3));
    }
}

static void try_connected(const hx_spec *spec, const connected *found, int tries)
{
    hx_partition partition[LAYOUT_TILES];
    int fits = 0;
    int done = 0;
    for (int i = ranks; done < tries && (fits = found->partitions(spec, i, partition)) >= 0; i += 83) {
        if (fits) {
            try_partition(spec, partition, found->faces, found->topology, i % 3);
            ++done;
        }
    }
}

static void try_cartesian(const hx_spec *spec, size_t tries)
{
    for (int parts = ranks; parts <= 2 * ranks; parts += ranks) {
        cases c;
        hx_partition partition;
        cases_make(&c, spec, parts);
        for (size_t i = 0; cases_get(&c, i, tries, &partition); ++i) {
            try_partition(spec, &partition, NULL, oracle_cartesian, (int)(i % 3));
        }
    }
}

/* Is it among the names, or are there none? */
static bool is_wanted(const hx_spec *spec, char *const *name)
{
    bool wanted = !*name;
    for (; *name; ++name) {
        wanted = wanted || strcmp(*name, spec->name) == 0;
    }
    return wanted;
}

/* Each rank has a device of its own, if there are so many. */
static void choose_device(void)
{
    int devices = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    CHECK(cudaGetDeviceCount(&devices) == 0, "no devices");
    device = rank % devices;
    CHECK(cudaSetDevice(device) == 0, "no device %d", device);
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv, MPI_THREAD_SINGLE);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    mirror_need_device();
    choose_device();
    straight = argc > 1 && strcmp(argv[1], "straight") == 0;
    by_nccl = argc > 1 && strcmp(argv[1], "nccl") == 0;
    char *const *names = argv + (straight || by_nccl ? 2 : 1);
    for (int i = 0; i < 2; ++i) {
        CHECK(cudaStreamCreateWithFlags(&streams[i], cudaStreamNonBlocking) == 0, "no stream");
    }
    for (int i = 0; i < device_count; ++i) {
        const connected *found = connected_find(device_specs[i]);
        const char *name = device_specs[i]->name;
        if (!is_wanted(device_specs[i], names)) {
            continue;
        }
        if (strcmp(name, "walled") == 0) {
            try_walls(device_specs[i]);
        } else if (strncmp(name, "corners_", 8) == 0 || strncmp(name, "shared_", 7) == 0) {
            try_drawn(device_specs[i]);
        } else if (found) {
            try_connected(device_specs[i], found, 2);
        } else {
            try_cartesian(device_specs[i], strcmp(name, "shorter") == 0 ? 4 : 1); /* by all transports */
        }
    }
    for (int i = 0; i < 2; ++i) {
        CHECK(cudaStreamDestroy(streams[i]) == 0, "a stream failed");
    }
    CHECK((in_graphs > 0) == (ranks > 1) || (*names && !by_nccl), "%ld exchanges in graphs", in_graphs);
    CHECK((between_devices > 0) == (ranks > 1 && !by_nccl), "%ld handles between devices", between_devices);
    CHECK((in_streams > 0) == by_nccl, "%ld exchanges by NCCL", in_streams);
    CHECK(written > 0 || !straight || ranks == 1, "no message was written into an array");
    CHECK(fake_left() == 0, "%ld things of the device were not given back", fake_left());
    char summary[160];
    snprintf(
        summary, sizeof summary,
        "%d specs, %ld exchanges, %ld in graphs, on %d ranks, %ld messages into arrays of rank 0's peers",
        device_count, runs, in_graphs, ranks, written);
    return check_verdict(summary);
}
