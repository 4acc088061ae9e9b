"""Cycles from Python: one exchange serves several, and the bits are those of one array that has the whole grid, and of the
program in C: tests/exchange/cycles.c has the same loops, and the same digest.  mpirun -n N python3 cycles.py"""

import os
import sys

import numpy as np

import halogen
from ranks import comm, fail, refuses, run

MARCH = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "exchange", "specs", "march.lua")
NX, NY, TURNS, MOST = 14, 23, 31, 5
BEYOND_WALLS = np.uint64(77)
DIGEST = 0x4C1CE91244CAA050


def mix(a, b):
    a = np.bitwise_xor(a, b, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    return a ^ a >> np.uint64(29)


# ---- the whole grid ----


def begin():
    x, y = np.ogrid[0:NX, 0:NY]
    number = (1000 * x + y).astype(np.uint64)
    return mix(number, np.uint64(1)), mix(number, np.uint64(2))


def beside(a, dx, dy):
    """What lies so far from each point; beyond walls there is nothing."""
    out = np.full_like(a, BEYOND_WALLS)
    low, high = max(0, -dy), min(NY, NY - dy)
    out[:, low:high] = np.roll(a, -dx, axis=0)[:, low + dy : high + dy]
    return out


def march_whole(h, q):
    for dx in (-1, 0):
        for dy in (-1, 0, 1):
            q = mix(q, beside(h, dx, dy))
    h = mix(h, beside(q, 1, 0))
    for dy in (-2, -1, 0):
        h = mix(h, beside(q, 0, dy))
    return h, q


def digest(h, q):
    so_far = np.zeros(1, np.uint64)
    for pair in zip(h.ravel(), q.ravel()):
        for value in pair:
            so_far = mix(so_far, np.array([value]))
    return int(so_far[0])


# ---- by blocks ----


def part_of(a, block, faces):
    """The points of a block, in the whole grid."""
    x = np.arange(block.first[0], block.first[0] + block.n[0] + faces) % NX
    return a[x, block.first[1] : block.first[1] + block.n[1]]


def slope(halo, h, q, block):
    here = halo.advance.points("slope", "q", block)
    value = q[here.of("q")]
    for dx in (-1, 0):
        for dy in (-1, 0, 1):
            value = mix(value, h[here.of("h", x=dx, y=dy)])
    q[here.of("q")] = value


def height(halo, h, q, block):
    here = halo.advance.points("height", "h", block)
    value = mix(h[here.of("h")], q[here.of("q", x=1)])
    for dy in (-2, -1, 0):
        value = mix(value, q[here.of("q", y=dy)])
    h[here.of("h")] = value


def fill(halo, f, h, q):
    for block, mine, faces in zip(halo.blocks, f.h, f.q):
        beyond = np.arange(mine.shape[1]) + block.first[1] - 15
        for array in (mine, faces):
            array[:, (beyond < 0) | (beyond >= NY)] = BEYOND_WALLS
    for block, mine, faces in zip(halo.blocks, f.owned.h, f.owned.q):
        mine[...], faces[...] = part_of(h, block, 0), part_of(q, block, 1)


def advance(halo, f, turn):
    """In each way to call it."""
    if turn % 3 == 0:
        halo.advance(f)
    elif turn % 3 == 1:
        with halo.advance.start(f.h, q=f.q):
            pass
    else:
        halo.advance.start(f).finish()


def march(halo, every):
    f = halo.alloc()
    h, q = begin()
    fill(halo, f, h, q)
    for turn in range(TURNS):
        advance(halo, f, turn)
        for number in range(len(halo.blocks)):
            slope(halo, f.h[number], f.q[number], number)
            height(halo, f.h[number], f.q[number], number)
        h, q = march_whole(h, q)
        for block, mine, faces in zip(halo.blocks, f.owned.h, f.owned.q):
            wrong = np.count_nonzero(mine != part_of(h, block, 0)) + np.count_nonzero(faces != part_of(q, block, 1))
            if wrong:
                fail(f"{wrong} points are wrong in cycle {turn}, with {every} an exchange")
    if digest(h, q) != DIGEST:
        fail(f"the program in C has other bits, not {digest(h, q):#x}")
    served = min(every, MOST)
    if served and halo.traffic("state").exchanges != -(-TURNS // served):
        fail(f"{halo.traffic('state').exchanges} exchanges, with {served} cycles each")


def test_right(spec, comm):
    for parts in ((1, 1), (2, 1), (3, 4)):
        owners = [block % comm.size for block in range(parts[0] * parts[1])]
        for every in range(MOST + 2) if parts == (3, 4) else (0, 2, MOST):
            with spec.create(comm, (NX, NY), ranks=parts, owners=owners, cycles=every) as halo:
                march(halo, every)


def test_facts(spec, comm):
    facts = spec.cycles["advance"]
    assert facts == halogen.CycleFacts(0, "advance", 11, "state", MOST, ("slope", "height")), facts
    with spec.create(comm, (NX, NY), cycles=2) as halo:
        assert repr(halo.advance) == "<halogen cycle march.advance: slope, height>"
        f = halo.alloc()
        halo.advance(f)
        points = halo.advance.points("height", "h")
        assert repr(points) == f"<halogen points {points.lo} to {points.hi}>" and points.hi[0] >= halo.n[0] + 1
        halo.advance.restart()
        halo.advance(f)
        assert halo.traffic("state").exchanges == 2


def test_refused(spec, comm):
    with spec.create(comm, (NX, NY), cycles=3) as halo:
        f, cycle = halo.alloc(), halo.advance
        refuses(halogen.StateError, "advance: no cycle goes on; call it before its steps (march.lua:11)", cycle.points, "slope", "q")
        refuses(halogen.ArgumentError, "advance needs q.", cycle, f.h)
        refuses(halogen.ArgumentError, 'advance: has no field with memory = "cuda"', cycle, f, stream=0)
        pending = cycle.start(f)
        refuses(halogen.StateError, "advance is under way; finish it first (march.lua:11).", cycle.start, f)
        refuses(halogen.StateError, "advance is a cycle, which has no test()", pending.test)
        pending.finish()
        refuses(halogen.ArgumentError, "advance has no step depth; it has slope, height.", cycle.points, "depth", "q")
        refuses(halogen.ArgumentError, "march has no field z; it has h, q.", cycle.points, "slope", "z")
        refuses(halogen.ArgumentError, "block: needs a whole number from 0 to 0, got 1.", cycle.points, "slope", "q", 1)
        points = cycle.points("slope", "q")
        refuses(halogen.ArgumentError, "h: there is no axis z; the spec has x, y.", points.of, "h", z=1)
        low = f"h: points {points.lo[0] - 9} to {points.hi[0] - 10} along x are wanted, and its array has -5 to {halo.n[0] + 4}."
        refuses(halogen.ArgumentError, low, points.of, "h", x=-9)
    refuses(halogen.StateError, "the handle is closed.", cycle.restart)


def main():
    run((test_right, test_facts, test_refused), halogen.load(MARCH, comm=comm), comm)


if __name__ == "__main__":
    sys.exit(main())
