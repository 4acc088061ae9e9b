/*
 * Schedules: whether an exchange goes in one phase or axis after axis, and why.
 */
#ifndef HX_SCHEDULE_H
#define HX_SCHEDULE_H

#include "grid/layout.h"

#include <stdbool.h>

/* What the option asks for. */
typedef enum hxi_schedule { HX_SCHEDULE_AUTO, HX_SCHEDULE_ONE_PHASE, HX_SCHEDULE_BY_DIMENSION } hxi_schedule;

/* By its name in the options; false if there is none.  And back. */
bool hxi_schedule_named(const char *name, hxi_schedule *schedule);
const char *hxi_schedule_name(hxi_schedule schedule);

/* What auto takes where nothing is measured. */
hxi_schedule hxi_schedule_default(bool one_machine);

/* The order of an exchange, the same on all ranks. */
typedef struct hxi_schedule_choice {
    bool by_dimension;     /* false: in one phase */
    int phases;            /* 1, or one along each axis where there are neighbors */
    int axis[HX_MAX_AXES]; /* by dimension: of each phase */
    const char *why;       /* in words, after "one phase: " or "by dimension: " */
} hxi_schedule_choice;

/* What the choice depends on beside the exchange, the same on all ranks. */
typedef struct hxi_schedule_request {
    hxi_schedule schedule; /* asked for */
    const char *by;        /* who asked, in words */
    bool one_machine;      /* all ranks share one */
    bool by_hand;          /* the application moves the messages */
} hxi_schedule_request;

hxi_schedule_choice hxi_schedule_choose(const hx_spec *spec, const hx_exchange *exchange,
                                        const hxi_layout *layout, const hxi_schedule_request *requested);

/* The names that the options take, for a sentence. */
const char *hxi_schedule_names(char *text, size_t size);

#endif
