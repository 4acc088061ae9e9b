"""Memory that the ranks of a node share, as NumPy arrays: tables that all read, and windows.

Both need mpi4py.  They call functions of libhx that know no spec: hx/shared_array.h and hx/window.h say what these do.
"""

from __future__ import annotations

import ctypes
import gc
import os
import weakref
from ctypes import POINTER, Structure, c_char_p, c_double, c_int, c_int64, c_size_t, c_uint, c_void_p
from typing import Any, Dict, Iterable, List, Optional, Set, Tuple

import numpy

from . import errors, library, mpi, place

_TABLE_AXES = 8


class _Table(Structure):
    """hx_array."""

    _fields_ = [
        ("data", c_void_p),
        ("size", c_size_t),
        ("axes", c_int),
        ("extent", c_size_t * _TABLE_AXES),
        ("memory", c_void_p),
    ]


class _Request(Structure):
    """hx_window_request."""

    _fields_ = [
        ("size", c_size_t),
        ("name", c_char_p),
        ("memory", c_int),
        ("ways", c_uint),
        ("element", c_size_t),
        ("axes", c_int),
        ("extent", c_int64 * library.MAX_AXES),
        ("base", c_void_p),
        ("check", c_int),
        ("log", c_int),
        ("log_line", library.LOG_FUNCTION),
        ("log_context", c_void_p),
        ("deadline", c_double),
    ]


class _Facts(Structure):
    """hx_window_facts."""

    _fields_ = [
        ("ways", c_uint),
        ("memory", c_int),
        ("why", c_char_p),
        ("element", c_size_t),
        ("axes", c_int),
        ("extent", c_int64 * library.MAX_AXES),
        ("elements", c_int64),
        ("bytes", c_size_t),
        ("node_rank", c_int),
        ("node_ranks", c_int),
        ("node", c_int),
        ("nodes", c_int),
    ]


class _Part(Structure):
    """hx_window_part."""

    _fields_ = [("way", c_int), ("target", c_int), ("at", c_int64), ("count", c_int64)]


FUNCTIONS = {
    "hx_shared_arrays_create_within": ("status", "comm", c_double, POINTER(c_void_p)),
    "hx_shared_array": ("status", c_void_p, c_int, POINTER(_Table), POINTER(_Table), POINTER(c_void_p)),
    "hx_shared_arrays_sync": ("status", c_void_p),
    "hx_shared_arrays_destroy": ("status", c_void_p),
    "hx_window_create": ("status", "comm", POINTER(_Request), POINTER(c_void_p)),
    "hx_window_free": ("status", POINTER(c_void_p)),
    "hx_window_query": (None, c_void_p, POINTER(_Facts)),
    "hx_window_pointer": ("status", c_void_p, c_int, POINTER(c_void_p), POINTER(c_int64)),
    "hx_window_put": ("status", c_void_p, c_void_p, POINTER(_Part), c_void_p),
    "hx_window_get": ("status", c_void_p, c_void_p, POINTER(_Part), c_void_p),
    "hx_window_fence": ("status", c_void_p, c_int, c_int),
    "hx_window_lock_all": ("status", c_void_p, c_int, c_int),
    "hx_window_unlock_all": ("status", c_void_p, c_int),
    "hx_window_flush": ("status", c_void_p, c_int, c_int),
    "hx_window_sync": ("status", c_void_p, c_int),
}


class _Libhx(library.Functions):
    """libhx without a spec."""

    def __init__(self, path: str) -> None:
        MPI = mpi.module()
        if MPI is None:
            raise errors.StateError("tables, windows and pools need mpi4py: import mpi4py.MPI first.")
        super().__init__(library.opened(path), MPI._sizeof(MPI.Comm), FUNCTIONS)
        self.mpi = self.hx_version().decode().partition("), ")[2].split(", ")[1]
        self.comm_size = 8 if self.mpi.startswith("Open MPI") else 4
        mpi.compare(self)


_opened: Optional[_Libhx] = None


