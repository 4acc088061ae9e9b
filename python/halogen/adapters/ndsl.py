"""Halo updates of NDSL by halogen.

    from halogen.adapters import ndsl as halogen_ndsl
    communicator = halogen_ndsl.Communicator(communicator)

The result has the halo updates of the communicator that it was given, an ndsl.CubedSphereCommunicator or an
ndsl.TileCommunicator, and hands on what else it is asked for.  Besides what NDSL serves it takes layouts that are not
square or below 3 x 3, and several types in one updater.  Arrays are those of NumPy or CuPy.  Communicators without MPI,
as ndsl.LocalComm, are left to NDSL.
"""

from __future__ import annotations

import dataclasses
import hashlib
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Sequence, Tuple

from .. import load
from . import ndsl_specs
from .ndsl_specs import Plan, module_of


class _Bound(NamedTuple):
    """Arrays that were checked last, so that a next start with the same has nothing to check."""

    datas: Tuple[Any, ...]
    sets: Tuple[Any, ...]


class _Handle:
    """Handles of libhx for one plan: one for each of its groups."""

    def __init__(self, plan: Plan, halos: Sequence[Any]) -> None:
        self.plan = plan
        self.key = plan.key
        self.halos = tuple(halos)
        self.is_taken = False
        self._bound: Optional[_Bound] = None

    def bind(self, quantities: Sequence[Sequence[Any]]) -> Tuple[Any, ...]:
        """Sets of checked arrays, one for each group."""
        datas = tuple(quantity.data for some in quantities for quantity in some)
        if (
            self._bound is None
            or len(datas) != len(self._bound.datas)
            or any(a is not b for a, b in zip(datas, self._bound.datas))
        ):
            for memory in self.plan.memories:
                memory.check(quantities[memory.which][memory.number])
            sets = []
            for halo, group in zip(self.halos, self.plan.groups):
                views = {array.field: array.view(quantities[array.which][array.number].data) for array in group.arrays}
                sets.append(halo.arrays(**views))
            self._bound = _Bound(datas, tuple(sets))
        return self._bound.sets

    def start(self, sets: Sequence[Any]) -> List[Any]:
        """Starts the exchanges; returns what is to be finished."""
        return [halo.update.start(arrays) for halo, arrays in zip(self.halos, sets)]


class HaloUpdater:
    """Updates the halos of quantities that fit the specifications it was made from."""

    def __init__(self, handle: _Handle, counts: Tuple[int, ...], device: Any) -> None:
        self._handle: Optional[_Handle] = handle
        self._counts = counts
        self._device = device
        self._finalize_on_wait = False
        self._pending: Optional[List[Any]] = None
        handle.is_taken = True

    @classmethod
    def from_scalar_specifications(
        cls,
        comm: Any,
        numpy_like_module: Any,
        specifications: Sequence[Any],
        boundaries: Any,
        tag: int,
        optional_timer: Any = None,
    ) -> Any:
        """What comm.get_scalar_halo_updater(specifications) gives: a Communicator knows its boundaries, and tags are not needed."""
        return comm.get_scalar_halo_updater(list(specifications))

    @classmethod
    def from_vector_specifications(
        cls,
        comm: Any,
        numpy_like_module: Any,
        specifications_x: Sequence[Any],
        specifications_y: Sequence[Any],
        boundaries: Any,
        tag: int,
        optional_timer: Any = None,
    ) -> Any:
        """The same for vectors."""
        return comm.get_vector_halo_updater(list(specifications_x), list(specifications_y))

    def force_finalize_on_wait(self) -> None:
        """The next wait is the last one."""
        self._finalize_on_wait = True

    def start(self, quantities_x: Sequence[Any], quantities_y: Optional[Sequence[Any]] = None) -> None:
        """Sends what others need."""
        if self._pending is not None:
            raise RuntimeError("Previous exchange hasn't been properly finished: a start() had no wait().")
        if self._handle is None:
            raise RuntimeError("This updater is finalized.")
        quantities = (quantities_x,) if quantities_y is None else (quantities_x, quantities_y)
        if tuple(map(len, quantities)) != self._counts:
            raise RuntimeError(
                f"Quantities count {tuple(map(len, quantities))} is not that of the specifications, {self._counts}"
            )
        self._synchronize()
        self._pending = self._handle.start(self._handle.bind(quantities))

    def wait(self) -> None:
        """Waits for what others sent, and fills the halos."""
        if self._pending is None:
            raise RuntimeError('Halo update "wait" call before "start"')
        pending, self._pending = self._pending, None
        for exchange in pending:
            exchange.finish()
        self._synchronize()
        if self._finalize_on_wait:
            self._release()

    def update(self, quantities_x: Sequence[Any], quantities_y: Optional[Sequence[Any]] = None) -> None:
        """start and wait."""
        self.start(quantities_x, quantities_y)
        self.wait()

    def _synchronize(self) -> None:
        """As NDSL does: what was given to the device before, in any stream, is over."""
        if self._device is not None:
            self._device.cuda.Device().synchronize()

    def _release(self) -> None:
        """Another updater may have the handle."""
        if self._handle is not None:
            self._handle.is_taken = False
            self._handle = None

    def __del__(self) -> None:
        if getattr(self, "_pending", None) is not None:
            raise RuntimeError("An halo exchange wasn't completed and a wait() call was expected")
        if hasattr(self, "_handle"):
            self._release()


