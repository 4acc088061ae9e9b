/*
 * Exchanges that cannot end: whoever waits says for whom when the deadline has passed, and ends the job.
 *
 *   late order      rank 0 calls the two exchanges in another order than the others
 *   late missing    rank 0 calls none
 *   late killed     rank 1 is killed between start and finish
 *   late long       six seconds of exchanges, with time for a cable to be pulled out
 */
#include "ring.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { CELLS = 32, LATE = 3 };

/*
 * Says for whom this rank waits, lets go of the handle, and ends the job when others had time to say so, too.
 */
static void give_up(const ring *r, double waited)
{
    printf("rank %d waited %.1f s: %s\n", r->rank, waited, hx_last_error());
    const double before = MPI_Wtime();
    const hx_status status = duo_destroy(r->halo);
    printf("rank %d destroyed: %s after %.1f s\n", r->rank, hx_status_name(status), MPI_Wtime() - before);
    fflush(stdout);
    sleep(2);
    MPI_Abort(MPI_COMM_WORLD, LATE);
}

static void finish(const ring *r, hx_status (*call)(duo *))
{
    const double before = MPI_Wtime();
    const hx_status status = call(r->halo);
    if (status == HX_ERR_DEADLINE) {
        give_up(r, MPI_Wtime() - before);
    }
    ring_need(status);
}

static void first(const ring *r)
{
    ring_need(duo_first_start(r->halo, &r->fields));
    finish(r, duo_first_finish);
}

static void second(const ring *r)
{
    ring_need(duo_second_start(r->halo, &r->fields));
    finish(r, duo_second_finish);
}

static void order(const ring *r)
{
    if (r->rank == 0) {
        first(r);
        second(r);
    } else {
        second(r);
        first(r);
    }
}

static void missing(const ring *r)
{
    if (r->rank != 0) {
        first(r);
    }
    sleep(60); /* until somebody ends the job */
}

static void killed(const ring *r)
{
    for (int i = 0;; ++i) {
        ring_need(duo_first_start(r->halo, &r->fields));
        if (i == 20 && r->rank == 1) {
            raise(SIGKILL);
        }
        finish(r, duo_first_finish);
    }
}

static void last(const ring *r)
{
    for (int i = 0; i < 600; ++i) {
        first(r);
        usleep(10000);
        if (i == 20 && r->rank == 0) {
            puts("under way");
            fflush(stdout);
        }
    }
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(const ring *r);
    } modes[] = {{"order", order}, {"missing", missing}, {"killed", killed}, {"long", last}};
    const ring r = ring_make(&argc, &argv, CELLS);
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; ++i) {
        if (argc == 2 && strcmp(argv[1], modes[i].name) == 0) {
            modes[i].run(&r);
        }
    }
    ring_need(duo_destroy(r.halo));
    MPI_Finalize();
    return 0;
}
