/*
 * Points that several blocks own, made to agree: by every rule, on random partitions, by every transport,
 * against an oracle that knows only how the sides of tiles meet.  And corners of tiles filled from beside
 * them.
 *
 * Fields are named after where their points lie: n on all faces; q and m on both faces along x and y; k along
 * z; p at the centers; and components of vectors, 1 along x and 2 along y: a at
 * the centers, b on both faces along both axes, c along the axis of the component, d along the other one.
 */
#include "carry.h"
#include "check.h"
#include "specs.h"

#include <hx/abi.h>

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    DEEPEST = 3, /* halo whose corners are filled */
    TILES = 8,
    MOST_CELLS = 7,
    MOST_PARTS = 3,
    MOST_COPIES = 128,
    MOST_SCALARS = 8,
    X = 0,
    Y = 1
};

static int ranks, rank;

/* ---- numbers out of a seed, the same on all ranks ----------------------------------------------------- */

static uint64_t mix(uint64_t h, uint64_t v)
{
    h = (h ^ v) * UINT64_C(0x9e3779b97f4a7c15);
    return h ^ (h >> 29);
}

static int draw(uint64_t seed, int what, int below)
{
    return (int)(mix(mix(seed, 77), (uint64_t)what) % (uint64_t)below);
}

/* ---- partitions ---------------------------------------------------------------------------------------- */

typedef struct grid {
    const hx_spec *spec;
    uint64_t seed;
    int axis[3]; /* of x, y and z; -1: there is none */
    hx_partition partition[TILES];
    int cuts[TILES][HX_MAX_AXES][MOST_PARTS + 1];
    bool one_block; /* a tile */
    bool alike;     /* all blocks of a tile hold the same: then no partition may change a mean */
} grid;

static bool is(const grid *g, const char *what)
{
    return strstr(g->spec->name, what) != NULL;
}

/* Tiles of the sphere and around the star are squares of one size; z is not cut there. */
static int cells_of(const grid *g, int axis)
{
    const bool square = g->spec->tiles > 1 && axis != g->axis[2];
    if (is(g, "corners") && square) {
        return DEEPEST + draw(g->seed, 10, 6);
    }
    return 1 + draw(g->seed, square ? 10 : 10 + axis, MOST_CELLS - 1) + (is(g, "fold") && axis == Y);
}

/* Blocks in the corners of tiles are as thick as the halo. */
static int cut_thick(const grid *g, int tile, int axis, int n, int cuts[])
{
    int parts = 1 + draw(g->seed, 100 + 10 * tile + axis, MOST_PARTS);
    parts = n < 2 * DEEPEST ? 1 : n == 2 * DEEPEST && parts > 2 ? 2 : parts;
    for (int i = 1; i < parts; ++i) {
        cuts[i] = i == 1 ? DEEPEST : n - DEEPEST;
    }
    cuts[parts] = n;
    return parts;
}

static void cut(grid *g, int tile, int axis)
{
    hx_partition *p = &g->partition[tile];
    const int n = cells_of(g, axis);
    const bool whole = g->one_block || !g->spec->decomposed[axis];
    int parts = whole ? 1 : 1 + draw(g->seed, 100 + 10 * tile + axis, MOST_PARTS);
    parts = parts > n ? n : parts;
    int *cuts = g->cuts[tile][axis];
    for (int i = 1; i <= parts; ++i) {
        const int most = n - (parts - i) - cuts[i - 1]; /* each part after this one has a cell */
        cuts[i] = i == parts ? n : cuts[i - 1] + 1 + draw(g->seed, 300 + 100 * tile + 10 * axis + i, most);
    }
    if (is(g, "corners") && !whole && axis != g->axis[2]) {
        parts = cut_thick(g, tile, axis, n, cuts);
    }
    p->cells[axis] = n;
    p->ranks[axis] = parts;
    p->cuts[axis] = cuts;
}

static void make_grid(grid *g, const hx_spec *spec, uint64_t seed)
{
    *g = (grid){
        .spec = spec, .seed = seed, .axis = {-1, -1, -1}, .one_block = seed % 5 == 0, .alike = seed % 4 == 2};
    for (int a = 0; a < spec->axes; ++a) {
        g->axis[spec->axis[a][0] - 'x'] = a;
    }
    for (int t = 0; t < spec->tiles; ++t) {
        g->partition[t].axes = spec->axes;
        for (int a = 0; a < spec->axes; ++a) {
            cut(g, t, a);
        }
    }
}

static int owner(void *context, int tile, int block)
{
    const grid *g = context;
    return draw(g->seed, 5000 + 100 * tile + block, ranks);
}

static int blocks_of(const grid *g, int tile)
{
    int blocks = 1;
    for (int a = 0; a < g->spec->axes; ++a) {
        blocks *= g->partition[tile].ranks[a];
    }
    return blocks;
}

