# How tests compile Fortran; for scripts that set build, mpi, work, compiler and flags.

root=$(cd "$(dirname "$0")/../.." && pwd)
strict='-Wall -Wextra -pedantic -Werror'
objects=

# Where there is none, a reason is printed.
find_compiler() {
    command -v "$compiler" >/dev/null || { echo "skipped: there is no $compiler on this machine"; return 1; }
    command -v gcc >/dev/null || { echo 'skipped: there is no gcc on this machine'; return 1; }
    case $compiler in
    *flang*)
        # Warnings of flang have no names, and some are about what the standard allows.
        standard= modules=-module-dir
        binding="-I$(dirname "$(dirname "$(realpath "$(command -v "$compiler")")")")/include/flang"
        [ -f "${binding#-I}/ISO_Fortran_binding.h" ] || binding="-I$(find "${binding#-I}/../.." -name ISO_Fortran_binding.h -printf %h -quit)"
        ;;
    *) standard="-std=f2018 $strict" modules=-J binding= ;;
    esac
    c_flags="-std=c11 -O2 -g $strict -Wconversion -Wshadow -I$root/runtime/include -I$work $binding $(pkg-config --cflags "$mpi")"
    case $mpi in
    mpich) libraries='-lmpichfort -lmpich' ;;
    *) libraries="-L$(pkg-config --variable=libdir "$mpi") -lmpi_mpifh -lmpi" ;;
    esac
}

# compile_c SOURCE [FLAG...], compile_fortran SOURCE: to an object beside the others.
compile_c() {
    source=$1 object=$work/$(basename "$1").o
    shift
    # shellcheck disable=SC2086 # lists of words
    gcc $c_flags "$@" -c "$source" -o "$object" && objects="$objects $object"
}

compile_fortran() {
    # shellcheck disable=SC2086
    "$compiler" $standard $flags -I"$work" $modules "$work" -c "$1" -o "$work/$(basename "$1").o" &&
        objects="$objects $work/$(basename "$1").o"
}

# What all specs share.
compile_shared() {
    while read -r source; do
        case $source in
        *.f90) compile_fortran "$root/runtime/fortran/$source" ;;
        *) compile_c "$root/runtime/fortran/$source" ;;
        esac || return 1
    done <"$root/runtime/fortran/sources.txt"
}

compile_spec() {
    "$build/gen/halogen" "$1" -o "$work" --emit c,fortran || return 1
    name=$(basename "$1" .lua)
    compile_fortran "$work/${name}_module.f90" && compile_c "$work/$name.c" -I"$(dirname "$1")" &&
        compile_c "$work/${name}_fortran.c" -I"$(dirname "$1")" || return 1
    [ ! -f "$work/$name.cu" ] || compile_device "$name"
}

# Kernels as C, for the fake device.
compile_device() {
    printf '#include "shim.h"\n#include "%s.cu"\n' "$1" >"$work/$1_device.c"
    compile_c "$work/$1_device.c" -I"$root/tests/cuda" -I"$root/tests/cuda/fake"
    objects="$objects $build/tests/cuda/fake/libfake_device.a"
}

link_program() {
    beside=${1%.f90}.c
    [ ! -f "$beside" ] || compile_c "$beside" || return 1
    # shellcheck disable=SC2086
    "$compiler" $flags -I"$work" $modules "$work" $(pkg-config --cflags "$mpi") -c "$1" -o "$work/program.o" &&
        "$compiler" $flags "$work/program.o" $objects -L"$build/runtime" -lhx -Wl,-rpath,"$build/runtime" $libraries -lpthread -o "$work/program"
}
