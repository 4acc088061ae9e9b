/* How long an exchange takes when C calls it, for calls.py. */
#define _POSIX_C_SOURCE 200809L
#include <time.h>

typedef int exchange(void *handle, const void *fields);

/* Seconds of this thread that so many calls take; below 0 if one fails. */
double loop(exchange *call, void *handle, const void *fields, int calls)
{
    struct timespec start, end;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &start);
    for (int i = 0; i < calls; ++i) {
        if (call(handle, fields) != 0) {
            return -1.0;
        }
    }
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end);
    return (double)(end.tv_sec - start.tv_sec) + 1e-9 * (double)(end.tv_nsec - start.tv_nsec);
}
