"""Does an array fit a field of a handle?  If not, in which words.

The check that passes is short, since it runs at each call with arrays that were not bound before.  All else is there
to find the right sentence.
"""

from __future__ import annotations

from typing import Any, List, Sequence, Tuple

import numpy

from . import device, errors


# NumPy 2 has it in another place.
_TOO_HARD = getattr(numpy, "exceptions", numpy).TooHardError


class Wanted:
    """What an array of one field of one block has to be.

    Attributes:
        place: where the spec has the field: "channel.lua:4".
        elements: of the array, padding included.
        shape, strides: by axes of the grid, then the component; strides in bytes.  Ghost points count.  A field that has
            them behind the owned points is a row of elements.
        steps: bytes from point to point and from component to component, also of such a field.
        span: bytes from the first element to the end of the last.
    """

    __slots__ = ("field", "place", "axes", "dtype", "shape", "strides", "steps", "alignment", "span", "elements")

    def __init__(
        self,
        field: Any,
        place: str,
        axes: Sequence[str],
        elements: int,
        shape: Tuple[int, ...],
        strides: Tuple[int, ...],
        steps: Tuple[int, ...],
    ) -> None:
        self.field = field
        self.place = place
        self.axes = tuple(axes)
        self.dtype = field.dtype
        self.elements = elements
        self.shape, self.strides, self.steps = shape, strides, steps
        self.alignment = 1 if self.dtype.kind == "V" else self.dtype.alignment
        self.span = span_of(shape, strides, self.dtype.itemsize)


def span_of(shape: Sequence[int], strides: Sequence[int], itemsize: int) -> int:
    """Bytes from the first element to the end of the last; strides are not negative."""
    return sum((n - 1) * stride for n, stride in zip(shape, strides)) + itemsize


def address_of(array: Any, want: Wanted) -> int:
    """The address of the first element of an array that fits.  Raises ArgumentError for one that does not."""
    if (
        type(array) is numpy.ndarray
        and array.strides == want.strides
        and array.shape == want.shape
        and array.dtype == want.dtype
    ):
        address, read_only = array.__array_interface__["data"]
        if not read_only and address % want.alignment == 0 and not want.field.on_device:
            return address
    return _address_slowly(array, want)


def _address_slowly(array: Any, want: Wanted) -> int:
    view = _view_of(array, want)
    name = want.field.name
    if view.on_device and not want.field.on_device:
        raise errors.ArgumentError(f'{name}: lies on a GPU; its field has memory = "host" ({want.place}).')
    if want.field.on_device and not view.on_device:
        raise errors.ArgumentError(
            f'{name}: lies in the memory of the host; its field has memory = "cuda" ({want.place}).'
        )
    _compare_dtype(view.dtype, want)
    _compare_shape(view.shape, want)
    _compare_strides(view.strides, want)
    _compare_address(view.address, view.read_only, want)
    return view.address


def _view_of(array: Any, want: Wanted) -> device.View:
    """What an array of any library says about itself.  Raises ArgumentError for what is none."""
    name = want.field.name
    if isinstance(array, numpy.ma.MaskedArray):
        raise errors.ArgumentError(f"{name}: is a masked array, whose mask no exchange sees; give its .data ({want.place}).")
    if isinstance(array, numpy.matrix):
        raise errors.ArgumentError(f"{name}: is a numpy.matrix; give numpy.asarray of it ({want.place}).")
    if type(array).__module__.partition(".")[0] in ("jax", "jaxlib"):
        raise errors.ArgumentError(
            f"{name}: is a JAX array, which cannot be changed in place; copy it to an array of halo.empty() ({want.place})."
        )
    view = device.view_of(array, name)
    if view is None:
        raise errors.ArgumentError(
            f"{name}: needs a NumPy array or one with __cuda_array_interface__ or __dlpack__, "
            f"got {type(array).__name__} ({want.place})."
        )
    return view