class WrappedHaloUpdater:
    """An updater that looks its quantities up by name, in a dataclass or a dict."""

    def __init__(
        self,
        updater: Any,
        state: Any,
        qty_x_names: Sequence[str],
        qty_y_names: Optional[Sequence[str]] = None,
        comm: Any = None,
    ) -> None:
        self._updater = updater
        self._state = state
        self._qty_x_names = qty_x_names
        self._qty_y_names = qty_y_names
        self._comm = comm

    def _quantities(self, names: Optional[Sequence[str]]) -> Optional[List[Any]]:
        if names is None:
            return None
        if isinstance(self._state, dict):
            return [self._state[name] for name in names]
        if dataclasses.is_dataclass(self._state):
            return [getattr(self._state, name) for name in names]
        raise NotImplementedError(f"a state is a dataclass or a dict, not {type(self._state).__name__}")

    def start(self) -> None:
        """Starts with the quantities that the state has now."""
        self._updater.start(self._quantities(self._qty_x_names), self._quantities(self._qty_y_names))

    def wait(self) -> None:
        """Waits for what was started."""
        self._updater.wait()

    def update(self) -> None:
        """start and wait."""
        self.start()
        self.wait()

    def interface(self) -> None:
        """Makes the points that ranks share equal, of the only vector."""
        x, y = self._quantities(self._qty_x_names), self._quantities(self._qty_y_names)
        if self._comm is None or x is None or y is None or len(x) != 1 or len(y) != 1:
            raise ValueError("interface needs a communicator and the names of one vector")
        self._comm.synchronize_vector_interfaces(x[0], y[0])


def _mpi_of(comm: Any) -> Any:
    """The communicator of mpi4py in one of NDSL; None if it has none."""
    for candidate in (comm, getattr(comm, "_comm", None)):
        if hasattr(candidate, "py2f"):
            return candidate
    return None


def _as_list(quantity: Any) -> List[Any]:
    return list(quantity) if isinstance(quantity, (list, tuple)) else [quantity]


def _device_of(specifications: Sequence[Sequence[Any]]) -> Any:
    """The module of arrays on a GPU, if there are such."""
    on_device = (given.numpy_module for some in specifications for given in some if module_of(given) == "cupy")
    return next(on_device, None)


def _is_on_c_grid(x: Any, y: Any) -> bool:
    return {"i", "j_interface"} <= set(x.dims) and {"j", "i_interface"} <= set(y.dims)


