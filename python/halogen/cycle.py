"""Cycles of a handle: what goes on between exchanges, and which points each step computes."""

from __future__ import annotations

from typing import Any, Optional, Tuple

from . import errors, exchange, library
from .points import Points


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
