/*
 * Runs that do not go on, for `halogen trace why`: from step 3 on one of four ranks does something else.
 *
 * usage: hanging FOLDER WHAT [stay]
 *
 * FOLDER gets pid-RANK.  WHAT: stopped, rank 2 stops itself; late, it waits in start for a file FOLDER/go; exchange, rank 3 calls
 * another one; spec, rank 1 one of another handle; skip, rank 1 none; audit, the others
 * call hx_audit, too.  stay: who waited in vain does not end.
 */
#include "check.h"
#include "layout.h"
#include "specs.h"

#include <hx/observe.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { STEPS = 6, STEP = 3, SPECS = 2 };

typedef struct side {
    layout l;
    hx_handle *handle;
    void *pointers;
} side;

static int rank;
static int ranks;
static volatile sig_atomic_t asked;

/* Handlers of the program, which libhx leaves in place: of one kind on rank 0, of the other one on rank 1, else none. */
static void note_plainly(int number)
{
    asked = number;
}

static void note_in_full(int number, siginfo_t *info, void *context)
{
    asked = info && context ? number : 0;
}

static void set_handler(void)
{
    struct sigaction wanted = {.sa_handler = note_plainly};
    if (rank == 1) {
        wanted.sa_sigaction = note_in_full;
        wanted.sa_flags = SA_SIGINFO;
    }
    if (rank < 2) {
        sigaction(SIGUSR1, &wanted, NULL);
    }
}

static void make(side *s, const hx_spec *spec)
{
    hx_partition partition[LAYOUT_TILES];
    partition[0] = (hx_partition){.axes = 3, .cells = {8, 8 * ranks, 8}, .ranks = {1, ranks, 1}};
    layout_make(&s->l, &(layout_request){.spec = spec, .comm = MPI_COMM_WORLD, .partition = partition});
    CHECK_STATUS(hx_create(s->l.spec, &s->l.blocks, s->l.shapes, NULL, &s->handle), HX_OK);
    s->pointers = calloc((size_t)s->l.blocks.count, spec->fields_size);
    CHECK_STATUS(hx_alloc(s->handle, s->pointers), HX_OK);
}

static bool exchange(side *s, int number)
{
    return hx_start(s->handle, number, s->pointers) == HX_OK && hx_finish(s->handle, number) == HX_OK;
}

/* An observer that holds a start up until there is a file. */
static void hold_up(void *context, const hx_event *event)
{
    const char *path = context;
    const struct timespec soon = {.tv_nsec = 10000000};
    while (event->kind == HX_EVENT_START && event->start == STEP && access(path, F_OK) != 0) {
        nanosleep(&soon, NULL);
    }
}

/* What this rank does instead; false: it waited in vain. */
static bool go_astray(side *sides, int step, const char *what)
{
    if (strcmp(what, "stopped") == 0 && rank == 2 && step == STEP) {
        kill(getpid(), SIGSTOP);
    }
    if (strcmp(what, "exchange") == 0 && rank == 3) {
        return exchange(&sides[0], 1);
    }
    if (strcmp(what, "spec") == 0 && rank == 1) {
        return exchange(&sides[1], 2);
    }
    if (strcmp(what, "audit") == 0) {
        return hx_audit(sides[0].handle, 0, sides[0].pointers) == HX_OK;
    }
    return exchange(&sides[0], 0);
}

int main(int argc, char **argv)
{
    char path[512];
    static side sides[SPECS];
    check_init(&argc, &argv, MPI_THREAD_SINGLE);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const char *folder = argc > 1 ? argv[1] : ".", *what = argc > 2 ? argv[2] : "";
    snprintf(path, sizeof path, "%s/pid-%d", folder, rank);
    FILE *file = fopen(path, "w");
    if (file) {
        fprintf(file, "%ld\n", (long)getpid());
        fclose(file);
    }
    set_handler();
    snprintf(path, sizeof path, "%s/go", folder);
    if (strcmp(what, "late") == 0 && rank == 2) {
        CHECK_STATUS(hx_observe(hold_up, path), HX_OK);
    }
    for (int i = 0; i < SPECS; ++i) {
        make(&sides[i], specs[i]);
    }
    const int steps = (strcmp(what, "skip") == 0 || strcmp(what, "audit") == 0) && rank == 1 ? STEP : STEPS;
    bool goes_on = true;
    for (int step = 0; step < steps && goes_on; ++step) {
        goes_on = step < STEP ? exchange(&sides[0], 0) : go_astray(sides, step, what);
    }
    while (!goes_on && argc > 3) {
        pause();
    }
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK(rank > 1 || strcmp(what, "stopped") != 0 || asked == SIGUSR1, "rank %d was not told of SIGUSR1",
          rank);
    for (int i = 0; i < SPECS; ++i) {
        CHECK_STATUS(hx_destroy(sides[i].handle), HX_OK);
        free(sides[i].pointers);
        layout_free(&sides[i].l);
    }
    return check_verdict("hanging");
}
