#include "observe/request.h"

#include "base/log.h"
#include "base/status.h"
#include "observe/mapped_file.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static uint64_t make_id(void)
{
    static atomic_uint made;
    return (uint64_t)(hxi_mapped_file_day_time() * 1e6) << 8 | (atomic_fetch_add(&made, 1u) & 0xffu);
}

hx_status hxi_request_tell(const hx_handle *handle, const char *variable, hxi_request *request)
{
    const char *asked = getenv(variable);
    *request = (hxi_request){0};
    if (handle->topology.rank == 0 && asked && strlen(asked) < sizeof request->directory) {
        request->id = make_id();
        memcpy(request->directory, asked, strlen(asked) + 1);
    }
    const hx_status status = hxi_topology_tell(&handle->topology, request, sizeof *request);
    return status != HX_OK || request->id != 0
               ? status
               : hxi_fail(HX_ERR_LIMIT,
                          "The name of the directory has more than %d bytes; give a shorter one.",
                          (int)sizeof request->directory - 1);
}

void hxi_request_warn(const hx_handle *handle, const char *variable)
{
    const hx_options loud = {.log_level = HX_LOG_WARNING};
    hxi_log(&loud, HX_LOG_WARNING, "%s: %s on rank %d: %s", handle->spec->name, variable,
            handle->topology.rank, hx_last_error());
}
