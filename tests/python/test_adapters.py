"""What adapters decide without MPI: what they leave to others, what they refuse, and which specs they write."""

import copy
import dataclasses

import numpy as np
import pytest

import cupy_stand_in
import ndsl_stand_in as ndsl
from halogen.adapters import ndsl as adapter
from halogen.adapters import ndsl_specs


class Ranks:
    """A communicator of mpi4py, as far as making an adapter asks."""

    def __init__(self, size):
        self.size = size

    def Get_size(self):
        return self.size

    def py2f(self):
        return 0


def quantity(dims="ji", extent=(4, 4), halo=2, dtype=np.float64, order="C"):
    names = {"i": "i", "j": "j", "k": "k", "I": "i_interface", "J": "j_interface", "K": "k_interface", "t": "t"}
    around = [halo if d in "ijIJ" else 0 for d in dims]
    data = np.zeros([e + 2 * a for e, a in zip(extent, around)], dtype, order=order)
    return ndsl.Quantity(data, [names[d] for d in dims], around, extent, halo)


def spec(*given, n=1, **more):
    return dataclasses.replace(quantity(*given, **more).halo_spec(n))


# ---- what NDSL does itself ------------------------------------------------------------------------------------------


def test_a_communicator_without_mpi_is_left_to_ndsl():
    theirs = ndsl.Communicator(ndsl.LocalComm(), ndsl.CubedSpherePartitioner(ndsl.TilePartitioner((1, 1))))
    ours, q = adapter.Communicator(theirs), quantity()
    x, y = quantity("Ji", (5, 4)), quantity("jI", (4, 5))
    ours.get_scalar_halo_updater([q.halo_spec(1)])
    ours.get_vector_halo_updater([x.halo_spec(1)], [y.halo_spec(1)])
    ours.halo_update(q, 1)
    ours.vector_halo_update(x, y, 1)
    ours.synchronize_vector_interfaces(x, y)
    called = [name for name, _ in theirs.calls]
    update = ["force_finalize_on_wait", "start", "wait"]
    assert called == [
        *("get_scalar_halo_updater", "get_vector_halo_updater", "get_scalar_halo_updater", *update),
        *("get_vector_halo_updater", *update, "start_synchronize_vector_interfaces", "wait"),
    ]


def test_other_arrays_are_left_to_ndsl():
    theirs = ndsl.Communicator(Ranks(1), ndsl.TilePartitioner((1, 1)))
    of_others = dataclasses.replace(quantity().halo_spec(1), numpy_module=dataclasses)
    adapter.Communicator(theirs).get_scalar_halo_updater([of_others])
    assert [name for name, _ in theirs.calls] == ["get_scalar_halo_updater"]


def test_other_attributes_are_those_of_ndsl():
    theirs = ndsl.Communicator(ndsl.LocalComm(), ndsl.TilePartitioner((1, 1)), rank=7)
    assert adapter.Communicator(theirs).rank == 7
    adapter.Communicator(theirs).gather("a", "b")
    assert theirs.calls == [("gather", ("a", "b"))]
    assert copy.copy(adapter.Communicator(theirs)).rank == 7


# ---- what is refused ------------------------------------------------------------------------------------------------


def test_the_layout_has_as_many_ranks_as_the_communicator():
    with pytest.raises(ValueError, match="layout of 1 x 2 on 6 tiles is for 12 ranks; the communicator has 6"):
        adapter.Communicator(ndsl.Communicator(Ranks(6), ndsl.CubedSpherePartitioner(ndsl.TilePartitioner((1, 2)))))


def test_lists_that_ndsl_refuses():
    ours = adapter.Communicator(ndsl.Communicator(Ranks(1), ndsl.TilePartitioner((1, 1))))
    with pytest.raises(RuntimeError, match="empty specifications"):
        ours.get_scalar_halo_updater([])
    with pytest.raises(RuntimeError, match="empty specifications"):
        ours.get_vector_halo_updater([], [])
    with pytest.raises(ValueError, match="zero halo points"):
        ours.get_scalar_halo_updater([spec(n=0)])
    with pytest.raises(ValueError, match="zero halo points"):
        ours.get_vector_halo_updater([spec(n=0)], [spec(n=0)])


@pytest.mark.parametrize(
    "make,error,text",
    [
        (lambda: [spec("jk", (4, 3))], ValueError, "quantity 0: its dimensions are j, k; needs one along i"),
        (
            lambda: [spec(), spec("ji", (4, 5))],
            ValueError,
            r"quantity 1 has \(5, 4\) cells along i and j, quantity 0 has \(4, 4\)",
        ),
        (
            lambda: [dataclasses.replace(spec(), n_points=3)],
            IndexError,
            "quantity 0: 3 layers around 4 points from 2 on do not fit",
        ),
        (
            lambda: [dataclasses.replace(spec(), strides=(128, 16))],
            ValueError,
            r"its strides are \(128, 16\) bytes for elements of 8; one of i, j has",
        ),
    ],
)
def test_scalars_that_are_refused(make, error, text):
    with pytest.raises(error, match=text):
        ndsl_specs.scalars(ndsl_specs.TILE, make())


