/*
 * Corners of tiles where other than four meet, filled from beside them: in every placement of fields, on
 * random partitions, as turning about the corner says, and as models have it.
 */
#include "check.h"
#include "shared_fields.h"
#include "specs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* On which side of its tile an index lies outside: -1, 0, 1; and how far its position is, in half cells. */
static int outside(const grid *g, int tile, int field, int axis, int index, int *distance)
{
    const int n = g->partition[tile].cells[axis];
    const int position = 2 * index + !grid_has_faces(g, field, axis);
    const int side = index < 0 ? -1 : index >= n + grid_has_faces(g, field, axis) ? 1 : 0;
    *distance = side < 0 ? -position : position - 2 * n;
    return side;
}

/* The index of a point of a field so many half cells outside a side of its tile, or inside where negative. */
static int index_at(const grid *g, int tile, int field, int axis, int side, int distance)
{
    const int n = g->partition[tile].cells[axis];
    return ((side < 0 ? -distance : 2 * n + distance) - !grid_has_faces(g, field, axis)) / 2;
}

/* A point in a corner of its tile: on which sides it lies, and how far. */
typedef struct corner {
    int tile, block;
    int at[HX_MAX_AXES]; /* index in the tile */
    int side[2];
    int distance[2];
} corner;

/*
 * Turned about the corner, what is outside across the one axis is as far outside across the other, along
 * which is filled, and what is outside across that is as far inside.  Components are filled along their own
 * axes, but for those on faces across their own axes (c), and change their sign in the southwest and the
 * northeast; c in the others.
 */
static double expect_corner(const grid *g, const corner *k, int field, int named, int scalar)
{
    const char *name = g->spec->field[field].name;
    const bool component = name[1] != '\0';
    const bool c = name[0] == 'c';
    const int own = name[1] == '2' ? Y : X;
    const int along = !component ? named : c ? !own : own;
    const int from = grid_other_component(g->spec, field);
    const bool same = k->side[X] == k->side[Y];
    const int there = g->axis[along], beside = g->axis[!along];
    int source[HX_MAX_AXES];
    memcpy(source, k->at, sizeof source);
    source[there] = index_at(g, k->tile, from, there, k->side[along], k->distance[!along]);
    source[beside] = index_at(g, k->tile, from, beside, k->side[!along], -k->distance[along]);
    const double v = fields_value(g, &(fields_point){from, k->tile, k->block, source}, scalar, false);
    return component && same != c ? -v : v;
}

/* The same for centers, as models have it: q(is - a, js - b) = q(is - b, js + a - 1), and so on. */
static void find_as_in_models(int n, int along, int *i, int *j)
{
    const bool west = *i < 0, south = *j < 0;
    const int out_i = west ? -*i : *i - n + 1, out_j = south ? -*j : *j - n + 1;
    if (along == X) {
        *i = west ? -out_j : n - 1 + out_j;
        *j = south ? out_i - 1 : n - 1 - out_i + 1;
    } else {
        *j = south ? -out_i : n - 1 + out_i;
        *i = west ? out_j - 1 : n - 1 - out_j + 1;
    }
}

static void compare_with_models(const grid *g, const corner *k, int field, int named, double wanted)
{
    int at[HX_MAX_AXES];
    memcpy(at, k->at, sizeof at);
    find_as_in_models(g->partition[0].cells[g->axis[X]], named, &at[g->axis[X]], &at[g->axis[Y]]);
    CHECK(fields_value(g, &(fields_point){field, k->tile, k->block, at}, 0, false) == wanted,
          "the two ways to tell where corners come from differ");
}

enum { FILLS = 16 }; /* what compare_corners is given is exchange + FILLS * fill */

