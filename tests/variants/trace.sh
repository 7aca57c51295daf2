#!/bin/sh
# Traces of multi-kernel (--trace): every launch is in them, with the elements of the input; a trace changes neither the
# samples nor what counts as done; and no record has one that nobody asked for.
. "$srcdir/tests/tap.inc"
need_pocl
compile_unoptimised

trace() {
    "$MUSTER" run "$@" --device="$pocl" --samples=2 --warmup=0 --trace --json >"$folder/record"
}

# A breadth-first search of a path by suite irgl's worklist: a round for each vertex, of one element.
printf '# a path\n0 1\n1 2\n2 3\n3 4\n4 5\n' >"$folder/path.txt"
path() {
    trace irgl/bfs-wl --variant=multi-kernel --input="$folder/path.txt" &&
        pick launches trace/launches trace/elements 'trace/steps/*/step' 'trace/steps/*/elements' \
            trace/steps/step=expand/launches 'trace/steps/step=expand/by_size/*/bits' \
            'trace/steps/step=expand/by_size/*/launches' <"$folder/record" | tr '\n' ' ' >"$folder/values" &&
        has "$folder/values" '7 7 12 init expand 6 6 6 1 6 '
}
check 'each launch of each step, with its elements' path
rounds() {
    pick trace/first/step trace/first/round trace/first/elements <"$folder/record" | tr '\n' ' ' >"$folder/values" &&
        has "$folder/values" '["init","expand","expand","expand","expand","expand","expand"] [0,1,2,3,4,5,6] [6,1,1,1,1,1,1] '
}
check '… and the first launches in order, with their rounds' rounds
timed() {
    pick trace/device_ns 'trace/steps/*/device_ns' <"$folder/record" |
        awk 'NR == 1 { all = $1 } NR > 1 { sum += $1 } END { exit !(NR == 3 && all > 0 && sum == all) }'
}
check '… and the times of the steps are that of all' timed
check 'the record is as doc/record.schema.json says' "${MUSTER%/*}/tests/records/test_record_schema" "$folder/record"
samples() {
    [ "$(member samples_ns "$folder/record" | tr -cd , | wc -c)" -eq 1 ]
}
check 'the traced execution is no sample' samples
persistent() {
    trace irgl/bfs-wl --variant=portable --input="$folder/path.txt" && ! grep -q '"trace":{' "$folder/record"
}
check 'one launch is no trace' persistent

# Campaigns.
bench() {
    ends 0 "$MUSTER" bench irgl/bfs-wl --device="$pocl" --repeats=1 --min-samples=2 --max-samples=2 --no-tune --set=traced \
        --variants=multi-kernel --input="$folder/path.txt" "$@" &&
        cat "$MUSTER_RESULTS"/*/traced.jsonl >"$folder/records" && [ "$(wc -l <"$folder/records")" -eq 1 ]
}
campaign() {
    bench --trace && grep -q '"trace":{' "$folder/records" && bench
}
check 'a campaign traces, and what is traced is done' campaign
tap_done
