/*
 * drifters: device kernels of the halo exchanges of drifters.lua.  See drifters.h.
 *
 * Emitted by halogen 0.1.0 from drifters.lua, model 66a5f167ab8bdb93.  This file belongs to whoever wrote the spec.
 *
 * One launch does everything at once.  A table says which points of which list go where; each block of threads works on
 * one entry of it.  Points of a message lie in the order of the list.  Their indices in arrays are looked up.
 */
#include <hx/cuda.h>
#include <hx/cuda_signal.h>
#include <hx/cuda_wires.h>

HX_REQUIRE_CUDA_ABI(10);

/* ---- which points, and where ---- */

HX_DEVICE unsigned divided(unsigned n, hx_divisor by)
{
    return (unsigned)(((uint64_t)n * by.factor >> 32) + n) >> by.shift;
}

/* The first item of this thread in an entry.  Its next items follow at a distance of one block of threads each. */
HX_DEVICE unsigned first_item(const hx_cuda_listed_arguments *a)
{
    return a->turn[blockIdx.x].block * (HX_CUDA_LOADS * HX_CUDA_THREADS) + threadIdx.x;
}

HX_DEVICE unsigned count_items(const hx_cuda_listed *m)
{
    return m->at.rows * m->at.items;
}

/* An item: a word of a point. */
typedef struct word_place {
    unsigned point; /* its index in the list */
    unsigned word;
} word_place;

HX_DEVICE word_place place_of_item(const hx_cuda_listed *m, unsigned item)
{
    const unsigned row = divided(item, m->at.item);
    const word_place place = {row, item - row * m->at.items};
    return place;
}

HX_DEVICE ptrdiff_t offset_of(const hx_cuda_points *points, ptrdiff_t index, const word_place *place)
{
    return points->at + index * points->point + place->word;
}

/* The index of a point in its array.  Bits tell where runs begin: its run is the last one that begins no later. */
HX_DEVICE ptrdiff_t index_of(const hx_cuda_listed_arguments *a, const hx_cuda_points *points, unsigned point)
{
    const hx_cuda_group group = a->group[points->group + point / HX_CUDA_GROUP];
    const unsigned run = group.before + hx_ones(group.begins & ((2u << point % HX_CUDA_GROUP) - 1));
    return (ptrdiff_t)point + a->shift[run];
}

/* The offset of an item in its array. */
HX_DEVICE ptrdiff_t offset_in_array(const hx_cuda_listed_arguments *a, const hx_cuda_listed *m, const hx_cuda_points *points, unsigned item)
{
    const word_place place = place_of_item(m, item);
    return offset_of(points, index_of(a, points, place.point), &place);
}

/* ---- words of 4 bytes ---- */

HX_DEVICE void pack_4(const hx_cuda_listed *m, const hx_cuda_listed_arguments *a)
{
    const hx_word_4 *from = (const hx_word_4 *)a->base[m->from.base];
    hx_word_4 *to = (hx_word_4 *)a->base[m->to.base] + m->to.at;
    const unsigned first = first_item(a), items = count_items(m);
    hx_word_4 value[HX_CUDA_LOADS];
    HX_UNROLL
    for (unsigned l = 0; l < HX_CUDA_LOADS; ++l) {
        const unsigned item = first + l * HX_CUDA_THREADS;
        if (item < items) {
            value[l] = from[offset_in_array(a, m, &m->from, item)];
        }
    }
    HX_UNROLL
    for (unsigned l = 0; l < HX_CUDA_LOADS; ++l) {
        const unsigned item = first + l * HX_CUDA_THREADS;
        if (item < items) {
            to[item] = value[l];
        }
    }
}

HX_DEVICE void unpack_4(const hx_cuda_listed *m, const hx_cuda_listed_arguments *a)
{
    const hx_word_4 *from = (const hx_word_4 *)a->base[m->from.base] + m->from.at;
    hx_word_4 *to = (hx_word_4 *)a->base[m->to.base];
    const unsigned first = first_item(a), items = count_items(m);
    hx_word_4 value[HX_CUDA_LOADS];
    ptrdiff_t at[HX_CUDA_LOADS];
    HX_UNROLL
    for (unsigned l = 0; l < HX_CUDA_LOADS; ++l) {
        const unsigned item = first + l * HX_CUDA_THREADS;
        if (item < items) {
            value[l] = from[item];
            at[l] = offset_in_array(a, m, &m->to, item);
        }
    }
    HX_UNROLL
    for (unsigned l = 0; l < HX_CUDA_LOADS; ++l) {
        const unsigned item = first + l * HX_CUDA_THREADS;
        if (item < items) {
            to[at[l]] = value[l];
        }
    }
}

