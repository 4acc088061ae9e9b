/*
 * Cycles: one exchange serves several, and the bits are those of one array that has the whole grid.
 *
 *     cycles [far | nowhere | clock]
 *
 * far: a step reads one point farther than the spec says.  The program then ends with 0 if the audit says so
 * (HX_AUDIT=1), or if poison gets into owned points (HX_POISON=1), with any number of cycles.
 * nowhere: another test, of calls that are refused.
 * clock: another one, on 2 ranks, of the number of cycles that is chosen, by a clock that the test puts on.
 *
 * The grid is computed twice: here in arrays of the whole, with indices modulo the extent and nothing beyond
 * walls, and by blocks, where emitted functions say which points.  Numbers are hashes of all that a point reads,
 * in an order that matters, so that one wrong point shows.
 *
 * While cycles go the last rank gets no memory of libhx, also where they are audited (HX_AUDIT=1): it would not start an
 * exchange that the others start.  The program is linked with -Wl,--wrap=hxi_memory_get and -Wl,--wrap=hxi_clock.
 */
#include "check.h"
#include "march.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NX = 14, NY = 23, CYCLES = 31, MOST = 5, MOST_BLOCKS = 16 };

static const uint64_t NOTHING = 77; /* beyond walls */
static const uint64_t DIGEST = UINT64_C(0x4c1ce91244caa050), SUM = UINT64_C(0x880291bbde17a0c4);

typedef struct whole {
    uint64_t h[NX][NY];
    uint64_t q[NX][NY]; /* face NX is face 0 */
} whole;

typedef struct world {
    int rank;
    int ranks;
    int far; /* how much farther than the spec says the second step reads */
    int blocks;
    hx_partition partition;
    march_shape shape[MOST_BLOCKS];
    march_fields fields[MOST_BLOCKS];
    march *halo;
} world;

static bool poor; /* there is no memory */

void *__real_hxi_memory_get(size_t count, size_t size, const char *purpose);
void *__wrap_hxi_memory_get(size_t count, size_t size, const char *purpose);

void *__wrap_hxi_memory_get(size_t count, size_t size, const char *purpose)
{
    return __real_hxi_memory_get(poor ? SIZE_MAX : count, size, purpose);
}

static double at_clock; /* what it says; 0: the time */

double __real_hxi_clock(void);
double __wrap_hxi_clock(void);

double __wrap_hxi_clock(void)
{
    return at_clock > 0.0 ? at_clock : __real_hxi_clock();
}

static uint64_t mix(uint64_t a, uint64_t b)
{
    a = (a ^ b) * UINT64_C(0x9e3779b97f4a7c15);
    return a ^ a >> 29;
}

static uint64_t first_h(int x, int y)
{
    return mix((uint64_t)x * 1000 + (uint64_t)y, 1);
}

static uint64_t first_q(int x, int y)
{
    return mix((uint64_t)x * 1000 + (uint64_t)y, 2);
}

static int modulo(int x)
{
    return (x % NX + NX) % NX;
}

/* ---- the whole grid in one array ----------------------------------------------------------------------- */

static uint64_t whole_h(const whole *w, int x, int y)
{
    return y < 0 || y >= NY ? NOTHING : w->h[modulo(x)][y];
}

static uint64_t whole_q(const whole *w, int x, int y)
{
    return y < 0 || y >= NY ? NOTHING : w->q[modulo(x)][y];
}

static void march_whole(whole *w, int far)
{
    static whole next;
    for (int x = 0; x < NX; ++x) {
        for (int y = 0; y < NY; ++y) {
            uint64_t sum = w->q[x][y];
            for (int dx = -1; dx <= 0; ++dx) {
                for (int dy = -1; dy <= 1; ++dy) {
                    sum = mix(sum, whole_h(w, x + dx, y + dy));
                }
            }
            next.q[x][y] = sum;
        }
    }
    memcpy(w->q, next.q, sizeof w->q);
    for (int x = 0; x < NX; ++x) {
        for (int y = 0; y < NY; ++y) {
            uint64_t sum = mix(w->h[x][y], whole_q(w, x + 1, y));
            for (int dy = -2 - far; dy <= 0; ++dy) {
                sum = mix(sum, whole_q(w, x, y + dy));
            }
            next.h[x][y] = sum;
        }
    }
    memcpy(w->h, next.h, sizeof w->h);
}

