/*
 * Bugs of applications, each seeded into a small program of two ranks: audits find them, and name the point.
 * What the sentences must say is written down here as a person sees it, point by point.
 */
#include "check.h"
#include "seeded.h"

#include <fcntl.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { CELLS_X = 8, CELLS_Y = 6, MINE_X = 4, HALO = 2 };

/* A program: two ranks side by side along x, everything periodic. */
typedef struct program {
    seeded_shape shape;
    seeded *halo;
    seeded_fields f;
    int rank;
    int first; /* its first cell along x */
} program;

static double value(int x, int y, int step)
{
    return 100.0 * ((x + CELLS_X) % CELLS_X) + (y + CELLS_Y) % CELLS_Y + 0.5 * step;
}

static double *u_at(const program *p, int i, int j)
{
    return &p->f.u[seeded_u_at(&p->shape, i, j)];
}

static int32_t *n_at(const program *p, int i, int j, int c)
{
    return &p->f.n[seeded_n_at(&p->shape, i, j, c)];
}

/* What a step of the program computes: all owned points. */
static void compute(const program *p, int step)
{
    for (int j = 0; j < CELLS_Y; ++j) {
        for (int i = 0; i < MINE_X; ++i) {
            *u_at(p, i, j) = value(p->first + i, j, step);
            p->f.v[seeded_v_at(&p->shape, i, j)] = -value(p->first + i, j, step);
            for (int c = 0; c < 3; ++c) {
                *n_at(p, i, j, c) = (int32_t)(10.0 * value(p->first + i, j, step)) + c;
            }
        }
    }
}

static const char *schedule = "one-phase";
static double deadline = 0.0;
static hx_log_fn *log_function;
static bool stands_still; /* when all have what is to be compared */

