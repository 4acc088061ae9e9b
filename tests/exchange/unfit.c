/*
 * Integers that do not fit what they travel as: finish fails on the rank that owns one and on those that it is sent to,
 * with place and number, and on no other; messages come all the same, and the handle goes on.
 *
 * usage: unfit, on 1 to 8 ranks
 */
#include "check.h"
#include "counts.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { NX = 64, NY = 20, FITS = 11 };

typedef struct world {
    hx_part mine;
    counts_shape shape;
    counts_fields fields;
    counts *halo;
    const char *way;
} world;

/* One number of one field, and what the sentence says of it. */
typedef struct number {
    int field; /* 0: n, 1: m, 2: k */
    int component;
    int64_t value;
    const char *owned; /* up to its place */
    const char *travels;
    const char *ghost;
} number;

static const number numbers[] = {
    {0, 0, 32767, NULL, NULL, NULL},
    {0, 0, -32767, NULL, NULL, NULL},
    {0, 0, 32768, "field n (line 3) is 32768 at point", "int16, from -32767 to 32767.",
     "field n (line 3) has no number at ghost point"},
    {0, 0, -32768, "field n (line 3) is -32768 at point", "int16, from -32767 to 32767.",
     "field n (line 3) has no number at ghost point"},
    {1, 1, INT32_MAX, NULL, NULL, NULL},
    {1, 1, INT64_C(1) << 31, "component 1 of field m (line 4) is 2147483648 at point",
     "int32, from 0 to 2147483647.", "component 1 of field m (line 4) has no number at ghost point"},
    {1, 0, -1, "component 0 of field m (line 4) is 18446744073709551615 at point",
     "int32, from 0 to 2147483647.", "component 0 of field m (line 4) has no number at ghost point"},
    {2, 2, -127, NULL, NULL, NULL},
    {2, 2, 128, "component 2 of field k (line 5) is 128 at point", "int8, from -127 to 127.",
     "component 2 of field k (line 5) has no number at ghost point"},
};

/* ---- arrays -------------------------------------------------------------------------------------------- */

static void set(const world *w, const number *what, int x, int y, int64_t value)
{
    if (what->field == 0) {
        w->fields.n[counts_n_at(&w->shape, x, y)] = (int)value;
    } else if (what->field == 1) {
        w->fields.m[counts_m_at(&w->shape, x, y, what->component)] = (uint64_t)value;
    } else {
        w->fields.k[counts_k_at(&w->shape, x, y, what->component)] = (short)value;
    }
}

static int64_t get(const world *w, const number *what, int x, int y)
{
    return what->field == 0   ? w->fields.n[counts_n_at(&w->shape, x, y)]
           : what->field == 1 ? (int64_t)w->fields.m[counts_m_at(&w->shape, x, y, what->component)]
                              : w->fields.k[counts_k_at(&w->shape, x, y, what->component)];
}

/* What a point of the grid has that no number of a test is put on: also the least that fits, and the most. */
static int64_t fitting(int field, int gx, int gy)
{
    static const int64_t fits[3][3] = {
        {FITS, -32767, 32767}, {FITS, 0, INT32_MAX}, {FITS, -127, 127}}; /* of n, m and k */
    return fits[field][(gx + gy) % 3];
}

/* The point of the grid that a point of the array of this rank, owned or ghost, stands for. */
static void find_point(const world *w, int x, int y, int point[2])
{
    point[0] = (w->mine.first[0] + x + NX) % NX;
    point[1] = (w->mine.first[1] + y + NY) % NY;
}

/* Everywhere a number that fits, or zero in ghost points. */
static void fill(const world *w)
{
    int point[2];
    for (int x = -1; x <= w->mine.n[0]; ++x) {
        for (int y = -1; y <= w->mine.n[1]; ++y) {
            const bool owned = x >= 0 && x < w->mine.n[0] && y >= 0 && y < w->mine.n[1];
            find_point(w, x, y, point);
            for (int f = 0; f < 3; ++f) {
                const int64_t value = owned ? fitting(f, point[0], point[1]) : 0;
                for (int c = 0; c < (f == 0 ? 1 : f == 1 ? 2 : 3); ++c) {
                    set(w, &(number){.field = f, .component = c}, x, y, value);
                }
            }
        }
    }
}

/* ---- what is right ------------------------------------------------------------------------------------- */

/* Is a point of the array of this rank, owned or ghost, this one of the grid? */
static bool is_there(const world *w, int x, int y, int gx, int gy)
{
    int point[2];
    find_point(w, x, y, point);
    return point[0] == gx && point[1] == gy;
}

/* Its place if this rank owns it and sends it anywhere, itself included; false: it does not. */
static bool find_owned(const world *w, int gx, int gy, int at[2])
{
    at[0] = gx - w->mine.first[0];
    at[1] = gy - w->mine.first[1];
    return at[0] >= 0 && at[0] < w->mine.n[0] && at[1] >= 0 && at[1] < w->mine.n[1] &&
           (at[0] == 0 || at[0] == w->mine.n[0] - 1 || at[1] == 0 || at[1] == w->mine.n[1] - 1);
}

