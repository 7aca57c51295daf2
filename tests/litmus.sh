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
    shape MP ptx relaxed true 1000000 0 false
    shape SB ptx ordered true 1000000 7 false
} >"$folder/results/chip/litmus.jsonl"
MUSTER_RESULTS=$folder/results "$MUSTER" table litmus --format=csv >"$folder/table" 2>"$folder/err"

# row ATOMICS FORM: the figures of MP.
row() {
    awk -F , -v atomics="$1" -v form="$2" '$3 == "MP" && $4 == atomics && $5 == form { print $7, $8, $9, $10, $11 }' "$folder/table"
}
check 'instances of all places count together' [ "$(row ptx ordered)" = '4 0 0  forbidden' ]
check 'a forbidden outcome is named, with the place where it is most frequent' \
    [ "$(row fences ordered)" = '4 2 8 far FORBIDDEN AND SEEN' ] || cat "$folder/table"
check 'what is allowed is no verdict against the device' [ "$(row fences relaxed)" = '2 2.5 2.5 near allowed' ]

# ---- What may be relied on ----

printf '[profile]\nformat = 1\n\n[chip]\nname = chip\ndevice = a GPU\ndriver = 1\n\n[selftest]\n%s\n' \
    'trust = trusted
reason = so it is' >"$folder/results/chip/chip.ini"
# trusts RESULTS CHIP TEXT...: the table has these lines of the chip.
trusts() {
    of=$1 chip=$2
    shift 2
    MUSTER_RESULTS=$of "$MUSTER" table trust "$chip" --format=csv >"$folder/table" && has "$folder/table" "$@"
}
check 'the self-test, and what is kept, and how telling that is' trusts "$folder/results" chip \
    'chip,self-test,"a GPU, driver 1",trusted,so it is' \
    'chip,memory,shapes through atomics path ptx,kept,nothing forbidden in 4.0 million instances of 1 tests; without order 0 of 1 show it'
check 'what is not kept, by the worst outcome' has "$folder/table" \
    'chip,memory,shapes through atomics path fences,NOT KEPT,"MP: seen, 2.0 of a million, at most 8.0 far; forbidden outcomes in 1 of 1 tests"'
check 'what is allowed is no test' [ "$(grep -c memory "$folder/table")" = 2 ]
check 'the published results: a path that is trusted, one that is not, and the models' trusts "$srcdir/results" h200 \
    'h200,memory,shapes through atomics path ptx,kept,' 'h200,memory,barriers through atomics path fences,NOT KEPT,' \
    'h200,progress,scheduler model OBE,not refuted,' \
    'h200,idiom,"scan with decoupled look-back, ticketed ids",not refuted,needs OBE'
check '… and a model that is refuted, by which idiom' trusts "$srcdir/results" pocl-epyc-2 \
    'pocl-epyc-2,progress,scheduler model LOBE,REFUTED,"a barrier of the team of roll call lobe: starved, ids '
check 'a chip that nothing is known of' ends 2 env MUSTER_RESULTS="$folder/results" "$MUSTER" table trust nowhere

# ---- Idioms in use ----

# idiom IDIOM AMONG IDS ENDED
idiom() {
    printf '{"schema":3,"kind":"litmus","chip":"chip","driver":"1","outcome":"ok","parameters":{"experiment":"idioms",'
    printf '"idiom":"%s","runs":10},"idiom":"%s","among":"%s","ids":"%s","ended":"%s","groups":64,"launches":1,' "$1" "$1" \
        "$2" "$3" "$4"
    printf '"tries":3,"ns":[1000,2000,3000]}\n'
}
mkdir -p "$folder/idioms/chip"
{
    idiom scan workgroups native completed
    idiom scan workgroups reversed starved
    idiom scan workgroups ticketed completed
    idiom scan workgroups launches completed
    idiom mutex-and-one-way workgroups native completed
    idiom mutex work-items native starved
} >"$folder/idioms/chip/litmus.jsonl"
MUSTER_RESULTS=$folder/idioms "$MUSTER" table idioms --format=csv >"$folder/table" 2>"$folder/err"
check 'each idiom with what it needs, and what became of it' has "$folder/table" \
    'chip,workgroups,scan,native,HSA,completed,3,64,1,2000' 'chip,workgroups,scan,reversed,fair,starved,3,64,1,2000' \
    'chip,workgroups,scan,ticketed,OBE,completed' 'chip,workgroups,scan,launches,nothing,completed' \
    'chip,workgroups,mutex-and-one-way,native,HSA+OBE,completed' 'chip,work-items,mutex,native,,starved'
