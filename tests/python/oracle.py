"""What exchanges of a Cartesian grid have to give, by NumPy alone: nothing here knows libhx or its tables."""

import numpy as np


class Field:
    """What the spec says of a field, once more."""

    def __init__(self, dtype, lo, hi, extra=(0, 0, 0), components=None):
        self.dtype, self.lo, self.hi, self.extra, self.components = np.dtype(dtype), lo, hi, extra, components


def value(dtype, indices, component, salt):
    """A number for each point of the grid, exact in every type."""
    x, y, z = indices
    number = 1 + x + 40 * y + 1600 * z + 7 * component + 3 * salt
    if dtype.kind == "c":
        return number + 1j * (number + 0.5)
    return (number % 8000).astype(dtype)


def _indices(field, cells, first, n):
    """Along each axis, the index in the grid of every point of the array, ghost points included."""
    along = []
    for axis in range(3):
        index = np.arange(-field.lo[axis], n[axis] + field.extra[axis] + field.hi[axis]) + first[axis]
        along.append(index.reshape([-1 if a == axis else 1 for a in range(3)]))
    return along


def owned(field, n):
    """Where owned points lie in an array."""
    return tuple(slice(field.lo[a], field.lo[a] + n[a] + field.extra[a]) for a in range(3))




def expected(field, cells, periodic, first, n, salt, stencil):
    """An array after it; stencil: "box", "star" or "none"."""
    along = _indices(field, cells, first, n)
    outside, there, wrapped = 0, True, []
    for axis, index in enumerate(along):
        points = n[axis] + field.extra[axis]
        outside = outside + ((index < first[axis]) | (index >= first[axis] + points))
        there = there & (periodic[axis] | ((index >= 0) & (index < cells[axis] + field.extra[axis])))
        # A point on the last face of a periodic axis is the first one; owned points keep their own number there.
        wrapped.append(np.where((index >= 0) & (index < cells[axis]), index, index % cells[axis] if periodic[axis] else index))
    filled = {"box": outside > 0, "star": outside == 1, "none": outside < 0}[stencil] & there
    shape = np.broadcast_shapes(*(index.shape for index in along))
    kept = np.broadcast_to((outside == 0) | filled, shape)
    parts = []
    for component in range(field.components or 1):
        values = np.broadcast_to(value(field.dtype, wrapped, component, salt), shape)
        parts.append(np.where(kept, values, np.asarray(-5, field.dtype)).astype(field.dtype))
    return np.stack(parts, axis=-1) if field.components else parts[0]
