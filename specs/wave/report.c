#include "report.h"

#include "../common/check.h"

#include <stdio.h>

static const char *const name[WAVE_EXCHANGES] = {
    [WAVE_PRESSURE] = "pressure",
    [WAVE_VELOCITY] = "velocity",
    [WAVE_STATE] = "state",
};

/* For each step; times in seconds. */
enum { MESSAGES, SENT, COPIED, PACK, WAIT, UNPACK, COLUMNS };

/* Returns whether it has run. */
static int read_traffic(const solver *s, int exchange, int steps, double column[COLUMNS])
{
    hx_traffic traffic;
    check(wave_traffic(s->halo, exchange, &traffic));
    const double count = steps > 0 ? (double)steps : 1.0, share = (double)traffic.exchanges / count;
    column[MESSAGES] = share * traffic.messages;
    column[SENT] = share * (double)traffic.bytes_sent;
    column[COPIED] = share * (double)traffic.bytes_copied;
    column[PACK] = traffic.pack_seconds / count;
    column[WAIT] = traffic.wait_seconds / count;
    column[UNPACK] = traffic.unpack_seconds / count;
    return traffic.exchanges > 0;
}

void report_traffic(const solver *s, MPI_Comm comm, int steps, double seconds)
{
    int rank, ranks;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);

    const double mine = seconds / (steps > 0 ? steps : 1);
    double step = 0.0;
    MPI_Reduce(&mine, &step, 1, MPI_DOUBLE, MPI_SUM, 0, comm);
    step /= ranks;
    if (rank == 0) {
        printf("\nwhat travels in a time step of %.3f ms (messages and bytes: of all ranks; times: the "
               "ranks' mean)\n\n"
               "  exchange   messages   sent (kB)   copied (kB)   pack (ms)   wait (ms)   unpack (ms)   of "
               "the step\n",
               1e3 * step);
    }
    for (int exchange = 0; exchange < WAVE_EXCHANGES; ++exchange) {
        double column[COLUMNS], sum[COLUMNS] = {0.0};
        const int shown = read_traffic(s, exchange, steps, column);
        MPI_Reduce(column, sum, COLUMNS, MPI_DOUBLE, MPI_SUM, 0, comm);
        if (rank == 0 && shown) {
            const double pack = sum[PACK] / ranks, wait = sum[WAIT] / ranks, unpack = sum[UNPACK] / ranks;
            printf("  %-8s %10.1f %11.1f %13.1f %11.3f %11.3f %13.3f %11.1f %%\n", name[exchange],
                   sum[MESSAGES], 1e-3 * sum[SENT], 1e-3 * sum[COPIED], 1e3 * pack, 1e3 * wait, 1e3 * unpack,
                   step > 0.0 ? 100.0 * (pack + wait + unpack) / step : 0.0);
        }
    }
}
