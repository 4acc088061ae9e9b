/*
 * A point's value tells field, place and how often the field was written.  A step looks at every point that the
 * spec says it reads, and writes those that it is to compute: so what is stale, or was never brought, shows.
 */
#include "check/cycles.h"

#include "check/device.h"
#include "check/grid.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct trial {
    check_run *run;
    int cycle;
    int step;
    uint64_t *written; /* by field: how often */
} trial;

enum { MOST_CYCLES = 12 };

/* What a point holds now; false: it stands for none, as beyond walls. */
static bool value_now(const trial *t, const check_spot *spot, int component, check_value *value)
{
    check_place place;
    if (!hxi_check_find(t->run, spot, &place)) {
        return false;
    }
    const uint64_t bits = hxi_check_value_at(t->run, &place, component);
    value->bits = (bits + t->written[spot->field]) * UINT64_C(0x9e3779b97f4a7c15);
    value->bits ^= value->bits >> 29;
    value->opposite = place.opposite;
    return true;
}

/* Counts what is wrong, and tells the first of an attempt. */
static void report(const trial *t, const check_spot *spot, const char *what)
{
    const hx_cycle *cycle = &t->run->spec->cycle[t->cycle];
    if (t->run->failures++ > 0) {
        return;
    }
    fprintf(stderr, "cycle %s, step %s: field %s %s at", cycle->name, cycle->step[t->step].name,
            t->run->spec->field[spot->field].name, what);
    for (int a = 0; a < t->run->spec->axes; ++a) {
        fprintf(stderr, " %s=%d", t->run->spec->axis[a], spot->point[a]);
    }
    fprintf(stderr, " of its block\n");
}

/* ---- boxes of points ----------------------------------------------------------------------------------- */

typedef void visit_fn(const trial *t, const check_block *b, const check_spot *spot);

/* Each point of a field from lo up to hi; star: of those beside `within` only such as lie so along one axis. */
static void each_spot(const trial *t, const check_block *b, int field, const hx_box *box, const hx_box *star,
                      visit_fn *visit)
{
    const int axes = t->run->spec->axes;
    int point[HX_MAX_AXES];
    bool more = true;
    for (int a = 0; a < axes; ++a) {
        point[a] = box->lo[a];
        more = more && box->lo[a] < box->hi[a];
    }
    while (more) {
        int beside = 0;
        for (int a = 0; a < axes && star; ++a) {
            beside += point[a] < star->lo[a] || point[a] >= star->hi[a];
        }
        if (beside < 2) {
            const check_spot spot = hxi_check_spot_at(t->run, b->part, field, point);
            visit(t, b, &spot);
        }
        int a = axes - 1;
        while (a >= 0 && ++point[a] == box->hi[a]) {
            point[a] = box->lo[a];
            --a;
        }
        more = a >= 0;
    }
}

static void look(const trial *t, const check_block *b, const check_spot *spot)
{
    check_value value;
    for (int c = 0; c < hxi_check_components(t->run, spot->field); ++c) {
        if (value_now(t, spot, c, &value) &&
            !hxi_check_holds(&t->run->type[spot->field], hxi_check_element(t->run, b, spot, c), value)) {
            report(t, spot, "holds something else than its owner");
        }
    }
}

static void store(const trial *t, const check_block *b, const check_spot *spot)
{
    check_value value;
    for (int c = 0; c < hxi_check_components(t->run, spot->field); ++c) {
        if (!value_now(t, spot, c, &value) || value.opposite) {
            report(t, spot, "is to be computed where nobody owns it,");
            return;
        }
        hxi_check_store(&t->run->type[spot->field], hxi_check_element(t->run, b, spot, c), value.bits);
    }
}

