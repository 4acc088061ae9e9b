#include "session.h"

#include "check.h"
#include "counted.h"

#include <hx/abi.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const transports[] = {
    "p2p",         "persistent", "neighbor", "shared", "mixed",
#if MPI_VERSION >= 4
    "partitioned",
#endif
};
static const char *const schedules[] = {"one-phase", "by-dimension"};
enum { TRANSPORTS = sizeof transports / sizeof *transports, SCHEDULES = 2 };

/* ---- a handle of the library's --------------------------------------------------------------- */

static void *allocate(size_t count, size_t size)
{
    void *memory = calloc(count > 0 ? count : 1, size);
    if (memory == NULL) {
        fprintf(stderr, "the test is out of memory\n");
        abort();
    }
    return memory;
}

static hx_part part_of(const session *s, int block)
{
    const world *w = s->world;
    hx_part part = {.partition = s->partition[w->tile[block]], .tile = w->tile[block]};
    for (int a = 0; a < w->spec->axes; ++a) {
        part.index[a] = world_part(w, block, a);
        part.first[a] = world_first(w, block, a);
        part.n[a] = world_cells(w, block, a);
    }
    return part;
}

/* Where strides are as dense as can be, the emitted function must say the same. */
static void check_dense(const session *s, const hx_part *part, const unsigned char *shape)
{
    const random_spec *spec = s->world->spec;
    unsigned char *dense = allocate(1, spec->shape_size);
    spec->dense(part, dense);
    const ptrdiff_t *got = (const ptrdiff_t *)(const void *)(dense + spec->stride);
    const ptrdiff_t *wanted = (const ptrdiff_t *)(const void *)(shape + spec->stride);
    for (int f = 0; f < spec->fields; ++f) {
        for (int a = 0; a < spec->axes; ++a) {
            CHECK(got[f * spec->axes + a] == wanted[f * spec->axes + a],
                  "the dense stride of %s along axis %d is %td, expected %td", spec->field[f].name, a,
                  got[f * spec->axes + a], wanted[f * spec->axes + a]);
        }
        if (spec->apart > 0 && spec->field[f].place > 0) {
            got = (const ptrdiff_t *)(const void *)(dense + spec->apart);
            wanted = (const ptrdiff_t *)(const void *)(shape + spec->apart);
            CHECK(got[f] == wanted[f], "components of %s lie %td apart, expected %td", spec->field[f].name,
                  got[f], wanted[f]);
            got = (const ptrdiff_t *)(const void *)(dense + spec->stride);
            wanted = (const ptrdiff_t *)(const void *)(shape + spec->stride);
        }
    }
    free(dense);
}

/* The emitted functions about memory at the first point, the last one, and one in between. */
static void check_places(const session *s, int block, const unsigned char *shape)
{
    const random_spec *spec = s->world->spec;
    for (int f = 0; f < spec->fields; ++f) {
        const random_field *field = &spec->field[f];
        const place *p = &s->arrays->place[block][f];
        CHECK(spec->size(shape, f) == p->elements, "%s has %zu elements, expected %zu", field->name,
              spec->size(shape, f), p->elements);
        for (int k = 0; k < 3; ++k) {
            int at[AXES] = {0};
            for (int a = 0; a < spec->axes; ++a) {
                const int around = !field->behind; /* else the function is for owned points */
                const int end = world_points(s->world, block, field, a) + around * field->halo[1][a];
                at[a] = k == 0 ? -around * field->halo[0][a] : k == 1 ? end - 1 : (a + block) % end;
            }
            const int component = (k + block) % field->components;
            const ptrdiff_t got = spec->find(shape, f, at, component);
            const ptrdiff_t wanted = place_of(p, field, at, component);
            CHECK(got == wanted, "component %d of %s lies at %td, expected %td", component, field->name, got,
                  wanted);
        }
    }
}

static void set_block(session *s, int local, int padding)
{
    const random_spec *spec = s->world->spec;
    const int block = s->arrays->local[local];
    const hx_part part = part_of(s, block);
    unsigned char *shape = s->shapes + (size_t)local * spec->shape_size;
    unsigned char *fields = s->pointers + (size_t)local * spec->fields_size;
    memcpy(shape, &part, sizeof part);
    for (int f = 0; f < spec->fields; ++f) {
        const place *p = &s->arrays->place[block][f];
        void *array = arrays_element(s->arrays->actual[block][f], &spec->field[f], 0);
        ptrdiff_t *stride = (ptrdiff_t *)(void *)(shape + spec->stride);
        memcpy(stride + f * spec->axes, p->stride, (size_t)spec->axes * sizeof *stride);
        if (spec->apart > 0 && spec->field[f].place > 0) {
            memcpy(shape + spec->apart + (size_t)f * sizeof(ptrdiff_t), &p->apart, sizeof p->apart);
        }
        memcpy(fields + spec->field[f].pointer, &array, sizeof array);
    }
    if (padding == 0) {
        check_dense(s, &part, shape);
    }
    check_places(s, block, shape);
}

