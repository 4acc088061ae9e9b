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
    variant("fortran", default=True, description="Build with a Fortran compiler, for programs in Fortran")
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
        halogen = which(self.prefix.bin.halogen, required=True)
        spec = join_path(self.test_suite.current_test_data_dir, "basin.lua")
        halogen(spec, "-o", ".", "--emit", "c,check")

        compile_and_link = which(self.spec["mpi"].mpicc, required=True)
        library = self.prefix.lib
        compile_and_link(
            "-std=c11", "-O2", f"-I{self.prefix.include}", "basin.c", "basin_check.c",
            f"-L{library}", "-lhx_check", "-lhx", f"-Wl,-rpath,{library}", "-o", "basin_check",
        )  # fmt: skip

        launch = which(join_path(self.spec["mpi"].prefix.bin, "mpirun"), required=True)
        printed = launch("-n", "2", "./basin_check", output=str.split, error=str.split)
        check_outputs(r"[1-9][0-9]* passed, 0 failed", printed)
