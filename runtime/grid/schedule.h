/*
 * Schedules: whether an exchange goes in one phase or axis after axis, and why.
 */
#ifndef HX_SCHEDULE_H
#define HX_SCHEDULE_H

#include "grid/layout.h"

#include <stdbool.h>

/* What the option asks for. */
typedef enum hx_schedule { HX_SCHEDULE_AUTO, HX_SCHEDULE_ONE_PHASE, HX_SCHEDULE_BY_DIMENSION } hx_schedule;

/* By its name in the options; false if there is none.  And back. */
bool hx_schedule_named(const char *name, hx_schedule *schedule);
const char *hx_schedule_name(hx_schedule schedule);

/* What auto takes where nothing is measured. */
hx_schedule hx_schedule_default(bool one_machine);

/* The way that an exchange goes, the same on all ranks. */
typedef struct hx_course {
    bool by_dimension;     /* false: in one phase */
    int phases;            /* 1, or one along each axis where there are neighbors */
    int axis[HX_MAX_AXES]; /* by dimension: of each phase */
    const char *why;       /* in words, after "one phase: " or "by dimension: " */
} hx_course;

/* What the choice depends on beside the exchange, the same on all ranks. */
typedef struct hx_wish {
    hx_schedule schedule; /* asked for */
    const char *by;       /* who asked, in words */
    bool one_machine;     /* all ranks share one */
    bool by_hand;         /* the application moves the messages */
} hx_wish;

hx_course hx_schedule_choose(const hx_spec *spec, const hx_exchange *exchange, const hx_layout *layout,
                             const hx_wish *wish);

/* The names that the options take, for a sentence. */
const char *hx_schedule_names(char *text, size_t size);

#endif
