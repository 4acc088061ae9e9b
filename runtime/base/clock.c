#include "base/clock.h"

#include <sched.h>
#include <time.h>

double hxi_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void hxi_clock_yield(void)
{
    sched_yield();
}

void hxi_clock_sleep(int microseconds)
{
    const struct timespec time = {.tv_nsec = microseconds * 1000L};
    nanosleep(&time, NULL);
}
