#!/bin/sh
# Runs the lakes on 1 to 4 ranks, and compares all bits of the final states by their checksums: ranks.sh LAKES NX NY STEPS
set -eu

. "$(dirname "$0")/../common/launch.sh"

launch_shown 1 "$@"
launch_shown 2 "$@"
launch_shown 3 "$@"
HX_TRANSPORT=p2p launch_shown 4 "$@"
launch_shown 4 "$@"
tell_exchanges
