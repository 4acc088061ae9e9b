#include "bench.h"

#include <string.h>
#include <unistd.h>

const variant *const variants[VARIANTS] = {&datatypes_nonblocking, &datatypes_persistent, &packing,
                                           &emitted_persistent,    &emitted_one_phase,    &emitted_p2p,
                                           &emitted_neighbor,      &emitted_shared,       &emitted_alloc,
                                           &emitted_best,          &by_hand_shared};
const int judged[JUDGED] = {3, 8, 9};
enum { BASELINE = 0 };

static const double slack = 1.15; /* over the aims */
static const double noise = 1.10; /* over (a), where there is no aim */

/* Of a variant's times to those of (a) in the same round. */
static ratio ratio_of(const result *r, int v)
{
    return rounds_ratio(r->rounds, r->time[v], r->time[BASELINE]);
}

void report_heading(const rounds *r, bool alone)
{
    if (alone) {
        printf("%-16s split  microseconds with dirty caches: median of %d rounds of %g s\n", "n,h,F",
               r->count, r->seconds);
        return;
    }
    char library[MPI_MAX_LIBRARY_VERSION_STRING];
    int length;
    MPI_Get_library_version(library, &length);
    library[strcspn(library, ",\n")] = '\0'; /* its first line tells the version */
    for (char *tab = library; (tab = strchr(tab, '\t'));) {
        *tab = ' ';
    }
    printf(
        "Halo exchanges, periodic, 26 neighbors, 2 ranks with blocks of n^3 cells, plain arrays: n, halo, "
        "fields "
        "of double, or\n"
        "as said: float; width1, one layer of the halo; mixed, double, float, int32_t and complex128 with "
        "halos "
        "3, 1, 2, 1;\n"
        "blocks, 4 a rank; together, ours in one array with all fields side by side at each point.\n"
        "Time relative to (a) with dirty caches: median of %d rounds of %g s, in brackets the middle half.\n",
        r->count, r->seconds);
    for (int v = 0; v < VARIANTS; ++v) {
        printf("  %-22s %s\n", variants[v]->name, variants[v]->what);
    }
    printf("Compiler %s, emitted code with -O2; %s; %ld processors; governor unknown.\n", __VERSION__,
           library, sysconf(_SC_NPROCESSORS_ONLN));
    printf("Judged: %s, %s and %s; bar: %.2f x aim, or %.2f where there is no aim.\n\n",
           variants[judged[0]]->name, variants[judged[1]]->name, variants[judged[2]]->name, slack, noise);
    printf("%-16s split", "n,h,F");
    for (int v = 1; v < VARIANTS; ++v) {
        printf("  %-17.17s", variants[v]->name);
    }
    printf("  bars\n");
}

bool report_time(const result *r)
{
    for (int v = 0; v < VARIANTS; ++v) {
        if (r->done[v]) {
            char name[32];
            snprintf(name, sizeof name, "%d,%s", r->n, r->kind->name);
            printf("%-16s %s  %.2f\n", name, r->split, rounds_median(r->rounds, r->time[v]));
        }
    }
    return true;
}

bool report_row(const result *r, bool smoke)
{
    char name[32];
    snprintf(name, sizeof name, "%d,%s", r->n, r->kind->name);
    printf("%-16s %s", name, r->split);
    for (int v = 1; v < VARIANTS; ++v) {
        if (!r->done[v]) {
            printf("  %5s %11s", "-", "");
            continue;
        }
        const ratio x = ratio_of(r, v);
        printf("  %5.2f (%.2f-%.2f)", x.middle, x.low, x.high);
    }
    if (smoke) {
        printf("\n");
        return true;
    }
    bool all = true;
    for (int i = 0; i < JUDGED; ++i) {
        const double bar = r->aim[i] > 0 ? slack * r->aim[i] : noise;
        const bool met = ratio_of(r, judged[i]).middle <= bar;
        printf("  %.2f %s", bar, met ? "pass" : "MISSED");
        all = all && met;
    }
    printf("\n");
    return all;
}

void report_numbers(const result *r)
{
    for (int v = 0; v < VARIANTS; ++v) {
        if (!r->done[v]) {
            continue;
        }
        FILE *out = r->rounds->numbers;
        fprintf(out, "n=%d kind=%s split=%s variant=%s", r->n, r->kind->name, r->split, variants[v]->name);
        if (r->done[BASELINE]) {
            const ratio x = ratio_of(r, v);
            fprintf(out, " ratio=%.4f low=%.4f high=%.4f", x.middle, x.low, x.high);
        }
        if (r->flag > 0) {
            fprintf(out, " flag_ns=%.0f", r->flag);
        }
        fprintf(out, " microseconds=%.2f\n", rounds_median(r->rounds, r->time[v]));
    }
}
