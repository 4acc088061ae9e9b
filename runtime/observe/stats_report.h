/*
 * Statistics of all ranks, as the first one tells them.
 */
#ifndef HX_STATS_REPORT_H
#define HX_STATS_REPORT_H

#include "observe/blame.h"
#include "observe/stats_counts.h"

#include <stdbool.h>
#include <stddef.h>

/* What a rank told: counts, then those of each exchange, then ranks that it waited for. */
typedef struct hxi_rank_report {
    const hxi_rank_counts *counts; /* NULL: it told nothing */
    const hxi_exchange_counts *exchange;
    hxi_waits waits;
    double work;  /* seconds in which it did not wait */
    double blame; /* seconds that others waited because of it */
} hxi_rank_report;

typedef struct hxi_report_name {
    const char *name;
    int line; /* in the spec */
} hxi_report_name;

typedef struct hxi_report {
    const char *spec;
    const char *file;
    uint64_t hash;
    const hxi_report_name *exchange;
    int exchanges;
    hxi_rank_report *rank;
    int ranks;
    int silent; /* ranks that told nothing */

    double seconds; /* from the first start to the end of the last finish */
    double wait;    /* mean of all ranks, as what follows */
    double late;
    double work;
    int slowest; /* the rank that works longest; -1: none told anything */
    double copy_rate;
    double reached;   /* bytes that loops moved in a second */
    double uncertain; /* the most that two clocks may differ */
} hxi_report;

/* Fills in what a rank told; data stays where it is. */
void hxi_report_take(hxi_report *report, int rank, const void *data, size_t bytes);

/* When all have told.  Reckons the rest.  HX_ERR_MEMORY, or HX_OK. */
hx_status hxi_report_finish(hxi_report *report);

/* Seconds that a rank works longer than the others do on average, relative to these; 0 where it is alone. */
double hxi_report_slower(const hxi_report *report, int rank);

/* The rank that comes next by blame, after `after` (-1: the first); -1: none is worth telling. */
int hxi_report_next(const hxi_report *report, int after);

#endif
