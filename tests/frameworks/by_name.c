#include "expect.h"
#include "tank.h"
#include "tank_by.h"

#include <stdlib.h>
#include <string.h>

#define FILL(array, type, field)                                                                             \
    for (size_t k = 0; k < tank_points(&shape, field); ++k) {                                                \
        (array)[k] = (type)tank_value(rank, field, k);                                                       \
    }

#define KEEP(of, field)                                                                                      \
    after.bytes[field] = tank_points(&shape, field) * sizeof *(of);                                          \
    after.array[field] = malloc(after.bytes[field]);                                                         \
    expect(after.array[field] != NULL);                                                                      \
    memcpy(after.array[field], of, after.bytes[field]);                                                      \
    for (size_t k = 0; k < tank_points(&shape, field); ++k) {                                                \
        after.changed[field] += (int)(of)[k] != tank_value(rank, field, k);                                  \
    }

tank_arrays tank_by_name(int rank)
{
    hx_partition grid = tank_partition(TANK_X, TANK_Y, TANK_Z);
    hx_part mine;
    tank *h;
    tank_fields f;
    tank_arrays after = {.grid = grid};
    expect_ok(hx_decompose(MPI_COMM_WORLD, &grid, &mine));
    const tank_shape shape = tank_shape_dense(&mine);
    expect_ok(tank_create(MPI_COMM_WORLD, &shape, NULL, &h));
    expect_ok(tank_alloc(h, &f));
    FILL(f.u, double, TANK_U)
    FILL(f.t, float, TANK_T)
    FILL(f.m, int32_t, TANK_M)
    expect_ok(tank_flow(h, &f));
    expect_ok(tank_star(h, &f));
    expect_ok(tank_sums(h, &f));
    KEEP(f.u, TANK_U)
    KEEP(f.t, TANK_T)
    KEEP(f.m, TANK_M)
    expect_ok(tank_destroy(h));
    return after;
}
