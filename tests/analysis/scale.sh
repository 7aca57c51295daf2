#!/bin/sh
# Many records: what reads them takes time in proportion to their number, and not to its square. Needs no device. In
# `make check` there are half as many to begin with, and a quarter as many of the real schema.
. "$srcdir/tests/tap.inc"

# records COUNT: a set of so many, six of each input: two processes of three variants.
records() {
    awk -v count="$1" 'BEGIN {
        split("multi-kernel portable specialised", variants, " ")
        for (i = 0; i < count; i++) {
            printf "{\"schema\":4,\"kind\":\"measure\",\"app\":\"lonestar/bfs\",\"input\":\"road:%d\",", 100 + int(i / 6)
            printf "\"variant\":\"%s\",\"workgroup\":256,\"seed\":1,\"chip\":\"gpu\",\"driver\":\"1\",", variants[i % 3 + 1]
            printf "\"date\":\"2026-01-01T00:00:00Z\",\"commit\":\"c\",\"outcome\":\"ok\",\"repeat\":%d,", int(i / 3) % 2
            printf "\"key\":\"run %d\",\"samples_ns\":[", i
            for (j = 0; j < 12; j++) printf "%s%d", (j > 0 ? "," : ""), 40000000 + (i * 7919 + j * 104729) % 100003
            print "]}"
        }
    }'
}
if in_full 0; then few=20000; else few=10000; fi
records $few >"$folder/few.jsonl"
last=road:$((99 + few / 6))

# Twenty seconds of the processor are ten times what it takes; a walk over all records for each record takes minutes.
quick() {
    part=$1
    shift
    (ulimit -t 20 && exec "$MUSTER" "$@" >"$folder/out" 2>"$folder/err") && has "$folder/out" "$part"
}
check "results lists $few records" quick "$few records: ok $few" results "$folder/few.jsonl"
check '… and prints them as CSV' quick "gpu,1,lonestar/bfs,$last," results --format=csv "$folder/few.jsonl"
for table in summary speedup times samples; do
    check "table $table takes them" quick "$last" table $table "$folder/few.jsonl"
done
check 'compare takes them twice' quick "$last" compare "$folder/few.jsonl" "$folder/few.jsonl"
rm "$folder/few.jsonl"

# What the surveys of a chip measured, and cooperative runs with a load: each row is another's, of which the tables look for
# one beside it.
measurements() {
    awk -v kind="$1" -v count=30000 'BEGIN {
        for (i = 1; i <= count; i++) {
            common = "\"outcome\":\"ok\",\"chip\":\"gpu\",\"driver\":\"1\",\"compute_units\":4"
            if (kind == "litmus") {
                printf "{\"schema\":4,\"kind\":\"litmus\",\"test\":\"shape %d\",\"forbidden\":true,\"instances\":9,", i
                printf "\"weak\":0,\"parameters\":{\"experiment\":\"shapes %d\",\"atomics\":\"c11\",", i % 1000
                printf "\"form\":\"%s\",\"run\":%d},%s}\n", i % 2 ? "ordered" : "relaxed", i, common
            } else if (kind == "load") {
                printf "{\"schema\":4,\"kind\":\"measure\",\"key\":\"%d\",\"app\":\"lonestar/bfs\",\"input\":\"road:%d\",", i, i / 2
                printf "\"variant\":\"cooperative\",\"workgroup\":64,\"team\":4,\"barriers\":9,%s,", common
                printf "\"configuration\":{\"load\":\"%s\",\"load_groups\":2,", i % 2 ? "light" : "none"
                printf "\"resizing\":\"query\"},\"samples_ns\":[%d,1002],\"load_task\":{\"groups\":2},", 1000 + i % 2
                print "\"load_gather_ns\":[5],\"load_task_ns\":[6],\"load_period_ns\":[7]}"
            } else {
                printf "{\"schema\":4,\"kind\":\"probe\",%s,\"parameters\":{\"experiment\":\"%s\",", common,
                    i % 2 ? "recall" : "bound"
                printf "\"workgroup\":%d,\"local_bytes\":1},", int((i + 1) / 2)
                print (i % 2 ? "\"rollcall\":\"atomic\",\"teams\":[8,8]}" : "\"bound\":8}")
            }
        }
    }'
}
if in_full 5; then
    measurements litmus >"$folder/litmus.jsonl"
    check 'table litmus takes 30 000 measurements' quick 'shape 29999' table litmus "$folder/litmus.jsonl"
    check 'table trust, too' quick 'shapes 999 through' table trust "$folder/litmus.jsonl"
    measurements probe >"$folder/probe.jsonl"
    check 'table occupancy, of bounds and recalls' quick '8.0 (0.0)' table occupancy "$folder/probe.jsonl"
    check '… and recall' quick '100' table recall "$folder/probe.jsonl"
    measurements load >"$folder/load.jsonl"
    check 'table load takes 30 000 rows' quick 'road:14999' table load "$folder/load.jsonl"
    rm "$folder/litmus.jsonl" "$folder/probe.jsonl" "$folder/load.jsonl"
