/*
 * Emitted code and libhx.  One program serves several specs, so the tables are called as the emitted
 * functions call them: bench_..._create is hx_create, bench_..._all is hx_start and hx_finish.
 */
#include "bench.h"

#include "bench_h1f1.h"
#include "bench_h2f4.h"
#include "bench_h3f1.h"
#include "bench_h3f8.h"

#include <hx/abi.h>

#include <stdlib.h>

static const struct {
    int halo, fields;
    const hx_spec *spec;
} specs[] = {
    {1, 1, &bench_h1f1_spec},
    {3, 1, &bench_h3f1_spec},
    {3, 8, &bench_h3f8_spec},
    {2, 4, &bench_h2f4_spec},
};

typedef struct state {
    hx_handle *handle;
    double *const *fields;
} state;

static const hx_spec *spec_for(int halo, int fields)
{
    for (size_t i = 0; i < sizeof specs / sizeof specs[0]; ++i) {
        if (specs[i].halo == halo && specs[i].fields == fields) {
            return specs[i].spec;
        }
    }
    return NULL;
}

bool emitted_has(int halo, int fields)
{
    return spec_for(halo, fields) != NULL;
}

static void must(hx_status status)
{
    if (status != HX_OK) {
        give_up("%s: %s", hx_status_name(status), hx_last_error());
    }
}

static void *create(const problem *p, const char *transport)
{
    const hx_spec *spec = spec_for(p->halo, p->fields);
    hx_partition partition = {.axes = 3};
    for (int a = 0; a < 3; ++a) {
        partition.cells[a] = p->ranks[a] * p->n;
        partition.ranks[a] = p->ranks[a];
        partition.periodic[a] = 1;
    }
    /* The layout of every bench_..._shape: the part, then a stride per field and axis. */
    struct {
        hx_part part;
        ptrdiff_t stride[MAX_FIELDS][3];
    } shape;
    must(hx_decompose(MPI_COMM_WORLD, &partition, &shape.part));
    hx_dense_strides(spec, &shape.part, &shape.stride[0][0], NULL);

    const hx_blocks blocks = {
        .comm = MPI_COMM_WORLD, .tiles = 1, .partition = &shape.part.partition, .count = 1};
    hx_options options = HX_OPTIONS_INIT;
    options.transport = transport;
    state *s = allocate(sizeof *s);
    s->fields = p->field;
    must(hx_create(spec, &blocks, &shape, &options, &s->handle));
    return s;
}

static void *create_persistent(const problem *p)
{
    return create(p, "persistent");
}

static void *create_p2p(const problem *p)
{
    return create(p, "p2p");
}

static void *create_neighbor(const problem *p)
{
    return create(p, "neighbor");
}

static void exchange(void *opaque)
{
    state *s = opaque;
    must(hx_start(s->handle, 0, s->fields));
    must(hx_finish(s->handle, 0));
}

static void destroy(void *opaque)
{
    state *s = opaque;
    must(hx_destroy(s->handle));
    free(s);
}

const variant emitted_persistent = {"hx-persistent", "(d) emitted code, transport persistent",
                                    create_persistent, exchange, destroy};
const variant emitted_p2p = {"hx-p2p", "(d) emitted code, transport p2p", create_p2p, exchange, destroy};
const variant emitted_neighbor = {"hx-neighbor", "(d) emitted code, transport neighbor", create_neighbor,
                                  exchange, destroy};
