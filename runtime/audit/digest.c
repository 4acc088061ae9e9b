/*
 * Two words at a time get a key each, and the halves of each sum are multiplied: NH, the hash of UMAC (Black,
 * Halevi, Krawczyk, Krovetz and Rogaway, 1999).  All products are added.  So no product waits for another one,
 * and reading memory is what takes the time.
 *
 * Words come in pieces, as long as there are keys.  Before a piece is added, what there was is multiplied: else wrong
 * signs in two rows and two columns would cancel.
 *
 * Ranks may run on several kinds of processors, so how many words are taken at a time changes no digest.
 */
#include "audit/digest.h"

#include <string.h>

enum { KEYS = 16 }; /* of two words each */

/* Digits of pi. */
static const uint64_t keys[2 * KEYS] = {
    UINT64_C(0x243f6a8885a308d3), UINT64_C(0x13198a2e03707344), UINT64_C(0xa4093822299f31d0),
    UINT64_C(0x082efa98ec4e6c89), UINT64_C(0x452821e638d01377), UINT64_C(0xbe5466cf34e90c6c),
    UINT64_C(0xc0ac29b7c97c50dd), UINT64_C(0x3f84d5b5b5470917), UINT64_C(0x9216d5d98979fb1b),
    UINT64_C(0xd1310ba698dfb5ac), UINT64_C(0x2ffd72dbd01adfb7), UINT64_C(0xb8e1afed6a267e96),
    UINT64_C(0xba7c9045f12c7f99), UINT64_C(0x24a19947b3916cf7), UINT64_C(0x0801f2e2858efc16),
    UINT64_C(0x636920d871574e69), UINT64_C(0xa458fea3f4933d7e), UINT64_C(0x0d95748f728eb658),
    UINT64_C(0x718bcd5882154aee), UINT64_C(0x7b54a41dc25a59b5), UINT64_C(0x9c30d5392af26013),
    UINT64_C(0xc5d1b023286085f0), UINT64_C(0xca417918b8db38ef), UINT64_C(0x8e79dcb0603a180e),
    UINT64_C(0x6c9e0e8bb01e8a3e), UINT64_C(0xd71577c1bd314b27), UINT64_C(0x78af2fda55605c60),
    UINT64_C(0xe65525f3aa55ab94), UINT64_C(0x5748986263e81440), UINT64_C(0x55ca396a2aab10b6),
    UINT64_C(0xb4cc5c341141e8ce), UINT64_C(0xa15486af7c72e993)};

#define MULTIPLIER INT64_C(4294883355)

enum { WORD = 8, TWO = 16, PIECE = KEYS * TWO }; /* bytes */

/* ---- two words ----------------------------------------------------------------------------------------- */

#ifdef __SSE2__
#include <emmintrin.h>

typedef __m128i two;

static inline two two_of(uint64_t low, uint64_t high)
{
    return _mm_set_epi64x((long long)high, (long long)low);
}

static inline two two_at(const unsigned char *from)
{
    return _mm_loadu_si128((const __m128i *)(const void *)from);
}

static inline two two_plus(two a, two b)
{
    return _mm_add_epi64(a, b);
}

static inline two two_words(const uint64_t *from)
{
    return _mm_loadu_si128((const __m128i *)(const void *)from);
}

/* Multiplies with carry. */
static inline two two_next(two a)
{
    return _mm_add_epi64(_mm_mul_epu32(a, _mm_set1_epi64x(MULTIPLIER)), _mm_srli_epi64(a, 32));
}

static inline two two_products(two a)
{
    return _mm_mul_epu32(a, _mm_srli_epi64(a, 32));
}

static inline two two_differences(two a, two b, two before)
{
    return _mm_or_si128(before, _mm_xor_si128(a, b));
}

static inline void two_store(two a, uint64_t to[2])
{
    _mm_storeu_si128((__m128i *)(void *)to, a);
}
#else
typedef struct two {
    uint64_t low;
    uint64_t high;
} two;

