#include "twin.h"

#include "../exchange/values.h"
#include "check.h"
#include "odd.h"

#include <cuda_runtime_api.h>

#include <string.h>

bool twin_is_there(const hx_spec *spec, int exchange)
{
    bool found = false;
    for (int i = 0; i < spec->exchange[exchange].fields; ++i) {
        found = found || spec->field[spec->exchange[exchange].field[i].field].on_device;
    }
    return found;
}

int twin_faces(const hx_spec *spec, int field, int axis)
{
    return spec->positions[spec->field[field].positions].extra[axis];
}

/* ---- walls by a function of the application's ---------------------------------------------------------- */

/* Writes a value for a point of a box, which lies so many elements behind the array's pointer. */
typedef void wall_writer(const hx_wall *w, const hx_field *field, ptrdiff_t at, hx_stream stream);

static void visit_wall(const hx_wall *w, const layout *l, wall_writer *write, hx_stream stream)
{
    box all;
    int point[HX_MAX_AXES];
    memcpy(all.lo, w->lo, sizeof all.lo);
    memcpy(all.hi, w->hi, sizeof all.hi);
    memcpy(point, all.lo, sizeof point);
    do {
        write(w, &l->spec->field[w->field], layout_at(l, w->block, w->field, point), stream);
    } while (box_next(&all, l->spec->axes, point));
}

static void store(const hx_wall *w, const hx_field *field, ptrdiff_t at, void *element)
{
    value_store(value_kind_of(field), (size_t)field->size, element,
                (size_t)(at + 1000 * (2 * w->axis + w->side)), w->exchange, 1);
}

static void write_here(const hx_wall *w, const hx_field *field, ptrdiff_t at, hx_stream stream)
{
    (void)stream;
    store(w, field, at, (unsigned char *)w->array + at * field->size);
}

/* Where values wait until the stream has copied them: there is room for more than one exchange takes. */
static _Alignas(16) unsigned char waiting[1 << 20];
static size_t waiting_bytes;

static void write_there(const hx_wall *w, const hx_field *field, ptrdiff_t at, hx_stream stream)
{
    const size_t size = (size_t)field->size;
    unsigned char *value = &waiting[waiting_bytes];
    waiting_bytes = (waiting_bytes + 16) % sizeof waiting;
    store(w, field, at, value);
    CHECK(cudaMemcpyAsync((unsigned char *)w->array + at * field->size, value, size, cudaMemcpyDefault,
                          (cudaStream_t)stream) == 0,
          "a copy to the device failed");
}

static void fill_wall(void *context, const hx_wall *wall)
{
    visit_wall(wall, context, write_here, NULL);
}

static void fill_wall_on(void *context, const hx_wall *wall, hx_stream stream)
{
    visit_wall(wall, context, write_there, stream);
}

void twin_set_hooks(hx_handle *handle, hx_handle *twin, const layout *l)
{
    void *context = (void *)(uintptr_t)l;
    CHECK_STATUS(hx_set_boundary(handle, fill_wall, context), HX_OK);
    CHECK_STATUS(hx_set_boundary_on(handle, fill_wall_on, context), HX_OK);
    CHECK_STATUS(hx_set_boundary(twin, fill_wall, context), HX_OK);
}

/* ---- the host's handle --------------------------------------------------------------------------------- */

hx_handle *twin_make(const hx_spec *host, const layout *l, const char *transport)
{
    hx_options options = HX_OPTIONS_INIT;
    options.transport = transport;
    options.schedule = "one-phase";
    hx_handle *handle = NULL;
    CHECK_STATUS(hx_create(host, &l->blocks, l->shapes, &options, &handle), HX_OK);
    return handle;
}

void twin_expect(hx_handle *twin, arrays *s, int exchange, int fill)
{
    const layout *l = s->layout;
    arrays here;
    arrays_make(&here, l, s->topology);
    arrays_fill(&here, s->salt);
    odd_fill(&here, exchange);
    if (fill >= 0) {
        CHECK_STATUS(hx_fill_corners(twin, exchange, fill, here.pointers), HX_OK);
    } else {
        CHECK_STATUS(hx_start(twin, exchange, here.pointers), HX_OK);
        CHECK_STATUS(hx_finish(twin, exchange), HX_OK);
    }
    for (int i = 0; i < l->blocks.count * l->spec->fields; ++i) {
        unsigned char *expected = s->expected[i];
        s->expected[i] = here.actual[i];
        here.actual[i] = expected;
    }
    arrays_free(&here);
}
