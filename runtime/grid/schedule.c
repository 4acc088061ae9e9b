#include "grid/schedule.h"

#include "base/devices.h"
#include "base/text.h"

static const char *const names[] = {
    [HX_SCHEDULE_AUTO] = "auto",
    [HX_SCHEDULE_ONE_PHASE] = "one-phase",
    [HX_SCHEDULE_BY_DIMENSION] = "by-dimension",
};

enum { NAMES = sizeof names / sizeof names[0] };

bool hxi_schedule_named(const char *name, hxi_schedule *schedule)
{
    const int number = hxi_text_find(names, NAMES, name);
    if (number >= 0) {
        *schedule = (hxi_schedule)number;
    }
    return number >= 0;
}

const char *hxi_schedule_name(hxi_schedule schedule)
{
    return names[schedule];
}

const char *hxi_schedule_names(char *text, size_t size)
{
    return hxi_text_choice(names, NAMES, text, size);
}

/* Are there blocks around along an axis, if only itself? */
static bool has_neighbors(const hx_spec *spec, const hxi_layout *layout, int axis)
{
    return spec->periodic[axis] || layout->tile[0].parts[axis] > 1;
}

static bool is_filled(const hx_exchange *exchange, int axis)
{
    for (int i = 0; i < exchange->fields; ++i) {
        if (exchange->field[i].width_lo[axis] + exchange->field[i].width_hi[axis] > 0) {
            return true;
        }
    }
    return false;
}

/* The phases of a schedule by dimension: the axes from fastest to slowest, as the first field lies. */
static hxi_schedule_choice by_dimension(const hx_spec *spec, const hx_exchange *exchange,
                                        const hxi_layout *layout)
{
    hxi_schedule_choice chosen = {.by_dimension = true};
    const int *order = spec->field[exchange->field[0].field].order;
    for (int i = 0; i < spec->axes; ++i) {
        if (has_neighbors(spec, layout, order[i]) && is_filled(exchange, order[i])) {
            chosen.axis[chosen.phases++] = order[i];
        }
    }
    return chosen;
}

/* Is some block thinner than the width along an axis where a field is stored on both faces? */
static bool hops(const hx_spec *spec, const hx_exchange *exchange, const hxi_layout *layout, int axis)
{
    const hxi_tile *tile = &layout->tile[0];
    int widest = 0;
    for (int i = 0; i < exchange->fields; ++i) {
        const hx_exchange_field *item = &exchange->field[i];
        if (spec->positions[spec->field[item->field].positions].extra[axis]) {
            widest = item->width_lo[axis] > widest ? item->width_lo[axis] : widest;
            widest = item->width_hi[axis] > widest ? item->width_hi[axis] : widest;
        }
    }
    if (!tile->cuts[axis]) {
        return tile->cells[axis] / tile->parts[axis] < widest; /* the last part is the shortest */
    }
    for (int i = 0; i < tile->parts[axis]; ++i) {
        if (hxi_tile_cut(tile, axis, i + 1) - hxi_tile_cut(tile, axis, i) < widest) {
            return true;
        }
    }
    return false;
}

/* Why an exchange cannot go by dimension; NULL if it can. */
static const char *find_obstacle(const hx_spec *spec, const hx_exchange *exchange, const hxi_layout *layout,
                                 const hxi_schedule_request *requested, const hxi_schedule_choice *chosen)
{
    if (requested->by_hand) {
        return "the application moves all messages at once";
    }
    if (hxi_device_has(spec, exchange)) {
        return "a device packs all messages at once";
    }
    if (exchange->operation != HX_COPY) {
        return "what sends ghost points back, or combines, goes at once";
    }
    if (spec->list) {
        return "points of a list lie along no axis";
    }
    if (!exchange->by_dimension || layout->tiles > 1) {
        return "its stencil, components or links do not go along axes";
    }
    if (layout->land > 0) {
        return "corners do not pass through blocks without an owner";
    }
    if (chosen->phases < 2) {
        return "there are neighbors along one axis at most";
    }
    for (int i = 0; i < chosen->phases; ++i) {
        if (hops(spec, exchange, layout, chosen->axis[i])) {
            return "a block is thinner than the halo of a field on both faces";
        }
    }
    return NULL;
}

/*
 * Within a machine an exchange by dimension was as fast or faster in 64 of the 68 rows measured
 * (docs/history/exchanges.md): along the slowest axis whole planes travel without being packed, and far fewer
 * pieces are copied.  More ranks than processors did not change that.  Between machines it would wait for the
 * network once for each axis, and most of that in finish; in one phase, start sends everything, and what the
 * application does before finish hides the network.
 */
hxi_schedule hxi_schedule_default(bool one_machine)
{
    return one_machine ? HX_SCHEDULE_BY_DIMENSION : HX_SCHEDULE_ONE_PHASE;
}

static bool wants_dimensions(const hxi_schedule_request *requested)
{
    const hxi_schedule schedule = requested->schedule == HX_SCHEDULE_AUTO
                                      ? hxi_schedule_default(requested->one_machine)
                                      : requested->schedule;
    return schedule == HX_SCHEDULE_BY_DIMENSION;
}

hxi_schedule_choice hxi_schedule_choose(const hx_spec *spec, const hx_exchange *exchange,
                                        const hxi_layout *layout, const hxi_schedule_request *requested)
{
    hxi_schedule_choice chosen = by_dimension(spec, exchange, layout);
    const char *obstacle = find_obstacle(spec, exchange, layout, requested, &chosen);
    if (obstacle || !wants_dimensions(requested)) {
        chosen = (hxi_schedule_choice){.phases = 1};
    }
    if (obstacle) {
        chosen.why = obstacle;
    } else if (requested->schedule != HX_SCHEDULE_AUTO) {
        chosen.why = requested->by;
    } else {
        chosen.why = requested->one_machine ? "all ranks are on one machine, where that is faster"
                                            : "ranks are on several machines, so start sends everything";
    }
    return chosen;
}
