/*
 * polygons: device kernels of the halo exchanges of polygons.lua.  See polygons.h.
 *
 * Emitted by halogen 0.1.0 from polygons.lua, model fa5778b295f06545.  This file belongs to whoever wrote the spec.
 *
 * One launch does everything at once.  A table says which points of which list go where; each block of threads works on
 * one entry of it.  Points of a message lie in the order of the list.  Their indices in arrays are looked up.
 */
#include <hx/cuda.h>
#include <hx/cuda_signal.h>

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

HX_DEVICE void sum_real_8(const hx_cuda_listed *m, const hx_cuda_listed_arguments *a)
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
                const hx_real_8 value = ((const hx_real_8 *)a->base[source->base])[offset_of(source, t->index, &place)];
                total = total + value;
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
    case 4:
        sum_real_8(m, a);
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
    {HX_CUDA_SUM, 8, 0},
};

/* Bytes of the types that are added or have a sign; kinds of moves that turn, of tiles, sums, means, totals, minima and maxima. */
static const hx_cuda_field field_table[4] = {
    {8, -1, -1, 4, -1, -1, -1, -1},  /* t */
    {8, -1, -1, 4, -1, -1, -1, -1},  /* qv */
    {4, -1, -1, 3, -1, -1, -1, -1},  /* w */
    {4, -1, -1, -1, -1, -1, -1, -1}, /* land */
};

#ifdef __cplusplus
extern "C" {
#endif
extern const hx_cuda_kernels polygons_cuda;
const hx_cuda_kernels polygons_cuda = {
    HX_CUDA_ABI,
    kinds,
    (int)(sizeof kinds / sizeof *kinds),
    field_table,
    NULL,
    0,
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
