/*
 * What goes wrong is said in words, on all ranks alike, and leaves nothing behind: after each failure the
 * next create and exchange work.
 */
#include "cut.h"
#include "example.h"
#include "handle.h"
#include "harness.h"

#include <limits.h>
#include <stdlib.h>
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

static hx_handle *create(const setting *s)
{
    hx_handle *handle = NULL;
    expect_ok(hx_create(&s->e.spec, &s->blocks, s->shape, &s->options, &handle));
    return handle;
}

static void check_works(void)
{
    setting s;
    make_setting(&s);
    hx_handle *handle = create(&s);
    example_fields fields = example_alloc(&s.e, &s.shape[0]);
    expect_ok(hx_start(handle, EXAMPLE_BOTH, &fields));
    expect_ok(hx_finish(handle, EXAMPLE_BOTH));
    expect_ok(hx_destroy(handle));
    example_free(&fields);
}

/* ---- create ---------------------------------------------------------------------------------- */

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

static void no_kernel_for_walls(setting *s)
{
    s->e.exchange[EXAMPLE_BOTH].wall[1][0] = HX_FILL_ZERO; /* the first block is at one of them, */
    s->e.exchange[EXAMPLE_BOTH].wall[1][1] = HX_FILL_ZERO; /* the last at the other */
}

/* What cutting gives the ghost boxes of this rank lacks a piece; --wrap brings libhx here. */
static int loses_pieces;

hx_status __real_hx_cut(const hx_spec *spec, const hx_layout *layout, const hx_ghost *ghost,
                        hx_pieces *pieces);
hx_status __wrap_hx_cut(const hx_spec *spec, const hx_layout *layout, const hx_ghost *ghost,
                        hx_pieces *pieces);

