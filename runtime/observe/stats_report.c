#include "observe/stats_report.h"

#include "base/memory.h"

static const double worth_telling = 0.01; /* of the run: a rank for which others wait for less is not named */

void hxi_report_take(hxi_report *report, int rank, const void *data, size_t bytes)
{
    const hxi_rank_counts *counts = data;
    const size_t exchanges = (size_t)report->exchanges * sizeof(hxi_exchange_counts);
    hxi_rank_report *told = &report->rank[rank];
    *told = (hxi_rank_report){.counts = NULL};
    if (!data || bytes < sizeof *counts + exchanges) {
        return;
    }
    told->counts = counts;
    told->exchange = (const hxi_exchange_counts *)(counts + 1);
    told->waits =
        (hxi_waits){(const hxi_awaited *)(told->exchange + report->exchanges), (int)counts->awaited};
}

/* ---- reckoning ----------------------------------------------------------------------------------------- */

static hx_status find_blame(hxi_report *report)
{
    const size_t ranks = (size_t)report->ranks;
    hxi_waits *waits = hxi_memory_get(ranks, sizeof *waits, "who waits for whom");
    double *blame = hxi_memory_get(3 * ranks, sizeof *blame, "who waits for whom");
    if (waits && blame) {
        for (int r = 0; r < report->ranks; ++r) {
            waits[r] = report->rank[r].waits;
        }
        hxi_blame_find(waits, report->ranks, blame, blame + ranks);
        for (int r = 0; r < report->ranks; ++r) {
            report->rank[r].blame = blame[r];
        }
    }
    const hx_status status = waits && blame ? HX_OK : HX_ERR_MEMORY;
    hxi_memory_free(waits);
    hxi_memory_free(blame);
    return status;
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

/* Sums, over ranks that told something. */
static void add_rank(hxi_report *report, int rank, double *bytes, double *moving)
{
    hxi_rank_report *told = &report->rank[rank];
    const double seconds = told->counts->last - told->counts->first;
    told->work = larger(0.0, seconds - told->counts->wait);
    report->seconds = larger(report->seconds, seconds);
    report->wait += told->counts->wait;
    report->late += told->counts->late;
    report->work += told->work;
    report->copy_rate += told->counts->copy_rate;
    report->uncertain = larger(report->uncertain, told->counts->uncertain);
    if (report->slowest < 0 || told->work > report->rank[report->slowest].work) {
        report->slowest = rank;
    }
    *bytes += told->counts->moved_bytes;
    *moving += told->counts->moving;
}

hx_status hxi_report_finish(hxi_report *report)
{
    double bytes = 0.0;
    double moving = 0.0;
    int told = 0;
    report->seconds = 0.0;
    report->wait = 0.0;
    report->late = 0.0;
    report->work = 0.0;
    report->copy_rate = 0.0;
    report->uncertain = 0.0;
    report->slowest = -1;
    for (int r = 0; r < report->ranks; ++r) {
        if (report->rank[r].counts) {
            add_rank(report, r, &bytes, &moving);
            told++;
        }
    }
    report->silent = report->ranks - told;
    if (told > 0) {
        report->wait /= told;
        report->late /= told;
        report->work /= told;
        report->copy_rate /= told;
    }
    report->reached = moving > 0.0 ? bytes / moving : 0.0;
    return find_blame(report);
}

double hxi_report_slower(const hxi_report *report, int rank)
{
    const int others = report->ranks - report->silent - 1;
    if (others < 1) {
        return 0.0;
    }
    const double mean = (report->work * (others + 1) - report->rank[rank].work) / others;
    return mean > 0.0 ? report->rank[rank].work / mean - 1.0 : 0.0;
}

/* ---- who is worth telling ------------------------------------------------------------------------------ */

/* By falling blame, then by rising rank. */
static bool is_after(const hxi_report *report, int rank, int other)
{
    const double blame = report->rank[rank].blame;
    const double last = report->rank[other].blame;
    return blame < last || (blame <= last && rank > other);
}

int hxi_report_next(const hxi_report *report, int after)
{
    int next = -1;
    for (int r = 0; r < report->ranks; ++r) {
        if (report->rank[r].blame > worth_telling * report->seconds &&
            (after < 0 || is_after(report, r, after)) && (next < 0 || is_after(report, next, r))) {
            next = r;
        }
    }
    return next;
}
