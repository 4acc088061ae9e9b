#include "audit/report.h"

#include "audit/value.h"
#include "base/status.h"
#include "base/text.h"

#include <inttypes.h>
#include <string.h>

static void add_point(hxi_text *text, const hx_spec *spec, const int point[])
{
    hxi_text_add(text, spec->axes > 1 ? "(" : "");
    for (int a = 0; a < spec->axes; ++a) {
        hxi_text_add(text, "%s%d", a > 0 ? ", " : "", point[a]);
    }
    hxi_text_add(text, spec->axes > 1 ? ")" : "");
}

/* The same point as the whole tile counts it. */
static void add_global(const hxi_finding *f, hxi_text *text, int tile, int block, const int point[])
{
    int index[HX_MAX_AXES];
    int at[HX_MAX_AXES] = {0};
    if (f->spec->list) {
        return;
    }
    hxi_layout_index(f->layout, tile, block, index);
    for (int a = 0; a < f->spec->axes; ++a) {
        at[a] = hxi_tile_cut(&f->layout->tile[tile], a, index[a]) + point[a];
    }
    hxi_text_add(text, ", which is ");
    add_point(text, f->spec, at);
    if (f->spec->tiles > 1) {
        hxi_text_add(text, " of tile %d", tile);
    } else {
        hxi_text_add(text, " of the grid");
    }
}

static void add_component(const hxi_finding *f, hxi_text *text)
{
    const int component = f->patch->component >= 0 ? f->patch->component : f->first.component;
    if (component >= 0) {
        hxi_text_add(text, "component %d of ", component);
    }
}

static void add_rest(const hxi_finding *f, hxi_text *text)
{
    if (f->first.points > 1) {
        hxi_text_add(text, "  So %s %" PRId64 " more point%s.", f->first.points == 2 ? "is" : "are",
                     f->first.points - 1, hxi_s(f->first.points - 1));
    }
}

static hx_status fail_at_finish(const hxi_finding *f, const char *words)
{
    return hxi_fail(HX_ERR_MISMATCH, "%s:%d: exchange \"%s\", audit on rank %d behind finish: %s",
                    f->spec->file, f->exchange->line, f->exchange->name, f->rank, words);
}

/* ---- points that were filled --------------------------------------------------------------------------- */

static void add_arrays(const hxi_finding *f, hxi_text *text)
{
    const bool both = f->clue.other_array && f->clue.other_array_there;
    hxi_text_add(text, "  Run %" PRIu64 ", the last, was given another array for it on ", f->runs);
    if (f->clue.other_array) {
        hxi_text_add(text, "rank %d", f->rank);
    }
    if (both && f->patch->peer != f->rank) {
        hxi_text_add(text, " and ");
    }
    if (f->clue.other_array_there && !(both && f->patch->peer == f->rank)) {
        hxi_text_add(text, "rank %d", f->patch->peer);
    }
    hxi_text_add(text, "%s.",
                 both ? ": this one has not been exchanged" : " only: were arrays swapped there alone?");
}

static void add_reason_of_call(const hxi_finding *f, hxi_text *text)
{
    const hxi_clue *clue = &f->clue;
    if (f->runs == 0) {
        hxi_text_add(text, "  The exchange has not run yet.");
        return;
    }
    if (clue->other_array || clue->other_array_there) {
        add_arrays(f, text);
        return;
    }
    if (clue->unnoted) {
        hxi_text_add(text,
                     "  The exchange last ran as run %" PRIu64
                     ".  From its next run on such a call also says which of the two changed since.",
                     f->runs);
        return;
    }
    if (!clue->recorded) {
        hxi_text_add(text,
                     "  The exchange last ran as run %" PRIu64 "; with HX_AUDIT=1 this says which of the two "
                     "changed since.",
                     f->runs);
        return;
    }
    if (clue->ghost_kept) {
        hxi_text_add(text,
                     "  The halo is stale: the owner's value has changed since run %" PRIu64
                     ", the last; run the exchange again.",
                     f->runs);
    } else if (clue->owner_kept) {
        hxi_text_add(text,
                     "  It was right after run %" PRIu64
                     ", the last: this rank has written to the ghost point since.",
                     f->runs);
    } else if (clue->last) {
        char before[HX_VALUE_TEXT];
        hxi_text_add(text,
                     "  Both were %s after run %" PRIu64
                     ", the last: owner and ghost point have been written to since.",
                     hxi_value_text(f->rows->field, clue->last, before), f->runs);
    } else {
        hxi_text_add(text,
                     "  Since run %" PRIu64
                     ", the last, the owner's points have been written to, and ghost points, too.",
                     f->runs);
    }
}

