"""Fields in the memory of a device, which here is the fake one of tests/cuda: mpirun -n N python3 device.py"""

import ctypes
import os

import numpy as np

import halogen
from ranks import comm, refuses, run

HERE = os.path.dirname(os.path.abspath(__file__))
CELLS = (8, 6)


class Interface:
    """Like an array of CuPy: nothing but the interface."""

    def __init__(self, array, **changes):
        self.array = array
        self.changes = changes

    @property
    def __cuda_array_interface__(self):
        about = dict(self.array.__array_interface__, version=3, strides=self.array.strides, stream=None)
        return about | self.changes


class Capsule:
    """Like an array of PyTorch: DLPack alone, which says that it lies on a device."""

    def __init__(self, array, kind=2):
        self.array = array
        self.kind = kind

    def __dlpack_device__(self):
        return (self.kind, 0)

    def __dlpack__(self, stream=None):
        assert stream == (-1 if self.kind == 2 else None)
        return self.array.__dlpack__()


class Handmade(Capsule):
    """DLPack with an offset to the first element; `kept` is what it points to."""

    def __dlpack__(self, stream=None):
        array = self.array
        shape = (ctypes.c_int64 * 2)(*array.shape)
        strides = (ctypes.c_int64 * 2)(*(step // 8 for step in array.strides))
        tensor = halogen.device._Tensor(data=array.__array_interface__["data"][0] - 64, ndim=2, shape=shape, strides=strides, byte_offset=64)
        tensor.device.type, tensor.dtype.code, tensor.dtype.bits, tensor.dtype.lanes = self.kind, 2, 64, 1
        self.kept = shape, strides, tensor
        new = ctypes.pythonapi.PyCapsule_New
        new.restype, new.argtypes = ctypes.py_object, (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
        return new(ctypes.addressof(tensor), b"dltensor", None)


class Stream:
    def __init__(self, ptr):
        self.ptr = ptr


class Protocol:
    def __cuda_stream__(self):
        return (0, 0)


def seen(array):
    """What the fake device has, for NumPy: its memory may be touched (FAKE_CUDA_HOST_ACCESS)."""
    about = array.__cuda_array_interface__
    address, strides = about["data"][0], about["strides"]
    span = sum((n - 1) * s for n, s in zip(about["shape"], strides)) + 8
    memory = (ctypes.c_byte * span).from_address(address)
    return np.ndarray(about["shape"], about["typestr"], memory, 0, strides)


def fill(halo, array, layers, salt):
    x, y = np.ogrid[tuple(slice(first - layers, first + n + layers) for first, n in zip(halo.first, halo.n))]
    owned = (x >= halo.first[0]) & (x < halo.first[0] + halo.n[0]) & (y >= halo.first[1]) & (y < halo.first[1] + halo.n[1])
    array[...] = np.where(owned, x + 100.0 * y + salt, -1.0)


def compare(halo, array, layers, salt, star=False):
    x, y = np.ogrid[tuple(slice(first - layers, first + n + layers) for first, n in zip(halo.first, halo.n))]
    beside = (x < halo.first[0]) | (x >= halo.first[0] + halo.n[0])
    above = (y < halo.first[1]) | (y >= halo.first[1] + halo.n[1])
    there = (y >= 0) & (y < CELLS[1]) & ~(beside & above if star else False)
    wanted = np.where(there, x % CELLS[0] + 100.0 * y + salt, -1.0)
    assert (array == wanted).all(), array - wanted


def test_memory_of_libhx(spec, comm):
    with spec.create(comm, CELLS) as halo:
        f = halo.alloc()
        assert isinstance(f.density, halogen.DeviceArray) and isinstance(f.speed, np.ndarray)
        density, energy = seen(f.density), seen(f.energy)
        for stream in (None, 0, Stream(0), Protocol()):
            fill(halo, density, 2, 0.0), fill(halo, energy, 2, 0.5), fill(halo, f.speed, 1, 0.25)
            with halo.state.start(f, stream=stream):
                pass
            compare(halo, density, 2, 0.0), compare(halo, energy, 2, 0.5)
            fill(halo, energy, 2, 0.5)
            halo.both(f, stream=stream)
            compare(halo, energy, 2, 0.5, star=True), compare(halo, f.speed, 1, 0.25, star=True)
        for stream in (True, "0", 1.5):
            refuses(halogen.ArgumentError, "stream: needs an int, an object with ptr", halo.state, f, stream=stream)


def test_gathered(spec, comm):
    """To an array of NumPy on the last rank, every other row on all, and back from the first one."""
    with spec.create(comm, CELLS) as halo:
        f = halo.alloc()
        density = seen(f.density)
        fill(halo, density, 2, 0.0)
        x, y = np.ogrid[: CELLS[0], : CELLS[1]]
        grid, whole, thin = x + 100.0 * y, np.zeros(CELLS), np.zeros((CELLS[0], (CELLS[1] + 1) // 2))
        halo.gather(f, "density", whole, root=comm.size - 1)
        assert (whole == (grid if comm.rank == comm.size - 1 else 0.0)).all(), whole
        halo.gather_selected(f, ("density", np.s_[:, ::2], thin))
        assert (thin == grid[:, ::2]).all(), thin
        halo.scatter(f, "density", grid + 7.0)
        own = tuple(slice(first, first + n) for first, n in zip(halo.first, halo.n))
        assert (density[2:-2, 2:-2] == grid[own] + 7.0).all(), density


def halves(halo, f, star, stream, prepare):
    """Pack, send, receive, unpack, with messages under way only between the middle two."""
    prepare()
    exchange = halo.both if star else halo.state
    exchange.pack(f, stream=stream)
    pending = exchange.send(stream)
    refuses(halogen.StateError, f"{exchange.name} is under way; finish it first (gas.lua:", exchange.pack, f)
    refuses(halogen.StateError, f"{exchange.name} is under way; finish it first (gas.lua:", exchange.unpack, f)
    while not pending.test():
        pass
    exchange.receive()
    refuses(halogen.StateError, "this exchange was finished already.", pending.finish)
    exchange.unpack(f, stream=stream)


def test_halves(spec, comm):
    with spec.create(comm, CELLS) as halo:
        f = halo.alloc()
        density, energy = seen(f.density), seen(f.energy)

        def prepare():
            fill(halo, density, 2, 0.0), fill(halo, energy, 2, 0.5), fill(halo, f.speed, 1, 0.25)

        refuses(halogen.StateError, "", halo.state.send)  # nothing was packed
        refuses(halogen.StateError, "state is not under way: start it first (gas.lua:", halo.state.receive)
        for stream in (None, 0, Stream(0), Protocol()):
            halves(halo, f, False, stream, prepare)
            compare(halo, density, 2, 0.0), compare(halo, energy, 2, 0.5)
            halves(halo, f, True, stream, prepare)
            compare(halo, energy, 2, 0.5, star=True), compare(halo, f.speed, 1, 0.25, star=True)
        prepare()
        halo.state.pack(Interface(density), Interface(energy))  # halves and wholes go together
        halo.state.send().finish()
        compare(halo, density, 2, 0.0), compare(halo, energy, 2, 0.5)
        prepare()
        halo.state.start(f)
        halo.state.receive()
        halo.state.unpack(density=Interface(density), energy=Interface(energy))
        compare(halo, density, 2, 0.0), compare(halo, energy, 2, 0.5)
        refuses(halogen.ArgumentError, "state needs energy.", halo.state.pack, Interface(density))
        refuses(halogen.ArgumentError, "stream: needs an int, an object with ptr", halo.state.pack, f, stream="0")
        halo.both.pack(f)
        del density, energy
        f.free()
        refuses(halogen.StateError, "these arrays were freed.", halo.both.send)


def graph_of(cuda, stream, captured):
    """What a function gives to a stream, as a graph that can be launched."""
    graph, made = ctypes.c_void_p(), ctypes.c_void_p()
    assert cuda.cudaStreamBeginCapture(stream, 0) == 0
    captured()
    assert cuda.cudaStreamEndCapture(stream, ctypes.byref(graph)) == 0
    assert cuda.cudaGraphInstantiateWithFlags(ctypes.byref(made), graph, ctypes.c_ulonglong(0)) == 0
    assert cuda.cudaGraphDestroy(graph) == 0
    return made


def test_graphs(spec, comm):
    """Two graphs, captured once, pack and unpack in each step; the host does what is in between."""
    cuda, stream = ctypes.CDLL(spec.path), ctypes.c_void_p()
    assert cuda.cudaStreamCreateWithFlags(ctypes.byref(stream), 1) == 0
    with spec.create(comm, CELLS) as halo:
        f = halo.alloc()
        energy, both, number = seen(f.energy), halo.both, stream.value
        before = graph_of(cuda, stream, lambda: both.pack(f, stream=number))
        after = graph_of(cuda, stream, lambda: both.unpack(f, stream=number))
        for step in range(3):
            fill(halo, energy, 2, step + 0.5), fill(halo, f.speed, 1, step + 0.25)
            assert cuda.cudaGraphLaunch(before, stream) == 0
            both.send(Stream(number))
            both.receive()
            assert cuda.cudaGraphLaunch(after, stream) == 0
            assert cuda.cudaStreamSynchronize(stream) == 0
            compare(halo, energy, 2, step + 0.5, star=True), compare(halo, f.speed, 1, step + 0.25, star=True)
        for graph in (before, after):
            assert cuda.cudaGraphExecDestroy(graph) == 0
        del energy
    assert cuda.cudaStreamDestroy(stream) == 0


def test_arrays_of_others(spec, comm):
    """Arrays of alloc(), seen through both protocols, serve as arrays of other libraries."""
    with spec.create(comm, CELLS) as halo:
        f = halo.alloc()
        density, energy, speed = seen(f.density), seen(f.energy), np.zeros_like(f.speed, order="K")
        for wrap in (Interface, Capsule, Handmade):
            fill(halo, density, 2, 1.0), fill(halo, energy, 2, 2.0)
            halo.state(wrap(density), wrap(energy))
            compare(halo, density, 2, 1.0), compare(halo, energy, 2, 2.0)
            bound = halo.arrays(wrap(density), wrap(energy), f.speed)
            fill(halo, density, 2, 3.0), fill(halo, energy, 2, 4.0)
            halo.state(bound)
            compare(halo, density, 2, 3.0), compare(halo, energy, 2, 4.0)
        here = 'lies in the memory of the host; its field has memory = "cuda" (gas.lua:4).'
        for array in (density, Capsule(density, kind=1)):
            refuses(halogen.ArgumentError, "density: " + here, halo.arrays, density=array)
        for array in (Interface(speed), Capsule(speed)):
            refuses(
                halogen.ArgumentError,
                'speed: lies on a GPU; its field has memory = "host" (gas.lua:5).',
                halo.arrays,
                speed=array,
            )
        speed = halo.empty().speed
        halo.both(Interface(energy), Capsule(speed, kind=1))
        for changes, start in (
            ({"typestr": "<f4"}, "density: its dtype is float32; the spec (gas.lua:4) has double"),
            ({"shape": (3, 3)}, "density: its shape is (3, 3); with 2 layers of halo on each side it is "),
            ({"strides": (16, 8)}, "density: its strides are (16, 8) bytes; this handle has "),
            ({"data": (density.ctypes.data, True)}, "density: the array is read-only; an exchange writes its halo (gas.lua:"),
            ({"data": (density.ctypes.data + 4, False)}, "density: starts at an address that is no multiple of 8 (gas.lua:"),
            ({"mask": density}, "density: has a mask, which no exchange sees."),
        ):
            refuses(halogen.ArgumentError, start, halo.arrays, density=Interface(density, **changes))
        refuses(halogen.ArgumentError, "density: lies on a device of DLPack's type 10", halo.arrays, density=Capsule(density, 10))
        for array in (3, None, [1.0]):
            refuses(halogen.ArgumentError, "density: needs a NumPy array or one with __cuda", halo.arrays, density=array)
        refuses(halogen.ArgumentError, "density and energy overlap in memory", halo.state, Interface(density), Interface(density))


def test_jax(spec, comm):
    """Known by the name of its module."""
    array = type("ArrayImpl", (), {"__module__": "jaxlib.xla_extension", "__dlpack__": None})()
    with spec.create(comm, CELLS) as halo:
        for name in ("density", "speed"):
            sentence = f"{name}: is a JAX array, which cannot be changed in place; copy it to an array of halo.empty() (gas.lua:"
            refuses(halogen.ArgumentError, sentence, halo.arrays, **{name: array})


def main():
    spec = halogen.load(os.path.join(HERE, "gas.lua"), comm=comm)
    assert spec.fields["density"].on_device and not spec.fields["speed"].on_device
    run((test_memory_of_libhx, test_gathered, test_halves, test_graphs, test_arrays_of_others, test_jax), spec, comm)


if __name__ == "__main__":
    main()
