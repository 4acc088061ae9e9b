/*
 * Whoever writes the interior between start and finish gets what those get who write it behind finish, in ghost
 * points and everywhere else.  How far an exchange reaches is not known here.
 */
#include "arrays.h"
#include "check.h"
#include "specs.h"
#include "values.h"

#include <stdbool.h>
#include <string.h>

enum { CELLS = 14, WRITTEN = 4711 };

typedef struct way {
    const char *transport;
    const char *schedule;
    bool allocated; /* arrays of hx_alloc */
} way;

static int ranks;

/* For how many points arrays have room, which other tests look after. */
static int has_faces(const hx_spec *spec, int field, int axis)
{
    return spec->positions[spec->field[field].positions].extra[axis];
}

static void store(const hx_field *f, unsigned char *array, size_t element, size_t number)
{
    value_store(value_kind_of(f), (size_t)f->size, array + element * (size_t)f->size, number, 0, 1);
}

static unsigned char *array_of(const arrays *s, int block, int field)
{
    return s->actual[block * s->layout->spec->fields + field];
}

/* Guards included. */
static size_t elements_of(const arrays *s, int block, int field)
{
    return layout_elements(s->layout, block, field) + 2 * s->guard;
}

static void fill(arrays *s)
{
    const hx_spec *spec = s->layout->spec;
    for (int b = 0; b < s->layout->blocks.count; ++b) {
        for (int f = 0; f < spec->fields; ++f) {
            for (size_t i = 0; i < elements_of(s, b, f); ++i) {
                store(&spec->field[f], array_of(s, b, f), i, (i * 7 + (size_t)b) % 1000);
            }
        }
    }
}

/* Returns how many points there are. */
static long write_box(arrays *s, int block, int field, const hx_box *points)
{
    box all;
    int at[HX_MAX_AXES];
    memcpy(all.lo, points->lo, sizeof all.lo);
    memcpy(all.hi, points->hi, sizeof all.hi);
    memcpy(at, points->lo, sizeof at);
    long written = 0;
    do {
        const size_t element = s->guard + (size_t)layout_at(s->layout, block, field, at);
        store(&s->layout->spec->field[field], array_of(s, block, field), element, WRITTEN);
        ++written;
    } while (box_next(&all, s->layout->spec->axes, at));
    return written;
}

static long write_interior(arrays *s, int exchange)
{
    const layout *l = s->layout;
    long written = 0;
    for (int b = 0; b < l->blocks.count; ++b) {
        for (int f = 0; f < l->spec->fields; ++f) {
            const unsigned char *shape = l->shapes + (size_t)b * l->spec->shape_size;
            const hx_boxes interior = hx_interior(l->spec, shape, exchange, f);
            for (int i = 0; i < interior.count; ++i) {
                written += write_box(s, b, f, &interior.box[i]);
            }
        }
    }
    return written;
}

static void expect_same(arrays *s, const arrays *other)
{
    for (int b = 0; b < s->layout->blocks.count; ++b) {
        for (int f = 0; f < s->layout->spec->fields; ++f) {
            const size_t size = (size_t)s->layout->spec->field[f].size;
            memcpy(s->expected[b * s->layout->spec->fields + f], array_of(other, b, f),
                   elements_of(s, b, f) * size);
        }
    }
}

static void compare(hx_handle *handle, int exchange, arrays *behind, arrays *between)
{
    fill(behind);
    CHECK_STATUS(hx_start(handle, exchange, behind->pointers), HX_OK);
    CHECK_STATUS(hx_finish(handle, exchange), HX_OK);
    write_interior(behind, exchange);
    fill(between);
    CHECK_STATUS(hx_start(handle, exchange, between->pointers), HX_OK);
    long written = write_interior(between, exchange);
    CHECK_STATUS(hx_finish(handle, exchange), HX_OK);
    expect_same(between, behind);
    arrays_check(between, behind->layout->spec->exchange[exchange].name);
    MPI_Allreduce(MPI_IN_PLACE, &written, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    CHECK(written > 0, "exchange %s has no interior", behind->layout->spec->exchange[exchange].name);
}

static void make(arrays *s, const layout *l, hx_handle *handle, bool allocated)
{
    if (allocated) {
        arrays_alloc(s, l, NULL, handle);
    } else {
        arrays_make(s, l, NULL);
    }
}

static void try_way(const layout *l, const way *travel)
{
    hx_options options = HX_OPTIONS_INIT;
    options.transport = travel->transport;
    options.schedule = travel->schedule;
    options.deadline = 60.0;
    hx_handle *handle = NULL;
    check_about("%s, %s, %s", l->spec->name, travel->transport, travel->schedule);
    if (CHECK_STATUS(hx_create(l->spec, &l->blocks, l->shapes, &options, &handle), HX_OK)) {
        arrays behind, between;
        make(&behind, l, handle, travel->allocated);
        make(&between, l, handle, travel->allocated);
        for (int x = 0; x < l->spec->exchanges; ++x) {
            compare(handle, x, &behind, &between);
        }
        arrays_free(&between);
        arrays_free(&behind);
        CHECK_STATUS(hx_destroy(handle), HX_OK);
    }
}

/* Neighbors are on different ranks. */
static int in_turn(void *context, int tile, int block)
{
    (void)context;
    return (tile + block) % ranks;
}

static int with_land(void *context, int tile, int block)
{
    return block == 1 ? HX_NO_OWNER : in_turn(context, tile, block);
}

/* Two blocks along each axis; what is folded comes from elsewhere than the middle of a block. */
static void try_spec(const hx_spec *spec, bool land)
{
    static const way ways[] = {
        {"auto", "auto", true}, {"persistent", "by-dimension", false}, {"p2p", "one-phase", false}};
    static const int cuts[] = {0, 6, CELLS};
    hx_partition partition[LAYOUT_TILES];
    for (int t = 0; t < spec->tiles; ++t) {
        partition[t] = (hx_partition){.axes = spec->axes};
        for (int a = 0; a < spec->axes; ++a) {
            const bool split = spec->decomposed[a] && spec->cells[a] == 0;
            partition[t].cells[a] = spec->cells[a] > 0 ? spec->cells[a] : CELLS;
            partition[t].ranks[a] = split ? 2 : 1;
            partition[t].cuts[a] = split ? cuts : NULL;
            partition[t].periodic[a] = spec->periodic[a];
        }
    }
    layout l;
    layout_make(&l, &(layout_request){spec, MPI_COMM_WORLD, partition, land ? with_land : in_turn, NULL,
                                      has_faces, 1});
    for (size_t w = 0; w < sizeof ways / sizeof *ways; ++w) {
        try_way(&l, &ways[w]);
    }
    layout_free(&l);
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv, MPI_THREAD_SINGLE);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int i = 0; i < specs_count; ++i) {
        try_spec(specs[i], false);
        if (strcmp(specs[i]->name, "isle") == 0 || strcmp(specs[i]->name, "faces") == 0) {
            try_spec(specs[i], true);
        }
    }
    return check_verdict("the interior, written between start and finish");
}