static hx_part part_of(const grid *g, int tile, int block)
{
    hx_part part = {.partition = g->partition[tile], .tile = tile};
    for (int a = g->spec->axes - 1; a >= 0; --a) {
        part.index[a] = block % part.partition.ranks[a];
        block /= part.partition.ranks[a];
        part.first[a] = part.partition.cuts[a][part.index[a]];
        part.n[a] = part.partition.cuts[a][part.index[a] + 1] - part.first[a];
    }
    return part;
}

/* ---- where points lie ---------------------------------------------------------------------------------- */

static bool has_faces(const grid *g, int field, int axis)
{
    const char *name = g->spec->field[field].name;
    const int own = name[1] == '2' ? g->axis[Y] : g->axis[X];
    switch (name[0]) {
    case 'n':
        return true;
    case 'q':
    case 'b':
    case 'm':
        return axis != g->axis[2];
    case 'k':
        return axis == g->axis[2];
    case 'c':
        return axis == own;
    case 'd':
        return axis != g->axis[2] && axis != own;
    default:
        return false;
    }
}

static int other_component(const hx_spec *spec, int field)
{
    const char *name = spec->field[field].name;
    for (int f = 0; name[1] != '\0' && f < spec->fields; ++f) {
        if (f != field && spec->field[f].name[0] == name[0]) {
            return f;
        }
    }
    return field;
}

/* A point as one tile has it. */
typedef struct copy {
    int tile;
    int field;
    int at[HX_MAX_AXES];
    int sign; /* by which its values are multiplied for the one who asks */
} copy;

static void swap_sides(const grid *g, copy *c, int tile, int x, int y, int sign1, int sign2)
{
    const bool component = g->spec->field[c->field].name[1] != '\0';
    c->sign *= !component ? 1 : g->spec->field[c->field].name[1] == '1' ? sign1 : sign2;
    c->field = other_component(g->spec, c->field);
    c->tile = tile;
    c->at[g->axis[X]] = x;
    c->at[g->axis[Y]] = y;
}

/*
 * The cubed sphere.  A tile of even number meets t + 1 in the east and t + 2 in the north, there the source's
 * x runs against its y, and who leaves to the north comes in from the west; one of odd number meets t + 1 in
 * the north and t + 2 in the east.  Along a side that turns, face i meets face n - i, and cell i meets cell n
 * - 1 - i.
 */
static void cross_sphere(const grid *g, copy *c, int axis, int side)
{
    const int n = g->partition[0].cells[g->axis[X]];
    const bool even = c->tile % 2 == 0;
    const bool x = axis == g->axis[X];
    const int i = c->at[g->axis[X]], j = c->at[g->axis[Y]];
    const int far_i = (has_faces(g, c->field, g->axis[X]) ? n : n - 1) - i;
    const int far_j = (has_faces(g, c->field, g->axis[Y]) ? n : n - 1) - j;
    if (side > 0 && x == even) { /* straight on */
        c->tile = (c->tile + 1) % 6;
        c->at[axis] = 0;
    } else if (side < 0 && x != even) {
        c->tile = (c->tile + 5) % 6;
        c->at[axis] = n;
    } else if (side > 0 && even) { /* north of even: west of t + 2 */
        swap_sides(g, c, (c->tile + 2) % 6, 0, far_i, -1, 1);
    } else if (side > 0) { /* east of odd: south of t + 2 */
        swap_sides(g, c, (c->tile + 2) % 6, far_j, 0, 1, -1);
    } else if (even) { /* west of even: north of t - 2 */
        swap_sides(g, c, (c->tile + 4) % 6, far_j, n, 1, -1);
    } else { /* south of odd: east of t - 2 */
        swap_sides(g, c, (c->tile + 4) % 6, n, far_i, -1, 1);
    }
}

/* What lies across a side of a tile; false: nothing. */
static bool cross(const grid *g, copy *c, int axis, int side)
{
    const int n = g->partition[c->tile].cells[axis];
    if (is(g, "sphere")) {
        if (axis == g->axis[2]) {
            return false;
        }
        cross_sphere(g, c, axis, side);
    } else if (is(g, "star")) { /* west is south of the next tile, and back */
        if (side > 0) {
            return false;
        }
        const int next = axis == X ? 1 : TILES - 1;
        const bool flow = g->spec->field[c->field].name[0] == 'c';
        swap_sides(g, c, (c->tile + next) % TILES, c->at[Y], c->at[X], flow ? -1 : 1, flow ? -1 : 1);
    } else if (is(g, "fold") && axis == Y) {
        if (side < 0) {
            return false;
        }
        const int last = g->partition[0].cells[X] - !has_faces(g, c->field, X);
        c->at[X] = last - c->at[X];
        c->sign *= g->spec->field[c->field].name[1] != '\0' ? -1 : 1;
    } else if (is(g, "fold") || g->spec->periodic[axis]) {
        c->at[axis] = side < 0 ? n : 0;
    } else {
        return false;
    }
    return true;
}

