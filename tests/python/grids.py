"""What other grids and types Python has: mpirun -n N python3 grids.py.  Each is held against what NumPy says by itself."""

import os
import tempfile

import numpy as np
from mpi4py import MPI

import halogen
from halogen import build as b
from ranks import comm, fail, raises, refuses, run


def load(comm, name, *exchanges):
    return halogen.load(b.spec(name, *exchanges), comm=comm)


def test_types(comm):
    """A ring of points of every type: ghost points come from both sides."""
    particle = np.dtype([("charge", "f8"), ("kind", "i2")], align=True)
    types = {"half": "f2", "longs": np.longdouble, "flag": "?", "byte": "u1", "wide": "i8", "z": "c8"}
    g = b.cartesian(axes="x", periodic="x")
    names = {"half": "half", "longs": "long double", "flag": "bool", "byte": "uint8_t", "wide": "long long", "z": "complex64"}
    fields = [b.field(name, on=g, type=kind, halo=1) for name, kind in names.items()]
    fields.append(b.field("part", on=g, type=b.struct(name="particle", dtype=particle), halo=1))
    spec = load(comm, "ring", b.exchange("all_of_them", *fields))
    cells = 3 * comm.size + 1
    with spec.create(comm, (cells,)) as halo:
        f = halo.alloc()
        part = np.zeros(halo.n[0] + 2, particle)
        arrays = {name: getattr(f, name) for name in types} | {"part": part}
        index = np.arange(-1, halo.n[0] + 1) + halo.first[0]
        for name, array in arrays.items():
            assert name == "part" or array.dtype == np.dtype(types[name]), (name, array.dtype)
            _set(array[1:-1], index[1:-1])
        halo.all_of_them(**arrays)
        for name, array in arrays.items():
            wanted = np.zeros_like(array)
            _set(wanted, index % cells)
            assert (array == wanted).all(), (name, array, wanted)
        refuses(
            halogen.ArgumentError,
            "part: its elements have 8 bytes; the spec (grids.py:",
            halo.arrays,
            part=np.zeros(halo.n[0] + 2),
        )
        del f, array, arrays


def _set(array, index):
    if array.dtype.names:
        array["charge"], array["kind"] = index + 0.25, index
    elif array.dtype.kind == "b":
        array[...] = index % 3 == 0
    else:
        array[...] = index % 100


def test_cart(comm):
    """Blocks lie where a Cartesian communicator has its ranks, however many cells each of these owns."""
    g = b.cartesian(axes="xy", periodic="xy")
    spec = load(comm, "torus", b.exchange("heat", b.field("t", on=g, type="double", halo=1)))
    cart = comm.Create_cart(MPI.Compute_dims(comm.size, 2), periods=[True, False], reorder=False)
    rows = [[3 + place for place in range(dim)] for dim in cart.dims]
    own = [along[place] for along, place in zip(rows, cart.coords)]
    with spec.create(cart, own, cart=True) as halo:
        assert halo.n == tuple(own) and halo.cells == tuple(map(sum, rows))
        assert halo.first == tuple(sum(along[:place]) for along, place in zip(rows, cart.coords))
        f = halo.empty()
        x, y = np.ogrid[tuple(slice(first - 1, first + n + 1) for first, n in zip(halo.first, halo.n))]
        wanted = x % halo.cells[0] + 100.0 * (y % halo.cells[1])
        f.owned.t[...] = wanted[1:-1, 1:-1]
        halo.heat(f)
        assert (f.t == wanted).all(), f.t - wanted
    for name in ("ranks", "cuts", "owners"):
        refuses(halogen.ArgumentError, f"{name}: with cart=True the communicator", spec.create, cart, own, cart=True, **{name: [1, 1]})
    refuses(halogen.Error, f"Rank 0 of {comm.size}: The communicator given to", spec.create, comm, own, cart=True)
    refuses(halogen.ArgumentError, "cells: needs 2 whole numbers", spec.create, cart, own[:1], cart=True)
    line = comm.Create_cart([comm.size])
    refuses(halogen.Error, "", spec.create, line, own, cart=True)
    cart.Free(), line.Free()


