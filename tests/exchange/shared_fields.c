#include "shared_fields.h"

#include "check.h"
#include "check/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- values -------------------------------------------------------------------------------------------- */

static bool is_single(const hx_field *f)
{
    return strcmp(f->type, "float") == 0;
}

double fields_rounded(const hx_field *f, double value)
{
    return is_single(f) ? (double)(float)value : value;
}

double fields_value(const grid *g, const fields_point *p, int scalar, bool whole)
{
    uint64_t h = grid_mix(grid_mix(grid_mix(g->seed, (uint64_t)p->field), (uint64_t)p->tile),
                          (uint64_t)(g->alike ? 0 : p->block));
    for (int a = 0; a < g->spec->axes; ++a) {
        h = grid_mix(h, (uint64_t)(p->at[a] + 100));
    }
    h = grid_mix(h, (uint64_t)scalar);
    const double v = whole ? (double)(h % 100 + 1) : (double)(h >> 11) / 9007199254740992.0 + 0.125;
    return fields_rounded(&g->spec->field[p->field], v);
}

/* ---- arrays -------------------------------------------------------------------------------------------- */

void fields_place(fields *s, grid *g)
{
    *s = (fields){.g = g,
                  .blocks = {.comm = MPI_COMM_WORLD,
                             .tiles = g->spec->tiles,
                             .partition = g->partition,
                             .owner = grid_owner,
                             .context = g}};
    int most = 0;
    for (int t = 0; t < g->spec->tiles; ++t) {
        most += grid_blocks(g, t);
    }
    s->part = hxi_check_allocate((size_t)most, sizeof *s->part);
    s->shapes = hxi_check_allocate((size_t)most, g->spec->shape_size);
    s->pointers = hxi_check_allocate((size_t)most, g->spec->fields_size);
    for (int t = 0; t < g->spec->tiles; ++t) {
        for (int b = 0; b < grid_blocks(g, t); ++b) {
            if (grid_owner(g, t, b) == g->rank) {
                unsigned char *shape = s->shapes + (size_t)s->blocks.count * g->spec->shape_size;
                const hx_part part = grid_part(g, t, b);
                s->part[s->blocks.count++] = part;
                memcpy(shape, &part, sizeof part);
                hx_dense_strides(g->spec, &part, (void *)(shape + g->spec->shape_stride),
                                 g->spec->shape_apart ? (void *)(shape + g->spec->shape_apart) : NULL);
            }
        }
    }
}

static unsigned char *array_of(const fields *s, int block, int field)
{
    unsigned char *array;
    memcpy(&array, s->pointers + (size_t)block * s->g->spec->fields_size + s->g->spec->field[field].pointer,
           sizeof array);
    return array;
}

void fields_make(fields *s, hx_handle *handle, bool allocated)
{
    s->allocated = allocated;
    if (allocated) {
        CHECK_STATUS(hx_alloc(handle, s->pointers), HX_OK);
        return;
    }
    for (int b = 0; b < s->blocks.count; ++b) {
        for (int f = 0; f < s->g->spec->fields; ++f) {
            const size_t elements = hx_points(s->g->spec, s->shapes + (size_t)b * s->g->spec->shape_size, f);
            void *array = hxi_check_allocate(elements, 16);
            memcpy(s->pointers + (size_t)b * s->g->spec->fields_size + s->g->spec->field[f].pointer, &array,
                   sizeof array);
        }
    }
}

void fields_free(fields *s, hx_handle *handle)
{
    if (s->allocated) {
        CHECK_STATUS(hx_free(handle, s->pointers), HX_OK);
        return;
    }
    for (int b = 0; b < s->blocks.count; ++b) {
        for (int f = 0; f < s->g->spec->fields; ++f) {
            free(array_of(s, b, f));
        }
    }
}

void fields_drop(fields *s)
{
    free(s->part);
    free(s->shapes);
    free(s->pointers);
}

/* ---- their points -------------------------------------------------------------------------------------- */

int fields_scalars(const hx_field *f)
{
    return f->size / (is_single(f) ? (int)sizeof(float) : (int)sizeof(double)) *
           (f->components_after > 0 ? f->components : 1);
}

