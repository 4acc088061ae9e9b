/*
 * Random specs: every allocated element after every exchange, for several partitions, every transport and
 * schedule, and strides with and without room to spare.  README.md says what is covered.
 */
#include "check.h"
#include "redistribute.h"
#include "session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static long runs;
static long refusals;

/* The sum over all elements of all ranks of what arrays hold now times what they would hold with another
 * salt. */
static uint64_t product(const arrays *s, const random_exchange *x, unsigned salt)
{
    uint64_t sum = 0;
    arrays other = *s;
    other.salt = salt;
    for (int i = 0; i < s->locals; ++i) {
        const int b = s->local[i];
        for (int k = 0; k < x->fields; ++k) {
            const random_field *f = &s->world->spec->field[x->field[k]];
            for (ptrdiff_t e = 0; e < (ptrdiff_t)s->place[b][x->field[k]].elements; ++e) {
                _Alignas(16) unsigned char value[64];
                arrays_initial(&other, b, x->field[k], e, value);
                sum +=
                    value_product(f->kind, f->size, value, arrays_element(s->actual[b][x->field[k]], f, e));
            }
        }
    }
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    return sum;
}

/* <H x, y> = <x, transpose of H y>, where x are the values of one salt and y those of another. */
static void try_transpose(session *s, int number, unsigned salt)
{
    const random_exchange *x = &s->world->spec->exchange[number];
    arrays_fill(s->arrays, salt, true);
    if (!session_exchange(s, number)) {
        return;
    }
    const uint64_t forward = product(s->arrays, x, salt + 1);
    arrays_fill(s->arrays, salt + 1, true);
    if (!session_exchange(s, x->transpose)) {
        return;
    }
    const uint64_t backward = product(s->arrays, x, salt);
    CHECK(forward == backward, "%s and %s are not each other's transpose: %llu and %llu", x->name,
          s->world->spec->exchange[x->transpose].name, (unsigned long long)forward,
          (unsigned long long)backward);
}

/* Calls visit for every component of every point that this rank's blocks own or have around them. */
static void each_value(const arrays *s, int field,
                       uint64_t (*visit)(const random_field *, unsigned char *, uint64_t), uint64_t *sum)
{
    const random_field *f = &s->world->spec->field[field];
    const int axes = s->world->spec->axes;
    for (int i = 0; i < s->locals; ++i) {
        const int b = s->local[i];
        int lo[AXES] = {0};
        int hi[AXES] = {0};
        int at[AXES];
        for (int a = 0; a < axes; ++a) {
            lo[a] = -f->halo[0][a];
            hi[a] = world_points(s->world, b, f, a) + f->halo[1][a];
        }
        memcpy(at, lo, sizeof at);
        uint64_t number = (uint64_t)(b * WORLD_FIELDS + field) << 32;
        do {
            for (int c = 0; c < f->components; ++c) {
                const ptrdiff_t element = place_of(&s->place[b][field], f, at, c);
                unsigned char *there = arrays_element(s->actual[b][field], f, element < 0 ? 0 : element);
                *sum += element < 0 ? 0 : visit(f, there, ++number);
            }
        } while (box_next(axes, lo, hi, at));
    }
}

static uint64_t make_inexact(const random_field *f, unsigned char *element, uint64_t number)
{
    value_make_inexact(f->kind, f->size, element, number);
    return 0;
}

static uint64_t digest(const random_field *f, unsigned char *element, uint64_t number)
{
    return value_digest(f->kind, f->size, element, number);
}

/* Sums that are rounded are the same, to the bit, for all variants of a partition: their order is fixed.
 * first: this is the first of them. */
static void try_rounding(session *s, int number, bool first)
{
    static uint64_t wanted[16];
    const random_exchange *x = &s->world->spec->exchange[number];
    uint64_t sum = 0;
    for (int i = 0; i < x->fields; ++i) {
        each_value(s->arrays, x->field[i], make_inexact, &sum);
    }
    if (!session_exchange(s, number)) {
        return;
    }
    for (int i = 0; i < x->fields; ++i) {
        each_value(s->arrays, x->field[i], digest, &sum);
    }
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    if (first) {
        wanted[number] = sum;
    }
    CHECK(sum == wanted[number],
          "%s: sums are rounded otherwise than with the first variant of this partition", x->name);
}

