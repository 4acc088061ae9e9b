/*
 * Fields in files: written by MPI-IO on one partition, read serially and compared with what the indices of the
 * grid say, byte by byte, and read again on another partition.  Extents and types of memory are held against
 * the same: which element of which array has a point, and that each point of the file has one writer.
 */
#include "check.h"
#include "layout.h"
#include "specs.h"

#include <hx/files.h>

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_PARTS = 3, UNTOUCHED = 0xa5 };

static int rank, ranks;

static void *allocate(size_t size)
{
    void *memory = calloc(1, size > 0 ? size : 1);
    if (memory == NULL) {
        abort();
    }
    return memory;
}

static uint64_t mix(uint64_t h, uint64_t v)
{
    h = (h ^ v) * 0x9e3779b97f4a7c15u;
    return h ^ h >> 29;
}

/* ---- grids --------------------------------------------------------------------------------------------- */

static int has_faces(const hx_spec *spec, int field, int axis)
{
    hx_field_facts facts;
    CHECK_STATUS(hx_field_query(spec, field, &facts), HX_OK);
    return facts.at[axis] == HX_AT_BOTH;
}

/* Who owns which block: drawn from a seed; land is the same however a grid is cut, or there is none. */
typedef struct owners {
    uint64_t seed;
    const hx_spec *spec;
    const hx_partition *partition;
    bool land;
} owners;

/* Of a block, from its number. */
static int first_cell(const hx_partition *p, bool first_fastest, int block, int axis)
{
    for (int i = 0; i < p->axes; ++i) {
        const int a = first_fastest ? i : p->axes - 1 - i;
        if (a == axis) {
            return p->cuts[a][block % p->ranks[a]];
        }
        block /= p->ranks[a];
    }
    return 0;
}

/* Blocks of the first tile are land where their first cells say so. */
static int owner(void *context, int tile, int block)
{
    const owners *o = context;
    const hx_partition *p = &o->partition[tile];
    const bool ff = o->spec->first_fastest;
    if (o->land &&
        mix(mix(99, (uint64_t)first_cell(p, ff, block, 0)), (uint64_t)first_cell(p, ff, block, 1)) % 3 == 0) {
        return HX_NO_OWNER;
    }
    return (int)(mix(mix(o->seed, (uint64_t)tile), (uint64_t)block) % (uint64_t)ranks);
}

typedef struct trial {
    uint64_t seed; /* of cuts */
    owners owners;
    hx_partition partition[LAYOUT_TILES];
    int cuts[LAYOUT_TILES][HX_MAX_AXES][MOST_PARTS + 1];
    layout layout;
    unsigned char *pointers;
    hx_handle *handle;
    bool writes;
} trial;

/* Cells of tiles that are joined agree; a grid of one tile has any, but an even number on a fold. */
static int cells_of(const hx_spec *spec, int number, int tile, int axis)
{
    if (spec->cells[axis] > 0) {
        return spec->cells[axis];
    }
    if (strcmp(spec->name, "unequal") == 0) {
        return axis == 0 ? 4 + tile * (2 + number) : 5 + axis;
    }
    return spec->tiles > 1 ? 4 + number % 3 : 4 + 2 * (int)(mix((uint64_t)number, (uint64_t)axis) % 3);
}

static void make_cuts(trial *t, const hx_spec *spec, int tile, int axis)
{
    hx_partition *p = &t->partition[tile];
    int *cuts = t->cuts[tile][axis];
    const uint64_t draw = mix(mix(t->seed, (uint64_t)tile), (uint64_t)axis + 7);
    const int parts = spec->decomposed[axis] ? 1 + (int)(draw % MOST_PARTS) : 1;
    for (int i = 0; i <= parts; ++i) {
        cuts[i] = i == 1 && parts > 1 && draw / 16 % 2 ? 1 : p->cells[axis] * i / parts;
    }
    p->ranks[axis] = parts;
    p->cuts[axis] = cuts;
}