HX_DEVICE void copy_4(const hx_cuda_listed *m, const hx_cuda_listed_arguments *a)
{
    const hx_word_4 *from = (const hx_word_4 *)a->base[m->from.base];
    hx_word_4 *to = (hx_word_4 *)a->base[m->to.base];
    const unsigned first = first_item(a), items = count_items(m);
    hx_word_4 value[HX_CUDA_LOADS];
    ptrdiff_t at[HX_CUDA_LOADS];
    HX_UNROLL
    for (unsigned l = 0; l < HX_CUDA_LOADS; ++l) {
        const unsigned item = first + l * HX_CUDA_THREADS;
        if (item < items) {
            value[l] = from[offset_in_array(a, m, &m->from, item)];
            at[l] = offset_in_array(a, m, &m->to, item);
        }
    }
    HX_UNROLL
    for (unsigned l = 0; l < HX_CUDA_LOADS; ++l) {
        const unsigned item = first + l * HX_CUDA_THREADS;
        if (item < items) {
            to[at[l]] = value[l];
        }
    }
}

HX_DEVICE void zero_4(const hx_cuda_listed *m, const hx_cuda_listed_arguments *a)
{
    hx_word_4 *to = (hx_word_4 *)a->base[m->to.base];
    const unsigned first = first_item(a), items = count_items(m);
    const hx_word_4 zero = 0;
    HX_UNROLL
    for (unsigned l = 0; l < HX_CUDA_LOADS; ++l) {
        const unsigned item = first + l * HX_CUDA_THREADS;
        if (item < items) {
            to[offset_in_array(a, m, &m->to, item)] = zero;
        }
    }
}

/* ---- words of 8 bytes ---- */

HX_DEVICE void pack_8(const hx_cuda_listed *m, const hx_cuda_listed_arguments *a)
{
    const hx_word_8 *from = (const hx_word_8 *)a->base[m->from.base];
    hx_word_8 *to = (hx_word_8 *)a->base[m->to.base] + m->to.at;
    const unsigned first = first_item(a), items = count_items(m);
    hx_word_8 value[HX_CUDA_LOADS];
    HX_UNROLL
    for (unsigned l = 0; l < HX_CUDA_LOADS; ++l) {
        const unsigned item = first + l * HX_CUDA_THREADS;
        if (item < items) {
            value[l] = from[offset_in_array(a, m, &m->from, item)];
        }
    }
    HX_UNROLL
    for (unsigned l = 0; l < HX_CUDA_LOADS; ++l) {
        const unsigned item = first + l * HX_CUDA_THREADS;
        if (item < items) {
            to[item] = value[l];
        }
    }
}

HX_DEVICE void unpack_8(const hx_cuda_listed *m, const hx_cuda_listed_arguments *a)
{
    const hx_word_8 *from = (const hx_word_8 *)a->base[m->from.base] + m->from.at;
    hx_word_8 *to = (hx_word_8 *)a->base[m->to.base];
    const unsigned first = first_item(a), items = count_items(m);
    hx_word_8 value[HX_CUDA_LOADS];
    ptrdiff_t at[HX_CUDA_LOADS];
    HX_UNROLL
    for (unsigned l = 0; l < HX_CUDA_LOADS; ++l) {
        const unsigned item = first + l * HX_CUDA_THREADS;
        if (item < items) {
            value[l] = from[item];
            at[l] = offset_in_array(a, m, &m->to, item);
        }
    }
    HX_UNROLL
    for (unsigned l = 0; l < HX_CUDA_LOADS; ++l) {
        const unsigned item = first + l * HX_CUDA_THREADS;
        if (item < items) {
            to[at[l]] = value[l];
        }
    }
}

HX_DEVICE void copy_8(const hx_cuda_listed *m, const hx_cuda_listed_arguments *a)
{
    const hx_word_8 *from = (const hx_word_8 *)a->base[m->from.base];
    hx_word_8 *to = (hx_word_8 *)a->base[m->to.base];
    const unsigned first = first_item(a), items = count_items(m);
    hx_word_8 value[HX_CUDA_LOADS];
    ptrdiff_t at[HX_CUDA_LOADS];
    HX_UNROLL
    for (unsigned l = 0; l < HX_CUDA_LOADS; ++l) {
        const unsigned item = first + l * HX_CUDA_THREADS;
        if (item < items) {
            value[l] = from[offset_in_array(a, m, &m->from, item)];
            at[l] = offset_in_array(a, m, &m->to, item);
        }
    }
    HX_UNROLL
    for (unsigned l = 0; l < HX_CUDA_LOADS; ++l) {
        const unsigned item = first + l * HX_CUDA_THREADS;
        if (item < items) {
            to[at[l]] = value[l];
        }
    }
}

