#!/bin/sh
# Check programs try every transport that may be named, but the one with which applications move messages themselves.
#
# usage: transports.sh SOURCE_ROOT
set -u

root=$1
failed=0
offered=$(cat "$root"/runtime/transport/*.c | awk '/^const hxi_transport hxi_transport_/, /^};/' |
    sed -n 's/.*\.name = "\([^"]*\)".*/\1/p' | grep -vx 'self\|manual')
[ "$(echo "$offered" | wc -l)" -ge 9 ] || { echo "FAIL too few transports are found: $offered"; exit 1; }
for name in $offered auto mixed; do
    if ! grep -q "\"$name\"," "$root/runtime/check/tries.c"; then
        echo "FAIL check programs do not try the transport $name"
        failed=1
    fi
done
exit "$failed"
