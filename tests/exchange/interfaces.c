/*
 * Points that several blocks own, made to agree: by every rule, on random partitions, by every transport,
 * against an oracle that knows only how the sides of tiles meet, also of handles made like others; and an
 * example worked out by hand.
 */
#include "carry.h"
#include "check.h"
#include "shared_fields.h"
#include "shared_points.h"
#include "specs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what should come of it ---------------------------------------------------------------------------- */

/* The mean of halves, and so on, within a tile; then of the tiles.  Of equal numbers one is enough. */
static double mean_of(const grid *g, const copy copies[], int count, const holder h[], int holders,
                      int scalar)
{
    const hx_field *f = &g->spec->field[copies[0].field];
    double sum = 0.0;
    for (int c = 0; c < count; ++c) {
        double v[16];
        int n = 0;
        for (int i = 0; i < holders; ++i) {
            if (h[i].copy == c && (n == 0 || !g->alike)) {
                v[n++] = copies[c].sign * fields_value(g,
                                                       &(fields_point){copies[c].field, copies[c].tile,
                                                                       h[i].block, copies[c].at},
                                                       scalar, false);
            }
        }
        for (; n > 1; n /= 2) {
            for (int i = 0; i < n / 2; ++i) {
                v[i] = fields_rounded(f, fields_rounded(f, v[2 * i] + v[2 * i + 1]) / 2);
            }
        }
        sum = c == 0 ? v[0] : fields_rounded(f, sum + v[0]);
    }
    return fields_rounded(f, sum / count);
}

/* One after the other, in the order of tiles, places and blocks. */
static double sum_of(const grid *g, const copy copies[], const holder h[], int holders, int scalar)
{
    const hx_field *f = &g->spec->field[copies[0].field];
    double sum = 0.0;
    for (int i = 0; i < holders; ++i) {
        const copy *c = &copies[h[i].copy];
        sum = fields_rounded(
            f, sum + c->sign * fields_value(g, &(fields_point){c->field, c->tile, h[i].block, c->at}, scalar,
                                            false));
    }
    return sum;
}

/* The greatest number, or with a sense of -1 the least. */
static double extreme_of(const grid *g, const copy copies[], const holder h[], int holders, int scalar,
                         int sense)
{
    double extreme = 0.0;
    for (int i = 0; i < holders; ++i) {
        const copy *c = &copies[h[i].copy];
        const double number =
            fields_value(g, &(fields_point){c->field, c->tile, h[i].block, c->at}, scalar, true);
        extreme = i == 0 || sense * number > sense * extreme ? number : extreme;
    }
    return extreme;
}

/* All that hold one point, and which of them asks. */
typedef struct shared_point {
    copy copies[POINTS_COPIES];
    holder holder[POINTS_COPIES];
    int count, holders, own;
} shared_point;

static double expect_shared(const grid *g, const hx_exchange *e, const shared_point *p, int scalar)
{
    const copy *copies = p->copies;
    const holder *h = p->holder;
    const int holders = p->holders;
    if (e->operation == HX_MEAN) {
        return holders > 1 ? mean_of(g, copies, p->count, h, holders, scalar) : 0.0;
    }
    if (e->operation == HX_SUM) {
        return sum_of(g, copies, h, holders, scalar);
    }
    const int feeder = points_feeder(h, holders, e->shared);
    if (HX_RETURNS(e->operation) && p->own != feeder) {
        const copy *c = &copies[h[p->own].copy];
        return e->keeps
                   ? fields_value(g, &(fields_point){c->field, c->tile, h[p->own].block, c->at}, scalar, true)
                   : 0.0;
    }
    if (e->operation == HX_MIN || e->operation == HX_MAX) {
        return extreme_of(g, copies, h, holders, scalar, e->operation == HX_MIN ? -1 : 1);
    }
    double sum = 0.0;
    for (int i = 0; i < holders; ++i) {
        const copy *c = &copies[h[i].copy];
        if (i == feeder || e->operation == HX_ADD) {
            sum += c->sign * fields_value(g, &(fields_point){c->field, c->tile, h[i].block, c->at}, scalar,
                                          e->operation == HX_ADD);
        }
    }
    return sum;
}

