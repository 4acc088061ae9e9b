#!/bin/sh
# Machine files that are wrong: each is refused with exit code 2, with the number of the line, in a sentence and with a way out.
#
# usage: machine.sh HALOGEN SOURCE_ROOT          compare with machine.txt
#        machine.sh HALOGEN SOURCE_ROOT --update
set -u
halogen=$(realpath "$1") root=$(realpath "$2")
stored=$root/tests/explain/machine.txt
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0

# refused TEXT OPTION...: a file with that text
refused() {
    printf "$1" >m.txt
    shift
    sed 's/^/    | /' m.txt >>said
    "$halogen" explain "$root/tests/emit/specs/channel.lua" --cells 12,12,12 --ranks 4 --machine m.txt "$@" >>said 2>&1
    code=$?
    [ "$code" = 2 ] || { echo "FAIL exit code $code: $(cat m.txt)"; failed=1; }
}

head='halogen-machine 1\n'
refused ''
refused '# nothing but a comment\n'
refused 'self latency_us=1 gigabytes_per_second=1\n'
refused '\nhalogen-machine 2\n'
refused "$head"
refused "${head}shared latency_us=1 gigabytes_per_second=1\n"
refused "${head}memory latency_us=1\n"
refused "${head}netwrok latency_us=1\n"
refused "${head}self latency=1\n"
refused "${head}self latency_us 1\n"
refused "${head}self latency_us=1 latency_us=2\n"
refused "${head}self latency_us=\n"
refused "${head}self latency_us=-1\n"
refused "${head}self latency_us=1us\n"
refused "${head}self latency_us=nan\n"
refused "${head}self latency_us=1e400\n"
refused "${head}self latency_us=0x10\n"
refused "${head}self latency_us=1 gigabytes_per_second=0\n"
refused "${head}self latency_us=1 # gigabytes_per_second=1\n"
refused "${head}exchange\n"
refused "${head}self latency_us=1 gigabytes_per_second=1\nself kib=1 latency_us=1 gigabytes_per_second=1\n"
refused "${head}self kib=8 latency_us=1 gigabytes_per_second=1\nself kib=8 latency_us=1 gigabytes_per_second=1\n"
refused "${head}self latency_us=1 gigabytes_per_second=1\nshared latency_us=1 gigabytes_per_second=1\nshared latency_us=1 gigabytes_per_second=1\n"
line='self latency_us=1 gigabytes_per_second=1'
refused "${head}${line}\nuplink gigabytes_per_second=1\n"
refused "${head}${line}\nuplink nodes=0 gigabytes_per_second=1\n"
refused "${head}${line}\nuplink nodes=1.5 gigabytes_per_second=1\n"
refused "${head}${line}\nuplink nodes=4 gigabytes_per_second=1\nuplink nodes=4 gigabytes_per_second=1\n"
refused "${head}${line}\nuplink nodes=4 gigabytes_per_second=1\nuplink nodes=6 gigabytes_per_second=1\n"
refused "${head}${line}\nstep point_ns=1\nstep point_ns=2\n"
refused "${head}${line}\n$(awk 'BEGIN { for (n = 2; n <= 131072; n *= 2) printf "uplink nodes=%d gigabytes_per_second=1\\n", n }')"
# What is asked needs a path that the file lacks.
refused "${head}self latency_us=1 gigabytes_per_second=1\n"
refused "${head}self latency_us=1 gigabytes_per_second=1\nshared latency_us=1 gigabytes_per_second=1\n" --node 2
refused "${head}self latency_us=1 gigabytes_per_second=1\n" --ranks 1..4
# Options that do not go together, and a file that is not there.
refused "$head" --run m.txt --html page.html
rm m.txt
"$halogen" explain "$root/tests/emit/specs/channel.lua" --cells 12,12,12 --ranks 4 --machine m.txt >>said 2>&1
[ $? = 2 ] || { echo "FAIL a file that is not there"; failed=1; }
[ "${3:-}" != --update ] || cp said "$stored"
diff -u "$stored" said || failed=1
exit "$failed"
