#!/bin/sh
# Apps of one's own, in tests/apps/own: pagerank, written as doc/apps.md tells, reach, which uses every role that
# has a protocol, and halves, which has steps beside barriers. Right answers from forced teams in all variants, and what becomes of misuse: a message that names the
# buffer, by the compiler where it can see it.
. "$srcdir/tests/tap.inc"
need_pocl
MUSTER=$MUSTER_OWN
# These apps are for what they ask of the framework, and no other test has their kernels.
compile_unoptimised

patience=4000000000 # a roll call that waits for all workers, however late they wake up

# one TEAM APP VARIANT INPUT [OPTION...]: a right answer from a team of that size, judged by judge_all.
one() {
    size=$1 app=$2 variant=$3 input=$4
    shift 4
    title="$app $variant $input with $size workers${*:+, $*}"
    later "$variant" "$size" "$title" "$app" --variant="$variant" --input="$input" --team="$size" --samples=2 --warmup=0 \
        --patience="$patience" "$@"
}

# judge CODE RECORD: a right answer from a team of the size that $options says; or `OUTCOME: MESSAGE`. What it counted is kept for
# `counted`.
judge() {
    case $options in
        *:*)
            member message "$2" >"$folder/message"
            [ "$(member outcome "$2")" = "${options%%: *}" ] && has "$folder/message" "${options#*: }"
            return
            ;;
    esac
    teams=$(pick 'teams/*' <"$2" | paste -s -d , -)
    echo "$title $(pick barriers readbacks <"$2" | paste -s -d ' ' -)" >>"$folder/counts"
    was_right "$@" && { [ "$variant" = multi-kernel ] || [ "$teams" = "$options,$options" ]; }
}

for size in 4 2; do
    [ "$size" = 4 ] || in_full 6 || continue
    if [ "$(pocl_has compute_units "$size")" != "$size" ]; then
        skip "$size workers" "PoCL cannot be given as many"
        continue
    fi
    for variant in multi-kernel portable specialised; do
        # shellcheck disable=SC2086 # options are words
        for app in own/pagerank own/reach; do
            # Specialised, with the barrier that differs most, below.
            [ $variant,$app != specialised,own/pagerank ] || continue
            options=$(group_of $app $variant)
            if [ "$size" -eq 2 ]; then
                one "$size" "$app" "$variant" road:60 $options
            elif ! in_full 0; then
                # Below, reach breaks its rules in multi-kernel.
                [ $variant,$app != multi-kernel,own/reach ] || in_full 2 || continue
                one "$size" "$app" "$variant" rmat:8 ${options:-$one_item}
                one "$size" "$app" "$variant" grid2d:1x1 ${options:-$one_item}
            else
                one "$size" "$app" "$variant" rmat:8 $options
                one "$size" "$app" "$variant" grid2d:1x1 $options
            fi
        done
    done
    one "$size" own/halves portable rmat:8 --barrier=split
    if [ "$size" -eq 2 ]; then
        judge_all 2
        continue
    fi
    # Questions that a fast workgroup must not answer; of few work-items, so that most of the time is that between steps.
    for variant in multi-kernel portable specialised; do
        [ "$variant,$size" = specialised,4 ] || in_full || continue
        one "$size" own/turns $variant grid2d:7x9 --workgroup=8
    done
    if in_full 8; then
        one "$size" own/halves multi-kernel rmat:8
        one "$size" own/halves specialised road:60 --barrier=split --perturb=1
        one "$size" own/halves specialised road:60 --perturb=1
        one "$size" own/halves portable rmat:8 --barrier=xf
        one "$size" own/halves specialised rmat:8 --barrier=tree
        one "$size" own/halves portable rmat:8 --barrier=split --cl-std=CL1.2
        one "$size" own/halves multi-kernel rmat:8 --grid=fixed
        one "$size" own/halves cooperative road:60
    fi
    if in_full 2; then
        one "$size" own/pagerank portable rmat:7 --barrier=xf
        one "$size" own/pagerank specialised rmat:7 --barrier=tree
    fi
    judge_all "$size"
done

