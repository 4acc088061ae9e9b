/*
 * Calls that all ranks make together, and some do not: another call, in another order, too late.  All ranks
 * are told, nobody waits for ever, and destroy ends.
 *
 * The clock of libhx goes on by 20 milliseconds at most from one look to the next.  So a rank that gets no processor does not
 * age, and what comes before a deadline does so on busy machines, too.
 */
#define _POSIX_C_SOURCE 200809L
#include "exchange/handle.h"
#include "harness.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static harness_setting s;

/* ---- time ---------------------------------------------------------------------------------------------- */

double __real_hxi_clock(void);
double __wrap_hxi_clock(void);

static double now; /* by libhx's clock, of this rank */

double __wrap_hxi_clock(void)
{
    static double last;
    const double real = __real_hxi_clock();
    now += real - last < 0.02 ? real - last : 0.02;
    last = real;
    return now;
}

static hx_handle *create(double deadline)
{
    hx_handle *handle = NULL;
    s.options.deadline = 30.0;
    expect_ok(hx_create(&s.e.spec, &s.blocks, &s.shape, &s.options, &handle));
    handle->options.deadline = deadline; /* of what comes after create */
    return handle;
}

/* What is left works: an exchange in arrays that alloc gives. */
static void use(hx_handle *handle)
{
    example_fields fields = {NULL, NULL};
    expect_ok(hx_alloc(handle, &fields));
    expect_ok(hx_start(handle, EXAMPLE_BOTH, &fields));
    expect_ok(hx_finish(handle, EXAMPLE_BOTH));
    expect_ok(hx_free(handle, &fields));
}

/* ---- another call -------------------------------------------------------------------------------------- */

static hx_status call(int number, hx_handle *handle, example_fields *fields)
{
    return number == 0   ? hx_alloc(handle, fields)
           : number == 1 ? hx_free(handle, fields)
           : number == 2 ? hx_register(handle, NULL)
                         : hx_unregister(handle, NULL);
}

/* One rank makes another call than the rest, with all others known to have come or not. */
static void test_other_calls(void)
{
    static const char *const names[] = {"example_alloc", "example_free", "example_register",
                                        "example_unregister"};
    hx_handle *handle = create(30.0);
    for (int odd = 0; odd < harness_ranks; odd += harness_ranks - 1) {
        for (int number = 1; number < 4; ++number) {
            example_fields fields = {NULL, NULL};
            harness_about("rank %d calls %s", odd, names[number]);
            expect_status(HX_ERR_MISMATCH, call(harness_rank == odd ? number : 0, handle, &fields));
            expect_text(hx_last_error(), names[number]);
            expect_text(hx_last_error(), " example_alloc");
            expect_text(hx_last_error(), "All ranks make the same calls, in the same order.");
        }
        use(handle);
    }
    expect_ok(hx_destroy(handle));
}

/* ---- another order ------------------------------------------------------------------------------------- */

/* One rank takes two handles in the other order than the rest. */
static void test_orders(int odd)
{
    harness_about("rank %d has another order", odd);
    hx_handle *handle[] = {create(30.0), create(30.0)};
    for (int i = 0; i < 2; ++i) {
        example_fields fields = {NULL, NULL};
        expect_status(HX_ERR_MISMATCH, hx_alloc(handle[harness_rank == odd ? 1 - i : i], &fields));
        expect_text(hx_last_error(), "example_alloc for another handle");
        expect_text(hx_last_error(), "called example_alloc");
    }
    use(handle[1]);
    use(handle[0]);
    expect_ok(hx_destroy(handle[0]));
    expect_ok(hx_destroy(handle[1]));
}

/* ---- too late ------------------------------------------------------------------------------------------ */

enum { TAG = 7 };