static void compare(const fields *s, int block, int field, const int point[], int exchange)
{
    const hx_exchange *e = &s->g->spec->exchange[exchange];
    const hx_part *part = &s->part[block];
    copy own = {.tile = part->tile, .field = field, .sign = 1};
    shared_point p = {.count = 0};
    bool owned = fields_carries(e, field);
    for (int a = 0; a < s->g->spec->axes; ++a) {
        own.at[a] = part->first[a] + point[a];
        owned = owned && point[a] >= 0 && point[a] < part->n[a] + grid_has_faces(s->g, field, a);
    }
    const int number = grid_number(part);
    p.count = owned ? points_copies(s->g, &own, p.copies) : 0;
    p.holders = points_holders(s->g, p.copies, p.count, p.holder);
    while (p.own < p.holders && (points_compare(s->g, &p.copies[p.holder[p.own].copy], &own) != 0 ||
                                 p.holder[p.own].block != number)) {
        ++p.own;
    }
    for (int c = 0; c < fields_scalars(&s->g->spec->field[field]); ++c) {
        const double wanted = p.holders > 1 ? expect_shared(s->g, e, &p, c)
                                            : fields_before(s, block, field, point, c, exchange);
        const double found = fields_get(s, block, field, point, c);
        CHECK(found == wanted,
              "exchange %s, field %s, tile %d, block %d, point %d %d %d, number %d: %.17g, expected %.17g",
              e->name, s->g->spec->field[field].name, part->tile, number, point[0], point[1], point[2], c,
              found, wanted);
    }
}

/* ---- trials -------------------------------------------------------------------------------------------- */

static const char *const transports[] = {"p2p",     "persistent", "neighbor", "shared", "rma",
                                         "rma-get", "rma-fence",  "rma-pscw", "mixed",  "manual"};
enum {
    TRANSPORTS = sizeof transports / sizeof *transports,
    MOST_BLOCKS = GRID_TILES * GRID_PARTS * GRID_PARTS * GRID_PARTS
};

static void run(const fields *s, hx_handle *handle, bool by_hand)
{
    for (int e = 0; e < s->g->spec->exchanges; ++e) {
        if (!s->g->spec->exchange[e].shared) {
            continue; /* the tests of halos are others */
        }
        fields_visit(s, e, fields_fill);
        CHECK_STATUS(hx_start(handle, e, s->pointers), HX_OK);
        CHECK(!by_hand || carry(handle, e, MPI_COMM_WORLD) >= 0, "%s", hx_last_error());
        CHECK_STATUS(hx_finish(handle, e), HX_OK);
        const bool audits = getenv("HX_AUDIT") && !HX_RETURNS(s->g->spec->exchange[e].operation);
        CHECK(!audits || hx_audit(handle, e, s->pointers) == HX_OK, "%s", hx_last_error());
        fields_visit(s, e, compare);
        if (s->g->spec->exchange[e].operation == HX_COPY) { /* twice is once */
            CHECK_STATUS(hx_start(handle, e, s->pointers), HX_OK);
            CHECK(!by_hand || carry(handle, e, MPI_COMM_WORLD) >= 0, "%s", hx_last_error());
            CHECK_STATUS(hx_finish(handle, e), HX_OK);
            fields_visit(s, e, compare);
        }
    }
}

/* Owners in numbers, as handles have to have them that are made like others. */
static void number_owners(fields *s, int owner[])
{
    int count = 0;
    for (int t = 0; t < s->g->spec->tiles; ++t) {
        for (int b = 0; b < grid_blocks(s->g, t); ++b) {
            owner[count++] = grid_owner(s->blocks.context, t, b);
        }
    }
    s->blocks.owner = NULL;
    s->blocks.owners = owner;
}

/* Of a handle whose blocks lay elsewhere, some of them. */
static bool create_like(fields *s, const hx_options *options, hx_handle **handle)
{
    grid before = *s->g;
    fields there;
    int owner[2][MOST_BLOCKS];
    before.seed += 1000;
    fields_place(&there, &before);
    number_owners(&there, owner[0]);
    number_owners(s, owner[1]);
    hx_handle *other = NULL;
    const bool made =
        CHECK_STATUS(hx_create(before.spec, &there.blocks, there.shapes, options, &other), HX_OK) &&
        CHECK_STATUS(hx_create_like(other, &s->blocks, s->shapes, handle), HX_OK);
    CHECK_STATUS(hx_destroy(other), HX_OK);
    fields_drop(&there);
    return made;
}

