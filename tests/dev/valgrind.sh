#!/bin/sh
# Runs one test so that Valgrind looks at the programs of ours that it starts, but not at those of the system.
# A wrapper for meson test; ends with 9 if Valgrind finds something, and with 77 (skipped) if there is nothing of ours.
set -eu
here=$(dirname "$0")

case $1 in
/usr/* | /bin/*)
    echo "skipped: $1 is not a program of ours"
    exit 77
    ;;
*/tsan.sh | *_thread_test)
    echo "skipped: its program has ThreadSanitizer, and either wants the memory for itself"
    exit 77
    ;;
*/limits.sh | */hostile/*.sh)
    echo "skipped: it measures how soon a spec is stopped"
    exit 77
    ;;
*/standin/scale)
    echo "skipped: it is long, and what it does the stand-in's other programs do, too"
    exit 77
    ;;
*/standin/conduct)
    echo "skipped: it looks at the stand-in for MPI alone"
    exit 77
    ;;
*/completion.bash)
    echo "skipped: it looks at bash, and asks halogen for no more than its help"
    exit 77
    ;;
*/emitted.sh)
    echo "skipped: most of it is compilers; what halogen does here it does in other tests, too"
    exit 77
    ;;
*/golden.sh | */many.sh)
    echo "skipped: it is much Lua; what C does here it does in other tests, too"
    exit 77
    ;;
*/fuzz.sh | */tests/cuda/*)
    echo "skipped: its programs have their own sanitizers"
    exit 77
    ;;
esac
# What is wrong with a spec differs from rule to rule, but not what the programs do with memory.
export HALOGEN_PATIENCE=20 STANDIN_EVERY="${STANDIN_EVERY:-25}" ERRORS_EVERY="${ERRORS_EVERY:-12}"
exec valgrind --quiet --vgdb=no --error-exitcode=9 --leak-check=full --show-leak-kinds=definite \
    --errors-for-leak-kinds=definite --suppressions="$here/valgrind.supp" \
    --trace-children=yes --trace-children-skip='/usr/*,/bin/*' "$@"
