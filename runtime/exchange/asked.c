#include "exchange/asked.h"

#include "exchange/handle.h"

#include <stdlib.h>
#include <string.h>

static bool is_set(const char *variable)
{
    const char *value = getenv(variable);
    return value && value[0] != '\0';
}

hx_status hxi_asked_tell(hx_handle *handle)
{
    const bool stats = is_set("HX_STATS") && strcmp(getenv("HX_STATS"), "0") != 0;
    handle->asked = (is_set("HX_DESCRIBE") ? HX_ASKED_DESCRIBE : 0) | (stats ? HX_ASKED_STATS : 0) |
                    (is_set("HX_TRACE") ? HX_ASKED_TRACE : 0) |
                    (is_set("HX_DEADLINE_REPORT") ? HX_ASKED_WAITS : 0);
    return hxi_topology_tell(&handle->topology, &handle->asked, sizeof handle->asked);
}
