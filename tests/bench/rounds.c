#include "bench.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static FILE *open_numbers(const char *name)
{
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    FILE *file = rank == 0 ? fopen(name, "w") : NULL;
    if (rank == 0 && !file) {
        give_up("-o %s: cannot be written", name);
    }
    return file;
}

bool rounds_option(rounds *r, int option, const char *argument)
{
    switch (option) {
    case 'r':
        r->count = atoi(argument);
        return true;
    case 't':
        r->seconds = atof(argument);
        return true;
    case 'o':
        r->numbers = open_numbers(argument);
        return true;
    default:
        return false;
    }
}

void rounds_check(const rounds *r)
{
    if (r->count < 1 || r->count > MAX_ROUNDS) {
        give_up("-r %d: 1 to %d rounds are possible", r->count, MAX_ROUNDS);
    }
}

void rounds_close(const rounds *r)
{
    if (r->numbers) {
        fclose(r->numbers);
    }
}

void rounds_run(const rounds *r, int ways, void (*measure)(void *work, int way, int round), void *work)
{
    for (int round = 0; round < r->count; ++round) {
        for (int i = 0; i < ways; ++i) {
            measure(work, round % 2 ? ways - 1 - i : i, round);
        }
    }
}

double rounds_median(const rounds *r, const double time[])
{
    double sorted[MAX_ROUNDS];
    memcpy(sorted, time, sizeof sorted);
    return median(sorted, r->count);
}

ratio rounds_ratio(const rounds *r, const double time[], const double base[])
{
    double each[MAX_ROUNDS];
    for (int round = 0; round < r->count; ++round) {
        each[round] = time[round] / base[round];
    }
    return (ratio){median(each, r->count), quantile(each, r->count, 0.25), quantile(each, r->count, 0.75)};
}

session session_begin(int argc, char **argv, const session *usual, int most)
{
    session s = *usual;
    int option;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &s.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &s.ranks);
    if (s.ranks < 2 || s.ranks > most) {
        give_up("runs on 2 to %d ranks, not on %d", most, s.ranks);
    }
    while ((option = getopt(argc, argv, "r:t:c:o:s")) != -1) {
        if (option == 'c') {
            s.only = optarg;
        } else if (option == 's') {
            s.smoke = true;
            s.rounds.count = 1;
            s.rounds.seconds = 0.0002;
        } else if (!rounds_option(&s.rounds, option, optarg)) {
            give_up("usage: %s [-r ROUNDS] [-t SECONDS] [-c CASE] [-o FILE] [-s]", s.program);
        }
    }
    rounds_check(&s.rounds);
    measure_open();
    return s;
}

int session_end(const session *s, int missed)
{
    MPI_Bcast(&missed, 1, MPI_INT, 0, MPI_COMM_WORLD);
    rounds_close(&s->rounds);
    measure_close();
    MPI_Finalize();
    return missed && !s->smoke ? EXIT_FAILURE : EXIT_SUCCESS;
}
