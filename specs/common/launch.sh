# What the scripts of examples read: runs, and comparing what came of them.  Needs "set -eu".

mpirun=$(dirname "$0")/../../tests/mpirun.sh

# launch RANKS PROGRAM [ARGUMENT...]: what it prints is in $log.  Where it fails, or there is no launcher, that is the end.
launch() {
    log=$(sh "$mpirun" "$@") || {
        status=$?
        echo "$log" >&2
        exit $status
    }
}

# The same; the checksum that it prints, of all bits of the final state, has to be that of the first such run.
expected=
launch_alike() {
    launch "$@"
    checksum=$(echo "$log" | awk '$1 == "checksum" { print $2 }')
    if [ -z "$checksum" ] || [ "$checksum" != "${expected:=$checksum}" ]; then
        echo "$log"
        echo "on $1 ranks the final state is another one than before"
        exit 1
    fi
}

# The same, for programs that print an empty line and behind it how rank 0 exchanged: only what comes before is shown.
launch_shown() {
    launch_alike "$@"
    echo "$log" | sed '/^$/q'
}

# After all of them.
tell_exchanges() {
    echo 'how rank 0 of the last run exchanged:'
    echo "$log" | sed '1,/^$/d'
    echo
    echo 'equal, bit for bit: the final states of 1 to 4 ranks'
}
