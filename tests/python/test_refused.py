"""What Python refuses, and in which words.  Runs on one rank."""

import ctypes
import json
import os
import re
import stat
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest
from mpi4py import MPI

import halogen
from halogen import build

HERE = Path(__file__).resolve().parent
COMM = MPI.COMM_SELF


@pytest.fixture(scope="module")
def spec():
    return halogen.load(HERE / "basin.lua")


@pytest.fixture
def halo(spec):
    with spec.create(COMM, (16, 8, 8)) as made:
        yield made


def says(kind, sentence):
    return pytest.raises(kind, match="^" + re.escape(sentence) + "$")


def good(halo):
    f = halo.empty()
    return f.u, f.v, f.w


def test_kinds_of_errors():
    assert issubclass(halogen.ArgumentError, (halogen.Error, ValueError)) and issubclass(halogen.Error, RuntimeError)
    assert issubclass(halogen.AllocationError, MemoryError) and issubclass(halogen.DeadlineError, TimeoutError)
    assert issubclass(halogen.PartitionError, ValueError) and issubclass(halogen.SpecError, halogen.Error)


@pytest.mark.parametrize("call", ["velocity", "arrays"])
def test_arrays(halo, call):
    def attempt(u):
        _, v, w = good(halo)
        return halo.velocity(u, v, w) if call == "velocity" else halo.arrays(u, v, w)

    u, v, w = good(halo)
    attempt(u)
    wide = np.zeros((20, 12, 12), order="F")
    attempt(wide)
    attempt(np.asarray(wide).view())
    with says(
        halogen.ArgumentError,
        "u: its dtype is float32; the spec (basin.lua:3) has double: give an array made as float64 (what astype returns is "
        "a copy, which the exchange would fill in place of u).",
    ):
        attempt(wide.astype("f4"))
    with says(halogen.ArgumentError, "u: its bytes are big-endian (>f8); the spec (basin.lua:3) has double: make it native."):
        attempt(wide.astype(">f8"))
    with says(
        halogen.ArgumentError,
        "u: its shape is (16, 8, 8); with 2 layers of halo on each side it is (20, 12, 12) along x, y, z (basin.lua:3).",
    ):
        attempt(np.zeros((16, 8, 8), order="F"))
    with says(
        halogen.ArgumentError,
        "u: its strides are (1152, 96, 8) bytes; this handle has (8, 160, 1920): make it with halo.empty(), or with "
        'order="F" (basin.lua:3).',
    ):
        attempt(np.zeros((20, 12, 12)))
    with says(
        halogen.ArgumentError,
        "u: its strides are (-8, 160, 1920) bytes; this handle has (8, 160, 1920): make it with halo.empty(), or with "
        'order="F" (basin.lua:3).',
    ):
        attempt(wide[::-1])
    locked = wide.copy(order="F")
    locked.flags.writeable = False
    with says(halogen.ArgumentError, "u: the array is read-only; an exchange writes its halo (basin.lua:3)."):
        attempt(locked)
    bytes_ = np.zeros(wide.nbytes + 8, "u1")
    odd = np.ndarray(wide.shape, "f8", bytes_, 4 if bytes_.ctypes.data % 8 == 0 else 8 - bytes_.ctypes.data % 8 + 4, wide.strides)
    with says(halogen.ArgumentError, "u: starts at an address that is no multiple of 8 (basin.lua:3)."):
        attempt(odd)
    with says(halogen.ArgumentError, "u and v overlap in memory; each field needs an array of its own."):
        halo.velocity(u, u, w) if call == "velocity" else halo.arrays(u, u, w)
    for thing, name in (([1.0], "list"), (3.0, "float"), ("u", "str")):
        with says(
            halogen.ArgumentError,
            f"u: needs a NumPy array or one with __cuda_array_interface__ or __dlpack__, got {name} (basin.lua:3).",
        ):
            attempt(thing)
    with says(halogen.ArgumentError, "u: is a masked array, whose mask no exchange sees; give its .data (basin.lua:3)."):
        attempt(np.ma.masked_array(wide))


def test_broadcast(halo):
    with pytest.raises(halogen.ArgumentError, match="^u: its strides are .* bytes; this handle has "):
        halo.arrays(u=np.broadcast_to(1.0, (20, 12, 12)))