static inline two two_of(uint64_t low, uint64_t high)
{
    return (two){low, high};
}

static inline two two_at(const unsigned char *from)
{
    two read;
    memcpy(&read, from, sizeof read);
    return read;
}

static inline two two_plus(two a, two b)
{
    return (two){a.low + b.low, a.high + b.high};
}

static inline two two_words(const uint64_t *from)
{
    return (two){from[0], from[1]};
}

/* Multiplies with carry. */
static inline two two_next(two a)
{
    return (two){(a.low & UINT32_MAX) * (uint64_t)MULTIPLIER + (a.low >> 32),
                 (a.high & UINT32_MAX) * (uint64_t)MULTIPLIER + (a.high >> 32)};
}

static inline two two_products(two a)
{
    return (two){(uint64_t)(uint32_t)a.low * (a.low >> 32), (uint64_t)(uint32_t)a.high * (a.high >> 32)};
}

static inline two two_differences(two a, two b, two before)
{
    return (two){before.low | (a.low ^ b.low), before.high | (a.high ^ b.high)};
}

static inline void two_store(two a, uint64_t to[2])
{
    to[0] = a.low;
    to[1] = a.high;
}
#endif

/* The last bytes of a row, with zeros behind them. */
static inline two two_rest(const unsigned char *from, size_t bytes)
{
    uint64_t word[2] = {0};
    memcpy(word, from, bytes);
    return two_of(word[0], word[1]);
}

static inline uint64_t two_sum(two a)
{
    uint64_t word[2];
    two_store(a, word);
    return word[0] + word[1];
}

static inline bool two_any(two a)
{
    uint64_t word[2];
    two_store(a, word);
    return (word[0] | word[1]) != 0;
}

/* ---- rows ---------------------------------------------------------------------------------------------- */

typedef struct state {
    two pieces; /* that are complete */
    two sum;    /* of the one under way */
    two difference;
} state;

static inline state begin(void)
{
    return (state){two_of(0, 0), two_of(0, 0), two_of(0, 0)};
}

static inline void end_piece(state *s)
{
    s->pieces = two_plus(two_next(s->pieces), s->sum);
    s->sum = two_of(0, 0);
}

static inline void take(two words, two there, two key, state *s)
{
    s->sum = two_plus(s->sum, two_products(two_plus(words, key)));
    s->difference = two_differences(words, there, s->difference);
}

/* key: of the first of these bytes. */
static inline void take_bytes(const unsigned char *row, const unsigned char *other, size_t bytes,
                              const uint64_t *key, state *s)
{
    size_t i = 0;
    for (; i + TWO <= bytes; i += TWO) {
        take(two_at(row + i), two_at(other + i), two_words(key + i / WORD), s);
    }
    if (i < bytes) {
        take(two_rest(row + i, bytes - i), two_rest(other + i, bytes - i), two_words(key + i / WORD), s);
    }
}

/* Some rows are a piece. */
static inline state take_short(const hxi_strided *lines, const hxi_strided *other, size_t bytes)
{
    const int pairs = (int)((bytes + TWO - 1) / TWO);
    const int most = KEYS / pairs;
    state s = begin();
    const unsigned char *at = lines->at;
    const unsigned char *there = other->at;
    for (int left = lines->count; left > 0; left -= most) {
        for (int j = 0; j < most && j < left; ++j) {
            take_bytes(at, there, bytes, keys + 2 * j * pairs, &s);
            at += lines->stride;
            there += other->stride;
        }
        end_piece(&s);
    }
    return s;
}

/* A row is some pieces. */
static inline state take_long(const hxi_strided *lines, const hxi_strided *other)
{
    state s = begin();
    for (int j = 0; j < lines->count; ++j) {
        const unsigned char *at = lines->at + j * lines->stride;
        const unsigned char *there = other->at + j * other->stride;
        for (size_t i = 0; i < lines->bytes; i += PIECE) {
            const size_t left = lines->bytes - i;
            take_bytes(at + i, there + i, left < PIECE ? left : PIECE, keys, &s);
            end_piece(&s);
        }
    }
    return s;
}

