/*
 * The first, second, ... call of MPI on one rank returns an error although it was made; and the first,
 * second, ... request of libhx for memory gets none.  On every rank in turn, in create, alloc, free, start,
 * finish and destroy.
 *
 * Create, alloc and free fail on all ranks or on none.  A start or finish that fails says so, and the others
 * end, too, with what they wait for.  Destroying works, nothing is left but what a broken handle must leave,
 * and the next handle works.
 *
 * Exempt is the agreement of ranks, by --wrap: nothing can be agreed without it.  With STANDIN_EVERY=N in
 * the environment only every N-th call fails.
 */
#include "../random/session.h"
#include "check.h"
#include "comm/topology.h"
#include "exchange/alloc.h"
#include "memory/pool.h"
#include "standin.h"

#include <hx/abi.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum stage { CREATE, ALLOC, FREE, START, FINISH, DESTROY, STAGES } stage;
static const char *const stage_names[] = {"create", "alloc", "free", "start", "finish", "destroy"};

typedef enum fault { FAULT_CALL, FAULT_MEMORY } fault;

/* One run, and what each rank has seen. */
typedef struct attempt {
    const random_spec *spec;
    int way, variant, ranks;
    bool tuned; /* create measures */
    fault fault;
    stage stage;
    int guilty;
    int n;
    bool reached;
    const char *failed; /* the call */
    hx_status status[STANDIN_RANKS];
    bool fell_back;
    char about[300];
} attempt;

/* ---- what libhx calls, watched --------------------------------------------------------------- */

hx_status __real_hxi_topology_agree(MPI_Comm comm, hx_status status);
hx_status __wrap_hxi_topology_agree(MPI_Comm comm, hx_status status);
hx_status __real_hxi_topology_agree_alike(MPI_Comm comm, hx_status status, hxi_likeness *likeness);
hx_status __wrap_hxi_topology_agree_alike(MPI_Comm comm, hx_status status, hxi_likeness *likeness);
hx_status __real_hxi_topology_add_up(MPI_Comm comm, const uint64_t mine[], uint64_t sum[], int count);
hx_status __wrap_hxi_topology_add_up(MPI_Comm comm, const uint64_t mine[], uint64_t sum[], int count);
void __real_hxi_pool_abandon(hx_pool *pool, void *buffer);
void __wrap_hxi_pool_abandon(hx_pool *pool, void *buffer);

hx_status __wrap_hxi_topology_agree(MPI_Comm comm, hx_status status)
{
    standin_exempt(true);
    const hx_status agreed = __real_hxi_topology_agree(comm, status);
    standin_exempt(false);
    return agreed;
}

hx_status __wrap_hxi_topology_agree_alike(MPI_Comm comm, hx_status status, hxi_likeness *likeness)
{
    standin_exempt(true);
    const hx_status agreed = __real_hxi_topology_agree_alike(comm, status, likeness);
    standin_exempt(false);
    return agreed;
}

hx_status __wrap_hxi_topology_add_up(MPI_Comm comm, const uint64_t mine[], uint64_t sum[], int count)
{
    standin_exempt(true);
    const hx_status added = __real_hxi_topology_add_up(comm, mine, sum, count);
    standin_exempt(false);
    return added;
}

static _Thread_local long abandoned;

void __wrap_hxi_pool_abandon(hx_pool *pool, void *buffer)
{
    abandoned += buffer != NULL;
    __real_hxi_pool_abandon(pool, buffer);
}

/* What it costs to keep arrays that a peer may still write to: the set and its three tables. */
void __real_hxi_sets_free(hxi_sets *sets, int abandon);
void __wrap_hxi_sets_free(hxi_sets *sets, int abandon);

void __wrap_hxi_sets_free(hxi_sets *sets, int abandon)
{
    for (const hxi_set *set = sets->first; abandon && set; set = set->next) {
        abandoned += 4;
    }
    __real_hxi_sets_free(sets, abandon);
}

