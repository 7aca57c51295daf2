#!/bin/sh
# muster litmus: a file of measurements becomes a table with a verdict for each test; on PoCL no forbidden outcome is seen.
. "$srcdir/tests/tap.inc"

# ---- The table ----

# shape TEST ATOMICS FORM NEAR INSTANCES WEAK FORBIDDEN
shape() {
    printf '{"schema":4,"kind":"litmus","chip":"chip","driver":"1","outcome":"ok","parameters":{"experiment":"shapes",'
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
if published; then
    check 'the published results: a path that is trusted, one that is not, and the models' trusts "$srcdir/results/chips" nvidia-h200-132 \
        'nvidia-h200-132,memory,shapes through atomics path ptx,kept,' 'nvidia-h200-132,memory,barriers through atomics path fences,NOT KEPT,' \
        'nvidia-h200-132,progress,scheduler model OBE,not refuted,' \
        'nvidia-h200-132,idiom,"scan with decoupled look-back, ticketed ids",not refuted,needs OBE'
    check '… and a model that is refuted, by which idiom' trusts "$srcdir/results/chips" pocl-3.1-skylake-avx512-amd-epyc-2 \
        'pocl-3.1-skylake-avx512-amd-epyc-2,progress,scheduler model LOBE,REFUTED,"a barrier of the team of roll call lobe: starved, ids '
else
    skip 'what may be relied on by the published results' "$no_records"
fi
check 'a chip that nothing is known of' ends 2 env MUSTER_RESULTS="$folder/results" "$MUSTER" table trust nowhere

# ---- Idioms in use ----

# idiom IDIOM AMONG IDS ENDED
idiom() {
    printf '{"schema":4,"kind":"litmus","chip":"chip","driver":"1","outcome":"ok","parameters":{"experiment":"idioms",'
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
if published; then
    cp "$srcdir/results/chips/nvidia-h200-132/probe.jsonl" "$folder/idioms/chip"
    sed -i 's/"chip":"nvidia-h200-132"/"chip":"chip"/' "$folder/idioms/chip/probe.jsonl"
    check '… and beside what the probe says of the scheduler' trusts "$folder/idioms" chip \
        'chip,idiom,"scan with decoupled look-back, native ids",not refuted,needs HSA; tried 3 times among 64 workgroups: completed'
else
    skip '… and beside what the probe says of the scheduler' "$no_records"
fi

# ---- A device ----

# The search is quick enough for one path: what is found is kept, and the shapes are tested under it; a second time nothing
# is searched. Unoptimised: as users' compilers make them the tests run in tests/harness/conform/conform.sh, which also asks that
# nothing forbidden is seen.
if ! find_pocl; then
    skip 'litmus tests on PoCL' "$no_pocl"
elif in_full 12; then
    MUSTER_RESULTS=$folder/pocl unoptimised "$MUSTER" litmus --device=$pocl --quick --search=1 --json >"$folder/seen" 2>"$folder/err"
    check 'muster litmus ends well, or a control waits in vain' [ $? -le 4 ]
    check 'no forbidden outcome on PoCL' [ "$(grep -c FORBIDDEN "$folder/seen")" -eq 0 ]
    check 'the shapes of the ordered form were tested' grep -q '"ISA2"' "$folder/seen"
    grep '"experiment":"search"' "$folder"/pocl/*/litmus.jsonl >"$folder/found"
    check 'for each path there is what the search found' has "$folder/found" '"pattern":' '"spread":' '"share":' '"score":'
    check '… at least as good as stress all over memory' awk -F '"score' '{ split($2, best, /[:,]/)
        split($3, first, /[:,]/); if (best[2] + 0 < first[2] + 0) bad = 1 } END { exit bad || NR == 0 }' "$folder/found"
    check 'the shapes were tested under it' grep -q '"stressed"' "$folder/seen"
    MUSTER_RESULTS=$folder/pocl unoptimised "$MUSTER" litmus --device=$pocl --quick --search=1 --json >"$folder/again" 2>"$folder/err"
    check 'a second time nothing is searched' [ "$(grep -c '"experiment":"search"' "$folder"/pocl/*/litmus.jsonl)" = \
        "$(awk 'END { print NR }' "$folder/found")" ]

    # Idioms in use. Whoever waits for a group whose worker has no core for a while may give up on a busy machine: three
    # times at most.
    all_with_tickets() {
        awk -F , '$4 == "ticketed" { n++; if ($6 != "completed") bad = 1 } END { exit bad || n != 6 }' "$folder/table"
    }
    MUSTER_RESULTS=$folder/pocl unoptimised "$MUSTER" litmus --device=$pocl --quick --idioms --format=csv >"$folder/table" 2>"$folder/err"
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
        MUSTER_RESULTS=$folder/pocl unoptimised "$MUSTER" litmus --device=$pocl --quick --idioms --restart --format=csv >"$folder/table" \
            2>"$folder/err"
    done
    check 'with tickets all come to their end' all_with_tickets
fi
# ---- Reduced tests ----

# seen TEST NEAR STRESS WEAK FORBIDDEN: a shape through path fences, in its order, on PoCL, whose chip is $chip.
seen() {
    printf '{"schema":4,"kind":"litmus","chip":"%s","driver":"1","outcome":"ok","parameters":{"experiment":"shapes",' "$chip"
    printf '"atomics":"fences","form":"ordered","milliseconds":6},"test":"%s","outcome_of_interest":"seen","near":%s,' "$1" "$2"
    printf '"same_line":true,"stress":%s,"instances":1000000,"weak":%s,"forbidden":%s}\n' "$3" "$4" "$5"
}
# reduced OPTION...: writes into $folder/reduced, and says what.
reduced() {
    MUSTER_RESULTS=$folder/reduced-results "$MUSTER" litmus --device="$pocl" --reduced="$folder/reduced" "$@"
}
# compiled TEST: the test in $folder/reduced/TEST by itself, without muster.
compiled() {
    (cd "$folder/reduced/$1" && ${CC:-cc} -std=c11 -Wall -Wextra -Wpedantic -Werror -o litmus test.c -lOpenCL)
}
# ran TEST STATUS LAUNCHES: so it ends, and each instance of so many launches had one outcome.
ran() {
    status=0
    (cd "$folder/reduced/$1" && ./litmus '' "$3" >out 2>err) || status=$?
    [ "$status" -eq "$2" ] && awk -v launches="$3" '
        FILENAME == ARGV[1] && ($2 == "WORKGROUP" || $2 == "GROUPS") { of[$2] = $3 + 0 }
        /^  outcome/ { sum += $3 }
        / instances$/ { all = $(NF - 1) }
        END { exit !(sum > 0 && sum == all && sum == launches * of["WORKGROUP"] * of["GROUPS"]) }' \
        "$folder/reduced/$1/test.h" "$folder/reduced/$1/out" || {
        sed 's/^/# /' "$folder/reduced/$1/out" "$folder/reduced/$1/err"
        return 1
    }
}
if ! find_pocl; then
    skip 'reduced litmus tests' "$no_pocl"
