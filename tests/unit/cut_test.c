/*
 * Cutting, against an oracle that follows each ghost point on its own.
 *
 * Grids: a periodic one, cut anyhow, with halos deeper than blocks and tiles; and two tiles joined by a
 * quarter turn, where points beyond the right side of tile 0 lie in tile 1 above its bottom, turned: x of
 * tile 1 runs against y of tile 0, and y of tile 1 along x of tile 0.
 */
#include "base/memory.h"
#include "grid/cut.h"
#include "grid/neighbors.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { AXES = 2, TILES = 2, WIDTH = 5 };

typedef struct grid {
    hx_spec spec;
    hx_positions positions;
    hx_tile_link link[8];
    hx_field field;
    hx_exchange_field item;
    hx_exchange exchange;
    int cuts[TILES][AXES][6];
    hx_partition partition[TILES];
    hxi_layout layout;
    int turned;
} grid;

static const signed char around[8][HX_MAX_AXES] = {{-1, -1}, {-1, 0}, {-1, 1}, {0, -1},
                                                   {0, 1},   {1, -1}, {1, 0},  {1, 1}};

/* A point somewhere: in a tile, by its index there. */
typedef struct point {
    int tile;
    int at[AXES];
} point;

static unsigned seed;

static int draw(int lo, int hi)
{
    seed = seed * 1103515245U + 12345U;
    return lo + (int)(seed >> 8 & 0xffff) % (hi - lo);
}

static void cut_anyhow(grid *g, int tile, int axis, int cells)
{
    hx_partition *p = &g->partition[tile];
    p->axes = AXES;
    p->cells[axis] = cells;
    p->ranks[axis] = draw(1, (cells < 4 ? cells : 4) + 1);
    int *cuts = g->cuts[tile][axis];
    for (int i = 1; i <= p->ranks[axis]; ++i) {
        const int left = p->ranks[axis] - i;
        cuts[i] = left == 0 ? cells : draw(cuts[i - 1] + 1, cells - left + 1);
    }
    p->cuts[axis] = cuts;
}

static void make_periodic(grid *g)
{
    for (int d = 0; d < 8; ++d) {
        hx_tile_link *link = &g->link[g->positions.links++];
        link->component = -1;
        link->sign = 1;
        memcpy(link->direction, around[d], HX_MAX_AXES);
        for (int a = 0; a < AXES; ++a) {
            link->map[a] = (hx_axis_map){(signed char)a, 1, (signed char)-around[d][a], 0, 0};
        }
    }
}

static void make_quarter_turn(grid *g)
{
    const int last =
        g->positions.extra[0] ? 0 : -1; /* a reflected index: n - i on faces, n - 1 - i at centers */
    g->link[0] = (hx_tile_link){.tile = 0,
                                .source = 1,
                                .direction = {1, 0},
                                .component = -1,
                                .sign = 1,
                                .map = {{1, -1, 0, 1, last}, {0, 1, -1, 0, 0}}};
    g->link[1] = (hx_tile_link){.tile = 1,
                                .source = 0,
                                .direction = {0, -1},
                                .component = -1,
                                .sign = 1,
                                .map = {{1, 1, 0, 1, 0}, {0, -1, 1, 0, last}}};
    g->positions.links = 2;
}

static void make_grid(grid *g, int turned, int extra)
{
    memset(g, 0, sizeof *g);
    g->turned = turned;
    g->positions.extra[0] = g->positions.extra[1] = extra;
    g->positions.link = g->link;
    const int nx = turned ? draw(WIDTH, 9) : draw(1, 9);
    const int ny = turned ? draw(WIDTH, 9) : draw(1, 9);
    cut_anyhow(g, 0, 0, nx);
    cut_anyhow(g, 0, 1, ny);
    cut_anyhow(g, 1, 0, ny); /* what the turn joins is equally long */
    cut_anyhow(g, 1, 1, turned ? draw(WIDTH, 9) : 1);
    if (turned) {
        make_quarter_turn(g);
    } else {
        make_periodic(g);
    }
    g->field = (hx_field){.name = "f", .type = "double", .size = 8, .alignment = 8, .order = {0, 1, 2, 3}};
    g->item = (hx_exchange_field){.width_lo = {draw(0, WIDTH), draw(0, WIDTH)},
                                  .width_hi = {draw(0, WIDTH), draw(0, WIDTH)}};
    g->exchange = (hx_exchange){
        .name = "all", .line = 1, .field = &g->item, .fields = 1, .direction = around, .directions = 8};
    g->spec = (hx_spec){.abi = HX_ABI,
                        .name = "grid",
                        .file = "grid.lua",
                        .axes = AXES,
                        .axis = {"x", "y"},
                        .decomposed = {1, 1},
                        .tiles = turned ? 2 : 1,
                        .positions = &g->positions,
                        .position_classes = 1,
                        .field = &g->field,
                        .fields = 1,
                        .exchange = &g->exchange,
                        .exchanges = 1};
    int blocks = g->partition[0].ranks[0] * g->partition[0].ranks[1];
    blocks += turned ? g->partition[1].ranks[0] * g->partition[1].ranks[1] : 0;
    const hx_blocks given = {MPI_COMM_NULL, g->spec.tiles, g->partition, NULL, NULL, 1, NULL};
    assert_int_equal(hxi_layout_make(&g->spec, &given, blocks, &g->layout), HX_OK);
}

