/*
 * What create makes of what it measures, on 1 to 4 ranks: each rank has a clock of its own, which goes on
 * when an exchange is finished, by as much as the test says.
 */
#define _POSIX_C_SOURCE 200809L
#include "base/status.h"
#include "exchange/handle.h"
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sys/stat.h>

/* As auto knows them; the first pair is what it takes without measuring. */
enum { SHARED, PERSISTENT, TRANSPORTS };
enum { BY_DIMENSION, ONE_PHASE, SCHEDULES };
static const char *const transports[] = {"shared", "persistent"};

static harness_setting s;
static hx_handle *handle;
static char path[64];

/* ---- time ---------------------------------------------------------------------------------------------- */

static double now;
static double passes; /* with each look at the clock, after the start that fails */
static double microseconds[TRANSPORTS][SCHEDULES]; /* of an exchange, on this rank */
static int finished;                               /* exchanges */
static int fails_at;                               /* the start that fails on the last rank; 0: none */
static int started;
static size_t largest;  /* bytes of arrays in which exchanges were started */
static size_t messages; /* bytes of an exchange in words; 0: as many as there are */

double __wrap_hxi_clock(void);
hx_status __real_hx_start(hx_handle *h, int exchange, const void *fields);
hx_status __wrap_hx_start(hx_handle *h, int exchange, const void *fields);
hx_status __real_hx_finish(hx_handle *h, int exchange);
hx_status __wrap_hx_finish(hx_handle *h, int exchange);

size_t __real_hxi_plan_buffer_bytes(const hxi_plan *plan, bool boxes);
size_t __wrap_hxi_plan_buffer_bytes(const hxi_plan *plan, bool boxes);

double __wrap_hxi_clock(void)
{
    now += fails_at > 0 && started >= fails_at ? passes : 0.0;
    return now;
}

size_t __wrap_hxi_plan_buffer_bytes(const hxi_plan *plan, bool boxes)
{
    return messages > 0 ? messages : __real_hxi_plan_buffer_bytes(plan, boxes);
}

/* Arrays that are longer than the memory behind them find it again there. */
static void look_at_arrays(const hxi_set *set)
{
    enum { MEMORY = 8 << 20 };
    const hxi_node_memory *m = &set->memory;
    largest = m->bytes > largest ? m->bytes : largest;
    expect(m->shared && m->real == MEMORY);
    for (size_t at = 0; at + MEMORY < m->bytes; at += MEMORY) {
        m->own[at + 17] = (unsigned char)(at / MEMORY + 1);
        expect(m->own[17] == m->own[at + 17] && m->own[at + MEMORY + 17] == m->own[17]);
    }
}

hx_status __wrap_hx_start(hx_handle *h, int exchange, const void *fields)
{
    if (h->sets.first) {
        look_at_arrays(h->sets.first);
    }
    return ++started == fails_at && harness_rank == harness_ranks - 1
               ? hxi_fail(HX_ERR_MPI, "This start fails by design.")
               : __real_hx_start(h, exchange, fields);
}

static const char *transport_of(const hxi_plan *plan)
{
    return plan->routes.transport[plan->routes.transports - 1]->name;
}

hx_status __wrap_hx_finish(hx_handle *h, int exchange)
{
    const hx_status status = __real_hx_finish(h, exchange);
    const hxi_plan *plan = &h->plan[exchange];
    for (int t = 0; t < TRANSPORTS; ++t) {
        if (strcmp(transport_of(plan), transports[t]) == 0) {
            now += 1e-6 * microseconds[t][plan->schedule.by_dimension ? BY_DIMENSION : ONE_PHASE];
        }
    }
    ++finished;
    return status;
}

static void set_times(double all)
{
    for (int t = 0; t < TRANSPORTS; ++t) {
        for (int i = 0; i < SCHEDULES; ++i) {
            microseconds[t][i] = all;
        }
    }
}

/* ---- handles ------------------------------------------------------------------------------------------- */

static char said[4 * HX_SENTENCE];

static void keep_line(void *context, int level, const char *line)
{
    (void)context;
    const size_t length = strlen(said);
    snprintf(said + length, sizeof said - length, "%s: %s\n", level == HX_LOG_WARNING ? "warning" : "info",
             line);
}

