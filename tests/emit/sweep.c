/*
 * The sweep kernels of one spec (SPEC, its name): the halo of a block that wraps around onto itself along all
 * axes, point by point, with any set of directions switched off.  Then halos each direction of which comes
 * from an array of its own that lies in any of the orientations that there are, with a sign.
 */
#include <hx/abi.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define JOIN(a, b)   a##b
#define TABLES(name) JOIN(name, _spec)
extern const hx_spec TABLES(SPEC);

static const hx_spec *const spec = &TABLES(SPEC);

enum { CELLS = 7, DIRECTIONS = 81 };

static int failed, swept;

typedef struct block {
    const hx_field *field;
    hx_shell shell;
    unsigned char *points;
    size_t bytes;
} block;

/* One byte of the owned point at a position, all axes periodic; 0 stands for untouched. */
static unsigned char byte_at(const block *b, const ptrdiff_t point[], size_t which)
{
    size_t mixed = which + 1;
    for (int a = 0; a < spec->axes; ++a) {
        const ptrdiff_t n = b->shell.n[a];
        mixed = mixed * 31 + (size_t)((point[a] + n) % n) * 7;
    }
    return (unsigned char)(mixed % 255 + 1);
}

static ptrdiff_t index_of(const block *b, const ptrdiff_t point[])
{
    ptrdiff_t at = b->shell.at;
    for (int a = 0; a < spec->axes; ++a) {
        at += point[a] * b->shell.stride[a];
    }
    return at;
}

static int next_point(const block *b, ptrdiff_t point[])
{
    for (int a = 0; a < spec->axes; ++a) {
        if (++point[a] < b->shell.n[a] + b->field->halo_hi[a]) {
            return 1;
        }
        point[a] = -b->field->halo_lo[a];
    }
    return 0;
}

/* The number of the direction in which a point lies, as <hx/abi.h> counts. */
static int direction_of(const block *b, const ptrdiff_t point[])
{
    int number = 0;
    for (int i = spec->axes - 1; i >= 0; --i) {
        const int a = b->field->order[i];
        number = 3 * number + (point[a] >= 0) + (point[a] >= b->shell.n[a]);
    }
    return number;
}

static int owned(const block *b, const ptrdiff_t point[])
{
    for (int a = 0; a < spec->axes; ++a) {
        if (point[a] < 0 || point[a] >= b->shell.n[a]) {
            return 0;
        }
    }
    return 1;
}

static int within(const block *b, const ptrdiff_t point[])
{
    for (int a = 0; a < spec->axes; ++a) {
        if (point[a] < -b->shell.lo[a] || point[a] >= b->shell.n[a] + b->shell.hi[a]) {
            return 0;
        }
    }
    return 1;
}

static void first_point(const block *b, ptrdiff_t point[])
{
    for (int a = 0; a < spec->axes; ++a) {
        point[a] = -b->field->halo_lo[a];
    }
}

static block new_block(const hx_exchange_field *item)
{
    block b = {.field = &spec->field[item->field]};
    ptrdiff_t count = 1;
    for (int i = 0; i < spec->axes; ++i) {
        const int a = b.field->order[i];
        b.shell.n[a] = CELLS + a;
        b.shell.lo[a] = item->width_lo[a];
        b.shell.hi[a] = item->width_hi[a];
        b.shell.stride[a] = count;
        b.shell.at += b.field->halo_lo[a] * count;
        count *= b.shell.n[a] + b.field->halo_lo[a] + b.field->halo_hi[a];
    }
    b.bytes = (size_t)b.field->size;
    b.points = calloc((size_t)count, b.bytes);
    if (!b.points) {
        exit(2);
    }
    ptrdiff_t point[HX_MAX_AXES];
    first_point(&b, point);
    do {
        for (size_t i = 0; owned(&b, point) && i < b.bytes; ++i) {
            b.points[(size_t)index_of(&b, point) * b.bytes + i] = byte_at(&b, point, i);
        }
    } while (next_point(&b, point));
    return b;
}

