#!/bin/sh
# What is installed: these files and no others, and none of them says where it was built or first lay.
#
# usage: tree.sh BUILD_DIRECTORY SOURCE_ROOT WORK_DIRECTORY PREFIX      PREFIX: the value of the project's option
set -eu
build=$1
root=$2
work=$3
configured=$4
. "$root/tests/install/stage.sh"

stage
[ -z "$(find "$work/staged" -type f)" ] || fail "something lies beside the prefix: $(find "$work/staged" -type f)"

cd "$prefix"
library=$(find . -name libhx.so | sed 's|^\./||; s|/libhx.so$||')
version=$(bin/halogen --version | sed -n '1s/.* //p')
header=$(sed -n 's/^#define HX_VERSION_[A-Z]* \([0-9]*\)$/\1/p' include/hx/version.h | paste -sd .)
[ "$header" = "$version" ] || fail "hx/version.h is of version $header, and halogen of $version"
soname=$(readelf -d "$library/libhx.so" | sed -n 's/.*(SONAME).*\[\(.*\)\]/\1/p')
{
    # What there is more of where there is a CUDA toolkit: all of these, or none.
    if [ -e "$library/libhx_cuda.a" ] || [ -e "$library/pkgconfig/hx-cuda.pc" ]; then
        printf '%s\n' "./$library/libhx_cuda.a" "./$library/pkgconfig/hx-cuda.pc"
    fi
    # And where there is Python: all files of the package.
    package=$(find . -name _installed.py | sed 's|/_installed.py$||')
    if [ -n "$package" ]; then
        (cd "$root/python/halogen" && find . -type f ! -path '*/__pycache__/*') | sed "s|^\.|$package|"
        echo "$package/_installed.py"
    fi
    cat <<END
./bin/halogen
./include/hx/abi.h
./include/hx/check.h
./include/hx/cuda.h
./include/hx/cuda_signal.h
./include/hx/cuda_wires.h
./include/hx/files.h
./include/hx/fortran.h
./include/hx/hip.h
./include/hx/hx.h
./include/hx/hx.hpp
./include/hx/mask.h
./include/hx/memory.hpp
./include/hx/nvtx.h
./include/hx/observe.h
./include/hx/observe.hpp
./include/hx/openmp.h
./include/hx/pool.h
./include/hx/shared_array.h
./include/hx/version.h
./include/hx/window.h
./$library/$soname
./$library/cmake/Halogen/HalogenAddSpec.cmake
./$library/cmake/Halogen/HalogenConfig.cmake
./$library/cmake/Halogen/HalogenConfigVersion.cmake
./$library/libhx.a
./$library/libhx.so
./$library/libhx.so.$version
./$library/libhx_check.a
./$library/pkgconfig/hx-static.pc
./$library/pkgconfig/hx.pc
./share/bash-completion/completions/halogen
./share/fish/vendor_completions.d/halogen.fish
./share/halogen/fortran/hx_fortran_accesses.c
./share/halogen/fortran/hx_fortran_alloc.c
./share/halogen/fortran/hx_fortran_arrays.c
./share/halogen/fortran/hx_fortran_base.c
./share/halogen/fortran/hx_fortran_epochs.c
./share/halogen/fortran/hx_fortran_exchanges.c
./share/halogen/fortran/hx_fortran_glue.h
./share/halogen/fortran/hx_fortran_handle.c
./share/halogen/fortran/hx_fortran_lists.c
./share/halogen/fortran/hx_fortran_moving.c
./share/halogen/fortran/hx_fortran_options.c
./share/halogen/fortran/hx_fortran_partitions.c
./share/halogen/fortran/hx_fortran_pools.c
./share/halogen/fortran/hx_fortran_tables.c
./share/halogen/fortran/hx_fortran_walls.c
./share/halogen/fortran/hx_fortran_windows.c
./share/halogen/fortran/hx_masks_module.f90
./share/halogen/fortran/hx_module.f90
./share/halogen/fortran/hx_pools_module.f90
./share/halogen/fortran/hx_tables_module.f90
./share/halogen/fortran/hx_windows_module.f90
./share/halogen/fortran/sources.txt
./share/halogen/lua/halogen.lua
./share/man/man1/halogen.1
./share/man/man5/halogen-spec.5
./share/zsh/site-functions/_halogen
END
} | sort >"$work/expected"
find . ! -type d | sort | diff "$work/expected" - || fail 'other files are expected (<) than are installed (>)'
for link in "$library/libhx.so" "$library/$soname"; do
    [ "$(basename "$(realpath "$link")")" = "libhx.so.$version" ] || fail "$link leads to $(realpath "$link")"
done

# Nothing but libhx_cuda.a and device code calls CUDA; what MPI is asked about it has its name.
! nm -D "$library/libhx.so" | grep -v 'MPIX_Query_cuda_support$' | grep -i 'cuda' || fail 'libhx.so has symbols of CUDA'
! nm "$library/libhx.a" | grep -E ' U (__)?cuda' || fail 'libhx.a calls CUDA'

# "/usr" alone is in many paths of the system's; CUDA may be in /usr/local; hx-cuda.pc, which is made as hx.pc, says where the toolkit lies.
[ "$configured" = /usr ] || ! grep -r -F --exclude=hx-cuda.pc "$configured" . | grep -v -F /usr/local/cuda || fail "these say where they first lay, $configured"
! grep -r -l -I -F -e "$root" -e "$build" . || fail 'these say where they were built'
echo 'all is well'
