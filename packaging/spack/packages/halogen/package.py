"""Spack's recipe for halogen, in a repository that lies among its sources:

    spack repo add packaging/spack
    spack install --test=root halogen
    spack test run halogen
"""

import pathlib

from spack.package import *


class Halogen(MesonPackage):
    """Generates the halo exchanges of MPI programs from a short spec, in C, Fortran, C++ and Python, with their runtime."""

    # There has been no release: the sources are the checkout that this file lies in.
    git = pathlib.Path(__file__).resolve().parents[4].as_uri()

    license("BSD-3-Clause")

    version("main", branch="main")

    variant("cuda", default=False, description="Exchange fields in the memory of GPUs")
    variant("fortran", default=True, description="For programs in Fortran, whose compiler Spack then has")
    variant("python", default=False, description="Install the Python package")
    variant("buildtype", default="release", values=("debug", "debugoptimized", "release"), description="Meson build type")

    depends_on("c", type="build")
    depends_on("fortran", type="build", when="+fortran")
    depends_on("meson@1.0:", type="build")
    depends_on("pkgconfig", type=("build", "run"))
    depends_on("lua@5.4")
    depends_on("libseccomp@2.5:", when="platform=linux")
    depends_on("mpi@3.1:")
    depends_on("cuda@11.8:", when="+cuda")

    with when("+python"):
        extends("python")
        depends_on("python@3.9:", type=("build", "run"))
        depends_on("py-numpy", type=("build", "run"))
        depends_on("py-mpi4py", type=("build", "run"))

    # meson.build asks pkg-config for one of these two.
    requires("^[virtuals=mpi] openmpi", "^[virtuals=mpi] mpich", policy="one_of", msg="halogen is tested with Open MPI and MPICH")

    def meson_args(self):
        mpi = "openmpi" if self.spec["mpi"].name == "openmpi" else "mpich"
        return [
            f"-Dmpi={mpi}",
            "-Dcuda=" + self._feature("+cuda"),
            "-Dpython=" + self._feature("+python"),
            "-Dseccomp=" + self._feature("platform=linux"),
            "-Db_ndebug=if-release",
            "-Dwerror=false",
            "-Dtests=false",
        ]

    def _feature(self, wanted):
        return "enabled" if self.spec.satisfies(wanted) else "disabled"

    def test_check_program(self):
        """every exchange of a spec is right on two ranks, by every transport"""
        self._generate("c,check")
        self._compile(self.spec["mpi"].mpicc, "-std=c11", "basin.c", "basin_check.c", "-o", "basin_check")
        check_outputs(r"[1-9][0-9]* passed, 0 failed", self._run("./basin_check"))

    def test_fortran_module(self):
        """a program in Fortran fills its ghost points on two ranks"""
        if not self.spec.satisfies("+fortran"):
            raise SkipTest("there is no Fortran compiler without the variant fortran")
        self._generate("c,fortran")
        sources = join_path(self.prefix, "share", "halogen", "fortran")
        with open(join_path(sources, "sources.txt")) as listed:
            shared = [join_path(sources, source) for source in listed.read().split()]
        modules = [source for source in shared if source.endswith(".f90")]
        in_c = [source for source in shared if source.endswith(".c")] + ["basin.c", "basin_fortran.c"]
        self._compile(self.spec["mpi"].mpicc, "-std=c11", "-c", *in_c)
        objects = [pathlib.PurePath(source).stem + ".o" for source in in_c]
        program = join_path(self.test_suite.current_test_data_dir, "level.f90")
        self._compile(
            self.spec["mpi"].mpifc, *modules, "basin_module.f90", program, *objects, "-o", "level",
        )  # fmt: skip
        check_outputs(r"^0 points wrong", self._run("./level"))

    def test_python_package(self):
        """the package can be imported and finds libhx"""
        if not self.spec.satisfies("+python"):
            raise SkipTest("the Python package is not installed without the variant python")
        script = "import halogen.place; print(halogen.place.command(), halogen.place.libhx().libs)"
        printed = self.spec["python"].command("-c", script, output=str.split, error=str.split)
        check_outputs(r"bin/halogen .*-lhx", printed)

    def _generate(self, what):
        spec = join_path(self.test_suite.current_test_data_dir, "basin.lua")
        which(self.prefix.bin.halogen, required=True)(spec, "-o", ".", "--emit", what)

    def _compile(self, compiler, *words):
        library = self.prefix.lib
        where = [f"-I{self.prefix.include}", f"-L{library}", f"-Wl,-rpath,{library}"]
        which(compiler, required=True)("-O2", *words, *where, "-lhx_check", "-lhx")

    def _run(self, program):
        launch = which(join_path(self.spec["mpi"].prefix.bin, "mpirun"), required=True)
        return launch("-n", "2", program, output=str.split, error=str.split)