static int compare_copies(const void *left, const void *right)
{
    const copy *a = left;
    const copy *b = right;
    int order = a->tile - b->tile;
    for (int axis = 0; axis < HX_MAX_AXES && order == 0; ++axis) {
        order = a->at[axis] - b->at[axis];
    }
    return order;
}

/* All tiles' copies of a point, those of the lowest tile and place first. */
static int find_copies(const grid *g, const copy *point, copy found[])
{
    int count = 1;
    found[0] = *point;
    for (int c = 0; c < count; ++c) {
        for (int way = 0; way < 2 * g->spec->axes; ++way) {
            const int axis = way / 2, side = way % 2 ? 1 : -1;
            const int end = side < 0 ? 0 : g->partition[found[c].tile].cells[axis];
            copy there = found[c];
            if (!has_faces(g, there.field, axis) || there.at[axis] != end || !cross(g, &there, axis, side)) {
                continue;
            }
            bool known = false;
            for (int k = 0; k < count; ++k) {
                known = known || compare_copies(&found[k], &there) == 0;
            }
            if (!known) {
                found[count++] = there;
            }
        }
    }
    qsort(found, (size_t)count, sizeof *found, compare_copies);
    return count;
}

/* ---- who holds them ------------------------------------------------------------------------------------ */

typedef struct holder {
    int copy; /* number */
    int block;
    int low;
} holder;

static bool has_point(const grid *g, const hx_part *part, const copy *c, int *low)
{
    bool has = true;
    *low = 0;
    for (int a = 0; a < g->spec->axes; ++a) {
        const int i = c->at[a] - part->first[a];
        has = has && i >= 0 && i < part->n[a] + has_faces(g, c->field, a);
        *low += has_faces(g, c->field, a) && i == 0;
    }
    return has;
}

/* By rising copy and block. */
static int find_holders(const grid *g, const copy copies[], int count, holder found[])
{
    int holders = 0;
    for (int c = 0; c < count; ++c) {
        for (int b = 0; b < blocks_of(g, copies[c].tile); ++b) {
            const hx_part part = part_of(g, copies[c].tile, b);
            int low = 0;
            if (has_point(g, &part, &copies[c], &low)) {
                found[holders++] = (holder){c, b, low};
            }
        }
    }
    return holders;
}

/*
 * Greater: who has it as a low face along most axes.  Owner, and of several of the former: the lowest tile
 * and place, and there the block behind the face.
 */
static int find_feeder(const holder h[], int holders, hx_shared decides)
{
    int best = 0;
    for (int i = 1; i < holders; ++i) {
        const bool greater = decides == HX_SHARED_GREATER && h[i].low != h[best].low;
        const bool owner_wins = h[i].copy == h[best].copy && h[i].block > h[best].block;
        best = (greater ? h[i].low > h[best].low : owner_wins) ? i : best;
    }
    return best;
}

/* ---- values -------------------------------------------------------------------------------------------- */

static bool is_single(const hx_field *f)
{
    return strcmp(f->type, "float") == 0;
}

static double rounded(double value, bool single)
{
    return single ? (double)(float)value : value;
}

/* What a block holds before.  Sums of whole numbers have no order. */
static double value(const grid *g, int field, int tile, int block, const int at[], int scalar, bool whole)
{
    uint64_t h = mix(mix(mix(g->seed, (uint64_t)field), (uint64_t)tile), (uint64_t)(g->alike ? 0 : block));
    for (int a = 0; a < g->spec->axes; ++a) {
        h = mix(h, (uint64_t)(at[a] + 100));
    }
    h = mix(h, (uint64_t)scalar);
    const double v = whole ? (double)(h % 100 + 1) : (double)(h >> 11) / 9007199254740992.0 + 0.125;
    return rounded(v, is_single(&g->spec->field[field]));
}

/* ---- arrays -------------------------------------------------------------------------------------------- */

typedef struct field_arrays {
    hx_blocks blocks;
    hx_part *part;
    unsigned char *shapes;
    unsigned char *pointers;
    bool allocated; /* by hx_alloc */
} field_arrays;

static void *allocate(size_t size)
{
    void *memory = calloc(1, size + 1);
    if (memory == NULL) {
        fprintf(stderr, "the test is out of memory\n");
        abort();
    }
    return memory;
}

