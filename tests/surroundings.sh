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

# ---- Signals: a command that reads results ends at once ----

# ends_by SIGNAL COMMAND...: the command, which waits for a pipe that never ends, ends by the signal, not by the kill that
# follows.
ends_by() {
    mkfifo "$folder/endless" || return 1
    sleep 20 >"$folder/endless" &
    writer=$!
    timeout -k 5 -s "$1" 0.5 "$MUSTER" "$2" $3 "$folder/endless"
    code=$?
    kill $writer
    rm -f "$folder/endless"
    echo "exit code $code"
    [ $code -eq 124 ]
}
for signal in INT TERM; do
    check "muster results ends by SIG$signal" ends_by $signal results
    check "muster table ends by SIG$signal" ends_by $signal table times
    check "muster compare ends by SIG$signal" ends_by $signal compare "$MUSTER_RESULTS/$chip/in.jsonl"
done

tap_done
