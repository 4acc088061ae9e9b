// Two specs in one program, in C++, with libhx inside: numbers on a line, and the plane of main.c created beside it.
#include "heat.h"
#include "wind.h"

#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

const int cells = 17;

void check(hx_status status)
{
    if (status != HX_OK) {
        std::fprintf(stderr, "both: %s: %s\n", hx_status_name(status), hx_last_error());
        MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
    }
}

// Ghost points of this rank that are not the number of their cell after an exchange.
int wrong_points()
{
    const hx_partition line = wind_partition(cells);
    hx_part mine;
    check(hx_decompose(MPI_COMM_WORLD, &line, &mine));
    const wind_shape shape = wind_shape_dense(&mine);
    std::vector<int> numbers(wind_points(&shape, WIND_S), -1);
    for (int i = 0; i < mine.n[0]; ++i) {
        numbers[static_cast<std::size_t>(wind_s_at(&shape, i))] = mine.first[0] + i;
    }
    wind_fields fields = {};
    fields.s = numbers.data();
    wind *halo;
    check(wind_create(MPI_COMM_WORLD, &shape, nullptr, &halo));
    check(wind_speed(halo, &fields));
    check(wind_destroy(halo));
    int wrong = 0;
    for (int i = -2; i < mine.n[0] + 2; ++i) {
        const int expected = (mine.first[0] + i + cells) % cells;
        wrong += numbers[static_cast<std::size_t>(wind_s_at(&shape, i))] != expected;
    }
    return wrong;
}

void create_heat()
{
    const hx_partition plane = heat_partition(12, 10);
    hx_part mine;
    check(hx_decompose(MPI_COMM_WORLD, &plane, &mine));
    const heat_shape shape = heat_shape_dense(&mine);
    heat *halo;
    check(heat_create(MPI_COMM_WORLD, &shape, nullptr, &halo));
    check(heat_destroy(halo));
}

} // namespace

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    create_heat();
    int wrong = wrong_points(), all_wrong = 0, rank;
    MPI_Allreduce(&wrong, &all_wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        std::printf("2 specs, %d points wrong\n", all_wrong);
    }
    MPI_Finalize();
    return all_wrong > 0;
}