/* Where a point beyond a tile really is; 0 if nowhere. */
static int locate(const grid *g, point *p)
{
    const int extra = g->positions.extra[0];
    for (int hop = 0; hop < 4 * WIDTH; ++hop) {
        const int *n = g->partition[p->tile].cells;
        int side[AXES];
        for (int a = 0; a < AXES; ++a) {
            side[a] = p->at[a] < 0 ? -1 : p->at[a] >= n[a] + extra;
        }
        if (side[0] == 0 && side[1] == 0) {
            return 1;
        }
        if (!g->turned) {
            p->at[0] -= side[0] * n[0];
            p->at[1] -= side[1] * n[1];
        } else if (p->tile == 0 && side[0] == 1 && side[1] == 0) {
            *p = (point){1, {g->partition[1].cells[0] - 1 + extra - p->at[1], p->at[0] - n[0]}};
        } else if (p->tile == 1 && side[0] == 0 && side[1] == -1) {
            *p = (point){0, {g->partition[0].cells[0] + p->at[1], n[0] - 1 + extra - p->at[0]}};
        } else {
            return 0;
        }
    }
    return 0;
}

/* One axis of a source: where it starts for the whole ghost box, and how far along it a point is. */
typedef struct line {
    int start; /* source index that feeds the first layer of the box */
    int turn;
    int layer;  /* of the point, from 0 */
    int layers; /* of the box */
    int along;  /* not the direction of the ghost box */
} line;

/* The cell that owns a point: that of which it is the center or low face, or what replaces it. */
static int owning_cell(const grid *g, int tile, int axis, const line *l)
{
    if (g->positions.extra[axis] && l->along) {
        /*
         * With the cell of the box that it is the low face of, as the destination sees it; the last with the
         * last.
         */
        const int cell = l->layer < l->layers - 1 ? l->layer : l->layers - 2;
        const int low = l->start + l->turn * cell;
        const int high = low + l->turn;
        return low < high ? low : high;
    }
    const int at = l->start + l->turn * l->layer;
    return at == g->partition[tile].cells[axis] ? at - 1 : at;
}

static void check_owner(const grid *g, const hxi_piece *piece, int axis, const line *l)
{
    int index[HX_MAX_AXES];
    hxi_layout_index(&g->layout, piece->source_tile, piece->source_block, index);
    const int *cuts = g->cuts[piece->source_tile][axis];
    const int cell = owning_cell(g, piece->source_tile, axis, l);
    assert_true(cuts[index[axis]] <= cell && cell < cuts[index[axis] + 1]);
}

/* All points of a ghost box: in one piece if they have a source, in none if not. */
static void check_ghost(const grid *g, const hxi_ghost *ghost, const hxi_pieces *pieces)
{
    int index[HX_MAX_AXES];
    hxi_layout_index(&g->layout, ghost->tile, ghost->block, index);
    int first[AXES];
    int lo[AXES];
    int hi[AXES];
    for (int a = 0; a < AXES; ++a) {
        first[a] = g->cuts[ghost->tile][a][index[a]];
        const int points = g->cuts[ghost->tile][a][index[a] + 1] - first[a] + g->positions.extra[a];
        lo[a] = ghost->direction[a] < 0 ? -ghost->width_lo[a] : ghost->direction[a] > 0 ? points : 0;
        hi[a] = ghost->direction[a] < 0 ? 0 : ghost->direction[a] > 0 ? points + ghost->width_hi[a] : points;
    }
    for (int x = lo[0]; x < hi[0]; ++x) {
        for (int y = lo[1]; y < hi[1]; ++y) {
            point source = {ghost->tile, {first[0] + x, first[1] + y}};
            const int exists = locate(g, &source);
            int found = 0;
            for (int i = 0; i < pieces->count; ++i) {
                const hxi_piece *p = &pieces->piece[i];
                if (x < p->to.lo[0] || x >= p->to.hi[0] || y < p->to.lo[1] || y >= p->to.hi[1]) {
                    continue;
                }
                ++found;
                assert_int_equal(p->source_tile, source.tile);
                const int layer[] = {x - lo[0], y - lo[1]};
                int from[HX_MAX_AXES];
                hxi_layout_index(&g->layout, p->source_tile, p->source_block, from);
                for (int a = 0; a < AXES; ++a) {
                    const int d = p->axis[a];
                    const int corner = g->cuts[p->source_tile][a][from[a]] + p->source_first[a];
                    const line l = {corner - p->turn[a] * (p->to.lo[d] - lo[d]), p->turn[a], layer[d],
                                    hi[d] - lo[d], ghost->direction[d] == 0};
                    assert_int_equal(l.start + l.turn * l.layer, source.at[a]);
                    check_owner(g, p, a, &l);
                }
            }
            assert_int_equal(found, exists);
        }
    }
}

