#include "trial.h"

#include "cloud.h"

#include "../exchange/check.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { LEVELS = 3 };

/* Ranks may be threads. */
static _Thread_local int my_rank;
static _Thread_local int all_ranks;

static void *get(size_t count, size_t size)
{
    void *memory = calloc(count > 0 ? count : 1, size);
    if (memory == NULL) {
        abort();
    }
    return memory;
}

/* ---- one rank's arrays --------------------------------------------------------------------------------- */

typedef struct state {
    const hx_spec *spec;
    const cloud *c;
    unsigned char *shape;  /* as emitted code has it */
    unsigned char **array; /* by field */
    unsigned char *pointers;
} state;

static const hx_part *part_of(const state *s)
{
    return (const hx_part *)(const void *)s->shape;
}

static ptrdiff_t *strides_of(const state *s, int field)
{
    return (ptrdiff_t *)(void *)(s->shape + s->spec->shape_stride) + (ptrdiff_t)field * s->spec->axes;
}

static ptrdiff_t *apart_of(const state *s)
{
    return s->spec->shape_apart > 0 ? (ptrdiff_t *)(void *)(s->shape + s->spec->shape_apart) : NULL;
}

static int levels_of(const state *s, int field)
{
    if (s->spec->axes == 1) {
        return 1;
    }
    return part_of(s)->n[1] + s->spec->positions[s->spec->field[field].positions].extra[1];
}

/* Those that lie apart; others are part of a point. */
static int parts_of(const hx_field *field)
{
    return field->place > 0 ? field->components : 1;
}

static int numbers_of(const hx_field *field)
{
    return field->place == 0 && field->components > 0 ? field->components : 1;
}

static size_t bytes_of(const state *s, int field)
{
    const hx_field *f = &s->spec->field[field];
    return hx_points(s->spec, s->shape, field) * (size_t)(f->size / numbers_of(f));
}

/* Where a point begins in its array, with one level and part. */
static unsigned char *at(const state *s, int field, int point, int level, int part)
{
    const ptrdiff_t *stride = strides_of(s, field);
    ptrdiff_t place = point * stride[0] + (s->spec->axes > 1 ? level * stride[1] : 0);
    place += part > 0 ? part * apart_of(s)[field] : 0;
    return s->array[field] + place * s->spec->field[field].size;
}

/* padding: 0 dense, 1 as caches like it, 2 wider than that. */
static void make_shape(state *s, int points, int padding)
{
    const hx_spec *spec = s->spec;
    s->shape = get(1, spec->shape_size);
    const hx_part part = {.n = {points, spec->axes > 1 && spec->cells[1] > 0 ? spec->cells[1] : LEVELS}};
    memcpy(s->shape, &part, sizeof part);
    (padding == 1 ? hx_best_strides : hx_dense_strides)(spec, &part, strides_of(s, 0), apart_of(s));
    for (int f = 0; f < spec->fields && padding == 2; ++f) {
        for (int a = 0; a < spec->axes; ++a) {
            const bool slow = spec->field[f].order[0] != a && spec->field[f].fixed_stride[a] == 0;
            strides_of(s, f)[a] += slow ? 2 + f : 0;
        }
        if (spec->field[f].place > 0) {
            apart_of(s)[f] += spec->field[f].place == spec->axes ? 100 * (f + 1) : 0;
        }
    }
}

static void make(state *s, const hx_spec *spec, const cloud *c, int padding)
{
    *s = (state){.spec = spec, .c = c};
    make_shape(s, c->rank[my_rank].points, padding);
    s->array = get((size_t)spec->fields, sizeof *s->array);
    s->pointers = get(1, spec->fields_size);
    for (int f = 0; f < spec->fields; ++f) {
        s->array[f] = get(bytes_of(s, f), 1);
        memcpy(s->pointers + spec->field[f].pointer, &s->array[f], sizeof s->array[f]);
    }
}

