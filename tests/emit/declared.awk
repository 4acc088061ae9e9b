# The names that a preprocessed C text declares at file scope, constants of enumerations too, one a line.
# Words of C are among them, which no name is either.
/^#/ { next }
{
    gsub(/"[^"]*"/, " ")
    while (match($0, /[A-Za-z_][A-Za-z0-9_]*|[0-9][0-9A-Za-z.]*|[^ \t]/)) {
        token = substr($0, RSTART, RLENGTH)
        $0 = substr($0, RSTART + RLENGTH)
        if (token ~ /[{(\[]/) {
            in_enum = depth == 0 ? token == "{" && enum : in_enum
            ++depth
        } else if (token ~ /[})\]]/) {
            --depth
        } else if (token ~ /^[A-Za-z]/ && (depth == 0 || depth == 1 && in_enum)) {
            print token
        }
        if (depth == 0) enum = token == "enum" || enum && token != ";"
    }
}