hx_status __wrap_hx_cut(const hx_spec *spec, const hx_layout *layout, const hx_ghost *ghost,
                        hx_pieces *pieces)
{
    const hx_status status = __real_hx_cut(spec, layout, ghost, pieces);
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
    {"exchange \"both\" adds, and has no kernel for it", no_kernel_to_add, HX_ERR_INTERNAL, 1},
    {"exchange \"both\" has a link that turns, and no kernel for it", no_kernel_to_turn, HX_ERR_INTERNAL, 1},
    {"fills field a (line 3) beyond a wall, and has no kernel for it", no_kernel_for_walls, HX_ERR_INTERNAL,
     1},
    {" would be fed 0 points where it has ", lost_piece, HX_ERR_INTERNAL, 1},
    {"The ranks disagree.", hash, HX_ERR_MISMATCH, 2},
    {"option check 1", check_option, HX_ERR_MISMATCH, 2},
    {"option transport \"p2p\"", transport_option, HX_ERR_MISMATCH, 2},
    {"no transport \"pigeon\"", unknown_transport, HX_ERR_ARGUMENT, 1},
    {"fixes 79 cells along axis y; the partition has 9", fixed_cells, HX_ERR_PARTITION, 1},
    {"axis x, which example.lua does not decompose", carried_axis, HX_ERR_PARTITION, 1},
    {"8 x 9 x 11 cells", other_partition, HX_ERR_MISMATCH, 2},
    {"blocks as ranks", too_many_blocks, HX_ERR_PARTITION, 1},
    {"A shape has", wrong_part, HX_ERR_PARTITION, 1},
    {"A shape is of part 99 along axis z; the partition has ", no_such_part, HX_ERR_PARTITION, 1},
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

static void test_create(void)
{
    for (size_t i = 0; i < sizeof mistakes / sizeof mistakes[0]; ++i) {
        if (harness_ranks >= mistakes[i].ranks) {
            test_mistake(&mistakes[i], -1);
            check_works();
        }
        if (mistakes[i].ranks == 1 && mistakes[i].make != no_shapes &&
            mistakes[i].make != no_shapes_by_function) {
            test_mistake(&mistakes[i], harness_ranks - 1);
        }
    }
    check_works();
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

/* ---- start and finish ------------------------------------------------------------------------ */

/* The option check finds what would spoil ghost points. */
static void test_shared_array(void)
{
    setting s;
    make_setting(&s);
    s.options.check = 1;
    hx_handle *handle = create(&s);
    example_fields fields = example_alloc(&s.e, &s.shape[0]);
    example_fields twice = {fields.a, (int32_t *)(void *)fields.a};
    expect_status(HX_ERR_ARGUMENT, hx_start(handle, EXAMPLE_BOTH, &twice));
    expect_text(hx_last_error(), "for field a of block 0 and for field b of block 0; give each its own.");
    expect_ok(hx_start(handle, EXAMPLE_BOTH, &fields));
    expect_ok(hx_finish(handle, EXAMPLE_BOTH));
    expect_ok(hx_destroy(handle));
    example_free(&fields);
}

static void test_order_of_calls(void)
{
    setting s;
    make_setting(&s);
    hx_handle *handle = create(&s);
    example_fields fields = example_alloc(&s.e, &s.shape[0]);
    expect_status(HX_ERR_STATE, hx_finish(handle, EXAMPLE_BOTH));
    expect_text(hx_last_error(), "example.lua:7: exchange \"both\" was finished on rank ");
    expect_text(hx_last_error(), " without having been started; start it first.");
    expect_ok(hx_start(handle, EXAMPLE_BOTH, &fields));
    expect_status(HX_ERR_STATE, hx_start(handle, EXAMPLE_BOTH, &fields));
    expect_text(hx_last_error(), "example.lua:7: exchange \"both\" was started again on rank ");
    expect_text(hx_last_error(), "finish it first, or make a second handle.");
    expect_status(HX_ERR_STATE, hx_destroy(handle));
    expect_text(hx_last_error(), "example.lua:7: exchange \"both\" is under way");
    expect_ok(hx_start(handle, EXAMPLE_STAR, &fields));
    expect_ok(hx_finish(handle, EXAMPLE_BOTH));
    expect_status(HX_ERR_STATE, hx_destroy(handle));
    expect_text(hx_last_error(), "example.lua:8: exchange \"star\" is under way");
    expect_ok(hx_finish(handle, EXAMPLE_STAR));
    expect_ok(hx_destroy(handle));
    example_free(&fields);
}

static void test_arguments(void)
{
    setting s;
    make_setting(&s);
    hx_handle *handle = create(&s);
    example_fields fields = example_alloc(&s.e, &s.shape[0]);
    expect_status(HX_ERR_ARGUMENT, hx_start(NULL, 0, &fields));
    expect_text(hx_last_error(), "The handle given to start an exchange is a null pointer");
    expect_status(HX_ERR_ARGUMENT, hx_finish(NULL, 0));
    expect_status(HX_ERR_ARGUMENT, hx_start(handle, EXAMPLE_EXCHANGES, &fields));
    expect_text(hx_last_error(), "there is no exchange 2; example.lua has 2");
    expect_status(HX_ERR_ARGUMENT, hx_start(handle, -1, &fields));
    expect_status(HX_ERR_ARGUMENT, hx_start(handle, EXAMPLE_BOTH, NULL));
    expect_text(hx_last_error(),
                " gave to example_both_start are a null pointer; give one example_fields a block.");
    example_fields bad = fields;
    bad.b = NULL;
    expect_status(HX_ERR_ARGUMENT, hx_start(handle, EXAMPLE_BOTH, &bad));
    expect_text(hx_last_error(), "exchange \"both\" needs field b (line 4)");
    expect_text(hx_last_error(), " gave to example_both_start its pointer is null; set it");
    bad.b = (int32_t *)(void *)((char *)fields.b + 2);
    expect_status(HX_ERR_ARGUMENT, hx_start(handle, EXAMPLE_BOTH, &bad));
    expect_text(hx_last_error(), "not aligned for int32_t; give an address that is a multiple of 4");
    expect_ok(hx_start(handle, EXAMPLE_STAR, &bad)); /* needs no b */
    expect_ok(hx_finish(handle, EXAMPLE_STAR));
    hx_traffic traffic;
    int links = 0;
    expect_status(HX_ERR_ARGUMENT, hx_traffic_of(handle, 2, &traffic));
    expect_status(HX_ERR_ARGUMENT, hx_traffic_of(handle, 0, NULL));
    expect_status(HX_ERR_ARGUMENT, hx_links(NULL, 0, NULL, &links));
    expect_ok(hx_destroy(handle));
    expect_ok(hx_destroy(NULL));
    example_free(&fields);
}

/* What links say adds up to what traffic says. */
static void test_links(void)
{
    setting s;
    make_setting(&s);
    s.options.timing = 1;
    hx_handle *handle = create(&s);
    example_fields fields = example_alloc(&s.e, &s.shape[0]);
    expect_ok(hx_start(handle, EXAMPLE_BOTH, &fields));
    expect_ok(hx_finish(handle, EXAMPLE_BOTH));
    int count = 0;
    expect_ok(hx_links(handle, EXAMPLE_BOTH, NULL, &count));
    hx_link *link = calloc((size_t)count, sizeof *link);
    expect_ok(hx_links(handle, EXAMPLE_BOTH, link, &count));
    uint64_t sent = 0;
    uint64_t copied = 0;
    for (int i = 0; i < count; ++i) {
        uint64_t bytes = (uint64_t)s.e.field[link[i].field].size;
        for (int a = 0; a < 3; ++a) {
            bytes *= (uint64_t)(link[i].hi[a] - link[i].lo[a]);
        }
        sent += link[i].incoming ? 0 : (bytes + 15) / 16 * 16;
        copied += link[i].peer == harness_rank ? bytes : 0;
        expect(link[i].offset % 16 == 0);
        expect(link[i].peer != harness_rank || link[i].incoming);
    }
    hx_traffic traffic;
    expect_ok(hx_traffic_of(handle, EXAMPLE_BOTH, &traffic));
    expect(traffic.bytes_copied == copied);
    expect(traffic.bytes_sent <= sent && sent < traffic.bytes_sent + 16 * (uint64_t)(traffic.peers + 1));
    expect(traffic.peers == (harness_ranks > 1 ? harness_ranks - 1 : 0));
    expect(traffic.exchanges == 1 && traffic.pack_seconds > 0.0 && traffic.wait_seconds >= 0.0);
    free(link);
    expect_text(hx_describe(handle), "exchange both (example.lua:7)");
    const bool alone = harness_ranks == 1;
    const bool apart = strstr(hx_describe(handle), "by persistent: ") != NULL; /* on several machines */
    expect_text(hx_describe(handle), alone   ? "this rank, by self: "
                                     : apart ? "by persistent: "
                                             : "by shared: ");
    expect_ok(hx_destroy(handle));
    example_free(&fields);
}

/* A halo on one side only: data goes around the ring, and each rank talks to two others. */
static void test_one_sided(void)
{
    example e;
    example_make(&e, 1, 1);
    e.item[EXAMPLE_STAR][0].width_hi[0] = 0;
    const int cells = 4 * harness_ranks;
    const hx_partition request = example_partition(&e, &cells);
    hx_part part;
    expect_ok(hx_decompose(MPI_COMM_WORLD, &request, &part));
    const example_shape shape = example_shape_of(&e, &part, 0);
    const hx_blocks blocks = {MPI_COMM_WORLD, 1, &part.partition, NULL, NULL, 1, NULL};
    hx_handle *handle = NULL;
    expect_ok(hx_create(&e.spec, &blocks, &shape, NULL, &handle));
    hx_traffic traffic;
    expect_ok(hx_traffic_of(handle, EXAMPLE_STAR, &traffic));
    expect(traffic.peers == (harness_ranks < 3 ? harness_ranks - 1 : 2));
    expect(traffic.messages == (harness_ranks > 1));
    expect_text(hx_describe(handle),
                harness_ranks > 1 ? " in 1 segment to it" : "copying: 1 call of kernels: 1 ");
    expect(strstr(hx_describe(handle), ", 0 ") == NULL);
    expect_ok(hx_destroy(handle));
}

/* ---- Cartesian communicators ----------------------------------------------------------------- */

static void test_cart(void)
{
    int dims[] = {0, 0};
    const int open[] = {0, 0};
    int at[] = {0, 0};
    MPI_Comm cart;
    MPI_Dims_create(harness_ranks, 2, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, open, 0, &cart);
    MPI_Cart_coords(cart, harness_rank, 2, at);
    int n[] = {3 + at[0], 4 + 2 * at[1]};
    hx_part part;
    expect_ok(hx_partition_from_cart(cart, n, &part));
    expect(part.partition.axes == 2);
    for (int a = 0; a < 2; ++a) {
        expect(part.index[a] == at[a] && part.n[a] == n[a] && part.partition.ranks[a] == dims[a]);
    }
    expect(part.first[0] == 3 * at[0] + at[0] * (at[0] - 1) / 2);
    expect(part.first[1] == 4 * at[1] + at[1] * (at[1] - 1));
    example e;
    example_make(&e, 2, 3);
    const example_shape shape = example_shape_of(&e, &part, 0);
    const hx_blocks blocks = {cart, 1, &part.partition, NULL, NULL, 1, NULL};
    hx_handle *handle = NULL;
    expect_ok(hx_create(&e.spec, &blocks, &shape, NULL, &handle));
    expect_ok(hx_destroy(handle));
    hx_partition_free(&part.partition);
    hx_partition_free(&part.partition);

    n[0] = harness_rank == harness_ranks - 1 ? 0 : n[0];
    expect_status(HX_ERR_PARTITION, hx_partition_from_cart(cart, n, &part));
    expect_text(hx_last_error(), "owns 0 cells along axis 0");
    n[0] = 3 + at[0];
    n[1] += harness_rank == harness_ranks - 1;
    if (dims[0] > 1) {
        expect_status(HX_ERR_PARTITION, hx_partition_from_cart(cart, n, &part));
        expect_text(hx_last_error(), "along dimension 1 of the Cartesian communicator own from");
    }
    expect_status(HX_ERR_ARGUMENT, hx_partition_from_cart(MPI_COMM_WORLD, n, &part));
    expect_text(hx_last_error(), "MPI_Cart_create");
    part.tile = 7;
    expect_status(HX_ERR_ARGUMENT, hx_partition_from_cart(MPI_COMM_NULL, n, &part));
    expect_text(hx_last_error(), "The communicator given to hx_partition_from_cart is MPI_COMM_NULL.");
    expect(part.tile == 0);
    MPI_Comm_free(&cart);
}

/* More cells along an axis, or more axes, than libhx counts. */
static void test_large_cart(void)
{
    const int dims[] = {harness_ranks, 1, 1, 1, 1};
    const int open[] = {0, 0, 0, 0, 0};
    const int n[] = {INT_MAX, 1, 1, 1, 1};
    for (int axes = 1; axes <= 5; axes += 4) {
        MPI_Comm cart;
        MPI_Cart_create(MPI_COMM_WORLD, axes, dims, open, 0, &cart);
        hx_part part;
        expect_status(axes == 1 ? HX_ERR_LIMIT : HX_ERR_PARTITION, hx_partition_from_cart(cart, n, &part));
        expect_text(hx_last_error(),
                    axes == 1 ? "cells along axis 0; libhx counts up to 1073741824" : "has 5 dimensions");
        expect(part.partition.axes == 0);
        MPI_Comm_free(&cart);
    }
}

/* Calls that get nothing to work on. */
static void test_nothing(void)
{
    hx_handle *handle = NULL;
    const hx_blocks blocks = {.comm = MPI_COMM_WORLD};
    expect_status(HX_ERR_ARGUMENT, hx_create(NULL, &blocks, NULL, NULL, &handle));
    expect_text(hx_last_error(), "The spec given to hx_create is a null pointer");
    expect_text(hx_describe(NULL), "no handle");
    const hx_partition grid = {.axes = 1, .cells = {4}};
    hx_part part;
    expect_status(HX_ERR_ARGUMENT, hx_decompose_as(3, 3, &grid, &part));
    expect_text(hx_last_error(), "There is no rank 3 of 3");
    char text[512];
    expect(hx_explain_partition(0, &grid, text, sizeof text) > 0);
    expect_text(text, "There is no partition for 0 ranks");
}

/* ---- what ends a handle ---------------------------------------------------------------------- */

static void test_deadline(const char *transport, const char *schedule, const char *place)
{
    setting s;
    make_setting(&s);
    s.options.deadline = 0.2;
    s.options.transport = transport;
    s.options.schedule = schedule;
    hx_handle *handle = create(&s);
    example_fields fields = example_alloc(&s.e, &s.shape[0]);
    if (harness_rank == 0) {
        expect_ok(hx_start(handle, EXAMPLE_BOTH, &fields));
        expect_status(HX_ERR_DEADLINE, hx_finish(handle, EXAMPLE_BOTH));
        expect_text(hx_last_error(), "after 0.2 seconds rank 0 still waits");
        expect_text(hx_last_error(), place);
        expect_text(hx_last_error(), " for messages from rank ");
        expect_status(HX_ERR_DEADLINE, hx_finish(handle, EXAMPLE_BOTH));
        expect_status(HX_ERR_DEADLINE, hx_start(handle, EXAMPLE_STAR, &fields));
        expect_text(hx_last_error(), "can only be destroyed");
    }
    MPI_Barrier(MPI_COMM_WORLD);
    expect_ok(hx_destroy(handle));
    MPI_Barrier(MPI_COMM_WORLD);
    example_free(&fields);
}

/* A rank that has lost count is found out. */
static void test_check(void)
{
    setting s;
    make_setting(&s);
    s.options.check = 1;
    hx_handle *handle = create(&s);
    example_fields fields = example_alloc(&s.e, &s.shape[0]);
    handle->plan[EXAMPLE_BOTH].sequence = harness_rank == 1 ? 4 : 0;
    expect_ok(hx_start(handle, EXAMPLE_BOTH, &fields));
    const hx_status status = hx_finish(handle, EXAMPLE_BOTH);
    if (harness_rank < 2) {
        expect_status(HX_ERR_MISMATCH, status);
        expect_text(hx_last_error(), harness_rank == 0 ? "start 0" : "start 4");
        expect_text(hx_last_error(), "waits for exchange 0");
    }
    MPI_Barrier(MPI_COMM_WORLD);
    expect_ok(hx_destroy(handle));
    example_free(&fields);
}

static void test_finalize(void)
{
    setting s;
    make_setting(&s);
    hx_handle *idle = create(&s);
    example_fields fields = example_alloc(&s.e, &s.shape[0]);
    const int failed = harness_end();
    hx_handle *made = NULL;
    expect_status(HX_ERR_STATE, hx_create(&s.e.spec, &s.blocks, s.shape, NULL, &made));
    expect_status(HX_ERR_STATE, hx_start(idle, EXAMPLE_BOTH, &fields));
    expect_text(hx_last_error(), "example_both_start was called after MPI_Finalize");
    expect_status(HX_ERR_STATE, hx_decompose(MPI_COMM_WORLD, &s.partition, &s.part));
    expect_ok(hx_destroy(idle));
    example_free(&fields);
    exit(failed || harness_failures() > 0);
}

int main(int argc, char **argv)
{
    hx_part part;
    hx_partition unused = {0};
    expect_status(HX_ERR_STATE, hx_decompose(MPI_COMM_WORLD, &unused, &part));
    expect_text(hx_last_error(), "before MPI_Init");
    harness_begin(&argc, &argv);
    test_create();
    test_communicators();
    test_shared_array();
    test_order_of_calls();
    test_arguments();
    test_links();
    test_one_sided();
    test_cart();
    test_large_cart();
    test_nothing();
    if (harness_ranks > 1) {
        test_deadline("persistent", "one-phase", " rank 1 (");
        test_deadline("shared", "one-phase", " rank 1 (");
        test_deadline("shared-pull", "one-phase", " rank 1 (");
        test_deadline("p2p", "by-dimension", "waits in phase ");
        test_deadline("neighbor", "one-phase", " rank 1 (");
        test_deadline("rma", "one-phase", " rank 1 (");
        test_check();
    }
    check_works();
    test_finalize();
}
