/*
 * Messages that receivers copy from their senders' arrays, on 1 to 4 ranks, one of which has no blocks if
 * there are four: that they do, with what p2p brings; that arrays of all kinds may be given; and that who
 * offers waits for readers, but never for one to come.
 *
 * Compiled with HX_DIRECT_SHORTEST as 1.
 */
#include "base/clock.h"
#include "exchange/handle.h"
#include "harness.h"
#include "sample.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { READERS = 3, BEING_READ = 3, STATES = 4 }; /* the latter as in transport/shared.c */

typedef sample_fields set[SAMPLE_BLOCKS];

static sample s;
static set plain; /* arrays of the test */
static hx_handle *reference;
static hx_handle *handle;

static hx_handle *create(const char *transport, const char *schedule, double deadline, int check)
{
    hx_options options = HX_OPTIONS_INIT;
    hx_handle *made = NULL;
    options.transport = transport;
    options.schedule = schedule;
    options.deadline = deadline;
    options.check = check;
    expect_ok(sample_create(&s, &options, &made));
    return made;
}

static void begin(const char *schedule, double deadline, int check)
{
    static const int cells[] = {6, 5, 4};
    static const int parts[] = {3, 2, 1};
    sample_make(&s, SAMPLE_AXES, 1);
    sample_divide(&s, cells, parts, harness_ranks > READERS ? READERS : harness_ranks);
    memcpy(plain, s.fields, sizeof plain);
    reference = create("p2p", "one-phase", 30.0, 0);
    handle = create("shared-pull", schedule, deadline, check);
}

static void end(void)
{
    memcpy(s.fields, plain, sizeof plain);
    expect_ok(hx_destroy(handle));
    expect_ok(hx_destroy(reference));
    sample_release(&s);
}

/* Is there anybody to pull from? */
static bool has_peers(void)
{
    return harness_ranks > 1 && s.blocks > 0;
}

static void number_elements(sample *unused, const sample_element *e, void *next)
{
    (void)unused;
    double *number = next;
    *e->value = (*number)++;
}

static void fill(set f, int salt)
{
    double number = 1000000.0 * harness_rank + 100000.0 * salt;
    memcpy(s.fields, f, sizeof plain);
    sample_visit(&s, -1, number_elements, &number);
}

static size_t bytes_of(int block, int field)
{
    return hx_points(&s.spec, &s.shape[block], field) * sizeof(double);
}

static void expect_same(set f)
{
    for (int b = 0; b < s.blocks; ++b) {
        for (int i = 0; i < SAMPLE_FIELDS; ++i) {
            expect(memcmp(plain[b].array[i], f[b].array[i], bytes_of(b, i)) == 0);
        }
    }
}

static void spoil_element(sample *unused, const sample_element *e, void *context)
{
    (void)unused;
    (void)context;
    *e->value = -1.0;
}

static void spoil(set f)
{
    memcpy(s.fields, f, sizeof plain);
    sample_visit(&s, -1, spoil_element, NULL);
}

/* What the exchange should bring, into the arrays of the test. */
static void prepare(int salt)
{
    fill(plain, salt);
    expect_ok(hx_start(reference, SAMPLE_COPY, plain));
    expect_ok(hx_finish(reference, SAMPLE_COPY));
}

static const hx_binding *binding_of(int exchange)
{
    const hx_phase *phase = &handle->plan[exchange].phase[0];
    return &phase->binding[phase->bindings - 1];
}

/* Messages of the last exchange that came from arrays, or that did not though they might; from any peer (-1).
 */
static int count_messages(bool read, int peer)
{
    const hx_binding *binding = binding_of(SAMPLE_COPY);
    int count = 0;
    for (int i = 0; i < binding->receives; ++i) {
        const hx_message *m = &binding->receive[i];
        count += m->pulled && m->direct == read && (peer < 0 || m->peer == peer);
    }
    return count;
}

static bool says(const char *words)
{
    return strstr(hx_describe(handle), words) != NULL;
}

/* ---- what comes ---------------------------------------------------------------------------------------- */

