#!/bin/sh
# What compiled programs and emitted code rely on, compared with runtime/libhx.abi: which functions libhx exports, how
# they are declared, where members of structs lie, what constants are.
#
# usage: abi.sh SOURCE_ROOT LIBRARY WORK_DIR COMPILER...              compare
#        abi.sh SOURCE_ROOT LIBRARY WORK_DIR COMPILER... --update     store; what goes, or changes, needs a new number
set -u
root=$1 library=$2 work=$3
shift 3
stored=$root/runtime/libhx.abi
include=$root/runtime/include
headers="hx.h abi.h" # the others after them; our file names have no white space
for header in "$include"/hx/*.h; do
    # Nothing of libhx is in cuda.h, cuda_signal.h, cuda_wires.h, fortran.h, hip.h, nvtx.h and openmp.h; check.h is that of libhx_check, which programs are linked with as it is installed.
    case ${header##*/} in hx.h | abi.h | cuda.h | cuda_signal.h | cuda_wires.h | fortran.h | hip.h | nvtx.h | openmp.h | check.h) ;; *) headers="$headers ${header##*/}" ;; esac
done
words=$*
compiler=${words%--update}

measure() {
    {
        for header in $headers; do printf '#include <hx/%s>\n' "$header"; done
        printf '#include <stdio.h>\nint main(void)\n{\n    printf("HX_ABI %%d\\n", HX_ABI);\n'
        # shellcheck disable=SC2086 # a list of words
        (cd "$include/hx" && awk -f "$root/tests/abi/declarations.awk" $headers)
        printf '    return sizeof(void *) == 8 && sizeof(long) == 8 ? 0 : 77;\n}\n'
    } >"$work/measure.c"
    # shellcheck disable=SC2086 # a list of words
    $compiler -w -I "$root/tests/abi" -I "$include" "$work/measure.c" -o "$work/measure" || return 1
    readelf -d "$library" | sed -n 's/.*(SONAME).*\[\(.*\)\]/soname \1/p'
    "$work/measure"
}

# Names of functions in a table.
functions() {
    grep -v ' typedef ' "$1" | sed -n 's/^[a-z_.]* [a-z].*[ *]\(hx_[a-z_]*\)(.*/\1/p' | LC_ALL=C sort
}

mkdir -p "$work"
measure >"$work/libhx.abi"
case $? in
0) ;;
77)
    echo 'skipped: the table is for machines with pointers and long of 8 bytes'
    exit 77
    ;;
*)
    echo 'FAIL the headers do not compile'
    exit 1
    ;;
esac

# A program that loads libhx late, as Python does, has hardly any room for thread-local data of a fixed place.
if readelf -d "$library" | grep -q STATIC_TLS; then
    echo 'FAIL libhx has thread-local data of the model initial-exec; use the default model'
    exit 1
fi

# What is shared between files of libhx alone has other names.
archive=${library%.so}.a
if [ -f "$archive" ]; then
    nm -g --defined-only "$archive" 2>/dev/null | awk '$3 ~ /^hx_/ { print $3 }' | LC_ALL=C sort -u >"$work/named"
    nm -D --defined-only "$library" | sed 's/.* //' | LC_ALL=C sort >"$work/exported"
    if internal=$(comm -23 "$work/named" "$work/exported") && [ -n "$internal" ]; then
        echo 'FAIL internal names begin with hxi_, these with hx_; or add them to runtime/libhx.map:'
        echo "$internal"
        exit 1
    fi
fi

functions "$work/libhx.abi" >"$work/declared"
nm -D --defined-only "$library" | sed 's/.* //' | LC_ALL=C sort >"$work/exported"
if ! diff "$work/declared" "$work/exported"; then
    echo 'FAIL the headers declare (<) other functions than the library exports (>); see runtime/libhx.map'
    exit 1
fi
if diff "$stored" "$work/libhx.abi"; then
    echo "$(wc -l <"$stored") lines, all the same"
    exit 0
fi

number() { # line of a table that starts with, table
    grep "^$1 " "$2"
}

# Lines of a header that are no more what they were ask for another number.
explain_lost() { # header, what carries its number, how to raise it
    lost=$(grep "^$1 " "$stored" | grep -vxF -f "$work/libhx.abi")
    if [ -n "$lost" ] && [ "$(number "$2" "$stored")" = "$(number "$2" "$work/libhx.abi")" ]; then
        echo "FAIL this of $1 is no more what it was: programs compiled before break. $3."
        echo "$lost"
        return 1
    fi
}

refused=0
for header in $headers; do
    case $header in
    abi.h) explain_lost abi.h HX_ABI 'Raise HX_ABI in hx/abi.h' ;;
    *) explain_lost "$header" soname 'Raise soversion in meson.build' ;;
    esac || refused=1
done
if [ "$refused" = 1 ]; then
    exit 1
elif [ "$compiler" != "$words" ]; then
    cp "$work/libhx.abi" "$stored"
    echo 'stored in runtime/libhx.abi'
else
    echo 'FAIL runtime/libhx.abi is not up to date; if the difference is meant, ninja abi-update stores it'
    exit 1
fi
