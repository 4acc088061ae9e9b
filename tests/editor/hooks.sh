#!/bin/sh
# Editors show what halogen says of a spec: the listings of docs/editors.md, run in the editor itself; for VS Code its task is
# run, and its pattern matched.
#
# usage: hooks.sh HALOGEN SOURCE_ROOT neovim|emacs|vscode
set -eu
halogen=$(realpath "$1") root=$2 editor=$3
case $editor in
neovim) program=nvim ;;
emacs) program=emacs ;;
vscode) program=python3 ;;
esac
command -v "$program" >/dev/null || {
    echo "there is no $program here"
    exit 77
}
here=$root/tests/editor
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin" "$work/home"
ln -s "$halogen" "$work/bin/halogen"
export PATH="$work/bin:$PATH" HOME="$work/home"

# The text of the listing with file=NAME.
listing() {
    awk -v name="file=$1" '/^```/ { inside = !inside && index($0, name); next } inside' "$root/docs/editors.md"
}

# An error and a warning on lines with letters of two bytes before them, and one in another file.
cat >"$work/more.lua" <<'END'
local grid = cartesian { axes = "xyz", periodic = "xz" }
return grid, field "unused" { on = grid, type = "double", halo = 1 }
END
cat >"$work/spec.lua" <<'END'
local grid = include "more.lua"
local u = field "u" { on = grid, type = "double", halo = 1 }
--[[ ä ö ]] local p = field "p" { on = grid, type = "double", halo = 1 }
--[[ é ]]
return spec "channel" { exchange "e" { u, width = 2 } }
END
cat >"$work/expected" <<'END'
3:31-34 warning HG1701 field "p" is in no exchange
5:51-52 error HG1504 exchange "e" fills 2 layers of field "u" on the low side of x, where its halo has 1
END

cd "$work"
case $editor in
neovim)
    listing halogen.lua >halogen.lua
    SHOWN=$work/shown timeout 60 nvim --headless -i NONE -u NONE -c 'luafile halogen.lua' -c "edit $work/spec.lua" \
        -c "luafile $here/neovim.lua"
    ;;
emacs)
    listing halogen.el >halogen.el
    SPEC=$work/spec.lua timeout 60 emacs -Q --batch -l halogen.el -l "$here/emacs.el" >shown 2>said || {
        cat said
        exit 1
    }
    ;;
vscode)
    listing tasks.json >tasks.json
    python3 "$here/vscode.py" tasks.json "$work/spec.lua" >shown
    # It has no ends of columns, and shows other files, too.
    sed -i 's/-[0-9]* / /' expected
    echo 'more.lua 2:20 warning HG1701 field "unused" is in no exchange' >>expected
    ;;
esac
export LC_ALL=C
sort -o expected expected
sort -o shown shown
diff expected shown || {
    echo "FAIL $editor shows other diagnostics (>) than it should (<)"
    exit 1
}
echo "$editor shows what it should"