def test_walls(comm):
    """Ghost points beyond walls by a function of Python."""
    g = b.cartesian(axes="xy", periodic="y")
    t = b.field("t", on=g, type="double", halo=2)
    spec = load(comm, "pipeline", b.exchange("heat", t, boundary=b.table(x="hook")))
    cells, seen = (2 * comm.size + 2, 5), []
    with spec.create(comm, cells, ranks=(comm.size, 1)) as halo:
        f = halo.alloc()
        refuses(halogen.StateError, "", halo.heat, f)

        def fill(wall):
            assert (wall.exchange, wall.field, wall.block, wall.axis) == ("heat", "t", 0, 0)
            assert wall.points.shape == tuple(h - l for l, h in zip(wall.lo, wall.hi)) and wall.array.shape == f.t.shape
            wall.points[...] = 100.0 + wall.side
            seen.append(wall.side)

        halo.set_boundary(fill)
        x, y = np.ogrid[halo.first[0] : halo.first[0] + halo.n[0], 0:5]
        f.owned.t[...] = x + 10.0 * y
        halo.heat(f)
        x, y = np.ogrid[halo.first[0] - 2 : halo.first[0] + halo.n[0] + 2, -2:7]
        wanted = np.where(x < 0, 100.0, np.where(x >= cells[0], 101.0, x + 10.0 * (y % 5)))
        assert (f.t == wanted).all(), f.t - wanted
        assert set(seen) == {side for side, rank in ((0, 0), (1, comm.size - 1)) if rank == comm.rank}

        def fails(wall):
            raise ZeroDivisionError("of the function")

        def comes_back(wall):
            halo.heat(f)

        kept, kept_too = [], "heat: t: the boundary function kept points or array of its wall, which are good in the call alone"

        for function, kind, start in (
            (fails, ZeroDivisionError, "of the function"),
            (comes_back, halogen.StateError, "the boundary function cannot use the handle that called it."),
            (lambda wall: kept.append(wall.points[:1]), halogen.StateError, kept_too),
            (kept.append, halogen.StateError, kept_too),
        ):
            halo.set_boundary(function)
            if seen:
                refuses(kind, start, halo.heat, f)
            else:
                halo.heat(f)
        halo.set_boundary(lambda wall: kept.append(wall.points.copy()))
        halo.heat(f)
        halo.set_boundary(None)
        refuses(halogen.StateError, "", halo.heat, f)
        del fill


