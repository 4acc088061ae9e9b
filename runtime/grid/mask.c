/*
 * Blocks of an ocean, and the ranks that own them.
 */
#include <hx/mask.h>

#include "base/memory.h"
#include "base/status.h"
#include "base/text.h"
#include "grid/hilbert.h"
#include "grid/partition.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static const char purpose[] = "the map of an ocean";

/* Blocks get so small that a rank has about so many. */
enum { MOST_BLOCKS_A_RANK = 24 };

static const double MOST_CELLS = 1e12;

/* The mask, of the axes that are cut. */
typedef struct ocean {
    const hx_partition *request;
    int ranks;
    int cut[HX_MAX_AXES]; /* which axes of the grid */
    int axes;
    int cells[HX_MAX_AXES]; /* along these */
    const unsigned char *wet;
    unsigned char *asked; /* the same, where a function was asked */
    size_t all;           /* cells */
    size_t wet_cells;
    int64_t work; /* their numbers summed */
} ocean;

/* A block with water. */
typedef struct sea {
    uint64_t place; /* on the curve */
    int number;
    int64_t work;
    int64_t cost; /* wet cells' work and ghost cells */
} sea;

/* One way to divide the grid, and who gets what. */
typedef struct division {
    int parts[HX_MAX_AXES]; /* along the axes that are cut */
    int blocks;
    int64_t *work; /* of each */
    sea *sea;      /* in the order of the curve */
    int seas;
    int64_t most; /* cost of the busiest rank */
} division;

/* ---- the mask ------------------------------------------------------------------------------------------ */

/* Goes to the next cell, the last axis fastest. */
static void next_cell(const ocean *o, int cell[])
{
    for (int a = o->axes - 1; a >= 0; --a) {
        if (++cell[a] < o->cells[a]) {
            return;
        }
        cell[a] = 0;
    }
}

static hx_status ask(ocean *o, const hx_mask *mask)
{
    o->asked = hxi_memory_get(o->all, 1, "the mask of an ocean");
    if (!o->asked) {
        return HX_ERR_MEMORY;
    }
    o->wet = o->asked;
    int cell[HX_MAX_AXES] = {0};
    for (size_t i = 0; i < o->all; ++i) {
        const int wet = mask->wet_at(mask->context, cell);
        if (wet < 0 || wet > 255) {
            char place[HX_PRODUCT];
            return hxi_fail(
                HX_ERR_ARGUMENT,
                "The mask's function gives %d at cell %s of the axes that are cut; it gives 0 for "
                "land, or 1 to 255.",
                wet, hxi_product(o->axes, cell, place));
        }
        o->asked[i] = (unsigned char)wet;
        next_cell(o, cell);
    }
    return HX_OK;
}

/* Are two wet cells neighbors along some axis? */
static bool has_neighbors(const ocean *o)
{
    size_t step = 1;
    for (int a = o->axes - 1; a >= 0; --a) {
        const size_t row = step * (size_t)o->cells[a];
        const bool closed = o->request->periodic[o->cut[a]] != 0;
        for (size_t i = 0; i < o->all; ++i) {
            const bool last = i % row >= row - step;
            const size_t next = last ? i - (row - step) : i + step;
            if (o->wet[i] && o->wet[next] && next != i && (!last || closed)) {
                return true;
            }
        }
        step = row;
    }
    return false;
}

static hx_status check_water(const ocean *o)
{
    char cells[HX_PRODUCT];
    hxi_product(o->axes, o->cells, cells);
    if (o->wet_cells == 0) {
        return hxi_fail(HX_ERR_PARTITION,
                        "All %zu cells (%s) of the mask are land; some must be wet, with a number above 0.",
                        o->all, cells);
    }
    if (o->wet_cells < (size_t)o->ranks) {
        return hxi_fail(HX_ERR_PARTITION,
                        "The mask of %s cells has %zu wet cell%s for %d ranks; use %zu rank%s.", cells,
                        o->wet_cells, o->wet_cells == 1 ? "" : "s", o->ranks, o->wet_cells,
                        o->wet_cells == 1 ? "" : "s or fewer");
    }
    if (o->wet_cells > 1 && !has_neighbors(o)) {
        return hxi_fail(
            HX_ERR_PARTITION,
            "No two of the %zu wet cells of the mask of %s cells are neighbors, so nothing would be "
            "exchanged.  Does the last axis run fastest in the mask?",
            o->wet_cells, cells);
    }
    return HX_OK;
}

