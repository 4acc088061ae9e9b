/*
 * mixed: device kernels of the halo exchanges of mixed.lua.  See mixed.h.
 *
 * Emitted by halogen 0.1.0 from mixed.lua, model 348cef8f3c9cbf4b.  This file belongs to whoever wrote the spec.
 *
 * One launch does everything at once.  A table says which rows of words go where: from arrays to messages, from messages to
 * arrays, or from array to array.  Each block of threads works on one entry of the table.
 */
#include <hx/cuda.h>
#include <hx/cuda_signal.h>

HX_REQUIRE_CUDA_ABI(10);

/* ---- which rows, and where ---- */

HX_DEVICE unsigned divided(unsigned n, hx_divisor by)
{
    return (unsigned)(((uint64_t)n * by.factor >> 32) + n) >> by.shift;
}

/* The offset of row `row` from the first row. */
HX_DEVICE ptrdiff_t row_offset(const hx_cuda_rows *at, const int32_t *step, unsigned row)
{
    const unsigned k = divided(row, at->by[0]);
    const unsigned j = row - k * at->n[0];
    return (ptrdiff_t)j * step[1] + (ptrdiff_t)k * step[2];
}

/* An entry stands for several moves.  This is where the one begins that this block of threads works on. */
typedef struct move_place {
    unsigned block;  /* this block, among those of the move */
    unsigned thread; /* this thread, among those of the block that work on the move */
    const void *from;
    void *to;
} move_place;

/* other: 1 for the second move of a pair, else 0. */
HX_DEVICE void *begin_of(const hx_cuda_end *end, unsigned number, unsigned other, void *const *base)
{
    const int b = end->base + (int)number * end->next_base + (int)other * end->other_base;
    return (unsigned char *)base[b] + end->at + (ptrdiff_t)number * end->next_at + (ptrdiff_t)other * end->other_at;
}

/* The blocks of an entry work on one move after the other, or on one pair after the other. */
HX_DEVICE move_place place_of(const hx_cuda_move *m, unsigned block, void *const *base, unsigned other, unsigned thread)
{
    const unsigned number = divided(block >> m->twice, m->block);
    const move_place p = {(block >> m->twice) - number * m->blocks, thread, begin_of(&m->from, number, other, base), begin_of(&m->to, number, other, base)};
    return p;
}

/* Blocks alternate between the two moves of a pair. */
HX_DEVICE move_place place_of_block(const hx_cuda_move *m, unsigned block, void *const *base)
{
    return place_of(m, block, base, block & m->twice, threadIdx.x);
}

/* Half of the threads of a block work on each move of a pair, since the halos of both may lie side by side in memory. */
HX_DEVICE move_place place_of_thread(const hx_cuda_move *m, unsigned block, void *const *base)
{
    const unsigned half = block & m->twice;
    return place_of(m, block, base, threadIdx.x & m->twice, half * (HX_CUDA_THREADS / 2) + (threadIdx.x >> m->twice));
}

/* The first item of a thread.  Its next items follow at a distance of one block of threads each. */
HX_DEVICE unsigned first_item(unsigned block, unsigned thread)
{
    return block * (HX_CUDA_LOADS * HX_CUDA_THREADS) + thread;
}

/* ---- long rows: a warp moves a chunk of one ---- */

HX_DEVICE void copy_1(const hx_word_1 *from, hx_word_1 *to, unsigned words, unsigned first)
{
    hx_word_1 value[HX_CUDA_LOADS];
    HX_UNROLL
    for (unsigned l = 0; l < HX_CUDA_LOADS; ++l) {
        if (first + l * HX_CUDA_WARP < words) {
            value[l] = from[first + l * HX_CUDA_WARP];
        }
    }
    HX_UNROLL
    for (unsigned l = 0; l < HX_CUDA_LOADS; ++l) {
        if (first + l * HX_CUDA_WARP < words) {
            to[first + l * HX_CUDA_WARP] = value[l];
        }
    }
}

HX_DEVICE void copy_8(const hx_word_8 *from, hx_word_8 *to, unsigned words, unsigned first)
{
    hx_word_8 value[HX_CUDA_LOADS];
    HX_UNROLL
    for (unsigned l = 0; l < HX_CUDA_LOADS; ++l) {
        if (first + l * HX_CUDA_WARP < words) {
            value[l] = from[first + l * HX_CUDA_WARP];
        }
    }
    HX_UNROLL
    for (unsigned l = 0; l < HX_CUDA_LOADS; ++l) {
        if (first + l * HX_CUDA_WARP < words) {
            to[first + l * HX_CUDA_WARP] = value[l];
        }
    }
}