def _compare_dtype(dtype: numpy.dtype, want: Wanted) -> None:
    name, wanted = want.field.name, want.dtype
    if dtype.hasobject:
        raise errors.ArgumentError(
            f"{name}: its elements are objects of Python, which no other rank can use ({want.place})."
        )
    if dtype == wanted or (wanted.kind == "V" and dtype.itemsize == wanted.itemsize):
        return
    if dtype.newbyteorder() == wanted:
        order = "big" if dtype.str.startswith(">") else "little"
        raise errors.ArgumentError(
            f"{name}: its bytes are {order}-endian ({dtype.str}); the spec ({want.place}) has {want.field.type}: make it native."
        )
    if wanted.kind == "V":
        raise errors.ArgumentError(
            f"{name}: its elements have {dtype.itemsize} bytes; the spec ({want.place}) has {want.field.type}, "
            f"with {wanted.itemsize}."
        )
    raise errors.ArgumentError(
        f"{name}: its dtype is {dtype}; the spec ({want.place}) has {want.field.type}: give an array made as "
        f"{wanted} (what astype returns is a copy, which the exchange would fill in place of {name})."
    )


def _layers_in_words(want: Wanted) -> str:
    field = want.field
    if field.behind or not any(field.halo_lo + field.halo_hi):
        return ""
    if len(set(field.halo_lo + field.halo_hi)) == 1:
        count = field.halo_lo[0]
        return f"with {count} layer{'s' if count > 1 else ''} of halo on each side "
    sides = ", ".join(f"{lo}:{hi}" for lo, hi in zip(field.halo_lo, field.halo_hi))
    return f"with {sides} layers of halo (low:high) "


def _compare_shape(shape: Sequence[int], want: Wanted) -> None:
    if tuple(shape) == want.shape:
        return
    axes = want.axes + (("component",) if want.field.has_components else ())
    along = "of all points of the block" if want.field.behind else f"along {', '.join(axes)}"
    raise errors.ArgumentError(
        f"{want.field.name}: its shape is {tuple(shape)}; {_layers_in_words(want)}it is {want.shape} {along} ({want.place})."
    )


def _order_in_words(want: Wanted) -> str:
    """How NumPy makes arrays with these strides: order="F"."""
    for order in ("F", "C"):
        strides, step = [0] * len(want.shape), want.dtype.itemsize
        axes = range(len(want.shape))
        for axis in axes if order == "F" else reversed(axes):
            strides[axis] = step
            step *= want.shape[axis]
        if tuple(strides) == want.strides:
            return f', or with order="{order}"'
    return ", or give such arrays to create: like="


def _compare_strides(strides: Sequence[int], want: Wanted) -> None:
    """Along an axis with one point the stride counts for nothing."""
    if all(mine == theirs or n == 1 for mine, theirs, n in zip(strides, want.strides, want.shape)):
        return
    raise errors.ArgumentError(
        f"{want.field.name}: its strides are {tuple(strides)} bytes; this handle has {want.strides}: make it with "
        f"halo.empty(){_order_in_words(want)} ({want.place})."
    )


def _compare_address(address: int, read_only: bool, want: Wanted) -> None:
    name = want.field.name
    if read_only:
        raise errors.ArgumentError(f"{name}: the array is read-only; an exchange writes its halo ({want.place}).")
    if address % want.alignment:
        raise errors.ArgumentError(f"{name}: starts at an address that is no multiple of {want.alignment} ({want.place}).")


Range = Tuple[int, int, str, Any]


def refuse_overlaps(ranges: List[Range]) -> None:
    """ranges: first byte, end, name and array of each.  Raises ArgumentError where two arrays share an element."""
    ranges.sort(key=_first)
    end, name, array = 0, "", None
    for first, last, other, its_array in ranges:
        if first < end and _share(array, its_array):
            raise errors.ArgumentError(f"{name} and {other} overlap in memory; each field needs an array of its own.")
        if last > end:
            end, name, array = last, other, its_array


def _first(entry: Range) -> int:
    return entry[0]


def _share(one: Any, other: Any) -> bool:
    """Ranges overlap; arrays that lie in each other's gaps are fine.  Where that is hard to tell, libhx has to."""
    if not (isinstance(one, numpy.ndarray) and isinstance(other, numpy.ndarray)):
        return True
    try:
        return bool(numpy.shares_memory(one, other, max_work=10000))
    except _TOO_HARD:
        return False