# The apps of examples/apps, which doc/apps.md begins with.
for example in kcore labels tour; do
    for variant in multi-kernel portable specialised cooperative; do
        # tests/harness/commands/check_app.sh runs kcore as well, new_app.sh labels.
        case $variant,$example in portable,tour) ;; *) in_full || continue ;; esac
        stress=$([ $variant != cooperative ] || echo --stress=1)
        # shellcheck disable=SC2086 # options are words, or none
        one 4 own/$example $variant rmat:8 $one_item $stress
    done
done

# Random plans, those that tests/variants/test_plans explores: a thousand run one behind the other in a second. They found
# what no other app asks, such as the same question twice.
plans() {
    variant=$1 count=$2 size=$3
    shift 3
    one "$size" own/plans "$variant" grid2d:1x1 --workgroup=1 --plans="$count" "$@"
}
plans portable 1000 4
if in_full 7; then
    plans multi-kernel 100 4
    plans multi-kernel 1000 4
    plans multi-kernel 1000 3 --grid=fixed
    plans specialised 1000 2 --barrier=split
    plans cooperative 1000 4 --stress=1
    plans cooperative 1000 4 --stress=2
    plans cooperative 10 4 --perturb=2 --stress=3 --from=2000
fi

# Flags, sums and maxima over a team that has another size behind the barrier.
# shellcheck disable=SC2086 # options are words
one 4 own/turns cooperative grid2d:7x9 ${one_item:---workgroup=8} --stress=1
for app in reach pagerank halves; do
    in_full 3 || break
    [ $app = reach ] && input=road:60 || input=rmat:8
    # shellcheck disable=SC2086 # options are words
    one 4 own/$app cooperative $input --stress=1 $one_item
done
judge_all 4

# counted APP VARIANT MEMBER: barriers (1) or read-backs (2) of that run on rmat:8 with four workers.
counted() {
    grep "^own/$1 $2 rmat:8 with 4 workers" "$folder/counts" | head -n 1 | awk -v member="$3" '{ print $(NF - 2 + member) }'
}
# A reduction takes one barrier, that of its step: first step, rounds, and of reach five that tell.
same_barriers() {
    [ "$(counted reach portable 1)" -gt 5 ] && [ "$(counted reach portable 1)" -eq "$(counted reach specialised 1)" ]
}
check 'reach crosses a barrier for each step' same_barriers
rounds=$(counted pagerank portable 1)
echo "# pagerank on rmat:8: $rounds barriers, $(counted pagerank multi-kernel 2) read-backs"
check 'pagerank crosses a barrier and reads back once for each round' [ "$((rounds - 1))" -eq "$(counted pagerank multi-kernel 2)" ]

# Many workgroups: their parts are taken together in several launches.
if in_full; then
    workers 2 "$MUSTER" run own/pagerank --variant=multi-kernel --input=road:60 --device="$pocl" --workgroup=4 --samples=1 \
        --warmup=0 --json >"$folder/record" 2>"$folder/err"
    check 'pagerank with nine hundred workgroups a launch' [ "$(member check "$folder/record")" = passed ]
fi
check 'enough=1e-3 takes fewer rounds' [ "$(workers 2 "$MUSTER" run own/pagerank --enough=1e-3 --variant=multi-kernel \
    --input=rmat:8 --device="$pocl" --samples=1 --warmup=0 --json "$one_item" | pick readbacks)" -lt "$((rounds - 1))" ]

# ---- Misuse ----

lied=0
# lying APP FILE SCRIPT: a copy of the kernel sources, $lies, in which one file of the app is edited.
lying() {
    lied=$((lied + 1))
    lies=$folder/kernels.$lied
    mkdir -p "$lies/apps/own"
    cp -R "$srcdir/tests/apps/own/." "$lies/apps/own/" && chmod -R u+w "$lies/apps/own"
    sed -i "$3" "$lies/apps/own/$1/$2"
    if cmp -s "$srcdir/tests/apps/own/$1/$2" "$lies/apps/own/$1/$2"; then
        echo "Bail out! nothing was edited in $2"
        exit 99
    fi
}

# caught CODE PART APP VARIANT: exit code and a message. Workgroups of many work-items are asked for by items=64.
items=1
caught() {
    ends "$1" workers 2 "$MUSTER" run "own/$3" --device="$pocl" --kernel-dir="$lies" --samples=1 --warmup=0 --team=2 \
        --patience="$patience" --variant="$4" --input=rmat:6 --workgroup="$items" && has "$folder/err" "$2"
}

