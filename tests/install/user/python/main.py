"""Gives every cell a number of its own, exchanges, and looks at the whole halo: main.py FOLDER LIBRARY

A build system has made the library, and heat.py in the folder.  Where there is a compiler at run time, these two lines of
spec are one: spec = halogen.load("../heat.lua")
"""

import sys

import numpy
from mpi4py import MPI

sys.path.insert(0, sys.argv[1])
import heat

NX, NY = 12, 10
spec = heat.Spec(sys.argv[2])

with spec.create(MPI.COMM_WORLD, cells=(NX, NY)) as halo:
    f = halo.alloc()
    layers = (f.t.shape[0] - halo.n[0]) // 2
    x = (numpy.arange(-layers, halo.n[0] + layers) + halo.first[0]) % NX
    y = (numpy.arange(-layers, halo.n[1] + layers) + halo.first[1]) % NY
    numbers = x[:, None] + NX * y[None, :]

    owned = (slice(layers, -layers), slice(layers, -layers))
    f.t[owned] = numbers[owned]
    halo.temperature(f)
    wrong = MPI.COMM_WORLD.allreduce(int((f.t != numbers).sum()))
    if MPI.COMM_WORLD.rank == 0:
        print(f"{layers} layers, {wrong} points wrong")
sys.exit(wrong > 0)
