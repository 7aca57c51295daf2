#!/bin/sh
# Inputs on which wrong kernels give wrong results: errors that were planted in the kernels are caught on them, and the
# kernels as they are pass. In `make check` one error of one app.
. "$srcdir/tests/tap.inc"
. "$srcdir/tests/apps/graphs.inc"
need_pocl
compile_unoptimised

# plant FILE SCRIPT: a copy of the kernel sources with one line, or a few, edited; $wrong is its folder, another each time.
copies=0
plant() {
    copies=$((copies + 1))
    wrong=$folder/kernels-$copies
    kernels "$wrong"
    sed -i "$2" "$wrong/$1"
    if cmp -s "$srcdir/$1" "$wrong/$1"; then
        echo "Bail out! nothing was edited in $1"
        exit 99
    fi
}

# run WHAT TITLE ARGUMENT...: a run on two workers, of which judge wants WHAT.
run() {
    what=$1 title=$2
    shift 2
    judged 2 '' "$what" "$title" --samples=1 --warmup=0 "$@"
}

# is_caught TITLE PART ARGUMENT...: the planted error makes a result that is wrong, and the message has that part.
is_caught() {
    title=$1 part=$2
    shift 2
    run "wrong: $part" "$title" --kernel-dir="$wrong" --variant=multi-kernel "$@"
}

# judge CODE RECORD: what $options says, `right`, `rounds`, or an outcome and a part of its message.
judge() {
    member message "$2" >"$folder/message"
    case $options in
        right) was_right "$@" ;;
        rounds) was_right "$@" && [ "$(member barriers "$2")" -gt 65 ] ;;
        wrong:*) ended "$1" 1 && [ "$(member outcome "$2")" = wrong ] && has "$folder/message" "${options#*: }" ;;
        limit:*) ended "$1" 3 && [ "$(member outcome "$2")" = limit ] && has "$folder/message" "${options#*: }" ;;
        *) false ;;
    esac
}

# ---- The kernels as they are ----

for app in bfs mst lonestar/sssp pannotia/sssp; do
    for variant in multi-kernel portable; do
        # shellcheck disable=SC2046 # options are words
        run right "$app, $variant, on traps:1500" $app --variant="$variant" --input=traps:1500 $(group_of $app "$variant")
    done
done
# shellcheck disable=SC2046 # options are words
run rounds 'that takes more than 64 rounds' bfs --variant=portable --team=2 --input=traps:1500 $(group_of bfs portable)

# From the middle of a star bfs pulls at once.
stars >"$folder/stars"
for variant in multi-kernel portable; do
    run right "bfs, $variant, from the middle of a star" bfs --variant="$variant" --input="$folder/stars"
    run right '… where work-items share rows' bfs --variant="$variant" --input="$folder/stars" --serial-degree=8
done

# From any vertex there is an end that is far enough.
diamonds >"$folder/diamonds.txt"
for variant in multi-kernel portable; do
    # shellcheck disable=SC2046 # options are words
    run 'limit: a vertex has more than 1e+300 shortest paths' \
        "bc, $variant: more than 10^300 shortest paths are said to be too many, with the source" bc --variant="$variant" \
        --input="$folder/diamonds.txt" --sources=1 --seed=1 $(group_of bc "$variant")
done

# Clusters of light edges, and heavy edges between them: more of these than a list of mst has room for.
awk 'BEGIN { srand(1); n = 90112; size = 8; print "c clusters\np sp", n, n * (size - 1) / 2 + 2 * n
    for (v = 0; v < n; v += size)
        for (i = 1; i <= size; i++) for (j = i + 1; j <= size; j++) print "a", v + i, v + j, 1 + int(10 * rand())
    for (i = 0; i < 2 * n; i++)
        print "a", 1 + int(n * rand()), 1 + int(n * rand()), 1000 + int(3000 * rand()) }' >"$folder/clusters.gr"
run right 'mst, multi-kernel: more heavy edges than a list has room for' mst --variant=multi-kernel \
    --input="$folder/clusters.gr"
run right 'mst, portable: the same' mst --variant=portable --input="$folder/clusters.gr"
judge_all 2

# ---- Planted errors ----

if in_full 2; then
    plant apps/pannotia/sssp/sssp.cl 's/changed |= sssp_hub(S, T, S.hub\[i\], round);/sssp_hub(S, T, S.hub[i], round);/'
    is_caught 'pannotia/sssp: a hub that does not say that it changed' 'is not reached' pannotia/sssp --input=traps:1500
    plant apps/pannotia/sssp/sssp.cl 's/const bool beyond = .*;/const bool beyond = false;/'
    is_caught 'pannotia/sssp: sums that wrap' ' has distance ' pannotia/sssp --input=traps:1500
fi
if in_full 2; then
    plant apps/lonestar/sssp/sssp.clh 's/add_sat(work.distance, (uint)(arc >> 32))/work.distance + (uint)(arc >> 32)/'
    is_caught 'lonestar/sssp: sums that wrap' ' has distance ' lonestar/sssp --input=traps:1500
    plant apps/lonestar/sssp/sssp.clh 's/const bool needed = mu_load_relaxed(S.near_stamp + v) == step.round /const bool needed = false /'
    is_caught 'lonestar/sssp: a hub whose arcs are not relaxed' 'is not reached' lonestar/sssp --input=traps:1500
fi
plant apps/lonestar/mst/mst.cl '/mst_scan_run(struct/,/^}/s/, S.arcs);/, S.arcs - 1);/'
is_caught 'mst: the last arc is left out' 'is not in the minimum spanning forest' mst --input=traps:1500
in_full 2 || { judge_all 2; tap_done; }
plant apps/lonestar/mst/mst.plan.h 's/parts = size <= S.list_room ? .*/parts = 1;/'
is_caught 'mst: a list that was too short is not made again' 'the minimum' mst --variant=portable \
    --input="$folder/clusters.gr"
plant apps/pannotia/bc/bc.clh 's/^\( *\)atomic_min((volatile __global uint \*)S.overflow,.*/\1;/'
is_caught 'bc: path counts that overflow unseen' 'too many shortest paths: the run has not noticed' bc \
    --input="$folder/diamonds.txt" --sources=1 --seed=1
judge_all 2
tap_done
