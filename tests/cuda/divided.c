#include "divided.h"

#include "check.h"
#include "twin.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

extern const hx_spec *const device_specs[];
extern const hx_spec *const host_specs[];

static int ranks_of_all(void)
{
    int ranks = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    return ranks;
}

int divided_in_turn(void *context, int tile, int block)
{
    (void)context;
    return (tile + block) % ranks_of_all();
}

int divided_backwards(void *context, int tile, int block)
{
    const int ranks = ranks_of_all();
    (void)context;
    return (ranks - 1 + 2 * tile + block) % ranks;
}

void divided_whole(const hx_spec *spec, const hx_partition *partition, hx_partition whole[])
{
    for (int t = 0; t < spec->tiles; ++t) {
        whole[t] = partition[t];
        for (int a = 0; a < spec->axes; ++a) {
            whole[t].ranks[a] = 1;
            whole[t].cuts[a] = NULL;
        }
    }
}

/* ---- handles and arrays -------------------------------------------------------------------------------- */

static const hx_spec *host_of(const hx_spec *spec)
{
    int i = 0;
    while (device_specs[i] != spec) {
        ++i;
    }
    return host_specs[i];
}

bool divided_open(const plan *p, const division *d, divided *e)
{
    hx_options options = HX_OPTIONS_INIT;
    options.deadline = 60.0;
    options.device_messages = p->messages;
    *e = (divided){.handle = NULL};
    layout_make(&e->layout, &(layout_request){p->spec, MPI_COMM_WORLD, d->partition, d->owner, d->context,
                                              p->faces, d->padding});
    if (hx_create(p->spec, &e->layout.blocks, e->layout.shapes, &options, &e->handle) != HX_OK) {
        layout_free(&e->layout);
        return false;
    }
    e->twin = p->alone ? NULL : twin_make(host_of(p->spec), &e->layout, "neighbor");
    arrays_make(&e->arrays, &e->layout, p->topology);
    if (p->number % 2 == 0) {
        mirror_make(&e->mirror, &e->arrays);
    } else {
        mirror_alloc(&e->mirror, &e->arrays, e->handle);
    }
    return true;
}

void divided_close(divided *e)
{
    mirror_free(&e->mirror);
    arrays_free(&e->arrays);
    CHECK_STATUS(hx_destroy(e->twin), HX_OK);
    CHECK_STATUS(hx_destroy(e->handle), HX_OK);
    layout_free(&e->layout);
}

/* ---- moves --------------------------------------------------------------------------------------------- */

/* What the host makes of the same arrays. */
static void expect(const divided *from, divided *to, int salt, bool halos)
{
    const hx_redistribution how = {.halos = halos};
    arrays source, target;
    arrays_make(&source, &from->layout, from->arrays.topology);
    arrays_make(&target, &to->layout, to->arrays.topology);
    arrays_fill(&source, salt);
    arrays_fill(&target, salt + 1);
    CHECK_STATUS(hx_redistribute_with(from->twin, source.pointers, to->twin, target.pointers, &how), HX_OK);
    for (int i = 0; i < to->layout.blocks.count * to->layout.spec->fields; ++i) {
        unsigned char *old = to->arrays.expected[i];
        to->arrays.expected[i] = target.actual[i];
        target.actual[i] = old;
    }
    arrays_free(&source);
    arrays_free(&target);
}

void divided_move(divided *from, divided *to, bool halos, int salt, hx_stream stream, hx_stream other)
{
    const hx_redistribution how = {.halos = halos, .stream = stream};
    arrays_fill(&from->arrays, salt);
    arrays_fill(&to->arrays, salt + 1);
    expect(from, to, salt, halos);
    mirror_up(&from->mirror, stream);
    mirror_up(&to->mirror, stream);
    if (CHECK_STATUS(
            hx_redistribute_with(from->handle, from->mirror.pointers, to->handle, to->mirror.pointers, &how),
            HX_OK)) {
        mirror_down(&from->mirror, other);
        mirror_down(&to->mirror, other);
        arrays_check(&to->arrays, "the target");
        arrays_check(&from->arrays, "the source");
    }
}

/* ---- what is selected ---------------------------------------------------------------------------------- */

static size_t bytes_of_tile(const divided *e, int tile, int field)
{
    const hx_spec *spec = e->layout.spec;
    size_t bytes = (size_t)spec->field[field].size *
                   (size_t)(spec->field[field].components > 0 ? spec->field[field].components : 1);
    for (int a = 0; a < spec->axes; ++a) {
        bytes *= (size_t)e->layout.blocks.partition[tile].cells[a] + 2;
    }
    return (bytes + 63) / 64 * 64;
}

void wishes_make(const divided *e, int number, wishes *w)
{
    const hx_spec *spec = e->layout.spec;
    const int most = spec->tiles * spec->fields;
    const int ranks = ranks_of_all();
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    *w = (wishes){.selection = calloc((size_t)most, sizeof *w->selection)};
    for (int i = 0; i < most; ++i) {
        const size_t bytes = bytes_of_tile(e, i / spec->fields, i % spec->fields);
        w->bytes = bytes > w->bytes ? bytes : w->bytes;
    }
    w->memory = malloc((size_t)most * w->bytes + 1);
    memset(w->memory, 0xab, (size_t)most * w->bytes);
    for (int i = 0; i < most; ++i) {
        if ((i + number) % ranks == rank) {
            hx_selection *s = &w->selection[w->count];
            *s = (hx_selection){.field = i % spec->fields, .tile = i / spec->fields};
            for (int a = 0; a < spec->axes; ++a) {
                s->n[a] = HX_REST;
            }
            s->step[number % spec->axes] = 1 + number % 2;
            s->array.base = w->memory + (size_t)w->count++ * w->bytes;
        }
    }
}

void wishes_free(wishes *w)
{
    free(w->selection);
    free(w->memory);
}