/* A loop that is too long reaches one or two boxes; a wrong stride reaches more. */
static void add_boxes(const hxi_finding *f, hxi_text *text)
{
    if (f->written > 2 && 2 * f->written >= f->boxes) {
        hxi_text_add(
            text,
            "  Of its %d ghost boxes %d have been written to since run %" PRIu64
            ": is a loop too long, or are rows of the array not as far apart as in the shape given to "
            "create?",
            f->boxes, f->written, f->runs);
    }
}

static void add_reason_of_finish(hxi_text *text)
{
    hxi_text_add(text, "  Did this rank write there between start and finish, or the owner to its point?");
}

/* Names the owner, and the place of its point. */
static void add_owner(const hxi_finding *f, const int source[], hxi_text *text)
{
    hxi_text_add(text, "as rank %d %s it", f->patch->peer, f->occasion == HX_AUDIT_FINISH ? "had" : "has");
    if (!f->spec->list) {
        hxi_text_add(text, " in block %d at ", f->patch->from.block);
        add_point(text, f->spec, source);
        add_global(f, text, f->patch->from.tile, f->patch->from.block, source);
    }
    hxi_text_add(text, ".");
}

/* Names the point that the boundary makes the value of. */
static void add_boundary(const hxi_finding *f, const int source[], hxi_text *text)
{
    if (f->patch->from.sign == 0) {
        hxi_text_add(text, "as the boundary says.");
        return;
    }
    hxi_text_add(text, "which the boundary makes of ");
    add_point(text, f->spec, source);
    hxi_text_add(text, ".");
}

hx_status hxi_report_filled(const hxi_finding *f)
{
    char words[HX_SENTENCE];
    hxi_text text = {words, sizeof words, 0};
    char value[HX_VALUE_TEXT];
    int point[HX_MAX_AXES];
    int source[HX_MAX_AXES];
    memcpy(source, f->patch->from.point, sizeof source);
    for (int a = 0; a < HX_MAX_AXES; ++a) {
        point[a] = f->patch->lo[a] + f->first.at[a];
        source[f->patch->axis[a]] += f->patch->turn[a] * f->first.at[a];
    }
    const hxi_block *block = &f->mine->block[f->patch->block];
    add_component(f, &text);
    hxi_text_add(&text, "field %s (line %d) is %s at %s point ", f->rows->field->name, f->rows->field->line,
                 hxi_value_text(f->rows->field, f->first.is, value),
                 f->patch->owned ? "the shared" : "ghost");
    add_point(&text, f->spec, point);
    if (!f->spec->list) {
        hxi_text_add(&text, " of block %d", block->number);
        if (f->spec->tiles > 1) {
            hxi_text_add(&text, " of tile %d", block->tile);
        }
    }
    hxi_text_add(&text, "%s and must be %s, ", f->patch->wall ? ", behind a wall," : "",
                 hxi_value_text(f->rows->field, f->first.wanted, value));
    (f->patch->wall ? add_boundary : add_owner)(f, source, &text);
    add_rest(f, &text);
    if (f->occasion == HX_AUDIT_FINISH) {
        add_reason_of_finish(&text);
    } else {
        add_reason_of_call(f, &text);
        add_boxes(f, &text);
    }
    return hxi_fail(HX_ERR_MISMATCH, "%s:%d: exchange \"%s\", audit on rank %d %s: %s", f->spec->file,
                    f->exchange->line, f->exchange->name, f->rank,
                    f->occasion == HX_AUDIT_FINISH ? "behind finish" : "as called", words);
}

