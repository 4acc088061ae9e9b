/*
 * In place of runtime/base/clock.c: time passes with the calls of MPI.
 */
#include "base/clock.h"

#include "standin.h"

double hxi_clock(void)
{
    return standin_clock();
}

void hxi_clock_yield(void)
{
    standin_yield();
}

void hxi_clock_sleep(int microseconds)
{
    (void)microseconds;
    standin_yield();
}
