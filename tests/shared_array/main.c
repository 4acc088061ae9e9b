/*
 * Arrays that ranks of a node share, on nodes of all sizes, and the plain broadcast: what arrives, who shares
 * it, that it cannot be written, what is refused, and that every call of MPI, and every request for memory,
 * may fail.  Runs on any number of ranks; libhx broadcasts PIECE bytes at a time.
 */
#include "../exchange/check.h"
#include "nodes.h"

#include <hx/shared_array.h>

#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank;
static int ranks;

/* ---- nodes --------------------------------------------------------------------------------------------- */

static int alone(int r)
{
    return r;
}

static int first_alone(int r)
{
    return r > 0;
}

static int alternating(int r)
{
    return r % 2;
}

static int last_alone(int r)
{
    return r == ranks - 1;
}

static const struct division {
    const char *name;
    int (*node_of)(int rank);
} divisions[] = {
    {"as it is", NULL},           {"each rank a node", alone},         {"the first rank alone", first_alone},
    {"two in turn", alternating}, {"the last rank alone", last_alone},
};

enum { DIVISIONS = sizeof divisions / sizeof divisions[0] };

/* The first rank of each rank's real node, and whether there are several of them. */
enum { MOST_RANKS = 64 };
static int real_node[MOST_RANKS];
static int several;

static void find_real_nodes(void)
{
    MPI_Comm node;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    int first = rank;
    MPI_Bcast(&first, 1, MPI_INT, 0, node);
    MPI_Comm_free(&node);
    MPI_Allgather(&first, 1, MPI_INT, real_node, 1, MPI_INT, MPI_COMM_WORLD);
    for (int r = 0; r < ranks; ++r) {
        several = several || real_node[r] > 0;
    }
}

/* Ranks of different machines cannot be made to share memory. */
static int can_be(const struct division *d)
{
    return !several || !d->node_of || d->node_of == alone;
}

static int node_of(const struct division *d, int r)
{
    return d->node_of ? d->node_of(r) : real_node[r];
}

static hx_shared_arrays *make_group(void)
{
    hx_shared_arrays *group = NULL;
    CHECK_STATUS(hx_shared_arrays_create(MPI_COMM_WORLD, &group), HX_OK);
    return group;
}

/* ---- arrays -------------------------------------------------------------------------------------------- */

static size_t count_bytes(const hx_array *array)
{
    size_t bytes = array->size;
    for (int a = 0; a < array->axes; ++a) {
        bytes *= array->extent[a];
    }
    return bytes;
}

static unsigned char byte_at(size_t i)
{
    return (unsigned char)(i * 7 + i / 251 + 1);
}

static const void *make_data(const hx_array *array)
{
    const size_t bytes = count_bytes(array);
    unsigned char *data = malloc(bytes + 1);
    for (size_t i = 0; i < bytes; ++i) {
        data[i] = byte_at(i);
    }
    return data;
}

static void check_array(const hx_array *got, const hx_array *want)
{
    CHECK(got->size == want->size && got->axes == want->axes, "size %zu, %d axes", got->size, got->axes);
    CHECK(memcmp(got->extent, want->extent, sizeof got->extent) == 0, "other extents");
    CHECK(got->data, "no array");
    const unsigned char *data = got->data;
    for (size_t i = 0; data && i < count_bytes(want); ++i) {
        if (data[i] != byte_at(i)) {
            CHECK(0, "byte %zu of %zu is %d, not %d", i, count_bytes(want), data[i], byte_at(i));
            return;
        }
    }
}

/* Of all numbers of axes, around pages and pieces, without elements, of a single one. */
static const hx_array shapes[] = {
    {.size = 8},
    {.size = 1, .axes = 1, .extent = {1}},
    {.size = 4, .axes = 1, .extent = {0}},
    {.size = 8, .axes = 2, .extent = {SIZE_MAX, 0}},
    {.size = 3, .axes = 3, .extent = {5, 7, 11}},
    {.size = 1, .axes = 1, .extent = {PIECE - 1}},
    {.size = 1, .axes = 1, .extent = {PIECE}},
    {.size = 1, .axes = 1, .extent = {PIECE + 1}},
    {.size = 16, .axes = 2, .extent = {PIECE / 16, 2}},
    {.size = 12, .axes = 8, .extent = {2, 2, 2, 3, 2, 2, 2, 7}},
};

