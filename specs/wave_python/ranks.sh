#!/bin/sh
# Runs the wave in Python on 1 and 4 ranks, and compares its checksum with that of the wave in C: ranks.sh BUILD NX NY NZ STEPS
# Ends with 77 and a reason where NumPy or mpi4py is missing.
set -eu

build=$(realpath "$1")
shift
. "$(dirname "$0")/../common/launch.sh"
here=$(dirname "$0")
python=/usr/bin/python3
[ -x "$python" ] || python=python3
"$python" -c 'import numpy, mpi4py' 2>/dev/null || {
    echo 'skipped: no NumPy or no mpi4py; install python3-numpy and python3-mpi4py'
    exit 77
}

# A package that is not installed goes by these.
root=$(realpath "$here/../..")
export PYTHONPATH="$root/python" PYTHONDONTWRITEBYTECODE=1 HALOGEN="$build/gen/halogen" HALOGEN_CACHE="$build/specs/wave_python/cache"
export HALOGEN_HX_CFLAGS="-I$root/runtime/include" HALOGEN_HX_LIBS="-L$build/runtime -lhx"

launch_alike 2 "$build/specs/wave/wave" --cells "$1" "$2" "$3" --steps "$4"
echo "in C: $expected"
for ranks in 1 4; do
    launch_alike "$ranks" "$python" "$here/wave.py" "$root/specs/wave/wave.lua" "$@"
    echo "$log"
done
lines=$(sed '1d; /^ *#/d; /^$/d' "$here/wave.py" | wc -l)
echo "equal, bit for bit: the final states in C and in $lines lines of Python"
[ "$lines" -le 25 ]
