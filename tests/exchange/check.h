/*
 * Counting what went wrong on all ranks.  A failed check prints one line and the test goes on, so that no
 * rank waits for another that gave up.
 */
#ifndef CHECK_H
#define CHECK_H

#include <hx/hx.h>

/* MPI_Init_thread; returns the level provided. */
int check_init(int *argc, char ***argv, int level);

/*
 * A team for the option of this name, of one thread: parts of work run one after the other, from the last to the
 * first.  Every other time it has one thread less than it is asked for.
 */
const hx_team *check_team(void);

/* What the checks of this thread are about at the moment; printed with each failure. */
void check_about(const char *format, ...) __attribute__((format(printf, 1, 2)));

void check_failed(const char *file, int line, const char *format, ...) __attribute__((format(printf, 3, 4)));

#define CHECK(condition, ...)                                                                                \
    do {                                                                                                     \
        if (!(condition)) {                                                                                  \
            check_failed(__FILE__, __LINE__, __VA_ARGS__);                                                   \
        }                                                                                                    \
    } while (0)

/* That a call returned this status. */
#define CHECK_STATUS(call, expected) check_status((call), (expected), #call, __FILE__, __LINE__)

/* 1 if it did. */
int check_status(hx_status got, hx_status expected, const char *call, const char *file, int line);

/* For errors: the status, a sentence that contains `words`, and the same status on all ranks of comm
 * (collective). */
#define CHECK_REFUSED(comm, call, expected, words)                                                           \
    check_refused((comm), (call), (expected), (words), (check_site){#call, __FILE__, __LINE__})
typedef struct check_site {
    const char *call;
    const char *file;
    int line;
} check_site;
void check_refused(MPI_Comm comm, hx_status got, hx_status expected, const char *words, check_site place);

/* Failures so far on this rank. */
long check_failures(void);

/* Collective over MPI_COMM_WORLD: finalizes MPI and returns the exit status of the test. */
int check_verdict(const char *summary);

#endif
