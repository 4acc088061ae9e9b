#!/bin/sh
# Includes that lead out, in circles or to what is no file; specs that are no text; output directories that take nothing.
# (Small disks, other people's files and several runs at once: ../cli/files.sh.)
. "$(dirname "$0")/guard.sh"

# ---- includes ----

mkdir -p tree/parts tree/closed
ln -s . tree/round
ln -s ../../up.lua tree/parts/up.lua
ln -s /dev/zero tree/zero.lua
ln -s missing.lua tree/dangling.lua
ln -s turn.lua tree/turn.lua
mkfifo tree/fifo.lua
truncate -s 70000000 tree/enormous.lua
echo 'secret = "of another directory"' >up.lua
echo 'return include "first.lua"' >tree/second.lua
echo 'return include "second.lua"' >tree/first.lua
echo 'return include "round/deeper.lua"' >tree/deeper.lua
printf 'local x = 1\nlocal y = x x\n' >tree/wrong.lua
printf 'local x = 1\nlocal y = x.y.z\n' >tree/failing.lua
printf -- '-- \n-- \377\n' >tree/bytes.lua
echo 'while true do end' >tree/endless.lua
echo secret >tree/secret
cp test.lua tree/with_nul

# include NAME PLACE WORDS...: of a spec with that include on its second line.
include() {
    printf -- '--\ninclude %s\n' "$1" >tree/spec.lua
    place=$2
    shift 2
    refuses 1 include "$halogen" tree/spec.lua -o out --depfile out/test.d
    for words in "$place" "$@"; do says include "$words"; done
    grep -q 'another directory' include.said && complain "a file outside is shown: $(cat include.said)"
}
outside='a spec includes only files below its own directory'
include '"../up.lua"' tree/spec.lua:2:9 "$outside"
include '"parts/../../up.lua"' tree/spec.lua:2:9 "$outside"
include '"./../up.lua"' tree/spec.lua:2:9 "$outside"
include '"/etc/passwd"' tree/spec.lua:2:9 "$outside"
include '"//etc/passwd"' tree/spec.lua:2:9 "$outside"
include '"parts/up.lua"' tree/spec.lua:2:9 "$outside"
include '"zero.lua"' tree/spec.lua:2:9 "$outside"
include '"fifo.lua"' tree/spec.lua:2:9 'is no regular file'
include '"parts"' tree/spec.lua:2:9 'is no regular file'
include '"."' tree/spec.lua:2:9 'is no regular file'
include '""' tree/spec.lua:2: 'cannot read'
include '"missing.lua"' tree/spec.lua:2:9 'No such file or directory'
include '"missing/../first.lua"' tree/spec.lua:2:9 'No such file or directory'
include '"dangling.lua"' tree/spec.lua:2:9 'No such file or directory'
include '"turn.lua"' tree/spec.lua:2:9 'symbolic links'
include '"enormous.lua"' tree/spec.lua:2:9 'has more than 64 MiB'
include '"bytes.lua"' tree/spec.lua:2:9 "line 2 of 'tree/bytes.lua' has the byte 0xFF, which is not UTF-8"
include '"spec.lua"' tree/spec.lua:2:9 'includes itself' 'move what both need into a third file'
include '"./spec.lua"' tree/spec.lua:2:9 'includes itself'
include '"first.lua"' tree/second.lua:1:16 'includes itself'
include '"deeper.lua"' deeper.lua:1:16 'symbolic links'
include '"wrong.lua"' tree/wrong.lua:3: 'syntax error near <eof>'
include '"failing.lua"' tree/failing.lua:2: 'attempt to index'
include '"endless.lua"' tree/endless.lua:1: 'did not finish within 50 million steps'
include '"with_nul\0.lua"' tree/spec.lua:2: 'the name has a NUL byte'
include '"a\nb"' tree/spec.lua:2: 'No such file or directory'
include '"\27[31m"' tree/spec.lua:2: 'No such file or directory'
include '(("x"):rep(5000))' tree/spec.lua:2: 'so long a name'
include '(("x/"):rep(1000000))' tree/spec.lua:2: 'so long a name'
include '{}' tree/spec.lua:2:1 'include needs the name of a file'

for i in $(seq 300); do echo 'return 1' >"tree/parts/$i.lua"; done
printf -- '--\nfor i = 1, 300 do\ninclude("parts/" .. i .. ".lua") end\n' >tree/many.lua
refuses 1 many "$halogen" tree/many.lua -o out
says many "tree/many.lua:3: error: the spec includes more than 256 files"
says many "look for an include inside a loop"

# ---- what is no text, or not this text ----