static void make_blocks(grid *g, field_arrays *s)
{
    *s = (field_arrays){.blocks = {.comm = MPI_COMM_WORLD,
                                   .tiles = g->spec->tiles,
                                   .partition = g->partition,
                                   .owner = owner,
                                   .context = g}};
    int most = 0;
    for (int t = 0; t < g->spec->tiles; ++t) {
        most += blocks_of(g, t);
    }
    s->part = allocate((size_t)most * sizeof *s->part);
    s->shapes = allocate((size_t)most * g->spec->shape_size);
    s->pointers = allocate((size_t)most * g->spec->fields_size);
    for (int t = 0; t < g->spec->tiles; ++t) {
        for (int b = 0; b < blocks_of(g, t); ++b) {
            if (owner(g, t, b) == rank) {
                unsigned char *shape = s->shapes + (size_t)s->blocks.count * g->spec->shape_size;
                const hx_part part = part_of(g, t, b);
                s->part[s->blocks.count++] = part;
                memcpy(shape, &part, sizeof part);
                hx_dense_strides(g->spec, &part, (void *)(shape + g->spec->shape_stride),
                                 g->spec->shape_apart ? (void *)(shape + g->spec->shape_apart) : NULL);
            }
        }
    }
}

static unsigned char *array_of(const grid *g, const field_arrays *s, int block, int field)
{
    unsigned char *array;
    memcpy(&array, s->pointers + (size_t)block * g->spec->fields_size + g->spec->field[field].pointer,
           sizeof array);
    return array;
}

static void make_arrays(const grid *g, field_arrays *s, hx_handle *handle, bool allocated)
{
    s->allocated = allocated;
    if (allocated) {
        CHECK_STATUS(hx_alloc(handle, s->pointers), HX_OK);
        return;
    }
    for (int b = 0; b < s->blocks.count; ++b) {
        for (int f = 0; f < g->spec->fields; ++f) {
            const size_t elements = hx_points(g->spec, s->shapes + (size_t)b * g->spec->shape_size, f);
            void *array = allocate(elements * 16);
            memcpy(s->pointers + (size_t)b * g->spec->fields_size + g->spec->field[f].pointer, &array,
                   sizeof array);
        }
    }
}

static void free_arrays(const grid *g, field_arrays *s, hx_handle *handle)
{
    if (s->allocated) {
        CHECK_STATUS(hx_free(handle, s->pointers), HX_OK);
        return;
    }
    for (int b = 0; b < s->blocks.count; ++b) {
        for (int f = 0; f < g->spec->fields; ++f) {
            free(array_of(g, s, b, f));
        }
    }
}

/* Floating numbers of a point: in one piece, and in pieces that lie apart. */
static int scalars_of(const hx_field *f)
{
    return f->size / (is_single(f) ? (int)sizeof(float) : (int)sizeof(double)) *
           (f->place > 0 ? f->components : 1);
}

static unsigned char *scalar_at(const grid *g, const field_arrays *s, int block, int field, const int point[],
                                int scalar)
{
    const hx_field *f = &g->spec->field[field];
    const unsigned char *shape = s->shapes + (size_t)block * g->spec->shape_size;
    const int piece = f->place > 0 ? scalars_of(f) / f->components : scalars_of(f);
    ptrdiff_t at = 0, stride = 0;
    for (int a = 0; a < g->spec->axes; ++a) {
        memcpy(&stride, shape + g->spec->shape_stride + (size_t)(field * g->spec->axes + a) * sizeof stride,
               sizeof stride);
        at += (point[a] + f->halo_lo[a]) * stride;
    }
    if (f->place > 0) {
        memcpy(&stride, shape + g->spec->shape_apart + (size_t)field * sizeof stride, sizeof stride);
        at += scalar / piece * stride;
    }
    return array_of(g, s, block, field) + at * f->size +
           scalar % piece * (int)(is_single(f) ? sizeof(float) : sizeof(double));
}

static double get(const hx_field *f, const unsigned char *from)
{
    float single;
    double number;
    memcpy(&single, from, sizeof single);
    if (is_single(f)) {
        return (double)single;
    }
    memcpy(&number, from, sizeof number);
    return number;
}

static void put(const hx_field *f, unsigned char *to, double number)
{
    const float single = (float)number;
    memcpy(to, is_single(f) ? (const void *)&single : (const void *)&number,
           is_single(f) ? sizeof single : sizeof number);
}

/* Calls visit for every scalar of every point that is allocated, halos included. */
typedef void visitor(const grid *g, const field_arrays *s, int block, int field, const int point[],
                     int exchange);

