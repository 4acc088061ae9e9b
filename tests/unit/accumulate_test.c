/*
 * Exchanges that add, on 1 to 4 ranks: the exact transpose of the copying exchange; the same bits whichever
 * rank owns a block and however bytes travel; ghost points that were added are zero, all others as they were.
 */
#include "../exchange/carry.h"
#include "harness.h"
#include "sample.h"

#include <stdbool.h>
#include <string.h>

static sample s;

/* A number for each element of the grid's blocks, whoever owns them. */
static uint64_t scramble(const sample_element *e, uint64_t seed)
{
    uint64_t number = seed * 1000003 + (uint64_t)s.number[e->block];
    number = number * 31 + (uint64_t)e->field;
    number = number * 31 + (uint64_t)e->component;
    for (int a = 0; a < HX_MAX_AXES; ++a) {
        number = number * 1000003 + (uint64_t)(e->index[a] + 8);
    }
    number ^= number >> 31;
    number *= UINT64_C(0x9e3779b97f4a7c15);
    return number ^ number >> 29;
}

/* Sums of a few of these are exact. */
static double small(const sample_element *e, uint64_t seed)
{
    return (double)(scramble(e, seed) % 19) - 9.0;
}

/* Sums of a few of these depend on their order. */
static double fraction(const sample_element *e, uint64_t seed)
{
    return (double)(scramble(e, seed) % 1000003) / 1000.0;
}

typedef struct filling {
    double (*value)(const sample_element *e, uint64_t seed);
    uint64_t seed;
} filling;

static void fill(sample *unused, const sample_element *e, void *context)
{
    (void)unused;
    const filling *f = context;
    *e->value = f->value(e, f->seed);
}

/* Does an exchange claim a ghost element? */
static bool is_claimed(const sample_element *e)
{
    bool outside = false;
    for (int a = 0; a < s.spec.axes; ++a) {
        const int place = s.shape[e->block].part.first[a] + e->index[a];
        const int points = s.partition.cells[a] + s.positions[e->field].extra[a];
        outside = outside || e->direction[a] != 0;
        if (!s.spec.periodic[a] && (place < 0 || place >= points)) {
            return false;
        }
    }
    return outside && sample_travels(&s, e->field, e->component, e->direction);
}

typedef struct product {
    uint64_t seed;
    double sum;
} product;

static void multiply(sample *unused, const sample_element *e, void *context)
{
    (void)unused;
    product *p = context;
    p->sum += *e->value * small(e, p->seed);
}

static void check_ghosts(sample *unused, const sample_element *e, void *wrong)
{
    (void)unused;
    bool owned = true;
    for (int a = 0; a < s.spec.axes; ++a) {
        owned = owned && e->direction[a] == 0;
    }
    const double expected = is_claimed(e) ? 0.0 : small(e, 2);
    *(int *)wrong += !owned && *e->value != expected;
}

static bool by_hand; /* this test moves the messages */

static void run(hx_handle *handle, int exchange)
{
    expect_ok(hx_start(handle, exchange, s.fields));
    expect(!by_hand || carry(handle, exchange, MPI_COMM_WORLD) >= 0);
    expect_ok(hx_finish(handle, exchange));
}

