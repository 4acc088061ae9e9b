/*
 * Points of lists in files, whose places are their ids: written by MPI-IO, read serially, read again.  And by their
 * ids from handle to handle.  Where the points of tests/emit/specs/strata.lua lie in memory and in the file is written down here by hand.
 */
#include "../exchange/check.h"

#include "strata.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LEVELS = 5, PADDED = 8, IDS = 23, MOST = 30 };

static int rank, ranks;

typedef struct sample {
    strata *handle;
    strata_fields f;
    hx_ids ids;
    int64_t id[MOST];
    unsigned char owns[MOST];
} sample;

static void create(sample *s, int n)
{
    s->ids = (hx_ids){.points = n, .id = s->id, .owns = s->owns};
    const hx_part part = strata_part(n);
    const strata_shape shape = strata_shape_dense(&part);
    const hx_index_list list = {0, NULL};
    CHECK_STATUS(strata_create(MPI_COMM_WORLD, &shape, &list, NULL, &s->handle), HX_OK);
    CHECK_STATUS(strata_alloc(s->handle, &s->f), HX_OK);
}

/* Ids from the last to the first, one that somebody else owns, and one that takes no part.  Or other owners, and
 * ids in disorder. */
static void make(sample *s, bool other)
{
    int n = 0;
    for (int i = IDS - 1; i >= 0; --i) {
        const int id = other ? (7 * i + 3) % IDS : i;
        const bool owned = (other ? id / 3 : id) % ranks == rank;
        if (owned || id == 7) {
            s->owns[n] = owned;
            s->id[n++] = id;
        }
    }
    s->owns[n] = 1;
    s->id[n++] = -1;
    create(s, n);
}

/* All ids are those of one rank.  The others have no points, and null pointers in place of arrays. */
static void make_on(sample *s, int owner)
{
    int n = 0;
    for (; rank == owner && n < IDS; ++n) {
        s->owns[n] = 1;
        s->id[n] = n;
    }
    create(s, n);
    if (n == 0) {
        s->f = (strata_fields){.a = NULL};
    }
}

/* The element of point i, level k, component c: its number in memory, its number in the file, its value. */
typedef struct element {
    int in_memory;
    int in_file;
    int value;
} element;

static element element_of(const sample *s, int field, int i, int k, int c)
{
    const int id = (int)s->id[i];
    const int value = (field + 1) * 1000 + id * 20 + k * 3 + c;
    switch (field) {
    case STRATA_A:
        return (element){i * LEVELS + k, id * LEVELS + k, value};
    case STRATA_B:
        return (element){(i * PADDED + k) * 2 + c, (id * LEVELS + k) * 2 + c, value};
    case STRATA_C:
        return (element){(i * 3 + c) * LEVELS + k, (id * 3 + c) * LEVELS + k, value};
    default:
        return (element){k * s->ids.points + i, k * IDS + id, value};
    }
}

static double get(const sample *s, int field, int at)
{
    return field == STRATA_A   ? s->f.a[at]
           : field == STRATA_B ? (double)s->f.b[at]
           : field == STRATA_C ? s->f.c[at]
                               : s->f.d[at];
}

static void put(const sample *s, int field, int at, int value)
{
    switch (field) {
    case STRATA_A:
        s->f.a[at] = value;
        break;
    case STRATA_B:
        s->f.b[at] = (float)value;
        break;
    case STRATA_C:
        s->f.c[at] = value;
        break;
    default:
        s->f.d[at] = value;
    }
}

static double read_element(FILE *file, long start, int field, int at)
{
    double d = 0;
    float b = 0;
    int c = 0;
    void *const to[] = {&d, &b, &c, &d};
    static const size_t bytes[] = {sizeof d, sizeof b, sizeof c, sizeof d};
    fseek(file, start + at * (long)bytes[field], SEEK_SET);
    CHECK(fread(to[field], bytes[field], 1, file) == 1, "the file is too short");
    return field == STRATA_B ? (double)b : field == STRATA_C ? c : d;
}

static const int levels_of[] = {LEVELS, LEVELS, LEVELS, LEVELS + 1};
static const int components_of[] = {1, 2, 3, 1};

typedef enum deed { FILL, CLEAR, COMPARE, READ_FILE } deed;