/* libhx calls this one: a rank that stands still until another one has left. */
int MPI_Iallreduce(const void *mine, void *all, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                   MPI_Request *request)
{
    if (stands_still) {
        stands_still = false;
        PMPI_Recv(NULL, 0, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    return PMPI_Iallreduce(mine, all, count, type, op, comm, request);
}

/* audited: with HX_AUDIT=1. */
static program begin(bool audited)
{
    program p;
    hx_partition grid = seeded_partition(CELLS_X, CELLS_Y);
    hx_part mine;
    hx_options options = HX_OPTIONS_INIT;
    options.schedule = schedule;
    options.transport = "p2p";
    options.deadline = deadline;
    options.log = log_function;
    setenv("HX_AUDIT", audited ? "1" : "0", 1);
    grid.ranks[0] = 2;
    grid.ranks[1] = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &p.rank);
    CHECK_STATUS(hx_decompose(MPI_COMM_WORLD, &grid, &mine), HX_OK);
    p.first = mine.first[0];
    p.shape = seeded_shape_dense(&mine);
    CHECK_STATUS(seeded_create(MPI_COMM_WORLD, &p.shape, &options, &p.halo), HX_OK);
    CHECK_STATUS(seeded_alloc(p.halo, &p.f), HX_OK);
    compute(&p, 0);
    return p;
}

static void end(program *p)
{
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_STATUS(seeded_destroy(p->halo), HX_OK);
}

static void run(const program *p)
{
    CHECK_STATUS(seeded_both(p->halo, &p->f), HX_OK);
}

/* The sentence has all these words; ends with NULL. */
static void says(hx_status got, const char *const words[])
{
    CHECK(got == HX_ERR_MISMATCH, "%s in place of a finding", hx_status_name(got));
    for (int i = 0; words[i]; ++i) {
        CHECK(strstr(hx_last_error(), words[i]) != NULL, "\"%s\" is not in: %s", words[i], hx_last_error());
    }
}

#define SAYS(status, ...) says((status), (const char *const[]){__VA_ARGS__, NULL})

/* ---- found where the application asks ------------------------------------------------------------------ */

static void right(void)
{
    program p = begin(true);
    for (int step = 1; step < 4; ++step) {
        compute(&p, step);
        run(&p);
        CHECK_STATUS(seeded_audit(p.halo, SEEDED_BOTH, &p.f), HX_OK);
    }
    CHECK_STATUS(seeded_numbers(p.halo, &p.f), HX_OK);
    CHECK_STATUS(seeded_audit(p.halo, SEEDED_NUMBERS, &p.f), HX_OK);
    end(&p);
}

/* No bug: the second start leaves ghost points alone that the first finish is to fill. */
static void under_way_together(void)
{
    setenv("HX_POISON", "1", 1);
    schedule = "by-dimension";
    program p = begin(true);
    for (int step = 1; step < 3; ++step) {
        compute(&p, step);
        CHECK_STATUS(seeded_sides_start(p.halo, &p.f), HX_OK);
        CHECK_STATUS(seeded_both_start(p.halo, &p.f), HX_OK);
        CHECK_STATUS(seeded_sides_finish(p.halo), HX_OK);
        CHECK_STATUS(seeded_both_finish(p.halo), HX_OK);
    }
    end(&p);
    schedule = "one-phase";
    setenv("HX_POISON", "0", 1);
}

static void never_exchanged(void)
{
    program p = begin(false);
    /* Of 2 x 56 ghost points one is to hold the zero that it holds; -0 of v is another number. */
    SAYS(seeded_audit(p.halo, SEEDED_BOTH, &p.f), "seeded.lua:9: exchange \"both\"", "audit on rank 0",
         "field u (line 4) is 0 at ghost point (0, -2) of block 0 and must be 4, as rank 0 has it in block 0 "
         "at (0, 4), which is (0, 4) of the grid",
         "So are 110 more points", "has not run yet");
    end(&p);
}

static void exchanged_another(void)
{
    program p = begin(false);
    CHECK_STATUS(seeded_sides(p.halo, &p.f), HX_OK);
    CHECK_STATUS(seeded_audit(p.halo, SEEDED_SIDES, &p.f), HX_OK);
    SAYS(seeded_audit(p.halo, SEEDED_BOTH, &p.f), "exchange \"both\"", "ghost point (0, -2)",
         "So are 91 more points", "has not run yet");
    end(&p);
}

static void changed_without_record(void)
{
    program p = begin(false);
    run(&p);
    *u_at(&p, 0, 3) += p.rank == 1 ? 7.0 : 0.0;
    SAYS(
        seeded_audit(p.halo, SEEDED_BOTH, &p.f), "audit on rank 0 as called",
        "field u (line 4) is 403 at ghost point (4, 3) of block 0 and must be 410, as rank 1 has it in block 1 at (0, 3)",
        "last ran as run 1", "HX_AUDIT=1");
    end(&p);
}

static void computed_after_the_exchange(void)
{
    program p = begin(true);
    run(&p);
    compute(&p, 1);
    run(&p);
    *u_at(&p, 3, 5) += p.rank == 0 ? 0.25 : 0.0;
    SAYS(
        seeded_audit(p.halo, SEEDED_BOTH, &p.f), "audit on rank 0",
        "is 305.5 at ghost point (3, -1) of block 0 and must be 305.75, as rank 0 has it in block 0 at (3, 5)",
        "stale", "since run 2, the last");
    end(&p);
}

static void exchanged_every_other_step(void)
{
    program p = begin(true);
    for (int step = 0; step < 4; ++step) {
        compute(&p, step);
        if (step % 2 == 0) {
            run(&p);
        }
    }
    SAYS(seeded_audit(p.halo, SEEDED_BOTH, &p.f), "stale", "since run 2, the last");
    end(&p);
}

static void wrote_its_own_halo(void)
{
    program p = begin(true);
    run(&p);
    *u_at(&p, -1, 2) = p.rank == 1 ? 12.0 : *u_at(&p, -1, 2);
    SAYS(seeded_audit(p.halo, SEEDED_BOTH, &p.f), "audit on rank 1",
         "is 12 at ghost point (-1, 2) of block 1 and must be 302, as rank 0 has it in block 0 at (3, 2)",
         "It was right after run 1", "this rank has written to the ghost point since");
    end(&p);
}

/* Periodic copies by hand, as before there were exchanges, with the wrong row. */
static void wrapped_by_hand(void)
{
    program p = begin(true);
    run(&p);
    for (int i = 0; i < MINE_X; ++i) {
        *u_at(&p, i, -1) = *u_at(&p, i, 0);
    }
    SAYS(seeded_audit(p.halo, SEEDED_BOTH, &p.f), "is 0 at ghost point (0, -1) of block 0 and must be 5",
         "So are 3 more points", "this rank has written to the ghost point since");
    end(&p);
}

static void wrote_both(void)
{
    program p = begin(true);
    run(&p);
    *u_at(&p, 1, 2) += p.rank == 1 ? 1.0 : 0.0; /* which feeds this one: */
    *u_at(&p, 5, 2) -= p.rank == 0 ? 1.0 : 0.0;
    SAYS(seeded_audit(p.halo, SEEDED_BOTH, &p.f),
         "is 501 at ghost point (5, 2) of block 0 and must be 503, as rank 1 has it in block 1 at (1, 2)",
         "Both were 502 after run 1", "owner and ghost point have been written to since");
    end(&p);
}

static void one_of_three_components(void)
{
    program p = begin(true);
    CHECK_STATUS(seeded_numbers(p.halo, &p.f), HX_OK);
    *n_at(&p, 4, 1, 2) = p.rank == 0 ? -5 : *n_at(&p, 4, 1, 2);
    SAYS(seeded_audit(p.halo, SEEDED_NUMBERS, &p.f),
         "component 2 of field n (line 5) is -5 at ghost point (4, 1)", "must be 4012, as rank 1 has it");
    end(&p);
}

static void one_component_apart(void)
{
    program p = begin(true);
    p.f.w[seeded_w_at(&p.shape, 0, 2, 1)] = p.rank == 1 ? 0.5F : 0.0F;
    CHECK_STATUS(seeded_apart(p.halo, &p.f), HX_OK);
    p.f.w[seeded_w_at(&p.shape, 4, 2, 1)] = p.rank == 0 ? 3.0F : 0.0F;
    SAYS(
        seeded_audit(p.halo, SEEDED_APART, &p.f),
        "component 1 of field w (line 6) is 3 at ghost point (4, 2) of block 0 and must be 0.5, as rank 1 has it "
        "in block 1 at (0, 2)");
    end(&p);
}

/* Two fields of one type. */
static void fields_changed_places_on_one_rank(void)
{
    program p = begin(true);
    run(&p);
    if (p.rank == 1) {
        double *array = p.f.u;
        p.f.u = p.f.v;
        p.f.v = array;
    }
    SAYS(seeded_audit(p.halo, SEEDED_BOTH, &p.f), "field u (line 4)",
         "was given another array for it on rank 1 only: were arrays swapped there alone?");
    end(&p);
}

static void swapped_on_one_rank(void)
{
    program p = begin(true);
    seeded_fields other;
    CHECK_STATUS(seeded_alloc(p.halo, &other), HX_OK);
    run(&p);
    if (p.rank == 1) {
        double *array = p.f.u;
        p.f.u = other.u;
        other.u = array;
    }
    SAYS(seeded_audit(p.halo, SEEDED_BOTH, &p.f), "field u",
         "Run 1, the last, was given another array for it on rank 1 only", "swapped there alone");
    end(&p);
}

static void swapped_and_not_exchanged(void)
{
    program p = begin(false);
    seeded_fields other;
    CHECK_STATUS(seeded_alloc(p.halo, &other), HX_OK);
    run(&p);
    memcpy(other.u, p.f.u, seeded_points(&p.shape, SEEDED_U) * sizeof *p.f.u);
    p.f.u = other.u;
    compute(&p, 1);
    SAYS(seeded_audit(p.halo, SEEDED_BOTH, &p.f), "field u",
         "was given another array for it on rank 0: this one has not been exchanged");
    end(&p);
}

/* What is told of without a failure. */
static char warned[600];

static void note_warning(void *context, int level, const char *text)
{
    (void)context;
    (void)level;
    snprintf(warned, sizeof warned, "%s", text);
}

/* From step to step two sets change places; on one rank once not.  Then each exchange is right, and nobody sees it. */
static void forgot_to_swap_on_one_rank(void)
{
    log_function = note_warning;
    program p = begin(true);
    seeded_fields set[2] = {p.f, p.f};
    CHECK_STATUS(seeded_alloc(p.halo, &set[1]), HX_OK);
    for (int step = 0; step < 5; ++step) {
        const int late = p.rank == 1 && step >= 3;
        warned[0] = '\0';
        p.f.u = set[(step + late) % 2].u;
        compute(&p, step);
        run(&p);
        const bool tells = step == 3; /* once */
        CHECK(tells == (strstr(warned, "Were arrays swapped on one rank only?") != NULL), "step %d: %s", step,
              warned);
        CHECK(!tells ||
                  strstr(warned, p.rank == 0
                                     ? "exchange \"both\", audit on rank 0 behind finish: the array of field "
                                       "u (line 4) is of set 2 of seeded_alloc here, and of set 1 of "
                                       "seeded_alloc on rank 1, which feeds this one."
                                     : "is of set 1 of seeded_alloc here, and of set 2 of seeded_alloc on "
                                       "rank 0"),
              "%s", warned);
    }
    p.f.u = set[0].u;
    run(&p);
    p.f.u = p.rank == 0 ? set[0].u : set[0].v;
    p.f.v = p.rank == 0 ? set[0].v : set[0].u;
    run(&p);
    CHECK(
        strstr(warned,
               p.rank == 0
                   ? "is of set 1 of seeded_alloc here, and of set 1 of seeded_alloc, for field v, on rank 1"
                   : "is of set 1 of seeded_alloc, for field v, here, and of set 1 of") != NULL,
        "%s", warned);
    end(&p);
    log_function = NULL;
}

/* ---- found behind finish ------------------------------------------------------------------------------- */

static void wrote_owned_points_too_early(void)
{
    program p = begin(true);
    CHECK_STATUS(seeded_both_start(p.halo, &p.f), HX_OK);
    *u_at(&p, 3, 2) = p.rank == 0 ? 77.0 : *u_at(&p, 3, 2);
    const hx_status status = seeded_both_finish(p.halo);
    if (p.rank == 0) {
        SAYS(
            status, "exchange \"both\", audit on rank 0 behind finish",
            "owned point (3, 2) of block 0, which is (3, 2) of the grid, was written between start and finish: it was 302 and is 77",
            "Rank 1 needs it");
    }
    end(&p);
}

static void wrote_ghost_points_too_early(void)
{
    program p = begin(true);
    CHECK_STATUS(seeded_both_start(p.halo, &p.f), HX_OK);
    *u_at(&p, 1, 6) = 1.0; /* copied within the rank, in start */
    SAYS(seeded_both_finish(p.halo), "is 1 at ghost point (1, 6)", "at (1, 0)",
         "Did this rank write there between start and finish");
    end(&p);
}

/* A point near a corner feeds two ghost points of the other rank, beside the side and, since y is periodic, at its corner. */
static void wrote_a_point_near_a_corner_too_early(void)
{
    program p = begin(true);
    CHECK_STATUS(seeded_both_start(p.halo, &p.f), HX_OK);
    *u_at(&p, 3, 1) = p.rank == 0 ? 77.0 : *u_at(&p, 3, 1);
    const hx_status status = seeded_both_finish(p.halo);
    if (p.rank == 0) {
        SAYS(
            status,
            "owned point (3, 1) of block 0, which is (3, 1) of the grid, was written between start and finish: it was 301 and "
            "is 77.  Such points feed 2 points of other ranks.  Rank 1 needs it");
    }
    end(&p);
}

/* In the first seven runs an audit looks at all owned points, later at each of them once in seven runs. */
static void wrote_owned_points_too_early_after_many_runs(void)
{
    program p = begin(true);
    int found = 0;
    for (int step = 1; step <= 16; ++step) {
        CHECK_STATUS(seeded_both_start(p.halo, &p.f), HX_OK);
        *u_at(&p, 3, 2) += step > 8 && p.rank == 0 ? 1.0 : 0.0;
        const hx_status status = seeded_both_finish(p.halo);
        if (status != HX_OK) {
            found++;
            SAYS(status, "audit on rank 0 behind finish", "owned point (3, 2) of block 0",
                 "was written between start and finish: it was 3", "Rank 1 needs it");
        }
    }
    CHECK(p.rank == 1 || (found >= 1 && found < 8), "found %d times", found);
    CHECK(p.rank == 0 || found == 0, "found %d times", found);
    end(&p);
}

/* Each step runs the exchange twice, as stages of a method do: the mistake is in one of both, the first or the second. */
static void wrote_owned_points_too_early_in_one_stage(void)
{
    for (int wrong = 0; wrong < 2; ++wrong) {
        program p = begin(true);
        int found = 0;
        for (int i = 0; i < 32; ++i) {
            CHECK_STATUS(seeded_both_start(p.halo, &p.f), HX_OK);
            *u_at(&p, 3, 2) += i >= 8 && i % 2 == wrong && p.rank == 0 ? 1.0 : 0.0;
            found += seeded_both_finish(p.halo) != HX_OK;
        }
        CHECK(p.rank == 1 || found >= 1, "stage %d: not found", wrong);
        end(&p);
    }
}

/* Ghost points are looked at in each run. */
static void wrote_ghost_points_too_early_after_many_runs(void)
{
    program p = begin(true);
    for (int step = 1; step <= 9; ++step) {
        run(&p);
    }
    for (int step = 10; step <= 20; ++step) {
        CHECK_STATUS(seeded_both_start(p.halo, &p.f), HX_OK);
        *u_at(&p, 1, 6) = 1.0;
        SAYS(seeded_both_finish(p.halo), "is 1 at ghost point (1, 6)", "at (1, 0)",
             "Did this rank write there between start and finish");
    }
    end(&p);
}

/* What a rank feeds itself has digests in the first seven runs, and from the first such call on. */
static void asked_after_many_runs(void)
{
    program p = begin(true);
    for (int step = 1; step <= 9; ++step) {
        run(&p);
    }
    *u_at(&p, 3, 5) += p.rank == 0 ? 0.25 : 0.0;
    SAYS(seeded_audit(p.halo, SEEDED_BOTH, &p.f),
         "is 305 at ghost point (3, -1) of block 0 and must be 305.25, as rank 0 has it in block 0 at (3, 5)",
         "last ran as run 9.  From its next run on such a call also says which of the two changed since.");
    run(&p);
    *u_at(&p, 3, 5) += p.rank == 0 ? 0.25 : 0.0;
    SAYS(seeded_audit(p.halo, SEEDED_BOTH, &p.f), "must be 305.5", "stale", "since run 10, the last");
    end(&p);
}

/* ---- poison --------------------------------------------------------------------------------------------- */

/* A stencil that reads a corner, and layers, that "sides" does not fill. */
static void read_what_nobody_fills(void)
{
    setenv("HX_POISON", "1", 1);
    program p = begin(false);
    CHECK_STATUS(seeded_sides(p.halo, &p.f), HX_OK);
    CHECK(*u_at(&p, -1, 2) == value(p.first - 1, 2, 0), "%g", *u_at(&p, -1, 2));
    CHECK(isnan(*u_at(&p, -1, -1)) && isnan(*u_at(&p, -2, 2)) && isnan(*u_at(&p, 2, CELLS_Y + 1)),
          "corner, second layers: %g, %g, %g", *u_at(&p, -1, -1), *u_at(&p, -2, 2),
          *u_at(&p, 2, CELLS_Y + 1));
    for (int c = 0; c < 3; ++c) {
        CHECK((uint32_t)*n_at(&p, -1, 0, c) == UINT32_C(0xa5a5a5a5), "component %d: %d", c,
              *n_at(&p, -1, 0, c));
    }
    SAYS(seeded_audit(p.halo, SEEDED_BOTH, &p.f), "is the poison of HX_POISON at ghost point");
    end(&p);
    setenv("HX_POISON", "0", 1);
}

/* The halo of the step before would look right. */
static void read_before_finish(void)
{
    setenv("HX_POISON", "1", 1);
    program p = begin(true);
    run(&p);
    CHECK_STATUS(seeded_both_start(p.halo, &p.f), HX_OK);
    const bool shows = isnan(*u_at(&p, -1, 2)); /* from the other rank, by a transport that comes in finish */
    CHECK_STATUS(seeded_both_finish(p.halo), HX_OK);
    CHECK(shows, "a ghost point before finish is %g", *u_at(&p, -1, 2));
    CHECK_STATUS(seeded_audit(p.halo, SEEDED_BOTH, &p.f), HX_OK);
    end(&p);
    setenv("HX_POISON", "0", 1);
}

/* ---- arrays that cannot be right ------------------------------------------------------------------------ */

/* u: (4 + 4) x (6 + 4) points of 8 bytes; n: (4 + 2) x (6 + 2) points of 12. */
static void took_the_array_of_a_small_field(void)
{
    program p = begin(true);
    seeded_fields wrong = p.f;
    wrong.u = (double *)(void *)p.f.n;
    CHECK_REFUSED(MPI_COMM_WORLD, seeded_both_start(p.halo, &wrong), HX_ERR_ARGUMENT,
                  "field u of block 0 takes 640 bytes; the array that rank");
    CHECK(strstr(hx_last_error(),
                 "has 576: it lies in the one that seeded_alloc made for field n of block 0") != NULL,
          "%s", hx_last_error());
    run(&p);
    end(&p);
}

/* As a program does that counts points without all of the halo: 4 x 10 of them. */
static void cut_arrays_too_short(void)
{
    program p = begin(true);
    double *memory = calloc(200, sizeof *memory);
    seeded_fields wrong = {memory, memory + 40, p.f.n, p.f.w};
    CHECK_REFUSED(MPI_COMM_WORLD, seeded_both_start(p.halo, &wrong), HX_ERR_ARGUMENT,
                  "field u of block 0 takes 640 bytes, and the array that rank");
    CHECK(strstr(hx_last_error(), "for field v of block 0 begins 320 bytes behind its first one") != NULL,
          "%s", hx_last_error());
    free(memory);
    end(&p);
}

/* Behind the array there is nothing, as where a large one ends. */
static void took_an_array_that_ends_early(void)
{
    program p = begin(true);
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    const int zeros = open("/dev/zero", O_RDWR);
    unsigned char *memory = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE, zeros, 0);
    close(zeros);
    CHECK(memory != MAP_FAILED && munmap(memory + page, page) == 0, "there is no memory");
    seeded_fields wrong = p.f;
    wrong.u = (double *)(void *)(memory + page - 320);
    CHECK_REFUSED(MPI_COMM_WORLD, seeded_both_start(p.halo, &wrong), HX_ERR_ARGUMENT,
                  "field u of block 0 takes 640 bytes; from the array that rank");
    wrong.u = (double *)(void *)(memory + page - 640);
    CHECK_STATUS(seeded_both(p.halo, &wrong), HX_OK);
    CHECK_STATUS(seeded_both(p.halo, &p.f), HX_OK);
    munmap(memory, page);
    end(&p);
}

