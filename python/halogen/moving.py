"""Fields from the blocks of one handle to those of another, and to arrays of the whole grid and back."""

from __future__ import annotations

import ctypes
from typing import Any, List, NamedTuple, Optional, Sequence, Tuple

import numpy

from . import arrays as sets
from . import device, errors, library


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
    """Fields that move: those that are named, or all that both sets have."""
    have = arrays._lists().keys() & into._lists().keys()
    if given is None:
        return [name for name in source.spec.fields if name in have]
    for name in given:
        source._field(name)
        if name not in have:
            raise errors.ArgumentError(f"redistribute: {name} is not in the arrays of both handles.")
    return given


class How(NamedTuple):
    """Which fields move, and what moves with them."""

    names: Optional[Sequence[str]]
    stream: Any
    halos: bool


def _fail_on_all(call: Any, *nothing: Any) -> None:
    """The other ranks wait for this one: a call that libhx refuses fails on all of them."""
    try:
        call(*nothing)
    except errors.Error:
        pass


def redistribute(source: Any, arrays: Any, target: Any, into: Any, how: "How") -> None:
    """Collective; both handles are locked."""
    move = target.spec.library.hx_redistribute_with
    try:
        _refuse_set(arrays, source, "redistribute", "the first")
        _refuse_set(into, target, "redistribute", "the second")
        chosen = _names(source, arrays, into, how.names)
        here, there = _chosen(source, arrays, chosen), _chosen(target, into, chosen)
        said = library.Redistribution(halos=bool(how.halos), stream=device.stream_of(how.stream))
    except Exception:
        _fail_on_all(move, None, None, target._handle, None, None)
        raise
    move(source._handle, ctypes.addressof(here), target._handle, ctypes.addressof(there), said)


# ---- whole tiles --------------------------------------------------------------------------------------------------


def _described(halo: Any, field: Any, array: Any, call: str) -> library.StridedArray:
    axes, wanted = len(halo.spec.axes), halo.spec.axes + ("component",) * field.has_components
    if not isinstance(array, numpy.ndarray) or array.dtype != field.dtype or array.ndim != len(wanted):
        raise errors.ArgumentError(
            f"{call}: {field.name} needs an array of NumPy for each tile, of {field.dtype}, with axes {', '.join(wanted)}."
        )
    if call.startswith("gather") and not array.flags.writeable:
        raise errors.ArgumentError(f"{call}: the array for {field.name} is read-only.")
    out = library.StridedArray(base=array.ctypes.data, bytes=array.itemsize, components=1)
    out.extent[:axes], out.stride[:axes] = array.shape[:axes], array.strides[:axes]
    if field.has_components:
        out.components, out.component_stride = array.shape[axes], array.strides[axes]
    return out


def _wholes(halo: Any, call: str, field: Any, given: Any) -> Any:
    several: List[Any] = list(given) if isinstance(given, (list, tuple)) else [given]
    if len(several) != halo.spec.tiles:
        raise errors.ArgumentError(f"{call}: needs {halo.spec.tiles} arrays, one for each tile, got {len(several)}.")
    return (library.StridedArray * len(several))(*[_described(halo, field, array, call) for array in several])


def move_whole(halo: Any, call: str, arrays: Any, name: str, given: Any, root: int) -> None:
    """Collective.  call: "gather" or "scatter"; given: an array for each tile, or the only one; looked at on the root."""
    move = getattr(halo.spec.library, "hx_" + call)
    try:
        _refuse_set(arrays, halo, call, "this")
        field, root = halo._field(name), library.whole(root, "root")
        wholes = _wholes(halo, call, field, given) if halo.rank == root else None
    except Exception:
        _fail_on_all(move, halo._handle, None, -1, 0, None)
        raise
    move(halo._handle, arrays.address, field.number, root, wholes)


# ---- selections ---------------------------------------------------------------------------------------------------


def _along(where: Any, axis: str, call: str) -> Tuple[int, int, int]:
    """First, number and step of what is selected along an axis: an index, or a slice that runs forward."""
    if isinstance(where, slice):
        first, step = 0 if where.start is None else where.start, 1 if where.step is None else where.step
        if min(first, step - 1, 0 if where.stop is None else where.stop) < 0:
            raise errors.ArgumentError(f"{call}: {where} along {axis} counts from the end, or runs back.")
        return first, -1 if where.stop is None else max(0, -(-(where.stop - first) // step)), step
    return library.whole(where, f"the index along {axis}"), 1, 1


def _selection(halo: Any, call: str, given: Any) -> library.Selection:
    if not isinstance(given, tuple) or len(given) not in (3, 4):
        raise errors.ArgumentError(f"{call}: a selection is (name, slices, array), or these and the tile; got {given!r}.")
    name, where, array = given[:3]
    axes, where = halo.spec.axes, where if isinstance(where, tuple) else (where,)
    if len(where) != len(axes):
        raise errors.ArgumentError(f"{call}: {name} has axes {', '.join(axes)}, and {len(where)} slices were given.")
    field, indices = halo._field(name), [a for a, w in enumerate(where) if not isinstance(w, slice)]
    if isinstance(array, numpy.ndarray):
        array = numpy.expand_dims(array, tuple(indices)) if indices else array
    tile = library.whole(given[3], "tile") if len(given) == 4 else 0
    out = library.Selection(field=field.number, tile=tile, array=_described(halo, field, array, call))
    for a, axis in enumerate(axes):
        out.first[a], out.n[a], out.step[a] = _along(where[a], axis, call)
        if out.n[a] >= 0 and out.array.extent[a] != out.n[a]:
            raise errors.ArgumentError(
                f"{call}: along {axis} the array for {name} has {out.array.extent[a]} points; {out.n[a]} are selected."
            )
    return out


def move_selected(halo: Any, call: str, arrays: Any, given: Sequence[Any]) -> None:
    """Collective.  call: "gather_selected" or "scatter_selected"; given: what this rank selects."""
    _refuse_set(arrays, halo, call, "this")
    selections = (library.Selection * len(given))(*[_selection(halo, call, one) for one in given])
    getattr(halo.spec.library, "hx_" + call)(halo._handle, arrays.address, selections, len(given))