static hx_status check_request(int ranks, const hx_partition *request, const hx_mask *mask)
{
    const hx_status status = hxi_partition_check(request, false);
    if (status != HX_OK) {
        return status;
    }
    if (ranks < 1) {
        return hxi_fail(HX_ERR_ARGUMENT, "There is no map for %d ranks; give 1 or more.", ranks);
    }
    if (!mask || !mask->wet == !mask->wet_at) {
        return hxi_fail(HX_ERR_ARGUMENT, "The mask has %s; give one of hx_mask.wet and hx_mask.wet_at.",
                        mask && mask->wet ? "numbers and a function" : "neither numbers nor a function");
    }
    for (int a = 0; a < request->axes; ++a) {
        if (request->cuts[a]) {
            return hxi_fail(
                HX_ERR_ARGUMENT,
                "Cuts are given along axis %d; hx_choose_mask chooses them.  Set cuts[%d] to NULL.", a, a);
        }
    }
    return HX_OK;
}

static hx_status open_ocean(int ranks, const hx_partition *request, const hx_mask *mask, ocean *o)
{
    hx_status status = check_request(ranks, request, mask);
    if (status != HX_OK) {
        return status;
    }
    o->request = request;
    o->ranks = ranks;
    double all = 1.0;
    for (int a = 0; a < request->axes; ++a) {
        if (request->ranks[a] != 1) {
            o->cut[o->axes] = a;
            o->cells[o->axes++] = request->cells[a];
            all *= request->cells[a];
        }
    }
    if (o->axes == 0 || all > MOST_CELLS) {
        char cells[HX_PRODUCT];
        return hxi_fail(o->axes == 0 ? HX_ERR_PARTITION : HX_ERR_LIMIT,
                        o->axes == 0
                            ? "The request has ranks[] = 1 along all axes of %s cells, so nothing is cut; "
                              "set one to 0, to be chosen."
                            : "A mask of %s cells has more than libhx counts.",
                        o->axes == 0 ? hxi_product(request->axes, request->cells, cells)
                                     : hxi_product(o->axes, o->cells, cells));
    }
    o->all = (size_t)all;
    o->wet = mask->wet;
    status = mask->wet ? HX_OK : ask(o, mask);
    for (size_t i = 0; i < o->all && status == HX_OK; ++i) {
        o->wet_cells += o->wet[i] != 0;
        o->work += o->wet[i];
    }
    return status == HX_OK ? check_water(o) : status;
}

/* ---- one division -------------------------------------------------------------------------------------- */

static int first_cell(const ocean *o, const division *d, int axis, int part)
{
    const int even = o->cells[axis] / d->parts[axis];
    const int longer = o->cells[axis] % d->parts[axis];
    return part * even + (part < longer ? part : longer);
}

/* Numbers of blocks rise as in hx_partition. */
static int block_number(const ocean *o, const division *d, const int index[])
{
    int number = 0;
    for (int i = 0; i < o->axes; ++i) {
        const int a = o->request->first_fastest ? o->axes - 1 - i : i;
        number = number * d->parts[a] + index[a];
    }
    return number;
}

/* Goes to the next row along the last axis: its first cell, and the parts that have it. */
static void next_row(const ocean *o, const division *d, int cell[], int index[])
{
    for (int a = o->axes - 2; a >= 0; --a) {
        if (++cell[a] < o->cells[a]) {
            index[a] += cell[a] == first_cell(o, d, a, index[a] + 1);
            return;
        }
        cell[a] = 0;
        index[a] = 0;
    }
}

/* Adds up the mask by blocks. */
static void add_work(const ocean *o, division *d)
{
    const int last = o->axes - 1;
    int cell[HX_MAX_AXES] = {0};
    int index[HX_MAX_AXES] = {0};
    for (size_t row = 0; row < o->all; row += (size_t)o->cells[last]) {
        for (index[last] = 0; index[last] < d->parts[last]; ++index[last]) {
            const int end = first_cell(o, d, last, index[last] + 1);
            int64_t sum = 0;
            for (int c = first_cell(o, d, last, index[last]); c < end; ++c) {
                sum += o->wet[row + (size_t)c];
            }
            d->work[block_number(o, d, index)] += sum;
        }
        next_row(o, d, cell, index);
    }
}

