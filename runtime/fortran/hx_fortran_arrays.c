/*
 * Arrays of Fortran: what each has to be, whether one may serve a field, shapes, and pointers with the bounds of the halo.
 */
#include "hx_fortran_glue.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

hx_f_dimensions hx_f_dimensions_of(const hx_field_facts *field, const hx_part *part, int axes)
{
    hx_f_dimensions out = {.rank = axes + (field->components > 1), .bytes = field->bytes};
    for (int d = 0, position = 0; d < out.rank; ++d) {
        if (field->components > 1 && d == field->components_after) {
            out.dim[d] = (hx_f_dimension){.extent = field->components, .lower = 1, .axis = -1};
            continue;
        }
        const int a = field->order[position++];
        const CFI_index_t more = field->at[a] == HX_AT_BOTH;
        out.dim[d] = (hx_f_dimension){.extent = part->n[a] + more + field->halo_lo[a] + field->halo_hi[a],
                                      .lower = 1 - field->halo_lo[a],
                                      .axis = a};
    }
    if (field->behind) { /* one run of elements */
        out.rank = 1;
        out.dim[0] = (hx_f_dimension){.extent = 0, .step = (CFI_index_t)field->bytes, .lower = 1, .axis = 0};
    }
    return out;
}

static const hx_f_dimensions *place_of(const hx_f_asked *q)
{
    return &q->halo->dimensions[q->block * q->halo->fields + q->field];
}

void hx_f_name_array(const hx_f_asked *q, char name[HX_F_TEXT])
{
    hx_field_facts field;
    hx_field_query(q->halo->spec->tables, q->field, &field);
    if (q->pointer) {
        snprintf(name, HX_F_TEXT, "f(%d)%%%s", q->block + 1, field.name);
    } else {
        snprintf(name, HX_F_TEXT, "%s", field.name);
    }
}

void hx_f_name_line(const hx_f_spec *spec, int number, char line[HX_F_TEXT])
{
    hx_spec_facts facts;
    hx_field_facts field;
    hx_spec_query(spec->tables, &facts);
    hx_field_query(spec->tables, number, &field);
    snprintf(line, HX_F_TEXT, "(%s:%d)", facts.file, field.line);
}

typedef struct text {
    char bytes[HX_F_TEXT];
    size_t length;
} text;

static void add(text *t, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int more = vsnprintf(t->bytes + t->length, sizeof t->bytes - t->length, format, arguments);
    va_end(arguments);
    t->length += more > 0 ? (size_t)more : 0;
    t->length = t->length < sizeof t->bytes ? t->length : sizeof t->bytes - 1;
}

/* "-1:10, -1:10, -1:8" */
static text bounds_of(const hx_f_dimensions *p)
{
    text t = {"", 0};
    for (int d = 0; d < p->rank; ++d) {
        add(&t, "%s%td:%td", d > 0 ? ", " : "", p->dim[d].lower, p->dim[d].lower + p->dim[d].extent - 1);
    }
    return t;
}

bool hx_f_fits(const hx_f_dimensions *p, const CFI_cdesc_t *array)
{
    if (array->version != CFI_VERSION || !array->base_addr || array->rank != p->rank ||
        array->elem_len != p->bytes) {
        return false;
    }
    for (int d = 0; d < p->rank; ++d) {
        if (array->dim[d].extent < p->dim[d].extent || array->dim[d].sm != p->dim[d].step) {
            return false;
        }
    }
    return true;
}

hx_strided_array hx_f_by_axes(const hx_f_dimensions *p, const CFI_cdesc_t *array)
{
    hx_strided_array out = {.base = array->base_addr, .bytes = array->elem_len, .components = 1};
    for (int d = 0; d < p->rank; ++d) {
        const int a = p->dim[d].axis;
        if (a < 0) {
            out.components = array->dim[d].extent;
            out.component_stride = array->dim[d].sm;
        } else {
            out.extent[a] = array->dim[d].extent;
            out.stride[a] = array->dim[d].sm;
        }
    }
    return out;
}

/* Sentences of libhx count blocks from 0, as C does. */
static hx_status count_from_one(const hx_f_asked *q, hx_status status)
{
    char was[HX_F_TEXT], now[HX_F_TEXT];
    snprintf(was, sizeof was, " in block %d (counted from 0)", q->block);
    snprintf(now, sizeof now, " in block %d", q->block + 1);
    return hx_f_say_instead(status, was, now);
}

/* libhx tells extents along axes; programs declare them from the fastest to the slowest. */
static hx_status add_bounds(const hx_f_dimensions *p, const CFI_cdesc_t *array, hx_status status)
{
    bool differs = false;
    for (int d = 0; d < p->rank; ++d) {
        differs = differs || array->dim[d].extent != p->dim[d].extent;
    }
    return differs ? hx_f_refuse(status, "%s  Its bounds are %s.", hx_last_error(), bounds_of(p).bytes)
                   : status;
}