/* ---- four words at a time, where the processor can ------------------------------------------------------- */

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>

#define WIDE        __attribute__((target("avx2")))
#define WIDE_INLINE static inline __attribute__((target("avx2"), always_inline))

enum { FOUR = 32 };

typedef struct wide {
    __m256i sum;
    __m256i difference;
} wide;

WIDE_INLINE __m256i four_at(const void *from)
{
    return _mm256_loadu_si256((const __m256i *)from);
}

/* Three words, and a zero: nothing behind them is read. */
WIDE_INLINE __m256i three_at(const void *from)
{
    return _mm256_maskload_epi64((const long long *)from, _mm256_set_epi64x(0, -1, -1, -1));
}

WIDE_INLINE void put(__m256i row, int words, unsigned char *to)
{
    if (words == 3) {
        _mm_storeu_si128((__m128i *)(void *)to, _mm256_castsi256_si128(row));
        _mm_storel_epi64((__m128i *)(void *)(to + TWO), _mm256_extracti128_si256(row, 1));
    } else {
        _mm256_storeu_si256((__m256i *)(void *)to, row);
    }
}

static const unsigned char zeros[FOUR];

/* What a walk does, literals wherever it is inlined. */
typedef struct task {
    bool digests;
    bool compares; /* with `there` */
    bool zeros;    /* or with zeros */
    bool copies;   /* to `to` */
} task;

/* Where a walk is; what it does not do stays where it is. */
typedef struct places {
    const unsigned char *at;
    const unsigned char *there;
    unsigned char *to;
    ptrdiff_t stride[3]; /* of each of them */
} places;

/* Three words or four. */
WIDE_INLINE void take_four(const places *p, int words, const uint64_t *key, task t, wide *w)
{
    const __m256i row = words == 3 ? three_at(p->at) : four_at(p->at);
    if (t.digests) {
        const __m256i keyed = _mm256_add_epi64(row, four_at(key));
        w->sum = _mm256_add_epi64(w->sum, _mm256_mul_epu32(keyed, _mm256_srli_epi64(keyed, 32)));
    }
    if (t.compares) {
        const __m256i other = words == 3 ? three_at(p->there) : four_at(p->there);
        w->difference = _mm256_or_si256(w->difference, _mm256_xor_si256(row, other));
    }
    if (t.zeros) {
        w->difference = _mm256_or_si256(w->difference, row);
    }
    if (t.copies) {
        put(row, words, p->to);
    }
}

/* Nothing is added to a pointer that is not used. */
WIDE_INLINE void step(places *p, const ptrdiff_t by[3], task t)
{
    p->at += by[0];
    if (t.compares) {
        p->there += by[1];
    }
    if (t.copies) {
        p->to += by[2];
    }
}

WIDE_INLINE void take_rows(places *p, int count, int words, task t, wide *w)
{
    for (int j = 0; j < count; ++j) {
        take_four(p, words, keys + 4 * j, t, w);
        step(p, p->stride, t);
    }
}

WIDE_INLINE void end_wide_piece(wide *w, state *s)
{
    s->sum = two_plus(s->sum, two_plus(_mm256_castsi256_si128(w->sum), _mm256_extracti128_si256(w->sum, 1)));
    w->sum = _mm256_setzero_si256();
    end_piece(s);
}

WIDE_INLINE state end_wide(const wide *w, state s)
{
    s.difference = _mm_or_si128(s.difference, _mm_or_si128(_mm256_castsi256_si128(w->difference),
                                                           _mm256_extracti128_si256(w->difference, 1)));
    return s;
}

