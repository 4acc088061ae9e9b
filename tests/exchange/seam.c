/*
 * Owned points of a folded grid that several blocks own, or that lie where others do, made to agree: by every
 * rule, on many partitions, by every transport.  The oracle lists all points of all blocks by where they lie.
 *
 * The name of a spec ends as in folded.h.  The name of a field begins with "s", or with "u" and "v" for the
 * components of a vector along x and y, and goes on with where its points lie along x, y and z.
 */
#include "adjoint.h"
#include "carry.h"
#include "check.h"
#include "layout.h"
#include "specs.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { AXES = 3, MOST_PARTS = 4, MOST_COPIES = 16 };

static int ranks;

static void *allocate(size_t size)
{
    void *memory = calloc(1, size + 1);
    if (memory == NULL) {
        fprintf(stderr, "the test is out of memory\n");
        abort();
    }
    return memory;
}

/* ---- the fold ------------------------------------------------------------------------------------------ */

typedef struct folding {
    int along;
    int across;
    int sign;  /* of the side */
    int pivot; /* the first one along the side, in half cells from where the axis begins */
    int inset; /* from the side to the line, in half cells */
} folding;

static folding folding_of(const hx_spec *spec)
{
    const char *end = spec->name + strlen(spec->name) - 3;
    const int north = end[0] == 'n' || end[0] == 's';
    return (folding){.along = !north,
                     .across = north,
                     .sign = end[0] == 'n' || end[0] == 'e' ? 1 : -1,
                     .pivot = end[1] == 'c',
                     .inset = end[2] == 'c'};
}

static char letter(const hx_spec *spec, int field, int axis)
{
    return spec->field[field].name[1 + axis];
}

static int faces(const hx_spec *spec, int field, int axis)
{
    return axis < AXES && letter(spec, field, axis) == 'b';
}

/* ---- all points of a field by where they lie ----------------------------------------------------------- */

/* A point as one block has it. */
typedef struct held {
    int place[AXES]; /* in half cells, of what is kept */
    int index[AXES]; /* in the grid */
    int block;
    int low;     /* axes along which it is the first of the block */
    bool turned; /* it lies on a point that is kept */
    int sign;    /* to what is kept */
} held;

typedef struct table {
    held *all; /* sorted by place, index and block */
    int count;
} table;

static void settle(const hx_spec *spec, const int cells[], int field, held *h)
{
    const folding f = folding_of(spec);
    const int ring = 2 * cells[f.along];
    for (int a = 0; a < AXES; ++a) {
        const char at = letter(spec, field, a);
        h->place[a] = 2 * h->index[a] + (at == 'c' ? 1 : at == 'h' ? 2 : 0);
    }
    const int line = f.sign > 0 ? 2 * cells[f.across] - f.inset : f.inset;
    const int behind = f.sign * (h->place[f.across] - line);
    const int from_pivot = (h->place[f.along] - f.pivot + ring) % ring;
    h->turned = behind > 0 || (behind == 0 && from_pivot > ring / 2);
    if (h->turned) {
        h->place[f.along] = 2 * f.pivot - h->place[f.along] + ring;
        h->place[f.across] = 2 * line - h->place[f.across];
    }
    h->place[f.along] %= ring;
    h->sign = h->turned && spec->field[field].name[0] != 's' ? -1 : 1;
}

static int compare_ints(const int a[], const int b[], int count)
{
    int order = 0;
    for (int i = 0; i < count && order == 0; ++i) {
        order = a[i] - b[i];
    }
    return order;
}

static int compare_held(const void *left, const void *right)
{
    const held *a = left;
    const held *b = right;
    const int by_place = compare_ints(a->place, b->place, AXES);
    const int by_index = compare_ints(a->index, b->index, AXES);
    return by_place ? by_place : by_index ? by_index : a->block - b->block;
}

static int blocks_of(const hx_partition *p)
{
    int blocks = 1;
    for (int a = 0; a < p->axes; ++a) {
        blocks *= p->ranks[a];
    }
    return blocks;
}

