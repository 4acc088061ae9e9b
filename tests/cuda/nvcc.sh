#!/bin/sh
# Device code as CUDA: nvcc compiles it without a warning, the first spec for an architecture of each major number that it
# knows, others for the oldest, where kernels take the most registers; and what it reports of each kernel is as it should be:
# at most 64 registers, no stack, nothing spilled; and 16 bytes at once are moved as such.  Kernels of applications can use
# the headers.
#
# usage: nvcc.sh DIRECTORY_OF_DEVICE_CODE SOURCE_ROOT WORK_DIRECTORY SPEC...
set -u

emitted=$1
root=$2
work=$3
shift 3
if ! command -v nvcc >/dev/null; then
    echo "there is no nvcc"
    exit 77
fi
rm -rf "$work"
mkdir -p "$work/kept"
kernels=0 failed=0

complain() {
    echo "FAIL $1"
    failed=$((failed + 1))
}

targets=
oldest=
majors=
for architecture in $(nvcc --list-gpu-arch); do
    major=${architecture%?}
    case " $majors " in *" $major "*) continue ;; esac
    majors="$majors $major"
    targets="$targets -gencode arch=$architecture,code=sm_${architecture#compute_}"
    oldest=${oldest:-$targets}
done

for spec in "$@"; do
    # The targets are words on purpose.
    # shellcheck disable=SC2086
    if ! nvcc $targets --threads 2 -O3 -Werror all-warnings -Xcompiler -Wall,-Wextra,-Werror -Xptxas -v -I"$root/runtime/include" \
        --keep --keep-dir "$work/kept" -c "$emitted/$spec.cu" -o "$work/$spec.o" >"$work/said" 2>&1; then
        complain "$spec: does not compile"
        cat "$work/said"
        continue
    fi
    # Of each kernel there are two lines.
    awk '/bytes stack frame/ { if ($1 != 0 || $5 != 0 || $9 != 0) print }
         /Used [0-9]+ registers/ { match($0, /Used [0-9]+/); if (substr($0, RSTART + 5, RLENGTH - 5) > 64) print }' \
        "$work/said" >"$work/wrong"
    if [ -s "$work/wrong" ]; then
        complain "$spec: kernels that need more than they may"
        cat "$work/wrong"
    fi
    reported=$(grep -c 'Used [0-9]* registers' "$work/said")
    [ "$reported" -gt 0 ] || complain "$spec: nvcc reports no kernel"
    kernels=$((kernels + reported))
    sed -n 's/.*Used \([0-9]*\) registers.*/\1/p' "$work/said" >>"$work/registers"
    targets=$oldest
    without=$(grep -L 'st.global.v2.u64' "$work/kept/$spec".*ptx)
    [ -z "$without" ] || complain "$spec: never stores 16 bytes at once: $without"
    # A kernel of an application, which finds points as the header has it.
    call=$(sed -n 's/^static inline HX_HOST_DEVICE ptrdiff_t \(.*_at\)(const [^,]*\(.*\))$/\1(\&shape\2)/p' "$emitted/$spec.h" |
        sed 's/, int [a-z]*/, 0/g' | head -n 1)
    printf '#include "%s.h"\n\n__global__ void find_%s(ptrdiff_t *at, %s_shape shape) { *at = %s; }\n' "$spec" "$spec" "$spec" \
        "$call" >>"$work/user.cu"
done
nvcc -arch=compute_75 -Werror all-warnings -I"$root/runtime/include" -I"$emitted" -ptx "$work/user.cu" -o "$work/user.ptx" &&
    [ "$(grep -c '^\.visible \.entry' "$work/user.ptx")" -eq $# ] || complain 'kernels cannot use the headers'
echo "$kernels kernels, of at most $(sort -n "$work/registers" | tail -n 1) registers, $failed failed"
[ "$failed" -eq 0 ]
