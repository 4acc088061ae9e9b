"""Specs of this project, written in Python as their Lua has it; test_build.py compares the two."""

from halogen import build as b

# Of specs that are templates: what is put in.
FILLED = {
    "line": {"name": "line_x", "periodic": '"x"'},
    "plane": {"name": "plane_y", "periodic": '"y"', "blocks": ""},
    "cube": {"name": "cube_yz", "periodic": '"y", "z"', "blocks": ', blocks = "first-fastest"'},
    "hyper": {"name": "hyper_xt", "periodic": '"x", "t"', "blocks": ""},
    "sphere": {"order": "zyx", "blocks": ', blocks = "first-fastest"'},
    "corners_sphere": {"order": "yzx", "blocks": ""},
    "shared_sphere": {"order": "xyz", "blocks": ""},
    "folded": {
        "name": "folded_ncf",
        "side": "+y",
        "along": "x",
        "axes": "xy",
        "fastest": "x",
        "line": "face",
        "blocks": "",
        "pivot": '{ x = "center", y = "face" }',
    },
    "seam": {
        "name": "seam_ecc",
        "side": "+x",
        "along": "y",
        "axes": "xyz",
        "fastest": "x",
        "line": "center",
        "blocks": "",
        "pivot": '"center"',
        "halo": "1",
    },
}

BOTH = {"x": "both", "y": "both"}


def flow():
    g = b.cartesian(axes="xy", fastest="x", periodic="xy")
    density, *rest = [
        b.field(name, on=g, memory="cuda", type="double", halo=2)
        for name in ("density", "momentum_x", "momentum_y", "energy")
    ]
    return b.spec("flow", b.exchange("state", density, *rest, stencil="star"))


def lakes():
    water = b.index_list(axes=["cell"])
    t = b.field("t", on=water, type="double", components=8)
    ice = b.field("ice", on=water, type="float")
    neighbors = b.field("neighbors", on=water, type="int")
    return b.spec("lakes", b.exchange("state", t, ice), b.exchange("count", neighbors, op="add"))


def lbm():
    g = b.cartesian(axes="xyz", fastest="x", periodic="xyz")
    faces = [tuple(sign if a == axis else 0 for a in range(3)) for axis in range(3) for sign in (1, -1)]
    edges = [
        (1, 1, 0),
        (-1, -1, 0),
        (1, -1, 0),
        (-1, 1, 0),
        (1, 0, 1),
        (-1, 0, -1),
        (1, 0, -1),
        (-1, 0, 1),
        (0, 1, 1),
        (0, -1, -1),
        (0, 1, -1),
        (0, -1, 1),
    ]
    f = b.field("f", on=g, type="double", halo=1, directions=[(0, 0, 0), *faces, *edges])
    return b.spec("lbm", b.exchange("populations", f))


def lbm_all():
    g = b.cartesian(axes="xyz", fastest="x", periodic="xyz")
    return b.spec("lbm_all", b.exchange("populations", b.field("f", on=g, type="double", halo=1, components=19)))


def ocean():
    g = b.cartesian(axes="xy", fastest="x", periodic="x")
    eta = b.field("eta", on=g, type="double", halo={"x": {"lo": 1}, "y": {"lo": 1}})
    u = b.field("u", on=g, type="double", components=12, at={"x": "low"}, halo={"x": {"hi": 1}, "y": {"lo": 1}})
    v = b.field("v", on=g, type="double", components=12, at={"y": "low"}, halo={"x": {"lo": 1}, "y": {"hi": 1}})
    t, s = b.fields("t", "s", on=g, type="double", components=12, halo=1)
    return b.spec(
        "ocean",
        b.exchange("flow", u, v, boundary="zero"),
        b.exchange("tracers", t, s, stencil="star"),
        b.exchange("surface", eta, stencil="star"),
    )