static void visit_all(const grid *g, const field_arrays *s, int exchange, visitor *visit)
{
    for (int b = 0; b < s->blocks.count; ++b) {
        for (int f = 0; f < g->spec->fields; ++f) {
            const hx_field *field = &g->spec->field[f];
            int lo[HX_MAX_AXES] = {0}, hi[HX_MAX_AXES] = {1, 1, 1, 1}, p[HX_MAX_AXES];
            for (int a = 0; a < g->spec->axes; ++a) {
                lo[a] = -field->halo_lo[a];
                hi[a] = s->part[b].n[a] + has_faces(g, f, a) + field->halo_hi[a];
            }
            for (p[3] = lo[3]; p[3] < hi[3]; ++p[3]) {
                for (p[2] = lo[2]; p[2] < hi[2]; ++p[2]) {
                    for (p[1] = lo[1]; p[1] < hi[1]; ++p[1]) {
                        for (p[0] = lo[0]; p[0] < hi[0]; ++p[0]) {
                            visit(g, s, b, f, p, exchange);
                        }
                    }
                }
            }
        }
    }
}

static bool adds(const grid *g, int exchange)
{
    return g->spec->exchange[exchange].operation == HX_ADD;
}

static double before(const grid *g, const field_arrays *s, int block, int field, const int point[],
                     int scalar, int exchange)
{
    const hx_part *part = &s->part[block];
    int at[HX_MAX_AXES] = {0}, number = 0;
    for (int a = 0; a < g->spec->axes; ++a) {
        at[a] = point[a] + part->first[a];
        number = number * part->partition.ranks[a] + part->index[a];
    }
    return value(g, field, part->tile, number, at, scalar, adds(g, exchange));
}

static void fill(const grid *g, const field_arrays *s, int block, int field, const int point[], int exchange)
{
    for (int c = 0; c < scalars_of(&g->spec->field[field]); ++c) {
        put(&g->spec->field[field], scalar_at(g, s, block, field, point, c),
            before(g, s, block, field, point, c, exchange));
    }
}

/* ---- what should come of it ---------------------------------------------------------------------------- */

/* The mean of halves, and so on, within a tile; then of the tiles.  Of equal numbers one is enough. */
static double mean_of(const grid *g, const copy copies[], int count, const holder h[], int holders,
                      int scalar)
{
    const bool single = is_single(&g->spec->field[copies[0].field]);
    double sum = 0.0;
    for (int c = 0; c < count; ++c) {
        double v[16];
        int n = 0;
        for (int i = 0; i < holders; ++i) {
            if (h[i].copy == c && (n == 0 || !g->alike)) {
                v[n++] = copies[c].sign *
                         value(g, copies[c].field, copies[c].tile, h[i].block, copies[c].at, scalar, false);
            }
        }
        for (; n > 1; n /= 2) {
            for (int i = 0; i < n / 2; ++i) {
                v[i] = rounded(rounded(v[2 * i] + v[2 * i + 1], single) / 2, single);
            }
        }
        sum = c == 0 ? v[0] : rounded(sum + v[0], single);
    }
    return rounded(sum / count, single);
}

/* For the holder with number `own`. */
static double expect_shared(const grid *g, const hx_exchange *e, const copy copies[], int count,
                            const holder h[], int holders, int own, int scalar)
{
    if (e->operation == HX_MEAN) {
        return holders > 1 ? mean_of(g, copies, count, h, holders, scalar) : 0.0;
    }
    const int feeder = find_feeder(h, holders, e->shared);
    if (e->operation == HX_ADD && own != feeder) {
        return 0.0;
    }
    double sum = 0.0;
    for (int i = 0; i < holders; ++i) {
        const copy *c = &copies[h[i].copy];
        if (i == feeder || e->operation == HX_ADD) {
            sum += c->sign * value(g, c->field, c->tile, h[i].block, c->at, scalar, e->operation == HX_ADD);
        }
    }
    return sum;
}

static bool carries(const hx_exchange *e, int field)
{
    bool carried = false;
    for (int i = 0; i < e->fields; ++i) {
        carried = carried || e->field[i].field == field;
    }
    return carried;
}

static void compare(const grid *g, const field_arrays *s, int block, int field, const int point[],
                    int exchange)
{
    const hx_exchange *e = &g->spec->exchange[exchange];
    const hx_part *part = &s->part[block];
    copy own = {.tile = part->tile, .field = field, .sign = 1};
    copy copies[MOST_COPIES];
    holder holders[MOST_COPIES];
    bool owned = carries(e, field);
    for (int a = 0; a < g->spec->axes; ++a) {
        own.at[a] = part->first[a] + point[a];
        owned = owned && point[a] >= 0 && point[a] < part->n[a] + has_faces(g, field, a);
    }
    int number = 0;
    for (int a = 0; a < g->spec->axes; ++a) {
        number = number * part->partition.ranks[a] + part->index[a];
    }
    const int count = owned ? find_copies(g, &own, copies) : 0;
    const int held = find_holders(g, copies, count, holders);
    int mine = 0;
    while (mine < held &&
           (compare_copies(&copies[holders[mine].copy], &own) != 0 || holders[mine].block != number)) {
        ++mine;
    }
    for (int c = 0; c < scalars_of(&g->spec->field[field]); ++c) {
        const double wanted = held > 1 ? expect_shared(g, e, copies, count, holders, held, mine, c)
                                       : before(g, s, block, field, point, c, exchange);
        const double found = get(&g->spec->field[field], scalar_at(g, s, block, field, point, c));
        CHECK(found == wanted,
              "exchange %s, field %s, tile %d, block %d, point %d %d %d, number %d: %.17g, expected %.17g",
              e->name, g->spec->field[field].name, part->tile, number, point[0], point[1], point[2], c, found,
              wanted);
    }
}

