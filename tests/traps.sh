#!/bin/sh
# Inputs on which wrong kernels give wrong results: errors that were planted in the kernels are caught on them, and the
# kernels as they are pass. In `make check` one error for two of the apps.
. "$srcdir/tests/tap.inc"
need_pocl

wrong=$folder/kernels

# plant FILE SCRIPT: a copy of the kernel sources with one line, or a few, edited.
plant() {
    rm -rf "$wrong"
    kernels "$wrong"
    sed -i "$2" "$wrong/$1"
    if cmp -s "$srcdir/$1" "$wrong/$1"; then
        echo "Bail out! nothing was edited in $1"
        exit 99
    fi
}
run() {
    workers 2 "$MUSTER" run --device="$pocl" --samples=1 --warmup=0 "$@"
}
# is_caught PART ARGUMENT...: the planted error makes a result that is wrong.
is_caught() {
    part=$1
    shift
    unoptimised ends 1 run --kernel-dir="$wrong" --variant=multi-kernel "$@" && has "$folder/err" "$part"
}

# ---- The kernels as they are ----

for app in bfs mst lonestar/sssp pannotia/sssp; do
    for variant in multi-kernel portable; do
        # shellcheck disable=SC2046 # options are words
        check "$app, $variant, on traps:1500" \
            ends 0 run $app --variant=$variant --input=traps:1500 $(group_of $app $variant)
    done
done
more_than_64_rounds() {
    # shellcheck disable=SC2046 # options are words
    run bfs --variant=portable --team=2 --input=traps:1500 --json $(group_of bfs portable) >"$folder/out" &&
        [ "$(member barriers "$folder/out")" -gt 65 ]
}
check 'that takes more than 64 rounds' more_than_64_rounds

# A chain of diamonds: two to the power of their number shortest paths from one end to the other. From any vertex there
# is an end that is far enough.
awk 'BEGIN { n = 2200; print "# diamonds"
    for (i = 0; i < n; i++) { a = 3 * i
        for (side = 1; side <= 2; side++) {
            print a, a + side; print a + side, a; print a + side, a + 3; print a + 3, a + side } } }' \
    >"$folder/diamonds.txt"
for variant in multi-kernel portable; do
    # shellcheck disable=SC2046 # options are words
    check "bc, $variant: more than 10^300 shortest paths are said to be too many" ends 3 run bc --variant=$variant \
        --input="$folder/diamonds.txt" --sources=1 --seed=1 $(group_of bc $variant)
    check '… with the source' has "$folder/err" 'a vertex has more than 1e+300 shortest paths'
done

# ---- Planted errors ----

if in_full 2; then
    plant apps/pannotia/sssp/sssp.cl 's/if (sssp_settle(S, v, sum, round)) mu_store_relaxed(S.changed, round);/sssp_settle(S, v, sum, round);/'
    check 'pannotia/sssp: a hub that does not say that it changed' is_caught 'is not reached' pannotia/sssp --input=traps:1500
    plant apps/pannotia/sssp/sssp.cl 's/const bool beyond = .*;/const bool beyond = false;/'
    check 'pannotia/sssp: sums that wrap' is_caught ' has distance ' pannotia/sssp --input=traps:1500
fi
if in_full 2; then
    plant apps/lonestar/sssp/sssp.cl 's/if (sum\[k\] < from\[k\] || sum\[k\] == SSSP_UNREACHED) {/if (false) {/'
    check 'lonestar/sssp: sums that wrap' is_caught ' has distance ' lonestar/sssp --input=traps:1500
    plant apps/lonestar/sssp/sssp.cl 's/const bool needed = SSSP_NEAR_STAMP(round)\[v\] == round;/const bool needed = false;/'
    check 'lonestar/sssp: a hub whose arcs are not relaxed' is_caught 'is not reached' lonestar/sssp --input=traps:1500
fi
plant apps/lonestar/mst/mst.cl '/mst_scan_run(struct/,/^}/s/, S.arcs);/, S.arcs - 1);/'
check 'mst: the last arc is left out' is_caught 'is not in the minimum spanning forest' mst --input=traps:1500
plant apps/pannotia/bc/bc.cl 's/^\( *\)atomic_min((volatile __global uint \*)S.overflow,.*/\1;/'
check 'bc: path counts that overflow unseen' is_caught 'too many shortest paths: the run has not noticed' bc \
    --input="$folder/diamonds.txt" --sources=1 --seed=1

tap_done
