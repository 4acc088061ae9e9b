#include "check/grid.h"

const check_grid *hxi_check_grid_of(const check_run *r)
{
    return r->program->tiles  ? &hxi_check_tile_grid
           : r->program->fold ? &hxi_check_fold_grid
                              : &hxi_check_boxes;
}

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
        !hxi_check_comes_from(r, spot, component) || !hxi_check_grid_of(r)->find(r, spot, &at) ||
        (!ghost && at.turned && !hxi_check_rewrites(r, step))) {
        return untouched;
    }
    return (check_value){.bits = hxi_check_value_at(r, &at, component), .opposite = at.opposite};
}

int hxi_check_blocks_of(const check_run *r, int tile)
{
    int blocks = 1;
    for (int a = 0; a < r->spec->axes; ++a) {
        blocks *= r->grid[tile].ranks[a];
    }
    return blocks;
}
