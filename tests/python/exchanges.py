"""Exchanges from Python on any number of ranks, held against NumPy: mpirun -n N python3 exchanges.py"""

import os
import sys

import numpy as np
from mpi4py import MPI

import halogen
import oracle
from ranks import comm, raises, run

HERE = os.path.dirname(os.path.abspath(__file__))
CELLS, PERIODIC = (12, 7, 9), (True, False, True)
FIELDS = {
    "u": oracle.Field("f8", (2, 2, 2), (2, 2, 2)),
    "v": oracle.Field("f8", (2, 2, 2), (2, 2, 2)),
    "w": oracle.Field("f8", (2, 2, 2), (2, 2, 2)),
    "t": oracle.Field("f4", (1, 1, 1), (1, 2, 1), components=3),
    "m": oracle.Field("i4", (1, 1, 1), (1, 1, 1), (1, 0, 0), components=2),
    "c": oracle.Field("c16", (1, 1, 1), (1, 1, 1)),
}
EXCHANGES = {"velocity": ("uvw", "box"), "tracers": ("mct", "star")}


def fill(blocks, arrays, name, stencil="none"):
    """Sets the arrays of a field, one for each block."""
    for block, array in zip(blocks, arrays):
        array[...] = oracle.expected(FIELDS[name], CELLS, PERIODIC, block.first, block.n, ord(name), stencil)


def compare(blocks, arrays, name, stencil, what):
    for block, array in zip(blocks, arrays):
        wanted = oracle.expected(FIELDS[name], CELLS, PERIODIC, block.first, block.n, ord(name), stencil)
        assert array.shape == wanted.shape, (what, name, array.shape, wanted.shape)
        assert array.dtype == wanted.dtype, (what, name, array.dtype)
        wrong = np.argwhere(array != wanted)
        assert not len(wrong), f"{what}: {name}{tuple(wrong[0])} is {array[tuple(wrong[0])]}, not {wanted[tuple(wrong[0])]}"


def as_lists(halo, value):
    return value if halo.several else [value]


def run_all(halo, make, what):
    """All exchanges with one kind of arrays, called in every way."""
    for exchange, (names, stencil) in EXCHANGES.items():
        call = getattr(halo, exchange)
        for way in ("call", "start", "with", "apart", "by name"):
            f = make()
            for name in names:
                fill(halo.blocks, as_lists(halo, getattr(f, name)), name)
            if way == "call":
                call(f)
            elif way == "start":
                pending = call.start(f)
                while not pending.test():
                    pass
                pending.finish()
            elif way == "with":
                with call.start(f):
                    pass
            elif way == "apart":
                call(*(getattr(f, name) for name in names))
            else:
                call(**{name: getattr(f, name) for name in names})
            for name in names:
                compare(halo.blocks, as_lists(halo, getattr(f, name)), name, stencil, f"{what}, {exchange}, {way}")


def test_one_block_a_rank(spec, comm):
    for strides in ("best", "dense"):
        with spec.create(comm, CELLS, strides=strides) as halo:
            run_all(halo, halo.alloc, f"alloc, {strides}")
            run_all(halo, halo.empty, f"empty, {strides}")


def test_several_blocks(spec, comm):
    """Blocks dealt out in turn, so some ranks have more than others; of 2 x 1 x 3 blocks."""
    owners = [(block + 1) % comm.size for block in range(6)]
    with spec.create(comm, CELLS, ranks=(2, 1, 3), owners=owners) as halo:
        assert len(halo.blocks) == owners.count(comm.rank)
        run_all(halo, halo.alloc, "blocks, alloc")
        run_all(halo, halo.empty, "blocks, empty")
    with spec.create(comm, CELLS, ranks=(2, 1, 3), owners=lambda tile, block: block % comm.size) as halo:
        run_all(halo, halo.empty, "blocks by a function")


def test_cuts(spec, comm):
    if comm.size == 2:
        with spec.create(comm, CELLS, cuts=([0, 3, 12], None, [0, 9]), ranks=(0, 1, 0)) as halo:
            assert halo.n == ((3, 7, 9), (9, 7, 9))[comm.rank]
            run_all(halo, halo.empty, "cuts")


def test_sum(spec, comm):
    """Ghost points of ones: each owned point gets as many as there are ghost points that it feeds."""
    with spec.create(comm, CELLS) as halo:
        f = halo.empty()
        f.u[...] = 1.0
        before = comm.allreduce(f.u.size)
        halo.sums(f)
        ghosts = f.u.sum() - f.owned.u.sum()
        assert abs(comm.allreduce(f.owned.u.sum()) + comm.allreduce(ghosts) - before) < 1e-9
        assert f.owned.u.max() > 1.0 and f.u[0, 3, 3] == 0.0


def once(halo, name, block, boxes):
    """How often each owned point of a block is in boxes."""
    count = np.zeros([n + extra for n, extra in zip(halo.blocks[block].n, FIELDS[name].extra)], int)
    for box in boxes:
        count[tuple(slice(lo, hi) for lo, hi in zip(box.lo, box.hi))] += 1
    return count