check '… also in table trust, without a probe' trusts "$folder/idioms" chip \
    'chip,idiom,"scan with decoupled look-back, native ids",not tested,needs HSA; tried 3 times among 64 workgroups: completed'
{
    idiom scan workgroups native starved
    idiom last-group workgroups native wrong
} >"$folder/idioms/chip/litmus.jsonl"
check '… where one that starves, or comes out wrong, is not kept' trusts "$folder/idioms" chip \
    'chip,idiom,"scan with decoupled look-back, native ids",NOT KEPT,needs HSA; tried 3 times' \
    'chip,idiom,reduction by the last group,NOT KEPT,needs nothing; tried 3 times among 64 workgroups: wrong'
idiom scan workgroups native completed >"$folder/idioms/chip/litmus.jsonl"
cp "$srcdir/results/h200/probe.jsonl" "$folder/idioms/chip"
sed -i 's/"chip":"h200"/"chip":"chip"/' "$folder/idioms/chip/probe.jsonl"
check '… and beside what the probe says of the scheduler' trusts "$folder/idioms" chip \
    'chip,idiom,"scan with decoupled look-back, native ids",not refuted,needs HSA; tried 3 times among 64 workgroups: completed'

# ---- A device ----

# The search is quick enough for one path: what is found is kept, and the shapes are tested under it; a second time nothing
# is searched.
if ! find_pocl; then
    skip 'litmus tests on PoCL' "$no_pocl"
elif in_full 12; then
    MUSTER_RESULTS=$folder/pocl "$MUSTER" litmus --device=$pocl --quick --search=1 --json >"$folder/seen" 2>"$folder/err"
    check 'muster litmus ends well, or a control waits in vain' [ $? -le 4 ]
    check 'no forbidden outcome on PoCL' [ "$(grep -c FORBIDDEN "$folder/seen")" -eq 0 ]
    check 'the shapes of the ordered form were tested' grep -q '"ISA2"' "$folder/seen"
    grep '"experiment":"search"' "$folder"/pocl/*/litmus.jsonl >"$folder/found"
    check 'for each path there is what the search found' has "$folder/found" '"pattern":' '"spread":' '"share":' '"score":'
    check '… at least as good as stress all over memory' awk -F '"score' '{ split($2, best, /[:,]/)
        split($3, first, /[:,]/); if (best[2] + 0 < first[2] + 0) bad = 1 } END { exit bad || NR == 0 }' "$folder/found"
    check 'the shapes were tested under it' grep -q '"stressed"' "$folder/seen"
    MUSTER_RESULTS=$folder/pocl "$MUSTER" litmus --device=$pocl --quick --search=1 --json >"$folder/again" 2>"$folder/err"
    check 'a second time nothing is searched' [ "$(grep -c '"experiment":"search"' "$folder"/pocl/*/litmus.jsonl)" = \
        "$(awk 'END { print NR }' "$folder/found")" ]

    # Idioms in use. Whoever waits for a group whose worker has no core for a while may give up on a busy machine: three
    # times at most.
    all_with_tickets() {
        awk -F , '$4 == "ticketed" { n++; if ($6 != "completed") bad = 1 } END { exit bad || n != 6 }' "$folder/table"
    }
    MUSTER_RESULTS=$folder/pocl "$MUSTER" litmus --device=$pocl --quick --idioms --format=csv >"$folder/table" 2>"$folder/err"
    check 'muster litmus --idioms ends well' [ $? -eq 0 ] || cat "$folder/err"
    check 'nothing comes out wrong' [ "$(grep -c ',wrong,' "$folder/table")" -eq 0 ]
    check 'launches, and a reduction by the last group, come to their end' \
        awk -F , '($4 == "launches" || $3 == "last-group") { n++; if ($6 != "completed") bad = 1 } END { exit bad || n != 7 }' \
        "$folder/table"
    check 'whoever waits for more groups than fit starves' \
        awk -F , '$4 == "reversed" && $2 == "workgroups" && $3 != "last-group" && $3 != "neighbours" { n++; if ($6 != "starved") bad = 1 }
            END { exit bad || n != 4 }' "$folder/table"
    for again in 1 2; do
        all_with_tickets && break
        echo "# not all with tickets came to their end, time $again"
        MUSTER_RESULTS=$folder/pocl "$MUSTER" litmus --device=$pocl --quick --idioms --restart --format=csv >"$folder/table" \
            2>"$folder/err"
    done
    check 'with tickets all come to their end' all_with_tickets
fi
check 'a search of no length' ends 2 "$MUSTER" litmus --search=0
tap_done
