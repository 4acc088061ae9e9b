/*
 * HX_DESCRIBE=FILE: what the handles of a run really did, as JSON, written in MPI_Finalize.  Destroy waits for
 * nobody, so each rank keeps what it has to tell; in MPI_Finalize all ranks come together.
 */
#ifndef HX_RUN_FILE_H
#define HX_RUN_FILE_H

#include <hx/hx.h>

struct hx_handle;

/* Collective over a handle that is ready: from here on its calls are timed, where rank 0 asks for it. */
void hxi_run_file_open(struct hx_handle *handle);

#endif
