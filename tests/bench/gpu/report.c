#include "gpu.h"

#include <stdlib.h>
#include <string.h>

static const char *const phase_names[PHASES] = {"pack", "unpack", "both"};

void report_heading(FILE *markdown)
{
    struct cudaDeviceProp device;
    int number = 0;
    int driver = 0;
    int runtime = 0;
    must(cudaGetDevice(&number), "asking for the device");
    must(cudaGetDeviceProperties(&device, number), "asking for the device");
    must(cudaDriverGetVersion(&driver), "asking for the driver");
    must(cudaRuntimeGetVersion(&runtime), "asking for the runtime");
    char text[500];
    snprintf(text, sizeof text,
             "%s, compute capability %d.%d, %d multiprocessors, %d MiB of L2; driver %d, runtime %d",
             device.name, device.major, device.minor, device.multiProcessorCount, device.l2CacheSize >> 20,
             driver, runtime);
    printf("%s\n", text);
    printf("Microseconds of a call among many that follow each other in a stream: median of the rounds, in "
           "brackets the\nmiddle half; cold: sets of arrays take turns; hot: the same set again.\n");
    if (markdown) {
        fprintf(markdown, "%s.\n", text);
    }
}

/* ---- one case -------------------------------------------------------------------------------- */

static const timed *timed_of(const result *r, int way, int phase)
{
    return r->way[way].variant && r->way[way].has[phase] ? &r->way[way].phase[phase] : NULL;
}

/* The part of the bandwidth of a copy that a time makes use of, if it moved no more than so many bytes. */
static summary efficiency_of(const result *r, const timed *t, double bytes)
{
    return ratio_of(&r->copy.cold, &t->cold, bytes / (2.0 * (double)r->problem->packed));
}

static double floor_of(const result *r, int way, int phase)
{
    if (way == DIRECT) {
        return r->floors.direct;
    }
    return phase == PACK     ? r->floors.pack
           : phase == UNPACK ? r->floors.unpack
                             : r->floors.pack + r->floors.unpack;
}

static void print_row(const result *r, const char *name, const char *phase, const timed *t, double bytes,
                      FILE *markdown)
{
    const summary cold = summary_of(&t->cold);
    const summary hot = summary_of(&t->hot);
    const summary part = efficiency_of(r, t, bytes);
    printf("  %-23s %-7s %9.2f (%.2f-%.2f) %9.2f  %5.2f\n", name, phase, cold.middle, cold.low, cold.high,
           hot.middle, part.middle);
    if (markdown) {
        fprintf(markdown, "| %s | %s | %.2f (%.2f-%.2f) | %.2f (%.2f-%.2f) | %.2f (%.2f-%.2f) |\n", name,
                phase, cold.middle, cold.low, cold.high, hot.middle, hot.low, hot.high, part.middle, part.low,
                part.high);
    }
}

static void print_rows(const result *r, FILE *markdown)
{
    print_row(r, "copy of as many bytes", "", &r->copy, 2.0 * (double)r->problem->packed, markdown);
    print_row(r, "kernel that does nothing", "", &r->launch, 0.0, markdown);
    print_row(r, "ends of rows alone", "", &r->ends, 0.0, markdown);
    for (int way = 0; way < WAYS; ++way) {
        for (int phase = 0; phase < PHASES; ++phase) {
            const timed *t = timed_of(r, way, phase);
            if (t) {
                print_row(r, variants[way]->name, phase_names[phase], t, floor_of(r, way, phase), markdown);
            }
        }
        if (!r->way[way].variant) {
            printf("  %-23s not with this toolkit\n", variants[way]->name);
        }
    }
}

/* ---- targets --------------------------------------------------------------------------------- */

typedef enum bound { AT_LEAST, AT_MOST } bound;

static bool judge(const char *what, double figure, bound b, double limit, FILE *markdown)
{
    const bool met = b == AT_LEAST ? figure >= limit : figure <= limit;
    const char *sign = b == AT_LEAST ? "at least" : "at most";
    printf("  %-60s %6.2f, %s %.2f: %s\n", what, figure, sign, limit, met ? "met" : "MISSED");
    if (markdown) {
        fprintf(markdown, "- %s: %.2f, %s %.2f: %s\n", what, figure, sign, limit, met ? "met" : "**missed**");
    }
    return met;
}

static double ratio(const timed *t, const timed *to)
{
    return ratio_of(&t->cold, &to->cold, 1.0).middle;
}

static bool is_case(const result *r, int n, int h, int fields)
{
    const extents *s = &r->problem->shape;
    return s->n == n && s->h == h && s->fields == fields;
}

