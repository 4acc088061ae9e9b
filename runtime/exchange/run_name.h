/*
 * Files that a run writes of its handles: "run.json", "run-2.json", ...
 */
#ifndef HX_RUN_NAME_H
#define HX_RUN_NAME_H

#include <stdatomic.h>

enum { HX_RUN_NAMES = 256 }; /* handles of a process that one kind of file is written of */

/* On the first rank of a handle.  Which handle it is, from 1; 0, in words: one more than there may be. */
int hxi_run_name_number(atomic_int *handles);

/*
 * The name of its file, for hxi_memory_free.  asked: that of the first handle; "run-rank4.json" of a handle whose
 * first rank is not the first of all.  Names count from the folder of now: the program may go elsewhere before
 * MPI_Finalize.
 */
char *hxi_run_name_make(const char *asked, int number);

#endif
