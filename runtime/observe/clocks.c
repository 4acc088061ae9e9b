#include "observe/clocks.h"

hx_status hxi_clocks_compare(hx_handle *handle)
{
    if (handle->clock_known) {
        return HX_OK;
    }
    const hx_status status = hxi_clock_compare(&handle->topology, &handle->clock);
    handle->clock_known = status == HX_OK;
    return status;
}
