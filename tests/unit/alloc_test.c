/*
 * Arrays of hx_alloc on 1 to 4 ranks, one of which has no blocks if there are several: where they lie, that
 * exchanges do with them what they do with others, pointers that change places, and what free refuses.
 */
#include "exchange/handle.h"
#include "harness.h"
#include "sample.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

typedef sample_fields set[SAMPLE_BLOCKS];

static sample s;
static hx_handle *handle;

static void begin_by(const int cells[], const int parts[], hx_options options)
{
    options.deadline = 30.0;
    sample_make(&s, SAMPLE_AXES, 1);
    sample_divide(&s, cells, parts, harness_ranks > 1 ? harness_ranks - 1 : 1);
    expect_ok(sample_create(&s, &options, &handle));
}

/* check: as the option; with it all is packed. */
static void begin_with(const int cells[], const int parts[], const char *schedule, int check)
{
    hx_options options = HX_OPTIONS_INIT;
    options.schedule = schedule;
    options.check = check;
    begin_by(cells, parts, options);
}

static void begin(const char *schedule)
{
    static const int cells[] = {6, 5, 4};
    static const int parts[] = {3, 2, 1};
    begin_with(cells, parts, schedule, 1);
}

static void end(void)
{
    expect_ok(hx_destroy(handle));
    sample_release(&s);
}

static bool is_empty_handed(void)
{
    return s.blocks == 0;
}

/* ---- where they lie ------------------------------------------------------------------------------------ */

static size_t bytes_of(int block, int field)
{
    return hx_points(&s.spec, &s.shape[block], field) * sizeof(double);
}

/* Every array is zeroed, starts on a cache line, and lies an odd number of lines behind the one before. */
static void check_places(set f)
{
    const unsigned char *before = NULL;
    for (int b = 0; b < s.blocks; ++b) {
        for (int i = 0; i < SAMPLE_FIELDS; ++i) {
            const unsigned char *array = (const unsigned char *)f[b].array[i];
            const size_t bytes = bytes_of(b, i);
            bool zero = true;
            for (size_t at = 0; at < bytes; ++at) {
                zero = zero && array[at] == 0;
            }
            expect(zero);
            expect((uintptr_t)array % 64 == 0);
            expect(!before || (array - before) / 64 % 2 == 1);
            before = array;
        }
    }
}

/* Bytes of one array show in no other: each is given a mark of its own first. */
static void check_apart(set f)
{
    for (int b = 0; b < s.blocks; ++b) {
        for (int i = 0; i < SAMPLE_FIELDS; ++i) {
            if (f[b].array[i]) {
                memset(f[b].array[i], b * SAMPLE_FIELDS + i + 1, bytes_of(b, i));
            }
        }
    }
    int wrong = 0;
    for (int b = 0; b < s.blocks; ++b) {
        for (int i = 0; i < SAMPLE_FIELDS; ++i) {
            const unsigned char *array = (const unsigned char *)f[b].array[i];
            for (size_t at = 0; array && at < bytes_of(b, i); ++at) {
                wrong += array[at] != b * SAMPLE_FIELDS + i + 1;
            }
        }
    }
    expect(wrong == 0);
}

static void test_places(void)
{
    begin("auto");
    set f = {0};
    expect_ok(hx_alloc(handle, is_empty_handed() ? NULL : f));
    check_places(f);
    check_apart(f);
    expect_ok(hx_free(handle, is_empty_handed() ? NULL : f));
    expect(!f[0].array[0] && !f[0].array[SAMPLE_A]);
    end();
}

/* Runs across the fastest axis are too short to go straight: nobody else has to reach these arrays. */
static void test_privacy(void)
{
    static const int cells[] = {6, 50, 40};
    static const int parts[] = {3, 1, 1};
    begin_with(cells, parts, "auto", 0);
    set f;
    expect_ok(hx_alloc(handle, f));
    expect(!handle->sets.first->memory.shared);
    expect_text(hx_describe(handle), "this rank's alone: in the node no message goes straight into an array");
    end();
}

static long page_faults(void)
{
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    return used.ru_minflt;
}

/* A team of one thread, which does all parts. */
static void count_faults(void *state, int threads, hx_team_work_fn *work, void *data)
{
    long *faults = state;
    const long before = page_faults();
    for (int thread = 0; thread < threads; ++thread) {
        work(data, thread, threads);
    }
    *faults += page_faults() - before;
}