def sphere():
    g = b.cubed_sphere(axes="xy", fastest="x")
    q, slope, place = [
        b.field(name, on=g, type="double", halo=1, components=n) for name, n in (("q", 4), ("slope", 12), ("place", 3))
    ]
    u = b.field("u", on=g, type="double", halo={"y": 1}, at={"x": "both"})
    v = b.field("v", on=g, type="double", halo={"x": 1}, at={"y": "both"})
    b.vector("wind", u, v)
    return b.spec(
        "sphere",
        b.exchange("state", q, stencil="star"),
        b.exchange("slopes", slope, stencil="star"),
        b.exchange("places", place, stencil="box"),
        b.exchange("winds", u, v, stencil="star"),
    )


def tripolar():
    g = b.fold(axes="xy", fastest="x", side="+y", along="x", pivot="center")
    c = b.field("c", on=g, type="double", halo=2, components=2)
    u, v = b.field("u", on=g, type="double", halo=1, at={"x": "high"}), b.field(
        "v", on=g, type="double", halo=1, at={"y": "high"}
    )
    b.vector("flow", u, v)
    return b.spec("tripolar", b.exchange("flow", u, v, stencil="star"), b.exchange("tracers", c, stencil="star"))


def behind():
    g = b.cartesian(axes="xyz", periodic="x")
    a = b.field("a", on=g, type="double", halo={"x": 2, "y": {"lo": 1, "hi": 3}, "z": 1}, halo_at="behind")
    two = b.field("b", on=g, type="float", halo={"x": 1, "z": {"lo": 2}}, order="zxy", halo_at="behind")
    c = b.field("c", on=g, type="int16_t", halo=1)
    d = b.field("d", on=g, type="long double", halo={"y": 2}, order="yzx", halo_at="behind")
    e = b.field("e", on=g, type="double", halo=2)
    return b.spec(
        "behind",
        b.exchange("star", a, two, c, d, stencil="star"),
        b.exchange("thin_star", a, c, stencil="star", width=1),
        b.exchange("across", d),
        b.exchange("whole", e),
    )


def carried():
    g = b.cartesian(
        axes=["x", "m", "y", "z"],
        order=["m", "x", "y", "z"],
        periodic=["x", "z"],
        decomposed=["x", "y"],
        cells={"m": 3},
    )
    tracers = b.field("tracers", on=g, type="float", halo={"x": 2, "y": 1, "z": 1})
    column = b.field("column", on=g, type="double", halo={"x": 1, "y": {"hi": 2}}, order=("z", "m", "x", "y"))
    surface = b.field("surface", on=g, type="long double", halo={"y": 1})
    return b.spec(
        "carried",
        b.exchange("sides", tracers, column, width={"x": 1, "y": {"hi": 1}}),
        b.exchange("star", column, tracers, surface, stencil="star"),
        b.exchange("all", surface, tracers, column),
    )


def corners_sphere():
    g = b.cubed_sphere(axes="xyz", horizontal="xy", order="yzx")

    def on(name, halo, at=None, components=None):
        return b.field(name, on=g, type="double", halo={"x": halo, "y": halo}, at=at, components=components)

    p, q, m = on("p", 3), on("q", 2, BOTH), on("m", 1, BOTH, (2, "outermost"))
    winds = [
        on("a1", 2),
        on("a2", 2),
        on("b1", 2, BOTH),
        on("b2", 2, BOTH),
        on("c1", 3, {"x": "both"}),
        on("c2", 3, {"y": "both"}),
        on("d1", 3, {"y": "both"}),
        on("d2", 3, {"x": "both"}),
    ]
    for name, pair in zip("abcd", zip(winds[::2], winds[1::2])):
        b.vector(name, *pair)
    return b.spec(
        "corners_sphere_yzx",
        b.exchange("scalars", p, q, m, corners=["x", "y"]),
        b.exchange("winds", *winds, corners="y"),
    )


def cube():
    g = b.cartesian(axes="xyz", fastest="x", blocks="first-fastest", periodic=["y", "z"])
    u = b.field("u", on=g, type="double", halo=2)
    v = b.field("v", on=g, type="int", halo={"x": 1, "y": {"lo": 2, "hi": 1}, "z": 1}, order="zyx")
    w = b.field("w", on=g, type="uint16_t", halo={"x": {"hi": 2}, "y": 1, "z": {"lo": 1}}, order="yxz")
    return b.spec(
        "cube_yz",
        b.exchange("all", w, u, v),
        b.exchange("star", u, v, stencil="star"),
        b.exchange("narrow", v, u, width=1),
    )