/* Who owned the blocks before; NULL: the handle is made from nothing, as two times of three. */
static const int *owners_before(const world *w, int variant)
{
    static int before[WORLD_BLOCKS];
    for (int b = 0; b < w->blocks; ++b) {
        const bool comes = w->owner[b] >= 0 && (b * 5 + variant) % 3 == 0;
        before[b] = comes ? (w->owner[b] + 1 + b % 2) % w->ranks : w->owner[b];
    }
    return (variant + w->blocks) % 3 == 0 ? before : NULL;
}

static void try_variant(const world *given, int variant, int padding, bool first)
{
    world moved = *given;
    const world *w = &moved;
    const int shift = given->plain ? 0 : variant % 4 / 2; /* who owns what makes no difference, either */
    for (int b = 0; b < moved.blocks; ++b) {
        moved.owner[b] = (moved.owner[b] + shift * b) % moved.ranks;
    }
    const random_spec *spec = w->spec;
    static arrays all;
    session s;
    char why[200] = "";
    const int *before = owners_before(w, variant);
    const session_plan plan = {w,     MPI_COMM_WORLD, session_options(variant),          padding, padding > 0,
                               false, before,         before && variant % 8 == 3 ? 3 : 0};
    check_about("seed %lld, spec %d, %s, moved by %d a block, %s, %s, padding %d%s", spec->seed, spec->number,
                w->about, shift, plan.options.transport, plan.options.schedule, padding,
                before ? ", like another handle" : "");
    if (!arrays_make(&all, w, padding, (unsigned)variant)) {
        CHECK(0, "the grid is too large for the test's values");
        return;
    }
    const int accepts = oracle_accepts(w, why, sizeof why);
    const hx_status status = session_make(&s, &plan, &all);
    if (!accepts) {
        CHECK(status == HX_ERR_PARTITION, "create gave %s (%s), but %s", hx_status_name(status),
              hx_last_error(), why);
        ++refusals;
    } else if (CHECK_STATUS(status, HX_OK)) {
        CHECK(strstr(spec->tell(s.handle), "not as chosen") == NULL, "%s", spec->tell(s.handle));
        for (int x = 0; x < spec->exchanges; ++x) {
            const unsigned salt = (unsigned)(runs * 4 + x);
            session_try_exchange(&s, x, salt);
            if (spec->exchange[x].transpose >= 0 && !spec->exchange[x].add) {
                try_transpose(&s, x, salt);
            }
            if (spec->exchange[x].add) {
                try_rounding(&s, x, first);
            }
        }
        session_try_together(&s, (unsigned)(runs * 4 + 3));
    }
    session_free(&s);
    arrays_free(&all);
    ++runs;
}

/* RANDOM_EVERY=N: an N-th of the ways to divide a grid, others for the next spec. */
static int each_nth_way(void)
{
    const char *every = getenv("RANDOM_EVERY");
    return every && atoi(every) > 0 ? atoi(every) : 1;
}

int main(int argc, char **argv)
{
    int rank = 0;
    int ranks = 0;
    check_init(&argc, &argv, MPI_THREAD_FUNNELED);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (argc > 1 && strcmp(argv[1], "redistribute") == 0) {
        char moved[120];
        snprintf(moved, sizeof moved, "%d random specs, redistributed %ld times on %d ranks",
                 random_specs_count, redistribute_all(rank, ranks), ranks);
        return check_verdict(moved);
    }
    const bool few = getenv("RANDOM_FEW") != NULL;
    const int every = each_nth_way();
    for (int i = 0; i < random_specs_count; ++i) {
        world w;
        /* Where grids turn it is cutting that may go wrong, and a third of the transports will do for each
         * way. */
        const bool turns = random_specs[i]->side != NULL || random_specs[i]->fold != NULL;
        const int step = few ? SESSION_VARIANTS / 2 : turns ? 3 : 1;
        for (int way = 0; world_make(&w, random_specs[i], way, rank, ranks); ++way) {
            /* Each transport by one of the two schedules, in the next way by the other. */
            for (int t = way % step; t < SESSION_VARIANTS / 2 && (way + i) % every == 0; t += step) {
                const int variant = t + (t + way) % 2 * (SESSION_VARIANTS / 2);
                try_variant(&w, variant, way % 2 == 0 ? 0 : 3, t < step);
            }
        }
    }
    char summary[120];
    snprintf(summary, sizeof summary,
             "%d random specs, %ld runs on %d ranks, %ld of them refused as they must be", random_specs_count,
             runs, ranks, refusals);
    return check_verdict(summary);
}