/* Rows of the program are two points longer than those of the shape that create was given. */
static void has_longer_rows(void)
{
    program p = begin(true);
    seeded_fields wide = p.f;
    double *memory = calloc(400, sizeof *memory);
    wide.u = memory;
    for (int step = 1; step < 3; ++step) {
        CHECK_STATUS(seeded_both(p.halo, &wide), HX_OK);
        for (int j = 0; j < CELLS_Y; ++j) {
            for (int i = 0; i < MINE_X; ++i) {
                memory[(i + HALO) + (j + HALO) * (MINE_X + 2 * HALO + 2)] = value(p.first + i, j, step);
            }
        }
    }
    SAYS(
        seeded_audit(p.halo, SEEDED_BOTH, &wide), "field u (line 4)",
        "Of its 8 ghost boxes 4 have been written to since run 2: is a loop too long, or are rows of the array not as "
        "far apart as in the shape given to create?");
    free(memory);
    end(&p);
}

/* ---- calls that cannot be right ------------------------------------------------------------------------ */

static void asked_too_early(void)
{
    program p = begin(false);
    CHECK_STATUS(seeded_both_start(p.halo, &p.f), HX_OK);
    CHECK_REFUSED(MPI_COMM_WORLD, seeded_audit(p.halo, SEEDED_BOTH, &p.f), HX_ERR_STATE,
                  "exchange \"both\" is under way");
    CHECK_STATUS(seeded_both_finish(p.halo), HX_OK);
    end(&p);
}

