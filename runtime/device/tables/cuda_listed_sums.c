/*
 * Exchanges of lists that add, as sums of device kernels.
 *
 * Each point that something is added to is listed once, with all that comes to it in the order of the layout:
 * points of messages, and of this rank.  So every number has one thread, which adds in the same order as on
 * the host, and no two threads meet.  All fields of an exchange have the same lists, so they share that.
 */
#include "device/tables/cuda_list.h"

#include "base/memory.h"

#include <stdlib.h>

static const char purpose[] = "the sums of an exchange of lists";

/* What comes to a point, by the index of that. */
typedef struct term {
    int index;
    uint32_t number; /* in the order in which a point is added to */
    hx_cuda_addend addend;
} term;

typedef struct adder {
    hxi_cuda_maker *maker;
    const hxi_segment **segment; /* that come here, field by field, each in the order of the layout */
    int segments;
    term *term;
    size_t terms;
    hx_run *run; /* of the points that are added to */
    hx_runs targets;
    uint32_t group; /* of these */
    int *base;      /* of the array, then of each source */
} adder;

/* ---- in which order ------------------------------------------------------------------------------------ */

static int compare_segments(const void *left, const void *right)
{
    const hxi_segment *a = *(const hxi_segment *const *)left;
    const hxi_segment *b = *(const hxi_segment *const *)right;
    return a->item != b->item ? (a->item > b->item) - (a->item < b->item) : hxi_segments_compare(a, b);
}

static int compare_terms(const void *left, const void *right)
{
    const term *a = left;
    const term *b = right;
    return a->index != b->index ? (a->index > b->index) - (a->index < b->index)
                                : (a->number > b->number) - (a->number < b->number);
}

static hx_status sort_segments(adder *a)
{
    const hxi_segments *all = a->maker->work->segments;
    a->segment = hxi_memory_get((size_t)all->count, sizeof(const hxi_segment *), purpose);
    if (!a->segment) {
        return HX_ERR_MEMORY;
    }
    for (int i = 0; i < all->count; ++i) {
        if (all->segment[i].kind != HX_SENT) {
            a->segment[a->segments++] = &all->segment[i];
        }
    }
    if (a->segments > 0) {
        qsort(a->segment, (size_t)a->segments, sizeof(const hxi_segment *), compare_segments);
    }
    return HX_OK;
}

/* Segments of one field: the sources of its sums. */
static int count_sources(const adder *a, int first)
{
    int end = first;
    while (end < a->segments && a->segment[end]->item == a->segment[first]->item) {
        ++end;
    }
    return end - first;
}

/* ---- what comes to each point -------------------------------------------------------------------------- */

/* The indices of a list, one after the other. */
typedef struct walker {
    const hx_run *run;
    int point; /* of the run */
} walker;

static int next_index(walker *w)
{
    const int index = w->run->first + w->point;
    if (++w->point == w->run->points) {
        *w = (walker){w->run + 1, 0};
    }
    return index;
}

/* Of a source: what it adds to, and where that lies in it, by number in a message, by index in an array. */
static void add_terms(adder *a, int source)
{
    const hxi_segment *s = a->segment[source];
    walker to = {s->from_runs->run, 0};
    walker from = {s->to_runs ? s->to_runs->run : NULL, 0};
    for (int p = 0; p < s->from_runs->points; ++p) {
        const uint32_t index = (uint32_t)(s->to_runs ? next_index(&from) : p);
        a->term[a->terms] = (term){next_index(&to), (uint32_t)a->terms, {(uint32_t)source, index}};
        ++a->terms;
    }
}

static hx_status list_terms(adder *a, int sources)
{
    size_t points = 0;
    for (int i = 0; i < sources; ++i) {
        points += (size_t)a->segment[i]->from_runs->points;
    }
    a->term = hxi_memory_get(points, sizeof *a->term, purpose);
    if (!a->term) {
        return HX_ERR_MEMORY;
    }
    for (int i = 0; i < sources; ++i) {
        add_terms(a, i);
    }
    qsort(a->term, a->terms, sizeof *a->term, compare_terms);
    return HX_OK;
}

static bool is_other_point(const adder *a, size_t i)
{
    return i == 0 || a->term[i].index != a->term[i - 1].index;
}

/* The points that are added to, as runs of a list. */
static hx_status list_targets(adder *a)
{
    a->run = hxi_memory_get(a->terms, sizeof *a->run, purpose);
    if (!a->run) {
        return HX_ERR_MEMORY;
    }
    a->targets.run = a->run;
    for (size_t i = 0; i < a->terms; ++i) {
        if (!is_other_point(a, i)) {
            continue;
        }
        if (i > 0 && a->term[i].index == a->term[i - 1].index + 1) {
            a->run[a->targets.runs - 1].points++;
        } else {
            a->run[a->targets.runs++] = (hx_run){a->term[i].index, 1};
        }
        a->targets.points++;
    }
    return hxi_cuda_add_list(a->maker, &a->targets, &a->group);
}

