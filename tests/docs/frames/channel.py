"""Listings of docs/python.md that need a handle."""

import pathlib
import tempfile

import numpy as np
from mpi4py import MPI

import halogen

SPEC = """
local grid = cartesian { axes = "xyz", fastest = "x", periodic = "xz" }
local u, v, w = fields { "u", "v", "w", on = grid, type = "double", halo = 2 }
return spec "channel" { exchange "velocity" { u, v, w, stencil = "box" } }
"""
comm = MPI.COMM_WORLD


def inner(f):
    pass


outer = other_work = lambda *_: None
with tempfile.TemporaryDirectory() as folder:
    path = pathlib.Path(folder) / "channel.lua"
    path.write_text(SPEC)
    spec = halogen.load(path)
halo = spec.create(comm, (24, 16, 8))
f = halo.empty()
LISTING
