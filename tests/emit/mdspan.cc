/*
 * The whole array of a view, as the standard library of C++23 has it: the same points at the same addresses, from index 0
 * on.  cxx.sh compiles and runs this where a library has std::mdspan; it calls neither libhx nor MPI.
 */
#include <hx/hx.hpp>

#include <cstdio>
#include <type_traits>
#include <vector>

#ifndef __cpp_lib_mdspan
#error "this library has no std::mdspan"
#endif

/* 4 x 5 x 6 points of 3 components, which lie side by side; rows and planes have room behind them. */
constexpr std::ptrdiff_t N[] = {4, 5, 6, 3}, LOW[] = {1, 2, 0, 0}, HIGH[] = {2, 1, 1, 0},
                         STRIDE[] = {3, 40, 400, 1};

int main()
{
    std::vector<float> memory(400 * 7);
    const hx::view<float, 4, 3> q(memory.data(), {{N[0], N[1], N[2], N[3]},
                                                  {LOW[0], LOW[1], LOW[2], LOW[3]},
                                                  {HIGH[0], HIGH[1], HIGH[2], HIGH[3]},
                                                  {STRIDE[0], STRIDE[1], STRIDE[2], STRIDE[3]},
                                                  memory.size()});
    const auto m = q.mdspan();
    static_assert(std::is_same_v<decltype(q.elements()), std::span<float>>);
    int wrong = q.elements().data() != memory.data() || q.elements().size() != memory.size();
    for (std::size_t a = 0; a < 4; ++a) {
        wrong += m.extent(a) != LOW[a] + N[a] + HIGH[a] || m.stride(a) != STRIDE[a];
    }
    for (std::ptrdiff_t i = 0; i < 7; ++i) {
        for (std::ptrdiff_t j = 0; j < 8; ++j) {
            for (std::ptrdiff_t k = 0; k < 7; ++k) {
                for (std::ptrdiff_t c = 0; c < 3; ++c) {
                    wrong += &m[i, j, k, c] != memory.data() + 3 * i + 40 * j + 400 * k + c;
                    wrong += &m[i, j, k, c] != &q[i - LOW[0], j - LOW[1], k - LOW[2], c];
                }
            }
        }
    }
    std::printf("%d of the array's points or extents are wrong\n", wrong);
    return wrong != 0;
}