def _with_vectors(on, vectors, order=None):
    """Fields for vectors: name, type, halo, and the places of both components; and the vectors, in this order."""
    pairs = {
        name: (on(f"{name}1", type, halo, first), on(f"{name}2", type, halo, second))
        for name, type, halo, first, second, *_ in vectors
    }
    kinds = {name: kind[0] if kind else None for name, _, _, _, _, *kind in vectors}
    for name in order or pairs:
        b.vector(name, *pairs[name], kind=kinds[name])
    return [field for pair in pairs.values() for field in pair]


X, Y = {"x": "both"}, {"y": "both"}


def fold():
    g = b.tiles(
        axes="xy",
        names=["ocean"],
        connect=[("ocean", "+x", "ocean", "-x"), b.table("ocean", "+y", "ocean", "+y", along={"x": "-x"})],
    )

    def on(name, type, halo, at=None):
        return b.field(name, on=g, type=type, halo=halo, at=at)

    p, q = on("p", "double", 2), on("q", "float", 1, "both")
    winds = _with_vectors(on, [("a", "int", 2, None, None), ("c", "double", 1, X, Y), ("d", "float", 2, Y, X)])
    return b.spec(
        "fold",
        b.exchange("scalars", p, q),
        b.exchange("back_scalars", p, q, op="add"),
        b.exchange("winds", *winds),
        b.exchange("back_winds", *winds, op="add"),
        b.exchange("keep_scalars", p, q, op="add", ghosts="keep"),
        b.exchange("keep_winds", *winds, op="add", ghosts="keep"),
        b.exchange("least_scalars", p, q, op="min"),
        b.exchange("most_scalars", p, q, op="max"),
        b.exchange("star", p, *winds[4:], width=1, stencil="star"),
    )


LETTERS = {"c": "center", "l": "low", "h": "high", "b": "both"}


def folded():
    side, along, across, outer, on_center = "+y", "x", "y", "high", False
    g = b.fold(axes="xy", fastest="x", side=side, along=along, pivot={"x": "center", "y": "face"})
    number = 0

    def possible(x, y):
        at = {"x": LETTERS[x], "y": LETTERS[y]}
        return on_center or at[across] != ("low" if outer == "high" else "high")

    def make(start, x, y, halo):
        nonlocal number
        number += 1
        return b.field(
            start + x + y,
            on=g,
            type=("double", "int", "float")[number % 3],
            halo={"x": halo, "y": halo},
            at={"x": LETTERS[x], "y": LETTERS[y]},
        )

    scalars, star, winds = [], [], []
    for x in "hclb":
        for y in "clhb":
            if possible(x, y):
                scalars.append(make("s", x, y, number % 2 + 1))
                if len(scalars) % 3 == 0:
                    star.append(scalars[-1])
            elif len(scalars) % 3 == 0 and scalars:
                star.append(scalars[-1])  # as the Lua has it
    star = list(dict.fromkeys(star))
    for n, (ux, uy, _, vx, vy) in enumerate("cc cc,bb bb,hh hh,ll ll,bc cb,hc ch,lc cl,cb bc".split(","), 1):
        if possible(ux, uy) and possible(vx, vy):
            number = 0
            u = make(f"u{n}", ux, uy, 1)
            number = 0
            v = make(f"v{n}", vx, vy, 1)
            b.vector(f"w{n}", u, v)
            winds += u, v
    return b.spec(
        "folded_ncf",
        b.exchange("scalars", *scalars),
        b.exchange("back_scalars", *scalars, op="add"),
        b.exchange("winds", *winds),
        b.exchange("back_winds", *winds, op="add"),
        b.exchange("star", *star, width={"x": 1, "y": 1}, stencil="star"),
    )


def gnomonic():
    g = b.cubed_sphere(axes="xy")

    def on(name, _, halo, at=None):
        return b.field(name, on=g, type="double", halo=halo, at=at)

    positions = [on(name, None, 3) for name in ("p1", "p2", "p3")]
    winds = _with_vectors(
        on, [("a", None, 2, None, None), ("b", None, 2, "both", "both"), ("c", None, 2, X, Y), ("d", None, 2, Y, X)]
    )
    return b.spec("gnomonic", b.exchange("positions", *positions), b.exchange("winds", *winds))