/* What one block has of a field; first and end: its points. */
static void list_block(const hx_spec *spec, const hx_partition *p, int field, int block, table *t)
{
    int first[AXES] = {0}, end[AXES] = {1, 1, 1}, rest = block;
    for (int k = 0; k < p->axes; ++k) {
        const int a = p->first_fastest ? k : p->axes - 1 - k;
        const int part = rest % p->ranks[a];
        rest /= p->ranks[a];
        first[a] = p->cuts[a][part];
        end[a] = p->cuts[a][part + 1] + faces(spec, field, a);
    }
    for (int i = first[0]; i < end[0]; ++i) {
        for (int j = first[1]; j < end[1]; ++j) {
            for (int k = first[2]; k < end[2]; ++k) {
                held *h = &t->all[t->count++];
                *h = (held){.index = {i, j, k}, .block = block};
                for (int a = 0; a < p->axes; ++a) {
                    h->low += faces(spec, field, a) && h->index[a] == first[a];
                }
                settle(spec, p->cells, field, h);
            }
        }
    }
}

static table list_points(const hx_spec *spec, const hx_partition *p, int field)
{
    size_t most = sizeof(held);
    for (int a = 0; a < p->axes; ++a) {
        most *= (size_t)(p->cells[a] + p->ranks[a] + 1);
    }
    table t = {allocate(most), 0};
    for (int block = 0; block < blocks_of(p); ++block) {
        list_block(spec, p, field, block, &t);
    }
    qsort(t.all, (size_t)t.count, sizeof *t.all, compare_held);
    return t;
}

/* Those that lie where one does: returns the first, and how many. */
static const held *find(const table *t, const hx_spec *spec, const hx_partition *p, int field,
                        const int index[], int *count)
{
    held key = {.index = {index[0], index[1], index[2]}, .block = -1};
    settle(spec, p->cells, field, &key);
    int first = 0;
    while (compare_ints(t->all[first].place, key.place, AXES) != 0) {
        ++first;
    }
    *count = 0;
    while (first + *count < t->count && compare_ints(t->all[first + *count].place, key.place, AXES) == 0) {
        ++*count;
    }
    return &t->all[first];
}

/* ---- values -------------------------------------------------------------------------------------------- */

static uint64_t mix(uint64_t h, uint64_t v)
{
    h = (h ^ v) * UINT64_C(0x9e3779b97f4a7c15);
    return h ^ (h >> 29);
}

static bool is_single(const hx_spec *spec, int field)
{
    return strcmp(spec->field[field].type, "float") == 0;
}

static double rounded(double value, bool single)
{
    return single ? (double)(float)value : value;
}

/* What a block holds before.  Sums of whole numbers have no order. */
static double value(const hx_spec *spec, int field, int block, const int index[], bool whole)
{
    uint64_t h = mix(mix(17, (uint64_t)field), (uint64_t)block);
    for (int a = 0; a < AXES; ++a) {
        h = mix(h, (uint64_t)(index[a] + 100));
    }
    const double v = whole ? (double)(h % 100 + 1) : (double)(h >> 11) / 9007199254740992.0 + 0.125;
    return rounded(v, is_single(spec, field));
}

/* ---- what should come of it ---------------------------------------------------------------------------- */

static bool same_index(const held *a, const held *b)
{
    return compare_ints(a->index, b->index, AXES) == 0;
}

/*
 * Who decides: what is kept before what lies on it; by "greater" who has it as a low face along most axes;
 * then the lowest index, and there the block behind the face.
 */
static int find_feeder(const held h[], int count, hx_shared rule)
{
    int best = 0;
    for (int i = 1; i < count; ++i) {
        const int low = rule == HX_SHARED_GREATER ? h[i].low - h[best].low : 0;
        const bool owns = same_index(&h[i], &h[best]) && h[i].block > h[best].block;
        if (h[i].turned != h[best].turned ? h[best].turned : low != 0 ? low > 0 : owns) {
            best = i;
        }
    }
    return best;
}

/* The mean of halves, and so on, at each index; then of these, in their order. */
static double mean_of(const hx_spec *spec, int field, const held h[], int count, int sign)
{
    const bool single = is_single(spec, field);
    double sum = 0;
    int groups = 0;
    for (int first = 0; first < count; ++groups) {
        double v[MOST_COPIES];
        int n = 0;
        for (; first + n < count && same_index(&h[first + n], &h[first]); ++n) {
            const held *one = &h[first + n];
            v[n] = sign * one->sign * value(spec, field, one->block, one->index, false);
        }
        first += n;
        for (; n > 1; n /= 2) {
            for (int i = 0; i < n / 2; ++i) {
                v[i] = rounded(rounded(v[2 * i] + v[2 * i + 1], single) / 2, single);
            }
        }
        sum = groups == 0 ? v[0] : rounded(sum + v[0], single);
    }
    return rounded(sum / groups, single);
}