else
    chip=$(pocl_has chip)
    mkdir -p "$folder/reduced-results/$chip"
    check 'nothing is measured, and no test is named' ends 2 reduced
    {
        seen MP true true 9 true
        seen MP false true 7 true
        seen LB false false 0 true
        seen SB false false 9 false
    } >"$folder/reduced-results/$chip/litmus.jsonl"
    only_forbidden() {
        ends 0 reduced && [ "$(cat "$folder/out")" = "$folder/reduced/MP-fences-ordered" ]
    }
    check 'what was forbidden and seen is written, and nothing else' only_forbidden
    alone() {
        has "$folder/reduced/MP-fences-ordered/test.cl" 'flag seen, data not' 'There 9 of a million instances' 'on one line' \
            'of one workgroup' 'static void stress(' 'mu_load_acquire(y)' 'mem_fence' &&
            ! grep 'mu_compare_exchange\|mu_add\|@\|^#include' "$folder/reduced/MP-fences-ordered/test.cl"
    }
    check '… in the place where it was most frequent, with what it needs alone' alone
    check '… as a program that needs a C compiler and OpenCL, and nothing of muster' compiled MP-fences-ordered
    check '… which sees nothing forbidden on PoCL, and counts every instance' ran MP-fences-ordered 0 20
    overwritten() {
        echo mine >"$folder/reduced/MP-fences-ordered/test.cl"
        ends 2 reduced && has "$folder/err" 'MP-fences-ordered: File exists' &&
            [ "$(cat "$folder/reduced/MP-fences-ordered/test.cl")" = mine ]
    }
    check 'what is there is not overwritten' overwritten

    # Outcome 0, that nothing was seen yet, is frequent on every device; so a program that asks for it in place of its own.
    found() {
        ends 0 reduced --test=mp --atomics=fences --form=relaxed &&
            ! grep '_acquire(\|_release(' "$folder/reduced/MP-fences-relaxed/test.cl" &&
            sed 's/\(WEAK *\)1u/\10u/' "$folder/reduced/MP-fences-relaxed/test.h" >"$folder/asked.h" &&
            ! cmp -s "$folder/asked.h" "$folder/reduced/MP-fences-relaxed/test.h" &&
            cp "$folder/asked.h" "$folder/reduced/MP-fences-relaxed/test.h" && compiled MP-fences-relaxed &&
            ran MP-fences-relaxed 1 5
    }
    check 'an outcome that is there ends the program with 1' found
    every() {
        for test in LB CoRR WRC ISA2 IRIW; do
            ends 0 reduced --test="$test" --atomics=fences && compiled "$test-fences-ordered" || return 1
            ran "$test-fences-ordered" 0 2 || [ "$test" = IRIW ] || return 1
        done
    }
    if in_full 2; then check 'every test is written, compiled and run' every; fi
    no_device() {
        (cd "$folder/reduced/MP-fences-relaxed" && ends 2 ./litmus 'no such device')
    }
    check 'a device that is not there is named' no_device
    check 'no such test' ends 2 reduced --test=PM
    check 'no such path' ends 2 reduced --test=MP --atomics=magic
    check 'no such form' ends 2 reduced --test=MP --form=strong
    check 'a path that the device lacks' ends 3 reduced --test=MP --atomics=ptx
    check 'a folder that cannot be made' ends 2 "$MUSTER" litmus --device="$pocl" --reduced=/dev/null/here --test=MP
fi
check 'a test without --reduced' ends 2 "$MUSTER" litmus --test=MP
check '--reduced tests nothing' ends 2 "$MUSTER" litmus --reduced="$folder/x" --quick
check 'a search of no length' ends 2 "$MUSTER" litmus --search=0
tap_done
