# Puts tables of keys, as lua/reference.lua prints them, into a page: between a line `<!-- keys of VERB … -->` and the line
# `<!-- end of keys -->`.  Fails where a table has no such place, or a place no table.
#
# usage: awk -f reference.awk TABLES PAGE.md

FNR == NR {
    if (/^keys of /) {
        verb = $3
        verbs[++count] = verb
    } else {
        table[verb] = table[verb] $0 "\n"
    }
    next
}

/^<!-- keys of / {
    print
    if (!($4 in table)) {
        print FILENAME ":" FNR ": there is no verb " $4 " with keys" > "/dev/stderr"
        failed = 1
    }
    printf "%s", table[$4]
    placed[$4] = skipping = 1
    next
}
/^<!-- end of keys -->/ { skipping = 0 }
!skipping { print }

END {
    for (i = 1; i <= count; ++i) {
        if (!(verbs[i] in placed)) {
            print FILENAME ": there is no place for the keys of " verbs[i] > "/dev/stderr"
            failed = 1
        }
    }
    exit failed
}
