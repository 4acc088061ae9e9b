#!/bin/sh
# What passes on a fast network passes on a slow one.  Runs in a cluster; skipped where messages cannot be delayed.
#
#   slow.sh MPIRUN.SH PROGRAM
"$CLUSTER" slow 0.5 1gbit || exit
export LIMIT="${LIMIT:-560}"
exec "$1" 6 "$2"
