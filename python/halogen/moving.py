"""Fields from the blocks of one handle to those of another, and to arrays of the whole grid and back."""

from __future__ import annotations

import ctypes
from typing import Any, List, Optional, Sequence

import numpy

from . import arrays as sets
from . import errors, library


def _refuse_set(arrays: Any, halo: Any, call: str, whose: str) -> None:
    if getattr(arrays, "_halo", None) is not halo:
        raise errors.ArgumentError(f"{call}: needs arrays of {whose} handle: halo.alloc(), empty() or arrays().")
    arrays._lists()


def _chosen(halo: Any, arrays: Any, names: Sequence[str]) -> Any:
    """Pointers of some fields, null for the others."""
    fields, pointers = halo.spec.fields, sets.pointers_for(halo)
    for name in names:
        for at in range(fields[name].number, len(fields) * len(halo._layouts), len(fields)):
            pointers[at] = arrays._pointers[at]
    return pointers


def _names(source: Any, arrays: Any, into: Any, given: Optional[Sequence[str]]) -> Sequence[str]:
    """Fields that move: those that are named, or all on the host that both sets have."""
    have = arrays._lists().keys() & into._lists().keys()
    if given is None:
        return [name for name, field in source.spec.fields.items() if name in have and not field.on_device]
    for name in given:
        source._field(name)
        if name not in have:
            raise errors.ArgumentError(f"redistribute: {name} is not in the arrays of both handles.")
    return given


def redistribute(source: Any, arrays: Any, target: Any, into: Any, names: Optional[Sequence[str]]) -> None:
    """Collective; both handles are locked."""
    _refuse_set(arrays, source, "redistribute", "the first")
    _refuse_set(into, target, "redistribute", "the second")
    chosen = _names(source, arrays, into, names)
    here, there = _chosen(source, arrays, chosen), _chosen(target, into, chosen)
    move = target.spec.library.hx_redistribute
    move(source._handle, ctypes.addressof(here), target._handle, ctypes.addressof(there))


# ---- whole tiles --------------------------------------------------------------------------------------------------


def _described(halo: Any, field: Any, array: Any, call: str) -> library.StridedArray:
    axes, wanted = len(halo.spec.axes), halo.spec.axes + ("component",) * field.has_components
    if not isinstance(array, numpy.ndarray) or array.dtype != field.dtype or array.ndim != len(wanted):
        raise errors.ArgumentError(
            f"{call}: {field.name} needs an array of NumPy for each tile, of {field.dtype}, with axes {', '.join(wanted)}."
        )
    if call == "gather" and not array.flags.writeable:
        raise errors.ArgumentError(f"gather: the array for {field.name} is read-only.")
    out = library.StridedArray(base=array.ctypes.data, bytes=array.itemsize, components=1)
    out.extent[:axes], out.stride[:axes] = array.shape[:axes], array.strides[:axes]
    if field.has_components:
        out.components, out.component_stride = array.shape[axes], array.strides[axes]
    return out


def move_whole(halo: Any, call: str, arrays: Any, name: str, given: Any, root: int) -> None:
    """Collective.  call: "gather" or "scatter"; given: an array for each tile, or the only one; looked at on the root."""
    _refuse_set(arrays, halo, call, "this")
    field, root = halo._field(name), library.whole(root, "root")
    wholes = None
    if halo.rank == root:
        several: List[Any] = list(given) if isinstance(given, (list, tuple)) else [given]
        if len(several) != halo.spec.tiles:
            raise errors.ArgumentError(f"{call}: needs {halo.spec.tiles} arrays, one for each tile, got {len(several)}.")
        wholes = (library.StridedArray * len(several))(*[_described(halo, field, array, call) for array in several])
    getattr(halo.spec.library, "hx_" + call)(halo._handle, arrays.address, field.number, root, wholes)
