#include "returned.h"

#include "check.h"
#include "numbers.h"

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

void returned_run(const layout *l, hx_handle *handle)
{
    const hx_spec *spec = l->spec;
    for (int e = 0; e < spec->exchanges; ++e) {
        const char *word = "back_";
        const char *name = spec->exchange[e].name;
        const int keep =
            strncmp(name, word, strlen(word)) == 0 ? numbers_named(spec, "keep_", name + strlen(word)) : -1;
        if (keep >= 0) {
            try_keeping(l, handle, keep, e);
        }
    }
}
