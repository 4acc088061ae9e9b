#include "exchange/asked.h"

#include "base/status.h"
#include "exchange/handle.h"

#include <stdlib.h>
#include <string.h>

static bool is_set(const char *variable)
{
    const char *value = getenv(variable);
    return value && value[0] != '\0';
}

static hx_status read_switch(const char *variable, int bit, int *asked)
{
    const char *value = getenv(variable);
    if (!is_set(variable) || strcmp(value, "0") == 0) {
        return HX_OK;
    }
    *asked |= bit;
    return strcmp(value, "1") == 0
               ? HX_OK
               : hxi_fail(HX_ERR_ARGUMENT, "The environment variable %s is \"%s\"; it takes 0 or 1.",
                          variable, value);
}

/* On rank 0. */
static hx_status read_environment(int *asked)
{
    hxi_first first = {0};
    const bool stats = is_set("HX_STATS") && strcmp(getenv("HX_STATS"), "0") != 0;
    *asked = (is_set("HX_DESCRIBE") ? HX_ASKED_DESCRIBE : 0) | (stats ? HX_ASKED_STATS : 0) |
             (is_set("HX_TRACE") ? HX_ASKED_TRACE : 0) | (is_set("HX_DEADLINE_REPORT") ? HX_ASKED_WAITS : 0);
    hxi_first_note(&first, read_switch("HX_AUDIT", HX_ASKED_AUDIT, asked));
    hxi_first_note(&first, read_switch("HX_POISON", HX_ASKED_POISON, asked));
    return hxi_first_tell(&first);
}

hx_status hxi_asked_read(hx_handle *handle)
{
    return handle->topology.rank == 0 ? read_environment(&handle->asked) : HX_OK;
}
