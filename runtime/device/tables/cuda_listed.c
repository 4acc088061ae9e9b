/*
 * Points of lists as entries for device kernels: each segment, or component of one that lies apart, is one.
 */
#include "device/tables/cuda_list.h"

#include "base/memory.h"

#include <limits.h>

static const char purpose[] = "the tables of device kernels for lists";

/* ---- tables that grow ---------------------------------------------------------------------------------- */

/* So many entries more, all zero, at the end of a table; NULL: there is no memory. */
static void *append(hxi_cuda_table *table, size_t more, size_t size)
{
    table->size = size;
    if (!table->entry || table->count + more > table->room) {
        const size_t room = 2 * table->count + more + 8;
        void *grown = hxi_memory_grow(table->entry, table->count, room, size, purpose);
        if (!grown) {
            return NULL;
        }
        table->entry = grown;
        table->room = room;
    }
    table->count += more;
    return (unsigned char *)table->entry + (table->count - more) * size;
}

void *hxi_cuda_listed_append(hxi_cuda_maker *m, hxi_listed_table table, size_t more, size_t size)
{
    return append(&m->list->listed.table[table], more, size);
}

void hxi_cuda_listed_free(hxi_cuda_index_list_of *list)
{
    for (int t = 0; t < HX_LISTED_TABLES; ++t) {
        hxi_memory_free(list->table[t].entry);
    }
    hxi_memory_free(list->known.entry);
    *list = (hxi_cuda_index_list_of){0};
}

/* ---- lists --------------------------------------------------------------------------------------------- */

/* A list that has groups already. */
typedef struct known_list {
    const hx_runs *runs;
    uint32_t group;
} known_list;

static const known_list *find_list(const hxi_cuda_table *known, const hx_runs *runs)
{
    const known_list *list = known->entry;
    for (size_t i = 0; i < known->count; ++i) {
        if (list[i].runs == runs) {
            return &list[i];
        }
    }
    return NULL;
}

/*
 * How much larger the indices of each run are than numbers in the list; its first point is noted in groups.
 */
static void set_runs(const hx_runs *runs, hx_cuda_group *group, int32_t *shift)
{
    int point = 0;
    for (int r = 0; r < runs->runs; ++r) {
        shift[r] = runs->run[r].first - point;
        group[point / HX_CUDA_GROUP].begins |= UINT32_C(1) << point % HX_CUDA_GROUP;
        point += runs->run[r].points;
    }
}

static uint32_t count_ones(uint32_t bits)
{
    uint32_t ones = 0;
    for (; bits != 0; bits &= bits - 1) {
        ++ones;
    }
    return ones;
}

hx_status hxi_cuda_add_list(hxi_cuda_maker *m, const hx_runs *runs, uint32_t *first)
{
    hxi_cuda_index_list_of *l = &m->list->listed;
    const known_list *found = find_list(&l->known, runs);
    if (found) {
        *first = found->group;
        return HX_OK;
    }
    const size_t groups = ((size_t)runs->points + HX_CUDA_GROUP - 1) / HX_CUDA_GROUP;
    uint32_t before = (uint32_t)l->table[HX_LISTED_SHIFT].count - 1; /* of the first list: 2^32 - 1 */
    known_list *known = append(&l->known, 1, sizeof *known);
    hx_cuda_group *group = hxi_cuda_listed_append(m, HX_LISTED_GROUP, groups, sizeof *group);
    int32_t *shift = hxi_cuda_listed_append(m, HX_LISTED_SHIFT, (size_t)runs->runs, sizeof *shift);
    if (!known || !group || !shift) {
        return HX_ERR_MEMORY;
    }
    *first = (uint32_t)(l->table[HX_LISTED_GROUP].count - groups);
    *known = (known_list){runs, *first};
    set_runs(runs, group, shift);
    for (size_t g = 0; g < groups; ++g) {
        group[g].before = before;
        before += count_ones(group[g].begins);
    }
    return HX_OK;
}

/* ---- entries ------------------------------------------------------------------------------------------- */

int hxi_cuda_listed_entries(const hxi_cuda_list *list)
{
    return (int)list->listed.table[HX_LISTED_ENTRY].count;
}

static const uint64_t of_block = (uint64_t)HX_CUDA_THREADS * HX_CUDA_LOADS;

