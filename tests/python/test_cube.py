"""The oracle of the cubed sphere, against what was written down by hand."""

import cube

N = 3

# Values are 100 (tile + 1) + 10 i + j.  Rows from the north: ghost cells of tile 0, two layers around 3 x 3 cells.
TILE_0 = """
   .     .   312   311   310     .     .
   .     .   302   301   300     .     .
 501   502   102   112   122   202   212
 511   512   101   111   121   201   211
 521   522   100   110   120   200   210
   .     .   602   612   622     .     .
"""


def test_scalars_around_tile_0():
    rows = [row.split() for row in TILE_0.strip().splitlines()]
    for up, row in enumerate(rows):
        for right, text in enumerate(row):
            i, j = right - 2, len(rows) - 2 - up
            found = cube.behind_edge(0, 2 * i + 1, 2 * j + 1, N)
            if text == ".":
                assert found is None
            else:
                (tile, X, Y), _ = found
                assert 100 * (tile + 1) + 10 * ((X - 1) // 2) + (Y - 1) // 2 == int(text), (i, j)


def test_vectors_turn():
    """What flows along x beyond the north of tile 0 flows along -y there, and along y flows along x."""
    assert cube.behind_edge(0, 1, 2 * N + 1, N)[1] == ((1, -1), (0, 1))
    assert cube.behind_edge(0, -1, 1, N)[1] == ((1, 1), (0, -1))
    assert cube.behind_edge(1, 2 * N + 1, 1, N)[1] == ((1, 1), (0, -1))
    assert cube.behind_edge(1, 1, -1, N)[1] == ((1, -1), (0, 1))
    for tile, X, Y in ((0, 2 * N + 1, 1), (0, 1, -1), (1, -1, 1), (1, 1, 2 * N + 1)):
        assert cube.behind_edge(tile, X, Y, N)[1] == ((0, 1), (1, 1))
