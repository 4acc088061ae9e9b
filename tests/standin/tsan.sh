#!/bin/sh
# Runs a program that was built with ThreadSanitizer: tsan.sh [PROGRAM [ARGUMENT...]]
#
# Without a program: none could be built.  Ends with 77 (skipped) and a reason then, and where ThreadSanitizer itself
# cannot run: it wants parts of the address space for itself, which some kernels give to others at random.
set -u

if [ $# = 0 ]; then
    echo "skipped: the compiler has no ThreadSanitizer, or this build has another sanitizer"
    exit 77
fi

# Without randomness, where that may be turned off.
if setarch -R true 2>/dev/null; then
    set -- setarch -R "$@"
fi
export TSAN_OPTIONS="halt_on_error=1:exitcode=66:${TSAN_OPTIONS:-}"
said=$("$@" 2>&1)
status=$?
printf '%s\n' "$said"
case $said in
*'FATAL: ThreadSanitizer'*)
    echo "skipped: ThreadSanitizer does not run on this machine"
    exit 77
    ;;
esac
exit $status
