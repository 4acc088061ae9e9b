"""Boxes of points of a block, and where they lie in the arrays of fields."""

from __future__ import annotations

from typing import Any, Tuple

from . import errors, library


class Points:
    """A box of points of a block: of those that a step computes, some of the halo, too; or of the interior or the rim.

    `f.u[points.of("u")]` are these points in the array of a field, `f.u[points.of("u", x=-1)]` those beside them.

    Attributes:
        lo, hi: of the box, by axes: lo <= index < hi.  Index 0 is the first owned point.
    """

    __slots__ = ("lo", "hi", "_halo", "_block")

    def __init__(self, halo: Any, block: int, box: library.Box) -> None:
        count = len(halo.spec.axes)
        self.lo: Tuple[int, ...] = tuple(box.lo[:count])
        self.hi: Tuple[int, ...] = tuple(box.hi[:count])
        self._halo = halo
        self._block = block

    def __repr__(self) -> str:
        return f"<halogen points {self.lo} to {self.hi}>"

    def of(self, name: str, /, **moved: int) -> Tuple[slice, ...]:
        """Slices of the array of a field, one for each axis of the spec.

        Args:
            name: of the field.
            moved: by axes: how many points to the side, as x=-1 for what lies below; 0 where an axis is left out.

        Raises:
            ArgumentError: the array has no such points; no such field or axis.
        """
        axes, field = self._halo.spec.axes, self._halo._field(name)
        for axis in moved:
            if axis not in axes:
                raise errors.ArgumentError(f"{name}: there is no axis {axis}; the spec has {', '.join(axes)}.")
        if field.behind:
            raise errors.ArgumentError(f"{name}: its ghost points lie behind the owned ones, so it has no slices.")
        extents = self._halo._layouts[self._block].wanted[field.number].shape
        return tuple(self._along(field, a, moved.get(axis, 0), extents[a]) for a, axis in enumerate(axes))

    def _along(self, field: Any, a: int, moved: int, extent: int) -> slice:
        below = field.halo_lo[a]
        first, end = self.lo[a] + below + moved, self.hi[a] + below + moved
        if not 0 <= first <= end <= extent:
            raise errors.ArgumentError(
                f"{field.name}: points {first - below} to {end - 1 - below} along {self._halo.spec.axes[a]} are wanted, and "
                f"its array has {-below} to {extent - 1 - below}."
            )
        return slice(first, end)
