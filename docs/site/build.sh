#!/bin/sh
# Makes a site of the documents with pandoc: docs/site/build.sh DIRECTORY
#
# DIRECTORY/index.html is README.md.  docs/site/navigation lists the pages, in their order.
set -eu
out=$1
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
site=$root/docs/site
mkdir -p "$out"
out=$(CDPATH='' cd -- "$out" && pwd)
cd "$root"

# The page of a document: where in DIRECTORY it lies.
page_of() {
    page=${1#docs/}
    page=${page%.md}.html
    [ "$1" != README.md ] || page=index.html
    echo "$page"
}

# A list for each heading; this page's own entry is no link.
navigation_for() ( # page, way to the top
    listed=false
    while read -r document title; do
        case $document in
        '' | '#') continue ;;
        =)
            ! $listed || echo '</ul>'
            printf '<p>%s</p>\n<ul>\n' "$title"
            listed=true
            continue
            ;;
        esac
        there=$(page_of "$document")
        if [ "$there" = "$1" ]; then
            printf '<li><strong>%s</strong></li>\n' "$title"
        else
            printf '<li><a href="%s%s">%s</a></li>\n' "$2" "$there" "$title"
        fi
    done <"$site/navigation"
    echo '</ul>'
)

cp -R docs/pictures "$out/"
cp "$site/style.css" "$out/"
while read -r document title; do
    case $document in
    '' | '#' | =) continue ;;
    esac
    page=$(page_of "$document")
    top=
    case $page in
    */*) top=../ ;;
    esac
    mkdir -p "$out/$(dirname "$page")"
    navigation_for "$page" "$top" >"$out/navigation.html"
    DOCUMENT=$document pandoc --from gfm --to html5 --standalone --template "$site/page.html" --lua-filter "$site/links.lua" \
        --metadata "title=$title" --variable "top=$top" --include-before-body "$out/navigation.html" --output "$out/$page" "$document"
done <"$site/navigation"
rm "$out/navigation.html"