/* As take_short, of rows of three words or of four. */
WIDE_INLINE state take_short_wide(places p, int count, int words, task t)
{
    enum { ROWS = PIECE / FOUR };
    state s = begin();
    wide w = {_mm256_setzero_si256(), _mm256_setzero_si256()};
    for (; count > 0; count -= ROWS) {
        take_rows(&p, count < ROWS ? count : ROWS, words, t, &w);
        end_wide_piece(&w, &s);
    }
    return end_wide(&w, s);
}

/* Some bytes of a row, of one piece. */
WIDE_INLINE void take_part(places *p, size_t bytes, task t, wide *w, state *s)
{
    places four = {p->at, p->there, p->to, {FOUR, FOUR, FOUR}};
    take_rows(&four, (int)(bytes / FOUR), FOUR / WORD, t, w);
    if (bytes % FOUR > 0) {
        take_bytes(four.at,
                   t.compares ? four.there
                   : t.zeros  ? zeros
                              : four.at,
                   bytes % FOUR, keys + bytes / FOUR * 4, s);
    }
    if (t.copies && bytes % FOUR > 0) {
        memcpy(four.to, four.at, bytes % FOUR);
    }
    const ptrdiff_t by = (ptrdiff_t)bytes;
    step(p, (const ptrdiff_t[]){by, by, by}, t);
    end_wide_piece(w, s);
}

/* As take_long. */
WIDE_INLINE state take_long_wide(places p, int count, size_t bytes, task t)
{
    state s = begin();
    wide w = {_mm256_setzero_si256(), _mm256_setzero_si256()};
    for (int j = 0; j < count; ++j) {
        places row = p;
        for (size_t i = PIECE; i <= bytes; i += PIECE) {
            take_part(&row, PIECE, t, &w, &s);
        }
        if (bytes % PIECE > 0) {
            take_part(&row, bytes % PIECE, t, &w, &s);
        }
        step(&p, p.stride, t);
    }
    return end_wide(&w, s);
}

WIDE_INLINE state take_wide(const places *p, const hxi_strided *lines, task t)
{
    return lines->bytes == 3 * WORD   ? take_short_wide(*p, lines->count, 3, t)
           : lines->bytes == 4 * WORD ? take_short_wide(*p, lines->count, 4, t)
                                      : take_long_wide(*p, lines->count, lines->bytes, t);
}

WIDE static state take_wide_alone(const hxi_strided *lines)
{
    const places p = {lines->at, NULL, NULL, {lines->stride}};
    return take_wide(&p, lines, (task){.digests = true});
}

WIDE static state take_wide_copy(const hxi_strided *lines, unsigned char *to)
{
    const places p = {lines->at, NULL, to, {lines->stride, 0, (ptrdiff_t)lines->bytes}};
    return take_wide(&p, lines, (task){.digests = true, .copies = true});
}

WIDE static state take_wide_both(const hxi_strided *lines, const hxi_strided *other)
{
    const places p = {lines->at, other->at, NULL, {lines->stride, other->stride}};
    return take_wide(&p, lines, (task){.digests = true, .compares = true});
}

WIDE static void copy_wide(const hxi_strided *lines, unsigned char *to, ptrdiff_t stride)
{
    const places p = {lines->at, NULL, to, {lines->stride, 0, stride}};
    take_wide(&p, lines, (task){.copies = true});
}

WIDE static state compare_wide(const hxi_strided *lines, const hxi_strided *other)
{
    const places p = {lines->at, other->at, NULL, {lines->stride, other->stride}};
    return take_wide(&p, lines, (task){.compares = true});
}

WIDE static state look_for_zeros_wide(const hxi_strided *lines)
{
    const places p = {lines->at, NULL, NULL, {lines->stride}};
    return take_wide(&p, lines, (task){.zeros = true});
}

static inline bool goes_wide(const hxi_strided *lines)
{
    return (lines->bytes == 3 * WORD || lines->bytes >= 4 * WORD) && __builtin_cpu_supports("avx2");
}
#else
static inline bool goes_wide(const hxi_strided *lines)
{
    (void)lines;
    return false;
}

