#!/bin/sh
# --compare: whether the files in a directory are those that would be written; nothing is.
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

# compare CODE FILES WORDS OPTION...: compares; so many files differ, the words are among what is said, and nothing changes.
compare() {
    code=$1 files=$2 words=$3
    shift 3
    state >"$place.before"
    expect "$code" "$words" run --compare "$@"
    differ=$(echo "$said" | grep -c HG0011)
    [ "$differ" -eq "$files" ] || complain "--compare $*: $differ files differ, not $files: $said"
    [ "$code" -ne 0 ] || [ -z "$said" ] || complain "--compare $* speaks though all is well: $said"
    state | cmp -s - "$place.before" || complain "--compare $* changed a file"
    rm "$place.before"
}

# Nothing is there: all are missing, and the directory is not made.
compare 1 2 "'out/a.h' is missing [HG0011]
  help: to write it, run the same command without --compare"
expect_absent out

expect 0 "" run
compare 0 0 "" --keep-unchanged

# Each option counts: what other templates give, and what is emitted besides.
compare 1 1 "'out/a_check.c' is missing" --emit c,check
compare 1 1 '{"severity":"error","code":"HG0011","message":"'"'out/a_check.c' is missing\"" --diag json --emit c,check
expect 1 "'out/a.h' is not what 'a.lua' gives: they differ from line 2 on" \
    "$halogen" generate a.lua -o out --compare --templates others
expect 0 "" run --emit c,check
compare 0 0 "" --emit c,check
compare 0 0 ""

# A line more, another line; each file is named, once.
cp out/a.c whole
echo >>out/a.c
compare 1 1 "halogen: error: 'out/a.c' is not what 'a.lua' gives: they differ from line 2001 on [HG0011]"
sed '1200s/$/ /' whole >out/a.c
echo "changed by hand" >out/a.h
compare 1 2 "they differ from line 1200 on"
cp whole out/a.c
rm out/a.h
mkdir out/a.h
compare 1 1 "cannot read 'out/a.h': Is a directory"
rmdir out/a.h

# The way out is the one that is named, and other files do not matter.
echo "int main(void);" >out/main.c
expect 0 "" run
compare 0 0 ""

# A wrong spec is that and nothing else.
echo 'error "late"' >>a.lua
compare 1 0 "late"
finish
