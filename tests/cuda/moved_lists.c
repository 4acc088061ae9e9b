/*
 * Redistribution of the points of lists, with fields in the memory of a device: each value is known by the id of its point.
 *
 * usage: cuda_moved_lists
 */
#include "check.h"
#include "mirror.h"

#include <fake.h>
#include <polygons.h>

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static int rank, ranks;
static cudaStream_t stream, other; /* neither waits for the other */

enum { IDS = 57, LEVELS = 6, PARTS = 4 };

/* The points of a rank, and a field of each type: a part of it for each that polygons has. */
typedef struct cells {
    polygons *handle;
    polygons_shape shape;
    hx_ids ids;
    int64_t id[IDS];
    size_t bytes[PARTS];
    unsigned char *here[PARTS];
    polygons_fields there;
} cells;

static void *array_of(const cells *c, int part)
{
    void *const all[PARTS] = {c->there.t, c->there.qv, c->there.w, c->there.land};
    return all[part];
}

/* A number for each element, by the id of its point and its place there. */
static void set_values(const cells *c, int part, unsigned char *array, bool owned)
{
    const size_t size = part == 0 || part == 1 ? sizeof(double) : sizeof(float);
    const size_t of_a_point = c->ids.points > 0 ? c->bytes[part] / (size_t)c->ids.points / size : 0;
    for (int i = 0; i < c->ids.points; ++i) {
        for (size_t k = 0; k < of_a_point; ++k) {
            unsigned char *element = array + ((size_t)i * of_a_point + k) * size;
            const double value = owned ? (double)(c->id[i] * 100) + (double)k + 10000.0 * part : -1.0;
            const float single = (float)value;
            const int whole = (int)value;
            memcpy(element,
                   part < 2    ? (const void *)&value
                   : part == 2 ? (const void *)&single
                               : (const void *)&whole,
                   size);
        }
    }
}

/* Dealt out one by one, or three by three and backwards; the last rank has none then. */
static void deal(cells *c, bool again)
{
    const int of = again && ranks > 1 ? ranks - 1 : ranks;
    *c = (cells){.ids = {.id = c->id}};
    for (int64_t i = 0; i < IDS; ++i) {
        const int64_t id = again ? IDS - 1 - i : i;
        if ((again ? id / 3 : id) % of == rank) {
            c->id[c->ids.points++] = id;
        }
    }
    c->ids.id = c->id;
    c->ids.owned = c->ids.points;
    hx_index_list *list = NULL;
    const hx_part part = polygons_part(c->ids.points);
    c->shape = polygons_shape_dense(&part);
    CHECK_STATUS(hx_index_list_of_ids(MPI_COMM_WORLD, &c->ids, &list), HX_OK);
    CHECK_STATUS(polygons_create(MPI_COMM_WORLD, &c->shape, list, NULL, &c->handle), HX_OK);
    hx_index_list_free(list);
    CHECK_STATUS(polygons_alloc(c->handle, &c->there), HX_OK);
    static const int fields[PARTS] = {POLYGONS_T, POLYGONS_QV, POLYGONS_W, POLYGONS_LAND};
    for (int f = 0; f < PARTS; ++f) {
        const size_t size = f < 2 ? sizeof(double) : f == 2 ? sizeof(float) : sizeof(int);
        const size_t elements = polygons_points(&c->shape, fields[f]);
        const size_t of_a_point = f == PARTS - 1 ? 2 * LEVELS : f == 2 ? LEVELS + 1 : LEVELS;
        c->bytes[f] = (size_t)c->ids.points * of_a_point * size;
        CHECK(c->bytes[f] / size == elements, "field %d has %zu elements", f, elements);
        c->here[f] = malloc(c->bytes[f] + 1);
    }
}

static void copy(const cells *c, bool up, cudaStream_t by)
{
    for (int f = 0; f < PARTS; ++f) {
        void *array = array_of(c, f);
        if (c->bytes[f] > 0 && f == PARTS - 1) {
            memcpy(up ? array : c->here[f], up ? c->here[f] : array, c->bytes[f]);
        } else if (c->bytes[f] > 0) {
            CHECK(cudaMemcpyAsync(up ? array : c->here[f], up ? c->here[f] : array, c->bytes[f],
                                  cudaMemcpyDefault, by) == 0,
                  "a copy failed");
        }
    }
    CHECK(up || cudaStreamSynchronize(by) == 0, "a stream failed");
}

static void move_cells(const cells *from, const cells *to)
{
    for (int f = 0; f < PARTS; ++f) {
        set_values(from, f, from->here[f], true);
        set_values(to, f, to->here[f], false);
    }
    copy(from, true, stream);
    copy(to, true, stream);
    const hx_redistribution how = {.stream = stream, .source_ids = &from->ids, .target_ids = &to->ids};
    CHECK_STATUS(polygons_redistribute_with(from->handle, &from->there, to->handle, &to->there, &how), HX_OK);
    copy(to, false, other);
    for (int f = 0; f < PARTS; ++f) {
        unsigned char *wanted = malloc(to->bytes[f] + 1);
        set_values(to, f, wanted, true);
        CHECK(memcmp(wanted, to->here[f], to->bytes[f]) == 0, "field %d of the list is wrong", f);
        free(wanted);
    }
}

static void try_lists(void)
{
    static cells c[2];
    deal(&c[0], false);
    deal(&c[1], true);
    move_cells(&c[0], &c[1]);
    move_cells(&c[1], &c[0]);
    move_cells(&c[0], &c[1]);
    for (int i = 0; i < 2; ++i) {
        CHECK_STATUS(polygons_destroy(c[i].handle), HX_OK);
        for (int f = 0; f < PARTS; ++f) {
            free(c[i].here[f]);
        }
    }
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv, MPI_THREAD_SINGLE);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    mirror_need_device();
    CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) == 0 &&
              cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking) == 0,
          "no stream");
    for (int order = 0; order < 3; ++order) {
        fake_set_order((fake_order)order, (unsigned)rank);
        check_about("order %d", order);
        try_lists();
    }
    CHECK(cudaStreamDestroy(stream) == 0 && cudaStreamDestroy(other) == 0, "a stream failed");
    return check_verdict("redistribution of lists on devices");
}