hx_cuda_listed *hxi_cuda_new_listed(hxi_cuda_maker *m, const hx_cuda_rows *rows, int base[], int bases,
                                    hx_status *status)
{
    const uint64_t blocks = ((uint64_t)rows->rows * rows->items + of_block - 1) / of_block;
    *status = hxi_cuda_take(m, blocks, base, bases);
    if (*status != HX_OK) {
        return NULL;
    }
    hx_cuda_listed *entry = hxi_cuda_listed_append(m, HX_LISTED_ENTRY, 1, sizeof *entry);
    if (!entry) {
        *status = HX_ERR_MEMORY;
        return NULL;
    }
    hxi_cuda_launch *launch = &m->list->launch[m->list->launches - 1];
    *entry = (hx_cuda_listed){.first_block = launch->blocks, .at = *rows};
    launch->blocks += (unsigned)blocks;
    return entry;
}

/* ---- parts of segments --------------------------------------------------------------------------------- */

hxi_cuda_part hxi_cuda_part_of(const hxi_cuda_maker *m, const hxi_segment *s, int part)
{
    const hx_spec *spec = m->work->spec;
    const hx_field *field = &spec->field[s->link.field];
    const bool in_levels = field->order[0] == 0 && spec->axes > 1;
    const bool in_rows = field->order[0] != 0;
    return (hxi_cuda_part){
        .segment = s,
        .number = part,
        .points = s->link.hi[0],
        .levels = in_levels ? s->link.hi[1] : 1,
        .row = (int64_t)field->size * (in_rows ? s->link.hi[1] : 1),
        .wired = hxi_cuda_wired_of(m, s),
    };
}

hx_cuda_points hxi_cuda_points_of_array(const hxi_cuda_maker *m, const hxi_cuda_part *p, hxi_end end)
{
    const hx_spec *spec = m->work->spec;
    const hxi_segment *s = p->segment;
    const hx_region region = hxi_work_end(m->work, s, end, hxi_segment_component(spec, s, p->number));
    const int64_t size = spec->field[s->link.field].size;
    return (hx_cuda_points){.at = (int64_t)region.at * size,
                            .point = (int64_t)region.stride[0] * size,
                            .level = p->levels > 1 ? (int64_t)region.stride[1] * size : 0};
}

hx_cuda_points hxi_cuda_points_of_message(const hxi_cuda_maker *m, const hxi_cuda_part *p)
{
    const int number = m->kernels->field[p->segment->link.field].number;
    const int64_t row = p->wired ? p->row / number * p->wired->bytes : p->row;
    return (hx_cuda_points){.at = (int64_t)hxi_cuda_message_offset(m, p->segment, p->number),
                            .point = row,
                            .level = p->levels > 1 ? row * p->points : 0,
                            .narrowed = 1};
}

bool hxi_cuda_set_part_rows(const hxi_cuda_part *p, int bytes, hx_cuda_rows *rows)
{
    const int64_t n[3] = {p->points, p->levels, 1};
    return hxi_cuda_set_rows(n, p->row / bytes, rows);
}

hx_cuda_points hxi_cuda_points_in(const hx_cuda_points *points, int bytes, int base)
{
    hx_cuda_points counted = *points;
    counted.at /= bytes;
    counted.point /= bytes;
    counted.level /= bytes;
    counted.base = (uint32_t)base;
    return counted;
}

/* ---- moves --------------------------------------------------------------------------------------------- */

/* One end of a move. */
typedef struct move_end {
    hxi_end end;
    const hx_runs *runs; /* NULL: it is in a message */
} move_end;

static bool is_multiple(const hx_cuda_points *points, int bytes)
{
    return points->at % bytes == 0 && points->point % bytes == 0 && points->level % bytes == 0;
}

/* The kernel that narrows, widens or rounds numbers of *bytes each; -1: none. */
static int find_wired(const hxi_cuda_maker *m, const hxi_cuda_part *p, const hx_cuda_points ends[2],
                      int *bytes)
{
    *bytes = m->kernels->field[p->segment->link.field].number;
    return ends[0].narrowed ? p->wired->widen : ends[1].narrowed ? p->wired->narrow : p->wired->round;
}