HX_DEVICE void zero_8(const hx_cuda_listed *m, const hx_cuda_listed_arguments *a)
{
    hx_word_8 *to = (hx_word_8 *)a->base[m->to.base];
    const unsigned first = first_item(a), items = count_items(m);
    const hx_word_8 zero = 0;
    HX_UNROLL
    for (unsigned l = 0; l < HX_CUDA_LOADS; ++l) {
        const unsigned item = first + l * HX_CUDA_THREADS;
        if (item < items) {
            to[offset_in_array(a, m, &m->to, item)] = zero;
        }
    }
}

/* ---- words of 16 bytes ---- */

HX_DEVICE void pack_16(const hx_cuda_listed *m, const hx_cuda_listed_arguments *a)
{
    const hx_word_16 *from = (const hx_word_16 *)a->base[m->from.base];
    hx_word_16 *to = (hx_word_16 *)a->base[m->to.base] + m->to.at;
    const unsigned first = first_item(a), items = count_items(m);
    hx_word_16 value[HX_CUDA_LOADS];
    HX_UNROLL
    for (unsigned l = 0; l < HX_CUDA_LOADS; ++l) {
        const unsigned item = first + l * HX_CUDA_THREADS;
        if (item < items) {
            value[l] = from[offset_in_array(a, m, &m->from, item)];
        }
    }
    HX_UNROLL
    for (unsigned l = 0; l < HX_CUDA_LOADS; ++l) {
        const unsigned item = first + l * HX_CUDA_THREADS;
        if (item < items) {
            to[item] = value[l];
        }
    }
}

HX_DEVICE void unpack_16(const hx_cuda_listed *m, const hx_cuda_listed_arguments *a)
{
    const hx_word_16 *from = (const hx_word_16 *)a->base[m->from.base] + m->from.at;
    hx_word_16 *to = (hx_word_16 *)a->base[m->to.base];
    const unsigned first = first_item(a), items = count_items(m);
    hx_word_16 value[HX_CUDA_LOADS];
    ptrdiff_t at[HX_CUDA_LOADS];
    HX_UNROLL
    for (unsigned l = 0; l < HX_CUDA_LOADS; ++l) {
        const unsigned item = first + l * HX_CUDA_THREADS;
        if (item < items) {
            value[l] = from[item];
            at[l] = offset_in_array(a, m, &m->to, item);
        }
    }
    HX_UNROLL
    for (unsigned l = 0; l < HX_CUDA_LOADS; ++l) {
        const unsigned item = first + l * HX_CUDA_THREADS;
        if (item < items) {
            to[at[l]] = value[l];
        }
    }
}

HX_DEVICE void copy_16(const hx_cuda_listed *m, const hx_cuda_listed_arguments *a)
{
    const hx_word_16 *from = (const hx_word_16 *)a->base[m->from.base];
    hx_word_16 *to = (hx_word_16 *)a->base[m->to.base];
    const unsigned first = first_item(a), items = count_items(m);
    hx_word_16 value[HX_CUDA_LOADS];
    ptrdiff_t at[HX_CUDA_LOADS];
    HX_UNROLL
    for (unsigned l = 0; l < HX_CUDA_LOADS; ++l) {
        const unsigned item = first + l * HX_CUDA_THREADS;
        if (item < items) {
            value[l] = from[offset_in_array(a, m, &m->from, item)];
            at[l] = offset_in_array(a, m, &m->to, item);
        }
    }
    HX_UNROLL
    for (unsigned l = 0; l < HX_CUDA_LOADS; ++l) {
        const unsigned item = first + l * HX_CUDA_THREADS;
        if (item < items) {
            to[at[l]] = value[l];
        }
    }
}

HX_DEVICE void zero_16(const hx_cuda_listed *m, const hx_cuda_listed_arguments *a)
{
    hx_word_16 *to = (hx_word_16 *)a->base[m->to.base];
    const unsigned first = first_item(a), items = count_items(m);
    const hx_word_16 zero = {{0, 0}};
    HX_UNROLL
    for (unsigned l = 0; l < HX_CUDA_LOADS; ++l) {
        const unsigned item = first + l * HX_CUDA_THREADS;
        if (item < items) {
            to[offset_in_array(a, m, &m->to, item)] = zero;
        }
    }
}

/* ---- integers that travel shorter than they are ---- */

