#!/bin/sh
# muster table claims: planted records turn the verdicts of three claims round; what no record decides is named with its
# reason; every claim's table, filters and columns exist. Needs no device.
. "$srcdir/tests/tap.inc"

# record VARIANT REPEAT SAMPLES [MORE]
record() {
    printf '{"schema":4,"kind":"measure","app":"%s","input":"%s","variant":"%s","chip":"gpu-z","set":"paper",' "$app" "$input" "$1"
    printf '"outcome":"ok","repeat":%s,"samples_ns":[%s]%s}\n' "$2" "$3" "${4:-}"
}
# plant LAUNCHES COLD BOUND: the times, in ms, of six processes, of the paper's programs on a road network.
plant() {
    mkdir -p "$folder/results/gpu-z"
    for test in pannotia/mis:road:1259 lonestar/bfs:road:1034; do
        app=${test%%:*} input=${test#*:}
        for repeat in 1 2 3 4 5 6; do
            for samples in "multi-kernel:$1" "portable:$2" "specialised:$3"; do
                set -- "$1" "$2" "$3" "${samples%%:*}" "$(echo "${samples#*:}" | cut -d, -f$repeat)000000"
                case $4 in
                portable) more=',"configuration":{"condition":"cold"}' ;;
                specialised) more=',"team_from":"bound"' ;;
                *) more= ;;
                esac
                record "$4" "$repeat" "$5,$5" "$more"
            done
        done
    done >"$folder/results/gpu-z/paper.jsonl"
    MUSTER_RESULTS=$folder/results "$MUSTER" table claims --format=csv >"$folder/claims" 2>"$folder/err"
}
verdict() {
    grep "^$1,.*,gpu-z," "$folder/claims" | sed 's/.*gpu-z,//' | grep -q ",$2\(,[0-9]*\)\?\$"
}

# says FIRST SECOND THIRD: the verdicts on: the barrier brings something in the mean (paper 7), and never more than 2.34
# (paper 8); portability costs no more than 2.53 (paper 10).
says() {
    verdict 'paper 7' "$1" && verdict 'paper 8' "$2" && verdict 'paper 10' "$3" || { grep '^paper.*gpu-z' "$folder/claims"; return 1; }
}
a=200,202,198,201,199,200 b=300,302,298,301,299,300 far=1000,1002,998,1001,999,1000
plant $b $a $a
check 'the barrier gains and portability is cheap' says 'as claimed' 'as claimed' 'as claimed'
plant $a $b $a
check 'launches are faster' says 'not as claimed' 'as claimed' 'as claimed'
plant $far $a $a
check 'the barrier gains more than was claimed' says 'as claimed' 'not as claimed' 'as claimed'
plant $a $far $a
check 'portability costs more than was claimed' says 'not as claimed' 'as claimed' 'not as claimed'
plant 100,900,200,700,300,1000 900,100,1000,300,700,200 900,100,200,1000,300,700
check 'times that vary show nothing' says 'not shown' 'not shown' 'not shown'
check 'what was not measured there is named' verdict 'paper 1' 'cannot be tried here'
reason() { grep '^paper 1,' "$folder/claims" | grep -q 'cannot be tried here: muster probe'; }
check 'and why' reason

# Five claims at least of each text, forty in all.
texts() {
    awk -F, '/^claim,text,place/ { in_claims = 1; next } NF == 0 { in_claims = 0 } in_claims { count[$2]++; all++ }
        END { for (text in count) if (count[text] < 5) exit 1; if (all < 40) exit 1 }' "$folder/claims"
}
check 'each text has its claims' texts
check 'of one chip' ends 0 env MUSTER_RESULTS="$folder/results" "$MUSTER" table claims --chip=gpu-z

tap_done