/* In the order of indices and blocks, one after the other. */
static double sum_of(const hx_spec *spec, int field, const held h[], int count, int sign)
{
    double sum = 0;
    for (int i = 0; i < count; ++i) {
        sum = rounded(sum + sign * h[i].sign * value(spec, field, h[i].block, h[i].index, false),
                      is_single(spec, field));
    }
    return sum;
}

static double expect(const hx_spec *spec, const hx_exchange *e, int field, const held h[], int count, int own)
{
    const bool adds = e->operation == HX_ADD;
    if (e->operation == HX_MEAN) {
        return count > 1 ? mean_of(spec, field, h, count, h[own].sign)
                         : value(spec, field, h[0].block, h[0].index, false);
    }
    if (e->operation == HX_SUM) {
        return sum_of(spec, field, h, count, h[own].sign);
    }
    const int feeder = find_feeder(h, count, e->shared);
    double sum = 0;
    for (int i = 0; i < count; ++i) {
        if (i == feeder || adds) {
            sum += h[own].sign * h[i].sign * value(spec, field, h[i].block, h[i].index, adds);
        }
    }
    return adds && own != feeder ? 0 : sum;
}

/* ---- arrays -------------------------------------------------------------------------------------------- */

typedef struct arrays {
    const layout *l;
    hx_handle *handle; /* that allocated them; NULL: the test did */
    unsigned char *pointers;
    table *points; /* by field */
} arrays;

static unsigned char *array_of(const arrays *s, int block, int field)
{
    const hx_spec *spec = s->l->spec;
    unsigned char *array;
    memcpy(&array, s->pointers + (size_t)block * spec->fields_size + spec->field[field].pointer,
           sizeof array);
    return array;
}

static void make_arrays(arrays *s, const layout *l, hx_handle *handle, bool by_handle)
{
    const hx_spec *spec = l->spec;
    *s = (arrays){.l = l,
                  .handle = by_handle ? handle : NULL,
                  .pointers = allocate((size_t)l->blocks.count * spec->fields_size),
                  .points = allocate((size_t)spec->fields * sizeof *s->points)};
    for (int f = 0; f < spec->fields; ++f) {
        s->points[f] = list_points(spec, l->partition, f);
    }
    if (by_handle) {
        CHECK_STATUS(hx_alloc(handle, s->pointers), HX_OK);
        return;
    }
    for (int i = 0; i < l->blocks.count * spec->fields; ++i) {
        const int f = i % spec->fields;
        void *array = allocate(layout_elements(l, i / spec->fields, f) * (size_t)spec->field[f].size);
        memcpy(s->pointers + (size_t)(i / spec->fields) * spec->fields_size + spec->field[f].pointer, &array,
               sizeof array);
    }
}

static void free_arrays(arrays *s)
{
    const hx_spec *spec = s->l->spec;
    for (int i = 0; i < s->l->blocks.count * spec->fields && !s->handle; ++i) {
        free(array_of(s, i / spec->fields, i % spec->fields));
    }
    if (s->handle) {
        CHECK_STATUS(hx_free(s->handle, s->pointers), HX_OK);
    }
    for (int f = 0; f < spec->fields; ++f) {
        free(s->points[f].all);
    }
    free(s->points);
    free(s->pointers);
}

static double get(const arrays *s, int block, int field, const int point[])
{
    const hx_spec *spec = s->l->spec;
    const unsigned char *at =
        array_of(s, block, field) + layout_at(s->l, block, field, point) * spec->field[field].size;
    float single;
    double number;
    memcpy(&single, at, sizeof single);
    if (is_single(spec, field)) {
        return (double)single;
    }
    memcpy(&number, at, sizeof number);
    return number;
}

