#include "check/grid.h"

const check_grid *hxi_check_grid_of(const check_run *r)
{
    return r->program->tiles  ? &hxi_check_tile_grid
           : r->program->fold ? &hxi_check_fold_grid
                              : &hxi_check_boxes;
}

/* ---- blocks without an owner --------------------------------------------------------------------------- */

bool hxi_check_lacks_owner(const check_run *r, int tile, int block)
{
    hx_part part;
    bool lacks = false;
    hxi_check_must(hx_part_of(&r->grid[tile], tile, block, &part));
    for (int l = 0; l < r->lands; ++l) {
        bool same = r->land[l].tile == tile;
        for (int a = 0; a < r->spec->axes; ++a) {
            same = same && r->land[l].index[a] == part.index[a];
        }
        lacks = lacks || same;
    }
    return lacks;
}

/* Would a block without an owner feed a point, whose owned point lies at a place? */
static bool is_of_land(const check_run *r, const check_spot *spot, const check_place *at)
{
    bool found = false;
    for (int l = 0; l < r->lands && !found; ++l) {
        int owner[HX_MAX_AXES];
        found = hxi_check_grid_of(r)->owner_index(r, &r->land[l], spot, at, owner);
    }
    return found;
}

/* Where the kept point across a fold has no owner, a point stands for itself. */
static bool find(const check_run *r, const check_spot *spot, check_place *found, bool *land)
{
    const check_grid *grid = hxi_check_grid_of(r);
    const bool any = grid->find(r, spot, found);
    *land = any && is_of_land(r, spot, found);
    check_place unturned;
    if (*land && found->turned && grid->find_unturned && grid->find_unturned(r, spot, &unturned)) {
        *found = unturned;
        *land = is_of_land(r, spot, found);
    }
    return any;
}

bool hxi_check_find(const check_run *r, const check_spot *spot, check_place *found)
{
    bool land;
    return find(r, spot, found, &land) && !land;
}

bool hxi_check_is_land(const check_run *r, const check_spot *spot)
{
    bool land;
    check_place at;
    return find(r, spot, &at, &land) && land;
}

/* ---- what points hold ---------------------------------------------------------------------------------- */

bool hxi_check_rewrites(const check_run *r, const check_step *step)
{
    const hx_check_fold *fold = r->program->fold;
    if (!fold || !step->item) {
        return false;
    }
    int direction[HX_MAX_AXES] = {0};
    direction[fold->across] = fold->side;
    const int *width = fold->side > 0 ? step->item->width_hi : step->item->width_lo;
    return width[fold->across] > 0 && hxi_check_in_stencil(step->says, r->spec->axes, direction);
}

uint64_t hxi_check_value_at(const check_run *r, const check_place *place, int component)
{
    return hxi_check_mix(place->field + r->spec->fields * place->tile, place->index, r->spec->axes,
                         component);
}

check_value hxi_check_expected(const check_run *r, const check_step *step, const check_spot *spot,
                               int component)
{
    const check_value untouched = {.bits = HX_CHECK_UNTOUCHED};
    const bool ghost = spot->sides > 0;
    check_place at;
    if ((ghost && !(step->item && hxi_check_claims(r, step, spot))) ||
        !hxi_check_comes_from(r, spot, component) || !hxi_check_find(r, spot, &at) ||
        (!ghost && at.turned && !hxi_check_rewrites(r, step))) {
        return untouched;
    }
    return (check_value){.bits = hxi_check_value_at(r, &at, component),
                         .opposite = at.opposite,
                         .wire = step->item && (ghost || at.turned) ? step->item->wire : HX_WIRE_NOT};
}

int hxi_check_blocks_of(const check_run *r, int tile)
{
    int blocks = 1;
    for (int a = 0; a < r->spec->axes; ++a) {
        blocks *= r->grid[tile].ranks[a];
    }
    return blocks;
}
