#!/bin/sh
# What surrounds the program misbehaves: descriptors are closed, files are removed while they are written.
. "$srcdir/tests/tap.inc"
need_pocl

# bench ARGUMENT...: a campaign of two runs.
bench() {
    "$MUSTER" bench mis --device=$pocl --input=road:6 --variants=multi-kernel --repeats=2 --min-samples=2 \
        --max-samples=2 --max-time=0.02 --workgroup=64 "$@"
}

# Records that are all whole: as many as runs were planned.
whole() {
    [ "$(wc -l <"$MUSTER_RESULTS/$chip/$1.jsonl")" -eq 2 ] && ends 0 bench --set="$1" && has "$folder/out" '1 of 1 tests'
}
chip=$("$MUSTER" devices --json | sed -n 's/^ *"chip": "\([^"]*\)",*$/\1/p' | head -n 1)

# ---- Closed descriptors: no file may take their place ----

(bench --set=in <&-) >"$folder/log" 2>&1
check 'a campaign without standard input' whole in
(bench --set=out >&-) 2>"$folder/log"
check 'a campaign without standard output says so' [ $? -eq 2 ]
check '… and keeps its records' whole out
(bench --set=err 2>&-) >"$folder/log"
check 'a campaign without standard error' whole err
(bench --set=none <&- >&- 2>&-)
check 'a campaign without any' whole none
check 'a list without standard output' sh -c '! "$MUSTER" list >&-'

tap_done
