"""Mistakes that ctypes, NumPy or a cache would let pass: each is refused in words, or mended.  Runs on one rank."""

import gc
import os
import re
import shutil
import stat
import subprocess
import sys
import weakref
from pathlib import Path

import numpy as np
import pytest
from mpi4py import MPI

import halogen
from halogen import build as b

HERE = Path(__file__).resolve().parent
COMM = MPI.COMM_SELF
CELLS = (16, 8, 8)
REFUSED = halogen.ArgumentError


@pytest.fixture(scope="module")
def spec():
    return halogen.load(HERE / "basin.lua")


@pytest.fixture
def halo(spec):
    with spec.create(COMM, CELLS) as made:
        yield made


@pytest.fixture(scope="module")
def points():
    grid = b.index_list(axes="i")
    return halogen.load(b.spec("dots", b.exchange("e", b.field("t", on=grid, type="double"))))


def says(start, kind=REFUSED):
    return pytest.raises(kind, match="^" + re.escape(start))


@pytest.mark.parametrize(
    "option",
    [
        {"transport": 5},
        {"transport": "p2p\0"},
        {"schedule": 7},
        {"tune_file": 3},
        {"log": "file"},
        {"log_level": 2**33},
        {"check": 2**32},
        {"deadline": float("nan")},
    ],
)
def test_options(spec, option):
    """A number would be taken for the address of a text."""
    ((name, value),) = option.items()
    with says(f"{name}: cannot be {value!r}."):
        spec.create(COMM, CELLS, **option)


def test_options_that_are_not_given(spec):
    spec.create(COMM, CELLS, transport=None, log=None, deadline=None).close()


def test_numbers_that_c_cannot_have(spec, halo, points):
    with says("comm: needs a whole number from -2147483647 to 2147483647, got 1099511627776."):
        spec.create(2**40, CELLS)
    owners = "owners: needs the rank of each block, as a list or by a function of tile and block, got "
    for given in (5, ["a"], [2**40], lambda tile, block: None):
        with says(owners):
            spec.create(COMM, CELLS, owners=given)
    partition = spec.partition(CELLS)
    for ranks in (2**32 + 1, "4", 1.5, 0):
        with says(f"ranks: needs a whole number from 1 to 2147483647, got {ranks!r}."):
            partition.explain(ranks)
    with says("rank: needs a whole number"):
        partition.block(2**32, 4)
    for block in (1, -1, "a"):
        with says(f"block: needs a whole number from 0 to 0, got {block!r}."):
            halo.points("u", block)
    for axis, side, name in ((3, 0, "axis"), ("x", 0, "axis"), (0, 2, "side")):
        with says(f"{name}: needs a whole number from 0 to "):
            halo.plane("u", axis, side)
    with says("lists: rank: needs a whole number from 0 to 2147483647, got 1099511627776."):
        points.create(COMM, 5, lists={2**40: ([0], [1])})


def test_kinds_of_arguments(spec, halo, points):
    for given in (5, [np.zeros(3)]):
        with says(f"like: needs a dict of arrays by field, or Arrays, got {type(given).__name__}."):
            spec.create(COMM, CELLS, like=given)
    with says("set_boundary: needs a function or None, got int."):
        halo.set_boundary(5)
    with says("register: needs a halogen.Window, got NoneType."):
        halo.register(None)
    for pair in (5, ([0],)):
        with says("lists: rank 0 needs a pair of lists, points to send and to receive."):
            points.create(COMM, 5, lists={0: pair})
    for ids in ([0.5, 1.7], ["a"], np.array([2**64 - 1], "u8")):
        with says("Ids: ids needs whole numbers below 2**63, got "):
            halogen.Ids(ids, owned=1)
    assert halogen.Ids([1, 2], owns=[256, 0]).owns.tolist() == [1, 0]


def test_points_outside_of_an_array(halo):
    """NumPy counts negative indices from the other end."""
    f = halo.empty()
    assert f.at("u", -2, 9, 0) == (0, 11, 2) and f.at("t", -1, 0, 0, 2) == (0, 1, 1, 2) and f.at("t", -1, 0, 0) == (0, 1, 1)
    for indices, words in (((-3, 0, 0), "along x: needs a whole number from -2 to 17, got -3."), ((0, 0, 10), "along z: ")):
        with says(f"u: at {words}"):
            f.at("u", *indices)
    for indices in ((0,), (0, 0, 0, 0)):
        with says("u: at needs an index along each of x, y, z, got "):
            f.at("u", *indices)


