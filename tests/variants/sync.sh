#!/bin/sh
# Every roll call with every barrier that PoCL offers, on two workers (in `make check`, each with one of the others, which are
# what `make check-long` optimises); what it does not offer, and what auto picks.
. "$srcdir/tests/tap.inc"
need_pocl
in_full 0 || compile_unoptimised

# names SECTION: the names in that section of the list.
names() {
    "$MUSTER" list | awk -v section="$1" '/^[^ ]/ { inside = $0 == section; next } inside { print $1 }'
}

# On two workers: muster run in one line of JSON.
run() {
    workers 2 "$MUSTER" run "$@" --device="$pocl" --warmup=0 --deadline="$hangs_after" --json
}

# right TITLE TEAMS ARGUMENT...: a right answer, from teams like the pattern.
right() {
    title=$1 teams=$2
    shift 2
    judged 2 '' "$teams" "$title" "$@" --warmup=0
}

# judge CODE RECORD: a right answer, from teams like $options.
judge() {
    was_right "$@" && grep -q "\"teams\":\[$options\(,$options\)*\]" "$2" && exercised "$2"
}

refused() {
    part=$1
    shift
    ends 3 run "$@" --samples=1 && [ "$(member outcome "$folder/out")" = unsupported ] && has "$folder/err" "$part"
}

need_workers 2

# ---- Every roll call with every barrier ----

r=0
for rollcall in $(names 'roll calls'); do
    r=$((r + 1)) b=0
    # How large a team is that closes under a mutex depends on when workers wake up; a delay makes that two as a rule.
    case $rollcall in
        atomic) teams=2 more=--patience=4000000000 unoptimised=--patience=4000000000 ;;
        lobe) continue ;;
        *) teams='[12]' more=--rollcall-delay=200000 unoptimised=--rollcall-delay=20000 ;; # which last as long
    esac
    in_full 0 || more=$unoptimised
    for barrier in $(names barriers); do
        [ "$barrier" != auto ] && [ "$barrier" != native ] || continue
        b=$((b + 1))
        set -- mis --input=road:8 --team=2 --samples=2 --rollcall="$rollcall" --barrier="$barrier"
        # A quarter as users' compilers make them, in workgroups of many work-items: so each roll call, and each barrier.
        if [ $(((r + b) % 4)) -eq 0 ]; then
            right "mis, $rollcall, $barrier" "$teams" "$@" "$more"
        elif in_full; then
            later '' "$teams" "mis, $rollcall, $barrier" "$@" "$unoptimised" --warmup=0 "$one_item" --unoptimised
        fi
    done
done
right 'sssp, specialised, tree' 2 pannotia/sssp --variant=specialised --input=road:8 --team=2 --samples=2 --barrier=tree
if in_full 2; then
    later '' 2 'bfs, specialised, tree' bfs --variant=specialised --input=road:8 --team=2 --samples=2 --barrier=tree --warmup=0 --unoptimised
    later '' '[12]' 'mis, fences, ticket-destruct, tree' mis --input=road:8 --team=2 --samples=2 --atomics=fences \
        --rollcall=ticket-destruct --barrier=tree --warmup=0 --unoptimised
fi

# ---- What is not offered, with its reason ----

check "a runtime's own barrier is refused where there is none" refused \
    'cannot do --barrier=native: it does not report cl_intel_concurrent_dispatch' mis --input=road:4 --barrier=native
check '… and by cooperative' ends 2 run mis --input=road:4 --barrier=native --variant=cooperative
# The tests of forward progress take seconds; tests/harness/device/test_forward_progress runs them, too.
if in_full 2; then
    check 'lobe is refused where scheduling is not LOBE' refused 'not consistent with LOBE scheduling' \
        mis --input=road:4 --rollcall=lobe
    check '… and says what was not completed' has "$folder/err" 'the forward-progress test barrier-lobe (ids ascending)'
fi
right 'lobe matters to portable only' 2 mis --variant=specialised --team=2 --input=road:4 --samples=1 --rollcall=lobe
judge_all 2

# ---- auto ----

auto_is() {
    barrier=$1
    shift
    ends 0 run mis --input=road:4 --samples=1 "$@" && [ "$(member barrier "$folder/out")" = "$barrier" ] &&
        [ "$(member barrier_from "$folder/out")" = "$from" ] || { cat "$folder/out"; return 1; }
}
from=auto
check 'auto takes the counter for a small team' auto_is counter --team=2 --patience=4000000000
check '… also when nobody says how large it is' auto_is counter --barrier=auto
from=option
check 'a barrier that was asked for is taken' auto_is xf --barrier=xf
tap_done
