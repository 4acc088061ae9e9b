#!/bin/sh
# Who may depend on what: the generator knows nothing of libhx, libhx nothing of Lua, and MPI is called in few places.
#
# usage: dependencies.sh SOURCE_ROOT
set -u
cd "$1" || exit 2
passed=0 failed=0

# Lines that the pattern finds in files that are not allowed to have them.
none() { # rule, pattern, files...
    rule=$1 pattern=$2
    shift 2
    if found=$(grep -nE "$pattern" "$@" /dev/null); then
        failed=$((failed + 1))
        printf 'FAIL %s\n%s\n' "$rule" "$found"
    else
        passed=$((passed + 1))
    fi
}

files() { # directory, names or patterns to leave out ...
    directory=$1
    shift
    find "$directory" -name '*.[ch]' | sort | while read -r file; do
        for allowed in "$@"; do
            case $file in $allowed) continue 2 ;; esac
        done
        printf '%s\n' "$file"
    done
}

# Our file names have no white space.
# shellcheck disable=SC2046
{
    none "the generator does not include libhx, but for explain" '#include *[<"](hx/|mpi)' $(files gen 'gen/explain/*')
    none "explain takes of libhx what computes" '#include *[<"](comm|window|memory|device|transport|exchange|create|check)/' \
        $(files gen)
    none "of what libhx observes, gen/trace alone includes something" '#include *[<"](observe|audit)/' $(files gen 'gen/trace/*')
    none "gen/trace includes the formats of files that runs write" \
        '#include *[<"](audit|observe)/([^tw]|t[^r]|w[^a]|trace[^_]|waits[^_]|(trace|waits)_[^f])' $(files gen/trace)
    none "in the generator these files alone open files" '\b(fopen|open|openat|freopen) *\(' \
        $(files gen gen/base/source.c gen/trace/files.c gen/trace/waits.c gen/cli/output.c gen/cli/target.c gen/main.c gen/child/child.c \
            gen/child/coverage.c gen/bake.c gen/integration/manual.c)
    none "libhx does not include Lua" '#include *[<"](lua|lauxlib)' $(files runtime)
    none "MPI is called only in transports, comm, windows, shared arrays, status, types for files, check programs and glue of Fortran" \
        '\bMPI_[A-Z][a-z]+(_[a-z_]+)? *\(' \
        $(files runtime 'runtime/transport/*' 'runtime/audit/mail.c' 'runtime/comm/*' 'runtime/window/*.c' 'runtime/check/*' 'runtime/fortran/*' \
            'runtime/base/mpi_status.c' 'runtime/exchange/preconditions.c' 'runtime/files/file_types.c' 'runtime/files/files_boxes.c' 'runtime/files/files_listed.c' '*.h')
    none "preconditions ask MPI only whether it was finalized" '\bMPI_([A-EG-Z][a-z_]*|F[^i][a-z_]*|File[a-z_]*|Finalize) *\(' \
        runtime/exchange/preconditions.c
    none "templates of library output call no MPI function" '\bMPI_[A-Z][a-z]+(_[a-z_]+)? *\(' \
        $(find templates -name '*.tmpl' ! -path 'templates/check*' ! -path 'templates/init/*')
    none "headers of CUDA are included by hx/cuda.h and libhx_cuda only" '#include *<cuda' \
        $(find templates -name '*.tmpl') $(files gen) $(files runtime 'runtime/include/hx/cuda.h' 'runtime/device/device_cuda.c')
    none "CUDA is called by libhx_cuda and device code only" '\bcuda[A-Z][A-Za-z]+ *\(' \
        $(find templates -name '*.[ch].tmpl' ! -path 'templates/check*') $(files runtime 'runtime/include/hx/cuda.h' 'runtime/device/device_cuda.c' 'runtime/device/hip_calls.h')
    none "headers of HIP are included by hx/hip.h, hx/hx.h and libhx_cuda only" '#include *<hip' \
        $(find templates -name '*.tmpl') $(files gen) $(files runtime 'runtime/include/hx/hip.h' 'runtime/include/hx/hx.h' 'runtime/device/hip_calls.h')
    none "public headers, templates and specs have no internal names" '\bhxi_' runtime/include/hx/*.h $(find templates specs -type f | sort)
    none "the oracle of random specs shares no code with libhx_check, and reads no table of a spec" '#include *[<"](hx/[^h]|hx/hx_|check/)' \
        $(files tests/random tests/random/session.c)
    none "next() is called only in ordered.lua" '(^|[^.:A-Za-z0-9_])(next|pairs) *\(' \
        $(find gen/lua -name '*.lua' ! -name ordered.lua | sort)
}
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