/* The source of the first point in each direction: the point that lies one extent further in. */
static void wrap(const block *b, unsigned off, hx_pull pull[])
{
    int directions = 1;
    for (int a = 0; a < spec->axes; ++a) {
        directions *= 3;
    }
    for (int d = 0; d < directions; ++d) {
        ptrdiff_t first[HX_MAX_AXES] = {0};
        for (int i = 0, rest = d; i < spec->axes; ++i, rest /= 3) {
            const int a = b->field->order[i];
            first[a] = rest % 3 == 0 ? b->shell.n[a] - b->shell.lo[a] : 0;
            pull[d].stride[a] = b->shell.stride[a];
        }
        pull[d].sign = 1;
        const int within_block = d == directions / 2;
        pull[d].from = within_block || (off != 0 && (unsigned)d % 5 == off)
                           ? NULL
                           : b->points + (size_t)index_of(b, first) * b->bytes;
    }
}

/* Counts the sweep, and its failure. */
static void judge(const hx_exchange *exchange, const block *b, int bad)
{
    swept++;
    if (bad > 0) {
        failed++;
        printf("FAIL exchange %s, field %s: %d bytes are wrong\n", exchange->name, b->field->name, bad);
    }
}

static void try_item(const hx_exchange *exchange, const hx_exchange_field *item, unsigned off)
{
    block b = new_block(item);
    hx_pull pull[DIRECTIONS];
    wrap(&b, off, pull);
    item->kernels->sweep(b.points, &b.shell, pull);
    ptrdiff_t point[HX_MAX_AXES];
    first_point(&b, point);
    int bad = 0;
    do {
        const int d = direction_of(&b, point);
        const int filled = owned(&b, point) || (within(&b, point) && pull[d].from);
        for (size_t i = 0; i < b.bytes; ++i) {
            const unsigned char wanted = filled ? byte_at(&b, point, i) : 0;
            bad += b.points[(size_t)index_of(&b, point) * b.bytes + i] != wanted;
        }
    } while (next_point(&b, point));
    free(b.points);
    judge(exchange, &b, bad);
}

/* ---- sources that lie turned --------------------------------------------------------------------------- */

/* The box of a direction: its extents, and how far inside it a point of the halo is. */
typedef struct side {
    ptrdiff_t n[HX_MAX_AXES];
    ptrdiff_t inside[HX_MAX_AXES];
} side;

static side side_of(const block *b, int number, const ptrdiff_t point[])
{
    side s;
    for (int i = 0; i < spec->axes; ++i, number /= 3) {
        const int a = b->field->order[i];
        const int digit = number % 3;
        s.n[a] = digit == 0 ? b->shell.lo[a] : digit == 1 ? b->shell.n[a] : b->shell.hi[a];
        s.inside[a] = point[a] + (digit == 0 ? b->shell.lo[a] : digit == 1 ? 0 : -b->shell.n[a]);
    }
    return s;
}

/* Orientations are numbered: the order of axes in memory, from the fastest on, and the sense of each. */
static void orientation_of(int number, int order[], int sense[])
{
    int left[HX_MAX_AXES];
    for (int a = 0; a < spec->axes; ++a) {
        left[a] = a;
        sense[a] = number % 2 ? -1 : 1;
        number /= 2;
    }
    for (int i = 0; i < spec->axes; ++i) {
        const int rest = spec->axes - i;
        order[i] = left[number % rest];
        left[number % rest] = left[rest - 1];
        number /= rest;
    }
}

/* Small numbers, which have an opposite in every type that has opposites. */
static int number_at(int direction, ptrdiff_t place)
{
    return (int)((place * 7 + direction * 3) % 101) + 1;
}

/* Sets one of the numbers of a point; returns its size. */
static size_t set_one(const char *type, unsigned char *at, int value)
{
    if (strcmp(type, "double") == 0) {
        memcpy(at, &(double){value}, sizeof(double));
        return sizeof(double);
    }
    if (strcmp(type, "float") == 0 || strcmp(type, "hx_complex64") == 0) {
        memcpy(at, &(float){(float)value}, sizeof(float));
        return sizeof(float);
    }
    if (strcmp(type, "int") == 0) {
        memcpy(at, &value, sizeof value);
        return sizeof value;
    }
    printf("this test knows no numbers of type %s\n", type);
    exit(2);
}

/* All numbers of a point: its components, real and imaginary parts. */
static void set_point(const block *b, unsigned char *point, int number)
{
    for (size_t at = 0, c = 1; at < b->bytes; ++c) {
        at += set_one(b->field->type, point + at, number * (int)c);
    }
}

