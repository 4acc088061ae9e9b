#!/bin/sh
# Which lines of the generator, its Lua modules and libhx the tests reached that ran in a build with -Db_coverage=true, and
# with HALOGEN_LINES in the environment: a table of files, then the lines that nothing reached.
#
# usage: coverage.sh BUILD_DIRECTORY LINES_FILE        from the root of the sources
set -eu
build=$1 reached=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Each "FILE LINE COUNT", a file as often as it was compiled.  gcov has "#####" for 0, and "*" behind some counts.
(cd "$build" && find gen runtime tests -name '*.gcno' | grep -E '^(gen|runtime)/|_runtime_' | sort |
    xargs gcov --stdout 2>/dev/null) | sed -n 's/^ *\([^: ]*\): *\([0-9]*\):\(Source:\)\{0,1\}\(.*\)/\1 \2 \3\4/p' | awk '
    $2 == 0 && sub(/^- 0 Source:/, "") { file = $0; sub(/^(\.\.\/)*/, "", file) }
    $2 > 0 && $1 != "-" && file ~ /^(gen|runtime)\// { print file, $2, $1 ~ /^[#=]/ ? 0 : 1 }
' >"$work/counts"

# The same of Lua.  Lines with code are those of the compiler, but for ends of functions and calls, behind which it may return.
find gen/lua -name "*.lua" | sort | while read -r module; do
    luac5.4 -l -p "$module" | sed -n '/VARARGPREP/d; s/^\t[0-9]*\t\[\([0-9]*\)\].*/\1/p' | sort -nu |
        awk -v file="$module" 'NR == FNR { code[$1]; next }
            FNR in code && !/^ *(end|[]})])[],}) ]*$/ { print file, FNR, 0 }' - "$module"
done >>"$work/counts"
[ ! -f "$reached" ] || sed 's/^@//' "$reached" |
    awk '{ for (i = 2; i <= NF; ++i) if (!seen[$1, $i]++) print $1, $i, 1 }' >"$work/lua"
touch "$work/lua"

# Each file's lines with code and those reached, then "FILE:LINE: TEXT" of each that was not.
awk '
    FILENAME ~ /lua$/ { if ($1 in lines && ($1, $2) in index_of) best[$1, $2] = 1; next }
    !(($1, $2) in index_of) { line[$1, ++lines[$1]] = $2; index_of[$1, $2] }
    $3 > best[$1, $2] { best[$1, $2] = $3 }
    END {
        for (file in lines) {
            covered = 0
            for (number = 1; (getline text < file) > 0; ++number)
                if ((file, number) in index_of) {
                    covered += best[file, number]
                    sub(/^ */, "", text)
                    if (!best[file, number])
                        printf "%s:%d: %s\n", file, number, text
                }
            printf "%s %d %d\n", file, lines[file], covered
        }
    }
' "$work/counts" "$work/lua" | sort -t : -k 1,1 -k 2,2n >"$work/report"

awk '
    /^[^ ]+ [0-9]+ [0-9]+$/ {
        all += $2
        good += $3
        tell($3, $2, $1)
        next
    }
    { missing = missing $0 "\n" }
    END {
        tell(good, all, "all")
        printf "\nnot reached:\n%s", missing ? missing : "none\n"
    }
    function tell(good, all, what) { printf "%6.1f %%  %5d of %5d  %s\n", all ? 100 * good / all : 0, good, all, what }
' "$work/report"