static int compare_seas(const void *left, const void *right)
{
    const sea *a = left;
    const sea *b = right;
    if (a->place != b->place) {
        return a->place < b->place ? -1 : 1;
    }
    return (a->number > b->number) - (a->number < b->number);
}

/* Ghost cells around a block, one layer, with the share of the axes that are not cut left out. */
static int64_t ghosts_of(const ocean *o, const division *d, const int index[])
{
    int64_t cells = 1;
    int64_t wide = 1;
    for (int a = 0; a < o->axes; ++a) {
        const int n = first_cell(o, d, a, index[a] + 1) - first_cell(o, d, a, index[a]);
        cells *= n;
        wide *= n + 2;
    }
    return wide - cells;
}

static void find_seas(const ocean *o, division *d)
{
    int bits = 0;
    for (int a = 0; a < o->axes; ++a) {
        while ((INT64_C(1) << bits) < d->parts[a]) {
            ++bits;
        }
    }
    const int64_t per_cell = (o->work + (int64_t)o->wet_cells - 1) / (int64_t)o->wet_cells;
    int index[HX_MAX_AXES] = {0};
    d->seas = 0;
    for (int i = 0; i < d->blocks; ++i) {
        const int number = o->axes > 0 ? block_number(o, d, index) : 0;
        if (d->work[number] > 0) {
            d->sea[d->seas++] = (sea){.place = hxi_hilbert(index, o->axes, bits),
                                      .number = number,
                                      .work = d->work[number],
                                      .cost = d->work[number] + per_cell * ghosts_of(o, d, index)};
        }
        for (int a = o->axes - 1; a >= 0; --a) {
            if (++index[a] < d->parts[a]) {
                break;
            }
            index[a] = 0;
        }
    }
    if (d->seas > 0) {
        qsort(d->sea, (size_t)d->seas, sizeof *d->sea, compare_seas);
    }
}

/* ---- sharing out --------------------------------------------------------------------------------------- */

/* Does every rank come out with no more than this?  first: NULL, or the first block of each rank. */
static bool fits(const ocean *o, const division *d, int64_t most, int first[])
{
    int rank = 0;
    int64_t load = 0;
    for (int s = 0; s < d->seas; ++s) {
        const bool none = load == 0;
        /* Blocks that are left are as many as the ranks behind this one: each gets one. */
        const bool scarce = d->seas - s <= o->ranks - 1 - rank;
        if (!none && (load + d->sea[s].cost > most || scarce)) {
            ++rank;
            load = 0;
        }
        if (rank == o->ranks || d->sea[s].cost > most) {
            return false;
        }
        if (load == 0 && first) {
            first[rank] = s;
        }
        load += d->sea[s].cost;
    }
    return true;
}

/* The least that the busiest rank can have, of runs along the curve. */
static int64_t least_of(const ocean *o, const division *d)
{
    int64_t low = 1;
    int64_t high = 0;
    for (int s = 0; s < d->seas; ++s) {
        high += d->sea[s].cost;
    }
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (fits(o, d, middle, NULL)) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}

/* ---- which division ------------------------------------------------------------------------------------ */

static void free_division(division *d)
{
    hxi_memory_free(d->work);
    hxi_memory_free(d->sea);
    *d = (division){.most = INT64_MAX};
}

/* The root of a number of 1 or more, of a degree. */
static double root(double number, int degree)
{
    double low = 0.0;
    double high = number + 1.0;
    for (int i = 0; i < 100; ++i) {
        const double middle = (low + high) / 2.0;
        double power = 1.0;
        for (int k = 0; k < degree; ++k) {
            power *= middle;
        }
        low = power < number ? middle : low;
        high = power < number ? high : middle;
    }
    return high;
}

/* Parts such that blocks have about so many cells along each axis that is not given. */
static void find_parts(const ocean *o, double edge, division *d)
{
    for (int a = 0; a < o->axes; ++a) {
        const int given = o->request->ranks[o->cut[a]];
        const int parts = 1 + (int)((o->cells[a] - 1) / (edge > 1.0 ? edge : 1.0));
        d->parts[a] = given > 0 ? given : parts;
    }
}

static int64_t count_blocks(const ocean *o, const division *d)
{
    int64_t blocks = 1;
    for (int a = 0; a < o->axes && blocks <= INT32_MAX; ++a) {
        blocks *= d->parts[a];
    }
    return blocks;
}

