#include "check.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/lsan_interface.h>
#endif

enum { PRINTED = 8 };

static _Atomic long failures;
static _Thread_local char about[512];

/*
 * MPI leaks from plugins that it loads and closes in MPI_Init and MPI_Finalize, and a leak from what is not
 * loaded any more has no name to suppress it by (see mpirun.sh).  So leaks are looked for between the two.
 */
int check_init(int *argc, char ***argv, int level)
{
    int provided = level;
#ifdef __SANITIZE_ADDRESS__
    __lsan_disable();
#endif
    MPI_Init_thread(argc, argv, level, &provided);
#ifdef __SANITIZE_ADDRESS__
    __lsan_enable();
#endif
    return provided;
}

static void run_in_turn(void *state, int threads, hx_team_work_fn *work, void *data)
{
    static _Thread_local unsigned runs;
    (void)state;
    const int n = runs++ % 2 == 1 && threads > 1 ? threads - 1 : threads;
    for (int thread = n - 1; thread >= 0; --thread) {
        work(data, thread, n);
    }
}

const hx_team *check_team(void)
{
    static const hx_team team = {run_in_turn, NULL};
    return &team;
}

void check_about(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(about, sizeof about, format, arguments);
    va_end(arguments);
}

void check_failed(const char *file, int line, const char *format, ...)
{
    if (++failures > PRINTED) {
        return;
    }
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    int rank = -1;
    int finalized = 0;
    MPI_Finalized(&finalized);
    if (!finalized) {
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    }
    fprintf(stderr, "%s:%d: rank %d: %s [%s]\n", file, line, rank, text, about);
}

int check_status(hx_status got, hx_status expected, const char *call, const char *file, int line)
{
    if (got != expected) {
        check_failed(file, line, "%s gave %s, expected %s; last error: %s", call, hx_status_name(got),
                     hx_status_name(expected), hx_last_error());
    }
    return got == expected;
}

void check_refused(MPI_Comm comm, hx_status got, hx_status expected, const char *words, check_site place)
{
    if (check_status(got, expected, place.call, place.file, place.line) &&
        strstr(hx_last_error(), words) == NULL) {
        check_failed(place.file, place.line, "%s was refused without the words '%s': %s", place.call, words,
                     hx_last_error());
    }
    int range[2] = {(int)got, -(int)got};
    MPI_Allreduce(MPI_IN_PLACE, range, 2, MPI_INT, MPI_MAX, comm);
    if (range[0] != -range[1]) {
        check_failed(place.file, place.line, "%s: ranks got statuses from %d to %d", place.call, -range[1],
                     range[0]);
    }
}

long check_failures(void)
{
    return failures;
}

int check_verdict(const char *summary)
{
    const long mine = failures;
    long all = 0;
    int rank = 0;
    MPI_Allreduce(&mine, &all, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        printf("%s: %ld failures\n", summary, all);
    }
#ifdef __SANITIZE_ADDRESS__
    __lsan_do_leak_check();
#endif
    MPI_Finalize();
    return all != 0;
}
