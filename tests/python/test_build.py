"""Specs written in Python: each means what the same spec in Lua means, and is refused where that is, by the Python line."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from halogen import build as b
from translated import FILLED, TRANSLATED

ROOT = Path(__file__).resolve().parents[2]
HALOGEN = os.environ.get("HALOGEN", "halogen")


def halogen(*arguments):
    return subprocess.run([HALOGEN, *map(str, arguments)], capture_output=True, text=True, timeout=60)


def dump(path, *more):
    """The model without the numbers of lines, which differ."""
    ran = halogen("--dump", "model", path, *more)
    assert ran.returncode == 0, ran.stderr
    return re.sub(r"  \(line \d+\)", "", ran.stdout)


def emitted(path, directory):
    ran = halogen(path, "-o", directory)
    assert ran.returncode == 0, ran.stderr
    return {file.name: re.sub(r"(line |\.line = )\d+", r"\1N", file.read_text()) for file in Path(directory).iterdir()}


def in_lua(path, directory):
    """The file of a spec, or what its template becomes."""
    if path.suffix != ".in":
        return path
    kind = path.name.partition(".")[0]
    text = re.sub(r"@(\w+)@", lambda found: FILLED[kind].get(found[1], ""), path.read_text())
    written = directory / f"{re.search(r'spec .([a-z_]+).', text)[1]}.lua"
    written.write_text(text)
    return written


@pytest.mark.parametrize("path", sorted(TRANSLATED))
def test_model_is_that_of_lua(path, tmp_path):
    written = TRANSLATED[path]().write(tmp_path)
    (tmp_path / "lua").mkdir()
    assert dump(written) == dump(in_lua(ROOT / path, tmp_path / "lua"))


@pytest.mark.parametrize(
    "path", ["specs/ocean/ocean.lua", "specs/sphere/sphere.lua", "specs/flow/flow.lua", "specs/lakes/lakes.lua"]
)
def test_emitted_files_are_those_of_lua(path, tmp_path):
    written = TRANSLATED[path]().write(tmp_path)
    assert emitted(written, tmp_path / "python") == emitted(ROOT / path, tmp_path / "lua")


def simple(**keys):
    g = b.cartesian(axes="xy", periodic="x")
    return b.spec("simple", b.exchange("all", b.field("u", on=g, **{"type": "double", "halo": 1, **keys})))


def rejected(made, directory):
    ran = halogen("--diag", "json", "--dump", "model", made.write(directory))
    assert ran.returncode == 1, (ran.returncode, ran.stdout)
    return made.located([json.loads(line) for line in ran.stderr.splitlines()])


# ---- every key of the language --------------------------------------------------------------------------------------

# Heading of docs/spec-language.md: the function whose keys the table below it lists.
TABLES = {
    "`cartesian` makes": "cartesian",
    "`tiles` joins": "tiles",
    "`cubed_sphere` makes": "cubed_sphere",
    "`fold` joins": "fold",
    "`index_list` makes": "index_list",
    "`field` makes": "field",
    "`vector` says": "vector",
    "`struct` makes": "struct",
    "`exchange` names": "exchange",
    "`cycle` says": "cycle",
    "`step` is": "step",
    "`spec` ends": "spec",
    "`param` is": "param",
}


def keys_of(verb):
    code = getattr(b, verb).__code__
    return set(code.co_varnames[: code.co_argcount + code.co_kwonlyargcount])


@pytest.mark.parametrize("heading,verb", TABLES.items())
def test_verb_has_every_key_of_the_document(heading, verb):
    text = (ROOT / "docs/spec-language.md").read_text()
    section = text.partition(f"### {heading}")[2].partition("\n#")[0]
    keys = {key for row in re.findall(r"^\| ((?:`\w+`,? ?)+) \|", section, re.M) for key in re.findall(r"`(\w+)`", row)}
    assert keys and keys <= keys_of(verb), keys - keys_of(verb)
    if verb == "field":
        assert keys <= keys_of("fields")


def test_keys_that_no_spec_above_has(tmp_path):
    g = b.cartesian(axes="xy", periodic="x")
    a = b.field("a", on=g, type="double", halo=1, components=b.table(3, after="x"), padding={"x": 2})
    c = b.field("c", on=g, type="float", halo=1)
    radius = b.param("radius", default=1, min=0, max=1, text="layers")
    word = b.param("word", default="box", values=["box", "star"], type="string")
    t = b.struct(name="particle_cell", header="particles.h", size=24, align=8)
    d = b.field("d", on=g, type=t, halo=radius)
    every = b.exchange("all", a, c, boundary={"y": {"lo": "zero", "hi": "copy"}})
    slope = b.step("slope", reads={"c": {"x": 1}}, writes=["a"], stencil="star")
    made = b.spec(
        "keys",
        every,
        b.cycle("advance", slope, exchange=every),
        b.exchange("some", d, c, stencil=[(-1, 0), (0, 1)]),
        b.exchange("chosen", b.table(c, width=radius, wire="half", error=1e-3), stencil=word),
        version=1,
    )
    lua = tmp_path / "lua.lua"
    lua.write_text(
        """
        local g = cartesian { axes = "xy", periodic = "x" }
        local a = field "a" { on = g, type = "double", halo = 1, components = { 3, after = "x" }, padding = { x = 2 } }
        local c = field "c" { on = g, type = "float", halo = 1 }
        local radius = param "radius" { default = 1, min = 0, max = 1, text = "layers" }
        local word = param "word" { default = "box", values = { "box", "star" }, type = "string" }
        local t = struct { name = "particle_cell", header = "particles.h", size = 24, align = 8 }
        local d = field "d" { on = g, type = t, halo = radius }
        local every = exchange "all" { a, c, boundary = { y = { lo = "zero", hi = "copy" } } }
        local slope = step "slope" { reads = { c = { x = 1 } }, writes = { "a" }, stencil = "star" }
        return spec "keys" {
          every,
          cycle "advance" { slope, exchange = every },
          exchange "some" { d, c, stencil = { { -1, 0 }, { 0, 1 } } },
          exchange "chosen" { { c, width = radius, wire = "half", error = 0.001 }, stencil = word }, version = 1,
        }"""
    )
    written = made.write(tmp_path)
    for given in ([], ["-D", "word=star"], ["-D", "radius=0", "-D", "word=star"]):
        python = halogen("--dump", "model", written, *given)
        assert python.returncode == (1 if "radius=0" in given else 0), python.stderr
        if python.returncode == 0:
            assert dump(written, *given) == dump(lua, *given)
        else:
            assert python.stderr.count("error:") == halogen("--dump", "model", lua, *given).stderr.count("error:")


# ---- types ----------------------------------------------------------------------------------------------------------


def test_types_of_numpy(tmp_path):
    np = pytest.importorskip("numpy")
    for dtype, word in (
        ("f2", "half"),
        ("f4", "float"),
        (np.float64, "double"),
        (np.longdouble, "long double"),
        ("i1", "int8_t"),
        ("u8", "uint64_t"),
        (np.dtype("i4"), "int32_t"),
        ("?", "bool"),
        ("c8", "complex64"),
        ("c16", "complex128"),
        (np.longlong, "int64_t"),
        (float, "double"),
        (int, "int64_t"),
        (complex, "complex128"),
        (bool, "bool"),
    ):
        dtype = np.dtype(dtype) if isinstance(dtype, str) else dtype
        assert f'type = "{word}"' in simple(type=dtype).text
    with pytest.raises(ValueError, match="other byte order"):
        simple(type=np.dtype(">f8"))
    with pytest.raises(ValueError, match=r"use struct\(dtype=\.\.\.\)"):
        simple(type=np.dtype([("a", "f8")]))
    with pytest.raises(ValueError, match="no type <U4"):
        simple(type=np.dtype("U4"))
    assert dump(simple(type=np.float32).write(tmp_path)) == dump(simple(type="float").write(tmp_path))


def test_a_struct_of_numpy_brings_its_header(tmp_path):
    np = pytest.importorskip("numpy")
    pair = np.dtype([("mass", "f8"), ("kind", "i4")], align=True)
    made = simple(type=b.struct(name="particle", dtype=pair))
    made.write(tmp_path)
    assert "size = 16, align = 8" in made.text
    (tmp_path / "try.c").write_text(
        '#include "particle.h"\n_Static_assert(sizeof(particle) == 16 && _Alignof(particle) == 8, "");\n'
    )
    subprocess.run(
        ["cc", "-std=c11", "-Wall", "-Werror", "-fsyntax-only", "-I", str(tmp_path), str(tmp_path / "try.c")],
        check=True,
    )
    assert b.struct(name="particle", header="mine.h", dtype=pair)._statement.headers == {}


def test_numpy_is_not_imported():
    code = (
        "import sys; sys.modules['numpy'] = None; import importlib.util as u; m = u.spec_from_file_location('build', sys.argv[1]); "
        "b = u.module_from_spec(m); m.loader.exec_module(b); b.field('u', on=b.cartesian(axes='x'), type='double')"
    )
    subprocess.run([sys.executable, "-c", code, b.__file__], check=True)


def test_numbers_of_numpy():
    np = pytest.importorskip("numpy")
    assert "halo = 2 " in simple(halo=np.int64(2)).text
    assert "halo = 2.0 " in simple(halo=np.float64(2)).text
    assert "halo = true " in simple(halo=np.bool_(True)).text


# ---- text that is no text -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text", ['"', "\\", "\n", "\r", "\0", "]]", "--", '" } } error "in"', '\\"', "ü", "\x7f", "\t1"]
)
def test_any_text_arrives_as_it_is(text, tmp_path):
    """halogen quotes a type that it does not know."""
    said = rejected(simple(type=text), tmp_path)
    assert [d["code"] for d in said] == ["HG1401"]
    if text.isprintable() and '"' not in text and "\\" not in text:
        assert text in said[0]["message"]


def test_text_is_never_code(tmp_path):
    for injected in ('u" { } error("in")', "x } } while true do end", 'u"}) os.exit(0) --'):
        said = rejected(simple(order=injected), tmp_path)
        assert not any(d["code"] in ("HG1001", "HG1002") for d in said), said
        g = b.cartesian(axes="xy", cells={injected: 3})
        said = rejected(
            b.spec("x" + injected, b.exchange(injected, b.field(injected, on=g, type="double", halo=1))), tmp_path
        )
        assert {d["code"][:3] for d in said} == {"HG1"} and not any(
            d["code"] in ("HG1001", "HG1002") for d in said
        ), said


@pytest.mark.parametrize(
    "word",
    "and break do else elseif end false for function goto if in local nil not or repeat return then true "
    "until while".split() + ["cartesian", "field", "spec", "halogen_entry", "made"],
)
def test_a_name_that_is_a_word_of_lua(word, tmp_path):
    """C refuses some of these names; Lua does not mind any."""
    g = b.cartesian(axes=["x", word] if word not in ("x",) else "x", periodic=[word])
    u = b.field(word, on=g, type="double", halo={word: 1})
    ran = halogen("--diag", "json", "--dump", "model", b.spec("words", b.exchange("all", u)).write(tmp_path))
    codes = {json.loads(line)["code"] for line in ran.stderr.splitlines()}
    assert not codes & {"HG1001", "HG1002", "HG1003"}, ran.stderr
    assert ran.returncode in (0, 1)


def test_more_fields_than_lua_has_local_variables(tmp_path):
    g = b.cartesian(axes="x", periodic="x")
    made = b.spec("many", b.exchange("all", *(b.field(f"u{n}", on=g, type="double", halo=1) for n in range(300))))
    assert dump(made.write(tmp_path)).count("field u") >= 300


def test_equal_names_have_variables_of_their_own(tmp_path):
    said = rejected(
        b.spec(
            "twice", *(b.exchange("all", b.field("u", on=b.cartesian(axes="x"), type="double", halo=1)) for _ in "ab")
        ),
        tmp_path,
    )
    assert any("two fields" in d["message"] or "already" in d["message"] or "grid" in d["message"] for d in said), said


@pytest.mark.parametrize(
    "wrong,error",
    [
        (lambda: simple(halo=float("nan")), "no number that a spec can have"),
        (lambda: simple(halo=2**63), "more than 64 bits"),
        (lambda: simple(halo={1: 2}), "the key 1 is int"),
        (lambda: simple(halo=object()), "text, numbers, booleans, tables"),
        (lambda: simple(order=[None]), "no place for nothing"),
        (lambda: simple(order="\ud800"), "surrogate"),
        (lambda: b.field(7, on=None, type="double"), "needs a name first"),
        (lambda: b.fields(on=None, type="double"), "at least one name"),
        (lambda: b.exchange("all", b.fields("u", on=b.cartesian(axes="x"), type="double")), "write a star before"),
        (lambda: b.exchange("all", "u"), "takes what field or fields returned, not 'u'"),
        (lambda: b.exchange("all", b.table("u", width=1)), "takes what field or fields returned, not 'u'"),
        (lambda: b.spec("all", "u"), "takes what exchange or cycle returned, not 'u'"),
        (lambda: b.vector("w", 3), "takes what field or fields returned, not 3"),
        (lambda: b.step("a", writes=[b.cartesian(axes="x")]), "writes fields, or their names, not <grid>"),
        (lambda: list(b.cartesian(axes="x")), "cannot be unpacked"),
    ],
)
def test_what_no_spec_can_hold_is_refused_in_words(wrong, error):
    with pytest.raises((TypeError, ValueError), match=error):
        wrong()


# ---- places ---------------------------------------------------------------------------------------------------------


def line_before():
    return sys._getframe(1).f_lineno - 1


def test_a_diagnostic_names_the_python_line(tmp_path):
    g = b.cartesian(axes="xyz", fastest="q")
    grid = line_before()
    u = b.field("u", on=g, type="duble")
    field = line_before()
    made = b.spec("places", b.exchange("all", u))
    said = {d["code"]: d for d in rejected(made, tmp_path)}
    assert (said["HG1301"]["file"], said["HG1301"]["line"]) == (__file__, grid)
    assert (said["HG1401"]["file"], said["HG1401"]["line"]) == (__file__, field)
    assert "fix" not in said["HG1401"] and "column" not in said["HG1401"]
    assert "did you mean" in said["HG1401"]["help"]


def test_places_that_a_diagnostic_also_names(tmp_path):
    g = b.cartesian(axes="x")
    u = b.field("u", on=g, type="double", halo=1)
    first = line_before()
    v = b.field("u", on=g, type="double", halo=1)
    second = line_before()
    said = rejected(b.spec("places", b.exchange("all", u, v)), tmp_path)
    assert f'"line": {second}' in json.dumps(said) and f'"line": {first}' in json.dumps(said), said


def test_the_package_has_the_verbs_too():
    import halogen as package

    verbs = [name for name in b.__all__ if name.islower()]
    assert len(verbs) == 15 and all(getattr(package, name) is getattr(b, name) for name in verbs)


def test_what_is_about_no_line_is_about_the_whole(tmp_path):
    g = b.cartesian(axes="x", periodic="x")
    made = b.spec("places", b.exchange("all", b.field("u", on=g, type="double", halo=b.param("radius", default=1))))
    whole = line_before()
    ran = halogen("--diag", "json", "--dump", "model", made.write(tmp_path), "-D", "rad=2")
    (said,) = made.located([json.loads(line) for line in ran.stderr.splitlines()])
    assert (said["code"], said["file"], said["line"]) == ("HG1013", __file__, whole)


def test_what_is_changed_later_changes_nothing():
    halo = {"x": 1}
    g = b.cartesian(axes="x")
    u = b.field("u", on=g, type="double", halo=halo)
    halo["x"] = 9
    assert "halo = { x = 1 }" in b.spec("kept", b.exchange("all", u)).text


def test_a_grid_serves_several_specs(tmp_path):
    """A spec has what its exchanges name, and no more."""
    g = b.cartesian(axes="x", periodic="x")
    u, v = (b.field(name, on=g, type="double", halo=1) for name in "uv")
    one, two = b.spec("one", b.exchange("all", u)), b.spec("two", b.exchange("all", v))
    assert '"v"' not in one.text and '"u"' not in two.text
    assert repr(u) == "<field u>" and repr(g) == "<grid>" and repr(one) == "<spec one, 4 lines>"


def test_a_step_brings_a_field_that_no_exchange_names(tmp_path):
    g = b.cartesian(axes="x", periodic="x")
    u, v = (b.field(name, on=g, type="double", halo=2) for name in "uv")
    every = b.exchange("every", u)
    there = b.step("there", reads={"u": 1}, writes=[v])
    back = b.step("back", reads={"v": 0}, writes=["u"])
    written = b.spec("turns", every, b.cycle("advance", there, back, exchange=every)).write(tmp_path)
    lua = tmp_path / "lua.lua"
    lua.write_text("""
        local grid = cartesian { axes = "x", periodic = "x" }
        local u, v = fields { "u", "v", on = grid, type = "double", halo = 2 }
        local every = exchange "every" { u }
        return spec "turns" {
          every,
          cycle "advance" {
            exchange = every,
            step "there" { reads = { u = 1 }, writes = { "v" } },
            step "back" { reads = { v = 0 }, writes = { "u" } },
          },
        }
    """)
    assert dump(written) == dump(lua)
    assert halogen("check", written).stderr == ""