/* Calls whose answer was right all the same, or that end something: libhx need not say that they failed. */
static bool is_harmless(const char *call)
{
    static const char *const calls[] = {
        "MPI_Comm_rank",       "MPI_Comm_size", "MPI_Comm_get_errhandler", "MPI_Comm_set_errhandler",
        "MPI_Errhandler_free", "MPI_Comm_free", "MPI_Request_free",        "MPI_Type_free",
    };
    for (size_t i = 0; i < sizeof calls / sizeof *calls; ++i) {
        if (strcmp(call, calls[i]) == 0) {
            return true;
        }
    }
    return false;
}

/* ---- one rank -------------------------------------------------------------------------------- */

/* A handle on one rank, and what the rank had before. */
typedef struct subject {
    attempt *attempt;
    int rank;
    world world;
    arrays arrays;
    session session;
    session_plan plan;
    standin_holdings held;
    long live;
    bool broken;
    bool again; /* without a fault */
} subject;

static void arm(const subject *s, stage at)
{
    const attempt *a = s->attempt;
    if (at == a->stage && s->rank == a->guilty && !s->again) {
        if (a->fault == FAULT_CALL) {
            standin_fail_at(a->n);
        } else {
            standin_refuse_at(a->n);
        }
    }
}

static void disarm(subject *s, stage at, hx_status status)
{
    attempt *a = s->attempt;
    if (at != a->stage || s->again) {
        return;
    }
    a->status[s->rank] = status;
    if (s->rank == a->guilty) {
        a->failed = standin_failed();
        a->reached = standin_refused() || a->failed;
    }
}

static void check_words(hx_status status)
{
    const char *said = hx_last_error();
    const char *words = status == HX_ERR_MPI        ? "MPI says"
                        : status == HX_ERR_MEMORY   ? "no memory left"
                        : status == HX_ERR_DEADLINE ? "still waits"
                                                    : "";
    CHECK(status == HX_OK || strstr(said, words), "no word of '%s' in: %s", words, said);
}

static hx_status make(subject *s)
{
    s->session = (session){0};
    const hx_status status = session_make(&s->session, &s->plan, &s->arrays);
    CHECK(status == HX_OK || !s->session.handle, "a handle although create failed");
    check_words(status);
    return status;
}

/* Arrays that libhx allocates; where freeing them fails, destroy does it. */
static void try_fields(subject *s)
{
    const size_t size = (size_t)s->arrays.locals * s->world.spec->fields_size;
    unsigned char *fields = calloc(size + 1, 1);
    arm(s, ALLOC);
    hx_status status = hx_alloc(s->session.handle, fields);
    disarm(s, ALLOC, status);
    check_words(status);
    size_t set = 0; /* bytes of pointers */
    for (size_t i = 0; i < size; ++i) {
        set += fields[i] != 0;
    }
    CHECK(status == HX_OK || set == 0, "pointers although alloc failed");
    if (status == HX_OK) {
        arm(s, FREE);
        status = hx_free(s->session.handle, fields);
        disarm(s, FREE, status);
        check_words(status);
    }
    free(fields);
}

/* All exchanges of the spec, one after the other, until one fails. */
static void exchange_all(subject *s)
{
    const random_spec *spec = s->world.spec;
    for (int x = 0; x < spec->exchanges && !s->broken; ++x) {
        const long calls = standin_memory_calls();
        arrays_fill(&s->arrays, (unsigned)x, spec->exchange[x].add);
        oracle_expect(&s->arrays, x);
        if (x == 0) {
            arm(s, START);
        }
        hx_status status = spec->begin(s->session.handle, x, s->session.pointers);
        if (x == 0) {
            disarm(s, START, status);
        }
        check_words(status);
        if (status == HX_OK) {
            if (x == 0) {
                arm(s, FINISH);
            }
            status = spec->complete(s->session.handle, x);
            if (x == 0) {
                disarm(s, FINISH, status);
            }
            check_words(status);
        }
        s->broken = status != HX_OK;
        CHECK(standin_memory_calls() == calls, "an exchange asked for memory");
        if (!s->broken) {
            session_check(&s->session, spec->exchange[x].name);
        }
    }
}

