#!/bin/sh
# Tries every listing of the documents: specs are generated, C is compiled, commands are run with an installed halogen.
#
# usage: run.sh BUILD_DIRECTORY SOURCE_ROOT WORK_DIRECTORY MPI LUA [PAGE...]
#        MPI: openmpi or mpich      LUA: the interpreter      PAGE: as docs/api.md; all if none is named
set -eu
build=$1
root=$2
work=$3
mpi=$4
lua=$5
shift 5
. "$root/tests/install/stage.sh"
stage

# As the documents have it: halogen is installed below HOME, mpirun takes any number of ranks.
mkdir -p "$work/home" "$work/bin"
mv "$prefix" "$work/home/halogen"
export HOME="$work/home" CC="mpicc.$mpi" CXX="mpicxx.$mpi"
for compiler in mpicc mpicxx mpifort; do
    printf '#!/bin/sh\nexec %s.%s "$@"\n' "$compiler" "$mpi" >"$work/bin/$compiler"
done
cat >"$work/bin/mpirun" <<END
#!/bin/sh
[ "\$1" = -n ] || exit 2
ranks=\$2
shift 2
exec sh '$root/tests/mpirun.sh' "\$ranks" "\$@"
END
# Listings in Python have the interpreter whose mpi4py is built with this MPI, if there is one.
python=/usr/bin/python3
[ -x "$python" ] || python=$(command -v python3 || echo false)
vendor='import numpy; from mpi4py import MPI; print(MPI.get_vendor()[0].replace(" ", "").lower())'
if [ "$("$python" -c "$vendor" 2>"$work/log" || :)" = "$mpi" ]; then
    printf '#!/bin/sh\nexec %s "$@"\n' "$python" >"$work/bin/python3"
    cp "$work/bin/python3" "$work/bin/python3-mpi4py"
    PYTHONPATH=$(dirname "$(find "$HOME/halogen" -type d -name halogen -path '*-packages/*')")
    export PYTHONPATH PYTHONDONTWRITEBYTECODE=1 TESTS="$root/tests"
fi
chmod +x "$work/bin/"*
PKG_CONFIG_PATH=$(find "$HOME/halogen" -type d -name pkgconfig)
export PKG_CONFIG_PATH PATH="$work/bin:$HOME/halogen/bin:$PATH"
sh "$root/dev" help >"$work/help"
meson introspect --tests "$build" >"$work/tests"

# The launcher that the test was given is not the one above.
if [ -z "${MPIRUN:-}" ] || [ "$MPIRUN" = mpirun ]; then
    MPIRUN=$(command -v "mpirun.$mpi" || command -v mpiexec || echo mpiexec)
    export MPIRUN
fi

[ $# -gt 0 ] || set -- "$root"/README.md "$root"/CONTRIBUTING.md "$root"/docs/*.md "$root"/docs/internals/*.md
# Pages know nothing of each other: one for each processor at a time.  What a page says comes in one piece.
cat >"$work/page" <<'END'
root=$1 work=$2 lua=$3 page=$4
place=$work/$(basename "$page" .md)
export WORK="$place.work"
mkdir -p "$place" "$WORK"
cp "$work/help" "$work/tests" "$WORK"
"$lua" "$root/tests/docs/listings.lua" "$page" "$root" "$WORK" >"$place.sh" && cd "$place" && sh "$place.sh" >"$place.log" 2>&1
status=$?
[ ! -f "$place.log" ] || cat "$place.log"
exit "$status"
END
printf '%s\0' "$@" | xargs -0 -n 1 -P "$(nproc)" sh "$work/page" "$root" "$work" "$lua"
