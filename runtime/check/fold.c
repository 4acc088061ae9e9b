/* One tile, closed along one axis and folded across another; other ends are walls. */
#include "check/grid.h"

static int wrap(int index, int period)
{
    return (index % period + period) % period;
}

static bool is_wall(const check_run *r, int tile, int axis, int end)
{
    const hx_check_fold *fold = r->program->fold;
    (void)tile; /* there is one */
    return axis != fold->along && !(axis == fold->across && end == (fold->side > 0));
}

/* Twice the position of the line across the fold, in cells. */
static int line_of(const check_run *r)
{
    const hx_check_fold *fold = r->program->fold;
    return fold->side > 0 ? 2 * r->grid[0].cells[fold->across] - fold->inset : fold->inset;
}

/* Does an exchange reach across the fold by some direction? */
static bool reaches_across(const check_run *r, int exchange, const hx_exchange_field *item)
{
    const hx_check_fold *fold = r->program->fold;
    const hx_check_exchange *says = &r->program->exchange[exchange];
    const int *width = fold->side > 0 ? item->width_hi : item->width_lo;
    int direction[HX_MAX_AXES] = {0};
    direction[fold->across] = fold->side;
    bool found = width[fold->across] > 0 && hxi_check_in_stencil(says, r->spec->axes, direction);
    const int directions = says->directions ? hxi_check_directions(says->directions, r->spec->axes) : 0;
    for (int d = 0; d < directions && width[fold->across] > 0; ++d) {
        const int leads = hxi_check_leads(says->directions, r->spec->axes, d, fold->across);
        found = found || leads == fold->side;
    }
    return found || r->spec->exchange[exchange].shared;
}

/* A field that no exchange takes across the fold keeps all its points. */
static bool is_folded(const check_run *r, int field)
{
    bool found = false;
    for (int e = 0; e < r->spec->exchanges; ++e) {
        for (int i = 0; i < r->spec->exchange[e].fields; ++i) {
            const hx_exchange_field *item = &r->spec->exchange[e].field[i];
            found = found || (item->field == field && reaches_across(r, e, item));
        }
    }
    return found;
}

/* Does the turn reverse the values of a field: of a component along one of its axes, unless it has no sign? */
static bool is_reversed(const check_run *r, int field)
{
    const hx_check_fold *fold = r->program->fold;
    const int *vector = r->spec->field[field].vector;
    return vector && r->program->field[field].vector != HX_CHECK_UNSIGNED &&
           (vector[fold->along] == field || vector[fold->across] == field);
}

/*
 * Of all points that lie at a place one is kept: before the line, and on it from the first pivot to the
 * second. Goes to that one.
 */
static void turn(const check_run *r, check_place *at)
{
    const hx_check_fold *fold = r->program->fold;
    const int cells = r->grid[0].cells[fold->along], line = line_of(r);
    const int first_along = hxi_check_first(r, at->field, fold->along);
    const int first_across = hxi_check_first(r, at->field, fold->across);
    int along = wrap(first_along + 2 * at->index[fold->along], 2 * cells);
    int across = first_across + 2 * at->index[fold->across];
    const int behind = fold->side * (across - line);
    const bool lies_double = behind > 0 || (behind == 0 && wrap(along - fold->pivot, 2 * cells) > cells);
    at->turned = lies_double && is_folded(r, at->field);
    if (at->turned) {
        along = 2 * fold->pivot - along;
        across = 2 * line - across;
        at->opposite ^= is_reversed(r, at->field);
    }
    at->index[fold->along] = wrap(along - first_along, 2 * cells) / 2;
    at->index[fold->across] = (across - first_across) / 2;
}

static bool find_beside(const check_run *r, const check_spot *spot, const int at[], check_place *found)
{
    *found = (check_place){.field = spot->field};
    for (int a = 0; a < r->spec->axes; ++a) {
        found->index[a] = at[a];
    }
    turn(r, found);
    return true;
}

static bool find_unturned(const check_run *r, const check_spot *spot, check_place *found)
{
    const hx_check_fold *fold = r->program->fold;
    bool inside = true;
    *found = (check_place){.field = spot->field};
    for (int a = 0; a < r->spec->axes; ++a) {
        const int at = spot->part->first[a] + spot->point[a];
        found->index[a] = a == fold->along ? wrap(at, r->grid[0].cells[a]) : at;
        inside = inside && found->index[a] >= 0 && found->index[a] < hxi_check_points(r, 0, spot->field, a);
    }
    return inside;
}

static bool find(const check_run *r, const check_spot *spot, check_place *found)
{
    int at[HX_MAX_AXES];
    for (int a = 0; a < r->spec->axes; ++a) {
        at[a] = spot->part->first[a] + spot->point[a];
        if ((at[a] < 0 && is_wall(r, 0, a, 0)) ||
            (at[a] >= hxi_check_points(r, 0, spot->field, a) && is_wall(r, 0, a, 1))) {
            return false;
        }
    }
    return find_beside(r, spot, at, found);
}

static int see_across(const check_run *r, const check_place *here, int axis, int end, check_place *there)
{
    const hx_check_fold *fold = r->program->fold;
    const int cells = r->grid[0].cells[axis];
    *there = *here;
    if (axis == fold->across && end == (fold->side > 0)) {
        const int along =
            fold->pivot - hxi_check_first(r, here->field, fold->along) - here->index[fold->along];
        int *across = &there->index[fold->across];
        there->index[fold->along] = wrap(along, r->grid[0].cells[fold->along]);
        *across = line_of(r) - hxi_check_first(r, here->field, fold->across) - *across;
        there->opposite ^= is_reversed(r, here->field);
        return *across >= 0 && *across < hxi_check_points(r, 0, here->field, axis) ? 2 : 0;
    }
    there->index[axis] = end ? 0 : cells;
    return axis == fold->along && hxi_check_faces(r, here->field, axis) && here->index[axis] == end * cells;
}

static bool owner_index(const check_run *r, const hx_part *mine, const check_spot *spot,
                        const check_place *at, int owner[])
{
    bool inside = true;
    (void)spot;
    for (int a = 0; a < r->spec->axes; ++a) {
        owner[a] = at->index[a] - mine->first[a];
        inside = inside && owner[a] >= 0 && owner[a] < mine->n[a];
    }
    return inside;
}

static bool is_kept(const check_run *r, const check_place *place)
{
    check_place at = *place;
    turn(r, &at);
    return !at.turned;
}

const check_grid hxi_check_fold_grid = {
    .is_wall = is_wall,
    .find = find,
    .find_beside = find_beside,
    .find_unturned = find_unturned,
    .see_across = see_across,
    .owner_index = owner_index,
    .is_kept = is_kept,
};
