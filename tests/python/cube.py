"""What halos of a cubed sphere hold, from positions on a cube in space: an oracle that shares nothing with halogen.

Each tile is a face of a cube of N x N cells, with two axes along it and one that points away from the middle.  Lengths are
counted in halves of cells, so that cell centers are odd and faces even, from 0 to 2N along a tile.  A halo goes on beyond an
edge by bending down onto the next face; what a ghost point holds is what lies at that place, and a vector there has its
components along the axes that were bent with it.
"""

import numpy as np


def _frames():
    """Axes x, y and outward of each tile.  Even tiles are left to the east, odd ones to the north, into the next one."""
    x, y, out = np.eye(3, dtype=int)
    frames = []
    for tile in range(6):
        frames.append((x, y, out))
        x, y, out = (-out, y, x) if tile % 2 == 0 else (x, -out, y)
    return frames


FRAMES = _frames()


def behind_edge(tile, X, Y, N):
    """Where a point beyond one edge of a tile lies: (tile, X, Y), and for each component, along x and y here, which component
    it is there and its sign.  None beyond a corner, where there is no tile."""
    x, y, out = FRAMES[tile]
    beyond = [(-x, -X), (x, X - 2 * N), (-y, -Y), (y, Y - 2 * N)]
    crossed = [(way, depth) for way, depth in beyond if depth > 0]
    if len(crossed) != 1:
        return None if crossed else ((tile, X, Y), ((0, 1), (1, 1)))
    ((way, depth),) = crossed
    place = (min(max(X, 0), 2 * N) - N) * x + (min(max(Y, 0), 2 * N) - N) * y + (N - depth) * out
    there = next(t for t in range(6) if (FRAMES[t][2] == way).all())
    bent = [-out * way.dot(axis) if way.dot(axis) else axis for axis in (x, y)]
    turned = []
    for axis in bent:
        along = [int(axis.dot(FRAMES[there][c])) for c in (0, 1)]
        turned.append((0, along[0]) if along[0] else (1, along[1]))
    return (there, int(place.dot(FRAMES[there][0])) + N, int(place.dot(FRAMES[there][1])) + N), tuple(turned)


def around(tile, X, Y, NX, NY):
    """The same on a tile that closes on itself along both axes."""

    def inside(P, N):
        return P + 2 * N if P < 0 else P - 2 * N if P > 2 * N else P

    return (tile, inside(X, NX), inside(Y, NY)), ((0, 1), (1, 1))