def test_components(halo):
    f = halo.empty()
    with says(
        halogen.ArgumentError,
        "t: its shape is (18, 11, 10); with 1:1, 1:2, 1:1 layers of halo (low:high) it is (18, 11, 10, 3) along x, y, z, "
        "component (basin.lua:4).",
    ):
        halo.arrays(t=np.zeros((18, 11, 10), "f4"))
    halo.arrays(t=f.t)


def test_fields(halo):
    u, v, w = good(halo)
    with says(halogen.ArgumentError, "velocity needs w."):
        halo.velocity(u, v)
    with says(halogen.ArgumentError, "velocity needs v, w."):
        halo.velocity(halo.arrays(u=u))
    with says(halogen.ArgumentError, "velocity has no field p; it carries u, v, w."):
        halo.velocity(u, v, w, p=u)
    with says(halogen.ArgumentError, "velocity was given u twice."):
        halo.velocity(u, v, w, u=u)
    with says(halogen.ArgumentError, "velocity takes 3 arrays, u, v, w; got 4."):
        halo.velocity(u, v, w, u)
    with says(halogen.ArgumentError, "basin has no field q; it carries u, v, w, t, m, c."):
        halo.arrays(q=u)
    with says(halogen.ArgumentError, "v: these arrays were made without it."):
        halo.arrays(u=u).v
    with says(halogen.ArgumentError, "velocity fills no corners along 'x'; the spec asks for none."):
        halo.velocity.corners("x", u, v, w)


def test_cells_and_communicators(spec):
    for cells in ((8, 8.0, 8), (8, 8), (8, 0, 8), 8, "888", None, (8, 8, 2**31), (8, 8, -1)):
        with pytest.raises(halogen.ArgumentError) as caught:
            spec.create(COMM, cells)
        assert str(caught.value) == (
            f"cells: needs 3 whole numbers from 1 to 1000000000 for x, y, z, got {cells!r}."
        )
    spec.create(COMM, np.array([8, 8, 8])).close()
    with says(halogen.ArgumentError, "comm: is COMM_NULL (or was freed)."):
        spec.create(MPI.COMM_NULL, (8, 8, 8))
    gone = COMM.Dup()
    gone.Free()
    with says(halogen.ArgumentError, "comm: is COMM_NULL (or was freed)."):
        spec.create(gone, (8, 8, 8))
    with says(
        halogen.ArgumentError, "comm: needs an mpi4py communicator or an int, a Fortran handle, got str."
    ):
        spec.create("world", (8, 8, 8))
    spec.create(COMM.py2f(), (8, 8, 8)).close()


def test_options(spec):
    with pytest.raises(halogen.ArgumentError, match="^create has no option colour; it has transport, deadline, check, "):
        spec.create(COMM, (8, 8, 8), colour="red")
    with says(halogen.ArgumentError, "deadline: cannot be 'soon'."):
        spec.create(COMM, (8, 8, 8), deadline="soon")
    with pytest.raises(halogen.ArgumentError, match="transport"):
        spec.create(COMM, (8, 8, 8), transport="pigeon")
    lines = []
    spec.create(COMM, (8, 8, 8), log=lambda level, line: lines.append((level, line)), log_level="info", tune=True).close()
    assert lines and all(level in (1, 2) for level, _ in lines)


def test_sentences_name_the_line_of_python():
    here = sys._getframe().f_lineno
    grid = build.cartesian(axes="xy", periodic="x")
    t = build.field("t", on=grid, type="double", halo=3)
    bent = halogen.load(build.spec("bent", build.exchange("all", t, boundary={"y": "mirror"})))
    with pytest.raises(halogen.PartitionError, match=rf"^.*test_refused\.py:{here + 3}: "):
        bent.create(COMM, (8, 2))
    with bent.create(COMM, (8, 8)) as halo, pytest.raises(
        halogen.ArgumentError, match=rf"^t: its dtype is float32; the spec \(test_refused\.py:{here + 2}\) has double"
    ):
        halo.all(np.zeros((14, 14), "f4"))
    here = sys._getframe().f_lineno
    grid = build.cartesian(axes="xy", periodic="x")
    n = build.field("n", on=grid, type="int", halo=1)
    brief = halogen.load(build.spec("brief", build.exchange("all", n, wire="int8")))
    with brief.create(COMM, (8, 8)) as halo, pytest.raises(
        halogen.ArgumentError,
        match=rf'^test_refused\.py:{here + 3}: exchange "all" on rank 0: field n \(test_refused\.py:{here + 2}\) is 300 at point ',
    ):
        halo.all(np.full((10, 10), 300, np.intc, order="F"))


