"""Functions of Python that fill ghost points beyond walls."""

from __future__ import annotations

import gc
import threading
import weakref
from typing import Any, NamedTuple, Optional, Tuple

import numpy

from . import errors, library


class Wall(NamedTuple):
    """Ghost points of one field of one block beyond one wall."""

    exchange: str
    field: str
    block: int
    """Number among the blocks of this rank."""
    axis: int
    """The wall lies across it."""
    side: int
    """0 low, 1 high."""
    lo: Tuple[int, ...]
    """lo <= index < hi, counted from the first owned point, by axes."""
    hi: Tuple[int, ...]
    points: Any
    """A view of these points, to be written; None in the memory of a device.  Good in the call alone."""
    array: Any
    """The whole array; in the memory of a device its address."""


class Boundary:
    """What a handle calls.

    Attributes:
        function: the one that was given.
        thread: the one that is in it now, or None.
    """

    def __init__(self, halo: Any, function: Any) -> None:
        self._halo = halo
        self.function = function
        self.thread: Optional[int] = None
        self.on_host = library.WALL_FUNCTION(self._call)
        self.on_device = library.WALL_ON_FUNCTION(self._call_on)

    def _call(self, context: Any, address: int) -> None:
        self._run(address, ())

    def _call_on(self, context: Any, address: int, stream: Any) -> None:
        self._run(address, (stream or 0,))

    def _run(self, address: int, more: Tuple[Any, ...]) -> None:
        """Nothing may be raised through C: the first error waits for finish."""
        self.thread = threading.get_ident()
        try:
            self._call_with(library.Wall.from_address(address), more)
        except BaseException as error:
            self._halo._raised = self._halo._raised or error
        finally:
            self.thread = None

    def _call_with(self, wall: library.Wall, more: Tuple[Any, ...]) -> None:
        """Refuses views that outlive the call: nothing of theirs keeps the memory that they look into."""
        given, lent = _wall(self._halo, wall)
        self.function(given, *more)
        name = f"{given.exchange}: {given.field}"
        del given
        if lent is not None and lent() is not None:
            gc.collect()
            if lent() is not None:
                raise errors.StateError(
                    f"{name}: the boundary function kept points or array of its wall, which are good in the call alone; keep a "
                    "copy, wall.points.copy()."
                )


class _Lent:
    """Memory of an array for as long as a function is called, as NumPy asks for it."""

    __slots__ = ("__array_interface__", "__weakref__")

    def __init__(self, address: int, want: Any) -> None:
        self.__array_interface__ = {
            "version": 3,
            "shape": want.shape,
            "strides": want.strides,
            "typestr": want.dtype.str,
            "data": (address, False),
        }


def _wall(halo: Any, wall: library.Wall) -> Tuple[Wall, Any]:
    """What a function is given, and a reference that tells whether somebody still has its views."""
    spec, axes = halo.spec, len(halo.spec.axes)
    field = list(spec.fields.values())[wall.field]
    lo, hi = tuple(wall.lo[:axes]), tuple(wall.hi[:axes])
    points, array, reference = None, wall.array, None
    if not field.on_device:
        want = halo._layouts[wall.block].wanted[wall.field]
        lent = _Lent(wall.array, want)
        array, reference = numpy.asarray(lent), weakref.ref(lent)
        low = field.halo_lo
        points = array[tuple(slice(first + l, last + l) for first, last, l in zip(lo, hi, low))]
    exchange = list(spec.exchanges)[wall.exchange]
    return Wall(exchange, field.name, wall.block, wall.axis, wall.side, lo, hi, points, array), reference


def give(halo: Any, function: Any) -> Optional[Boundary]:
    """Gives a handle a function; what is returned has to live as long."""
    lib = halo.spec.library
    made = Boundary(halo, function) if function is not None else None
    fields = halo.spec.fields.values()
    if not all(field.on_device for field in fields):
        lib.hx_set_boundary(halo._handle, made.on_host if made else library.WALL_FUNCTION(0), None)
    if any(field.on_device for field in fields):
        lib.hx_set_boundary_on(halo._handle, made.on_device if made else library.WALL_ON_FUNCTION(0), None)
    return made