HX_DEVICE void copy_16(const hx_word_16 *from, hx_word_16 *to, unsigned words, unsigned first)
{
    hx_word_16 value[HX_CUDA_LOADS];
    HX_UNROLL
    for (unsigned l = 0; l < HX_CUDA_LOADS; ++l) {
        if (first + l * HX_CUDA_WARP < words) {
            value[l] = from[first + l * HX_CUDA_WARP];
        }
    }
    HX_UNROLL
    for (unsigned l = 0; l < HX_CUDA_LOADS; ++l) {
        if (first + l * HX_CUDA_WARP < words) {
            to[first + l * HX_CUDA_WARP] = value[l];
        }
    }
}

/* Moves 16 bytes at once where both ends allow it, and single words before the first such piece and after the last. */
HX_DEVICE void copy_row_1(const hx_word_1 *from, hx_word_1 *to, unsigned words, unsigned chunk, unsigned lane)
{
    const unsigned phase = (unsigned)((uintptr_t)to % 16);
    if ((uintptr_t)from % 16 == phase) {
        const unsigned head = (16 - phase) % 16;
        const unsigned pieces = (words - head) / 16;
        const unsigned tail = head + pieces * 16;
        copy_16((const hx_word_16 *)(const void *)(from + head), (hx_word_16 *)(void *)(to + head), pieces, chunk * (HX_CUDA_CHUNK / 16) + lane);
        if (chunk == 0 && lane < head) {
            to[lane] = from[lane];
        }
        if (chunk == 0 && tail + lane < words) {
            to[tail + lane] = from[tail + lane];
        }
        return;
    }
    const unsigned behind = (chunk + 1) * (HX_CUDA_CHUNK / 1);
    const unsigned end = behind < words ? behind : words;
    for (unsigned first = chunk * (HX_CUDA_CHUNK / 1) + lane; first < end; first += HX_CUDA_LOADS * HX_CUDA_WARP) {
        copy_1(from, to, end, first);
    }
}

HX_DEVICE void move_long_1(const hx_cuda_move *m, move_place p)
{
    const unsigned warp = p.block * (HX_CUDA_THREADS / HX_CUDA_WARP) + threadIdx.x / HX_CUDA_WARP;
    const unsigned lane = threadIdx.x % HX_CUDA_WARP;
    const unsigned row = divided(warp, m->at.item);
    const unsigned chunk = warp - row * m->at.items;
    if (row < m->at.rows) {
        const hx_word_1 *from = (const hx_word_1 *)p.from + row_offset(&m->at, m->from.step, row);
        hx_word_1 *to = (hx_word_1 *)p.to + row_offset(&m->at, m->to.step, row);
        copy_row_1(from, to, m->words, chunk, lane);
    }
}

/* Moves 16 bytes at once where both ends allow it, and single words before the first such piece and after the last. */
HX_DEVICE void copy_row_8(const hx_word_8 *from, hx_word_8 *to, unsigned words, unsigned chunk, unsigned lane)
{
    const unsigned phase = (unsigned)((uintptr_t)to % 16);
    if ((uintptr_t)from % 16 == phase) {
        const unsigned head = (16 - phase) % 16 / 8;
        const unsigned pieces = (words - head) / 2;
        const unsigned tail = head + pieces * 2;
        copy_16((const hx_word_16 *)(const void *)(from + head), (hx_word_16 *)(void *)(to + head), pieces, chunk * (HX_CUDA_CHUNK / 16) + lane);
        if (chunk == 0 && lane < head) {
            to[lane] = from[lane];
        }
        if (chunk == 0 && tail + lane < words) {
            to[tail + lane] = from[tail + lane];
        }
        return;
    }
    const unsigned behind = (chunk + 1) * (HX_CUDA_CHUNK / 8);
    const unsigned end = behind < words ? behind : words;
    for (unsigned first = chunk * (HX_CUDA_CHUNK / 8) + lane; first < end; first += HX_CUDA_LOADS * HX_CUDA_WARP) {
        copy_8(from, to, end, first);
    }
}

