"""Stocks of buffers: for messages of handles, and for what a program needs now and then.  hx/pool.h says more."""

from __future__ import annotations

import ctypes
from ctypes import POINTER, Structure, c_int, c_size_t, c_uint64, c_void_p
from typing import Any, NamedTuple, Optional

import numpy

from . import errors, library, shared


class Counters(NamedTuple):
    """What a pool has given, and has."""

    acquired: int
    """Buffers, since the pool was made."""
    reused: int
    """Of these, had been released before."""
    held: int
    """Buffers that are in use."""
    in_use: int
    """Bytes."""
    idle: int
    """Bytes of released buffers that are kept."""
    high_water: int
    """The most that in_use has been."""


class _Counters(Structure):
    """hx_pool_counters."""

    _fields_ = [
        ("acquired", c_uint64),
        ("reused", c_uint64),
        ("held", c_uint64),
        ("in_use", c_size_t),
        ("idle", c_size_t),
        ("high_water", c_size_t),
    ]


FUNCTIONS = {
    "hx_pool_create": ("status", c_int, POINTER(c_void_p)),
    "hx_pool_create_in": ("status", c_void_p, c_int, POINTER(c_void_p)),
    "hx_pool_destroy": ("status", c_void_p),
    "hx_pool_acquire": ("status", c_void_p, c_size_t, POINTER(c_void_p)),
    "hx_pool_release": ("status", c_void_p, c_void_p),
    "hx_pool_offset": ("status", c_void_p, c_void_p, POINTER(c_size_t)),
    "hx_pool_trim": ("status", c_void_p),
    "hx_pool_count": ("status", c_void_p, POINTER(_Counters)),
}


class Pool:
    """A stock of buffers.  Handles take theirs from it with `spec.create(comm, cells, pool=pool)`, and so may you.

    Buffers that were released are kept and serve the next request of their size.  All calls are local.

    Args:
        window: a halogen.Window: buffers lie in what this rank holds of it.  None: in memory of the host.
        check: fill released buffers with a pattern, and complain where somebody writes to one.
    """

    def __init__(self, window: Optional[shared.Window] = None, *, check: bool = False) -> None:
        self._library = shared.libhx(FUNCTIONS)
        self._handle = c_void_p()
        self._window = window  # lives as long
        if window is None:
            self._library.hx_pool_create(bool(check), self._handle)
        elif isinstance(window, shared.Window):
            self._library.hx_pool_create_in(window.address, bool(check), self._handle)
        else:
            raise errors.ArgumentError(f"window: needs a halogen.Window or None, got {type(window).__name__}.")

    @property
    def address(self) -> int:
        """Of the hx_pool, for calls by ctypes."""
        if not self._handle:
            raise errors.StateError("the pool is closed.")
        return self._handle.value or 0

    def __enter__(self) -> "Pool":
        return self

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        if kind is None:
            self.close()

    def acquire(self, count: int) -> numpy.ndarray:
        """A buffer of so many bytes, on cache lines of its own.  What it holds is undefined.

        `.view("f8")` makes numbers of it.  It goes back by release(), with the array that you got.

        Raises:
            AllocationError: memory, or room in the window, is used up.
        """
        buffer = c_void_p()
        count = library.whole(count, "count", 0, 2**63 - 1)
        self._library.hx_pool_acquire(self.address, count, buffer)
        return numpy.asarray(shared.Memory(self, buffer.value or 0, (count,), numpy.dtype("u1"), False))

    def release(self, buffer: Any) -> None:
        """Gives a buffer back.  Do not use its array, nor views of it, any more: others get the memory.

        Raises:
            ArgumentError: it is none of this pool's.  StateError: it was released before.
        """
        self._library.hx_pool_release(self.address, _address(buffer))

    def offset(self, buffer: Any) -> int:
        """Bytes from the beginning of what this rank holds of the window to a buffer: for put and get of others."""
        out = c_size_t()
        self._library.hx_pool_offset(self.address, _address(buffer), out)
        return out.value

    def trim(self) -> None:
        """Gives idle buffers back to the system, or to the window."""
        self._library.hx_pool_trim(self.address)

    def count(self) -> Counters:
        """What the pool has given, and has."""
        out = _Counters()
        self._library.hx_pool_count(self.address, out)
        return Counters(*(getattr(out, name) for name in Counters._fields))

    def close(self) -> None:
        """Gives all memory back.

        Raises:
            StateError: buffers are in use, of handles, too: close those first.
        """
        if self._handle:
            self._library.hx_pool_destroy(self._handle)
            self._handle = c_void_p()


def _address(buffer: Any) -> int:
    if not isinstance(buffer, numpy.ndarray):
        raise errors.ArgumentError(f"buffer: needs an array that acquire() gave, got {type(buffer).__name__}.")
    return int(buffer.ctypes.data)


__all__ = ["Counters", "Pool"]