/* Two sets take turns, and one has arrays from both. */
static void test_sets(void)
{
    begin("auto", 30.0, 0);
    set f[3];
    expect_ok(hx_alloc(handle, f[0]));
    expect_ok(hx_alloc(handle, f[1]));
    memcpy(f[2], f[0], sizeof f[2]);
    for (int b = 0; b < s.blocks; ++b) {
        f[2][b].array[SAMPLE_F] = f[1][b].array[SAMPLE_F];
    }
    expect(has_peers() ==
           says("    pulled: where the sender's arrays are of alloc or in a registered window\n"));
    expect(has_peers() == says(", pulled from its arrays 0 times"));
    expect(has_peers() == says(", pulled by it"));
    int read = 0;
    for (int round = 0; round < 12; ++round) {
        set *used = &f[(round + (round > 5 ? harness_rank : 0)) % 3]; /* ranks need not do the same */
        prepare(round);
        fill(f[0], 50);
        fill(f[1], 51);
        fill(*used, round);
        expect_ok(hx_start(handle, SAMPLE_COPY, *used));
        expect_ok(hx_finish(handle, SAMPLE_COPY));
        expect_same(*used);
        read += count_messages(true, -1); /* not all of them if a rank does not run for a while */
    }
    expect(has_peers() == (read > 0));
    char words[40];
    snprintf(words, sizeof words, " arrays %d time", read);
    expect(harness_ranks != 2 || says(words)); /* one message a round */
    end();
}

/* Rank 0 gives one array that is in no set: what it sends is packed, and nothing else. */
static void test_other_arrays(void)
{
    begin("auto", 30.0, 0);
    set f;
    expect_ok(hx_alloc(handle, f));
    int read[] = {0, 0};
    double *known = f[0].array[SAMPLE_U];
    double *other = s.blocks > 0 ? malloc(bytes_of(0, SAMPLE_U)) : NULL;
    for (int round = 0; round < 6; ++round) {
        const bool packs = round % 2 == 1;
        f[0].array[SAMPLE_U] = packs && harness_rank == 0 ? other : known;
        prepare(round);
        fill(f, round);
        expect_ok(hx_start(handle, SAMPLE_COPY, f));
        expect_ok(hx_finish(handle, SAMPLE_COPY));
        expect_same(f);
        expect(!packs || count_messages(true, 0) == 0);
        read[packs] += count_messages(true, -1);
    }
    expect((read[0] > 0) == has_peers());
    expect((read[1] > 0) == (has_peers() && (harness_rank == 0 || harness_ranks > 2)));
    f[0].array[SAMPLE_U] = known;
    free(other);
    end();
}

static void test_check(void)
{
    begin("auto", 30.0, 1);
    set f;
    expect_ok(hx_alloc(handle, f));
    expect(!says("pulled"));
    prepare(1);
    fill(f, 1);
    expect_ok(hx_start(handle, SAMPLE_COPY, f));
    expect_ok(hx_finish(handle, SAMPLE_COPY));
    expect_same(f);
    end();
}

/* By dimension senders push, also what the option names the transport for. */
static void test_by_dimension(void)
{
    harness_setting h;
    harness_set(&h, "shared-pull");
    h.options.schedule = "by-dimension";
    expect_ok(hx_create(&h.e.spec, &h.blocks, &h.shape, &h.options, &handle));
    const hx_plan *plan = &handle->plan[EXAMPLE_BOTH];
    bool pushes = false;
    expect(plan->phases == 3);
    for (int p = 0; p < plan->phases; ++p) {
        pushes = pushes || plan->phase[p].push;
        expect(plan->phase[p].pull.partners.count == 0);
    }
    expect(pushes == (harness_ranks > 1));
    expect_ok(hx_destroy(handle));
    harness_unset(&h);
}

/* ---- when ---------------------------------------------------------------------------------------------- */

/* Who has finished may change its arrays, whoever reads late; that one gets what was there at the start. */
static void test_late_readers(void)
{
    begin("auto", 30.0, 0);
    set f;
    expect_ok(hx_alloc(handle, f));
    for (int round = 0; round < 6; ++round) {
        const bool late = round % harness_ranks == harness_rank;
        prepare(round);
        fill(f, round);
        expect_ok(hx_start(handle, SAMPLE_COPY, f));
        if (late) {
            hx_clock_sleep(5000);
        }
        expect_ok(hx_finish(handle, SAMPLE_COPY));
        if (late) {
            expect_same(f);
        } else {
            spoil(f);
        }
    }
    end();
}