static void release(state *s)
{
    for (int f = 0; f < s->spec->fields; ++f) {
        free(s->array[f]);
    }
    free(s->array);
    free(s->pointers);
    free(s->shape);
}

/* ---- values -------------------------------------------------------------------------------------------- */

/* What a point of a rank holds: of its owner by its id, of others by who they are. */
static uint64_t name_of(const cloud *c, int rank, int point)
{
    const cloud_rank *r = &c->rank[rank];
    return r->owned[point] ? (uint64_t)r->id[point]
                           : UINT64_C(1) << 40 | (uint64_t)rank << 32 | (uint64_t)point;
}

static void set_bytes(unsigned char *to, int size, uint64_t name, int field, int level, int part)
{
    for (int b = 0; b < size; ++b) {
        to[b] = (unsigned char)cloud_mix(name ^ (uint64_t)((field * 64 + level) * 64 + part) << 42 ^
                                         (uint64_t)b << 56);
    }
}

/* A number that is rounded when it is added to another one. */
static double number_of(uint64_t name, int field, int level, int part, int number)
{
    const uint64_t mixed =
        cloud_mix(name ^ (uint64_t)((field * 64 + level) * 64 + part) << 42 ^ (uint64_t)number << 56);
    return (double)(int64_t)mixed * 0x1p-40;
}

