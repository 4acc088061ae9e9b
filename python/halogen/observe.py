"""Functions of Python that are told what exchanges do."""

from __future__ import annotations

import ctypes
from typing import Any, Callable, Dict, NamedTuple, Optional

from . import errors, library


class Event(NamedTuple):
    """A moment of an exchange, as hx/observe.h tells it.  Seconds are those of time.monotonic()."""

    kind: str
    """"created", "start", "packed", "sent", "copied", "started", "finish", "wait", "waited", "unpacked", "filled",
    "finished", "failed", "destroyed"."""
    handle: int
    """Number among the handles of this process that were observed, from 1."""
    exchange: Optional[str]
    """Its name; None: the event is of the handle."""
    start: int
    """Which start of the exchange it is, from 0; the same on all ranks."""
    since: float
    """When that began which ends now; 0: nothing does."""
    seconds: float
    """Now."""
    phase: int
    """From 0."""
    peer: Optional[int]
    """The other rank; None: there is none."""
    bytes: int
    transport: Optional[str]
    direct: bool
    """Straight into the arrays of the receiver."""
    on_device: bool
    code: str
    """"HX_OK", or how a call failed."""


KINDS = (
    "created", "start", "packed", "sent", "copied", "started", "finish", "wait", "waited", "unpacked", "filled", "finished",
    "failed", "destroyed",
)  # fmt: skip

# libhx calls a function for as long as there is a handle that has it, and says when the last one goes; this ends never.
_kept = []


class Observer:
    """What Spec.observe makes.  Leaving its `with`, or close(), ends it: it hears no more."""

    def __init__(self, lib: Any, function: Callable[[Event], Any], kinds: Any) -> None:
        self._lib = lib
        self._function: Optional[Callable[[Event], Any]] = function
        self._names: Dict[Any, str] = {}
        self._called = library.OBSERVER_FUNCTION(self._see)
        _kept.append(self._called)
        lib.hx_observe_kinds(self._called, None, _bits(kinds))

    def __enter__(self) -> "Observer":
        return self

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        self.close()

    def close(self) -> None:
        """Ends it.  Local."""
        if self._function is not None:
            self._function = None
            self._lib.hx_unobserve(self._called, None)

    def _see(self, context: Any, address: int) -> None:
        """What the function raises is told by sys.unraisablehook, since it cannot go through C."""
        if self._function is not None:
            self._function(self._event(library.Event.from_address(address)))

    def _event(self, event: library.Event) -> Event:
        handle = event.handle[0]
        return Event(
            KINDS[event.kind - 1],
            handle.number,
            self._name(handle.spec, event.exchange) if event.exchange >= 0 else None,
            event.start,
            event.since,
            event.seconds,
            event.phase,
            event.peer if event.peer >= 0 else None,
            event.bytes,
            event.transport.decode() if event.transport else None,
            bool(event.direct),
            bool(event.on_device),
            self._lib.hx_status_name(event.status).decode(),
        )

    def _name(self, spec: int, exchange: int) -> str:
        """Of whatever spec: libhx tells of all handles of the process."""
        if (spec, exchange) not in self._names:
            facts = library.ExchangeFacts()
            self._lib.hx_exchange_query(spec, exchange, ctypes.byref(facts))
            self._names[spec, exchange] = facts.name.decode()
        return self._names[spec, exchange]


def _bits(kinds: Any) -> int:
    """What hx_observe_kinds takes; of no kinds: all."""
    bits = 0
    for kind in kinds or KINDS:
        if kind not in KINDS:
            raise errors.ArgumentError(f"observe: there is no kind {kind!r} of events; there are {', '.join(KINDS)}.")
        bits |= 1 << (KINDS.index(kind) + 1)
    return bits