refuses 1 missing "$halogen" missing.lua -o out
says missing "cannot read 'missing.lua': No such file or directory"
refuses 1 directory "$halogen" tree -o out
says directory "cannot read 'tree': Is a directory"
refuses 1 device "$halogen" /dev/zero -o out
says device "it has more than 64 MiB"
refuses 1 endless sh -c 'yes "local x = 1" | "$1" - -o out' sh "$halogen"
says endless "it has more than 64 MiB"
refuses 1 closed "$halogen" - -o out <&-
says closed "cannot read '-'"
printf 'local x = "\000"\n' >nul.lua
refuses 1 nul "$halogen" nul.lua -o out
says nul "line 1 of 'nul.lua' has a NUL byte; a spec is text"
printf '\377\376l\000' >wide.lua
refuses 1 wide "$halogen" wide.lua -o out
says wide "line 1 of 'wide.lua' has the byte 0xFF, which is not UTF-8; save it in that encoding"
printf -- '-- \355\240\200\n' >surrogate.lua
refuses 1 surrogate "$halogen" surrogate.lua -o out
says surrogate "has the byte 0xED, which is not UTF-8"
head -c 100000 /dev/urandom >noise.lua
refuses 1 noise "$halogen" noise.lua -o out
says noise "noise.lua"
cp "$halogen" program.lua
refuses 1 program "$halogen" program.lua -o out
says program "line 1 of 'program.lua' has"
refuses 1 stdin sh -c 'echo "while true do end" | "$1" - -o out' sh "$halogen"
says stdin "<stdin>:1: error: the spec did not finish within 50 million steps"
refuses 2 line_break "$halogen" "a
b" -o out
says line_break "a path with a line break cannot be used"

# Legal: other line ends, a byte order mark, standard input.  The same comes of all of them.
mkdir legal
# same NAME ARGUMENT: of legal/test.lua
same() {
    (cd legal && "$halogen" "$2" -o "$1" <test.lua) || complain "$1: refused"
    for file in test.h test.c; do
        sed 's/standard input/test.lua/' "legal/$1/$file" | cmp -s - "out/$file" ||
            complain "$1: $(diff "legal/$1/$file" "out/$file" | head -c 1000)"
    done
}
sed 's/$/\r/' test.lua >legal/test.lua
same crlf test.lua
printf '\357\273\277' | cat - test.lua >legal/test.lua
same mark test.lua
tr '\n' '\r' <test.lua >legal/test.lua
same cr test.lua
cp test.lua legal/test.lua
same stdin -

# The name of a spec's file comes into comments and strings, and ends neither.
mkdir -p 'odd*/"; \??' && cp test.lua 'odd*/"; \??/*$(x)%s"\.lua'
"$halogen" 'odd*/"; \??/*$(x)%s"\.lua' -o legal/odd || complain "odd path: refused"
grep -q 'from ___x__s__.lua,' legal/odd/test.h || complain "odd path: $(head -n 5 legal/odd/test.h)"
grep -q '\.file = "___x__s__.lua",' legal/odd/test.c || complain "odd path: $(grep -F '.file' legal/odd/test.c)"

# ---- output directories that take nothing ----

echo "not a directory" >plain
refuses 2 file "$halogen" test.lua -o plain
says file "cannot write 'plain/test.h': Not a directory"
refuses 2 device_as_directory "$halogen" test.lua -o /dev/null
says device_as_directory "cannot write '/dev/null/test.h': Not a directory"
refuses 2 nothing "$halogen" test.lua -o ""
mkdir -p blocked/test.c
refuses 2 blocked "$halogen" test.lua -o blocked
says blocked "'blocked/test.c' is a directory; halogen replaces only files that it wrote"
[ "$(ls -A blocked)" = test.c ] || complain "blocked: $(ls -A blocked)"
ln -s turn turn
refuses 2 turn "$halogen" test.lua -o turn
says turn "cannot write 'turn/test.h'"
long=$(printf '%0300d' 1)
refuses 2 long "$halogen" test.lua -o "$long"
says long "File name too long"
sed 's/halo = 1/halo = 2/' test.lua >other.lua
refuses 2 small sh -c 'ulimit -f 1; exec "$1" other.lua -o out --depfile out/test.d' sh "$halogen"
says small "File too large; no file was changed"

# As somebody who may not write.  Root may, so root becomes somebody else first.
if [ "$(id -u)" = 0 ]; then
    as_other="setpriv --reuid=65534 --regid=65534 --clear-groups"
    chmod 755 .
else
    as_other="env"
    chmod a-w out
    fingerprint out >before
fi
if $as_other "$halogen" --version >/dev/null 2>&1; then
    # shellcheck disable=SC2086 # a list of words
    refuses 2 read_only $as_other "$halogen" other.lua -o out --depfile out/test.d
    says read_only "cannot write 'out/test.h': Permission denied; no file was changed"
    chmod 000 tree/secret
    echo 'include "secret"' >tree/spec.lua
    # shellcheck disable=SC2086
    refuses 1 unreadable $as_other "$halogen" tree/spec.lua -o out
    says unreadable "tree/spec.lua:1:9: error: cannot read 'tree/secret': Permission denied"
else
    echo "not tried: a directory closed to its user, because this user is root and cannot become another"
fi
finish
