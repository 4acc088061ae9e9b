"""Files: where fields lie in arrays of the whole grid, as slices and as datatypes of MPI."""

from __future__ import annotations

import ctypes
from typing import Any, List, NamedTuple, Tuple

import numpy

from . import errors, library, mpi

ALL_PASSES = -1


class Extent(NamedTuple):
    """A box of points of a block in the array that a file has of a field.

    `dataset[extent.slices] = extent.of(f.u)` writes it with h5py, netCDF4 or zarr; reading is the same the other way round.
    """

    shape: Tuple[int, ...]
    """Of the whole array, from the slowest axis to the fastest."""
    slices: Tuple[slice, ...]
    axes: Tuple[str, ...]
    """What each axis is: its name in the spec, "tile" or "component"."""
    tile: int
    first: int
    """The element of the block's array with which the box begins."""
    steps: Tuple[int, ...]
    """Elements from there to the next along each axis."""

    def of(self, array: Any) -> Any:
        """These points in an array of the field, as a view with the axes of the file."""
        count = tuple(part.stop - part.start for part in self.slices)
        size = array.itemsize
        flat = numpy.lib.stride_tricks.as_strided(array, (self.first + 1,), (size,))
        return numpy.lib.stride_tricks.as_strided(flat[self.first :], count, tuple(step * size for step in self.steps))


def _extent_of(halo: Any, found: library.Extent) -> Extent:
    axes, names = found.axes, halo.spec.axes
    named = tuple("tile" if a == -1 else "component" if a == -2 else names[a] for a in found.axis[:axes])
    start, count = found.start[:axes], found.count[:axes]
    slices = tuple(slice(first, first + many) for first, many in zip(start, count))
    shape, steps = tuple(found.size[:axes]), tuple(found.memory_stride[:axes])
    return Extent(shape, slices, named, found.tile, found.first, steps)


def extents(halo: Any, field: Any, number: int) -> Tuple[Tuple[Extent, ...], ...]:
    """Of each block."""
    out: List[Tuple[Extent, ...]] = []
    for block in range(len(halo.blocks)):
        call, count = halo.spec.library.hx_extents, ctypes.c_int(0)
        call(halo._handle, field.number, block, number, None, count)
        found = (library.Extent * count.value)()
        call(halo._handle, field.number, block, number, found, count)
        out.append(tuple(_extent_of(halo, extent) for extent in found))
    return tuple(out)


def _datatype(halo: Any, make: Any) -> Any:
    """What make() puts into a handle of C becomes a datatype of mpi4py."""
    MPI = mpi.module()
    if MPI is None:
        raise errors.ArgumentError("datatypes are those of mpi4py: import mpi4py.MPI first.")
    made = halo.spec.library.comm_type()  # all handles of an MPI are alike
    make(ctypes.addressof(made))
    datatype = MPI.Datatype()
    type(made).from_address(MPI._addressof(datatype)).value = made.value
    return datatype


def memory_type(halo: Any, arrays: Any, field: Any, number: int) -> Any:
    pointers, call = arrays.address, halo.spec.library.hx_memory_type
    return _datatype(halo, lambda to: call(halo._handle, field.number, number, pointers, to))


def file_type(halo: Any, field: Any, number: int) -> Any:
    call = halo.spec.library.hx_file_type
    return _datatype(halo, lambda to: call(halo._handle, field.number, number, to))
