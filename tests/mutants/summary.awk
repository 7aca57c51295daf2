# Of the TAP lines of tests/mutants/mutants.sh: how many mutants were killed, by what; which nothing could kill; and which survive.
#
#   awk [-v mutants=N] -f summary.awk FILE...       N: how many there are, of which some may not have been tried
BEGIN {
    kind["run"] = kind["run4"] = kind["own"] = kind["team"] = kind["limit"] = "a run on PoCL"
    kind["study"] = kind["stealing"] = "a campaign on PoCL"
    kind["device"] = kind["library"] = "a test on PoCL"
    kind["races"] = "Oclgrind's race detector"
    kind["text"] = "a test of the sources as texts"
    kind["host"] = "a test on the host's threads"
    kind["unit"] = "a test of the host program"
    kind["tsan"] = "the thread sanitizer"
    kind["every"] = "all interleavings, or executions, of small teams"
}
/^ok [0-9]+ - .*: .*, by [a-z0-9]+ / {
    killed++
    by = $0
    sub(/^.*, by /, "", by)
    sub(/ .*/, "", by)
    kinds[kind[by]]++
    if (/: deadline, by /) waited++
}
/^ok [0-9]+ - .* still applies \(nothing kills it: / {
    sub(/^ok [0-9]+ - /, "")
    sub(/ still applies/, "")
    left[++nothing] = $0
}
/^not ok [0-9]+ - .* survives / {
    sub(/^not ok [0-9]+ - /, "")
    alive[++survivors] = $0
}
/ # SKIP / { skipped++ }
/^not ok [0-9]+ - / && !/ survives / {
    sub(/^not ok [0-9]+ - /, "")
    odd[++others] = $0
}
END {
    printf "mutants: %d killed, %d that nothing could kill, %d survivors, %d skipped", killed, nothing, survivors, skipped
    if (others) printf ", %d that failed otherwise", others
    if (mutants) printf ", %d not tried", mutants - killed - nothing - survivors - skipped - others
    printf "\n"
    for (by in kinds) printf "  %4d by %s\n", kinds[by], by
    if (waited) printf "  %4d of these by a deadline\n", waited
    for (i = 1; i <= nothing; i++) print "  " left[i]
    for (i = 1; i <= survivors; i++) print "  " alive[i]
    for (i = 1; i <= others; i++) print "  " odd[i]
}
