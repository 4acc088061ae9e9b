#!/bin/sh
# Runs a test where /dev/shm has 24 MiB, in a namespace of its own: room.sh MPIRUN.SH RANKS PROGRAM
# Ends with 77 and a reason where namespaces are not permitted.
set -u

user=
[ "$(id -u)" = 0 ] || user='--user --map-root-user'
# shellcheck disable=SC2086 # a list of words
said=$(unshare $user --mount mount -t tmpfs -o size=24m shm /dev/shm 2>&1) || {
    echo "skipped: a /dev/shm of its own is not permitted here: $said"
    exit 77
}
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 LIMIT=60
# shellcheck disable=SC2086
exec unshare $user --mount sh -c 'mount -t tmpfs -o size=24m shm /dev/shm && exec "$@"' sh "$@"