/* ---- corners ------------------------------------------------------------------------------------------- */

/* On which side of its tile an index lies outside: -1, 0, 1; and how far its position is, in half cells. */
static int outside(const grid *g, int tile, int field, int axis, int index, int *distance)
{
    const int n = g->partition[tile].cells[axis];
    const int position = 2 * index + !has_faces(g, field, axis);
    const int side = index < 0 ? -1 : index >= n + has_faces(g, field, axis) ? 1 : 0;
    *distance = side < 0 ? -position : position - 2 * n;
    return side;
}

/* The index of a point of a field so many half cells outside a side of its tile, or inside where negative. */
static int index_at(const grid *g, int tile, int field, int axis, int side, int distance)
{
    const int n = g->partition[tile].cells[axis];
    return ((side < 0 ? -distance : 2 * n + distance) - !has_faces(g, field, axis)) / 2;
}

/* A point in a corner of its tile: on which sides it lies, and how far. */
typedef struct corner {
    int at[HX_MAX_AXES]; /* index in the tile */
    int side[2];
    int distance[2];
} corner;

/*
 * Turned about the corner, what is outside across the one axis is as far outside across the other, along
 * which is filled, and what is outside across that is as far inside.  Components are filled along their own
 * axes, but for those on faces across their own axes (c), and change their sign in the southwest and the
 * northeast; c in the others.
 */
static double expect_corner(const grid *g, int tile, int block, int field, const corner *k, int named,
                            int scalar)
{
    const char *name = g->spec->field[field].name;
    const bool component = name[1] != '\0';
    const bool c = name[0] == 'c';
    const int own = name[1] == '2' ? Y : X;
    const int along = !component ? named : c ? !own : own;
    const int from = other_component(g->spec, field);
    const bool same = k->side[X] == k->side[Y];
    const int there = g->axis[along], beside = g->axis[!along];
    int source[HX_MAX_AXES];
    memcpy(source, k->at, sizeof source);
    source[there] = index_at(g, tile, from, there, k->side[along], k->distance[!along]);
    source[beside] = index_at(g, tile, from, beside, k->side[!along], -k->distance[along]);
    const double v = value(g, from, tile, block, source, scalar, false);
    return component && same != c ? -v : v;
}

/* The same for centers, as models have it: q(is - a, js - b) = q(is - b, js + a - 1), and so on. */
static void find_as_in_models(int n, int along, int *i, int *j)
{
    const bool west = *i < 0, south = *j < 0;
    const int out_i = west ? -*i : *i - n + 1, out_j = south ? -*j : *j - n + 1;
    if (along == X) {
        *i = west ? -out_j : n - 1 + out_j;
        *j = south ? out_i - 1 : n - 1 - out_i + 1;
    } else {
        *j = south ? -out_i : n - 1 + out_i;
        *i = west ? out_j - 1 : n - 1 - out_j + 1;
    }
}

static void compare_with_models(const grid *g, int tile, int block, int field, const corner *k, int named,
                                double wanted)
{
    int at[HX_MAX_AXES];
    memcpy(at, k->at, sizeof at);
    find_as_in_models(g->partition[0].cells[g->axis[X]], named, &at[g->axis[X]], &at[g->axis[Y]]);
    CHECK(value(g, field, tile, block, at, 0, false) == wanted,
          "the two ways to tell where corners come from differ");
}

enum { FILLS = 16 }; /* what compare_corners is given is exchange + FILLS * fill */