static void asked_for_two_exchanges(void)
{
    program p = begin(false);
    CHECK_REFUSED(MPI_COMM_WORLD, seeded_audit(p.halo, p.rank == 0 ? SEEDED_BOTH : SEEDED_SIDES, &p.f),
                  HX_ERR_MISMATCH, "for exchange 0 on one rank and for exchange 1 on another");
    CHECK_REFUSED(MPI_COMM_WORLD, seeded_audit(p.halo, SEEDED_EXCHANGES, &p.f), HX_ERR_ARGUMENT,
                  "exchange 4");
    p.f.u = p.rank == 1 ? NULL : p.f.u;
    CHECK_REFUSED(MPI_COMM_WORLD, seeded_audit(p.halo, SEEDED_BOTH, &p.f), HX_ERR_ARGUMENT,
                  "its pointer is null");
    end(&p);
}

/* A rank that waits leaves when its deadline has passed, whatever the other one does. */
static void waited_too_long(void)
{
    deadline = 0.5;
    program p = begin(false);
    run(&p);
    stands_still = p.rank == 1;
    CHECK_STATUS(seeded_audit(p.halo, SEEDED_BOTH, &p.f), HX_ERR_DEADLINE);
    CHECK(strstr(hx_last_error(), "still waits for what other ranks had at the start, or have found"), "%s",
          hx_last_error());
    if (p.rank == 0) {
        MPI_Send(NULL, 0, MPI_INT, 1, 0, MPI_COMM_WORLD);
    }
    CHECK_STATUS(seeded_both_start(p.halo, &p.f), HX_ERR_DEADLINE);
    end(&p);
    deadline = 0.0;
}

