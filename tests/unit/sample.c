#include "sample.h"

#include "harness.h"

#include <stdlib.h>
#include <string.h>

/* ---- kernels ------------------------------------------------------------------------------------------- */

/* One end of a move: a region of an array, or a buffer as dense as that. */
typedef struct end {
    double *array;
    hx_region region;
    int size;             /* elements of a point */
    const int *component; /* those that move; NULL: all */
} end;

static end in_array(const void *array, const hx_region *region, int size, const hx_picks *picks)
{
    return (end){(double *)(uintptr_t)array, *region, size, picks ? picks->component : NULL};
}

static end in_buffer(const void *buffer, const hx_region *region, int size)
{
    hx_region dense = {.at = 0};
    ptrdiff_t step = 1;
    for (int a = 0; a < HX_MAX_AXES; ++a) {
        dense.n[a] = region->n[a];
        dense.stride[a] = step;
        step *= region->n[a];
    }
    return (end){(double *)(uintptr_t)buffer, dense, size, NULL};
}

static double *element(const end *e, const ptrdiff_t point[], int number)
{
    ptrdiff_t at = e->region.at;
    for (int a = 0; a < HX_MAX_AXES; ++a) {
        at += point[a] * e->region.stride[a];
    }
    return e->array + at * e->size + (e->component ? e->component[number] : number);
}

/* to = keep * to + sign * from, for every point; from NULL: zeros. */
static void move(const end *to, const end *from, int elements, double keep, double sign)
{
    ptrdiff_t point[HX_MAX_AXES] = {0};
    for (;;) {
        for (int i = 0; i < elements; ++i) {
            double *target = element(to, point, i);
            const double fresh = from ? sign * *element(from, point, i) : 0.0;
            *target = keep != 0.0 ? *target + fresh : fresh;
        }
        int a = 0;
        while (a < HX_MAX_AXES && ++point[a] == to->region.n[a]) {
            point[a++] = 0;
        }
        if (a == HX_MAX_AXES) {
            return;
        }
    }
}

static void pack(const void *array, const hx_region *from, int size, const hx_picks *picks, int sign,
                 void *buffer)
{
    const int elements = picks ? picks->count : size;
    const end source = in_array(array, from, size, picks);
    const end target = in_buffer(buffer, from, elements);
    move(&target, &source, elements, 0.0, sign);
}

static void unpack(void *array, const hx_region *to, int size, const hx_picks *picks, double keep,
                   const void *buffer)
{
    const int elements = picks ? picks->count : size;
    const end source = in_buffer(buffer, to, elements);
    const end target = in_array(array, to, size, picks);
    move(&target, &source, elements, keep, 1.0);
}

static void copy(end target, end source, int elements, double keep, double sign)
{
    move(&target, &source, elements, keep, sign);
}

static void zero(void *array, const hx_region *to, int size, const hx_picks *picks)
{
    const end target = in_array(array, to, size, picks);
    move(&target, NULL, picks ? picks->count : size, 0.0, 1.0);
}

/* Kernels that do not take turned sources go along rows, whatever the stride there: a source that turns is
 * found out. */
static hx_region in_rows(const hx_region *region)
{
    hx_region fixed = *region;
    fixed.stride[0] = 1;
    return fixed;
}

/* Kernels for points of so many elements. */
#define FAMILY(name, size)                                                                                   \
    static void pack_##name(const void *array, const hx_region *from, void *buffer)                          \
    {                                                                                                        \
        const hx_region rows = in_rows(from);                                                                \
        pack(array, &rows, size, NULL, 1, buffer);                                                           \
    }                                                                                                        \
    static void unpack_##name(void *array, const hx_region *to, const void *buffer)                          \
    {                                                                                                        \
        unpack(array, to, size, NULL, 0.0, buffer);                                                          \
    }                                                                                                        \
    static void copy_##name(void *array, const hx_region *to, const void *other, const hx_region *from)      \
    {                                                                                                        \
        const hx_region rows = in_rows(from);                                                                \
        copy(in_array(array, to, size, NULL), in_array(other, &rows, size, NULL), size, 0.0, 1);             \
    }                                                                                                        \
    static void unpack_add_##name(void *array, const hx_region *to, const void *buffer)                      \
    {                                                                                                        \
        unpack(array, to, size, NULL, 1.0, buffer);                                                          \
    }                                                                                                        \
    static void copy_add_##name(void *array, const hx_region *to, const void *other, const hx_region *from)  \
    {                                                                                                        \
        copy(in_array(array, to, size, NULL), in_array(other, from, size, NULL), size, 1.0, 1);              \
    }                                                                                                        \
    static void zero_##name(void *array, const hx_region *to)                                                \
    {                                                                                                        \
        zero(array, to, size, NULL);                                                                         \
    }                                                                                                        \
    static void copy_turned_##name(void *array, const hx_region *to, const void *other,                      \
                                   const hx_region *from, int sign)                                          \
    {                                                                                                        \
        copy(in_array(array, to, size, NULL), in_array(other, from, size, NULL), size, 0.0, sign);           \
    }                                                                                                        \
    static const hx_accumulating adding_##name = {unpack_add_##name, copy_add_##name, NULL}