/* Programs in other languages compute the same, and have the same number: see DIGEST. */
static uint64_t digest(const whole *w)
{
    uint64_t so_far = 0;
    for (int x = 0; x < NX; ++x) {
        for (int y = 0; y < NY; ++y) {
            so_far = mix(mix(so_far, w->h[x][y]), w->q[x][y]);
        }
    }
    return so_far;
}

/* The same, as a sum: ranks of programs that have no whole grid add up theirs. */
static uint64_t sum_of(const whole *w)
{
    uint64_t sum = 0;
    for (int x = 0; x < NX; ++x) {
        for (int y = 0; y < NY; ++y) {
            sum += mix(mix((uint64_t)(x * NY + y), w->h[x][y]), w->q[x][y]);
        }
    }
    return sum;
}

/* ---- by blocks ----------------------------------------------------------------------------------------- */

/* A point of a field; y in the block.  Beyond walls there is nothing. */
static uint64_t block_h(const world *w, int b, int x, int y)
{
    const int there = w->shape[b].part.first[1] + y;
    return there < 0 || there >= NY ? NOTHING : w->fields[b].h[march_h_at(&w->shape[b], x, y)];
}

static uint64_t block_q(const world *w, int b, int x, int y)
{
    const int there = w->shape[b].part.first[1] + y;
    return there < 0 || there >= NY ? NOTHING : w->fields[b].q[march_q_at(&w->shape[b], x, y)];
}

static void slope(world *w, int b)
{
    const hx_boxes points = march_advance_slope_points(w->halo, b, MARCH_Q);
    const hx_box *box = &points.box[0];
    CHECK(points.count == 1, "%d boxes", points.count);
    for (int x = box->lo[0]; x < box->hi[0]; ++x) {
        for (int y = box->lo[1]; y < box->hi[1]; ++y) {
            uint64_t *q = &w->fields[b].q[march_q_at(&w->shape[b], x, y)];
            for (int dx = -1; dx <= 0; ++dx) {
                for (int dy = -1; dy <= 1; ++dy) {
                    *q = mix(*q, block_h(w, b, x + dx, y + dy));
                }
            }
        }
    }
}

static void height(world *w, int b)
{
    const hx_boxes points = march_advance_height_points(w->halo, b, MARCH_H);
    const hx_box *box = &points.box[0];
    CHECK(points.count == 1, "%d boxes", points.count);
    for (int x = box->lo[0]; x < box->hi[0]; ++x) {
        for (int y = box->lo[1]; y < box->hi[1]; ++y) {
            uint64_t *h = &w->fields[b].h[march_h_at(&w->shape[b], x, y)];
            *h = mix(*h, block_q(w, b, x + 1, y));
            for (int dy = -2 - w->far; dy <= 0; ++dy) {
                *h = mix(*h, block_q(w, b, x, y + dy));
            }
        }
    }
}

static void make_blocks(world *w, int parts_x, int parts_y)
{
    hx_blocks blocks = {.comm = MPI_COMM_WORLD, .tiles = 1, .partition = &w->partition};
    int owners[MOST_BLOCKS];
    w->partition = march_partition(NX, NY);
    w->partition.ranks[0] = parts_x;
    w->partition.ranks[1] = parts_y;
    w->blocks = 0;
    for (int b = 0; b < parts_x * parts_y; ++b) {
        owners[b] = b % w->ranks;
        if (owners[b] == w->rank) {
            hx_part part;
            CHECK_STATUS(hx_part_of(&w->partition, 0, b, &part), HX_OK);
            w->shape[w->blocks++] = march_shape_dense(&part);
        }
    }
    blocks.count = w->blocks;
    blocks.owners = owners;
    CHECK_STATUS(march_create_blocks(&blocks, w->shape, NULL, &w->halo), HX_OK);
    CHECK_STATUS(march_alloc(w->halo, w->fields), HX_OK);
    for (int b = 0; b < w->blocks; ++b) {
        const hx_part *part = &w->shape[b].part;
        for (int x = 0; x <= part->n[0]; ++x) {
            for (int y = 0; y < part->n[1]; ++y) {
                const int there = part->first[1] + y;
                w->fields[b].q[march_q_at(&w->shape[b], x, y)] = first_q(modulo(part->first[0] + x), there);
                if (x < part->n[0]) {
                    w->fields[b].h[march_h_at(&w->shape[b], x, y)] = first_h(part->first[0] + x, there);
                }
            }
        }
    }
}