/* Takes a division if it is better than what was found, and all ranks get water. */
static hx_status try_edge(const ocean *o, double edge, division *best)
{
    division d = {.most = INT64_MAX};
    find_parts(o, edge, &d);
    const int64_t blocks = count_blocks(o, &d);
    if (blocks < o->ranks || blocks > INT32_MAX) {
        return HX_OK;
    }
    d.blocks = (int)blocks;
    d.work = hxi_memory_get((size_t)d.blocks, sizeof *d.work, purpose);
    d.sea = hxi_memory_get((size_t)d.blocks, sizeof *d.sea, purpose);
    const hx_status status = d.work && d.sea ? HX_OK : HX_ERR_MEMORY;
    if (status == HX_OK) {
        add_work(o, &d);
        find_seas(o, &d);
        d.most = d.seas >= o->ranks ? least_of(o, &d) : INT64_MAX;
    }
    if (d.most < best->most) {
        free_division(best);
        *best = d;
    } else {
        free_division(&d);
    }
    return status;
}

/* Blocks of so many sizes that a rank has from one to many of them; and thinner ones, until all have water. */
static hx_status find_division(const ocean *o, division *best)
{
    hx_status status = HX_OK;
    for (double blocks = 1.0; blocks <= MOST_BLOCKS_A_RANK && status == HX_OK; blocks *= 1.5) {
        status = try_edge(o, root((double)o->wet_cells / (blocks * o->ranks), o->axes), best);
    }
    double edge = root((double)o->wet_cells / o->ranks, o->axes);
    while (status == HX_OK && best->most == INT64_MAX && edge > 1.0) {
        edge = edge < 2.0 ? 1.0 : edge / 1.5;
        status = try_edge(o, edge, best);
    }
    if (status == HX_OK && best->most == INT64_MAX) {
        char parts[HX_PRODUCT];
        return hxi_fail(
            HX_ERR_PARTITION,
            "With the parts asked for, %s (0: chosen), fewer blocks have water than there are ranks, %d.  "
            "Ask for more parts, or leave them to be chosen.",
            hxi_product(o->request->axes, o->request->ranks, parts), o->ranks);
    }
    return status;
}

/* ---- the map ------------------------------------------------------------------------------------------- */

static hx_status make_map(const ocean *o, const division *d, hx_map **made)
{
    hx_map *map = hxi_memory_get(1, sizeof *map, purpose);
    int *first = hxi_memory_get((size_t)o->ranks + 1, sizeof *first, purpose);
    int *owner = hxi_memory_get((size_t)d->blocks, sizeof *owner, purpose);
    if (!map || !first || !owner) {
        hxi_memory_free(map);
        hxi_memory_free(first);
        hxi_memory_free(owner);
        return HX_ERR_MEMORY;
    }
    *map = (hx_map){.partition = *o->request,
                    .ranks = o->ranks,
                    .blocks = d->blocks,
                    .land = d->blocks - d->seas,
                    .wet = o->work,
                    .owner = owner};
    for (int a = 0; a < o->axes; ++a) {
        map->partition.ranks[o->cut[a]] = d->parts[a];
    }
    for (int b = 0; b < d->blocks; ++b) {
        owner[b] = HX_NO_OWNER;
    }
    fits(o, d, d->most, first);
    first[o->ranks] = d->seas;
    for (int rank = 0; rank < o->ranks; ++rank) {
        int64_t load = 0;
        for (int s = first[rank]; s < first[rank + 1]; ++s) {
            owner[d->sea[s].number] = rank;
            load += d->sea[s].work;
        }
        map->most = load > map->most ? load : map->most;
    }
    hxi_memory_free(first);
    *made = map;
    return HX_OK;
}

hx_status hx_choose_mask(int ranks, const hx_partition *request, const hx_mask *mask, hx_map **map)
{
    if (!map) {
        return hxi_fail(HX_ERR_ARGUMENT, "The pointer to the map is null; give the address of one.");
    }
    *map = NULL;
    ocean o = {.axes = 0};
    division best = {.most = INT64_MAX};
    hx_status status = open_ocean(ranks, request, mask, &o);
    status = status == HX_OK ? find_division(&o, &best) : status;
    status = status == HX_OK ? make_map(&o, &best, map) : status;
    free_division(&best);
    hxi_memory_free(o.asked);
    return status;
}

void hx_map_free(hx_map *map)
{
    if (map) {
        hxi_memory_free(map->owner);
        hxi_memory_free(map);
    }
}
