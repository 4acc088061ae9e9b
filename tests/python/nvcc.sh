#!/bin/sh
# What halogen.load takes for nvcc in tests: it compiles kernels as C, for the fake device of tests/cuda.  The words are nvcc's.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
source='' object='' include=''
while [ $# -gt 0 ]; do
    case $1 in
    -c) source=$2 && shift ;;
    -o) object=$2 && shift ;;
    -I) include="$include -I$2" && shift ;;
    -I*) include="$include $1" ;;
    --version) echo 'nvcc of tests' && exit ;;
    esac
    shift
done
# shellcheck disable=SC2086 # words
exec gcc -std=c11 -O1 -fPIC -include "$here/../cuda/shim.h" $include -x c -c "$source" -o "$object"
