#include "harness.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int harness_rank;
int harness_ranks;
static int failures;
static char about[128];

void harness_begin(int *argc, char ***argv)
{
    int initialized = 0;
    MPI_Initialized(&initialized);
    if (!initialized) {
        MPI_Init(argc, argv);
    }
    MPI_Comm_rank(MPI_COMM_WORLD, &harness_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &harness_ranks);
}

int harness_end(void)
{
    int all = 0;
    MPI_Allreduce(&failures, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    if (harness_rank == 0) {
        printf("%s on %d ranks: %d expectations failed\n", all == 0 ? "passed" : "failed", harness_ranks,
               all);
    }
    return all != 0;
}

void harness_set(harness_setting *s, const char *transport)
{
    static const int cells[] = {8, 9, 10};
    example_make(&s->e, 3, 7);
    const hx_partition request = example_partition(&s->e, cells);
    expect_ok(hx_decompose(MPI_COMM_WORLD, &request, &s->part));
    s->blocks = (hx_blocks){.comm = MPI_COMM_WORLD, .tiles = 1, .partition = &s->part.partition, .count = 1};
    s->shape = example_shape_of(&s->e, &s->part, 0);
    s->fields = example_alloc(&s->e, &s->shape);
    s->options = (hx_options)HX_OPTIONS_INIT;
    s->options.transport = transport;
}

void harness_unset(harness_setting *s)
{
    example_free(&s->fields);
}

void harness_expect_works(void)
{
    harness_setting s;
    harness_set(&s, "auto");
    s.options.deadline = 30.0;
    hx_handle *handle = NULL;
    expect_ok(hx_create(&s.e.spec, &s.blocks, &s.shape, &s.options, &handle));
    expect_ok(hx_start(handle, EXAMPLE_BOTH, &s.fields));
    expect_ok(hx_finish(handle, EXAMPLE_BOTH));
    expect_ok(hx_destroy(handle));
    harness_unset(&s);
}

int harness_failures(void)
{
    return failures;
}

void harness_about(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    memcpy(about, ", ", 3);
    vsnprintf(about + 2, sizeof about - 2, format, arguments);
    va_end(arguments);
}

/* The first few failures are said; a rank that gets everything wrong does not flood the log. */
static int is_said(void)
{
    return failures++ < 10;
}

void harness_expect(int holds, const char *what, const char *file, int line)
{
    if (!holds && is_said()) {
        printf("%s:%d: rank %d%s: not so: %s (last error: %s)\n", file, line, harness_rank, about, what,
               hx_last_error());
    }
}

void harness_expect_status(hx_status expected, hx_status found, const char *what, const char *file, int line)
{
    if (expected != found && is_said()) {
        printf("%s:%d: rank %d%s: %s gave %s, not %s: %s\n", file, line, harness_rank, about, what,
               hx_status_name(found), hx_status_name(expected), hx_last_error());
    }
}

/* Ranks that agree on a sentence again do not say again whose it is. */
static int names_rank_twice(const char *text)
{
    int unused;
    int end = 0;
    sscanf(text, "Rank %d of %d: Rank %d of %d: %n", &unused, &unused, &unused, &unused, &end);
    return end > 0;
}

void harness_expect_text(const char *text, const char *part, const char *file, int line)
{
    harness_expect(!names_rank_twice(text), "a sentence names a rank once", file, line);
    if (!strstr(text, part) && is_said()) {
        printf("%s:%d: rank %d%s: no \"%s\" in \"%s\"\n", file, line, harness_rank, about, part, text);
    }
}