/* cells: of each rank along x, if there is one after the other. */
static void begin(int cells)
{
    harness_set(&s, "auto");
    example_free(&s.fields);
    const hx_partition request = example_partition(&s.e, (int[]){cells * harness_ranks, 9, 10});
    expect_ok(hx_decompose(MPI_COMM_WORLD, &request, &s.part));
    s.shape = example_shape_of(&s.e, &s.part, 0);
    s.fields = example_alloc(&s.e, &s.shape);
    s.options.tune = 1;
    s.options.log = keep_line;
    s.options.log_level = HX_LOG_INFO;
    set_times(20.0);
    passes = 0.0;
    fails_at = 0;
}

static hx_status try_create(const hx_options *options, hx_handle **made)
{
    return hx_create(&s.e.spec, &s.blocks, &s.shape, options, made);
}

static void create(void)
{
    started = finished = 0;
    said[0] = '\0';
    expect_ok(try_create(&s.options, &handle));
}

/* Elements of an array, ghost points included. */
static size_t count(int field)
{
    int last[HX_MAX_AXES] = {0};
    for (int a = 0; a < s.e.spec.axes; ++a) {
        last[a] = s.shape.part.n[a] + s.e.field[field].halo_hi[a] - 1;
    }
    return (size_t)example_at(&s.e, &s.shape, field, last) + 1;
}

/* A number that all elements have part in, after each exchange. */
static double exchange_all(hx_handle *h)
{
    double sum = 0.0;
    for (int e = 0; e < EXAMPLE_EXCHANGES; ++e) {
        for (size_t i = 0; i < count(EXAMPLE_A); ++i) {
            s.fields.a[i] = 1000.0 * harness_rank + (double)i;
        }
        for (size_t i = 0; i < count(EXAMPLE_B); ++i) {
            s.fields.b[i] = 1000 * harness_rank + (int)i;
        }
        expect_ok(hx_start(h, e, &s.fields));
        expect_ok(hx_finish(h, e));
        for (size_t i = 0; i < count(EXAMPLE_A); ++i) {
            sum = 0.999 * sum + s.fields.a[i];
        }
        for (size_t i = 0; i < count(EXAMPLE_B); ++i) {
            sum = 0.999 * sum + s.fields.b[i];
        }
    }
    return sum;
}

/* It works, and gives what p2p gives. */
static void destroy(void)
{
    hx_options plain = HX_OPTIONS_INIT;
    plain.transport = "p2p";
    plain.schedule = "one-phase";
    hx_handle *reference = NULL;
    expect_ok(try_create(&plain, &reference));
    const double expected = exchange_all(reference);
    const double found = exchange_all(handle);
    expect(memcmp(&found, &expected, sizeof found) == 0);
    expect_ok(hx_destroy(reference));
    expect_ok(hx_destroy(handle));
}

static void end(void)
{
    harness_unset(&s);
}

/* ---- what came of it ----------------------------------------------------------------------------------- */

/* The part of the description about an exchange. */
static const char *about(int exchange)
{
    char title[64];
    snprintf(title, sizeof title, "  exchange %s (", s.e.exchange[exchange].name);
    const char *found = strstr(hx_describe(handle), title);
    expect(found != NULL);
    return found ? found : "";
}

/* Only the box has two schedules; and transports differ only where there are others. */
static void expect_way(int exchange, int transport, int schedule)
{
    const hxi_plan *plan = &handle->plan[exchange];
    expect(harness_ranks == 1 || strcmp(transport_of(plan), transports[transport]) == 0);
    expect(plan->schedule.by_dimension == (exchange == EXAMPLE_BOTH && schedule == BY_DIMENSION));
}

/* Each rank says of an exchange what rank 0 says. */
static void expect_agreement(int exchange)
{
    const char *measured = strstr(about(exchange), "measured: ");
    char first[512] = "";
    snprintf(first, sizeof first, "%.*s", measured ? (int)strcspn(measured, "\n") : 0, measured);
    MPI_Bcast(first, (int)sizeof first, MPI_BYTE, 0, MPI_COMM_WORLD);
    expect_text(about(exchange), first);
}

