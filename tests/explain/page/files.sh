#!/bin/sh
# files.sh HALOGEN: what --html replaces and what it leaves alone, and what --run and --stats take.
set -u

halogen=$(readlink -f "$1")
here=$(realpath "$(dirname "$0")")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0

fail() {
    echo "FAIL $1"
    failed=1
}

# refused CODE WORDS OPTION...: halogen explain ends so, and says so.  With ERRORS_EVERY above 1 in the environment one in three is
# tried: slow tools see what the C code does with memory, which is the same for most.
every=$((${ERRORS_EVERY:-1} > 1 ? 3 : 1)) number=0
refused() {
    number=$((number + 1))
    [ $((number % every)) -eq 0 ] || return 0
    code=$1 words=$2
    shift 2
    "$halogen" explain channel.lua "$@" >said 2>&1
    [ $? = "$code" ] || fail "explain $* does not end with $code"
    grep -qF -- "$words" said || { fail "explain $* does not say: $words"; cat said; }
}

cat >channel.lua <<'END'
local grid = cartesian { axes = "xy", fastest = "x", periodic = "x" }
local p = field "p" { on = grid, type = "double", halo = 1 }
return spec "channel" { exchange "all" { p } }
END
question='--cells 16,8 --ranks 4'

# shellcheck disable=SC2086 # several words
said=$("$halogen" explain channel.lua $question --html page.html) || fail "a page is written"
[ -z "$said" ] || fail "who asks for a page gets no text: $said"
# shellcheck disable=SC2086
"$halogen" explain channel.lua $question --html page.html --format json | grep -q '"schema"' || fail "--format prints, too"
# shellcheck disable=SC2086
"$halogen" explain channel.lua $question --html - >printed.html || fail "a page is printed"
cmp -s page.html printed.html || fail "the page that is printed is another one"
[ ! -e ./- ] || fail "a file has the name -"
# shellcheck disable=SC2086
refused 2 "--format and --html - both print; choose one, or name a file with --html" $question --html - --format text
grep -Eq '(src|href)="?https?:|url\("?https?:|fetch\(' page.html && fail "the page needs what lies elsewhere"

echo mine >notes.html
# shellcheck disable=SC2086
refused 2 "notes.html" $question --html notes.html
[ "$(cat notes.html)" = mine ] || fail "a file that halogen did not write was replaced"
cp channel.lua before.lua
# shellcheck disable=SC2086
refused 2 "channel.lua" $question --html channel.lua
cmp -s channel.lua before.lua || fail "the spec was replaced"
refused 2 "a page shows one number of ranks; --ranks has 3" --cells 16,8 --ranks 1..4 --html page.html
refused 2 "a page shows up to 1024 blocks; these are 2048" --cells 1024,1024 --ranks 2048 --html page.html

hash=$("$halogen" generate channel.lua --dump tables | sed -n 's/.*"hash": "\([^"]*\)".*/\1/p')
# run_of HASH VERSION: what a run on one rank writes.
run_of() {
    cat <<END
{"format": "halogen-runs", "version": $2, "spec": "channel", "ranks": [{"format": "halogen-run", "version": 1, "spec": "channel",
 "hash": "$1", "rank": 0, "ranks": 1, "host": "a\u006eode", "node": [0], "tiles": [{"cells": [16, 8], "parts": [1, 1]}],
 "blocks": [{"tile": 0, "block": 0, "first": [0, 0], "cells": [16, 8]}],
 "exchanges": [{"name": "all", "schedule": "one-phase", "schedule_why": "", "peers": [], "phases": [], "times": null}]}]}
END
}
run_of "$hash" 1 >run.json
"$halogen" explain channel.lua --run run.json --html run.html || fail "a run becomes a page"
grep -q '"host": "anode"' run.html || fail "the page has the host of the run"
refused 2 "--run is shown as a page" --run run.json

# Segments are passed over, also where strings in them have brackets: 256 ranks with 208 each are read in the child's steps.
# Tools that slow halogen down need not wait for as many.
# shellcheck disable=SC1003 # backslashes
for kernel in strip '[' ']' '] [' '\\"[' '\\\\'; do
    sed "s/\"phases\": \[\]/\"phases\": [{\"kernel\": \"$kernel\", \"lo\": [0, 0]}]/" run.json >strings.json
    "$halogen" explain channel.lua --run strings.json --html strings.html || fail "a kernel '$kernel' is read"
    cmp -s run.html strings.html || fail "a kernel '$kernel' in segments changes the page"
done
sed -n 's/.*"ranks": \[{/{/; s/]}$//; p' run.json | tr -d '\n' |
    awk -v ranks=$((256 / ${HALOGEN_PATIENCE:-1})) '{
        segment = "{\"field\": 0, \"direction\": [1, 0], \"lo\": [0, 0], \"hi\": [1, 96], \"source_first\": [0, 0], \"kernel\": \"strip\"}"
        for (s = 1; s < 208; ++s) all = all segment ", "
        sub(/"phases": \[\]/, "\"phases\": [" all segment "]")
        print "{\"format\": \"halogen-runs\", \"version\": 1, \"spec\": \"channel\", \"ranks\": ["
        for (r = 1; r < ranks; ++r) print $0 ","
        print $0 "]}"
    }' >many.json