static void compare_corners(const grid *g, const field_arrays *s, int block, int field, const int point[],
                            int what)
{
    const hx_exchange *e = &g->spec->exchange[what % FILLS];
    const hx_part *part = &s->part[block];
    const int named = e->corner_fill[what / FILLS].axis[0] - 'x';
    corner k = {.at = {0}};
    int number = 0;
    for (int a = 0; a < g->spec->axes; ++a) {
        k.at[a] = part->first[a] + point[a];
        number = number * part->partition.ranks[a] + part->index[a];
    }
    for (int a = X; a <= Y; ++a) {
        k.side[a] = outside(g, part->tile, field, g->axis[a], k.at[g->axis[a]], &k.distance[a]);
    }
    const bool in_corner = carries(e, field) && k.side[X] != 0 && k.side[Y] != 0;
    for (int c = 0; c < scalars_of(&g->spec->field[field]); ++c) {
        const double wanted = in_corner ? expect_corner(g, part->tile, number, field, &k, named, c)
                                        : before(g, s, block, field, point, c, what % FILLS);
        const double found = get(&g->spec->field[field], scalar_at(g, s, block, field, point, c));
        CHECK(found == wanted,
              "exchange %s, corners %s, field %s, tile %d, block %d, point %d %d %d, number %d: %.17g, "
              "expected "
              "%.17g",
              e->name, e->corner_fill[what / FILLS].axis, g->spec->field[field].name, part->tile, number,
              point[0], point[1], point[2], c, found, wanted);
        if (in_corner && g->spec->field[field].name[0] == 'p') {
            compare_with_models(g, part->tile, number, field, &k, named, wanted);
        }
    }
}

static void fill_corners(const grid *g, const field_arrays *s, hx_handle *handle, int exchange)
{
    const int fills = g->spec->exchange[exchange].corner_fills;
    for (int f = 0; f < fills; ++f) {
        visit_all(g, s, exchange, fill);
        CHECK_STATUS(hx_fill_corners(handle, exchange, f, s->pointers), HX_OK);
        visit_all(g, s, exchange + FILLS * f, compare_corners);
    }
    if (fills > 0) {
        CHECK_REFUSED(MPI_COMM_WORLD, hx_fill_corners(handle, exchange, fills, s->pointers), HX_ERR_ARGUMENT,
                      "ways to fill corners, numbered from 0");
        CHECK_STATUS(hx_start(handle, exchange, s->pointers), HX_OK);
        CHECK_REFUSED(MPI_COMM_WORLD, hx_fill_corners(handle, exchange, 0, s->pointers), HX_ERR_STATE,
                      "is under way");
        CHECK_STATUS(hx_finish(handle, exchange), HX_OK);
    }
}

/* The first block of each tile is thinner than the halo. */
static void try_thin_corners(const hx_spec *spec)
{
    static const int cuts[] = {0, 2, 6};
    static const int level[] = {0, 1};
    grid g;
    field_arrays s;
    make_grid(&g, spec, 0);
    for (int t = 0; t < spec->tiles; ++t) {
        for (int a = 0; a < spec->axes; ++a) {
            const bool flat = a == g.axis[2];
            g.partition[t].cells[a] = flat ? 1 : 6;
            g.partition[t].ranks[a] = flat ? 1 : 2;
            g.partition[t].cuts[a] = flat ? level : cuts;
        }
    }
    make_blocks(&g, &s);
    check_about("%s, thin corners", spec->name);
    hx_handle *handle = NULL;
    CHECK_REFUSED(MPI_COMM_WORLD, hx_create(spec, &s.blocks, s.shapes, NULL, &handle), HX_ERR_PARTITION,
                  "fills corners of tiles 3 layers deep, and part 0 of tile 0 along axis");
    free(s.part);
    free(s.shapes);
    free(s.pointers);
}

/* ---- trials -------------------------------------------------------------------------------------------- */

static const char *const transports[] = {"p2p",     "persistent", "neighbor", "shared", "shared-pull", "rma",
                                         "rma-get", "rma-fence",  "rma-pscw", "mixed",  "manual"};
enum { TRANSPORTS = sizeof transports / sizeof *transports };

static void run(const grid *g, const field_arrays *s, hx_handle *handle, bool by_hand)
{
    for (int e = 0; e < g->spec->exchanges; ++e) {
        if (!g->spec->exchange[e].shared) {
            continue; /* the tests of halos are others */
        }
        visit_all(g, s, e, fill);
        CHECK_STATUS(hx_start(handle, e, s->pointers), HX_OK);
        CHECK(!by_hand || carry(handle, e, MPI_COMM_WORLD) >= 0, "%s", hx_last_error());
        CHECK_STATUS(hx_finish(handle, e), HX_OK);
        visit_all(g, s, e, compare);
        if (g->spec->exchange[e].operation == HX_COPY) { /* twice is once */
            CHECK_STATUS(hx_start(handle, e, s->pointers), HX_OK);
            CHECK(!by_hand || carry(handle, e, MPI_COMM_WORLD) >= 0, "%s", hx_last_error());
            CHECK_STATUS(hx_finish(handle, e), HX_OK);
            visit_all(g, s, e, compare);
        }
    }
}

