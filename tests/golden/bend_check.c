/*
 * bend_check: does every exchange of bend.lua fill the points that it should, and no other?
 *
 * Emitted by halogen 0.1.0 from bend.lua, model 95cebea964b816d3.  This file belongs to whoever wrote the spec.
 *
 * Build it with bend.c, libhx_check and libhx.  Run it where the application is to run:
 *
 *     mpirun -n 4 ./bend_check [CELLS...]
 *
 * CELLS are these extents of the tiles of one grid to try, in this order; several grids are tried if none are given.  Sides
 * that run along each other have one extent, named by the first:
 *     x of tile 0 (inlet)
 *     y of tile 0 (inlet)
 *     y of tile 1 (bend)
 *     y of tile 2 (fork)
 *
 * <hx/check.h> says what is looked at.  Ends with 0 if all is as it must be, 1 if not, and 2 where CELLS are wrong.
 */
#include "bend.h"

#include <hx/check.h>

HX_REQUIRE_ABI(23);

/* ---- what bend.lua says ---- */

static const hx_check_field field_table[BEND_FIELDS] = {
    [BEND_P] = {.kind = HX_CHECK_FLOAT},
};

static const hx_check_exchange exchange_table[BEND_EXCHANGES] = {
    [BEND_PRESSURE] = {.stencil = HX_CHECK_BOX},
};

/* Who lies beyond each end of each axis of each tile. */
static const hx_check_side side_table[3][HX_MAX_AXES][2] = {
    {{{-1, {0}}, {1, {-2, 1}}}, {{-1, {0}}, {-1, {0}}}},
    {{{-1, {0}}, {-1, {0}}}, {{0, {2, -1}}, {2, {1, 2}}}},
    {{{-1, {0}}, {-1, {0}}}, {{1, {1, 2}}, {-1, {0}}}},
};

/* Sides of the same number run along each other. */
static const int extent_table[3][HX_MAX_AXES] = {
    {0, 1},
    {1, 2},
    {1, 3},
};

static const hx_check_tiles tile_table = {.extents = 4, .extent = extent_table, .side = side_table};

/* ---- calls of bend.h ---- */

static ptrdiff_t call_index(const void *shape, int field, const int point[], int c)
{
    (void)c; /* no field has components */
    return field == BEND_P ? bend_p_at(shape, point[0], point[1])
                           : 0;
}

static hx_status call_exchange(hx_handle *handle, int exchange, const void *f, hx_stream stream)
{
    (void)stream; /* no field lies on a device */
    return exchange == BEND_PRESSURE ? bend_pressure((bend *)handle, f)
                                     : HX_ERR_ARGUMENT;
}

int main(int argc, char **argv)
{
    static const hx_check_program program = {
        .spec = &bend_spec,
        .model = BEND_ASKS_FOR_MODEL,
        .field = field_table,
        .exchange = exchange_table,
        .tiles = &tile_table,
        .index_of = call_index,
        .run = call_exchange,
    };
    return hx_check_main(argc, argv, &program);
}
