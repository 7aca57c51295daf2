#!/bin/sh
# Campaigns: what is planned is run once, and what is in the store is not run again; tunings, labels, changed files.
. "$srcdir/tests/tap.inc"
. "$srcdir/tests/harness/campaign/campaign.inc"

# ---- The plan, and one campaign as it should be ----

plan_is_listed() {
    ends 0 tiny --dry-run && has "$folder/out" 'pannotia/mis road:6 multi-kernel 1/2' '8 runs and 0 tunings' &&
        [ "$(grep -c ' [12]/2$' "$folder/out")" -eq 8 ] && [ ! -e "$MUSTER_RESULTS" ]
}
check 'a dry run lists the plan and leaves nothing' plan_is_listed
check 'a campaign' ends 0 tiny
check '… ends in a table' has "$folder/out" 'road:6' '4 of 4 tests ended well'
check '… then how many speedups are firm' grep -Eq '^[0-2] of 2 speedups are firm' "$folder/out"
check '… and in its warnings, with a command that can be pasted' \
    grep -qx "[0-9]* of 4 tests have warnings: few samples ([0-9]*).*; read them: $MUSTER table advice [^ ]*" "$folder/out"
check '… with progress in lines' has "$folder/err" '[1/8] ' '[8/8] ' 'ok 8; ' ': ok'
check '… with as many records as planned' [ "$(records)" -eq 8 ]
check '… and no word of being unfinished' [ ! -e "$store.unfinished" ]
complete_records() {
    "$MUSTER" results --format=json --variant=portable | head -n 1 >"$folder/record"
    for key in schema kind key suite set comparison repeat order rng tuned app input seed variant workgroup \
        workgroup_limit chip device platform driver version commit date outcome check samples_ns stop half_width \
        vertices edges input_hash wall_ns; do
        has "$folder/record" "\"$key\":" || return 1
    done
    [ "$(member schema "$folder/record")" = 4 ] && [ "$(member kind "$folder/record")" = measure ]
}
check '… which have every member' complete_records
order_is_kept() {
    member order "$store" | paste -s -d ' ' - | grep -x '0 1 2 3 4 5 6 7'
}
check '… and lie in the order of the plan' order_is_kept
order_is_random() {
    for seed in 1 2 3 4 5 6 7 8; do
        MUSTER_RESULTS=$folder/none tiny --dry-run --order-seed="$seed" 2>&1 | grep -v ' in all ' | cksum
    done | sort -u | wc -l >"$folder/orders"
    [ "$(cat "$folder/orders")" -gt 3 ]
}
check 'the order of variants is random' order_is_random
nothing_again() {
    cp "$store" "$folder/before" && ends 0 tiny && cmp "$store" "$folder/before" && has "$folder/out" '4 of 4 tests'
}
check 'the same campaign again runs nothing' nothing_again
# Of a campaign that was killed a dry run lists what is left, and touches nothing; of one that was not, nothing.
rest_is_listed() (
    ends 0 tiny --dry-run && [ "$(wc -l <"$folder/out")" -eq 1 ] &&
        has "$folder/out" '0 runs and 0 tunings, ' '; 8 runs and 0 tunings are there' || return 1
    mkdir -p "$folder/part/$chip" && head -n 3 "$store" >"$folder/part/$chip/custom.jsonl" || return 1
    MUSTER_RESULTS=$folder/part
    ends 0 tiny --dry-run && [ "$(grep -c ' [12]/2$' "$folder/out")" -eq 5 ] &&
        has "$folder/out" '5 runs and 0 tunings, ' '; 3 runs and 0 tunings are there' &&
        head -n 3 "$store" | cmp - "$folder/part/$chip/custom.jsonl" && [ "$(ls "$folder/part/$chip")" = custom.jsonl ] &&
        ends 0 tiny --dry-run --restart && has "$folder/out" '8 runs and 0 tunings, ' '; 0 runs and 0 tunings are there'
)
check 'a dry run lists what is left' rest_is_listed
# A packed file of the set, such as a published one, of an older build and of another session: bench shows what it measured
# and says that tables have both; they show what is newer. Of one session the older record counts, and a note tells the days.
beside_packed() (
    mkdir -p "$folder/beside/$chip" && cp "$store" "$folder/beside/$chip/" || return 1
    MUSTER_RESULTS=$folder/beside
    ends 0 tiny && ! grep -q 'has records of this set' "$folder/err" || return 1
    sed -e 's/"samples_ns":\[[^]]*/"samples_ns":[7,7/' -e 's/"date":"[^"]*"/"date":"2026-01-01T00:00:00Z"/g' "$store" >"$folder/old"
    sed -e 's/"program_hash":"[^"]*"/"program_hash":"0000000000000000"/' "$folder/old" | gzip >"$MUSTER_RESULTS/$chip/custom.jsonl.gz"
    ends 0 tiny && has "$folder/err" "$chip/custom.jsonl.gz has records of this set, too" && ! grep -q ' 7\.00 ns' "$folder/out" &&
        ends 0 "$MUSTER" table times && ! grep -q ' 7\.00 ns' "$folder/out" && ! grep -q note "$folder/err" &&
        sed -e 's/"samples_ns":\[[^]]*/"samples_ns":[7,7/' -e 's/"date":"[^"]*"/"date":"2026-01-01T00:00:00Z"/' "$store" |
        gzip >"$MUSTER_RESULTS/$chip/custom.jsonl.gz" &&
        ends 0 "$MUSTER" table times && has "$folder/err" 'counts (that of 2026-01-01T00:00:00Z, not that of 20'
)
check 'beside a packed file of the set' beside_packed
# If runs on road:6 had taken a minute and those on rmat:5 two, eight runs would take twelve minutes; with a third repeat,
# eighteen; the app's runs on an input that is new would take a minute and a half each. The records have keys that are not
# those of the plan, so that none of it is done.
plan_has_times() (
    mkdir -p "$folder/slow/$chip" || return 1
    sed -e 's/"build_cached":false/"build_cached":true/' -e '/"input":"road:6"/s/"wall_ns":[0-9]*/"wall_ns":60000000000/' \
        -e '/"input":"rmat:5"/s/"wall_ns":[0-9]*/"wall_ns":120000000000/' \
        -e 's/"key":"[0-9a-f]\{8\}/"key":"00000000/' "$store" >"$folder/slow/$chip/custom.jsonl"
    MUSTER_RESULTS=$folder/slow
    ends 0 tiny --dry-run && has "$folder/out" '8 runs and 0 tunings, about 12:00 in all (by what earlier runs took)' &&
        ends 0 tiny --dry-run --repeats=3 && has "$folder/out" '12 runs and 0 tunings, about 18:00 in all' &&
        ends 0 bench mis --input=rmat:4 --variants=portable --dry-run && has "$folder/out" '2 runs and 0 tunings, about 3:00'
)
check 'the time of a plan is that of earlier runs of its kind' plan_has_times
more_repeats() {
    ends 0 tiny --repeats=3 && [ "$(records)" -eq 12 ] && cmp -n "$(wc -c <"$folder/before")" "$store" "$folder/before"
}
check 'a larger one runs what is missing' more_repeats
restarted() {
    ends 0 tiny --restart && has "$folder/err" 'custom.jsonl.old' && [ "$(records)" -eq 8 ] &&
        [ "$(wc -l <"$store.old")" -eq 12 ] && [ "$(records "$store")" -eq 8 ]
}
check '--restart sets the records aside' restarted

