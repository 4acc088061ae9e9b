"""Exchanges through the adapter for icon4py, on meshes whose points were dealt out at random.

usage: mpirun -n RANKS python3 icon4py_ranks.py
"""

import functools
import time
import types

import numpy as np

import cupy_stand_in
from halogen.adapters import icon4py as adapter
from ranks import comm, fail, raises, run

UNTOUCHED = -1


class Dimension(str):
    """Of gt4py: a name that can be a key."""


Cell, Edge, Vertex, K = map(Dimension, ("Cell", "Edge", "Vertex", "K"))
POINTS = {Cell: 60, Edge: 90, Vertex: 31}


class DecompositionInfo:
    """Who owns which point is drawn from a seed, and so is what each rank wants to see of others."""

    def __init__(self):
        self.index, self.owned = {}, {}
        for number, (dim, points) in enumerate(POINTS.items()):
            draw = np.random.default_rng(number)
            owner = draw.integers(0, comm.size, points)
            wanted = draw.random((comm.size, points)) < 0.3
            if dim == Vertex:
                wanted[0] = False  # rank 0 has no halo
            mine = np.flatnonzero((owner == comm.rank) | wanted[comm.rank])
            mine = np.random.default_rng(100 + comm.rank).permutation(mine)
            self.index[dim], self.owned[dim] = mine, owner[mine] == comm.rank

    def global_index(self, dim):
        return self.index[dim]

    def owner_mask(self, dim):
        return self.owned[dim]


info = DecompositionInfo()


def values(dim, levels, number):
    """What the whole mesh holds, at the points of this rank."""
    out = 1000.0 * info.index[dim] + number
    return out if levels == 0 else out[:, None] + 100 * np.arange(levels)[None, :]


class Made:
    """An array with its owned points set, and what it is to become."""

    def __init__(self, dim, levels=0, number=0, dtype=np.float64, order="C", longer=0, room=0):
        points = len(info.index[dim])
        shape = (points + longer,) if levels == 0 else (points + longer, levels + room)
        self.whole = np.full(shape, UNTOUCHED, dtype, order=order)
        self.array = self.whole if levels == 0 else self.whole[:, :levels]
        self.expected = self.array.copy()
        self.expected[:points] = values(dim, levels, number)
        self.array[:points][info.owned[dim]] = self.expected[:points][info.owned[dim]]

    def compare(self, what):
        if not np.array_equal(self.array, self.expected) or (
            self.whole.shape != self.array.shape and (self.whole[:, self.array.shape[1] :] != UNTOUCHED).any()
        ):
            fail(f"{what}: {np.argwhere(self.array != self.expected)[:5]}")


def field(dims, array):
    """A field of gt4py."""
    return types.SimpleNamespace(ndarray=array, domain=types.SimpleNamespace(dims=dims))


def exchanges(exchange):
    for _ in range(2):
        for dim in POINTS:
            made = [
                Made(dim),
                Made(dim, 5, 1),
                Made(dim, 3, 2, np.float32, "F"),
                Made(dim, 4, 3, np.int32, longer=3),
                Made(dim, 4, 4, order="F", longer=2),
                Made(dim, 1, 5),
                Made(dim, 2, 6, np.int64),
            ]
            exchange.exchange(dim, *(one.array for one in made))
            for one in made:
                one.compare(f"an exchange of {dim}")


def fields_of_gt4py(exchange):
    one, two = Made(Edge, 3, 1), Made(Edge, 3, 2)
    exchange.exchange(Edge, field((Edge, K), one.array), field((K, Edge), two.array.T))
    one.compare("a field"), two.compare("a field with levels before points")
    three = Made(Cell)
    assert exchange(field((Cell,), three.array), dim=Cell) is None
    three.compare("a call")


def same_arrays_again(exchange):
    """Bound once, changed in between; then other arrays in their place."""
    one = Made(Cell, 3)
    for step in range(3):
        one.array[info.owned[Cell]] += 1
        one.expected += 1
        exchange.exchange(Cell, one.array)
        one.compare("the same array again")
    two = Made(Cell, 3, 7)
    exchange.exchange(Cell, two.array)
    two.compare("another array")
    one.compare("the first array, which is not touched")


def other_strides(exchange):
    """Of the same kind, but with room behind: they travel by way of a copy, on rank 0 alone."""
    room = 3 if comm.rank == 0 else 0
    for order in "CF":
        one, two = Made(Vertex, 4, 1, order=order, room=room), Made(Cell, 4, 2, order=order, longer=4 if room else 0)
        for dim, made in ((Vertex, one), (Cell, two)):
            result = exchange.start(dim, made.array)
            made.array[: len(info.owned[dim])][info.owned[dim]] += 5  # allowed on lists: they were sent
            made.expected[: len(info.owned[dim])][info.owned[dim]] += 5
            result.finish()
            made.compare("other strides")
    columns = Made(Edge, 2, 3)
    exchange.exchange(Edge, columns.array[:, ::2])  # one level of two
    columns.expected[:, 1] = np.where(info.owned[Edge], columns.expected[:, 1], UNTOUCHED)
    columns.compare("one level of two")


