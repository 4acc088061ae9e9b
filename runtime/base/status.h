/*
 * Statuses and the sentences that go with them.
 */
#ifndef HX_STATUS_H
#define HX_STATUS_H

#include <hx/hx.h>

enum { HX_SENTENCE = 1024 }; /* bytes of the longest sentence, with its final zero */

#if defined(__GNUC__)
#define HX_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define HX_PRINTF(text, first)
#endif

/* Sets this thread's hx_last_error() and returns the status, so that it can end a function. */
hx_status hxi_fail(hx_status status, const char *format, ...) HX_PRINTF(2, 3);

/*
 * The same for an MPI call that returned `code`; the text says what was called, and MPI's own text is added.
 */
hx_status hxi_fail_mpi(int code, const char *format, ...) HX_PRINTF(2, 3);

/* The first of several failures, with its own sentence whatever fails after it.  Starts as {0}. */
typedef struct hxi_first {
    hx_status status;
    char sentence[HX_SENTENCE];
} hxi_first;

/* Right after a step: keeps its failure, unless an earlier one is kept. */
void hxi_first_note(hxi_first *first, hx_status status);

/* Makes the kept failure the last error again, and returns its status; HX_OK if there was none. */
hx_status hxi_first_tell(const hxi_first *first);

#endif
