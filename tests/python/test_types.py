"""What type checkers see: the package agrees with itself, and programs with it, by the classes that halogen emits."""

import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
PACKAGE = HERE.parents[1] / "python" / "halogen"

PROGRAM = """
import basin
spec: basin.Spec = basin.Spec("libbasin.so")
halo = spec.create(None, (1, 2, 3))
f = halo.alloc()
reveal_type(f.u)
reveal_type(halo.velocity(f))
with halo.velocity.start(f.u, f.v, f.w) as pending:
    reveal_type(pending)
halo.velocity(f.u)
halo.speed(f)
f.q
import march
moving: march.Spec = march.Spec("libmarch.so")
steps = moving.create(None, (14, 23))
reveal_type(steps.advance(steps.alloc()))
reveal_type(steps.advance.points("slope", "q").of("h", x=-1))
steps.advance(steps.alloc().h)
"""
SEEN = {
    6: 'Revealed type is "numpy.ndarray[',
    7: 'Revealed type is "halogen.exchange.Done"',
    9: 'Revealed type is "halogen.exchange.Pending"',
    10: 'No overload variant of "__call__" of "Exchange_velocity" matches',
    11: '"Halo" has no attribute "speed"',
    12: '"Arrays" has no attribute "q"',
    16: 'Revealed type is "halogen.exchange.Done"',
    17: 'Revealed type is "builtins.tuple[builtins.slice',
    18: 'No overload variant of "__call__" of "Cycle_advance" matches',
}


def checked(directory, *words):
    environment = dict(os.environ, MYPYPATH=str(PACKAGE.parent))
    environment.pop("PYTHONPATH", None)  # packages found there would be nobody's to mend
    command = [sys.executable, "-m", "mypy", "--cache-dir", str(directory / "cache"), *map(str, words)]
    return subprocess.run(command, cwd=directory, env=environment, capture_output=True, text=True).stdout


def test_package(tmp_path):
    """As strictly as goes: functions of C give Any, and NumPy's arrays need no parameters."""
    said = checked(tmp_path, "--strict", "--allow-any-generics", "--no-warn-return-any", PACKAGE)
    assert said.startswith("Success: no issues found in "), said


def test_types(tmp_path):
    subprocess.run([os.environ["HALOGEN"], HERE / "basin.lua", "-o", tmp_path, "--emit", "python"], check=True)
    march = HERE.parent / "exchange" / "specs" / "march.lua"
    subprocess.run([os.environ["HALOGEN"], march, "-o", tmp_path, "--emit", "python"], check=True)
    (tmp_path / "program.py").write_text(PROGRAM)
    said = checked(tmp_path, "program.py", "basin.py", "march.py")
    lines = {}
    for line in said.splitlines():
        file, _, rest = line.partition(":")
        if file == "program.py" and "note: " not in rest.replace("note: Revealed", "Revealed"):
            lines[int(rest.partition(":")[0])] = rest
    assert set(lines) == set(SEEN), said
    for number, start in SEEN.items():
        assert start in lines[number], said
    assert "basin.py:" not in said and "march.py:" not in said and "/halogen/" not in said, said
