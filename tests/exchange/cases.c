#include "cases.h"

#include <stdint.h>
#include <stdio.h>

enum { CUT_EVEN, CUT_FIRST_LARGE, CUT_LAST_LARGE, CUT_SCATTERED, CUTS };

static int widest(const hx_spec *spec, int axis)
{
    int width = 0;
    for (int x = 0; x < spec->exchanges; ++x) {
        for (int i = 0; i < spec->exchange[x].fields; ++i) {
            const hx_exchange_field *item = &spec->exchange[x].field[i];
            width = item->width_lo[axis] > width ? item->width_lo[axis] : width;
            width = item->width_hi[axis] > width ? item->width_hi[axis] : width;
        }
    }
    return width;
}

/* Extents that are tried along an axis of so many parts: parts, parts + 1, ... parts + 2 * width + 1, and a
 * large one. */
static int sizes_of(const hx_spec *spec, int axis)
{
    return spec->cells[axis] > 0 ? 1 : 2 * widest(spec, axis) + 3;
}

static int size_of(const hx_spec *spec, int axis, int parts, int i)
{
    const int width = widest(spec, axis);
    if (spec->cells[axis] > 0) {
        return spec->cells[axis];
    }
    return i < 2 * width + 2 ? parts + i : parts * (2 * width + 3) + 1;
}

static void add_factors(cases *c, int axis, int left, int ranks[])
{
    const hx_spec *spec = c->spec;
    if (axis == spec->axes) {
        if (left == 1 && c->factors < CASES_FACTORS) {
            size_t total = CUTS;
            for (int a = 0; a < spec->axes; ++a) {
                c->ranks[c->factors][a] = ranks[a];
                total *= (size_t)sizes_of(spec, a);
            }
            c->total[c->factors++] = total;
            c->count += total;
        }
        return;
    }
    for (int r = 1; r <= left; ++r) {
        const bool fits =
            r == 1 || (spec->decomposed[axis] && (spec->cells[axis] == 0 || spec->cells[axis] >= r));
        if (left % r == 0 && fits) {
            ranks[axis] = r;
            add_factors(c, axis + 1, left / r, ranks);
        }
    }
}

void cases_make(cases *c, const hx_spec *spec, int parts)
{
    int ranks[HX_MAX_AXES] = {0};
    *c = (cases){.spec = spec, .parts = parts};
    add_factors(c, 0, parts, ranks);
}

/* Rising cuts of `cells` into `parts`, each of one cell or more. */
static void scatter(int cuts[], int parts, int cells, uint32_t seed)
{
    cuts[0] = 0;
    for (int i = 1; i < parts; ++i) {
        const int room = cells - cuts[i - 1] - (parts - i); /* that this part may have */
        seed = seed * 1664525U + 1013904223U;
        cuts[i] = cuts[i - 1] + 1 + (int)((seed >> 16) % (uint32_t)room);
    }
    cuts[parts] = cells;
}

static const int *cut(cases *c, int axis, int style, int parts, int cells)
{
    int *cuts = c->cuts[axis];
    if (style == CUT_EVEN) {
        return NULL;
    }
    if (style == CUT_SCATTERED) {
        scatter(cuts, parts, cells, (uint32_t)(cells * 31 + parts + axis));
        return cuts;
    }
    for (int i = 0; i <= parts; ++i) {
        cuts[i] = style == CUT_FIRST_LARGE ? cells - parts + i : i;
    }
    cuts[0] = 0;
    cuts[parts] = cells;
    return cuts;
}

static size_t greatest_common_divisor(size_t a, size_t b)
{
    return b == 0 ? a : greatest_common_divisor(b, a % b);
}

/* A stride that visits all cases once, far apart from one to the next. */
static size_t step_of(size_t count)
{
    size_t step = (size_t)((double)count * 0.618) + 1;
    while (greatest_common_divisor(step, count) != 1) {
        ++step;
    }
    return step;
}

bool cases_get(cases *c, size_t i, size_t tries, hx_partition *partition)
{
    if (i >= c->count || i >= tries) {
        return false;
    }
    const hx_spec *spec = c->spec;
    size_t number = c->count > tries ? i * step_of(c->count) % c->count : i;
    int factor = 0;
    while (number >= c->total[factor]) {
        number -= c->total[factor++];
    }
    const int style = (int)(number % CUTS);
    number /= CUTS;
    *partition = (hx_partition){.axes = spec->axes};
    for (int a = 0; a < spec->axes; ++a) {
        const size_t sizes = (size_t)sizes_of(spec, a);
        const int parts = c->ranks[factor][a];
        partition->ranks[a] = parts;
        partition->cells[a] = size_of(spec, a, parts, (int)(number % sizes));
        partition->cuts[a] = cut(c, a, style, parts, partition->cells[a]);
        partition->periodic[a] = spec->periodic[a];
        partition->face_bytes[a] = 8.0;
        number /= sizes;
    }
    return true;
}

void cases_print(const hx_partition *partition, char *text, size_t room)
{
    int length = 0;
    for (int a = 0; a < partition->axes && (size_t)length < room; ++a) {
        length += snprintf(text + length, room - (size_t)length, "%s%d cells in %d", a > 0 ? ", " : "",
                           partition->cells[a], partition->ranks[a]);
        for (int i = 0; partition->cuts[a] != NULL && i <= partition->ranks[a] && (size_t)length < room;
             ++i) {
            length += snprintf(text + length, room - (size_t)length, "%s%d", i > 0 ? " " : ": ",
                               partition->cuts[a][i]);
        }
    }
}