static int owner_of(void *context, int tile, int block)
{
    const world *w = context;
    return tile < w->spec->tiles ? w->owner[w->first_block[tile] + block] : -1;
}

/* Fills the box that it is given as the oracle will. */
static void fill_wall(void *context, const hx_wall *wall)
{
    const session *s = context;
    const arrays *all = s->arrays;
    const int block = all->local[wall->block];
    const random_field *f = &s->world->spec->field[wall->field];
    CHECK(wall->array == arrays_element(all->actual[block][wall->field], f, 0), "the hook got another array");
    for (int a = 0; a < AXES; ++a) {
        const int used = a < s->world->spec->axes;
        const int points = used ? world_points(s->world, block, f, a) : 1;
        if (wall->lo[a] >= wall->hi[a] || wall->lo[a] < -f->halo[0][a] ||
            wall->hi[a] > points + f->halo[1][a]) {
            CHECK(0, "the hook got %d <= index < %d along axis %d of %s", wall->lo[a], wall->hi[a], a,
                  f->name);
            return;
        }
    }
    int at[AXES];
    memcpy(at, wall->lo, sizeof at);
    do {
        for (int c = 0; c < f->components; ++c) {
            const ptrdiff_t element = place_of(&all->place[block][wall->field], f, at, c);
            oracle_hook_value(all, &(oracle_wall){block, wall->field, wall->axis, wall->side}, at, c,
                              arrays_element(all->actual[block][wall->field], f, element));
        }
    } while (box_next(AXES, wall->lo, wall->hi, at));
}

hx_options session_options(int variant)
{
    hx_options options = HX_OPTIONS_INIT;
    options.transport = transports[variant % TRANSPORTS];
    options.schedule = schedules[variant / TRANSPORTS % SCHEDULES];
    options.deadline = 60.0;
    options.check = variant % 5 == 1;
    options.threads = 1 + variant % 4;
    options.team = check_team();
    return options;
}

static void set_partition(const world *w, int tile, hx_partition *p)
{
    p->axes = w->spec->axes;
    p->first_fastest = w->spec->first_fastest;
    for (int a = 0; a < w->spec->axes; ++a) {
        p->cells[a] = w->cells[tile][a];
        p->ranks[a] = w->parts[tile][a];
        p->cuts[a] = w->even ? NULL : w->cut[tile][a];
        p->periodic[a] = w->spec->periodic[a];
    }
}

/* Shapes of the blocks that an owner has; how many.  reversed: the last block first. */
static int shapes_of(const session *s, const int owner[], int rank, bool reversed, unsigned char *shapes)
{
    const world *w = s->world;
    int count = 0;
    for (int i = 0; i < w->blocks; ++i) {
        const int b = reversed ? w->blocks - 1 - i : i;
        if (owner[b] == rank) {
            const hx_part part = part_of(s, b);
            w->spec->dense(&part, shapes + (size_t)count++ * w->spec->shape_size);
        }
    }
    return count;
}

/* All exchanges, of zeros: their memory is what the next handle takes over. */
static void use(const random_spec *spec, hx_handle *h, int blocks, const unsigned char *shapes)
{
    unsigned char *fields = allocate((size_t)blocks, spec->fields_size);
    CHECK_STATUS(hx_alloc(h, fields), HX_OK);
    for (int i = 0; i < blocks * spec->fields; ++i) {
        const int b = i / spec->fields;
        const random_field *f = &spec->field[i % spec->fields];
        void *array;
        memcpy(&array, fields + (size_t)b * spec->fields_size + f->pointer, sizeof array);
        memset(array, 0, spec->size(shapes + (size_t)b * spec->shape_size, i % spec->fields) * f->size);
    }
    for (int x = 0; x < spec->exchanges; ++x) {
        CHECK_STATUS(hx_start(h, x, fields), HX_OK);
        CHECK_STATUS(hx_finish(h, x), HX_OK);
    }
    CHECK_STATUS(hx_free(h, fields), HX_OK);
    free(fields);
}

