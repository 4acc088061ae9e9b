#include "nvtx_tool.h"

#include <nvtx3/nvToolsExt.h>

#include <stdio.h>

nvtx_tool_seen *nvtx_tool(void);
int InitializeInjectionNvtx2(NvtxGetExportTableFunc_t get_table);

static nvtx_tool_seen seen;
static int stack[NVTX_TOOL_REGIONS];

nvtx_tool_seen *nvtx_tool(void)
{
    return &seen;
}

static nvtxDomainHandle_t create_domain(const char *name)
{
    snprintf(seen.domain, sizeof seen.domain, "%s", name);
    return (nvtxDomainHandle_t)&seen;
}

static int push(nvtxDomainHandle_t domain, const nvtxEventAttributes_t *event)
{
    if ((void *)domain != &seen || seen.regions == NVTX_TOOL_REGIONS ||
        event->messageType != NVTX_MESSAGE_TYPE_ASCII) {
        seen.faults++;
        return -1;
    }
    nvtx_tool_region *region = &seen.region[seen.regions];
    snprintf(region->text, sizeof region->text, "%s", event->message.ascii);
    region->payload = event->payload.ullValue;
    region->depth = seen.open;
    stack[seen.open++] = seen.regions++;
    return region->depth;
}

static int pop(nvtxDomainHandle_t domain)
{
    if ((void *)domain != &seen || seen.open == 0) {
        seen.faults++;
        return -1;
    }
    seen.region[stack[--seen.open]].ended = 1;
    return seen.open;
}

int InitializeInjectionNvtx2(NvtxGetExportTableFunc_t get_table)
{
    unsigned size = 0;
    NvtxFunctionTable table = NULL;
    const NvtxExportTableCallbacks *callbacks = get_table(NVTX_ETID_CALLBACKS);
    if (!callbacks || !callbacks->GetModuleFunctionTable(NVTX_CB_MODULE_CORE2, &table, &size) ||
        size <= NVTX_CBID_CORE2_DomainCreateA) {
        return 0;
    }
    *table[NVTX_CBID_CORE2_DomainCreateA] = (NvtxFunctionPointer)create_domain;
    *table[NVTX_CBID_CORE2_DomainRangePushEx] = (NvtxFunctionPointer)push;
    *table[NVTX_CBID_CORE2_DomainRangePop] = (NvtxFunctionPointer)pop;
    return 1;
}
