/*
 * Options: what was given, checked, with overrides from the environment.
 */
#ifndef HX_OPTIONS_H
#define HX_OPTIONS_H

#include <hx/hx.h>

#include <stdbool.h>

/* Who chose: "the default", "option transport", or "environment variable HX_TRANSPORT". */
typedef struct hxi_reasons {
    const char *transport;
    const char *schedule;
    const char *messages; /* of exchanges on devices */
    bool any_transport;   /* it is left to "auto" */
} hxi_reasons;

/* given: NULL for the defaults.  resolved->transport is the name of a transport of the registry. */
hx_status hxi_options_resolve(const hx_options *given, hx_options *resolved, hxi_reasons *why);

/* Logs a warning for each variable of the environment that starts like an option's and is none. */
void hxi_options_warn(const hx_options *options);

#endif
