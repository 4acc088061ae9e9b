/*
 * The file of a process for HX_TRACE: made, and shortened to what it has when the process ends.
 */
#ifndef HX_TRACE_FILE_H
#define HX_TRACE_FILE_H

#include "observe/trace_format.h"

#include <hx/hx.h>

typedef struct hxi_trace_file {
    hxi_trace_head *head;
    hxi_trace_record *record;
} hxi_trace_file;

/* process: its rank among all.  On failure, in words, there is none. */
hx_status hxi_trace_file_make(const char *directory, int process, hxi_trace_file *file);

#endif
