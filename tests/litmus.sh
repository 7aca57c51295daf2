#!/bin/sh
# muster litmus: a file of measurements becomes a table with a verdict for each test; on PoCL no forbidden outcome is seen.
. "$srcdir/tests/tap.inc"

# ---- The table ----

# shape TEST ATOMICS FORM NEAR INSTANCES WEAK FORBIDDEN
shape() {
    printf '{"schema":3,"kind":"litmus","chip":"chip","driver":"1","outcome":"ok","parameters":{"experiment":"shapes",'
    printf '"atomics":"%s","form":"%s","milliseconds":6},"test":"%s","outcome_of_interest":"seen",' "$2" "$3" "$1"
    printf '"near":%s,"same_line":false,"stress":false,"instances":%s,"weak":%s,"forbidden":%s}\n' "$4" "$5" "$6" "$7"
}
mkdir -p "$folder/results/chip"
{
    shape MP ptx ordered false 1000000 0 true
    shape MP ptx ordered true 3000000 0 true
    shape MP fences ordered false 1000000 8 true
    shape MP fences ordered true 3000000 0 true
    shape MP fences relaxed true 2000000 5 false
} >"$folder/results/chip/litmus.jsonl"
MUSTER_RESULTS=$folder/results "$MUSTER" table litmus --format=csv >"$folder/table" 2>"$folder/err"

# row ATOMICS FORM: its figures.
row() {
    awk -F , -v atomics="$1" -v form="$2" '$4 == atomics && $5 == form { print $7, $8, $9, $10, $11 }' "$folder/table"
}
check 'instances of all places count together' [ "$(row ptx ordered)" = '4 0 0  forbidden' ]
check 'a forbidden outcome is named, with the place where it is most frequent' \
    [ "$(row fences ordered)" = '4 2 8 far FORBIDDEN AND SEEN' ] || cat "$folder/table"
check 'what is allowed is no verdict against the device' [ "$(row fences relaxed)" = '2 2.5 2.5 near allowed' ]

# ---- A device ----

if ! find_pocl; then
    skip 'litmus tests on PoCL' "$no_pocl"
elif in_full 2; then
    MUSTER_RESULTS=$folder/pocl "$MUSTER" litmus --device=$pocl --quick --json >"$folder/seen" 2>"$folder/err"
    check 'muster litmus ends well, or a control waits in vain' [ $? -le 4 ]
    check 'no forbidden outcome on PoCL' [ "$(grep -c FORBIDDEN "$folder/seen")" -eq 0 ]
    check 'the shapes of the ordered form were tested' grep -q '"ISA2"' "$folder/seen"
fi
tap_done
