#!/bin/sh
# What goes wrong in a run is an outcome, never a hang: deadlocks, deadlines, broken kernels, broken drivers.
#
# `make check` does it with kernels that PoCL compiles in a second; `make check-long` with those of lonestar/bfs, too.
. "$srcdir/tests/tap.inc"
need_pocl
compile_unoptimised

# ---- Drivers that crash or hang ----

make_driver() {
    mkdir "$folder/$1" &&
        ${CC:-cc} -shared -fPIC -D"$1" -o "$folder/$1/driver.so" "$srcdir/tests/data/broken_driver.c" &&
        echo "$folder/$1/driver.so" >"$folder/$1/broken.icd" && cp "$pocl_icd" "$folder/$1/good.icd"
}

# beside MODE ARGUMENT...: muster where the loader sees the broken driver and PoCL's.
beside() {
    mode=$1
    shift
    OCL_ICD_VENDORS=$folder/$mode "$MUSTER" "$@"
}

reports() {
    mode=$1
    shift
    ends 0 beside "$mode" devices && has "$folder/out" 'Portable Computing Language' '!  ' "$@"
}

runs_beside() {
    ends 0 beside "$1" run mis --device="$pocl" --input=road:4 --samples=1 --json "$one_item" &&
        has "$folder/out" '"outcome":"ok"' '"check":"passed"'
}

drivers=yes
[ -f "$pocl_icd" ] || drivers="$pocl_icd is not there"
for mode in ABORT HANG CRASH_LATER COUNTED; do
    [ "$drivers" != yes ] || make_driver $mode 2>"$folder/cc.log" || drivers='there is no C compiler'
done
if [ "$drivers" = yes ]; then
    # The listing's deadline passes twice: in the background.
    beside HANG devices >"$folder/hang.out" 2>"$folder/hang.err" &
    hang=$!
    check 'a driver that aborts in the loader is reported' reports ABORT 'broken.icd: crash: ' 'killed by signal 6'
    check '… and PoCL runs beside it' runs_beside ABORT
    check 'a driver that crashes when asked for its devices is reported' \
        reports CRASH_LATER 'platform 0: crash: ' 'killed by signal 6'
    check '… and PoCL runs beside it' runs_beside CRASH_LATER
    # The verdict of the self-test is known by now.
    loaded_once() {
        LOADS=$folder/loads ends 0 beside COUNTED devices && has "$folder/out" 'Portable Computing Language' &&
            [ "$(wc -c <"$folder/loads")" -eq 1 ]
    }
    check 'where all goes well, drivers are loaded by one process to be listed' loaded_once
else
    skip 'drivers that crash' "$drivers"
fi

# ---- Deadlocks ----

# On two workers: muster run in one line of JSON, in workgroups of $items work-items.
items=1
run() {
    workers 2 "$MUSTER" run "$@" --device="$pocl" --warmup=0 --samples=1 --json --workgroup="$items"
}

# deadlocks PATTERN ARGUMENT...: the outcome, the exit code, and a message like PATTERN.
deadlocks() {
    pattern=$1
    shift
    ends 4 run "$@" && [ "$(member outcome "$folder/out")" = deadlock ] && grep -q "^muster: $pattern" "$folder/err" ||
        { cat "$folder/out" "$folder/err"; return 1; }
}

# deadlocks_now TITLE PATTERN ARGUMENT..., deadlocks_later TITLE PATTERN ARGUMENT...: a check of that, and of the same of a run that waits for
# judge_all. Its exit code follows from the outcome, as that of the others.
deadlocks_now() {
    title=$1
    shift
    check "$title" deadlocks "$@"
}
deadlocks_later() {
    title=$1 pattern=$2
    shift 2
    later '' "$pattern" "$title" "$@" --warmup=0 --samples=1 --workgroup="$items"
}
judge() {
    # shellcheck disable=SC2154 # of judge_all
    [ "$(member outcome "$2")" = deadlock ] && member message "$2" | grep -q "^$options"
}

