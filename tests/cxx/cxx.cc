/*
 * Classes for C++ under mpirun: what a point holds after an exchange is told by a function of its place in the whole grid.
 */
#include "bend.hpp"
#include "duct.hpp"
#include "ring.hpp"
#include "shelf.hpp"

#include <hx/memory.hpp>
#include <hx/observe.hpp>

#include <algorithm>
#include <array>
#include <complex>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

#include <csignal>
#include <sys/wait.h>
#include <unistd.h>

namespace ducts = halogen::duct;

static int failures = 0, rank = 0, ranks = 1;

#define EXPECT(condition)                                                                                    \
    ((condition) ? (void)0                                                                                   \
                 : (void)(++failures, std::printf("rank %d, line %d: %s\n", rank, __LINE__, #condition)))

/* ---- the oracle ---------------------------------------------------------------------------------------- */

constexpr int NX = 12, NY = 8, NZ = 5; /* cells */
constexpr int BEYOND = -7, OLD = -1;

static double value_at(std::ptrdiff_t x, std::ptrdiff_t y, std::ptrdiff_t z, std::ptrdiff_t c = 0)
{
    return static_cast<double>(((x * 100 + y) * 100 + z) * 10 + c);
}

static bool inside(std::ptrdiff_t index, std::ptrdiff_t points)
{
    return index >= 0 && index < points;
}

/* Of a point of the whole grid, periodic along x. */
static double expected(std::ptrdiff_t x, std::ptrdiff_t y, std::ptrdiff_t z, std::ptrdiff_t c, double beyond)
{
    return inside(y, NY) && inside(z, NZ) ? value_at((x + NX) % NX, y, z, c) : beyond;
}

/* Calls f(i, j, k) for all points of a view, those of the halo included. */
template <class View, class Function> static void for_points(const View &v, Function f)
{
    for (std::ptrdiff_t i = v.begin(0); i < v.end(0); ++i) {
        for (std::ptrdiff_t j = v.begin(1); j < v.end(1); ++j) {
            for (std::ptrdiff_t k = v.begin(2); k < v.end(2); ++k) {
                f(i, j, k);
            }
        }
    }
}

template <class View> static bool owned(const View &v, std::ptrdiff_t i, std::ptrdiff_t j, std::ptrdiff_t k)
{
    return inside(i, v.points(0)) && inside(j, v.points(1)) && inside(k, v.points(2));
}

static void fill_state(const ducts::block_views &v, const hx_part &part)
{
    const int *first = part.first;
    for_points(v.u, [&](auto i, auto j, auto k) {
        v.u(i, j, k) = owned(v.u, i, j, k) ? value_at(first[0] + i, first[1] + j, first[2] + k) : OLD;
    });
    for_points(v.q, [&](auto i, auto j, auto k) {
        for (int c = 0; c < 3; ++c) {
            const double value =
                owned(v.q, i, j, k) ? value_at(first[0] + i, first[1] + j, first[2] + k, c) : OLD;
            v.q(i, j, k, c) = static_cast<float>(value);
        }
    });
}

static int wrong_state(const ducts::block_views &v, const hx_part &part)
{
    const int *first = part.first;
    int wrong = 0;
    for_points(v.u, [&](auto i, auto j, auto k) {
        const double right = expected(first[0] + i, first[1] + j, first[2] + k, 0, OLD);
        wrong += v.u(i, j, k) < right || v.u(i, j, k) > right;
    });
    for_points(v.q, [&](auto i, auto j, auto k) {
        for (int c = 0; c < 3; ++c) {
            const float right =
                static_cast<float>(expected(first[0] + i, first[1] + j, first[2] + k, c, OLD));
            wrong += v.q(i, j, k, c) < right || v.q(i, j, k, c) > right;
        }
    });
    return wrong;
}

/* Faces of both sides along z; stars have no corners; what lies beyond walls across y is the hook's. */
static void fill_pressure(const ducts::block_views &v, const hx_part &part)
{
    for_points(v.p, [&](auto i, auto j, auto k) {
        const double value = value_at(part.first[0] + i, part.first[1] + j, part.first[2] + k);
        v.p(i, j, k) = owned(v.p, i, j, k) ? static_cast<int32_t>(value) : OLD;
    });
}

static int wrong_pressure(const ducts::block_views &v, const hx_part &part)
{
    int wrong = 0;
    for_points(v.p, [&](auto i, auto j, auto k) {
        const int out = !inside(i, v.p.points(0)) + !inside(j, v.p.points(1)) + !inside(k, v.p.points(2));
        const std::ptrdiff_t y = part.first[1] + j;
        const std::ptrdiff_t z = part.first[2] + k;
        double right = value_at((part.first[0] + i + NX) % NX, y, z);
        if (out > 1 || (out == 1 && !inside(z, NZ + 1))) {
            right = OLD;
        } else if (!inside(y, NY)) {
            right = BEYOND;
        }
        wrong += v.p(i, j, k) != static_cast<int32_t>(right);
    });
    return wrong;
}

static void fill_walls(const ducts::handle &halo, const hx_wall &wall)
{
    const auto block = static_cast<std::size_t>(wall.block);
    const auto p = ducts::p_view(halo.shape(block), static_cast<int32_t *>(wall.array));
    for (int i = wall.lo[0]; i < wall.hi[0]; ++i) {
        for (int j = wall.lo[1]; j < wall.hi[1]; ++j) {
            for (int k = wall.lo[2]; k < wall.hi[2]; ++k) {
                p(i, j, k) = BEYOND;
            }
        }
    }
}

/* ---- one block ----------------------------------------------------------------------------------------- */

static hx_part decompose()
{
    return hx::decompose(MPI_COMM_WORLD, duct_partition(NX, NY, NZ));
}

template <class Function> static std::string error_of(Function f)
{
    try {
        f();
    } catch (const hx::error &e) {
        return std::string(hx_status_name(e.status())) + " " + e.what();
    }
    return "";
}

static bool starts(const std::string &text, const std::string &start)
{
    return text.compare(0, start.size(), start) == 0;
}

static void exchanges_one_block()
{
    const hx_part mine = decompose();
    ducts::handle halo(MPI_COMM_WORLD, duct_shape_best(&mine));
    duct_fields f = halo.alloc();
    const ducts::block_views v = halo.views(f);
    EXPECT(halo && halo.blocks() == 1 && halo.get() != nullptr);
    EXPECT(v.u.size() == duct_points(&halo.shape(), DUCT_U) && v.u.elements().size() == v.u.size());
    EXPECT(v.u.data() == f.u && &v.u(-2, -2, -2) == f.u &&
           &v.u(1, 2, 3) == f.u + duct_u_at(&halo.shape(), 1, 2, 3));
    EXPECT(&v.q(0, 0, 0, 2) == f.q + duct_q_at(&halo.shape(), 0, 0, 0, 2) && v.q.stride(2) == 3);
    EXPECT(v.p.points(2) == mine.n[2] + 1 && v.p.extent(2) == mine.n[2] + 3);

    fill_state(v, mine);
    halo.state(f);
    EXPECT(wrong_state(v, mine) == 0);

    fill_state(v, mine);
    halo.state_start(f);
    while (!halo.state_test()) {
    }
    halo.state_finish();
    EXPECT(wrong_state(v, mine) == 0);

    fill_state(v, mine);
    int works = 0;
    halo.state(f, [&] { ++works; });
    EXPECT(works == 1 && wrong_state(v, mine) == 0);
    EXPECT(halo.traffic(DUCT_STATE).exchanges == 3 && starts(halo.describe(), "duct (duct.lua"));
    halo.free(f);
    EXPECT(f.u == nullptr);
    halo.destroy();
    EXPECT(!halo && halo.blocks() == 0);
}

/* What work throws comes out when the exchange is through, so that the next one can start. */
static void finishes_what_work_leaves()
{
    const hx_part mine = decompose();
    ducts::handle halo(MPI_COMM_WORLD, duct_shape_dense(&mine));
    const duct_fields f = halo.alloc();
    const ducts::block_views v = halo.views(f);
    fill_state(v, mine);
    bool thrown = false;
    try {
        halo.state(f, [] { throw std::bad_alloc(); });
    } catch (const std::bad_alloc &) {
        thrown = true;
    }
    EXPECT(thrown && wrong_state(v, mine) == 0);
    halo.state(f);
}

static void moves()
{
    const hx_part mine = decompose();
    const bool at_wall = mine.first[1] == 0 || mine.first[1] + mine.n[1] == NY;
    int calls = 0;
    ducts::handle last;
    {
        ducts::handle first(MPI_COMM_WORLD, duct_shape_dense(&mine));
        first.set_boundary([&](const hx_wall &) { ++calls; });
        ducts::handle second(std::move(first));
        EXPECT(!first && second && first.blocks() == 0);
        last = ducts::handle(MPI_COMM_WORLD, duct_shape_best(&mine));
        last = std::move(second); /* destroys what it had: on all ranks */
        EXPECT(!second && last.shape().stride[DUCT_U][1] == duct_shape_dense(&mine).stride[DUCT_U][1]);
        EXPECT(starts(error_of([&] { first.pressure(duct_fields()); }),
                      "HX_ERR_ARGUMENT duct: this handle is empty"));
    }
    const duct_fields f = last.alloc();
    last.pressure(f); /* by the function that first was given */
    EXPECT((calls > 0) == at_wall);
    last.set_boundary([&](const hx_wall &wall) { fill_walls(last, wall); });
    fill_pressure(last.views(f), mine);
    last.pressure(f);
    EXPECT(wrong_pressure(last.views(f), mine) == 0);
}

/* A handle whose exchange is under way cannot be destroyed: it lives on, and finishes with the function that it has. */
static void assigns_to_busy_handles()
{
    const hx_part mine = decompose();
    const auto calls = std::make_shared<int>(0);
    ducts::handle halo(MPI_COMM_WORLD, duct_shape_dense(&mine));
    halo.set_boundary([calls](const hx_wall &) { ++*calls; });
    const duct_fields f = halo.alloc();
    duct *left = halo.get();
    halo.pressure_start(f);
    halo = ducts::handle(MPI_COMM_WORLD, duct_shape_dense(&mine));
    EXPECT(calls.use_count() == 2); /* libhx may call it */
    EXPECT(duct_pressure_finish(left) == HX_OK && duct_destroy(left) == HX_OK);
}

/* Where work throws as well, its exception comes out, and the next exchange has none left over. */
static void work_and_hooks_throw()
{
    const hx_part mine = decompose();
    ducts::handle halo(MPI_COMM_WORLD, duct_shape_dense(&mine));
    const duct_fields f = halo.alloc();
    halo.set_boundary([](const hx_wall &) { throw std::bad_alloc(); });
    bool thrown = false;
    try {
        halo.pressure(f, [] { throw std::runtime_error("work"); });
    } catch (const std::runtime_error &) {
        thrown = true;
    }
    EXPECT(thrown);
    halo.set_boundary([&](const hx_wall &wall) { fill_walls(halo, wall); });
    fill_pressure(halo.views(f), mine);
    halo.pressure(f);
    EXPECT(wrong_pressure(halo.views(f), mine) == 0);
}

/* Exceptions cannot cross C: the one that a hook throws comes out of finish, and only that one. */
static void hooks_throw()
{
    const hx_part mine = decompose();
    ducts::handle halo(MPI_COMM_WORLD, duct_shape_dense(&mine));
    const duct_fields f = halo.alloc();
    EXPECT(starts(error_of([&] { halo.pressure(f); }), "HX_ERR_STATE duct.lua:"));
    int calls = 0;
    halo.set_boundary([&](const hx_wall &) {
        ++calls;
        throw std::bad_alloc();
    });
    bool thrown = false;
    halo.pressure_start(f);
    try {
        halo.pressure_finish();
    } catch (const std::bad_alloc &) {
        thrown = true;
    }
    EXPECT(thrown == (calls == 1) && calls < 2);
    halo.set_boundary([&](const hx_wall &wall) { fill_walls(halo, wall); });
    fill_pressure(halo.views(f), mine);
    halo.pressure(f);
    EXPECT(wrong_pressure(halo.views(f), mine) == 0);
    halo.set_boundary(nullptr);
    EXPECT(starts(error_of([&] { halo.pressure(f); }), "HX_ERR_STATE duct.lua:"));
}

/* ---- several blocks, lists ----------------------------------------------------------------------------- */

static void exchanges_several_blocks()
{
    hx_partition grid = duct_partition(NX, NY, NZ);
    grid.ranks[0] = 3;
    grid.ranks[1] = 2;
    grid.ranks[2] = 1;
    std::vector<int> owners;
    std::vector<duct_shape> shapes;
    for (int block = 0; block < 6; ++block) {
        owners.push_back((block + 1) % ranks);
        if (owners.back() == rank) {
            const hx_part part = hx::part_of(grid, block);
            shapes.push_back(block % 2 == 0 ? duct_shape_dense(&part) : duct_shape_best(&part));
        }
    }
    hx_blocks blocks = {};
    blocks.comm = MPI_COMM_WORLD;
    blocks.tiles = 1;
    blocks.partition = &grid;
    blocks.owners = owners.data();
    ducts::handle halo(blocks, shapes);
    EXPECT(halo.blocks() == shapes.size());
    const std::vector<duct_fields> f = halo.alloc_blocks();
    for (std::size_t b = 0; b < f.size(); ++b) {
        fill_state(halo.views(f[b], b), shapes[b].part);
        fill_pressure(halo.views(f[b], b), shapes[b].part);
    }
    halo.set_boundary([&](const hx_wall &wall) { fill_walls(halo, wall); });
    halo.state_start(f);
    halo.pressure_start(f);
    halo.state_finish();
    halo.pressure_finish();
    for (std::size_t b = 0; b < f.size(); ++b) {
        EXPECT(wrong_state(halo.views(f[b], b), shapes[b].part) == 0);
        EXPECT(wrong_pressure(halo.views(f[b], b), shapes[b].part) == 0);
    }
    std::vector<duct_fields> more(f);
    more.push_back(f.empty() ? duct_fields() : f[0]);
    EXPECT(error_of([&] { halo.state(more); }) ==
           "HX_ERR_ARGUMENT duct: there are fields for " + std::to_string(more.size()) +
               " blocks, and the handle has " + std::to_string(f.size()) +
               "; give one struct for each block.");
}

/* Each rank owns 4 points of a ring, and has one more of each neighbor. */
static void exchange_ring(halogen::ring::handle &halo)
{
    ring_fields f = halo.alloc();
    const auto t = halo.views(f).t;
    EXPECT(t.points(0) == 6 && t.begin(0) == 0);
    for (int i = 0; i < 6; ++i) {
        t(i) = i < 4 ? 4 * rank + i : OLD;
    }
    halo.heat(f);
    const int points = 4 * ranks;
    const int below = (4 * rank + points - 1) % points;
    const int above = (4 * rank + 4) % points;
    EXPECT(static_cast<int>(t(4)) == below && static_cast<int>(t(5)) == above &&
           static_cast<int>(t(0)) == 4 * rank);
}

static void exchanges_lists()
{
    const int points = 4 * ranks;
    std::vector<int64_t> id(6);
    for (int i = 0; i < 4; ++i) {
        id[static_cast<std::size_t>(i)] = 4 * rank + i;
    }
    id[4] = (4 * rank + points - 1) % points;
    id[5] = (4 * rank + 4) % points;
    hx_ids ids = {};
    ids.points = 6;
    ids.id = id.data();
    ids.owned = 4;
    const hx_part mine = ring_part(6);
    hx::index_list list(MPI_COMM_WORLD, ids);
    hx::index_list moved(std::move(list));
    halogen::ring::handle halo(MPI_COMM_WORLD, ring_shape_dense(&mine), moved);
    exchange_ring(halo);

    const int below = (rank + ranks - 1) % ranks;
    const int above = (rank + 1) % ranks;
    std::vector<hx::peer> peers;
    if (below == above) { /* one other rank, or this one: what it sends first is what comes first */
        peers = {{above, {3, 0}, {4, 5}}};
    } else {
        peers = {{below, {0}, {4}}, {above, {3}, {5}}};
    }
    hx::index_list own(peers);
    own = hx::index_list(peers);
    halogen::ring::handle again(MPI_COMM_WORLD, ring_shape_dense(&mine), own);
    exchange_ring(again);
}

/* ---- ghost points behind owned ones --------------------------------------------------------------------- */

constexpr int SHELF_X = 8, SHELF_Y = 9; /* cells */

/* How many points of a plane do not have right(i, j), and whether it has as many as it should. */
template <class View, class Right>
static int wrong_in_plane(const View &v, std::array<std::ptrdiff_t, 4> box, Right right)
{
    const bool fits =
        v.begin(0) == box[0] && v.end(0) == box[1] && v.begin(1) == box[2] && v.end(1) == box[3];
    int wrong = !fits;
    for (std::ptrdiff_t i = v.begin(0); i < v.end(0) && fits; ++i) {
        for (std::ptrdiff_t j = v.begin(1); j < v.end(1); ++j) {
            wrong += right(i, j);
        }
    }
    return wrong;
}

static void exchanges_planes()
{
    namespace shelves = halogen::shelf;
    hx_partition grid = shelf_partition(SHELF_X, SHELF_Y);
    grid.ranks[0] = ranks < 4 ? 1 : 2;
    const hx_part mine = hx::decompose(MPI_COMM_WORLD, grid);
    shelves::handle halo(MPI_COMM_WORLD, shelf_shape_best(&mine));
    const shelf_fields f = halo.alloc();
    const auto v = halo.views(f);
    const std::ptrdiff_t nx = mine.n[0], ny = mine.n[1];
    EXPECT(v.a.begin(0) == 0 && v.a.end(0) == nx);
    for (std::ptrdiff_t i = 0; i < nx; ++i) {
        for (std::ptrdiff_t j = 0; j < ny; ++j) {
            v.a(i, j) = value_at(mine.first[0] + i, mine.first[1] + j, 0);
            v.b(i, j, 0) = static_cast<float>(value_at(mine.first[0] + i, mine.first[1] + j, 1));
            v.b(i, j, 1) = static_cast<float>(value_at(mine.first[0] + i, mine.first[1] + j, 2));
        }
    }
    halo.state(f);
    const auto at = [&](std::ptrdiff_t i, std::ptrdiff_t j, std::ptrdiff_t z) {
        return value_at((mine.first[0] + i + SHELF_X) % SHELF_X, mine.first[1] + j, z);
    };
    const std::ptrdiff_t layers_of_a[2][2] = {{2, 2}, {1, 3}};
    for (int axis = 0; axis < 2; ++axis) {
        for (int side = 0; side < 2; ++side) {
            const auto a = shelves::a_plane(halo.shape(), f.a, axis, side);
            const auto b = shelves::b_plane(halo.shape(), f.b, axis, side);
            const bool wall = axis == 1 && (side == 0 ? mine.first[1] == 0 : mine.first[1] + ny == SHELF_Y);
            if (wall) {
                EXPECT(a.data() == nullptr && b.data() == nullptr && a.size() == 0 && b.extent(1) == 0);
                continue;
            }
            const auto box = [&](std::ptrdiff_t layers) {
                std::array<std::ptrdiff_t, 4> all = {0, nx, 0, ny};
                const std::ptrdiff_t n = axis == 0 ? nx : ny;
                all[static_cast<std::size_t>(2 * axis)] = side == 0 ? -layers : n;
                all[static_cast<std::size_t>(2 * axis + 1)] = side == 0 ? 0 : n + layers;
                return all;
            };
            EXPECT(wrong_in_plane(a, box(layers_of_a[axis][side]), [&](auto i, auto j) {
                       return a(i, j) < at(i, j, 0) || a(i, j) > at(i, j, 0);
                   }) == 0);
            EXPECT(wrong_in_plane(b, box(1), [&](auto i, auto j) {
                       const auto first = static_cast<float>(at(i, j, 1)),
                                  second = static_cast<float>(at(i, j, 2));
                       return b(i, j, 0) < first || b(i, j, 0) > first || b(i, j, 1) < second ||
                              b(i, j, 1) > second;
                   }) == 0);
            EXPECT(a.size() == static_cast<std::size_t>(a.extent(0) * a.extent(1)));
        }
    }
    EXPECT(shelves::a_plane(halo.shape(), f.a, 2, 0).data() == nullptr);
}

/* ---- arrays and mistakes of the program ---------------------------------------------------------------- */

static void takes_shapes_of_arrays()
{
    const hx_part mine = decompose();
    const std::ptrdiff_t row = mine.n[0] + 9;
    const std::ptrdiff_t plane = row * (mine.n[1] + 5);
    std::vector<double> u(static_cast<std::size_t>(plane * (mine.n[2] + 4)));
    std::array<hx_strided_array, DUCT_FIELDS> arrays = {};
    arrays[DUCT_U] = hx::strided(u.data(), {row, mine.n[1] + 5, mine.n[2] + 4}, {1, row, plane});
    const duct_shape shape = ducts::shape_of(mine, arrays);
    EXPECT(shape.stride[DUCT_U][1] == row && shape.stride[DUCT_U][2] == plane);
    ducts::handle halo(MPI_COMM_WORLD, shape);
    duct_fields f = halo.alloc();
    f.u = u.data();
    fill_state(halo.views(f), mine);
    halo.state(f);
    EXPECT(wrong_state(halo.views(f), mine) == 0);
    arrays[DUCT_U] = hx::strided(u.data(), {row, mine.n[1] + 5, mine.n[2] + 3}, {1, row, plane});
    EXPECT(starts(error_of([&] { ducts::shape_of(mine, arrays); }), "HX_ERR_ARGUMENT duct_shape_of: u has "));
}

static void says_what_is_wrong()
{
    const hx_part mine = decompose();
    duct_shape bad = duct_shape_dense(&mine);
    bad.stride[DUCT_U][0] = 7;
    const std::string refused = error_of([&] { ducts::handle halo(MPI_COMM_WORLD, bad); });
    EXPECT(refused.find("x is the fastest axis of field u (duct.lua:3)") != std::string::npos);
    EXPECT(starts(error_of([&] { hx::decompose(MPI_COMM_WORLD, duct_partition(0, 1, 1)); }),
                  "HX_ERR_PARTITION "));
    ducts::handle halo(MPI_COMM_WORLD, duct_shape_dense(&mine));
    EXPECT(starts(error_of([&] { halo.state_finish(); }), "HX_ERR_STATE duct.lua:"));
    EXPECT(starts(error_of([&] { halo.state(duct_fields()); }), "HX_ERR_ARGUMENT duct.lua:"));
    EXPECT(starts(error_of([&] { halo.create(MPI_COMM_WORLD, bad); }),
                  "HX_ERR_STATE duct_create: this handle is in use"));
    const duct_fields f = halo.alloc();
    std::string range;
    try {
        static_cast<void>(halo.views(f, 3));
    } catch (const std::out_of_range &e) {
        range = e.what();
    }
    EXPECT(range == "duct: block 3 was asked for; the handle has 1, counted from 0.");
    const int none = -1; /* blocks are counted by any integers, as wall.block is */
    EXPECT(&halo.shape(0) == &halo.shape() && &halo.shape(0U) == &halo.shape());
    range.clear();
    try {
        static_cast<void>(halo.shape(none));
    } catch (const std::out_of_range &e) {
        range = e.what();
    }
    EXPECT(range == "duct: block -1 was asked for; the handle has 1, counted from 0.");
    halo.state_start(f);
    EXPECT(starts(error_of([&] { halo.destroy(); }), "HX_ERR_STATE "));
    halo.state_finish();
    ducts::handle other(std::move(halo));
    const std::string empty =
        "HX_ERR_ARGUMENT duct: this handle is empty; it was moved from or destroyed, or is not created yet.";
    EXPECT(error_of([&] { halo.state_start(f); }) == empty &&
           error_of([&] { halo.state_finish(); }) == empty);
    EXPECT(error_of([&] { static_cast<void>(halo.state_test()); }) == empty);
}

/* Containers of the program's own: whole ones, and one that lacks a point. */
static void takes_containers()
{
    const hx_part mine = decompose();
    const duct_shape shape = duct_shape_dense(&mine);
    std::vector<double> u(duct_points(&shape, DUCT_U)), small(u.size() - 1);
    EXPECT(ducts::u_array(shape, u) == u.data());
    EXPECT(error_of([&] { static_cast<void>(ducts::u_array(shape, small)); }) ==
           "HX_ERR_ARGUMENT duct: u has " + std::to_string(small.size()) + " elements; its shape needs " +
               std::to_string(u.size()) + ", ghost points and padding included.");
    const auto writable = ducts::u_view(shape, u.data());
    const hx::view<const double, 3, 0> read = writable; /* axes are x, y, z, x the fastest */
    static_assert(!std::is_constructible_v<hx::view<double, 3, 0>, hx::view<const double, 3, 0>>,
                  "not the other way");
    writable(1, 2, 3) = 8.5;
    writable(-1, 0, 0) = 2.5;
    EXPECT(static_cast<int>(2 * read(1, 2, 3)) == 17 && static_cast<int>(2 * read(-1, 0, 0)) == 5);
}

/* Before MPI begins: the child looks behind the last ghost point, and says what it was. */
static void stops_at_indices()
{
    double values[7] = {};
    const hx::view<double, 1, 0> v(values, {{3}, {2}, {2}, {1}, 7});
    EXPECT(&v(4) == values + 6 && &v(-2) == values);
    for (const std::ptrdiff_t index : {5, -3}) {
        int ends[2];
        EXPECT(pipe(ends) == 0);
        const pid_t child = fork();
        if (child == 0) {
            dup2(ends[1], STDERR_FILENO);
            v(index) = 1.0;
            _exit(0);
        }
        close(ends[1]);
        char said[200] = "";
        EXPECT(read(ends[0], said, sizeof said - 1) > 0);
        close(ends[0]);
        int status = 0;
        waitpid(child, &status, 0);
        EXPECT(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
        EXPECT(said == "hx::view: index " + std::to_string(index) + " along axis 0 is outside of -2 to 4\n");
    }
}

static void returns_statuses()
{
    const hx_part mine = decompose();
    ducts::status_handle halo;
    duct_fields f = {};
    EXPECT(halo.state(f) == HX_ERR_ARGUMENT);
    EXPECT(halo.create(MPI_COMM_WORLD, duct_shape_dense(&mine)) == HX_OK);
    EXPECT(halo.create(MPI_COMM_WORLD, duct_shape_dense(&mine)) == HX_ERR_STATE);
    EXPECT(std::strstr(hx_last_error(), "this handle is in use") != nullptr);
    EXPECT(halo.state(f) == HX_ERR_ARGUMENT && halo.alloc(f) == HX_OK);
    fill_state(halo.views(f), mine);
    int works = 0;
    EXPECT(halo.state(f, [&] { ++works; }) == HX_OK && works == 1);
    EXPECT(halo.state(f, [&] { return ++works; }) == HX_OK && works == 2);
    EXPECT(halo.state(f, [] { return HX_OK; }) == HX_OK &&
           halo.state(f, [] { return HX_ERR_LIMIT; }) == HX_ERR_LIMIT);
    static_assert(std::is_same_v<decltype(halo.state(f)), hx::status>,
                  "which tells of a status that is dropped");
    EXPECT(wrong_state(halo.views(f), mine) == 0);
    bool done = true;
    hx_traffic moved = {};
    std::vector<hx_message_buffer> buffers;
    EXPECT(halo.state_test(done) == HX_ERR_STATE && halo.traffic(DUCT_STATE, moved) == HX_OK &&
           moved.exchanges == 4);
    EXPECT(halo.message_buffers(DUCT_STATE, buffers) != HX_OK && buffers.empty());
    EXPECT(halo.destroy() == HX_OK && !halo);
}

/* Bugs that audits find: points that were computed after the exchange, and a ghost point that was written. */
static void audits()
{
    const hx_part mine = decompose();
    ducts::handle halo(MPI_COMM_WORLD, duct_shape_dense(&mine));
    ducts::status_handle other;
    duct_fields f = halo.alloc();
    const ducts::block_views v = halo.views(f);
    fill_state(v, mine);
    halo.state(f);
    halo.state_audit(f);
    const double kept = v.u(0, 0, 0);
    std::string said;
    v.u(0, 0, 0) = kept + 0.5;
    try {
        halo.state_audit(f);
    } catch (const hx::error &error) {
        said = error.what();
        EXPECT(error.status() == HX_ERR_MISMATCH);
    }
    EXPECT(said.find("exchange \"state\", audit on rank ") != std::string::npos);
    EXPECT(said.find("field u (line 3)") != std::string::npos);
    v.u(0, 0, 0) = kept;
    halo.state_audit(f);
    v.q(-1, 0, 0, 2) += 1.0F;
    EXPECT(hx_audit(reinterpret_cast<hx_handle *>(halo.get()), DUCT_STATE, &f) == HX_ERR_MISMATCH);
    EXPECT(std::strstr(hx_last_error(), "component 2 of field q (line 4)") != nullptr);
    EXPECT(other.state_audit(f) == HX_ERR_ARGUMENT);
}

/* To slabs across y, to an array of rank 0, and back. */
static void moves_fields()
{
    const hx_part mine = decompose();
    hx_partition slabs = duct_partition(NX, NY, NZ);
    slabs.ranks[DUCT_AXIS_X] = slabs.ranks[DUCT_AXIS_Z] = 1;
    const hx_part slab = hx::decompose(MPI_COMM_WORLD, slabs);
    ducts::handle halo(MPI_COMM_WORLD, duct_shape_dense(&mine)), empty;
    ducts::status_handle other;
    EXPECT(other.create(MPI_COMM_WORLD, duct_shape_best(&slab)) == HX_OK);
    duct_fields f = halo.alloc(), g = {};
    EXPECT(other.alloc(g) == HX_OK);
    const ducts::block_views v = other.views(g);
    std::fill_n(g.u, v.u.size(), OLD);
    std::fill_n(g.q, v.q.size(), static_cast<float>(OLD));
    fill_state(halo.views(f), mine);
    halo.redistribute(f, other, g);
    EXPECT(other.state(g) == HX_OK && wrong_state(v, slab) == 0);

    std::vector<double> whole(rank == 0 ? NX * NY * NZ : 0);
    const hx_strided_array array = hx::strided(whole.data(), {NX, NY, NZ}, {NY * NZ, NZ, 1});
    EXPECT((rank == 0 ? other.gather(g, DUCT_U, 0, array) : other.gather(g, DUCT_U, 0)) == HX_OK);
    int wrong = 0;
    for (std::size_t i = 0; i < whole.size(); ++i) {
        const auto at = static_cast<std::ptrdiff_t>(i);
        const double right = value_at(at / (NY * NZ), at / NZ % NY, at % NZ);
        wrong += whole[i] < right || whole[i] > right;
    }
    EXPECT(wrong == 0);
    std::fill_n(f.u, halo.views(f).u.size(), OLD);
    rank == 0 ? halo.scatter(f, DUCT_U, 0, array) : halo.scatter(f, DUCT_U, 0);
    halo.state(f);
    EXPECT(wrong_state(halo.views(f), mine) == 0);

    /* Every second plane across z, to the last rank and back; the planes between stay. */
    const bool last = rank == ranks - 1;
    std::vector<double> planes(NX * NY * ((NZ + 1) / 2));
    hx_selection even = {};
    even.field = DUCT_U;
    std::fill_n(even.n, HX_MAX_AXES, HX_REST);
    even.step[DUCT_AXIS_Z] = 2;
    even.array = hx::strided(planes.data(), {NX, NY, (NZ + 1) / 2}, {NY * ((NZ + 1) / 2), (NZ + 1) / 2, 1});
    EXPECT((last ? other.gather_selected(g, even) : other.gather_selected(g)) == HX_OK);
    for (std::size_t i = 0; i < planes.size() && last; ++i) {
        const auto at = static_cast<std::ptrdiff_t>(i);
        const std::ptrdiff_t n = (NZ + 1) / 2;
        const double right = value_at(at / (NY * n), at / n % NY, 2 * (at % n));
        wrong += planes[i] < right || planes[i] > right;
        planes[i] = -right;
    }
    EXPECT(wrong == 0);
    const std::vector<hx_selection> given(last ? 1 : 0, even);
    halo.scatter_selected(f, given);
    halo.gather_selected(f, given);
    for (std::size_t i = 0; i < planes.size() && last; ++i) {
        wrong += planes[i] > 0.0;
        planes[i] = -planes[i];
    }
    EXPECT(wrong == 0);
    halo.scatter_selected(f, given);
    halo.state(f);
    EXPECT(wrong_state(halo.views(f), mine) == 0);
    even.tile = 1;
    EXPECT((last ? other.gather_selected(g, even) : other.gather_selected(g)) == HX_ERR_ARGUMENT);
    EXPECT(std::strstr(hx_last_error(), "selection 0 is of tile 1") != nullptr);

    duct_fields two[2] = {f, f};
    EXPECT(other.redistribute(g, halo, two) == HX_ERR_ARGUMENT);
    EXPECT(std::strstr(hx_last_error(), "for 1 and 2 blocks") != nullptr);
    EXPECT(starts(error_of([&] { empty.redistribute(f, other, g); }), "HX_ERR_ARGUMENT duct: this handle is empty"));
    EXPECT(other.gather(g, 9, 0) == HX_ERR_ARGUMENT);
}

static hx_options with_deadline()
{
    hx_options options = HX_OPTIONS_INIT;
    options.deadline = 30; /* a rank that waits for one that has left says so */
    return options;
}

/* Handles that are made from another one: like it, and for more ranks, which are the same here. */
static void makes_others(ducts::status_handle &halo, duct_fields &f, const std::vector<int> &owners)
{
    ducts::status_handle next, wide;
    const hx_partition cut = halo.shape().part.partition;
    hx_blocks blocks = {};
    blocks.tiles = 1;
    blocks.partition = &cut;
    blocks.owners = owners.data();
    EXPECT(next.create_like(halo, blocks, halo.shape()) == HX_OK && next.blocks() == 1);
    EXPECT(wide.create_wide(halo, MPI_COMM_WORLD) == HX_OK && wide.blocks() == 1);
    duct_fields g = {};
    EXPECT(next.alloc(g) == HX_OK);
    fill_state(halo.views(f), halo.shape().part);
    hx_redistribution how = {};
    how.halos = 1;
    EXPECT(wide.redistribute(f, next, g, how) == HX_OK && next.state(g) == HX_OK);
    EXPECT(wrong_state(next.views(g), halo.shape().part) == 0);
}

/* What the last rank gets wrong, all are told. */
static void one_rank_is_wrong()
{
    const hx_options options = with_deadline();
    const hx_part mine = decompose();
    ducts::status_handle halo, other, empty;
    EXPECT(halo.create(MPI_COMM_WORLD, duct_shape_dense(&mine), &options) == HX_OK);
    EXPECT(other.create(MPI_COMM_WORLD, duct_shape_best(&mine), &options) == HX_OK);
    duct_fields f = {}, g = {}, none = {};
    EXPECT(halo.alloc(f) == HX_OK && other.alloc(g) == HX_OK && halo.state(f) == HX_OK);
    duct_fields two[2] = {f, f}, nothing[2] = {};
    std::vector<double> whole(NX * NY * NZ);
    const hx_strided_array array = hx::strided(whole.data(), {NX, NY, NZ}, {NY * NZ, NZ, 1});
    const bool last = rank == ranks - 1;
    EXPECT((last ? halo.redistribute(two, other, g) : halo.redistribute(f, other, g)) == HX_ERR_ARGUMENT);
    EXPECT(!last || std::strstr(hx_last_error(), "for 2 and 1 blocks"));
    EXPECT((last ? empty.redistribute(f, other, g) : halo.redistribute(f, other, g)) == HX_ERR_ARGUMENT);
    EXPECT(!last || std::strstr(hx_last_error(), "this handle is empty"));
    EXPECT((last ? halo.gather(two, DUCT_U, 0, array) : halo.gather(f, DUCT_U, 0, array)) == HX_ERR_ARGUMENT);
    EXPECT(!last || std::strstr(hx_last_error(), "for 2 blocks"));
    EXPECT((last ? halo.scatter(two, DUCT_U, 0, array) : halo.scatter(f, DUCT_U, 0, array)) ==
           HX_ERR_ARGUMENT);
    EXPECT((last ? halo.state_audit(two) : halo.state_audit(f)) == HX_ERR_ARGUMENT);
    EXPECT((last ? halo.alloc(nothing) : halo.alloc(none)) == HX_ERR_ARGUMENT && !none.u);
    EXPECT((last ? halo.free(two) : halo.free(f)) == HX_ERR_ARGUMENT && f.u);
    EXPECT(halo.redistribute(f, other, g) == HX_OK && halo.gather(f, DUCT_U, 0, array) == HX_OK);

    double work[2] = {1, 1};
    std::vector<int> owners(static_cast<std::size_t>(ranks));
    int moved = -1;
    EXPECT((last ? halo.rebalance(work, owners, moved) : halo.rebalance(work[0], owners, moved)) ==
           HX_ERR_ARGUMENT);
    EXPECT(halo.rebalance(work[0], owners, moved) == HX_OK && moved == 0);
    const duct_shape shape = halo.shape();
    EXPECT((last ? halo.create(MPI_COMM_WORLD, shape, &options)
                 : empty.create(MPI_COMM_WORLD, shape, &options)) != HX_OK);
    EXPECT(!empty && halo);
    makes_others(halo, f, owners);
}

/* A container that ends before what lies in memory. */
struct first_arrays {
    const hx_strided_array *from;
    std::size_t count;
    const hx_strided_array *data() const { return from; }
    std::size_t size() const { return count; }
};

/* Of three tiles: an array for each, and fewer. */
static void gathers_tiles()
{
    const int n = 4;
    hx_partition grid[3] = {bend_partition(n, n), bend_partition(n, n), bend_partition(n, n)};
    int owners[3] = {0, 1 % ranks, 2 % ranks};
    std::vector<bend_shape> shapes;
    for (int tile = 0; tile < 3; ++tile) {
        grid[tile].ranks[0] = grid[tile].ranks[1] = 1;
        if (owners[tile] == rank) {
            const hx_part part = hx::part_of(grid[tile], 0, tile);
            shapes.push_back(bend_shape_dense(&part));
        }
    }
    hx_blocks blocks = {};
    blocks.comm = MPI_COMM_WORLD;
    blocks.tiles = 3;
    blocks.partition = grid;
    blocks.owners = owners;
    const hx_options options = with_deadline();
    halogen::bend::status_handle halo;
    EXPECT(halo.create(blocks, shapes, &options) == HX_OK);
    std::vector<bend_fields> f(halo.blocks());
    EXPECT(halo.alloc(f) == HX_OK);
    for (std::size_t b = 0; b < f.size(); ++b) {
        const auto v = halo.views(f[b], b).p;
        std::fill_n(f[b].p, v.size(), static_cast<float>(shapes[b].part.tile + 1));
    }
    std::vector<float> whole(3 * n * n);
    std::array<hx_strided_array, 3> arrays;
    for (std::size_t tile = 0; tile < 3; ++tile) {
        arrays[tile] = hx::strided(whole.data() + tile * n * n, {n, n}, {n, 1});
    }
    EXPECT(halo.gather(f, BEND_P, 0, first_arrays{arrays.data(), 2}) == HX_ERR_ARGUMENT);
    EXPECT(rank != 0 || std::strstr(hx_last_error(), "the array of tile 2 on rank 0 is a null pointer"));
    EXPECT(halo.scatter(f, BEND_P, 0, first_arrays{arrays.data(), 1}) == HX_ERR_ARGUMENT);
    EXPECT(rank != 0 || std::strstr(hx_last_error(), "the array of tile 1 on rank 0 is a null pointer"));
    EXPECT(halo.gather(f, BEND_P, 0, arrays) == HX_OK);
    int wrong = 0;
    for (std::size_t i = 0; rank == 0 && i < whole.size(); ++i) {
        wrong += static_cast<std::size_t>(whole[i]) != i / (n * n) + 1;
    }
    EXPECT(wrong == 0);
}

/* The application moves messages itself, here to nobody: it looks at them. */
static void lists_messages()
{
    const hx_part mine = decompose();
    hx_options options = HX_OPTIONS_INIT;
    options.transport = "manual";
    ducts::handle halo(MPI_COMM_WORLD, duct_shape_dense(&mine), &options);
    std::vector<hx_message_buffer> buffers;
    halo.message_buffers(DUCT_STATE, buffers);
    EXPECT(static_cast<int>(buffers.size()) == 2 * halo.traffic(DUCT_STATE).peers);
}

/* Arrays in a window, messages in a pool. */
static void exchanges_in_windows()
{
    const hx_part mine = decompose();
    const duct_shape shape = duct_shape_dense(&mine);
    hx_window_request request = HX_WINDOW_REQUEST_INIT;
    request.name = "u";
    request.memory = HX_WINDOW_PARTS;
    request.element = sizeof(double);
    request.extent[0] = static_cast<int64_t>(duct_points(&shape, DUCT_U));
    hx::window first(MPI_COMM_WORLD, request);
    hx::window window(std::move(first));
    EXPECT(first.get() == nullptr && window.facts().bytes == 8 * duct_points(&shape, DUCT_U));
    EXPECT(error_of([&] { window.mine<float>(); }) ==
           "HX_ERR_ARGUMENT elements of the window have 8 bytes, the type asked "
           "for has 4; ask for one of that size.");
    hx::pool pool(true);
    const auto buffer = pool.acquire(100);
    EXPECT(buffer.size() == 100 && buffer.data() != nullptr);
    pool.release(buffer);
    EXPECT(starts(error_of([&] { pool.release(buffer); }), "HX_ERR_STATE "));
    hx_options options = HX_OPTIONS_INIT;
    options.pool = pool.get();
    ducts::handle halo(MPI_COMM_WORLD, shape, &options);
    duct_fields f = halo.alloc();
    f.u = window.mine<double>().data();
    halo.add_window(window.get());
    fill_state(halo.views(f), mine);
    halo.state(f);
    EXPECT(wrong_state(halo.views(f), mine) == 0);
    EXPECT(starts(error_of([&] { window.free(); }), "HX_ERR_STATE "));
    halo.remove_window(window.get());
    halo.destroy();
    window.free();
    EXPECT(window.get() == nullptr);
}

static hx::window window_of(hx_window_memory memory, std::size_t element, int64_t elements)
{
    hx_window_request request = HX_WINDOW_REQUEST_INIT;
    request.memory = memory;
    request.element = element;
    request.extent[0] = elements;
    request.check = 1;
    return hx::window(MPI_COMM_WORLD, request);
}

/* Everybody puts into the next rank's memory, and gets what the one before has. */
static void accesses_windows(hx::window &window, int next, int before)
{
    const auto mine = window.mine<int64_t>();
    std::fill(mine.begin(), mine.end(), -1);
    mine[3] = 100 + 1000 * rank;
    const int64_t numbers[] = {1 + 1000 * rank, 2 + 1000 * rank};
    std::vector<int64_t> got(1);
    window.fence();
    window.put(numbers, {next, 1});
    window.get(got, {before, 3});
    window.fence(HX_WINDOW_PEERS, MPI_MODE_NOSUCCEED);
    EXPECT(got[0] == 100 + 1000 * before);
    EXPECT(mine[0] == -1 && mine[1] == 1 + 1000 * before && mine[2] == 2 + 1000 * before);

    mine[0] = 7;
    window.post({before});
    window.start({next});
    window.accumulate(std::array<int64_t, 1>{rank}, {next}, MPI_SUM);
    window.complete();
    if (rank == 0) {
        while (!window.test()) {
        }
    } else {
        window.wait();
    }
    EXPECT(mine[0] == 7 + before);
}

static void locks_windows(hx::window &window, int next)
{
    const auto mine = window.mine<int64_t>();
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Request sent = MPI_REQUEST_NULL;
    const std::vector<int64_t> one = {rank + 1};
    std::array<int64_t, 1> old = {0};
    {
        hx::window_lock locked(window, next, true);
        window.put(one, {next, 2}, &sent);
        MPI_Wait(&sent, MPI_STATUS_IGNORE);
        window.flush(next);
        window.get_accumulate(one, old, {next, 2}, MPI_SUM);
        window.flush_local(next);
        EXPECT(old[0] == rank + 1);
        locked.unlock();
    }
    MPI_Barrier(MPI_COMM_WORLD);
    int64_t seen = 0;
    {
        const hx::window_lock locked(window);
        window.fetch_and_op(int64_t(0), seen, {next, 2}, MPI_NO_OP);
        window.flush();
        window.sync();
    }
    EXPECT(seen == 2 * (rank + 1));

    /* Each rank takes a number of its own.  Also after an exception nothing is locked. */
    mine[4] = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    int64_t ticket = -1;
    try {
        const hx::window_lock locked(window);
        window.fetch_and_op(int64_t(1), ticket, {0, 4}, MPI_SUM);
        throw std::bad_alloc();
    } catch (const std::bad_alloc &) {
    }
    int64_t sum = 0;
    MPI_Allreduce(&ticket, &sum, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    EXPECT(sum == ranks * (ranks - 1) / 2);
    window.lock_all();
    window.unlock_all();
    window.lock(0, false);
    window.unlock(0);
}

static void windows_say_what_is_wrong(hx::window &window)
{
    const std::vector<float> single(1);
    const std::vector<int64_t> two(2);
    std::vector<int64_t> none;
    EXPECT(error_of([&] { window.put(single, {0}); }) ==
           "HX_ERR_ARGUMENT elements of the window have 8 bytes, the type asked "
           "for has 4; ask for one of that size.");
    EXPECT(error_of([&] { window.get_accumulate(two, none, {0}, MPI_SUM); }) ==
           "HX_ERR_ARGUMENT into has 0 elements, from has 2; give into as many.");
    EXPECT(starts(error_of([&] { window.put(two, {0}); }), "HX_ERR_STATE "));
    EXPECT(starts(error_of([&] { window.unlock_all(); }), "HX_ERR_STATE "));
    EXPECT(starts(error_of([&] { hx::window_lock(window, ranks, true); }), "HX_ERR_ARGUMENT "));
    const hx::window_lock locked(window);
    EXPECT(starts(error_of([&] { window.put(two, {0, 4}); }), "HX_ERR_ARGUMENT "));
}

static void uses_windows()
{
    const int next = (rank + 1) % ranks, before = (rank + ranks - 1) % ranks;
    hx::window window = window_of(HX_WINDOW_PRIVATE, 8, 5);
    accesses_windows(window, next, before);
    locks_windows(window, next);
    windows_say_what_is_wrong(window);

    /* Memory that comes later, by its address. */
    hx::window any = window_of(HX_WINDOW_DYNAMIC, 4, 0);
    std::array<float, 2> own = {0.0f, 0.5f};
    any.attach(own.data(), sizeof own);
    int64_t address = hx::window::address(&own[1]), theirs = 0;
    MPI_Sendrecv(&address, 1, MPI_INT64_T, before, 0, &theirs, 1, MPI_INT64_T, next, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    any.fence();
    any.accumulate(std::vector<float>{static_cast<float>(rank)}, {next, theirs}, MPI_SUM);
    any.fence();
    EXPECT(static_cast<int>(2 * own[1]) == 1 + 2 * before);
    any.detach(own.data());
    EXPECT(starts(error_of([&] { any.detach(own.data()); }), "HX_ERR_STATE "));
}

/* Buffers of a pool that peers reach. */
static void pools_in_windows()
{
    hx::window window = window_of(HX_WINDOW_PRIVATE, 1, 4096);
    hx::pool pool(window.get());
    const auto first = pool.acquire(100), second = pool.acquire(300);
    EXPECT(pool.offset(second) ==
           static_cast<std::size_t>(second.data() - window.mine<unsigned char>().data()));
    EXPECT(pool.counters().held == 2 && pool.counters().acquired == 2);
    EXPECT(starts(error_of([&] { window.free(); }), "HX_ERR_STATE "));
    EXPECT(starts(error_of([&] { pool.free(); }), "HX_ERR_STATE ") && pool.get() != nullptr);
    pool.release(first);
    pool.release(second);
    EXPECT(pool.counters().idle > 0);
    pool.trim();
    EXPECT(pool.counters().idle == 0);
    pool.free();
    EXPECT(pool.get() == nullptr);
    window.free();
}

template <class T> static bool is_type(MPI_Datatype expected)
{
    int bytes = 0;
    MPI_Type_size(expected, &bytes);
    return hx::datatype<T>() == expected && bytes == static_cast<int>(sizeof(T));
}

static void knows_types()
{
    EXPECT(is_type<float>(MPI_FLOAT) && is_type<double>(MPI_DOUBLE) && is_type<long double>(MPI_LONG_DOUBLE));
    EXPECT(is_type<std::complex<float>>(MPI_C_FLOAT_COMPLEX) &&
           is_type<std::complex<double>>(MPI_C_DOUBLE_COMPLEX));
    EXPECT(is_type<bool>(MPI_C_BOOL) && is_type<signed char>(MPI_INT8_T) &&
           is_type<unsigned char>(MPI_UINT8_T));
    EXPECT(is_type<short>(MPI_INT16_T) && is_type<unsigned short>(MPI_UINT16_T) && is_type<int>(MPI_INT32_T));
    EXPECT(is_type<unsigned>(MPI_UINT32_T) && is_type<int64_t>(MPI_INT64_T) &&
           is_type<uint64_t>(MPI_UINT64_T));
}

/* What one rank has, all ranks read; of writable ones the ranks of a node see what the others wrote. */
static void shares_arrays()
{
    const int root = ranks - 1;
    std::vector<double> depth;
    for (int i = 0; i < 12; ++i) {
        depth.push_back(10.0 * (i / 4) + i % 4);
    }
    using table = hx::shared_array<const double, 2>;
    table first(MPI_COMM_WORLD, root, rank == root ? depth.data() : nullptr, {3, 4});
    depth.assign(12, -1.0); /* it was copied */
    table shared(std::move(first));
    EXPECT(first.get() == nullptr && first.data() == nullptr && first.size() == 0);
    EXPECT(shared.size() == 12 && shared.extent(0) == 3 && shared.extent(1) == 4 &&
           shared.elements().size() == 12);
    int wrong = 0;
    for (int j = 0; j < 3; ++j) {
        for (int i = 0; i < 4; ++i) {
            wrong += static_cast<int>(shared(j, i)) != 10 * j + i ||
                     &shared.view()(j, i) != shared.data() + 4 * j + i;
        }
    }
    EXPECT(wrong == 0);

    const std::vector<int> zeros(static_cast<std::size_t>(ranks), 0);
    hx::shared_array<int> all(MPI_COMM_WORLD, 0, zeros.data(), {zeros.size()});
    all(rank) = rank + 1;
    all.sync();
    int sum = 0;
    const auto seen = all.const_view();
    static_assert(std::is_const_v<std::remove_reference_t<decltype(seen(0))>>, "for reading");
    for (int i = 0; i < ranks; ++i) {
        sum += seen(i);
    }
    EXPECT(sum == ranks * (ranks + 1) / 2);
    all = hx::shared_array<int>(MPI_COMM_WORLD, 0, zeros.data(), {zeros.size()});
    EXPECT(all(rank) == 0);
    all.free();
    EXPECT(all.get() == nullptr && all.elements().empty());

    const std::string refused =
        error_of([&] { hx::shared_array<int>(MPI_COMM_WORLD, ranks, zeros.data(), {1}); });
    EXPECT(starts(refused, "HX_ERR_ARGUMENT "));
    hx::shared_array<const double, 2> none(MPI_COMM_WORLD, 0, nullptr);
    EXPECT(none.data() == nullptr && none.size() == 0);
}

/* The others do not come to destroy while one unwinds: there the handle is left alone, and C can still destroy it. */
static void unwinding_does_not_destroy()
{
    const hx_part mine = decompose();
    ::duct *left = nullptr;
    std::unique_ptr<ducts::handle> kept;
    try {
        ducts::handle halo(MPI_COMM_WORLD, duct_shape_dense(&mine));
        left = halo.get();
        if (rank == 0) {
            throw std::bad_alloc();
        }
        kept = std::make_unique<ducts::handle>(std::move(halo));
    } catch (const std::bad_alloc &) {
        EXPECT(rank == 0);
    }
    EXPECT(rank == 0 ? duct_destroy(left) == HX_OK : (kept->destroy(), !*kept));
}

/* ---- what was done ------------------------------------------------------------------------------------- */

static std::string statistics; /* a file that libhx writes again in MPI_Finalize */

static void tells_statistics()
{
    const hx_part mine = hx::decompose(MPI_COMM_WORLD, duct_partition(NX, NY, NZ));
    ducts::status_handle none;
    EXPECT(none.create(MPI_COMM_WORLD, duct_shape_dense(&mine)) == HX_OK);
    EXPECT(none.stats() == HX_ERR_STATE && std::strstr(hx_last_error(), "this handle has no statistics"));
    EXPECT(none.destroy() == HX_OK);

    statistics = "cxx-statistics-" + std::to_string(getpid()) + ".json";
    setenv("HX_STATS", statistics.c_str(), 1);
    ducts::handle halo(MPI_COMM_WORLD, duct_shape_dense(&mine));
    unsetenv("HX_STATS");
    halo.state(halo.alloc());
    halo.stats(statistics); /* the name that counts is rank 0's */
    if (rank == 0) {
        std::ifstream file(statistics);
        const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
        EXPECT(starts(text, "{\"format\": \"halogen-statistics\"") &&
               text.find("\"times\": 1,") != std::string::npos);
    }
}

static void observes()
{
    const hx_part mine = hx::decompose(MPI_COMM_WORLD, duct_partition(NX, NY, NZ));
    int calls = 0, ends = 0, all = 0;
    ducts::handle halo;
    {
        hx::observer finishes(
            [&](const hx_event &e) { calls += e.exchange == DUCT_STATE && e.since <= e.seconds; },
            {HX_EVENT_FINISHED});
        hx::observer everything([&](const hx_event &e) { ++all, ends += e.kind == HX_EVENT_DESTROYED; });
        halo.create(MPI_COMM_WORLD, duct_shape_dense(&mine));
        const duct_fields f = halo.alloc();
        halo.state(f);
        EXPECT(calls == 1 && all > 5);
        ducts::handle(MPI_COMM_WORLD, duct_shape_dense(&mine)).destroy();
        EXPECT(ends == 1);
        all = 0;
    }
    halo.state(halo.alloc()); /* both have ended */
    halo.destroy();
    EXPECT(calls == 1 && ends == 1 && all == 0);
}

/* As from another thread: one ends when a handle has it already, and has not told it so.  AddressSanitizer looks on. */
static void ends_observers_in_create()
{
    const hx_part mine = hx::decompose(MPI_COMM_WORLD, duct_partition(NX, NY, NZ));
    const auto kept = std::make_shared<int>(0);
    std::unique_ptr<hx::observer> ends;
    hx::observer first([&](const hx_event &) { ends.reset(); }, {HX_EVENT_CREATED});
    ends.reset(new hx::observer([kept](const hx_event &) { ++*kept; }));
    ducts::handle halo(MPI_COMM_WORLD, duct_shape_dense(&mine));
    EXPECT(!ends && kept.use_count() == 1); /* its function has gone */
    halo.state(halo.alloc());
    halo.destroy();
    EXPECT(*kept == 0);
}

int main(int argc, char **argv)
{
    stops_at_indices();
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    try {
        exchanges_one_block();
        finishes_what_work_leaves();
        moves();
        hooks_throw();
        assigns_to_busy_handles();
        work_and_hooks_throw();
        exchanges_several_blocks();
        exchanges_lists();
        takes_shapes_of_arrays();
        says_what_is_wrong();
        takes_containers();
        returns_statuses();
        audits();
        moves_fields();
        one_rank_is_wrong();
        gathers_tiles();
        lists_messages();
        exchanges_in_windows();
        uses_windows();
        pools_in_windows();
        knows_types();
        exchanges_planes();
        shares_arrays();
        observes();
        ends_observers_in_create();
        tells_statistics();
        unwinding_does_not_destroy();
    } catch (const hx::error &e) {
        std::printf("rank %d: %s\n", rank, e.what());
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    int all = 0;
    MPI_Allreduce(&failures, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    std::remove(statistics.c_str());
    return all == 0 ? 0 : 1;
}