static bool make_trial(trial *t, const hx_spec *spec, int number, uint64_t seed, bool land)
{
    memset(t, 0, sizeof *t);
    t->seed = mix(land ? 1 : seed, (uint64_t)number); /* where there is land, the same blocks have it */
    t->owners = (owners){mix(seed, (uint64_t)number), spec, t->partition, land};
    for (int tile = 0; tile < spec->tiles; ++tile) {
        t->partition[tile].axes = spec->axes;
        for (int a = 0; a < spec->axes; ++a) {
            t->partition[tile].cells[a] = cells_of(spec, number, tile, a);
            make_cuts(t, spec, tile, a);
        }
    }
    const layout_request request = {.spec = spec,
                                    .comm = MPI_COMM_WORLD,
                                    .partition = t->partition,
                                    .owner = owner,
                                    .context = &t->owners,
                                    .faces = has_faces,
                                    .padding = seed % 2 == 0 ? 3 : LAYOUT_BEST};
    layout_make(&t->layout, &request);
    hx_options options = HX_OPTIONS_INIT;
    options.transport = "p2p";
    return CHECK_STATUS(hx_create(spec, &t->layout.blocks, t->layout.shapes, &options, &t->handle), HX_OK);
}

/* ---- what points hold ---------------------------------------------------------------------------------- */

typedef struct point {
    int field;
    int tile;
    int index[HX_MAX_AXES]; /* counted in the tile */
    int component;
} point;

static size_t element_bytes(const hx_spec *spec, int field)
{
    hx_field_facts facts;
    CHECK_STATUS(hx_field_query(spec, field, &facts), HX_OK);
    return facts.bytes;
}

static void value_of(const point *p, size_t bytes, unsigned char value[])
{
    uint64_t h = mix(mix((uint64_t)p->field + 1, (uint64_t)p->tile), (uint64_t)p->component);
    for (int a = 0; a < HX_MAX_AXES; ++a) {
        h = mix(h, (uint64_t)p->index[a] + 3);
    }
    for (size_t i = 0; i < bytes; ++i) {
        value[i] = (unsigned char)(mix(h, i) >> 11);
    }
}

static unsigned char **array_of(const trial *t, int block, int field)
{
    const hx_spec *spec = t->layout.spec;
    return (unsigned char **)(void *)(t->pointers + (size_t)block * spec->fields_size +
                                      spec->field[field].pointer);
}

/* Elements from a field's pointer. */
static ptrdiff_t element_of(const trial *t, int block, const point *p)
{
    const hx_field *f = &t->layout.spec->field[p->field];
    const hx_part *part = &t->layout.part[block];
    int index[HX_MAX_AXES] = {0};
    for (int a = 0; a < t->layout.spec->axes; ++a) {
        index[a] = p->index[a] - part->first[a];
    }
    const ptrdiff_t at = layout_at(&t->layout, block, p->field, index);
    if (f->components_after == 0) {
        return at * (f->components > 0 ? f->components : 1) + p->component;
    }
    ptrdiff_t apart;
    memcpy(&apart,
           t->layout.shapes + (size_t)block * t->layout.spec->shape_size + t->layout.spec->shape_apart +
               (size_t)p->field * sizeof apart,
           sizeof apart);
    return at + p->component * apart;
}

typedef void visitor(trial *t, int block, const point *p);

static void visit(trial *t, int block, int field, visitor *f)
{
    const hx_spec *spec = t->layout.spec;
    const int components = spec->field[field].components > 0 ? spec->field[field].components : 1;
    box own = layout_owned(&t->layout, block, field);
    int at[HX_MAX_AXES] = {0};
    do {
        point p = {.field = field, .tile = t->layout.part[block].tile};
        for (int a = 0; a < spec->axes; ++a) {
            p.index[a] = t->layout.part[block].first[a] + at[a];
        }
        for (p.component = 0; p.component < components; ++p.component) {
            f(t, block, &p);
        }
    } while (box_next(&own, spec->axes, at));
}

static void visit_all(trial *t, visitor *f)
{
    for (int b = 0; b < t->layout.blocks.count; ++b) {
        for (int field = 0; field < t->layout.spec->fields; ++field) {
            visit(t, b, field, f);
        }
    }
}

static void fill(trial *t, int block, const point *p)
{
    const size_t bytes = element_bytes(t->layout.spec, p->field);
    value_of(p, bytes, *array_of(t, block, p->field) + (size_t)element_of(t, block, p) * bytes);
}

