#include "redistribute.h"

#include "check.h"
#include "moved.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- moving ------------------------------------------------------------------------------------------ */

/* The pointers of a session without those of fields that stay. */
static unsigned char *pointers_of(const session *s, unsigned stays)
{
    const random_spec *spec = s->world->spec;
    const size_t bytes = (size_t)s->arrays->locals * spec->fields_size;
    unsigned char *copy = calloc(bytes + 1, 1);
    memcpy(copy, s->pointers, bytes);
    for (int i = 0; i < s->arrays->locals; ++i) {
        for (int f = 0; f < spec->fields; ++f) {
            if (stays >> f & 1) {
                memset(copy + (size_t)i * spec->fields_size + spec->field[f].pointer, 0, sizeof(void *));
            }
        }
    }
    return copy;
}

/* stays: fields that are not moved, by bits. */
static void move(const session *from, const session *to, unsigned salt, unsigned stays, bool halos)
{
    const hx_redistribution how = {.halos = halos};
    unsigned char *source = pointers_of(from, stays);
    unsigned char *target = pointers_of(to, stays);
    arrays_fill(from->arrays, salt, false);
    arrays_fill(to->arrays, salt + 1, false);
    for (int f = 0; f < to->world->spec->fields; ++f) {
        if (!(stays >> f & 1)) {
            moved_expect(to->arrays, from->arrays, f, NULL, halos);
        }
    }
    if (CHECK_STATUS(hx_redistribute_with(from->handle, source, to->handle, target, &how), HX_OK)) {
        session_check(to, "the target");
        session_check(from, "the source");
    }
    free(source);
    free(target);
}

/* ---- land ---------------------------------------------------------------------------------------------- */

static int lacks_owners(const world *w)
{
    int lacks = 0;
    for (int b = 0; b < w->blocks; ++b) {
        lacks = lacks || w->owner[b] == HX_NO_OWNER;
    }
    return lacks;
}

/* ---- the two ends -------------------------------------------------------------------------------------- */

/* Ranks that have a communicator of their own, in which they come in their order or in the opposite one. */
typedef struct group {
    int first, last;
    bool backwards;
    MPI_Comm comm; /* MPI_COMM_NULL on other ranks, */
    world world;   /* whose ranks have their numbers there */
    void *handle;
} group;

static group groups[2]; /* of source and target; first -1: all ranks, without a communicator of their own */

/* Any ranks, which are the first ones or the last ones; both groups may have some in common. */
static void draw_group(const world *w, int i, unsigned number)
{
    uint64_t state = number * 2 + (unsigned)i + 77;
    const int size = world_range(&state, 1, w->ranks - 1);
    groups[i] = (group){.first = i == 0 ? 0 : w->ranks - size, .backwards = i == 1, .comm = MPI_COMM_NULL};
    groups[i].last = groups[i].first + size - 1;
}

/* Blocks of other ranks go to those of the group. */
static void restrict_to(world *w, const group *g)
{
    for (int b = 0; b < w->blocks; ++b) {
        w->owner[b] = w->owner[b] < 0 ? w->owner[b] : g->first + w->owner[b] % (g->last - g->first + 1);
    }
    w->plain = 0;
}

static int number_in(const group *g, int rank)
{
    return rank < 0 ? rank : g->backwards ? g->last - rank : rank - g->first;
}

/* A handle of the group, and then one of its blocks for all ranks. */
static hx_status make_wide(session *s, const session_plan *plan, arrays *all, group *g)
{
    const world *w = plan->world;
    const bool in = w->rank >= g->first && w->rank <= g->last;
    MPI_Comm_split(MPI_COMM_WORLD, in ? 0 : MPI_UNDEFINED, number_in(g, w->rank), &g->comm);
    g->world = *w;
    g->world.rank = number_in(g, w->rank);
    g->world.ranks = g->last - g->first + 1;
    for (int b = 0; b < w->blocks; ++b) {
        g->world.owner[b] = number_in(g, w->owner[b]);
    }
    session_plan narrow = *plan;
    narrow.world = &g->world;
    narrow.comm = g->comm;
    *s = (session){.arrays = all};
    int status = in ? (int)session_make(s, &narrow, all) : HX_OK;
    if (!in) {
        s->pointers = calloc(1, 1);
    }
    s->world = w;
    g->handle = s->handle;
    s->handle = NULL;
    MPI_Bcast(&status, 1, MPI_INT, g->first, MPI_COMM_WORLD);
    return status == HX_OK ? w->spec->widen(g->handle, MPI_COMM_WORLD, &plan->options, &s->handle)
                           : (hx_status)status;
}