enum { SHAPES = sizeof shapes / sizeof shapes[0] };

/* ---- writing ------------------------------------------------------------------------------------------- */

static sigjmp_buf fault;

static void catch_fault(int number)
{
    siglongjmp(fault, number);
}

/* Does whoever writes there get a signal? */
static int faults(const void *place)
{
    struct sigaction old_segv;
    struct sigaction old_bus;
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = catch_fault;
    sigaction(SIGSEGV, &action, &old_segv);
    sigaction(SIGBUS, &action, &old_bus);
    volatile int caught = 1;
    if (sigsetjmp(fault, 1) == 0) {
        *(volatile unsigned char *)place = 77;
        caught = 0;
    }
    sigaction(SIGSEGV, &old_segv, NULL);
    sigaction(SIGBUS, &old_bus, NULL);
    return caught;
}

/* ---- tests --------------------------------------------------------------------------------------------- */

static void everything_arrives_and_is_read_only(const struct division *d)
{
    hx_shared_arrays *group = make_group();
    hx_array got[SHAPES];
    for (int i = 0; i < SHAPES; ++i) {
        const int root = i % ranks;
        check_about("%s, shape %d, root %d", d->name, i, root);
        hx_array given = shapes[i];
        given.data = rank == root ? make_data(&shapes[i]) : NULL;
        CHECK_STATUS(hx_shared_array(group, root, rank == root ? &given : NULL, &got[i], NULL), HX_OK);
        free((void *)given.data);
    }
    for (int i = 0; i < SHAPES; ++i) {
        check_about("%s, shape %d", d->name, i);
        check_array(&got[i], &shapes[i]);
        const size_t bytes = count_bytes(&shapes[i]);
        if (bytes > 0 && got[i].data) {
            const unsigned char *data = got[i].data;
            CHECK(faults(data) && faults(data + bytes - 1) && faults(data + bytes / 2), "could be written");
        }
    }
    CHECK_STATUS(hx_shared_arrays_destroy(group), HX_OK);
    CHECK(nodes_live() == 0, "%d windows and communicators are left", nodes_live());
}

/* Each rank writes a mark; ranks of its node see it, and no others. */
static void writable_ones_are_shared_within_nodes(const struct division *d)
{
    check_about("%s", d->name);
    hx_shared_arrays *group = make_group();
    int *zeros = calloc((size_t)ranks, sizeof *zeros);
    const hx_array given = {.data = zeros, .size = sizeof *zeros, .axes = 1, .extent = {(size_t)ranks}};
    hx_array shared;
    void *writable = NULL;
    CHECK_STATUS(hx_shared_array(group, ranks - 1, &given, &shared, &writable), HX_OK);
    CHECK(writable && writable == shared.data, "%p is not %p", writable, shared.data);
    int *mark = writable;
    if (mark) {
        mark[rank] = rank + 1;
    }
    CHECK_STATUS(hx_shared_arrays_sync(group), HX_OK);
    for (int r = 0; mark && r < ranks; ++r) {
        const int wanted = node_of(d, r) == node_of(d, rank) ? r + 1 : 0;
        CHECK(mark[r] == wanted, "rank %d has written %d, not %d", r, mark[r], wanted);
    }
    free(zeros);
    CHECK_STATUS(hx_shared_arrays_destroy(group), HX_OK);
}