/* In place of one that does not fit the least of the format, which marks that. */
HX_DEVICE hx_signed_2 int16_of_signed_4(hx_signed_4 value)
{
    return value >= -32767 && value <= 32767 ? (hx_signed_2)value : (hx_signed_2)(-32767 - 1);
}

/* ---- numbers that travel shorter than they are ---- */

HX_DEVICE void narrow_real_4_as_bfloat16(const hx_cuda_listed *m, const hx_cuda_listed_arguments *a)
{
    const hx_word_4 *from = (const hx_word_4 *)a->base[m->from.base];
    hx_word_2 *to = (hx_word_2 *)a->base[m->to.base] + m->to.at;
    const unsigned first = first_item(a), items = count_items(m);
    hx_word_4 value[HX_CUDA_LOADS];
    HX_UNROLL
    for (unsigned l = 0; l < HX_CUDA_LOADS; ++l) {
        const unsigned item = first + l * HX_CUDA_THREADS;
        if (item < items) {
            value[l] = from[offset_in_array(a, m, &m->from, item)];
        }
    }
    HX_UNROLL
    for (unsigned l = 0; l < HX_CUDA_LOADS; ++l) {
        const unsigned item = first + l * HX_CUDA_THREADS;
        if (item < items) {
            to[item] = hx_bfloat16_of_real_4(value[l]);
        }
    }
}

HX_DEVICE void widen_real_4_as_bfloat16(const hx_cuda_listed *m, const hx_cuda_listed_arguments *a)
{
    const hx_word_2 *from = (const hx_word_2 *)a->base[m->from.base] + m->from.at;
    hx_word_4 *to = (hx_word_4 *)a->base[m->to.base];
    const unsigned first = first_item(a), items = count_items(m);
    hx_word_2 value[HX_CUDA_LOADS];
    ptrdiff_t at[HX_CUDA_LOADS];
    HX_UNROLL
    for (unsigned l = 0; l < HX_CUDA_LOADS; ++l) {
        const unsigned item = first + l * HX_CUDA_THREADS;
        if (item < items) {
            value[l] = from[item];
            at[l] = offset_in_array(a, m, &m->to, item);
        }
    }
    HX_UNROLL
    for (unsigned l = 0; l < HX_CUDA_LOADS; ++l) {
        const unsigned item = first + l * HX_CUDA_THREADS;
        if (item < items) {
            to[at[l]] = hx_real_4_of_bfloat16(value[l]);
        }
    }
}

HX_DEVICE void round_real_4_as_bfloat16(const hx_cuda_listed *m, const hx_cuda_listed_arguments *a)
{
    const hx_word_4 *from = (const hx_word_4 *)a->base[m->from.base];
    hx_word_4 *to = (hx_word_4 *)a->base[m->to.base];
    const unsigned first = first_item(a), items = count_items(m);
    hx_word_4 value[HX_CUDA_LOADS];
    ptrdiff_t at[HX_CUDA_LOADS];
    HX_UNROLL
    for (unsigned l = 0; l < HX_CUDA_LOADS; ++l) {
        const unsigned item = first + l * HX_CUDA_THREADS;
        if (item < items) {
            value[l] = from[offset_in_array(a, m, &m->from, item)];
            at[l] = offset_in_array(a, m, &m->to, item);
        }
    }
    HX_UNROLL
    for (unsigned l = 0; l < HX_CUDA_LOADS; ++l) {
        const unsigned item = first + l * HX_CUDA_THREADS;
        if (item < items) {
            to[at[l]] = hx_real_4_of_bfloat16(hx_bfloat16_of_real_4(value[l]));
        }
    }
}

HX_DEVICE void narrow_real_4_as_half(const hx_cuda_listed *m, const hx_cuda_listed_arguments *a)
{
    const hx_word_4 *from = (const hx_word_4 *)a->base[m->from.base];
    hx_word_2 *to = (hx_word_2 *)a->base[m->to.base] + m->to.at;
    const unsigned first = first_item(a), items = count_items(m);
    hx_word_4 value[HX_CUDA_LOADS];
    HX_UNROLL
    for (unsigned l = 0; l < HX_CUDA_LOADS; ++l) {
        const unsigned item = first + l * HX_CUDA_THREADS;
        if (item < items) {
            value[l] = from[offset_in_array(a, m, &m->from, item)];
        }
    }
    HX_UNROLL
    for (unsigned l = 0; l < HX_CUDA_LOADS; ++l) {
        const unsigned item = first + l * HX_CUDA_THREADS;
        if (item < items) {
            to[item] = hx_half_of_real_4(value[l]);
        }
    }
}

