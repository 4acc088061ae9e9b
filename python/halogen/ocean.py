"""Oceans: from a mask of land and water, blocks and the ranks that own them."""

from __future__ import annotations

import ctypes
import os
import weakref
from typing import Any, Tuple

import numpy

from . import errors, library


class Map:
    """Blocks of an ocean: `spec.create(comm, map.cells, ranks=map.ranks, owners=map.owners)`.

    Spec.choose_mask() and Spec.read_map() make it.

    Attributes:
        cells: of the grid, by axes.
        ranks: blocks along each axis.
        owners: the rank of each block; -1: it is land, and none owns it.
        size: for how many ranks it is.
        land: blocks without an owner.
        wet, most: the numbers of the mask, summed; the largest sum that a rank has.
    """

    __slots__ = ("cells", "ranks", "owners", "size", "land", "wet", "most", "_library", "_made", "__weakref__")

    def __init__(self, spec: Any, made: Any) -> None:
        weakref.finalize(self, spec.library.hx_map_free, made)
        found, axes = made.contents, len(spec.axes)
        self._library, self._made = spec.library, made
        self.cells: Tuple[int, ...] = tuple(found.partition.cells[:axes])
        self.ranks: Tuple[int, ...] = tuple(found.partition.ranks[:axes])
        self.owners: Tuple[int, ...] = tuple(found.owner[: found.blocks])
        self.size, self.land, self.wet, self.most = found.ranks, found.land, found.wet, found.most

    def __repr__(self) -> str:
        return f"<halogen map of {len(self.owners)} blocks, {self.land} of them land, for {self.size} ranks>"

    def write(self, path: Any) -> None:
        """Writes a file that other runs read: Spec.read_map().  For one rank to call."""
        self._library.hx_map_write(self._made, os.fsencode(path))


def choose(spec: Any, size: Any, cells: Any, wet: Any, ranks: Any) -> Map:
    partition = spec.partition(cells, ranks=ranks)
    request, axes = partition.request, len(spec.axes)
    wanted = tuple(request.cells[a] for a in range(axes) if request.ranks[a] != 1)
    water = numpy.asarray(wet)
    if water.dtype not in (numpy.dtype(bool), numpy.dtype("u1")) or water.shape != wanted:
        raise errors.ArgumentError(
            f"choose_mask: wet needs bools or bytes for {wanted} cells, those along axes that are cut; got {water.dtype} "
            f"for {water.shape}."
        )
    water = numpy.ascontiguousarray(water, dtype="u1")
    mask, made = library.Mask(wet=water.ctypes.data), ctypes.POINTER(library.Map)()
    spec.library.hx_choose_mask(library.whole(size, "size", 1), request, mask, made)
    return Map(spec, made)


def read(spec: Any, path: Any) -> Map:
    made = ctypes.POINTER(library.Map)()
    spec.library.hx_map_read(os.fsencode(path), made)
    if made.contents.partition.axes != len(spec.axes):
        axes = made.contents.partition.axes
        spec.library.hx_map_free(made)
        raise errors.PartitionError(f"read_map: {path} is for {axes} axes; {spec.name} has {', '.join(spec.axes)}.")
    return Map(spec, made)