/* From a handle to the last one before the handle that is wanted, of which each is like the one before. */
static hx_status go_between(session *s, const session_plan *plan, hx_blocks *blocks, unsigned char *shapes,
                            hx_handle **like)
{
    const world *w = s->world;
    int owner[WORLD_BLOCKS];
    int rank = 0;
    MPI_Comm_rank(plan->comm, &rank);
    hx_status status = HX_OK;
    blocks->comm = MPI_COMM_NULL;
    blocks->owners = owner;
    for (int step = 0; step < plan->between && status == HX_OK; ++step) {
        hx_handle *made = NULL;
        for (int b = 0; b < w->blocks; ++b) {
            owner[b] = (b * 7 + step * 3) % 4 == 0 ? plan->before[b] : w->owner[b];
        }
        if (step % 2 == 0 && !w->spec->hook) {
            use(w->spec, *like, blocks->count, shapes);
        }
        blocks->count = shapes_of(s, owner, rank, step % 3 == 1, shapes);
        status = hx_create_like(*like, blocks, shapes, &made);
        if (status == HX_OK) {
            CHECK_STATUS(hx_destroy(*like), HX_OK);
            *like = made;
        }
    }
    return status;
}

/* A handle whose blocks have other owners, then one like it, maybe by way of others. */
static hx_status make_like(session *s, const session_plan *plan, const hx_blocks *blocks)
{
    const world *w = s->world;
    const random_spec *spec = w->spec;
    int rank = 0;
    MPI_Comm_rank(plan->comm, &rank);
    unsigned char *shapes = allocate(WORLD_BLOCKS, spec->shape_size);
    hx_blocks others = *blocks;
    others.owner = NULL;
    others.owners = plan->before;
    others.count = shapes_of(s, plan->before, rank, false, shapes);
    void *first = NULL;
    hx_status status = spec->make(&others, shapes, &plan->options, &first);
    hx_handle *like = first;
    status = status == HX_OK ? go_between(s, plan, &others, shapes, &like) : status;
    if (status == HX_OK) {
        others = *blocks;
        others.comm = MPI_COMM_NULL;
        others.owner = NULL;
        others.owners = w->owner;
        hx_handle *made = NULL;
        status = hx_create_like(like, &others, s->shapes, &made);
        s->handle = made;
    }
    if (like) {
        CHECK_STATUS(spec->end(like), HX_OK);
    }
    free(shapes);
    return status;
}

/* Some transports, and what watches a run, have collectives of their own; measuring has many. */
static bool is_plain(const session_plan *plan)
{
    static const char *const watch[] = {"HX_AUDIT", "HX_POISON", "HX_STATS", "HX_TRACE",
                                        "HX_DEADLINE_REPORT"};
    bool plain = !plan->options.tune && strcmp(plan->options.transport, "neighbor") != 0 &&
                 strcmp(plan->options.transport, "partitioned") != 0 &&
                 strncmp(plan->options.transport, "rma", 3) != 0 &&
                 strcmp(plan->options.transport, "mixed") != 0;
    for (size_t i = 0; i < sizeof watch / sizeof *watch; ++i) {
        plain = plain && !getenv(watch[i]);
    }
    return plain;
}

/* At most six calls of MPI that all ranks make, whatever the spec.  Where blocks can move there is memory for the next handle. */
static void check_collectives(const session_plan *plan, const counted *before)
{
    enum { MOST = 6, NODE_MOST = 12, NODE_SPARE = 6 };
    const world *w = plan->world;
    const int node_most = NODE_MOST + (w->blocks > w->ranks ? NODE_SPARE : 0);
    const counted after = counted_collectives();
    CHECK(!is_plain(plan) || after.all - before->all <= MOST,
          "create made %ld collective calls, allowed are %d", after.all - before->all, (int)MOST);
    CHECK(!is_plain(plan) || after.node - before->node <= node_most,
          "create made %ld collective calls in a node, allowed are %d", after.node - before->node, node_most);
}

static hx_status make_counted(session *s, const session_plan *plan, const hx_blocks *blocks)
{
    const counted before = counted_collectives();
    const hx_status status = plan->world->spec->make(blocks, s->shapes, &plan->options, &s->handle);
    if (status == HX_OK) {
        check_collectives(plan, &before);
    }
    return status;
}

