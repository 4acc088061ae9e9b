#!/bin/sh
# Whoever tells by a flag what was written has a fence of stores before it: looks at what a compiler makes of each of these
# functions.  What x86 does without the fence cannot be seen reliably; `unit shared` tries, and finds it on idle processors.
#
# usage: fences.sh SOURCE_ROOT BUILD_ROOT PACKAGE_OF_MPI COMPILER...
set -u
root=$1 build=$2 mpi=$3
shift 3
headers=$(pkg-config --cflags "$mpi") || exit 2
failed=0

# Not optimised: each function is there, and calls the fence by its name.
assembler() { # file
    # shellcheck disable=SC2086 # a list of words
    "$@" -std=c11 -D_POSIX_C_SOURCE=200809L -O0 -S -o - $headers -I"$root/runtime/include" -I"$root/runtime" -I"$build/runtime"
}

# The instructions of a function, calls as "call NAME".
body() { # function
    awk -v name="$1" '$1 == name ":" { inside = 1; next } /^\t\.size|\.cfi_endproc/ { inside = 0 }
        inside && $1 ~ /^call/ { sub(/@.*/, "", $2); print "call", $2; next }
        inside && $1 !~ /^[.#]/ { print $1, $2 $3 $4 }'
}

case $("$@" -dumpmachine) in
x86_64-*) ;;
*)
    echo 'skipped: the fence is an instruction of x86 only, and this compiler is for another processor'
    exit 77
    ;;
esac

while read -r file function; do
    text=$(assembler "$@" "$root/runtime/$file") || exit 2
    first=$(echo "$text" | body "$function" | grep '^call' | head -n 1)
    if [ "$first" != 'call hxi_order_stores' ]; then
        echo "FAIL $function of $file tells of what was written without a fence: its first call is '$first'"
        failed=1
    fi
    if ! echo "$text" | body hxi_order_stores | grep -q '^sfence'; then
        echo "FAIL the fence in $file is no instruction"
        failed=1
    fi
done <<'END'
transport/shared.c raise_flag
transport/ipc.c send
transport/rma_flags.c settle
transport/push.c hxi_posting_raise
END
exit "$failed"
