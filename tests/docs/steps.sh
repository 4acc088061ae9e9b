# Sourced by the scripts that listings.lua makes: what is done with each kind of listing.  In the environment: WORK, a directory that is
# there; CC and CXX; halogen and pkg-config find what is installed.
set -u
tried=0 texts=0 left=0
specs= # of the page so far, for listings in Fortran

broken() { # listing, place
    trap - EXIT
    echo "FAIL $2: this does not work:"
    cat "$1"
    echo '---- it says:'
    cat "$WORK/printed"
    exit 1
}

not_run() { # listing, place, reason
    left=$((left + 1))
    echo "not tried: $2: $3"
}

has() { # listing, place, program
    command -v "$3" >/dev/null && return 0
    not_run "$1" "$2" "there is no $3 here"
    rm -f "$WORK/printed"
    return 1
}

shown() {
    texts=$((texts + 1))
}

write() { # listing, place, file, > or >>
    tried=$((tried + 1))
    case $3 in
    */*) mkdir -p "${3%/*}" ;;
    esac
    if [ "$4" = '>>' ]; then cat "$1" >>"$3"; else cat "$1" >"$3"; fi
}

generated() { # listing, place, file
    tried=$((tried + 1))
    [ "$1" -ef "$3" ] || cp "$1" "$3"
    # A file that returns no spec is one to include.
    grep -q 'return spec' "$3" || return 0
    halogen "$3" -o generated >"$WORK/printed" 2>&1 || broken "$1" "$2"
    specs="$specs $3"
}

prepared() { # listing, place, spec
    specs="$specs $3"
    halogen "$3" -o generated --emit c,cxx --keep-unchanged >"$WORK/printed" 2>&1 || broken "$1" "$2"
}

built() { # listing, place, program, spec
    halogen "$4" -o frame >"$WORK/printed" 2>&1 || broken "$1" "$2"
    # shellcheck disable=SC2046 # words
    $CC -Iframe "$3" frame/*.c $(pkg-config --cflags --libs hx) -Wl,-rpath,"$(pkg-config --variable=libdir hx)" -o app \
        >"$WORK/printed" 2>&1 || broken "$1" "$2"
}

refused() {
    tried=$((tried + 1))
    cp "$1" "$3"
    halogen "$3" -o generated >"$WORK/printed" 2>&1 && status=0 || status=$?
    [ "$status" = 1 ] || broken "$1" "$2, which is to be refused"
}

compiled() { # listing, place, language, [directory of headers]
    tried=$((tried + 1))
    if [ "$3" = c ]; then
        grep -q 'hx/openmp' "$1" && openmp=-fopenmp || openmp=
        # shellcheck disable=SC2046,SC2086 # words
        $CC -x c -std=c11 -Wall -Wextra -Werror -fsyntax-only $openmp -Igenerated ${4:+"-I$4"} $(pkg-config --cflags hx) \
            "$1" >"$WORK/printed" 2>&1
    else
        grep -q '\.hpp"' "$1" && standard=c++17 || standard=c++11
        # shellcheck disable=SC2046
        $CXX -x c++ -std=$standard -Wall -Wextra -Werror -fsyntax-only -Igenerated $(pkg-config --cflags hx) "$1" >"$WORK/printed" 2>&1
    fi || broken "$1" "$2"
}

# The modules of the specs come first; those of a listing are kept for the next one.
compiled_fortran() { # listing, place
    tried=$((tried + 1))
    mkdir -p modules
    fortran='mpifort -std=f2018 -Wall -Wextra -pedantic -Werror -fsyntax-only -Jmodules'
    (
        set -e
        for source in $(pkg-config --variable=fortran_sources hx); do
            case $source in *.f90) $fortran "$source" ;; esac
        done
        for spec in $specs; do
            halogen "$spec" -o modules --emit fortran --keep-unchanged
            $fortran "modules/$(sed -n 's/^return spec "\([a-z0-9_]*\)".*/\1/p' "$spec")_module.f90"
        done
        cp "$1" modules/listing.f90
        $fortran modules/listing.f90
    ) >"$WORK/printed" 2>&1
    # Not behind || above, where set -e has no effect.
    [ $? = 0 ] || broken "$1" "$2"
}

is_python() { # listing, place
    tried=$((tried + 1))
    python3 -c 'import sys; compile(open(sys.argv[1]).read(), sys.argv[1], "exec")' "$1" >"$WORK/printed" 2>&1 || broken "$1" "$2"
}

is_json() { # listing, place
    tried=$((tried + 1))
    python3 -c 'import json, sys; json.load(open(sys.argv[1]))' "$1" >"$WORK/printed" 2>&1 || broken "$1" "$2"
}

python_runs() { # listing, place
    tried=$((tried + 1))
    python3 "$1" >"$WORK/printed" 2>&1 || broken "$1" "$2"
}

python_raises() { # listing, place
    tried=$((tried + 1))
    python3 "$1" >"$WORK/printed" 2>&1 && broken "$1" "$2, which is to raise"
    return 0
}

# Between these two a page's own commands run, and the first one that fails ends them.
runs() { # listing, place
    tried=$((tried + 1))
    running=$1
    running_at=$2
    trap 'broken "$running" "$running_at"' EXIT
    set -e
}

ran() {
    trap - EXIT
    set +e
}

# Each word that is no number, file or directory stands in the help of ./dev.
known() { # listing, place, word...
    place=$2
    shift 2
    for word in "$@"; do
        case $word in
        [0-9]* | [A-Z]* | */* | *=*) ;;
        *)
            grep -q -w -e "$word" "$WORK/help" || {
                echo "FAIL $place: ./dev help does not know '$word'"
                exit 1
            }
            ;;
        esac
    done
}

a_test() { # listing, place, name
    grep -q -F "\"name\": \"$3\"" "$WORK/tests" || {
        echo "FAIL $2: there is no test '$3'"
        exit 1
    }
}

printed() { # listing, place, [what may be printed instead]
    if [ ! -f "$WORK/printed" ]; then
        not_run "$1" "$2" 'nor what is printed'
        return
    fi
    tried=$((tried + 1))
    tr -s ' ' <"$WORK/printed" >"$WORK/said"
    if [ -n "${3:-}" ] && grep -q -F -e "$3" "$WORK/said"; then return; fi
    while read -r line; do
        case $line in
        '' | ...) continue ;;
        esac
        printf '%s\n' "$line" | tr -s ' ' >"$WORK/line"
        grep -q -F -f "$WORK/line" "$WORK/said" || {
            echo "FAIL $2: '$line' is not printed, but:"
            cat "$WORK/printed"
            exit 1
        }
    done <"$1"
}

finished() {
    echo "$page: $tried tried, $left not, $texts texts"
}