def test_partitions(spec):
    with pytest.raises(halogen.PartitionError) as caught:
        spec.create(COMM, (8, 8, 8), ranks=(2, 1, 1))
    assert caught.value.code == "HX_ERR_PARTITION" and caught.value.status == 3
    with says(halogen.PartitionError, "owners: has 2 ranks for 1 blocks."):
        spec.create(COMM, (8, 8, 8), owners=[0, 0])
    sphere = build.cubed_sphere(axes="xy")
    faces = halogen.load(build.spec("faces", build.exchange("all", build.field("t", on=sphere, type="double", halo=1))))
    with says(
        halogen.PartitionError,
        "6 blocks on 1 rank: say by ranks= how many blocks each tile has along each axis, or by owners= which rank has "
        "which block.",
    ):
        faces.create(COMM, (8, 8))
    with pytest.raises(halogen.ArgumentError, match="^ranks: needs 3 whole numbers for x, y, z, "):
        spec.partition((8, 8, 8), ranks=(1, 1))
    with pytest.raises(halogen.PartitionError, match="^cuts: 3 numbers along x make 2 parts, and ranks has 3"):
        spec.partition((8, 8, 8), ranks=(3, 0, 0), cuts=([0, 4, 8], None, None))
    assert "chosen" in spec.partition((64, 8, 8)).explain(4)
    assert spec.partition((64, 8, 8)).block(1, 2).first == (32, 0, 0)


def test_like(spec):
    with pytest.raises(halogen.ArgumentError, match="order in memory"):
        spec.create(COMM, (8, 8, 8), like={"u": np.zeros((12, 12, 12))})
    with says(halogen.ArgumentError, "like: basin has no field q; it has u, v, w, t, m, c."):
        spec.create(COMM, (8, 8, 8), like={"q": np.zeros(3)})
    with says(halogen.ArgumentError, "like: u has 1 axes; it needs 3 (basin.lua:3)."):
        spec.create(COMM, (8, 8, 8), like={"u": np.zeros(3)})


def test_arrays_are_not_replaced(halo):
    f = halo.empty()
    f.u += 1.0
    f.owned.u *= 3.0
    assert f.u[2, 2, 2] == 3.0 and f.u[0, 0, 0] == 1.0
    for name in ("u", "owned.u"):
        with says(
            halogen.ArgumentError, "u: write into it, u[...] = ..., or bind another array by halo.arrays()."
        ):
            if name == "u":
                f.u = f.u.copy()
            else:
                f.owned.u = f.u
    with pytest.raises(AttributeError):
        f.owned.q = f.u


def test_description_is_json(spec):
    halo = spec.create(COMM, (8, 8, 8))
    said = json.loads(halo.describe_json())
    assert said["format"] == "halogen-run" and said["spec"] == spec.name
    assert [e["name"] for e in said["exchanges"]] == list(spec.exchanges)
    assert said["blocks"][0]["cells"] == [8, 8, 8]
    assert halo.close()


def test_description_that_fails_has_the_class_of_the_failure(spec):
    halo = spec.create(COMM, (8, 8, 8))
    no_handle = ctypes.create_string_buffer(1 << 16)
    handle, halo._handle = halo._handle, ctypes.addressof(no_handle)
    with says(halogen.StateError, "The handle given to describe is none, or was destroyed; give one that create made.") as caught:
        halo.describe_json()
    assert caught.value.code == "HX_ERR_STATE"
    halo._handle = handle
    assert halo.close()


def test_statistics(spec, tmp_path, monkeypatch):
    with spec.create(COMM, (8, 8, 8)) as halo:
        with says(
            halogen.StateError,
            "Rank 0 of 1: basin_stats: this handle has no statistics; set HX_STATS=1 in the environment of rank 0 before create.",
        ):
            halo.stats()
    monkeypatch.setenv("HX_STATS", str(tmp_path / "end.json"))
    halo = spec.create(COMM, (8, 8, 8))
    for _ in range(3):
        halo.velocity(halo.empty())
    halo.stats(tmp_path / "so far.json")
    told = json.loads((tmp_path / "so far.json").read_text())
    assert told["spec"] == spec.name and told["exchanges"][0]["ranks"][0]["times"] == 3
    assert halo.close()


