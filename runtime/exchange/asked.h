/*
 * What the environment of rank 0 asks of a run beside its options, told once.  The other ranks need not have the variables.
 */
#ifndef HX_ASKED_H
#define HX_ASKED_H

#include <hx/hx.h>

struct hx_handle;

enum {
    HX_ASKED_DESCRIBE = 1, /* HX_DESCRIBE: run_file.h */
    HX_ASKED_STATS = 2,    /* HX_STATS: observe/stats.h */
    HX_ASKED_TRACE = 4,    /* HX_TRACE: observe/trace.h */
    HX_ASKED_WAITS = 8,    /* HX_DEADLINE_REPORT: observe/waits.h */
    HX_ASKED_AUDIT = 16,   /* HX_AUDIT: audits.h */
    HX_ASKED_POISON = 32   /* HX_POISON: audits.h */
};

/* Local: sets handle->asked on rank 0, which tells it when all agree.  A value may be none of those that are taken. */
hx_status hxi_asked_read(struct hx_handle *handle);

#endif
