# Plants one mutant: awk -v mutant=NAME -f apply.awk FILE.mutants SOURCE prints the source with the mutant in it.
#
# The lines that a mutant replaces are found by their text, without the blanks at both ends, so that neither moved lines
# nor another indentation matter. Exit 3 where they are not there, or are there more than once: then nobody knows what
# the mutant would be a test of.

function trimmed(line)
{
    gsub(/^[ \t]+|[ \t]+$/, "", line)
    return line
}

# Whether hunk h stands at line `first` of the source.
function stands_at(h, first,    i)
{
    for (i = 1; i <= old_count[h]; i++)
        if (trimmed(source[first + i - 1]) != old[h, i]) return 0
    return 1
}

FNR == 1 { files++ }

files == 1 && /^mutant / { inside = $2 == mutant; if (inside) { found++; hunks = 1 } }
files == 1 && inside && /^@@/ { hunks++ }
files == 1 && inside && /^[- ]/ { old[hunks, ++old_count[hunks]] = trimmed(substr($0, 2)) }
files == 1 && inside && /^[+ ]/ { new[hunks, ++new_count[hunks]] = substr($0, 2) }
files == 2 { source[FNR] = $0; lines = FNR }

END {
    if (found != 1) {
        print "there are " found + 0 " mutants " mutant >"/dev/stderr"
        exit 3
    }
    for (h = 1; h <= hunks; h++) {
        places = 0
        for (i = 1; i + old_count[h] <= lines + 1; i++)
            if (old_count[h] > 0 && stands_at(h, i)) { places++; at[i] = h }
        if (places == 1) continue
        print mutant ": what it replaces is there " places " times: " old[h, 1] >"/dev/stderr"
        exit 3
    }
    for (i = 1; i <= lines; i++) {
        if (!(i in at)) { print source[i]; continue }
        for (k = 1; k <= new_count[at[i]]; k++) print new[at[i], k]
        i += old_count[at[i]] - 1
    }
}