# caught_later TITLE OUTCOME PART APP VARIANT [OPTION...]: the same of a run that waits for judge_all, with two workers. The exit code
# follows from the outcome, as above.
caught_later() {
    title=$1 wanted="$2: $3" app=$4 variant=$5
    shift 5
    later "$variant" "$wanted" "$title" "own/$app" --kernel-dir="$lies" --samples=1 --warmup=0 --team=2 --patience="$patience" \
        --variant="$variant" --workgroup=1 "${@:---input=rmat:6}"
}

# breaks TITLE PART FILE SCRIPT: a rule of a buffer that is broken in reach, and what is said of it in one of the persistent
# variants, by turns, and by multi-kernel; but this, whose plan is compiled into the program, sees changed steps alone. The
# sample has a persistent variant below.
broken=0
breaks() {
    lying reach "reach.$3" "$4"
    persistent=$(echo specialised portable cooperative | cut -d ' ' -f $((broken % 3 + 1)))
    if [ "$broken" = 0 ]; then
        check "$1, multi-kernel" caught 2 "$2" reach multi-kernel
        if in_full; then check "$1, $persistent" caught 2 "$2" reach "$persistent"; fi
    else
        [ "$3" = plan.h ] || caught_later "$1, multi-kernel" usage "$2" reach multi-kernel
        caught_later "$1, $persistent" usage "$2" reach "$persistent"
    fi
    broken=$((broken + 1))
}
breaks 'a flag is stamped for another round' 'flag fresh: the plan asks for round 1, and a step has stamped it in round 2' \
    cl 's/STAMP(fresh, any_new, round)/STAMP(fresh, any_new, round + 1)/'
if in_full 8; then
    breaks 'a flag is stamped in round 0' 'flag fresh: a step stamps in round ' \
        cl 's/STAMP(fresh, any_new, round)/STAMP(fresh, any_new, 0)/'
    breaks 'a flag is asked for round 0' 'flag fresh: the plan asks for round 0' plan.h 's/STAMPED(fresh, round)/STAMPED(fresh, 0)/'
    breaks 'two steps count in a round' 'counter found: a step counts in round 1, and round 2 is due' plan.h \
        's/^\( *\)STEP(expand, size, round);/&\n\1STEP(expand, size, round);/'
    breaks 'a counter is told another round' 'counter found: a step counts in round 2, and round 1 is due' \
        cl 's/COUNT_INTO(found, round)/COUNT_INTO(found, round + 1)/'
    breaks 'rounds of a counter rise by two' 'counter found: a step counts in round 3, and round 2 is due' plan.h \
        's/round++/round += 2/; s/COUNTED(found, round)/COUNTED(found, round == 1 ? 1 : round - 1)/'
    breaks 'a maximum is asked for behind another step' 'maximum widest: the plan asks behind step 3' plan.h \
        's/^\( *\)STEP(expand, size, round);/&\n\1STEP2(tell, 1, REACH_ROUNDS, 0);/'
fi
# A plan without end: its first loop goes on as long as a step has left something.
lying turns turns.plan.h '0,/STEP2(mark, S.vertices, round, 1);/s//&\n        STEP(pass, S.vertices, round);/
    0,/while (round < TURNS_ROUNDS)/s//while (READ(list, 0) != 0)/'
endless() {
    # shellcheck disable=SC2086 # options are words
    ends 4 workers 2 "$MUSTER" run own/turns --device="$pocl" --kernel-dir="$lies" --samples=1 --warmup=0 --team=2 \
        --patience="$patience" --variant="$1" --input=grid2d:7x9 --rounds=2000 $one_item &&
        has "$folder/err" "the plan has had 2000 $2" && has "$folder/err" 'behind step mark (apps/own/turns/turns.plan.h:7)'
}
check 'a plan without end' endless specialised barriers
if in_full 2; then
    for variant in portable cooperative; do
        caught_later "a plan without end, $variant" deadlock \
            'the plan has had 2000 barriers and goes on, now behind step mark (apps/own/turns/turns.plan.h:7)' \
            turns "$variant" --input=grid2d:7x9 --rounds=2000
    done
fi