static void visit(const sample *s, int field, deed what, FILE *file, long start)
{
    for (int i = 0; i < s->ids.points; ++i) {
        for (int j = 0; j < levels_of[field] * components_of[field]; ++j) {
            const element e = element_of(s, field, i, j / components_of[field], j % components_of[field]);
            const int moved = s->owns[i] && s->id[i] >= 0;
            if (what == FILL || what == CLEAR) {
                put(s, field, e.in_memory, what == CLEAR ? -2 : moved ? e.value : -1);
            } else if (what == READ_FILE && moved) {
                CHECK(read_element(file, start, field, e.in_file) == e.value,
                      "field %d, id %d is wrong in the file", field, (int)s->id[i]);
            } else if (what == COMPARE) {
                CHECK(get(s, field, e.in_memory) == (moved ? e.value : -2),
                      "field %d, id %d: %g, expected %d", field, (int)s->id[i], get(s, field, e.in_memory),
                      moved ? e.value : -2);
            }
        }
    }
}

static void move(const sample *s, MPI_File file, MPI_Offset start, int field, int writes)
{
    MPI_Datatype in_memory, in_file;
    if (CHECK_STATUS(strata_memory_type(s->handle, field, &s->ids, &s->f, &in_memory), HX_OK) &&
        CHECK_STATUS(strata_file_type(s->handle, field, &s->ids, IDS, &in_file), HX_OK)) {
        const MPI_Datatype etype = field == STRATA_B ? MPI_FLOAT : field == STRATA_C ? MPI_INT : MPI_DOUBLE;
        MPI_File_set_view(file, start, etype, in_file, "native", MPI_INFO_NULL);
        if (writes) {
            MPI_File_write_all(file, MPI_BOTTOM, 1, in_memory, MPI_STATUS_IGNORE);
        } else {
            MPI_File_read_all(file, MPI_BOTTOM, 1, in_memory, MPI_STATUS_IGNORE);
        }
        MPI_Type_free(&in_memory);
        MPI_Type_free(&in_file);
    }
}

/* Bytes of a field in the file. */
static long bytes_of(int field)
{
    static const long size[] = {sizeof(double), sizeof(float), sizeof(int), sizeof(double)};
    return size[field] * IDS * levels_of[field] * components_of[field];
}

/* Writes all fields, or reads them into arrays that hold -2. */
static void pass_over(const sample *s, const char *path, int writes)
{
    MPI_File file;
    const int mode = writes ? MPI_MODE_CREATE | MPI_MODE_WRONLY : MPI_MODE_RDONLY;
    MPI_File_open(MPI_COMM_WORLD, path, mode, MPI_INFO_NULL, &file);
    long start = 0;
    for (int field = 0; field < STRATA_FIELDS; start += bytes_of(field++)) {
        visit(s, field, writes ? FILL : CLEAR, NULL, 0);
        move(s, file, start, field, writes);
        visit(s, field, writes ? FILL : COMPARE, NULL, 0);
    }
    MPI_File_close(&file);
}

