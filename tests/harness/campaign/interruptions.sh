#!/bin/sh
# Campaigns that are killed, stopped, interrupted or without room go on where they were; what goes wrong in a run is in the
# store, the tables and the exit code.
. "$srcdir/tests/tap.inc"
. "$srcdir/tests/harness/campaign/campaign.inc"

# ---- Kills, cuts, locks, signals, full disks ----

in_full 0 && times=4 || times=2
kills() {
    # shellcheck disable=SC2086 # the options are words
    MUSTER_RESULTS=$folder/killed-$1 workers 2 "$srcdir/build-aux/kill-campaign" "$1" 0.6 \
        "$MUSTER" bench mis --device=$pocl $inputs $quick --variants=multi-kernel,portable,portable --repeats=$times &&
        [ -z "$(find "$folder/killed-$1" -name '*.unfinished')" ]
}
check 'killed at a random moment, it ends with exactly the planned runs' kills 1
if in_full; then check '… and five times' kills 5; fi

# Tests that share a process, of one program: each is on the disk before the next one has ended.
shared() {
    MUSTER_RESULTS=$folder/shared "$@" "$MUSTER" bench mis --device="$pocl" --input=road:16 --variants=portable \
        "$size" --patience=900001,900002,900003,900004,900005,900006 --min-samples=2 --max-samples=1000000 \
        --max-time=0.5 --repeats=1 --together=6 --set=shared
}
kept_at_once() {
    set=$folder/shared/$chip/shared.jsonl
    # The shell becomes muster, which gets the signal.
    (
        set_workers 2
        shared exec
    ) >"$folder/shared.out" 2>"$folder/shared.err" &
    shared=$!
    while kill -0 "$shared" && ! { [ -e "$set" ] && [ "$(wc -l <"$set")" -ge 2 ]; }; do sleep 0.05; done
    kill -KILL "$shared"
    wait "$shared" && return 1
    had=$(wc -l <"$set")
    [ "$had" -ge 2 ] && [ "$had" -lt 6 ] && has "$folder/shared.err" '[1/6] ' &&
        ends 0 workers 2 shared && [ "$(wc -l <"$set")" -eq 6 ]
}
check 'of tests that share a process, those that ended are on the disk when it is killed' kept_at_once

tiny >"$folder/out" 2>&1 || exit 99
repaired() {
    tail -c 100 "$store" >"$folder/last" && truncate -s -40 "$store" && ends 0 tiny &&
        has "$folder/err" 'the last record was cut off' "$store.cut" && [ "$(records)" -eq 8 ] && [ -s "$store.cut" ]
}
check 'a record that was cut off is set aside with a note, and its run repeated' repaired
refused_line() {
    cp "$store" "$folder/good" && sed '3s/.*/nonsense/' "$folder/good" >"$store" && cp "$store" "$folder/bad" &&
        ends 2 tiny && has "$folder/err" "$store:3: not a record" && cmp "$store" "$folder/bad" &&
        cp "$folder/good" "$store"
}
check 'a line that is no record is refused by name, and left' refused_line

# A campaign that takes a while, in the background, once it has its first record: $long.
start_long() {
    set=$1
    shift
    # Not by the function workers: its process, not muster, would get the signal.
    # shellcheck disable=SC2086
    (
        set_workers 2
        exec "$MUSTER" bench mis --device=$pocl $inputs $quick --variants=multi-kernel,portable --repeats=200 \
            --set="$set" "$@"
    ) >"$folder/long.out" 2>"$folder/long.err" &
    long=$!
    while kill -0 "$long"; do
        [ -s "$MUSTER_RESULTS/$chip/$set.jsonl" ] && return 0
        sleep 0.1
    done
    return 1
}
one_at_a_time() {
    other=$(chip_of 1) # now: its self-test should not take its time while the long campaign runs
    start_long first || return 1
    result=0
    ends 2 tiny && has "$folder/err" 'in use by another campaign' || result=1
    # Another chip: PoCL with one worker.
    MUSTER_RESULTS=$MUSTER_RESULTS ends 0 workers 1 "$MUSTER" bench mis --device="$pocl" --input=road:6 \
        --variants=multi-kernel --repeats=1 --min-samples=2 --max-samples=2 "$size" || result=1
    [ -s "$MUSTER_RESULTS/$other/custom.jsonl" ] || result=1
    kill -INT "$long"
    wait "$long"
    [ $? -eq 130 ] || result=1
    has "$folder/long.err" 'interrupted: ' 'of 800 steps are done; the same command goes on from here' || result=1
    # For readers of its records, until it comes to its end.
    has "$MUSTER_RESULTS/$chip/first.jsonl.unfinished" '"set":"first"' '"planned":800' \
        "\"done\":$(sed -n 's/.*interrupted: \([0-9]*\) of .*/\1/p' "$folder/long.err")," || result=1
    return "$result"
}
check 'one campaign at a time on a chip, another chip undisturbed, and SIGINT ends it with 130' one_at_a_time

