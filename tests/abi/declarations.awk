# Turns headers of libhx into the lines of a C program that prints what a compiler makes of them: sizes and offsets of
# structs, values of constants, and functions and types as they are declared, without names of parameters.
#
# It knows the C of these headers, not all of C: no bit fields, no struct in a struct.

function print_line(text) {
    printf "    puts(\"%s %s\");\n", header, text
}

function print_numbers(text, numbers) {
    printf "    printf(\"%s %s\\n\", %s);\n", header, text, numbers
}

# The name that a declarator declares: "*const link[4]" -> "link", "(*owner)(int)" -> "owner".
function declared(text) {
    if (match(text, /\(\*[a-z_]+\)/))
        return substr(text, RSTART + 2, RLENGTH - 3)
    gsub(/\[[^]]*\]/, "", text)
    sub(/ +$/, "", text)
    match(text, /[A-Za-z_0-9]+$/)
    return substr(text, RSTART)
}

function structure(name, body,    members, parts, count, i, j, declarators, member) {
    # A program tells the library how large these are.
    if (name != "hx_options" && name != "hx_window_request")
        print_numbers("struct " name ": %zu bytes, aligned to %zu", "sizeof(" name "), _Alignof(" name ")")
    count = split(body, members, ";")
    for (i = 1; i <= count; ++i) {
        declarators = members[i] ~ /\(\*/ ? split(members[i], parts, "\n") : split(members[i], parts, ",")
        for (j = 1; j <= declarators; ++j) {
            member = declared(parts[j])
            if (member != "")
                print_numbers(name "." member ": at %zu, %zu bytes", "offsetof(" name ", " member \
                    "), sizeof(((" name " *)0)->" member ")")
        }
    }
}

function enumeration(body,    constants, count, i, name) {
    count = split(body, constants, ",")
    for (i = 1; i <= count; ++i) {
        name = constants[i]
        sub(/=.*/, "", name)
        gsub(/ /, "", name)
        if (name != "")
            print_numbers(name " = %d", "(int)" name)
    }
}

# "hx_status f(int rank, const int n[])" -> "hx_status f(int, const int [])"
function without_names(text,    open, list, parameters, count, i, parameter) {
    open = index(text, "(")
    list = substr(text, open + 1, length(text) - open - 1)
    text = substr(text, 1, open)
    count = split(list, parameters, ",")
    for (i = 1; i <= count; ++i) {
        parameter = parameters[i]
        gsub(/^ +| +$/, "", parameter)
        if (parameter != "void" && match(parameter, /[a-z_0-9]+(\[[^]]*\])?$/))
            parameter = substr(parameter, 1, RSTART - 1) (parameter ~ /\]$/ ? "[]" : "")
        sub(/ +$/, "", parameter)
        text = text (i > 1 ? ", " : "") parameter
    }
    return text ")"
}

function statement(text,    open, close_at, name, body) {
    gsub(/[ \n\t]+/, " ", text)
    gsub(/^ | $/, "", text)
    open = index(text, "{")
    match(text, /\}[^}]*$/)
    close_at = RSTART
    name = substr(text, close_at + 1)
    gsub(/ /, "", name)
    body = substr(text, open + 1, close_at - open - 1)
    if (text ~ /^typedef struct .*\{/)
        structure(name, body)
    else if (text ~ /^(typedef )?enum .*\{/)
        enumeration(body)
    else if (text ~ /^typedef struct /)
        print_line(text)
    else if (text ~ /\(/)
        print_line(without_names(text))
}

FNR == 1 {
    header = FILENAME
    sub(/.*\//, "", header)
}

# Preprocessor lines, with those that continue them, and what is for C++ only.
/^#ifdef __cplusplus/ { foreign = 1 }
/^#e(lse|lif|ndif)/ { foreign = 0 }
/^#/ || continued { continued = /\\$/; next }
foreign { next }

{
    line = line " " $0
    while (match(line, /\/\*/)) {
        start = RSTART
        rest = substr(line, start + 2)
        end = index(rest, "*/")
        if (!end)
            next
        line = substr(line, 1, start - 1) substr(rest, end + 2)
    }
    for (at = 1; at <= length(line); ++at) {
        letter = substr(line, at, 1)
        depth += (letter == "{") - (letter == "}")
        if (letter == "}" && depth == 0 && pending ~ /^ *static inline /) {
            pending = "" # programs have it in them
        } else if (letter == ";" && depth == 0) {
            statement(pending)
            pending = ""
        } else {
            pending = pending letter
        }
    }
    pending = pending " "
    line = ""
}