static void read_alone(const sample *s, const char *path)
{
    FILE *file = fopen(path, "rb");
    long start = 0;
    for (int field = 0; file && field < STRATA_FIELDS; start += bytes_of(field++)) {
        visit(s, field, READ_FILE, file, start);
    }
    CHECK(file != NULL && fseek(file, 0, SEEK_END) == 0 && ftell(file) == start,
          "the file has another length");
    if (file) {
        fclose(file);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

#define REFUSED(call, words) CHECK_REFUSED(MPI_COMM_WORLD, call, HX_ERR_ARGUMENT, words)

static void try_bad_input(sample *s)
{
    MPI_Datatype type;
    int count = 0;
    hx_handle *handle = strata_handle(s->handle);
    REFUSED(hx_extents(handle, 0, 0, 0, NULL, &count), "a list of points");
    REFUSED(hx_file_type(handle, 0, 0, &type), "call hx_file_type_of_ids");
    REFUSED(strata_file_type(s->handle, 0, NULL, IDS, &type), "the ids are a null pointer");
    REFUSED(strata_file_type(s->handle, 0, &s->ids, 1, &type), "the file has 1 points, numbered from 0");
    REFUSED(strata_memory_type(s->handle, 0, &s->ids, NULL, &type), "the fields are a null pointer");
    hx_ids other = s->ids;
    other.points--;
    REFUSED(strata_memory_type(s->handle, 0, &other, &s->f, &type), "Give as many");
    s->id[0] = s->id[s->ids.points - 2];
    REFUSED(strata_memory_type(s->handle, 0, &s->ids, &s->f, &type), "one place in the file");
}

/* Fields that move, as pointers of which others are null. */
static strata_fields only(const sample *s, int field)
{
    return (strata_fields){.a = field == STRATA_A ? s->f.a : NULL,
                           .b = field == STRATA_B ? s->f.b : NULL,
                           .c = field == STRATA_C ? s->f.c : NULL,
                           .d = field == STRATA_D ? s->f.d : NULL};
}

static hx_status call(const sample *from, const sample *to, const hx_ids *ids)
{
    const hx_redistribution how = {.source_ids = ids, .target_ids = &to->ids};
    return strata_redistribute_with(from->handle, &from->f, to->handle, &to->f, &how);
}

/* All fields there and back, with plans that are new and kept. */
static void move_to_and_fro(const sample *one, const sample *other)
{
    for (int time = 0; time < 4; ++time) {
        const sample *from = time % 2 == 0 ? one : other;
        const sample *to = time % 2 == 0 ? other : one;
        check_about("moved, time %d", time);
        for (int field = 0; field < STRATA_FIELDS; ++field) {
            visit(from, field, FILL, NULL, 0);
            visit(to, field, CLEAR, NULL, 0);
        }
        CHECK_STATUS(call(from, to, &from->ids), HX_OK);
        for (int field = 0; field < STRATA_FIELDS; ++field) {
            visit(to, field, COMPARE, NULL, 0);
        }
    }
}

/* From the first rank to the last one. */
static void move_all(void)
{
    sample first = {.handle = NULL};
    sample last = {.handle = NULL};
    make_on(&first, 0);
    make_on(&last, ranks - 1);
    move_to_and_fro(&first, &last);
    CHECK_STATUS(strata_destroy(first.handle), HX_OK);
    CHECK_STATUS(strata_destroy(last.handle), HX_OK);
}

/* All fields; then one; then mistakes. */
static void move_between(const sample *one, sample *other)
{
    move_to_and_fro(one, other);
    visit(other, STRATA_C, CLEAR, NULL, 0);
    const strata_fields source = only(one, STRATA_C);
    const strata_fields target = only(other, STRATA_C);
    visit(one, STRATA_C, FILL, NULL, 0);
    const hx_redistribution how = {.source_ids = &one->ids, .target_ids = &other->ids};
    CHECK_STATUS(strata_redistribute_with(one->handle, &source, other->handle, &target, &how), HX_OK);
    visit(other, STRATA_C, COMPARE, NULL, 0);
    check_about("bad ids");
    REFUSED(call(one, other, NULL), "the ids of the source are a null pointer");
    hx_ids fewer = one->ids;
    fewer.points -= rank == 0;
    REFUSED(call(one, other, &fewer), "of the source, which has");
    REFUSED(hx_redistribute(strata_handle(one->handle), &one->f, strata_handle(other->handle), &other->f),
            "give those of both handles");
    const int64_t kept = other->id[0];
    other->id[0] = rank == 0 ? IDS + 5 : kept;
    other->owns[0] = 1;
    REFUSED(call(one, other, &one->ids), "no rank owns it");
    other->id[0] = kept;
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv, MPI_THREAD_SINGLE);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    char path[4096] = "";
    snprintf(path, sizeof path, "%s/lists.%ld", argc > 1 ? argv[1] : ".", (long)getpid());
    MPI_Bcast(path, sizeof path, MPI_CHAR, 0, MPI_COMM_WORLD);
    sample s = {.handle = NULL};
    make(&s, false);
    pass_over(&s, path, 1);
    pass_over(&s, path, 0);
    read_alone(&s, path);
    if (rank == 0) {
        remove(path);
    }
    sample other = {.handle = NULL};
    make(&other, true);
    move_between(&s, &other);
    CHECK_STATUS(strata_destroy(other.handle), HX_OK);
    move_all();
    try_bad_input(&s);
    CHECK_STATUS(strata_destroy(s.handle), HX_OK);
    return check_verdict("points of lists in files, and between handles");
}
