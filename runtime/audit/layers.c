#include "audit/layers.h"

#include "audit/state.h"
#include "audit/value.h"
#include "base/status.h"
#include "base/text.h"

#include <limits.h>
#include <string.h>

static unsigned char *array_of(const hxi_audits *audits, const hxi_layers *what, const hxi_rows *rows)
{
    const hx_spec *spec = audits->whose.spec;
    unsigned char *array;
    memcpy(&array,
           (const char *)what->fields + (size_t)rows->block * spec->fields_size +
               spec->field[rows->number].pointer,
           sizeof array);
    return array;
}

/* The layers of a patch's field. */
static const hx_layers *layers_of(const hxi_layers *what, const hxi_audit *a, const hxi_patch *patch)
{
    int item = 0;
    while (item < a->exchange->fields - 1 && a->exchange->field[item].field != patch->field) {
        ++item;
    }
    return &what->layers[item];
}

/* From lo up to end along an axis, as far as the patch has points there. */
static hxi_patch piece(const hxi_patch *patch, int axis, int lo, int end)
{
    hxi_patch part = *patch;
    const int last = patch->lo[axis] + patch->n[axis];
    part.lo[axis] = lo < patch->lo[axis] ? patch->lo[axis] : lo > last ? last : lo;
    part.n[axis] = (end > last ? last : end) - part.lo[axis];
    part.n[axis] = part.n[axis] < 0 ? 0 : part.n[axis];
    return part;
}

static bool has_points(const hxi_audits *audits, const hxi_patch *patch)
{
    bool some = true;
    for (int a = 0; a < audits->whose.spec->axes; ++a) {
        some = some && patch->n[a] > 0;
    }
    return some;
}

/* Where the layers begin and end along an axis, in the block of a patch. */
static void range_of(const hxi_audits *audits, const hx_layers *layers, const hxi_patch *patch, int axis,
                     int range[2])
{
    const hx_spec *spec = audits->whose.spec;
    const hx_positions *positions = &spec->positions[spec->field[patch->field].positions];
    range[0] = -layers->lo[axis];
    range[1] =
        audits->whose.mine->block[patch->block].cells[axis] + positions->extra[axis] + layers->hi[axis];
}

/* ---- poison -------------------------------------------------------------------------------------------- */

static void poison(const hxi_audits *audits, const hxi_layers *what, const hxi_patch *patch)
{
    if (has_points(audits, patch)) {
        const hxi_rows rows = hxi_rows_filled(audits->whose.spec, audits->whose.mine, patch);
        hxi_rows_poison(&rows, array_of(audits, what, &rows));
    }
}

/* Slab by slab what the layers do not have. */
static void poison_beyond(const hxi_audits *audits, const hxi_layers *what, const hx_layers *layers,
                          hxi_patch rest)
{
    for (int a = 0; a < audits->whose.spec->axes; ++a) {
        int range[2];
        range_of(audits, layers, &rest, a, range);
        const hxi_patch below = piece(&rest, a, INT_MIN, range[0]);
        const hxi_patch above = piece(&rest, a, range[1], INT_MAX);
        poison(audits, what, &below);
        poison(audits, what, &above);
        rest = piece(&rest, a, range[0], range[1]);
    }
}

void hxi_layers_poison(hxi_audits *audits, const hxi_layers *what)
{
    const hxi_audit *a = &audits->audit[what->cycle->exchange];
    if (!hxi_audits_watch(audits, what->cycle->exchange) || (audits->asked & HX_AUDIT_POISON) == 0) {
        return;
    }
    for (int i = 0; i < a->filled.count; ++i) {
        const hxi_patch *patch = &a->filled.patch[i];
        if (!patch->owned && !patch->wall) {
            poison_beyond(audits, what, layers_of(what, a, patch), *patch);
        }
    }
}

/* ---- what the layers hold ------------------------------------------------------------------------------ */

/* The part of a patch that the layers have. */
static hxi_patch within(const hxi_audits *audits, const hx_layers *layers, const hxi_patch *patch)
{
    hxi_patch part = *patch;
    for (int a = 0; a < audits->whose.spec->axes; ++a) {
        int range[2];
        range_of(audits, layers, &part, a, range);
        part = piece(&part, a, range[0], range[1]);
    }
    return part;
}

static bool is_looked_at(const hxi_audits *audits, const hxi_patch *part)
{
    return !part->owned && !part->wall && has_points(audits, part);
}

static size_t bytes_of(const hxi_rows *rows)
{
    return (size_t)hxi_rows_slabs(rows) * hxi_rows_slab_bytes(rows);
}

bool hxi_layers_keep(hxi_audits *audits, const hxi_layers *what)
{
    const hxi_audit *a = &audits->audit[what->cycle->exchange];
    unsigned char *kept = a->layers;
    if (!hxi_audits_watch(audits, what->cycle->exchange) || (audits->asked & HX_AUDIT_RUNS) == 0) {
        return false;
    }
    for (int i = 0; i < a->filled.count; ++i) {
        const hxi_patch part = within(audits, layers_of(what, a, &a->filled.patch[i]), &a->filled.patch[i]);
        if (is_looked_at(audits, &part)) {
            const hxi_rows rows = hxi_rows_filled(audits->whose.spec, audits->whose.mine, &part);
            const hxi_packed to = {kept, a->scratch.slab[0], a->digest};
            hxi_rows_pack(&rows, array_of(audits, what, &rows), &to);
            kept += bytes_of(&rows);
        }
    }
    return true;
}

static hx_status tell(const hxi_audits *audits, const hxi_layers *what, const hxi_patch *part,
                      const hxi_difference *first)
{
    const hx_spec *spec = audits->whose.spec;
    const hx_field *field = &spec->field[part->field];
    char was[HX_VALUE_TEXT];
    char owner[HX_VALUE_TEXT];
    char point[HX_SENTENCE / 8] = "";
    hxi_text text = {point, sizeof point, 0};
    for (int a = 0; a < spec->axes; ++a) {
        hxi_text_add(&text, "%s%d", a == 0 ? "" : ", ", part->lo[a] + first->at[a]);
    }
    return hxi_fail(
        HX_ERR_MISMATCH,
        "%s:%d: cycle \"%s\" on rank %d begins without an exchange, and ghost point (%s) of field \"%s\" in "
        "block %d holds %s, where rank %d, which feeds it, has %s.  Some step reads farther than the spec "
        "says, writes what it does not name, or leaves out points that its NAME_points gives; or the program "
        "changed the field elsewhere, and did not restart the cycle.",
        spec->file, what->cycle->line, what->cycle->name, audits->whose.topology->rank, point, field->name,
        part->block, hxi_value_text(field, first->wanted, was), part->peer,
        hxi_value_text(field, first->is, owner));
}

hx_status hxi_layers_compare(hxi_audits *audits, const hxi_layers *what)
{
    const hxi_audit *a = &audits->audit[what->cycle->exchange];
    const unsigned char *kept = a->layers;
    for (int i = 0; i < a->filled.count; ++i) {
        const hxi_patch part = within(audits, layers_of(what, a, &a->filled.patch[i]), &a->filled.patch[i]);
        if (is_looked_at(audits, &part)) {
            hxi_difference difference = {.component = -1};
            const hxi_rows rows = hxi_rows_filled(audits->whose.spec, audits->whose.mine, &part);
            hxi_rows_compare(&rows, array_of(audits, what, &rows), kept, &difference);
            if (difference.points > 0) {
                return tell(audits, what, &part, &difference);
            }
            kept += bytes_of(&rows);
        }
    }
    return HX_OK;
}