# ---- muster results ----

results_say() {
    part=$1
    shift
    ends 0 "$MUSTER" results "$@" && has "$folder/out" "$part"
}
check 'muster results counts' results_say '8 records: ok 8'
check 'muster results filters' results_say '2 records: ok 2' --app=mis --input=rmat:5 --variant=portable --kind=measure
check '… by chip' results_say '0 records' --chip=none
samples_are_rows() {
    "$MUSTER" results --format=csv >"$folder/samples.csv" &&
        head -n 1 "$folder/samples.csv" | grep -q -x \
            'chip,driver,app,input,variant,workgroup,team,kind,repeat,index,host_ns,device_ns,outcome,label,date,commit,set,host,.*seed,.*' &&
        [ "$(($(wc -l <"$folder/samples.csv") - 1))" -eq \
            "$(sed 's/^.*"samples_ns":\[\([^]]*\)\].*$/\1/' "$store" | tr ',' '\n' | wc -l)" ]
}
check 'a row of CSV for each sample' samples_are_rows
check 'no such set' ends 2 "$MUSTER" results "$folder/none"

# ---- A file that changes ----

on_file() {
    (
        MUSTER_RESULTS=$folder/changed
        ends 0 bench mis --input="$folder/graph.txt" --variants=multi-kernel --set=file
    )
}
file_changes() {
    set=$folder/changed/$chip/file.jsonl
    printf '# edges\n1 2\n2 3\n' >"$folder/graph.txt" && touch -d 2001-01-01 "$folder/graph.txt" && on_file &&
        [ "$(records "$set")" -eq 2 ] || return 1
    # The same name, size and time.
    printf '# edges\n1 2\n1 3\n' >"$folder/graph.txt" && touch -d 2001-01-01 "$folder/graph.txt" && on_file &&
        [ "$(records "$set")" -eq 4 ] || return 1
    printf '# edges\n1 2\n2 3\n' >"$folder/graph.txt" && on_file && [ "$(records "$set")" -eq 4 ] || return 1
    [ "$(grep -o '"input_file_hash":"[0-9a-f]\{16\}"' "$set" | sort | uniq -c | awk '$1 == 2' | wc -l)" -eq 2 ] &&
        ! grep 'input_file_hash' "$store"
}
check 'a file with other content is another input' file_changes
# As they were written before files had hashes, and keys were texts.
older_records() {
    sed -i -e 's/"input_file_hash":"[0-9a-f]*",//' -e 's/ file=[0-9a-f]\{16\}//g' -e 3,4d -e 's/"schema":4/"schema":4/' \
        -e '1s/"key":"[0-9a-f]*"/"key":"measure set=files repeat=0"/' \
        -e '2s/"key":"[0-9a-f]*"/"key":"measure set=files repeat=1"/' \
        -e 's/"device":{"name":\("[^"]*"\)[^}]*}/"device":\1/' -e 's/"driver_settings":{[^}]*},//' \
        -e 's/"yield[_a-z]*":[^,]*,//g' -e 's/"\(host\|session\)":{[^}]*},//g' \
        -e 's/"environment":{\([^{}]*{[^{}]*}\)*[^{}]*},//' "$set" &&
        ! grep -e input_file_hash -e file= -e '"key":"[0-9a-f]' -e environment "$set" && [ "$(records "$set")" -eq 2 ] && on_file &&
        [ "$(records "$set")" -eq 4 ]
}
check 'older records without its hash are read, and do not count as done' older_records