"$halogen" explain channel.lua --run many.json --html many.html || fail "a run on many ranks becomes a page"
refused 2 "cannot read 'none.json'" --run none.json --html run.html
echo '{"format": "halogen-runs", "ranks": [}' >broken.json
refused 2 "'broken.json' is no JSON: line 1: '}' is no value" --run broken.json --html run.html
echo '[1e999]' >endless.json
refused 2 "'endless.json' is no JSON: line 1: '1e999' is no value" --run endless.json --html run.html
echo '[]' >other.json
refused 2 "'other.json' is not what a run wrote" --run other.json --html run.html
for ranks in 7 '[7]' '[{}]' '[{"exchanges": 7}]' '[{"exchanges": [7]}]' '[{"exchanges": []}]' \
    '[{"exchanges": [], "tiles": 3, "blocks": [], "node": []}]' '[{"exchanges": [], "tiles": [], "blocks": [], "node": 0}]'; do
    echo "{\"format\": \"halogen-runs\", \"version\": 1, \"ranks\": $ranks}" >damaged.json
    refused 2 "'damaged.json' is not what a run wrote" --run damaged.json --html run.html
done
echo '{"format": "halogen-runs", "version": 1, "ranks": [null]}' >silent.json
refused 2 "no rank told anything in 'silent.json'" --run silent.json --html run.html
run_of 0123456789abcdef 1 >stranger.json
refused 2 "is of the spec channel with the hash 0123456789abcdef" --run stranger.json --html run.html
run_of "$hash" 2 >newer.json
refused 2 "has version 2 of what runs write; this halogen reads version 1" --run newer.json --html run.html
run_of "$hash" 1 | sed 's/"parts": \[1, 1\]/"parts": [1, 1], "without_owner": 1/' >land.json
refused 2 "in 'land.json' 1 blocks of tile 0 have no owner; explain deals all blocks to ranks" --run land.json --html run.html

# ---- statistics: as text; of a page the browser's test ----

stats() { sed "s/HASH/$hash/" "$here/statistics.json"; }
stats >stats.json
"$halogen" explain channel.lua --stats stats.json >told.txt || fail "statistics are printed"
diff - told.txt <<'END' || fail "they have another text"
channel (channel.lua): 4 ranks, 500 ms from the first start to the last finish

one exchange on one rank, on average; late and transfer are what it waits
  exchange  times  messages      bytes    every     pack     copy    late  transfer   unpack
  velocity     50         2  54.00 KiB  10.0 ms  20.0 us  5.00 us  525 us   10.0 us  30.0 us
  pressure     50         2  54.00 KiB  10.0 ms  20.0 us  5.00 us       ?         ?  30.0 us

ranks wait for 7.2 % of the run: 7.0 % for ranks that are late, 0.2 % for transfer
imbalance: 7.4 % of the run; rank 2 works for 497 ms, a rank on average for 460 ms
with perfect balance the run would be 37.0 ms shorter

who others wait for, how long they do, and by how much longer it works than they do
  rank  they wait  it works longer by
     2     105 ms              10.1 %

loops moved 6.1 GB/s, 54 % of what memcpy reaches there
END
stats | sed 's/"slowest": 2/"slowest": -1/; s/"silent": 0/"silent": 3/' >silent.json
"$halogen" explain channel.lua --stats silent.json >told.txt || fail "statistics of a run that did nothing are printed"
grep -q '3 ranks told nothing' told.txt && grep -q 'no exchange was finished' told.txt || { fail "a run that did nothing"; cat told.txt; }
refused 2 "'run.json' has no statistics of a run" --stats run.json
for damage in 's/"ranks": 4/"ranks": 4.5/' 's/"times": 50/"times": "50"/' 's/"slowest": 2, //' 's/"awaited": \[/"awaited": [7, /' \
    's/"name": "velocity"/"name": null/'; do
    stats | sed "$damage" >damaged.json
    refused 2 "'damaged.json' has no statistics of a run" --stats damaged.json
done
stats | sed 's/"version": 1/"version": 2/' >newer.json
refused 2 "has version 2 of what runs write; this halogen reads version 1" --stats newer.json
sed 's/HASH/0123456789abcdef/' "$here/statistics.json" >stranger.json
refused 2 "is of the spec channel with the hash 0123456789abcdef" --stats stranger.json
refused 2 "a page with --stats is one of a run" --stats stats.json --html page.html
refused 2 "--run is shown as a page; add --html FILE, or leave --run out" --stats stats.json --run run.json
refused 2 "--stats shows what a run measured, --machine predicts; choose one" --stats stats.json --machine any
refused 2 "the file of --stats is JSON; leave --format json out" --stats stats.json --format json
refused 2 "cannot read 'none.json'" --stats none.json
exit "$failed"