static unsigned char *scalar_at(const fields *s, int block, int field, const int point[], int scalar)
{
    const hx_field *f = &s->g->spec->field[field];
    const unsigned char *shape = s->shapes + (size_t)block * s->g->spec->shape_size;
    const int piece = f->components_after > 0 ? fields_scalars(f) / f->components : fields_scalars(f);
    const int together = f->components_after == 0 && f->components > 0 ? f->components : 1;
    ptrdiff_t at = 0, stride = 0; /* in elements */
    for (int a = 0; a < s->g->spec->axes; ++a) {
        memcpy(&stride,
               shape + s->g->spec->shape_stride + (size_t)(field * s->g->spec->axes + a) * sizeof stride,
               sizeof stride);
        at += (point[a] + f->halo_lo[a]) * stride;
    }
    if (f->components_after > 0) {
        memcpy(&stride, shape + s->g->spec->shape_apart + (size_t)field * sizeof stride, sizeof stride);
        at += scalar / piece * stride;
    }
    return array_of(s, block, field) + at * (f->size / together) +
           scalar % piece * (int)(is_single(f) ? sizeof(float) : sizeof(double));
}

double fields_get(const fields *s, int block, int field, const int point[], int scalar)
{
    const unsigned char *from = scalar_at(s, block, field, point, scalar);
    float single;
    double number;
    memcpy(&single, from, sizeof single);
    if (is_single(&s->g->spec->field[field])) {
        return (double)single;
    }
    memcpy(&number, from, sizeof number);
    return number;
}

void fields_put(const fields *s, int block, int field, const int point[], int scalar, double number)
{
    const bool is_float = is_single(&s->g->spec->field[field]);
    const float single = (float)number;
    memcpy(scalar_at(s, block, field, point, scalar),
           is_float ? (const void *)&single : (const void *)&number,
           is_float ? sizeof single : sizeof number);
}

void fields_visit(const fields *s, int what, fields_visitor *visit)
{
    for (int b = 0; b < s->blocks.count; ++b) {
        for (int f = 0; f < s->g->spec->fields; ++f) {
            const hx_field *field = &s->g->spec->field[f];
            int lo[HX_MAX_AXES] = {0}, hi[HX_MAX_AXES] = {1, 1, 1, 1}, p[HX_MAX_AXES];
            for (int a = 0; a < s->g->spec->axes; ++a) {
                lo[a] = -field->halo_lo[a];
                hi[a] = s->part[b].n[a] + grid_has_faces(s->g, f, a) + field->halo_hi[a];
            }
            for (p[3] = lo[3]; p[3] < hi[3]; ++p[3]) {
                for (p[2] = lo[2]; p[2] < hi[2]; ++p[2]) {
                    for (p[1] = lo[1]; p[1] < hi[1]; ++p[1]) {
                        for (p[0] = lo[0]; p[0] < hi[0]; ++p[0]) {
                            visit(s, b, f, p, what);
                        }
                    }
                }
            }
        }
    }
}

double fields_before(const fields *s, int block, int field, const int point[], int scalar, int exchange)
{
    const hx_part *part = &s->part[block];
    const bool whole = HX_RETURNS(s->g->spec->exchange[exchange].operation);
    int at[HX_MAX_AXES] = {0};
    for (int a = 0; a < s->g->spec->axes; ++a) {
        at[a] = point[a] + part->first[a];
    }
    return fields_value(s->g, &(fields_point){field, part->tile, grid_number(part), at}, scalar, whole);
}

void fields_fill(const fields *s, int block, int field, const int point[], int exchange)
{
    for (int c = 0; c < fields_scalars(&s->g->spec->field[field]); ++c) {
        fields_put(s, block, field, point, c, fields_before(s, block, field, point, c, exchange));
    }
}

bool fields_carries(const hx_exchange *e, int field)
{
    bool carried = false;
    for (int i = 0; i < e->fields; ++i) {
        carried = carried || e->field[i].field == field;
    }
    return carried;
}