hx_status session_make(session *s, const session_plan *plan, arrays *all)
{
    const world *w = plan->world;
    *s = (session){.world = w, .arrays = all, .apart = plan->apart};
    s->sets = w->spec->hook == NULL && (strncmp(plan->options.transport, "shared", 6) == 0 ||
                                        strcmp(plan->options.transport, "mixed") == 0);
    for (int t = 0; t < w->spec->tiles; ++t) {
        set_partition(w, t, &s->partition[t]);
    }
    s->shapes = allocate((size_t)all->locals, w->spec->shape_size);
    s->pointers = allocate((size_t)all->locals, w->spec->fields_size);
    for (int i = 0; i < all->locals; ++i) {
        set_block(s, i, plan->padding);
    }
    const hx_blocks blocks = {
        .comm = plan->comm,
        .tiles = w->spec->tiles,
        .partition = s->partition,
        .owner = w->plain || plan->table ? NULL : owner_of,
        .context = (void *)(uintptr_t)w,
        .count = all->locals,
        .owners = !w->plain && plan->table ? w->owner : NULL,
    };
    const hx_status status = plan->before ? make_like(s, plan, &blocks) : make_counted(s, plan, &blocks);
    if (status == HX_OK && w->spec->hook != NULL) {
        CHECK_STATUS(w->spec->hook(s->handle, fill_wall, s), HX_OK);
    }
    return status;
}

void session_free(session *s)
{
    if (s->handle != NULL) {
        CHECK_STATUS(s->world->spec->end(s->handle), HX_OK);
    }
    free(s->shapes);
    free(s->pointers);
}

/* ---- comparing ------------------------------------------------------------------------------- */

/* The point at an element of an array, by search: only for messages. */
static void describe_place(const arrays *s, int block, int field, ptrdiff_t element, char *text, size_t room)
{
    const random_field *f = &s->world->spec->field[field];
    const int axes = s->world->spec->axes;
    int lo[AXES] = {0};
    int hi[AXES] = {0};
    int at[AXES];
    for (int a = 0; a < axes; ++a) {
        lo[a] = -f->halo[0][a];
        hi[a] = world_points(s->world, block, f, a) + f->halo[1][a];
    }
    memcpy(at, lo, sizeof at);
    do {
        for (int c = 0; c < f->components; ++c) {
            if (place_of(&s->place[block][field], f, at, c) == element) {
                size_t length = (size_t)snprintf(text, room, "(");
                for (int a = 0; a < axes; ++a) {
                    length += (size_t)snprintf(text + length, room - length, a > 0 ? ", %d" : "%d", at[a]);
                }
                snprintf(text + length, room - length, "), component %d,", c);
                return;
            }
        }
    } while (box_next(axes, lo, hi, at));
    snprintf(text, room, "element %td, in the padding,", element);
}

static void check_array(const arrays *s, int block, int field, const char *when)
{
    const random_field *f = &s->world->spec->field[field];
    const ptrdiff_t end = (ptrdiff_t)s->place[block][field].elements + GUARD;
    for (ptrdiff_t e = -GUARD; e < end; ++e) {
        const unsigned char *got = arrays_element(s->actual[block][field], f, e);
        const unsigned char *wanted = arrays_element(s->expected[block][field], f, e);
        if (!value_equal(f->kind, f->size, got, wanted)) {
            char at[120];
            char values[2][80];
            describe_place(s, block, field, e, at, sizeof at);
            value_print(f->kind, f->size, got, values[0], sizeof values[0]);
            value_print(f->kind, f->size, wanted, values[1], sizeof values[1]);
            CHECK(0, "%s: %s %s of block %d holds %s, expected %s", when, f->name, at, block, values[0],
                  values[1]);
            return;
        }
    }
}

void session_check(const session *s, const char *when)
{
    const arrays *all = s->arrays;
    for (int i = 0; i < all->locals; ++i) {
        for (int f = 0; f < s->world->spec->fields; ++f) {
            check_array(all, all->local[i], f, when);
        }
    }
}

/* ---- exchanges ------------------------------------------------------------------------------- */

/* With HX_AUDIT an audit is asked for, too, of what it can look at. */
static bool audit(const session *s, int number)
{
    const hx_status status = getenv("HX_AUDIT") ? hx_audit(s->handle, number, s->pointers) : HX_OK;
    const bool refused = status == HX_ERR_ARGUMENT && strstr(hx_last_error(), "cannot audit exchange");
    CHECK(status == HX_OK || refused, "%s", hx_last_error());
    return status == HX_OK || refused;
}

