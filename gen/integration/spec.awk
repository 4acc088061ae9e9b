# Turns docs/spec-language.md into the manual page halogen-spec(5), and after it the index of diagnostics, as lua/base/diagnostic.lua
# writes it.
#
# It knows the Markdown of these files: sections, paragraphs, lists, tables, blocks of code; `code`, **strong** and *emphasis*.

BEGIN {
    print ".\\\" Made from docs/spec-language.md by gen/integration/spec.awk."
    print ".Dd November 21, 2026\n.Dt HALOGEN-SPEC 5\n.Os"
    print ".Sh NAME\n.Nm halogen-spec\n.Nd the language of specs for halogen\n.Sh DESCRIPTION"
}

# Text of a program: each character stands for itself.
function literal(text) {
    gsub(/\\/, "\\e", text)
    gsub(/-/, "\\-", text)
    gsub(/'/, "\\(aq", text)
    gsub(/`/, "\\(ga", text)
    gsub(/\^/, "\\(ha", text)
    gsub(/~/, "\\(ti", text)
    gsub(/"/, "\\(dq", text)
    return text
}

# All of the text in which `mark` stands around words, with these in another font.
function in_font(text, mark, font,    parts, count, i, out) {
    count = split(text, parts, mark)
    out = parts[1]
    for (i = 2; i <= count; ++i)
        out = out (i % 2 == 0 ? "\\f" font : "\\fR") parts[i]
    return out
}

function plain(text) {
    gsub(/"/, "\\(dq", text)
    return in_font(in_font(text, "[*][*]", "B"), "[*]", "I")
}

# A line of prose: what stands between backquotes is code.
function prose(text,    parts, count, i, out) {
    count = split(text, parts, "`")
    for (i = 1; i <= count; ++i)
        out = out (i % 2 == 1 ? plain(parts[i]) : "\\fB" literal(parts[i]) "\\fR")
    return out
}

function print_prose(text) {
    text = prose(text)
    gsub(/[.] /, ".\n", text)
    sub(/^[.']/, "\\\\\\&&", text)
    print text
}

function end_paragraph() {
    if (paragraph != "")
        print_prose(paragraph)
    paragraph = ""
}

function start_paragraph() {
    if (!fresh && paragraph == "")
        print ".Pp"
    fresh = 0
}

function end_list() {
    end_paragraph()
    if (in_list)
        print ".El"
    in_list = 0
}

function end_table() {
    if (rows > 0)
        print ".El"
    rows = 0
}

# The first cell is what the row is about; the others are told in order, most of them with the head of their column.
function table_row(line,    cells, count, i) {
    gsub(/^\| *| *\|$/, "", line)
    count = split(line, cells, / *\| */)
    if (++rows == 1) {
        for (i = 1; i <= count; ++i)
            head[i] = cells[i] == "value" ? "" : cells[i]
        print ".Bl -tag -width Ds"
        return
    }
    print ".It " prose(cells[1])
    for (i = 2; i <= count; ++i) {
        if (cells[i] != "")
            print_prose((head[i] == "" ? "" : head[i] ": ") cells[i] (i < count && cells[i + 1] != "" ? ";" : "."))
    }
}

/^# / { fresh = 1; next }

/^```/ {
    end_list()
    print (in_code = !in_code) ? ".Bd -literal -offset indent" : ".Ed"
    fresh = 0
    next
}
in_code {
    line = literal($0)
    sub(/^[.']/, "\\\\\\&&", line)
    print line
    next
}

!/^\|/ { end_table() }
/^<!--/ { next }
/^\|-/ { next }
/^\|/ { end_list(); table_row($0); fresh = 0; next }

/^- / {
    end_paragraph()
    if (!in_list)
        print ".Bl -bullet"
    in_list = fresh = 1
    print ".It"
    paragraph = substr($0, 3)
    next
}
in_list && /^  / {
    sub(/^ +/, "")
    paragraph = paragraph " " $0
    next
}
in_list && !/^$/ { end_list(); fresh = 0 }

/^##/ {
    end_paragraph()
    title = $0
    sub(/^#+ /, "", title)
    print (/^###/ ? ".Ss " prose(title) : ".Sh " toupper(title))
    fresh = 1
    next
}
/^$/ { end_paragraph(); next }
{
    start_paragraph()
    paragraph = paragraph (paragraph == "" ? "" : " ") $0
}

END {
    end_list()
    end_table()
    print ".Sh SEE ALSO\n.Xr halogen 1"
}
