/*
 * Variables of the environment that concern more than options.
 */
#ifndef HX_ENVIRONMENT_H
#define HX_ENVIRONMENT_H

#include <hx/hx.h>

#include <stdbool.h>

/*
 * *deadline: the seconds that the application gave, and then those that count: what HX_DEADLINE says, if it
 * is set.  HX_ERR_ARGUMENT, in words, where that is no number of seconds.
 */
hx_status hxi_environment_deadline(double *deadline);

/* Does an error handler of the application stay?  given: its option, which HX_KEEP_ERRHANDLER overrides. */
bool hxi_environment_keeps_errhandler(int given);

#endif
