/*
 * A clock, and what is typical of many times.
 */
#ifndef TIMES_H
#define TIMES_H

double now(void); /* microseconds */

double median(double *values, int count); /* sorts them */
/* The value below which `part` (0 ... 1) of the values lie; sorts them. */
double quantile(double *values, int count, double part);

#endif
