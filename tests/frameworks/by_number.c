/*
 * The driver of a framework: it loads the library of a spec, asks what fields and exchanges it has,
 * allocates, and exchanges by number.  It knows no name of the spec but that of the tables.
 */
#include "expect.h"
#include "tank_by.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

/* A spec on the blocks of this rank. */
typedef struct driver {
    const struct hx_spec *spec;
    hx_spec_facts about;
    hx_partition grid;
    void *shape;
    hx_handle *handle;
    void **fields;
} driver;

static void open_driver(driver *d, const char *library)
{
    static const int cells[] = {TANK_X, TANK_Y, TANK_Z};
    hx_part mine;
    void *loaded = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    expect(loaded != NULL);
    d->spec = dlsym(loaded, "tank_spec");
    expect_ok(hx_spec_query(d->spec, &d->about));
    expect_ok(hx_spec_partition(d->spec, cells, &d->grid));
    expect_ok(hx_decompose(MPI_COMM_WORLD, &d->grid, &mine));
    d->shape = malloc(d->about.shape_size);
    d->fields = calloc((size_t)d->about.fields, sizeof *d->fields);
    expect(d->shape && d->fields);
    expect_ok(hx_spec_shape(d->spec, &mine, d->shape));
    expect_ok(hx_spec_shape(d->spec, d->shape, d->shape)); /* the part may lie there already */
    const hx_blocks blocks = {.comm = MPI_COMM_WORLD, .tiles = 1, .partition = &mine.partition, .count = 1};
    expect_ok(hx_create(d->spec, &blocks, d->shape, NULL, &d->handle));
    expect(hx_spec_of(d->handle) == d->spec);
    expect_ok(hx_alloc(d->handle, d->fields));
}

static void close_driver(driver *d)
{
    expect_ok(hx_destroy(d->handle)); /* with the arrays */
    free(d->fields);
    free(d->shape);
}

/* One element, by the name of its type. */
static double get(const hx_field_facts *f, const void *array, size_t k)
{
    if (strcmp(f->type, "double") == 0) {
        return ((const double *)array)[k];
    }
    return strcmp(f->type, "float") == 0 ? (double)((const float *)array)[k]
                                         : (double)((const int32_t *)array)[k];
}

static void set(const hx_field_facts *f, void *array, size_t k, int value)
{
    if (strcmp(f->type, "double") == 0) {
        ((double *)array)[k] = value;
    } else if (strcmp(f->type, "float") == 0) {
        ((float *)array)[k] = (float)value;
    } else {
        expect(strcmp(f->type, "int32_t") == 0);
        ((int32_t *)array)[k] = value;
    }
}

static void fill(const driver *d, int rank)
{
    for (int i = 0; i < d->about.fields; ++i) {
        hx_field_facts f;
        expect_ok(hx_field_query(d->spec, i, &f));
        for (size_t k = 0; k < hx_points(d->spec, d->shape, i); ++k) {
            set(&f, d->fields[i], k, tank_value(rank, i, k));
        }
    }
}

/* Start, other work, finish. */
static void exchange_all(const driver *d)
{
    for (int e = 0; e < d->about.exchanges; ++e) {
        int done = 0;
        expect_ok(hx_start(d->handle, e, d->fields));
        while (!done) {
            expect_ok(hx_test(d->handle, e, &done));
        }
        expect_ok(hx_finish(d->handle, e));
    }
}

tank_arrays tank_by_number(const char *library, int rank)
{
    driver d;
    open_driver(&d, library);
    tank_arrays after = {.grid = d.grid};
    fill(&d, rank);
    exchange_all(&d);
    for (int i = 0; i < d.about.fields; ++i) {
        hx_field_facts f;
        expect_ok(hx_field_query(d.spec, i, &f));
        const size_t elements = hx_points(d.spec, d.shape, i);
        after.bytes[i] = elements * f.bytes;
        after.array[i] = malloc(after.bytes[i]);
        expect(after.array[i] != NULL);
        memcpy(after.array[i], d.fields[i], after.bytes[i]);
        for (size_t k = 0; k < elements; ++k) {
            after.changed[i] += (int)get(&f, d.fields[i], k) != tank_value(rank, i, k);
        }
    }
    close_driver(&d);
    return after;
}