static void try_once(const hx_spec *spec, int number)
{
    grid g;
    fields s;
    grid_make(&g, spec, (uint64_t)number);
    fields_place(&s, &g);
    const bool like = number % 3 == 2;
    hx_options options = HX_OPTIONS_INIT;
    options.transport = transports[number % TRANSPORTS];
    options.deadline = 60.0;
    options.check = number / 2 % 3 == 0;
    check_about("%s, number %d, %s%s", spec->name, number, options.transport, like ? ", like another" : "");
    hx_handle *handle = NULL;
    const bool made = like ? create_like(&s, &options, &handle)
                           : CHECK_STATUS(hx_create(spec, &s.blocks, s.shapes, &options, &handle), HX_OK);
    if (made) {
        fields_make(&s, handle, number % 3 == 1);
        run(&s, handle, strcmp(options.transport, "manual") == 0);
        fields_free(&s, handle);
        CHECK_STATUS(hx_destroy(handle), HX_OK);
    }
    fields_drop(&s);
}

/* ---- an example worked out by hand --------------------------------------------------------------------- */

/* Number 100 (tile + 1) + 10 i + j, and 1000 more for the component along y. */
static void fill_example(const fields *s, int block, int field, const int point[], int exchange)
{
    (void)exchange;
    const int north = s->g->spec->field[field].name[1] == '2';
    fields_put(s, block, field, point, 0,
               1000 * north + 100 * (s->part[block].tile + 1) + 10 * point[s->g->axis[X]] +
                   point[s->g->axis[Y]]);
}

static void expect_at(const fields *s, int tile, int field, int i, int j, double wanted)
{
    for (int b = 0; b < s->blocks.count; ++b) {
        int point[HX_MAX_AXES] = {0};
        point[s->g->axis[X]] = i;
        point[s->g->axis[Y]] = j;
        if (s->part[b].tile == tile) {
            const double found = fields_get(s, b, field, point, 0);
            CHECK(found == wanted, "tile %d, field %s at %d %d: %g, expected %g", tile,
                  s->g->spec->field[field].name, i, j, found, wanted);
        }
    }
}

/* Tiles of 2 x 2 cells: what comes to the northern and eastern sides of tiles 0 and 1. */
static void try_example(const hx_spec *spec)
{
    grid g;
    fields s;
    grid_make(&g, spec, 0);
    static const int ends[] = {0, 2};
    static const int level[] = {0, 1};
    for (int t = 0; t < spec->tiles; ++t) {
        for (int a = 0; a < spec->axes; ++a) {
            g.partition[t].cells[a] = a == g.axis[2] ? 1 : 2;
            g.partition[t].cuts[a] = a == g.axis[2] ? level : ends;
        }
    }
    fields_place(&s, &g);
    check_about("%s, the example", spec->name);
    hx_handle *handle = NULL;
    if (CHECK_STATUS(hx_create(spec, &s.blocks, s.shapes, NULL, &handle), HX_OK)) {
        fields_make(&s, handle, true);
        fields_visit(&s, 0, fill_example);
        CHECK_STATUS(hx_start(handle, 0, s.pointers), HX_OK);
        CHECK_STATUS(hx_finish(handle, 0), HX_OK);
        static const double north[2][2] = {{-1301, -1300}, {300, 310}};
        static const double east[2][2] = {{1200, 1201}, {-410, -400}};
        int x = 0; /* the field d1, on faces along y; d2 follows it */
        while (strcmp(spec->field[x].name, "d1") != 0) {
            ++x;
        }
        for (int t = 0; t < 2; ++t) {
            for (int k = 0; k < 2; ++k) {
                expect_at(&s, t, x, k, 2, north[t][k]);
                expect_at(&s, t, x + 1, 2, k, east[t][k]);
            }
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
    const int tries = argc > 1 ? atoi(argv[1]) : 2 * TRANSPORTS;
    for (int i = 0; i < specs_count; ++i) {
        for (int number = 0; number < tries; ++number) {
            try_once(specs[i], number);
        }
        if (strstr(specs[i]->name, "sphere")) {
            try_example(specs[i]);
        }
    }
    char summary[80];
    snprintf(summary, sizeof summary, "shared points, %d specs, %d partitions each, %d ranks", specs_count,
             tries, ranks);
    return check_verdict(summary);
}
