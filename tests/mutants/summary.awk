# Of the logs of tests/mutants.sh: how many mutants were killed, by what, and which nothing could kill.
#
#   awk -f summary.awk LOG...
/^ok [0-9]+ - .*: .*, by [a-z0-9]+ / {
    killed++
    by = $0
    sub(/^.*, by /, "", by)
    split(by, words, " ")
    kind = words[1] ~ /^(run|team)/ ? "a run on PoCL" : words[1] == "device" ? "a test on PoCL" : words[1] == "host" ? "a test on the host's threads" : \
        words[1] == "tsan" ? "the thread sanitizer" : words[1] == "races" ? "Oclgrind's race detector" : "a limit that is told"
    kinds[kind]++
}
/^ok [0-9]+ - .* still applies \(nothing kills it: / {
    sub(/^ok [0-9]+ - /, "")
    sub(/ still applies/, "")
    left[++nothing] = $0
}
/ # SKIP / { skipped++ }
END {
    printf "mutants: %d killed, %d that nothing could kill, %d skipped\n", killed, nothing, skipped
    for (kind in kinds) printf "  %4d by %s\n", kinds[kind], kind
    for (i = 1; i <= nothing; i++) print "  " left[i]
}
