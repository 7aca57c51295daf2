#!/bin/sh
# The programs of suite irgl in all their configurations, on graphs of odd shapes, on PoCL with 1, 2 and 4 workers: minutes
# on 64 cores. tests/apps/irgl-soak.sh [PROGRAM...]; `make check-irgl`. Every result is checked. IRGL_WORKERS in the environment
# are other numbers of workers.
#
# A job is a campaign of a program with some of its options given, which has a process for each graph. Jobs run side by
# side on all cores.
. "$srcdir/tests/tap.inc"
need_pocl
. "$srcdir/tests/apps/irgl.inc"
# shellcheck disable=SC2046 # names of programs are words
[ $# -gt 0 ] || set -- $(programs)
cores=$(nproc)

# Run by xargs: WORKERS NAME OPTION...
cat >"$folder/job" <<'END'
export POCL_MAX_PTHREAD_COUNT="$1" POCL_CPU_MAX_CU_COUNT="$1" POCL_MAX_COMPUTE_UNITS="$1" MUSTER_RESULTS="$MUSTER_RESULTS/$1/$2"
shift 2
mkdir -p "$MUSTER_RESULTS"
"$MUSTER" bench "$@" </dev/null >"$MUSTER_RESULTS/log" 2>&1
END
export MUSTER
# shellcheck disable=SC2086 # graphs are words
common="--suite=irgl --device=$pocl --set=soak --repeats=1 --min-samples=1 --max-samples=1 --warmup=0 --patience=4000000000
        --spin-limit=1073741824 --placement=none --deadline=$hangs_after --brief $(printf -- '--input=%s ' $inputs)"

# jobs WORKERS PROGRAM...: a line for each job. Workgroups are small, so that small graphs have heavy vertices.
jobs() {
    size=$1
    shift
    for program in "$@"; do
        for variant in portable multi-kernel; do
            for coop in off on; do
                [ $coop = off ] || takes "$program" coop-cv || continue
                for sg in off on; do
                    [ $sg = off ] || takes "$program" wg || continue
                    options="--variants=$variant --workgroup=16,32"
                    ! takes "$program" coop-cv || options="$options --coop-cv=$coop"
                    ! takes "$program" wg || options="$options --wg=off,on --sg=$sg --fg=off,1,8"
                    # shellcheck disable=SC2086 # words
                    echo $size "$program-$variant-$coop-$sg" "irgl/$program" $common $options
                done
            done
        done
    done
}

# all_right WORKERS PROGRAM: every configuration on every graph has a record, and each is right.
all_right() {
    cat "$MUSTER_RESULTS/$1/$2"-[mp]*-o*/*/soak.jsonl >"$folder/records"
    configurations=4
    ! takes "$2" coop-cv || configurations=$((configurations * 2))
    ! takes "$2" wg || configurations=$((configurations * 12))
    wanted=$((configurations * graphs))
    right=$(grep '"outcome":"ok"' "$folder/records" | grep -c '"check":"passed"')
    team=$(grep '"variant":"portable"' "$folder/records" | pick team | sort -n | tail -n 1)
    echo "$right of $wanted are right, teams of up to $team"
    [ "$right" -eq "$wanted" ] && [ "$team" -eq "$1" ] && return
    grep -v '"outcome":"ok"' "$folder/records" | pick outcome input message | head -n 12
    tail -qn 1 "$MUSTER_RESULTS/$1/$2"-[mp]*-o*/log
    return 1
}

# shellcheck disable=SC2086 # graphs are words
graphs=$(printf '%s\n' $inputs | wc -l)
for size in ${IRGL_WORKERS:-1 2 4}; do
    # Two workers share a core: those of multi-kernel are idle half of the time, and PoCL's compiler has one thread.
    jobs "$size" "$@" | xargs -P $((size > 1 ? cores * 2 / size : cores)) -L 1 sh "$folder/job"
    for program in "$@"; do
        check "irgl/$program in all configurations on $graphs graphs, $size workers" all_right "$size" "$program"
        sed 's/^/# /' "$folder/check.log"
    done
done
tap_done
