/*
 * Schedules: whether an exchange goes in one phase or axis after axis, and why.
 */
#ifndef HX_SCHEDULE_H
#define HX_SCHEDULE_H

#include <hx/hx.h>

#include <stdbool.h>

/* What the option asks for. */
typedef enum hx_schedule { HX_SCHEDULE_AUTO, HX_SCHEDULE_ONE_PHASE, HX_SCHEDULE_BY_DIMENSION } hx_schedule;

/* By its name in the options; false if there is none. */
bool hx_schedule_named(const char *name, hx_schedule *schedule);

/* The names that the options take, for a sentence. */
const char *hx_schedule_names(char *text, size_t size);

#endif
