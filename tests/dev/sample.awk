# Of the names of tests, a line each, those of a sample: of tests that differ by their number of ranks alone, the one with the least number above 1.

{
    ranks = 0
    base = $0
    if (match($0, /, [0-9]+ ranks/)) {
        ranks = substr($0, RSTART + 2) + 0
        base = substr($0, 1, RSTART - 1) substr($0, RSTART + RLENGTH)
    } else if (match($0, / on [0-9]+$/)) {
        ranks = substr($0, RSTART + 4) + 0
        base = substr($0, 1, RSTART - 1)
    }
    if (!(base in chosen)) {
        order[++count] = base
    } else if (ranks < 2 || (least[base] > 1 && ranks > least[base])) {
        next
    }
    chosen[base] = $0
    least[base] = ranks
}

END {
    for (i = 1; i <= count; ++i) {
        print chosen[order[i]]
    }
}
