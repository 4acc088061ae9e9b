/*
 * What create refuses: a table of mistakes, made by all ranks or by one.  Each is said in words, on all ranks
 * alike, and leaves nothing behind: the next create and exchange work.
 */
#include "grid/cut.h"
#include "harness.h"

#include <stdint.h>
#include <string.h>

/* Everything that create takes, correct until a case changes it. */
typedef struct setting {
    example e;
    hx_part part;
    hx_partition partition;
    hx_blocks blocks;
    example_shape shape[2];
    const example_shape *shapes; /* what create is given */
    hx_options options;
} setting;

static void make_setting(setting *s)
{
    static const int cells[] = {8, 9, 10};
    memset(s, 0, sizeof *s);
    example_make(&s->e, 3, 5);
    hx_partition request = example_partition(&s->e, cells);
    expect_ok(hx_decompose(MPI_COMM_WORLD, &request, &s->part));
    s->partition = s->part.partition;
    s->blocks = (hx_blocks){MPI_COMM_WORLD, 1, &s->partition, NULL, NULL, 1, NULL};
    s->shape[0] = s->shape[1] = example_shape_of(&s->e, &s->part, 0);
    s->shapes = s->shape;
    s->options = (hx_options)HX_OPTIONS_INIT;
    s->options.deadline = 30.0;
    s->options.schedule = "one-phase"; /* each rank sends to each other one, at once */
}

static void abi(setting *s)
{
    s->e.spec.abi = HX_ABI + 1;
}

static void no_name(setting *s)
{
    s->e.spec.name = NULL;
}

static void damaged_axes(setting *s)
{
    s->e.spec.axes = 5;
}

static void damaged_order(setting *s)
{
    s->e.field[1].order[2] = s->e.field[1].order[0];
}

static void damaged_item(setting *s)
{
    s->e.item[1][0].field = 99;
}

static void damaged_width(setting *s)
{
    s->e.item[0][1].width_hi[1] = -7;
}

static void damaged_kernels(setting *s)
{
    s->e.item[1][0].kernels = NULL;
}

static void damaged_direction(setting *s)
{
    s->e.box[3][1] = 4;
}

static void damaged_rewrite(setting *s)
{
    s->e.positions.rewrites = 1;
}

static void damaged_link(setting *s)
{
    s->e.link[2].source = -3;
}

static void damaged_pointer(setting *s)
{
    s->e.spec.field = NULL;
}

static void damaged_component(setting *s)
{
    s->e.link[1].component = 1;
}

static void damaged_place(setting *s)
{
    s->e.field[0].pointer = SIZE_MAX - 3;
}

static void damaged_shape(setting *s)
{
    s->e.spec.shape_stride = SIZE_MAX - 7;
}

static void damaged_components(setting *s)
{
    s->e.field[1].components_after = 1;
}

static void damaged_count(setting *s)
{
    s->e.exchange[0].directions = 1 << 20;
}

static void damaged_fields(setting *s)
{
    s->e.spec.fields = 1 << 20;
}

/* Fields without components have none that could travel: create divides by them. */
static void damaged_picks(setting *s)
{
    static const int first = 0;
    static const hx_picks picks[] = {{1, &first}};
    s->e.item[0][0].picks = picks;
}

static void damaged_pick(setting *s)
{
    static const int seventh = 6;
    static const hx_picks picks[] = {{1, &seventh}};
    s->e.field[0].components = 1;
    s->e.item[0][0].picks = picks;
}

/* Kernels that the generator emits only where it sees a need; example.c has none of them. */
static void no_kernel_to_add(setting *s)
{
    s->e.exchange[EXAMPLE_BOTH].operation = HX_ADD;
}

static void no_kernel_to_turn(setting *s)
{
    for (int i = 0; i < s->e.positions.links; ++i) {
        s->e.link[i].sign = -1;
    }
}

static void no_kernel_for_means(setting *s)
{
    s->e.exchange[EXAMPLE_BOTH].operation = HX_MEAN;
}

