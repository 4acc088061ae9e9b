#!/bin/sh
# Builds the Debian packages as someone without a repository would, from the tarball, and tries them: lintian has nothing
# to say, and debian/tests run with what is in the packages.  Nothing is installed on this machine.
#
# usage: package.sh BUILD_DIRECTORY WORK_DIRECTORY JOBS
set -eu
build=$1
rm -rf "$2"
mkdir -p "$2"
work=$(CDPATH='' cd -- "$2" && pwd)
jobs=$3

# step WORDS COMMAND...: what it says is shown if it fails.
step() {
    echo "$1"
    shift
    "$@" >"$work/log" 2>&1 || {
        cat "$work/log"
        exit 1
    }
}

step 'a tarball of the last commit' meson dist -C "$build" --no-tests --allow-dirty --formats xztar
tar -xf "$build"/meson-dist/halogen-*.tar.xz -C "$work"
cd "$work"/halogen-*/
step 'packages' env DEB_BUILD_OPTIONS="parallel=$jobs" dpkg-buildpackage -us -uc
step 'lintian' lintian --allow-root --fail-on error,warning "$work"/*.changes

# Libraries and files for pkg-config find each other in any tree, so that the tests need no installed package.
for package in "$work"/*.deb; do
    dpkg-deb -x "$package" "$work/tree"
done
libraries=$work/tree/usr/lib/$(dpkg-architecture -q DEB_HOST_MULTIARCH)
export PATH="$work/tree/usr/bin:$PATH" PKG_CONFIG_PATH="$libraries/pkgconfig" LD_LIBRARY_PATH="$libraries"
export PYTHONPATH="$work/tree/usr/lib/python3/dist-packages"
for name in $(sed -n 's/^Tests: //p' debian/tests/control); do
    step "debian/tests/$name" sh "debian/tests/$name"
done
find "$work" -maxdepth 1 -name '*.deb'
