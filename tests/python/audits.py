"""Bugs of programs that audits find, seeded one by one into a program of two ranks: mpirun -n 2 python3 audits.py

Sentences say what is written down here by hand.  They count points from the first owned one.
"""

import os

import numpy
from mpi4py import MPI

import halogen
from ranks import comm, raises, run

HERE = os.path.dirname(os.path.abspath(__file__))
HALO = 2


class Program:
    """Two ranks beside each other along x, 4 x 6 cells each, everything periodic."""

    def __init__(self, spec, audited=True):
        os.environ["HX_AUDIT"] = "1" if audited else "0"
        self.halo = spec.create(comm, (8, 6), ranks=(2, 1), transport="p2p", schedule="one-phase")
        self.f = self.halo.alloc()
        x, y = numpy.meshgrid(self.halo.first[0] + numpy.arange(4), numpy.arange(6), indexing="ij")
        self.own(self.f.u)[...] = 100.0 * x + y
        self.own(self.f.v)[...] = -1.0 - 100.0 * x - y

    @staticmethod
    def own(array):
        return array[HALO:-HALO, HALO:-HALO]


def test_right(spec):
    p = Program(spec)
    p.halo.both(p.f)
    p.halo.both.audit(p.f)
    p.halo.both.audit(p.f.u, p.f.v)
    p.halo.both.audit(u=p.f.u, v=p.f.v)


def test_never_exchanged(spec):
    p = Program(spec, audited=False)
    raises(halogen.MismatchError, "has not run yet", p.halo.both.audit, p.f)


def test_stale(spec):
    p = Program(spec)
    p.halo.both(p.f)
    if comm.rank == 0:
        p.own(p.f.u)[3, 5] += 0.25
    raises(halogen.MismatchError, "is 305 at ghost point (3, -1) of block 0 and must be 305.25", p.halo.both.audit, p.f)
    raises(halogen.MismatchError, "The halo is stale", p.halo.both.audit, p.f)


def test_wrote_its_own_halo(spec):
    p = Program(spec)
    p.halo.both(p.f)
    if comm.rank == 1:
        p.f.u[HALO - 1, HALO + 2] = 12.0
    raises(halogen.MismatchError, "is 12 at ghost point (-1, 2) of block 1 and must be 302", p.halo.both.audit, p.f)
    raises(halogen.MismatchError, "this rank has written to the ghost point since", p.halo.both.audit, p.f)


def test_a_slice_too_wide(spec):
    """array[1:] in place of the owned points."""
    p = Program(spec)
    p.halo.both(p.f)
    p.f.v[1:-1, 1:-1] *= 2.0
    raises(halogen.MismatchError, "field v (line 4)", p.halo.both.audit, p.f)


def test_a_copy_in_place_of_the_array(spec):
    """As of an expression that makes a new array: the exchange has filled the old one."""
    p = Program(spec, audited=False)
    p.halo.both(p.f)
    u = p.halo.empty().u
    p.own(u)[...] = p.own(p.f.u) + 0.5
    raises(halogen.MismatchError, "this one has not been exchanged", p.halo.both.audit, u, p.f.v)


def test_arrays_change_places_on_one_rank(spec):
    p = Program(spec)
    p.halo.both(p.f)
    arrays = (p.f.v, p.f.u) if comm.rank == 1 else (p.f.u, p.f.v)
    raises(halogen.MismatchError, "was given another array for it on rank 1 only", p.halo.both.audit, *arrays)


def test_wrote_too_early(spec):
    p = Program(spec)
    pending = p.halo.both.start(p.f)
    if comm.rank == 0:
        p.own(p.f.u)[3, 2] = 77.0
        raises(halogen.MismatchError, "was written between start and finish: it was 302 and is 77", pending.finish)
    else:
        pending.finish()


def test_asked_while_under_way(spec):
    p = Program(spec, audited=False)
    with p.halo.both.start(p.f):
        raises(halogen.StateError, "is under way", p.halo.both.audit, p.f)


def main():
    spec = halogen.load(os.path.join(HERE, os.pardir, "audit", "seeded.lua"), comm=comm)
    run([test for name, test in sorted(globals().items()) if name.startswith("test_")], spec)


if __name__ == "__main__":
    assert MPI.COMM_WORLD.size == 2
    main()
