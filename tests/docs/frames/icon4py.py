"""The listing of docs/python.md about icon4py, with what stands in for it."""

import types

import numpy as np
from mpi4py import MPI

dims = types.SimpleNamespace(CellDim="Cell")
process_props = types.SimpleNamespace(comm=MPI.COMM_WORLD)
# This rank owns cells 0 to 9, and has cell 3 once more in its halo.
decomposition_info = types.SimpleNamespace(
    global_index=lambda dim: np.array([*range(10), 3]), owner_mask=lambda dim: np.arange(11) < 10
)
rho, theta = np.arange(11.0), np.arange(22.0).reshape(11, 2)


def other_work():
    pass


LISTING
assert rho[10] == 3 and list(theta[10]) == [6, 7]