def test_observers(spec):
    all_kinds, few = [], []
    with spec.observe(all_kinds.append), spec.observe(few.append, "finished", "failed"):
        halo = spec.create(COMM, (8, 8, 8))
        f = halo.empty()
        halo.velocity(f)
    halo.velocity(f)  # nobody hears that any more
    assert halo.close()
    assert [event.kind for event in all_kinds][:2] == ["created", "start"] and all_kinds[-1].kind == "finished"
    assert {event.kind for event in all_kinds} == {"created", "start", "copied", "started", "finish", "finished"}
    (event,) = few
    assert event == all_kinds[-1] and (event.exchange, event.start, event.code) == ("velocity", 0, "HX_OK")
    assert 0 < event.since <= event.seconds and event.peer is None and event.transport is None
    assert sum(event.bytes for event in all_kinds if event.kind == "copied") == halo_bytes(spec)
    with says(halogen.ArgumentError, "observe: there is no kind 'end' of events; there are " + ", ".join(halogen.observe.KINDS) + "."):
        spec.observe(print, "end")
    with pytest.raises(halogen.ArgumentError, match="observe: needs a function, got NoneType"):
        spec.observe(None)


def halo_bytes(spec):
    with spec.create(COMM, (8, 8, 8)) as halo:
        return halo.traffic("velocity").bytes_copied


def test_order_of_calls(spec):
    halo = spec.create(COMM, (8, 8, 8))
    f = halo.alloc()
    with says(halogen.StateError, "velocity is not under way: start it first (basin.lua:8)."):
        halo.velocity.finish()
    pending = halo.velocity.start(f)
    with says(halogen.StateError, "velocity is under way; finish it first (basin.lua:8)."):
        halo.velocity.start(f)
    with says(halogen.StateError, "velocity is under way; finish it first (basin.lua:8)."):
        halo.close()
    pending.finish()
    with says(halogen.StateError, "this exchange was finished already."):
        pending.finish()
    with says(halogen.StateError, "this exchange was finished already."):
        pending.test()
    other = spec.create(COMM, (8, 8, 8))
    with says(halogen.ArgumentError, "velocity: these arrays belong to another handle; bind them with arrays()."):
        other.velocity(f)
    assert other.close() and halo.close() and halo.closed and halo.close()
    with says(halogen.StateError, "the handle is closed."):
        halo.velocity(f)
    with says(halogen.StateError, "the handle is closed."):
        f.u
    for call in (halo.alloc, halo.empty, halo.arrays, halo.describe, halo.describe_json):
        with says(halogen.StateError, "the handle is closed."):
            call()


def test_body_that_raises_is_finished(halo):
    f = halo.empty()
    with pytest.raises(KeyError):
        with halo.velocity.start(f):
            raise KeyError("of the body")
    halo.velocity(f)


def test_arrays_live_as_long_as_they_are_needed(spec):
    halo = spec.create(COMM, (8, 8, 8))
    u = halo.alloc().u[1:3]
    u[...] = 7.0
    assert not halo.close()
    assert u[1, 2, 3] == 7.0
    del u
    assert halo.close()
    halo = spec.create(COMM, (8, 8, 8))
    halo.velocity.start(*good(halo))
    noise = [np.full((12, 12, 12), 9.0) for _ in range(20)]
    halo.velocity.finish()
    assert all((array == 9.0).all() for array in noise)
    halo.close()


def test_free(spec):
    with spec.create(COMM, (8, 8, 8)) as halo:
        f = halo.alloc()
        u = f.u
        with says(
            halogen.StateError, "free: on some rank something looks into these arrays; drop its views first."
        ):
            f.free()
        f.u[0, 0, 0] = 3.0
        assert u[0, 0, 0] == 3.0
        del u
        f.free()
        with says(halogen.StateError, "these arrays were freed."):
            f.u
        with pytest.raises(halogen.StateError):
            halo.velocity(f)


def test_threads(halo):
    """One thread holds the handle, as if it waited in an exchange."""
    f = halo.empty()
    halo._lock.acquire()
    caught = []

    def other():
        try:
            halo.velocity(f)
        except halogen.Error as error:
            caught.append(error)

    thread = threading.Thread(target=other)
    thread.start()
    thread.join()
    halo._lock.release()
    assert [str(error) for error in caught] == ["another thread is in this handle."]
    thread = threading.Thread(target=lambda: caught.append(halo.velocity(f)))
    thread.start()
    thread.join()
    assert isinstance(caught[1], halogen.Done)


