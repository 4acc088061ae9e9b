"""Sets of arrays, one for each field: those of libhx, those of NumPy that fit, and yours, checked once."""

from __future__ import annotations

import ctypes
import operator
from typing import Any, Dict, List, Optional, Sequence, Tuple

import numpy

from . import check, errors, library
from .device import DeviceArray


class Memory:
    """Memory of libhx, as NumPy asks for it.  NumPy keeps it, and it keeps the handle."""

    __slots__ = ("__array_interface__", "halo", "__weakref__")

    def __init__(self, halo: Any, address: int, shape: Sequence[int], strides: Any, dtype: numpy.dtype) -> None:
        self.halo = halo
        self.__array_interface__ = {
            "version": 3,
            "shape": shape,
            "strides": strides,
            "typestr": dtype.str,
            "data": (address, False),
        }
        halo._memory.add(self)


def bytes_at(halo: Any, address: int, count: int) -> numpy.ndarray:
    """So many bytes of libhx."""
    return numpy.asarray(Memory(halo, address, (count,), None, numpy.dtype("u1")))


def _same(name: str, array: Any, old: Any) -> None:
    """`f.u += 1` gives an attribute the array that it has.  Another one would be checked by nobody."""
    if array is not old:
        raise errors.ArgumentError(f"{name}: write into it, {name}[...] = ..., or bind another array by halo.arrays().")


class Views:
    """Arrays of the owned points, as attributes by field."""

    def __init__(self, views: Dict[str, Any]) -> None:
        self.__dict__.update(views)

    def __setattr__(self, name: str, array: Any) -> None:
        _same(name, array, getattr(self, name))


def owned_view(array: Any, want: check.Wanted, n: Sequence[int], is_list: bool) -> Any:
    """The owned points of an array."""
    field = want.field
    extents = [count + more for count, more in zip(n, field.extra)]
    if field.behind:
        shape = tuple(extents + [field.components] * field.has_components)
        return numpy.ndarray(shape, want.dtype, array, 0, want.steps)
    low = [0] * len(extents) if is_list else field.halo_lo
    return array[tuple(slice(lo, lo + count) for lo, count in zip(low, extents))]


class Arrays:
    """One array for each field of a spec, of all blocks of this rank, checked and ready for exchanges.

    halo.alloc(), halo.empty() and halo.arrays() make them.  Each field is an attribute: `f.u` is an array with all ghost
    points, or where create was given `owners` a list with one for each block.

    It keeps its arrays, so they live as long as it does.  An array of yours may not be resized while it is in here:
    `a.resize(..., refcheck=False)` moves its memory.

    Attributes:
        owned: the same by field without ghost points: `f.owned.u` is a view.
        address: of the struct of pointers that C's NAME_fields is, for calls by ctypes.
    """

    __slots__ = ("_halo", "_pointers", "_address", "_given", "_arrays", "__weakref__")

    def __init__(self, halo: Any, pointers: Any, arrays: Dict[str, List[Any]]) -> None:
        self._halo = halo
        self._pointers = pointers
        self._address: Optional[int] = ctypes.addressof(pointers)
        self._arrays: Optional[Dict[str, List[Any]]] = arrays
        self._given = 0
        for name in arrays:
            self._given |= 1 << halo.spec.fields[name].number
        halo._sets.add(self)

    def _lists(self) -> Dict[str, List[Any]]:
        if self._arrays is None:
            raise errors.StateError("these arrays were freed." if self._halo.is_open else "the handle is closed.")
        return self._arrays

    def _get(self, name: str) -> Any:
        arrays = self._lists()
        if name not in arrays:
            raise errors.ArgumentError(f"{name}: these arrays were made without it.")
        return arrays[name] if self._halo.several else arrays[name][0]

    def by_name(self) -> Dict[str, Any]:
        """A dict of the arrays by field."""
        return {name: self._get(name) for name in self._lists()}

    def __repr__(self) -> str:
        what = ", ".join(self._arrays) if self._arrays is not None else "freed"
        return f"<halogen arrays of {self._halo.spec.name}: {what}>"

    @property
    def address(self) -> int:
        """The address of the struct NAME_fields of the first block; those of other blocks follow."""
        self._lists()
        return ctypes.addressof(self._pointers)

    @property
    def owned(self) -> Any:
        """Views of the owned points: `f.owned.u`."""
        halo, views = self._halo, {}
        for name, arrays in self._lists().items():
            field = halo.spec.fields[name]
            made = [
                owned_view(array, layout.wanted[field.number], block.n, halo.spec.is_list)
                for array, layout, block in zip(arrays, halo._layouts, halo.blocks)
                if not field.on_device
            ]
            views[name] = made if halo.several or field.on_device else made[0]
        return Views(views)

    def at(self, field: str, *indices: int) -> Tuple[int, ...]:
        """Where a point lies: `f.u[f.at("u", -1, 0, 0)]` is the first ghost point below x.

        Args:
            field: its name.
            indices: of the point, counted from the first owned one, by axes; the component may follow.

        Raises:
            ArgumentError: too few or too many indices, or one outside of the array, which NumPy might take from its end.
        """
        found = self._halo._field(field)
        if found.behind:
            raise errors.ArgumentError(f"{field}: its ghost points lie behind the owned ones; see halo.plane().")
        low, axes = found.halo_lo + (0,), self._halo.spec.axes
        names = axes + ("component",) * found.has_components
        if len(indices) not in (len(axes), len(names)):
            raise errors.ArgumentError(f"{field}: at needs an index along each of {', '.join(names)}, got {indices}.")
        if self._halo.several or self._halo.spec.is_list:
            return tuple(operator.index(i) + lo for i, lo in zip(indices, low))
        shape = self._halo._layouts[0].wanted[found.number].shape
        return tuple(
            library.whole(i, f"{field}: at along {name}", -lo, n - lo - 1) + lo
            for i, lo, n, name in zip(indices, low, shape, names)
        )

    def free(self) -> None:
        """Gives arrays of alloc() back.  Collective.

        Raises:
            StateError: on all ranks where some rank still looks into one of the arrays.
        """
        self._halo._free(self)

    def _look_again(self) -> None:
        """Undoes _forget() of arrays that libhx still has."""
        self._address = ctypes.addressof(self._pointers)
        self._arrays = arrays_at(self._halo, self._pointers)
        self._given = (1 << len(self._arrays)) - 1

    def _forget(self) -> None:
        self._arrays = None
        self._address = None
        self._given = 0


