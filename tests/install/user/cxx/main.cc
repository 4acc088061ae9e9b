// Gives every cell a number of its own, exchanges, and looks at the whole halo.
#include "heat.hpp"

#include <cstdio>

namespace {

constexpr int nx = 12, ny = 10;

// What belongs at (i, j), counted in the block, inside it or not.
double number_at(const hx_part &part, int i, int j)
{
    return (part.first[0] + i + nx) % nx + nx * ((part.first[1] + j + ny) % ny);
}

int wrong_points(int &layers)
{
    const hx_part mine = hx::decompose(MPI_COMM_WORLD, heat_partition(nx, ny));
    halogen::heat::handle halo(MPI_COMM_WORLD, heat_shape_dense(&mine));
    const heat_fields f = halo.alloc();
    const auto t = halo.views(f).t;
    for (int j = 0; j < mine.n[1]; ++j) {
        for (int i = 0; i < mine.n[0]; ++i) {
            t(i, j) = number_at(mine, i, j);
        }
    }
    halo.temperature(f);

    layers = static_cast<int>(-t.begin(0));
    int wrong = 0;
    for (int j = -layers; j < t.end(1); ++j) {
        for (int i = -layers; i < t.end(0); ++i) {
            wrong += t(i, j) < number_at(mine, i, j) || t(i, j) > number_at(mine, i, j);
        }
    }
    return wrong;
}

} // namespace

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int layers = 0, wrong = wrong_points(layers), all_wrong = 0, rank = 0;
    MPI_Allreduce(&wrong, &all_wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        std::printf("%d layers, %d points wrong\n", layers, all_wrong);
    }
    MPI_Finalize();
    return all_wrong > 0;
}