/* Compares a point, and marks its bytes as seen. */
static void compare(trial *t, int block, const point *p)
{
    unsigned char wanted[64];
    const size_t bytes = element_bytes(t->layout.spec, p->field);
    unsigned char *found = *array_of(t, block, p->field) + (size_t)element_of(t, block, p) * bytes;
    value_of(p, bytes, wanted);
    CHECK(memcmp(wanted, found, bytes) == 0,
          "field %s, tile %d, point %d %d %d %d, component %d was not read",
          t->layout.spec->field[p->field].name, p->tile, p->index[0], p->index[1], p->index[2], p->index[3],
          p->component);
    memset(found, UNTOUCHED, bytes);
}

static size_t array_bytes(const trial *t, int block, int field)
{
    return layout_elements(&t->layout, block, field) * (size_t)t->layout.spec->field[field].size;
}

static void make_arrays(trial *t)
{
    const hx_spec *spec = t->layout.spec;
    t->pointers = allocate((size_t)t->layout.blocks.count * spec->fields_size);
    for (int b = 0; b < t->layout.blocks.count; ++b) {
        for (int f = 0; f < spec->fields; ++f) {
            *array_of(t, b, f) = allocate(array_bytes(t, b, f));
            memset(*array_of(t, b, f), UNTOUCHED, array_bytes(t, b, f));
        }
    }
}

static void check_rest(trial *t)
{
    for (int b = 0; b < t->layout.blocks.count; ++b) {
        for (int f = 0; f < t->layout.spec->fields; ++f) {
            size_t touched = 0;
            for (size_t i = 0; i < array_bytes(t, b, f); ++i) {
                touched += (*array_of(t, b, f))[i] != UNTOUCHED;
            }
            CHECK(touched == 0, "%zu bytes of field %s that are no points were read into", touched,
                  t->layout.spec->field[f].name);
        }
    }
}

static void drop_trial(trial *t)
{
    for (int b = 0; b < t->layout.blocks.count; ++b) {
        for (int f = 0; f < t->layout.spec->fields; ++f) {
            free(*array_of(t, b, f));
        }
    }
    free(t->pointers);
    CHECK_STATUS(hx_destroy(t->handle), HX_OK);
    layout_free(&t->layout);
}

/* ---- files --------------------------------------------------------------------------------------------- */

/* Axes of a field's array from the fastest to the slowest, -1 for components; how many. */
static int axes_of(const hx_spec *spec, int field, int axes[])
{
    const hx_field *f = &spec->field[field];
    int count = 0;
    for (int i = 0; i <= spec->axes; ++i) {
        if (f->components > 0 && f->components_after == i) {
            axes[count++] = -1;
        }
        if (i < spec->axes) {
            axes[count++] = f->order[i];
        }
    }
    return count;
}

static int size_of(const trial *t, int field, int tile, int axis)
{
    const hx_spec *spec = t->layout.spec;
    return axis < 0 ? spec->field[field].components
                    : t->partition[tile].cells[axis] + has_faces(spec, field, axis);
}

/* Has any block with an owner the point? */
static bool is_held(const trial *t, const point *p)
{
    const hx_partition *part = &t->partition[p->tile];
    int blocks = 1;
    for (int a = 0; a < part->axes; ++a) {
        blocks *= part->ranks[a];
    }
    for (int b = 0; b < blocks; ++b) {
        bool held = owner((void *)&t->owners, p->tile, b) != HX_NO_OWNER;
        for (int a = 0; a < part->axes; ++a) {
            const int first = first_cell(part, t->layout.spec->first_fastest, b, a);
            int end = first;
            for (int i = 0; i < part->ranks[a]; ++i) {
                end = part->cuts[a][i] == first ? part->cuts[a][i + 1] : end;
            }
            end += has_faces(t->layout.spec, p->field, a);
            held = held && p->index[a] >= first && p->index[a] < end;
        }
        if (held) {
            return true;
        }
    }
    return false;
}