HX_DEVICE void narrow_real_8_as_float(const hx_cuda_listed *m, const hx_cuda_listed_arguments *a)
{
    const hx_word_8 *from = (const hx_word_8 *)a->base[m->from.base];
    hx_word_4 *to = (hx_word_4 *)a->base[m->to.base] + m->to.at;
    const unsigned first = first_item(a), items = count_items(m);
    hx_word_8 value[HX_CUDA_LOADS];
    HX_UNROLL
    for (unsigned l = 0; l < HX_CUDA_LOADS; ++l) {
        const unsigned item = first + l * HX_CUDA_THREADS;
        if (item < items) {
            value[l] = from[offset_in_array(a, m, &m->from, item)];
        }
    }
    HX_UNROLL
    for (unsigned l = 0; l < HX_CUDA_LOADS; ++l) {
        const unsigned item = first + l * HX_CUDA_THREADS;
        if (item < items) {
            to[item] = hx_float_of_real_8(value[l]);
        }
    }
}

HX_DEVICE void narrow_real_8_as_half(const hx_cuda_listed *m, const hx_cuda_listed_arguments *a)
{
    const hx_word_8 *from = (const hx_word_8 *)a->base[m->from.base];
    hx_word_2 *to = (hx_word_2 *)a->base[m->to.base] + m->to.at;
    const unsigned first = first_item(a), items = count_items(m);
    hx_word_8 value[HX_CUDA_LOADS];
    HX_UNROLL
    for (unsigned l = 0; l < HX_CUDA_LOADS; ++l) {
        const unsigned item = first + l * HX_CUDA_THREADS;
        if (item < items) {
            value[l] = from[offset_in_array(a, m, &m->from, item)];
        }
    }
    HX_UNROLL
    for (unsigned l = 0; l < HX_CUDA_LOADS; ++l) {
        const unsigned item = first + l * HX_CUDA_THREADS;
        if (item < items) {
            to[item] = hx_half_of_real_8(value[l]);
        }
    }
}

HX_DEVICE void widen_real_8_as_half(const hx_cuda_listed *m, const hx_cuda_listed_arguments *a)
{
    const hx_word_2 *from = (const hx_word_2 *)a->base[m->from.base] + m->from.at;
    hx_word_8 *to = (hx_word_8 *)a->base[m->to.base];
    const unsigned first = first_item(a), items = count_items(m);
    hx_word_2 value[HX_CUDA_LOADS];
    ptrdiff_t at[HX_CUDA_LOADS];
    HX_UNROLL
    for (unsigned l = 0; l < HX_CUDA_LOADS; ++l) {
        const unsigned item = first + l * HX_CUDA_THREADS;
        if (item < items) {
            value[l] = from[item];
            at[l] = offset_in_array(a, m, &m->to, item);
        }
    }
    HX_UNROLL
    for (unsigned l = 0; l < HX_CUDA_LOADS; ++l) {
        const unsigned item = first + l * HX_CUDA_THREADS;
        if (item < items) {
            to[at[l]] = hx_real_8_of_half(value[l]);
        }
    }
}

HX_DEVICE void round_real_8_as_half(const hx_cuda_listed *m, const hx_cuda_listed_arguments *a)
{
    const hx_word_8 *from = (const hx_word_8 *)a->base[m->from.base];
    hx_word_8 *to = (hx_word_8 *)a->base[m->to.base];
    const unsigned first = first_item(a), items = count_items(m);
    hx_word_8 value[HX_CUDA_LOADS];
    ptrdiff_t at[HX_CUDA_LOADS];
    HX_UNROLL
    for (unsigned l = 0; l < HX_CUDA_LOADS; ++l) {
        const unsigned item = first + l * HX_CUDA_THREADS;
        if (item < items) {
            value[l] = from[offset_in_array(a, m, &m->from, item)];
            at[l] = offset_in_array(a, m, &m->to, item);
        }
    }
    HX_UNROLL
    for (unsigned l = 0; l < HX_CUDA_LOADS; ++l) {
        const unsigned item = first + l * HX_CUDA_THREADS;
        if (item < items) {
            to[at[l]] = hx_real_8_of_half(hx_half_of_real_8(value[l]));
        }
    }
}