def libhx(more: Any = None) -> _Libhx:
    """libhx, with more functions than those of this file."""
    global _opened
    if _opened is None:
        paths = [os.path.join(directory, "libhx.so") for directory in place.libhx().directories()]
        _opened = _Libhx(next((path for path in paths if os.path.exists(path)), "libhx.so.0"))
    if more:
        _opened.declare(more)
    return _opened


def _communicator(comm: Any) -> Any:
    MPI = mpi.module()
    if MPI is None or not isinstance(comm, MPI.Comm):
        raise errors.ArgumentError(f"comm: needs an mpi4py communicator, got {type(comm).__name__}.")
    if comm == MPI.COMM_NULL:
        raise errors.ArgumentError("comm: is COMM_NULL (or was freed).")
    return comm.Dup()


def _handle(lib: _Libhx, comm: Any) -> Any:
    MPI: Any = mpi.module()
    return lib.comm_type.from_address(MPI._addressof(comm))


class Memory:
    """An array of libhx, as NumPy asks for it; it keeps its owner."""

    __slots__ = ("__array_interface__", "owner", "__weakref__")

    def __init__(self, owner: Any, address: int, shape: Tuple[int, ...], dtype: numpy.dtype, read_only: bool) -> None:
        self.owner = owner
        self.__array_interface__ = {
            "version": 3,
            "shape": shape,
            "typestr": dtype.str,
            "data": (address, read_only),
        }


class _Owner:
    """What gives memory, and takes it back when no rank looks into it any more."""

    _said = ""

    def __init__(self, comm: Any) -> None:
        self._library = libhx()
        self.comm = _communicator(comm)
        self._memory: Any = weakref.WeakSet()
        self._is_open = True

    def _array(self, address: int, shape: Tuple[int, ...], dtype: numpy.dtype, read_only: bool) -> numpy.ndarray:
        memory = Memory(self, address, shape, dtype, read_only)
        self._memory.add(memory)
        found = numpy.asarray(memory)
        return found.view(dtype) if dtype.names else found

    def _need_open(self) -> None:
        if not self._is_open:
            raise errors.StateError(f"{self._said} closed.")

    def __enter__(self) -> Any:
        return self

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        if kind is None:
            self.close()

    def close(self) -> bool:
        """Gives the memory back.  Collective.

        Returns:
            Whether it is given back.  Where on some rank an array still looks into it, it stays on all ranks: drop the
            array and call close() again, or leave it.
        """
        if not self._is_open:
            return True
        if mpi.is_running(self._library)[1]:
            raise errors.StateError("close was called after MPI_Finalize.")
        if len(self._memory):
            gc.collect()
        if self.comm.allreduce(len(self._memory)):
            return False
        self._is_open = False
        self._free()
        self.comm.Free()
        return True

    def _free(self) -> None:
        raise NotImplementedError


class Tables(_Owner):
    """Arrays that all ranks read: one copy for all ranks of a node.  Collective, as all its methods are.

    Args:
        comm: a communicator of mpi4py; it is duplicated.
        deadline: seconds to wait for other ranks; 0: for ever.
    """

    _said = "these tables are"

    def __init__(self, comm: Any, *, deadline: float = 0.0) -> None:
        super().__init__(comm)
        out = c_void_p()
        self._library.hx_shared_arrays_create_within(_handle(self._library, self.comm), deadline, out)
        self._handle = out

    def share(self, array: Any = None, *, root: int = 0, writable: bool = False) -> numpy.ndarray:
        """Gives every rank what one of them has.

        Args:
            array: on the root, anything that numpy.asarray takes, with at most 8 axes; it is copied.  Others give None.
            root: the rank that has it.
            writable: on all ranks alike; the ranks of a node then write into the same memory: see sync().

        Returns:
            An array with the same elements on every rank, in C order; read-only unless `writable`.

        Raises:
            ArgumentError: on all ranks, if the root gives no array that can be shared.  AllocationError.
        """
        self._need_open()
        given, problem = None, None
        root = library.whole(root, "root", 0, self.comm.Get_size() - 1)
        if self.comm.Get_rank() == root and array is not None:
            try:
                given = numpy.asarray(array, order="C")
            except (TypeError, ValueError) as error:
                problem = error
        about, problem = self.comm.bcast((None if given is None else (given.dtype, given.shape), problem), root=root)
        if problem is not None:
            raise errors.ArgumentError(f"share: rank {root} gave no array: {problem}")
        if about is None or about[0].hasobject or len(about[1]) > _TABLE_AXES:
            what = "None" if about is None else f"dtype {about[0]} and {len(about[1])} axes"
            raise errors.ArgumentError(f"share: rank {root} has to give an array of numbers with at most 8 axes, got {what}.")
        return self._share(given, root, about, writable)

    def _share(self, given: Any, root: int, about: Any, writable: bool) -> numpy.ndarray:
        dtype, shape = about
        theirs, shared, memory = _Table(), _Table(), c_void_p()
        if given is not None:
            theirs = _Table(data=given.ctypes.data, size=dtype.itemsize, axes=len(shape))
            theirs.extent[: len(shape)] = shape
        self._library.hx_shared_array(
            self._handle, root, theirs if given is not None else None, shared, memory if writable else None
        )
        return self._array(memory.value if writable else shared.data, shape, dtype, not writable)

    def sync(self) -> None:
        """What a rank wrote to writable arrays before is what the ranks of its node read after.  Collective."""
        self._need_open()
        self._library.hx_shared_arrays_sync(self._handle)

    def _free(self) -> None:
        self._library.hx_shared_arrays_destroy(self._handle)