def test_fork(halo):
    f = halo.empty()
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            halo.velocity(f)
        except halogen.StateError as error:
            os.write(write, str(error).encode())
        os._exit(0)
    os.waitpid(child, 0)
    assert os.read(read, 200).decode() == f"this handle belongs to process {os.getpid()}; a fork cannot use it."
    os.close(read), os.close(write)
    halo.velocity(f)


def test_specs(tmp_path):
    with says(halogen.SpecError, "nowhere.lua: no such file (looked in the current directory)."):
        halogen.load("nowhere.lua")
    bad = tmp_path / "bad.lua"
    bad.write_text('local g = cartesian { axes = "xy" }\nlocal u = field "u" { on = g, type = "dubble", halo = 1 }\n'
                   'return spec "bad" { exchange "e" { u } }\n')
    with pytest.raises(halogen.SpecError, match="dubble") as caught:
        halogen.load(bad)
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic["line"] == 2 and diagnostic["code"] == "HG1401"
    b = halogen.build
    g = b.cartesian(axes="xy")
    u = b.field("u", on=g, type="dubble", halo=1)
    line = sys._getframe().f_lineno - 1
    with pytest.raises(halogen.SpecError) as caught:
        halogen.load(b.spec("bad", b.exchange("e", u)))
    assert str(caught.value).startswith(f"{__file__}:{line}: error: ")


def test_compilers(tmp_path, monkeypatch):
    with says(
        halogen.CompilerError,
        "no-such-cc was not found; halogen.load compiles what it generates: install one, or set cc=.",
    ):
        halogen.load(HERE / "basin.lua", cc="no-such-cc")
    with pytest.raises(halogen.CompilerError, match="could not compile basin.c; its last lines:") as caught:
        halogen.load(HERE / "basin.lua", cflags=["-DHX_HX_H"], cache=tmp_path)
    assert "error" in caught.value.output and "-DHX_HX_H" in caught.value.command
    monkeypatch.setenv("HALOGEN", "/nonexistent/halogen")
    with says(halogen.SpecError, "the command halogen was not found beside the package or in PATH."):
        halogen.load(HERE / "basin.lua")


@pytest.fixture
def small(tmp_path):
    """A spec that compiles at once."""
    spec = tmp_path / "specs" / "small.lua"
    spec.parent.mkdir()
    spec.write_text('local g = cartesian { axes = "x" }\n'
                    'return spec "small" { exchange "all" { field "u" { on = g, type = "double", halo = 1 } } }\n')
    return spec


def test_cache(small, tmp_path):
    def compiled(directory):
        return sorted(directory.glob("small-*/libsmall.so"))

    cache = tmp_path / "cache"
    first = halogen.load(small, cache=cache)
    (one,) = compiled(cache)
    written = one.stat().st_mtime_ns
    again = halogen.load(small, cache=cache)
    assert again.path == first.path and one.stat().st_mtime_ns == written
    halogen.load(small, cache=cache, cflags=["-DOTHER"])
    assert len(compiled(cache)) == 2
    assert not list(cache.glob(".small-*-*"))  # no folder of work is left


def test_cache_that_is_only_read(small, tmp_path, monkeypatch):
    """What is in a cache is used without writing there."""
    halogen.load(small, cache=tmp_path)
    before = sorted((path, path.stat().st_mtime_ns) for path in tmp_path.rglob("*"))
    monkeypatch.setattr(sys.modules["halogen.load"], "_why_not_writable", None)
    spec = halogen.load(small, cache=tmp_path)
    assert spec.path.startswith(str(tmp_path))
    assert sorted((path, path.stat().st_mtime_ns) for path in tmp_path.rglob("*")) == before


def test_kept_files_and_header(tmp_path):
    spec = halogen.load(HERE / "basin.lua", keep=tmp_path / "seen")
    names = {path.name for path in (tmp_path / "seen").iterdir()}
    assert names == {"basin.h", "basin.c", "basin.py", "basin_python.c"}
    assert "basin: halo exchanges" in spec.header


