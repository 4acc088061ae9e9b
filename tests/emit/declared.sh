#!/bin/sh
# What the headers declare that emitted code includes, or a program beside it, is no name that a spec may give where it would
# stand alone: each declared name is refused as that of a spec, each macro without arguments as that of a field.  And the names
# that are allowed compile, among all headers, though functions and types have them.
#
# usage: declared.sh HALOGEN SOURCE_ROOT WORK_DIR LUA      CPATH and its like name the headers of hx and of MPI
set -u
halogen=$(realpath "$1") root=$2 work=$3 lua=$4
here=$root/tests/emit
rm -rf "$work"
mkdir -p "$work"
cd "$work" || exit 1

# ---- what headers declare ----

"$halogen" "$here/specs/kinds.lua" -o . --emit c,check || exit 1
{
    cat ./*.h ./*.c | grep '^#include <'
    for header in complex ctype errno fenv float inttypes limits locale math setjmp signal stdlib string time wchar unistd \
        fcntl pthread sys/stat sys/time sys/types; do
        echo "#include <$header.h>"
    done
} >headers.h
for standard in c11 gnu11; do
    gcc -std=$standard -E headers.h | awk -f "$here/declared.awk" | sed 's/^/spec /'
    gcc -std=$standard -E -dM headers.h | sed -n 's/^#define \([A-Za-z][A-Za-z0-9_]*\) .*/field \1/p'
    gcc -std=$standard -E -dM headers.h | sed -n 's/^#define \([A-Za-z][A-Za-z0-9_]*\)[ (].*/spec \1/p'
done | grep -v '__\|_$\|THIS_.*_WAS_REMOVED' | sort -u >declared
"$lua" "$here/declared.lua" "$root/gen/lua" <declared || exit 1

# ---- names that are allowed ----

cat >storm.lua <<'END'
local grid = cartesian { axes = { "index", "time", "EOF" } }
local p = { fields { "strcmp", "strtok", "remainder", "fmax", "log2", "snprintf", "pid_t", "tm", "y0", "gamma", "B0", "printf", "FILE",
  on = grid, type = "double", halo = 1 } }
return spec "storm" {
  exchange "memset" (p),
  exchange "timer_create" { fields { "malloc", "memcpy", "index", on = grid, type = "int32_t", halo = 1 } },
}
END
"$halogen" storm.lua -o . || exit 1
printf '#include "headers.h"\n#include "storm.h"\nint main(void)\n{\n    return 0;\n}\n' >user.c
strict="-Wall -Wextra -Wpedantic -Werror -fsyntax-only -I."
# shellcheck disable=SC2086
for standard in c11 gnu11; do
    gcc -std=$standard $strict user.c && gcc -std=$standard $strict -include headers.h storm.c || exit 1
done
# shellcheck disable=SC2086
! command -v g++ >/dev/null || g++ -std=c++17 -DOMPI_SKIP_MPICXX $strict -x c++ user.c || exit 1
echo "allowed names compile"