static void put(const arrays *s, int block, int field, const int point[], double number)
{
    const hx_spec *spec = s->l->spec;
    unsigned char *at =
        array_of(s, block, field) + layout_at(s->l, block, field, point) * spec->field[field].size;
    const float single = (float)number;
    memcpy(at, is_single(spec, field) ? (const void *)&single : (const void *)&number,
           is_single(spec, field) ? sizeof single : sizeof number);
}

static int number_of(const hx_part *part)
{
    int number = 0;
    for (int k = part->partition.axes - 1; k >= 0; --k) {
        const int a = part->partition.first_fastest ? k : part->partition.axes - 1 - k;
        number = number * part->partition.ranks[a] + part->index[a];
    }
    return number;
}

/* The index in the grid; is it one of the block's own points? */
static bool index_of(const layout *l, int block, int field, const int point[], int index[])
{
    bool owned = true;
    for (int a = 0; a < AXES; ++a) {
        index[a] = a < l->spec->axes ? l->part[block].first[a] + point[a] : 0;
        owned =
            owned && (a >= l->spec->axes || (point[a] >= 0 && point[a] < layout_points(l, block, field, a)));
    }
    return owned;
}

static void check_point(const arrays *s, const hx_exchange *e, int block, int field, const int point[],
                        bool halo)
{
    const layout *l = s->l;
    const int number = number_of(&l->part[block]);
    int index[AXES], count = 0, own = 0;
    const bool owned = index_of(l, block, field, point, index);
    double wanted = value(l->spec, field, number, index, e->operation == HX_ADD);
    if (owned) {
        const held *h = find(&s->points[field], l->spec, l->partition, field, index, &count);
        while (h[own].block != number || compare_ints(h[own].index, index, AXES) != 0) {
            ++own;
        }
        wanted = expect(l->spec, e, field, h, count, own);
    }
    const double found = get(s, block, field, point);
    CHECK(found == wanted || (halo && !owned),
          "exchange %s, field %s, block %d, point %d %d %d of %d: %.17g, expected %.17g", e->name,
          l->spec->field[field].name, number, index[0], index[1], index[2], count, found, wanted);
}

/* Calls for every allocated point; e: what is expected, NULL: values are written. */
static void visit(const arrays *s, const hx_exchange *e, bool whole, bool halo)
{
    const layout *l = s->l;
    for (int i = 0; i < l->blocks.count * l->spec->fields; ++i) {
        const int b = i / l->spec->fields, f = i % l->spec->fields;
        const box all = layout_allocated(l, b, f);
        int point[HX_MAX_AXES], index[AXES];
        memcpy(point, all.lo, sizeof point);
        do {
            index_of(l, b, f, point, index);
            if (e) {
                check_point(s, e, b, f, point, halo);
            } else {
                put(s, b, f, point, value(l->spec, f, number_of(&l->part[b]), index, whole));
            }
        } while (box_next(&all, l->spec->axes, point));
    }
}

/* ---- trials -------------------------------------------------------------------------------------------- */

static void exchange(const arrays *s, hx_handle *handle, int number, bool by_hand)
{
    CHECK_STATUS(hx_start(handle, number, s->pointers), HX_OK);
    CHECK(!by_hand || carry(handle, number, MPI_COMM_WORLD) >= 0, "%s", hx_last_error());
    CHECK_STATUS(hx_finish(handle, number), HX_OK);
}

/* Once, and again: then nothing changes any more, also by the exchange that fills the halo. */
static void run(const arrays *s, hx_handle *handle, bool by_hand)
{
    const hx_spec *spec = s->l->spec;
    for (int n = 0; n < spec->exchanges; ++n) {
        const hx_exchange *e = &spec->exchange[n];
        if (!e->shared) {
            continue;
        }
        visit(s, NULL, e->operation == HX_ADD, false);
        exchange(s, handle, n, by_hand);
        visit(s, e, false, false);
        if (e->operation != HX_COPY) {
            continue;
        }
        exchange(s, handle, n, by_hand);
        visit(s, e, false, false);
        if (!spec->exchange[spec->exchanges - 1].shared) {
            exchange(s, handle, spec->exchanges - 1, by_hand);
            visit(s, e, false, true);
        }
    }
}

static int owner(void *context, int tile, int block)
{
    (void)tile;
    return (block * *(const int *)context + block / 3) % ranks;
}

