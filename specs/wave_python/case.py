"""What surrounds the model in wave.py: its start, its walls and the checksum of its end, bit for bit as ../wave has them."""

import math

import numpy as np

EXTENT = (1.0, 1.0, 0.5)
COURANT = 0.2
MODES = ((5, 0, 2), (4, 3, 2), (3, 4, 2), (0, 5, 2), (-3, 4, 2), (-4, 3, 2))
POSITIONS = {"p": (0.5, 0.5, 0.5), "u": (0.0, 0.5, 0.5), "v": (0.5, 0.0, 0.5), "w": (0.5, 0.5, 0.0)}

# Those of the C library: NumPy's own may differ in the last bit.
cos = np.frompyfunc(math.cos, 1, 1)
sin = np.frompyfunc(math.sin, 1, 1)


def exact(name, x, time):
    """The solution for one field at places x, by axes; see exact.c in ../wave."""
    total = 0.0
    for mode in MODES:
        k = [(math.pi if a == 2 else 2.0 * math.pi) * mode[a] / EXTENT[a] for a in range(3)]
        f = math.sqrt(math.pow(k[0], 2) + math.pow(k[1], 2) + math.pow(k[2], 2))
        angle = k[0] * (x[0] - 0.5) + k[1] * (x[1] - 0.5) - f * time
        if name == "w":
            total = total - k[2] / f * sin(angle) * sin(k[2] * x[2])
        else:
            along = {"p": None, "u": k[0], "v": k[1]}[name]
            wave = cos(angle) if along is None else along / f * cos(angle)
            total = total + wave * cos(k[2] * x[2])
    return total.astype(float)


def start(halo, f, cells):
    """Sets all fields: the pressure at time 0, the velocity half a step later.  Returns the time step over 24 spacings."""
    spacing = [EXTENT[a] / cells[a] for a in range(3)]
    time_step = COURANT * min(min(spacing), EXTENT[0])
    for name, position in POSITIONS.items():
        places = np.ogrid[tuple(slice(first, first + n) for first, n in zip(halo.first, halo.n))]
        x = [(places[a] + position[a]) * spacing[a] for a in range(3)]
        getattr(f.owned, name)[...] = exact(name, x, 0.0 if name == "p" else 0.5 * time_step)
    return [time_step / (24.0 * h) for h in spacing]


def walls(halo):
    """Whether the block lies at the floor, and at the ceiling."""
    ceiling = halo.first[2] + halo.n[2] == halo.cells[2]
    return halo.first[2] == 0, ceiling


def mirror_velocity(halo, f):
    """The velocity across a wall is odd about it.  w has one layer below; the ceiling is the first face above."""
    floor, ceiling = walls(halo)
    n = halo.n[2]
    if floor:
        f.w[..., 0] = -f.w[..., 2]
    if ceiling:
        f.w[..., n + 1], f.w[..., n + 2] = 0.0, -f.w[..., n]


def mirror_pressure(halo, f):
    """The pressure is even about a wall.  p has two layers below and one above."""
    floor, ceiling = walls(halo)
    n = halo.n[2]
    if floor:
        f.p[..., 1], f.p[..., 0] = f.p[..., 2], f.p[..., 3]
    if ceiling:
        f.p[..., n + 2] = f.p[..., n + 1]


def mix(bits):
    """Spreads every bit over all bits of another number; see ../common/checksum.c."""
    bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return bits ^ (bits >> np.uint64(31))


def report(halo, f):
    """Prints the checksum of all fields, whatever the ranks."""
    total, cells = np.uint64(0), halo.cells
    with np.errstate(over="ignore"):
        for number, name in enumerate(halo.spec.fields):
            x, y, z = np.ogrid[tuple(slice(first, first + n) for first, n in zip(halo.first, halo.n))]
            place = ((number * cells[2] + z) * cells[1] + y) * cells[0] + x
            bits = np.ascontiguousarray(getattr(f.owned, name)).view(np.uint64)
            total = total + mix(bits ^ mix(place.astype(np.uint64) + np.uint64(1))).sum(dtype=np.uint64)
        sums = halo.comm.gather(total)
        if halo.rank == 0:
            print(f"wave.py: {' x '.join(map(str, cells))} cells on {halo.comm.size} ranks")
            print(f"checksum   {int(np.sum(sums, dtype=np.uint64)):016x}")