static void no_kernel_for_corners(setting *s)
{
    static hx_tile_link link;
    static hx_corner_links links[EXAMPLE_FIELDS];
    static hx_corner_fill fill = {.axis = "x", .fields = EXAMPLE_FIELDS, .field = links};
    link = s->e.link[0];
    links[EXAMPLE_A] = (hx_corner_links){.links = 1, .link = &link};
    s->e.exchange[EXAMPLE_BOTH].corner_fills = 1;
    s->e.exchange[EXAMPLE_BOTH].corner_fill = &fill;
}

static void no_kernel_for_walls(setting *s)
{
    s->e.exchange[EXAMPLE_BOTH].wall[1][0] = HX_FILL_ZERO; /* the first block is at one of them, */
    s->e.exchange[EXAMPLE_BOTH].wall[1][1] = HX_FILL_ZERO; /* the last at the other */
}

/* What cutting gives the ghost boxes of this rank lacks a piece; --wrap brings libhx here. */
static int loses_pieces;

hx_status __real_hxi_cut(const hx_spec *spec, const hxi_layout *layout, const hxi_ghost *ghost,
                         hxi_pieces *pieces);
hx_status __wrap_hxi_cut(const hx_spec *spec, const hxi_layout *layout, const hxi_ghost *ghost,
                         hxi_pieces *pieces);

hx_status __wrap_hxi_cut(const hx_spec *spec, const hxi_layout *layout, const hxi_ghost *ghost,
                         hxi_pieces *pieces)
{
    const hx_status status = __real_hxi_cut(spec, layout, ghost, pieces);
    pieces->count -= loses_pieces && pieces->count > 0;
    return status;
}

static void lost_piece(setting *s)
{
    (void)s;
    loses_pieces = 1;
}

static void hash(setting *s)
{
    s->e.spec.hash += (uint64_t)(harness_rank == harness_ranks - 1);
}

static void check_option(setting *s)
{
    s->options.check = harness_rank == harness_ranks - 1;
}

static void transport_option(setting *s)
{
    s->options.transport = harness_rank == harness_ranks - 1 ? "p2p" : "persistent";
}

static void transport_of_one(setting *s)
{
    s->options.transport = harness_rank == harness_ranks - 1 ? "shared" : "auto";
}

static void unknown_transport(setting *s)
{
    s->options.transport = "pigeon";
}

static void fixed_cells(setting *s)
{
    s->e.spec.cells[1] = 79;
}

static void carried_axis(setting *s)
{
    s->partition.ranks[0] = harness_ranks + 1;
    s->e.spec.decomposed[0] = 0;
}

static void other_partition(setting *s)
{
    s->partition.cells[2] += harness_rank == harness_ranks - 1;
    s->part.partition = s->partition;
    hx_part_of(&s->partition, 0, harness_rank, &s->part);
    s->shape[0] = example_shape_of(&s->e, &s->part, 0);
}

static void too_many_blocks(setting *s)
{
    s->partition.ranks[1] = s->partition.ranks[1] * 2;
}

static void wrong_part(setting *s)
{
    s->shape[0].part.n[1] += 1;
}

static void no_such_part(setting *s)
{
    s->shape[0].part.index[2] = 99;
}

static void no_such_tile(setting *s)
{
    s->shape[0].part.tile = 1;
}

static void part_of_another(setting *s)
{
    expect_ok(hx_part_of(&s->partition, 0, (harness_rank + 1) % harness_ranks, &s->part));
    s->shape[0] = example_shape_of(&s->e, &s->part, 0);
}

static void no_shapes(setting *s)
{
    s->blocks.count = harness_rank == 0 ? 0 : 1;
}

static int one_each(void *unused, int tile, int block)
{
    (void)unused;
    (void)tile;
    return block;
}

/* Only the rank itself could know that the function gives it a block; all together miss one. */
static void no_shapes_by_function(setting *s)
{
    no_shapes(s);
    s->blocks.owner = one_each;
}