def hyper():
    g = b.cartesian(axes="xyzt", order="ytzx", periodic=["x", "t"])
    a = b.field("a", on=g, type="float", halo={"x": 1, "y": {"lo": 2}, "z": 1, "t": 1})
    other = b.field("b", on=g, type="int64_t", halo={"x": {"hi": 1}, "y": 1, "t": 2}, order="xyzt")
    return b.spec(
        "hyper_xt",
        b.exchange("all", a, other),
        b.exchange("star", other, a, stencil="star", width={"x": {"hi": 1}, "y": {"lo": 1}, "t": 1}),
    )


def line():
    g = b.cartesian(axes="x", periodic=["x"])
    even = b.field("even", on=g, type="double", halo=2)
    lower = b.field("lower", on=g, type="int8_t", halo={"x": {"lo": 3}})
    upper = b.field("upper", on=g, type="float", halo={"x": {"hi": 1}})
    skew = b.field("skew", on=g, type="short", halo={"x": {"lo": 1, "hi": 4}})
    return b.spec(
        "line_x",
        b.exchange("all", even, lower, upper, skew),
        b.exchange("narrow_star", skew, even, width=1, stencil="star"),
        b.exchange("low", lower),
        b.exchange("half", even, skew, width={"x": {"lo": 1}}),
    )


def oneway():
    g = b.cartesian(axes="xy")
    u = b.field("u", on=g, type="double", halo={"x": {"lo": 2, "hi": 0}, "y": {"lo": 1, "hi": 0}})
    w = b.field("w", on=g, type="float", halo={"x": {"lo": 0, "hi": 1}})
    return b.spec("oneway", b.exchange("below", u), b.exchange("above", w))


def _patch(axes, orders, reversed_axes):
    """How tile `tile` is turned: own axis along each axis of space, and its sense."""

    def turn(tile):
        own, senses = orders(tile), reversed_axes(tile)
        return own, [-1 if senses >> a & 1 else 1 for a in range(len(axes))]

    def join(tile, other, a):
        (own, sign), (there, there_sign) = turn(tile), turn(other)
        along = {
            axes[own[x]]: ("" if sign[x] * there_sign[x] > 0 else "-") + axes[there[x]]
            for x in range(len(axes))
            if x != a
        }
        return b.table(
            f"t{tile}",
            ("+" if sign[a] > 0 else "-") + axes[own[a]],
            f"t{other}",
            ("-" if there_sign[a] > 0 else "+") + axes[there[a]],
            along=along,
        )

    return join