static void nothing_is_shared_by_all(const struct division *d)
{
    check_about("%s", d->name);
    hx_shared_arrays *group = make_group();
    const int one = 1;
    const hx_array some = {.data = &one, .size = sizeof one};
    const hx_array none = {.size = sizeof one};
    const hx_array *const nothing[] = {NULL, &none};
    for (int i = 0; i < 2; ++i) {
        hx_array shared = some;
        void *writable = &shared;
        /* What ranks other than the root give does not count. */
        CHECK_STATUS(hx_shared_array(group, 0, rank == 0 ? nothing[i] : &some, &shared, &writable), HX_OK);
        CHECK(!shared.data && !writable && shared.size == 0, "there is an array");
    }
    CHECK_STATUS(hx_shared_arrays_destroy(group), HX_OK);
}

static void groups_are_used_again(const struct division *d)
{
    check_about("%s", d->name);
    hx_shared_arrays *group = make_group();
    CHECK_STATUS(hx_shared_arrays_release(group), HX_OK);
    const int before = nodes_live();
    for (int i = 1; i < 8; ++i) {
        for (int k = 0; k < i; ++k) {
            const int number = 100 * i + k;
            const hx_array given = {.data = &number, .size = sizeof number};
            hx_array shared;
            CHECK_STATUS(hx_shared_array(group, k % ranks, &given, &shared, NULL), HX_OK);
            CHECK(shared.data && *(const int *)shared.data == number, "not %d", number);
        }
        CHECK(nodes_live() == before + i, "%d windows for %d arrays", nodes_live() - before, i);
        CHECK_STATUS(hx_shared_arrays_release(group), HX_OK);
        CHECK_STATUS(hx_shared_arrays_release(group), HX_OK);
        CHECK(nodes_live() == before, "%d windows are left", nodes_live() - before);
    }
    CHECK_STATUS(hx_shared_arrays_destroy(group), HX_OK);
    CHECK(nodes_live() == 0, "%d windows and communicators are left", nodes_live());
}

static void broadcasts_arrive(void)
{
    for (int i = 0; i < SHAPES; ++i) {
        const int root = (i + 1) % ranks;
        check_about("broadcast, shape %d, root %d", i, root);
        hx_array given = shapes[i];
        given.data = rank == root ? make_data(&shapes[i]) : NULL;
        given.memory = &given; /* is nobody's */
        hx_array got;
        CHECK_STATUS(hx_broadcast(MPI_COMM_WORLD, root, rank == root ? &given : NULL, &got), HX_OK);
        check_array(&got, &shapes[i]);
        CHECK(rank == root ? got.data == given.data && !got.memory : got.memory == got.data,
              "memory of another");
        hx_array_free(&got);
        CHECK(!got.data && !got.memory, "not zero");
        hx_array_free(&got);
        free((void *)given.data);
    }
    hx_array_free(NULL);
}

/* ---- mistakes ------------------------------------------------------------------------------------------ */

/* One call, with everything right until a case spoils it. */
typedef struct attempt {
    int root;
    hx_array array;
    const hx_array *given;
    hx_array *shared;
    void **writable;
} attempt;

static hx_array result;
static void *place;

static void no_place(attempt *t)
{
    t->shared = NULL;
}

static void negative_root(attempt *t)
{
    t->root = -1;
}

static void root_beyond(attempt *t)
{
    t->root = ranks;
}

static void no_size(attempt *t)
{
    t->array.size = 0;
}

static void negative_axes(attempt *t)
{
    t->array.axes = -1;
}

static void many_axes(attempt *t)
{
    t->array.axes = HX_ARRAY_AXES + 1;
}

static void huge(attempt *t)
{
    t->array.axes = 2;
    t->array.extent[0] = t->array.extent[1] = (size_t)1 << 31;
}

static void huge_element(attempt *t)
{
    t->array.size = SIZE_MAX;
}

static void other_root(attempt *t)
{
    t->root = 0;
}

static void other_access(attempt *t)
{
    t->writable = &place;
}

