/*
 * Time, and giving it away.
 */
#ifndef HX_CLOCK_H
#define HX_CLOCK_H

/* Seconds since some moment; never runs backwards. */
double hxi_clock(void);

/* Lets another process run, if there is one that waits for this core. */
void hxi_clock_yield(void);

/* Leaves the processor alone for so many microseconds. */
void hxi_clock_sleep(int microseconds);

#endif