/* <H x, y> for the exchange H of what seed x fills, and y. */
static double product_of(hx_handle *handle, int exchange, uint64_t x, uint64_t y)
{
    filling f = {small, x};
    sample_visit(&s, -1, fill, &f);
    run(handle, exchange);
    product p = {y, 0.0};
    sample_visit(&s, -1, multiply, &p);
    double all = 0.0;
    MPI_Allreduce(&p.sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return all;
}

static void test_transpose(hx_handle *handle)
{
    const double forward = product_of(handle, SAMPLE_COPY, 1, 2);
    const double back = product_of(handle, SAMPLE_ADD, 2, 1);
    expect(forward == back);
    int wrong = 0;
    sample_visit(&s, -1, check_ghosts, &wrong);
    expect(wrong == 0);
}

static void note_bits(sample *unused, const sample_element *e, void *context)
{
    (void)unused;
    uint64_t bits;
    memcpy(&bits, e->value, sizeof bits);
    *(uint64_t *)context += (bits ^ bits >> 17) * (scramble(e, 3) | 1);
}

/* A fingerprint of all elements after adding, twice. */
static uint64_t bits_of_sums(hx_handle *handle)
{
    filling f = {fraction, 4};
    sample_visit(&s, -1, fill, &f);
    run(handle, SAMPLE_ADD);
    run(handle, SAMPLE_ADD);
    uint64_t mine = 0;
    uint64_t all = 0;
    sample_visit(&s, -1, note_bits, &mine);
    MPI_Allreduce(&mine, &all, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    return all;
}

static const char *const transports[] = {"persistent", "p2p", "neighbor", "shared", "mixed", "manual"};

/* ranks: that own blocks. */
static uint64_t test(const int cells[], const int parts[], int ranks, int transport)
{
    hx_options options = HX_OPTIONS_INIT;
    options.transport = transports[transport];
    options.check = transport == 1;
    options.deadline = 60.0;
    by_hand = strcmp(options.transport, "manual") == 0;
    hx_handle *handle = NULL;
    uint64_t bits = 0;
    sample_divide(&s, cells, parts, ranks);
    expect_ok(sample_create(&s, &options, &handle));
    if (handle) {
        test_transpose(handle);
        bits = bits_of_sums(handle);
        hx_traffic traffic;
        expect_ok(hx_traffic_of(handle, SAMPLE_ADD, &traffic));
        const bool moves = traffic.peers > 0 || traffic.bytes_copied > 0;
        expect(moves == (strstr(hx_describe(handle), "adding: ") != NULL));
    }
    expect_ok(hx_destroy(handle));
    sample_release(&s);
    return bits;
}

/* Links say who receives: of what is added, the owner. */
static void test_links(void)
{
    static const int cells[] = {6, 5, 4};
    static const int parts[] = {4, 1, 1};
    hx_handle *handle = NULL;
    sample_divide(&s, cells, parts, harness_ranks);
    expect_ok(sample_create(&s, NULL, &handle));
    static hx_link copied[20000];
    static hx_link added[20000];
    int copies = 0;
    int adds = 0;
    expect_ok(hx_links(handle, SAMPLE_COPY, NULL, &copies));
    expect_ok(hx_links(handle, SAMPLE_ADD, NULL, &adds));
    expect(copies == adds && adds < 20000);
    expect_ok(hx_links(handle, SAMPLE_COPY, copied, &copies));
    expect_ok(hx_links(handle, SAMPLE_ADD, added, &adds));
    int in[2] = {0};
    int out[2] = {0};
    for (int i = 0; i < copies; ++i) {
        in[0] += copied[i].peer != harness_rank && copied[i].incoming;
        out[0] += copied[i].peer != harness_rank && !copied[i].incoming;
        in[1] += added[i].peer != harness_rank && added[i].incoming;
        out[1] += added[i].peer != harness_rank && !added[i].incoming;
        const bool mine = s.owner[added[i].source_block] == harness_rank;
        expect(added[i].incoming == mine);
    }
    expect(in[0] == out[1] && in[1] == out[0]);
    expect_ok(hx_destroy(handle));
    sample_release(&s);
}

static const int cuttings[][SAMPLE_AXES] = {{1, 1, 1}, {3, 1, 3}, {4, 2, 1}, {2, 2, 2}};

int main(int argc, char **argv)
{
    harness_begin(&argc, &argv);
    for (int axes = 1; axes <= SAMPLE_AXES; ++axes) {
        for (int mask = 0; mask < 1 << axes; ++mask) {
            sample_make(&s, axes, mask);
            for (int size = 1; size <= 4; size += size < 2 ? 1 : 2) {
                const int cells[] = {size, size + 1, 3};
                for (int i = 0; i < 4; ++i) {
                    const uint64_t bits = test(cells, cuttings[i], 1, 0);
                    const int transport = (size + i) % 4;
                    expect(test(cells, cuttings[i], harness_ranks, transport) == bits);
                    expect(test(cells, cuttings[i], harness_ranks, (transport + 1) % 4) == bits);
                }
            }
            test_links();
        }
    }
    return harness_end();
}
