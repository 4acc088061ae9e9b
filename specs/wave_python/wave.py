"""Sound in a room, as ../wave has it in C: the same spec, the same scheme, the same bits.  wave.py SPEC NX NY NZ STEPS"""

import sys

from mpi4py import MPI

import case
import halogen

cells, steps = tuple(map(int, sys.argv[2:5])), int(sys.argv[5])
spec = halogen.load(sys.argv[1], comm=MPI.COMM_WORLD)
with spec.create(MPI.COMM_WORLD, cells) as halo:
    f = halo.alloc()
    c = case.start(halo, f, cells)  # sets all fields; time step / (24 * spacing), by axes

    def slope(name, axis, side):  # 24 h times that from each point towards its low (0) or high (1) side
        low = [lo + side * (a == axis) for a, lo in enumerate(spec.fields[name].halo_lo)]
        near = [[slice(lo + by * (a == axis), lo + by * (a == axis) + halo.n[a]) for a, lo in enumerate(low)] for by in (-2, -1, 0, 1)]
        below, low, high, above = (getattr(f, name)[tuple(points)] for points in near)
        return 27.0 * (high - low) - (above - below)

    for _ in range(steps):
        halo.velocity(f)
        case.mirror_velocity(halo, f)
        f.owned.p[...] -= c[0] * slope("u", 0, 1) + c[1] * slope("v", 1, 1) + c[2] * slope("w", 2, 1)
        halo.pressure(f)
        case.mirror_pressure(halo, f)
        for axis, name in enumerate("uvw"):
            getattr(f.owned, name)[...] -= c[axis] * slope("p", axis, 0)
    case.report(halo, f)