def test_types():
    """Each type of the language is a type of NumPy of that size and kind."""
    kinds = {
        "char": "i1", "signed char": "i1", "unsigned char": "u1", "short": "i2", "unsigned short": "u2", "int": "i4",
        "unsigned int": "u4", "long": "i8", "unsigned long": "u8", "long long": "i8", "unsigned long long": "u8",
        "int8_t": "i1", "uint8_t": "u1", "int16_t": "i2", "uint16_t": "u2", "int32_t": "i4", "uint32_t": "u4", "int64_t": "i8",
        "uint64_t": "u8", "intptr_t": "i8", "uintptr_t": "u8", "intmax_t": "i8", "uintmax_t": "u8", "size_t": "u8",
        "ptrdiff_t": "i8", "float": "f4", "double": "f8", "long double": "f16", "bool": "?", "half": "f2", "complex64": "c8",
        "complex128": "c16",
    }  # fmt: skip
    b = halogen.build
    g = b.cartesian(axes="x")
    fields = [b.field(f"f_{number}", on=g, type=name, halo=1) for number, name in enumerate(kinds)]
    spec = halogen.load(b.spec("types_of_all", b.exchange("everything", *fields)))
    assert [field.dtype for field in spec.fields.values()] == [np.dtype(kind) for kind in kinds.values()]


def test_cache_that_cannot_be_written(small, tmp_path, monkeypatch):
    """A file in place of the directory, which even root cannot write into."""
    blocked = tmp_path / "file"
    blocked.write_text("")
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    with pytest.warns(RuntimeWarning, match="file/cache cannot be written .* compiling into a temporary directory"):
        spec = halogen.load(small, cache=blocked / "cache")
    folder = Path(spec.path).parent.parent
    assert folder == tmp_path / f"halogen-{os.getuid()}" and stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_many_at_once(small, tmp_path):
    """Several processes and an empty cache: one of them compiles, and all of them use the folder that it made."""
    counted, compiler = tmp_path / "compiled", tmp_path / "cc"
    compiler.write_text(f'#!/bin/sh\ncase "$*" in *-shared*) echo once >>{counted} ;; esac\nexec mpicc "$@"\n')
    compiler.chmod(0o700)
    code = f"import halogen; print(halogen.load({str(small)!r}, cache={str(tmp_path)!r}, cc={str(compiler)!r}).path)"
    runs = [subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) for _ in range(8)]
    paths = {run.communicate()[0].strip() for run in runs}
    assert all(run.returncode == 0 for run in runs) and len(paths) == 1
    assert len(list(tmp_path.glob("small-*"))) == 1 and counted.read_text() == "once\n"


def test_without_mpi():
    code = f"""
import sys
sys.modules["mpi4py"] = None
import halogen
spec = halogen.load({str(HERE / 'basin.lua')!r})
for comm in (None, 0):
    try:
        spec.create(comm, (8, 8, 8))
    except halogen.Error as error:
        print(error)
import ctypes
spec.library._handle.MPI_Init_thread(None, None, 3, ctypes.byref(ctypes.c_int()))
with spec.create(0, (8, 8, 8)) as halo:
    halo.velocity(halo.alloc())
halo = spec.create(0, (8, 8, 8))
f = halo.alloc()
spec.library._handle.MPI_Finalize()
for call in (lambda: spec.create(0, (8, 8, 8)), lambda: halo.velocity(f), halo.close):
    try:
        call()
    except halogen.Error as error:
        print(error)
"""
    ours = {name: value for name, value in os.environ.items() if not name.startswith(("OMPI_", "PMIX_", "ORTE_"))}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=ours)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[:3] == [
        "halogen needs mpi4py for communicators; install python3-mpi4py, or call MPI_Init and give comm a Fortran handle.",
        "MPI is not initialized: import mpi4py.MPI first.",
        "create was called after MPI_Finalize.",
    ]
    assert "velocity" in lines[3] and "MPI_Finalize" in lines[3]
    assert lines[4] == "close was called after MPI_Finalize."


def test_another_mpi(spec):
    """A library that says it was compiled for MPICH."""
    from halogen import mpi

    class Library:
        comm_size, mpi = 4, "MPICH 4.0.2"
        hx_version = staticmethod(lambda: text)

    text = b"libhx 0.1.0 (commit 1), ABI 18, Open MPI 4.1.4, gcc"
    with pytest.raises(halogen.MismatchError, match="^the compiler is that of MPICH 4.0.2, and libhx is built with another"):
        mpi.compare(Library)
    text = b"libhx 0.1.0 (commit 1), ABI 18, MPICH 4.0.2, gcc"

    version = ".".join(map(str, MPI.get_vendor()[1]))
    with says(
        halogen.MismatchError,
        f"libhx was built with MPICH 4.0.2, mpi4py with {MPI.get_vendor()[0]} {version}: build one of them with the "
        "other's mpicc.",
    ):
        mpi.compare(Library)