def test_vectors_that_are_refused():
    with pytest.raises(ValueError, match="2 first components and 1 second ones make no vectors"):
        ndsl_specs.vectors(ndsl_specs.TILE, [spec(), spec()], [spec()])
    with pytest.raises(
        ValueError, match=r"quantity 0 has dimensions k, j, i of \(3, 4, 4\), its second component j, i of \(4, 4\)"
    ):
        ndsl_specs.vectors(ndsl_specs.TILE, [spec("kji", (3, 4, 4))], [spec()])


def test_quantities_that_are_not_those_of_the_specification():
    memory = ndsl_specs.Memory(spec(), 1, 2)
    with pytest.raises(
        ValueError, match=r"^quantity 2 of the second list: its dimensions are \('i', 'j'\); the specification has \('j', 'i'\)$"
    ):
        memory.check(quantity("ij"))
    with pytest.raises(ValueError, match=r"^quantity 2 .*: its shape is \(8, 9\); the specification has \(8, 8\)$"):
        memory.check(quantity(extent=(4, 5)))


class Pending:
    """What a handle gives that exchanges nothing."""

    is_taken = True

    def bind(self, quantities):
        return quantities

    def start(self, bound):
        return []


def test_calls_of_an_updater_out_of_order():
    updater = adapter.HaloUpdater(Pending(), (1,), None)
    with pytest.raises(RuntimeError, match='^Halo update "wait" call before "start"$'):
        updater.wait()
    with pytest.raises(RuntimeError, match=r"^Quantities count \(2,\) is not that of the specifications, \(1,\)$"):
        updater.start([1, 2])
    updater.start([1])
    with pytest.raises(RuntimeError, match=r"^Previous exchange hasn't been properly finished: a start\(\) had no wait\(\)\.$"):
        updater.start([1])
    with pytest.raises(RuntimeError, match=r"^An halo exchange wasn't completed and a wait\(\) call was expected$"):
        updater.__del__()
    updater.force_finalize_on_wait()
    updater.wait()
    with pytest.raises(RuntimeError, match=r"^This updater is finalized\.$"):
        updater.start([1])


def test_ranks_of_a_tile_that_do_not_fit():
    ours = adapter.Communicator(ndsl.Communicator(Ranks(4), ndsl.TilePartitioner((2, 2))))
    assert ours._cuts([(4, 3), (5, 3), (4, 6), (5, 6)]) == ([0, 4, 9], [0, 3, 9])
    with pytest.raises(ValueError, match=r"^rank 3 has 5 x 7 cells; 5 x 6 fit to its neighbors on the tile$"):
        ours._cuts([(4, 3), (5, 3), (4, 6), (5, 7)])


def test_names_of_a_state():
    wrapped = adapter.WrappedHaloUpdater(None, {"u": 1}, ["u"])
    with pytest.raises(ValueError, match="the names of one vector"):
        wrapped.interface()
    with pytest.raises(NotImplementedError, match="a dataclass or a dict, not int"):
        adapter.WrappedHaloUpdater(ndsl.Communicator(None, None), 7, ["u"]).start()


# ---- which specs are written ----------------------------------------------------------------------------------------


def test_all_that_can_be_components_shares_one_message():
    given = [
        spec("kji", (3, 4, 4)),
        spec("ijk", (4, 4, 5), dtype=np.float32),
        spec(),
        spec("jki", (4, 7, 4)),
        spec("JI", (5, 5)),
    ]
    (group,) = ndsl_specs.scalars(ndsl_specs.CUBE, given).groups
    lines = group.spec.text.splitlines()
    for line, words in zip(
        lines[1:],
        ['{ 3, "outermost" }', '{ 5, "innermost" }', "q2", '{ 7, after = "i" }', '{ i = "both", j = "both" }'],
    ):
        assert words in line
    assert len(group.arrays) == 5 and group.levels is None


def test_levels_with_room_behind_them_are_an_axis():
    padded = dataclasses.replace(spec("ijk", (4, 4, 5)), strides=(512, 64, 8))
    half_levels = dataclasses.replace(spec("ijK", (4, 4, 6)), strides=(512, 64, 8))
    first, second = ndsl_specs.scalars(ndsl_specs.TILE, [spec(), padded, half_levels]).groups
    assert (first.levels, second.levels) == (None, 5)
    assert 'k = "both"' in second.spec.text and 'order = { "k", "j", "i" }' in second.spec.text


def test_a_plan_knows_whom_it_serves():
    same = ndsl_specs.scalars(ndsl_specs.TILE, [spec()]).key, ndsl_specs.scalars(ndsl_specs.TILE, [spec()]).key
    assert same[0] == same[1]
    for other in (spec(n=2), spec("ij"), spec(dtype=np.int64), spec(halo=3), spec("ji", (4, 5))):
        assert ndsl_specs.scalars(ndsl_specs.TILE, [other]).key != same[0]


def test_arrays_on_gpus_have_specs_of_their_own():
    """Also where a quantity of the host lies in memory just so."""
    ours = adapter.Communicator(ndsl.Communicator(Ranks(1), ndsl.TilePartitioner((1, 1))))
    on_gpu = dataclasses.replace(spec(), numpy_module=cupy_stand_in.cupy())
    texts = [ours._planned(ndsl_specs.scalars, [[given]]).groups[0].spec.text for given in (spec(), on_gpu)]
    assert ['memory = "cuda"' in text for text in texts] == [False, True]
