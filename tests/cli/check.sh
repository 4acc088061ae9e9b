#!/bin/sh
# --check: whether the files in a directory are those that would be written; nothing is.
. "$(dirname "$0")/stand-in.sh"

# The stand-in for the generator: what it emits depends on --emit, and on a template.
cat >a.lua <<'END'
local word = host.template("word.tmpl")
host.output("a.h", "Emitted by halogen\n" .. word)
host.output("a.c", ("Emitted by halogen\n"):rep(2000))
if host.options.emit.check then host.output("a_check.c", "Emitted by halogen\n") end
END
echo one >modules/word.tmpl
cp -R modules others
echo two >others/word.tmpl

run() {
    "$halogen" a.lua -o out "$@" --templates modules
}

# State of all files: names, content, dates.
state() {
    find . -type f -exec sh -c 'date -r "$1" "+%s.%N $1" && cat "$1"' - {} ';'
}

# check CODE WORDS OPTION...: checks, and nothing changes.
check() {
    state >"$place.before"
    code=$1 words=$2
    shift 2
    expect "$code" "$words" run --check "$@"
    state | cmp -s - "$place.before" || complain "--check $* changed a file"
    rm "$place.before"
}

# differs LINE: says so, whatever else is the matter.
differs() {
    check 1 "halogen: error: 'out/a.c' is not what 'a.lua' gives: they differ from line $1 on [HG0011]"
}

# count WORDS NUMBER OPTION...: how many lines of the report have the words.
count() {
    words=$1 number=$2
    shift 2
    run --check "$@" >said 2>&1
    got=$(grep -c -- "$words" said)
    rm said
    [ "$got" -eq "$number" ] || complain "--check $*: $got lines with '$words', not $number"
}

# Nothing is there: all are missing, and the directory is not made.
check 1 "'out/a.h' is missing [HG0011]"
check 1 "help: to write it, run the same command without --check"
count "is missing" 2
expect_absent out

expect 0 "" run
check 0 ""
check 0 "" --keep-unchanged
[ -z "$(run --check 2>&1)" ] || complain "--check speaks though all is well"

# Each option counts: what the other templates give, and what is emitted besides.
check 1 "'out/a_check.c' is missing" --emit c,check
check 1 '{"severity":"error","code":"HG0011","message":"'"'out/a_check.c' is missing\"" --diag json --emit c,check
count HG0011 1 --emit c,check
expect 1 "'out/a.h' is not what 'a.lua' gives: they differ from line 2 on" \
    "$halogen" a.lua -o out --check --templates others
expect 0 "" run --emit c,check
check 0 "" --emit c,check
check 0 ""

# A byte more, a byte less, another byte, nothing at all; each file is named.
cp out/a.c whole
echo >>out/a.c
differs 2001
head -c -1 whole >out/a.c
differs 2000
sed '1200s/$/ /' whole >out/a.c
differs 1200
: >out/a.c
differs 1
echo "changed by hand" >out/a.h
count HG0011 2
check 1 "'out/a.h' is not what"
cp whole out/a.c
rm out/a.h
check 1 "'out/a.h' is missing"
mkdir out/a.h
check 1 "cannot read 'out/a.h': Is a directory"
rmdir out/a.h

# The way out is the one that is named, and other files do not matter.
echo "int main(void);" >out/main.c
expect 0 "" run
check 0 ""

# A wrong spec is that and nothing else.
echo 'error "late"' >>a.lua
check 1 "late"
count HG0011 0
finish