static state take_wide_both(const hxi_strided *lines, const hxi_strided *other)
{
    return take_long(lines, other);
}

static state compare_wide(const hxi_strided *lines, const hxi_strided *other)
{
    return take_long(lines, other);
}

static state look_for_zeros_wide(const hxi_strided *lines)
{
    return take_long(lines, lines);
}

static state take_wide_alone(const hxi_strided *lines)
{
    return take_long(lines, lines);
}

static void copy_wide(const hxi_strided *lines, unsigned char *to, ptrdiff_t stride)
{
    (void)lines;
    (void)to;
    (void)stride;
}

static state take_wide_copy(const hxi_strided *lines, unsigned char *to)
{
    (void)to;
    return take_long(lines, lines);
}
#endif

/* ---- any rows ------------------------------------------------------------------------------------------ */

/* Rows of halos are short: with their size as a literal nothing is asked for each of them. */
static inline state take_any(const hxi_strided *rows, const hxi_strided *other)
{
    switch (rows->bytes) {
    case 1 * WORD:
        return take_short(rows, other, 1 * WORD);
    case 2 * WORD:
        return take_short(rows, other, 2 * WORD);
    case 3 * WORD:
        return take_short(rows, other, 3 * WORD);
    case 4 * WORD:
        return take_short(rows, other, 4 * WORD);
    default:
        return rows->bytes < 4 * WORD ? take_short(rows, other, rows->bytes) : take_long(rows, other);
    }
}

uint64_t hxi_digest(const hxi_strided *rows)
{
    /* The compiler sees that nothing differs. */
    const state s = goes_wide(rows) ? take_wide_alone(rows) : take_any(rows, rows);
    return two_sum(s.pieces);
}

uint64_t hxi_digest_copy(const hxi_strided *rows, unsigned char *to)
{
    if (goes_wide(rows)) {
        return two_sum(take_wide_copy(rows, to).pieces);
    }
    hxi_strided_copy(rows, to, (ptrdiff_t)rows->bytes);
    return hxi_digest(rows);
}

uint64_t hxi_digest_same(const hxi_strided *rows, const hxi_strided *other, bool *same)
{
    const state s = goes_wide(rows) ? take_wide_both(rows, other) : take_any(rows, other);
    *same = !two_any(s.difference);
    return two_sum(s.pieces);
}

bool hxi_strided_same(const hxi_strided *rows, const hxi_strided *other)
{
    const state s = goes_wide(rows) ? compare_wide(rows, other) : take_any(rows, other);
    return !two_any(s.difference);
}

bool hxi_strided_zero(const hxi_strided *rows)
{
    unsigned char any = 0;
    if (goes_wide(rows)) {
        return !two_any(look_for_zeros_wide(rows).difference);
    }
    for (int j = 0; j < rows->count; ++j) {
        for (size_t i = 0; i < rows->bytes; ++i) {
            any |= rows->at[j * rows->stride + (ptrdiff_t)i];
        }
    }
    return any == 0;
}

/* With the size as a literal. */
#define EACH_ROW(size)                                                                                       \
    for (int j = 0; j < rows->count; ++j) {                                                                  \
        memcpy(to + j * stride, rows->at + j * rows->stride, (size));                                        \
    }

void hxi_strided_copy(const hxi_strided *rows, unsigned char *restrict to, ptrdiff_t stride)
{
    if (goes_wide(rows)) {
        copy_wide(rows, to, stride);
        return;
    }
    switch (rows->bytes) {
    case 4:
        EACH_ROW(4)
        break;
    case 8:
        EACH_ROW(8)
        break;
    case 16:
        EACH_ROW(16)
        break;
    case 24:
        EACH_ROW(24)
        break;
    default:
        EACH_ROW(rows->bytes)
        break;
    }
}