def test_tiles(comm):
    """Two tiles in a ring, several blocks each, dealt out among the ranks."""
    g = b.tiles(axes="xy", names=("west", "east"), connect=(("west", "+x", "east", "-x"), ("east", "+x", "west", "-x")))
    t = b.field("t", on=g, type="double", halo=1)
    spec = load(comm, "tiles_of_two", b.exchange("all_of_it", t))
    owners = [number % comm.size for number in range(2 * 4)]
    with spec.create(comm, (6, 5), ranks=(2, 2), owners=owners) as halo:
        assert [block.tile for block in halo.blocks] == [n // 4 for n, rank in enumerate(owners) if rank == comm.rank]
        f = halo.alloc()
        for block, owned in zip(halo.blocks, f.owned.t):
            x, y = np.ogrid[tuple(slice(first, first + n) for first, n in zip(block.first, block.n))]
            owned[...] = x + 6 * block.tile + 100.0 * y
        halo.all_of_it(f)
        for block, array in zip(halo.blocks, f.t):
            x, y = np.ogrid[tuple(slice(first - 1, first + n + 1) for first, n in zip(block.first, block.n))]
            wanted = np.where((y >= 0) & (y < 5), (x + 6 * block.tile) % 12 + 100.0 * y, 0.0)
            assert (array == wanted).all(), array - wanted
        refuses(halogen.ArgumentError, f"t: needs a list of {len(halo.blocks)} arrays", halo.arrays, t=np.zeros((5, 5)))
        if len(halo.blocks) != 1:
            refuses(halogen.ArgumentError, f"this rank has {len(halo.blocks)} blocks: look into halo.blocks.", lambda: halo.n)
        del array, owned


def test_corners(comm):
    """On a cubed sphere, ghost points in the corners of tiles, which no exchange writes."""
    g = b.cubed_sphere(axes="xy")
    t = b.field("t", on=g, type="double", halo=1)
    spec = load(comm, "orb", b.exchange("heat", t, corners="x"))
    owners = [tile % comm.size for tile in range(6)]
    with spec.create(comm, (4, 4), owners=owners) as halo:
        f = halo.empty()
        for block, array in zip(halo.blocks, f.t):
            array[...] = -1.0
            array[1:-1, 1:-1] = block.tile + 0.5
        halo.heat(f)
        for array in f.t:
            assert [array[x, y] for x in (0, -1) for y in (0, -1)] == [-1.0] * 4
        halo.heat.corners("x", f)
        for array in f.t:  # from the ghost points beside them
            assert [array[x, y] for x in (0, -1) for y in (0, -1)] == [array[0, 1], array[0, -2], array[-1, 1], array[-1, -2]]
        refuses(halogen.ArgumentError, "heat fills no corners along 'y'; it has x.", halo.heat.corners, "y", f)
        halo.heat.corners("x", t=f.t) if halo.several else None


def test_lists_of_ids(comm):
    """Each rank owns some points of a ring in an order of its own, and has their neighbors as halo."""
    g = b.index_list(axes=("cell", "level"), fastest="level")
    t, s = b.fields("t", "s", on=g, type="double")
    spec = load(comm, "mesh", b.exchange("state", t, s))
    total = 5 * comm.size + 3
    mine = np.arange(total)[comm.rank :: comm.size][::-1]
    around = np.setdiff1d(np.union1d((mine - 1) % total, (mine + 1) % total), mine)
    ids = np.concatenate([around, mine, [-1]])
    owns = np.concatenate([np.zeros(len(around), bool), np.ones(len(mine), bool), [True]])
    for lists in (halogen.Ids(ids, owns=owns), _by_rank(comm, ids, owns)):
        with spec.create(comm, (len(ids), 4), lists=lists) as halo:
            f = halo.alloc()
            level = np.arange(4)
            f.t[owns], f.s[owns] = ids[owns, None] + 1000.0 * level, -1.0 * ids[owns, None] - level
            halo.state(f)
            there = ids >= 0
            assert (f.t[there] == ids[there, None] + 1000.0 * level).all()
            assert (f.s[there] == -1.0 * ids[there, None] - level).all()
    first = np.concatenate([mine, around])
    with spec.create(comm, (len(first), 4), lists=halogen.Ids(first, owned=len(mine))) as halo:
        f = halo.empty()
        f.t[: len(mine)] = mine[:, None] + 0.5
        halo.state(t=f.t, s=f.s)
        assert (f.t == first[:, None] + 0.5).all()
    if comm.size > 1:
        refuses(halogen.ArgumentError, "", spec.create, comm, (len(ids), 4), lists=halogen.Ids(ids, owned=len(ids)))
    refuses(halogen.ArgumentError, "Ids: give either owned or owns.", halogen.Ids, ids)
    refuses(halogen.ArgumentError, "Ids: owned is 99, of 3 points.", halogen.Ids, [0, 1, 2], owned=99)
    refuses(halogen.ArgumentError, "lists: mesh has a list of points; give halogen.Ids", spec.create, comm, (3, 4))
    refuses(halogen.ArgumentError, "lists: needs halogen.Ids, or a dict", spec.create, comm, (3, 4), lists=[1])
    refuses(halogen.ArgumentError, "cells: needs the points of this rank and the cells along level", spec.create, comm, 3, lists={})


def _by_rank(comm, ids, owns):
    """The same as lists by rank, from everyone's ids."""
    everyone = comm.allgather((ids, owns))
    lists = {}
    for rank, (theirs, they_own) in enumerate(everyone):
        owned_here = {number: place for place, number in enumerate(ids) if owns[place] and number >= 0}
        owned_there = {number for place, number in enumerate(theirs) if they_own[place]}
        send = [owned_here[n] for place, n in enumerate(theirs) if not they_own[place] and n in owned_here]
        receive = [place for place, n in enumerate(ids) if not owns[place] and n in owned_there]
        if send or receive:
            lists[rank] = (send, np.array(receive, int))
    return lists


def test_halo_behind(comm):
    """Ghost points behind the owned ones, a plane for each side."""
    g = b.cartesian(axes="xy", periodic="xy")
    t = b.field("t", on=g, type="double", halo=1, halo_at="behind")
    q = b.field("q", on=g, type="float", halo=1, halo_at="behind", components=2)
    spec = load(comm, "dense", b.exchange("heat", t, q, stencil="star"))
    cells = (3 * comm.size, 4)
    with spec.create(comm, cells, ranks=(comm.size, 1)) as halo:
        f = halo.empty()
        x, y = np.ogrid[halo.first[0] : halo.first[0] + 3, 0:4]
        f.owned.t[...] = x + 100.0 * y
        f.owned.q[..., 0], f.owned.q[..., 1] = x + 10.0 * y, -x - 10.0 * y
        halo.heat(f)
        below = halo.plane("q", 0, 0)
        ghosts = f.q[below : below + 8].reshape(4, 2)
        assert (ghosts[:, 0] == (halo.first[0] - 1) % cells[0] + 10.0 * np.arange(4)).all()
        assert (ghosts[:, 1] == -ghosts[:, 0]).all()
        below, above = halo.plane("t", 0, 0), halo.plane("t", 0, 1)
        assert (f.t[below : below + 4] == (halo.first[0] - 1) % cells[0] + 100.0 * np.arange(4)).all()
        assert (f.t[above : above + 4] == (halo.first[0] + 3) % cells[0] + 100.0 * np.arange(4)).all()
        assert (f.owned.t == x + 100.0 * y).all()
        refuses(halogen.ArgumentError, "t: its ghost points lie behind the owned ones", f.at, "t", 0, 0)
        refuses(halogen.ArgumentError, "dense has no field u; it has t, q.", halo.plane, "u", 0, 0)


def test_files(comm):
    """Points on all faces and components, of several blocks a rank, by slices and by datatypes of MPI."""
    g = b.cartesian(axes="xy", fastest="x")
    p = b.field("p", on=g, type="float", halo=1, components=2)
    q = b.field("q", on=g, type="double", at={"x": "both", "y": "both"})
    spec = load(comm, "paper", b.exchange("heat", p), b.exchange("sides", q, only="shared"))
    path = comm.bcast(os.path.join(tempfile.gettempdir(), f"halogen-files-{os.getpid()}"))
    y, x = np.mgrid[0:8, 0:10]
    whole = {"p": np.stack([x + 20.0 * y, -x - 20.0 * y], axis=-1)[:7, :9].astype("f4"), "q": (x + 100.0 * y)}
    owners = [i % comm.size for i in range(6)]
    for ranks in (3, 2), (2, 3):
        with spec.create(comm, (9, 7), ranks=ranks, owners=owners) as halo:
            _write_and_read(comm, halo, path, whole)
            f = halo.empty()
            refuses(halogen.ArgumentError, "paper has no field u; it has p, q.", halo.extents, "u")
            raises(halogen.ArgumentError, "of pass 4 of field q; it has 4", halo.extents, "q", 4)
            raises(halogen.ArgumentError, "of pass 1 of field p; it has 1", halo.memory_type, f, "p", 1)
            refuses(halogen.ArgumentError, "memory_type needs arrays of this handle", halo.memory_type, None, "p")


def _write_and_read(comm, halo, path, whole):
    for name, values in whole.items():
        f, back = halo.empty(), halo.empty()
        for (extent,), array in zip(halo.extents(name, -1), getattr(f, name)):
            assert extent.shape == values.shape and extent.axes[:2] == ("y", "x"), extent
            extent.of(array)[...] = values[extent.slices]
        for block, owned in zip(halo.blocks, getattr(f.owned, name)):
            first = np.s_[block.first[1] :, block.first[0] :]
            part = values[first][: owned.shape[1], : owned.shape[0]]
            assert (owned == np.swapaxes(part, 0, 1)).all()
        _move(comm, halo, (f, name, path), MPI.File.Write_all, MPI.MODE_CREATE | MPI.MODE_WRONLY)
        assert (np.fromfile(path, values.dtype).reshape(values.shape) == values).all()
        comm.Barrier()
        _move(comm, halo, (back, name, path), MPI.File.Read_all, MPI.MODE_RDONLY)
        for old, new in zip(getattr(f.owned, name), getattr(back.owned, name)):
            assert (old == new).all()
        written = np.zeros(values.shape, int)
        for (extent,) in halo.extents(name):
            written[extent.slices] += 1
        assert (comm.allreduce(written) == 1).all()
        comm.Barrier()
        if comm.rank == 0:
            os.remove(path)
        comm.Barrier()


def test_files_beside_land(comm):
    """Corners around a block without an owner: each has one writer, and a block may write several boxes."""
    g = b.cartesian(axes="xy", fastest="x")
    q = b.field("q", on=g, type="double", at={"x": "both", "y": "both"})
    spec = load(comm, "island", b.exchange("sides", q, only="shared"))
    y, x = np.mgrid[0:5, 0:7]
    whole = x + 100.0 * y
    owners = [-1 if number == 3 else number % comm.size for number in range(6)]
    with spec.create(comm, (6, 4), ranks=(3, 2), owners=owners) as halo:
        f = halo.empty()
        held, written, values = np.zeros((5, 7), int), np.zeros((5, 7), int), np.zeros((5, 7))
        boxes = 0
        for (points,), extents, array in zip(halo.extents("q", -1), halo.extents("q"), f.q):
            points.of(array)[...] = whole[points.slices]
            held[points.slices] += 1
            boxes = max(boxes, len(extents))
            for extent in extents:
                written[extent.slices] += 1
                values[extent.slices] += extent.of(array)
        held = comm.allreduce(held) > 0
        assert not held.all() and (comm.allreduce(written) == held).all()
        assert (comm.allreduce(values) == np.where(held, whole, 0)).all()
        assert comm.allreduce(boxes, MPI.MAX) == 2
        passes = [halo.extents("q", number) for number in range(halo.file_passes("q"))]
        for (points,), *extents in zip(halo.extents("q", -1), *passes):
            read = np.zeros((5, 7), int)
            for extent in sum(extents, ()):
                read[extent.slices] += 1
            assert (read[points.slices] == 1).all() and read.sum() == read[points.slices].size


def _move(comm, halo, what, call, mode):
    f, name, path = what
    file = MPI.File.Open(comm, path, mode)
    for number in range(halo.file_passes(name) if mode == MPI.MODE_RDONLY else 1):
        in_memory, in_file = halo.memory_type(f, name, number), halo.file_type(name, number)
        file.Set_view(0, MPI.DOUBLE if name == "q" else MPI.FLOAT, in_file)
        call(file, [MPI.BOTTOM, 1, in_memory])
        in_memory.Free()
        in_file.Free()
    file.Close()


def _fill_p(f, values):
    """Owned points of p become those of the whole grid, all others -1."""
    for array, owned, block in zip(f.p, f.owned.p, f._halo.blocks):
        array[...] = -1
        owned[...] = values[block.first[0] :, block.first[1] :][: block.n[0], : block.n[1]]


def _check_selected(comm, one, other, f, h):
    """Every third column to each rank from another one on, rows back from one of them."""
    x, y = np.mgrid[0:9, 0:7]
    values = np.stack([x + 20.0 * y, -x - 20.0 * y], axis=-1).astype("f4")
    _fill_p(f, values)
    _fill_p(h, 0 * values)
    mine = comm.rank % 3
    columns, row = np.zeros((3, 7, 2), "f4"), np.zeros((5, 2), "f4")
    one.gather_selected(f, ("p", np.s_[mine::3, :], columns), ("p", np.s_[2:7, 4], row))
    assert (columns == values[mine::3]).all() and (row == values[2:7, 4]).all()
    other.scatter_selected(h, *[("p", np.s_[2:7, 4], row + 1)] * (comm.rank == comm.size - 1))
    expected, back = other.empty(), 0 * values
    back[2:7, 4] = values[2:7, 4] + 1
    _fill_p(expected, back)
    assert all((got == right).all() for got, right in zip(h.p, expected.p))
    short = np.zeros((2, 7, 2), "f4")
    raises(halogen.ArgumentError, "has 2 points; 3 are selected", one.gather_selected, f, ("p", np.s_[:3, :], short))
    raises(halogen.ArgumentError, "runs back", one.gather_selected, f, ("p", np.s_[::-1, :], short))
    raises(halogen.ArgumentError, "1 slices were given", one.gather_selected, f, ("p", np.s_[0], short))
    raises(halogen.ArgumentError, "the index along x: needs a whole number", one.gather_selected, f, ("p", np.s_[[0, 1], :], short))
    for start in (0.5, 2**32, "a"):
        raises(halogen.ArgumentError, "along x: needs a whole number", one.gather_selected, f, ("p", np.s_[start:, :], short))
    raises(halogen.ArgumentError, "selection 0 has 3 points from 8 on", one.gather_selected, f, ("p", np.s_[8:11, :], columns))


def test_moving(comm):
    """To other blocks, and to one rank and back; q stays."""
    g = b.cartesian(axes="xy", fastest="x", periodic="x")
    p = b.field("p", on=g, type="float", halo=1, components=2)
    q = b.field("q", on=g, type="double", halo=2)
    spec = load(comm, "shifted", b.exchange("heat", p, q))
    x, y = np.mgrid[0:9, 0:7]
    values = np.stack([x + 20.0 * y, -x - 20.0 * y], axis=-1).astype("f4")
    last = comm.size - 1
    one = spec.create(comm, (9, 7), ranks=(3, 2), owners=[number % comm.size for number in range(6)])
    other = spec.create(comm, (9, 7), ranks=(1, 4), owners=[last - number % comm.size for number in range(4)])
    with one, other:
        f, h, expected = one.empty(), other.alloc(), other.empty()
        _fill_p(f, values)
        _fill_p(h, 0 * values)
        _fill_p(expected, values)
        for owned in f.owned.q + h.owned.q:
            owned[...] = 3 + (owned is not None)
        one.redistribute(f, other, h, ["p"])
        assert all((mine == right).all() for mine, right in zip(h.p, expected.p))
        whole = np.zeros((7, 9, 2), "f4").transpose(1, 0, 2) if comm.rank == last else None
        other.gather(h, "p", whole, root=last)
        assert comm.rank != last or (whole == values).all()
        if comm.rank == last:
            whole += 1
        one.scatter(f, "p", whole, root=last)
        _fill_p(expected, values + 1)
        one.redistribute(f, other, h)
        assert all((mine == right).all() for mine, right in zip(h.p, expected.p))
        _check_selected(comm, one, other, f, h)
        refuses(halogen.ArgumentError, "redistribute: needs another handle", one.redistribute, f, one, f)
        refuses(halogen.ArgumentError, "redistribute: needs arrays of the second", one.redistribute, f, other, f)
        refuses(halogen.ArgumentError, "shifted has no field u", one.redistribute, f, other, h, ["u"])
        refuses(halogen.ArgumentError, "gather: p needs an array of NumPy", one.gather, f, "p", values[0], comm.rank)
        raises(halogen.ArgumentError, "there is no rank", one.gather, f, "p", None, comm.size)


def test_moving_by_ids(comm):
    """Points that were dealt out in turn are dealt out anew, in threes and backwards; the last rank has none then."""
    g = b.index_list(axes=("cell", "level"), fastest="level")
    t, s = b.fields("t", "s", on=g, type="double")
    spec = load(comm, "dealt", b.exchange("state", t, s))
    total, some = 17, max(1, comm.size - 1)
    before = halogen.Ids(np.arange(total)[comm.rank :: comm.size], owned=len(range(comm.rank, total, comm.size)))
    anew = np.array([i for i in range(total) if i // 3 % some == comm.rank][::-1] + [-1], int)
    after = halogen.Ids(anew, owned=len(anew))
    level = np.arange(4)
    with spec.create(comm, (len(before.ids), 4), lists=before) as halo, spec.create(comm, (len(anew), 4), lists=after) as other:
        f, h = halo.alloc(), other.empty()
        f.t[...], f.s[...], h.t[...], h.s[...] = before.ids[:, None] + 100.0 * level, 1.0, -1.0, -1.0
        for again in range(2):
            halo.redistribute(f, other, h, ["t"], ids=(before, after))
            assert (h.t[:-1] == anew[:-1, None] + 100.0 * level).all() and (h.t[-1] == -1).all() and (h.s == -1).all()
            f.t[...] += 0.0
        refuses(halogen.ArgumentError, "redistribute: ids needs two halogen.Ids", halo.redistribute, f, other, h, ids=before)
        raises(halogen.ArgumentError, "moved by ids", halo.redistribute, f, other, h)
        raises(halogen.ArgumentError, "", halo.redistribute, f, other, h, ids=(after, before))
        refuses(halogen.ArgumentError, "create_like: dealt is a list of points", halo.create_like, [0])


class _Walls:
    """A function for walls that tells by which handle it was called."""

    def __init__(self):
        self.calls = 0

    def __call__(self, wall):
        wall.points[...] = 10.0 * wall.axis + wall.side
        self.calls += 1


def test_balance(comm):
    """The busiest rank gives blocks away, and fields follow them; so do walls."""
    g = b.cartesian(axes="xy", fastest="x", periodic="x")
    spec = load(comm, "moving", b.exchange("heat", b.field("p", on=g, type="double", halo=1), boundary=b.table(y="hook")))
    owners, walls = [0] * 5 + [number % comm.size for number in range(3)], _Walls()
    halo = spec.create(comm, (8, 9), ranks=(2, 4), owners=owners)
    halo.set_boundary(walls)
    work = [1.0 + block.n[1] % 2 for block in halo.blocks]
    anew, moved = halo.rebalance(work)
    assert moved == sum(new != old for new, old in zip(anew, owners)) and (moved > 0) == (comm.size > 1)
    assert set(anew) == set(range(comm.size)) or comm.size > 4
    assert comm.size == 1 or anew.count(0) < owners.count(0)
    x, y = np.mgrid[0:8, 0:9]
    with halo.create_like(anew) as other:
        assert len(other.blocks) == anew.count(comm.rank)
        f, h = halo.alloc(), other.alloc()
        for array, owned, block in zip(f.p, f.owned.p, halo.blocks):
            owned[...] = (x + 100.0 * y)[block.first[0] :, block.first[1] :][: block.n[0], : block.n[1]]
        halo.redistribute(f, other, h)
        array = owned = f = None
        halo.close()
        walls.calls = 0
        other.heat(h)
        assert (walls.calls > 0) == any(block.first[1] in (0, 9 - block.n[1]) for block in other.blocks)
        for array, block in zip(h.p, other.blocks):
            row = np.arange(block.first[0] - 1, block.first[0] + block.n[0] + 1) % 8
            column = np.arange(block.first[1] - 1, block.first[1] + block.n[1] + 1)
            expected = row[:, None] + 100.0 * column
            expected[:, column < 0], expected[:, column > 8] = 10.0, 11.0
            assert (array == expected).all(), (block, array, expected)
        refuses(halogen.PartitionError, "owners: has 7 ranks for 8 blocks.", other.create_like, anew[1:])
        refuses(halogen.ArgumentError, "create_like: owners needs", other.create_like, None)
        raises(halogen.Error, "", other.create_like, [comm.size] * 8)
        refuses(halogen.ArgumentError, "rebalance: needs a number for each of the", other.rebalance, [1.0] * 9)
        raises(halogen.ArgumentError, "the work of", other.rebalance, [-1.0] * len(other.blocks))
        with other.create_like(owners, "dense") as back:
            assert len(back.blocks) == owners.count(comm.rank)


def test_two_groups(comm):
    """From ranks that compute to those that write; one does both."""
    g = b.cartesian(axes="xy", fastest="x", periodic="x")
    spec = load(comm, "coupled", b.exchange("heat", b.field("p", on=g, type="double", halo=1)))
    computes, writes = comm.rank < max(1, comm.size - 1), comm.rank == comm.size - 1 or comm.rank == 0
    computing, writing = comm.Split(0 if computes else MPI.UNDEFINED), comm.Split(0 if writes else MPI.UNDEFINED)
    fine = spec.create(computing, (12, 9), ranks=(computing.size, 1)) if computes else None
    coarse = spec.create(writing, (12, 9), ranks=(1, 3), owners=[n % writing.size for n in range(3)]) if writes else None
    x, y = np.mgrid[0:12, 0:9]
    f, h = fine.alloc() if computes else None, coarse.alloc() if writes else None
    if computes:
        f.owned.p[...] = (x + 100.0 * y)[fine.first[0] :, fine.first[1] :][: fine.n[0], : fine.n[1]]
    source, target = spec.create_wide(comm, fine, deadline=60.0), spec.create_wide(comm, coarse, deadline=60.0)
    source.redistribute(f, target, h)
    for owned, block in zip(h.owned.p, coarse.blocks) if writes else ():
        assert (owned == (x + 100.0 * y)[:, block.first[1] :][:, : block.n[1]]).all()
    whole = np.zeros((12, 9)) if comm.rank == 0 else None
    source.gather(f, "p", whole)
    assert comm.rank > 0 or (whole == x + 100.0 * y).all()
    refuses(halogen.ArgumentError, "create_like: coupled has a wide handle here", source.create_like, [0])
    refuses(halogen.ArgumentError, "create_wide: needs a handle of this spec, or None, got 3", spec.create_wide, comm, 3)
    raises(halogen.ArgumentError, "no rank gave a handle", spec.create_wide, comm, None)
    f = h = owned = None
    for halo in (source, target, fine, coarse):
        if halo is not None:
            halo.close()


def _refused(call):
    """What this rank says."""
    try:
        call()
    except halogen.Error as error:
        return str(error)
    fail("not refused")


# What rank 0 gives a call of C that is to fail on all: nothing to create, or to make what create takes.
NOTHING = ("the error on that rank says what is wrong", "The cells given to", "The place for the list given to")


def _refused_by_one(comm, own, call):
    """Rank 0 alone finds a mistake, whose sentence begins like `own`; the others are told instead of waiting for it."""
    sentence = _refused(call)
    told = sentence.startswith(f"Rank 0 of {comm.size}: ") and any(words in sentence for words in NOTHING)
    if not (sentence.startswith(own) if comm.rank == 0 else told):
        fail(sentence)


def test_one_alone(comm):
    """Ranks that give the same may have to refuse it alone: only those that have a block look at cuts and strides."""
    g = b.cartesian(axes="xy", periodic="xy")
    spec = load(comm, "torus", b.exchange("heat", b.field("t", on=g, type="double", halo=1)))
    mesh = b.index_list(axes=("cell", "level"), fastest="level")
    listed = load(comm, "mesh", b.exchange("state", b.field("t", on=mesh, type="double")))
    first = comm.rank == 0
    two = {"ranks": (2, 1), "owners": [0, 0]}
    cart = comm.Create_cart([comm.size, 1])
    ids = halogen.Ids([comm.rank], owned=1)
    _refused_by_one(comm, "Cut 1 along axis 0", lambda: spec.create(comm, (9, 7), cuts=([0, 10, 9], None), **two))
    _refused_by_one(comm, "strides: is", lambda: spec.create(comm, (9, 7), strides="wide", **two))
    _refused_by_one(comm, "deadline: cannot be", lambda: spec.create(comm, (9, 7), deadline="soon" if first else 60))
    _refused_by_one(comm, "cells: needs 2", lambda: spec.create(cart, (9,) if first else (9, 7), cart=True))
    _refused_by_one(comm, "strides: is", lambda: spec.create(cart, (9, 7), cart=True, strides="wide" if first else "best"))
    _refused_by_one(comm, "cells: needs the points", lambda: listed.create(comm, (1,) if first else (1, 3), lists=ids))
    _refused_by_one(comm, "lists: mesh has", lambda: listed.create(comm, (1, 3), lists=None if first else ids))
    _refused_by_one(comm, "lists: rank 0 needs", lambda: listed.create(comm, (1, 3), lists={0: ()} if first else {}))
    spec.create(comm, (2 * comm.size, 7)).close()
    with listed.create(comm, (1, 3), lists=ids) as halo:
        raises(halogen.ArgumentError, "are a list, which has no boxes", halo.state.interior, "t")
    cart.Free()


def test_ocean(comm):
    """A map of blocks of water serves create, and other runs read it."""
    g = b.cartesian(axes="xyz", fastest="x")
    spec = load(comm, "sea", b.exchange("heat", b.field("t", on=g, type="double", halo=1)))
    wet = np.zeros((24, 16), bool)
    wet[:10, :] = wet[10:, :5] = True
    found = spec.choose_mask(comm.size, (24, 16, 3), wet, ranks=(0, 0, 1))
    path = comm.bcast(os.path.join(tempfile.gettempdir(), f"halogen-map-{os.getpid()}"))
    if comm.rank == 0:
        found.write(path)
    comm.Barrier()
    again = spec.read_map(path)
    assert again.owners == found.owners and again.ranks == found.ranks and again.cells == (24, 16, 3)
    assert found.wet == wet.sum() and found.land == found.owners.count(-1) and set(found.owners) >= set(range(comm.size))
    comm.Barrier()
    if comm.rank == 0:
        os.remove(path)
    held = np.zeros((24, 16), int)
    with spec.create(comm, again.cells, ranks=again.ranks, owners=again.owners) as halo:
        for block in halo.blocks:
            held[block.first[0] :, block.first[1] :][: block.n[0], : block.n[1]] += 1
    held = comm.allreduce(held)
    assert (held[wet] == 1).all() and (held <= 1).all()
    refuses(halogen.ArgumentError, "choose_mask: wet needs", spec.choose_mask, 1, (24, 16, 3), wet)
    raises(halogen.Error, "land", spec.choose_mask, 1, (24, 16, 3), wet & False, ranks=(0, 0, 1))


def main():
    run((test_types, test_cart, test_walls, test_tiles, test_corners, test_lists_of_ids, test_halo_behind, test_files, test_files_beside_land, test_moving, test_moving_by_ids, test_balance, test_two_groups, test_one_alone, test_ocean), comm)


if __name__ == "__main__":
    main()