/* Owned points that are not those of the whole. */
static int wrong_points(const world *w, const whole *all)
{
    int wrong = 0;
    for (int b = 0; b < w->blocks; ++b) {
        const hx_part *part = &w->shape[b].part;
        for (int x = 0; x <= part->n[0]; ++x) {
            for (int y = 0; y < part->n[1]; ++y) {
                wrong += block_q(w, b, x, y) != whole_q(all, part->first[0] + x, part->first[1] + y);
                wrong += x < part->n[0] &&
                         block_h(w, b, x, y) != whole_h(all, part->first[0] + x, part->first[1] + y);
            }
        }
    }
    return wrong;
}

/* ---- tests --------------------------------------------------------------------------------------------- */

/* How many exchanges went, if none was only for an audit. */
static void check_exchanges(const world *w, int every)
{
    hx_traffic traffic;
    CHECK_STATUS(march_traffic(w->halo, MARCH_STATE, &traffic), HX_OK);
    const char *audit = getenv("HX_AUDIT");
    if (every > 0 && !(audit && audit[0] == '1')) {
        CHECK(traffic.exchanges == (uint64_t)((CYCLES + every - 1) / every), "%d exchanges",
              (int)traffic.exchanges);
    }
}

/* Start copies the pointers: what they lie in is another thing's between start and finish. */
static hx_status advance(const world *w)
{
    march_fields given[MOST_BLOCKS];
    memcpy(given, w->fields, sizeof given);
    const hx_status status = march_advance_start(w->halo, given);
    memset(given, 0, sizeof given);
    return status == HX_OK ? march_advance_finish(w->halo) : status;
}

