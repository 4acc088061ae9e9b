/*
 * Classes for C++ with walls that the program fills in the memory of a device, which here is the fake one of tests/cuda, under
 * mpirun.  The host may touch its memory (FAKE_CUDA_HOST_ACCESS), and kernels run when they are launched.
 */
#include "vent.hpp"

#include <cstdio>
#include <string>
#include <vector>

namespace vents = halogen::vent;

static int failures = 0, rank = 0;

#define EXPECT(condition)                                                                                    \
    ((condition) ? (void)0 : (void)(++failures, std::printf("rank %d, line %d: %s\n", rank, __LINE__, #condition)))

constexpr int NX = 11, NY = 6; /* cells */
constexpr int BEYOND = -7, OLD = -1;

static bool inside(std::ptrdiff_t index, std::ptrdiff_t points)
{
    return index >= 0 && index < points;
}

/* The array of t as points, which the class has no view of. */
static hx::view<double, 2> view_of_t(const vent_shape &shape, double *t)
{
    const std::ptrdiff_t nx = shape.part.n[0], ny = shape.part.n[1];
    return {t, {{nx, ny}, {2, 2}, {2, 2}, {shape.stride[VENT_T][0], shape.stride[VENT_T][1]}, vent_points(&shape, VENT_T)}};
}

static int value_at(std::ptrdiff_t x, std::ptrdiff_t y)
{
    return static_cast<int>(x * 100 + y);
}

template <class View>
static void fill(const View &v, const hx_part &part)
{
    for (auto i = v.begin(0); i < v.end(0); ++i) {
        for (auto j = v.begin(1); j < v.end(1); ++j) {
            const bool owned = inside(i, v.points(0)) && inside(j, v.points(1));
            const int value = owned ? value_at(part.first[0] + i, part.first[1] + j) : OLD;
            v(i, j) = static_cast<std::remove_reference_t<decltype(v(0, 0))>>(value);
        }
    }
}

/* beyond: what lies behind walls; a star leaves corners as they are. */
template <class View>
static int wrong(const View &v, const hx_part &part, int beyond, bool star)
{
    int count = 0;
    for (auto i = v.begin(0); i < v.end(0); ++i) {
        for (auto j = v.begin(1); j < v.end(1); ++j) {
            const std::ptrdiff_t x = part.first[0] + i, y = part.first[1] + j;
            const bool corner = !inside(i, v.points(0)) && !inside(j, v.points(1));
            const int right = star && corner ? OLD : inside(y, NY) ? value_at((x + NX) % NX, y) : beyond;
            count += static_cast<int>(v(i, j)) != right;
        }
    }
    return count;
}

template <class Handle>
static void fill_walls_of(Handle &halo)
{
    const auto fill_box = [](const auto &v, const hx_wall &wall) {
        for (int i = wall.lo[0]; i < wall.hi[0]; ++i) {
            for (int j = wall.lo[1]; j < wall.hi[1]; ++j) {
                v(i, j) = BEYOND;
            }
        }
    };
    halo.set_boundary([&halo, fill_box](const hx_wall &wall) {
        fill_box(vents::s_view(halo.shape(), static_cast<float *>(wall.array)), wall);
    });
    halo.set_boundary_on([&halo, fill_box](const hx_wall &wall, hx_stream) {
        EXPECT(wall.field == VENT_T);
        fill_box(view_of_t(halo.shape(), static_cast<double *>(wall.array)), wall);
    });
}

/* Each way of an exchange, of both, fills all ghost points. */
static void exchanges(vents::handle &halo, const hx_part &mine)
{
    const vent_fields f = halo.alloc();
    const auto t = view_of_t(halo.shape(), f.t);
    const auto s = halo.views(f).s;
    const std::vector<std::function<void()>> heats = {
        [&] { halo.heat(f, nullptr); },
        [&] { halo.heat(f, nullptr, [] {}); },
        [&] {
            halo.heat_start(f, nullptr);
            while (!halo.heat_test()) {
            }
            halo.heat_finish(nullptr);
        },
        [&] {
            halo.heat_pack(f, nullptr);
            halo.heat_send(nullptr);
            halo.heat_receive();
            halo.heat_unpack(f, nullptr);
        },
    };
    for (const auto &heat : heats) {
        fill(t, mine);
        fill(s, mine);
        heat();
        EXPECT(wrong(t, mine, BEYOND, false) == 0);
        EXPECT(wrong(s, mine, BEYOND, false) == 0);
    }
    fill(t, mine);
    halo.inner(f, nullptr);
    EXPECT(wrong(t, mine, OLD, true) == 0);
}

/* The exception of a function for the device comes out of finish, and the next exchange begins afresh. */
static void throws(vents::handle &halo, const hx_part &mine)
{
    const bool at_wall = mine.first[1] == 0 || mine.first[1] + mine.n[1] == NY;
    const vent_fields f = halo.alloc();
    halo.set_boundary_on([](const hx_wall &, hx_stream) { throw std::runtime_error("no kernel"); });
    std::string said;
    try {
        halo.heat(f, nullptr);
    } catch (const std::runtime_error &e) {
        said = e.what();
    }
    EXPECT(said == (at_wall ? "no kernel" : ""));
    fill_walls_of(halo);
    halo.heat(f, nullptr);
}

static void returns(const hx_part &mine)
{
    vents::status_handle halo;
    vent_fields f = {};
    EXPECT(halo.inner(f, nullptr) == HX_ERR_ARGUMENT);
    EXPECT(halo.create(MPI_COMM_WORLD, vent_shape_dense(&mine)) == HX_OK && halo.alloc(f) == HX_OK);
    fill(view_of_t(halo.shape(), f.t), mine);
    EXPECT(halo.inner_send(nullptr) == HX_ERR_STATE); /* nothing is packed */
    EXPECT(halo.inner_pack(f, nullptr) == HX_OK && halo.inner_send(nullptr) == HX_OK);
    EXPECT(halo.inner_pack(f, nullptr) == HX_ERR_STATE); /* under way */
    EXPECT(halo.inner_receive() == HX_OK && halo.inner_unpack(f, nullptr) == HX_OK);
    EXPECT(wrong(view_of_t(halo.shape(), f.t), mine, OLD, true) == 0);
    EXPECT(halo.destroy() == HX_OK);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    try {
        const hx_part mine = hx::decompose(MPI_COMM_WORLD, vent_partition(NX, NY));
        vents::handle halo(MPI_COMM_WORLD, vent_shape_best(&mine));
        fill_walls_of(halo);
        exchanges(halo, mine);
        throws(halo, mine);
        halo.destroy();
        returns(mine);
    } catch (const hx::error &e) {
        std::printf("rank %d: %s\n", rank, e.what());
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    int all = 0;
    MPI_Allreduce(&failures, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return all == 0 ? 0 : 1;
}
