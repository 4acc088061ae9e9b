/*
 * Two words at a time get a key each, and the halves of each sum are multiplied: NH, the hash of UMAC (Black,
 * Halevi, Krawczyk, Krovetz and Rogaway, 1999).  All products are added.  So no product waits for another one,
 * and reading memory is what takes the time.
 *
 * Keys must not be sums of what goes with the row and what goes with the column: then wrong signs in two rows
 * and two columns would cancel.  So words come in pieces, and each takes keys from another place of a table on,
 * and changes them by a number of its own.
 *
 * Ranks may run on several kinds of processors, so how many words are taken at a time changes no digest.
 */
#include "audit/digest.h"

#include <string.h>

enum { KEYS = 16 }; /* of two words each */

/* Digits of pi, written twice: a walk begins anywhere in the first half. */
#define DIGITS                                                                                               \
    UINT64_C(0x243f6a8885a308d3), UINT64_C(0x13198a2e03707344), UINT64_C(0xa4093822299f31d0),                \
        UINT64_C(0x082efa98ec4e6c89), UINT64_C(0x452821e638d01377), UINT64_C(0xbe5466cf34e90c6c),            \
        UINT64_C(0xc0ac29b7c97c50dd), UINT64_C(0x3f84d5b5b5470917), UINT64_C(0x9216d5d98979fb1b),            \
        UINT64_C(0xd1310ba698dfb5ac), UINT64_C(0x2ffd72dbd01adfb7), UINT64_C(0xb8e1afed6a267e96),            \
        UINT64_C(0xba7c9045f12c7f99), UINT64_C(0x24a19947b3916cf7), UINT64_C(0x0801f2e2858efc16),            \
        UINT64_C(0x636920d871574e69), UINT64_C(0xa458fea3f4933d7e), UINT64_C(0x0d95748f728eb658),            \
        UINT64_C(0x718bcd5882154aee), UINT64_C(0x7b54a41dc25a59b5), UINT64_C(0x9c30d5392af26013),            \
        UINT64_C(0xc5d1b023286085f0), UINT64_C(0xca417918b8db38ef), UINT64_C(0x8e79dcb0603a180e),            \
        UINT64_C(0x6c9e0e8bb01e8a3e), UINT64_C(0xd71577c1bd314b27), UINT64_C(0x78af2fda55605c60),            \
        UINT64_C(0xe65525f3aa55ab94), UINT64_C(0x5748986263e81440), UINT64_C(0x55ca396a2aab10b6),            \
        UINT64_C(0xb4cc5c341141e8ce), UINT64_C(0xa15486af7c72e993),

static const uint64_t keys[4 * KEYS] = {DIGITS DIGITS};

#define MULTIPLIER INT64_C(4294883355)

enum { WORD = 8, TWO = 16 };

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

