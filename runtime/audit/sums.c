#include "audit/sums.h"

#include "base/memory.h"

#include <float.h>

static const char purpose[] = "what an audit adds up";

typedef struct run {
    int array;
    ptrdiff_t place; /* of the first number */
    int number;      /* likewise, among all */
    int count;
    int source; /* the first; those of the first number */
    int sources;
} run;

struct hxi_sums {
    hxi_number_type type;
    run *run;
    int runs;
    hxi_sums_source *source;
    int sources;
    int numbers;
    unsigned char *was; /* one behind the other */
};

/* ---- making -------------------------------------------------------------------------------------------- */

bool hxi_sums_can(hxi_number_type type)
{
    return type.kind == HX_VALUE_DOUBLE || type.kind == HX_VALUE_FLOAT;
}

hxi_sums *hxi_sums_make(hxi_number_type type, int numbers, int shares)
{
    hxi_sums *sums = hxi_memory_get(1, sizeof *sums, purpose);
    if (!sums) {
        return NULL;
    }
    sums->type = type;
    sums->run = hxi_memory_get((size_t)numbers + 1, sizeof *sums->run, purpose);
    sums->source = hxi_memory_get((size_t)shares + 1, sizeof *sums->source, purpose);
    sums->was = hxi_memory_get((size_t)numbers + 1, (size_t)type.size, purpose);
    if (!sums->run || !sums->source || !sums->was) {
        hxi_sums_free(sums);
        return NULL;
    }
    return sums;
}

void hxi_sums_free(hxi_sums *sums)
{
    if (sums) {
        hxi_memory_free(sums->run);
        hxi_memory_free(sums->source);
        hxi_memory_free(sums->was);
        hxi_memory_free(sums);
    }
}

void hxi_sums_number(hxi_sums *sums, int array, ptrdiff_t place)
{
    sums->run[sums->runs++] = (run){array, place, sums->numbers++, 1, sums->sources, 0};
}

void hxi_sums_share(hxi_sums *sums, const hxi_sums_source *source)
{
    sums->source[sums->sources++] = *source;
    sums->run[sums->runs - 1].sources++;
}

static bool goes_on(const hxi_sums *sums, const run *r, const run *next)
{
    const ptrdiff_t bytes = (ptrdiff_t)r->count * sums->type.size;
    bool on = next->array == r->array && next->place == r->place + bytes && next->sources == r->sources;
    for (int k = 0; k < r->sources && on; ++k) {
        const hxi_sums_source *s = &sums->source[r->source + k];
        const hxi_sums_source *t = &sums->source[next->source + k];
        on = t->bundle == s->bundle && t->negative == s->negative && t->at == s->at + bytes;
    }
    return on;
}

void hxi_sums_end(hxi_sums *sums)
{
    run *last = &sums->run[sums->runs - 1];
    if (sums->runs > 1 && goes_on(sums, last - 1, last)) {
        last[-1].count++;
        sums->sources = last->source;
        sums->runs--;
    }
}

/* ---- each run ------------------------------------------------------------------------------------------ */

void hxi_sums_start(hxi_sums *sums, void *const arrays[])
{
    const size_t size = (size_t)sums->type.size;
    for (int i = 0; i < sums->runs; ++i) {
        const run *r = &sums->run[i];
        const unsigned char *from = (const unsigned char *)arrays[r->array] + r->place;
        unsigned char *to = sums->was + (size_t)r->number * size;
        if ((size_t)r->count * size == 3 * sizeof(double)) { /* three layers: no call for so little */
            memcpy(to, from, 3 * sizeof(double));
        } else {
            memcpy(to, from, (size_t)r->count * size);
        }
    }
}

hxi_number hxi_sums_was(const hxi_sums *sums, int number)
{
    return hxi_number_read(sums->type, sums->was + (size_t)number * (size_t)sums->type.size);
}

/* Most numbers get one share, those at edges three. */
enum { MOST = 8 };

/* What goes into a run. */
typedef struct input {
    const unsigned char *is;
    const unsigned char *was;
    const unsigned char *from[MOST];
    double sign[MOST];
} input;

static inline double number_at(const unsigned char *from, int i, bool twofold)
{
    double number;
    float single;
    if (twofold) {
        memcpy(&number, from + (size_t)i * sizeof number, sizeof number);
        return number;
    }
    memcpy(&single, from + (size_t)i * sizeof single, sizeof single);
    return (double)single;
}

/* With the number of sources, and the type, as literals. */
static inline bool holds(const input *in, int count, int sources, bool twofold)
{
    const double step = twofold ? DBL_EPSILON : (double)FLT_EPSILON;
    const double least = twofold ? DBL_MIN : (double)FLT_MIN;
    int wrong = 0;
    for (int i = 0; i < count; ++i) {
        double sum = number_at(in->was, i, twofold);
        double size = fabs(sum);
        for (int k = 0; k < sources; ++k) {
            const double share = number_at(in->from[k], i, twofold);
            sum += in->sign[k] * share;
            size += fabs(share);
        }
        const double doubt = (sources + 5) * (step * size + least);
        wrong |= !(fabs(number_at(in->is, i, twofold) - sum) <= doubt);
    }
    return wrong == 0;
}

/* Most runs are the three layers of a halo. */
static bool run_holds(const input *in, int count, int sources, bool twofold)
{
    return !twofold                     ? holds(in, count, sources, false)
           : sources == 1 && count == 3 ? holds(in, 3, 1, true)
           : sources == 1               ? holds(in, count, 1, true)
           : sources == 3               ? holds(in, count, 3, true)
                                        : holds(in, count, sources, true);
}

bool hxi_sums_hold(const hxi_sums *sums, void *const arrays[], const unsigned char *const bundle[])
{
    const bool twofold = sums->type.kind == HX_VALUE_DOUBLE;
    bool fine = true;
    for (int i = 0; i < sums->runs && fine; ++i) {
        const run *r = &sums->run[i];
        input in; /* not all of it is needed */
        in.is = (const unsigned char *)arrays[r->array] + r->place;
        in.was = sums->was + (size_t)r->number * (size_t)sums->type.size;
        fine = r->sources <= MOST;
        for (int k = 0; k < r->sources && fine; ++k) {
            const hxi_sums_source *s = &sums->source[r->source + k];
            in.from[k] = bundle[s->bundle] + s->at;
            in.sign[k] = s->negative ? -1.0 : 1.0;
        }
        fine = fine && run_holds(&in, r->count, r->sources, twofold);
    }
    return fine;
}