static void try_once(const hx_spec *spec, int number)
{
    grid g;
    field_arrays s;
    make_grid(&g, spec, (uint64_t)number);
    make_blocks(&g, &s);
    hx_options options = HX_OPTIONS_INIT;
    options.transport = is(&g, "corners") ? "persistent" : transports[number % TRANSPORTS];
    options.deadline = 60.0;
    options.check = number / 2 % 3 == 0;
    check_about("%s, number %d, %s", spec->name, number, options.transport);
    hx_handle *handle = NULL;
    if (CHECK_STATUS(hx_create(spec, &s.blocks, s.shapes, &options, &handle), HX_OK)) {
        make_arrays(&g, &s, handle, number % 3 == 1);
        run(&g, &s, handle, strcmp(options.transport, "manual") == 0);
        for (int e = 0; e < spec->exchanges; ++e) {
            fill_corners(&g, &s, handle, e);
        }
        free_arrays(&g, &s, handle);
        CHECK_STATUS(hx_destroy(handle), HX_OK);
    }
    free(s.part);
    free(s.shapes);
    free(s.pointers);
}

/* ---- an example worked out by hand --------------------------------------------------------------------- */

/* Number 100 (tile + 1) + 10 i + j, and 1000 more for the component along y. */
static void fill_example(const grid *g, const field_arrays *s, int block, int field, const int point[],
                         int exchange)
{
    (void)exchange;
    const int north = g->spec->field[field].name[1] == '2';
    put(&g->spec->field[field], scalar_at(g, s, block, field, point, 0),
        1000 * north + 100 * (s->part[block].tile + 1) + 10 * point[g->axis[X]] + point[g->axis[Y]]);
}

static void expect_at(const grid *g, const field_arrays *s, int tile, int field, int i, int j, double wanted)
{
    for (int b = 0; b < s->blocks.count; ++b) {
        int point[HX_MAX_AXES] = {0};
        point[g->axis[X]] = i;
        point[g->axis[Y]] = j;
        if (s->part[b].tile == tile) {
            const double found = get(&g->spec->field[field], scalar_at(g, s, b, field, point, 0));
            CHECK(found == wanted, "tile %d, field %s at %d %d: %g, expected %g", tile,
                  g->spec->field[field].name, i, j, found, wanted);
        }
    }
}

/* Tiles of 2 x 2 cells: what comes to the northern and eastern sides of tiles 0 and 1. */
static void try_example(const hx_spec *spec)
{
    grid g;
    field_arrays s;
    make_grid(&g, spec, 0);
    static const int ends[] = {0, 2};
    static const int level[] = {0, 1};
    for (int t = 0; t < spec->tiles; ++t) {
        for (int a = 0; a < spec->axes; ++a) {
            g.partition[t].cells[a] = a == g.axis[2] ? 1 : 2;
            g.partition[t].cuts[a] = a == g.axis[2] ? level : ends;
        }
    }
    make_blocks(&g, &s);
    check_about("%s, the example", spec->name);
    hx_handle *handle = NULL;
    if (CHECK_STATUS(hx_create(spec, &s.blocks, s.shapes, NULL, &handle), HX_OK)) {
        make_arrays(&g, &s, handle, true);
        visit_all(&g, &s, 0, fill_example);
        CHECK_STATUS(hx_start(handle, 0, s.pointers), HX_OK);
        CHECK_STATUS(hx_finish(handle, 0), HX_OK);
        static const double north[2][2] = {{-1301, -1300}, {300, 310}};
        static const double east[2][2] = {{1200, 1201}, {-410, -400}};
        int x = 0; /* the field d1, on faces along y; d2 follows it */
        while (strcmp(spec->field[x].name, "d1") != 0) {
            ++x;
        }
        for (int t = 0; t < 2; ++t) {
            for (int k = 0; k < 2; ++k) {
                expect_at(&g, &s, t, x, k, 2, north[t][k]);
                expect_at(&g, &s, t, x + 1, 2, k, east[t][k]);
            }
        }
        free_arrays(&g, &s, handle);
        CHECK_STATUS(hx_destroy(handle), HX_OK);
    }
    free(s.part);
    free(s.shapes);
    free(s.pointers);
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv, MPI_THREAD_SINGLE);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const int tries = argc > 1 ? atoi(argv[1]) : 2 * TRANSPORTS;
    for (int i = 0; i < specs_count; ++i) {
        for (int number = 0; number < tries; ++number) {
            try_once(specs[i], number);
        }
        if (strstr(specs[i]->name, "corners")) {
            try_thin_corners(specs[i]);
        }
        if (strstr(specs[i]->name, "shared_sphere")) {
            try_example(specs[i]);
        }
    }
    char summary[80];
    snprintf(summary, sizeof summary, "shared points, %d specs, %d partitions each, %d ranks", specs_count,
             tries, ranks);
    return check_verdict(summary);
}