/* "one of the ghost points from (0, 2) to (3, 2) of block 1"; points of lists lie in several runs. */
static void add_places(const hxi_finding *f, hxi_text *text)
{
    int last[HX_MAX_AXES];
    if (f->spec->list) {
        hxi_text_add(text, "one of %" PRId64 " ghost points", f->first.points);
        return;
    }
    for (int a = 0; a < HX_MAX_AXES; ++a) {
        last[a] = f->patch->lo[a] + f->patch->n[a] - 1;
    }
    hxi_text_add(text, "one of the ghost points from ");
    add_point(text, f->spec, f->patch->lo);
    hxi_text_add(text, " to ");
    add_point(text, f->spec, last);
    hxi_text_add(text, " of block %d", f->mine->block[f->patch->block].number);
}

hx_status hxi_report_unanswered(const hxi_finding *f)
{
    char words[HX_SENTENCE];
    hxi_text text = {words, sizeof words, 0};
    add_component(f, &text);
    hxi_text_add(&text, "field %s (line %d) is wrong at ", f->rows->field->name, f->rows->field->line);
    add_places(f, &text);
    hxi_text_add(&text,
                 ".  Rank %d, which feeds them, has not called libhx since, so it did not say what it had.",
                 f->patch->peer);
    add_reason_of_finish(&text);
    return fail_at_finish(f, words);
}

/* ---- arrays -------------------------------------------------------------------------------------------- */

static void add_mark(const hxi_swap *s, hxi_text *text, uint64_t mark)
{
    const int field = (int)(mark & UINT32_MAX) - 1;
    hxi_text_add(text, "set %d of %s_alloc", (int)(mark >> 32), s->spec->name);
    if (field != s->field) {
        hxi_text_add(text, ", for field %s,", s->spec->field[field].name);
    }
}

void hxi_report_swap(const hxi_swap *s)
{
    char here[HX_SENTENCE / 4];
    char there[HX_SENTENCE / 4];
    const hx_field *field = &s->spec->field[s->field];
    add_mark(s, &(hxi_text){here, sizeof here, 0}, s->here);
    add_mark(s, &(hxi_text){there, sizeof there, 0}, s->there);
    hxi_fail(
        HX_ERR_MISMATCH,
        "%s:%d: exchange \"%s\", audit on rank %d behind finish: the array of field %s (line %d) is of %s here, and "
        "of %s on rank %d, which feeds this one.  Were arrays swapped on one rank only?",
        s->spec->file, s->exchange->line, s->exchange->name, s->rank, field->name, field->line, here, there,
        s->peer);
}

/* ---- shared points ------------------------------------------------------------------------------------- */

void hxi_report_holder(hxi_finding *f, const hxi_patch *patch, const unsigned char *value)
{
    hxi_text text = {f->holders, sizeof f->holders, strlen(f->holders)};
    char words[HX_VALUE_TEXT];
    int point[HX_MAX_AXES];
    memcpy(point, patch->from.point, sizeof point);
    for (int a = 0; a < HX_MAX_AXES; ++a) {
        const int at = f->patch->lo[a] + f->first.at[a];
        point[patch->axis[a]] += patch->turn[a] * (at - patch->lo[a]);
    }
    hxi_text_add(&text, "; rank %d has %s%s in block %d", patch->peer,
                 hxi_value_text(f->rows->field, value, words),
                 patch->from.sign < 0 ? ", which is to be the opposite," : "", patch->from.block);
    if (f->spec->tiles > 1) {
        hxi_text_add(&text, " of tile %d", patch->from.tile);
    }
    hxi_text_add(&text, " at ");
    add_point(&text, f->spec, point);
}