static bool is_ghost(const world *w, int gx, int gy)
{
    bool found = false;
    for (int x = -1; x <= w->mine.n[0]; ++x) {
        for (int y = -1; y <= w->mine.n[1]; ++y) {
            const bool owned = x >= 0 && x < w->mine.n[0] && y >= 0 && y < w->mine.n[1];
            found = found || (!owned && is_there(w, x, y, gx, gy));
        }
    }
    return found;
}

/* ---- one number ---------------------------------------------------------------------------------------- */

static void look_at_ghosts(const world *w, const number *what, int gx, int gy, int64_t value)
{
    int point[2];
    long wrong = 0;
    for (int x = -1; x <= w->mine.n[0]; ++x) {
        for (int y = -1; y <= w->mine.n[1]; ++y) {
            find_point(w, x, y, point);
            const int64_t wanted =
                is_there(w, x, y, gx, gy) ? value : fitting(what->field, point[0], point[1]);
            wrong += get(w, what, x, y) != wanted;
        }
    }
    CHECK(wrong == 0, "%s: %ld points are wrong where %lld fits", w->way, wrong, (long long)value);
}

static void try_number(const world *w, const number *what, int gx, int gy)
{
    int at[2];
    const bool owned = find_owned(w, gx, gy, at);
    const bool fails = what->owned && (owned || is_ghost(w, gx, gy));
    fill(w);
    if (gx >= w->mine.first[0] && gx < w->mine.first[0] + w->mine.n[0] && gy >= w->mine.first[1] &&
        gy < w->mine.first[1] + w->mine.n[1]) {
        set(w, what, gx - w->mine.first[0], gy - w->mine.first[1], what->value);
    }
    CHECK_STATUS(counts_all_start(w->halo, &w->fields), HX_OK);
    CHECK_STATUS(counts_all_finish(w->halo), fails ? HX_ERR_ARGUMENT : HX_OK);
    if (fails && owned) {
        char place[64];
        snprintf(place, sizeof place, "%s (%d, %d) of block ", what->owned, at[0], at[1]);
        CHECK(strstr(hx_last_error(), place) && strstr(hx_last_error(), what->travels),
              "%s: no \"%s\" in \"%s\"", w->way, place, hx_last_error());
    } else if (fails) {
        CHECK(strstr(hx_last_error(), what->ghost), "%s: no \"%s\" in \"%s\"", w->way, what->ghost,
              hx_last_error());
    } else if (!what->owned) {
        look_at_ghosts(w, what, gx, gy, what->value);
    }
}

/* ---- ways ---------------------------------------------------------------------------------------------- */

static void run(const char *way, const hx_options *options)
{
    const hx_partition grid = counts_partition(NX, NY);
    world w = {.way = way};
    CHECK_STATUS(hx_decompose(MPI_COMM_WORLD, &grid, &w.mine), HX_OK);
    w.shape = counts_shape_dense(&w.mine);
    if (CHECK_STATUS(counts_create(MPI_COMM_WORLD, &w.shape, options, &w.halo), HX_OK) &&
        CHECK_STATUS(counts_alloc(w.halo, &w.fields), HX_OK)) {
        const char *said = counts_describe(w.halo);
        CHECK(strstr(said, "numbers travel shorter than they are: m as int32, n as int16, k as int8\n"),
              "%s: how numbers travel is not told in \"%s\"", way, said);
        const char *json = counts_describe_json(w.halo);
        CHECK(json && strstr(json, "\"wires\": [\"int32\", \"int16\", \"int8\"]"),
              "%s: how numbers travel is not told in \"%s\"", way, json);
        for (int i = 0; i < (int)(sizeof numbers / sizeof numbers[0]); ++i) {
            try_number(&w, &numbers[i], 0, 0);
            try_number(&w, &numbers[i], NX / 2, NY / 2 - 1);
            try_number(&w, &numbers[i], 0, NY / 4); /* within eight of a row, and in no corner */
            try_number(&w, &numbers[i], NX / 4 + 3, 0);
            try_number(&w, &numbers[i], NX / 4, NY / 4); /* of few ranks, nobody's ghost point */
        }
        CHECK_STATUS(counts_free(w.halo, &w.fields), HX_OK);
        CHECK_STATUS(counts_destroy(w.halo), HX_OK);
    }
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv, MPI_THREAD_FUNNELED);
    hx_options options = HX_OPTIONS_INIT;
    run("as it is", &options);
    options.schedule = "by-dimension";
    run("by dimension", &options);
    options.schedule = "one-phase";
    options.transport = "persistent";
    run("persistent", &options);
    options.transport = "p2p";
    options.team = check_team();
    options.threads = 3;
    run("with a team", &options);
    return check_verdict("integers that do not fit are told");
}