/* Reads a field of a tile as one process does. */
static void read_tile(const trial *t, int field, int tile, FILE *file)
{
    const hx_spec *spec = t->layout.spec;
    const size_t bytes = element_bytes(spec, field);
    int axes[HX_FILE_AXES];
    const int count = axes_of(spec, field, axes);
    int at[HX_FILE_AXES] = {0};
    int a = 0;
    long wrong = 0;
    while (a < count) {
        point p = {.field = field, .tile = tile};
        for (int i = 0; i < count; ++i) {
            *(axes[i] < 0 ? &p.component : &p.index[axes[i]]) = at[i];
        }
        unsigned char wanted[64], found[64];
        value_of(&p, bytes, wanted);
        wrong +=
            fread(found, 1, bytes, file) != bytes || (is_held(t, &p) && memcmp(found, wanted, bytes) != 0);
        for (a = 0; a < count && ++at[a] == size_of(t, field, tile, axes[a]); ++a) {
            at[a] = 0;
        }
    }
    CHECK(wrong == 0, "%ld elements of field %s of tile %d in the file are wrong", wrong,
          spec->field[field].name, tile);
}

static MPI_Offset field_bytes(const trial *t, int field)
{
    MPI_Offset all = 0;
    int axes[HX_FILE_AXES];
    const int count = axes_of(t->layout.spec, field, axes);
    for (int tile = 0; tile < t->layout.spec->tiles; ++tile) {
        MPI_Offset bytes = (MPI_Offset)element_bytes(t->layout.spec, field);
        for (int i = 0; i < count; ++i) {
            bytes *= size_of(t, field, tile, axes[i]);
        }
        all += bytes;
    }
    return all;
}

static void move_pass(trial *t, MPI_File file, MPI_Offset at, int field, int pass)
{
    MPI_Datatype in_memory, in_file, element;
    MPI_Aint least, extent;
    MPI_Type_contiguous((int)element_bytes(t->layout.spec, field), MPI_BYTE, &element);
    MPI_Type_commit(&element);
    if (CHECK_STATUS(hx_memory_type(t->handle, field, pass, t->pointers, &in_memory), HX_OK) &&
        CHECK_STATUS(hx_file_type(t->handle, field, pass, &in_file), HX_OK)) {
        MPI_Type_get_extent(in_file, &least, &extent);
        CHECK(least == 0 && extent == (MPI_Aint)field_bytes(t, field), "the extent is %ld", (long)extent);
        MPI_File_set_view(file, at, element, in_file, "native", MPI_INFO_NULL);
        if (t->writes) {
            MPI_File_write_all(file, MPI_BOTTOM, 1, in_memory, MPI_STATUS_IGNORE);
        } else {
            MPI_File_read_all(file, MPI_BOTTOM, 1, in_memory, MPI_STATUS_IGNORE);
        }
        MPI_Type_free(&in_memory);
        MPI_Type_free(&in_file);
    }
    MPI_Type_free(&element);
}

static void move_all(trial *t, const char *path)
{
    MPI_File file;
    MPI_Offset at = 0;
    const int mode = t->writes ? MPI_MODE_CREATE | MPI_MODE_WRONLY : MPI_MODE_RDONLY;
    const int code = MPI_File_open(MPI_COMM_WORLD, path, mode, MPI_INFO_NULL, &file);
    CHECK(code == MPI_SUCCESS, "%s cannot be opened", path);
    for (int f = 0; code == MPI_SUCCESS && f < t->layout.spec->fields; ++f) {
        const int passes = t->writes ? 1 : hx_file_passes(t->layout.spec, f);
        for (int pass = 0; pass < passes; ++pass) {
            move_pass(t, file, at, f, pass);
        }
        at += field_bytes(t, f);
    }
    if (code == MPI_SUCCESS) {
        if (t->writes) {
            MPI_File_set_size(file, at); /* nobody may have the last points */
        }
        MPI_File_close(&file);
    }
}

static void read_alone(const trial *t, const char *path)
{
    FILE *file = fopen(path, "rb");
    CHECK(file != NULL, "%s was not written", path);
    for (int f = 0; file != NULL && f < t->layout.spec->fields; ++f) {
        for (int tile = 0; tile < t->layout.spec->tiles; ++tile) {
            read_tile(t, f, tile, file);
        }
    }
    CHECK(file == NULL || fgetc(file) == EOF, "the file is longer than its fields");
    if (file != NULL) {
        fclose(file);
    }
}

/* ---- extents ------------------------------------------------------------------------------------------- */

static bool same_sizes(const trial *t)
{
    bool same = t->layout.spec->tiles > 1;
    for (int tile = 1; tile < t->layout.spec->tiles; ++tile) {
        same = same &&
               memcmp(t->partition[tile].cells, t->partition[0].cells, sizeof t->partition[0].cells) == 0;
    }
    return same;
}