# deadlocks_of APP: teams that lack a member.
deadlocks_of() {
    init=" behind step init (apps/$1/${1#*/}.plan.h:[0-9]*)"
    for barrier in counter tree xf; do
        # What a barrier says of a team that lacks a member is no app's.
        case $1,$barrier in *,counter) ;; lonestar/*) continue ;; *) in_full || continue ;; esac
        how=deadlocks_later
        [ "$1,$barrier" != pannotia/mis,counter ] || how=deadlocks_now
        $how "$1: too many workgroups deadlock at a barrier, with $barrier" \
            "rank [0-2] waited at barrier 1$init, where [12] of 3 workgroups had arrived (3 launched, 100000000 polls); missing: rank" \
            "$1" --variant=specialised --team=3 --barrier=$barrier --input=road:10 --spin-limit=100000000
    done
    if in_full; then
        deadlocks_later "$1: a roll call that waits in vain deadlocks" \
            'rank [01] waited in the roll call, where [12] of 3 workgroups had been served (100000000 polls)$' \
            "$1" --variant=portable --team=3 --expected=3 --patience=4000000000 --input=road:10 --spin-limit=100000000
    fi
    # Both workers spin for seconds.
    case $1 in lonestar/*) return ;; esac
    in_full || return 0
    check "$1: the bound by default ends a deadlock too" deadlocks 'rank [0-2] waited at barrier 1' \
        "$1" --variant=specialised --team=3 --input=road:10
}
deadlocks_of pannotia/mis
if in_full 4; then
    deadlocks_of lonestar/bfs
    # One work-item waits for the team, and the others of its workgroup for this.
    items=64
    deadlocks_later 'workgroups of many work-items deadlock, too' 'rank [0-2] waited at barrier 1' pannotia/mis --variant=specialised \
        --team=3 --barrier=counter --input=road:10 --spin-limit=100000000
    deadlocks_later '… that wait in a roll call' 'rank [01] waited in the roll call' pannotia/mis --variant=portable --team=3 --expected=3 \
        --patience=4000000000 --input=road:10 --spin-limit=100000000
    items=1
fi

# Rank 1 leaves its team at its third barrier and says nothing. It leaves for good: one that only left that barrier out would
# run a step ahead of the others, and could find the end a round later than they, so that nobody waited in vain.
kernels "$folder/left"
sed -i 's/^    const uint number = ++T.words\[MU_LOCAL_CROSSED\];/    if (T.rank == 1 \&\& T.words[MU_LOCAL_CROSSED] == 2) return false;\n&/' \
    "$folder/left/variants/barriers/one_word.clh"
leaves() {
    how=$1 title=$2
    shift 2
    $how "$title" 'rank 0 waited at barrier 3 behind step [a-z]* (apps/.*\.plan\.h:[0-9]*), where 1 of 2 .*; missing: rank 1, which ended behind 2 barriers$' \
        "$@" --variant=specialised --team=2 --barrier=counter --input=road:10 --spin-limit=100000000 \
        --kernel-dir="$folder/left"
}
leaves deadlocks_now 'a workgroup that leaves: who is missing, and at which step the others wait' mis
if in_full 2; then
    leaves deadlocks_later 'a workgroup of another app that leaves' pannotia/sssp
    # Members of a subteam would wait for rank 1 at a meeting.
    leaves deadlocks_later '… of a third' bfs --subteam=0
    judge_all 2
fi

# beside_hogs COMMAND...: on a machine with other work to do.
beside_hogs() {
    hogs=
    for _ in 1 2 3 4; do
        while :; do :; done &
        hogs="$hogs $!"
    done
    result=0
    "$@" || result=1
    # shellcheck disable=SC2086 # the processes are words
    kill $hogs
    return "$result"
}

# Four workers on it: the bound by default is not met. On a machine that runs several tests at once, no other test meets it either.
# shellcheck disable=SC2086 # options are words
meets_no_bound() {
    for variant in portable specialised; do
        ends 0 workers 4 "$MUSTER" run "$1" --variant="$variant" --team=4 --patience=4000000000 --device="$pocl" \
            --input=road:8 --warmup=0 --samples=2 "$one_item" || return 1
    done
}
never_meets_the_bound() {
    meets_no_bound "$1" && beside_hogs meets_no_bound "$1"
}
if in_full; then check 'the bound by default is not met on a loaded machine' never_meets_the_bound mis; fi

# As many polls, of which each 256th lasts for the turns of the others, would be minutes; a tenth of a second when idle.
ends_in_time() {
    beside_hogs deadlocks 'rank [0-2] waited at barrier 1' mis --variant=specialised --team=3 --barrier=counter \
        --input=road:10 --spin-limit=100000000 --deadline=20
}
if [ "$(pocl_has selftest/yield)" = syscall ]; then
    check 'a deadlock on a loaded machine is told in time' ends_in_time
else
    skip 'a deadlock on a loaded machine is told in time' 'waiting workgroups do not give their core away'
fi

# ---- Deadlines ----

deadline_passes() {
    ends 4 run "$@" && [ "$(member outcome "$folder/out")" = deadline ] && has "$folder/err" 'killed while ' &&
        [ -n "$(member app "$folder/out")" ] && member phase "$folder/out" | grep -x -e load -e open -e build -e first -e run &&
        grep -q '"phase_s":[0-9]' "$folder/out"
}
check 'a run that is too slow is killed' deadline_passes bfs --input=road:1000 --deadline=0.05

# names_step STEP LAUNCH: multi-kernel names that step and which launch it was; portable, whose steps are the device's, names
# its only launch and the workgroups of it.
names_step() {
    [ "$(pick step step_launch <"$folder/multi-kernel.out")" = "$1
$2" ] && has "$folder/multi-kernel.out" " s, behind step $1 (launch $2)\"" && ! grep '"step"' "$folder/portable.out" &&
        groups=$(pick launched_groups <"$folder/portable.out") && [ "$groups" -gt 0 ] &&
        has "$folder/portable.out" " s, in one kernel of $groups workgroups (launch 1)\"" '"step_launch":1'
}
# endless APP STEP LAUNCH SMALL FOLDER: kernels in FOLDER of which that step never ends on road:5; the host launches it first in
# that launch. On SMALL it ends, and the kernel is compiled from then on.
endless() {
    for variant in multi-kernel portable; do
        check "$1: a step that ends, $variant" ends 0 run "$1" --variant=$variant --input="$4" --kernel-dir="$5"
        check "… and on a larger graph never does is killed, $variant" \
            deadline_passes "$1" --variant=$variant --input=road:5 --deadline=0.8 --kernel-dir="$5"
        cp "$folder/out" "$folder/$variant.out"
    done
    # A busy machine does not come to that step in so short a time.
    for seconds in 5 20 100; do
        if names_step "$2" "$3" >"$folder/named"; then break; fi
        for variant in multi-kernel portable; do
            deadline_passes "$1" --variant=$variant --input=road:5 --deadline=$seconds --kernel-dir="$5" \
                >"$folder/named"
            cp "$folder/out" "$folder/$variant.out"
        done
    done
    check '… and named where the host has launched it' names_step "$2" "$3"
}
kernels_that_fail "$folder/failing"
endless pannotia/mis decide 2 road:3 "$folder/failing"
if in_full 2; then
    kernels "$folder/endless"
    sed -i '/^STEP_DEF(init, [a-z]*)$/{n;s/^{$/{\n    volatile uint endless = S.vertices > 20;\n    while (endless) endless = 1;/}' \
        "$folder/endless/apps/lonestar/bfs/bfs.cl"
    endless lonestar/bfs init 1 road:4 "$folder/endless"
fi

# ---- Kernels that are no good ----

fails() {
    code=$1 outcome=$2 part=$3
    shift 3
    ends "$code" run "$@" && [ "$(member outcome "$folder/out")" = "$outcome" ] && has "$folder/err" "$part" ||
        { cat "$folder/out"; return 1; }
}

kernels "$folder/syntax"
line=$(grep -n '^STEP_DEF(decide' "$folder/syntax/apps/pannotia/mis/mis.cl" | cut -d: -f1)
sed -i "$((line + 1))s/\$/ nonsense;/" "$folder/syntax/apps/pannotia/mis/mis.cl"
for variant in multi-kernel portable; do
    check "a syntax error is reported where it is, $variant" fails 3 build-failed \
        "apps/pannotia/mis/mis.cl:$((line + 1)):" mis --variant=$variant --input=road:4 --kernel-dir="$folder/syntax"
done

for variant in multi-kernel portable specialised; do
    [ $variant != specialised ] || in_full || continue
    check "a wrong answer is found, $variant" fails 1 wrong 'vertex ' \
        mis --variant=$variant --input=road:6 --kernel-dir="$folder/failing"
done
check 'unless it is not looked at' ends 0 run mis --input=road:6 --kernel-dir="$folder/failing" --no-check
check 'a kernel folder without kernels' fails 2 usage 'no kernel source of pannotia/mis is in this folder' \
    mis --input=road:4 --kernel-dir="$folder"

# ---- The driver that hangs ----

hang_is_reported() {
    wait "$hang" && has "$folder/hang.out" 'Portable Computing Language' '!  ' 'broken.icd: deadline passed: '
}
if [ "$drivers" = yes ]; then
    check 'a driver that hangs in the loader is reported' hang_is_reported
else
    skip 'a driver that hangs' "$drivers"
fi
tap_done