/* The kernel with the widest words that fit, *bytes of each; -1: none. */
static int find_kind(const hxi_cuda_maker *m, const hxi_cuda_part *p, const hx_cuda_points ends[2],
                     int *bytes)
{
    const int word = m->work->spec->field[p->segment->link.field].alignment;
    for (*bytes = m->aligned ? 16 : word; *bytes >= word; *bytes /= 2) {
        const bool fits =
            p->row % *bytes == 0 && is_multiple(&ends[0], *bytes) && is_multiple(&ends[1], *bytes);
        const int kind = fits ? hxi_cuda_kind_of(m->kernels, HX_CUDA_LISTED, *bytes, 0) : -1;
        if (kind >= 0) {
            return kind;
        }
    }
    return -1;
}

static hx_status find_bases(hxi_cuda_maker *m, const hxi_cuda_part *p, const move_end *at,
                            hx_cuda_points *points, int *base)
{
    if (!at->runs) {
        *points = hxi_cuda_points_of_message(m, p);
        *base = hxi_cuda_message(m, p->segment);
        return HX_OK;
    }
    *points = hxi_cuda_points_of_array(m, p, at->end);
    *base = hxi_cuda_array(m, p->segment, at->end);
    return hxi_cuda_add_list(m, at->runs, &points->group);
}

static hx_status add_part(hxi_cuda_maker *m, const hxi_cuda_part *p, const move_end *from, const move_end *to)
{
    hx_cuda_points ends[2];
    hx_cuda_rows rows;
    int base[2];
    int bytes = 0;
    hx_status status = find_bases(m, p, from, &ends[0], &base[0]);
    status = status == HX_OK ? find_bases(m, p, to, &ends[1], &base[1]) : status;
    if (status != HX_OK) {
        return status;
    }
    const int kind = p->wired ? find_wired(m, p, ends, &bytes) : find_kind(m, p, ends, &bytes);
    if (kind < 0) {
        return hxi_cuda_lacks(m, p->segment->link.field);
    }
    const int in_message = hxi_cuda_bytes_in_message(p->wired, bytes);
    if (!hxi_cuda_set_part_rows(p, bytes, &rows)) {
        return hxi_cuda_refuse(m, p->segment->link.field);
    }
    hx_cuda_listed *entry = hxi_cuda_new_listed(m, &rows, base, 2, &status);
    if (!entry) {
        return status;
    }
    entry->kind = (uint32_t)kind;
    entry->from = hxi_cuda_points_in(&ends[0], from->runs ? bytes : in_message, base[0]);
    entry->to = hxi_cuda_points_in(&ends[1], to->runs ? bytes : in_message, base[1]);
    return HX_OK;
}

/* zeros: nothing is moved, so no number is rounded. */
static hx_status add_segment(hxi_cuda_maker *m, const hxi_segment *s, const move_end *from,
                             const move_end *to, bool zeros)
{
    hx_status status = HX_OK;
    for (int part = 0; part < hxi_segment_parts(m->work->spec, s) && status == HX_OK; ++part) {
        hxi_cuda_part p = hxi_cuda_part_of(m, s, part);
        p.wired = zeros ? NULL : p.wired;
        status = add_part(m, &p, from, to);
    }
    return status;
}

hx_status hxi_cuda_add_listed(hxi_cuda_maker *m, hxi_segment_kind kind)
{
    const bool returns =
        HX_RETURNS(m->work->exchange->operation); /* who sends ghost points back sends what others fill */
    static const move_end message = {HX_TO, NULL};
    hx_status status = HX_OK;
    for (int i = 0; i < m->work->segments->count && status == HX_OK; ++i) {
        const hxi_segment *s = &m->work->segments->segment[i];
        const move_end fed = {HX_FROM, s->from_runs};
        const move_end filled = {HX_TO, s->to_runs};
        if (s->kind == kind) {
            status = add_segment(m, s,
                                 kind == HX_RECEIVED ? &message
                                 : returns           ? &filled
                                                     : &fed,
                                 kind == HX_SENT ? &message : &filled, false);
        }
    }
    return status;
}

/* The points that were sent or added; a move of theirs to themselves says where they are. */
hx_status hxi_cuda_add_listed_zeros(hxi_cuda_maker *m)
{
    hx_status status = HX_OK;
    for (int i = 0; i < m->work->segments->count && status == HX_OK; ++i) {
        const hxi_segment *s = &m->work->segments->segment[i];
        const move_end filled = {HX_TO, s->to_runs};
        if (s->kind != HX_RECEIVED) {
            status = add_segment(m, s, &filled, &filled, true);
        }
    }
    return status;
}