def several_under_way(exchange):
    made = [Made(Cell, 3, number) for number in range(3)] + [Made(Edge, 0, 3)]
    results = [exchange.start(Cell if number < 3 else Edge, one.array) for number, one in enumerate(made)]
    waiting = 0
    while not all([result.is_ready() for result in results]):
        waiting += 1
        time.sleep(0)
    for result in reversed(results):
        result.finish()
        result.finish()  # once more does nothing
        assert result.is_ready()
    for one in made:
        one.compare("several under way")
    again = [exchange(one.array, dim=Cell, full_exchange=False) for one in made[:2]]
    for result in again:
        result.finish(stream=None)
    assert len(exchange._handles[Cell, (adapter.Kind("<f8", 3, True, False),)]) == 3


def not_ready_before_others_start(exchange):
    if comm.size == 1:
        return
    made = Made(Cell, 3)
    if comm.rank != 0:
        comm.barrier()
    result = exchange.start(Cell, made.array)
    if comm.rank == 0:
        assert not result.is_ready()
        comm.barrier()
    result.finish()
    made.compare("an exchange that rank 0 starts alone")


def devices(exchange):
    """On the fake device, beside a field of the host: behind streams, and with BLOCK, which synchronizes."""
    there = types.SimpleNamespace(
        global_index=lambda dim: cupy_stand_in.OnDevice(info.index[dim]),
        owner_mask=lambda dim: cupy_stand_in.OnDevice(info.owned[dim]),
    )
    exchange = adapter.Exchange(types.SimpleNamespace(comm=comm), there)
    kinds = tuple(adapter.Kind("<f8", levels, True, place) for levels, place in ((3, True), (2, False)))
    memory = cupy_stand_in.Memory(adapter.load(adapter._spec_text(kinds), comm=comm).path)
    for way in ("exchange", "block", "ready", "stream"):
        one, two = Made(Cell, 3), Made(Cell, 2, 1)
        there = memory.copied(one.array)
        one.array = one.whole = there.seen
        before = cupy_stand_in.cuda.synchronized
        if way == "exchange":
            exchange.exchange(Cell, field((Cell, K), there), two.array)
        elif way == "block":
            exchange.exchange(Cell, there, two.array, stream=adapter.BLOCK)
        else:
            result = exchange.start(Cell, there, two.array, stream=types.SimpleNamespace(ptr=0))
            assert way == "stream" or result.is_ready()
            result.finish(stream=adapter.Stream(0))
        one.compare(f"a field on a device, {way}"), two.compare(f"a field of the host, {way}")
        assert cupy_stand_in.cuda.synchronized - before == (way in ("block", "ready"))
    exchange.close()
    memory.free()


def protocol(exchange):
    assert (exchange.get_size(), exchange.my_rank()) == (comm.size, comm.rank)
    assert f"rank = {comm.rank} / {comm.size}" in str(exchange)
    assert adapter.DEFAULT_STREAM.__cuda_stream__() == (0, 0)
    made = types.SimpleNamespace(
        create_exchange=functools.singledispatch(lambda *_: None),
        create_halo_exchange_wait=functools.singledispatch(lambda *_: None),
    )
    adapter.register(made, types.SimpleNamespace)
    registered = made.create_exchange(types.SimpleNamespace(comm=comm), info)
    one = Made(Cell)
    made.create_halo_exchange_wait(registered)(registered.start(Cell, one.array))
    one.compare("a registered exchange")
    registered.close()


def mistakes(exchange):
    raises(ValueError, "at least one field", lambda: exchange.start(Cell))
    raises(
        TypeError,
        "field 0: needs a field or an array, got builtins.list",
        lambda: exchange.start(Cell, [1]),
    )
    raises(ValueError, "field 1: has 3 axes", lambda: exchange.start(Cell, Made(Cell).array, np.zeros((99, 2, 2))))
    raises(ValueError, "without Cell", lambda: exchange.start(Cell, field((Edge,), Made(Edge).array)))
    points = len(info.index[Cell])
    raises(
        ValueError,
        f"has {points - 1} points; this rank has {points}",
        lambda: exchange.start(Cell, np.zeros(points - 1)),
    )
    read_only = Made(Cell, 3)
    read_only.array.flags.writeable = False
    raises(ValueError, "read-only", lambda: exchange.start(Cell, read_only.array))
    twice = Made(Cell, 3).array
    raises(ValueError, "overlap", lambda: exchange.start(Cell, twice, twice))
    if comm.size > 1:
        mine = Made(Cell, 6 + (comm.rank == 1))
        raises(ValueError, "rank 0 and rank 1", lambda: exchange.start(Cell, mine.array))


def main():
    exchange = adapter.Exchange(types.SimpleNamespace(comm=comm), info)
    tests = (
        exchanges,
        fields_of_gt4py,
        same_arrays_again,
        other_strides,
        several_under_way,
        not_ready_before_others_start,
        devices,
        protocol,
        mistakes,
    )
    run(tests, exchange)
    exchange.close()


main()