HX_DEVICE void narrow_signed_4_as_int16(const hx_cuda_listed *m, const hx_cuda_listed_arguments *a)
{
    const hx_signed_4 *from = (const hx_signed_4 *)a->base[m->from.base];
    hx_signed_2 *to = (hx_signed_2 *)a->base[m->to.base] + m->to.at;
    const unsigned first = first_item(a), items = count_items(m);
    hx_signed_4 value[HX_CUDA_LOADS];
    HX_UNROLL
    for (unsigned l = 0; l < HX_CUDA_LOADS; ++l) {
        const unsigned item = first + l * HX_CUDA_THREADS;
        if (item < items) {
            const hx_signed_4 *number = from + offset_in_array(a, m, &m->from, item);
            value[l] = *number;
            if (int16_of_signed_4(*number) < -32767) {
                hx_note_unfit(a->unfit, number, (uint64_t)*number);
            }
        }
    }
    HX_UNROLL
    for (unsigned l = 0; l < HX_CUDA_LOADS; ++l) {
        const unsigned item = first + l * HX_CUDA_THREADS;
        if (item < items) {
            to[item] = int16_of_signed_4(value[l]);
        }
    }
}

HX_DEVICE void widen_signed_4_as_int16(const hx_cuda_listed *m, const hx_cuda_listed_arguments *a)
{
    const hx_signed_2 *from = (const hx_signed_2 *)a->base[m->from.base] + m->from.at;
    hx_signed_4 *to = (hx_signed_4 *)a->base[m->to.base];
    const unsigned first = first_item(a), items = count_items(m);
    hx_signed_2 value[HX_CUDA_LOADS];
    ptrdiff_t at[HX_CUDA_LOADS];
    HX_UNROLL
    for (unsigned l = 0; l < HX_CUDA_LOADS; ++l) {
        const unsigned item = first + l * HX_CUDA_THREADS;
        if (item < items) {
            value[l] = from[item];
            at[l] = offset_in_array(a, m, &m->to, item);
        }
    }
    HX_UNROLL
    for (unsigned l = 0; l < HX_CUDA_LOADS; ++l) {
        const unsigned item = first + l * HX_CUDA_THREADS;
        if (item < items) {
            to[at[l]] = (hx_signed_4)value[l];
            if (value[l] < -32767) {
                hx_note_unfit(a->unfit, to + at[l], 0);
            }
        }
    }
}

HX_DEVICE void round_signed_4_as_int16(const hx_cuda_listed *m, const hx_cuda_listed_arguments *a)
{
    const hx_signed_4 *from = (const hx_signed_4 *)a->base[m->from.base];
    hx_signed_4 *to = (hx_signed_4 *)a->base[m->to.base];
    const unsigned first = first_item(a), items = count_items(m);
    hx_signed_4 value[HX_CUDA_LOADS];
    ptrdiff_t at[HX_CUDA_LOADS];
    HX_UNROLL
    for (unsigned l = 0; l < HX_CUDA_LOADS; ++l) {
        const unsigned item = first + l * HX_CUDA_THREADS;
        if (item < items) {
            const hx_signed_4 *number = from + offset_in_array(a, m, &m->from, item);
            value[l] = *number;
            if (int16_of_signed_4(*number) < -32767) {
                hx_note_unfit(a->unfit, number, (uint64_t)*number);
            }
            at[l] = offset_in_array(a, m, &m->to, item);
        }
    }
    HX_UNROLL
    for (unsigned l = 0; l < HX_CUDA_LOADS; ++l) {
        const unsigned item = first + l * HX_CUDA_THREADS;
        if (item < items) {
            to[at[l]] = (hx_signed_4)int16_of_signed_4(value[l]);
        }
    }
}

/* ---- sums: one thread adds all that comes to a number, in the order of the table ---- */

HX_DEVICE void sum_real_4(const hx_cuda_listed *m, const hx_cuda_listed_arguments *a)
{
    hx_real_4 *to = (hx_real_4 *)a->base[m->to.base];
    const hx_cuda_points *sources = a->source + m->first_source;
    const unsigned first = first_item(a), items = count_items(m);
    for (unsigned l = 0; l < HX_CUDA_LOADS; ++l) {
        const unsigned item = first + l * HX_CUDA_THREADS;
        if (item < items) {
            const word_place place = place_of_item(m, item);
            hx_real_4 *number = to + offset_of(&m->to, index_of(a, &m->to, place.point), &place);
            const hx_cuda_addend *end = a->addend + a->first_addend[place.point + 1];
            hx_real_4 total = *number;
            for (const hx_cuda_addend *t = a->addend + a->first_addend[place.point]; t < end; ++t) {
                const hx_cuda_points *source = sources + t->source;
                const hx_real_4 value = ((const hx_real_4 *)a->base[source->base])[offset_of(source, t->index, &place)];
                total = total + value;
            }
            *number = total;
        }
    }
}

