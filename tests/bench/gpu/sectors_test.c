/*
 * Sectors are those that are found when each element of an array is looked at.
 *
 * usage: gpu_sectors
 */
#include "gpu.h"

#include <stdlib.h>
#include <string.h>

enum { ELEMENTS = 4 }; /* of a sector */

/* What a cell is, by its coordinates, which count from the first ghost cell. */
static void classify(const extents *s, const int at[3], bool *owned, bool *sent)
{
    *owned = true;
    *sent = false;
    for (int a = 0; a < 3; ++a) {
        const int cell = at[a] - s->h;
        *owned = *owned && cell >= 0 && cell < s->n;
        *sent = *sent || cell < s->h || cell >= s->n - s->h;
    }
    *sent = *sent && *owned;
}

static floors look(const extents *s)
{
    const int wide = s->n + 2 * s->h;
    const size_t cells = (size_t)wide * (size_t)wide * (size_t)wide;
    const size_t sectors = (cells + ELEMENTS - 1) / ELEMENTS;
    unsigned char *sent_in = allocate(sectors, 1);
    unsigned char *ghosts_in = allocate(sectors, 1);
    double ghosts = 0;
    for (size_t i = 0; i < cells; ++i) {
        const int number = (int)i;
        const int at[3] = {number / wide / wide, number / wide % wide, number % wide};
        bool owned = false;
        bool sent = false;
        classify(s, at, &owned, &sent);
        sent_in[i / ELEMENTS] |= sent;
        ghosts_in[i / ELEMENTS] = (unsigned char)(ghosts_in[i / ELEMENTS] + !owned);
        ghosts += !owned;
    }
    double reads = 0;
    double writes = 0;
    for (size_t i = 0; i < sectors; ++i) {
        reads += sent_in[i] ? 32 : 0;
        writes += ghosts_in[i] == ELEMENTS ? 32 : ghosts_in[i] > 0 ? 64 : 0;
    }
    free(sent_in);
    free(ghosts_in);
    return (floors){s->fields * (reads + 8 * ghosts), s->fields * (writes + 8 * ghosts),
                    s->fields * (reads + writes)};
}

int main(void)
{
    static const extents shapes[] = {{1, 1, 1},  {2, 1, 1},  {3, 2, 2},  {3, 3, 1},   {5, 3, 1},  {8, 1, 8},
                                     {16, 3, 8}, {17, 2, 4}, {37, 3, 1}, {128, 3, 1}, {64, 1, 8}, {96, 4, 2}};
    int failures = 0;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; ++i) {
        const extents *s = &shapes[i];
        const floors expected = look(s);
        const floors counted = floors_of(s);
        if (expected.pack != counted.pack || expected.unpack != counted.unpack ||
            expected.direct != counted.direct) {
            printf(
                "FAIL (%d, %d, %d): pack %.0f, unpack %.0f, direct %.0f bytes, expected %.0f, %.0f, %.0f\n",
                s->n, s->h, s->fields, counted.pack, counted.unpack, counted.direct, expected.pack,
                expected.unpack, expected.direct);
            ++failures;
        }
    }
    printf("%zu shapes, %d failed\n", sizeof shapes / sizeof *shapes, failures);
    return failures > 0;
}