def test_objects_of_python_are_no_struct():
    pair = b.struct(name="pair", dtype=np.dtype([("a", "f8")], align=True))
    field, line = b.field("p", on=b.cartesian(axes="x"), type=pair, halo=1), sys._getframe().f_lineno
    with halogen.load(b.spec("pairs", b.exchange("e", field))).create(COMM, (8,)) as halo:
        with says(f"p: its elements are objects of Python, which no other rank can use ({Path(__file__).name}:{line})."):
            halo.e(np.array([object() for _ in range(10)], dtype=object))


def test_more_blocks_than_cells():
    """Refused at once, and not when sixty thousand million owners were asked for."""
    field = b.field("t", on=b.cubed_sphere(axes="xy"), type="double", halo=1)
    sphere = halogen.load(b.spec("many", b.exchange("e", field)))
    with says("ranks: 100000 parts along x, which has 4 cells; each part needs a cell or more.", halogen.PartitionError):
        sphere.create(COMM, (4, 4), ranks=(10**5, 10**5), owners=lambda tile, block: 0)
    with says("cells: needs 2 whole numbers from 1 to 1000000000 for x, y, got 5."):
        sphere.create(COMM, 5, owners=[0] * 6)


def test_arguments_of_load():
    basin = HERE / "basin.lua"
    for name, value in (("cflags", "-O2"), ("cflags", [5]), ("cc", 5), ("params", [1]), ("comm", "x"), ("cache", 5), ("keep", True)):
        with says(f"{name}: needs "):
            halogen.load(basin, **{name: value})
    for path in (None, 5):
        with says("path: needs the path of a spec, or what build.spec made, got "):
            halogen.load(path)
    with says("the compiler 'mpicc is no command: ", halogen.CompilerError):
        halogen.load(basin, cc="'mpicc")


def test_streams_of_the_host(halo):
    """A stream that nobody looks at would be one that nobody waits for."""
    f = halo.empty()
    with says('velocity: has no field with memory = "cuda", so it takes no stream.'):
        halo.velocity(f, stream=0)
    with says('velocity: has no field with memory = "cuda", so it takes no stream.'):
        halo.velocity.start(f, stream=0)
    pending = halo.velocity.start(f)
    with says('velocity: has no field with memory = "cuda", so it takes no stream.'):
        pending.finish(stream=7)
    pending.finish()
    velocity = halo.velocity
    for half, call in (
        ("pack", lambda: velocity.pack(f)),
        ("send", velocity.send),
        ("receive", velocity.receive),
        ("unpack", lambda: velocity.unpack(f)),
    ):
        with says(f'velocity: has no field with memory = "cuda", so it has no {half}(); call start() ', halogen.StateError):
            call()


def test_handles_live_while_messages_may_arrive(spec):
    """The program drops all that it has of an exchange under way."""
    halo = spec.create(COMM, CELLS)
    f = halo.empty()
    u = weakref.ref(f.u)
    pending = weakref.ref(halo)
    halo.velocity.start(f.u, f.v, f.w)
    del halo, f
    gc.collect()
    assert u() is not None and pending() is not None
    pending().velocity.finish()
    pending().close()
    gc.collect()
    assert u() is None and pending() is None


def test_windows():
    with halogen.Window(COMM, 5) as window:
        window.fence()
        array = np.ones(3)
        lives = weakref.ref(array)
        window.put(array, 0)
        del array
        assert lives() is not None  # MPI may read it until the epoch ends
        window.fence()
        assert lives() is None
        with says("target: needs a whole number from 0 to 2147483647, got 4294967296."):
            window.put(np.ones(3), 2**32)
        with says("node_rank: needs a whole number from 0 to 2147483647, got 4294967296."):
            window.array(2**32)
        for call in (window.put, window.get):
            with says("array: needs a NumPy array of float64 in C order."):
                call([1.0], 0)
    with says("Window: name is text and deadline a number, got None and 0.0."):
        halogen.Window(COMM, 5, name=None)
    with says("shape: needs a whole number"):
        halogen.Window(COMM, "ab")


def test_windows_live_while_messages_may_arrive():
    """The program drops a window in an epoch: MPI may still write to the array of a get."""
    window = halogen.Window(COMM, 5, memory="private")
    window.lock_all()
    array = np.ones(3)
    lives, there = weakref.ref(array), weakref.ref(window)
    window.get(array, 0)
    del window, array
    gc.collect()
    assert lives() is not None and there() is not None
    there().flush()
    gc.collect()
    assert lives() is None and there() is None


