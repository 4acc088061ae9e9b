# Reads tests/rules/rooms and the files that it is about, and tells what goes against the order of rooms.
# usage: awk -f rooms.awk -v root=ROOT ROOMS

function fault(text) {
    print "FAIL " text
    ++faults
}

function folder_of(path) {
    return path ~ /\// ? substr(path, 1, match(path, /\/[^\/]*$/) - 1) : "."
}

# The room of a file, a path below its tree: the longest of the tree's folders that it lies in.
function room_of(path,    folder) {
    for (folder = folder_of(path); folder != "." && !((tree, folder) in floor_of); folder = folder_of(folder))
        ;
    return folder == "." && path ~ /\// ? "" : folder
}

# foo.c and foo.h are one unit: what one of them uses, the other does.
function unit_of(path) {
    sub(/\.[^.\/]*$/, "", path)
    return path
}

function file_of(path) {
    path = unit_of(path)
    sub(/^.*\//, "", path)
    return path
}

function is_left_out(path,    i) {
    for (i = 1; i <= left_out; ++i)
        if (index(path, without[i] "/") == 1)
            return 1
    return 0
}

# Notes that a line of a file uses a file of the tree.
function use(from, number, to,    here, there) {
    here = room_of(from)
    there = room_of(to)
    if (here == "" || there == "")
        return
    if (floor_of[tree, there] > floor_of[tree, here])
        fault(tree "/" from ":" number ": " here " uses " to ", which lies above it")
    ways += here != there
    if (here != there && !((tree, here, there) in needed))
        needed[tree, here, there] = tree "/" from ":" number
    from_unit[++uses] = unit_of(from)
    to_unit[uses] = unit_of(to)
    line_of[uses] = tree "/" from ":" number
    crosses[uses] = here != there
}

function read_c(path, number, line,    name, near) {
    if (!match(line, /^ *# *include *[<"][^>"]*/))
        return
    name = substr(line, RSTART, RLENGTH)
    sub(/^ *# *include *[<"]/, "", name)
    near = folder_of(path) == "." ? name : folder_of(path) "/" name
    if ((tree, near) in is_file)
        use(path, number, near)
    else if ((tree, name) in is_file)
        use(path, number, name)
    else if ((tree, "include/" name) in is_file)
        use(path, number, "include/" name)
}

function read_lua(path, number, line,    name) {
    sub(/--.*/, "", line)
    while (match(line, /(^|[^A-Za-z0-9_.])require *["(] *[^ ,)]*/)) {
        name = substr(line, RSTART, RLENGTH)
        line = substr(line, RSTART + RLENGTH)
        sub(/^.*require *\(? */, "", name)
        if (name !~ /^"/) {
            if (floor_of[tree, room_of(path)] < floors)
                fault(tree "/" path ":" number ": only files of the top floor may require what no text names")
            continue
        }
        gsub(/"/, "", name)
        gsub(/\./, "/", name)
        if (name ~ /\/$/) # require("grids." .. kind): some module of a folder
            use(path, number, name "any")
        else if ((tree, name ".lua") in is_file)
            use(path, number, name ".lua")
        else
            fault(tree "/" path ":" number ": there is no module " name)
    }
}

# Marks all units that a unit uses, and that those use.
function reach(unit,    waiting, list, next_one, i) {
    if ((unit, unit) in reaches)
        return
    reaches[unit, unit]
    list[waiting = 1] = unit
    while (waiting > 0)
        for (i = split(follows[list[waiting--]], next_one, SUBSEP); i > 0; --i)
            if (next_one[i] != "" && !((unit, next_one[i]) in reaches)) {
                reaches[unit, next_one[i]]
                list[++waiting] = next_one[i]
            }
}

function find_circles(    i) {
    for (i = 1; i <= uses; ++i)
        follows[from_unit[i]] = follows[from_unit[i]] SUBSEP to_unit[i]
    for (i = 1; i <= uses; ++i) {
        if (!crosses[i])
            continue
        reach(to_unit[i])
        if ((to_unit[i], from_unit[i]) in reaches)
            fault(line_of[i] ": a circle: " to_unit[i] " leads back to " from_unit[i])
    }
}

# A README may say which rooms its files use, "Uses `base` and `grid`." or "Uses all rooms but `create`."
function look_at_uses(room, path, text,    all, count, i, key, parts, named) {
    if (!match(text, /\nUses /))
        return
    text = substr(text, RSTART)
    match(text, /\.[ \n]/)
    text = substr(text, 1, RSTART)
    all = text ~ / all /
    if (all)
        sub(/^.* but /, "", text)
    count = split(text, parts, "`")
    for (i = 2; i <= count; i += 2)
        named[parts[i]]
    for (i = 1; i <= rooms; ++i) {
        key = tree SUBSEP room SUBSEP room_at[i]
        if (key in needed && room_at[i] != "include/hx" && (room_at[i] in named) == all)
            fault(path (all ? " rules out `" : " does not name `") room_at[i] "`, which is used at " needed[key])
    }
}

# Each room says what it is for, and names each of its files: `plan` stands for plan.c and plan.h.
function look_at_readme(room, files, list,    path, line, text, words, parts, named, count, i) {
    path = tree "/" room "/README.md"
    sub(/\/\.\//, "/", path)
    while ((getline line < (root "/" path)) > 0)
        text = text line "\n"
    close(root "/" path)
    if (text == "")
        fault(path " is missing")
    look_at_uses(room, path, text)
    count = split(text, parts, "`")
    for (i = 2; i <= count; i += 2)
        named[file_of(parts[i])]
    for (i = 1; i <= files; ++i)
        if (folder_of(list[i]) == room && !(file_of(list[i]) in named)) {
            fault(path " does not name " file_of(list[i]))
            named[file_of(list[i])]
        }
}

function finish_tree(    command, path, i, number, line, files, list) {
    if (tree == "")
        return
    command = "cd '" root "/" tree "' && find . -type f | sort"
    while ((command | getline path) > 0) {
        sub(/^\.\//, "", path)
        if (!is_left_out(path) && match(path, /\.[^.\/]*$/) && substr(path, RSTART + 1) in ending) {
            is_file[tree, path]
            list[++files] = path
            if (room_of(path) == "")
                fault(tree "/" path " lies in no room")
        }
    }
    close(command)
    if (files == 0)
        fault(tree " has no files")
    for (i = 1; i <= files; ++i) {
        number = 0
        while ((getline line < (root "/" tree "/" list[i])) > 0)
            if (list[i] ~ /\.lua$/)
                read_lua(list[i], ++number, line)
            else
                read_c(list[i], ++number, line)
        close(root "/" tree "/" list[i])
    }
    for (i = 1; i <= rooms; ++i)
        look_at_readme(room_at[i], files, list)
    find_circles()
    print tree ": " files " files, " floors " floors, " ways " uses of other rooms"
}

function start_tree(    i) {
    finish_tree()
    tree = $2
    floors = left_out = uses = ways = rooms = 0
    split("", follows)
    split("", reaches)
    split("", ending)
    for (i = 3; i <= NF; ++i)
        ending[$i]
}

/^#/ || NF == 0 { next }
$1 == "tree" { start_tree(); next }
$1 == "without" { for (i = 2; i <= NF; ++i) without[++left_out] = $i; next }
{
    ++floors
    for (i = 1; i <= NF; ++i)
        floor_of[tree, room_at[++rooms] = $i] = floors
}

END {
    finish_tree()
    exit faults > 0
}