static int all_mine(void *rank, int tile, int block)
{
    return tile == 0 && block >= 0 ? *(int *)rank : -1;
}

static void no_shape_of_mine(setting *s)
{
    s->blocks.owner = all_mine;
    s->blocks.context = &harness_rank;
}

/* Rank 0 takes the last rank for its neighbor; the others know better. */
static int neighbor_is_last(void *unused, int tile, int block)
{
    (void)unused;
    return harness_rank == 0 && tile == 0 && block == 1 ? harness_ranks - 1 : block;
}

static void owners_disagree(setting *s)
{
    s->partition.ranks[0] = s->partition.ranks[2] = 1;
    s->partition.ranks[1] = harness_ranks;
    hx_part_of(&s->partition, 0, harness_rank, &s->part);
    s->shape[0] = example_shape_of(&s->e, &s->part, 0);
    s->blocks.owner = neighbor_is_last;
}

static int nobody(void *unused, int tile, int block)
{
    (void)unused;
    return block == harness_rank && tile == 0 ? block : 99;
}

static void owner_out_of_range(setting *s)
{
    s->blocks.owner = nobody;
}

static int two_each(void *unused, int tile, int block)
{
    (void)unused;
    (void)tile;
    return block / 2;
}

static void shape_twice(setting *s)
{
    too_many_blocks(s);
    s->blocks.owner = two_each;
    s->blocks.count = 2;
    expect_ok(hx_part_of(&s->partition, 0, 2 * harness_rank, &s->part));
    s->shape[0] = s->shape[1] = example_shape_of(&s->e, &s->part, 0);
}

static void shape_too_many(setting *s)
{
    s->blocks.count = 2;
}

static void more_shapes_than_blocks(setting *s)
{
    s->blocks.owner = one_each;
    s->blocks.count = harness_ranks + 1;
}

static void fast_stride(setting *s)
{
    s->shape[0].stride[0] = 2;
}

static void small_stride(setting *s)
{
    s->shape[0].stride[1] -= 1;
}

static void huge_stride(setting *s)
{
    s->shape[0].stride[2] = PTRDIFF_MAX / 16;
}

static void null_shape(setting *s)
{
    s->shapes = NULL;
}

static void empty_partition(setting *s)
{
    memset(&s->partition, 0, sizeof s->partition);
}

static void empty_part(setting *s)
{
    memset(&s->shape[0].part, 0, sizeof s->shape[0].part);
}

static void no_tiles(setting *s)
{
    s->blocks.tiles = 2;
}

static void old_options(setting *s)
{
    s->options.size = 8;
}