/* Nobody is asked what they see alone: the slowest rank counts. */
static void test_ranks_that_differ(void)
{
    begin(5);
    if (harness_rank == 0) { /* which would stay with the default */
        microseconds[SHARED][BY_DIMENSION] = 10.0;
    } else { /* where it is the slowest */
        set_times(50.0);
        microseconds[SHARED][BY_DIMENSION] = 100.0;
        microseconds[PERSISTENT][ONE_PHASE] = 30.0;
    }
    create();
    expect_way(EXAMPLE_BOTH, PERSISTENT, harness_ranks == 1 ? BY_DIMENSION : ONE_PHASE);
    expect_way(EXAMPLE_STAR, PERSISTENT, ONE_PHASE);
    if (harness_ranks == 1) {
        expect_text(about(EXAMPLE_BOTH),
                    "    measured: shared by-dimension 10.0 us, shared one-phase 20.0 us\n");
    } else {
        expect_text(about(EXAMPLE_BOTH),
                    "    one phase: as was measured\n"
                    "    measured: persistent one-phase 30.0 us, shared by-dimension 100.0 us, persistent "
                    "by-dimension 50.0 us, shared one-phase 50.0 us\n");
        expect_text(about(EXAMPLE_STAR),
                    "    one phase: its stencil, components or links do not go along axes\n"
                    "    measured: persistent 30.0 us, shared 50.0 us\n");
        expect_text(hx_describe(handle),
                    "  transport of each exchange: the fastest when measured (the default)\n");
    }
    expect_agreement(EXAMPLE_BOTH);
    expect_agreement(EXAMPLE_STAR);
    destroy();
    end();
}

static void test_each_way(void)
{
    begin(5);
    for (int t = 0; t < (harness_ranks > 1 ? TRANSPORTS : 1); ++t) {
        for (int i = 0; i < SCHEDULES; ++i) {
            set_times(20.0);
            microseconds[t][i] = 18.0;
            create();
            expect_way(EXAMPLE_BOTH, t, i);
            expect_way(EXAMPLE_STAR, i == ONE_PHASE ? t : SHARED, ONE_PHASE);
            destroy();
        }
    }
    end();
}

/* As fast, or not much faster: all stays as it is, and the log has the figures. */
static void test_ties(void)
{
    static const double near[] = {20.0, 19.5};
    begin(5);
    for (int i = 0; i < 2; ++i) {
        set_times(near[i]);
        microseconds[SHARED][BY_DIMENSION] = 20.0;
        create();
        expect_way(EXAMPLE_BOTH, SHARED, BY_DIMENSION);
        expect_text(about(EXAMPLE_BOTH),
                    "    by dimension: as was measured\n    measured: shared by-dimension 20.0 us, ");
        if (harness_rank == 0) {
            expect_text(said,
                        "info: example.lua:7: exchange \"both\", measured: shared by-dimension 20.0 us, ");
        } else {
            expect(strstr(said, "measured: ") == NULL);
        }
        destroy();
    }
    end();
}

/* By default nothing is measured: a rule chooses, and says why. */
static void test_default(void)
{
    begin(5);
    microseconds[PERSISTENT][ONE_PHASE] = 1.0;
    microseconds[SHARED][ONE_PHASE] = 1.0;
    s.options.tune = ((hx_options)HX_OPTIONS_INIT).tune;
    create();
    expect(finished == 0);
    expect_way(EXAMPLE_BOTH, SHARED, BY_DIMENSION);
    expect_way(EXAMPLE_STAR, SHARED, ONE_PHASE);
    expect(strstr(hx_describe(handle), "measured") == NULL);
    expect_text(hx_describe(handle), "  transport shared (the default)\n");
    if (harness_ranks > 1) {
        expect_text(hx_describe(handle),
                    "    shared: one message, packed into memory that both share, per peer and exchange\n");
    }
    expect_text(about(EXAMPLE_BOTH),
                "    by dimension: all ranks are on one machine, where that is faster\n");
    destroy();
    end();
}

/* Only what is left to auto is measured. */
static void test_what_is_named(void)
{
    begin(5);
    microseconds[SHARED][ONE_PHASE] = 1.0;
    microseconds[PERSISTENT][ONE_PHASE] = 10.0;
    s.options.transport = "persistent";
    create();
    expect_way(EXAMPLE_BOTH, PERSISTENT, ONE_PHASE);
    expect_text(about(EXAMPLE_BOTH),
                "    measured: persistent one-phase 10.0 us, persistent by-dimension 20.0 us\n");
    expect_text(hx_describe(handle), "  transport persistent (option transport)\n");
    destroy();
    s.options.transport = "auto";
    s.options.schedule = "by-dimension";
    create();
    expect_way(EXAMPLE_BOTH, SHARED, BY_DIMENSION);
    expect_way(EXAMPLE_STAR, SHARED, ONE_PHASE);
    expect_text(about(EXAMPLE_STAR),
                harness_ranks > 1 ? "measured: shared 1.0 us, persistent 10.0 us\n" : "");
    expect_text(about(EXAMPLE_BOTH), "    by dimension: option schedule\n");
    expect(strstr(about(EXAMPLE_BOTH), " one-phase ") == NULL);
    destroy();
    for (int i = 0; i < 2; ++i) { /* nothing is left; or the transport is never measured */
        s.options.transport = i == 0 ? "persistent" : "p2p";
        s.options.schedule = i == 0 ? "one-phase" : "auto";
        create();
        expect(finished == 0);
        expect(strstr(hx_describe(handle), "measured") == NULL);
        destroy();
    }
    end();
}

