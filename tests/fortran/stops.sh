#!/bin/sh
# A program that ends by a failure without ierr: run.sh's arguments, and the sentence that it has to print.
set -u
sentence=$1
shift
said=$("$(dirname "$0")/run.sh" "$@" 2>&1)
code=$?
[ "$code" -ne 77 ] || { echo "$said"; exit 77; }
if [ "$code" -eq 0 ] || ! echo "$said" | grep -qF "$sentence" || echo "$said" | grep -q 'it goes on'; then
    echo "$said"
    echo "FAIL it ends with $code, and should say: $sentence"
    exit 1
fi
