#!/bin/sh
# tests/harness/device/core_gaps: what it prints, and what it refuses.
. "$srcdir/tests/tap.inc"

gaps() {
    ./tests/harness/device/core_gaps "$@"
}
one() {
    ends 0 gaps 1 0.05 && grep -qE '^1 threads: [0-9]+ gaps above 50 us in [01] of them; [0-9.]+ % of 0.05 s lost; the longest [0-9.]+ ms$' "$folder/out"
}
check 'a thread reads the clock for a while' one
# Stopped for a third of a second, it has a gap of that. On a busy machine it may be stopped before it reads at all: then again.
stopped() {
    stopped_once || stopped_once || stopped_once
}
stopped_once() {
    ./tests/harness/device/core_gaps 1 0.8 >"$folder/stopped" &
    sleep 0.2
    kill -STOP $!
    sleep 0.35
    kill -CONT $!
    wait $!
    awk '{ exit !($2 == "threads:" && $(NF - 1) >= 250 && $(NF - 1) < 5000) }' "$folder/stopped"
}
check 'a time in which it is stopped is a gap' stopped
for bad in '0 1' '2x 1' '1 0' '1 1y' '1' '1 1 1' '1 nan'; do
    # shellcheck disable=SC2086 # they are words
    check "refused: $bad" ends 2 gaps $bad
done
check 'there are not a thousand cores' ends 3 gaps 1000 1

tap_done
