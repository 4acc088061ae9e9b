#!/bin/sh
# What debian/ says of the packages fits what is installed, in seconds; ./dev package builds them.
#
# usage: debian.sh BUILD_DIRECTORY SOURCE_ROOT WORK_DIRECTORY
set -eu
build=$1
root=$2
work=$3
. "$root/tests/install/stage.sh"

stage
cd "$prefix"
library=$(find . -name libhx.so | sed 's|^\./||; s|/libhx.so$||')

# One version: of the packages, and of the headers.
header=$(sed -n 's/^#define HX_VERSION_[A-Z]* \([0-9]*\)$/\1/p' include/hx/version.h | paste -sd .)
version=$(sed -n '1s/^halogen (\([^)]*\)).*/\1/p' "$root/debian/changelog")
[ "${version%%~*}" = "$header" ] || fail "debian/changelog is of version $version, and hx/version.h of $header"

# The package of the library is named after what programs ask for.
soname=$(readelf -d "$library/libhx.so" | sed -n 's/.*(SONAME).*\[\(.*\)\]/\1/p')
grep -q -x "Package: $(echo "$soname" | sed 's/\.so\.//')" "$root/debian/control" || fail "debian/control has no package for $soname"

# Each installed file is in one package, and each line of debian/*.install stands for a file.
find . ! -type d | sed "s|^\./||; s|^$library/|lib/TRIPLET/|; s|^|usr/|" | sort >"$work/installed"
cat "$root"/debian/*.install | while read -r pattern _; do
    # A directory stands for all that is in it; * for anything but a slash.
    expression="^$(echo "$pattern" | sed 's/[.+]/\\&/g; s|\*|[^/]*|g')(/|\$)"
    grep -E "$expression" "$work/installed" || echo "$pattern is not installed"
done | sort >"$work/packed"
diff "$work/installed" "$work/packed" || fail 'installed files (<) and those that packages take (>) differ'

# What builds the packages is what ./dev package installs.
sed -n '/^Build-Depends/,/^[A-Z][^:]*:/p' "$root/debian/control" | grep -v '^[S-Z]' | sed 's/^Build-Depends[^:]*://' | tr ',' '\n' |
    sed 's/(.*//; s/<.*//; s/ //g; s/^debhelper-compat$/debhelper/' | sort -u | while read -r package; do
    [ -z "$package" ] || grep -q -E "^(build|package) +$package\$" "$root/dev" || fail "./dev package does not install $package"
done
echo 'all is well'
