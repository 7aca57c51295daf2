#!/bin/sh
# muster compare: verdicts, exit codes and refusals on the fixtures in tests/data; goldens in tests/expected (`BLESS=1`
# writes them anew). Needs no device.
. "$srcdir/tests/tap.inc"
MUSTER_RESULTS=$srcdir/tests/data/results
export MUSTER_RESULTS
cd "$srcdir/tests/data" || exit 99

# compares CODE ARGUMENT...: the exit code.
compares() {
    code=$1
    shift
    ends "$code" "$MUSTER" compare "$@"
}

# verdict VERDICT APP INPUT VARIANT: of a row in $folder/out, which is CSV.
verdict() {
    grep -q "^$2,$3,$4,.*,$1\(,[0-9]*\)*\$" "$folder/out" && return 0
    cat "$folder/out"
    return 1
}

bless_compare() {
    [ -z "${BLESS:-}" ] || "$MUSTER" compare gpu-a after.jsonl >"$srcdir/tests/expected/compare.txt"
    "$MUSTER" compare gpu-a after.jsonl | diff -u "$srcdir/tests/expected/compare.txt" -
}
check 'before and after, as text' bless_compare
check 'a regression is exit code 1' compares 1 gpu-a after.jsonl --format=csv
check '10 % slower' verdict slower pannotia/mis grid2d:1000x1000 portable
check '20 % faster' verdict faster pannotia/sssp road:1000 portable
check 'the same' verdict equivalent pannotia/mis grid2d:1000x1000 multi-kernel
check 'what ended well and crashes is broken' verdict broken lonestar/sssp 'rmat:22 delta=32' specialised
check 'what deadlocked and ends well is fixed' verdict fixed lonestar/bfs road:1000 portable
check 'what fails in both is incomparable' verdict incomparable pannotia/color rmat:20 specialised
check 'what is missing in one is incomparable' verdict incomparable pannotia/color rmat:20 multi-kernel

check 'the other way round: a deadlock is a regression' compares 1 after.jsonl gpu-a --format=csv
check '… broken' verdict broken lonestar/bfs road:1000 portable
check '… slower' verdict slower pannotia/sssp road:1000 portable
check '… faster' verdict faster pannotia/mis grid2d:1000x1000 portable
check 'a set against itself' compares 0 gpu-a gpu-a --format=csv
check '… has no difference' sh -c '! grep -q -e slower -e faster -e broken -e fixed -e shown "$0"' "$folder/out"

# What is surely within the margin is equivalent, however sure it is that it differs; one test is broken all the same.
check 'a margin' compares 1 gpu-a after.jsonl --format=csv --margin=15
check '… beyond the difference' verdict equivalent pannotia/mis grid2d:1000x1000 portable
check '… within the other' verdict faster pannotia/sssp road:1000 portable
check 'no margin' compares 1 gpu-a after.jsonl --format=csv --margin=0
check '… nothing is equivalent' verdict 'not shown' pannotia/mis grid2d:1000x1000 multi-kernel
check '… and all else is as it was' verdict faster pannotia/sssp road:1000 portable

# A/A: 20 tests, five processes a side that differ by 1 %, drawn from one distribution.
check 'equals have no regression' compares 0 equals.jsonl.xz@a equals.jsonl.xz@b --format=csv
equals_are_same() {
    [ "$(grep -c -e ',equivalent,' -e ',not shown,' "$folder/out")" -ge 19 ] && [ "$(wc -l <"$folder/out")" -eq 21 ]
}
check '… at most one of 20 tests differs' equals_are_same

# Processes that differ by a factor of four.
for repeat in 0 1; do
    printf '{"schema":4,"kind":"measure","app":"pannotia/mis","input":"road:9","variant":"portable","chip":"c",'
    printf '"outcome":"ok","repeat":%s,"samples_ns":[%s00000,%s00000]}\n' "$repeat" $((1 + 3 * repeat)) $((1 + 3 * repeat))
done >"$folder/far.jsonl"
check 'processes that differ much' compares 0 "$folder/far.jsonl" "$folder/far.jsonl"
check '… tell what is found without an exponent' grep -q 'in four of five cases is [0-9]* to [0-9]* %' "$folder/out"
check 'a set without a name' compares 2 '' gpu-a
check '… is told' has "$folder/err" "muster: '': no such file"