# ---- A/A, labels, tuning ----

compared_with_itself() {
    ends 0 bench mis --input=road:6 --variants=portable,portable --set=aa --label=before &&
        [ "$(records --label=before-a "$MUSTER_RESULTS/$chip/aa.jsonl")" -eq 2 ] &&
        [ "$(records --label=before-b "$MUSTER_RESULTS/$chip/aa.jsonl")" -eq 2 ]
}
check 'a variant against itself' compared_with_itself

# Each size is a kernel to compile: the sample has those up to 256.
in_full 0 || export POCL_MAX_WORK_GROUP_SIZE=256
tunes() {
    workers 2 "$MUSTER" tune mis --device="$pocl" --input=road:6 --variants=multi-kernel "$@"
}
tuned() {
    ends 0 tunes && has "$folder/out" 'pannotia/mis' 'multi-kernel' || return 1
    tries=$(records --kind=tune)
    [ "$tries" -ge 4 ] && ends 0 tunes && [ "$(records --kind=tune)" -eq "$tries" ]
}
check 'a tuning tries sizes once' tuned
retuned() {
    ends 0 tunes --retune && [ "$(records --kind=tune)" -eq $((2 * tries)) ] &&
        "$MUSTER" results --kind=tune --format=json | grep -c '"tuning":1[,}]' | grep -x "$tries"
}
check '--retune tries them again' retuned
quickly() {
    ends 0 env MUSTER_RESULTS="$folder/quick" "$MUSTER" tune mis --device="$pocl" --input=road:6 --variants=multi-kernel --quick &&
        has "$folder/out" 'A quick tuning: ' &&
        MUSTER_RESULTS=$folder/quick "$MUSTER" results --kind=tune --format=json | sed 's/.*"workgroup":\([0-9]*\).*/\1/' |
        awk '{ n = $1; while (n > 64 && n % 4 == 0) n /= 4; if (n != 64) bad = 1 } END { exit bad || NR == 0 || NR * 2 > '"$tries"' }'
}
check '--quick tries every second size, and says so' quickly
tuned_bench() {
    workers 2 "$MUSTER" bench mis --device="$pocl" --input=road:6 --variants=multi-kernel --tune --repeats=1 --min-samples=2 \
        --max-samples=2 --set=tuned "$@"
}
uses_tuning() {
    choice=$(tunes 2>/dev/null | awk '$1 == "pannotia/mis" { print $4 }') && ends 0 tuned_bench --dry-run &&
        has "$folder/out" '1 run and 0 tunings, ' '0 runs and 1 tuning are there' && ends 0 tuned_bench && [ "$(records --kind=tune)" -eq $((2 * tries)) ] &&
        [ "$(member workgroup "$MUSTER_RESULTS/$chip/tuned.jsonl")" = "$choice" ] &&
        [ "$(member tuned "$MUSTER_RESULTS/$chip/tuned.jsonl")" = true ] && ends 0 tuned_bench --dry-run &&
        has "$folder/out" '0 runs and 0 tunings' '1 run and 1 tuning are there'
}
check 'a campaign uses the choice' uses_tuning
tuning_fails() {
    ends 1 tunes --kernel-dir="$folder/failing" && has "$folder/out" none wrong
}
if in_full; then
    kernels_that_fail "$folder/failing"
    check 'a tuning whose tries all fail says so' tuning_fails
fi

# ---- The profile's roll call ----

set_rollcall() {
    { printf '[profile]\nformat = 1\n[rollcall]\ndefault = %s\n[chip]\n' "$1" &&
        chip_lines workers 2 "$MUSTER" devices --json; } >"$MUSTER_RESULTS/$chip/chip.ini"
}
rolls() {
    ends 0 bench mis --input=road:4 --variants=multi-kernel,portable --set=rolls
}
other_rollcall() {
    set_rollcall atomic && rolls && set_rollcall ticket && rolls &&
        member rollcall "$MUSTER_RESULTS/$chip/rolls.jsonl" | sort | uniq -c >"$folder/rolls" &&
        has "$folder/rolls" '2 atomic' '2 ticket' &&
        [ "$(grep -c '"variant":"multi-kernel"' "$MUSTER_RESULTS/$chip/rolls.jsonl")" -eq 2 ]
}
check 'another roll call in the profile is another test' other_rollcall
check 'every record is as doc/record.schema.json says' "${MUSTER%/*}/tests/records/test_record_schema" "$MUSTER_RESULTS"/*/*.jsonl
tap_done