# Windows with puts or gets under way: MPI may use arrays that only the window knows, so it lives on where it is dropped.
_busy: Set["Window"] = set()

_MEMORY = {"auto": 0, "shared": 1, "parts": 2, "private": 3}
_WAYS = {"node": 1, "peers": 2, "leaders": 4}


def _named(names: Dict[str, int], value: Any, what: str) -> int:
    if value not in names:
        raise errors.ArgumentError(f"{what}: is one of {', '.join(names)}, got {value!r}.")
    return names[value]


class Window(_Owner):
    """Memory that other ranks reach, by arrays on their node and by put and get from anywhere.

    Args:
        comm: a communicator of mpi4py; it is duplicated.  Collective.
        shape: elements along each axis, at most 4: with memory = "shared" of the node's buffer, else of this rank's.
        dtype: of an element.
        memory: "shared", one buffer a node; "parts", of which each rank holds one; "private"; "auto".
        ways: who else reaches it: "node", "peers", "leaders".
        name: for errors.
        check: complain of accesses outside of epochs, and of such that conflict.
        deadline: seconds to wait for other ranks; 0: for ever.

    Attributes:
        memory: what it really is. shape, dtype: as given.
        node_rank, node_ranks: of this rank on its node, and how many there are.
    """

    _said = "the window is"

    def __init__(
        self,
        comm: Any,
        shape: Any,
        dtype: Any = float,
        *,
        memory: str = "auto",
        ways: Iterable[str] = ("peers",),
        name: str = "window",
        check: bool = False,
        deadline: float = 0.0,
    ) -> None:
        try:
            request = _Request(size=ctypes.sizeof(_Request), name=name.encode(), check=bool(check), deadline=deadline)
        except (AttributeError, TypeError):
            raise errors.ArgumentError(
                f"Window: name is text and deadline a number, got {name!r} and {deadline!r}."
            ) from None
        request.memory = _named(_MEMORY, memory, "memory")
        for way in ways:
            request.ways |= _named(_WAYS, way, "ways")
        self.dtype = numpy.dtype(dtype)
        extents = shape if isinstance(shape, (list, tuple)) else (shape,)
        self.shape = tuple(library.whole(n, "shape", most=2**63 - 1) for n in extents)
        if len(self.shape) > library.MAX_AXES or self.dtype.hasobject:
            raise errors.ArgumentError(f"shape: at most {library.MAX_AXES} axes of numbers, got {self.shape} of {dtype}.")
        request.element, request.axes = self.dtype.itemsize, len(self.shape)
        request.extent[: len(self.shape)] = self.shape
        super().__init__(comm)
        self._handle = c_void_p()
        self._under_way: List[Tuple[int, Any]] = []
        self._library.hx_window_create(_handle(self._library, self.comm), request, self._handle)
        facts = _Facts()
        self._library.hx_window_query(self._handle, facts)
        self.memory = next(word for word, number in _MEMORY.items() if number == facts.memory)
        self.node_rank, self.node_ranks = facts.node_rank, facts.node_ranks

    @property
    def address(self) -> int:
        """Of the hx_window, for Halo.register and calls by ctypes."""
        self._need_open()
        return self._handle.value or 0

    def array(self, node_rank: Optional[int] = None) -> numpy.ndarray:
        """The memory that a rank of this node holds.  Local.

        Args:
            node_rank: whose; None: this rank's, or with memory = "shared" the node's.

        Returns:
            An array of this rank's shape; of another rank's memory one with a single axis.
        """
        self._need_open()
        whose = library.whole(node_rank, "node_rank") if node_rank is not None else 0 if self.memory == "shared" else self.node_rank
        at, elements = c_void_p(), c_int64()
        self._library.hx_window_pointer(self._handle, whose, at, elements)
        own = self.memory == "shared" or whose == self.node_rank
        return self._array(at.value or 0, self.shape if own else (elements.value,), self.dtype, False)

    def _part(self, array: Any, target: int, at: int, way: str) -> _Part:
        if type(array) is not numpy.ndarray or array.dtype != self.dtype or not array.flags.c_contiguous:
            raise errors.ArgumentError(f"array: needs a NumPy array of {self.dtype} in C order.")
        target, at = library.whole(target, "target"), library.whole(at, "at", -(2**63), 2**63 - 1)
        return _Part(_named(_WAYS, way, "way"), target, at, array.size)

    def put(self, array: Any, target: int, at: int = 0, *, way: str = "peers") -> None:
        """Writes elements of an array to a target, from its element `at` on.  Leave the array alone until the epoch ends."""
        self._need_open()
        part = self._part(array, target, at, way)
        self._library.hx_window_put(self._handle, array.ctypes.data, part, None)
        self._begun(part.way, array)

    def get(self, array: Any, target: int, at: int = 0, *, way: str = "peers") -> None:
        """Reads elements of a target into an array; they are there when the epoch ends."""
        self._need_open()
        part = self._part(array, target, at, way)
        if not array.flags.writeable:
            raise errors.ArgumentError("array: is read-only.")
        self._library.hx_window_get(self._handle, array.ctypes.data, part, None)
        self._begun(part.way, array)

    def _begun(self, way: int, array: Any) -> None:
        self._under_way.append((way, array))
        _busy.add(self)

    def _ended(self, way: str) -> None:
        """Lets arrays of put and get go: until here MPI may read and write them."""
        self._under_way = [(its_way, array) for its_way, array in self._under_way if its_way != _WAYS[way]]
        if not self._under_way:
            _busy.discard(self)

    def fence(self, *, way: str = "peers") -> None:
        """Ends an epoch and begins another.  Collective over the ranks of the way."""
        self._need_open()
        self._library.hx_window_fence(self._handle, _named(_WAYS, way, "way"), 0)
        self._ended(way)

    def lock_all(self, *, way: str = "peers") -> None:
        """Begins an epoch to all targets.  Local."""
        self._need_open()
        self._library.hx_window_lock_all(self._handle, _named(_WAYS, way, "way"), 0)

    def unlock_all(self, *, way: str = "peers") -> None:
        """Ends it.  Local."""
        self._need_open()
        self._library.hx_window_unlock_all(self._handle, _named(_WAYS, way, "way"))
        self._ended(way)

    def flush(self, target: int = -1, *, way: str = "peers") -> None:
        """All accesses to a target, or with -1 to all, are complete.  Local; inside lock_all."""
        self._need_open()
        target = library.whole(target, "target", -1)
        self._library.hx_window_flush(self._handle, _named(_WAYS, way, "way"), target)
        if target == -1:
            self._ended(way)

    def sync(self, *, way: str = "node") -> None:
        """Stores before it come before loads after it, for ranks that do the same.  Local; inside lock_all."""
        self._need_open()
        self._library.hx_window_sync(self._handle, _named(_WAYS, way, "way"))

    def _free(self) -> None:
        self._library.hx_window_free(self._handle)


__all__: List[str] = ["Tables", "Window"]
