"""Halo updates through the adapter for NDSL, compared point by point with the oracle of cube.py.

usage: mpirun -n RANKS python3 ndsl_ranks.py cube|tile ROWS COLUMNS [CASE...]
       CASE: the name of a function below; all if none is named
"""

import dataclasses
import functools
import itertools
import sys

import numpy as np

import cube
import cupy_stand_in
import ndsl_stand_in as ndsl
from halogen.adapters import ndsl as adapter
from ranks import comm, fail, raises, run

UNTOUCHED = -1


def cuts_of(cells, parts):
    return [cells * part // parts for part in range(parts + 1)]


class Here:
    """This rank's place: its tile, and its cells there."""

    def __init__(self, kind, rows, columns, cells):
        self.kind, self.layout = kind, (rows, columns)
        self.NX, self.NY = cells if kind == "tile" else (cells[0], cells[0])
        self.cuts = cuts_of(self.NX, columns), cuts_of(self.NY, rows)
        self.tile, at = divmod(comm.rank, rows * columns)
        row, column = divmod(at, columns)
        self.first = self.cuts[0][column], self.cuts[1][row]
        self.n = self.cuts[0][column + 1] - self.first[0], self.cuts[1][row + 1] - self.first[1]

    def source(self, X, Y):
        return (
            cube.behind_edge(self.tile, X, Y, self.NX)
            if self.kind == "cube"
            else cube.around(self.tile, X, Y, self.NX, self.NY)
        )

    def rank_of(self, tile, X, Y):
        """The rank that has the cell to the north-east of a point."""
        column = sum(cut <= X // 2 for cut in self.cuts[0][1:-1])
        row = sum(cut <= Y // 2 for cut in self.cuts[1][1:-1])
        return (tile * self.layout[0] + row) * self.layout[1] + column

    def communicator(self):
        partitioner = ndsl.TilePartitioner(self.layout)
        if self.kind == "cube":
            partitioner = ndsl.CubedSpherePartitioner(partitioner)
        return ndsl.Communicator(ndsl.MPIComm(comm), partitioner)


@dataclasses.dataclass
class Kind:
    """A quantity to be made: what its dimensions are called, the slowest first, their lengths beside i and j, and more."""

    dims: tuple
    lengths: dict = dataclasses.field(default_factory=dict)
    dtype: type = np.float64
    layers: int = 2
    halo: int = 3
    order: str = "C"
    room: int = 0
    component: int = 0
    vector: bool = False
    number: int = 0


def value(kind, place, component, levels):
    """A number for each point of each component, level and quantity that none other has."""
    tile, X, Y = place
    number = (((kind.number * 2 + component) * 6 + tile) * 64 + X) * 64 + Y
    for level in levels:
        number = number * 4 + level
    return number + 1


def fill(here, kind):
    """The quantity before the update, and the array that it becomes."""
    along = {"i": 0, "i_interface": 0, "j": 1, "j_interface": 1}
    extent = [here.n[along[d]] + d.endswith("_interface") if d in along else kind.lengths[d] for d in kind.dims]
    around = [kind.halo if d in along else 0 for d in kind.dims]
    origin = [a + kind.room for a in around]
    shape = [e + 2 * a + 2 * kind.room for e, a in zip(extent, around)]
    data = np.full(shape, UNTOUCHED, kind.dtype, order=kind.order)
    expected = data.copy(order="K")
    first = [here.first[along[d]] if d in along else 0 for d in kind.dims]
    reach = [kind.layers if d in along else 0 for d in kind.dims]
    for index in itertools.product(*(range(-r, e + r) for r, e in zip(reach, extent))):
        at = tuple(o + i for o, i in zip(origin, index))
        place = {
            along[d]: 2 * (f + i) + (not d.endswith("_interface"))
            for d, f, i in zip(kind.dims, first, index)
            if d in along
        }
        levels = [i for d, i in zip(kind.dims, index) if d not in along]
        found = here.source(place[0], place[1])
        inside = all(0 <= i < e for i, e in zip(index, extent))
        if inside:
            data[at] = expected[at] = value(kind, (here.tile, place[0], place[1]), kind.component, levels)
        elif found is not None:
            source, turned = found
            component, sign = turned[kind.component] if kind.vector else (0, 1)
            expected[at] = sign * value(kind, source, component, levels)
    return ndsl.Quantity(data, kind.dims, origin, extent, kind.halo), expected


def compare(what, pairs):
    wrong = []
    for number, (quantity, expected) in enumerate(pairs):
        if not np.array_equal(quantity.data, expected):
            at = tuple(np.argwhere(quantity.data != expected)[0])
            wrong.append(
                f"{what}: quantity {number} {quantity.dims} at {at} - {quantity.origin}: is {quantity.data[at]}, not {expected[at]}"
            )
    if wrong:
        fail("; ".join(wrong[:3]))


def numbered(kinds):
    return [dataclasses.replace(kind, number=number) for number, kind in enumerate(kinds)]


def scalars(here, communicator):
    K = {"k": 3}
    kinds = numbered(
        [
            Kind(("k", "j", "i"), K),
            Kind(("i", "j", "k"), K, np.float32),
            Kind(("j", "i"), dtype=np.int32, layers=1),
            Kind(("j", "k", "i"), K, room=1),
            Kind(("k_interface", "j_interface", "i_interface"), {"k_interface": 4}, layers=1),
            Kind(("i_interface", "j_interface"), order="F", room=2),
            Kind(("i", "j", "k"), K, room=1, layers=1),
            Kind(("i", "j", "k_interface"), {"k_interface": 4}, np.float32, room=1),
            Kind(("t", "k", "j", "i"), {"t": 2, "k": 3}),
            Kind(("k", "j", "i"), {"k": 1}, layers=3),
            Kind(("i", "j"), dtype=np.complex64),
            Kind(("k", "i", "j", "t"), {"k": 3, "t": 2}),
        ]
    )
    made = [fill(here, kind) for kind in kinds]
    updater = communicator.get_scalar_halo_updater([q.halo_spec(kind.layers) for (q, _), kind in zip(made, kinds)])
    for _ in range(2):
        updater.update([q for q, _ in made])
        compare("scalars", made)
    others = [fill(here, kind) for kind in kinds]
    updater.start([q for q, _ in others])
    updater.wait()
    compare("scalars of other arrays", others)


VECTORS = {
    "A": (("j", "i"), ("j", "i")),
    "B": (("j_interface", "i_interface"), ("j_interface", "i_interface")),
    "C": (("j", "i_interface"), ("j_interface", "i")),
    "D": (("j_interface", "i"), ("j", "i_interface")),
}


def vector_kinds():
    kinds = []
    for number, (name, (x, y)) in enumerate(VECTORS.items()):
        third = () if name == "A" else ("k",)
        lead = name in "AB"
        kinds.append(
            [
                Kind(
                    third + dims if lead else dims + third,
                    {"k": 3},
                    np.float32 if name == "D" else np.float64,
                    2 - number % 2,
                    component=component,
                    vector=True,
                    number=number,
                    room=number % 2,
                )
                for component, dims in enumerate((x, y))
            ]
        )
    return kinds


def vectors(here, communicator):
    kinds = vector_kinds()
    made = [[fill(here, kind) for kind in pair] for pair in kinds]
    updater = communicator.get_vector_halo_updater(
        *([pair[c][0].halo_spec(kind[c].layers) for pair, kind in zip(made, kinds)] for c in (0, 1))
    )
    for _ in range(2):
        updater.update(*([pair[c][0] for pair in made] for c in (0, 1)))
        compare("vectors", sum(made, []))


def calls_with_quantities(here, communicator):
    first, second = numbered([Kind(("k", "j", "i"), {"k": 2}), Kind(("j", "i"), dtype=np.float32)])
    for _ in range(3):
        one, two = fill(here, first), fill(here, second)
        communicator.halo_update(one[0], 2)
        requests = [communicator.start_halo_update([two[0]], 2)]
        three = fill(here, first)
        requests.append(communicator.start_halo_update([three[0]], 2))
        for request in requests:
            request.wait()
        compare("calls with quantities", [one, two, three])
    x, y = (fill(here, kind) for kind in vector_kinds()[3])
    n = vector_kinds()[3][0].layers
    communicator.vector_halo_update(x[0], y[0], n)
    compare("a vector", [x, y])
    assert len(communicator._handles) == 3, len(communicator._handles)  # what was waited for serves again


def under_way_together(here, communicator):
    """Ranks wait in different orders, so that different handles are free when the next update begins."""
    kind = Kind(("j", "i"))
    for _ in range(3):
        made = [fill(here, kind) for _ in range(4)]
        requests = [communicator.start_halo_update(q, 2) for q, _ in made[:2]]
        requests.pop(comm.rank % 2).wait()
        requests += [communicator.start_halo_update(q, 2) for q, _ in made[2:]]
        for request in requests if comm.rank % 2 else reversed(requests):
            request.wait()
        compare("several under way", made)


def interfaces(here, communicator):
    """Each rank has numbers of its own on the points that it shares; those of the rank to the north or east stay."""
    for lead, room in (((), 0), (("k",), 1)):
        pair = []
        for component, dims in enumerate(VECTORS["D"]):
            kind = Kind(lead + dims, {"k": 3}, layers=0, component=component, vector=True, room=room)
            quantity, expected = fill(here, kind)
            kept = tuple(slice(o, o + e) for o, e in zip(quantity.origin, quantity.extent))
            quantity.data[kept] += comm.rank * 2.0**30
            expected = quantity.data.copy()
            across = quantity.dims.index("j_interface" if component == 0 else "i_interface")
            along = quantity.dims.index("i" if component == 0 else "j")
            levels = range(3) if lead else [None]
            for cell, level in itertools.product(range(quantity.extent[along]), levels):
                P = [0, 0]
                P[component] = 2 * (here.first[component] + cell) + 1
                P[1 - component] = 2 * (here.first[1 - component] + here.n[1 - component])
                N = (here.NX, here.NY)[1 - component]
                place, turned = (here.tile, *P), ((0, 1), (1, 1))
                if P[1 - component] == 2 * N:
                    P[1 - component] += 1  # just beyond the edge, to find the tile there, whose first points these are
                    (tile, *there), turned = here.source(*P)
                    there[1 - turned[component][0]] = 0
                    place = tile, *there
                other, sign = turned[component]
                at = [0] * len(dims) if not lead else [0] * (1 + len(dims))
                at[across] = quantity.origin[across] + quantity.extent[across] - 1
                at[along] = quantity.origin[along] + cell
                if lead:
                    at[0] = quantity.origin[0] + level
                number = value(kind, place, other, [level] if lead else [])
                expected[tuple(at)] = sign * (number + here.rank_of(*place) * 2.0**30)
            pair.append((quantity, expected))
        communicator.synchronize_vector_interfaces(pair[0][0], pair[1][0])
        compare("interfaces", pair)
        communicator.synchronize_vector_interfaces(pair[0][0], pair[1][0])
        compare("interfaces again", pair)


def wrapped(here, communicator):
    """By name in a dict and in a dataclass, whose quantities change."""
    kind = Kind(("j", "i"))
    (u, _), (v, _) = fill(here, kind), fill(here, kind)
    state = {"u": u, "v": v}
    updater = communicator.get_scalar_halo_updater([u.halo_spec(2), v.halo_spec(2)])
    by_name = adapter.WrappedHaloUpdater(updater, state, ["u", "v"])
    for _ in range(2):
        made = [fill(here, kind) for _ in "uv"]
        state["u"], state["v"] = (q for q, _ in made)
        by_name.update()
        compare("by name", made)
    kinds = vector_kinds()[3]
    made = [fill(here, kind) for kind in kinds]
    State = dataclasses.make_dataclass("State", ["x", "y"])
    state = State(made[0][0], made[1][0])
    updater = communicator.get_vector_halo_updater(*([q.halo_spec(kind.layers)] for (q, _), kind in zip(made, kinds)))
    by_name = adapter.WrappedHaloUpdater(updater, state, ["x"], ["y"], communicator)
    by_name.start()
    by_name.wait()
    compare("a vector by name", made)
    same = [ndsl.Quantity(q.data.copy(order="K"), q.dims, q.origin, q.extent, q.n_halo) for q, _ in made]
    by_name.interface()
    communicator.synchronize_vector_interfaces(*same)
    compare("interfaces by name", [(q, twin.data) for (q, _), twin in zip(made, same)])


def from_specifications(here, communicator):
    """As NDSL's tests make updaters: specifications by position, and boundaries and tags that nobody needs."""
    kind = Kind(("k", "j", "i"), {"k": 2})
    q, expected = fill(here, kind)
    spec = ndsl.QuantityHaloSpec(2, q.data.strides, 8, q.data.shape, q.origin, q.extent, q.dims, np, np.float64)
    adapter.HaloUpdater.from_scalar_specifications(communicator, np, iter([spec]), (), tag=0).update([q])
    compare("scalars from specifications", [(q, expected)])
    kinds = vector_kinds()[0]
    made = [fill(here, kind) for kind in kinds]
    specs = [[q.halo_spec(kind.layers)] for (q, _), kind in zip(made, kinds)]
    updater = adapter.HaloUpdater.from_vector_specifications(communicator, np, *specs, (), tag=0, optional_timer=None)
    updater.update(*([q] for q, _ in made))
    compare("a vector from specifications", made)


def moved(made, device):
    """Quantities with their data on a device; and the same for NumPy, with what is expected."""
    seen = []
    for quantity, expected in made:
        quantity.data = device.copied(quantity.data)
        seen.append((ndsl.Quantity(quantity.data.seen, quantity.dims, quantity.origin, quantity.extent, 0), expected))
    return [quantity for quantity, _ in made], seen


def devices(here, communicator):
    """Arrays of a fake device, beside one of the host; the device is idle before the first send and at the end."""
    module, K = cupy_stand_in.cupy(), {"k": 3}
    kinds = numbered([Kind(("k", "j", "i"), K, room=1), Kind(("i", "j", "k"), K, np.float32), Kind(("j", "i"))])
    *given, host = [fill(here, kind) for kind in kinds]
    pair = [fill(here, kind) for kind in vector_kinds()[3]]
    for quantity, _ in (*given, *pair):
        quantity.module = module
    updater = communicator.get_scalar_halo_updater([q.halo_spec(2) for q, _ in (*given, host)])
    device = cupy_stand_in.Memory(updater._handle.halos[0].spec.path)
    quantities, seen = moved(given, device)
    updater.update([*quantities, host[0]])
    compare("scalars on a device", [*seen, host])
    device.free()
    assert module.synchronized == 2, module.synchronized
    layers = vector_kinds()[3][0].layers
    updater = communicator.get_vector_halo_updater(*([q.halo_spec(layers)] for q, _ in pair))
    device = cupy_stand_in.Memory(updater._handle.halos[0].spec.path)
    quantities, seen = moved(pair, device)
    updater.update(*([q] for q in quantities))
    compare("a vector on a device", seen)
    device.free()


def mistakes(here, communicator):
    kind = Kind(("j", "i"))
    (q, _), (other, _) = fill(here, kind), fill(here, Kind(("j", "i"), halo=2))
    updater = communicator.get_scalar_halo_updater([q.halo_spec(2)])
    raises(RuntimeError, '"wait" call before "start"', updater.wait)
    updater.start([q])
    raises(RuntimeError, "had no wait()", lambda: updater.start([q]))
    updater.wait()
    raises(RuntimeError, "Quantities count (2,)", lambda: updater.start([q, q]))
    raises(ValueError, "quantity 0: its shape is", lambda: updater.start([other]))
    raises(ValueError, "overlap in memory", lambda: communicator.halo_update([q, q], 2))
    raises(ValueError, "Arakawa C-grid", lambda: communicator.synchronize_vector_interfaces(q, q))
    raises(ValueError, "more halo points", lambda: communicator.halo_update(q, 4))
    if here.kind == "cube":
        raises(
            ValueError,
            "reaches across tile",
            lambda: communicator.halo_update(fill(here, Kind(("j", "i"), layers=0, halo=40))[0], 40),
        )
        raises(
            ValueError,
            "position",
            lambda: communicator.halo_update(fill(here, Kind(("j_interface", "i"), layers=0))[0], 2),
        )
    if comm.size > 1:
        # On rank 1 alone: all ranks raise, none waits.
        spec = q.halo_spec(2)
        wrong = dataclasses.replace(spec, origin=(1, 1)) if comm.rank == 1 else spec
        raises(IndexError, "on rank 1", lambda: communicator.get_scalar_halo_updater([wrong]))
        wrong = (
            dataclasses.replace(spec, dtype=np.float32, itemsize=4, strides=tuple(s // 2 for s in spec.strides))
            if comm.rank == 1
            else spec
        )
        raises(ValueError, "rank 0 and rank 1", lambda: communicator.get_scalar_halo_updater([wrong]))


CASES = (
    scalars,
    vectors,
    calls_with_quantities,
    under_way_together,
    interfaces,
    wrapped,
    from_specifications,
    devices,
    mistakes,
)


def with_communicator(case, here):
    communicator = adapter.Communicator(here.communicator())
    case(here, communicator)
    communicator.close()


def main():
    kind, rows, columns, *names = sys.argv[1:]
    here = Here(kind, int(rows), int(columns), (5, 7) if kind == "tile" else (5, 5))
    run((functools.partial(with_communicator, case) for case in CASES if not names or case.__name__ in names), here)


main()