static void test_options_that_differ(void)
{
    begin(5);
    s.options.tune = harness_rank != harness_ranks - 1;
    if (harness_ranks > 1) {
        expect_status(HX_ERR_MISMATCH, try_create(&s.options, &handle));
        expect_text(hx_last_error(), "options tune 0 and cycles 0.  Rank 0: options tune 1 and cycles 0");
    }
    end();
}

/* A start fails on one rank while it measures; the others wait for its messages, but not for ever. */
static void test_failures(void)
{
    for (int n = 1; n < 14; n += 6) {
        begin(5);
        passes = 0.1;
        fails_at = n;
        create();
        expect_text(hx_describe(handle), "  nothing was measured (option tune): Rank ");
        expect_way(EXAMPLE_BOTH, SHARED, BY_DIMENSION);
        expect_text(about(EXAMPLE_BOTH), "all ranks are on one machine");
        if (harness_rank == 0) {
            expect_text(said, "warning: example.lua: nothing was measured (option tune): Rank ");
        }
        fails_at = 0;
        destroy();
        end();
    }
}

static int count_lines(void)
{
    int lines = 0;
    FILE *file = harness_rank == 0 ? fopen(path, "r") : NULL;
    for (int c = file ? fgetc(file) : EOF; c != EOF; c = fgetc(file)) {
        lines += c == '\n';
    }
    if (file) {
        fclose(file);
    }
    MPI_Bcast(&lines, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return lines;
}

/* Measuring ends when its time is over. */
static void test_no_time(void)
{
    begin(5);
    set_times(20e3);
    create();
    expect(finished == 3); /* the least for one figure */
    expect_way(EXAMPLE_BOTH, SHARED, BY_DIMENSION);
    expect_text(hx_describe(handle),
                "  nothing was measured (option tune): It takes longer than the 50 ms that there are.\n");
    destroy();
    end();
}

/* What was measured by then counts, but is not kept. */
static void test_little_time(void)
{
    begin(5);
    set_times(5e3);
    microseconds[PERSISTENT][BY_DIMENSION] = 1e3;
    microseconds[SHARED][ONE_PHASE] = 2e3; /* of the star, too */
    microseconds[PERSISTENT][ONE_PHASE] = 30e3;
    s.options.tune_file = path;
    create();
    if (harness_ranks > 1) {
        expect_way(EXAMPLE_BOTH, PERSISTENT, BY_DIMENSION);
        expect_text(about(EXAMPLE_BOTH),
                    "    measured: persistent by-dimension 1000.0 us, shared by-dimension "
                    "5000.0 us; there was no time for more\n");
        expect_text(about(EXAMPLE_STAR), "    measured: shared 2000.0 us, persistent 30000.0 us\n");
        expect(count_lines() == 3);
    }
    destroy();
    if (harness_rank == 0) {
        remove(path);
    }
    end();
}

/* As long as the real ones, in less memory. */
static void test_long_arrays(void)
{
    begin(8000);
    set_times(2e3); /* for few rounds */
    largest = 0;
    create();
    expect(finished > 0 && largest > (size_t)10 << 20);
    destroy();
    end();
}

/* Nor are messages that take as much memory as that. */
static void test_large_messages(void)
{
    begin(5);
    messages = 13 << 20; /* and there are two exchanges */
    create();
    expect(finished == 0);
    expect_text(
        hx_describe(handle),
        "  nothing was measured (option tune): The messages of a rank have more than 25165824 bytes.\n");
    messages = 0;
    destroy();
    end();
}

/* Memory that may not be there is not asked for. */
static void test_large_arrays(void)
{
    begin(400000);
    create();
    expect(finished == 0);
    expect_text(
        hx_describe(handle),
        "  nothing was measured (option tune): The arrays of a rank have more than 268435456 bytes.\n");
    expect_ok(hx_destroy(handle));
    end();
}

/* ---- the file ------------------------------------------------------------------------------------------ */

/* Of the file as it is; another one once it was written. */
static ino_t number_of_file(void)
{
    struct stat found = {0};
    expect(harness_rank != 0 || stat(path, &found) == 0);
    return found.st_ino;
}

/* Two lines say what the file is; a rank alone has nothing to choose for the star. */
static int lines_of(int runs)
{
    return 2 + runs * (harness_ranks > 1 ? EXAMPLE_EXCHANGES : 1);
}

static void test_file(void)
{
    begin(5);
    s.options.tune_file = harness_rank == 0 ? path : "/nowhere/at/all";
    microseconds[SHARED][ONE_PHASE] = 5.0;
    create();
    expect_way(EXAMPLE_BOTH, SHARED, ONE_PHASE);
    expect(finished > 0);
    expect(count_lines() == lines_of(1));
    expect(strstr(said, "warning") == NULL);
    destroy();

    set_times(20.0); /* what is stored counts */
    const ino_t number = number_of_file();
    create();
    expect(finished == 0);
    expect(number_of_file() == number);
    expect_way(EXAMPLE_BOTH, SHARED, ONE_PHASE);
    expect_text(about(EXAMPLE_BOTH),
                "    one phase: as was measured before\n    measured before: shared one-phase 5.0 us, ");
    expect_text(about(EXAMPLE_BOTH), harness_rank == 0 ? path : "(tune_file of rank 0)");
    expect(count_lines() == lines_of(1));
    destroy();

    s.options.check = 1; /* other messages, other figures */
    create();
    expect(finished > 0);
    expect_way(EXAMPLE_BOTH, SHARED, BY_DIMENSION);
    expect(count_lines() == lines_of(2));
    destroy();
    end();

    begin(6); /* another partition */
    s.options.tune_file = path;
    create();
    expect(finished > 0);
    expect(count_lines() == lines_of(3));
    destroy();
    end();
}

/* Puts another word for the transport of every line. */
static void spoil_file(const char *word)
{
    char text[1 << 14];
    FILE *file = fopen(path, "r");
    text[file ? fread(text, 1, sizeof text - 1, file) : 0] = '\0';
    file = file ? freopen(path, "w", file) : NULL;
    expect(file != NULL);
    for (char *line = strtok(text, "\n"); line && file; line = strtok(NULL, "\n")) {
        const char *tab = strchr(line, '\t');
        const char *next = tab ? strchr(tab + 1, '\t') : NULL;
        if (next) {
            fprintf(file, "%.*s\t%s%s\n", (int)(tab - line), line, word, next);
        }
    }
    if (file) {
        fclose(file);
    }
}

/* A transport that there is not, or that auto never takes: it is measured again, and stored anew. */
static void test_file_that_does_not_apply(void)
{
    static const char *const word[] = {"pigeon", "rma"};
    for (int i = 0; i < 2; ++i) {
        begin(5);
        if (harness_rank == 0) {
            spoil_file(word[i]);
        }
        s.options.tune_file = path;
        create();
        expect(finished > 0);
        expect_text(about(EXAMPLE_BOTH), "    measured: shared by-dimension 20.0 us");
        if (harness_rank == 0) {
            char words[64];
            snprintf(words, sizeof words, "\"%s\" with schedule", word[i]);
            expect_text(said, "warning: /tmp/hx-measure-");
            expect_text(said, words);
            expect_text(said, "cannot be chosen here; it is measured again");
        }
        destroy();
        create();
        expect(finished == 0);
        destroy();
        end();
    }
}

int main(int argc, char **argv)
{
    harness_begin(&argc, &argv);
    if (harness_rank == 0) {
        snprintf(path, sizeof path, "/tmp/hx-measure-XXXXXX");
        expect(mkstemp(path) >= 0);
        remove(path);
    }
    test_ranks_that_differ();
    test_each_way();
    test_ties();
    test_default();
    test_what_is_named();
    test_options_that_differ();
    test_failures();
    test_no_time();
    test_little_time();
    test_long_arrays();
    test_large_arrays();
    test_large_messages();
    test_file();
    test_file_that_does_not_apply();
    if (harness_rank == 0) {
        remove(path);
    }
    return harness_end();
}