# A laptop's lid is closed for longer than a run may take: muster and the child that runs are stopped. That time is no run's:
# the run that it fell into, and those behind it, end well.
goes_on_after_a_stop() {
    start_long lid --deadline=20 || return 1
    set=$MUSTER_RESULTS/$chip/lid.jsonl
    kill -STOP "$long"
    child=$(ps -A -o ppid= -o pid= | awk -v parent="$long" '$1 == parent { print $2 }')
    [ -z "$child" ] || kill -STOP "$child"
    sleep 21
    had=$(wc -l <"$set")
    kill -CONT "$long"
    sleep 0.2
    [ -z "$child" ] || kill -CONT "$child"
    while [ "$(wc -l <"$set")" -lt $((had + 3)) ]; do
        kill -0 "$long" || return 1
        sleep 0.1
    done
    kill -INT "$long"
    wait "$long"
    [ "$(member outcome "$set" | sort -u)" = ok ]
}
! in_full || check 'one that is stopped for longer than a deadline records none' goes_on_after_a_stop

# Two devices that are equal are two: PoCL makes one for each word.
pair() {
    POCL_DEVICES='pthread pthread' workers 2 "$MUSTER" "$@"
}
are_told_apart() {
    pair devices --json | pick "devices/*/uuid" >"$folder/uuids"
    [ "$(sort -u "$folder/uuids" | wc -l)" -eq 2 ] || return 1
    first=$(sed -n 1p "$folder/uuids")
    second=$(sed -n 2p "$folder/uuids")
    ends 0 pair devices && has "$folder/out" "$first, in names of files" "$second, in names of files" &&
        ends 2 pair bench mis --device="$pocl" --dry-run && has "$folder/err" 'matches several' "$first" "$second"
}
# The first one's campaign goes on until it is stopped: no second one may run on it, but one on its twin.
side_by_side() {
    # shellcheck disable=SC2086
    set -- mis $inputs --variants=multi-kernel,portable --min-samples=2 --max-samples=3 --max-time=0.02 \
        $size --set=pair
    POCL_DEVICES='pthread pthread' POCL_MAX_PTHREAD_COUNT=2 POCL_CPU_MAX_CU_COUNT=2 POCL_MAX_COMPUTE_UNITS=2 \
        "$MUSTER" bench "$@" --device="$first" --repeats=200 >"$folder/long.out" 2>"$folder/long.err" &
    long=$!
    while kill -0 "$long"; do
        [ -n "$(find "$MUSTER_RESULTS/$chip" -name 'pair.*.jsonl' -size +0)" ] && break
        sleep 0.1
    done
    result=0
    ends 2 pair bench "$@" --device="$first" --repeats=2 && has "$folder/err" 'in use by another campaign' || result=1
    ends 0 pair bench "$@" --device="$second" --repeats=2 || result=1
    kill -0 "$long" || result=1
    kill -INT "$long"
    wait "$long"
    [ $? -eq 130 ] || result=1
    [ "$(find "$MUSTER_RESULTS/$chip" -name 'pair.*.jsonl' | wc -l)" -eq 2 ] || result=1
    for file in "$MUSTER_RESULTS/$chip"/pair.*.jsonl; do
        pick device/uuid <"$file" | sort -u
    done | sort | diff - "$folder/uuids" || result=1
    return "$result"
}
check 'two equal devices have names of their own' are_told_apart
# The sample has two at once in tests/harness/campaign/sides.sh.
if in_full; then check '… and are measured at once, each into its own file' side_by_side; fi
interrupted_is_whole() {
    "$MUSTER" results "$MUSTER_RESULTS/$chip/first.jsonl" >"$folder/out" 2>"$folder/err" && [ ! -s "$folder/err" ] &&
        grep -q 'records: ok [0-9]*$' "$folder/out"
}
check '… and only whole records are there' interrupted_is_whole

# full_disk SET OPTION...: half of the campaign, in a file that blanks fill up to a limit that PoCL's scratch files do not
# meet, so that there is room for three records or so.
full_disk() {
    set=$1 full=$MUSTER_RESULTS/$chip/$1.jsonl limit=8388608
    shift
    ends 0 tiny --set="$set" "$@" --repeats=1 && [ "$(records "$full")" -eq 4 ] || return 1
    cp "$full" "$folder/before" && {
        head -n 3 "$folder/before"
        printf '{'
        head -c $((limit - 4096 - $(wc -c <"$folder/before"))) /dev/zero | tr '\0' ' '
        tail -n 1 "$folder/before" | cut -c 2-
    } >"$full"
    (
        # In blocks of 512 bytes.
        ulimit -f $((limit / 512))
        ends 2 tiny --set="$set" "$@"
    ) && has "$folder/err" 'cannot append a record' 'are safe' || return 1
    before=$(wc -l <"$full")
    [ "$before" -gt 4 ] && [ "$before" -lt 8 ] || { echo "$before records"; return 1; }
    ends 0 tiny --set="$set" "$@" && [ "$(records "$full")" -eq 8 ]
}
# The sample fills a store's disk in tests/records/test_store_faults.
if in_full 2; then
    check 'a full disk ends a campaign, which goes on when there is room' full_disk full
    check '… and tests that share a process' full_disk together --together=4
