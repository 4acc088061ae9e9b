/*
 * Partitioned messages: threads mark what they have packed, never more than that; and where the MPI lacks them, or they
 * do not work on one rank, every rank goes by persistent requests, and says so.  The same bits as p2p.
 *
 * Compiled so that short messages have several portions and are divided among threads.  Any number of ranks.
 */
#include "base/clock.h"
#include "example.h"
#include "harness.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 3, STEPS = 3 };

typedef enum fault { NO_FAULT, NO_INIT, NO_MARK, OTHER_BYTES, NO_END, FAULTS } fault;

static fault present; /* on the last rank; NO_MARK on all: who cannot mark sends nothing more */

/* Time stands still unless ranks wait for what never comes: else a busy machine could end a probe. */
double __real_hxi_clock(void);
double __wrap_hxi_clock(void);

double __wrap_hxi_clock(void)
{
    return present == NO_END ? __real_hxi_clock() : 0.0;
}

/* ---- what the library tells MPI ------------------------------------------------------------------------ */

#ifdef HX_MPI_PARTITIONED
enum { PARTITIONED = 1 };
#else
enum { PARTITIONED = 0 };
#endif

enum { MOST_SENDS = 128, MOST_BYTES = 1 << 14 };

/* A partitioned message that is sent, and its bytes as they were when they were marked. */
typedef struct sent {
    MPI_Request request;
    const unsigned char *buffer;
    size_t unit;
    int portions;
    int marks;
    unsigned char ready[MOST_BYTES];
} sent;

static sent messages[MOST_SENDS];
static int count;
static int early; /* marks while the team packs */
static bool packing;

#ifdef HX_MPI_PARTITIONED
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int has(fault f)
{
    return present == f && harness_rank == harness_ranks - 1;
}

int MPI_Psend_init(const void *buffer, int portions, MPI_Count each, MPI_Datatype type, int to, int tag,
                   MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    const int code = PMPI_Psend_init(buffer, portions, each, type, to, tag, comm, info, request);
    int size = 0;
    MPI_Type_size(type, &size);
    expect(count < MOST_SENDS && portions * size <= MOST_BYTES);
    messages[count++] =
        (sent){.request = *request, .buffer = buffer, .unit = (size_t)size, .portions = portions};
    return has(NO_INIT) ? MPI_ERR_OTHER : code;
}

int MPI_Pready(int portion, MPI_Request request)
{
    pthread_mutex_lock(&lock);
    for (int i = 0; i < count; ++i) {
        sent *s = &messages[i];
        if (s->request == request && portion >= 0 && portion < s->portions) {
            const size_t at = (size_t)portion * s->unit;
            memcpy(s->ready + at, s->buffer + at, s->unit);
            if (has(OTHER_BYTES)) {
                memset((unsigned char *)(uintptr_t)s->buffer + at, 0, s->unit);
            }
            s->marks++;
        }
    }
    early += packing;
    pthread_mutex_unlock(&lock);
    const int code = has(NO_END) ? MPI_SUCCESS : PMPI_Pready(portion, request);
    return present == NO_MARK ? MPI_ERR_OTHER : code;
}
#endif

/* ---- settings ------------------------------------------------------------------------------------------ */

static int warnings;
static char warning[1024]; /* the last */

static void take_warning(void *context, int level, const char *line)
{
    (void)context;
    warnings += level == HX_LOG_WARNING;
    strncpy(warning, line, sizeof warning - 1);
}

static void set(harness_setting *s, const char *transport)
{
    harness_set(s, transport);
    s->options.deadline = 30.0;
    s->options.log_level = HX_LOG_WARNING;
    s->options.log = take_warning;
    warnings = 0;
    count = 0;
}

static void fill(const harness_setting *s, int step)
{
    const size_t a = hx_points(&s->e.spec, &s->shape, EXAMPLE_A);
    const size_t b = hx_points(&s->e.spec, &s->shape, EXAMPLE_B);
    for (size_t i = 0; i < a; ++i) {
        s->fields.a[i] = (double)(harness_rank + 1) * 1e6 + (double)(step + 1) * 1e4 + (double)i;
    }
    for (size_t i = 0; i < b; ++i) {
        s->fields.b[i] = (int)(1000 * (harness_rank + 1) + 100 * (step + 1)) + (int)i;
    }
}

static void exchange(const harness_setting *s, hx_handle *handle, int step)
{
    fill(s, step);
    expect_ok(hx_start(handle, EXAMPLE_BOTH, &s->fields));
    expect_ok(hx_finish(handle, EXAMPLE_BOTH));
}

static void expect_same(const harness_setting *s, const harness_setting *other)
{
    expect(memcmp(s->fields.a, other->fields.a,
                  hx_points(&s->e.spec, &s->shape, EXAMPLE_A) * sizeof *s->fields.a) == 0);
    expect(memcmp(s->fields.b, other->fields.b,
                  hx_points(&s->e.spec, &s->shape, EXAMPLE_B) * sizeof *s->fields.b) == 0);
}