FAMILY(plain, 1);
FAMILY(three, 3);
FAMILY(nine, SAMPLE_COMPONENTS);

static void pack_picked(const void *array, const hx_region *from, const hx_picks *picks, void *buffer)
{
    pack(array, from, SAMPLE_COMPONENTS, picks, 1, buffer);
}

static void unpack_picked(void *array, const hx_region *to, const hx_picks *picks, const void *buffer)
{
    unpack(array, to, SAMPLE_COMPONENTS, picks, 0.0, buffer);
}

static void copy_picked(void *array, const hx_region *to, const void *other, const hx_region *from,
                        const hx_picks *picks)
{
    copy(in_array(array, to, SAMPLE_COMPONENTS, picks), in_array(other, from, SAMPLE_COMPONENTS, picks),
         picks->count, 0.0, 1);
}

static void unpack_add_picked(void *array, const hx_region *to, const hx_picks *picks, const void *buffer)
{
    unpack(array, to, SAMPLE_COMPONENTS, picks, 1.0, buffer);
}

static void copy_add_picked(void *array, const hx_region *to, const void *other, const hx_region *from,
                            const hx_picks *picks)
{
    copy(in_array(array, to, SAMPLE_COMPONENTS, picks), in_array(other, from, SAMPLE_COMPONENTS, picks),
         picks->count, 1.0, 1);
}

static void zero_picked(void *array, const hx_region *to, const hx_picks *picks)
{
    zero(array, to, SAMPLE_COMPONENTS, picks);
}

/* Both sides of x at once.  Depths are literals here: a region that does not fit is found out. */
enum { PAIR_LOW = 2, PAIR_HIGH = 1 };

static hx_region as_deep(const hx_region *region, ptrdiff_t depth)
{
    hx_region fixed = *region;
    fixed.n[0] = depth;
    return fixed;
}

static void pack_pair(const void *array, const hx_region *lo, const hx_region *hi, void *lo_buffer,
                      void *hi_buffer)
{
    const hx_region low = as_deep(lo, PAIR_LOW);
    const hx_region high = as_deep(hi, PAIR_HIGH);
    pack_plain(array, &low, lo_buffer);
    pack_plain(array, &high, hi_buffer);
}

static void unpack_pair(void *array, const hx_region *lo, const hx_region *hi, const void *lo_buffer,
                        const void *hi_buffer)
{
    const hx_region low = as_deep(lo, PAIR_LOW);
    const hx_region high = as_deep(hi, PAIR_HIGH);
    unpack_plain(array, &low, lo_buffer);
    unpack_plain(array, &high, hi_buffer);
}

static void copy_pair(void *array, const hx_region *to_lo, const hx_region *to_hi, const void *other,
                      const hx_region *from_lo, const hx_region *from_hi)
{
    const hx_region low = as_deep(to_lo, PAIR_LOW);
    const hx_region high = as_deep(to_hi, PAIR_HIGH);
    copy_plain(array, &low, other, from_lo);
    copy_plain(array, &high, other, from_hi);
}

static const hx_pair pair = {PAIR_LOW, PAIR_HIGH, pack_pair, unpack_pair, copy_pair};
static const hx_picking picking = {pack_picked, unpack_picked, copy_picked, zero_picked};
static const hx_picking picking_add = {pack_picked, unpack_add_picked, copy_add_picked, zero_picked};

#define KERNELS(name)                                                                                        \
    .pack = pack_##name, .unpack = unpack_##name, .copy = copy_##name, .copy_turned = copy_turned_##name,    \
    .zero = zero_##name, .accumulating = &adding_##name

/*
 * Fields of which all components travel in all directions have no picks; what they do not need is not called.
 */
static const hx_kernels kernels_plain = {KERNELS(plain)};
static const hx_kernels kernels_pair = {KERNELS(plain), .pair = &pair};
static const hx_kernels kernels_three = {KERNELS(three)};
static const hx_kernels kernels_picked = {KERNELS(nine), .picking = &picking};
static const hx_kernels kernels_picked_add = {KERNELS(nine), .picking = &picking_add};

