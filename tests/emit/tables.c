/*
 * Emitted tables as create looks at them: whole, they are accepted, so that the sums of the generator are
 * those of libhx; with any number changed, one at a time, they are refused, whether the new one is possible
 * there or not.
 */
#include "exchange/descriptor.h"

#include <hx/cuda.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* SPECS: X(name) for each spec whose emitted source this program is linked with. */
#define X(name) extern const hx_spec name##_spec;
SPECS
#undef X

static const hx_spec *const specs[] = {
#define X(name) &name##_spec,
    SPECS
#undef X
};

/* A number of the copy; of so many bytes. */
typedef struct number {
    void *at;
    size_t size;
    const char *what;
} number;

enum { MOST = 200000 };
static number numbers[MOST];
static int count;
static void *pieces[MOST];
static int taken;

static void note(void *at, size_t size, const char *what)
{
    if (count == MOST) {
        printf("more numbers than this test has room for\n");
        exit(1);
    }
    numbers[count++] = (number){at, size, what};
}

#define NOTE(member) note(&(member), sizeof(member), #member)
#define NOTE_AXES(list, n)                                                                                   \
    do {                                                                                                     \
        for (int i_ = 0; i_ < (n); ++i_) {                                                                   \
            NOTE((list)[i_]);                                                                                \
        }                                                                                                    \
    } while (0)

/* Rows of a table, with the mark behind them. */
static void *copy(const void *table, int rows, size_t size)
{
    if (!table) {
        return NULL;
    }
    void *piece = malloc(((size_t)rows + 1) * size);
    if (!piece || taken == MOST) {
        exit(1);
    }
    memcpy(piece, table, ((size_t)rows + 1) * size);
    pieces[taken++] = piece;
    return piece;
}

#define COPY(table, rows) copy(table, rows, sizeof *(table))

static const hx_tile_link *copy_links(const hx_tile_link *from, int links, int axes)
{
    hx_tile_link *link = COPY(from, links);
    for (int l = 0; l < links; ++l) {
        NOTE(link[l].tile);
        NOTE(link[l].source);
        NOTE(link[l].component);
        NOTE(link[l].sign);
        NOTE_AXES(link[l].direction, axes);
        for (int a = 0; a < axes; ++a) {
            NOTE(link[l].map[a].axis);
            NOTE(link[l].map[a].sign);
            NOTE(link[l].map[a].destination_cells);
            NOTE(link[l].map[a].source_cells);
            NOTE(link[l].map[a].offset);
        }
    }
    return link;
}

static const hx_rewrite *copy_rewrites(const hx_rewrite *from, int rewrites, int axes)
{
    hx_rewrite *rewrite = COPY(from, rewrites);
    for (int r = 0; r < rewrites; ++r) {
        NOTE(rewrite[r].link.tile);
        for (int a = 0; a < axes; ++a) {
            NOTE(rewrite[r].link.map[a].offset);
            NOTE(rewrite[r].lo[a].halves);
            NOTE(rewrite[r].lo[a].offset);
            NOTE(rewrite[r].hi[a].halves);
            NOTE(rewrite[r].hi[a].offset);
        }
    }
    return rewrite;
}

static const hx_positions *copy_positions(const hx_spec *s)
{
    hx_positions *p = COPY(s->positions, s->position_classes);
    for (int c = 0; c < s->position_classes; ++c) {
        NOTE_AXES(p[c].extra, s->axes);
        NOTE_AXES(p[c].mirror, s->axes);
        NOTE(p[c].links);
        NOTE(p[c].rewrites);
        NOTE(p[c].sum);
        p[c].link = copy_links(p[c].link, p[c].links, s->axes);
        p[c].rewrite = copy_rewrites(p[c].rewrite, p[c].rewrites, s->axes);
    }
    return p;
}

static const hx_field *copy_fields(const hx_spec *s)
{
    hx_field *f = COPY(s->field, s->fields);
    for (int i = 0; i < s->fields; ++i) {
        int *vector = COPY(f[i].vector, s->axes);
        NOTE(f[i].size);
        NOTE(f[i].alignment);
        NOTE(f[i].positions);
        NOTE_AXES(f[i].order, s->axes);
        NOTE_AXES(f[i].halo_lo, s->axes);
        NOTE_AXES(f[i].halo_hi, s->axes);
        NOTE(f[i].pointer);
        NOTE(f[i].components);
        NOTE(f[i].components_after);
        NOTE_AXES(f[i].padding, s->axes);
        NOTE_AXES(f[i].fixed_stride, s->axes);
        NOTE_AXES(f[i].reverses, s->axes);
        NOTE(f[i].on_device);
        NOTE(f[i].behind);
        NOTE(f[i].sum);
        NOTE_AXES(vector, vector ? s->axes + 1 : 0);
        f[i].vector = vector;
    }
    return f;
}