/* Slowly, with a sentence where the array does not fit: strides matter only where there are several points. */
static hx_status look_closely(const hx_f_asked *q, const CFI_cdesc_t *array)
{
    const hx_f_dimensions *p = place_of(q);
    char name[HX_F_TEXT], line[HX_F_TEXT];
    hx_f_name_array(q, name);
    hx_f_name_line(q->halo->spec, q->field, line);
    if (array->version != CFI_VERSION) {
        return hx_f_other_compiler(q->halo->spec->name, array->version);
    }
    if (!array->base_addr) {
        return hx_f_refuse(HX_ERR_ARGUMENT,
                           "%s: %s is not allocated or associated; allocate it with bounds %s %s", q->call,
                           name, bounds_of(p).bytes, line);
    }
    if (array->rank != p->rank) {
        return hx_f_refuse(HX_ERR_ARGUMENT, "%s: %s has rank %d, but needs %d: bounds %s %s", q->call, name,
                           array->rank, p->rank, bounds_of(p).bytes, line);
    }
    const hx_strided_array by = hx_f_by_axes(p, array);
    const hx_status status = hx_check_array(q->halo->handle, q->call, q->block, q->field, &by);
    return status == HX_OK ? HX_OK : add_bounds(p, array, count_from_one(q, status));
}

/* Pointers have the bounds that the user gave them; those of arguments always start at 1. */
static hx_status check_bounds(const hx_f_asked *q, const CFI_cdesc_t *array)
{
    const hx_f_dimensions *p = place_of(q);
    bool same = true;
    for (int d = 0; d < p->rank; ++d) {
        same = same && (array->dim[d].extent == 0 || array->dim[d].lower_bound == p->dim[d].lower);
    }
    if (same) {
        return HX_OK;
    }
    text has = {"", 0}, needs = {"", 0}, write = {"", 0};
    for (int d = 0; d < p->rank; ++d) {
        const char *comma = d > 0 ? ", " : "";
        add(&has, "%s%td", comma, array->dim[d].lower_bound);
        add(&needs, "%s%td", comma, p->dim[d].lower);
        add(&write, "%s%td:", d > 0 ? "," : "", p->dim[d].lower);
    }
    char name[HX_F_TEXT], line[HX_F_TEXT];
    hx_f_name_array(q, name);
    hx_f_name_line(q->halo->spec, q->field, line);
    return hx_f_refuse(HX_ERR_ARGUMENT,
                       "%s: %s starts at %s, halo points start at %s; write %s(%s) => ... %s", q->call, name,
                       has.bytes, needs.bytes, name, write.bytes, line);
}

hx_status hx_f_check_array(const hx_f_asked *q, const CFI_cdesc_t *array)
{
    const hx_status status = hx_f_fits(place_of(q), array) ? HX_OK : look_closely(q, array);
    return status == HX_OK && q->pointer ? check_bounds(q, array) : status;
}

/* An array for a shape: what it is, or why it cannot be. */
static hx_status describe_array(const hx_f_spec *spec, const hx_field_facts *field, const hx_f_dimensions *p,
                                const CFI_cdesc_t *given, hx_strided_array *out)
{
    *out = (hx_strided_array){.components = 1};
    if (!given || !given->base_addr) {
        return HX_OK;
    }
    if (given->version != CFI_VERSION) {
        return hx_f_other_compiler(spec->name, given->version);
    }
    if (given->rank != p->rank) {
        return hx_f_refuse(HX_ERR_ARGUMENT, "%s_shape_of: %s has rank %d, but needs %d", spec->name,
                           field->name, given->rank, p->rank);
    }
    *out = hx_f_by_axes(p, given);
    return HX_OK;
}

hx_status hx_f_shape_of(const hx_f_spec *spec, const hx_part *part, const CFI_cdesc_t *const arrays[],
                        void *shape)
{
    hx_spec_facts facts;
    hx_status status = hx_spec_query(spec->tables, &facts);
    hx_strided_array *by = status == HX_OK ? calloc((size_t)facts.fields, sizeof *by) : NULL;
    if (status == HX_OK && !by) {
        return hx_f_no_memory("shape_of");
    }
    for (int f = 0; f < facts.fields && status == HX_OK; ++f) {
        hx_field_facts field;
        status = hx_field_query(spec->tables, f, &field);
        const hx_f_dimensions p = hx_f_dimensions_of(&field, part, facts.axes);
        status = status == HX_OK ? describe_array(spec, &field, &p, arrays[f], &by[f]) : status;
    }
    status = status == HX_OK ? hx_shape_of_arrays(spec->tables, part, by, shape) : status;
    free(by);
    return status;
}

void hx_f_set_pointer(const hx_f_dimensions *p, void *array, CFI_cdesc_t *pointer)
{
    CFI_CDESC_T(HX_F_DIMENSIONS) target;
    CFI_index_t extent[HX_F_DIMENSIONS], lower[HX_F_DIMENSIONS];
    for (int d = 0; d < p->rank; ++d) {
        extent[d] = p->dim[d].extent;
        lower[d] = p->dim[d].lower;
    }
    CFI_cdesc_t *all = (CFI_cdesc_t *)&target;
    CFI_establish(all, array, CFI_attribute_pointer, pointer->type, p->bytes, (CFI_rank_t)p->rank, extent);
    for (int d = 0; d < p->rank; ++d) {
        all->dim[d].sm = p->dim[d].step;
    }
    CFI_setpointer(pointer, all, lower);
}
