# Of the names of tests, a line each, those of a sample: of tests that differ by their number of ranks alone, one.
#
# way=least: the least number above 1, which is the quickest that has messages between ranks.
# way=turns: each number from 2 to 4 in turn, so that all numbers are seen by some tests. A test that has none of them runs on
# its least above 1.
#
# share=0 or 1: of all but unit tests those whose names have an even or an odd length. So two builds divide them.

# Does another build have it?
function is_left(base) {
    return share != "" && base !~ /^unit / && length(base) % 2 != share
}

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
    if (!(base in only)) {
        order[++count] = base
        only[base] = $0
    }
    if (ranks > 1) {
        name[base, ranks] = $0
        if (!(base in least) || ranks < least[base]) {
            least[base] = ranks
        }
    }
}

# The number of ranks that a test gets whose turn it is.
function in_turn(base, turn,    n, fits, numbers) {
    for (n = 2; n <= 4; ++n) {
        if ((base, n) in name) {
            fits[numbers++] = n
        }
    }
    return numbers ? fits[turn % numbers] : least[base]
}

END {
    for (i = 1; i <= count; ++i) {
        base = order[i]
        if (is_left(base)) {
            continue
        }
        if (!(base in least)) {
            print only[base]
        } else {
            print name[base, way == "turns" ? in_turn(base, i) : least[base]]
        }
    }
}
