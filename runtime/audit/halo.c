#include "audit/halo.h"

/* Do programs count on zeros there? */
static bool is_sent_back(const hx_spec *spec, int field)
{
    bool found = false;
    for (int e = 0; e < spec->exchanges; ++e) {
        const hx_exchange *x = &spec->exchange[e];
        for (int i = 0; i < x->fields; ++i) {
            found = found || (x->field[i].field == field && HX_RETURNS(x->operation));
        }
    }
    return found;
}

/* The ghost points in one direction; its number has a digit of three for each axis. */
static bool box_in(const hx_spec *spec, const hxi_block *block, int direction, hxi_patch *patch)
{
    const hx_field *f = &spec->field[patch->field];
    bool some = true;
    for (int a = 0; a < spec->axes; ++a, direction /= 3) {
        const int points = block->cells[a] + spec->positions[f->positions].extra[a];
        const int side = direction % 3;
        patch->lo[a] = side == 0 ? -f->halo_lo[a] : side == 1 ? 0 : points;
        patch->n[a] = side == 0 ? f->halo_lo[a] : side == 1 ? points : f->halo_hi[a];
        some = some && patch->n[a] > 0;
    }
    return some;
}

void hxi_halo_poison(const hx_spec *spec, const hxi_block_list *mine, int block, int field, void *array)
{
    const hx_field *f = &spec->field[field];
    const bool apart = f->components > 0 && f->components_after > 0;
    int directions = 1;
    if (spec->list || f->behind || f->on_device || is_sent_back(spec, field)) {
        return;
    }
    for (int a = 0; a < spec->axes; ++a) {
        directions *= 3;
    }
    for (int d = 0; d < directions; ++d) {
        hxi_patch patch = {.block = block, .field = field, .n = {1, 1, 1, 1}};
        const bool ghosts = d != directions / 2 && box_in(spec, &mine->block[block], d, &patch);
        for (int c = 0; ghosts && c < (apart ? f->components : 1); ++c) {
            patch.component = apart ? c : -1;
            const hxi_rows rows = hxi_rows_filled(spec, mine, &patch);
            hxi_rows_poison(&rows, array);
        }
    }
}