/* Who starts has sent: rank 0 finishes before the others come to read. */
static void test_start_sends(void)
{
    begin("auto", 30.0, 0);
    set f;
    expect_ok(hx_alloc(handle, f));
    for (int round = 0; round < 3; ++round) {
        int finished = harness_rank == 0;
        prepare(round);
        fill(f, round);
        expect_ok(hx_start(handle, SAMPLE_COPY, f));
        if (harness_rank == 0) {
            expect_ok(hx_finish(handle, SAMPLE_COPY));
            expect_same(f);
            spoil(f);
        }
        MPI_Bcast(&finished, 1, MPI_INT, 0, MPI_COMM_WORLD);
        if (harness_rank > 0) {
            expect_ok(hx_finish(handle, SAMPLE_COPY));
            expect_same(f);
            expect((count_messages(false, 0) > 0) == has_peers());
        }
    }
    end();
}

/* Also a rank that gives up has sent. */
static void test_given_up(void)
{
    begin("auto", harness_rank == 0 ? 0.2 : 30.0, 0);
    set f;
    expect_ok(hx_alloc(handle, f));
    prepare(1);
    fill(f, 1);
    if (harness_rank == 0) {
        expect_ok(hx_start(handle, SAMPLE_COPY, f));
        expect_status(HX_ERR_DEADLINE, hx_finish(handle, SAMPLE_COPY));
        expect_text(hx_last_error(), " for messages from rank 1 (");
        spoil(f);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (harness_rank > 0) {
        expect_ok(hx_start(handle, SAMPLE_COPY, f));
        expect_ok(hx_finish(handle, SAMPLE_COPY));
        expect_same(f);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    end();
}

/* Rank 1 begins to read what rank 0 offers, and goes no further. */
static void test_stuck_reader(void)
{
    begin("auto", 0.3, 0);
    set f;
    expect_ok(hx_alloc(handle, f));
    fill(f, 1);
    expect_ok(hx_start(handle, SAMPLE_COPY, f));
    MPI_Barrier(MPI_COMM_WORLD); /* all have offered */
    if (harness_rank == 1) {
        hx_mailbox box;
        expect_ok(hx_board_inbox(&handle->board, binding_of(SAMPLE_COPY)->tag, 0, &box));
        atomic_store(&box.flag->slot[1], STATES * 1 + BEING_READ);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    const hx_status expected = harness_rank < 2 ? HX_ERR_DEADLINE : HX_OK;
    expect_status(expected, hx_finish(handle, SAMPLE_COPY));
    if (harness_rank == 0) {
        expect_text(hx_last_error(), "after 0.3 seconds rank 0 still waits for rank 1 to read ");
        expect_text(hx_last_error(), " bytes of this rank's arrays.");
    } else if (harness_rank == 1) {
        expect_text(hx_last_error(), " still waits for messages from rank 0 (");
    }
    MPI_Barrier(MPI_COMM_WORLD);
    end();
}

/* What rank 0 shows of its arrays makes no sense to rank 1. */
static void test_damage(void)
{
    begin("auto", 0.3, 0);
    set f;
    expect_ok(hx_alloc(handle, f));
    fill(f, 1);
    if (harness_rank == 0) {
        expect_ok(hx_start(handle, SAMPLE_COPY, f));
        for (int i = 0; i < s.blocks * SAMPLE_FIELDS; ++i) {
            handle->plan[SAMPLE_COPY].notice->where[i].set = 7777;
        }
    }
    MPI_Barrier(MPI_COMM_WORLD); /* rank 0 has offered */
    if (harness_rank > 0) {
        expect_ok(hx_start(handle, SAMPLE_COPY, f));
    }
    const hx_status status = hx_finish(handle, SAMPLE_COPY);
    if (harness_rank == 1) {
        expect_status(HX_ERR_INTERNAL, status);
        expect_text(hx_last_error(), "Rank 0 offers arrays that its node does not share.");
    }
    MPI_Barrier(MPI_COMM_WORLD);
    end();
}

int main(int argc, char **argv)
{
    harness_begin(&argc, &argv);
    test_sets();
    test_other_arrays();
    test_check();
    test_by_dimension();
    test_late_readers();
    test_start_sends();
    if (harness_ranks > 1) {
        test_given_up();
        test_stuck_reader();
        test_damage();
    }
    return harness_end();
}
