"""The halo exchange of icon4py by halogen.

    from halogen.adapters import icon4py as halogen_icon4py
    exchange = halogen_icon4py.Exchange(process_props, decomposition_info)
    exchange.exchange(dims.CellDim, rho, theta)

Exchange has icon4py's protocol ExchangeRuntime, and what its start returns has ExchangeResult.  Who owns what comes from the
global indices and the owner masks of the decomposition.  `register` makes icon4py's own factories return it.

All ranks start and finish in the same order.  Arrays are those of NumPy or CuPy.
"""

from __future__ import annotations

import hashlib
import sys
from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Tuple

import numpy

from .. import Ids, build as b, load


class Stream(NamedTuple):
    """A stream of a device, as icon4py has it.  On the host every stream means: when the call returns, it is done."""

    ptr: int

    def __cuda_stream__(self) -> Tuple[int, int]:
        return 0, self.ptr


DEFAULT_STREAM = Stream(0)
BLOCK = object()
"""As icon4py's, for finish: it returns when all is done."""


class Kind(NamedTuple):
    """What ranks have to agree on about a field."""

    dtype: str
    levels: int
    """0: a field without levels."""
    levels_first: bool
    """In memory: the levels of a point lie side by side."""
    on_device: bool


class Field:
    """A field as it was given: an array whose points come first."""

    def __init__(self, given: Any, dim: Any, number: int, points: int) -> None:
        name = f"field {number}"
        array = given.ndarray if hasattr(given, "ndarray") else given
        self.on_device = hasattr(type(array), "__cuda_array_interface__")
        if not isinstance(array, numpy.ndarray) and not self.on_device:
            raise TypeError(f"{name}: needs a field or an array, got {type(array).__module__}.{type(array).__name__}")
        if array.ndim not in (1, 2):
            raise ValueError(f"{name}: has {array.ndim} axes; one or two can be exchanged, points and levels")
        dims = list(given.domain.dims) if hasattr(given, "domain") else [dim]
        if dim not in dims:
            raise ValueError(f"{name}: has dimensions {dims}, without {dim}")
        if dims.index(dim) == 1:
            array = array.T
        if array.shape[0] < points:
            raise ValueError(f"{name}: has {array.shape[0]} points; this rank has {points}")
        self.given = array
        self.array = array[:points]
        if array.ndim == 2 and array.shape[1] == 1:
            self.array = self.array[:, 0]

    @property
    def kind(self) -> Kind:
        """Of the array."""
        array = self.array
        return Kind(
            array.dtype.str,
            array.shape[1] if array.ndim == 2 else 0,
            array.ndim == 2 and array.strides[1] <= array.strides[0],
            self.on_device,
        )


def _spec_text(kinds: Sequence[Kind]) -> b.SpecText:
    mesh = b.index_list(axes=["point"])
    fields = []
    for number, kind in enumerate(kinds):
        components = (kind.levels, "innermost" if kind.levels_first else "outermost") if kind.levels else None
        memory = "cuda" if kind.on_device else None
        dtype = numpy.dtype(kind.dtype)
        fields.append(b.field(f"f{number}", on=mesh, type=dtype, components=components, memory=memory))
    return b.spec("icon4py", b.exchange("update", *fields))


