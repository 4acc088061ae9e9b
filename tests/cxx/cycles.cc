/*
 * Cycles from C++: one exchange serves several, and the bits are those of the program in C: tests/exchange/cycles.c computes the whole
 * grid in one array, with the same loops, and has the same digest.  Here a sum of such numbers, one for each point, since each rank has
 * some of them.
 *
 *     cycles, on 1 to 12 ranks
 */
#include "march.hpp"

#include <cinttypes>
#include <cstdio>

namespace {

constexpr int NX = 14, NY = 23, TURNS = 31, MOST = 5;
constexpr std::uint64_t BEYOND_WALLS = 77, EXPECTED = UINT64_C(0x880291bbde17a0c4);

std::uint64_t mix(std::uint64_t a, std::uint64_t b)
{
    a = (a ^ b) * UINT64_C(0x9e3779b97f4a7c15);
    return a ^ a >> 29;
}

/* Of a field; y in the block. */
template <class View> std::uint64_t at(const hx_part &part, const View &v, int x, int y)
{
    const int there = part.first[1] + y;
    return there < 0 || there >= NY ? BEYOND_WALLS : v(x, y);
}

template <class Function> void for_box(const hx_boxes &points, Function f)
{
    const hx_box &box = points.box[0];
    for (int x = box.lo[0]; x < box.hi[0]; ++x) {
        for (int y = box.lo[1]; y < box.hi[1]; ++y) {
            f(x, y);
        }
    }
}

void begin(const hx_part &part, const halogen::march::block_views &v)
{
    for (int x = 0; x <= part.n[0]; ++x) {
        for (int y = 0; y < part.n[1]; ++y) {
            const auto number = static_cast<std::uint64_t>((part.first[0] + x) % NX * 1000 + part.first[1] + y);
            v.q(x, y) = mix(number, 2);
            if (x < part.n[0]) {
                v.h(x, y) = mix(number, 1);
            }
        }
    }
}

void steps(const halogen::march::handle &halo, const halogen::march::block_views &v)
{
    const hx_part &part = halo.shape().part;
    for_box(halo.advance_slope_points(0, MARCH_Q), [&](int x, int y) {
        for (int dx = -1; dx <= 0; ++dx) {
            for (int dy = -1; dy <= 1; ++dy) {
                v.q(x, y) = mix(v.q(x, y), at(part, v.h, x + dx, y + dy));
            }
        }
    });
    for_box(halo.advance_height_points(0, MARCH_H), [&](int x, int y) {
        v.h(x, y) = mix(v.h(x, y), at(part, v.q, x + 1, y));
        for (int dy = -2; dy <= 0; ++dy) {
            v.h(x, y) = mix(v.h(x, y), at(part, v.q, x, y + dy));
        }
    });
}

/* The same for any partition. */
std::uint64_t sum_of(const hx_part &part, const halogen::march::block_views &v)
{
    std::uint64_t mine = 0, all = 0;
    for (int x = 0; x < part.n[0]; ++x) {
        for (int y = 0; y < part.n[1]; ++y) {
            const auto place = static_cast<std::uint64_t>((part.first[0] + x) * NY + part.first[1] + y);
            mine += mix(mix(place, v.h(x, y)), v.q(x, y));
        }
    }
    MPI_Allreduce(&mine, &all, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    return all;
}

int run(const hx_part &part, int cycles)
{
    hx_options options = HX_OPTIONS_INIT;
    options.cycles = cycles;
    halogen::march::handle halo(MPI_COMM_WORLD, march_shape_dense(&part), &options);
    march_fields f = halo.alloc();
    const auto v = halo.views(f);
    begin(part, v);
    for (int turn = 0; turn < TURNS; ++turn) {
        if (turn % 2 == 0) {
            halo.advance(f);
        } else {
            halo.advance_start(f);
            halo.advance_finish();
        }
        steps(halo, v);
    }
    const std::uint64_t sum = sum_of(part, v), served = static_cast<std::uint64_t>(cycles < MOST ? cycles : MOST);
    const std::uint64_t exchanges = halo.traffic(MARCH_STATE).exchanges;
    halo.advance_restart();
    halo.advance(f);
    const bool restarted = halo.traffic(MARCH_STATE).exchanges == exchanges + 1;
    if (sum == EXPECTED && restarted && (served == 0 || exchanges == (TURNS + served - 1) / served)) {
        return 0;
    }
    std::printf("with %d cycles an exchange the sum is 0x%" PRIx64 " after %" PRIu64 " exchanges%s\n", cycles, sum, exchanges,
                restarted ? "" : ", and none after restart");
    return 1;
}

} // namespace

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int failures = 0;
    const hx_part part = hx::decompose(MPI_COMM_WORLD, march_partition(NX, NY));
    for (int cycles = 0; cycles <= MOST + 1; ++cycles) {
        failures += run(part, cycles);
    }
    MPI_Finalize();
    return failures > 0;
}
