# Sourced by the tests of this directory, which have set `build`, a build directory, and `work`, one of their own.

fail() {
    echo "FAIL $*"
    exit 1
}

# Skips the test where a program is missing.
needs() { # program...
    for program in "$@"; do
        if ! command -v "$program" >/dev/null; then
            echo "skipped: no '$program' on this machine"
            exit 77
        fi
    done
}

# The build that make_all does now has nothing to do, and says so by $nothing.
expect_nothing_to_do() { # when
    make_all >"$work/log" 2>&1 || true
    grep -q -- "$nothing" "$work/log" || {
        cat "$work/log"
        fail "$1, second build: there was something to do"
    }
}

# Installs what is built, and moves it to $prefix.
prefix="$work/a prefix"
stage() {
    rm -rf "$work"
    mkdir -p "$work"
    DESTDIR="$work/staged" meson install -C "$build" --no-rebuild --quiet >"$work/log" 2>&1 || {
        cat "$work/log"
        fail 'does not install'
    }
    header=$(find "$work/staged" -name hx.h)
    if nm -D "$(find "$work/staged" -name libhx.so)" | grep -q -E '__(a|ub)san_'; then
        echo 'skipped: this libhx is built with a sanitizer, which users do not link with'
        exit 77
    fi
    mv "${header%/include/hx/hx.h}" "$prefix"
    PKG_CONFIG_PATH=$(find "$prefix" -type d -name pkgconfig)
    export PKG_CONFIG_PATH PATH="$PATH:$prefix/bin"
}