class _Handle:
    """A handle of libhx, with the arrays that it exchanges now."""

    def __init__(self, halo: Any, ghosts: numpy.ndarray, device: Any) -> None:
        self.halo = halo
        self.device = device
        self.result: Optional["Result"] = None
        self._ghosts = ghosts
        self._given: List[Any] = []
        self._bound: Any = None
        self._copies: List[Tuple[Any, Any]] = []

    def start(self, fields: Sequence[Field], stream: Any) -> Any:
        """Starts; returns what is to be finished."""
        given = [field.given for field in fields]
        if self._bound is None or not all(map(_is_same, given, self._given)):
            self._bind([field.array for field in fields])
            self._given = given
        for copy, array in self._copies:
            copy[...] = array
        return self.halo.update.start(self._bound, stream=stream if self.device else None)

    def _bind(self, arrays: List[Any]) -> None:
        """Arrays of the host with other strides than those that the handle was made for travel by way of a copy."""
        copies: List[Tuple[Any, Any]] = []
        named = {f"f{number}": array for number, array in enumerate(arrays)}
        for name, fitting in self.halo.empty().by_name().items():
            if named[name].strides != fitting.strides and named[name].size:
                copies.append((fitting, named[name]))
                named[name] = fitting
        self._bound, self._copies = self.halo.arrays(**named), copies

    def copy_back(self) -> None:
        """Ghost points only: the others may have changed since start."""
        for copy, array in self._copies:
            array[self._ghosts] = copy[self._ghosts]


def _is_same(one: Any, other: Any) -> bool:
    """The same memory: both arrays are alive."""
    if one is other:
        return True
    if not isinstance(one, numpy.ndarray) or not isinstance(other, numpy.ndarray):
        return False
    mine, theirs = one.__array_interface__, other.__array_interface__
    return (mine["data"], one.shape, one.strides, one.dtype) == (
        theirs["data"],
        other.shape,
        other.strides,
        other.dtype,
    )


def _is_block(stream: Any) -> bool:
    """Is it icon4py's BLOCK, which is no stream?"""
    return stream is not None and not any(hasattr(stream, name) for name in ("ptr", "__cuda_stream__", "__index__"))


class Result:
    """An exchange that was started."""

    def __init__(self, handle: _Handle, pending: Any) -> None:
        self._handle: Optional[_Handle] = handle
        self._pending = pending
        handle.result = self

    def finish(self, stream: Any = DEFAULT_STREAM) -> None:
        """Waits for the exchange, and fills the halos; on a device behind it in the stream, or with BLOCK before it returns.

        On the host all streams mean the same.  A second call does nothing.
        """
        if self._handle is None:
            return
        handle, self._handle = self._handle, None
        handle.result = None
        block = _is_block(stream)
        self._pending.finish(stream=(DEFAULT_STREAM if block else stream) if handle.device else None)
        if block and handle.device:
            handle.device.cuda.Device().synchronize()
        handle.copy_back()

    def is_ready(self) -> bool:
        """Is all there, so that finish will not wait?  On a device, finishes with BLOCK."""
        if self._handle is not None and self._handle.device:
            self.finish(BLOCK)
        return self._handle is None or self._pending.test()