/* Pages of arrays that are this rank's alone come where the team first writes them, and all have come then. */
static void test_first_touch(void)
{
    static const int cells[] = {6, 50, 40};
    static const int parts[] = {3, 1, 1};
    long faults = 0;
    const hx_team team = {count_faults, &faults};
    hx_options options = HX_OPTIONS_INIT;
    options.threads = 2;
    options.team = &team;
    begin_by(cells, parts, options);
    set f;
    expect_ok(hx_alloc(handle, f));
    expect(faults > 0 || is_empty_handed());
    const long before = page_faults();
    for (int b = 0; b < s.blocks; ++b) {
        for (int i = 0; i < SAMPLE_FIELDS; ++i) {
            memset(f[b].array[i], 1, hxi_block_bytes(&s.spec, &handle->mine.block[b], i)); /* no padding */
        }
    }
    expect(page_faults() - before <=
           2 * s.blocks * SAMPLE_FIELDS + 16); /* pages at the ends of parts, and MPI's */
    end();
}

/* The other ranks of the node find them, if they are told how far they lie from the beginning of a rank's
 * part. */
static void test_sharing(void)
{
    enum { FIELD = SAMPLE_G };
    static const int cells[] = {60, 6, 4};
    static const int parts[] = {1, 3, 1};
    begin_with(cells, parts, "auto", 0);
    set f;
    expect_ok(hx_alloc(handle, f));
    expect_text(hx_describe(handle), "in memory that the ranks of the node share");
    const hxi_set *known = handle->sets.first;
    expect(known->number == 1);
    uint64_t offset = is_empty_handed() ? UINT64_MAX : known->offset[FIELD], offsets[4] = {0};
    if (!is_empty_handed()) {
        f[0].array[FIELD][1] = 100.0 + harness_rank;
    }
    MPI_Allgather(&offset, 1, MPI_UINT64_T, offsets, 1, MPI_UINT64_T, MPI_COMM_WORLD);
    for (int rank = 0; rank < harness_ranks; ++rank) {
        const unsigned char *part =
            hxi_node_memory_of(&known->memory, rank); /* one node: numbered as the ranks are */
        if (offsets[rank] != UINT64_MAX) {
            double found;
            memcpy(&found, part + offsets[rank] + sizeof found, sizeof found);
            expect(found == 100.0 + rank);
        }
    }
    MPI_Barrier(MPI_COMM_WORLD);
    end();
}

/* ---- exchanges ----------------------------------------------------------------------------------------- */

static void number_elements(sample *unused, const sample_element *e, void *next)
{
    (void)unused;
    double *number = next;
    *e->value = (*number)++;
}

static void fill_and_exchange(void)
{
    double number = 1000.0 * harness_rank;
    sample_visit(&s, -1, number_elements, &number);
    expect_ok(hx_start(handle, SAMPLE_COPY, s.fields));
    expect_ok(hx_finish(handle, SAMPLE_COPY));
}

static void test_exchanges(const char *schedule)
{
    begin(schedule);
    set own, f = {0};
    memcpy(own, s.fields, sizeof own);
    fill_and_exchange();
    expect_ok(hx_alloc(handle, f));
    memcpy(s.fields, f, sizeof f);
    fill_and_exchange();
    for (int b = 0; b < s.blocks; ++b) {
        for (int i = 0; i < SAMPLE_FIELDS; ++i) {
            expect(memcmp(own[b].array[i], f[b].array[i], bytes_of(b, i)) == 0);
        }
    }
    memcpy(s.fields, own, sizeof own);
    end(); /* with a set that was not freed */
}

/* ---- several sets -------------------------------------------------------------------------------------- */

/* Changes places of one field of all blocks. */
static void swap(set f, set g, int field)
{
    for (int b = 0; b < s.blocks; ++b) {
        double *array = f[b].array[field];
        f[b].array[field] = g[b].array[field];
        g[b].array[field] = array;
    }
}