fi
check 'results in a place that cannot be written' ends 2 env MUSTER_RESULTS=/dev/null/results "$MUSTER" bench mis \
    --device=$pocl --input=road:6

# ---- What goes wrong in a run ----

# fails CODE OUTCOME ARGUMENT...: the exit code, one record of it (later repeats are not run), and the table.
# shellcheck disable=SC2086
fails() {
    code=$1 outcome=$2
    shift 2
    ends "$code" bench --set="$outcome" "$@" && has "$folder/out" "$outcome" '0 of 1 tests ended well' || return 1
    set=$MUSTER_RESULTS/$chip/$outcome.jsonl
    [ "$(records --outcome="$outcome" "$set")" -eq 1 ] && [ "$(records "$set")" -eq 1 ] || return 1
    # The store has it: the same command runs nothing, and ends in the same way.
    cp "$set" "$folder/before"
    ends "$code" bench --set="$outcome" "$@" && cmp "$set" "$folder/before"
}

kernels_that_fail "$folder/failing"
check 'a wrong result' fails 1 wrong mis --input=road:6 --variants=multi-kernel --kernel-dir="$folder/failing"
check 'a deadlock' fails 4 deadlock mis --input=road:6 --variants=specialised --team=3 --spin-limit=100000 \
    --kernel-dir="$folder/failing"
check 'a crash' fails 3 crash mis --input=road:4 --variants=multi-kernel --kernel-dir="$folder/failing"
check 'a deadline' fails 4 deadline mis --input=road:5 --variants=multi-kernel --kernel-dir="$folder/failing" \
    --deadline=1
no_input() {
    ends 2 bench mis --input="$folder/failing" --variants=multi-kernel &&
        has "$folder/err" "--input: cannot read '$folder/failing'" &&
        [ ! -s "$folder/out" ]
}
check 'a bad input, which is refused before anything runs' no_input

# Of four tests one ends well in both repeats, two deadlock and one is wrong; the worst decides, wherever in the order it
# comes.
others_go_on() {
    ends 1 bench mis --input=road:6 --input=road:3 --variants=multi-kernel,specialised --team=3 --spin-limit=100000 --set=mixed \
        --kernel-dir="$folder/failing" --order-seed="$1" || return 1
    set=$MUSTER_RESULTS/$chip/mixed.jsonl
    [ "$(records --outcome=ok --input=road:3 --variant=multi-kernel "$set")" -eq 2 ] &&
        [ "$(records --outcome=wrong --input=road:6 --variant=multi-kernel "$set")" -eq 1 ] &&
        [ "$(records --outcome=deadlock --variant=specialised "$set")" -eq 2 ] && [ "$(records "$set")" -eq 5 ] &&
        has "$folder/err" '3 of 4 tests did not end well' && rm "$set"
}
for seed in 1 2 3; do
    [ $seed = 1 ] || in_full || continue
    check "failures do not end a campaign, order $seed" others_go_on $seed
done

# The device goes away in the middle, and comes back.
device_goes() {
    mkdir -p "$folder/icd" && cp "$pocl_icd" "$folder/icd/pocl.icd" || return 1
    OCL_ICD_VENDORS=$folder/icd
    start_long gone || return 1
    rm "$folder/icd/pocl.icd"
    wait "$long"
    code=$?
    cp "$pocl_icd" "$folder/icd/pocl.icd"
    gone=$MUSTER_RESULTS/$chip/gone.jsonl
    [ "$code" -eq 3 ] && has "$folder/long.err" 'device-error' 'no longer works' 'goes on from here' &&
        [ "$(records --outcome=device-error "$gone")" -eq 1 ] || {
        cat "$folder/long.err"
        return 1
    }
}
if [ -f "$pocl_icd" ]; then
    check 'a device that goes away ends a campaign, and is in the store' device_goes
    check 'a device that is not there at all' ends 3 env OCL_ICD_VENDORS="$folder/none" "$MUSTER" bench mis
    OCL_ICD_VENDORS=$pocl_icd
else
    skip 'a device that goes away' "$pocl_icd is not there"
fi

check 'every record is as doc/record.schema.json says' "${MUSTER%/*}/tests/records/test_record_schema" "$MUSTER_RESULTS"/*/*.jsonl
tap_done