static inline two two_other(two a, two b)
{
    return _mm_xor_si128(a, b);
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

static inline two two_other(two a, two b)
{
    return (two){a.low ^ b.low, a.high ^ b.high};
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
    two sum;
    two difference;
    two number; /* of the piece */
    int piece;
} state;

static inline state begin(void)
{
    return (state){two_of(0, 0), two_of(0, 0), two_next(two_of(keys[0], keys[1])), 0};
}

static inline const uint64_t *table_of(const state *s)
{
    return keys + s->piece % KEYS * 2;
}

static inline void next_piece(state *s)
{
    s->number = two_next(s->number);
    s->piece++;
}

static inline void take(two words, two there, two key, state *s)
{
    s->sum = two_plus(s->sum, two_products(two_plus(words, key)));
    s->difference = two_differences(words, there, s->difference);
}

/* table: from where the keys of these bytes begin. */
static inline void take_bytes(const unsigned char *row, const unsigned char *other, size_t bytes,
                              const uint64_t *table, state *s)
{
    size_t i = 0;
    for (; i + TWO <= bytes; i += TWO) {
        const two key = two_other(two_words(table + i / WORD), s->number);
        take(two_at(row + i), two_at(other + i), key, s);
    }
    if (i < bytes) {
        const two key = two_other(two_words(table + i / WORD), s->number);
        take(two_rest(row + i, bytes - i), two_rest(other + i, bytes - i), key, s);
    }
}

/* Some rows are a piece. */
static inline state take_short(const hxi_lines *lines, const hxi_lines *other, size_t bytes)
{
    const int pairs = (int)((bytes + TWO - 1) / TWO);
    const int most = KEYS / pairs;
    state s = begin();
    const unsigned char *at = lines->at;
    const unsigned char *there = other->at;
    for (int left = lines->count; left > 0; left -= most) {
        const uint64_t *table = table_of(&s);
        for (int j = 0; j < most && j < left; ++j) {
            take_bytes(at, there, bytes, table, &s);
            table += 2 * pairs;
            at += lines->stride;
            there += other->stride;
        }
        next_piece(&s);
    }
    return s;
}

/* A row is some pieces. */
static inline state take_long(const hxi_lines *lines, const hxi_lines *other)
{
    const size_t most = (size_t)KEYS * TWO;
    state s = begin();
    for (int j = 0; j < lines->count; ++j) {
        const unsigned char *at = lines->at + j * lines->stride;
        const unsigned char *there = other->at + j * other->stride;
        for (size_t i = 0; i < lines->bytes; i += most) {
            const size_t left = lines->bytes - i;
            take_bytes(at + i, there + i, left < most ? left : most, table_of(&s), &s);
            next_piece(&s);
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

/* number: of the piece, twice. */
WIDE_INLINE void take_four(__m256i words, __m256i there, __m256i key, wide *w)
{
    const __m256i keyed = _mm256_add_epi64(words, key);
    w->sum = _mm256_add_epi64(w->sum, _mm256_mul_epu32(keyed, _mm256_srli_epi64(keyed, 32)));
    w->difference = _mm256_or_si256(w->difference, _mm256_xor_si256(words, there));
}

WIDE_INLINE __m256i four_at(const void *from)
{
    return _mm256_loadu_si256((const __m256i *)from);
}

/* Three words, and a zero: nothing behind them is read. */
WIDE_INLINE __m256i three_at(const void *from)
{
    return _mm256_maskload_epi64((const long long *)from, _mm256_set_epi64x(0, -1, -1, -1));
}

WIDE_INLINE __m256i four_keys(const uint64_t *table, const state *s)
{
    return _mm256_xor_si256(four_at(table), _mm256_broadcastsi128_si256(s->number));
}

WIDE_INLINE state end_wide(const wide *w, state s)
{
    s.sum = two_plus(s.sum, two_plus(_mm256_castsi256_si128(w->sum), _mm256_extracti128_si256(w->sum, 1)));
    s.difference = _mm_or_si128(s.difference, _mm_or_si128(_mm256_castsi256_si128(w->difference),
                                                           _mm256_extracti128_si256(w->difference, 1)));
    return s;
}

WIDE_INLINE void put_short(__m256i row, int words, unsigned char *to)
{
    if (words == 3) {
        _mm_storeu_si128((__m128i *)(void *)to, _mm256_castsi256_si128(row));
        _mm_storel_epi64((__m128i *)(void *)(to + TWO), _mm256_extracti128_si256(row, 1));
    } else {
        _mm256_storeu_si256((__m256i *)(void *)to, row);
    }
}

/* As take_short, of rows of three words or of four.  to: where they go, too; NULL: nowhere. */
WIDE_INLINE state take_short_wide(const hxi_lines *lines, const hxi_lines *other, int words,
                                  unsigned char *to)
{
    const int most = KEYS / 2;
    state s = begin();
    wide w = {_mm256_setzero_si256(), _mm256_setzero_si256()};
    const unsigned char *at = lines->at;
    const unsigned char *there = other->at;
    for (int left = lines->count; left > 0; left -= most) {
        const uint64_t *table = table_of(&s);
        for (int j = 0; j < most && j < left; ++j) {
            const __m256i row = words == 3 ? three_at(at) : four_at(at);
            take_four(row,
                      at == there  ? row
                      : words == 3 ? three_at(there)
                                   : four_at(there),
                      four_keys(table, &s), &w);
            if (to) {
                put_short(row, words, to);
                to += words * WORD;
            }
            table += 4;
            at += lines->stride;
            there += other->stride;
        }
        next_piece(&s);
    }
    return end_wide(&w, s);
}

/* As take_long. */
WIDE_INLINE state take_long_wide(const hxi_lines *lines, const hxi_lines *other, unsigned char *to)
{
    const size_t most = (size_t)KEYS * TWO;
    state s = begin();
    wide w = {_mm256_setzero_si256(), _mm256_setzero_si256()};
    for (int j = 0; j < lines->count; ++j) {
        const unsigned char *at = lines->at + j * lines->stride;
        const unsigned char *there = other->at + j * other->stride;
        for (size_t done = 0; done < lines->bytes; done += most) {
            const size_t left = lines->bytes - done < most ? lines->bytes - done : most;
            const uint64_t *table = table_of(&s);
            size_t i = 0;
            for (; i + FOUR <= left; i += FOUR) {
                const __m256i words = four_at(at + done + i);
                take_four(words, four_at(there + done + i), four_keys(table + i / WORD, &s), &w);
                if (to) {
                    put_short(words, FOUR / WORD, to + i);
                }
            }
            take_bytes(at + done + i, there + done + i, left - i, table + i / WORD, &s);
            if (to) {
                memcpy(to + i, at + done + i, left - i);
                to += left;
            }
            next_piece(&s);
        }
    }
    return end_wide(&w, s);
}

WIDE_INLINE state take_wide(const hxi_lines *lines, const hxi_lines *other, unsigned char *to)
{
    return lines->bytes == 3 * WORD   ? take_short_wide(lines, other, 3, to)
           : lines->bytes == 4 * WORD ? take_short_wide(lines, other, 4, to)
                                      : take_long_wide(lines, other, to);
}

WIDE static state take_wide_alone(const hxi_lines *lines)
{
    return take_wide(lines, lines, NULL);
}

WIDE static state take_wide_copy(const hxi_lines *lines, unsigned char *to)
{
    return take_wide(lines, lines, to);
}

WIDE static state take_wide_both(const hxi_lines *lines, const hxi_lines *other)
{
    return take_wide(lines, other, NULL);
}

static inline bool goes_wide(const hxi_lines *lines)
{
    return (lines->bytes == 3 * WORD || lines->bytes >= 4 * WORD) && __builtin_cpu_supports("avx2");
}
#else
static inline bool goes_wide(const hxi_lines *lines)
{
    (void)lines;
    return false;
}

static state take_wide_both(const hxi_lines *lines, const hxi_lines *other)
{
    return take_long(lines, other);
}

static state take_wide_alone(const hxi_lines *lines)
{
    return take_long(lines, lines);
}

static state take_wide_copy(const hxi_lines *lines, unsigned char *to)
{
    (void)to;
    return take_long(lines, lines);
}
#endif

/* ---- any rows ------------------------------------------------------------------------------------------ */

/* Rows of halos are short: with their size as a literal nothing is asked for each of them. */
static inline state take_any(const hxi_lines *lines, const hxi_lines *other)
{
    switch (lines->bytes) {
    case 1 * WORD:
        return take_short(lines, other, 1 * WORD);
    case 2 * WORD:
        return take_short(lines, other, 2 * WORD);
    case 3 * WORD:
        return take_short(lines, other, 3 * WORD);
    case 4 * WORD:
        return take_short(lines, other, 4 * WORD);
    default:
        return lines->bytes < 4 * WORD ? take_short(lines, other, lines->bytes) : take_long(lines, other);
    }
}

uint64_t hxi_digest(const hxi_lines *lines)
{
    /* The compiler sees that nothing differs. */
    const state s = goes_wide(lines) ? take_wide_alone(lines) : take_any(lines, lines);
    return two_sum(s.sum);
}

uint64_t hxi_digest_copy(const hxi_lines *lines, unsigned char *to)
{
    if (goes_wide(lines)) {
        return two_sum(take_wide_copy(lines, to).sum);
    }
    for (int j = 0; j < lines->count; ++j) {
        memcpy(to + (size_t)j * lines->bytes, lines->at + j * lines->stride, lines->bytes);
    }
    return hxi_digest(lines);
}

uint64_t hxi_digest_same(const hxi_lines *lines, const hxi_lines *other, bool *same)
{
    const state s = goes_wide(lines) ? take_wide_both(lines, other) : take_any(lines, other);
    *same = !two_any(s.difference);
    return two_sum(s.sum);
}
