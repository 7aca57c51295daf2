#!/bin/sh
# Kernels that are wrong and once went unseen: those whose results are right, but that lie about their team or their
# barriers, and those whose results are right by chance.
. "$srcdir/tests/tap.inc"
need_pocl

# lying FILE SCRIPT: a copy of the kernel sources in which one file is edited; $lies is its folder.
lies=$folder/kernels
lying() {
    rm -rf "$lies"
    kernels "$lies"
    sed -i "$2" "$lies/$1"
    if cmp -s "$srcdir/$1" "$lies/$1"; then
        echo "Bail out! nothing was edited in $1"
        exit 99
    fi
}

# caught PART ARGUMENT...: exit code 1 and a message, on two workers.
caught() {
    part=$1
    shift
    unoptimised ends 1 workers 2 "$MUSTER" run --device="$pocl" --kernel-dir="$lies" --samples=1 --warmup=0 --expected=2 "$@" &&
        has "$folder/err" "$part"
}
right() {
    ends 0 workers 2 "$MUSTER" run --device="$pocl" --kernel-dir="$lies" --samples=1 --warmup=0 --expected=2 "$@"
}

kernels "$lies"
# Where color asks along short rows, its plan has as many steps as it takes: here it does not.
for app in bfs 'color --poll-degree=0' bc mst pannotia/sssp; do
    for input in road:9 rmat:6; do
        for variant in portable specialised; do
            # With this option PoCL compiles each variant for two seconds.
            [ "${app#color}" = "$app" ] || in_full || continue
            # shellcheck disable=SC2046,SC2086 # app and options
            check "$app on $input, $variant: the plan has as many steps as barriers were crossed" \
                right $app --input=$input --variant=$variant --team=2 $(group_of "${app%% *}" $variant)
        done
    done
done
for variant in portable specialised; do
    for input in mesh:60 meshgrid:2x2; do
        # shellcheck disable=SC2046 # options are words
        check "dmr on $input, $variant: the plan has as many steps" \
            right dmr --input=$input --variant=$variant --team=2 $(group_of dmr $variant)
    done
    # shellcheck disable=SC2046
    check "dmr, $variant, where room runs out" \
        right dmr --input=mesh:200 --room=1 --variant=$variant --team=2 --samples=3 $(group_of dmr $variant)
done
printf '# one arc\n1 2\n' >"$folder/arc.txt"
# shellcheck disable=SC2046
check 'bfs from a vertex without arcs' \
    right bfs --input="$folder/arc.txt" --source=1 --variant=portable $(group_of bfs portable)

lying variants/teams/kernel.clh 's/= T.size;/= 5002;/'
check 'a team larger than the launch' caught 'its team was of 5002 workgroups; 2 were launched' mis --input=road:9 \
    --variant=portable --team=2
lying variants/teams/kernel.clh 's/\[MU_REPORT_SIZE\] = T.size;/[MU_REPORT_SIZE] = 1;/'
check 'a team smaller than the launch' caught 'its team was of 1 workgroups; 2 were launched' mis --input=road:9 \
    --variant=specialised --team=2
if in_full; then
    check '… in portable, where it could be' caught 'rank 0 of 1 did not end as rank 0 says' mis --input=road:9 \
        --variant=portable --team=2
fi
lying variants/teams/kernel.clh 's/= crossed;/= 1;/'
check 'a number of barriers that is made up' caught 'rank 0 of 2 did not end as rank 0 says, behind 1 barriers' \
    mis --input=road:9 --variant=portable --team=2
lying variants/teams/kernel.clh 's/MU_ENDED(size, crossed)/MU_ENDED(size, crossed - (rank == 1))/'
check 'a rank that crossed fewer' caught 'rank 1 of 2 did not end as rank 0 says' mis --input=road:9 \
    --variant=specialised --team=2
if in_full; then
    lying variants/teams/kernel.clh 's/if (get_local_id(0) == 0) mu_report_end.*;//'
    check 'ranks that do not come to the end' caught 'rank 0 of 2 did not end as rank 0 says' mis --input=road:9 \
        --variant=specialised --team=2
fi
lying variants/rollcalls/atomic.clh 's/words\[MU_LOCAL_RANK\] = (team.*;/words[MU_LOCAL_RANK] = 0;/; s/words\[MU_LOCAL_SIZE\] = team.*;/words[MU_LOCAL_SIZE] = 1;/'
# Two that both are rank 0 flip the barrier's word twice where they meet, which is a deadlock; else both come to the end.
everybody_is_alone() {
    unoptimised workers 2 "$MUSTER" run --device="$pocl" --kernel-dir="$lies" --samples=1 --warmup=0 --expected=2 \
        --spin-limit=10000000 mis --input=road:9 --variant=portable --team=2 >"$folder/out" 2>"$folder/err"
    case $? in
        1) has "$folder/err" 'stands for two workgroups' ;;
        4) has "$folder/err" 'waited at barrier' ;;
        *) return 1 ;;
    esac
}
check 'a roll call in which everybody is a team of one' everybody_is_alone
for app in bfs 'color --poll-degree=0' bc mst pannotia/sssp; do
    # Each app is compiled anew.
    [ "$app" = pannotia/sssp ] || in_full || continue
    lying variants/teams/kernel.clh 's/crossed = words\[MU_LOCAL_CROSSED\];/crossed = words[MU_LOCAL_CROSSED] + 1;/'
    # shellcheck disable=SC2086 # app and option
    check "$app: a barrier that no step stands before" caught 'the result is right, but every rank crossed' $app \
        --input=road:9 --variant=portable --team=2
done

# ---- Words that nobody initialised ----

# The first run must catch it, whether or not more follow.
for app in lonestar/sssp pannotia/sssp; do
    lying apps/$app/sssp.cl '/^STEP_DEF(init/,/^}/s/FOR_EACH (v) {/FOR_EACH (v) {\n        if (v + 1 == S.vertices) continue;/'
    for variant in multi-kernel portable; do
        [ $app = pannotia/sssp ] || in_full || continue
        check "$app, $variant: the last vertex is not initialised" caught ' has distance ' $app \
            --input=road:9 --variant=$variant
    done
done

tap_done