static void each_owned(const trial *t, visit_fn *visit)
{
    for (int b = 0; b < t->run->blocks; ++b) {
        for (int f = 0; f < t->run->spec->fields; ++f) {
            hx_box owned = {.lo = {0}};
            for (int a = 0; a < t->run->spec->axes; ++a) {
                owned.hi[a] = hxi_check_owned(t->run, t->run->block[b].part, f, a);
            }
            each_spot(t, &t->run->block[b], f, &owned, NULL, visit);
        }
    }
}

/* ---- steps --------------------------------------------------------------------------------------------- */

static hx_box points_of(const trial *t, int block, int field)
{
    const hx_boxes boxes = t->run->program->points(t->run->handle, t->cycle, t->step, block, field);
    return boxes.box[0];
}

/* The next thing that the step does, behind one of them or from NULL on; NULL: there is no more. */
static const hx_check_access *next_access(const trial *t, const hx_check_access *before, bool writes)
{
    const hx_check_program *program = t->run->program;
    const hx_check_access *access = before ? before + 1 : program->access;
    while (access < program->access + program->accesses &&
           (access->cycle != t->cycle || access->step != t->step ||
            (access->use == HX_CHECK_WRITES) != writes)) {
        ++access;
    }
    return access < program->access + program->accesses ? access : NULL;
}

static const hx_check_access *next_read(const trial *t, const hx_check_access *before)
{
    return next_access(t, before, false);
}

static const hx_check_access *next_written(const trial *t, const hx_check_access *before)
{
    return next_access(t, before, true);
}

/* What a step reads to compute a field. */
static void read_for(const trial *t, int block, int written)
{
    const hx_box computed = points_of(t, block, written);
    for (const hx_check_access *read = next_read(t, NULL); read; read = next_read(t, read)) {
        const bool star = read->use == HX_CHECK_READS_ALONG_AXES;
        hx_box box = computed;
        for (int a = 0; a < t->run->spec->axes; ++a) {
            box.lo[a] -= read->reach.lo[a];
            box.hi[a] += read->reach.hi[a];
        }
        each_spot(t, &t->run->block[block], read->field, &box, star ? &computed : NULL, look);
    }
}

static void run_step(const trial *t)
{
    const hx_check_access *w;
    for (int b = 0; b < t->run->blocks; ++b) {
        for (w = next_written(t, NULL); w; w = next_written(t, w)) {
            read_for(t, b, w->field);
        }
    }
    for (w = next_written(t, NULL); w; w = next_written(t, w)) {
        t->written[w->field]++;
    }
    for (int b = 0; b < t->run->blocks; ++b) {
        for (w = next_written(t, NULL); w; w = next_written(t, w)) {
            const hx_box box = points_of(t, b, w->field);
            each_spot(t, &t->run->block[b], w->field, &box, NULL, store);
        }
    }
}

static void try_cycle(trial *t, unsigned char *structs,
                      void move(const check_run *r, unsigned char *structs, bool back))
{
    check_run *r = t->run;
    const hx_cycle *cycle = &r->spec->cycle[t->cycle];
    const int most = 2 * cycle->most + 1;
    t->step = 0;
    each_owned(t, store);
    for (int i = 0; i < most && i < MOST_CYCLES; ++i) {
        move(r, structs, false);
        hxi_check_must(r->program->begin(r->handle, t->cycle, structs, r->device.stream));
        move(r, structs, true);
        if (r->device.calls) {
            hxi_check_follow(&r->device);
        }
        for (t->step = 0; t->step < cycle->steps; ++t->step) {
            run_step(t);
        }
    }
    t->step = cycle->steps - 1;
    each_owned(t, look);
}

void hxi_check_try_cycles(check_run *r, unsigned char *structs,
                          void move(const check_run *r, unsigned char *structs, bool back))
{
    trial t = {.run = r, .written = hxi_check_allocate((size_t)r->spec->fields, sizeof *t.written)};
    for (t.cycle = 0; t.cycle < r->spec->cycles && r->lands == 0; ++t.cycle) {
        memset(t.written, 0, (size_t)r->spec->fields * sizeof *t.written);
        try_cycle(&t, structs, move);
    }
    free(t.written);
}
