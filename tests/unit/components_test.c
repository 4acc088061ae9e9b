/*
 * Exchanges of fields with components, and of fields at all positions, on 1 to 4 ranks: every ghost element
 * that has a source gets its value, every other stays as it was.  The oracle knows positions, directions and
 * periodicity.
 */
#include "harness.h"
#include "sample.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { UNTOUCHED = -77 };

static sample s;

/* A different number for each component of each point of the grid; both faces of a periodic joint are one
 * point. */
static double value_of(const sample_element *e)
{
    double value = 0.0;
    for (int a = 0; a < s.spec.axes; ++a) {
        const int cells = s.partition.cells[a];
        const int place = s.shape[e->block].part.first[a] + e->index[a];
        const bool wraps = s.spec.periodic[a];
        if (!wraps && (place < 0 || place >= cells + s.positions[e->field].extra[a])) {
            return UNTOUCHED;
        }
        value = value * 100 + (wraps ? (place % cells + cells) % cells : place);
    }
    return value * 10 + e->component + 1;
}

static int is_owned(const sample_element *e)
{
    return !e->direction[0] && !e->direction[1] && !e->direction[2];
}

static void fill(sample *unused, const sample_element *e, void *context)
{
    (void)unused;
    (void)context;
    *e->value = is_owned(e) ? value_of(e) : UNTOUCHED;
}

typedef struct verdict {
    int exchange;
    int wrong;
} verdict;

static void check(sample *unused, const sample_element *e, void *context)
{
    (void)unused;
    verdict *v = context;
    const int sides = abs(e->direction[0]) + abs(e->direction[1]) + abs(e->direction[2]);
    const bool starry = sides == 1 && (e->field == SAMPLE_P || e->field == SAMPLE_F);
    const bool travels =
        v->exchange == SAMPLE_STAR ? starry : sample_travels(&s, e->field, e->component, e->direction);
    v->wrong += *e->value != (is_owned(e) || travels ? value_of(e) : UNTOUCHED);
}

static void run(hx_handle *handle, int exchange)
{
    sample_visit(&s, -1, fill, NULL);
    for (int round = 0; round < 2; ++round) {
        expect_ok(hx_start(handle, exchange, s.fields));
        expect_ok(hx_finish(handle, exchange));
        verdict v = {exchange, 0};
        sample_visit(&s, -1, check, &v);
        expect(v.wrong == 0);
    }
}

/* Links say how many components travel, and bytes of messages count them. */
static void check_links(hx_handle *handle)
{
    static hx_link link[100000];
    int count = 0;
    expect_ok(hx_links(handle, SAMPLE_COPY, NULL, &count));
    expect(count <= 100000);
    expect_ok(hx_links(handle, SAMPLE_COPY, link, &count));
    size_t within = 0;
    for (int i = 0; i < count; ++i) {
        const hx_field *field = &s.field[link[i].field];
        int components = 0;
        for (int c = 0; c < (field->components ? field->components : 1); ++c) {
            components += sample_travels(&s, link[i].field, c, link[i].direction);
        }
        expect(link[i].components == components && components > 0);
        size_t points = 1;
        for (int a = 0; a < s.spec.axes; ++a) {
            points *= (size_t)(link[i].hi[a] - link[i].lo[a]);
        }
        within += link[i].peer == harness_rank ? points * (size_t)components * sizeof(double) : 0;
    }
    hx_traffic traffic;
    expect_ok(hx_traffic_of(handle, SAMPLE_COPY, &traffic));
    expect(traffic.bytes_copied == within);
}

static void test(const int cells[], const int parts[], const char *transport, int check_mode)
{
    hx_options options = HX_OPTIONS_INIT;
    options.transport = transport;
    options.check = check_mode;
    options.deadline = 60.0;
    hx_handle *handle = NULL;
    sample_divide(&s, cells, parts, harness_ranks);
    expect_ok(sample_create(&s, &options, &handle));
    if (handle) {
        run(handle, SAMPLE_COPY);
        run(handle, SAMPLE_STAR);
        check_links(handle);
        hx_traffic traffic;
        expect_ok(hx_traffic_of(handle, SAMPLE_COPY, &traffic));
        const bool moves = traffic.peers > 0 || traffic.bytes_copied > 0;
        expect(moves == (strstr(hx_describe(handle), "of some components") != NULL));
    }
    expect_ok(hx_destroy(handle));
    sample_release(&s);
}

static const int cuttings[][SAMPLE_AXES] = {{1, 1, 1}, {2, 1, 3}, {4, 2, 1}, {2, 2, 2}};
static const char *const transports[] = {"persistent", "p2p", "neighbor", "shared", "mixed"};
enum { TRANSPORTS = sizeof transports / sizeof transports[0] };

int main(int argc, char **argv)
{
    harness_begin(&argc, &argv);
    for (int axes = 1; axes <= SAMPLE_AXES; ++axes) {
        for (int mask = 0; mask < 1 << axes; ++mask) {
            sample_make(&s, axes, mask);
            for (int size = 1; size <= 7; size += size < 4 ? 1 : 3) {
                const int cells[] = {size, size + harness_ranks - 1, 3};
                for (int i = 0; i < 4; ++i) {
                    test(cells, cuttings[i], transports[(size + i) % TRANSPORTS], i > 2);
                }
            }
        }
    }
    return harness_end();
}
