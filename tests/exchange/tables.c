/*
 * The oracle believes the emitted tables about fields, halos and widths; here they are compared with what
 * specs/carried.lua says, by hand.
 */
#include "check.h"
#include "specs.h"

#include <string.h>

enum { X, M, Y, Z, AXES };

static void check_axes(const char *what, const int got[], const int wanted[])
{
    for (int a = 0; a < AXES; ++a) {
        CHECK(got[a] == wanted[a], "%s of axis %d is %d, expected %d", what, a, got[a], wanted[a]);
    }
}

static void check_text(const char *what, const char *got, const char *wanted)
{
    CHECK(strcmp(got, wanted) == 0, "%s is %s, expected %s", what, got, wanted);
}

static const struct {
    const char *name;
    const char *type;
    int size;
    int order[AXES];
    int lo[AXES];
    int hi[AXES];
} fields[] = {
    {"tracers", "float", sizeof(float), {M, X, Y, Z}, {2, 0, 1, 1}, {2, 0, 1, 1}},
    {"column", "double", sizeof(double), {Z, M, X, Y}, {1, 0, 0, 0}, {1, 0, 2, 0}},
    {"surface", "long double", sizeof(long double), {M, X, Y, Z}, {0, 0, 1, 0}, {0, 0, 1, 0}},
};

enum { TRACERS, COLUMN, SURFACE, FIELDS };

/* Fields lie in a message widest type first. */
static const struct {
    const char *name;
    int fields;
    struct {
        int field;
        int lo[AXES];
        int hi[AXES];
    } item[FIELDS];
} exchanges[] = {
    {"sides", 2, {{COLUMN, {1, 0, 0, 0}, {1, 0, 1, 0}}, {TRACERS, {1, 0, 0, 0}, {1, 0, 1, 0}}}},
    {"star",
     3,
     {{SURFACE, {0, 0, 1, 0}, {0, 0, 1, 0}},
      {COLUMN, {1, 0, 0, 0}, {1, 0, 2, 0}},
      {TRACERS, {2, 0, 1, 1}, {2, 0, 1, 1}}}},
    {"all",
     3,
     {{SURFACE, {0, 0, 1, 0}, {0, 0, 1, 0}},
      {COLUMN, {1, 0, 0, 0}, {1, 0, 2, 0}},
      {TRACERS, {2, 0, 1, 1}, {2, 0, 1, 1}}}},
};

int main(int argc, char **argv)
{
    const hx_spec *spec = specs[0];
    check_init(&argc, &argv, MPI_THREAD_SINGLE);
    check_about("%s", spec->name);
    check_text("the name", spec->name, "carried");
    CHECK(spec->axes == AXES, "%d axes", spec->axes);
    check_axes("periodic", spec->periodic, (const int[]){1, 0, 0, 1});
    check_axes("decomposed", spec->decomposed, (const int[]){1, 0, 1, 0});
    check_axes("cells", spec->cells, (const int[]){0, 3, 0, 0});
    CHECK(spec->fields == FIELDS && spec->exchanges == 3, "%d fields, %d exchanges", spec->fields,
          spec->exchanges);
    for (int f = 0; f < FIELDS; ++f) {
        check_about("%s", fields[f].name);
        check_text("the name", spec->field[f].name, fields[f].name);
        check_text("the type", spec->field[f].type, fields[f].type);
        CHECK(spec->field[f].size == fields[f].size, "a size of %d", spec->field[f].size);
        check_axes("order", spec->field[f].order, fields[f].order);
        check_axes("the halo below", spec->field[f].halo_lo, fields[f].lo);
        check_axes("the halo above", spec->field[f].halo_hi, fields[f].hi);
    }
    for (int x = 0; x < spec->exchanges; ++x) {
        const hx_exchange *exchange = &spec->exchange[x];
        check_about("%s", exchanges[x].name);
        check_text("the name", exchange->name, exchanges[x].name);
        CHECK(exchange->fields == exchanges[x].fields, "%d fields", exchange->fields);
        for (int i = 0; i < exchange->fields; ++i) {
            CHECK(exchange->field[i].field == exchanges[x].item[i].field, "field %d stands in place %d",
                  exchange->field[i].field, i);
            check_axes("the width below", exchange->field[i].width_lo, exchanges[x].item[i].lo);
            check_axes("the width above", exchange->field[i].width_hi, exchanges[x].item[i].hi);
        }
    }
    return check_verdict("tables");
}