/* ---- tables -------------------------------------------------------------------------------------------- */

static const int travel[SAMPLE_COMPONENTS][SAMPLE_AXES] = {
    {0, 0, 0}, {1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {1, 1, 0}, {-1, -1, 0}, {1, -1, 1}, {0, 0, -1},
};

const int *sample_direction(int component)
{
    return travel[component];
}

int sample_travels(const sample *s, int field, int component, const int direction[])
{
    if (field != SAMPLE_D && field != SAMPLE_A) {
        return 1;
    }
    int along = 0;
    int axes = 0;
    for (int a = 0; a < s->spec.axes; ++a) {
        along -= direction[a] * travel[component][a];
        axes += direction[a] != 0;
    }
    return along == axes;
}

static void add_direction(sample *s, const signed char direction[], int linked)
{
    hx_exchange *copy = &s->exchange[SAMPLE_COPY];
    hx_exchange *star = &s->exchange[SAMPLE_STAR];
    int sides[HX_MAX_AXES];
    int outside = 0;
    for (int a = 0; a < HX_MAX_AXES; ++a) {
        sides[a] = direction[a];
        outside += direction[a] != 0;
    }
    hx_picks *picks = &s->picks[copy->directions];
    int *picked = s->picked[copy->directions];
    picks->component = picked;
    for (int c = 0; c < SAMPLE_COMPONENTS; ++c) {
        if (sample_travels(s, SAMPLE_D, c, sides)) {
            picked[picks->count++] = c;
        }
    }
    memcpy(s->box[copy->directions++], direction, HX_MAX_AXES);
    if (outside == 1) {
        memcpy(s->star[star->directions++], direction, HX_MAX_AXES);
    }
    if (linked) {
        hx_tile_link *link = &s->link[s->positions[0].links++];
        *link = (hx_tile_link){.component = -1, .sign = 1};
        memcpy(link->direction, direction, HX_MAX_AXES);
        for (int a = 0; a < s->spec.axes; ++a) {
            link->map[a] = (hx_axis_map){(signed char)a, 1, (signed char)-direction[a], 0, 0};
        }
    }
}

static void add_directions(sample *s)
{
    int count = 1;
    for (int a = 0; a < s->spec.axes; ++a) {
        count *= 3;
    }
    for (int number = 0; number < count; ++number) {
        signed char direction[HX_MAX_AXES] = {0};
        int linked = 1;
        for (int a = s->spec.axes - 1, rest = number; a >= 0; --a, rest /= 3) {
            direction[a] = (signed char)(rest % 3 - 1);
            linked = linked && (direction[a] == 0 || s->spec.periodic[a]);
        }
        if (number != count / 2) {
            add_direction(s, direction, linked);
        }
    }
}

static void set_field(sample *s, int field, const char *name, int low, int high, const hx_kernels *kernels)
{
    hx_field *f = &s->field[field];
    hx_exchange_field *item = &s->item[0][field];
    f->name = name;
    f->type = "double";
    f->line = 3 + field;
    f->size = f->alignment = sizeof(double);
    f->pointer = (size_t)field * sizeof(double *);
    f->positions = field;
    *item = (hx_exchange_field){.field = field, .kernels = kernels};
    for (int a = 0; a < HX_MAX_AXES; ++a) {
        f->order[a] = a;
        f->halo_lo[a] = item->width_lo[a] = a < s->spec.axes ? low : 0;
        f->halo_hi[a] = item->width_hi[a] = a < s->spec.axes ? high : 0;
    }
    s->positions[field] = (hx_positions){.link = s->link, .mirror = {-1, -1, -1, -1}};
}

static void set_components(sample *s, int field, int components, int place)
{
    s->field[field].components = components;
    s->field[field].components_after = place;
    s->field[field].size = place == 0 ? components * s->field[field].alignment : s->field[field].size;
}

static void set_fields(sample *s)
{
    const int last = s->spec.axes - 1;
    set_field(s, SAMPLE_P, "p", PAIR_LOW, PAIR_HIGH, &kernels_pair);
    set_field(s, SAMPLE_U, "u", 2, 2, &kernels_plain);
    set_field(s, SAMPLE_V, "v", 2, 2, &kernels_plain);
    set_field(s, SAMPLE_B, "b", 1, 2, &kernels_plain);
    set_field(s, SAMPLE_F, "f", PAIR_LOW, PAIR_HIGH, &kernels_pair);
    set_field(s, SAMPLE_G, "g", 1, 1, &kernels_plain);
    set_field(s, SAMPLE_E, "e", 2, 1, &kernels_three);
    set_field(s, SAMPLE_D, "d", 1, 1, &kernels_picked);
    set_field(s, SAMPLE_A, "a", PAIR_LOW, PAIR_HIGH, &kernels_pair);
    set_components(s, SAMPLE_F, 3, s->spec.axes);
    set_components(s, SAMPLE_G, 2, 1);
    set_components(s, SAMPLE_E, 3, 0);
    set_components(s, SAMPLE_D, SAMPLE_COMPONENTS, 0);
    set_components(s, SAMPLE_A, SAMPLE_COMPONENTS, 1);
    s->field[SAMPLE_G].padding[0] = 3;
    s->field[SAMPLE_G].padding[last] = 40;
    s->positions[SAMPLE_U].mirror[0] = 0;
    s->positions[SAMPLE_V].mirror[last] = -2;
    s->positions[SAMPLE_B].mirror[0] = 0;
    s->positions[SAMPLE_B].extra[0] = 1;
    for (int a = 0; a < SAMPLE_AXES; ++a) {
        s->vector[a] = a == 0 ? SAMPLE_U : a == last ? SAMPLE_V : -1;
    }
    s->field[SAMPLE_U].vector = s->vector;
    s->field[SAMPLE_V].vector = last > 0 ? s->vector : NULL;
    s->field[SAMPLE_U].reverses[0] = 1;
    s->field[SAMPLE_V].reverses[last] = last > 0;
}

static void set_exchanges(sample *s)
{
    static const char *const names[] = {"copy", "add", "walls", "star"};
    s->item[0][SAMPLE_D].picks = s->item[0][SAMPLE_A].picks = s->picks;
    memcpy(s->item[1], s->item[0], sizeof s->item[0]);
    s->item[1][SAMPLE_D].kernels = &kernels_picked_add;
    const int directions = s->exchange[SAMPLE_COPY].directions;
    const int sides = s->exchange[SAMPLE_STAR].directions;
    for (int e = 0; e < SAMPLE_EXCHANGES; ++e) {
        s->exchange[e] = (hx_exchange){.name = names[e],
                                       .line = 20 + e,
                                       .field = s->item[0],
                                       .fields = SAMPLE_FIELDS,
                                       .direction = (const signed char(*)[4])s->box,
                                       .directions = directions};
    }
    s->exchange[SAMPLE_ADD].operation = HX_ADD;
    s->exchange[SAMPLE_ADD].field = s->item[1];
    s->item[2][0] = s->item[0][SAMPLE_P];
    s->item[2][1] = s->item[0][SAMPLE_F];
    s->exchange[SAMPLE_STAR].field = s->item[2];
    s->exchange[SAMPLE_STAR].fields = 2;
    s->exchange[SAMPLE_STAR].direction = (const signed char(*)[4])s->star;
    s->exchange[SAMPLE_STAR].directions = sides;
}

void sample_make(sample *s, int axes, int periodic)
{
    static const char *const names[] = {"x", "y", "z"};
    memset(s, 0, sizeof *s);
    s->spec = (hx_spec){
        .abi = HX_ABI,
        .name = "sample",
        .file = "sample.lua",
        .hash = 0xabcdef0123456789U + (uint64_t)(axes * 16 + periodic),
        .axes = axes,
        .tiles = 1,
        .positions = s->positions,
        .position_classes = SAMPLE_FIELDS,
        .field = s->field,
        .fields = SAMPLE_FIELDS,
        .exchange = s->exchange,
        .exchanges = SAMPLE_EXCHANGES,
        .fields_size = sizeof(sample_fields),
        .shape_size = sizeof(sample_shape),
        .shape_stride = offsetof(sample_shape, stride),
        .shape_apart = offsetof(sample_shape, apart),
    };
    for (int a = 0; a < axes; ++a) {
        s->spec.axis[a] = names[a];
        s->spec.periodic[a] = periodic >> a & 1;
        s->spec.decomposed[a] = 1;
    }
    set_fields(s);
    add_directions(s);
    for (int f = 0; f < SAMPLE_FIELDS; ++f) {
        s->positions[f].links = s->positions[0].links;
    }
    set_exchanges(s);
}

/* ---- blocks -------------------------------------------------------------------------------------------- */

/* Strides that are more than dense, differently from block to block. */
static void make_shape(const sample *s, int block, sample_shape *shape)
{
    memset(shape, 0, sizeof *shape);
    expect_ok(hx_part_of(&s->partition, 0, block, &shape->part));
    hx_dense_strides(&s->spec, &shape->part, shape->stride, shape->apart);
    shape->apart[SAMPLE_F] += block % 3;
}

void sample_divide(sample *s, const int cells[], const int parts[], int ranks)
{
    s->partition = (hx_partition){.axes = s->spec.axes};
    int blocks = 1;
    for (int a = 0; a < s->spec.axes; ++a) {
        s->partition.cells[a] = cells[a];
        s->partition.ranks[a] = parts[a] < cells[a] ? parts[a] : cells[a];
        blocks *= s->partition.ranks[a];
    }
    s->blocks = 0;
    for (int b = 0; b < blocks; ++b) {
        s->owner[b] = b % ranks;
        if (s->owner[b] == harness_rank) {
            s->number[s->blocks] = b;
            make_shape(s, b, &s->shape[s->blocks]);
            for (int f = 0; f < SAMPLE_FIELDS; ++f) {
                s->fields[s->blocks].array[f] =
                    calloc(hx_points(&s->spec, &s->shape[s->blocks], f), sizeof(double));
            }
            s->blocks++;
        }
    }
}

void sample_release(sample *s)
{
    for (int b = 0; b < s->blocks; ++b) {
        for (int f = 0; f < SAMPLE_FIELDS; ++f) {
            free(s->fields[b].array[f]);
        }
    }
    s->blocks = 0;
}

static int owner_of(void *sample_, int tile, int block)
{
    const sample *s = sample_;
    return s->owner[tile + block];
}

hx_blocks sample_blocks(const sample *s)
{
    return (hx_blocks){.comm = MPI_COMM_WORLD,
                       .tiles = 1,
                       .partition = &s->partition,
                       .owner = owner_of,
                       .context = (void *)(uintptr_t)s,
                       .count = s->blocks};
}

hx_status sample_create(const sample *s, const hx_options *options, hx_handle **handle)
{
    const hx_blocks given = sample_blocks(s);
    return hx_create(&s->spec, &given, s->shape, options, handle);
}

/* ---- elements ------------------------------------------------------------------------------------------ */

int sample_points(const sample *s, int block, int field, int axis)
{
    return axis < s->spec.axes ? s->shape[block].part.n[axis] + s->positions[field].extra[axis] : 1;
}

double *sample_at(const sample *s, int block, int field, int component, const int index[])
{
    const hx_field *f = &s->field[field];
    const sample_shape *shape = &s->shape[block];
    ptrdiff_t at = f->components_after > 0 ? component * shape->apart[field] : 0;
    for (int a = 0; a < s->spec.axes; ++a) {
        at += (index[a] + f->halo_lo[a]) * shape->stride[field * s->spec.axes + a];
    }
    const int inner = f->components > 0 && f->components_after == 0;
    return s->fields[block].array[field] + (inner ? at + component : at);
}

static void visit_point(sample *s, sample_element *e,
                        void (*visit)(sample *s, const sample_element *e, void *context), void *context)
{
    const int components = s->field[e->field].components;
    for (int a = 0; a < s->spec.axes; ++a) {
        e->direction[a] = e->index[a] < 0                                          ? -1
                          : e->index[a] >= sample_points(s, e->block, e->field, a) ? 1
                                                                                   : 0;
    }
    for (e->component = 0; e->component < (components ? components : 1); ++e->component) {
        e->value = sample_at(s, e->block, e->field, e->component, e->index);
        visit(s, e, context);
    }
}

static void visit_field(sample *s, int block, int field,
                        void (*visit)(sample *s, const sample_element *e, void *context), void *context)
{
    const hx_field *f = &s->field[field];
    sample_element e = {.block = block, .field = field};
    for (int a = 0; a < s->spec.axes; ++a) {
        e.index[a] = -f->halo_lo[a];
    }
    for (;;) {
        visit_point(s, &e, visit, context);
        int a = 0;
        while (a < s->spec.axes && ++e.index[a] == sample_points(s, block, field, a) + f->halo_hi[a]) {
            e.index[a] = -f->halo_lo[a];
            ++a;
        }
        if (a == s->spec.axes) {
            return;
        }
    }
}

void sample_visit(sample *s, int field, void (*visit)(sample *s, const sample_element *e, void *context),
                  void *context)
{
    for (int b = 0; b < s->blocks; ++b) {
        for (int f = 0; f < SAMPLE_FIELDS; ++f) {
            if (field < 0 || f == field) {
                visit_field(s, b, f, visit, context);
            }
        }
    }
}
