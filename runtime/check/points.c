#include "check/points.h"

#include "check/behind.h"

#include <string.h>

check_step hxi_check_step_of(const check_run *r, int exchange, int field)
{
    check_step step = {.exchange = &r->spec->exchange[exchange], .says = &r->program->exchange[exchange]};
    for (int i = 0; i < step.exchange->fields; ++i) {
        if (step.exchange->field[i].field == field) {
            step.item = &step.exchange->field[i];
        }
    }
    return step;
}

/* ---- fields -------------------------------------------------------------------------------------------- */

int hxi_check_first(const check_run *r, int field, int axis)
{
    static const int first[] = {
        [HX_CHECK_CENTER] = 1, [HX_CHECK_LOW] = 0, [HX_CHECK_HIGH] = 2, [HX_CHECK_BOTH] = 0};
    return first[r->program->field[field].at[axis]];
}

/* ---- points -------------------------------------------------------------------------------------------- */

/* Sets the index along an axis. */
static void move_to(const check_run *r, check_spot *spot, int axis, int point)
{
    const int side = (point >= hxi_check_owned(r, spot->part, spot->field, axis)) - (point < 0);
    spot->sides += (side != 0) - (spot->side[axis] != 0);
    spot->side[axis] = side;
    spot->point[axis] = point;
}

check_spot hxi_check_spot_at(const check_run *r, const hx_part *part, int field, const int point[])
{
    check_spot spot = {.part = part, .field = field};
    for (int a = 0; a < r->spec->axes; ++a) {
        move_to(r, &spot, a, point[a]);
    }
    return spot;
}

check_spot hxi_check_first_spot(const check_run *r, const hx_part *part, int field)
{
    int first[HX_MAX_AXES];
    for (int a = 0; a < r->spec->axes; ++a) {
        first[a] = -r->spec->field[field].halo_lo[a];
    }
    check_spot spot = hxi_check_spot_at(r, part, field, first);
    if (!hxi_check_has_place(r, &spot)) {
        hxi_check_next_spot(r, &spot);
    }
    return spot;
}

/* The next point of the box of owned points and their halo; false behind the last. */
static bool next_of_box(const check_run *r, check_spot *spot)
{
    const hx_field *f = &r->spec->field[spot->field];
    for (int a = r->spec->axes - 1; a >= 0; --a) {
        const int next = spot->point[a] + 1;
        if (next < hxi_check_owned(r, spot->part, spot->field, a) + f->halo_hi[a]) {
            move_to(r, spot, a, next);
            return true;
        }
        move_to(r, spot, a, -f->halo_lo[a]);
    }
    return false;
}

bool hxi_check_next_spot(const check_run *r, check_spot *spot)
{
    bool found = next_of_box(r, spot);
    while (found && !hxi_check_has_place(r, spot)) {
        found = next_of_box(r, spot);
    }
    return found;
}

ptrdiff_t hxi_check_index(const check_run *r, const check_block *b, const check_spot *spot, int component)
{
    if (spot->sides > 0 && r->spec->field[spot->field].behind) {
        return hxi_check_index_behind(r, b, spot) + component;
    }
    return r->program->index_of(b->shape, spot->field, spot->point, component);
}

void *hxi_check_element(const check_run *r, const check_block *b, const check_spot *spot, int component)
{
    const ptrdiff_t size = (ptrdiff_t)r->type[spot->field].size;
    return (unsigned char *)b->array[spot->field] + hxi_check_index(r, b, spot, component) * size;
}

/* ---- what an exchange claims --------------------------------------------------------------------------- */

bool hxi_check_within_width(const check_run *r, const check_step *step, const check_spot *spot)
{
    for (int a = 0; a < r->spec->axes; ++a) {
        const int points = hxi_check_owned(r, spot->part, spot->field, a);
        if (spot->point[a] < -step->item->width_lo[a] || spot->point[a] >= points + step->item->width_hi[a]) {
            return false;
        }
    }
    return true;
}

int hxi_check_directions(const char *directions, int axes)
{
    return (int)(strlen(directions) + 1) / (axes + 1);
}

static bool is_listed(const hx_check_exchange *says, int axes, const int direction[])
{
    for (int d = 0; d < hxi_check_directions(says->directions, axes); ++d) {
        int a = 0;
        while (a < axes && hxi_check_leads(says->directions, axes, d, a) == direction[a]) {
            ++a;
        }
        if (a == axes) {
            return true;
        }
    }
    return false;
}

bool hxi_check_in_stencil(const hx_check_exchange *says, int axes, const int direction[])
{
    int sides = 0;
    for (int a = 0; a < axes; ++a) {
        sides += direction[a] != 0;
    }
    switch (says->stencil) {
    case HX_CHECK_STAR:
        return sides < 2;
    case HX_CHECK_LIST:
        return is_listed(says, axes, direction);
    case HX_CHECK_BOX:
        break;
    }
    return true;
}

bool hxi_check_claims(const check_run *r, const check_step *step, const check_spot *spot)
{
    return hxi_check_within_width(r, step, spot) &&
           hxi_check_in_stencil(step->says, r->spec->axes, spot->side);
}

bool hxi_check_comes_from(const check_run *r, const check_spot *spot, int component)
{
    const char *directions = r->program->field[spot->field].directions;
    const int axes = r->spec->axes;
    for (int a = 0; a < axes && directions; ++a) {
        if (spot->side[a] != 0 && hxi_check_leads(directions, axes, component, a) != -spot->side[a]) {
            return false;
        }
    }
    return true;
}
