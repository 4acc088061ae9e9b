"""The listing of docs/python.md about NDSL, with what stands in for NDSL in tests/python."""

import os
import sys
import types

import numpy as np
from mpi4py import MPI

sys.path.insert(0, os.path.join(os.environ["TESTS"], "python"))
import ndsl_stand_in

ndsl = types.SimpleNamespace(CubedSphereCommunicator=ndsl_stand_in.Communicator)
comm = ndsl_stand_in.MPIComm(MPI.COMM_WORLD)
partitioner = ndsl_stand_in.TilePartitioner((1, 1))


def quantity(*dims):
    shape = [8 + 6 + dim.endswith("_interface") for dim in dims]
    return ndsl_stand_in.Quantity(np.zeros(shape), dims, (3, 3), [n - 6 for n in shape], 3)


tracers = [quantity("j", "i"), quantity("j", "i")]
u, v = quantity("j_interface", "i"), quantity("j", "i_interface")
LISTING
