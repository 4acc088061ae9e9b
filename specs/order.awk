# Prints the order of convergence from lines "CELLS ERROR", coarse to fine, and fails if it is below `least`.
NR == 1 {
    print "  cells       error   order"
    printf "  %5d   %.3e\n", $1, $2
}
NR > 1 {
    order = log(error / $2) / log($1 / cells)
    printf "  %5d   %.3e   %5.2f\n", $1, $2, order
    if (order < least) low = 1
}
{ cells = $1; error = $2 }
END {
    if (NR < 2 || low) print "the order is too low: at least " least " is expected"
    exit NR < 2 || low
}
