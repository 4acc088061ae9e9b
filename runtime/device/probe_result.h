/*
 * The file of what hx_probe has found: a line for each MPI on each machine.
 *
 *     VERDICT <tab> HOST <tab> MPI
 *
 * A verdict is "yes", all that was sent from memory of devices came through; "insisted", the same, though MPI
 * says that it cannot; or "no", also where it was never found out.  Of several lines the last one counts.
 * Others than these are left alone.  A host that nobody tried has none: run hx_probe on all of them, or on
 * each.
 */
#ifndef HX_VERDICT_H
#define HX_VERDICT_H

#include <hx/hx.h>

#include <stdbool.h>

typedef enum hx_verdict {
    HX_VERDICT_NONE, /* nobody has tried */
    HX_VERDICT_NO,
    HX_VERDICT_YES,
    HX_VERDICT_INSISTED
} hx_verdict;

enum { HX_VERDICT_PATH = 1024 };

/*
 * Where the file is: as given, or where that is NULL hx/verdicts in $XDG_CACHE_HOME, or else in
 * $HOME/.cache.  NULL: there is no such place.
 */
const char *hx_verdict_path(const char *given, char path[HX_VERDICT_PATH]);

/* Names shorter than HX_AWARE_NAME, without tabs, here and below.  A file that cannot be read has none. */
hx_verdict hx_verdict_read(const char *path, const char *host, const char *mpi);

/*
 * For all these hosts, in place of what there was; makes the directories, too.  The file is replaced as a
 * whole, see atomic_file.h.  HX_ERR_ARGUMENT, in words, if it cannot be read, or written; then it is as it
 * was.
 */
hx_status hx_verdict_write(const char *path, hx_verdict verdict, int hosts, const char *const host[],
                           const char *mpi);

#endif