def patch_cube():
    orders = [(0, 1, 2), (1, 0, 2), (0, 2, 1), (1, 2, 0), (2, 0, 1), (2, 1, 0)]
    join = _patch("xyz", lambda tile: orders[(7 * tile + 3) % 48 % 6], lambda tile: (7 * tile + 3) % 48 // 6)
    connect = []
    for tile in range(8):
        connect.append(join(tile, tile ^ 4, 0))
        connect += [join(tile, tile + 2, 1)] if not tile & 2 else []
        connect += [join(tile, tile + 1, 2)] if not tile & 1 else []
    g = b.tiles(axes="xyz", names=[f"t{tile}" for tile in range(8)], connect=connect)
    p, q = b.field("p", on=g, type="double", halo=2), b.field("q", on=g, type="float", halo=1, at="both")
    c = [b.field(f"c{n}", on=g, type="int", halo=1, at={axis: "both"}) for n, axis in enumerate("xyz", 1)]
    s = b.fields("s1", "s2", "s3", on=g, type="float", halo=1)
    b.vector("c", *c)
    b.vector("s", *s, kind="pseudovector")
    every = (p, q, *c, *s)
    return b.spec(
        "patch_cube",
        b.exchange("all", *every),
        b.exchange("back_all", *every, op="add"),
        b.exchange("star", p, width=1, stencil="star"),
    )


def patch_plane():
    join = _patch("xy", lambda tile: [(0, 1), (1, 0)][tile % 2], lambda tile: tile // 2)
    connect = []
    for tile in range(8):
        i, j = divmod(tile, 2)
        connect.append(join(tile, (i + 1) % 4 * 2 + j, 0))
        connect += [join(tile, tile + 1, 1)] if j == 0 else []
    g = b.tiles(
        axes="xy", names=[f"t{tile}" for tile in range(8)], connect=connect, decomposed="xy", blocks="first-fastest"
    )

    def on(name, type, halo, at=None):
        return b.field(name, on=g, type=type, halo=halo, at=at)

    p, short, q = on("p", "double", 2), on("p_short", "int16_t", 1), on("q", "float", 1, "both")
    every = _with_vectors(
        on,
        [
            ("a", "int", 2, None, None),
            ("c", "double", 1, X, Y),
            ("d", "float", 2, Y, X),
            ("s", "double", 1, None, None, "pseudovector"),
            ("h", "uint32_t", 1, None, None, "unsigned"),
        ],
        order="shacd",
    )
    winds, scalars = every[:8], (p, short, q, *every[8:])
    return b.spec(
        "patch_plane",
        b.exchange("scalars", *scalars),
        b.exchange("back_scalars", *scalars, op="add"),
        b.exchange("winds", *winds),
        b.exchange("back_winds", *winds, op="add"),
        b.exchange("keep_scalars", *scalars, op="add", ghosts="keep"),
        b.exchange("least_scalars", *scalars, op="min"),
        b.exchange("most_scalars", *scalars, op="max"),
        b.exchange("star", p, *winds[4:6], width=1, stencil="star"),
    )


def plane():
    g = b.cartesian(axes="xy", fastest="y", periodic=["y"])
    deep = b.field("deep", on=g, type="double", halo=2)
    turned = b.field("turned", on=g, type="float", halo={"x": 1, "y": 2}, order="xy")
    byte = b.field("byte", on=g, type="unsigned char", halo={"x": {"lo": 2, "hi": 1}, "y": {"hi": 2}})
    return b.spec(
        "plane_y",
        b.exchange("all", byte, turned, deep),
        b.exchange("star", deep, turned, stencil="star"),
        b.exchange("narrow", deep, byte, width={"x": 1, "y": {"hi": 1}}),
    )


def seam():
    g = b.fold(axes="xyz", fastest="x", side="+x", along="y", pivot="center")

    def make(kind, type, x, y, z):
        return b.field(
            kind + x + y + z,
            on=g,
            type=type,
            halo={"x": 1, "y": 1},
            at=dict(zip("xyz", (LETTERS[n] for n in (x, y, z)))),
        )

    def shared(x, y, z):
        return "b" in (x, y, z) or x in "bhc"

    every, number = [], 0
    for x in "hclb":
        for y in "clhb":
            number += 1
            z = "b" if number % 3 == 0 else "c"
            if shared(x, y, z):
                every.append(make("s", "float" if number % 2 == 0 else "double", x, y, z))
    for ux, uy, _, vx, vy in ("bb bb", "bc cb", "cb bc", "cc cc"):
        if shared(ux, uy, "c") and shared(vx, vy, "c"):
            pair = make("u", "double", ux, uy, "c"), make("v", "double", vx, vy, "c")
            b.vector("w" + ux + uy, *pair)
            every += pair
    return b.spec("seam_ecc", *_shared(every, ()), b.exchange("halo", *every))


def _shared(every, scalars, **widths):
    """The exchanges that specs of shared points have in common."""
    return (
        b.exchange("greater", *every, only="shared"),
        *(b.exchange(how, *every, only="shared", agree=how) for how in ("owner", "mean", "sum")),
        b.exchange("back_greater", *every, only="shared", op="add"),
        b.exchange("back_owner", *every, only="shared", agree="owner", op="add"),
    )


def _shared_plane(name, g, more):
    def on(name, type, _, at):
        return b.field(name, on=g, type=type, at=at)

    q = on("q", "double", None, BOTH)
    every = [q, *_with_vectors(on, [("c", "float", None, X, Y), ("d", "double", None, Y, X)])]
    return b.spec(name, *more(q, every))


def shared_fold():
    g = b.tiles(
        axes="xy",
        names=["ocean"],
        connect=[("ocean", "+x", "ocean", "-x"), b.table("ocean", "+y", "ocean", "+y", along={"x": "-x"})],
    )
    return _shared_plane(
        "shared_fold",
        g,
        lambda q, every: (
            *_shared(every, q),
            b.exchange("least_owner", q, only="shared", agree="owner", op="min"),
            b.exchange("most_greater", q, only="shared", op="max"),
            b.exchange("keep_owner", *every, only="shared", agree="owner", op="add", ghosts="keep"),
        ),
    )


def shared_star():
    names = "abcdefgh"
    connect = [b.table(name, "-x", names[(n + 1) % 8], "-y", along={"y": "x"}) for n, name in enumerate(names)]
    g = b.tiles(axes="xy", blocks="first-fastest", names=list(names), connect=connect)

    def more(q, every):
        *most, last = _shared(every, q)
        return (*most, b.exchange("most_owner", q, only="shared", agree="owner", op="max"), last)

    return _shared_plane("shared_star", g, more)


def _shared_box(name, **keys):
    g = b.cartesian(axes="xyz", **keys)

    def on(name, type, at, components=None):
        return b.field(name, on=g, type=type, at=at, components=components)

    every = (
        on("n", "double", "both"),
        on("c1", "float", X),
        on("m", "float", BOTH, (2, "outermost")),
        on("k", "complex128", {"z": "both"}, 3),
    )
    return b.spec(name, *_shared((every[0], every[1], every[2], every[3]), ()))


def shared_rings():
    return _shared_box("shared_rings", periodic="xz")


def shared_walls():
    return _shared_box("shared_walls", order="zxy")


def shared_sphere():
    g = b.cubed_sphere(axes="xyz", horizontal="xy", order="xyz")

    def on(name, type, halo, at=None, components=None):
        return b.field(name, on=g, type=type, halo={"x": halo, "y": halo}, at=at, components=components)

    q, p, m = on("q", "double", 0, BOTH), on("p", "double", 1), on("m", "float", 1, BOTH, (2, "outermost"))
    winds = _with_vectors(on, [("c", "float", 2, X, Y), ("d", "double", 0, Y, X)])
    *most, last = _shared((q, m, *winds), ())
    return b.spec(
        "shared_sphere_xyz",
        *most,
        b.exchange("least_owner", q, m, only="shared", agree="owner", op="min"),
        last,
        b.exchange("halo", p, m, *winds[:2], width={"x": 1, "y": 1}),
    )


def slab():
    g = b.cartesian(axes="zmx", fastest="x", periodic="x", decomposed="x", cells={"z": 4, "m": 2, "x": 19})
    q = b.field("q", on=g, type="double", halo={"x": 3})
    flags = b.field("flags", on=g, type="unsigned short", halo={"z": 1, "x": {"lo": 1, "hi": 3}})
    return b.spec("slab", b.exchange("all", q, flags), b.exchange("star", flags, q, stencil="star", width={"x": 1}))


def sphere_zyx():
    g = b.cubed_sphere(axes="xyz", horizontal="xy", order="zyx", blocks="first-fastest")

    def on(name, type, halo, at=None):
        return b.field(name, on=g, type=type, halo={"x": halo, "y": halo}, at=at)

    scalars = on("p", "double", 3), on("w", "int16_t", 1, {"z": "both"}), on("q", "float", 2, BOTH)
    winds = _with_vectors(
        on,
        [
            ("a", "int", 2, None, None),
            ("b", "float", 1, BOTH, BOTH),
            ("c", "double", 1, X, Y),
            ("d", "double", 3, Y, X),
        ],
    )
    return b.spec(
        "sphere_zyx",
        b.exchange("scalars", *scalars),
        b.exchange("back_scalars", *scalars, op="add"),
        b.exchange("least_scalars", *scalars, op="min"),
        b.exchange("winds", *winds),
        b.exchange("back_winds", *winds, op="add"),
        b.exchange("thin_star", scalars[0], *winds[6:], width={"x": 1, "y": 1}, stencil="star"),
    )


def _bent(name, g):
    def on(name, type, halo, at=None):
        return b.field(name, on=g, type=type, halo=halo, at=at)

    p, q = on("p", "double", 2), on("q", "float", 1, "both")
    winds = _with_vectors(on, [("a", "int", 2, None, None), ("c", "double", 1, X, Y), ("d", "float", 2, Y, X)])
    return b.spec(
        name,
        b.exchange("scalars", p, q),
        b.exchange("winds", *winds),
        b.exchange("back_winds", *winds, op="add"),
        b.exchange("star", p, *winds[4:], width=1, stencil="star"),
    )


def twist():
    return _bent(
        "twist", b.tiles(axes="xy", names=["strip"], connect=[b.table("strip", "+x", "strip", "-x", along={"y": "-y"})])
    )


def wing():
    return _bent(
        "wing",
        b.tiles(
            axes="xy",
            names=["below", "wing", "above"],
            connect=[
                ("below", "+x", "wing", "-x"),
                ("wing", "+x", "above", "-x"),
                b.table("below", "-y", "above", "-y", along={"x": "-x"}),
            ],
        ),
    )


def types():
    g = b.cartesian(axes="xy", periodic="x")
    named = [
        "char",
        "signed char",
        "unsigned char",
        "short",
        "unsigned short",
        "int",
        "unsigned int",
        "long",
        "unsigned long",
        "long long",
        "unsigned long long",
        "int8_t",
        "uint8_t",
        "int16_t",
        "uint16_t",
        "int32_t",
        "uint32_t",
        "int64_t",
        "uint64_t",
        "intptr_t",
        "uintptr_t",
        "intmax_t",
        "uintmax_t",
        "size_t",
        "ptrdiff_t",
        "float",
        "double",
        "long double",
    ]
    every = [
        b.field(
            f"type_{i}",
            on=g,
            type=type,
            halo={"x": {"lo": i % 3, "hi": 1 + i % 2}, "y": {"lo": 1, "hi": i % 2}},
            order="xy" if i % 2 == 0 else "yx",
        )
        for i, type in enumerate(named, 1)
    ]
    return b.spec("types", b.exchange("all", *every), b.exchange("some_star", *every[4::6], stencil="star", width=1))


def levels():
    g = b.cartesian(axes="xyz", fastest="x", periodic="xy", decomposed="xy")
    every = b.fields("t", "s", "c", on=g, type="double", halo={"x": 2, "y": 2})
    smoothed = b.exchange("smoothed", *every, stencil="box", width={"x": 1, "y": 1})
    return b.spec("levels", b.exchange("advected", *every, stencil="star"), smoothed)


def weather():
    g = b.cartesian(axes="xyz", order="xzy", periodic="xy", decomposed="xy")
    padded = b.field("b", on=g, type="float", halo={"x": 1, "y": 1}, padding={"z": 1})
    w = b.field("w", on=g, type="float", halo={"x": 1, "y": 1}, at={"z": "both"})
    return b.spec("weather", b.exchange("state", padded, w, stencil="box"))


# The path of each spec in Lua, from the root of the project, and the same in Python.
TRANSLATED = {
    **{f"specs/{one.__name__}/{one.__name__}.lua": one for one in (flow, lakes, lbm, ocean, sphere, tripolar)},
    "specs/lbm/lbm_all.lua": lbm_all,
    "specs/fortran/levels/levels.lua": levels,
    "specs/fortran/memory_order/weather.lua": weather,
    **{
        f"tests/exchange/specs/{one.__name__}.lua": one
        for one in (
            behind,
            carried,
            fold,
            gnomonic,
            oneway,
            patch_cube,
            patch_plane,
            shared_fold,
            shared_rings,
            shared_star,
            shared_walls,
            slab,
            twist,
            types,
            wing,
        )
    },
    **{
        f"tests/exchange/specs/{one.__name__}.lua.in": one
        for one in (corners_sphere, cube, folded, hyper, line, plane, seam, shared_sphere)
    },
    "tests/exchange/specs/sphere.lua.in": sphere_zyx,
}