static const hx_kernels *copy_kernels(const hx_kernels *from)
{
    hx_kernels *k = COPY(from, 0);
    if (!k) {
        return NULL;
    }
    hx_strip *strip = COPY(k->strip, k->strips);
    hx_turned *turned = COPY(k->turned, k->turneds);
    hx_pair *pair = copy(k->pair, 0, sizeof *pair);
    NOTE(k->strips);
    NOTE(k->turneds);
    for (int i = 0; i < k->strips; ++i) {
        NOTE(strip[i].points);
    }
    for (int i = 0; i < k->turneds; ++i) {
        NOTE(turned[i].points);
    }
    if (pair) {
        NOTE(pair->lo);
        NOTE(pair->hi);
    }
    k->strip = strip;
    k->turned = turned;
    k->pair = pair;
    return k;
}

static const hx_picks *copy_picks(const hx_picks *from, int directions)
{
    hx_picks *picks = COPY(from, directions);
    for (int d = 0; picks && d < directions; ++d) {
        int *component = COPY(picks[d].component, picks[d].count);
        NOTE(picks[d].count);
        NOTE_AXES(component, component ? picks[d].count + 1 : 0);
        picks[d].component = component;
    }
    return picks;
}

static const hx_corner_fill *copy_corner_fills(const hx_exchange *e, int axes)
{
    hx_corner_fill *fill = COPY(e->corner_fill, e->corner_fills);
    for (int i = 0; i < e->corner_fills; ++i) {
        hx_corner_links *list = COPY(fill[i].field, fill[i].fields);
        NOTE(fill[i].fields);
        for (int f = 0; f < fill[i].fields; ++f) {
            NOTE(list[f].links);
            list[f].link = copy_links(list[f].link, list[f].links, axes);
        }
        fill[i].field = list;
    }
    return fill;
}

static const hx_exchange *copy_exchanges(const hx_spec *s)
{
    hx_exchange *e = COPY(s->exchange, s->exchanges);
    for (int x = 0; x < s->exchanges; ++x) {
        hx_exchange_field *item = COPY(e[x].field, e[x].fields);
        signed char(*direction)[HX_MAX_AXES] = COPY(e[x].direction, e[x].directions);
        NOTE(e[x].fields);
        NOTE(e[x].directions);
        NOTE(e[x].operation);
        NOTE(e[x].by_dimension);
        NOTE(e[x].box);
        NOTE(e[x].shared);
        NOTE(e[x].corner_fills);
        NOTE(e[x].keeps);
        NOTE(e[x].sum);
        for (int a = 0; a < s->axes; ++a) {
            NOTE(e[x].wall[a][0]);
            NOTE(e[x].wall[a][1]);
        }
        for (int d = 0; d < e[x].directions; ++d) {
            NOTE_AXES(direction[d], s->axes);
        }
        for (int i = 0; i < e[x].fields; ++i) {
            NOTE(item[i].field);
            NOTE(item[i].wire);
            NOTE_AXES(item[i].width_lo, s->axes);
            NOTE_AXES(item[i].width_hi, s->axes);
            item[i].kernels = copy_kernels(item[i].kernels);
            item[i].picks = copy_picks(item[i].picks, e[x].directions);
        }
        e[x].corner_fill = copy_corner_fills(&e[x], s->axes);
        e[x].field = item;
        e[x].direction = (const signed char(*)[HX_MAX_AXES])direction;
    }
    return e;
}

static const hx_layers *copy_layers(const hx_layers *from, int rows, int axes)
{
    hx_layers *l = COPY(from, rows);
    for (int i = 0; i < rows; ++i) {
        NOTE_AXES(l[i].lo, axes);
        NOTE_AXES(l[i].hi, axes);
    }
    return l;
}