static const struct mistake {
    const char *text;
    void (*make)(setting *s);
    hx_status status;
    int ranks; /* it takes so many */
} mistakes[] = {
    {"ABI", abi, HX_ERR_ARGUMENT, 1},
    {"has no name or no file; link with the code that halogen emitted", no_name, HX_ERR_ARGUMENT, 1},
    {"are damaged: axes is 5.", damaged_axes, HX_ERR_ARGUMENT, 1},
    {"field[1].order does not name each axis once.", damaged_order, HX_ERR_ARGUMENT, 1},
    {"exchange[1].field[0].field is 99.", damaged_item, HX_ERR_ARGUMENT, 1},
    {"exchange[0].field[1].width_hi[1] is -7.", damaged_width, HX_ERR_ARGUMENT, 1},
    {"exchange[1].field[0].kernels is null.", damaged_kernels, HX_ERR_ARGUMENT, 1},
    {"exchange[0].direction[3][1] is 4.", damaged_direction, HX_ERR_ARGUMENT, 1},
    {"positions[0].link[2].source is -3.", damaged_link, HX_ERR_ARGUMENT, 1},
    {"positions[0].rewrite is null.", damaged_rewrite, HX_ERR_ARGUMENT, 1},
    {"positions, field or exchange is null.", damaged_pointer, HX_ERR_ARGUMENT, 1},
    {"field[0].vector has no component 1, which a link", damaged_component, HX_ERR_ARGUMENT, 1},
    {"field[0].pointer is 18446744073709551612, in a struct", damaged_place, HX_ERR_ARGUMENT, 1},
    {"shape_stride is 18446744073709551608, in a struct", damaged_shape, HX_ERR_ARGUMENT, 1},
    {"field[1].components is 0.", damaged_components, HX_ERR_ARGUMENT, 1},
    {"exchange[0].directions is 1048576.", damaged_count, HX_ERR_ARGUMENT, 1},
    {"fields is 1048576.", damaged_fields, HX_ERR_ARGUMENT, 1},
    {"exchange[0].field[0].picks[0].count is 1.", damaged_picks, HX_ERR_ARGUMENT, 1},
    {"exchange[0].field[0].picks[0].component[0] is 6.", damaged_pick, HX_ERR_ARGUMENT, 1},
    {"exchange \"both\" sends ghost points back, and has no kernel for it", no_kernel_to_add, HX_ERR_INTERNAL,
     1},
    {"exchange \"both\" combines shared points, and has no kernel for it", no_kernel_for_means,
     HX_ERR_INTERNAL, 1},
    {"exchange \"both\" fills corners, and has no kernel for it", no_kernel_for_corners, HX_ERR_INTERNAL, 1},
    {"exchange \"both\" has a link that turns, and no kernel for it", no_kernel_to_turn, HX_ERR_INTERNAL, 1},
    {"fills field a (line 3) beyond a wall, and has no kernel for it", no_kernel_for_walls, HX_ERR_INTERNAL,
     1},
    {" would be fed 0 points where it has ", lost_piece, HX_ERR_INTERNAL, 1},
    {"The ranks disagree.", hash, HX_ERR_MISMATCH, 2},
    {"option check 1", check_option, HX_ERR_MISMATCH, 2},
    {"option transport \"p2p\"", transport_option, HX_ERR_MISMATCH, 2},
    {"option transport \"shared\".  Rank 0: option transport \"auto\".", transport_of_one, HX_ERR_MISMATCH,
     2},
    {"no transport \"pigeon\"", unknown_transport, HX_ERR_ARGUMENT, 1},
    {"fixes 79 cells along axis y; the partition has 9", fixed_cells, HX_ERR_PARTITION, 1},
    {"axis x, which example.lua does not decompose", carried_axis, HX_ERR_PARTITION, 1},
    {"8 x 9 x 11 cells", other_partition, HX_ERR_MISMATCH, 2},
    {"blocks as ranks", too_many_blocks, HX_ERR_PARTITION, 1},
    {"A shape has", wrong_part, HX_ERR_PARTITION, 1},
    {"A shape is of part 99 along axis z; the partition has ", no_such_part, HX_ERR_PARTITION, 1},
    {"A shape is of tile 1; example.lua has 1 tile, numbered from 0.", no_such_tile, HX_ERR_PARTITION, 1},
    {"which belongs to rank ", part_of_another, HX_ERR_PARTITION, 2},
    {"shapes for 0 blocks and owns 1: without owners, one block a rank", no_shapes, HX_ERR_PARTITION, 1},
    {"All ranks together gave the shapes of", no_shapes_by_function, HX_ERR_PARTITION, 1},
    {"gave no shape", no_shape_of_mine, HX_ERR_PARTITION, 2},
    {"do all ranks give the same owner", owners_disagree, HX_ERR_MISMATCH, 3},
    {"to rank 99", owner_out_of_range, HX_ERR_PARTITION, 2},
    {"two shapes, numbers 0 and 1", shape_twice, HX_ERR_PARTITION, 1},
    {"shapes for 2 blocks and owns 1: without owners, one block a rank", shape_too_many, HX_ERR_PARTITION, 1},
    {"Each rank gives the shapes of the blocks it owns", more_shapes_than_blocks, HX_ERR_PARTITION, 1},
    {"x is the fastest axis of field a (example.lua:3), so its stride in block ", fast_stride,
     HX_ERR_ARGUMENT, 1},
    {" must be 1, not 2; example_shape_dense sets the strides", fast_stride, HX_ERR_ARGUMENT, 1},
    {" along axis y; it must be at least 12, since 12 points along axis x, a stride of 1 apart", small_stride,
     HX_ERR_ARGUMENT, 1},
    {"The shape given to example_create is a null pointer; make one with example_shape_dense.", null_shape,
     HX_ERR_ARGUMENT, 1},
    {"fill that with hx_decompose and example_shape_dense", empty_partition, HX_ERR_PARTITION, 1},
    {"whose part is empty; fill shape.part with hx_decompose and example_shape_dense", empty_part,
     HX_ERR_PARTITION, 1},
    {"more memory than a pointer can reach", huge_stride, HX_ERR_LIMIT, 1},
    {"partitions for 2 tiles; example.lua has 1", no_tiles, HX_ERR_PARTITION, 1},
    {"Start from HX_OPTIONS_INIT", old_options, HX_ERR_ARGUMENT, 1},
};

