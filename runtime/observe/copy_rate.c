#include "observe/copy_rate.h"

#include "base/clock.h"
#include "base/memory.h"

#include <string.h>

enum { TRIES = 5 };

static const double seconds = 1e-3; /* all of them together */
static const double typical = 1e10; /* bytes a second: from it comes how often a try copies */

/* The fastest try: others were interrupted. */
static double measure(unsigned char *to, unsigned char *from, size_t bytes)
{
    const double wanted = seconds / TRIES * typical / (double)bytes;
    const int times = wanted > 1.0 ? (int)wanted : 1;
    double best = 0.0;
    for (int i = 0; i < TRIES; ++i) {
        const double before = hxi_clock();
        for (int j = 0; j < times; ++j) {
            from[0] = to[bytes - 1]; /* so that no copy can be left out */
            memcpy(to, from, bytes);
        }
        const double spent = hxi_clock() - before;
        const double rate = spent > 0.0 ? (double)bytes * times / spent : 0.0;
        best = rate > best ? rate : best;
    }
    return best;
}

double hxi_copy_rate(size_t bytes)
{
    unsigned char *to = hxi_memory_get(bytes, 1, "measuring memcpy");
    unsigned char *from = hxi_memory_get(bytes, 1, "measuring memcpy");
    double rate = 0.0;
    if (to && from && bytes > 0) {
        memset(from, 1, bytes);
        memset(to, 1, bytes);
        rate = measure(to, from, bytes);
    }
    hxi_memory_free(to);
    hxi_memory_free(from);
    return rate;
}
