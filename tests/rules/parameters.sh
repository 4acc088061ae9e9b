#!/bin/sh
# No function of C or Lua has more than six parameters, in our sources and in what halogen emits: such a one gets a struct, or
# a table.  First, that such functions are found, and no others.
#
# usage: parameters.sh LUA HALOGEN SOURCE_ROOT
#
# Exceptions:
#   MPI_…        those of tests that stand in for MPI's have MPI's parameters
#   LONE_NEVER   defines one of these
#   cuda…        likewise, those of the fake device
#
# In glue for Fortran, …_f_…, arrays do not count, const CFI_cdesc_t * or array_of_…: each is an argument of its own, since no
# type that C shares with Fortran holds an array with its bounds.
set -u
lua=$1 halogen=$(realpath "$2")
cd "$3" || exit 2
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failed=0

cat >"$work/tried.c" <<'END'
#define MACRO(a, b, c, d, e, f, g) \
    call(a, b, c, d, e, f, g)
/* int comment(int a, int b, int c, int d, int e, int f, int g); */
static int six(int a, int b, int c, int d, int e, void (*f)(int, int));
int none(void) { return six("(1, 2, 3, 4, 5, 6, 7", 2, ',', 4, 5, 6) + seven(1, 2, 3, 4, 5, 6, 7); }
extern "C" {
int declared(int a, int b, int c, int d, int e, int f,
             int g);
}
static int defined(int a, int b, int c, int d, int e, int f, int g, int (*h)(int, int))
{
    return 0;
}
void x_f_glue(int a, int b, int c, int d, int e, int f, const CFI_cdesc_t *g, void *array_of_h);
void x_f_more(int a, int b, int c, int d, int e, int f, const CFI_cdesc_t *g, int h);
void x_glue(int a, int b, int c, int d, int e, int f, const CFI_cdesc_t *g);
END
cat >"$work/tried.lua" <<'END'
local function six(a, b, c, d, e, f) return "function seven(a, b, c, d, e, f, g)" end
-- function comment(a, b, c, d, e, f, g)
function six.seven(a, b, c, d, e, f, g) end
call(function(a, b, c, d, e, f, ...) return myfunction(a, b, c, d, e, f, 7) end)
END
"$lua" tests/rules/parameters.lua "$work/tried.lua" | sed 's/.*tried.lua:/tried.lua:/' >"$work/said"
printf '%s\n' 'tried.lua:3: six.seven has 7 parameters' 'tried.lua:4: a function has 7 parameters' | diff - "$work/said" || failed=1
"$lua" tests/rules/parameters.lua "$work/tried.c" | sed 's/.*tried.c:/tried.c:/' >"$work/said"
printf '%s\n' 'tried.c:7: declared has 7 parameters' 'tried.c:10: defined has 8 parameters' \
    'tried.c:15: x_f_more has 7 parameters' 'tried.c:16: x_glue has 7 parameters' | diff - "$work/said" || failed=1

mkdir "$work/emitted"
for spec in specs/*/*.lua tests/emit/specs/*.lua tests/cuda/specs/mixed.lua; do
    grep -q 'return spec' "$spec" || continue
    # Some specs have types that Fortran has not.
    "$halogen" "$spec" -o "$work/emitted" --emit c,fortran >"$work/said" 2>&1 || "$halogen" "$spec" -o "$work/emitted" || failed=1
done
# Our file names have no white space.
# shellcheck disable=SC2046
"$lua" tests/rules/parameters.lua $(find runtime gen tests specs -name '*.[ch]' -o -name '*.cu' -o -name '*.cc' -o -name '*.in' -o -name '*.lua') \
    "$work/emitted"/*.[ch] |
    grep -vE ' (MPI_\w+|LONE_NEVER|cuda[A-Z]\w+) has ' >"$work/said" && failed=1
sed 's/^/FAIL /; s/$/, six at most: give it a struct, or a table/' "$work/said"
[ "$failed" -eq 0 ] && echo "no function has more than six parameters"
exit "$failed"