def test_folder_of_libhx_with_a_comma(tmp_path, monkeypatch):
    """Without the path that the tests have, so that the library has to know where libhx is."""
    words = os.environ["HALOGEN_HX_LIBS"].split()
    folder = tmp_path / "lib,hx"
    folder.symlink_to(next(word[2:] for word in words if word.startswith("-L")))
    monkeypatch.setenv("HALOGEN_HX_LIBS", f"-L{folder} -lhx")
    monkeypatch.delenv("LD_LIBRARY_PATH", raising=False)
    spec = halogen.load(HERE / "basin.lua", cache=tmp_path / "cache")
    with spec.create(COMM, CELLS) as halo:
        halo.velocity(halo.empty())
    said = subprocess.run(["readelf", "-d", spec.path], capture_output=True, text=True, check=True).stdout
    assert f"[{folder}]" in said


def test_tables():
    with halogen.Tables(COMM) as tables:
        with says("share: rank 0 gave no array: "):
            tables.share([[1], [1, 2]])
        with says("root: needs a whole number from 0 to 0, got 4."):
            tables.share([1.0], root=4)


@pytest.mark.parametrize("lost", ["libbasin.so", "basin.py"])
def test_cache_that_lost_a_file(tmp_path, lost):
    """As where a directory of temporary files is emptied of what is old."""
    folder = Path(halogen.load(HERE / "basin.lua", cache=tmp_path).path).parent
    (folder / lost).unlink()
    spec = halogen.load(HERE / "basin.lua", cache=tmp_path)
    assert Path(spec.path).parent == folder and (folder / lost).exists()
    assert [path.name for path in tmp_path.iterdir() if path.is_dir()] == [folder.name]


def test_cache_for_a_group(tmp_path):
    """Others may read what the umask lets them."""
    folder = Path(halogen.load(HERE / "basin.lua", cache=tmp_path).path).parent
    (tmp_path / "plain").mkdir()
    assert stat.S_IMODE(folder.stat().st_mode) == stat.S_IMODE((tmp_path / "plain").stat().st_mode)


def test_text_of_the_spec_in_docstrings():
    """A backslash begins a name of Unicode in Python, and three quotes end a docstring."""
    text = r'layers of C:\N{x}, called """halo""" \x'
    width = b.param("width", default=1, min=1, max=3, text=text)
    spec = halogen.load(b.spec("told", b.exchange("e", b.field("t", on=b.cartesian(axes="x"), type="double", halo=width))))
    assert text in sys.modules[type(spec).__module__].__doc__


def test_file_that_looks_like_an_option(tmp_path, monkeypatch):
    shutil.copy(HERE / "basin.lua", tmp_path / "-D.lua")
    monkeypatch.chdir(tmp_path)
    assert halogen.load("-D.lua").file == "-D.lua"


def whole(text):
    return pytest.raises(REFUSED, match="^" + re.escape(text) + "$")


def test_words_of_create(spec):
    with whole("log_level: is \"none\", \"warning\" or \"info\", got 'loud'."):
        spec.create(COMM, CELLS, log_level="loud")
    with whole("strides: is \"best\" or \"dense\", got 'worst'."):
        spec.create(COMM, CELLS, strides="worst")
    with whole("lists: is for grids that are lists of points, which that of basin is not."):
        spec.create(COMM, CELLS, lists={0: ([0], [1])})
    sphere = b.cubed_sphere(axes="xy")
    globe = halogen.load(b.spec("globe", b.exchange("all", b.field("t", on=sphere, type="double", halo=1))))
    ring = COMM.Create_cart((1, 1))
    with whole("cart: is for grids of one tile; that of globe has 6."):
        globe.create(ring, (8, 8), cart=True)
    ring.Free()


@pytest.mark.filterwarnings("ignore:the matrix subclass")
def test_matrix_and_strides_that_no_order_has(halo):
    with whole("u: is a numpy.matrix; give numpy.asarray of it (basin.lua:3)."):
        halo.arrays(u=np.matrix(np.zeros((20, 12))))
    flat = b.cartesian(axes="xy")
    line = sys._getframe().f_lineno + 1
    padded = halogen.load(b.spec("padded", b.exchange("all", b.field("t", on=flat, type="double", halo=1))))
    with padded.create(COMM, (8, 8), like={"t": np.zeros((12, 10), order="F")[:10]}) as made:
        with whole(
            "t: its strides are (8, 80) bytes; this handle has (8, 96): make it with halo.empty(), or give such arrays to "
            f"create: like= (test_misuse.py:{line})."
        ):
            made.arrays(t=np.zeros((10, 10), order="F"))


