"""Reads packaging/spack with a stand-in for spack.package, and runs its smoke test: spack_recipe.py ROOT PREFIX MPI

Writes what the recipe tells Meson by default to the file meson_arguments.
"""

import contextlib
import importlib.util
import itertools
import json
import os
import re
import shutil
import subprocess
import sys
import types

ROOT, PREFIX, MPI = sys.argv[1:]
RECIPE = os.path.join(ROOT, "packaging", "spack", "packages", "halogen", "package.py")

declared = []  # (directive, arguments, keywords, conditions around it)
conditions = []


class Package:
    pass


def directive(name):
    def declare(*arguments, **keywords):
        declared.append((name, arguments, keywords, tuple(conditions)))

    return declare


@contextlib.contextmanager
def when(condition):
    conditions.append(condition)
    yield
    conditions.pop()


class Path(str):
    """Prefixes of Spack: a member is what lies in the directory."""

    def __getattr__(self, name):
        return Path(os.path.join(self, name))


class Executable:
    def __init__(self, path):
        self.path = path

    def __call__(self, *arguments, output=None, error=None):
        done = subprocess.run([self.path, *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        print(" ".join([self.path, *arguments]), done.stdout, sep="\n")
        assert done.returncode == 0, f"{self.path} ends with {done.returncode}"
        return done.stdout if output else None


def which(path, required=False):
    found = shutil.which(path)
    assert found, f"{path} is not there"
    return Executable(found)


def check_outputs(expected, actual):
    assert re.search(expected, actual), f"expected {expected} in: {actual}"


class SkipTest(Exception):
    pass


class Spec:
    """Of this package, as far as the recipe asks."""

    def __init__(self, mpi, true):
        mpicc, mpifc = (shutil.which(f"{wrapper}.{mpi}") or wrapper for wrapper in ("mpicc", "mpifort"))
        launcher = os.path.realpath(shutil.which(f"mpirun.{mpi}") or shutil.which("mpirun") or "mpirun")
        place = os.path.join(os.getcwd(), "mpi", "bin")
        os.makedirs(place, exist_ok=True)
        if not os.path.lexists(os.path.join(place, "mpirun")):
            os.symlink(launcher, os.path.join(place, "mpirun"))
        self.true = true
        self.python = types.SimpleNamespace(command=Executable(sys.executable))
        self.mpi = types.SimpleNamespace(name=mpi, mpicc=mpicc, mpifc=mpifc, prefix=Path(os.path.dirname(place)))

    def __getitem__(self, name):
        return {"mpi": self.mpi, "python": self.python}[name]

    def satisfies(self, wanted):
        assert wanted.startswith("+") or wanted == "platform=linux", wanted
        return wanted in self.true


def load():
    stand_in = types.ModuleType("spack.package")
    for name in ("version", "variant", "depends_on", "extends", "requires", "license"):
        setattr(stand_in, name, directive(name))
    stand_in.__dict__.update(MesonPackage=Package, when=when, which=which, check_outputs=check_outputs, join_path=os.path.join)
    stand_in.SkipTest = SkipTest
    sys.modules["spack"] = types.ModuleType("spack")
    sys.modules["spack.package"] = stand_in
    description = importlib.util.spec_from_file_location("package", RECIPE)
    module = importlib.util.module_from_spec(description)
    description.loader.exec_module(module)
    return module.Halogen


def text_of(*path):
    with open(os.path.join(ROOT, *path), encoding="utf-8") as file:
        return file.read()


def options_of_meson():
    """Options by name, with the values that they may have, or none if any."""
    printed = subprocess.run(
        ["meson", "introspect", "--buildoptions", os.path.join(ROOT, "meson.build")], capture_output=True, text=True, check=True
    ).stdout
    feature = ["enabled", "disabled", "auto"]
    found = {}
    for option in json.loads(printed):
        values = {"boolean": ["true", "false"], "feature": feature}.get(option["type"])
        found[option["name"]] = option.get("choices") or values
    return found


def check_arguments(recipe, options):
    """In every combination of variants, each argument is an option of Meson with a value that it has."""
    switches = [f"+{arguments[0]}" for name, arguments, keywords, _ in declared
                if name == "variant" and isinstance(keywords["default"], bool)]  # fmt: skip
    for mpi in ("openmpi", "mpich"):
        for chosen in itertools.product((False, True), repeat=len(switches)):
            recipe.spec = Spec(mpi, {"platform=linux", *itertools.compress(switches, chosen)})
            for argument in recipe.meson_args():
                option, value = re.fullmatch(r"-D(\w+)=(\S+)", argument).groups()
                assert option in options, f"Meson has no option {option}"
                assert not options[option] or value in options[option], f"{argument}: Meson has {options[option]}"
            assert f"-Dmpi={mpi}" in recipe.meson_args()
    given = " ".join(recipe.meson_args())
    for feature in re.findall(r"option\('(\w+)', type: 'feature'", text_of("meson_options.txt")):
        assert f"-D{feature}=" in given, f"whether there is {feature} depends on what Meson finds"
    used = " ".join(str(entry) for entry in declared)
    for switch in switches:
        assert switch in used or f"-D{switch[1:]}=" in given, f"variant {switch} changes nothing"


def check_dependencies():
    """The versions that meson.build asks for."""
    needed = {arguments[0] for name, arguments, _, _ in declared if name == "depends_on"}
    meson = re.search(r"meson_version: '>=([\d.]+?)(\.0)?'", text_of("meson.build")).group(1)
    lua = re.search(r"'>=([\d.]+)', '<", text_of("gen", "meson.build")).group(1)
    seccomp = re.search(r"'libseccomp', version: '>=([\d.]+)'", text_of("gen", "meson.build")).group(1)
    for dependency in (f"meson@{meson}:", f"lua@{lua}", f"libseccomp@{seccomp}:", "mpi@3.1:"):
        assert dependency in needed, f"the recipe does not ask for {dependency}"


def run_smoke_tests(recipe):
    """With all variants that this machine can try; without them, those are skipped."""
    can = {"platform=linux"}
    can.update(["+fortran"] if shutil.which("gfortran") else [])
    try:
        import halogen  # noqa: F401

        can.add("+python")
    except ImportError:
        print("not tried: the package for Python, which needs NumPy")
    for true in ({"platform=linux"}, can):
        recipe.spec = Spec(MPI, true)
        passed = skipped = 0
        for name in (name for name in vars(type(recipe)) if name.startswith("test_")):
            assert getattr(recipe, name).__doc__, f"{name} does not say what it tests"
            try:
                getattr(recipe, name)()
                passed += 1
            except SkipTest:
                skipped += 1
        assert passed == len(true), f"{passed} smoke tests passed and {skipped} were skipped with {sorted(true)}"
    print(f"{passed} smoke tests passed, {skipped} skipped; {len(declared)} directives read")


def main():
    Halogen = load()
    recipe = Halogen()
    assert Halogen.git == f"file://{ROOT}", f"the recipe takes sources from {Halogen.git}"
    assert text_of("packaging", "spack", "repo.yaml").startswith("repo:\n  namespace: halogen\n")
    check_arguments(recipe, options_of_meson())
    check_dependencies()

    recipe.prefix = Path(PREFIX)
    libraries = next(directory for directory, _, files in os.walk(PREFIX) if "libhx.so" in files)
    recipe.prefix.__dict__["lib"] = libraries  # Spack asks for the folder lib, whatever the system has
    recipe.test_suite = types.SimpleNamespace(current_test_data_dir=os.path.join(os.path.dirname(RECIPE), "test"))
    run_smoke_tests(recipe)
    recipe.spec = Spec(MPI, {"platform=linux"})
    with open("meson_arguments", "w", encoding="utf-8") as file:
        file.write("\n".join(recipe.meson_args()) + "\n")


main()
