#!/bin/sh
# Where the toolkit of an nvcc has the headers and libraries of CUDA's runtime, as nvcc itself tells: a line each, empty
# where compilers look anyway.
#
# usage: cuda_toolkit.sh NVCC
set -u

# Of the directories in a variable of nvcc's, the first that has a file.
directory() { # variable, option before each, file
    nvcc_says "$1" | tr '"' '\n' | sed -n "s/^$2//p" | while read -r path; do
        if [ -e "$path/$3" ]; then
            (cd "$path" && pwd)
            break
        fi
    done
}

nvcc=$1
nvcc_says() {
    "$nvcc" --dryrun -x cu -c /dev/null 2>&1 | sed -n "s/^#\\\$ $1=//p"
}

printf '%s\n' "$(directory INCLUDES -I cuda_runtime_api.h)" "$(directory LIBRARIES -L libcudart_static.a)"