static void test_several_sets(void)
{
    begin("auto");
    set f, g, h;
    expect_ok(hx_alloc(handle, f));
    expect_ok(hx_alloc(handle, g));
    expect_ok(hx_free(handle, f));
    expect_ok(hx_alloc(handle, f));
    expect_ok(hx_alloc(handle, h));
    swap(f, g, SAMPLE_P);
    swap(g, h, SAMPLE_P);
    if (harness_rank == 0) {
        swap(f, h, SAMPLE_U); /* ranks need not do the same */
    }
    expect_ok(hx_free(handle, f)); /* of which some arrays belong to g and h */
    check_apart(g);
    check_apart(h);
    expect_ok(hx_free(handle, h));
    check_apart(g);
    expect_ok(hx_free(handle, g));
    expect_ok(hx_free(handle, g)); /* null pointers only */
    end();
}

/* ---- refusals ------------------------------------------------------------------------------------------ */

/* All ranks get the status and the words; only the first rank does something wrong. */
static void expect_refused(hx_status expected, hx_status found, const char *words)
{
    expect_status(expected, found);
    expect_text(hx_last_error(), words);
    expect_text(hx_last_error(), "Rank 0 of ");
}

/* Of the arrays of a set, some may be freed before the others, but not twice. */
static void test_some_arrays(void)
{
    begin("auto");
    set f = {0}, g = {0};
    expect_ok(hx_alloc(handle, f));
    swap(f, g, SAMPLE_E);
    set stale;
    memcpy(stale, g, sizeof g);
    expect_ok(hx_free(handle, g));
    check_apart(f);
    if (harness_rank == 0) {
        g[0] = stale[0];
    }
    expect_refused(HX_ERR_ARGUMENT, hx_free(handle, g), "and did not free yet");
    expect_ok(hx_free(handle, f));
    end();
}

static void test_foreign_arrays(void)
{
    begin("auto");
    set f = {0}, stale;
    expect_ok(hx_alloc(handle, f));
    memcpy(stale, f, sizeof f);
    double *right = f[0].array[SAMPLE_V];
    if (harness_rank == 0) {
        f[0].array[SAMPLE_V] = s.fields[0].array[SAMPLE_V];
    }
    expect_refused(HX_ERR_ARGUMENT, hx_free(handle, f), "The array of field v of block 0 given to");
    if (harness_rank == 0) {
        f[0].array[SAMPLE_V] = right + 1;
    }
    expect_refused(HX_ERR_ARGUMENT, hx_free(handle, f), "is not one that this handle allocated");
    if (harness_rank == 0) {
        f[0].array[SAMPLE_V] = f[0].array[SAMPLE_U];
    }
    expect_refused(HX_ERR_ARGUMENT, hx_free(handle, f), "is there twice; give each array once");
    f[0].array[SAMPLE_V] = right;
    check_apart(f); /* nothing was freed */
    expect_ok(hx_free(handle, f));
    if (harness_rank == 0) {
        f[0] = stale[0];
    }
    expect_refused(HX_ERR_ARGUMENT, hx_free(handle, f), "and did not free yet");
    end();
}

static void test_null_pointers(void)
{
    begin("auto");
    set f = {0};
    expect_refused(HX_ERR_ARGUMENT, hx_alloc(handle, harness_rank == 0 ? NULL : f), "are a null pointer");
    expect(!f[0].array[0]); /* left as it was */
    expect_refused(HX_ERR_ARGUMENT, hx_free(handle, harness_rank == 0 ? NULL : f), "are a null pointer");
    expect_status(HX_ERR_ARGUMENT, hx_alloc(NULL, f));
    expect_text(hx_last_error(), "The handle given to alloc");
    expect_status(HX_ERR_ARGUMENT, hx_free(NULL, f));
    end();
}

/* Arrays that are there one by one, but not all of them. */
static void test_too_much(void)
{
    harness_setting h;
    harness_set(&h, "persistent");
    example_fields f = {NULL, NULL};
    ptrdiff_t *a = &h.shape.stride[EXAMPLE_A * 3 + 2]; /* their slowest axes */
    ptrdiff_t *b = &h.shape.stride[EXAMPLE_B * 3];
    *a = (PTRDIFF_MAX / (ptrdiff_t)sizeof *f.a - 1000) / (h.part.n[2] + EXAMPLE_LOW_A + EXAMPLE_HIGH_A);
    *b = (PTRDIFF_MAX / (ptrdiff_t)sizeof *f.b - 1000) / (h.part.n[0] + 2 * EXAMPLE_HALO_B);
    expect_ok(hx_create(&h.e.spec, &h.blocks, &h.shape, &h.options, &handle));
    expect_status(HX_ERR_LIMIT, hx_alloc(handle, &f));
    expect_text(hx_last_error(),
                "The fields of 1 block of example are more memory than a pointer can reach.");
    expect(!f.a && !f.b);
    expect_ok(hx_destroy(handle));
    harness_unset(&h);
}