/* ---- threads that mark --------------------------------------------------------------------------------- */

typedef struct member {
    pthread_t thread;
    hx_team_work_fn *work;
    void *data;
    int number;
} member;

static void *work(void *argument)
{
    const member *m = argument;
    m->work(m->data, m->number, THREADS);
    return NULL;
}

/* The last threads first, and this one after all others. */
static void run_team(void *state, int threads, hx_team_work_fn *run, void *data)
{
    member m[THREADS];
    (void)state;
    (void)threads;
    packing = true;
    for (int i = THREADS - 1; i > 0; --i) {
        m[i] = (member){.work = run, .data = data, .number = i};
        pthread_create(&m[i].thread, NULL, work, &m[i]);
    }
    for (int i = 1; i < THREADS; ++i) {
        pthread_join(m[i].thread, NULL);
    }
    run(data, 0, THREADS);
    packing = false;
}

/* Each portion once, with the bytes that were sent; those of the other exchange by the probe alone. */
static void expect_marks(int marks)
{
    for (int i = 0; i < count; ++i) {
        const sent *s = &messages[i];
        expect(s->marks == s->portions || s->marks == marks * s->portions);
        expect(memcmp(s->ready, s->buffer, (size_t)s->portions * s->unit) == 0);
    }
}

/* checked: messages begin with a header, which is written when all is packed. */
static void test_marks(int checked, const char *schedule, bool may)
{
    static const hx_team team = {run_team, NULL};
    harness_setting s;
    harness_setting plain;
    hx_handle *handle = NULL;
    hx_handle *reference = NULL;
    set(&plain, "p2p");
    plain.options.schedule = schedule;
    expect_ok(hx_create(&plain.e.spec, &plain.blocks, &plain.shape, &plain.options, &reference));
    set(&s, "partitioned");
    s.options.schedule = schedule;
    s.options.check = checked;
    s.options.threads = THREADS;
    s.options.team = &team;
    expect_ok(hx_create(&s.e.spec, &s.blocks, &s.shape, &s.options, &handle));
    expect((warnings > 0) == (!PARTITIONED && harness_ranks > 1));
    early = 0;
    for (int step = 0; step < STEPS; ++step) {
        exchange(&plain, reference, step);
        exchange(&s, handle, step);
        expect_same(&s, &plain);
        expect_marks(step + 2); /* once by the probe */
    }
    expect((early > 0) == (PARTITIONED && may && harness_ranks > 1));
    expect_ok(hx_destroy(handle));
    expect_ok(hx_destroy(reference));
    harness_unset(&s);
    harness_unset(&plain);
}

/* ---- faults -------------------------------------------------------------------------------------------- */

static void test_fault(fault f)
{
    static const char *const reason[] = {
        [NO_FAULT] = "",
        [NO_INIT] = "MPI_Psend_init",
        [NO_MARK] = "MPI_Pready on rank",
        [OTHER_BYTES] = "which sent",
        [NO_END] = "took more than 1 seconds",
    };
    harness_setting s;
    hx_handle *handle = NULL;
    set(&s, "partitioned");
    present = f;
    expect_ok(hx_create(&s.e.spec, &s.blocks, &s.shape, &s.options, &handle));
    present = NO_FAULT;
    if ((PARTITIONED && f == NO_FAULT) || harness_ranks == 1) {
        expect(warnings == 0);
        expect(strstr(hx_describe(handle), "persistent") == NULL);
    } else {
        const char *words = PARTITIONED ? reason[f] : "Build it with MPICH 4 or Open MPI 5";
        expect(warnings >= EXAMPLE_EXCHANGES);
        expect_text(warning, "travels by persistent, not by partitioned: Rank ");
        expect_text(warning, words);
        expect_text(hx_describe(handle), "by persistent, not as chosen: Rank ");
        expect_text(hx_describe(handle), words);
    }
    exchange(&s, handle, 0);
    expect_ok(hx_destroy(handle));
    harness_unset(&s);
}

int main(int argc, char **argv)
{
    int level = MPI_THREAD_SINGLE;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    harness_begin(&argc, &argv);
    for (int checked = 0; checked < 2; ++checked) {
        test_marks(checked, "one-phase", level == MPI_THREAD_MULTIPLE);
        test_marks(checked, "by-dimension", level == MPI_THREAD_MULTIPLE);
    }
    const fault first = argc > 1 ? (fault)atoi(argv[1]) : NO_FAULT;
    for (fault f = first; f < (argc > 1 ? first + 1 : FAULTS); ++f) {
        test_fault(f);
    }
    return harness_end();
}