static bool check_axes(const trial *t, int field, const hx_extent *e)
{
    int axes[HX_FILE_AXES];
    const int count = axes_of(t->layout.spec, field, axes);
    const int tiles = same_sizes(t);
    bool right = e->axes == count + tiles &&
                 (!tiles || (e->axis[0] == HX_FILE_TILES && e->start[0] == (size_t)e->tile &&
                             e->count[0] == 1 && e->size[0] == (size_t)t->layout.spec->tiles));
    for (int i = 0; right && i < count; ++i) {
        const int a = e->axes - 1 - i;
        right = e->axis[a] == (axes[i] < 0 ? HX_FILE_COMPONENTS : axes[i]) && e->stride[a] == 1 &&
                e->size[a] == (size_t)size_of(t, field, e->tile, axes[i]);
    }
    CHECK(right, "the axes of field %s in the file are wrong", t->layout.spec->field[field].name);
    return right;
}

/* Each element of an extent is that of the point; counts the point. */
static void check_element(trial *t, int block, int field, const hx_extent *e, const size_t at[], int *writers)
{
    point p = {.field = field, .tile = e->tile};
    ptrdiff_t element = e->first;
    ptrdiff_t boxed = 0;
    size_t place = 0;
    for (int a = 0; a < e->axes; ++a) {
        element += (ptrdiff_t)at[a] * e->memory_stride[a];
        boxed = boxed * (ptrdiff_t)e->memory_size[a] + (ptrdiff_t)(e->memory_start[a] + at[a]);
        if (e->axis[a] != HX_FILE_TILES) {
            place = place * e->size[a] + e->start[a] + at[a];
            *(e->axis[a] < 0 ? &p.component : &p.index[e->axis[a]]) = (int)(e->start[a] + at[a]);
        }
    }
    const ptrdiff_t wanted = element_of(t, block, &p);
    CHECK(element == wanted, "field %s: element %td, expected %td", t->layout.spec->field[field].name,
          element, wanted);
    CHECK(e->memory_size[0] == 0 || boxed == wanted, "field %s: element %td in memory as a box, expected %td",
          t->layout.spec->field[field].name, boxed, wanted);
    writers[place]++;
}

static void check_extent(trial *t, int block, int field, const hx_extent *e, int *writers)
{
    size_t at[HX_FILE_AXES] = {0};
    int a = -1;
    do {
        check_element(t, block, field, e, at, writers);
        for (a = e->axes - 1; a >= 0 && ++at[a] == e->count[a]; --a) {
            at[a] = 0;
        }
    } while (a >= 0);
}