/* What a direction is fed from: its points in an orientation, one after the other in memory. */
static unsigned char *turned_source(const block *b, int direction, int orientation, int sign, hx_pull *pull)
{
    const ptrdiff_t nowhere[HX_MAX_AXES] = {0};
    const side s = side_of(b, direction, nowhere);
    int order[HX_MAX_AXES];
    int sense[HX_MAX_AXES];
    orientation_of(orientation, order, sense);
    ptrdiff_t count = 1;
    ptrdiff_t first = 0;
    for (int i = 0; i < spec->axes; ++i) {
        const int a = order[i];
        pull->stride[a] = sense[a] * count;
        first += sense[a] < 0 ? (s.n[a] - 1) * count : 0;
        count *= s.n[a];
    }
    unsigned char *source = calloc((size_t)count + 1, b->bytes);
    if (!source) {
        exit(2);
    }
    for (ptrdiff_t place = 0; place < count; ++place) {
        set_point(b, source + (size_t)place * b->bytes, number_at(direction, place));
    }
    pull->from = count > 0 ? source + (size_t)first * b->bytes : NULL;
    pull->sign = sign;
    return source;
}

/* The number that a ghost point gets: where it lies in its source, by the axes' order there. */
static int number_for(const block *b, int direction, int orientation, int sign, const ptrdiff_t point[])
{
    const side s = side_of(b, direction, point);
    int order[HX_MAX_AXES];
    int sense[HX_MAX_AXES];
    orientation_of(orientation, order, sense);
    ptrdiff_t place = 0;
    for (int i = spec->axes - 1; i >= 0; --i) {
        const int a = order[i];
        place = place * s.n[a] + (sense[a] > 0 ? s.inside[a] : s.n[a] - 1 - s.inside[a]);
    }
    return sign * number_at(direction, place);
}

/* An orientation and a sign for each direction, different in each try. */
static int orientation_in(int try, int direction)
{
    return try * 7 + direction * 5;
}

static int sign_in(int try, int direction)
{
    return (try + direction) % 3 == 0 ? -1 : 1;
}

static void try_turned(const hx_exchange *exchange, const hx_exchange_field *item, int try)
{
    block b = new_block(item);
    hx_pull pull[DIRECTIONS];
    unsigned char *source[DIRECTIONS];
    int directions = 1;
    for (int a = 0; a < spec->axes; ++a) {
        directions *= 3;
    }
    for (int d = 0; d < directions; ++d) {
        source[d] = turned_source(&b, d, orientation_in(try, d), sign_in(try, d), &pull[d]);
        pull[d].from = d == directions / 2 ? NULL : pull[d].from;
    }
    item->kernels->sweep(b.points, &b.shell, pull);
    ptrdiff_t point[HX_MAX_AXES];
    first_point(&b, point);
    unsigned char *wanted = calloc(1, b.bytes);
    int bad = 0;
    do {
        const int d = direction_of(&b, point);
        if (wanted && within(&b, point) && !owned(&b, point)) {
            set_point(&b, wanted, number_for(&b, d, orientation_in(try, d), sign_in(try, d), point));
            bad += memcmp(b.points + (size_t)index_of(&b, point) * b.bytes, wanted, b.bytes) != 0;
        }
    } while (next_point(&b, point));
    for (int d = 0; d < directions; ++d) {
        free(source[d]);
    }
    free(wanted);
    free(b.points);
    judge(exchange, &b, bad);
}

int main(void)
{
    enum { TRIES = 96 };
    for (int e = 0; e < spec->exchanges; ++e) {
        const hx_exchange *exchange = &spec->exchange[e];
        for (int f = 0; f < exchange->fields; ++f) {
            const hx_exchange_field *item = &exchange->field[f];
            for (unsigned off = 0; off < 5 && item->kernels->sweep; ++off) {
                try_item(exchange, item, off);
            }
            for (int try = 0; try < TRIES && item->kernels->sweep; ++try) {
                try_turned(exchange, item, try);
            }
        }
    }
    printf("%d sweeps, %d failed\n", swept, failed);
    return failed > 0 || swept == 0;
}