/* One of the two ends; false: it cannot be made, for a reason. */
static bool open_end(session *s, arrays *all, const world *w, int i, unsigned number)
{
    static const char *const transports[] = {"shared", "p2p", "persistent", "neighbor", "mixed"};
    hx_options options = session_options(1);
    options.transport =
        transports[(number / 2 + (unsigned)i * (number / 10)) % 5]; /* often the same for both */
    const session_plan plan = {w, MPI_COMM_WORLD, options, i == 0 ? 3 : 0, i, false, NULL, 0};
    char why[200];
    *s = (session){.world = w, .arrays = all};
    const bool apart = groups[i].first >= 0;
    const bool made = arrays_make(all, w, i == 0 ? 3 : 0, number) &&
                      (apart ? make_wide(s, &plan, all, &groups[i]) : session_make(s, &plan, all)) == HX_OK;
    const bool told = !apart || groups[i].comm != MPI_COMM_NULL;
    const bool thin = lacks_owners(w) && strstr(hx_last_error(), "Make blocks as thick as the width") != NULL;
    CHECK(made || !told || thin || !oracle_accepts(w, why, sizeof why), "create failed: %s", hx_last_error());
    return made;
}

static void close_ends(session s[2], arrays all[2], int ends)
{
    for (int i = 0; i < ends; ++i) {
        group *g = &groups[i];
        session_free(&s[i]);
        if (g->handle) {
            CHECK_STATUS(s[i].world->spec->end(g->handle), HX_OK);
        }
        if (g->comm != MPI_COMM_NULL) {
            MPI_Comm_free(&g->comm);
        }
        g->handle = NULL;
        arrays_free(&all[i]);
    }
}

/* Whether ghost points of a field lie behind the owned ones, which are not moved. */
static bool any_behind(const random_spec *spec)
{
    bool any = false;
    for (int f = 0; f < spec->fields; ++f) {
        any = any || spec->field[f].behind;
    }
    return any;
}

/* There and back, some fields or all, and once more with the plans that there are. */
static long try_pair(const world *one, const world *other, unsigned number, long *land)
{
    static arrays arrays_of[2];
    static session s[2];
    for (int i = 0; i < 2; ++i) {
        if (!open_end(&s[i], &arrays_of[i], i == 0 ? one : other, i, number)) {
            close_ends(s, arrays_of, i + 1);
            return 0;
        }
    }
    *land += lacks_owners(one) + lacks_owners(other);
    const unsigned none = 0;
    /* At a fold the components of a vector move together. */
    const unsigned some = one->spec->fold != NULL || one->spec->fields < 2 ? 0 : 1u << number % 2;
    for (unsigned k = 0; k < 4; ++k) {
        const unsigned from = k / 2 % 2;
        move(&s[from], &s[1 - from], number * 8 + 2 * k, k % 2 == 0 ? none : some, false);
    }
    const bool halos = !any_behind(one->spec);
    move(&s[0], &s[1], number, none, halos);
    move(&s[1], &s[0], number, none, halos);
    static world tiles;
    world_divide_again(&tiles, one, 2);
    const long gathered =
        number % 2 == 0 ? moved_by_one(s, &tiles, number) : moved_by_several(s, &tiles, number);
    close_ends(s, arrays_of, 2);
    return 6 + gathered;
}

/* Of five pairs two are of two groups of ranks, each with a communicator of its own. */
static long choose_groups(world ends[2], uint64_t number)
{
    const bool apart = ends[0].ranks > 1 && number % 5 < 2;
    for (int i = 0; i < 2; ++i) {
        groups[i] = (group){.first = -1, .comm = MPI_COMM_NULL};
        if (apart) {
            draw_group(&ends[i], i, (unsigned)number);
            restrict_to(&ends[i], &groups[i]);
        }
    }
    return apart;
}

long redistribute_all(int rank, int ranks)
{
    long moved = 0;
    long land = 0;
    long apart = 0;
    for (int i = 0; i < random_specs_count; ++i) {
        static world ends[2];
        for (int way = 0; world_make(&ends[0], random_specs[i], way, rank, ranks); ++way) {
            world_divide_again(&ends[1], &ends[0], way);
            /* Neither, the first, the second or both. */
            const uint64_t number = (uint64_t)(random_specs[i]->number + way);
            if (number % 4 & 1) {
                world_take_owners(&ends[0], number);
            }
            if (number % 4 & 2) {
                world_take_owners(&ends[1], number * 16);
            }
            apart += choose_groups(ends, number);
            check_about("seed %lld, spec %d, land %d, from %s to %s, ranks %d to %d and %d to %d",
                        random_specs[i]->seed, random_specs[i]->number, (int)(number % 4), ends[0].about,
                        ends[1].about, groups[0].first, groups[0].last, groups[1].first, groups[1].last);
            moved += try_pair(&ends[0], &ends[1], (unsigned)way, &land);
        }
    }
    CHECK(ranks == 1 || apart >= random_specs_count, "only %ld pairs were of two groups of ranks", apart);
    CHECK(land >= 2 * random_specs_count, "only %ld grids had blocks without an owner", land);
    return moved;
}