static void check_extents(trial *t, int field, int tile)
{
    const size_t elements = (size_t)field_bytes(t, field) / element_bytes(t->layout.spec, field);
    int *writers = allocate(elements * sizeof *writers);
    for (int b = 0; b < t->layout.blocks.count; ++b) {
        int count = 0;
        CHECK_STATUS(hx_extents(t->handle, field, b, 0, NULL, &count), HX_OK);
        hx_extent *e = allocate((size_t)count * sizeof *e);
        CHECK_STATUS(hx_extents(t->handle, field, b, 0, e, &count), HX_OK);
        for (int i = 0; i < count; ++i) {
            if (e[i].tile == tile && check_axes(t, field, &e[i])) {
                check_extent(t, b, field, &e[i], writers);
            }
        }
        free(e);
    }
    MPI_Allreduce(MPI_IN_PLACE, writers, (int)elements, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    size_t of_tile = 1;
    int axes[HX_FILE_AXES];
    const int count = axes_of(t->layout.spec, field, axes);
    for (int i = 0; i < count; ++i) {
        of_tile *= (size_t)size_of(t, field, tile, axes[i]);
    }
    size_t wrong = 0;
    for (size_t i = 0; i < of_tile; ++i) {
        size_t rest = i;
        point p = {.field = field, .tile = tile};
        for (int k = 0; k < count; ++k) {
            const size_t size = (size_t)size_of(t, field, tile, axes[k]);
            *(axes[k] < 0 ? &p.component : &p.index[axes[k]]) = (int)(rest % size);
            rest /= size;
        }
        wrong += writers[i] != is_held(t, &p);
    }
    CHECK(wrong == 0, "%zu of %zu elements of field %s of tile %d are not written once", wrong, of_tile,
          t->layout.spec->field[field].name, tile);
    free(writers);
}

/* All passes together have each point of a block once, as the box of all of them does. */
static void check_passes(trial *t, int block, int field)
{
    const size_t elements = (size_t)field_bytes(t, field) / element_bytes(t->layout.spec, field);
    int *apart = allocate(elements * sizeof *apart);
    int *together = allocate(elements * sizeof *together);
    hx_extent e;
    int count = 1;
    CHECK_STATUS(hx_extents(t->handle, field, block, HX_ALL_PASSES, &e, &count), HX_OK);
    CHECK(count == 1, "all points of a block are in %d boxes", count);
    check_extent(t, block, field, &e, together);
    size_t points = 1;
    for (int a = 0; a < e.axes; ++a) {
        points *= e.count[a];
    }
    for (int pass = 0; pass < hx_file_passes(t->layout.spec, field); ++pass) {
        hx_extent some[81];
        count = 81;
        CHECK_STATUS(hx_extents(t->handle, field, block, pass, some, &count), HX_OK);
        CHECK(t->owners.land || count == (pass == 0) || (pass > 0 && count == 1), "pass %d has %d boxes",
              pass, count);
        for (int i = 0; i < count; ++i) {
            check_extent(t, block, field, &some[i], apart);
        }
    }
    size_t covered = 0;
    const box own = layout_owned(&t->layout, block, field);
    size_t owned =
        t->layout.spec->field[field].components > 0 ? (size_t)t->layout.spec->field[field].components : 1;
    for (int a = 0; a < t->layout.spec->axes; ++a) {
        owned *= (size_t)own.hi[a];
    }
    for (size_t i = 0; i < elements; ++i) {
        covered += apart[i] == 1 && together[i] == 1;
    }
    CHECK(covered == owned && points == owned, "field %s: %zu of %zu points are read once, %zu in one box",
          t->layout.spec->field[field].name, covered, owned, points);
    CHECK(memcmp(apart, together, elements * sizeof *apart) == 0,
          "passes have other points than all of them");
    free(apart);
    free(together);
}

/* ---- trials -------------------------------------------------------------------------------------------- */

static void try_once(const hx_spec *spec, int number, bool land, const char *path)
{
    trial written, read;
    check_about("%s, number %d%s", spec->name, number, land ? ", with land" : "");
    if (make_trial(&written, spec, number, 1, land) && make_trial(&read, spec, number, 2, land)) {
        make_arrays(&written);
        visit_all(&written, fill);
        written.writes = true;
        move_all(&written, path);
        if (rank == 0) {
            read_alone(&written, path);
        }
        for (int f = 0; f < spec->fields; ++f) {
            for (int tile = 0; tile < spec->tiles; ++tile) {
                check_extents(&read, f, tile);
            }
        }
        for (int b = 0; b < read.layout.blocks.count; ++b) {
            for (int f = 0; f < spec->fields; ++f) {
                check_passes(&read, b, f);
            }
        }
        make_arrays(&read);
        move_all(&read, path);
        visit_all(&read, compare);
        check_rest(&read);
        drop_trial(&written);
        drop_trial(&read);
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank == 0) {
            remove(path);
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

/* files DIRECTORY [TRIALS] */
int main(int argc, char **argv)
{
    check_init(&argc, &argv, MPI_THREAD_SINGLE);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    char path[4096] = "";
    snprintf(path, sizeof path, "%s/files.%ld", argc > 1 ? argv[1] : ".", (long)getpid());
    MPI_Bcast(path, sizeof path, MPI_CHAR, 0, MPI_COMM_WORLD);
    const int trials = argc > 2 ? atoi(argv[2]) : 2;
    for (int i = 0; i < specs_count; ++i) {
        for (int number = 0; number < trials; ++number) {
            try_once(specs[i], number + i, false, path);
            try_once(specs[i], number + i, true, path);
        }
    }
    char summary[80];
    snprintf(summary, sizeof summary, "files, %d specs, %d ranks", specs_count, ranks);
    return check_verdict(summary);
}
