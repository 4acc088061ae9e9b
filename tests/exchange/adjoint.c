#include "adjoint.h"

#include "check.h"
#include "numbers.h"
#include "returned.h"

/* Over all points of all fields of all ranks: whole numbers below 2^53, so exact in any order. */
static double inner(const numbers *a, const numbers *b)
{
    double mine = 0;
    double all = 0;
    for (int i = 0; i < numbers_arrays(a); ++i) {
        for (size_t k = 0; k < numbers_count(a, i); ++k) {
            mine += numbers_at(a, i, k, NULL) * numbers_at(b, i, k, NULL);
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
    return numbers_named(spec, "back_", spec->exchange[exchange].name);
}

static void try_pairs(hx_handle *handle, const layout *l)
{
    numbers x;
    numbers y;
    numbers moved;
    numbers_make(&x, l);
    numbers_make(&y, l);
    numbers_make(&moved, l);
    for (int e = 0; e < l->spec->exchanges; ++e) {
        const int back = transpose_of(l->spec, e);
        if (back < 0) {
            continue;
        }
        numbers_draw(&x, 2 * (uint64_t)e + 1, 0, 6);
        numbers_draw(&y, 2 * (uint64_t)e + 2, 0, 6);
        numbers_copy(&moved, &x);
        numbers_exchange(&moved, handle, e);
        const double there = inner(&moved, &y);
        numbers_copy(&moved, &y);
        numbers_exchange(&moved, handle, back);
        CHECK(inner(&x, &moved) == there, "%s is not the transpose of %s: %.0f, not %.0f",
              l->spec->exchange[back].name, l->spec->exchange[e].name, inner(&x, &moved), there);
    }
    numbers_free(&x);
    numbers_free(&y);
    numbers_free(&moved);
}

void adjoint_run(const layout *l, const char *transport)
{
    hx_options options = HX_OPTIONS_INIT;
    options.transport = transport;
    options.deadline = 60.0;
    hx_handle *handle = NULL;
    if (CHECK_STATUS(hx_create(l->spec, &l->blocks, l->shapes, &options, &handle), HX_OK)) {
        try_pairs(handle, l);
        returned_run(l, handle);
        CHECK_STATUS(hx_destroy(handle), HX_OK);
    }
}