static void test_arrays_in_use(void)
{
    begin("auto");
    set f, g;
    expect_ok(hx_alloc(handle, f));
    expect_ok(hx_alloc(handle, g));
    expect_ok(hx_start(handle, SAMPLE_STAR, f));
    expect_ok(hx_free(handle, g));
    expect_refused(HX_ERR_STATE, hx_free(handle, f), "exchange \"star\" is under way and uses field p");
    expect_ok(hx_finish(handle, SAMPLE_STAR));
    expect_ok(hx_free(handle, f));
    end();
}

/*
 * Rank 0 allocates and frees between start and finish, the others after finish.  With 4 ranks, x and y are
 * cut, and they wait for what rank 0 sends along y.
 */
static void test_other_order(void)
{
    static const int cells[] = {8, 8, 8};
    example e;
    hx_part mine;
    hx_options options = HX_OPTIONS_INIT;
    options.schedule = "by-dimension";
    options.deadline = 5.0;
    example_make(&e, 3, 7);
    hx_partition grid = example_partition(&e, cells);
    grid.ranks[0] = harness_ranks % 2 == 0 ? 2 : 1;
    grid.ranks[2] = 1;
    expect_ok(hx_decompose(MPI_COMM_WORLD, &grid, &mine));
    const example_shape shape = example_shape_of(&e, &mine, 0);
    const hx_blocks blocks = {.comm = MPI_COMM_WORLD, .tiles = 1, .partition = &mine.partition, .count = 1};
    expect_ok(hx_create(&e.spec, &blocks, &shape, &options, &handle));
    example_fields used, f;
    expect_ok(hx_alloc(handle, &used));
    expect_ok(hx_start(handle, EXAMPLE_BOTH, &used));
    if (harness_rank > 0) {
        expect_ok(hx_finish(handle, EXAMPLE_BOTH));
    }
    expect_ok(hx_alloc(handle, &f));
    expect_ok(hx_free(handle, &f));
    if (harness_rank == 0) {
        expect_ok(hx_finish(handle, EXAMPLE_BOTH));
    }
    expect_ok(hx_destroy(handle));
}

/* Nobody waits for ever for ranks that do not come; and a peer may still write into arrays that it knows. */
static void test_deadline(void)
{
    harness_setting h;
    harness_set(&h, "persistent");
    example_fields f = {NULL, NULL};
    example_fields left;
    expect_ok(hx_create(&h.e.spec, &h.blocks, &h.shape, &h.options, &handle));
    expect_ok(hx_alloc(handle, &left));
    handle->options.deadline = 0.2; /* of what comes now: a busy machine may keep a rank in create */
    if (harness_ranks > 1 && harness_rank == 0) {
        expect_status(HX_ERR_DEADLINE, hx_alloc(handle, &f));
        expect_text(hx_last_error(), "after 0.2 seconds rank 0 still waits for other ranks");
        expect_status(HX_ERR_DEADLINE, hx_alloc(handle, &f));
        expect_text(hx_last_error(), "can only be destroyed");
        expect(!f.a);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    expect_ok(hx_destroy(handle));
    if (harness_ranks > 1 && harness_rank == 0) {
        memset(left.a, 1, hx_points(&h.e.spec, &h.shape, EXAMPLE_A) * sizeof *left.a);
    }
    harness_unset(&h);
}

int main(int argc, char **argv)
{
    int level = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level); /* so that there may be teams */
    harness_begin(&argc, &argv);
    test_places();
    test_privacy();
    test_first_touch();
    if (harness_ranks > 2) {
        test_sharing();
    }
    test_exchanges("one-phase");
    test_exchanges("by-dimension");
    test_several_sets();
    test_some_arrays();
    test_foreign_arrays();
    test_null_pointers();
    test_too_much();
    test_arrays_in_use();
    test_other_order();
    test_deadline();
    return harness_end();
}