static const struct mistake {
    const char *name;
    void (*spoil)(attempt *t);
    hx_status status;
    const char *words;
    int of_another; /* it takes another rank than the root to make it */
    int of_shared;  /* hx_broadcast does not know it */
} mistakes[] = {
    {"no place", no_place, HX_ERR_ARGUMENT, "place", 0, 0},
    {"negative root", negative_root, HX_ERR_ARGUMENT, "is -1", 0, 0},
    {"root beyond", root_beyond, HX_ERR_ARGUMENT, "the ranks are 0 to", 0, 0},
    {"no size", no_size, HX_ERR_ARGUMENT, "set its size", 0, 0},
    {"negative axes", negative_axes, HX_ERR_ARGUMENT, "-1 axes", 0, 0},
    {"many axes", many_axes, HX_ERR_ARGUMENT, "9 axes", 0, 0},
    {"huge", huge, HX_ERR_LIMIT, "2147483648 elements along axis 1", 0, 0},
    {"huge element", huge_element, HX_ERR_LIMIT, "An element", 0, 0},
    {"other root", other_root, HX_ERR_MISMATCH, "with root", 1, 0},
    {"other access", other_access, HX_ERR_MISMATCH, "reading and writing", 1, 1},
};

static void mistakes_are_refused_by_all(hx_shared_arrays *group)
{
    static const double number = 2.5;
    for (size_t i = 0; i < sizeof mistakes / sizeof mistakes[0]; ++i) {
        const struct mistake *m = &mistakes[i];
        const int culprit = m->of_another ? 0 : ranks - 1;
        if (m->of_another && ranks == 1) {
            continue;
        }
        attempt t = {.root = ranks - 1, .array = {.data = &number, .size = 8, .axes = 0}};
        t.given = &t.array;
        t.shared = &result;
        check_about("%s", m->name);
        if (rank == culprit) {
            m->spoil(&t);
        }
        CHECK_REFUSED(MPI_COMM_WORLD, hx_shared_array(group, t.root, t.given, t.shared, t.writable),
                      m->status, m->words);
        if (!m->of_shared) {
            CHECK_REFUSED(MPI_COMM_WORLD, hx_broadcast(MPI_COMM_WORLD, t.root, t.given, t.shared), m->status,
                          m->words);
        }
    }
    const hx_array none = {.size = 8};
    hx_array got = {.size = 1};
    CHECK_REFUSED(MPI_COMM_WORLD, hx_broadcast(MPI_COMM_WORLD, 0, rank == 0 ? NULL : &none, &got),
                  HX_ERR_ARGUMENT, "gives hx_broadcast no array");
    CHECK_REFUSED(MPI_COMM_WORLD, hx_broadcast(MPI_COMM_WORLD, 0, &none, &got), HX_ERR_ARGUMENT,
                  "gives hx_broadcast no array");
    CHECK(got.size == 0, "an array was given");
}

static void what_cannot_take_part_is_refused_alone(void)
{
    check_about("alone");
    hx_array got;
    hx_shared_arrays *group = NULL;
    CHECK_STATUS(hx_shared_arrays_create(MPI_COMM_NULL, &group), HX_ERR_ARGUMENT);
    CHECK_STATUS(hx_broadcast(MPI_COMM_NULL, 0, NULL, &got), HX_ERR_ARGUMENT);
    CHECK_STATUS(hx_shared_array(NULL, 0, NULL, &got, NULL), HX_ERR_ARGUMENT);
    CHECK_STATUS(hx_shared_arrays_sync(NULL), HX_ERR_ARGUMENT);
    CHECK_STATUS(hx_shared_arrays_release(NULL), HX_ERR_ARGUMENT);
    CHECK_STATUS(hx_shared_arrays_destroy(NULL), HX_OK);
    CHECK_REFUSED(MPI_COMM_WORLD, hx_shared_arrays_create(MPI_COMM_WORLD, rank == ranks - 1 ? NULL : &group),
                  HX_ERR_ARGUMENT, "place");
    CHECK(!group && nodes_live() == 0, "there is a group, or what is left of one");
}

/* ---- calls that fail ----------------------------------------------------------------------------------- */

