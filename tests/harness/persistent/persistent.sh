#!/bin/sh
# The persistent-threads study in its small form, on PoCL with two workers: every use case ends well, its results having
# been checked, is kept as doc/record.schema.json says, is not measured again, and has its rows in the table.
. "$srcdir/tests/tap.inc"
need_pocl
compile_unoptimised
set_workers 2
records=$MUSTER_RESULTS/$(pocl_has chip)/persistent-small.jsonl

# bench ARGUMENT...
bench() {
    "$MUSTER" bench --device="$pocl" --suite=persistent-small "$@"
}

dry() {
    ends 0 bench --dry-run && has "$folder/out" 'forest, shape complete' 'sync, fmas' && [ ! -s "$records" ]
}
check 'a dry run lists the experiments and measures nothing' dry

check 'the small form ends well' ends 0 bench --wide
sed 's/^/# /' "$folder/err"
cp "$folder/out" "$folder/table"

# Each use case, in each of its ways.
ways() {
    pick parameters/experiment outcome implementation <"$records" | sort -u >"$folder/ways"
    cat "$folder/ways"
    pick refused <"$records"
    if pick outcome <"$records" | grep -q -v -x ok || [ -n "$(pick refused <"$records")" ]; then return 1; fi
    pick parameters/experiment <"$records" | sort -u | paste -s -d ' ' - >"$folder/names"
    has "$folder/names" 'forest gap handover reduce stages sync' &&
        pick implementation <"$records" | sort -u | paste -s -d ' ' - >"$folder/names" &&
        has "$folder/names" 'barrier launches local locked one ring serve steal two'
}
check 'every use case was measured in every way' ways

# Two turns of each.
timed() {
    pick implementation <"$records" >"$folder/ways" && pick 'ns/*' <"$records" >"$folder/ns" &&
        [ "$(wc -l <"$folder/ns")" -eq $((2 * $(wc -l <"$folder/ways"))) ] &&
        awk '$1 <= 0 { wrong = 1 } END { exit wrong || NR < 50 }' "$folder/ns"
}
check 'every way has times, all of them positive' timed

check 'every measurement is as doc/record.schema.json says' "${MUSTER%/*}/tests/records/test_record_schema" "$records"

lines=$(wc -l <"$records")
again() {
    ends 0 bench && [ "$(wc -l <"$records")" -eq "$lines" ] && has "$folder/err" 'were in' '--restart does them anew'
}
check 'the same command again measures nothing' again

check 'the table has all use cases' has "$folder/table" 'Use case 1, CPU-GPU' 'Use case 2, load balancing' \
    'Use case 3, producer-consumer' 'Use case 4, global sync' 'From how many multiply-adds' 'GeForce GTX 295'
grids() {
    ends 0 "$MUSTER" table persistent "$records" --format=csv && has "$folder/out" 'crossover_fmas' 'lock_percent' &&
        [ "$(grep -c ',complete,\|,tilted,' "$folder/out")" -eq 4 ]
}
check 'and as CSV' grids
none() {
    ends 0 "$MUSTER" table persistent && has "$folder/out" 'No measurements: see muster bench --suite=persistent.'
}
check 'a table of nothing says so' none
study() {
    mkdir -p "$folder/study/chip" && cp "$records" "$folder/study/chip/persistent-2012.jsonl" &&
        MUSTER_RESULTS=$folder/study "$MUSTER" table persistent-study --format=csv >"$folder/study/out" &&
        [ "$(grep -c ',complete,\|,tilted,' "$folder/study/out")" -eq 4 ] && MUSTER_RESULTS=$folder/study none &&
        ends 0 "$MUSTER" table persistent-study && has "$folder/out" 'No measurements: see muster bench --suite=persistent-2012.'
}
check "the study's own parameters have a table of their own" study

restart() {
    ends 0 bench --restart && [ "$(wc -l <"$records")" -eq "$lines" ] && [ -s "$records.old" ]
}
if in_full; then check '--restart begins anew' restart; fi

# refused PART ARGUMENT...: exit code 2, and a message.
refused() {
    part=$1
    shift
    ends 2 "$MUSTER" "$@" --suite=persistent --device="$pocl" && has "$folder/err" "$part"
}
check 'a study has no apps' refused '--suite=persistent is a study' bench pannotia/mis
check 'and no inputs' refused '--suite=persistent is a study' bench --input=road:9
check 'and no options of tests' refused '--suite=persistent is a study' bench --barrier=xf
check 'nothing of it is tuned' refused 'for which nothing is tuned' tune

tap_done