/* The same of numbers that are rounded on the way: those of messages are, those of arrays are rounded here. */
HX_DEVICE void sum_real_4_as_half(const hx_cuda_listed *m, const hx_cuda_listed_arguments *a)
{
    hx_real_4 *to = (hx_real_4 *)a->base[m->to.base];
    const hx_cuda_points *sources = a->source + m->first_source;
    const unsigned first = first_item(a), items = count_items(m);
    for (unsigned l = 0; l < HX_CUDA_LOADS; ++l) {
        const unsigned item = first + l * HX_CUDA_THREADS;
        if (item < items) {
            const word_place place = place_of_item(m, item);
            hx_real_4 *number = to + offset_of(&m->to, index_of(a, &m->to, place.point), &place);
            const hx_cuda_addend *end = a->addend + a->first_addend[place.point + 1];
            hx_real_4 total = *number;
            for (const hx_cuda_addend *t = a->addend + a->first_addend[place.point]; t < end; ++t) {
                const hx_cuda_points *source = sources + t->source;
                const ptrdiff_t at = offset_of(source, t->index, &place);
                const hx_word_2 near = source->narrowed ? ((const hx_word_2 *)a->base[source->base])[at] : hx_half_of_real_4(((const hx_word_4 *)a->base[source->base])[at]);
                total = total + hx_real_4_of_bits(hx_real_4_of_half(near));
            }
            *number = total;
        }
    }
}

/* The same of numbers that are rounded on the way: those of messages are, those of arrays are rounded here. */
HX_DEVICE void sum_real_8_as_float(const hx_cuda_listed *m, const hx_cuda_listed_arguments *a)
{
    hx_real_8 *to = (hx_real_8 *)a->base[m->to.base];
    const hx_cuda_points *sources = a->source + m->first_source;
    const unsigned first = first_item(a), items = count_items(m);
    for (unsigned l = 0; l < HX_CUDA_LOADS; ++l) {
        const unsigned item = first + l * HX_CUDA_THREADS;
        if (item < items) {
            const word_place place = place_of_item(m, item);
            hx_real_8 *number = to + offset_of(&m->to, index_of(a, &m->to, place.point), &place);
            const hx_cuda_addend *end = a->addend + a->first_addend[place.point + 1];
            hx_real_8 total = *number;
            for (const hx_cuda_addend *t = a->addend + a->first_addend[place.point]; t < end; ++t) {
                const hx_cuda_points *source = sources + t->source;
                const ptrdiff_t at = offset_of(source, t->index, &place);
                const hx_word_4 near = source->narrowed ? ((const hx_word_4 *)a->base[source->base])[at] : hx_float_of_real_8(((const hx_word_8 *)a->base[source->base])[at]);
                total = total + hx_real_8_of_bits(hx_real_8_of_float(near));
            }
            *number = total;
        }
    }
}

/* ---- kernels ---- */

HX_KERNEL(pack_listed, hx_cuda_listed_arguments)
{
    const hx_cuda_listed *m = a->listed + a->turn[blockIdx.x].entry;
    switch (m->kind) {
    case 0:
        pack_4(m, a);
        break;
    case 1:
        pack_8(m, a);
        break;
    case 2:
        pack_16(m, a);
        break;
    case 4:
        narrow_real_4_as_bfloat16(m, a);
        break;
    case 7:
        narrow_real_4_as_half(m, a);
        break;
    case 9:
        narrow_real_8_as_float(m, a);
        break;
    case 11:
        narrow_real_8_as_half(m, a);
        break;
    case 14:
        narrow_signed_4_as_int16(m, a);
        break;
    }
}

HX_KERNEL(unpack_listed, hx_cuda_listed_arguments)
{
    const hx_cuda_listed *m = a->listed + a->turn[blockIdx.x].entry;
    switch (m->kind) {
    case 0:
        unpack_4(m, a);
        break;
    case 1:
        unpack_8(m, a);
        break;
    case 2:
        unpack_16(m, a);
        break;
    case 5:
        widen_real_4_as_bfloat16(m, a);
        break;
    case 12:
        widen_real_8_as_half(m, a);
        break;
    case 15:
        widen_signed_4_as_int16(m, a);
        break;
    }
}

HX_KERNEL(copy_listed, hx_cuda_listed_arguments)
{
    const hx_cuda_listed *m = a->listed + a->turn[blockIdx.x].entry;
    switch (m->kind) {
    case 0:
        copy_4(m, a);
        break;
    case 1:
        copy_8(m, a);
        break;
    case 2:
        copy_16(m, a);
        break;
    case 6:
        round_real_4_as_bfloat16(m, a);
        break;
    case 13:
        round_real_8_as_half(m, a);
        break;
    case 16:
        round_signed_4_as_int16(m, a);
        break;
    }
}

