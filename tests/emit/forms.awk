# Prints the names of the files that have a line of a form that no file before had.  Lines are of one form where they differ
# in words, numbers and what braces hold: so few headers have all that a template can make.

/^ *\/?\*/ { next }

{
    form = ""
    line = $0
    while (match(line, /((hx|base|std)::)?[A-Za-z_][A-Za-z0-9_]*/)) {
        word = substr(line, RSTART, RLENGTH)
        form = form substr(line, 1, RSTART - 1) (word ~ /::/ ? word : "_")
        line = substr(line, RSTART + RLENGTH)
    }
    form = form line
    gsub(/[{][^{}]*[}]/, "{}", form)
    gsub(/[0-9]+/, "0", form)
    gsub(/_( _)+/, "_", form)
    if (!(form in seen) && !(FILENAME in told)) {
        told[FILENAME]
        print FILENAME
    }
    seen[form]
}