/* Returns the cycles that were done before an audit found something: CYCLES if none did.  *wrong: of all ranks. */
static int run(world *w, int parts_x, int parts_y, int *wrong)
{
    static whole all;
    int done = 0;
    make_blocks(w, parts_x, parts_y);
    for (int x = 0; x < NX; ++x) {
        for (int y = 0; y < NY; ++y) {
            all.h[x][y] = first_h(x, y);
            all.q[x][y] = first_q(x, y);
        }
    }
    int here = 0;
    poor = w->ranks > 1 && w->rank == w->ranks - 1;
    for (int c = 0, good = 1; c < CYCLES && good; ++c) {
        int fine = advance(w) == HX_OK;
        CHECK(fine || hx_last_status() == HX_ERR_MISMATCH, "%s", hx_last_error());
        MPI_Allreduce(&fine, &good, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
        for (int b = 0; b < w->blocks && good; ++b) {
            slope(w, b);
            height(w, b);
        }
        march_whole(&all, w->far);
        here += good ? wrong_points(w, &all) : 0;
        done += good;
    }
    poor = false;
    CHECK(w->far > 0 || digest(&all) == DIGEST, "the digest is 0x%llx", (unsigned long long)digest(&all));
    CHECK(w->far > 0 || sum_of(&all) == SUM, "the sum is 0x%llx", (unsigned long long)sum_of(&all));
    MPI_Allreduce(&here, wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    return done;
}

static void end(world *w)
{
    CHECK_STATUS(march_free(w->halo, w->fields), HX_OK);
    CHECK_STATUS(march_destroy(w->halo), HX_OK);
}

static void set_cycles(int every)
{
    char text[8];
    snprintf(text, sizeof text, "%d", every);
    setenv("HX_CYCLES", text, 1);
}

/* served: 0: whether the first cycles are still measured, hangs on how many there were. */
static void check_json(world *w, int served)
{
    char told[96];
    const char *json = march_describe_json(w->halo);
    const char *cycle = strstr(json, "\"cycles\": [{\"name\": \"advance\",");
    snprintf(told, sizeof told,
             "\"exchange\": 0, \"most\": %d, \"serves\": %d, \"by\": \"option cycles\", \"measured\": []",
             MOST, served);
    const bool chosen =
        cycle &&
        strstr(cycle, "\"by\": \"what was measured\", \"measured\": [{\"cycles\": 1, \"seconds\": 0.0");
    const bool measured = cycle && strstr(cycle, "\"serves\": 0, \"by\": null, \"measured\": []");
    CHECK(cycle && (served > 0 ? strstr(cycle, told) != NULL : chosen || measured), "%s", json);
}

static void test_right(world *w)
{
    static const int parts[][2] = {{1, 1}, {2, 1}, {1, 3}, {3, 4}};
    for (int p = 0; p < (int)(sizeof parts / sizeof parts[0]); ++p) {
        if (parts[p][0] * parts[p][1] < w->ranks && p > 0) {
            continue;
        }
        for (int every = 0; every <= MOST + 1; ++every) {
            int wrong = 0;
            set_cycles(every);
            check_about("%d by %d blocks, %d cycles an exchange", parts[p][0], parts[p][1], every);
            CHECK(run(w, parts[p][0], parts[p][1], &wrong) == CYCLES, "%s", hx_last_error());
            CHECK(wrong == 0, "%d points are wrong", wrong);
            char told[64];
            const int served = every > MOST ? MOST : every;
            check_exchanges(w, served);
            snprintf(told, sizeof told, every == 0 ? "serves " : "serves %d of at most %d cycles, by option",
                     served, MOST);
            CHECK(strstr(march_describe(w->halo), told) != NULL, "%s", march_describe(w->halo));
            check_json(w, served);
            end(w);
        }
    }
}

/* As of an exchange: what was not started, or was finished. */
static void refuse_finish(const world *w)
{
    CHECK_REFUSED(MPI_COMM_WORLD, march_advance_finish(w->halo), HX_ERR_STATE,
                  "cycle \"advance\" was finished on rank ");
    CHECK(strstr(hx_last_error(), " without having been started; start it first.") != NULL, "%s",
          hx_last_error());
}

/* A start in which an audit found something began no cycle that is to be finished; the next one may start. */
static void go_on(const world *w)
{
    refuse_finish(w);
    const hx_status status = march_advance_start(w->halo, w->fields);
    CHECK(status == HX_OK || status == HX_ERR_MISMATCH, "%s", hx_last_error());
    if (status == HX_OK) {
        CHECK_STATUS(march_advance_finish(w->halo), HX_OK);
    }
}

/* An audit compares what cycles behind the first begin with; poison lies farther out from the first on. */
static void test_far(world *w)
{
    const char *audit = getenv("HX_AUDIT");
    const bool audited = audit && audit[0] == '1';
    w->far = 1;
    for (int every = audited ? 2 : 1; every <= MOST; ++every) {
        int wrong = 0;
        set_cycles(every);
        const int done = run(w, 2, 3, &wrong);
        check_about("%d cycles an exchange", every);
        CHECK(audited ? done < CYCLES : wrong > 0, "nobody saw it");
        if (audited && w->rank == 0 && hx_last_status() == HX_ERR_MISMATCH) {
            CHECK(strstr(hx_last_error(), "reads farther than the spec says") != NULL, "%s", hx_last_error());
        }
        if (audited) {
            go_on(w);
        }
        end(w);
    }
}

static void test_refused(world *w)
{
    march_fields none = {NULL, NULL};
    make_blocks(w, 2, 2);
    CHECK(march_advance_slope_points(w->halo, 0, MARCH_Q).count == 0, "%s",
          hx_last_error()); /* no cycle goes on */
    CHECK(march_advance_slope_points(NULL, 0, MARCH_Q).count == 0, "%s", hx_last_error());
    CHECK(march_advance(NULL, w->fields) == HX_ERR_ARGUMENT, "%s", hx_last_error());
    refuse_finish(w); /* nor was one started */
    CHECK_STATUS(march_advance_start(w->halo, w->fields), HX_OK);
    CHECK(march_advance_start(w->halo, w->fields) == HX_ERR_STATE, "%s", hx_last_error());
    CHECK_STATUS(march_advance_finish(w->halo), HX_OK);
    refuse_finish(w);
    CHECK(march_advance_slope_points(w->halo, w->blocks, MARCH_Q).count == 0, "%s", hx_last_error());
    CHECK(march_advance_slope_points(w->halo, 0, MARCH_FIELDS).count == 0, "%s", hx_last_error());
    CHECK_STATUS(march_advance_restart(w->halo), HX_OK);
    CHECK(w->blocks == 0 || march_advance(w->halo, &none) == HX_ERR_ARGUMENT, "%s", hx_last_error());
    CHECK_STATUS(march_advance(w->halo, w->fields), HX_OK); /* an exchange again */
    hx_traffic traffic;
    CHECK_STATUS(march_traffic(w->halo, MARCH_STATE, &traffic), HX_OK);
    CHECK(traffic.exchanges == 2, "%s", hx_last_error());
    /* Where no exchange is due what is refused counts as no cycle, either: the next but one exchanges. */
    CHECK(w->blocks == 0 || march_advance(w->halo, &none) == HX_ERR_ARGUMENT, "%s", hx_last_error());
    CHECK(w->blocks == 0 || march_advance(w->halo, NULL) == HX_ERR_ARGUMENT, "%s", hx_last_error());
    for (uint64_t exchanges = 2; exchanges < 4; ++exchanges) {
        CHECK_STATUS(march_advance_start(w->halo, w->fields), HX_OK);
        CHECK(march_advance_start(w->halo, w->fields) == HX_ERR_STATE, "%s", hx_last_error());
        CHECK_STATUS(march_advance_finish(w->halo), HX_OK);
        refuse_finish(w); /* also of a cycle without an exchange */
        CHECK_STATUS(march_traffic(w->halo, MARCH_STATE, &traffic), HX_OK);
        CHECK(traffic.exchanges == exchanges, "%d exchanges", (int)traffic.exchanges);
    }
    end(w);
    hx_options options = HX_OPTIONS_INIT;
    options.cycles = -1;
    hx_partition partition = march_partition(NX, NY);
    hx_part part;
    CHECK_STATUS(hx_decompose(MPI_COMM_WORLD, &partition, &part), HX_OK);
    const march_shape shape = march_shape_dense(&part);
    unsetenv("HX_CYCLES");
    CHECK(march_create(MPI_COMM_WORLD, &shape, &options, &w->halo) == HX_ERR_ARGUMENT, "%s", hx_last_error());
}

/* ---- what is chosen ------------------------------------------------------------------------------------ */

enum {
    TRIED = 4,
    TRIES = 5
}; /* 1 to 4 cycles, each so often; five have no try, since the next after 4 is 6 */

/* Microseconds of a cycle by the number of cycles that an exchange serves, on rank 0 and on the others. */
typedef struct figures {
    const char *what;
    double first[TRIED], others[TRIED];
    int best;
} figures;

/* What an exchange and its cycles take, in the order in which they are tried; all but one try of each take longer. */
static void measure_all(world *w, const double microseconds[TRIED])
{
    for (int t = 0; t < TRIES; ++t) {
        for (int k = 1; k <= TRIED; ++k) {
            for (int c = 0; c < k; ++c) {
                CHECK_STATUS(advance(w), HX_OK);
                at_clock += 1e-6 * microseconds[k - 1] * (t == (k + 1) % TRIES ? 1.0 : 1.5);
            }
        }
    }
    CHECK_STATUS(advance(w), HX_OK);
}

static void test_clock(world *w)
{
    static const figures all[] = {
        {"one rank as the other", {9.0, 7.0, 5.0, 6.0}, {9.0, 7.0, 5.0, 6.0}, 3},
        {"the slowest rank counts", {9.0, 7.0, 5.0, 6.0}, {9.0, 8.0, 9.0, 6.5}, 4},
        {"of equals the least", {5.0, 5.0, 5.0, 5.0}, {5.0, 5.0, 5.0, 5.0}, 1},
    };
    unsetenv("HX_CYCLES");
    for (size_t i = 0; i < sizeof all / sizeof *all; ++i) {
        char words[96];
        check_about("%s", all[i].what);
        at_clock = 1000.0;
        make_blocks(w, 2, 1);
        measure_all(w, w->rank == 0 ? all[i].first : all[i].others);
        snprintf(words, sizeof words, "serves %d of at most %d cycles, by what was measured", all[i].best,
                 MOST);
        CHECK(strstr(march_describe(w->halo), words) != NULL, "%s", march_describe(w->halo));
        for (int k = 1; k <= TRIED; ++k) {
            const double here = all[i].first[k - 1], there = all[i].others[k - 1];
            snprintf(words, sizeof words, "\n    %d: %.1f us for a cycle, on the slowest rank\n", k,
                     w->ranks > 1 && there > here ? there : here);
            CHECK(strstr(march_describe(w->halo), words) != NULL, "%s: %s", words, march_describe(w->halo));
        }
        end(w);
    }
    at_clock = 0.0;
}

int main(int argc, char **argv)
{
    world w = {.far = 0};
    setenv("HX_DEADLINE", "30", 0);
    check_init(&argc, &argv, MPI_THREAD_SINGLE);
    MPI_Comm_rank(MPI_COMM_WORLD, &w.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &w.ranks);
    if (argc > 1 && strcmp(argv[1], "far") == 0) {
        test_far(&w);
    } else if (argc > 1 && strcmp(argv[1], "clock") == 0) {
        test_clock(&w);
    } else if (argc > 1) {
        test_refused(&w);
    } else {
        test_right(&w);
    }
    return check_verdict("cycles");
}