HX_DEVICE void move_long_8(const hx_cuda_move *m, move_place p)
{
    const unsigned warp = p.block * (HX_CUDA_THREADS / HX_CUDA_WARP) + threadIdx.x / HX_CUDA_WARP;
    const unsigned lane = threadIdx.x % HX_CUDA_WARP;
    const unsigned row = divided(warp, m->at.item);
    const unsigned chunk = warp - row * m->at.items;
    if (row < m->at.rows) {
        const hx_word_8 *from = (const hx_word_8 *)p.from + row_offset(&m->at, m->from.step, row);
        hx_word_8 *to = (hx_word_8 *)p.to + row_offset(&m->at, m->to.step, row);
        copy_row_8(from, to, m->words, chunk, lane);
    }
}

/* ---- rows as long as halos are deep: a thread moves single words ---- */

HX_DEVICE void move_short_1_1(const hx_cuda_move *m, move_place p)
{
    const hx_word_1 *from = (const hx_word_1 *)p.from;
    hx_word_1 *to = (hx_word_1 *)p.to;
    const unsigned first = first_item(p.block, p.thread);
    hx_word_1 value[HX_CUDA_LOADS];
    ptrdiff_t place[HX_CUDA_LOADS];
    HX_UNROLL
    for (unsigned l = 0; l < HX_CUDA_LOADS; ++l) {
        const unsigned row = first + l * HX_CUDA_THREADS;
        if (row < m->at.rows) {
            value[l] = from[row_offset(&m->at, m->from.step, row)];
            place[l] = row_offset(&m->at, m->to.step, row);
        }
    }
    HX_UNROLL
    for (unsigned l = 0; l < HX_CUDA_LOADS; ++l) {
        if (first + l * HX_CUDA_THREADS < m->at.rows) {
            to[place[l]] = value[l];
        }
    }
}

HX_DEVICE void move_short_8_1(const hx_cuda_move *m, move_place p)
{
    const hx_word_8 *from = (const hx_word_8 *)p.from;
    hx_word_8 *to = (hx_word_8 *)p.to;
    const unsigned first = first_item(p.block, p.thread);
    hx_word_8 value[HX_CUDA_LOADS];
    ptrdiff_t place[HX_CUDA_LOADS];
    HX_UNROLL
    for (unsigned l = 0; l < HX_CUDA_LOADS; ++l) {
        const unsigned row = first + l * HX_CUDA_THREADS;
        if (row < m->at.rows) {
            value[l] = from[row_offset(&m->at, m->from.step, row)];
            place[l] = row_offset(&m->at, m->to.step, row);
        }
    }
    HX_UNROLL
    for (unsigned l = 0; l < HX_CUDA_LOADS; ++l) {
        if (first + l * HX_CUDA_THREADS < m->at.rows) {
            to[place[l]] = value[l];
        }
    }
}

HX_DEVICE void move_short_8_2(const hx_cuda_move *m, move_place p)
{
    const hx_word_8 *from = (const hx_word_8 *)p.from;
    hx_word_8 *to = (hx_word_8 *)p.to;
    const unsigned first = first_item(p.block, p.thread);
    hx_word_8 value[HX_CUDA_LOADS];
    ptrdiff_t place[HX_CUDA_LOADS];
    HX_UNROLL
    for (unsigned l = 0; l < HX_CUDA_LOADS; ++l) {
        const unsigned row = (first + l * HX_CUDA_THREADS) / 2;
        const unsigned i = (first + l * HX_CUDA_THREADS) % 2;
        if (row < m->at.rows) {
            value[l] = from[i + row_offset(&m->at, m->from.step, row)];
            place[l] = i + row_offset(&m->at, m->to.step, row);
        }
    }
    HX_UNROLL
    for (unsigned l = 0; l < HX_CUDA_LOADS; ++l) {
        if ((first + l * HX_CUDA_THREADS) / 2 < m->at.rows) {
            to[place[l]] = value[l];
        }
    }
}

HX_DEVICE void move_short_16_1(const hx_cuda_move *m, move_place p)
{
    const hx_word_16 *from = (const hx_word_16 *)p.from;
    hx_word_16 *to = (hx_word_16 *)p.to;
    const unsigned first = first_item(p.block, p.thread);
    hx_word_16 value[HX_CUDA_LOADS];
    ptrdiff_t place[HX_CUDA_LOADS];
    HX_UNROLL
    for (unsigned l = 0; l < HX_CUDA_LOADS; ++l) {
        const unsigned row = first + l * HX_CUDA_THREADS;
        if (row < m->at.rows) {
            value[l] = from[row_offset(&m->at, m->from.step, row)];
            place[l] = row_offset(&m->at, m->to.step, row);
        }
    }
    HX_UNROLL
    for (unsigned l = 0; l < HX_CUDA_LOADS; ++l) {
        if (first + l * HX_CUDA_THREADS < m->at.rows) {
            to[place[l]] = value[l];
        }
    }
}