static const hx_cycle *copy_cycles(const hx_spec *s)
{
    hx_cycle *c = COPY(s->cycle, s->cycles);
    for (int i = 0; i < s->cycles; ++i) {
        hx_step *step = COPY(c[i].step, c[i].steps);
        int *ends = COPY(c[i].ends, c[i].ended);
        NOTE(c[i].exchange);
        NOTE(c[i].most);
        NOTE(c[i].steps);
        NOTE(c[i].ended);
        NOTE(c[i].sum);
        NOTE_AXES(ends, c[i].ended);
        for (int k = 0; k < c[i].steps; ++k) {
            step[k].layers = copy_layers(step[k].layers, c[i].most, s->axes);
        }
        c[i].needs = copy_layers(c[i].needs, c[i].most * s->exchange[c[i].exchange].fields, s->axes);
        c[i].step = step;
        c[i].ends = ends;
    }
    return c;
}

static const hx_cuda_kernels *copy_device(const hx_spec *s)
{
    hx_cuda_kernels *k = COPY(s->cuda, 0);
    if (!k) {
        return NULL;
    }
    hx_cuda_kind *kind = copy(k->kind, k->kinds - 1, sizeof *kind);
    hx_cuda_field *field = copy(k->field, s->fields - 1, sizeof *field);
    for (int i = 0; i < k->kinds; ++i) {
        NOTE(kind[i].shape);
        NOTE(kind[i].bytes);
        NOTE(kind[i].words);
    }
    for (int f = 0; f < s->fields; ++f) {
        NOTE(field[f].number);
        NOTE(field[f].turned);
        NOTE(field[f].tile);
        NOTE(field[f].sum);
        NOTE(field[f].mean);
        NOTE(field[f].total);
        NOTE(field[f].minimum);
        NOTE(field[f].maximum);
    }
    k->kind = kind;
    k->field = field;
    return k;
}

static void copy_spec(const hx_spec *from, hx_spec *s)
{
    *s = *from;
    NOTE(s->hash);
    NOTE(s->axes);
    NOTE_AXES(s->periodic, s->axes);
    NOTE_AXES(s->decomposed, s->axes);
    NOTE_AXES(s->cells, s->axes);
    NOTE(s->tiles);
    NOTE(s->position_classes);
    NOTE(s->fields);
    NOTE(s->exchanges);
    NOTE(s->cycles);
    NOTE(s->fields_size);
    NOTE(s->shape_size);
    NOTE(s->shape_stride);
    NOTE(s->shape_apart);
    NOTE(s->list);
    NOTE(s->first_fastest);
    NOTE(s->sum);
    s->positions = copy_positions(from);
    s->field = copy_fields(from);
    s->exchange = copy_exchanges(from);
    s->cycle = copy_cycles(from);
    s->cuda = copy_device(from);
}

/* Changes a number by `by` and puts it back: is that refused? */
static int refuses(const hx_spec *s, const number *n, int by)
{
    unsigned char before[8];
    int64_t value = 0;
    memcpy(before, n->at, n->size);
    memcpy(&value, n->at, n->size); /* of numbers as of this machine, the lowest bytes first */
    value += by;
    memcpy(n->at, &value, n->size);
    const int refused = hxi_descriptor_check(s) == HX_ERR_ARGUMENT;
    memcpy(n->at, before, n->size);
    return refused;
}

int main(void)
{
    int wrong = 0;
    int tried = 0;
    for (int i = 0; i < HX_COUNT(specs); ++i) {
        hx_spec s;
        count = taken = 0;
        copy_spec(specs[i], &s);
        if (hxi_descriptor_check(specs[i]) != HX_OK || hxi_descriptor_check(&s) != HX_OK) {
            printf("%s: %s\n", specs[i]->name, hx_last_error());
            ++wrong;
        }
        const int step = 1 + count / 3000; /* of large tables some */
        for (int n = 0; n < count; n += step) {
            for (int by = -1; by <= 1; by += 2) {
                ++tried;
                if (!refuses(&s, &numbers[n], by)) {
                    printf("%s: %s, number %d, changed by %d, is accepted\n", s.name, numbers[n].what, n, by);
                    ++wrong;
                }
            }
        }
        while (taken > 0) {
            free(pieces[--taken]);
        }
    }
    printf("%d numbers changed in the tables of %d specs, %d mistakes\n", tried, HX_COUNT(specs), wrong);
    return wrong > 0;
}