/* The life of a group and of a broadcast; the first status that is not HX_OK ends it. */
static hx_status live_once(void)
{
    static const double number = 2.5;
    const hx_array given = {.data = &number, .size = 8};
    hx_array shared;
    void *writable = NULL;
    hx_shared_arrays *group = NULL;
    hx_status status = hx_shared_arrays_create(MPI_COMM_WORLD, &group);
    status = status == HX_OK ? hx_shared_array(group, 0, &given, &shared, NULL) : status;
    status = status == HX_OK ? hx_shared_array(group, ranks - 1, &given, &shared, &writable) : status;
    status = status == HX_OK ? hx_shared_arrays_sync(group) : status;
    status = status == HX_OK ? hx_shared_arrays_release(group) : status;
    status = status == HX_OK ? hx_shared_array(group, 0, &given, &shared, NULL) : status;
    const hx_status destroyed = hx_shared_arrays_destroy(group);
    status = status == HX_OK ? destroyed : status;
    if (status == HX_OK) {
        status = hx_broadcast(MPI_COMM_WORLD, 0, &given, &shared);
        hx_array_free(&shared);
    }
    return status;
}

static void every_call_may_fail(const struct division *d)
{
    for (int culprit = 0; culprit<ranks; culprit += ranks> 3 ? ranks / 2 : 1) {
        int failed = HX_ERR_MPI;
        for (int n = 1; failed != HX_OK; ++n) {
            check_about("%s, call %d of rank %d fails", d->name, n, culprit);
            nodes_fail_at(rank == culprit ? n : 0);
            const hx_status status = live_once();
            failed = (int)nodes_failed();
            nodes_fail_at(0);
            PMPI_Bcast(&failed, 1, MPI_INT, culprit, MPI_COMM_WORLD);
            CHECK_REFUSED(MPI_COMM_WORLD, status, (hx_status)failed, "");
            CHECK(nodes_live() == 0, "%d windows and communicators are left", nodes_live());
        }
    }
}

/* Releasing a window takes all ranks that have it, so the others keep what one has not got. */
static void a_window_that_a_rank_lacks_is_left(void)
{
    if (several) {
        return;
    }
    check_about("a window that the last rank lacks");
    nodes_divide(NULL);
    static const double number = 2.5;
    const hx_array given = {.data = &number, .size = sizeof number};
    hx_array shared;
    hx_shared_arrays *group = make_group();
    const int before = nodes_live();
    nodes_lose_window(rank == ranks - 1);
    CHECK_REFUSED(MPI_COMM_WORLD, hx_shared_array(group, 0, &given, &shared, NULL), HX_ERR_MPI,
                  "Allocating ");
    nodes_lose_window(0);
    CHECK(nodes_live() == before + 1, "%d windows were made and left", nodes_live() - before);
    nodes_free_last();
    CHECK_STATUS(hx_shared_arrays_destroy(group), HX_OK);
    CHECK(nodes_live() == 0, "%d windows and communicators are left", nodes_live());
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv, MPI_THREAD_SINGLE);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    find_real_nodes();
    for (int i = 0; i < DIVISIONS; ++i) {
        const struct division *d = &divisions[i];
        if (!can_be(d)) {
            continue;
        }
        nodes_divide(d->node_of);
        everything_arrives_and_is_read_only(d);
        writable_ones_are_shared_within_nodes(d);
        nothing_is_shared_by_all(d);
        groups_are_used_again(d);
        every_call_may_fail(d);
    }
    a_window_that_a_rank_lacks_is_left();
    broadcasts_arrive();
    hx_shared_arrays *group = make_group();
    mistakes_are_refused_by_all(group);
    CHECK_STATUS(hx_shared_arrays_destroy(group), HX_OK);
    what_cannot_take_part_is_refused_alone();
    CHECK(nodes_longest() <= PIECE, "a piece had %d bytes", nodes_longest());
    return check_verdict("shared arrays, broadcasts");
}
