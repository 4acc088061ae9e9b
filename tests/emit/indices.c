/* The index of one point, where emitted headers are compiled to check indices.  See emitted.sh. */
#include "nodes.h"

#include <stdlib.h>

int main(int argc, char *argv[])
{
    nodes_shape shape = {.stride = {{3000, 300, 3}}};
    shape.part.n[NODES_AXIS_Z] = 2;
    shape.part.n[NODES_AXIS_Y] = 4;
    shape.part.n[NODES_AXIS_X] = 5;
    if (argc != 5) {
        return 1;
    }
    const int z = atoi(argv[1]), y = atoi(argv[2]), x = atoi(argv[3]), c = atoi(argv[4]);
    return nodes_u_at(&shape, z, y, x, c) == z * 3000 + y * 300 + (x + 2) * 3 + c ? 0 : 2;
}
