#include "audit/sums.h"

#include "audit/digest.h"
#include "base/memory.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char purpose[] = "what an audit adds up";

/* Runs one after the other. */
typedef struct run {
    int array;
    ptrdiff_t place; /* of the first number */
    int number;      /* likewise, among all */
    int count;       /* numbers of each */
    int source;      /* the first; those of the first number */
    int sources;
    int times;
    ptrdiff_t place_step; /* from each to the next */
    ptrdiff_t number_step;
} run;

typedef struct source {
    hxi_sums_source is;
    ptrdiff_t step; /* likewise */
} source;

struct hxi_sums {
    hxi_number_type type;
    run *run;
    int runs;
    source *source;
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
    sums->run[sums->runs++] = (run){.array = array,
                                    .place = place,
                                    .number = sums->numbers++,
                                    .count = 1,
                                    .source = sums->sources,
                                    .times = 1};
}

void hxi_sums_share(hxi_sums *sums, const hxi_sums_source *share)
{
    sums->source[sums->sources++].is = *share;
    sums->run[sums->runs - 1].sources++;
}

static bool is_alike(const hxi_sums_source *a, const hxi_sums_source *b)
{
    return a->bundle == b->bundle && a->negative == b->negative;
}

static bool goes_on(const hxi_sums *sums, const run *r, const run *next)
{
    const ptrdiff_t bytes = (ptrdiff_t)r->count * sums->type.size;
    bool on = next->array == r->array && next->place == r->place + bytes && next->sources == r->sources;
    for (int k = 0; k < r->sources && on; ++k) {
        const hxi_sums_source *s = &sums->source[r->source + k].is;
        const hxi_sums_source *t = &sums->source[next->source + k].is;
        on = is_alike(s, t) && t->at == s->at + bytes;
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

/* A run where it is sorted. */
typedef struct sorted {
    run run;
    hxi_sums_source first;
} sorted;

/* Those of one face stand together, as their shares do. */
static int compare(const void *left, const void *right)
{
    const sorted *a = left;
    const sorted *b = right;
    const int by_kind[] = {a->run.array - b->run.array, a->run.sources - b->run.sources,
                           a->run.count - b->run.count, a->first.bundle - b->first.bundle};
    for (size_t i = 0; i < sizeof by_kind / sizeof by_kind[0]; ++i) {
        if (by_kind[i] != 0) {
            return by_kind[i];
        }
    }
    const int order = (a->first.at > b->first.at) - (a->first.at < b->first.at);
    return order != 0 ? order : a->run.number - b->run.number;
}

static bool sort(hxi_sums *sums)
{
    sorted *list = hxi_memory_get((size_t)sums->runs + 1, sizeof *list, purpose);
    for (int i = 0; i < sums->runs && list; ++i) {
        list[i] = (sorted){sums->run[i], sums->source[sums->run[i].source].is};
    }
    if (list) {
        qsort(list, (size_t)sums->runs, sizeof *list, compare);
    }
    for (int i = 0; i < sums->runs && list; ++i) {
        sums->run[i] = list[i].run;
    }
    hxi_memory_free(list);
    return list != NULL;
}

/* Is another run as far behind the last of some as these are from each other? */
static bool is_next(const hxi_sums *sums, const run *r, const run *next)
{
    const bool second = r->times == 1; /* which says how far */
    bool fits = next->array == r->array && next->count == r->count && next->sources == r->sources &&
                (second || (next->place == r->place + r->times * r->place_step &&
                            next->number == r->number + r->times * r->number_step));
    for (int k = 0; k < r->sources && fits; ++k) {
        const source *s = &sums->source[r->source + k];
        const source *t = &sums->source[next->source + k];
        fits = is_alike(&s->is, &t->is) && (second || t->is.at == s->is.at + r->times * s->step);
    }
    return fits;
}

static void take(const hxi_sums *sums, run *r, const run *next)
{
    if (r->times == 1) {
        r->place_step = next->place - r->place;
        r->number_step = next->number - r->number;
        for (int k = 0; k < r->sources; ++k) {
            sums->source[r->source + k].step =
                sums->source[next->source + k].is.at - sums->source[r->source + k].is.at;
        }
    }
    r->times++;
}

bool hxi_sums_close(hxi_sums *sums)
{
    const int all = sums->runs;
    if (!sort(sums)) {
        return false;
    }
    sums->runs = all > 0;
    for (int i = 1; i < all; ++i) {
        run *last = &sums->run[sums->runs - 1];
        if (is_next(sums, last, &sums->run[i])) {
            take(sums, last, &sums->run[i]);
        } else {
            sums->run[sums->runs++] = sums->run[i];
        }
    }
    return true;
}

/* ---- each run ------------------------------------------------------------------------------------------ */

void hxi_sums_start(hxi_sums *sums, void *const arrays[])
{
    const size_t size = (size_t)sums->type.size;
    for (int i = 0; i < sums->runs; ++i) {
        const run *r = &sums->run[i];
        const unsigned char *from = (const unsigned char *)arrays[r->array] + r->place;
        const hxi_strided all = {from, r->place_step, r->times, (size_t)r->count * size};
        hxi_strided_copy(&all, sums->was + (size_t)r->number * size, r->number_step * (ptrdiff_t)size);
    }
}

hxi_number hxi_sums_was(const hxi_sums *sums, int number)
{
    return hxi_number_read(sums->type, sums->was + (size_t)number * (size_t)sums->type.size);
}

/* Most numbers get one share, those at edges three. */
enum { MOST = 8 };

/* What goes into runs, and how far each is behind the one before. */
typedef struct input {
    const unsigned char *is;
    const unsigned char *was;
    const unsigned char *from[MOST];
    double sign[MOST];
    ptrdiff_t is_step;
    ptrdiff_t was_step;
    ptrdiff_t from_step[MOST];
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

/* With the number of sources, the type, and often the count, as literals. */
static inline bool hold(const input *in, const run *r, int count, int sources, bool twofold)
{
    const double step = twofold ? DBL_EPSILON : (double)FLT_EPSILON;
    const double least = twofold ? DBL_MIN : (double)FLT_MIN;
    int wrong = 0;
    for (int t = 0; t < r->times; ++t) {
        const unsigned char *is = in->is + t * in->is_step;
        const unsigned char *was = in->was + t * in->was_step;
        for (int i = 0; i < count; ++i) {
            double sum = number_at(was, i, twofold);
            double size = fabs(sum);
            for (int k = 0; k < sources; ++k) {
                const double share = number_at(in->from[k] + t * in->from_step[k], i, twofold);
                sum += in->sign[k] * share;
                size += fabs(share);
            }
            const double doubt = (sources + 5) * (step * size + least);
            wrong |= !(fabs(number_at(is, i, twofold) - sum) <= doubt);
        }
    }
    return wrong == 0;
}

static inline uint64_t bits_of(double number)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

/* Of doubles with one share, which the exchange adds as this does: is each of them the sum, bit by bit? */
static inline bool equal(const input *in, const run *r, int count)
{
    const double sign = in->sign[0];
    uint64_t wrong = 0;
    for (int t = 0; t < r->times; ++t) {
        const unsigned char *is = in->is + t * in->is_step;
        const unsigned char *was = in->was + t * in->was_step;
        const unsigned char *from = in->from[0] + t * in->from_step[0];
        for (int i = 0; i < count; ++i) {
            const double sum = number_at(was, i, true) + sign * number_at(from, i, true);
            wrong |= bits_of(sum) ^ bits_of(number_at(is, i, true));
        }
    }
    return wrong == 0;
}

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>

#define WIDE        __attribute__((target("avx2")))
#define WIDE_INLINE static inline __attribute__((target("avx2"), always_inline))

enum { FOUR = 4 };

/* Four numbers, or as many as a row has left, and zeros. */
WIDE_INLINE __m256d numbers_at(const unsigned char *from, int left)
{
    const double *number = (const double *)(const void *)from;
    const __m256i there = _mm256_cmpgt_epi64(_mm256_set1_epi64x(left), _mm256_set_epi64x(3, 2, 1, 0));
    return left >= FOUR ? _mm256_loadu_pd(number) : _mm256_maskload_pd(number, there);
}

WIDE_INLINE __m256d size_of(__m256d number)
{
    return _mm256_andnot_pd(_mm256_set1_pd(-0.0), number);
}

/* Bits that are set where sums are wrong: of four numbers, or of those that are there.  exactly: see equal. */
WIDE_INLINE __m256d wrong_at(const input *in, int t, int byte, int left, bool exactly, int sources)
{
    const __m256d is = numbers_at(in->is + t * in->is_step + byte, left);
    __m256d sum = numbers_at(in->was + t * in->was_step + byte, left);
    __m256d size = size_of(sum);
    for (int k = 0; k < sources; ++k) {
        const __m256d share = numbers_at(in->from[k] + t * in->from_step[k] + byte, left);
        sum = _mm256_add_pd(sum, _mm256_mul_pd(_mm256_set1_pd(in->sign[k]), share));
        size = exactly ? size : _mm256_add_pd(size, size_of(share));
    }
    if (exactly) {
        return _mm256_xor_pd(sum, is);
    }
    const __m256d step = _mm256_mul_pd(_mm256_set1_pd(DBL_EPSILON), size);
    const __m256d doubt =
        _mm256_mul_pd(_mm256_set1_pd(sources + 5), _mm256_add_pd(step, _mm256_set1_pd(DBL_MIN)));
    return _mm256_cmp_pd(size_of(_mm256_sub_pd(is, sum)), doubt, _CMP_NLE_UQ);
}

WIDE_INLINE bool hold_four(const input *in, const run *r, int count, bool exactly, int sources)
{
    const int bytes = count / FOUR * FOUR * (int)sizeof(double);
    __m256d wrong = _mm256_setzero_pd();
    for (int t = 0; t < r->times; ++t) {
        for (int i = 0; i < bytes; i += FOUR * (int)sizeof(double)) {
            wrong = _mm256_or_pd(wrong, wrong_at(in, t, i, FOUR, exactly, sources));
        }
        if (count % FOUR > 0) {
            wrong = _mm256_or_pd(wrong, wrong_at(in, t, bytes, count % FOUR, exactly, sources));
        }
    }
    const __m256i bits = _mm256_castpd_si256(wrong);
    return _mm256_testz_si256(bits, bits) != 0;
}

/* With three layers as a literal. */
WIDE static bool equal_wide(const input *in, const run *r)
{
    return r->count == 3 ? hold_four(in, r, 3, true, 1) : hold_four(in, r, r->count, true, 1);
}

WIDE static bool hold_wide(const input *in, const run *r)
{
    return r->sources == 3 ? hold_four(in, r, r->count, false, 3)
                           : hold_four(in, r, r->count, false, r->sources);
}

static bool goes_wide(void)
{
    return __builtin_cpu_supports("avx2") != 0;
}
#else
static bool goes_wide(void)
{
    return false;
}

static bool equal_wide(const input *in, const run *r)
{
    return equal(in, r, r->count);
}

static bool hold_wide(const input *in, const run *r)
{
    return hold(in, r, r->count, r->sources, true);
}
#endif

/* Most runs are the three layers of a halo, and most sums need not be told from those that are rounded otherwise. */
static bool runs_hold(const input *in, const run *r, bool twofold)
{
    if (!twofold) {
        return hold(in, r, r->count, r->sources, false);
    }
    if (goes_wide()) {
        return (r->sources == 1 && equal_wide(in, r)) || hold_wide(in, r);
    }
    if (r->sources == 1 && (r->count == 3 ? equal(in, r, 3) : equal(in, r, r->count))) {
        return true;
    }
    return r->sources == 3 ? hold(in, r, r->count, 3, true) : hold(in, r, r->count, r->sources, true);
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
        in.is_step = r->place_step;
        in.was_step = r->number_step * sums->type.size;
        fine = r->sources <= MOST;
        for (int k = 0; k < r->sources && fine; ++k) {
            const source *s = &sums->source[r->source + k];
            in.from[k] = bundle[s->is.bundle] + s->is.at;
            in.sign[k] = s->is.negative ? -1.0 : 1.0;
            in.from_step[k] = s->step;
        }
        fine = fine && runs_hold(&in, r, twofold);
    }
    return fine;
}