static int tile_of_rank(const grid *g, int rank, int *block)
{
    const int tile = g->spec.tiles > 1 && rank >= g->layout.tile[1].first_block;
    *block = rank - g->layout.tile[tile].first_block;
    return tile;
}

/* Every block that feeds another finds it among its neighbors. */
static void check_neighbors(const grid *g, int rank, const unsigned char *feeds)
{
    int block = 0;
    const int tile = tile_of_rank(g, rank, &block);
    hxi_block mine = {.tile = tile, .number = block, .cells = {1, 1, 1, 1}};
    int sorted = 0;
    int index[HX_MAX_AXES];
    hxi_layout_index(&g->layout, tile, block, index);
    for (int a = 0; a < AXES; ++a) {
        mine.cells[a] = g->cuts[tile][a][index[a] + 1] - g->cuts[tile][a][index[a]];
    }
    const hxi_block_list list = {&mine, 1, &sorted, NULL, NULL};
    hxi_neighbors found;
    assert_int_equal(hxi_neighbors_find(&g->spec, &g->layout, &list, WIDTH, &found), HX_OK);
    for (int other = 0; other < g->layout.blocks; ++other) {
        int present = 0;
        for (int i = 0; i < found.count; ++i) {
            present += g->layout.tile[found.neighbor[i].tile].first_block + found.neighbor[i].block == other;
        }
        assert_true(present <= 1);
        assert_true(present || other == rank || !feeds[rank * g->layout.blocks + other]);
    }
    hxi_memory_free(found.neighbor);
}

static void check_grids(int turned, int extra)
{
    for (int round = 0; round < 150; ++round) {
        grid g;
        make_grid(&g, turned, extra);
        hxi_pieces pieces = {0};
        unsigned char feeds[32 * 32] = {0}; /* [source][destination] */
        assert_true(g.layout.blocks <= 32);
        for (int rank = 0; rank < g.layout.blocks; ++rank) {
            int block = 0;
            const int tile = tile_of_rank(&g, rank, &block);
            for (int d = 0; d < 8; ++d) {
                const hxi_ghost ghost = {tile, block, 0, g.item.width_lo, g.item.width_hi, around[d]};
                assert_int_equal(hxi_cut(&g.spec, &g.layout, &ghost, &pieces), HX_OK);
                check_ghost(&g, &ghost, &pieces);
                for (int i = 0; i < pieces.count; ++i) {
                    const int source = hxi_layout_owner(&g.layout, pieces.piece[i].source_tile,
                                                        pieces.piece[i].source_block);
                    feeds[source * g.layout.blocks + rank] = 1;
                }
            }
        }
        for (int rank = 0; rank < g.layout.blocks; ++rank) {
            check_neighbors(&g, rank, feeds);
        }
        hxi_memory_free(pieces.piece);
        hxi_layout_free(&g.layout);
    }
}

static void a_periodic_grid_of_centers(void **state)
{
    (void)state;
    check_grids(0, 0);
}

static void a_periodic_grid_of_faces(void **state)
{
    (void)state;
    check_grids(0, 1);
}

static void a_quarter_turn_of_centers(void **state)
{
    (void)state;
    check_grids(1, 0);
}

static void a_quarter_turn_of_faces(void **state)
{
    (void)state;
    check_grids(1, 1);
}

static void links_that_lead_nowhere_are_refused(void **state)
{
    (void)state;
    grid g;
    make_grid(&g, 0, 0);
    for (int i = 0; i < g.positions.links; ++i) {
        for (int a = 0; a < AXES; ++a) {
            g.link[i].map[a].destination_cells = 0; /* outside stays outside */
        }
    }
    const int width[HX_MAX_AXES] = {1, 1};
    const hxi_ghost ghost = {0, 0, 0, width, width, around[0]};
    hxi_pieces pieces = {0};
    assert_int_equal(hxi_cut(&g.spec, &g.layout, &ghost, &pieces), HX_ERR_INTERNAL);
    assert_non_null(strstr(hx_last_error(), "without an end"));
    hxi_memory_free(pieces.piece);
    hxi_layout_free(&g.layout);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_periodic_grid_of_centers),          cmocka_unit_test(a_periodic_grid_of_faces),
        cmocka_unit_test(a_quarter_turn_of_centers),           cmocka_unit_test(a_quarter_turn_of_faces),
        cmocka_unit_test(links_that_lead_nowhere_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