static void try_partition(const hx_spec *spec, const hx_partition *p, int number)
{
    static const char *const transports[] = {"p2p",     "shared",    "persistent", "neighbor", "rma",
                                             "rma-get", "rma-fence", "rma-pscw",   "manual"};
    int stride = 1 + number % 2;
    layout l;
    layout_make(&l, &(layout_request){spec, MPI_COMM_WORLD, p, owner, &stride, faces, number % 3});
    hx_options options = HX_OPTIONS_INIT;
    options.transport = transports[number % (int)(sizeof transports / sizeof *transports)];
    options.deadline = 60.0;
    options.check = number % 4 == 0;
    options.schedule = "by-dimension"; /* which nothing here can do */
    check_about("%s, number %d, %d x %d cells, %d x %d parts, %s", spec->name, number, p->cells[0],
                p->cells[1], p->ranks[0], p->ranks[1], options.transport);
    hx_handle *handle = NULL;
    if (CHECK_STATUS(hx_create(spec, &l.blocks, l.shapes, &options, &handle), HX_OK)) {
        const bool by_hand = strcmp(options.transport, "manual") == 0;
        CHECK(strstr(hx_describe(handle),
                     by_hand ? "the application moves all messages at once"
                             : "one phase: its stencil, components or links do not go along axes"),
              "%s", hx_describe(handle));
        CHECK((strstr(hx_describe(handle), " parts, numbered along x first\n") != NULL) ==
                  (spec->first_fastest != 0),
              "%s", hx_describe(handle));
        arrays s;
        make_arrays(&s, &l, handle, number % 2);
        run(&s, handle, by_hand);
        free_arrays(&s);
        CHECK_STATUS(hx_destroy(handle), HX_OK);
    }
    if (number % 3 == 0) {
        adjoint_run(&l, "p2p");
    }
    layout_free(&l);
}

/* Cells along the side and across it, and parts; number 0 and up, -1 behind the last. */
static int make_partition(const hx_spec *spec, int number, hx_partition *p)
{
    static const int extents[][2] = {{1, 1}, {2, 1}, {3, 2}, {4, 3}, {5, 1}, {6, 2},
                                     {1, 4}, {3, 4}, {4, 5}, {6, 4}, {7, 4}, {8, 5}};
    static const int divisions[][2] = {{1, 1}, {2, 1}, {3, 2}, {4, 1}, {1, 3}, {4, 2}};
    enum { EXTENTS = sizeof extents / sizeof *extents, DIVISIONS = sizeof divisions / sizeof *divisions };
    static int cuts[AXES][MOST_PARTS + 1];
    const folding f = folding_of(spec);
    if (number >= EXTENTS * DIVISIONS) {
        return -1;
    }
    const bool late = number / DIVISIONS % 2 != 0; /* all parts but the first of one cell */
    *p = (hx_partition){.axes = spec->axes, .first_fastest = spec->first_fastest};
    for (int a = 0; a < spec->axes; ++a) {
        const int cells = a == 2 ? 3 : extents[number / DIVISIONS][a == f.across];
        const int most = a == 2 ? 1 + number % 2 : divisions[number % DIVISIONS][a == f.across];
        const int parts = most < cells ? most : cells;
        for (int part = 0; part <= parts; ++part) {
            cuts[a][part] = late && part > 0 ? cells - parts + part : cells * part / parts;
        }
        p->cells[a] = cells;
        p->ranks[a] = parts;
        p->cuts[a] = cuts[a];
    }
    return spec->exchange[spec->exchanges - 1].shared || p->cells[f.across] > 3; /* a halo takes some rows */
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv, MPI_THREAD_SINGLE);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const int step = argc > 1 ? atoi(argv[1]) : ranks == 1 ? 7 : 11;
    int tried = 0;
    for (int i = 0; i < specs_count; ++i) {
        hx_partition p;
        int number = (i + ranks) % step;
        for (int fits = 0; (fits = make_partition(specs[i], number, &p)) >= 0; number += step) {
            if (fits) {
                try_partition(specs[i], &p, number + i);
                ++tried;
            }
        }
    }
    char summary[80];
    snprintf(summary, sizeof summary, "points on folds, %d partitions, %d ranks", tried, ranks);
    return check_verdict(summary);
}