hx_status hxi_report_shared(const hxi_finding *f)
{
    char words[HX_SENTENCE];
    hxi_text text = {words, sizeof words, 0};
    char value[HX_VALUE_TEXT];
    int point[HX_MAX_AXES];
    const hxi_block *block = &f->mine->block[f->patch->block];
    for (int a = 0; a < HX_MAX_AXES; ++a) {
        point[a] = f->patch->lo[a] + f->first.at[a];
    }
    add_component(f, &text);
    hxi_text_add(&text, "field %s (line %d): rank %d has %s at the shared point ", f->rows->field->name,
                 f->rows->field->line, f->rank, hxi_value_text(f->rows->field, f->first.is, value));
    add_point(&text, f->spec, point);
    hxi_text_add(&text, " of block %d", block->number);
    add_global(f, &text, block->tile, block->number, point);
    hxi_text_add(&text, "%s.", f->holders);
    if (f->first.points > 1) {
        hxi_text_add(&text, "  So differ %" PRId64 " more cop%s.", f->first.points - 1,
                     f->first.points == 2 ? "y" : "ies");
    }
    if (f->clue.other_array || f->clue.other_array_there) {
        add_arrays(f, &text);
    } else if (f->runs == 0) {
        hxi_text_add(&text, "  The exchange has not run yet.");
    } else {
        hxi_text_add(&text, "  The exchange last ran as run %" PRIu64 ": who has written to its copy since?",
                     f->runs);
    }
    return hxi_fail(HX_ERR_MISMATCH, "%s:%d: exchange \"%s\", audit on rank %d as called: %s", f->spec->file,
                    f->exchange->line, f->exchange->name, f->rank, words);
}

/* ---- owned points -------------------------------------------------------------------------------------- */

/* The owned point that goes with the first one that differs. */
static void find_source(const hxi_finding *f, int point[])
{
    memcpy(point, f->patch->from.point, sizeof(int[HX_MAX_AXES]));
    for (int a = 0; a < HX_MAX_AXES; ++a) {
        if (f->spec->list) {
            point[a] = f->patch->lo[a] + f->first.at[a];
        } else {
            point[f->patch->axis[a]] += f->patch->turn[a] * f->first.at[a];
        }
    }
}

hx_status hxi_report_owned(const hxi_finding *f)
{
    char words[HX_SENTENCE];
    hxi_text text = {words, sizeof words, 0};
    char value[HX_VALUE_TEXT];
    int point[HX_MAX_AXES];
    const hxi_block *block = &f->mine->block[f->rows->block];
    find_source(f, point);
    add_component(f, &text);
    hxi_text_add(&text, "field %s (line %d), owned point ", f->rows->field->name, f->rows->field->line);
    add_point(&text, f->spec, point);
    if (!f->spec->list) {
        hxi_text_add(&text, " of block %d", block->number);
        add_global(f, &text, block->tile, block->number, point);
    }
    hxi_text_add(&text, ", was written between start and finish: it was %s",
                 hxi_value_text(f->rows->field, f->first.wanted, value));
    hxi_text_add(&text, " and is %s.", hxi_value_text(f->rows->field, f->first.is, value));
    if (f->first.points > 1) { /* one near a corner feeds several */
        hxi_text_add(&text, "  Such points feed %" PRId64 " points of other ranks.", f->first.points);
    }
    hxi_text_add(&text, "  Rank %d needs it: write points near a side before start or after finish.",
                 f->patch->peer);
    return fail_at_finish(f, words);
}

/* ---- what several have a share in ---------------------------------------------------------------------- */

static bool is_returned(const hxi_finding *f)
{
    return HX_RETURNS(f->exchange->operation) && !f->exchange->shared;
}

