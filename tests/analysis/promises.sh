#!/bin/sh
# muster table promises: planted measurements of a probe give each verdict; the program that reproduces a row builds without
# muster, is short, and says that a device has no such barrier. Needs a C compiler and PoCL for the latter.
. "$srcdir/tests/tap.inc"
mkdir -p "$folder/results/chip-a"
records=$folder/results/chip-a/probe.jsonl

# measured EXPERIMENT MEMBERS [PARAMETERS [OUTCOME]]
measured() {
    printf '{%s,"schema":4,"kind":"probe","parameters":{"experiment":"%s","workgroup":64,"local_bytes":1%s},' "$2" "$1" "${3:-}"
    printf '"outcome":"%s","part":0,"parts":1,"chip":"chip-a","compute_units":8,"platform":"A platform","driver":"1",' "${4:-ok}"
    echo '"device":{"name":"A device","vendor":"A vendor","platform":"A platform","compute_units":8},"commit":"unknown","date":"2026-01-01T00:00:00Z"}'
}
met() {
    measured native "\"by\":\"x\",\"said\":8,\"groups\":$1,\"ended\":\"$2\"" ",\"share\":$1" ok
}
promised() {
    measured promises "\"by\":\"x\",\"said\":8,\"subgroups_progress\":true"
    measured bound "\"bound\":$1"
}
# says VERDICT: of the only row, in CSV.
says() {
    MUSTER_RESULTS=$folder/results "$MUSTER" table promises --format=csv >"$folder/out" 2>"$folder/err" &&
        sed -n 2p "$folder/out" | grep -q "^chip-a,64,$1\$" || { cat "$folder/out" "$folder/err"; return 1; }
}
{ promised 8 && met 4 right && met 8 right && met 9 refused; } >"$records"
check 'kept' says 'x,8,8,8,8,kept,refused,yes'
{ promised 16 && met 4 right && met 8 right && met 9 right; } >"$records"
check 'too modest, and one more runs' says 'x,8,8,16,8,too modest,not refused,yes'
{ promised 8 && met 2 right && met 4 hang && met 8 'wrong data'; } >"$records"
check 'broken, by the smallest team' says 'x,8,8,8,2,broken (hang of 4),not refused,yes'
{ promised 8 && met 4 right; } >"$records"
check 'not tried to its end' says 'x,8,8,8,4,not shown,not refused,yes'
promised 8 >"$records"
check 'not tried' says 'x,8,8,8,,not tried,-,yes'
measured promises '"subgroups_said":0' >"$records"
check 'says nothing' says 'nothing,,8,,,says nothing,-,says nothing'

reproduction=$srcdir/examples/device_barrier.c
check 'the reproduction has less than 120 lines' [ "$(wc -l <"$reproduction")" -lt 120 ]
builds() {
    ${CC:-cc} "$reproduction" -o "$folder/device_barrier" -lOpenCL
}
check 'it builds without muster' builds
check 'it tells where there is nothing to try' ends 2 "$folder/device_barrier"
tap_done
