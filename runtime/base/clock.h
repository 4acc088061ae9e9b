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

/*
 * How long a rank that has given up waiting, and may not leave by itself, waits for word of the others: as
 * long as its deadline, but 1 to 10 s.
 */
static inline double hxi_clock_grace(double deadline)
{
    const double least = 1.0; /* who stands still for less is a process that shares its processor */
    const double most = 10.0;
    return deadline < least ? least : deadline > most ? most : deadline;
}

#endif
