#!/bin/sh
# The modules and the glue of all example specs compile without a warning; names that Fortran cannot have are refused.
#
# usage: modules.sh BUILD_ROOT MPI WORK_DIR COMPILER
set -u
here=$(cd "$(dirname "$0")" && pwd)
build=$1 mpi=$2 work=$3 compiler=$4 flags=-O0
. "$here/compile.sh"

rm -rf "$work"
mkdir -p "$work"
find_compiler || exit 77
compile_shared || exit 1
passed=0 failed=0 refused=0
# Names so long that one letter more is refused.
letters() { printf "%0$1d" 0 | tr 0 "$2"; }
mkdir -p "$work/long"
spec_of() { # spec field exchange
    printf 'local grid = cartesian { axes = "xyz" }\nlocal like = { on = grid, type = "complex128", halo = 1, components = 2 }\n'
    printf 'local f, g = field "%s" (like), field "v" { on = grid, type = "float", halo = 1 }\n' "$2"
    printf 'return spec "%s" { exchange "%s" { f, g, boundary = { x = "hook" } } }\n' "$1" "$3"
}
spec_of "$(letters 44 s)" u e >"$work/long/$(letters 44 s).lua"
spec_of tt "$(letters 53 u)" "$(letters 46 e)" >"$work/long/tt.lua"
for spec in "$work"/long/*.lua "$root"/tests/emit/specs/*.lua "$root"/specs/*/*.lua "$root"/tests/cuda/specs/mixed.lua "$root"/tests/cuda/specs/polygons.lua; do
    grep -q 'return spec' "$spec" || continue
    if ! "$build/gen/halogen" "$spec" -o "$work" --emit c,fortran 2>"$work/said"; then
        # One has an exchange that the module would call as the type of its handles.
        grep -q 'HG1207' "$work/said" && refused=$((refused + 1)) && continue
        cat "$work/said"
    fi
    # A spec may make its name of parameters.
    # shellcheck disable=SC2012 # names have letters and digits
    name=$(basename "$(ls -t "$work"/*_module.f90 | head -n 1)" _module.f90)
    # shellcheck disable=SC2086 # lists of words
    if "$compiler" -fsyntax-only $standard $flags -I"$work" $modules "$work" "$work/${name}_module.f90" &&
        gcc -fsyntax-only $c_flags -I"$(dirname "$spec")" "$work/${name}_fortran.c"; then
        passed=$((passed + 1))
    else
        echo "FAIL $spec"
        failed=$((failed + 1))
    fi
done
if awk '!/^ *!/ && length > 132 { print FILENAME ":" FNR ": longer than 132"; found = 1 } END { exit !found }' "$work"/*.f90 "$root"/runtime/fortran/*.f90; then
    failed=$((failed + 1))
fi
# Arrays of another kind or rank never get to C: the compiler refuses them, at the call.
for wrong in 'real(c_float) :: u(8, 8, 8)' 'real(c_double) :: u(8, 8)'; do
    cat >"$work/wrong.f90" <<EOF
program wrong
  use, intrinsic :: iso_c_binding
  use hx
  use channel
  implicit none
  type(channel_halo) :: halo
  $wrong
  real(c_double) :: v(8, 8, 8), w(8, 8, 8)
  call channel_velocity(halo, u, v, w)
end program
EOF
    if "$compiler" -fsyntax-only -I"$work" "$work/wrong.f90" >"$work/said" 2>&1 || ! grep -Eq 'in argument .+u|dummy argument' "$work/said"; then
        cat "$work/said"
        echo "FAIL $wrong for a field of real(c_double) with three axes"
        failed=$((failed + 1))
    fi
done
# Flags that change kinds: those of C stay, or the compiler stops.
if [ "$compiler" = gfortran ]; then
    # In a folder of its own: beside a source gfortran finds other modules first.
    mkdir -p "$work/kinds"
    cp "$work/channel_module.f90" "$work/kinds"
    for kinds in '-fdefault-real-8 -fdefault-double-8' '-fdefault-integer-8'; do
        # shellcheck disable=SC2086
        gfortran $standard $kinds -J "$work/kinds" -c "$root/runtime/fortran/hx_module.f90" -o "$work/kinds/hx.o" &&
            gfortran $standard $kinds -J "$work/kinds" -fsyntax-only "$work/kinds/channel_module.f90" || failed=$((failed + 1))
    done
    if gfortran -freal-4-real-8 -J "$work/kinds" -c "$root/runtime/fortran/hx_module.f90" -o "$work/kinds/hx.o" 2>/dev/null; then
        echo 'FAIL -freal-4-real-8 makes c_float a number of 8 bytes, without a word'
        failed=$((failed + 1))
    fi
fi
echo "$passed passed, $failed failed, $refused refused"
[ "$failed" -eq 0 ] && [ "$refused" -eq 1 ]