HX_KERNEL(zero_listed, hx_cuda_listed_arguments)
{
    const hx_cuda_listed *m = a->listed + a->turn[blockIdx.x].entry;
    switch (m->kind) {
    case 0:
        zero_4(m, a);
        break;
    case 1:
        zero_8(m, a);
        break;
    case 2:
        zero_16(m, a);
        break;
    }
}

HX_KERNEL(sum_listed, hx_cuda_listed_arguments)
{
    const hx_cuda_listed *m = a->listed + a->turn[blockIdx.x].entry;
    switch (m->kind) {
    case 3:
        sum_real_4(m, a);
        break;
    case 8:
        sum_real_4_as_half(m, a);
        break;
    case 10:
        sum_real_8_as_float(m, a);
        break;
    }
}

/* ---- launches, by the host ---- */

static int launch_pack_listed(const hx_cuda_listed_arguments *arguments, unsigned blocks, void *stream)
{
    return HX_LAUNCH(pack_listed, arguments, blocks, stream);
}

static int launch_unpack_listed(const hx_cuda_listed_arguments *arguments, unsigned blocks, void *stream)
{
    return HX_LAUNCH(unpack_listed, arguments, blocks, stream);
}

static int launch_copy_listed(const hx_cuda_listed_arguments *arguments, unsigned blocks, void *stream)
{
    return HX_LAUNCH(copy_listed, arguments, blocks, stream);
}

static int launch_zero_listed(const hx_cuda_listed_arguments *arguments, unsigned blocks, void *stream)
{
    return HX_LAUNCH(zero_listed, arguments, blocks, stream);
}

static int launch_sum_listed(const hx_cuda_listed_arguments *arguments, unsigned blocks, void *stream)
{
    return HX_LAUNCH(sum_listed, arguments, blocks, stream);
}

static const hx_cuda_listing listing = {
    launch_pack_listed,
    launch_unpack_listed,
    launch_copy_listed,
    launch_zero_listed,
    launch_sum_listed,
};

static const hx_cuda_kind kinds[] = {
    {HX_CUDA_LISTED, 4, 0},
    {HX_CUDA_LISTED, 8, 0},
    {HX_CUDA_LISTED, 16, 0},
    {HX_CUDA_SUM, 4, 0},
    {HX_CUDA_NARROW, 4, 0},
    {HX_CUDA_WIDEN, 4, 0},
    {HX_CUDA_ROUND, 4, 0},
    {HX_CUDA_NARROW, 4, 0},
    {HX_CUDA_SUM, 4, 0},
    {HX_CUDA_NARROW, 8, 0},
    {HX_CUDA_SUM, 8, 0},
    {HX_CUDA_NARROW, 8, 0},
    {HX_CUDA_WIDEN, 8, 0},
    {HX_CUDA_ROUND, 8, 0},
    {HX_CUDA_NARROW, 4, 0},
    {HX_CUDA_WIDEN, 4, 0},
    {HX_CUDA_ROUND, 4, 0},
};

/* Bytes of the types that are added or have a sign; kinds of moves that turn, of tiles, sums, means, totals, minima and maxima. */
static const hx_cuda_field field_table[5] = {
    {8, -1, -1, -1, -1, -1, -1, -1}, /* t */
    {4, -1, -1, 3, -1, -1, -1, -1},  /* w */
    {4, -1, -1, -1, -1, -1, -1, -1}, /* n */
    {4, -1, -1, 3, -1, -1, -1, -1},  /* q */
    {4, -1, -1, -1, -1, -1, -1, -1}, /* land */
};

/* Numbers that travel shorter than they are: the field, the format (hx_wire in hx/abi.h), its bytes; kinds that narrow, widen, round
   and add. */
static const hx_cuda_wired rounding_table[] = {
    {0, 1, 4, 9, -1, -1, 10},  /* t, as float */
    {0, 2, 2, 11, 12, 13, -1}, /* t, as half */
    {1, 3, 2, 4, 5, 6, -1},    /* w, as bfloat16 */
    {2, 5, 2, 14, 15, 16, -1}, /* n, as int16 */
    {3, 2, 2, 7, -1, -1, 8},   /* q, as half */
};

#ifdef __cplusplus
extern "C" {
#endif
extern const hx_cuda_kernels drifters_cuda;
const hx_cuda_kernels drifters_cuda = {
    HX_CUDA_ABI,
    kinds,
    (int)(sizeof kinds / sizeof *kinds),
    field_table,
    rounding_table,
    5,
    NULL,
    NULL,
    NULL,
    NULL,
    &listing,
    &hx_cuda_device,
    hx_launch_signal,
};
#ifdef __cplusplus
}
#endif
