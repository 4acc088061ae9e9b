#!/bin/sh
# A million ranks of a Cartesian grid and ten thousand blocks of a cubed sphere take a second and 64 MB at most; here, on
# a machine that may be busy, two seconds of the processor.  What takes longer is refused before.
#
# usage: limits.sh HALOGEN SOURCE_ROOT
set -u
halogen=$1 root=$2
command -v python3 >/dev/null || { echo "no Python 3: install python3"; exit 77; }
failed=0

# takes WHAT ARGUMENT...
takes() {
    what=$1
    shift
    python3 - "$what" "$halogen" explain "$@" <<'END' || failed=1
import resource, subprocess, sys
what, command = sys.argv[1], sys.argv[2:]
code = subprocess.run(command, stdout=subprocess.DEVNULL).returncode
used = resource.getrusage(resource.RUSAGE_CHILDREN)
seconds, mebibytes = used.ru_utime + used.ru_stime, used.ru_maxrss / 1024
print(f"{what}: {seconds:.2f} s, {mebibytes:.1f} MiB")
sys.exit(code != 0 or seconds > 2 or mebibytes > 64)
END
}

takes "a million ranks" "$root/tests/emit/specs/channel.lua" --cells 4000,4000,4000 --ranks 1000000
takes "a million ranks in a row" "$root/tests/emit/specs/line.lua" --cells 10000019 --ranks 1000000
takes "a million ranks, uneven blocks" "$root/tests/emit/specs/channel.lua" --cells 4001,3999,4003 --ranks 1000000
takes "a million ranks, a cell each" "$root/tests/emit/specs/channel.lua" --cells 100,100,100 --ranks 1000000
takes "a million ranks, thin uneven blocks" "$root/tests/emit/specs/channel.lua" --cells 150,150,150 --parts 100,100,100 --ranks 1000000
takes "a million ranks, thin uneven blocks, on nodes" "$root/tests/emit/specs/channel.lua" --cells 150,150,150 --parts 100,100,100 \
    --ranks 1000000 --node 64
takes "up to a million ranks" "$root/tests/emit/specs/channel.lua" --cells 4000,4000,4000 --ranks 1..1000000
takes "up to a million ranks, predicted" "$root/tests/emit/specs/channel.lua" --cells 4000,4000,4000 --ranks 1..1000000 --node 128 \
    --machine "$root/tests/explain/laptop.machine"
takes "ten thousand blocks" "$root/specs/sphere/sphere.lua" --cells 960,960 --ranks 9600
takes "ten thousand blocks, a thousand a rank" "$root/specs/sphere/sphere.lua" --cells 960,960 --parts 40,40 --ranks 10
takes "ten thousand blocks of one rank" "$root/specs/sphere/sphere.lua" --cells 960,960 --parts 41,41 --ranks 1
takes "ten thousand strips of one rank" "$root/specs/sphere/sphere.lua" --cells 1667,1667 --parts 1667,1 --ranks 1
takes "ten thousand strips of two ranks" "$root/specs/sphere/sphere.lua" --cells 1667,1667 --parts 1667,1 --ranks 2 --node 1
takes "ten thousand blocks of vectors on faces" "$root/tests/emit/specs/globe.lua" --cells 166,166,5 --parts 41,41,1 --ranks 1

# Links that are only added up count like others: along 41 by 41 blocks of 960 by 960 cells lie 2 * 2 * 41 * 960 ghost cells of 32
# bytes on each of six tiles, which is 28.83 MiB.
said=$("$halogen" explain "$root/specs/sphere/sphere.lua" --cells 960,960 --parts 41,41 --ranks 1) || failed=1
for words in '  within the rank: 40824 links, 28.83 MiB' '  all ranks: 0 messages, 0 B sent and 28.83 MiB copied' '  and 10078 more'; do
    echo "$said" | grep -qF -- "$words" || { echo "FAIL no line with '$words' in: $said"; failed=1; }
done

# Of several numbers of ranks those together; what is too much then is told, and the rest shown.
said=$("$halogen" explain "$root/specs/sphere/sphere.lua" --cells 100000,100000 --ranks 400002,100002,100008,6) || failed=1
for words in '  400002: to add up' '  100008: the numbers before took most of what explain looks at in one go; say --ranks 100008' \
    '       6  1 x 1'; do
    echo "$said" | grep -qF -- "$words" || { echo "FAIL no line with '$words' in: $said"; failed=1; }
done
exit "$failed"
