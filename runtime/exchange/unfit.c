#include "exchange/unfit.h"

#include "audit/value.h"
#include "base/status.h"
#include "base/text.h"
#include "pack/unfit.h"

#include <inttypes.h>
#include <string.h>

static const int64_t greatest[] = {
    [HX_WIRE_INT8] = INT8_MAX, [HX_WIRE_INT16] = INT16_MAX, [HX_WIRE_INT32] = INT32_MAX};

/* ---- while kernels run --------------------------------------------------------------------------------- */

static void note(hxi_plan *plan, uintptr_t number, const void *value)
{
    for (int s = 0; number && !plan->unfit.found && s < plan->slots; ++s) {
        const size_t offset = number - (uintptr_t)plan->base[s];
        if (plan->base[s] && offset < plan->slot[s].bytes) {
            plan->unfit = (hxi_unfit){.found = true, .slot = s, .offset = offset};
            const int size = hxi_value_size(&plan->spec->field[plan->slot[s].field]);
            memcpy(plan->unfit.value, value, (size_t)size);
        }
    }
}

void hxi_unfit_note(hxi_plan *plan)
{
    const void *number = hxi_unfit_take();
    note(plan, (uintptr_t)number, number);
}

/* The first bytes of a word are its low ones. */
void hxi_unfit_note_device(hxi_plan *plan, uint64_t number, uint64_t value)
{
    note(plan, (uintptr_t)number, &value);
}

/* ---- the sentence -------------------------------------------------------------------------------------- */

/* What one steps along in an array: an axis, or components that lie apart. */
typedef struct step {
    ptrdiff_t stride; /* in points */
    int count;
    int *index;
} step;

/* Along the longest steps first. */
static void divide(ptrdiff_t points, step *steps, int count)
{
    for (int done = 0; done < count; ++done) {
        int longest = done;
        for (int i = done + 1; i < count; ++i) {
            longest = steps[i].stride > steps[longest].stride ? i : longest;
        }
        const step next = steps[longest];
        steps[longest] = steps[done];
        *next.index = (int)(points / next.stride);
        points -= *next.index * next.stride;
    }
}

/* Which point of its block an element is, and which component; false: one behind the owned points, in a plane. */
static bool find_point(const hxi_plan *plan, const hxi_block *block, int field, size_t element, int point[],
                       int *component)
{
    const hx_spec *spec = plan->spec;
    const hx_field *f = &spec->field[field];
    const int beside = hxi_block_elements(f);
    step steps[HX_MAX_AXES + 1];
    int count = 0;
    *component = f->components > 0 && f->components_after == 0 ? (int)(element % (size_t)beside) : -1;
    for (int a = 0; a < spec->axes; ++a) {
        const int halo = f->behind ? 0 : f->halo_lo[a] + f->halo_hi[a];
        const int points = block->cells[a] + spec->positions[f->positions].extra[a] + halo;
        point[a] = 0;
        if (points > 1) {
            steps[count++] = (step){block->stride[field * HX_MAX_AXES + a], points, &point[a]};
        }
    }
    if (f->components_after > 0 && f->components > 1) {
        steps[count++] = (step){block->apart[field], f->components, component};
    }
    divide((ptrdiff_t)(element / (size_t)beside), steps, count);
    bool within = true;
    for (int i = 0; i < count; ++i) {
        within = within && *steps[i].index < steps[i].count;
    }
    for (int a = 0; a < spec->axes; ++a) {
        point[a] -= f->behind ? 0 : f->halo_lo[a];
    }
    return within;
}

static bool is_owned(const hx_spec *spec, const hxi_block *block, const hx_field *field, const int point[])
{
    bool owned = true;
    for (int a = 0; a < spec->axes; ++a) {
        owned =
            owned && point[a] >= 0 && point[a] < block->cells[a] + spec->positions[field->positions].extra[a];
    }
    return owned;
}

static void add_place(hxi_text *text, const hx_spec *spec, const hxi_block *block, const int point[])
{
    hxi_text_add(text, "point %s", spec->axes > 1 ? "(" : "");
    for (int a = 0; a < spec->axes; ++a) {
        hxi_text_add(text, "%s%d", a > 0 ? ", " : "", point[a]);
    }
    hxi_text_add(text, "%s", spec->axes > 1 ? ")" : "");
    if (!spec->list) {
        hxi_text_add(text, " of block %d", block->number);
    }
    if (spec->tiles > 1) {
        hxi_text_add(text, " of tile %d", block->tile);
    }
}

/* Of a vector any component may feed a field; they travel alike. */
static hx_wire wire_of(const hx_exchange *exchange, int field)
{
    hx_wire wire = HX_WIRE_NOT;
    for (int i = 0; i < exchange->fields; ++i) {
        const hx_exchange_field *item = &exchange->field[i];
        if (item->field == field || (wire == HX_WIRE_NOT && item->wire >= HX_WIRE_INT8)) {
            wire = item->wire;
        }
    }
    return wire;
}

hx_status hxi_unfit_report(const hx_handle *handle, int exchange)
{
    hxi_plan *plan = &handle->plan[exchange];
    if (!plan->unfit.found) {
        return HX_OK;
    }
    plan->unfit.found = false;
    const hx_spec *spec = plan->spec;
    const hxi_slot *slot = &plan->slot[plan->unfit.slot];
    const hx_field *f = &spec->field[slot->field];
    const hxi_block *block = &handle->mine.block[slot->block];
    const hx_wire wire = wire_of(plan->exchange, slot->field);
    const int64_t most = greatest[wire];
    int point[HX_MAX_AXES];
    int component;
    const bool within = find_point(plan, block, slot->field, plan->unfit.offset / (size_t)hxi_value_size(f),
                                   point, &component);
    const bool owned = within && (spec->list || is_owned(spec, block, f, point));
    char words[HX_SENTENCE];
    char value[HX_VALUE_TEXT];
    hxi_text text = {words, sizeof words, 0};
    if (component >= 0) {
        hxi_text_add(&text, "component %d of ", component);
    }
    hxi_text_add(&text, "field %s (line %d) ", f->name, f->line);
    if (owned) {
        hxi_text_add(&text, "is %s at ", hxi_value_text(f, plan->unfit.value, value));
        add_place(&text, spec, block, point);
        hxi_text_add(&text, ", and travels as %s, from %" PRId64 " to %" PRId64 ".", hxi_wire_name(wire),
                     hxi_value_kind_of(f) == HX_VALUE_UNSIGNED ? 0 : -most, most);
    } else {
        hxi_text_add(&text, "has no number at ghost ");
        if (within) {
            add_place(&text, spec, block, point);
        } else {
            hxi_text_add(&text, "points behind those of block %d", block->number);
        }
        hxi_text_add(&text,
                     ": what feeds it is greater than %" PRId64
                     ", the most that travels; its owner tells which.",
                     most);
    }
    return hxi_fail(HX_ERR_ARGUMENT, "%s:%d: exchange \"%s\" on rank %d: %s  Give it a longer wire, or none.",
                    spec->file, plan->exchange->line, plan->exchange->name, handle->topology.rank, words);
}