/*
 * What unpacking takes at least, in microseconds: a loop writes the ghost cells at the ends of rows, and a copy moves all
 * other bytes.  Both have memory for themselves.
 */
static double least_to_unpack(const result *r)
{
    const extents *s = &r->problem->shape;
    const double wide = s->n + 2.0 * s->h;
    const double bytes = (wide * wide - 1) * 2 * s->h * s->fields * sizeof(double);
    const double rest = 1.0 - bytes / (double)r->problem->packed;
    return summary_of(&r->ends.cold).middle + rest * summary_of(&r->copy.cold).middle;
}

static bool judge_large(const result *r, FILE *markdown)
{
    const timed *pack = timed_of(r, EMITTED, PACK);
    const timed *unpack = timed_of(r, EMITTED, UNPACK);
    const double part = efficiency_of(r, pack, floor_of(r, EMITTED, PACK)).middle;
    bool met = judge("pack, part of the bandwidth of a copy", part, AT_LEAST, 0.80, markdown);
    met = judge("unpack, of the ends of rows alone and a copy of the rest",
                summary_of(&unpack->cold).middle / least_to_unpack(r), AT_MOST, 1.10, markdown) &&
          met;
    return judge("pack and unpack, of fused index arrays",
                 ratio(timed_of(r, EMITTED, BOTH), timed_of(r, INDEXED_TOGETHER, BOTH)), AT_MOST, 0.90,
                 markdown) &&
           met;
}

/* Launches take most of the time of these: with what is moved in the second-level cache, nearly all. */
static bool judge_small(const result *r, FILE *markdown)
{
    const timed *both = timed_of(r, EMITTED, BOTH);
    const double launches = ratio_of(&both->hot, &r->launch.hot, 0.5).middle;
    const bool met =
        judge("pack and unpack, hot, of two kernels that do nothing", launches, AT_MOST, 1.35, markdown);
    return judge("pack and unpack, of fused index arrays", ratio(both, timed_of(r, INDEXED_TOGETHER, BOTH)),
                 AT_MOST, 1.0, markdown) &&
           met;
}

static bool judge_all(const result *r, FILE *markdown)
{
    const timed *both = timed_of(r, EMITTED, BOTH);
    bool met = true;
    if (is_case(r, 256, 3, 8) || is_case(r, 512, 2, 4)) {
        met = judge_large(r, markdown);
        met = judge("direct, of pack and unpack", ratio(timed_of(r, DIRECT, BOTH), both), AT_MOST, 0.65,
                    markdown) &&
              met;
    }
    if (is_case(r, 128, 3, 1) || is_case(r, 64, 1, 8) || is_case(r, 100, 1, 3) || is_case(r, 100, 3, 3)) {
        met = judge_small(r, markdown);
    }
    const double limit = is_case(r, 256, 3, 8) ? 4.0 : is_case(r, 64, 1, 8) ? 10.0 : 0.0;
    if (limit > 0) {
        met = judge("times faster than index arrays, a launch for each field and direction",
                    ratio(timed_of(r, INDEXED_EACH, BOTH), both), AT_LEAST, limit, markdown) &&
              met;
    }
    return met;
}

bool report_case(const result *r, FILE *markdown)
{
    const extents *s = &r->problem->shape;
    const double bandwidth =
        2.0 * (double)r->problem->packed / summary_of(&r->copy.cold).middle * 1e-3; /* GB/s */
    printf("\n(%d, %d, %d): %.2f MB packed, %d sets; floors in MB: pack %.2f, unpack %.2f, direct %.2f; the "
           "copy reads and writes %.0f GB/s\n",
           s->n, s->h, s->fields, 1e-6 * (double)r->problem->packed, r->problem->sets, 1e-6 * r->floors.pack,
           1e-6 * r->floors.unpack, 1e-6 * r->floors.direct, bandwidth);
    printf("  %s\n", r->tables);
    printf("  %-23s %-7s %9s %-15s %9s  %5s\n", "", "", "cold", "", "hot", "part");
    if (markdown) {
        fprintf(markdown,
                "\n### (%d, %d, %d)\n\n%.2f MB packed, %d sets; floors in MB: pack %.2f, unpack %.2f, direct "
                "%.2f; the copy reads and writes %.0f GB/s; %s.\n\n"
                "| | | cold, us | hot, us | part of the bandwidth |\n|---|---|---|---|---|\n",
                s->n, s->h, s->fields, 1e-6 * (double)r->problem->packed, r->problem->sets,
                1e-6 * r->floors.pack, 1e-6 * r->floors.unpack, 1e-6 * r->floors.direct, bandwidth,
                r->tables);
    }
    print_rows(r, markdown);
    if (markdown) {
        fprintf(markdown, "\n");
    }
    return judge_all(r, markdown);
}
