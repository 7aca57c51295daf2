#!/bin/sh
# Several devices of one host at once: campaigns side by side, or one that they share. PoCL can show its device twice.
. "$srcdir/tests/tap.inc"
need_pocl
compile_unoptimised
POCL_DEVICES='pthread pthread'
export POCL_DEVICES
set_workers 2
chips=$("$MUSTER" devices --json | pick 'devices/*/chip')
[ "$(echo "$chips" | wc -l)" -eq 2 ] || skip_all 'PoCL does not show its device twice'
chip=$(echo "$chips" | head -n 1)

# bench ARGUMENT...: a campaign of four runs in two comparisons.
words='mis --input=road:6 --input=rmat:5 --variants=multi-kernel,portable --workgroup=1 --repeats=1 --min-samples=2
    --max-samples=3 --max-time=0.02'
# shellcheck disable=SC2086 # they are words
bench() {
    "$MUSTER" bench $words "$@"
}
# orders FILE...: the places in the plan that records are of.
orders() {
    cat "$@" | pick order | sort -n | paste -s -d ' ' -
}
all='0 1 2 3'
files="$MUSTER_RESULTS/$chip/custom.index-0.jsonl $MUSTER_RESULTS/$chip/custom.index-1.jsonl"

check 'a dry run lists what each device would do' ends 0 bench --device=all --dry-run
check '… and leaves nothing' [ ! -e "$MUSTER_RESULTS" ]
both_listed() {
    has "$folder/out" 'device 0 (' 'device 1 (' && [ "$(grep -c '^4 runs' "$folder/out")" -eq 2 ]
}
check '… one after the other' both_listed
check 'both devices at once' ends 0 bench --device=all
check '… with one meter' has "$folder/err" '[8/8] ' 'ok 8; device ' ' device 0: ' ' device 1: '
one_table() {
    has "$folder/out" 'road:6' 'rmat:5' && [ "$(grep -c '^chip ' "$folder/out")" -eq 1 ]
}
check '… in one table' one_table
each_has_all() {
    for file in $files; do [ "$(orders "$file")" = "$all" ] || { orders "$file"; return 1; }; done
}
check '… each with every run of the plan' each_has_all
own_uuids() {
    for i in 0 1; do
        pick device/uuid <"$MUSTER_RESULTS/$chip/custom.index-$i.jsonl" | sort -u | grep -x "index:$i" || return 1
    done
}
check '… and records that name their device' own_uuids
beside_each_other() {
    "$MUSTER" table devices "$MUSTER_RESULTS" --format=csv | grep -c '^[^,]*,custom,[^,]*,index:[01],4,2,' | grep -x 2
}
check '… which a table shows beside each other' beside_each_other
again() {
    # shellcheck disable=SC2086 # the names are words
    cat $files | cksum >"$folder/before" && ends 0 bench --device=0,1 && cat $files | cksum | cmp "$folder/before" -
}
check 'named one by one, nothing is run again' again

shared() {
    ends 0 bench --device=all --split --set=shared && has "$folder/err" '[4/4] '
}
check 'both share one campaign' shared
parts() {
    set -- "$MUSTER_RESULTS/$chip/shared.1-of-2.jsonl" "$MUSTER_RESULTS/$chip/shared.2-of-2.jsonl"
    [ "$(orders "$@")" = "$all" ] && [ "$(wc -l <"$1")" -eq 2 ] && [ "$(wc -l <"$2")" -eq 2 ]
}
check '… of which each has half, and none anything twice' parts
merged() {
    "$MUSTER" results merge --output="$folder/merged" "$MUSTER_RESULTS/$chip"/shared.?-of-2.jsonl &&
        [ "$(orders "$folder/merged")" = "$all" ]
}
check '… which merge into the campaign' merged

# Another campaign has the second device: its lock is held.
if command -v flock >/dev/null; then
    busy() {
        flock "$MUSTER_RESULTS/$chip/tune.index-1.jsonl" "$MUSTER" bench mis --input=road:5 --variants=portable --no-tune \
            --repeats=1 --max-samples=3 --max-time=0.02 --set=busy --device=all >"$folder/out" 2>"$folder/err"
        [ $? -eq 2 ] && has "$folder/err" 'device 1: muster: ' 'in use by another campaign' 'the campaign on device 1 (' &&
            has "$folder/out" 'road:5' && [ "$(wc -l <"$MUSTER_RESULTS/$chip/busy.index-0.jsonl")" -eq 1 ]
    }
    check 'a device that is in use leaves the other alone' busy
else
    skip 'a device that is in use' 'there is no flock'
fi
# The signal comes once the first of eight runs has ended. On a busy machine it may come too late: then anew.
stopped() {
    code=0
    for _ in 1 2 3 4 5; do
        [ "$code" -eq 0 ] || break
        rm -f "$MUSTER_RESULTS/$chip"/stopped.*
        : >"$folder/err"
        # shellcheck disable=SC2086 # they are words
        "$MUSTER" bench $words --device=all --set=stopped >"$folder/out" 2>"$folder/err" &
        stopping=$!
        while kill -0 "$stopping" && ! grep -q '^\[1/' "$folder/err"; do sleep 0.05; done
        kill -TERM "$stopping"
        wait "$stopping"
        code=$?
    done
    [ "$code" -eq 130 ] && has "$folder/err" 'interrupted' && ! grep -q '^chip ' "$folder/out"
}
check 'a signal stops them all' stopped
goes_on() {
    ends 0 bench --device=all --set=stopped || return 1
    for i in 0 1; do [ "$(orders "$MUSTER_RESULTS/$chip/stopped.index-$i.jsonl")" = "$all" ] || return 1; done
}
check '… and the same command goes on' goes_on
check 'a device named twice' ends 2 bench --device=0,0
check 'a device that is not there' ends 3 bench --device=0,7
check 'a part, on several devices' ends 2 bench --device=all --shard=1/2
check 'a list of one' ends 0 bench --device=0, --set=custom
tap_done