static hx_status set_addends(const adder *a)
{
    const size_t points = (size_t)a->targets.points;
    uint32_t *first = hxi_cuda_listed_append(a->maker, HX_LISTED_FIRST_ADDEND, points + 1, sizeof *first);
    hx_cuda_addend *addend = hxi_cuda_listed_append(a->maker, HX_LISTED_ADDEND, a->terms, sizeof *addend);
    if (!first || !addend) {
        return HX_ERR_MEMORY;
    }
    for (size_t i = 0; i < a->terms; ++i) {
        addend[i] = a->term[i].addend;
        if (is_other_point(a, i)) {
            *first++ = (uint32_t)i;
        }
    }
    *first = (uint32_t)a->terms;
    return HX_OK;
}

/* ---- sums ---------------------------------------------------------------------------------------------- */

static hx_status set_sources(const adder *a, int first, int sources, int part, int bytes)
{
    hxi_cuda_maker *m = a->maker;
    hx_cuda_points *source = hxi_cuda_listed_append(m, HX_LISTED_SOURCE, (size_t)sources, sizeof *source);
    if (!source) {
        return HX_ERR_MEMORY;
    }
    for (int i = 0; i < sources; ++i) {
        const hxi_cuda_part p = hxi_cuda_part_of(m, a->segment[first + i], part);
        const bool within = p.segment->kind == HX_WITHIN;
        const hx_cuda_points points =
            within ? hxi_cuda_points_of_array(m, &p, HX_TO) : hxi_cuda_points_of_message(m, &p);
        const int size = within ? bytes : hxi_cuda_bytes_in_message(p.wired, bytes);
        source[i] = hxi_cuda_points_in(&points, size, a->base[1 + i]);
    }
    return HX_OK;
}

/* All that comes to the points of a field, or of one of its components that lie apart. */
static hx_status add_sum(const adder *a, int first, int sources, int part)
{
    hxi_cuda_maker *m = a->maker;
    const hxi_segment *s = a->segment[first];
    const hx_cuda_field *field = &m->kernels->field[s->link.field];
    hxi_cuda_part p = hxi_cuda_part_of(m, s, part);
    p.points = a->targets.points;
    hx_cuda_rows rows;
    const int kind = p.wired ? p.wired->sum : hxi_cuda_kind_of_sum(m, s->link.field);
    if (kind < 0) {
        return hxi_cuda_lacks(m, s->link.field);
    }
    if (!hxi_cuda_set_part_rows(&p, field->number, &rows)) {
        return hxi_cuda_refuse(m, s->link.field);
    }
    a->base[0] = hxi_cuda_array(m, s, HX_FROM);
    for (int i = 0; i < sources; ++i) {
        const hxi_segment *from = a->segment[first + i];
        a->base[1 + i] = from->kind == HX_WITHIN ? hxi_cuda_array(m, from, HX_TO) : hxi_cuda_message(m, from);
    }
    hx_status status = HX_OK;
    hx_cuda_listed *sum = hxi_cuda_new_listed(m, &rows, a->base, sources + 1, &status);
    if (!sum) {
        return status;
    }
    hx_cuda_points to = hxi_cuda_points_of_array(m, &p, HX_FROM);
    to.group = a->group;
    sum->kind = (uint32_t)kind;
    sum->to = hxi_cuda_points_in(&to, field->number, a->base[0]);
    sum->first_source = (uint32_t)m->list->listed.table[HX_LISTED_SOURCE].count;
    return set_sources(a, first, sources, part, field->number);
}

static hx_status add_sums(const adder *a, int sources)
{
    hx_status status = HX_OK;
    for (int first = 0; first < a->segments && status == HX_OK; first += sources) {
        const int parts = hxi_segment_parts(a->maker->work->spec, a->segment[first]);
        for (int part = 0; part < parts && status == HX_OK; ++part) {
            status = add_sum(a, first, sources, part);
        }
    }
    return status;
}

hx_status hxi_cuda_add_listed_sums(hxi_cuda_maker *maker)
{
    adder a = {.maker = maker};
    hx_status status = sort_segments(&a);
    const int sources = status == HX_OK && a.segments > 0 ? count_sources(&a, 0) : 0;
    if (sources > 0) {
        a.base = hxi_memory_get((size_t)sources + 1, sizeof *a.base, purpose);
        status = a.base ? list_terms(&a, sources) : HX_ERR_MEMORY;
        status = status == HX_OK ? list_targets(&a) : status;
        status = status == HX_OK ? set_addends(&a) : status;
        status = status == HX_OK ? add_sums(&a, sources) : status;
    }
    hxi_memory_free(a.segment);
    hxi_memory_free(a.term);
    hxi_memory_free(a.run);
    hxi_memory_free(a.base);
    return status;
}
