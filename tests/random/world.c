#include "world.h"

#include <stdio.h>
#include <string.h>

/* ---- random numbers -------------------------------------------------------------------------- */

uint64_t world_random(uint64_t *state)
{
    uint64_t x = *state += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

int world_range(uint64_t *state, int first, int last)
{
    return first + (int)(world_random(state) % (uint64_t)(last - first + 1));
}

/* ---- ways to divide a grid ------------------------------------------------------------------- */

enum {
    WAY_EVEN,   /* one block a rank, cuts left to the library */
    WAY_UNEVEN, /* one block a rank, given cuts */
    WAY_THIN,   /* one block a rank, of one or two cells */
    WAY_BLOCKS, /* several blocks, random owners */
    WAY_HEAP,   /* several thin blocks, all on one rank */
    WAY_WHOLE   /* one block on the last rank */
};

static const int ways[] = {
    WAY_EVEN,  WAY_UNEVEN, WAY_THIN,   WAY_BLOCKS, WAY_HEAP,
    WAY_WHOLE, WAY_BLOCKS, WAY_UNEVEN, WAY_THIN,   WAY_BLOCKS,
};

static int widest(const random_spec *spec, int axis)
{
    int width = 0;
    for (int f = 0; f < spec->fields; ++f) {
        for (int side = 0; side < 2; ++side) {
            const int halo = spec->field[f].halo[side][axis];
            width = halo > width ? halo : width;
        }
    }
    return width;
}

/* The most parts along an axis. */
static int most_parts(const random_spec *spec, int axis)
{
    return !spec->decomposed[axis] ? 1 : spec->cells[axis] > 0 ? spec->cells[axis] : WORLD_BLOCKS;
}

/* Deals the prime factors of `parts` to random axes; 0: no axis can take one. */
static int deal(world *w, int parts, uint64_t *state)
{
    for (int a = 0; a < AXES; ++a) {
        w->parts[0][a] = 1;
    }
    for (int prime = 2; parts > 1; ++prime) {
        while (parts % prime == 0) {
            int open[AXES];
            int count = 0;
            for (int a = 0; a < w->spec->axes; ++a) {
                if (w->parts[0][a] * prime <= most_parts(w->spec, a)) {
                    open[count++] = a;
                }
            }
            if (count == 0) {
                return 0;
            }
            w->parts[0][open[world_range(state, 0, count - 1)]] *= prime;
            parts /= prime;
        }
    }
    return 1;
}

static int cells_along(const world *w, int way, int axis, uint64_t *state)
{
    const int parts = w->parts[0][axis];
    const int width = widest(w->spec, axis);
    const int most = w->spec->axes > 3 ? 4 : 12;
    int more = world_range(state, 0, 2 * width + 2);
    if (w->spec->cells[axis] > 0) {
        return w->spec->cells[axis];
    }
    if (way == WAY_EVEN) { /* wide enough for whatever needs room */
        more = parts * (width > 0 ? width - 1 : 0) + world_range(state, 0, 2);
    } else if (way == WAY_THIN || way == WAY_HEAP) {
        more = world_range(state, 0, 1);
    }
    return parts + (more < most ? more : most);
}

/* Even, or cut anywhere. */
static void cut_axis(world *w, int way, int tile, int axis, uint64_t *state)
{
    const int parts = w->parts[tile][axis];
    const int cells = w->cells[tile][axis];
    int *cut = w->cut[tile][axis];
    int spare = cells - parts;
    cut[0] = 0;
    for (int i = 0; i < parts; ++i) {
        const int even = cells / parts + (i < cells % parts);
        const int more = i + 1 == parts ? spare : world_range(state, 0, spare);
        cut[i + 1] = cut[i] + (way == WAY_EVEN ? even : 1 + more);
        spare -= more;
    }
}

static void give_blocks(world *w, int way, uint64_t *state)
{
    const int heap = world_range(state, 0, w->ranks - 1);
    for (int b = 0; b < w->blocks; ++b) {
        const int any = world_range(state, 0, w->ranks - 1);
        w->owner[b] = way == WAY_HEAP ? heap : way == WAY_WHOLE ? w->ranks - 1 : w->plain ? b : any;
    }
}

static void describe(world *w)
{
    size_t length = (size_t)snprintf(w->about, sizeof w->about, "cuts");
    for (int k = 0; k < w->spec->tiles * w->spec->axes; ++k) {
        const int t = k / w->spec->axes;
        const int a = k % w->spec->axes;
        for (int i = 0; i <= w->parts[t][a] && length < sizeof w->about; ++i) {
            length += (size_t)snprintf(w->about + length, sizeof w->about - length, i == 0 ? " %d" : ".%d",
                                       w->cut[t][a][i]);
        }
    }
    for (int b = 0; b < w->blocks && length < sizeof w->about; ++b) {
        length += (size_t)snprintf(w->about + length, sizeof w->about - length,
                                   b == 0 ? ", owners %d" : " %d", w->owner[b]);
    }
}

/* ---- connected grids ----------------------------------------------------------------------------- */

/* Axes that run along each other have as many cells. */
static void agree_on_cells(world *w)
{
    for (int changes = 1; changes > 0;) {
        changes = 0;
        for (int k = 0; k < w->spec->tiles * w->spec->axes * w->spec->axes * 2; ++k) {
            const int t = k / (w->spec->axes * w->spec->axes * 2);
            const int across = k / 2 / w->spec->axes % w->spec->axes;
            const int b = k / 2 % w->spec->axes;
            const random_side *side = &w->spec->side[t][across][k % 2];
            if (side->tile < 0 || b == across) {
                continue;
            }
            int *here = &w->cells[t][b];
            int *there = &w->cells[side->tile][side->to[b]];
            changes += *here != *there;
            *here = *there = *here > *there ? *here : *there;
        }
    }
}

/* No tile is thinner than the halos that reach into it; a fold has two rows more. */
static void draw_cells(world *w, uint64_t *state)
{
    const random_spec *spec = w->spec;
    int width = 1;
    for (int a = 0; a < spec->axes; ++a) {
        width = widest(spec, a) > width ? widest(spec, a) : width;
    }
    for (int k = 0; k < spec->tiles * spec->axes; ++k) {
        const int a = k % spec->axes;
        const bool rings = spec->fold != NULL && spec->fold->along == a;
        const int least = rings ? 1 : width + (spec->fold != NULL ? 2 : 0);
        w->cells[k / spec->axes][a] =
            spec->cells[a] > 0 ? spec->cells[a] : least + world_range(state, 0, rings ? 6 : 3);
    }
    if (spec->side != NULL) {
        agree_on_cells(w);
    }
}

/* Parts of a tile: a few, or as many as there is room for. */
static int draw_parts(world *w, int way, int tile, uint64_t *state)
{
    const int most = WORLD_BLOCKS / w->spec->tiles;
    int blocks = 1;
    for (int i = 0; i < w->spec->axes; ++i) {
        const int a = (i + tile) % w->spec->axes;
        const int cells = w->cells[tile][a];
        const int room = most / blocks < cells ? most / blocks : cells;
        const bool thin = way == WAY_THIN || way == WAY_HEAP;
        const int parts = way == WAY_WHOLE || !w->spec->decomposed[a] ? 1
                          : thin                                      ? room
                                                                      : world_range(state, 1, 3);
        w->parts[tile][a] = parts < room ? parts : room;
        blocks *= w->parts[tile][a];
    }
    return blocks;
}

static void number_blocks(world *w)
{
    w->blocks = 0;
    for (int t = 0; t < w->spec->tiles; ++t) {
        int blocks = 1;
        for (int a = 0; a < w->spec->axes; ++a) {
            blocks *= w->parts[t][a];
        }
        w->first_block[t] = w->blocks;
        for (int b = 0; b < blocks; ++b) {
            w->tile[w->blocks++] = t;
        }
    }
    w->first_block[w->spec->tiles] = w->blocks;
}

/* Where that can be, one block a rank, for some ways. */
static void divide_tiles(world *w, int way, uint64_t *state)
{
    int blocks = 0;
    draw_cells(w, state);
    for (int try = 0; try < 20 && (try == 0 || (way < WAY_THIN && blocks != w->ranks)); ++try) {
        blocks = 0;
        for (int t = 0; t < w->spec->tiles; ++t) {
            blocks += draw_parts(w, way, t, state);
        }
    }
    w->plain = way < WAY_BLOCKS && blocks == w->ranks;
}

static void divide_box(world *w, int way, uint64_t *state)
{
    const int most = w->ranks < WORLD_BLOCKS ? w->ranks : WORLD_BLOCKS;
    int blocks = way == WAY_WHOLE ? 1 : way >= WAY_BLOCKS ? world_range(state, 2, 9) : most;
    w->plain = way < WAY_BLOCKS && blocks == w->ranks;
    while (!deal(w, blocks, state)) { /* fewer blocks than ranks, then */
        blocks -= 1;
        w->plain = 0;
    }
    for (int a = 0; a < w->spec->axes; ++a) {
        w->cells[0][a] = cells_along(w, way, a, state);
    }
}

int world_make(world *w, const random_spec *spec, int number, int rank, int ranks)
{
    if (number >= (int)(sizeof ways / sizeof *ways)) {
        return 0;
    }
    const int way = ways[number];
    uint64_t state =
        (uint64_t)spec->seed * 1000003u + (uint64_t)spec->number * 256u + (uint64_t)(number * 16 + ranks);
    *w = (world){.spec = spec, .rank = rank, .ranks = ranks};
    w->even = way == WAY_EVEN;
    if (spec->side != NULL || spec->fold != NULL) {
        divide_tiles(w, way, &state);
    } else {
        divide_box(w, way, &state);
    }
    number_blocks(w);
    for (int k = 0; k < spec->tiles * spec->axes; ++k) {
        cut_axis(w, way, k / spec->axes, k % spec->axes, &state);
    }
    give_blocks(w, way, &state);
    describe(w);
    return 1;
}

void world_divide_again(world *w, const world *model, int number)
{
    static const int again[] = {WAY_BLOCKS, WAY_UNEVEN, WAY_WHOLE, WAY_BLOCKS, WAY_THIN};
    const int way = again[number % (int)(sizeof again / sizeof *again)];
    uint64_t state = (uint64_t)model->spec->number * 977u + (uint64_t)(number * 16 + model->ranks);
    *w = *model;
    w->even = 0;
    for (int t = 0; t < w->spec->tiles; ++t) {
        draw_parts(w, way, t, &state);
    }
    number_blocks(w);
    w->plain = way < WAY_BLOCKS && w->blocks == w->ranks;
    for (int k = 0; k < w->spec->tiles * w->spec->axes; ++k) {
        cut_axis(w, way, k / w->spec->axes, k % w->spec->axes, &state);
    }
    give_blocks(w, way, &state);
    describe(w);
}

void world_take_owners(world *w, uint64_t state)
{
    const int kept = world_range(&state, 0, w->blocks - 1);
    for (int b = 0; b < w->blocks; ++b) {
        if (b != kept && world_range(&state, 0, 2) == 0) {
            w->owner[b] = HX_NO_OWNER;
            w->plain = 0;
        }
    }
    describe(w);
}

int world_part(const world *w, int block, int axis)
{
    const int tile = w->tile[block];
    block -= w->first_block[tile];
    const int step = w->spec->first_fastest ? 1 : -1;
    for (int a = w->spec->first_fastest ? 0 : w->spec->axes - 1; a != axis; a += step) {
        block /= w->parts[tile][a];
    }
    return block % w->parts[tile][axis];
}

int world_block(const world *w, int tile, const int part[])
{
    int block = 0;
    int beside = 1; /* from one block to the next along the axis */
    for (int k = 0; k < w->spec->axes; ++k) {
        const int a = w->spec->first_fastest ? k : w->spec->axes - 1 - k;
        block += part[a] * beside;
        beside *= w->parts[tile][a];
    }
    return w->first_block[tile] + block;
}

int world_part_of_cell(const world *w, int tile, int axis, int cell)
{
    int part = 0;
    while (w->cut[tile][axis][part + 1] <= cell) {
        ++part;
    }
    return part;
}

int world_first(const world *w, int block, int axis)
{
    return w->cut[w->tile[block]][axis][world_part(w, block, axis)];
}

int world_cells(const world *w, int block, int axis)
{
    const int *cut = w->cut[w->tile[block]][axis];
    const int part = world_part(w, block, axis);
    return cut[part + 1] - cut[part];
}

int world_points(const world *w, int block, const random_field *f, int axis)
{
    return world_cells(w, block, axis) + (f->at[axis] == AT_BOTH);
}

/* ---- where points lie ------------------------------------------------------------------------ */

/* Whether emitted code has the stride behind the k fastest axes as a literal. */
static int is_literal(const random_spec *spec, const random_field *f, int k)
{
    for (int i = 0; i < k; ++i) {
        if (spec->decomposed[f->order[i]] || spec->cells[f->order[i]] == 0) {
            return 0;
        }
    }
    return 1;
}

/* Is there another block, or the same, on a side? */
static int has_neighbor(const world *w, int block, int axis, int high)
{
    const int at = world_first(w, block, axis) + (high ? world_cells(w, block, axis) : 0);
    return w->spec->periodic[axis] || at != (high ? w->cells[w->tile[block]][axis] : 0);
}

/* Planes of ghost points behind what there is: across the slowest axis first. */
static void add_planes(const world *w, int block, const random_field *f, place *p)
{
    for (int k = p->axes - 1; k >= 0; --k) {
        const int across = f->order[k];
        for (int high = 0; high < 2; ++high) {
            size_t elements = (size_t)(f->halo[high][across] * f->components);
            for (int a = 0; a < p->axes; ++a) {
                elements *= a == across ? 1 : (size_t)p->points[a];
            }
            const int there = elements > 0 && has_neighbor(w, block, across, high);
            p->plane[across][high] = there ? (ptrdiff_t)p->elements : -1;
            p->elements += there ? elements : 0;
        }
    }
}

/* Of an owned point, or one of a halo around them. */
static ptrdiff_t place_around(const place *p, const random_field *f, const int at[], int component)
{
    ptrdiff_t element = component * (p->apart > 0 ? p->apart : 1);
    for (int a = 0; a < p->axes; ++a) {
        element += (at[a] + (f->behind ? 0 : f->halo[0][a])) * p->stride[a];
    }
    return element;
}

/* Of a halo that lies behind: in the plane of the only side beyond which the point lies. */
static ptrdiff_t place_behind(const place *p, const random_field *f, const int at[], int across,
                              int component)
{
    const int high = at[across] >= 0;
    ptrdiff_t point = 0;
    for (int k = p->axes - 1; k >= 0; --k) {
        const int a = f->order[k];
        if (a == across) {
            point = point * f->halo[high][a] + at[a] - (high ? p->points[a] : -f->halo[0][a]);
        } else if (at[a] < 0 || at[a] >= p->points[a]) {
            return -1;
        } else {
            point = point * p->points[a] + at[a];
        }
    }
    const ptrdiff_t first = p->plane[across][high];
    return first < 0 ? -1 : first + point * f->components + component;
}

place place_make(const world *w, int block, const random_field *f, int padding, uint64_t *state)
{
    const int axes = w->spec->axes;
    place p = {.axes = axes};
    const int together = f->place > 0 ? 1 : f->components; /* elements of a point */
    ptrdiff_t step = together;
    int last[AXES] = {0};
    for (int k = 0; k <= axes; ++k) {
        if (k > 0) {
            const int before = f->order[k - 1];
            const int around = f->behind ? 0 : f->halo[0][before] + f->halo[1][before];
            step *= around + world_points(w, block, f, before) + f->padding[before];
        }
        if (padding > 0 && !is_literal(w->spec, f, k)) {
            step += world_range(state, 0, padding) * together;
        }
        if (f->place > 0 && f->place == k) {
            p.apart = step;
            step *= f->components;
        }
        if (k < axes) {
            p.stride[f->order[k]] = step;
        }
    }
    for (int a = 0; a < axes; ++a) {
        p.points[a] = world_points(w, block, f, a);
        last[a] = p.points[a] + (f->behind ? 0 : f->halo[1][a]) + f->padding[a] - 1;
    }
    p.elements = (size_t)place_around(&p, f, last, f->components - 1) + 1;
    if (f->behind) {
        add_planes(w, block, f, &p);
    }
    return p;
}

ptrdiff_t place_of(const place *p, const random_field *f, const int at[], int component)
{
    for (int a = 0; f->behind && a < p->axes; ++a) {
        if (at[a] < 0 || at[a] >= p->points[a]) {
            return place_behind(p, f, at, a, component);
        }
    }
    return place_around(p, f, at, component);
}

int box_next(int axes, const int lo[], const int hi[], int at[])
{
    for (int a = 0; a < axes; ++a) {
        if (++at[a] < hi[a]) {
            return 1;
        }
        at[a] = lo[a];
    }
    return 0;
}
