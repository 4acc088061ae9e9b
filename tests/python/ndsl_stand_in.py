"""As much of NDSL as the adapter touches: the interfaces that were recorded, without the package."""

import dataclasses
from typing import Any

import numpy as np


@dataclasses.dataclass
class QuantityHaloSpec:
    n_points: int
    strides: tuple
    itemsize: int
    shape: tuple
    origin: tuple
    extent: tuple
    dims: tuple
    numpy_module: Any
    dtype: Any


class Quantity:
    """An array whose compute domain is `extent` points from `origin` on, along dimensions that have names."""

    module = np

    def __init__(self, data, dims, origin, extent, n_halo):
        self.data, self.dims, self.origin, self.extent, self.n_halo = (
            data,
            tuple(dims),
            tuple(origin),
            tuple(extent),
            n_halo,
        )

    def halo_spec(self, n_halo):
        if n_halo > self.n_halo:
            raise ValueError(
                f"Halo specification requires exchange of more halo points ({n_halo}) than there are ({self.n_halo})"
            )
        return QuantityHaloSpec(
            n_halo,
            self.data.strides,
            self.data.itemsize,
            self.data.shape,
            self.origin,
            self.extent,
            self.dims,
            self.module,
            self.data.dtype,
        )


@dataclasses.dataclass
class TilePartitioner:
    layout: tuple


@dataclasses.dataclass
class CubedSpherePartitioner:
    tile: TilePartitioner

    @property
    def layout(self):
        return self.tile.layout


class MPIComm:
    """NDSL's wrapper of a communicator of mpi4py."""

    def __init__(self, comm):
        self._comm = comm


class LocalComm:
    """All ranks in one process: nothing of MPI."""


@dataclasses.dataclass
class Communicator:
    comm: Any
    partitioner: Any
    calls: list = dataclasses.field(default_factory=list)
    rank: int = 0

    def __getattr__(self, name):
        """What NDSL would do: remembered."""
        if name.startswith("__"):
            raise AttributeError(name)

        def remember(*arguments):
            self.calls.append((name, arguments))
            return self

        return remember
