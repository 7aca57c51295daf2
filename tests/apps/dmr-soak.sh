#!/bin/sh
# dmr again and again: tests/apps/dmr-soak.sh [N] makes N runs (20), each a process of its own, with 1, 2 and 4 workers of
# PoCL and in all variants by turns. Every mesh must pass the check, and be the same as the first of that input.
. "$srcdir/tests/tap.inc"
need_pocl
compile_unoptimised
runs=${1:-${MU_SOAK_RUNS:-20}}

# soak I: run number I.
soak() {
    case $(($1 % 3)) in
        0) variant=multi-kernel ;;
        1) variant=portable ;;
        2) variant=specialised ;;
    esac
    size=$((1 << $1 / 3 % 3))
    points=$((20 + $1 / 9 % 5 * 30))
    set -- "$MUSTER" run dmr --variant="$variant" --input=mesh:$points --device=$pocl --team=$size --samples=1 \
        --warmup=0 --deadline="$hangs_after" --output="$folder/mesh" --json
    [ $size = 1 ] && set -- "$@" --room=$points
    # shellcheck disable=SC2046 # options are words
    set -- "$@" $(group_of dmr "$variant")
    workers $size "$@" >"$folder/record" 2>"$folder/err" && has "$folder/record" '"check":"passed"' || return 1
    exercised "$folder/record"
    if [ -f "$folder/first-$points.ele" ]; then
        cmp "$folder/mesh.node" "$folder/first-$points.node" && cmp "$folder/mesh.ele" "$folder/first-$points.ele"
    else
        mv "$folder/mesh.node" "$folder/first-$points.node" && mv "$folder/mesh.ele" "$folder/first-$points.ele"
    fi
}

i=0
bad=0
while [ $i -lt "$runs" ]; do
    if ! soak $i >"$folder/why" 2>&1; then
        bad=$((bad + 1))
        fail "run $i: $variant, mesh:$points, $size workers" "$folder/why" "$folder/err" "$folder/record"
    fi
    i=$((i + 1))
done
check "$bad of $runs runs failed" [ $bad -eq 0 ]
tap_done
