"""Bugs of programs that audits find, seeded one by one into programs of two ranks: mpirun -n 2 python3 audits.py

Sentences say what is written down here by hand.  They count points from the first owned one.  Two bugs of C are refused
here, since NumPy knows how long arrays are and how far apart their rows: see test_arrays_that_are_too_small and
test_longer_rows.
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

    def __init__(self, spec, audited=True, **options):
        os.environ["HX_AUDIT"] = "1" if audited else "0"
        self.halo = spec.create(comm, (8, 6), ranks=(2, 1), transport="p2p", schedule="one-phase", **options)
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


def test_longer_rows(spec):
    """Rows of the program are two points longer than those of the shape: refused before anything moves."""
    p = Program(spec)
    wide = numpy.asfortranarray(numpy.zeros((10, 10)))[:8, :]
    raises(halogen.ArgumentError, "strides", p.halo.both, wide, p.f.v)


def test_arrays_that_overlap(spec):
    """Cut out of one buffer, as for 4 x 10 points each."""
    p = Program(spec)
    memory = numpy.zeros(200)
    u, v = (memory[first : first + 80].reshape((8, 10), order="F") for first in (0, 40))
    raises(halogen.ArgumentError, "u and v overlap in memory", p.halo.both, u, v)


def test_forgot_to_swap_on_one_rank(spec):
    """From step to step two sets change places, on one rank once not: each exchange is right, and a line tells of it."""
    lines = []
    p = Program(spec, log=lambda level, line: lines.append(line))
    sets = (p.f, p.halo.alloc())
    for step in range(5):
        at = (step + (comm.rank == 1 and step >= 3)) % 2
        lines.clear()
        p.halo.both(sets[at].u, p.f.v)
        told = [line for line in lines if "Were arrays swapped on one rank only?" in line]
        here, there = (2, 1) if comm.rank == 0 else (1, 2)
        words = f"field u (line 4) is of set {here} of seeded_alloc here, and of set {there} of seeded_alloc on rank"
        if len(told) != (step == 3) or any(words not in line for line in told):
            fail(f"step {step}: {lines}")


def finish_says(pending, wrong_on, *words, or_else=None):
    """Finish tells all these words on the rank with the bug, or those others, and nothing on the other rank."""
    if comm.rank != wrong_on:
        pending.finish()
        return
    try:
        pending.finish()
    except halogen.MismatchError as error:
        if not all(part in str(error) for part in words) and not (or_else and or_else in str(error)):
            fail(f"{words} in: {error}")
    else:
        fail(f"not found: {words}")


# ---- behind walls ----------------------------------------------------------------------------------------------------


class Walled:
    """Two ranks beside each other along x, 4 x 4 cells each, with walls along y."""

    def __init__(self, spec):
        os.environ["HX_AUDIT"] = "1"
        self.halo = spec.create(comm, (8, 4), ranks=(2, 1))
        self.f = self.halo.alloc()
        x, y = numpy.meshgrid(self.halo.first[0] + numpy.arange(4), numpy.arange(4), indexing="ij")
        self.f.owned.t[...] = 10.0 * x + y
        self.f.owned.v[..., 0] = 100 * x + 10 * y
        self.f.owned.v[..., 1] = 100 * x + 10 * y + 1


def walls_wrote_an_image(spec):
    p = Walled(spec)
    p.halo.images(p.f)
    p.halo.images.audit(p.f)
    if comm.rank == 0:
        p.f.t[HALO + 2, HALO - 2] = -77.0
    words = "is -77 at ghost point (2, -2) of block 0, behind a wall, and must be 20, which the boundary makes of (2, 0)."
    raises(halogen.MismatchError, words, p.halo.images.audit, p.f)
    raises(halogen.MismatchError, "this rank has written to the ghost point since", p.halo.images.audit, p.f)


def walls_wrote_an_opposite(spec):
    p = Walled(spec)
    p.halo.opposites(p.f)
    if comm.rank == 0:
        p.f.v[1 + 2, 0, 1] += 1
    words = "component 1 of field v (line 5) is -210 at ghost point (2, -1) of block 0, behind a wall, and must be -211,"
    raises(halogen.MismatchError, words, p.halo.opposites.audit, p.f)


def walls_computed_after_the_exchange(spec):
    p = Walled(spec)
    p.halo.images(p.f)
    if comm.rank == 0:
        p.f.owned.t[2, 3] += 0.5
    words = "is 23 at ghost point (2, 4) of block 0, behind a wall, and must be 23.5, which the boundary makes of (2, 3)"
    raises(halogen.MismatchError, words, p.halo.images.audit, p.f)
    raises(halogen.MismatchError, "The halo is stale", p.halo.images.audit, p.f)


def walls_function_goes_too_far(spec):
    """The function for walls fills a point beside them, too, which the exchange has filled.  Rank 0 may be slow to answer."""
    p = Walled(spec)

    def fill(wall):
        wall.points[...] = -1.0
        if comm.rank == 1 and wall.side == 0:
            wall.array[HALO - 1, HALO + 1] = -1.0

    p.halo.set_boundary(fill)
    named = "field t (line 4) is -1 at ghost point (-1, 1) of block 1 and must be 31, as rank 0 had it in block 0 at (3, 1)"
    silent = "field t (line 4) is wrong at one of the ghost points from (-2, 0) to (-1, 3) of block 1.  Rank 0, which feeds them,"
    finish_says(p.halo.hooked.start(p.f), 1, "audit on rank 1 behind finish: " + named, or_else=silent)
    p.halo.opposites(p.f)  # in which rank 0 answers


# ---- sums ------------------------------------------------------------------------------------------------------------


class Adding:
    """Two ranks beside each other along x, 4 x 4 cells each, a ring along both axes; ghost points are 0.5, or 1, more on
    rank 1."""

    def __init__(self, spec):
        os.environ["HX_AUDIT"] = "1"
        self.halo = spec.create(comm, (8, 4), ranks=(2, 1), transport="p2p")
        self.f = self.halo.alloc()
        x, y = numpy.meshgrid(self.halo.first[0] + numpy.arange(5), numpy.arange(4), indexing="ij")
        self.f.charge[...] = 0.5 + comm.rank
        self.f.count[..., 0] = 30000
        self.f.count[..., 1] = 2 + comm.rank
        self.f.first[...] = 33 - 30 * comm.rank
        self.f.owned.charge[...] = self.f.owned.first[...] = (10 * x + y)[:4]
        self.f.owned.count[..., 0] = (100 * x + y)[:4]
        self.f.owned.count[..., 1] = -y[:4]
        self.f.force[...] = 10.0 * x + y + 0.25 * comm.rank

def sums_right(spec):
    p = Adding(spec)
    for exchange in ("deposit", "tally", "earliest", "assemble", "average", "take"):
        getattr(p.halo, exchange)(p.f)
    p.halo.take.audit(p.f)


def sums_wrote_too_early(spec):
    p = Adding(spec)
    pending = p.halo.deposit.start(p.f)
    if comm.rank == 1:
        p.f.owned.charge[0, 0] = 7.0
    words = "field charge (line 4) is 9.5 at owned point (0, 0) of block 1, which is (4, 0) of the grid, and must be 42.5"
    finish_says(pending, 1, words, "the sum: at start it was 40; ", "rank 0 gave 0.5 from ghost point (4, 4) of block 0")


def sums_added_to_ghost_points_too_late(spec):
    p = Adding(spec)
    pending = p.halo.deposit.start(p.f)
    if comm.rank == 0:
        p.f.charge[1 + 4, 1 + 2] += 3.0
    words = "is 3.5 at ghost point (4, 2) of block 0, and must be 0.5, as it was at start: what is written there until"
    finish_says(pending, 0, words)


def sums_changed_what_is_kept(spec):
    p = Adding(spec)
    pending = p.halo.tally.start(p.f)
    if comm.rank == 1:
        p.f.count[0, 1 + 3, 1] = 0
    words = "component 1 of field count (line 5) is 0 at ghost point (-1, 3) of block 1, and must be 3, as it was at start."
    finish_says(pending, 1, words)


def sums_wrote_a_wrapped_one(spec):
    """703 + 3 x 30000 - 65536; without 703 it is 24464."""
    p = Adding(spec)
    pending = p.halo.tally.start(p.f)
    if comm.rank == 1:
        p.f.owned.count[3, 3, 0] = 0
    finish_says(pending, 1, "is 24464 at owned point (3, 3)", "and must be 25167, the sum: at start it was 703")


def sums_wrote_a_minimum_too_early(spec):
    p = Adding(spec)
    pending = p.halo.earliest.start(p.f)
    if comm.rank == 0:
        p.f.owned.first[3, 2] = -1.0
    words = "field first (line 6) is -1 at owned point (3, 2) of block 0, which is (3, 2) of the grid, and must be 3, the least"
    finish_says(pending, 0, words, "rank 1 gave 3 from ghost point (-1, 2) of block 1.")


def sums_wrote_shared_points_too_early(spec):
    p = Adding(spec)
    pending = p.halo.assemble.start(p.f)
    if comm.rank == 0:
        p.f.force[4, 1] = 1.0
    words = "field force (line 7) is 42.25 at the shared point (4, 1) of block 0, which is (4, 1) of the grid, and must be 82.25"
    finish_says(pending, 0, words, "rank 1 gave 41.25 from (0, 1) of block 1.")


def sums_disagreed(spec):
    """About a point that both own, since one of them computes it again."""
    p = Adding(spec)
    p.halo.take(p.f)
    if comm.rank == 1:
        p.f.force[0, 2] = 5.0
    words = "field force (line 7): rank 0 has 42.25 at the shared point (4, 2) of block 0, which is (4, 2) of the grid"
    raises(halogen.MismatchError, words, p.halo.take.audit, p.f)
    raises(halogen.MismatchError, "; rank 1 has 5 in block 1 at (0, 2)", p.halo.take.audit, p.f)


def main():
    """Tests by the first word of their names, each with its spec."""
    for word, name in {"test": "seeded", "walls": "walled", "sums": "totals"}.items():
        spec = halogen.load(os.path.join(HERE, os.pardir, "audit", name + ".lua"), comm=comm)
        run([test for name, test in sorted(globals().items()) if name.startswith(word + "_")], spec)


if __name__ == "__main__":
    assert MPI.COMM_WORLD.size == 2
    main()
