/*
 * The sweep kernels of one spec (SPEC, its name): the halo of a block that wraps around onto itself along all
 * axes, point by point, with any set of directions switched off.
 */
#include <hx/abi.h>

#include <stdio.h>
#include <stdlib.h>

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
        const int within_block = d == directions / 2;
        pull[d].from = within_block || (off != 0 && (unsigned)d % 5 == off)
                           ? NULL
                           : b->points + (size_t)index_of(b, first) * b->bytes;
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
    swept++;
    if (bad > 0) {
        failed++;
        printf("FAIL exchange %s, field %s: %d bytes are wrong\n", exchange->name, b.field->name, bad);
    }
}

int main(void)
{
    for (int e = 0; e < spec->exchanges; ++e) {
        const hx_exchange *exchange = &spec->exchange[e];
        for (int f = 0; f < exchange->fields; ++f) {
            for (unsigned off = 0; off < 5 && exchange->field[f].kernels->sweep; ++off) {
                try_item(exchange, &exchange->field[f], off);
            }
        }
    }
    printf("%d sweeps, %d failed\n", swept, failed);
    return failed > 0 || swept == 0;
}
