#include "times.h"

#include <stdlib.h>
#include <time.h>

double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec * 1e-3;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double quantile(double *values, int count, double part)
{
    qsort(values, (size_t)count, sizeof *values, compare);
    const double position = part * (count - 1);
    const int below = (int)position;
    const int above = below + 1 < count ? below + 1 : below;
    return values[below] + (position - below) * (values[above] - values[below]);
}

double median(double *values, int count)
{
    return quantile(values, count, 0.5);
}
