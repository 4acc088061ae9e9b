#!/bin/sh
# A tarball made by meson dist has all that a checkout has, builds without a repository of its own, and knows its commit.
#
# usage: dist.sh BUILD_DIRECTORY SOURCE_ROOT WORK_DIRECTORY
set -eu
build=$1
root=$2
work=$3

fail() {
    echo "FAIL $*"
    exit 1
}

# step WORDS COMMAND...
step() {
    when=$1
    shift
    "$@" >"$work/log" 2>&1 || {
        cat "$work/log"
        fail "$when"
    }
}

rm -rf "$work"
mkdir -p "$work"
if [ ! -e "$root/.git" ] || ! commit=$(git -C "$root" rev-parse HEAD 2>"$work/log"); then
    echo "skipped: no git, or no repository in $root, which is what a tarball is made of"
    exit 77
fi

step 'there is no tarball' meson dist -C "$build" --no-tests --allow-dirty --formats gztar
tar -xzf "$build"/meson-dist/halogen-*.tar.gz -C "$work"
cd "$work"/halogen-*
{
    git -C "$root" ls-tree -r --name-only HEAD
    echo runtime/base/version_commit.txt
} | sort >"$work/expected"
find . -type f | sed 's|^\./||' | sort | diff "$work/expected" - || fail 'files of the commit (<) and of the tarball (>) differ'

# A repository around it is not the one that it comes from.
git init -q "$work"
git -C "$work" -c user.name=someone -c user.email=someone@example.org commit -q --allow-empty -m 'another repository'
step 'the tarball cannot be configured' meson setup build -Dtests=false -Dcuda=disabled -Dbuildtype=debug
step 'the tarball does not build' ninja -C build gen/halogen runtime/version_commit.h
built=$(sed -n 's/^#define HX_COMMIT "\(.*\)"$/\1/p' build/runtime/version_commit.h)
case $commit in
"$built"*) ;;
*) fail "libhx of the tarball says that it is of commit '$built', which is $commit" ;;
esac
step 'the halogen of the tarball does not generate' build/gen/halogen specs/wave/wave.lua -o generated
[ -s generated/wave.c ] || fail 'the halogen of the tarball writes no wave.c'
echo 'all is well'