/* The handle of an exchange that failed does nothing any more. */
static void check_broken(const subject *s)
{
    const random_spec *spec = s->world.spec;
    const hx_status status = spec->begin(s->session.handle, 0, s->session.pointers);
    CHECK(status != HX_OK && strstr(hx_last_error(), "can only be destroyed"), "a broken handle started: %s",
          hx_last_error());
}

static hx_options options_of(const attempt *a)
{
    hx_options options = session_options(a->variant);
    if (a->tuned) {
        options.transport = options.schedule = "auto";
        options.tune = 1;
    }
    return options;
}

static MPI_Errhandler handler_of(const attempt *a)
{
    return a->guilty == 0 ? MPI_ERRORS_RETURN : MPI_ERRORS_ARE_FATAL;
}

static void check_left(const subject *s)
{
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
    MPI_Comm_get_errhandler(MPI_COMM_WORLD, &handler);
    CHECK(handler == handler_of(s->attempt), "the application's handler of errors is another");
    const standin_holdings now = standin_holds();
    const bool all = !s->broken && !s->attempt->fell_back;
    CHECK(!all || now.requests == s->held.requests, "%d requests are left", now.requests);
    CHECK(!all || now.comms == s->held.comms, "%d communicators are left", now.comms);
    CHECK(!all || now.types == s->held.types, "%d datatypes are left", now.types);
    CHECK(standin_memory_live() - s->live == abandoned,
          "%ld pieces of memory are left, and %ld were abandoned", standin_memory_live() - s->live,
          abandoned);
    CHECK(!all || abandoned == 0, "%ld buffers were abandoned, though nothing broke", abandoned);
    if (!all) {
        standin_abandon();
    }
}

static void destroy(subject *s)
{
    const long calls = standin_memory_calls();
    arm(s, DESTROY);
    session_free(&s->session);
    disarm(s, DESTROY, HX_OK);
    CHECK(standin_memory_calls() == calls, "destroying asked for memory");
}

static void try_again(subject *s)
{
    s->broken = false;
    s->again = true;
    CHECK_STATUS(make(s), HX_OK);
    exchange_all(s);
    CHECK(!s->broken, "the next handle does not work");
    session_free(&s->session);
}

/* The attempt; then, sometimes, the same once more without a fault. */
static void run_rank(void *context, int rank)
{
    attempt *a = context;
    subject s = {.attempt = a, .rank = rank};
    check_init(NULL, NULL, MPI_THREAD_MULTIPLE);
    check_about("%s", a->about);
    /* Libhx hears of errors from its first call on, or only of those on communicators where it wants to. */
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler_of(a));
    world_make(&s.world, a->spec, a->way, rank, a->ranks);
    CHECK(arrays_make(&s.arrays, &s.world, 0, (unsigned)a->variant), "the grid is too large");
    s.plan = (session_plan){&s.world, MPI_COMM_WORLD, options_of(a), 0, a->variant % 2, true, NULL, 0};
    s.plan.options.deadline = 1.0;
    s.live = standin_memory_live();
    s.held = standin_holds();
    abandoned = 0;
    arm(&s, CREATE);
    const hx_status status = make(&s);
    disarm(&s, CREATE, status);
    if (status == HX_OK) {
        const char *about = a->spec->tell(s.session.handle);
        if (strstr(about, "not as chosen") || strstr(about, "nothing was measured")) {
            a->fell_back = true;
        }
        try_fields(&s);
        exchange_all(&s);
        if (s.broken) {
            check_broken(&s);
        }
    }
    MPI_Barrier(MPI_COMM_WORLD);
    destroy(&s);
    check_left(&s);
    MPI_Barrier(MPI_COMM_WORLD);

    if (a->n % 4 == 1) {
        try_again(&s);
    }
    arrays_free(&s.arrays);
    MPI_Finalize();
}

/* ---- all runs -------------------------------------------------------------------------------- */