def _attribute(name: str) -> property:
    def get(self: Arrays) -> Any:
        return self._get(name)

    def put(self: Arrays, array: Any) -> None:
        _same(name, array, self._get(name))

    return property(get, put, doc=f"The array of field {name}, with all ghost points.")


def add_fields(kind: Any, names: Sequence[str]) -> None:
    """Gives a class of Arrays its attributes."""
    for name in names:
        if name not in kind.__dict__:
            setattr(kind, name, _attribute(name))


def pointers_for(halo: Any) -> Any:
    """Room for the pointers of all fields of all blocks."""
    return (ctypes.c_void_p * max(1, len(halo.spec.fields) * len(halo._layouts)))()


def allocated(halo: Any) -> Arrays:
    """Arrays of libhx.  Collective."""
    pointers = pointers_for(halo)
    halo.spec.library.hx_alloc(halo._handle, ctypes.addressof(pointers))
    return halo.spec.arrays_class(halo, pointers, arrays_at(halo, pointers))


def arrays_at(halo: Any, pointers: Any) -> Dict[str, List[Any]]:
    """Arrays by field that look into memory of libhx."""
    fields = list(halo.spec.fields.values())
    arrays: Dict[str, List[Any]] = {field.name: [] for field in fields}
    for number, layout in enumerate(halo._layouts):
        for field in fields:
            address = pointers[number * len(fields) + field.number]
            arrays[field.name].append(_array_at(halo, address, layout.wanted[field.number]))
    return arrays


def _array_at(halo: Any, address: int, want: check.Wanted) -> Any:
    memory = Memory(halo, address, want.shape, want.strides, want.dtype)
    if want.field.on_device:
        return DeviceArray(address, want.shape, want.strides, want.dtype, memory)
    return numpy.asarray(memory)


def empty_array(want: check.Wanted) -> numpy.ndarray:
    """An array of NumPy with the strides of the handle, of zeros."""
    plain = numpy.zeros(want.elements, want.dtype)
    return numpy.ndarray(want.shape, want.dtype, plain, 0, want.strides)


def empty(halo: Any) -> Arrays:
    """Arrays of NumPy for all fields of the host.  Local."""
    arrays = {}
    for field in halo.spec.fields.values():
        if not field.on_device:
            arrays[field.name] = [empty_array(layout.wanted[field.number]) for layout in halo._layouts]
    return bound(halo, arrays)


def bound(halo: Any, arrays: Dict[str, List[Any]]) -> Arrays:
    """Checks arrays by field, one for each block, and makes a set of them.  Raises ArgumentError."""
    pointers = pointers_for(halo)
    fill(halo, pointers, arrays)
    return halo.spec.arrays_class(halo, pointers, arrays)


def fill(halo: Any, pointers: Any, arrays: Dict[str, List[Any]]) -> None:
    """Puts the addresses of arrays where C looks for them."""
    fields, ranges = halo.spec.fields, []
    for name, blocks in arrays.items():
        number = fields[name].number
        for block, layout in enumerate(halo._layouts):
            want = layout.wanted[number]
            address = check.address_of(blocks[block], want)
            pointers[block * len(fields) + number] = address
            ranges.append((address, address + want.span, name, blocks[block]))
    if len(ranges) > 1:
        check.refuse_overlaps(ranges)
