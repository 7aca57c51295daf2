#!/bin/sh
# Many records: what reads them takes time in proportion to their number, and not to its square. Needs no device.
. "$srcdir/tests/tap.inc"

# records COUNT: a set of so many, six of each input: two processes of three variants.
records() {
    awk -v count="$1" 'BEGIN {
        split("multi-kernel portable specialised", variants, " ")
        for (i = 0; i < count; i++) {
            printf "{\"schema\":2,\"kind\":\"measure\",\"app\":\"lonestar/bfs\",\"input\":\"road:%d\",", 100 + int(i / 6)
            printf "\"variant\":\"%s\",\"workgroup\":256,\"seed\":1,\"chip\":\"gpu\",\"driver\":\"1\",", variants[i % 3 + 1]
            printf "\"date\":\"2026-01-01T00:00:00Z\",\"commit\":\"c\",\"outcome\":\"ok\",\"repeat\":%d,", int(i / 3) % 2
            printf "\"key\":\"run %d\",\"samples_ns\":[", i
            for (j = 0; j < 12; j++) printf "%s%d", (j > 0 ? "," : ""), 40000000 + (i * 7919 + j * 104729) % 100003
            print "]}"
        }
    }'
}
records 20000 >"$folder/many.jsonl"

# Twenty seconds of the processor are ten times what it takes; a walk over all records for each record takes minutes.
quick() {
    part=$1
    shift
    (ulimit -t 20 && exec "$MUSTER" "$@" >"$folder/out" 2>"$folder/err") && has "$folder/out" "$part"
}
check 'results lists 20 000 records' quick '20000 records: ok 20000' results "$folder/many.jsonl"
check '… and prints them as CSV' quick 'gpu,1,lonestar/bfs,road:3432,' results --format=csv "$folder/many.jsonl"
for table in summary speedup times samples; do
    check "table $table takes them" quick 'road:3432' table $table "$folder/many.jsonl"
done
check 'compare takes them twice' quick 'road:3432' compare "$folder/many.jsonl" "$folder/many.jsonl"
tap_done
