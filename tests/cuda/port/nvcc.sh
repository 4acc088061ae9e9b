#!/bin/sh
# nvcc compiles the listings of docs/gpu-port.md, and no kernel of theirs needs a stack: nvcc.sh DIRECTORY SOURCE_ROOT STEP...
set -u
directory=$1 root=$2
shift 2
if ! command -v nvcc >/dev/null; then
    echo "there is no nvcc"
    exit 77
fi
failed=0
for step in "$@"; do
    if ! nvcc -arch=sm_90 -O3 -Werror all-warnings -Xcompiler -Wall,-Wextra,-Werror -Xptxas -v -I"$root/runtime/include" \
        -I"$directory" -c "$directory/$step.cu" -o "$directory/$step.cuda.o" >"$directory/$step.said" 2>&1 ||
        ! grep -q '^ *0 bytes stack frame, 0 bytes spill stores' "$directory/$step.said"; then
        echo "FAIL $step.cu"
        cat "$directory/$step.said"
        failed=$((failed + 1))
    fi
done
echo "$# listings, $failed failed"
[ "$failed" -eq 0 ]