def test_interior_and_rim(spec, comm):
    """Work on the interior between start and finish, and on the rim behind: each owned point once, and halos are right."""
    with spec.create(comm, CELLS, ranks=(2, 1, 2), owners=[block % comm.size for block in range(4)]) as halo:
        f = halo.alloc()
        for name in "uvw":
            fill(halo.blocks, as_lists(halo, getattr(f, name)), name)
        pending = halo.velocity.start(f)
        inner = [halo.velocity.interior("u", block) for block in range(len(halo.blocks))]
        for array, boxes in zip(as_lists(halo, f.u), inner):
            for box in boxes:
                array[box.of("u")] += 1
        pending.finish()
        assert comm.allreduce(sum(map(len, inner))) > 0
        for block, array in enumerate(as_lists(halo, f.u)):
            rim = halo.velocity.rim("u", block)
            for name in ("u", "m"):
                both = halo.velocity.interior(name, block) + halo.velocity.rim(name, block)
                assert (once(halo, name, block, both) == 1).all(), (name, both)
            for box in rim:
                array[box.of("u")] += 1
            owned = tuple(slice(2, -2) for _ in CELLS)
            array[owned] -= 1
        for name in "uvw":
            compare(halo.blocks, as_lists(halo, getattr(f, name)), name, "box", "around an interior")
        raises(halogen.ArgumentError, "none", halo.velocity.interior, "none")
        raises(halogen.ArgumentError, "block", halo.velocity.rim, "u", len(halo.blocks))


def test_like(spec, comm):
    """Arrays in C order, part of a larger one, between others: their strides become the handle's."""
    with spec.create(comm, CELLS) as halo:
        n = halo.n
    shape = tuple(n[a] + 4 for a in range(3))
    state = np.zeros((shape[2], 3, shape[1], shape[0] + 5))
    u, v, w = (state[:, q, :, : shape[0]].transpose(2, 1, 0) for q in range(3))
    with spec.create(comm, CELLS, like={"u": u, "v": v, "w": w}) as halo:
        for array, name in zip((u, v, w), "uvw"):
            fill(halo.blocks, [array], name)
        halo.velocity(halo.arrays(u, v, w=w))
        for array, name in zip((u, v, w), "uvw"):
            compare(halo.blocks, [array], name, "box", "like")
        assert not state[..., shape[0] :].any()


def test_window(spec, comm):
    """Arrays in a window, which peers write straight into."""
    with spec.create(comm, CELLS) as halo:
        wanted = halo.empty()
        sizes = {name: halo.points(name) for name in "uvw"}
        with halogen.Window(comm, sum(sizes.values()), memory="parts" if comm.size > 1 else "private") as window:
            arrays, at = {}, 0
            for name in "uvw":
                like = getattr(wanted, name)
                arrays[name] = np.ndarray(like.shape, like.dtype, window.array(), at * 8, like.strides)
                at += sizes[name]
            if comm.size > 1:
                halo.register(window)
            f = halo.arrays(**arrays)
            for name in "uvw":
                fill(halo.blocks, [getattr(f, name)], name)
            halo.velocity(f)
            for name in "uvw":
                compare(halo.blocks, [getattr(f, name)], name, "box", "window")
            del f, arrays, like
            if comm.size > 1:
                halo.unregister(window)


def test_messages_of_our_own(spec, comm):
    """With the transport "manual" MPI is the program's own."""
    with spec.create(comm, CELLS, transport="manual") as halo:
        f = halo.empty()
        for name in "uvw":
            fill(halo.blocks, [getattr(f, name)], name)
        pending = halo.velocity.start(f)
        messages = halo.velocity.messages()
        assert {message.peer for message in messages} == {message.peer for message in messages if message.incoming}
        waiting = [comm.Irecv(m.data, m.peer) if m.incoming else comm.Isend(m.data, m.peer) for m in messages]
        MPI.Request.Waitall(waiting)
        pending.finish()
        for name in "uvw":
            compare(halo.blocks, [getattr(f, name)], name, "box", "manual")
        del messages
    with spec.create(comm, CELLS) as halo:
        raises(halogen.StateError, "manual", halo.velocity.messages)


def test_load_fails_on_all_ranks(spec, comm):
    """Where rank 0 alone finds what is wrong, the others do not wait for it."""
    basin = os.path.join(HERE, "basin.lua")
    sentence = "basin.lua is no directory that can be written (File exists)."
    raises(halogen.ArgumentError, sentence, halogen.load, basin, comm=comm, keep=basin)


def main():
    spec = halogen.load(os.path.join(HERE, "basin.lua"), comm=comm)
    tests = (
        test_one_block_a_rank,
        test_several_blocks,
        test_cuts,
        test_sum,
        test_interior_and_rim,
        test_like,
        test_window,
        test_messages_of_our_own,
        test_load_fails_on_all_ranks,
    )
    run(tests, spec, comm)


if __name__ == "__main__":
    sys.exit(main())