/* What ranks may have got from the stage of the fault. */
static void judge(const attempt *a)
{
    const hx_status expected = a->fault == FAULT_CALL ? HX_ERR_MPI : HX_ERR_MEMORY;
    const bool may_pass =
        !a->reached || a->stage == DESTROY || a->fell_back || (a->failed && is_harmless(a->failed));
    for (int r = 0; r < a->ranks; ++r) {
        const hx_status got = a->status[r];
        const bool together = a->stage <= FREE;
        const bool guilty = r == a->guilty || together;
        const bool right = guilty ? (got == HX_OK && may_pass) || (got == expected && a->reached)
                                  : got == HX_OK || (got == HX_ERR_DEADLINE && a->reached);
        CHECK(right, "rank %d got %s from %s", r, hx_status_name(got), stage_names[a->stage]);
        CHECK(!together || got == a->status[0], "%s gave %s on rank 0 and %s on rank %d",
              stage_names[a->stage], hx_status_name(a->status[0]), hx_status_name(got), r);
    }
}

static bool try_fault(attempt *a)
{
    const hx_options options = options_of(a);
    snprintf(a->about, sizeof a->about, "%s, way %d on %d ranks, %s, %s: %s %d of %s fails on rank %d",
             a->spec->name, a->way, a->ranks, options.transport, options.schedule,
             a->fault == FAULT_CALL ? "call" : "piece of memory", a->n, stage_names[a->stage], a->guilty);
    a->reached = false;
    a->fell_back = false;
    a->failed = NULL;
    check_about("%s", a->about);
    standin_run(&(standin_setting){a->ranks, (uint64_t)a->n, false, a->about}, run_rank, a);
    check_about("%s, in %s", a->about, a->failed ? a->failed : "none");
    judge(a);
    return a->reached;
}

static long attempts;
static int step = 1;

/* All but create and alloc ask for no memory. */
static void try_all(const random_spec *spec, int way, int variant, int ranks)
{
    attempt a = {.spec = spec, .way = way, .variant = variant, .ranks = ranks};
    for (a.guilty = 0; a.guilty < ranks; ++a.guilty) {
        for (int s = 0; s < STAGES; ++s) {
            a.stage = (stage)s;
            for (a.n = 1, a.fault = FAULT_CALL; try_fault(&a) && check_failures() == 0; a.n += step) {
                ++attempts;
            }
        }
        for (a.stage = CREATE; a.stage <= ALLOC; ++a.stage) {
            for (a.n = 1, a.fault = FAULT_MEMORY; try_fault(&a) && check_failures() == 0; a.n += step) {
                ++attempts;
            }
        }
    }
}

/* Measuring takes many calls; of their failures, some. */
static void try_measuring(const random_spec *spec, int way, int ranks)
{
    enum { CALLS = 97, PIECES = 79 };
    attempt a = {.spec = spec, .way = way, .ranks = ranks, .tuned = true, .stage = CREATE};
    for (a.guilty = 0; a.guilty < ranks; ++a.guilty) {
        for (a.n = 1, a.fault = FAULT_CALL; try_fault(&a) && check_failures() == 0; a.n += CALLS * step) {
            ++attempts;
        }
        for (a.n = 1, a.fault = FAULT_MEMORY; try_fault(&a) && check_failures() == 0; a.n += PIECES * step) {
            ++attempts;
        }
    }
}

/* A way to divide the grid that the library must accept, from this one on. */
static int accepted_way(const random_spec *spec, int way, int ranks)
{
    char why[200];
    world w;
    while (world_make(&w, spec, way, 0, ranks) && !oracle_accepts(&w, why, sizeof why)) {
        ++way;
    }
    return way;
}

int main(void)
{
    const char *every = getenv("STANDIN_EVERY");
    step = every ? atoi(every) : 1;
    for (int i = 0; i < random_specs_count && check_failures() == 0; ++i) {
        const int ranks = 2 + i % 2;
        const int way = accepted_way(random_specs[i], i % 2 == 0 ? 0 : 3, ranks);
        try_all(random_specs[i], way, i % SESSION_VARIANTS, ranks);
        try_measuring(random_specs[i], way, ranks);
    }
    printf("%ld faults: %ld failures\n", attempts, check_failures());
    return check_failures() != 0;
}
