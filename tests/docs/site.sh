#!/bin/sh
# Builds the site of the documents, and follows each of its links: site.sh LUA SOURCE_ROOT WORK_DIRECTORY
set -eu
lua=$1
root=$2
work=$3
if ! command -v pandoc >/dev/null; then
    echo 'skipped: the site needs pandoc, of the Debian package of that name'
    exit 77
fi
rm -rf "$work"
sh "$root/docs/site/build.sh" "$work"
cd "$work"
find . -name '*.html' | sort | xargs "$lua" "$root/tests/docs/site.lua"

# Each document is a page.
cd "$root"
failed=0
for document in README.md $(find docs -name '*.md' | sort); do
    grep -q "^$document " docs/site/navigation || {
        echo "FAIL docs/site/navigation lacks $document"
        failed=1
    }
done
exit "$failed"
