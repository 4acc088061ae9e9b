"""Cycles of a handle: what goes on between exchanges, and which points each step computes."""

from __future__ import annotations

from typing import Any, Optional, Tuple

from . import errors, exchange, library


class Points:
    """Points of a block that a step computes: owned ones, and such of the halo.

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


class Cycle(exchange.Call):
    """A cycle of a handle: `halo.advance(f)` goes before each one, and exchanges when it must.

    It takes what its exchange takes, and so does start(), which finish() ends.  The steps behind it compute the points that
    points() gives.

    Attributes:
        name: of the spec.
        names: of the fields that its exchange carries, in the order in which calls take them.
        facts: what the spec says of it; see CycleFacts.
        address: of the C function that goes before each one, for calls by ctypes: int f(handle, fields).
    """

    __slots__ = ()

    def __init__(self, halo: Any) -> None:
        super().__init__(halo, self.facts.name, halo.spec.exchanges[self.facts.exchange].on_device)

    def __repr__(self) -> str:
        return f"<halogen cycle {self._halo.spec.name}.{self.name}: {', '.join(self.facts.steps)}>"

    def _to_start(self, address: int, stream: int) -> Tuple[Any, ...]:
        return (self._halo.spec.library.hx_cycle_start, address, stream)

    def _to_finish(self, stream: Optional[int]) -> Tuple[Any, ...]:
        return (self._halo.spec.library.hx_cycle_finish, stream)

    def _test(self) -> bool:
        raise errors.StateError(f"{self.name} is a cycle, which has no test(); call finish() ({self._place()}).")

    def points(self, step: str, name: str, block: int = 0) -> Points:
        """The points that a step computes in the cycle that goes on.  Local.

        They end at walls.  Points beyond a wall are yours to fill, behind each step that writes the field.

        Args:
            step: its name.
            name: of a field that it writes.
            block: of this rank.

        Raises:
            ArgumentError: no such step, field or block.  StateError: no cycle goes on.
        """
        halo = self._halo
        if step not in self.facts.steps:
            raise errors.ArgumentError(f"{self.name} has no step {step}; it has {', '.join(self.facts.steps)}.")
        field = halo._field(name)
        block = library.whole(block, "block", 0, max(0, len(halo.blocks) - 1))
        halo._enter(self.name)
        try:
            boxes = halo.spec.library.hx_cycle_points(
                halo._handle, self.facts.number, self.facts.steps.index(step), block, field.number
            )
        finally:
            halo._lock.release()
        if boxes.count == 0:
            raise errors.StateError(f"{self.name}: no cycle goes on; call it before its steps ({self._place()}).")
        return Points(halo, block, boxes.box[0])

    def restart(self) -> None:
        """Has the next cycle begin with an exchange: where a field was changed elsewhere than in the steps.  Every rank calls it."""
        self._halo._enter(self.name)
        try:
            self._halo.spec.library.hx_cycle_restart(self._halo._handle, self.facts.number)
        finally:
            self._halo._lock.release()
