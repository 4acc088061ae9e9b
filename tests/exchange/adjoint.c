#include "adjoint.h"

#include "check.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Arrays of all fields of all blocks, as the exchanges of a handle want them. */
typedef struct state {
    const layout *l;
    void **array;
    unsigned char *pointers;
} state;

static void *get(size_t count, size_t size)
{
    void *memory = calloc(count > 0 ? count : 1, size);
    if (memory == NULL) {
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    return memory;
}

static void make(state *s, const layout *l)
{
    const hx_spec *spec = l->spec;
    *s = (state){l, get((size_t)(l->blocks.count * spec->fields), sizeof *s->array),
                 get((size_t)l->blocks.count, spec->fields_size)};
    for (int b = 0; b < l->blocks.count; ++b) {
        for (int f = 0; f < spec->fields; ++f) {
            void *array = get(layout_elements(l, b, f), (size_t)spec->field[f].size);
            s->array[b * spec->fields + f] = array;
            memcpy(s->pointers + (size_t)b * spec->fields_size + spec->field[f].pointer, &array,
                   sizeof array);
        }
    }
}

static void release(state *s)
{
    for (int i = 0; i < s->l->blocks.count * s->l->spec->fields; ++i) {
        free(s->array[i]);
    }
    free(s->array);
    free(s->pointers);
}

/* A number of a field, as its type has it; and the number that it is. */
static double number(const hx_field *field, void *array, size_t i, const int *given)
{
#define AS(T)                                                                                                \
    if (strcmp(field->type, #T) == 0) {                                                                      \
        T *number = (T *)array + i;                                                                          \
        *number = given ? (T)*given : *number;                                                               \
        return (double)*number;                                                                              \
    }
    AS(double)
    AS(float)
    AS(int)
    AS(int16_t)
    AS(uint32_t)
#undef AS
    CHECK(0, "this test has no numbers of type %s", field->type);
    return 0;
}

/* Whole numbers from 0 to 6, everywhere. */
static void draw(state *s, uint64_t seed)
{
    const hx_spec *spec = s->l->spec;
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    seed = seed * 1000 + (uint64_t)rank;
    for (int i = 0; i < s->l->blocks.count * spec->fields; ++i) {
        const int f = i % spec->fields;
        for (size_t k = 0; k < layout_elements(s->l, i / spec->fields, f); ++k) {
            seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            const int drawn = (int)(seed >> 40) % 7;
            number(&spec->field[f], s->array[i], k, &drawn);
        }
    }
}

static void copy(state *to, const state *from)
{
    const hx_spec *spec = to->l->spec;
    for (int i = 0; i < to->l->blocks.count * spec->fields; ++i) {
        const int f = i % spec->fields;
        memcpy(to->array[i], from->array[i],
               layout_elements(to->l, i / spec->fields, f) * (size_t)spec->field[f].size);
    }
}

/* Over all points of all fields of all ranks: whole numbers below 2^53, so exact in any order. */
static double inner(const state *a, const state *b)
{
    const hx_spec *spec = a->l->spec;
    double mine = 0;
    double all = 0;
    for (int i = 0; i < a->l->blocks.count * spec->fields; ++i) {
        const int f = i % spec->fields;
        for (size_t k = 0; k < layout_elements(a->l, i / spec->fields, f); ++k) {
            mine +=
                number(&spec->field[f], a->array[i], k, NULL) * number(&spec->field[f], b->array[i], k, NULL);
        }
    }
    MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return all;
}

/* The exchange that adds what this one copies, or -1.  A sum of shared points is its own transpose. */
static int transpose_of(const hx_spec *spec, int exchange)
{
    if (spec->exchange[exchange].operation == HX_SUM) {
        return exchange;
    }
    for (int e = 0; e < spec->exchanges; ++e) {
        const char *name = spec->exchange[e].name;
        if (strncmp(name, "back_", 5) == 0 && strcmp(name + 5, spec->exchange[exchange].name) == 0) {
            return e;
        }
    }
    return -1;
}

static void exchange(hx_handle *handle, int number, state *s)
{
    CHECK_STATUS(hx_start(handle, number, s->pointers), HX_OK);
    CHECK_STATUS(hx_finish(handle, number), HX_OK);
}

static void try_pairs(hx_handle *handle, const layout *l)
{
    state x;
    state y;
    state moved;
    make(&x, l);
    make(&y, l);
    make(&moved, l);
    for (int e = 0; e < l->spec->exchanges; ++e) {
        const int back = transpose_of(l->spec, e);
        if (back < 0) {
            continue;
        }
        draw(&x, 2 * (uint64_t)e + 1);
        draw(&y, 2 * (uint64_t)e + 2);
        copy(&moved, &x);
        exchange(handle, e, &moved);
        const double there = inner(&moved, &y);
        copy(&moved, &y);
        exchange(handle, back, &moved);
        CHECK(inner(&x, &moved) == there, "%s is not the transpose of %s: %.0f, not %.0f",
              l->spec->exchange[back].name, l->spec->exchange[e].name, inner(&x, &moved), there);
    }
    release(&x);
    release(&y);
    release(&moved);
}

void adjoint_run(const layout *l, const char *transport)
{
    hx_options options = HX_OPTIONS_INIT;
    options.transport = transport;
    options.deadline = 60.0;
    hx_handle *handle = NULL;
    if (CHECK_STATUS(hx_create(l->spec, &l->blocks, l->shapes, &options, &handle), HX_OK)) {
        try_pairs(handle, l);
        CHECK_STATUS(hx_destroy(handle), HX_OK);
    }
}
