#!/bin/sh
# Kernels that are wrong and once went unseen: those whose results are right, but that lie about their team or their
# barriers, and those whose results are right by chance.
. "$srcdir/tests/tap.inc"
need_pocl
compile_unoptimised

# lying FILE SCRIPT: a copy of the kernel sources in which one file is edited; $lies is its folder, another each time.
lies=$folder/kernels
copies=0
lying() {
    copies=$((copies + 1))
    lies=$folder/kernels-$copies
    kernels "$lies"
    sed -i "$2" "$lies/$1"
    if cmp -s "$srcdir/$1" "$lies/$1"; then
        echo "Bail out! nothing was edited in $1"
        exit 99
    fi
}

# wanted WHAT TITLE ARGUMENT...: a run on two workers, of which judge wants WHAT.
wanted() {
    what=$1 title=$2
    shift 2
    # The sample has its planted errors in workgroups of one, whose kernels PoCL compiles sooner.
    in_full 0 || [ "$lies" = "$folder/kernels" ] || set -- "$@" "$one_item"
    judged 2 '' "$what" "$title" --kernel-dir="$lies" --samples=1 --warmup=0 --expected=2 "$@"
}

# right TITLE ARGUMENT...: a right answer. caught TITLE PART ARGUMENT...: a wrong result, whose message has that part.
right() {
    wanted right "$@"
}
caught() {
    title=$1 part=$2
    shift 2
    wanted "wrong: $part" "$title" "$@"
}

# judge CODE RECORD: what $options says, `right`, `alone`, or `wrong` and a part of its message.
judge() {
    member message "$2" >"$folder/message"
    case $options$(member outcome "$2") in
        rightok) was_right "$@" ;;
        # Two that both are rank 0 flip the barrier's word twice where they meet, which is a deadlock; else both come to the end.
        alonewrong) ended "$1" 1 && has "$folder/message" 'stands for two workgroups' ;;
        alonedeadlock) ended "$1" 4 && has "$folder/message" 'waited at barrier' ;;
        wrong:*wrong) ended "$1" 1 && has "$folder/message" "${options#wrong: }" ;;
        *) false ;;
    esac
}

kernels "$lies"
# Where color asks along short rows, its plan has as many steps as it takes: here it does not.
for app in 'color --poll-degree=0' pannotia/sssp; do
    for input in road:9 rmat:6; do
        for variant in portable specialised; do
            # With this option PoCL compiles each variant for two seconds.
            [ "${app#color}" = "$app" ] || in_full || continue
            # shellcheck disable=SC2046,SC2086 # app and options
            right "$app on $input, $variant: the plan has as many steps as barriers were crossed" \
                $app --input=$input --variant=$variant --team=2 $(group_of "${app%% *}" $variant)
        done
    done
done
for variant in portable specialised; do
    for input in mesh:60 meshgrid:2x2; do
        # shellcheck disable=SC2046 # options are words
        right "dmr on $input, $variant: the plan has as many steps" \
            dmr --input=$input --variant="$variant" --team=2 $(group_of dmr "$variant")
    done
    # shellcheck disable=SC2046
    right "dmr, $variant, where room runs out" \
        dmr --input=mesh:200 --room=1 --variant="$variant" --team=2 --samples=3 $(group_of dmr "$variant")
done
printf '# one arc\n1 2\n' >"$folder/arc.txt"
# shellcheck disable=SC2046
right 'bfs from a vertex without arcs' \
    bfs --input="$folder/arc.txt" --source=1 --variant=portable $(group_of bfs portable)

judge_all 2

# What follows has kernels that no other test has.
lying variants/teams/kernel.clh 's/= T.size;/= 5002;/'
caught 'a team larger than the launch' 'its team was of 5002 workgroups; 2 were launched' mis --input=road:9 \
    --variant=portable --team=2
if in_full 2; then
    lying variants/teams/kernel.clh 's/\[MU_REPORT_SIZE\] = T.size;/[MU_REPORT_SIZE] = 1;/'
    caught 'a team smaller than the launch' 'its team was of 1 workgroups; 2 were launched' mis --input=road:9 \
        --variant=specialised --team=2
    caught '… in portable, where it could be' 'rank 0 of 1 did not end as rank 0 says' mis --input=road:9 \
        --variant=portable --team=2
fi
if in_full; then
    lying variants/teams/kernel.clh 's/= crossed;/= 1;/'
    caught 'a number of barriers that is made up' 'rank 0 of 2 did not end as rank 0 says, behind 1 barriers' \
        mis --input=road:9 --variant=portable --team=2
fi
lying variants/teams/kernel.clh 's/MU_ENDED(size, crossed)/MU_ENDED(size, crossed - (rank == 1))/'
caught 'a rank that crossed fewer' 'rank 1 of 2 did not end as rank 0 says' mis --input=road:9 \
    --variant=specialised --team=2
if in_full; then
    lying variants/teams/kernel.clh 's/if (get_local_id(0) == 0) mu_report_end.*;//'
    caught 'ranks that do not come to the end' 'rank 0 of 2 did not end as rank 0 says' mis --input=road:9 \
        --variant=specialised --team=2
fi
lying variants/rollcalls/atomic.clh 's/words\[MU_LOCAL_RANK\] = (team.*;/words[MU_LOCAL_RANK] = 0;/; s/words\[MU_LOCAL_SIZE\] = team.*;/words[MU_LOCAL_SIZE] = 1;/'
wanted alone 'a roll call in which everybody is a team of one' mis --input=road:9 --variant=portable --team=2 \
    --spin-limit=10000000
for app in 'color --poll-degree=0' pannotia/sssp; do
    # Each app is compiled anew.
    [ "$app" = pannotia/sssp ] || in_full || continue
    lying variants/teams/kernel.clh 's/crossed = words\[MU_LOCAL_CROSSED\];/crossed = words[MU_LOCAL_CROSSED] + 1;/'
    # shellcheck disable=SC2086 # app and option
    caught "$app: a barrier that no step stands before" 'the result is right, but every rank crossed' $app \
        --input=road:9 --variant=portable --team=2
done

# ---- Words that nobody initialised ----

# The first run must catch it, whether or not more follow.
for app in lonestar/sssp pannotia/sssp; do
    lying apps/$app/sssp.cl '/^STEP_DEF(init/,/^}/s/FOR_EACH (v) {/FOR_EACH (v) {\n        if (v + 1 == S.vertices) continue;/'
    for variant in multi-kernel portable; do
        [ $app,$variant = pannotia/sssp,multi-kernel ] || in_full || continue
        caught "$app, $variant: the last vertex is not initialised" ' has distance ' $app \
            --input=road:9 --variant=$variant
    done
done

judge_all 2
tap_done
