#!/bin/sh
# Device code as HIP: clang compiles it for a GPU of AMD and for the host, without a warning, and so it does kernels of applications.
# Headers of HIP are those of Debian's libamdhip64-dev, if it is installed, and else those of this folder, which have the words only.
#
# usage: hip.sh DIRECTORY_OF_DEVICE_CODE SOURCE_ROOT WORK_DIRECTORY SPEC...
set -u
emitted=$1 root=$2 work=$3
shift 3
for clang in clang-19 clang none; do
    "$clang" --print-targets 2>/dev/null | grep -q amdgcn && break
done
if [ "$clang" = none ]; then
    echo 'skipped: there is no clang that knows GPUs of AMD'
    exit 77
fi
headers=/usr/include
[ -f "$headers/hip/hip_runtime.h" ] || headers=$root/tests/cuda/hip
mkdir -p "$work"
failed=0 texts=0 kernels=0
flags="-x hip --offload-arch=gfx90a -nogpuinc -nogpulib -std=c++17 -O1 -Wall -Wextra -Werror -D__HIP_PLATFORM_AMD__"

compile() { # text
    # The flags are words on purpose.
    # shellcheck disable=SC2086
    "$clang" $flags -isystem "$headers" -I"$root/tests/cuda" -I"$root/runtime/include" -I"$emitted" \
        --cuda-device-only -S "$1" -o "$work/device.s" &&
        "$clang" $flags -isystem "$headers" -I"$root/tests/cuda" -I"$root/runtime/include" -I"$emitted" \
            --cuda-host-only -c "$1" -o "$work/host.o" || {
        echo "FAIL $1 is no HIP"
        failed=$((failed + 1))
        return
    }
    texts=$((texts + 1))
    kernels=$((kernels + $(grep -c '^[[:space:]]*\.amdhsa_kernel' "$work/device.s")))
}

for spec in "$@"; do
    compile "$emitted/$spec.cu"
done
cat >"$work/user.cu" <<END
#include "mixed.h"

__global__ void number(const mixed_shape s, const hx_boxes points, double *u)
{
    int x, y, z;
    const size_t n = hx_thread();
    if (mixed_point(&points, n, &x, &y, &z)) {
        u[mixed_u_at(&s, x, y, z)] = (double)n;
    }
}
END
compile "$work/user.cu"
echo "$texts texts, $kernels kernels, $failed failed, by $clang with headers of $headers"
[ "$failed" -eq 0 ]