/* A rank comes when all others have given up. */
static void test_late(int late)
{
    harness_about("rank %d is late", late);
    hx_handle *handle = create(0.02);
    example_fields fields = {NULL, NULL};
    for (int from = 0; from < harness_ranks && harness_rank == late; ++from) {
        if (from != late) {
            MPI_Recv(NULL, 0, MPI_INT, from, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
    }
    expect_status(HX_ERR_DEADLINE, hx_alloc(handle, &fields));
    expect_text(hx_last_error(), "The handle can only be destroyed now.");
    expect_text(hx_last_error(), harness_rank == late
                                     ? " waited for other ranks to call it until its deadline, and left."
                                     : "example_alloc: ");
    if (harness_rank != late) {
        MPI_Send(NULL, 0, MPI_INT, late, TAG, MPI_COMM_WORLD);
    }
    expect_status(HX_ERR_DEADLINE, hx_free(handle, &fields));
    expect_status(HX_ERR_DEADLINE, hx_start(handle, EXAMPLE_BOTH, &s.fields));
    expect_ok(hx_destroy(handle));
}

/* Create, on a communicator that goes on to be used. */
static void test_late_create(int late)
{
    harness_about("rank %d is late to create", late);
    hx_handle *handle = NULL;
    for (int from = 0; from < harness_ranks && harness_rank == late; ++from) {
        if (from != late) {
            MPI_Recv(NULL, 0, MPI_INT, from, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
    }
    s.options.deadline = 0.05;
    expect_status(HX_ERR_DEADLINE, hx_create(&s.e.spec, &s.blocks, &s.shape, &s.options, &handle));
    expect(!handle);
    const int told =
        harness_rank == late && harness_ranks == 2; /* with more, those that left take part later */
    expect_text(hx_last_error(), told ? "example_create: rank " : "example_create: ");
    expect_text(hx_last_error(),
                told ? " waited for other ranks to call it until its deadline, and left." : "");
    if (harness_rank != late) {
        MPI_Send(NULL, 0, MPI_INT, late, TAG, MPI_COMM_WORLD);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

/* Two ranks fail at one call and come for the next, while the first waits elsewhere. */
static void test_next_try(void)
{
    harness_about("%s", "two ranks come for another try before the first knows of one");
    hx_handle *left = create(0.2);
    hx_handle *handle = create(30.0);
    example_fields fields = {NULL, NULL};
    if (harness_rank == 0) {
        expect_status(HX_ERR_DEADLINE, hx_alloc(left, &fields));
    }
    if (harness_rank != 1 && harness_rank != 3) {
        for (int to = 1; to < harness_ranks && harness_rank == 0; ++to) {
            MPI_Send(NULL, 0, MPI_INT, to, TAG, MPI_COMM_WORLD);
        }
        if (harness_rank != 0) {
            MPI_Recv(NULL, 0, MPI_INT, 0, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
    }
    expect_status(HX_ERR_MISMATCH, call(harness_rank == 3, handle, &fields));
    use(handle);
    if (harness_rank == 1 || harness_rank == 3) {
        MPI_Recv(NULL, 0, MPI_INT, 0, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    expect_ok(hx_destroy(handle));
    expect_ok(hx_destroy(left));
}

/*
 * Rank 3 leaves, while the others are told of two calls and try again: they are told that it does not come.
 */
static void test_left_before(void)
{
    harness_about("%s", "rank 3 has left before the next try");
    hx_handle *handle = create(harness_rank == 3 ? 0.02 : 30.0);
    example_fields fields = {NULL, NULL};
    if (harness_rank == 3) {
        expect_status(HX_ERR_DEADLINE, hx_alloc(handle, &fields));
        MPI_Send(NULL, 0, MPI_INT, 0, TAG, MPI_COMM_WORLD);
    }
    if (harness_rank == 0) {
        MPI_Recv(NULL, 0, MPI_INT, 3, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    if (harness_rank == 1) { /* who would pass on that rank 3 has left comes when 0 and 2 have met */
        MPI_Recv(NULL, 0, MPI_INT, 0, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    if (harness_rank != 3) {
        expect_status(HX_ERR_MISMATCH, call(harness_rank == 2, handle, &fields));
        if (harness_rank == 0) {
            MPI_Send(NULL, 0, MPI_INT, 1, TAG, MPI_COMM_WORLD);
        }
        const double before = now;
        expect_status(HX_ERR_DEADLINE, hx_alloc(handle, &fields));
        expect_text(hx_last_error(), "rank 3 waited for other ranks");
        expect(now - before < 10.0);
    }
    expect_ok(hx_destroy(handle));
}

enum { WAKE = 8 }; /* a tag */

static bool pauses; /* this rank, for longer than deadlines, when it knows that all have come to create */
static bool pauses_telling; /* when it has told another rank something */
static bool sleeps_asking;  /* before it knows, until it is woken */

static void pause_if(bool *asked)
{
    if (*asked) {
        *asked = false;
        nanosleep(&(struct timespec){.tv_nsec = 800000000}, NULL);
        now += 0.8;
    }
}

int MPI_Test(MPI_Request *request, int *done, MPI_Status *status)
{
    if (sleeps_asking) {
        sleeps_asking = false;
        MPI_Recv(NULL, 0, MPI_INT, 1, WAKE, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        now += 1.5;
    }
    return PMPI_Test(request, done, status);
}

int MPI_Iallreduce(const void *mine, void *all, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                   MPI_Request *request)
{
    pause_if(&pauses);
    return PMPI_Iallreduce(mine, all, count, type, op, comm, request);
}

int MPI_Isend(const void *data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request *request)
{
    const int code = PMPI_Isend(data, count, type, to, tag, comm, request);
    pause_if(&pauses_telling);
    return code;
}

/* All have come to create before the deadline, and one of them is not heard of again until after it. */
static void test_slow_word(void)
{
    harness_about("%s", "rank 0 is slow to find that all have come");
    hx_handle *handle = NULL;
    MPI_Barrier(MPI_COMM_WORLD);
    pauses = harness_rank == 0;
    s.options.deadline = 0.5;
    expect_ok(hx_create(&s.e.spec, &s.blocks, &s.shape, &s.options, &handle));
    expect(!pauses);
    expect_ok(hx_destroy(handle));
}

/* All have come, and one of them stands still for so long that the others give it up: it says so, too. */
static void test_lost(void)
{
    harness_about("%s", "rank 0 has come, and stands still");
    hx_handle *handle = NULL;
    MPI_Barrier(MPI_COMM_WORLD);
    sleeps_asking = harness_rank == 0;
    s.options.deadline = 0.2;
    expect_status(HX_ERR_DEADLINE, hx_create(&s.e.spec, &s.blocks, &s.shape, &s.options, &handle));
    if (harness_rank == 1) {
        MPI_Send(NULL, 0, MPI_INT, 0, WAKE, MPI_COMM_WORLD);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

/* All have come, and rank 1 stands still before it tells rank 3 so, for longer than the deadline. */
static void test_slow_to_pass_on(void)
{
    harness_about("%s", "rank 1 is slow to pass on that all have come");
    hx_handle *handle = create(0.5);
    example_fields fields = {NULL, NULL};
    MPI_Barrier(MPI_COMM_WORLD);
    pauses_telling = harness_rank == 1;
    expect_ok(hx_alloc(handle, &fields));
    expect(!pauses_telling);
    expect_ok(hx_free(handle, &fields));
    expect_ok(hx_destroy(handle));
}

/* Two specs. */
static void test_other_create(int odd)
{
    harness_about("rank %d creates another spec", odd);
    hx_handle *handle = NULL;
    const char *name = s.e.spec.name;
    s.e.spec.name = harness_rank == odd ? "other" : name;
    s.options.deadline = 30.0;
    expect_status(HX_ERR_MISMATCH, hx_create(&s.e.spec, &s.blocks, &s.shape, &s.options, &handle));
    expect_text(hx_last_error(), "other_create");
    expect_text(hx_last_error(), "example_create");
    s.e.spec.name = name;
}

/* One rank gives up soon, while others would have gone on waiting for the first, which comes then. */
static void test_impatient(int impatient)
{
    harness_about("rank %d is impatient", impatient);
    hx_handle *handle = create(harness_rank == impatient ? 0.02 : 30.0);
    example_fields fields = {NULL, NULL};
    if (harness_rank == 0) {
        MPI_Recv(NULL, 0, MPI_INT, impatient, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    const double before = now;
    expect_status(HX_ERR_DEADLINE, hx_alloc(handle, &fields));
    expect(now - before < 10.0);
    char words[32];
    snprintf(words, sizeof words, "rank %d ", impatient);
    expect_text(hx_last_error(), words);
    if (harness_rank == impatient) {
        MPI_Send(NULL, 0, MPI_INT, 0, TAG, MPI_COMM_WORLD);
    }
    expect_ok(hx_destroy(handle));
}

int main(int argc, char **argv)
{
    harness_begin(&argc, &argv);
    harness_set(&s, "auto");
    if (harness_ranks > 1) {
        test_other_calls();
    }
    for (int rank = 0; rank < harness_ranks && harness_ranks > 1; ++rank) {
        test_late(rank);
        if (rank == 0 || rank == harness_ranks - 1) {
            test_orders(rank);
            test_late_create(rank);
            test_other_create(rank);
        }
    }
    if (harness_ranks > 1) {
        test_slow_word();
        test_lost();
    }
    if (harness_ranks > 3) {
        test_next_try();
    }
    if (harness_ranks == 4) {
        test_slow_to_pass_on();
        test_left_before();
    }
    for (int rank = 1; rank < harness_ranks; ++rank) {
        test_impatient(rank);
    }
    harness_about("the end");
    hx_handle *handle = create(30.0);
    use(handle);
    expect_ok(hx_destroy(handle));
    harness_unset(&s);
    return harness_end();
}
