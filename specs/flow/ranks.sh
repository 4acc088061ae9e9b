#!/bin/sh
# Runs the gas on 1 to 4 ranks, and compares all bits of the final states by their checksums: ranks.sh FLOW NX NY STEPS
set -eu

. "$(dirname "$0")/../common/launch.sh"

launch_shown 1 "$@"
launch_shown 2 "$@"
launch_shown 3 "$@"
launch_shown 4 "$@" 1 4
launch_shown 4 "$@"
tell_exchanges