static void set_number(unsigned char *to, const hx_field *field, double value)
{
#define AS(T)                                                                                                \
    if (strcmp(field->type, #T) == 0) {                                                                      \
        const T number = (T)value;                                                                           \
        memcpy(to, &number, sizeof number);                                                                  \
    }
    AS(double)
    AS(float)
    AS(int)
#undef AS
}

static void add_number(unsigned char *to, const hx_field *field, double value)
{
#define AS(T)                                                                                                \
    if (strcmp(field->type, #T) == 0) {                                                                      \
        T number;                                                                                            \
        memcpy(&number, to, sizeof number);                                                                  \
        number = (T)(number + (T)value);                                                                     \
        memcpy(to, &number, sizeof number);                                                                  \
    }
    AS(double)
    AS(float)
    AS(int)
#undef AS
}

/* A point as it is before the exchange. */
static void set_point(const state *s, int field, int point, uint64_t name, bool adds)
{
    const hx_field *f = &s->spec->field[field];
    for (int level = 0; level < levels_of(s, field); ++level) {
        for (int part = 0; part < parts_of(f); ++part) {
            unsigned char *to = at(s, field, point, level, part);
            const int size = f->size / numbers_of(f);
            for (int i = 0; i < numbers_of(f) && adds; ++i) {
                set_number(to + i * size, f, number_of(name, field, level, part, i));
            }
            if (!adds) {
                set_bytes(to, f->size, name, field, level, part);
            }
        }
    }
}

static void add_point(const state *s, int field, int point, uint64_t name)
{
    const hx_field *f = &s->spec->field[field];
    const int size = f->size / numbers_of(f);
    for (int level = 0; level < levels_of(s, field); ++level) {
        for (int part = 0; part < parts_of(f); ++part) {
            for (int i = 0; i < numbers_of(f); ++i) {
                add_number(at(s, field, point, level, part) + i * size, f,
                           number_of(name, field, level, part, i));
            }
        }
    }
}

static void zero_point(const state *s, int field, int point)
{
    const hx_field *f = &s->spec->field[field];
    for (int level = 0; level < levels_of(s, field); ++level) {
        for (int part = 0; part < parts_of(f); ++part) {
            memset(at(s, field, point, level, part), 0, (size_t)f->size);
        }
    }
}

static void fill(const state *s, bool adds)
{
    for (int f = 0; f < s->spec->fields; ++f) {
        memset(s->array[f], 0x5a, bytes_of(s, f));
        for (int p = 0; p < s->c->rank[my_rank].points; ++p) {
            set_point(s, f, p, name_of(s->c, my_rank, p), adds);
        }
    }
}

static bool takes_part(const cloud_rank *r, int point)
{
    return r->id[point] >= 0 && !r->owned[point];
}

/* What an exchange does to a field that starts as fill() leaves it. */
static void expect_copies(const state *s, int field)
{
    const cloud_rank *r = &s->c->rank[my_rank];
    for (int p = 0; p < r->points; ++p) {
        if (takes_part(r, p)) {
            set_point(s, field, p, (uint64_t)r->id[p], false);
        }
    }
}

/* Contributions come by rising rank, this one among them, and then as the lists have them: by rising point.
 */
static void expect_sums(const state *s, int field)
{
    const cloud_rank *r = &s->c->rank[my_rank];
    for (int p = 0; p < r->points; ++p) {
        for (int rank = 0; rank < all_ranks && r->owned[p]; ++rank) {
            const cloud_rank *other = &s->c->rank[rank];
            for (int q = 0; q < other->points; ++q) {
                if (takes_part(other, q) && other->id[q] == r->id[p]) {
                    add_point(s, field, p, name_of(s->c, rank, q));
                }
            }
        }
    }
    for (int p = 0; p < r->points; ++p) {
        if (takes_part(r, p)) {
            zero_point(s, field, p);
        }
    }
}

/* ---- trials -------------------------------------------------------------------------------------------- */

static bool carries(const hx_exchange *exchange, int field)
{
    bool found = false;
    for (int i = 0; i < exchange->fields; ++i) {
        found = found || exchange->field[i].field == field;
    }
    return found;
}

static void compare(const state *got, const state *wanted)
{
    for (int f = 0; f < got->spec->fields; ++f) {
        const size_t bytes = bytes_of(got, f);
        size_t b = 0;
        while (b < bytes && got->array[f][b] == wanted->array[f][b]) {
            ++b;
        }
        CHECK(b == bytes, "field %s: byte %zu of %zu is %02x, not %02x", got->spec->field[f].name, b, bytes,
              b < bytes ? got->array[f][b] : 0, b < bytes ? wanted->array[f][b] : 0);
    }
}

/* Two rounds: also the second slots and sequences are used. */
static void try_exchange(hx_handle *handle, const trial_way *way, const state *got, const state *wanted,
                         int number)
{
    const hx_exchange *exchange = &got->spec->exchange[number];
    const bool adds = exchange->operation == HX_ADD;
    fill(wanted, adds);
    for (int f = 0; f < got->spec->fields; ++f) {
        if (carries(exchange, f)) {
            (adds ? expect_sums : expect_copies)(wanted, f);
        }
    }
    for (int round = 0; round < 2; ++round) {
        fill(got, adds);
        CHECK_STATUS(hx_start(handle, number, got->pointers), HX_OK);
        CHECK(!way->carry || way->carry(handle, number, MPI_COMM_WORLD) >= 0, "%s", hx_last_error());
        CHECK_STATUS(hx_finish(handle, number), HX_OK);
        compare(got, wanted);
    }
}

/* Arrays of hx_alloc in place of the test's. */
static void try_allocated(hx_handle *handle, const trial_way *way, const state *s, const state *wanted)
{
    state inside = *s;
    inside.array = get((size_t)s->spec->fields, sizeof *inside.array);
    inside.pointers = get(1, s->spec->fields_size);
    if (CHECK_STATUS(hx_alloc(handle, inside.pointers), HX_OK)) {
        for (int f = 0; f < s->spec->fields; ++f) {
            memcpy(&inside.array[f], inside.pointers + s->spec->field[f].pointer, sizeof inside.array[f]);
        }
        for (int e = 0; e < s->spec->exchanges; ++e) {
            try_exchange(handle, way, &inside, wanted, e);
        }
        CHECK_STATUS(hx_free(handle, inside.pointers), HX_OK);
    }
    free(inside.array);
    free(inside.pointers);
}

/* Are there two ranks that send each other something?  For others there is one transport only. */
static bool has_choice(const hx_index_list *list)
{
    int pairs = 0;
    for (int p = 0; p < list->peers; ++p) {
        const hx_peer *peer = &list->peer[p];
        pairs += peer->rank != my_rank && peer->sends > 0 && peer->receives > 0;
    }
    MPI_Allreduce(MPI_IN_PLACE, &pairs, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    return pairs > 0;
}

static void try_way(const state *got, const state *wanted, const hx_index_list *list, const trial_way *way,
                    bool allocated, int check)
{
    hx_options options = HX_OPTIONS_INIT;
    options.transport = way->transport;
    options.check = check;
    options.tune = way->figures != NULL;
    options.tune_file = way->figures;
    options.deadline = 60.0;
    static const char *const origins[] = {"    measured: ", "    measured before: "};
    for (int round = 0; round < (way->figures ? 2 : 1); ++round) {
        hx_handle *handle = NULL;
        if (!CHECK_STATUS(hx_create_listed(got->spec, MPI_COMM_WORLD, list, got->shape, &options, &handle),
                          HX_OK)) {
            return;
        }
        if (way->figures && has_choice(list)) {
            CHECK(strstr(hx_describe(handle), origins[round]) != NULL, "nothing is%s\n%s", origins[round],
                  hx_describe(handle));
        }
        for (int e = 0; e < got->spec->exchanges; ++e) {
            try_exchange(handle, way, got, wanted, e);
        }
        if (allocated) {
            try_allocated(handle, way, got, wanted);
        }
        CHECK_STATUS(hx_destroy(handle), HX_OK);
    }
}

static void expect_indices(const char *what, int peer, int wanted, const int *wanted_points, int got,
                           const int *got_points)
{
    CHECK(got == wanted && memcmp(got_points, wanted_points, (size_t)wanted * sizeof *wanted_points) == 0,
          "%d points to %s rank %d, not %d, or others", got, what, peer, wanted);
}

/* What libhx finds by the ids is what is found by looking at all ranks; there ranks without points are
 * listed, too. */
static void try_ids(const cloud *c, const hx_index_list *wanted)
{
    const cloud_rank *r = &c->rank[my_rank];
    const hx_ids ids = {.points = r->points, .id = r->id, .owns = r->owned};
    hx_index_list *got = NULL;
    if (!CHECK_STATUS(hx_index_list_of_ids(MPI_COMM_WORLD, &ids, &got), HX_OK)) {
        return;
    }
    int p = 0;
    for (int w = wanted->peers - 1; w >= 0; --w) {
        const hx_peer *peer = &wanted->peer[w];
        if (peer->sends + peer->receives > 0 && p < got->peers && got->peer[p].rank == peer->rank) {
            expect_indices("send", peer->rank, peer->sends, peer->send, got->peer[p].sends,
                           got->peer[p].send);
            expect_indices("receive from", peer->rank, peer->receives, peer->receive, got->peer[p].receives,
                           got->peer[p].receive);
            ++p;
        } else {
            CHECK(peer->sends + peer->receives == 0, "no list for rank %d", peer->rank);
        }
    }
    CHECK(p == got->peers, "%d lists too many", got->peers - p);
    hx_index_list_free(got);
}

void trial_run(const hx_spec *spec, uint64_t seed, int rank, int ranks, const trial_way *way, int ways)
{
    my_rank = rank;
    all_ranks = ranks;
    cloud c;
    state got;
    state wanted;
    hx_index_list list;
    cloud_make(&c, seed, all_ranks);
    make(&got, spec, &c, (int)(seed % 3));
    make(&wanted, spec, &c, (int)(seed % 3));
    cloud_list(&c, my_rank, &list);
    check_about("%s, cloud %d, by ids", spec->name, (int)seed);
    try_ids(&c, &list);
    for (int w = 0; w < ways; ++w) {
        check_about("%s, cloud %d, by %s%s", spec->name, (int)seed, way[w].transport,
                    way[w].figures ? " as measured" : "");
        try_way(&got, &wanted, &list, &way[w], w % 2 == 1, seed % 4 == 0);
    }
    cloud_drop(&list);
    release(&got);
    release(&wanted);
    cloud_free(&c);
}
