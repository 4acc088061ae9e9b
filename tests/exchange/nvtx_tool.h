/*
 * What a profiler of NVTX would see: nvtx_tool.c is a library that NVTX loads, as NVTX3 documents it for tools.
 */
#ifndef TESTS_NVTX_TOOL_H
#define TESTS_NVTX_TOOL_H

enum { NVTX_TOOL_REGIONS = 1000, NVTX_TOOL_TEXT = 64 };

typedef struct nvtx_tool_region {
    char text[NVTX_TOOL_TEXT];
    unsigned long long payload;
    int depth; /* regions around it */
    int ended;
} nvtx_tool_region;

/* Of this process. */
typedef struct nvtx_tool_seen {
    char domain[NVTX_TOOL_TEXT];
    nvtx_tool_region region[NVTX_TOOL_REGIONS];
    int regions;
    int open;
    int faults; /* ends without a beginning, other domains, too many */
} nvtx_tool_seen;

#endif
