#!/bin/sh
# Campaigns: what is planned is run once, whatever comes in between, and what goes wrong is in the store, the tables and
# the exit code.
. "$srcdir/tests/tap.inc"
need_pocl
compile_unoptimised

# A campaign of eight runs that takes a second once the kernels are compiled.
MUSTER_RESULTS=$folder/results
export MUSTER_RESULTS
inputs='--input=road:6 --input=rmat:5'
size=${one_item:---workgroup=256}
quick="--repeats=2 --min-samples=2 --max-samples=3 --max-time=0.02 $size"

# bench ARGUMENT...: on two workers. The list of words is meant to be split.
# shellcheck disable=SC2086
bench() {
    workers 2 "$MUSTER" bench --device=$pocl $quick "$@"
}

# shellcheck disable=SC2086
tiny() {
    bench mis $inputs --variants=multi-kernel,portable "$@"
}

chip_of() {
    pocl_has chip "$1"
}
chip=$(chip_of 2)
store=$MUSTER_RESULTS/$chip/custom.jsonl

# records FILTER...: how many there are.
records() {
    "$MUSTER" results --format=json "$@" | wc -l
}

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

# ---- Kills, cuts, locks, signals, full disks ----

kills() {
    # shellcheck disable=SC2086 # the options are words
    MUSTER_RESULTS=$folder/killed-$1 workers 2 "$srcdir/build-aux/kill-campaign" "$1" 0.6 \
        "$MUSTER" bench mis --device=$pocl $inputs $quick --variants=multi-kernel,portable,portable --repeats=4 &&
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
    start_long first || return 1
    result=0
    ends 2 tiny && has "$folder/err" 'in use by another campaign' || result=1
    # Another chip: PoCL with one worker.
    MUSTER_RESULTS=$MUSTER_RESULTS ends 0 workers 1 "$MUSTER" bench mis --device="$pocl" --input=road:6 \
        --variants=multi-kernel --repeats=1 --min-samples=2 --max-samples=2 "$size" || result=1
    [ -s "$MUSTER_RESULTS/$(chip_of 1)/custom.jsonl" ] || result=1
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
check '… and are measured at once, each into its own file' side_by_side
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
check 'a full disk ends a campaign, which goes on when there is room' full_disk full
if in_full; then check '… and tests that share a process' full_disk together --together=4; fi
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
check 'a deadlock' fails 4 deadlock mis --input=road:6 --variants=specialised --team=3 --spin-limit=100000
check 'a crash' fails 3 crash mis --input=road:4 --variants=multi-kernel --kernel-dir="$folder/failing"
check 'a deadline' fails 4 deadline mis --input=road:5 --variants=multi-kernel --kernel-dir="$folder/failing" \
    --deadline=1
no_input() {
    ends 2 bench mis --input="$folder/failing" --variants=multi-kernel &&
        has "$folder/err" "--input: cannot read '$folder/failing'" &&
        [ ! -s "$folder/out" ]
}
check 'a bad input, which is refused before anything runs' no_input

# Of four tests two end well in both repeats, one deadlocks and one is wrong; the worst decides, wherever in the order it
# comes.
others_go_on() {
    ends 1 bench mis pannotia/sssp --input=road:6 --variants=multi-kernel,specialised --team=3 --spin-limit=100000 --set=mixed \
        --kernel-dir="$folder/failing" --order-seed="$1" || return 1
    set=$MUSTER_RESULTS/$chip/mixed.jsonl
    [ "$(records --outcome=ok --app=pannotia/sssp --variant=multi-kernel "$set")" -eq 2 ] &&
        [ "$(records --outcome=wrong --app=mis --variant=multi-kernel "$set")" -eq 1 ] &&
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

# ---- A/A, labels, tuning ----

compared_with_itself() {
    ends 0 bench mis --input=road:6 --variants=portable,portable --set=aa --label=before &&
        [ "$(records --label=before-a "$MUSTER_RESULTS/$chip/aa.jsonl")" -eq 2 ] &&
        [ "$(records --label=before-b "$MUSTER_RESULTS/$chip/aa.jsonl")" -eq 2 ]
}
check 'a variant against itself' compared_with_itself

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
if in_full; then check 'a tuning whose tries all fail says so' tuning_fails; fi

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
