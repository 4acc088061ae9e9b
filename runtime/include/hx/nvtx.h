/*
 * Exchanges as regions in Nsight Systems: header only, on top of NVTX 3, which comes with CUDA.
 *
 *     #include <hx/nvtx.h>
 *     ...
 *     hx_nvtx_observe();
 *     channel_create(...);
 *
 * Each start and each finish is a region with a name such as "velocity finish".  Its payload says which start it is,
 * from 0.  Within finish each wait is a region, too.  NVTX lists all of them below "libhx".
 *
 * Compile with -I or -isystem of a toolkit's headers; nothing is linked.  Without a profiler nothing is observed.
 */
#ifndef HX_NVTX_H
#define HX_NVTX_H

#include <hx/observe.h>

#include <nvtx3/nvToolsExt.h>

#include <stdio.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* For hx_observe_kinds.  context: an nvtxDomainHandle_t. */
static inline void hx_nvtx_note(void *context, const hx_event *event)
{
    const nvtxDomainHandle_t own = (nvtxDomainHandle_t)context;
    if (event->kind == HX_EVENT_STARTED || event->kind == HX_EVENT_WAITED ||
        event->kind == HX_EVENT_FINISHED) {
        nvtxDomainRangePop(own);
        return;
    }
    char text[128];
    hx_exchange_facts facts;
    nvtxEventAttributes_t region;
    const char *what = event->kind == HX_EVENT_START    ? "start"
                       : event->kind == HX_EVENT_FINISH ? "finish"
                                                        : "wait";
    memset(&region, 0, sizeof region);
    const int known = hx_exchange_query(event->handle->spec, event->exchange, &facts) == HX_OK;
    snprintf(text, sizeof text, "%s %s", known ? facts.name : "?", what);
    region.version = NVTX_VERSION;
    region.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    region.colorType = NVTX_COLOR_ARGB;
    region.color = event->kind == HX_EVENT_START    ? 0xff2e7d32U
                   : event->kind == HX_EVENT_FINISH ? 0xff1565c0U
                                                    : 0xffc62828U;
    region.payloadType = NVTX_PAYLOAD_TYPE_UNSIGNED_INT64;
    region.payload.ullValue = event->start;
    region.messageType = NVTX_MESSAGE_TYPE_ASCII;
    region.message.ascii = text;
    nvtxDomainRangePushEx(own, &region);
}

/* Local.  Call it once: handles that are created from then on have regions. */
static inline hx_status hx_nvtx_observe(void)
{
    const nvtxDomainHandle_t own = nvtxDomainCreateA("libhx");
    return own ? hx_observe_kinds(hx_nvtx_note, own,
                                  HX_EVENT_BIT(HX_EVENT_START) | HX_EVENT_BIT(HX_EVENT_STARTED) |
                                      HX_EVENT_BIT(HX_EVENT_FINISH) | HX_EVENT_BIT(HX_EVENT_WAIT) |
                                      HX_EVENT_BIT(HX_EVENT_WAITED) | HX_EVENT_BIT(HX_EVENT_FINISHED))
               : HX_OK;
}

#ifdef __cplusplus
}
#endif
#endif