class Exchange:
    """Exchanges fields on the cells, edges and vertices of a mesh that is divided among ranks."""

    def __init__(self, process_props: Any, decomposition_info: Any) -> None:
        """process_props: icon4py's, of which `comm` is used, a communicator of mpi4py.  decomposition_info: its
        global_index(dim) and owner_mask(dim) are."""
        self._comm = process_props.comm
        self._info = decomposition_info
        self._ids: Dict[Any, Ids] = {}
        self._handles: Dict[Any, List[_Handle]] = {}
        self._specs: Dict[Tuple[Kind, ...], Any] = {}

    def start(self, dim: Any, *fields: Any, stream: Any = DEFAULT_STREAM) -> Result:
        """Sends what others need of fields, all on one dimension; on a device behind what is in the stream."""
        if not fields:
            raise ValueError("an exchange needs at least one field")
        ids = self._ids_of(dim)
        wrapped = [Field(field, dim, number, len(ids.ids)) for number, field in enumerate(fields)]
        handle = self._free_handle(dim, wrapped)
        return Result(handle, handle.start(wrapped, stream))

    def exchange(self, dim: Any, *fields: Any, stream: Any = DEFAULT_STREAM) -> None:
        """start and finish."""
        self.start(dim, *fields, stream=DEFAULT_STREAM if _is_block(stream) else stream).finish(stream)

    def __call__(
        self, *fields: Any, dim: Any, full_exchange: bool = True, stream: Any = DEFAULT_STREAM
    ) -> Optional[Result]:
        """exchange, or else start."""
        if not full_exchange:
            return self.start(dim, *fields, stream=stream)
        self.exchange(dim, *fields, stream=stream)
        return None

    def get_size(self) -> int:
        """Of the communicator."""
        return self._comm.Get_size()

    def my_rank(self) -> int:
        """In the communicator."""
        return self._comm.Get_rank()

    def __str__(self) -> str:
        return f"{self.__class__} (rank = {self.my_rank()} / {self.get_size()})"

    def close(self) -> None:
        """Frees all handles.  Collective.  Nothing may be under way."""
        for handles in self._handles.values():
            for handle in handles:
                handle.halo.close()
        self._handles.clear()

    # ---- handles ----

    def _ids_of(self, dim: Any) -> Ids:
        if dim not in self._ids:
            self._ids[dim] = Ids(_on_host(self._info.global_index(dim)), owns=_on_host(self._info.owner_mask(dim)))
        return self._ids[dim]

    def _free_handle(self, dim: Any, fields: Sequence[Field]) -> _Handle:
        """The first one that is not under way.  It is the same on all ranks, since they start and finish in one order."""
        kinds = tuple(field.kind for field in fields)
        handles = self._handles.setdefault((dim, kinds), [])
        for handle in handles:
            if handle.result is None:
                return handle
        handles.append(self._created(dim, kinds, fields))
        return handles[-1]

    def _created(self, dim: Any, kinds: Tuple[Kind, ...], fields: Sequence[Field]) -> _Handle:
        ranks = self._comm.allgather(hashlib.sha256(repr((str(dim), kinds)).encode()).hexdigest())
        other = next((rank for rank, digest in enumerate(ranks) if digest != ranks[0]), None)
        if other is not None:
            raise ValueError(
                f"rank 0 and rank {other} exchange fields of other dimensions, types, levels or orders in memory"
            )
        if kinds not in self._specs:
            self._specs[kinds] = load(_spec_text(kinds), comm=self._comm)
        ids = self._ids_of(dim)
        like = {f"f{number}": field.array for number, field in enumerate(fields) if _is_dense(field.array)}
        halo = self._specs[kinds].create(self._comm, len(ids.ids), lists=ids, like=like)
        return _Handle(halo, numpy.logical_not(numpy.asarray(ids.owns)), _device_of(fields))


def _on_host(array: Any) -> numpy.ndarray:
    """An array of NumPy or CuPy as NumPy's."""
    return numpy.asarray(array.get() if hasattr(array, "get") else array)


def _device_of(fields: Sequence[Field]) -> Any:
    """The module of arrays on a device, such as cupy; None if all are of the host."""
    on_device = (field.array for field in fields if field.on_device)
    return next((sys.modules[type(array).__module__.partition(".")[0]] for array in on_device), None)


def _is_dense(array: Any) -> bool:
    """Can libhx walk it?  Points or levels lie side by side, and levels without room behind them."""
    if array.ndim == 1:
        return array.strides[0] == array.itemsize
    if array.strides[1] <= array.strides[0]:
        return array.strides == (array.shape[1] * array.itemsize, array.itemsize)
    return array.strides[0] == array.itemsize


class Wait:
    """What icon4py calls to finish: the exchange that it was made for is not needed."""

    def __init__(self, exchange_object: Exchange) -> None:
        self.exchange_object = exchange_object

    def __call__(self, communication_handle: Result, stream: Any = DEFAULT_STREAM) -> None:
        communication_handle.finish(stream)


def register(definitions: Any, process_props_type: Any) -> None:
    """Makes icon4py's factories return Exchange and Wait.

    Args:
        definitions: the module icon4py.model.common.decomposition.definitions.
        process_props_type: for which create_exchange is to return Exchange, such as MPICommProcessProperties.
    """
    definitions.create_exchange.register(process_props_type)(Exchange)
    definitions.create_halo_exchange_wait.register(Exchange)(Wait)
