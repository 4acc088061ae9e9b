#!/bin/sh
# Run by meson dist: a tarball has no repository, so a file tells which commit it is of.
set -eu
git -C "$MESON_SOURCE_ROOT" rev-parse --short=12 HEAD >"$MESON_DIST_ROOT/runtime/base/version_commit.txt"