# A step that does something else than its plan means.
if in_full 2; then
    lying plans plans.cl 's/atomic_inc(/atomic_dec(/'
    check 'a plan that reads what it does not mean is wrong' ends 1 workers 2 "$MUSTER" run own/plans --device="$pocl" \
        --kernel-dir="$lies" --samples=1 --warmup=0 --variant=multi-kernel --input=grid2d:1x1 --workgroup=1
    check '… and says so' has "$folder/err" 'the plans have read'
fi

# What only persistent kernels can find out: that not all workgroups pass.
lying reach reach.cl 's/__global uint \*count = COUNT_INTO(found, round);/__global uint *count = S.list; if (T.rank != 0) count = COUNT_INTO(found, round);/'
check 'not all workgroups count' caught 2 'counter found: the plan asks for round 2' reach specialised
if in_full; then
    lying reach reach.cl 's/STAMP(fresh, any_new, round)/if (T.rank == 0) STAMP(fresh, true, round)/'
    caught_later 'not all workgroups stamp' usage 'flag fresh: the plan asks for round 1, and other workgroups' reach specialised
fi
lying reach reach.cl 's/STAMP(fresh.*/S.fresh[0] = round;/'
check 'a flag as a buffer without protocol' caught 3 "no member named 'fresh'" reach portable
lying reach reach.cl 's/CONTRIBUTE(arcs/CONTRIBUTE(level/'
check 'a contribution to what does not reduce' caught 3 'mu_contribute_level' reach multi-kernel
if in_full 4; then
    lying reach reach.cl 's/STAMP(fresh/STAMP(level/'
    caught_later 'a buffer without protocol as a flag' build-failed "no member named 'mu_flag_level'" reach portable
    lying reach reach.cl 's/CONTRIBUTE(arcs, arcs)/S.arcs[0] = arcs/'
    caught_later 'a sum as a buffer without protocol' build-failed "no member named 'arcs'" reach multi-kernel
    lying reach reach.plan.h 's/TEAM_SUM(arcs)/TEAM_MAX(arcs)/'
    caught_later 'a sum read as a maximum' build-failed 'mu_MAX_of_arcs' reach specialised
    lying reach reach.plan.h 's/COUNTED(found, round)/READ(found, round % 3)/'
    caught_later 'a counter read as a buffer without protocol' build-failed "no member named 'found'" reach specialised
fi
judge_all 2
lying reach reach.state.h 's/MU_REDUCTION_WORDS/64/'
items=64
check 'too little local memory for a reduction' caught 3 'mu_scratch_has_MU_REDUCTION_WORDS' reach portable

# Whatever an app could trip over is in the documented list.
reserved() {
    sed -n '/^## Reserved names/,/^## What/p' "$srcdir/doc/apps.md" >"$folder/reserved"
    sed -n 's/^#define \([A-Z][A-Z0-9_]*\).*/\1/p' "$srcdir"/variants/[!l]*/*.clh "$srcdir"/apps/*.h "$srcdir"/apps/*.clh |
        grep -v '^MU_' | sort -u >"$folder/names"
    [ "$(wc -l <"$folder/names")" -gt 20 ] && while read -r name; do
        has "$folder/reserved" "\`$name\`" || return 1
    done <"$folder/names"
}
check 'every name that the framework defines is documented' reserved

# The host's compiler reads the same plan.
host() {
    cp -R "$srcdir/tests/apps/own/." "$folder/host/" && chmod -R u+w "$folder/host" && sed -i "$1" "$folder/host/reach/reach.plan.h" &&
        ${CC:-cc} -std=c11 -D_GNU_SOURCE -fsyntax-only -I"$srcdir" "$folder/host/reach/reach.c" 2>"$folder/err"
}
mkdir "$folder/host"
check 'the host compiles the plan' host ''
host_refuses() {
    ! host "$1" && has "$folder/err" "$2"
}
check '… but not a flag that is read' host_refuses 's/STAMPED(fresh, round)/READ(fresh, 0)/' fresh
check '… nor a counter' host_refuses 's/COUNTED(found, round)/READ(found, round % 3)/' found
check '… nor a sum as a maximum' host_refuses 's/TEAM_SUM(arcs)/TEAM_MAX(arcs)/' mu_max_arcs
tap_done