int main(int argc, char **argv)
{
    static void (*const bugs[])(void) = {
        right,
        under_way_together,
        never_exchanged,
        exchanged_another,
        changed_without_record,
        computed_after_the_exchange,
        exchanged_every_other_step,
        wrote_its_own_halo,
        wrapped_by_hand,
        wrote_both,
        one_of_three_components,
        one_component_apart,
        fields_changed_places_on_one_rank,
        swapped_on_one_rank,
        swapped_and_not_exchanged,
        forgot_to_swap_on_one_rank,
        wrote_owned_points_too_early,
        wrote_a_point_near_a_corner_too_early,
        wrote_ghost_points_too_early,
        wrote_owned_points_too_early_after_many_runs,
        wrote_owned_points_too_early_in_one_stage,
        wrote_ghost_points_too_early_after_many_runs,
        asked_after_many_runs,
        read_what_nobody_fills,
        read_before_finish,
        took_the_array_of_a_small_field,
        cut_arrays_too_short,
        took_an_array_that_ends_early,
        has_longer_rows,
        asked_too_early,
        asked_for_two_exchanges,
        waited_too_long,
    };
    check_init(&argc, &argv, MPI_THREAD_SINGLE);
    for (size_t i = 0; i < sizeof bugs / sizeof bugs[0]; ++i) {
        check_about("bug %zu", i);
        bugs[i]();
    }
    return check_verdict("seeded bugs");
}