/* ---- any rows, by any steps ---- */

HX_DEVICE void move_loose_1(const hx_cuda_move *m, move_place p)
{
    const hx_word_1 *from = (const hx_word_1 *)p.from;
    hx_word_1 *to = (hx_word_1 *)p.to;
    const unsigned first = first_item(p.block, p.thread);
    hx_word_1 value[HX_CUDA_LOADS];
    ptrdiff_t place[HX_CUDA_LOADS];
    HX_UNROLL
    for (unsigned l = 0; l < HX_CUDA_LOADS; ++l) {
        const unsigned row = divided(first + l * HX_CUDA_THREADS, m->at.item);
        if (row < m->at.rows) {
            const ptrdiff_t i = (ptrdiff_t)(first + l * HX_CUDA_THREADS - row * m->at.items);
            value[l] = from[i * m->from.step[0] + row_offset(&m->at, m->from.step, row)];
            place[l] = i * m->to.step[0] + row_offset(&m->at, m->to.step, row);
        }
    }
    HX_UNROLL
    for (unsigned l = 0; l < HX_CUDA_LOADS; ++l) {
        if (first + l * HX_CUDA_THREADS < m->at.rows * m->at.items) {
            to[place[l]] = value[l];
        }
    }
}

HX_DEVICE void move_loose_8(const hx_cuda_move *m, move_place p)
{
    const hx_word_8 *from = (const hx_word_8 *)p.from;
    hx_word_8 *to = (hx_word_8 *)p.to;
    const unsigned first = first_item(p.block, p.thread);
    hx_word_8 value[HX_CUDA_LOADS];
    ptrdiff_t place[HX_CUDA_LOADS];
    HX_UNROLL
    for (unsigned l = 0; l < HX_CUDA_LOADS; ++l) {
        const unsigned row = divided(first + l * HX_CUDA_THREADS, m->at.item);
        if (row < m->at.rows) {
            const ptrdiff_t i = (ptrdiff_t)(first + l * HX_CUDA_THREADS - row * m->at.items);
            value[l] = from[i * m->from.step[0] + row_offset(&m->at, m->from.step, row)];
            place[l] = i * m->to.step[0] + row_offset(&m->at, m->to.step, row);
        }
    }
    HX_UNROLL
    for (unsigned l = 0; l < HX_CUDA_LOADS; ++l) {
        if (first + l * HX_CUDA_THREADS < m->at.rows * m->at.items) {
            to[place[l]] = value[l];
        }
    }
}

HX_DEVICE void zero_8(const hx_cuda_move *m, move_place p)
{
    hx_word_8 *to = (hx_word_8 *)p.to;
    const unsigned first = first_item(p.block, p.thread);
    const hx_word_8 zero = 0;
    for (unsigned l = 0; l < HX_CUDA_LOADS; ++l) {
        const unsigned row = divided(first + l * HX_CUDA_THREADS, m->at.item);
        if (row < m->at.rows) {
            const ptrdiff_t i = (ptrdiff_t)(first + l * HX_CUDA_THREADS - row * m->at.items);
            to[i * m->to.step[0] + row_offset(&m->at, m->to.step, row)] = zero;
        }
    }
}

/* ---- sums: one thread adds all that comes to a number, in the order of the table ---- */

HX_DEVICE void sum_real_8(const hx_cuda_sum *m, unsigned block, const hx_cuda_term *term, void *const *base)
{
    hx_real_8 *to = (hx_real_8 *)base[m->to] + m->to_at;
    const unsigned first = first_item(block, threadIdx.x);
    for (unsigned l = 0; l < HX_CUDA_LOADS; ++l) {
        const unsigned row = divided(first + l * HX_CUDA_THREADS, m->at.item);
        if (row < m->at.rows) {
            const ptrdiff_t i = (ptrdiff_t)(first + l * HX_CUDA_THREADS - row * m->at.items);
            hx_real_8 *number = to + i * m->to_step[0] + row_offset(&m->at, m->to_step, row);
            hx_real_8 total = *number;
            for (const hx_cuda_term *t = term; t < term + m->terms; ++t) {
                const hx_real_8 value = ((const hx_real_8 *)base[t->from] + t->from_at)[i * t->from_step[0] + row_offset(&m->at, t->from_step, row)];
                total = total + (t->sign < 0 ? -value : value);
            }
            *number = total;
        }
    }
}