class Communicator:
    """A communicator of NDSL whose halo updates halogen makes.

    Making an updater is collective, and so are the calls that take quantities and a number of points: they look for handles
    that are free on all ranks.  An updater of get_scalar_halo_updater or get_vector_halo_updater has handles of its own, so its
    start and wait talk to neighbors only.
    """

    def __init__(self, communicator: Any) -> None:
        """communicator: of NDSL.  Its `comm` and its `partitioner` are used, with the partitioner's layout, (rows, columns)."""
        self._ndsl = communicator
        self._mpi = _mpi_of(communicator.comm)
        tile = getattr(communicator.partitioner, "tile", None)
        self._kind = ndsl_specs.TILE if tile is None else ndsl_specs.CUBE
        self._layout = tuple((communicator.partitioner if tile is None else tile).layout)
        self._handles: List[_Handle] = []
        self._plans: Dict[Any, Plan] = {}
        self._specs: Dict[str, Any] = {}
        tiles = 6 if self._kind == ndsl_specs.CUBE else 1
        if self._mpi is not None and self._mpi.Get_size() != tiles * self._layout[0] * self._layout[1]:
            raise ValueError(
                f"a layout of {self._layout[0]} x {self._layout[1]} on {tiles} tile{'s' if tiles > 1 else ''} is for "
                f"{tiles * self._layout[0] * self._layout[1]} ranks; the communicator has {self._mpi.Get_size()}"
            )

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # asked by copies, before there is anything to hand on to
            raise AttributeError(name)
        return getattr(self._ndsl, name)

    # ---- updaters ----

    def get_scalar_halo_updater(self, specifications: Sequence[Any]) -> Any:
        """An updater for quantities of these specifications."""
        if len(specifications) == 0:
            raise RuntimeError("Cannot create updater with empty specifications list")
        if specifications[0].n_points == 0:
            raise ValueError("cannot perform a halo update on zero halo points")
        if not self._serves(specifications):
            return self._ndsl.get_scalar_halo_updater(specifications)
        return self._updater(ndsl_specs.scalars, specifications)

    def get_vector_halo_updater(self, specifications_x: Sequence[Any], specifications_y: Sequence[Any]) -> Any:
        """An updater for vectors, whose components have these specifications."""
        if len(specifications_x) == 0 and len(specifications_y) == 0:
            raise RuntimeError("Cannot create updater with empty specifications list")
        if specifications_x[0].n_points == 0 and specifications_y[0].n_points == 0:
            raise ValueError("Cannot perform a halo update on zero halo points")
        if not self._serves([*specifications_x, *specifications_y]):
            return self._ndsl.get_vector_halo_updater(specifications_x, specifications_y)
        return self._updater(ndsl_specs.vectors, specifications_x, specifications_y)

    def halo_update(self, quantity: Any, n_points: int) -> None:
        """Updates so many layers of a quantity, or of several."""
        self.start_halo_update(quantity, n_points).wait()

    def start_halo_update(self, quantity: Any, n_points: int) -> Any:
        """The same in two steps: call wait() of what this returns."""
        quantities = _as_list(quantity)
        specifications = [one.halo_spec(n_points) for one in quantities]
        updater = self.get_scalar_halo_updater(specifications)
        return _started(updater, quantities)

    def vector_halo_update(self, x_quantity: Any, y_quantity: Any, n_points: int) -> None:
        """Updates so many layers of a vector, or of several."""
        self.start_vector_halo_update(x_quantity, y_quantity, n_points).wait()

    def start_vector_halo_update(self, x_quantity: Any, y_quantity: Any, n_points: int) -> Any:
        """The same in two steps: call wait() of what this returns."""
        pairs = _as_list(x_quantity), _as_list(y_quantity)
        specifications = [[one.halo_spec(n_points) for one in quantities] for quantities in pairs]
        updater = self.get_vector_halo_updater(*specifications)
        return _started(updater, *pairs)

    def synchronize_vector_interfaces(self, x_quantity: Any, y_quantity: Any) -> None:
        """Gives points that two ranks have the values of the rank to their north or east."""
        self.start_synchronize_vector_interfaces(x_quantity, y_quantity).wait()

    def start_synchronize_vector_interfaces(self, x_quantity: Any, y_quantity: Any) -> Any:
        """The same in two steps: call wait() of what this returns."""
        if not _is_on_c_grid(x_quantity, y_quantity):
            raise ValueError(
                "vector must be defined on Arakawa C-grid: x along i and j_interface, y along i_interface and j; "
                f"these have {', '.join(x_quantity.dims)} and {', '.join(y_quantity.dims)}"
            )
        specifications = [x_quantity.halo_spec(0)], [y_quantity.halo_spec(0)]
        if not self._serves([*specifications[0], *specifications[1]]):
            return self._ndsl.start_synchronize_vector_interfaces(x_quantity, y_quantity)
        return _started(self._updater(_interfaces, *specifications), [x_quantity], [y_quantity])

    def close(self) -> None:
        """Closes all handles.  Collective.  No update may be under way."""
        for handle in self._handles:
            for halo in handle.halos:
                halo.close()
        self._handles.clear()

    # ---- handles ----

    def _serves(self, specifications: Sequence[Any]) -> bool:
        return self._mpi is not None and all(module_of(given) in ("numpy", "cupy") for given in specifications)

    def _updater(self, planner: Callable[..., Plan], *specifications: Sequence[Any]) -> HaloUpdater:
        handle = self._handle(planner, specifications)
        return HaloUpdater(handle, tuple(map(len, specifications)), _device_of(specifications))

    def _handle(self, planner: Callable[..., Plan], specifications: Sequence[Sequence[Any]]) -> _Handle:
        """A handle that is free, or a new one.  Ranks have their handles in the same order, but not the same ones free."""
        plan: Any = None
        try:
            plan = self._planned(planner, specifications)
            free = sum(
                1 << number
                for number, handle in enumerate(self._handles)
                if handle.key == plan.key and not handle.is_taken
            )
        except (ValueError, IndexError) as error:
            plan, free = error, 0
        free = self._mpi.allreduce(free, op=_both)
        if free:
            return self._handles[(free & -free).bit_length() - 1]
        self._handles.append(self._created(plan))
        return self._handles[-1]

    def _planned(self, planner: Callable[..., Plan], specifications: Sequence[Sequence[Any]]) -> Plan:
        key = planner, tuple(
            tuple(
                (
                    g.n_points,
                    tuple(g.strides),
                    tuple(g.shape),
                    tuple(g.origin),
                    tuple(g.extent),
                    tuple(g.dims),
                    str(g.dtype),
                    module_of(g),
                )
                for g in some
            )
            for some in specifications
        )
        if key not in self._plans:
            self._plans[key] = planner(self._kind, *specifications)
        return self._plans[key]

    def _created(self, plan: Any) -> _Handle:
        """Makes a handle.  Where it cannot be, all ranks raise."""
        mine = (None, None, plan) if isinstance(plan, Exception) else (plan.cells, _digest(plan.texts), None)
        ranks = self._mpi.allgather(mine)
        for rank, (_, _, error) in enumerate(ranks):
            if error is not None:
                raise type(error)(f"{error} (on rank {rank})")
        for rank, (_, digest, _) in enumerate(ranks):
            if digest != ranks[0][1]:
                raise ValueError(
                    f"rank 0 and rank {rank} exchange quantities of different dimensions, types or orders in memory"
                )
        cuts = self._cuts([cells for cells, _, _ in ranks])
        return _Handle(plan, [self._halo(group, cuts) for group in plan.groups])

    def _cuts(self, cells: Sequence[Tuple[int, int]]) -> Tuple[List[int], List[int]]:
        """Where the ranks of a tile begin, along i and j."""
        rows, columns = self._layout
        along_i, along_j = [cells[c][0] for c in range(columns)], [cells[r * columns][1] for r in range(rows)]
        for rank, (i, j) in enumerate(cells):
            wanted = along_i[rank % columns], along_j[rank // columns % rows]
            if (i, j) != wanted:
                raise ValueError(
                    f"rank {rank} has {i} x {j} cells; {wanted[0]} x {wanted[1]} fit to its neighbors on the tile"
                )
        return _sums(along_i), _sums(along_j)

    def _halo(self, group: ndsl_specs.Group, cuts: Tuple[List[int], List[int]]) -> Any:
        if group.spec.text not in self._specs:
            self._specs[group.spec.text] = load(group.spec, comm=self._mpi)
        third = [] if group.levels is None else [group.levels]
        return self._specs[group.spec.text].create(
            self._mpi,
            (cuts[0][-1], cuts[1][-1], *third),
            ranks=(self._layout[1], self._layout[0], *(1 for _ in third)),
            cuts=(*cuts, *(None for _ in third)),
            like={array.field: array.like for array in group.arrays},
            # Start has sent everything then: ranks may wait for their updates in different orders, and begin others between.
            schedule="one-phase",
        )


def _interfaces(kind: str, specifications_x: Sequence[Any], specifications_y: Sequence[Any]) -> Plan:
    return ndsl_specs.vectors(kind, specifications_x, specifications_y, interfaces=True)


def _started(updater: Any, *quantities: Sequence[Any]) -> Any:
    updater.force_finalize_on_wait()
    updater.start(*quantities)
    return updater


def _both(a: int, b: int) -> int:
    return a & b


def _digest(texts: Any) -> str:
    return hashlib.sha256(repr(texts).encode()).hexdigest()


def _sums(extents: Sequence[int]) -> List[int]:
    cuts = [0]
    for extent in extents:
        cuts.append(cuts[-1] + extent)
    return cuts