/* on: the rank that makes the mistake, -1: all. */
static void test_mistake(const struct mistake *mistake, int on)
{
    setting s;
    make_setting(&s);
    if (on < 0 || on == harness_rank) {
        mistake->make(&s);
    }
    hx_handle *handle = (hx_handle *)&s;
    expect_status(mistake->status, hx_create(&s.e.spec, &s.blocks, s.shapes, &s.options, &handle));
    loses_pieces = 0;
    expect(handle == NULL);
    expect_text(hx_last_error(), mistake->text);
    expect_text(hx_last_error(), "Rank ");
}

static void test_mistakes(void)
{
    for (size_t i = 0; i < sizeof mistakes / sizeof mistakes[0]; ++i) {
        if (harness_ranks >= mistakes[i].ranks) {
            test_mistake(&mistakes[i], -1);
            harness_expect_works();
        }
        if (mistakes[i].ranks == 1 && mistakes[i].make != no_shapes &&
            mistakes[i].make != no_shapes_by_function) {
            test_mistake(&mistakes[i], harness_ranks - 1);
        }
    }
    harness_expect_works();
}

static void test_communicators(void)
{
    setting s;
    make_setting(&s);
    hx_handle *handle = NULL;
    s.blocks.comm = MPI_COMM_NULL;
    expect_status(HX_ERR_ARGUMENT, hx_create(&s.e.spec, &s.blocks, s.shape, NULL, &handle));
    expect_text(hx_last_error(), "MPI_COMM_NULL");
    expect_status(HX_ERR_ARGUMENT, hx_create(&s.e.spec, NULL, s.shape, NULL, &handle));
    expect_text(hx_last_error(), "The blocks given to example_create_blocks are a null pointer");
    if (harness_ranks > 1) {
        MPI_Comm half;
        MPI_Comm both;
        MPI_Comm_split(MPI_COMM_WORLD, harness_rank == 0, 0, &half);
        MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, harness_rank == 0, 1, &both);
        s.blocks.comm = both;
        expect_status(HX_ERR_ARGUMENT, hx_create(&s.e.spec, &s.blocks, s.shape, NULL, &handle));
        expect_text(hx_last_error(), "intercommunicator");
        MPI_Comm_free(&both);
        MPI_Comm_free(&half);
    }
    s.blocks.comm = MPI_COMM_WORLD;
    expect_status(HX_ERR_ARGUMENT, hx_create(&s.e.spec, &s.blocks, s.shape, NULL, NULL));
    expect_text(hx_last_error(), "null pointer");
}

int main(int argc, char **argv)
{
    harness_begin(&argc, &argv);
    test_mistakes();
    test_communicators();
    harness_expect_works();
    return harness_end();
}