/* ---- kernels ---- */

HX_DEVICE void move(const hx_cuda_move *m, unsigned block, void *const *base)
{
    switch (m->kind) {
    case 0:
        move_long_1(m, place_of_block(m, block, base));
        break;
    case 1:
        move_long_8(m, place_of_block(m, block, base));
        break;
    case 2:
        move_short_1_1(m, place_of_thread(m, block, base));
        break;
    case 3:
        move_short_8_1(m, place_of_thread(m, block, base));
        break;
    case 4:
        move_short_8_2(m, place_of_thread(m, block, base));
        break;
    case 5:
        move_short_16_1(m, place_of_thread(m, block, base));
        break;
    case 6:
        move_loose_1(m, place_of_thread(m, block, base));
        break;
    case 7:
        move_loose_8(m, place_of_thread(m, block, base));
        break;
    }
}

HX_KERNEL(move_all, hx_cuda_arguments)
{
    const hx_cuda_turn turn = a->turn[blockIdx.x];
    move(a->move + turn.entry, turn.block, a->base);
}

HX_DEVICE void zero(const hx_cuda_move *m, unsigned block, void *const *base)
{
    const move_place p = place_of_thread(m, block, base);
    switch (m->kind) {
    case 7:
        zero_8(m, p);
        break;
    }
}

HX_KERNEL(zero_all, hx_cuda_arguments)
{
    const hx_cuda_turn turn = a->turn[blockIdx.x];
    zero(a->move + turn.entry, turn.block, a->base);
}

HX_KERNEL(sum_all, hx_cuda_arguments)
{
    const hx_cuda_turn turn = a->turn[blockIdx.x];
    const hx_cuda_sum *sum = a->sum + turn.entry;
    switch (sum->kind) {
    case 8:
        sum_real_8(sum, turn.block, a->term + sum->first_term, a->base);
        break;
    }
}

/* ---- launches, by the host ---- */

static int launch_move_all(const hx_cuda_arguments *arguments, unsigned blocks, void *stream)
{
    return HX_LAUNCH(move_all, arguments, blocks, stream);
}

static int launch_zero_all(const hx_cuda_arguments *arguments, unsigned blocks, void *stream)
{
    return HX_LAUNCH(zero_all, arguments, blocks, stream);
}

static int launch_sum_all(const hx_cuda_arguments *arguments, unsigned blocks, void *stream)
{
    return HX_LAUNCH(sum_all, arguments, blocks, stream);
}

static const hx_cuda_kind kinds[] = {
    {HX_CUDA_LONG, 1, 0},
    {HX_CUDA_LONG, 8, 0},
    {HX_CUDA_SHORT, 1, 1},
    {HX_CUDA_SHORT, 8, 1},
    {HX_CUDA_SHORT, 8, 2},
    {HX_CUDA_SHORT, 16, 1},
    {HX_CUDA_LOOSE, 1, 0},
    {HX_CUDA_LOOSE, 8, 0},
    {HX_CUDA_SUM, 8, 0},
};

/* Bytes of the types that are added or have a sign; kinds of moves that turn, of tiles, sums, means, totals, minima and maxima. */
static const hx_cuda_field field_table[5] = {
    {8, -1, -1, 8, -1, -1, -1, -1},  /* u */
    {8, -1, -1, 8, -1, -1, -1, -1},  /* v */
    {4, -1, -1, -1, -1, -1, -1, -1}, /* p */
    {1, -1, -1, -1, -1, -1, -1, -1}, /* q */
    {8, -1, -1, -1, -1, -1, -1, -1}, /* r */
};

#ifdef __cplusplus
extern "C" {
#endif
extern const hx_cuda_kernels mixed_cuda;
const hx_cuda_kernels mixed_cuda = {
    HX_CUDA_ABI,
    kinds,
    (int)(sizeof kinds / sizeof *kinds),
    field_table,
    NULL,
    0,
    launch_move_all,
    launch_zero_all,
    launch_sum_all,
    NULL,
    NULL,
    &hx_cuda_device,
    hx_launch_signal,
};
#ifdef __cplusplus
}
#endif