def test_lists_of_ids():
    with whole("Ids: ids and owns need one axis and the same length, got (2,) and (3,)."):
        halogen.Ids([1, 2], owns=[True, False, True])
    with whole("Ids: ids and owns need one axis and the same length, got (1, 2)."):
        halogen.Ids([[1, 2]], owned=1)


def test_sets_and_selections(spec, halo):
    f, name = halo.empty(), "u"
    whole_grid = np.zeros(CELLS, order="F")
    with spec.create(COMM, CELLS) as other:
        with whole("gather: needs arrays of this handle: halo.alloc(), empty() or arrays()."):
            halo.gather(other.empty(), name, whole_grid, 0)
        few = other.arrays(u=other.empty().u)
        with whole("redistribute: v is not in the arrays of both handles."):
            halo.redistribute(f, other, few, ["v"])
    with whole("gather: needs 1 arrays, one for each tile, got 2."):
        halo.gather(f, name, [whole_grid, whole_grid], 0)
    whole_grid.flags.writeable = False
    with whole("gather: the array for u is read-only."):
        halo.gather(f, name, whole_grid, 0)
    line = np.zeros(16)
    with whole("gather_selected: a selection is (name, slices, array), or these and the tile; got ('u', (0, 0))."):
        halo.gather_selected(f, (name, (0, 0)))
    with whole("gather_selected: slice(-3, None, None) along x counts from the end, or runs back."):
        halo.gather_selected(f, (name, (slice(-3, None), 0, 0), line))
    with whole("the index along y: needs a whole number from 0 to 2147483647, got 'a'."):
        halo.gather_selected(f, (name, (slice(None), "a", 0), line))


def test_shapes_of_windows():
    with whole("shape: at most 4 axes of numbers, got (1, 2, 3, 4, 5) of f8."):
        halogen.Window(COMM, (1, 2, 3, 4, 5), "f8")
    with whole("shape: at most 4 axes of numbers, got (3,) of O."):
        halogen.Window(COMM, 3, "O")


def test_keys_of_a_spec():
    with pytest.raises(TypeError, match=r"^the key 1 is int; keys are text, and a list has none$"):
        b.field("t", on=b.cartesian(axes="xy"), type="double", halo={1: 2})


def test_what_load_takes():
    basin = HERE / "basin.lua"
    for name, value, wanted in (
        ("cflags", "-O2", 'a list of words, as ["-O2", "-g"]'),
        ("cc", 5, "a command, as text"),
        ("params", [1], "a dict of values by name"),
    ):
        with says(f"{name}: needs {wanted}, got "):
            halogen.load(basin, **{name: value})


def test_libhx_that_is_not_installed(tmp_path, monkeypatch):
    for name in ("HALOGEN_HX_CFLAGS", "HALOGEN_HX_LIBS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PKG_CONFIG_PATH", str(tmp_path))
    monkeypatch.setenv("PKG_CONFIG_LIBDIR", str(tmp_path))
    with says(
        "libhx was not found: pkg-config knows no package hx.  Install libhx0-dev and pkgconf, or set PKG_CONFIG_PATH.",
        halogen.CompilerError,
    ):
        halogen.load(HERE / "basin.lua", cache=tmp_path)


def test_libraries_that_do_not_fit(spec, tmp_path, monkeypatch):
    """No library, one of another program, one of another libhx, one of another spec."""
    from halogen import library

    file = tmp_path / "libother.so"
    file.write_text("no library")
    with says(f"{file} cannot be opened: ", halogen.MismatchError):
        library.opened(str(file))
    lib = spec.library
    monkeypatch.setattr(lib, "name", "cellar")
    with says(
        f"{lib.path} has no cellar_python_sizes: compile cellar_python.c into it, which halogen --emit c,python writes.",
        halogen.MismatchError,
    ):
        lib._sizes(lib._handle)
    monkeypatch.undo()
    sizes = list(lib._sizes(lib._handle))
    sizes[1] += 8
    with says(f"{lib.path} was compiled for another libhx than this package: ", halogen.MismatchError):
        lib._compare(tuple(sizes))
    monkeypatch.setattr(type(spec), "model", "0" * 16 + "_1")
    with says(f"{spec.path} has model {spec.hash} of basin, and basin.py is for model {'0' * 16}: ", halogen.MismatchError):
        spec._compare_model()
