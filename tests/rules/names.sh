#!/bin/sh
# How names begin in C: names.sh SOURCE_ROOT
#
#   hx_    is declared in runtime/include/hx, but for hx_f_, which is in runtime/fortran
#   hxi_   functions and types that other files of libhx use
#   hg_    types of the generator in gen/, but for gen/explain; as in libhx, all structs and enums have a typedef
set -u
cd "$1" || exit 2
failed=0

# Whatever comes in is a fault.
none() {
    if grep .; then
        echo "FAIL $1"
        failed=1
    fi
}

# What a header of a room declares or defines: types, functions, and functions within it.
declared() {
    sed -n 's/^typedef .*[ *(]\(hxi*_[a-z_0-9]*\)[;)].*/\1/p; s/^typedef [a-z]* \(hxi*_[a-z_0-9]*\) {$/\1/p; s/^[a-z][A-Za-z_0-9 ]*[ *]\(hxi*_[a-z_0-9]*\)(.*/\1/p' "$1"
}

headers=$(find runtime -name '*.h' ! -path 'runtime/include/*' ! -path 'runtime/fortran/*' | sort)
count=0
for header in $headers; do
    found=$(declared "$header")
    count=$((count + $(echo "$found" | grep -c .)))
    echo "$found" | grep '^hx_' | sed "s|^|$header: |"
done >"${TMPDIR:-/tmp}/names.$$"
none 'these look public: call them hxi_' <"${TMPDIR:-/tmp}/names.$$"
rm -f "${TMPDIR:-/tmp}/names.$$"
[ "$count" -ge 800 ] || { echo "FAIL too few names are found: $count"; failed=1; }

find runtime/fortran -name '*.h' ! -name '*.mod' -exec grep -n '^[a-z].*[ *]hx_[a-z_0-9]*(' {} + | grep -v '[ *]hx_f_[a-z_0-9]*(' |
    none 'what Fortran adds is called hx_f_'
find gen -name '*.[ch]' -exec grep -nE '^(struct|enum) [a-z_0-9]+ \{' {} + | none 'these want a typedef'
find gen -name '*.[ch]' ! -path 'gen/explain/*' -exec grep -nE '^typedef (struct|enum) [a-z_0-9]+' {} + | grep -vE 'typedef (struct|enum) hg_' |
    none 'types of gen are called hg_'
echo "$count names of libhx's own"
exit "$failed"
