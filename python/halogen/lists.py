"""Grids that are lists of points: who sends which point to whom."""

from __future__ import annotations

import ctypes
import operator
from typing import Any, List, NamedTuple, Tuple

import numpy

from . import create as creating
from . import errors, library


def _whole_numbers(ids: Any) -> numpy.ndarray:
    """NumPy would cut off what lies behind the point."""
    array = numpy.asarray(ids)
    if array.size and (array.dtype.kind not in "iu" or array.max() > 2**63 - 1):
        raise errors.ArgumentError(f"Ids: ids needs whole numbers below 2**63, got {array.dtype}.")
    return numpy.ascontiguousarray(array, numpy.int64)


class Ids:
    """Points of this rank by numbers of the whole grid, which mean the same on all ranks.

    Args:
        ids: of each point, 0 or more; -1 for points that take no part, such as land.
        owned: this rank owns the first so many points; or owns: a mask, True for points that it owns.
    """

    def __init__(self, ids: Any, *, owned: Any = None, owns: Any = None) -> None:
        if (owned is None) == (owns is None):
            raise errors.ArgumentError("Ids: give either owned or owns.")
        self.ids = _whole_numbers(ids)
        self.owned = 0 if owned is None else library.whole(owned, "Ids: owned")
        self.owns = None if owns is None else numpy.ascontiguousarray(numpy.asarray(owns) != 0, numpy.uint8)
        if self.ids.ndim != 1 or (self.owns is not None and self.owns.shape != self.ids.shape):
            raise errors.ArgumentError(
                f"Ids: ids and owns need one axis and the same length, got {self.ids.shape}"
                + ("." if self.owns is None else f" and {self.owns.shape}.")
            )
        if not 0 <= self.owned <= len(self.ids):
            raise errors.ArgumentError(f"Ids: owned is {self.owned}, of {len(self.ids)} points.")

    def _in_c(self) -> library.Ids:
        """For libhx; good as long as this object."""
        return library.Ids(
            points=len(self.ids),
            id=self.ids.ctypes.data,
            owned=self.owned,
            owns=None if self.owns is None else self.owns.ctypes.data,
        )


class _List(NamedTuple):
    """A list for C; `kept` is what it points to."""

    pointer: Any
    kept: Any
    is_of_libhx: bool


def _of_ids(lib: library.Library, comm: Any, ids: Ids) -> _List:
    out = ctypes.POINTER(library.IndexList)()
    lib.hx_index_list_of_ids(comm, ids._in_c(), out)
    return _List(out, ids, True)


def _ints(values: Any, what: str) -> numpy.ndarray:
    array = numpy.asarray(values)
    if array.size and (array.ndim != 1 or array.dtype.kind not in "iu"):
        raise errors.ArgumentError(f"lists: {what} needs a list of whole numbers.")
    if array.size and (array.min() < 0 or array.max() > 2**31 - 1):
        raise errors.ArgumentError(f"lists: {what} has {array.min() if array.min() < 0 else array.max()}: no point.")
    return numpy.ascontiguousarray(array, numpy.intc)


def _of_peers(given: Any) -> _List:
    if not isinstance(given, dict):
        raise errors.ArgumentError(
            f"lists: needs halogen.Ids, or a dict of ranks and pairs of lists, got {type(given).__name__}."
        )
    kept: List[Any] = []
    peers = (library.Peer * max(1, len(given)))()
    for peer, (rank, pair) in zip(peers, given.items()):
        if not isinstance(pair, (list, tuple)) or len(pair) != 2:
            raise errors.ArgumentError(f"lists: rank {rank} needs a pair of lists, points to send and to receive.")
        send, receive = pair
        sends, receives = _ints(send, f"what rank {rank} gets"), _ints(receive, f"what comes from rank {rank}")
        kept += [sends, receives]
        peer.rank, peer.sends, peer.receives = library.whole(rank, "lists: rank"), len(sends), len(receives)
        peer.send = sends.ctypes.data_as(ctypes.POINTER(ctypes.c_int))
        peer.receive = receives.ctypes.data_as(ctypes.POINTER(ctypes.c_int))
    made = library.IndexList(peers=len(given), peer=peers)
    return _List(ctypes.pointer(made), (made, peers, kept), False)


def _part_of(spec: Any, cells: Any) -> library.Part:
    """A rank may have no points."""
    numbers = cells if isinstance(cells, (list, tuple)) else (cells,)
    try:
        counts = [operator.index(n) for n in numbers]
    except TypeError:
        counts = []
    if len(counts) != len(spec.axes) or min(counts) < 0 or max(counts) > library.MOST_CELLS:
        raise errors.ArgumentError(
            f"cells: needs the points of this rank{'' if len(spec.axes) == 1 else ' and the cells along ' + spec.axes[1]}, "
            f"got {cells!r}."
        )
    part = library.Part()
    part.n[: len(counts)] = counts
    return part


def prepared(request: Any, comm: Any) -> Any:
    """What create needs for a list of points.  Collective where libhx makes the list."""
    spec, lib = request.spec, request.spec.library
    try:
        if request.cart:
            raise errors.ArgumentError(f"cart: is for grids of boxes; that of {spec.name} is a list of points.")
        if request.lists is None:
            raise errors.ArgumentError(f"lists: {spec.name} has a list of points; give halogen.Ids, or lists by rank.")
        part, options = _part_of(spec, request.cells), creating.options_of(request.options)
        like = creating._like(spec, request.like, 1)
        shape = creating._shape_of(spec, part, request.strides, [(name, arrays[0]) for name, arrays in like.items()])
        layouts = [creating._layout(spec, part, shape)]
        listed = None if isinstance(request.lists, Ids) else _of_peers(request.lists)
    except Exception:
        if isinstance(request.lists, dict):
            creating.refuse_on_all(spec, comm)
        else:  # the others give ids, of which they make lists before they create
            library.fail_on_all(lib.hx_index_list_of_ids, comm, None, None)
        raise
    points = listed or _of_ids(lib, comm, request.lists)
    about = lib.listed_type(comm=comm, list=ctypes.cast(points.pointer, ctypes.c_void_p))

    def free() -> None:
        if points.is_of_libhx:
            lib.hx_index_list_free(points.pointer)

    return creating.Prepared(lib.hx_create_listed_for, about, shape, options, layouts, None, points, free)
