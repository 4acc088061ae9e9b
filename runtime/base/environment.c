#include "base/environment.h"

#include "base/status.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char variable[] = "HX_DEADLINE";
static const char legal[] = "a number of seconds, 0 for no deadline";

hx_status hxi_environment_deadline(double *deadline)
{
    const char *value = getenv(variable);
    if (value && value[0] != '\0') {
        char *end = NULL;
        *deadline = strtod(value, &end);
        if (*end != '\0') {
            return hxi_fail(HX_ERR_ARGUMENT,
                            "The environment variable %s is \"%s\"; the option deadline takes %s.", variable,
                            value, legal);
        }
    }
    return *deadline >= 0.0 && isfinite(*deadline)
               ? HX_OK
               : hxi_fail(HX_ERR_ARGUMENT, "The option deadline (or %s) is %g; it takes %s.", variable,
                          *deadline, legal);
}

bool hxi_environment_keeps_errhandler(int given)
{
    const char *value = getenv("HX_KEEP_ERRHANDLER");
    return value && value[0] != '\0' ? strcmp(value, "0") != 0 : given != 0;
}
