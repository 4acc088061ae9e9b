#include "returned.h"

#include "check.h"
#include "numbers.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/*
 * Ghost points that were added become zero; that an owner has a sum of zero, in two draws from many numbers,
 * does not happen.
 */
static void try_keeping(const layout *l, hx_handle *handle, int keep, int back)
{
    enum { MOST = 5000 }; /* sums of all that come to a corner are still numbers of 16 bits */
    numbers before[2];
    numbers sums[2];
    numbers kept;
    numbers_make(&kept, l);
    for (int n = 0; n < 2; ++n) {
        numbers_make(&before[n], l);
        numbers_make(&sums[n], l);
        numbers_draw(&before[n], 2 * (uint64_t)keep + (uint64_t)n, 1, MOST);
        numbers_copy(&sums[n], &before[n]);
        numbers_exchange(&sums[n], handle, back);
    }
    numbers_copy(&kept, &before[0]);
    numbers_exchange(&kept, handle, keep);
    for (int i = 0; i < numbers_arrays(&kept); ++i) {
        for (size_t k = 0; k < numbers_count(&kept, i); ++k) {
            const bool was_added =
                numbers_at(&sums[0], i, k, NULL) == 0 && numbers_at(&sums[1], i, k, NULL) == 0;
            const double wanted = numbers_at(was_added ? &before[0] : &sums[0], i, k, NULL);
            CHECK(numbers_at(&kept, i, k, NULL) == wanted, "%s, field %s, element %zu: %g, not %g",
                  l->spec->exchange[keep].name, numbers_field(&kept, i)->name, k,
                  numbers_at(&kept, i, k, NULL), wanted);
        }
    }
    for (int n = 0; n < 2; ++n) {
        numbers_free(&before[n]);
        numbers_free(&sums[n]);
    }
    numbers_free(&kept);
}

/*
 * Numbers of which a sum tells how many of each are in it: there are no more than 31 summands.  Exchanges
 * that take minima or maxima get others in their place: of both signs, so that the least of all numbers with
 * a sign is the greatest of those without; and those that compare in a way of their own.
 */
enum { KINDS = 3, SUMMANDS = 32 };
static const double counted[KINDS] = {1, SUMMANDS, SUMMANDS *SUMMANDS};
static const double plain[KINDS] = {-3, 5, 11};
static const double odd[KINDS] = {NAN, -0.0, 0.0};

static bool is_floating(const hx_field *field)
{
    return strcmp(field->type, "double") == 0 || strcmp(field->type, "float") == 0;
}

/* Is a the greater of two numbers, or with a sense of -1 the lesser?  What is no number always is. */
static bool precedes(double a, double b, int sense)
{
    if (isnan(a) || isnan(b)) {
        return isnan(a);
    }
    if (a == 0 && b == 0) {
        return !signbit(a) == (sense > 0);
    }
    return sense * a > sense * b;
}

/* Of all numbers that are counted in a sum.  room: for one. */
static double extreme_in(const numbers *room, int i, size_t k, double sum, const double given[], int sense)
{
    double extreme = 0;
    bool found = false;
    long rest = (long)sum;
    for (int kind = 0; kind < KINDS; ++kind, rest /= SUMMANDS) {
        const double number = rest % SUMMANDS != 0 ? numbers_at(room, i, k, &given[kind]) : 0;
        if (rest % SUMMANDS != 0 && (!found || precedes(number, extreme, sense))) {
            extreme = number;
            found = true;
        }
    }
    return extreme;
}

static bool are_same(double a, double b)
{
    return isnan(a) ? isnan(b) : a == b && !signbit(a) == !signbit(b);
}

typedef struct extremes {
    numbers kinds, sums, numbers, room;
} extremes;

static void fill_extremes(extremes *x, const double given[])
{
    for (int i = 0; i < numbers_arrays(&x->kinds); ++i) {
        const bool fits = given != odd || is_floating(numbers_field(&x->kinds, i));
        for (size_t k = 0; k < numbers_count(&x->kinds, i); ++k) {
            const int kind = (int)numbers_at(&x->kinds, i, k, NULL);
            numbers_at(&x->sums, i, k, &counted[kind]);
            if (fits) {
                numbers_at(&x->numbers, i, k, &given[kind]);
            }
        }
    }
}

/* Ghost points that were added become zero, which no sum of owned points is. */
static void check_extremes(const extremes *x, const hx_exchange *e, const double given[])
{
    for (int i = 0; i < numbers_arrays(&x->kinds); ++i) {
        const bool fits = given != odd || is_floating(numbers_field(&x->kinds, i));
        for (size_t k = 0; k < numbers_count(&x->kinds, i) && fits; ++k) {
            const double sum = numbers_at(&x->sums, i, k, NULL);
            const int kind = (int)numbers_at(&x->kinds, i, k, NULL);
            const double found = numbers_at(&x->numbers, i, k, NULL);
            const double wanted = extreme_in(&x->room, i, k, sum == 0 ? counted[kind] : sum, given,
                                             e->operation == HX_MIN ? -1 : 1);
            CHECK(are_same(found, wanted), "%s, field %s, element %zu: %g, not %g", e->name,
                  numbers_field(&x->numbers, i)->name, k, found, wanted);
        }
    }
}

static void try_extremes(const layout *l, hx_handle *handle, int exchange, int back, const double given[])
{
    extremes x;
    numbers *all[] = {&x.kinds, &x.sums, &x.numbers, &x.room};
    for (size_t i = 0; i < sizeof all / sizeof *all; ++i) {
        numbers_make(all[i], l);
    }
    numbers_draw(&x.kinds, (uint64_t)exchange, 0, KINDS - 1);
    fill_extremes(&x, given);
    numbers_exchange(&x.sums, handle, back);
    numbers_exchange(&x.numbers, handle, exchange);
    check_extremes(&x, &l->spec->exchange[exchange], given);
    for (size_t i = 0; i < sizeof all / sizeof *all; ++i) {
        numbers_free(all[i]);
    }
}

void returned_run(const layout *l, hx_handle *handle)
{
    const hx_spec *spec = l->spec;
    for (int e = 0; e < spec->exchanges; ++e) {
        static const char word[] = "back_";
        const char *name = spec->exchange[e].name + strlen(word);
        if (strncmp(spec->exchange[e].name, word, strlen(word)) != 0) {
            continue;
        }
        const int keep = numbers_named(spec, "keep_", name);
        const int extreme[] = {numbers_named(spec, "least_", name), numbers_named(spec, "most_", name)};
        if (keep >= 0) {
            try_keeping(l, handle, keep, e);
        }
        for (int i = 0; i < 2; ++i) {
            if (extreme[i] >= 0) {
                try_extremes(l, handle, extreme[i], e, plain);
                try_extremes(l, handle, extreme[i], e, odd);
            }
        }
    }
}
