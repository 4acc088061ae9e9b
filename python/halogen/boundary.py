"""Functions of Python that fill ghost points beyond walls."""

from __future__ import annotations

import ctypes
import threading
from typing import Any, NamedTuple, Optional, Tuple

import numpy

from . import library


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
    """A view of these points, to be written; None in the memory of a device."""
    array: Any
    """The whole array; in the memory of a device its address."""


class Boundary:
    """What a handle calls.

    Attributes:
        thread: the one that is in the function now, or None.
    """

    def __init__(self, halo: Any, function: Any) -> None:
        self._halo = halo
        self._function = function
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
            self._function(_wall(self._halo, library.Wall.from_address(address)), *more)
        except BaseException as error:
            self._halo._raised = self._halo._raised or error
        finally:
            self.thread = None


def _wall(halo: Any, wall: library.Wall) -> Wall:
    spec, axes = halo.spec, len(halo.spec.axes)
    field = list(spec.fields.values())[wall.field]
    lo, hi = tuple(wall.lo[:axes]), tuple(wall.hi[:axes])
    points, array = None, wall.array
    if not field.on_device:
        want = halo._layouts[wall.block].wanted[wall.field]
        memory = (ctypes.c_byte * want.span).from_address(wall.array)
        array = numpy.ndarray(want.shape, want.dtype, memory, 0, want.strides)
        low = field.halo_lo
        points = array[tuple(slice(first + l, last + l) for first, last, l in zip(lo, hi, low))]
    exchange = list(spec.exchanges)[wall.exchange]
    return Wall(exchange, field.name, wall.block, wall.axis, wall.side, lo, hi, points, array)


def give(halo: Any, function: Any) -> Optional[Boundary]:
    """Gives a handle a function; what is returned has to live as long."""
    lib = halo.spec.library
    made = Boundary(halo, function) if function is not None else None
    fields = halo.spec.fields.values()
    if not all(field.on_device for field in fields):
        lib.hx_set_hook(halo._handle, made.on_host if made else library.WALL_FUNCTION(0), None)
    if any(field.on_device for field in fields):
        lib.hx_set_hook_on(halo._handle, made.on_device if made else library.WALL_ON_FUNCTION(0), None)
    return made