bool session_exchange(const session *s, int number)
{
    const random_spec *spec = s->world->spec;
    return CHECK_STATUS(spec->begin(s->handle, number, s->pointers), HX_OK) &&
           CHECK_STATUS(spec->complete(s->handle, number), HX_OK) && audit(s, number);
}

/* There, or back; what was there is spoiled then, as by an application that goes on at once. */
static void move_values(const session *s, const unsigned char *set, bool there)
{
    const random_spec *spec = s->world->spec;
    for (int i = 0; i < s->arrays->locals; ++i) {
        const int block = s->arrays->local[i];
        for (int f = 0; f < spec->fields; ++f) {
            const random_field *field = &spec->field[f];
            void *own = arrays_element(s->arrays->actual[block][f], field, 0);
            void *array;
            memcpy(&array, set + (size_t)i * spec->fields_size + field->pointer, sizeof array);
            const size_t bytes = s->arrays->place[block][f].elements * field->size;
            memcpy(there ? array : own, there ? own : array, bytes);
            memset(array, 0x55, there ? 0 : bytes);
        }
    }
}

/* With arrays that libhx allocates, which peers may write into. */
static bool exchange_in_set(const session *s, int number)
{
    const random_spec *spec = s->world->spec;
    unsigned char *set = allocate((size_t)s->arrays->locals, spec->fields_size);
    bool done = CHECK_STATUS(hx_alloc(s->handle, set), HX_OK);
    if (done) {
        move_values(s, set, true);
        done = CHECK_STATUS(spec->begin(s->handle, number, set), HX_OK) &&
               CHECK_STATUS(spec->complete(s->handle, number), HX_OK);
        move_values(s, set, false);
        done = CHECK_STATUS(hx_free(s->handle, set), HX_OK) && done;
    }
    free(set);
    return done;
}

void session_try_exchange(session *s, int number, unsigned salt)
{
    const random_exchange *x = &s->world->spec->exchange[number];
    char when[80];
    /* The mean of rounded means may be another; the sum of sums is, and what is kept is added again. */
    const bool combines = x->agree == AGREE_MEAN || x->agree == AGREE_SUM;
    const int times = combines || (x->keeps && !x->extreme) ? 1 : 2;
    arrays_fill(s->arrays, salt, (x->add && !x->extreme) || combines);
    oracle_expect(s->arrays, number);
    for (int time = 1; time <= times; ++time) {
        /* First in a set, since ghost points are wrong before. */
        if (!(s->sets && time == 1 ? exchange_in_set(s, number) : session_exchange(s, number))) {
            return;
        }
        snprintf(when, sizeof when, "%s, time %d", x->name, time);
        session_check(s, when);
    }
}

bool session_only_copies(const random_spec *spec, int number)
{
    const random_exchange *x = &spec->exchange[number];
    bool plain = !x->add && x->agree == AGREE_NONE;
    for (int a = 0; a < spec->axes; ++a) {
        plain = plain && x->fill[a][0] == FILL_NONE && x->fill[a][1] == FILL_NONE;
    }
    return plain;
}

static bool share_field(const random_exchange *a, const random_exchange *b)
{
    for (int i = 0; i < a->fields; ++i) {
        for (int k = 0; k < b->fields; ++k) {
            if (a->field[i] == b->field[k]) {
                return true;
            }
        }
    }
    return false;
}

/* Whether an exchange is among those that are under way together. */
static bool is_among(const session *s, int number)
{
    const random_spec *spec = s->world->spec;
    bool among = session_only_copies(spec, number);
    for (int x = 0; s->apart && among && x < number; ++x) {
        among = !is_among(s, x) || !share_field(&spec->exchange[x], &spec->exchange[number]);
    }
    return among;
}

void session_try_together(session *s, unsigned salt)
{
    const random_spec *spec = s->world->spec;
    arrays_fill(s->arrays, salt, false);
    for (int i = 0; i < spec->exchanges; ++i) {
        const int upward = (i + s->world->rank / 2) % spec->exchanges;
        const int x = s->world->rank % 2 == 0 ? upward : spec->exchanges - 1 - upward;
        if (is_among(s, x)) {
            oracle_expect(s->arrays, x);
            CHECK_STATUS(spec->begin(s->handle, x, s->pointers), HX_OK);
        }
    }
    for (int i = 0; i < spec->exchanges; ++i) {
        const int x = (i + s->world->rank) % spec->exchanges;
        if (is_among(s, x)) {
            CHECK_STATUS(spec->complete(s->handle, x), HX_OK);
        }
    }
    session_check(s, "together");
}