fi

# ---- Records of the real schema ----

if ! xz -dc "$srcdir/tests/data/smoke.jsonl.xz" >"$folder/real.jsonl"; then
    skip 'records of the real schema' 'xz cannot unpack them'
    tap_done
    exit 0
fi
if in_full 0; then many=40000; else many=10000; fi
quarter=$((many / 4))
awk -v count=$many -f "$srcdir/tests/analysis/many-records.awk" "$folder/real.jsonl" >"$folder/$many.jsonl"
head -n $quarter "$folder/$many.jsonl" >"$folder/$quarter.jsonl"

# bounded FILES ARGUMENT...: with a bound on the memory of the process beside that of its code: 12 MB, and 1900 bytes for
# each record of so many files, so that a million of them, 5.6 GB of text, take less than 2 GB.
bounded() {
    ulimit -d $((12288 + $1 * many * 1900 / 1024)) && shift && exec "$MUSTER" "$@" >"$folder/out" 2>"$folder/err"
}

# spent FILES ARGUMENT...: milliseconds of the processor, within bounds; nothing where it fails.
spent() {
    (
        (bounded "$@") || exit 1
        times >"$folder/times"
        awk 'NR == 2 { ms = 0
            for (i = 1; i <= 2; i++) { split($i, part, /[ms]/); ms += 60000 * part[1] + 1000 * part[2] }
            printf "%d", ms }' "$folder/times"
    )
}

# linear FILES ARGUMENT...: what takes four times the records takes less than eight times as long; a walk over all records for
# each would take sixteen times as long. @ stands for the file. Each time is the least of up to five, since other processes
# share the caches and the cores; five tries that fail are a failure.
linear() {
    least='' least_of_quarter=''
    for try in 1 2 3 4 5; do
        for count in $quarter $many; do
            # shellcheck disable=SC2046 # the arguments hold no spaces
            now=$(spent $(echo "$@" | sed "s|@|$folder/$count.jsonl|g"))
            [ -n "$now" ] || { cat "$folder/err"; return 1; }
            case $count in
                "$quarter") [ "${least_of_quarter:-$now}" -lt "$now" ] || least_of_quarter=$now ;;
                "$many") [ "${least:-$now}" -lt "$now" ] || least=$now ;;
            esac
        done
        [ "$least" -lt $((8 * least_of_quarter)) ] && return 0
    done
    echo "try $try: $least_of_quarter ms for $quarter records, $least ms for $many"
    return 1
}
check 'results: four times the records, less than eight times the time, in 1900 bytes a record' linear 1 results @
check '… of all of them' has "$folder/out" "$many records: ok $many"
for table in summary outcomes provenance; do
    check "table $table, the same" linear 1 table $table @
done
check 'compare, the same of both sides together' linear 2 compare @ @
check 'merge, the same' linear 1 results merge --output="$folder/merged" @
check 'a bound that is too small is kept' sh -c '! (ulimit -d "$2" && exec "$0" table summary "$1") >/dev/null 2>&1' \
    "$MUSTER" "$folder/$many.jsonl" $((12288 + many * 300 / 1024))
tap_done
