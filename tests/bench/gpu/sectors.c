/*
 * What an exchange moves between the device and its memory at least.  Memory is moved in sectors of 32
 * bytes, so of each array that is read whole sectors are, whatever is needed of them, each once; of one that
 * is written, whole sectors, and those of which only a part is new are read before.  Messages lie densely.
 *
 *   pack    sectors with cells that are sent + message
 *   unpack  message + sectors with ghost cells + those of them that also have other cells
 *   direct  sectors with cells that are sent + sectors with ghost cells + those ... other cells
 *
 * Arrays begin at multiples of 32 bytes and are dense: rows follow each other, so a sector may belong to two
 * of them.
 */
#include "gpu.h"

enum { SECTOR = 32 / sizeof(double) }; /* elements */

/* Counts sectors of runs of elements that are given in ascending order. */
typedef struct counter {
    size_t sectors, parts; /* those with an element, those with less than SECTOR */
    size_t sector;         /* the last one so far, ... */
    size_t inside;         /* ... and how many of its elements */
} counter;

static void leave_sector(counter *c)
{
    c->sectors += c->inside > 0;
    c->parts += c->inside > 0 && c->inside < SECTOR;
    c->inside = 0;
}

static void add_run(counter *c, size_t from, size_t to)
{
    while (from < to) {
        const size_t sector = from / SECTOR;
        const size_t end = (sector + 1) * SECTOR < to ? (sector + 1) * SECTOR : to;
        if (sector != c->sector) {
            leave_sector(c);
        }
        c->sector = sector;
        c->inside += end - from;
        from = end;
    }
}

static bool is_owned(const extents *s, int i)
{
    return i >= s->h && i < s->h + s->n;
}

/* Is it among the cells that are sent along this axis? */
static bool is_rim(const extents *s, int i)
{
    return is_owned(s, i) && (i < 2 * s->h || i >= s->n);
}

/* Of a row across both slower axes, the cells that are sent. */
static void add_sent(counter *c, const extents *s, int x, int y, size_t row)
{
    const size_t n = (size_t)s->n;
    const size_t h = (size_t)s->h;
    if (!is_owned(s, x) || !is_owned(s, y)) {
        return;
    }
    if (is_rim(s, x) || is_rim(s, y) || n <= 2 * h) {
        add_run(c, row + h, row + h + n);
    } else {
        add_run(c, row + h, row + 2 * h);
        add_run(c, row + n, row + n + h);
    }
}

static void add_filled(counter *c, const extents *s, int x, int y, size_t row)
{
    const size_t n = (size_t)s->n;
    const size_t h = (size_t)s->h;
    if (is_owned(s, x) && is_owned(s, y)) {
        add_run(c, row, row + h);
        add_run(c, row + h + n, row + n + 2 * h);
    } else {
        add_run(c, row, row + n + 2 * h);
    }
}

floors floors_of(const extents *s)
{
    const int wide = s->n + 2 * s->h;
    counter sent = {0};
    counter filled = {0};
    for (int x = 0; x < wide; ++x) {
        for (int y = 0; y < wide; ++y) {
            const size_t row = ((size_t)x * (size_t)wide + (size_t)y) * (size_t)wide;
            add_sent(&sent, s, x, y, row);
            add_filled(&filled, s, x, y, row);
        }
    }
    leave_sector(&sent);
    leave_sector(&filled);
    double message = 0;
    for (int d = 0; d < DIRECTIONS; ++d) {
        const box b = box_sent(s, d);
        message += (double)(box_cells(&b) * sizeof(double));
    }
    const double bytes = SECTOR * sizeof(double);
    const double reads = bytes * (double)sent.sectors;
    const double writes = bytes * (double)(filled.sectors + filled.parts);
    return (floors){.pack = s->fields * (reads + message),
                    .unpack = s->fields * (message + writes),
                    .direct = s->fields * (reads + writes)};
}
