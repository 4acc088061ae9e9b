#!/bin/sh
# Runs a command, which is to end with a status and to say some words: expect.sh STATUS WORDS COMMAND...
set -u

expected=$1
words=$2
shift 2
said=$("$@" 2>&1) && status=0 || status=$?
if [ "$status" != "$expected" ] || ! printf '%s\n' "$said" | grep -q -e "$words"; then
    echo "FAIL status $status, expected $expected and \"$words\":"
    printf '%s\n' "$said"
    exit 1
fi
