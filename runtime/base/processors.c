#define _GNU_SOURCE /* sched_getaffinity */
#include "base/processors.h"

#include <sched.h>
#include <string.h>

hxi_processors hxi_processors_mine(void)
{
    /* A cpu_set_t has room for 1024 processors, and the system refuses a set that is too small. */
    union {
        cpu_set_t start;
        hxi_processors whole;
    } mine;
    memset(&mine, 0, sizeof mine);
    if (sched_getaffinity(0, sizeof mine, &mine.start) != 0) {
        memset(&mine, 0, sizeof mine);
    }
    return mine.whole;
}

int hxi_processors_count(const hxi_processors *set)
{
    int count = 0;
    for (int i = 0; i < HX_PROCESSOR_BYTES; ++i) {
        for (unsigned byte = set->bits[i]; byte != 0; byte &= byte - 1) {
            ++count;
        }
    }
    return count;
}
