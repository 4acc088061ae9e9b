"""Bugs of programs that audits find, seeded one by one into a program of two ranks: mpirun -n 2 python3 audits.py

Sentences say what is written down here by hand.  They count points from the first owned one.
"""

import os

import numpy
from mpi4py import MPI

import halogen
from ranks import comm, fail, raises, run

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
        for c in range(3):
            self.f.owned.n[..., c] = 1000 * x + 10 * y + c

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


def test_exchanged_another(spec):
    p = Program(spec, audited=False)
    p.halo.sides(p.f)
    p.halo.sides.audit(p.f)
    raises(halogen.MismatchError, 'exchange "both"', p.halo.both.audit, p.f)
    raises(halogen.MismatchError, "at ghost point (0, -2)", p.halo.both.audit, p.f)
    raises(halogen.MismatchError, "has not run yet", p.halo.both.audit, p.f)


def test_changed_without_record(spec):
    p = Program(spec, audited=False)
    p.halo.both(p.f)
    if comm.rank == 1:
        p.own(p.f.u)[0, 3] += 7.0
    raises(halogen.MismatchError, "is 403 at ghost point (4, 3) of block 0 and must be 410", p.halo.both.audit, p.f)
    raises(halogen.MismatchError, "last ran as run 1; with HX_AUDIT=1 this says which", p.halo.both.audit, p.f)


def test_exchanged_every_other_step(spec):
    p = Program(spec)
    for step in range(4):
        p.own(p.f.u)[...] += 0.5
        if step % 2 == 0:
            p.halo.both(p.f)
    raises(halogen.MismatchError, "The halo is stale: the owner's value has changed since run 2", p.halo.both.audit, p.f)


def test_wrapped_by_hand(spec):
    """Periodic copies with the wrong row."""
    p = Program(spec)
    p.halo.both(p.f)
    p.f.u[HALO:-HALO, HALO - 1] = p.f.u[HALO:-HALO, HALO]
    raises(halogen.MismatchError, "is 0 at ghost point (0, -1) of block 0 and must be 5", p.halo.both.audit, p.f)
    raises(halogen.MismatchError, "So are 3 more points", p.halo.both.audit, p.f)


def test_wrote_both(spec):
    p = Program(spec)
    p.halo.both(p.f)
    p.f.u[HALO + (1 if comm.rank == 1 else 5), HALO + 2] += 1.0 if comm.rank == 1 else -1.0
    raises(halogen.MismatchError, "is 501 at ghost point (5, 2) of block 0 and must be 503", p.halo.both.audit, p.f)
    raises(halogen.MismatchError, "Both were 502 after run 1", p.halo.both.audit, p.f)


def test_one_of_three_components(spec):
    p = Program(spec)
    p.halo.numbers(p.f)
    if comm.rank == 0:
        p.f.n[5, 2, 2] = -5
    raises(halogen.MismatchError, "component 2 of field n (line 5) is -5 at ghost point (4, 1)", p.halo.numbers.audit, p.f)
    raises(halogen.MismatchError, "and must be 4012, as rank 1 has it", p.halo.numbers.audit, p.f)


def test_one_component_apart(spec):
    p = Program(spec)
    p.f.owned.w[0, 2, 1] = 0.5 * comm.rank
    p.halo.apart(p.f)
    if comm.rank == 0:
        p.f.w[5, 3, 1] = 3.0
    raises(halogen.MismatchError, "component 1 of field w (line 6) is 3 at ghost point (4, 2)", p.halo.apart.audit, p.f)


def test_arrays_of_a_set_on_one_rank(spec):
    p = Program(spec)
    other = p.halo.alloc()
    p.halo.both(p.f)
    u = other.u if comm.rank == 1 else p.f.u
    raises(halogen.MismatchError, "was given another array for it on rank 1 only", p.halo.both.audit, u, p.f.v)


def test_wrote_ghost_points_too_early(spec):
    p = Program(spec)
    pending = p.halo.both.start(p.f)
    p.f.u[HALO + 1, HALO + 6] = 1.0  # copied within the rank, in start
    raises(halogen.MismatchError, "is 1 at ghost point (1, 6)", pending.finish)


def test_read_what_nobody_fills(spec):
    """A corner, and the second layer."""
    os.environ["HX_POISON"] = "1"
    p = Program(spec, audited=False)
    os.environ["HX_POISON"] = "0"
    p.halo.sides(p.f)
    read = [float(p.f.u[i, j]) for i, j in ((1, 4), (1, 1), (0, 4))]
    if numpy.isnan(read).tolist() != [False, True, True] or (p.f.n[0, 1] != numpy.int32(-1515870811)).any():
        fail(f"a side, a corner, the second layer: {read}; {p.f.n[0, 1]}")
    raises(halogen.MismatchError, "is the poison of HX_POISON at ghost point", p.halo.both.audit, p.f)


def test_read_before_finish(spec):
    """The halo of the step before would look right."""
    os.environ["HX_POISON"] = "1"
    p = Program(spec)
    os.environ["HX_POISON"] = "0"
    p.halo.both(p.f)
    pending = p.halo.both.start(p.f)
    shows = float(p.f.u[HALO - 1, HALO + 2])
    pending.finish()
    if not numpy.isnan(shows):
        fail(f"a ghost point before finish is {shows}")
    p.halo.both.audit(p.f)


def test_arrays_that_are_too_small(spec):
    """Of another field, or without the halo: refused before anything moves."""
    p = Program(spec)
    for wrong in p.f.w[..., 0].astype("f8"), p.own(p.f.u):
        raises(halogen.ArgumentError, "with 2 layers of halo on each side it is (8, 10)", p.halo.both, wrong, p.f.v)


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