# Tests of different apps have nothing in common.
printf '%s\n' '{"schema":4,"kind":"measure","key":"k","app":"pannotia/mis","input":"road:7","variant":"portable",' \
    '"chip":"one","outcome":"ok","samples_ns":[1,2]}' | tr -d '\n' >"$folder/other.jsonl"
check 'sets that share no test are exit code 2' compares 2 gpu-a "$folder/other.jsonl"
check '… and a message' has "$folder/err" 'nothing was compared'
check '… but the table is there' grep -q incomparable "$folder/out"

check 'two chips' compares 1 gpu-a gpu-b --format=csv
check '… by test, whatever the chip' verdict slower pannotia/mis grid2d:1000x1000 portable
check 'sets of several chips' compares 0 results results --format=csv
check '… have a column for it' grep -q '^chip,app,input,variant,' "$folder/out"
# card DEVICE NS PROCESS: a record of one of two devices that share a short name.
card() {
    printf '{"schema":4,"kind":"measure","key":"%s %s","app":"pannotia/mis","input":"road:7","variant":"portable",' "$1" "$3"
    printf '"chip":"gtx","device":{"vendor":"V","name":"%s","platform":"P","compute_units":4},' "$1"
    printf '"outcome":"ok","samples_ns":[%s,%s]}\n' "$2" "$2"
}
card 'GTX 980' 1000000 1 >"$folder/first.jsonl"
card 'GTX-980' 2000000 1 >"$folder/second.jsonl"
cat "$folder/first.jsonl" "$folder/second.jsonl" >"$folder/both.jsonl"
cat "$folder/second.jsonl" "$folder/first.jsonl" >"$folder/turned.jsonl"
check 'two devices of one name, in either order' compares 0 "$folder/both.jsonl" "$folder/turned.jsonl" --format=json
each_with_itself() {
    [ "$("$JSON_PICK" 'rows/*/ratio' <"$folder/out" | sort -u)" = 1.0 ] || { cat "$folder/out"; return 1; }
}
check '… each is compared with itself' each_with_itself
for format in markdown latex json; do
    check "as $format" compares 1 gpu-a after.jsonl --format=$format
    check '… it prints something' [ -s "$folder/out" ]
done

# refuses PART ARGUMENT...: exit code 2 and a message.
refuses() {
    part=$1
    shift
    compares 2 "$@" && has "$folder/err" "$part"
}
check 'no set' refuses 'It takes two result sets'
check 'one set' refuses 'It takes two result sets' gpu-a
check 'seventeen sets' refuses "'gpu-a' is too much" gpu-b gpu-b gpu-b gpu-b gpu-b gpu-b gpu-b gpu-b gpu-b gpu-b gpu-b gpu-b gpu-b gpu-b gpu-b \
    gpu-b gpu-a
check 'a JUnit report of three' refuses '--junit is of a comparison of two' gpu-a gpu-b gpu-a --junit="$folder/three.xml"

# A/A/A on an H200: of color, and some of sssp, there is one process a side, and what those differ by nobody knows. Judged by
# their samples alone, seven of the 48 pairs would differ.
equals=$srcdir/results/experiments/equals/equals.jsonl.xz
if published; then
    check 'three sets, each with each' compares 0 "$equals@a" "$equals@b" "$equals@c" --format=csv
    check '… no pair differs' has "$folder/out" 'all,all,48,0,0,10,38,0,0,0'
    check '… and those of one process say so' [ "$(grep -c '^pannotia/color,.*,not shown (one process),' "$folder/out")" = 12 ]
else
    skip 'three sets, each with each' "$no_records"
fi
check 'a regression among three is exit code 1' compares 1 gpu-a gpu-a after.jsonl --format=csv
check 'no such set' refuses 'nonsense: no such file or folder, and no chip' gpu-a nonsense
check 'a set without results' refuses 'no results' gpu-a results/gpu-a/tune.jsonl
check 'two labels in one set' refuses 'name the file of one, or its label, as in SET@LABEL' equals.jsonl.xz equals.jsonl.xz@a
for option in margin session-effect; do
    for percent in '' x -1 1001 nan 5%; do
        check "--$option=$percent" refuses 'not a number of percent' gpu-a gpu-b "--$option=$percent"
    done
done
tap_done