static void compare_corners(const fields *s, int block, int field, const int point[], int what)
{
    const hx_exchange *e = &s->g->spec->exchange[what % FILLS];
    const hx_part *part = &s->part[block];
    const int named = e->corner_fill[what / FILLS].axis[0] - 'x';
    const int number = grid_number(part);
    corner k = {.tile = part->tile, .block = number};
    for (int a = 0; a < s->g->spec->axes; ++a) {
        k.at[a] = part->first[a] + point[a];
    }
    for (int a = X; a <= Y; ++a) {
        k.side[a] = outside(s->g, part->tile, field, s->g->axis[a], k.at[s->g->axis[a]], &k.distance[a]);
    }
    const bool in_corner = fields_carries(e, field) && k.side[X] != 0 && k.side[Y] != 0;
    for (int c = 0; c < fields_scalars(&s->g->spec->field[field]); ++c) {
        const double wanted = in_corner ? expect_corner(s->g, &k, field, named, c)
                                        : fields_before(s, block, field, point, c, what % FILLS);
        const double found = fields_get(s, block, field, point, c);
        CHECK(found == wanted,
              "exchange %s, corners %s, field %s, tile %d, block %d, point %d %d %d, number %d: %.17g, "
              "expected %.17g",
              e->name, e->corner_fill[what / FILLS].axis, s->g->spec->field[field].name, part->tile, number,
              point[0], point[1], point[2], c, found, wanted);
        if (in_corner && s->g->spec->field[field].name[0] == 'p') {
            compare_with_models(s->g, &k, field, named, wanted);
        }
    }
}

static void fill_corners(const fields *s, hx_handle *handle, int exchange)
{
    const int fills = s->g->spec->exchange[exchange].corner_fills;
    for (int f = 0; f < fills; ++f) {
        fields_visit(s, exchange, fields_fill);
        CHECK_STATUS(hx_fill_corners(handle, exchange, f, s->pointers), HX_OK);
        fields_visit(s, exchange + FILLS * f, compare_corners);
    }
    if (fills > 0) {
        CHECK_REFUSED(MPI_COMM_WORLD, hx_fill_corners(handle, exchange, fills, s->pointers), HX_ERR_ARGUMENT,
                      "ways to fill corners, numbered from 0");
        CHECK_STATUS(hx_start(handle, exchange, s->pointers), HX_OK);
        CHECK_REFUSED(MPI_COMM_WORLD, hx_fill_corners(handle, exchange, 0, s->pointers), HX_ERR_STATE,
                      "is under way");
        CHECK_STATUS(hx_finish(handle, exchange), HX_OK);
    }
}

/* The first block of each tile is thinner than the halo. */
static void try_thin(const hx_spec *spec)
{
    static const int cuts[] = {0, 2, 6};
    static const int level[] = {0, 1};
    grid g;
    fields s;
    grid_make(&g, spec, 0);
    for (int t = 0; t < spec->tiles; ++t) {
        for (int a = 0; a < spec->axes; ++a) {
            const bool flat = a == g.axis[2];
            g.partition[t].cells[a] = flat ? 1 : 6;
            g.partition[t].ranks[a] = flat ? 1 : 2;
            g.partition[t].cuts[a] = flat ? level : cuts;
        }
    }
    fields_place(&s, &g);
    check_about("%s, thin corners", spec->name);
    hx_handle *handle = NULL;
    CHECK_REFUSED(MPI_COMM_WORLD, hx_create(spec, &s.blocks, s.shapes, NULL, &handle), HX_ERR_PARTITION,
                  "fills corners of tiles 3 layers deep, and part 0 of tile 0 along axis");
    fields_drop(&s);
}

static void try_once(const hx_spec *spec, int number)
{
    grid g;
    fields s;
    grid_make(&g, spec, (uint64_t)number);
    fields_place(&s, &g);
    hx_options options = HX_OPTIONS_INIT;
    options.transport = "persistent";
    options.deadline = 60.0;
    options.check = number / 2 % 3 == 0;
    check_about("%s, number %d", spec->name, number);
    hx_handle *handle = NULL;
    if (CHECK_STATUS(hx_create(spec, &s.blocks, s.shapes, &options, &handle), HX_OK)) {
        fields_make(&s, handle, number % 3 == 1);
        for (int e = 0; e < spec->exchanges; ++e) {
            fill_corners(&s, handle, e);
        }
        fields_free(&s, handle);
        CHECK_STATUS(hx_destroy(handle), HX_OK);
    }
    fields_drop(&s);
}

int main(int argc, char **argv)
{
    int ranks = 0;
    check_init(&argc, &argv, MPI_THREAD_SINGLE);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const int tries = argc > 1 ? atoi(argv[1]) : 22;
    for (int i = 0; i < specs_count; ++i) {
        for (int number = 0; number < tries; ++number) {
            try_once(specs[i], number);
        }
        try_thin(specs[i]);
    }
    char summary[80];
    snprintf(summary, sizeof summary, "corners of tiles, %d specs, %d partitions each, %d ranks", specs_count,
             tries, ranks);
    return check_verdict(summary);
}