void hxi_report_share(hxi_finding *f, const hxi_patch *patch, const int at[], const char *value)
{
    hxi_text text = {f->holders, sizeof f->holders, strlen(f->holders)};
    const bool ghost = is_returned(f);
    int point[HX_MAX_AXES];
    hxi_text_add(&text, "; rank %d gave %s", patch->peer, value);
    if (f->spec->list) {
        return;
    }
    memcpy(point, patch->from.point, sizeof point);
    for (int a = 0; a < HX_MAX_AXES; ++a) {
        if (ghost) {
            point[a] = patch->lo[a] + at[a];
        } else {
            point[patch->axis[a]] += patch->turn[a] * at[a];
        }
    }
    hxi_text_add(&text, " from %s", ghost && !patch->owned ? "ghost point " : "");
    add_point(&text, f->spec, point);
    hxi_text_add(&text, " of block %d", ghost ? patch->number : patch->from.block);
    if (f->spec->tiles > 1) {
        hxi_text_add(&text, " of tile %d", ghost ? patch->tile : patch->from.tile);
    }
}

static void add_between(const hxi_finding *f, hxi_text *text)
{
    add_rest(f, text);
    hxi_text_add(text, "  Did this rank write there between start and finish?");
}

hx_status hxi_report_total(const hxi_finding *f, const hxi_sum *sum)
{
    static const char *const made[] = {[HX_ADD] = "the sum",
                                       [HX_SUM] = "the sum",
                                       [HX_MEAN] = "the mean",
                                       [HX_MIN] = "the least",
                                       [HX_MAX] = "the greatest"};
    char words[HX_SENTENCE];
    hxi_text text = {words, sizeof words, 0};
    int point[HX_MAX_AXES];
    const hxi_block *block = &f->mine->block[f->rows->block];
    if (is_returned(f)) {
        find_source(f, point);
    } else {
        for (int a = 0; a < HX_MAX_AXES; ++a) {
            point[a] = f->patch->lo[a] + f->first.at[a];
        }
    }
    add_component(f, &text);
    hxi_text_add(&text, "field %s (line %d) is %s at %s point ", f->rows->field->name, f->rows->field->line,
                 sum->is, f->exchange->shared ? "the shared" : "owned");
    add_point(&text, f->spec, point);
    if (!f->spec->list) {
        hxi_text_add(&text, " of block %d", block->number);
        add_global(f, &text, block->tile, block->number, point);
    }
    if (f->exchange->operation == HX_COPY) {
        hxi_text_add(&text, ", and must be what one block had: at start it was %s", sum->was);
    } else {
        hxi_text_add(&text, ", and must be %s, %s: at start it was %s", sum->must,
                     made[f->exchange->operation], sum->was);
    }
    hxi_text_add(&text, "%s.", f->holders);
    add_between(f, &text);
    return fail_at_finish(f, words);
}

hx_status hxi_report_returned(const hxi_finding *f, const char *reason)
{
    char words[HX_SENTENCE];
    hxi_text text = {words, sizeof words, 0};
    char value[HX_VALUE_TEXT];
    int point[HX_MAX_AXES];
    for (int a = 0; a < HX_MAX_AXES; ++a) {
        point[a] = f->patch->lo[a] + f->first.at[a];
    }
    add_component(f, &text);
    hxi_text_add(&text, "field %s (line %d) is %s at %s ", f->rows->field->name, f->rows->field->line,
                 hxi_value_text(f->rows->field, f->first.is, value),
                 f->patch->owned ? "the rewritten point" : "ghost point");
    add_point(&text, f->spec, point);
    if (!f->spec->list) {
        hxi_text_add(&text, " of block %d", f->mine->block[f->rows->block].number);
    }
    hxi_text_add(&text, ", and must be %s, %s", hxi_value_text(f->rows->field, f->first.wanted, value),
                 reason);
    add_between(f, &text);
    return fail_at_finish(f, words);
}
